"""Indices of the best monotone path through the confusion matrix."""

from __future__ import annotations

from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    LABELS,
    Counts,
    Values,
    clip_rounding,
    distance,
    divide,
    is_real,
    ordinal_metric,
    shown,
    slices,
    total,
)

Costs: TypeAlias = NDArray[Any]

_TOLERANCE = 1e-9
# More do not fit into the cache.
_CELLS_AT_ONCE, _MIN_PATHS_AT_ONCE = 2**16, 4


def _cheapest_path(cost: Costs) -> Costs:
    """Return the least total cost of a path from the first cell to the last.

    From costs of shape (K, K, n): the stack comes last, so that a cell of all matrices is
    contiguous. Paths go down, right or diagonally. Cells on one antidiagonal do not depend
    on each other, so each antidiagonal of the whole stack is one step. Complex costs compare
    by their real part, so that an imaginary part is carried along the cheapest path.
    """
    n_classes = len(cost)
    cells = cost.reshape(n_classes**2, -1)
    # Three antidiagonals, indexed by row. The first row is outside the matrix; no path enters it.
    before, last, here = np.full((3, n_classes + 1, cells.shape[-1]), np.inf, cost.dtype)
    last[1] = cells[0]
    for step in range(1, 2 * n_classes - 1):
        first, end = max(0, step - n_classes + 1), min(step, n_classes - 1) + 1
        best = np.minimum(last[first:end], last[first + 1 : end + 1])
        np.minimum(best, before[first:end], out=best)
        # Neighbours on an antidiagonal are one row minus one column apart in memory.
        apart = n_classes - 1
        antidiagonal = cells[step + first * apart : step + end * apart : apart]
        np.add(best, antidiagonal, out=here[first + 1 : end + 1])
        before, last, here = last, here, before
    cheapest: Costs = last[-1]
    return cheapest


def _gains_and_penalties(counts: Counts, gamma: float) -> tuple[Values, Values]:
    """Return the gain of each cell on a path, and the penalty for its distance."""
    counts = counts.astype(np.float64)
    powers = counts * distance(counts.shape[-1]) ** gamma
    n_samples = total(counts)
    dispersion = total(powers) ** (1 / gamma)
    gain = divide(counts, (n_samples + dispersion)[..., None, None])
    return gain, divide(powers, n_samples[..., None, None])


def _ordinal_classification_index(
    counts: Counts, *, beta: float = 0.75, gamma: float = 1.0
) -> Values:
    gain, penalty = _gains_and_penalties(counts, gamma)
    # With a single class there is no distance to divide by, and no penalty.
    return _index_at(beta, gain, penalty / max(counts.shape[-1] - 1, 1) ** gamma)


def _uniform_ordinal_classification_index(counts: Counts, *, beta: float | None = None) -> Values:
    rows = counts.sum(axis=-1, keepdims=True, dtype=np.float64)
    gain, penalty = _gains_and_penalties(np.where(rows > 0, divide(counts, rows), 0), gamma=1)
    return _mean_index(gain, penalty) if beta is None else _index_at(beta, gain, penalty)


def _index_at(beta: float, gain: Values, penalty: Values) -> Values:
    cheapest = _cheapest_path(_stack_last(beta * penalty - gain))
    return clip_rounding(1 + cheapest.reshape(gain.shape[:-2]), 0, np.inf)


def _stack_last(matrices: Values) -> Values:
    """Return matrices of shape (..., K, K) as an array of shape (K, K, n)."""
    n_classes = matrices.shape[-1]
    return np.moveaxis(matrices.reshape(-1, n_classes, n_classes), 0, -1).copy()


def _mean_index(gain: Values, penalty: Values) -> Values:
    """Integrate the index over beta in [0, 1].

    The cost of each path is a line in beta, so the least cost is concave: within an
    interval it lies above the chord between the ends and below the lines of the paths that
    are cheapest there. Intervals are cut where the two lines meet, until the triangles
    between chords and lines are small enough in sum.
    """
    gains, penalties = _stack_last(gain), _stack_last(penalty)
    is_defined = ~np.isnan(gains).any(axis=(0, 1))
    matrix = np.flatnonzero(is_defined)
    ends = np.repeat([0.0, 1.0], len(matrix))
    lower, upper = np.split(_least_costs(gains, penalties, np.tile(matrix, 2), ends), 2, axis=-1)
    while True:
        width, rise, _ = upper - lower
        slope, slope_above = lower[2], upper[2]
        bend = divide(slope_above * width - rise, slope_above - slope)
        bend = np.clip(np.where(np.isnan(bend), 0, bend), 0, width)
        triangle = (slope * width - rise) * bend / 2
        # Half of each triangle is added, so the area is off by at most the other half.
        is_cut = triangle / 2 > _TOLERANCE / np.bincount(matrix)[matrix]
        if not is_cut.any():
            break
        of_cut = matrix[is_cut]
        middle = _least_costs(gains, penalties, of_cut, (lower[0] + bend)[is_cut])
        matrix = np.concatenate([matrix[~is_cut], of_cut, of_cut])
        lower, upper = (
            np.concatenate([lower[:, ~is_cut], lower[:, is_cut], middle], axis=-1),
            np.concatenate([upper[:, ~is_cut], middle, upper[:, is_cut]], axis=-1),
        )
    area = (lower[1] + upper[1]) / 2 * width + triangle / 2
    areas = np.where(is_defined, 0.0, np.nan)
    np.add.at(areas, matrix, area)
    index = clip_rounding(1 + areas, 0, np.inf)
    return index.reshape(gain.shape[:-2])


