"""Derivatives of agreement and mean costs by each count, and of mean losses by each weight.

Counts have the shape (..., n_rows, n_classes). Derivatives are NaN where they are not finite.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal._core import arithmetic, tolerances
from sklearn_ordinal._core.arithmetic import Counts, Values
from sklearn_ordinal._core.forecasting import OrdinalForecasts


def mean_gradient(counts: Counts, costs: ArrayLike) -> Values:
    """Return the derivatives of the mean cost of all samples."""
    costs, n_samples = np.asarray(costs, dtype=np.float64), arithmetic.total(counts)
    # An infinite cost counts only if its error occurs.
    mean = arithmetic.divide(arithmetic.total(np.where(counts == 0, 0, counts * costs)), n_samples)
    return arithmetic.divide(costs - mean[..., None, None], n_samples[..., None, None])


def mean_loss_gradient(forecasts: OrdinalForecasts, losses: Values) -> Values:
    """Return the derivatives of the weighted mean of the losses of samples: (..., n_samples)."""
    amount = forecasts.weights.sum(axis=-1, keepdims=True)
    return arithmetic.divide(losses - forecasts.mean(losses)[..., None], amount)


def macro_mean_gradient(counts: Counts, costs: Values) -> Values:
    """Return the derivatives of the mean over true classes of their mean costs.

    A first sample in a class changes the number of classes, so there is no derivative.
    """
    sizes, losses = _losses(counts, costs)
    n_classes = np.count_nonzero(sizes, axis=-1)[..., None]
    return arithmetic.divide(costs - losses[..., None], (sizes * n_classes)[..., None])


def maximum_gradient(counts: Counts, costs: Values) -> Values:
    """Return the derivatives of the largest mean cost of a true class, NaN if classes are tied."""
    sizes, losses = _losses(counts, costs)
    worst = np.fmax.reduce(losses, axis=-1, keepdims=True)
    is_worst = losses >= worst - tolerances.TIED_LOSS * np.abs(worst)
    n_worst = np.count_nonzero(is_worst, axis=-1)[..., None, None]
    of_worst = arithmetic.divide(costs - losses[..., None], sizes[..., None])
    # At a tie, a sample of the mean cost of its class still changes nothing.
    has_derivative = (n_worst == 1) | (costs == worst[..., None])
    gradient = np.where(is_worst[..., None], np.where(has_derivative, of_worst, np.nan), 0)
    # A first sample in a class makes that class the worst, or changes nothing.
    return np.where((sizes == 0)[..., None] & ~(costs <= worst[..., None]), np.nan, gradient)


def chance_corrected_gradient(
    counts: Counts, disagreement: Values, rows: Values, columns: Values
) -> Values:
    """Return the derivatives of 1 - the observed by the expected disagreement (K, K).

    Rows and columns are the class sizes (..., K) from which chance draws. Each sample adds 1 to the
    sizes of the rows, and 1 to the sizes of the columns.
    """
    n_samples = arithmetic.total(counts)[..., None, None]
    observed = arithmetic.total(counts * disagreement)[..., None, None]
    # What one sample adds to the disagreement expected by chance, by its row and by its column.
    by_row, by_column = columns @ disagreement.T, rows @ disagreement
    by_chance = np.add.reduce(rows * by_row, axis=-1)[..., None, None]
    ratio = arithmetic.divide(n_samples * observed, by_chance)
    added = by_row[..., :, None] + by_column[..., None, :]
    return arithmetic.divide(ratio * added - observed - n_samples * disagreement, by_chance)


def _losses(counts: Counts, costs: Values) -> tuple[Values, Values]:
    """Return the size and the mean cost of each true class, NaN if it is empty."""
    sizes = np.add.reduce(counts, axis=-1, dtype=np.float64)
    return sizes, arithmetic.divide(np.add.reduce(counts * costs, axis=-1), sizes)
