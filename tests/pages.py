"""HTML pages, parsed with the parser of the standard library, with or without drawings."""

from collections import defaultdict
from contextlib import contextmanager
from html import escape
from html.parser import HTMLParser

import pytest

from sklearn_ordinal._documents import html_pages
from sklearn_ordinal._documents.formatting import visible

draw_figure, draw_image = html_pages.as_svg, html_pages.as_image

WITHOUT_END = {"img", "meta", "wbr"}


class Page(HTMLParser):
    """The tags of a page, its text by tag, and its tables in order.

    Each table has a caption, columns and rows: pairs of a row name and a dict of cells by column.
    A cell is its text and the number behind it, if any.
    """

    def __init__(self, text):
        super().__init__()
        self.tags, self.texts, self.tables = [], defaultdict(str), []
        self._open = [""]
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.append((tag, attrs))
        if tag not in WITHOUT_END:
            self._open.append(tag)
        if tag == "table":
            self.tables.append({"caption": "", "columns": [], "rows": []})
        elif tag == "tr":
            self._cells = []
        elif tag in ("th", "td"):
            value = attrs.get("data-value")
            self._cells.append(["", None if value is None else float(value)])

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self._open.pop() == tag
        if tag != "tr":
            return
        table = self.tables[-1]
        (head, _), *cells = self._cells
        if table["columns"]:
            row = dict(zip(table["columns"], map(tuple, cells), strict=True))
            table["rows"].append((head, row))
        else:
            table["columns"] = [text for text, _ in cells]

    def handle_data(self, data):
        self.texts[self._open[-1]] += data
        if {"th", "td"} & set(self._open):
            self._cells[-1][0] += data
        elif "caption" in self._open:
            self.tables[-1]["caption"] += data

    def rows(self, caption, number=0):
        """Return the rows, by name, of the nth table whose caption starts with `caption`."""
        tables = [table for table in self.tables if table["caption"].startswith(caption)]
        return dict(tables[number]["rows"])


def numbers(row):
    """Return the numbers behind the cells of a row."""
    return {column: value for column, (_, value) in row.items() if value is not None}


def describe_figure(figure, description, prefix):  # noqa: ARG001
    """Return a figure without a drawing, but with its text alternative."""
    return f'<svg role="img" aria-label="{escape(visible(description))}"></svg>'


def with_described_figures():
    """Leave out the drawings of pages and notebooks within a context."""
    return _figures_by(describe_figure, lambda figure: "data:,")  # noqa: ARG005


def with_drawn_figures():
    """Draw the figures of pages and notebooks within a context."""
    return _figures_by(draw_figure, draw_image)


@contextmanager
def _figures_by(as_svg, as_image):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(html_pages, "as_svg", as_svg)
        patch.setattr(html_pages, "as_image", as_image)
        yield
