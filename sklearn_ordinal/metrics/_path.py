"""Path indices: the best monotone path through the confusion matrix."""

from __future__ import annotations

from functools import partial
from numbers import Real
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    Counts,
    Values,
    clip_rounding,
    distance,
    divide,
    evaluate,
    ordinal_metric,
    total,
)

Costs: TypeAlias = NDArray[Any]

_TOLERANCE = 1e-9


def _cheapest_path(cost: Costs) -> Costs:
    """Return the least total cost of a path from the first cell to the last.

    Paths go down, right or diagonally. Cells on one antidiagonal do not depend on each
    other, so each antidiagonal of the whole stack is one step. Complex costs compare by
    their real part, so that an imaginary part is carried along the cheapest path.
    """
    n_classes = cost.shape[-1]
    # The stack comes last, so that each cell of all matrices is one run in memory.
    cells = np.moveaxis(cost.reshape(-1, n_classes, n_classes), 0, -1).copy()
    # The last two antidiagonals by row, below a row off the matrix, where there is no path.
    off = np.full((n_classes + 1, cells.shape[-1]), np.inf, dtype=cost.dtype)
    before, last = off, off.copy()
    last[1] = cells[0, 0]
    for step in range(1, 2 * n_classes - 1):
        first, end = max(0, step - n_classes + 1), min(step, n_classes - 1) + 1
        row = np.arange(first, end)
        best = np.minimum(last[first:end], last[first + 1 : end + 1])
        best = np.minimum(best, before[first:end]) + cells[row, step - row]
        before, last = last, off.copy()
        last[first + 1 : end + 1] = best
    cheapest: Costs = last[-1].reshape(cost.shape[:-2])
    return cheapest


def _gains_and_penalties(counts: Counts, gamma: float) -> tuple[Values, Values]:
    """Return what a cell on the path gains, and what it costs for its distance."""
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
    # With one class there is no distance to divide by, and no penalty.
    penalty = penalty / max(counts.shape[-1] - 1, 1) ** gamma
    return clip_rounding(1 + _cheapest_path(beta * penalty - gain), 0, np.inf)


def _uniform_ordinal_classification_index(counts: Counts, *, beta: float | None = None) -> Values:
    rows = counts.sum(axis=-1, keepdims=True, dtype=np.float64)
    gain, penalty = _gains_and_penalties(np.where(rows > 0, divide(counts, rows), 0), gamma=1)
    if beta is not None:
        return clip_rounding(1 + _cheapest_path(beta * penalty - gain), 0, np.inf)
    shape = gain.shape[:-2]
    n_classes = counts.shape[-1]
    areas = _area_under_cheapest_path(
        gain.reshape(-1, n_classes, n_classes), penalty.reshape(-1, n_classes, n_classes)
    )
    return clip_rounding(1 + areas.reshape(shape), 0, np.inf)


def _area_under_cheapest_path(gain: Values, penalty: Values) -> Values:
    """Integrate the cost of the cheapest path over beta in [0, 1].

    The cost is the least of many lines in beta. Where the lines of both ends of an
    interval meet on the cost, the interval is done; else it is cut there.
    """

    def cost_at(matrix: NDArray[np.intp], beta: Values) -> tuple[Values, Values]:
        weighted = beta[:, None, None] * penalty[matrix] - gain[matrix]
        cheapest = _cheapest_path(weighted + 1j * penalty[matrix])
        return cheapest.real, cheapest.imag

    areas = np.zeros(len(gain))
    matrix = np.flatnonzero(~np.isnan(gain).any(axis=(-2, -1)))
    areas[np.isnan(gain).any(axis=(-2, -1))] = np.nan
    left, right = np.zeros(len(matrix)), np.ones(len(matrix))
    ends = [*cost_at(matrix, left), *cost_at(matrix, right)]
    while len(matrix):
        at_left, slope_left, at_right, slope_right = ends
        bend = divide(
            at_right - at_left + left * slope_left - right * slope_right, slope_left - slope_right
        )
        bend = np.clip(np.where(np.isnan(bend), right, bend), left, right)
        on_lines = at_left + (bend - left) * slope_left
        at_bend, slope_bend = cost_at(matrix, bend)
        # The cost is concave, so what is cut off is less than half of this gap.
        is_done = (on_lines - at_bend) * (right - left) <= _TOLERANCE
        area = (at_left + at_bend) / 2 * (bend - left) + (at_bend + at_right) / 2 * (right - bend)
        np.add.at(areas, matrix[is_done], area[is_done])
        cut = ~is_done
        halves = [
            (left, bend, [at_left, slope_left, at_bend, slope_bend]),
            (bend, right, [at_bend, slope_bend, at_right, slope_right]),
        ]
        left, right = (np.concatenate([half[k][cut] for half in halves]) for k in (0, 1))
        ends = [np.concatenate([half[2][k][cut] for half in halves]) for k in range(4)]
        matrix = np.concatenate([matrix[cut], matrix[cut]])
    return areas


