"""The script that the button gives is run, and prints the numbers that are on the screen."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from components import catalogue, projects
from components.palette import LIGHT
from components.projects import Project
from components.state.view import EDITS, View
from components.take_away.beside_drawn import beside_charts, shown
from components.take_away.recipes import recipe_of
from explainers import sentences, wording
from explainers.constraints import Rule
from explainers.explanation import Explanation
from explainers.intake.roles import Plan, Way
from explainers.intake.schema_edits import FeatureEdit, SchemaEdits
from explainers.intake.typed import write_value
from samples import as_tables
from tests.components.take_away.shown import computed_beside, explained, found, offered, reducible

ROOT = Path(__file__).parents[3]
TABLE, MODEL = "credits & <b>'2024'.csv", 'a "forest".skops'
HOSTILE = "age <b>&\"' {x}"
SAID = (
    SchemaEdits()
    .with_feature("age_in_years", FeatureEdit(title=HOSTILE, unit="a", locked=True))
    .with_feature("duration_in_month", FeatureEdit(title="=duration", unit="months", allowed_high=36.0))
)


def run(script: str, folder: Path) -> str:
    (folder / "again.py").write_text(script, encoding="utf-8")
    told = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", "OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "again.py"], cwd=folder, env=told, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


def assert_same(said: str, explanation: Explanation) -> None:
    """Every score, importance and combination is printed, to the last bit."""
    assert said.splitlines()[0] == wording.plain(sentences.answer(explanation))
    assert explanation.coalitions is not None and explanation.countershapley is not None
    for result in (explanation.countershapley, explanation.greedy, explanation.coalitions):
        assert result.to_frame().to_csv(index=False) in said


def assert_same_beside(said: str, view: View, explanation: Explanation) -> None:
    """What stands beside is printed as its card has it, with every reason."""
    problem = catalogue.problem_of(view)
    constraints = view.constraints(problem.schema)
    known = computed_beside(problem, explanation, view.beside)
    one = shown(problem, explanation, constraints, view.beside, known)
    (card,) = beside_charts(one, problem.schema, LIGHT, width=700)
    assert card.table.to_csv(index=False) in said
    assert all(wording.plain(reason) in said for reason in one.reasons)


def test_a_sample_s_script_computes_the_same(tmp_path: Path) -> None:
    asked = View(case="", threshold=0.6, options=(("reward", "proximity"),)).with_rule(
        catalogue.sample_problem("german_credit").schema, "credit_amount", Rule(low=1000.0, high=9000.0)
    )
    case, enough = reducible(asked)
    view = asked.changed(case=case).changed(kept=enough).changed(beside="attributions")
    said, explanation = run(offered(view).python(), tmp_path), explained(view)
    assert_same(said, explanation)
    assert_same_beside(said, view, explanation)


def test_an_upload_s_script_reads_the_files_that_were_brought(tmp_path: Path) -> None:
    (tmp_path / TABLE).write_bytes(as_tables.example_table())
    (tmp_path / MODEL).write_bytes(as_tables.example_model())
    project = Project(
        TABLE,
        table=projects.keep_file(projects.TABLE, TABLE, as_tables.example_table()),
        model=projects.keep_file(projects.MODEL, MODEL, as_tables.example_model()),
        model_name=MODEL,
        plan=Plan(Way.FILE, classes=("bad <b>", "good &"), edits=SAID),
    )
    data = projects.keep(project)
    rules = (("housing", Rule(locked=True)), ("purpose", Rule(categories=frozenset({"car (new)", "repairs"}))))
    asked = View(data=data, case="", threshold=0.55, wanted="good &", rules=rules, options=(("reward", "proximity"),))
    case, enough = reducible(asked)
    view = asked.changed(case=case).changed(kept=enough).changed(beside="nearest")
    script = offered(view).python()
    assert repr(TABLE)[1:-1] in script and "keep_only(" in script
    explanation = explained(view)
    assert explanation.counterfactual.target.factual == "bad <b>"
    said = run(script, tmp_path)
    assert_same(said, explanation)
    assert_same_beside(said, view, explanation)


def test_an_edited_sample_s_script_trains_the_same_model(tmp_path: Path) -> None:
    project = projects.of("penguins")
    edited = replace(project, plan=replace(project.plan, seed=3, trainer="logistic_regression"))
    view = View(data=projects.keep(edited), case="1", options=(("neighbours", 1),), beside="usual")
    said, explanation = run(offered(view).python(), tmp_path), explained(view)
    assert_same(said, explanation)
    assert_same_beside(said, view, explanation)


def test_what_was_typed_or_brought_is_given_again(tmp_path: Path) -> None:
    searched = View(case=catalogue.beginning("german_credit"))
    problem = catalogue.problem_of(searched)
    other = found(searched)[-1]
    typed = {
        change.feature: write_value(problem.schema[change.feature], other.row[problem.schema.index(change.feature)])
        for change in other.changes
    }
    view = replace(searched, edits=tuple(sorted(typed.items())), given=EDITS)
    explanation = explained(view)
    assert explanation.counterfactual.row.tolist() == other.row.tolist()
    assert_same(run(offered(view).python(), tmp_path), explanation)

    rows = io.StringIO(newline="")
    csv.writer(rows).writerows([[*typed], ["-"] * len(typed), [*typed.values()]])
    name = "ways & <b>'.csv"
    (tmp_path / name).write_text(rows.getvalue(), encoding="utf-8", newline="")
    view = replace(searched, given=projects.keep_file(projects.ROWS, name, rows.getvalue().encode()))
    assert explained(view).counterfactual.row.tolist() == other.row.tolist()
    assert_same(run(offered(view).python(), tmp_path), explained(view))
    assert f"in {name}, way 1" in unescape(offered(view).report().decode())


def test_a_pickle_is_opened_only_where_one_was_brought(monkeypatch: pytest.MonkeyPatch) -> None:
    import joblib
    from sklearn.linear_model import LogisticRegression

    buffer = io.BytesIO()
    joblib.dump(LogisticRegression().fit([[0.0], [1.0]], [0, 1]), buffer)
    project = Project(
        "t.csv",
        table=projects.keep_file(projects.TABLE, "t.csv", b"a,b\n0,0\n1,1\n"),
        model=projects.keep_file(projects.MODEL, "m.pkl", buffer.getvalue()),
        model_name="m.pkl",
        plan=Plan(Way.FILE),
    )
    assert recipe_of(View(data=projects.keep(project), case="1")).subject.is_pickle
    trained = project.planned(way=Way.TRAIN)
    recipe = recipe_of(View(data=projects.keep(trained), case="1"))
    assert not recipe.subject.is_pickle and recipe.subject.model == ""
