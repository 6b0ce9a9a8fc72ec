"""Format numbers, text and rows of text, shared by the renderers."""

from __future__ import annotations

import math
import numbers
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sklearn_ordinal._documents import document_parts
from sklearn_ordinal._documents.document_parts import (
    Cell,
    Code,
    Column,
    Document,
    Figure,
    Note,
    Part,
    Section,
    Table,
)

# Escape, measure and shorten text, and record what was shortened
# ---------------------------------------------------------------

# Plots only pass their texts to matplotlib, which has no place for the full names. None if no page
# is drawn.
_full_names: ContextVar[dict[str, str] | None] = ContextVar("full_names", default=None)

ELLIPSIS = "…"


def visible(text: str) -> str:
    r"""Return text on one line, with unprintable characters escaped as in `repr`.

    Line breaks, the escape character of terminals and marks of the writing direction
    become ``\n``, ``\x1b`` and ``\u202e``.
    """
    if text.isprintable():
        return text
    return "".join(map(_visible_character, text))


def display_width(text: str) -> int:
    """Return the number of terminal columns of a text."""
    return len(text) if text.isascii() else sum(map(_character_width, text))


def cut(text: str, width: int) -> str:
    """Shorten text to a width, with an ellipsis at its end."""
    if display_width(text) <= width:
        return text
    return _start(text, width - 1).rstrip() + ELLIPSIS


def cut_names(names: list[str], width: int, *, middle_first: bool = False) -> list[str]:
    """Shorten all names in the same way, so that as few as possible become equal.

    If several ways are equally good, cut the end, or the middle if `middle_first`.
    """
    ways = (_cut_middle, cut, _cut_start) if middle_first else (cut, _cut_middle, _cut_start)
    shortened = ([way(name, width) for name in names] for way in ways)
    # Take the first way that keeps the most names distinct.
    return max(shortened, key=lambda names: len(set(names)))


def _cut_middle(text: str, width: int) -> str:
    if display_width(text) <= width:
        return text
    n_last = (width - 1) // 2
    return _start(text, width - 1 - n_last).rstrip() + ELLIPSIS + _end(text, n_last).lstrip()


def _cut_start(text: str, width: int) -> str:
    if display_width(text) <= width:
        return text
    return ELLIPSIS + _end(text, width - 1).lstrip()


def _start(text: str, width: int) -> str:
    used_width = 0
    for position, character in enumerate(text):
        used_width += _character_width(character)
        if used_width > width:
            return text[:position]
    return text


def _end(text: str, width: int) -> str:
    used_width = 0
    for position in range(len(text), 0, -1):
        used_width += _character_width(text[position - 1])
        if used_width > width:
            return text[position:]
    return text


def _visible_character(character: str) -> str:
    if character.isprintable():
        return character
    # Other kinds of spaces, such as the non-breaking space.
    if unicodedata.category(character) == "Zs":
        return " "
    return repr(character)[1:-1]


def _character_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


@contextmanager
def recorded_names() -> Iterator[Mapping[str, str]]:
    """Record the names that are shortened within a context.

    Yields the full name for each short one, with single spaces between words. Short names that
    stand for several names have an empty full name.
    """
    full_names: dict[str, str] = {}
    token = _full_names.set(full_names)
    try:
        yield full_names
    finally:
        _full_names.reset(token)


def record_name(short: str, name: str) -> None:
    """Record the full name of a shortened name, if names are recorded."""
    full_names = _full_names.get()
    if full_names is None or ELLIPSIS not in short:
        return
    short, name = one_spaced(short), one_spaced(name)
    full_names[short] = name if full_names.get(short, name) == name else ""


def one_spaced(text: str) -> str:
    """Return text with single spaces instead of line breaks and other white space."""
    return " ".join(text.split())


# Format the cells of tables: the only place where a number is rounded
# --------------------------------------------------------------------

MOST_DIGITS = 1074
"""Floats have at most this many digits after the decimal point."""

# Larger sums of weights are written without decimals, which would make the column too wide.
_LARGE = 10_000
# Above this number, floats do not represent every integer.
TOO_LARGE = 1e15
_SMALLEST_PVALUE = 0.001
_UNDEFINED = "-"
# The largest number of names in a sentence.
_MOST_NAMES = 5


