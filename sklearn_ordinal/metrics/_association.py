"""Association: whether prediction and truth put the samples in the same order."""

from __future__ import annotations

from functools import partial
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal._core import (
    Counts,
    OrdinalConfusion,
    Property,
    Values,
    check_choice,
    clip_rounding,
    divide,
    evaluate,
    lower_sums,
    margins,
    or_undefined,
    ordinal_metric,
    total,
)

Variant = Literal["a", "b", "c"]
Dependent = Literal["y_pred", "y_true", "both"]


class ReliabilitySensitivity(NamedTuple):
    """Reliability, sensitivity and their harmonic mean, each in [0, 1]."""

    reliability: float
    sensitivity: float
    f: float


def _pairs_in_order(counts: Counts) -> tuple[Values, Values]:
    """Return the numbers of pairs in the same and in opposite order."""
    # Each pair once, from its higher sample.
    counts = counts.astype(np.float64)
    flipped = counts[..., ::-1]
    return total(counts * lower_sums(counts)), total(flipped * lower_sums(flipped))


def _untied_pairs(sizes: Values) -> Values:
    # Each class with all lower ones: N**2 - sum(n**2) would lose small classes beside large.
    n_pairs: Values = (sizes[..., 1:] * np.cumsum(sizes, axis=-1)[..., :-1]).sum(axis=-1)
    return n_pairs


def _kendall_tau(counts: Counts, *, variant: Variant = "b") -> Values:
    concordant, discordant = _pairs_in_order(counts)
    difference = concordant - discordant
    true, pred = margins(counts)
    if variant == "b":
        # Roots apart: the product of the pairs passes the largest integer at 1e5 samples.
        roots = np.sqrt(_untied_pairs(true)) * np.sqrt(_untied_pairs(pred))
        return clip_rounding(divide(difference, roots), -1, 1)
    n_samples = total(counts)
    if variant == "a":
        # Of frequencies no cell is smaller than its square.
        n_pairs = np.where(
            total(counts.astype(np.float64) ** 2) >= n_samples, n_samples * (n_samples - 1) / 2, 0
        )
        return clip_rounding(divide(difference, n_pairs), -1, 1)
    shorter = np.minimum((true > 0).sum(axis=-1), (pred > 0).sum(axis=-1))
    return clip_rounding(divide(2 * shorter * difference, n_samples**2 * (shorter - 1)), -1, 1)


def _goodman_kruskal_gamma(counts: Counts) -> Values:
    concordant, discordant = _pairs_in_order(counts)
    return clip_rounding(divide(concordant - discordant, concordant + discordant), -1, 1)


def _somers_d(counts: Counts, *, dependent: Dependent = "y_pred") -> Values:
    concordant, discordant = _pairs_in_order(counts)
    true, pred = map(_untied_pairs, margins(counts))
    untied = {"y_pred": true, "y_true": pred, "both": (true + pred) / 2}[dependent]
    return clip_rounding(divide(concordant - discordant, untied), -1, 1)


def _properties_of_somers_d(dependent: Dependent = "y_pred") -> set[Property]:
    return {"invariant", "symmetric"} if dependent == "both" else {"invariant"}


def _correlation(counts: Counts, true: Values, pred: Values) -> Values:
    """Correlate the values that the true and the predicted classes stand for."""
    n_true, n_pred = margins(counts)
    true = true - divide((true * n_true).sum(axis=-1), n_true.sum(axis=-1))[..., None]
    pred = pred - divide((pred * n_pred).sum(axis=-1), n_pred.sum(axis=-1))[..., None]
    covariance = total(counts * true[..., :, None] * pred[..., None, :])
    variances = (true**2 * n_true).sum(axis=-1), (pred**2 * n_pred).sum(axis=-1)
    is_constant = (_untied_pairs(n_true) == 0) | (_untied_pairs(n_pred) == 0)
    correlation = divide(covariance, np.sqrt(variances[0]) * np.sqrt(variances[1]))
    return np.where(is_constant, np.nan, clip_rounding(correlation, -1, 1))


def _pearson_correlation(counts: Counts) -> Values:
    position = np.arange(counts.shape[-1], dtype=np.float64)
    return _correlation(counts, position, position)


