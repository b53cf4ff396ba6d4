"""What every method keeps: four small protocols and options from which a form is drawn."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Protocol

from explainers.attributions.attribution import Attribution
from explainers.constraints import Constraints
from explainers.labelled import LabelledTable
from explainers.problem import Case, Problem
from explainers.results import Counterfactual, Counterfactuals, Importance, Origin
from explainers.run import Run
from explainers.surrogates.equation import LocalEquations


@dataclass(frozen=True)
class Options:
    """What a person may set on a method; each method's own has one field a setting."""

    def check(self) -> tuple[str, ...]:
        """What can't be, as sentences; empty if all is well."""
        problems: list[str] = []
        for item in fields(self):
            about, value = item.metadata, getattr(self, item.name)
            if "choices" in about:
                if value not in tuple(about["choices"]):
                    problems.append(f"{about['label']} can be {', '.join(about['choices'])}, not {value!r}.")
            elif "low" in about:
                if not _fits(value, item.default, about):
                    bounds = f"a {_NUMBERS[about['type']]} from {about['low']} to {about['high']}"
                    problems.append(f"{about['label']} must be {bounds}, not {value!r}.")
            elif type(value) is not bool:
                problems.append(f"{about['label']} is either on or off, not {value!r}.")
        return tuple(problems)

    def items(self) -> tuple[tuple[str, Any], ...]:
        """Names and values, for an address and for a result's origin."""
        return tuple((item.name, getattr(self, item.name)) for item in fields(self))


def choice(default: str, *, label: str, help: str, choices: dict[str, str]) -> Any:
    """An option that is one of several names; `choices` maps each to how a person reads it."""
    return field(default=default, metadata={"label": label, "help": help, "choices": choices})


def whole(default: int | None, *, label: str, help: str, low: int, high: int) -> Any:
    """An option that is a whole number between two bounds, both included; it may be left open if its default is."""
    return field(default=default, metadata={"label": label, "help": help, "low": low, "high": high, "type": int})


def real(default: float | None, *, label: str, help: str, low: float, high: float) -> Any:
    """An option that is any number between two bounds, both included; it may be left open if its default is."""
    return field(default=default, metadata={"label": label, "help": help, "low": low, "high": high, "type": float})


def switch(default: bool, *, label: str, help: str) -> Any:
    """An option that is on or off."""
    return field(default=default, metadata={"label": label, "help": help})


_NUMBERS = {int: "whole number", float: "number"}


def _fits(value: Any, default: Any, about: Mapping[str, Any]) -> bool:
    if value is None:
        return default is None
    return type(value) is about["type"] and about["low"] <= value <= about["high"]


class Method(Protocol):
    """The base of all methods.

    Attributes
    ----------
    name : str
        In the registry and the address.
    title : str
        What experts call it.
    question : str
        What it answers, in one line.
    options_type : type
        Its own kind of `Options`.
    """

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def question(self) -> str: ...
    @property
    def options_type(self) -> type[Options]: ...

    def unfit(self, problem: Problem) -> str | None:
        """Why the method can't serve this problem, as a sentence, or nothing."""
        ...


class Generator(Method, Protocol):
    """Finds counterfactuals."""

    def prepared_key(self, problem: Problem, constraints: Constraints, options: Any) -> Hashable:
        """All that `prepare` depends on, besides the seed."""
        ...

    def prepare(self, problem: Problem, constraints: Constraints, options: Any, run: Run) -> Any:
        """What serves every case of a problem alike; a batch prepares once."""
        ...

    def explain(
        self,
        problem: Problem,
        case: Case,
        constraints: Constraints | None = None,
        options: Any = None,
        run: Run | None = None,
        prepared: Any = None,
    ) -> Counterfactuals:
        """Counterfactuals of a case, or none with the reason."""
        ...


class ImportanceMethod(Method, Protocol):
    """Says how much each change of a counterfactual counts."""

    def explain(
        self, problem: Problem, case: Case, counterfactual: Counterfactual, options: Any = None, run: Run | None = None
    ) -> Importance:
        """The importance of each change."""
        ...


class Surrogate(Method, Protocol):
    """Finds a simple equation that holds around a case; it needs numbers, but no model."""

    def prepared_key(self, labelled: LabelledTable, options: Any) -> Hashable:
        """All that `prepare` depends on."""
        ...

    def prepare(self, labelled: LabelledTable, options: Any, run: Run) -> Any:
        """What serves every case of a table alike; a batch prepares once."""
        ...

    def explain(
        self, labelled: LabelledTable, case: Case, options: Any = None, run: Run | None = None, prepared: Any = None
    ) -> LocalEquations:
        """The equations around a case, and which of them is the answer."""
        ...


class AttributionMethod(Method, Protocol):
    """Says how much each of a case's own values counts for its score, without a counterfactual."""

    def explain(self, problem: Problem, case: Case, options: Any = None, run: Run | None = None) -> Attribution:
        """The value of each feature."""
        ...


def origin(method: Method, problem: Problem, options: Options, run: Run) -> Origin:
    """How a result of this method comes about."""
    return Origin(method.name, options.items(), run.seed, problem.key)
