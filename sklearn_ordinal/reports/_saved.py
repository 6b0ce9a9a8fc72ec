"""The criteria of a report in its file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from sklearn_ordinal._core import Evidence, OrdinalMetric, known_metrics, origin_of, shown
from sklearn_ordinal._documents import decoded, encoded
from sklearn_ordinal.reports._criteria import metrics_for


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
