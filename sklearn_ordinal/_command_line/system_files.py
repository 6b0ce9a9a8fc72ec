"""The files of systems, read in the order of a gold file."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sklearn_ordinal._command_line import class_columns, data_files, option_values
from sklearn_ordinal._command_line.class_columns import Class, Classes, ProblemRow
from sklearn_ordinal._command_line.data_files import DataFile, Problem
from sklearn_ordinal._command_line.option_values import Accepted
from sklearn_ordinal._core import dataframes
from sklearn_ordinal._core.dataframes import TableColumn
from sklearn_ordinal._documents import formatting

if TYPE_CHECKING:
    from polars import DataFrame, Series


# The largest number of names in a message.
_MOST_NAMES = 3
_TRUE, _PRED, _WEIGHT, _BY = "y_true", "y_pred", "sample_weight", "by"


def find_systems(paths: Sequence[str], gold: str) -> dict[str, str]:
    """Return the file of each system, keyed by name; a folder stands for the files in it."""
    files: list[str] = []
    for path in paths:
        # An empty name would be the current folder.
        files += _files_in(path) if path and Path(path).is_dir() else [path]
    systems: dict[str, str] = {}
    for file in files:
        if option_values.is_same_file(file, gold):
            warnings.warn(f"{file} is the gold file, so it is not a system.", stacklevel=2)
            continue
        name = Path(file).stem
        if name in systems and option_values.is_same_file(file, systems[name]):
            raise ValueError(f"{file} is given twice: leave one out.")
        if name in systems:
            raise ValueError(
                f"{systems[name]} and {file} would both be named {name!r}: rename one of them."
            )
        systems[name] = file
    if len(systems) < 2:
        for file in systems.values():
            if not Path(file).exists():
                raise ValueError(f"{file} does not exist: give the name of a file.")
        raise ValueError(
            f"compare needs at least two systems, got {len(systems)}: add files, or use report for "
            f"a single one."
        )
    return systems


def _files_in(folder: str) -> list[str]:
    """Return the files with data in a folder, sorted, and warn of others."""
    paths = sorted(path for path in Path(folder).iterdir() if not path.name.startswith("."))
    files = [
        path for path in paths if path.is_file() and path.suffix.lower() in data_files.SUFFIXES
    ]
    other_names = [path.name for path in paths if path not in files]
    if not files:
        raise ValueError(
            f"{folder} has no file that ends in {', '.join(data_files.SUFFIXES[:-1])} or "
            f"{data_files.SUFFIXES[-1]}: name the folder with the files of the systems."
        )
    if other_names:
        warnings.warn(
            f"{folder} also has {formatting.counted(len(other_names), 'file')} of other types, "
            f"not systems: {dataframes.first_of(other_names, _MOST_NAMES)}.",
            stacklevel=2,
        )
    return list(map(str, files))


def read_systems(systems: Mapping[str, str], options: argparse.Namespace) -> dict[str, Any]:
    """Read the gold file and the files of the systems, all in the order of the ids.

    All files of systems are read before an error is raised that names their problems. The file of
    ``--problems`` then has a row for each id and each answer with a problem.

    Returns
    -------
    dict
        Arguments of `compare_systems`.
    """
    gold, labels, accepted = options.gold, options.labels, option_values.accepted(options)
    true, rows = _read_gold(data_files.open_file(gold, options.quotes), options)
    predicted: dict[str, TableColumn] = {}
    problems: list[Problem] = []
    problem_rows: list[ProblemRow] = []
    # The classes of systems whose ids have problems, with the place among the problems.
    with_other_ids: dict[str, tuple[int, TableColumn]] = {}
    answers_in: dict[str, DataFrame] = {}
    files: list[DataFile] = []
    for path in systems.values():
        with _collecting(problems, path, problem_rows):
            files.append(data_files.open_file(path, options.quotes))
    with data_files.progress_of(*files):
        for file in files:
            with _collecting(problems, file.path, problem_rows):
                name, answers = _read_system(file, options)
                answers_in[file.path] = answers
                paths = (gold, file.path)
                problem = data_files.id_problem(
                    rows.lazy(), answers.lazy(), paths, may_be_missing=accepted.missing
                )
                of_ids = (
                    answers.lazy() if problem is None else answers.lazy().unique("id", keep="first")
                )
                column = data_files.column_of(
                    data_files.join_rows(rows.lazy(), of_ids).sort("id").collect(), _PRED
                )
                if problem is None:
                    predicted[name] = column
                else:
                    with_other_ids[name] = len(problems), column
                    problems.append(problem)
    of_gold = data_files.column_of(rows, _TRUE)
    if options.problems is not None:
        orders = [column.order for column in (of_gold, *predicted.values()) if column.order]
        declared = labels or [str(label).strip() for order in orders[:1] for label in order] or None
        if declared is None:
            # Without an order, strings are a problem of the gold file and not of the systems.
            class_columns.read_classes({true: of_gold}, None)
        for path, answers in answers_in.items():
            problem_rows += class_columns.rows_with_problems(
                path, answers, gold, rows["id"], declared, accepted
            )
        class_columns.write_problem_rows(options.problems, problem_rows)
    classes, order = _all_classes(
        {true: of_gold}, predicted, with_other_ids, labels, accepted, problems, options.problems
    )
    by = {
        name: class_columns.as_group_names(
            unit_names(gold, name, rows[f"{_BY} {name}"], "group", "leave it out of --by")
        )
        for name in options.by
    }
    return {
        "y_true": classes[0],
        "predictions": dict(zip(systems, classes[1:], strict=True)),
        "labels": order,
        "sample_weight": None if options.weight is None else rows[_WEIGHT].to_list(),
        **drawn_with(gold, options, rows),
        "by": by or None,
    }


def _read_gold(gold: DataFile, options: argparse.Namespace) -> tuple[str, DataFrame]:
    """Return the name of the column of true classes in messages, and the rows."""
    ids = options.id[0]
    other_columns = [ids, options.weight, options.clusters, options.strata, *options.by]
    true = options.true or _only_other(gold, other_columns, "true classes", "--true")
    selected = {
        _TRUE: true,
        _WEIGHT: options.weight,
        "clusters": options.clusters,
        "strata": options.strata,
        **{f"{_BY} {name}": name for name in options.by},
    }
    of_gold = {name: column for name, column in selected.items() if column is not None}
    with data_files.reading(gold):
        rows = data_files.rows_with_ids(gold, ids, of_gold, weights=[_WEIGHT]).collect()
    paths = (gold.path, gold.path)
    problem = data_files.id_problem(rows.lazy(), rows.lazy(), paths, may_be_missing=False)
    if problem is not None:
        raise ValueError(f"{problem.text}.")
    return f"column {true!r} of {gold.path}", rows.sort("id")


def _read_system(file: DataFile, options: argparse.Namespace) -> tuple[str, DataFrame]:
    """Return the name of the column of predictions in messages, and the rows."""
    ids = options.id[1]
    pred = options.pred or _only_other(file, [ids], "predicted classes", "--pred")
    with data_files.reading(file):
        return f"column {pred!r} of {file.path}", data_files.rows_with_ids(
            file, ids, {_PRED: pred}
        ).collect()


def _all_classes(
    true: Mapping[str, TableColumn],
    predicted: Mapping[str, TableColumn],
    with_other_ids: Mapping[str, tuple[int, TableColumn]],
    labels: Sequence[str] | None,
    accepted: Accepted,
    problems: list[Problem],
    problem_list: str | None,
) -> tuple[list[Classes], list[Class] | None]:
    """Return the classes of all columns and their order, unless systems have problems."""
    n_systems = len(predicted) + len(problems)
    failure = None
    if not problems:
        try:
            return class_columns.read_classes({**true, **predicted}, labels, accepted=accepted)
        except ValueError as error:
            failure = error
    if not any(column.order for column in predicted.values()):
        class_columns.read_classes(true, labels, accepted=accepted)
    for name, column in predicted.items():
        with _collecting(problems):
            class_columns.read_classes({**true, name: column}, labels, accepted=accepted)
    for name, (place, column) in with_other_ids.items():
        try:
            class_columns.read_classes(
                {**true, name: column}, labels, accepted=accepted._replace(missing=True)
            )
        except ValueError as error:
            text = f"{problems[place].text}; {str(error).removesuffix('.')}"
            problems[place] = problems[place]._replace(text=text)
    if failure is not None and not problems:
        # The types of the columns of two systems have different orders.
        raise failure
    raise _error_of(problems, n_systems, problem_list)


@contextmanager
def _collecting(
    problems: list[Problem], path: str = "", problem_rows: list[ProblemRow] | None = None
) -> Iterator[None]:
    """Add an error to the problems, and to the rows if it is about a whole file."""
    try:
        yield
    except ValueError as error:
        text = str(error).removesuffix(".")
        problems.append(Problem(text))
        if problem_rows is not None:
            problem_rows.append(ProblemRow(path, text))


def _error_of(problems: Sequence[Problem], n_systems: int, problem_list: str | None) -> ValueError:
    verb = "has" if len(problems) == 1 else "have"
    text = (
        f"{len(problems)} of {n_systems} systems {verb} problems: "
        f"{option_values.one_line(problems)}"
    )
    if problem_list is not None:
        text = f"{text.removesuffix('.')}; {problem_list} lists all problems."
    elif ", ..." in text:
        text = f"{text.removesuffix('.')}; --problems FILE lists all problems."
    return ValueError(text)


def _only_other(
    file: DataFile, other_columns: Collection[str | None], content: str, option: str
) -> str:
    """Return the only column that has no other use."""
    for name in other_columns:
        if name is not None:
            file.check_column(name)
    candidates = [name for name in file.names if name not in other_columns]
    if len(candidates) == 1:
        return candidates[0]
    columns = (
        f"the columns {dataframes.first_of(candidates, _MOST_NAMES)}" if candidates else "no column"
    )
    raise ValueError(
        f"{file.path} has {columns} besides the ids: name the column of {content} with {option}."
    )


def drawn_with(gold: str, options: Any, rows: DataFrame) -> dict[str, Series]:
    """Return the columns of clusters and strata that options name, under their names."""
    import polars as pl

    # Reports show the name of the series.
    return {
        name: pl.Series(
            column,
            unit_names(
                gold, column, rows[name], option_values.DRAWN_WITH[name], f"leave out --{name}"
            ),
        )
        for name, column in option_values.columns_drawn_with(options).items()
    }


def unit_names(gold: str, column: str, values: Series, noun: str, way_out: str) -> list[Any]:
    """Return the clusters, strata or groups, or raise if some are missing or there is only one."""
    names = class_columns.as_text(values)
    class_columns.raise_if_any(
        [name is None for name in names],
        [1] * len(names),
        f"column {column!r} of {gold}",
        f"without a {noun}: fill them",
    )
    if len(set(names)) < 2:
        raise ValueError(f"column {column!r} of {gold} has a single {noun}: {way_out}.")
    return names
