"""How far units move values, and the standard errors and degrees of freedom that follow.

A value is a smooth function of totals to which units add: samples, clusters of samples or items.
How far a unit moves the value is its derivative by the weight of the unit. A difference or another
combination of values has moves of its own, the same combination of the moves of the values. The
variance and the degrees of freedom of every value and difference are computed here from its own
moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from sklearn_ordinal._core import arithmetic
from sklearn_ordinal._core.arithmetic import Values
from sklearn_ordinal._core.influence_functions import DrawnSamples, EntryAmounts, EntryInfluences
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
    sample: IntegerArray | None = None
    """Of shape (n_rows,): the independent sample, of a given size, that each unit belongs to, such
    as a stratum; None if all units are one sample."""
    n_samples: int | None = None
    """Number of independent samples. If None, the last sample has a unit."""

    @np.errstate(divide="ignore", invalid="ignore")
    def spread(self) -> Spread:
        """Return the standard errors of the values, and their degrees of freedom.

        They are `combined` from those of the independent samples. If a sample has a single unit,
        the standard error is NaN, with 0 degrees of freedom.
        """
        errors, degrees, _ = self.spread_by_sample()
        weights, squares = (
            np.where(self.is_counted, power, 0).sum(axis=-1)
            for power in (self.amounts.weights, self.amounts.squares)
        )
        n_effective = np.broadcast_to(weights**2 / squares, errors.shape[:-1])
        return Spread(*combined(errors, degrees), n_effective)

    @np.errstate(divide="ignore", invalid="ignore")
    def spread_by_sample(self) -> Spread:
        r"""Return the standard errors that each independent sample adds: (..., n_samples).

        The moves m of n units are taken about their mean:

        .. math:: V_g = \frac{n}{n - 1} \sum m^2

        A sample without units adds 0, and one with a single unit NaN.
        """
        numbers, weights, squares, fourths = self.amounts
        counted = EntryAmounts(
            *(self._by_sample(np.where(self.is_counted, power, 0)) for power in self.amounts)
        )
        n_units, moves = counted.numbers, self.by_row
        if self.sample is not None:
            means = arithmetic.divide(self._by_sample(weights * moves), n_units)[..., self.sample]
            moves = moves - np.where(self.is_counted, means * numbers / weights, 0)
        # Rows without units may have no move.
        moves = np.where(numbers > 0, moves, 0)
        second = self._by_sample(squares * moves**2)
        fourth = self._by_sample(np.where(numbers > 0, fourths, 0) * moves**4)
        variances = np.where(n_units > 0, second * n_units / (n_units - 1), 0)
        return Spread(
            np.sqrt(np.where(n_units == 1, np.nan, variances)),
            _degrees_of_freedom(second, fourth, counted),
            counted.weights**2 / counted.squares,
        )

    def numbers_by_sample(self) -> Values:
        """Return the number of units that count in each independent sample: (..., n_samples)."""
        return self._by_sample(np.where(self.is_counted, self.amounts.numbers, 0))

    def _by_sample(self, amounts: Values) -> Values:
        """Return sums over the rows of each sample: (..., n_samples)."""
        if self.sample is None:
            return np.asarray(amounts.sum(axis=-1, keepdims=True))
        return _sums(amounts, self.sample, self.n_samples)

    def difference(self) -> Moves:
        """Return the moves of the first value minus the second, given values (..., 2) of units."""
        totals = self.by_row * self.amounts.weights
        weight = np.where(self.is_counted, self.amounts.weights, 0).max(axis=0)
        return of_units(totals[..., 0, :] - totals[..., 1, :], weight, weight > 0)

    def beside(self, other: Moves) -> Moves:
        """Return the moves of both as those of two independent samples."""
        n_rows = self.by_row.shape[-1], other.by_row.shape[-1]
        amounts = (np.concatenate(pair) for pair in zip(self.amounts, other.amounts, strict=True))
        return Moves(
            np.concatenate([self.by_row, other.by_row], axis=-1),
            EntryAmounts(*amounts),
            np.concatenate([self.is_counted, other.is_counted]),
            np.repeat([0, 1], n_rows),
        )


def _degrees_of_freedom(second: Values, fourth: Values, units: EntryAmounts) -> Values:
    r"""Return the degrees of freedom of the variance of a sum over one sample.

    They are those of Satterthwaite less two, from the excess kurtosis g of the moves, at least 0:

    .. math:: \nu = \frac{2}{g / n + 2 / (n - 1)} - 2, \qquad
        \nu \ge \frac{1}{2} \left(\frac{(\sum w^2)^2}{\sum w^4} - 1\right), \qquad
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

    .. math:: V = \sum_g V_g, \qquad \nu = V^2 \Big/ \sum_g V_g^2 / \nu_g

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


