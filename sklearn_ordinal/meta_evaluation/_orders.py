"""Agreement of the orders in which means put systems."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from sklearn_ordinal._core import clip_rounding, divide, slices
from sklearn_ordinal.inference import merge_ties

# Pairs of systems in orders at once.
_PAIRS_AT_ONCE = 2**18


def agreement_of_orders(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Kendall's tau-b of the orders by two arrays of relative means, (..., n_systems).

    It is NaN if all systems are equal in one order.
    """
    n_systems = a.shape[-1]
    orders = [merge_ties(means, scale=1).reshape(-1, n_systems) for means in (a, b)]
    found = np.empty(len(orders[0]))
    for part in slices(len(found), _PAIRS_AT_ONCE // n_systems**2):
        of_a, of_b = (_signs(means[part]) for means in orders)
        n_pairs = np.sqrt(_sum(np.abs(of_a)) * _sum(np.abs(of_b)))
        found[part] = divide(_sum(of_a * of_b), n_pairs)
    agreement: NDArray[np.float64] = clip_rounding(found, -1, 1).reshape(a.shape[:-1])
    return agreement


def _signs(means: NDArray[np.float64]) -> NDArray[np.int8]:
    """Return the sign of each difference of two systems, of (n_orders, n_systems, n_systems)."""
    # Ranks are compared much faster than floats.
    ranks = rankdata(means, method="dense", axis=-1).astype(np.int32)
    is_higher = ranks[:, :, None] > ranks[:, None, :]
    is_lower = ranks[:, :, None] < ranks[:, None, :]
    signs: NDArray[np.int8] = is_higher.view(np.int8) - is_lower.view(np.int8)
    return signs


def _sum(of_pairs: NDArray[np.int8]) -> NDArray[np.float64]:
    sums: NDArray[np.float64] = of_pairs.sum(axis=(1, 2), dtype=np.int64).astype(np.float64)
    return sums
