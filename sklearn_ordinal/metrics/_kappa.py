"""Cohen's kappa with weights."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal._core import (
    LABELS,
    Counts,
    Property,
    Values,
    clip_rounding,
    divide,
    margins,
    or_undefined,
    ordinal_metric,
    weighted_pairs,
    weighted_total,
)
from sklearn_ordinal.metrics._gradients import chance_corrected_gradient
from sklearn_ordinal.metrics._weights import (
    ONE_CLASS,
    Weights,
    agreement_bounds,
    agreement_properties,
    check_agreement_weights,
    check_bound_weights,
    disagreement_matrix,
    why_undefined,
)


def _weighted_kappa(counts: Counts, *, weights: Weights = "ordinal") -> Values:
    disagreement = disagreement_matrix(counts.shape[-1], weights)
    true, pred = margins(counts)
    by_chance = weighted_pairs(true, pred, disagreement)
    n_samples = np.add.reduce(true, axis=-1)
    kappa = 1 - divide(n_samples * weighted_total(counts, disagreement), by_chance)
    return clip_rounding(kappa, *agreement_bounds(counts.shape[-1], weights))


def _weighted_kappa_gradient(counts: Counts, *, weights: Weights = "ordinal") -> Values:
    disagreement = disagreement_matrix(counts.shape[-1], weights)
    return chance_corrected_gradient(counts, disagreement, *margins(counts))


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
    value = LABELS.evaluate(_linear_weighted_kappa, y_true, y_pred, labels, sample_weight)
    return or_undefined(value, replace_undefined_by, "linear weighted kappa", ONE_CLASS)


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
    value = LABELS.evaluate(_quadratic_weighted_kappa, y_true, y_pred, labels, sample_weight)
    return or_undefined(value, replace_undefined_by, "quadratic weighted kappa", ONE_CLASS)


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
    value = LABELS.evaluate(statistic, y_true, y_pred, labels, sample_weight)
    return or_undefined(value, replace_undefined_by, "weighted kappa", why_undefined(weights))
