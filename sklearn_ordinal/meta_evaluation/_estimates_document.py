"""Documents of the coverage, robustness and discriminative power of metrics.

All three results estimate one or two quantities for each metric. The documents and plots have a
row for each metric, best first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sklearn_ordinal._documents import (
    Column,
    Document,
    Figure,
    Note,
    Row,
    Table,
    as_percent,
    counted,
    names_in_words,
)
from sklearn_ordinal.inference import TIE, Interval
from sklearn_ordinal.plotting import IntervalsDisplay, as_columns

if TYPE_CHECKING:
    from sklearn_ordinal.meta_evaluation._discriminative_power import DiscriminativePower
    from sklearn_ordinal.meta_evaluation._metric_coverage import MetricCoverage
    from sklearn_ordinal.meta_evaluation._metric_robustness import MetricRobustness

WHY_NO_COVERAGE = (
    "the means of all systems are equal, or the unanimous improvement ratio is 0 for all pairs"
)


class Estimates(NamedTuple):
    """Estimates of a quantity for each metric: a column of the table, and a mark in the plot."""

    header: str
    by_metric: Mapping[str, Interval]
    # Header of the column of intervals, which says what the intervals contain; empty if there are
    # no intervals.
    contents: str = ""
    # If empty, the headers of the two estimates are used.
    legend: str = ""


def undefined_metrics(estimates: Mapping[str, Interval]) -> list[str]:
    """Return the names of the metrics whose estimates are undefined."""
    return [name for name, interval in estimates.items() if np.isnan(interval.estimate)]


def undefined_notes(
    n_undefined: Mapping[str, int], n_values: int, *, where: str = "on a test case"
) -> tuple[Note, ...]:
    """Return a note that says how many values were undefined, if any were."""
    counts = [f"{name} {number}" for name, number in n_undefined.items() if number]
    if not counts:
        return ()
    return (
        Note(
            f"Undefined for a system {where}, of {n_values:,} values: {', '.join(counts)}. "
            f"An undefined value counts as the chance level if it is known, otherwise as the worst "
            f"value."
        ),
    )


def coverage_document(report: MetricCoverage) -> Document:
    """Return the coverage of each metric, and notes on how it is computed."""
    extra: list[tuple[Column, Mapping[str, float]]] = []
    if report.n_resamples:
        n_undefined = {name: interval.n_undefined for name, interval in report.coverage.items()}
        column = Column("undefined resamples", "number", digits=0, is_detail=True)
        extra.append((column, n_undefined))
    title = "Coverage of unanimous improvements, from -1 to 1 (best)"
    table = _table(title, coverage_estimates(report), extra)
    figure = Figure(report.plot, "Coverage of unanimous improvements", table.title, table)
    return Document(
        "Coverage of metrics",
        (table, *_coverage_notes(report), figure),
        verdict=(_verdict(coverage_estimates(report)[0], "highest", "coverage"),),
    )


def coverage_estimates(report: MetricCoverage) -> list[Estimates]:
    """Return the coverage, with the intervals from the resamples if there are any."""
    first = next(iter(report.coverage.values()))
    interval = f"{as_percent(first.confidence_level)} interval" if report.n_resamples else ""
    return [Estimates("coverage", report.coverage, interval)]


def _coverage_notes(report: MetricCoverage) -> list[Note]:
    """Say how the coverage is computed, and which values are undefined."""
    n_pairs = math.comb(report.n_systems, 2)
    *first_names, last_name = report.reference_metrics
    references = f"{', '.join(first_names)} and {last_name}" if first_names else last_name
    notes = [
        Note(
            f"Spearman's correlation, over the {n_pairs:,} pairs of {report.n_systems} systems, of "
            f"the difference of their means over {counted(report.n_test_cases, 'test case')} with "
            f"their unanimous improvement ratio by {references}."
        )
    ]
    if report.n_resamples:
        notes.append(
            Note(
                f"Intervals: percentiles of {report.n_resamples:,} bootstrap resamples of the test "
                f"cases, shifted so that their median is the coverage."
            )
        )
    n_undefined = len(undefined_metrics(report.coverage))
    if n_undefined:
        amount = f"{n_undefined} of {len(report.coverage)} metrics"
        notes.append(Note(f"Coverage is undefined for {amount}: {WHY_NO_COVERAGE}."))
    n_values = report.n_systems * report.n_test_cases
    return [*notes, *undefined_notes(report.n_undefined, n_values)]


def robustness_document(report: MetricRobustness) -> Document:
    """Return the agreement of each metric, and notes on how it is computed."""
    title = "Agreement of the orders of the systems, from -1 to 1 (best)"
    table = _table(title, robustness_estimates(report))
    figure = Figure(report.plot, "Agreement of the orders", table.title, table)
    first = robustness_estimates(report)[0]
    return Document(
        "Robustness of metrics",
        (table, *_robustness_notes(report), figure),
        verdict=(_verdict(first, "highest", f"agreement between {first.header}"),),
    )


def robustness_estimates(report: MetricRobustness) -> list[Estimates]:
    """Return the agreement between halves, and between data sets if there are several."""
    estimates = []
    for header, by_metric, parts in _compared_orders(report):
        first = next(iter(by_metric.values()))
        share = f"{as_percent(first.confidence_level)} of {parts}"
        estimates.append(Estimates(header, by_metric, share))
    return estimates


def _compared_orders(
    report: MetricRobustness,
) -> Iterator[tuple[str, Mapping[str, Interval], str]]:
    """Yield the compared orders, their agreement, and the contents of its intervals."""
    if report.halves:
        yield "halves", report.halves, "splits"
    if report.data_sets:
        yield "data sets", report.data_sets, "pairs"


def _robustness_notes(report: MetricRobustness) -> list[Note]:
    """Say how the agreement is computed, and which values are undefined."""
    sizes = report.n_test_cases
    n_data_sets, n_split = len(sizes), sum(size > 1 for size in sizes)
    texts = [f"Kendall's tau-b of the orders of {report.n_systems} systems by their means."]
    if report.halves:
        test_cases = f"the {max(sizes)} test cases"
        if n_split > 1:
            test_cases = f"the test cases of each of {n_split} data sets"
        texts.append(f"Halves: mean of {report.n_splits} random splits of {test_cases}.")
    if report.data_sets:
        n_pairs = math.comb(n_data_sets, 2)
        texts.append(f"Data sets: mean of {n_pairs} pairs of {n_data_sets} data sets.")
    if report.halves and n_split < n_data_sets:
        texts.append(
            f"Data sets with a single test case, which are not split: {n_data_sets - n_split}."
        )
    notes = [Note(" ".join(texts))]
    for between, agreement, parts in _compared_orders(report):
        n_undefined = sum(interval.n_undefined for interval in agreement.values())
        if n_undefined:
            notes.append(
                Note(
                    f"The means between {between} leave out {n_undefined} {parts}, counted over "
                    f"all metrics, because all systems are equal in one of the orders."
                )
            )
    return [*notes, *undefined_notes(report.n_undefined, report.n_systems * sum(sizes))]


def power_document(report: DiscriminativePower) -> Document:
    """Return the shares of the pairs that each metric separates, and how they were tested."""
    title = f"Share of the {report.n_pairs:,} pairs of systems separated at level {report.alpha:g}"
    differences = dict(zip(report.metrics, report.separating_differences.tolist(), strict=True))
    extra = [(Column("separating difference", "number"), differences)]
    table = _table(title, power_estimates(report), extra)
    caption = "Share of the pairs of systems that each metric separates"
    n_values = report.n_test_cases * len(report.systems)
    notes = (
        Note(_test_in_words(report)),
        *undefined_notes(report.n_undefined, n_values),
        *undefined_notes(
            report.n_undefined_resampled,
            n_values * report.n_resamples,
            where="on a test case in a resample",
        ),
    )
    figure = Figure(report.plot, caption, table.title, table)
    return Document(
        "Discriminative power",
        (table, *notes, figure),
        verdict=(_verdict(power_estimates(report)[0], "largest", "share of separated pairs"),),
    )


def power_estimates(report: DiscriminativePower) -> list[Estimates]:
    """Return the shares before and after Holm's correction, as estimates without intervals."""
    return [
        Estimates(
            header,
            {
                name: Interval(share, math.nan, math.nan, 0.95)
                for name, share in zip(report.metrics, shares.tolist(), strict=True)
            },
            legend=legend,
        )
        for header, legend, shares in (
            ("share", "share", report.shares),
            ("after Holm", "share after Holm's correction", report.adjusted_shares),
        )
    ]


