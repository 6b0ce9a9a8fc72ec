"""Count pairs of classes in tables, by the library that holds the table, and in batches.

The group-by knows columns and rows, but neither classes nor their order: the rows that it returns
are read like other labels.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import checks, containers, counting, scales
from sklearn_ordinal._core.containers import LabelColumn
from sklearn_ordinal._core.counting import Counted, Unanswered
from sklearn_ordinal._core.scales import Encoded, OrdinalScale

# Kinds of errors about tables and files, and the values that errors show
# -----------------------------------------------------------------------

_MOST_CHARACTERS = 60


class EmptyTableError(ValueError):
    """The table has no rows."""


def first_of(values: Iterable[object], n_shown: int) -> str:
    """Return the first values, separated by commas, and dots if there are more.

    A long text is cut, and dots replace its end.
    """
    first = list(islice(values, n_shown + 1))
    text = ", ".join(map(_shown, first[:n_shown]))
    return text + (", ..." if len(first) > n_shown else "")


def _shown(value: object) -> str:
    if isinstance(value, str) and len(value) > _MOST_CHARACTERS:
        return f"{value[:_MOST_CHARACTERS]!r}..."
    return repr(value)


# Count the pairs of two columns by a group-by of the library that holds the table; read grades
# ---------------------------------------------------------------------------------------------

# If a column of probabilities is passed as classes, nearly every row is different.
MAX_ROWS = 2_000_000

_N_ROWS = "n_rows"
_FILL = "fill them or filter these rows"
_WEIGHT, _SQUARED_WEIGHT, _HAS_WEIGHT = "weight", "squared_weight", "has_weight"


class TableColumn(NamedTuple):
    """The values of a column and their order.

    The values are a list, or a series of the dataframe library that computed the table. The order
    contains the categories that the table declares, from the lowest to the highest, or is
    None.
    """

    values: Any
    order: tuple[Any, ...] | None


class WeightSums(NamedTuple):
    """Sums over the rows of each pair."""

    weight: NDArray[np.float64]
    squared_weight: NDArray[np.float64]
    has_weight: NDArray[np.int64]


class PairTable(NamedTuple):
    """One row for each pair of true and predicted values that occurs in a group."""

    y_true: TableColumn
    y_pred: TableColumn
    groups: tuple[TableColumn, ...]
    n_rows: NDArray[np.int64]
    sums: WeightSums | None


def count_pairs(
    frame: Any, y_true: str, y_pred: str, sample_weight: str | None, by: Sequence[str]
) -> PairTable:
    """Count the rows of each pair of values in each group, and add up weights and squares."""
    nw = _import_narwhals()
    columns = _columns_by_role(y_true, y_pred, by)
    table, schema = _read_schema(nw, frame, columns)
    sums = [nw.len().alias(_N_ROWS)]
    if sample_weight is None:
        table = selected(nw, table, columns)
    else:
        weights = _weight_column(nw, table, schema, columns, sample_weight)
        weight = nw.col(_WEIGHT)
        # Libraries skip null in sums, and some also skip NaN. Bad weights are replaced by infinity,
        # so that the sum shows them. The two other sums are read only if this sum is finite.
        is_good = weight.fill_null(-1.0) >= 0
        table = weights.with_columns(
            nw.when(is_good).then(weight).otherwise(nw.lit(float("inf"))),
            (weight * weight).alias(_SQUARED_WEIGHT),
            (weight > 0).cast(nw.Int64).alias(_HAS_WEIGHT),
        )
        sums += [nw.col(name).sum() for name in (_WEIGHT, _SQUARED_WEIGHT, _HAS_WEIGHT)]
    with np.errstate(over="ignore"):  # infinite sums raise an error below
        rows = table.group_by(*columns).agg(*sums).head(MAX_ROWS + 1).collect()
    if len(rows) > MAX_ROWS:
        raise ValueError(
            f"frame has more than {MAX_ROWS:,} different rows of {', '.join(columns.values())}: "
            f"y_true and y_pred must be classes, not probabilities or scores; count many groups "
            f"in parts."
        )
    if not len(rows):
        raise EmptyTableError("frame must have at least one row.")
    if sample_weight is not None:
        _check_weights(nw, sample_weight, weights, rows)
    true, pred, *groups = (
        TableColumn(_column_values(nw, rows[argument], schema[name]), order_of(schema[name]))
        for argument, name in columns.items()
    )
    weight_sums = None
    if sample_weight is not None:
        weight_sums = WeightSums(
            _numbers(rows, _WEIGHT, np.float64),
            _numbers(rows, _SQUARED_WEIGHT, np.float64),
            _numbers(rows, _HAS_WEIGHT, np.int64),
        )
    n_rows = _numbers(rows, _N_ROWS, np.int64)
    return PairTable(true, pred, tuple(groups), n_rows, weight_sums)


def _import_narwhals() -> Any:
    try:
        import narwhals
    except ImportError:
        raise ImportError(
            'Counting in tables needs narwhals: pip install "sklearn_ordinal[tables]".'
        ) from None
    return narwhals


def _columns_by_role(y_true: str, y_pred: str, by: Sequence[str]) -> dict[str, str]:
    return {"y_true": y_true, "y_pred": y_pred} | {f"by_{k}": name for k, name in enumerate(by)}


def _read_schema(nw: Any, frame: Any, columns: Mapping[str, str]) -> tuple[Any, Any]:
    """Return a table and its schema, and raise unless it has the columns of these roles."""
    for argument, name in columns.items():
        if not isinstance(name, str):
            raise ValueError(
                f"{argument} must be the name of a column, a string, got {checks.shown(name)}: "
                "rename the column if this is its name."
            )
    try:
        table = nw.from_native(frame)
        schema = table.collect_schema()
    except TypeError:
        raise ValueError(
            f"frame must be a table that narwhals supports, such as of pandas, polars, pyarrow, "
            f"DuckDB, Dask, PySpark or Ibis, got a {type(frame).__name__}."
        ) from None
    except nw.exceptions.DuplicateError as error:
        raise ValueError(
            f"frame must have columns with different names: {_on_one_line(error)}; rename or drop "
            f"columns."
        ) from None
    for role, name in columns.items():
        argument = "by" if role.startswith("by_") else role
        _check_column(argument, name, schema)
        if schema[name].is_nested():
            raise ValueError(
                f"{argument}={first_of([name], 1)} must hold one value in each row, got "
                f"{schema[name]}."
            )
    return table, schema


def _check_column(argument: str, name: str, schema: Any) -> None:
    if name not in schema:
        raise ValueError(
            f"{argument} must be a column of frame, got {first_of([name], 1)}; it has "
            f"{first_of(schema, 10)}."
        )


def _weight_column(
    nw: Any, table: Any, schema: Any, columns: Mapping[str, str], sample_weight: str
) -> Any:
    """Return the columns, and the weights as floats that are not checked yet."""
    _check_column("sample_weight", sample_weight, schema)
    if not schema[sample_weight].is_numeric() and schema[sample_weight] != nw.Boolean:
        raise ValueError(
            f"sample_weight={first_of([sample_weight], 1)} must hold numbers, got "
            f"{schema[sample_weight]}: cast the column."
        )
    weights = selected(nw, table, {**columns, _WEIGHT: sample_weight})
    return weights.with_columns(nw.col(_WEIGHT).cast(nw.Float64))


def selected(nw: Any, table: Any, columns: Mapping[str, str]) -> Any:
    """Return renamed columns, since a column may have several roles and any name."""
    # Spark, and DuckDB before version 2, read dots in names that are not quoted.
    if table.implementation.is_duckdb():
        names = [f"{_quoted(name)} AS {_quoted(alias)}" for alias, name in columns.items()]
        return nw.from_native(table.to_native().project(", ".join(names)))
    if table.implementation.is_spark_like():
        columns = {alias: _quoted(name, "`") for alias, name in columns.items()}
    elif table.implementation.is_polars():
        columns = {alias: as_pattern(name) for alias, name in columns.items()}
    return table.lazy().select(*(nw.col(name).alias(alias) for alias, name in columns.items()))


def as_pattern(name: str) -> str:
    """Return the name of a column for polars, which reads names from ^ to $ as patterns."""
    return f"^{re.escape(name)}$"


def _quoted(name: str, mark: str = '"') -> str:
    return mark + name.replace(mark, 2 * mark) + mark


def _on_one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def _check_weights(nw: Any, name: str, weights: Any, rows: Any) -> None:
    """Raise if weights are not valid; read them again to count the kinds of problems."""
    if np.isfinite(_numbers(rows, _WEIGHT, np.float64)).all():
        return
    weight = nw.col(_WEIGHT)
    # There are no conditions on null, since libraries treat them differently. For comparisons and
    # tests for NaN, DuckDB uses the statistics of parquet files, which do not include NaN.
    present = weight.fill_null(0.0)
    is_finite = present.is_finite()
    is_infinite, is_minus_infinite = present == float("inf"), present == -float("inf")
    conditions = {
        "missing": weight.is_null() | ~(is_finite | is_infinite | is_minus_infinite),
        "negative": (is_finite & (present < 0)) | is_minus_infinite,
        "infinite": is_infinite,
    }
    indicators = (
        nw.when(condition).then(nw.lit(1)).otherwise(nw.lit(0)).cast(nw.Int64).alias(kind)
        for kind, condition in conditions.items()
    )
    bad = weights.select(*indicators).select(*(nw.col(kind).sum() for kind in conditions)).collect()
    numbers = {kind: _numbers(bad, kind, np.int64)[0] for kind in conditions}
    n_rows = _numbers(rows, _N_ROWS, np.int64).sum()
    bad_numbers = [f"{number:,} {kind}" for kind, number in numbers.items() if number]
    raise ValueError(
        f"sample_weight={first_of([name], 1)} must hold finite, non-negative numbers, got "
        f"{' and '.join(bad_numbers) or 'an infinite sum'} of {n_rows:,} weights: fill or filter "
        f"the rows."
    )


def _numbers(rows: Any, name: str, dtype: Any) -> NDArray[Any]:
    return np.asarray(rows[name].to_numpy(), dtype=dtype)


def _column_values(nw: Any, series: Any, dtype: Any) -> Any:
    """Return the series, or a list of Python objects if the type of the series is not reliable.

    Integers of 128 bits become lists because pyarrow has only decimals for them.
    """
    if dtype in {nw.Int128, nw.UInt128}:
        return [None if value is None else int(value) for value in series.to_list()]
    native = series.to_native()
    # pandas does not keep the order of Arrow dictionaries in groups.
    is_dictionary = str(getattr(native, "dtype", "")).startswith("dictionary<")
    # Dates and times become Python objects, whatever the library.
    return series.to_list() if series.dtype.is_temporal() or is_dictionary else native


def order_of(dtype: Any) -> tuple[Any, ...] | None:
    """Return the categories of an ENUM, whose order a collected column may have lost."""
    categories = getattr(dtype, "categories", None)
    return None if categories is None else tuple(categories)


# Confusion matrices from pairs of values that the library of a table has counted
# -------------------------------------------------------------------------------


class Grades(NamedTuple):
    """The columns of a table with a row for each grade."""

    item: Any
    rater: Any
    grade: LabelColumn
    """The grades that are not missing."""
    is_present: NDArray[np.bool_]
    """Whether each row has a grade."""
    weight: NDArray[np.float64] | None
    clusters: Any
    strata: Any


class _Read(NamedTuple):
    """The values of a column that are not missing, and their rows."""

    column: LabelColumn
    is_present: NDArray[np.bool_]


def columns_in_memory(
    frame: Any, y_true: str, y_pred: str, sample_weight: str | None, by: Sequence[str]
) -> tuple[dict[str, Any], tuple[Any, ...]] | None:
    """Return the columns of a frame of pandas, polars or pyarrow, and the groups.

    The columns have the names of the arguments; "by" has the number of each row's group. None for
    other tables.
    """
    nw = _import_narwhals()
    columns = _columns_by_role(y_true, y_pred, by)
    if sample_weight is not None:
        columns["sample_weight"] = sample_weight
    table, _ = _read_schema(nw, frame, columns)
    libraries = nw.Implementation.PANDAS, nw.Implementation.POLARS, nw.Implementation.PYARROW
    if not isinstance(table, nw.DataFrame) or table.implementation not in libraries:
        return None
    if not len(table):
        raise EmptyTableError("frame must have at least one row.")
    values = {}
    for role, name in columns.items():
        series = table.get_column(name)
        # Dates and times become Python objects, whatever the library.
        values[role] = series.to_list() if series.dtype.is_temporal() else series.to_native()
    groups: tuple[Any, ...] = ()
    if by:
        read = [
            containers.read_column(values[f"by_{k}"], f"by={checks.shown(name)}")
            for k, name in enumerate(by)
        ]
        values["by"], groups = _numbered_groups(read)
    return values, groups


def read_grades(frame: Any, columns: Mapping[str, str]) -> Grades:
    """Return the columns of a table with a row for each grade of a rater for an item.

    `columns` has the name of each column by its argument, for the arguments that are passed.
    """
    nw = _import_narwhals()
    table, schema = _read_schema(nw, frame, columns)
    rows = selected(nw, table, columns).collect()
    if not len(rows):
        raise EmptyTableError("frame must have at least one row.")
    values, names = {}, {}
    for argument, column in columns.items():
        values[argument] = _column_values(nw, rows[argument], schema[column])
        names[argument] = f"{argument}={checks.shown(column)}"
    for argument in ("item", "rater"):
        containers.check_no_missing(values[argument], names[argument], _FILL)
    grades = TableColumn(values["grade"], order_of(schema[columns["grade"]]))
    read = _read(names["grade"], grades)
    weight = values.get("sample_weight")
    if weight is not None:
        weight = checks.check_weights(names["sample_weight"], weight, len(rows))
    others = weight, values.get("clusters"), values.get("strata")
    return Grades(values["item"], values["rater"], read.column, read.is_present, *others)


def counted_pairs(
    pairs: PairTable,
    y_true: str,
    y_pred: str,
    labels: Any,
    sample_weight: str | None,
    by: Sequence[str],
    unanswered: Unanswered,
) -> Counted:
    """Return the counts of a table of pairs; the column names are for errors."""
    n_rows = pairs.n_rows
    amounts = n_rows if pairs.sums is None else pairs.sums.weight
    name_of_weights = f"sample_weight={checks.shown(sample_weight)}"
    if pairs.sums is not None:
        checks.check_amounts(name_of_weights, amounts)
    if not amounts.any():
        raise ValueError(f"{name_of_weights} must not be all zero.")
    true = _read(f"y_true={checks.shown(y_true)}", pairs.y_true, n_rows, _FILL)
    way_out = scales.COUNT_UNANSWERED if unanswered == "raise" else None
    pred = _read(f"y_pred={checks.shown(y_pred)}", pairs.y_pred, n_rows, way_out)
    scale = scales.declared_scale([true.column, pred.column], labels)
    encoded = scales.encode_present(true.column, [pred], scale)
    of_true, of_pred = encoded.columns
    of_group, groups = np.zeros(len(n_rows), dtype=np.int64), ()
    if by:
        named = zip(by, pairs.groups, strict=True)
        read = [_read(f"by={checks.shown(name)}", group, n_rows, _FILL) for name, group in named]
        of_group, groups = _numbered_groups([group.column for group in read])
    if scale is None:
        # Classes at the ends of the run are cut off if all their rows have weight zero.
        run = counting.run_of(
            np.bincount(np.concatenate([of_true, of_pred]), np.tile(amounts, 2)) > 0
        )
        numbers = n_rows if pairs.sums is None else pairs.sums.has_weight
        columns = (of_true, numbers), (of_pred, numbers * pred.is_present)
        sizes = [np.bincount(*column, minlength=run.stop)[: run.stop] for column in columns]
        scales.warn_of_missing_codes(encoded.lowest, np.array(sizes))
        scale = encoded.run_scale(encoded.lowest + run.start, run.stop - run.start)
        of_true, of_pred = of_true - run.start, of_pred - run.start
    has_weight = amounts > 0
    column = np.where(pred.is_present, of_pred, len(scale))
    cells = tuple(index[has_weight] for index in (of_group, of_true, column))

    def cell_sums(values: NDArray[Any]) -> NDArray[Any]:
        sums = np.zeros((len(groups) or 1, len(scale), len(scale) + 1), values.dtype)
        np.add.at(sums, cells, values[has_weight])
        return sums if by else sums[0]

    sums = cell_sums(amounts)
    counts, missing = sums[..., :-1], sums[..., -1] if unanswered == "count" else None
    if pairs.sums is None:
        return Counted(scale, counts, False, missing, groups)
    checks.check_amounts(name_of_weights, sums[..., :-1], axis=(-2, -1))
    checks.check_amounts(name_of_weights, sums[..., -1])
    return Counted(
        scale,
        counts,
        True,
        missing,
        groups,
        sample_counts=cell_sums(pairs.sums.has_weight),
        squared_weights=cell_sums(pairs.sums.squared_weight),
    )


def _read(
    name: str,
    of_table: TableColumn,
    n_rows: NDArray[np.int64] | None = None,
    way_out: str | None = None,
) -> _Read:
    """Return a column that is in n rows each; with a way out, raise if values are missing."""
    column, is_present = containers.read_present(of_table.values, name)
    if way_out is not None and not is_present.all():
        containers.raise_missing(name, way_out, ~is_present, n_rows)
    if of_table.order is not None and not column.is_ordered:
        # The table declares an order that the collected column has lost.
        categories = containers.array_from_labels(list(of_table.order))
        codes = OrdinalScale(categories).encode(column)
        column = LabelColumn(name, codes, categories, is_ordered=True, is_declared=True)
    return _Read(column._replace(n_rows=None if n_rows is None else n_rows[is_present]), is_present)


def _numbered_groups(
    columns: Sequence[LabelColumn],
) -> tuple[NDArray[np.int64], tuple[Any, ...]]:
    """Return the number of each row's group, and the groups: values, or tuples of several."""
    group, values = scales.numbered(columns[0])
    if len(columns) == 1:
        return group, tuple(values)
    groups = [(value,) for value in values]
    for column in columns[1:]:
        numbers, values = scales.numbered(column)
        size = len(values)
        group, occurring = scales.numbered(LabelColumn("by", group * size + numbers))
        groups = [(*groups[k // size], values[k % size]) for k in occurring]
    return group, tuple(groups)


# Count samples in batches
# ------------------------


def count_batches(
    batches: Iterable[Sequence[ArrayLike]], labels: Any, unanswered: Unanswered
) -> Counted:
    """Count the samples of all batches."""
    tally = _Tally(None if labels is None else scales.as_scale(labels), unanswered)
    for number, batch in enumerate(checks.iterate("batches", batches, "tuples (y_true, y_pred)")):
        tally.add(number, batch)
    return tally.counted()


@dataclass
class _Tally:
    """Sums by true and predicted class; the predicted class of unanswered samples is None."""

    labels: OrdinalScale | None
    unanswered: Unanswered
    # Sums of weights, or numbers of samples.
    sums: dict[tuple[Any, Any], float] = field(default_factory=dict)
    # Numbers of samples of positive weight.
    numbers: dict[tuple[Any, Any], int] = field(default_factory=dict)
    # Sums of squared weights, or numbers of samples.
    squares: dict[tuple[Any, Any], float] = field(default_factory=dict)
    # The first batch that is not empty sets these fields; the other batches must agree with it.
    first: int | None = None
    order: OrdinalScale | None = None
    is_weighted: bool = False
    is_bool: bool = True

    def add(self, number: int, batch: Any) -> None:
        if not isinstance(batch, (tuple, list)) or len(batch) not in {2, 3}:
            raise ValueError(
                f"batches must hold tuples (y_true, y_pred) or (y_true, y_pred, sample_weight), "
                f"got {checks.shown(batch)} as batch {number}."
            )
        if all(_is_empty(part) for part in batch):
            return
        names = [
            f"{name} of batch {number}"
            for name in ("y_true", "y_pred", "sample_weight")[: len(batch)]
        ]
        encoded, is_answered = self._encode(dict(zip(names, batch, strict=True)))
        self._check_agrees(number, encoded, len(batch) == 3)
        true, pred = (column.astype(np.int64) for column in encoded.columns)
        size = encoded.n_positions
        cells = true * (size + 1) + np.where(is_answered, pred, size)
        if self.is_weighted:
            weights = _weights(names[2], batch[2], len(cells))
            sums, numbers = _sums(cells, weights), _sums(cells[weights > 0])
            # The sum of weights that are too large is an error, and so are their squares.
            with np.errstate(over="ignore"):
                squares = _sums(cells, weights**2)
        else:
            sums = numbers = squares = _sums(cells)
        classes = _classes(encoded)
        for cell, amount in sums.items():
            j, i = divmod(cell, size + 1)
            pair = classes[j], None if i == size else classes[i]
            self.sums[pair] = self.sums.get(pair, 0) + amount
            self.numbers[pair] = self.numbers.get(pair, 0) + numbers.get(cell, 0)
            self.squares[pair] = self.squares.get(pair, 0) + squares[cell]

    def _encode(self, columns: dict[str, Any]) -> tuple[Encoded, NDArray[np.bool_]]:
        (true, y_true), (pred, y_pred), *per_sample = columns.items()
        labelled = {true: y_true, pred: y_pred}
        if self.unanswered == "raise":
            encoded = scales.encode_complete(labelled, self.labels, **dict(per_sample))
            return encoded, np.ones(len(encoded.columns[0]), dtype=np.bool_)
        encoded, (is_answered,) = scales.encode_answered(labelled, self.labels, **dict(per_sample))
        return encoded, is_answered

    def _check_agrees(self, number: int, encoded: Encoded, is_weighted: bool) -> None:
        if self.first is None:
            self.first, self.order, self.is_weighted = number, encoded.scale, is_weighted
        if is_weighted != self.is_weighted:
            in_first, in_batch = ("no ", "") if is_weighted else ("", "no ")
            raise ValueError(
                f"batches must all have weights or none, batch {self.first} has {in_first}weights "
                f"and batch {number} has {in_batch}weights."
            )
        if encoded.scale != self.order:
            orders = [
                "integers" if scale is None else checks.listed(scale.labels)
                for scale in (self.order, encoded.scale)
            ]
            raise ValueError(
                f"batches {self.first} and {number} are ordered differently, {' and '.join(orders)}"
                f": give both the same categories or pass labels=."
            )
        self.is_bool &= encoded.is_bool

    def counted(self) -> Counted:
        """Return the counts on the scale, or on the run of the integers of all batches."""
        if not self.sums:
            raise ValueError("batches must hold at least one sample.")
        if self.is_weighted and not any(self.sums.values()):
            raise ValueError("sample_weight must not be all zero in all batches.")
        scale = self._run() if self.order is None else self.order
        dtype = np.float64 if self.is_weighted else np.int64
        counts = np.zeros((len(scale), len(scale)), dtype)
        missing = np.zeros(len(scale), dtype)
        numbers = np.zeros((len(scale), len(scale) + 1), np.int64)
        squares = np.zeros(numbers.shape)
        for (true, pred), amount in self.sums.items():
            if not amount:
                continue
            row, column = scale.position(true), -1 if pred is None else scale.position(pred)
            if self.is_weighted:
                numbers[row, column] = self.numbers[true, pred]
                squares[row, column] = self.squares[true, pred]
            # An infinite sum of finite weights is too large, not an infinite weight.
            amount = min(amount, sys.float_info.max)
            if pred is None:
                missing[row] = amount
            else:
                counts[row, column] = amount
        if self.is_weighted:
            checks.check_amounts("sample_weight of all batches", counts, axis=None)
            checks.check_amounts("sample_weight of all batches", missing)
        return Counted(
            scale,
            counts,
            self.is_weighted,
            missing if self.unanswered == "count" else None,
            sample_counts=numbers if self.is_weighted else None,
            squared_weights=squares if self.is_weighted else None,
        )

    def _run(self) -> OrdinalScale:
        labels = {label for pair in self.sums for label in pair if label is not None}
        scales.check_run_length(["y_true", "y_pred"], min(labels), max(labels), [labels])
        # Classes at the ends are cut off if all their samples have weight zero.
        weighty = [
            label
            for pair, amount in self.sums.items()
            if amount
            for label in pair
            if label is not None
        ]
        lowest, n_classes = min(weighty), max(weighty) - min(weighty) + 1
        sizes = np.zeros((2, n_classes))
        for pair, number in self.numbers.items():
            for column, label in enumerate(pair):
                if number and label is not None:
                    sizes[column, label - lowest] += number
        scales.warn_of_missing_codes(lowest, sizes)
        return scales.run_scale(lowest, n_classes, is_bool=self.is_bool)


def _is_empty(part: Any) -> bool:
    return hasattr(part, "__len__") and len(part) == 0


def _weights(name: str, weights: Any, size: int) -> NDArray[np.float64]:
    # Unlike the weights of all batches together, the weights of one batch may all be zero or very
    # small.
    weight = checks.as_numbers(name, weights).astype(np.float64, copy=False)
    if weight.shape != (size,):
        raise ValueError(f"{name} must have shape ({size},), got {weight.shape}.")
    is_bad = ~((weight >= 0) & (weight < np.inf))
    if is_bad.any():
        raise ValueError(
            f"{name} must be finite and not negative, but {int(is_bad.sum()):,} of {size:,} "
            f"weights are not, such as {weight[is_bad][0]}."
        )
    return weight


def _sums(cells: NDArray[np.int64], weights: NDArray[np.float64] | None = None) -> dict[int, Any]:
    """Return the number of samples, or the sum of the weights, of each cell that occurs."""
    occurring = np.flatnonzero(np.bincount(cells))
    sums = np.bincount(cells, weights)[occurring]
    return dict(zip(occurring.tolist(), sums.tolist(), strict=True))


def _classes(encoded: Encoded) -> Sequence[Any]:
    if encoded.scale is None:
        return range(encoded.lowest, encoded.lowest + encoded.n_positions)
    classes: list[Any] = encoded.scale.labels.tolist()
    return classes
