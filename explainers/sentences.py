"""What the results say, in sentences.

Built on `wording`, which says how values and scores are printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from explainers.combinations import Combinations, SomeCoalitions
from explainers.decision import BinaryTarget, IntervalTarget, LeadTarget, Target
from explainers.explanation import Explanation
from explainers.parts import COUNTS_AS_NOTHING, change_shares
from explainers.results import GIVEN, CoalitionScores, Counterfactual, Counterfactuals, Importance
from explainers.standing import comes_from, ends, stands
from explainers.wording import (
    Role,
    Sentence,
    Span,
    are_equal,
    combinations,
    count,
    lines,
    number,
    score,
    scores,
    seconds,
    signed_column,
    verdict,
)

MOST_NAMED = 3
MOST_SPELT_OUT = 16
"""A combination of more changes is told by a few of them, or by those it leaves out."""


def standing(target: Target, factual_score: float) -> Sentence:
    """Where the case stands: scored 0.21 for good risk, under the threshold of 0.50, so bad risk."""
    return (Span("Scored "), *stands(target, factual_score, score(factual_score, target)), Span("."))


def answer(explanation: Explanation) -> Sentence:
    """The whole answer: where the case stands, what flips it, what counts most, what is enough."""
    counterfactual = explanation.counterfactual
    coalitions, some, importance = explanation.coalitions, explanation.some, explanation.countershapley
    n_changes = len(counterfactual)
    before, after = ends(counterfactual, explanation.outputs)
    sentence: list[Span] = [
        Span("Scored "),
        *before,
        Span(". With "),
        *((Span("these "), Span(count(n_changes, "change"), Role.STRONG)) if n_changes > 1 else _only(counterfactual)),
        Span(" it would score "),
        *after,
        Span("."),
    ]
    if n_changes > 1:
        most = _most(importance) if importance is not None else []
        enough = _enough(coalitions) if coalitions is not None else _enough_of(some) if some is not None else []
        sentence += [*most, *(enough if most else _capitalised(enough))]
        sentence += _against(importance) if importance is not None else []
    return tuple(sentence)


def pulling_back(importance: Importance) -> tuple[str, ...]:
    """Features whose change counts against the decision, the worst first."""
    values = _towards(importance)
    worst_first = sorted(range(len(values)), key=lambda i: (values[i], i))
    changes = importance.counterfactual.changes
    return tuple(changes[i].feature for i in worst_first if values[i] < -COUNTS_AS_NOTHING)


def selection(coalitions: Combinations | None, importance: Importance | None, selected: Sequence[str]) -> Sentence:
    """What is selected, what it scores, and whether a part of it would do; or how to select."""
    if coalitions is None:
        return ()
    id_ = coalitions.find(tuple(selected))
    if id_ is None:
        text = f"{count(len(selected), 'change')}, a combination that was not scored."
        return (Span("Selected ", Role.STRONG), Span(text))
    if not id_:
        return _nothing_selected(coalitions)
    target = coalitions.counterfactual.target
    flips = bool(coalitions.flips[id_])
    text = score(float(coalitions.scores[id_]), target)
    sentence = [
        Span("Selected ", Role.STRONG),
        Span(f"{combination(coalitions, id_)} "),
        Span(f"{text}, {verdict(flips)}", Role.DESIRED if flips else Role.FACTUAL),
    ]
    return (*sentence, Span(_part(coalitions, importance, id_), Role.QUIET))


def combination(coalitions: Combinations, id_: int) -> str:
    """The changes of a combination; of very many those that say which it is."""
    changes = coalitions.counterfactual.changes
    members = coalitions.members(id_)
    if len(members) <= MOST_SPELT_OUT:
        return " + ".join(changes[i].title for i in members)
    if len(members) == len(changes):
        return f"all {count(len(changes), 'change')}"
    if len(members) == len(changes) - 1:
        (absent,) = set(range(len(changes))) - set(members)
        return f"all but {changes[absent].title}"
    absent_titles = [changes[i].title for i in range(len(changes)) if i not in members]
    if len(absent_titles) <= MOST_NAMED:
        return f"all but {listed(absent_titles)}"
    named = " + ".join(changes[i].title for i in members[:MOST_NAMED])
    return f"{named} + {len(members) - MOST_NAMED} more"


def checked(explanation: Explanation) -> tuple[str, ...]:
    """What was checked about a counterfactual that is shown, how its changes were valued, and what that cost."""
    counterfactual = explanation.counterfactual
    found = "Flips when re-scored as shown."
    if counterfactual.origin.method == GIVEN:
        found += " It was given, not searched for."
    found += comes_from(counterfactual)
    return (found, "Locks, ranges and directions hold.", *_valued(explanation), *_caveats(explanation))


def _valued(explanation: Explanation) -> tuple[str, ...]:
    """Which way the importances were found, why, and what it cost."""
    if explanation.coalitions is not None:
        return (f"{count(len(explanation.coalitions.scores), 'combination')}, exact.",)
    importance, some = explanation.countershapley, explanation.some
    told = [explanation.way] if explanation.way else []
    if importance is not None and importance.cost is not None:
        cost = importance.cost
        calls = f"{count(cost.rows, 'row')} scored in {count(cost.calls, 'call')} of the model"
        asked = calls if cost.rows else "no row scored"
        how = f"{count(importance.orders, 'random order')}" if importance.orders else "Exact, by TreeSHAP"
        told.insert(0, f"{how}: {asked}, {seconds(cost.seconds)}.")
    if some is not None:
        made = combinations(len(explanation.counterfactual))
        told.append(f"{number(len(some.scores), 0)} of {made} scored.")
    return tuple(told)


def alternatives(found: Counterfactuals) -> tuple[str, ...]:
    """One line for each counterfactual found: how many changes, which score."""
    texts = scores([counterfactual.score for counterfactual in found.found], found.target)
    lead = "lead " if isinstance(found.target, LeadTarget) else ""
    rows = [dict(counterfactual.origin.options).get("row") for counterfactual in found.found]
    named = [f"{row}: " if found.origin.method == GIVEN else "" for row in rows]
    told = zip(named, found.found, texts, strict=True)
    return tuple(f"{name}{count(len(c), 'change')}, {lead}{text}" for name, c, text in told)


def ways(found: Counterfactuals) -> str:
    """How many counterfactuals there are to choose from, and where to look for shorter ones, if there can be any."""
    many, fewest = f"{count(len(found.found), 'way')} to the other side", min(map(len, found.found))
    is_least = found.origin.method == GIVEN or fewest == 1
    return many if is_least else f"{many}; other methods may need fewer changes: see Compare"


def not_valued(n_changes: int) -> Sentence:
    """Why it isn't known how much each change counts."""
    made = combinations(n_changes)
    told = f"{count(n_changes, 'change')} make {made}, too many to score"
    return (Span(f"{told}; it was stopped before enough random orders of them were drawn."),)


