"""Errors in classes: mean, macro-averaged (AMAE), maximum and squared errors, and bias.

The bias and the rates of over- and underestimation are neither better nor worse if higher: a system
that always predicts the lowest class overestimates nothing, and errors in both directions cancel in
the bias.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import arithmetic, counting
from sklearn_ordinal._core.arithmetic import Counts, Values
from sklearn_ordinal._core.catalogue import ordinal_metric
from sklearn_ordinal.metrics import _gradients

# Errors: the number of classes between prediction and truth
# ----------------------------------------------------------


def _mean_error(counts: Counts, *, power: int) -> Values:
    return arithmetic.divide(
        arithmetic.total(counts * arithmetic.distance(counts.shape[-1]) ** power),
        arithmetic.total(counts),
    )


def _error_per_class(counts: Counts, *, power: int) -> Values:
    errors = (counts * arithmetic.distance(counts.shape[-1]) ** power).sum(axis=-1)
    return arithmetic.divide(errors, counts.sum(axis=-1))


def mean_absolute_error_per_class(counts: Counts) -> Values:
    """Return the mean distance of the predictions for each true class, NaN for empty classes."""
    return _error_per_class(counts, power=1)


def bias_per_class(counts: Counts) -> Values:
    """Return the mean signed error of the predictions for each true class, NaN if empty."""
    position = np.arange(counts.shape[-1])
    signed = (counts * (position - position[:, None])).sum(axis=-1)
    return arithmetic.divide(signed, counts.sum(axis=-1))


def _mean_error_gradient(counts: Counts, *, power: int) -> Values:
    return _gradients.mean_gradient(counts, arithmetic.distance(counts.shape[-1]) ** power)


def _macro_error_gradient(counts: Counts, *, power: int) -> Values:
    return _gradients.macro_mean_gradient(counts, arithmetic.distance(counts.shape[-1]) ** power)


def _maximum_error_gradient(counts: Counts) -> Values:
    return _gradients.maximum_gradient(counts, arithmetic.distance(counts.shape[-1]))


def _distance_bounds(n_classes: int) -> tuple[float, float]:
    return 0.0, n_classes - 1.0


def _squared_distance_bounds(n_classes: int) -> tuple[float, float]:
    return 0.0, (n_classes - 1.0) ** 2


def _costs(sizes: NDArray[np.float64], *, power: int) -> NDArray[np.float64]:
    return arithmetic.distance(sizes.shape[-1]) ** power


def _costs_per_class(sizes: NDArray[np.float64], *, power: int) -> NDArray[np.float64]:
    return arithmetic.per_true_class(_costs(sizes, power=power), sizes)


def _mean_absolute_error(counts: Counts) -> Values:
    return _mean_error(counts, power=1)


def _mean_squared_error(counts: Counts) -> Values:
    return _mean_error(counts, power=2)


def _macro_averaged_mean_absolute_error(counts: Counts) -> Values:
    return arithmetic.mean_where_defined(_error_per_class(counts, power=1))


def _macro_averaged_mean_squared_error(counts: Counts) -> Values:
    return arithmetic.mean_where_defined(_error_per_class(counts, power=2))


def _maximum_mean_absolute_error(counts: Counts) -> Values:
    errors = _error_per_class(counts, power=1)
    worst = np.where(np.isnan(errors), -np.inf, errors).max(axis=-1)
    return np.where(np.isinf(worst), np.nan, worst)


@ordinal_metric(
    _mean_absolute_error,
    greater_is_better=False,
    bounds=_distance_bounds,
    costs=partial(_costs, power=1),
    gradient=partial(_mean_error_gradient, power=1),
    properties={"monotonic", "strictly monotonic", "symmetric"},
    an_error_costs="the number of classes",
    prefer="if distances between classes are meaningful and larger classes matter more",
)
def ordinal_mean_absolute_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute the mean number of classes between prediction and truth (MAE).

    Distance is measured in positions on the scale [1]_, so neighbouring classes count as
    equally far apart; `sklearn.metrics.mean_absolute_error` uses the numbers that label the
    classes.

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
        Mean distance in classes, in [0, n_classes - 1]. 0 is best.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    macro_averaged_mean_absolute_error : All true classes count equally.

    References
    ----------
    .. [1] L. Gaudette, N. Japkowicz (2009), "Evaluation methods for ordinal
       classification", Canadian AI 2009, :doi:`10.1007/978-3-642-01818-3_25`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import ordinal_mean_absolute_error
    >>> ordinal_mean_absolute_error([0, 1, 2, 2], [0, 2, 2, 0])
    0.75
    """
    return counting.evaluate(_mean_absolute_error, y_true, y_pred, labels, sample_weight)


