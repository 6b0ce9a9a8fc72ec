"""Closeness of classes, computed from the samples between them."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    as_class_numbers,
    check_amounts,
    check_bool,
    check_choice,
    divide,
    lower_sums,
)

Scale = Literal["ordinal", "interval", "nominal"]

LARGEST_EXACT_TOTAL = 2.0**52
"""Below this bound, sums of integers and of their halves are exact."""


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
    check_bool("log", log)
    check_choice("scale", scale, Scale)
    sizes = check_class_counts(class_counts)
    within = (size_beyond(sizes, scale) + sizes[..., None] / 2).swapaxes(-1, -2)
    share = divide(within, sizes.sum(axis=-1)[..., None, None])
    if not log:
        return 1 - share
    with np.errstate(divide="ignore"):
        # In contrast to -log2, 0.0 - log2 has no negative zero.
        return 0.0 - np.log2(share)


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
    return costs_in_bits(check_class_counts(class_counts), "ordinal")


def costs_in_bits(sizes: NDArray[np.float64], scale: Scale) -> NDArray[np.float64]:
    """Return the closeness that each error loses: (..., true, predicted)."""
    distance, size = 2 * size_beyond(sizes, scale), sizes[..., None]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = distance / size
        # The ratio may exceed the largest float, but its logarithm does not.
        far = np.log2(distance) - np.log2(size)
        costs = np.where(np.isinf(ratio), far, np.log1p(ratio) / np.log(2))
    # For two neighbouring classes without samples, the difference and the size are 0.
    is_right = np.eye(sizes.shape[-1], dtype=bool)
    return np.where(is_right, 0.0, np.where(size > 0, costs, np.inf))


def check_class_counts(class_counts: ArrayLike) -> NDArray[np.float64]:
    """Return sizes of classes that are finite, not negative and not all zero."""
    sizes = as_class_numbers("class_counts", class_counts).astype(np.float64, copy=False)
    if not sizes.ndim or not sizes.size:
        raise ValueError(f"class_counts must have shape (..., n_classes), got {sizes.shape}.")
    if sizes.ndim > 1 and sizes.shape[-1] == 1:
        raise ValueError(
            f"class_counts must have shape (..., n_classes), got {sizes.shape}, a single class in "
            f"each row: pass a column as class_counts.ravel()."
        )
    check_amounts("class_counts", sizes)
    if not sizes.any(axis=-1).all():
        raise ValueError("class_counts must not be zero for every class.")
    return sizes


def size_beyond(
    sizes: NDArray[np.float64], scale: Scale, is_exact: bool = False
) -> NDArray[np.float64]:
    """Return the number of samples between the truth (rows) and the prediction (columns).

    Half of the true class, which lies between the truth and itself, is not included.
    Pass `is_exact` if sums of the sizes are known to have no rounding errors.
    """
    if scale == "ordinal":
        # Count from the middle of the true class to the middle of the predicted class.
        if is_exact or _adds_up_exactly(sizes):
            middle = np.add.accumulate(sizes, axis=-1) - sizes / 2
            return np.abs(middle[..., :, None] - middle[..., None, :])
        # Differences of sums would lose small weights next to large ones.
        steps = sizes / 2
        steps[..., 1:] += sizes[..., :-1] / 2
        above = np.cumsum(np.triu(_rows(steps), 1), axis=-1)
        return np.add(above, above.swapaxes(-1, -2))
    if scale == "interval":
        return _size_around(sizes)
    everything = sizes.sum(axis=-1)[..., None, None]
    is_right = np.eye(sizes.shape[-1], dtype=bool)
    return np.where(is_right, 0, everything - sizes[..., None] / 2)


def size_beyond_gradient(weights: NDArray[np.float64], scale: Scale) -> NDArray[np.float64]:
    """Return the derivatives, by the size of each class, of the weighted sum of `size_beyond`.

    `size_beyond` is linear in the sizes: this is the sum of its coefficients, weighted by
    (..., true, predicted), for each class.
    """
    errors = np.where(np.eye(weights.shape[-1], dtype=bool), 0, weights)
    if scale == "ordinal":
        # Half of both classes, and all classes between them, in either direction.
        errors = errors + errors.swapaxes(-1, -2)
        between = np.diagonal(lower_sums(errors[..., ::-1])[..., ::-1], axis1=-2, axis2=-1)
        by_class: NDArray[np.float64] = between + np.add.reduce(errors, axis=-1) / 2
        return by_class
    if scale == "interval":
        return _size_around_gradient(errors)
    everything: NDArray[np.float64] = np.add.reduce(errors, axis=(-2, -1))[..., None]
    half: NDArray[np.float64] = np.add.reduce(errors, axis=-1) / 2
    return everything - half


def _size_around_gradient(errors: NDArray[np.float64]) -> NDArray[np.float64]:
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


def _adds_up_exactly(sizes: NDArray[np.float64]) -> bool:
    """Return whether sums of the sizes and of their halves have no rounding error."""
    n_samples = np.add.reduce(sizes, axis=-1).max(initial=0)
    return bool(n_samples < LARGEST_EXACT_TOTAL and (sizes == np.rint(sizes)).all())


def _size_around(sizes: NDArray[np.float64]) -> NDArray[np.float64]:
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
    around = (sizes[..., None] + within[..., 0, :, :] + within[..., 1, :, :]) / 2
    return np.where(radius == 0, 0, around)


def _rows(sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Repeat the sizes in each row of a square matrix."""
    return np.broadcast_to(sizes[..., None, :], (*sizes.shape, sizes.shape[-1]))
