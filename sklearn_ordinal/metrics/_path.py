"""Indices of the best monotone path through the confusion matrix."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import accumulate, pairwise
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
# With more cells at once, the costs do not fit into the cache.
_CELLS_AT_ONCE = 2**16


def _cheapest_path(antidiagonals: Iterable[Costs], n_classes: int) -> Costs:
    """Return the least total cost of a path from the first cell to the last: shape (n,).

    `antidiagonals` yields the costs of the cells on each antidiagonal, the first row first: shape
    (n_cells, n). The axis of the stack comes last, so the costs of a cell in all matrices are
    contiguous. Paths go down, right or diagonally. Cells on the same antidiagonal do not depend
    on each other, so each antidiagonal of the whole stack is a single step. Complex costs are
    compared by their real part; the imaginary part is added up along the cheapest path.
    """
    further = iter(antidiagonals)
    corner = next(further)
    # Three antidiagonals, indexed by row. The first row is outside the matrix; no path enters it.
    n_paths = corner.shape[-1]
    before, last, here = np.full((3, n_classes + 1, n_paths), np.inf, corner.dtype)
    last[1] = corner[0]
    for step, costs in enumerate(further, start=1):
        first = max(0, step - n_classes + 1)
        end = first + len(costs)
        best = here[first + 1 : end + 1]
        np.minimum(last[first:end], last[first + 1 : end + 1], out=best)
        np.minimum(best, before[first:end], out=best)
        best += costs
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
    # A single class has no distances to divide by, and no penalties.
    return _index_at(beta, gain, penalty / max(counts.shape[-1] - 1, 1) ** gamma)


def _uniform_ordinal_classification_index(counts: Counts, *, beta: float | None = None) -> Values:
    rows = counts.sum(axis=-1, keepdims=True, dtype=np.float64)
    gain, penalty = _gains_and_penalties(np.where(rows > 0, divide(counts, rows), 0), gamma=1)
    return _mean_index(gain, penalty) if beta is None else _index_at(beta, gain, penalty)


def _index_at(beta: float, gain: Values, penalty: Values) -> Values:
    n_classes = gain.shape[-1]
    costs = beta * penalty - gain
    # Move the axis of the stack to the end, so that the cells of a diagonal are on the first axis.
    upside_down = np.moveaxis(costs.reshape(-1, n_classes, n_classes), 0, -1)[::-1]
    antidiagonals = (
        upside_down.diagonal(offset).T[::-1] for offset in range(1 - n_classes, n_classes)
    )
    cheapest = _cheapest_path(antidiagonals, n_classes)
    return clip_rounding(1 + cheapest.reshape(gain.shape[:-2]), 0, np.inf)


def _mean_index(gain: Values, penalty: Values) -> Values:
    """Integrate the index over beta in [0, 1].

    The cost of each path is a line in beta, so the least cost is concave: within an
    interval it lies above the chord between the ends and below the lines of the paths that
    are cheapest there. Intervals are cut where the two lines meet, until the total area of
    the triangles between chords and lines is small enough.
    """
    least_costs = partial(
        _least_costs, gain.shape[-1], _by_antidiagonal(gain), _by_antidiagonal(penalty)
    )
    is_defined = ~np.isnan(gain).any(axis=(-2, -1)).ravel()
    matrix = np.flatnonzero(is_defined)
    ends = np.repeat([0.0, 1.0], len(matrix))
    lower, upper = np.split(least_costs(np.tile(matrix, 2), ends), 2, axis=-1)
    while True:
        width, rise, _ = upper - lower
        slope, slope_above = lower[2], upper[2]
        bend = divide(slope_above * width - rise, slope_above - slope)
        bend = np.clip(np.where(np.isnan(bend), 0, bend), 0, width)
        triangle = (slope * width - rise) * bend / 2
        # Half of each triangle is added to the area, so the error is at most half of the triangles.
        is_cut = triangle / 2 > _TOLERANCE / np.bincount(matrix)[matrix]
        if not is_cut.any():
            break
        of_cut = matrix[is_cut]
        middle = least_costs(of_cut, (lower[0] + bend)[is_cut])
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
    n_classes: int, gains: Values, penalties: Values, matrix: NDArray[np.intp], beta: Values
) -> Values:
    """Return beta, the cost of the cheapest path, and its slope in beta: shape (3, n)."""
    costs = np.empty(len(matrix), dtype=np.complex128)
    for chunk in slices(len(matrix), max(1, _CELLS_AT_ONCE // n_classes)):
        lines = _lines(n_classes, gains, penalties, matrix[chunk], beta[chunk])
        costs[chunk] = _cheapest_path(lines, n_classes)
    return np.stack([beta, costs.real, costs.imag])


def _by_antidiagonal(matrices: Values) -> Values:
    """Return matrices of shape (..., K, K) as an array of shape (K**2, n), the stack last.

    The cells of an antidiagonal follow each other, from its first row to its last.
    """
    n_classes = matrices.shape[-1]
    cells = np.arange(n_classes**2).reshape(n_classes, n_classes)[::-1]
    order = np.concatenate(
        [cells.diagonal(offset)[::-1] for offset in range(1 - n_classes, n_classes)]
    )
    by_antidiagonal: Values = matrices.reshape(-1, n_classes**2).T[order]
    return by_antidiagonal


def _lines(
    n_classes: int, gains: Values, penalties: Values, matrix: NDArray[np.intp], beta: Values
) -> Iterator[NDArray[np.complex128]]:
    """Yield the costs of each antidiagonal at beta; their slopes are the imaginary parts.

    The costs of several short antidiagonals are computed at once.
    """
    sizes = [*range(1, n_classes), *range(n_classes, 0, -1)]
    n_at_once = max(1, _CELLS_AT_ONCE // (len(beta) * n_classes))
    start = 0
    for part in slices(len(sizes), n_at_once):
        ends = list(accumulate(sizes[part]))
        gain, penalty = gains[start : start + ends[-1]], penalties[start : start + ends[-1]]
        if gain.shape[-1] > 1:
            gain, penalty = gain.take(matrix, axis=1), penalty.take(matrix, axis=1)
        lines = np.empty((len(gain), len(beta)), dtype=np.complex128)
        np.multiply(penalty, beta, out=lines.real)
        lines.real -= gain
        lines.imag = penalty
        for begin, end in pairwise([0, *ends]):
            yield lines[begin:end]
        start += len(lines)


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
    properties={"symmetric", "differentiable"},
    an_error_costs="its distance from the diagonal, and more off the best path",
    prefer="if errors in one direction are less serious than scattered errors",
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

    It is the lowest cost of a path from the first to the last cell of the confusion
    matrix. A path gains the proportion of the samples on it and pays for their distance
    from the diagonal [1]_, so a path through a matrix concentrated near its diagonal
    costs little. Let :math:`C_{ij}` of the :math:`N` samples belong to class :math:`i` and be
    predicted as :math:`j`. With :math:`K` classes and
    :math:`D = (\sum_{ij} C_{ij} |i - j|^\gamma)^{1 / \gamma}`:

    .. math:: \mathrm{OCI} = \min_{\mathrm{path}} \Big(1
        - \frac{\sum_{\mathrm{path}} C_{ij}}{N + D}
        + \beta \frac{\sum_{\mathrm{path}} C_{ij} |i - j|^\gamma}
        {N (K - 1)^\gamma}\Big)

    Distance is measured in positions on the scale, and the number of classes enters the
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
    uniform_ordinal_classification_index : All true classes count equally.

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
    properties={"imbalance", "prevalence invariant", "differentiable"},
    an_error_costs="as in the ordinal classification index, relative to the true class",
    prefer="instead of the ordinal classification index if all classes matter equally",
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
    ordinal_classification_index : All samples count equally.

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
