"""Variances of weighted sums of the values of groups, with their degrees of freedom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from sklearn_ordinal._core import IntegerArray, Values, divide

# Differences of moments are 0 up to this part of them.
_ROUNDING = 1e-12


class GroupRows(NamedTuple):
    """Samples of groups: each row is a sample, or all samples of a group and cell."""

    group: IntegerArray
    true: IntegerArray
    weight: Values
    """Weight of the samples of the row."""
    number: Values
    """Number of these samples."""
    square: Values
    """Sum of their squared weights."""
    cluster: IntegerArray | None
    """The cluster of each row, which is then a single sample."""
    n_groups: int
    n_classes: int

    def units(self, is_counted: NDArray[np.bool_]) -> DrawnUnits:
        """Return the samples of some rows, or their clusters."""
        if self.cluster is None:
            number, weight, square = (
                np.bincount(self.group, np.where(is_counted, amounts, 0), self.n_groups)
                for amounts in (self.number, self.weight, self.square)
            )
            return DrawnUnits(
                is_counted,
                np.r_[number.sum(), number],
                divide(np.r_[weight.sum(), weight] ** 2, np.r_[square.sum(), square]),
                None,
            )
        # A cluster has a weight in each group.
        shape = int(self.cluster.max()) + 1, self.n_groups
        amounts = np.where(is_counted, self.weight, 0)
        weights = csr_array((amounts, (self.cluster, self.group)), shape=shape)
        weights.sum_duplicates()
        total = weights.sum(axis=1)
        touched = weights > 0
        return DrawnUnits(
            is_counted,
            np.r_[np.count_nonzero(total), touched.sum(axis=0)].astype(np.float64),
            divide(
                np.r_[total.sum(), weights.sum(axis=0)] ** 2,
                np.r_[(total**2).sum(), (weights**2).sum(axis=0)],
            ),
            touched.astype(np.float64),
        )


class DrawnUnits(NamedTuple):
    """Samples or clusters that a metric counts, of all groups and of each group."""

    is_counted: NDArray[np.bool_]
    """Whether the metric counts the samples of a row, which unanswered samples may not be."""
    number: Values
    n_effective: Values
    """Number of samples of equal weight that say as much about a proportion."""
    touched: csr_array | None
    """The groups in which each cluster has samples, as ones of a sparse array."""


def welch_satterthwaite(variances: Values, degrees: Values) -> tuple[Any, Any]:
    """Return the variance of a sum over independent samples, and its degrees of freedom.

    Parameters
    ----------
    variances : ndarray of shape (n_samples, ...)
        The part of the variance that each sample adds. Samples that add nothing have no degrees.
    degrees : ndarray of shape (n_samples, ...)
        Degrees of freedom of each part; infinite ones stand for the normal distribution.
    """
    total = variances.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(variances > 0, variances**2 / degrees, 0).sum(axis=0)
        return total, np.divide(total**2, parts)


@dataclass(frozen=True, eq=False)
class GroupMoments:
    """Moments of what each sample or cluster adds to the values of groups.

    A unit, which is a sample of the data or a cluster, adds to the value of its group and to the
    value of all samples. If the class sizes of all groups are the reference of a metric, it also
    adds to the values of all groups, by its true class only. Each group is an independent sample
    of a given size. Groups that share clusters are one sample. All moments are about the mean of
    the sample.

    Parameters
    ----------
    sample : ndarray of shape (n_groups,)
        The independent sample of each group.
    own : sparse array of shape (n_groups, n_groups)
        Sums over the units of products of what they add to the values of their groups.
    with_common : ndarray of shape (n_groups, n_common)
        Sums of products of what they add to the values of their groups and to what all values have
        in common: the class sizes if these are the reference, and the value of all samples.
    common : ndarray of shape (n_independent, n_common, n_common)
        Sums of products of what they add to the common parts, for each independent sample.
    slopes : ndarray of shape (n_groups, n_common - 1)
        Derivatives of the values of groups by the class sizes of all groups.
    overall : float
        Sum of squares of what the units add to the value of all samples, about 0.
    numbers : ndarray of shape (1 + n_groups,)
        Number of units of all groups and of each group.
    touched : sparse array of shape (n_clusters, n_groups), default=None
        The groups in which each cluster has samples, if any cluster has some in several groups.
    """

    sample: IntegerArray
    own: csr_array
    with_common: Values
    common: Values
    slopes: Values
    overall: float
    numbers: Values
    touched: csr_array | None = None

    @classmethod
    def of_rows(
        cls, rows: GroupRows, units: DrawnUnits, own: Values, overall: Values, slopes: Values
    ) -> GroupMoments:
        """Take how much a sample of weight 1 of each row moves values.

        Parameters
        ----------
        rows : GroupRows
            The samples.
        units : DrawnUnits
            The units that the metric counts.
        own : ndarray of shape (n_rows,)
            How much a sample moves the value of its group.
        overall : ndarray of shape (n_rows,)
            How much it moves the value of all samples.
        slopes : ndarray of shape (n_groups, K)
            How much it moves the value of any group by the number of samples of its class.
        """
        slopes = slopes if slopes.any() else slopes[:, :0]
        group, n_groups = rows.group, rows.n_groups
        sample: Any = np.arange(n_groups)
        if units.touched is not None:
            _, sample = connected_components(
                (units.touched.T @ units.touched).toarray(), directed=False
            )
        classes = np.eye(rows.n_classes)[:, : slopes.shape[1]][rows.true]
        adds = np.column_stack([classes, overall])
        # The size of each independent sample is given, so its mean is subtracted.
        is_counted = units.is_counted
        weight = np.where(is_counted, rows.weight, 0)
        sums = _sums(sample[group], weight[:, None] * adds)
        means = divide(sums, np.bincount(sample[group], weight)[:, None])
        adds = np.where(is_counted[:, None], adds - means[sample[group]], 0)
        unit, scale = rows.cluster, rows.weight
        if unit is None:
            # A row of samples of the same weight moves values like one sample of this weight.
            unit, scale = np.arange(len(group)), np.sqrt(rows.square)
        by_group = csr_array((scale * own, (unit, group)), shape=(unit.max() + 1, n_groups))
        adds = _sums(unit, scale[:, None] * adds)
        of_all = _sums(unit, (scale * overall)[:, None])
        of_unit = np.zeros(len(adds), dtype=np.intp)
        of_unit[unit[is_counted]] = sample[group[is_counted]]
        # Products for a class at a time need little memory.
        common = np.stack(
            [_sums(of_unit, column[:, None] * adds, sample.max() + 1) for column in adds.T], axis=1
        )
        is_crossed = units.touched is not None and sample.max() + 1 < n_groups
        return cls(
            sample,
            csr_array(by_group.T @ by_group),
            by_group.T @ adds,
            common,
            slopes,
            float((of_all**2).sum()),
            units.number,
            units.touched if is_crossed else None,
        )

    @property
    def _n_in_samples(self) -> Values:
        """Number of units of each independent sample."""
        if self.touched is None:
            return self.numbers[1:]
        drawn, sample = self._samples_of_clusters
        return np.bincount(sample[drawn], minlength=len(self.common)).astype(np.float64)

    @property
    def _samples_of_clusters(self) -> tuple[Any, NDArray[np.intp]]:
        """The clusters that the metric counts, and the independent sample of each cluster."""
        assert self.touched is not None
        sample = np.zeros(self.touched.shape[0], dtype=np.intp)
        cluster, group = self.touched.nonzero()
        sample[cluster] = self.sample[group]
        return np.unique(cluster), sample

    def variances(self) -> Values:
        """Return the variances of the value of all samples and of the value of each group.

        The group sizes are random in the value of all samples, so all units are one sample there.
        """
        corrections = _correction(self._n_in_samples)[:, None, None]
        sizes = np.nan_to_num(corrections * self.common[:, :-1, :-1]).sum(axis=0)
        classes = 2 * self.with_common[:, :-1] * self.slopes
        of_groups = _correction(self.numbers[1:]) * (self.own.diagonal() + classes.sum(axis=1))
        of_groups += ((self.slopes @ sizes) * self.slopes).sum(axis=1)
        variances: Values = np.r_[_correction(self.numbers[:1]) * self.overall, of_groups]
        return variances

    def spread(self, weights: Values) -> tuple[Values, Values]:
        """Return the variances of weighted sums of values, and their degrees of freedom.

        Parameters
        ----------
        weights : ndarray of shape (n_contrasts, 1 + n_groups)
            Weights of the value of all samples and of the value of each group.
        """
        of_groups, n_in_samples = weights[:, 1:], self._n_in_samples
        of_common = np.column_stack([of_groups @ self.slopes, weights[:, 0]])
        # Values with the weight 0 may be undefined, or have no derivative.
        variances = np.r_[self.overall, self.own.diagonal()]
        is_unknown = np.isnan(variances) | (self.numbers < 2)
        is_lost = (weights[:, is_unknown] != 0).any(axis=1)
        own, with_common = self.own.copy(), np.nan_to_num(self.with_common)
        own.data = np.nan_to_num(own.data)
        size = of_common.shape[1] ** 2
        pairs = (of_common[:, :, None] * of_common[:, None]).reshape(-1, size)
        common = pairs @ np.nan_to_num(self.common).reshape(-1, size).T
        by_group = of_groups * (of_groups @ own + 2 * (of_common @ with_common.T))
        parts = _sums(self.sample, by_group.T, len(self.common)).T
        numbers = np.broadcast_to(n_in_samples, common.shape)
        if self.touched is not None:
            touches = (self.touched @ csr_array((of_groups.T != 0).astype(np.float64))) > 0
            _, of_clusters = self._samples_of_clusters
            touching = _sums(of_clusters, touches.toarray(), len(self.common)).T
            numbers = np.where((weights[:, :1] != 0) | (touching == 0), numbers, touching)
        with np.errstate(invalid="ignore"):
            moments = _correction(numbers) * parts + _correction(n_in_samples) * common
        # The only unit of a group tells nothing about its value, but hardly moves the others.
        moments = np.maximum(np.nan_to_num(moments), 0)
        moments = np.where(is_lost[:, None], np.nan, moments)
        return welch_satterthwaite(moments.T, numbers.T - 1)

    def of_pairs(
        self, rows: IntegerArray, columns: IntegerArray, factors: Values
    ) -> tuple[Values, Values]:
        """Return the variances of differences of groups, and their degrees of freedom.

        Both have shape (n_rows, n_columns). They are those of `spread`, in time that does not grow
        with the number of other groups: these are one sample for the degrees of freedom.

        Parameters
        ----------
        rows : ndarray of shape (n_rows,)
            Groups.
        columns : ndarray of shape (n_columns,)
            Groups that are subtracted.
        factors : ndarray of shape (n_groups,)
            Factor of the value of each group.
        """
        first, second = factors[rows, None], factors[columns]
        slopes = factors[:, None] * self.slopes
        by_class = slopes[rows][:, None] - slopes[columns]
        n_in_samples, numbers = self._n_in_samples, self.numbers[1:]
        sizes = _correction(n_in_samples)[:, None, None] * self.common[:, :-1, :-1]
        sizes, own = np.nan_to_num(sizes), self.own.diagonal()
        classes = factors[:, None] * self.with_common[:, :-1]
        of_first = first**2 * own[rows, None] + 2 * (by_class * classes[rows][:, None]).sum(axis=2)
        of_second = second**2 * own[columns] - 2 * (by_class * classes[columns]).sum(axis=2)
        by_first = ((by_class @ sizes[self.sample[rows]]) * by_class).sum(axis=2)
        by_second = (by_class[:, :, None] @ sizes[self.sample[columns]])[:, :, 0]
        by_second = (by_second * by_class).sum(axis=2)
        by_all = ((by_class @ sizes.sum(axis=0)) * by_class).sum(axis=2)
        is_same = self.sample[rows, None] == self.sample[columns]
        n_first, n_second = np.broadcast_arrays(numbers[rows, None], numbers[columns])
        n_both, covariances = n_first, np.zeros(is_same.shape)
        if is_same.any():
            covariances = first * second * self.own[rows][:, columns].toarray()
        if self.touched is not None:
            both = (self.touched[:, rows].T @ self.touched[:, columns]).toarray()
            n_both = n_first + n_second - both
        parts = [
            np.where(
                is_same,
                _correction(n_both) * (of_first + of_second - 2 * covariances) + by_first,
                _correction(n_first) * of_first + by_first,
            ),
            np.where(is_same, 0, _correction(n_second) * of_second + by_second),
        ]
        degrees = np.maximum(n_in_samples - 1, 0)
        others = np.where(is_same, 0, degrees[self.sample[columns]])
        others = degrees.sum() - degrees[self.sample[rows], None] - others
        # The other groups move both values by the class sizes. Without any, rounding is left.
        rest = by_all - by_first - np.where(is_same, 0, by_second)
        parts.append(np.where(rest > _ROUNDING * by_all, rest, 0) * (others > 0))
        degrees_of_parts = [np.where(is_same, n_both, n_first) - 1, n_second - 1, others]
        return welch_satterthwaite(np.stack(parts), np.stack(degrees_of_parts))


def _sums(position: IntegerArray, rows: Values, n_sums: int | None = None) -> Values:
    """Return the sums of rows with the same position."""
    n_sums = int(position.max()) + 1 if n_sums is None else n_sums
    ones, numbers = np.ones(len(position)), np.arange(len(position))
    sums: Values = csr_array((ones, (position, numbers)), shape=(n_sums, len(position))) @ rows
    return sums


def _correction(numbers: Values) -> Values:
    """Return what makes a sum of squares about the mean unbiased; NaN for fewer than two units."""
    with np.errstate(divide="ignore"):
        corrections: Values = np.where(numbers > 1, 1 / (1 - 1 / np.maximum(numbers, 1)), np.nan)
    return corrections
