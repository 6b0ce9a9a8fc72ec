"""Checks of what is passed to intervals and tests."""

from __future__ import annotations

from numbers import Real

import numpy as np
from numpy.typing import ArrayLike, NDArray

_SHAPES = {1: "one-dimensional", 2: "two-dimensional"}


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
