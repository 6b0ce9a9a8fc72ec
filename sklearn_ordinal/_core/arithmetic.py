"""Arithmetic on counts with leading axes, shared by the statistics."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

Counts: TypeAlias = NDArray[Any]
"""Counts of shape (..., K, K), rows true, columns predicted."""
Values: TypeAlias = NDArray[np.float64]
"""One value per matrix, of shape (...)."""
Floats: TypeAlias = NDArray[np.float64]
Positions: TypeAlias = NDArray[np.intp]

Statistic: TypeAlias = Callable[..., Any]
"""A pure function of counts (..., K, K), or of other evidence, to (...), NaN where undefined."""


# Arithmetic on counts with leading axes, shared by the statistics
# ----------------------------------------------------------------

ROWS_IN_CACHE = 4_096
"""Arrays of this length stay in the cache."""

# Starting to add two arrays of this size takes as long as adding them.
_FEW_SUMS = 1_000
# Floats represent all integers up to this one, so smaller sums of integers have no rounding errors.
LARGEST_EXACT_FLOAT = 2**53
# With so few classes, a new array takes longer than the arithmetic of most metrics with it.
_FEW_CLASSES = 20


def divide(numerator: ArrayLike, denominator: ArrayLike) -> NDArray[np.float64]:
    """Divide, with NaN where the denominator is zero."""
    quotient: NDArray[np.float64]
    if isinstance(denominator, float):
        quotient = np.divide(numerator, denominator or np.nan)
        return quotient
    denominator = np.asarray(denominator)
    # Counting is faster than a copy, and most denominators are not zero.
    if np.count_nonzero(denominator) < denominator.size:
        denominator = np.where(denominator, denominator, np.nan)
    quotient = np.divide(numerator, denominator)
    return quotient


def run_starts(values: NDArray[Any]) -> NDArray[np.intp]:
    """Return the position where each run of equal values starts."""
    is_first = np.ones(len(values), dtype=bool)
    np.not_equal(values[1:], values[:-1], out=is_first[1:])
    return np.flatnonzero(is_first)


def clip_rounding(
    values: NDArray[np.float64], lowest: float, highest: float
) -> NDArray[np.float64]:
    """Clip values to bounds, which rounding errors may exceed; NaN stays NaN."""
    clipped: NDArray[np.float64] = np.minimum(np.maximum(values, lowest), highest)
    return clipped


_distances_of_few_classes: dict[int, NDArray[np.float64]] = {}


def distance(n_classes: int) -> NDArray[np.float64]:
    """Return the distance in classes between each true class (rows) and predicted class."""
    if n_classes in _distances_of_few_classes:
        return _distances_of_few_classes[n_classes]
    position = np.arange(n_classes, dtype=np.float64)
    distances = read_only(np.abs(position[:, None] - position))
    if n_classes <= _FEW_CLASSES:
        _distances_of_few_classes[n_classes] = distances
    return distances


def per_true_class(costs: NDArray[np.float64], sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide the costs of errors by the sizes of the true classes (..., true).

    An error in a class without samples, or with a negligible weight, has an infinite cost.
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.where(costs == 0, 0, costs / sizes[..., None])


def margins(counts: Counts) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the sizes of the true and of the predicted classes, as floats."""
    # With about 1e10 samples or more, products of class sizes would overflow int64.
    counts = counts.astype(np.float64, copy=False)
    return np.add.reduce(counts, axis=-1), np.add.reduce(counts, axis=-2)


def expected_counts(counts: Counts) -> NDArray[np.float64]:
    """Return the expected counts of random agreement, for the given margins."""
    true, pred = margins(counts)
    n_samples = true.sum(axis=-1)[..., None, None]
    return divide(true[..., :, None] * pred[..., None, :], n_samples)


def lower_sums(counts: Counts) -> NDArray[np.float64]:
    """Return, for each cell, the sum of the cells in both lower rows and lower columns.

    For the other three corners, flip the counts and flip the sums back. No differences of
    sums are used, so corners of empty cells are exactly zero for any weights.
    """
    # Keep the memory layout of the counts: the stack may be last in memory.
    sums = np.empty_like(counts, dtype=np.float64)
    sums[..., :1, :] = 0
    sums[..., :1] = 0
    inner = sums[..., 1:, 1:]
    add_up = np.add.accumulate if sums.size <= _FEW_SUMS * sums.shape[-1] else _add_up
    add_up(counts[..., :-1, :-1], axis=-2, out=inner)
    add_up(inner, axis=-1, out=inner)
    return sums


