"""The HTML of a report: one self-contained fragment that takes the page's own colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from sklearn_ordinal._catalogue import OrdinalMetric
from sklearn_ordinal.report._text import (
    HEADERS,
    class_cells,
    criterion_cells,
    note_on_unanswered,
)

# Colours come from the page and grey with an alpha, so that they suit light and dark.
_STYLE = """
.sklearn-ordinal-report { color: inherit; font-family: system-ui, sans-serif; font-size: 0.9em;
  overflow-x: auto; }
.sklearn-ordinal-report table { border-collapse: collapse; margin: 0.5em 0; color: inherit; }
.sklearn-ordinal-report th, .sklearn-ordinal-report td { padding: 0.2em 0.8em; text-align: right;
  font-variant-numeric: tabular-nums; color: inherit; background: none; }
.sklearn-ordinal-report th { font-weight: 600; }
.sklearn-ordinal-report thead th { border-bottom: 1px solid rgba(128, 128, 128, 0.8); }
.sklearn-ordinal-report tbody th { text-align: left; }
.sklearn-ordinal-report tbody tr:nth-child(even) { background: rgba(128, 128, 128, 0.12); }
.sklearn-ordinal-report tbody.averages { border-top: 1px solid rgba(128, 128, 128, 0.8); }
.sklearn-ordinal-report caption { text-align: left; font-weight: 600; padding: 0.2em 0; }
"""


def report_as_html(
    numbers: Mapping[str, Any],
    metrics: Mapping[str, OrdinalMetric],
    target_names: Sequence[str],
    digits: int,
) -> str:
    """Lay out the numbers of a report as two tables."""
    classes = [(name, class_cells(numbers[name], digits)) for name in target_names]
    accuracy = {"f1-score": numbers["accuracy"], "support": numbers["macro avg"]["support"]}
    averages = [("accuracy", class_cells(accuracy, digits))]
    averages += [
        (name, class_cells(numbers[name], digits)) for name in ("macro avg", "weighted avg")
    ]
    criteria = [
        (name, criterion_cells(metrics[name], value, len(target_names), digits)[1:])
        for name, value in numbers["criteria"].items()
    ]
    unanswered = ""
    if "unanswered" in numbers:
        unanswered = f"<p>{escape(note_on_unanswered(numbers['unanswered']))}</p>"
    return (
        f'<div class="sklearn-ordinal-report"><style>{_STYLE}</style>'
        f"<table><caption>Classes, from the lowest to the highest</caption>"
        f"{_head(['', *HEADERS.values()])}{_body(classes)}{_body(averages, 'averages')}</table>"
        f"{unanswered}<table><caption>Criteria</caption>"
        f"{_head(['', 'value', 'range', 'better'])}{_body(criteria)}</table></div>"
    )


def _head(cells: Sequence[str]) -> str:
    return f"<thead><tr>{''.join(f'<th>{escape(cell)}</th>' for cell in cells)}</tr></thead>"


def _body(rows: Sequence[tuple[str, Sequence[str]]], name: str = "") -> str:
    lines = (
        f"<tr><th>{escape(row)}</th>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
        for row, cells in rows
    )
    return f'<tbody class="{name}">{"".join(lines)}</tbody>'
