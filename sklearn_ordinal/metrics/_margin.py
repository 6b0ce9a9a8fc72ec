"""Losses of margins: how far decision values are on the right side of the thresholds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import checks, scales, tolerances
from sklearn_ordinal._core.arithmetic import Floats
from sklearn_ordinal._core.scales import OrdinalScale

Penalty = Literal[
    "zero_one",
    "hinge",
    "smooth_hinge",
    "modified_least_squares",
    "logistic",
    "exponential",
    "squared",
]


def _smooth_hinge(margin: Floats) -> Floats:
    return np.where(margin <= 0, 0.5 - margin, np.maximum(1 - margin, 0) ** 2 / 2)


# Each penalty is a function of the margin, which is positive on the right side of a threshold.
_PENALTIES: Mapping[str, Callable[[Floats], Floats]] = {
    # A value on a threshold is wrong for both neighbouring classes.
    "zero_one": lambda margin: (margin <= 0).astype(np.float64),
    "hinge": lambda margin: np.maximum(1 - margin, 0),
    "smooth_hinge": _smooth_hinge,
    "modified_least_squares": lambda margin: np.maximum(1 - margin, 0) ** 2,
    "logistic": lambda margin: np.logaddexp(0, -margin),
    "exponential": lambda margin: np.exp(-margin),
    "squared": lambda margin: (1 - margin) ** 2,
}


def all_threshold_loss(
    y_true: ArrayLike,
    decision: ArrayLike,
    *,
    thresholds: ArrayLike | None = None,
    penalty: Penalty = "logistic",
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    base: float | None = None,
) -> float:
    r"""Compute the mean loss over samples, summed over all thresholds between classes.

    A sample of class :math:`y` should be above the thresholds of the lower classes and
    below the others. With decision value :math:`z`, thresholds :math:`\theta_k` and
    penalty :math:`f` [1]_:

    .. math:: \sum_{k < y} f(z - \theta_k) + \sum_{k \ge y} f(\theta_k - z)

    A prediction that is off by several classes is on the wrong side of as many thresholds.
    Unless the penalty is "squared", the loss therefore grows with the distance.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    decision : array-like of shape (n_samples,) or (n_samples, n_classes - 1)
        With `thresholds`, decision values, higher for higher classes. Without `thresholds`,
        shifted values: the decision value minus each threshold, from the lowest threshold
        to the highest. A value above a threshold is positive.
    thresholds : array-like of shape (n_classes - 1,), default=None
        Thresholds from the lowest to the highest; equal thresholds leave no room for the
        classes between them.
    penalty : str, default="logistic"
        Penalty as a function of the margin u, the distance from a threshold, which is
        negative on the wrong side:

        - "zero_one": 1 if u <= 0, so a value on a threshold is wrong for both sides
        - "hinge": max(1 - u, 0)
        - "smooth_hinge": 1/2 - u if u <= 0, else max(1 - u, 0)**2 / 2
        - "modified_least_squares": max(1 - u, 0)**2
        - "logistic": log(1 + exp(-u))
        - "exponential": exp(-u)
        - "squared": (1 - u)**2, which penalises samples far on the right side too
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.
    base : float, default=None
        Base of the logarithm of the logistic penalty, e if None. With 2, a sample on a
        threshold costs 1.

    Returns
    -------
    float
        Loss in [0, inf]. 0 is best.

    Raises
    ------
    ValueError
        If shifted values are passed with `thresholds` or other values without them,
        `thresholds` are not sorted or do not have one value for each pair of neighbouring
        classes, a decision value is not finite, `penalty` is not known, `base` is given for
        another penalty than "logistic", strings come without `labels`, or a class is not in
        `labels`.

    See Also
    --------
    immediate_threshold_loss : Only the two thresholds next to the true class.
    margin_loss : The penalties for two classes.
    sklearn.metrics.hinge_loss : The loss of classes without an order.

    References
    ----------
    .. [1] J. D. M. Rennie, N. Srebro (2005), "Loss functions for preference levels:
       regression with discrete ordered labels", IJCAI Multidisciplinary Workshop on
       Advances in Preference Handling.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import all_threshold_loss
    >>> y_true, decision = [0, 1, 1, 3, 2], [-2, -0.5, 0.2, 1, 3]
    >>> all_threshold_loss(y_true, decision, thresholds=[-1, 0.5, 2])
    1.1143...
    >>> all_threshold_loss(y_true, decision, thresholds=[-1, 0.5, 2], penalty="zero_one")
    0.4
    """
    margins, _, weight = _margins(y_true, decision, thresholds, labels, sample_weight)
    return _mean(_penalties(margins, penalty, base), weight)


def immediate_threshold_loss(
    y_true: ArrayLike,
    decision: ArrayLike,
    *,
    thresholds: ArrayLike | None = None,
    penalty: Penalty = "logistic",
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    base: float | None = None,
) -> float:
    r"""Compute the mean loss over samples at the thresholds next to the true class.

    A sample of class :math:`y` should be between the thresholds below and above its class.
    With decision value :math:`z`, thresholds :math:`\theta_k` and penalty :math:`f` [1]_:

    .. math:: f(z - \theta_{y-1}) + f(\theta_y - z)

    The lowest class has no threshold below it, and the highest class no threshold above
    it. Unlike `all_threshold_loss`, the loss does not depend on the number of
    thresholds between a sample and its class, but on the distance to the nearest
    threshold of its class.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    decision : array-like of shape (n_samples,) or (n_samples, n_classes - 1)
        With `thresholds`, decision values, higher for higher classes. Without `thresholds`,
        shifted values: the decision value minus each threshold, from the lowest threshold
        to the highest. A value above a threshold is positive.
    thresholds : array-like of shape (n_classes - 1,), default=None
        Thresholds from the lowest to the highest; equal thresholds leave no room for the
        classes between them.
    penalty : str, default="logistic"
        Penalty as a function of the margin: "zero_one", "hinge", "smooth_hinge",
        "modified_least_squares", "logistic", "exponential" or "squared"; see
        `all_threshold_loss`.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.
    base : float, default=None
        Base of the logarithm of the logistic penalty, e if None. With 2, a sample on a
        threshold costs 1.

    Returns
    -------
    float
        Loss in [0, inf]. 0 is best.

    Raises
    ------
    ValueError
        If shifted values are passed with `thresholds` or other values without them,
        `thresholds` are not sorted or do not have one value for each pair of neighbouring
        classes, a decision value is not finite, `penalty` is not known, `base` is given for
        another penalty than "logistic", strings come without `labels`, or a class is not in
        `labels`.

    See Also
    --------
    all_threshold_loss : The sum over all thresholds.
    margin_loss : The penalties for two classes.

    References
    ----------
    .. [1] J. D. M. Rennie, N. Srebro (2005), "Loss functions for preference levels:
       regression with discrete ordered labels", IJCAI Multidisciplinary Workshop on
       Advances in Preference Handling.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import immediate_threshold_loss
    >>> y_true, decision = [0, 1, 1, 3, 2], [-2, -0.5, 0.2, 1, 3]
    >>> immediate_threshold_loss(y_true, decision, thresholds=[-1, 0.5, 2], penalty="hinge")
    1.04
    """
    margins, true, weight = _margins(y_true, decision, thresholds, labels, sample_weight)
    threshold = np.arange(margins.shape[1])
    is_next = (threshold == true[:, None] - 1) | (threshold == true[:, None])
    return _mean(np.where(is_next, _penalties(margins, penalty, base), 0), weight)


def margin_loss(
    y_true: ArrayLike,
    decision: ArrayLike,
    *,
    thresholds: ArrayLike | None = None,
    penalty: Penalty = "logistic",
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    base: float | None = None,
) -> float:
    r"""Compute the mean loss of the margins of two classes, or of one class against the rest.

    With decision value :math:`z`, penalty :math:`f` and :math:`c = 1` for samples of the
    higher class and :math:`c = -1` for others, it is the mean of :math:`f(c z)` [1]_. For
    one class against the rest, pass ``y_true == label``.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes, from a scale with two classes.
    decision : array-like of shape (n_samples,)
        Decision values, higher for the higher class, such as the values that
        ``decision_function`` returns.
    thresholds : array-like of shape (1,), default=None
        The decision value between the classes, 0 if None.
    penalty : str, default="logistic"
        Penalty as a function of the margin: "zero_one", "hinge", "smooth_hinge",
        "modified_least_squares", "logistic", "exponential" or "squared"; see
        `all_threshold_loss`.
    labels : array-like of shape (2,), default=None
        The lower and the higher class. If None, taken from an ordered dtype or from
        integers; required for strings, and for -1 and 1, because 0 would otherwise be a
        class between them.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.
    base : float, default=None
        Base of the logarithm of the logistic penalty, e if None. With 2, a sample on the
        threshold costs 1.

    Returns
    -------
    float
        Loss in [0, inf]. 0 is best.

    Raises
    ------
    ValueError
        If there are not two classes, a decision value is not finite, `penalty` is not
        known, `base` is given for another penalty than "logistic", strings come without
        `labels`, or a class is not in `labels`.

    See Also
    --------
    all_threshold_loss : The sum over the thresholds between several classes.
    sklearn.metrics.hinge_loss : The mean hinge.

    References
    ----------
    .. [1] P. A. Flach (2012), "Machine Learning: The Art and Science of Algorithms that
       Make Sense of Data", Cambridge University Press, :doi:`10.1017/CBO9780511973000`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import margin_loss
    >>> margin_loss([0, 0, 1, 1], [-2, 0.5, 0, 3], penalty="hinge")
    0.625
    >>> margin_loss([0, 0, 1, 1], [0, 0, 0, 0], base=2)
    1.0
    """
    if thresholds is None:
        thresholds = [0.0]
    margins, _, weight = _margins(y_true, decision, thresholds, labels, sample_weight, 2)
    return _mean(_penalties(margins, penalty, base), weight)


def _margins(
    y_true: ArrayLike,
    decision: ArrayLike,
    thresholds: ArrayLike | None,
    labels: ArrayLike | None,
    sample_weight: ArrayLike | None,
    n_classes: int | None = None,
) -> tuple[Floats, NDArray[np.intp], Floats]:
    """Return the margin of each sample at each threshold, and its true class and weight."""
    scale, true = scales.encode_one(
        y_true, labels, name="y_true", decision=decision, sample_weight=sample_weight
    )
    if n_classes is not None and len(scale) != n_classes:
        raise ValueError(
            f"y_true must have {n_classes} classes, got {checks.shown(scale.labels.tolist())}: "
            "pass labels=[low, high], or y_true == label for one class against the rest."
        )
    shifted = _shifted_values(decision, thresholds, scale)
    scales.check_same_length({"y_true": len(true), "decision": len(shifted)})
    margins = np.where(np.arange(len(scale) - 1) < true[:, None], shifted, -shifted)
    if sample_weight is None:
        return margins, true, np.ones(len(true))
    weight = checks.check_sample_weight(sample_weight, len(true))
    # An infinite penalty times a weight of zero would be NaN.
    is_used = weight > 0
    return margins[is_used], true[is_used], weight[is_used]


def _shifted_values(
    decision: ArrayLike, thresholds: ArrayLike | None, scale: OrdinalScale
) -> Floats:
    """Return decision values minus thresholds: (n_samples, n_classes - 1)."""
    values = _finite("decision", decision)
    if thresholds is None:
        if values.ndim <= 1:
            raise ValueError(
                "thresholds must be given if decision has one value per sample: without them, "
                "decision must have shape (n_samples, n_classes - 1)."
            )
        _check_shape("decision", values, (len(values), len(scale) - 1), scale)
        _check_decreasing(values)
        return values
    values = values[:, 0] if values.shape[1:] == (1,) else values
    if values.ndim != 1:
        raise ValueError(
            f"decision must have one value per sample, got shape {values.shape}; thresholds must "
            f"be None if the values are already shifted."
        )
    at = _finite("thresholds", thresholds)
    _check_shape("thresholds", at, (len(scale) - 1,), scale)
    if (at[1:] < at[:-1]).any():
        raise ValueError(f"thresholds must be in ascending order, got {checks.shown(at.tolist())}.")
    # The difference of very large values overflows to infinity, which then counts as their
    # distance.
    with np.errstate(over="ignore"):
        shifted: NDArray[np.float64] = values[:, None] - at
    return shifted


def _finite(name: str, values: ArrayLike) -> Floats:
    numbers = checks.as_numbers(name, values).astype(np.float64, copy=False)
    if not np.isfinite(numbers).all():
        raise ValueError(f"{name} must be finite, got NaN or infinite values.")
    return numbers


def _check_shape(name: str, found: Floats, shape: tuple[int, ...], scale: OrdinalScale) -> None:
    if found.shape != shape:
        raise ValueError(
            f"{name} must have shape {shape} for the classes "
            f"{checks.shown(scale.labels.tolist())}, got {found.shape}: if the scale has other "
            "classes, pass all of them as labels=."
        )


def _check_decreasing(shifted: Floats) -> None:
    """Raise unless the thresholds by which each row is shifted are in ascending order."""
    size = np.abs(shifted).max(axis=1, initial=0, keepdims=True)
    is_bad = (np.diff(shifted, axis=1) > tolerances.RISING_DECISION * size).any(axis=1)
    if is_bad.any():
        row = int(is_bad.argmax())
        raise ValueError(
            f"decision must not increase along a row, because the thresholds are ascending: "
            f"row {row} is {checks.shown(shifted[row].tolist())} ({is_bad.sum()} such rows of "
            f"{len(shifted)})."
        )


def _penalties(margins: Floats, penalty: Penalty, base: float | None) -> Floats:
    checks.check_choice("penalty", penalty, Penalty)
    if base is not None:
        if penalty != "logistic":
            raise ValueError(
                f"base must be None unless penalty='logistic', got penalty={penalty!r}."
            )
        if not checks.is_real(base) or not 1 < base < np.inf:
            raise ValueError(f"base must be a number greater than 1, got {checks.shown(base)}.")
    # Margins that are far too small may have infinite penalties.
    with np.errstate(over="ignore"):
        values = _PENALTIES[penalty](margins)
    return values if base is None else values / np.log(float(base))


def _mean(penalties: Floats, weight: Floats) -> float:
    # Divide by a power of two, since the sum of large penalties may exceed the largest float.
    _, exponent = np.frexp(penalties.max(initial=0))
    relative = np.ldexp(penalties, -exponent)
    with np.errstate(over="ignore"):
        return float(np.ldexp(np.average(relative.sum(axis=1), weights=weight), exponent))
