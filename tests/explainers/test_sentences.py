"""What the sentences say of results of every shape."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explainers import sentences
from explainers.constraints import FREE, Constraints, Rule
from explainers.counterfactuals.nice import Nice
from explainers.decision import BinaryDecision, IntervalDecision
from explainers.explanation import explain_changes
from explainers.sentences_none_found import none_found
from explainers.wording import SPACE, plain
from tests.contract.problems import BUILDERS, cases_of, problem_called
from tests.explainers.tables import HOSTILE, counterfactual, game, posed


def answer_of(scores: list[float], threshold: float = 0.5) -> str:
    problem, case, found = game(scores, threshold)
    explanation = explain_changes(problem, case, found)
    return plain(sentences.answer(explanation)).replace(SPACE, " ")


def test_the_whole_answer() -> None:
    assert answer_of([0.2, 0.3, 0.35, 0.95]) == (
        "Scored 0.20 for 1, under the threshold of 0.50, so 0. With these 2 changes it would score 0.95, so 1."
        " Of these, f1 counts most (53 %), and none of them can be left out."
    )


def test_what_is_enough_already_and_what_pulls_back() -> None:
    said = answer_of([0.2, 0.8, 0.1, 0.7])
    assert "Of these, f0 counts most (120 %), and 1 of the 2 is already enough." in said
    assert "Pulling back: f1 (−20 %)." in said


def test_one_change_is_no_plural() -> None:
    assert answer_of([0.2, 0.7]).endswith("With this one change, f0, it would score 0.70, so 1.")


def test_where_less_is_wanted_a_rise_pulls_back() -> None:
    table = pd.DataFrame({"f0": [0, 1], "f1": [0, 1], "f2": [0, 1]})
    problem = posed(table, lambda rows: 9 + rows @ [1.0, -5.0, -3.5], IntervalDecision("price", (1, 5, 9), high=4.0))
    case = problem.case(0)
    explanation = explain_changes(problem, case, counterfactual(problem, case, problem.rows[1]))
    assert explanation.countershapley is not None
    assert sentences.pulling_back(explanation.countershapley) == ("f0",)
    said = plain(sentences.answer(explanation))
    assert "above the wanted 4.00" in said and "f1 counts most (67" in said and "Pulling back: f0 (−13" in said


@pytest.mark.parametrize("name", BUILDERS)
def test_every_problem_has_its_sentences(name: str) -> None:
    problem = problem_called(name)
    case = cases_of(problem)[1]
    result = Nice().explain(problem, case, Constraints())
    found = result.found[0]
    explanation = explain_changes(problem, case, found)
    coalitions, importance = explanation.coalitions, explanation.countershapley
    assert coalitions is not None and importance is not None
    every = [
        sentences.standing(result.target, result.factual_score),
        sentences.answer(explanation),
        sentences.selection(coalitions, importance, [found.changes[0].feature]),
        sentences.selection(coalitions, importance, []),
        sentences.about_countershapley(importance),
        sentences.about_greedy(explanation.greedy),
        sentences.about_constellation(coalitions, 0, by_size=False),
        sentences.about_constellation(coalitions, 9, by_size=True),
        sentences.alt_importance(importance),
        sentences.alt_constellation(coalitions),
        sentences.not_valued(17),
    ]
    for sentence in every:
        text = plain(sentence)
        assert text.endswith(".") and "nan" not in text and "  " not in text and ".," not in text
    assert all(text.endswith(".") for text in sentences.checked(explanation))
    assert len(sentences.alternatives(result)) == len(result.found)
    assert ("other methods may need fewer" in sentences.ways(result)) == (min(map(len, result.found)) > 1)


@pytest.mark.parametrize("name", BUILDERS)
def test_why_there_is_none(name: str) -> None:
    problem = problem_called(name)
    case = cases_of(problem)[0]
    rules = Constraints(tuple((feature, Rule(locked=True)) for feature in problem.schema.names))
    result = Nice().explain(problem, case, rules)
    assert result.none_found is not None
    text = plain(none_found(problem.schema, result.target, result.factual_score, result.none_found))
    assert problem.schema.features[0].title in text and text.endswith(".")


def test_a_relaxation_that_would_do_is_not_denied() -> None:
    problem, case, _ = game([0.2, 0.3, 0.7, 0.95])
    rules = Constraints((("f1", Rule(locked=True)),))
    none = Nice().explain(problem, case, rules).none_found
    assert none is not None and none.relaxing == ("f1",)
    text = plain(none_found(problem.schema, problem.target(case), 0.2, none))
    assert "not be enough" not in text
    assert Nice().explain(problem, case, rules.with_rule("f1", FREE)).found


def test_a_case_exactly_at_the_threshold() -> None:
    problem = posed(pd.DataFrame({"f0": [0, 1]}), lambda rows: 0.5 - 0.2 * rows[:, 0])
    case = problem.case(0)
    found = counterfactual(problem, case, problem.rows[1])
    explanation = explain_changes(problem, case, found)
    text = plain(sentences.answer(explanation))
    assert text.startswith("Scored 0.50 for 0, exactly the threshold of 0.50, which still counts as 1.")
    assert any("exactly at the threshold counts as 1;" in line for line in sentences.checked(explanation))


def test_a_wish_that_is_fulfilled_says_so() -> None:
    problem = posed(pd.DataFrame({"f0": [0, 1]}), lambda rows: rows[:, 0], BinaryDecision(("0", "1"), 0.5, "0"))
    target = problem.target(problem.case(0))
    assert "meets the decision asked for (threshold 0.50)" in plain(sentences.standing(target, 1.0))


@settings(max_examples=50)
@given(st.lists(st.sampled_from([0.0, 0.1, 0.3, 0.55, 0.8]), min_size=8, max_size=8))
def test_the_answer_agrees_with_the_combinations(scores: list[float]) -> None:
    scores[0], scores[-1] = 0.1, 0.9
    said = answer_of(scores)
    smallest = min((m.bit_count() for m in range(8) if scores[m] >= 0.5), default=3)
    assert ("none of them can be left out" in said) == (smallest == 3)
    assert (f"{smallest} of the 3" in said) == (smallest < 3)


def test_hostile_names_stay_as_they_are() -> None:
    schema_names = [HOSTILE, "a & b"]
    table = pd.DataFrame([[0, 0], [1, 1]], columns=schema_names)
    problem = posed(table, lambda rows: rows.mean(axis=1) * 0.9)
    case = problem.case(0)
    explanation = explain_changes(problem, case, counterfactual(problem, case, problem.rows[1]))
    assert explanation.coalitions is not None and explanation.countershapley is not None
    said = plain(sentences.selection(explanation.coalitions, explanation.countershapley, schema_names))
    assert f"{HOSTILE} + a & b" in said


def test_a_route_through_real_cases_is_named() -> None:
    explanation = explain_changes(*game([0.2, 0.8]))
    routed = replace(explanation.counterfactual, neighbour="7", route=("3", "5"))
    told = sentences.checked(replace(explanation, counterfactual=routed))
    assert told[0].endswith(
        "values are those of the real case 7. The way there leads through the real cases 3, then 5."
    )
