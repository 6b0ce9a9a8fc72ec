"""Cohen's kappa with linear, quadratic (QWK) or other weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import arithmetic, checks, counting
from sklearn_ordinal._core.arithmetic import Counts, Values
from sklearn_ordinal._core.catalogue import Property, ordinal_metric
from sklearn_ordinal.metrics import _gradients

# Weights of agreement between classes: named weights, and matrices that users pass
# ---------------------------------------------------------------------------------

Weighting = Literal[
    "identity", "linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar"
]
Weights: TypeAlias = Weighting | ArrayLike


def _ratio(n_classes: int) -> Values:
    grade = np.arange(1.0, n_classes + 1)
    return (arithmetic.distance(n_classes) / (grade[:, None] + grade)) ** 2


def _circular(n_classes: int) -> Values:
    squared: Values = np.sin(np.pi * arithmetic.distance(n_classes) / n_classes) ** 2
    return squared


def _bipolar(n_classes: int) -> Values:
    from_lowest = np.arange(float(n_classes))
    sums = from_lowest[:, None] + from_lowest
    products = sums * (2 * (n_classes - 1) - sums)
    # Only two grades that are equal, both the lowest or both the highest, have the product 0.
    return arithmetic.distance(n_classes) ** 2 / np.where(products == 0, 1, products)


# The disagreements of the classes, as in Gwet (2014, chapter 3), up to a factor.
_DISAGREEMENTS: Mapping[Weighting, Callable[[int], Values]] = {
    "identity": lambda n_classes: (arithmetic.distance(n_classes) > 0).astype(np.float64),
    "linear": arithmetic.distance,
    "quadratic": lambda n_classes: arithmetic.distance(n_classes) ** 2,
    "ordinal": lambda n_classes: (
        arithmetic.distance(n_classes) * (arithmetic.distance(n_classes) + 1) / 2
    ),
    "radical": lambda n_classes: np.sqrt(arithmetic.distance(n_classes)),
    "ratio": _ratio,
    "circular": _circular,
    "bipolar": _bipolar,
}
ONE_CLASS = "y_true and y_pred contain a single class"


def disagreement_matrix(n_classes: int, weights: Weights) -> NDArray[np.float64]:
    """Return how far true (rows) and predicted classes (columns) disagree."""
    if isinstance(weights, str):
        # ArrayLike includes str, so mypy does not narrow it to a name.
        return _DISAGREEMENTS[weights](n_classes)  # type: ignore[index]
    return 1 - _check_matrix(weights, n_classes)


def _check_matrix(weights: ArrayLike, n_classes: int) -> NDArray[np.float64]:
    matrix = checks.as_class_numbers("weights", weights).astype(np.float64)
    if matrix.shape != (n_classes, n_classes):
        raise ValueError(
            f"weights must have shape ({n_classes}, {n_classes}), a row and a column for each "
            f"class of the scale, got {matrix.shape}: pass labels= if there are more classes."
        )
    if not ((matrix >= 0) & (matrix <= 1)).all() or (matrix.diagonal() != 1).any():
        raise ValueError(
            "weights must be weights of agreement, from 0 to 1 and 1 on the diagonal: pass "
            "1 - weights / weights.max() if they are weights of disagreement."
        )
    if (matrix != matrix.T).any():
        i, j = np.argwhere(matrix != matrix.T)[0]
        raise ValueError(
            f"weights must be symmetric, got {matrix[i, j]} at [{i}, {j}] and {matrix[j, i]} at "
            f"[{j}, {i}]."
        )
    return matrix


def check_agreement_weights(weights: Any) -> None:
    """Raise unless weights are a name or may be a matrix; the statistic checks the matrix."""
    is_matrix = hasattr(weights, "__len__") and not isinstance(weights, (str, bytes))
    if not is_matrix and not (isinstance(weights, str) and weights in _DISAGREEMENTS):
        raise ValueError(
            f"weights must be one of {get_args(Weighting)} or a matrix, got "
            f"{checks.shown(weights)}."
        )


def check_bound_weights(weights: Any) -> None:
    """Raise unless weights are a name or a matrix for as many classes as it has rows."""
    check_agreement_weights(weights)
    if not isinstance(weights, str):
        n_classes = max((2, *checks.as_class_numbers("weights", weights).shape[:1]))
        _check_matrix(weights, n_classes)


def why_undefined(weights: Weights) -> str:
    """Return the reason why no disagreement is expected by chance."""
    if isinstance(weights, str):
        return ONE_CLASS
    return f"{ONE_CLASS}, or only classes that agree fully according to the weights"


def agreement_bounds(_: int, weights: Weights = "quadratic") -> tuple[float, float]:
    # The named disagreements are squared Euclidean distances between points, such as the points of
    # a circle. For such distances, the observed disagreement is at most twice the disagreement
    # expected by chance.
    return -1.0 if isinstance(weights, str) else -np.inf, 1.0


def agreement_properties(weights: Weights = "quadratic") -> set[Property] | None:
    if not isinstance(weights, str):
        return None
    # Without distances, an inserted class changes nothing, and the errors expected by chance depend
    # on the sizes of the classes, not on their places on the scale.
    if weights == "identity":
        return {"invariant", "imbalance", "symmetric", "differentiable"}
    return {"symmetric", "differentiable"}


# Cohen's kappa with weights
# --------------------------


def _weighted_kappa(counts: Counts, *, weights: Weights = "ordinal") -> Values:
    disagreement = disagreement_matrix(counts.shape[-1], weights)
    true, pred = arithmetic.margins(counts)
    by_chance = arithmetic.weighted_pairs(true, pred, disagreement)
    n_samples = np.add.reduce(true, axis=-1)
    kappa = 1 - arithmetic.divide(
        n_samples * arithmetic.weighted_total(counts, disagreement), by_chance
    )
    return arithmetic.clip_rounding(kappa, *agreement_bounds(counts.shape[-1], weights))


def _weighted_kappa_gradient(counts: Counts, *, weights: Weights = "ordinal") -> Values:
    disagreement = disagreement_matrix(counts.shape[-1], weights)
    return _gradients.chance_corrected_gradient(counts, disagreement, *arithmetic.margins(counts))


def _kappa_properties(weights: Weights = "ordinal") -> set[Property] | None:
    properties = agreement_properties(weights)
    # The disagreement expected by chance is constant if both margins are given.
    return None if properties is None else {*properties, "centred at chance"}


def _linear_weighted_kappa(counts: Counts) -> Values:
    return _weighted_kappa(counts, weights="linear")


def _quadratic_weighted_kappa(counts: Counts) -> Values:
    return _weighted_kappa(counts, weights="quadratic")


@ordinal_metric(
    _linear_weighted_kappa,
    greater_is_better=True,
    bounds=(-1.0, 1.0),
    gradient=partial(_weighted_kappa_gradient, weights="linear"),
    chance_level=0.0,
    properties={"symmetric", "centred at chance"},
    an_error_costs="the number of classes, relative to chance",
    prefer="for two raters on an evenly spaced scale",
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
    truth, in positions on the scale, and compared with the disagreement expected
    by chance [1]_:

    .. math:: \kappa = 1 - \sum_{ij} w_{ij} C_{ij} / \sum_{ij} w_{ij} E_{ij},
        \qquad w_{ij} = |i - j|

    where :math:`C_{ij}` samples of class :math:`i` are predicted as :math:`j`, and
    :math:`E_{ij}` is the size of true class :math:`i` times the size of
    predicted class :math:`j`, divided by the number of samples.

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
    replace_undefined_by : float, default=np.nan
        Value to return, without a warning, where the metric is undefined.

    Returns
    -------
    float
        Agreement in [-1, 1]. 1 is best, 0 is agreement by chance. NaN with an
        `UndefinedMetricWarning` if `y_true` and `y_pred` contain a single class.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    quadratic_weighted_kappa_score : Weight by the squared number of classes.
    sklearn.metrics.cohen_kappa_score : The same coefficient if all classes occur.

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
    value = counting.evaluate(_linear_weighted_kappa, y_true, y_pred, labels, sample_weight)
    return checks.or_undefined(value, replace_undefined_by, "linear weighted kappa", ONE_CLASS)


@ordinal_metric(
    _quadratic_weighted_kappa,
    greater_is_better=True,
    bounds=(-1.0, 1.0),
    gradient=partial(_weighted_kappa_gradient, weights="quadratic"),
    chance_level=0.0,
    properties={"symmetric", "centred at chance"},
    an_error_costs="the squared number of classes, relative to chance",
    prefer="to compare with published results; close to a correlation",
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
    truth, in positions on the scale, and compared with the disagreement expected by chance
    [1]_:

    .. math:: \kappa = 1 - \sum_{ij} w_{ij} C_{ij} / \sum_{ij} w_{ij} E_{ij},
        \qquad w_{ij} = |i - j|^2

    where :math:`C_{ij}` samples of class :math:`i` are predicted as :math:`j`, and
    :math:`E_{ij}` is the size of true class :math:`i` times the size of predicted class
    :math:`j`, divided by the number of samples.

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
    replace_undefined_by : float, default=np.nan
        Value to return, without a warning, where the metric is undefined.

    Returns
    -------
    float
        Agreement in [-1, 1]. 1 is best, 0 is agreement by chance. NaN with an
        `UndefinedMetricWarning` if `y_true` and `y_pred` contain a single class.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    linear_weighted_kappa_score : Weight by the number of classes.
    sklearn.metrics.cohen_kappa_score : The same coefficient if all classes occur.

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
    value = counting.evaluate(_quadratic_weighted_kappa, y_true, y_pred, labels, sample_weight)
    return checks.or_undefined(value, replace_undefined_by, "quadratic weighted kappa", ONE_CLASS)


@ordinal_metric(
    _weighted_kappa,
    name="ordinal_weighted_kappa",
    weights="ordinal",
    greater_is_better=True,
    bounds=agreement_bounds,
    gradient=_weighted_kappa_gradient,
    check=check_bound_weights,
    chance_level=0.0,
    properties=_kappa_properties,
    an_error_costs="its weight, by default d (d + 1) / 2 for d classes, relative to chance",
    prefer="if linear weights are too mild and quadratic weights too severe",
)
def weighted_kappa_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    weights: Weights = "ordinal",
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Compute Cohen's kappa with given weights.

    Disagreement, one minus the weight of agreement :math:`w_{ij}`, is compared with the
    disagreement expected by chance [1]_. Distance is measured in positions on the
    scale:

    .. math:: \kappa = 1 - \sum_{ij} (1 - w_{ij}) C_{ij} /
        \sum_{ij} (1 - w_{ij}) E_{ij}

    where :math:`C_{ij}` samples of class :math:`i` are predicted as :math:`j`, and
    :math:`E_{ij}` is the size of true class :math:`i` times the size of predicted class
    :math:`j`, divided by the number of samples.

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
    weights : str or array-like of shape (n_classes, n_classes), default="ordinal"
        Weights of agreement. A name says how disagreement grows with the distance
        :math:`d` of two classes: "identity", 1 if they differ (kappa without weights);
        "linear", :math:`d`; "quadratic", :math:`d^2`; "ordinal", :math:`d (d + 1) / 2`; "radical",
        :math:`\sqrt{d}`. In terms of the grades :math:`k` and :math:`l`, from 1 to
        :math:`K`: "ratio", :math:`d^2 / (k + l)^2`; "circular", :math:`\sin^2(\pi d / K)`,
        for scales such as hours, whose ends meet; "bipolar",
        :math:`d^2 / ((k + l - 2) (2K - k - l))`, where errors near an end weigh more. A
        matrix must be symmetric and have a row and a column for each class, 1 on the
        diagonal, and values from 0 (no agreement) to 1 elsewhere [2]_.
    replace_undefined_by : float, default=np.nan
        Value to return, without a warning, where the metric is undefined.

    Returns
    -------
    float
        Agreement, at most 1, and at least -1 unless `weights` is a matrix. 1 is best, 0 is
        agreement by chance. NaN with an `UndefinedMetricWarning` if `y_true` and `y_pred`
        contain a single class, or only classes that agree fully according to a matrix.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, or `weights`
        is neither a known name nor a matrix of weights of agreement.

    See Also
    --------
    linear_weighted_kappa_score : Weight by the number of classes.
    quadratic_weighted_kappa_score : Weight by the squared number of classes.
    sklearn.metrics.cohen_kappa_score : Identity, linear and quadratic weights, on the scale
        of the classes that occur.

    References
    ----------
    .. [1] J. Cohen (1968), "Weighted kappa: nominal scale agreement provision for
       scaled disagreement or partial credit", Psychological Bulletin 70(4),
       :doi:`10.1037/h0026256`.
    .. [2] K. L. Gwet (2014), "Handbook of inter-rater reliability", 4th edition, Advanced
       Analytics, chapter 3.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import weighted_kappa_score
    >>> weighted_kappa_score([0, 1, 2, 2], [0, 2, 2, 1])
    0.555555555555555...
    >>> weights = [[1, 0.8, 0], [0.8, 1, 0.2], [0, 0.2, 1]]
    >>> weighted_kappa_score([0, 1, 2, 2], [0, 2, 2, 1], weights=weights)
    0.1578...
    """
    check_agreement_weights(weights)
    statistic = partial(_weighted_kappa, weights=weights)
    value = counting.evaluate(statistic, y_true, y_pred, labels, sample_weight)
    return checks.or_undefined(
        value, replace_undefined_by, "weighted kappa", why_undefined(weights)
    )
