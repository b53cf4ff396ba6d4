"""The autoencoder: its gradients against differences, and that it learns."""

from __future__ import annotations

import numpy as np
import pytest

from explainers.autoencoder import fit_deep_autoencoder, layers_for
from explainers.run import Run, Stopped


@pytest.fixture(scope="module")
def points() -> np.ndarray:
    random = np.random.default_rng(0)
    return random.normal(size=(200, 2)) @ random.normal(size=(2, 6)) + 0.05 * random.normal(size=(200, 6))


def differences(function: object, point: np.ndarray) -> np.ndarray:
    steps = 1e-6 * np.eye(len(point))
    return (function(point + steps) - function(point - steps)) / 2e-6  # type: ignore[operator]


def test_it_learns_a_plane(points: np.ndarray) -> None:
    network = fit_deep_autoencoder(points, 0, layers=(10, 5, 2), epochs=300)
    assert network.errors(points).mean() < 0.2 * ((points - points.mean(axis=0)) ** 2).sum(axis=1).mean()
    assert network.encoded(points).shape == (200, 2)


def test_what_is_decoded_from_codes_is_what_comes_back(points: np.ndarray) -> None:
    network = fit_deep_autoencoder(points, 0, layers=(8, 4, 2), epochs=5)
    np.testing.assert_array_equal(network.decoded(network.encoded(points)), network.rebuilt(points))


def test_gradients_are_those_of_the_errors(points: np.ndarray) -> None:
    network = fit_deep_autoencoder(points, 0, layers=(8, 4, 2), epochs=5)
    expected = np.array([differences(network.errors, point) for point in points[:5]])
    np.testing.assert_allclose(network.error_gradients(points[:5]), expected, rtol=1e-4, atol=1e-5)


def test_gradients_are_those_of_the_codes(points: np.ndarray) -> None:
    network, goal = fit_deep_autoencoder(points, 0, layers=(8, 4, 2), epochs=5), np.array([0.3, -0.2])
    expected = np.array(
        [differences(lambda p: ((network.encoded(p) - goal) ** 2).sum(axis=1), point) for point in points[:5]]
    )
    np.testing.assert_allclose(network.code_gradients(points[:5], goal), expected, rtol=1e-4, atol=1e-5)


def test_layers_are_the_paper_s_and_wider_only_for_more_dimensions_than_it_has() -> None:
    assert layers_for(30) == layers_for(6) == (20, 10, 6)
    assert layers_for(60) == (40, 20, 12)
    assert [weights.shape[1] for weights, _ in fit_deep_autoencoder(np.eye(45), 0, epochs=1).layers] == [
        30, 15, 9, 15, 30, 45,
    ]  # fmt: skip


def test_the_same_seed_gives_the_same_network(points: np.ndarray) -> None:
    one, two, other = (fit_deep_autoencoder(points, seed, layers=(4, 2), epochs=3) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one.rebuilt(points), two.rebuilt(points))
    assert not np.array_equal(one.rebuilt(points), other.rebuilt(points))


def test_it_ends_with_the_run(points: np.ndarray) -> None:
    with pytest.raises(Stopped):
        fit_deep_autoencoder(points, 0, Run(cancelled=lambda: True))
