"""Count the pairs of two columns by a group-by of the library that holds the table.

This package knows columns and rows, neither classes nor their order. `sklearn_ordinal._core`
reads the rows that come back as it reads other labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

# A column of probabilities in place of classes would bring the whole table back.
MAX_ROWS = 2_000_000

_N_ROWS, _WEIGHT = "n_rows", "weight"
_BAD_WEIGHTS = ("missing", "negative", "infinite")


class TableColumn(NamedTuple):
    """The values of a column, in a list or a series of the library that collected them.

    The order is that of the categories that the table declares, from the lowest to the
    highest, or None.
    """

    values: Any
    order: tuple[Any, ...] | None


class PairTable(NamedTuple):
    """One row for each pair of true and predicted values that occurs in a group."""

    y_true: TableColumn
    y_pred: TableColumn
    groups: tuple[TableColumn, ...]
    n_rows: NDArray[np.int64]
    weight: NDArray[np.float64] | None


def count_pairs(
    frame: Any, y_true: str, y_pred: str, sample_weight: str | None, by: Sequence[str]
) -> PairTable:
    """Count the rows of each pair of values in each group, and add up their weights."""
    nw = _narwhals()
    table = _as_narwhals(nw, frame)
    schema = table.collect_schema()
    columns = {"y_true": y_true, "y_pred": y_pred}
    columns |= {f"by_{number}": name for number, name in enumerate(by)}
    for argument, name in columns.items():
        _check_column("by" if argument.startswith("by_") else argument, name, schema)
    # Under names of its own: one column may have several roles, and any name.
    selected = [nw.col(name).alias(argument) for argument, name in columns.items()]
    sums = [nw.len().alias(_N_ROWS)]
    if sample_weight is not None:
        _check_column("sample_weight", sample_weight, schema)
        if not schema[sample_weight].is_numeric():
            raise ValueError(
                f"sample_weight={sample_weight!r} must hold numbers, got "
                f"{schema[sample_weight]}: cast the column."
            )
        selected += _weight_columns(nw, nw.col(sample_weight).cast(nw.Float64))
        sums += [nw.col(_WEIGHT).sum(), *(nw.col(kind).sum() for kind in _BAD_WEIGHTS)]
    grouped = table.lazy().select(*selected).group_by(*columns).agg(*sums)
    rows = grouped.head(MAX_ROWS + 1).collect()
    if len(rows) > MAX_ROWS:
        raise ValueError(
            f"frame has more than {MAX_ROWS:,} different rows of {', '.join(columns.values())}: "
            f"y_true and y_pred must be classes, not probabilities or scores; count many groups "
            f"in parts."
        )
    if not len(rows):
        raise ValueError("frame must have at least one row.")
    weight = None
    if sample_weight is not None:
        _check_weights(sample_weight, rows)
        weight = _numbers(rows, _WEIGHT, np.float64)
    true, pred, *groups = (
        TableColumn(_values(nw, rows[argument], schema[name]), _order(schema[name]))
        for argument, name in columns.items()
    )
    return PairTable(true, pred, tuple(groups), _numbers(rows, _N_ROWS, np.int64), weight)


def _narwhals() -> Any:
    try:
        import narwhals
    except ImportError:
        raise ImportError(
            'Counting in tables needs narwhals: pip install "sklearn_ordinal[tables]".'
        ) from None
    return narwhals


def _as_narwhals(nw: Any, frame: Any) -> Any:
    try:
        return nw.from_native(frame)
    except TypeError:
        raise ValueError(
            f"frame must be a table that narwhals supports, such as of pandas, polars, pyarrow, "
            f"DuckDB, Dask or PySpark, got a {type(frame).__name__}."
        ) from None


def _check_column(argument: str, name: Any, schema: Any) -> None:
    if not isinstance(name, str) or name not in schema:
        known = ", ".join(map(repr, list(schema)[:10])) + (", ..." if len(schema) > 10 else "")
        raise ValueError(f"{argument} must be a column of frame, got {name!r}; it has {known}.")


def _weight_columns(nw: Any, weight: Any) -> list[Any]:
    """Return the weights, 0 for those that are refused, and an indicator of each reason."""
    # Libraries differ in conditions on null, so there are none.
    known = weight.fill_null(0.0)
    conditions = (weight.is_null() | known.is_nan(), known < 0, known == float("inf"))
    is_good = (known >= 0) & (known < float("inf"))
    return [
        nw.when(is_good).then(known).otherwise(nw.lit(0.0)).alias(_WEIGHT),
        *(
            nw.when(condition).then(nw.lit(1)).otherwise(nw.lit(0)).cast(nw.Int64).alias(kind)
            for kind, condition in zip(_BAD_WEIGHTS, conditions, strict=True)
        ),
    ]


def _check_weights(name: str, rows: Any) -> None:
    numbers = {kind: int(_numbers(rows, kind, np.int64).sum()) for kind in _BAD_WEIGHTS}
    found = [f"{number:,} {kind}" for kind, number in numbers.items() if number]
    if found:
        raise ValueError(
            f"sample_weight={name!r} must hold finite, non-negative numbers, got "
            f"{' and '.join(found)} of {int(_numbers(rows, _N_ROWS, np.int64).sum()):,} weights: "
            f"correct them or filter the rows."
        )


def _numbers(rows: Any, name: str, dtype: Any) -> NDArray[Any]:
    return np.asarray(rows[name].to_numpy(), dtype=dtype)


def _values(nw: Any, series: Any, dtype: Any) -> Any:
    """Return the series, or a list of Python objects where NumPy has no such type.

    pyarrow has integers of 128 bits only as decimals.
    """
    if dtype in {nw.Int128, nw.UInt128}:
        return [None if value is None else int(value) for value in series.to_list()]
    return series.to_list() if dtype.is_temporal() else series.to_native()


def _order(dtype: Any) -> tuple[Any, ...] | None:
    """Return the categories of an ENUM, whose order a collected column may have lost."""
    categories = getattr(dtype, "categories", None)
    return None if categories is None else tuple(categories)
