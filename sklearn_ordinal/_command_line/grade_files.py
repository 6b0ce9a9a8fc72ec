"""Grades of several raters in a file with a row for each grade, and files of judges."""

from __future__ import annotations

import argparse
import contextlib
import warnings
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._command_line import class_columns, data_files, option_values
from sklearn_ordinal._command_line.class_columns import Class
from sklearn_ordinal._command_line.data_files import DataFile
from sklearn_ordinal._core import checks, dataframes
from sklearn_ordinal._core.dataframes import TableColumn
from sklearn_ordinal._core.grading import OrdinalRatings
from sklearn_ordinal._documents import formatting

if TYPE_CHECKING:
    from polars import DataFrame


_ITEM, _RATER, _GRADE, _WEIGHT, _GROUP = "item", "rater", "grade", "weight", "group"
# The largest number of values in an error.
_SHOWN = 5
# What programs write in place of missing values.
_PLACEHOLDERS = {"na", "n/a", "nan", "<na>", "null", "none", "."}


def add_grade_options(group: argparse._ArgumentGroup) -> None:
    """Add the options of the columns of a file with a row for each grade, and of its classes."""
    for name, text in {
        _ITEM: "ids of the items, compared as text",
        _RATER: "names of the raters",
        _GRADE: "grades; an empty field is no grade",
    }.items():
        group.add_argument(
            f"--{name}", metavar="COLUMN", default=name, help=f"{text} (default: {name})"
        )
    option_values.add_sample_options(group, "item", "the same in all rows of an item")
    group.add_argument(
        "--repeats",
        choices=("raise", "runs"),
        default="raise",
        help="several grades of a rater for the same item: an error (raise, the default), or "
        "repeated runs of a judge, each of which counts as a rater (runs)",
    )
    option_values.add_labels_option(group)
    option_values.add_quotes_option(group)


def read_ratings(options: argparse.Namespace) -> OrdinalRatings:
    """Return the grades in the file of the options."""
    file = data_files.open_file(options.file, options.quotes)
    columns = {_ITEM: options.item, _RATER: options.rater, _GRADE: options.grade}
    if options.weight is not None:
        columns[_WEIGHT] = options.weight
    units = option_values.columns_drawn_with(options)
    columns |= units
    with data_files.progress_of(file):
        rows = file.select(columns, weights=[_WEIGHT])
        with data_files.reading(file):
            table = rows.collect()
    order = data_files.column_of(table, _GRADE).order
    table = _with_text(table)
    named = {_ITEM: "an item", _RATER: "a rater"} | {
        name: f"a {option_values.DRAWN_WITH[name]}" for name in units
    }
    for name, noun in named.items():
        _raise_if_missing(table, name, f"column {columns[name]!r} of {options.file}", noun)
    _check_raters(table, file, options)
    table, labels = _with_classes(table, order, options)
    return OrdinalRatings.from_table(
        table,
        _ITEM,
        _RATER,
        _GRADE,
        labels=labels,
        sample_weight=None if options.weight is None else _WEIGHT,
        **dict(zip(units, units, strict=True)),
        repeats=options.repeats,
    )


def _with_text(table: DataFrame) -> DataFrame:
    """Return all columns but weights as text without spaces around it, null for empty fields."""
    import polars as pl

    names = [name for name in table.columns if name != _WEIGHT]
    # As text, NaN would be a grade.
    table = table.with_columns(
        pl.col(name).fill_nan(None) for name in names if table[name].dtype.is_float()
    )
    text = pl.col(names).cast(pl.String).str.strip_chars()
    return table.with_columns(text).with_columns(
        pl.when(pl.col(name) != "").then(pl.col(name)).alias(name) for name in names
    )


def _raise_if_missing(table: DataFrame, name: str, where: str, noun: str) -> None:
    n_missing = table[name].null_count()
    n_rows = [len(table) - n_missing, n_missing]
    class_columns.raise_if_any([False, n_missing > 0], n_rows, where, f"without {noun}: fill them")


