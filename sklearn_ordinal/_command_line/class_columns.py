"""Classes in columns of files, and the list of rows with a problem."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._command_line.option_values import Accepted
from sklearn_ordinal._core import checks, dataframes, scales
from sklearn_ordinal._core.dataframes import TableColumn
from sklearn_ordinal._documents import writing

if TYPE_CHECKING:
    from polars import DataFrame, Series


# The classes in columns of files, which are text unless parquet says otherwise
# -----------------------------------------------------------------------------

Class: TypeAlias = str | int
Classes: TypeAlias = list[Class | None]

# Longer integers may not have 64 bits.
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}(\.0*)?")
_SHOWN = 5
_NOTHING = Accepted()


def read_classes(
    columns: Mapping[str, TableColumn],
    labels: Sequence[str] | None,
    n_rows: NDArray[np.int64] | None = None,
    *,
    accepted: Accepted = _NOTHING,
) -> tuple[list[Any], list[Class] | None]:
    """Return columns of classes as text, or as integers if all of their values are integers.

    As integers, 3, +3, 03 and 3.0 are the same class. Programs may write 3 as 3.0 in columns that
    have missing values.

    Parameters
    ----------
    columns : mapping of str to TableColumn
        The columns, keyed by the names that errors use; the first column has the true classes.
    labels : sequence of str or None
        The classes from the lowest to the highest. If None, the categories of an ordered type, such
        as Enum in parquet, or the integers that occur.
    n_rows : ndarray of shape (n_values,), default=None
        The number of rows that each value stands for. If None, the columns are series in which each
        value stands for one row.
    accepted : Accepted, default=Accepted()
        Whether predictions may be missing, and whether predictions that are not among the classes
        count as missing.

    Returns
    -------
    columns : list of list or polars.Series
        The values of each column, series if `n_rows` is None, and None where they are missing.
    labels : list or None
        The classes from the lowest to the highest; None for the integers that occur.

    Raises
    ------
    ValueError
        If values are missing or not among the classes, or the order is not known.
    """
    names = list(columns)
    values = [column.values for column in columns.values()]
    if n_rows is None:
        # A few distinct values are faster to read than all rows.
        values, counts = map(list, zip(*map(_distinct, values), strict=True))
    else:
        counts = [n_rows.tolist()] * len(names)
    text = list(map(as_text, values))
    problems = _missing_values(names, text, counts, may_be_missing=accepted.missing)
    declared = _declared_order(columns) if labels is None else labels
    if accepted.unknown:
        if declared is None:
            raise ValueError(
                "--unknown count counts predictions that are not among the classes: give all "
                "classes from the lowest to the highest with --labels."
            )
        text = [text[0], *(without_unknown(values, declared) for values in text[1:])]
    converted, classes = _integers_if_all_are(text, declared)
    if classes is not None:
        declaration = "the order of its type" if labels is None else "--labels"
        problems += _undeclared_classes(names, converted, counts, classes, declaration)
    if problems:
        raise ValueError(f"{'; '.join(problems)}.")
    if classes is None:
        _raise_if_order_is_unknown(names, converted)
    if n_rows is not None:
        return converted, classes
    of_columns = zip(columns.values(), values, converted, strict=True)
    return [of_rows(column.values, old, new) for column, old, new in of_columns], classes


def _distinct(values: Series) -> tuple[list[Any], list[int]]:
    """Return the distinct values of a column, and the number of rows of each."""
    # NaN means that there is no value.
    values = values.fill_nan(None) if values.dtype.is_float() else values
    counts = values.alias("value").value_counts(name="n")
    return counts["value"].to_list(), counts["n"].to_list()


def of_rows(values: Series, old: Sequence[Any], new: Sequence[Any]) -> Series:
    """Return a column with its distinct values replaced by classes."""
    import polars as pl

    known = {o: n for o, n in zip(old, new, strict=True) if o is not None and n is not None}
    kind = pl.Int64 if any(isinstance(n, int) for n in known.values()) else pl.String
    values = values.cast(pl.String) if values.dtype in (pl.Categorical, pl.Enum) else values
    return values.replace_strict(list(known), list(known.values()), default=None, return_dtype=kind)


def as_text(values: Any) -> list[str | None]:
    """Return values of a list or series as text without spaces around it.

    None stands for missing or empty values.
    """
    # Do not iterate over the series, since the items of a column of lists are series.
    items = values.to_list() if hasattr(values, "to_list") else values
    return [_text(value) for value in items]


def _text(value: Any) -> str | None:
    # NaN is not equal to itself.
    if value is None or value != value:
        return None
    return str(value).strip() or None


def _declared_order(columns: Mapping[str, TableColumn]) -> list[str] | None:
    orders = {
        name: [str(category).strip() for category in column.order]
        for name, column in columns.items()
        if column.order
    }
    if not orders:
        return None
    (first, expected), *further = orders.items()
    for name, order in further:
        if order != expected:
            raise ValueError(
                f"{first} and {name} have different orders, {', '.join(expected)} and "
                f"{', '.join(order)}: give the order with --labels."
            )
    return expected


def _integers_if_all_are(
    columns: Sequence[Sequence[str | None]], labels: Sequence[str] | None
) -> tuple[list[Classes], list[Class] | None]:
    texts = {value for column in columns for value in column if value is not None}
    texts.update(labels or ())
    if not all(map(_INTEGER.fullmatch, texts)):
        return [list(column) for column in columns], None if labels is None else list(labels)
    number_of = {text: int(text.partition(".")[0]) for text in texts}
    converted: list[Classes] = [
        [None if value is None else number_of[value] for value in column] for column in columns
    ]
    return converted, None if labels is None else [number_of[label] for label in labels]


def without_unknown(values: Sequence[str | None], labels: Sequence[str] | None) -> list[str | None]:
    """Return values, with None in place of values that are not among the classes.

    If `labels` is None, all integers are classes.
    """
    if labels is None:
        return [value if value and _INTEGER.fullmatch(value) else None for value in values]
    are_integers = all(map(_INTEGER.fullmatch, labels))

    def class_of(text: str) -> Class:
        # As integers, 3.0 and 03 are the class 3.
        is_integer = are_integers and _INTEGER.fullmatch(text)
        return int(text.partition(".")[0]) if is_integer else text

    classes = set(map(class_of, labels))
    return [value if value is not None and class_of(value) in classes else None for value in values]


def _missing_values(
    names: Sequence[str],
    columns: Sequence[Sequence[str | None]],
    counts: Sequence[Sequence[int]],
    *,
    may_be_missing: bool,
) -> list[str]:
    """Return a problem for each column that has missing values; predictions may be missing."""
    problems = []
    for name, values, n_rows in zip(names, columns, counts, strict=True):
        is_true = name == names[0]
        if may_be_missing and not is_true:
            continue
        way_out = (
            "leave them out or fill them" if is_true else "use --unanswered count to accept them"
        )
        is_missing = [value is None for value in values]
        problems += _rows_with_problem(is_missing, n_rows, name, f"without a class: {way_out}")
    return problems


def _undeclared_classes(
    names: Sequence[str],
    columns: Sequence[Classes],
    counts: Sequence[Sequence[int]],
    classes: Sequence[Class],
    declaration: str,
) -> list[str]:
    """Return a problem for each column with classes that `declaration`, a place, does not have."""
    declared = set(classes)
    if twice := checks.repeated(classes):
        raise ValueError(
            f"{declaration} must name each class once, but these classes are repeated: "
            f"{_listed(set(twice))}."
        )
    problems = []
    for name, values, n_rows in zip(names, columns, counts, strict=True):
        where = [value is not None and value not in declared for value in values]
        extra = {value for value, is_extra in zip(values, where, strict=True) if is_extra}
        problem = (
            f"with classes that are not among {', '.join(map(str, classes))}: {_listed(extra)}"
        )
        way_out = "use --unknown count to count other predictions as missing"
        if name == names[0]:
            way_out = "leave these rows out of the file if the value means that there is no class"
        problem += f"; {declaration} must name all classes, or {way_out}"
        problems += _rows_with_problem(where, n_rows, name, problem)
        # An order that true classes are not in is wrong for the predictions too.
        if problems and name == names[0]:
            break
    return problems


def _raise_if_order_is_unknown(names: Sequence[str], columns: Sequence[Classes]) -> None:
    """Raise unless classes without a declared order are integers, and not too many."""
    classes = {value for values in columns for value in values if value is not None}
    where = f"{' and '.join(names)} {'has' if len(names) == 1 else 'have'}"
    strings = [value for value in classes if not _INTEGER.fullmatch(str(value))]
    if strings:
        raise ValueError(
            f"{where} classes that are not integers, {_listed(strings)}, whose order is not known: "
            f"give all classes from the lowest to the highest with --labels, such as --labels "
            f"low,mid,high."
        )
    integers = [value for value in classes if isinstance(value, int)]
    if max(integers) - min(integers) >= scales.MAX_INTEGER_RUN:
        raise ValueError(
            f"{where} integers from {min(integers)} to {max(integers)}, which are too many "
            f"classes: list those that occur with --labels."
        )


def raise_if_any(where: Sequence[bool], counts: Sequence[int], name: str, problem: str) -> None:
    """Raise if a column has values with a problem; `counts` are the rows that they stand for."""
    for text in _rows_with_problem(where, counts, name, problem):
        raise ValueError(f"{text}.")


def _rows_with_problem(
    where: Sequence[bool], counts: Sequence[int], name: str, problem: str
) -> list[str]:
    """Return the number of rows of a column that have a problem in words, if there are any."""
    n_bad = sum(n for n, is_bad in zip(counts, where, strict=True) if is_bad)
    return [f"{name} has {n_bad:,} of {sum(counts):,} rows {problem}"] if n_bad else []


def _listed(values: Iterable[Class | None]) -> str:
    return dataframes.first_of(sorted(map(str, values)), _SHOWN)


def as_group_names(names: Sequence[str | None]) -> list[Any]:
    """Return names of groups, as integers if all of them are, so that 9 comes before 10."""
    # Groups such as 07 are names and stay text.
    are_integers = all(re.fullmatch("-?[1-9][0-9]*|0", str(name)) for name in names)
    return [int(str(name)) for name in names] if are_integers else list(names)


# The file that lists every id and every answer of systems with a problem
# -----------------------------------------------------------------------


class ProblemRow(NamedTuple):
    """A problem of an id, of its answer, or of a whole file, which has no id."""

    file: str
    problem: str
    id: str | None = None
    answer: str | None = None


def rows_with_problems(
    path: str,
    answers: DataFrame,
    gold: str,
    gold_ids: Series,
    labels: Sequence[str] | None,
    accepted: Accepted,
) -> list[ProblemRow]:
    """Return the problems of the ids and answers of a system, sorted by the ids.

    Parameters
    ----------
    path : str
        The file of the system.
    answers : polars.DataFrame
        Its rows, with the columns "id" and "y_pred".
    gold : str
        The gold file.
    gold_ids : polars.Series
        The ids of the gold file.
    labels : sequence of str or None
        All classes, None if all integers are classes.
    accepted : Accepted
        Which predictions are not a problem.
    """
    texts = as_text(answers["y_pred"])
    known = without_unknown(texts, labels)
    ids = answers["id"].to_list()
    in_gold = set(gold_ids.to_list())
    seen: set[str] = set()
    rows = []
    for name, text, class_ in zip(ids, texts, known, strict=True):
        if name is None:
            rows.append(ProblemRow(path, "no id", None, text))
        elif name not in in_gold:
            rows.append(ProblemRow(path, f"not in {gold}", name, text))
        elif name in seen:
            rows.append(ProblemRow(path, "id occurs before", name, text))
        elif text is None and not accepted.missing:
            rows.append(ProblemRow(path, "no answer", name))
        elif text is not None and class_ is None and not accepted.unknown:
            rows.append(ProblemRow(path, "not a class", name, text))
        seen.add(name)
    if not accepted.missing:
        rows += [ProblemRow(path, "no row", name) for name in in_gold - seen]
    return sorted(rows, key=lambda row: (row.id or "", row.problem))


def write_problem_rows(path: str, rows: Iterable[ProblemRow]) -> None:
    """Write a csv file with a row for each problem, and only the header if there are none."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(ProblemRow._fields)
    writer.writerows(rows)
    writing.replace_file(path, text.getvalue())
