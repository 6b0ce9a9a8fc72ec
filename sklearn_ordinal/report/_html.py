"""Tables of reports in HTML, for notebooks and for files."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from sklearn_ordinal._core import METRICS
from sklearn_ordinal.report._text import (
    HEADERS,
    class_cells,
    criterion_cells,
    note_on_unanswered,
    number_as_text,
)

if TYPE_CHECKING:
    from sklearn_ordinal.report._report import OrdinalReport

# In characters: longer ones may break into lines.
_LONG_NAME, _LONG_TEXT = 16, 30


class Cell(NamedTuple):
    """What a cell shows and the whole number behind it, by which tables are sorted."""

    text: str
    value: float | None = None


Row = Sequence[Cell]


def number_cell(value: float, digits: int) -> Cell:
    """Return the cell of a number."""
    return Cell(number_as_text(value, digits), value)


def table(caption: str, columns: Sequence[str], *bodies: Sequence[Row], whose: str = "") -> str:
    """Return a table in a box that scrolls; each row begins with its name.

    Bodies after the first hold averages, which stay below where the first is sorted. Where
    several tables have the same caption, `whose` tells them apart for who cannot see them.
    """
    kinds = [_kind(cell) for cell in bodies[0][0]]
    head = "".join(
        f'<th scope="col"{kind}>{_breakable(column)}</th>'
        for column, kind in zip(columns, kinds, strict=True)
    )
    kinds = ["rows", *["averages"] * (len(bodies) - 1)]
    parts = "".join(
        f'<tbody class="{kind}">{"".join(map(_row, body))}</tbody>'
        for kind, body in zip(kinds, bodies, strict=True)
    )
    # A box that scrolls must be reached by keyboard, and then needs a name.
    name = f"{caption}: {whose}" if whose else caption
    return (
        f'<div class="scroll" role="group" tabindex="0" aria-label="{escape(name)}">'
        f"<table><caption><span>{_breakable(caption)}</span></caption>"
        f"<thead><tr>{head}</tr></thead>{parts}</table></div>\n"
    )


def report_tables(report: OrdinalReport, *, with_costs: bool = False, whose: str = "") -> str:
    """Return the tables of classes and of criteria, the latter with what an error costs."""
    numbers, digits, n_classes = report.to_dict(), report.digits, len(report.target_names)

    def row(head: Cell, measures: dict[str, float]) -> Row:
        texts = zip(HEADERS, class_cells(measures, digits), strict=True)
        return [head, *(Cell(text, measures.get(column)) for column, text in texts)]

    classes = [
        row(Cell(name, position), numbers[name])
        for position, name in enumerate(report.target_names)
    ]
    accuracy = {"f1-score": numbers["accuracy"], "support": numbers["macro avg"]["support"]}
    averages = [row(Cell("accuracy"), accuracy)]
    averages += [row(Cell(name), numbers[name]) for name in ("macro avg", "weighted avg")]
    criteria = []
    for name, value in numbers["criteria"].items():
        _, text, bounds, better = criterion_cells(METRICS[name], value, n_classes, digits)
        costs = [Cell(METRICS[name].an_error_costs)] if with_costs else []
        criteria.append([Cell(name), Cell(text, value), Cell(bounds), Cell(better), *costs])
    caption = "Classes, from the lowest to the highest"
    columns = ["criterion", "value", "range", "better", *(["an error costs"] * with_costs)]
    unanswered = ""
    if "unanswered" in numbers:
        unanswered = f"<p>{escape(note_on_unanswered(numbers['unanswered']))}</p>\n"
    return (
        table(caption, ["class", *HEADERS.values()], classes, averages, whose=whose)
        + unanswered
        + table("Criteria", columns, criteria, whose=whose)
    )


def fragment(*parts: str) -> str:
    """Return tables for a page of someone else, such as a notebook."""
    style, content = resource("report.css"), "".join(parts)
    return f'<div class="sklearn-ordinal-report"><style>{style}</style>{content}</div>'


def resource(name: str) -> str:
    """Return the text of a file beside this one."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _row(cells: Row) -> str:
    head, *rest = cells
    texts = "".join(f"<td{_kind(cell)}{_value(cell)}>{escape(cell.text)}</td>" for cell in rest)
    kind = ' class="long"' if len(head.text) > _LONG_NAME else ""
    return f'<tr><th scope="row"{kind}{_value(head)}>{_breakable(head.text)}</th>{texts}</tr>\n'


def _breakable(name: str) -> str:
    """Return a name that may break after each underscore where there is no room."""
    return escape(name).replace("_", "_<wbr>")


def _kind(cell: Cell) -> str:
    if cell.value is not None:
        return ""
    return ' class="text long"' if len(cell.text) > _LONG_TEXT else ' class="text"'


def _value(cell: Cell) -> str:
    return "" if cell.value is None else f' data-value="{float(cell.value)!r}"'
