"""Records what NICE of NICEx returns.

pip install NICEx scikit-learn
python -m tests.explainers.adapters.recorded.record_nice
"""

from __future__ import annotations

from typing import Any

import numpy as np
from nice import NICE
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from tests.explainers.adapters.recorded.recording import JOBS, keep, people

JOB = [2]


def _forest(rows: np.ndarray, classes: np.ndarray) -> Any:
    encoder = ColumnTransformer([("job", OneHotEncoder(), JOB)], remainder="passthrough")
    return make_pipeline(encoder, RandomForestClassifier(20, random_state=0)).fit(rows, classes)


def record() -> None:
    rows, classes = people()
    named = rows.astype(object)
    named[:, 2] = np.array(JOBS)[rows[:, 2].astype(int)]
    high = (classes == 2).astype(int)
    forest, of_two, of_names = _forest(rows, classes), _forest(rows, high), _forest(named, classes)
    several = NICE(forest.predict_proba, rows.copy(), JOB, y_train=classes)
    nearest = NICE(forest.predict_proba, rows.copy(), JOB, y_train=classes, optimization="none")
    two = NICE(of_two.predict_proba, rows.copy(), JOB, y_train=high, optimization="proximity")
    words = NICE(of_names.predict_proba, named.copy(), JOB, y_train=classes)
    keep(
        "NICEx",
        {
            "several classes": several.explain(rows[:1].copy()),
            "a class asked for": several.explain(rows[:1].copy(), target_class=[2]),
            "two classes": two.explain(rows[:1].copy()),
            "the nearest neighbour": nearest.explain(rows[:1].copy()),
            "categories as words": words.explain(named[:1].copy()),
        },
    )


if __name__ == "__main__":
    record()
