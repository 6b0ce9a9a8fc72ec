"""Closed-form intervals of groups, and of the differences between them, from influences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.special import stdtrit

from sklearn_ordinal._core import (
    LABELS,
    Forecasts,
    IntegerArray,
    OrdinalConfusion,
    OrdinalMetric,
    OrdinalScale,
    Values,
    check_has_items,
    divide,
    factors_to_shares,
    samples_counted_in,
    slices,
    within_classes,
)
from sklearn_ordinal.inference._delta_interval import Spread, delta_ends
from sklearn_ordinal.inference._group_difference import GroupDifference
from sklearn_ordinal.inference._group_intervals import (
    MOST_GROUPS_OF_CONTRASTS,
    Against,
    GroupInference,
    largest_difference,
    largest_difference_pairs,
    rounded_to_zero,
    undefined_comparisons,
)
from sklearn_ordinal.inference._group_jackknife import reference_slopes
from sklearn_ordinal.inference._grouped_rows import GroupedRows
from sklearn_ordinal.inference._groups import confusion_by_group, sizes_of_groups
from sklearn_ordinal.inference._interval import Interval
from sklearn_ordinal.metrics import group_metric, group_values

_SIMULTANEOUS = "simultaneous delta"
# Quantiles of the t distribution are interpolated between this many degrees of freedom. Their
# relative error is below 1e-5.
_N_QUANTILES = 1_000
# Reciprocal degrees of freedom for which the t distribution is the normal distribution.
_NORMAL = 1e-12
# An array with this many differences fits in the CPU cache.
_NUMBERS_PER_PART = 2**16


class ClusteredSamples(NamedTuple):
    """The group, cluster, cell and weight of each sample."""

    group: IntegerArray
    cluster: IntegerArray
    true: IntegerArray
    column: IntegerArray
    weight: Values


@dataclass(frozen=True, eq=False)
class GroupedCounts:
    """Counts of groups, and the samples in clusters, for intervals in closed form.

    Parameters
    ----------
    counts : OrdinalConfusion
        Counts of shape (n_groups, K, K), without their samples.
    weights : ndarray of shape (n_groups, K, K + 1)
        Weight of the samples in each cell, the last column for unanswered samples.
    numbers : ndarray of shape (n_groups, K, K + 1)
        Number of these samples.
    squares : ndarray of shape (n_groups, K, K + 1)
        Sum of their squared weights.
    clustered : ClusteredSamples or None
        The samples if they were drawn in clusters.
    group_sizes : ndarray of shape (n_groups,)
        Number of samples of each group, regardless of their weights.
    """

    counts: OrdinalConfusion
    weights: Values
    numbers: Values
    squares: Values
    clustered: ClusteredSamples | None
    group_sizes: NDArray[np.int64]

    # Nothing is exchanged between the groups, since there is no test.
    exchanged = ""

    @classmethod
    def from_confusion(
        cls, groups: OrdinalConfusion, position: IntegerArray, n_groups: int | None = None
    ) -> GroupedCounts:
        """Take a stack of counts, given the new position of each group.

        There may be more groups than matrices, some of them without samples.
        """
        samples = samples_counted_in(groups)
        counts = confusion_by_group(groups, position, n_groups or len(position))
        # Without its samples, the counts of soft labels would be refused.
        check_has_items(groups)
        amounts = LABELS.entry_amounts(replace(counts, has_soft_labels=False))
        n_samples = amounts.numbers.sum()
        if n_samples < 2:
            raise ValueError(f"confusion must have at least 2 samples, got {n_samples:.0f}.")
        clustered = None
        if samples is not None and samples.cluster is not None and samples.group is not None:
            true, column = np.divmod(samples.cells[0], samples.n_columns)
            clustered = ClusteredSamples(
                position[samples.group], samples.cluster, true, column, samples.weight
            )
        weights, numbers, squares = (
            part.reshape(*counts.counts.shape[:-1], -1) for part in amounts
        )
        group_sizes = sizes_of_groups(groups, position, len(counts.counts))
        return cls(counts, weights, numbers, squares, clustered, group_sizes)

    @property
    def scale(self) -> OrdinalScale:
        """The classes."""
        return self.counts.scale

    def confusion(self) -> OrdinalConfusion:
        """Return the counts of each group: (n_groups, K, K)."""
        return self.counts

    def class_counts(self) -> NDArray[Any]:
        """Return the number, or weight, of the samples of each group and true class."""
        sizes = self.counts.class_counts
        return sizes if self.counts.is_weighted else sizes.astype(np.int64)

    def n_samples(self) -> NDArray[np.int64]:
        """Return the number of samples of each group, regardless of their weights."""
        return self.group_sizes

    def units(self, n_columns: int) -> DrawnUnits:
        """Return the samples, or their clusters, in some of the columns."""
        if self.clustered is None:
            weights, numbers, squares = (
                amounts[..., :n_columns].sum(axis=(1, 2))
                for amounts in (self.weights, self.numbers, self.squares)
            )
            return DrawnUnits.of_samples(numbers, weights, squares)
        group, cluster, _, column, weight = self.clustered
        is_counted = column < n_columns
        shape = cluster.max() + 1, len(self.counts.counts)
        sums = csr_array(
            (weight[is_counted], (cluster[is_counted], group[is_counted])), shape=shape
        )
        return DrawnUnits.of_clusters(sums)

    def moments(self, own: Values, overall: Values, slopes: Values) -> Moments:
        """Return the variances and covariances of the values.

        Parameters
        ----------
        own : ndarray of shape (n_groups, K, K + 1)
            How much a sample of weight 1 moves the value of its group.
        overall : ndarray of shape (n_groups, K, K + 1)
            How much it moves the value of all samples.
        slopes : ndarray of shape (n_groups, K)
            How much it moves the value of any group by the number of samples of its class.
        """
        if self.clustered is None:
            of_own, of_overall = self.squares * own, self.squares * overall
            return Moments(
                (of_own * own).sum(axis=(1, 2)),
                of_own.sum(axis=2),
                np.diag(self.squares.sum(axis=(0, 2))),
                slopes,
                (of_own * overall).sum(axis=(1, 2)) + slopes @ of_overall.sum(axis=(0, 2)),
                float((of_overall * overall).sum()),
            )
        group, cluster, true, column, weight = self.clustered
        n_clusters, (n_groups, n_classes) = cluster.max() + 1, slopes.shape
        moved = csr_array(
            (weight * own[group, true, column], (cluster, group)), shape=(n_clusters, n_groups)
        )
        by_class: Any = np.bincount(
            cluster * n_classes + true, weight, n_clusters * n_classes
        ).reshape(n_clusters, n_classes)
        overall_moves: Any = np.bincount(cluster, weight * overall[group, true, column], n_clusters)
        return Moments(
            moved.T @ moved,
            moved.T @ by_class,
            by_class.T @ by_class,
            slopes,
            moved.T @ overall_moves + slopes @ (by_class.T @ overall_moves),
            float(overall_moves @ overall_moves),
        )


class DrawnUnits(NamedTuple):
    """Samples or clusters whose predictions a metric counts, of all groups and of each group."""

    number: Values
    n_effective: Values
    """Number of samples of equal weight that say as much about a proportion."""

    @classmethod
    def of_samples(
        cls, numbers: NDArray[Any], weights: NDArray[Any], squares: NDArray[Any]
    ) -> DrawnUnits:
        """Take the number of samples of each group, their weight and their squared weight."""
        return cls(
            np.r_[numbers.sum(), numbers],
            divide(np.r_[weights.sum(), weights] ** 2, np.r_[squares.sum(), squares]),
        )

    @classmethod
    def of_clusters(cls, weights: csr_array) -> DrawnUnits:
        """Take the weight of each cluster in each group, of shape (n_clusters, n_groups)."""
        weights.sum_duplicates()
        total = weights.sum(axis=1)
        numbers = np.bincount(weights.indices[weights.data > 0], minlength=weights.shape[1])
        return cls(
            np.r_[np.count_nonzero(total), numbers].astype(np.float64),
            divide(
                np.r_[total.sum(), weights.sum(axis=0)] ** 2,
                np.r_[(total**2).sum(), (weights**2).sum(axis=0)],
            ),
        )


@dataclass(frozen=True, eq=False)
class Moments:
    """Second moments of what each sample or cluster adds to the values of groups.

    A unit adds to the value of its group. If the class sizes of all groups are the reference of a
    metric, it also adds to the values of all other groups, depending on its true class only. So the
    covariances of any number of groups follow from a few numbers per group.

    Parameters
    ----------
    own : ndarray of shape (n_groups,) or sparse array of shape (n_groups, n_groups)
        Moments of what units add to their own groups. Clusters may have samples in several groups.
    by_class : ndarray of shape (n_groups, K)
        Moments of what units add to their own groups and their numbers of samples by true class.
    sizes : ndarray of shape (K, K)
        Moments of the numbers of samples of the units by true class.
    slopes : ndarray of shape (n_groups, K)
        Derivatives of the values of groups by the class sizes of all groups.
    with_overall : ndarray of shape (n_groups,)
        Covariance of the value of each group and the value of all samples.
    overall : float
        Variance of the value of all samples.
    """

    own: Any
    by_class: Values
    sizes: Values
    slopes: Values
    with_overall: Values
    overall: float

    def variances(self) -> Values:
        """Return the variances of the value of all samples and of the value of each group."""
        own = self.own if self.own.ndim == 1 else self.own.diagonal()
        by_slopes = 2 * self.by_class + self.slopes @ self.sizes
        variances: Values = np.r_[self.overall, own + (by_slopes * self.slopes).sum(axis=1)]
        return variances

    def covariances(self, rows: slice) -> Values:
        """Return the covariances of some groups and all groups, arbitrary on the diagonal."""
        by_sizes = self.by_class + self.slopes @ self.sizes
        covariances: Values = self.by_class[rows] @ self.slopes.T + self.slopes[rows] @ by_sizes.T
        if self.own.ndim > 1:
            covariances += self.own[rows].toarray()
        return covariances

    def with_overall_first(self) -> Values:
        """Return the covariances of the value of all samples and the values of all groups."""
        n_groups = len(self.with_overall)
        covariances = np.empty((1 + n_groups, 1 + n_groups))
        of_groups = self.covariances(slice(None))
        # Both triangles differ by rounding.
        covariances[1:, 1:] = (of_groups + of_groups.T) / 2
        covariances[0, 1:] = covariances[1:, 0] = self.with_overall
        np.fill_diagonal(covariances, self.variances())
        return covariances

    def have_covariances(self) -> bool:
        """Return whether the values of groups depend on each other."""
        return self.own.ndim > 1 or bool(self.slopes.any())

    def of_groups(self, chosen: NDArray[np.intp]) -> Moments:
        """Return the moments of some groups."""
        own = self.own[chosen] if self.own.ndim == 1 else self.own[chosen][:, chosen]
        return replace(
            self,
            own=own,
            by_class=self.by_class[chosen],
            slopes=self.slopes[chosen],
            with_overall=self.with_overall[chosen],
        )

    def divided_by(self, values: Values) -> Moments:
        """Return the moments of the logarithms of values: of all samples, then of each group."""
        overall, groups = values[0], values[1:]
        own = self.own / groups**2 if self.own.ndim == 1 else self._scaled(self.own, 1 / groups)
        return replace(
            self,
            own=own,
            by_class=self.by_class / groups[:, None],
            slopes=self.slopes / groups[:, None],
            with_overall=self.with_overall / (groups * overall),
            overall=self.overall / overall**2,
        )

    @staticmethod
    def _scaled(own: Any, factors: Values) -> Any:
        return (own * factors[:, None] * factors).tocsr()


def infer_from_influences(
    metrics: Sequence[OrdinalMetric],
    groups: GroupedCounts,
    names: Sequence[str],
    *,
    prevalence: NDArray[np.float64] | None,
    confidence_level: float,
) -> list[GroupInference]:
    """Return the intervals of each metric in closed form, without p-values."""
    inferences: dict[str, GroupInference] = {}
    for counts_unanswered in (True, False):
        # The metrics of a batch count the same samples.
        batch = [metric for metric in metrics if metric.counts_unanswered == counts_unanswered]
        if batch:
            names_of_batch = [metric.name for metric in batch]
            inferred = _inferred(batch, groups, names, prevalence, confidence_level)
            inferences |= zip(names_of_batch, inferred, strict=True)
    return [inferences[metric.name] for metric in metrics]


@np.errstate(divide="ignore", invalid="ignore")
def _inferred(
    metrics: Sequence[OrdinalMetric],
    groups: GroupedCounts,
    names: Sequence[str],
    prevalence: NDArray[np.float64] | None,
    level: float,
) -> list[GroupInference]:
    """Return the intervals of metrics that count the same samples."""
    n_classes, missing = len(groups.scale), groups.counts.unanswered
    counts_unanswered = metrics[0].counts_unanswered and missing is not None
    units = groups.units(n_classes + counts_unanswered)
    # The divisor of an unbiased variance is smaller than the number of units by 1.
    corrections = np.sqrt(divide(units.number, units.number - 1))
    n_left_out = np.zeros(len(units.number))
    if missing is not None and not counts_unanswered:
        n_left_out[1:] = missing.sum(axis=1)
        n_left_out[0] = n_left_out[1:].sum()
    if not groups.counts.is_weighted:
        n_left_out = n_left_out.astype(np.int64)
    values = np.array([group_values(metric, groups.counts, prevalence) for metric in metrics])
    influences = _influences(metrics, groups, prevalence)
    moments = [
        groups.moments(
            own * corrections[1:, None, None],
            overall * corrections[0],
            reference_slopes(metric, groups.counts, prevalence),
        )
        for metric, own, overall in zip(metrics, *influences, strict=True)
    ]
    return _compared_groups(metrics, values, moments, units, n_left_out, names, level, n_classes)


@np.errstate(divide="ignore", invalid="ignore")
def infer_from_sample_influences(
    metrics: Sequence[OrdinalMetric],
    groups: GroupedRows,
    names: Sequence[str],
    *,
    prevalence: NDArray[np.float64] | None,
    confidence_level: float,
) -> list[GroupInference]:
    """Return the intervals of metrics of probabilities or scores in closed form."""
    together = groups.all_together()
    values = np.array(
        [group_values(metric, together, prevalence).reshape(-1) for metric in metrics]
    )
    samples, n_classes = groups.samples, len(groups.scale)
    weighted = WeightedSamples.of(groups)
    units = weighted.units()
    corrections = np.sqrt(divide(units.number, units.number - 1))
    own = np.zeros((len(metrics), len(samples.y_true)))
    for members, of_group, correction in zip(
        groups.members, groups.groups, corrections[1:], strict=True
    ):
        own[:, members] = correction * _sample_moves(metrics, of_group, prevalence)
    overall = corrections[0] * _sample_moves(metrics, samples, prevalence)
    moments = [
        weighted.moments(of_own, of_all) for of_own, of_all in zip(own, overall, strict=True)
    ]
    n_left_out = np.zeros(len(units.number), dtype=np.int64)
    return _compared_groups(
        metrics, values, moments, units, n_left_out, names, confidence_level, n_classes
    )


def _sample_moves(
    metrics: Sequence[OrdinalMetric], samples: Forecasts, prevalence: NDArray[np.float64] | None
) -> Values:
    """Return how much each sample moves the values of all samples: (n_metrics, n_samples)."""
    weights, sizes = samples.weights, samples.class_counts
    if not weights.any():
        return np.full((len(metrics), len(weights)), np.nan)
    factors = np.ones(len(weights))
    if prevalence is not None:
        by_class = factors_to_shares(sizes, prevalence)
        samples, factors = samples.weighted_by_class(by_class), by_class[samples.y_true]
    moves = np.array(
        [
            metric.evidence.entry_influences(
                [metric], metric.evidence.accepted(samples, metric.name)
            ).influences[0]
            for metric in metrics
        ]
    )
    if prevalence is not None:
        # The shares of the true classes are fixed, so only deviations from their means count.
        for of_metric in moves:
            sums = np.bincount(samples.y_true, weights * of_metric, len(sizes))
            of_metric -= divide(sums, sizes)[samples.y_true]
    total = (weights * factors).sum()
    moved: Values = np.where(weights > 0, moves * (weights * factors) / total, 0)
    return moved


class WeightedSamples(NamedTuple):
    """The group and weight of each sample, and its cluster if there are any."""

    group: IntegerArray
    weight: Values
    cluster: IntegerArray | None
    n_groups: int
    n_classes: int

    @classmethod
    def of(cls, groups: GroupedRows) -> WeightedSamples:
        """Take the samples of all groups."""
        samples = groups.samples
        group = np.zeros(len(samples.y_true), dtype=np.intp)
        for number, members in enumerate(groups.members):
            group[members] = number
        return cls(
            group,
            samples.weights,
            groups.rows.unit_of_row,
            len(groups.groups),
            len(groups.scale),
        )

    def units(self) -> DrawnUnits:
        """Return the samples, or their clusters."""
        weight = self.weight
        if self.cluster is None:
            numbers, sums, squares = (
                np.bincount(self.group, amounts, self.n_groups)
                for amounts in ((weight > 0).astype(np.float64), weight, weight**2)
            )
            return DrawnUnits.of_samples(numbers, sums, squares)
        shape = int(self.cluster.max()) + 1, self.n_groups
        return DrawnUnits.of_clusters(csr_array((weight, (self.cluster, self.group)), shape=shape))

    def moments(self, own: Values, overall: Values) -> Moments:
        """Return the variances and covariances of the values.

        Parameters
        ----------
        own : ndarray of shape (n_samples,)
            How much each sample moves the value of its group.
        overall : ndarray of shape (n_samples,)
            How much it moves the value of all samples.
        """
        # The values of other groups do not depend on a sample.
        slopes = np.zeros((self.n_groups, self.n_classes))
        sizes = np.zeros((self.n_classes, self.n_classes))
        if self.cluster is None:
            squares: Any = np.bincount(self.group, own**2, self.n_groups)
            products: Any = np.bincount(self.group, own * overall, self.n_groups)
            return Moments(squares, slopes, sizes, slopes, products, float((overall**2).sum()))
        n_clusters = int(self.cluster.max()) + 1
        moved = csr_array((own, (self.cluster, self.group)), shape=(n_clusters, self.n_groups))
        of_all: Any = np.bincount(self.cluster, overall, n_clusters)
        return Moments(
            moved.T @ moved, slopes, sizes, slopes, moved.T @ of_all, float(of_all @ of_all)
        )


def _compared_groups(
    metrics: Sequence[OrdinalMetric],
    values: Values,
    moments: Sequence[Moments],
    units: DrawnUnits,
    n_left_out: NDArray[Any],
    names: Sequence[str],
    level: float,
    n_classes: int,
) -> list[GroupInference]:
    """Return the intervals of the values, and of the differences between groups."""
    errors = np.sqrt(np.maximum([of_metric.variances() for of_metric in moments], 0))
    spread = Spread(errors, units.number - 1, units.n_effective)
    ends = delta_ends(metrics, values, spread, level, n_classes)
    columns = values, ends.low, ends.high, ends.is_wilson, errors
    inferences = []
    for k, metric in enumerate(metrics):
        intervals = [
            Interval(
                value,
                low,
                high,
                level,
                n_left_out=amount,
                method="wilson" if is_wilson else "delta",
                standard_error=error,
            )
            for value, low, high, is_wilson, error, amount in zip(
                *(column[k].tolist() for column in columns), n_left_out.tolist(), strict=True
            )
        ]
        of_metric = spread._replace(standard_error=errors[k])
        inference = _compared(metric, intervals, values[k], of_metric, moments[k], names, n_classes)
        if len(names) <= MOST_GROUPS_OF_CONTRASTS:
            inference = replace(
                inference,
                covariances=moments[k].with_overall_first(),
                degrees_of_freedom=spread.degrees_of_freedom,
            )
        inferences.append(inference)
    return inferences


def _influences(
    metrics: Sequence[OrdinalMetric],
    groups: GroupedCounts,
    prevalence: NDArray[np.float64] | None,
) -> tuple[Values, Values]:
    """Return how much a sample of weight 1 moves the value of its group, and of all samples.

    Both have shape (n_metrics, n_groups, K, K + 1).
    """
    counts, total, n_classes = groups.counts, groups.counts.pooled(), len(groups.scale)
    weights = groups.weights.reshape(len(groups.weights), -1)
    factors, all_factors = np.ones(counts.class_counts.shape), np.ones(n_classes)
    of_groups = [group_metric(metric, total.class_counts, prevalence) for metric in metrics]
    if prevalence is not None:
        factors = factors_to_shares(counts.class_counts, prevalence)
        all_factors = factors_to_shares(total.class_counts, prevalence)
        counts, total = counts.weighted_by_class(factors), total.weighted_by_class(all_factors)
    # The columns of a class have the same factor.
    factors, all_factors = (
        np.repeat(by_class, n_classes + 1, axis=-1) for by_class in (factors, all_factors)
    )
    own = LABELS.entry_influences(of_groups, counts)
    overall = LABELS.entry_influences(metrics, total)
    influences = own.influences, overall.influences[:, None].repeat(len(weights), axis=1)
    if counts.has_fixed_shares or prevalence is not None:
        of_sizes = weights if counts.has_fixed_shares else weights.sum(axis=0)
        influences = (
            within_classes(influences[0], weights, n_classes),
            within_classes(influences[1], of_sizes, n_classes),
        )
    is_counted = own.is_counted
    of_weight = (
        factors / (weights * factors)[:, is_counted].sum(axis=1, keepdims=True),
        all_factors / (weights.sum(axis=0) * all_factors)[is_counted].sum(),
    )
    # Cells without samples do not move anything.
    own_moves, overall_moves = (
        np.where(weights > 0, influence * factor, 0).reshape(-1, *groups.weights.shape)
        for influence, factor in zip(influences, of_weight, strict=True)
    )
    return own_moves, overall_moves


def _compared(
    metric: OrdinalMetric,
    intervals: list[Interval],
    values: Values,
    spread: Spread,
    moments: Moments,
    names: Sequence[str],
    n_classes: int,
) -> GroupInference:
    """Compare the groups for which the metric is defined."""
    level = intervals[0].confidence_level
    of_all: dict[str, Any] = {"n_left_out": intervals[0].n_left_out, "method": _SIMULTANEOUS}
    is_defined = ~np.isnan(values)
    # A comparison needs the value of all samples and the values of at least two groups.
    if is_defined.sum() < 3 or not is_defined[0]:
        return undefined_comparisons(intervals, **of_all)
    moments = moments.of_groups(np.flatnonzero(is_defined[1:]))
    values = values[is_defined]
    spread = Spread(*(numbers[is_defined] for numbers in spread))
    names = [name for name, defined in zip(("overall", *names), is_defined, strict=True) if defined]
    low, high = _group_ends(metric, values, spread, level, n_classes)
    lowest, highest = metric.bounds(n_classes)
    differences, ratios = {}, {}
    for against in get_args(Against):
        ends = _largest_ends(values, moments, spread.degrees_of_freedom, against, level)
        lower, higher = largest_difference_pairs(values)[against]
        low_of_largest, high_of_largest = np.minimum(ends, highest - lowest).tolist()
        differences[against] = GroupDifference(
            float(largest_difference(values, against)),
            low_of_largest,
            high_of_largest,
            level,
            lower_group=names[lower],
            higher_group=names[higher],
            **of_all,
        )
        ratios[against] = Interval(
            *_ratio(values, moments, spread.degrees_of_freedom, against, level), level, **of_all
        )
    return GroupInference(
        intervals[0],
        tuple(intervals[1:]),
        Interval(values[1:].min(), low.min(), high.min(), level, **of_all),
        Interval(values[1:].max(), low.max(), high.max(), level, **of_all),
        differences,
        ratios,
    )


def _simultaneous_level(level: float, n_values: int) -> float:
    """Return the level of each interval for which all hold together with a level (Sidak, 1967)."""
    simultaneous: float = level ** (1 / n_values)
    return simultaneous


def _group_ends(
    metric: OrdinalMetric, values: Values, spread: Spread, level: float, n_classes: int
) -> tuple[Values, Values]:
    """Return the ends of simultaneous intervals of the values of groups."""
    of_groups = Spread(*(numbers[1:] for numbers in spread))
    by_metric = of_groups._replace(standard_error=of_groups.standard_error[None])
    level_of_one = _simultaneous_level(level, len(values) - 1)
    ends = delta_ends([metric], values[None, 1:], by_metric, level_of_one, n_classes)
    # A group in which all samples are alike has a standard error of 0.
    is_exact = np.isnan(ends.low[0]) & np.isfinite(of_groups.standard_error)
    return np.where(is_exact, values[1:], ends.low[0]), np.where(is_exact, values[1:], ends.high[0])


def _largest_ends(
    values: Values, moments: Moments, degrees: Values, against: Against, level: float
) -> tuple[float, float]:
    """Return the ends of the interval of the largest difference, from those of all pairs.

    If all intervals of differences contain the true differences, the largest difference is at least
    the distance from 0 to the farthest interval, and at most the distance from 0 to the farthest
    end of an interval. The first value is for all samples, and the others are for the groups.
    """
    n_groups = len(values) - 1
    n_pairs = n_groups if against == "to_overall" else n_groups * (n_groups - 1) // 2
    share = (1 + _simultaneous_level(level, n_pairs)) / 2
    reciprocals = np.linspace(_NORMAL, 1, _N_QUANTILES)
    quantiles = stdtrit(1 / reciprocals, share)
    variances = np.maximum(moments.variances(), 0)
    by_degrees = variances**2 / degrees

    def ends(first: Any, second: Any, covariances: Any) -> tuple[Any, Any]:
        """Return the ends of the largest difference of some pairs of positions."""
        total = variances[first] + variances[second]
        # The degrees of freedom are those of Welch's test.
        reciprocal = (by_degrees[first] + by_degrees[second]) / total**2
        variance = np.maximum(total - 2 * covariances, 0)
        margin = np.interp(reciprocal, reciprocals, quantiles) * np.sqrt(variance)
        # Without variance there are no degrees of freedom. A group does not differ from itself.
        margin[(variance == 0) | (first == second)] = 0
        difference = np.abs(values[first] - values[second])
        return (difference - margin).max(), (difference + margin).max()

    if against == "to_overall":
        low, high = ends(np.arange(1, n_groups + 1), 0, moments.with_overall)
        return float(np.maximum(low, 0)), float(high)
    low = high = 0.0
    has_covariances = moments.have_covariances()
    for rows in slices(n_groups - 1, _NUMBERS_PER_PART // n_groups):
        covariances: Any = 0.0
        if has_covariances:
            covariances = moments.covariances(rows)[:, rows.start + 1 :]
        first, second = np.ogrid[rows.start + 1 : rows.stop + 1, rows.start + 2 : n_groups + 1]
        low_of_part, high_of_part = ends(first, second, covariances)
        low, high = np.maximum(low, low_of_part), np.maximum(high, high_of_part)
    return float(low), float(high)


def _ratio(
    values: Values, moments: Moments, degrees: Values, against: Against, level: float
) -> tuple[float, float, float]:
    """Return the smallest ratio and its ends.

    The logarithm of the smallest ratio is minus the largest difference of logarithms. The ratio is
    undefined for negative values, and if all values are 0.
    """
    values = rounded_to_zero(values)
    logs = np.log(values)
    largest = largest_difference(logs, against)
    low = high = np.nan
    if np.isfinite(largest):
        low, high = _largest_ends(logs, moments.divided_by(values), degrees, against, level)
    ratio, *ends = np.exp([-largest, -high, -low]).tolist()
    return ratio, *ends
