"""Agreement beyond chance between truth and prediction."""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    Counts,
    Property,
    Values,
    check_choice,
    clip_rounding,
    distance,
    divide,
    evaluate,
    margins,
    or_undefined,
    ordinal_metric,
    total,
)

Weights = Literal["unweighted", "linear", "quadratic"]
Level = Literal["nominal", "ordinal", "interval"]

_ONE_CLASS = "one class only is true and predicted"
_NO_PAIR = "the weights add up to no more than half a sample"


def _weighted_kappa(counts: Counts, weights: Weights) -> Values:
    disagreement = _disagreement(counts.shape[-1], weights)
    counts = counts.astype(np.float64)
    true, pred = margins(counts)
    by_chance = total(true[..., :, None] * pred[..., None, :] * disagreement)
    kappa = 1 - divide(true.sum(axis=-1) * total(counts * disagreement), by_chance)
    return clip_rounding(kappa, -1, 1)


def _disagreement(n_classes: int, weights: Weights) -> NDArray[np.float64]:
    """Return how far true (rows) and predicted classes (columns) disagree."""
    if weights == "unweighted":
        return (distance(n_classes) > 0).astype(np.float64)
    return distance(n_classes) ** (1 if weights == "linear" else 2)


def _shares(counts: Counts) -> Values:
    """Return the share of each class in all values, those of truth and prediction together."""
    true, pred = margins(counts)
    return divide(true + pred, 2 * total(counts)[..., None])


def _scott_pi(counts: Counts, *, weights: Weights = "quadratic") -> Values:
    disagreement = _disagreement(counts.shape[-1], weights)
    observed = divide(total(counts * disagreement), total(counts))
    pi = 1 - divide(observed, _disagreement_of_pairs(_shares(counts), disagreement))
    return clip_rounding(pi, -1, 1)


def _krippendorff_alpha(counts: Counts, *, level: Level = "ordinal") -> Values:
    share = _shares(counts)
    if level == "ordinal":
        # All samples from one class to the other, of the two classes themselves by half.
        position = np.cumsum(share, axis=-1) - share / 2
        disagreement = (position[..., :, None] - position[..., None, :]) ** 2
    else:
        weights: Weights = "quadratic" if level == "interval" else "unweighted"
        disagreement = _disagreement(counts.shape[-1], weights)
    observed = divide(total(counts * disagreement), total(counts))
    alike = divide(observed, _disagreement_of_pairs(share, disagreement))
    # Pairs are drawn without replacement, unlike for Scott's pi.
    n_values = 2 * total(counts)
    alpha = 1 - alike * divide(n_values - 1, n_values)
    return np.where(n_values > 1, clip_rounding(alpha, -1, 1), np.nan)


def _disagreement_of_pairs(share: Values, disagreement: NDArray[np.float64]) -> Values:
    """Return the mean disagreement of two values drawn independently."""
    return total(share[..., :, None] * share[..., None, :] * disagreement)


def _gwet_ac2(counts: Counts, *, weights: Weights = "quadratic") -> Values:
    n_classes = counts.shape[-1]
    disagreement = _disagreement(n_classes, weights)
    agreement = 1 - divide(disagreement, disagreement.max())
    observed = divide(total(counts * agreement), total(counts))
    share = _shares(counts)
    spread = (share * (1 - share)).sum(axis=-1)
    expected = divide(agreement.sum() * spread, n_classes * (n_classes - 1))
    return divide(observed - expected, 1 - expected)


def _properties_of_pi(weights: Weights = "quadratic") -> set[Property]:
    # Without weights there are no distances.
    if weights == "unweighted":
        return {"invariant", "imbalance", "symmetric"}
    return {"imbalance", "symmetric"}


def _properties_of_alpha(level: Level = "ordinal") -> set[Property]:
    properties: dict[str, set[Property]] = {
        "ordinal": {"invariant", "symmetric"},
        "interval": {"imbalance", "symmetric"},
        "nominal": {"invariant", "imbalance", "symmetric"},
    }
    return properties[level]


