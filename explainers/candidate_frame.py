"""Candidates as a table for people: what changes, as printed, and what it costs."""

from __future__ import annotations

import pandas as pd

from explainers.counterfactuals.candidates import SampledCounterfactuals
from explainers.schema import Schema

PLACE = "#"


def candidate_frame(schema: Schema, found: SampledCounterfactuals) -> pd.DataFrame:
    """One row a counterfactual found, in order of cost.

    Returns
    -------
    DataFrame
        Place, number of changes, distance, score and margin; then a column for each
        feature that changes in any, ``old → new`` as printed, empty where it stays; at
        last the mean distance, the training row that it copies, and whether it is on the
        front of changes against distance.
    """
    costs = found.candidates.to_frame().iloc[found.candidates.chosen].reset_index(drop=True)
    texts = [{c.feature: f"{c.old_text} → {c.new_text}" for c in each.changes} for each in found.found]
    changed = [feature for feature in schema.features if any(feature.name in each for each in texts)]
    frame = costs[["changes", "distance", "score", "margin"]].copy()
    frame.insert(0, PLACE, range(1, len(frame) + 1))
    taken = {*frame.columns, *costs.columns}
    for feature in changed:
        title = feature.title if feature.title not in taken else f"{feature.title} ({feature.name})"
        taken.add(title)
        frame[title] = [each.get(feature.name, "") for each in texts]
    return frame.join(costs[["mean distance", "copy of", "front"]])
