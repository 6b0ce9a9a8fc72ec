"""Render documents as LaTeX that needs no packages but booktabs and, for long tables, longtable."""

from __future__ import annotations

import re
from dataclasses import replace

from sklearn_ordinal._documents._blocks import BlockRenderer
from sklearn_ordinal._documents._characters import visible
from sklearn_ordinal._documents._document import Cell, Column, Document, Note, Table
from sklearn_ordinal._documents._latex_layout import (
    LatexBlock,
    LatexColumn,
    fitted_blocks,
    pieces,
    text_width,
)
from sklearn_ordinal._documents._numbers import cell_text, is_undefined
from sklearn_ordinal._documents._plain_text import excess

# Longer tables do not fit on a page of the class article at any of its font sizes.
_MOST_LINES = 35
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
_EN_DASH = "\N{EN DASH}"
_MINUS = re.compile(r"-(?=\d|inf)")
# LaTeX hyphenates words, but not names such as quadratic_weighted_kappa. Wider ones would end in
# the margin of a justified paragraph.
_LONG_NAME = 5.0
# Wider names are broken in paragraphs and headings as well; a heading of this width fills a line.
_LONGEST_NAME = 16.0
# Characters of typewriter type in a line.
_LINE_OF_CODE = 60


def as_latex(document: Document, *, details: bool = False) -> str:
    """Render a document as LaTeX, with a `table` environment for each table.

    Tables that are longer than a page are `longtable` environments. No table is wider than a page
    of the class article: detail columns are left out, cells are wrapped, and other columns
    continue below.

    Parameters
    ----------
    document : Document
        The document. Its title, figures and footer are left out.
    details : bool, default=False
        Whether to include the sections and columns that are details.

    Returns
    -------
    str
        The text, which ends with a line break. It needs the package booktabs, and longtable
        if a table has more than 35 lines.
    """
    return _LatexRenderer.render(document, details=details)


class _LatexRenderer(BlockRenderer):
    def heading(self, title: str, level: int) -> str:
        ragged = r"\raggedright " if _has_long_names(title) else ""
        return f"{_SECTIONS[min(level, len(_SECTIONS)) - 1]}{{{ragged}{_with_breaks(title)}}}"

    def note(self, note: Note) -> str:
        text = _with_breaks(note.text)
        if not _has_long_names(note.text):
            return text
        return f"\\begin{{sloppypar}}\n{text}\n\\end{{sloppypar}}"

    def code(self, lines: list[str]) -> str:
        text = "\n".join(f"{_code_line(line)}\\\\" for line in lines)
        return f"\\begin{{flushleft}}\\ttfamily\n{text}\n\\end{{flushleft}}"

    def table(self, table: Table) -> str:
        columns = [_latex_column(table, i, self.digits) for i in range(len(table.columns))]
        columns[0] = replace(columns[0], is_left=True)
        fitting, left_out = (
            (columns, []) if self.details else self.without_details(columns, _excess_in_text)
        )
        blocks = fitted_blocks(fitting)
        is_long = sum(block.n_lines for block in blocks) - len(blocks) > _MOST_LINES
        lines = (_long_table if is_long else _table)(table, blocks)
        if left_out:
            names = ", ".join(column.header for column in left_out)
            lines.append(f"% Left out without details=True: {names}")
        return "\n".join(lines)


def _table(table: Table, blocks: list[LatexBlock]) -> list[str]:
    lines = [r"\begin{table}[htbp]", r"\centering", *_caption(table)]
    for i, block in enumerate(blocks):
        lines += [
            *([r"\par\bigskip"] if i else []),
            *([block.size.declaration] if block.size.declaration and not i else []),
            f"\\begin{{tabular}}{{{_layout(block)}}}",
            *_header(block),
            *_body(table, block),
            r"\end{tabular}",
        ]
    return [*lines, r"\end{table}"]


