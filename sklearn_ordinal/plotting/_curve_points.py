"""The points of the curves of binary problems."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm
from sklearn.metrics import auc, det_curve, precision_recall_curve, roc_curve

from sklearn_ordinal.metrics import pool_starts
from sklearn_ordinal.plotting._binary_problems import BinaryProblem

Floats = NDArray[np.float64]
Curve: TypeAlias = tuple[Floats, Floats]

NO_CURVE = np.empty(0), np.empty(0)
# Positions of points that are added along a straight line between two operating points.
_ALONG = norm.cdf(np.linspace(-3, 3, 49))


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
