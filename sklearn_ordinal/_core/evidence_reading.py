"""Evidence for a function: as the user passed it, or read from arrays.

The options of reading belong to the constructors of evidence. A public function passes its
arrays and options to this layer, and then works with the evidence.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from sklearn_ordinal._core import (
    checks,
    confusion_counts,
    containers,
    counting,
    evidence_kinds,
    forecasting,
    grading,
    sampling,
    scales,
)
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.counting import ReadingOptions
from sklearn_ordinal._core.evidence_kinds import Kind
from sklearn_ordinal._core.forecasting import OrdinalForecasts, OrdinalScores
from sklearn_ordinal._core.grading import OrdinalRatings
from sklearn_ordinal._core.influence_functions import Evidence

Forecasts: TypeAlias = OrdinalForecasts | OrdinalScores
SystemsEvidence: TypeAlias = OrdinalConfusion | tuple[Forecasts, ...]
"""Joint counts of systems, or the probabilities or scores of each system for the same samples."""
RatingsPair: TypeAlias = tuple[OrdinalRatings, OrdinalRatings]
"""Ratings of the same items, whose patterns belong together row by row."""


def is_evidence(data: Any, *predictions: Any) -> bool:
    """Return whether the first argument of a function is evidence in place of true classes.

    If there are predictions, ratings are soft labels, and not evidence of the agreement of raters.
    """
    if (isinstance(data, str) or callable(data)) and any(map(evidence_kinds.own_kind, predictions)):
        raise ValueError(
            f"y_true must be true classes or evidence, got {checks.shown(data)}: pass the evidence "
            "first, and criteria as metrics=."
        )
    if containers.is_soft(data) and any(predicted is not None for predicted in predictions):
        return False
    if isinstance(data, Mapping):
        data = list(data.values())
    if isinstance(data, (list, tuple)):
        return len(data) > 0 and is_evidence(data[0])
    return evidence_kinds.own_kind(data) is not None


def read_system(
    metrics: Sequence[OrdinalMetric], y_true: Any, y_pred: Any, reading: ReadingOptions
) -> Evidence:
    """Return the evidence of one system, for metrics that take the same predictions."""
    kind = evidence_kinds.own_kind(y_true)
    if kind is not None and is_evidence(y_true, y_pred):
        check_nothing_beside(reading, y_pred=y_pred)
        check_metrics_take(y_true, metrics)
        kind.check_one(y_true)
        evidence: Evidence = y_true
        return evidence
    if y_pred is None or are_of_labels(metrics):
        return read_confusion(y_true, y_pred, reading)
    return read_samples(
        [metric.evidence for metric in metrics], y_true, y_pred, reading, name="y_pred"
    )


def read_confusion(y_true: Any, y_pred: Any, reading: ReadingOptions) -> OrdinalConfusion:
    """Return the counts of one system."""
    if isinstance(y_true, OrdinalConfusion):
        check_nothing_beside(reading, y_pred=y_pred)
        confusion_counts.check_one_matrix(y_true, may_be_unanswered=True)
        confusion: OrdinalConfusion = y_true
        return confusion
    if is_evidence(y_true, y_pred):
        raise ValueError(
            f"evidence must be an OrdinalConfusion here, got {checks.shown(y_true)}: make one with "
            f"OrdinalConfusion.from_predictions."
        )
    if y_pred is None:
        raise ValueError(
            "y_pred must be given, unless y_true is evidence such as an OrdinalConfusion."
        )
    return OrdinalConfusion.from_predictions(y_true, y_pred, **reading)


def read_systems(
    metrics: Sequence[OrdinalMetric],
    y_true: Any,
    predictions: Mapping[str, Any],
    reading: ReadingOptions,
) -> SystemsEvidence:
    """Return the evidence of systems on the same samples; errors name the columns."""
    if is_evidence(y_true, *predictions.values()):
        check_nothing_beside(reading, **predictions)
        return systems_on_the_same_samples(y_true, metrics)
    for name, predicted in predictions.items():
        if predicted is None:
            raise ValueError(
                f"{name} must be given, unless y_true is evidence that holds all systems, such as "
                f"OrdinalConfusion.from_systems returns."
            )
    if are_of_labels(metrics):
        names = tuple(predictions)
        return confusion_counts.joint_confusion(
            OrdinalConfusion, y_true, predictions, names, **reading
        )
    systems = [
        read_samples([metric.evidence for metric in metrics], y_true, predicted, reading, name=name)
        for name, predicted in predictions.items()
    ]
    return _of_one_kind(systems)


def systems_on_the_same_samples(evidence: Any, metrics: Sequence[OrdinalMetric]) -> SystemsEvidence:
    """Return the evidence of systems; raise unless all systems have the same samples."""
    if isinstance(evidence, Mapping):
        evidence = list(evidence.values())
    systems = list(evidence) if isinstance(evidence, (list, tuple)) else [evidence]
    for system in systems:
        check_metrics_take(system, metrics)
    joint = systems[0]
    if isinstance(joint, OrdinalConfusion):
        samples = confusion_counts.samples_counted_in(joint)
        if len(systems) == 1 and joint.has_systems and samples is None:
            raise ValueError(
                "evidence must hold the samples of the systems, which sums, stacks, weighted "
                "counts and files do not: pass what OrdinalConfusion.from_systems returns for all "
                "samples."
            )
        if len(systems) > 1 or samples is None or len(samples.cells) < 2:
            raise ValueError(
                "evidence must hold at least two systems that are counted together, since separate "
                "confusion matrices do not show on which samples they differ: pass what "
                "OrdinalConfusion.from_systems returns."
            )
        return joint
    if len(systems) < 2:
        raise ValueError(f"evidence must hold at least two systems, got {checks.shown(evidence)}.")
    for other in systems:
        kind = evidence_kinds.own_kind(other)
        if kind is None or not isinstance(other, (OrdinalForecasts, OrdinalScores)):
            raise ValueError(
                f"evidence must be OrdinalForecasts or OrdinalScores for each system, got "
                f"{type(other).__name__}."
            )
        kind.check_one(other)
        scales.check_same_scale(systems[0].scale, other.scale)
        _check_same_samples(systems[0], other)
    return _of_one_kind(systems)


def read_ratings_pair(
    metrics: Sequence[OrdinalMetric],
    ratings: Any,
    predictions: Mapping[str, Any],
    reading: ReadingOptions,
) -> RatingsPair:
    """Return two ratings of the same items, whose patterns belong together."""
    check_nothing_beside(reading, **predictions)
    pair = list(ratings.values()) if isinstance(ratings, Mapping) else ratings
    is_pair = isinstance(pair, (list, tuple)) and len(pair) == 2
    if not is_pair or not all(isinstance(part, OrdinalRatings) for part in pair):
        raise ValueError(
            f"evidence must be two OrdinalRatings of the same items, got {checks.shown(ratings)}."
        )
    for part in pair:
        check_metrics_take(part, metrics)
        evidence_kinds.RATINGS.check_one(part)
    return grading.on_common_patterns(*pair)


def are_of_labels(metrics: Sequence[OrdinalMetric]) -> bool:
    """Return whether metrics take predicted classes, and raise if only some of them do."""
    of_labels = [
        metric for metric in metrics if metric.evidence.argument == evidence_kinds.LABELS.argument
    ]
    others = [
        metric for metric in metrics if metric.evidence.argument != evidence_kinds.LABELS.argument
    ]
    for metric in others:
        if metric.evidence is evidence_kinds.ESTIMATOR:
            raise ValueError(
                f"metrics must be computed from predictions, but {metric.name} needs the fitted "
                f"estimator: leave it out."
            )
    if of_labels and others:
        raise ValueError(
            f"metrics must take the same predictions, but {of_labels[0].name} takes predicted "
            f"classes and {others[0].name} {others[0].evidence.noun}: call the function once for "
            f"each."
        )
    return not others


def check_metrics_take(evidence: Any, metrics: Sequence[OrdinalMetric]) -> None:
    """Raise if a metric needs other predictions than the evidence has."""
    if not is_evidence(evidence):
        return
    for metric in metrics:
        if not isinstance(evidence, metric.evidence.accepts):
            raise ValueError(
                f"metrics has {metric.name}, which takes {metric.evidence.noun}, but the evidence "
                f"is {type(evidence).__name__}: pass the names of metrics for it, or metrics='all'."
            )


def check_nothing_beside(reading: ReadingOptions, **predictions: Any) -> None:
    """Raise if evidence is passed together with predictions or reading options such as `labels`."""
    for name, predicted in predictions.items():
        if predicted is not None:
            # The metrics come third, or later, if the true classes and predictions are arrays.
            is_metric = isinstance(predicted, str) or callable(predicted)
            raise ValueError(
                f"{name} must be left out if evidence is passed, which holds the predictions, got "
                f"{checks.shown(predicted)}{': pass it as metrics=' if is_metric else ''}."
            )
    for name, value in reading.items():
        if not counting.is_default(name, value):
            raise ValueError(
                f"{name} must be left out if evidence is passed, which is read already: pass it to "
                f"the constructor of the evidence."
            )


def read_samples(
    kinds: Collection[Kind],
    y_true: Any,
    predicted: Any,
    reading: ReadingOptions,
    *,
    name: str,
    copy: bool = False,
) -> Forecasts:
    """Return the probabilities of a system, or its scores if the kinds need only scores.

    Evidence that is kept needs a copy, since the arrays that were passed may change.
    """
    if is_evidence(y_true, predicted):
        check_nothing_beside(reading, **{name: predicted})
        evidence: Forecasts = y_true
        return evidence
    if predicted is None:
        raise ValueError(
            f"{name} must be given, unless y_true is evidence such as OrdinalForecasts."
        )
    counting.check_no_class_options(reading, f"for {next(iter(kinds)).noun}")
    options = {**counting.without_class_options(reading), "name": name, "copy": copy}
    shape = checks.as_numbers(name, predicted).shape
    is_score = len(shape) == 1 or shape[1:] == (1,)
    if is_score and evidence_kinds.PROBABILITIES not in kinds:
        return sampling.read_rows(
            forecasting.read_scores, OrdinalScores, y_true, predicted, **options
        )
    return sampling.read_rows(
        forecasting.read_forecasts, OrdinalForecasts, y_true, predicted, **options
    )


def _of_one_kind(systems: Sequence[Forecasts]) -> tuple[Forecasts, ...]:
    """Return the scores of all systems, unless all systems have probabilities."""
    if all(isinstance(system, OrdinalForecasts) for system in systems):
        return tuple(systems)
    return tuple(
        system.to_scores() if isinstance(system, OrdinalForecasts) else system for system in systems
    )


def _check_same_samples(first: Forecasts, other: Forecasts) -> None:
    pairs = {
        "true classes": (first.y_true, other.y_true),
        "weights": (first.weights, other.weights),
        "clusters": (first.clusters, other.clusters),
        "strata": (first.strata, other.strata),
    }
    for name, (a, b) in pairs.items():
        if not np.array_equal(a, b):  # type: ignore[arg-type]
            raise ValueError(
                f"evidence of several systems must be on the same samples, in the same order, got "
                f"different {name}."
            )
