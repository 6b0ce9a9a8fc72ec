"""Prediction sets, such as conformal sets: coverage and size."""

from sklearn_ordinal.prediction_sets._prediction_set_report import PredictionSetReport
from sklearn_ordinal.prediction_sets._prediction_set_report import (
    PredictionSetsDisplay as PredictionSetsDisplay,
)
from sklearn_ordinal.prediction_sets._prediction_set_report import (
    prediction_set_report as prediction_set_report,
)

__all__ = [
    "PredictionSetReport",
]
