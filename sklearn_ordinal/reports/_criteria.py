"""The criteria of a report: which they are by default, and their values."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core import (
    LABELS,
    PROBABILITIES,
    SCORES,
    ByMetric,
    Kind,
    MetricsLike,
    OrdinalConfusion,
    OrdinalForecasts,
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
ALL_KINDS: tuple[Kind, ...] = (LABELS, PROBABILITIES, SCORES)
DEFAULT_METRICS_OF_PROBABILITIES = (
    "ranked_probability_score",
    "ranked_probability_skill",
    "log_loss",
    "cem_ord_decision",
    "concordance",
    "unimodality",
)


def chosen_metrics(
    metrics: MetricsLike | None, kinds: Iterable[Kind] = (LABELS,)
) -> list[OrdinalMetric]:
    """Return the metrics of a report, the default ones for None, for "all" those of the kinds."""
    chosen = DEFAULT_METRICS if metrics is None else metrics
    return get_metrics(chosen, argument="metrics", kinds=kinds)


def metrics_of_predictions(
    metrics: MetricsLike | None, kinds: Collection[Kind]
) -> list[OrdinalMetric]:
    """Return the metrics of a report that has a section on probabilities if there are any."""
    if metrics is None and PROBABILITIES in kinds:
        metrics = (*DEFAULT_METRICS, *DEFAULT_METRICS_OF_PROBABILITIES)
    return chosen_metrics(metrics, kinds)


def kinds_of_criteria(estimators: Iterable[Any]) -> tuple[Kind, ...]:
    """Return the kinds of evidence that all of the estimators, fitted or not, can give."""
    if all(hasattr(estimator, "predict_proba") for estimator in estimators):
        return ALL_KINDS
    return LABELS, SCORES


def metric_of(metrics: ByMetric, criterion: Any) -> OrdinalMetric:
    """Return one of the metrics of a report, by default the first."""
    name = next(iter(metrics)) if criterion is None else metrics.name_of(criterion, "criterion")
    metric: OrdinalMetric = metrics[name]
    return metric


def is_of_labels(metric: OrdinalMetric) -> bool:
    """Return whether a metric is a function of labels, or may be, as a user's scorer."""
    return metric.evidence.argument != PROBABILITIES.argument


def values_of_evidence(
    metrics: Iterable[OrdinalMetric],
    confusion: OrdinalConfusion,
    forecasts: OrdinalForecasts | None,
    known: Mapping[str, float],
    *,
    is_silent: bool,
) -> ByMetric:
    """Return the value of each metric by its name: the known one, or that of the evidence."""
    with warnings.catch_warnings():
        if is_silent:
            # Criteria that are not from this package warn on their own.
            warnings.simplefilter("ignore", UndefinedMetricWarning)
        return ByMetric(
            {
                metric.name: known[metric.name]
                if metric.name in known
                else _value(metric, confusion, forecasts)
                for metric in metrics
            }
        )


def _value(
    metric: OrdinalMetric, confusion: OrdinalConfusion, forecasts: OrdinalForecasts | None
) -> float:
    if is_of_labels(metric):
        return float(metric(confusion))
    if forecasts is None:
        what = " or ".join(sorted({PROBABILITIES.noun, metric.evidence.noun}))
        raise ValueError(
            f"{metric.name} needs {what}, but only labels are given: pass y_proba= to "
            f"OrdinalReport.from_predictions, or use OrdinalReport.from_estimator, "
            f"cross_val_report or compare_estimators, which have the estimator."
        )
    return float(metric(forecasts))
