"""Read files lazily with polars: csv, tsv, parquet and JSON lines, chosen by the suffix.

Polars is fast, but its errors do not name lines. It also accepts lines with too few fields, so the
caller calls `_check_csv` if there may be such lines.

The values of csv, tsv and JSON lines are text, since a type that is inferred from the first rows
may turn out to be wrong in the last ones.

Ids are compared as text without spaces around it, so that 1 and 01 are different ids.
"""

from __future__ import annotations

import csv
import json
import math
import sys
import time
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import dataframes
from sklearn_ordinal._core.dataframes import EmptyTableError, TableColumn

if TYPE_CHECKING:
    from polars import DataFrame, Expr, LazyFrame


# Find the broken line of a text file that polars could not read, and quotes that are text
# ----------------------------------------------------------------------------------------

_CHUNK = 1 << 22
_NEWLINE, _RETURN, _QUOTE = b'\n\r"'
# The csv module takes a C long, which has 32 bits on Windows.
_LONGEST_FIELD = 2**31 - 1


def _read_header(path: str, separator: str, *, is_quoted: bool) -> tuple[str, ...]:
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


def _json_keys(path: str, n_lines: int) -> tuple[str, ...]:
    """Return the keys of the first objects in a JSON lines file."""
    keys: dict[str, None] = {}
    for number, record in _json_records(path):
        keys.update(dict.fromkeys(record))
        if number >= n_lines:
            break
    return tuple(keys)


def _check_csv(path: str, separator: str, n_fields: int, *, is_quoted: bool) -> None:
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


def _check_quotes(path: str, separator: str) -> None:
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


def _lines_with_text_quotes(path: str, separator: str) -> list[int] | None:
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


def _check_json(path: str, columns: Collection[str]) -> None:
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


def _may_have_short_lines(path: str, separator: str, n_fields: int, *, is_quoted: bool) -> bool:
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


# Read files lazily with polars: csv, tsv, parquet and JSON lines, chosen by the suffix
# -------------------------------------------------------------------------------------

_SEPARATORS = {".csv": ",", ".tsv": "\t"}
_MARKS = (",", ";", "\t", "|")
_JSON_LINES = (".jsonl", ".ndjson")
SUFFIXES = (*_SEPARATORS, ".parquet", *_JSON_LINES)

Quotes: TypeAlias = Literal["none", "standard"]
"""Whether double quotes in csv and tsv files are text, or enclose fields."""

_N_LINES_SHOWN = 3
_N_LINES_WITH_KEYS = 1000
_LARGE_NUMBER = r"^-?\d(\.\d+)?e\+?\d+$"
_UNUSED_SEPARATOR = "\x01"  # not allowed in JSON


