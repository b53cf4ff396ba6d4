"""How to read each chart, in this case's own names and numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from explainers.combinations import Combinations, SomeCoalitions
from explainers.parts import COUNTS_AS_NOTHING, change_shares
from explainers.results import CoalitionScores, FeatureChange, Importance
from explainers.sentences import MOST_NAMED, listed, pulling_back
from explainers.standing import once_reached
from explainers.wording import (
    Role,
    Sentence,
    Span,
    bound,
    combinations,
    count,
    lines,
    number,
    score,
    scores,
    signed,
    signed_column,
    verdict,
)

MOST_COUNTED_OUT = 16
MOST_LOOKED_AT = 8
"""So many of the smallest combinations that flip are looked at for larger ones that don't."""


def of_countershapley(importance: Importance) -> tuple[Sentence, ...]:
    """What the strip, its blocks and those that walk back say here."""
    counterfactual = importance.counterfactual
    target, n_changes = counterfactual.target, len(counterfactual)
    start, end = scores([counterfactual.factual_score, counterfactual.score], target)
    ends = [Span("The strip runs from "), Span(start, Role.FACTUAL), Span(", what the case scores, to ")]
    ends += [Span(end, Role.DESIRED)]
    if n_changes == 1:
        return ((*ends, Span(", what it would score with the one change, which makes the whole move.")),)
    ends.append(Span(f", what it would score with all {n_changes} changes. Each block is a change; its length counts."))
    first, told = importance.order[0], _told(importance)
    most = (
        Span(_change(counterfactual.changes[first]), Role.STRONG),
        Span(f" counts {told[first]}: so much it moves the score on average over {_orders(importance)}."),
    )
    (total,) = signed_column([counterfactual.score - counterfactual.factual_score], target)
    whole = (Span(f"Together the changes count {total}, exactly the move from {start} to {end}."),)
    return (tuple(ends), most, *_walking_back(importance, told, end), whole)


def _orders(importance: Importance) -> str:
    """Over which orders the mean is taken, and how far off it may be."""
    if importance.standard_errors is not None:
        drawn = count(importance.orders, "random order")
        worst = signed(float(importance.standard_errors.max()), importance.counterfactual.target.decimals + 2)[1:]
        return f"{drawn} of the changes. Another draw would give other values, mostly within twice ± {worst}"
    n_changes = len(importance.counterfactual)
    every = count(math.factorial(n_changes), "order") if n_changes <= MOST_COUNTED_OUT else "orders"
    return f"all {every} in which the changes can be made"


def of_greedy(importance: Importance, beside: Importance | None = None) -> tuple[Sentence, ...]:
    """What the first step, the one that flips and those that pull back say here.

    Parameters
    ----------
    importance : Importance
        Of Greedy.
    beside : Importance, optional
        Of the same changes over every order, to say why the two differ.
    """
    target, changes = importance.counterfactual.target, importance.counterfactual.changes
    path = scores(importance.path, target)
    names = [changes[i].title for i in importance.order]
    best = "brings the score nearest to the range" if len(lines(target)) > 1 else "moves the score furthest"
    told: list[Sentence] = [
        (
            Span("Start at the bottom, at "),
            Span(path[0], Role.FACTUAL),
            Span(". Alone, "),
            Span(names[0], Role.STRONG),
            Span(f" {best}, to {path[1]}, so it comes first. "),
            Span("Each row above keeps what is below it and adds the change that then does so."),
        )
    ]
    reached = next((step for step, flips in enumerate(importance.path_flips.tolist()) if flips), None)
    if reached:
        after = once_reached(target, float(importance.path[reached]))
        flip = [Span(f"With step {reached}, "), Span(names[reached - 1], Role.STRONG), Span(", the case flips ")]
        flip.append(Span(f"({after}).", Role.DESIRED))
        if reached < len(names):
            flip.append(Span(f" What stands above, {_named(names[reached:])}, is not needed for that."))
        told.append(tuple(flip))
    told += _steps_back(importance, names, path)
    if beside is not None and len(names) > 1:
        told += _otherwise(importance, beside)
    return tuple(told)