@ordinal_metric(
    _ordinal_classification_index,
    greater_is_better=False,
    bounds=(0.0, 1.0),
    properties={"symmetric"},
    an_error_costs="its place off the best path, and its distance",
    prefer="if errors in one direction throughout are milder than scattered ones",
    exceptions={"an empty class at an end": "the definition has the number of classes in it"},
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

    The least cost of a path through the confusion matrix from its first cell to its last,
    which gains the share of the samples on it and pays for their distance from the
    diagonal [1]_: a matrix near to the diagonal lets a path collect all. With
    :math:`D = (\sum_{ij} C_{ij} |i - j|^\gamma)^{1 / \gamma}`:

    .. math:: \mathrm{OCI} = \min_{\mathrm{path}} \Big(1
        - \frac{\sum_{\mathrm{path}} C_{ij}}{N + D}
        + \beta \frac{\sum_{\mathrm{path}} C_{ij} |i - j|^\gamma}{N (K - 1)^\gamma}\Big)

    Distance is in positions on the scale, and the number of its classes enters the
    formula: pass `labels` if a fold may lack a class.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_pred : array-like of shape (n_samples,)
        Predicted classes. A missing one raises a ValueError; where an `OrdinalConfusion` counts
        them, they are left out.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.
    beta : float, default=0.75
        Weight of the distance from the diagonal, not negative. The authors' choice.
    gamma : float, default=1.0
        Power of the distance, from 0.1 to 10. The authors' choice.

    Returns
    -------
    float
        Index in [0, 1], without unit. 0 is best.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, or `beta` or
        `gamma` is out of its range.

    See Also
    --------
    uniform_ordinal_classification_index : The same for classes of unequal size.

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
    _check_beta(beta)
    if not isinstance(gamma, Real) or not 0.1 <= gamma <= 10:
        raise ValueError(f"gamma must be a number from 0.1 to 10, got {gamma!r}.")
    statistic = partial(_ordinal_classification_index, beta=beta, gamma=gamma)
    return evaluate(statistic, y_true, y_pred, labels, sample_weight)


@ordinal_metric(
    _uniform_ordinal_classification_index,
    greater_is_better=False,
    bounds=(0.0, 1.0),
    properties={"imbalance"},
    an_error_costs="as the index, as a share of its class",
    prefer="as the index, if classes matter alike",
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

    As `ordinal_classification_index` on the shares of each true class, so that all
    classes that occur in `y_true` weigh the same, with a penalty that does not depend on
    the number of classes; the mean over :math:`\beta` in [0, 1] [1]_.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_pred : array-like of shape (n_samples,)
        Predicted classes. A missing one raises a ValueError; where an `OrdinalConfusion` counts
        them, they are left out.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.
    beta : float, default=None
        Weight of the distance from the diagonal, not negative. If None, the index is
        integrated over [0, 1], as its authors publish it, to nine digits or more.

    Returns
    -------
    float
        Index in [0, 1], without unit. 0 is best; integrated, it is below 1.

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
    if beta is not None:
        _check_beta(beta)
    statistic = partial(_uniform_ordinal_classification_index, beta=beta)
    return evaluate(statistic, y_true, y_pred, labels, sample_weight)


def _check_beta(beta: float) -> None:
    if not isinstance(beta, Real) or not 0 <= beta < np.inf:
        raise ValueError(f"beta must be a number that is not negative, got {beta!r}.")
