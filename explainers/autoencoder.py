"""A small autoencoder of points, with what a search by gradients needs of it.

Van Looveren and Klaise, "Interpretable counterfactual explanations guided by prototypes",
2019, Appendix A: three dense layers in and three out, all rectified but the code and the
output, fitted by Adam to the mean squared error. scikit-learn's networks have one
activation for all layers and give no gradient, so these few lines are our own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from explainers.run import Run

Points = NDArray[np.float64]
Layer = tuple[NDArray[np.float64], NDArray[np.float64]]

LAYERS, FEATURES = (20, 10, 6), 30
"""The paper's sizes, and for how many features; with more of these the layers widen alike."""
EPOCHS = 500
BATCH = 128
RATE = 1e-3
DECAY, DECAY_OF_SQUARES, TINY = 0.9, 0.999, 1e-8


@dataclass(frozen=True, eq=False)
class DeepAutoencoder:
    """Weights and biases of each layer, and which layer's output is the code.

    Attributes
    ----------
    layers : tuple of (array of shape (n_in, n_out), array of shape (n_out,))
    n_encoding : int
        So many of the layers make the code.
    """

    layers: tuple[Layer, ...]
    n_encoding: int

    def encoded(self, points: Points) -> Points:
        """The codes of points, shape (n_points, n_code)."""
        return self._forward(points, self.n_encoding)[-1]

    def rebuilt(self, points: Points) -> Points:
        """The points as they come back, of their own shape."""
        return self._forward(points, len(self.layers))[-1]

    def decoded(self, codes: Points) -> Points:
        """The points that codes stand for, shape (n_codes, n_dimensions)."""
        return self._forward(codes, len(self.layers), self.n_encoding)[-1]

    def errors(self, points: Points) -> NDArray[np.float64]:
        """Squared length of what is lost of each point, shape (n_points,)."""
        return np.asarray(((points - self.rebuilt(points)) ** 2).sum(axis=1))

    def error_gradients(self, points: Points) -> Points:
        """Gradients of `errors`, of the points' own shape."""
        outputs = self._forward(points, len(self.layers))
        lost = points - outputs[-1]
        return 2.0 * (lost - self._backward(points, outputs, lost))

    def code_gradients(self, points: Points, goal: Points) -> Points:
        """Gradients of the squared distance between each point's code and a goal, of the points' own shape."""
        outputs = self._forward(points, self.n_encoding)
        return 2.0 * self._backward(points, outputs, outputs[-1] - goal)

    def _forward(self, points: Points, end: int, begin: int = 0) -> list[Points]:
        """The outputs of the layers from one to before another."""
        outputs, flowing = [], points
        for at, (weights, biases) in enumerate(self.layers[begin:end], begin):
            flowing = flowing @ weights + biases
            if self._is_rectified(at):
                flowing = np.maximum(flowing, 0.0)
            outputs.append(flowing)
        return outputs

    def _is_rectified(self, at: int) -> bool:
        return at not in (self.n_encoding - 1, len(self.layers) - 1)

    def _backward(self, points: Points, outputs: Sequence[Points], flowing: Points) -> Points:
        """What a vector at the last output is at the input, by the chain rule."""
        for at in reversed(range(len(outputs))):
            if self._is_rectified(at):
                flowing = flowing * (outputs[at] > 0)
            flowing = flowing @ self.layers[at][0].T
        return flowing


def layers_for(n_dimensions: int) -> tuple[int, ...]:
    """The paper's layers, of as many times the size as there are more dimensions than the paper's."""
    return tuple(max(size, round(size * n_dimensions / FEATURES)) for size in LAYERS)


def fit_deep_autoencoder(
    points: Points,
    seed: int,
    run: Run | None = None,
    *,
    layers: tuple[int, ...] = (),
    epochs: int = EPOCHS,
    batch: int = BATCH,
    rate: float = RATE,
) -> DeepAutoencoder:
    """Fit an autoencoder; the same for the same points and seed.

    Parameters
    ----------
    points : array of shape (n_points, n_dimensions)
        On comparable scales.
    seed : int
    run : Run, optional
        Asked before each epoch.
    layers : tuple of int, optional
        Sizes of the layers in, the last being the code's; out they are the same backwards.
        By default those of `layers_for`.
    epochs, batch : int, optional
        How often all points are gone through, and how many at a time.
    rate : float, optional
        Adam's.

    Raises
    ------
    Stopped
        If the run ended first.
    """
    random, run = np.random.default_rng([seed, len(points)]), run or Run()
    layers = layers or layers_for(points.shape[1])
    sizes = (points.shape[1], *layers, *layers[-2::-1], points.shape[1])
    parameters = [part for n_in, n_out in pairwise(sizes) for part in _begin(random, n_in, n_out)]
    first, second, step = [np.zeros_like(p) for p in parameters], [np.zeros_like(p) for p in parameters], 0
    for _ in range(epochs):
        run.check()
        order = random.permutation(len(points))
        for start in range(0, len(points), batch):
            step += 1
            network = _network(parameters, len(layers))
            for place, slope in enumerate(_slopes(network, points[order[start : start + batch]])):
                first[place] += (1 - DECAY) * (slope - first[place])
                second[place] += (1 - DECAY_OF_SQUARES) * (slope**2 - second[place])
                size = rate * np.sqrt(1 - DECAY_OF_SQUARES**step) / (1 - DECAY**step)
                parameters[place] -= size * first[place] / (np.sqrt(second[place]) + TINY)
    return _network(parameters, len(layers))


def _begin(random: np.random.Generator, n_in: int, n_out: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    bound = np.sqrt(6.0 / (n_in + n_out))
    return random.uniform(-bound, bound, (n_in, n_out)), np.zeros(n_out)


def _network(parameters: Sequence[NDArray[np.float64]], n_encoding: int) -> DeepAutoencoder:
    return DeepAutoencoder(tuple(zip(parameters[::2], parameters[1::2], strict=True)), n_encoding)


def _slopes(network: DeepAutoencoder, points: Points) -> list[NDArray[np.float64]]:
    """Gradients of the mean squared error by each layer's weights and biases, in order."""
    outputs = network._forward(points, len(network.layers))
    flowing = 2.0 * (outputs[-1] - points) / points.size
    slopes: list[NDArray[np.float64]] = []
    for at in reversed(range(len(outputs))):
        if network._is_rectified(at):
            flowing = flowing * (outputs[at] > 0)
        below = outputs[at - 1] if at else points
        slopes += [flowing.sum(axis=0), below.T @ flowing]
        flowing = flowing @ network.layers[at][0].T
    return slopes[::-1]
