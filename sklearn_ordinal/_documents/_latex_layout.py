"""Fit the columns of LaTeX tables into the width of a page, by estimated widths of the text."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sklearn_ordinal._documents._characters import display_width

# Lengths are multiples of the font size. In the class article with its default margins, lines are
# 34.5 of them wide at 10 pt, 32.9 at 11 pt and 33.2 at 12 pt, on A4 as on letter paper.
_TEXT_WIDTH = 32.8
# Wrapped columns may become as narrow as this. Longer words are then broken.
_NARROWEST = 7.0
# Share of a line that words fill on average, if the right margin is ragged.
_FILLED = 0.7
# Computer Modern, the wider one of the encodings OT1 and T1, rounded up.
_CHARACTERS = {
    0.28: "!'`,.:;[]|il",
    0.34: " -fj",
    0.4: "()Irst",
    0.5: '"$*/?\\{}0123456789aceogz',
    0.56: "bdhknpquvxyJS",
    0.63: "^~LZ",
    0.79: "&+<=>@_wABCDEFGHKNOPQRTUVXY",
    0.84: "#%m",
    1.03: "MW∞",
    1.34: "…",
}
_WIDTH_OF = {character: width for width, text in _CHARACTERS.items() for character in text}
_WIDEST = 0.79
# Bold letters are wider.
_BOLD = 1.17
_WIDE = 1.03
# Long names are broken after these characters.
_PART = re.compile(r"[^-_./,:;=]*[-_./,:;=]+|[^-_./,:;=]+")


def text_width(text: str) -> float:
    """Return an upper bound of the width of text in LaTeX, in multiples of the font size."""
    return sum(map(_character_width, text))


def pieces(word: str, width: float) -> list[str]:
    """Divide a word that is too wide after punctuation, and wide pieces between characters."""
    if text_width(word) <= width:
        return [word]
    parts: list[str] = []
    for part in _PART.findall(word):
        parts += [part] if text_width(part) <= width else part
    return parts


@dataclass(frozen=True)
class LatexColumn:
    """The header of a column, and its cells as text. Numbers are not wrapped, headers may be.

    `bold` has the positions of the bold cells.
    """

    header: str
    texts: tuple[str, ...]
    is_number: bool
    is_left: bool
    is_detail: bool
    bold: frozenset[int] = frozenset()

    @property
    def n_characters(self) -> int:
        """Width in plain text."""
        return max(map(display_width, (self.header, *self.texts)))

    @property
    def cell_widths(self) -> tuple[float, ...]:
        """Widths of the header and of the cells without line breaks."""
        cells = enumerate(map(text_width, self.texts))
        return (
            text_width(self.header),
            *(width * (_BOLD if i in self.bold else 1) for i, width in cells),
        )

    @property
    def width(self) -> float:
        """Width without line breaks."""
        return max(self.cell_widths)

    @property
    def least_width(self) -> float:
        """Width of the narrowest column that keeps short words and numbers whole."""
        wrapped = [self.header] if self.is_number else [self.header, *self.texts]
        parts = [part for text in wrapped for word in text.split() for part in _PART.findall(word)]
        widest_part = max(map(text_width, parts), default=0.0)
        numbers = self.cell_widths[1:] if self.is_number else ()
        return max([min(_NARROWEST, widest_part), *numbers])


@dataclass(frozen=True)
class LatexSize:
    """A size of type and its declaration: its scale, and the width of the gaps of a column.

    Smaller fonts are wider relative to their size.
    """

    declaration: str
    scale: float
    gaps: float


_NORMAL = LatexSize("", 1.0, 1.2)
_SMALL = LatexSize(r"\small\setlength{\tabcolsep}{3pt}", 0.93, 0.6)
_SMALLEST = LatexSize(r"\footnotesize\setlength{\tabcolsep}{3pt}", 0.85, 0.6)
# What is tried until the columns of a table fit: a size, and whether cells are wrapped.
_ATTEMPTS = (
    (_NORMAL, False),
    (_SMALL, False),
    (_SMALLEST, False),
    (_SMALL, True),
    (_SMALLEST, True),
)


@dataclass(frozen=True)
class LatexBlock:
    """Columns that fit into a line, with the widths of those columns whose cells are wrapped."""

    columns: tuple[LatexColumn, ...]
    widths: tuple[float | None, ...]
    size: LatexSize

    @property
    def is_wrapped(self) -> bool:
        """Whether the cells of a column are wrapped."""
        return any(width is not None for width in self.widths)

    @property
    def n_lines(self) -> int:
        """Estimated number of lines of the header and of all rows."""
        lines = (
            [
                1 if width is None else math.ceil(cell_width / (_FILLED * width))
                for cell_width in column.cell_widths
            ]
            for column, width in zip(self.columns, self.widths, strict=True)
        )
        return sum(max(1, *heights) for heights in zip(*lines, strict=True))


def fitted_blocks(columns: Sequence[LatexColumn]) -> list[LatexBlock]:
    """Return columns that fit into a line, smaller or wrapped, or in several blocks."""
    for size, is_wrapped in _ATTEMPTS:
        widths = _fitted_widths(columns, size, is_wrapped=is_wrapped)
        if widths is not None:
            return [LatexBlock(tuple(columns), widths, size)]
    return list(_split(columns))


def _fitted_widths(
    columns: Sequence[LatexColumn], size: LatexSize, *, is_wrapped: bool
) -> tuple[float | None, ...] | None:
    """Return the width of each wrapped column, None for the others; None if they do not fit."""
    space = (_TEXT_WIDTH - size.gaps * len(columns)) / size.scale
    natural = [column.width for column in columns]
    if sum(natural) <= space:
        return (None,) * len(columns)
    least = [min(column.width, column.least_width) for column in columns]
    if not is_wrapped or sum(least) > space:
        return None
    # Wrap the widest columns, all to the same width unless one cannot be as narrow.
    widths, limit = natural, max(natural)
    while sum(widths) > space:
        limit -= 0.1
        widths = [min(n, max(m, limit)) for n, m in zip(natural, least, strict=True)]
    return tuple(None if width == n else width for width, n in zip(widths, natural, strict=True))


def _split(columns: Sequence[LatexColumn]) -> Iterator[LatexBlock]:
    """Yield blocks of columns, each starting with the names of the rows."""
    names, *others = columns
    block = [names]
    for column in others:
        if len(block) > 1 and _fitted_widths([*block, column], _SMALL, is_wrapped=True) is None:
            yield _block(block)
            block = [names]
        block.append(column)
    yield _block(block)


def _block(columns: Sequence[LatexColumn]) -> LatexBlock:
    widths = _fitted_widths(columns, _SMALL, is_wrapped=True)
    # A single number may be wider than a line.
    return LatexBlock(tuple(columns), widths or (None,) * len(columns), _SMALL)


def _character_width(character: str) -> float:
    if character in _WIDTH_OF:
        return _WIDTH_OF[character]
    if display_width(character) != 1:
        return _WIDE * (display_width(character) // 2)
    # Accents do not make a letter wider.
    return _WIDTH_OF.get(unicodedata.normalize("NFD", character)[0], _WIDEST)
