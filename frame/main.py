"""The frame around every page: configuration, navigation, the case bar, and the address."""

from pathlib import Path

import streamlit as st

from components import arrival, catalogue, equation_subject, explaining
from components.arrival_strip import data_bar, not_ready
from components.case_bar import case_bar, observed_bar
from components.in_browser import in_browser
from components.navigation import navigation, unreadable
from components.pending import awaited
from components.state import session
from components.state.url import AddressError
from components.state.whole_acts import keep_acts_whole
from components.store_errors import StoreError
from components.style import current_palette, style
from explainers.counterfactuals.mcce import Mcce

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "pages"
ICON = ROOT / "components" / "assets" / "flipside.png"

keep_acts_whole()
st.set_page_config(page_title="Flipside", page_icon=ICON, layout="wide")
palette = current_palette()
style(palette)
pages = (
    st.Page(PAGES / "explain.py", title="Explain", default=True),
    st.Page(PAGES / "cases.py", title="Cases"),
    st.Page(PAGES / "data_and_model.py", title="Data & model"),
    st.Page(PAGES / "candidates.py", title="Candidates"),
    st.Page(PAGES / "equation.py", title="Equation"),
    st.Page(PAGES / "prototypes.py", title="Prototypes"),
    st.Page(PAGES / "compare.py", title="Compare"),
)
EXPLAIN_PAGE, _, DATA_PAGE, CANDIDATES_PAGE, EQUATION_PAGE = pages[:5]
page = st.navigation(pages, position="hidden")

try:
    view = session.begin()
    arrived = arrival.arrive(view.data)
    if arrived.ticket or arrived.obstacle:
        observed = arrival.observed_column(view.data) if page == EQUATION_PAGE else None
        if observed is not None:
            session.show(equation_subject.settled(view, observed))
            navigation(pages, page)
            observed_bar(observed, palette)
            session.end()
            with st.container(key="unseen"):
                in_browser(observed.ids)
            page.run()
            st.stop()
        navigation(pages, page)
        data_bar()
        session.end()
        if arrived.ticket or arrived.obstacle == arrival.STOPPED or page != DATA_PAGE:
            not_ready(arrived, DATA_PAGE, palette)
        if page == DATA_PAGE and not arrived.ticket:
            page.run()
        st.stop()
    view = catalogue.settled(view)
    problem = catalogue.problem_of(view)
    catalogue.check(view, problem)
except (AddressError, StoreError, catalogue.NotThereError) as error:
    unreadable(str(error), palette)
    st.stop()

session.show(view)
navigation(pages, page)
case = catalogue.case_of(view, problem)
asked = view.asking(Mcce.name) if page == CANDIDATES_PAGE else view
# the page Equation has changes of its own, which are not those that a generator finds
outcome = explaining.Outcome() if page == EQUATION_PAGE else explaining.explain(asked, problem, case)
case_bar(problem, case, outcome.explanation.counterfactual if outcome.explanation else None, palette)
session.end()
with st.container(key="unseen"):
    in_browser(catalogue.cases(view, problem))
    if outcome.pending and page not in (EXPLAIN_PAGE, CANDIDATES_PAGE):
        awaited(outcome.pending)
page.run()
