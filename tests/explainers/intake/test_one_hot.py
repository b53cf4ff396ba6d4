"""Categories spread over columns of 0 and 1 are found, told and taken back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from explainers.counterfactuals.nice import Nice
from explainers.intake.one_hot import one_hot_groups
from explainers.intake.posing import Posed, pose
from explainers.intake.roles import Plan
from explainers.intake.schema_edits import FeatureEdit, SchemaEdits, read_for_model
from explainers.intake.schema_file import read_schema, write_schema
from explainers.intake.table import Table

JOBS = ["clerk", "manager", "never-worked", "-5"]
COLUMNS = tuple(f"job_{job}" for job in JOBS)


def spread(dtype: Any = "int64", n_rows: int = 60, begin: str = "job_") -> pd.DataFrame:
    random = np.random.default_rng(5)
    codes = np.r_[0:4, random.integers(0, 4, n_rows - 4)]
    return pd.DataFrame({f"{begin}{job}": codes == place for place, job in enumerate(JOBS)}).astype(dtype)


@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "float32", "float64", "boolean", "Int64"])
@pytest.mark.parametrize("begin", ["job_", "job__", "job.", "job=", "job: ", "the_last_job_"])
def test_a_spread_category_is_one_feature_of_any_dtype(dtype: str, begin: str) -> None:
    frame = spread(dtype, begin=begin).assign(age=np.arange(60) % 50)
    name = "the_last_job" if begin.startswith("the") else "job"
    assert one_hot_groups(frame) == {name: tuple(frame.columns[:4])}
    schema = read_for_model(frame, SchemaEdits())
    assert schema.names == (name, "age")
    assert set(schema[name].labels) == set(JOBS)
    pd.testing.assert_frame_equal(schema.decode(schema.encode(frame)), frame)


def test_columns_of_two_groups_stand_in_any_order() -> None:
    frame = spread().join(spread(begin="job_before_").iloc[::-1].reset_index(drop=True))
    mixed = frame[list(np.random.default_rng(0).permutation(frame.columns))]
    found = one_hot_groups(mixed)
    assert {name: set(columns) for name, columns in found.items()} == {
        "job": set(COLUMNS), "job_before": {f"job_before_{job}" for job in JOBS},
    }  # fmt: skip


def two(row: int = 3) -> pd.DataFrame:
    """Of one row nothing, of another two things are true."""
    frame = spread()
    frame.loc[row, list(COLUMNS)] = [1, 1, 0, 0]
    return frame


@pytest.mark.parametrize(
    "frame",
    [
        two(),
        spread().drop(columns="job_clerk"),
        spread("float64").mask(pd.DataFrame(np.eye(60, 4, dtype=bool), columns=COLUMNS)),
        spread() * 2,
        spread().astype("str"),
        spread(begin="job"),
        spread(n_rows=9),
        spread().assign(job="x"),
        pd.DataFrame({"job_a": [1] * 30, "job_b": [0] * 30}),
    ],
    ids=["two 1s", "no 1", "missing", "0 and 2", "text", "no separator", "few rows", "name taken", "constant"],
)
def test_what_only_looks_like_it_stays_as_it_is(frame: pd.DataFrame) -> None:
    assert one_hot_groups(frame) == {}


def posed(edits: SchemaEdits) -> Posed:
    frame = spread().assign(age=np.arange(60) % 50)
    frame["paid"] = np.where(frame["age"] + 20 * frame["job_clerk"] > 30, "yes", "no")
    return pose(Table(frame, (), "CSV"), Plan(edits=edits))


def test_it_is_told_and_can_be_taken_back() -> None:
    together, apart = posed(SchemaEdits()), posed(SchemaEdits().with_group("job", ()))
    (told,) = [note for note in together.notes if "one feature, 'job'" in note]
    assert "exactly one is 1 in every row" in told and "take them apart under Groups" in told
    assert together.schema is not None and together.schema.names == ("job", "age")
    assert apart.schema is not None and apart.schema.names == (*COLUMNS, "age")
    assert not [note for note in apart.notes if "one feature" in note]


def test_a_column_left_out_or_said_to_be_elsewhere_leaves_none_to_find() -> None:
    without = posed(SchemaEdits().with_use("job_clerk", False))
    elsewhere = posed(SchemaEdits().with_group("office", COLUMNS[:2]))
    assert without.schema is not None and without.schema.names == (*COLUMNS[1:], "age")
    assert elsewhere.schema is not None and elsewhere.schema.names == ("office", *COLUMNS[2:], "age")


def test_no_counterfactual_has_two_jobs() -> None:
    problem = posed(SchemaEdits()).problem
    assert problem is not None
    for case in map(problem.case, problem.ids[:20]):
        for found in Nice().explain(problem, case).found:
            assert (problem.schema.decode(found.row[None, :])[list(COLUMNS)].sum(axis=1) == 1).all()


def test_a_saved_file_says_what_was_found_and_what_was_taken_apart() -> None:
    frame = spread()
    called = SchemaEdits().with_feature("job", FeatureEdit(title="Occupation"))
    for edits in (called, SchemaEdits().with_group("job", ())):
        schema = read_for_model(frame, edits)
        read = read_schema("x.json", write_schema(schema, edits))
        assert dict(read.groups)["job"] == dict(edits.groups).get("job", COLUMNS)
        assert read_for_model(frame, read).features == schema.features
