"""Evidence and scores of one fold or of all folds together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import (
    IntegerArray,
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalMetric,
    OrdinalScale,
    OrdinalScores,
    from_checked,
    origin_of,
    run_starts,
    weights_at_prevalence,
)
from sklearn_ordinal.inference import (
    Interval,
    PairedDifference,
    corrected_t_interval,
    corrected_t_test,
)
from sklearn_ordinal.model_selection import FoldPredictions


def fold_confusion(
    scale: OrdinalScale, y_true: IntegerArray, fold: FoldPredictions
) -> OrdinalConfusion:
    """Count the predictions of a fold."""
    return _confusion(scale, y_true[fold.test], fold.y_pred)


def _confusion(scale: OrdinalScale, y_true: IntegerArray, y_pred: IntegerArray) -> OrdinalConfusion:
    n_classes = len(scale)
    cells = y_true.astype(np.int64) * n_classes + y_pred.astype(np.int64)
    counts = np.bincount(cells, minlength=n_classes**2).reshape(n_classes, n_classes)
    return OrdinalConfusion(scale, counts)


def joined_predictions(
    folds: Iterable[FoldPredictions | None],
) -> tuple[NDArray[np.intp], IntegerArray, NDArray[np.intp]]:
    """Return, for each prediction, the sample, the class and the number of tests of the sample."""
    worked = [fold for fold in folds if fold is not None]
    sample = np.concatenate([fold.test for fold in worked])
    y_pred = np.concatenate([fold.y_pred for fold in worked])
    return sample, y_pred, np.bincount(sample)[sample]


def joined_probabilities(folds: Iterable[FoldPredictions | None]) -> NDArray[np.float64] | None:
    """Return the probabilities, or else the scores, of the predictions of all folds.

    Return None unless all folds have kept probabilities or scores.
    """
    worked = [fold for fold in folds if fold is not None]
    y_proba = _joined([fold.y_proba for fold in worked])
    return (
        _joined([fold.y_score for fold in worked]) if y_proba is None else normalized_rows(y_proba)
    )


def _joined(arrays: Sequence[NDArray[np.float64] | None]) -> NDArray[np.float64] | None:
    """Return the concatenated arrays of all folds, or None if a fold has none."""
    present = [array for array in arrays if array is not None]
    return np.concatenate(present) if len(present) == len(arrays) else None


def normalized_rows(y_proba: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return probabilities that add up to 1, even if they were rounded to float32."""
    normalized: NDArray[np.float64] = y_proba / y_proba.sum(axis=1, keepdims=True)
    return normalized


def pooled_confusion(
    scale: OrdinalScale, y_true: IntegerArray, folds: Iterable[FoldPredictions]
) -> OrdinalConfusion:
    """Count the predictions of all folds so that each sample counts once.

    If a sample is tested k times, each of its predictions counts 1 / k.
    """
    sample, y_pred, n_times = joined_predictions(folds)
    if n_times.max(initial=1) == 1:
        return _confusion(scale, y_true[sample], y_pred)
    # Divide sums of integers instead of adding fractions, to keep the class sizes exact.
    counts = sum(
        _confusion(scale, y_true[sample[n_times == k]], y_pred[n_times == k]).counts / k
        for k in np.unique(n_times)
    )
    return OrdinalConfusion(scale, np.asarray(counts))


def pooled_samples(
    scale: OrdinalScale, y_true: IntegerArray, folds: Iterable[FoldPredictions]
) -> OrdinalForecasts | OrdinalScores | None:
    """Return the probabilities of folds, or their scores if none has probabilities.

    Each sample counts once: if it is tested k times, each of its predictions has the weight 1 / k.
    Return None if no fold has either.
    """
    folds = list(folds)
    proba = [(fold.test, fold.y_proba) for fold in folds if fold.y_proba is not None]
    scores = [(fold.test, fold.y_score) for fold in folds if fold.y_score is not None]
    if not proba and not scores:
        return None
    sample, predicted = map(np.concatenate, zip(*(proba or scores), strict=True))
    arguments = scale, y_true[sample].astype(np.intp), predicted, 1 / np.bincount(sample)[sample]
    if proba:
        return from_checked(OrdinalForecasts, *arguments)
    return from_checked(OrdinalScores, *arguments)


def fold_samples(
    scale: OrdinalScale, y_true: IntegerArray, fold: FoldPredictions
) -> OrdinalForecasts | OrdinalScores | None:
    """Return the probabilities of a fold, or its scores if it has no probabilities.

    Every prediction counts once, as in the counts of the fold. Return None if the fold has neither.
    """
    evidence = pooled_samples(scale, y_true, [fold])
    return None if evidence is None else evidence.reweighted(np.ones(evidence.n_samples))


def pooled_value(
    metric: OrdinalMetric,
    scale: OrdinalScale,
    y_true: IntegerArray,
    folds: Iterable[FoldPredictions],
    prevalence: NDArray[np.float64] | None = None,
) -> float:
    """Return the value of a criterion of rows for all folds, where each sample counts once.

    If samples are tested several times, the predictions are weighted if the criterion accepts
    weights. Otherwise, the value is the mean over the repetitions, or NaN if there are no
    repetitions because some samples are tested more often than others.
    """
    sample, y_pred, n_times = joined_predictions(folds)
    true, pred = scale.labels[y_true[sample]], scale.labels[y_pred]
    if prevalence is not None:
        weights = weights_at_prevalence(y_true[sample], prevalence, 1 / n_times)
        return metric.from_predictions(true, pred, sample_weight=weights)
    if n_times.max(initial=1) == 1:
        return metric.from_predictions(true, pred)
    if metric.takes_weights:
        return metric.from_predictions(true, pred, sample_weight=1 / n_times)
    if len(np.unique(n_times)) > 1:
        return np.nan
    repetition = _n_times_before(sample)
    values = np.array(
        [
            metric.from_predictions(true[is_tested], pred[is_tested])
            for is_tested in repetition == np.unique(repetition)[:, None]
        ]
    )
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else np.nan


