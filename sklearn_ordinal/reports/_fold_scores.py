"""Scores of folds: their mean with an interval, and the scores of two estimators to compare."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal.inference import Interval, corrected_t_interval


def folds_interval(values: NDArray[np.float64], **options: float) -> Interval:
    """Return the mean over the folds and its interval, which is undefined if a value is infinite.

    The interval is about the models fitted on this data, not about the learning algorithm.
    """
    interval = corrected_t_interval(_without_infinite(values), **options)
    if not np.isinf(values).any():
        return interval
    return replace(interval, estimate=float(np.nanmean(values)), low=np.nan, high=np.nan)


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
