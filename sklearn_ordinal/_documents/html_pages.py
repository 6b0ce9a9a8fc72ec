"""Render documents as HTML, with figures as SVG: pages for files, fragments for notebooks."""

from __future__ import annotations

import contextlib
import hashlib
import io
import math
import numbers
import re
import threading
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from itertools import chain, count, groupby
from typing import Any

from sklearn_ordinal._documents import document_parts, formatting
from sklearn_ordinal._documents.document_parts import (
    Cell,
    Code,
    Column,
    Document,
    Figure,
    Note,
    Part,
    Row,
    Section,
    Table,
)

# Draw the figures of documents as SVG for HTML pages
# ---------------------------------------------------

# A figure may shrink to this fraction of its size before it scrolls.
_SMALLEST = 0.75
# The settings that decide how a figure looks. Fonts are not included, because the names of classes
# may need the user's fonts.
_LOOKS = re.compile(
    r"(axes|figure|grid|hatch|image|legend|lines|markers|mathtext|patch|path|savefig|svg|text"
    r"|xaxis|xtick|yaxis|ytick)\.|font\.(size|stretch|style|variant|weight)"
)
_NOT_LOOKS = ("figure.raise_window", "figure.hooks", "savefig.directory")
# Settings and pyplot's list of figures are shared by the whole process.
_drawing = threading.RLock()


def _has_matplotlib() -> bool:
    """Return whether figures can be drawn."""
    try:
        import matplotlib.pyplot  # noqa: F401
    except ImportError:
        return False
    return True


def as_svg(figure: Figure, description: str, prefix: str) -> str:
    """Draw a figure as SVG with a text alternative, whose ids start with a prefix."""
    svg, width = _drawn(figure)
    attributes = (
        f'role="img" aria-label="{escape(formatting.visible(description))}" '
        f'style="min-width: {_SMALLEST * 72 * width:.0f}pt"'
    )
    # Leave out the XML prologue, and make ids unique on the page.
    svg = re.sub(r'( id="|url\(#|href="#)', rf"\1{prefix}-", svg[svg.index("<svg ") :])
    return svg.replace("<svg ", f"<svg {attributes} ", 1)


def as_image(figure: Figure) -> str:
    """Draw a figure as the address of an image, which contains the image itself.

    In contrast to an SVG element, an image has no ids that could clash with those of other figures
    of the same notebook.
    """
    svg, _ = _drawn(figure)
    return f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"


def _drawn(figure: Figure) -> tuple[str, float]:
    """Return the SVG of matplotlib, and the width of the figure in inches."""
    import matplotlib.pyplot as plt
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    # Leave out the date, so that the same document gives the same bytes, and the addresses of
    # websites.
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    file = io.StringIO()
    with _drawing, plt.ioff(), _settings(_default_looks()):
        with formatting.recorded_names() as full_names:
            plot = figure.draw().figure_
        titles = _with_ids(plot, full_names)
        try:
            # In contrast to savefig, this draws the figure only once.
            FigureCanvasSVG(plot).print_svg(file, metadata=nothing)
        finally:
            plt.close(plot)
    svg = file.getvalue()
    for group, name in titles.items():
        tag = f'<g id="{group}">'
        svg = svg.replace(tag, f"{tag}<title>{escape(formatting.visible(name))}</title>")
    return svg, float(plot.get_size_inches()[0])


def _with_ids(plot: Any, full_names: Mapping[str, str]) -> dict[str, str]:
    """Give shortened texts an id, and return their full names by id."""
    from matplotlib.text import Text

    titles: dict[str, str] = {}
    for text in plot.findobj(Text):
        name = full_names.get(formatting.one_spaced(text.get_text()))
        if name:
            group = f"name_{len(titles) + 1}"
            text.set_gid(group)
            titles[group] = name
    return titles


def _default_looks() -> dict[str, Any]:
    """Return matplotlib's default settings, regardless of the user's style."""
    import matplotlib as mpl

    looks = {
        key: value
        for key, value in mpl.rcParamsDefault.items()
        if _LOOKS.match(key) and key not in _NOT_LOOKS
    }
    return looks | {
        # Glyphs become paths, so that readers do not need the font.
        "svg.fonttype": "path",
        "svg.hashsalt": "sklearn_ordinal",
        # Do not warn about figures that the user has open.
        "figure.max_open_warning": 0,
    }


@contextlib.contextmanager
def _settings(settings: Mapping[str, Any]) -> Iterator[None]:
    """Change settings of matplotlib temporarily.

    In contrast to `matplotlib.rc_context`, settings that another thread changes in the
    meantime are kept.
    """
    import matplotlib as mpl

    params = mpl.rcParams
    before = {key: params[key] for key, value in settings.items() if params[key] != value}
    params.update({key: settings[key] for key in before})
    try:
        yield
    finally:
        params.update({key: old for key, old in before.items() if params[key] == settings[key]})


# Render documents as HTML: whole pages for files, fragments for notebooks
# ------------------------------------------------------------------------

