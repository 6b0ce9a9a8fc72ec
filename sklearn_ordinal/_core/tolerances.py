"""Tolerances: when values are equal up to rounding, and the ranks of such values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# The tolerance relative to the values that are compared.
TIE = 1e-9

# The smallest scale, since zeros with rounding errors have no scale of their own.
_SMALLEST_SCALE = 1e-5
# Ties are merged by rounding to multiples of this step. A share of samples can be halfway between
# two multiples of 1e-9, where rounding errors would separate equal shares. It cannot be halfway
# between two multiples of an irrational number.
_STEP = TIE * np.sqrt(2)


def scale_of(
    values: NDArray[np.float64], axis: int | tuple[int, ...] | None = None
) -> NDArray[np.float64]:
    """Return the largest finite absolute value, which is the scale of rounding errors."""
    scale: NDArray[np.float64] = np.max(
        np.abs(values), axis=axis, initial=_SMALLEST_SCALE, where=np.isfinite(values)
    )
    return scale


def rounding_margins(*values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a bound on the rounding errors of values computed from these numbers.

    A margin is relative to the value itself, not to the largest value: a huge loss of one system
    does not make two other systems equal.
    """
    largest = np.maximum.reduce(
        [np.where(np.isfinite(numbers), np.abs(numbers), 0.0) for numbers in values]
    )
    margins: NDArray[np.float64] = TIE * np.maximum(largest, _SMALLEST_SCALE)
    return margins


def dense_ranks(
    values: NDArray[np.float64], margins: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Return the rank of each value on the last axis, 0 for the lowest; NaN stays NaN.

    Neighbouring values share a rank if they differ by at most the larger of their margins. By
    default, the margins are `rounding_margins(values)`.
    """
    margins = rounding_margins(values) if margins is None else margins
    order = np.argsort(values, axis=-1)
    ordered, margins = (np.take_along_axis(array, order, axis=-1) for array in (values, margins))
    with np.errstate(invalid="ignore"):
        # Two infinite values, whose difference is undefined, are ties.
        steps = np.diff(ordered)
    is_step = steps > np.maximum(margins[..., :-1], margins[..., 1:])
    ranks = np.zeros(values.shape)
    np.put_along_axis(ranks, order[..., 1:], np.cumsum(is_step, axis=-1), axis=-1)
    return np.where(np.isnan(values), np.nan, ranks)


def merge_ties(
    values: NDArray[np.float64], scale: NDArray[np.float64] | float
) -> NDArray[np.float64]:
    """Return values divided by the size of rounding errors and rounded, so that ties are equal.

    Unlike ranks from `dense_ranks`, results of several calls can be compared.
    """
    merged: NDArray[np.float64] = np.round(values / (_STEP * scale))
    return merged