def about_countershapley(importance: Importance) -> Sentence:
    """What the shares are shares of, and how they were found."""
    counterfactual = importance.counterfactual
    factual, reached = scores([counterfactual.factual_score, counterfactual.score], counterfactual.target)
    return (
        Span(
            f"Share of the move from {factual} to {reached}, averaged over {_orders(importance)}."
            f" Score = {counterfactual.target.quantity}."
        ),
    )


def _orders(importance: Importance) -> str:
    if not importance.orders:
        read = ", read off the model's trees" if importance.origin.method == "tree_shap" else ""
        return f"every order of the changes{read}"
    drawn = count(importance.orders, "random order")
    stopped = "" if importance.is_complete else ", drawn until it was stopped"
    return f"{drawn} of the changes{stopped}; ± and the brackets under the blocks: one standard error"


def about_greedy(importance: Importance) -> Sentence:
    """How the steps are taken, and which of them lose the decision again."""
    target, flips = importance.counterfactual.target, importance.path_flips.tolist()
    best = "then brings it nearest to the range" if len(lines(target)) > 1 else "then moves the score furthest"
    lost = [str(step) for step, (was, still) in enumerate(pairwise(flips), 1) if was and not still]
    what = "the range" if isinstance(target, IntervalTarget) else target.desired
    again = f" Step {listed(lost)} {'leaves' if len(lost) == 1 else 'leave'} {what} again." if lost else ""
    return (Span(f"From the bottom: each step adds the change that {best}.{again} Score = {target.quantity}."),)


