"""What is said of candidates, in the numbers that were computed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from explainers import sentences_candidates, wording
from explainers.constraints import Constraints
from explainers.counterfactuals.candidates import Candidates, SampledCounterfactuals
from explainers.counterfactuals.mcce import Mcce, McceOptions
from explainers.counterfactuals.realism import Alike, ToldApart
from explainers.results import NoneFound
from explainers.sentences_none_found import none_found
from explainers.wording import SPACE, Sentence
from tests.contract.problems import cases_of, problem_called


@pytest.fixture(scope="module")
def found() -> SampledCounterfactuals:
    problem = problem_called("mixed")
    result = Mcce().explain(problem, cases_of(problem)[0], Constraints(), McceOptions(samples=100, most=5))
    assert isinstance(result, SampledCounterfactuals)
    return result


def read(sentence: Sentence) -> str:
    return wording.plain(sentence).replace(SPACE, " ")


def few(candidates: Candidates, amount: int) -> Candidates:
    parts = ("rows", "n_changes", "distances", "scores", "margins", "front")
    first = {name: getattr(candidates, name)[:amount] for name in parts}
    return replace(candidates, **first, copies=("",) * amount, chosen=np.arange(amount))


def test_how_many_flip_and_stand_in_the_table(found: SampledCounterfactuals) -> None:
    candidates = found.candidates
    expected = (
        f"Of {candidates.n_different} different rows sampled for this case, {len(candidates)} are on the other side"
    )
    assert read(sentences_candidates.found(candidates, found.target)) == (
        f"{expected}: {found.target.desired}. 5 of them stand in the table."
    )
    one = read(sentences_candidates.found(few(candidates, 1), found.target))
    assert one.endswith(f", 1 is on the other side: {found.target.desired}.")


def test_what_it_took(found: SampledCounterfactuals) -> None:
    bare = replace(found.candidates, excluded=0.0, copies=("",) * len(found.candidates))
    told = "100 rows sampled and asked about in 0.25 s."
    assert read(sentences_candidates.cost(bare, 0.25)) == f"{told} None is a copy of a training row."
    copied = replace(bare, excluded=0.124, copies=("a", "b", *[""] * (len(bare) - 2)))
    assert read(sentences_candidates.cost(copied, 0.25)) == (
        f"{told} Limits ruled out 12 % of the values in reach. 2 candidates are copies of a training row."
    )


def test_which_rows_are_alike() -> None:
    schema = problem_called("mixed").schema
    rows = problem_called("mixed").rows[:30]
    assert read(sentences_candidates.about_alike(schema, Alike(rows, (), ()))) == "Among the 30 rows of the table."
    told = read(sentences_candidates.about_alike(schema, Alike(rows, ("whole", "grade"), ("plain",))))
    assert told == (
        "Among the 30 rows with the case's own whole and grade. Too few rows have its plain, so that is left open."
    )


def test_how_often_they_are_told_apart() -> None:
    told = read(sentences_candidates.told_apart(ToldApart(0.5149, 0.476, 132)))
    assert "real ones in 51 % of cases (132 of both" in told and told.endswith("other real ones in 48 %.")


@pytest.mark.parametrize(
    ("none", "said"),
    [
        (NoneFound("unsampled"), "None of the rows that were sampled flips this case. Sample more of them."),
        (NoneFound("bounded", nearest=(3, 0.731)), "the cheapest makes 3 changes at a distance of 0.73."),
        (
            NoneFound("constrained", ("whole",), ("whole",), ("whole",)),
            "with whole held as set. No training case predicted as 1 keeps what is set for whole.",
        ),
    ],
)
def test_why_there_are_none(none: NoneFound, said: str) -> None:
    problem = problem_called("mixed")
    case = next(case for case in cases_of(problem) if problem.target(case).desired == "1")
    assert said in read(none_found(problem.schema, problem.target(case), 0.2, none))
