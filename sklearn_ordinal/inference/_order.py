"""The order in which criteria put systems."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from sklearn_ordinal._core import divide, slices
from sklearn_ordinal.inference._ties import dense_ranks

Floats = NDArray[np.float64]

# Temporary arrays have a row for each pair and a column for each criterion.
_PAIRS_AT_ONCE = 2**16


def ranks_of(values: Floats, *, greater_is_better: bool) -> NDArray[np.int64]:
    """Return the rank of each value, 1 is best; ties share the better rank, NaN the last."""
    ranks = dense_ranks(-values if greater_is_better else values)
    ranks = stats.rankdata(ranks, method="min", nan_policy="omit")
    n_defined = np.count_nonzero(~np.isnan(ranks))
    with_last: NDArray[np.int64] = np.where(np.isnan(ranks), n_defined + 1, ranks).astype(np.int64)
    return with_last


def preferences_of(ranks: Floats) -> Iterator[tuple[NDArray[np.intp], NDArray[np.int8]]]:
    """Yield pairs of systems and the preference of each criterion, from ranks (systems, criteria).

    A preference is 1 for the first of a pair, -1 for the second, and 0 for none.
    """
    pairs = np.stack(np.triu_indices(len(ranks), 1), axis=1)
    for part in slices(len(pairs), _PAIRS_AT_ONCE):
        some = pairs[part]
        # Rank 1 is the best.
        yield some, np.sign(ranks[some[:, 1]] - ranks[some[:, 0]]).astype(np.int8)


def kendall_tau(ranks: Floats) -> Floats:
    """Return tau-b of each pair of columns, NaN for columns in which all ranks are equal."""
    n_columns = ranks.shape[1]
    # Concordant minus discordant pairs; on the diagonal, the pairs that are not tied.
    balance = np.zeros((n_columns, n_columns))
    for _, preferences in preferences_of(ranks):
        # Sums within a chunk are small enough to be exact in single precision.
        signs = preferences.astype(np.float32)
        balance += signs.T @ signs
    untied = np.diagonal(balance)
    return divide(balance, np.sqrt(untied[:, None] * untied))
