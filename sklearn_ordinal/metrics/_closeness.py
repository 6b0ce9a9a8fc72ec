"""Closeness Evaluation Measures (CEM): how close predictions are to the truth, as information.

Amigo et al. (2020), Section 4, define CEM_ORD for N samples. Of the n_j samples of class j, C_ji
are predicted as i:

    P(i -> j)  = (n_i / 2 + the sum of n_k for each k after i, up to and including j) / N
    prox(i, j) = -log2 P(i -> j)
    CEM_ORD    = sum_ij C_ji prox(i, j) / sum_j n_j prox(j, j)

The sum in P goes from i to j in either direction, and is empty if i = j. The paper calls prox the
closeness information quantity (CIQ). `_samples_between`, `proximity_matrix` and
`cem_ord_by_definition` are these three lines. The metrics are computed in another form, which
`_closeness` explains.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import arithmetic, checks, counting
from sklearn_ordinal._core.arithmetic import Counts, Values
from sklearn_ordinal._core.catalogue import ordinal_metric

Scale = Literal["ordinal", "interval", "nominal"]

# Below this bound, sums of integers and of their halves are exact.
_LARGEST_EXACT_TOTAL = 2.0**52
# Smaller weights of a class do not change results, since the total weight is at least 1e-60, but
# quotients by them might overflow.
_NEGLIGIBLE = 1e-240
_SMALLEST_SHARE = 1e-300


def proximity_matrix(
    class_counts: ArrayLike, *, scale: Scale = "ordinal", log: bool = True
) -> NDArray[np.float64]:
    r"""Compute how close each predicted class is to each true class.

    On an ordinal scale, a predicted class :math:`i` is closer to the true class :math:`j`
    if fewer samples lie between them. With :math:`n_k` of :math:`N` samples in class
    :math:`k` [1]_:

    .. math:: P(i \to j) = \Big(\frac{n_i}{2} + \sum_{k \in (i, j]} n_k\Big) / N,
        \qquad P(j \to j) = \frac{n_j}{2N}

    where :math:`(i, j]` are the classes after :math:`i` up to and including :math:`j`, in
    either direction, and the proximity is its information, :math:`-\log_2 P(i \to j)`. It is
    not symmetric, since half of the predicted class counts, but the whole true class.

    Parameters
    ----------
    class_counts : array-like of shape (..., n_classes)
        Number, or weight, of the samples of each true class, from the lowest class to
        the highest.
    scale : {"ordinal", "interval", "nominal"}, default="ordinal"
        What makes two classes close. "ordinal": few samples between them. "interval": few
        samples that are nearer to the true class than the predicted class is, in positions
        on the scale and on both sides; samples at the same distance count half (the source
        does not state this factor). "nominal": only equality.
    log : bool, default=True
        Whether to return :math:`-\log_2 P` instead of :math:`1 - P`.

    Returns
    -------
    ndarray of shape (..., n_classes, n_classes)
        Proximities, rows predicted, columns true. In bits and in [0, inf] if `log`, else
        in [0, 1]. Infinite if no sample lies between two empty classes.

    Raises
    ------
    ValueError
        If `class_counts` are not finite and non-negative, are all zero or are a column, or
        `scale` is not known.

    See Also
    --------
    cem_ord_score : The metric that sums these proximities.
    closeness_costs : The proximity that an error loses, rows true.

    References
    ----------
    .. [1] E. Amigo, J. Gonzalo, S. Mizzaro, J. Carrillo-de-Albornoz (2020), "An
       effectiveness metric for ordinal classification: formal properties and
       experimental results", ACL 2020, :doi:`10.18653/v1/2020.acl-main.363`.

    Examples
    --------
    A weak accept in place of a weak reject, in the example of the paper's Figure 1:

    >>> from sklearn_ordinal.metrics import proximity_matrix
    >>> float(proximity_matrix([7, 105, 193, 90, 7])[3, 1])
    0.2289...
    """
    checks.check_bool("log", log)
    checks.check_choice("scale", scale, Scale)
    sizes = _check_class_counts(class_counts)
    n_samples = sizes.sum(axis=-1)[..., None, None]
    share = arithmetic.divide(_samples_between(sizes, scale), n_samples)
    if not log:
        return 1 - share
    with np.errstate(divide="ignore"):
        # In contrast to -log2, 0.0 - log2 has no negative zero.
        return 0.0 - np.log2(share)


def _samples_between(sizes: NDArray[np.float64], scale: Scale) -> NDArray[np.float64]:
    """Return N P(i -> j), by the definition of P: (..., predicted, true)."""
    if scale == "ordinal":
        n = np.broadcast_to(sizes[..., None, :], (*sizes.shape, sizes.shape[-1]))
        # The sums of n_k for i < k <= j and for j <= k < i. At least one of them is empty.
        up_to_true = np.cumsum(np.triu(n, 1), axis=-1)
        down_to_true = np.cumsum(np.tril(n, -1)[..., ::-1], axis=-1)[..., ::-1]
        between: NDArray[np.float64] = sizes[..., :, None] / 2 + up_to_true + down_to_true
        return between
    if scale == "interval":
        return _samples_around(sizes)
    is_right = np.eye(sizes.shape[-1], dtype=bool)
    return np.where(is_right, sizes[..., None] / 2, sizes.sum(axis=-1)[..., None, None])


def cem_ord_by_definition(counts: Counts, class_counts: ArrayLike | None = None) -> float:
    """Return CEM_ORD by its definition, for the counts or weights of one confusion matrix."""
    sizes = counts.sum(axis=1)
    proximity = proximity_matrix(sizes if class_counts is None else class_counts)
    # Classes without samples may be infinitely close, but add nothing.
    true, predicted = np.nonzero(counts)
    occurs = sizes > 0
    earned = np.sum(counts[true, predicted] * proximity[predicted, true])
    return float(earned / np.sum(sizes[occurs] * proximity.diagonal()[occurs]))


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

    For the ordinal scale: perfect predictions earn what the predictions earn plus what they lose,
    so CEM_ORD is equal to

        1 - sum_ij C_ji (prox(j, j) - prox(i, j)) / sum_j n_j prox(j, j)

    In this form, perfect predictions score exactly 1. If the samples are lined up by class, N P(i
    -> j) of them lie between the middle of class i and the far end of class j: those between the
    two middles, plus n_j / 2, which is N P(j -> j). An error therefore loses

        prox(j, j) - prox(i, j) = log2(P(i -> j) / P(j -> j))
                                = log2(1 + |middle of i - middle of j| / (n_j / 2))
    """
    answered = np.add.reduce(counts, axis=-1, dtype=np.float64)
    # A sample without a prediction has a closeness of 0, but still counts in the denominator.
    sizes = answered if unanswered is None else answered + unanswered
    reference = check_reference(class_counts, sizes)
    is_whole = counts.dtype.kind == "i" and reference is answered
    if reference is answered and sizes.ndim > 1:
        first = sizes[(slice(1),) * (sizes.ndim - 1)]
        if first.size and (sizes == first).all():
            # Systems on the same samples have the same losses.
            answered = reference = sizes = first
    lost, perfect = _losses(reference, sizes, scale, log, is_whole)
    lost_in_all = arithmetic.total(counts * lost)
    if unanswered is not None:
        lost_by_missing = np.add.reduce(unanswered * perfect, axis=-1)
        lost_in_all = lost_in_all + lost_by_missing
    if adjusted:
        if answered.shape == counts.shape[:-1]:
            by_chance = arithmetic.total(arithmetic.expected_counts(counts) * lost)
        else:
            by_column = np.add.reduce(answered[..., None] * lost, axis=-2)
            pred = np.add.reduce(counts, axis=-2, dtype=np.float64)
            n_samples = np.add.reduce(answered, axis=-1)
            by_chance = arithmetic.divide(np.add.reduce(by_column * pred, axis=-1), n_samples)
        if unanswered is not None:
            # Chance predictions leave the same samples unanswered, possibly all samples.
            by_chance = np.where(answered.any(axis=-1), by_chance, 0) + lost_by_missing
        return 1 - arithmetic.divide(lost_in_all, by_chance)
    closeness: Values = 1 - lost_in_all / np.add.reduce(sizes * perfect, axis=-1)
    # Rounding errors may make a closeness of 0 negative.
    return np.maximum(closeness, 0)


