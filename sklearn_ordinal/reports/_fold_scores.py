"""Scores of folds: their mean with an interval, and the scores of two estimators to compare."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import OrdinalMetric, origin_of
from sklearn_ordinal.inference import (
    Interval,
    PairedDifference,
    corrected_t_interval,
    corrected_t_test,
)


def folds_interval(
    values: NDArray[np.float64], metric: OrdinalMetric, n_classes: int, **options: float
) -> Interval:
    """Return the mean over the folds and its interval, which is undefined if a value is infinite.

    The interval is within the range of the metric. It is about the models fitted on this data, not
    about the learning algorithm.
    """
    interval = corrected_t_interval(_without_infinite(values), **options)
    if not np.isinf(values).any():
        ends = np.clip([interval.low, interval.high], *_proven_bounds(metric, n_classes))
        return replace(interval, low=ends[0], high=ends[1])
    return replace(interval, estimate=float(np.nanmean(values)), low=np.nan, high=np.nan)


def folds_difference(
    pair: tuple[NDArray[np.float64], NDArray[np.float64]],
    metric: OrdinalMetric,
    n_classes: int,
    **options: float,
) -> PairedDifference:
    """Return the mean difference of comparable values, within the range of differences."""
    better = bool(metric.greater_is_better)
    difference = corrected_t_test(*pair, greater_is_better=better, **options)
    low, high = _proven_bounds(metric, n_classes)
    ends = np.clip([difference.low, difference.high], low - high, high - low)
    return replace(difference, low=ends[0], high=ends[1])


def comparable(
    values: NDArray[np.float64], others: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the values of two estimators, all NaN if their mean difference is not finite."""
    has_both = ~(np.isnan(values) | np.isnan(others))
    if np.isinf(values[has_both]).any() or np.isinf(others[has_both]).any():
        return np.full_like(values, np.nan), np.full_like(others, np.nan)
    return _without_infinite(values), _without_infinite(others)


def _without_infinite(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return values, with infinite values replaced by NaN."""
    return np.where(np.isinf(values), np.nan, values)


def _proven_bounds(metric: OrdinalMetric, n_classes: int) -> tuple[float, float]:
    """Return the range of the values of a metric of this package.

    A user's metric may have wrong bounds, and this must not discard the result of a long run.
    """
    if not origin_of(metric.statistic).startswith("sklearn_ordinal.metrics."):
        return -np.inf, np.inf
    low, high = metric.bounds(n_classes)
    replacement = metric.options.get("replace_undefined_by", np.nan)
    return min(low, np.fmin(replacement, low)), max(high, np.fmax(replacement, high))
