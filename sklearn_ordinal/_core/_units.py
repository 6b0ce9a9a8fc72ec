"""Resampling of samples, clusters of samples or items, and the amounts in each resample.

Amounts are counts, or weights of patterns of ratings. Units that contribute the same amounts are
of the same kind. A resample is the number of units of each kind; its amounts are the sum of the
tables of the kinds, each times this number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack, vstack

from sklearn_ordinal._core._arrays import slices
from sklearn_ordinal._core._checks import check_n_units
from sklearn_ordinal._core._confusion import (
    OrdinalConfusion,
    check_has_items,
    n_unanswered,
    samples_counted_in,
)
from sklearn_ordinal._core._counting import CountedSamples
from sklearn_ordinal._core._integer_run import IntegerArray
from sklearn_ordinal._core._protocols import Criterion
from sklearn_ordinal._core._scale import OrdinalScale

# Stacks fit in the cache, and memory does not grow with the number of resamples.
_CELLS_PER_STACK = 2**16
_NUMBERS_PER_DRAW = 2**18
# With fewer units per kind, drawing unit by unit is faster than a multinomial draw.
_UNITS_PER_KIND = 5
_LARGEST_KIND = 2**62

Draw = Callable[[int], NDArray[np.int64]]
"""Function from a number of resamples to the draws of each kind: (n_kinds, n_resamples)."""


class Layout(Protocol):
    """How amounts become evidence: which entry of the evidence each row of the tables holds."""

    @property
    def n_entries(self) -> int:
        """Number of rows of the tables of each system."""

    def evidence(self, amounts: NDArray[np.float64]) -> tuple[Any, ...]:
        """Return the evidence of each system from amounts (n_systems * n_entries, n_stack)."""

    def entries(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the value of each row of the tables, from those of the entries of evidence."""

    def n_unanswered(self, evidence: tuple[Any, ...]) -> list[float]:
        """Return the number, or weight, of the samples without a prediction, for each system."""


AnyLayout = TypeVar("AnyLayout", bound=Layout)