def _least_costs(
    gains: Values, penalties: Values, matrix: NDArray[np.intp], beta: Values
) -> Values:
    """Return beta, the cost of the cheapest path, and its slope in beta: shape (3, n)."""
    n_at_once = max(_MIN_PATHS_AT_ONCE, _CELLS_AT_ONCE // gains[..., 0].size)
    costs = np.empty(len(matrix), dtype=np.complex128)
    for chunk in slices(len(matrix), n_at_once):
        cost = penalties[..., matrix[chunk]] * (beta[chunk] + 1j)
        cost -= gains[..., matrix[chunk]]
        costs[chunk] = _cheapest_path(cost)
    return np.stack([beta, costs.real, costs.imag])


def _check_beta(beta: Any) -> None:
    if beta is not None and (not is_real(beta) or not 0 <= beta < np.inf):
        raise ValueError(f"beta must be a non-negative number, got {shown(beta)}.")


def _check_weights(beta: Any = 0.75, gamma: Any = 1.0) -> None:
    if beta is None:
        # Only the uniform index is integrated over beta.
        raise ValueError("beta must be a non-negative number, got None.")
    _check_beta(beta)
    if not is_real(gamma) or not 0.1 <= gamma <= 10:
        raise ValueError(f"gamma must be a number from 0.1 to 10, got {shown(gamma)}.")


@ordinal_metric(
    _ordinal_classification_index,
    greater_is_better=False,
    bounds=(0.0, 1.0),
    check=_check_weights,
    properties={"symmetric"},
    an_error_costs="its place off the best path, and its distance",
    prefer="if errors in one direction are less serious than scattered ones",
    exceptions={"an empty class at an end": "the number of classes is part of the definition"},
)
def ordinal_classification_index(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    beta: float = 0.75,
    gamma: float = 1.0,
) -> float:
    r"""Compute the Ordinal Classification Index (OCI).

    The minimum cost of a path from the first to the last cell of the confusion matrix. A
    path gains the proportion of the samples on it and pays for their distance from the
    diagonal [1]_, so a path through a matrix concentrated near its diagonal costs little.
    With :math:`C_{ij}` of :math:`N` samples of class :math:`i` predicted as :math:`j`,
    :math:`K` classes and :math:`D = (\sum_{ij} C_{ij} |i - j|^\gamma)^{1 / \gamma}`:

    .. math:: \mathrm{OCI} = \min_{\mathrm{path}} \Big(1
        - \frac{\sum_{\mathrm{path}} C_{ij}}{N + D}
        + \beta \frac{\sum_{\mathrm{path}} C_{ij} |i - j|^\gamma}
        {N (K - 1)^\gamma}\Big)

    Distance is in positions on the scale, and the number of its classes enters the
    formula: pass `labels` if a fold may lack a class.

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
    beta : float, default=0.75
        Non-negative weight of the distance from the diagonal. The default is the value that
        the authors use.
    gamma : float, default=1.0
        Power of the distance, from 0.1 to 10. The default is the value that the authors use.

    Returns
    -------
    float
        Index in [0, 1]. 0 is best.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, or `beta` or
        `gamma` is out of its range.

    See Also
    --------
    uniform_ordinal_classification_index : Each true class counts the same.

    References
    ----------
    .. [1] J. S. Cardoso, R. Sousa (2011), "Measuring the performance of ordinal
       classification", International Journal of Pattern Recognition and Artificial
       Intelligence 25(8), :doi:`10.1142/S0218001411009093`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import ordinal_classification_index
    >>> ordinal_classification_index([0, 1, 2, 2], [0, 2, 2, 1])
    0.59375
    """
    _check_weights(beta, gamma)
    statistic = partial(_ordinal_classification_index, beta=beta, gamma=gamma)
    return LABELS.evaluate(statistic, y_true, y_pred, labels, sample_weight)


@ordinal_metric(
    _uniform_ordinal_classification_index,
    greater_is_better=False,
    bounds=(0.0, 1.0),
    check=_check_beta,
    properties={"imbalance", "prevalence invariant"},
    an_error_costs="as for the ordinal classification index, as a share of the true class",
    prefer="as the ordinal classification index, if all classes matter equally",
    interval_method="percentile",
)
def uniform_ordinal_classification_index(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    beta: float | None = None,
) -> float:
    r"""Compute the Uniform Ordinal Classification Index (UOCI).

    Like `ordinal_classification_index`, with three differences. Rows are normalised to
    proportions of each true class, so that all classes in `y_true` count equally. The
    penalty does not depend on the number of classes. The index is averaged over
    :math:`\beta` in [0, 1] [1]_.

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
    beta : float, default=None
        Non-negative weight of the distance from the diagonal. If None, the index is
        integrated over [0, 1], as in the publication, with an error below 1e-9.

    Returns
    -------
    float
        Index in [0, 1]. 0 is best; the integrated index is below 1.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, or `beta` is
        negative.

    See Also
    --------
    ordinal_classification_index : Each sample counts the same.

    References
    ----------
    .. [1] W. Silva, J. R. Pinto, J. S. Cardoso (2018), "A uniform performance index for
       ordinal classification with imbalanced classes", IJCNN 2018,
       :doi:`10.1109/IJCNN.2018.8489327`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import uniform_ordinal_classification_index
    >>> uniform_ordinal_classification_index([0, 1, 2, 2], [0, 2, 2, 1])
    0.5925...
    """
    _check_beta(beta)
    statistic = partial(_uniform_ordinal_classification_index, beta=beta)
    return LABELS.evaluate(statistic, y_true, y_pred, labels, sample_weight)
