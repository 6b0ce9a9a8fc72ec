"""The files that `to_json` writes: results as JSON, read back without loss."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from sklearn_ordinal._documents._atomic_writing import FilePath, as_path, write_text
from sklearn_ordinal._documents._characters import cut, visible
from sklearn_ordinal._documents._json import json_text
from sklearn_ordinal._version import __version__

Result = TypeVar("Result")
KnownTypes = tuple[type, ...]

# The name of the format, and the version of its schema.
_FORMAT = "sklearn_ordinal"
_SCHEMA_VERSION = 1
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


def dump(result: object, path: FilePath, *, known_types: KnownTypes) -> None:
    """Write a result, which is a frozen dataclass, to a JSON file that `load` reads.

    Parameters
    ----------
    result : object
        The result.
    path : str or path-like
        The file. An existing file is replaced only once the new one is complete.
    known_types : tuple of type
        The dataclasses that the result may contain.

    Raises
    ------
    ValueError
        If the result contains values that cannot be written to JSON.
    """
    content = {
        "format": _FORMAT,
        "schema_version": _SCHEMA_VERSION,
        "package_version": __version__,
        "result": encoded(result, known_types),
    }
    write_text(path, json_text(content))


def load(path: FilePath, expected_type: type[Result], known_types: KnownTypes) -> Result:
    """Read a result that `dump` has written.

    Parameters
    ----------
    path : str or path-like
        The file.
    expected_type : type
        The dataclass of the result.
    known_types : tuple of type
        The dataclasses that the result may contain.

    Returns
    -------
    object
        An instance of `expected_type`.

    Raises
    ------
    ValueError
        If the file is not JSON of this format, was written by a newer version, is damaged,
        or contains a result of another type.
    OSError
        If the file cannot be read.

    Notes
    -----
    Values and their types are checked before arrays are made, so that a damaged file takes no
    more memory than a complete one of the same size. The results check their own fields.
    """
    path = as_path(path)
    content = _read(path)
    name, types_by_name = content["result"]["type"], {kind.__name__: kind for kind in known_types}
    if name not in types_by_name:
        raise ValueError(
            f"{path} holds a result of a type that this version of sklearn_ordinal does not have, "
            f"{_on_one_line(name)}: pass a file written by to_json, or update sklearn_ordinal."
        )
    if name != expected_type.__name__:
        article = "an" if name[:1] in "AEIOU" else "a"
        raise ValueError(f"{path} holds {article} {name}: read it with {name}.from_json.")
    try:
        result = _decoded(content["result"], types_by_name)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise ValueError(
            f"{path} is not a complete {name}, write it again with to_json: {_on_one_line(error)}"
        ) from error
    if not isinstance(result, expected_type):
        raise ValueError(
            f"{path} holds a {name} that is not a result of sklearn_ordinal: pass a file written "
            f"by to_json."
        )
    return result


def encoded(value: Any, known_types: KnownTypes | None = None) -> Any:
    """Return a value as it is stored in JSON, which is also the basis of comparisons.

    Unlike the values themselves, two encoded NaN are equal, and encoded values of different types
    are different.

    Parameters
    ----------
    value : object
        None, a bool, number or string, a NumPy array or scalar, or a tuple, list, dict or
        dataclass of these.
    known_types : tuple of type, default=None
        The dataclasses that `value` may contain. If None, `value` may contain any dataclass, and
        fields that are not compared are left out.

    Returns
    -------
    dict, list, str, int, float, bool or None
        The encoded value.

    Raises
    ------
    ValueError
        If the value cannot be written to JSON.
    """
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return value
    if kind is float:
        return value if math.isfinite(value) else {"float": str(value)}
    if kind in (list, tuple):
        items = [encoded(item, known_types) for item in value]
        return items if kind is list else {"tuple": items}
    if kind is dict and all(type(key) is str for key in value):
        return {"dict": {key: encoded(item, known_types) for key, item in value.items()}}
    if kind is np.ndarray:
        return _encoded_array(value)
    if isinstance(value, np.generic) and _is_exact(value.dtype):
        return {"scalar": encoded(value.item()), "dtype": value.dtype.str}
    if dataclasses.is_dataclass(kind) and (known_types is None or kind in known_types):
        stored = _stored_fields(value)
        if known_types is None:
            for field in dataclasses.fields(value):
                if not field.compare:
                    stored.pop(field.name, None)
        values = {name: encoded(item, known_types) for name, item in stored.items()}
        return {"type": kind.__name__, "fields": values}
    raise ValueError(_refusal(value))


def _refusal(value: Any) -> str:
    kind = type(value)
    if kind is dict:
        return "A dict cannot be written to JSON unless all keys are strings: use strings as keys."
    of_dtype = f" of dtype {value.dtype}" if isinstance(value, np.ndarray) else ""
    name = f"{kind.__module__}.{kind.__qualname__}{of_dtype}"
    return f"{name} cannot be written to JSON, got {value!r}: use numbers and strings."


def _stored_fields(value: Any) -> dict[str, Any]:
    if hasattr(value, "_to_json_fields"):
        fields: dict[str, Any] = value._to_json_fields()
        return fields
    names = [field.name for field in dataclasses.fields(value) if field.init]
    return {name: getattr(value, name) for name in names}


def _encoded_array(array: np.ndarray[Any, Any]) -> dict[str, Any]:
    items = array.ravel().tolist()
    if array.dtype.kind == "O":
        dtype = "object"
        plain = (bool, int, float, str, type(None))
        if not all(type(item) in plain or isinstance(item, np.generic) for item in items):
            raise ValueError(_refusal(array))
    elif array.dtype.kind == "U":
        dtype = _string_dtype(items)
    elif _is_exact(array.dtype):
        dtype = array.dtype.str
    else:
        raise ValueError(_refusal(array))
    return {"array": encoded(items), "dtype": dtype, "shape": list(array.shape)}


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


def _decoded(value: Any, known: dict[str, type], n_levels: int = _MOST_LEVELS) -> Any:
    if not isinstance(value, (list, dict)):
        return _checked_numbers([value])[0]
    if not n_levels:
        raise ValueError(f"its values are nested in more than {_MOST_LEVELS} levels")
    n_levels -= 1
    if isinstance(value, list):
        return _decoded_items(value, known, n_levels)
    match len(value), value:
        case 2, {"type": str(name), "fields": dict(fields)}:
            return _decoded_instance(
                name, {key: _decoded(item, known, n_levels) for key, item in fields.items()}, known
            )
        case 1, {"dict": dict(items)}:
            return {key: _decoded(item, known, n_levels) for key, item in items.items()}
        case 1, {"tuple": list(items)}:
            return tuple(_decoded_items(items, known, n_levels))
        case 1, {"float": str(name)} if name in _NOT_FINITE:
            return _NOT_FINITE[name]
        case 3, {"array": list(items), "dtype": str(dtype), "shape": list(shape)}:
            return _decoded_array(_decoded_items(items, known, n_levels), dtype, shape)
        case 2, {"scalar": item, "dtype": str(dtype)}:
            return _decoded_array([_decoded(item, known, n_levels)], dtype, [])[()]
    raise ValueError(f"no value is written with the keys {_on_one_line(list(value))}")


def _decoded_items(items: list[Any], known: dict[str, type], n_levels: int) -> list[Any]:
    if {list, dict}.isdisjoint(map(type, items)):
        return _checked_numbers(items)
    return [_decoded(item, known, n_levels) for item in items]


def _checked_numbers(items: list[Any]) -> list[Any]:
    """Return the items of JSON; a number with a large exponent is read as infinite."""
    if not all(map(math.isfinite, [item for item in items if type(item) is float])):
        raise ValueError("a number is too large for a float")
    return items


def _decoded_instance(name: str, values: dict[str, Any], known: dict[str, type]) -> Any:
    if name not in known:
        raise ValueError(
            f"no result is named {_on_one_line(name)} in this version of sklearn_ordinal"
        )
    kind: Any = known[name]
    if hasattr(kind, "_from_json_fields"):
        return kind._from_json_fields(values)
    return kind(**values)


def _decoded_array(items: list[Any], dtype: str, shape: list[int]) -> np.ndarray[Any, Any]:
    """Return an array of items whose types, number and size are checked before it is made."""
    if not _DTYPE.fullmatch(dtype):
        raise ValueError(f"no array is written with dtype {_on_one_line(dtype)}")
    kind = "O" if dtype == "object" else dtype[1]
    types = _TYPES_OF_ITEMS[kind]
    other_types = set(map(type, items)).difference(types)
    if not all(kind == "O" and issubclass(item_type, np.generic) for item_type in other_types):
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


def _read(path: FilePath) -> dict[str, Any]:
    """Return the content of a file written by this version or an older one."""
    try:
        text = Path(path).read_text(encoding="utf-8")
        content = json.loads(text, object_pairs_hook=_without_duplicates)
    except (ValueError, RecursionError) as error:
        raise ValueError(
            f"{path} was not written by sklearn_ordinal, because it is not JSON: pass a file "
            f"written by to_json: {_on_one_line(error)}"
        ) from error
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        raise ValueError(
            f"{path} was not written by sklearn_ordinal, because it does not name this format: "
            f"pass a file written by to_json."
        )
    version = content.get("schema_version")
    # A bool is an instance of int.
    if type(version) is int and version > _SCHEMA_VERSION:
        raise ValueError(
            f"{path} was written by a newer version of sklearn_ordinal, "
            f"{_on_one_line(content.get('package_version'))}: update sklearn_ordinal."
        )
    match len(content), content:
        case 4, {
            "package_version": str(),
            "result": {"type": str(), "fields": _},
        } if type(version) is int and version >= 1:
            return content
    raise ValueError(
        f"{path} was not written by sklearn_ordinal, because it has no valid version or result: "
        f"pass a file written by to_json."
    )


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        raise ValueError("an object has the same key twice")
    return content


def _on_one_line(value: object) -> str:
    """Return text from a file, or an error about a file, in a form that is safe to print."""
    return cut(visible(" ".join(str(value).split())), _MOST_CHARACTERS)
