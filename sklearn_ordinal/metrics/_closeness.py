"""Closeness Evaluation Measures: how close predictions are to the truth, as information."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    LABELS,
    Counts,
    Values,
    check_bool,
    divide,
    expected_counts,
    margins,
    or_undefined,
    ordinal_metric,
    total,
)
from sklearn_ordinal.metrics._proximity import (
    LARGEST_EXACT_TOTAL,
    Scale,
    check_class_counts,
    costs_in_bits,
    size_beyond,
    size_beyond_gradient,
)

# Smaller weights of a class do not change results, since the total weight is at least 1e-60, but
# quotients by them might overflow.
_NEGLIGIBLE = 1e-240
_SMALLEST_SHARE = 1e-300


def _closeness(
    counts: Counts,
    *,
    scale: Scale,
    log: bool = True,
    adjusted: bool = False,
    class_counts: ArrayLike | None = None,
    unanswered: Counts | None = None,
) -> Values:
    """Return the proximity of the predictions divided by the proximity of perfect predictions.

    It is computed as 1 minus the loss, which is exactly 0 for perfect predictions.
    """
    answered = np.add.reduce(counts, axis=-1, dtype=np.float64)
    # A sample without a prediction has a closeness of 0, but still counts in the denominator.
    sizes = answered if unanswered is None else answered + unanswered
    reference = sizes if class_counts is None else check_reference(class_counts, sizes)
    is_whole = counts.dtype.kind == "i" and reference is answered
    if reference is answered and sizes.ndim > 1:
        first = sizes[(slice(1),) * (sizes.ndim - 1)]
        if first.size and (sizes == first).all():
            # Systems on the same samples have the same losses.
            answered = reference = sizes = first
    lost, perfect = _losses(reference, sizes, scale, log, is_whole)
    lost_in_all = total(counts * lost)
    if unanswered is not None:
        lost_by_missing = np.add.reduce(unanswered * perfect, axis=-1)
        lost_in_all = lost_in_all + lost_by_missing
    if adjusted:
        if answered.shape == counts.shape[:-1]:
            by_chance = total(expected_counts(counts) * lost)
        else:
            by_column = np.add.reduce(answered[..., None] * lost, axis=-2)
            pred = np.add.reduce(counts, axis=-2, dtype=np.float64)
            n_samples = np.add.reduce(answered, axis=-1)
            by_chance = divide(np.add.reduce(by_column * pred, axis=-1), n_samples)
        if unanswered is not None:
            # Chance predictions leave the same samples unanswered, possibly all samples.
            by_chance = np.where(answered.any(axis=-1), by_chance, 0) + lost_by_missing
        return 1 - divide(lost_in_all, by_chance)
    closeness: Values = 1 - lost_in_all / np.add.reduce(sizes * perfect, axis=-1)
    return np.maximum(closeness, 0)


def _losses(
    reference: NDArray[np.float64],
    sizes: NDArray[np.float64],
    scale: Scale,
    log: bool,
    is_whole: bool = False,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the losses (..., true, predicted) and the gains of perfect predictions (..., true).

    Logarithms are natural, since the base cancels.
    """
    n_reference = np.add.reduce(reference, axis=-1, keepdims=True)
    of_truth = reference / 2
    if np.count_nonzero(sizes if is_whole else sizes > _NEGLIGIBLE) < sizes.size:
        # Avoid 0 / 0 for classes that are never true; their rows are multiplied by about 0.
        n_reference = np.where(n_reference, n_reference, np.nan)
        of_truth = np.where(sizes > _NEGLIGIBLE, of_truth, n_reference)
    # For a small matrix of integers, checking the sizes takes as long as everything else.
    is_exact = is_whole and n_reference.size == 1 and n_reference.item() < LARGEST_EXACT_TOTAL
    beyond = size_beyond(reference, scale, is_exact)
    if log:
        return np.log1p(beyond / of_truth[..., None]), -np.log(of_truth / n_reference)
    return beyond / n_reference[..., None], 1 - of_truth / n_reference


