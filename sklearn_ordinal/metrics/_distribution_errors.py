"""Distances between predicted distributions and the distributions of soft labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import arithmetic, checks, sampling
from sklearn_ordinal._core.grading import OrdinalRatings


@overload
def wasserstein_error(
    y_soft: ArrayLike | OrdinalRatings,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    per_item: Literal[False] = False,
) -> float: ...
@overload
def wasserstein_error(
    y_soft: ArrayLike | OrdinalRatings,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    per_item: Literal[True],
) -> NDArray[np.float64]: ...
def wasserstein_error(
    y_soft: ArrayLike | OrdinalRatings,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    per_item: bool = False,
) -> float | NDArray[np.float64]:
    r"""Compute the mean Wasserstein distance between predicted and true distributions.

    The Wasserstein distance, or earth mover's distance, is the least mean distance, in positions on
    the scale, by which the predicted probability has to be moved to become the true distribution.
    On a scale, it is the sum of the distances between the cumulative probabilities over the
    thresholds between neighbouring classes:

    .. math:: W(p, q) = \sum_{k=0}^{K-2} |F_k - G_k|, \qquad
        F_k = \sum_{j \le k} p_j, \quad G_k = \sum_{j \le k} q_j

    If all raters of an item agree, it is the expected distance between the predicted class and
    theirs, where the predicted class is drawn from the predicted probabilities.

    Parameters
    ----------
    y_soft : array-like of shape (n_samples, n_classes), or OrdinalRatings
        True distributions over the classes, from the lowest to the highest; or the grades of
        several raters, each of whom has the same share of an item.
    y_proba : array-like of shape (n_samples, n_classes)
        Predicted probabilities of the classes, from the lowest to the highest. If the items of
        ratings have ids, a pandas DataFrame with these ids as its index is joined by id.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. The columns of frames that are named after
        classes must be in this order. If None, the classes of the ratings, or 0, 1, ...
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.
    per_item : bool, default=False
        Whether to return the distance of each item, in place of their mean.

    Returns
    -------
    float or ndarray of shape (n_samples,)
        Distance in [0, n_classes - 1]. 0 is best. For each item if `per_item`, NaN for an item
        without a grade.

    Raises
    ------
    ValueError
        If rows are not distributions, the numbers of rows or columns differ, or `sample_weight` is
        passed together with `per_item`.

    Warns
    -----
    UserWarning
        If items of ratings have no grade, so that the mean leaves them out.

    See Also
    --------
    manhattan_error : Ignore the order of the classes.
    ranked_probability_score : Sum the squared distances, to single true classes.
    OrdinalConfusion.from_soft_labels : Compare predicted classes with soft labels.

    Notes
    -----
    There is no scorer, since the classifiers and the splitters of scikit-learn refuse true classes
    of shape (n_samples, n_classes).

    Both distances compare whole distributions, as the shared task on learning with disagreements
    does [1]_. They are not expected values over single grades. The expected distance between
    the class of a rater and a class that is drawn from the prediction is at least as large, and
    positive even if both distributions are equal, unless they have a single class.

    References
    ----------
    .. [1] E. Leonardelli, S. Casola, S. Peng, G. Rizzi, V. Basile, E. Fersini, D. Frassinelli,
       H. Jang, M. Pavlovic, B. Plank, M. Poesio (2025), "LeWiDi-2025 at NLPerspectives: the third
       edition of the learning with disagreements shared task", :doi:`10.48550/arXiv.2510.08460`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import wasserstein_error
    >>> y_soft = [[0.8, 0.2, 0.0], [0.0, 0.5, 0.5], [0.2, 0.2, 0.6]]
    >>> y_proba = [[0.7, 0.2, 0.1], [0.1, 0.4, 0.5], [0.3, 0.4, 0.3]]
    >>> round(wasserstein_error(y_soft, y_proba), 4)
    0.2333
    >>> wasserstein_error(y_soft, y_proba, per_item=True).round(4)
    array([0.2, 0.1, 0.4])
    """
    return _mean_distance(_wasserstein, y_soft, y_proba, labels, sample_weight, per_item)


@overload
def manhattan_error(
    y_soft: ArrayLike | OrdinalRatings,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    per_item: Literal[False] = False,
) -> float: ...
@overload
def manhattan_error(
    y_soft: ArrayLike | OrdinalRatings,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    per_item: Literal[True],
) -> NDArray[np.float64]: ...
def manhattan_error(
    y_soft: ArrayLike | OrdinalRatings,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    per_item: bool = False,
) -> float | NDArray[np.float64]:
    r"""Compute the mean Manhattan distance between predicted and true distributions.

    It is the sum of the differences of the probabilities [1]_, twice the total variation distance.
    The order of the classes does not matter:

    .. math:: M(p, q) = \sum_{k=0}^{K-1} |p_k - q_k|

    Parameters
    ----------
    y_soft : array-like of shape (n_samples, n_classes), or OrdinalRatings
        True distributions over the classes, from the lowest to the highest; or the grades of
        several raters, each of whom has the same share of an item.
    y_proba : array-like of shape (n_samples, n_classes)
        Predicted probabilities of the classes, from the lowest to the highest. If the items of
        ratings have ids, a pandas DataFrame with these ids as its index is joined by id.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. The columns of frames that are named after
        classes must be in this order. If None, the classes of the ratings, or 0, 1, ...
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.
    per_item : bool, default=False
        Whether to return the distance of each item, in place of their mean.

    Returns
    -------
    float or ndarray of shape (n_samples,)
        Distance in [0, 2]. 0 is best. For each item if `per_item`, NaN for an item without a grade.

    Raises
    ------
    ValueError
        If rows are not distributions, the numbers of rows or columns differ, or `sample_weight` is
        passed together with `per_item`.

    Warns
    -----
    UserWarning
        If items of ratings have no grade, so that the mean leaves them out.

    See Also
    --------
    wasserstein_error : Weight differences by the distance of the classes.

    Notes
    -----
    There is no scorer, and the distance is not an expected value over single grades; see
    `wasserstein_error`.

    References
    ----------
    .. [1] E. Leonardelli, S. Casola, S. Peng, G. Rizzi, V. Basile, E. Fersini, D. Frassinelli,
       H. Jang, M. Pavlovic, B. Plank, M. Poesio (2025), "LeWiDi-2025 at NLPerspectives: the third
       edition of the learning with disagreements shared task", :doi:`10.48550/arXiv.2510.08460`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import manhattan_error
    >>> y_soft = [[0.8, 0.2, 0.0], [0.0, 0.5, 0.5], [0.2, 0.2, 0.6]]
    >>> y_proba = [[0.7, 0.2, 0.1], [0.1, 0.4, 0.5], [0.3, 0.4, 0.3]]
    >>> manhattan_error(y_soft, y_proba, per_item=True).round(4)
    array([0.2, 0.2, 0.6])
    """
    return _mean_distance(_manhattan, y_soft, y_proba, labels, sample_weight, per_item)


def _mean_distance(
    distances: Callable[[NDArray[np.float64]], tuple[NDArray[np.float64], float]],
    y_soft: Any,
    y_proba: Any,
    labels: Any,
    sample_weight: Any,
    per_item: bool,
) -> float | NDArray[np.float64]:
    """Return the mean of a distance that is a function of the differences (n_classes, n_items)."""
    checks.check_bool("per_item", per_item)
    if per_item and sample_weight is not None:
        raise ValueError(
            "sample_weight must be left out if per_item is True, since it weights the mean only."
        )
    soft, proba, weight = sampling.read_item_probabilities(y_soft, y_proba, labels, sample_weight)
    # With a row for each class, sums over the classes are fast sums of long rows.
    by_item, highest = distances(np.ascontiguousarray((proba - soft.shares).T))
    is_graded = soft.is_graded
    if per_item:
        return np.where(is_graded, arithmetic.clip_rounding(by_item, 0, highest), np.nan)
    mean = np.average(by_item[is_graded], weights=weight[is_graded])
    return min(float(mean), highest)


def _wasserstein(differences: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Return the distance of each item, and its largest value."""
    cumulative = differences.cumsum(axis=0)[:-1]
    return np.abs(cumulative).sum(axis=0), len(differences) - 1


def _manhattan(differences: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Return the distance of each item, and its largest value."""
    return np.abs(differences).sum(axis=0), 2.0
