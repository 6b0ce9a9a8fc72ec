"""The cost of a single error according to a metric, for given class sizes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import (
    Counts,
    Evidence,
    OrdinalMetric,
    OrdinalScale,
    slices,
)
from sklearn_ordinal.meta_evaluation._prediction_space import prediction_space
from sklearn_ordinal.meta_evaluation._system_values import naming_failures

# Statistics make several temporary arrays of the size of the counts, which should fit into the
# cache.
_CELLS_AT_ONCE = 2**16
# Smaller differences, relative to the value of perfect predictions, are rounding errors.
_NOTHING = 1e-12


def error_losses(
    metrics: Sequence[OrdinalMetric],
    scale: OrdinalScale,
    sizes: Counts,
    one_sample: Counts,
    *,
    is_weighted: bool = False,
) -> list[NDArray[np.float64]]:
    """Return, for each metric, the loss from one error if all other predictions are correct.

    The losses are arrays of shape (K, K) with true classes in rows. They are in the unit of the
    metric, 0 on the diagonal, and NaN where the value is undefined or the true class has no
    samples. `sizes` are the numbers, or weights, of the samples of each class, and `one_sample`
    is the weight of a single sample.
    """
    n_classes = len(sizes)
    evidence = partial(_evidence, metrics, scale, is_weighted=is_weighted)
    right = np.diag(sizes)
    perfect = _values(metrics, evidence(right[None]))
    true, predicted = np.divmod(np.arange(n_classes**2), n_classes)
    parts = []
    for part in slices(n_classes**2, max(1, _CELLS_AT_ONCE // n_classes**2)):
        cells = true[part], predicted[part]
        # Statistics are faster if the same cell of all matrices is contiguous.
        counts = np.moveaxis(np.repeat(right[..., None], len(cells[0]), axis=-1), -1, 0)
        error = np.arange(len(counts))
        counts[error, cells[0], cells[0]] -= one_sample[cells[0]]
        counts[error, *cells] += one_sample[cells[0]]
        parts.append(_values(metrics, evidence(counts)))
    sign = np.array([1 if metric.greater_is_better else -1 for metric in metrics])[:, None]
    with np.errstate(invalid="ignore"):
        losses = sign * (perfect - np.concatenate(parts, axis=-1))
    losses = np.where(np.abs(losses) <= _NOTHING * np.fmax(1, np.abs(perfect)), 0, losses)
    is_possible = one_sample > 0
    by_class = losses.reshape(-1, n_classes, n_classes)
    return list(np.where(is_possible[:, None], by_class, np.nan))


def _evidence(
    metrics: Sequence[OrdinalMetric], scale: OrdinalScale, counts: Counts, *, is_weighted: bool
) -> list[Evidence]:
    """Return counts as evidence for each metric; metrics of the same kind share the evidence."""
    spaces = [prediction_space(metric) for metric in metrics]
    evidence = {
        space: space.certain(scale, counts, is_weighted=is_weighted)
        for space in dict.fromkeys(spaces)
    }
    return [evidence[space] for space in spaces]


def _values(metrics: Sequence[OrdinalMetric], evidence: Sequence[Evidence]) -> NDArray[np.float64]:
    """Return the value of each metric for each matrix: shape (n_metrics, n_matrices)."""
    values = []
    for metric, of_metric in zip(metrics, evidence, strict=True):
        with naming_failures(metric, "metrics"):
            values.append(metric(of_metric))
    return np.array(values)


def worst_error_shares(losses: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return losses (..., K, K) as shares of the largest loss; 0 if no error costs anything."""
    worst = np.nan_to_num(losses, posinf=np.inf).max(axis=(-2, -1), keepdims=True)
    with np.errstate(invalid="ignore"):
        shares = losses / np.where(worst > 0, worst, 1)
    # Relative to an infinite loss, finite losses are 0.
    return np.where(losses == np.inf, 1.0, shares)