def _closeness_gradient(
    counts: Counts,
    *,
    scale: Scale = "ordinal",
    log: bool = True,
    adjusted: bool = False,
    class_counts: ArrayLike | None = None,
    unanswered: Counts | None = None,
) -> Values:
    """Return the derivatives of `_closeness` by each count, and in a last column by the unanswered.

    A sample changes the sum of what its cell loses, and the sizes that define closeness. True
    classes without samples have no finite derivative if there is a logarithm.
    """
    answered, pred = margins(counts)
    sizes = answered if unanswered is None else answered + unanswered
    reference = sizes if class_counts is None else check_reference(class_counts, sizes)
    n_reference = np.add.reduce(reference, axis=-1, keepdims=True)
    beyond, of_truth = size_beyond(reference, scale), reference / 2
    if log:
        lost, perfect = np.log1p(beyond / of_truth[..., None]), -np.log(of_truth / n_reference)
    else:
        lost, perfect = beyond / n_reference[..., None], 1 - of_truth / n_reference

    def losses_by_sizes(cells: Counts) -> Values:
        """Return the derivatives, by the sizes, of the sum of the losses of cells."""
        if class_counts is not None:
            return np.zeros(sizes.shape)
        if not log:
            fixed = divide(total(cells * beyond)[..., None], n_reference)
            return divide(size_beyond_gradient(cells, scale) - fixed, n_reference)
        within = divide(cells, of_truth[..., None] + beyond)
        own = divide(np.add.reduce(within * beyond, axis=-1), reference)
        return size_beyond_gradient(within, scale) - own

    def gains_by_sizes(samples: Counts) -> Values:
        """Return the derivatives, by the sizes, of the sum of the gains of perfect predictions."""
        if class_counts is not None:
            return np.zeros(sizes.shape)
        if not log:
            fixed = divide(np.add.reduce(samples * sizes, axis=-1, keepdims=True), n_reference)
            return divide(fixed - samples, n_reference) / 2
        share = divide(np.add.reduce(samples, axis=-1, keepdims=True), n_reference)
        return share - divide(samples, reference)

    def with_missing(cells: Values, missing: Values) -> Values:
        if unanswered is None:
            return cells
        cells = np.broadcast_to(cells, counts.shape)
        return np.concatenate([cells, missing[..., None]], axis=-1)

    is_absent = sizes <= 0
    lost_here = np.where(is_absent[..., None], 0, lost)
    lost_in_all, changed = total(counts * lost_here), losses_by_sizes(counts)
    if unanswered is not None:
        lost_by_missing = np.add.reduce(np.where(is_absent, 0, unanswered * perfect), axis=-1)
        missing_by_sizes = gains_by_sizes(unanswered)
        lost_in_all, changed = lost_in_all + lost_by_missing, changed + missing_by_sizes
    lost_by_sample = with_missing(lost + changed[..., None], perfect + changed)
    if adjusted:
        expected, n_answered = expected_counts(counts), np.add.reduce(answered, axis=-1)
        best, changed = total(expected * lost_here), losses_by_sizes(expected)
        of_row = np.add.reduce(lost * pred[..., None, :], axis=-1)
        of_column = np.add.reduce(lost_here * answered[..., None], axis=-2)
        direct = of_row[..., :, None] + of_column[..., None, :] - best[..., None, None]
        if unanswered is not None:
            best, changed = best + lost_by_missing, changed + missing_by_sizes
        best_by_sample = with_missing(
            divide(direct, n_answered[..., None, None]) + changed[..., None], perfect + changed
        )
    else:
        best = np.add.reduce(np.where(is_absent, 0, sizes * perfect), axis=-1)
        earned = perfect + gains_by_sizes(sizes)
        best_by_sample = with_missing(earned[..., None], earned)
    share_lost = divide(lost_in_all, best)[..., None, None]
    return divide(share_lost * best_by_sample - lost_by_sample, best[..., None, None])


