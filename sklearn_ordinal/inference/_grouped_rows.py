"""Permutations of probabilities or scores of the groups of one data set."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import (
    Forecasts,
    IntegerArray,
    OrdinalMetric,
    OrdinalScale,
    Rows,
    Values,
    count_samples,
    reweighted,
    sample_clusters,
    slices,
)
from sklearn_ordinal.inference._groups import exchange_of
from sklearn_ordinal.metrics import GroupedSamples, PermutedSamples, values_of_class_weights

_WEIGHTS_PER_STACK = 2**21
# For few groups, weighting all samples is faster than collecting the samples of each group.
_FEW_GROUPS = 20


@dataclass(frozen=True, eq=False)
class GroupedRows:
    """Samples, or clusters of samples, of all groups, which a permutation exchanges.

    Parameters
    ----------
    rows : Rows
        All samples, and the units that they were drawn with.
    members : tuple of ndarray
        Positions of the samples of each group.
    groups : tuple of OrdinalForecasts or OrdinalScores
        The samples of each group.
    unit : ndarray of shape (n_samples,)
        The exchangeable unit of each sample; arbitrary for a sample of weight zero.
    group_of_unit : ndarray of shape (n_units,)
        The group of each exchangeable unit.
    stratum : ndarray of shape (n_units,)
        The stratum of each unit. Units are exchanged within their stratum.
    exchanged : str
        Description of the units that a permutation exchanges between groups.
    """

    rows: Rows
    members: tuple[NDArray[np.intp], ...]
    groups: tuple[Forecasts, ...]
    unit: NDArray[np.intp]
    group_of_unit: IntegerArray
    stratum: IntegerArray
    exchanged: str

    @classmethod
    def from_samples(cls, samples: Forecasts, group: IntegerArray, n_groups: int) -> GroupedRows:
        """Make the units from probabilities or scores, given the group number of each sample."""
        rows = Rows.from_systems((samples,))
        has_weight = samples.weights > 0
        cluster = None
        if sample_clusters(samples) is not None and rows.unit_of_row is not None:
            cluster = rows.unit_of_row[has_weight]
        exchange = exchange_of(
            cluster, group[has_weight], samples.y_true[has_weight], samples.n_classes
        )
        unit = np.zeros(len(group), dtype=np.intp)
        unit[has_weight] = exchange.unit
        members = tuple(np.flatnonzero(group == g) for g in range(n_groups))
        groups = tuple(samples.part(positions) for positions in members)
        strata = np.unique(exchange.stratum, return_inverse=True)[1]
        return cls(rows, members, groups, unit, exchange.group, strata, exchange.what)

    @property
    def samples(self) -> Forecasts:
        """All samples."""
        samples: Forecasts = self.rows.systems[0]
        return samples

    @property
    def scale(self) -> OrdinalScale:
        """The classes."""
        return self.samples.scale

    def class_counts(self) -> NDArray[Any]:
        """Return the number, or weight, of the samples of each group and true class."""
        counts = np.stack([group.class_counts for group in self.groups])
        return counts if self.samples.is_weighted else counts.astype(np.int64)

    def n_samples(self) -> NDArray[np.int64]:
        """Return the number of samples with positive weight in each group."""
        return np.array([count_samples(group) for group in self.groups])

    def permuted(self, rng: np.random.Generator, n_permutations: int) -> Iterator[PermutedSamples]:
        """Yield stacks with the units exchanged at random between groups, within their strata."""
        order = np.argsort(self.stratum, kind="stable")
        stratum, group = self.stratum[order], self.group_of_unit[order]
        samples, n_groups = self.samples, len(self.groups)
        are_few = n_groups <= _FEW_GROUPS
        # A stack of many groups is at most as many times as large as it has permutations.
        length = _WEIGHTS_PER_STACK // samples.n_samples
        length = length // n_groups if are_few else math.isqrt(length)
        collect = self._of_all if are_few else self._of_members
        losses: dict[str, Values] = {}
        for part in slices(n_permutations, length):
            keys = stratum + rng.random((part.stop - part.start, len(stratum)))
            permuted_groups = np.empty(keys.shape, dtype=group.dtype)
            permuted_groups[:, order] = group[np.argsort(keys, axis=1)]
            group_of_row = permuted_groups[:, self.unit]
            yield PermutedSamples(samples, group_of_row, n_groups, collect, losses)

    def expected(self) -> Iterator[tuple[slice, GroupedSamples]]:
        """Yield a few groups at a time, with their mean weights over all permutations."""
        samples, n_of_strata = self.samples, np.bincount(self.stratum)
        stratum_of_row = self.stratum[self.unit]
        for part in slices(len(self.groups), _WEIGHTS_PER_STACK // samples.n_samples):
            n_of_groups = [
                np.bincount(self.stratum[self.group_of_unit == g], minlength=len(n_of_strata))
                for g in range(part.start, part.stop)
            ]
            shares = np.stack(n_of_groups) / n_of_strata
            weights = samples.weights * shares[:, None, stratum_of_row]
            groups = tuple(reweighted(samples, of_group) for of_group in weights)
            yield part, GroupedSamples(samples, groups, (slice(None),) * len(groups))

    def expected_by_class(
        self, metric: OrdinalMetric, prevalence: NDArray[np.float64] | None
    ) -> Values | None:
        """Return the values that `expected` leads to, of shape (1 + n_groups,), in linear time.

        None if the metric has no such form, or units are not exchanged between all samples of a
        class, so that the mean weights of samples of the same class differ.
        """
        samples, stratum = self.samples, self.stratum[self.unit]
        has_weight = samples.weights > 0
        classes, strata = np.unique(np.stack([samples.y_true, stratum])[:, has_weight], axis=1)
        if len(np.unique(classes)) < len(classes):
            return None
        shape = len(self.groups), int(self.stratum.max()) + 1
        cells = np.ravel_multi_index((self.group_of_unit, self.stratum), shape)
        n_units = np.bincount(cells, minlength=math.prod(shape)).reshape(shape)
        factors = np.zeros((shape[0], samples.n_classes))
        factors[:, classes] = (n_units / n_units.sum(axis=0))[:, strata]
        return values_of_class_weights(metric, samples, factors, prevalence)

    def _of_all(self, group_of_row: IntegerArray) -> GroupedSamples:
        """Return groups of all samples, where samples of other groups have weight zero.

        What does not depend on the weights, such as the loss of each sample, is computed once for
        all groups and permutations.
        """
        samples, n_groups = self.samples, len(self.groups)
        groups = tuple(
            reweighted(samples, samples.weights * (group_of_row == g)) for g in range(n_groups)
        )
        return GroupedSamples(samples, groups, (slice(None),) * n_groups)

    def _of_members(self, group_of_row: IntegerArray) -> GroupedSamples:
        """Return groups of the samples that are in the group in any of the permutations.

        The total size of the groups does not depend on their number.
        """
        samples, n_samples = self.samples, self.samples.n_samples
        keys = group_of_row * n_samples + np.arange(n_samples)
        # Many metrics need a sample. A group of samples without weight gets one, of weight zero.
        of_groups = n_samples * np.arange(len(self.groups))
        distinct = np.unique(np.concatenate([keys.ravel(), of_groups]))
        weights = np.zeros((len(keys), len(distinct)))
        columns = np.searchsorted(distinct, keys)
        np.put_along_axis(weights, columns, samples.weights[None], axis=1)
        starts = np.searchsorted(distinct, of_groups[1:])
        members = tuple(np.split(distinct % n_samples, starts))
        groups = tuple(
            reweighted(samples.part(positions), of_group)
            for positions, of_group in zip(members, np.split(weights, starts, axis=1), strict=True)
        )
        return GroupedSamples(samples, groups, members)
