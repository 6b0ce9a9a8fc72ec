"""Results and evidence as JSON: numbers for any program, and the evidence to read back."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, TypeVar

from sklearn_ordinal._documents._atomic_writing import FilePath, as_path
from sklearn_ordinal._documents._characters import cut
from sklearn_ordinal._documents._exact_values import on_one_line
from sklearn_ordinal._version import __version__

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
        "package_version": __version__,
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
            f"{file} holds {on_one_line(name)} and not {type_name}: pass a file written by "
            f"{type_name}.to_json."
        )
    try:
        return read(fields)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise ValueError(
            f"{file} is not a complete {name}, write it again with to_json: {on_one_line(error)}"
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
    path = as_path(source)
    if path.lstrip().startswith("{") and not os.path.exists(path):
        raise ValueError(
            "path must be a path or an open file, got the text that to_json returns: pass "
            "io.StringIO(text)."
        )
    try:
        return path, Path(path).read_bytes()
    except OSError as error:
        raise OSError(error.errno, error.strerror, cut(path, _LONGEST_PATH)) from None


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
            f"written by to_json{f': {on_one_line(error)}' if begins_as_object else '.'}"
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
            f"{on_one_line(content.get('package_version'))}: update sklearn_ordinal."
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
