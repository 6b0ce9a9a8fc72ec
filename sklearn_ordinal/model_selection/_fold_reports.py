"""The report of an estimator, made from its results on the folds."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import (
    ByMetric,
    EstimatorMetric,
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalMetric,
    OrdinalScores,
    RowMetric,
)
from sklearn_ordinal.inference import Interval, corrected_t_interval
from sklearn_ordinal.model_selection._evaluation import Evaluation
from sklearn_ordinal.model_selection._folds import FoldResult, FoldResults
from sklearn_ordinal.reports import (
    CrossValReport,
    FoldPredictions,
    confusion_of,
    finite,
    pooled_confusion,
    pooled_value,
    samples_at_prevalence,
    samples_of,
    samples_of_fold,
)


def make_report(
    fits: FoldResults, name: str, evaluation: Evaluation, *, confidence_level: float
) -> CrossValReport:
    """Make the report of one of the estimators."""
    results = fits.by_name[name]
    # A bootstrap repeats training samples, which adds no information.
    n_train = np.array([len(np.unique(train)) for train, _ in fits.splits])
    n_test = np.array([len(test) for _, test in fits.splits])
    scores, pooled = _values_of_criteria(results, evaluation)
    sizes = {"n_train": n_train.mean(), "n_test": n_test.mean()}
    intervals = {
        criterion: interval_of_folds(values, **sizes, confidence_level=confidence_level)
        for criterion, values in scores.items()
    }
    provenance = fits.provenance
    return CrossValReport(
        scale=evaluation.scale,
        y_true=evaluation.y_true,
        fold_predictions=tuple(result.predictions for result in results),
        metrics=ByMetric({metric.name: metric for metric in evaluation.metrics}),
        scores=scores,
        intervals=ByMetric(intervals),
        pooled_scores=pooled,
        n_train=n_train,
        n_test=n_test,
        fit_times=np.array([result.fit_time for result in results]),
        score_times=np.array([result.score_time for result in results]),
        estimators=tuple(r.estimator for r in results) if fits.has_estimators else None,
        failures=tuple(failure for result in results for failure in result.failures),
        prevalence=evaluation.prevalence,
        provenance=replace(provenance, estimators={name: provenance.estimators[name]}),
    )


def _values_of_criteria(
    results: list[FoldResult], evaluation: Evaluation
) -> tuple[ByMetric, ByMetric]:
    """Return the values of each criterion on the folds, and its value on all folds together."""
    scale, y_true, prevalence = evaluation.scale, evaluation.y_true, evaluation.prevalence
    worked: dict[int, FoldPredictions] = {
        result.fold: result.predictions for result in results if result.predictions is not None
    }
    folds = list(worked.values())
    stack = OrdinalConfusion.stack(
        confusion_of(scale, y_true[fold.test], fold.y_pred) for fold in folds
    )
    together = pooled_confusion(scale, y_true, folds)
    samples = [samples_of_fold(scale, y_true, fold) for fold in folds]
    all_samples = samples_of(scale, y_true, folds)
    if prevalence is not None:
        stack, together = stack.at_prevalence(prevalence), together.at_prevalence(prevalence)
        *samples, all_samples = (
            None if found is None else samples_at_prevalence(found, prevalence)
            for found in (*samples, all_samples)
        )
    scores, pooled = ByMetric(), ByMetric()
    for metric in evaluation.metrics:
        scores[metric.name] = np.full(len(results), np.nan)
        pooled[metric.name] = np.nan
        if isinstance(metric, (RowMetric, EstimatorMetric)):
            values = [results[fold].values.get(metric.name, np.nan) for fold in worked]
            scores[metric.name][list(worked)] = values
        elif metric.evidence == "labels":
            scores[metric.name][list(worked)] = metric(stack)
            pooled[metric.name] = metric(together)
        else:
            scores[metric.name][list(worked)] = [_value(metric, fold) for fold in samples]
            pooled[metric.name] = _value(metric, all_samples)
        if isinstance(metric, RowMetric):
            # A criterion that fails here also fails on the folds, where it is reported.
            with suppress(Exception):
                pooled[metric.name] = pooled_value(metric, scale, y_true, folds, prevalence)
    return scores, pooled


def _value(metric: OrdinalMetric, evidence: OrdinalForecasts | OrdinalScores | None) -> float:
    """Return the value for probabilities or scores, NaN if those that it needs are missing."""
    is_missing = metric.evidence == "probabilities" and isinstance(evidence, OrdinalScores)
    return np.nan if evidence is None or is_missing else float(metric(evidence))


def interval_of_folds(values: NDArray[np.float64], **options: float) -> Interval:
    """Return the mean over the folds and its interval, undefined if a value is infinite.

    The interval is about the models fitted on this data, not about the learning algorithm.
    """
    interval = corrected_t_interval(finite(values), **options)
    if not np.isinf(values).any():
        return interval
    return replace(interval, estimate=float(np.nanmean(values)), low=np.nan, high=np.nan)
