"""Criteria of rankings: concordance, areas under ROC curves, and the volume under the surface."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any, Literal, NamedTuple, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.isotonic import isotonic_regression

from sklearn_ordinal._core import arithmetic, checks, evidence_kinds
from sklearn_ordinal._core.arithmetic import Positions, Values
from sklearn_ordinal._core.catalogue import ordinal_metric
from sklearn_ordinal._core.counting import ReadingOptions
from sklearn_ordinal._core.forecasting import OrdinalScores

# The order of scores, and the pairs and tuples of samples of different classes in that order
# -------------------------------------------------------------------------------------------


class ScoreOrder(NamedTuple):
    """The samples sorted by class, and by score within a class, regardless of their weights.

    The samples of one class that have the same score are a cell, and the cells of all classes
    that have the same score are a group.
    """

    classes: Positions
    """Classes that occur."""
    samples: Positions
    first_samples: Positions | None
    """Position in `samples` of the first sample of each cell; None if each cell is one sample."""
    first_cells: Positions
    """First cell of each class, followed by the number of cells."""
    groups: Positions
    """Group of each cell, from the lowest score to the highest."""
    n_groups: int

    def cells(self, weights: Values) -> Values:
        """Return the weight of each cell: (..., n_samples) to (..., n_cells)."""
        weights = np.take(weights, self.samples, axis=-1)
        if self.first_samples is None:
            return weights
        return np.add.reduceat(weights, self.first_samples, axis=-1)

    def of_samples(self, of_cells: Values) -> Values:
        """Return the value of the cell of each sample: (..., n_cells) to (..., n_samples)."""
        if self.first_samples is not None:
            sizes = np.diff(self.first_samples, append=len(self.samples))
            of_cells = np.repeat(of_cells, sizes, axis=-1)
        of_samples = np.empty(of_cells.shape)
        of_samples[..., self.samples] = of_cells
        return of_samples

    def slices(self) -> list[slice]:
        """Return the cells of each class."""
        return [slice(start, stop) for start, stop in pairwise(self.first_cells.tolist())]

    def rank_among(self, cells: slice, groups: Positions) -> tuple[Positions, Positions]:
        """Return the number of cells of a class below each group, and the number not above it."""
        class_groups = self.groups[cells]
        steps = np.diff(class_groups, prepend=-1, append=self.n_groups)
        n_lower = np.repeat(np.arange(len(class_groups) + 1), steps)
        lower = n_lower[groups]
        if self.n_groups == len(self.groups):
            # No two cells have the same score.
            return lower, lower
        return lower, n_lower[1:][groups]


def _score_order(scores: OrdinalScores) -> ScoreOrder:
    """Sort the samples by class, and by score within a class."""
    order = np.argsort(scores.y_score)
    in_order = np.take(scores.y_score, order)
    is_higher = np.concatenate([[False], in_order[1:] != in_order[:-1]])
    # NumPy sorts integers of at most 16 bits in linear time, and no scale needs more.
    true = scores.y_true.astype(np.min_scalar_type(scores.n_classes))
    by_class = np.argsort(np.take(true, order), kind="stable")
    samples = np.take(order, by_class)
    sizes = np.bincount(scores.y_true)
    classes = np.flatnonzero(sizes)
    ends = np.cumsum(sizes[classes])
    n_groups = int(np.count_nonzero(is_higher)) + 1
    if n_groups == len(samples):
        return ScoreOrder(classes, samples, None, np.append(0, ends), by_class, n_groups)
    groups = np.take(np.cumsum(is_higher), by_class)
    is_first = np.concatenate([[True], groups[1:] != groups[:-1]])
    is_first[ends[:-1]] = True
    first_samples = np.flatnonzero(is_first)
    first_cells = np.append(0, np.searchsorted(first_samples, ends))
    return ScoreOrder(classes, samples, first_samples, first_cells, groups[first_samples], n_groups)


def _sums_below(weights: Values) -> Values:
    """Return the sums of the first 0, 1, ..., n weights: (..., n) to (..., n + 1)."""
    sums = np.zeros((*weights.shape[:-1], weights.shape[-1] + 1))
    np.cumsum(weights, axis=-1, out=sums[..., 1:])
    return sums


def pairs_in_order(scores: OrdinalScores) -> tuple[Values, Values]:
    """Return the number of pairs of samples whose scores are in order, and of all pairs.

    Both have shape (..., n_classes, n_classes), the lower class first, and are zero on and below
    the diagonal. A pair of equal scores counts half, and the weight of a pair is the product of
    the weights of its samples.
    """
    order = scores.shared(_score_order)
    cells = order.cells(scores.weights)
    sizes = np.add.reduceat(cells, order.first_cells[:-1], axis=-1)
    shape = (*cells.shape[:-1], scores.n_classes, scores.n_classes)
    in_order, of_both = np.zeros(shape), np.zeros(shape)
    slices = order.slices()
    for number, (position, of_class) in enumerate(zip(order.classes[:-1], slices, strict=False)):
        start, above = of_class.stop, order.classes[number + 1 :]
        below = _sums_below(cells[..., of_class])
        n_lower, n_not_above = order.rank_among(of_class, order.groups[start:])
        wins = np.take(below, n_lower, axis=-1)
        if n_not_above is not n_lower:
            wins += np.take(below, n_not_above, axis=-1)
            wins /= 2
        wins *= cells[..., start:]
        first = order.first_cells[number + 1 : -1] - start
        in_order[..., position, above] = np.add.reduceat(wins, first, axis=-1)
        of_both[..., position, above] = sizes[..., number, None] * sizes[..., number + 1 :]
    return in_order, of_both


def _pairs_gradient(scores: OrdinalScores, by_in_order: Values, by_pairs: Values) -> Values:
    """Return the derivatives by the weight of each sample, by the chain rule: (..., n_samples).

    One more sample adds as many pairs with each other class as that class has samples. Those that
    are in order are its placement among them [1]_.

    Parameters
    ----------
    scores : OrdinalScores
        The scores.
    by_in_order : ndarray of shape (..., n_classes, n_classes)
        Derivatives by the numbers of pairs in order that `pairs_in_order` returns, symmetric.
    by_pairs : ndarray of shape (..., n_classes, n_classes)
        Derivatives by the numbers of all pairs, symmetric.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), "Comparing the areas under two
       or more correlated receiver operating characteristic curves", Biometrics 44(3),
       :doi:`10.2307/2531595`.
    """
    order = scores.shared(_score_order)
    cells = order.cells(scores.weights)
    gradient = np.zeros(cells.shape)
    slices = dict(zip(order.classes.tolist(), order.slices(), strict=True))
    for other, of_other in slices.items():
        below = _sums_below(cells[..., of_other])
        n_lower, n_not_above = order.rank_among(of_other, order.groups)
        lower = np.take(below, n_lower, axis=-1) + np.take(below, n_not_above, axis=-1)
        lower /= 2
        size = below[..., -1:]
        for position, of_class in slices.items():
            if position == other:
                continue
            placement = lower[..., of_class]
            if position < other:
                placement = size - placement
            gradient[..., of_class] += by_in_order[..., other, position, None] * placement
            gradient[..., of_class] += by_pairs[..., other, position, None] * size
    return order.of_samples(gradient)


def _ordered_tuple_share(scores: OrdinalScores) -> Values:
    """Return the share of tuples with one sample of each class whose scores are in class order.

    Tied samples of m successive classes are in order in one of m! cases. Only classes with a
    positive weight count; they may differ between the leading axes.
    """
    order = scores.shared(_score_order)
    cells = order.cells(scores.weights)
    rows = cells.reshape(-1, cells.shape[-1])
    sizes = np.add.reduceat(rows, order.first_cells[:-1], axis=-1)
    shares = np.full(len(rows), np.nan)
    patterns, pattern_of = np.unique(sizes > 0, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        if np.count_nonzero(pattern) > 1:
            is_here = pattern_of.ravel() == number
            shares[is_here] = _ordered_pattern_share(order, rows[is_here], sizes[is_here], pattern)
    return shares.reshape(cells.shape[:-1])


def _ordered_pattern_share(
    order: ScoreOrder, cells: Values, sizes: Values, is_present: NDArray[np.bool_]
) -> Values:
    """Return the share of tuples of the classes that occur: (n_rows, n_cells) to (n_rows,).

    The share is computed for the lowest class, the lowest two classes, and so on. Two kinds of
    tuples end in a cell: tuples of the lower classes that end below it, and tuples that end
    with ties.
    """
    all_slices = order.slices()
    slices = [all_slices[n] for n in np.flatnonzero(is_present)]
    weights = [
        cells[:, s] / size[:, None] for s, size in zip(slices, sizes.T[is_present], strict=True)
    ]
    # For each class so far, the cumulative shares of the tuples that end in its cells.
    below: list[Values] = []
    for last, of_class in enumerate(slices):
        groups = order.groups[of_class]
        ending = np.zeros(weights[last].shape)
        tied, of_ties = np.arange(len(groups)), np.ones(ending.shape)
        for n_tied in range(1, last + 1):
            before = last - n_tied
            n_lower, n_not_above = order.rank_among(slices[before], groups[tied])
            ending[:, tied] += of_ties * below[before][:, n_lower]
            is_tied = n_not_above > n_lower
            tied = tied[is_tied]
            if not len(tied):
                break
            of_ties = of_ties[:, is_tied] * weights[before][:, n_lower[is_tied]] / (n_tied + 1)
        else:
            ending[:, tied] += of_ties
        below.append(_sums_below(ending * weights[last]))
    return below[-1][:, -1]


# Criteria of rankings: how well scores put samples in the order of their classes
# -------------------------------------------------------------------------------

Average = Literal["macro", "weighted"]

_ONE_CLASS = "y_true contains a single class"


def _concordance(scores: OrdinalScores) -> Values:
    in_order, pairs = pairs_in_order(scores)
    return arithmetic.clip_rounding(
        arithmetic.divide(arithmetic.total(in_order), arithmetic.total(pairs)), 0, 1
    )


def _concordance_gradient(scores: OrdinalScores) -> Values:
    in_order, pairs = (
        arithmetic.total(of_classes)[..., None, None] for of_classes in pairs_in_order(scores)
    )
    shape = (scores.n_classes, scores.n_classes)
    by_in_order = arithmetic.divide(np.ones(shape), pairs)
    return _pairs_gradient(scores, by_in_order, -by_in_order * arithmetic.divide(in_order, pairs))


def _ranking_error_gradient(scores: OrdinalScores) -> Values:
    return -_concordance_gradient(scores)


def _ranking_error(scores: OrdinalScores) -> Values:
    in_order, pairs = pairs_in_order(scores)
    return arithmetic.clip_rounding(
        arithmetic.divide(arithmetic.total(pairs - in_order), arithmetic.total(pairs)), 0, 1
    )


def _mean_pairwise_roc_auc(scores: OrdinalScores) -> Values:
    areas = arithmetic.divide(*pairs_in_order(scores))
    return arithmetic.clip_rounding(
        arithmetic.mean_where_defined(areas.reshape(*areas.shape[:-2], -1)), 0, 1
    )


def _mean_pairwise_gradient(scores: OrdinalScores) -> Values:
    in_order, pairs = pairs_in_order(scores)
    n_areas = np.count_nonzero(pairs, axis=(-2, -1))[..., None, None]
    by_in_order = arithmetic.divide(1 / n_areas, pairs)
    by_pairs = -by_in_order * arithmetic.divide(in_order, pairs)
    return _pairs_gradient(
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
    areas = arithmetic.clip_rounding(arithmetic.divide(across_in_order, across), 0, 1)
    if average is None:
        return areas
    # Thresholds on both sides of a class without samples are the same cut: take the first.
    is_cut = pairs.sum(axis=-1)[..., :-1] > 0
    weights = np.where(is_cut, across if average == "weighted" else 1, 0)
    return arithmetic.clip_rounding(arithmetic.mean_where_defined(areas, weights), 0, 1)


def _threshold_gradient(scores: OrdinalScores, *, average: Average = "macro") -> Values:
    in_order, pairs = pairs_in_order(scores)
    across_in_order, across = _across_thresholds(in_order), _across_thresholds(pairs)
    is_cut = (pairs.sum(axis=-1)[..., :-1] > 0) & (across > 0)
    if average == "macro":
        n_cuts = np.count_nonzero(is_cut, axis=-1)[..., None]
        by_in_order = np.where(is_cut, arithmetic.divide(1 / n_cuts, across), 0)
        by_pairs = -np.where(is_cut, by_in_order * arithmetic.divide(across_in_order, across), 0)
    else:
        n_pairs = np.where(is_cut, across, 0).sum(axis=-1, keepdims=True)
        n_in_order = np.where(is_cut, across_in_order, 0).sum(axis=-1, keepdims=True)
        by_in_order = np.where(is_cut, arithmetic.divide(1, n_pairs), 0)
        by_pairs = -by_in_order * arithmetic.divide(n_in_order, n_pairs)
    return _pairs_gradient(
        scores,
        *(
            _of_classes_that_occur(scores, _between_classes(by_threshold))
            for by_threshold in (by_in_order, by_pairs)
        ),
    )


def _between_classes(by_threshold: Values) -> Values:
    """Return the sum over the thresholds between two classes: (..., K - 1) to (..., K, K)."""
    up_to = _sums_below(by_threshold)
    sums: Values = up_to[..., None, :] - up_to[..., :, None]
    return sums


def _across_thresholds(pairs: Values) -> Values:
    """Return the sum of the pairs across each threshold: (..., K, K) to (..., K - 1)."""
    sums = np.cumsum(np.cumsum(pairs, axis=-2)[..., ::-1], axis=-1)[..., ::-1]
    return np.diagonal(sums, 1, axis1=-2, axis2=-1)


def _volume_under_surface(scores: OrdinalScores) -> Values:
    return arithmetic.clip_rounding(_ordered_tuple_share(scores), 0, 1)


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
    value = evidence_kinds.SCORES.evaluate(_concordance, y_true, y_score, labels, sample_weight)
    return checks.or_undefined(value, replace_undefined_by, "concordance", _ONE_CLASS)


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
    value = evidence_kinds.SCORES.evaluate(
        _mean_pairwise_roc_auc, y_true, y_score, labels, sample_weight
    )
    return checks.or_undefined(value, replace_undefined_by, "the mean pairwise ROC AUC", _ONE_CLASS)


def _check_average(average: Any) -> None:
    if average is None:
        raise ValueError(
            "threshold_roc_auc_score returns an array with average=None, but a metric is a single "
            "number: leave this option out."
        )
    checks.check_choice("average", average, Average)


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
    checks.check_choice("average", average, Average, or_none=True)
    if average is not None:
        statistic = partial(_threshold_roc_auc, average=average)
        value = evidence_kinds.SCORES.evaluate(statistic, y_true, y_score, labels, sample_weight)
        return checks.or_undefined(value, replace_undefined_by, "the threshold ROC AUC", _ONE_CLASS)
    scores = evidence_kinds.SCORES.read(y_true, y_score, labels=labels, sample_weight=sample_weight)
    checks.check_number("replace_undefined_by", replace_undefined_by)
    areas = roc_auc_per_threshold(scores)
    is_undefined = np.isnan(areas)
    if is_undefined.any() and np.isnan(replace_undefined_by):
        checks.warn_caller(
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
    value = evidence_kinds.SCORES.evaluate(
        _volume_under_surface, y_true, y_score, labels, sample_weight
    )
    return checks.or_undefined(
        value, replace_undefined_by, "the volume under the surface", _ONE_CLASS
    )


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
    value = evidence_kinds.SCORES.evaluate(_ranking_error, y_true, y_score, labels, sample_weight)
    return checks.or_undefined(value, replace_undefined_by, "the ranking error", _ONE_CLASS)


# Equal error rate of each threshold
# ----------------------------------

Method = Literal["polyline", "hull"]


def equal_error_rate(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    method: Method = "polyline",
) -> NDArray[np.float64]:
    """Compute the equal error rate of each threshold between classes.

    For the threshold above class k, the classes above it are positive and the others are
    negative. A sample is predicted as positive if its score is above a cut. At the equal
    error rate, the share of the negatives that are above the cut equals the share of the
    positives that are not. In general, no cut makes the two shares equal, so the rate is read
    off a curve through the cuts. It is not 1 minus accuracy.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_score : array-like of shape (n_samples,) or (n_samples, n_classes)
        Scores, higher for higher classes. Probabilities of the classes, from the lowest to the
        highest, are converted to scores: their expected positions.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.
    method : {"polyline", "hull"}, default="polyline"
        The curve through the cuts. "polyline": straight lines between neighbouring cuts.
        "hull": the convex hull of all cuts [1]_, whose rate is never higher; a point
        between two cuts is reached by choosing one of them at random. Lines are straight
        if the axes show the two error rates, but not if they show normal deviates, as in a
        detection error tradeoff plot.

    Returns
    -------
    ndarray of shape (n_classes - 1,)
        Equal error rate of each threshold in [0, 1]. 0 is best; constant scores get 0.5.
        NaN with an `UndefinedMetricWarning` for a threshold that has all samples on one
        side.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, a score is not
        finite, a row of probabilities does not add up to 1, or `method` is not known.

    See Also
    --------
    threshold_roc_auc_score : The area under the ROC curve of each threshold.
    sklearn.metrics.det_curve : The two error rates of each cut for one threshold.

    References
    ----------
    .. [1] T. Fawcett, A. Niculescu-Mizil (2007), "PAV and the ROC convex hull", Machine
       Learning 68(1), :doi:`10.1007/s10994-007-5011-0`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import equal_error_rate
    >>> y_true, y_score = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
    >>> equal_error_rate(y_true, y_score)
    array([0.5])
    >>> equal_error_rate(y_true, y_score, method="hull")
    array([0.25])
    """
    checks.check_choice("method", method, Method)
    scores = evidence_kinds.SCORES.read(y_true, y_score, labels=labels, sample_weight=sample_weight)
    rates = equal_error_rate_per_threshold(scores, method=method)
    if np.isnan(rates).any():
        checks.warn_caller(
            "The equal error rate is undefined for thresholds with all samples on one side.",
            UndefinedMetricWarning,
        )
    return rates


def equal_error_rate_per_threshold(
    scores: OrdinalScores, *, method: Method = "polyline"
) -> NDArray[np.float64]:
    """Return the equal error rate of each threshold, NaN where undefined."""
    order = scores.shared(_score_order)
    cells = order.cells(scores.weights)
    # Position of the true class of each cell.
    classes = np.repeat(order.classes, np.diff(order.first_cells))
    rates = np.full(scores.n_classes - 1, np.nan)
    for k in range(len(rates)):
        of_group_and_side = order.groups + order.n_groups * (classes > k)
        sizes = np.bincount(of_group_and_side, cells, 2 * order.n_groups).astype(np.float64)
        below, above = np.split(sizes, 2)
        if above.any() and below.any():
            if method == "hull":
                # Use rates, so that neither side vanishes if the other side has much larger
                # weights.
                above, below = above / above.sum(), below / below.sum()
                has_weight = above + below > 0
                above, below = above[has_weight], below[has_weight]
                first = pool_starts(above, below)
                above, below = np.add.reduceat(above, first), np.add.reduceat(below, first)
            rates[k] = _equal_rate(above, below)
    return rates


def pool_starts(above: Values, below: Values) -> NDArray[np.intp]:
    """Return the first group of each run of groups to pool, in ascending order of the scores.

    Groups are pooled until the share above increases, which leaves the cuts on the convex hull
    of the ROC curve. No pooled group is empty.
    """
    size = above + below
    shares = isotonic_regression(above / size, sample_weight=size)
    return arithmetic.run_starts(shares)


def _equal_rate(above: Values, below: Values) -> float:
    """Return the equal error rate on the lines between the cuts, given sizes of groups by score."""
    missed, false_alarms = _sums_below(above), _sums_below(below[::-1])[::-1]
    missed, false_alarms = missed / missed[-1], false_alarms / false_alarms[0]
    # The difference rises from -1, where all samples are predicted as positive, to 1.
    difference = missed - false_alarms
    after = int(np.argmax(difference >= 0))
    step = -difference[after - 1] / (difference[after] - difference[after - 1])
    rate = missed[after - 1] + step * (missed[after] - missed[after - 1])
    return float(rate)
