"""Checks of the fields of results, which users may construct or read from files."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

import numpy as np

from sklearn_ordinal._core._checks import is_real, shown, with_article

# Tolerance for numbers that rounding takes out of their range.
_ROUNDING = 1e-9


def have_equal_fields(first: Any, second: Any) -> bool:
    """Return whether the public fields of two dataclasses are equal, arrays by their values."""
    pairs = [
        (getattr(first, field.name), getattr(second, field.name))
        for field in fields(first)
        if not field.name.startswith("_")
    ]
    return all(
        np.array_equal(one, other)
        if isinstance(one, np.ndarray) or isinstance(other, np.ndarray)
        else one == other
        for one, other in pairs
    )


def check_instance(name: str, value: Any, kind: type, *, or_none: bool = False) -> None:
    """Raise unless a field is of a type, or None."""
    if not isinstance(value, kind) and not (or_none and value is None):
        type_name = with_article(kind.__name__)
        raise ValueError(
            f"{name} must be {type_name}{' or None' if or_none else ''}, got {shown(value)}."
        )


def check_value(
    name: str,
    value: Any,
    low: float = -math.inf,
    high: float = math.inf,
    *,
    may_be_nan: bool = True,
) -> float:
    """Return a number in a range, up to rounding, as a float."""
    if not is_real(value):
        raise ValueError(f"{name} must be a number, got {shown(value)}.")
    number = float(value)
    is_inside = low - _ROUNDING <= number <= high + _ROUNDING
    if not is_inside and not (may_be_nan and math.isnan(number)):
        raise ValueError(f"{name} must be in [{low:g}, {high:g}], got {number:g}.")
    return number
