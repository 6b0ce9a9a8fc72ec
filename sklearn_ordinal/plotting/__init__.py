"""Plots of confusion matrices, errors, curves, calibration, folds and comparisons."""

from sklearn_ordinal.plotting._calibration import ThresholdCalibrationDisplay
from sklearn_ordinal.plotting._comparison import ComparisonDisplay
from sklearn_ordinal.plotting._confusion import OrdinalConfusionMatrixDisplay
from sklearn_ordinal.plotting._costs import ErrorCostDisplay
from sklearn_ordinal.plotting._curves import (
    CoverageCurveDisplay,
    OrdinalDetCurveDisplay,
    OrdinalPrecisionRecallDisplay,
    OrdinalRocCurveDisplay,
)
from sklearn_ordinal.plotting._errors import ErrorDistributionDisplay
from sklearn_ordinal.plotting._estimates import MetricEstimatesDisplay as MetricEstimatesDisplay
from sklearn_ordinal.plotting._folds import FoldScoresDisplay
from sklearn_ordinal.plotting._rank_agreement import RankAgreementDisplay as RankAgreementDisplay
from sklearn_ordinal.plotting._ranks import CriticalDifferenceDisplay
from sklearn_ordinal.plotting._systems import SystemsDisplay as SystemsDisplay
from sklearn_ordinal.plotting._tuning import ThresholdTuningDisplay

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
