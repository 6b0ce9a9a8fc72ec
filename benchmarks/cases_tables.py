"""Counting in tables, compared with their columns and with aggregations written by hand."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from _cases import (
    CallResident,
    CallTime,
    Case,
    at_most,
    unless_installed,
    unless_resident_memory_is_known,
    within_megabytes,
)
from cases_counting import NAMES, count, integers, pandas_strings, polars_strings
from numpy.typing import NDArray

from sklearn_ordinal import GroupReport, OrdinalConfusion

N_ROWS = 100_000_000
N_FILES = 10
# In alphabetical order, as DuckDB sorts them.
LEVELS = ["A1", "A2", "B1", "B2", "C1"]
COUNTRIES = ["DE", "ES", "FR", "IT", "PL", "PT", "RO", "SE"]
N_REGIONS = 24


class Columns(NamedTuple):
    """The columns that are counted."""

    y_true: str
    y_pred: str
    by: str | None = None
    weight: str | None = None

    @property
    def keys(self) -> list[str]:
        return [key for key in (self.by, self.y_true, self.y_pred) if key is not None]


COLUMNS = {
    "integers": Columns("grade", "predicted"),
    "strings": Columns("level", "predicted_level"),
    "integers by": Columns("grade", "predicted", by="country"),
    "strings by": Columns("level", "predicted_level", by="country"),
    "weights": Columns("grade", "predicted", weight="weight"),
    "weights by": Columns("grade", "predicted", by="region", weight="weight"),
}
DEMANDS = {"weights by": at_most(1.5)}


@cache
def folder(n_rows: int) -> TemporaryDirectory[str]:
    """Return a folder of parquet files, which is deleted when the interpreter exits."""
    import polars as pl

    directory = TemporaryDirectory(prefix="sklearn_ordinal_benchmark_")
    rng = np.random.default_rng(0)
    n = n_rows // N_FILES
    for number in range(N_FILES):
        codes = {name: rng.integers(5, size=n, dtype=np.uint8) for name in ("grade", "predicted")}
        frame = pl.DataFrame(
            codes
            | {
                "country": rng.integers(len(COUNTRIES), size=n, dtype=np.uint8),
                "region": rng.integers(N_REGIONS, size=n, dtype=np.uint8),
                "weight": rng.random(n),
            }
        )
        frame.with_columns(
            _named("grade", LEVELS).alias("level"),
            _named("predicted", LEVELS).alias("predicted_level"),
            _named("country", COUNTRIES),
        ).write_parquet(Path(directory.name) / f"{number}.parquet")
    return directory


def _named(column: str, names: list[str]) -> Any:
    import polars as pl

    return pl.col(column).replace_strict(
        list(range(len(names))), names, return_dtype=pl.Enum(names)
    )


def files(n_rows: int) -> tuple[str]:
    return (f"{folder(n_rows).name}/*.parquet",)


def _matrices(sums: Sequence[Any], columns: Columns) -> NDArray[Any]:
    """Return the columns of sums, whose rows are sorted, as matrices or as a stack by group."""
    groups = () if columns.by is None else (-1,)
    return np.array([np.reshape(column, (*groups, len(LEVELS), len(LEVELS))) for column in sums])


def by_hand_in_polars(pattern: str, columns: Columns) -> NDArray[Any]:
    import polars as pl

    sums = [pl.len().alias("n")]
    if columns.weight is not None:
        weight = pl.col(columns.weight)
        sums += [weight.sum().alias("w"), (weight * weight).sum().alias("w2")]
    rows = pl.scan_parquet(pattern).group_by(columns.keys).agg(sums).collect().sort(columns.keys)
    return _matrices([rows[name] for name in rows.columns[len(columns.keys) :]], columns)


def by_hand_in_duckdb(pattern: str, columns: Columns) -> NDArray[Any]:
    import duckdb

    keys, weight = ", ".join(columns.keys), columns.weight
    sums = "count(*) AS n"
    if weight is not None:
        sums += f", sum({weight}) AS w, sum({weight} * {weight}) AS w2"
    rows = duckdb.sql(
        f"SELECT {sums} FROM read_parquet('{pattern}') GROUP BY {keys} ORDER BY {keys}"
    )
    return _matrices(list(rows.fetchnumpy().values()), columns)


def counted(table: Any, columns: Columns) -> NDArray[Any]:
    # DuckDB reads enums of polars as strings.
    labels = None if columns.y_true == "grade" else LEVELS
    confusion = OrdinalConfusion.from_table(
        table,
        columns.y_true,
        columns.y_pred,
        labels=labels,
        sample_weight=columns.weight,
        by=columns.by,
    )
    if columns.weight is None:
        return confusion.counts[None]
    if columns.by is not None:
        GroupReport.from_confusion(confusion)
    numbers, squares = confusion.sample_counts[..., :-1], confusion.squared_weights[..., :-1]
    return np.array([numbers, confusion.counts, squares])


def counted_by_polars(pattern: str, columns: Columns) -> NDArray[Any]:
    import polars as pl

    return counted(pl.scan_parquet(pattern), columns)


def counted_by_duckdb(pattern: str, columns: Columns) -> NDArray[Any]:
    import duckdb

    return counted(duckdb.read_parquet(pattern), columns)


Count = Callable[[str, Columns], Any]
LIBRARIES: dict[str, tuple[Count, Count]] = {
    "polars": (by_hand_in_polars, counted_by_polars),
    "duckdb": (by_hand_in_duckdb, counted_by_duckdb),
}


def frame(n_samples: int, library: str, kind: str) -> tuple[Any]:
    """Return a frame in memory."""
    import pandas as pd
    import polars as pl

    values: tuple[Any, ...] = integers(n_samples)
    if kind == "floats":
        values = tuple(y.astype(np.float64) for y in values)
    elif kind == "strings":
        is_pandas = library == "pandas"
        values = pandas_strings(n_samples, "str") if is_pandas else polars_strings(n_samples)
    columns = dict(zip(("y_true", "y_pred"), values, strict=True))
    return (pd.DataFrame(columns) if library == "pandas" else pl.DataFrame(columns),)


def count_columns(table: Any, labels: Any) -> OrdinalConfusion:
    return count(table["y_true"], table["y_pred"], labels=labels)


def _cases() -> Iterator[Case]:
    for library in ("pandas", "polars"):
        for kind in ("integers", "floats", "strings"):
            labels = NAMES if kind == "strings" else None
            yield CallTime(
                f"frame, {library}, {kind} / columns",
                peer=partial(count_columns, labels=labels),
                ours=partial(OrdinalConfusion.from_table, labels=labels),
                data=partial(frame, library=library, kind=kind),
                demands={1_000_000: at_most(1.5)},
                left_out=unless_installed("pandas") or unless_installed("polars"),
                clock=time.process_time,
            )
    for library, (by_hand, ours) in LIBRARIES.items():
        left_out = unless_installed("polars") or unless_installed(library)
        for name, columns in COLUMNS.items():
            yield CallTime(
                f"parquet, {library}, {name}",
                peer=partial(by_hand, columns=columns),
                ours=partial(ours, columns=columns),
                data=files,
                demands={N_ROWS: DEMANDS.get(name, at_most(1.3))},
                left_out=left_out,
            )
        for name, columns in COLUMNS.items():
            yield CallResident(
                f"memory, {library}, {name}",
                ours=partial(ours, columns=columns),
                data=files,
                demands={N_ROWS: within_megabytes(1_000)},
                left_out=left_out or unless_resident_memory_is_known(),
            )


CASES: list[Case] = list(_cases())
