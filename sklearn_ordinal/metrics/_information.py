"""Information that the prediction gives about the truth, regardless of the order of the classes."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal._core import arithmetic, checks, counting
from sklearn_ordinal._core.arithmetic import Counts, Values
from sklearn_ordinal._core.catalogue import ordinal_metric

# The square of a smaller number of samples is a 64-bit integer.
_LARGEST_EXACT_TOTAL = 2**31


def _other_values_sum(values: Values) -> Values:
    """Return the sum of all other values along the last axis.

    The values are added up, because subtracting from the total would lose small values
    next to large ones.
    """
    sums = np.zeros_like(values)
    sums[..., 1:] += np.cumsum(values[..., :-1], axis=-1)
    sums[..., :-1] += np.cumsum(values[..., :0:-1], axis=-1)[..., ::-1]
    return sums


def _entropy(share: Values) -> Values:
    with np.errstate(divide="ignore", invalid="ignore"):
        # For a share near 1, use the sum of the other shares, which keeps their small digits.
        logarithm = np.where(share > 0.5, np.log1p(-_other_values_sum(share)), np.log(share))
        bits = np.where(share == 0, 0, -share * logarithm) / np.log(2)
    entropy: Values = bits.sum(axis=-1)
    return entropy


def _mutual_information(counts: Counts, *, normalize: bool = False) -> Values:
    """Sum p log(p / e) - p + e over the cells, where e is the share expected by chance.

    The shares p and e have the same sum, so - p + e adds nothing in total. With it, every
    term is non-negative, so large terms do not cancel.
    """
    n_samples = arithmetic.total(counts)
    if counts.dtype.kind == "i" and n_samples.max(initial=0) < _LARGEST_EXACT_TOTAL:
        information = _information_of_integers(counts)
    else:
        information = _information_of_weights(counts, n_samples)
    information = information / np.log(2)
    if normalize:
        true, pred = (
            _entropy(arithmetic.divide(sizes, n_samples[..., None]))
            for sizes in arithmetic.margins(counts)
        )
        information = arithmetic.divide(information, (true + pred) / 2)
    return arithmetic.clip_rounding(information, *_information_bounds(counts.shape[-1], normalize))


def _information_of_integers(counts: Counts) -> Values:
    """Return the information in natural units.

    Products and sums of integers have no rounding errors: p and e are multiplied by N**2.
    """
    matrices = counts.reshape(-1, *counts.shape[-2:])
    true, pred = np.add.reduce(matrices, axis=-1), np.add.reduce(matrices, axis=-2)
    n_samples = np.add.reduce(true, axis=-1)
    by_chance = true[..., :, None] * pred[..., None, :]
    # The term of an empty cell is e. Most cells of a large matrix are empty.
    occupied = matrix, _, _ = np.nonzero(matrices)
    observed, expected = matrices[occupied] * n_samples[matrix], by_chance[occupied]
    by_chance[occupied] = 0
    excess = observed - expected
    terms = np.maximum(observed * np.log1p(excess / expected) - excess, 0)
    in_occupied = np.bincount(matrix, terms, len(matrices))
    in_empty = np.add.reduce(by_chance, axis=(-2, -1))
    return arithmetic.divide(in_occupied + in_empty, n_samples**2).reshape(counts.shape[:-2])


def _information_of_weights(counts: Counts, n_samples: Values) -> Values:
    """Return the information in natural units."""
    share = arithmetic.divide(counts, n_samples[..., None, None])
    (true, pred), excess = arithmetic.margins(share), _excess(share)
    # The term of an empty cell is e, and e - p otherwise lacks p log(p / e).
    occupied = *matrix, row, column = np.nonzero(counts)
    share, of_true, of_pred = share[occupied], true[*matrix, row], pred[*matrix, column]
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = excess[occupied] / (of_true * of_pred)
        # Use logarithms of the factors, since the product of two small shares may be zero.
        apart = np.log(share) - np.log(of_true) - np.log(of_pred)
        logarithm = np.where(np.abs(relative) < 0.5, np.log1p(relative), apart)
        # The share of a very small weight may be zero.
        surplus = np.where(share == 0, 0, share * logarithm)
    terms = np.negative(excess, out=excess)
    terms[occupied] += surplus
    return arithmetic.total(np.maximum(terms, 0, out=terms))


def _excess(share: Values) -> Values:
    """Return p - e for each cell. A difference would lose the digits of small classes."""
    in_row = _other_values_sum(share)
    in_column = _other_values_sum(share.swapaxes(-1, -2)).swapaxes(-1, -2)
    return share * _other_values_sum(in_column) - in_row * in_column


def _mutual_information_gradient(counts: Counts, *, normalize: bool = False) -> Values:
    """Return the derivatives, which are not finite in cells without samples."""
    n_samples = arithmetic.total(counts)[..., None, None]
    true, pred = (
        np.log2(arithmetic.divide(sizes, n_samples[..., 0])) for sizes in arithmetic.margins(counts)
    )
    pointwise = (
        np.log2(arithmetic.divide(counts, n_samples)) - true[..., :, None] - pred[..., None, :]
    )
    in_all = arithmetic.total(np.where(counts > 0, counts * pointwise, 0))
    information = arithmetic.divide(in_all[..., None, None], n_samples)
    moved = pointwise - information
    if normalize:
        of_true, of_pred = (
            arithmetic.divide(sizes, n_samples[..., 0]) for sizes in arithmetic.margins(counts)
        )
        entropy = (_entropy(of_true) + _entropy(of_pred))[..., None, None] / 2
        moved_entropy = -(true[..., :, None] + pred[..., None, :]) / 2 - entropy
        moved = arithmetic.divide(
            moved - arithmetic.divide(information, entropy) * moved_entropy, entropy
        )
    return arithmetic.divide(moved, n_samples)


def _purity(counts: Counts) -> Values:
    return arithmetic.clip_rounding(
        arithmetic.divide(counts.max(axis=-2).sum(axis=-1), arithmetic.total(counts)), 0, 1
    )


def _inverse_purity(counts: Counts) -> Values:
    return arithmetic.clip_rounding(
        arithmetic.divide(counts.max(axis=-1).sum(axis=-1), arithmetic.total(counts)), 0, 1
    )


def _purity_gradient(counts: Counts, *, axis: int = -2) -> Values:
    largest = counts.max(axis=axis, keepdims=True)
    is_largest = counts == largest
    # At a tie, one more sample in a cell raises the maximum, but one less does not lower it. In an
    # empty class, the first sample raises it wherever it is.
    is_tied = (np.count_nonzero(is_largest, axis=axis, keepdims=True) > 1) & (largest > 0)
    n_samples = arithmetic.total(counts)[..., None, None]
    purity = arithmetic.divide(largest.sum(axis=(-2, -1), keepdims=True), n_samples)
    gradient = arithmetic.divide(is_largest - purity, n_samples)
    return np.where(is_largest & is_tied, np.nan, gradient)


def _information_bounds(n_classes: int, normalize: bool = False) -> tuple[float, float]:
    return 0.0, 1.0 if normalize else float(np.log2(n_classes))


def _check_normalize(normalize: Any) -> None:
    checks.check_bool("normalize", normalize)


@ordinal_metric(
    _mutual_information,
    greater_is_better=True,
    interval_scale="linear",
    bounds=_information_bounds,
    check=_check_normalize,
    gradient=_mutual_information_gradient,
    properties={"invariant", "symmetric", "differentiable"},
    an_error_costs="the information about the true class that is lost, in bits",
    prefer="if the names of the predicted classes do not matter",
    exceptions={"best if perfect": "the best value is the entropy of the truth"},
)
def mutual_information_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    normalize: bool = False,
    replace_undefined_by: float = np.nan,
) -> float:
    """Compute the mutual information of truth and prediction, in bits.

    It measures how much the prediction says about the truth, regardless of the names and
    the order of the predicted classes [1]_: swapping two classes in all predictions loses
    no information.

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
    normalize : bool, default=False
        Whether to divide by the mean of the entropies of truth and prediction.
    replace_undefined_by : float, default=np.nan
        Value to return, without a warning, where the metric is undefined.

    Returns
    -------
    float
        Information in bits, in [0, log2(n_classes)], or in [0, 1] if `normalize`. Higher is
        better: 1 is best if `normalize`, otherwise the entropy of `y_true`. If
        `normalize`, NaN with an `UndefinedMetricWarning` if `y_true` and `y_pred` are both
        constant.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    sklearn.metrics.mutual_info_score : Mutual information in nats.
    sklearn.metrics.normalized_mutual_info_score : Normalised mutual information.

    References
    ----------
    .. [1] C. E. Shannon (1948), "A mathematical theory of communication", Bell System
       Technical Journal 27(3), :doi:`10.1002/j.1538-7305.1948.tb01338.x`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import mutual_information_score
    >>> mutual_information_score([0, 1, 2, 2], [0, 2, 2, 1])
    1.0
    """
    _check_normalize(normalize)
    statistic = partial(_mutual_information, normalize=normalize)
    value = counting.evaluate(statistic, y_true, y_pred, labels, sample_weight)
    reason = "y_true and y_pred are both constant"
    return checks.or_undefined(value, replace_undefined_by, "normalised mutual information", reason)


@ordinal_metric(
    _purity,
    greater_is_better=True,
    bounds=(0.0, 1.0),
    gradient=_purity_gradient,
    properties={"invariant"},
    an_error_costs="1, if most samples of its predicted class have another true class",
    prefer="if predicted classes are clusters",
)
def purity_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute the purity of the predicted classes.

    It is the proportion of samples that belong to the most frequent true class of their
    predicted class [1]_, regardless of the names and the order of the predicted classes.

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
        Proportion of the samples, or of their weight, in (0, 1]. 1 is best.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    inverse_purity_score : Purity with truth and prediction exchanged.

    References
    ----------
    .. [1] Y. Zhao, G. Karypis (2004), "Empirical and theoretical comparisons of selected
       criterion functions for document clustering", Machine Learning 55(3),
       :doi:`10.1023/B:MACH.0000027785.44527.d6`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import purity_score
    >>> purity_score([0, 1, 2, 2], [0, 2, 2, 1])
    0.75
    """
    return counting.evaluate(_purity, y_true, y_pred, labels, sample_weight)


@ordinal_metric(
    _inverse_purity,
    greater_is_better=True,
    bounds=(0.0, 1.0),
    gradient=partial(_purity_gradient, axis=-1),
    properties={"invariant"},
    an_error_costs="1, if most samples of its true class are predicted as another class",
    prefer="if predicted classes are clusters",
    interval_method="percentile",
)
def inverse_purity_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute the purity of the true classes.

    It is the proportion of samples in the most frequent predicted class of their true class
    [1]_, regardless of the names and the order of the predicted classes.

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
        Proportion of the samples, or of their weight, in (0, 1]. 1 is best.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    purity_score : Purity of the predicted classes.

    References
    ----------
    .. [1] Y. Zhao, G. Karypis (2004), "Empirical and theoretical comparisons of selected
       criterion functions for document clustering", Machine Learning 55(3),
       :doi:`10.1023/B:MACH.0000027785.44527.d6`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import inverse_purity_score
    >>> inverse_purity_score([0, 1, 2, 2], [0, 2, 2, 1])
    0.75
    """
    return counting.evaluate(_inverse_purity, y_true, y_pred, labels, sample_weight)