@dataclass(frozen=True, eq=False)
class CountLayout:
    """Amounts are the counts of confusion matrices.

    Parameters
    ----------
    scale : OrdinalScale
        The classes, K.
    is_weighted : bool
        Whether the counts are sums of sample weights.
    has_unanswered : bool
        Whether samples without a prediction are counted, so that there are K + 1 columns.
    """

    scale: OrdinalScale
    is_weighted: bool
    has_unanswered: bool

    @property
    def n_entries(self) -> int:
        """Number of cells of a matrix."""
        return len(self.scale) * (len(self.scale) + self.has_unanswered)

    def evidence(self, amounts: NDArray[np.float64]) -> tuple[OrdinalConfusion, ...]:
        """Reshape (n_systems * K * n_columns, n_matrices) to (n_matrices, K, K) for each system.

        The matrices stay interleaved in memory, so that sums over classes are fast sums over
        long rows.
        """
        return tuple(map(self._confusion, self._reshaped(amounts)))

    def stacked(self, amounts: NDArray[np.float64]) -> OrdinalConfusion:
        """Return the matrices of all systems as one stack, (n_systems, n_matrices, K, K)."""
        return self._confusion(self._reshaped(amounts))

    def entries(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the values of the cells, whose last column is for unanswered samples."""
        n_classes = len(self.scale)
        # Without unanswered samples, there is no column for them.
        by_cell = values.reshape(n_classes, n_classes + 1)
        return by_cell[:, : n_classes + self.has_unanswered].ravel()

    def n_unanswered(self, evidence: tuple[OrdinalConfusion, ...]) -> list[float]:
        """Return the number, or weight, of the samples without a prediction, for each system."""
        amounts = list(map(n_unanswered, evidence))
        return amounts if self.is_weighted else [round(amount) for amount in amounts]

    def _reshaped(self, amounts: NDArray[np.float64]) -> NDArray[np.float64]:
        n_classes = len(self.scale)
        n_columns = n_classes + self.has_unanswered
        matrices = np.moveaxis(amounts.reshape(-1, n_classes, n_columns, amounts.shape[-1]), -1, 1)
        # OrdinalConfusion would copy a writeable array.
        matrices.setflags(write=False)
        return matrices

    def _confusion(self, counts: NDArray[np.float64]) -> OrdinalConfusion:
        n_classes = len(self.scale)
        return OrdinalConfusion(
            self.scale,
            counts[..., :n_classes],
            self.is_weighted,
            counts[..., n_classes] if self.has_unanswered else None,
        )


@dataclass(frozen=True, eq=False)
class Units(Generic[AnyLayout]):
    """Units to resample, by kind.

    Parameters
    ----------
    sizes : ndarray of shape (n_kinds,)
        Number of units of each kind.
    tables : sparse array of shape (n_systems * n_entries, n_kinds)
        Amounts of one unit of each kind in the entries of each system.
    layout : Layout
        How the amounts become evidence.
    """

    sizes: NDArray[np.int64]
    tables: Any
    layout: AnyLayout

    @property
    def n_units(self) -> int:
        """Number of units."""
        return int(self.sizes.sum())

    def each(self) -> Iterator[tuple[Units[AnyLayout], NDArray[np.intp]]]:
        """Yield the units of each system alone, and the new number of each kind.

        Kinds that differ only in the other systems are merged.
        """
        n_entries = self.layout.n_entries
        for start in range(0, self.tables.shape[0], n_entries):
            tables, sizes = self.tables[start : start + n_entries].tocsc(), self.sizes
            kind = np.arange(len(sizes))
            if (np.diff(tables.indptr) == 1).all():
                cells = np.stack([tables.indices, tables.data])
                _, first, kind = np.unique(cells, axis=1, return_index=True, return_inverse=True)
                kind = kind.ravel()
                tables, sizes = tables[:, first], np.bincount(kind, sizes).astype(np.int64)
            yield replace(self, sizes=sizes, tables=tables.tocsr()), kind

    @property
    def kind_sizes(self) -> NDArray[np.int64]:
        """Number of units of each kind."""
        return self.sizes

    def sums(self, systems: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return the weighted sums of the values of entries over one unit of each kind."""
        n_entries = self.layout.n_entries
        tables = [self.tables[k * n_entries : (k + 1) * n_entries] for k in range(len(systems))]
        by_row = map(self.layout.entries, systems)
        return np.stack([table.T @ v for table, v in zip(tables, by_row, strict=True)])

    def n_unanswered(self) -> list[float]:
        """Return the number, or weight, of the samples without a prediction, for each system."""
        return self.layout.n_unanswered(self.all_together())

    def all_together(self) -> tuple[Any, ...]:
        """Return the evidence of all units, as a stack of one."""
        return self.layout.evidence(self.tables @ self.sizes[:, None])

    def without_one(self) -> Iterator[tuple[Any, ...]]:
        """Yield stacks of evidence. For each kind, one part leaves out one of its units."""
        total, tables = self.tables @ self.sizes[:, None], self.tables.tocsc()
        for kinds in slices(len(self.sizes), self._stack_length):
            # Rounding may leave slightly negative amounts.
            yield self.layout.evidence(np.maximum(total - tables[:, kinds].toarray(), 0))

    def resampled(self, rng: np.random.Generator, n_resamples: int) -> Iterator[tuple[Any, ...]]:
        """Yield stacks of the evidence of the same number of units, drawn at random."""
        return map(self.layout.evidence, self.resampled_amounts(rng, n_resamples))

    def resampled_amounts(
        self, rng: np.random.Generator, n_resamples: int
    ) -> Iterator[NDArray[np.float64]]:
        """Yield the amounts of the stacks of `resampled`, (n_systems * n_entries, size)."""
        return self._sums(self.tables, self._draw(rng), n_resamples)

    def drawn(self, rng: np.random.Generator, n_resamples: int) -> Iterator[NDArray[np.int64]]:
        """Yield the number of times that `resampled` draws each kind, (n_kinds, size)."""
        draw = self._draw(rng)
        for stack in slices(n_resamples, self._stack_length):
            for part in slices(stack.stop - stack.start, _NUMBERS_PER_DRAW // len(self.sizes)):
                yield draw(part.stop - part.start)

    def _draw(self, rng: np.random.Generator) -> Draw:
        n_units, n_kinds = self.n_units, len(self.sizes)
        if n_units >= _UNITS_PER_KIND * n_kinds:
            shares = self.sizes / n_units
            return lambda size: rng.multinomial(n_units, shares, size).T
        kind_of = np.repeat(np.arange(n_kinds), self.sizes)

        def draw_units(size: int) -> NDArray[np.int64]:
            kinds = kind_of[rng.integers(n_units, size=(size, n_units))]
            cells = (kinds * size + np.arange(size)[:, None]).ravel()
            return np.bincount(cells, minlength=n_kinds * size).reshape(n_kinds, size)

        return draw_units

    def of_swapped(self, metric: Criterion) -> Criterion:
        """Return the metric unchanged."""
        return metric

    def swapped(self, rng: np.random.Generator, n_resamples: int) -> Iterator[tuple[Any, ...]]:
        """Yield stacks of evidence, where the two systems have exchanged some units."""
        n_cells = self.tables.shape[0] // 2
        swapped_tables = vstack([self.tables[n_cells:], self.tables[:n_cells]])

        def toss(size: int) -> NDArray[np.int64]:
            sizes, shape = self.sizes[:, None], (len(self.sizes), size)
            # Random bits are about ten times faster than binomials of size one.
            exchanged = (
                rng.integers(2, size=shape) if sizes.max() == 1 else rng.binomial(sizes, 0.5, shape)
            )
            return np.vstack([sizes - exchanged, exchanged])

        # Use sums rather than differences, so that an empty cell stays exactly zero for any
        # weights.
        both = hstack([self.tables, swapped_tables], format="csr")
        return map(self.layout.evidence, self._sums(both, toss, n_resamples))

    def _sums(self, tables: Any, draw: Draw, n_resamples: int) -> Iterator[NDArray[np.float64]]:
        """Yield the amounts of a few resamples at a time."""
        for stack in slices(n_resamples, self._stack_length):
            counts = np.empty((tables.shape[0], stack.stop - stack.start))
            for part in slices(counts.shape[1], _NUMBERS_PER_DRAW // tables.shape[1]):
                counts[:, part] = tables @ draw(part.stop - part.start).astype(np.float64)
            yield counts

    @property
    def _stack_length(self) -> int:
        return _CELLS_PER_STACK // int(self.tables.shape[0])


def system_units(confusion: OrdinalConfusion) -> Units[CountLayout]:
    """Return the units of one or more systems, from counts or from the counted samples."""
    check_has_items(confusion)
    samples = samples_counted_in(confusion)
    if samples is None:
        if confusion.n_samples is None or confusion.is_weighted:
            raise ValueError(
                "confusion must hold numbers of samples, but sums of weights or means do not "
                "tell which samples to draw: pass what OrdinalConfusion.from_predictions "
                "returns for all samples."
            )
        if confusion.is_clustered:
            raise ValueError(
                "confusion must hold samples that are drawn one by one, but counts of samples "
                "in clusters do not tell which samples to draw together: pass what "
                "OrdinalConfusion.from_predictions returns for all samples."
            )
        units = cell_units(confusion)
    else:
        units = _sample_units(samples)
    is_clustered = samples is not None and samples.cluster is not None
    check_n_units("clusters" if is_clustered else "y_true", units.n_units)
    return units


def cell_units(confusion: OrdinalConfusion) -> Units[CountLayout]:
    """Return the units of a matrix of numbers of samples, or of one matrix for each group."""
    counts = cell_counts(confusion)
    cells = np.flatnonzero(counts)
    tables, sizes = cell_tables(cells, counts.size), counts.ravel()[cells]
    layout = CountLayout(confusion.scale, False, confusion.unanswered is not None)
    return Units(sizes, tables, layout)


def _sample_units(samples: CountedSamples) -> Units[CountLayout]:
    cells, weight, kind = samples.cells, samples.weight, samples.cluster
    if kind is None:
        _, first, sizes = np.unique(
            sample_kinds(cells, samples.n_columns, weight),
            return_index=True,
            return_counts=True,
        )
        cells, weight, kind = cells[:, first], weight[first], np.arange(len(first))
    else:
        sizes = np.ones(kind.max() + 1, dtype=np.int64)
    tables = kind_tables(cells, weight, kind, samples.n_cells)
    return Units(sizes, tables, count_layout(samples))


def count_layout(samples: CountedSamples) -> CountLayout:
    """Return the layout of the matrices that count samples."""
    return CountLayout(samples.scale, samples.is_weighted, samples.has_unanswered)


def cell_counts(confusion: OrdinalConfusion) -> NDArray[np.int64]:
    """Return the counts (..., K, n_columns); the last column is for unanswered samples, if any."""
    counts = confusion.counts.astype(np.int64, copy=False)
    if confusion.unanswered is None:
        return counts
    unanswered = confusion.unanswered.astype(np.int64, copy=False)
    return np.concatenate([counts, unanswered[..., None]], axis=-1)


def kind_tables(
    cells: NDArray[np.int64], weight: NDArray[np.float64], kind: IntegerArray, n_cells: int
) -> Any:
    """Return the counts of each kind, from the cells (n_systems, n) of its samples."""
    n_systems = len(cells)
    rows = cells + np.arange(n_systems)[:, None] * n_cells
    return csr_array(
        (np.tile(weight, n_systems), (rows.ravel(), np.tile(kind, n_systems))),
        shape=(n_systems * n_cells, kind.max() + 1),
    )


def cell_tables(cells: NDArray[np.intp], n_cells: int) -> Any:
    """Return the counts of each kind, where kind i is a single sample in cell `cells[i]`."""
    return kind_tables(cells[None], np.ones(len(cells)), np.arange(len(cells)), n_cells)


def sample_kinds(
    cells: NDArray[np.int64], n_columns: int, weight: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Return a number for each sample, equal for samples with equal cells and weight."""
    kinds: NDArray[np.int64] = cells[0]
    for system_cells in cells[1:]:
        # Renumber without gaps before the numbers overflow, for many systems.
        if kinds.max() > _LARGEST_KIND // n_columns:
            kinds = np.unique(kinds, return_inverse=True)[1]
        kinds = kinds * n_columns + system_cells % n_columns
    weights, kind_of_weight = np.unique(weight, return_inverse=True)
    if len(weights) > 1:
        # Number from 0 without gaps, since the product of large numbers could overflow.
        kinds = np.unique(kinds, return_inverse=True)[1] * len(weights) + kind_of_weight
    return kinds
