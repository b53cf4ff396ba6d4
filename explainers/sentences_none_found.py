"""Why nothing was found, in sentences."""

from __future__ import annotations

from explainers.decision import Target
from explainers.results import NoneFound
from explainers.schema import Schema
from explainers.sentences import MOST_NAMED, listed
from explainers.standing import as_desired, once_reached
from explainers.wording import Sentence, Span, count, number

WITHOUT_MORE = {
    "unsampled": "None of the rows that were sampled flips this case. Sample more of them.",
    "flat": "Small moves from this case leave the score as it is, as with models made of trees, so there is no slope"
    " to follow. Take the prototype path, which needs none.",
    "exhausted": "The search came to its end and nothing on its way flips this case. Let a prototype guide it.",
}


def none_found(schema: Schema, target: Target, factual_score: float, none: NoneFound) -> Sentence:
    """Why there is no counterfactual, in one or two sentences."""
    if none.reason == "reached":
        return (Span(f"This case already has the decision you asked for ({once_reached(target, factual_score)})."),)
    if none.reason == "stopped":
        return (Span(f"Nothing was found before the search ended. {none.detail}"),)
    if none.reason == "given":
        return (Span(none.detail or "None of the rows that were given is a counterfactual of this case."),)
    if none.reason == "unseen":
        return (
            Span(
                f"No training case is both predicted and known {as_desired(target)}, so there is none to walk towards."
            ),
        )
    if none.reason == "bounded" and none.nearest:
        changes, distance = none.nearest
        costs = f"{count(changes, 'change')} at a distance of {number(distance, 2)}"
        return (Span(f"What flips this case is a copy or costs more than you allow: the cheapest makes {costs}."),)
    if none.reason in WITHOUT_MORE:
        return (Span(WITHOUT_MORE[none.reason]),)
    titles = [schema[name].title for name in none.binding]
    if len(titles) > MOST_NAMED + 1:
        titles = [*titles[:MOST_NAMED], f"{len(titles) - MOST_NAMED} more"]
    sentence = f"No change was found that flips this case with {listed(titles)} held as set."
    if none.emptying:
        alone = listed([schema[name].title for name in none.emptying[:MOST_NAMED]])
        sentence += f" No training case predicted {as_desired(target)} keeps what is set for {alone}."
    if not none.relaxing:
        enough = f"; {listed([schema[name].title for name in none.together])} together would be" * bool(none.together)
        sentence += f" Freeing one of them alone would not be enough{enough}."
    return (Span(sentence),)
