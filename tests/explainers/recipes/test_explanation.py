"""A recipe as Python: values come back as they were, and none of them is run."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainers.constraints import Rule
from explainers.counterfactuals.nice import NiceOptions
from explainers.intake.roles import Plan, Way
from explainers.intake.schema_edits import FeatureEdit, SchemaEdits
from explainers.recipes.explanation import Recipe
from explainers.recipes.subject import Subject
from explainers.schema import Direction, Kind

TEXT = st.text(max_size=8)
NAME = st.text(min_size=1, max_size=8)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
RULES = st.builds(
    Rule, locked=st.booleans(), direction=st.sampled_from(Direction), low=st.none() | FLOATS, high=st.none() | FLOATS,
    categories=st.none() | st.frozensets(TEXT, max_size=3),
)  # fmt: skip
PLANS = st.builds(
    Plan, way=st.sampled_from([Way.FILE, Way.TRAIN]), target=st.none() | TEXT, seed=st.integers(0, 9),
    classes=st.lists(TEXT, max_size=30).map(tuple),
    edits=st.builds(
        lambda name, edit: SchemaEdits().with_feature(name, edit), TEXT,
        st.builds(FeatureEdit, title=st.none() | TEXT, kind=st.none() | st.sampled_from(Kind),
                  categories=st.lists(st.tuples(TEXT, TEXT), max_size=3).map(tuple)),
    ),
)  # fmt: skip
CALLED = {
    "read_table", "read_model", "pose", "SystemExit", "explain_changes", "keep_only", "value_ranges", "print",
    "Constraints", "frozenset", "Path", "Plan", "Rule", "NiceOptions", "FeatureEdit", "SchemaEdits",
}  # fmt: skip


def assigned(script: str, name: str) -> Any:
    """What a script assigns to a name, computed from its imports and this line alone."""
    tree = ast.parse(script)
    lines = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    lines += [n for n in tree.body if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == name]
    space: dict[str, Any] = {}
    exec(compile(ast.Module(lines, []), "script", "exec"), space)
    return space[name]


@given(plan=PLANS, rule=RULES, name=NAME, kept=st.lists(TEXT, min_size=1, max_size=3).map(tuple), threshold=FLOATS)
def test_every_value_comes_back(plan: Plan, rule: Rule, name: str, kept: tuple[str, ...], threshold: float) -> None:
    options = NiceOptions(reward="proximity", neighbours=7)
    subject = Subject(name, table=name, sheet=name, model=name, plan=plan, wanted=name, threshold=threshold)
    script = Recipe(subject, method="nice", options=options, rules=((name, rule),), kept=kept).python()
    assert assigned(script, "plan") == plan
    assert assigned(script, "options") == options
    assert assigned(script, "kept") == kept
    assert assigned(script, "TABLE") == assigned(script, "MODEL") == name
    calls = [node for node in ast.walk(ast.parse(script)) if isinstance(node, ast.Call)]
    (ruled,) = (call for call in calls if ast.unparse(call.func) == "constraints.with_rule")
    (decided,) = (call for call in calls if ast.unparse(call.func).endswith("decision.adjusted"))
    assert ast.literal_eval(ruled.args[0]) == name
    assert {word.arg: ast.literal_eval(word.value) for word in decided.keywords} == {
        "wanted": name, "threshold": threshold,
    }  # fmt: skip


@pytest.mark.parametrize("name", ["'); boom()  #", '"""\nboom()\n"""', "\\", "\u2028boom()", "{boom()}", "a\nboom()"])
def test_no_name_is_run(name: str) -> None:
    plan = Plan(target=name, edits=SchemaEdits().with_feature(name, FeatureEdit(title=name)))
    subject = Subject(name, table=name, sheet=name, model=name, wanted=name, plan=plan)
    rules = ((name, Rule(categories=frozenset({name}))),)
    script = Recipe(subject, method=name, options=NiceOptions(), kept=(name,), rules=rules).python()
    calls = {n.func.id for n in ast.walk(ast.parse(script)) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    assert calls <= CALLED


def test_lines_are_not_endless() -> None:
    labels = tuple((f"category number {place}", f"what number {place} means") for place in range(12))
    edits = SchemaEdits().with_feature("a feature", FeatureEdit(title="A feature", categories=labels))
    script = Recipe(Subject("1", table="t.csv", plan=Plan(edits=edits)), "nice", NiceOptions()).python()
    assert max(map(len, script.splitlines())) <= 120


def test_what_may_run_code_says_so() -> None:
    subject = Subject("1", table="t", model="m.pkl", plan=Plan(Way.FILE), is_pickle=True)
    script = Recipe(subject, "nice", NiceOptions()).python()
    assert "allow_pickle=True" in script and "# a pickle can run any code" in script
    script = Recipe(replace(subject, model="m.skops", is_pickle=False), "nice", NiceOptions()).python()
    assert "allow_pickle" not in script


def test_a_value_of_another_kind_is_refused() -> None:
    with pytest.raises(TypeError, match="can't be written as Python"):
        Recipe(Subject("1", table="t", plan=Plan(target=object())), "nice", NiceOptions()).python()  # type: ignore[arg-type]
