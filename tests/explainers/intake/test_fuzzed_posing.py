"""Whatever a small table holds, it is posed or refused in one sentence; what is posed keeps its scores."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from explainers.intake.posing import pose
from explainers.intake.refusal import Refused
from explainers.intake.roles import Plan, Way
from explainers.intake.schema_edits import FeatureEdit, SchemaEdits
from explainers.intake.table import Table
from explainers.intake.tables import read_table
from explainers.schema import Direction, Kind

CELLS = (
    st.integers(-3, 3),
    st.floats(-5, 5, width=32),
    st.sampled_from(["a", "b", "<b>c</b>"]),
    st.booleans(),
    st.dates(min_value=pd.Timestamp("2020-01-01").date(), max_value=pd.Timestamp("2020-02-01").date()),
    st.text(st.characters(exclude_categories=["C"]), max_size=3),
    st.sampled_from([0, 1]),
    st.just(7),
    st.none(),
)
NAMES = st.sampled_from(["x", "target", "id", "größe", "<i>&\"'", "when", "y "])
ROWS = 24


@st.composite
def tables(draw: st.DrawFn) -> Table:
    names = draw(st.lists(NAMES, min_size=3, max_size=6, unique=True))
    columns = {}
    for name in names:
        cell = draw(st.sampled_from(CELLS))
        gaps = draw(st.booleans())
        columns[name] = draw(st.lists(cell | st.none() if gaps else cell, min_size=ROWS, max_size=ROWS))
    return read_table("t.csv", pd.DataFrame(columns).to_csv(index=False).encode())


EDITS = st.builds(
    lambda name, edit, use: SchemaEdits().with_feature(name, edit).with_use(name, use),
    NAMES,
    st.builds(
        FeatureEdit,
        kind=st.none() | st.sampled_from(Kind),
        ordered=st.none() | st.booleans(),
        direction=st.none() | st.sampled_from(Direction),
        missing=st.sampled_from([(), ("7",), ("a",), ("0",)]),
        locked=st.none() | st.booleans(),
    ),
    st.booleans(),
)


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(data=st.data(), edits=st.just(SchemaEdits()) | EDITS, way=st.sampled_from([Way.TRAIN, Way.OBSERVED]))
def test_any_small_table(data: st.DataObject, edits: SchemaEdits, way: Way) -> None:
    try:
        table = data.draw(tables())
    except Refused:
        return
    posed = pose(table, Plan(way, trainer=None, edits=edits))
    if posed.problem is None:
        assert way is Way.OBSERVED or len(posed.problems) == 1
        assert all(problem.endswith(".") and "\n" not in problem for problem in posed.problems)
        return
    problem = posed.problem
    assert np.isfinite(problem.outputs).all()
    assert posed.table is not None and posed.trained is not None
    estimator = posed.trained.estimator
    ask = estimator.predict_proba if problem.model.classes else lambda rows: estimator.predict(rows)[:, None]
    assert np.allclose(problem.outputs, ask(posed.table[list(problem.model.columns)]))
