"""What each loss makes of a case is what the search by that loss finds, and the prototype is the decoded mean code."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from explainers.constraints import Constraints, Rule
from explainers.counterfactuals.prototype_figure import compare_losses, options_of
from explainers.counterfactuals.prototype_search import LOSSES, PrototypeSearch
from explainers.counterfactuals.prototype_space import PrototypePrepared, prepare_space
from explainers.problem import Case, Problem
from explainers.run import Run
from tests.contract.asking import assert_equal, check_result
from tests.explainers.tables import posed

Asked = tuple[Problem, Case, PrototypePrepared]


@pytest.fixture(scope="module")
def asked() -> Asked:
    """A smooth score of four numbers, and a case on its other side."""
    values = np.random.default_rng(0).normal(size=(120, 4)).round(2)
    problem = posed(
        pd.DataFrame(values, columns=list("abcd")), lambda rows: 1 / (1 + np.exp(-(2 * rows[:, 0] - rows[:, 1] - 0.5)))
    )
    case = problem.case(str(int(np.argmin(np.abs(2 * values[:, 0] - values[:, 1] + 0.5)))))
    return problem, case, prepare_space(problem, Run(), needs_autoencoder=True)


def test_every_loss_is_searched_by_under_the_rules_and_progress_goes_on(asked: Asked) -> None:
    problem, case, prepared = asked
    rules = Constraints((("b", Rule(locked=True)),))
    told: list[float] = []
    compared = compare_losses(problem, case, rules, prepared, Run(progress=told.append))
    assert told == sorted(told) and told[-1] == 1.0
    for loss, result in zip(LOSSES, compared.found, strict=True):
        check_result(problem, case, rules, result)
        alone = PrototypeSearch().explain(problem, case, rules, options_of(loss), Run(), prepared)
        for one, other in zip(alone.found, result.found, strict=True):
            assert_equal(one.row, other.row)


def test_the_prototype_is_the_decoded_mean_of_the_five_nearest_codes_within_the_table_s_numbers(asked: Asked) -> None:
    problem, case, prepared = asked
    compared = compare_losses(problem, case, Constraints(), prepared, Run())
    network, space = prepared.autoencoder, prepared.space
    assert network is not None and compared.prototype is not None
    wanted = problem.training & compared.target.flips(problem.outputs) & problem.may_have_been(compared.target)
    codes, own = network.encoded(space.points(problem.rows[wanted])), network.encoded(space.points(case.row[None]))
    nearest = codes[np.argsort(np.linalg.norm(codes - own, axis=1), kind="stable")[:5]]
    flowing = nearest.mean(axis=0)
    for weights, biases in network.layers[network.n_encoding : -1]:
        flowing = np.maximum(flowing @ weights + biases, 0)
    weights, biases = network.layers[-1]
    values = (flowing @ weights + biases) * space.scale + space.centre
    ends = [(feature.low, feature.high) for feature in problem.schema.features]
    np.testing.assert_allclose(compared.prototype, [np.clip(v, *end) for v, end in zip(values, ends, strict=True)])
