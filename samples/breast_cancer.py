"""Breast cancer: is a tumour malignant or benign?"""

from __future__ import annotations

from typing import Any

import numpy as np

from explainers.problem import Problem
from explainers.schema import Schema
from explainers.training import forest
from samples.sample import DataCard, Sample, trained_problem

TARGET = "target"
CLASSES = ("malignant", "benign")
TRAINER = forest()

MEASURES = {
    "radius": "mean distance from the centre to points on the outline",
    "texture": "standard deviation of the grey values",
    "perimeter": "length of the outline",
    "area": "area inside the outline",
    "smoothness": "local variation of the radius",
    "compactness": "perimeter² / area − 1",
    "concavity": "how deep the hollows of the outline are",
    "concave points": "how many hollows the outline has",
    "symmetry": "symmetry of the outline",
    "fractal dimension": "coastline approximation of the outline − 1",
}
STATISTICS = {
    "mean {}": "Mean over the cell nuclei of the image",
    "{} error": "Standard error over the cell nuclei of the image",
    "worst {}": "Mean of the three largest values in the image",
}


def _features() -> dict[str, dict[str, Any]]:
    """The source names no unit of any column, so none has one."""
    return {
        pattern.format(measure): {"description": f"{statistic}: {meaning}."}
        for pattern, statistic in STATISTICS.items()
        for measure, meaning in MEASURES.items()
    }


FEATURES = _features()

CARD = DataCard(
    title="Breast cancer",
    summary="569 tumours of the breast, 212 of them malignant, measured on images of cells from a fine needle.",
    origin="William H. Wolberg, W. Nick Street and Olvi L. Mangasarian, University of Wisconsin: Breast Cancer"
    " Wisconsin (Diagnostic), UCI Machine Learning Repository, 1995; the copy that comes with scikit-learn.",
    licence="Creative Commons Attribution 4.0 International (CC BY 4.0)",
    citation="Street, W. N., Wolberg, W. H., Mangasarian, O. L. (1993). Nuclear feature extraction for breast"
    " tumor diagnosis. IS&T/SPIE International Symposium on Electronic Imaging, volume 1905, pages 861-870.",
    rows=569,
    columns=tuple((column, about["description"]) for column, about in FEATURES.items()),
    target=TARGET,
    target_description="What the tumour turned out to be: 0 is malignant, 1 is benign.",
    caveats=(
        "Many columns say nearly the same (radius, perimeter, area), so a change of one alone may be no cell.",
        "Nobody can change these values: a counterfactual here shows what the model looks at, not what to do.",
    ),
)


def load() -> Problem:
    """Read the table, train the forest and pose the problem."""
    from sklearn.datasets import load_breast_cancer

    data = load_breast_cancer(as_frame=True)
    labels = np.asarray(data[TARGET], dtype=np.intp)
    schema = Schema.infer(data["data"]).described(FEATURES)
    return trained_problem(data["data"], labels, schema, TRAINER, classes=CLASSES)


BREAST_CANCER = Sample("breast_cancer", "Breast cancer", TRAINER.title, load, CARD)
