"""Estimators in cross-validation: reports, baselines and comparisons."""

from sklearn_ordinal.model_selection._cross_val import CrossValReport, cross_val_report
from sklearn_ordinal.model_selection._dummy import OrdinalDummyClassifier
from sklearn_ordinal.model_selection._folds import FitFailure

__all__ = ["CrossValReport", "FitFailure", "OrdinalDummyClassifier", "cross_val_report"]
