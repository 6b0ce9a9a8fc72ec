"""How far units move values, and the standard errors and degrees of freedom that follow.

A value is a smooth function of totals to which units add: samples, clusters of samples or items.
How far a unit moves the value is its derivative by the weight of the unit. A difference or another
combination of values has moves of its own, the same combination of the moves of the values. The
variance and the degrees of freedom of every value and difference are computed here from its own
moves.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.special import gammainc, gammaincc, ndtr, stdtr

from sklearn_ordinal._core import arithmetic, tolerances
from sklearn_ordinal._core.arithmetic import Values
from sklearn_ordinal._core.influence_functions import (
    DrawnSamples,
    EntryAmounts,
    EntryInfluences,
    SortedUnits,
)
from sklearn_ordinal._core.scales import IntegerArray

# The rule: variances and degrees of freedom
# ------------------------------------------


class Spread(NamedTuple):
    """The standard errors of values, and what their intervals need; all of shape (...)."""

    standard_error: Values
    degrees_of_freedom: Values
    n_effective: Values
    """Number of units of equal weight that say as much about a proportion."""


class Moves(NamedTuple):
    """How far units of weight 1 move values.

    A row stands for a unit, or for several units that move the values alike, such as the samples
    in a cell of a confusion matrix.
    """

    by_row: Values
    """Of shape (..., n_rows)."""
    amounts: EntryAmounts
    """The units in each row, of shape (..., n_rows)."""
    is_counted: NDArray[np.bool_]
    """Of shape (..., n_rows): which units say something about the values. Others only move them,
    as unanswered samples do that a metric leaves out where classes have fixed shares."""
    starts: IntegerArray | None = None
    """First row of each independent sample of a given size, such as a stratum, whose rows stand
    together; None if all units are one sample."""

    @np.errstate(divide="ignore", invalid="ignore")
    def spread(self) -> Spread:
        """Return the standard errors of the values, and their degrees of freedom.

        They are `combined` from those of the independent samples. If a sample has a single unit,
        the standard error is NaN, with 0 degrees of freedom.
        """
        errors, degrees = self.spread_by_sample()
        weights, squares = (
            np.where(self.is_counted, power, 0).sum(axis=-1)
            for power in (self.amounts.weights, self.amounts.squares)
        )
        n_effective = np.broadcast_to(weights**2 / squares, errors.shape[:-1])
        return Spread(*combined(errors, degrees), n_effective)

    @np.errstate(divide="ignore", invalid="ignore")
    def spread_by_sample(self) -> tuple[Values, Values]:
        r"""Return the standard errors that each independent sample adds, and their degrees.

        Both have shape (..., n_samples).

        The moves m of n units are taken about their mean:

        .. math:: V_g = \frac{n}{n - 1} \sum m^2

        A sample without units adds 0, and the standard error of a single unit is NaN.
        """
        numbers, _, squares, fourths = self.amounts
        counted = EntryAmounts(
            *(self._by_sample(np.where(self.is_counted, power, 0)) for power in self.amounts)
        )
        n_units, squared = counted.numbers, self._centred(counted.numbers) ** 2
        second = self._by_sample(squares * squared)
        # Products are much faster than the power of 4.
        fourth = self._by_sample(np.where(numbers > 0, fourths, 0) * squared**2)
        variances = np.where(n_units > 0, second * n_units / (n_units - 1), 0)
        errors = np.sqrt(np.where(n_units == 1, np.nan, variances))
        return errors, _degrees_of_freedom(second, fourth, counted)

    def spread_of_difference(
        self, *, both_vary: bool = True
    ) -> tuple[Values, Values, NDArray[np.bool_]]:
        """Return the standard errors of differences of two samples, and their degrees of freedom.

        If both samples vary, one of them may lend its variance to the other, unless they have
        strata. The third value is whether it does, see `_combined_with_lent_variance`.
        """
        errors, degrees = self.spread_by_sample()
        is_compared = np.full(errors.shape, both_vary and errors.shape[-1] == 2)
        numbers = self.numbers_by_sample()
        return _combined_with_lent_variance(errors, degrees, numbers, is_compared)

    def numbers_by_sample(self) -> Values:
        """Return the number of units that count in each independent sample: (..., n_samples)."""
        return self._by_sample(np.where(self.is_counted, self.amounts.numbers, 0))

    def _centred(self, n_units: Values) -> Values:
        """Return the moves minus their mean in each independent sample of a given size."""
        numbers, weights, *_ = self.amounts
        moves = self.by_row
        if self.starts is not None:
            means = self._by_sample(weights * moves) / np.maximum(n_units, 1)
            moves = moves - self._by_row(means) * (np.where(self.is_counted, numbers, 0) / weights)
        # The moves of rows without units may be NaN.
        return np.where(numbers > 0, moves, 0)

    def _by_sample(self, by_row: Values) -> Values:
        """Return sums over the rows of each sample: (..., n_samples)."""
        starts = [0] if self.starts is None else self.starts
        return np.add.reduceat(by_row, starts, axis=-1)

    def _by_row(self, by_sample: Values) -> Values:
        """Return the number of its sample for each row: (..., n_rows)."""
        if self.starts is None or len(self.starts) == 1:
            return by_sample
        return _repeated(by_sample, self.starts, self.by_row.shape[-1])

    def differences(self, first: IntegerArray, second: IntegerArray) -> Moves:
        """Return the moves of differences, given values (..., n_systems) of the same units.

        A unit counts if it counts for one of the two systems, with the larger of its weights.

        Parameters
        ----------
        first : ndarray of shape (n_pairs,)
            The system of each pair whose value is the first.
        second : ndarray of shape (n_pairs,)
            The system whose value is subtracted.
        """
        if self.amounts.weights.ndim == 1:
            by_row = self.by_row[..., first, :] - self.by_row[..., second, :]
            return self._replace(by_row=by_row)
        of_first, of_second = (
            (
                self.by_row[..., part, :] * self.amounts.weights[part],
                np.where(self.is_counted[part], self.amounts.weights[part], 0),
            )
            for part in (first, second)
        )
        weight = np.maximum(of_first[1], of_second[1])
        return of_units(of_first[0] - of_second[0], weight, weight > 0, self.starts)

    def covariance(self) -> Values:
        """Return the covariance matrix of values (n_systems,) of the same units."""
        n_units = self.numbers_by_sample()
        totals = self._centred(n_units) * self.amounts.weights
        totals *= self._by_row(np.sqrt(arithmetic.divide(n_units, n_units - 1)))
        product: Values = totals @ totals.T
        return product

    def beside(self, other: Moves) -> Moves:
        """Return the moves of both, whose samples are independent."""
        sides = [np.broadcast_arrays(*moves.amounts, moves.is_counted) for moves in (self, other)]
        *amounts, is_counted = (np.concatenate(pair, axis=-1) for pair in zip(*sides, strict=True))
        first, second = (
            np.zeros(1, np.intp) if m.starts is None else m.starts for m in (self, other)
        )
        return Moves(
            np.concatenate([self.by_row, other.by_row], axis=-1),
            EntryAmounts(*amounts),
            is_counted,
            np.r_[first, second + self.by_row.shape[-1]],
        )


def _degrees_of_freedom(second: Values, fourth: Values, units: EntryAmounts) -> Values:
    r"""Return the degrees of freedom of the variance of a sum over one sample.

    They are those of Satterthwaite less two, from the excess kurtosis g of the moves, at least 0:

    .. math:: \nu = \frac{2}{g / n + 2 / (n - 1)} - 2, \qquad
        \nu \ge \frac{1}{2} \Big(\frac{(\sum w^2)^2}{\sum w^4} - 1\Big), \qquad
        1 \le \nu \le n - 1

    If a few units make up most of the variance, it is less certain than their number suggests.
    Since the kurtosis of few moves is itself uncertain, they have at least half the degrees of
    freedom that their weights w leave, which is half of n - 1 for units of the same weight. The
    two degrees and the half were chosen by simulation. If the fourth powers of the weights are not
    known, the degrees of freedom are Kish's effective number of units minus 1.

    Parameters
    ----------
    second, fourth : ndarray
        Sums of the second and fourth powers of the moves.
    units : EntryAmounts
        Number of units, and sums of the powers of their weights.
    """
    n_units, weight, squares, fourths = units
    excess = n_units * fourth / second**2 - 3
    # The unbiased estimate needs four units.
    unbiased = (n_units - 1) / ((n_units - 2) * (n_units - 3)) * ((n_units + 1) * excess + 6)
    excess = np.maximum(np.where(n_units > 3, unbiased, excess), 0)
    degrees = 2 / (excess / n_units + 2 / (n_units - 1)) - 2
    fewest = (squares**2 / fourths - 1) / 2
    kish = weight**2 / squares - 1
    degrees = np.where(np.isfinite(fourths), np.fmax(degrees, fewest), kish)
    limited: Values = np.minimum(n_units - 1, np.fmax(degrees, 1))
    return limited


@np.errstate(divide="ignore", invalid="ignore")
def combined(errors: Values, degrees: Values) -> tuple[Values, Values]:
    r"""Return the standard error of sums over independent samples, and its degrees of freedom.

    The degrees of freedom are those of Welch and Satterthwaite:

    .. math:: V = \sum_g V_g, \qquad \nu = \frac{V^2}{\sum_g V_g^2 / \nu_g}

    Parameters
    ----------
    errors, degrees : ndarray of shape (..., n_samples)
        Standard error that each sample adds, and its degrees of freedom.
    """
    variances = errors**2
    variance = variances.sum(axis=-1)
    parts = np.where(variances > 0, variances**2 / degrees, 0).sum(axis=-1)
    of_sum = np.where((degrees == 0).any(axis=-1), 0, variance**2 / parts)
    return np.sqrt(variance), of_sum


def _combined_with_lent_variance(
    errors: Values, degrees: Values, numbers: Values, is_compared: NDArray[np.bool_]
) -> tuple[Values, Values, NDArray[np.bool_]]:
    """Return the standard error of sums if one of two compared samples varies, and lends variance.

    If all samples of one group are right, or all are wrong, its standard error is 0, although a few
    samples do not show that there are no others. They are taken to vary as those of the other.
    Return the standard error of the sum, its degrees of freedom, and whether variance was lent.

    Parameters
    ----------
    errors, degrees, numbers : ndarray of shape (..., n_samples)
        Standard error that each sample adds, its degrees of freedom, and its number of units.
    is_compared : ndarray of shape (..., n_samples)
        Whether the samples are compared. Only two can lend.
    """
    is_alike = is_compared & (errors**2 <= tolerances.ZERO_VARIANCE)
    lends = is_compared & (errors**2 > tolerances.ZERO_VARIANCE)
    is_one = (lends.sum(axis=-1, keepdims=True) == 1) & (is_alike.sum(axis=-1, keepdims=True) == 1)
    of_unit = np.where(lends, errors * np.sqrt(numbers), 0).sum(axis=-1, keepdims=True)
    borrows = is_alike & is_one & (numbers > 1)
    lent = arithmetic.divide(of_unit, np.sqrt(numbers))
    degrees = np.where(borrows, numbers - 1, degrees)
    return *combined(np.where(borrows, lent, errors), degrees), borrows.any(axis=-1)


def of_units(
    totals: Values,
    weight: Values,
    is_counted: NDArray[np.bool_],
    starts: IntegerArray | None = None,
) -> Moves:
    """Return the moves of units, given how far each unit moves the values in total.

    Parameters
    ----------
    totals : ndarray of shape (..., n_units)
        Move of each unit: the sum over its samples.
    weight : ndarray of shape (..., n_units)
        Total weight of its samples, 0 if the unit is not counted.
    is_counted : ndarray of shape (..., n_units)
        Whether the unit is counted.
    starts : ndarray of shape (n_samples,), default=None
        The first unit of each independent sample.
    """
    # A unit that is not counted may still move the values.
    weight = np.where(weight > 0, weight, 1)
    return Moves(totals / weight, EntryAmounts.of_weights(weight), is_counted, starts)


def _product(matrix: Any, values: Values) -> Values:
    """Return the products of a sparse array (n, n_rows) and values (..., n_rows): (..., n)."""
    return np.ascontiguousarray((matrix @ values.T).T)


def _repeated(by_run: NDArray[Any], starts: IntegerArray, n_rows: int) -> NDArray[Any]:
    """Return the number (..., n_runs) of its run for each row: (..., n_rows)."""
    return np.repeat(by_run, np.diff(starts, append=n_rows), axis=-1)


# How samples were drawn: what the entries of evidence say about units
# --------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Design:
    """How the samples of evidence, or of a stack, were drawn.

    Parameters
    ----------
    amounts : EntryAmounts or None
        If samples were drawn one by one: the samples in each entry.
    drawn : DrawnSamples or None
        Else the samples, and the clusters and strata that they were drawn with.
    """

    amounts: EntryAmounts | None
    drawn: DrawnSamples | None = None

    @property
    def n_units(self) -> int:
        """Number of samples, or clusters, of positive weight; raise if there are fewer than two."""
        if self.drawn is not None:
            return self.drawn.count_units()
        assert self.amounts is not None
        return int(self.amounts.numbers.sum())

    def spread(self, by_entry: EntryInfluences) -> Spread:
        """Return the standard errors of the values with these influences."""
        return self.moves(by_entry.influences, by_entry.is_counted).spread()

    @np.errstate(divide="ignore", invalid="ignore")
    def moves(
        self, influences: Values, is_counted: NDArray[np.bool_], total: float | None = None
    ) -> Moves:
        """Return how far the samples or clusters move values.

        Parameters
        ----------
        influences : ndarray of shape (n_values, ..., n_entries)
            Influence of a sample in each entry on each value, for each part of a stack.
        is_counted : ndarray of shape (..., n_entries)
            Whether the values count the samples of the entry.
        total : float, default=None
            Number by which influences are divided. If None, the weight of the counted samples.
        """
        if self.drawn is None:
            assert self.amounts is not None
            weight = np.where(is_counted, self.amounts.weights, 0).sum(axis=-1, keepdims=True)
            counted = np.broadcast_to(
                is_counted, np.broadcast_shapes(is_counted.shape, self.amounts.numbers.shape)
            )
            return Moves(influences / (total or weight), self.amounts, counted)
        entry, units = self.drawn.entry, SortedUnits(self.drawn.unit, self.drawn.stratum)
        # The systems of a stack have entries of their own.
        samples = (np.arange(len(entry))[:, None], entry) if len(entry) > 1 else (entry[0],)
        moved = influences[..., *samples]
        counted = np.broadcast_to(is_counted, influences.shape[1:])[..., *samples]
        if counted.ndim > 1 and (counted == counted[0]).all():
            # Systems that count the same samples share their amounts.
            counted = counted[0]
        weights = units.sums(self.drawn.weight * counted)
        totals = units.sums(self.drawn.weight * moved)
        totals = totals / (total or weights.sum(axis=-1, keepdims=True))
        return of_units(totals, weights, weights > 0, units.starts)


# Groups of samples: values of groups and of all samples, contrasts of them, and tests of groups
# ---------------------------------------------------------------------------------------------

# By simulation (docs/guide/uncertainty.rst), t statistics of fewer groups hold their level, and
# those of groups of at least this size for each group.
_MANY_GROUPS = 5
_SIZE_PER_GROUP = 50
# Groups of a single unit that are a smaller part of other groups hardly move the value of these.
_NEGLIGIBLE_SHARE = 0.05
# A stack of moves with this many numbers fits in the CPU cache.
_NUMBERS_PER_STACK = 2**21


def moves_of_means(
    influences: Values, weight: Values, group: IntegerArray, n_groups: int
) -> tuple[Values, Values]:
    """Return the mean influence of each group, and how far each row moves that of its group."""
    influences, sizes = np.where(weight > 0, influences, 0), np.bincount(group, weight, n_groups)
    means = arithmetic.divide(np.bincount(group, weight * influences, n_groups), sizes)
    moves = arithmetic.divide(influences - means[group], sizes[group])
    return means, np.where(weight > 0, moves, 0)


def t_pvalues(estimates: Values | float, errors: Values | float, degrees: Values | float) -> Values:
    """Return two-sided p-values of t statistics, NaN without an estimate or a standard error."""
    is_known = np.isfinite(estimates) & (errors > tolerances.ZERO_SPREAD) & (degrees > 0)
    far = -np.abs(estimates) / np.where(is_known, errors, 1)
    return np.where(is_known, 2 * stdtr(np.where(is_known, degrees, 1), far), np.nan)


# Distributions with less skewness are normal: the shape of the gamma distribution is 4e8.
_NO_SKEWNESS = 1e-4


def _pearson_pvalues(statistics: Values, skewness: Values) -> Values:
    """Return two-sided p-values of statistics with mean 0 and variance 1, by Pearson's type III."""
    far, skewness = np.abs(statistics), np.abs(skewness)
    is_skewed = skewness > _NO_SKEWNESS
    shape = 4 / np.where(is_skewed, skewness, 1) ** 2
    distance = np.sqrt(shape) * far
    tails = gammaincc(shape, shape + distance) + gammainc(shape, np.maximum(shape - distance, 0))
    # The tails may add up to a little more than 1.
    pvalues: Values = np.where(is_skewed, np.minimum(tails, 1), 2 * ndtr(-far))
    return pvalues


