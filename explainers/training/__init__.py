"""Models that are trained here: what they learn, from which rows, and how well they do on the others.

Fitted models are made of scikit-learn's own parts alone, so that a saved one works
wherever scikit-learn is.
"""

from explainers.training.fitting import TRAINING_SHARE, Trained, default_decision, split, train, train_forest
from explainers.training.held_out import HeldOut, held_out, held_out_accuracy
from explainers.training.outcome import Outcome, TargetKind, guess_target, read_outcome, target_kind
from explainers.training.trainers import FOREST_TREES, TRAINERS, Trainer, forest, forest_of_numbers, trainers_of

__all__ = [
    "FOREST_TREES",
    "TRAINERS",
    "TRAINING_SHARE",
    "HeldOut",
    "Outcome",
    "TargetKind",
    "Trained",
    "Trainer",
    "default_decision",
    "forest",
    "forest_of_numbers",
    "guess_target",
    "held_out",
    "held_out_accuracy",
    "read_outcome",
    "split",
    "target_kind",
    "train",
    "train_forest",
    "trainers_of",
]