def _check_raters(table: DataFrame, file: DataFile, options: argparse.Namespace) -> None:
    """Raise unless there are several raters, each item has one grade of each, and one weight."""
    import polars as pl

    raters = table[_RATER].unique()
    if len(raters) == 1 and options.repeats == "raise":
        raise ValueError(
            f"column {options.rater!r} of {options.file} has one rater, {checks.shown(raters[0])}: "
            f"agreement needs at least two."
        )
    grades = table.filter(pl.col(_GRADE).is_not_null()).select(_ITEM, _RATER)
    repeated = grades.filter(grades.is_duplicated())
    if len(repeated) and options.repeats == "raise":
        item, rater = repeated.row(0)
        way_out = "use --repeats runs if these are repeated runs of a judge"
        if columns := _columns_that_tell_apart(file, options):
            verb = "tells" if len(columns) == 1 else "tell"
            way_out = f"{' and '.join(map(repr, columns))} {verb} them apart, so write a file for "
            way_out += "each value"
        raise ValueError(
            f"{options.file} has several grades of rater {checks.shown(rater)} for item "
            f"{checks.shown(item)}{_and_more(repeated.n_unique(), 'such pair')}: {way_out}."
        )
    for name, noun in ((_WEIGHT, "weight"), *option_values.DRAWN_WITH.items()):
        if name in table.columns:
            values = table.select(_ITEM, name).unique()
            items = values.filter(values[_ITEM].is_duplicated())
            if len(items):
                raise ValueError(
                    f"column {getattr(options, name)!r} of {options.file} must have the same "
                    f"{noun} in all rows of an item, but differs for item "
                    f"{checks.shown(items[_ITEM].min())}."
                )


def _columns_that_tell_apart(file: DataFile, options: argparse.Namespace) -> tuple[str, ...]:
    """Return one or two columns, such as criteria, by which each rater grades an item once."""
    roles = "item", "rater", "grade", "weight", "clusters", "strata"
    used = {getattr(options, role) for role in roles}
    names = []
    for name in set(file.names) - used:
        # Repeated names and columns of lists cannot be read.
        with contextlib.suppress(ValueError):
            file.select({name: name})
            names.append(name)
    columns = {_ITEM: options.item, _RATER: options.rater, _GRADE: options.grade}
    columns |= {f"other {name}": name for name in names}
    with data_files.reading(file):
        rows = _with_text(file.select(columns).collect()).drop_nulls(_GRADE)
    # A column with a value for nearly every row, such as a remark, does not divide the grades.
    n_values = {
        name: rows[f"other {name}"].n_unique()
        for name in sorted(names)
        if 2 * rows[f"other {name}"].n_unique() <= len(rows)
    }
    for size in (1, 2):
        found = [
            chosen
            for chosen in combinations(n_values, size)
            if not rows.select(_ITEM, _RATER, *(f"other {name}" for name in chosen))
            .is_duplicated()
            .any()
        ]
        if found:
            return min(found, key=lambda chosen: sum(map(n_values.__getitem__, chosen)))
    return ()


def _and_more(number: int, noun: str) -> str:
    """Return the number of further cases in words, nothing if there is a single case."""
    return f", and {formatting.counted(number - 1, f'more {noun}')}" if number > 1 else ""


def _raise_if_placeholders(
    texts: Sequence[str], counts: Sequence[int], labels: Sequence[str] | None, where: str
) -> None:
    """Raise if words that mean no grade in other programs are among the grades.

    They are text, as in all files of the command line, and may be the names of classes.
    """
    words = [
        text for text in texts if text.casefold() in _PLACEHOLDERS and text not in (labels or ())
    ]
    if words:
        n_rows = sum(n for text, n in zip(texts, counts, strict=True) if text in words)
        raise ValueError(
            f"{where} has {dataframes.first_of(words, len(_PLACEHOLDERS))} in {n_rows:,} of "
            f"{sum(counts):,} rows: leave the field empty where there is no grade, or name all "
            "classes with --labels."
        )


def _with_classes(
    table: DataFrame, order: Any, options: argparse.Namespace
) -> tuple[DataFrame, list[Class] | None]:
    """Return the grades as text or integers, and the classes from the lowest to the highest."""
    import polars as pl

    # A few distinct grades are faster to read than all rows.
    counts = table.filter(pl.col(_GRADE).is_not_null()).group_by(_GRADE).len().sort(_GRADE)
    if not len(counts):
        raise ValueError(
            f"column {options.grade!r} of {options.file} has no grade: name the column of the "
            f"grades with --grade."
        )
    texts, where = counts[_GRADE].to_list(), f"column {options.grade!r} of {options.file}"
    declared = options.labels or (None if order is None else [str(label) for label in order])
    _raise_if_placeholders(texts, counts["len"].to_list(), declared, where)
    (classes,), labels = class_columns.read_classes(
        {where: TableColumn(texts, order)},
        options.labels,
        counts["len"].to_numpy().astype(np.int64),
    )
    distinct = labels if labels is not None else sorted(set(classes), key=str)
    if len(distinct) == 1:
        raise ValueError(
            f"{where} has the single class {checks.shown(distinct[0])}: give all classes from the "
            "lowest to the highest with --labels."
        )
    return table.with_columns(class_columns.of_rows(table[_GRADE], texts, classes)), labels


