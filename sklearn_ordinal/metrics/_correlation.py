"""Correlation of true and predicted positions or ranks."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal._core import (
    LABELS,
    Counts,
    Values,
    clip_rounding,
    divide,
    margins,
    or_undefined,
    ordinal_metric,
    total,
    weighted_total,
)


def _correlation(counts: Counts, true: Values, pred: Values) -> Values:
    """Correlate truth and prediction, given the value of each true and predicted class."""
    n_true, n_pred = margins(counts)
    n_samples = np.add.reduce(n_true, axis=-1)
    true = true - divide(np.add.reduce(true * n_true, axis=-1), n_samples)[..., None]
    pred = pred - divide(np.add.reduce(pred * n_pred, axis=-1), n_samples)[..., None]
    by_true_class = np.add.reduce(counts * pred[..., None, :], axis=-1)
    covariance = np.add.reduce(by_true_class * true, axis=-1)
    variances = np.add.reduce(true**2 * n_true, axis=-1), np.add.reduce(pred**2 * n_pred, axis=-1)
    is_constant = ((n_true > 0).sum(axis=-1) < 2) | ((n_pred > 0).sum(axis=-1) < 2)
    correlation = divide(covariance, np.sqrt(variances[0]) * np.sqrt(variances[1]))
    return np.where(is_constant, np.nan, clip_rounding(correlation, -1, 1))


def _pearson_correlation(counts: Counts) -> Values:
    position = np.arange(counts.shape[-1], dtype=np.float64)
    return _correlation(counts, position, position)


def _pearson_correlation_gradient(counts: Counts) -> Values:
    position = np.arange(counts.shape[-1], dtype=np.float64)
    n_samples = total(counts)[..., None]
    standardized = []
    for sizes in margins(counts):
        deviation = position - divide(sizes @ position, n_samples[..., 0])[..., None]
        variance = divide(np.add.reduce(sizes * deviation**2, axis=-1), n_samples[..., 0])
        standardized.append(divide(deviation, np.sqrt(variance)[..., None]))
    true, pred = standardized[0][..., :, None], standardized[1][..., None, :]
    product, n_samples = true * pred, n_samples[..., None]
    correlation = divide(total(counts * product)[..., None, None], n_samples)
    return divide(product - correlation * (true**2 + pred**2) / 2, n_samples)


def _spearman_correlation(counts: Counts) -> Values:
    true, pred = (np.cumsum(sizes, axis=-1) - sizes / 2 for sizes in margins(counts))
    return _correlation(counts, true, pred)


def _spearman_correlation_gradient(counts: Counts) -> Values:
    n_samples = total(counts)[..., None, None]
    cells = divide(counts, n_samples)
    shares = margins(cells)
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
        added.append(by_ranks - divide(covariance, variance) * (1 - share) * (1 + share) / 8)
        variances.append(variance[..., None])
    changed = (
        true[..., :, None] * pred[..., None, :] + added[0][..., :, None] + added[1][..., None, :]
    )
    return divide(changed, n_samples * np.sqrt(variances[0]) * np.sqrt(variances[1]))


def _cosine_similarity(counts: Counts) -> Values:
    position = np.arange(1.0, counts.shape[-1] + 1)
    squares = position**2
    product = weighted_total(counts, position[:, None] * position)
    true, pred = (np.sqrt(np.add.reduce(sizes * squares, axis=-1)) for sizes in margins(counts))
    return clip_rounding(divide(product, true * pred), 0, 1)


def _cosine_similarity_gradient(counts: Counts) -> Values:
    position = np.arange(1.0, counts.shape[-1] + 1)
    squares = position**2
    true, pred = ((sizes @ squares)[..., None, None] for sizes in margins(counts))
    products = position[:, None] * position
    normalized = divide(products, np.sqrt(true) * np.sqrt(pred))
    similarity = total(counts * normalized)[..., None, None]
    added = divide(squares[:, None], true) + divide(squares, pred)
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
    value = LABELS.evaluate(_spearman_correlation, y_true, y_pred, labels, sample_weight)
    return or_undefined(
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
    value = LABELS.evaluate(_pearson_correlation, y_true, y_pred, labels, sample_weight)
    return or_undefined(
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
    return LABELS.evaluate(_cosine_similarity, y_true, y_pred, labels, sample_weight)
