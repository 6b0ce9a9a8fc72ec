"""The criteria of a report: which they are by default, and their values."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core import (
    ByMetric,
    EstimatorMetric,
    Kind,
    MetricsLike,
    Needs,
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalMetric,
    get_metrics,
)
from sklearn_ordinal.reports._group_measures import MEASURES

DEFAULT_METRICS = (
    "cem_ord",
    "accuracy",
    "within_1_accuracy",
    "macro_averaged_mean_absolute_error",
    "quadratic_weighted_kappa",
    "kendall_tau_b",
)
ALL_KINDS: tuple[Kind, ...] = ("labels", "probabilities", "scores")
DEFAULT_METRICS_OF_PROBABILITIES = (
    "ranked_probability_score",
    "ranked_probability_skill",
    "log_loss",
    "cem_ord_decision",
    "concordance",
    "unimodality",
)
# In the errors of groups: what criteria need, and the way out.
_NEEDS: Mapping[Needs, str] = {
    "labels": "labels: pass y_pred= to GroupReport.from_predictions",
    "probabilities": "probabilities: pass y_proba= to GroupReport.from_predictions",
    "scores": "scores: pass y_proba= to GroupReport.from_predictions",
    "estimator": "the estimator: leave it out",
}


def chosen_metrics(
    metrics: MetricsLike | None, kinds: Iterable[Kind] = ("labels",)
) -> list[OrdinalMetric]:
    """Return the metrics of a report, the default ones for None, for "all" those of the kinds."""
    chosen = DEFAULT_METRICS if metrics is None else metrics
    return get_metrics(chosen, argument="metrics", kinds=kinds)


def metrics_of_predictions(
    metrics: MetricsLike | None, kinds: Collection[Kind]
) -> list[OrdinalMetric]:
    """Return the metrics of a report that has a section on probabilities if there are any."""
    if metrics is None and "probabilities" in kinds:
        metrics = (*DEFAULT_METRICS, *DEFAULT_METRICS_OF_PROBABILITIES)
    return chosen_metrics(metrics, kinds)


def criteria_of_groups(
    metrics: MetricsLike | None,
    *,
    has_labels: bool = True,
    has_probabilities: bool = False,
) -> list[OrdinalMetric]:
    """Return the metrics of a report of groups, or raise unless the predictions have them all."""
    if not has_labels and not has_probabilities:
        raise ValueError("y_pred or y_proba must be given, got neither.")
    of_labels: tuple[Kind, ...] = ("labels",) if has_labels else ()
    of_rows: tuple[Kind, ...] = ("probabilities", "scores") if has_probabilities else ()
    kinds = (*of_labels, *of_rows)
    if metrics is None:
        defaults = DEFAULT_METRICS if has_labels else ()
        metrics = (*defaults, *(DEFAULT_METRICS_OF_PROBABILITIES if has_probabilities else ()))
    chosen = chosen_metrics(metrics, kinds)
    reserved = {measure.name for measure in MEASURES}
    for metric in chosen:
        if metric.evidence not in kinds:
            raise ValueError(
                f"metrics must be criteria of the predictions that are given to compare groups, "
                f"got {metric.name}, which needs {_NEEDS[metric.evidence]}."
            )
        if metric.name in reserved:
            raise ValueError(
                f"metrics must not contain a criterion with the name {metric.name!r}, which each "
                f"report of groups has: give it another name."
            )
    if has_probabilities and not any(metric.evidence in of_rows for metric in chosen):
        raise ValueError(
            f"y_proba must be left out if no criterion needs probabilities or scores, got "
            f"metrics={', '.join(metric.name for metric in chosen)}."
        )
    return chosen


def kinds_of_criteria(estimators: Iterable[Any]) -> tuple[Kind, ...]:
    """Return the kinds of evidence that all of the estimators, fitted or not, can give."""
    if all(hasattr(estimator, "predict_proba") for estimator in estimators):
        return ALL_KINDS
    return "labels", "scores"


def metric_of(metrics: ByMetric, criterion: Any) -> OrdinalMetric:
    """Return one of the metrics of a report, by default the first."""
    name = next(iter(metrics)) if criterion is None else metrics.name_of(criterion, "criterion")
    metric: OrdinalMetric = metrics[name]
    return metric


def is_of_labels(metric: OrdinalMetric) -> bool:
    """Return whether a metric is a function of labels, or may be, as a user's scorer."""
    return metric.evidence not in ("probabilities", "scores")


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
        what = "probabilities" if metric.evidence == "probabilities" else "probabilities or scores"
        raise ValueError(
            f"{metric.name} needs {what}, but only labels are given: pass y_proba= to "
            f"OrdinalReport.from_predictions, or use OrdinalReport.from_estimator, "
            f"cross_val_report or compare_estimators, which have the estimator."
        )
    if isinstance(metric, EstimatorMetric):
        return metric.of_forecasts(forecasts)
    return float(metric(forecasts))
