"""Fits on folds: predictions, failures, and baselines that ignore the features."""

from sklearn_ordinal.model_selection._dummy import OrdinalDummyClassifier

__all__ = [
    "OrdinalDummyClassifier",
]