def _linear_weighted_kappa(counts: Counts) -> Values:
    return _weighted_kappa(counts, "linear")


def _quadratic_weighted_kappa(counts: Counts) -> Values:
    return _weighted_kappa(counts, "quadratic")


@ordinal_metric(
    _linear_weighted_kappa,
    greater_is_better=True,
    bounds=(-1.0, 1.0),
    chance_level=0.0,
    properties={"imbalance", "symmetric"},
    an_error_costs="the number of classes, relative to chance",
    prefer="for agreement of two raters whose classes are evenly spaced",
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
        Predicted classes. A missing one raises a ValueError; where an `OrdinalConfusion` counts
        them, they are left out.
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
    _quadratic_weighted_kappa,
    greater_is_better=True,
    bounds=(-1.0, 1.0),
    chance_level=0.0,
    properties={"imbalance", "symmetric"},
    an_error_costs="the squared number of classes, relative to chance",
    prefer="for comparison with published results; near to a correlation",
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
        Predicted classes. A missing one raises a ValueError; where an `OrdinalConfusion` counts
        them, they are left out.
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


@ordinal_metric(
    _scott_pi,
    greater_is_better=True,
    bounds=(-1.0, 1.0),
    chance_level=0.0,
    properties=_properties_of_pi,
    an_error_costs="the squared number of classes, relative to pooled chance",
    prefer="for agreement of two raters who share one distribution",
)
def scott_pi_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    weights: Weights = "quadratic",
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Compute Scott's pi, plain or weighted.

    As weighted kappa, but chance is that of two draws from the classes of truth and
    prediction pooled, as if both came from one distribution [1]_. Distance is in
    positions on the scale:

    .. math:: \pi = 1 - \sum_{ij} w_{ij} C_{ij} / \Big(N \sum_{ij} w_{ij} p_i p_j\Big),
        \qquad p_i = (n_i + c_i) / 2N

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_pred : array-like of shape (n_samples,)
        Predicted classes. A missing one raises a ValueError; where an `OrdinalConfusion` counts
        them, they are left out.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.
    weights : {"unweighted", "linear", "quadratic"}, default="quadratic"
        Disagreement of two classes: 1 if they differ, the number of classes between
        them, or its square.
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
        If strings come without `labels`, a class is not in `labels`, or `weights`
        is not known.

    See Also
    --------
    quadratic_weighted_kappa_score : Chance from each side's own classes.
    krippendorff_alpha_score : The same without replacement.

    References
    ----------
    .. [1] W. A. Scott (1955), "Reliability of content analysis: the case of nominal
       scale coding", Public Opinion Quarterly 19(3), :doi:`10.1086/266577`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import scott_pi_score
    >>> scott_pi_score([0, 1, 2, 2], [0, 2, 2, 1])
    0.6363...
    """
    check_choice("weights", weights, Weights)
    statistic = partial(_scott_pi, weights=weights)
    value = evaluate(statistic, y_true, y_pred, labels, sample_weight)
    return or_undefined(value, replace_undefined_by, "Scott's pi", _ONE_CLASS)


@ordinal_metric(
    _krippendorff_alpha,
    greater_is_better=True,
    bounds=(-1.0, 1.0),
    chance_level=0.0,
    properties=_properties_of_alpha,
    an_error_costs="the squared number of values between, relative to pooled chance",
    prefer="for agreement of raters, with few samples",
)
def krippendorff_alpha_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    level: Level = "ordinal",
    replace_undefined_by: float = np.nan,
) -> float:
    """Compute Krippendorff's alpha of truth and prediction as two coders.

    One less the ratio of the observed disagreement to that of two values drawn, without
    replacement, from those of truth and prediction pooled [1]_.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_pred : array-like of shape (n_samples,)
        Predicted classes. A missing one raises a ValueError; where an `OrdinalConfusion` counts
        them, they are left out.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.
    level : {"nominal", "ordinal", "interval"}, default="ordinal"
        Disagreement of two classes: 1 if they differ, the squared number of values that
        lie between them (those of the two classes by half), or the squared distance in
        positions on the scale.
    replace_undefined_by : float, default=np.nan
        Value to return, without a warning, where the metric is undefined.

    Returns
    -------
    float
        Agreement in (-1, 1], without unit. 1 is best, 0 is agreement by chance. NaN
        with an `UndefinedMetricWarning` if one class only is true and predicted, or the
        weights add up to no more than half a sample.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, or `level` is
        not known.

    See Also
    --------
    scott_pi_score : The same with replacement.
    quadratic_weighted_kappa_score : Chance from each side's own classes.

    Notes
    -----
    Weights count as frequencies: a sample of weight 2 is two samples.

    References
    ----------
    .. [1] K. Krippendorff (2011), "Computing Krippendorff's alpha-reliability",
       University of Pennsylvania, https://repository.upenn.edu/asc_papers/43.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import krippendorff_alpha_score
    >>> krippendorff_alpha_score([0, 1, 2, 2], [0, 2, 2, 1])
    0.5625
    """
    check_choice("level", level, Level)
    statistic = partial(_krippendorff_alpha, level=level)
    value = evaluate(statistic, y_true, y_pred, labels, sample_weight)
    return or_undefined(
        value, replace_undefined_by, "Krippendorff's alpha", f"{_ONE_CLASS}, or {_NO_PAIR}"
    )


@ordinal_metric(
    _gwet_ac2,
    greater_is_better=True,
    bounds=(-np.inf, 1.0),
    chance_level=0.0,
    properties={"symmetric"},
    an_error_costs="the squared number of classes, relative to the spread over the classes",
    prefer="for agreement where one class is very large",
    exceptions={"an empty class at an end": "the definition has the number of classes in it"},
)
def gwet_ac2_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    weights: Weights = "quadratic",
    replace_undefined_by: float = np.nan,
) -> float:
    """Compute Gwet's agreement coefficient AC2, or AC1 without weights.

    Chance agreement is estimated from how far the classes of truth and prediction, pooled,
    spread over the scale, so that it stays low where one class is very large, unlike that
    of kappa [1]_. The number of classes of the scale enters the formula: pass `labels` if
    a fold may lack a class. Distance is in positions on the scale.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_pred : array-like of shape (n_samples,)
        Predicted classes. A missing one raises a ValueError; where an `OrdinalConfusion` counts
        them, they are left out.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.
    weights : {"unweighted", "linear", "quadratic"}, default="quadratic"
        Disagreement of two classes: 1 if they differ (AC1), the number of classes
        between them, or its square, as a share of the largest on the scale.
    replace_undefined_by : float, default=np.nan
        Value to return, without a warning, where the metric is undefined.

    Returns
    -------
    float
        Agreement of at most 1, without unit, below -1 at times. 1 is best, 0 is agreement
        by chance as this coefficient estimates it. NaN with an `UndefinedMetricWarning`
        if the scale has one class only.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, or `weights`
        is not known.

    See Also
    --------
    quadratic_weighted_kappa_score : Chance from each side's own classes.
    scott_pi_score : Chance from the pooled classes.

    References
    ----------
    .. [1] K. L. Gwet (2008), "Computing inter-rater reliability and its variance in the
       presence of high agreement", British Journal of Mathematical and Statistical
       Psychology 61(1), :doi:`10.1348/000711006X126600`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import gwet_ac2_score
    >>> gwet_ac2_score([0, 1, 2, 2], [0, 2, 2, 1])
    0.6666...
    """
    check_choice("weights", weights, Weights)
    statistic = partial(_gwet_ac2, weights=weights)
    value = evaluate(statistic, y_true, y_pred, labels, sample_weight)
    return or_undefined(value, replace_undefined_by, "Gwet's AC2", "the scale has one class only")
