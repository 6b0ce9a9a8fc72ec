"""Options that several commands share, the parsers of their values, and the named metrics."""

from __future__ import annotations

import argparse
import csv
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, get_args

from sklearn.metrics import get_scorer_names

from sklearn_ordinal._command_line.data_files import Problem, Quotes
from sklearn_ordinal._core import checks, lookup
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.counting import Unanswered

# Options that several commands share, and the parsers of their values
# --------------------------------------------------------------------

_CHOICES = ("error", "count")


class Accepted(NamedTuple):
    """Whether missing predictions, and predictions that are not classes, count as unanswered."""

    missing: bool = False
    unknown: bool = False

    @property
    def unanswered(self) -> Unanswered:
        """The parameter `unanswered` of functions that read classes."""
        return "count" if self.missing or self.unknown else "raise"


def add_labels_option(group: argparse._ArgumentGroup) -> None:
    """Add the option of the classes."""
    group.add_argument(
        "--labels",
        metavar="LOW,...,HIGH",
        type=listed,
        help="all classes from the lowest to the highest, separated by commas; needed unless the "
        "classes are integers or the type of a parquet column has an order",
    )


def add_by_option(group: argparse._ArgumentGroup, groups: str) -> None:
    """Add the option of the columns of groups, with the beginning of its help."""
    group.add_argument(
        "--by",
        metavar="COLUMN,...",
        type=listed,
        action="extend",
        default=[],
        help=f"{groups}; with several columns, which may also be given one by one, each "
        "combination is a group",
    )


# The options that say how samples or items were drawn, and what a column of each holds.
DRAWN_WITH = {"clusters": "cluster", "strata": "stratum"}


def add_sample_options(
    group: argparse._ArgumentGroup, noun: str, where: str, effect: str = ""
) -> None:
    """Add the options of the columns of weights, clusters and strata of samples or items."""
    for name, text in {
        "weight": f"weights of the {noun}s, {where}",
        "clusters": f"clusters of {noun}s that are not independent, such as documents, "
        f"{where}{effect}",
        "strata": f"strata from each of which a fixed number of {noun}s, or clusters, was drawn, "
        f"{where}{effect}",
    }.items():
        group.add_argument(f"--{name}", metavar="COLUMN", help=text)


def columns_drawn_with(options: argparse.Namespace) -> dict[str, str]:
    """Return the columns of clusters and strata that are named, by the name of the option."""
    named = {name: getattr(options, name) for name in DRAWN_WITH}
    return {name: column for name, column in named.items() if column is not None}


def add_metrics_option(group: argparse._ArgumentGroup, text: str) -> None:
    """Add the option of the criteria, with its help."""
    group.add_argument("--metrics", metavar="NAME,...", type=listed, action="extend", help=text)


def add_random_state_option(group: argparse._ArgumentGroup) -> None:
    """Add the option of the seed, with its help."""
    group.add_argument(
        "--random-state",
        metavar="SEED",
        type=seed,
        default=0,
        help="seed of the resamples; the same seed gives the same result (default: %(default)s)",
    )


def add_quotes_option(group: argparse._ArgumentGroup) -> None:
    """Add the option of the double quotes in csv and tsv files."""
    group.add_argument(
        "--quotes",
        choices=get_args(Quotes),
        help="whether double quotes in csv and tsv files are text, so that each line is a row "
        "(none), or enclose fields (standard); by default they enclose fields, unless only their "
        "reading as text gives each line of a tsv file the fields of the header",
    )


def add_scale_options(group: argparse._ArgumentGroup) -> None:
    """Add the options of the classes and of missing predictions."""
    add_labels_option(group)
    group.add_argument(
        "--unanswered",
        choices=_CHOICES,
        default="error",
        help="what to do with missing predictions: an error (default), or count them, in which "
        "case the cem_* criteria take them as errors with a closeness of 0, and all other "
        "criteria, such as accuracy, leave them out",
    )
    group.add_argument(
        "--unknown",
        choices=_CHOICES,
        default="error",
        help="what to do with predictions that are not classes: an error (default), or count them "
        "as --unanswered count counts missing predictions",
    )


def accepted(options: argparse.Namespace) -> Accepted:
    """Return which predictions count as unanswered according to the options."""
    return Accepted(options.unanswered == "count", options.unknown == "count")


def id_columns(text: str) -> tuple[str, str]:
    """Parse the name of the id column, which may differ in the files of predictions."""
    columns = listed(text)
    if len(columns) > 2:
        raise argparse.ArgumentTypeError(
            f"expected a column, or its names in the gold file and in the predictions, got {text!r}"
        )
    return columns[0], columns[-1]


