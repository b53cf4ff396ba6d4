"""What is desired, and by how much a row is there: one kind of decision for each kind of output."""

from explainers.decision.base import Decision, DecisionError, Outputs, Target
from explainers.decision.classes import (
    ANY_OTHER,
    BinaryDecision,
    BinaryTarget,
    ClassDecision,
    ClassTarget,
    LeadTarget,
    OneVsRestDecision,
    OtherClassTarget,
)
from explainers.decision.interval import IntervalDecision, IntervalTarget

__all__ = [
    "ANY_OTHER",
    "BinaryDecision",
    "BinaryTarget",
    "ClassDecision",
    "ClassTarget",
    "Decision",
    "DecisionError",
    "IntervalDecision",
    "IntervalTarget",
    "LeadTarget",
    "OneVsRestDecision",
    "OtherClassTarget",
    "Outputs",
    "Target",
]
