"""Class sizes at which the folds of a cross-validation are evaluated."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    EstimatorMetric,
    OrdinalMetric,
    OrdinalScale,
    RowMetric,
    check_shares,
)
from sklearn_ordinal.model_selection._splits import Split


def check_prevalence(
    prevalence: ArrayLike | None, metrics: Sequence[OrdinalMetric], scale: OrdinalScale
) -> NDArray[np.float64] | None:
    """Return the share of each class, and raise unless all metrics take weights."""
    if prevalence is None:
        return None
    for metric in metrics:
        if isinstance(metric, EstimatorMetric):
            raise ValueError(
                f"prevalence cannot be used with {metric.name}, whose scorer is called without "
                f"weights: leave one of the two out."
            )
        if isinstance(metric, RowMetric) and not metric.takes_sample_weight:
            raise ValueError(
                f"prevalence cannot be used with {metric.name}, which takes no sample_weight: "
                f"leave one of the two out."
            )
    return check_shares("prevalence", prevalence, len(scale))


def check_classes_of_folds(
    prevalence: NDArray[np.float64],
    splits: Sequence[Split],
    y_true: NDArray[np.intp],
    scale: OrdinalScale,
) -> None:
    """Raise unless each fold tests samples of each class with a positive share."""
    for number, (_, test) in enumerate(splits, start=1):
        is_missing = (prevalence > 0) & (np.bincount(y_true[test], minlength=len(scale)) == 0)
        if is_missing.any():
            missing = scale.labels[is_missing].tolist()
            raise ValueError(
                f"prevalence must be 0 for a class without test samples, got a positive share for "
                f"{missing[0]!r}, which fold {number} does not test: pass fewer or stratified "
                f"folds, or weight all folds together, with OrdinalReport.from_confusion"
                f"(report.pooled.confusion, prevalence=...)."
            )
