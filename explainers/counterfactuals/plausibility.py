"""How much a row looks like the data: the reconstruction error of a small autoencoder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explainers.schema import Rows, Schema

MOST_ITERATIONS = 300


@dataclass(frozen=True, eq=False)
class Autoencoder:
    """Fitted on the training rows; `errors` is the mean squared error of each row.

    Numbers are standardised with missing as the mean; categories, missing among them,
    are one 0/1 column each.
    """

    encoder: Any
    network: Any

    def errors(self, rows: Rows) -> NDArray[np.float64]:
        """Reconstruction errors, shape (n_rows,)."""
        encoded = self.encoder.transform(rows)
        rebuilt = self.network.predict(encoded).reshape(encoded.shape)
        return np.asarray(((encoded - rebuilt) ** 2).mean(axis=1))


def fit_autoencoder(schema: Schema, rows: Rows, seed: int) -> Autoencoder:
    """Fit an autoencoder with one hidden layer of a third of the inputs.

    Parameters
    ----------
    schema : Schema
    rows : array of shape (n_rows, n_features)
    seed : int
    """
    from sklearn.compose import make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.neural_network import MLPRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    numbers = np.flatnonzero(schema.is_number)
    categories = np.flatnonzero(~schema.is_number)
    levels = [np.array([*range(len(schema.features[i].categories)), np.nan]) for i in categories]
    encoder = make_column_transformer(
        (make_pipeline(SimpleImputer(keep_empty_features=True), StandardScaler()), numbers),
        (OneHotEncoder(categories=levels, sparse_output=False), categories),
        sparse_threshold=0.0,
    )
    encoded = encoder.fit_transform(rows)
    network = MLPRegressor(
        hidden_layer_sizes=(max(2, encoded.shape[1] // 3),), max_iter=MOST_ITERATIONS, tol=1e-3, random_state=seed
    )
    return Autoencoder(encoder, network.fit(encoded, encoded))
