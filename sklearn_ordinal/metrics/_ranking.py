"""Criteria of rankings: how well scores put samples in the order of their classes."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core import (
    SCORES,
    OrdinalScores,
    ReadingOptions,
    Values,
    check_choice,
    check_number,
    clip_rounding,
    divide,
    mean_where_defined,
    or_undefined,
    ordinal_metric,
    total,
    warn_caller,
)
from sklearn_ordinal.metrics._score_order import (
    ordered_tuple_share,
    pairs_gradient,
    pairs_in_order,
    sums_below,
)

Average = Literal["macro", "weighted"]

_ONE_CLASS = "y_true contains a single class"


def _concordance(scores: OrdinalScores) -> Values:
    in_order, pairs = pairs_in_order(scores)
    return clip_rounding(divide(total(in_order), total(pairs)), 0, 1)


def _concordance_gradient(scores: OrdinalScores) -> Values:
    in_order, pairs = (total(of_classes)[..., None, None] for of_classes in pairs_in_order(scores))
    shape = (scores.n_classes, scores.n_classes)
    by_in_order = divide(np.ones(shape), pairs)
    return pairs_gradient(scores, by_in_order, -by_in_order * divide(in_order, pairs))


def _ranking_error_gradient(scores: OrdinalScores) -> Values:
    return -_concordance_gradient(scores)


def _ranking_error(scores: OrdinalScores) -> Values:
    in_order, pairs = pairs_in_order(scores)
    return clip_rounding(divide(total(pairs - in_order), total(pairs)), 0, 1)


def _mean_pairwise_roc_auc(scores: OrdinalScores) -> Values:
    areas = divide(*pairs_in_order(scores))
    return clip_rounding(mean_where_defined(areas.reshape(*areas.shape[:-2], -1)), 0, 1)


def _mean_pairwise_gradient(scores: OrdinalScores) -> Values:
    in_order, pairs = pairs_in_order(scores)
    n_areas = np.count_nonzero(pairs, axis=(-2, -1))[..., None, None]
    by_in_order = divide(1 / n_areas, pairs)
    by_pairs = -by_in_order * divide(in_order, pairs)
    return pairs_gradient(
        scores,
        *(_of_classes_that_occur(scores, derivative) for derivative in (by_in_order, by_pairs)),
    )


def _of_classes_that_occur(scores: OrdinalScores, upper: Values) -> Values:
    """Return derivatives by pairs of classes as a symmetric matrix, from its upper triangle.

    A class without samples, on the first of the two axes, adds nothing to the derivative by the
    weight of a sample. A first sample in a class, on the second axis, changes the number of areas,
    so there is no derivative.
    """
    occurs = scores.class_counts > 0
    both = np.where(np.tri(scores.n_classes, k=-1, dtype=np.bool_), upper.swapaxes(-2, -1), upper)
    both = np.where(occurs[..., None, :], both, np.nan)
    return np.where(occurs[..., :, None], both, 0)


def roc_auc_per_threshold(scores: OrdinalScores) -> Values:
    """Return the area under the ROC curve of each threshold, NaN where undefined."""
    return _threshold_roc_auc(scores, average=None)


def _threshold_roc_auc(scores: OrdinalScores, *, average: Average | None = "macro") -> Values:
    in_order, pairs = pairs_in_order(scores)
    across_in_order, across = _across_thresholds(in_order), _across_thresholds(pairs)
    areas = clip_rounding(divide(across_in_order, across), 0, 1)
    if average is None:
        return areas
    # Thresholds on both sides of a class without samples are the same cut: take the first.
    is_cut = pairs.sum(axis=-1)[..., :-1] > 0
    weights = np.where(is_cut, across if average == "weighted" else 1, 0)
    return clip_rounding(mean_where_defined(areas, weights), 0, 1)


def _threshold_gradient(scores: OrdinalScores, *, average: Average = "macro") -> Values:
    in_order, pairs = pairs_in_order(scores)
    across_in_order, across = _across_thresholds(in_order), _across_thresholds(pairs)
    is_cut = (pairs.sum(axis=-1)[..., :-1] > 0) & (across > 0)
    if average == "macro":
        n_cuts = np.count_nonzero(is_cut, axis=-1)[..., None]
        by_in_order = np.where(is_cut, divide(1 / n_cuts, across), 0)
        by_pairs = -np.where(is_cut, by_in_order * divide(across_in_order, across), 0)
    else:
        n_pairs = np.where(is_cut, across, 0).sum(axis=-1, keepdims=True)
        n_in_order = np.where(is_cut, across_in_order, 0).sum(axis=-1, keepdims=True)
        by_in_order = np.where(is_cut, divide(1, n_pairs), 0)
        by_pairs = -by_in_order * divide(n_in_order, n_pairs)
    return pairs_gradient(
        scores,
        *(
            _of_classes_that_occur(scores, _between_classes(by_threshold))
            for by_threshold in (by_in_order, by_pairs)
        ),
    )


def _between_classes(by_threshold: Values) -> Values:
    """Return the sum over the thresholds between two classes: (..., K - 1) to (..., K, K)."""
    up_to = sums_below(by_threshold)
    sums: Values = up_to[..., None, :] - up_to[..., :, None]
    return sums


def _across_thresholds(pairs: Values) -> Values:
    """Return the sum of the pairs across each threshold: (..., K, K) to (..., K - 1)."""
    sums = np.cumsum(np.cumsum(pairs, axis=-2)[..., ::-1], axis=-1)[..., ::-1]
    return np.diagonal(sums, 1, axis1=-2, axis2=-1)


def _volume_under_surface(scores: OrdinalScores) -> Values:
    return clip_rounding(ordered_tuple_share(scores), 0, 1)


@ordinal_metric(
    _concordance,
    evidence="scores",
    greater_is_better=True,
    bounds=(0.0, 1.0),
    gradient=_concordance_gradient,
    chance_level=0.5,
    properties={"invariant", "centred at chance"},
    an_error_costs="the pairs of samples that it puts in the wrong order",
    prefer="if only the order of the samples is used, and every pair of samples counts equally",
)
def concordance_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Compute the share of the pairs of different classes that scores put in order.

    A pair is in order if the sample of the higher class has the higher score, and counts
    half if the scores are equal. Two classes :math:`a < b` form :math:`n_a n_b` pairs of
    samples, and :math:`w_{ab}` of them are in order [1]_:

    .. math:: \frac{\sum_{a < b} w_{ab}}{\sum_{a < b} n_a n_b}

    This is the concordance index c, also called ranking accuracy, and (D + 1) / 2 for
    Somers' D of the scores given the classes. It is one of three numbers that are called
    ordinal AUC: large classes have more pairs, so they count more than in
    `mean_pairwise_roc_auc_score`, and each pair counts once, not once for each threshold
    between its classes as in `threshold_roc_auc_score` with ``average="weighted"``. With
    two classes, all three are the area under the ROC curve.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_score : array-like of shape (n_samples,) or (n_samples, n_classes)
        Scores, higher for higher classes. Probabilities of the classes, from the lowest to
        the highest, are converted to scores: their expected positions.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights. The weight of a pair is the product of the weights of
        its samples.
    replace_undefined_by : float, default=np.nan
        Value to return, without a warning, where the metric is undefined.

    Returns
    -------
    float
        Share in [0, 1]. 1 is best; random or constant scores get 0.5. NaN with an
        `UndefinedMetricWarning` if `y_true` contains a single class.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, a score is not
        finite, or a row of probabilities does not add up to 1.

    See Also
    --------
    mean_pairwise_roc_auc_score : All pairs of classes count equally.
    threshold_roc_auc_score : Classes above each threshold against classes below it.
    volume_under_surface_score : Samples of all classes in order.
    ranking_error : 1 minus this score.
    somers_d_score : Concordance of predicted classes, from -1 to 1.

    References
    ----------
    .. [1] F. E. Harrell, R. M. Califf, D. B. Pryor, K. L. Lee, R. A. Rosati (1982),
       "Evaluating the yield of medical tests", JAMA 247(18),
       :doi:`10.1001/jama.1982.03320430047030`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import concordance_score
    >>> concordance_score([0, 0, 1, 2], [0.1, 0.4, 0.3, 0.8])
    0.8
    """
    value = SCORES.evaluate(_concordance, y_true, y_score, labels, sample_weight)
    return or_undefined(value, replace_undefined_by, "concordance", _ONE_CLASS)


