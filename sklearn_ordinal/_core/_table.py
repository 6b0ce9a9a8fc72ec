"""Confusion matrices from pairs of values that the library of a table has counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core._checks import check_amounts, check_weights, listed, shown
from sklearn_ordinal._core._containers import (
    Column,
    array_from_labels,
    check_no_missing,
    read_present,
)
from sklearn_ordinal._core._counting import Counted, Unanswered, run_of
from sklearn_ordinal._core._encoding import declared_scale, encode_present
from sklearn_ordinal._core._missing_codes import warn_of_missing_codes
from sklearn_ordinal._core._names import check_names
from sklearn_ordinal._core._scale import OrdinalScale, as_scale
from sklearn_ordinal._tables import PairTable, TableColumn, collect_grades, count_pairs


class Grades(NamedTuple):
    """The columns of a table with a row for each grade."""

    item: Any
    rater: Any
    grade: Column
    """The grades that are not missing."""
    is_present: NDArray[np.bool_]
    """Whether each row has a grade."""
    weight: NDArray[np.float64] | None


class _Read(NamedTuple):
    """The values of a column that are not missing, and their rows."""

    column: Column
    is_present: NDArray[np.bool_]


def count_table(
    frame: Any,
    y_true: str,
    y_pred: str,
    labels: Any,
    sample_weight: str | None,
    by: str | Sequence[str] | None,
    unanswered: Unanswered,
) -> Counted:
    """Count the rows of a table, separately for each group if `by` is given."""
    _check_is_name("y_true", y_true)
    _check_is_name("y_pred", y_pred)
    if sample_weight is not None:
        _check_is_name("sample_weight", sample_weight)
    by = () if by is None else (by,) if isinstance(by, str) else check_names("by", by)
    # Check this first, since counting the rows may take a long time.
    labels = None if labels is None else as_scale(labels)
    pairs = count_pairs(frame, y_true, y_pred, sample_weight, by)
    return counted_pairs(pairs, y_true, y_pred, labels, sample_weight, by, unanswered)


def read_grades(frame: Any, item: str, rater: str, grade: str, sample_weight: str | None) -> Grades:
    """Return the columns of a table with a row for each grade of a rater for an item."""
    columns = {"item": item, "rater": rater, "grade": grade}
    if sample_weight is not None:
        columns["sample_weight"] = sample_weight
    for argument, name in columns.items():
        _check_is_name(argument, name)
    table = collect_grades(frame, item, rater, grade, sample_weight)
    for argument, values in (("item", table.item), ("rater", table.rater)):
        check_no_missing(
            values, f"{argument}={shown(columns[argument])}", "fill them or filter these rows"
        )
    read = _read(f"grade={shown(grade)}", table.grade)
    weight = None
    if sample_weight is not None:
        name = f"sample_weight={shown(sample_weight)}"
        weight = check_weights(name, table.weight, len(read.is_present))
    return Grades(table.item, table.rater, read.column, read.is_present, weight)


def _check_is_name(argument: str, name: Any) -> None:
    if not isinstance(name, str):
        raise ValueError(
            f"{argument} must be the name of a column, a string, got {shown(name)}: rename the "
            f"column if this is its name."
        )


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
    name_of_weights = f"sample_weight={shown(sample_weight)}"
    if pairs.sums is not None:
        check_amounts(name_of_weights, amounts)
    if not amounts.any():
        raise ValueError(f"{name_of_weights} must not be all zero.")
    true = _read(f"y_true={shown(y_true)}", pairs.y_true)
    pred = _read(f"y_pred={shown(y_pred)}", pairs.y_pred)
    _check_none_missing(true, n_rows, "fill them or filter these rows")
    if unanswered == "raise":
        _check_none_missing(pred, n_rows, "pass unanswered='count' to count them as unanswered")
    scale = declared_scale([true.column, pred.column], labels)
    if scale is not None:
        _check_on_scale(true, n_rows, scale)
        _check_on_scale(pred, n_rows, scale)
    encoded = encode_present(true.column, [pred], scale)
    of_true, of_pred = encoded.columns
    of_group, groups = _read_groups(by, pairs.groups, n_rows)
    if scale is None:
        # Classes at the ends of the run are cut off if all their rows have weight zero.
        run = run_of(np.bincount(np.concatenate([of_true, of_pred]), np.tile(amounts, 2)) > 0)
        numbers = n_rows if pairs.sums is None else pairs.sums.has_weight
        columns = (of_true, numbers), (of_pred, numbers * pred.is_present)
        sizes = [np.bincount(*column, minlength=run.stop)[: run.stop] for column in columns]
        warn_of_missing_codes(encoded.lowest, np.array(sizes))
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
    check_amounts(name_of_weights, sums[..., :-1], axis=(-2, -1))
    check_amounts(name_of_weights, sums[..., -1])
    return Counted(
        scale,
        counts,
        True,
        missing,
        groups,
        sample_counts=cell_sums(pairs.sums.has_weight),
        squared_weights=cell_sums(pairs.sums.squared_weight),
    )


def _read(name: str, of_table: TableColumn) -> _Read:
    column, is_present = read_present(of_table.values, name)
    if of_table.order is None or column.is_ordered:
        return _Read(column, is_present)
    # The table declares an order that the collected column has lost.
    categories = array_from_labels(list(of_table.order))
    codes = OrdinalScale(categories).encode(column)
    return _Read(Column(name, codes, categories, is_ordered=True), is_present)


def _check_none_missing(read: _Read, n_rows: NDArray[np.int64], way_out: str) -> None:
    if not read.is_present.all():
        raise ValueError(
            f"{read.column.name} has {_number_of(n_rows, ~read.is_present)} without a value (null "
            f"or NaN): {way_out}."
        )


def _check_on_scale(read: _Read, n_rows: NDArray[np.int64], scale: OrdinalScale) -> None:
    column, labels = read.column, scale.labels
    values = column.values if column.categories is None else column.categories[column.values]
    if values.dtype.kind == "f" and labels.dtype.kind in "fi":
        labels = labels.astype(values.dtype)  # 0.1 as float32 is another number
    is_outside = np.zeros(len(n_rows), dtype=np.bool_)
    members = set(labels.tolist())
    is_outside[read.is_present] = [value not in members for value in values.tolist()]
    if is_outside.any():
        extra = [value for value in column.distinct() if value not in members]
        raise ValueError(
            f"{column.name} has {_number_of(n_rows, is_outside)} with classes that are not in "
            f"labels: {listed(extra)}; labels are {listed(scale.labels)}."
        )


def _number_of(n_rows: NDArray[np.int64], which: NDArray[np.bool_]) -> str:
    return f"{int(n_rows[which].sum()):,} of {int(n_rows.sum()):,} rows"


def _read_groups(
    by: Sequence[str], columns: Sequence[TableColumn], n_rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], tuple[Any, ...]]:
    """Return the number of the group of each row, and the groups in order."""
    if not by:
        return np.zeros(len(n_rows), dtype=np.int64), ()
    names, codes = [], []
    for name, column in zip(by, columns, strict=True):
        cells = _read(f"by={shown(name)}", column)
        _check_none_missing(cells, n_rows, "fill them or filter these rows")
        distinct, numbers = _sorted_values(cells.column)
        names.append(distinct)
        codes.append(numbers)
    combined, numbers = np.unique(np.stack(codes, axis=1), axis=0, return_inverse=True)
    groups = [
        tuple(distinct[code] for distinct, code in zip(names, row, strict=True))
        for row in combined.tolist()
    ]
    # Only in NumPy 2.0, the inverse has the shape of the array.
    of_group = numbers.reshape(-1).astype(np.int64)
    return of_group, tuple(group[0] for group in groups) if len(by) == 1 else tuple(groups)


def _sorted_values(column: Column) -> tuple[list[Any], NDArray[np.intp]]:
    """Return the values that occur, sorted, and the number of each row's value."""
    if column.categories is not None and column.is_ordered:
        occurring, numbers = np.unique(column.values, return_inverse=True)
        return column.categories[occurring].tolist(), numbers
    values = column.values if column.categories is None else column.categories[column.values]
    if values.dtype != object:
        distinct, numbers = np.unique(values, return_inverse=True)
        return (distinct.astype(bool) if column.is_bool else distinct).tolist(), numbers
    ordered = list(dict.fromkeys(values.tolist()))
    try:
        ordered.sort()
    except TypeError:  # values of several types
        ordered.sort(key=repr)
    number_of = {value: number for number, value in enumerate(ordered)}
    return ordered, np.array([number_of[value] for value in values.tolist()], dtype=np.intp)
