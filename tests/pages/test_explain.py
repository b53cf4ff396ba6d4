"""The Explain page shows what the library finds, and all that can be set acts on it."""

from __future__ import annotations

import re
from typing import Any

import known_cases
import pyarrow as pa
import pytest
from known_cases import names
from page_driver import CHARTS, Screen

from components import projects
from components.charts.greedy import MOST_STEPS
from components.printed import printed
from components.state.view import View
from explainers import sentences, wording
from explainers.constraints import Rule
from explainers.importance.coalitions import MOST_CHANGES
from explainers.importance.sampled import Sampled
from explainers.results import CoalitionScores, Importance
from explainers.run import Stopped


def same_words(shown: str, told: str) -> bool:
    """Whether two texts differ in blanks alone."""
    return shown.split() == told.split()


def check_figures(screen: Screen, coalitions: CoalitionScores, countershapley: Importance, greedy: Importance) -> None:
    """Every mark that can be picked stands where the library says."""
    changes = [change.feature for change in coalitions.counterfactual.changes]
    full = len(coalitions.scores) - 1
    assert screen.marks("constellation") == pytest.approx({m: coalitions.scores[m] for m in range(1, full + 1)})
    steps = {changes[i]: greedy.path[place + 1] for place, i in enumerate(greedy.order)}
    assert screen.marks("greedy") == pytest.approx({"": greedy.path[0], **steps})
    assert set(screen.marks("countershapley")) == set(changes)
    ends = screen.marks("countershapley").values()
    assert max(ends) - coalitions.scores[0] == pytest.approx(sum(v for v in countershapley.values if v > 0))


@pytest.fixture(scope="module")
def first_screen() -> Screen:
    return Screen.at()


class TestFirstScreen:
    @pytest.fixture
    def screen(self, first_screen: Screen) -> Screen:
        return first_screen

    def test_explains_the_case_to_begin_with(self, screen: Screen) -> None:
        assert screen.view == View(case=known_cases.beginning())
        assert screen.address == {"data": ["german_credit"], "case": [known_cases.beginning()]}
        assert not screen.strips

    def test_says_the_whole_answer(self, screen: Screen) -> None:
        known = known_cases.explanation(known_cases.beginning())
        answer = sentences.answer(known)
        assert same_words(screen.sentence, wording.plain(answer))
        assert f"these {len(known.counterfactual)} changes" in screen.sentence.replace(wording.SPACE, " ")

    def test_draws_what_the_library_finds(self, screen: Screen) -> None:
        known = known_cases.explanation(known_cases.beginning())
        assert tuple(screen.figures) == CHARTS
        assert known.coalitions is not None
        assert known.countershapley is not None
        check_figures(screen, known.coalitions, known.countershapley, known.greedy)

    def test_lists_what_changes_with_both_values(self, screen: Screen) -> None:
        changes = known_cases.explanation(known_cases.beginning()).counterfactual.changes
        assert len(screen.changes) == len(changes)
        for shown, change in zip(screen.changes, changes, strict=True):
            assert same_words(shown, f"{change.title} {change.old_text} → {change.new_text}")

    def test_has_an_address_to_copy(self, screen: Screen) -> None:
        assert screen.app.code[0].value.endswith(f"?data=german_credit&case={known_cases.beginning()}")

    def test_tells_those_who_can_not_see_the_charts(self, screen: Screen) -> None:
        greedy = known_cases.explanation(known_cases.beginning()).greedy
        alts = [node.proto.alt for node in screen.app.get("plotly_chart")]
        assert all(alts)
        assert all(change.new_text in alts[1] for change in greedy.counterfactual.changes)


@pytest.mark.parametrize("side", [0, 1])
def test_both_sides_are_drawn_towards_the_other(side: int) -> None:
    case = known_cases.with_changes(3, 6, side)
    known = known_cases.explanation(case)
    screen = Screen.at(case=case)
    assert known.coalitions is not None
    assert known.countershapley is not None
    check_figures(screen, known.coalitions, known.countershapley, known.greedy)
    ends = [known_cases.problem().decision.side_names()[s] for s in (side, 1 - side)]
    assert same_words(screen.html("sides")[0], f"{ends[0]} → {ends[1]}")


def test_next_and_previous_follow_the_order_of_unseen_cases() -> None:
    order = known_cases.order()
    screen = Screen.at(case=order[0])
    assert screen.click("next").view.case == order[1]
    known = known_cases.explanation(order[1])
    assert same_words(screen.sentence, wording.plain(sentences.answer(known)))
    assert screen.click("previous").click("previous").view.case == order[-1]
    assert screen.address["case"] == [order[-1]]


