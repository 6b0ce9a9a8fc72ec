"""The basis of evaluation: the true classes on their scale, criteria and class sizes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    OrdinalMetric,
    OrdinalScale,
    Split,
    check_shares,
    encode_one,
    shown,
    weights_at_prevalence,
)


@dataclass(frozen=True)
class Evaluation:
    """The true classes and the criteria, the same for all estimators and folds.

    `y_true` has the position of each sample's class on the scale. `prevalence` has the share of
    each class at which the criteria are computed; None for the class sizes of each fold.
    """

    scale: OrdinalScale
    y_true: NDArray[np.intp]
    metrics: tuple[OrdinalMetric, ...]
    prevalence: NDArray[np.float64] | None


def make_evaluation(
    y: ArrayLike,
    labels: ArrayLike | None,
    metrics: Iterable[OrdinalMetric],
    prevalence: ArrayLike | None,
) -> Evaluation:
    """Resolve the scale, and check that the criteria can be computed at the prevalence."""
    scale, y_true = encode_one(y, labels)
    on_scale = tuple(_on_scale(metric, scale) for metric in metrics)
    shares = None
    if prevalence is not None:
        _check_metrics_take_weights(on_scale)
        shares = check_shares("prevalence", prevalence, len(scale))
    return Evaluation(scale, y_true, on_scale, shares)


def fold_weights(
    evaluation: Evaluation, splits: Sequence[Split]
) -> list[NDArray[np.float64] | None]:
    """Return the weights of the test samples of each fold, None if all samples count the same."""
    if evaluation.prevalence is None:
        return [None] * len(splits)
    _check_fold_classes(evaluation, evaluation.prevalence, splits)
    return [
        weights_at_prevalence(evaluation.y_true[test], evaluation.prevalence, np.ones(len(test)))
        for _, test in splits
    ]


def _on_scale(metric: OrdinalMetric, scale: OrdinalScale) -> OrdinalMetric:
    """Return the metric; a scorer on the same scale is replaced by its metric in the catalogue.

    The metric of the catalogue needs no further call of the estimator, and has a pooled value.
    """
    score_function: Any = getattr(metric.function, "_score_func", None)
    if metric.scorer is not None and getattr(score_function, "scale", None) == scale:
        of_catalogue: OrdinalMetric = score_function.metric
        return of_catalogue
    return metric


def _check_metrics_take_weights(metrics: Iterable[OrdinalMetric]) -> None:
    for metric in metrics:
        if metric.scorer is not None:
            raise ValueError(
                f"prevalence cannot be used with {metric.name}, whose scorer is called without "
                f"weights: leave one of the two out."
            )
        if not metric.takes_weights:
            raise ValueError(
                f"prevalence cannot be used with {metric.name}, which takes no sample_weight: "
                f"leave one of the two out."
            )


def _check_fold_classes(
    evaluation: Evaluation, prevalence: NDArray[np.float64], splits: Sequence[Split]
) -> None:
    """Raise unless each fold tests samples of each class with a positive share."""
    scale = evaluation.scale
    for number, (_, test) in enumerate(splits, start=1):
        sizes = np.bincount(evaluation.y_true[test], minlength=len(scale))
        is_missing = (prevalence > 0) & (sizes == 0)
        if is_missing.any():
            missing = scale.labels[is_missing].tolist()
            raise ValueError(
                f"prevalence must be 0 for a class without test samples, got a positive share for "
                f"{shown(missing[0])}, which fold {number} does not test: pass fewer or stratified "
                f"folds, or leave prevalence out and weight the counts of all folds together."
            )