def _losses(
    reference: NDArray[np.float64],
    sizes: NDArray[np.float64],
    scale: Scale,
    log: bool,
    is_whole: bool = False,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return prox(j, j) - prox(i, j) for each cell (..., true, predicted), and prox(j, j).

    Logarithms are natural, since the base cancels.
    """
    own, n_samples = _own_samples(reference, sizes, is_whole)
    # For a small matrix of integers, checking the sizes takes as long as everything else.
    is_exact = is_whole and n_samples.size == 1 and n_samples.item() < _LARGEST_EXACT_TOTAL
    beyond = _samples_beyond(reference, scale, is_exact)
    return _lost(beyond, own, n_samples, log), _perfect(own, n_samples, log)


def _own_samples(
    reference: NDArray[np.float64], sizes: NDArray[np.float64], is_whole: bool = False
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return N P(j -> j), which is half of each true class, and N."""
    own, n_samples = reference / 2, np.add.reduce(reference, axis=-1, keepdims=True)
    if np.count_nonzero(sizes if is_whole else sizes > _NEGLIGIBLE) < sizes.size:
        # Avoid 0 / 0 for classes that are never true; their rows are multiplied by about 0.
        n_samples = np.where(n_samples, n_samples, np.nan)
        own = np.where(sizes > _NEGLIGIBLE, own, n_samples)
    return own, n_samples


def _lost(
    beyond: NDArray[np.float64],
    own: NDArray[np.float64],
    n_samples: NDArray[np.float64],
    log: bool,
) -> NDArray[np.float64]:
    """Return prox(j, j) - prox(i, j), from N P(i -> j) - N P(j -> j) and N P(j -> j)."""
    return np.log1p(beyond / own[..., None]) if log else beyond / n_samples[..., None]


def _perfect(
    own: NDArray[np.float64], n_samples: NDArray[np.float64], log: bool
) -> NDArray[np.float64]:
    """Return prox(j, j), from N P(j -> j)."""
    return -np.log(own / n_samples) if log else 1 - own / n_samples


def _samples_beyond(
    sizes: NDArray[np.float64], scale: Scale, is_exact: bool = False
) -> NDArray[np.float64]:
    """Return N P(i -> j) - N P(j -> j): (..., true, predicted).

    Pass `is_exact` if sums of the sizes are known to have no rounding errors.
    """
    if scale != "ordinal":
        return _samples_between(sizes, scale).swapaxes(-1, -2) - sizes[..., None] / 2
    # Count from the middle of the true class to the middle of the predicted class.
    if is_exact or _adds_up_exactly(sizes):
        middle = np.add.accumulate(sizes, axis=-1) - sizes / 2
        return np.abs(middle[..., :, None] - middle[..., None, :])
    # Differences of sums would lose small weights next to large ones.
    steps = sizes / 2
    steps[..., 1:] += sizes[..., :-1] / 2
    position = np.arange(sizes.shape[-1])
    is_above = position > position[:, None]
    above = np.add.accumulate(np.where(is_above, steps[..., None, :], 0), axis=-1)
    return np.add(above, above.swapaxes(-1, -2))


def _adds_up_exactly(sizes: NDArray[np.float64]) -> bool:
    """Return whether sums of the sizes and of their halves have no rounding error."""
    n_samples = np.add.reduce(sizes, axis=-1).max(initial=0)
    return bool(n_samples < _LARGEST_EXACT_TOTAL and (sizes == np.rint(sizes)).all())


def _samples_around(sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return N P(i -> j) on an interval scale: (..., predicted, true)."""
    n_classes = sizes.shape[-1]
    true = np.arange(n_classes)[:, None]
    offset = true.T - true
    radius = np.abs(offset)
    # Sum each side of the truth separately. No terms are subtracted, so no digits are lost.
    above = np.add.accumulate(np.where(offset > 0, sizes[..., None, :], 0), axis=-1)
    below = np.where(offset < 0, sizes[..., None, :], 0)
    below = np.add.accumulate(below[..., ::-1], axis=-1)[..., ::-1]

    # The mean of the closed and the open neighbourhood counts half of the samples on the rim.
    radii = np.array([radius, np.maximum(radius - 1, 0)])
    high, low = np.minimum(true + radii, n_classes - 1), np.maximum(true - radii, 0)
    within = above[..., true, high] + below[..., true, low]
    around = sizes[..., None] + (within[..., 0, :, :] + within[..., 1, :, :]) / 2
    return np.where(radius == 0, sizes[..., None] / 2, around).swapaxes(-1, -2)


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
    reference: NDArray[np.float64], sizes: NDArray[np.float64], *, log: bool = True
) -> NDArray[np.float64]:
    """Return the gain of a perfect prediction of each true class, given a reference: (..., K)."""
    return _perfect(*_own_samples(reference, sizes), log)


def closeness_costs(class_counts: ArrayLike) -> NDArray[np.float64]:
    r"""Compute the cost of each error in bits: the closeness that is lost.

    The cost is the proximity of the true class to itself minus the proximity of the
    predicted class, on an ordinal scale (`proximity_matrix`). For true class :math:`j` and
    predicted class :math:`i` it is

    .. math:: D_{ji} = \log_2\Big(1 + \frac{|R_i - R_j|}{n_j}\Big),
        \qquad R_k = 2 \sum_{m < k} n_m + n_k

    where :math:`n_k` is the size of class :math:`k`, and :math:`R_k` divided by twice the
    number of samples is its ridit. An error costs more if its true class is smaller, and if
    more samples lie between the two classes.

    Parameters
    ----------
    class_counts : array-like of shape (..., n_classes)
        Number, or weight, of the samples of each true class, from the lowest class to
        the highest.

    Returns
    -------
    ndarray of shape (..., n_classes, n_classes)
        Costs in bits, rows true, columns predicted: 0 on the diagonal, positive elsewhere.
        The errors of a true class without samples have an infinite cost: leave that row out
        of products with probabilities or counts, since 0 times infinity is NaN.

    Raises
    ------
    ValueError
        If `class_counts` are not finite and non-negative, are all zero or are a column.

    See Also
    --------
    cem_ord_score : One minus the total cost, relative to the cost of making no predictions at all.
    proximity_matrix : The proximities, rows predicted.

    Notes
    -----
    CEM_ORD is :math:`1 - \sum_{ji} C_{ji} D_{ji} / \sum_j n_j (1 - \log_2 f_j)`, where
    :math:`f_j` is the share of class :math:`j`: a sample without a prediction costs
    :math:`1 - \log_2 f_j` bits. Costs satisfy the triangle inequality, but are not additive
    along the scale.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import closeness_costs
    >>> closeness_costs([3, 3, 4]).round(3)
    array([[0.   , 1.585, 2.415],
           [1.585, 0.   , 1.737],
           [2.087, 1.459, 0.   ]])
    """
    return costs_in_bits(_check_class_counts(class_counts), "ordinal")


def costs_in_bits(sizes: NDArray[np.float64], scale: Scale) -> NDArray[np.float64]:
    """Return the closeness that each error loses: (..., true, predicted)."""
    beyond, own = _samples_beyond(sizes, scale), sizes / 2
    n_samples = np.add.reduce(sizes, axis=-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        lost = _lost(beyond, own, n_samples, log=True)
        # The ratio may exceed the largest float, but its logarithm does not.
        far = np.log(2 * beyond) - np.log(sizes)[..., None]
    costs = np.where(np.isinf(lost), far, lost) / np.log(2)
    # For two neighbouring classes without samples, 0 is divided by 0.
    is_right = np.eye(sizes.shape[-1], dtype=bool)
    return np.where(is_right, 0.0, np.where(sizes[..., None] > 0, costs, np.inf))


def _costs(
    sizes: NDArray[np.float64],
    class_counts: ArrayLike | None = None,
    *,
    scale: Scale,
    log: bool = True,
) -> NDArray[np.float64]:
    reference = sizes if class_counts is None else _check_class_counts(class_counts)
    return costs_in_bits(reference, scale) if log else _samples_beyond(reference, scale)


def _check_class_counts(class_counts: ArrayLike) -> NDArray[np.float64]:
    """Return sizes of classes that are finite, not negative and not all zero."""
    sizes = checks.as_class_numbers("class_counts", class_counts).astype(np.float64, copy=False)
    if not sizes.ndim or not sizes.size:
        raise ValueError(f"class_counts must have shape (..., n_classes), got {sizes.shape}.")
    if sizes.ndim > 1 and sizes.shape[-1] == 1:
        raise ValueError(
            f"class_counts must have shape (..., n_classes), got {sizes.shape}, a single class in "
            f"each row: pass a column as class_counts.ravel()."
        )
    checks.check_amounts("class_counts", sizes)
    if not sizes.any(axis=-1).all():
        raise ValueError("class_counts must not be zero for every class.")
    return sizes


def check_reference(class_counts: ArrayLike | None, sizes: Values) -> NDArray[np.float64]:
    """Return the class sizes that define closeness, which are positive for each true class."""
    if class_counts is None:
        return sizes
    reference = _check_class_counts(class_counts)
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
    reference = _check_class_counts(class_counts)
    if reference.ndim != 1:
        raise ValueError(
            f"class_counts must have shape (n_classes,), one size for each class of the scale, "
            f"got {reference.shape}."
        )


def _check_options(adjusted: Any = False, class_counts: Any = None) -> None:
    checks.check_bool("adjusted", adjusted)
    check_bound_class_counts(class_counts)


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
    answered, pred = arithmetic.margins(counts)
    sizes = answered if unanswered is None else answered + unanswered
    reference = check_reference(class_counts, sizes)
    n_reference = np.add.reduce(reference, axis=-1, keepdims=True)
    beyond, own = _samples_beyond(reference, scale), reference / 2
    lost, perfect = _lost(beyond, own, n_reference, log), _perfect(own, n_reference, log)

    def losses_by_sizes(cells: Counts) -> Values:
        """Return the derivatives, by the sizes, of the sum of the losses of cells."""
        if class_counts is not None:
            return np.zeros(sizes.shape)
        if not log:
            fixed = arithmetic.divide(arithmetic.total(cells * beyond)[..., None], n_reference)
            return arithmetic.divide(_beyond_gradient(cells, scale) - fixed, n_reference)
        weights = arithmetic.divide(cells, own[..., None] + beyond)
        by_own = arithmetic.divide(np.add.reduce(weights * beyond, axis=-1), reference)
        return _beyond_gradient(weights, scale) - by_own

    def gains_by_sizes(samples: Counts) -> Values:
        """Return the derivatives, by the sizes, of the sum of the gains of perfect predictions."""
        if class_counts is not None:
            return np.zeros(sizes.shape)
        if not log:
            fixed = arithmetic.divide(
                np.add.reduce(samples * sizes, axis=-1, keepdims=True), n_reference
            )
            return arithmetic.divide(fixed - samples, n_reference) / 2
        share = arithmetic.divide(np.add.reduce(samples, axis=-1, keepdims=True), n_reference)
        return share - arithmetic.divide(samples, reference)

    def with_missing(cells: Values, missing: Values) -> Values:
        if unanswered is None:
            return cells
        cells = np.broadcast_to(cells, counts.shape)
        return np.concatenate([cells, missing[..., None]], axis=-1)

    is_absent = sizes <= 0
    lost_here = np.where(is_absent[..., None], 0, lost)
    lost_in_all, changed = arithmetic.total(counts * lost_here), losses_by_sizes(counts)
    if unanswered is not None:
        lost_by_missing = np.add.reduce(np.where(is_absent, 0, unanswered * perfect), axis=-1)
        missing_by_sizes = gains_by_sizes(unanswered)
        lost_in_all, changed = lost_in_all + lost_by_missing, changed + missing_by_sizes
    lost_by_sample = with_missing(lost + changed[..., None], perfect + changed)
    if adjusted:
        expected, n_answered = arithmetic.expected_counts(counts), np.add.reduce(answered, axis=-1)
        best, changed = arithmetic.total(expected * lost_here), losses_by_sizes(expected)
        of_row = np.add.reduce(lost * pred[..., None, :], axis=-1)
        of_column = np.add.reduce(lost_here * answered[..., None], axis=-2)
        direct = of_row[..., :, None] + of_column[..., None, :] - best[..., None, None]
        if unanswered is not None:
            best, changed = best + lost_by_missing, changed + missing_by_sizes
        best_by_sample = with_missing(
            arithmetic.divide(direct, n_answered[..., None, None]) + changed[..., None],
            perfect + changed,
        )
    else:
        best = np.add.reduce(np.where(is_absent, 0, sizes * perfect), axis=-1)
        earned = perfect + gains_by_sizes(sizes)
        best_by_sample = with_missing(earned[..., None], earned)
    share_lost = arithmetic.divide(lost_in_all, best)[..., None, None]
    return arithmetic.divide(share_lost * best_by_sample - lost_by_sample, best[..., None, None])


def _beyond_gradient(weights: NDArray[np.float64], scale: Scale) -> NDArray[np.float64]:
    """Return the derivatives, by the size of each class, of the weighted sum of `_samples_beyond`.

    `_samples_beyond` is linear in the sizes: this is the sum of its coefficients, weighted by
    (..., true, predicted), for each class.
    """
    errors = np.where(np.eye(weights.shape[-1], dtype=bool), 0, weights)
    if scale == "ordinal":
        # Half of both classes, and all classes between them, in either direction.
        errors = errors + errors.swapaxes(-1, -2)
        between = np.diagonal(
            arithmetic.lower_sums(errors[..., ::-1])[..., ::-1], axis1=-2, axis2=-1
        )
        by_class: NDArray[np.float64] = between + np.add.reduce(errors, axis=-1) / 2
        return by_class
    if scale == "interval":
        return _around_gradient(errors)
    everything: NDArray[np.float64] = np.add.reduce(errors, axis=(-2, -1))[..., None]
    half: NDArray[np.float64] = np.add.reduce(errors, axis=-1) / 2
    return everything - half


def _around_gradient(errors: NDArray[np.float64]) -> NDArray[np.float64]:
    n_classes = errors.shape[-1]
    true = np.arange(n_classes)[:, None]
    radius = true.T
    higher, lower = true + radius, true - radius
    above = np.where(higher < n_classes, errors[..., true, np.minimum(higher, n_classes - 1)], 0)
    below = np.where(lower >= 0, errors[..., true, np.maximum(lower, 0)], 0)
    at_radius = above + below
    farther = np.zeros_like(at_radius)
    farther[..., :-1] = np.cumsum(at_radius[..., :0:-1], axis=-1)[..., ::-1]
    # Half of the true class counts, and half of the classes at the distance of the prediction.
    coefficients = np.where(radius == 0, farther / 2, farther + at_radius / 2)
    by_class: NDArray[np.float64] = coefficients[..., true, np.abs(true - true.T)].sum(axis=-2)
    return by_class


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
    checks.check_bool("adjusted", adjusted)
    statistic = partial(cem_ord_from_counts, adjusted=adjusted, class_counts=class_counts)
    value = counting.evaluate(statistic, y_true, y_pred, labels, sample_weight, unanswered)
    return checks.or_undefined(
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
    return counting.evaluate(statistic, y_true, y_pred, labels, sample_weight, unanswered)


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
    return counting.evaluate(statistic, y_true, y_pred, labels, sample_weight, unanswered)


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
    return counting.evaluate(statistic, y_true, y_pred, labels, sample_weight, unanswered)