@pytest.mark.parametrize("chart", CHARTS)
def test_the_table_stands_in_its_chart_s_place(chart: str) -> None:
    known = known_cases.explanation(known_cases.beginning())
    told = {"countershapley": known.countershapley, "greedy": known.greedy, "constellation": known.coalitions}[chart]
    screen = Screen.at().set("toggle", f"table {chart}", True)
    assert set(screen.figures) == set(CHARTS) - {chart}
    assert told is not None
    shown, frame, target = screen.app.dataframe[0], told.to_frame(), known.counterfactual.target
    assert shown.value.drop(columns="share", errors="ignore").astype(str).equals(frame.astype(str))
    seen = pa.ipc.open_stream(shown.proto.arrow_data.styler.display_values).read_pandas()
    for name, texts in printed(frame.select_dtypes("floating"), target).items():
        assert seen[name].tolist() == texts
    assert set(screen.set("toggle", f"table {chart}", False).figures) == set(CHARTS)


def test_a_locked_feature_stays_as_it_is() -> None:
    case = known_cases.with_changes(3, 6)
    first = known_cases.explanation(case).counterfactual.changes[0].feature
    screen = Screen.at(case=case).click(f"lock {first}")
    assert screen.view.rules == ((first, Rule(locked=True)),)
    assert screen.address["lock"] == [first]
    assert screen.figures
    assert first not in screen.marks("greedy")
    assert len(screen.marks("greedy")) > 1
    unlocked = screen.click(f"lock {first}")
    assert unlocked.view == View(case=case)
    assert first in unlocked.marks("greedy")


@pytest.mark.parametrize("side", [0, 1])
def test_the_threshold_moves_as_it_is_drawn(side: int) -> None:
    case = known_cases.with_changes(3, 6, side)
    score = known_cases.search(case).factual_score
    screen = Screen.at(case=case).set("slider", "threshold", 0.6)
    assert screen.view.threshold == pytest.approx(0.6 if side == 0 else 0.4)
    assert "threshold of 0.60" in screen.sentence
    assert score < 0.5
    assert screen.marks("greedy")[""] == pytest.approx(score)
    assert max(screen.marks("constellation").values()) >= 0.6
    assert "0.60" in screen.words("greedy")
    assert screen.widget("slider", "threshold").value == 0.6


@pytest.mark.parametrize("side", [0, 1])
def test_a_case_that_has_the_wanted_decision_needs_nothing(side: int) -> None:
    case = known_cases.with_changes(3, 6, side)
    own = known_cases.problem().decision.side_names()[side]
    screen = Screen.at(case=case).set("selectbox", "wanted", own)
    assert screen.view == View(case=case, wanted=own)
    assert len(screen.strips) == 1
    assert screen.strips[0].startswith("This case already has the decision you asked for")
    assert not screen.figures
    assert not screen.html("sentence")
    back = screen.click("other side")
    assert back.view == View(case=case)
    assert set(back.figures) == set(CHARTS)


def test_the_other_side_can_be_asked_for_by_name() -> None:
    case = known_cases.with_changes(3, 6, 0)
    other = known_cases.problem().decision.side_names()[1]
    assert Screen.at(case=case, wanted=other).figures == Screen.at(case=case).figures


def test_where_nothing_is_found_one_unlocked_feature_helps() -> None:
    known = known_cases.locked_but_one()
    screen = Screen.at(case=known.case, lock=list(known.locked))
    assert len(screen.strips) == 1
    assert screen.strips[0].startswith("No change was found that flips this case with ")
    assert not screen.figures
    assert not screen.changes
    unlocks = {key.removeprefix("relax ") for key in screen.buttons if key.startswith("relax ")}
    assert unlocks
    assert unlocks <= set(known.relaxing)
    feature = min(unlocks)
    freed = screen.click(f"relax {feature}")
    assert feature not in freed.address.get("lock", [])
    assert not freed.strips or freed.strips == ["Only one change, so there is nothing to combine."]
    assert feature in freed.marks("greedy")


def test_one_change_alone_has_nothing_to_combine() -> None:
    case = known_cases.with_changes(1, 1)
    feature = known_cases.search(case).found[0].changes[0].feature
    screen = Screen.at(case=case)
    assert screen.strips == ["Only one change, so there is nothing to combine."]
    assert set(screen.figures) == {"countershapley", "greedy"}
    assert set(screen.marks("countershapley")) == {feature}
    assert "this one change" in screen.sentence.replace(wording.SPACE, " ")


def test_many_changes_are_arranged_by_number_or_by_height() -> None:
    case = known_cases.with_changes(7, 9, reward="none")
    n_changes = len(known_cases.search(case, "none").found[0])
    screen = Screen.at(case=case, nice__reward="none")
    by_size = screen.marks("constellation")
    assert len(by_size) == 2**n_changes - 1
    heights = [trace["y"] for trace in screen.figures["constellation"]["data"]]
    assert screen.set("segmented_control", "arrangement", "height").marks("constellation") == by_size
    assert [trace["y"] for trace in screen.figures["constellation"]["data"]] != heights


