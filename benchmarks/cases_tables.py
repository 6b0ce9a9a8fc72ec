"""Counting in parquet files, compared with aggregations written by hand for the same library."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
from numpy.typing import NDArray

from sklearn_ordinal import OrdinalConfusion

N_ROWS = 100_000_000
N_FILES = 10
# In alphabetical order, as DuckDB sorts them.
LEVELS = ["A1", "A2", "B1", "B2", "C1"]
COUNTRIES = ["DE", "ES", "FR", "IT", "PL", "PT", "RO", "SE"]


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
}


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
            codes | {"country": rng.integers(8, size=n, dtype=np.uint8), "weight": rng.random(n)}
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


def _matrices(amounts: Any, columns: Columns) -> NDArray[Any]:
    groups = () if columns.by is None else (len(COUNTRIES),)
    return np.asarray(amounts).reshape(*groups, len(LEVELS), len(LEVELS))


def by_hand_in_polars(pattern: str, columns: Columns) -> NDArray[Any]:
    import polars as pl

    amount = pl.len() if columns.weight is None else pl.col(columns.weight).sum()
    rows = pl.scan_parquet(pattern).group_by(columns.keys).agg(amount.alias("amount")).collect()
    return _matrices(rows.sort(columns.keys)["amount"], columns)


def by_hand_in_duckdb(pattern: str, columns: Columns) -> NDArray[Any]:
    import duckdb

    keys = ", ".join(columns.keys)
    amount = "count(*)" if columns.weight is None else f"sum({columns.weight})"
    rows = duckdb.sql(
        f"SELECT {keys}, {amount} AS amount FROM read_parquet('{pattern}') "
        f"GROUP BY {keys} ORDER BY {keys}"
    )
    return _matrices(rows.fetchnumpy()["amount"], columns)


def counted(table: Any, columns: Columns) -> OrdinalConfusion:
    # DuckDB reads enums of polars as strings.
    labels = None if columns.y_true == "grade" else LEVELS
    return OrdinalConfusion.from_table(
        table,
        columns.y_true,
        columns.y_pred,
        labels=labels,
        sample_weight=columns.weight,
        by=columns.by,
    )


def counted_by_polars(pattern: str, columns: Columns) -> OrdinalConfusion:
    import polars as pl

    return counted(pl.scan_parquet(pattern), columns)


def counted_by_duckdb(pattern: str, columns: Columns) -> OrdinalConfusion:
    import duckdb

    return counted(duckdb.read_parquet(pattern), columns)


Count = Callable[[str, Columns], Any]
LIBRARIES: dict[str, tuple[Count, Count]] = {
    "polars": (by_hand_in_polars, counted_by_polars),
    "duckdb": (by_hand_in_duckdb, counted_by_duckdb),
}


def _cases() -> Iterator[Case]:
    for library, (by_hand, ours) in LIBRARIES.items():
        left_out = unless_installed("polars") or unless_installed(library)
        for name, columns in COLUMNS.items():
            yield CallTime(
                f"parquet, {library}, {name}",
                peer=partial(by_hand, columns=columns),
                ours=partial(ours, columns=columns),
                data=files,
                demands={N_ROWS: at_most(1.3)},
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
