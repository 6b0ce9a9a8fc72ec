"""Classifiers that decide from probabilities or scores."""

from sklearn_ordinal.decisions._base import check_takes_classes as check_takes_classes
from sklearn_ordinal.decisions._boosting import CemBoostingClassifier
from sklearn_ordinal.decisions._cuts import ClassesByScore as ClassesByScore
from sklearn_ordinal.decisions._objective import cem_objective
from sklearn_ordinal.decisions._optimal import OptimalDecisionClassifier
from sklearn_ordinal.decisions._rounded import RoundedRegressor as RoundedRegressor
from sklearn_ordinal.decisions._search import TunedCuts as TunedCuts
from sklearn_ordinal.decisions._tuned import TunedOrdinalThresholdClassifierCV

__all__ = [
    "CemBoostingClassifier",
    "OptimalDecisionClassifier",
    "TunedOrdinalThresholdClassifierCV",
    "cem_objective",
]