def of_units(
    totals: Values,
    weight: Values,
    is_counted: NDArray[np.bool_],
    sample: IntegerArray | None = None,
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
    sample : ndarray of shape (n_units,), default=None
        The independent sample of each unit.
    """
    # A unit that is not counted may still move the values.
    weight = np.where(weight > 0, weight, 1)
    amounts = EntryAmounts(np.ones(weight.shape), weight, weight**2, weight**4)
    return Moves(totals / weight, amounts, is_counted, sample)


def _sums(amounts: Values, position: IntegerArray, n_sums: int | None = None) -> Values:
    """Return the sums of amounts with the same position on the last axis."""
    n_sums = int(position.max()) + 1 if n_sums is None else n_sums
    ones, numbers = np.ones(len(position)), np.arange(len(position))
    by_position = csr_array((ones, (position, numbers)), shape=(n_sums, len(position)))
    sums = by_position @ amounts.reshape(-1, len(position)).T
    return np.asarray(sums.T.reshape(*amounts.shape[:-1], n_sums))


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
        Else the samples, and the clusters that they were drawn with.
    stratum : ndarray of shape (n_units,) or None
        The stratum of each sample or cluster in `drawn`; None if there is one.
    """

    amounts: EntryAmounts | None
    drawn: DrawnSamples | None = None
    stratum: IntegerArray | None = None

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
        is_counted : ndarray of shape (n_entries,)
            Whether the values count the samples of the entry.
        total : float, default=None
            Number by which influences are divided. If None, the weight of the counted samples.
        """
        if self.drawn is None:
            assert self.amounts is not None
            weight = np.where(is_counted, self.amounts.weights, 0).sum(axis=-1, keepdims=True)
            counted = np.broadcast_to(is_counted, self.amounts.numbers.shape)
            return Moves(influences / (total or weight), self.amounts, counted)
        unit, weight, stack = self.drawn.unit, self.drawn.weight, influences.shape[1:-1]
        n_units = int(unit.max()) + 1
        of_systems = influences.reshape(len(influences), -1, influences.shape[-1])
        # For each system of a stack, the entry of each sample.
        moved = np.stack(
            [of_systems[:, k, entry] for k, entry in enumerate(self.drawn.entry)], axis=1
        )
        weights = _sums(weight * is_counted[self.drawn.entry], unit, n_units)
        totals = _sums(weight * moved, unit, n_units)
        totals = totals / (total or weights.sum(axis=-1, keepdims=True))
        return of_units(
            totals.reshape(len(influences), *stack, n_units),
            weights.reshape(*stack, n_units),
            (weights > 0).reshape(*stack, n_units),
            self.stratum,
        )


# Groups of samples: values of groups and of all samples, and contrasts of them
# -----------------------------------------------------------------------------

# A stack of moves with this many numbers fits in the CPU cache.
_NUMBERS_PER_STACK = 2**21


@dataclass(frozen=True, eq=False)
class GroupUnits:
    """The units of groups of samples: cells of each group, samples, or clusters of samples.

    Group sizes are given: each group is an independent sample. Groups that share clusters, directly
    or through other groups, are one sample.

    Parameters
    ----------
    group, true : ndarray of shape (n_rows,)
        Group and true class of each row: a sample, or the samples of a group and cell.
    weight : ndarray of shape (n_rows,)
        Weight of the samples of the row, 0 if a metric does not count them.
    unit : ndarray of shape (n_rows,)
        The unit of each row.
    share : ndarray of shape (n_rows,)
        How far a unit of weight 1 of this unit moves a value if a sample of weight 1 of this row
        moves it by 1.
    amounts : EntryAmounts
        The units, of shape (n_units,).
    is_counted : ndarray of shape (n_units,)
        Whether the metric counts the unit.
    sample : ndarray of shape (n_units,)
        The independent sample of each unit.
    touched : sparse array of shape (n_units, n_groups) or None
        The groups in which each unit has samples, None if no unit has samples in several.
    numbers : ndarray of shape (1 + n_groups,)
        Number of samples or clusters in all groups and in each group.
    n_effective : ndarray of shape (1 + n_groups,)
        Number of units of equal weight that say as much about a proportion.
    n_classes : int
        Number of classes.
    """

    group: IntegerArray
    true: IntegerArray
    weight: Values
    unit: IntegerArray
    share: Values
    amounts: EntryAmounts
    is_counted: NDArray[np.bool_]
    sample: IntegerArray
    touched: csr_array | None
    numbers: Values
    n_effective: Values
    n_classes: int

    @classmethod
    def of_rows(
        cls,
        group: IntegerArray,
        true: IntegerArray,
        amounts: EntryAmounts,
        is_counted: NDArray[np.bool_],
        cluster: IntegerArray | None,
        shape: tuple[int, int],
    ) -> GroupUnits:
        """Take the samples of each row, or of each cluster, of groups and classes in `shape`."""
        n_groups, n_classes = shape
        unit: IntegerArray
        sample: IntegerArray
        counted = EntryAmounts(*(np.where(is_counted, power, 0) for power in amounts))
        if cluster is None:
            of_groups = [
                np.bincount(group, power, n_groups)
                for power in (counted.numbers, counted.weights, counted.squares)
            ]
            of_all = [of_group.sum() for of_group in of_groups]
            unit, share = np.arange(len(group)), np.ones(len(group))
            sample, touched = group, None
        else:
            n_units = int(cluster.max()) + 1
            by_group = csr_array((counted.weights, (cluster, group)), shape=(n_units, n_groups))
            total = by_group.sum(axis=1)
            touched = (by_group > 0).astype(np.float64)
            of_groups = [touched.sum(axis=0), by_group.sum(axis=0), (by_group**2).sum(axis=0)]
            of_all = [np.count_nonzero(total), total.sum(), (total**2).sum()]
            # A cluster that is not counted may still move values.
            scale = np.where(total > 0, total, 1)
            unit, share = cluster, amounts.weights / scale[cluster]
            _, component = connected_components((touched.T @ touched).toarray(), directed=False)
            sample = np.zeros(n_units, dtype=np.intp)
            sample[cluster] = component[group]
            amounts = EntryAmounts(np.ones(n_units), scale, scale**2, scale**4)
            is_counted = total > 0
            touched = touched if component.max() + 1 < n_groups else None
        numbers, weights, squares = (
            np.r_[total, of_group] for total, of_group in zip(of_all, of_groups, strict=True)
        )
        return cls(
            group,
            true,
            counted.weights,
            unit,
            share,
            amounts,
            is_counted,
            sample,
            touched,
            numbers.astype(np.float64),
            arithmetic.divide(weights**2, squares),
            n_classes,
        )

    def by_unit(self, by_row: Values, column: IntegerArray, n_columns: int) -> csr_array:
        """Return what units of weight 1 add to columns, given what samples of weight 1 add."""
        shape = len(self.sample), n_columns
        return csr_array((self.share * by_row, (self.unit, column)), shape=shape)

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
            How far it moves the values of all groups by its true class: if a metric depends on the
            class sizes of all groups.
        """
        n_groups, everything = len(self.numbers) - 1, np.zeros(len(self.group), dtype=np.intp)
        of_all = self.by_unit(overall, everything, 1)
        classes = None
        if slopes.any():
            counted = (self.weight > 0).astype(np.float64)
            classes = self.by_unit(counted, self.true, self.n_classes)
        return GroupMoves(
            self,
            values,
            self.by_unit(own, self.group, n_groups),
            of_all.toarray()[:, 0],
            classes,
            slopes,
        )

    def pooled_moves(self, overall: Values) -> GroupMoves:
        """Return the moves of the mean influence of each group on the value of all samples.

        The value of all samples is 0. For a criterion that is linear in the counts, differences of
        these values are those of the criterion.

        Parameters
        ----------
        overall : ndarray of shape (n_rows,)
            How far a sample moves the value of all samples.
        """
        n_groups = len(self.numbers) - 1
        sizes = np.bincount(self.group, self.weight, n_groups)
        influences = overall * sizes.sum()
        weighted = np.where(self.weight > 0, self.weight * influences, 0)
        sums = np.bincount(self.group, weighted, n_groups)
        means = arithmetic.divide(sums, sizes)
        own = arithmetic.divide(influences - means[self.group], sizes[self.group])
        own = np.where(self.weight > 0, own, 0)
        return self.moves(np.r_[0, means], own, overall, np.zeros((n_groups, 0)))


@dataclass(frozen=True, eq=False)
class GroupMoves:
    """How far the units of groups move the value of all samples and the value of each group.

    Parameters
    ----------
    units : GroupUnits
        The units.
    values : ndarray of shape (1 + n_groups,)
        The value of all samples and of each group.
    own : sparse array of shape (n_units, n_groups)
        How far a unit of weight 1 moves the value of its group.
    overall : ndarray of shape (n_units,)
        How far it moves the value of all samples.
    classes : sparse array of shape (n_units, n_classes) or None
        Shares of the true classes in the weight of the unit, None without slopes.
    slopes : ndarray of shape (n_groups, n_classes)
        Derivatives of the values of groups by the class sizes of all groups.
    """

    units: GroupUnits
    values: Values
    own: csr_array
    overall: Values
    classes: csr_array | None
    slopes: Values

    def value_spread(self) -> Spread:
        """Return the spread of the value of all samples and of each group: (1 + n_groups,).

        The group sizes are random in the value of all samples, so that all units are one sample.
        """
        units, n_groups = self.units, self.slopes.shape[0]
        overall = Moves(self.overall[None], units.amounts, units.is_counted).spread()
        groups = self.spread(np.eye(n_groups, 1 + n_groups, 1))
        error, degrees, _ = (np.concatenate(pair) for pair in zip(overall, groups, strict=True))
        return Spread(error, degrees, units.n_effective)

    def spread(self, weights: Values) -> Spread:
        """Return the spread of weighted sums of values: (n_contrasts,).

        Parameters
        ----------
        weights : ndarray of shape (n_contrasts, 1 + n_groups)
            Weights of the value of all samples and of the value of each group.
        """
        units, n_units = self.units, len(self.overall)
        length = max(1, _NUMBERS_PER_STACK // n_units)
        parts = [self._part_spread(weights[k : k + length]) for k in range(0, len(weights), length)]
        spread = Spread(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
        # A single unit of a group does not move its value, but nothing is known about the value.
        is_unknown = (units.numbers < 2) | np.isnan(np.r_[self.overall.sum(), self.own.sum(axis=0)])
        is_lost = (weights[:, is_unknown] != 0).any(axis=1)
        return spread._replace(standard_error=np.where(is_lost, np.nan, spread.standard_error))

    def _part_spread(self, weights: Values) -> Spread:
        units, by_group = self.units, csr_array(weights[:, 1:])
        own = self.own.copy()
        own.data = np.nan_to_num(own.data)
        moves = (own @ by_group.T).toarray().T
        if weights[:, 0].any():
            moves += weights[:, :1] * self._centred(self.overall)
        if self.classes is not None:
            moves += self._centred(weights[:, 1:] @ self.slopes @ self.classes.T)
        is_counted = units.is_counted & ~self._is_alone
        if units.touched is not None:
            touches = (units.touched @ (by_group != 0).T.astype(np.float64)).toarray().T > 0
            is_counted = is_counted & (touches | (weights[:, :1] != 0))
        return Moves(moves, units.amounts, is_counted, units.sample).spread()

    def _centred(self, moves: Values) -> Values:
        """Return moves about the mean of each independent sample, whose size is given."""
        units = self.units
        weight = np.where(units.is_counted, units.amounts.weights, 0)
        moves = np.nan_to_num(moves)
        means = arithmetic.divide(_sums(weight * moves, units.sample), _sums(weight, units.sample))
        return np.where(units.is_counted, moves - means[..., units.sample], 0)

    @property
    def _is_alone(self) -> NDArray[np.bool_]:
        """Whether a unit is the only one of its independent sample."""
        units = self.units
        numbers = _sums(np.where(units.is_counted, units.amounts.numbers, 0), units.sample)
        return np.asarray(numbers[units.sample] < 2)

    def difference_variances(
        self, rows: IntegerArray, columns: IntegerArray, factors: Values
    ) -> Values:
        """Return the variances of the differences of groups: (n_rows, n_columns).

        The values of groups are multiplied by `factors`, of shape (n_groups,).
        """
        units = self.units
        numbers = _sums(np.where(units.is_counted, units.amounts.numbers, 0), units.sample)
        scale = np.sqrt(arithmetic.divide(numbers, numbers - 1)[units.sample])
        scale = np.nan_to_num(scale) * np.sqrt(units.amounts.squares)
        own = csr_array(self.own.multiply(scale[:, None] * factors))
        covariances = (own[:, rows].T @ own[:, columns]).toarray()
        squares = own.multiply(own).sum(axis=0)
        variances = squares[rows, None] + squares[columns] - 2 * covariances
        if self.classes is not None:
            classes = scale[:, None] * self._centred(self.classes.T.toarray()).T
            slopes = factors[:, None] * self.slopes
            by_class = slopes[rows][:, None] - slopes[columns]
            of_own = own.T @ classes
            crossed = of_own[rows][:, None] - of_own[columns]
            variances += 2 * (by_class * crossed).sum(axis=-1)
            variances += ((by_class @ (classes.T @ classes)) * by_class).sum(axis=-1)
        limited: Values = np.maximum(variances, 0)
        return limited
