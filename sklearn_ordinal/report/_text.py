"""The text of a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sklearn_ordinal._core import OrdinalMetric, amount_as_text

HEADERS = {
    "precision": "precision",
    "recall": "recall",
    "f1-score": "f1-score",
    "mean_absolute_error": "MAE",
    "bias": "bias",
    "within_1": "within 1",
    "support": "support",
}


def report_as_text(
    numbers: Mapping[str, Any],
    metrics: Mapping[str, OrdinalMetric],
    target_names: Sequence[str],
    digits: int,
) -> str:
    """Lay out the numbers of a report as `classification_report` does."""
    row_names = [*target_names, "accuracy", "macro avg", "weighted avg"]
    margin = max(map(len, row_names))
    rows = {name: class_cells(numbers[name], digits) for name in row_names if name != "accuracy"}
    accuracy = {"f1-score": numbers["accuracy"], "support": numbers["macro avg"]["support"]}
    rows["accuracy"] = class_cells(accuracy, digits)
    # A bias has a sign and an error may have two digits before the point.
    widths = [
        max(len(header), digits + 3, *(len(cells[i]) for cells in rows.values()))
        for i, header in enumerate(HEADERS.values())
    ]

    def line(name: str, cells: Sequence[str]) -> str:
        padded = (f"  {cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
        return f"{name:>{margin}}{''.join(padded)}"

    lines = [line("", list(HEADERS.values())), ""]
    lines += [line(name, rows[name]) for name in target_names]
    lines += ["", *(line(name, rows[name]) for name in row_names[-3:]), ""]
    if "unanswered" in numbers:
        lines += [note_on_unanswered(numbers["unanswered"]), ""]
    criteria = [
        criterion_cells(metrics[name], value, len(target_names), digits)
        for name, value in numbers["criteria"].items()
    ]
    criteria.insert(0, ("criterion", "value", "range", "better"))
    margin = max(len(name) for name, *_ in criteria)
    lines += [
        f"{name:<{margin}}  {value:>{digits + 3}}  {bounds:>9}  {better:>6}"
        for name, value, bounds, better in criteria
    ]
    return "\n".join(lines) + "\n"


def note_on_unanswered(n_samples: float) -> str:
    """Say what became of the samples without a prediction."""
    amount = amount_as_text(n_samples)
    return f"{amount} samples without a prediction: errors by cem_*, left out elsewhere"


def class_cells(row: Mapping[str, Any], digits: int) -> list[str]:
    """Return the cells of a class or an average; a measure that it lacks is left blank."""
    return [number_as_text(row[column], digits) if column in row else "" for column in HEADERS]


def criterion_cells(
    metric: OrdinalMetric, value: float, n_classes: int, digits: int
) -> tuple[str, str, str, str]:
    """Return the name, value, range and direction of a criterion."""
    lowest, highest = metric.bounds(n_classes)
    better = "higher" if metric.greater_is_better else "lower"
    return metric.name, number_as_text(value, digits), f"{lowest:g} to {highest:g}", better


def number_as_text(value: float, digits: int) -> str:
    """Return a number with some digits after the point, fewer where it is large."""
    if isinstance(value, int):
        return str(value)
    if value >= 10_000:
        # Sums of many weights: a column stays narrow.
        return f"{value:.0f}"
    # Adding zero turns -0.00 into 0.00.
    return f"{round(value, digits) + 0.0:.{digits}f}"
