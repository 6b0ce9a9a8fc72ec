"""Classifiers that decide from probabilities or scores."""

from sklearn_ordinal.decisions._boosting import CemBoostingClassifier
from sklearn_ordinal.decisions._objective import cem_objective
from sklearn_ordinal.decisions._optimal import OptimalDecisionClassifier
from sklearn_ordinal.decisions._tuned import TunedOrdinalThresholdClassifierCV

__all__ = [
    "CemBoostingClassifier",
    "OptimalDecisionClassifier",
    "TunedOrdinalThresholdClassifierCV",
    "cem_objective",
]