def about_constellation(coalitions: Combinations, n_left_out: int, by_size: bool) -> Sentence:
    """What the dots are, and how many combinations are not drawn."""
    if isinstance(coalitions, SomeCoalitions):
        made = combinations(len(coalitions.counterfactual))
        shown = f"Of {made} those were scored that say most: each change alone, all but each one, and Greedy's walk."
        return (Span(f"{shown} All others are left out, and nothing is known of them."),)
    n_all = len(coalitions.scores)
    if n_left_out:
        shown = f"Of {count(n_all, 'combination')} the smallest that flip and the best of each size are drawn; "
        return (Span(f"{shown}{count(n_left_out, 'other')} left out. The table has all."),)
    if by_size:
        return (Span("One dot a combination, arranged by how many changes it makes."),)
    return (Span("Large dots: one change alone. Small dots: combinations, at the mean height of their members."),)


def alt_importance(importance: Importance) -> Sentence:
    """A chart of importances for those who can't see it."""
    counterfactual = importance.counterfactual
    factual, reached = scores([counterfactual.factual_score, counterfactual.score], counterfactual.target)
    amounts = _amounts(importance)
    parts = [
        f"{_title(importance, i)} {counterfactual.changes[i].old_text} to {counterfactual.changes[i].new_text}:"
        f" {amounts[i]}"
        for i in importance.order
    ]
    return (Span(f"From {factual} to {reached}. {'; '.join(parts)}."),)


def alt_constellation(coalitions: Combinations) -> Sentence:
    """The dots for those who can't see them."""
    smallest = [combination(coalitions, id_) for id_ in coalitions.minimal[:MOST_NAMED]]
    ends = f" The smallest that flip: {'; '.join(smallest)}." if smallest else ""
    return (Span(f"{_how_many(coalitions)}{ends}"),)


def _towards(importance: Importance) -> list[float]:
    """Importances, positive where a change moves the score towards the decision as seen from the case."""
    counterfactual = importance.counterfactual
    sign = counterfactual.target.direction(counterfactual.factual_score)
    return [sign * value for value in importance.values.tolist()]


def _only(counterfactual: Counterfactual) -> tuple[Span, ...]:
    return (Span("this "), Span("one change", Role.STRONG), Span(f", {counterfactual.changes[0].title},"))


def _most(importance: Importance) -> list[Span]:
    first = importance.order[0]
    if _towards(importance)[first] <= COUNTS_AS_NOTHING:
        return []
    share = change_shares(importance)[first]
    largest = abs(importance.values[first])
    equal = [i for i in importance.order if are_equal(abs(importance.values[i]), largest, largest)]
    if len(equal) > 1 and _towards(importance)[equal[-1]] > 0:
        named = listed([_title(importance, i) for i in equal])
        return [Span(" Of these, "), Span(named, Role.STRONG), Span(f" count most ({share} each)")]
    return [Span(" Of these, "), Span(_title(importance, first), Role.STRONG), Span(f" counts most ({share})")]


def _enough(coalitions: CoalitionScores) -> list[Span]:
    n_changes = len(coalitions.counterfactual)
    if not coalitions.is_reducible:
        return [Span(", and none of them can be left out.")]
    smallest = coalitions.minimal[0].bit_count()
    verb = "is" if smallest == 1 else "are"
    return [Span(", and "), Span(f"{smallest} of the {n_changes} {verb} already enough", Role.STRONG), Span(".")]


