"""Closed-form intervals of groups, and of the differences between them, from influences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray
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
    with_rows,
    within_classes,
)
from sklearn_ordinal.inference._delta_interval import Spread, delta_ends, metrics_by_kind
from sklearn_ordinal.inference._group_difference import GroupDifference
from sklearn_ordinal.inference._group_moments import DrawnUnits, GroupMoments, GroupRows
from sklearn_ordinal.inference._group_permutations import (
    Against,
    GroupInference,
    largest_difference,
)
from sklearn_ordinal.inference._grouped_rows import GroupedRows
from sklearn_ordinal.inference._groups import confusion_by_group, sizes_of_groups
from sklearn_ordinal.inference._interval import Interval
from sklearn_ordinal.inference._ties import TIE, dense_ranks, rounding_margins, scale_of
from sklearn_ordinal.metrics import GroupedSamples, group_metric, group_values

_SIMULTANEOUS = "simultaneous delta"
# Quantiles of the t distribution are interpolated between this many degrees of freedom. Their
# relative error is below 1e-5.
_N_QUANTILES = 1_000
# Reciprocal degrees of freedom for which the t distribution is the normal distribution.
_NORMAL = 1e-12
# Step of a class size, relative to the size. The error of the central difference of fourth order is
# about this number to the power of 4.
_STEP = 1e-3
_OFFSETS = np.array([-2.0, -1.0, 1.0, 2.0])
_WEIGHTS_OF_OFFSETS = np.array([1.0, -8.0, 8.0, -1.0]) / 12
# An array with this many differences fits in the CPU cache.
_NUMBERS_PER_PART = 2**16


@dataclass(frozen=True, eq=False)
class GroupedCounts:
    """Counts of groups, and the samples in clusters, for intervals in closed form.

    Parameters
    ----------
    counts : OrdinalConfusion
        Counts of shape (n_groups, K, K), without their samples.
    weights : ndarray of shape (n_groups, K, K + 1)
        Weight of the samples in each cell, the last column for unanswered samples.
    rows : GroupRows
        The cells, or the samples if they were drawn in clusters.
    cell : ndarray of shape (n_rows,)
        Position in `weights` of the cell of each row.
    group_sizes : ndarray of shape (n_groups,)
        Number of samples of each group, regardless of their weights.
    """

    counts: OrdinalConfusion
    weights: Values
    rows: GroupRows
    cell: IntegerArray
    group_sizes: NDArray[np.int64]

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
        weights = amounts.weights.reshape(*counts.counts.shape[:-1], -1)
        if samples is not None and samples.cluster is not None and samples.group is not None:
            true, column = np.divmod(samples.cells[0], samples.n_columns)
            group, cluster, weight = position[samples.group], samples.cluster, samples.weight
            cell = np.ravel_multi_index((group, true, column), weights.shape)
            rows = GroupRows(
                group, true, weight, np.ones(len(weight)), weight**2, cluster, *weights.shape[:2]
            )
        else:
            # Most cells of many classes are empty.
            cell = np.flatnonzero(amounts.numbers)
            group, true, _ = np.unravel_index(cell, weights.shape)
            weight, number, square = (part.ravel()[cell] for part in amounts)
            rows = GroupRows(group, true, weight, number, square, None, *weights.shape[:2])
        group_sizes = sizes_of_groups(groups, position, len(counts.counts))
        return cls(counts, weights, rows, cell, group_sizes)

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
    for _, batch in metrics_by_kind(metrics, groups.counts):
        inferred = _inferred(batch, groups, names, prevalence, confidence_level)
        inferences |= zip([metric.name for metric in batch], inferred, strict=True)
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
    is_counted = np.ones((n_classes, n_classes + 1), dtype=np.bool_)
    is_counted[:, n_classes] = counts_unanswered
    counted_cells = metrics[0].counted_cells(n_classes)
    if counted_cells is not None:
        is_counted[:, :n_classes] = counted_cells
    units = groups.rows.units(is_counted.ravel()[groups.cell % is_counted.size])
    n_left_out = np.zeros(len(units.number))
    if missing is not None and not counts_unanswered:
        n_left_out[1:] = missing.sum(axis=1)
        n_left_out[0] = n_left_out[1:].sum()
    if not groups.counts.is_weighted:
        n_left_out = n_left_out.astype(np.int64)
    values = np.array([group_values(metric, groups.counts, prevalence) for metric in metrics])
    influences = _influences(metrics, groups, is_counted.ravel(), prevalence)
    moments = [
        GroupMoments.of_rows(
            groups.rows,
            units,
            own.ravel()[groups.cell],
            overall.ravel()[groups.cell],
            _slopes_of_counts(metric, groups.counts, prevalence),
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
    samples, n_classes = groups.samples, len(groups.scale)
    together = GroupedSamples(samples, groups.groups, groups.members)
    values = np.array([group_values(metric, together, prevalence) for metric in metrics])
    weights, n_groups = samples.weights, len(groups.groups)
    group, is_drawn = np.zeros(len(weights), dtype=np.intp), weights > 0
    own = np.zeros((len(metrics), len(weights)))
    for number, (members, of_group) in enumerate(zip(groups.members, groups.groups, strict=True)):
        group[members] = number
        of_metrics = [
            with_rows(group_metric(metric, samples.class_counts, prevalence), members, len(weights))
            for metric in metrics
        ]
        own[:, members] = _sample_moves(of_metrics, of_group, prevalence)
    rows = GroupRows(
        group,
        samples.y_true,
        weights,
        is_drawn.astype(np.float64),
        weights**2,
        groups.rows.unit_of_row,
        n_groups,
        n_classes,
    )
    units = rows.units(is_drawn)
    overall = _sample_moves(metrics, samples, prevalence)
    moments = [
        GroupMoments.of_rows(
            rows, units, of_own, of_all, _slopes_of_rows(metric, groups, prevalence)
        )
        for metric, of_own, of_all in zip(metrics, own, overall, strict=True)
    ]
    n_left_out = np.zeros(len(units.number), dtype=np.int64)
    return _compared_groups(
        metrics, values, moments, units, n_left_out, names, confidence_level, n_classes
    )


def _sample_moves(
    metrics: Sequence[OrdinalMetric], samples: Forecasts, prevalence: NDArray[np.float64] | None
) -> Values:
    """Return how much a sample of weight 1 moves the values of all samples.

    It has shape (n_metrics, n_samples) and is 0 for samples without weight, and NaN for metrics
    without influences.
    """
    weights, sizes = samples.weights, samples.class_counts
    if not weights.any():
        return np.full((len(metrics), len(weights)), np.nan)
    factors = np.ones(len(weights))
    if prevalence is not None:
        by_class = factors_to_shares(sizes, prevalence)
        samples, factors = samples.weighted_by_class(by_class), by_class[samples.y_true]
    moves = np.full((len(metrics), len(weights)), np.nan)
    for of_metric, metric in zip(moves, metrics, strict=True):
        if metric.has_influence:
            accepted = metric.evidence.accepted(samples, metric.name)
            of_metric[:] = metric.evidence.entry_influences([metric], accepted).influences[0]
    if prevalence is not None:
        # The shares of the true classes are fixed, so only deviations from their means count.
        for of_metric in moves:
            sums = np.bincount(samples.y_true, weights * of_metric, len(sizes))
            of_metric -= divide(sums, sizes)[samples.y_true]
    total = (weights * factors).sum()
    moved: Values = np.where(weights > 0, moves * factors / total, 0)
    return moved


def _compared_groups(
    metrics: Sequence[OrdinalMetric],
    values: Values,
    moments: Sequence[GroupMoments],
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
        inferences.append(
            _compared(metric, intervals, values[k], of_metric, moments[k], names, n_classes)
        )
    return inferences


def _influences(
    metrics: Sequence[OrdinalMetric],
    groups: GroupedCounts,
    is_counted: NDArray[np.bool_],
    prevalence: NDArray[np.float64] | None,
) -> tuple[Values, Values]:
    """Return how much a sample of weight 1 moves the value of its group, and of all samples.

    Both have shape (n_metrics, n_groups, K, K + 1), and are NaN for metrics without influences.
    """
    counts, total, n_classes = groups.counts, groups.counts.pooled(), len(groups.scale)
    weights = groups.weights.reshape(len(groups.weights), -1)
    factors, all_factors = np.ones(counts.class_counts.shape), np.ones(n_classes)
    all_moves = np.full((2, len(metrics), *groups.weights.shape), np.nan)
    known = [k for k, metric in enumerate(metrics) if metric.has_influence is not False]
    metrics = [metrics[k] for k in known]
    if not metrics:
        return all_moves[0], all_moves[1]
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
    of_weight = (
        factors / (weights * factors)[:, is_counted].sum(axis=1, keepdims=True),
        all_factors / (weights.sum(axis=0) * all_factors)[is_counted].sum(),
    )
    # Cells without samples do not move anything.
    for moves, influence, factor in zip(all_moves, influences, of_weight, strict=True):
        moved = np.where(weights > 0, influence * factor, 0)
        moves[known] = moved.reshape(-1, *groups.weights.shape)
    return all_moves[0], all_moves[1]


def _slopes_of_counts(
    metric: OrdinalMetric, groups: OrdinalConfusion, prevalence: NDArray[np.float64] | None
) -> Values:
    """Return the derivatives of the values of groups by the class sizes of all groups.

    They have shape (n_groups, n_classes), and are 0 unless these sizes are the reference of the
    metric.
    """
    sizes = groups.class_counts.sum(axis=0)
    if groups.has_fixed_shares or group_metric(metric, sizes, prevalence) is metric:
        return np.zeros(groups.class_counts.shape)

    def values(moved: Values) -> Values:
        def repeated(amounts: Any) -> Any:
            return None if amounts is None else np.repeat(amounts[:, None], len(moved), axis=1)

        stack = OrdinalConfusion(
            groups.scale,
            repeated(groups.counts),
            groups.is_weighted,
            repeated(groups.unanswered),
        )
        return np.asarray(group_metric(metric, moved, prevalence)(stack))

    return _reference_slopes(sizes, values)


def _slopes_of_rows(
    metric: OrdinalMetric, groups: GroupedRows, prevalence: NDArray[np.float64] | None
) -> Values:
    """Return the derivatives of the values of groups by the class sizes of all groups."""
    sizes = groups.samples.class_counts
    if not metric.has_influence or group_metric(metric, sizes, prevalence) is metric:
        return np.zeros((len(groups.groups), len(sizes)))
    return _reference_slopes(
        sizes,
        lambda moved: np.array(
            [[group_metric(metric, at, None)(group) for at in moved] for group in groups.groups]
        ),
    )


def _reference_slopes(sizes: Values, values: Callable[[Values], Values]) -> Values:
    """Return the derivatives (n_groups, n_classes) of values by the class sizes.

    The values, of shape (n_groups, n), are a function of n class sizes (n, n_classes).
    """
    occurs = np.flatnonzero(sizes)
    step = _STEP * sizes[occurs]
    moved = np.tile(sizes, (len(occurs), len(_OFFSETS), 1))
    moved[np.arange(len(occurs)), :, occurs] += step[:, None] * _OFFSETS
    at_offsets = values(moved.reshape(-1, len(sizes)))
    by_class = at_offsets.reshape(-1, len(occurs), len(_OFFSETS)) @ _WEIGHTS_OF_OFFSETS
    slopes = np.zeros((len(by_class), len(sizes)))
    slopes[:, occurs] = np.nan_to_num(by_class / step)
    return slopes


def _compared(
    metric: OrdinalMetric,
    intervals: list[Interval],
    values: Values,
    spread: Spread,
    moments: GroupMoments,
    names: Sequence[str],
    n_classes: int,
) -> GroupInference:
    """Compare the groups for which the metric is defined."""
    level = intervals[0].confidence_level
    of_all: dict[str, Any] = {"n_left_out": intervals[0].n_left_out, "method": _SIMULTANEOUS}
    is_defined = ~np.isnan(values)
    # A comparison needs the value of all samples and the values of at least two groups.
    if is_defined.sum() < 3 or not is_defined[0]:
        all_nan = (np.nan, np.nan, np.nan)
        undefined = Interval(*all_nan, level, **of_all)
        difference = GroupDifference(*all_nan, level, **of_all)
        return GroupInference(
            intervals[0],
            tuple(intervals[1:]),
            undefined,
            undefined,
            dict.fromkeys(get_args(Against), difference),
            dict.fromkeys(get_args(Against), undefined),
            moments,
        )
    chosen = np.flatnonzero(is_defined[1:])
    spread = Spread(*(numbers[is_defined] for numbers in spread))
    names = [name for name, defined in zip(("overall", *names), is_defined, strict=True) if defined]
    low, high = _group_ends(metric, values[is_defined], spread, level, n_classes)
    lowest, highest = metric.bounds(n_classes)
    differences, ratios = {}, {}
    for against in get_args(Against):
        ends = _largest_ends(values, np.ones(len(values)), moments, chosen, against, level)
        lower, higher = _largest_difference_pairs(values[is_defined])[against]
        low_of_largest, high_of_largest = np.minimum(ends, highest - lowest).tolist()
        differences[against] = GroupDifference(
            float(largest_difference(values[is_defined], against)),
            low_of_largest,
            high_of_largest,
            level,
            lower_group=names[lower],
            higher_group=names[higher],
            **of_all,
        )
        ratio = _ratio(values, moments, chosen, against, level)
        ratios[against] = Interval(*ratio, level, **of_all)
    values = values[is_defined]
    return GroupInference(
        intervals[0],
        tuple(intervals[1:]),
        Interval(values[1:].min(), low.min(), high.min(), level, **of_all),
        Interval(values[1:].max(), low.max(), high.max(), level, **of_all),
        differences,
        ratios,
        moments,
    )


def _largest_difference_pairs(values: Values) -> dict[str, tuple[int, int]]:
    """Return the positions of the lower and the higher value of the largest differences.

    The first value is for all samples, and the others are for the groups.
    """
    order = np.argsort(dense_ranks(values[1:]), kind="stable") + 1
    overall = np.full(len(values) - 1, values[0])
    distances = dense_ranks(np.abs(values[1:] - overall), rounding_margins(values[1:], overall))
    lower, higher = sorted((0, 1 + int(np.argmax(distances))), key=lambda k: float(values[k]))
    return {
        "between_groups": (int(order[0]), int(order[-1])),
        "to_overall": (lower, higher),
    }


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
    values: Values,
    factors: Values,
    moments: GroupMoments,
    chosen: IntegerArray,
    against: Against,
    level: float,
) -> tuple[float, float]:
    """Return the ends of the interval of the largest difference, from those of all pairs.

    If all intervals of differences contain the true differences, the largest difference is at least
    the distance from 0 to the farthest interval, and at most the distance from 0 to the farthest
    end of an interval. The first value is for all samples, and the others are for the groups. Their
    derivatives by the values that have the moments are `factors`.
    """
    n_groups, overall, of_groups = len(chosen), values[0], values[1:]
    n_pairs = n_groups if against == "to_overall" else n_groups * (n_groups - 1) // 2
    share = (1 + _simultaneous_level(level, n_pairs)) / 2
    reciprocals = np.linspace(_NORMAL, 1, _N_QUANTILES)
    quantiles = stdtrit(1 / reciprocals, share)

    def ends(differences: Values, variances: Values, degrees: Values) -> tuple[Any, Any]:
        """Return the ends of the largest of some differences."""
        margins = np.interp(1 / degrees, reciprocals, quantiles) * np.sqrt(np.maximum(variances, 0))
        # Without variance there are no degrees of freedom.
        margins = np.where(variances == 0, 0, margins)
        return (np.abs(differences) - margins).max(), (np.abs(differences) + margins).max()

    if against == "to_overall":
        weights = np.diag(factors)[chosen + 1]
        weights[:, 0] = -factors[0]
        low, high = ends(of_groups[chosen] - overall, *moments.spread(weights))
        return float(np.maximum(low, 0)), float(high)
    low = high = 0.0
    for rows in slices(n_groups - 1, _NUMBERS_PER_PART // n_groups):
        first, second = chosen[rows], chosen[rows.start + 1 :]
        variances, degrees = moments.of_pairs(first, second, factors[1:])
        # A group does not differ from itself.
        variances[first[:, None] == second] = 0
        differences = of_groups[first, None] - of_groups[second]
        low_of_part, high_of_part = ends(differences, variances, degrees)
        low, high = np.maximum(low, low_of_part), np.maximum(high, high_of_part)
    return float(low), float(high)


def _ratio(
    values: Values, moments: GroupMoments, chosen: IntegerArray, against: Against, level: float
) -> tuple[float, float, float]:
    """Return the smallest ratio and its ends.

    The logarithm of the smallest ratio is minus the largest difference of logarithms. The ratio is
    undefined for negative values, and if all values are 0.
    """
    # Rounding errors of either sign are 0.
    values = np.where(np.abs(values) <= TIE * scale_of(values), 0.0, values)
    logs = np.log(values)
    largest = largest_difference(logs[np.r_[0, chosen + 1]], against)
    low = high = np.nan
    if np.isfinite(largest):
        low, high = _largest_ends(logs, 1 / values, moments, chosen, against, level)
    ratio, *ends = np.exp([-largest, -high, -low]).tolist()
    return ratio, *ends
