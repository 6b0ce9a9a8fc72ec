"""Metric values of groups, comparable with each other and with the value of all samples."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import (
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalMetric,
    OrdinalScores,
    Values,
    divide,
    factors_to_shares,
    is_wrapped,
    with_rows,
)
from sklearn_ordinal.metrics._closeness import (
    cem_int_score,
    cem_nom_score,
    cem_ord_flat_score,
    cem_ord_score,
    perfect_closeness,
)
from sklearn_ordinal.metrics._probability import cem_ord_decision_score, expected_cem_ord_score

# Whether the gain of a perfect prediction is a logarithm. The gain is the same on all three scales.
_HAS_LOGARITHM: dict[Callable[..., Any] | None, bool] = {
    cem_ord_score: True,
    cem_int_score: True,
    cem_nom_score: True,
    cem_ord_flat_score: False,
    cem_ord_decision_score: True,
    expected_cem_ord_score: True,
}

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


def group_values(
    metric: OrdinalMetric,
    groups: OrdinalConfusion | GroupedSamples,
    prevalence: NDArray[np.float64] | None = None,
) -> Values:
    """Return the value of all groups together and of each group: (1 + n_groups, ...).

    For the closeness measures, the class sizes of all groups together are the
    reference.

    Parameters
    ----------
    metric : OrdinalMetric
        A metric of labels, or of the probabilities or scores.
    groups : OrdinalConfusion or GroupedSamples
        Counts of shape (n_groups, ..., n_classes, n_classes), or probabilities or scores.
    prevalence : ndarray of shape (n_classes,), default=None
        Shares of the true classes to which all groups are weighted. The value is NaN for a
        group that has no sample of a class with a positive share.
    """
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
    if reference is None:
        reference = sizes.sum(axis=0)
    earned = np.sum(
        sizes * perfect_closeness(reference, sizes, log=_HAS_LOGARITHM[metric.function]), axis=-1
    )
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


def group_metric(
    metric: OrdinalMetric, sizes: NDArray[np.float64], prevalence: NDArray[np.float64] | None
) -> OrdinalMetric:
    """Return the metric for single groups, with the class sizes of all groups as its reference.

    Only the closeness measures have a reference. If the metric was passed with a reference,
    that reference is kept. At a common prevalence, all groups have the same reference
    anyway.
    """
    if prevalence is not None or is_wrapped(metric):
        return metric
    takes_reference = "class_counts" in inspect.signature(metric.statistic).parameters
    if not takes_reference or metric.options.get("class_counts") is not None:
        return metric
    return replace(metric, statistic=partial(metric.statistic, class_counts=sizes))


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
