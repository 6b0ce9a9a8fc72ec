"""Closeness Evaluation Measures: how informative it is that a prediction is so near."""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    Counts,
    Values,
    as_numbers_of_classes,
    check_amounts,
    check_bool,
    divide,
    evaluate,
    expected_counts,
    or_undefined,
    ordinal_metric,
    total,
)

Scale = Literal["ordinal", "interval", "nominal"]

_LARGEST_EXACT_TOTAL = 2.0**52


def proximity_matrix(
    class_counts: ArrayLike, *, scale: Scale = "ordinal", log: bool = True
) -> NDArray[np.float64]:
    r"""Compute how close each prediction is to each true class.

    On an ordinal scale, a prediction :math:`i` is the closer to the truth :math:`j` the
    fewer samples lie between them [1]_:

    .. math:: P(i \to j) = \Big(\frac{n_i}{2} + \sum_{k \in (i, j]} n_k\Big) / N,
        \qquad P(j \to j) = \frac{n_j}{2N}

    and the proximity is its information, :math:`-\log_2 P(i \to j)`. Half of the
    predicted class counts and the whole of the true class, so it is not symmetric.

    Parameters
    ----------
    class_counts : array-like of shape (..., n_classes)
        Number, or weight, of the samples of each true class, from the lowest class to
        the highest.
    scale : {"ordinal", "interval", "nominal"}, default="ordinal"
        What makes two classes close. "ordinal": few samples between them. "interval":
        few samples within the distance, in positions on the scale, between prediction
        and truth on either side of the truth, those at just that distance by half (the
        source does not state this factor). "nominal": nothing but equality.
    log : bool, default=True
        Whether to return :math:`-\log_2 P`, else :math:`1 - P`.

    Returns
    -------
    ndarray of shape (..., n_classes, n_classes)
        Proximities, rows predicted, columns true: in bits if `log`, from 0 upwards,
        infinite where no sample lies between two empty classes; else in [0, 1].

    Raises
    ------
    ValueError
        If `class_counts` are not finite and non-negative or are all zero, or `scale` is
        not known.

    See Also
    --------
    cem_ord_score : The criterion that sums these proximities.

    References
    ----------
    .. [1] E. Amigo, J. Gonzalo, S. Mizzaro, J. Carrillo-de-Albornoz (2020), "An
       effectiveness metric for ordinal classification: formal properties and
       experimental results", ACL 2020, :doi:`10.18653/v1/2020.acl-main.363`.

    Examples
    --------
    Weak accept for weak reject, in the example of the paper's Figure 1:

    >>> from sklearn_ordinal.metrics import proximity_matrix
    >>> float(proximity_matrix([7, 105, 193, 90, 7])[3, 1])
    0.2289...
    """
    check_bool("log", log)
    sizes = _check_class_counts(class_counts)
    within = (_size_beyond(sizes, scale) + sizes[..., None] / 2).swapaxes(-1, -2)
    share = divide(within, sizes.sum(axis=-1)[..., None, None])
    if not log:
        return 1 - share
    with np.errstate(divide="ignore"):
        # 0.0 - log2 has no negative zero, -log2 has.
        return 0.0 - np.log2(share)


def closeness_costs(class_counts: ArrayLike) -> NDArray[np.float64]:
    r"""Compute what each error costs in bits: how much closeness it loses.

    This is the proximity of the true class to itself, less that of the prediction
    (`proximity_matrix`), on an ordinal scale. With :math:`R_k = 2 \sum_{m < k} n_m + n_k`,
    twice the rank of the middle of class :math:`k`, it is

    .. math:: D_{ji} = \log_2\Big(1 + \frac{|R_i - R_j|}{n_j}\Big)

    for true class :math:`j` and predicted class :math:`i`. The same error costs more in a
    smaller class, and more the more samples lie between the two classes.

    Parameters
    ----------
    class_counts : array-like of shape (..., n_classes)
        Number, or weight, of the samples of each true class, from the lowest class to
        the highest.

    Returns
    -------
    ndarray of shape (..., n_classes, n_classes)
        Costs in bits, rows true, columns predicted: 0 on the diagonal, else above 0.
        The errors of a true class without samples cost infinitely much, so leave its row
        out before you multiply with probabilities or counts that are 0.

    Raises
    ------
    ValueError
        If `class_counts` are not finite and non-negative or are all zero.

    See Also
    --------
    cem_ord_score : One less the mean cost, divided by that of leaving all unanswered.
    proximity_matrix : How close each prediction is to each true class, rows predicted.

    Notes
    -----
    CEM_ORD is :math:`1 - \sum_{ji} C_{ji} D_{ji} / \sum_j n_j (1 - \log_2 f_j)`, where
    :math:`f_j` is the share of class :math:`j`: a sample without a prediction costs
    :math:`1 - \log_2 f_j` bits.

    Costs obey the triangle inequality, and do not add up along the scale: an error of two
    classes costs less than two errors of one.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import closeness_costs
    >>> closeness_costs([3, 3, 4]).round(3)
    array([[0.   , 1.585, 2.415],
           [1.585, 0.   , 1.737],
           [2.087, 1.459, 0.   ]])
    """
    sizes = _check_class_counts(class_counts)
    beyond = _size_beyond(sizes, "ordinal")
    with np.errstate(divide="ignore", invalid="ignore"):
        costs = np.log1p(2 * beyond / sizes[..., None]) / np.log(2)
    # Two neighbouring classes without samples are 0 apart, of 0.
    is_right = np.eye(sizes.shape[-1], dtype=bool)
    return np.where(is_right, 0.0, np.where(sizes[..., None] > 0, costs, np.inf))


