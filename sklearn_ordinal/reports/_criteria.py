"""The criteria of a report, chosen by the user or by default."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from sklearn_ordinal._core import (
    KINDS,
    LABELS,
    PROBABILITIES,
    SCORES,
    ByMetric,
    Evidence,
    Kind,
    MetricsLike,
    OrdinalMetric,
    get_metric_names,
    get_metrics,
    known_metrics,
    origin_of,
    shown,
)
from sklearn_ordinal._documents import decoded, encoded

ALL_KINDS: tuple[Kind, ...] = (LABELS, PROBABILITIES, SCORES)
_DEFAULTS: Mapping[Kind, tuple[str, ...]] = {
    LABELS: (
        "cem_ord",
        "accuracy",
        "within_1_accuracy",
        "macro_averaged_mean_absolute_error",
        "quadratic_weighted_kappa",
        "kendall_tau_b",
    ),
    PROBABILITIES: (
        "ranked_probability_score",
        "ranked_probability_skill",
        "log_loss",
        "cem_ord_decision",
        "concordance",
        "unimodality",
    ),
}


def chosen_metrics(
    metrics: MetricsLike | None,
    kinds: Iterable[Kind] = (LABELS,),
    *,
    default_kinds: Iterable[Kind] = (LABELS,),
    argument: str = "metrics",
    with_direction: bool = False,
) -> list[OrdinalMetric]:
    """Return the metrics of a report: "all" means all metrics of `kinds`, None the defaults."""
    if metrics is None:
        metrics = [name for kind in default_kinds for name in _DEFAULTS.get(kind, ())]
    return get_metrics(metrics, argument=argument, kinds=kinds, with_direction=with_direction)


def metrics_for(
    metrics: MetricsLike | None, evidence: Iterable[Evidence | None]
) -> list[OrdinalMetric]:
    """Return the metrics of a report on evidence: "all" means all that can be computed.

    None means the defaults, or "all" if the evidence has no defaults.
    """
    kinds = kinds_accepting(evidence)
    has_defaults = any(kind in _DEFAULTS for kind in kinds)
    if metrics is None and not has_defaults:
        metrics = "all"
    return chosen_metrics(metrics, kinds, default_kinds=kinds)


def kinds_accepting(evidence: Iterable[Evidence | None]) -> tuple[Kind, ...]:
    """Return the kinds of metrics that can be computed from evidence."""
    parts = list(evidence)
    return tuple(kind for kind in KINDS if kind.pick(parts) is not None)


def available_kinds(estimators: Iterable[Any]) -> tuple[Kind, ...]:
    """Return the kinds of evidence that all estimators, fitted or not, can provide."""
    estimators = list(estimators)
    return tuple(
        kind
        for kind in KINDS
        if kind.methods
        and all(any(hasattr(e, method) for method in kind.methods) for e in estimators)
    )


def selected_metric(metrics: ByMetric, criterion: Any) -> OrdinalMetric:
    """Return one metric of a report, by default the first."""
    name = next(iter(metrics)) if criterion is None else metrics.name_of(criterion, "criterion")
    metric: OrdinalMetric = metrics[name]
    return metric


def takes_labels(metric: OrdinalMetric) -> bool:
    """Return whether a metric is a function of labels, or may be one, such as a user's scorer."""
    return metric.evidence.argument in (LABELS.argument, None)


def check_are_of_counts(metrics: Iterable[OrdinalMetric]) -> None:
    """Raise unless all metrics are functions of a confusion matrix."""
    for metric in metrics:
        if metric.evidence is not LABELS:
            raise ValueError(
                f"metrics must be criteria of counts, got {metric.name}, which needs "
                f"{_needs(metric)}."
            )


def _needs(metric: OrdinalMetric) -> str:
    if LABELS.accepts == metric.evidence.accepts:
        # scikit-learn's metrics of numbers have counterparts for classes in this package.
        counterpart = f"ordinal_{metric.name}"
        if counterpart in get_metric_names():
            return f"the labels of each sample: pass {counterpart}"
        return "the labels of each sample: define it as a statistic of counts with ordinal_metric"
    return f"{metric.evidence.noun}: leave it out"


def metric_to_json(metric: OrdinalMetric) -> dict[str, Any]:
    """Return what identifies a metric."""
    return {
        "name": metric.name,
        "original_name": metric.original_name,
        "function": origin_of(metric.function or metric.statistic),
        # A metric with labels in an order of its own is a function of the labels.
        "reads_labels": metric.evidence.reads_labels,
        "options": encoded(f"metrics[{shown(metric.name)}]", dict(metric.options)),
    }


def metric_from_json(
    saved: Mapping[str, Any], evidence: Sequence[Evidence]
) -> OrdinalMetric | None:
    """Return the metric that was saved, None if it is not known here or needs other evidence."""
    name, function, options = saved["name"], saved["function"], decoded(saved["options"])
    known = {origin_of(m.function): m.function for m in known_metrics() if m.function is not None}
    candidates: list[Any] = [saved["original_name"] or name]
    if function in known:
        candidates.append(partial(known[function], **options))
    for candidate in candidates:
        with suppress(ValueError):
            (metric,) = metrics_for({name: candidate}, evidence)
            is_computable = metric.scorer is None and metric.evidence.pick(evidence) is not None
            if is_computable and metric_to_json(metric) == saved:
                return metric
    return None
