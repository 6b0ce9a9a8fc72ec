"""The direction of errors: how far, and how often, predictions are too high or too low.

These criteria have no direction: a system that always predicts the lowest class overestimates
nothing, and errors in both directions cancel in the bias.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import LABELS, Counts, Values, divide, ordinal_metric, total
from sklearn_ordinal.metrics._gradients import mean_gradient


def _signed_distance(n_classes: int) -> NDArray[np.intp]:
    """Return the predicted minus the true position of each cell, rows true."""
    position = np.arange(n_classes)
    return position - position[:, None]


def _has_sign(n_classes: int, *, sign: int) -> NDArray[np.float64]:
    has_sign: NDArray[np.bool_] = np.sign(_signed_distance(n_classes)) == sign
    return has_sign.astype(np.float64)


def _bias(counts: Counts) -> Values:
    return divide(total(counts * _signed_distance(counts.shape[-1])), total(counts))


def _share(counts: Counts, *, sign: int) -> Values:
    return divide(total(counts * _has_sign(counts.shape[-1], sign=sign)), total(counts))


def _overestimated(counts: Counts) -> Values:
    return _share(counts, sign=1)


def _underestimated(counts: Counts) -> Values:
    return _share(counts, sign=-1)


def _bias_gradient(counts: Counts) -> Values:
    return mean_gradient(counts, _signed_distance(counts.shape[-1]))


def _share_gradient(counts: Counts, *, sign: int) -> Values:
    return mean_gradient(counts, _has_sign(counts.shape[-1], sign=sign))


# The costs say that the value is a proportion, which has an interval even if it is 0.
def _share_costs(sizes: NDArray[np.float64], *, sign: int) -> NDArray[np.float64]:
    return _has_sign(sizes.shape[-1], sign=sign)


def _bias_bounds(n_classes: int) -> tuple[float, float]:
    return 1.0 - n_classes, n_classes - 1.0


@ordinal_metric(
    _bias,
    greater_is_better=None,
    bounds=_bias_bounds,
    gradient=_bias_gradient,
    properties={"additive"},
    an_error_costs="the signed number of classes; errors up and down cancel",
    prefer="to see whether predictions are too high or too low on average",
    exceptions={
        "best if perfect": "0 is best, in the middle of the range",
        "reversal": "the sign changes",
    },
    interval_scale="linear",
)
def ordinal_bias(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute the mean signed number of classes between prediction and truth.

    It is the mean predicted position minus the mean true position on the scale, the bias of a
    method of measurement [1]_. Positive values say that predictions are too high. Errors in
    both directions cancel, so a value near 0 does not say that the predictions are good, and
    systems are not ranked by it: report it next to a criterion such as the mean absolute error.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_pred : array-like of shape (n_samples,)
        Predicted classes. A missing prediction raises a ValueError; the unanswered
        samples of an `OrdinalConfusion` are left out.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.

    Returns
    -------
    float
        Mean signed distance in classes, in [1 - n_classes, n_classes - 1]. 0 is best.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    ordinal_mean_absolute_error : Mean distance without the sign.
    overestimation_rate : Share of the predictions that are too high.

    References
    ----------
    .. [1] J. M. Bland, D. G. Altman (1986), "Statistical methods for assessing agreement between
       two methods of clinical measurement", The Lancet 327(8476),
       :doi:`10.1016/S0140-6736(86)90837-8`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import ordinal_bias
    >>> ordinal_bias([0, 1, 2, 2], [0, 2, 2, 0])
    -0.25
    """
    return LABELS.evaluate(_bias, y_true, y_pred, labels, sample_weight)


@ordinal_metric(
    _overestimated,
    greater_is_better=None,
    bounds=(0.0, 1.0),
    costs=partial(_share_costs, sign=1),
    gradient=partial(_share_gradient, sign=1),
    properties={"invariant"},
    an_error_costs="1 if the prediction is too high",
    prefer="if predictions that are too high have consequences of their own",
    exceptions={"reversal": "too high becomes too low"},
)
def overestimation_rate(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute the proportion of predictions that are higher than the truth.

    The sign of a difference matters, as between two methods of measurement [1]_; in medicine, the
    rate is called overtriage. Predicting the lowest class throughout overestimates nothing, so
    systems are not ranked by it: report it with `underestimation_rate`. The two rates and the
    accuracy add up to 1.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_pred : array-like of shape (n_samples,)
        Predicted classes. A missing prediction raises a ValueError; the unanswered
        samples of an `OrdinalConfusion` are left out.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.

    Returns
    -------
    float
        Proportion of the samples, or of their weight, in [0, 1]. 0 is best.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    underestimation_rate : Proportion of predictions that are lower than the truth.
    ordinal_bias : Mean signed number of classes.

    References
    ----------
    .. [1] J. M. Bland, D. G. Altman (1986), "Statistical methods for assessing agreement between
       two methods of clinical measurement", The Lancet 327(8476),
       :doi:`10.1016/S0140-6736(86)90837-8`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import overestimation_rate
    >>> overestimation_rate([0, 1, 2, 2], [0, 2, 2, 0])
    0.25
    """
    return LABELS.evaluate(_overestimated, y_true, y_pred, labels, sample_weight)


@ordinal_metric(
    _underestimated,
    greater_is_better=None,
    bounds=(0.0, 1.0),
    costs=partial(_share_costs, sign=-1),
    gradient=partial(_share_gradient, sign=-1),
    properties={"invariant"},
    an_error_costs="1 if the prediction is too low",
    prefer="if predictions that are too low have consequences of their own",
    exceptions={"reversal": "too low becomes too high"},
)
def underestimation_rate(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute the proportion of predictions that are lower than the truth.

    The sign of a difference matters, as between two methods of measurement [1]_; in medicine, the
    rate is called undertriage. Predicting the highest class throughout underestimates nothing, so
    systems are not ranked by it: report it with `overestimation_rate`. The two rates and the
    accuracy add up to 1.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_pred : array-like of shape (n_samples,)
        Predicted classes. A missing prediction raises a ValueError; the unanswered
        samples of an `OrdinalConfusion` are left out.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.

    Returns
    -------
    float
        Proportion of the samples, or of their weight, in [0, 1]. 0 is best.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    overestimation_rate : Proportion of predictions that are higher than the truth.
    ordinal_bias : Mean signed number of classes.

    References
    ----------
    .. [1] J. M. Bland, D. G. Altman (1986), "Statistical methods for assessing agreement between
       two methods of clinical measurement", The Lancet 327(8476),
       :doi:`10.1016/S0140-6736(86)90837-8`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import underestimation_rate
    >>> underestimation_rate([0, 1, 2, 2], [0, 2, 2, 0])
    0.25
    """
    return LABELS.evaluate(_underestimated, y_true, y_pred, labels, sample_weight)