class DataFile(ABC):
    """A file with columns, which polars reads lazily.

    The rows are inspected while polars reads them, because polars does not name the lines that it
    cannot read, and it accepts some broken lines. `reading` raises an error for the problems that
    the inspection finds.

    Parameters
    ----------
    path : str
        The file.
    """

    names: tuple[str, ...]

    def __init__(self, path: str) -> None:
        self.path = path
        self.n_rows = 0
        self.on_rows: Callable[[int], None] | None = None
        self._bad_weights: dict[str, Any] = {}
        self._total_weights: dict[str, float] = {}
        self._is_suspect = False
        self._lock = Lock()

    def select(self, columns: Mapping[str, str], weights: Collection[str] = ()) -> LazyFrame:
        """Return a lazy frame of columns under new names.

        Parameters
        ----------
        columns : mapping of str to str
            Columns of the file by their new names. Several names may refer to the same column.
        weights : collection of str
            The new names of columns of weights, which must be finite and non-negative, and not
            all zero.

        Returns
        -------
        polars.LazyFrame
            The columns. No rows are read yet.
        """
        pl = polars()
        for name in columns.values():
            self.check_column(name)
        weights = [name for name in columns if name in weights]
        batches = _through(
            self._scan(columns), lambda batch: self._look_at(batch, columns, weights)
        )
        selected = [_as_number(name) if name in weights else pl.col(name) for name in columns]
        return batches.select(selected)

    def _look_at(
        self, batch: DataFrame, columns: Mapping[str, str], weights: Collection[str]
    ) -> DataFrame:
        totals = {}
        for name in weights:
            weight = _as_number(name)
            is_good = (weight.is_finite() & (weight >= 0)).fill_null(False)
            bad = batch.filter(~is_good)
            if len(bad):
                self._bad_weights.setdefault(columns[name], bad[name][0])
            totals[columns[name]] = batch.select(weight.sum()).item()
        # Batches come from several threads. Hold the lock only here, not during the polars calls
        # above: while a polars thread waits for a result, it may start on another batch, and it
        # would deadlock if it held the lock.
        with self._lock:
            self.n_rows += len(batch)
            for column, total in totals.items():
                self._total_weights[column] = self._total_weights.get(column, 0.0) + total
            if self.on_rows is not None:
                self.on_rows(len(batch))
        return batch

    def check_rows(self) -> None:
        """Raise the errors that were found in the rows that were read."""
        for name, value in self._bad_weights.items():
            text = "an empty field" if value is None else repr(str(value))
            raise ValueError(
                f"{self.path}: column {name!r} must hold finite, non-negative numbers, got {text}."
            )
        for name, total in self._total_weights.items():
            if not 0 < total < math.inf and self.n_rows:
                problem = "zeros only" if total == 0 else "an infinite sum"
                raise ValueError(f"{self.path}: column {name!r} must hold weights, got {problem}.")

    def check_not_empty(self) -> None:
        """Raise if no rows were read."""
        if not self.n_rows:
            raise ValueError(f"{self.path} has no rows: it must have at least one.")

    def check_column(self, name: str) -> None:
        """Raise unless the file has exactly one column of this name."""
        if name not in self.names:
            columns = dataframes.first_of(self.names, 10)
            raise ValueError(
                f"{self.path} has no column {name!r}; it has {columns}{self._other_separator()}."
            )
        if self.names.count(name) > 1:
            raise ValueError(
                f"{self.path} has {self.names.count(name)} columns {name!r}: give them different "
                f"names."
            )

    def _other_separator(self) -> str:
        """Return a hint if the fields seem to be separated by another character."""
        return ""

    @abstractmethod
    def _scan(self, columns: Mapping[str, str]) -> LazyFrame:
        """Return a lazy frame of these columns; text formats are checked for broken lines."""

    @abstractmethod
    def diagnose(self) -> None:
        """Raise an error for the first broken line, if there is one."""


class _Csv(DataFile):
    def __init__(self, path: str, separator: str, quotes: Quotes | None) -> None:
        super().__init__(path)
        self._separator = separator
        lines = None if quotes == "none" else _lines_with_text_quotes(path, separator)
        if lines and quotes is None:
            where = f"{path}, {'line' if len(lines) == 1 else 'lines'} "
            where += dataframes.first_of(lines, _N_LINES_SHOWN)
            problem = "double quotes do not enclose a single field"
            way_out = "--quotes standard reads them as quotes, which may join lines"
            if separator != _SEPARATORS[".tsv"]:
                raise ValueError(
                    f"{where}: {problem}: correct them, or use --quotes none if all double quotes "
                    f"are text; {way_out}."
                )
            warnings.warn(
                f"{where}: {problem}, so all double quotes are read as text, as with --quotes "
                f"none; {way_out}.",
                stacklevel=2,
            )
            quotes = "none"
        self._is_quoted = quotes != "none"
        # polars may fail at quotes within a field, so quotes around fields are removed here.
        self._is_row_per_line = lines == []
        self.names = _read_header(path, separator, is_quoted=self._is_quoted)

    def _scan(self, columns: Mapping[str, str]) -> LazyFrame:
        pl = polars()
        # Columns are selected by position, since names may occur twice or be read as patterns.
        rows = pl.scan_csv(
            self.path,
            separator=self._separator,
            quote_char='"' if self._is_quoted and not self._is_row_per_line else None,
            infer_schema_length=0,
            new_columns=list(map(str, range(len(self.names)))),
            glob=False,
        )
        # All columns are read, since polars accepts lines with too many fields if it needs only
        # some columns.
        return _through(rows, self._without_blank_lines).select(
            self._field(self.names.index(column)).alias(name) for name, column in columns.items()
        )

    def _field(self, number: int) -> Expr:
        pl = polars()
        field = pl.col(str(number))
        if not (self._is_quoted and self._is_row_per_line):
            return field
        within = field.str.slice(1, field.str.len_chars() - 2).str.replace_all(
            '""', '"', literal=True
        )
        return pl.when(field.str.starts_with('"')).then(within).otherwise(field)

    def _without_blank_lines(self, batch: DataFrame) -> DataFrame:
        pl = polars()
        rows = batch
        if batch[:, 0].null_count():
            rows = batch.filter(~pl.all_horizontal(pl.all().is_null()))
        last = rows[:, -1]
        # Missing fields at the end of a line are null, as are empty fields. If a quote is not
        # closed, older versions of polars close it at the end of the file.
        if last.null_count() or (len(last) and "\n" in last[-1]):
            self._is_suspect = True
        return rows

    def check_rows(self) -> None:
        if self._is_suspect and _may_have_short_lines(
            self.path, self._separator, len(self.names), is_quoted=self._is_quoted
        ):
            self._check_lines()
        super().check_rows()

    def diagnose(self) -> None:
        self._check_lines()
        if self._is_quoted:
            _check_quotes(self.path, self._separator)

    def _check_lines(self) -> None:
        _check_csv(self.path, self._separator, len(self.names), is_quoted=self._is_quoted)

    def _other_separator(self) -> str:
        marks = [mark for mark in _MARKS if len(self.names) == 1 and mark in self.names[0]]
        if not marks:
            return ""
        rename = " (or end the name of the file in .tsv)" if marks[0] == "\t" else ""
        return f": fields must be separated by {self._separator!r}, not {marks[0]!r}{rename}"


