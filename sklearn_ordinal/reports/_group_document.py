"""The document of the report of groups."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from sklearn_ordinal._core import get_metric
from sklearn_ordinal._documents import (
    Column,
    Document,
    Figure,
    Note,
    Row,
    Section,
    Table,
)
from sklearn_ordinal.inference import WHOLE_CLUSTERS, Against, Interval
from sklearn_ordinal.reports._group_names import OVERALL
from sklearn_ordinal.reports._provenance import footer
from sklearn_ordinal.reports._sections import (
    headline,
    interval_name,
    intervals_table,
    notes_on_prevalence,
    parts_in_words,
    samples_in_words,
    unanswered_parts,
)
from sklearn_ordinal.reports._verdicts import groups_verdict

if TYPE_CHECKING:
    from sklearn_ordinal.reports._group_report import GroupReport

# Intervals of groups with fewer samples are too short.
_FEW_SAMPLES = 20


def group_document(report: GroupReport) -> Document:
    """Return the largest differences, a plot, and the groups for each criterion."""
    counts = report.confusion
    tables = {name: _groups_table(report, name) for name in report.by_group}
    first = next(iter(tables))
    parts = [parts_in_words(len(report.group_names), "group", report.by)]
    if report.n_clusters is not None:
        parts.append(parts_in_words(report.n_clusters, "cluster", [report.cluster_name]))
    summary = samples_in_words(
        report.class_counts.sum().item(),
        report.target_names,
        is_weighted=report.is_weighted,
        n_samples=_n_samples(report),
        which=f" in {', '.join(parts)}",
    )
    return Document(
        "Groups",
        (
            Note(summary),
            *notes_on_prevalence(report.prevalence, report.target_names),
            *map(Note, _notes(report)),
            *(() if counts is None else unanswered_parts(report.metrics, counts.pooled())),
            _differences_table(report, "between_groups", "Largest differences between groups"),
            Figure(report.plot, f"{first} of each group", tables[first].title, tables[first]),
            *tables.values(),
            _extremes_section(report),
        ),
        digits=report.digits,
        footer=footer(report.provenance),
        verdict=(Note(_verdict(report)),),
    )


def _verdict(report: GroupReport) -> str:
    """Say whether groups differ by the first criterion: their values, and then their errors."""
    name, difference = next(iter(report.difference("between_groups").items()))
    has_value = [not np.isnan(value.estimate) for value in report.by_group[name].values()]
    return groups_verdict(
        name,
        difference,
        n_groups=sum(has_value),
        is_complete=all(has_value),
        is_of_clusters=report.exchanged == WHOLE_CLUSTERS,
        digits=report.digits,
    )


def _n_samples(report: GroupReport) -> int | None:
    """Return the total number of samples, or None if it is not known."""
    if not report.is_weighted:
        return int(report.class_counts.sum())
    return None if report.group_sizes is None else int(report.group_sizes.sum())


def _notes(report: GroupReport) -> Iterator[str]:
    """Yield the notes that readers need to interpret the groups."""
    if report.weights:
        yield (
            f"{', '.join(report.weights)}: computed for every group with the class sizes of all "
            f"samples, so that the overall value is the mean over the groups, weighted by their "
            f"weight in overall."
        )
    if not report.n_permutations:
        yield (
            "Errors within true classes are not tested: n_permutations=9999 tests them if the "
            "samples are known."
        )
    # The standard error of a criterion without a derivative is NaN, and that of equal samples is 0.
    errors = {
        name: np.array(
            [value.standard_error for value in (report.overall[name], *values.values())],
            dtype=np.float64,
        )
        for name, values in report.by_group.items()
    }
    without = [
        name
        for name, of_values in errors.items()
        if np.isnan(of_values).all() and not np.isnan(report.overall[name].estimate)
    ]
    if without:
        yield (
            f"Without intervals, since there is no closed form: {', '.join(without)}. "
            f"bootstrap_interval computes one for the samples of each group."
        )
    yield from _notes_on_small_groups(report)
    undefined: dict[tuple[str, ...], list[str]] = {}
    for name, values in report.by_group.items():
        groups = tuple(group for group, value in values.items() if np.isnan(value.estimate))
        undefined.setdefault(groups, []).append(name)
    for groups, criteria in undefined.items():
        if groups:
            yield (
                f"Undefined for {', '.join(groups)}, so that smallest and largest values, "
                f"differences and ratios leave them out: {', '.join(criteria)}."
            )


def _notes_on_small_groups(report: GroupReport) -> Iterator[str]:
    small = [
        f"{group} ({size})"
        for group, size in report.n_samples.items()
        if size is not None and size < _FEW_SAMPLES
    ]
    if small:
        yield (
            f"Groups with fewer than {_FEW_SAMPLES} samples, whose intervals are too short: "
            f"{', '.join(small)}."
        )
    for group, sizes in zip(report.group_names, report.class_counts, strict=True):
        missing = [name for name, size in zip(report.target_names, sizes, strict=True) if not size]
        if missing:
            yield f"{group} has no samples of these true classes: {', '.join(missing)}."


def _title_of_pvalues(report: GroupReport) -> str:
    # The intervals in the same row are about another question.
    return "p (clusters)" if report.exchanged == WHOLE_CLUSTERS else "p (errors)"


def _groups_table(report: GroupReport, name: str) -> Table:
    """Return the value of a criterion for each group, and for all samples."""
    overall, values = report.overall[name], report.by_group[name]
    sizes, totals, weights = report.n_samples, report.total_weights, report.weights.get(name)
    has_sizes, has_missing = None not in sizes.values(), bool(overall.n_left_out)
    columns = (
        Column("group"),
        *((Column("samples", "number", digits=0),) if has_sizes else ()),
        *((Column("total weight", "number"),) if report.is_weighted else ()),
        Column("value", "number"),
        Column(interval_name(overall.confidence_level), "interval"),
        *((Column("unanswered left out", "number", is_detail=True),) if has_missing else ()),
        *((Column("weight in overall", "number", is_detail=True),) if weights is not None else ()),
    )

    def row(group: str, size: int | None, total: float, value: Interval, weight: float) -> Row:
        return (
            group,
            *((size,) if has_sizes else ()),
            *((total,) if report.is_weighted else ()),
            value.estimate,
            (value.low, value.high),
            *((value.n_left_out,) if has_missing else ()),
            *((weight,) if weights is not None else ()),
        )

    shares = [0.0] * len(values) if weights is None else weights.tolist()
    rows = tuple(
        row(group, sizes[group], totals[group], values[group], share)
        for group, share in zip(report.group_names, shares, strict=True)
    )
    total = report.class_counts.sum().item()
    title = headline(report.metrics.get(name) or get_metric(name), report.n_classes)
    return Table(title, columns, rows, (row(OVERALL, _n_samples(report), total, overall, 1.0),))


def _differences_table(report: GroupReport, method: Against, title: str) -> Table:
    differences = report.difference(method)
    columns = (
        Column("criterion"),
        Column("difference", "number"),
        Column(_interval_name(report), "interval"),
        *((Column(_title_of_pvalues(report), "pvalue"),) if report.n_permutations else ()),
        Column("lower"),
        Column("higher"),
    )
    rows = tuple(
        (
            name,
            difference.estimate,
            (difference.low, difference.high),
            *((difference.pvalue,) if report.n_permutations else ()),
            difference.lower_group,
            difference.higher_group,
        )
        for name, difference in differences.items()
    )
    return Table(title, columns, rows)


def _extremes_section(report: GroupReport) -> Section:
    tables = (
        intervals_table("Smallest value of a group", report.group_min()),
        intervals_table("Largest value of a group", report.group_max()),
        _differences_table(report, "to_overall", "Largest difference of a group from all samples"),
        intervals_table("Smallest ratio between groups", report.ratio("between_groups")),
        intervals_table("Smallest ratio of a group to all samples", report.ratio("to_overall")),
    )
    return Section("Extremes and ratios", tables, is_detail=True)


def _interval_name(report: GroupReport) -> str:
    return interval_name(next(iter(report.overall.values())).confidence_level)