def positive_integer(text: str) -> int:
    """Parse a positive integer."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"expected a positive integer, got {text!r}")
    return int(text)


def count(text: str) -> int:
    """Parse a non-negative integer."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"expected an integer from 0, got {text!r}")
    return int(text)


def seed(text: str) -> int:
    """Parse a seed, which may be 0."""
    if not text.isdecimal() or int(text) >= 2**32:
        raise argparse.ArgumentTypeError(f"expected an integer from 0 to 4294967295, got {text!r}")
    return int(text)


def share(text: str) -> float:
    """Parse a number between 0 and 1, ends excluded."""
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not 0 < number < 1:
        raise argparse.ArgumentTypeError(
            f"expected a number between 0 and 1, such as 0.95, got {text!r}"
        )
    return number


def share_or_end(text: str) -> float:
    """Parse a number from 0 to 1."""
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to 1, got {text!r}")
    return number


def non_negative_number(text: str) -> float:
    """Parse a finite number of at least 0."""
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not 0 <= number < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a number of at least 0, got {text!r}")
    return number


def one_line(problems: Iterable[Problem]) -> str:
    """Return problems on one line, with the option that accepts missing predictions."""
    problems = list(dict.fromkeys(problems))
    line = "; ".join(problem.text for problem in problems)
    is_missing = any(problem.is_missing for problem in problems)
    way_out = "; --unanswered count accepts missing predictions" if is_missing else ""
    return f"{line}{way_out}."


def is_same_file(path: str, other: str) -> bool:
    """Return whether both paths exist and are the same file."""
    return Path(path).exists() and Path(other).exists() and Path(path).samefile(other)


def listed(text: str) -> list[str]:
    """Parse a list separated by commas; an item that contains a comma is in double quotes."""
    try:
        record = next(csv.reader([text], skipinitialspace=True), [])
    except csv.Error:
        raise argparse.ArgumentTypeError(f"expected names in one line, got {text!r}") from None
    parts = [part.strip() for part in record]
    if "" in parts or not parts:
        raise argparse.ArgumentTypeError(f"expected names separated by commas, got {text!r}")
    if len(set(parts)) < len(parts):
        raise argparse.ArgumentTypeError(f"expected each name once, got {text!r}")
    return parts


# The metrics that a user names, for all commands
# -----------------------------------------------

# The largest number of similar names in an error.
_MOST_NAMES = 3


def find_metric(name: str) -> OrdinalMetric:
    """Return the metric with a name or scorer name, or raise an error with similar names."""
    try:
        return lookup.get_metric(name)
    except ValueError:
        names = [metric.name for metric in lookup.known_metrics()]
        if name.removeprefix("neg_").partition("(")[0] in names:
            # The metric exists but lacks a required option, or has a wrong one, as the error says.
            raise
        sklearn_names = [scorer_name.removeprefix("neg_") for scorer_name in get_scorer_names()]
        near = checks.near_names(name.removeprefix("neg_"), [*names, *sklearn_names])[:_MOST_NAMES]
        alternatives = " or ".join(filter(None, [", ".join(near[:-1]), *near[-1:]]))
        did_you_mean = f"did you mean {alternatives}? " if near else ""
        raise ValueError(
            f"there is no metric {name!r}: {did_you_mean}sklearn-ordinal metrics lists all names."
        ) from None


def label_metrics(names: list[str], *, are_ranked: bool = False) -> list[OrdinalMetric]:
    """Return the metrics of predicted classes that a user has named.

    "all" means all of them, or all that have a direction if systems or raters are ranked.
    """
    if names == ["all"]:
        return lookup.get_metrics("all", with_direction=are_ranked)
    if "all" in names:
        raise ValueError('"all" cannot be combined with names of metrics: leave out one of them.')
    metrics = {metric.name: metric for metric in map(find_metric, names)}
    for metric in metrics.values():
        if OrdinalConfusion not in metric.evidence.accepts:
            noun = metric.evidence.noun
            raise ValueError(
                f"{metric.name} is a metric of {noun}, and the files have predicted "
                f"classes: choose metrics of predicted classes, or evaluate the others in Python."
            )
    return list(metrics.values())


def check_label_metrics(metrics: Iterable[OrdinalMetric], classes: Sequence[Any]) -> None:
    """Check that metrics of scikit-learn accept the classes: some need two, some need numbers."""
    for metric in metrics:
        if not lookup.is_wrapped(metric):
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                metric.from_predictions(classes, classes)
        except ValueError:
            raise ValueError(
                f"{metric.name} of scikit-learn is not defined for the classes "
                f"{', '.join(map(str, classes))}: choose other metrics."
            ) from None
