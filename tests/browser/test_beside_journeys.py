"""What stands beside the charts, looked at in a browser."""

from __future__ import annotations

from collections.abc import Callable

import known_cases
from known_cases import names
from playwright.sync_api import expect

from benchmarks.browser import CHARTS, Tab
from explainers.real_case import nearest_real_case

Opened = Callable[..., Tab]


def test_from_usual_values_to_the_three_views_to_the_nearest_real_case(open_tab: Opened) -> None:
    order = known_cases.order()
    problem, known = known_cases.problem(), known_cases.explanation(order[1])
    feature = known.counterfactual.changes[0].feature
    tab = open_tab(case=order[0]).wait_for_charts()
    tab.button("beside usual").click()
    tab.wait_for_address(case=order[0], beside="usual").wait_for_charts("usual")
    # The button leaves the arrow keys to the cases, and the card stays open.
    tab.press("ArrowRight")
    tab.wait_for_address(case=order[1], beside="usual").wait_for_charts(*CHARTS[:2], "usual")
    assert tab.marks("usual") == names(known.counterfactual)
    tab.pick("usual", feature)
    tab.wait_for_address(select=feature, beside="usual").wait_for_charts("usual")
    assert f"● {problem.schema[feature].title}".replace(" ", "") in "".join(tab.drawn_text("greedy").split())
    tab.button("beside attributions").click()
    tab.wait_for_address(case=order[1], beside="attributions").wait_for_charts("attributions")
    assert all(view in tab.drawn_text("attributions") for view in ("CounterShapley", "SHAP", "LIME"))
    tab.button("beside nearest").click()
    real = nearest_real_case(problem, problem.case(order[1]), known.counterfactual.target)
    assert real is not None
    expect(tab.page.locator("table.beside")).to_contain_text(f"Case {real.id}")
    tab.button("open nearest").click()
    tab.wait_for_address(case=real.id, beside="nearest")
