"""The document of a report of prediction sets."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from sklearn_ordinal._documents import (
    Column,
    Document,
    Figure,
    Note,
    Part,
    Row,
    Section,
    Table,
    as_percent,
    counted,
    names_in_words,
)
from sklearn_ordinal.inference import Interval
from sklearn_ordinal.reports._group_names import OVERALL
from sklearn_ordinal.reports._provenance import footer
from sklearn_ordinal.reports._sections import interval_name, samples_in_words

if TYPE_CHECKING:
    from sklearn_ordinal.reports._prediction_sets import PredictionSetReport

# A verdict with a smaller probability is evidence against the nominal level.
_ALPHA = 0.05
# A sentence names as many classes or groups at most.
_MOST_NAMES = 3
_SET_TITLES = {
    "empty": "empty",
    "singletons": "one class",
    "contiguous": "no gap",
}
_MISS_TITLES = {
    "too_low": "too low",
    "too_high": "too high",
    "in_gap": "in gap",
    "empty": "empty",
    "distance": "distance",
    "miss_distance": "if missed",
    "interval_score": "interval score",
}


def prediction_sets_document(report: PredictionSetReport) -> Document:
    """Return the findings as sentences, a plot, and tables of classes and groups."""
    summary = samples_in_words(
        report.total_weights[0].item(),
        report.class_names,
        is_weighted=report.is_weighted,
        n_samples=int(report.n_samples[0]),
    )
    parts: list[Part] = [Note(summary)]
    if report.n_levels == 1:
        parts += _level_parts(report, 0)
    else:
        parts.append(_levels_table(report))
        parts += [
            Section(
                _level_name(report, level).capitalize(), tuple(_level_parts(report, level)), True
            )
            for level in range(report.n_levels)
        ]
    parts += [Note(text, is_small=True) for text in _notes(report)]
    verdict = (
        *(Note(_coverage_in_words(report, level)) for level in range(report.n_levels)),
        *map(Note, _verdicts(report)),
    )
    return Document(
        "Prediction sets", tuple(parts), footer=footer(report.provenance), verdict=verdict
    )


def _level_parts(report: PredictionSetReport, level: int) -> Iterator[Part]:
    """Yield the findings at one level, a plot, and tables."""
    yield from map(Note, _worst_in_words(report, level))
    yield Note(_sizes_in_words(report, level))
    yield Note(_misses_in_words(report, level))
    table = _coverage_table(report, level, "class")
    yield table
    yield Figure(
        partial(report.plot, level),
        "Coverage and size by class",
        "Coverage of the sets of each class with its interval, and their mean size",
        table,
    )
    yield _measures_table(report, level, "class", "Sets by class", _SET_TITLES)
    yield _measures_table(report, level, "class", "Misses by class", _MISS_TITLES)
    if report.group_names:
        yield _coverage_table(report, level, "group")
        yield _measures_table(report, level, "group", "Sets by group", _SET_TITLES)
        yield _measures_table(report, level, "group", "Misses by group", _MISS_TITLES)
    for text in _level_notes(report, level):
        yield Note(text, is_small=True)


def _level_name(report: PredictionSetReport, level: int) -> str:
    return f"level {report.nominal[level]:g}" if report.nominal else f"level {level + 1}"


def _percent(value: float) -> str:
    return f"{100 * value:.1f}%"


def _ends(interval: Interval) -> str:
    level = as_percent(interval.confidence_level)
    return f"{level} interval {_percent(interval.low)} to {_percent(interval.high)}"


def _coverage_in_words(report: PredictionSetReport, level: int) -> str:
    """Say which share of the sets contains the true class, and what it should be."""
    interval = report.coverage[level][0]
    is_named = report.n_levels > 1 and not report.nominal
    sets = f"sets of {_level_name(report, level)}" if is_named else "sets"
    text = f"{_percent(interval.estimate)} of the {sets} contain the true class ({_ends(interval)})"
    if report.nominal:
        text += f", at a nominal level of {as_percent(report.nominal[level])}"
    return f"{text}."


def _verdicts(report: PredictionSetReport) -> Iterator[str]:
    """Yield how probable so low a coverage is at each level, for split conformal sets."""
    n_test = int(report.n_samples[0])
    for level, pvalue in enumerate(report.pvalues):
        n_covered = round(report.coverage[level][0].estimate * n_test)
        probability = "below 0.001" if pvalue < 0.001 else f"of {pvalue:.3f}"
        yield (
            f"Split conformal sets at the level {as_percent(report.nominal[level])}, calibrated on "
            f"{counted(report.n_calibration or 0, 'sample')}, contain at most {n_covered:,} of "
            f"{n_test:,} true classes with a probability {probability}, which is "
            f"{'evidence' if pvalue < _ALPHA else 'no evidence'} against this level."
        )


def _worst_in_words(report: PredictionSetReport, level: int) -> Iterator[str]:
    """Yield the class, and the group, with the lowest coverage."""
    n_classes = report.n_classes
    rows = report.coverage[level]
    parts = [("class", report.class_names, rows[1 : 1 + n_classes], report.worst_class)]
    if report.group_names:
        parts.append(("group", report.group_names, rows[1 + n_classes :], report.worst_group))
    for part, names, intervals, worst in parts:
        lowest = worst[level]
        names_with_lowest = [
            name
            for name, interval in zip(names, intervals, strict=True)
            if interval.estimate == lowest.estimate
        ]
        plurals = {"class": "classes", "group": "groups"}
        if len(names_with_lowest) > _MOST_NAMES:
            where = f"{len(names_with_lowest)} {plurals[part]}"
        else:
            unit = part if len(names_with_lowest) == 1 else plurals[part]
            where = f"{unit} {names_in_words(names_with_lowest)}"
        text = (
            f"The lowest coverage of a {part} is {_percent(lowest.estimate)}, for {where} "
            f"({_ends(lowest)} for the lowest of all {plurals[part]})"
        )
        if report.nominal and lowest.high < report.nominal[level]:
            level_in_words = as_percent(report.nominal[level])
            text += f", so at least one {part} has a coverage below {level_in_words}"
        yield f"{text}."


def _sizes_in_words(report: PredictionSetReport, level: int) -> str:
    values = {name: row[level, 0].item() for name, row in report.measures.items()}
    text = (
        f"A set has {values['size']:.2f} of {report.n_classes} classes on average. "
        f"{_percent(values['empty'])} of the sets are empty, {_percent(values['singletons'])} have "
        f"one class, and {_percent(values['contiguous'])} have classes without a gap."
    )
    if not math.isnan(values["interval_score"]):
        text += f" The mean interval score is {values['interval_score']:.2f}."
    return text


def _misses_in_words(report: PredictionSetReport, level: int) -> str:
    values = {name: row[level, 0].item() for name, row in report.measures.items()}
    parts = {
        "are too low": "too_low",
        "are too high": "too_high",
        "have it in a gap": "in_gap",
        "are empty": "empty",
    }
    kinds = [f"{_percent(values[name])} {text}" for text, name in parts.items() if values[name]]
    if not kinds:
        return "No set misses the true class."
    if len(kinds) == 1:
        kinds = [f"all of them {text}" for text, name in parts.items() if values[name]]
    missed = _percent(1 - report.coverage[level][0].estimate)
    text = f"{missed} of the sets miss the true class: {names_in_words(kinds)}."
    if not math.isnan(values["miss_distance"]):
        text += (
            f" The nearest class of a set that misses is {values['miss_distance']:.2f} classes "
            f"away on average."
        )
    return text


def _levels_table(report: PredictionSetReport) -> Table:
    """Return the coverage, the worst class and the size at each level."""
    interval = interval_name(report.coverage[0][0].confidence_level)
    columns = [
        Column("level"),
        Column("coverage", "number"),
        Column(interval, "interval"),
        Column("lowest class", "number"),
        Column(interval, "interval"),
        Column("classes", "number"),
    ]
    columns += [Column("p", "pvalue")] if report.pvalues else []
    rows = []
    for level, (intervals, worst) in enumerate(
        zip(report.coverage, report.worst_class, strict=True)
    ):
        overall, size = intervals[0], report.measures["size"][level, 0].item()
        rows.append(
            (
                _level_name(report, level).removeprefix("level "),
                overall.estimate,
                (overall.low, overall.high),
                worst.estimate,
                (worst.low, worst.high),
                size,
                *((report.pvalues[level],) if report.pvalues else ()),
            )
        )
    return Table("Levels", tuple(columns), tuple(rows))


def _rows(report: PredictionSetReport, part: str) -> tuple[tuple[str, ...], int]:
    """Return the names of the classes or of the groups, and their first row."""
    if part == "class":
        return report.class_names, 1
    return report.group_names, 1 + report.n_classes


def _coverage_table(report: PredictionSetReport, level: int, part: str) -> Table:
    """Return the coverage of each class, or of each group, with intervals."""
    names, first = _rows(report, part)
    worst = (report.worst_class if part == "class" else report.worst_group)[level]
    columns = (
        Column(part),
        Column("samples", "number", digits=0),
        *((Column("total weight", "number"),) if report.is_weighted else ()),
        Column("coverage", "number"),
        Column(interval_name(worst.confidence_level), "interval"),
        Column("classes", "number"),
    )

    def row(name: str, place: int) -> Row:
        interval = report.coverage[level][place]
        return (
            name,
            int(report.n_samples[place]),
            *((report.total_weights[place].item(),) if report.is_weighted else ()),
            interval.estimate,
            (interval.low, interval.high),
            report.measures["size"][level, place].item(),
        )

    lowest: Row = (
        f"lowest {part}",
        None,
        *((None,) if report.is_weighted else ()),
        worst.estimate,
        (worst.low, worst.high),
        None,
    )
    rows = tuple(row(name, first + k) for k, name in enumerate(names))
    return Table(f"Coverage by {part}", columns, rows, (row(OVERALL, 0), lowest))


def _measures_table(
    report: PredictionSetReport, level: int, part: str, title: str, titles: dict[str, str]
) -> Table:
    """Return some of the measures for each class, or for each group."""
    names, first = _rows(report, part)
    measures = [
        report.measures[name][level]
        for name in titles
        if name != "interval_score" or not math.isnan(report.measures[name][level, 0])
    ]
    columns = [Column(column, "number") for column in titles.values()][: len(measures)]

    def row(name: str, place: int) -> Row:
        return name, *(values[place].item() for values in measures)

    rows = tuple(row(name, first + k) for k, name in enumerate(names))
    return Table(title, (Column(part), *columns), rows, (row(OVERALL, 0),))


def _level_notes(report: PredictionSetReport, level: int) -> Iterator[str]:
    yield (
        "too low, too high, in gap: all classes of the set are below the true class, above it, or "
        "on both sides. distance: number of classes from the true class to the nearest class of "
        "the set, on average; if missed: the same for sets that miss. Empty sets have no distance."
    )
    if report.nominal and math.isnan(report.measures["interval_score"][level, 0]):
        yield "There is no interval score, since some sets are empty or have gaps."


def _notes(report: PredictionSetReport) -> Iterator[str]:
    parts = "classes or groups" if report.group_names else "classes"
    yield (
        f"lowest {'class, lowest group' if report.group_names else 'class'}: the lowest of noisy "
        f"shares tends to be too low, so its interval follows from simultaneous intervals for all "
        f"{parts}."
    )
    if report.is_clustered or report.is_weighted:
        yield "Intervals use the effective number of samples."