def _long_table(table: Table, blocks: list[LatexBlock]) -> list[str]:
    lines = []
    for i, block in enumerate(blocks):
        lines += [
            *([f"{{{block.size.declaration}"] if block.size.declaration else []),
            f"\\begin{{longtable}}{{{_layout(block)}}}",
            *([] if i else [f"{caption} \\\\" for caption in _caption(table)]),
            *_header(block),
            r"\endfirsthead",
            *_header(block),
            r"\endhead",
            *_body(table, block),
            r"\end{longtable}",
            *(["}"] if block.size.declaration else []),
        ]
    return lines


def _caption(table: Table) -> list[str]:
    caption = _with_breaks(table.title)
    return [f"\\caption{{{caption}}}"] if caption else []


def _layout(block: LatexBlock) -> str:
    """Return the layout of columns; the width of a wrapped one is in multiples of the font size."""
    columns = zip(block.columns, block.widths, strict=True)
    return "".join(
        ("l" if column.is_left else "r") if width is None else f"p{{{width:.1f}em}}"
        for column, width in columns
    )


def _header(block: LatexBlock) -> list[str]:
    return [r"\toprule", _row(block, 0), r"\midrule"]


def _body(table: Table, block: LatexBlock) -> list[str]:
    rows = [_row(block, i + 1) for i in range(len(table.rows) + len(table.summary))]
    end_of_rows = len(table.rows)
    rule = [r"\midrule"] if table.summary else []
    return [*rows[:end_of_rows], *rule, *rows[end_of_rows:], r"\bottomrule"]


def _row(block: LatexBlock, i: int) -> str:
    """Return a row; 0 is the header."""
    columns = zip(block.columns, block.widths, strict=True)
    cells = [
        _cell((column.header, *column.texts)[i], column, width, is_bold=i - 1 in column.bold)
        for column, width in columns
    ]
    # In ragged cells, a double backslash ends a line instead of the row.
    end = r"\tabularnewline" if block.is_wrapped else r"\\"
    return f"{' & '.join(cells)} {end}"


def _latex_column(table: Table, place: int, digits: int) -> LatexColumn:
    column = table.columns[place]
    texts = tuple(_text(row[place], column, digits) for row in (*table.rows, *table.summary))
    is_text = column.kind == "text"
    bold = frozenset(i for i, j in table.bold if j == place)
    return LatexColumn(visible(column.name), texts, not is_text, is_text, column.is_detail, bold)


def _excess_in_text(columns: list[LatexColumn]) -> int:
    return excess([column.n_characters for column in columns])


def _text(cell: Cell, column: Column, digits: int) -> str:
    if is_undefined(cell):
        return _EN_DASH
    text = visible(cell_text(cell, column, digits))
    # Hyphens in names stay hyphens; in numbers they are minus signs.
    return text if isinstance(cell, str) else _MINUS.sub("\N{MINUS SIGN}", text)


def _cell(text: str, column: LatexColumn, width: float | None, *, is_bold: bool) -> str:
    escaped = _escaped(text) if width is None else _with_breaks(text, width)
    if is_bold:
        escaped = f"\\textbf{{{escaped}}}"
    if width is None:
        return escaped
    ragged = r"\raggedright" if column.is_left else r"\raggedleft"
    return f"{ragged} {escaped}"


def _has_long_names(text: str) -> bool:
    return any(
        text_width(word) > _LONG_NAME and not word.strip(".,:;()").isalpha()
        for word in visible(text).split()
    )


def _with_breaks(text: str, width: float = _LONGEST_NAME) -> str:
    """Return escaped text in which words that are wider can be broken."""
    words = visible(text).strip().split(" ")
    return " ".join(r"\allowbreak{}".join(map(_escaped, pieces(word, width))) for word in words)


def _code_line(line: str) -> str:
    words = line.lstrip(" ").split(" ")
    indent = len(line) - len(line.lstrip(" "))
    length = max(1, _LINE_OF_CODE - indent)
    parts = ([word[i : i + length] for i in range(0, len(word), length)] for word in words)
    text = " ".join(r"\allowbreak{}".join(map(_escaped, part)) for part in parts)
    return "~" * max(indent, not line) + text


def _escaped(text: str) -> str:
    separated = _JOINED.sub("{}", visible(text).strip().translate(_TRANSLATION))
    return separated.replace(_EN_DASH, "--")
