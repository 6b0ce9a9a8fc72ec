"""Classifiers that decide from probabilities or scores."""

from sklearn_ordinal.decisions._boosting import CemBoostingClassifier, cem_objective
from sklearn_ordinal.decisions._optimal import OptimalDecisionClassifier
from sklearn_ordinal.decisions._thresholds import TunedThresholds
from sklearn_ordinal.decisions._thresholds import tune_thresholds as tune_thresholds
from sklearn_ordinal.decisions._tuned import TunedOrdinalThresholdClassifierCV

__all__ = [
    "CemBoostingClassifier",
    "OptimalDecisionClassifier",
    "TunedOrdinalThresholdClassifierCV",
    "TunedThresholds",
    "cem_objective",
]
