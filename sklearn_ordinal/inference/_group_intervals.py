"""Intervals of the values of groups and of what they differ by, from the same resamples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from sklearn_ordinal._core import OrdinalConfusion, OrdinalMetric, RowMetric, Values
from sklearn_ordinal.inference._bootstrap import accelerations_of, interval_of
from sklearn_ordinal.inference._groups import GroupedUnits
from sklearn_ordinal.inference._results import GroupDifference, Interval
from sklearn_ordinal.inference._ties import TIE
from sklearn_ordinal.metrics import values_of_groups

Against = Literal["between_groups", "to_overall"]
Pairs: TypeAlias = tuple[NDArray[np.intp], NDArray[np.intp]]
"""Positions of the first and the second value of each pair."""

_SIMULTANEOUS = "simultaneous percentile"


@dataclass(frozen=True, eq=False)
class GroupInference:
    """The intervals of one metric.

    Parameters
    ----------
    overall : Interval
        The value of all samples.
    by_group : tuple of Interval
        The value of each group.
    group_min : Interval
        The smallest value.
    group_max : Interval
        The largest value.
    differences : mapping of str to GroupDifference
        The largest difference between groups, and of a group from the value of all samples.
    ratios : mapping of str to Interval
        The smallest ratio between groups, and of a group to the value of all samples.
    """

    overall: Interval
    by_group: tuple[Interval, ...]
    group_min: Interval
    group_max: Interval
    differences: Mapping[str, GroupDifference]
    ratios: Mapping[str, Interval]


def infer_groups(
    metrics: Sequence[OrdinalMetric],
    units: GroupedUnits,
    names: Sequence[str],
    rng: np.random.Generator,
    *,
    prevalence: NDArray[np.float64] | None,
    confidence_level: float,
    n_resamples: int,
) -> list[GroupInference]:
    """Return the intervals of each metric, all from the same resamples and permutations."""

    def values_of(stacks: Iterable[Sequence[OrdinalConfusion]]) -> Values:
        """Return (n_metrics, 1 + n_groups, n_resamples)."""
        values = [
            [values_of_groups(metric, of_groups, prevalence) for metric in metrics]
            for of_groups in map(OrdinalConfusion.stack, stacks)
        ]
        return np.concatenate(values, axis=-1)

    estimates = values_of([units.units.all_together()])[..., 0]
    resampled = values_of(units.units.resampled(rng, n_resamples))
    left_out = values_of(units.units.without_one())
    permuted = values_of(units.permuted(rng, n_resamples))
    expected = _expected(metrics, OrdinalConfusion.stack(units.expected()), permuted, prevalence)
    n_missing = units.units.n_unanswered()
    return [
        _compared(
            _intervals(metric, values, drawn, without, n_missing, units, confidence_level),
            drawn,
            trials,
            explained,
            names,
        )
        for metric, values, drawn, without, trials, explained in zip(
            metrics, estimates, resampled, left_out, permuted, expected, strict=True
        )
    ]


def _intervals(
    metric: OrdinalMetric,
    estimates: Values,
    resampled: Values,
    left_out: Values,
    n_missing: Sequence[float],
    units: GroupedUnits,
    confidence_level: float,
) -> list[Interval]:
    """Return the interval of the value of all samples, and of each group."""
    accelerations = accelerations_of(left_out[:, None], units.units.sizes)
    n_left_out = [0 if metric.counts_unanswered else n for n in (sum(n_missing), *n_missing)]
    margins = TIE * np.abs(estimates)
    return [
        replace(
            interval_of(
                float(estimate),
                values,
                confidence_level,
                metric.interval_method,
                margin=margin,
                acceleration=acceleration,
            ),
            n_left_out=amount,
        )
        for estimate, values, margin, acceleration, amount in zip(
            estimates, resampled, margins, accelerations, n_left_out, strict=True
        )
    ]


def _compared(
    intervals: list[Interval],
    resampled: Values,
    permuted: Values,
    expected: Values,
    names: Sequence[str],
) -> GroupInference:
    """Compare the groups for which the metric is defined, in the resamples where it is."""
    estimates = np.array([interval.estimate for interval in intervals])
    is_defined = ~np.isnan(estimates)
    values, permuted, resampled = estimates[is_defined], permuted[is_defined], resampled[is_defined]
    resampled = resampled[:, ~np.isnan(resampled).any(axis=0)]
    names = [name for name, known in zip(("overall", *names), is_defined, strict=True) if known]
    level, n_resamples = intervals[0].confidence_level, len(permuted.T)
    of_all: dict[str, Any] = {"n_left_out": intervals[0].n_left_out, "method": _SIMULTANEOUS}

    def interval(estimate: Any, low: Any, high: Any, n_defined: int) -> Interval:
        return Interval(estimate, low, high, level, n_resamples - n_defined, **of_all)

    n_defined = len(resampled.T)
    if len(values) < 3 or not is_defined[0]:
        ends = (np.nan, np.nan, np.nan)
        undefined = interval(*ends, n_defined)
        difference = GroupDifference(*ends, level, n_resamples - n_defined, **of_all)
        return GroupInference(
            intervals[0],
            tuple(intervals[1:]),
            undefined,
            undefined,
            dict.fromkeys(get_args(Against), difference),
            dict.fromkeys(get_args(Against), undefined),
        )
    low, high = simultaneous_ends(resampled[1:], level)
    differences, ratios = {}, {}
    for against in get_args(Against):
        pairs = _pairs(len(values), against)
        largest = _largest(values, pairs)
        at = np.argmax(np.abs(values[pairs[0]] - values[pairs[1]]))
        pair = sorted((int(pairs[0][at]), int(pairs[1][at])), key=lambda one: values[one])
        differences[against] = GroupDifference(
            float(largest),
            *_ends_of_largest(resampled, pairs, level),
            level,
            n_resamples - n_defined,
            pvalue=_pvalue(values, permuted, expected[is_defined], pairs),
            lower_group=names[pair[0]],
            higher_group=names[pair[1]],
            **of_all,
        )
        ratios[against] = interval(*_ratio(values, resampled, pairs, level))
    return GroupInference(
        intervals[0],
        tuple(intervals[1:]),
        interval(values[1:].min(), low.min(), high.min(), n_defined),
        interval(values[1:].max(), low.max(), high.max(), n_defined),
        differences,
        ratios,
    )


def simultaneous_ends(values: Values, confidence_level: float) -> tuple[Values, Values]:
    """Return intervals of several estimates that all hold together with the confidence level.

    They are the percentile intervals of one common level that contain all values of a share
    of the resamples (Mandel and Betensky, 2008).

    Parameters
    ----------
    values : ndarray of shape (n_estimates, n_resamples)
        Values of the resamples.
    confidence_level : float
        Share of the resamples.
    """
    n_resamples = values.shape[1]
    if not n_resamples:
        undefined = np.full(len(values), np.nan)
        return undefined, undefined
    shares = (rankdata(values, axis=1) - 0.5) / n_resamples
    farthest = np.abs(2 * shares - 1).max(axis=0)
    width = np.quantile(farthest, confidence_level, method="higher")
    # Without interpolation, which is undefined between infinite values.
    low = np.quantile(values, (1 - width) / 2, axis=1, method="lower")
    high = np.quantile(values, (1 + width) / 2, axis=1, method="higher")
    return low, high


def _pairs(n_values: int, against: Against) -> Pairs:
    """Return the positions of the values to compare, of which the first is that of all samples."""
    if against == "to_overall":
        return np.arange(1, n_values), np.zeros(n_values - 1, dtype=np.intp)
    first, second = np.triu_indices(n_values - 1, 1)
    return first + 1, second + 1


def _largest(values: Values, pairs: Pairs) -> Any:
    """Return the largest absolute difference, NaN where a value is undefined."""
    return np.abs(values[pairs[0]] - values[pairs[1]]).max(axis=0)


def _ends_of_largest(values: Values, pairs: Pairs, confidence_level: float) -> tuple[float, float]:
    """Return the ends of the interval of the largest absolute difference.

    If the intervals of all differences hold, it is at least as large as the farthest of them
    from 0, and at most as large as their farthest end.
    """
    low, high = simultaneous_ends(values[pairs[0]] - values[pairs[1]], confidence_level)
    return float(max(0, np.maximum(low, -high).max())), float(np.maximum(high, -low).max())


def _ratio(
    values: Values,
    resampled: Values,
    pairs: Pairs,
    confidence_level: float,
) -> tuple[float, float, float, int]:
    """Return the smallest ratio, its ends, and the number of resamples where it is defined.

    Its logarithm is the largest difference of logarithms. It is undefined for negative values,
    and if both values are 0.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        logs, resampled = np.log(values), np.log(resampled)
        largest = _largest(logs, pairs)
        is_defined = ~np.isnan(_largest(resampled, pairs))
        low, high = _ends_of_largest(resampled[:, is_defined], pairs, confidence_level)
    if np.isnan(largest):
        low = high = np.nan
    ratio, *ends = np.exp([-largest, -high, -low]).tolist()
    return ratio, *ends, int(is_defined.sum())


