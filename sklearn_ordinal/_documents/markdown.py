"""Render documents as Markdown in GitHub's dialect."""

from __future__ import annotations

import re

from sklearn_ordinal._documents import formatting
from sklearn_ordinal._documents.document_parts import Column, Document, Note, Row, Table
from sklearn_ordinal._documents.formatting import BlockRenderer

# "&" starts entities, "~" strikes through, and "$" starts formulas on GitHub.
_SPECIAL = re.compile(r"[\\`*_\[\]<>|~&$#]")
# At the start of a paragraph, these start a list, a rule or the underline of a heading.
_STARTS = re.compile(r"^([-+=]|\d+(?=[.)]))")


def as_markdown(document: Document, *, details: bool = False) -> str:
    """Render a document as Markdown with the tables of GitHub.

    Parameters
    ----------
    document : Document
        The document. Its title, figures and footer are left out.
    details : bool, default=False
        Whether to include the sections that are details.

    Returns
    -------
    str
        The text, which ends with a line break.
    """
    return _MarkdownRenderer.render(document, details=details)


class _MarkdownRenderer(BlockRenderer):
    def heading(self, title: str, level: int) -> str:
        return f"{'#' * min(level + 1, 6)} {_escaped(title)}"

    def note(self, note: Note) -> str:
        return _paragraph(note.text)

    def code(self, lines: list[str]) -> str:
        text = "\n".join(map(formatting.visible, lines))
        # The fence must be longer than any sequence of backticks in the text.
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
        return f"{fence}text\n{text}\n{fence}"

    def table(self, table: Table) -> str:
        rows = [
            [
                f"**{text}**" if (i, j) in table.bold and text else text
                for j, text in enumerate(self._cells(row, table.columns))
            ]
            for i, row in enumerate((*table.rows, *table.summary))
        ]
        header = [_escaped(column.name) for column in table.columns]
        rule = [_rule(column, position) for position, column in enumerate(table.columns)]
        lines = [f"| {' | '.join(cells)} |" for cells in (header, rule, *rows)]
        title = f"**{_escaped(table.title)}**\n\n" if table.title.strip() else ""
        return title + "\n".join(lines)

    def _cells(self, row: Row, columns: tuple[Column, ...]) -> list[str]:
        pairs = zip(row, columns, strict=True)
        return [_escaped(formatting.cell_text(cell, column, self.digits)) for cell, column in pairs]


def _rule(column: Column, position: int) -> str:
    return ":---" if position == 0 or column.kind == "text" else "---:"


def _paragraph(text: str) -> str:
    return _STARTS.sub(lambda match: _start_escaped(match[0]), _escaped(text))


def _start_escaped(start: str) -> str:
    # Digits cannot be escaped, but the character after them that starts a list can.
    return f"{start}\\" if start[0].isdigit() else f"\\{start}"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", formatting.visible(text).strip())
