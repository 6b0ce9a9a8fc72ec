"""Join a file of true classes with a file of predictions by the ids of the samples.

Ids are compared as text without spaces around it, so that 1 and 01 are different ids.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from sklearn_ordinal._tables._data_files import DataFile, polars
from sklearn_ordinal._tables._table_problems import Problem, first_of

if TYPE_CHECKING:
    from polars import DataFrame, Expr, LazyFrame

_ID = "id"
_SHOWN = 3


def rows_with_ids(
    file: DataFile, ids: str, columns: Mapping[str, str], weights: Collection[str] = ()
) -> LazyFrame:
    """Return columns of a file, as `DataFile.select` does, and the ids as column "id"."""
    return file.select({_ID: ids, **columns}, weights).with_columns(_id_as_text())


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
    return [f"{what} {len(ids):,} {noun}{of_what}: {first_of(ids[_ID].sort(), _SHOWN)}"]
