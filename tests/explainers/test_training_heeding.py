"""Training ends when its run does, at any step of any trainer, and is the same training otherwise."""

from __future__ import annotations

import sys
import time

import numpy as np
import pandas as pd
import pytest

from explainers.run import Run, Stopped
from explainers.schema import Schema
from explainers.training import TRAINERS, Trainer, heeding, split, train

ROWS = 400
FEWEST_STEPS = {"linear_regression": 3, "linear_regression_of_numbers": 3}
RANDOM = np.random.default_rng(11)
TABLE = pd.DataFrame({"x": RANDOM.normal(size=ROWS), "kind": RANDOM.choice(["a", "b", "c"], ROWS)})
NUMBERS = (TABLE["x"] * 2 + (TABLE["kind"] == "a") + RANDOM.normal(0, 0.3, ROWS)).to_numpy()
SCHEMA = Schema.infer(TABLE)


class Watched:
    """A run that counts how often it is asked, and ends at one of these times."""

    def __init__(self, ends_at: int | None = None) -> None:
        self.asked = 0
        self.run = Run(cancelled=self._is_over)
        self._ends_at = ends_at

    def _is_over(self) -> bool:
        self.asked += 1
        return self.asked == self._ends_at


def fitted(trainer: Trainer, run: Run | None) -> np.ndarray:
    observed = NUMBERS if trainer.kind == "number" else (NUMBERS > 0).astype(np.intp)
    estimator = train(trainer, TABLE, observed, SCHEMA, split(observed), run=run).estimator
    predict = estimator.predict if trainer.kind == "number" else estimator.predict_proba
    return np.asarray(predict(TABLE))


@pytest.mark.parametrize("trainer", TRAINERS.values(), ids=TRAINERS)
def test_a_trainer_ends_half_way_and_is_the_same_when_left_alone(
    trainer: Trainer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heeding, "LOOK_EVERY", 0.0)
    whole = Watched()
    np.testing.assert_array_equal(fitted(trainer, whole.run), fitted(trainer, None))
    assert whole.asked >= FEWEST_STEPS.get(trainer.name, 100)
    half = Watched(ends_at=whole.asked // 2)
    with pytest.raises(Stopped):
        fitted(trainer, half.run)
    assert half.asked == whole.asked // 2
    assert sys.getprofile() is None


def test_a_run_out_of_time_ends_training_too() -> None:
    with pytest.raises(Stopped):
        fitted(TRAINERS["forest"], Run(deadline=time.monotonic()))


def test_who_watches_the_thread_goes_on_watching() -> None:
    def watch(*told: object) -> None:
        return None

    sys.setprofile(watch)
    try:
        fitted(TRAINERS["linear_regression"], Run())
        assert sys.getprofile() is watch
    finally:
        sys.setprofile(None)
