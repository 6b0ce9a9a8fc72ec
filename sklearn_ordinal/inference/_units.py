"""Resampling of samples, or groups of them, and the counts of each resample.

Units that contribute the same counts are of one kind. A resample is the number of units of
each kind; its counts are the sum of the tables of the kinds, each times this number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array, hstack, vstack

from sklearn_ordinal._core import (
    Encoded,
    OrdinalConfusion,
    OrdinalScale,
    check_sample_weight,
    count,
    encode,
    encode_groups,
)

# Stacks fit in the cache, and memory does not grow with the number of resamples.
_CELLS_PER_STACK = 2**16
_NUMBERS_PER_DRAW = 2**18
# With fewer units per kind, drawing unit by unit is faster than a multinomial draw.
_UNITS_PER_KIND = 5

Draw = Callable[[int], NDArray[np.int64]]
"""From a number of resamples to the units of each kind in each: (n_kinds, n_resamples)."""


@dataclass(frozen=True, eq=False)
class Units:
    """Units to resample, by kind.

    Parameters
    ----------
    sizes : ndarray of shape (n_kinds,)
        Number of units of each kind.
    tables : sparse array of shape (n_systems * K * K, n_kinds)
        Counts of one unit of each kind in the matrix of each system of predictions.
    scale : OrdinalScale
        The classes, K.
    is_weighted : bool
        Whether the counts are sums of sample weights.
    """

    sizes: NDArray[np.int64]
    tables: Any
    scale: OrdinalScale
    is_weighted: bool

    @classmethod
    def of_systems(
        cls,
        columns: Mapping[str, ArrayLike],
        labels: Any,
        sample_weight: ArrayLike | None,
        groups: ArrayLike | None,
    ) -> Units:
        """Make the units of one or more systems, from the truth and their predictions."""
        encoded = encode(columns, labels)
        if sample_weight is None and groups is None and len(columns) == 2:
            counts, scale, lowest = count(encoded, None)
            scale = encoded.scale_of_run(lowest, len(counts)) if scale is None else scale
            cells = np.flatnonzero(counts)
            tables = _tables(cells[None], np.ones(len(cells)), np.arange(len(cells)), len(counts))
            return cls._checked(counts.ravel()[cells], tables, scale, False, "samples")
        return cls._of_samples(encoded, sample_weight, groups)

    @classmethod
    def _of_samples(
        cls, encoded: Encoded, sample_weight: ArrayLike | None, groups: ArrayLike | None
    ) -> Units:
        n_samples = len(encoded.columns[0])
        weight, is_weighted = np.ones(n_samples), sample_weight is not None
        if sample_weight is not None:
            weight = check_sample_weight(sample_weight, n_samples)
        group = np.zeros(n_samples) if groups is None else encode_groups(groups, n_samples)
        # As elsewhere in scikit-learn, a sample of weight zero counts as absent.
        has_weight = weight > 0
        weight, group = weight[has_weight], group[has_weight]
        positions = [column[has_weight].astype(np.int64) for column in encoded.columns]
        scale = encoded.scale
        if scale is None:
            first = min(int(column.min()) for column in positions)
            last = max(int(column.max()) for column in positions)
            positions = [column - first for column in positions]
            scale = encoded.scale_of_run(encoded.lowest + first, last - first + 1)
        n_classes, (true, *systems) = len(scale), positions
        cells = np.stack([true * n_classes + pred for pred in systems])
        if groups is None:
            _, chosen, sizes = np.unique(
                _kinds_of_samples(cells, n_classes, weight), return_index=True, return_counts=True
            )
            tables = _tables(cells[:, chosen], weight[chosen], np.arange(len(chosen)), n_classes)
            return cls._checked(sizes, tables, scale, is_weighted, "samples")
        kind = np.unique(group, return_inverse=True)[1]
        sizes = np.ones(kind.max() + 1, dtype=np.int64)
        tables = _tables(cells, weight, kind, n_classes)
        return cls._checked(sizes, tables, scale, is_weighted, "groups")

    @classmethod
    def _checked(
        cls,
        sizes: NDArray[np.int64],
        tables: Any,
        scale: OrdinalScale,
        is_weighted: bool,
        unit: str,
    ) -> Units:
        if sizes.sum() < 2:
            raise ValueError(f"There must be at least 2 {unit} with a weight to resample, got 1.")
        return cls(sizes, tables, scale, is_weighted)

    def all_together(self) -> Iterator[OrdinalConfusion]:
        """Yield the counts of all units: (n_systems, 1, K, K)."""
        yield self._matrices(self.tables @ self.sizes[:, None])

    def without_one(self) -> Iterator[OrdinalConfusion]:
        """Yield stacks (n_systems, ..., K, K) of the counts without one unit of each kind."""
        every, tables = self.tables @ self.sizes[:, None], self.tables.tocsc()
        for kinds in _slices(len(self.sizes), self._stack_length):
            # Rounding may leave less than nothing.
            yield self._matrices(np.maximum(every - tables[:, kinds].toarray(), 0))

    def resampled(self, rng: np.random.Generator, n_resamples: int) -> Iterator[OrdinalConfusion]:
        """Yield stacks (n_systems, ..., K, K) of the counts of as many units drawn at random."""
        n_units, n_kinds = int(self.sizes.sum()), len(self.sizes)
        if n_units >= _UNITS_PER_KIND * n_kinds:
            shares = self.sizes / n_units
            return self._stacks(
                self.tables, lambda size: rng.multinomial(n_units, shares, size).T, n_resamples
            )
        kind_of = np.repeat(np.arange(n_kinds), self.sizes)

        def draw_units(size: int) -> NDArray[np.int64]:
            kinds = kind_of[rng.integers(n_units, size=(size, n_units))]
            cells = (kinds * size + np.arange(size)[:, None]).ravel()
            return np.bincount(cells, minlength=n_kinds * size).reshape(n_kinds, size)

        return self._stacks(self.tables, draw_units, n_resamples)

    def swapped(self, rng: np.random.Generator, n_resamples: int) -> Iterator[OrdinalConfusion]:
        """Yield stacks (2, ..., K, K) of the counts with the systems of some units exchanged."""
        n_cells = len(self.scale) ** 2
        other = vstack([self.tables[n_cells:], self.tables[:n_cells]])

        def toss(size: int) -> NDArray[np.int64]:
            sizes, shape = self.sizes[:, None], (len(self.sizes), size)
            # About ten times faster than binomials of size one.
            exchanged = (
                rng.integers(2, size=shape) if sizes.max() == 1 else rng.binomial(sizes, 0.5, shape)
            )
            return np.vstack([sizes - exchanged, exchanged])

        # Sums and not differences, so that an empty cell stays zero for any weights.
        return self._stacks(hstack([self.tables, other], format="csr"), toss, n_resamples)

    def _stacks(self, tables: Any, draw: Draw, n_resamples: int) -> Iterator[OrdinalConfusion]:
        draws_at_once = _NUMBERS_PER_DRAW // tables.shape[1]
        for stack in _slices(n_resamples, self._stack_length):
            counts = np.empty((tables.shape[0], stack.stop - stack.start))
            for part in _slices(counts.shape[1], draws_at_once):
                counts[:, part] = tables @ draw(part.stop - part.start).astype(np.float64)
            yield self._matrices(counts)

    @property
    def _stack_length(self) -> int:
        return _CELLS_PER_STACK // int(self.tables.shape[0])

    def _matrices(self, counts: NDArray[np.float64]) -> OrdinalConfusion:
        """Turn (n_systems * K * K, n_matrices) to a stack of (n_systems, n_matrices, K, K).

        The matrices stay interleaved in memory, so that sums over classes are sums of long runs.
        """
        n_classes = len(self.scale)
        matrices = counts.reshape(-1, n_classes, n_classes, counts.shape[-1])
        return OrdinalConfusion(self.scale, np.moveaxis(matrices, -1, 1), self.is_weighted)


def _tables(
    cells: NDArray[np.int64], weight: NDArray[np.float64], kind: NDArray[np.int64], n_classes: int
) -> Any:
    """Return the counts of each kind, from the cells (n_systems, n) of its samples."""
    n_systems = len(cells)
    rows = cells + np.arange(n_systems)[:, None] * n_classes**2
    return csr_array(
        (np.tile(weight, n_systems), (rows.ravel(), np.tile(kind, n_systems))),
        shape=(n_systems * n_classes**2, kind.max() + 1),
    )


def _kinds_of_samples(
    cells: NDArray[np.int64], n_classes: int, weight: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Return a number for each sample, equal for samples with equal cells and weight."""
    kinds: NDArray[np.int64] = cells[0]
    for others in cells[1:]:
        kinds = kinds * n_classes + others % n_classes
    weights, kind_of_weight = np.unique(weight, return_inverse=True)
    if len(weights) > 1:
        # Numbered from 0 without gaps, since the product of large numbers could overflow.
        kinds = np.unique(kinds, return_inverse=True)[1] * len(weights) + kind_of_weight
    return kinds


def _slices(size: int, length: int) -> Iterator[slice]:
    for start in range(0, size, max(1, length)):
        yield slice(start, min(start + max(1, length), size))