def cell_text(cell: Cell, column: Column, digits: int) -> str:
    """Return a cell as text.

    Parameters
    ----------
    cell : str, int, float, tuple of two or three floats, or None
        The value. None is blank, NaN is a dash. Of an estimate without an interval, only the
        estimate is shown.
    column : Column
        The column of the cell.
    digits : int
        Digits after the decimal point, unless the column sets its own number of digits.

    Returns
    -------
    str
        The text, not escaped for any format.
    """
    if cell is None:
        return ""
    if isinstance(cell, str):
        return str(cell)
    digits = digits if column.digits is None else column.digits
    if isinstance(cell, tuple):
        *estimate, low, high = cell
        ends = _interval_text((low, high), digits, is_signed=column.is_signed)
        texts = [_number_text(value, digits, is_signed=column.is_signed) for value in estimate]
        return f"{texts[0]} ({ends})" if texts and ends != _UNDEFINED else (*texts, ends)[0]
    if column.kind == "pvalue":
        return _pvalue_text(float(cell))
    return _number_text(cell, digits, is_signed=column.is_signed)


def rows_in_words(table: Table, digits: int) -> str:
    """Return the rows of a table as text, without details but intervals, which plots draw."""
    texts = []
    for name, *cells in (*table.rows, *table.summary):
        columns = zip(cells, table.columns[1:], strict=True)
        numbers = (
            (column.name, "undefined" if is_undefined(cell) else cell_text(cell, column, digits))
            for cell, column in columns
            if not column.is_detail or column.kind == "interval"
        )
        cell_texts = ", ".join(f"{column} {text}" for column, text in numbers if text)
        texts.append(f"{cell_text(name, table.columns[0], digits)}: {cell_texts}")
    return "; ".join(texts)


def pvalue_in_words(pvalue: float) -> str:
    """Return a p-value for sentences and plots, such as "p = 0.012"."""
    if math.isnan(pvalue):
        return "p undefined"
    text = _pvalue_text(pvalue)
    return f"p < {text[1:]}" if text.startswith("<") else f"p = {text}"


def as_percent(share: float) -> str:
    """Return a share, such as a confidence level, as "95%" or "99.5%"."""
    text = f"{100 * share:g}%"
    # Few digits would round a level near 1 to certainty.
    return f"{100 * share:.15g}%" if text == "100%" and share < 1 else text


def amount_as_text(amount: float) -> str:
    """Format a number of samples, or a sum of weights, without scientific notation."""
    if isinstance(amount, int) or amount >= 1000:
        return f"{amount:,.0f}"
    return np.format_float_positional(amount, precision=4, unique=False, fractional=False, trim="-")


def counted(number: int, noun: str) -> str:
    """Return a number of things in words, such as "1 fold" and "1,000 folds"."""
    return f"{number:,} {plural(number, noun)}"


def plural(number: float, noun: str) -> str:
    """Return the form of a noun after a number: "sample" after 1, else "samples"."""
    if number == 1:
        return noun
    return f"{noun}{'es' if noun.endswith('s') else 's'}"


def names_in_words(names: Sequence[str]) -> str:
    """Return the first names as a list in a sentence, and the number of further names."""
    first_names, n_more = list(names[:_MOST_NAMES]), len(names) - _MOST_NAMES
    if n_more > 0:
        return f"{', '.join(first_names)} and {counted(n_more, 'other')}"
    return " and ".join(filter(None, [", ".join(first_names[:-1]), first_names[-1]]))


def is_undefined(cell: Cell) -> bool:
    """Return whether a cell or its estimate is NaN, or an interval has an end that is NaN."""
    # An estimate comes before the two ends.
    values = cell[:-2] or cell if isinstance(cell, tuple) else (cell,)
    return any(isinstance(value, numbers.Real) and math.isnan(value) for value in values)


def _interval_text(ends: tuple[float, float], digits: int, *, is_signed: bool) -> str:
    if is_undefined(ends):
        return _UNDEFINED
    low, high = (_number_text(end, digits, is_signed=is_signed) for end in ends)
    return f"{low} to {high}"


def _pvalue_text(value: float) -> str:
    if math.isnan(value):
        return _UNDEFINED
    return f"<{_SMALLEST_PVALUE}" if value < _SMALLEST_PVALUE else f"{value:.3f}"


def _number_text(value: float, digits: int, *, is_signed: bool) -> str:
    # Most numbers are floats, and abstract classes take longer to check.
    if not isinstance(value, float):
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            return str(value)
        if isinstance(value, numbers.Integral):
            return f"{int(value):{'+' if is_signed and value > 0 else ''}d}"
    value = float(value)
    if math.isnan(value):
        return _UNDEFINED
    if abs(value) < _LARGE - 1 and not is_signed:
        return f"{value:z.{digits}f}"
    # Adding zero turns -0.0 into 0.0. Round first: 0.001 has no sign, and 9999.9996 is as wide as
    # 10,000.
    rounded = round(value, digits) + 0.0
    sign = "+" if is_signed and rounded > 0 else ""
    if abs(rounded) >= TOO_LARGE:
        return f"{sign}{rounded:.6g}"
    return f"{sign}{rounded:.{0 if abs(rounded) >= _LARGE else digits}f}"