def _spearman_correlation(counts: Counts) -> Values:
    true, pred = (np.cumsum(sizes, axis=-1) - sizes / 2 for sizes in margins(counts))
    return _correlation(counts, true, pred)


def _cosine_similarity(counts: Counts) -> Values:
    position = np.arange(1.0, counts.shape[-1] + 1)
    true, pred = margins(counts)
    product = total(counts * position[:, None] * position)
    norms = np.sqrt((true * position**2).sum(axis=-1)), np.sqrt((pred * position**2).sum(axis=-1))
    return clip_rounding(divide(product, norms[0] * norms[1]), 0, 1)


def _reliability(counts: Counts) -> Values:
    """Return the mean share, among the samples predicted in another class, in true order."""
    counts = counts.astype(np.float64)
    pred = counts.sum(axis=-2)
    before, after = np.zeros(pred.shape), np.zeros(pred.shape)
    before[..., 1:] = np.cumsum(pred[..., :-1], axis=-1)
    after[..., :-1] = np.cumsum(pred[..., :0:-1], axis=-1)[..., ::-1]
    above = lower_sums(counts[..., ::-1, ::-1])[..., ::-1, ::-1]
    # NaN for a class that all samples are predicted in, and so for the mean.
    share = divide(lower_sums(counts) + above, (before + after)[..., None, :])
    return divide(total(counts * share), total(counts))


def _reliability_and_sensitivity(counts: Counts) -> tuple[Values, Values, Values]:
    reliability = _reliability(counts)
    sensitivity = _reliability(np.swapaxes(counts, -1, -2))
    harmonic = divide(2 * reliability * sensitivity, reliability + sensitivity)
    # With one of them 0, the harmonic mean is 0 whatever the other is.
    harmonic = np.where((reliability == 0) | (sensitivity == 0), 0.0, harmonic)
    return reliability, sensitivity, harmonic


def _reliability_sensitivity_f(counts: Counts) -> Values:
    return _reliability_and_sensitivity(counts)[2]


