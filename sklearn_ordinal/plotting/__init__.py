"""Plots of confusion matrices, errors, curves, calibration, folds and comparisons."""

from sklearn_ordinal.plotting._calibration_display import ThresholdCalibrationDisplay
from sklearn_ordinal.plotting._comparison_display import ComparisonDisplay
from sklearn_ordinal.plotting._confusion_display import OrdinalConfusionMatrixDisplay
from sklearn_ordinal.plotting._costs_display import ErrorCostDisplay
from sklearn_ordinal.plotting._curve_displays import (
    CoverageCurveDisplay,
    OrdinalDetCurveDisplay,
    OrdinalPrecisionRecallDisplay,
    OrdinalRocCurveDisplay,
)
from sklearn_ordinal.plotting._errors_display import ErrorDistributionDisplay
from sklearn_ordinal.plotting._folds_display import FoldScoresDisplay
from sklearn_ordinal.plotting._intervals import IntervalsDisplay as IntervalsDisplay
from sklearn_ordinal.plotting._intervals import as_columns as as_columns
from sklearn_ordinal.plotting._intervals import interval_as_text as interval_as_text
from sklearn_ordinal.plotting._prediction_sets_display import (
    PredictionSetsDisplay as PredictionSetsDisplay,
)
from sklearn_ordinal.plotting._ranks_display import CriticalDifferenceDisplay
from sklearn_ordinal.plotting._raters_display import RatersDisplay as RatersDisplay
from sklearn_ordinal.plotting._required_samples_display import (
    RequiredSamplesDisplay as RequiredSamplesDisplay,
)
from sklearn_ordinal.plotting._tuning_display import ThresholdTuningDisplay

__all__ = [
    "ComparisonDisplay",
    "CoverageCurveDisplay",
    "CriticalDifferenceDisplay",
    "ErrorCostDisplay",
    "ErrorDistributionDisplay",
    "FoldScoresDisplay",
    "OrdinalConfusionMatrixDisplay",
    "OrdinalDetCurveDisplay",
    "OrdinalPrecisionRecallDisplay",
    "OrdinalRocCurveDisplay",
    "ThresholdCalibrationDisplay",
    "ThresholdTuningDisplay",
]
