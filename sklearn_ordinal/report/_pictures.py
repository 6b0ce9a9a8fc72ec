"""Pictures of documents, as SVG within the page."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from sklearn_ordinal._core import amount_as_text
from sklearn_ordinal.plotting import ErrorDistributionDisplay, OrdinalConfusionMatrixDisplay
from sklearn_ordinal.report._document import paragraph, section
from sklearn_ordinal.report._html import report_tables

if TYPE_CHECKING:
    from sklearn_ordinal.report._report import OrdinalReport

# The part of its size to which a picture may shrink before it scrolls.
_SMALLEST = 0.75
# Numbers of a larger matrix are too small to read and slow to draw: colours remain.
_MOST_CLASSES_WITH_NUMBERS = 40


class Picture(NamedTuple):
    """A picture of a document: what draws it, its caption, and what it shows in words."""

    draw: Callable[[], Any]
    caption: str
    description: str


def confusion_picture(report: OrdinalReport, whose: str = "") -> Picture:
    """Return the picture of a confusion matrix."""
    right, near = report.criteria["accuracy"], report.criteria["within_1_accuracy"]
    has_numbers = len(report.target_names) <= _MOST_CLASSES_WITH_NUMBERS
    return Picture(
        partial(OrdinalConfusionMatrixDisplay.from_report, report, include_values=has_numbers),
        f"True and predicted classes{whose}",
        f"Confusion matrix of {len(report.target_names)} classes: {right:.0%} of the "
        f"predictions are right, {near:.0%} at most one class away.",
    )


def errors_picture(report: OrdinalReport, whose: str = "") -> Picture:
    """Return the picture of the errors of each class."""
    names = zip(report.target_names, report.per_class["recall"], strict=True)
    right = "; ".join(f"{target_name} {recall:.0%}" for target_name, recall in names)
    return Picture(
        partial(ErrorDistributionDisplay.from_report, report),
        f"Errors of each class{whose}",
        f"Share of each true class that is predicted right: {right}",
    )


def report_parts(report: OrdinalReport) -> list[str]:
    """Return the parts of the document of one report."""
    total = amount_as_text(report.confusion.counts.sum().item())
    unit = "total weight" if report.confusion.is_weighted else "samples"
    names = report.target_names
    return [
        paragraph(
            f"{total} {unit}, {len(names)} classes from {names[0]} (lowest) to {names[-1]} "
            f"(highest)."
        ),
        report_tables(report, with_costs=True),
        pictures(confusion_picture(report), errors_picture(report)),
    ]


def pictures(*wanted: Picture) -> str:
    """Return the pictures of a document or, without matplotlib, how to get them."""
    try:
        import matplotlib.pyplot  # noqa: F401
    except ImportError:
        note = (
            "The pictures are left out, since matplotlib was not installed where this file was "
            'written. Get them with pip install "sklearn_ordinal[plot]".'
        )
        return section("Pictures", paragraph(note))
    figures = (_figure(picture, f"picture{i}") for i, picture in enumerate(wanted, start=1))
    return section("Pictures", f'<div class="pictures">{"".join(figures)}</div>\n')


def _figure(picture: Picture, prefix: str) -> str:
    caption = escape(picture.caption)
    return (
        f'<figure><div class="scroll" role="group" tabindex="0" aria-label="{caption}">'
        f"{_as_svg(picture, prefix)}</div><figcaption>{caption}</figcaption></figure>\n"
    )


def _as_svg(picture: Picture, prefix: str) -> str:
    """Draw a picture as SVG that can stand beside others in a page."""
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    # Documents look the same whatever the style of the user, but for the fonts, which names
    # of classes may need. Glyphs become paths: readers need not have the font.
    fonts = mpl.rcParams.find_all(r"^font\.(family|serif|sans-serif|cursive|fantasy|monospace)$")
    options = {"svg.fonttype": "path", "svg.hashsalt": "sklearn_ordinal"}
    # No date, so that the same report gives the same bytes, and no addresses.
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    file = io.StringIO()
    with plt.ioff(), plt.style.context(["default", fonts, options]):
        figure = picture.draw().figure_
        try:
            figure.savefig(file, format="svg", metadata=nothing)
        finally:
            plt.close(figure)
    svg = file.getvalue()
    smallest = f"min-width: {_SMALLEST * 72 * figure.get_figwidth():.0f}pt"
    attributes = f'role="img" aria-label="{escape(picture.description)}" style="{smallest}"'
    # Without the XML prologue, and with ids that no other picture has.
    svg = re.sub(r'( id="|url\(#|href="#)', rf"\1{prefix}-", svg[svg.index("<svg ") :])
    return svg.replace("<svg ", f"<svg {attributes} ", 1)
