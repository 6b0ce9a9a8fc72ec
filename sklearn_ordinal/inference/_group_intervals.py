"""Intervals of the values of groups and of their differences, from the same resamples."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import OrdinalConfusion, OrdinalMetric, Values, slices
from sklearn_ordinal.inference._bootstrap import accelerations_of, interval_of
from sklearn_ordinal.inference._group_difference import GroupDifference
from sklearn_ordinal.inference._group_jackknife import group_accelerations
from sklearn_ordinal.inference._group_moments import GroupMoments
from sklearn_ordinal.inference._grouped_rows import GroupedRows
from sklearn_ordinal.inference._groups import GroupedUnits, tested_by
from sklearn_ordinal.inference._interval import Interval
from sklearn_ordinal.inference._ties import TIE, dense_ranks, merge_ties, rounding_margins, scale_of
from sklearn_ordinal.metrics import GroupedSamples, PermutedSamples, group_values

Against = Literal["between_groups", "to_overall"]

_SIMULTANEOUS = "simultaneous percentile"
# An array with this many differences fits in the CPU cache.
_NUMBERS_PER_PART = 2**18
# Tolerance for rounding errors in a number of resamples.
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class GroupInference:
    """The intervals of one metric.

    Parameters
    ----------
    overall : Interval
        Interval of the value of all samples.
    by_group : tuple of Interval
        Interval of the value of each group.
    group_min : Interval
        Interval of the smallest value of a group.
    group_max : Interval
        Interval of the largest value of a group.
    differences : mapping of str to GroupDifference
        The largest difference between groups, and the largest difference of a group from the
        value of all samples.
    ratios : mapping of str to Interval
        The smallest ratio between groups, and the smallest ratio of a group to the value of all
        samples.
    moments : GroupMoments or None
        The variances of contrasts of these values.
    """

    overall: Interval
    by_group: tuple[Interval, ...]
    group_min: Interval
    group_max: Interval
    differences: Mapping[str, GroupDifference]
    ratios: Mapping[str, Interval]
    moments: GroupMoments | None = None


def infer_groups(
    metrics: Sequence[OrdinalMetric],
    units: GroupedUnits | GroupedRows,
    names: Sequence[str],
    rng: np.random.Generator,
    *,
    prevalence: NDArray[np.float64] | None,
    confidence_level: float,
    n_resamples: int,
) -> list[GroupInference]:
    """Return the intervals of each metric, computed on the same resamples, without p-values."""

    def values_of(stacks: Iterable[OrdinalConfusion | GroupedSamples], size: int) -> Values:
        return _stack_values(metrics, stacks, (len(metrics), 1 + len(names), size), prevalence)

    estimates = values_of([units.all_together()], 1)[..., 0]
    if isinstance(units, GroupedUnits):
        accelerations = [
            group_accelerations(metric, units, values, prevalence)
            for metric, values in zip(metrics, estimates, strict=True)
        ]
    else:
        left_out = values_of(units.without_one(), len(units.sizes))
        accelerations = [accelerations_of(values[:, None], units.sizes) for values in left_out]
    resampled = values_of(units.resampled(rng, n_resamples), n_resamples)
    n_missing = units.n_unanswered()
    inferences = [
        _compared(
            _intervals(metric, values, resampled_values, acceleration, n_missing, confidence_level),
            resampled_values,
            names,
        )
        for metric, values, resampled_values, acceleration in zip(
            metrics, estimates, resampled, accelerations, strict=True
        )
    ]
    return [
        replace(
            inference, moments=GroupMoments.of_resamples(_covariances(values, resampled_values))
        )
        for inference, values, resampled_values in zip(
            inferences, estimates, resampled, strict=True
        )
    ]


def _covariances(estimates: Values, resampled: Values) -> Values:
    """Return the covariances of values over the resamples in which all of them are defined."""
    is_defined = np.isfinite(estimates)
    values = resampled[is_defined]
    values = values[:, np.isfinite(values).all(axis=0)]
    covariances = np.full((len(estimates), len(estimates)), np.nan)
    if values.shape[1] > 1:
        covariances[np.ix_(is_defined, is_defined)] = np.cov(values)
    return covariances


def with_pvalues(
    inferences: Sequence[GroupInference],
    metrics: Sequence[OrdinalMetric],
    units: GroupedUnits | GroupedRows,
    rng: np.random.Generator,
    *,
    prevalence: NDArray[np.float64] | None,
    n_permutations: int,
) -> list[GroupInference]:
    """Add the p-values of the test of each metric, computed on the same permutations.

    The time and the memory of a permutation are linear in the number of samples and of groups.
    """
    shape = len(metrics), 1 + len(inferences[0].by_group), n_permutations
    permuted = _stack_values(metrics, units.permuted(rng, n_permutations), shape, prevalence)
    expected = _expected(metrics, units, permuted, prevalence)
    return [
        _tested(inference, trials, explained, tested_by(units.exchanged))
        for inference, trials, explained in zip(inferences, permuted, expected, strict=True)
    ]


def _stack_values(
    metrics: Sequence[OrdinalMetric],
    stacks: Iterable[OrdinalConfusion | GroupedSamples | PermutedSamples],
    shape: tuple[int, int, int],
    prevalence: NDArray[np.float64] | None,
) -> Values:
    """Return the values of all stacks: (n_metrics, 1 + n_groups, total size of the stacks)."""
    values, start = np.empty(shape), 0
    for groups in stacks:
        for of_metric, metric in zip(values, metrics, strict=True):
            stack_values = group_values(metric, groups, prevalence)
            of_metric[:, start : start + stack_values.shape[1]] = stack_values
        start += stack_values.shape[1]
    return values


def _intervals(
    metric: OrdinalMetric,
    estimates: Values,
    resampled: Values,
    accelerations: Values,
    n_missing: Sequence[float],
    confidence_level: float,
) -> list[Interval]:
    """Return the interval for all samples, followed by the interval for each group."""
    n_left_out = [0 if metric.counts_unanswered else n for n in (sum(n_missing), *n_missing)]
    margins = TIE * scale_of(estimates[:, None], axis=1)
    return [
        interval_of(
            float(estimate),
            values,
            confidence_level,
            metric.interval_method,
            margin=margin,
            acceleration=acceleration,
            n_left_out=amount,
        )
        for estimate, values, margin, acceleration, amount in zip(
            estimates, resampled, margins, accelerations, n_left_out, strict=True
        )
    ]


# The difference of infinite losses, which a user's metric may return, is undefined.
@np.errstate(invalid="ignore")
def _compared(
    intervals: list[Interval],
    resampled: Values,
    names: Sequence[str],
) -> GroupInference:
    """Compare the groups for which the metric is defined, in resamples in which it is defined."""
    estimates = np.array([interval.estimate for interval in intervals])
    is_defined = ~np.isnan(estimates)
    values, n_resamples = estimates[is_defined], resampled.shape[1]
    resampled = resampled[is_defined]
    resampled = resampled[:, ~np.isnan(resampled).any(axis=0)]
    names = [name for name, defined in zip(("overall", *names), is_defined, strict=True) if defined]
    level = intervals[0].confidence_level
    of_all: dict[str, Any] = {"n_left_out": intervals[0].n_left_out, "method": _SIMULTANEOUS}

    def interval(estimate: Any, low: Any, high: Any, n_defined: int) -> Interval:
        return Interval(estimate, low, high, level, n_resamples - n_defined, **of_all)

    n_defined = resampled.shape[1]
    # A comparison needs the value of all samples and the values of at least two groups.
    if len(values) < 3 or not is_defined[0]:
        return undefined_comparisons(intervals, n_undefined=n_resamples - n_defined, **of_all)
    of_groups = simultaneous_ends([resampled[1:]], n_defined, level)
    differences, ratios = {}, {}
    for against in get_args(Against):
        lower, higher = largest_difference_pairs(values)[against]
        differences[against] = GroupDifference(
            float(largest_difference(values, against)),
            *_largest_ends(resampled, against, level),
            level,
            n_resamples - n_defined,
            lower_group=names[lower],
            higher_group=names[higher],
            **of_all,
        )
        ratios[against] = interval(*_ratio(values, resampled, against, level))
    return GroupInference(
        intervals[0],
        tuple(intervals[1:]),
        interval(values[1:].min(), of_groups.lowest_low, of_groups.lowest_high, n_defined),
        interval(values[1:].max(), of_groups.highest_low, of_groups.highest_high, n_defined),
        differences,
        ratios,
    )


# The difference of infinite losses, which a user's metric may return, is undefined.
@np.errstate(invalid="ignore")
def _tested(
    inference: GroupInference, permuted: Values, expected: Values, tested: str
) -> GroupInference:
    """Add the p-values to comparisons of the groups for which the metric is defined."""
    if np.isnan(inference.differences["between_groups"].estimate):
        return inference
    intervals = inference.overall, *inference.by_group
    estimates = np.array([interval.estimate for interval in intervals])
    is_defined = ~np.isnan(estimates)
    defined = estimates[is_defined], permuted[is_defined], expected[is_defined]
    differences = {
        against: replace(
            inference.differences[against], pvalue=_pvalue(*defined, against), tested=tested
        )
        for against in get_args(Against)
    }
    return replace(inference, differences=differences)


def undefined_comparisons(intervals: Sequence[Interval], **options: Any) -> GroupInference:
    """Return the intervals of groups that cannot be compared, with options of `Interval`."""
    level, all_nan = intervals[0].confidence_level, (np.nan, np.nan, np.nan)
    undefined = Interval(*all_nan, level, **options)
    difference = GroupDifference(*all_nan, level, **options)
    return GroupInference(
        intervals[0],
        tuple(intervals[1:]),
        undefined,
        undefined,
        dict.fromkeys(get_args(Against), difference),
        dict.fromkeys(get_args(Against), undefined),
    )


def largest_difference_pairs(values: Values) -> dict[str, tuple[int, int]]:
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


class SimultaneousEnds(NamedTuple):
    """The extreme ends of simultaneous intervals."""

    lowest_low: float
    highest_low: float
    lowest_high: float
    highest_high: float


def simultaneous_ends(
    parts: Iterable[Values], n_resamples: int, confidence_level: float
) -> SimultaneousEnds:
    """Return the ends of simultaneous intervals of many estimates.

    All intervals are percentile intervals of the same level. They are the shortest such
    intervals that contain all estimates of the given share of the resamples (Mandel and
    Betensky, 2008).

    Parameters
    ----------
    parts : iterable of ndarray of shape (n_some_estimates, n_resamples)
        Values of a few of the estimates at a time.
    n_resamples : int
        Number of resamples.
    confidence_level : float
        Share of the resamples whose estimates are all inside the intervals.
    """
    if not n_resamples:
        return SimultaneousEnds(np.nan, np.nan, np.nan, np.nan)
    n_outside = int((1 - confidence_level) * n_resamples + _ROUNDING)
    # An interval of depth d extends from the d-th smallest to the d-th largest value. All intervals
    # of depth d contain a resample if d is at most the depth of the resample. Start at the largest
    # depth that can matter: larger depths only occur for tied values and have the same ends.
    deepest = n_outside + 1
    depth = np.full(n_resamples, deepest)
    ends = np.repeat([[np.inf], [-np.inf], [np.inf], [-np.inf]], deepest, axis=1)
    for part in parts:
        ordered = np.sort(part, axis=1)
        low, high = ordered[:, :deepest], ordered[:, ::-1][:, :deepest]
        # Rounding errors must not separate ties. There may be many ties, for example zeros.
        scale = scale_of(part)
        merged = merge_ties(part, scale)
        lowest, highest = merge_ties(low[:, -1:], scale), merge_ties(high[:, -1:], scale)
        for values, tails in ((merged, lowest), (-merged, -highest)):
            row, resample = np.nonzero(values < tails)
            np.minimum.at(depth, resample, _n_as_far(row, values[row, resample]))
        np.minimum(ends[::2], [low.min(axis=0), high.min(axis=0)], out=ends[::2])
        np.maximum(ends[1::2], [low.max(axis=0), high.max(axis=0)], out=ends[1::2])
        deepest = int(np.partition(depth, n_outside)[n_outside])
        ends = ends[:, :deepest]
    return SimultaneousEnds(*ends[:, -1].tolist())


def _n_as_far(row: NDArray[np.intp], values: Values) -> NDArray[np.intp]:
    """Return the number of values in the same row that are at most as large; `row` is ascending."""
    # Complex numbers are ordered by their real part first.
    keys = np.empty(len(row), dtype=np.complex128)
    keys.real, keys.imag = row, values
    n_before: NDArray[np.intp] = np.searchsorted(row, row)
    return np.searchsorted(np.sort(keys), keys, side="right") - n_before


def _differences_to_overall(values: Values) -> Iterator[Values]:
    """Yield differences for a few groups at a time; the first row is for all samples."""
    for part in slices(len(values) - 1, _NUMBERS_PER_PART // values.shape[1]):
        differences = values[1:][part] - values[0]
        # Equal infinite values, such as the logarithms of two zeros, do not differ.
        differences[np.isnan(differences)] = 0
        yield differences


def largest_difference(values: Values, against: Against) -> Any:
    """Return the largest absolute difference, NaN where it is undefined."""
    groups = values[1:]
    if against == "to_overall":
        return np.abs(groups - values[0]).max(axis=0)
    return groups.max(axis=0) - groups.min(axis=0)


def _largest_ends(values: Values, against: Against, confidence_level: float) -> tuple[float, float]:
    """Return the ends of the interval of the largest absolute difference.

    If all intervals of differences contain the true differences, the largest difference is at
    least the distance from 0 to the farthest interval, and at most the distance from 0 to the
    farthest end of an interval.
    """
    if against == "between_groups":
        return largest_pair_ends(values[1:], confidence_level)
    n_resamples = values.shape[1]
    ends = simultaneous_ends(_differences_to_overall(values), n_resamples, confidence_level)
    return (
        float(np.maximum(np.maximum(ends.highest_low, -ends.lowest_high), 0)),
        float(np.maximum(ends.highest_high, -ends.lowest_low)),
    )


def largest_pair_ends(values: Values, confidence_level: float) -> tuple[float, float]:
    """Return the ends of the interval of the largest difference between two estimates.

    The interval of the difference of two estimates extends between the opposite ends of their own
    percentile intervals, as in Hochberg, Weiss and Hart (1982). All of these are of the same level,
    the lowest for which the intervals of all differences contain the given share of the resamples.

    Whether a resample is inside for all pairs depends only on the two estimates that are farthest
    above and below their own intervals, so time and memory are linear in the number of estimates.
    Percentile intervals of each difference would take quadratic time. They also need more
    resamples than there are pairs: with 30 groups and 999 resamples, they are far too short.

    Parameters
    ----------
    values : ndarray of shape (n_estimates, n_resamples)
        Values of at least two estimates.
    confidence_level : float
        Share of the resamples whose differences are all inside the intervals.
    """
    n_resamples = values.shape[1]
    if not n_resamples:
        return np.nan, np.nan
    ordered, margin = np.sort(values, axis=1), TIE * scale_of(values)
    n_outside = int((1 - confidence_level) * n_resamples + _ROUNDING)

    def is_too_deep(depth: int) -> bool:
        """Return whether too many resamples are outside intervals of a depth."""
        lows, highs = ordered[:, depth - 1, None], ordered[:, -depth, None]
        n_outside_here = 0
        for part in slices(n_resamples, _NUMBERS_PER_PART // len(values)):
            above, below = values[:, part] - highs, lows - values[:, part]
            for distances in (above, below):
                # Equal infinite values, such as the logarithms of two zeros, do not differ.
                distances[np.isnan(distances)] = 0
            departures = above.max(axis=0) + below.max(axis=0)
            n_outside_here += int(np.count_nonzero(departures > margin))
        return n_outside_here > n_outside

    # All resamples are inside the intervals of depth 1.
    depths = range(2, (n_resamples + 1) // 2 + 1)
    depth = 1 + bisect_left(depths, True, key=is_too_deep)
    lows, highs = ordered[:, depth - 1], ordered[:, -depth]
    # An estimate does not differ from itself, although its interval has two ends.
    farthest = [
        highs[k] - lows[j]
        for k in np.argsort(-highs, kind="stable")[:2]
        for j in np.argsort(lows, kind="stable")[:2]
        if j != k
    ]
    return float(np.fmax(lows.max() - highs.min(), 0)), float(np.fmax.reduce(farthest))


def _ratio(
    values: Values,
    resampled: Values,
    against: Against,
    confidence_level: float,
) -> tuple[float, float, float, int]:
    """Return the smallest ratio, its ends, and the number of resamples where it is defined.

    The logarithm of the smallest ratio is minus the largest difference of logarithms. The ratio
    is undefined for negative values, and if all values are 0.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        logs, resampled = np.log(rounded_to_zero(values)), np.log(rounded_to_zero(resampled))
        largest = largest_difference(logs, against)
        is_defined = ~np.isnan(largest_difference(resampled, against))
        low, high = _largest_ends(resampled[:, is_defined], against, confidence_level)
    if np.isnan(largest):
        low = high = np.nan
    ratio, *ends = np.exp([-largest, -high, -low]).tolist()
    return ratio, *ends, int(is_defined.sum())


