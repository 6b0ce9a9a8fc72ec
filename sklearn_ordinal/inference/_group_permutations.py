"""The permutation test of groups, and the results that it is added to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import OrdinalConfusion, OrdinalMetric, Values
from sklearn_ordinal.inference._group_difference import GroupDifference
from sklearn_ordinal.inference._group_moments import GroupMoments
from sklearn_ordinal.inference._grouped_rows import GroupedRows
from sklearn_ordinal.inference._groups import GroupedUnits, tested_by
from sklearn_ordinal.inference._interval import Interval
from sklearn_ordinal.inference._ties import TIE, scale_of
from sklearn_ordinal.metrics import GroupedSamples, PermutedSamples, group_values

Against = Literal["between_groups", "to_overall"]


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
    moments : GroupMoments
        The variances of contrasts of these values.
    """

    overall: Interval
    by_group: tuple[Interval, ...]
    group_min: Interval
    group_max: Interval
    differences: Mapping[str, GroupDifference]
    ratios: Mapping[str, Interval]
    moments: GroupMoments


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


def largest_difference(values: Values, against: Against) -> Any:
    """Return the largest absolute difference, NaN where it is undefined."""
    groups = values[1:]
    if against == "to_overall":
        return np.abs(groups - values[0]).max(axis=0)
    return groups.max(axis=0) - groups.min(axis=0)


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
