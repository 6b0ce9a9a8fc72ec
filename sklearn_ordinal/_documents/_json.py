"""Results as JSON: numbers for any program, and what is needed to read a result back."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import IO, Any, TypeVar

from sklearn_ordinal._documents._atomic_writing import FilePath, as_path
from sklearn_ordinal._documents._characters import cut
from sklearn_ordinal._documents._exact_values import KnownTypes, decoded, on_one_line
from sklearn_ordinal._documents._views import Views
from sklearn_ordinal._version import __version__

Result = TypeVar("Result")

# The name of the format, and the version of the schemas in docs/schemas.
_FORMAT = "sklearn_ordinal"
_SCHEMA_VERSION = 2
_KEYS = {"format", "type", "schema_version", "package_version", "result", "fields"}
_KEYS_OF_VERSION_1 = {"format", "schema_version", "package_version", "result"}


# Longer paths are cut in messages.
_LONGEST_PATH = 200


def as_json(result: Views) -> str:
    """Return a result as JSON, which `load` reads back if the result has fields to be saved.

    Parameters
    ----------
    result : Views
        The result.

    Returns
    -------
    str
        The name of the format, the type of the result, the versions of the schema and of the
        package, and under "result" the dict of the result, whose undefined values are null. Under
        "fields", on one line, are the fields of a result that can be read back.
    """
    content = {
        "format": _FORMAT,
        "type": type(result).__name__,
        "schema_version": _SCHEMA_VERSION,
        "package_version": __version__,
        "result": result.to_dict(),
    }
    text = _json_text(content, indent=2)
    fields = result._saved_fields()
    if fields is None:
        return f"{text}\n"
    # Arrays with one number per line would make the text much longer.
    start = text.removesuffix("\n}")
    return f'{start},\n  "fields": {_json_text(fields)}\n}}\n'


def load(
    source: FilePath | IO[str], expected_type: type[Result], known_types: KnownTypes
) -> Result:
    """Read a result that `as_json` has written.

    Parameters
    ----------
    source : str, path-like or file object
        The file, or a file that is open for reading.
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
    file, text = _text_of(source)
    name, fields = _type_and_fields(file, text)
    types_by_name = {kind.__name__: kind for kind in known_types}
    if name not in types_by_name:
        raise ValueError(
            f"{file} holds a result that sklearn_ordinal {__version__} cannot read back, "
            f"{on_one_line(name)}: pass a file written by to_json, or update sklearn_ordinal."
        )
    if name != expected_type.__name__:
        article = "an" if name[:1] in "AEIOU" else "a"
        raise ValueError(f"{file} holds {article} {name}: read it with {name}.from_json.")
    try:
        result = decoded({"type": name, "fields": fields}, types_by_name)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise ValueError(
            f"{file} is not a complete {name}, write it again with to_json: {on_one_line(error)}"
        ) from error
    if not isinstance(result, expected_type):
        raise ValueError(
            f"{file} holds a {name} that is not a result of sklearn_ordinal: pass a file written "
            f"by to_json."
        )
    return result


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
    """Return the content of a file written by this version or an older one."""
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
    if type(version) is int and isinstance(content.get("package_version"), str):
        match version, content:
            case 2, {"type": str(name), "result": {}, "fields": fields} if set(content) == _KEYS:
                return name, fields
            case 2, {"type": str(name), "result": {}} if set(content) == _KEYS - {"fields"}:
                return name, None
            case 1, {"result": {"type": str(name), "fields": fields}} if (
                set(content) == _KEYS_OF_VERSION_1
            ):
                return name, fields
    raise ValueError(
        f"{file} was not written by sklearn_ordinal, because it has no valid version or result: "
        f"pass a file written by to_json."
    )


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
