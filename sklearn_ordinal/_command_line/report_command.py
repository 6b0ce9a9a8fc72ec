"""The command ``report``: a report on the predictions in a file."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._command_line import (
    class_columns,
    data_files,
    option_values,
    result_output,
    system_files,
)
from sklearn_ordinal._command_line.class_columns import Class
from sklearn_ordinal._command_line.data_files import DataFile
from sklearn_ordinal._core import checks, dataframes
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.dataframes import TableColumn
from sklearn_ordinal.groups._group_report import GroupReport
from sklearn_ordinal.reports import _ordinal
from sklearn_ordinal.reports._ordinal import OrdinalReport

if TYPE_CHECKING:
    from polars import LazyFrame


_TRUE, _PRED, _WEIGHT, _BY = "--true", "--pred", "--weight", "--by"

_DESCRIPTION = """\
Report on predictions: measures of each class, and criteria. The true and the
predicted classes are columns of one file, or of two files that are joined by
the ids of the samples. A file may be larger than memory."""
_EXAMPLE = """\
examples:
  sklearn-ordinal report results.csv --true grade --pred predicted \\
      --labels low,mid,high
  sklearn-ordinal report gold.csv system.jsonl --id document \\
      --true grade --pred answer --labels low,mid,high --by country \\
      --output report.html"""


def add_command(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of the command."""
    parser = commands.add_parser(
        "report",
        help="report on the predictions in a file",
        description=_DESCRIPTION,
        epilog=_EXAMPLE,
    )
    parser.add_argument(
        "file", metavar="FILE", help="csv, tsv, parquet or JSON lines (.jsonl, .ndjson), in UTF-8"
    )
    parser.add_argument(
        "predictions",
        metavar="PREDICTIONS",
        nargs="?",
        help="file of the predictions, if they are not in FILE",
    )
    columns = parser.add_argument_group("columns and classes")
    columns.add_argument("--true", metavar="COLUMN", required=True, help="true classes, in FILE")
    columns.add_argument("--pred", metavar="COLUMN", required=True, help="predicted classes")
    columns.add_argument(
        "--id",
        metavar="COLUMN",
        type=option_values.id_columns,
        help="ids by which FILE and PREDICTIONS are joined, compared as text; A,B if the column "
        "is A in FILE and B in PREDICTIONS",
    )
    option_values.add_sample_options(
        columns, "sample", "in FILE", "; adds intervals, and the columns are read into memory"
    )
    option_values.add_by_option(
        columns, "groups to compare, in FILE; with --weight, the columns are read into memory"
    )
    option_values.add_scale_options(columns)
    option_values.add_quotes_option(columns)
    evaluation = parser.add_argument_group("evaluation")
    option_values.add_metrics_option(
        evaluation,
        'the criteria, or "all"; may be repeated; by default six of them',
    )
    evaluation.add_argument(
        "--intervals",
        action="store_true",
        help="add the 95%% interval of each criterion; groups always have intervals",
    )
    evaluation.add_argument(
        "--diagnostics",
        action="store_true",
        help="add sensitivity, specificity, predictive values and likelihood ratios of each "
        "threshold and class, with intervals",
    )
    result_output.add_output_options(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    paths = [path for path in (options.file, options.predictions) if path is not None]
    result_output.check_output(options, paths)
    _check_options(options)
    files = [data_files.open_file(path, options.quotes) for path in paths]
    with data_files.progress_of(*files):
        rows = _rows(options, files)
        has_design = options.clusters is not None or options.strata is not None
        needs_rows = has_design or (options.by and options.weight is not None)
        confusion, groups = (_from_all_rows if needs_rows else _counted)(options, rows, files)
        report: OrdinalReport | GroupReport
        if not options.by:
            report = OrdinalReport.from_confusion(
                confusion,
                metrics=options.metrics,
                intervals=options.intervals or has_design,
                diagnostics=options.diagnostics,
            )
        else:
            report = GroupReport.from_confusion(
                confusion,
                by=dict(zip(options.by, zip(*groups, strict=True), strict=True)),
                metrics=options.metrics,
            )
    hint = "--metrics all shows every criterion."
    if not (options.by or options.intervals or has_design):
        hint = f"--intervals adds intervals. {hint}"
    if not options.by and len(confusion.scale) > _ordinal.MOST_ROWS:
        hint = f"--format html, json and csv have all classes. {hint}"
    result_output.write_result(report, options, hint)


def _check_options(options: argparse.Namespace) -> None:
    """Check the options that do not depend on the files, before reading the files."""
    if (options.predictions is None) != (options.id is None):
        raise ValueError(
            "--id is the column by which FILE and PREDICTIONS are joined: give both or neither."
        )
    if options.predictions in (None, options.file) and options.true == options.pred:
        raise ValueError(
            f"--true and --pred are the same column {options.true!r} of {options.file}: name the "
            f"column of the predictions with --pred."
        )
    if options.diagnostics and options.by:
        raise ValueError(
            "--diagnostics cannot be combined with --by: name the measures, as in "
            "--metrics 'sensitivity(at=1),specificity(at=1)'."
        )
    options.accepted = option_values.accepted(options)
    if options.metrics is not None:
        options.metrics = option_values.label_metrics(options.metrics)


def _rows(options: argparse.Namespace, files: list[DataFile]) -> LazyFrame:
    """Return a lazy frame of the columns, joined if they are in two files."""
    of_gold = {
        _TRUE: options.true,
        _WEIGHT: options.weight,
        "clusters": options.clusters,
        "strata": options.strata,
        **dict(zip(_by_names(options), options.by, strict=True)),
    }
    of_gold = {name: column for name, column in of_gold.items() if column is not None}
    of_predictions = {_PRED: options.pred}
    gold, predictions = files[0], files[-1]
    if predictions is gold:
        return gold.select(of_gold | of_predictions, weights=[_WEIGHT])
    id_of_gold, id_of_predictions = options.id
    # Select only the ids, since the other columns would be read as well.
    with data_files.reading(gold, predictions):
        problem = data_files.id_problem(
            data_files.rows_with_ids(gold, id_of_gold, {}),
            data_files.rows_with_ids(predictions, id_of_predictions, {}),
            (gold.path, predictions.path),
            may_be_missing=options.accepted.missing,
        )
    if problem is not None:
        raise ValueError(option_values.one_line([problem]))
    return data_files.join_rows(
        data_files.rows_with_ids(gold, id_of_gold, of_gold, weights=[_WEIGHT]),
        data_files.rows_with_ids(predictions, id_of_predictions, of_predictions),
    )


def _by_names(options: argparse.Namespace) -> list[str]:
    return [f"{_BY} {column}" for column in options.by]


def _counted(
    options: argparse.Namespace, rows: LazyFrame, files: list[DataFile]
) -> tuple[OrdinalConfusion, Sequence[tuple[Any, ...]]]:
    """Return counts for each group, and the groups as tuples of the values of the columns."""
    weight = None if options.weight is None else _WEIGHT
    by = _by_names(options)
    with data_files.reading(*files):
        pairs = dataframes.count_pairs(rows, _TRUE, _PRED, weight, by)
    (y_true, y_pred), labels = _classes(options, files, pairs.y_true, pairs.y_pred, pairs.n_rows)
    pairs = pairs._replace(
        y_true=TableColumn(y_true, None),
        y_pred=TableColumn(y_pred, None),
        groups=tuple(
            TableColumn(_group_names(options, name, column, pairs.n_rows), None)
            for name, column in zip(options.by, pairs.groups, strict=True)
        ),
    )
    confusion = OrdinalConfusion(
        *dataframes.counted_pairs(
            pairs, _TRUE, _PRED, labels, weight, by, options.accepted.unanswered
        )
    )
    groups = confusion.groups
    return confusion, [(group,) for group in groups] if len(by) == 1 else groups


def _from_all_rows(
    options: argparse.Namespace, rows: LazyFrame, files: list[DataFile]
) -> tuple[OrdinalConfusion, Sequence[tuple[Any, ...]]]:
    """Return counts that know how samples were drawn, and their weights in groups."""
    with data_files.reading(*files):
        table = rows.collect()
    true, pred = data_files.column_of(table, _TRUE), data_files.column_of(table, _PRED)
    n_rows = np.ones(len(table), dtype=np.int64)
    (y_true, y_pred), labels = _classes(options, files, true, pred)
    by = None
    groups: list[tuple[Any, ...]] = []
    if options.by:
        columns = [
            _group_names(options, column, TableColumn(table[name], None), n_rows)
            for name, column in zip(_by_names(options), options.by, strict=True)
        ]
        group_of_row = list(zip(*columns, strict=True))
        groups = sorted(set(group_of_row))
        number = {group: k for k, group in enumerate(groups)}
        by = [number[group] for group in group_of_row]
    confusion = OrdinalConfusion.from_predictions(
        y_true,
        y_pred,
        by=by,
        labels=labels,
        sample_weight=None if options.weight is None else table[_WEIGHT],
        **system_files.drawn_with(options.file, options, table),
        unanswered=options.accepted.unanswered,
    )
    return confusion, groups


def _classes(
    options: argparse.Namespace,
    files: list[DataFile],
    y_true: TableColumn,
    y_pred: TableColumn,
    n_rows: NDArray[np.int64] | None = None,
) -> tuple[list[Any], list[Class] | None]:
    classes, labels = class_columns.read_classes(
        {
            f"column {options.true!r} of {files[0].path}": y_true,
            f"column {options.pred!r} of {files[-1].path}": y_pred,
        },
        options.labels,
        n_rows,
        accepted=options.accepted,
    )
    option_values.check_label_metrics(options.metrics or (), labels or sorted(set(classes[0])))
    return classes, labels


def _group_names(
    options: argparse.Namespace, by: str, column: TableColumn, n_rows: NDArray[np.int64]
) -> Any:
    """Return the names of groups in a column, as integers if all of them are integers."""
    names = class_columns.as_text(column.values)
    class_columns.raise_if_any(
        [name is None for name in names],
        n_rows.tolist(),
        f"column {by!r} of {options.file}",
        "without a group: fill them",
    )
    if len(set(names)) < 2:
        raise ValueError(
            f"column {by!r} of {options.file} has a single group, {checks.shown(names[0])}: leave "
            f"it out of --by."
        )
    return class_columns.as_group_names(names)
