"""What falls away when a person looks at something else, and what stays."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from components.state.view import ANOTHER_CASE, ANOTHER_WAY, EDITS, EQUATION, STARTS_A_READING, STARTS_A_SEARCH, View
from explainers.cases import CaseQuery
from explainers.constraints import FREE, Rule
from explainers.counterfactuals.nice import NiceOptions
from explainers.schema import Direction, Schema

FULL = View(
    case="7", wanted="good", threshold=0.4, rules=(("age", Rule(locked=True)),), options=(("reduce", True),),
    counterfactual=2, kept=("age", "job"), selection=("job",), edits=(("age", "30"),), given="a token",
    number="score", size=41, reference=5.0,
)  # fmt: skip
OTHER = {
    "data": "breast_cancer", "case": "8", "wanted": None, "threshold": 0.6, "rules": (), "method": "other",
    "options": (), "counterfactual": 1, "kept": ("job",), "selection": ("age",), "low": 1.0, "high": 2.0,
    "beside": "usual", "sort": "margin", "realism": "apart", "query": CaseQuery(text="x"), "asks_what_if": True,
    "edits": (), "given": EDITS, "number": "observed", "step": "1", "size": 20, "reference": 7.0, "tolerance": 9,
    "compares": True, "compared": ("nice",), "prototype": 1, "along": 40, "losses": True,
}  # fmt: skip


@pytest.fixture
def schema() -> Schema:
    """Age may only rise and the sex is locked, unless the person says otherwise."""
    table = pd.DataFrame({"age": [20, 30], "sex": ["f", "m"], "job": ["none", "some"]})
    about: dict[str, dict[str, Any]] = {"age": {"direction": Direction.UP}, "sex": {"locked": True}}
    return Schema.infer(table).described(about)


def test_every_field_is_of_one_of_three_kinds() -> None:
    assert set(OTHER) == set(FULL.__dataclass_fields__)
    assert (
        set(OTHER)
        == {
            "selection",
            "query",
            "beside",
            "sort",
            "realism",
            "asks_what_if",
            "edits",
            "compared",
            "prototype",
            "along",
            "losses",
        }
        | STARTS_A_READING
        | EQUATION
    )
    assert STARTS_A_READING - {"counterfactual", "kept"} == STARTS_A_SEARCH


@pytest.mark.parametrize("field", sorted(STARTS_A_SEARCH))
def test_another_search_forgets_what_belonged_to_the_counterfactual(field: str) -> None:
    changed = FULL.changed(**{field: OTHER[field]})
    mine = {"edits": (), "given": "", "size": None} if field in ANOTHER_CASE else {}
    mine |= {"given": ""} if field in ANOTHER_WAY else {"reference": None} if field == "data" else {}
    assert changed == replace(FULL, **{**mine, field: OTHER[field]}, counterfactual=0, kept=(), selection=())


def test_an_edit_forgets_what_is_shown_only_where_the_edits_are_what_is_shown() -> None:
    assert FULL.changed(edits=()) == replace(FULL, edits=())
    shown = replace(FULL, given=EDITS)
    assert shown.changed(edits=()) == replace(shown, edits=(), counterfactual=0, kept=(), selection=())


def test_asking_what_if_forgets_nothing() -> None:
    assert FULL.changed(asks_what_if=True) == replace(FULL, asks_what_if=True)


def test_another_counterfactual_forgets_what_was_kept_and_marked() -> None:
    assert FULL.changed(counterfactual=1) == replace(FULL, counterfactual=1, kept=(), selection=())


def test_asking_a_generator_leaves_the_options_that_it_has() -> None:
    view = replace(FULL, given="")
    assert view.asking(view.method) is view
    assert view.asking("mcce") == view.changed(method="mcce", options=())
    assert FULL.asking(FULL.method) == replace(FULL, given="", counterfactual=0, kept=(), selection=())


def test_keeping_other_changes_forgets_the_mark_only() -> None:
    assert FULL.changed(kept=("job",)) == replace(FULL, kept=("job",), selection=())


def test_what_stands_beside_stays_over_cases_and_forgets_nothing() -> None:
    assert FULL.changed(beside="usual") == replace(FULL, beside="usual")
    assert replace(FULL, beside="usual").changed(case="8").beside == "usual"


def test_a_mark_forgets_nothing() -> None:
    assert FULL.changed(selection=("age",)) == replace(FULL, selection=("age",))


def test_what_is_said_along_with_a_search_stays() -> None:
    assert FULL.changed(case="8", kept=("age",)).kept == ("age",)


def test_the_person_s_rule_takes_the_place_of_the_schema_s(schema: Schema) -> None:
    view = View(case="7").with_rule(schema, "job", Rule(locked=True)).with_rule(schema, "age", FREE)
    constraints = view.constraints(schema)
    assert constraints["job"] == Rule(locked=True)
    assert constraints["age"] == FREE
    assert constraints["sex"] == Rule(locked=True)
    assert [name for name, _ in view.rules] == ["age", "job"]


def test_a_rule_that_says_what_the_schema_says_is_none(schema: Schema) -> None:
    changed = View(case="7").with_rule(schema, "age", FREE).with_rule(schema, "sex", FREE)
    back = changed.with_rule(schema, "age", Rule(direction=Direction.UP)).with_rule(schema, "sex", Rule(locked=True))
    assert changed.rules
    assert back == View(case="7")


def test_a_rule_is_another_search(schema: Schema) -> None:
    changed = FULL.with_rule(schema, "job", Rule(locked=True))
    assert (changed.counterfactual, changed.kept, changed.selection) == (0, (), ())
    assert dict(changed.rules) == {"age": Rule(locked=True), "job": Rule(locked=True)}


def test_options_are_kept_where_they_depart_from_the_default() -> None:
    view = View(case="7").with_option("reward", "none").with_option("neighbours", 5)
    assert view.options == (("neighbours", 5), ("reward", "none"))
    assert view.method_options() == NiceOptions(reward="none", neighbours=5)
    assert view.with_option("neighbours", 3).with_option("reward", "sparsity") == View(case="7")


def test_another_equation_forgets_the_size_that_was_looked_at_and_another_number_the_reference() -> None:
    assert FULL.changed(step="1") == replace(FULL, step="1", size=None)
    assert FULL.changed(number="observed") == replace(FULL, number="observed", size=None, reference=None)
    assert FULL.changed(case="8").reference == 5.0
    for field in ("size", "reference", "tolerance", "compares"):
        assert FULL.changed(**{field: OTHER[field]}) == replace(FULL, **{field: OTHER[field]})
