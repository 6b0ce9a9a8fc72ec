"""Agreement beyond chance between truth and prediction."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal._catalogue import evaluate, or_undefined, ordinal_metric
from sklearn_ordinal._confusion import Counts, Values
from sklearn_ordinal.metrics._arrays import distance, divide, margins, total

_ONE_CLASS = "one class only is true and predicted"


def _weighted_kappa(counts: Counts, *, power: int) -> Values:
    disagreement = distance(counts.shape[-1]) ** power
    counts = counts.astype(np.float64)
    true, pred = margins(counts)
    by_chance = total(true[..., :, None] * pred[..., None, :] * disagreement)
    return 1 - divide(true.sum(axis=-1) * total(counts * disagreement), by_chance)


def _linear_weighted_kappa(counts: Counts) -> Values:
    return _weighted_kappa(counts, power=1)


def _quadratic_weighted_kappa(counts: Counts) -> Values:
    return _weighted_kappa(counts, power=2)


@ordinal_metric(
    _linear_weighted_kappa, greater_is_better=True, bounds=(-1.0, 1.0), chance_level=0.0
)
def linear_weighted_kappa_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Compute Cohen's kappa with linear weights.

    Disagreement is weighted by the number of classes between prediction and
    truth, in positions on the scale, and compared with that expected by chance
    [1]_:

    .. math:: \kappa = 1 - \sum_{ij} w_{ij} C_{ij} / \sum_{ij} w_{ij} E_{ij},
        \qquad w_{ij} = |i - j|

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_pred : array-like of shape (n_samples,)
        Predicted classes.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.
    replace_undefined_by : float, default=np.nan
        Value to return, without a warning, where the metric is undefined.

    Returns
    -------
    float
        Agreement in [-1, 1], without unit. 1 is best, 0 is agreement by chance. NaN
        with an `UndefinedMetricWarning` if one class only is true and predicted.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    quadratic_weighted_kappa_score : Weight by the squared number of classes.
    sklearn.metrics.cohen_kappa_score : The same where all classes occur.

    References
    ----------
    .. [1] J. Cohen (1968), "Weighted kappa: nominal scale agreement provision for
       scaled disagreement or partial credit", Psychological Bulletin 70(4),
       :doi:`10.1037/h0026256`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import linear_weighted_kappa_score
    >>> linear_weighted_kappa_score([0, 1, 2, 2], [0, 2, 2, 1])
    0.428571428571428...
    """
    value = evaluate(_linear_weighted_kappa, y_true, y_pred, labels, sample_weight)
    return or_undefined(value, replace_undefined_by, "linear weighted kappa", _ONE_CLASS)


@ordinal_metric(
    _quadratic_weighted_kappa, greater_is_better=True, bounds=(-1.0, 1.0), chance_level=0.0
)
def quadratic_weighted_kappa_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Compute Cohen's kappa with quadratic weights (QWK).

    Disagreement is weighted by the squared number of classes between prediction and
    truth, in positions on the scale, and compared with that expected by chance
    [1]_:

    .. math:: \kappa = 1 - \sum_{ij} w_{ij} C_{ij} / \sum_{ij} w_{ij} E_{ij},
        \qquad w_{ij} = |i - j|^2

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_pred : array-like of shape (n_samples,)
        Predicted classes.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.
    replace_undefined_by : float, default=np.nan
        Value to return, without a warning, where the metric is undefined.

    Returns
    -------
    float
        Agreement in [-1, 1], without unit. 1 is best, 0 is agreement by chance. NaN
        with an `UndefinedMetricWarning` if one class only is true and predicted.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    linear_weighted_kappa_score : Weight by the number of classes.
    sklearn.metrics.cohen_kappa_score : The same where all classes occur.

    References
    ----------
    .. [1] J. Cohen (1968), "Weighted kappa: nominal scale agreement provision for
       scaled disagreement or partial credit", Psychological Bulletin 70(4),
       :doi:`10.1037/h0026256`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import quadratic_weighted_kappa_score
    >>> quadratic_weighted_kappa_score([0, 1, 2, 2], [0, 2, 2, 1])
    0.636363636363636...
    """
    value = evaluate(_quadratic_weighted_kappa, y_true, y_pred, labels, sample_weight)
    return or_undefined(value, replace_undefined_by, "quadratic weighted kappa", _ONE_CLASS)
