"""Weights of agreement between classes: named weights, and matrices that users pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import Property, Values, as_class_numbers, distance, shown

Weighting = Literal[
    "identity", "linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar"
]
Weights: TypeAlias = Weighting | ArrayLike


def _ratio(n_classes: int) -> Values:
    grade = np.arange(1.0, n_classes + 1)
    return (distance(n_classes) / (grade[:, None] + grade)) ** 2


def _circular(n_classes: int) -> Values:
    squared: Values = np.sin(np.pi * distance(n_classes) / n_classes) ** 2
    return squared


def _bipolar(n_classes: int) -> Values:
    from_lowest = np.arange(float(n_classes))
    sums = from_lowest[:, None] + from_lowest
    products = sums * (2 * (n_classes - 1) - sums)
    # Only two grades that are equal, both the lowest or both the highest, have the product 0.
    return distance(n_classes) ** 2 / np.where(products == 0, 1, products)


# The disagreements of the classes, as in Gwet (2014, chapter 3), up to a factor.
_DISAGREEMENTS: Mapping[Weighting, Callable[[int], Values]] = {
    "identity": lambda n_classes: (distance(n_classes) > 0).astype(np.float64),
    "linear": distance,
    "quadratic": lambda n_classes: distance(n_classes) ** 2,
    "ordinal": lambda n_classes: distance(n_classes) * (distance(n_classes) + 1) / 2,
    "radical": lambda n_classes: np.sqrt(distance(n_classes)),
    "ratio": _ratio,
    "circular": _circular,
    "bipolar": _bipolar,
}
ONE_CLASS = "y_true and y_pred contain a single class"


def disagreement_matrix(n_classes: int, weights: Weights) -> NDArray[np.float64]:
    """Return how far true (rows) and predicted classes (columns) disagree."""
    if isinstance(weights, str):
        # ArrayLike includes str, so mypy does not narrow it to a name.
        return _DISAGREEMENTS[weights](n_classes)  # type: ignore[index]
    return 1 - _check_matrix(weights, n_classes)


def _check_matrix(weights: ArrayLike, n_classes: int) -> NDArray[np.float64]:
    matrix = as_class_numbers("weights", weights).astype(np.float64)
    if matrix.shape != (n_classes, n_classes):
        raise ValueError(
            f"weights must have shape ({n_classes}, {n_classes}), a row and a column for each "
            f"class of the scale, got {matrix.shape}: pass labels= if there are more classes."
        )
    if not ((matrix >= 0) & (matrix <= 1)).all() or (matrix.diagonal() != 1).any():
        raise ValueError(
            "weights must be weights of agreement, from 0 to 1 and 1 on the diagonal: pass "
            "1 - weights / weights.max() if they are weights of disagreement."
        )
    if (matrix != matrix.T).any():
        i, j = np.argwhere(matrix != matrix.T)[0]
        raise ValueError(
            f"weights must be symmetric, got {matrix[i, j]} at [{i}, {j}] and {matrix[j, i]} at "
            f"[{j}, {i}]."
        )
    return matrix


def check_agreement_weights(weights: Any) -> None:
    """Raise unless weights are a name or may be a matrix; the statistic checks the matrix."""
    is_matrix = hasattr(weights, "__len__") and not isinstance(weights, (str, bytes))
    if not is_matrix and not (isinstance(weights, str) and weights in _DISAGREEMENTS):
        raise ValueError(
            f"weights must be one of {get_args(Weighting)} or a matrix, got {shown(weights)}."
        )


def check_bound_weights(weights: Any) -> None:
    """Raise unless weights are a name or a matrix for as many classes as it has rows."""
    check_agreement_weights(weights)
    if not isinstance(weights, str):
        n_classes = max((2, *as_class_numbers("weights", weights).shape[:1]))
        _check_matrix(weights, n_classes)


def why_undefined(weights: Weights) -> str:
    """Return the reason why no disagreement is expected by chance."""
    if isinstance(weights, str):
        return ONE_CLASS
    return f"{ONE_CLASS}, or only classes that agree fully according to the weights"


def agreement_bounds(_: int, weights: Weights = "quadratic") -> tuple[float, float]:
    # The named disagreements are squared Euclidean distances between points, such as the points of
    # a circle. For such distances, the observed disagreement is at most twice the disagreement
    # expected by chance.
    return -1.0 if isinstance(weights, str) else -np.inf, 1.0


def agreement_properties(weights: Weights = "quadratic") -> set[Property] | None:
    if not isinstance(weights, str):
        return None
    # Without distances, an inserted class changes nothing, and the errors expected by chance depend
    # on the sizes of the classes, not on their places on the scale.
    if weights == "identity":
        return {"invariant", "imbalance", "symmetric", "differentiable"}
    return {"symmetric", "differentiable"}