class _JsonLines(DataFile):
    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._columns: set[str] = set()
        self.names = _json_keys(path, _N_LINES_WITH_KEYS)
        if not self.names:
            raise ValueError(f"{path} has no rows: it must have at least one.")

    def _scan(self, columns: Mapping[str, str]) -> LazyFrame:
        self._columns |= set(columns.values())
        rows = self._lines().select(
            _json_value(column).alias(name) for name, column in columns.items()
        )
        return _through(rows, self._look_for_null)

    def _lines(self) -> LazyFrame:
        """Return the lines that are not blank, and their numbers."""
        pl = polars()
        # scan_ndjson expects the same type in all lines; older versions turn values of other types
        # into null.
        lines = pl.scan_csv(
            self.path,
            has_header=False,
            separator=_UNUSED_SEPARATOR,
            quote_char=None,
            infer_schema_length=0,
            new_columns=["line"],
            row_index_name="number",
            row_index_offset=1,
            glob=False,
        )
        # Blank lines are null.
        return lines.filter(pl.col("line").str.strip_chars() != "")

    def _look_for_null(self, batch: DataFrame) -> DataFrame:
        # A line that is not an object has no values. Large integers become floats.
        pl = polars()
        is_suspect = pl.all_horizontal(pl.all().is_null())
        is_suspect |= pl.any_horizontal(pl.all().str.contains(_LARGE_NUMBER))
        if batch.select(is_suspect.any()).item():
            self._is_suspect = True
        return batch

    def check_rows(self) -> None:
        if self._is_suspect:
            self.diagnose()
        super().check_rows()

    def diagnose(self) -> None:
        _check_json(self.path, self._columns)
        pl = polars()
        is_unread = pl.col("line").str.json_path_match("$").is_null()
        unread = self._lines().filter(is_unread).head(1).collect()
        if len(unread):
            raise ValueError(
                f"{self.path}, line {unread['number'][0]}: has a character or a number that cannot "
                f"be read, such as half a surrogate pair or 1e999: correct it."
            )


class _Parquet(DataFile):
    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._rows = polars().scan_parquet(path, glob=False)
        with _polars_errors(self):
            self._types = dict(self._rows.collect_schema())
        self.names = tuple(self._types)

    def _scan(self, columns: Mapping[str, str]) -> LazyFrame:
        return self._rows.select(
            self._column(column).alias(name) for name, column in columns.items()
        )

    def _column(self, name: str) -> Expr:
        pl = polars()
        column = pl.col(dataframes.as_pattern(name))
        if self._types[name].is_nested() or self._types[name] == pl.Binary:
            raise ValueError(
                f"{self.path}: column {name!r} must hold text or numbers, got "
                f"{self._types[name]}: convert it."
            )
        if self._types[name] == pl.Categorical and (categories := self._ordered_categories(name)):
            return column.cast(pl.String).cast(pl.Enum(categories))
        return column

    def _ordered_categories(self, name: str) -> list[str] | None:
        """Return the categories of an ordered Categorical of pandas; polars drops the order."""
        try:
            from pyarrow import parquet
        except ImportError:
            return None
        file = parquet.ParquetFile(self.path)
        if not (file.num_row_groups and getattr(file.schema_arrow.field(name).type, "ordered", 0)):
            return None
        column = file.read_row_group(0, columns=[name])[name]
        return column.chunk(0).dictionary.to_pylist() if column.num_chunks else None

    def diagnose(self) -> None:
        """Do nothing: the format has no lines, and the error of polars describes the problem."""


