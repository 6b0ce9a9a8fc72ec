"""The cost of a single error according to a metric, for given class sizes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    LABELS,
    Counts,
    OrdinalMetric,
    OrdinalScale,
    slices,
)
from sklearn_ordinal.meta_evaluation._prediction_space import prediction_space
from sklearn_ordinal.meta_evaluation._system_values import naming_failures

# Statistics make several temporary arrays of the size of the counts, which should fit into the
# cache. On the other hand, the loops of NumPy over a cell of all matrices should not be too short.
_CELLS_AT_ONCE = 250_000
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
    right = np.diag(sizes)
    values = partial(_values, scale=scale, is_weighted=is_weighted)
    with_error = partial(_with_error, right, one_sample)
    perfect = values(metrics, right[None])
    sign = np.array([1 if metric.greater_is_better else -1 for metric in metrics])[:, None]
    losses = np.empty((len(metrics), n_classes**2))
    evaluated = []
    for i, metric in enumerate(metrics):
        costs = _costs(metric, sizes, one_sample)
        if costs is None:
            evaluated.append(i)
            continue
        # The value is linear in the costs, so the loss from the worst error determines all others.
        worst = np.argmax(np.where(np.isfinite(costs), costs, 0))
        loss = sign[i] * (perfect[i] - values([metric], with_error([worst]))[0])
        with np.errstate(invalid="ignore"):
            losses[i] = loss * (costs / costs[worst])
    if evaluated:
        others = [metrics[i] for i in evaluated]
        # Criteria that visit only cells between errors and diagonal are faster for similar errors.
        true, predicted = np.divmod(np.arange(n_classes**2), n_classes)
        errors = np.argsort(predicted - true, kind="stable")
        for part in slices(n_classes**2, _CELLS_AT_ONCE // n_classes**2):
            losses[np.array(evaluated)[:, None], errors[part]] = values(
                others, with_error(errors[part])
            )
        with np.errstate(invalid="ignore"):
            losses[evaluated] = (sign * (perfect - losses))[evaluated]
    losses = np.where(np.abs(losses) <= _NOTHING * np.fmax(1, np.abs(perfect)), 0, losses)
    by_class = losses.reshape(-1, n_classes, n_classes)
    return list(np.where(one_sample[:, None] > 0, by_class, np.nan))


def _costs(metric: OrdinalMetric, sizes: Counts, one_sample: Counts) -> NDArray[np.float64] | None:
    """Return the loss from each error up to a positive factor, None if it is not known.

    The shape is (K**2,). Without known costs, or if no error has a finite cost, the metric has to
    be evaluated after each error.
    """
    # A criterion of rows may have labels in another order.
    if metric.evidence is not LABELS:
        return None
    with naming_failures(metric, "metrics"):
        costs = metric.cost_matrix(sizes)
    if costs is None:
        return None
    with np.errstate(invalid="ignore"):
        by_sample = one_sample[:, None] * (costs - np.diagonal(costs)[:, None])
    by_sample = np.where(one_sample[:, None] > 0, by_sample, 0).ravel()
    return by_sample if (np.isfinite(by_sample) & (by_sample > 0)).any() else None


def _with_error(right: Counts, one_sample: Counts, errors: ArrayLike) -> Counts:
    """Return the counts (n, K, K) after each error: cells in order, rows true."""
    true, predicted = np.divmod(errors, len(right))
    # Statistics are faster if the same cell of all matrices is contiguous.
    counts = np.moveaxis(np.repeat(right[..., None], len(true), axis=-1), -1, 0)
    error = np.arange(len(counts))
    counts[error, true, true] -= one_sample[true]
    counts[error, true, predicted] += one_sample[true]
    # Evidence copies arrays that may change.
    counts.setflags(write=False)
    return counts


def _values(
    metrics: Sequence[OrdinalMetric],
    counts: Counts,
    *,
    scale: OrdinalScale,
    is_weighted: bool,
) -> NDArray[np.float64]:
    """Return the value of each metric for each matrix: shape (n_metrics, n_matrices).

    Metrics of the same kind share the evidence.
    """
    spaces = [prediction_space(metric) for metric in metrics]
    evidence = {
        space: space.certain(scale, counts, is_weighted=is_weighted)
        for space in dict.fromkeys(spaces)
    }
    values = []
    for metric, space in zip(metrics, spaces, strict=True):
        with naming_failures(metric, "metrics"):
            values.append(metric(evidence[space]))
    return np.array(values)


def worst_error_shares(losses: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return losses (..., K, K) as shares of the largest loss; 0 if no error costs anything."""
    worst = np.nan_to_num(losses, posinf=np.inf).max(axis=(-2, -1), keepdims=True)
    with np.errstate(invalid="ignore"):
        shares = losses / np.where(worst > 0, worst, 1)
    # Relative to an infinite loss, finite losses are 0.
    return np.where(losses == np.inf, 1.0, shares)
