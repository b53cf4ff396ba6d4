"""What is desired, and by how much a row is there: one kind of decision for each kind of output."""

from explainers.decision.base import Decision, DecisionError, Outputs, Target
from explainers.decision.classes import BinaryDecision, BinaryTarget, ClassDecision, ClassTarget, OneVsRestDecision
from explainers.decision.interval import IntervalDecision, IntervalTarget

__all__ = [
    "BinaryDecision",
    "BinaryTarget",
    "ClassDecision",
    "ClassTarget",
    "Decision",
    "DecisionError",
    "IntervalDecision",
    "IntervalTarget",
    "OneVsRestDecision",
    "Outputs",
    "Target",
]
