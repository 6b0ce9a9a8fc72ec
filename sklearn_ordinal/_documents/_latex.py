"""Render documents as LaTeX that needs no packages but booktabs and, for long tables, longtable."""

from __future__ import annotations

import re

from sklearn_ordinal._documents._blocks import BlockRenderer
from sklearn_ordinal._documents._characters import visible
from sklearn_ordinal._documents._document import Cell, Column, Document, Note, Row, Table
from sklearn_ordinal._documents._numbers import cell_text, is_undefined

# Longer tables do not fit on a page of the class article at any of its font sizes.
_MOST_ROWS = 35
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
    "\N{MINUS SIGN}": r"\ensuremath{-}",
    "\N{MULTIPLICATION SIGN}": r"\ensuremath{\times}",
}
_TRANSLATION = str.maketrans(_SPECIAL)
# Pairs that fonts join into one character, such as two hyphens, which become a dash.
_JOINED = re.compile(r"(?<=([-'`,]))(?=\1)|(?<=[?!])(?=`)")
_MINUS = re.compile(r"-(?=\d|inf)")


def as_latex(document: Document, *, details: bool = False) -> str:
    """Render a document as LaTeX, with a `table` environment for each table.

    Tables that do not fit on a page are `longtable` environments.

    Parameters
    ----------
    document : Document
        The document. Its title, figures and footer are left out.
    details : bool, default=False
        Whether to include the sections that are details.

    Returns
    -------
    str
        The text, which ends with a line break. It needs the package booktabs, and longtable
        if a table has more than 35 rows.
    """
    return _LatexRenderer.render(document, details=details)


class _LatexRenderer(BlockRenderer):
    def heading(self, title: str, level: int) -> str:
        return f"{_SECTIONS[min(level, len(_SECTIONS)) - 1]}{{{_escaped(title)}}}"

    def note(self, note: Note) -> str:
        return _escaped(note.text)

    def code(self, lines: list[str]) -> str:
        text = "\n".join(f"{_code_line(line)}\\\\" for line in lines)
        return f"\\begin{{flushleft}}\\ttfamily\n{text}\n\\end{{flushleft}}"

    def table(self, table: Table) -> str:
        kinds = ["l" if column.kind == "text" else "r" for column in table.columns]
        layout = "".join(["l", *kinds[1:]])
        caption = f"\\caption{{{_escaped(table.title)}}}" if table.title.strip() else ""
        header = [
            r"\toprule",
            _line([_escaped(column.name) for column in table.columns]),
            r"\midrule",
        ]
        rows = [
            *(self._row(row, table.columns) for row in table.rows),
            *([r"\midrule"] if table.summary else []),
            *(self._row(row, table.columns) for row in table.summary),
            r"\bottomrule",
        ]
        if len(table.rows) + len(table.summary) > _MOST_ROWS:
            lines = [
                f"\\begin{{longtable}}{{{layout}}}",
                *([_line([caption])] if caption else []),
                *header,
                r"\endfirsthead",
                *header,
                r"\endhead",
                *rows,
                r"\end{longtable}",
            ]
        else:
            lines = [
                r"\begin{table}[htbp]",
                r"\centering",
                *([caption] if caption else []),
                f"\\begin{{tabular}}{{{layout}}}",
                *header,
                *rows,
                r"\end{tabular}",
                r"\end{table}",
            ]
        return "\n".join(lines)

    def _row(self, row: Row, columns: tuple[Column, ...]) -> str:
        pairs = zip(row, columns, strict=True)
        return _line([self._cell(cell, column) for cell, column in pairs])

    def _cell(self, cell: Cell, column: Column) -> str:
        if is_undefined(cell):
            return "--"
        text = _escaped(cell_text(cell, column, self.digits))
        # Hyphens in names stay hyphens; in numbers they are minus signs.
        return text if isinstance(cell, str) else _MINUS.sub(r"$-$", text)


def _line(cells: list[str]) -> str:
    return f"{' & '.join(cells)} \\\\"


def _code_line(line: str) -> str:
    indent = len(line) - len(line.lstrip(" "))
    return "~" * max(indent, not line) + _escaped(line)


def _escaped(text: str) -> str:
    return _JOINED.sub("{}", visible(text).strip().translate(_TRANSLATION))