def test_more_changes_than_can_be_combined_are_valued_by_the_trees() -> None:
    """Nothing is empty: the strip, the walk and the combinations that were scored."""
    screen = Screen.at(data="breast_cancer", case="1", nice__reward="none")
    n_changes = len(screen.changes)
    assert n_changes > MOST_CHANGES
    assert not screen.strips
    assert set(screen.figures) >= {"countershapley", "greedy", "constellation"}
    assert len(set(screen.marks("greedy")) - {""}) < MOST_STEPS < n_changes and "more" in screen.words("greedy")
    assert len(screen.marks("constellation")) == 3 * n_changes - 2
    said, page = (text.replace(wording.SPACE, " ") for text in (screen.sentence, screen.text))
    assert f"these {n_changes} changes" in said and "counts most" in said and "already enough" in said
    assert "read off the model's trees" in page and "Exact, by TreeSHAP: no row scored, " in page
    assert "1 073 741 824 combinations" in page


def test_the_other_ways_found_can_be_shown() -> None:
    case = known_cases.with_changes(3, 6)
    found = known_cases.search(case).found
    assert len(found) > 1
    screen = Screen.at(case=case).click("shown 1")
    assert screen.view == View(case=case, counterfactual=1)
    assert screen.address["shown"] == ["2"]
    assert set(screen.marks("countershapley")) == names(found[1])


def test_ways_that_read_the_same_are_told_apart() -> None:
    case = known_cases.with_ways_that_read_the_same()
    n_found = len(known_cases.search(case).found)
    screen = Screen.at(case=case)
    assert screen.set("toggle", "table greedy", True).view == View(case=case)
    ways = [button.label for button in screen.app.button if button.key.startswith("shown ")]
    assert len(set(ways)) == n_found
    for place in reversed(range(n_found)):
        assert screen.click(f"shown {place}").view.counterfactual == place


def test_an_option_changes_the_search() -> None:
    case = known_cases.reducible()
    screen = Screen.at(case=case).set("selectbox", "option reward", "proximity")
    assert screen.address["nice.reward"] == ["proximity"]
    assert set(screen.marks("greedy")) - {""} == names(known_cases.search(case, "proximity").found[0])
    assert screen.set("toggle", "option reduce", True).view.options == (("reduce", True), ("reward", "proximity"))
    assert "reduce" not in screen.buttons


def test_only_what_is_enough_can_be_kept() -> None:
    case = known_cases.reducible()
    known = known_cases.explanation(case, reward="proximity")
    assert known.coalitions is not None
    enough = known.coalitions.names(known.coalitions.minimal[0])
    screen = Screen.at(case=case, nice__reward="proximity")
    assert f"{len(enough)} of the {len(known.counterfactual)} are already enough" in screen.sentence
    assert screen.app.button(key="reduce").label == f"Keep only the {len(enough)} that are enough"
    screen.click("reduce")
    assert screen.view.kept == enough
    assert set(screen.address["keep"]) == set(enough)
    assert set(screen.marks("countershapley")) == set(enough)
    assert set(screen.marks("greedy")) == {"", *enough}
    assert len(screen.marks("constellation")) == 2 ** len(enough) - 1
    assert "none of them can be left out" in screen.sentence
    assert set(screen.click("keep all").marks("countershapley")) == names(known.counterfactual)


def test_the_address_can_keep_some_changes() -> None:
    case = known_cases.reducible()
    known = known_cases.explanation(case, reward="proximity")
    assert known.coalitions is not None
    enough = list(known.coalitions.names(known.coalitions.minimal[0]))
    screen = Screen.at(case=case, nice__reward="proximity", keep=enough)
    assert set(screen.marks("countershapley")) == set(enough)
    assert len(screen.changes) == len(enough)


@pytest.mark.parametrize(
    ("keep", "told"),
    [("first", "These changes alone do not flip the case."), ("other", "is not among the changes")],
)
def test_what_can_not_be_kept_is_one_sentence(keep: str, told: str) -> None:
    case = known_cases.beginning()
    changed = names(known_cases.search(case).found[0])
    other = next(name for name in known_cases.problem().schema.names if name not in changed)
    screen = Screen.at(case=case, keep=sorted(changed)[0] if keep == "first" else other)
    assert len(screen.strips) == 1
    assert told in screen.strips[0]
    assert not screen.figures


def test_a_counterfactual_that_was_not_found_is_one_sentence() -> None:
    n_found = len(known_cases.search(known_cases.beginning()).found)
    screen = Screen.at(case=known_cases.beginning(), shown="99")
    assert screen.strips == [f"The address asks for counterfactual 99, but there are {n_found}."]
    assert not screen.figures