def _test_in_words(report: DiscriminativePower) -> str:
    units = "test cases" if report.unit == "test cases" else "samples of each test case"
    text = (
        f"Paired bootstrap tests of {len(report.systems)} systems on "
        f"{counted(report.n_test_cases, 'test case')}, with {report.n_resamples:,} resamples "
        f"of the {units}. P-values are adjusted for the number of pairs only in the column "
        f"'after Holm'. All pairs with at least the separating difference are separated."
    )
    needed = report._n_resamples_for_holm
    if needed > report.n_resamples:
        text += f" Holm's correction for {report.n_pairs:,} pairs needs {needed:,} resamples."
    return text


def _verdict(estimates: Estimates, most: str, what: str) -> Note:
    """Name the metrics with the highest estimate."""
    values = {name: interval.estimate for name, interval in estimates.by_metric.items()}
    highest = max((value for value in values.values() if not math.isnan(value)), default=math.nan)
    # Means of equal agreements may differ by rounding.
    best = [name for name, value in values.items() if math.isclose(value, highest, rel_tol=TIE)]
    if not best:
        return Note(f"The {what} is undefined for all metrics.")
    interval = estimates.by_metric[best[0]]
    ends = ""
    if estimates.contents and len(best) == 1 and not math.isnan(interval.low):
        ends = f" ({estimates.contents} {interval.low:.3f} to {interval.high:.3f})"
    verb = "has" if len(best) == 1 else "have"
    return Note(f"{names_in_words(best)} {verb} the {most} {what}, {highest:.3f}{ends}.")


