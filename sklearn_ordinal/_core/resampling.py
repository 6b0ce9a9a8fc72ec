"""Resampling of samples, clusters or items, as counts of units or as weights of samples.

Amounts are counts, or weights of patterns of ratings. Units that contribute the same amounts are
of the same kind. A resample is the number of units of each kind; its amounts are the sum of the
tables of the kinds, each times this number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Generic, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack, vstack
from scipy.special import factorial

from sklearn_ordinal._core import arithmetic, checks, confusion_counts, sampling, tolerances
from sklearn_ordinal._core.arithmetic import Values
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.counting import CountedSamples
from sklearn_ordinal._core.forecasting import OrdinalScores
from sklearn_ordinal._core.influence_functions import Criterion, SortedUnits
from sklearn_ordinal._core.scales import IntegerArray, OrdinalScale

# Fast bootstrap draws: with replacement, as many units as there are
# ------------------------------------------------------------------

_BYTES = 256
# Larger numbers have a probability below 1e-18 each.
_NUMBERS = np.arange(20)
# The sum of all numbers is expected to be this many standard deviations below the number of units.
_MARGIN = 4.0
_LOWEST_RATE, _HIGHEST_RATE = 0.5, 0.98


class UnitDraws:
    """Bootstrap draws, as the number of times that each unit is drawn.

    The result is an exact multinomial draw in a third of the time that drawing units one by one
    takes. Independent Poisson numbers with the sum N are a multinomial draw of N units, and adding
    draws to it gives a larger multinomial draw. The Poisson numbers have a rate just below 1, and
    the missing units are drawn one by one: 2% of them, or all of them in the rare case that the
    sum is too large.

    A random byte decides each Poisson number. Each number gets as many of the 256 bytes as fit
    into its probability. The few remaining bytes cause a second draw, from the missing parts of
    the probabilities.

    Parameters
    ----------
    n_units : int
        Number of units, and of draws.
    """

    def __init__(self, n_units: int) -> None:
        self.n_units = n_units
        rate = np.clip(1 - _MARGIN / np.sqrt(n_units), _LOWEST_RATE, _HIGHEST_RATE)
        probabilities = np.exp(-rate) * rate**_NUMBERS / factorial(_NUMBERS)
        n_bytes = np.floor(_BYTES * probabilities)
        self._first_bytes = np.cumsum(n_bytes[n_bytes > 0]).astype(np.uint8)
        missing = np.cumsum(_BYTES * probabilities - n_bytes)
        self._missing_shares = missing / missing[-1]

    def __call__(self, rng: np.random.Generator, n_resamples: int) -> NDArray[np.uint8]:
        """Return the number of draws of each unit in each resample: (n_resamples, n_units)."""
        numbers = self._poisson(rng, n_resamples * self.n_units)
        rows = numbers.reshape(n_resamples, self.n_units)
        n_missing = self.n_units - rows.sum(axis=1, dtype=np.uint32).astype(np.int64)
        rows[n_missing < 0] = 0
        n_missing[n_missing < 0] = self.n_units
        units = rng.integers(self.n_units, size=n_missing.sum())
        units += np.repeat(np.arange(n_resamples) * self.n_units, n_missing)
        np.add.at(numbers, units, np.uint8(1))
        return rows

    def _poisson(self, rng: np.random.Generator, size: int) -> NDArray[np.uint8]:
        words = rng.integers(2**64 - 1, dtype=np.uint64, endpoint=True, size=-(-size // 8))
        random_bytes = words.view(np.uint8)[:size]
        first_of_one, *first_bytes, first_left_over = self._first_bytes
        numbers: NDArray[np.uint8] = (random_bytes >= first_of_one).view(np.uint8)
        for first_byte in first_bytes:
            numbers += (random_bytes >= first_byte).view(np.uint8)
        again = np.flatnonzero(random_bytes >= first_left_over)
        numbers[again] = np.searchsorted(self._missing_shares, rng.random(len(again)), "right")
        return numbers


# Resampling of samples, clusters of samples or items, and the amounts in each resample
# -------------------------------------------------------------------------------------

# Stacks fit in the cache, and memory does not grow with the number of resamples.
_CELLS_PER_STACK = 2**16
_NUMBERS_PER_DRAW = 2**18
# With fewer units per kind, drawing unit by unit is faster than a multinomial draw.
_UNITS_PER_KIND = 5
_LARGEST_KIND = 2**62

Draw = Callable[[int], NDArray[np.int64]]
"""Function from a number of resamples to the draws of each kind: (n_kinds, n_resamples)."""


class Resampling(Protocol):
    """Samples or groups of samples that are drawn, left out or exchanged as units.

    The methods return or yield the evidence of each system, as stacks of resamples.
    """

    @property
    def n_units(self) -> int:
        """Number of units."""

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of times that each entry of the stacks of `without_one` counts."""

    def each(self) -> Iterator[tuple[Resampling, NDArray[np.intp]]]:
        """Yield the units of each system alone, and the new number of each kind."""

    @property
    def kind_sizes(self) -> NDArray[np.int64]:
        """Number of units of each kind that `drawn` draws."""

    @property
    def starts(self) -> IntegerArray:
        """The first kind of each stratum. Strata are drawn separately, and have a given size."""

    def sums(self, systems: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return the weighted sums of values over one unit of each kind: (n_systems, n_kinds).

        The values of each system have an entry for each entry of its evidence.
        """

    def n_unanswered(self) -> list[float]:
        """Return the number, or weight, of the samples without a prediction, for each system."""

    def all_together(self) -> Sequence[Any]:
        """Return all samples, as a stack of one."""

    def without_one(self) -> Iterator[Sequence[Any]]:
        """Yield stacks whose entries each leave out one unit, or one block of units."""

    def resampled(self, rng: np.random.Generator, n_resamples: int) -> Iterator[Sequence[Any]]:
        """Yield stacks of resamples, each with as many units as there are, drawn at random."""

    def drawn(self, rng: np.random.Generator, n_resamples: int) -> Iterator[NDArray[np.integer]]:
        """Yield the draws of each kind by `resampled`, given the same `rng`: (n_kinds, size)."""

    def of_swapped(self, metric: Criterion) -> Criterion:
        """Return the metric to evaluate on the evidence that `swapped` yields."""

    def swapped(self, rng: np.random.Generator, n_resamples: int) -> Iterator[Sequence[Any]]:
        """Yield stacks with the predictions of some units exchanged between two systems."""


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
        amounts = list(map(confusion_counts.n_unanswered, evidence))
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
    stratum : ndarray of shape (n_kinds,), default=None
        The stratum of each kind, in ascending order. None if there are no strata.
    """

    sizes: NDArray[np.int64]
    tables: Any
    layout: AnyLayout
    stratum: IntegerArray | None = None

    @property
    def n_units(self) -> int:
        """Number of units."""
        return int(self.sizes.sum())

    @property
    def starts(self) -> IntegerArray:
        """The first kind of each stratum."""
        return _starts(self.stratum)

    def each(self) -> Iterator[tuple[Units[AnyLayout], NDArray[np.intp]]]:
        """Yield the units of each system alone, and the new number of each kind.

        Kinds that differ only in the other systems are merged.
        """
        n_entries = self.layout.n_entries
        for start in range(0, self.tables.shape[0], n_entries):
            tables, sizes = self.tables[start : start + n_entries].tocsc(), self.sizes
            kind = np.arange(len(sizes))
            if self.stratum is None and (np.diff(tables.indptr) == 1).all():
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
        for kinds in arithmetic.slices(len(self.sizes), self._stack_length):
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
        for stack in arithmetic.slices(n_resamples, self._stack_length):
            for part in arithmetic.slices(
                stack.stop - stack.start, _NUMBERS_PER_DRAW // len(self.sizes)
            ):
                yield draw(part.stop - part.start)

    def _draw(self, rng: np.random.Generator) -> Draw:
        draws = [_draw_of(sizes, rng) for sizes in np.split(self.sizes, self.starts[1:])]
        return draws[0] if len(draws) == 1 else lambda size: np.vstack([d(size) for d in draws])

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
        for stack in arithmetic.slices(n_resamples, self._stack_length):
            counts = np.empty((tables.shape[0], stack.stop - stack.start))
            for part in arithmetic.slices(counts.shape[1], _NUMBERS_PER_DRAW // tables.shape[1]):
                counts[:, part] = tables @ draw(part.stop - part.start).astype(np.float64)
            yield counts

    @property
    def _stack_length(self) -> int:
        return _CELLS_PER_STACK // int(self.tables.shape[0])


def _starts(stratum: IntegerArray | None) -> IntegerArray:
    """Return the first position of each stratum, given strata in ascending order."""
    return np.zeros(1, np.intp) if stratum is None else np.unique(stratum, return_index=True)[1]


def _draw_of(sizes: NDArray[np.int64], rng: np.random.Generator) -> Draw:
    """Return the function that draws as many units as there are of some kinds."""
    n_units, n_kinds = int(sizes.sum()), len(sizes)
    if n_units >= _UNITS_PER_KIND * n_kinds:
        shares = sizes / n_units
        return lambda size: rng.multinomial(n_units, shares, size).T
    kind_of = np.repeat(np.arange(n_kinds), sizes)

    def draw_units(size: int) -> NDArray[np.int64]:
        kinds = kind_of[rng.integers(n_units, size=(size, n_units))]
        cells = (kinds * size + np.arange(size)[:, None]).ravel()
        return np.bincount(cells, minlength=n_kinds * size).reshape(n_kinds, size)

    return draw_units


def system_units(confusion: OrdinalConfusion) -> Units[CountLayout]:
    """Return the units of one or more systems, from counts or from the counted samples."""
    confusion_counts.check_has_items(confusion)
    samples = confusion_counts.samples_counted_in(confusion)
    if samples is None:
        if confusion.n_samples is None or confusion.is_weighted:
            raise ValueError(
                "confusion must hold numbers of samples, but sums of weights or means do not "
                "tell which samples to draw: pass what OrdinalConfusion.from_predictions "
                "returns for all samples."
            )
        if confusion_counts.has_design(confusion):
            raise ValueError(
                "confusion must hold samples that are drawn one by one, but counts of samples "
                "in clusters or strata do not tell how to draw them: pass what "
                "OrdinalConfusion.from_predictions returns for all samples."
            )
        units = _cell_units(confusion)
    else:
        units = _sample_units(samples)
    is_clustered = samples is not None and samples.cluster is not None
    checks.check_n_units("clusters" if is_clustered else "y_true", units.n_units)
    return units


def _cell_units(confusion: OrdinalConfusion) -> Units[CountLayout]:
    """Return the units of a matrix of numbers of samples, or of one matrix for each group."""
    counts = cell_counts(confusion)
    cells = np.flatnonzero(counts)
    tables, sizes = cell_tables(cells, counts.size), counts.ravel()[cells]
    layout = CountLayout(confusion.scale, False, confusion.unanswered is not None)
    return Units(sizes, tables, layout)


def _sample_units(samples: CountedSamples) -> Units[CountLayout]:
    cells, weight, kind, stratum = samples.cells, samples.weight, samples.cluster, samples.stratum
    if kind is None:
        kinds = sample_kinds(cells, samples.n_columns, weight)
        if stratum is not None:
            kinds = np.unique(np.stack([stratum, kinds]), axis=1, return_inverse=True)[1].ravel()
        _, first, sizes = np.unique(kinds, return_index=True, return_counts=True)
        cells, weight, kind = cells[:, first], weight[first], np.arange(len(first))
        stratum = None if stratum is None else stratum[first]
    else:
        units = SortedUnits(kind, stratum)
        kind, stratum = units.of_row, units.sample
        sizes = np.ones(kind.max() + 1, dtype=np.int64)
    tables = kind_tables(cells, weight, kind, samples.n_cells)
    return Units(sizes, tables, count_layout(samples), stratum)


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


# Resampling of samples with probabilities or scores, or of clusters of samples, by weights
# -----------------------------------------------------------------------------------------

# Weights of this size stay in the cache. A stack of a few resamples of many samples may be larger,
# since otherwise the calls would take as long as the arithmetic.
_WEIGHTS_PER_STACK, _MOST_WEIGHTS_PER_STACK = 2**18, 2**20
_FEW_RESAMPLES = 4
# Leaving out each of many units would take longer than the resamples.
_MOST_LEFT_OUT = 500


@dataclass(frozen=True, eq=False)
class Rows:
    """Samples of one or more systems, with the units to resample.

    Parameters
    ----------
    systems : tuple of evidence
        Each system's predictions for the same samples, with the same weights.
    n_units : int
        Number of units.
    unit_of_row : ndarray of shape (n_samples,) or None
        The unit of each sample, which is arbitrary for samples of weight zero. None if each
        sample is a unit.
    stratum : ndarray of shape (n_units,), default=None
        The stratum of each unit, in ascending order. None if there are no strata.
    """

    systems: tuple[Any, ...]
    n_units: int
    unit_of_row: NDArray[np.intp] | None
    stratum: IntegerArray | None = None

    @classmethod
    def from_systems(cls, systems: Sequence[Any]) -> Rows:
        """Make the units of one or more systems, from their evidence on the same samples."""
        has_weight, (clusters, strata) = systems[0].weights > 0, sampling.drawn_with(systems[0])
        n_units = n_samples = len(has_weight)
        unit_of_row = stratum = None
        if sampling.has_design(systems[0]) or not has_weight.all():
            units = np.arange(n_samples) if clusters is None else clusters
            unit_of_row = np.zeros(n_samples, dtype=np.intp)
            distinct, of_samples = np.unique(units[has_weight], return_inverse=True)
            drawn = SortedUnits(of_samples, None if strata is None else strata[has_weight])
            unit_of_row[has_weight], stratum = drawn.of_row, drawn.sample
            n_units = len(distinct)
        checks.check_n_units("y_true" if clusters is None else "clusters", n_units)
        # From here on, the units represent the clusters and strata.
        return cls(tuple(map(sampling.without_design, systems)), n_units, unit_of_row, stratum)

    @property
    def starts(self) -> IntegerArray:
        """The first unit of each stratum."""
        return _starts(self.stratum)

    @property
    def stratum_of_row(self) -> IntegerArray | None:
        """The stratum of each sample, None if there are no strata."""
        return None if self.stratum is None else self.stratum[self.unit_of_row]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Ones, one for each block of units that `without_one` leaves out."""
        return np.ones(min(self.n_units, _MOST_LEFT_OUT), dtype=np.int64)

    def each(self) -> Iterator[tuple[Rows, NDArray[np.intp]]]:
        """Yield the units of each system, and their numbers."""
        for system in self.systems:
            yield replace(self, systems=(system,)), np.arange(self.n_units)

    @property
    def kind_sizes(self) -> NDArray[np.int64]:
        """Ones, one for each unit."""
        return np.ones(self.n_units, dtype=np.int64)

    def sums(self, systems: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return the weighted sums of the values of samples over each unit."""
        weights = self.systems[0].weights
        weighted = [np.where(weights > 0, weights * values, 0) for values in systems]
        if self.unit_of_row is None:
            return np.stack(weighted)
        return np.stack([np.bincount(self.unit_of_row, w, self.n_units) for w in weighted])

    def n_unanswered(self) -> list[float]:
        """Return zeros: each sample has a prediction."""
        return [0] * len(self.systems)

    def all_together(self) -> tuple[Any, ...]:
        """Return all samples, as a stack of one."""
        return self._reweighted(np.ones((1, self.n_units)))

    def resampled(self, rng: np.random.Generator, n_resamples: int) -> Iterator[tuple[Any, ...]]:
        """Yield stacks of the same number of units, drawn at random."""
        # If there are neither weights nor clusters, the weights of each resample add up to the same
        # number.
        is_known = self.unit_of_row is None and not self._have_weights
        for times in self.drawn(rng, n_resamples):
            amounts = np.full(times.shape[1], float(self.n_units)) if is_known else None
            yield self._reweighted(times.T, amounts)

    def drawn(self, rng: np.random.Generator, n_resamples: int) -> Iterator[NDArray[np.uint8]]:
        """Yield the number of times that `resampled` draws each unit, (n_units, size)."""
        draws = [UnitDraws(n_units) for n_units in np.diff(self.starts, append=self.n_units)]
        for part in arithmetic.slices(n_resamples, self._stack_length):
            yield np.hstack([draw(rng, part.stop - part.start) for draw in draws]).T

    def without_one(self) -> Iterator[tuple[Any, ...]]:
        """Yield stacks without one unit, or without one of 500 random blocks of units."""
        n_blocks, block = len(self.sizes), np.arange(self.n_units)
        if n_blocks < self.n_units:
            # Do not seed with `random_state`, so that it only changes the resamples.
            block = np.random.default_rng(0).permutation(self.n_units) % n_blocks
            if self.stratum is not None:
                # Each block has a share of each stratum.
                block[np.lexsort((block, self.stratum))] = np.arange(self.n_units) % n_blocks
        for part in arithmetic.slices(n_blocks, self._stack_length):
            left_out = np.arange(part.start, part.stop)[:, None]
            yield self._reweighted(block != left_out)

    def of_swapped(self, metric: Criterion) -> Criterion:
        """Return the metric for the predictions of both systems.

        Scores of two systems, such as values of two decision functions, may be on different
        scales. Their ranks are on the same scale, so a metric that depends only on the order of the
        scores is evaluated on the ranks within each system. The result is the same for
        probabilities and for the expected positions computed from them.
        """
        n_samples = self.systems[0].n_samples
        of_both: Criterion = with_rows(metric, np.tile(np.arange(n_samples), 2), n_samples)
        accepted = [metric.evidence.accepted(system, metric.name) for system in self.systems]
        if not all(isinstance(evidence, OrdinalScores) for evidence in accepted):
            return of_both
        ranks = [_score_ranks(scores) for scores in accepted]
        if not all(
            np.array_equal(metric(scores), metric(ranked), equal_nan=True)
            for scores, ranked in zip(self.systems, ranks, strict=True)
        ):
            return of_both
        first, second = ranks
        statistic = partial(_on_ranks, of_both.statistic, first + second)
        on_ranks: Criterion = replace(cast(Any, of_both), statistic=statistic)
        return on_ranks

    def swapped(self, rng: np.random.Generator, n_resamples: int) -> Iterator[tuple[Any, ...]]:
        """Yield stacks with the predictions of some units exchanged between the two systems."""
        first, second = self.systems
        # Each sample occurs twice, and one of its two predictions has weight zero.
        pooled, n_samples = first + second, first.n_samples
        for part in arithmetic.slices(n_resamples, self._stack_length // 2):
            shape = (part.stop - part.start, self.n_units)
            is_exchanged = self._of_samples(rng.integers(2, size=shape, dtype=np.bool_))
            # The second system gets the predictions that the first system does not get, so both can
            # use one array.
            weights = self._weights(
                np.concatenate([~is_exchanged, is_exchanged, ~is_exchanged], axis=-1)
            )
            yield (
                sampling.reweighted(pooled, weights[:, : 2 * n_samples]),
                sampling.reweighted(pooled, weights[:, n_samples:]),
            )

    def _reweighted(self, times: NDArray[Any], amounts: Values | None = None) -> tuple[Any, ...]:
        """Return the evidence with each unit counted `times`, of shape (n_resamples, n_units)."""
        weights = self._weights(self._of_samples(times))
        return tuple(sampling.reweighted(system, weights, amounts) for system in self.systems)

    def _of_samples(self, of_units: NDArray[Any]) -> NDArray[Any]:
        return of_units if self.unit_of_row is None else of_units[:, self.unit_of_row]

    def _weights(self, times: NDArray[Any]) -> NDArray[np.float64]:
        """Return the weights of samples that count `times`, for one or more copies of them."""
        weights, first = times.astype(np.float64), self.systems[0]
        if self._have_weights:
            weights *= np.tile(first.weights, weights.shape[-1] // first.n_samples)
        return weights

    @cached_property
    def _have_weights(self) -> bool:
        # `reweighted` does not mark the samples as weighted.
        first = self.systems[0]
        return first.is_weighted or bool((first.weights != 1).any())

    @property
    def _stack_length(self) -> int:
        n_samples: int = self.systems[0].n_samples
        few = min(_FEW_RESAMPLES, _MOST_WEIGHTS_PER_STACK // n_samples)
        return max(_WEIGHTS_PER_STACK // n_samples, few)


def _score_ranks(scores: OrdinalScores) -> OrdinalScores:
    """Replace scores by the share of the samples with lower scores, where ties count half."""
    _, tie = np.unique(scores.y_score, return_inverse=True)
    weights = np.bincount(tie, scores.weights)
    shares = (np.cumsum(weights) - weights / 2) / weights.sum()
    # Shares that are equal up to rounding errors are ties between the systems.
    return replace(scores, y_score=np.round(shares[tie], tolerances.DIGITS_OF_RANKS))


def _on_ranks(statistic: Callable[..., Any], ranks: OrdinalScores, scores: OrdinalScores) -> Any:
    """Evaluate the statistic of a metric on ranks with the weights of scores."""
    return statistic(sampling.reweighted(ranks, scores.weights))


def with_rows(metric: Any, rows: NDArray[np.intp] | slice, n_samples: int) -> Any:
    """Return the metric after selecting `rows`, in that order, from its per-sample options.

    These options, such as a reference, have a row for each of the samples.
    """
    of_rows = {
        name: np.asarray(value)[rows]
        for name, value in metric.options.items()
        if np.ndim(value) == 2 and len(value) == n_samples
    }
    if not of_rows or metric.scorer is not None:
        return metric
    return replace(metric, statistic=partial(metric.statistic, **of_rows))