def rounded_to_zero(values: Values) -> Values:
    """Return the values, with 0 in place of rounding errors of either sign."""
    return np.where(np.abs(values) <= TIE * scale_of(values), 0.0, values)


def _pvalue(values: Values, permuted: Values, expected: Values, against: Against) -> float:
    """Return the permutation p-value.

    It is the share of permutations, counting the observed groups as one, in which the largest
    deviation of the groups from their expected values is at least as large as the observed one.
    """
    observed = largest_difference(values - expected, against)
    trials = largest_difference(permuted - expected[:, None], against)
    margin = TIE * scale_of(values)
    n_as_far = np.count_nonzero(trials >= observed - margin)
    return float((1 + n_as_far) / (1 + np.count_nonzero(~np.isnan(trials))))


def _expected(
    metrics: Sequence[OrdinalMetric],
    units: GroupedUnits | GroupedRows,
    permuted: Values,
    prevalence: NDArray[np.float64] | None,
) -> Values:
    """Return the expected values of groups that make the same errors within each class.

    The expected values have shape (n_metrics, 1 + n_groups). Each metric is computed from the
    mean counts over all permutations, or from the mean weights. If a metric does not accept
    fractional counts, the mean of its values over the random permutations is used.
    """
    values = np.full(permuted.shape[:2], np.nan)
    from_stacks = []
    for of_metric, metric in zip(values, metrics, strict=True):
        of_classes = units.expected_by_class(metric, prevalence)
        if of_classes is not None:
            of_metric[:] = of_classes
        elif metric.takes_weights:
            from_stacks.append((of_metric, metric))
    for part, groups in units.expected() if from_stacks else ():
        for of_metric, metric in from_stacks:
            expected = group_values(metric, groups, prevalence)[:, 0]
            of_metric[0], of_metric[1:][part] = expected[0], expected[1:]
    n_defined = (~np.isnan(permuted)).sum(axis=-1)
    means = np.nansum(permuted, axis=-1) / np.where(n_defined, n_defined, np.nan)
    return np.where(np.isnan(values), means, values)