# Direction marks would reorder the text next to a name; HTML has no control characters.
_UNPRINTABLE = re.compile(
    "[\u200e\u200f\u202a-\u202e\u2066-\u2069]|(?![\t\n\r])[\x00-\x1f\x7f-\x9f]"
)
# Names and texts with more characters than this may break into several lines.
_LONG_NAME, _LONG_TEXT = 16, 30
_NO_FIGURES = (
    "This file has no figures, because matplotlib was not installed when it was written. "
    'To get figures, run pip install "sklearn_ordinal[plot]".'
)


def as_page(document: Document) -> str:
    """Render a document as a self-contained page for screens and for paper.

    Parameters
    ----------
    document : Document
        The document.

    Returns
    -------
    str
        The page.
    """
    script = _resource("sort.js")
    # Only this script may run, and nothing may be fetched, even if a name contains HTML.
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        f"img-src data:; base-uri 'none'; form-action 'none'"
    )
    title = _escaped(document.title)
    renderer = _Renderer(document.digits, is_page=True)
    footer = renderer.parts(document.footer)
    footer = f"<footer>\n{footer}</footer>\n" if footer else ""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="generator" content="sklearn_ordinal">\n'
        f"<title>{title}</title>\n"
        f"<style>\n{_resource('fragment.css')}{_resource('page.css')}</style>\n</head>\n"
        f'<body>\n<main class="sklearn-ordinal-report">\n<h1>{title}</h1>\n'
        f"{renderer.verdict(document)}{renderer.parts((*document.about, *document.parts))}"
        f"{footer}</main>\n"
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def as_fragment(document: Document) -> str:
    """Render a document as part of another page, such as a notebook.

    Parameters
    ----------
    document : Document
        The document. Its title, code, details and footer are left out, and all figures but the
        first.

    Returns
    -------
    str
        A `div` element with its own style.
    """
    hint = (Note(document.hint, is_small=True),) if document.hint else ()
    renderer = _Renderer(document.digits, is_page=False)
    content = renderer.verdict(document) + renderer.parts((*document.parts, *hint))
    style = f"<style>{_resource('fragment.css')}</style>"
    return f'<div class="sklearn-ordinal-report">{style}{content}</div>'


