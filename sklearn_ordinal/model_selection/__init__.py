"""Estimators in cross-validation: reports, baselines and comparisons."""

from sklearn_ordinal.model_selection._compare import compare_estimators
from sklearn_ordinal.model_selection._cross_val import cross_val_report
from sklearn_ordinal.model_selection._dummy import OrdinalDummyClassifier

__all__ = [
    "OrdinalDummyClassifier",
    "compare_estimators",
    "cross_val_report",
]
