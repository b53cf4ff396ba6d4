"""The descent against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from explainers.descent import Smooth, descend, proximal_step


def quadratic(begin: np.ndarray, goal: np.ndarray, theta: float, is_exact: bool) -> Smooth:
    """The squared move plus theta times the squared distance to a goal."""

    def values(points: np.ndarray) -> np.ndarray:
        return ((points - begin) ** 2).sum(axis=1) + theta * ((points - goal) ** 2).sum(axis=1)

    def value_and_slope(point: np.ndarray) -> tuple[float, np.ndarray]:
        return float(values(point[None])[0]), 2 * (point - begin) + 2 * theta * (point - goal)

    return Smooth(values, value_and_slope, 2 * (1 + theta), is_exact)


def soft(values: np.ndarray, bound: float) -> np.ndarray:
    return np.sign(values) * np.maximum(np.abs(values) - bound, 0)


@pytest.mark.parametrize("theta", [0.5, 10.0, 1000.0])
@pytest.mark.parametrize("is_exact", [True, False])
def test_the_loss_of_the_prototype_alone_has_a_closed_form(theta: float, is_exact: bool) -> None:
    random = np.random.default_rng(0)
    begin, goal, beta = random.normal(size=6), random.normal(size=6), 0.4
    reached: list[np.ndarray] = []
    low, high = np.full(6, -9.0), np.full(6, 9.0)
    steps = descend(
        quadratic(begin, goal, theta, is_exact), begin, low, high, beta, 200, lambda p: reached.append(p[0])
    )
    expected = begin + soft(theta * (goal - begin), beta / 2) / (1 + theta)
    np.testing.assert_allclose(reached[-1], expected, atol=1e-3)
    if is_exact:
        np.testing.assert_allclose(reached[0], expected, atol=1e-9)
        assert steps <= 3


def test_it_stays_in_the_box() -> None:
    begin, goal = np.zeros(2), np.array([5.0, -5.0])
    reached: list[np.ndarray] = []
    descend(
        quadratic(begin, goal, 100.0, False), begin, np.array([-1.0, 0.0]), np.ones(2), 0.1, 50,
        lambda p: reached.append(p[0]),
    )  # fmt: skip
    np.testing.assert_allclose(reached[-1], [1.0, 0.0])


def test_a_step_shrinks_by_its_size_times_the_weight() -> None:
    stepped = proximal_step(np.zeros(2), np.zeros(2), np.array([-1.0, 0.05]), np.array([1.0, 0.5]), 0.1)
    np.testing.assert_allclose(stepped, [[0.9, 0.0], [0.45, 0.0]])
