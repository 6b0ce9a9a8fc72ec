"""Diagnostic measures of thresholds and classes with intervals, a section of a report."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Literal, TypeAlias

from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core import (
    OrdinalConfusion,
    get_metric,
    n_unanswered,
    threshold_names,
)
from sklearn_ordinal._documents import Column, Note, Part, Section, Table
from sklearn_ordinal.inference import Interval, delta_interval
from sklearn_ordinal.metrics import split_measure
from sklearn_ordinal.reports._sections import answered_as_text, interval_name

Diagnostics: TypeAlias = Mapping[str, Mapping[str, tuple[Interval, ...]]]
"""For "threshold" and "class", the interval of each measure for each threshold or class."""

_MEASURES = (
    "sensitivity",
    "specificity",
    "precision",
    "negative_predictive_value",
    "positive_likelihood_ratio",
    "negative_likelihood_ratio",
)
_NAMES = {"precision": "positive_predictive_value"}
_TITLES = {
    "threshold": "Classes above each threshold against those below",
    "class": "Each class against the rest",
}


def diagnostics_with_intervals(confusion: OrdinalConfusion) -> Diagnostics:
    """Return the measures of each threshold and class, with intervals in closed form."""
    n_classes = len(confusion.scale)
    sizes: dict[Literal["threshold", "class"], int] = {
        "threshold": n_classes - 1,
        "class": n_classes,
    }
    metrics = {
        (split, measure, at): get_metric(
            partial(split_measure, measure=measure, at=at, split=split)
        )
        for split, size in sizes.items()
        for measure in _MEASURES
        for at in range(size)
    }
    with warnings.catch_warnings():
        # A note in the report says where there are no intervals.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        intervals = delta_interval(confusion, metrics=list(metrics.values()))
    return {
        split: {
            _NAMES.get(measure, measure): tuple(
                intervals[metrics[split, measure, at].name] for at in range(size)
            )
            for measure in _MEASURES
        }
        for split, size in sizes.items()
    }


def diagnostic_records(
    diagnostics: Diagnostics, target_names: Sequence[str]
) -> Iterator[tuple[str, str, str, Interval]]:
    """Yield "threshold" or "class", its name, the measure and its interval."""
    names = {"threshold": threshold_names(target_names), "class": tuple(target_names)}
    for split, by_measure in diagnostics.items():
        for place, name in enumerate(names[split]):
            for measure, intervals in by_measure.items():
                yield split, name, measure, intervals[place]


def diagnostics_to_dict(
    diagnostics: Diagnostics, target_names: Sequence[str]
) -> dict[str, dict[str, dict[str, dict[str, float]]]]:
    """Return the value and the ends for each split, threshold or class, and measure."""
    numbers: dict[str, dict[str, dict[str, dict[str, float]]]] = {s: {} for s in diagnostics}
    for split, name, measure, interval in diagnostic_records(diagnostics, target_names):
        ends = {"value": interval.estimate, "low": interval.low, "high": interval.high}
        numbers[split].setdefault(name, {})[measure] = ends
    return numbers


def diagnostics_section(
    diagnostics: Diagnostics, target_names: Sequence[str], confusion: OrdinalConfusion
) -> Section:
    """Return a table of the thresholds, a table of the classes, and what is left out."""
    records = list(diagnostic_records(diagnostics, target_names))
    level = interval_name(records[0][-1].confidence_level)
    tables: list[Part] = []
    for split, title in _TITLES.items():
        rows = tuple(
            (name, measure.replace("_", " "), interval.estimate, (interval.low, interval.high))
            for of_split, name, measure, interval in records
            if of_split == split
        )
        columns = (
            Column(split),
            Column("measure"),
            Column("value", "number"),
            Column(level, "interval"),
        )
        tables += [Table(title, columns, rows)] if rows else []
    notes = []
    if confusion.is_clustered:
        text = "A measure whose samples are all in one cluster has no interval."
        notes.append(Note(text, is_small=True))
    if n_unanswered(confusion):
        notes.append(Note(f"These measures use only the {answered_as_text(confusion)}."))
    return Section("Diagnostic measures", (*tables, *notes))
