"""Rank association: pairs of samples that prediction and truth put in the same order."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal._core import (
    LABELS,
    Counts,
    Property,
    Shared,
    Values,
    check_choice,
    clip_rounding,
    divide,
    lower_sums,
    margins,
    or_undefined,
    ordinal_metric,
    result_of,
    takes_shared,
    total,
)

# The square of a smaller number of samples is below 2**53, so its floats are exact.
_LARGEST_EXACT_TOTAL = 2**26

Variant = Literal["a", "b", "c"]
Dependent = Literal["y_pred", "y_true", "both"]


def _pairs_in_order(counts: Counts) -> tuple[Values, Values]:
    """Return the numbers of pairs in the same and in opposite order."""
    # Each pair is counted once, for its higher sample.
    if counts.ndim > 2 and counts.dtype.kind == "i":
        true, pred = margins(counts)
        n_samples = np.add.reduce(true, axis=-1)
        if n_samples.max(initial=0) < _LARGEST_EXACT_TOTAL:
            # Sums of exact integers do not depend on the order of the terms, which may depend on
            # the processor. A pair of another row and another column is in one order or the other.
            concordant = np.einsum("...ij,...ij->...", counts, lower_sums(counts))
            tied = np.add.reduce(true**2, axis=-1) + np.add.reduce(pred**2, axis=-1)
            untied = n_samples**2 - tied + np.einsum("...ij,...ij->...", counts, counts)
            return concordant, untied / 2 - concordant
    counts = counts.astype(np.float64)
    flipped = counts[..., ::-1]
    return total(counts * lower_sums(counts)), total(flipped * lower_sums(flipped))


def _pairs_of_different_classes(counts: Counts) -> tuple[Values, Values]:
    """Return the numbers of pairs that are not tied in the truth, and in the prediction."""
    true, pred = margins(counts)
    return _untied_pairs(true), _untied_pairs(pred)


def _untied_pairs(sizes: Values) -> Values:
    # Pair each class with all lower classes. N**2 - sum(n**2) would lose small classes next to
    # large ones.
    lower = np.add.accumulate(sizes, axis=-1)[..., :-1]
    n_pairs: Values = np.add.reduce(sizes[..., 1:] * lower, axis=-1)
    return n_pairs


def _pair_gradients(counts: Counts) -> tuple[Values, Values]:
    """Return the numbers of samples that are in the same and in opposite order to each cell."""
    in_order, flipped = samples_in_order(np.array([counts, counts[..., ::-1]]))
    return in_order, flipped[..., ::-1]


def _pairs(counts: Counts, gradient: Values) -> Values:
    """Return the number of pairs, of shape (..., 1, 1), from the partners of each cell."""
    return total(counts * gradient)[..., None, None] / 2


def samples_in_order(counts: Counts) -> Values:
    """Return the number of samples that are in the same order to each cell."""
    return lower_sums(counts) + lower_sums(counts[..., ::-1, ::-1])[..., ::-1, ::-1]


def _untied_gradients(counts: Counts) -> tuple[Values, Values]:
    """Return the numbers of samples of another true, and of another predicted class."""
    true, pred = margins(counts)
    n_samples = total(counts)[..., None]
    return (n_samples - true)[..., :, None], (n_samples - pred)[..., None, :]


@takes_shared
def _kendall_tau(counts: Counts, *, variant: Variant = "b", shared: Shared | None = None) -> Values:
    concordant, discordant = result_of(_pairs_in_order, counts, shared)
    difference = concordant - discordant
    if variant == "b":
        untied = result_of(_pairs_of_different_classes, counts, shared)
        # Take the roots separately: the product of the numbers of pairs overflows at 1e5 samples.
        roots = np.sqrt(untied[0]) * np.sqrt(untied[1])
        return clip_rounding(divide(difference, roots), -1, 1)
    n_samples = total(counts)
    if variant == "a":
        # Frequencies are whole numbers, which are never larger than their squares.
        may_be_frequencies = counts.dtype.kind == "i" or total(counts**2) >= n_samples
        n_pairs = np.where(may_be_frequencies, n_samples * (n_samples - 1) / 2, 0)
        return clip_rounding(divide(difference, n_pairs), -1, 1)
    true, pred = margins(counts)
    shorter = np.minimum((true > 0).sum(axis=-1), (pred > 0).sum(axis=-1))
    return clip_rounding(divide(2 * shorter * difference, n_samples**2 * (shorter - 1)), -1, 1)


@takes_shared
def _kendall_tau_gradient(
    counts: Counts, *, variant: Variant = "b", shared: Shared | None = None
) -> Values:
    changed = np.subtract(*result_of(_pair_gradients, counts, shared))
    difference = _pairs(counts, changed)
    if variant == "b":
        untied = [_untied_pairs(sizes)[..., None, None] for sizes in margins(counts)]
        roots = np.sqrt(untied[0]) * np.sqrt(untied[1])
        of_true, of_pred = map(divide, _untied_gradients(counts), untied)
        return divide(changed - difference * (of_true + of_pred) / 2, roots)
    n_samples = total(counts)[..., None, None]
    if variant == "a":
        n_pairs = n_samples * (n_samples - 1) / 2
        return divide(changed - divide(difference * (n_samples - 0.5), n_pairs), n_pairs)
    occurs = [sizes > 0 for sizes in margins(counts)]
    n_true, n_pred = (np.count_nonzero(o, axis=-1)[..., None, None] for o in occurs)
    shorter = np.minimum(n_true, n_pred)
    # A first sample in a class may change the shorter side of the table, and so the value.
    with_sample = np.minimum(n_true + ~occurs[0][..., :, None], n_pred + ~occurs[1][..., None, :])
    gradient = divide(2 * shorter * (changed - 2 * difference / n_samples), shorter - 1)
    return np.where(with_sample == shorter, divide(gradient, n_samples**2), np.nan)


@takes_shared
def _goodman_kruskal_gamma(counts: Counts, *, shared: Shared | None = None) -> Values:
    concordant, discordant = result_of(_pairs_in_order, counts, shared)
    return clip_rounding(divide(concordant - discordant, concordant + discordant), -1, 1)


@takes_shared
def _goodman_kruskal_gamma_gradient(counts: Counts, *, shared: Shared | None = None) -> Values:
    in_order, reversed_order = result_of(_pair_gradients, counts, shared)
    concordant, discordant = _pairs(counts, in_order), _pairs(counts, reversed_order)
    n_pairs = concordant + discordant
    return divide(2 * (discordant * in_order - concordant * reversed_order), n_pairs * n_pairs)


@takes_shared
def _somers_d(
    counts: Counts, *, dependent: Dependent = "y_pred", shared: Shared | None = None
) -> Values:
    concordant, discordant = result_of(_pairs_in_order, counts, shared)
    true, pred = result_of(_pairs_of_different_classes, counts, shared)
    untied = {"y_pred": true, "y_true": pred, "both": (true + pred) / 2}[dependent]
    return clip_rounding(divide(concordant - discordant, untied), -1, 1)


@takes_shared
def _somers_d_gradient(
    counts: Counts, *, dependent: Dependent = "y_pred", shared: Shared | None = None
) -> Values:
    changed = np.subtract(*result_of(_pair_gradients, counts, shared))
    difference = _pairs(counts, changed)
    share = {"y_pred": 1.0, "y_true": 0.0, "both": 0.5}[dependent]
    true, pred = (_untied_pairs(sizes)[..., None, None] for sizes in margins(counts))
    of_true, of_pred = _untied_gradients(counts)
    untied = share * true + (1 - share) * pred
    added = share * of_true + (1 - share) * of_pred
    return divide(changed - divide(difference * added, untied), untied)


def _somers_d_properties(dependent: Dependent = "y_pred") -> set[Property]:
    properties: dict[str, set[Property]] = {
        "both": {"symmetric"},
        # The number of pairs that are not tied in the truth does not depend on the predictions.
        "y_pred": {"bilinear"},
        "y_true": set(),
    }
    return {"invariant", "centred at chance", "differentiable", *properties[dependent]}


def _check_variant(variant: Any) -> None:
    check_choice("variant", variant, Variant)


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
    value = LABELS.evaluate(statistic, y_true, y_pred, labels, sample_weight)
    reason = "y_true or y_pred is constant"
    if variant == "a":
        reason = "there is only one sample, or the weights are too small to be frequencies"
    return or_undefined(value, replace_undefined_by, f"Kendall's tau-{variant}", reason)


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
    value = LABELS.evaluate(_goodman_kruskal_gamma, y_true, y_pred, labels, sample_weight)
    return or_undefined(value, replace_undefined_by, "gamma", "every pair of samples is tied")


def _check_dependent(dependent: Any) -> None:
    check_choice("dependent", dependent, Dependent)


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
    value = LABELS.evaluate(statistic, y_true, y_pred, labels, sample_weight)
    reason = "every pair of samples is tied on the independent side"
    return or_undefined(value, replace_undefined_by, "Somers' D", reason)