class TestPicking:
    @pytest.fixture
    def screen(self) -> Screen:
        return Screen.at(case=known_cases.beginning())

    @pytest.mark.parametrize("chart", ["countershapley", "greedy"])
    def test_a_change_is_marked_everywhere(self, screen: Screen, chart: str) -> None:
        before = screen.figures
        changes = known_cases.search(known_cases.beginning()).found[0].changes
        change = changes[1]
        screen.pick(chart, change.feature)
        assert screen.view.selection == (change.feature,)
        assert screen.address["select"] == [change.feature]
        assert [shown.startswith("●") for shown in screen.changes] == [other is change for other in changes]
        assert all(screen.figures[name] != before[name] for name in CHARTS)
        assert all(f"● {change.title}" in screen.words(name) for name in ("countershapley", "greedy"))
        assert any(text.startswith(f"Selected {change.title}") for text in screen.html("sentence"))

    def test_a_combination_is_read_out(self, screen: Screen) -> None:
        known = known_cases.explanation(known_cases.beginning())
        assert known.coalitions is not None
        screen.pick("constellation", 0b101)
        assert set(screen.view.selection) == set(known.coalitions.names(0b101))
        told = sentences.selection(known.coalitions, known.countershapley, screen.view.selection)
        assert any(same_words(text, wording.plain(told)) for text in screen.html("sentence"))
        marked = [change.feature in screen.view.selection for change in known.counterfactual.changes]
        assert [shown.startswith("●") for shown in screen.changes] == marked

    @pytest.mark.parametrize("chart", CHARTS)
    def test_picked_again_the_mark_is_gone(self, screen: Screen, chart: str) -> None:
        before = screen.figures
        what = next(iter(what for what in screen.marks(chart) if what))
        assert screen.pick(chart, what).view.selection
        assert screen.pick(chart, what).view.selection == ()
        assert screen.figures == before

    def test_clear_takes_the_mark_away(self, screen: Screen) -> None:
        before = screen.figures
        feature = known_cases.search(known_cases.beginning()).found[0].changes[1].feature
        assert screen.pick("greedy", feature).view.selection
        screen.click("clear")
        assert screen.view == View(case=known_cases.beginning())
        assert screen.figures == before

    def test_the_case_as_it_is_can_not_be_marked(self, screen: Screen) -> None:
        assert screen.pick("greedy", "").view.selection == ()

    def test_a_combination_becomes_the_counterfactual(self) -> None:
        case = known_cases.reducible()
        known = known_cases.explanation(case, reward="proximity")
        assert known.coalitions is not None
        enough = known.coalitions.names(known.coalitions.minimal[0])
        screen = Screen.at(case=case, nice__reward="proximity", select=list(enough))
        screen.click("adopt")
        assert screen.view.kept == enough
        assert set(screen.marks("countershapley")) == set(enough)
        assert set(screen.marks("greedy")) == {"", *enough}


@pytest.fixture(scope="module")
def of_a_network() -> str:
    """The widest sample with a model that is no forest, as a person may train it: its address."""
    return projects.keep(projects.of("breast_cancer").planned(trainer="mlp"))


def test_changes_of_other_models_are_sampled_and_their_errors_shown(of_a_network: str) -> None:
    screen = Screen.at(data=of_a_network, case="1", nice__reward="none")
    n_changes = len(screen.changes)
    assert n_changes > MOST_CHANGES and not screen.strips
    page = screen.text.replace(wording.SPACE, " ")
    assert re.search(r"averaged over [\d ]+ random orders of the changes; ± and the brackets", page)
    assert re.search(r"[\d ]+ random orders: [\d ]+ rows scored in \d+ calls? of the model, [\d.]+ s\.", page)
    assert "the model is no tree, forest or boosted regressor of scikit-learn" in page
    notes = " ".join(note["text"] for note in screen.figures["countershapley"]["layout"]["annotations"])
    assert notes.count("±") >= 8
    assert set(screen.figures) >= {"countershapley", "greedy", "constellation"}
    frame = screen.set("toggle", "table countershapley", True).app.dataframe[0].value
    assert len(frame) == n_changes and (frame["standard error"] > 0).all()


def test_what_was_stopped_too_early_may_be_drawn_again(of_a_network: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Greedy and the combinations are there all the same."""
    stopped = Sampled.explain

    def stop(*args: Any, **more: Any) -> Any:
        raise Stopped("It was stopped.")

    monkeypatch.setattr(Sampled, "explain", stop)
    screen = Screen.at(data=of_a_network, case="2", nice__reward="none")
    assert set(screen.figures) >= {"greedy", "constellation"} and "countershapley" not in screen.figures
    (strip,) = screen.strips
    assert "it was stopped before enough random orders" in strip
    monkeypatch.setattr(Sampled, "explain", stopped)
    assert "countershapley" in screen.click("again").figures
