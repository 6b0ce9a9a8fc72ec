"""Base of the renderers whose output is a sequence of blocks of text."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from sklearn_ordinal._documents._characters import visible
from sklearn_ordinal._documents._document import (
    Code,
    Document,
    Figure,
    Note,
    Part,
    Section,
    Table,
    unknown_part,
)


class LaidOutColumn(Protocol):
    """A column of a renderer that leaves out details."""

    @property
    def header(self) -> str:
        """Header of the column."""

    @property
    def is_detail(self) -> bool:
        """Whether the column may be left out."""


AnyColumn = TypeVar("AnyColumn", bound=LaidOutColumn)


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

    def without_details(
        self, columns: list[AnyColumn], excess: Callable[[list[AnyColumn]], float]
    ) -> tuple[list[AnyColumn], list[AnyColumn]]:
        """Leave out detail columns, starting with the last, until the others have no excess.

        Returns the columns that remain and those that are left out.
        """
        fitting = list(columns)
        for i in range(len(columns) - 1, 0, -1):
            if excess(fitting) <= 0:
                break
            if columns[i].is_detail:
                del fitting[i]
        remaining = set(map(id, fitting))
        left_out = [column for column in columns if id(column) not in remaining]
        self._written.update(column.header for column in fitting)
        self._left_out.update(column.header for column in left_out)
        return fitting, left_out

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
