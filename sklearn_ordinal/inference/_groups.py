"""Permutations of the groups of one data set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.stats import random_table

from sklearn_ordinal._core import (
    CountedSamples,
    CountLayout,
    IntegerArray,
    OrdinalConfusion,
    OrdinalMetric,
    Values,
    cell_counts,
    cell_tables,
    check_n_units,
    count_layout,
    kind_tables,
    sample_kinds,
    samples_counted_in,
    slices,
)

_NUMBERS_PER_STACK = 2**20
# With fewer units per kind, exchanging unit by unit is faster than drawing a table.
_UNITS_PER_KIND = 5
WITHIN_CLASSES = "samples of the same true class"
WITHIN_CLUSTERS = "samples of the same cluster and true class"
WHOLE_CLUSTERS = "whole clusters"


@dataclass(frozen=True, eq=False)
class GroupedUnits:
    """Samples, or clusters of samples, of all groups, which a permutation exchanges.

    Parameters
    ----------
    layout : CountLayout
        How counts become evidence, with a matrix for each group.
    of_kinds : ndarray of shape (n_groups, n_kinds)
        Number of units of each kind in each group.
    tables : sparse array of shape (K * n_columns, n_kinds)
        Counts of one unit of each kind.
    stratum : ndarray of shape (n_kinds,)
        The stratum of each kind. Units are exchanged within their stratum.
    exchanged : str
        Description of the units that a permutation exchanges between groups.
    """

    layout: CountLayout
    of_kinds: NDArray[np.int64]
    tables: Any
    stratum: IntegerArray
    exchanged: str

    @classmethod
    def _from_samples(
        cls, samples: CountedSamples, group: IntegerArray, n_groups: int
    ) -> GroupedUnits:
        """Make the units from counted samples, given the group of each sample."""
        cluster = samples.cluster
        true = samples.cells[0] // samples.n_columns
        if cluster is not None:
            check_n_units("clusters", int(cluster.max()) + 1)
        exchange = exchange_of(cluster, group, true, len(samples.scale))
        if exchange.is_of_clusters:
            kind, stratum = exchange.unit, exchange.stratum
            tables = kind_tables(samples.cells, samples.weight, kind, samples.n_cells)
            # A cluster is a single unit, regardless of how many samples it has.
            sizes = np.zeros((n_groups, len(stratum)), dtype=np.int64)
            sizes[exchange.group, np.arange(len(stratum))] = 1
        else:
            # Without clusters, the cell of a sample determines its stratum.
            kind, first, tables = _kinds(samples, None if cluster is None else exchange.stratum)
            stratum = exchange.stratum[first]
            sizes = np.bincount(group * len(stratum) + kind, minlength=n_groups * len(stratum))
            sizes = sizes.reshape(n_groups, -1)
        return cls(count_layout(samples), sizes, tables, stratum, exchange.what)

    @classmethod
    def from_confusion(
        cls, groups: OrdinalConfusion, position: IntegerArray, n_groups: int | None = None
    ) -> GroupedUnits:
        """Make the units from a stack of counts, given the new position of each group.

        There may be more groups than matrices, some of them without samples.
        """
        samples = samples_counted_in(groups)
        n_groups = n_groups or len(position)
        if samples is not None and samples.group is not None:
            return cls._from_samples(samples, position[samples.group], n_groups)
        counts = cell_counts(confusion_by_group(groups, position, n_groups))
        flat = counts.reshape(len(counts), -1)
        cells = np.flatnonzero(flat.any(axis=0))
        return cls(
            CountLayout(groups.scale, False, groups.unanswered is not None),
            flat[:, cells],
            cell_tables(cells, flat.shape[1]),
            cells // counts.shape[-1],
            WITHIN_CLASSES,
        )

    def expected(self) -> Iterator[tuple[slice, OrdinalConfusion]]:
        """Yield all groups, with their mean counts over all permutations as a stack of one."""
        _, stratum = np.unique(self.stratum, return_inverse=True)
        n_of_kinds = self.of_kinds.sum(axis=0)
        # Number of units of each group in each stratum.
        of_groups = np.stack([np.bincount(stratum, numbers) for numbers in self.of_kinds])
        shares = of_groups / of_groups.sum(axis=0)
        counts = self.tables @ (shares[:, stratum] * n_of_kinds).T
        yield slice(None), self.layout.stacked(counts.T.reshape(-1, 1))

    def expected_by_class(
        self,
        metric: OrdinalMetric,  # noqa: ARG002
        prevalence: NDArray[np.float64] | None,  # noqa: ARG002
    ) -> Values | None:
        """Return None: the mean counts that `expected` yields take linear time already."""
        return None

    def permuted(self, rng: np.random.Generator, n_permutations: int) -> Iterator[OrdinalConfusion]:
        """Yield stacks with the units exchanged at random between groups, within their strata."""
        n_groups, n_cells = len(self.of_kinds), self.tables.shape[0]
        order = np.argsort(self.stratum, kind="stable")
        strata = np.split(order, np.flatnonzero(np.diff(self.stratum[order])) + 1)
        largest = n_groups * max(n_cells, *map(len, strata))
        for part in slices(n_permutations, _NUMBERS_PER_STACK // largest):
            counts = np.zeros((part.stop - part.start, n_groups, n_cells))
            for kinds in strata:
                counts += self._exchanged(rng, kinds, len(counts))
            yield self.layout.stacked(counts.reshape(len(counts), -1).T)

    def _exchanged(
        self, rng: np.random.Generator, kinds: NDArray[np.intp], n: int
    ) -> NDArray[np.float64]:
        """Return random counts (n, n_groups, n_cells) of a stratum; each group keeps its size."""
        sizes, tables = self.of_kinds[:, kinds], self.tables[:, kinds]
        of_groups, of_kinds = sizes.sum(axis=1), sizes.sum(axis=0)
        if len(kinds) == 1 or np.count_nonzero(of_groups) == 1:
            group_sizes = np.broadcast_to(sizes, (n, *sizes.shape)).reshape(-1, len(kinds)).T
            counts = tables @ group_sizes.astype(np.float64)
        elif of_kinds.sum() < _UNITS_PER_KIND * len(kinds):
            group = np.repeat(np.arange(len(sizes)), of_groups)
            group = rng.permuted(np.broadcast_to(group, (n, len(group))), axis=1)
            of_units = tables[:, np.repeat(np.arange(len(kinds)), of_kinds)]
            counts = (of_units @ _members(group, len(sizes))).toarray()
        else:
            group_sizes = random_table(of_groups, of_kinds).rvs(n, random_state=rng)
            counts = tables @ np.reshape(group_sizes, (-1, len(kinds))).T.astype(np.float64)
        exchanged: NDArray[np.float64] = counts.T.reshape(n, len(sizes), -1)
        return exchanged


def confusion_by_group(
    groups: OrdinalConfusion, position: IntegerArray, n_groups: int
) -> OrdinalConfusion:
    """Return the counts without their samples, given the new position of each group.

    Positions that no group has are groups without samples.
    """
    dtype = np.float64 if groups.is_weighted else np.int64

    def placed(amounts: Any, dtype: type) -> Any:
        if amounts is None:
            return None
        in_order = np.zeros((n_groups, *amounts.shape[1:]), dtype=dtype)
        in_order[position] = amounts
        return in_order

    return OrdinalConfusion(
        groups.scale,
        placed(groups.counts, dtype),
        groups.is_weighted,
        placed(groups.unanswered, dtype),
        sample_counts=placed(groups.sample_counts, np.int64),
        squared_weights=placed(groups.squared_weights, np.float64),
        is_clustered=groups.is_clustered,
        has_fixed_shares=groups.has_fixed_shares,
        has_soft_labels=groups.has_soft_labels,
    )


def sizes_of_groups(
    groups: OrdinalConfusion, position: IntegerArray, n_groups: int
) -> NDArray[np.int64]:
    """Return the number of samples of each group, given the new position of each group."""
    sizes = np.zeros(n_groups, dtype=np.int64)
    sizes[position] = groups.n_samples
    return sizes


def _members(group: NDArray[np.intp], n_groups: int) -> Any:
    """Return a sparse array (n_units, n * n_groups) that is 1 at the group of each unit."""
    n, n_units = group.shape
    members = (np.arange(n)[:, None] * n_groups + group).T.ravel()
    row_ends = np.arange(0, members.size + 1, n)
    return csr_array((np.ones(members.size), members, row_ends), shape=(n_units, n * n_groups))


def _kinds(
    samples: CountedSamples, within: IntegerArray | None
) -> tuple[IntegerArray, NDArray[np.intp], Any]:
    """Return the kind of each sample, and the first sample and the counts of each kind.

    Samples of the same kind have the same cell and weight, and the same `within` if it is given.
    """
    kind = sample_kinds(samples.cells, samples.n_columns, samples.weight)
    if within is not None:
        kind = np.unique(kind, return_inverse=True)[1]
        kind = kind * (within.max() + 1) + within
    _, first, kind = np.unique(kind, return_index=True, return_inverse=True)
    tables = kind_tables(
        samples.cells[:, first], samples.weight[first], np.arange(len(first)), samples.n_cells
    )
    return kind, first, tables


class Exchange(NamedTuple):
    """The units that a permutation exchanges: samples of positive weight, or clusters."""

    unit: IntegerArray
    """The unit of each sample."""
    group: IntegerArray
    """The group of each unit."""
    stratum: IntegerArray
    """The stratum of each unit. Units are exchanged within their stratum."""
    what: str
    """Description of the units."""
    is_of_clusters: bool


def exchange_of(
    cluster: IntegerArray | None, group: IntegerArray, true: IntegerArray, n_classes: int
) -> Exchange:
    """Return the units to exchange, given the cluster, group and true class of each sample."""
    samples = np.arange(len(true))
    if cluster is None:
        return Exchange(samples, group, true, WITHIN_CLASSES, False)
    n_clusters = int(cluster.max()) + 1
    groups = np.unique(np.stack([cluster, group]), axis=1)
    if groups.shape[1] > n_clusters:
        return Exchange(samples, group, cluster * n_classes + true, WITHIN_CLUSTERS, False)
    # The stratum of a cluster is its true class. If any cluster has several classes, all clusters
    # are in one stratum.
    classes = np.unique(np.stack([cluster, true]), axis=1)
    stratum, unit = classes[1], "clusters of the same true class"
    if classes.shape[1] > n_clusters:
        stratum, unit = np.zeros(n_clusters, dtype=np.intp), WHOLE_CLUSTERS
    return Exchange(cluster, groups[1], stratum, unit, True)


def tested_by(exchanged: str) -> str:
    """Return what differs between the groups if a test that exchanges units between them rejects.

    Samples of the same true class keep the class sizes of the groups. Whole clusters do not.
    """
    return {
        WITHIN_CLUSTERS: "errors within clusters and true classes",
        WHOLE_CLUSTERS: "errors or class sizes of clusters",
    }.get(exchanged, "errors within true classes")
