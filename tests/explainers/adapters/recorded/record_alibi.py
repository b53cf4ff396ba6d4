"""Records what alibi's explainers return.

pip install "alibi[tensorflow]" click
python -m tests.explainers.adapters.recorded.record_alibi
"""

from __future__ import annotations

from multiprocessing import get_context
from typing import Any

import numpy as np
import tensorflow as tf
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from tensorflow import keras

from tests.explainers.adapters.recorded.recording import COLUMNS, JOBS, keep, people

CASE = slice(0, 1)


def _predict(rows: np.ndarray, classes: np.ndarray) -> Any:
    return LogisticRegression(max_iter=5000).fit(rows, classes).predict_proba


def _of_graphs() -> dict[str, Any]:
    """Explainers that are written for TensorFlow's first version."""
    tf.compat.v1.disable_v2_behavior()
    from alibi.explainers import CEM, Counterfactual, CounterfactualProto

    rows, classes = people()
    rows = rows.astype(np.float32)
    numbers, spelt = rows[:, :2], np.hstack([rows[:, :2], np.eye(len(JOBS), dtype=np.float32)[rows[:, 2].astype(int)]])
    predict, predict_spelt = _predict(numbers, classes), _predict(spelt, classes)

    def extent(of: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return of.min(axis=0)[np.newaxis], of.max(axis=0)[np.newaxis]

    def wachter(**more: Any) -> Any:
        settings = {"target_class": "other", "target_proba": 0.6, "tol": 0.1, "max_lam_steps": 2} | more
        return Counterfactual(predict, shape=(1, 2), feature_range=extent(numbers), **settings).explain(numbers[CASE])

    def by_prototypes(of: np.ndarray, asked: Any, **more: Any) -> Any:
        settings = {"use_kdtree": True, "theta": 10.0, "c_init": 1.0, "c_steps": 2, "max_iterations": 100} | more
        columns = rows if "cat_vars" in more else numbers
        explainer = CounterfactualProto(asked, (1, of.shape[1]), feature_range=extent(columns), **settings)
        return explainer.fit(of, **({"d_type": "abdm"} if "cat_vars" in more else {})).explain(of[CASE])

    def contrastive(**more: Any) -> Any:
        settings = {"kappa": 0.1, "c_init": 10.0, "c_steps": 2, "max_iterations": 100} | more
        explainer = CEM(predict, "PN", (1, 2), feature_range=extent(numbers), **settings)
        return explainer.fit(numbers, no_info_type="median").explain(numbers[CASE])

    found = {
        "Counterfactual": wachter(max_iter=60, early_stop=3),
        "Counterfactual, none": wachter(target_proba=0.9999, tol=1e-6, max_iter=3),
        "CounterfactualProto": by_prototypes(numbers, predict, theta=1.0, c_init=10.0, c_steps=3, max_iterations=300),
        "CounterfactualProto, none": by_prototypes(numbers, predict, theta=0.0, c_init=1e-6, max_iterations=2),
        "CounterfactualProto, categories spelt out": by_prototypes(spelt, predict_spelt, cat_vars={2: 3}, ohe=True),
        "CEM": contrastive(),
        "CEM, none": contrastive(c_init=1e-6, c_steps=1, max_iterations=1),
    }
    return {name: explanation.data for name, explanation in found.items()}


def _of_reinforcement() -> dict[str, Any]:
    """The explainer that learns how to change a row, and is written for TensorFlow's second version."""
    from alibi.explainers import CounterfactualRLTabular
    from alibi.explainers.backends.cfrl_tabular import get_he_preprocessor
    from alibi.models.tensorflow.autoencoder import HeAE

    keras.utils.set_random_seed(0)
    rows, classes = people()
    high = (classes == 2).astype(int)
    encoder = ColumnTransformer([("job", OneHotEncoder(), [2])], remainder="passthrough")
    predict = make_pipeline(encoder, LogisticRegression(max_iter=5000)).fit(rows, high).predict_proba
    names, categories = list(COLUMNS), {2: list(JOBS)}
    prepare, back = get_he_preprocessor(
        X=rows, feature_names=names, category_map=categories, feature_types={"age": int}
    )

    class Apart(keras.Model):
        """Numbers and the category as two outputs, as alibi wants them."""

        def __init__(self) -> None:
            super().__init__()
            self.hidden = keras.layers.Dense(16, activation="relu")
            self.parts = [keras.layers.Dense(2), keras.layers.Dense(len(JOBS))]

        def call(self, inputs: Any) -> list[Any]:
            hidden = self.hidden(inputs)
            return [part(hidden) for part in self.parts]

    together = keras.Sequential([keras.layers.Dense(16, activation="relu"), keras.layers.Dense(4, activation="tanh")])
    network = HeAE(encoder=together, decoder=Apart())
    prepared = prepare(rows).astype(np.float32)
    network(prepared)
    network.compile("adam", ["mse", keras.losses.SparseCategoricalCrossentropy(from_logits=True)])
    network.fit(prepared, [prepared[:, :2], rows[:, 2]], epochs=60, verbose=0)
    explainer = CounterfactualRLTabular(
        predictor=predict, encoder=network.encoder, decoder=network.decoder, latent_dim=4, encoder_preprocessor=prepare,
        decoder_inv_preprocessor=back, coeff_sparsity=0.5, coeff_consistency=0.5, category_map=categories,
        feature_names=names, train_steps=400, batch_size=32,
    )  # fmt: skip
    explainer.fit(rows)
    other = 1 - predict(rows[CASE]).argmax(axis=1)
    found = {
        "CounterfactualRLTabular": explainer.explain(rows[CASE], other, C=[]),
        "CounterfactualRLTabular, three cases": explainer.explain(rows[:3], other, C=[]),
        "CounterfactualRLTabular, diverse": explainer.explain(
            rows[CASE], other, C=[], diversity=True, num_samples=3, batch_size=10, patience=5
        ),
    }
    return {name: explanation.data for name, explanation in found.items()}


def record() -> None:
    apart = get_context("spawn")
    results: dict[str, Any] = {}
    for explain in (_of_graphs, _of_reinforcement):
        with apart.Pool(1) as process:
            results |= process.apply(explain)
    keep("alibi", results)


if __name__ == "__main__":
    record()
