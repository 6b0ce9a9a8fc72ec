"""The cost of a single error according to a metric, for given class sizes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import (
    Counts,
    OrdinalMetric,
    OrdinalScale,
    slices,
)
from sklearn_ordinal.meta_evaluation._prediction_space import prediction_space

# Statistics make several temporary arrays of the size of the counts.
_CELLS_AT_ONCE = 2**20
# Smaller differences, relative to the value of perfect predictions, are rounding errors.
_NOTHING = 1e-12


def error_losses(
    metric: OrdinalMetric,
    scale: OrdinalScale,
    sizes: Counts,
    one_sample: Counts,
    *,
    is_weighted: bool = False,
) -> NDArray[np.float64]:
    """Return the loss of a metric from one error if all else is right: (K, K), rows true.

    Losses are in the unit of the metric, 0 on the diagonal, and NaN where the value is undefined
    or the true class has no samples. `sizes` are the numbers, or weights, of the samples of each
    class, and `one_sample` is the weight of a single sample.
    """
    space = prediction_space(metric)
    n_classes = len(sizes)
    right = np.diag(sizes)
    true, predicted = np.divmod(np.arange(n_classes**2), n_classes)
    parts = []
    for part in slices(n_classes**2, _CELLS_AT_ONCE // n_classes**2):
        cells = true[part], predicted[part]
        counts = np.repeat(right[None], len(cells[0]), axis=0)
        error = np.arange(len(counts))
        counts[error, cells[0], cells[0]] -= one_sample[cells[0]]
        counts[error, *cells] += one_sample[cells[0]]
        parts.append(metric(space.certain(scale, counts, is_weighted=is_weighted)))
    perfect = metric(space.certain(scale, right[None], is_weighted=is_weighted)).item()
    values = np.concatenate(parts)
    with np.errstate(invalid="ignore"):
        losses = perfect - values if metric.greater_is_better else values - perfect
    losses = np.where(np.abs(losses) <= _NOTHING * max(1, abs(perfect)), 0, losses)
    is_possible = one_sample > 0
    return np.where(is_possible[:, None], losses.reshape(n_classes, n_classes), np.nan)


def worst_error_shares(losses: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return losses as shares of the largest: (..., K, K), all 0 if no error costs anything."""
    worst = np.nan_to_num(losses, posinf=np.inf).max(axis=(-2, -1), keepdims=True)
    with np.errstate(invalid="ignore"):
        shares = losses / np.where(worst > 0, worst, 1)
    # Relative to an infinite loss, finite losses are 0.
    return np.where(losses == np.inf, 1.0, shares)