@ordinal_metric(
    _mean_pairwise_roc_auc,
    evidence="scores",
    greater_is_better=True,
    bounds=(0.0, 1.0),
    gradient=_mean_pairwise_gradient,
    chance_level=0.5,
    properties={"invariant", "imbalance", "prevalence invariant", "centred at chance"},
    an_error_costs="its share of the pairs with samples of each other class",
    prefer="if only the order of the samples is used, and small classes count as much as large",
)
def mean_pairwise_roc_auc_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Compute the mean area under the ROC curve over all pairs of classes.

    Two classes :math:`a < b` form :math:`n_a n_b` pairs of samples. The scores of
    :math:`w_{ab}` of these pairs are in the right order; pairs with equal scores count
    half. The area under the curve is :math:`w_{ab} / (n_a n_b)`, and the mean is over all
    pairs of the :math:`K` classes that occur [1]_:

    .. math:: \frac{2}{K (K - 1)} \sum_{a < b} \frac{w_{ab}}{n_a n_b}

    This is the ordinal c-index, ORC. It is one of three numbers that are called ordinal
    AUC: all classes count equally, unlike in `concordance_score`, where large classes
    count more.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_score : array-like of shape (n_samples,) or (n_samples, n_classes)
        Scores, higher for higher classes. Probabilities of the classes, from the lowest to
        the highest, are converted to scores: their expected positions.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights. The weight of a pair is the product of the weights of
        its samples.
    replace_undefined_by : float, default=np.nan
        Value to return, without a warning, where the metric is undefined.

    Returns
    -------
    float
        Mean area in [0, 1]. 1 is best; random or constant scores get 0.5. NaN with an
        `UndefinedMetricWarning` if `y_true` contains a single class.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, a score is not
        finite, or a row of probabilities does not add up to 1.

    See Also
    --------
    concordance_score : All pairs of samples count equally.
    threshold_roc_auc_score : Classes above each threshold against classes below it.
    volume_under_surface_score : Samples of all classes in order.
    sklearn.metrics.roc_auc_score : Multiclass areas for classes without an order.

    Notes
    -----
    Packages that take probabilities differ: the score for a pair of classes may also be the
    probability of the higher class, given that it is one of the two. Here, the same scores
    are used for all pairs.

    References
    ----------
    .. [1] B. Van Calster, V. Van Belle, Y. Vergouwe, E. W. Steyerberg (2012),
       "Discrimination ability of prediction models for ordinal outcomes: relationships
       between existing measures and a new measure", Biometrical Journal 54(5),
       :doi:`10.1002/bimj.201200026`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import mean_pairwise_roc_auc_score
    >>> mean_pairwise_roc_auc_score([0, 0, 1, 2], [0.1, 0.4, 0.3, 0.8])
    0.8333...
    """
    value = SCORES.evaluate(_mean_pairwise_roc_auc, y_true, y_score, labels, sample_weight)
    return or_undefined(value, replace_undefined_by, "the mean pairwise ROC AUC", _ONE_CLASS)


def _check_average(average: Any) -> None:
    if average is None:
        raise ValueError(
            "threshold_roc_auc_score returns an array with average=None, but a metric is a single "
            "number: leave this option out."
        )
    check_choice("average", average, Average)


@overload
def threshold_roc_auc_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: Average = "macro",
    replace_undefined_by: float = np.nan,
    **reading: Unpack[ReadingOptions],
) -> float: ...
@overload
def threshold_roc_auc_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: None,
    replace_undefined_by: float = np.nan,
    **reading: Unpack[ReadingOptions],
) -> NDArray[np.float64]: ...
@ordinal_metric(
    _threshold_roc_auc,
    evidence="scores",
    greater_is_better=True,
    bounds=(0.0, 1.0),
    check=_check_average,
    gradient=_threshold_gradient,
    chance_level=0.5,
    properties={"invariant", "centred at chance"},
    an_error_costs="its share of the pairs across each threshold that it crosses",
    prefer="if the scores are compared with thresholds, such as a decision at each grade",
)
def threshold_roc_auc_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    average: Average | None = "macro",
    replace_undefined_by: float = np.nan,
) -> Any:
    r"""Compute the area under the ROC curve of each threshold between classes, or their mean.

    For the threshold above class :math:`k`, the classes above it are positive and the
    others are negative. The area is the value of `sklearn.metrics.roc_auc_score` [1]_. The
    mean is one of three numbers that are called ordinal AUC: errors across several classes
    count at several thresholds, so the mean is neither `concordance_score` nor
    `mean_pairwise_roc_auc_score`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_score : array-like of shape (n_samples,) or (n_samples, n_classes)
        Scores, higher for higher classes. Probabilities of the classes, from the lowest to
        the highest, are converted to scores: their expected positions.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights. The weight of a pair is the product of the weights of
        its samples.
    average : {"macro", "weighted"} or None, default="macro"
        How to average over the thresholds. "macro": the mean of the areas; a class without
        samples does not add a threshold. "weighted": the mean weighted by the number of
        pairs with one sample above and one below the threshold, which equals the share of
        these pairs, over all thresholds, that are in order. None: no average.
    replace_undefined_by : float, default=np.nan
        Value to return, without a warning, in place of each value that is undefined.

    Returns
    -------
    float or ndarray of shape (n_classes - 1,)
        Mean area, or the area of each threshold, in [0, 1]. 1 is best; random or constant
        scores get 0.5. NaN with an `UndefinedMetricWarning` for a threshold that has all
        samples on one side, or if `y_true` contains a single class.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, a score is not
        finite, a row of probabilities does not add up to 1, or `average` is not known.

    See Also
    --------
    concordance_score : Each pair of samples counts once.
    mean_pairwise_roc_auc_score : All pairs of classes count equally.
    equal_error_rate : The error of each threshold where both kinds of error are equal.
    sklearn.metrics.roc_auc_score : The area of one threshold.

    Notes
    -----
    Unlike in scikit-learn, the weights of ``average="weighted"`` are not the numbers of
    positive samples, which would depend on whether the scale is read upwards or downwards.

    References
    ----------
    .. [1] W. Waegeman, B. De Baets, L. Boullart (2008), "ROC analysis in ordinal regression
       learning", Pattern Recognition Letters 29(1), :doi:`10.1016/j.patrec.2007.07.019`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import threshold_roc_auc_score
    >>> y_true, y_score = [0, 0, 1, 2], [0.1, 0.4, 0.3, 0.8]
    >>> threshold_roc_auc_score(y_true, y_score, average=None)
    array([0.75, 1.  ])
    >>> threshold_roc_auc_score(y_true, y_score)
    0.875
    """
    check_choice("average", average, Average, or_none=True)
    if average is not None:
        statistic = partial(_threshold_roc_auc, average=average)
        value = SCORES.evaluate(statistic, y_true, y_score, labels, sample_weight)
        return or_undefined(value, replace_undefined_by, "the threshold ROC AUC", _ONE_CLASS)
    scores = SCORES.read(y_true, y_score, labels=labels, sample_weight=sample_weight)
    check_number("replace_undefined_by", replace_undefined_by)
    areas = roc_auc_per_threshold(scores)
    is_undefined = np.isnan(areas)
    if is_undefined.any() and np.isnan(replace_undefined_by):
        warn_caller(
            "The ROC AUC is undefined for thresholds with all samples on one side.",
            UndefinedMetricWarning,
        )
    return np.where(is_undefined, replace_undefined_by, areas)


@ordinal_metric(
    _volume_under_surface,
    evidence="scores",
    greater_is_better=True,
    bounds=(0.0, 1.0),
    properties={"invariant", "imbalance", "prevalence invariant"},
    an_error_costs="the sets of one sample per class that it puts in the wrong order",
    prefer="if samples of all classes must be in order at once, and there are few classes",
)
def volume_under_surface_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """Compute the volume under the ROC surface of ordered classes.

    It is the probability that scores put one random sample of each class in the order of
    the classes [1]_. If m samples are tied and no other sample is out of order, one of the
    m! ways to break the ties is right, so these samples count 1 / m!.

    In contrast to the three numbers that are called ordinal AUC, the value of random scores
    depends on the number of classes, and is small if there are many.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_score : array-like of shape (n_samples,) or (n_samples, n_classes)
        Scores, higher for higher classes. Probabilities of the classes, from the lowest to
        the highest, are converted to scores: their expected positions.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights. The weight of a set of samples, one of each class, is
        the product of their weights.
    replace_undefined_by : float, default=np.nan
        Value to return, without a warning, where the metric is undefined.

    Returns
    -------
    float
        Volume in [0, 1]. 1 is best; random or constant scores get 1 / K! if K classes
        occur. NaN with an `UndefinedMetricWarning` if `y_true` contains a single class.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, a score is not
        finite, or a row of probabilities does not add up to 1.

    See Also
    --------
    concordance_score : Pairs of samples in order.
    mean_pairwise_roc_auc_score : The mean over pairs of classes.

    Notes
    -----
    The value is exact and takes about as long as sorting the scores: the share of sets
    in order is computed for the lowest class, then for the lowest two, and so on.

    References
    ----------
    .. [1] C. T. Nakas, C. T. Yiannoutsos (2004), "Ordered multiple-class ROC analysis with
       continuous measurements", Statistics in Medicine 23(22), :doi:`10.1002/sim.1917`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import volume_under_surface_score
    >>> volume_under_surface_score([0, 0, 1, 2], [0.1, 0.4, 0.3, 0.8])
    0.5
    """
    value = SCORES.evaluate(_volume_under_surface, y_true, y_score, labels, sample_weight)
    return or_undefined(value, replace_undefined_by, "the volume under the surface", _ONE_CLASS)


@ordinal_metric(
    _ranking_error,
    evidence="scores",
    greater_is_better=False,
    bounds=(0.0, 1.0),
    gradient=_ranking_error_gradient,
    chance_level=0.5,
    properties={"invariant", "centred at chance"},
    an_error_costs="the pairs of samples that it puts in the wrong order",
    prefer="instead of concordance, if lower values should be better",
)
def ranking_error(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """Compute the share of the pairs of different classes that scores put in the wrong order.

    A pair is in the wrong order if the sample of the lower class has the higher score, and
    counts half if the scores are equal [1]_. Ranking accuracy, 1 minus this error, is
    `concordance_score`.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_score : array-like of shape (n_samples,) or (n_samples, n_classes)
        Scores, higher for higher classes. Probabilities of the classes, from the lowest to
        the highest, are converted to scores: their expected positions.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights. The weight of a pair is the product of the weights of
        its samples.
    replace_undefined_by : float, default=np.nan
        Value to return, without a warning, where the metric is undefined.

    Returns
    -------
    float
        Share in [0, 1]. 0 is best; random or constant scores get 0.5. NaN with an
        `UndefinedMetricWarning` if `y_true` contains a single class.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, a score is not
        finite, or a row of probabilities does not add up to 1.

    See Also
    --------
    concordance_score : Ranking accuracy.

    References
    ----------
    .. [1] P. A. Flach (2012), "Machine Learning: The Art and Science of Algorithms that
       Make Sense of Data", Cambridge University Press, :doi:`10.1017/CBO9780511973000`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import ranking_error
    >>> ranking_error([0, 0, 1, 2], [0.1, 0.4, 0.3, 0.8])
    0.2
    """
    value = SCORES.evaluate(_ranking_error, y_true, y_score, labels, sample_weight)
    return or_undefined(value, replace_undefined_by, "the ranking error", _ONE_CLASS)