def _check_class_counts(class_counts: ArrayLike) -> NDArray[np.float64]:
    sizes = as_numbers_of_classes("class_counts", class_counts).astype(np.float64, copy=False)
    if not sizes.ndim or not sizes.size:
        raise ValueError(f"class_counts must have shape (..., n_classes), got {sizes.shape}.")
    check_amounts("class_counts", sizes)
    if not sizes.any(axis=-1).all():
        raise ValueError("class_counts must not be zero for every class.")
    return sizes


def _size_beyond(
    sizes: NDArray[np.float64], scale: Scale, is_exact: bool = False
) -> NDArray[np.float64]:
    """Return how many samples lie between the truth (rows) and the prediction (columns).

    Without half of the true class, which lies between the truth and itself. `is_exact` says
    that the sums of the sizes are known to be exact.
    """
    if scale == "ordinal":
        # From the middle of the true class to the middle of the predicted one.
        if is_exact or _adds_up_exactly(sizes):
            middle = np.add.accumulate(sizes, axis=-1) - sizes / 2
            return np.abs(middle[..., :, None] - middle[..., None, :])
        # Differences of sums would lose small weights beside large ones: sum the steps between.
        steps = sizes / 2
        steps[..., 1:] += sizes[..., :-1] / 2
        above = np.cumsum(np.triu(_rows(steps), 1), axis=-1)
        return np.add(above, above.swapaxes(-1, -2))
    if scale == "interval":
        return _size_around(sizes)
    if scale == "nominal":
        everything = sizes.sum(axis=-1)[..., None, None]
        is_right = np.eye(sizes.shape[-1], dtype=bool)
        return np.where(is_right, 0, everything - sizes[..., None] / 2)
    raise ValueError(f"scale must be 'ordinal', 'interval' or 'nominal', got {scale!r}.")


def _adds_up_exactly(sizes: NDArray[np.float64]) -> bool:
    """Return whether sums of the sizes and of their halves have no rounding error."""
    n_samples = np.add.reduce(sizes, axis=-1).max(initial=0)
    return bool(n_samples < _LARGEST_EXACT_TOTAL and (sizes == np.rint(sizes)).all())


