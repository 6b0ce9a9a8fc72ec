"""Variances of weighted sums of the values of groups, with their degrees of freedom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, hstack

from sklearn_ordinal._core import IntegerArray, Values, divide

# Moments about a mean are 0 up to this part of the moments about 0.
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
                np.r_[number.sum(), number],
                divide(np.r_[weight.sum(), weight] ** 2, np.r_[square.sum(), square]),
                None,
            )
        # A cluster has a weight in each group.
        weights = self.by_cluster(np.where(is_counted, self.weight, 0))
        total = weights.sum(axis=1)
        touched = weights > 0
        return DrawnUnits(
            np.r_[np.count_nonzero(total), touched.sum(axis=0)].astype(np.float64),
            divide(
                np.r_[total.sum(), weights.sum(axis=0)] ** 2,
                np.r_[(total**2).sum(), (weights**2).sum(axis=0)],
            ),
            touched.astype(np.float64),
        )

    def by_cluster(self, amounts: Values) -> csr_array:
        """Return the sums over the rows of each cluster and group, (n_clusters, n_groups)."""
        assert self.cluster is not None
        shape, is_drawn = (int(self.cluster.max()) + 1, self.n_groups), self.weight > 0
        cells = self.cluster[is_drawn], self.group[is_drawn]
        sums = csr_array((amounts[is_drawn], cells), shape=shape)
        sums.sum_duplicates()
        return sums


class DrawnUnits(NamedTuple):
    """Samples or clusters that a metric counts, of all groups and of each group."""

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
    adds to the values of all groups, by its true class only. The groups are independent samples
    of given sizes, unless a cluster has samples in several groups: then all clusters are one
    sample.

    Parameters
    ----------
    squares : ndarray of shape (n_independent, n_sums, n_sums)
        For each independent sample, the sums of products of what its units add to the value of
        their group, to the class sizes and to the value of all samples. If all clusters are one
        sample, they add to the value of each group.
    sums : ndarray of shape (n_independent, n_sums)
        The sums of what the units add.
    slopes : ndarray of shape (n_groups, K) or (n_groups, 0)
        Derivatives of the values of groups by the class sizes of all groups, if these are the
        reference.
    numbers : ndarray of shape (1 + n_groups,)
        Number of units of all groups and of each group. Infinite for moments of resamples.
    touched : sparse array of shape (n_clusters, n_groups), default=None
        The groups in which each cluster has samples, if all clusters are one sample.
    """

    squares: Values
    sums: Values
    slopes: Values
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
        has_reference, n_classes, numbers = slopes.any(), rows.n_classes, units.number
        slopes = slopes if has_reference else slopes[:, :0]
        group: Any = rows.group
        weight, square = rows.weight, rows.square
        classes = np.eye(n_classes)[:, : slopes.shape[1]]
        by_class: Any = None
        if rows.cluster is not None:
            by_group = rows.by_cluster(weight * own)
            size = by_group.shape[0]
            overall = np.bincount(rows.cluster, weight * overall, size).astype(np.float64)
            cells = rows.cluster * n_classes + rows.true
            by_class = np.bincount(cells, weight, size * n_classes).reshape(size, n_classes)
            by_class = by_class @ classes
            group, touches = by_group.indices, np.diff(by_group.indptr)
            if (touches > 1).any():
                adds = hstack([by_group, csr_array(by_class), csr_array(overall[:, None])], "csr")
                squares = (adds.T @ adds).toarray()
                return cls(squares[None], adds.sum(axis=0)[None], slopes, numbers, units.touched)
            own, overall, by_class = by_group.data, overall[touches > 0], by_class[touches > 0]
            weight = square = np.ones(len(group))
        n_sums = 2 + slopes.shape[1]
        squares, sums = np.zeros((rows.n_groups, n_sums, n_sums)), np.zeros((rows.n_groups, n_sums))
        order = np.argsort(group, kind="stable")
        starts = np.searchsorted(group[order], np.arange(1, rows.n_groups))
        for g, part in enumerate(np.split(order, starts)):
            of_part = classes[rows.true[part]] if by_class is None else by_class[part]
            adds = np.column_stack([own[part], of_part, overall[part]])
            squares[g] = adds.T @ (square[part, None] * adds)
            sums[g] = weight[part] @ adds
        return cls(squares, sums, slopes, numbers)

    @classmethod
    def of_resamples(cls, covariances: Values) -> GroupMoments:
        """Take the covariances of the value of all samples and the value of each group."""
        n_groups = len(covariances) - 1
        order = np.r_[1 : n_groups + 1, 0]
        return cls(
            covariances[np.ix_(order, order)][None],
            np.zeros((1, n_groups + 1)),
            np.zeros((n_groups, 0)),
            np.full(1 + n_groups, np.inf),
        )

    @property
    def _parts(self) -> tuple[Values, Values, Values]:
        """Moments of what units add to their group, and of what they add to all values.

        If the groups are independent, these are moments about the mean: (n_groups,) for the group,
        (n_groups, n_common) for the group and what is common to all values, the class sizes and
        the value of all samples, and (n_groups, n_common, n_common) for the common parts. Otherwise
        they are moments about 0: (n_groups, n_groups), (n_groups, n_common) and
        (n_common, n_common).
        """
        if len(self.squares) == 1:
            n_groups, (squares,) = len(self.slopes), self.squares
            return (
                squares[:n_groups, :n_groups],
                squares[:n_groups, n_groups:],
                squares[n_groups:, n_groups:],
            )
        products = self.sums[:, :, None] * self.sums[:, None]
        numbers = self.numbers[1:, None, None]
        moments = _corrected(self.squares, products, np.abs(self.squares), numbers)
        # The only unit of a group tells nothing about its value, but hardly moves the others.
        return moments[:, 0, 0], moments[:, 0, 1:], np.nan_to_num(moments[:, 1:, 1:])

    def variances(self) -> Values:
        """Return the variances of the value of all samples and of the value of each group.

        The group sizes are random in the value of all samples, so all units are one sample there.
        """
        own, with_common, common = self._parts
        with_classes, sizes = with_common[:, :-1], common[..., :-1, :-1]
        is_single = len(self.squares) == 1
        own, sizes = (np.diagonal(own), sizes) if is_single else (own, sizes.sum(axis=0))
        of_groups = own + ((2 * with_classes + self.slopes @ sizes) * self.slopes).sum(axis=1)
        variances = np.r_[self.squares[:, -1, -1].sum(), of_groups]
        numbers = self.numbers if is_single else np.r_[self.numbers[0], np.full(len(own), np.inf)]
        return _corrected(variances, 0, np.abs(variances), numbers)

    def spread(self, weights: Values) -> tuple[Values, Values]:
        """Return the variances of weighted sums of values, and their degrees of freedom.

        Parameters
        ----------
        weights : ndarray of shape (n_contrasts, 1 + n_groups)
            Weights of the value of all samples and of the value of each group.
        """
        own, with_common, common = self._parts
        of_groups = weights[:, 1:]
        of_common = np.column_stack([of_groups @ self.slopes, weights[:, 0]])
        if len(self.squares) > 1:
            pairs = of_common[:, :, None] * of_common[:, None]
            size = pairs[0].size
            moments = pairs.reshape(-1, size) @ common.reshape(-1, size).T
            of_own = of_groups * (of_groups * own + 2 * (of_common @ with_common.T))
            # Values with the weight 0 may be undefined.
            moments = np.maximum(moments + np.where(of_groups != 0, of_own, 0), 0)
            return welch_satterthwaite(moments.T, self.numbers[1:, None] - 1)
        is_undefined = np.isnan(np.diagonal(own))
        loads = np.column_stack([of_groups, of_common])
        squares = np.nan_to_num(self.squares[0])
        moments = ((loads @ squares) * loads).sum(axis=1)
        scale = ((np.abs(loads) @ np.abs(squares)) * np.abs(loads)).sum(axis=1)
        moments[(of_groups[:, is_undefined] != 0).any(axis=1)] = np.nan
        numbers = np.full(len(weights), self.numbers[0])
        if self.touched is not None:
            touches = self.touched @ csr_array((of_groups.T != 0).astype(np.float64))
            n_touching = (touches > 0).sum(axis=0)
            numbers = np.where(weights[:, 0] != 0, numbers, n_touching)
        return _corrected(moments, 0, scale, numbers), numbers - 1

    def of_pairs(
        self, rows: IntegerArray, columns: IntegerArray, factors: Values
    ) -> tuple[Values, Values]:
        """Return the variances of differences of groups, and their degrees of freedom.

        Both have shape (n_rows, n_columns).

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
        own, with_common, common = self._parts
        with_classes, sizes = with_common[:, :-1], common[..., :-1, :-1]
        with_first = 2 * (by_class * (first * with_classes[rows])[:, None]).sum(axis=2)
        with_second = 2 * (by_class * (second[:, None] * with_classes[columns])).sum(axis=2)
        numbers = self.numbers[1:]
        if len(self.squares) == 1:
            variances = np.diagonal(own)
            squares = first**2 * variances[rows, None] + second**2 * variances[columns]
            moments = (
                squares
                - 2 * first * second * own[np.ix_(rows, columns)]
                + with_first
                - with_second
                + ((by_class @ sizes) * by_class).sum(axis=2)
            )
            of_pair = numbers[rows, None] + numbers[columns]
            if self.touched is not None:
                of_pair = of_pair - (self.touched[:, rows].T @ self.touched[:, columns]).toarray()
            return _corrected(moments, 0, squares, of_pair), of_pair - 1
        of_first = ((by_class @ sizes[rows]) * by_class).sum(axis=2)
        of_second = ((by_class[:, :, None] @ sizes[columns])[:, :, 0] * by_class).sum(axis=2)
        of_all = ((by_class @ sizes.sum(axis=0)) * by_class).sum(axis=2)
        # The other groups, which move both values by the class sizes, are taken as one sample.
        variances = np.stack(
            [
                first**2 * own[rows, None] + with_first + of_first,
                second**2 * own[columns] - with_second + of_second,
                np.maximum(of_all - of_first - of_second, 0),
            ]
        )
        degrees = np.maximum(numbers - 1, 0)
        pair = np.broadcast_arrays(degrees[rows, None], degrees[columns])
        return welch_satterthwaite(variances, np.stack([*pair, degrees.sum() - sum(pair)]))


def _corrected(squares: Values, squared_sums: Any, scale: Values, numbers: Values) -> Values:
    """Return unbiased sums of squares about the mean; NaN for fewer than two units.

    They are 0 if they differ from 0 only by rounding errors of numbers of size `scale`.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        moments = squares - squared_sums / numbers
        moments = np.where(np.abs(moments) <= _ROUNDING * scale, 0, moments)
        corrected: Values = np.where(numbers > 1, moments / (1 - 1 / numbers), np.nan)
    return corrected