def _add_up(values: NDArray[Any], *, axis: int, out: NDArray[np.float64]) -> None:
    """Return what `np.add.accumulate` returns, for many sums.

    NumPy adds each number to the sum before it and waits for the result. Adding to all sums at
    once gives the same sums up to 10 times as fast.
    """
    values, sums = np.moveaxis(values, axis, 0), np.moveaxis(out, axis, 0)
    sums[:1] = values[:1]
    for before, value, after in zip(sums[:-1], values[1:], sums[1:], strict=True):
        np.add(before, value, out=after)


def total(counts: Counts) -> NDArray[np.float64]:
    """Return the number, or weight, of all samples."""
    n_samples: NDArray[np.float64] = np.add.reduce(counts, axis=(-2, -1), dtype=np.float64)
    return n_samples


def weighted_total(counts: Counts, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sum of all cells, each multiplied by its non-negative weight (K, K)."""
    is_whole = counts.ndim > 2 and counts.dtype.kind == "i" and _are_whole(weights)
    if is_whole and counts.max(initial=0) * weights.sum() < LARGEST_EXACT_FLOAT:
        # The order of the terms depends on the processor, but exact sums do not depend on it.
        sums: NDArray[np.float64] = np.einsum("...ij,ij->...", counts, weights)
        return sums
    # For a small matrix, this is faster than multiplying integers by floats.
    return total(counts.astype(np.float64, copy=False) * weights)


def weighted_pairs(
    rows: NDArray[np.float64], columns: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the sum of the non-negative weights (K, K) of all pairs of rows and columns (..., K).

    Rows and columns are numbers of samples, so a cell has as many pairs as their product.
    """
    if rows.ndim > 1 and rows.size and _are_whole(rows, columns, weights):
        n_pairs = (np.add.reduce(rows, axis=-1) * np.add.reduce(columns, axis=-1)).max()
        if n_pairs * weights.max() < LARGEST_EXACT_FLOAT:
            # As above, the order of the terms does not matter.
            sums: NDArray[np.float64] = np.add.reduce(rows @ weights * columns, axis=-1)
            return sums
    return total(rows[..., :, None] * columns[..., None, :] * weights)


def _are_whole(*numbers: NDArray[np.float64]) -> bool:
    return all((array == np.rint(array)).all() for array in numbers)


def mean_where_defined(
    values: NDArray[np.float64], weights: ArrayLike = 1.0
) -> NDArray[np.float64]:
    """Return the weighted mean over the classes whose value is not NaN."""
    weights = np.where(np.isnan(values), 0, weights)
    weighted = values * weights
    weighted = np.where(np.isnan(weighted), 0, weighted)
    return divide(np.add.reduce(weighted, axis=-1), np.add.reduce(weights, axis=-1))


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return a read-only view."""
    array = array.view()
    array.setflags(write=False)
    return array


def unshared(array: NDArray[Any], passed: Any) -> NDArray[Any]:
    """Return an array, or a copy if it shares memory with the argument that it was made from."""
    return array.copy() if array is passed or not array.flags.owndata else array


def owned(array: NDArray[Any], dtype: DTypeLike) -> NDArray[Any]:
    """Return a read-only array, copied if the caller could change the original."""
    return read_only(array.astype(dtype, copy=array.flags.writeable))


def slices(size: int, length: int) -> Iterator[slice]:
    """Yield slices of a length, at least one, that cover a size."""
    for start in range(0, size, max(1, length)):
        yield slice(start, min(start + max(1, length), size))


# Results that several statistics compute from the same counts
# ------------------------------------------------------------

Function = TypeVar("Function", bound=Callable[..., Any])
T = TypeVar("T")


class Shared(Protocol):
    """A function that returns the result of a function of the counts, computed only once."""

    def __call__(self, compute: Callable[[Counts], T], /) -> T:
        """Return ``compute(counts)``."""


def takes_shared(statistic: Function) -> Function:
    """Declare that a statistic has an argument `shared`, and return the statistic.

    Evidence passes a function that keeps results for the next statistic, so the results should be
    small next to the counts. The default must be None, for counts that are evaluated only once.
    """
    statistic.takes_shared = True  # type: ignore[attr-defined]
    return statistic


def has_shared(statistic: Statistic) -> bool:
    """Whether a statistic has an argument `shared`."""
    function = statistic.func if isinstance(statistic, partial) else statistic
    return getattr(function, "takes_shared", False)


def result_of(compute: Callable[[Counts], T], counts: Counts, shared: Shared | None) -> T:
    """Return the result of a function of the counts, which may be known."""
    return compute(counts) if shared is None else shared(compute)
