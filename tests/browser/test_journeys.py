"""What people do on the Explain page, done in a browser."""

from __future__ import annotations

import json
from collections.abc import Callable

import known_cases
import pytest
from known_cases import names
from playwright.sync_api import expect

from benchmarks.browser import CHARTS, Tab
from components import catalogue
from components.palette import DARK, LIGHT, Palette
from explainers import sentences, wording
from explainers.counterfactuals.nice import NiceOptions
from explainers.explanation import Explanation, explain_changes
from explainers.importance.coalitions import MOST_CHANGES
from explainers.registry import GENERATORS

Opened = Callable[..., Tab]

EIGHT_PRESSES = """async () => {
    for (let number = 0; number < 8; number++) {
        document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}))
        await new Promise(then => setTimeout(then))
    }
}"""


def answer(known: Explanation) -> str:
    return wording.plain(sentences.answer(known))


def title(feature: str) -> str:
    return known_cases.problem().schema[feature].title


def marked(tab: Tab) -> list[str]:
    """The changes in the feature list that are marked."""
    return [change.removeprefix("● ") for change in tab.texts(".change") if change.startswith("●")]


def squeezed(text: str) -> str:
    """A text without blanks, as it may be wrapped anywhere."""
    return "".join(text.split())


def test_the_first_screen_explains_a_case(open_tab: Opened) -> None:
    known = known_cases.explanation(known_cases.beginning())
    tab = open_tab().wait_for_sentence(answer(known)).wait_for_charts(*CHARTS)
    assert tab.path == "/"
    assert tab.address == {"data": ["german_credit"], "case": [known_cases.beginning()]}
    assert tab.marks("countershapley") == tab.marks("greedy") == names(known.counterfactual)
    assert tab.marks("constellation") == {str(mask) for mask in range(1, 2 ** len(known.counterfactual))}
    assert tab.page.title() == "Flipside"


def test_the_arrow_keys_go_from_case_to_case(open_tab: Opened) -> None:
    order = known_cases.order()
    tab = open_tab(case=order[0]).wait_for_charts()
    for case in (order[1], order[2]):
        tab.press("ArrowRight")
        tab.wait_for_sentence(answer(known_cases.explanation(case))).wait_for_address(case=case)
        expect(tab.page.get_by_role("combobox", name="Case", exact=True)).to_have_value(f"Case {case}")
    tab.press("ArrowLeft")
    tab.wait_for_sentence(answer(known_cases.explanation(order[1]))).wait_for_address(case=order[1])
    for _ in range(4):
        tab.press("ArrowRight")
    tab.wait_for_sentence(answer(known_cases.explanation(order[5]))).wait_for_address(case=order[5])


def test_presses_in_one_moment_all_count(open_tab: Opened) -> None:
    order = known_cases.order()
    tab = open_tab(case=order[0]).wait_for_charts().press("ArrowRight").wait_for_address(case=order[1])
    for case in (order[9], order[17], order[25]):
        tab.page.evaluate(EIGHT_PRESSES)
        tab.wait_for_address(case=case)
    tab.wait_for_sentence(answer(known_cases.explanation(order[25])))


def test_the_arrow_keys_serve_after_any_control(open_tab: Opened) -> None:
    """Whatever keeps the focus after it was used and has no use for the keys hands them on, and covers nothing."""
    order = known_cases.order()
    case = next(case for case in order if len(known_cases.search(case).found) > 1)
    after = [order[(order.index(case) + by) % len(order)] for by in range(1, 4)]
    tab = open_tab(case=case).wait_for_charts()
    tab.button("shown 1").click()
    tab.wait_for_address(shown="2").press("ArrowRight")
    tab.wait_for_address(case=after[0], shown=None).wait_for_charts()
    tab.page.locator(".st-key-card_greedy").get_by_text("Table", exact=True).click()
    tab.page.locator(".st-key-card_greedy").get_by_test_id("stDataFrame").wait_for()
    tab.settle().press("ArrowRight")
    tab.wait_for_address(case=after[1])
    tab.page.get_by_role("combobox", name="Case", exact=True).click()
    tab.page.get_by_role("option", name=f"Case {case}", exact=True).click()
    tab.wait_for_address(case=case).press("ArrowRight")
    tab.wait_for_address(case=after[0]).press("ArrowLeft")
    tab.wait_for_address(case=case).wait_for_charts()
    tab.button("shown 1").click()
    # what has the focus after a key was used shows its help, which would cover the answer
    tab.wait_for_address(shown="2").page.wait_for_function("document.activeElement === document.body", timeout=5000)


