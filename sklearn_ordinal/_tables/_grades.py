"""Read the columns of a table with a row for each grade of a rater for an item."""

from __future__ import annotations

from typing import Any, NamedTuple

from sklearn_ordinal._tables._pairs import (
    TableColumn,
    check_column,
    column_values,
    import_narwhals,
    order_of,
    read_schema,
    selected,
)
from sklearn_ordinal._tables._table_problems import EmptyTableError


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
