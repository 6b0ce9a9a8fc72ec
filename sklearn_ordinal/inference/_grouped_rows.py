"""Resampling and permutation of probabilities or scores of the groups of one data set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import (
    Forecasts,
    IntegerArray,
    OrdinalScale,
    Rows,
    reweighted,
    sample_clusters,
    slices,
)
from sklearn_ordinal.inference._groups import exchange_of
from sklearn_ordinal.metrics import GroupedSamples

_WEIGHTS_PER_STACK = 2**21


@dataclass(frozen=True, eq=False)
class GroupedRows:
    """Samples, or clusters of samples, of all groups, which are drawn together.

    Parameters
    ----------
    rows : Rows
        All samples, and the units to draw.
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

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of times that each resample of `without_one` counts."""
        return self.rows.sizes

    def class_counts(self) -> NDArray[Any]:
        """Return the number, or weight, of the samples of each group and true class."""
        counts = np.stack([group.class_counts for group in self.groups])
        return counts if self.samples.is_weighted else counts.astype(np.int64)

    def n_samples(self) -> NDArray[np.int64]:
        """Return the number of samples with positive weight in each group."""
        return np.array([np.count_nonzero(group.weights) for group in self.groups])

    def n_unanswered(self) -> list[float]:
        """Return a zero for each group, since every sample has a prediction."""
        return [0] * len(self.groups)

    def all_together(self) -> GroupedSamples:
        """Return all samples, as a stack of one."""
        return self._parted(self.rows.all_together())

    def resampled(self, rng: np.random.Generator, n_resamples: int) -> Iterator[GroupedSamples]:
        """Yield stacks of resamples with the same number of units, drawn at random."""
        return map(self._parted, self.rows.resampled(rng, n_resamples))

    def without_one(self) -> Iterator[GroupedSamples]:
        """Yield stacks of samples that leave out one unit, or one block of units."""
        return map(self._parted, self.rows.without_one())

    def permuted(self, rng: np.random.Generator, n_permutations: int) -> Iterator[GroupedSamples]:
        """Yield stacks with the units exchanged at random between groups, within their strata."""
        order = np.argsort(self.stratum, kind="stable")
        stratum, group = self.stratum[order], self.group_of_unit[order]
        n_weights = len(self.groups) * self.samples.n_samples
        for part in slices(n_permutations, _WEIGHTS_PER_STACK // n_weights):
            keys = stratum + rng.random((part.stop - part.start, len(stratum)))
            permuted_groups = np.empty(keys.shape, dtype=group.dtype)
            permuted_groups[:, order] = group[np.argsort(keys, axis=1)]
            group_of_row = permuted_groups[:, self.unit]
            yield self._weighted([group_of_row == g for g in range(len(self.groups))])

    def expected(self) -> GroupedSamples:
        """Return the mean weights in each group over all permutations, as a stack of one."""
        of_groups = np.stack(
            [np.bincount(self.stratum, self.group_of_unit == g) for g in range(len(self.groups))]
        )
        shares = of_groups / of_groups.sum(axis=0)
        return self._weighted(list(shares[:, None, self.stratum[self.unit]]))

    def _parted(self, stack: Sequence[Forecasts]) -> GroupedSamples:
        (all_samples,) = stack
        groups = tuple(
            reweighted(group, all_samples.weights[:, members])
            for group, members in zip(self.groups, self.members, strict=True)
        )
        return GroupedSamples(all_samples, groups, self.members)

    def _weighted(self, shares: Sequence[NDArray[Any]]) -> GroupedSamples:
        """Return groups in which samples are weighted by shares, (n, n_samples) for each group."""
        samples = self.samples
        groups = tuple(reweighted(samples, samples.weights * of_group) for of_group in shares)
        return GroupedSamples(samples, groups, (slice(None),) * len(groups))