class GroupTest(NamedTuple):
    """The test of whether the samples of groups have the same influences."""

    pvalue: float
    """The p-value of all groups; NaN if no two groups have a class in common, or the influences are
    not known."""
    by_group: Values
    """The p-value of each group: (n_groups,). NaN if the group has no class in common with others,
    or all samples of these classes are alike."""


def connected_groups(touched: csr_array) -> IntegerArray:
    """Return the independent sample of each group, numbered from 0.

    Groups that share units, directly or through other groups, are one sample. `touched`, of shape
    (n_units, n_groups), is positive where a unit has samples in a group.
    """
    part: IntegerArray = connected_components((touched.T @ touched).toarray(), directed=False)[1]
    return part


@dataclass(frozen=True, eq=False)
class GroupUnits:
    """The units of groups of samples: the samples of each group and cell, or clusters of samples.

    Group sizes are given: each group is an independent sample. Groups that share clusters, directly
    or through other groups, are one sample.

    Parameters
    ----------
    A unit that is in several groups has a part in each.

    Parameters
    ----------
    group, true : ndarray of shape (n_rows,)
        Group and true class of each row, which is a sample, or the samples in a cell of a group.
    is_counted : ndarray of shape (n_rows,)
        Whether a metric counts the samples of the row.
    row_weights : ndarray of shape (n_rows,)
        Weight of the counted samples of each row.
    shares : sparse array of shape (n_parts, n_rows)
        Weight of the samples of each row in each part, divided by the weight of the unit.
    group_of_part : ndarray of shape (n_parts,)
        Group of each part. The parts of a unit stand together, as do the units of a sample.
    counted : ndarray of shape (n_parts,)
        Weight of the samples in each part that a metric counts, as in `amounts`.
    part_starts : ndarray of shape (n_units,)
        The first part of each unit.
    amounts : EntryAmounts
        The units, of shape (n_units,). If true classes have given shares, the weights are
        multiplied by the factors of the classes.
    is_counted_unit : ndarray of shape (n_units,)
        Whether a metric counts some samples of the unit.
    samples : ndarray of shape (n_samples,)
        Each independent sample: the number of its group if no unit has samples in several.
    starts : ndarray of shape (n_samples,)
        The first unit of each independent sample.
    is_clustered : bool
        Whether units are clusters. If not, they are the rows, or the samples of rows.
    is_shared : bool
        Whether some units have samples in several groups.
    stratum_starts : ndarray of shape (n_strata,) or None
        The first unit of each stratum; None without strata.
    is_too_few : ndarray of shape (1 + n_groups,)
        Whether all samples, or a group, have fewer than two units, or a single one of a stratum.
    numbers : ndarray of shape (1 + n_groups,)
        Number of samples or clusters in all groups and in each group.
    group_sizes : ndarray of shape (n_groups,)
        Weight of the counted samples of each group, as in `amounts`.
    n_effective : ndarray of shape (1 + n_groups,)
        Number of units of equal weight that say as much about a proportion.
    n_classes : int
        Number of classes.
    """

    group: IntegerArray
    true: IntegerArray
    is_counted: NDArray[np.bool_]
    row_weights: Values
    shares: Any
    group_of_part: IntegerArray
    counted: Values
    part_starts: IntegerArray
    amounts: EntryAmounts
    is_counted_unit: NDArray[np.bool_]
    samples: IntegerArray
    starts: IntegerArray
    is_clustered: bool
    is_shared: bool
    stratum_starts: IntegerArray | None
    is_too_few: NDArray[np.bool_]
    numbers: Values
    group_sizes: Values
    n_effective: Values
    n_classes: int

    @classmethod
    def of_rows(
        cls,
        group: IntegerArray,
        true: IntegerArray,
        is_counted: NDArray[np.bool_],
        amounts: EntryAmounts,
        cluster: IntegerArray | None,
        shape: tuple[int, int],
        factor: Values | None = None,
        row: IntegerArray | None = None,
        stratum: IntegerArray | None = None,
    ) -> GroupUnits:
        """Take rows of groups and classes in `shape`, and the samples or clusters in them.

        If the true classes of each group have given shares, `factor` multiplies the weights in each
        row. The samples, with their `amounts`, are those of each row; or each is in a given `row`,
        as those in clusters or strata may be. Samples have strata only if they have clusters, each
        of which may be a single sample.
        """
        n_groups, n_classes = shape
        row = np.arange(len(group)) if row is None else row
        in_group, is_in = group[row], is_counted[row]
        # Classes with a share of 0 move nothing.
        factor = np.ones(len(row)) if factor is None else np.where(factor > 0, factor, 1)[row]
        weights = amounts.weights * factor
        sample, is_shared = in_group, False
        unit: IntegerArray = np.arange(len(row)) if cluster is None else cluster
        if cluster is not None:
            n_units = int(unit.max()) + 1
            is_touching = (is_in & (weights > 0)).astype(np.float64)
            touched = csr_array((is_touching, (unit, in_group)), shape=(n_units, n_groups))
            of_group = connected_groups(touched)
            is_shared = int(of_group.max()) + 1 < n_groups
            # Samples that are not counted do not decide to which independent sample a unit belongs.
            of_unit = np.zeros(n_units, dtype=np.intp)
            for is_chosen in (..., is_in):
                of_unit[unit[is_chosen]] = of_group[in_group[is_chosen]]
            sample = of_unit[unit]
            if stratum is not None:
                sample = np.unique(stratum, return_inverse=True)[1] * n_groups + sample
        parts = SortedUnits(unit * n_groups + in_group, sample)
        unit_of_part, group_of_part = np.divmod(parts.unit, n_groups)
        part_starts = arithmetic.run_starts(unit_of_part)
        counted = parts.sums(np.where(is_in, weights, 0))
        if cluster is None:
            squares, fourths = amounts.squares * factor**2, amounts.fourths * factor**4
            scaled = amounts.numbers, weights, squares, fourths
            units = EntryAmounts(*(parts.sums(power) for power in scaled))
            is_counted_unit = parts.sums(is_in.astype(np.float64)) > 0
            in_groups = EntryAmounts(*(np.where(is_counted_unit, power, 0) for power in units))
        else:
            of_clusters = np.add.reduceat(counted, part_starts)
            is_counted_unit = of_clusters > 0
            units = of_units(of_clusters, of_clusters, is_counted_unit).amounts
            in_groups = EntryAmounts.of_weights(counted)
        numbers, sizes, squares = (
            np.r_[
                np.where(is_counted_unit, of_unit, 0).sum(),
                np.bincount(group_of_part, of_part, n_groups),
            ]
            for of_unit, of_part in zip(units[:3], in_groups[:3], strict=True)
        )
        samples = parts.sample[part_starts]
        starts = arithmetic.run_starts(samples)
        stratum_starts, is_too_few = None, numbers < 2
        if stratum is not None:
            in_stratum = samples // n_groups
            stratum_starts = arithmetic.run_starts(in_stratum)
            by_stratum = np.zeros((int(in_stratum.max()) + 1, 1 + n_groups))
            by_stratum[:, 0] = np.bincount(in_stratum, is_counted_unit)
            part = parts.sample // n_groups, 1 + group_of_part
            np.add.at(by_stratum, part, in_groups.numbers)
            is_too_few |= (by_stratum == 1).any(axis=0)
        # Rows of weight 0 do not move anything.
        weight_of_unit = np.where(units.weights > 0, units.weights, 1)
        weight_of_part = _repeated(weight_of_unit, part_starts, len(counted))
        shares = amounts.weights / weight_of_part[parts.of_row]
        return cls(
            group,
            true,
            is_counted,
            np.bincount(row, np.where(is_in, amounts.weights, 0), len(group)).astype(np.float64),
            csr_array((shares, (parts.of_row, row)), shape=(len(counted), len(group))),
            group_of_part,
            counted,
            part_starts,
            units,
            is_counted_unit,
            samples[starts],
            starts,
            cluster is not None,
            is_shared,
            stratum_starts,
            is_too_few,
            numbers,
            sizes[1:],
            arithmetic.divide(sizes**2, squares),
            n_classes,
        )

    @cached_property
    def is_known_unit(self) -> NDArray[np.bool_]:
        """Whether the moves of a counted unit are known: those of the only unit of a group are not.

        Contrasts that depend on such a unit have no standard error, see `GroupMoves`.
        """
        numbers = np.where(self.is_counted_unit, self.amounts.numbers, 0)
        is_alone = np.add.reduceat(numbers, self.starts) < 2
        is_known: NDArray[np.bool_] = ~_repeated(is_alone, self.starts, len(numbers))
        return self.is_counted_unit & is_known

    @cached_property
    def shares_of_units(self) -> Any:
        """The `shares` of whole units: (n_units, n_rows)."""
        ends = np.r_[self.shares.indptr[self.part_starts], self.shares.nnz]
        shape = len(self.part_starts), len(self.group)
        return csr_array((self.shares.data, self.shares.indices, ends), shape=shape)

    def by_group(self, by_part: Values) -> Any:
        """Return the amounts of the parts as a sparse array: (n_units, n_groups)."""
        ends = np.r_[self.part_starts, len(by_part)]
        shape = len(self.part_starts), len(self.group_sizes)
        return csr_array((by_part, self.group_of_part, ends), shape=shape)

    @cached_property
    def counted_by_group(self) -> Any:
        """Weight of the counted samples of each unit and group: (n_units, n_groups)."""
        return self.by_group(self.counted)

    def moves(self, values: Values, own: Values, overall: Values, slopes: Values) -> GroupMoves:
        """Return the moves of values, given how far samples of weight 1 move them.

        Parameters
        ----------
        values : ndarray of shape (1 + n_groups,)
            The value of all samples and of each group.
        own : ndarray of shape (n_rows,)
            How far a sample moves the value of its group.
        overall : ndarray of shape (n_rows,)
            How far it moves the value of all samples.
        slopes : ndarray of shape (n_groups, n_classes)
            How far it moves the values of all groups by its true class, if a metric depends on the
            class sizes of all groups.
        """
        slopes = slopes if slopes.any() else slopes[:, :0]
        classes = np.arange(slopes.shape[1])[:, None] == self.true
        shared = np.vstack([np.nan_to_num(overall), classes, np.ones(len(overall))])
        by_row = np.vstack([overall, np.where(self.is_counted, shared, 0)])
        of_all, *by_unit = _product(self.shares_of_units, by_row)
        totals = np.add.reduceat(self.amounts.weights * by_unit, self.starts, axis=-1)
        means = _repeated(arithmetic.divide(totals[:-1], totals[-1]), self.starts, len(of_all))
        centred = np.where(by_unit[-1] > 0, by_unit[:-1] - means * by_unit[-1], 0)
        return GroupMoves(self, values, self.shares @ own, overall, of_all, centred, slopes)

    @property
    def is_crossed(self) -> bool:
        """Whether the independent samples are not the groups, but shared by them, or strata."""
        return self.is_shared or self.stratum_starts is not None

    @property
    def has_many_groups(self) -> bool:
        """Whether the groups are too many for t statistics of differences from all samples.

        The levels of many tests are so small that t statistics of small groups reject equal groups
        too often, while permutations do not. Clusters have no exact moments of permutations.
        """
        sizes = self.numbers[1:]
        is_many = len(sizes) >= _MANY_GROUPS and np.median(sizes) < _SIZE_PER_GROUP * len(sizes)
        return bool(is_many and not self.is_clustered)

    def cell_of_unit(self, cell: IntegerArray) -> IntegerArray:
        """Return the `cell` of a row of each unit that is counted."""
        rows, units = self._counted_entries
        of_units = np.zeros(len(self.is_counted_unit), dtype=np.intp)
        of_units[units] = cell[rows]
        return of_units

    @cached_property
    def are_samples(self) -> bool:
        """Whether each unit is a single sample, such as one with several predictions.

        The rows of a cluster are then in the same group and true class, and all clusters have the
        same weight.
        """
        if not self.is_clustered:
            return True
        rows, units = self._counted_entries
        cell = self.group * self.n_classes + self.true
        weights = self.shares_of_units @ self.is_counted * self.amounts.weights
        weights = weights[self.is_counted_unit]
        is_alike = np.ptp(weights) <= tolerances.TIE * weights.max()
        return bool(is_alike and (self.cell_of_unit(cell)[units] == cell[rows]).all())

    @cached_property
    def _counted_entries(self) -> tuple[IntegerArray, IntegerArray]:
        """Row and unit of each share that is counted."""
        units, rows = self.shares_of_units.nonzero()
        is_counted = self.is_counted[rows]
        return rows[is_counted], units[is_counted]