@ordinal_metric(
    _kendall_tau,
    name="kendall_tau_c",
    variant="c",
    greater_is_better=True,
    bounds=(-1.0, 1.0),
    chance_level=0.0,
    properties={"invariant", "symmetric"},
    an_error_costs="the pairs of samples it puts in the wrong order",
    prefer="if only the order counts and the two sides have other numbers of classes",
    interval_method="percentile",
    exceptions={
        "best if perfect": "classes of unequal size leave fewer pairs than the table could hold"
    },
)
@ordinal_metric(
    _kendall_tau,
    name="kendall_tau_b",
    variant="b",
    greater_is_better=True,
    bounds=(-1.0, 1.0),
    chance_level=0.0,
    properties={"invariant", "symmetric"},
    an_error_costs="the pairs of samples it puts in the wrong order",
    prefer="if only the order of the samples counts",
)
@ordinal_metric(
    _kendall_tau,
    name="kendall_tau_a",
    variant="a",
    greater_is_better=True,
    bounds=(-1.0, 1.0),
    chance_level=0.0,
    properties={"invariant", "symmetric"},
    an_error_costs="the pairs of samples it puts in the wrong order",
    prefer="if only the order of the samples counts and ties are failures",
    interval_method="percentile",
    exceptions={"best if perfect": "samples of one class are tied, which lowers the value"},
)
def kendall_tau_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    variant: Variant = "b",
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Compute Kendall's rank correlation of truth and prediction.

    With :math:`P` pairs of samples in the same order, :math:`Q` in opposite order,
    :math:`n_x` pairs of different true and :math:`n_y` of different predicted classes,
    and :math:`m` the smaller number of classes that occur on either side:

    .. math:: \tau_a = \frac{P - Q}{N (N - 1) / 2}, \qquad
        \tau_b = \frac{P - Q}{\sqrt{n_x n_y}}, \qquad
        \tau_c = \frac{2 m (P - Q)}{N^2 (m - 1)}

    Only the order of the classes counts, not whether prediction and truth are equal.

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
    variant : {"a", "b", "c"}, default="b"
        What the surplus of pairs in order is divided by. "a": all pairs, so ties lower
        the value [1]_. "b": pairs that are not tied [2]_. "c": as many pairs as could be
        in order in a table of this shape [3]_.
    replace_undefined_by : float, default=np.nan
        Value to return, without a warning, where the metric is undefined.

    Returns
    -------
    float
        Correlation in [-1, 1], without unit. 1 is best, 0 is no association. NaN with an
        `UndefinedMetricWarning` if `y_true` or `y_pred` is constant (variants "b" and
        "c"), or there is but one sample or weights are no frequencies (variant "a").

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, or `variant` is not
        known.

    See Also
    --------
    scipy.stats.kendalltau : Variants b and c for any numbers.

    Notes
    -----
    Weights count as frequencies: a sample of weight 2 is two samples. Variant "a"
    depends on their total :math:`N`, so weights must not be rescaled for it; it is
    undefined if they are too small to be frequencies, that is if the sum of the counts
    is larger than the sum of their squares.

    References
    ----------
    .. [1] M. G. Kendall (1938), "A new measure of rank correlation", Biometrika 30,
       :doi:`10.1093/biomet/30.1-2.81`.
    .. [2] M. G. Kendall (1945), "The treatment of ties in ranking problems",
       Biometrika 33(3), :doi:`10.1093/biomet/33.3.239`.
    .. [3] A. Stuart (1953), "The estimation and comparison of strengths of association
       in contingency tables", Biometrika 40, :doi:`10.1093/biomet/40.1-2.105`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import kendall_tau_score
    >>> kendall_tau_score([0, 1, 2, 2], [0, 2, 2, 1])
    0.3999...
    """
    check_choice("variant", variant, Variant)
    statistic = partial(_kendall_tau, variant=variant)
    value = evaluate(statistic, y_true, y_pred, labels, sample_weight)
    reason = "y_true or y_pred is constant"
    if variant == "a":
        reason = "there is but one sample, or weights are too small to be frequencies"
    return or_undefined(value, replace_undefined_by, f"Kendall's tau-{variant}", reason)


@ordinal_metric(
    _goodman_kruskal_gamma,
    greater_is_better=True,
    bounds=(-1.0, 1.0),
    chance_level=0.0,
    properties={"invariant", "symmetric"},
    an_error_costs="the pairs of samples it puts in the wrong order, ties free",
    prefer="if ties say nothing",
)
def goodman_kruskal_gamma_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """Compute Goodman and Kruskal's gamma of truth and prediction.

    The surplus of pairs of samples in the same order over those in opposite order, as a
    share of the pairs that are tied on neither side [1]_. Only the order of the classes
    counts, not whether prediction and truth are equal.

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
        Association in [-1, 1], without unit. 1 is best, 0 is no association. NaN with an
        `UndefinedMetricWarning` if each pair is tied.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    kendall_tau_score : Divide by more pairs.
    somers_d_score : Divide by the pairs that are not tied on one side.

    Notes
    -----
    Weights count as frequencies: a sample of weight 2 is two samples.

    References
    ----------
    .. [1] L. A. Goodman, W. H. Kruskal (1954), "Measures of association for cross
       classifications", Journal of the American Statistical Association 49(268),
       :doi:`10.1080/01621459.1954.10501231`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import goodman_kruskal_gamma_score
    >>> goodman_kruskal_gamma_score([0, 1, 2, 2], [0, 2, 2, 1])
    0.5
    """
    value = evaluate(_goodman_kruskal_gamma, y_true, y_pred, labels, sample_weight)
    return or_undefined(value, replace_undefined_by, "gamma", "each pair of samples is tied")


@ordinal_metric(
    _somers_d,
    greater_is_better=True,
    bounds=(-1.0, 1.0),
    chance_level=0.0,
    properties=_properties_of_somers_d,
    an_error_costs="the pairs of different true classes it fails to put in order",
    prefer="if only the order of samples of different true classes counts",
)
def somers_d_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    dependent: Dependent = "y_pred",
    replace_undefined_by: float = np.nan,
) -> float:
    """Compute Somers' D of truth and prediction.

    The surplus of pairs of samples in the same order over those in opposite order, as a
    share of the pairs that are not tied on the independent side [1]_. Only the order of
    the classes counts, not whether prediction and truth are equal.

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
    dependent : {"y_pred", "y_true", "both"}, default="y_pred"
        The side that depends on the other. "both" divides by the mean of the two numbers
        of pairs: the symmetric form.
    replace_undefined_by : float, default=np.nan
        Value to return, without a warning, where the metric is undefined.

    Returns
    -------
    float
        Association in [-1, 1], without unit. 1 is best, 0 is no association. NaN with an
        `UndefinedMetricWarning` if the independent side is constant.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, or `dependent`
        is not known.

    See Also
    --------
    goodman_kruskal_gamma_score : Divide by the pairs that are tied on neither side.
    scipy.stats.somersd : The same with a test.

    Notes
    -----
    Weights count as frequencies: a sample of weight 2 is two samples.

    References
    ----------
    .. [1] R. H. Somers (1962), "A new asymmetric measure of association for ordinal
       variables", American Sociological Review 27(6), :doi:`10.2307/2090408`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import somers_d_score
    >>> somers_d_score([0, 1, 2, 2], [0, 2, 2, 1])
    0.4
    """
    check_choice("dependent", dependent, Dependent)
    statistic = partial(_somers_d, dependent=dependent)
    value = evaluate(statistic, y_true, y_pred, labels, sample_weight)
    reason = "each pair of samples is tied on the independent side"
    return or_undefined(value, replace_undefined_by, "Somers' D", reason)


@ordinal_metric(
    _spearman_correlation,
    greater_is_better=True,
    bounds=(-1.0, 1.0),
    chance_level=0.0,
    properties={"invariant", "symmetric"},
    an_error_costs="the squared difference of ranks",
    prefer="if only the order of the samples counts; for comparison with published results",
)
def spearman_correlation_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """Compute Spearman's rank correlation (rho) of truth and prediction.

    The correlation of mid-ranks [1]_. Only the order of the classes counts, not whether
    prediction and truth are equal.

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
        Correlation in [-1, 1], without unit. 1 is best, 0 is no association. NaN with an
        `UndefinedMetricWarning` if `y_true` or `y_pred` is constant.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    kendall_tau_score : Rank correlation by pairs.
    scipy.stats.spearmanr : The same for any numbers.

    Notes
    -----
    Weights count as frequencies: a sample of weight 2 is two samples.

    References
    ----------
    .. [1] C. Spearman (1904), "The proof and measurement of association between two
       things", American Journal of Psychology 15(1), :doi:`10.2307/1412159`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import spearman_correlation_score
    >>> spearman_correlation_score([0, 1, 2, 2], [0, 2, 2, 1])
    0.5000...
    """
    value = evaluate(_spearman_correlation, y_true, y_pred, labels, sample_weight)
    return or_undefined(
        value, replace_undefined_by, "Spearman's correlation", "y_true or y_pred is constant"
    )


@ordinal_metric(
    _pearson_correlation,
    greater_is_better=True,
    bounds=(-1.0, 1.0),
    chance_level=0.0,
    properties={"symmetric"},
    an_error_costs="its departure from a line",
    prefer="if predictions may be shifted or stretched without harm",
)
def pearson_correlation_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """Compute Pearson's correlation of the positions of truth and prediction.

    Classes stand for their positions on the scale, as if neighbours were equally far
    apart everywhere [1]_. It is blind to predictions that are too high throughout.

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
        Correlation in [-1, 1], without unit. 1 is best, 0 is no association. NaN with an
        `UndefinedMetricWarning` if `y_true` or `y_pred` is constant.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    spearman_correlation_score : Ranks in place of positions.
    scipy.stats.pearsonr : The same for any numbers.

    Notes
    -----
    Weights count as frequencies: a sample of weight 2 is two samples.

    References
    ----------
    .. [1] K. Pearson (1895), "Note on regression and inheritance in the case of two
       parents", Proceedings of the Royal Society of London 58,
       :doi:`10.1098/rspl.1895.0041`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import pearson_correlation_score
    >>> pearson_correlation_score([0, 1, 2, 2], [0, 2, 2, 1])
    0.6363...
    """
    value = evaluate(_pearson_correlation, y_true, y_pred, labels, sample_weight)
    return or_undefined(
        value, replace_undefined_by, "Pearson's correlation", "y_true or y_pred is constant"
    )


@ordinal_metric(
    _cosine_similarity,
    greater_is_better=True,
    bounds=(0.0, 1.0),
    properties={"symmetric"},
    an_error_costs="its departure from a proportion",
    prefer="for comparison with published results",
    exceptions={
        "an empty class at an end": "positions are counted from the lowest class",
        "reversal": "positions are counted from the lowest class",
    },
)
def cosine_similarity_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute the cosine of the vectors of true and predicted positions.

    Classes stand for their positions on the scale, counted from 1 [1]_, so the value
    depends on which class is the first: pass `labels` if a fold may lack it.

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

    Returns
    -------
    float
        Similarity in (0, 1], without unit. 1 is best.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    pearson_correlation_score : The same about the means.

    References
    ----------
    .. [1] E. Amigo, J. Gonzalo, S. Mizzaro, J. Carrillo-de-Albornoz (2020), "An
       effectiveness metric for ordinal classification: formal properties and
       experimental results", ACL 2020, :doi:`10.18653/v1/2020.acl-main.363`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import cosine_similarity_score
    >>> cosine_similarity_score([0, 1, 2, 2], [0, 2, 2, 1])
    0.9565...
    """
    return evaluate(_cosine_similarity, y_true, y_pred, labels, sample_weight)


