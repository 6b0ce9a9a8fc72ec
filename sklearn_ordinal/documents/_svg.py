"""Draw the figures of documents as SVG that stands within a page of HTML."""

from __future__ import annotations

import io
import re
import threading
from html import escape

from sklearn_ordinal.documents._characters import visible
from sklearn_ordinal.documents._document import Figure

# The part of its size to which a figure may shrink before it scrolls.
_SMALLEST = 0.75
# The style and pyplot's list of figures belong to the whole process.
_drawing = threading.RLock()


def has_matplotlib() -> bool:
    """Return whether figures can be drawn."""
    try:
        import matplotlib.pyplot  # noqa: F401
    except ImportError:
        return False
    return True


def as_svg(figure: Figure, prefix: str) -> str:
    """Draw a figure as SVG, with ids that begin with a prefix of its own."""
    with _drawing:
        svg, width = _drawn(figure)
    smallest = f"min-width: {_SMALLEST * 72 * width:.0f}pt"
    attributes = f'role="img" aria-label="{escape(visible(figure.description))}" style="{smallest}"'
    # Without the XML prologue, and with ids that no other figure has.
    svg = re.sub(r'( id="|url\(#|href="#)', rf"\1{prefix}-", svg[svg.index("<svg ") :])
    return svg.replace("<svg ", f"<svg {attributes} ", 1)


def _drawn(figure: Figure) -> tuple[str, float]:
    """Return the SVG of Matplotlib and the width of the figure in inches."""
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    # Documents look the same whatever the style of the user, but for the fonts, which names
    # of classes may need. Glyphs become paths: readers need not have the font.
    fonts = mpl.rcParams.find_all(r"^font\.(family|serif|sans-serif|cursive|fantasy|monospace)$")
    options = {"svg.fonttype": "path", "svg.hashsalt": "sklearn_ordinal"}
    # No date, so that the same document gives the same bytes, and no addresses.
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    file = io.StringIO()
    with plt.ioff(), plt.style.context(["default", fonts, options]):
        drawn = figure.draw().figure_
        try:
            drawn.savefig(file, format="svg", metadata=nothing)
        finally:
            plt.close(drawn)
    return file.getvalue(), drawn.get_figwidth()
