"""Agreement beyond chance, estimated from truth and prediction together."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    LABELS,
    Counts,
    Property,
    Values,
    check_choice,
    clip_rounding,
    divide,
    margins,
    or_undefined,
    ordinal_metric,
    total,
    weighted_pairs,
    weighted_total,
)
from sklearn_ordinal.metrics._weights import (
    ONE_CLASS,
    Weighting,
    Weights,
    agreement_bounds,
    agreement_properties,
    check_agreement_weights,
    check_bound_weights,
    disagreement_matrix,
    why_undefined,
)

Level = Literal["nominal", "ordinal", "interval"]

_NO_PAIR = "the weights sum to at most half a sample"


def _ac2_properties(weights: Weights = "quadratic") -> set[Property] | None:
    return {"symmetric", "differentiable"} if isinstance(weights, str) else None


def _shares(counts: Counts) -> Values:
    """Return the share of each class in the pooled true and predicted values."""
    true, pred = margins(counts)
    return divide(true + pred, 2 * total(counts)[..., None])


def _scott_pi(counts: Counts, *, weights: Weights = "quadratic") -> Values:
    disagreement = disagreement_matrix(counts.shape[-1], weights)
    true, pred = margins(counts)
    observed = weighted_total(counts, disagreement)
    expected = _expected_disagreement(true + pred, disagreement)
    pi = 1 - divide(observed, total(counts) * expected)
    return clip_rounding(pi, *agreement_bounds(counts.shape[-1], weights))


def _krippendorff_alpha(counts: Counts, *, level: Level = "ordinal") -> Values:
    if level == "ordinal":
        # Two positions differ by the share of the classes in between plus half the shares of the
        # two classes.
        share = _shares(counts)
        position = np.cumsum(share, axis=-1) - share / 2
        disagreement = position[..., :, None] - position[..., None, :]
        disagreement *= disagreement
        disagreement *= counts
        observed = total(disagreement)
        # The mean position is 1/2.
        expected = 2 * np.add.reduce(share * (position - 0.5) ** 2, axis=-1)
    else:
        weights: Weighting = "quadratic" if level == "interval" else "identity"
        disagreement = disagreement_matrix(counts.shape[-1], weights)
        true, pred = margins(counts)
        observed = weighted_total(counts, disagreement)
        expected = _expected_disagreement(true + pred, disagreement)
    alike = divide(observed, total(counts) * expected)
    # Pairs are drawn without replacement, unlike for Scott's pi.
    n_values = 2 * total(counts)
    alpha = 1 - alike * divide(n_values - 1, n_values)
    return np.where(n_values > 1, clip_rounding(alpha, -1, 1), np.nan)


def _expected_disagreement(sizes: Values, disagreement: NDArray[np.float64]) -> Values:
    """Return the mean disagreement of two values drawn independently from classes (..., K)."""
    return divide(weighted_pairs(sizes, sizes, disagreement), np.add.reduce(sizes, axis=-1) ** 2)


def _gwet_ac2(counts: Counts, *, weights: Weights = "quadratic") -> Values:
    n_classes = counts.shape[-1]
    disagreement = disagreement_matrix(n_classes, weights)
    if isinstance(weights, str):
        disagreement = divide(disagreement, disagreement.max())
    agreement = 1 - disagreement
    observed = divide(total(counts * agreement), total(counts))
    share = _shares(counts)
    spread = (share * (1 - share)).sum(axis=-1)
    expected = divide(agreement.sum() * spread, n_classes * (n_classes - 1))
    return divide(observed - expected, 1 - expected)


def _alpha_properties(level: Level = "ordinal") -> set[Property]:
    properties: dict[str, set[Property]] = {
        "ordinal": {"invariant", "symmetric", "differentiable"},
        "interval": {"symmetric", "differentiable"},
        "nominal": {"invariant", "imbalance", "symmetric", "differentiable"},
    }
    return properties[level]


@ordinal_metric(
    _scott_pi,
    greater_is_better=True,
    bounds=agreement_bounds,
    check=check_bound_weights,
    chance_level=0.0,
    properties=agreement_properties,
    an_error_costs="its weight, by default the squared number of classes, relative to pooled "
    "chance",
    prefer="for two raters assumed to have the same class distribution",
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

    Like weighted kappa, but chance agreement is estimated from the pooled classes of
    truth and prediction, as if both came from the same distribution [1]_. Distance is
    measured in positions on the scale:

    .. math:: \pi = 1 - \sum_{ij} (1 - w_{ij}) C_{ij} /
        \Big(N \sum_{ij} (1 - w_{ij}) p_i p_j\Big), \qquad p_i = (n_i + c_i) / 2N

    where :math:`w_{ij}` is the weight of agreement, :math:`C_{ij}` of the :math:`N` samples
    belong to class :math:`i` and are predicted as :math:`j`, and :math:`n_i` and
    :math:`c_i` are the sizes of true and predicted class :math:`i`.

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
    weights : str or array-like of shape (n_classes, n_classes), default="quadratic"
        Weights of agreement. A name says how disagreement grows with the distance
        :math:`d` of two classes: "identity", 1 if they differ; "linear", :math:`d`;
        "quadratic", :math:`d^2`; "ordinal", :math:`d (d + 1) / 2`; "radical",
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
        contain a single class, or only classes that agree fully according to the matrix.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, or `weights`
        is neither a known name nor a matrix of weights of agreement.

    See Also
    --------
    quadratic_weighted_kappa_score : Chance from separate class distributions.
    krippendorff_alpha_score : Pairs drawn without replacement.

    References
    ----------
    .. [1] W. A. Scott (1955), "Reliability of content analysis: the case of nominal
       scale coding", Public Opinion Quarterly 19(3), :doi:`10.1086/266577`.
    .. [2] K. L. Gwet (2014), "Handbook of inter-rater reliability", 4th edition, Advanced
       Analytics, chapter 3.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import scott_pi_score
    >>> scott_pi_score([0, 1, 2, 2], [0, 2, 2, 1])
    0.6363...
    """
    check_agreement_weights(weights)
    statistic = partial(_scott_pi, weights=weights)
    value = LABELS.evaluate(statistic, y_true, y_pred, labels, sample_weight)
    return or_undefined(value, replace_undefined_by, "Scott's pi", why_undefined(weights))