def reliability_sensitivity(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> ReliabilitySensitivity:
    """Compute Reliability and Sensitivity of the order, and their harmonic mean F.

    Reliability is the mean over the samples of the share, among the samples that the
    prediction puts in another class, of those that the truth orders the same way.
    Sensitivity is the same with truth and prediction exchanged [1]_.

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
        Value to return, without a warning, in place of each value that is undefined.

    Returns
    -------
    ReliabilitySensitivity
        Named tuple of reliability, sensitivity and f, each in [0, 1], without unit. 1
        is best. Reliability is NaN with an `UndefinedMetricWarning` if `y_pred` is
        constant, sensitivity if `y_true` is. f is then 0, since the other value is 0;
        only if both are constant is it NaN.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    somers_d_score : Pairs in order less pairs in opposite order.

    Notes
    -----
    Weights count as frequencies: a sample of weight 2 is two samples.

    References
    ----------
    .. [1] E. Amigo, J. Gonzalo, F. Verdejo (2013), "A general evaluation measure for
       document organization tasks", SIGIR 2013, :doi:`10.1145/2484028.2484081`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import reliability_sensitivity
    >>> reliability_sensitivity([0, 1, 2, 2], [0, 2, 2, 1])
    ReliabilitySensitivity(reliability=0.5833..., sensitivity=0.5833..., f=0.5833...)
    """
    counts = OrdinalConfusion.from_predictions(
        y_true, y_pred, labels=labels, sample_weight=sample_weight
    ).counts
    r, s, f = (float(value) for value in _reliability_and_sensitivity(counts))
    # One by one, and not in a loop over them, so that warnings name the caller's line.
    r = or_undefined(r, replace_undefined_by, "reliability", "y_pred is constant")
    s = or_undefined(s, replace_undefined_by, "sensitivity", "y_true is constant")
    f = or_undefined(f, replace_undefined_by, "their F", "y_true and y_pred are constant")
    return ReliabilitySensitivity(r, s, f)


@ordinal_metric(
    _reliability_sensitivity_f,
    greater_is_better=True,
    bounds=(0.0, 1.0),
    name="reliability_sensitivity_f",
    properties={"invariant", "symmetric"},
    an_error_costs="the share of the samples it puts in the wrong order with its own",
    prefer="if only the order of the samples counts and each sample weighs alike",
)
def _reliability_sensitivity_f_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """Compute the harmonic mean that `reliability_sensitivity` returns."""
    value = evaluate(_reliability_sensitivity_f, y_true, y_pred, labels, sample_weight)
    reason = "y_true and y_pred are constant"
    return or_undefined(value, replace_undefined_by, "reliability_sensitivity: f", reason)