@dataclass(frozen=True, eq=False)
class GroupMoves:
    """How far the samples of groups move the value of all samples and the value of each group.

    Parameters
    ----------
    units : GroupUnits
        The units.
    values : ndarray of shape (1 + n_groups,)
        The value of all samples and of each group.
    own : ndarray of shape (n_parts,)
        How far each part moves the value of its group, for a unit of weight 1.
    overall : ndarray of shape (n_rows,)
        How far a sample of weight 1 moves the value of all samples.
    of_all : ndarray of shape (n_units,)
        How far each unit of weight 1 moves the value of all samples.
    shared : ndarray of shape (1 + n_classes or 1, n_units)
        How far it moves what all contrasts share: the value of all samples, and the class sizes if
        there are `slopes`. They are taken about their mean in each independent sample, whose size
        is given.
    slopes : ndarray of shape (n_groups, n_classes or 0)
        Derivatives of the values of groups by the class sizes of all groups, if there are any.
    pooled : GroupMoves, default=None
        The moves that tests of contrasts use, see `with_pooled`. None if the true classes have
        given shares.
    is_tested : bool, default=True
        Whether samples of all groups may be permuted. They may not if their weights already give
        the classes of each group the shares.
    """

    units: GroupUnits
    values: Values
    own: Values
    overall: Values
    of_all: Values
    shared: Values
    slopes: Values
    pooled: GroupMoves | None = None
    is_tested: bool = True

    def with_pooled(self) -> GroupMoves:
        """Add the moves of the mean influence of each group on the value of all samples.

        The value of all samples is 0. For a criterion that is linear in the counts, differences of
        these values are those of the criterion.
        """
        units, slopes = self.units, self.slopes[:, :0]
        influences = self.overall * units.row_weights.sum()
        means, own = moves_of_means(influences, units.row_weights, units.group, len(slopes))
        values, own, shared = np.r_[0, means], units.shares @ own, self.shared[:1]
        pooled = replace(self, values=values, own=own, shared=shared, slopes=slopes)
        return replace(self, pooled=pooled)

    def value_spread(self) -> Spread:
        """Return the spread of the value of all samples and of each group: (1 + n_groups,).

        The group sizes are random in the value of all samples, so that all units of a stratum are
        one sample.
        """
        units, n_groups = self.units, len(self.slopes)
        is_counted, of_all = units.is_counted_unit, self.of_all[None]
        overall = Moves(of_all, units.amounts, is_counted, units.stratum_starts)
        if units.is_shared or self.slopes.size:
            errors, degrees = self.spread(np.eye(n_groups, 1 + n_groups, 1))
        else:
            # Each group, or its part in a stratum, is a sample of its own.
            by_unit = self._own_by_group.sum(axis=1)[None]
            moves = Moves(by_unit, units.amounts, is_counted, units.starts)
            stratum, group = np.divmod(units.samples, n_groups)
            parts = np.zeros((2, n_groups, int(stratum.max()) + 1))
            parts[:, group, stratum] = np.concatenate(moves.spread_by_sample())
            errors, degrees = combined(parts[0], np.where(parts[0] == 0, 1, parts[1]))
            errors[self._is_unknown[1:]] = np.nan
        error, freedom = map(
            np.concatenate, zip(overall.spread()[:2], (errors, degrees), strict=True)
        )
        return Spread(error, freedom, units.n_effective)

    def spread(self, weights: Values) -> tuple[Values, Values]:
        """Return the standard errors of weighted sums of values, and their degrees: (n_contrasts,).

        Parameters
        ----------
        weights : ndarray of shape (n_contrasts, 1 + n_groups)
            Weights of the value of all samples and of the value of each group.
        """
        return self._spread(weights)[:2]

    @property
    def hypothesis(self) -> Literal["values", "distributions", "errors"]:
        """What is the same in all groups if differences from all samples are due to chance.

        It is the values, the distributions of the samples, or the errors within true classes.
        """
        if self.pooled is None:
            return "errors"
        return "distributions" if self.units.has_many_groups else "values"

    def contrasts(self, weights: Values) -> tuple[Values, Values, Values]:
        """Return standard errors of weighted sums, their degrees, and p-values: (n_contrasts,).

        Tests use the spread of `pooled`, unless one group lends its variance to another: the
        influences on the value of all samples vary even if all samples of a group are right.
        """
        errors, degrees, is_lent = self._spread(weights)
        if self.pooled is None:
            return errors, degrees, self._pvalues_at_shares(weights)
        if weights[:, 0].all() and self.hypothesis == "distributions":
            of_groups = np.argmax(weights[:, 1:], axis=1)
            return errors, degrees, self.pvalues_from_all()[of_groups]
        estimates = np.where(weights == 0, 0, weights * self.values).sum(axis=1)
        own = t_pvalues(estimates, errors, degrees)
        at_pooled = np.where(weights == 0, 0, weights * self.pooled.values).sum(axis=1)
        pooled = t_pvalues(at_pooled, *self.pooled.spread(weights))
        return errors, degrees, np.where(is_lent, own, pooled)

    def pvalues_from_all(self) -> Values:
        """Return the p-value of the difference of each group from all samples: (n_groups,)."""
        units, pooled, n_groups = self.units, self.pooled, len(self.slopes)
        if pooled is not None and self.hypothesis == "distributions":
            return pooled.observed_minus_expected(within_classes=False).by_group
        weights = np.eye(n_groups, 1 + n_groups, 1)
        weights[:, 0] = -1
        # Only one of two independent samples lends its variance.
        if pooled is None or (len(units.samples) < 3 and not units.is_crossed):
            return self.contrasts(weights)[2]
        return t_pvalues(pooled.values[1:], *pooled.spread(weights))

    def observed_minus_expected(self, *, within_classes: bool = True) -> GroupTest:
        """Test whether the samples of the groups have the same influences on the overall value.

        The statistic of a group is the sum of the influences of its samples on the value of all
        samples, each less the mean influence of its true class. The smallest p-value is adjusted as
        if the groups were independent, which is conservative.

        Parameters
        ----------
        within_classes : bool, default=True
            Whether true classes may differ. If False, all samples are one class: the hypothesis is
            that they come from the same distribution in all groups.
        """
        pvalues, variances, are_comparable = self._test_sums(within_classes=within_classes)
        by_group = np.where(variances > 0, pvalues, np.nan)
        n_tests = np.count_nonzero(~np.isnan(by_group))
        if not n_tests:
            # All permutations of samples that are alike lead to the same sums.
            is_exact = are_comparable and bool((variances == 0).all())
            return GroupTest(1.0 if is_exact else np.nan, by_group)
        # The sums of two groups add up to 0.
        exponent = 1 if n_tests == 2 else n_tests
        with np.errstate(divide="ignore"):
            joint = -np.expm1(exponent * np.log1p(-np.nanmin(by_group)))
        return GroupTest(float(joint), by_group)

    def _pvalues_at_shares(self, weights: Values) -> Values:
        """Return the p-values of weighted sums of values at given shares of the true classes.

        The variance of a group in a class with few samples is not known, so that of all groups is
        used: the hypothesis is that the errors within true classes are the same.
        """
        units, (n_groups, n_classes) = self.units, (len(self.slopes), self.units.n_classes)
        cell = units.group * n_classes + units.true
        sizes = np.bincount(cell, units.row_weights, n_groups * n_classes)
        sizes = sizes.reshape(n_groups, n_classes)
        # The mean influence of a class counts as much in each group as in all samples.
        factors = np.where(sizes > 0, arithmetic.divide(sizes.sum(axis=0), sizes), 0)
        pvalues, variances, _ = self._test_sums(weights[:, 1:], factors)
        return np.where(variances > 0, pvalues, np.nan)

    @np.errstate(divide="ignore", invalid="ignore")
    def _test_sums(
        self,
        weights: Values | None = None,
        factors: Values | None = None,
        *,
        within_classes: bool = True,
    ) -> tuple[Values, Values, bool]:
        r"""Return p-values and variances of sums of influences, and whether groups share a class.

        With the influence e of each sample on the value of all samples, less the mean influence of
        its class j, the sum has a coefficient a for each group g and class:

        .. math:: T = \sum_i a_{g_i j_i} e_i

        If the samples are permuted between the groups within the classes, its mean is 0, and

        .. math:: V = \sum_j s_j^2 \sum_g n_{gj} (a_{gj} - \bar a_j)^2, \qquad
            M = \sum_j k_j \sum_g n_{gj} (a_{gj} - \bar a_j)^3

        are its variance and third moment, where :math:`s_j^2` and :math:`k_j` are the unbiased
        second and third moments of e in the class. The p-value is that of Pearson's distribution of
        type III with these moments, which is close to that of the permutations. With clusters, the
        variance is that of the moves of clusters, the sums of :math:`(a - \bar a_j) e`, and the
        p-value is that of a t statistic.

        Parameters
        ----------
        weights : ndarray of shape (n_sums, n_groups), default=None
            Coefficient of each group. If None, the sum of each group.
        factors : ndarray of shape (n_groups, n_classes), default=None
            What they are multiplied by in each class. None for 1.
        within_classes : bool, default=True
            Whether the true classes are the classes. If not, there is one.
        """
        if not self.is_tested:
            n_sums = len(self.slopes) if weights is None else len(weights)
            return np.full(n_sums, np.nan), np.full(n_sums, np.nan), False
        units, n_groups = self.units, len(self.slopes)
        n_classes, is_counted = (units.n_classes if within_classes else 1), units.is_counted
        true = units.true if within_classes else np.zeros_like(units.true)
        weight, overall = units.row_weights, np.where(is_counted, self.overall, 0)
        means = arithmetic.divide(
            np.bincount(true, weight * overall, n_classes), np.bincount(true, weight, n_classes)
        )
        deviations = np.where(is_counted, overall - means[true], 0)
        # The samples of a class are alike if they differ by rounding errors only.
        deviations[np.abs(deviations) <= tolerances.ZERO_SPREAD * np.abs(overall).max()] = 0
        cell: IntegerArray = units.group * n_classes + true
        moved, number = weight * deviations, weight
        if units.are_samples:
            by_unit, amounts = units.shares_of_units @ deviations, units.amounts
            cell, moved = units.cell_of_unit(cell), amounts.weights * by_unit
            number = np.where(units.is_counted_unit, amounts.numbers, 0)
            second = amounts.squares * by_unit**2
        shape, n_cells = (n_groups, -1), n_groups * n_classes
        factors = np.ones((n_groups, n_classes)) if factors is None else factors
        totals = (factors * np.bincount(cell, moved, n_cells).reshape(shape)).sum(axis=1)
        totals = totals if weights is None else weights @ totals
        numbers = np.bincount(cell, number, n_cells).reshape(shape)
        of_class = numbers.sum(axis=0)
        powers = [numbers * factors**k for k in (1, 2, 3)]
        if weights is not None:
            powers = [weights**k @ power for k, power in enumerate(powers, start=1)]
        first, squares, cubes = powers
        mean = np.where(of_class > 0, first / of_class, 0)
        are_comparable = bool((np.count_nonzero(numbers, axis=0) > 1).any())
        if not units.are_samples:
            spreads, weights = [], np.eye(n_groups) if weights is None else weights
            for part in arithmetic.slices(len(weights), _NUMBERS_PER_STACK // len(true)):
                coefficients = weights[part][:, units.group] * factors[units.group, true]
                by_row = (coefficients - mean[part][:, true]) * deviations
                moves = self._of_units(_product(units.shares_of_units, by_row))
                spreads.append(combined(*moves.spread_by_sample()))
            error, degrees = np.concatenate(spreads, axis=1)
            error[self._is_lost(np.c_[np.ones(len(weights)), weights])] = np.nan
            return t_pvalues(totals, error, degrees), error**2, are_comparable
        # Exact if the samples of a row have the same weight, as samples one by one do.
        third = np.where(moved == 0, 0, second**2 / moved)
        seconds, thirds = (np.bincount(cell % n_classes, m, n_classes) for m in (second, third))
        seconds = np.where(of_class > 1, seconds / (of_class - 1), 0)
        unbiased = of_class / ((of_class - 1) * (of_class - 2))
        thirds = np.where(of_class > 2, thirds * unbiased, 0)
        variances = (squares - of_class * mean**2) @ seconds
        skewness = (cubes - 3 * mean * squares + 2 * of_class * mean**3) @ thirds / variances**1.5
        pvalues = _pearson_pvalues(totals / np.sqrt(variances), skewness)
        return pvalues, variances, are_comparable

    def _spread(self, weights: Values) -> tuple[Values, Values, NDArray[np.bool_]]:
        """Return errors and degrees, and whether one group lent its variance to another."""
        slices = arithmetic.slices(len(weights), _NUMBERS_PER_STACK // len(self.own))
        parts = [self._part_spread(weights[part]) for part in slices]
        error, degrees, is_lent = map(np.concatenate, zip(*parts, strict=True))
        is_lost = self._is_lost(weights)
        return np.where(is_lost, np.nan, error), degrees, is_lent & ~is_lost

    def _part_spread(self, weights: Values) -> tuple[Any, ...]:
        units = self.units
        if units.is_crossed:
            of_samples = self._moves(weights).spread_by_sample()
            return *combined(*of_samples), np.zeros(len(weights), dtype=np.bool_)
        of_groups, of_all = weights[:, 1:][:, units.samples], weights[:, :1]
        ratios = np.divide(of_groups, of_all, out=np.zeros_like(of_groups), where=of_all != 0)
        if self._is_separable and np.count_nonzero(ratios, axis=0).max() < 2:
            # In a sample, all contrasts have the moves of its group, or of all samples; and at most
            # one has a sum of both.
            ratio = np.zeros(len(self.slopes))
            ratio[units.samples] = ratios.sum(axis=0)
            own, shared = np.nan_to_num(self.own), self.shared[0]
            both = ratio[units.group_of_part] * own + shared
            moves = self._of_units(np.stack([own, shared, both]))
            errors, degrees = moves.spread_by_sample()
            kind = np.where(of_all == 0, 0, np.where(of_groups == 0, 1, 2))
            sample = np.arange(len(units.samples))
            errors = np.abs(np.where(of_all == 0, of_groups, of_all)) * errors[kind, sample]
            degrees = degrees[kind, sample]
        else:
            moves = self._moves(weights)
            errors, degrees = moves.spread_by_sample()
        is_compared = (of_groups != 0) | (of_all != 0)
        numbers = moves.numbers_by_sample()
        return _combined_with_lent_variance(errors, degrees, numbers, is_compared)

    @cached_property
    def _is_separable(self) -> bool:
        """Whether the moves of units depend on the value of a single group, and of all samples."""
        return len(self.own) == len(self.units.part_starts) and not self.slopes.size

    @cached_property
    def _is_unknown(self) -> NDArray[np.bool_]:
        """Whether nothing is known about a value: (1 + n_groups,).

        A single unit does not move the value of its group; and some values have no derivative.
        """
        moves = np.r_[
            self.overall.sum(), np.bincount(self.units.group_of_part, self.own, len(self.slopes))
        ]
        return np.asarray(self.units.is_too_few | np.isnan(moves))

    def _is_lost(self, weights: Values) -> NDArray[np.bool_]:
        """Whether a contrast depends on values about which nothing is known: (n_contrasts,).

        The value of all samples depends on groups of a single unit. These may be neglected if they
        are a small part of the samples outside the groups of the contrast.
        """
        units = self.units
        sizes, is_other = units.group_sizes, weights[:, 1:] == 0
        unknown = is_other @ np.where(units.is_too_few[1:], sizes, 0)
        depends = (weights[:, 0] != 0) & (unknown > _NEGLIGIBLE_SHARE * (is_other @ sizes))
        return np.asarray(depends | (weights[:, self._is_unknown] != 0).any(axis=1))

    def _moves(self, weights: Values) -> Moves:
        units, of_groups, of_all = self.units, weights[:, 1:], weights[:, :1]
        moves = _product(self._own_by_group, of_groups)
        if of_all.any():
            moves += of_all * self.shared[0]
        if self.slopes.size:
            moves += of_groups @ self.slopes @ self.shared[1:]
        if not units.is_crossed:
            return self._of_units(moves)
        # Units count with their samples in the groups of the contrast; with all of their samples in
        # an independent sample without such groups, whose class sizes may move the values.
        is_touched = ((of_groups != 0) | (of_all != 0)).astype(np.float64)
        weight = _product(units.counted_by_group, is_touched)
        is_untouched = np.add.reduceat(weight, units.starts, axis=-1) == 0
        if is_untouched.any():
            is_untouched = _repeated(is_untouched, units.starts, weight.shape[-1])
            weight = np.where(is_untouched, units.amounts.weights, weight)
        is_counted = units.is_known_unit & (weight > 0)
        return of_units(moves * units.amounts.weights, weight, is_counted, units.starts)

    @cached_property
    def _own_by_group(self) -> Any:
        return self.units.by_group(np.nan_to_num(self.own))

    def _of_units(self, by_unit: Values) -> Moves:
        return Moves(by_unit, self.units.amounts, self.units.is_known_unit, self.units.starts)