def _check_level(level: Any) -> None:
    check_choice("level", level, Level)


@ordinal_metric(
    _krippendorff_alpha,
    greater_is_better=True,
    bounds=(-1.0, 1.0),
    check=_check_level,
    chance_level=0.0,
    properties=_alpha_properties,
    an_error_costs="the disagreement of its two classes, relative to the disagreement expected by "
    "chance from the pooled true and predicted classes; by default, the squared number of values "
    "between the two classes",
    prefer="for two raters and few samples",
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
    """Compute Krippendorff's alpha, with truth and prediction as two coders.

    Alpha is one minus the ratio of the observed to the expected disagreement. The expected
    disagreement is the disagreement of two values drawn without replacement from the pooled
    true and predicted values [1]_.

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
    level : {"nominal", "ordinal", "interval"}, default="ordinal"
        Disagreement of two classes. "nominal": 1 if they differ. "ordinal": the squared
        number of values between them, where values of the two classes themselves count
        half. "interval": the squared distance in positions on the scale.
    replace_undefined_by : float, default=np.nan
        Value to return, without a warning, where the metric is undefined.

    Returns
    -------
    float
        Agreement in (-1, 1]. 1 is best, 0 is agreement by chance. NaN with an
        `UndefinedMetricWarning` if `y_true` and `y_pred` contain a single class, or the
        weights sum to at most half a sample.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, or `level` is
        not known.

    See Also
    --------
    scott_pi_score : Pairs drawn with replacement.
    quadratic_weighted_kappa_score : Chance from separate class distributions.

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
    _check_level(level)
    statistic = partial(_krippendorff_alpha, level=level)
    value = LABELS.evaluate(statistic, y_true, y_pred, labels, sample_weight)
    return or_undefined(
        value, replace_undefined_by, "Krippendorff's alpha", f"{ONE_CLASS}, or {_NO_PAIR}"
    )


@ordinal_metric(
    _gwet_ac2,
    greater_is_better=True,
    bounds=(-np.inf, 1.0),
    check=check_bound_weights,
    chance_level=0.0,
    properties=_ac2_properties,
    an_error_costs="its weight, by default the squared number of classes, relative to the spread "
    "over the classes",
    prefer="for two raters, if one class is very large",
    exceptions={"an empty class at an end": "the number of classes is part of the definition"},
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
    r"""Compute Gwet's agreement coefficient AC2, or AC1 without weights.

    Chance agreement is estimated from the spread of the pooled classes of truth and
    prediction over the scale. Unlike the chance agreement of kappa, it stays low if one
    class is very large [1]_. The number of classes on the scale enters the formula: pass
    `labels` if a fold may lack a class. Distance is measured in positions on the scale:

    .. math:: \mathrm{AC2} = \frac{P - E}{1 - E}, \qquad
        P = \frac{1}{N} \sum_{ij} w_{ij} C_{ij}, \qquad
        E = \frac{\sum_{ij} w_{ij}}{K (K - 1)} \sum_i p_i (1 - p_i)

    where :math:`w_{ij}` is the weight of agreement, from 0 to 1, :math:`C_{ij}` of the
    :math:`N` samples belong to class :math:`i` and are predicted as :math:`j`, :math:`K`
    is the number of classes, and :math:`p_i` is the share of class :math:`i` in the pooled
    truth and prediction.

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
    weights : str or array-like of shape (n_classes, n_classes), default="quadratic"
        Weights of agreement. A name says how disagreement grows with the distance
        :math:`d` of two classes: "identity", 1 if they differ (AC1); "linear",
        :math:`d`; "quadratic", :math:`d^2`; "ordinal", :math:`d (d + 1) / 2`; "radical",
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
        Agreement, at most 1, sometimes below -1. 1 is best, 0 is the agreement by chance
        that this coefficient estimates. NaN with an `UndefinedMetricWarning` if the scale
        has a single class.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, or `weights`
        is neither a known name nor a matrix of weights of agreement.

    See Also
    --------
    quadratic_weighted_kappa_score : Chance from separate class distributions.
    scott_pi_score : Chance from the pooled classes.

    References
    ----------
    .. [1] K. L. Gwet (2008), "Computing inter-rater reliability and its variance in the
       presence of high agreement", British Journal of Mathematical and Statistical
       Psychology 61(1), :doi:`10.1348/000711006X126600`.
    .. [2] K. L. Gwet (2014), "Handbook of inter-rater reliability", 4th edition, Advanced
       Analytics, chapter 3.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import gwet_ac2_score
    >>> gwet_ac2_score([0, 1, 2, 2], [0, 2, 2, 1])
    0.6666...
    """
    check_agreement_weights(weights)
    statistic = partial(_gwet_ac2, weights=weights)
    value = LABELS.evaluate(statistic, y_true, y_pred, labels, sample_weight)
    return or_undefined(value, replace_undefined_by, "Gwet's AC2", "the scale has a single class")
