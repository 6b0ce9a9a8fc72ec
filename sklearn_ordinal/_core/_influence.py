"""Influence functions: how much one more sample in a cell moves the value of a metric."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core._arrays import read_only
from sklearn_ordinal._core._chunks import slices
from sklearn_ordinal._core._counting import Counts, Values

Floats: TypeAlias = NDArray[np.float64]
Gradient: TypeAlias = Callable[..., Floats]
"""A function from counts to the derivative of a statistic by each count, NaN where it has none."""

# Steps of a cell that has samples, relative to its count. The error of the central difference of
# fourth order is about this number to the power of 4.
_STEP = 1e-3
# The derivatives of a smooth function from above and below differ by about the square of the step.
# At a tie, the derivatives of a maximum differ by as much as the derivatives themselves.
_LARGEST_DIFFERENCE = 1e-4
# An empty cell has a finite derivative if a difference hardly depends on its step. For p log(p), a
# step four times as large changes it by about a tenth.
_LARGEST_CHANGE = 1e-2
# Statistics that integrate numerically have this error, and all others much smaller ones.
_NOISE = 1e-9
_NUMBERS_PER_STACK = 2**20


@dataclass(frozen=True, eq=False)
class Influence:
    """How much one more sample moves the value of a metric, for each cell of a confusion matrix.

    If a small share of new samples is added to a cell, the value changes by about this share times
    the influence of the cell.

    Parameters
    ----------
    cells : ndarray of shape (..., n_classes, n_classes)
        Influence of a sample of each true class (rows) that is predicted as each class
        (columns), in the unit of the metric. The mean over all samples is 0. NaN where the value
        has no finite derivative; if this is a cell with samples, the whole matrix is NaN.
    unanswered : ndarray of shape (..., n_classes) or None
        Influence of a sample of each true class without a prediction, if the metric counts them
        and the confusion matrix has them.

    See Also
    --------
    OrdinalMetric.influence : Compute the influence of each cell.

    Examples
    --------
    The variance of the accuracy, for 8 correct of 10 predictions, is 0.8 times 0.2 divided by 10:

    >>> from sklearn_ordinal import OrdinalConfusion, get_metric
    >>> confusion = OrdinalConfusion.from_counts([[5, 1], [1, 3]])
    >>> influence = get_metric("accuracy").influence(confusion)
    >>> round(float((confusion.counts * influence.cells**2).sum() / 10**2), 6)
    0.016
    """

    cells: Floats
    unanswered: Floats | None = None


def counts_influence(
    statistic: Callable[..., Any],
    gradient: Gradient | None,
    counts: Counts,
    unanswered: Counts | None,
) -> Influence:
    """Return the influence of each cell on a statistic of counts.

    The influence is the derivative by the count of the cell, times the number of samples, minus
    its mean over the samples. If there is no function that returns the derivatives, they are
    computed from differences.
    """
    n_classes = counts.shape[-1]
    cells = counts.astype(np.float64, copy=False)
    if unanswered is not None:
        cells = np.concatenate([cells, unanswered[..., None]], axis=-1)
    with np.errstate(all="ignore"):
        if gradient is None:
            derivative = _differences(partial(_values, statistic, n_classes), cells)
        else:
            # The options of the statistic are also options of its gradient.
            options = statistic.keywords if isinstance(statistic, partial) else {}
            derivative = _values(partial(gradient, **options), n_classes, cells)
        is_defined = np.isfinite(_values(statistic, n_classes, cells))[..., None, None]
        centred = np.where(is_defined, _centred(derivative, cells), np.nan)
    missing = None if unanswered is None else read_only(centred[..., n_classes])
    return Influence(read_only(centred[..., :n_classes]), missing)


def _centred(derivative: Floats, cells: Floats) -> Floats:
    """Multiply by the number of samples, and subtract the mean over the samples."""
    n_samples = cells.sum(axis=(-2, -1), keepdims=True)
    by_sample = n_samples * np.where(np.isfinite(derivative), derivative, np.nan)
    # Cells without samples have no weight, whether or not they have a derivative.
    weighted = np.where(cells > 0, by_sample * (cells / n_samples), 0)
    centred: Floats = by_sample - weighted.sum(axis=(-2, -1), keepdims=True)
    return centred


def _values(function: Callable[..., Any], n_classes: int, cells: Floats) -> Values:
    """Call a function of counts. A further column holds the samples without a prediction."""
    if cells.shape[-1] == n_classes:
        return np.asarray(function(cells), dtype=np.float64)
    values = function(cells[..., :n_classes], unanswered=cells[..., n_classes])
    return np.asarray(values, dtype=np.float64)


def _differences(values: Callable[[Floats], Values], cells: Floats) -> Floats:
    """Return the derivative of values by each cell, from differences: same shape as the cells.

    NaN where the values have no derivative, as at ties of a maximum.
    """
    matrices = cells.reshape(-1, *cells.shape[-2:])
    flat = matrices.reshape(len(matrices), -1)
    n_matrices, n_cells = flat.shape
    occurs = flat > 0
    smallest = np.where(occurs, flat, np.inf).min(axis=-1, keepdims=True)
    step = _STEP * np.where(occurs, flat, np.where(np.isfinite(smallest), smallest, 1))
    # A cell without samples can only grow.
    offsets = np.where(occurs[..., None], [-2.0, -1.0, 1.0, 2.0], [1.0, 2.0, 4.0, 8.0])
    here, moved = values(matrices)[:, None], np.empty((n_matrices, n_cells, 4))
    for part in slices(n_cells, _NUMBERS_PER_STACK // (4 * flat.size)):
        change = offsets[:, part] * step[:, part, None]
        stack = np.tile(flat[:, None, None], (1, change.shape[1], 4, 1))
        at = np.arange(change.shape[1])
        stack[:, at, :, at + part.start] += change.swapaxes(0, 1)
        moved[:, part] = values(stack.reshape(-1, *matrices.shape[1:])).reshape(change.shape)
    first, second, third, fourth = np.moveaxis(moved, -1, 0)
    # The order of the four values is the order of the offsets.
    central = (8 * (third - second) - (fourth - first)) / (12 * step)
    difference = np.abs(
        _one_sided(here, third, fourth, step) + _one_sided(here, second, first, step)
    )
    upward = _one_sided(here, first, second, step)
    change_of_step = np.abs(upward - _one_sided(here, third, fourth, 4 * step))
    derivative = np.where(occurs, central, upward)
    noise = np.maximum(_NOISE, 64 * np.finfo(float).eps * np.abs(here)) / step
    largest = np.where(occurs, np.abs(derivative), 0).max(axis=-1, keepdims=True)
    is_smooth = np.where(
        occurs,
        difference <= _LARGEST_DIFFERENCE * largest + noise,
        change_of_step <= _LARGEST_CHANGE * np.maximum(np.abs(upward), largest) + noise,
    )
    return np.where(is_smooth, derivative, np.nan).reshape(cells.shape)


def _one_sided(here: Floats, once: Floats, twice: Floats, step: Floats) -> Floats:
    """Return the derivative from the values here, one step away and two steps away."""
    difference: Floats = (4 * once - twice - 3 * here) / (2 * step)
    return difference
