"""Values as JSON, for any program or to be read back without loss."""

from __future__ import annotations

import dataclasses
import json
import math
import numbers
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any, TypeVar

import numpy as np

from sklearn_ordinal import _version
from sklearn_ordinal._documents import formatting, writing
from sklearn_ordinal._documents.writing import FilePath

# Values as JSON that is decoded without loss, with types and dtypes
# ------------------------------------------------------------------

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
        f"{_on_one_line(repr(value))}: use strings in place of other values."
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
    raise ValueError(f"no value is written with the keys {_on_one_line(list(value))}")


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
        raise ValueError(f"no array is written with dtype {_on_one_line(dtype)}")
    kind = "O" if dtype == "object" else dtype[1]
    types = _TYPES_OF_ITEMS[kind]
    if not set(map(type, items)) <= set(types):
        raise ValueError(f"an array of dtype {dtype} has items of another type")
    if not all(type(size) is int and size >= 0 for size in shape) or math.prod(shape) != len(items):
        raise ValueError(f"an array of {len(items)} items has shape {_on_one_line(shape)}")
    if kind == "U":
        dtype = _string_dtype(items)
    if kind in "iu" and items:
        # NumPy 1 does not raise an error for all of these.
        limits = np.iinfo(dtype)
        if min(items) < limits.min or max(items) > limits.max:
            raise ValueError(f"an array of dtype {dtype} has items that are too large")
    with np.errstate(over="raise"):
        return np.array(items, dtype=dtype).reshape(shape)


def _on_one_line(value: object) -> str:
    """Return text from a file, or an error about a file, in a form that is safe to print."""
    return formatting.cut(formatting.visible(" ".join(str(value).split())), _MOST_CHARACTERS)


# Values as plain numbers, strings, lists and dicts, which any program can read
# -----------------------------------------------------------------------------