def closeness_losses(counts: Counts, unanswered: Counts | None = None) -> Values:
    """Return how much the samples of each cell reduce CEM_ORD: (..., K, K), rows true.

    With `unanswered`, a last column holds the loss of samples without a prediction.
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


def perfect_closeness(
    class_counts: ArrayLike, sizes: NDArray[np.float64], *, log: bool
) -> NDArray[np.float64]:
    """Return the gain of a perfect prediction of each true class, given a reference: (..., K)."""
    reference = np.broadcast_to(check_reference(class_counts, sizes), sizes.shape)
    return _losses(reference, sizes, "nominal", log)[1]


def check_reference(class_counts: ArrayLike, sizes: Values) -> NDArray[np.float64]:
    """Return the reference sizes of the classes, which are positive for each true class."""
    reference = check_class_counts(class_counts)
    # A stack has one reference for each matrix, or one for all matrices with the same leading axes.
    if reference.shape != sizes.shape[-max(reference.ndim, 1) :]:
        raise ValueError(
            f"class_counts must have shape ({sizes.shape[-1]},), one size for each class of the "
            f"scale, got {reference.shape}: pass labels= if there are more classes."
        )
    is_unseen = (reference == 0) & (sizes > 0)
    unseen = np.flatnonzero(is_unseen.any(axis=tuple(range(sizes.ndim - 1))))
    if unseen.size:
        raise ValueError(
            f"class_counts must be positive for each class in y_true, got 0 at position "
            f"{', '.join(map(str, unseen))} of the scale, where closeness would be infinite."
        )
    # The ratio of the samples to half of a smaller class would overflow.
    smallest = _SMALLEST_SHARE * np.maximum(reference.sum(axis=-1, keepdims=True), 1)
    is_too_small = (reference > 0) & (reference < smallest)
    if is_too_small.any():
        raise ValueError(
            f"class_counts must be zero or at least {_SMALLEST_SHARE} of their sum, got "
            f"{reference[is_too_small][0]}."
        )
    return reference


def check_bound_class_counts(class_counts: Any = None) -> None:
    """Raise unless class sizes are None or a list with one size for each class."""
    if class_counts is None:
        return
    reference = check_class_counts(class_counts)
    if reference.ndim != 1:
        raise ValueError(
            f"class_counts must have shape (n_classes,), one size for each class of the scale, "
            f"got {reference.shape}."
        )


def _check_options(adjusted: Any = False, class_counts: Any = None) -> None:
    check_bool("adjusted", adjusted)
    check_bound_class_counts(class_counts)


def _costs(
    sizes: NDArray[np.float64],
    class_counts: ArrayLike | None = None,
    *,
    scale: Scale,
    log: bool = True,
) -> NDArray[np.float64]:
    reference = sizes if class_counts is None else check_class_counts(class_counts)
    return costs_in_bits(reference, scale) if log else size_beyond(reference, scale)


def cem_ord_gradient(counts: Counts, *, class_counts: ArrayLike | None = None) -> Values:
    """Return the derivatives of `cem_ord_from_counts` by each count."""
    return _closeness_gradient(counts, class_counts=class_counts)


def cem_ord_from_counts(
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


def _cem_int(
    counts: Counts, *, class_counts: ArrayLike | None = None, unanswered: Counts | None = None
) -> Values:
    return _closeness(counts, scale="interval", class_counts=class_counts, unanswered=unanswered)


def _cem_nom(
    counts: Counts, *, class_counts: ArrayLike | None = None, unanswered: Counts | None = None
) -> Values:
    return _closeness(counts, scale="nominal", class_counts=class_counts, unanswered=unanswered)


def _cem_ord_flat(
    counts: Counts, *, class_counts: ArrayLike | None = None, unanswered: Counts | None = None
) -> Values:
    return _closeness(
        counts, scale="ordinal", log=False, class_counts=class_counts, unanswered=unanswered
    )


@ordinal_metric(
    cem_ord_from_counts,
    name="cem_ord_adjusted",
    adjusted=True,
    greater_is_better=True,
    bounds=(-np.inf, 1.0),
    gradient=_closeness_gradient,
    check=_check_options,
    chance_level=0.0,
    properties={"invariant", "centred at chance"},
    an_error_costs="like cem_ord, but on a scale where chance is 0",
    prefer="to see how much better predictions are than chance",
)
@ordinal_metric(
    cem_ord_from_counts,
    greater_is_better=True,
    bounds=(0.0, 1.0),
    check=_check_options,
    costs=partial(_costs, scale="ordinal"),
    gradient=_closeness_gradient,
    properties={"invariant", "monotonic", "strictly monotonic", "imbalance"},
    an_error_costs="more if the true class is rarer or more samples lie in between",
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

    A prediction earns the information in its closeness to the truth, which is higher if
    fewer samples lie between the two classes (`proximity_matrix`). The sum is divided by
    what perfect predictions earn [1]_:

    .. math:: \mathrm{CEM_{ORD}} = \frac{\sum_{ij} C_{ji}\, \mathrm{prox}(i, j)}
        {\sum_j n_j\, \mathrm{prox}(j, j)}

    where :math:`C_{ji}` of the :math:`n_j` samples of class :math:`j` are predicted as
    :math:`i`.

    The score does not change if the classes are renamed in the same order, and it penalises
    errors in small classes more. If every class occurs in `y_true`, it increases with each
    step of a prediction towards the truth. It uses the order of the classes, but no
    distances between them.

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
        raise an error, or count them as predictions with a closeness of 0, while their
        classes still count in the denominator.
    adjusted : bool, default=False
        Whether to correct for chance, so that 0 is the expected value of predictions that
        are independent of the truth, given the sizes of the true and predicted classes.
    class_counts : array-like of shape (n_classes,), default=None
        Number of samples of each class in the distribution that defines closeness, such as
        the training set. If None, the distribution in `y_true`.
    replace_undefined_by : float, default=np.nan
        Value to return, without a warning, if the adjusted score is undefined.

    Returns
    -------
    float
        Closeness in [0, 1], or in (-inf, 1] if `adjusted`. 1 is best. If `adjusted`, NaN
        with an `UndefinedMetricWarning` if `y_true` and `y_pred` contain a single class.

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
    proximity_matrix : How close each predicted class is to each true class.
    closeness_costs : The cost of each error in bits.

    Notes
    -----
    An error costs :math:`\log_2 (1 + 2 d / q)` bits, where :math:`d` is the distance of the
    ridits of the two classes, which grows with the samples between them, and :math:`q` is the
    share of the true class (`closeness_costs`). The cost is concave in the number of samples
    between the two classes. If the classes have about the same size, each further step costs less:
    with five equal classes, the worst possible error costs as much as two errors by one class, so
    one gross error is preferred to three small ones. Before a large class, the second step can cost
    more than the first.

    The score is 0 only if all samples lie between each prediction and its truth, or no sample has a
    prediction. For that, at most two classes may occur in `y_true`, and each sample must be
    predicted as an empty class beyond the farther of them. With more classes, or without empty
    classes at the ends, the worst value is higher: 0.14 with five equal classes.
    `sklearn_ordinal.score_ladder` returns the worst value for the class sizes at hand, and the
    values of guesses and constants.

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
    statistic = partial(cem_ord_from_counts, adjusted=adjusted, class_counts=class_counts)
    value = LABELS.evaluate(statistic, y_true, y_pred, labels, sample_weight, unanswered)
    return or_undefined(
        value, replace_undefined_by, "adjusted CEM_ORD", "y_true and y_pred contain a single class"
    )


@ordinal_metric(
    _cem_int,
    greater_is_better=True,
    bounds=(0.0, 1.0),
    check=check_bound_class_counts,
    costs=partial(_costs, scale="interval"),
    gradient=partial(_closeness_gradient, scale="interval"),
    properties={"monotonic", "strictly monotonic"},
    an_error_costs="more if the true class is rarer or more samples lie within its distance",
    prefer="if all neighbouring classes are equally far apart",
)
def cem_int_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    unanswered: Literal["raise", "count"] = "raise",
    class_counts: ArrayLike | None = None,
) -> float:
    r"""Compute the Closeness Evaluation Measure for interval scales, CEM_INT.

    Like `cem_ord_score`, but with distances in positions on the scale: a prediction is
    closer to the truth if fewer samples are nearer to the truth than the predicted class
    is [1]_. Samples at the same distance count half; the source does not state this
    factor.

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
        raise an error, or count them as predictions with a closeness of 0, while their
        classes still count in the denominator.
    class_counts : array-like of shape (n_classes,), default=None
        Number of samples of each class in the distribution that defines closeness, such as
        the training set. If None, the distribution in `y_true`.

    Returns
    -------
    float
        Closeness in [0, 1]. 1 is best.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, or `class_counts`
        has no sample of a class that occurs in `y_true`.

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
    statistic = partial(_cem_int, class_counts=class_counts)
    return LABELS.evaluate(statistic, y_true, y_pred, labels, sample_weight, unanswered)