def predictions_table(
    scale: OrdinalScale,
    y_true: IntegerArray,
    fold_predictions: Sequence[FoldPredictions | None],
) -> Any:
    """Return a row for each prediction: a data frame or, without pandas, a dict of columns."""
    folds = {i: fold for i, fold in enumerate(fold_predictions) if fold is not None}
    worked = list(folds.values())
    sample = np.concatenate([fold.test for fold in worked])
    columns: dict[str, NDArray[Any]] = {
        "sample": sample,
        "fold": np.repeat(list(folds), [len(fold.test) for fold in worked]),
        "repetition": _n_times_before(sample),
        "y_true": scale.labels[y_true[sample]],
        "y_pred": scale.labels[np.concatenate([fold.y_pred for fold in worked])],
    }
    y_proba = _joined([fold.y_proba for fold in worked])
    if y_proba is not None:
        labels = scale.labels.tolist()
        columns |= {f"proba_{label}": p for label, p in zip(labels, y_proba.T, strict=True)}
    y_score = _joined([fold.y_score for fold in worked])
    if y_score is not None:
        columns["y_score"] = y_score
    try:
        import pandas as pd
    except ImportError:
        return columns
    return pd.DataFrame(columns)


def n_times_tested(folds: Iterable[FoldPredictions | None], n_samples: int) -> NDArray[np.intp]:
    """Return the number of successful fits that tested each sample."""
    tests = [fold.test for fold in folds if fold is not None]
    return np.bincount(np.concatenate(tests), minlength=n_samples)


def n_repetitions(
    folds: Sequence[FoldPredictions | None], n_test: NDArray[np.intp], n_samples: int
) -> int:
    """Return the number of repetitions: 1 unless blocks of consecutive folds test all samples."""
    n_folds, n_times = len(folds), int(n_test.sum()) // n_samples
    if n_times < 2 or n_folds % n_times or n_folds == n_times:
        return 1
    n_per_repetition = n_folds // n_times
    for first in range(0, n_folds, n_per_repetition):
        part = slice(first, first + n_per_repetition)
        worked = [fold.test for fold in folds[part] if fold is not None]
        tested = np.concatenate([np.empty(0, dtype=np.intp), *worked])
        if n_test[part].sum() != n_samples or len(np.unique(tested)) < len(tested):
            return 1
    return n_times


def _n_times_before(sample: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the number of earlier occurrences of each value in the array."""
    order = np.argsort(sample, kind="stable")
    ordered = sample[order]
    starts = run_starts(ordered)
    lengths = np.diff(np.r_[starts, len(sample)])
    n_before = np.empty(len(sample), dtype=np.intp)
    n_before[order] = np.arange(len(sample)) - np.repeat(starts, lengths)
    return n_before


def folds_interval(
    values: NDArray[np.float64], metric: OrdinalMetric, n_classes: int, **options: float
) -> Interval:
    """Return the mean over the folds and its interval, which is undefined if a value is infinite.

    The interval is within the range of the metric. It is about the models fitted on this data, not
    about the learning algorithm.
    """
    interval = corrected_t_interval(_without_infinite(values), **options)
    if not np.isinf(values).any():
        ends = np.clip([interval.low, interval.high], *_proven_bounds(metric, n_classes))
        return replace(interval, low=ends[0], high=ends[1])
    return replace(interval, estimate=float(np.nanmean(values)), low=np.nan, high=np.nan)


def folds_difference(
    pair: tuple[NDArray[np.float64], NDArray[np.float64]],
    metric: OrdinalMetric,
    n_classes: int,
    **options: float,
) -> PairedDifference:
    """Return the mean difference of comparable values, within the range of differences."""
    better = bool(metric.greater_is_better)
    difference = corrected_t_test(*pair, greater_is_better=better, **options)
    low, high = _proven_bounds(metric, n_classes)
    ends = np.clip([difference.low, difference.high], low - high, high - low)
    return replace(difference, low=ends[0], high=ends[1])


def comparable(
    values: NDArray[np.float64], others: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the values of two estimators, all NaN if their mean difference is not finite."""
    has_both = ~(np.isnan(values) | np.isnan(others))
    if np.isinf(values[has_both]).any() or np.isinf(others[has_both]).any():
        return np.full_like(values, np.nan), np.full_like(others, np.nan)
    return _without_infinite(values), _without_infinite(others)


def _without_infinite(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return values, with infinite values replaced by NaN."""
    return np.where(np.isinf(values), np.nan, values)


def _proven_bounds(metric: OrdinalMetric, n_classes: int) -> tuple[float, float]:
    """Return the range of the values of a metric of this package.

    A user's metric may have wrong bounds, and this must not discard the result of a long run.
    """
    if not origin_of(metric.statistic).startswith("sklearn_ordinal.metrics."):
        return -np.inf, np.inf
    low, high = metric.bounds(n_classes)
    replacement = metric.options.get("replace_undefined_by", np.nan)
    return min(low, np.fmin(replacement, low)), max(high, np.fmax(replacement, high))
