"""The command ``judge``: judges in files, beside human raters."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, get_args

from sklearn_ordinal._command_line import grade_files, option_values, result_output
from sklearn_ordinal.raters import _judge_report
from sklearn_ordinal.raters._annotator_test import Closeness, MissingGrades

_DESCRIPTION = """\
Compare judges, such as programs that grade, with human raters. Each row of
RATINGS is the grade of a human for an item. Each row of a JUDGE file is the
grade of the judge for an item; the name of a judge is the name of its file
without the suffix."""
_EXAMPLE = """\
example:
  sklearn-ordinal judge grades.csv small.csv large.csv --item essay \\
      --rater teacher --grade mark --labels low,mid,high --output judges.html"""


def add_command(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of the command."""
    parser = commands.add_parser(
        "judge",
        help="compare judges with human raters",
        description=_DESCRIPTION,
        epilog=_EXAMPLE,
    )
    parser.add_argument("file", metavar="RATINGS", help="file of the humans' grades")
    parser.add_argument("judges", metavar="JUDGE", nargs="+", help="file of the grades of a judge")
    columns = parser.add_argument_group("columns and classes")
    grade_files.add_grade_options(columns)
    option_values.add_by_option(
        columns, "groups of items, such as weeks, the same in all rows of an item of RATINGS"
    )
    evaluation = parser.add_argument_group("evaluation")
    option_values.add_metrics_option(
        evaluation,
        'the criteria, starting with the main one, or "all"; may be repeated (default: '
        "cem_ord,quadratic_weighted_kappa)",
    )
    evaluation.add_argument(
        "--closeness",
        choices=get_args(Closeness),
        metavar="NAME",
        default="cem_ord",
        help=f"closeness of the verdict: {', '.join(get_args(Closeness))} (default: %(default)s)",
    )
    evaluation.add_argument(
        "--epsilon",
        metavar="SHARE",
        type=option_values.share_or_end,
        default=0.2,
        help="how much more often a human may be at least as close as the judge; 0.2 for experts, "
        "0.15 for skilled raters, 0.1 for crowd workers (default: %(default)s)",
    )
    evaluation.add_argument(
        "--alpha",
        metavar="SHARE",
        type=option_values.share,
        default=0.05,
        help="expected share of false replacements; intervals have the confidence level 1 - SHARE "
        "(default: %(default)s)",
    )
    evaluation.add_argument(
        "--unanswered",
        choices=get_args(MissingGrades),
        help="what to do with items without a grade of a judge: leave them out (omit, the "
        "default), or count them against the judge, with a closeness of 0 or the farthest class "
        "(count)",
    )
    evaluation.add_argument(
        "--unknown",
        choices=("error", "count"),
        default="error",
        help="what to do with grades of a judge that are not classes, such as a refusal: an error "
        "(error, the default), or count them and all items without a grade against the judge "
        "(count)",
    )
    result_output.add_output_options(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    result_output.check_output(options, [options.file, *options.judges])
    if options.unanswered == "omit" and options.unknown == "count":
        raise ValueError(
            "--unanswered omit leaves out items without a grade, which --unknown count counts "
            "against the judge: give one of them, or empty the fields of grades that are not "
            "classes."
        )
    metrics = option_values.label_metrics(
        options.metrics or ["cem_ord", "quadratic_weighted_kappa"], are_ranked=True
    )
    files: dict[str, str] = {}
    for path in options.judges:
        name = Path(path).stem
        if name in files:
            raise ValueError(
                f"{files[name]} and {path} would both be named {name!r}: rename one of them."
            )
        files[name] = path
    ratings = grade_files.read_ratings(options)
    option_values.check_label_metrics(metrics, ratings.labels.tolist())
    report = _judge_report.compare_judge(
        ratings,
        {name: grade_files.read_judge(path, ratings, options) for name, path in files.items()},
        metrics=metrics,
        closeness=options.closeness,
        epsilon=options.epsilon,
        alpha=options.alpha,
        unanswered="count" if options.unknown == "count" else options.unanswered or "omit",
        by=grade_files.read_item_groups(ratings, options) if options.by else None,
    )
    result_output.write_result(report, options)
