"""Find the broken line of a text file that polars could not read, and quotes that are text.

Polars is fast, but its errors do not name lines. It also accepts lines with too few fields, so the
caller calls `check_csv` if there may be such lines.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

_CHUNK = 1 << 22
_NEWLINE, _RETURN, _QUOTE = b'\n\r"'
# The csv module takes a C long, which has 32 bits on Windows.
_LONGEST_FIELD = 2**31 - 1


def read_header(path: str, separator: str, *, is_quoted: bool) -> tuple[str, ...]:
    """Return the names in the first line of a csv or tsv file, without spaces around them."""
    header = next(_records(path, separator, is_quoted), None)
    if header is None:
        raise ValueError(f"{path} is empty: it needs a line with the names of the columns.")
    number, names = header
    if not any(map(str.strip, names)):
        raise ValueError(
            f"{path}, line {number}: is blank: it must contain the names of the columns."
        )
    if any("\0" in name for name in names):
        raise ValueError(f"{path}, line {number}: has zero bytes: save the file as UTF-8.")
    return tuple(name.strip() for name in names)


def json_keys(path: str, n_lines: int) -> tuple[str, ...]:
    """Return the keys of the first objects in a JSON lines file."""
    keys: dict[str, None] = {}
    for number, record in _json_records(path):
        keys.update(dict.fromkeys(record))
        if number >= n_lines:
            break
    return tuple(keys)


def check_csv(path: str, separator: str, n_fields: int, *, is_quoted: bool) -> None:
    """Raise if a line of a csv or tsv file that is not blank has another number of fields."""
    for number, fields in _records(path, separator, is_quoted):
        if any(fields) and len(fields) != n_fields:
            noun = "field" if len(fields) == 1 else "fields"
            way_out = f"a field with {separator!r} must be in double quotes"
            if not is_quoted:
                way_out = f"with double quotes as text, no field can have {separator!r}"
            raise ValueError(
                f"{path}, line {number}: has {len(fields)} {noun}, but the first line has "
                f"{n_fields}; {way_out}."
            )


def check_quotes(path: str, separator: str) -> None:
    """Raise if a field contains a double quote but does not start with one; polars may fail."""
    lines: list[str] = []
    records = _csv_records(path, separator, lines)
    for number, fields in records:
        text = "".join(lines)
        lines.clear()
        # Quotes within a quoted field are doubled.
        if text.count('"') < sum(2 + 2 * field.count('"') for field in fields if '"' in field):
            raise ValueError(
                f"{path}, line {number}: a field has a double quote but does not start with one: "
                f'write it as "5"" screen", or use --quotes none.'
            )


def lines_with_text_quotes(path: str, separator: str) -> list[int] | None:
    """Return the lines of a csv or tsv file where double quotes may be text instead of quotes.

    Parameters
    ----------
    path : str
        The file.
    separator : str
        The separator of fields.

    Returns
    -------
    list of int or None
        None if the file has to be read as quoted: it has no double quotes, or they enclose whole
        fields in each line, or a line that is not blank has another number of separators than the
        header, as lines with quoted line breaks have. Otherwise each line is a row if quotes are
        text, and the list has the numbers of the lines that would have other fields, or would be
        joined with the next line, if they were quotes.
    """
    with open(path, "rb") as file:
        if not any(b'"' in chunk for chunk in iter(lambda: file.read(_CHUNK), b"")):
            return None
        file.seek(0)
        header = file.readline()
        n_separators = header.count(separator.encode())
        file.seek(0)
        numbers: list[int] = []
        n_lines, n_suspicious, n_fields = 0, 0, n_separators + 1
        with _fields_of_any_length():
            while chunk := file.read(_CHUNK) + file.readline():
                ends, suspicious = _suspicious_lines(chunk, ord(separator), n_separators)
                if suspicious is None:
                    return None
                n_suspicious += len(suspicious)
                for k in suspicious.tolist():
                    line = chunk[ends[k - 1] + 1 if k else 0 : ends[k]]
                    number = n_lines + k + 1
                    try:
                        text = line.decode("utf-8-sig" if number == 1 else "utf-8")
                        (fields,) = csv.reader([text], delimiter=separator, strict=True)
                    except UnicodeDecodeError:
                        return None
                    except csv.Error:
                        fields = []
                    if number == 1 and fields:
                        n_fields = len(fields)
                    if len(fields) != n_fields:
                        numbers.append(number)
                n_lines += len(ends)
    is_split_alike = n_fields == n_separators + 1
    return numbers if numbers or (n_suspicious and is_split_alike) else None


def _suspicious_lines(
    chunk: bytes, separator: int, n_separators: int
) -> tuple[NDArray[np.intp], NDArray[np.intp] | None]:
    """Return the ends of the lines, and the lines with quotes other than those around fields.

    Fields are what stands between separators. The second value is None if a line that is not blank
    has another number of separators.
    """
    text = np.frombuffer(chunk if chunk.endswith(b"\n") else chunk + b"\n", np.uint8)
    stops = np.flatnonzero((text == separator) | (text == _NEWLINE))
    starts = np.append(0, stops[:-1] + 1)
    is_end = text[stops] == _NEWLINE
    ends = stops[is_end]
    lasts = stops - 1
    lasts -= is_end & (text[lasts] == _RETURN)
    is_regular = np.diff(np.flatnonzero(is_end), prepend=-1) == n_separators + 1
    is_blank = np.diff(np.append(-1, ends)) - 1 - (stops - 1 - lasts)[is_end] == 0
    if not (is_regular | is_blank).all():
        return ends, None
    is_enclosed = (text[starts] == _QUOTE) & (text[lasts] == _QUOTE) & (starts < lasts)
    n_enclosed = np.diff(np.cumsum(is_enclosed)[is_end], prepend=0)
    n_quotes = np.diff(np.searchsorted(np.flatnonzero(text == _QUOTE), ends), prepend=0)
    return ends, np.flatnonzero(n_quotes != 2 * n_enclosed)


def check_json(path: str, columns: Collection[str]) -> None:
    """Raise if a line of a JSON lines file is not an object, or has an integer above 64 bits.

    polars reads such integers as floats, so that different ids become equal.
    """
    for number, record in _json_records(path):
        for name in columns:
            value = record.get(name)
            if isinstance(value, int) and not -(2**63) <= value < 2**64:
                raise ValueError(
                    f"{path}, line {number}: {name!r} has {len(str(value))} digits, too many for "
                    f"an exact integer: write it in double quotes."
                )


def may_have_short_lines(path: str, separator: str, n_fields: int, *, is_quoted: bool) -> bool:
    """Return whether lines of a csv file may have too few fields, given that none has too many.

    If there are no quotes, counting separators is enough and much faster than parsing.
    """
    n_separators, n_lines, chunk = 0, 0, b"\n"
    with open(path, "rb") as file:
        while following := file.read(_CHUNK):
            chunk = following
            if is_quoted and b'"' in chunk:
                return True
            n_separators += chunk.count(separator.encode())
            n_lines += chunk.count(b"\n")
    n_lines += not chunk.endswith(b"\n")
    return n_separators != n_lines * (n_fields - 1)


def _records(path: str, separator: str, is_quoted: bool) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of the first line of each record, and its fields."""
    if is_quoted:
        yield from _csv_records(path, separator)
    else:
        for number, line in enumerate(_lines(path), start=1):
            yield number, line.rstrip("\r\n").split(separator)


