"""The order of systems according to criteria, and Kendall's tau of several orders."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from sklearn_ordinal._core import divide, slices
from sklearn_ordinal.inference._ties import dense_ranks

Floats = NDArray[np.float64]

# Number of signs of pairs of systems in a temporary array, over all orders.
_SIGNS_AT_ONCE = 2**18


def ranks_of(values: Floats, *, greater_is_better: bool) -> NDArray[np.int64]:
    """Return the rank of each value; 1 is best, ties share the better rank, and NaN ranks last."""
    ranks = dense_ranks(-values if greater_is_better else values)
    ranks = stats.rankdata(ranks, method="min", nan_policy="omit")
    n_defined = np.count_nonzero(~np.isnan(ranks))
    with_last: NDArray[np.int64] = np.where(np.isnan(ranks), n_defined + 1, ranks).astype(np.int64)
    return with_last


def kendall_tau(ranks: Floats) -> Floats:
    """Return Kendall's tau-b of each pair of orders, NaN for an order that ties all systems.

    The ranks have shape (..., n_orders, n_systems), and the result has shape (..., n_orders,
    n_orders). Instead of ranks, any numbers with the same order and the same ties may be
    passed.
    """
    *stack, n_orders, n_systems = ranks.shape
    first, second = np.triu_indices(n_systems, 1)
    # Concordant minus discordant pairs; on the diagonal, the number of pairs that are not tied.
    balance = np.zeros((*stack, n_orders, n_orders))
    for part in slices(len(first), _SIGNS_AT_ONCE // max(1, math.prod(stack) * n_orders)):
        # Sums within a part are small enough to be exact in single precision.
        # np.take gathers along the last axis twice as fast as indexing.
        steps = np.take(ranks, second[part], axis=-1) - np.take(ranks, first[part], axis=-1)
        signs = np.sign(steps).astype(np.float32)
        balance += signs @ signs.swapaxes(-1, -2)
    untied = np.diagonal(balance, axis1=-2, axis2=-1)
    return divide(balance, np.sqrt(untied[..., :, None] * untied[..., None, :]))
