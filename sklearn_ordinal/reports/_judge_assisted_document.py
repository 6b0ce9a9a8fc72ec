"""The document of judge-assisted intervals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sklearn_ordinal._documents import Column, Document, Figure, Note, Table, names_in_words
from sklearn_ordinal.reports._provenance import footer
from sklearn_ordinal.reports._sections import interval_name

if TYPE_CHECKING:
    from sklearn_ordinal.reports._judge_assisted_interval import JudgeAssistedInterval

WHY_UNDEFINED = (
    "for the grades of the humans, the value is undefined, has no derivative there or where the "
    "judge puts an item, or has a standard error of 0"
)


def judge_assisted_document(result: JudgeAssistedInterval) -> Document:
    """Return the items, the assumption, the values with and without the judge, and notes."""
    table = _table(result)
    criterion = next(iter(result.metrics))
    return Document(
        "Judge-assisted intervals",
        (
            Note(_items_in_words(result)),
            Note(
                f"These intervals are valid only if the {result.n_graded:,} items that humans "
                f"grade are a random sample of all items."
            ),
            table,
            Figure(
                result.plot,
                f"Values of {criterion} from humans and the judge",
                f"Values of {criterion} with their intervals",
                Table(table.title, table.columns, table.rows[:3]),
            ),
            *(Note(text, is_small=True) for text in _notes(result)),
        ),
        footer=footer(result.provenance),
        verdict=(Note(_verdict(result)),),
    )


def _verdict(result: JudgeAssistedInterval) -> str:
    """Return the value of the first criterion with the judge and without."""
    criterion = next(iter(result.metrics))
    both, humans = result.intervals[criterion], result.humans_alone[criterion]
    with_judge, without = (
        "undefined" if math.isnan(value.estimate) else f"{value}" for value in (both, humans)
    )
    return (
        f"{criterion} is {with_judge} from the grades of humans and of the judge, and {without} "
        f"from the grades of humans alone."
    )


def _items_in_words(result: JudgeAssistedInterval) -> str:
    lowest, *_, highest = result.scale.labels.tolist()
    n_items = result.n_graded + result.n_judge_only
    return (
        f"{n_items:,} items with a grade of the judge, {result.n_graded:,} of them also with a "
        f"grade of a human, {result.n_classes} classes from {lowest} (lowest) to {highest} "
        f"(highest)."
    )


def _table(result: JudgeAssistedInterval) -> Table:
    columns = (
        Column("criterion"),
        Column("grades"),
        Column("value", "number"),
        Column(interval_name(result.confidence_level), "interval"),
        Column("width", "number", is_detail=True),
        Column("lambda", "number", digits=2),
    )
    rows = tuple(
        (
            record["criterion"],
            record["grades"],
            record["estimate"],
            (record["low"], record["high"]),
            record["high"] - record["low"],
            record["lambda"] if record["grades"] == "both" else None,
        )
        for record in result._records()
    )
    return Table("Values by the grades that they use", columns, rows)


def _notes(result: JudgeAssistedInterval) -> list[str]:
    texts: list[str] = []
    one_step = [name for name, is_one_step in result.is_one_step.items() if is_one_step]
    if one_step:
        texts.append(
            f"Computed in one step from the derivatives, since the corrected counts have a class "
            f"without a positive size, no value, or a value out of range: "
            f"{names_in_words(one_step)}."
        )
    undefined = [name for name, value in result.intervals.items() if math.isnan(value.low)]
    if undefined:
        texts.append(f"There is no interval of {names_in_words(undefined)}: {WHY_UNDEFINED}.")
    return texts
