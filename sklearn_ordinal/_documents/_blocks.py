"""Base of the renderers whose output is a sequence of blocks of text."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sklearn_ordinal._documents._characters import display_width, visible
from sklearn_ordinal._documents._document import (
    Cell,
    Code,
    Column,
    Document,
    Figure,
    Note,
    Part,
    Section,
    Table,
    unknown_part,
)
from sklearn_ordinal._documents._numbers import cell_text

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

    @property
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
        self._left_out: set[str] = set()

    @classmethod
    def render(cls, document: Document, *, details: bool) -> str:
        """Return the blocks of a document with blank lines between them."""
        return cls(document.digits, details=details).text((*document.verdict, *document.parts))

    def text(self, parts: Sequence[Part]) -> str:
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
        self._left_out.update(c.header for i, c in enumerate(columns) if i not in places)
        return places

    def is_needed(self, note: Note) -> bool:
        """Return whether the output contains the column that a note explains."""
        return note.column not in self._left_out - self._written

    def _blocks(self, parts: Sequence[Part], level: int) -> Iterator[str]:
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
                    raise unknown_part(part)

    def _section(self, section: Section, level: int) -> Iterator[str]:
        if section.is_detail and not self.details:
            return
        blocks = list(self._blocks(section.parts, level + 1))
        # A section that contains only figures is left out.
        if blocks:
            yield self.heading(section.title, level)
            yield from blocks
