"""The document of a change between old and new samples."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from sklearn_ordinal._core import amount_as_text
from sklearn_ordinal._documents import (
    Column,
    Document,
    Figure,
    Note,
    Table,
    cell_text,
    names_in_words,
    plural,
)
from sklearn_ordinal.inference import Contrast, digits_of_intervals
from sklearn_ordinal.reports._provenance import footer
from sklearn_ordinal.reports._sections import (
    better_sign,
    has_direction,
    interval_name,
    signed_in_words,
)

if TYPE_CHECKING:
    from sklearn_ordinal.reports._change_report import ChangeReport

_DIGITS = 3
_QUESTION = "These are differences of values, whatever their cause, such as other class sizes"


def change_document(report: ChangeReport) -> Document:
    """Return the verdicts, the differences and their parts, a plot, and the classes."""
    differences = _differences_table(report)
    first = next(iter(report.metrics))
    return Document(
        "Change",
        (
            Note(_samples_in_words(report)),
            *map(Note, _notes_on_classes(report)),
            differences,
            *_part_tables(report),
            Figure(
                report.plot,
                f"Change of {first}",
                f"Difference between new and old samples by {first}, and its parts",
                differences,
            ),
            *_classes_table(report),
        ),
        verdict=tuple(map(Note, (*change_verdicts(report), _question(report)))),
        digits=_DIGITS,
        footer=footer(report.provenance),
    )


def _question(report: ChangeReport) -> str:
    if report.missing_classes:
        return f"{_QUESTION}."
    return f"{_QUESTION}; the rates are about the errors within true classes."


def change_verdicts(report: ChangeReport) -> Iterator[str]:
    """Yield a sentence for each criterion that says whether its value is worse than before."""
    for name, is_worse in report._are_worse(report.margin).items():
        metric, difference = report.metrics[name], report.differences[name]
        if math.isnan(difference.estimate):
            yield f"By {name}, the samples cannot be compared, since a value is undefined."
            continue
        by_more = f" by more than {report.margin:g}" if report.margin else ""
        claim = {
            True: f"the new value is worse{by_more}",
            False: f"the new value is not worse{by_more}",
            None: f"these samples cannot tell whether the new value is worse{by_more}",
        }[is_worse]
        if not has_direction(metric):
            claim = "neither higher nor lower values are better"
        digits = digits_of_intervals([difference], _DIGITS)
        old, new = (
            cell_text(scores[name].estimate, Column("", "number"), digits)
            for scores in (report.old_scores, report.new_scores)
        )
        is_loss = metric.greater_is_better is False
        yield (
            f"By {name}, {claim}: {old} before and {new} now, a difference of "
            f"{signed_in_words(difference, digits, is_loss=is_loss)}."
        )


def change_parts(report: ChangeReport, name: str) -> str:
    """Describe the rates and the class sizes of a criterion, or why there are none."""
    if report.missing_classes:
        return _reason_without_parts(report)
    return " ".join(
        f"{title}: {_part_in_words(part)}."
        for title, part in (
            ("Rates", report.rates[name]),
            ("Class sizes", report.class_sizes[name]),
        )
    )


def _part_in_words(part: Contrast) -> str:
    if math.isnan(part.estimate):
        return "undefined"
    return signed_in_words(part, digits_of_intervals([part], _DIGITS))


def _samples_in_words(report: ChangeReport) -> str:
    unit = "total weight" if report.is_weighted else "samples"
    old, new = (amount_as_text(amount) for amount in report.class_counts.sum(axis=1).tolist())
    names, n_classes = report.target_names, report.n_classes
    return (
        f"{old} old and {new} new {unit}, {n_classes} {plural(n_classes, 'class')} from {names[0]} "
        f"(lowest) to {names[-1]} (highest)."
    )


def _notes_on_classes(report: ChangeReport) -> Iterator[str]:
    if report.missing_classes:
        yield _reason_without_parts(report)
    if report.class_changes:
        worse = names_in_words(report.worse_classes or ("none",))
        yield f"Classes shown to have a larger mean absolute error than before: {worse}."


def _reason_without_parts(report: ChangeReport) -> str:
    missing = report.missing_classes
    return (
        f"The differences are not split into rates and class sizes, since the new samples lack "
        f"the {plural(len(missing), 'class')} {names_in_words(missing)}."
    )


def _differences_table(report: ChangeReport) -> Table:
    digits = digits_of_intervals(report.differences.values(), _DIGITS)
    level = next(iter(report.differences.values())).confidence_level
    columns = (
        Column("criterion"),
        Column("old", "number", digits),
        Column("new", "number", digits),
        *_difference_columns(level, digits),
        Column("better", is_detail=True),
    )
    rows = tuple(
        (
            name,
            report.old_scores[name].estimate,
            report.new_scores[name].estimate,
            *_difference_cells(difference),
            better_sign(report.metrics[name]),
        )
        for name, difference in report.differences.items()
    )
    return Table("Differences between new and old samples", columns, rows)


def _part_tables(report: ChangeReport) -> tuple[Table, ...]:
    """Return the parts of the differences, if they are defined."""
    if report.missing_classes:
        return ()
    return (
        _part_table("Rates: differences at the class shares of the old samples", report.rates),
        _part_table("Class sizes: the rest of the differences", report.class_sizes),
    )


def _part_table(title: str, contrasts: Mapping[str, Contrast]) -> Table:
    level = next(iter(contrasts.values())).confidence_level
    digits = digits_of_intervals(contrasts.values(), _DIGITS)
    columns = (Column("criterion"), *_difference_columns(level, digits))
    rows = tuple((name, *_difference_cells(part)) for name, part in contrasts.items())
    return Table(title, columns, rows)


def _difference_columns(level: float, digits: int) -> tuple[Column, ...]:
    return (
        Column("difference", "number", digits, is_signed=True),
        Column(interval_name(level), "interval", digits, is_signed=True),
        Column("p", "pvalue"),
    )


def _difference_cells(difference: Contrast) -> tuple[float, tuple[float, float], float]:
    return difference.estimate, (difference.low, difference.high), difference.pvalue


def _classes_table(report: ChangeReport) -> tuple[Table, ...]:
    """Return the changes of the classes, if there are predicted classes."""
    if report.class_errors is None:
        return ()
    changes = report.class_changes
    level = next(iter(changes.values())).confidence_level
    shares = report.class_counts / report.class_counts.sum(axis=1, keepdims=True)
    digits = digits_of_intervals(changes.values(), _DIGITS)
    _, interval, _ = _difference_columns(level, digits)
    columns = (
        Column("class"),
        Column("old share", "number", is_detail=True),
        Column("new share", "number", is_detail=True),
        Column("old", "number", digits),
        Column("new", "number", digits),
        Column("change", "number", digits, is_signed=True),
        interval,
        Column("adjusted p", "pvalue"),
    )
    rows = tuple(
        (
            name,
            *shares[:, k].tolist(),
            *report.class_errors[:, k].tolist(),
            change.estimate,
            (change.low, change.high),
            change.adjusted_pvalue,
        )
        for k, (name, change) in enumerate(changes.items())
    )
    return (Table("Mean absolute error of each class, in positions on the scale", columns, rows),)
