"""Association of true and predicted positions: Kendall's tau, Somers' D, correlations."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal._core import arithmetic, checks, counting
from sklearn_ordinal._core.arithmetic import Counts, Shared, Values
from sklearn_ordinal._core.catalogue import Property, ordinal_metric
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion

# Rank association: pairs of samples that prediction and truth put in the same order
# ----------------------------------------------------------------------------------

# The square of a smaller number of samples is below 2**53, so its floats are exact.
_LARGEST_EXACT_TOTAL = 2**26

Variant = Literal["a", "b", "c"]
Dependent = Literal["y_pred", "y_true", "both"]


def _pairs_in_order(counts: Counts) -> tuple[Values, Values]:
    """Return the numbers of pairs in the same and in opposite order."""
    # Each pair is counted once, for its higher sample.
    if counts.ndim > 2 and counts.dtype.kind == "i":
        true, pred = arithmetic.margins(counts)
        n_samples = np.add.reduce(true, axis=-1)
        if n_samples.max(initial=0) < _LARGEST_EXACT_TOTAL:
            # Sums of exact integers do not depend on the order of the terms, which may depend on
            # the processor. A pair of another row and another column is in one order or the other.
            concordant = np.einsum("...ij,...ij->...", counts, arithmetic.lower_sums(counts))
            tied = np.add.reduce(true**2, axis=-1) + np.add.reduce(pred**2, axis=-1)
            untied = n_samples**2 - tied + np.einsum("...ij,...ij->...", counts, counts)
            return concordant, untied / 2 - concordant
    counts = counts.astype(np.float64)
    flipped = counts[..., ::-1]
    return arithmetic.total(counts * arithmetic.lower_sums(counts)), arithmetic.total(
        flipped * arithmetic.lower_sums(flipped)
    )


def _pairs_of_different_classes(counts: Counts) -> tuple[Values, Values]:
    """Return the numbers of pairs that are not tied in the truth, and in the prediction."""
    true, pred = arithmetic.margins(counts)
    return _untied_pairs(true), _untied_pairs(pred)


def _untied_pairs(sizes: Values) -> Values:
    # Pair each class with all lower classes. N**2 - sum(n**2) would lose small classes next to
    # large ones.
    lower = np.add.accumulate(sizes, axis=-1)[..., :-1]
    n_pairs: Values = np.add.reduce(sizes[..., 1:] * lower, axis=-1)
    return n_pairs


def _pair_gradients(counts: Counts) -> tuple[Values, Values]:
    """Return the numbers of samples that are in the same and in opposite order to each cell."""
    in_order, flipped = _samples_in_order(np.array([counts, counts[..., ::-1]]))
    return in_order, flipped[..., ::-1]


def _pairs(counts: Counts, gradient: Values) -> Values:
    """Return the number of pairs, of shape (..., 1, 1), from the partners of each cell."""
    return arithmetic.total(counts * gradient)[..., None, None] / 2


def _samples_in_order(counts: Counts) -> Values:
    """Return the number of samples that are in the same order to each cell."""
    return (
        arithmetic.lower_sums(counts)
        + arithmetic.lower_sums(counts[..., ::-1, ::-1])[..., ::-1, ::-1]
    )


def _untied_gradients(counts: Counts) -> tuple[Values, Values]:
    """Return the numbers of samples of another true, and of another predicted class."""
    true, pred = arithmetic.margins(counts)
    n_samples = arithmetic.total(counts)[..., None]
    return (n_samples - true)[..., :, None], (n_samples - pred)[..., None, :]


@arithmetic.takes_shared
def _kendall_tau(counts: Counts, *, variant: Variant = "b", shared: Shared | None = None) -> Values:
    concordant, discordant = arithmetic.result_of(_pairs_in_order, counts, shared)
    difference = concordant - discordant
    if variant == "b":
        untied = arithmetic.result_of(_pairs_of_different_classes, counts, shared)
        # Take the roots separately: the product of the numbers of pairs overflows at 1e5 samples.
        roots = np.sqrt(untied[0]) * np.sqrt(untied[1])
        return arithmetic.clip_rounding(arithmetic.divide(difference, roots), -1, 1)
    n_samples = arithmetic.total(counts)
    if variant == "a":
        # Frequencies are whole numbers, which are never larger than their squares.
        may_be_frequencies = counts.dtype.kind == "i" or arithmetic.total(counts**2) >= n_samples
        n_pairs = np.where(may_be_frequencies, n_samples * (n_samples - 1) / 2, 0)
        return arithmetic.clip_rounding(arithmetic.divide(difference, n_pairs), -1, 1)
    true, pred = arithmetic.margins(counts)
    shorter = np.minimum((true > 0).sum(axis=-1), (pred > 0).sum(axis=-1))
    return arithmetic.clip_rounding(
        arithmetic.divide(2 * shorter * difference, n_samples**2 * (shorter - 1)), -1, 1
    )


@arithmetic.takes_shared
def _kendall_tau_gradient(
    counts: Counts, *, variant: Variant = "b", shared: Shared | None = None
) -> Values:
    changed = np.subtract(*arithmetic.result_of(_pair_gradients, counts, shared))
    difference = _pairs(counts, changed)
    if variant == "b":
        untied = [_untied_pairs(sizes)[..., None, None] for sizes in arithmetic.margins(counts)]
        roots = np.sqrt(untied[0]) * np.sqrt(untied[1])
        of_true, of_pred = map(arithmetic.divide, _untied_gradients(counts), untied)
        return arithmetic.divide(changed - difference * (of_true + of_pred) / 2, roots)
    n_samples = arithmetic.total(counts)[..., None, None]
    if variant == "a":
        n_pairs = n_samples * (n_samples - 1) / 2
        return arithmetic.divide(
            changed - arithmetic.divide(difference * (n_samples - 0.5), n_pairs), n_pairs
        )
    occurs = [sizes > 0 for sizes in arithmetic.margins(counts)]
    n_true, n_pred = (np.count_nonzero(o, axis=-1)[..., None, None] for o in occurs)
    shorter = np.minimum(n_true, n_pred)
    # A first sample in a class may change the shorter side of the table, and so the value.
    with_sample = np.minimum(n_true + ~occurs[0][..., :, None], n_pred + ~occurs[1][..., None, :])
    gradient = arithmetic.divide(2 * shorter * (changed - 2 * difference / n_samples), shorter - 1)
    return np.where(with_sample == shorter, arithmetic.divide(gradient, n_samples**2), np.nan)


@arithmetic.takes_shared
def _goodman_kruskal_gamma(counts: Counts, *, shared: Shared | None = None) -> Values:
    concordant, discordant = arithmetic.result_of(_pairs_in_order, counts, shared)
    return arithmetic.clip_rounding(
        arithmetic.divide(concordant - discordant, concordant + discordant), -1, 1
    )


@arithmetic.takes_shared
def _goodman_kruskal_gamma_gradient(counts: Counts, *, shared: Shared | None = None) -> Values:
    in_order, reversed_order = arithmetic.result_of(_pair_gradients, counts, shared)
    concordant, discordant = _pairs(counts, in_order), _pairs(counts, reversed_order)
    n_pairs = concordant + discordant
    return arithmetic.divide(
        2 * (discordant * in_order - concordant * reversed_order), n_pairs * n_pairs
    )


@arithmetic.takes_shared
def _somers_d(
    counts: Counts, *, dependent: Dependent = "y_pred", shared: Shared | None = None
) -> Values:
    concordant, discordant = arithmetic.result_of(_pairs_in_order, counts, shared)
    true, pred = arithmetic.result_of(_pairs_of_different_classes, counts, shared)
    untied = {"y_pred": true, "y_true": pred, "both": (true + pred) / 2}[dependent]
    return arithmetic.clip_rounding(arithmetic.divide(concordant - discordant, untied), -1, 1)


@arithmetic.takes_shared
def _somers_d_gradient(
    counts: Counts, *, dependent: Dependent = "y_pred", shared: Shared | None = None
) -> Values:
    changed = np.subtract(*arithmetic.result_of(_pair_gradients, counts, shared))
    difference = _pairs(counts, changed)
    share = {"y_pred": 1.0, "y_true": 0.0, "both": 0.5}[dependent]
    true, pred = (_untied_pairs(sizes)[..., None, None] for sizes in arithmetic.margins(counts))
    of_true, of_pred = _untied_gradients(counts)
    untied = share * true + (1 - share) * pred
    added = share * of_true + (1 - share) * of_pred
    return arithmetic.divide(changed - arithmetic.divide(difference * added, untied), untied)


def _somers_d_properties(dependent: Dependent = "y_pred") -> set[Property]:
    properties: dict[str, set[Property]] = {
        "both": {"symmetric"},
        # The number of pairs that are not tied in the truth does not depend on the predictions.
        "y_pred": {"bilinear"},
        "y_true": set(),
    }
    return {"invariant", "centred at chance", "differentiable", *properties[dependent]}


def _check_variant(variant: Any) -> None:
    checks.check_choice("variant", variant, Variant)


@ordinal_metric(
    _kendall_tau,
    name="kendall_tau_c",
    variant="c",
    greater_is_better=True,
    bounds=(-1.0, 1.0),
    check=_check_variant,
    chance_level=0.0,
    gradient=_kendall_tau_gradient,
    properties={"invariant", "symmetric", "centred at chance", "differentiable"},
    an_error_costs="the pairs of samples that it puts in the wrong order",
    prefer="if only the order counts and truth and prediction have different numbers of classes",
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
    check=_check_variant,
    chance_level=0.0,
    gradient=_kendall_tau_gradient,
    properties={"invariant", "symmetric", "centred at chance", "differentiable"},
    an_error_costs="the pairs of samples that it puts in the wrong order",
    prefer="if only the order of the samples counts",
)
@ordinal_metric(
    _kendall_tau,
    name="kendall_tau_a",
    variant="a",
    greater_is_better=True,
    bounds=(-1.0, 1.0),
    check=_check_variant,
    chance_level=0.0,
    gradient=_kendall_tau_gradient,
    properties={"invariant", "symmetric", "centred at chance", "differentiable"},
    an_error_costs="the pairs of samples that it puts in the wrong order",
    prefer="if only the order of the samples counts, and ties count against the prediction",
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

    Let :math:`P` pairs of the :math:`N` samples be in the same order, and :math:`Q` pairs in
    opposite order. :math:`n_x` pairs differ in their true classes, and :math:`n_y` pairs in
    their predicted classes. :math:`m` is the number of distinct true classes or
    the number of distinct predicted classes, whichever is smaller:

    .. math:: \tau_a = \frac{P - Q}{N (N - 1) / 2}, \qquad
        \tau_b = \frac{P - Q}{\sqrt{n_x n_y}}, \qquad
        \tau_c = \frac{2 m (P - Q)}{N^2 (m - 1)}

    Only the order of the classes counts, not whether prediction and truth are equal.

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
    variant : {"a", "b", "c"}, default="b"
        The denominator. "a": all pairs, so ties lower the value [1]_. "b": the geometric
        mean of the numbers of pairs that are not tied in the truth and in the prediction
        [2]_. "c": the largest number of pairs in order that a table of this shape allows
        [3]_.
    replace_undefined_by : float, default=np.nan
        Value to return, without a warning, where the metric is undefined.

    Returns
    -------
    float
        Correlation in [-1, 1]. 1 is best, 0 is no association. NaN with an
        `UndefinedMetricWarning` if `y_true` or `y_pred` is constant (variants "b" and
        "c"), or if there is only one sample or the weights are too small to be
        frequencies (variant "a").

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, or `variant` is not
        known.

    See Also
    --------
    scipy.stats.kendalltau : Variants b and c for any two variables.

    Notes
    -----
    Weights count as frequencies: a sample of weight 2 is two samples. Variant "a"
    depends on their total :math:`N`, so do not rescale them; it is undefined if the weights
    are too small to be frequencies, that is, if the sum of the counts is larger than the
    sum of their squares.

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
    _check_variant(variant)
    statistic = partial(_kendall_tau, variant=variant)
    value = counting.evaluate(statistic, y_true, y_pred, labels, sample_weight)
    reason = "y_true or y_pred is constant"
    if variant == "a":
        reason = "there is only one sample, or the weights are too small to be frequencies"
    return checks.or_undefined(value, replace_undefined_by, f"Kendall's tau-{variant}", reason)


@ordinal_metric(
    _goodman_kruskal_gamma,
    greater_is_better=True,
    bounds=(-1.0, 1.0),
    chance_level=0.0,
    gradient=_goodman_kruskal_gamma_gradient,
    properties={"invariant", "symmetric", "differentiable"},
    an_error_costs="the pairs of samples that it puts in the wrong order; ties cost nothing",
    prefer="if ties carry no information",
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

    It is the number of pairs of samples in the same order minus the number of pairs in
    opposite order, divided by the number of pairs that are tied neither in the truth nor in
    the prediction [1]_. Only the order of the classes counts, not whether prediction and
    truth are equal.

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
        Association in [-1, 1]. 1 is best, 0 is no association. NaN with an
        `UndefinedMetricWarning` if every pair is tied.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    kendall_tau_score : Divide by more pairs.
    somers_d_score : Divide by the pairs that are not tied on the independent side.

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
    value = counting.evaluate(_goodman_kruskal_gamma, y_true, y_pred, labels, sample_weight)
    return checks.or_undefined(
        value, replace_undefined_by, "gamma", "every pair of samples is tied"
    )


def _check_dependent(dependent: Any) -> None:
    checks.check_choice("dependent", dependent, Dependent)


@ordinal_metric(
    _somers_d,
    greater_is_better=True,
    bounds=(-1.0, 1.0),
    check=_check_dependent,
    chance_level=0.0,
    gradient=_somers_d_gradient,
    properties=_somers_d_properties,
    an_error_costs="the pairs of different true classes that it fails to put in order",
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

    It is the number of pairs of samples in the same order minus the number of pairs in
    opposite order, divided by the number of pairs that are not tied on the independent
    side [1]_. Only the order of the classes counts, not whether prediction and truth are
    equal.

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
    dependent : {"y_pred", "y_true", "both"}, default="y_pred"
        The side that depends on the other. "both" is the symmetric form, which divides
        by the mean of the numbers of pairs that are not tied in `y_true` and in
        `y_pred`.
    replace_undefined_by : float, default=np.nan
        Value to return, without a warning, where the metric is undefined.

    Returns
    -------
    float
        Association in [-1, 1]. 1 is best, 0 is no association. NaN with an
        `UndefinedMetricWarning` if the independent side is constant.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, or `dependent`
        is not known.

    See Also
    --------
    goodman_kruskal_gamma_score : Divide by the pairs that are tied on neither side.
    scipy.stats.somersd : Somers' D with a significance test.

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
    _check_dependent(dependent)
    statistic = partial(_somers_d, dependent=dependent)
    value = counting.evaluate(statistic, y_true, y_pred, labels, sample_weight)
    reason = "every pair of samples is tied on the independent side"
    return checks.or_undefined(value, replace_undefined_by, "Somers' D", reason)


# Correlation of true and predicted positions or ranks
# ----------------------------------------------------


def _correlation(counts: Counts, true: Values, pred: Values) -> Values:
    """Correlate truth and prediction, given the value of each true and predicted class."""
    n_true, n_pred = arithmetic.margins(counts)
    n_samples = np.add.reduce(n_true, axis=-1)
    true = true - arithmetic.divide(np.add.reduce(true * n_true, axis=-1), n_samples)[..., None]
    pred = pred - arithmetic.divide(np.add.reduce(pred * n_pred, axis=-1), n_samples)[..., None]
    by_true_class = np.add.reduce(counts * pred[..., None, :], axis=-1)
    covariance = np.add.reduce(by_true_class * true, axis=-1)
    variances = np.add.reduce(true**2 * n_true, axis=-1), np.add.reduce(pred**2 * n_pred, axis=-1)
    is_constant = ((n_true > 0).sum(axis=-1) < 2) | ((n_pred > 0).sum(axis=-1) < 2)
    correlation = arithmetic.divide(covariance, np.sqrt(variances[0]) * np.sqrt(variances[1]))
    return np.where(is_constant, np.nan, arithmetic.clip_rounding(correlation, -1, 1))


def _pearson_correlation(counts: Counts) -> Values:
    position = np.arange(counts.shape[-1], dtype=np.float64)
    return _correlation(counts, position, position)


def _pearson_correlation_gradient(counts: Counts) -> Values:
    position = np.arange(counts.shape[-1], dtype=np.float64)
    n_samples = arithmetic.total(counts)[..., None]
    standardized = []
    for sizes in arithmetic.margins(counts):
        deviation = position - arithmetic.divide(sizes @ position, n_samples[..., 0])[..., None]
        variance = arithmetic.divide(
            np.add.reduce(sizes * deviation**2, axis=-1), n_samples[..., 0]
        )
        standardized.append(arithmetic.divide(deviation, np.sqrt(variance)[..., None]))
    true, pred = standardized[0][..., :, None], standardized[1][..., None, :]
    product, n_samples = true * pred, n_samples[..., None]
    correlation = arithmetic.divide(arithmetic.total(counts * product)[..., None, None], n_samples)
    return arithmetic.divide(product - correlation * (true**2 + pred**2) / 2, n_samples)


def _spearman_correlation(counts: Counts) -> Values:
    true, pred = (np.cumsum(sizes, axis=-1) - sizes / 2 for sizes in arithmetic.margins(counts))
    return _correlation(counts, true, pred)


def _spearman_correlation_gradient(counts: Counts) -> Values:
    n_samples = arithmetic.total(counts)[..., None, None]
    cells = arithmetic.divide(counts, n_samples)
    shares = arithmetic.margins(cells)
    # Ranks as shares of the samples, minus their mean.
    true, pred = (np.add.accumulate(share, axis=-1) - (share + 1) / 2 for share in shares)
    by_true = np.add.reduce(cells * pred[..., None, :], axis=-1)
    by_pred = np.add.reduce(cells * true[..., :, None], axis=-2)
    covariance = np.add.reduce(by_true * true, axis=-1)[..., None]
    added, variances = [], []
    for share, rank, by_class in zip(shares, (true, pred), (by_true, by_pred), strict=True):
        variance = np.add.reduce(share * rank**2, axis=-1)[..., None]
        # One sample changes the ranks of its own and of all other classes, and 12 times the
        # variance, which is 1 - sum(share**3).
        by_ranks = by_class / 2 - np.add.accumulate(by_class, axis=-1)
        added.append(
            by_ranks - arithmetic.divide(covariance, variance) * (1 - share) * (1 + share) / 8
        )
        variances.append(variance[..., None])
    changed = (
        true[..., :, None] * pred[..., None, :] + added[0][..., :, None] + added[1][..., None, :]
    )
    return arithmetic.divide(changed, n_samples * np.sqrt(variances[0]) * np.sqrt(variances[1]))


def _cosine_similarity(counts: Counts) -> Values:
    position = np.arange(1.0, counts.shape[-1] + 1)
    squares = position**2
    product = arithmetic.weighted_total(counts, position[:, None] * position)
    true, pred = (
        np.sqrt(np.add.reduce(sizes * squares, axis=-1)) for sizes in arithmetic.margins(counts)
    )
    return arithmetic.clip_rounding(arithmetic.divide(product, true * pred), 0, 1)


def _cosine_similarity_gradient(counts: Counts) -> Values:
    position = np.arange(1.0, counts.shape[-1] + 1)
    squares = position**2
    true, pred = ((sizes @ squares)[..., None, None] for sizes in arithmetic.margins(counts))
    products = position[:, None] * position
    normalized = arithmetic.divide(products, np.sqrt(true) * np.sqrt(pred))
    similarity = arithmetic.total(counts * normalized)[..., None, None]
    added = arithmetic.divide(squares[:, None], true) + arithmetic.divide(squares, pred)
    return normalized - similarity * added / 2


@ordinal_metric(
    _spearman_correlation,
    greater_is_better=True,
    bounds=(-1.0, 1.0),
    gradient=_spearman_correlation_gradient,
    chance_level=0.0,
    properties={"invariant", "symmetric", "centred at chance", "differentiable"},
    an_error_costs="the squared difference of ranks",
    prefer="if only the order of the samples counts; to compare with published results",
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

    It is Pearson's correlation of the mid-ranks [1]_. Only the order of the classes
    counts, not whether prediction and truth are equal.

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
        Correlation in [-1, 1]. 1 is best, 0 is no association. NaN with an
        `UndefinedMetricWarning` if `y_true` or `y_pred` is constant.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    kendall_tau_score : Rank correlation from pairs of samples.
    scipy.stats.spearmanr : The same coefficient for any two variables.

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
    value = counting.evaluate(_spearman_correlation, y_true, y_pred, labels, sample_weight)
    return checks.or_undefined(
        value, replace_undefined_by, "Spearman's correlation", "y_true or y_pred is constant"
    )


@ordinal_metric(
    _pearson_correlation,
    greater_is_better=True,
    bounds=(-1.0, 1.0),
    chance_level=0.0,
    gradient=_pearson_correlation_gradient,
    properties={"symmetric", "centred at chance", "differentiable"},
    an_error_costs="its distance from a straight line",
    prefer="if shifting or stretching all predictions is harmless",
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

    Each class is represented by its position on the scale, so neighbouring classes count
    as equally far apart [1]_. Predictions that are consistently too high are not penalised.

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
        Correlation in [-1, 1]. 1 is best, 0 is no association. NaN with an
        `UndefinedMetricWarning` if `y_true` or `y_pred` is constant.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    spearman_correlation_score : Ranks instead of positions.
    scipy.stats.pearsonr : The same coefficient for any two variables.

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
    value = counting.evaluate(_pearson_correlation, y_true, y_pred, labels, sample_weight)
    return checks.or_undefined(
        value, replace_undefined_by, "Pearson's correlation", "y_true or y_pred is constant"
    )


@ordinal_metric(
    _cosine_similarity,
    greater_is_better=True,
    bounds=(0.0, 1.0),
    gradient=_cosine_similarity_gradient,
    properties={"symmetric", "differentiable"},
    an_error_costs="its departure from proportionality",
    prefer="to compare with published results",
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

    Each class is represented by its position on the scale, counted from 1 [1]_, so the
    value depends on which class is the lowest: pass `labels` if a fold may lack that class.

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
        Similarity in (0, 1]. 1 is best.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    pearson_correlation_score : The cosine of the centred positions.

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
    return counting.evaluate(_cosine_similarity, y_true, y_pred, labels, sample_weight)


# Reliability and sensitivity of the order of predictions
# -------------------------------------------------------


class ReliabilitySensitivity(NamedTuple):
    """Reliability, sensitivity and their harmonic mean, each in [0, 1]."""

    reliability: float
    sensitivity: float
    f: float


def _mean_share(in_order: Values, sizes: Values) -> Values:
    """Return the mean share of samples in order, among the samples of all other classes.

    `in_order` are the pairs in order of the samples of each class: (..., K).
    """
    # The share, and therefore the mean, is NaN if all samples are in one class.
    shares = arithmetic.divide(in_order, _other_sizes(sizes))
    mean = arithmetic.divide(np.add.reduce(shares, axis=-1), np.add.reduce(sizes, axis=-1))
    return arithmetic.clip_rounding(mean, 0, 1)


def _other_sizes(sizes: Values) -> Values:
    """Return the number of samples of all other classes, exactly 0 if there are none."""
    before, after = np.zeros(sizes.shape), np.zeros(sizes.shape)
    np.add.accumulate(sizes[..., :-1], axis=-1, out=before[..., 1:])
    after[..., :-1] = np.add.accumulate(sizes[..., :0:-1], axis=-1)[..., ::-1]
    others: Values = before + after
    return others


def _reliability_and_sensitivity(counts: Counts) -> tuple[Values, Values, Values]:
    counts = counts.astype(np.float64, copy=False)
    true, pred = arithmetic.margins(counts)
    above = arithmetic.lower_sums(counts[..., ::-1, ::-1])[..., ::-1, ::-1]
    in_order = arithmetic.lower_sums(counts)
    in_order += above
    # The pairs in order of the samples of each cell.
    in_order *= counts
    reliability = _mean_share(np.add.reduce(in_order, axis=-2), pred)
    sensitivity = _mean_share(np.add.reduce(in_order, axis=-1), true)
    harmonic = arithmetic.divide(2 * reliability * sensitivity, reliability + sensitivity)
    # If one value is 0, the harmonic mean is 0, even if the other value is undefined.
    harmonic = np.where((reliability == 0) | (sensitivity == 0), 0.0, harmonic)
    return reliability, sensitivity, harmonic


def _reliability_sensitivity_f(counts: Counts) -> Values:
    return _reliability_and_sensitivity(counts)[2]


def _reliability_sensitivity_f_gradient(counts: Counts) -> Values:
    # Sensitivity is the reliability if truth and prediction are exchanged.
    both = np.stack([counts, counts.swapaxes(-2, -1)])
    (reliability, sensitivity), (by_reliability, by_sensitivity) = _reliability_gradient(both)
    by_sensitivity = by_sensitivity.swapaxes(-2, -1)
    # If no pair is in order, both values grow from 0, and so does their harmonic mean.
    is_zero = reliability + sensitivity == 0
    r = np.where(is_zero, by_reliability, reliability)
    s = np.where(is_zero, by_sensitivity, sensitivity)
    gradient = arithmetic.divide(2 * (s**2 * by_reliability + r**2 * by_sensitivity), (r + s) ** 2)
    gradient = np.where(is_zero & (r + s == 0), 0, gradient)
    # If one value is undefined, the first sample in order makes it much larger than the other.
    gradient = np.where(np.isnan(sensitivity), 2 * by_reliability, gradient)
    return np.where(np.isnan(reliability), 2 * by_sensitivity, gradient)


def _reliability_gradient(counts: Counts) -> tuple[Values, Values]:
    """Return the reliability, of shape (..., 1, 1), and its derivatives."""
    in_order = _samples_in_order(counts)
    sizes = np.add.reduce(counts, axis=-2)
    n_samples = np.add.reduce(sizes, axis=-1)[..., None, None]
    weight = arithmetic.divide(1, _other_sizes(sizes))[..., None, :]
    shares = np.add.reduce(counts * in_order, axis=-2, keepdims=True) * weight
    total_share = np.add.reduce(shares, axis=-1, keepdims=True)
    # A sample adds its own share, adds to the shares of the samples that are in order to it, and
    # makes the shares smaller for all samples that are predicted in another class.
    smaller = shares * weight
    changed = weight * in_order + _samples_in_order(counts * weight) + smaller
    changed -= np.add.reduce(smaller, axis=-1, keepdims=True)
    mean = arithmetic.divide(total_share, n_samples)
    return mean, arithmetic.divide(changed - mean, n_samples)


def reliability_sensitivity(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> ReliabilitySensitivity:
    """Compute Reliability and Sensitivity of the order, and their harmonic mean F.

    For each sample, compute the proportion of the samples predicted in another class that
    the truth orders the same way. Reliability is the mean of these proportions. Sensitivity
    is computed in the same way with truth and prediction exchanged [1]_.

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
        Value to return, without a warning, in place of each value that is undefined.

    Returns
    -------
    ReliabilitySensitivity
        Named tuple of reliability, sensitivity and f, each in [0, 1]. 1 is best.
        Reliability is NaN with an `UndefinedMetricWarning` if `y_pred` is constant, and
        sensitivity is NaN if `y_true` is constant. In both cases f is 0, since the
        other value is 0; f is NaN only if both are constant.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    somers_d_score : Pairs in the same order minus pairs in opposite order.

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
    ReliabilitySensitivity(reliability=0.583..., sensitivity=0.583..., f=0.583...)
    """
    counts = OrdinalConfusion.from_predictions(
        y_true, y_pred, labels=labels, sample_weight=sample_weight
    ).counts
    r, s, f = (float(value) for value in _reliability_and_sensitivity(counts))
    # Do not use a loop, so that warnings point at the caller's line.
    r = checks.or_undefined(r, replace_undefined_by, "reliability", "y_pred is constant")
    s = checks.or_undefined(s, replace_undefined_by, "sensitivity", "y_true is constant")
    f = checks.or_undefined(f, replace_undefined_by, "their F", "y_true and y_pred are constant")
    return ReliabilitySensitivity(r, s, f)


@ordinal_metric(
    _reliability_sensitivity_f,
    greater_is_better=True,
    bounds=(0.0, 1.0),
    gradient=_reliability_sensitivity_f_gradient,
    name="reliability_sensitivity_f",
    properties={"invariant", "symmetric", "differentiable"},
    an_error_costs="the share of the samples that are in the wrong order relative to its sample",
    prefer="if only the order of the samples counts, and all samples count equally",
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
    value = counting.evaluate(_reliability_sensitivity_f, y_true, y_pred, labels, sample_weight)
    reason = "y_true and y_pred are constant"
    return checks.or_undefined(
        value, replace_undefined_by, "the F of reliability and sensitivity", reason
    )
