"""Metric values of groups, comparable with each other and with the value of all samples."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import brier_score_loss, log_loss

from sklearn_ordinal._core import (
    IntegerArray,
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalMetric,
    OrdinalScores,
    Values,
    divide,
    factors_to_shares,
    is_wrapped,
    replace_undefined,
    with_rows,
)
from sklearn_ordinal.metrics._closeness import (
    cem_int_score,
    cem_nom_score,
    cem_ord_flat_score,
    cem_ord_score,
    check_reference,
    perfect_closeness,
)
from sklearn_ordinal.metrics._probability import (
    cem_ord_decision_score,
    expected_cem_ord_score,
    unimodality_score,
)
from sklearn_ordinal.metrics._ranked_probability import ranked_probability_score
from sklearn_ordinal.metrics._ranking import concordance_score, ranking_error

# Whether the gain of a perfect prediction is a logarithm. The gain is the same on all three scales.
_HAS_LOGARITHM: dict[Callable[..., Any] | None, bool] = {
    cem_ord_score: True,
    cem_int_score: True,
    cem_nom_score: True,
    cem_ord_flat_score: False,
    cem_ord_decision_score: True,
    expected_cem_ord_score: True,
}

# The value is the mean loss of the samples.
_MEAN_LOSSES: frozenset[Callable[..., Any] | None] = frozenset(
    {ranked_probability_score, log_loss, brier_score_loss, unimodality_score}
)
# The value is a share of the pairs of samples of different classes.
_SHARES_OF_PAIRS: frozenset[Callable[..., Any] | None] = frozenset(
    {concordance_score, ranking_error}
)

AnySamples: TypeAlias = OrdinalForecasts | OrdinalScores


@dataclass(frozen=True, eq=False)
class GroupedSamples:
    """Probabilities or scores of all samples, and of the samples of each group.

    Parameters
    ----------
    all_samples : OrdinalForecasts or OrdinalScores
        All samples, with weights of shape (..., n_samples).
    groups : tuple of OrdinalForecasts or OrdinalScores
        The samples of each group, with weights of shape (..., n_samples_of_group).
    members : tuple of ndarray or slice
        Positions of the samples of each group among all samples.
    """

    all_samples: AnySamples
    groups: tuple[AnySamples, ...]
    members: tuple[NDArray[np.intp] | slice, ...]


@dataclass(frozen=True, eq=False)
class PermutedSamples:
    """Samples of which each permutation puts other ones into each group.

    Parameters
    ----------
    samples : OrdinalForecasts or OrdinalScores
        All samples, with weights of shape (n_samples,).
    group : ndarray of shape (n_permutations, n_samples)
        The group of each sample.
    n_groups : int
        The number of groups.
    collect : callable
        Function of `group` that collects the samples of each group.
    losses : dict
        The losses of the samples by the name of the metric, shared by all permutations.
    """

    samples: AnySamples
    group: IntegerArray
    n_groups: int
    collect: Callable[[IntegerArray], GroupedSamples]
    losses: dict[str, Values]

    @cached_property
    def grouped(self) -> GroupedSamples:
        """The samples of each group in any of the permutations."""
        return self.collect(self.group)

    def mean_losses(self, metric: OrdinalMetric) -> Values:
        """Return the values of a metric that is a mean loss: (1 + n_groups, n_permutations).

        Each permutation takes time linear in the number of samples and of groups.
        """
        value, weights = metric(self.samples), self.samples.weights
        if metric.name not in self.losses:
            # The influence on a mean is the loss minus the mean.
            self.losses[metric.name] = value + metric.evidence.influence(metric, self.samples)
        n_permutations = len(self.group)
        shape = n_permutations, self.n_groups
        cells = (np.arange(n_permutations)[:, None] * self.n_groups + self.group).ravel()
        # Samples without weight may have no loss.
        lost = np.where(weights > 0, weights * self.losses[metric.name], 0)
        amounts, sums = (
            np.bincount(cells, np.tile(amount, n_permutations), minlength=math.prod(shape))
            for amount in (weights, lost)
        )
        of_groups = divide(sums, amounts).reshape(shape).T
        return np.concatenate([np.full((1, n_permutations), value), of_groups])


def group_values(
    metric: OrdinalMetric,
    groups: OrdinalConfusion | GroupedSamples | PermutedSamples,
    prevalence: NDArray[np.float64] | None = None,
) -> Values:
    """Return the value of all groups together and of each group: (1 + n_groups, ...).

    For the closeness measures, the class sizes of all groups together are the
    reference.

    Parameters
    ----------
    metric : OrdinalMetric
        A metric of labels, or of the probabilities or scores.
    groups : OrdinalConfusion, GroupedSamples or PermutedSamples
        Counts of shape (n_groups, ..., n_classes, n_classes), or probabilities or scores.
    prevalence : ndarray of shape (n_classes,), default=None
        Shares of the true classes to which all groups are weighted. The value is NaN for a
        group that has no sample of a class with a positive share.
    """
    if isinstance(groups, PermutedSamples):
        if metric.function in _MEAN_LOSSES and prevalence is None:
            return groups.mean_losses(metric)
        groups = groups.grouped
    if isinstance(groups, GroupedSamples):
        return _sample_values(metric, groups, prevalence)
    total = _summed_groups(groups)
    of_group = group_metric(metric, total.class_counts, prevalence)
    return np.concatenate(
        [
            weighted_values(metric, total, prevalence)[None],
            weighted_values(of_group, groups, prevalence),
        ]
    )


def group_weights(metric: OrdinalMetric, class_counts: NDArray[Any]) -> Values | None:
    """Return group weights for which the weighted mean of the groups is the value of all samples.

    The weight of a group is its share of what perfect predictions earn: (n_groups,
    ...). Return None if the metric has no such weights.

    Parameters
    ----------
    metric : OrdinalMetric
        A metric.
    class_counts : ndarray of shape (n_groups, ..., n_classes)
        Number, or weight, of the samples of each group and true class.
    """
    if metric.function not in _HAS_LOGARITHM or metric.options.get("adjusted"):
        return None
    sizes = np.asarray(class_counts, dtype=np.float64)
    reference = metric.options.get("class_counts")
    reference = check_reference(sizes.sum(axis=0) if reference is None else reference, sizes)
    log = _HAS_LOGARITHM[metric.function]
    earned = np.sum(sizes * perfect_closeness(reference, sizes, log=log), axis=-1)
    return divide(earned, earned.sum(axis=0))


def _summed_groups(groups: OrdinalConfusion) -> OrdinalConfusion:
    """Return the sum over the first axis of a stack."""
    unanswered = None if groups.unanswered is None else groups.unanswered.sum(axis=0)
    return OrdinalConfusion(groups.scale, groups.counts.sum(axis=0), groups.is_weighted, unanswered)


def _sample_values(
    metric: OrdinalMetric, samples: GroupedSamples, prevalence: NDArray[np.float64] | None
) -> Values:
    all_samples = samples.all_samples
    of_group = group_metric(metric, all_samples.class_counts, prevalence)
    values = [
        weighted_values(with_rows(of_group, members, all_samples.n_samples), group, prevalence)
        for group, members in zip(samples.groups, samples.members, strict=True)
    ]
    return np.stack(np.broadcast_arrays(weighted_values(metric, all_samples, prevalence), *values))


def values_of_class_weights(
    metric: OrdinalMetric,
    samples: AnySamples,
    factors: Values,
    prevalence: NDArray[np.float64] | None,
) -> Values | None:
    """Return the value of all samples and of groups that differ in their class sizes only.

    The samples of all groups are the same, with the weights of each class multiplied by the factor
    of the group. A mean loss is then the mean of the losses of the classes, and a share of pairs
    the mean of the shares of pairs of classes, so the time is linear in the samples and in the
    groups. Return None if the values must be computed from the weights of the samples.

    Parameters
    ----------
    metric : OrdinalMetric
        A metric of probabilities or scores.
    samples : OrdinalForecasts or OrdinalScores
        The samples, with weights of shape (n_samples,).
    factors : ndarray of shape (n_groups, n_classes)
        Factors of the weights of each group and class.
    prevalence : ndarray of shape (n_classes,) or None
        Shares of the true classes to which all groups are weighted.

    Returns
    -------
    ndarray of shape (1 + n_groups,) or None
        The values, as `group_values` returns them.
    """
    classes: list[tuple[int, ...]] = [(k,) for k in range(samples.n_classes)]
    sizes = factors * samples.class_counts
    if metric.function in _SHARES_OF_PAIRS:
        classes = list(combinations(range(samples.n_classes), 2))
        amounts = np.stack([sizes[:, low] * sizes[:, high] for low, high in classes], axis=-1)
    elif metric.function in _HAS_LOGARITHM:
        reference = metric.options.get("class_counts")
        reference = samples.class_counts if reference is None else reference
        reference, log = check_reference(reference, sizes), _HAS_LOGARITHM[metric.function]
        amounts = sizes * perfect_closeness(reference, sizes, log=log)
    elif metric.function in _MEAN_LOSSES:
        amounts = sizes
    else:
        return None
    overall = weighted_values(metric, samples, prevalence)
    if prevalence is not None:
        is_unknown = ((sizes == 0) & (prevalence > 0)).any(axis=-1)
        return np.append(overall, np.where(is_unknown, np.nan, overall))
    # With many classes, there may be more pairs of classes than groups.
    if len(classes) > max(len(factors), samples.n_classes):
        return None
    of_group, values = group_metric(metric, samples.class_counts, None), np.zeros(len(classes))
    for k, members in enumerate(classes):
        part = samples.part(np.flatnonzero(np.isin(samples.y_true, members)))
        if amounts[:, k].any():
            values[k] = of_group(part)
    of_groups = replace_undefined(metric, divide(amounts @ values, amounts.sum(axis=-1)))
    return np.append(overall, of_groups)


def group_metric(
    metric: OrdinalMetric, sizes: NDArray[np.float64], prevalence: NDArray[np.float64] | None
) -> OrdinalMetric:
    """Return the metric for single groups, with the class sizes of all groups as its reference.

    Only the closeness measures have a reference. If the metric was passed with a reference,
    that reference is kept. At a common prevalence, all groups have the same reference
    anyway.
    """
    if prevalence is not None or not has_reference(metric):
        return metric
    return replace(metric, statistic=partial(metric.statistic, class_counts=sizes))


def has_reference(metric: OrdinalMetric) -> bool:
    """Return whether the class sizes of all groups are the reference of a metric."""
    if is_wrapped(metric) or metric.options.get("class_counts") is not None:
        return False
    return "class_counts" in inspect.signature(metric.statistic).parameters


def weighted_values(
    metric: OrdinalMetric,
    evidence: OrdinalConfusion | AnySamples,
    prevalence: NDArray[np.float64] | None,
) -> Values:
    """Return the values of a metric, weighted to a prevalence if it is given."""
    is_unknown: NDArray[np.bool_] | bool = False
    if prevalence is not None:
        sizes = evidence.class_counts
        is_unknown = ((sizes == 0) & (prevalence > 0)).any(axis=-1)
        evidence = evidence.weighted_by_class(factors_to_shares(sizes, prevalence))
    # A group may have no samples, in particular in a resample.
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(is_unknown, np.nan, metric(evidence))
