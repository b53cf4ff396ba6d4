"""How to read a chart is said in the numbers that are in it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explainers import how_to_read
from explainers.constraints import Constraints
from explainers.counterfactuals.nice import Nice, NiceOptions
from explainers.explanation import Explanation, explain_changes
from explainers.wording import SPACE, Sentence, plain
from tests.contract.problems import BUILDERS, cases_of, problem_called
from tests.explainers.tables import game


def explained(scores: list[float]) -> Explanation:
    problem, case, found = game(scores, 0.5)
    return explain_changes(problem, case, found)


def told(sentences: tuple[Sentence, ...]) -> str:
    return " ".join(map(plain, sentences)).replace(SPACE, " ")


def of_all(explanation: Explanation) -> str:
    assert explanation.countershapley is not None and explanation.coalitions is not None
    return told(
        (
            *how_to_read.of_countershapley(explanation.countershapley),
            *how_to_read.of_greedy(explanation.greedy, explanation.countershapley),
            *how_to_read.of_constellation(explanation.coalitions, 0, by_size=False),
        )
    )


def test_the_strip_is_read_in_its_own_numbers() -> None:
    importance = explained([0.2, 0.3, 0.35, 0.95]).countershapley
    assert importance is not None
    assert told(how_to_read.of_countershapley(importance)) == (
        "The strip runs from 0.20, what the case scores, to 0.95, what it would score with all 2 changes."
        " Each block is a change; its length counts. f1 (0 → 1) counts +0.40 (53 %): so much it moves the score on"
        " average over all 2 orders in which the changes can be made."
        " Together the changes count +0.75, exactly the move from 0.20 to 0.95."
    )


def test_what_pulls_back_is_named_with_its_share() -> None:
    importance = explained([0.2, 0.8, 0.1, 0.7]).countershapley
    assert importance is not None
    said = told(how_to_read.of_countershapley(importance))
    assert "f1 (0 → 1) counts −0.10 (−20 %): on average it pulls the score back." in said
    assert "runs past 0.70" in said


def test_the_walk_is_read_in_its_own_numbers() -> None:
    explanation = explained([0.2, 0.8, 0.1, 0.7])
    assert told(how_to_read.of_greedy(explanation.greedy, explanation.countershapley)) == (
        "Start at the bottom, at 0.20. Alone, f0 moves the score furthest, to 0.80, so it comes first."
        " Each row above keeps what is below it and adds the change that then does so."
        " With step 1, f0, the case flips (0.80, threshold 0.50). What stands above, f1, is not needed for that."
        " Step 2, f1, moves the score back to 0.70, though of the changes left it is the best; its run is dashed."
    )


def test_why_the_walk_and_the_strip_differ() -> None:
    explanation = explained([0.2, 0.3, 0.35, 0.95])
    said = told(how_to_read.of_greedy(explanation.greedy, explanation.countershapley))
    assert "f0 moves the score by +0.60 here and counts +0.35 over every order" in said
    assert "over every order" not in told(how_to_read.of_greedy(explanation.greedy))


def test_rings_and_what_is_enough() -> None:
    coalitions = explained([0.1, 0.6, 0.2, 0.4, 0.3, 0.6, 0.7, 0.9]).coalitions
    assert coalitions is not None
    said = told(how_to_read.of_constellation(coalitions, 0, by_size=False))
    assert "one of the 8 combinations of 3 changes" in said and "the line (0.50 threshold)" in said
    assert "Here: f0 (0.60) and f1 + f2 (0.70)." in said
    assert "1 of the 3 changes is enough: f0. Not needed for that: f1 and f2." in said
    assert "More changes are not always better: f0 + f1 does not flip (0.40), though f0 does." in said


def test_bands_are_read_where_dots_stand_in_bands() -> None:
    coalitions = explained([0.1, 0.2, 0.2, 0.6, 0.2, 0.6, 0.3, 0.9]).coalitions
    assert coalitions is not None
    said = told(how_to_read.of_constellation(coalitions, 5, by_size=True))
    assert "of the 3 combinations with 2 changes, 2 flip." in said
    assert "and what is ringed; 5 others have no dot." in said
    assert "halfway" not in said


@settings(max_examples=60)
@given(st.lists(st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.55, 0.8]), min_size=8, max_size=8))
def test_what_is_said_is_so(scores: list[float]) -> None:
    scores[0], scores[-1] = 0.1, 0.9
    said = of_all(explained(scores))
    names = {"+".join(f"f{i}" for i in range(3) if mask >> i & 1): mask for mask in range(8)}
    undone = re.search(r"better: ([f0-9+ ]+) does not flip \(\S+\), though ([f0-9+ ]+) does", said)
    lost = any(scores[a] >= 0.5 > scores[b] for a in range(1, 8) for b in range(8) if a & b == a)
    assert bool(undone) == lost
    if undone:
        whole, part = (names[text.replace(" ", "")] for text in undone.groups())
        assert scores[part] >= 0.5 > scores[whole] and part & whole == part
    smallest = min(mask.bit_count() for mask in range(1, 8) if scores[mask] >= 0.5)
    assert ("No part of the 3 changes flips" in said) == (smallest == 3)
    assert (f"{smallest} of the 3 changes" in said) == (smallest < 3)


@pytest.mark.parametrize("name", BUILDERS)
def test_every_problem_has_its_help(name: str) -> None:
    problem = problem_called(name)
    results = ((case, Nice().explain(problem, case, Constraints(), NiceOptions("none"))) for case in cases_of(problem))
    case, found = next((case, one) for case, result in results for one in result.found if len(one) > 1)
    explanation = explain_changes(problem, case, found)
    said = of_all(explanation)
    assert said.endswith(".") and "nan" not in said and "  " not in said and ".." not in said
    assert all(change.title in said for change in explanation.counterfactual.changes[:1])


def test_one_change_has_no_orders() -> None:
    said = told(how_to_read.of_countershapley(explained([0.2, 0.7]).countershapley))  # type: ignore[arg-type]
    assert said.endswith("what it would score with the one change, which makes the whole move.")
    assert "Each row above" in told(how_to_read.of_greedy(explained([0.2, 0.7]).greedy))