def open_file(path: str, quotes: Quotes | None = None) -> DataFile:
    """Open a csv, tsv, parquet or JSON lines file, whose rows are read later.

    Parameters
    ----------
    path : str
        The file.
    quotes : {"none", "standard"}, default=None
        Whether double quotes in csv and tsv files are text, or enclose fields. If None, they
        enclose fields, unless each line is a row only if they are text: tsv files are then read
        in this way, with a warning, and csv files raise an error.

    Returns
    -------
    DataFile
        The file.
    """
    polars()
    suffix = Path(path).suffix.lower()
    if not path:
        raise ValueError("the name of a file is empty: give the name of a file.")
    if path == "-":
        raise ValueError("standard input cannot be read: give the name of a file.")
    if not Path(path).exists():
        raise ValueError(f"{path} does not exist: give the name of a file.")
    if not Path(path).is_file():
        raise ValueError(f"{path} is not a file: give the name of a file.")
    if suffix in _SEPARATORS:
        return _Csv(path, _SEPARATORS[suffix], quotes)
    if suffix in _JSON_LINES:
        return _JsonLines(path)
    if suffix == ".parquet":
        return _Parquet(path)
    raise ValueError(
        f"{path} must end in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}: convert the file, or "
        f"rename it."
    )


def column_of(rows: DataFrame, name: str) -> TableColumn:
    """Return a column that was read, with the order of its type."""
    return TableColumn(rows[name], dataframes.order_of(rows[name].dtype))


@contextmanager
def reading(*files: DataFile) -> Iterator[None]:
    """Raise errors about the rows of files that are read in the context."""
    with _polars_errors(*files):
        try:
            yield
        except ValueError as error:
            if not _is_engine_error(error):
                # An error about the values may come from a broken line.
                for file in files:
                    file.check_rows()
                    if isinstance(error, EmptyTableError):
                        file.check_not_empty()
            raise
    for file in files:
        file.check_rows()
        file.check_not_empty()


@contextmanager
def _polars_errors(*files: DataFile) -> Iterator[None]:
    """Replace an error of polars by a short error that names a line of the file."""
    try:
        yield
    except Exception as error:
        if not _is_engine_error(error):
            raise
        for file in files:
            file.diagnose()
        paths = " or ".join(file.path for file in files)
        reason = str(error).splitlines()[0].rstrip(".")
        raise ValueError(f"{paths} cannot be read: {reason}.") from None


def _is_engine_error(error: Exception) -> bool:
    # narwhals has its own copies of the errors of polars.
    return type(error).__module__.partition(".")[0] in {"polars", "narwhals"}


def polars() -> Any:
    """Return the module, which is imported only where files are read."""
    try:
        import polars
    except ImportError:
        raise ImportError(
            'Reading files needs polars: pip install "sklearn_ordinal[tables]".'
        ) from None
    return polars


def _through(rows: LazyFrame, function: Callable[[DataFrame], DataFrame]) -> LazyFrame:
    """Return a lazy frame whose batches are passed, with all columns, to a function."""
    return rows.map_batches(
        function,
        predicate_pushdown=False,
        projection_pushdown=False,
        slice_pushdown=False,
        streamable=True,
    )


def _as_number(name: str) -> Expr:
    """Return a column as numbers, with null for text that is not a number."""
    pl = polars()
    return pl.col(name).cast(pl.String).str.strip_chars().cast(pl.Float64, strict=False)


def _json_value(key: str) -> Expr:
    """Return the value of a key in column "line", as text."""
    pl = polars()
    quote = '"' if "'" in key else "'"
    path = f"$[{quote}{key}{quote}]"
    # Some keys cannot be written in JSONPath. Their values would seem to be missing in all lines.
    example = pl.select(pl.lit(json.dumps({key: "x"}), dtype=pl.String).str.json_path_match(path))
    if example.item() != "x":
        raise ValueError(
            f"column {dataframes.first_of([key], 1)} cannot be read from JSON lines: rename it."
        )
    return pl.col("line").str.json_path_match(path)


# Join a file of true classes with a file of predictions by the ids of the samples
# --------------------------------------------------------------------------------

_ID = "id"
_SHOWN = 3