def _pvalue(values: Values, permuted: Values, expected: Values, pairs: Pairs) -> float:
    """Return how often differences of permuted groups are as far from those that are expected."""
    observed = _largest(values - expected, pairs)
    trials = _largest(permuted - expected[:, None], pairs)
    margin = TIE * np.abs(values).max()
    n_as_far = np.count_nonzero(trials >= observed - margin)
    return float((1 + n_as_far) / (1 + np.count_nonzero(~np.isnan(trials))))


def _expected(
    metrics: Sequence[OrdinalMetric],
    groups: OrdinalConfusion,
    permuted: Values,
    prevalence: NDArray[np.float64] | None,
) -> Values:
    """Return the values that are expected of groups without other errors within the classes.

    These are the values of expected counts, (n_metrics, 1 + n_groups), which the permutations do
    not change. A metric that takes no fractions has the mean over the permutations.
    """
    values = [
        np.full(permuted.shape[1], np.nan)
        if isinstance(metric, RowMetric) and not metric.takes_sample_weight
        else values_of_groups(metric, groups, prevalence)[:, 0]
        for metric in metrics
    ]
    n_defined = (~np.isnan(permuted)).sum(axis=-1)
    means = np.nansum(permuted, axis=-1) / np.where(n_defined, n_defined, np.nan)
    return np.where(np.isnan(values), means, values)
