"""The text of cross-validation reports."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sklearn_ordinal.model_selection._folds import FitFailure, failures_as_text

if TYPE_CHECKING:
    from sklearn_ordinal._core import OrdinalMetric
    from sklearn_ordinal.inference import Interval
    from sklearn_ordinal.model_selection._comparison import ComparisonReport, ModelComparison
    from sklearn_ordinal.model_selection._cross_val import CrossValReport

WIDTH = 80
_MOST_FOLDS = 30


def cross_val_as_text(report: CrossValReport, *, whole_reports: bool, digits: int) -> str:
    """Lay out the folds of each criterion, a line for each."""
    lines = [folds_in_words(report), ""]
    if whole_reports:
        for number, fold in enumerate(report.folds, start=1):
            lines += [f"Fold {number}", "", "failed\n" if fold is None else str(fold)]
        lines += ["All folds together", "", str(report.pooled)]
    stds, pooled_scores = report.stds, report.pooled_scores
    for name, values in report.scores.items():
        interval = report.intervals[name]
        level = f"{100 * interval.confidence_level:g}%"
        lines.append(headline(name, report.metrics[name], report.n_classes))
        lines += [
            f"  fold {number:<4} {number_or_dash(value, digits):>{digits + 4}}"
            for number, value in enumerate(values[:_MOST_FOLDS], start=1)
        ]
        if len(values) > _MOST_FOLDS:
            lines.append(f"  and {len(values) - _MOST_FOLDS} more folds")
        mean = number_or_dash(interval.estimate, digits)
        lines.append(
            f"  mean      {mean:>{digits + 4}}   "
            f"std {number_or_dash(stds[name], digits)}   {level} interval {_ends(interval, digits)}"
        )
        if interval.n_undefined:
            lines.append(
                f"            without the {_count(interval.n_undefined, 'fold')} left blank"
            )
        lines += [f"  pooled    {number_or_dash(pooled_scores[name], digits):>{digits + 4}}", ""]
    return "\n".join([*lines, *_failed(report.failures)]) + "\n"


def comparison_as_text(report: ComparisonReport, *, digits: int) -> str:
    """Lay out a table for each criterion, best estimator first."""
    any_report = next(iter(report.reports.values()))
    metrics = {metric.scorer_name: metric for metric in any_report.metrics.values()}
    lines = [folds_in_words(any_report), ""]
    for criterion, rows in report.table.items():
        lines += [headline(criterion, metrics[criterion], any_report.n_classes)]
        lines += [*_table(report, criterion, digits), ""]
        lines += _differences(rows, report.best_baseline[criterion], digits)
        lines += [*_filled(counted_as_zero(report, criterion)), ""]
    lines += _filled(how_to_read(report))
    lines += ["", *_filled(agreement(report.winners)), *_failed(report.failures)]
    return "\n".join(lines) + "\n"


def headline(name: str, metric: OrdinalMetric, n_classes: int) -> str:
    """Return a criterion, or the scorer that negates it, with its range and direction."""
    lowest, highest = metric.bounds(n_classes)
    if name.startswith("neg_"):
        lowest, highest = -highest, -lowest
    better = "higher" if metric.greater_is_better or name.startswith("neg_") else "lower"
    return f"{name} ({lowest + 0.0:g} to {highest + 0.0:g}, {better} is better)"


def folds_in_words(report: CrossValReport) -> str:
    """Return the number and size of the folds."""
    sizes = sorted({int(size) for size in report.n_test})
    size = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    n_folds, n_classes = _count(len(report.confusions), "fold"), report.n_classes
    return f"{n_folds} of {size} sample{'' if size == '1' else 's'}, {n_classes} classes"


def name_with_folds(report: ComparisonReport, criterion: str, name: str) -> str:
    """Return a name, with the number of folds that its mean is over if it lacks some."""
    is_missing = {known: np.isnan(values) for known, values in report.scores[criterion].items()}
    n_folds = np.count_nonzero(~np.all(list(is_missing.values()), axis=0))
    n_defined = np.count_nonzero(~is_missing[name])
    return name if n_defined == n_folds else f"{name} ({n_defined} of {n_folds} folds)"


def counted_as_zero(report: ComparisonReport, criterion: str) -> str:
    """Say for which estimators undefined values count as the level of chance."""
    names = [
        name
        for name, scores in report.scores[criterion].items()
        if report.reports[name].intervals[criterion.removeprefix("neg_")].n_undefined
        > np.count_nonzero(np.isnan(scores))
    ]
    return f"Undefined on some folds, which count as 0: {', '.join(names)}." if names else ""


def how_to_read(report: ComparisonReport) -> str:
    """Say what the columns of tests hold."""
    if all(reference is None for reference in report.best_baseline.values()):
        return "What the others are compared with could not be fitted: there are no tests."
    ropes = sorted(set(report.rope.values()))
    rope = f"{ropes[0]:g}" if len(ropes) == 1 else "the region of practical equivalence"
    return (
        f"p Holm: of the corrected resampled t-test, adjusted for the number of estimators "
        f"and not for the number of criteria. P(better): probability of being better by more "
        f"than {rope}."
    )


def agreement(winners: Mapping[str, Sequence[str]]) -> str:
    """Say which estimator has the highest mean, and whether the criteria agree."""
    common = [
        name
        for name in next(iter(winners.values()))
        if all(name in names for names in winners.values())
    ]
    if common:
        every = f"all {len(winners)} criteria" if len(winners) > 1 else next(iter(winners))
        return f"Highest mean by {every}: {_listed(common)}."
    each = "; ".join(f"{_listed(names)} by {criterion}" for criterion, names in winners.items())
    return f"The criteria disagree on the highest mean: {each}."


def p_as_text(pvalue: float) -> str:
    """Return a p-value as reports print it."""
    return "<0.001" if pvalue < 0.001 else f"{pvalue:.3f}"


def number_or_dash(value: float, digits: int, sign: str = "") -> str:
    """Return a number, or a dash if it is undefined."""
    if math.isnan(value):
        return "-"
    # Adding zero turns -0.000 into 0.000.
    return f"{round(value, digits) + 0.0:{sign}.{digits}f}"


def _table(report: ComparisonReport, criterion: str, digits: int) -> list[str]:
    rows = report.table[criterion]
    ordered = sorted(rows, key=lambda name: rows[name].rank)
    level = f"{100 * rows[ordered[0]].score.confidence_level:g}% interval"
    cells = [("rank", "mean", level, "difference", "p Holm", "P(better)")]
    for name in ordered:
        row = rows[name]
        difference = row.difference
        cells.append(
            (
                f"{row.rank:>2} {name_with_folds(report, criterion, name)}",
                number_or_dash(row.score.estimate, digits),
                _ends(row.score, digits),
                "" if difference is None else number_or_dash(difference.estimate, digits, "+"),
                "" if math.isnan(row.adjusted_pvalue) else p_as_text(row.adjusted_pvalue),
                "" if difference is None else number_or_dash(row.probability_better, 2),
            )
        )
    widths = [max(map(len, column)) for column in list(zip(*cells, strict=True))[1:]]
    margin = WIDTH - sum(width + 2 for width in widths)
    margin = min(margin, max(len(name) for name, *_ in cells))
    lines = []
    for name, *numbers in cells:
        if len(name) > margin:
            # A long name has a line of its own.
            lines.append(name)
            name = ""
        texts = (f"  {cell:>{width}}" for cell, width in zip(numbers, widths, strict=True))
        lines.append(f"{name:<{margin}}{''.join(texts)}".rstrip())
    return lines


def _differences(
    rows: Mapping[str, ModelComparison], reference: str | None, digits: int
) -> list[str]:
    # Baselines are not on trial.
    tested = {
        name: row.difference
        for name, row in sorted(rows.items(), key=lambda item: item[1].rank)
        if row.difference is not None and not math.isnan(row.adjusted_pvalue)
    }
    if not tested:
        return []
    level = f"{100 * next(iter(tested.values())).confidence_level:g}%"
    margin = max(map(len, tested))
    return [
        f"Difference from {reference}, with {level} interval",
        *(
            f"  {name:<{margin}}  {number_or_dash(difference.estimate, digits, '+')}  "
            f"{_ends(difference, digits, '+')}"
            for name, difference in tested.items()
        ),
    ]


def _failed(failures: Iterable[FitFailure]) -> list[str]:
    return [line for text in failures_as_text(failures) for line in _filled(f"Failed: {text}")]


def _ends(interval: Interval, digits: int, sign: str = "") -> str:
    if math.isnan(interval.low):
        return "-"
    low, high = (number_or_dash(end, digits, sign) for end in (interval.low, interval.high))
    return f"{low} to {high}"


def _count(number: int, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'}"


def _listed(names: Sequence[str]) -> str:
    return f"{' and '.join(names)} (tied)" if len(names) > 1 else names[0]


def _filled(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent="  ", break_long_words=False)
