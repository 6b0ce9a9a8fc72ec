"""Binary problems on an ordered scale, and the points of their curves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm
from sklearn.metrics import auc, det_curve, precision_recall_curve, roc_curve

from sklearn_ordinal._core import DIGITS_OF_PROBABILITIES, OrdinalForecasts, OrdinalScores
from sklearn_ordinal.metrics import pool_starts

Floats = NDArray[np.float64]
Split = Literal["threshold", "class"]
Curve: TypeAlias = tuple[Floats, Floats]

NO_CURVE = np.empty(0), np.empty(0)
# Positions of points that are added along a straight line between two operating points.
_ALONG = norm.cdf(np.linspace(-3, 3, 49))


@dataclass(frozen=True)
class BinaryProblem:
    """Samples labelled positive or negative, with scores that are higher for positive samples."""

    is_positive: NDArray[np.bool_]
    score: NDArray[np.float64]
    weights: NDArray[np.float64]

    @property
    def is_defined(self) -> bool:
        """Whether there are positive and negative samples."""
        return bool(self.is_positive.any() and not self.is_positive.all())


def check_one_set(
    argument: str,
    evidence: OrdinalForecasts | OrdinalScores,
    kinds: tuple[type, ...] = (OrdinalForecasts, OrdinalScores),
) -> None:
    """Raise if evidence is of another kind, is a stack, or has a scale with a single class."""
    if not isinstance(evidence, kinds):
        names = " or ".join(kind.__name__ for kind in kinds)
        raise ValueError(
            f"{argument} must be {names}, got {type(evidence).__name__}: pass arrays to "
            f"from_predictions."
        )
    if evidence.weights.ndim != 1:
        raise ValueError(
            f"{argument} must be one set of samples, got weights of shape "
            f"{evidence.weights.shape}: plot each part of a stack separately."
        )
    if evidence.n_classes < 2:
        raise ValueError(
            "y_true must have at least two classes, since a single class has no threshold: pass "
            "labels= with all classes from the lowest to the highest."
        )


def probability_above(forecasts: OrdinalForecasts) -> NDArray[np.float64]:
    """Return P(y > k) for each threshold k: (n_samples, n_classes - 1)."""
    above = np.cumsum(forecasts.y_proba[:, :0:-1], axis=1)[:, ::-1]
    return np.clip(np.round(above, DIGITS_OF_PROBABILITIES), 0.0, 1.0)


def binary_problems(
    evidence: OrdinalForecasts | OrdinalScores, split: Split
) -> list[BinaryProblem]:
    """Return a binary problem for each threshold, or for each class against the rest."""
    check_one_set("evidence", evidence)
    position = np.arange(evidence.n_classes)
    if split == "class":
        if isinstance(evidence, OrdinalScores):
            raise ValueError(
                "split='class' needs probabilities of shape (n_samples, n_classes), got scores, "
                "which do not separate a class in the middle from the rest: pass probabilities, "
                "or split='threshold'."
            )
        is_positive = evidence.y_true[:, None] == position
        scores = np.round(evidence.y_proba, DIGITS_OF_PROBABILITIES)
    else:
        is_positive = evidence.y_true[:, None] > position[:-1]
        if isinstance(evidence, OrdinalForecasts):
            scores = probability_above(evidence)
        else:
            scores = np.broadcast_to(evidence.y_score[:, None], is_positive.shape)
    used = evidence.weights > 0
    weights = evidence.weights[used]
    return [
        BinaryProblem(positive[used], score[used], weights)
        for positive, score in zip(is_positive.T, scores.T, strict=True)
    ]


def curve_points(
    problems: list[BinaryProblem], curve: Callable[[BinaryProblem], Curve]
) -> tuple[list[Floats], list[Floats]]:
    """Return the x and y values of each curve; the arrays of an undefined curve are empty."""
    curves = [curve(problem) if problem.is_defined else NO_CURVE for problem in problems]
    return [x for x, _ in curves], [y for _, y in curves]


def metric_values(problems: list[BinaryProblem], metric: Callable[..., float]) -> Floats:
    """Return the value of a metric of scores for each problem; NaN if it is undefined."""
    values = [
        metric(problem.is_positive, problem.score, sample_weight=problem.weights)
        if problem.is_defined
        else np.nan
        for problem in problems
    ]
    return np.array(values, dtype=np.float64)


def areas(x: list[Floats], y: list[Floats]) -> Floats:
    """Return the area under each curve; NaN if the curve is undefined."""
    return np.array([auc(*pair) if len(pair[0]) else np.nan for pair in zip(x, y, strict=True)])


def roc(problem: BinaryProblem) -> Curve:
    """Return false and true positive rates, starting with the highest score."""
    fpr, tpr, _ = roc_curve(problem.is_positive, problem.score, sample_weight=problem.weights)
    return fpr, tpr


def coverage(problem: BinaryProblem) -> Curve:
    """Return the numbers or weights of false and true positives."""
    fpr, tpr = roc(problem)
    n_positive = problem.weights[problem.is_positive].sum()
    n_negative = problem.weights[~problem.is_positive].sum()
    false_positives, true_positives = fpr * n_negative, tpr * n_positive
    if (problem.weights == 1).all():
        return np.rint(false_positives), np.rint(true_positives)
    return false_positives, true_positives


def recall_and_precision(problem: BinaryProblem) -> Curve:
    """Return recall and precision, starting with the lowest score."""
    precision, recall, _ = precision_recall_curve(
        problem.is_positive, problem.score, sample_weight=problem.weights
    )
    return recall, precision


def det(problem: BinaryProblem) -> Curve:
    """Return false positive and false negative rates."""
    fpr, fnr, _ = det_curve(problem.is_positive, problem.score, sample_weight=problem.weights)
    return fpr, fnr


def convex_hull(fpr: Floats, tpr: Floats) -> Curve:
    """Return the corners of the convex hull of a ROC curve."""
    if not len(fpr):
        return NO_CURVE
    # A weight may be too small to move the curve if the other weights are large.
    moved = np.concatenate([[True], (np.diff(fpr) > 0) | (np.diff(tpr) > 0)])
    fpr, tpr = fpr[moved], tpr[moved]
    # The curve begins with the highest scores, but the pools begin with the lowest.
    first = pool_starts(np.diff(tpr)[::-1], np.diff(fpr)[::-1])
    corners = np.concatenate([[0], (len(fpr) - 1 - first)[::-1]])
    return fpr[corners], tpr[corners]


def straight_in_rates(fpr: Floats, fnr: Floats) -> Curve:
    """Add points between operating points that differ in both rates."""
    starts = np.flatnonzero((np.diff(fpr) != 0) & (np.diff(fnr) != 0))
    x, y = (
        np.concatenate(
            [rates, (rates[starts, None] + np.diff(rates)[starts, None] * _ALONG).ravel()]
        )
        for rates in (fpr, fnr)
    )
    order = np.lexsort((y, -x))
    return x[order], y[order]


def deviates(rates: Floats) -> Floats:
    """Return the normal deviates of rates, large but finite for 0 and 1."""
    eps = np.finfo(np.float64).eps
    quantiles: Floats = norm.ppf(np.clip(rates, eps, 1 - eps))
    return quantiles
