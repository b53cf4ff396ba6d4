"""Getting a table and a model ready is stopped, gone on with, or given up for another way."""

from __future__ import annotations

from threading import Event
from typing import Any

import pytest
from intake_driver import TABLE_NAME, IntakeScreen, loans

from components import arrival
from explainers.intake import posing
from explainers.run import Stopped
from explainers.training import heeding


@pytest.mark.parametrize("gives_up", [False, True])
def test_training_is_stopped_and_gone_on_with_or_given_up(gives_up: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    looks = Event()
    train = posing.train

    def train_once_stopped(trainer: Any, *args: Any, **more: Any) -> Any:
        """Wait until somebody says stop, the first time; what then ends it is the training itself."""
        begun.append(trainer.name)
        while len(begun) == 1 and not more["run"].cancelled():
            looks.wait(0.01)
        try:
            return train(trainer, *args, **more)
        except Stopped:
            begun.append("stopped")
            raise

    monkeypatch.setattr(heeding, "LOOK_EVERY", 0.0)
    monkeypatch.setattr(posing, "train", train_once_stopped)
    screen = IntakeScreen.at("data_and_model")
    assert isinstance(screen, IntakeScreen)
    data = screen.view.data
    screen.app.file_uploader(key=f"table file {data}").upload(TABLE_NAME, loans().to_csv(index=False).encode())
    screen.app.button(key=f"use files {data}").click()
    while not begun:
        screen.app.run()
    screen.click("stop")
    assert begun == ["forest", "stopped"]
    assert screen.strips == [arrival.STOPPED]
    assert "explain first" not in screen.buttons
    if gives_up:
        screen.set("selectbox", "trainer", "logistic_regression")
    else:
        screen.click("go on")
    assert begun == ["forest", "stopped", "logistic_regression" if gives_up else "forest"]
    assert "Right on rows not seen" in screen.text
    assert "explain first" in screen.buttons and "go on" not in screen.buttons
