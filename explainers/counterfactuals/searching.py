"""What every search has in common: from a question to a checked result, however the search ends."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from explainers.constraints import Constraints
from explainers.counterfactuals.assembly import Candidate, assemble
from explainers.counterfactuals.neighbours import Neighbour, desired_training_rows, nearest_desired, why_none
from explainers.decision import Outputs, Target
from explainers.distances import heom, value_ranges
from explainers.importance.coalitions import changed_features
from explainers.method import Options, origin, whole
from explainers.problem import Case, Problem
from explainers.results import Counterfactuals, NoneFound
from explainers.run import Run, Stopped
from explainers.schema import Rows, Schema

NO_TRAINING_ROWS = "It looks for real cases on the other side, and this table has no training rows."


@dataclass(frozen=True)
class SearchOptions(Options):
    """What a person may set on every search that may find many counterfactuals."""

    ways: int = whole(
        3,
        label="Ways to show",
        help="So many of the counterfactuals found are shown; those that change other features come first.",
        low=1,
        high=10,
    )


@dataclass(frozen=True, eq=False)
class Prepared:
    """What serves every case of a problem.

    Attributes
    ----------
    ranges : array of shape (n_features,)
        Of the training rows, by feature.
    """

    ranges: Rows


@dataclass(frozen=True, eq=False)
class Search:
    """A question put to a generator, and what was found so far.

    Attributes
    ----------
    problem : Problem
    case : Case
    constraints : Constraints
    outputs : array of shape (n_outputs,)
        The model's for the case.
    target : Target
    ranges : array of shape (n_features,)
    run : Run
    found : list of Candidate
        Rows that flip and keep every rule.
    """

    problem: Problem
    case: Case
    constraints: Constraints
    outputs: Outputs
    target: Target
    ranges: Rows
    run: Run
    found: list[Candidate] = field(default_factory=list)

    @property
    def schema(self) -> Schema:
        return self.problem.schema

    @property
    def training_rows(self) -> Rows:
        return self.problem.rows[self.problem.training]

    @property
    def has_desired_rows(self) -> bool:
        """Whether any training row has the desired decision."""
        return len(desired_training_rows(self.problem, self.target, self.run)) > 0

    def random(self) -> np.random.Generator:
        """The random numbers of this case."""
        return self.run.random(self.case.id)

    def ask(self, rows: Rows) -> Outputs:
        """The model's outputs for rows that keep every rule; those that flip are noted as found."""
        outputs = self.problem.model.score(rows, self.run)
        scores = self.target.drawn(outputs)
        flipping = np.flatnonzero(self.target.flips(outputs)).tolist()
        self.found.extend(Candidate(rows[at].copy(), float(scores[at])) for at in flipping)
        return outputs

    def nearest(self, most: int) -> tuple[Neighbour, ...]:
        """The nearest real cases with the desired decision, with every rule kept."""
        return nearest_desired(self.problem, self.case, self.constraints, self.target, self.ranges, most, self.run)

    def under(self, constraints: Constraints) -> Search:
        """The same question under other rules, with nothing found yet."""
        quiet = Run(self.run.seed, self.run.deadline, self.run.cancelled)
        return type(self)(self.problem, self.case, constraints, self.outputs, self.target, self.ranges, quiet)

    def fewest_changes_first(self) -> list[Candidate]:
        """What was found without repeats: fewest changes first, then nearest.

        Those that change a set of features which none before them changes come before the others.
        """
        distinct = list({candidate.row.tobytes(): candidate for candidate in self.found}.values())
        if not distinct:
            return []
        distances = heom(self.schema, self.ranges, self.case.row, np.stack([c.row for c in distinct]))
        sets = [changed_features(self.case.row, candidate.row) for candidate in distinct]
        order = sorted(range(len(distinct)), key=lambda i: (len(sets[i]), distances[i], i))
        firsts = {sets[i]: i for i in reversed(order)}
        return [distinct[i] for i in sorted(order, key=lambda i: firsts[sets[i]] != i)]


