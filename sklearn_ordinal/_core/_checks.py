"""Checks of options and of numbers: one vocabulary of errors."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

_SMALLEST_TOTAL_WEIGHT, _LARGEST_TOTAL_WEIGHT = 1e-60, 1e60
_SHAPES = {1: "one-dimensional", 2: "two-dimensional"}


def check_choice(name: str, value: Any, choices: Any) -> None:
    """Raise unless the value of an option is among those of its Literal type."""
    if not isinstance(value, str) or value not in get_args(choices):
        shown = " ".join(repr(value).split())[:60]
        raise ValueError(f"{name} must be one of {get_args(choices)}, got {shown}.")


def check_bool(name: str, value: Any) -> None:
    """Raise unless the value of an option is True or False."""
    if value is not True and value is not False and not isinstance(value, np.bool_):
        raise ValueError(f"{name} must be True or False, got {value!r}.")


def check_integer(name: str, value: Any, *, at_least: Literal[0, 1]) -> None:
    """Raise unless the value of an option is an integer that is large enough."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < at_least:
        kind = "positive" if at_least else "non-negative"
        raise ValueError(f"{name} must be a {kind} integer, got {value!r}.")


def check_sample_weight(sample_weight: ArrayLike, n_samples: int) -> NDArray[np.float64]:
    """Return one finite, non-negative weight for each sample, not all zero."""
    return check_weights("sample_weight", sample_weight, n_samples)


def check_weights(name: str, weights: ArrayLike, size: int) -> NDArray[np.float64]:
    """Return finite, non-negative floats that are not all zero."""
    try:
        weight = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold numbers: {error}.") from None
    if weight.shape != (size,):
        raise ValueError(f"{name} must have shape ({size},), got {weight.shape}.")
    if not np.isfinite(weight).all():
        raise ValueError(f"{name} must be finite, it has NaN or infinite weights.")
    if weight.min() < 0:
        raise ValueError(f"{name} must not be negative, its smallest is {weight.min()}.")
    if not weight.any():
        raise ValueError(f"{name} must not be all zero.")
    with np.errstate(over="ignore"):
        total = weight.sum()
    if not _SMALLEST_TOTAL_WEIGHT <= total <= _LARGEST_TOTAL_WEIGHT:
        raise ValueError(
            f"{name} must add up to a number from {_SMALLEST_TOTAL_WEIGHT} to "
            f"{_LARGEST_TOTAL_WEIGHT}, whose powers can be computed: rescale it."
        )
    return weight


def as_numbers(values: Any, name: str) -> NDArray[Any]:
    """Return an array of numbers that stand in the order of the scale."""
    if hasattr(values, "reindex"):
        raise ValueError(
            f"{name} must be a plain array in the order of the classes, got a "
            f"{type(values).__name__} with names of its own: "
            f"put it in order with reindex and pass to_numpy()."
        )
    try:
        array = np.asarray(values)
        array = array.astype(np.float64) if array.dtype.kind not in "biuf" else array
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold numbers: {error}.") from None
    return array


def check_floats(name: str, values: ArrayLike, *, ndim: int) -> NDArray[np.float64]:
    """Return floats of so many dimensions, none of them infinite; NaN may occur."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold numbers: {error}.") from None
    if array.ndim != ndim:
        raise ValueError(f"{name} must be {_SHAPES[ndim]}, got shape {array.shape}.")
    if np.isinf(array).any():
        raise ValueError(f"{name} must not be infinite; NaN stands for an undefined value.")
    return array


def check_share(name: str, value: float) -> float:
    """Return a number that is strictly between 0 and 1."""
    if not isinstance(value, Real) or not 0 < value < 1:
        raise ValueError(f"{name} must be a number between 0 and 1, got {value!r}.")
    return float(value)


def check_size(name: str, value: float) -> float:
    """Return a number of samples, which may be a mean over folds."""
    if not isinstance(value, Real) or not 0 < value < np.inf:
        raise ValueError(
            f"{name} must be a positive number, say the mean over the folds, got {value!r}."
        )
    return float(value)


def check_rope(rope: float) -> float:
    """Return half the width of a region of practical equivalence."""
    if not isinstance(rope, Real) or not 0 <= rope < np.inf:
        raise ValueError(
            f"rope must be a number that is not negative, in the unit of the scores, got {rope!r}."
        )
    return float(rope)
