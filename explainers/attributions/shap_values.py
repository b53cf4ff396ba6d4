"""SHAP: the Shapley value of each of a case's values, against background rows.

Interventional SHAP (Lundberg and Lee, "A unified approach to interpreting model predictions",
2017; Janzing, Minorics and Blöbaum, "Feature relevance quantification in explainable AI: a causal
problem", 2020): the score of a set of features is the mean, over the background rows, of the score
with the case's values there and the row's elsewhere. So the values are the mean, over the rows, of
those of the game that turns the row into the case.

The features are those of the schema, so a category spread over 0/1 columns is one.

The package shap is the peer in the tests and not what computes here: its masker takes values
within 1e-5 of each other, relatively, for the same, so that its Exact explainer can be far off (a
step at 1 000 001 among values about a million), its TreeExplainer compares in single precision,
and its Permutation explainer draws from NumPy's global state, which in a server others draw from
too. Nor does that one give the standard error of its values: it takes the two ways through an
order, which belong together, for two independent draws.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from explainers.attributions.attribution import Attribution
from explainers.attributions.background import background_rows
from explainers.importance.countershapley import shapley_values
from explainers.importance.orders import Worth, antithetic_effects
from explainers.importance.shares import Meter
from explainers.method import Options, origin
from explainers.problem import Case, Problem
from explainers.run import Run, Stopped
from explainers.schema import Rows, same
from explainers.wording import number

EXPLAINER = "interventional SHAP, Flipside's own"
EXACT_ROWS = 2**15
"""Up to so many rows every set of features is scored."""
TOLERANCE = 0.001
"""Largest standard error at which enough is drawn, as a share of the range of the scores seen."""
MOST_ROWS = 2**17
"""After so many rows no more orders are drawn."""
ROWS_A_CALL = 2**12
"""So many rows are asked for together, if a round needs fewer."""
LEAST_ROUNDS = 4


@dataclass(frozen=True)
class Shap:
    """How each value of the case moves its score away from the mean score of 100 training rows."""

    name: ClassVar[str] = "shap"
    title: ClassVar[str] = "SHAP"
    question: ClassVar[str] = "Why does the case score as it does, and not as others on average?"
    options_type: ClassVar[type[Options]] = Options

    def unfit(self, problem: Problem) -> str | None:
        if not problem.training.any():
            return "SHAP sets the case against training rows, and this table has none."
        return None

    def explain(
        self, problem: Problem, case: Case, options: Options | None = None, run: Run | None = None
    ) -> Attribution:
        """Score every set of features or, where these are too many, draw orders of them.

        Orders are drawn until the largest standard error is small. A run that ends first has
        a result that says so, if `LEAST_ROUNDS` were drawn.

        Raises
        ------
        Stopped
            If the run ended before.
        """
        run = run or Run()
        background = background_rows(problem, run)
        target = problem.target(case, run)
        meter = Meter(run)

        def worth(rows: Rows) -> NDArray[np.float64]:
            return target.drawn(problem.model.score(rows, meter.run))

        varying = np.flatnonzero(~same(background, case.row).all(axis=0))
        scores = worth(np.concatenate([background, case.row[None]]))
        values, errors, is_complete = np.zeros(len(case.row)), None, True
        if 2.0 ** len(varying) * len(background) <= EXACT_ROWS:
            sets = number(2 ** len(varying), 0)
            explainer = f"{EXPLAINER}, exact over all {sets} sets of features"
            values[varying] = _exact(worth, case.row, background, varying)
        else:
            effects, is_complete = _sampled(worth, case, background, varying, scores, run)
            orders = number(2 * len(effects), 0)
            explainer = f"{EXPLAINER}, by antithetic permutation sampling, {orders} orders a row"
            values[varying] = effects.mean(axis=(0, 1))
            errors = np.zeros(len(case.row))
            errors[varying] = standard_errors(effects)
        if is_complete:
            run.progress(1.0)
        return Attribution(
            case=case.id,
            features=problem.schema.names,
            values=values,
            base=float(scores[:-1].mean()),
            score=float(scores[-1]),
            target=target,
            explainer=explainer,
            n_reference=len(background),
            origin=origin(self, problem, options or Options(), run),
            standard_errors=errors,
            evaluations=meter.cost.rows,
            is_complete=is_complete,
        )


def standard_errors(effects: NDArray[np.float64]) -> NDArray[np.float64]:
    """Standard error of the mean over draws and rows, the rows being given.

    Parameters
    ----------
    effects : array of shape (n_draws, n_rows, n_features)
        At least two draws, independent of each other.

    Returns
    -------
    array of shape (n_features,)
    """
    n_draws, n_rows, _ = effects.shape
    within = effects.var(axis=0, ddof=1).sum(axis=0) / n_draws
    errors: NDArray[np.float64] = np.sqrt(within) / n_rows
    return errors


def _exact(worth: Worth, row: Rows, background: Rows, varying: NDArray[np.intp]) -> NDArray[np.float64]:
    """The values of the features that vary, from the mean score of every set of them."""
    masks = np.arange(2 ** len(varying))
    made = masks[:, None] >> np.arange(len(varying)) & 1 == 1
    asked = np.tile(background, (len(masks), 1))
    is_made = np.repeat(made, len(background), axis=0)
    asked[:, varying] = np.where(is_made, row[varying], asked[:, varying])
    return shapley_values(worth(asked).reshape(len(masks), len(background)).mean(axis=1))


def _sampled(
    worth: Worth,
    case: Case,
    background: Rows,
    varying: NDArray[np.intp],
    scores: NDArray[np.float64],
    run: Run,
) -> tuple[NDArray[np.float64], bool]:
    """Effects in random orders, shape (n_rounds, n_background, n_varying), and whether all were drawn.

    A round draws an order for each row of its own and takes it forwards and backwards
    (antithetic pairs: Mitchell et al., "Sampling permutations for Shapley value estimation",
    2022, Section 3); so it is exact where at most two features act together.
    """
    rows_a_round = 2 * len(background) * (len(varying) - 1)
    rounds_a_call = max(1, ROWS_A_CALL // rows_a_round)
    most_rounds = max(LEAST_ROUNDS, MOST_ROWS // rows_a_round)
    wanted = TOLERANCE * float(np.ptp(scores))
    random = run.random(case.id)
    effects = np.zeros((0, len(background), len(varying)))
    done = 0.0
    while len(effects) < most_rounds:
        rows = np.tile(background, (rounds_a_call, 1))
        orders = random.permuted(np.tile(np.arange(len(varying)), (len(rows), 1)), axis=1)
        ends = np.stack([np.tile(scores[:-1], rounds_a_call), np.full(len(rows), scores[-1])], axis=1)
        try:
            drawn = antithetic_effects(worth, case.row, rows, varying, orders, ends)
        except Stopped:
            if len(effects) < LEAST_ROUNDS:
                raise
            return effects, False
        effects = np.concatenate([effects, drawn.reshape(rounds_a_call, len(background), len(varying))])
        needed = float(LEAST_ROUNDS)
        if len(effects) >= LEAST_ROUNDS:
            largest = float(standard_errors(effects).max())
            if largest <= wanted:
                break
            needed = min(float(most_rounds), len(effects) * (largest / wanted) ** 2)
        done = max(done, min(1.0, len(effects) / needed))
        run.progress(done)
    return effects, True
