"""How usual are the new values? The card with a distribution for each change."""

from __future__ import annotations

from components.beside_work import worked
from components.card_parts import card, chart, headed, table
from components.charts.distribution import distribution_chart
from components.palette import Palette
from components.state import picks, session
from explainers import how_to_read_beside, sentences_beside, wording
from explainers.explanation import Explanation
from explainers.problem import Case, Problem
from explainers.run import Run
from explainers.usualness import Usualness, usual_frame, usualness

NAME = "usual"
QUESTION = "How usual are the new values?"


def usual_card(problem: Problem, case: Case, explanation: Explanation, palette: Palette) -> None:
    """Draw the card."""
    counterfactual = explanation.counterfactual

    def work(run: Run) -> tuple[Usualness, ...]:
        run.check()
        return usualness(problem.schema, problem.rows, counterfactual)

    key = (NAME, problem.content_key, case.row.tobytes(), counterfactual.row.tobytes())
    found = worked(QUESTION, key, work, palette)
    if found is None:
        return
    with card(NAME):
        about = wording.plain(sentences_beside.about_usual(found))
        if headed(NAME, QUESTION, "", about, palette, how_to_read_beside.of_usual(found)):
            table(usual_frame(found), NAME)
            return
        figure = distribution_chart(found, palette, selected=frozenset(session.view().selection))
        chart(NAME, figure, wording.plain(sentences_beside.alt_usual(found)), picks.pick_change)
