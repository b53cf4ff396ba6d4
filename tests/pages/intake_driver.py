"""What a person does on Data & model: brings files, edits cells."""

from __future__ import annotations

import io
import json
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from page_driver import Screen

CSV, SKOPS = "text/csv", "application/octet-stream"
TABLE_NAME, MODEL_NAME = "loans 2024.csv", "loans.skops"


class IntakeScreen(Screen):
    """A session on Data & model."""

    def bring(self, table: tuple[str, bytes] | None = None, model: tuple[str, bytes] | None = None) -> IntakeScreen:
        """Choose files and use them."""
        data = self.view.data
        if table:
            self.app.file_uploader(key=f"table file {data}").upload(*table, CSV)
        if model:
            self.app.file_uploader(key=f"model file {data}").upload(*model, SKOPS)
        self.app.button(key=f"use files {data}").click()
        self.settle()
        return self

    def edit(self, row: int, **cells: Any) -> IntakeScreen:
        """Type into the table of columns, as the browser would tell."""
        return self._tell("schema ", {row: cells})

    def edit_categories(self, row: int, **cells: Any) -> IntakeScreen:
        """Type into the table of categories."""
        return self._tell("categories ", {row: cells})

    def _tell(self, begin: str, edited: dict[int, dict[str, Any]]) -> IntakeScreen:
        """The harness knows no edits, so they are added to what the other widgets do."""
        node = next(node for node in self.app.dataframe if node.proto.id and begin in node.proto.id)
        states = self.app._tree.get_widget_states()
        told = {"edited_rows": {str(row): cells for row, cells in edited.items()}, "added_rows": [], "deleted_rows": []}
        states.widgets.add(id=node.proto.id, string_value=json.dumps(told))
        self.app._run(states)
        assert not self.app.exception, self.app.exception[0].message
        if "stop" in self.buttons:
            self.settle()
        return self

    @property
    def columns(self) -> pd.DataFrame:
        """The table of columns."""
        frame: pd.DataFrame = self.app.dataframe[0].value
        return frame.set_index("column")


@cache
def loans() -> pd.DataFrame:
    """A table with numbers, categories, an id, dates and gaps."""
    random = np.random.default_rng(3)
    n = 150
    age, income = random.integers(18, 80, n), random.normal(3000, 800, n).round(2)
    housing = random.choice(["rent", "own", "free & <b>easy</b>"], n)
    good = income + 15 * age + 400 * (housing == "own") > 3900
    frame = pd.DataFrame({"loan": [f"L{place:03d}" for place in range(n)], "age": age, "income": income})
    frame["housing"] = housing
    frame["visits"] = random.integers(0, 5, n)
    frame.loc[::10, "visits"] = -9
    frame["paid"] = np.where(good, "yes", "no")
    return frame


@cache
def table_file() -> tuple[str, bytes]:
    return TABLE_NAME, loans().to_csv(index=False).encode()


@cache
def model_file() -> tuple[str, bytes]:
    import skops.io
    from sklearn.compose import make_column_transformer
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    inputs = loans().drop(columns=["loan", "paid"])
    encoder = make_column_transformer((OneHotEncoder(), ["housing"]), remainder="passthrough")
    model = make_pipeline(encoder, RandomForestClassifier(20, random_state=0)).fit(inputs, loans()["paid"])
    return MODEL_NAME, skops.io.dumps(model)


@cache
def pickled_model() -> tuple[str, bytes]:
    import joblib
    from sklearn.linear_model import LogisticRegression

    buffer = io.BytesIO()
    joblib.dump(LogisticRegression().fit([[0.0], [1.0]], [0, 1]), buffer)
    return "model.pkl", buffer.getvalue()