def _enough_of(some: SomeCoalitions) -> list[Span]:
    """What is known to be enough from some of the combinations."""
    n_changes, enough = len(some.counterfactual), some.size(some.enough)
    if enough < n_changes:
        verb = "is" if enough == 1 else "are"
        return [Span(", and "), Span(f"{enough} of the {n_changes} {verb} already enough", Role.STRONG), Span(".")]
    return [Span(", and no single change can be left out.")]


def _capitalised(spans: list[Span]) -> list[Span]:
    """What goes on after a comma as a sentence of its own."""
    if not spans:
        return []
    first, *rest = spans
    text = first.text.removeprefix(", and ")
    if text:
        return [Span(f" {text[0].upper()}{text[1:]}", first.role), *rest]
    return [Span(" "), *rest]


def _against(importance: Importance) -> list[Span]:
    names = set(pulling_back(importance))
    back = [i for i in importance.order[::-1] if importance.counterfactual.changes[i].feature in names]
    if not back:
        return []
    named = [f"{_title(importance, i)} ({change_shares(importance)[i]})" for i in back[:MOST_NAMED]]
    more = [f"{len(back) - MOST_NAMED} more"] if len(back) > MOST_NAMED else []
    return [Span(" Pulling back: "), Span(listed(named + more), Role.FACTUAL), Span(".")]


def _amounts(importance: Importance) -> tuple[str, ...]:
    return signed_column(importance.values, importance.counterfactual.target)


def _title(importance: Importance, change: int) -> str:
    return importance.counterfactual.changes[change].title


def _nothing_selected(coalitions: Combinations) -> Sentence:
    n_minimal = len(coalitions.minimal)
    ringed = "that flips and has no part that does" if n_minimal == 1 else "that flip and have no part that does"
    rings = f"Ringed: {count(n_minimal, 'combination')} {ringed}. " if n_minimal else ""
    if isinstance(coalitions, SomeCoalitions) and coalitions.needs_each:
        rings += "No single change can be left out. "
    return (Span(f"{_how_many(coalitions)} "), Span(f"{rings}Pick a dot to read it.", Role.QUIET))


def _how_many(coalitions: Combinations) -> str:
    scored = " scored" if isinstance(coalitions, SomeCoalitions) else ""
    return f"{count(len(coalitions.scores), 'combination')}{scored}, {_flip(int(coalitions.flips.sum()))}."


def _flip(amount: int) -> str:
    return f"{number(amount, 0)} {'flips' if amount == 1 else 'flip'}"


def _part(coalitions: Combinations, importance: Importance | None, id_: int) -> str:
    members = coalitions.members(id_)
    if id_ in coalitions.minimal:
        others = len(coalitions.minimal)
        smaller = " · no smaller part of it does." if len(members) > 1 else " · alone."
        return smaller + (
            f" Ringed: all {others} such combinations." if others > 1 else " It is the only such combination."
        )
    if coalitions.flips[id_]:
        part = next((part for part in coalitions.minimal if set(coalitions.members(part)) <= set(members)), None)
        return f" · {combination(coalitions, part)} would be enough." if part is not None else "."
    if len(members) == 1 and importance is not None:
        amount, share = _amounts(importance)[members[0]], change_shares(importance)[members[0]]
        return f" · alone. Over every order it counts {amount} ({share})."
    return ""


def _caveats(explanation: Explanation) -> tuple[str, ...]:
    """What to know where a score that is shown is exactly the threshold."""
    counterfactual, coalitions = explanation.counterfactual, explanation.combinations
    target, known = counterfactual.target, (counterfactual.factual_score, counterfactual.score)
    if isinstance(target, BinaryTarget) and (target.low in known or target.low in coalitions.scores):
        winner = target.desired if target.has_reached(np.array([target.low]))[0] else target.factual
        return (f"A score exactly at the threshold counts as {winner}; the model's own predict may differ.",)
    return ()


def listed(names: Sequence[str]) -> str:
    """Names as a sentence lists them: a, b and c."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