def _csv_records(
    path: str, separator: str, lines: list[str] | None = None
) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of the first line of each record, and its fields.

    The lines are also appended to the list `lines`.
    """
    source = _lines(path) if lines is None else _kept(_lines(path), lines)
    reader = csv.reader(source, delimiter=separator, strict=True)
    number = 1
    try:
        with _fields_of_any_length():
            for fields in reader:
                yield number, fields
                number = reader.line_num + 1
    except csv.Error as error:
        problem, way_out = str(error), "save the file as csv again, or use --quotes none"
        if "end of data" in problem:
            problem = "a double quote is not closed"
            way_out = "close or remove it, or use --quotes none"
        elif "new-line character" in problem:
            problem = "ends with a lone carriage return"
            way_out = "save the file with other line endings"
        raise ValueError(f"{path}, line {number}: {problem}: {way_out}.") from None


@contextmanager
def _fields_of_any_length() -> Iterator[None]:
    limit = csv.field_size_limit(_LONGEST_FIELD)
    try:
        yield
    finally:
        csv.field_size_limit(limit)


def _json_records(path: str) -> Iterator[tuple[int, dict[str, object]]]:
    for number, line in enumerate(_lines(path), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line, parse_constant=_refuse)
        except json.JSONDecodeError as error:
            raise ValueError(
                f"{path}, line {number}: is not JSON: {error.msg} at character {error.pos + 1}: "
                f"write one object per line."
            ) from None
        except ValueError as error:
            raise ValueError(
                f"{path}, line {number}: cannot be read: {error}, or write text in quotes."
            ) from None
        except RecursionError:
            raise ValueError(
                f"{path}, line {number}: is nested too deeply: write one object per line."
            ) from None
        if not isinstance(record, dict):
            raise ValueError(
                f'{path}, line {number}: must be an object such as {{"id": 1, "grade": "low"}}.'
            )
        yield number, record


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON: write null instead")


def _kept(lines: Iterable[str], kept: list[str]) -> Iterator[str]:
    for line in lines:
        kept.append(line)
        yield line


def _lines(path: str) -> Iterator[str]:
    with open(path, "rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise ValueError(
                    f"{path}, line {number}: byte 0x{line[error.start]:02x} is not UTF-8: save "
                    f"the file as UTF-8."
                ) from None