class _Renderer:
    """Renders parts under the headings of their sections.

    A page has all parts; a fragment has tables, notes and the first figure that are not details.
    """

    def __init__(self, digits: int, *, is_page: bool) -> None:
        self._digits = digits
        self._is_page = is_page
        self._n_figures = 0
        self._labels: set[str] = set()

    def verdict(self, document: Document) -> str:
        """Render the sentences that say what was found."""
        notes = (_escaped(note.text) for note in document.verdict)
        return "".join(f'<p class="verdict">{text}</p>\n' for text in notes)

    def parts(self, parts: Sequence[Part], titles: tuple[str, ...] = ()) -> str:
        """Render parts within sections with these titles, the outermost first."""
        text, before = "", list[Part]()
        for is_figures, group in groupby(parts, key=lambda part: isinstance(part, Figure)):
            if is_figures:
                figures = [part for part in group if isinstance(part, Figure)]
                text += self._beside(before, figures, titles)
                before = []
            else:
                before = list(group)
        return text + self._in_order(before, titles)

    def _in_order(self, parts: Sequence[Part], titles: tuple[str, ...]) -> str:
        return "".join(self._part(part, titles) for part in parts)

    def _beside(
        self, before: Sequence[Part], figures: Sequence[Figure], titles: tuple[str, ...]
    ) -> str:
        """Render figures beside the tables before them and the notes on these tables."""
        n_above = 0
        while any(isinstance(part, (Section, Code)) for part in before[n_above:]):
            n_above += 1
        while n_above < len(before) and not isinstance(before[n_above], Table):
            n_above += 1
        above = self._in_order(before[:n_above], titles)
        left = self._in_order(before[n_above:], titles)
        right = self._figures(figures, titles)
        if not left or not right or not _has_matplotlib():
            return above + left + right
        return f'{above}<div class="beside">\n<div>{left}</div>\n{right}</div>\n'

    def _part(self, part: Part, titles: tuple[str, ...]) -> str:
        match part:
            case Section():
                return self._section(part, titles)
            case Table():
                return self._table(part, titles)
            case Note():
                kind = ' class="note"' if part.is_small else ""
                return f"<p{kind}>{_escaped(part.text)}</p>\n"
            case Code():
                return self._code(part)
        raise document_parts.unknown_part(part)

    def _section(self, section: Section, titles: tuple[str, ...]) -> str:
        if section.is_detail and not self._is_page:
            return ""
        content = self.parts(document_parts.computed(section.parts), (*titles, section.title))
        # If there is no content, the heading is left out as well.
        if not content:
            return ""
        title = _escaped(section.title)
        if section.is_detail:
            return f"<details><summary>{title}</summary>\n{content}</details>\n"
        heading = f"h{min(len(titles) + 2, 6)}"
        return f"<section>\n<{heading}>{title}</{heading}>\n{content}</section>\n"

    def _code(self, code: Code) -> str:
        return f"<pre>{_escaped(code.text)}</pre>\n" if self._is_page else ""

    def _figures(self, figures: Sequence[Figure], titles: tuple[str, ...]) -> str:
        first = self._n_figures + 1
        self._n_figures += len(figures)
        if not self._is_page:
            figures = figures[:1] if first == 1 and _has_matplotlib() else ()
        elif not _has_matplotlib():
            return f"<p>{_escaped(_NO_FIGURES)}</p>\n" if first == 1 else ""
        if not figures:
            return ""
        rendered = (self._figure(*item, titles) for item in enumerate(figures, start=first))
        return f'<div class="figures">{"".join(rendered)}</div>\n'

    def _figure(self, number: int, figure: Figure, titles: tuple[str, ...]) -> str:
        description = document_parts.computed(figure.description)
        if figure.table is not None:
            description += f". {formatting.rows_in_words(figure.table, self._digits)}."
        if self._is_page:
            svg = _valid(as_svg(figure, description, f"figure{number}"))
            drawing = f"{_box(self._label(figure.caption, titles))}{svg}</div>"
        else:
            drawing = f'<img src="{as_image(figure)}" alt="{_escaped(description)}">'
        caption = _escaped(figure.caption)
        return f"<figure>{drawing}<figcaption>{caption}</figcaption></figure>\n"

    def _table(self, table: Table, titles: tuple[str, ...]) -> str:
        header = "".join(map(_header, table.columns))
        rows = "".join(
            self._row(row, table, number, position=number) for number, row in enumerate(table.rows)
        )
        summary = "".join(
            self._row(row, table, number)
            for number, row in enumerate(table.summary, start=len(table.rows))
        )
        averages = f'<tbody class="averages">{summary}</tbody>' if summary else ""
        return (
            f"{_box(self._label(table.title, titles))}"
            f"<table><caption><span>{_breakable(table.title)}</span></caption>"
            f'<thead><tr>{header}</tr></thead><tbody class="rows">{rows}</tbody>{averages}'
            "</table></div>\n"
        )

    def _row(self, row: Row, table: Table, number: int, *, position: int | None = None) -> str:
        columns = table.columns
        texts = [
            formatting.cell_text(cell, column, self._digits)
            for cell, column in zip(row, columns, strict=True)
        ]
        # Sorting by name restores the original order of the rows, such as the order of the classes.
        value = _value(row[0]) or _value(position)
        kind = ' class="long"' if len(texts[0]) > _LONG_NAME else ""
        bold = [j for i, j in table.bold if i == number]
        cells = "".join(
            f"<td{_kind(column, text)}{_value(cell)}>"
            f"{f'<b>{_escaped(text)}</b>' if j in bold else _escaped(text)}</td>"
            for j, (cell, column, text) in enumerate(zip(row, columns, texts, strict=True))
            if j
        )
        return f'<tr><th scope="row"{kind}{value}>{_breakable(texts[0])}</th>{cells}</tr>\n'

    def _label(self, title: str, titles: tuple[str, ...]) -> str:
        """Return a name that is unique on the page, which scrollable boxes need."""
        places = (", ".join(titles[start:]) for start in range(len(titles) - 1, -1, -1))
        names = [f"{title}: {place}" for place in places] or [title]
        numbered = (f"{names[-1]} ({number})" for number in count(start=2))
        label = next(name for name in chain(names, numbered) if name not in self._labels)
        self._labels.add(label)
        return label


def _box(label: str) -> str:
    """Return the start of a scrollable box that can be focused with the keyboard."""
    return f'<div class="scroll" role="group" tabindex="0" aria-label="{_escaped(label)}">'


def _header(column: Column) -> str:
    title = f' title="{_escaped(column.full_name)}"' if column.full_name else ""
    return f'<th scope="col"{_kind(column, "")}{title}>{_breakable(column.name)}</th>'


def _kind(column: Column, text: str) -> str:
    if column.kind != "text":
        return ""
    return ' class="text long"' if len(text) > _LONG_TEXT else ' class="text"'


def _value(cell: Cell) -> str:
    """Return the attribute with the unrounded number, by which tables are sorted."""
    number = cell[0] if isinstance(cell, tuple) else cell
    if not isinstance(number, numbers.Real):
        return ""
    if isinstance(number, numbers.Integral):
        return f' data-value="{int(number)}"'
    # JavaScript does not read "inf".
    value = float(number)
    text = f"{'-' * (value < 0)}Infinity" if math.isinf(value) else repr(value)
    return f' data-value="{text}"'


def _breakable(name: str) -> str:
    """Return a name whose lines may break after underscores."""
    return _escaped(name).replace("_", "_<wbr>")


def _escaped(text: str) -> str:
    return escape(_UNPRINTABLE.sub(lambda match: formatting.visible(match[0]), _valid(text)))


def _valid(text: str) -> str:
    """Return text with lone surrogates escaped, since they cannot be encoded."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _resource(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
