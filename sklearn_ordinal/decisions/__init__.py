"""Classifiers that decide from probabilities or scores."""

from sklearn_ordinal.decisions._objective import cem_objective
from sklearn_ordinal.decisions._optimal import OptimalDecisionClassifier

__all__ = ["OptimalDecisionClassifier", "cem_objective"]
