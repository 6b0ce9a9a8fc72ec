"""Render documents as LaTeX that needs the packages booktabs and adjustbox."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable

from sklearn_ordinal._documents import formatting
from sklearn_ordinal._documents.document_parts import Cell, Column, Document, Note, Table
from sklearn_ordinal._documents.formatting import BlockRenderer

# A page of the class article has room for this many rows.
_MOST_ROWS = 35
# Headers and cells with more characters have several lines.
_WIDEST_HEADER, _WIDEST_CELL = 16, 30
_LINE_OF_CODE = 60
_SECTIONS = (r"\section*", r"\subsection*", r"\subsubsection*", r"\paragraph*")
_SPECIAL = {
    "\\": r"\textbackslash{}",
    **{character: f"\\{character}" for character in "{}$&#_%"},
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    # At the start of a row, these characters would be arguments of the preceding line break.
    **{character: f"{{{character}}}" for character in "[]*"},
    # Characters that pdflatex does not support.
    "…": r"\ldots{}",
    "±": r"\ensuremath{\pm}",
    "≤": r"\ensuremath{\leq}",
    "≥": r"\ensuremath{\geq}",
    "∞": r"\ensuremath{\infty}",
    "\N{MINUS SIGN}": "$-$",
    "\N{MULTIPLICATION SIGN}": r"\ensuremath{\times}",
}
_TRANSLATION = str.maketrans(_SPECIAL)
# Pairs that fonts join into one character, such as two hyphens, which become a dash.
_JOINED = re.compile(r"(?<=([-'`,]))(?=\1)|(?<=[?!])(?=`)")
_LONG_NAME = re.compile(r"\S{12,}")
_BREAK = r"\allowbreak{}"
_EN_DASH = "\N{EN DASH}"
_MINUS = re.compile(r"-(?=\d|inf)")


def as_latex(document: Document, *, details: bool = False) -> str:
    """Render a document as LaTeX, with a `table` environment for each table.

    A table that is longer than a page is divided, and one that is wider than a line is scaled to
    it after its detail columns are left out.

    Parameters
    ----------
    document : Document
        The document. Its title, figures and footer are left out.
    details : bool, default=False
        Whether to include the sections and columns that are details.

    Returns
    -------
    str
        The text, which ends with a line break. It needs the packages booktabs and adjustbox.
    """
    return _LatexRenderer.render(document, details=details)


class _LatexRenderer(BlockRenderer):
    def heading(self, title: str, level: int) -> str:
        text = _breakable(title)
        ragged = r"\raggedright " if _BREAK in text else ""
        return f"{_SECTIONS[min(level, len(_SECTIONS)) - 1]}{{{ragged}{text}}}"

    def note(self, note: Note) -> str:
        text = _breakable(note.text)
        # LaTeX does not hyphenate names, so lines with names may need wide spaces.
        return f"\\begin{{sloppypar}}\n{text}\n\\end{{sloppypar}}" if _BREAK in text else text

    def code(self, lines: list[str]) -> str:
        indents = [len(line) - len(line.lstrip(" ")) for line in lines]
        text = "\n".join(
            f"{'~' * (indent or not part)}{_escaped(part)}\\\\"
            for line, indent in zip(lines, indents, strict=True)
            for part in _lines(line.strip(), max(1, _LINE_OF_CODE - indent)) or [""]
        )
        return f"\\begin{{flushleft}}\\ttfamily\n{text}\n\\end{{flushleft}}"

    def table(self, table: Table) -> str:
        columns = self.text_columns(table)
        places = range(len(columns)) if self.details else self.without_details(columns)
        sides = ["l" if columns[place].is_left else "r" for place in places]
        header = _row(
            _stacked(columns[place].header, _WIDEST_HEADER, f"[b]{{@{{}}{side}@{{}}}}")
            for place, side in zip(places, sides, strict=True)
        )
        rows = [
            _row(_cell(columns[place].texts[i], (i, place) in table.bold) for place in places)
            for i in range(len(table.rows) + len(table.summary))
        ]
        if table.summary:
            rows.insert(len(table.rows), r"\midrule")
        parts = [rows[i : i + _MOST_ROWS] for i in range(0, len(rows), _MOST_ROWS)] or [[]]
        lines: list[str] = []
        for number, part in enumerate(parts, start=1):
            counted = f" ({number} of {len(parts)})" if len(parts) > 1 else ""
            caption = f"{_breakable(table.title)}{counted}".strip()
            lines += [
                r"\begin{table}[htbp]",
                r"\centering",
                *([f"\\caption{{{caption}}}"] if caption else []),
                r"\begin{adjustbox}{max width=\linewidth, max totalheight=0.8\textheight}",
                f"\\begin{{tabular}}{{{''.join(sides)}}}",
                r"\toprule",
                header,
                r"\midrule",
                *part,
                r"\bottomrule",
                r"\end{tabular}",
                r"\end{adjustbox}",
                r"\end{table}",
            ]
        if len(places) < len(columns):
            left_out = ", ".join(c.header for i, c in enumerate(columns) if i not in places)
            lines.append(f"% Left out without details=True: {left_out}")
        return "\n".join(lines)

    def cell(self, cell: Cell, column: Column) -> str:
        if formatting.is_undefined(cell):
            return _EN_DASH
        text = super().cell(cell, column)
        # Hyphens in names stay hyphens; in numbers they are minus signs.
        return text if isinstance(cell, str) else _MINUS.sub("\N{MINUS SIGN}", text)


def _row(cells: Iterable[str]) -> str:
    return f"{' & '.join(cells)} \\\\"


def _cell(text: str, is_bold: bool) -> str:
    stacked = _stacked(text, _WIDEST_CELL, "[t]{@{}l@{}}")
    return f"\\textbf{{{stacked}}}" if is_bold else stacked


def _stacked(text: str, width: int, layout: str) -> str:
    """Return escaped text, in several lines if it has more characters than a width."""
    if formatting.display_width(text) <= width:
        return _escaped(text)
    lines = r" \\ ".join(map(_escaped, _lines(text, width)))
    return f"\\begin{{tabular}}{layout}{lines}\\end{{tabular}}"


def _breakable(text: str) -> str:
    """Return escaped text in which lines may end after the underscores of long names."""
    return _LONG_NAME.sub(lambda name: name[0].replace(r"\_", rf"\_{_BREAK}"), _escaped(text))


class _NameWrapper(textwrap.TextWrapper):
    """Ends lines at spaces and after underscores."""

    wordsep_simple_re = re.compile(r"(\s+|[^\s_]*_+)")


def _lines(text: str, width: int) -> list[str]:
    return _NameWrapper(width, break_on_hyphens=False).wrap(text)


def _escaped(text: str) -> str:
    separated = _JOINED.sub("{}", formatting.visible(text).strip().translate(_TRANSLATION))
    return separated.replace(_EN_DASH, "--")
