"""The command ``check``: whether new predictions are worse than a standard, as an exit code."""

from __future__ import annotations

import argparse
import textwrap
from typing import Any

from sklearn_ordinal._command_line import option_values
from sklearn_ordinal._core import checks, confusion_counts
from sklearn_ordinal._documents import formatting
from sklearn_ordinal.groups import _change_report
from sklearn_ordinal.reports._ordinal import OrdinalReport

_WORSE, _NOT_SHOWN = 1, 0
_CLAIMS = {True: "worse", False: "not worse by more than the margin", None: "cannot tell"}
_CLUSTERS = (
    "Saved counts do not record clusters: if samples belong together, such as the images of a "
    "patient, the interval is too short."
)

_DESCRIPTION = """\
Check whether new predictions are worse than a standard, such as predictions of
last week on other samples. Both files are written by sklearn-ordinal report
--format json, without --by. The criterion is worse if the 95% interval of its
difference is worse than the margin as a whole, or without a margin, if the
p-value of the difference is at most 0.05.

The exit code is 1 if it is worse, 0 if it is not shown to be worse, and 2 after
an error."""
_EXAMPLE = """\
example:
  sklearn-ordinal check this.json --against last.json --metric cem_ord \\
      --margin 0.01"""


def add_command(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the parser of the command."""
    parser = commands.add_parser(
        "check",
        help="check whether new predictions are worse than a standard",
        description=_DESCRIPTION,
        epilog=_EXAMPLE,
    )
    parser.add_argument("this", metavar="THIS", help="report on the new predictions, as JSON")
    parser.add_argument(
        "--against", metavar="LAST", required=True, help="report on the standard, as JSON"
    )
    parser.add_argument("--metric", metavar="NAME", required=True, help="the criterion")
    parser.add_argument(
        "--margin",
        metavar="NUMBER",
        type=option_values.non_negative_number,
        default=0.0,
        help="loss that is tolerated, in the unit of the criterion (default: 0)",
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="exit with 1 also if the samples cannot tell",
    )
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    metric = option_values.find_metric(options.metric)
    if metric.greater_is_better is None:
        raise ValueError(
            f"argument --metric: neither higher nor lower values of {metric.name} are better: name "
            f"a criterion with a direction."
        )
    last, this = reports = _read_report(options.against), _read_report(options.this)
    for path, report in zip((options.against, options.this), reports, strict=True):
        if metric.evidence.pick(report.evidence) is None:
            raise ValueError(
                f"argument --metric: {path} does not have the {metric.evidence.noun} that "
                f"{metric.name} needs: name a criterion of the report."
            )
    labels = [checks.listed(report.evidence[0].scale.labels) for report in reports]
    if last.evidence[0].scale != this.evidence[0].scale:
        raise ValueError(
            f"argument --against: {options.against} has the classes {labels[0]} and {options.this} "
            f"has {labels[1]}: write both reports with the same --labels."
        )
    change = _change_report.report_change(last, this, metric, margin=options.margin)
    is_worse = change.worse_than()
    print(_CLAIMS[is_worse])
    for text in (*(note.text for note in change.document().verdict), _CLUSTERS):
        print(textwrap.fill(text, formatting.WIDTH))
    return _WORSE if is_worse or (options.strict and is_worse is None) else _NOT_SHOWN


def _read_report(path: str) -> OrdinalReport:
    try:
        report = OrdinalReport.from_json(path)
    except ValueError as error:
        raise ValueError(
            f"{path} is not a report that can be checked: write it with sklearn-ordinal report "
            f"--format json, without --by ({error})"
        ) from error
    if report.confusion is not None and confusion_counts.has_design(report.confusion):
        raise ValueError(
            f"{path} comes from samples in clusters or strata, which saved counts do not keep: "
            f"compare the samples with report_change in Python, or write the report without "
            f"--clusters and --strata, and the interval is that of samples drawn one by one."
        )
    return report
