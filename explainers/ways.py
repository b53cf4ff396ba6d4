"""What each of several ways to the other side would change, feature by feature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explainers import wording
from explainers.results import Counterfactual, FeatureChange
from explainers.schema import Feature, Schema


@dataclass(frozen=True)
class Step:
    """One change of one way.

    Attributes
    ----------
    change : FeatureChange
    share : float, optional
        The way from the old number to the new one as a share of the feature's range; absent
        for a category, and where either is missing.
    """

    change: FeatureChange
    share: float | None


@dataclass(frozen=True)
class ChangedFeature:
    """A feature that some way changes.

    Attributes
    ----------
    feature : Feature
    own : str
        The case's own value, as printed.
    steps : tuple
        One a way: its change, or nothing where it keeps the own value.
    """

    feature: Feature
    own: str
    steps: tuple[Step | None, ...]

    @property
    def n_ways(self) -> int:
        """How many of the ways change it."""
        return sum(step is not None for step in self.steps)

    @property
    def furthest(self) -> float:
        """The largest share; 0 where there is none."""
        return max((abs(step.share) for step in self.steps if step and step.share is not None), default=0.0)


@dataclass(frozen=True, eq=False)
class Ways:
    """Counterfactuals of one case, side by side.

    Attributes
    ----------
    titles : tuple of str
        What each is called.
    found : tuple of Counterfactual
    features : tuple of ChangedFeature
        In the order of the schema.
    """

    titles: tuple[str, ...]
    found: tuple[Counterfactual, ...]
    features: tuple[ChangedFeature, ...]

    @property
    def scores(self) -> tuple[str, ...]:
        """The case's score and each way's, as printed."""
        first = self.found[0]
        return wording.scores([first.factual_score, *(found.score for found in self.found)], first.target)

    def to_frame(self) -> pd.DataFrame:
        """One row a changed feature, one column a way, with the new value where it changes; the scores last."""
        own, *reached = self.scores
        return pd.DataFrame(
            {
                "feature": [*(row.feature.title for row in self.features), "score"],
                "this case": [*(row.own for row in self.features), own],
                **{
                    title: [
                        *("" if (s := row.steps[at]) is None else s.change.new_text for row in self.features),
                        score,
                    ]
                    for at, (title, score) in enumerate(zip(self.titles, reached, strict=True))
                },
            }
        )


def ways_of(schema: Schema, ranges: NDArray[np.float64], named: Sequence[tuple[str, Counterfactual]]) -> Ways:
    """Put counterfactuals of one case side by side.

    Parameters
    ----------
    schema : Schema
    ranges : array of shape (n_features,)
    named : sequence of (str, Counterfactual)
        At least one; what each is called, no two alike, and what it is.
    """
    titles, found = tuple(title for title, _ in named), tuple(one for _, one in named)
    changes = [{change.feature: change for change in one.changes} for one in found]
    case = found[0].factual
    features = tuple(
        ChangedFeature(
            feature,
            wording.value(feature, float(case[at])),
            tuple(
                _step(feature, of.get(feature.name), (float(one.row[at]) - float(case[at])) / float(ranges[at]))
                for of, one in zip(changes, found, strict=True)
            ),
        )
        for at, feature in enumerate(schema.features)
        if any(feature.name in of for of in changes)
    )
    return Ways(titles, found, features)


def _step(feature: Feature, change: FeatureChange | None, share: float) -> Step | None:
    return None if change is None else Step(change, share if feature.is_number and np.isfinite(share) else None)
