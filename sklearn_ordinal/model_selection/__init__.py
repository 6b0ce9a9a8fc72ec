"""Estimators in cross-validation: reports, baselines and comparisons."""

from sklearn_ordinal.model_selection._compare import compare_estimators
from sklearn_ordinal.model_selection._comparison import ComparisonReport, ModelComparison
from sklearn_ordinal.model_selection._cross_val import CrossValReport, cross_val_report
from sklearn_ordinal.model_selection._dummy import OrdinalDummyClassifier
from sklearn_ordinal.model_selection._folds import FitFailure

__all__ = [
    "ComparisonReport",
    "CrossValReport",
    "FitFailure",
    "ModelComparison",
    "OrdinalDummyClassifier",
    "compare_estimators",
    "cross_val_report",
]