@ordinal_metric(
    _mean_squared_error,
    greater_is_better=False,
    bounds=_squared_distance_bounds,
    costs=partial(_costs, power=2),
    gradient=partial(_mean_error_gradient, power=2),
    properties={"monotonic", "strictly monotonic", "symmetric"},
    an_error_costs="the squared number of classes",
    prefer="if large errors are much worse than small ones",
)
def ordinal_mean_squared_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute the mean squared number of classes between prediction and truth (MSE).

    Distance is measured in positions on the scale [1]_, so neighbouring classes count as
    equally far apart.

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
        Mean squared distance in classes, in [0, (n_classes - 1)**2]. 0 is best.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    ordinal_mean_absolute_error : Mean distance.
    macro_averaged_mean_squared_error : All true classes count equally.

    References
    ----------
    .. [1] L. Gaudette, N. Japkowicz (2009), "Evaluation methods for ordinal
       classification", Canadian AI 2009, :doi:`10.1007/978-3-642-01818-3_25`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import ordinal_mean_squared_error
    >>> ordinal_mean_squared_error([0, 1, 2, 2], [0, 2, 2, 0])
    1.25
    """
    return counting.evaluate(_mean_squared_error, y_true, y_pred, labels, sample_weight)


@ordinal_metric(
    _macro_averaged_mean_absolute_error,
    greater_is_better=False,
    bounds=_distance_bounds,
    costs=partial(_costs_per_class, power=1),
    gradient=partial(_macro_error_gradient, power=1),
    properties={"monotonic", "strictly monotonic", "imbalance", "prevalence invariant"},
    an_error_costs="the number of classes, divided by the size of the true class",
    prefer="if distances between classes are meaningful and all classes matter equally",
    interval_method="percentile",
)
def macro_averaged_mean_absolute_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute the mean of the mean absolute errors of the true classes (AMAE, macro MAE).

    All classes that occur in `y_true` count equally, however small they are [1]_. A
    class that is only predicted keeps its place on the scale, but adds no term to the
    mean. Distance is measured in positions on the scale.

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
        Mean distance in classes, in [0, n_classes - 1]. 0 is best.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    ordinal_mean_absolute_error : All samples count equally.

    References
    ----------
    .. [1] S. Baccianella, A. Esuli, F. Sebastiani (2009), "Evaluation measures for
       ordinal regression", ISDA 2009, :doi:`10.1109/ISDA.2009.230`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import macro_averaged_mean_absolute_error
    >>> macro_averaged_mean_absolute_error([0, 0, 1, 4, 4], [0, 1, 1, 4, 1])
    0.6666666666666666
    """
    return counting.evaluate(
        _macro_averaged_mean_absolute_error, y_true, y_pred, labels, sample_weight
    )


