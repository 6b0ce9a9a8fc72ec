"""The metrics that a user names, for all commands."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any

from sklearn.metrics import get_scorer_names

from sklearn_ordinal._core import (
    OrdinalConfusion,
    OrdinalMetric,
    get_metric,
    get_metrics,
    is_wrapped,
    known_metrics,
    near_names,
)

# The largest number of similar names in an error.
_MOST_NAMES = 3


def find_metric(name: str) -> OrdinalMetric:
    """Return the metric with a name or scorer name, or raise an error with similar names."""
    try:
        return get_metric(name)
    except ValueError:
        names = [metric.name for metric in known_metrics()]
        if name.removeprefix("neg_").partition("(")[0] in names:
            # The metric exists but lacks a required option, or has a wrong one, as the error says.
            raise
        sklearn_names = [scorer_name.removeprefix("neg_") for scorer_name in get_scorer_names()]
        near = near_names(name.removeprefix("neg_"), [*names, *sklearn_names])[:_MOST_NAMES]
        alternatives = " or ".join(filter(None, [", ".join(near[:-1]), *near[-1:]]))
        did_you_mean = f"did you mean {alternatives}? " if near else ""
        raise ValueError(
            f"there is no metric {name!r}: {did_you_mean}sklearn-ordinal metrics lists all names."
        ) from None


def label_metrics(names: list[str], *, are_ranked: bool = False) -> list[OrdinalMetric]:
    """Return the metrics of predicted classes that a user has named.

    "all" means all of them, or all that have a direction if systems or raters are ranked.
    """
    if names == ["all"]:
        return get_metrics("all", with_direction=are_ranked)
    if "all" in names:
        raise ValueError('"all" cannot be combined with names of metrics: leave out one of them.')
    metrics = {metric.name: metric for metric in map(find_metric, names)}
    for metric in metrics.values():
        if OrdinalConfusion not in metric.evidence.accepts:
            noun = metric.evidence.noun
            raise ValueError(
                f"{metric.name} is a metric of {noun}, and the files have predicted "
                f"classes: choose metrics of predicted classes, or evaluate the others in Python."
            )
    return list(metrics.values())


def check_label_metrics(metrics: Iterable[OrdinalMetric], classes: Sequence[Any]) -> None:
    """Check that metrics of scikit-learn accept the classes: some need two, some need numbers."""
    for metric in metrics:
        if not is_wrapped(metric):
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                metric.from_predictions(classes, classes)
        except ValueError:
            raise ValueError(
                f"{metric.name} of scikit-learn is not defined for the classes "
                f"{', '.join(map(str, classes))}: choose other metrics."
            ) from None
