"""PRMSE: how well a system predicts the true scores of items that several raters grade."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import checks, containers, evidence_kinds, grading
from sklearn_ordinal._core.grading import OrdinalRatings

# The squares of larger scores may overflow.
_LARGEST_SCORE = 1e100


def prmse_score(ratings: OrdinalRatings, y_score: ArrayLike | Mapping[Any, float]) -> float:
    r"""Compute the proportional reduction of the mean squared error (PRMSE) of a system.

    A rater's grade is the true score of the item plus an error. The PRMSE is the share of the
    variance of the true scores that the system explains, estimated from the grades [1]_:

    .. math:: 1 - \frac{\mathrm{MSE}}{V_T}, \qquad
        \mathrm{MSE} = \frac{\sum_i r_i (\bar x_i - s_i)^2 - N V_E}{M}, \qquad
        V_T = \frac{\sum_i r_i (\bar x_i - \bar x)^2 - (N - 1) V_E}{M - \sum_i r_i^2 / M}

    where item :math:`i` of :math:`N` has :math:`r_i` of all :math:`M` grades, their mean is
    :math:`\bar x_i`, the mean of all grades is :math:`\bar x`, and the score of the system is
    :math:`s_i`. :math:`V_E`, the variance of the errors, is the sum of the squared deviations from
    the means of the items divided by :math:`M - N`.

    Parameters
    ----------
    ratings : OrdinalRatings
        The grades of several raters. Numbers are taken as they are; other classes are replaced by
        their positions 0, 1, ... on the scale.
    y_score : array-like of shape (n_items,) or mapping
        Score of the system for each item, in the unit of the grades, in the order of the items; or,
        if the items have ids, a pandas Series or a mapping from each id to its score. A Series with
        the index 0, 1, ... is in the order of the items. Grades of a judge are scores too; if they
        are strings, pass their positions 0, 1, ... on the scale.

    Returns
    -------
    float
        Share of the variance, mostly at most 1, which is best; 0 if the system is as good as the
        mean of all true scores. It may be negative. Since it is an estimate, it may also exceed 1,
        and it is not clipped. NaN, with an `UndefinedMetricWarning`, if the estimated variance
        of the true scores is not positive.

    Raises
    ------
    ValueError
        If `ratings` are not `OrdinalRatings`, or there is not a finite score for each item with a
        grade.

    See Also
    --------
    agreement_score : Agreement of the raters with each other.
    sklearn_ordinal.raters.alternative_annotator_test : Ask whether a judge can replace a rater.

    Notes
    -----
    A system is compared with the true scores and not with the grades of one rater, so the value
    does not fall if the raters make more errors. Errors are assumed to have the same variance for
    each rater and to be independent, so a judge that makes the errors of one rater looks better
    than it is.

    Items with a single grade count for the variance of the true scores and the error of the system,
    not for the variance of the errors. Items without a grade are left out. The weights of items
    count as frequencies: an item of weight 2 is two items.

    References
    ----------
    .. [1] A. Loukina, N. Madnani, A. Cahill, L. Yao, M. S. Johnson, B. Riordan, D. F. McCaffrey
       (2020), "Using PRMSE to evaluate automated scoring systems in the presence of label noise",
       BEA 2020, :doi:`10.18653/v1/2020.bea-1.2`.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalRatings
    >>> from sklearn_ordinal.metrics import prmse_score
    >>> ratings = OrdinalRatings.from_ratings([[1, 1], [2, 3], [3, 3], [4, None], [2, 2]])
    >>> prmse_score(ratings, [1.5, 2.0, 3.0, 3.5, 2.0])
    0.9294...
    """
    grading.check_ratings(ratings)
    value, _ = prmse_influences(ratings, _read_item_scores(ratings, y_score))
    reason = "the estimated variance of the true scores is not positive"
    return checks.or_undefined(value, math.nan, "prmse", reason)


def _read_item_scores(ratings: OrdinalRatings, y_score: Any) -> NDArray[np.float64]:
    """Return the score of each item, which must be finite where the item has a grade."""
    values = containers.joined_by_item("y_score", y_score, ratings.items)
    values = checks.as_numbers("y_score", values).astype(np.float64)
    grading.check_each_item("y_score", values.shape, ratings)
    is_missing = ~np.isfinite(values) & (ratings.n_grades > 0)
    if np.isnan(values).all():
        raise ValueError(
            "y_score must have a score for each item with a grade, but all are NaN: "
            "check how the scores are joined with the items."
        )
    if is_missing.any():
        raise ValueError(
            f"y_score must be finite for each item with a grade, got {values[is_missing][0]} for "
            f"{int(is_missing.sum()):,} of {ratings.n_samples:,} items: drop these items."
        )
    largest = np.nanmax(np.abs(values), initial=0)
    if largest > _LARGEST_SCORE:
        raise ValueError(
            f"y_score must be in the unit of the grades, at most {_LARGEST_SCORE:g} in absolute "
            f"value, got {largest:g}."
        )
    return values


class _Prmse(NamedTuple):
    value: float
    influences: NDArray[np.float64]
    """Derivative of the value by the weight of each item, 0 for items that do not count."""


def grade_numbers(ratings: OrdinalRatings) -> NDArray[np.float64]:
    """Return the number that stands for each class: itself, or the position on the scale."""
    labels = ratings.labels
    numbers = labels if labels.dtype.kind in "iufb" else np.arange(len(labels))
    return numbers.astype(np.float64)


@np.errstate(divide="ignore", invalid="ignore")
def prmse_influences(ratings: OrdinalRatings, scores: NDArray[np.float64]) -> _Prmse:
    """Return the PRMSE of scores, NaN for items without a score, and what each item adds to it."""
    is_grade = ratings.patterns >= 0
    grades = np.where(is_grade, grade_numbers(ratings)[ratings.patterns], 0)
    n_grades = is_grade.sum(axis=1)
    weight = evidence_kinds.item_weights(ratings)
    counts = (n_grades[ratings.pattern] > 0) & ~np.isnan(scores) & (weight > 0)
    weight, scores, pattern = weight[counts], scores[counts], ratings.pattern[counts]
    means = grades.sum(axis=1) / np.maximum(n_grades, 1)
    within = (np.where(is_grade, grades - means[:, None], 0) ** 2).sum(axis=1)
    number, mean, within = n_grades[pattern], means[pattern], within[pattern]

    n_items, n_total = weight.sum(), (weight * number).sum()
    n_squares = (weight * number**2).sum()
    # Deviations from the mean of all grades, whose own derivative is then 0.
    deviation = number * (mean - (weight * number * mean).sum() / n_total) ** 2
    residual = number * (mean - scores) ** 2
    of_errors = (weight * within).sum() / (n_total - n_items)
    between = (weight * deviation).sum() - (n_items - 1) * of_errors
    divisor = n_total - n_squares / n_total
    of_truth = between / divisor
    squared_error = ((weight * residual).sum() - n_items * of_errors) / n_total
    influences = np.zeros(len(counts))
    if not of_truth > 0:
        return _Prmse(np.nan, influences)
    errors_moved = (within - of_errors * (number - 1)) / (n_total - n_items)
    between_moved = deviation - of_errors - (n_items - 1) * errors_moved
    divisor_moved = number - (number**2 - n_squares * number / n_total) / n_total
    truth_moved = (between_moved - of_truth * divisor_moved) / divisor
    error_moved = (residual - of_errors - n_items * errors_moved - squared_error * number) / n_total
    influences[counts] = (squared_error / of_truth * truth_moved - error_moved) / of_truth
    return _Prmse(float(1 - squared_error / of_truth), influences)
