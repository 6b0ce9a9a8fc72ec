"""Count the pairs of two columns by a group-by of the library that holds the table; read grades.

This package knows columns and rows, but neither classes nor their order.
`sklearn_ordinal._core` reads the returned rows like other labels.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._tables._table_problems import EmptyTableError, first_of

# If a column of probabilities is passed as classes, nearly every row is different.
MAX_ROWS = 2_000_000

_N_ROWS = "n_rows"
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
    nw = import_narwhals()
    table, schema = read_schema(nw, frame)
    columns = {"y_true": y_true, "y_pred": y_pred}
    columns |= {f"by_{number}": name for number, name in enumerate(by)}
    for argument, name in columns.items():
        argument = "by" if argument.startswith("by_") else argument
        check_column(argument, name, schema)
        if schema[name].is_nested():
            raise ValueError(
                f"{argument}={first_of([name], 1)} must hold one value in each row, got "
                f"{schema[name]}."
            )
    sums = [nw.len().alias(_N_ROWS)]
    if sample_weight is None:
        table = selected(nw, table, columns)
    else:
        weights = _weights(nw, table, schema, columns, sample_weight)
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
    try:
        table, objects = _objects_as_codes(nw, table, list(columns))
        with np.errstate(over="ignore"):  # infinite sums raise an error below
            rows = table.group_by(*columns).agg(*sums).head(MAX_ROWS + 1).collect()
    except TypeError as error:  # such as lists in a column of pandas
        raise ValueError(
            f"frame must have values in {', '.join(columns.values())} that can be grouped, such as "
            f"numbers or strings: {_on_one_line(error)}."
        ) from error
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
        TableColumn(
            [objects[argument][code] for code in rows[argument].to_list()]
            if argument in objects
            else column_values(nw, rows[argument], schema[name]),
            order_of(schema[name]),
        )
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


def import_narwhals() -> Any:
    try:
        import narwhals
    except ImportError:
        raise ImportError(
            'Counting in tables needs narwhals: pip install "sklearn_ordinal[tables]".'
        ) from None
    return narwhals


def read_schema(nw: Any, frame: Any) -> tuple[Any, Any]:
    try:
        table = nw.from_native(frame)
        return table, table.collect_schema()
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


def check_column(argument: str, name: str, schema: Any) -> None:
    if name not in schema:
        raise ValueError(
            f"{argument} must be a column of frame, got {first_of([name], 1)}; it has "
            f"{first_of(schema, 10)}."
        )


def _weights(
    nw: Any, table: Any, schema: Any, columns: Mapping[str, str], sample_weight: str
) -> Any:
    """Return the columns, and the weights as floats that are not checked yet."""
    check_column("sample_weight", sample_weight, schema)
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


def _objects_as_codes(
    nw: Any, table: Any, columns: Sequence[str]
) -> tuple[Any, dict[str, list[Any]]]:
    """Replace Python objects in columns of pandas by codes, and return the objects by code.

    pandas would convert the objects of the groups, such as integers beside None to floats.
    """
    schema, objects, codes = table.collect_schema(), {}, {}
    of_objects = [name for name in columns if schema[name] == nw.Object]
    if not of_objects or not table.implementation.is_pandas():
        return table, {}
    native = table.collect().to_native()
    for name in of_objects:
        codes[name], distinct = sys.modules["pandas"].factorize(native[name])
        objects[name] = [*distinct.tolist(), None]  # the code of missing values is -1
    return nw.from_native(native.assign(**codes)).lazy(), objects


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


def column_values(nw: Any, series: Any, dtype: Any) -> Any:
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


class GradeTable(NamedTuple):
    """The columns of a table with a row for each grade."""

    item: Any
    rater: Any
    grade: TableColumn
    weight: Any


def collect_grades(
    frame: Any, item: str, rater: str, grade: str, sample_weight: str | None
) -> GradeTable:
    """Return the columns of all rows."""
    nw = import_narwhals()
    table, schema = read_schema(nw, frame)
    columns = {"item": item, "rater": rater, "grade": grade}
    if sample_weight is not None:
        columns["sample_weight"] = sample_weight
    for argument, name in columns.items():
        check_column(argument, name, schema)
    rows = selected(nw, table, columns).collect()
    if not len(rows):
        raise EmptyTableError("frame must have at least one row.")
    values = {
        argument: column_values(nw, rows[argument], schema[name])
        for argument, name in columns.items()
    }
    grades = TableColumn(values["grade"], order_of(schema[grade]))
    return GradeTable(values["item"], values["rater"], grades, values.get("sample_weight"))
