"""Evaluate a statistic: from what a user passes to evidence, and from evidence to a value."""

from __future__ import annotations

import math

from numpy.typing import ArrayLike
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core._checks import check_number
from sklearn_ordinal._core._counting import Unanswered, count, read_answers
from sklearn_ordinal._core._forecasts import OrdinalForecasts
from sklearn_ordinal._core._protocols import Statistic
from sklearn_ordinal._core._scores import OrdinalScores
from sklearn_ordinal._core._warnings import warn_caller


def evaluate(
    statistic: Statistic,
    y_true: ArrayLike,
    y_pred: ArrayLike,
    labels: ArrayLike | None,
    sample_weight: ArrayLike | None,
    unanswered: Unanswered = "raise",
) -> float:
    """Return the statistic of the counts of labels, NaN if it is undefined."""
    columns = {"y_true": y_true, "y_pred": y_pred}
    counts, missing, _ = count(read_answers(columns, labels, sample_weight, unanswered))
    if missing is None:
        return float(statistic(counts))
    return float(statistic(counts, unanswered=missing))


def evaluate_forecasts(
    statistic: Statistic,
    y_true: ArrayLike,
    y_proba: ArrayLike,
    labels: ArrayLike | None,
    sample_weight: ArrayLike | None,
) -> float:
    """Return the statistic of probabilities, NaN if it is undefined."""
    forecasts = OrdinalForecasts.from_probabilities(
        y_true, y_proba, labels=labels, sample_weight=sample_weight
    )
    return float(statistic(forecasts))


def evaluate_scores(
    statistic: Statistic,
    y_true: ArrayLike,
    y_score: ArrayLike,
    labels: ArrayLike | None,
    sample_weight: ArrayLike | None,
) -> float:
    """Return the statistic of scores, NaN if it is undefined."""
    scores = OrdinalScores.from_scores(y_true, y_score, labels=labels, sample_weight=sample_weight)
    return float(statistic(scores))


def or_undefined(value: float, replace_undefined_by: float, name: str, reason: str) -> float:
    """Return the value, or its replacement if the value is NaN; warn if both are NaN."""
    check_number("replace_undefined_by", replace_undefined_by)
    if not math.isnan(value):
        return value
    if math.isnan(replace_undefined_by):
        warn_caller(f"{name} is undefined: {reason}.", UndefinedMetricWarning)
    return float(replace_undefined_by)
