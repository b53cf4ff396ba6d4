"""Results built from tables of scores, for tests of charts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from explainers.decision import BinaryTarget, IntervalTarget, Target
from explainers.importance.coalitions import minimal_flipping
from explainers.results import CoalitionScores, Counterfactual, FeatureChange, Importance, Origin

ORIGIN = Origin(method="table", options=(), seed=0, problem="table")
CREDIT = (
    ("checking account", "< 0 DM", "no account"),
    ("duration", "36", "18 months"),
    ("savings", "< 100 DM", "≥ 1 000 DM"),
    ("purpose", "car (new)", "radio/tv"),
    ("credit amount", "6 204", "3 552 DM"),
    ("employed since", "< 1 year", "4–7 years"),
    ("installment rate", "4 %", "2 % of income"),
    ("other installment plans", "bank", "none"),
    ("housing", "rent", "own"),
)
SINGLE = (0.14, 0.09, 0.10, 0.05, -0.05, 0.045, 0.04, 0.03, 0.02)
PAIRS = {(0, 1): 0.05, (0, 2): 0.02, (1, 2): 0.02, (1, 4): 0.04, (3, 4): -0.02, (0, 3): 0.01, (2, 4): -0.01}
HOSTILE = ("<b>&\"'", "<i>1</i>", "%{x} & $y$")
WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamten"


@dataclass(frozen=True)
class Game:
    """Everything that the charts are drawn from."""

    coalitions: CoalitionScores
    greedy: Importance
    shapley: Importance


def binary(low: float = 0.5) -> Target:
    return BinaryTarget("bad risk", "good risk", "probability of good risk", low, math.inf, False, True, low)


def interval(low: float, high: float) -> Target:
    return IntervalTarget("outside", "inside", "price", low, high, False)


def game(
    scores: Callable[[frozenset[int]], float],
    names: Sequence[tuple[str, str, str]] = CREDIT[:5],
    target: Target | None = None,
) -> Game:
    """A game from the score of every set of changes."""
    target = target or binary()
    n_changes = len(names)
    table = np.array(
        [scores(frozenset(i for i in range(n_changes) if mask >> i & 1)) for mask in range(1 << n_changes)]
    )
    flips = (table >= target.low) & (table <= target.high)
    counterfactual = Counterfactual(
        case="1",
        factual=np.zeros(n_changes),
        row=np.ones(n_changes),
        changes=tuple(
            FeatureChange(f"f{i} {name}", name, old, new, old, new) for i, (name, old, new) in enumerate(names)
        ),
        factual_score=float(table[0]),
        score=float(table[-1]),
        target=target,
        decimals=(0,) * n_changes,
        distance=1.0,
        neighbour="",
        origin=ORIGIN,
    )
    coalitions = CoalitionScores(counterfactual, table, flips, minimal_flipping(flips, table))
    return Game(coalitions, _greedy(coalitions), _shapley(coalitions))


def credit(n_changes: int = 5) -> Game:
    """The credit example: its fifth change pulls back."""
    return game(lambda made: credit_score(made, 0.21 if n_changes <= 5 else 0.17), CREDIT[:n_changes])


def credit_score(made: frozenset[int], base: float = 0.21) -> float:
    wobble = 0.012 * math.sin(7.0 * sum(i * i + 1 for i in made)) if len(made) >= 2 else 0.0
    pairs = sum(gain for pair, gain in PAIRS.items() if made.issuperset(pair))
    damp = 1.0 if base > 0.2 else 0.7
    return round(base + damp * sum(SINGLE[i] for i in made) + pairs + wobble, 4)


def additive(
    gains: Sequence[float], base: float = 0.3, names: Sequence[tuple[str, str, str]] = (), low: float = 0.5
) -> Game:
    """A game in which every change counts the same in every set."""
    named = names or [(f"feature {i}", "old", "new") for i in range(len(gains))]
    return game(lambda made: base + math.fsum(gains[i] for i in made), named, binary(low))


def _importance(
    coalitions: CoalitionScores, values: np.ndarray, order: tuple[int, ...], path: Sequence[float]
) -> Importance:
    target = coalitions.counterfactual.target
    totals = np.array(path)
    return Importance(
        coalitions.counterfactual, values, order, totals, (totals >= target.low) & (totals <= target.high), ORIGIN
    )


def _greedy(coalitions: CoalitionScores) -> Importance:
    n_changes = len(coalitions.counterfactual)
    sign = 1 if coalitions.scores[-1] >= coalitions.scores[0] else -1
    made, order, path = 0, [], [float(coalitions.scores[0])]
    values = np.zeros(n_changes)
    for _ in range(n_changes):
        left = [i for i in range(n_changes) if not made >> i & 1]
        best = max(left, key=lambda i: (sign * coalitions.scores[made | 1 << i], -i))
        made |= 1 << best
        order.append(best)
        values[best] = coalitions.scores[made] - path[-1]
        path.append(float(coalitions.scores[made]))
    return _importance(coalitions, values, tuple(order), path)


def _shapley(coalitions: CoalitionScores) -> Importance:
    n_changes = len(coalitions.counterfactual)
    masks = np.arange(1 << n_changes)
    sizes = np.bitwise_count(masks)
    weights = np.array(
        [math.factorial(s) * math.factorial(n_changes - s - 1) / math.factorial(n_changes) for s in range(n_changes)]
    )
    values = np.zeros(n_changes)
    for i in range(n_changes):
        without = masks[masks >> i & 1 == 0]
        gains = coalitions.scores[without | 1 << i] - coalitions.scores[without]
        values[i] = weights[sizes[without]] @ gains
    order = tuple(sorted(range(n_changes), key=lambda i: (-values[i], i)))
    path = [float(coalitions.scores[0])]
    for i in order:
        path.append(path[-1] + values[i])
    return _importance(coalitions, values, order, path)
