"""The document of tuned thresholds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sklearn_ordinal._documents import (
    Column,
    Document,
    Figure,
    Note,
    Table,
    counted,
    names_in_words,
)
from sklearn_ordinal.reports._provenance import footer
from sklearn_ordinal.reports._sections import direction_as_text

if TYPE_CHECKING:
    from sklearn_ordinal.reports._tuned_thresholds import TunedThresholds


def tuned_thresholds_document(result: TunedThresholds) -> Document:
    """Return the value as a sentence, the classes between the cuts as a table, and a plot."""
    table = _table(result)
    return Document(
        "Tuned thresholds",
        (
            table,
            Figure(
                result.plot,
                f"{result.criterion} along each cut",
                f"{result.criterion} along each cut on the score while the other cuts stay",
                table,
            ),
            *(Note(text, is_small=True) for text in _notes(result)),
        ),
        verdict=(Note(_value_in_words(result)),),
        footer=footer(result.provenance),
    )


def _value_in_words(result: TunedThresholds) -> str:
    """Say how good the cuts are for the samples for which they were chosen."""
    samples = counted(int(result.confusion.n_samples), "sample")
    unit = " (weighted)" if result.confusion.is_weighted else ""
    return (
        f"With these cuts on the score, {result.criterion} is {result.value:.3f} "
        f"({direction_as_text(result.metrics[result.criterion])} is better) for {samples}{unit}."
    )


def _table(result: TunedThresholds) -> Table:
    """Return the classes, the cuts below them, and how often they occur and are predicted."""
    columns = (
        Column("class"),
        Column("score from"),
        Column("true", "number", digits=0),
        Column("predicted", "number", digits=0),
    )
    rows = tuple(
        (
            str(record["class"]),
            f"{record['above']:.4g}" if np.isfinite(record["above"]) else "",
            record["true"],
            record["predicted"],
        )
        for record in result._records()
    )
    return Table("Classes between the cuts", columns, rows)


def _notes(result: TunedThresholds) -> list[str]:
    texts = [
        "The cuts have the best value for these samples, so this value is too good for new "
        "samples: to know how good the cuts are, use them for samples for which they were not "
        "chosen."
    ]
    counts = result.confusion.class_counts
    missing = [str(label) for label in result.scale.labels[counts == 0].tolist()]
    if missing:
        texts.append(
            f"No sample is of class {names_in_words(missing)}, so the cuts never predict it."
        )
    return texts
