"""Tables, notes and figures that several reports share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import OrdinalConfusion, OrdinalMetric, amount_as_text, n_unanswered
from sklearn_ordinal._documents import (
    Cell,
    Column,
    Figure,
    Note,
    Table,
    as_percent,
    cell_text,
    counted,
    cut,
    names_in_words,
    plural,
    pvalue_in_words,
)
from sklearn_ordinal.inference import Contrast, Interval, PairedDifference
from sklearn_ordinal.plotting import ErrorDistributionDisplay, OrdinalConfusionMatrixDisplay
from sklearn_ordinal.reports._criteria import takes_labels

_LONGEST_COLUMN = 40
# In larger matrices, numbers would be too small to read and slow to draw, so only colours are
# shown.
_MOST_CLASSES_WITH_NUMBERS = 40


def range_as_text(metric: OrdinalMetric, n_classes: int) -> str:
    """Return the range of a metric, or an empty string if it is not known."""
    lowest, highest = metric.bounds(n_classes)
    return "" if np.isinf([lowest, highest]).all() else f"{lowest:g} to {highest:g}"


def has_direction(metric: OrdinalMetric) -> bool:
    """Return whether higher or lower values of a metric are better, so that it ranks systems."""
    return metric.greater_is_better is not None


def direction_as_text(metric: OrdinalMetric) -> str:
    """Return whether higher or lower values of a metric are better."""
    if metric.greater_is_better is None:
        return "neither"
    return "higher" if metric.greater_is_better else "lower"


def which_is_better(metric: OrdinalMetric) -> str:
    """Return in words whether higher or lower values of a metric are better."""
    better = direction_as_text(metric)
    return f"{'neither higher nor lower' if better == 'neither' else better} is better"


def better_sign(metric: OrdinalMetric) -> str:
    """Return whether positive or negative differences are better, for the titles of tables."""
    if metric.greater_is_better is None:
        return "neither sign is better"
    return f"{'positive' if metric.greater_is_better else 'negative'} is better"


def interval_name(confidence_level: float) -> str:
    """Return the name of a column of intervals."""
    return f"{as_percent(confidence_level)} interval"


def interval_in_words(interval: Interval, digits: int, *, is_signed: bool = False) -> str:
    """Return the ends of an interval and its level, or say that there is no interval."""
    level = interval_name(interval.confidence_level)
    if np.isnan(interval.low):
        return f"no {level}"
    column = Column("", "interval", is_signed=is_signed)
    return f"{level} {cell_text((interval.low, interval.high), column, digits)}"


def signed_in_words(
    difference: Contrast | PairedDifference, digits: int, *, is_loss: bool = False
) -> str:
    """Return a difference with its sign, its interval and its p-value."""
    size = cell_text(difference.estimate, Column("", "number", is_signed=True), digits)
    interval = interval_in_words(difference, digits, is_signed=True)
    remark = "; lower is better" if is_loss else ""
    return f"{size} ({interval}, {pvalue_in_words(difference.pvalue)}{remark})"


def headline(metric: OrdinalMetric, n_classes: int) -> str:
    """Return a metric with its range and direction."""
    facts = (range_as_text(metric, n_classes), which_is_better(metric))
    return f"{metric.name} ({', '.join(filter(None, facts))})"


def samples_in_words(
    amount: float,
    target_names: Sequence[str],
    *,
    is_weighted: bool,
    which: str = "",
    n_samples: int | None = None,
) -> str:
    """Return the first sentence of a report, with the number of samples and the classes.

    If there are weights, the amount is their sum, and `n_samples` is the number of samples.
    """
    unit = "total weight" if is_weighted else plural(amount, "sample")
    size = f"{amount_as_text(amount)} {unit}"
    if is_weighted and n_samples is not None:
        size = f"{counted(n_samples, 'sample')} with a {unit} of {amount_as_text(amount)}"
    return f"{size}{which}, {classes_in_words(target_names)}."


def classes_in_words(names: Sequence[Any]) -> str:
    """Return the number of classes, and the lowest and the highest class."""
    n_classes = len(names)
    return (
        f"{n_classes} {plural(n_classes, 'class')} from {names[0]} (lowest) to "
        f"{names[-1]} (highest)"
    )


def parts_in_words(number: int, noun: str, columns: Sequence[str]) -> str:
    """Return the number of groups or clusters, and the columns that define them if known."""
    by = names_in_words([cut(name, _LONGEST_COLUMN) for name in columns]) if any(columns) else ""
    return f"{counted(number, noun)}{by and ' by '}{by}"


def rated_items_in_words(
    n_items_by_grades: NDArray[np.int64],
    *,
    n_without_weight: int,
    total_weight: float | None,
    labels: Sequence[Any],
    use_of_single_grades: str,
) -> str:
    """Say how many items have several grades, and why others are not used.

    The number of raters is that of grades that an item can have.
    """
    n_without, n_single = n_items_by_grades[:2].tolist()
    weight = ""
    if total_weight is not None:
        weight = f" with a total weight of {amount_as_text(total_weight)}"
    n_shared = int(n_items_by_grades[2:].sum())
    sentences = [
        f"{counted(int(n_items_by_grades.sum()), 'item')}{weight}, "
        f"{counted(len(n_items_by_grades) - 1, 'rater')}, {classes_in_words(labels)}.",
        f"{counted(n_shared, 'item')} with at least two grades.",
    ]
    if n_single:
        sentences.append(
            f"{counted(n_single, 'item')} with a single grade: {use_of_single_grades}."
        )
    if n_without:
        sentences.append(f"{counted(n_without, 'item')} without a grade: not used.")
    if n_without_weight:
        sentences.append(f"{counted(n_without_weight, 'item')} of weight 0: not used.")
    return " ".join(sentences)


def notes_on_prevalence(
    prevalence: NDArray[np.float64] | None, target_names: Sequence[str]
) -> tuple[Note, ...]:
    """If there is a prevalence, say that all values are weighted to it."""
    if prevalence is None:
        return ()
    shares = zip(target_names, prevalence.tolist(), strict=True)
    text = ", ".join(f"{name}: {share:.3g}" for name, share in shares)
    return (Note(f"All values are weighted to these shares of the true classes: {text}."),)


def n_left_out(metric: OrdinalMetric, confusion: OrdinalConfusion) -> float | None:
    """Return the number of unanswered samples that a metric leaves out, None if unknown."""
    if metric.evidence.argument is None:
        return None
    if OrdinalConfusion not in metric.evidence.accepts or metric.counts_unanswered:
        return 0
    return n_unanswered(confusion)


def answered_as_text(confusion: OrdinalConfusion) -> str:
    """Return the number of samples with a prediction."""
    return f"{amount_as_text(confusion.counts.sum().item())} answered"


def total_as_text(confusion: OrdinalConfusion) -> str:
    """Return the number of samples, with or without a prediction."""
    return amount_as_text(confusion.counts.sum().item() + n_unanswered(confusion))


def unanswered_as_text(confusion: OrdinalConfusion) -> str:
    """Return the number of unanswered samples."""
    unit = "weight " if confusion.is_weighted else ""
    return (
        f"{unit}{amount_as_text(n_unanswered(confusion))} of {total_as_text(confusion)} unanswered"
    )


def unanswered_parts(
    metrics: Mapping[str, OrdinalMetric], confusion: OrdinalConfusion
) -> tuple[Note, ...]:
    """Return notes on samples without a prediction, if there are any."""
    if not n_unanswered(confusion):
        return ()
    how_many = unanswered_as_text(confusion)
    if not confusion.counts.any():
        rest = "all other criteria are undefined, since no sample has a prediction"
    else:
        answered = answered_as_text(confusion)
        rest = f"all other criteria, and the measures of the classes, use only the {answered}"
    counting = "the cem_* criteria count these samples as errors with a closeness of 0"
    exceptions = ""
    scorers = [name for name, metric in metrics.items() if n_left_out(metric, confusion) is None]
    if scorers:
        exceptions = f", except {', '.join(scorers)}, which scorers compute from all samples"
    if not all(takes_labels(metric) for metric in metrics.values()):
        total = total_as_text(confusion)
        exceptions += f"; criteria of probabilities and scores use all {total}"
    return (Note(f"{how_many}: {counting}; {rest}{exceptions}."),)


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


def intervals_table(title: str, intervals: Mapping[str, Interval], row: str = "criterion") -> Table:
    """Return an estimate with its interval for each criterion, or other kind of row."""
    level = next(iter(intervals.values())).confidence_level
    columns = (
        Column(row),
        Column("value", "number"),
        Column(interval_name(level), "interval"),
    )
    rows = (
        (name, interval.estimate, (interval.low, interval.high))
        for name, interval in intervals.items()
    )
    return Table(title, columns, tuple(rows))


def difference_columns(interval: str, test: str) -> tuple[Column, ...]:
    """Return the columns of differences, titled with the kinds of interval and test."""
    return (
        Column("difference", "number", is_signed=True),
        Column(interval, "interval", is_signed=True),
        Column(f"p ({test})", "pvalue", full_name="p-value, adjusted for multiple tests"),
    )


def difference_cells(
    difference: PairedDifference, adjusted_pvalue: float | None
) -> tuple[Cell, ...]:
    """Return the cells of a difference, without a p-value if it is not tested."""
    return difference.estimate, (difference.low, difference.high), adjusted_pvalue
