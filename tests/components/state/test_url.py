"""The view goes into the address and comes back whole; what an address can't mean is said in a sentence."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlencode

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from components.state.url import AddressError, read, write
from components.state.view import BESIDE, NO_CASE, NUMBERS, REALISM, SORTS, TOLERANCES, View
from explainers.cases import CaseQuery, Filter, Order
from explainers.constraints import FREE, Rule
from explainers.counterfactuals.nice import REWARDS
from explainers.registry import GENERATORS
from explainers.schema import Direction
from explainers.surrogates.bella import STEPS

# What addresses and our own parameters give a meaning to, and what ASCII doesn't hold.
AWKWARD = ":%&=+?#;,/ \"'<b>3A25äß→漢字"
texts = st.text(st.sampled_from(AWKWARD) | st.characters(codec="utf-8"), max_size=12)
names = texts.filter(bool)
bounds = st.none() | st.floats(allow_nan=False, allow_infinity=False)
rules = st.builds(
    Rule,
    locked=st.booleans(),
    direction=st.sampled_from(Direction),
    low=bounds,
    high=bounds,
    categories=st.none() | st.frozensets(texts, max_size=3),
)
own_values = st.builds(Rule, low=bounds, high=bounds, categories=st.none() | st.frozensets(texts, max_size=3))
queries = st.builds(
    CaseQuery,
    order=st.sampled_from(Order),
    filters=st.frozensets(st.sampled_from(Filter)),
    side=st.none() | texts,
    text=texts,
    where=st.dictionaries(names, own_values.filter(lambda rule: not rule.is_free), max_size=3).map(
        lambda by_name: tuple(sorted(by_name.items(), key=first))
    ),
    missing=st.frozensets(names, max_size=3).map(lambda some: tuple(sorted(some))),
    known=st.frozensets(names, max_size=3).map(lambda some: tuple(sorted(some))),
)
views = st.builds(
    View,
    data=names,
    case=texts,
    wanted=st.none() | texts,
    threshold=st.none() | st.floats(0, 1),
    low=bounds,
    high=bounds,
    rules=st.dictionaries(names, rules, max_size=4).map(lambda by_name: tuple(sorted(by_name.items(), key=first))),
    options=st.fixed_dictionaries(
        {},
        optional={
            "neighbours": st.integers(1, 20).filter(lambda n: n != 3),
            "reduce": st.just(True),
            "reward": st.sampled_from([name for name in REWARDS if name != "sparsity"]),
        },
    ).map(lambda by_name: tuple(sorted(by_name.items()))),
    counterfactual=st.integers(0, 30),
    beside=st.sampled_from(["", *BESIDE]),
    sort=st.sampled_from(["", *SORTS]),
    realism=st.sampled_from(["", *REALISM]),
    asks_what_if=st.booleans(),
    edits=st.dictionaries(names, texts, max_size=3).map(lambda by_name: tuple(sorted(by_name.items()))),
    given=st.sampled_from(["", "edits", "o1Hs-_token"]),
    prototype=st.integers(0, 30),
    along=st.none() | st.integers(0, 100),
    losses=st.booleans(),
    compared=st.lists(st.sampled_from(list(GENERATORS)), unique=True).map(tuple),
    kept=st.lists(names, max_size=3).map(tuple),
    selection=st.lists(names, max_size=3).map(tuple),
    query=queries,
    number=st.sampled_from(["", *NUMBERS]),
    step=st.sampled_from([*STEPS]),
    size=st.none() | st.integers(0, 10**9 - 1),
    reference=bounds,
    tolerance=st.integers(*TOLERANCES),
    compares=st.booleans(),
)


def first(pair: tuple[str, Any]) -> str:
    return pair[0]


@given(views)
@example(View(case="1", rules=(("a:b%3A", Rule(categories=frozenset({"%3A", ":", "%", ""}))),)))
@example(View(case="1", rules=(("nothing", Rule(categories=frozenset())), ("released", FREE))))
def test_a_view_comes_back_from_its_address(view: View) -> None:
    query = urlencode(write(view), doseq=True)
    assert read(parse_qs(query, keep_blank_values=True, strict_parsing=True)) == view


@given(views)
def test_equal_views_have_one_address(view: View) -> None:
    assert write(read(write(view))) == write(view)


def test_no_parameters_are_the_first_screen() -> None:
    assert read({}) == View()
    assert read({}).case is None


def test_data_without_a_case_chooses_none() -> None:
    assert read({"data": ["breast_cancer"]}) == View(data="breast_cancer", case=NO_CASE)


def test_the_address_of_a_case_is_short() -> None:
    assert write(View(case="96")) == {"data": ["german_credit"], "case": ["96"]}


@pytest.mark.parametrize(
    ("parameters", "named"),
    [
        ({"colour": ["red"]}, "colour"),
        ({"mcce.reward": ["none"]}, "mcce.reward"),
        ({"nice.colour": ["red"]}, "nice.colour"),
        ({"data": ["a", "b"]}, "data"),
        ({"case": ["1", "1"]}, "case"),
        ({"nice.reward": ["none", "none"]}, "nice.reward"),
        ({"data": []}, "data"),
        ({"number": ["price"]}, "number=price"),
        ({"step": ["5"]}, "step=5"),
        ({"size": ["-3"]}, "size=-3"),
        ({"reference": ["nan"]}, "reference=nan"),
        ({"tolerance": ["51"]}, "1 to 50"),
        ({"compare": ["yes"]}, "compare=yes"),
        ({"threshold": ["half"]}, "threshold=half"),
        ({"threshold": ["nan"]}, "threshold=nan"),
        ({"threshold": ["inf"]}, "threshold=inf"),
        ({"threshold": [""]}, "threshold="),
        ({"method": ["mice"]}, "mice"),
        ({"nice.reward": ["money"]}, "money"),
        ({"nice.neighbours": ["few"]}, "few"),
        ({"nice.neighbours": ["--3"]}, "--3"),
        ({"nice.neighbours": ["2.5"]}, "2.5"),
        ({"nice.neighbours": ["9" * 5000]}, "nice.neighbours"),
        ({"nice.neighbours": ["0"]}, "0"),
        ({"nice.neighbours": ["21"]}, "21"),
        ({"nice.reduce": ["True"]}, "True"),
        ({"shown": ["0"]}, "shown=0"),
        ({"shown": ["-1"]}, "shown=-1"),
        ({"shown": ["1.5"]}, "shown=1.5"),
        ({"shown": [""]}, "shown="),
        ({"beside": ["everything"]}, "beside=everything"),
        ({"sort": ["name"]}, "sort=name"),
        ({"realism": ["everything"]}, "realism=everything"),
        ({"what-if": ["yes"]}, "what-if=yes"),
        ({"set": ["30"]}, "set=30"),
        ({"set": ["30:age", "40:age"]}, "'age' twice"),
        ({"given": ["edits", "edits"]}, "given"),
        ({"shown": ["9" * 5000]}, "shown"),
        ({"range": ["age"]}, "range=age"),
        ({"range": ["1:age"]}, "range=1:age"),
        ({"range": ["young:old:age"]}, "young"),
        ({"range": ["1:2:age", "3:4:age"]}, "age"),
        ({"among": ["purpose"]}, "among=purpose"),
        ({"rise": ["age"], "fall": ["age"]}, "age"),
        ({"free": ["age"], "lock": ["age"]}, "age"),
    ],
)
def test_what_an_address_can_not_mean_is_one_sentence(parameters: dict[str, list[str]], named: str) -> None:
    with pytest.raises(AddressError) as caught:
        read({"case": ["1"], **parameters})
    sentence = str(caught.value)
    assert named in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence
