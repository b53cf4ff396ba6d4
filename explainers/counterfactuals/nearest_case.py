"""The nearest real cases with the desired decision, taken over whole."""

from __future__ import annotations

from collections.abc import Sequence

from explainers.counterfactuals.assembly import Candidate
from explainers.counterfactuals.searching import Prepared, Search, Searcher, SearchOptions


class NearestCase(Searcher):
    """Real cases as they are, but for what the rules keep as the case has it."""

    name = "nearest"
    title = "Nearest real case"
    question = "Which real case on the wanted side is nearest?"

    def seek(self, search: Search, options: SearchOptions, prepared: Prepared) -> None:
        """Take the nearest ones by HEOM."""
        search.found.extend(Candidate(n.row, n.score, n.id) for n in search.nearest(options.ways))

    def ranked(self, search: Search, options: SearchOptions, prepared: Prepared) -> Sequence[Candidate]:
        """Nearest first."""
        return search.found
