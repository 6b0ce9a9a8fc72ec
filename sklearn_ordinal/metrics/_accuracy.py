"""Accuracy, also within n classes, and means and minima of the sensitivities of classes."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import accuracy_score, balanced_accuracy_score, f1_score

from sklearn_ordinal._core import arithmetic, catalogue, checks, counting
from sklearn_ordinal._core.arithmetic import Counts, Values
from sklearn_ordinal._core.catalogue import OrdinalMetric, Property, ordinal_metric
from sklearn_ordinal.metrics import _gradients

Mean = Literal["geometric", "arithmetic"]


def _within_n_accuracy(counts: Counts, *, n: int) -> Values:
    return arithmetic.divide(arithmetic.total(_within_n(counts, n)), arithmetic.total(counts))


def within_n_per_class(counts: Counts, *, n: int) -> Values:
    """Return the proportion of each true class predicted at most n classes away, NaN if empty."""
    return arithmetic.divide(_within_n(counts, n).sum(axis=-1), counts.sum(axis=-1))


def _within_n(counts: Counts, n: int) -> Counts:
    return np.where(arithmetic.distance(counts.shape[-1]) <= n, counts, 0)


def sensitivities(counts: Counts) -> Values:
    """Return the proportion of correct predictions for each true class, NaN for empty classes."""
    return arithmetic.divide(
        np.diagonal(counts, axis1=-2, axis2=-1), np.add.reduce(counts, axis=-1)
    )


def f1_per_class(counts: Counts) -> Values:
    """Return the F1 score of each class, NaN for classes that are neither true nor predicted."""
    true, pred = arithmetic.margins(counts)
    return arithmetic.divide(2 * np.diagonal(counts, axis1=-2, axis2=-1), true + pred)


def _accuracy(counts: Counts) -> Values:
    return _within_n_accuracy(counts, n=0)


def _balanced_accuracy(counts: Counts) -> Values:
    return arithmetic.mean_where_defined(sensitivities(counts))


def _f1_macro(counts: Counts) -> Values:
    return arithmetic.mean_where_defined(f1_per_class(counts))


def _within_n_gradient(counts: Counts, *, n: int = 0) -> Values:
    return _gradients.mean_gradient(counts, arithmetic.distance(counts.shape[-1]) <= n)


def _balanced_accuracy_gradient(counts: Counts) -> Values:
    return _gradients.macro_mean_gradient(counts, np.eye(counts.shape[-1]))


def _minimum_sensitivity_gradient(counts: Counts) -> Values:
    return -_gradients.maximum_gradient(counts, -np.eye(counts.shape[-1]))


def _geometric_mean_gradient(counts: Counts) -> Values:
    return _geometric_gradient(counts, np.arange(counts.shape[-1]))


def _extreme_sensitivity_gradient(counts: Counts, *, average: Mean = "geometric") -> Values:
    n_classes = counts.shape[-1]
    ends = np.array(sorted({0, n_classes - 1}))
    if average == "geometric":
        return _geometric_gradient(counts, ends)
    gradient = np.zeros(counts.shape)
    gradient[..., ends, :] = _gradients.macro_mean_gradient(
        counts[..., ends, :], np.eye(n_classes)[ends]
    )
    return gradient


def _geometric_gradient(counts: Counts, classes: NDArray[np.intp]) -> Values:
    """Return the derivatives of the geometric mean of the sensitivities of some classes."""
    rows = counts[..., classes, :]
    sizes = np.add.reduce(rows, axis=-1, dtype=np.float64)[..., None]
    is_right = np.eye(counts.shape[-1])[classes]
    share = arithmetic.divide(np.add.reduce(rows * is_right, axis=-1, keepdims=True), sizes)
    n_classes = np.count_nonzero(sizes, axis=-2)[..., None]
    n_zero = np.count_nonzero(share == 0, axis=-2)[..., None]
    mean = np.exp(arithmetic.mean_where_defined(np.log(share[..., 0])))[..., None, None]
    gradient = np.zeros(counts.shape)
    by_cell = arithmetic.divide(mean * (is_right - share), n_classes * sizes * share)
    if n_zero.any():
        # If a class has no correct prediction, the mean is 0 and stays 0, unless it is the only
        # such class: then its first correct prediction raises a root, which has no finite
        # derivative.
        first = np.where(n_classes == 1, arithmetic.divide(1, sizes), np.nan)
        of_zero = np.where((share == 0) & (n_zero == 1) & (is_right == 1), first, 0)
        by_cell = np.where(n_zero == 0, by_cell, of_zero)
    gradient[..., classes, :] = by_cell
    return gradient


def _f1_macro_gradient(counts: Counts) -> Values:
    true, pred = arithmetic.margins(counts)
    size = true + pred
    n_classes = np.count_nonzero(size, axis=-1)[..., None, None]
    loss = arithmetic.divide(f1_per_class(counts), size)
    gain = arithmetic.divide(2 * np.eye(counts.shape[-1]), size[..., None])
    return arithmetic.divide(gain - loss[..., :, None] - loss[..., None, :], n_classes)


def _costs_within_n(sizes: NDArray[np.float64], n: int = 0) -> NDArray[np.float64]:
    return (arithmetic.distance(sizes.shape[-1]) > n).astype(np.float64)


def _costs_balanced(sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    return arithmetic.per_true_class(_costs_within_n(sizes), sizes)


def _costs_extreme(
    sizes: NDArray[np.float64], average: Mean = "geometric"
) -> NDArray[np.float64] | None:
    if average == "geometric":
        return None
    is_end = np.isin(np.arange(sizes.shape[-1]), (0, sizes.shape[-1] - 1))
    return np.where(is_end[:, None], _costs_balanced(sizes), 0)


def _check_n(n: Any) -> None:
    checks.check_integer("n", n, at_least=0)


def _check_average(average: Any) -> None:
    checks.check_choice("average", average, Mean)


def _properties_within_n(n: int) -> set[Property]:
    # With n = 0, distance does not matter.
    return {"monotonic", "symmetric"} if n else {"invariant", "monotonic", "symmetric"}


def _minimum_sensitivity(counts: Counts) -> Values:
    sensitivity = sensitivities(counts)
    worst = np.where(np.isnan(sensitivity), np.inf, sensitivity).min(axis=-1)
    return np.where(np.isinf(worst), np.nan, worst)


def _geometric_mean(counts: Counts) -> Values:
    # Use logarithms: the product of many small sensitivities is zero in floating point.
    with np.errstate(divide="ignore"):
        return np.exp(arithmetic.mean_where_defined(np.log(sensitivities(counts))))


def _extreme_sensitivity(counts: Counts, *, average: Mean = "geometric") -> Values:
    ends = sensitivities(counts)[..., [0, -1]]
    if average == "arithmetic":
        return arithmetic.mean_where_defined(ends)
    with np.errstate(divide="ignore"):
        return np.exp(arithmetic.mean_where_defined(np.log(ends)))


@ordinal_metric(
    _within_n_accuracy,
    name="within_1_accuracy",
    n=1,
    greater_is_better=True,
    bounds=(0.0, 1.0),
    check=_check_n,
    costs=_costs_within_n,
    gradient=_within_n_gradient,
    properties=_properties_within_n,
    an_error_costs="1 if it is off by two or more classes, otherwise nothing",
    prefer="if a neighbouring class is as good as the correct one",
)
def within_n_accuracy_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    n: int = 1,
) -> float:
    """Compute the proportion of predictions at most `n` classes from the truth.

    Distance is measured in positions on the scale, so a class that does not occur keeps
    its place [1]_. Also known as accuracy within n, adjacent or off-by-one accuracy.

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
    n : int, default=1
        Largest distance between truth and prediction that counts as correct.

    Returns
    -------
    float
        Proportion of the samples, or of their weight, in [0, 1]. 1 is best.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, or `n` is not a
        non-negative integer.

    See Also
    --------
    ordinal_mean_absolute_error : Mean number of classes between truth and prediction.
    sklearn.metrics.accuracy_score : Proportion of exact predictions, `n=0`.

    References
    ----------
    .. [1] E. Amigo, J. Gonzalo, S. Mizzaro, J. Carrillo-de-Albornoz (2020), "An
       effectiveness metric for ordinal classification: formal properties and
       experimental results", ACL 2020, :doi:`10.18653/v1/2020.acl-main.363`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import within_n_accuracy_score
    >>> within_n_accuracy_score([0, 1, 2, 4], [0, 2, 0, 1])
    0.5
    """
    _check_n(n)
    return counting.evaluate(
        partial(_within_n_accuracy, n=n), y_true, y_pred, labels, sample_weight
    )


@ordinal_metric(
    _minimum_sensitivity,
    greater_is_better=True,
    bounds=(0.0, 1.0),
    gradient=_minimum_sensitivity_gradient,
    properties={"invariant", "monotonic", "imbalance", "prevalence invariant"},
    an_error_costs="its share of the true class, if that class is predicted worst",
    prefer="if no class may be neglected; ignores the order",
)
def minimum_sensitivity_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute the smallest sensitivity of the true classes (MS).

    This is the recall of the class in `y_true` that is predicted worst [1]_. The order
    of the classes does not matter.

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
        Recall of the worst class, in [0, 1]. 1 is best.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    geometric_mean_score : Geometric mean of the sensitivities.
    sklearn.metrics.balanced_accuracy_score : Arithmetic mean of the sensitivities.

    References
    ----------
    .. [1] J. C. Fernandez Caballero, F. J. Martinez, C. Hervas, P. A. Gutierrez (2010),
       "Sensitivity versus accuracy in multiclass problems using memetic Pareto
       evolutionary neural networks", IEEE Transactions on Neural Networks 21(5),
       :doi:`10.1109/TNN.2010.2041468`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import minimum_sensitivity_score
    >>> minimum_sensitivity_score([0, 1, 2, 2], [0, 2, 2, 1])
    0.0
    """
    return counting.evaluate(_minimum_sensitivity, y_true, y_pred, labels, sample_weight)


