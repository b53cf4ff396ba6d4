"""What is said of many candidates: how they came about, which way is better, and whether they look real."""

from __future__ import annotations

from explainers.counterfactuals.candidates import Candidates
from explainers.counterfactuals.realism import Alike, Correlations, ToldApart
from explainers.decision import Target
from explainers.schema import Schema
from explainers.sentences import listed
from explainers.wording import Role, Sentence, Span, count, number, scores

MOST_NAMED = 3
DISTANCE_DECIMALS = 2


def found(candidates: Candidates, target: Target) -> Sentence:
    """How many rows flip, and how many of them stand in the table."""
    n_chosen = len(candidates.chosen)
    sentence = [
        Span("Of "),
        Span(count(candidates.n_different, "different row")),
        Span(" sampled for this case, "),
        Span(number(len(candidates), 0), Role.STRONG),
        Span(f" {'is' if len(candidates) == 1 else 'are'} on the other side: "),
        Span(target.desired, Role.DESIRED),
        Span("."),
    ]
    if n_chosen < len(candidates):
        stands = "One of them stands" if n_chosen == 1 else f"{number(n_chosen, 0)} of them stand"
        sentence.append(Span(f" {stands} in the table."))
    return tuple(sentence)


def cost(candidates: Candidates, seconds: float) -> Sentence:
    """What it took."""
    n_copies = sum(bool(id_) for id_ in candidates.copies)
    told = f"{count(candidates.n_sampled, 'row')} sampled and asked about in {number(seconds, 2)} s."
    if candidates.excluded > 0:
        told += f" Limits ruled out {percent(candidates.excluded)} of the values in reach."
    copied = f" {count(n_copies, 'candidate is a copy', 'candidates are copies')} of a training row."
    return (Span(told + (copied if n_copies else " None is a copy of a training row.")),)


def about_tradeoff(candidates: Candidates, n_drawn: int) -> Sentence:
    """What the dots are."""
    drawn = f"The cheapest {number(n_drawn, 0)} of {number(len(candidates), 0)} are drawn. "
    what = f"{count(len(candidates), 'candidate flips', 'candidates flip')} the decision. "
    left_out = drawn if n_drawn < len(candidates) else ""
    return (Span(f"{what}{left_out}Down and left is better; the full dots stand in the table, pick one."),)


def alt_tradeoff(candidates: Candidates) -> Sentence:
    """The dots for those who can't see them."""
    front = [place for place, is_on in enumerate(candidates.front) if is_on]
    ways = "; ".join(cost_of(int(candidates.n_changes[i]), float(candidates.distances[i])) for i in front)
    return (Span(f"{count(len(candidates), 'candidate')}. No other beats: {ways}."),)


def cost_of(n_changes: int, distance: float) -> str:
    """What a candidate costs: 3 changes, distance 0.73."""
    return f"{count(n_changes, 'change')}, distance {number(distance, DISTANCE_DECIMALS)}"


def shown(candidates: Candidates, place: int, target: Target) -> str:
    """What the candidate that is shown costs, and its score."""
    at = int(candidates.chosen[place])
    text = scores([float(candidates.scores[at])], target)[0]
    return f"{cost_of(int(candidates.n_changes[at]), float(candidates.distances[at]))}, score {text}"


def about_alike(schema: Schema, rows: Alike) -> Sentence:
    """Among which rows the new values are looked for."""
    told = f"Among the {count(len(rows.rows), 'row')}"
    told += f" with the case's own {_titles(schema, rows.shared)}." if rows.shared else " of the table."
    if rows.left_out:
        told += f" Too few rows have its {_titles(schema, rows.left_out)}, so that is left open."
    return (Span(told),)


def about_correlations(compared: Correlations, n_drawn: int) -> Sentence:
    """What the circles are, and how far the matrices are apart."""
    pairs = compared.to_frame()
    first, apart = pairs.iloc[0], pairs["difference"].abs()
    told = (
        f"Real rows on the wanted side, and as many sampled ones ({number(compared.n_rows, 0)}). The larger a circle,"
        f" the more two features go together; hollow is below 0. On average they differ by {number(apart.mean(), 2)},"
        f" most {first['feature']} with {first['with']}, by {number(apart.iloc[0], 2)}."
    )
    if n_drawn < len(compared.titles):
        told += f" Drawn are the {n_drawn} of {len(compared.titles)} features that differ most; the table has all."
    return (Span(told),)


def told_apart(told: ToldApart) -> Sentence:
    """How often sampled rows are recognised, against chance."""
    return (
        Span("A random forest tells sampled rows from real ones in "),
        Span(percent(told.accuracy), Role.STRONG),
        Span(
            f" of cases ({number(told.n_rows, 0)} of both, mean of 5 trials). 50\u00a0% is guessing; real rows it tells"
            f" from other real ones in {percent(told.chance)}."
        ),
    )


def percent(share: float) -> str:
    """A share as whole percents."""
    return f"{number(100 * share, 0)}\u00a0%"


def _titles(schema: Schema, names: tuple[str, ...]) -> str:
    titles = [schema[name].title for name in names[:MOST_NAMED]]
    return listed([*titles, *([f"{len(names) - MOST_NAMED} more"] if len(names) > MOST_NAMED else [])])