# Base of the renderers whose output is a sequence of blocks of text
# ------------------------------------------------------------------

WIDTH = 80
"""Columns of a terminal."""
GAP = "  "
"""What separates the columns of tables in plain text."""


@dataclass(frozen=True)
class TextColumn:
    """The header and the cells of a column as text, which is not escaped for any format."""

    header: str
    texts: list[str]
    is_left: bool
    is_detail: bool

    @cached_property
    def width(self) -> int:
        """The number of characters of the widest text."""
        return max(map(display_width, (self.header, *self.texts)))


def excess(columns: Sequence[TextColumn]) -> int:
    """Return by how many characters columns are too wide for a line of plain text."""
    return sum(column.width for column in columns) + len(GAP) * (len(columns) - 1) - WIDTH


class BlockRenderer(ABC):
    """Renders each part of a document as a block, without figures."""

    def __init__(self, digits: int, *, details: bool) -> None:
        if not isinstance(details, bool):
            raise ValueError(f"details must be True or False, got {visible(repr(details))}.")
        self.digits = digits
        self.details = details
        self._written: set[str] = set()
        # In the order of the tables.
        self._left_out: dict[str, None] = {}

    @classmethod
    def render(cls, document: Document, *, details: bool) -> str:
        """Return the blocks of a document with blank lines between them."""
        return cls(document.digits, details=details).text((*document.verdict, *document.parts))

    def text(self, parts: Iterable[Part]) -> str:
        """Return the blocks of parts with blank lines between them."""
        blocks = self._blocks(parts, level=1)
        # Blank names would leave blank lines at the start and the end.
        return "\n\n".join(blocks).strip("\n") + "\n"

    @abstractmethod
    def heading(self, title: str, level: int) -> str:
        """Return the heading of a section; the outermost level is 1."""

    @abstractmethod
    def table(self, table: Table) -> str:
        """Return a table with its title."""

    @abstractmethod
    def note(self, note: Note) -> str:
        """Return a paragraph."""

    @abstractmethod
    def code(self, lines: list[str]) -> str:
        """Return preformatted lines."""

    def text_columns(self, table: Table) -> list[TextColumn]:
        """Return the columns of a table; those of the names of the rows and of text are left."""
        rows = (*table.rows, *table.summary)
        return [
            TextColumn(
                visible(column.name),
                [self.cell(row[i], column) for row in rows],
                is_left=not i or column.kind == "text",
                is_detail=column.is_detail,
            )
            for i, column in enumerate(table.columns)
        ]

    def cell(self, cell: Cell, column: Column) -> str:
        """Return a cell as text."""
        return visible(cell_text(cell, column, self.digits))

    def without_details(self, columns: Sequence[TextColumn]) -> list[int]:
        """Return the positions of the columns that remain.

        Detail columns are left out, starting with the last, until the others fit into a line of
        plain text.
        """
        places = list(range(len(columns)))
        for place in reversed(places[1:]):
            if excess([columns[i] for i in places]) <= 0:
                break
            if columns[place].is_detail:
                places.remove(place)
        self._written.update(columns[i].header for i in places)
        self._left_out |= {c.header: None for i, c in enumerate(columns) if i not in places}
        return places

    def is_needed(self, note: Note) -> bool:
        """Return whether the output contains the column that a note explains."""
        return note.column not in self._left_out.keys() - self._written

    def _blocks(self, parts: Iterable[Part], level: int) -> Iterator[str]:
        for part in parts:
            match part:
                case Section():
                    yield from self._section(part, level)
                case Table():
                    yield self.table(part)
                case Note():
                    if part.text.strip() and self.is_needed(part):
                        yield self.note(part)
                case Code():
                    if part.text.strip():
                        yield self.code(part.text.rstrip().expandtabs().splitlines())
                case Figure():
                    pass
                case _:
                    raise document_parts.unknown_part(part)

    def _section(self, section: Section, level: int) -> Iterator[str]:
        if section.is_detail and not self.details:
            return
        blocks = list(self._blocks(document_parts.computed(section.parts), level + 1))
        # A section that contains only figures is left out.
        if blocks:
            yield self.heading(section.title, level)
            yield from blocks