def plain(value: Any) -> Any:
    """Return a value as dicts, lists, strings, numbers, bools and None.

    Parameters
    ----------
    value : object
        NumPy scalars and arrays, tuples, sets, mappings and dataclasses are converted together with
        their items. Any other object becomes a string.

    Returns
    -------
    dict, list, str, int, float, bool or None
        The value. NaN and infinities become None, since JSON does not have them.
    """
    if isinstance(value, np.ndarray | np.generic):
        return _plain_numpy(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value) if field.init]
        return {name: plain(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    return _plain_scalar(value)


def _plain_numpy(value: np.ndarray[Any, Any] | np.generic) -> Any:
    # The integers behind dates and durations are meaningless without their unit.
    if value.dtype.kind in "mM":
        return value.astype(str).tolist()
    item = value.tolist()
    # Extended precision, for which Python has no type, stays a NumPy scalar.
    return _plain_scalar(item) if isinstance(item, np.generic) else plain(item)


def _plain_scalar(value: Any) -> str | int | float | bool | None:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, float | np.floating):
        number = float(value)
        return number if math.isfinite(number) else None
    return str(value)


# Results and evidence as JSON: numbers for any program, and the evidence to read back
# ------------------------------------------------------------------------------------

Loaded = TypeVar("Loaded")

# The name of the format, and the version of the schemas in docs/schemas.
_FORMAT = "sklearn_ordinal"
_SCHEMA_VERSION = 1

# Longer paths are cut in messages.
_LONGEST_PATH = 200


def as_json(type_name: str, *, fields: Any, **result: Any) -> str:
    """Return a result or evidence as JSON.

    Parameters
    ----------
    type_name : str
        The name of the class.
    fields : dict or None
        The encoded values that `load` reads; None for a result that is not read back.
    **result : dict
        For a result, `result`: the numbers for any program.

    Returns
    -------
    str
        The name of the format, the type, the versions of the schema and of the package, the
        result, and on one line the fields.
    """
    content = {
        "format": _FORMAT,
        "type": type_name,
        "schema_version": _SCHEMA_VERSION,
        "package_version": _version.__version__,
        **result,
    }
    text = _json_text(content, indent=2)
    if fields is None:
        return f"{text}\n"
    # Arrays with one number per line would make the text much longer.
    start = text.removesuffix("\n}")
    return f'{start},\n  "fields": {_json_text(fields)}\n}}\n'


def load(
    source: FilePath | IO[str], type_name: str, read: Callable[[dict[str, Any]], Loaded]
) -> Loaded:
    """Read what `as_json` has written.

    Parameters
    ----------
    source : str, path-like or file object
        The file, or a file that is open for reading.
    type_name : str
        The name of the class.
    read : callable
        Makes an instance of the class from the fields, which may be damaged.

    Returns
    -------
    object
        The instance.

    Raises
    ------
    ValueError
        If the file is not JSON of this format, was written by a newer version, is damaged,
        or contains something else.
    OSError
        If the file cannot be read.

    Notes
    -----
    Values and their types are checked before arrays are made, so that a damaged file takes no
    more memory than a complete one of the same size. The constructors of evidence check its fields.
    """
    file, text = _text_of(source)
    name, fields = _type_and_fields(file, text)
    if name != type_name:
        raise ValueError(
            f"{file} holds {_on_one_line(name)} and not {type_name}: pass a file written by "
            f"{type_name}.to_json."
        )
    try:
        return read(fields)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise ValueError(
            f"{file} is not a complete {name}, write it again with to_json: {_on_one_line(error)}"
        ) from error


def _text_of(source: FilePath | IO[str]) -> tuple[str, str | bytes]:
    """Return the name of a file in messages, and its content."""
    if hasattr(source, "read"):
        content: Any = source.read()
        if not isinstance(content, (str, bytes)):
            raise ValueError(
                f"path must be a file of text, but reading it returned "
                f"{type(content).__name__}: pass the path of a file written by to_json."
            )
        return "the file", content
    path = writing.as_path(source)
    if path.lstrip().startswith("{") and not os.path.exists(path):
        raise ValueError(
            "path must be a path or an open file, got the text that to_json returns: pass "
            "io.StringIO(text)."
        )
    try:
        return path, Path(path).read_bytes()
    except OSError as error:
        raise OSError(error.errno, error.strerror, formatting.cut(path, _LONGEST_PATH)) from None


def _type_and_fields(file: str, text: str | bytes) -> tuple[str, Any]:
    """Return the name of the class in a file, and its fields."""
    try:
        # Bytes may begin with a byte order mark, or be UTF-16, as programs of Windows write them.
        source = text.removeprefix("\ufeff") if isinstance(text, str) else text
        content = json.loads(source, object_pairs_hook=_without_duplicates)
    except (ValueError, RecursionError) as error:
        # Where JSON breaks off is of use only if the file begins as an object, after any mark.
        begins_as_object = "{" in str(text[:4])
        raise ValueError(
            f"{file} was not written by sklearn_ordinal, because it is not JSON: pass a file "
            f"written by to_json{f': {_on_one_line(error)}' if begins_as_object else '.'}"
        ) from error
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        raise ValueError(
            f"{file} was not written by sklearn_ordinal, because it does not name this format: "
            f"pass a file written by to_json."
        )
    version = content.get("schema_version")
    # A bool is an instance of int.
    if type(version) is int and version > _SCHEMA_VERSION:
        raise ValueError(
            f"{file} was written by a newer version of sklearn_ordinal, "
            f"{_on_one_line(content.get('package_version'))}: update sklearn_ordinal."
        )
    name = content.get("type")
    if type(version) is not int or version < 1 or not isinstance(name, str):
        raise ValueError(
            f"{file} was not written by sklearn_ordinal, because it has no valid version or type: "
            f"pass a file written by to_json."
        )
    return name, content.get("fields")


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        raise ValueError("an object has the same key twice")
    return content


def _json_text(content: dict[str, Any], *, indent: int | None = None) -> str:
    """Return JSON that can be written as UTF-8."""
    text = json.dumps(content, indent=indent, allow_nan=False, ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        # Lone surrogates cannot be encoded as UTF-8.
        text = json.dumps(content, indent=indent, allow_nan=False)
    return text
