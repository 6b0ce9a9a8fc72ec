"""Plots of confusion matrices, errors, curves, calibration, folds and comparisons."""

from sklearn_ordinal.plotting._calibration_display import ThresholdCalibrationDisplay
from sklearn_ordinal.plotting._comparison_display import ComparisonDisplay, FoldScoresDisplay
from sklearn_ordinal.plotting._confusion_display import (
    ErrorDistributionDisplay,
    OrdinalConfusionMatrixDisplay,
)
from sklearn_ordinal.plotting._costs_display import ErrorCostDisplay
from sklearn_ordinal.plotting._curve_displays import (
    CoverageCurveDisplay,
    OrdinalDetCurveDisplay,
    OrdinalPrecisionRecallDisplay,
    OrdinalRocCurveDisplay,
)
from sklearn_ordinal.plotting._intervals_display import IntervalsDisplay as IntervalsDisplay
from sklearn_ordinal.plotting._ranks_display import CriticalDifferenceDisplay
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
