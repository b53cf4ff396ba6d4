"""What a person can have beside the charts: how usual the new values are, the nearest real case, SHAP and LIME."""

from __future__ import annotations

import streamlit as st

from components.beside_attributions import attributions_card
from components.beside_nearest import nearest_card
from components.beside_usual import usual_card
from components.palette import Palette
from components.state import session, widgets
from explainers.explanation import Explanation
from explainers.problem import Case, Problem

CARDS = {
    "usual": ("How usual are the new values?", "Shows each new value among those of all rows.", usual_card),
    "nearest": ("The nearest real case", "Shows the case and its counterfactual beside a real one.", nearest_card),
    "attributions": ("SHAP and LIME", "Shows what they say of the case, feature by feature.", attributions_card),
}


def beside(problem: Problem, case: Case, explanation: Explanation, palette: Palette) -> None:
    """The choices and, below them, the card that is chosen; pressing its button again puts it away.

    They are plain buttons, as these leave the arrow keys to the cases.
    """
    chosen = session.view().beside
    with st.container(key="beside", horizontal=True, gap="small"):
        for name, (label, help_, _) in CARDS.items():
            st.button(
                label, key=f"beside {name}", type="primary" if name == chosen else "secondary",
                on_click=widgets.change, kwargs={"beside": "" if name == chosen else name},
                help="Puts it away." if name == chosen else help_,
            )  # fmt: skip
    if chosen:
        CARDS[chosen][2](problem, case, explanation, palette)
