"""The command ``compare``: systems in files, on one test set."""

from __future__ import annotations

import argparse
from typing import Any

from sklearn_ordinal._command_line import option_values, result_output, system_files
from sklearn_ordinal.systems import _systems_report

_DESCRIPTION = """\
Rank systems on one test set: the true classes are in a gold file, and the
predictions of each system are in a file of its own. Rows are matched by their
ids."""
_EPILOG = """\
A folder stands for all csv, tsv, parquet and JSON lines files in it, except
hidden ones and the gold file. The name of a system is the name of its file
without the suffix. If a file has a single column besides the ids, --true and
--pred may be left out.

example:
  sklearn-ordinal compare gold.csv systems/ --metrics cem_ord,accuracy \\
      --labels low,mid,high --output ranking.html"""


def add_command(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of the command."""
    parser = commands.add_parser(
        "compare",
        help="rank systems on one test set",
        description=_DESCRIPTION,
        epilog=_EPILOG,
    )
    parser.add_argument("gold", metavar="GOLD", help="file of the true classes")
    parser.add_argument(
        "systems",
        metavar="SYSTEM",
        nargs="+",
        help="file of predicted classes, or a folder of them",
    )
    columns = parser.add_argument_group("columns and classes")
    columns.add_argument(
        "--id",
        metavar="COLUMN",
        type=option_values.id_columns,
        default=("id", "id"),
        help="column of the ids, which are compared as text (default: id); A,B if it is A in "
        "GOLD and B in the files of the systems",
    )
    columns.add_argument("--true", metavar="COLUMN", help="true classes, in the gold file")
    columns.add_argument("--pred", metavar="COLUMN", help="predicted classes, in the other files")
    option_values.add_sample_options(columns, "sample", "in the gold file")
    option_values.add_by_option(
        columns,
        "groups of samples, such as languages, in the gold file; the systems are also ranked in "
        "each group",
    )
    option_values.add_scale_options(columns)
    option_values.add_quotes_option(columns)
    columns.add_argument(
        "--problems",
        metavar="FILE",
        help="write all ids and answers with problems to a csv file, which is empty but for its "
        "header if there are none",
    )
    evaluation = parser.add_argument_group("evaluation")
    option_values.add_metrics_option(
        evaluation,
        'the criteria, starting with the main one; "all" for all of the package; '
        "may be repeated (default: cem_ord)",
    )
    evaluation.add_argument(
        "--n-resamples",
        metavar="N",
        type=option_values.positive_integer,
        help="compute intervals and tests from as many bootstrap resamples, not in closed form",
    )
    evaluation.add_argument(
        "--confidence-level",
        metavar="SHARE",
        type=option_values.share,
        default=0.95,
        help="confidence level of the intervals; pairs are tested at the level 1 - SHARE "
        "(default: %(default)s)",
    )
    evaluation.add_argument(
        "--margin",
        metavar="NUMBER",
        type=option_values.non_negative_number,
        default=0.0,
        help="say which systems are worse than the best one by more than this loss, in the unit of "
        "the criteria, and which are not (default: 0)",
    )
    evaluation.add_argument(
        "--overall",
        choices=("pooled", "mean of groups"),
        default="pooled",
        help="rank by the values of all samples, or by the means of the values in the groups of "
        "--by (default: pooled)",
    )
    option_values.add_random_state_option(evaluation)
    result_output.add_output_options(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    systems = system_files.find_systems(options.systems, options.gold)
    inputs = [options.gold, *systems.values()]
    result_output.check_output(options, inputs)
    result_output.check_target("--problems", options.problems, inputs)
    if options.problems == "-":
        raise ValueError("argument --problems: expected the name of a file, got '-'.")
    if options.problems is not None and options.problems == options.output:
        raise ValueError("--problems and --output must be different files.")
    if options.overall != "pooled" and not options.by:
        raise ValueError("argument --overall: means of groups need --by, the column of the groups.")
    if options.overall != "pooled" and options.n_resamples is not None:
        raise ValueError("argument --overall: means of groups leave out --n-resamples.")
    metrics = option_values.label_metrics(options.metrics or ["cem_ord"], are_ranked=True)
    test_set = system_files.read_systems(systems, options)
    y_true, labels = test_set["y_true"], test_set["labels"]
    option_values.check_label_metrics(metrics, labels or y_true.unique().sort().to_list())
    report = _systems_report.compare_systems(
        **test_set,
        metrics=metrics,
        overall=options.overall,
        margin=options.margin,
        unanswered=option_values.accepted(options).unanswered,
        n_resamples=options.n_resamples,
        confidence_level=options.confidence_level,
        random_state=options.random_state,
    )
    result_output.write_result(report, options)
