"""The command ``metrics``: the catalogue, or one metric and its docstring."""

from __future__ import annotations

import argparse
from typing import Any

from sklearn_ordinal._command_line._metric_views import MetricCatalogue, MetricDescription
from sklearn_ordinal._command_line._named_metrics import find_metric
from sklearn_ordinal._command_line._result_output import (
    add_output_options,
    check_output,
    write_result,
)
from sklearn_ordinal._core import METRICS
from sklearn_ordinal._documents import Views

_DESCRIPTION = """\
List the metrics with their direction, range and properties, and when to prefer
each; or describe one: its range and properties, its name as a scorer, and the
docstring of its function."""
_EXAMPLE = """\
examples:
  sklearn-ordinal metrics
  sklearn-ordinal metrics quadratic_weighted_kappa"""


def add_command(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of the command."""
    parser = commands.add_parser(
        "metrics",
        help="list the metrics, or describe one",
        description=_DESCRIPTION,
        epilog=_EXAMPLE,
    )
    parser.add_argument(
        "name",
        metavar="NAME",
        nargs="?",
        help="the name of a metric or scorer of this package or of scikit-learn; by default all "
        "metrics are listed",
    )
    add_output_options(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> None:
    check_output(options)
    name = options.name
    result: Views = (
        MetricCatalogue(METRICS) if name is None else MetricDescription(find_metric(name))
    )
    write_result(result, options)