class Searcher(ABC):
    """A generator that differs from others in how it seeks alone.

    Whatever happens, the result says what was found so far: a run that ends early keeps
    it, and one call of the model more shows it as checked.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    question: ClassVar[str]
    options_type: ClassVar[type[Options]] = SearchOptions
    search_type: ClassVar[type[Search]] = Search

    @abstractmethod
    def seek(self, search: Any, options: Any, prepared: Any) -> None:
        """Put what flips into `search.found`.

        It finds something wherever a real case with the desired decision still has it once
        every rule is kept, and nothing where no training row has it.
        """

    def can_find(self, search: Search, options: Any, prepared: Any) -> bool:
        """Whether the search would find anything; by default it lives on real cases alone."""
        return bool(search.nearest(1))

    def why_not(self, search: Any, options: Any, prepared: Any) -> NoneFound:
        """Why the search, which ended by itself, found nothing."""
        return why_none(
            search.problem, search.case, search.constraints, search.target, search.run,
            lambda constraints: self.can_find(search.under(constraints), options, prepared),
        )  # fmt: skip

    def ranked(self, search: Search, options: Any, prepared: Any) -> Sequence[Candidate]:
        """What is shown of what was found, best first."""
        return search.fewest_changes_first()[: options.ways]

    def told(self, search: Any, result: Counterfactuals) -> Counterfactuals:
        """The result, with what else this search has to say."""
        return result

    def unfit(self, problem: Problem) -> str | None:
        """Without training rows there is nothing to go by."""
        return None if problem.training.any() else NO_TRAINING_ROWS

    def prepared_key(self, problem: Problem, constraints: Constraints, options: Any) -> Hashable:
        """The rows alone."""
        return problem.content_key

    def prepare(self, problem: Problem, constraints: Constraints, options: Any, run: Run) -> Any:
        """The scale of the distance."""
        run.check()
        return Prepared(value_ranges(problem.rows[problem.training]))

    def explain(
        self,
        problem: Problem,
        case: Case,
        constraints: Constraints | None = None,
        options: Any = None,
        run: Run | None = None,
        prepared: Any = None,
    ) -> Counterfactuals:
        """Counterfactuals of a case, best first, or none with the reason.

        Raises
        ------
        ValueError
            If the options or constraints can't be; the message says which and why.
        Stopped
            If the run had ended before the search began.
        """
        constraints = Constraints.default(problem.schema) if constraints is None else constraints
        options, run = options or self.options_type(), run or Run()
        if wrong := (*options.check(), *constraints.check(problem.schema)):
            raise ValueError(" ".join(wrong))
        outputs = problem.case_outputs(case, run)
        target = problem.decision.target(outputs)
        factual_score = float(target.drawn(outputs[None])[0])
        how = origin(self, problem, options, run)
        if target.is_reached:
            run.progress(1.0)
            return Counterfactuals(case.id, target, factual_score, (), NoneFound("reached"), True, how)
        prepared = prepared or self.prepare(problem, constraints, options, run)
        search = self.search_type(problem, case, constraints, outputs, target, prepared.ranges, run)
        none_found, is_complete = None, True
        try:
            self.seek(search, options, prepared)
            if not search.found:
                none_found = self.why_not(search, options, prepared)
        except Stopped as stopped:
            none_found, is_complete = NoneFound("stopped", detail=str(stopped)), False
        # A run that has ended may still ask once, so that what it found is shown as checked.
        shown = self.ranked(search, options, prepared)
        found = assemble(
            problem, case, constraints, target, factual_score, shown, prepared.ranges, how, Run(seed=run.seed)
        )
        run.progress(1.0)
        none_found = None if found else none_found
        return self.told(search, Counterfactuals(case.id, target, factual_score, found, none_found, is_complete, how))


class InventiveSearcher(Searcher):
    """A search that makes up rows, and so may find something where no real case helps."""

    def can_find(self, search: Search, options: Any, prepared: Any) -> bool:
        """Whether a real case or the search itself gives something."""
        if super().can_find(search, options, prepared):
            return True
        self.seek(search, options, prepared)
        return bool(search.found)
