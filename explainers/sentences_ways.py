"""Several ways to the other side, in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from explainers.comparison import Compared
from explainers.problem import Problem
from explainers.sentences import listed
from explainers.ways import Ways
from explainers.wording import Sentence, Span, count


def about_ways(n_left_out: int) -> Sentence:
    """How the ways side by side are to be read."""
    told = (
        "The upright line is the case's own value. A dot stands as far from it as the new one is, each row on a scale"
        " of its own; a diamond is another category. The new value is printed below."
    )
    if n_left_out:
        told += f" The table has {count(n_left_out, 'feature')} more, which fewer of them change."
    return (Span(f"{told} Click one to read that way in Explain."),)


def alt_ways(ways: Ways) -> Sentence:
    """The ways side by side for those who can't see them."""
    told = (
        f"{title}, score {score}: {'; '.join(f'{c.title} {c.old_text} → {c.new_text}' for c in found.changes)}"
        for title, found, score in zip(ways.titles, ways.found, ways.scores[1:], strict=True)
    )
    return (Span(". ".join(told) + "."),)


def fewest(titles: Mapping[str, str], rows: Sequence[Compared]) -> Sentence:
    """Which methods got by with the fewest changes; nothing where fewer than two found something."""
    changes = {titles[row.method]: len(row.result.found[0]) for row in rows if row.result.found}
    if len(changes) < 2:
        return ()
    least = min(changes.values())
    by = [title for title, number in changes.items() if number == least]
    return (Span(f"Fewest changes: {least}, by {'all of them' if len(by) == len(changes) else listed(by)}."),)


def nearest_class(problem: Problem, prototype: str) -> Sentence:
    """Which of several classes that will do is the nearest, by the nearest prototype of them all."""
    return (Span(f"Of the other classes {problem.side_of(prototype)} is the nearest, by case {prototype}."),)


def none_of_them(n_methods: int) -> Sentence:
    """What stands in the place of the ways where there is none."""
    if n_methods == 1:
        return (Span("The method found no way to the other side; why is said above."),)
    return (Span("None of the methods found a way to the other side; why is said above for each."),)


def not_asked(titles: Sequence[str]) -> Sentence:
    """Which methods a comparison was stopped before."""
    return (Span(f"It was stopped, so {listed(titles)} {'was' if len(titles) == 1 else 'were'} not asked."),)


def cut_short(row: Compared) -> Sentence:
    """What is lacking where the search or the measuring ended early."""
    if row.result.is_complete:
        return (Span("Measuring it ended early, so IM1, IM2 and whether it holds when retrained are not known."),)
    return (Span("It ended early; shown is what it had found by then."),)
