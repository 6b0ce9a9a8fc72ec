"""The expected cost of predictions, and the predictions of least expected cost."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import arithmetic, checks, counting, tolerances
from sklearn_ordinal._core.arithmetic import Counts, Values
from sklearn_ordinal._core.catalogue import ordinal_metric
from sklearn_ordinal.metrics import _gradients

# The class with the lowest expected cost, from probabilities and the cost of each error
# --------------------------------------------------------------------------------------

# The tolerance of ties for the costs of two classes, whose expected absolute difference is at most
# their sum.
_NEAR = 1 + 4 * tolerances.TIED_COST


def without_rounding_errors(costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round off differences in the last digits of each row of costs: (..., n_true, n_predicted).

    Differences of costs are then either exactly 0 or more than rounding errors.
    """
    rows = costs.reshape(-1, costs.shape[-1])
    number = np.arange(len(rows))[:, None]
    order = np.argsort(rows, axis=-1)
    ascending = rows[number, order]
    lower, higher = ascending[:, :-1], ascending[:, 1:]
    is_new = higher - lower > tolerances.SAME_COST * np.maximum(np.abs(higher), np.abs(lower))
    first = np.zeros(rows.shape, dtype=np.intp)
    first[:, 1:] = np.where(is_new, np.arange(1, rows.shape[1]), 0)
    first = np.maximum.accumulate(first, axis=-1)
    merged = np.empty_like(rows)
    merged[number, order] = ascending[number, first]
    return merged.reshape(costs.shape)


def least_cost_decisions(
    y_proba: NDArray[np.float64],
    costs: NDArray[np.float64],
    is_candidate: NDArray[np.bool_],
) -> NDArray[np.intp]:
    """Return the first class with the lowest expected cost for each sample: (n_costs, n_samples).

    Two classes are compared only by the differences of their costs. A class costs more than
    another if the expected difference exceeds rounding errors, which are relative to the
    expected absolute difference. A cost that both classes share, or that cannot be incurred
    since its true class has probability 0, does not matter, however large it is. The first class
    that does not cost more than any other is predicted.

    Parameters
    ----------
    y_proba : ndarray of shape (n_samples, n_true)
        Probabilities of the true classes. Negative rounding errors count as 0.
    costs : ndarray of shape (n_costs, n_true, n_predicted)
        Finite costs, as returned by `without_rounding_errors`: rows true, columns
        predicted. Each matrix is applied to all samples.
    is_candidate : ndarray of shape (n_costs, n_predicted)
        Whether a class may be predicted.
    """
    never = np.where(is_candidate, 0, np.inf)[..., None]
    are_candidates = is_candidate.all()
    by_predicted = np.swapaxes(costs, 1, 2)
    least = (by_predicted + never).min(axis=1, keepdims=True)
    # Sums of non-negative terms have small relative errors. If there are no candidates, as in a
    # resample without samples, the decision does not matter.
    regrets = by_predicted - np.where(np.isinf(least), 0, least)
    decided = np.empty((len(costs), len(y_proba)), dtype=np.intp)
    for rows in arithmetic.slices(len(y_proba), arithmetic.ROWS_IN_CACHE):
        proba = y_proba[rows]
        if proba.min() < 0:
            proba = np.maximum(proba, 0)
        expected = regrets @ proba.T
        if not are_candidates:
            expected += never
        is_near = expected <= _NEAR * expected.min(axis=1, keepdims=True)
        decided[:, rows] = is_near.argmax(axis=1)
        if np.count_nonzero(is_near) > len(costs) * len(proba):
            n_near = np.count_nonzero(is_near, axis=1)
            for matrix in np.flatnonzero((n_near > 1).any(axis=1)):
                several = np.flatnonzero(n_near[matrix] > 1)
                decided[matrix, rows.start + several] = _first_least_cost(
                    proba[several], costs[matrix], is_near[matrix, :, several]
                )
    return decided


def _first_least_cost(
    proba: NDArray[np.float64], costs: NDArray[np.float64], is_near: NDArray[np.bool_]
) -> NDArray[np.intp]:
    """Return the first near class that costs no more than any other near class, for each sample."""
    decided = np.full(len(proba), -1)
    for candidate in np.flatnonzero(is_near.any(axis=0)):
        rows = np.flatnonzero(is_near[:, candidate] & (decided < 0))
        excess = costs[:, [candidate]] - costs
        costs_more = proba[rows] @ excess > tolerances.TIED_COST * (proba[rows] @ np.abs(excess))
        is_best = ~(costs_more & is_near[rows]).any(axis=1)
        decided[rows[is_best]] = candidate
    return decided


# The expected cost of predictions, from a cost for each error
# ------------------------------------------------------------