def read_judge(path: str, ratings: OrdinalRatings, options: argparse.Namespace) -> dict[str, Any]:
    """Return the grade of a judge for each item by its id, and warn of items without ratings."""
    import polars as pl

    assert ratings.items is not None
    file = data_files.open_file(path, options.quotes)
    columns = {_ITEM: options.item, _GRADE: options.grade}
    with data_files.progress_of(file):
        rows = file.select(columns)
        with data_files.reading(file):
            table = rows.collect()
    table = _with_text(table)
    _raise_if_missing(table, _ITEM, f"column {options.item!r} of {path}", "an item")
    repeated = table.filter(table[_ITEM].is_duplicated())
    if len(repeated):
        raise ValueError(
            f"{path} has several grades for item {checks.shown(repeated[_ITEM].min())}"
            f"{_and_more(repeated[_ITEM].n_unique(), 'such item')}: leave one grade for each item."
        )
    ids = set(ratings.items.tolist())
    missing = sorted(ids - set(table[_ITEM]))
    if missing:
        verb = "has" if len(missing) == 1 else "have"
        way_out = "add rows with an empty grade"
        if len(missing) == len(ids) and len(table):
            way_out = f"its items are such as {checks.shown(table[_ITEM].min())}; use the same ids"
        raise ValueError(
            f"{path} must have a row for each item of {options.file}, but {len(missing):,} of "
            f"{len(ids):,} items {verb} none, such as {checks.shown(missing[0])}: {way_out}."
        )
    others = table.filter(~pl.col(_ITEM).is_in(list(ids)))
    if len(others):
        warnings.warn(
            f"{path} has {formatting.counted(len(others), 'item')} that {options.file} does not "
            f"have, such as {checks.shown(others[_ITEM].min())}: left out.",
            stacklevel=2,
        )
    graded = table.filter(pl.col(_GRADE).is_not_null() & pl.col(_ITEM).is_in(list(ids)))
    if not len(graded):
        raise ValueError(
            f"column {options.grade!r} of {path} has no grade: name the column of the grades with "
            f"--grade."
        )
    texts, where = graded[_GRADE].to_list(), f"column {options.grade!r} of {path}"
    labels = [str(label) for label in ratings.labels.tolist()]
    known = class_columns.without_unknown(texts, labels)
    if options.unknown == "error" and None in known:
        _raise_if_placeholders(texts, [1] * len(texts), labels, where)
        unknown = [text for text, grade in zip(texts, known, strict=True) if grade is None]
        raise ValueError(
            f"{where} has {len(unknown):,} of {formatting.counted(len(texts), 'grade')} that are "
            f"not among {', '.join(labels)}: {dataframes.first_of(sorted(set(unknown)), _SHOWN)}: "
            "use --unknown count if these are no grades, such as refusals, or give all classes "
            "with --labels."
        )
    graded = graded.with_columns(pl.Series(_GRADE, known)).drop_nulls(_GRADE)
    if not len(graded):
        raise ValueError(
            f"{where} has no grade that is among {', '.join(labels)}: name the column of the "
            f"grades with --grade."
        )
    (classes,), _ = class_columns.read_classes({where: TableColumn(graded[_GRADE], None)}, labels)
    return dict.fromkeys(ratings.items.tolist()) | dict(zip(graded[_ITEM], classes, strict=True))


def read_item_groups(ratings: OrdinalRatings, options: argparse.Namespace) -> NDArray[Any]:
    """Return the groups of each item, with a column for each column of the file."""
    assert ratings.items is not None
    names = {f"{_GROUP} {column}": column for column in options.by}
    file = data_files.open_file(options.file, options.quotes)
    with data_files.reading(file):
        table = file.select({_ITEM: options.item, **names}).collect()
    table = _with_text(table)
    for name, column in names.items():
        where = f"column {column!r} of {options.file}"
        _raise_if_missing(table, name, where, "a group")
        groups = table.select(_ITEM, name).unique()
        items = groups.filter(groups[_ITEM].is_duplicated())
        if len(items):
            raise ValueError(
                f"{where} must have the same group in all rows of an item, but differs for item "
                f"{checks.shown(items[_ITEM].min())}."
            )
    groups_of = {item: groups for item, *groups in table.unique().iter_rows()}
    return np.array([groups_of[item] for item in ratings.items.tolist()], dtype=object)
