"""Read files lazily with polars: csv, tsv, parquet and JSON lines, chosen by the suffix.

The values of csv, tsv and JSON lines are text, since a type that is inferred from the first rows
may turn out to be wrong in the last ones.
"""

from __future__ import annotations

import json
import math
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from sklearn_ordinal._tables._lines import (
    check_csv,
    check_json,
    check_quotes,
    json_keys,
    lines_with_text_quotes,
    may_have_short_lines,
    read_header,
)
from sklearn_ordinal._tables._pairs import TableColumn, as_pattern, order_of
from sklearn_ordinal._tables._table_problems import EmptyTableError, first_of

if TYPE_CHECKING:
    from polars import DataFrame, Expr, LazyFrame

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
            columns = first_of(self.names, 10)
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
        lines = None if quotes == "none" else lines_with_text_quotes(path, separator)
        if lines and quotes is None:
            where = f"{path}, {'line' if len(lines) == 1 else 'lines'} "
            where += first_of(lines, _N_LINES_SHOWN)
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
        self.names = read_header(path, separator, is_quoted=self._is_quoted)

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
        rows = batch.filter(~pl.all_horizontal(pl.all().is_null()))
        last = rows[:, -1]
        # Missing fields at the end of a line are null, as are empty fields. If a quote is not
        # closed, older versions of polars close it at the end of the file.
        if last.null_count() or (len(last) and "\n" in last[-1]):
            self._is_suspect = True
        return rows

    def check_rows(self) -> None:
        if self._is_suspect and may_have_short_lines(
            self.path, self._separator, len(self.names), is_quoted=self._is_quoted
        ):
            self._check_lines()
        super().check_rows()

    def diagnose(self) -> None:
        self._check_lines()
        if self._is_quoted:
            check_quotes(self.path, self._separator)

    def _check_lines(self) -> None:
        check_csv(self.path, self._separator, len(self.names), is_quoted=self._is_quoted)

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
        self.names = json_keys(path, _N_LINES_WITH_KEYS)
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
        check_json(self.path, self._columns)
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
        column = pl.col(as_pattern(name))
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
    return TableColumn(rows[name], order_of(rows[name].dtype))


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
        raise ValueError(f"column {first_of([key], 1)} cannot be read from JSON lines: rename it.")
    return pl.col("line").str.json_path_match(path)