@ordinal_metric(
    _macro_averaged_mean_squared_error,
    greater_is_better=False,
    bounds=_squared_distance_bounds,
    costs=partial(_costs_per_class, power=2),
    gradient=partial(_macro_error_gradient, power=2),
    properties={"monotonic", "strictly monotonic", "imbalance", "prevalence invariant"},
    an_error_costs="the squared number of classes, divided by the size of the true class",
    prefer="if large errors are much worse than small ones and all classes matter equally",
)
def macro_averaged_mean_squared_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute the mean of the mean squared errors of the true classes (macro MSE).

    All classes that occur in `y_true` count equally, however small they are [1]_.
    Distance is measured in positions on the scale.

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
        Mean squared distance in classes, in [0, (n_classes - 1)**2]. 0 is best.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    macro_averaged_mean_absolute_error : Mean distance instead of mean squared distance.
    ordinal_mean_squared_error : All samples count equally.

    References
    ----------
    .. [1] S. Baccianella, A. Esuli, F. Sebastiani (2009), "Evaluation measures for
       ordinal regression", ISDA 2009, :doi:`10.1109/ISDA.2009.230`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import macro_averaged_mean_squared_error
    >>> macro_averaged_mean_squared_error([0, 0, 1, 4, 4], [0, 1, 1, 4, 1])
    1.6666...
    """
    return counting.evaluate(
        _macro_averaged_mean_squared_error, y_true, y_pred, labels, sample_weight
    )


@ordinal_metric(
    _maximum_mean_absolute_error,
    greater_is_better=False,
    bounds=_distance_bounds,
    gradient=_maximum_error_gradient,
    interval_scale="linear",
    properties={"monotonic", "imbalance", "prevalence invariant"},
    an_error_costs="the number of classes, if the true class is predicted worst",
    prefer="if no class may be predicted badly",
)
def maximum_mean_absolute_error(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute the largest mean absolute error of the true classes (MMAE).

    It is the mean distance, in positions on the scale, of the class in `y_true` that is
    predicted worst [1]_.

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
        Mean distance of the worst class, in classes, in [0, n_classes - 1]. 0 is best.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    macro_averaged_mean_absolute_error : Mean over the true classes.
    minimum_sensitivity_score : Recall of the worst class.

    References
    ----------
    .. [1] M. Cruz-Ramirez, C. Hervas-Martinez, J. Sanchez-Monedero, P. A. Gutierrez
       (2014), "Metrics to guide a multi-objective evolutionary algorithm for ordinal
       classification", Neurocomputing 135, :doi:`10.1016/j.neucom.2013.05.058`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import maximum_mean_absolute_error
    >>> maximum_mean_absolute_error([0, 0, 1, 4, 4], [0, 1, 1, 4, 1])
    1.5
    """
    return counting.evaluate(_maximum_mean_absolute_error, y_true, y_pred, labels, sample_weight)


# The direction of errors: how far, and how often, predictions are too high or too low
# ------------------------------------------------------------------------------------


def _signed_distance(n_classes: int) -> NDArray[np.intp]:
    """Return the predicted minus the true position of each cell, rows true."""
    position = np.arange(n_classes)
    return position - position[:, None]


def _has_sign(n_classes: int, *, sign: int) -> NDArray[np.float64]:
    has_sign: NDArray[np.bool_] = np.sign(_signed_distance(n_classes)) == sign
    return has_sign.astype(np.float64)


def bias(counts: Counts) -> Values:
    """Return the mean signed error in classes."""
    return arithmetic.divide(
        arithmetic.total(counts * _signed_distance(counts.shape[-1])), arithmetic.total(counts)
    )


def _share(counts: Counts, *, sign: int) -> Values:
    return arithmetic.divide(
        arithmetic.total(counts * _has_sign(counts.shape[-1], sign=sign)), arithmetic.total(counts)
    )


def _overestimated(counts: Counts) -> Values:
    return _share(counts, sign=1)


def _underestimated(counts: Counts) -> Values:
    return _share(counts, sign=-1)


def bias_gradient(counts: Counts) -> Values:
    """Return the derivatives of the bias by each count."""
    return _gradients.mean_gradient(counts, _signed_distance(counts.shape[-1]))


def _share_gradient(counts: Counts, *, sign: int) -> Values:
    return _gradients.mean_gradient(counts, _has_sign(counts.shape[-1], sign=sign))


# The costs say that the value is a proportion, which has an interval even if it is 0.
def _share_costs(sizes: NDArray[np.float64], *, sign: int) -> NDArray[np.float64]:
    return _has_sign(sizes.shape[-1], sign=sign)


def bias_bounds(n_classes: int) -> tuple[float, float]:
    """Return the lowest and the highest bias."""
    return 1.0 - n_classes, n_classes - 1.0


@ordinal_metric(
    bias,
    greater_is_better=None,
    bounds=bias_bounds,
    gradient=bias_gradient,
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
    return counting.evaluate(bias, y_true, y_pred, labels, sample_weight)


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
    return counting.evaluate(_overestimated, y_true, y_pred, labels, sample_weight)


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
    return counting.evaluate(_underestimated, y_true, y_pred, labels, sample_weight)
