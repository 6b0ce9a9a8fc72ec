"""The expected cost of predictions, from a cost for each error."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    LABELS,
    Counts,
    Values,
    as_class_numbers,
    divide,
    ordinal_metric,
    total,
)
from sklearn_ordinal.metrics._gradients import mean_gradient


def _expected_cost(counts: Counts, *, cost_matrix: ArrayLike) -> Values:
    costs = check_cost_matrix(cost_matrix, counts.shape[-1])
    # Divide by a power of two, which is exact, since sums of very large costs may exceed the
    # largest float.
    _, exponent = np.frexp(costs.max(initial=0, where=np.isfinite(costs)))
    relative = np.ldexp(costs, -exponent)
    with np.errstate(invalid="ignore"):
        # An infinite cost counts only if its error occurs.
        lost = np.where(counts == 0, 0, counts * relative)
    mean: Values = np.ldexp(divide(total(lost), total(counts)), exponent)
    return mean


def _expected_cost_gradient(counts: Counts, *, cost_matrix: ArrayLike) -> Values:
    return mean_gradient(counts, check_cost_matrix(cost_matrix, counts.shape[-1]))


def _costs(sizes: NDArray[np.float64], cost_matrix: ArrayLike) -> NDArray[np.float64]:
    return check_cost_matrix(cost_matrix, sizes.shape[-1])


def _bounds(_: int, cost_matrix: ArrayLike) -> tuple[float, float]:
    costs = np.asarray(cost_matrix, dtype=np.float64)
    return float(costs.min()), float(costs.max())


def check_cost_matrix(cost_matrix: ArrayLike, n_classes: int) -> NDArray[np.float64]:
    """Return the cost of each error on a scale with `n_classes` classes, rows true."""
    costs = as_class_numbers("cost_matrix", cost_matrix).astype(np.float64)
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
    n_rows = as_class_numbers("cost_matrix", cost_matrix).shape[:1]
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
    return LABELS.evaluate(statistic, y_true, y_pred, labels, sample_weight)
