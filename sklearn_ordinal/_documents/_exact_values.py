"""Values as JSON that is decoded without loss, with types and dtypes."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from sklearn_ordinal._documents._characters import cut, visible

# Bools, integers, floats and strings, which are also the types allowed in object arrays.
_KINDS = "biufU"
# Floats of extended precision would lose digits.
_MOST_BYTES_OF_A_FLOAT = 8
# The strings that `numpy.dtype.str` returns for these types, and "object".
_DTYPE = re.compile(r"object|\|b1|\|[iu]1|[<>][iu][248]|[<>]f[248]|[<>]U\d+")
_TYPES_OF_ITEMS: dict[str, tuple[type, ...]] = {
    "b": (bool,),
    "i": (int,),
    "u": (int,),
    "f": (float, int),
    "U": (str,),
    "O": (bool, int, float, str, type(None)),
}
_NOT_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
# In a NumPy array, each string takes as much memory as the longest one. A single long string among
# many short strings would make an array much larger than its file.
_MOST_PADDING = 64
# Results have far fewer levels, and Python's recursion limit allows this many.
_MOST_LEVELS = 100
_MOST_CHARACTERS = 300


def encoded(name: str, value: Any) -> Any:
    """Return a value as it is stored in JSON.

    Parameters
    ----------
    name : str
        Name of the value in errors.
    value : object
        None, a bool, number or string, a NumPy array or scalar, or a tuple, list or dict of these.

    Returns
    -------
    dict, list, str, int, float, bool or None
        The encoded value.

    Raises
    ------
    ValueError
        If the value cannot be written to JSON.
    """
    if isinstance(value, np.generic) and _is_exact(value.dtype):
        value = value.item()
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return value
    if kind is float:
        return value if math.isfinite(value) else {"float": str(value)}
    if kind in (list, tuple):
        items = [encoded(name, item) for item in value]
        return items if kind is list else {"tuple": items}
    if kind is dict and all(type(key) is str for key in value):
        return {"dict": {key: encoded(name, item) for key, item in value.items()}}
    if kind is np.ndarray:
        return _encoded_array(name, value)
    raise ValueError(
        f"{name} must consist of numbers and strings to be written to JSON, got "
        f"{on_one_line(repr(value))}: use strings in place of other values."
    )


def _encoded_array(name: str, array: np.ndarray[Any, Any]) -> dict[str, Any]:
    # Items of a dtype that is not exact are refused one by one.
    is_exact = _is_exact(array.dtype)
    items = array.ravel().tolist() if is_exact else list(array.ravel())
    if array.dtype.kind == "U":
        dtype = _string_dtype(items)
    else:
        dtype = array.dtype.str if is_exact else "object"
    return {"array": encoded(name, items), "dtype": dtype, "shape": list(array.shape)}


def _is_exact(dtype: np.dtype[Any]) -> bool:
    """Return whether Python's own types represent the values of a dtype exactly."""
    if dtype.kind == "f" and dtype.itemsize > _MOST_BYTES_OF_A_FLOAT:
        return False
    # The string does not identify a dtype that has fields or comes from another library.
    return dtype.kind in _KINDS and dtype == np.dtype(dtype.str)


def _string_dtype(items: list[str]) -> str:
    """Return the narrowest dtype, regardless of the width of the original array."""
    width = max(1, *map(len, items)) if items else 1
    most = _MOST_PADDING * (sum(map(len, items)) + len(items))
    return f"<U{width}" if width * len(items) <= most else "object"


def decoded(value: Any, n_levels: int = _MOST_LEVELS) -> Any:
    """Return the value that was encoded.

    Parameters
    ----------
    value : dict, list, str, int, float, bool or None
        The return value of `encoded`, or damaged content of a file.
    n_levels : int
        The deepest nesting that is accepted.

    Returns
    -------
    object
        The value.

    Raises
    ------
    ArithmeticError, AttributeError, LookupError, TypeError or ValueError
        If the content is damaged.
    """
    if not isinstance(value, (list, dict)):
        return _checked_numbers([value])[0]
    if not n_levels:
        raise ValueError(f"its values are nested in more than {_MOST_LEVELS} levels")
    n_levels -= 1
    if isinstance(value, list):
        return _decoded_items(value, n_levels)
    match len(value), value:
        case 1, {"dict": dict(items)}:
            return {key: decoded(item, n_levels) for key, item in items.items()}
        case 1, {"tuple": list(items)}:
            return tuple(_decoded_items(items, n_levels))
        case 1, {"float": str(name)} if name in _NOT_FINITE:
            return _NOT_FINITE[name]
        case 3, {"array": list(items), "dtype": str(dtype), "shape": list(shape)}:
            return _decoded_array(_decoded_items(items, n_levels), dtype, shape)
    raise ValueError(f"no value is written with the keys {on_one_line(list(value))}")


def _decoded_items(items: list[Any], n_levels: int) -> list[Any]:
    if {list, dict}.isdisjoint(map(type, items)):
        return _checked_numbers(items)
    return [decoded(item, n_levels) for item in items]


def _checked_numbers(items: list[Any]) -> list[Any]:
    """Return the items of JSON; a number with a large exponent is read as infinite."""
    if not all(map(math.isfinite, [item for item in items if type(item) is float])):
        raise ValueError("a number is too large for a float")
    return items


def _decoded_array(items: list[Any], dtype: str, shape: list[int]) -> np.ndarray[Any, Any]:
    """Return an array of items whose types, number and size are checked before it is made."""
    if not _DTYPE.fullmatch(dtype):
        raise ValueError(f"no array is written with dtype {on_one_line(dtype)}")
    kind = "O" if dtype == "object" else dtype[1]
    types = _TYPES_OF_ITEMS[kind]
    if not set(map(type, items)) <= set(types):
        raise ValueError(f"an array of dtype {dtype} has items of another type")
    if not all(type(size) is int and size >= 0 for size in shape) or math.prod(shape) != len(items):
        raise ValueError(f"an array of {len(items)} items has shape {on_one_line(shape)}")
    if kind == "U":
        dtype = _string_dtype(items)
    if kind in "iu" and items:
        # NumPy 1 does not raise an error for all of these.
        limits = np.iinfo(dtype)
        if min(items) < limits.min or max(items) > limits.max:
            raise ValueError(f"an array of dtype {dtype} has items that are too large")
    with np.errstate(over="raise"):
        return np.array(items, dtype=dtype).reshape(shape)


def on_one_line(value: object) -> str:
    """Return text from a file, or an error about a file, in a form that is safe to print."""
    return cut(visible(" ".join(str(value).split())), _MOST_CHARACTERS)
