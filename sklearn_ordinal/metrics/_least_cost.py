"""The class with the lowest expected cost, from probabilities and the cost of each error."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import ROWS_IN_CACHE, slices

# About 1e-12, but a power of two, so that multiplying by it is exact.
TIE_SHIFT = 40
"""Sums are tied if they differ by less than 2**-TIE_SHIFT, relative to the terms that differ."""
_TIE = 2.0**-TIE_SHIFT
# The same tolerance for the costs of two classes, whose expected absolute difference is at most
# their sum.
_NEAR = 1 + 4 * _TIE
_SAME_COST = 4 * np.finfo(np.float64).eps


def without_rounding_errors(costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round off differences in the last digits of each row of costs: (..., n_true, n_predicted).

    Differences of costs are then either exactly 0 or more than rounding errors.
    """
    order = np.argsort(costs, axis=-1)
    ascending = np.take_along_axis(costs, order, axis=-1)
    steps = np.diff(ascending, axis=-1)
    is_new = steps > _SAME_COST * np.maximum(
        np.abs(ascending[..., 1:]), np.abs(ascending[..., :-1])
    )
    first = np.zeros(costs.shape, dtype=np.intp)
    first[..., 1:] = np.where(is_new, np.arange(1, costs.shape[-1]), 0)
    first = np.maximum.accumulate(first, axis=-1)
    merged = np.empty_like(costs)
    np.put_along_axis(merged, order, np.take_along_axis(ascending, first, axis=-1), axis=-1)
    return merged


def least_cost_decisions(
    y_proba: NDArray[np.float64],
    costs: NDArray[np.float64],
    is_candidate: NDArray[np.bool_],
) -> NDArray[np.intp]:
    """Return the first class with the lowest expected cost for each sample: (n_costs, n_samples).

    Two classes are compared only by the differences of their costs. A class costs more than
    another if the expected difference exceeds rounding errors, which are relative to the
    expected absolute difference. A cost that both classes share, or that cannot be incurred
    since its true class has probability 0, does not matter, however large it is. The first class
    that does not cost more than any other is predicted.

    Parameters
    ----------
    y_proba : ndarray of shape (n_samples, n_true)
        Probabilities of the true classes. Negative rounding errors count as 0.
    costs : ndarray of shape (n_costs, n_true, n_predicted)
        Finite costs, as returned by `without_rounding_errors`: rows true, columns
        predicted. Each matrix is applied to all samples.
    is_candidate : ndarray of shape (n_costs, n_predicted)
        Whether a class may be predicted.
    """
    never = np.where(is_candidate, 0, np.inf)[..., None]
    are_candidates = is_candidate.all()
    by_predicted = np.swapaxes(costs, 1, 2)
    least = (by_predicted + never).min(axis=1, keepdims=True)
    # Sums of non-negative terms have small relative errors. If there are no candidates, as in a
    # resample without samples, the decision does not matter.
    regrets = by_predicted - np.where(np.isinf(least), 0, least)
    decided = np.empty((len(costs), len(y_proba)), dtype=np.intp)
    for rows in slices(len(y_proba), ROWS_IN_CACHE):
        proba = y_proba[rows]
        if proba.min() < 0:
            proba = np.maximum(proba, 0)
        expected = regrets @ proba.T
        if not are_candidates:
            expected += never
        is_near = expected <= _NEAR * expected.min(axis=1, keepdims=True)
        decided[:, rows] = is_near.argmax(axis=1)
        if np.count_nonzero(is_near) > len(costs) * len(proba):
            n_near = np.count_nonzero(is_near, axis=1)
            for matrix in np.flatnonzero((n_near > 1).any(axis=1)):
                several = np.flatnonzero(n_near[matrix] > 1)
                decided[matrix, rows.start + several] = _first_least_cost(
                    proba[several], costs[matrix], is_near[matrix, :, several]
                )
    return decided


def _first_least_cost(
    proba: NDArray[np.float64], costs: NDArray[np.float64], is_near: NDArray[np.bool_]
) -> NDArray[np.intp]:
    """Return the first near class that costs no more than any other near class, for each sample."""
    decided = np.full(len(proba), -1)
    for candidate in np.flatnonzero(is_near.any(axis=0)):
        rows = np.flatnonzero(is_near[:, candidate] & (decided < 0))
        excess = costs[:, [candidate]] - costs
        costs_more = proba[rows] @ excess > _TIE * (proba[rows] @ np.abs(excess))
        is_best = ~(costs_more & is_near[rows]).any(axis=1)
        decided[rows[is_best]] = candidate
    return decided