def _size_around(sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    n_classes = sizes.shape[-1]
    true = np.arange(n_classes)[:, None]
    radius = np.abs(true - true.T)
    # From the truth on, and from below it back: sums, whose terms cannot cancel.
    above = np.cumsum(np.triu(_rows(sizes), 1), axis=-1)
    below = np.cumsum(np.tril(_rows(sizes), -1)[..., ::-1], axis=-1)[..., ::-1]

    def size_within(radius: NDArray[np.intp]) -> NDArray[np.float64]:
        high = np.minimum(true + radius, n_classes - 1)
        low = np.maximum(true - radius, 0)
        within: NDArray[np.float64] = above[..., true, high] + below[..., true, low]
        return within

    # The mean of the closed and the open neighbourhood takes half of the rim.
    around = (sizes[..., None] + size_within(radius) + size_within(np.maximum(radius - 1, 0))) / 2
    return np.where(radius == 0, 0, around)


def _rows(sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Repeat the sizes in each row of a square."""
    return np.broadcast_to(sizes[..., None, :], (*sizes.shape, sizes.shape[-1]))


def _closeness(
    counts: Counts,
    *,
    scale: Scale,
    log: bool = True,
    adjusted: bool = False,
    class_counts: ArrayLike | None = None,
    unanswered: Counts | None = None,
) -> Values:
    """Return the proximity of the predictions as a share of that of perfect ones.

    As 1 less the share that is lost, which is exactly 0 for perfect predictions.
    """
    answered = np.add.reduce(counts, axis=-1, dtype=np.float64)
    # Without a prediction, a sample earns nothing and keeps its share of what could be earned.
    sizes = answered if unanswered is None else answered + unanswered
    reference = sizes if class_counts is None else _check_reference(class_counts, sizes)
    is_whole = counts.dtype.kind == "i" and reference is answered
    lost, perfect = _losses(reference, sizes, scale, log, is_whole)
    n_lost = total(counts * lost)
    if unanswered is not None:
        n_missed = np.add.reduce(unanswered * perfect, axis=-1)
        n_lost = n_lost + n_missed
    if adjusted:
        by_chance = total(expected_counts(counts) * lost)
        if unanswered is not None:
            # Chance leaves the same samples unanswered; it may be all of them.
            by_chance = np.where(answered.any(axis=-1), by_chance, 0) + n_missed
        return 1 - divide(n_lost, by_chance)
    closeness: Values = 1 - n_lost / np.add.reduce(sizes * perfect, axis=-1)
    return np.maximum(closeness, 0)


def _losses(
    reference: NDArray[np.float64],
    sizes: NDArray[np.float64],
    scale: Scale,
    log: bool,
    is_whole: bool = False,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what a prediction (..., true, predicted) loses, and a perfect one (..., true) earns.

    In natural logarithms: the base cancels.
    """
    n_reference = np.add.reduce(reference, axis=-1, keepdims=True)
    of_truth = reference / 2
    if np.count_nonzero(sizes) < sizes.size:
        # A class that is never true has no samples to multiply with.
        n_reference = np.where(n_reference, n_reference, np.nan)
        of_truth = np.where(sizes > 0, of_truth, n_reference)
    # Saves a small matrix the time of looking at its numbers.
    is_exact = is_whole and n_reference.size == 1 and n_reference.item() < _LARGEST_EXACT_TOTAL
    beyond = _size_beyond(reference, scale, is_exact)
    if log:
        return np.log1p(beyond / of_truth[..., None]), -np.log(of_truth / n_reference)
    return beyond / n_reference[..., None], 1 - of_truth / n_reference


def closeness_losses(counts: Counts, unanswered: Counts | None = None) -> Values:
    """Return the share of CEM_ORD that each cell loses: (..., K, K), rows true.

    With `unanswered`, a last column is what the samples without a prediction lose.
    """
    sizes = np.add.reduce(counts, axis=-1, dtype=np.float64)
    if unanswered is not None:
        sizes = sizes + unanswered
    lost, perfect = _losses(sizes, sizes, "ordinal", log=True)
    cells = counts * lost
    if unanswered is not None:
        cells = np.concatenate([cells, (unanswered * perfect)[..., None]], axis=-1)
    shares: Values = cells / np.add.reduce(sizes * perfect, axis=-1)[..., None, None]
    return shares


def _check_reference(class_counts: ArrayLike, sizes: Values) -> NDArray[np.float64]:
    """Return the reference sizes of the classes, none of them zero where a sample is."""
    reference = _check_class_counts(class_counts)
    if reference.shape != sizes.shape[-1:]:
        raise ValueError(
            f"class_counts must have shape ({sizes.shape[-1]},), one size for each class of the "
            f"scale, got {reference.shape}; pass labels= if there are more classes."
        )
    unseen = np.flatnonzero((reference == 0) & (sizes > 0).any(axis=tuple(range(sizes.ndim - 1))))
    if unseen.size:
        raise ValueError(
            f"class_counts must be positive for each class in y_true, it is 0 at position "
            f"{', '.join(map(str, unseen))} of the scale, whose closeness would be infinite."
        )
    return reference


def _cem_ord(
    counts: Counts,
    *,
    adjusted: bool = False,
    class_counts: ArrayLike | None = None,
    unanswered: Counts | None = None,
) -> Values:
    return _closeness(
        counts,
        scale="ordinal",
        adjusted=adjusted,
        class_counts=class_counts,
        unanswered=unanswered,
    )


def _cem_int(counts: Counts, *, unanswered: Counts | None = None) -> Values:
    return _closeness(counts, scale="interval", unanswered=unanswered)


def _cem_nom(counts: Counts, *, unanswered: Counts | None = None) -> Values:
    return _closeness(counts, scale="nominal", unanswered=unanswered)


def _cem_ord_flat(counts: Counts, *, unanswered: Counts | None = None) -> Values:
    return _closeness(counts, scale="ordinal", log=False, unanswered=unanswered)


@ordinal_metric(
    _cem_ord,
    name="cem_ord_adjusted",
    adjusted=True,
    greater_is_better=True,
    bounds=(-np.inf, 1.0),
    chance_level=0.0,
    properties={"invariant", "imbalance"},
    an_error_costs="as cem_ord, on a scale where chance is 0",
    prefer="to compare data sets or folds with other class sizes",
)
@ordinal_metric(
    _cem_ord,
    greater_is_better=True,
    bounds=(0.0, 1.0),
    properties={"invariant", "monotonic", "imbalance"},
    an_error_costs="the information of its class, less that of the samples between",
    prefer="as the criterion of an ordinal scale: only the order is known and small classes matter",
)
def cem_ord_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    unanswered: Literal["raise", "count"] = "raise",
    adjusted: bool = False,
    class_counts: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Compute the Closeness Evaluation Measure for ordinal classification, CEM_ORD.

    A prediction earns the information in being so close to the truth: the fewer samples
    lie between the two classes, the more (`proximity_matrix`). The sum is divided by
    what perfect predictions would earn [1]_:

    .. math:: \mathrm{CEM_{ORD}} =
        \frac{\sum_{ij} C_{ji}\, \mathrm{prox}(i, j)}{\sum_j n_j\, \mathrm{prox}(j, j)}

    It does not change when the classes are recoded in order, rewards each step nearer
    to the truth and charges more for errors in small classes. It uses the order of the
    classes and no distances.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_pred : array-like of shape (n_samples,)
        Predicted classes.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.
    unanswered : {"raise", "count"}, default="raise"
        What to do with samples without a prediction (NaN, None or NA in `y_pred`):
        raise an error, or count them. Counted, they earn nothing and keep their share
        of what perfect predictions would earn.
    adjusted : bool, default=False
        Whether to correct for chance: 0 is then the value expected from predictions
        that do not depend on the truth, with the sizes of the true and of the predicted
        classes fixed.
    class_counts : array-like of shape (n_classes,), default=None
        Number of samples of each class in the distribution that defines closeness, say
        the training set's. If None, that of `y_true`.
    replace_undefined_by : float, default=np.nan
        Value to return, without a warning, where the adjusted measure is undefined.

    Returns
    -------
    float
        Closeness in [0, 1]; if `adjusted`, in (-inf, 1], 0 for
        predictions by chance. 1 is best. If `adjusted`, NaN with an
        `UndefinedMetricWarning` if y_true and y_pred contain a single class.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, or `class_counts`
        has no sample of a class that occurs in `y_true`.

    See Also
    --------
    cem_int_score : Closeness from distances on the scale.
    cem_nom_score : Closeness without order.
    cem_ord_flat_score : Closeness without the logarithm.
    proximity_matrix : How close each prediction is to each true class.

    References
    ----------
    .. [1] E. Amigo, J. Gonzalo, S. Mizzaro, J. Carrillo-de-Albornoz (2020), "An
       effectiveness metric for ordinal classification: formal properties and
       experimental results", ACL 2020, :doi:`10.18653/v1/2020.acl-main.363`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import cem_ord_score
    >>> y_true = [0, 1, 2, 2, 1, 0, 2, 1, 0, 2]
    >>> y_pred = [0, 2, 2, 2, 1, 0, 1, 1, 0, 2]
    >>> cem_ord_score(y_true, y_pred)
    0.8756...
    >>> cem_ord_score(y_true, y_pred, adjusted=True)
    0.7356...
    """
    check_bool("adjusted", adjusted)
    statistic = partial(_cem_ord, adjusted=adjusted, class_counts=class_counts)
    value = evaluate(statistic, y_true, y_pred, labels, sample_weight, unanswered)
    return or_undefined(
        value, replace_undefined_by, "adjusted CEM_ORD", "y_true and y_pred contain a single class"
    )


@ordinal_metric(
    _cem_int,
    greater_is_better=True,
    bounds=(0.0, 1.0),
    properties={"monotonic", "imbalance"},
    an_error_costs="the information of its class, less that of the samples within its distance",
    prefer="if neighbouring classes are equally far apart everywhere",
)
def cem_int_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    unanswered: Literal["raise", "count"] = "raise",
) -> float:
    r"""Compute the Closeness Evaluation Measure for interval scales, CEM_INT.

    As `cem_ord_score`, with another idea of closeness: the fewer samples lie within the
    distance, in positions on the scale, between prediction and truth, the closer [1]_.
    Samples at just that distance from the truth count by half, a factor that the source
    does not state.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_pred : array-like of shape (n_samples,)
        Predicted classes.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.
    unanswered : {"raise", "count"}, default="raise"
        What to do with samples without a prediction (NaN, None or NA in `y_pred`):
        raise an error, or count them. Counted, they earn nothing and keep their share
        of what perfect predictions would earn.

    Returns
    -------
    float
        Closeness in [0, 1]. 1 is best.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    cem_ord_score : Closeness from the order of the classes alone.

    References
    ----------
    .. [1] E. Amigo, J. Gonzalo, S. Mizzaro, J. Carrillo-de-Albornoz (2020), "An
       effectiveness metric for ordinal classification: formal properties and
       experimental results", ACL 2020, :doi:`10.18653/v1/2020.acl-main.363`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import cem_int_score
    >>> cem_int_score([0, 1, 2, 2], [0, 2, 2, 1])
    0.6356...
    """
    return evaluate(_cem_int, y_true, y_pred, labels, sample_weight, unanswered)


@ordinal_metric(
    _cem_nom,
    greater_is_better=True,
    bounds=(0.0, 1.0),
    properties={"invariant", "monotonic", "imbalance"},
    an_error_costs="the information of its class",
    prefer="if the classes have no order",
)
def cem_nom_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    unanswered: Literal["raise", "count"] = "raise",
) -> float:
    r"""Compute the Closeness Evaluation Measure for nominal classes, CEM_NOM.

    As `cem_ord_score`, with another idea of closeness: a wrong class is as far as can
    be, so each hit earns the information in its class and an error earns nothing [1]_.
    The order of the classes plays no part. A true class counts by half, as on an ordinal
    scale, a factor that the source does not state.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_pred : array-like of shape (n_samples,)
        Predicted classes.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.
    unanswered : {"raise", "count"}, default="raise"
        What to do with samples without a prediction (NaN, None or NA in `y_pred`):
        raise an error, or count them. Counted, they earn nothing and keep their share
        of what perfect predictions would earn.

    Returns
    -------
    float
        Closeness in [0, 1]. 1 is best.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    cem_ord_score : Closeness from the order of the classes.

    References
    ----------
    .. [1] E. Amigo, J. Gonzalo, S. Mizzaro, J. Carrillo-de-Albornoz (2020), "An
       effectiveness metric for ordinal classification: formal properties and
       experimental results", ACL 2020, :doi:`10.18653/v1/2020.acl-main.363`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import cem_nom_score
    >>> cem_nom_score([0, 1, 2, 2], [0, 2, 2, 1])
    0.5
    """
    return evaluate(_cem_nom, y_true, y_pred, labels, sample_weight, unanswered)


@ordinal_metric(
    _cem_ord_flat,
    greater_is_better=True,
    bounds=(0.0, 1.0),
    properties={"invariant", "monotonic"},
    an_error_costs="the share of the samples that lie between",
    prefer="as cem_ord, if small classes are not to weigh more",
)
def cem_ord_flat_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    unanswered: Literal["raise", "count"] = "raise",
) -> float:
    r"""Compute the ordinal Closeness Evaluation Measure without its logarithm.

    As `cem_ord_score`, with the share of the samples that do not lie between prediction
    and truth in place of its information [1]_:

    .. math:: \frac{\sum_{ij} C_{ji} (1 - P(i \to j))}{\sum_j n_j (1 - P(j \to j))}

    The source names this variant "flat" and does not print its formula; this reading
    comes near to the source's figures for it.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_pred : array-like of shape (n_samples,)
        Predicted classes.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.
    unanswered : {"raise", "count"}, default="raise"
        What to do with samples without a prediction (NaN, None or NA in `y_pred`):
        raise an error, or count them. Counted, they earn nothing and keep their share
        of what perfect predictions would earn.

    Returns
    -------
    float
        Closeness in [0, 1]. 1 is best.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    cem_ord_score : The measure with the logarithm.

    References
    ----------
    .. [1] E. Amigo, J. Gonzalo, S. Mizzaro, J. Carrillo-de-Albornoz (2020), "An
       effectiveness metric for ordinal classification: formal properties and
       experimental results", ACL 2020, :doi:`10.18653/v1/2020.acl-main.363`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import cem_ord_flat_score
    >>> cem_ord_flat_score([0, 1, 2, 2], [0, 2, 2, 1])
    0.7692...
    """
    return evaluate(_cem_ord_flat, y_true, y_pred, labels, sample_weight, unanswered)
