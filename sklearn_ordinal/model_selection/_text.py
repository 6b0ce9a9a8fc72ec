"""The text of cross-validation reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sklearn_ordinal._catalogue import OrdinalMetric
    from sklearn_ordinal.model_selection._cross_val import CrossValReport


def cross_val_as_text(report: CrossValReport, *, whole_reports: bool, digits: int) -> str:
    """Lay out the folds of each criterion, a line for each."""
    n_classes = len(report.pooled.target_names)
    lines = [_folds(report), ""]
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
            f"  fold {number:<4} {value:>{digits + 4}.{digits}f}"
            for number, value in enumerate(values, start=1)
        ]
        lines += [
            f"  mean      {interval.estimate:>{digits + 4}.{digits}f}   "
            f"std {stds[name]:.{digits}f}   "
            f"{level} interval {interval.low:.{digits}f} to {interval.high:.{digits}f}",
            f"  pooled    {pooled_scores[name]:>{digits + 4}.{digits}f}",
            "",
        ]
    lines += [f"Failed: {failure}" for failure in report.failures]
    return "\n".join(lines)


def headline(name: str, metric: OrdinalMetric, n_classes: int) -> str:
    """Return a criterion, or the scorer that negates it, with its range and direction."""
    lowest, highest = metric.range_over(n_classes)
    if name.startswith("neg_"):
        lowest, highest = -highest, -lowest
    better = "higher" if metric.greater_is_better or name.startswith("neg_") else "lower"
    return f"{name} ({lowest + 0.0:g} to {highest + 0.0:g}, {better} is better)"


def _folds(report: CrossValReport) -> str:
    sizes = sorted({int(size) for size in report.n_test})
    size = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    n_classes = len(report.pooled.target_names)
    return f"{len(report.folds)} folds of {size} samples, {n_classes} classes"
