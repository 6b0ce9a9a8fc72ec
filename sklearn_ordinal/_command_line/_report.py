"""The command ``report``: all criteria of the predictions in a file."""

from __future__ import annotations

import argparse
from typing import Any

from sklearn_ordinal._command_line._input import add_scale_options, listed
from sklearn_ordinal._command_line._output import add_output_options, check_output, write_result
from sklearn_ordinal._core import OrdinalConfusion
from sklearn_ordinal._tables import scan_file
from sklearn_ordinal.reports import OrdinalReport

_DESCRIPTION = "Report on the predictions in a file: measures of each class, and criteria."
_EXAMPLE = """\
example:
  sklearn-ordinal report results.csv --true grade --pred predicted \\
      --labels low,mid,high"""


def add_command(commands: Any) -> None:
    """Add the parser of the command."""
    parser = commands.add_parser(
        "report",
        help="report on the predictions in a file",
        description=_DESCRIPTION,
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("file", metavar="FILE", help="csv, tsv, parquet or JSON lines")
    columns = parser.add_argument_group("columns and classes")
    columns.add_argument("--true", metavar="COLUMN", required=True, help="true classes")
    columns.add_argument("--pred", metavar="COLUMN", required=True, help="predicted classes")
    add_scale_options(columns)
    columns.add_argument("--metrics", metavar="NAME,...", type=listed, help="the criteria")
    add_output_options(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    check_output(options)
    confusion = OrdinalConfusion.from_table(
        scan_file(options.file),
        options.true,
        options.pred,
        labels=options.labels,
        unanswered="raise" if options.unanswered == "error" else "count",
    )
    write_result(OrdinalReport.from_confusion(confusion, metrics=options.metrics), options)