def rows_with_ids(
    file: DataFile, ids: str, columns: Mapping[str, str], weights: Collection[str] = ()
) -> LazyFrame:
    """Return columns of a file, as `DataFile.select` does, and the ids as column "id"."""
    return file.select({_ID: ids, **columns}, weights).with_columns(_id_as_text())


class Problem(NamedTuple):
    """A description of a problem without a full stop, and whether predictions are missing."""

    text: str
    is_missing: bool = False


def id_problem(
    gold: LazyFrame, predictions: LazyFrame, paths: tuple[str, str], *, may_be_missing: bool
) -> Problem | None:
    """Return the problem with the ids of two files, or None. Polars compares the ids.

    Parameters
    ----------
    gold : polars.LazyFrame
        Rows of the file of true classes, with ids.
    predictions : polars.LazyFrame
        Rows of the file of predictions, with ids.
    paths : tuple of str
        The two files.
    may_be_missing : bool
        Whether the predictions may lack ids of the gold file.

    Returns
    -------
    Problem or None
        The problem. Its text has a clause for each kind of problem, with the number of ids and the
        first ids.
    """
    pl = polars()
    of_gold, of_predictions = (
        rows.group_by(_ID).agg(pl.len().alias(name))
        for rows, name in ((gold, "n_gold"), (predictions, "n_predicted"))
    )
    joined = of_gold.join(of_predictions, on=_ID, how="full", coalesce=True)
    is_good = (pl.col("n_gold") == 1) & (pl.col("n_predicted") == 1)
    problems = joined.filter(~is_good.fill_null(False)).collect()
    no_id = problems.filter(pl.col(_ID).is_null())
    problems = problems.filter(pl.col(_ID).is_not_null())
    clauses = []
    path_of_gold, path_of_predictions = paths
    for path, n in ((path_of_gold, "n_gold"), (path_of_predictions, "n_predicted")):
        if n_rows := no_id[n].sum():
            noun = "row" if n_rows == 1 else "rows"
            clauses.append(f"{path} has no id in {n_rows:,} {noun}")
        clauses += _clause(f"{path} has several rows for", problems.filter(pl.col(n) > 1))
    unknown = problems.filter(pl.col("n_gold").is_null())
    clauses += _clause(f"{path_of_predictions} has rows for", unknown, f" not in {path_of_gold}")
    missing = problems.filter(pl.col("n_predicted").is_null())
    if may_be_missing:
        missing = missing.clear()
    clauses += _clause(f"{path_of_predictions} has no row for", missing, f" of {path_of_gold}")
    # If both files are the same, some clauses are repeated.
    text = "; ".join(dict.fromkeys(clauses))
    return Problem(text, is_missing=len(missing) > 0) if text else None


def join_rows(gold: LazyFrame, predictions: LazyFrame) -> LazyFrame:
    """Return the rows of the gold file, with the predictions for the same ids.

    The ids must have been checked. Predictions are null for ids without a prediction.
    """
    return gold.join(predictions, on=_ID, how="left")


def _id_as_text() -> Expr:
    pl = polars()
    text = pl.col(_ID).cast(pl.String).str.strip_chars()
    return pl.when(text != "").then(text).alias(_ID)


def _clause(what: str, ids: DataFrame, of_what: str = "") -> list[str]:
    if not len(ids):
        return []
    noun = "id" if len(ids) == 1 else "ids"
    return [f"{what} {len(ids):,} {noun}{of_what}: {dataframes.first_of(ids[_ID].sort(), _SHOWN)}"]


# The number of rows read so far, shown on a terminal if reading takes long
# -------------------------------------------------------------------------

_SECONDS_BEFORE = 1.0
_SECONDS_BETWEEN = 0.2


@contextmanager
def progress_of(*files: DataFile) -> Iterator[None]:
    """Show on stderr how many rows have been read, if reading takes more than a second."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    n_rows = 0
    line = ""
    next_time = time.monotonic() + _SECONDS_BEFORE

    def add(n_more: int) -> None:
        nonlocal n_rows, line, next_time
        n_rows += n_more
        if time.monotonic() >= next_time:
            line = f"{n_rows:,} rows read"
            sys.stderr.write(f"\r{line}")
            sys.stderr.flush()
            next_time = time.monotonic() + _SECONDS_BETWEEN

    for file in files:
        file.on_rows = add
    try:
        yield
    finally:
        if line:
            sys.stderr.write(f"\r{' ' * len(line)}\r")
            sys.stderr.flush()