def test_a_focused_slider_keeps_its_arrows(open_tab: Opened) -> None:
    case = known_cases.with_changes(3, 6, 0)
    tab = open_tab(case=case).wait_for_charts()
    tab.page.locator(".st-key-threshold").get_by_role("slider").focus()
    tab.press("ArrowRight")
    tab.wait_for_address(threshold="0.51", case=case)
    assert "threshold of 0.51" in tab.sentence


@pytest.mark.parametrize("chart", ["countershapley", "greedy"])
def test_a_change_picked_in_a_chart_is_marked_everywhere(open_tab: Opened, chart: str) -> None:
    changes = known_cases.explanation(known_cases.beginning()).counterfactual.changes
    feature = changes[1].feature
    tab = open_tab().wait_for_charts(*CHARTS)
    before = tab.figures()
    tab.pick(chart, feature)
    tab.wait_for_address(select=feature).wait_for_charts(*CHARTS)
    assert [text.split(changes[1].old_text)[0].strip() for text in marked(tab)] == [title(feature)]
    assert all(tab.figures()[name] != before[name] for name in CHARTS)
    for name in ("countershapley", "greedy"):
        assert squeezed(f"● {title(feature)}") in squeezed(tab.drawn_text(name))
    assert any(text.startswith(f"Selected {title(feature)}") for text in tab.texts(".sentence"))
    tab.pick(chart, feature)
    tab.wait_for_address(select=None).wait_for_charts(*CHARTS)
    assert marked(tab) == []
    assert tab.figures() == before


def test_a_combination_picked_in_the_constellation_is_marked_everywhere(open_tab: Opened) -> None:
    coalitions = known_cases.explanation(known_cases.beginning()).coalitions
    assert coalitions is not None
    tab = open_tab().wait_for_charts(*CHARTS)
    before = tab.figures()
    tab.pick("constellation", 0b011)
    tab.wait_for_address(select=list(coalitions.names(0b011))).wait_for_charts(*CHARTS)
    assert len(marked(tab)) == 2
    assert all(tab.figures()[name] != before[name] for name in CHARTS)
    tab.button("clear").click()
    tab.wait_for_address(select=None).wait_for_charts(*CHARTS)
    assert tab.figures() == before


def test_a_combination_becomes_the_counterfactual(open_tab: Opened) -> None:
    case = known_cases.reducible()
    coalitions = known_cases.explanation(case, reward="proximity").coalitions
    assert coalitions is not None
    mask = coalitions.minimal[0]
    enough = coalitions.names(mask)
    tab = open_tab(case=case, **{"nice.reward": "proximity"}).wait_for_charts(*CHARTS)
    tab.pick("constellation", mask)
    tab.wait_for_address(select=list(enough))
    tab.button("adopt").click()
    tab.wait_for_address(keep=list(enough), select=None).wait_for_charts(*CHARTS)
    assert tab.marks("countershapley") == tab.marks("greedy") == set(enough)
    assert tab.marks("constellation") == {str(part) for part in range(1, 2 ** len(enough))}
    assert len(tab.texts(".change")) == len(enough)
    tab.button("keep all").click()
    tab.wait_for_address(keep=None).wait_for_charts(*CHARTS)
    assert tab.marks("countershapley") == names(coalitions.counterfactual)


def test_only_what_is_enough_is_kept(open_tab: Opened) -> None:
    case = known_cases.reducible()
    coalitions = known_cases.explanation(case, reward="proximity").coalitions
    assert coalitions is not None
    enough = coalitions.names(coalitions.minimal[0])
    tab = open_tab(case=case, **{"nice.reward": "proximity"}).wait_for_charts(*CHARTS)
    assert tab.button("reduce").inner_text().strip() == f"Keep only the {len(enough)} that are enough"
    tab.button("reduce").click()
    tab.wait_for_address(keep=list(enough)).wait_for_charts(*CHARTS)
    assert tab.marks("countershapley") == tab.marks("greedy") == set(enough)
    assert "none of them can be left out" in tab.sentence


def test_features_are_locked_until_nothing_is_found_and_one_is_unlocked(open_tab: Opened) -> None:
    known = known_cases.locked_but_one()
    last = next(name for name in known.relaxing if name in known.locked)
    others = [name for name in known.locked if name != last]
    tab = open_tab(case=known.case, lock=others).wait_for_charts()
    tab.button(f"lock {last}").click()
    tab.wait_for_address(lock=sorted(known.locked))
    (strip,) = tab.texts(".empty")
    assert strip.startswith("No change was found that flips this case with ")
    assert tab.figures() == {}
    unlock = next(name for name in known.relaxing if tab.button(f"relax {name}").count())
    assert tab.button(f"relax {unlock}").inner_text().strip() == f"Unlock {title(unlock)}"
    tab.button(f"relax {unlock}").click()
    tab.page.wait_for_selector(".st-key-card_greedy .main-svg")
    tab.wait_for_charts("greedy", "countershapley")
    assert unlock in tab.marks("greedy")


