"""Checks for fields that several results share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sklearn_ordinal._core import (
    OrdinalMetric,
    check_array,
    check_dict,
    check_instance,
    check_integer,
    check_shares,
    check_value,
    listed,
    origin_of,
    own_kind,
    shown,
)
from sklearn_ordinal.inference import Interval
from sklearn_ordinal.reports._provenance import Provenance


def check_evidence(evidence: Sequence[Any]) -> None:
    """Raise unless the items are evidence on the same scale, and not stacks."""
    kinds = [own_kind(part) for part in evidence]
    if not kinds or None in kinds:
        raise ValueError(
            f"evidence must contain at least one OrdinalConfusion or other evidence, and nothing "
            f"else, got {shown(evidence)}."
        )
    for kind, part in zip(kinds, evidence, strict=True):
        assert kind is not None
        kind.check_one(part)
        if part.scale != evidence[0].scale:
            raise ValueError(
                f"evidence must be on one scale, got {listed(evidence[0].scale.labels)} and "
                f"{listed(part.scale.labels)}."
            )


def check_metrics(metrics: Any, *, at_least: int = 1) -> None:
    """Raise unless a field maps names to metrics."""
    check_dict("metrics", metrics, OrdinalMetric)
    if len(metrics) < at_least or any(name != metric.name for name, metric in metrics.items()):
        raise ValueError(
            f"metrics must be a dict of metrics by their names, got {shown(dict(metrics))}."
        )


def check_score(name: str, score: Any, metric: OrdinalMetric, n_classes: int) -> None:
    """Raise unless a field is a value of a metric, or NaN."""
    check_value(name, score, *proven_bounds(metric, n_classes))


def check_estimates(
    name: str, intervals: Any, metric: OrdinalMetric | None, n_classes: int, keys: Any = None
) -> None:
    """Raise unless a field maps names to intervals whose estimates are values of a metric."""
    check_dict(name, intervals, Interval, keys=keys)
    if metric is not None:
        values = np.array([interval.estimate for interval in intervals.values()])
        check_array(name, values, (len(values),), *proven_bounds(metric, n_classes))


def check_prevalence(prevalence: Any, n_classes: int) -> None:
    """Raise unless a field is None or an array with the share of each class."""
    if prevalence is not None:
        check_instance("prevalence", prevalence, np.ndarray)
        check_shares("prevalence", prevalence, n_classes)


def check_clusters(n_clusters: Any, name: Any) -> None:
    """Raise unless fields are the number of clusters, or None, and the name of their column."""
    if n_clusters is not None:
        check_integer("n_clusters", n_clusters, at_least=1)
    check_instance("cluster_name", name, str)


def check_provenance(provenance: Any) -> None:
    """Raise unless a field is a Provenance or None."""
    check_instance("provenance", provenance, Provenance, or_none=True)


def proven_bounds(metric: OrdinalMetric, n_classes: int) -> tuple[float, float]:
    """Return the range of the values of a metric of this package.

    A user's metric may have wrong bounds, and this must not discard the result of a long run.
    """
    if not origin_of(metric.statistic).startswith("sklearn_ordinal.metrics."):
        return -np.inf, np.inf
    low, high = metric.bounds(n_classes)
    replacement = metric.options.get("replace_undefined_by", np.nan)
    return min(low, np.fmin(replacement, low)), max(high, np.fmax(replacement, high))
