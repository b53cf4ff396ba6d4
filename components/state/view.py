"""What a person is looking at: one frozen value from which every page is drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from explainers.cases import CaseQuery, Filter
from explainers.constraints import Constraints, Rule
from explainers.method import Options
from explainers.registry import GENERATORS
from explainers.schema import Schema

DEFAULT_DATA = "german_credit"
DEFAULT_METHOD = "nice"
DEFAULT_STEP, DEFAULT_TOLERANCE = "10", 5
TOLERANCES = (1, 50)
"""How near real cases may have to be to a reference, in percent of it."""
NO_CASE = ""
BESIDE = ("usual", "nearest", "attributions")
"""What can stand beside the charts of a counterfactual."""
SORTS = ("distance", "score", "margin")
"""By what candidates can stand in their table instead of by their number of changes."""
REALISM = ("correlations", "apart")
"""What a person can ask about all sampled rows."""
EDITS = "edits"
"""What a view says it is given when the person's own edits are the counterfactual."""
ANOTHER_CASE = frozenset({"data", "case"})
NUMBERS = ("score", "observed")
"""What an equation can explain in the place of the model's number."""
ANOTHER_EQUATION = frozenset({"number", "step"}) | ANOTHER_CASE
EQUATION = frozenset({"number", "step", "size", "reference", "tolerance", "compares"})
"""What the page Equation alone goes by."""
ANOTHER_WAY = frozenset({"method", "options"})
STARTS_A_SEARCH = frozenset({"wanted", "threshold", "low", "high", "rules", "given"}) | ANOTHER_CASE | ANOTHER_WAY
DEFAULT_QUERY = CaseQuery(filters=frozenset({Filter.UNSEEN}))
STARTS_A_READING = STARTS_A_SEARCH | {"counterfactual", "kept"}


@dataclass(frozen=True)
class View:
    """Everything that decides what is drawn, and nothing else.

    Attributes
    ----------
    data : str
        A sample's name.
    case : str, optional
        A case's id; empty when none is chosen, ``None`` for the one to begin with.
    wanted : str, optional
        The side of the decision that is asked for; by default the other one.
    threshold : float, optional
        On the probability of the second class; by default the problem's own.
    low, high : float, optional
        The interval wanted of a number; by default the quarter beyond the case's own.
    rules : tuple of (feature name, Rule)
        Where the person departs from what the schema suggests.
    method : str
        A generator's name.
    options : tuple of (name, value)
        Where the person departs from the generator's defaults.
    counterfactual : int
        Which of those found is shown.
    kept : tuple of str
        The features whose change is kept; empty for all of them.
    selection : tuple of str
        The features that are marked everywhere.
    beside : str
        What stands beside the charts, one of `BESIDE`; empty for nothing.
    sort : str
        By what the candidates stand in their table, one of `SORTS`; empty for fewest changes first.
    realism : str
        What is asked about all sampled rows, one of `REALISM`; empty for nothing.
    query : CaseQuery
        Which cases there are to go through, and in which order.
    asks_what_if : bool
        Whether the list of features is a form.
    edits : tuple of (feature name, text)
        What the person tries on the case, as `explainers.intake.typed` writes values;
        sorted by name.
    given : str
        Where counterfactuals come from that are not searched for: `EDITS`, or the token of
        rows that somebody brought; empty for those that the generator finds.
    number : str
        What the equation explains, one of `NUMBERS`; empty for the model's number.
    step : str
        By how much the neighbourhoods of the equation grow.
    size : int, optional
        Which neighbourhood is looked at; by default the one whose equation holds best.
    reference : float, optional
        The number that the case is asked to come to.
    tolerance : int
        How near, in percent of it, real cases have to be to it.
    compares: bool
        Whether other local explanations stand beside the equation.
    compared : tuple of str
        The generators that are compared; empty for all.
    prototype : int
        Which of the nearest prototypes is looked at.
    along : int, optional
        How far along the path to it, in percent; by default where the decision first flips.
    losses : bool
        Whether what each loss makes of the case stands below its pictures.
    """

    data: str = DEFAULT_DATA
    case: str | None = None
    wanted: str | None = None
    threshold: float | None = None
    low: float | None = None
    high: float | None = None
    rules: tuple[tuple[str, Rule], ...] = ()
    method: str = DEFAULT_METHOD
    options: tuple[tuple[str, Any], ...] = ()
    counterfactual: int = 0
    kept: tuple[str, ...] = ()
    selection: tuple[str, ...] = ()
    beside: str = ""
    sort: str = ""
    realism: str = ""
    query: CaseQuery = DEFAULT_QUERY
    asks_what_if: bool = False
    edits: tuple[tuple[str, str], ...] = ()
    given: str = ""
    number: str = ""
    step: str = DEFAULT_STEP
    size: int | None = None
    reference: float | None = None
    tolerance: int = DEFAULT_TOLERANCE
    compares: bool = False
    compared: tuple[str, ...] = ()
    prototype: int = 0
    along: int | None = None
    losses: bool = False

    def changed(self, **changes: Any) -> View:
        """Another view; what belonged to the case or the counterfactual shown before falls away."""
        changes = {name: value for name, value in changes.items() if value != getattr(self, name)}
        if changes.keys() & ANOTHER_CASE:
            changes = {"edits": (), "given": "", **changes}
        elif changes.keys() & ANOTHER_WAY:
            changes = {"given": "", **changes}
        if changes.keys() & ANOTHER_EQUATION:
            changes = {"size": None, **changes}
        if changes.keys() & {"data", "number"}:
            changes = {"reference": None, **changes}
        if changes.keys() & STARTS_A_SEARCH or ("edits" in changes and self.given == EDITS):
            changes = {"counterfactual": 0, "kept": (), "selection": (), **changes}
        elif changes.keys() & STARTS_A_READING:
            changes = {"kept": (), "selection": (), **changes}
        return replace(self, **changes)

    def asking(self, method: str) -> View:
        """The view in which this generator is asked, with its own defaults unless it is asked already."""
        if self.method == method and not self.given:
            return self
        return self.changed(method=method, options=self.options if self.method == method else (), given="")

    def constraints(self, schema: Schema) -> Constraints:
        """The schema's own constraints with the person's in their place."""
        constraints = Constraints.default(schema)
        for name, rule in self.rules:
            constraints = constraints.with_rule(name, rule)
        return constraints

    def with_rule(self, schema: Schema, name: str, rule: Rule) -> View:
        """The view in which a feature is bound by another rule."""
        own = {kept: r for kept, r in self.rules if kept != name}
        if rule != Constraints.default(schema)[name]:
            own[name] = rule
        return self.changed(rules=tuple(sorted(own.items(), key=lambda item: item[0])))

    def method_options(self) -> Options:
        """The generator's options with the person's in their place."""
        return GENERATORS[self.method].options_type(**dict(self.options))

    def with_option(self, name: str, value: Any) -> View:
        """The view in which the generator has another option."""
        own = {**dict(self.options), name: value}
        default = GENERATORS[self.method].options_type()
        kept = {key: own[key] for key in sorted(own) if own[key] != getattr(default, key)}
        return self.changed(options=tuple(kept.items()))