@pytest.mark.parametrize("chart", CHARTS)
def test_a_table_stands_behind_each_chart(open_tab: Opened, chart: str) -> None:
    tab = open_tab().wait_for_charts(*CHARTS)
    card = tab.page.locator(f".st-key-card_{chart}")
    card.get_by_text("Table", exact=True).click()
    card.get_by_test_id("stDataFrame").wait_for()
    tab.wait_for_charts(*(name for name in CHARTS if name != chart))
    assert set(tab.figures()) == set(CHARTS) - {chart}
    card.get_by_text("Table", exact=True).click()
    assert set(tab.wait_for_charts(*CHARTS).figures()) == set(CHARTS)


@pytest.mark.parametrize(("dark", "own", "other"), [(False, LIGHT, DARK), (True, DARK, LIGHT)])
def test_the_charts_have_the_colours_of_the_person_s_theme(
    open_tab: Opened, dark: bool, own: Palette, other: Palette
) -> None:
    tab = open_tab(dark=dark).wait_for_charts(*CHARTS)
    red, green, blue = (int(own.background[place : place + 2], 16) for place in (1, 3, 5))
    background = tab.page.evaluate("getComputedStyle(document.querySelector('.stApp')).backgroundColor")
    assert background == f"rgb({red}, {green}, {blue})"
    drawn = json.dumps(tab.figures()).upper()
    assert own.desired.upper() in drawn
    assert own.factual.upper() in drawn
    assert not any(colour.upper() in drawn for colour in (other.desired, other.factual, other.ink))
    papers = tab.page.evaluate("[...document.querySelectorAll('.js-plotly-plot')].map(p => p.layout.paper_bgcolor)")
    assert {paper.upper() for paper in papers} <= {own.background.upper(), "RGBA(0,0,0,0)"}


def test_another_data_set_is_explained(open_tab: Opened) -> None:
    tab = open_tab().wait_for_charts(*CHARTS)
    tab.page.get_by_role("combobox", name="Data", exact=True).click()
    tab.page.get_by_role("option", name="Breast cancer", exact=True).click()
    case = catalogue.beginning("breast_cancer")
    tab.wait_for_address(data="breast_cancer", case=case).wait_for_charts(*CHARTS)
    assert tab.texts(".sides") == ["malignant → benign"]
    features = set(catalogue.sample_problem("breast_cancer").schema.names)
    assert tab.marks("greedy") <= features
    assert tab.marks("greedy") == tab.marks("countershapley") != set()


def test_an_address_that_can_not_be_read_is_one_sentence(open_tab: Opened) -> None:
    tab = open_tab(case="<img src=x onerror=alert(1)>")
    tab.page.wait_for_selector(".empty")
    assert tab.texts(".empty") == ["There is no case <img src=x onerror=alert(1)> in this table."]
    assert tab.page.locator(".empty img").count() == 0
    assert tab.figures() == {}
    tab.button("start over").click()
    tab.wait_for_address(case=known_cases.beginning()).wait_for_charts(*CHARTS)


def test_of_very_many_changes_some_are_made_the_counterfactual(open_tab: Opened) -> None:
    """From 30 changes, valued by the trees, to the twelve that Greedy makes first, all combined."""
    address = {"data": "breast_cancer", "case": "1", "nice.reward": "none"}
    problem = catalogue.sample_problem("breast_cancer")
    case = problem.case("1")
    found = GENERATORS["nice"].explain(problem, case, None, NiceOptions(reward="none")).found[0]
    known = explain_changes(problem, case, found)
    assert known.some is not None and len(found) > MOST_CHANGES
    tab = open_tab(**address).wait_for_sentence(answer(known)).wait_for_charts(*CHARTS)
    assert tab.marks("constellation") == {str(id_) for id_ in range(1, len(known.some.scores))}
    (told,) = tab.texts(".st-key-side")
    assert "Exact, by TreeSHAP: no row scored, " in told
    dozen = known.some.walk[12]
    tab.pick("constellation", dozen)
    tab.wait_for_address(select=list(known.some.names(dozen)))
    tab.button("adopt").click()
    tab.wait_for_address(keep=list(known.some.names(dozen)), select=None).wait_for_charts(*CHARTS)
    tab.page.wait_for_function(
        """n => new Set(document.querySelector('.st-key-card_constellation .js-plotly-plot')?.data
            .flatMap(trace => [...(trace.customdata ?? [])])).size === n""",
        arg=2**12 - 1,
    )
    (told,) = tab.texts(".st-key-side")
    assert "4 096 combinations, exact." in told
