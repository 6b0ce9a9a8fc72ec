"""The names of the scorers, such as "cem_ord" and "neg_ordinal_mean_absolute_error"."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sklearn_ordinal._core import (
    METRICS,
    OrdinalMetric,
    check_has_direction,
    get_metric,
    is_wrapped,
    nearest_name,
    shown,
)


def scorer_names() -> list[str]:
    """Return the scorer names of the metrics that are computed from predictions of estimators."""
    return [
        metric.scorer_name
        for metric in METRICS.values()
        if metric.scorer_name is not None and not metric.is_sklearns
    ]


def metric_named(name: str | Callable[..., Any]) -> OrdinalMetric:
    """Return the metric of a scorer name or a function; errors for other names suggest a name."""
    if callable(name) and not isinstance(name, type):
        try:
            metric = get_metric(name)
        except ValueError as error:
            raise ValueError(f"name: {error}") from None
        check_has_direction(metric, "name")
        if not is_wrapped(metric):
            return metric
        raise ValueError(
            f"name must be a metric of this package, got {metric.name}: use "
            f"sklearn.metrics.make_scorer for other functions."
        )
    names = scorer_names()
    if isinstance(name, str) and name in names:
        return get_metric(name)
    plain = name.removeprefix("neg_") if isinstance(name, str) else ""
    if plain in METRICS and METRICS[plain].is_sklearns:
        scorer = METRICS[plain].scorer_name
        raise ValueError(
            f"name must be a scorer of this package, got {name!r}, a metric of scikit-learn: use "
            f"sklearn.metrics.get_scorer({scorer!r})."
        )
    if plain in METRICS:
        check_has_direction(METRICS[plain], "name")
    near = nearest_name(str(name), names)
    hint = f": did you mean {near!r}?" if near else "."
    raise ValueError(
        f"name must be one of the scorers of this package, such as 'cem_ord' or "
        f"'neg_ordinal_mean_absolute_error', got {shown(name)}{hint}"
    )