def _expected_cost(counts: Counts, *, cost_matrix: ArrayLike) -> Values:
    costs = check_cost_matrix(cost_matrix, counts.shape[-1])
    # Divide by a power of two, which is exact, since sums of very large costs may exceed the
    # largest float.
    _, exponent = np.frexp(costs.max(initial=0, where=np.isfinite(costs)))
    relative = np.ldexp(costs, -exponent)
    with np.errstate(invalid="ignore"):
        # An infinite cost counts only if its error occurs.
        lost = np.where(counts == 0, 0, counts * relative)
    mean: Values = np.ldexp(
        arithmetic.divide(arithmetic.total(lost), arithmetic.total(counts)), exponent
    )
    return mean


def _expected_cost_gradient(counts: Counts, *, cost_matrix: ArrayLike) -> Values:
    return _gradients.mean_gradient(counts, check_cost_matrix(cost_matrix, counts.shape[-1]))


def _costs(sizes: NDArray[np.float64], cost_matrix: ArrayLike) -> NDArray[np.float64]:
    return check_cost_matrix(cost_matrix, sizes.shape[-1])


def _bounds(_: int, cost_matrix: ArrayLike) -> tuple[float, float]:
    costs = np.asarray(cost_matrix, dtype=np.float64)
    return float(costs.min()), float(costs.max())


def check_cost_matrix(cost_matrix: ArrayLike, n_classes: int) -> NDArray[np.float64]:
    """Return the cost of each error on a scale with `n_classes` classes, rows true."""
    costs = checks.as_class_numbers("cost_matrix", cost_matrix).astype(np.float64)
    if costs.shape != (n_classes, n_classes):
        raise ValueError(
            f"cost_matrix must have shape ({n_classes}, {n_classes}), a row for each true class of "
            f"the scale and a column for each predicted class, got {costs.shape}: pass labels= if "
            f"there are more classes."
        )
    if (costs >= 0).all():
        return costs
    if np.isnan(costs).any():
        true, predicted = np.argwhere(np.isnan(costs))[0]
        raise ValueError(
            f"cost_matrix must not be NaN, got NaN for true class {true} predicted as "
            f"{predicted}, counted from 0."
        )
    true, predicted = np.argwhere(costs < 0)[0]
    raise ValueError(
        f"cost_matrix must not be negative, got {costs[true, predicted]} for true class {true} "
        f"predicted as {predicted}, counted from 0: add a constant to the row of a true class to "
        f"turn gains into costs."
    )


def _check_bound_matrix(cost_matrix: Any) -> None:
    n_rows = checks.as_class_numbers("cost_matrix", cost_matrix).shape[:1]
    check_cost_matrix(cost_matrix, max(2, *n_rows))


@ordinal_metric(
    _expected_cost,
    greater_is_better=False,
    bounds=_bounds,
    check=_check_bound_matrix,
    costs=_costs,
    gradient=_expected_cost_gradient,
    an_error_costs="its entry in the cost matrix",
    prefer="if the costs of errors are known",
)
def expected_cost_loss(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    cost_matrix: ArrayLike,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Compute the mean cost of the predictions, given the cost of each error.

    **The rows of** `cost_matrix` **are the true classes and its columns the predicted ones**, as
    in the confusion matrix of scikit-learn. Other packages, such as yardstick, use the opposite
    convention: transpose their matrices.

    To pass it as a metric to other functions, bind the costs with `functools.partial`,
    as in the example.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_pred : array-like of shape (n_samples,)
        Predicted classes. A missing prediction raises a ValueError; the unanswered
        samples of an `OrdinalConfusion` are left out.
    cost_matrix : array-like of shape (n_classes, n_classes)
        Cost of each prediction, **rows true, columns predicted**, in the order of the
        classes. Costs are non-negative; correct predictions, on the diagonal, usually cost 0
        [1]_.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.

    Returns
    -------
    float
        Mean cost, between the smallest and the largest cost in the matrix. Lower is better.

    Raises
    ------
    ValueError
        If `cost_matrix` does not have a row and a column for each class, contains negative
        values or NaN, strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    closeness_costs : Costs of errors according to CEM_ORD, in bits.
    sklearn_ordinal.decisions.OptimalDecisionClassifier : Minimise the expected cost.

    References
    ----------
    .. [1] C. Elkan (2001), "The foundations of cost-sensitive learning", IJCAI 2001,
       973-978.

    Examples
    --------
    Predicting too low costs five times as much as predicting too high:

    >>> from functools import partial
    >>> from sklearn_ordinal import OrdinalConfusion, get_metric
    >>> from sklearn_ordinal.metrics import expected_cost_loss
    >>> costs = [[0, 1, 2], [5, 0, 1], [10, 5, 0]]
    >>> expected_cost_loss([0, 1, 2, 2], [0, 2, 2, 1], cost_matrix=costs)
    1.5
    >>> metric = get_metric(partial(expected_cost_loss, cost_matrix=costs))
    >>> metric(OrdinalConfusion.from_predictions([0, 1, 2, 2], [0, 2, 2, 1]))
    1.5
    """
    statistic = partial(_expected_cost, cost_matrix=cost_matrix)
    return counting.evaluate(statistic, y_true, y_pred, labels, sample_weight)
