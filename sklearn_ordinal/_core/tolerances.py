"""Tolerances: when numbers count as equal, as zero, as integers, or as shares that add up to 1.

All such rules of the package stand here, each with the reason for its size. Two rules of the same
size are two constants if one might change without the other.

What is no such rule stands beside its formula: steps of numerical derivatives, and the test that a
derivative exists (`influence_functions`), the accuracy of a numerical integral (`metrics._path`),
and bounds that keep one formula from overflow or underflow (as in `metrics._closeness`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

# Relative rounding error of one operation.
EPS = float(np.finfo(np.float64).eps)

# Values that are equal
# ---------------------

# Relative to the values that are compared, for example the values of two systems.
TIE = 1e-9
# Absolute, for values of one criterion that may be 0, which has no scale of its own. Most criteria
# are at most 1, so that each operation is rounded by about 1e-16.
SAME_VALUE = 1e-12
# The value of a criterion at two cuts of the scores, both relative and absolute.
TIED_GAIN = 1e-12
# The mean losses of two classes, relative to the larger loss.
TIED_LOSS = 1e-12
# How close two classes are to the grades of other raters, for each grade: sums of the same
# logarithms in another order differ by less.
TIED_CLOSENESS = 1e-12
# The expected costs of two classes, relative to the terms that differ: 2**-40 is about 1e-12, but
# multiplying by a power of two is exact.
TIED_COST_SHIFT = 40
TIED_COST = 2.0**-TIED_COST_SHIFT
# Two costs of the same row of a cost matrix, relative to them: they differ in the last digit.
SAME_COST = 4 * EPS
# The costs of two paths, for each class that a path passes.
PATH_COST = 4 * EPS
# A metric's value after a change of the matrix, relative to the values: smaller differences may be
# rounding errors ...
ZERO_GAIN = 1e-9
# ... but differences larger than this count as gains, since rounding errors of small matrices are
# smaller.
LEAST_GAIN = 1e-12
# A value and the end of its range, relative to values larger than 1: a few operations apart.
AT_THE_END = 1e-14

# Numbers that are zero
# ---------------------

# Standard deviations, standard errors and influences, relative to values of size 1: they are
# rounding errors if all influences are 0 or all values are equal.
ZERO_SPREAD = 1e-10
# The square of ZERO_SPREAD.
ZERO_VARIANCE = 1e-20
# The sum of the weights of a contrast, which users may have rounded, relative to the largest.
ZERO_SUM = 1e-9
# Half the width of an interval: narrower intervals differ from a single number only by rounding.
HALF_WIDTH = 1e-9
# Differences of jackknife values, relative to the largest value.
JACKKNIFE_VALUE = 1e-13

# Sums, integers and bounds
# -------------------------

# Sums of weights, of cubed ranks and of moments, and the differences of such sums, relative to
# them: about 10,000 terms, each of which is rounded by at most 1e-16 of the sum.
ROUNDING_OF_SUMS = 1e-12
# Sums of squared weights, relative to them: sums of 1e9 weights, added up one after another, may
# differ by about 1e-7 of their value.
SUMS_OF_SQUARES = 1e-6
# Squares below 1e-308 lose digits or are rounded to zero, and factors of classes may then multiply
# them by up to 1e120. The total weight is at least 1e-60, so that such squares do not matter.
LOST_SQUARES = 1e-180
# A product that is an integer, such as a level times a number of samples, may be larger by this.
INTEGER = 1e-9
# Rounding may take a number in the field of a result out of its range by this.
OUT_OF_RANGE = 1e-9
# A decision shifted by nearly equal thresholds may rise from column to column by this part of it.
RISING_DECISION = 1e-6


def are_same_sizes(sizes: NDArray[Any], other_sizes: NDArray[Any]) -> bool:
    """Return whether class sizes may be sums of the same weights, which may be of float32."""
    return np.allclose(sizes, other_sizes, rtol=1e-5, atol=1e-8)


# Probabilities and shares
# ------------------------

# Shares and probabilities that users pass: how far they may add up to something other than 1, leave
# [0, 1], or rise where they must not. Rows of float32 remain inexact after `tolist`, a csv file or
# a data frame, although their dtype is float64 there: up to 200 classes, they add up to 1 within
# about 4e-7.
PASSED_SHARE = 1e-6
# Rounding errors may make a probability of zero slightly negative.
SMALLEST_PROBABILITY = -1e-12
# Neighbouring probabilities that are equal.
SAME_PROBABILITY = 1e-12
# Probabilities, and sums of them, are ties if they are equal after rounding to these digits, since
# their rounding errors are about 1e-16.
DIGITS_OF_PROBABILITIES = 12
# Ranks as shares of the total weight are ties if they are equal after rounding to these digits.
DIGITS_OF_RANKS = 12


def passed_share_of(dtype: np.dtype[Any]) -> float:
    """Return how far shares of this dtype may add up to something other than 1."""
    if dtype.kind != "f":
        return PASSED_SHARE
    return max(PASSED_SHARE, float(np.sqrt(np.finfo(dtype).eps)))


# Ties, and the ranks of values with ties
# ---------------------------------------

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
