"""Render documents as plain text for terminals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sklearn_ordinal._documents import formatting
from sklearn_ordinal._documents.document_parts import Document, Note, Part, Table
from sklearn_ordinal._documents.formatting import BlockRenderer, TextColumn

# Names and text may be cut to this width if a table does not fit into the line.
_SHORTEST = 8
# The largest width of row names in tables that do not fit even after cutting and are split.
_NAMES = 24


def as_text(document: Document, *, details: bool = False, complete_view: str = "") -> str:
    """Render a document as plain text of at most 80 columns, except for code.

    Parameters
    ----------
    document : Document
        The document. Its title, figures and footer are left out.
    details : bool, default=False
        Whether to include the sections that are details.
    complete_view : str, default=""
        The call that shows the columns that do not fit into the line, such as "to_markdown()".

    Returns
    -------
    str
        The text, which ends with a line break.
    """
    renderer = _TextRenderer(document.digits, details=details)

    def parts() -> Iterator[Part]:
        yield from (*document.verdict, *document.parts)
        # The columns that do not fit are known after the tables.
        yield Note(" ".join(filter(None, (renderer.about_columns(complete_view), document.hint))))

    return renderer.text(parts())


class _TextRenderer(BlockRenderer):
    def about_columns(self, complete_view: str) -> str:
        """Say which columns the tables have in other views."""
        if not self._left_out:
            return ""
        columns = formatting.counted(len(self._left_out), "column")
        see = f": see {complete_view}" if complete_view else ""
        return f"{columns} left out ({', '.join(self._left_out)}){see}."

    def heading(self, title: str, level: int) -> str:
        title = formatting.cut(formatting.visible(title), formatting.WIDTH).rstrip()
        return f"{title}\n{('=' if level == 1 else '-') * formatting.display_width(title)}"

    def note(self, note: Note) -> str:
        return "\n".join(_wrapped(note.text))

    def code(self, lines: list[str]) -> str:
        return "\n".join(formatting.visible(line).rstrip() for line in lines)

    def table(self, table: Table) -> str:
        columns = self.text_columns(table)
        places = self.without_details(columns)
        blocks = [
            _lines(block, len(table.rows)) for block in _laid_out([columns[i] for i in places])
        ]
        return "\n".join([*_wrapped(table.title), "\n\n".join(blocks)])


def _cut_column(column: TextColumn, width: int) -> TextColumn:
    if column.width <= width:
        return column
    return replace(
        column,
        header=formatting.cut(column.header, width),
        texts=formatting.cut_names(column.texts, width),
    )


def _padded(column: TextColumn) -> list[str]:
    """Return the header and the cells, all of the same width."""
    pad = str.ljust if column.is_left else str.rjust
    return [
        pad(cell, column.width + len(cell) - formatting.display_width(cell))
        for cell in (column.header, *column.texts)
    ]


def _laid_out(columns: list[TextColumn]) -> list[list[TextColumn]]:
    """Return the columns of a table, in several blocks if cutting does not make them fit.

    The names of the rows and other text are cut to the largest width that makes them fit.
    """
    for width in range(formatting.WIDTH, _SHORTEST - 1, -1):
        fitted = [_cut_column(column, width) if column.is_left else column for column in columns]
        if formatting.excess(fitted) <= 0:
            return [fitted]
    return _split(columns)


def _split(columns: list[TextColumn]) -> list[list[TextColumn]]:
    """Return blocks of columns that fit, each starting with the names of the rows."""
    names = _cut_column(columns[0], _NAMES)
    blocks = [[names]]
    for column in columns[1:]:
        column = _cut_column(column, formatting.WIDTH - names.width - len(formatting.GAP))
        if formatting.excess([*blocks[-1], column]) > 0:
            blocks.append([names])
        blocks[-1].append(column)
    return blocks


def _lines(columns: list[TextColumn], n_rows: int) -> str:
    cells = zip(*map(_padded, columns), strict=True)
    lines = [formatting.GAP.join(row).rstrip() for row in cells]
    header, rows, summary = lines[:1], lines[1 : n_rows + 1], lines[n_rows + 1 :]
    return "\n".join([*header, *rows, *([""] if summary else []), *summary])


def _wrapped(text: str) -> list[str]:
    """Return wrapped lines. `textwrap` would count characters instead of columns."""
    lines: list[str] = []
    width = formatting.WIDTH
    for word in formatting.visible(text).split():
        word = formatting.cut(word, formatting.WIDTH)
        width += 1 + formatting.display_width(word)
        if width <= formatting.WIDTH:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
            width = formatting.display_width(word)
    return lines
