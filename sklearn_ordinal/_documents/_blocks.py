"""Base of the renderers whose output is a sequence of blocks of text."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

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


class BlockRenderer(ABC):
    """Renders each part of a document as a block, without figures."""

    def __init__(self, digits: int, *, details: bool) -> None:
        if not isinstance(details, bool):
            raise ValueError(f"details must be True or False, got {visible(repr(details))}.")
        self.digits = digits
        self.details = details

    @classmethod
    def render(cls, document: Document, *, details: bool) -> str:
        """Return the blocks of a document with blank lines between them."""
        return cls(document.digits, details=details).text(document.parts)

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

    def is_needed(self, note: Note) -> bool:  # noqa: ARG002 - of renderers that leave out columns
        """Return whether the output contains the column that a note explains."""
        return True

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
