"""Classifiers that decide from probabilities or scores."""

from sklearn_ordinal.decisions._optimal import OptimalDecisionClassifier

__all__ = ["OptimalDecisionClassifier"]
