"""Ties: values that are equal up to rounding, or up to the 1e-9 of numerical integration."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Relative to the largest value.
TIE = 1e-9

# Zeros with rounding errors have no scale of their own.
_SMALLEST_SCALE = 1e-5
# A share of samples can be halfway between two multiples of 1e-9, where rounding errors would
# separate equal shares, but not between two multiples of an irrational number.
_STEP = TIE * np.sqrt(2)


def scale_of(
    values: NDArray[np.float64], axis: int | tuple[int, ...] | None = None
) -> NDArray[np.float64]:
    """Return the largest finite absolute value, to which rounding errors are relative."""
    scale: NDArray[np.float64] = np.max(
        np.abs(values), axis=axis, initial=_SMALLEST_SCALE, where=np.isfinite(values)
    )
    return scale


def merge_ties(
    values: NDArray[np.float64], scale: NDArray[np.float64] | float | None = None
) -> NDArray[np.float64]:
    """Return values in a unit of rounding errors, rounded to integers, so that ties are equal.

    Without a `scale`, it is that of all values.
    """
    merged: NDArray[np.float64] = np.round(
        values / (_STEP * (scale_of(values) if scale is None else scale))
    )
    return merged
