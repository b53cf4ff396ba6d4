"""Ways side by side are the changes of each, and their shares add up to the distance."""

from __future__ import annotations

import numpy as np
import pytest

from explainers.constraints import Constraints
from explainers.distances import value_ranges
from explainers.registry import GENERATORS
from explainers.sentences_ways import alt_ways
from explainers.ways import Ways, ways_of
from explainers.wording import plain
from tests.contract.problems import cases_of, problem_called

METHODS = ("nice", "nearest", "random")


@pytest.fixture(scope="module", params=["mixed", "missing", "three classes", "less is wanted"])
def ways(request: pytest.FixtureRequest) -> Ways:
    problem = problem_called(request.param)
    case = cases_of(problem)[0]
    found = [(name, GENERATORS[name].explain(problem, case, Constraints()).found[0]) for name in METHODS]
    return ways_of(problem.schema, value_ranges(problem.rows[problem.training]), found)


def test_every_change_of_every_way_stands_in_its_place_and_nothing_else(ways: Ways) -> None:
    for at, found in enumerate(ways.found):
        steps = [row.steps[at] for row in ways.features]
        assert tuple(step.change for step in steps if step) == found.changes
    assert all(row.n_ways for row in ways.features)


def test_shares_of_numbers_and_ones_for_the_rest_add_up_to_the_distance(ways: Ways) -> None:
    for at, found in enumerate(ways.found):
        steps = [row.steps[at] for row in ways.features if row.steps[at]]
        assert sum(1.0 if s.share is None else abs(s.share) for s in steps) == pytest.approx(found.distance)
        for step in steps:
            if step.share is not None:
                assert np.sign(step.share) == np.sign(float(step.change.new) - float(step.change.old))


def test_the_table_and_the_words_have_them_all(ways: Ways) -> None:
    frame, told = ways.to_frame().set_index("feature"), plain(alt_ways(ways))
    for name, found, score in zip(ways.titles, ways.found, ways.scores[1:], strict=True):
        column = frame[name]
        assert column["score"] == score
        shown = column.drop("score")
        assert dict(shown[shown != ""]) == {change.title: change.new_text for change in found.changes}
        assert all(f"{change.title} {change.old_text} → {change.new_text}" in told for change in found.changes)
