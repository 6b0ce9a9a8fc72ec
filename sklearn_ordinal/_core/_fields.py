"""Checks of the fields of results, which users may construct or read from files."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
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


def check_tuple(name: str, values: Any, kind: type, *, or_none: bool = False) -> None:
    """Raise unless a field is a tuple of items of a type, or None."""
    check_instance(name, values, tuple)
    for position, value in enumerate(values):
        check_instance(f"{name}[{position}]", value, kind, or_none=or_none)


def check_distinct_names(name: str, values: Any) -> None:
    """Raise unless a field is a tuple of distinct strings."""
    check_tuple(name, values, str)
    if len(set(values)) < len(values):
        raise ValueError(f"{name} must differ from each other, got {shown(values)}.")


def check_dict(
    name: str,
    values: Any,
    kind: type,
    *,
    keys: Iterable[str] | None = None,
    or_none: bool = False,
) -> None:
    """Raise unless a field is a mapping with strings as keys and values of type `kind`.

    If `keys` is given, the mapping must have exactly these keys.
    """
    check_instance(name, values, Mapping)
    if not all(isinstance(key, str) for key in values):
        raise ValueError(f"{name} must have strings as keys, got {shown(list(values))}.")
    if keys is not None and values.keys() != set(keys):
        raise ValueError(
            f"{name} must have the keys {shown(list(keys))}, got {shown(list(values))}."
        )
    for key, value in values.items():
        check_instance(f"{name}[{shown(key)}]", value, kind, or_none=or_none)


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


def check_amount(name: str, value: Any) -> None:
    """Raise unless a field is a finite number or weight of samples."""
    if not 0 <= check_value(name, value, may_be_nan=False) < math.inf:
        raise ValueError(f"{name} must be a non-negative number, got {shown(value)}.")


def check_array(
    name: str,
    values: Any,
    shape: tuple[int | None, ...],
    low: float = -math.inf,
    high: float = math.inf,
    *,
    kinds: str = "iuf",
    may_be_nan: bool = True,
) -> None:
    """Raise unless a field is an array of a shape, with numbers in a range up to rounding errors.

    If the size of an axis is None, it is not checked.
    """
    if not isinstance(values, np.ndarray) or values.dtype.kind not in kinds:
        finding = f"dtype {values.dtype}" if isinstance(values, np.ndarray) else shown(values)
        numbers = "integers" if kinds == "iu" else "numbers"
        raise ValueError(f"{name} must be an array of {numbers}, got {finding}.")
    if np.ma.is_masked(values):
        raise ValueError(f"{name} must not have masked values.")
    sizes = zip(values.shape, shape, strict=False)
    if values.ndim != len(shape) or any(expected not in (size, None) for size, expected in sizes):
        sizes_in_words = f"({', '.join('any' if size is None else str(size) for size in shape)})"
        raise ValueError(f"{name} must have shape {sizes_in_words}, got {values.shape}.")
    if not values.size:
        return
    # With NaN, a minimum is NaN, with a warning in some versions of NumPy.
    is_inside = (values >= low - _ROUNDING) & (values <= high + _ROUNDING)
    if not is_inside.all():
        outside = values[~is_inside]
        if may_be_nan:
            outside = outside[~np.isnan(outside)]
        if outside.size:
            raise ValueError(f"{name} must be in [{low:g}, {high:g}], got {outside[0]}.")