def _table(
    title: str,
    estimates: Sequence[Estimates],
    extra: Sequence[tuple[Column, Mapping[str, float]]] = (),
) -> Table:
    """Return the table of estimates with their intervals, the best metric first."""
    columns = [Column("criterion")]
    for header, _, contents, _ in estimates:
        columns.append(Column(header, "number"))
        if contents:
            columns.append(Column(contents, "interval"))
    columns.extend(column for column, _ in extra)
    rows: list[Row] = []
    for name in _best_first(estimates):
        row: Row = (name,)
        for _, by_metric, contents, _ in estimates:
            interval = by_metric[name]
            row += (interval.estimate,)
            if contents:
                row += ((interval.low, interval.high),)
        rows.append((*row, *(by_metric[name] for _, by_metric in extra)))
    return Table(title, tuple(columns), tuple(rows))


def estimates_display(estimates: Sequence[Estimates], label: str) -> IntervalsDisplay:
    """Return the plot of estimates with their intervals, the best metric at the top."""
    names = _best_first(estimates)
    return IntervalsDisplay(
        names,
        {
            legend or ", ".join(filter(None, (header, contents))): as_columns(
                by_metric[name] for name in names
            )
            for header, by_metric, contents, legend in estimates
        },
        label=label,
    )


def _best_first(estimates: Sequence[Estimates]) -> list[str]:
    """Return the names of the metrics sorted by their first estimate, undefined ones last."""
    names = list(estimates[0].by_metric)
    values = [interval.estimate for interval in estimates[0].by_metric.values()]
    return [names[i] for i in np.argsort(np.negative(values), kind="stable")]