@ordinal_metric(
    _cem_nom,
    greater_is_better=True,
    bounds=(0.0, 1.0),
    check=check_bound_class_counts,
    costs=partial(_costs, scale="nominal"),
    gradient=partial(_closeness_gradient, scale="nominal"),
    properties={"invariant", "monotonic", "imbalance"},
    an_error_costs="more if the true class is rarer",
    prefer="if the classes have no order",
)
def cem_nom_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    unanswered: Literal["raise", "count"] = "raise",
    class_counts: ArrayLike | None = None,
) -> float:
    r"""Compute the Closeness Evaluation Measure for nominal classes, CEM_NOM.

    Like `cem_ord_score`, but without an order: a correct prediction earns the information
    of its class, and an error earns nothing [1]_. The true class counts half, as on an
    ordinal scale; the source does not state this factor.

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
        raise an error, or count them as predictions with a closeness of 0, while their
        classes still count in the denominator.
    class_counts : array-like of shape (n_classes,), default=None
        Number of samples of each class in the distribution that defines closeness, such as
        the training set. If None, the distribution in `y_true`.

    Returns
    -------
    float
        Closeness in [0, 1]. 1 is best.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, or `class_counts`
        has no sample of a class that occurs in `y_true`.

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
    statistic = partial(_cem_nom, class_counts=class_counts)
    return LABELS.evaluate(statistic, y_true, y_pred, labels, sample_weight, unanswered)


@ordinal_metric(
    _cem_ord_flat,
    greater_is_better=True,
    bounds=(0.0, 1.0),
    check=check_bound_class_counts,
    costs=partial(_costs, scale="ordinal", log=False),
    gradient=partial(_closeness_gradient, log=False),
    properties={"invariant", "monotonic", "strictly monotonic"},
    an_error_costs="the share of the samples that lie in between",
    prefer="instead of cem_ord if small classes should not count more",
)
def cem_ord_flat_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    unanswered: Literal["raise", "count"] = "raise",
    class_counts: ArrayLike | None = None,
) -> float:
    r"""Compute the ordinal Closeness Evaluation Measure without its logarithm.

    Like `cem_ord_score`, but a prediction earns the proportion of samples that do not lie
    between it and the truth [1]_:

    .. math:: \frac{\sum_{ij} C_{ji} (1 - P(i \to j))}{\sum_j n_j (1 - P(j \to j))}

    where :math:`C_{ji}` of the :math:`n_j` samples of class :math:`j` are predicted as
    :math:`i`, and :math:`P` is defined as in `proximity_matrix`.

    The source calls this variant "flat" and gives no formula for it. This definition comes
    close to the values that the source reports.

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
        raise an error, or count them as predictions with a closeness of 0, while their
        classes still count in the denominator.
    class_counts : array-like of shape (n_classes,), default=None
        Number of samples of each class in the distribution that defines closeness, such as
        the training set. If None, the distribution in `y_true`.

    Returns
    -------
    float
        Closeness in [0, 1]. 1 is best.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, or `class_counts`
        has no sample of a class that occurs in `y_true`.

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
    statistic = partial(_cem_ord_flat, class_counts=class_counts)
    return LABELS.evaluate(statistic, y_true, y_pred, labels, sample_weight, unanswered)
