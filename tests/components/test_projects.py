"""Projects come back from the store as they were put there, and are nobody's who has no token."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import samples
from components import projects
from components.projects import Project
from components.store_errors import Gone
from explainers.intake.roles import Plan, Way
from explainers.intake.schema_edits import FeatureEdit, SchemaEdits
from samples import as_tables

TEXT = st.text(max_size=6)
PLANS = st.builds(
    Plan,
    way=st.sampled_from(Way),
    target=st.none() | TEXT,
    id=st.none() | TEXT,
    trainer=st.none() | TEXT,
    seed=st.integers(0, 2**31),
    classes=st.lists(TEXT, max_size=3).map(tuple),
    quantity=TEXT,
    unit=TEXT,
    edits=st.builds(
        lambda name, title, code: SchemaEdits().with_feature(name, FeatureEdit(title=title, missing=(code,))),
        TEXT, TEXT, TEXT,
    ),
)  # fmt: skip


@pytest.fixture(autouse=True)
def store_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("FLIPSIDE_STORE", str(tmp_path))
    yield tmp_path
    projects.store().close()


@given(plan=PLANS, table_name=TEXT, sheet=TEXT, model_name=TEXT)
def test_a_project_is_plain_data_and_back(plan: Plan, table_name: str, sheet: str, model_name: str) -> None:
    project = Project(table_name, "", "t", sheet, "m", model_name, plan)
    assert projects.of_plain(projects.to_plain(project)) == project


def test_each_edit_is_another_project() -> None:
    project = projects.of("german_credit")
    one, other = projects.keep(project), projects.keep(project.planned(seed=1))
    assert one != other
    assert projects.of(one) == project
    assert projects.of(other).plan.seed == 1


@pytest.mark.parametrize("name", list(samples.SAMPLES))
def test_samples_are_projects_that_need_no_store(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLIPSIDE_STORE", str(tmp_path / "no" / "such"))
    project = projects.of(name)
    assert (project.sample, project.plan) == (name, as_tables.plan(name))
    assert not projects.is_token(name)
    assert not (tmp_path / "no").exists()


def test_nothing_is_there_without_its_token() -> None:
    token = projects.keep(projects.of("penguins"))
    assert projects.is_token(token)
    for other in (token[:-1] + ("A" if token[-1] != "A" else "B"), "B" * 22):
        with pytest.raises(Gone):
            projects.of(other)


def test_a_table_s_own_token_is_no_project() -> None:
    token = projects.keep_file(projects.TABLE, "t.csv", b"a,b")
    assert projects.file_of(projects.TABLE, token) == b"a,b"
    with pytest.raises(Gone):
        projects.of(token)
    with pytest.raises(Gone):
        projects.file_of(projects.MODEL, token)


def test_a_project_ends_with_its_files() -> None:
    table = projects.keep_file(projects.TABLE, "t.csv", b"a,b")
    token = projects.keep(Project("t.csv", table=table))
    projects.store().delete(table)
    with pytest.raises(Gone):
        projects.of(token)


def test_another_version_is_gone() -> None:
    with pytest.raises(Gone):
        projects.of_plain({**projects.to_plain(projects.of("penguins")), "version": 0})


def test_titles_tell_samples_from_what_was_made_of_them() -> None:
    project = projects.of("penguins")
    assert project.title == "Palmer penguins*"
    assert replace(project, sample="", table_name="t.csv").title == "t.csv"
