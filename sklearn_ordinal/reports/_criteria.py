"""The criteria of a report: which they are by default, and their values."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping

from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core import (
    ByMetric,
    Kind,
    MetricLike,
    OrdinalConfusion,
    OrdinalMetric,
    get_metrics,
)

DEFAULT_METRICS = (
    "cem_ord",
    "accuracy",
    "within_1_accuracy",
    "macro_averaged_mean_absolute_error",
    "quadratic_weighted_kappa",
    "kendall_tau_b",
)


def chosen_metrics(
    metrics: MetricLike | Iterable[MetricLike] | None, kinds: Iterable[Kind] = ("labels",)
) -> list[OrdinalMetric]:
    """Return the metrics of a report, the default ones for None, for "all" those of the kinds."""
    chosen = DEFAULT_METRICS if metrics is None else metrics
    return get_metrics(chosen, argument="metrics", kinds=kinds)


def values_of_counts(
    metrics: Iterable[OrdinalMetric],
    confusion: OrdinalConfusion,
    known: Mapping[str, float],
    *,
    is_silent: bool,
) -> ByMetric:
    """Return the value of each metric by its name: the known one, or that of the counts."""
    with warnings.catch_warnings():
        if is_silent:
            # Criteria that are not from this package warn on their own.
            warnings.simplefilter("ignore", UndefinedMetricWarning)
        return ByMetric(
            {
                metric.name: known[metric.name] if metric.name in known else metric(confusion)
                for metric in metrics
            }
        )