def of_constellation(coalitions: Combinations, n_left_out: int, by_size: bool) -> tuple[Sentence, ...]:
    """What places, rings and the combinations beyond the line say here, of two changes or more.

    Parameters
    ----------
    coalitions : Combinations
    n_left_out : int
        How many combinations have no dot.
    by_size : bool
        Whether dots stand by their number of changes, and not at the mean height of their rows.
    """
    if isinstance(coalitions, SomeCoalitions):
        return _of_some(coalitions)
    assert isinstance(coalitions, CoalitionScores)
    target, n_changes = coalitions.counterfactual.target, len(coalitions.counterfactual)
    words = " and ".join(" ".join(bound(line, target)) for line in lines(target))
    across = (
        Span(f"Each dot is one of the {combinations(n_changes)} of {n_changes} changes; the one of none of them"),
        Span(" is the broken line."),
        Span(f" The further right, the nearer to {target.desired}; the line ({words}) is where the decision turns."),
    )
    down = _bands(coalitions) if by_size else _heights(coalitions)
    told = [across, down, _rings(coalitions), _enough(coalitions), *_undone(coalitions)]
    if n_left_out:
        others = f"{count(n_left_out, 'other')} {'has' if n_left_out == 1 else 'have'} no dot"
        told.append((Span(f"Dots are single changes, the best of each size, and what is ringed; {others}."),))
    return tuple(told)


def _of_some(some: SomeCoalitions) -> tuple[Sentence, ...]:
    """What the bands, rings and the smallest that flips say here, where most combinations were not scored."""
    counterfactual = some.counterfactual
    target, n_changes = counterfactual.target, len(counterfactual)
    words = " and ".join(" ".join(bound(line, target)) for line in lines(target))
    told: list[Sentence] = [
        (
            Span(f"Each dot is one of {number(len(some.scores) - 1, 0)} combinations of {n_changes} changes. The"),
            Span(f" further right, the nearer to {target.desired}; the line ({words}) is where the decision turns."),
        ),
        (
            Span("From below: each change alone; the changes that Greedy makes first, two, three and so on; all but"),
            Span(" one, so that a dot that does not flip is a change that can't be left out; and all of them."),
        ),
    ]
    size = some.size(some.enough)
    if size < n_changes:
        text = score(float(some.scores[some.enough]), target)
        verb = "is" if size == 1 else "are"
        told.append(
            (
                Span(f"{size} of the {n_changes} changes {verb} enough", Role.STRONG),
                Span(f" ({text}), the fewest among what was scored; there may be fewer among what was not."),
            )
        )
    else:
        told.append((Span("No single change can be left out; more than one at a time was not tried."),))
    return tuple(told)


def _change(change: FeatureChange) -> str:
    return f"{change.title} ({change.old_text} → {change.new_text})"


def _told(importance: Importance) -> list[str]:
    """Each change's value and share: +0.14 (61 %)."""
    amounts = signed_column(importance.values, importance.counterfactual.target)
    return [f"{amount} ({share})" for amount, share in zip(amounts, change_shares(importance), strict=True)]


def _walking_back(importance: Importance, told: Sequence[str], end: str) -> list[Sentence]:
    features = pulling_back(importance)
    if not features:
        return []
    changes = importance.counterfactual.changes
    worst = next(i for i, change in enumerate(changes) if change.feature == features[0])
    others = f"; so do {count(len(features) - 1, 'other')}" if len(features) > 1 else ""
    return [
        (
            Span(_change(changes[worst]), Role.STRONG),
            Span(f" counts {told[worst]}: on average it pulls the score back", Role.FACTUAL),
            Span(f"{others}. What pulls back is hatched and walks back above the strip; so the strip runs past {end},"),
            Span(" and the walk back ends there."),
        )
    ]


def _steps_back(importance: Importance, names: Sequence[str], path: Sequence[str]) -> list[Sentence]:
    """Steps that move the score away, and those with which the decision is lost again."""
    counterfactual = importance.counterfactual
    sign = counterfactual.target.direction(counterfactual.factual_score)
    moved = sign * np.diff(importance.path)
    back = [step for step, move in enumerate(moved.tolist(), 1) if move < -COUNTS_AS_NOTHING]
    told: list[Sentence] = []
    if back:
        first = back[0]
        told.append(
            (
                Span(f"Step {first}, "),
                Span(names[first - 1], Role.STRONG),
                Span(f", moves the score back to {path[first]}", Role.FACTUAL),
                Span(", though of the changes left it is the best; its run is dashed."),
            )
        )
    return told


