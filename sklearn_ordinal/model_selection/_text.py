"""The text of cross-validation reports."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sklearn_ordinal._catalogue import OrdinalMetric
    from sklearn_ordinal.inference import Interval
    from sklearn_ordinal.model_selection._compare import ComparisonReport, ModelComparison
    from sklearn_ordinal.model_selection._cross_val import CrossValReport

WIDTH = 80


def cross_val_as_text(report: CrossValReport, *, whole_reports: bool, digits: int) -> str:
    """Lay out the folds of each criterion, a line for each."""
    n_classes = len(report.pooled.target_names)
    lines = [folds_in_words(report), ""]
    if whole_reports:
        for number, fold in enumerate(report.folds, start=1):
            lines += [f"Fold {number}", "", "failed\n" if fold is None else str(fold)]
        lines += ["All folds together", "", str(report.pooled)]
    stds, pooled_scores = report.stds, report.pooled_scores
    for name, values in report.scores.items():
        interval = report.intervals[name]
        level = f"{100 * interval.confidence_level:g}%"
        lines.append(headline(name, report.metrics[name], n_classes))
        lines += [
            f"  fold {number:<4} {_number(value, digits):>{digits + 4}}"
            for number, value in enumerate(values, start=1)
        ]
        lines += [
            f"  mean      {_number(interval.estimate, digits):>{digits + 4}}   "
            f"std {_number(stds[name], digits)}   {level} interval {_ends(interval, digits)}",
            f"  pooled    {_number(pooled_scores[name], digits):>{digits + 4}}",
            "",
        ]
    lines += [f"Failed: {failure}" for failure in report.failures]
    return "\n".join(lines)


def comparison_as_text(report: ComparisonReport, *, digits: int) -> str:
    """Lay out a table for each criterion, best estimator first."""
    reports = list(report.reports.values())
    n_classes = len(reports[0].pooled.target_names)
    metrics = {metric.scorer_name: metric for metric in reports[0].metrics.values()}
    lines = [folds_in_words(reports[0]), ""]
    for criterion, rows in report.table.items():
        reference = report.best_baseline[criterion]
        lines += [headline(criterion, metrics[criterion], n_classes)]
        lines += [*_table(rows, digits), "", *_differences(rows, reference, digits), ""]
    lines += _filled(agreement(report.winners))
    lines += [f"Failed: {failure}" for failure in report.failures]
    return "\n".join(lines) + "\n"


def headline(name: str, metric: OrdinalMetric, n_classes: int) -> str:
    """Return a criterion, or the scorer that negates it, with its range and direction."""
    lowest, highest = metric.range_over(n_classes)
    if name.startswith("neg_"):
        lowest, highest = -highest, -lowest
    better = "higher" if metric.greater_is_better or name.startswith("neg_") else "lower"
    return f"{name} ({lowest + 0.0:g} to {highest + 0.0:g}, {better} is better)"


def folds_in_words(report: CrossValReport) -> str:
    """Return the number and size of the folds."""
    sizes = sorted({int(size) for size in report.n_test})
    size = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    n_classes = len(report.pooled.target_names)
    return f"{len(report.folds)} folds of {size} samples, {n_classes} classes"


def _table(rows: Mapping[str, ModelComparison], digits: int) -> list[str]:
    ordered = sorted(rows, key=lambda name: rows[name].rank)
    level = f"{100 * rows[ordered[0]].score.confidence_level:g}% interval"
    cells = [("rank", "mean", level, "difference", "p Holm", "P(better)")]
    for name in ordered:
        row = rows[name]
        difference = row.difference
        cells.append(
            (
                f"{row.rank:>2} {name}",
                _number(row.score.estimate, digits),
                _ends(row.score, digits),
                "" if difference is None else _number(difference.estimate, digits, "+"),
                "" if math.isnan(row.adjusted_pvalue) else p_as_text(row.adjusted_pvalue),
                "" if difference is None else f"{row.probability_better:.2f}",
            )
        )
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            f"{cell:<{width}}" if column == 0 else f"{cell:>{width}}"
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]


def _differences(rows: Mapping[str, ModelComparison], reference: str, digits: int) -> list[str]:
    level = f"{100 * rows[reference].score.confidence_level:g}%"
    lines = [f"Difference from {reference}, with {level} interval"]
    margin = max(map(len, rows))
    for name in sorted(rows, key=lambda name: rows[name].rank):
        difference = rows[name].difference
        # Baselines are not on trial.
        if difference is not None and not math.isnan(rows[name].adjusted_pvalue):
            lines.append(
                f"  {name:<{margin}}  {_number(difference.estimate, digits, '+')}  "
                f"{_ends(difference, digits, '+')}"
            )
    return lines


def agreement(winners: Mapping[str, str]) -> str:
    """Say which estimator is best, or that the criteria disagree."""
    if len(set(winners.values())) == 1:
        winner = next(iter(winners.values()))
        every = f"all {len(winners)} criteria" if len(winners) > 1 else next(iter(winners))
        return f"Best by {every}: {winner}."
    each = ", ".join(f"{winner} by {criterion}" for criterion, winner in winners.items())
    return f"The criteria disagree on the winner: {each}."


def p_as_text(pvalue: float) -> str:
    """Return a p-value as reports print it."""
    return "<0.001" if pvalue < 0.001 else f"{pvalue:.3f}"


def _ends(interval: Interval, digits: int, sign: str = "") -> str:
    return f"{_number(interval.low, digits, sign)} to {_number(interval.high, digits, sign)}"


def _number(value: float, digits: int, sign: str = "") -> str:
    # Adding zero turns -0.000 into 0.000.
    return f"{round(value, digits) + 0.0:{sign}.{digits}f}"


def _filled(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent="  ", break_long_words=False)