@ordinal_metric(
    _geometric_mean,
    greater_is_better=True,
    bounds=(0.0, 1.0),
    gradient=_geometric_mean_gradient,
    properties={"invariant", "monotonic", "imbalance", "prevalence invariant"},
    an_error_costs="a factor of the sensitivity of the true class",
    prefer="if no class may be neglected; ignores the order",
    interval_method="percentile",
)
def geometric_mean_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute the geometric mean of the sensitivities of the true classes.

    It is zero if some class in `y_true` has no correct prediction [1]_. The order of the
    classes does not matter.

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
        Geometric mean of the recall of the classes, in [0, 1]. 1 is best.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    minimum_sensitivity_score : The smallest sensitivity.
    extreme_sensitivity_score : Mean of the sensitivities of the two end classes.

    References
    ----------
    .. [1] M. Kubat, S. Matwin (1997), "Addressing the curse of imbalanced training
       sets: one-sided selection", ICML 1997.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import geometric_mean_score
    >>> geometric_mean_score([0, 1, 2, 2], [0, 1, 2, 1])
    0.7937...
    """
    return counting.evaluate(_geometric_mean, y_true, y_pred, labels, sample_weight)


@ordinal_metric(
    _extreme_sensitivity,
    greater_is_better=True,
    bounds=(0.0, 1.0),
    check=_check_average,
    costs=_costs_extreme,
    gradient=_extreme_sensitivity_gradient,
    properties={"monotonic", "prevalence invariant"},
    an_error_costs="a factor of the sensitivity of an end class, nothing elsewhere",
    prefer="if the lowest and the highest class matter most",
    exceptions={
        "an empty class at an end": "the end classes of the scale are part of the definition"
    },
    interval_method="percentile",
)
def extreme_sensitivity_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    average: Mean = "geometric",
    replace_undefined_by: float = np.nan,
) -> float:
    """Compute the mean sensitivity of the two end classes of the scale (GMSEC).

    Use it for problems in which the lowest and the highest class matter most [1]_. If an
    end class of the scale does not occur in `y_true`, the value is the sensitivity of the
    other end class, and no inner class takes its place. Pass `labels` if a fold may lack
    an end class.

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
    average : {"geometric", "arithmetic"}, default="geometric"
        Mean of the two sensitivities.
    replace_undefined_by : float, default=np.nan
        Value to return, without a warning, where the metric is undefined.

    Returns
    -------
    float
        Mean recall of the two end classes, in [0, 1]. 1 is best. NaN with an
        `UndefinedMetricWarning` if neither end class occurs in `y_true`.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, or `average`
        is not known.

    See Also
    --------
    geometric_mean_score : Geometric mean over all classes.
    minimum_sensitivity_score : The smallest sensitivity.

    References
    ----------
    .. [1] A. M. Duran-Rosal, J. Fernandez, P. A. Gutierrez, C. Hervas-Martinez (2017),
       "Detection and prediction of segments containing extreme significant wave
       heights", Ocean Engineering 142, :doi:`10.1016/j.oceaneng.2017.07.009`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import extreme_sensitivity_score
    >>> extreme_sensitivity_score([0, 0, 1, 2, 2], [0, 1, 1, 2, 2])
    0.7071...
    """
    _check_average(average)
    statistic = partial(_extreme_sensitivity, average=average)
    value = counting.evaluate(statistic, y_true, y_pred, labels, sample_weight)
    reason = "no end class of the scale occurs in y_true"
    return checks.or_undefined(value, replace_undefined_by, "extreme sensitivity", reason)


# scikit-learn functions that this package does not export.
catalogue.add_to_catalogue(
    OrdinalMetric(
        "accuracy",
        _accuracy,
        accuracy_score,
        value_range=(0.0, 1.0),
        properties={"invariant", "monotonic", "symmetric"},
        an_error_costs="1, whatever the distance",
        prefer="if all errors are equally bad; ignores the order",
        costs=_costs_within_n,
        gradient=_within_n_gradient,
    )
)
catalogue.add_to_catalogue(
    OrdinalMetric(
        "balanced_accuracy",
        _balanced_accuracy,
        balanced_accuracy_score,
        value_range=(0.0, 1.0),
        properties={"invariant", "monotonic", "imbalance", "prevalence invariant"},
        an_error_costs="its share of the true class, whatever the distance",
        prefer="if all classes matter equally; ignores the order",
        interval_method="percentile",
        costs=_costs_balanced,
        gradient=_balanced_accuracy_gradient,
    )
)
catalogue.add_to_catalogue(
    OrdinalMetric(
        "f1_macro",
        _f1_macro,
        f1_score,
        value_range=(0.0, 1.0),
        properties={"invariant", "imbalance", "symmetric"},
        an_error_costs="precision of one class and recall of another, whatever the distance",
        prefer="if all true and predicted classes matter equally; ignores the order",
        options={"average": "macro"},
        gradient=_f1_macro_gradient,
    )
)