def _otherwise(importance: Importance, beside: Importance) -> list[Sentence]:
    """The change about which the two ways of counting differ most, and why they may."""
    apart = np.abs(importance.values - beside.values)
    most = int(apart.argmax())
    target = importance.counterfactual.target
    here, there = signed_column([importance.values[most], beside.values[most]], target)
    if here == there:
        return []
    return [
        (
            Span(importance.counterfactual.changes[most].title, Role.STRONG),
            Span(f" moves the score by {here} here and counts {there} over every order: what a change does depends on"),
            Span(" which others are made before it, and here it is made in this one order only."),
        )
    ]


def _heights(coalitions: CoalitionScores) -> Sentence:
    changes = coalitions.counterfactual.changes
    pair = f"{changes[0].title} + {changes[1].title}"
    return (
        Span(f"A large dot is one change alone, in its row. A small dot is several: {pair} stands halfway between"),
        Span(" the two rows. So the height says which changes are in it, and only the place across how good it is."),
    )


def _bands(coalitions: CoalitionScores) -> Sentence:
    sizes = np.bitwise_count(np.arange(len(coalitions.scores)))
    size = coalitions.minimal[0].bit_count() if coalitions.minimal else len(coalitions.counterfactual)
    among, flipping = int((sizes == size).sum()), int(coalitions.flips[sizes == size].sum())
    shown = f"of the {count(among, 'combination')} with {count(size, 'change')}, {number(flipping, 0)}"
    return (Span(f"One band a number of changes, with how many of them flip at its left: {shown} flip."),)


def _rings(coalitions: CoalitionScores) -> Sentence:
    target, rings = coalitions.counterfactual.target, coalitions.minimal
    texts = scores([float(coalitions.scores[mask]) for mask in rings[:MOST_NAMED]], target)
    named = [f"{_names(coalitions, mask)} ({text})" for mask, text in zip(rings, texts, strict=False)]
    if len(rings) > MOST_NAMED:
        named.append(f"{number(len(rings) - MOST_NAMED, 0)} more")
    return (
        Span("A ring", Role.STRONG),
        Span(" is around a combination that flips while no part of it does. Here: "),
        Span(f"{listed(named)}.", Role.DESIRED),
    )


def _enough(coalitions: CoalitionScores) -> Sentence:
    n_changes = len(coalitions.counterfactual)
    if not coalitions.is_reducible:
        return (Span(f"No part of the {n_changes} changes flips the case, so none of them can be left out."),)
    smallest = coalitions.minimal[0]
    rest = [change.title for i, change in enumerate(coalitions.counterfactual.changes) if not smallest >> i & 1]
    size = smallest.bit_count()
    return (
        Span(f"{size} of the {n_changes} changes {'is' if size == 1 else 'are'} enough", Role.STRONG),
        Span(f": {_names(coalitions, smallest)}. Not needed for that: {_named(rest)}."),
    )


def _undone(coalitions: CoalitionScores) -> list[Sentence]:
    """A combination that flips no more though a part of it does, if there is one."""
    masks = np.arange(len(coalitions.scores))
    for part in coalitions.minimal[:MOST_LOOKED_AT]:
        undone = masks[(masks & part == part) & ~coalitions.flips]
        if undone.size:
            whole = int(undone[np.argmin(np.bitwise_count(undone))])
            text = score(float(coalitions.scores[whole]), coalitions.counterfactual.target)
            return [
                (
                    Span("More changes are not always better: "),
                    Span(f"{_names(coalitions, whole)} {verdict(False)}", Role.FACTUAL),
                    Span(f" ({text}), though {_names(coalitions, part)} does."),
                )
            ]
    return []


def _names(coalitions: CoalitionScores, mask: int) -> str:
    return " + ".join(coalitions.counterfactual.changes[i].title for i in coalitions.members(mask))


def _named(titles: Sequence[str]) -> str:
    """Some names, and how many more there are."""
    if len(titles) > MOST_NAMED + 1:
        return listed([*titles[:MOST_NAMED], f"{len(titles) - MOST_NAMED} more"])
    return listed(titles)
