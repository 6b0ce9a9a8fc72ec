"""The command ``agreement``: how far several raters agree, from a file of grades."""

from __future__ import annotations

import argparse
from typing import Any, get_args

from sklearn_ordinal._command_line import grade_files, option_values, result_output
from sklearn_ordinal.metrics._agreement import Level
from sklearn_ordinal.metrics._kappa import Weighting
from sklearn_ordinal.raters import _agreement_report

_DESCRIPTION = """\
Report how far several raters agree, and how each rater compares with the
others. Each row of the file is the grade of a rater for an item. Raters may
leave items out."""
_EXAMPLE = """\
example:
  sklearn-ordinal agreement grades.csv --item essay --rater teacher \\
      --grade mark --labels low,mid,high --output agreement.html"""


def add_command(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of the command."""
    parser = commands.add_parser(
        "agreement",
        help="report how far several raters agree",
        description=_DESCRIPTION,
        epilog=_EXAMPLE,
    )
    parser.add_argument(
        "file", metavar="FILE", help="csv, tsv, parquet or JSON lines (.jsonl, .ndjson), in UTF-8"
    )
    columns = parser.add_argument_group("columns and classes")
    grade_files.add_grade_options(columns)
    option_values.add_by_option(
        columns, "groups of items to compare, such as languages, the same in all rows of an item"
    )
    evaluation = parser.add_argument_group("evaluation")
    option_values.add_metrics_option(
        evaluation,
        'criteria of each rater against the others, or "all"; may be repeated (default: '
        "quadratic_weighted_kappa); accuracy and within_1_accuracy are always reported",
    )
    evaluation.add_argument(
        "--weights",
        choices=get_args(Weighting),
        metavar="NAME",
        default="quadratic",
        help=f"weights of agreement of the coefficients: {', '.join(get_args(Weighting))} "
        f"(default: %(default)s)",
    )
    evaluation.add_argument(
        "--level",
        choices=get_args(Level),
        default="ordinal",
        help="disagreement of two grades in Krippendorff's alpha (default: %(default)s)",
    )
    evaluation.add_argument(
        "--n-resamples",
        metavar="N",
        type=option_values.count,
        default=0,
        help="number of bootstrap resamples of the items; 0 (the default) for intervals in closed "
        "form",
    )
    evaluation.add_argument(
        "--confidence-level",
        metavar="SHARE",
        type=option_values.share,
        default=0.95,
        help="confidence level of the intervals (default: %(default)s)",
    )
    option_values.add_random_state_option(evaluation)
    result_output.add_output_options(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    result_output.check_output(options, [options.file])
    metrics = option_values.label_metrics(
        options.metrics or ["quadratic_weighted_kappa"], are_ranked=True
    )
    ratings = grade_files.read_ratings(options)
    option_values.check_label_metrics(metrics, ratings.labels.tolist())
    report = _agreement_report.agreement_report(
        ratings,
        metrics=metrics,
        weights=options.weights,
        level=options.level,
        by=grade_files.read_item_groups(ratings, options) if options.by else None,
        confidence_level=options.confidence_level,
        n_resamples=options.n_resamples,
        random_state=options.random_state,
    )
    result_output.write_result(report, options)
