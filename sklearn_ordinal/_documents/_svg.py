"""Draw the figures of documents as SVG for HTML pages."""

from __future__ import annotations

import base64
import contextlib
import io
import re
import threading
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from sklearn_ordinal._documents._characters import one_spaced, recorded_names, visible
from sklearn_ordinal._documents._document import Figure

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


def has_matplotlib() -> bool:
    """Return whether figures can be drawn."""
    try:
        import matplotlib.pyplot  # noqa: F401
    except ImportError:
        return False
    return True


def as_svg(figure: Figure, prefix: str) -> str:
    """Draw a figure as SVG whose ids start with a prefix."""
    svg, width = _drawn(figure)
    attributes = (
        f'role="img" aria-label="{escape(visible(figure.description))}" '
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
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"


def _drawn(figure: Figure) -> tuple[str, float]:
    """Return the SVG of matplotlib, and the width of the figure in inches."""
    import matplotlib.pyplot as plt
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    # Leave out the date, so that the same document gives the same bytes, and the addresses of
    # websites.
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    file = io.StringIO()
    with _drawing, plt.ioff(), _settings(_default_looks()):
        with recorded_names() as full_names:
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
        svg = svg.replace(tag, f"{tag}<title>{escape(visible(name))}</title>")
    return svg, float(plot.get_size_inches()[0])


def _with_ids(plot: Any, full_names: Mapping[str, str]) -> dict[str, str]:
    """Give shortened texts an id, and return their full names by id."""
    from matplotlib.text import Text

    titles: dict[str, str] = {}
    for text in plot.findobj(Text):
        name = full_names.get(one_spaced(text.get_text()))
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
