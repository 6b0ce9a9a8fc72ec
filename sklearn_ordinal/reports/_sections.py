"""Tables, notes and figures that several reports share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import OrdinalConfusion, OrdinalMetric, amount_as_text, n_unanswered
from sklearn_ordinal.documents import (
    Column,
    Figure,
    Note,
    Row,
    Table,
    as_percent,
    counted,
    plural,
)
from sklearn_ordinal.plotting import ErrorDistributionDisplay, OrdinalConfusionMatrixDisplay

# In larger matrices, numbers are too small to read and slow to draw, so only colours remain.
_MOST_CLASSES_WITH_NUMBERS = 40
# Beyond this, a float does not represent every integer.
_LARGEST_INTEGER = 1e15


def range_as_text(metric: OrdinalMetric, n_classes: int) -> str:
    """Return the range of a metric, or an empty string if it is not known."""
    lowest, highest = metric.bounds(n_classes)
    return "" if np.isinf([lowest, highest]).all() else f"{lowest:g} to {highest:g}"


def direction_as_text(metric: OrdinalMetric) -> str:
    """Return which values of a metric are better."""
    return "higher" if metric.greater_is_better else "lower"


def better_sign(metric: OrdinalMetric) -> str:
    """Return which differences of a metric are better, for the titles of tables."""
    return f"{'positive' if metric.greater_is_better else 'negative'} is better"


def interval_name(confidence_level: float) -> str:
    """Return the name of a column of intervals."""
    return f"{as_percent(confidence_level)} interval"


def headline(metric: OrdinalMetric, n_classes: int) -> str:
    """Return a metric with its range and direction."""
    facts = (range_as_text(metric, n_classes), f"{direction_as_text(metric)} is better")
    return f"{metric.name} ({', '.join(filter(None, facts))})"


def classes_table(
    target_names: Sequence[str],
    per_class: Mapping[str, NDArray[Any]],
    averages: Mapping[str, Mapping[str, float]],
    accuracy: float,
    confusion: OrdinalConfusion,
) -> Table:
    """Return the measures of each class, and their averages.

    The support is the number of samples, or with weights their number, if known, and weight.
    """
    numbers = confusion.sample_counts
    columns = (
        Column("class"),
        Column("precision", "number"),
        Column("recall", "number"),
        Column("f1-score", "number"),
        Column("MAE", "number"),
        Column("bias", "number"),
        Column("within 1", "number"),
        *((Column("n", "number"),) if numbers is not None else ()),
        Column("weight" if confusion.is_weighted else "support", "number"),
    )
    total = averages["macro avg"]["support"]
    # Weights that add up to integers are written as such.
    is_whole = total < _LARGEST_INTEGER and bool((per_class["support"] % 1 == 0).all())
    *measures, _ = per_class
    sizes, totals = [], {"support": total}
    if numbers is not None:
        sizes = [numbers[:, :-1].sum(axis=1)]
        totals = {"n": sizes[0].sum().item(), **totals}
    support = per_class["support"]
    values = [per_class[measure] for measure in measures]
    values += [*sizes, support.astype(np.int64) if is_whole else support]
    totals["support"] = int(total) if is_whole else total
    rows = zip(target_names, *(column.tolist() for column in values), strict=True)
    of_accuracy = {"f1-score": accuracy}
    summary: list[Row] = [("accuracy", *map(of_accuracy.get, measures), *totals.values())]
    for name, average in averages.items():
        of_measures = (average[measure] for measure in measures)
        summary.append((name, *of_measures, *totals.values()))
    title = "Classes, from the lowest to the highest"
    if n_unanswered(confusion):
        title += f" (of {_answered(confusion)})"
    return Table(title, columns, tuple(rows), tuple(summary))


def criteria_table(
    title: str,
    metrics: Mapping[str, OrdinalMetric],
    values: Mapping[str, float],
    confusion: OrdinalConfusion,
) -> Table:
    """Return the value of each criterion with its range and direction.

    If samples lack a prediction, a column says of which samples it is the value.
    """
    n_classes, is_split = len(confusion.scale), bool(n_unanswered(confusion))
    columns = (
        Column("criterion"),
        Column("value", "number"),
        *((Column("of"),) if is_split else ()),
        Column("range"),
        Column("better"),
        Column("an error costs", is_detail=True),
    )
    rows = (
        (
            name,
            values[name],
            *((_samples_of(metric, confusion),) if is_split else ()),
            range_as_text(metric, n_classes),
            direction_as_text(metric),
            metric.an_error_costs,
        )
        for name, metric in metrics.items()
    )
    return Table(title, columns, tuple(rows))


def samples_in_words(
    amount: float,
    target_names: Sequence[str],
    *,
    is_weighted: bool,
    which: str = "",
    n_samples: int | None = None,
) -> str:
    """Return the first sentence of a report: how many samples there are, and which classes.

    The amount is the sum of the weights if there are any, and `n_samples` the number then.
    """
    unit = "total weight" if is_weighted else plural(amount, "sample")
    size = f"{amount_as_text(amount)} {unit}"
    if is_weighted and n_samples is not None:
        size = f"{counted(n_samples, 'sample')} with a {unit} of {amount_as_text(amount)}"
    n_classes = len(target_names)
    return (
        f"{size}{which}, {n_classes} {plural(n_classes, 'class')} from "
        f"{target_names[0]} (lowest) to {target_names[-1]} (highest)."
    )


def n_left_out(metric: OrdinalMetric, confusion: OrdinalConfusion) -> float | None:
    """Return how many samples without a prediction a metric leaves out, None if not known."""
    if metric.evidence == "estimator":
        return None
    if metric.evidence != "labels" or metric.counts_unanswered:
        return 0
    return n_unanswered(confusion)


def _samples_of(metric: OrdinalMetric, confusion: OrdinalConfusion) -> str:
    n_missing = n_left_out(metric, confusion)
    if n_missing is None:
        return ""
    return _answered(confusion) if n_missing else f"all {_total(confusion)}"


def _answered(confusion: OrdinalConfusion) -> str:
    return f"{amount_as_text(confusion.counts.sum().item())} answered"


def _total(confusion: OrdinalConfusion) -> str:
    return amount_as_text(confusion.counts.sum().item() + n_unanswered(confusion))


def unanswered_as_text(confusion: OrdinalConfusion) -> str:
    """Return how many samples are unanswered."""
    what = "weight " if confusion.is_weighted else ""
    return f"{what}{amount_as_text(n_unanswered(confusion))} of {_total(confusion)} unanswered"


def unanswered_parts(
    metrics: Mapping[str, OrdinalMetric], confusion: OrdinalConfusion
) -> tuple[Note, ...]:
    """Return notes on samples without a prediction, if there are any."""
    if not n_unanswered(confusion):
        return ()
    how_many = unanswered_as_text(confusion)
    if not confusion.counts.any():
        rest = "the others are undefined, since no sample has a prediction"
    else:
        rest = f"the others, and the measures of the classes, are of the {_answered(confusion)}"
    counting = "the cem_* criteria count these samples as errors that earn nothing"
    of_all = [name for name, metric in metrics.items() if n_left_out(metric, confusion) is None]
    but = f", except {', '.join(of_all)}, which scorers compute from all samples" if of_all else ""
    if any(metric.evidence in ("probabilities", "scores") for metric in metrics.values()):
        but += f"; criteria of probabilities and scores are of all {_total(confusion)}"
    return (Note(f"{how_many}: {counting}; {rest}{but}."),)


def confusion_figure(
    confusion: OrdinalConfusion, target_names: Sequence[str], whose: str = ""
) -> Figure:
    """Return the plot of a confusion matrix."""
    n_classes = len(target_names)
    counts, total = confusion.counts, confusion.counts.sum()
    right, near = (np.tril(np.triu(counts, -n), n).sum() / total for n in (0, 1))
    return Figure(
        partial(
            OrdinalConfusionMatrixDisplay.from_confusion,
            confusion,
            target_names=target_names,
            include_values=n_classes <= _MOST_CLASSES_WITH_NUMBERS,
        ),
        f"True and predicted classes{whose}",
        f"Confusion matrix of {n_classes} {plural(n_classes, 'class')}: {right:.0%} of the "
        f"predictions are correct, {near:.0%} at most one class away.",
    )


def errors_figure(
    confusion: OrdinalConfusion,
    target_names: Sequence[str],
    whose: str = "",
) -> Figure:
    """Return the plot of the errors of each class."""
    shares = ErrorDistributionDisplay(confusion).shares(max_distance=1).tolist()
    classes = (
        f"{name} has no samples"
        if np.isnan(right)
        else f"{name} {right:.0%} correct, {low:.0%} too low, {high:.0%} too high"
        for name, (low, right, high) in zip(target_names, shares, strict=True)
    )
    return Figure(
        partial(ErrorDistributionDisplay.from_confusion, confusion, target_names=target_names),
        f"Errors of each class{whose}",
        f"Predictions of each true class: {'; '.join(classes)}",
    )
