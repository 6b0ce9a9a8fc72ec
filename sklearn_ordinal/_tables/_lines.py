"""Find the broken line of a text file that polars could not read.

Polars is fast, but its errors do not name lines. It also accepts lines with too few fields, so the
caller calls `check_csv` if there may be such lines.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator

_CHUNK = 1 << 22
# The csv module takes a C long, which has 32 bits on Windows.
_LONGEST_FIELD = 2**31 - 1


def read_header(path: str, separator: str) -> tuple[str, ...]:
    """Return the names in the first line of a csv or tsv file, without spaces around them."""
    header = next(_csv_records(path, separator), None)
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


def check_csv(path: str, separator: str, n_fields: int) -> None:
    """Raise if a line of a csv or tsv file that is not blank has another number of fields."""
    for number, fields in _csv_records(path, separator):
        if any(fields) and len(fields) != n_fields:
            noun = "field" if len(fields) == 1 else "fields"
            raise ValueError(
                f"{path}, line {number}: has {len(fields)} {noun}, but the first line has "
                f"{n_fields}; a field with {separator!r} must be in double quotes."
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
                f'write it as "5"" screen".'
            )


def check_json(path: str) -> None:
    """Raise if a line of a JSON lines file is not an object."""
    for _ in _json_records(path):
        pass


def may_have_short_lines(path: str, separator: str, n_fields: int) -> bool:
    """Return whether lines of a csv file may have too few fields, given that none has too many.

    If there are no quotes, counting separators is enough and much faster than parsing.
    """
    n_separators, n_lines, chunk = 0, 0, b"\n"
    with open(path, "rb") as file:
        while following := file.read(_CHUNK):
            chunk = following
            if b'"' in chunk:
                return True
            n_separators += chunk.count(separator.encode())
            n_lines += chunk.count(b"\n")
    n_lines += not chunk.endswith(b"\n")
    return n_separators != n_lines * (n_fields - 1)


def _csv_records(
    path: str, separator: str, lines: list[str] | None = None
) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of the first line of each record, and its fields.

    The lines are also appended to the list `lines`.
    """
    source = _lines(path) if lines is None else _kept(_lines(path), lines)
    reader = csv.reader(source, delimiter=separator, strict=True)
    number = 1
    limit = csv.field_size_limit(_LONGEST_FIELD)
    try:
        for fields in reader:
            yield number, fields
            number = reader.line_num + 1
    except csv.Error as error:
        problem, way_out = str(error), "save the file as csv again"
        if "end of data" in problem:
            problem, way_out = "a double quote is not closed", "close or remove it"
        elif "new-line character" in problem:
            problem = "ends with a lone carriage return"
            way_out = "save the file with other line endings"
        raise ValueError(f"{path}, line {number}: {problem}: {way_out}.") from None
    finally:
        csv.field_size_limit(limit)


def _json_records(path: str) -> Iterator[tuple[int, dict[str, object]]]:
    for number, line in enumerate(_lines(path), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise ValueError(
                f"{path}, line {number}: is not JSON: {error.msg} at character {error.pos + 1}: "
                f"write one object per line."
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
