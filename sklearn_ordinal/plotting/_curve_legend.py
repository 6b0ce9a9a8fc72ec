"""The layout of a plot with curves: a legend on the right names each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sklearn_ordinal.plotting._layout import Room, check_axes, new_axes, room
from sklearn_ordinal.plotting._style import LEGEND_OPTIONS
from sklearn_ordinal.plotting._text import (
    SHORTEST,
    attempts,
    default_font_size,
    em,
    fitted,
    font_scale,
    height,
    one_line,
    shortened,
    smallest_font_size,
    width,
    wrapped,
)

# The smallest share of the width of a plot for the axes, and of their area if names would be equal.
_AXES_WIDTH, _AREAS = 0.33, (0.9, 0.85, 0.8, 0.75, 0.7)
# In inches: the axes of a new figure at a font size of ten points, and the ticks with their gap.
_NEW_SIDE, _TICKS = 3.6, 7 / 72
# In a new figure: the most lines of a text, and its width in font sizes.
_MOST_LINES, _NEW_WIDTH = 4, 19.0
_NO_BREAK = "\N{NO-BREAK SPACE}"
# The handle of a line and the gaps around it, and the gap between lines, in font sizes.
_HANDLE, _GAP = 3.4, 0.35
# Texts on screens are a little higher, since their glyphs are aligned with pixels.
_ON_SCREEN = 1.08


@dataclass(frozen=True)
class CurveLegend:
    """The texts of the legend of a plot with curves, and the font size of the plot.

    `start` and the texts in `ends` surround the name of each curve, and have non-breaking spaces
    where lines must not break. `others` are entries without a name. `ticks` is the longest tick
    label of each axis.
    """

    names: Sequence[str]
    start: str
    ends: Sequence[str]
    title: str
    others: Sequence[str]
    ticks: tuple[str, str]
    font_size: float = 10.0

    @property
    def entries(self) -> list[str]:
        """The texts of the legend, once the names are broken into lines."""
        return [name.replace(_NO_BREAK, " ") for name in (*self.names, *self.others)]

    def size(self) -> tuple[float, float]:
        """Return the width and height of the legend in inches."""
        size, entries = self.font_size, self.entries
        across = max(width(entries, size) + em(size, _HANDLE), width([self.title], size) + em(size))
        lines = height(["\n".join([self.title, *entries])], size)
        return across, _ON_SCREEN * lines + em(size, 1 + _GAP * len(entries))

    def beside_and_below(self) -> tuple[float, float]:
        """Return the width and height in inches of labels and ticks of the axes."""
        size = self.font_size
        return (
            em(size, 1.8) + width(self.ticks[1:], size) + _TICKS,
            em(size, 3.0) + _TICKS,
        )


def legend_of_plot(
    ax: Any,
    names: Sequence[str],
    *,
    start: str,
    ends: Sequence[str],
    title: str,
    others: Sequence[str],
    ticks: tuple[str, str],
) -> tuple[Any, CurveLegend]:
    """Return axes and the texts of their legend, in a font size that fits the axes.

    If `ax` is None, the axes belong to a new figure in which they are square.
    """
    legend = CurveLegend([one_line(name) for name in names], start, ends, title, others, ticks)
    if ax is not None:
        check_axes(ax)
        return ax, _fitted_legend(legend, room(ax))
    size = default_font_size()
    legend = replace(legend, font_size=size)
    inches = max(em(size, _NEW_WIDTH), width([title, *others], size))
    names = shortened(legend.names, inches, _MOST_LINES, size, start=start, ends=ends)
    legend = replace(legend, names=names)
    (across, down), (beside, below) = legend.size(), legend.beside_and_below()
    side = max(_NEW_SIDE * font_scale(), down)
    return new_axes(beside + side + across + 0.1, side + below + 0.1), legend


def _fitted_legend(legend: CurveLegend, room: Room) -> CurveLegend:
    """Return a legend with the largest texts that leave enough room for the axes."""
    smallest = smallest_font_size()
    # Names that cannot be told apart are worse than narrow axes.
    narrow = [(smallest, SHORTEST, area) for area in _AREAS]
    for size, n_kept, area in (*attempts(), *narrow):
        found, inches, n_lines = _without_names(legend, room.with_area(area), size)
        if n_lines and width(found.others, size) <= inches:
            names = fitted(
                legend.names,
                inches,
                n_lines,
                size,
                n_kept=n_kept,
                start=legend.start,
                ends=legend.ends,
            )
            if names is not None:
                return replace(found, names=names)
    names = shortened(
        legend.names, inches, max(n_lines, 1), smallest, start=legend.start, ends=legend.ends
    )
    return replace(found, names=names)


def _without_names(legend: CurveLegend, room: Room, size: float) -> tuple[CurveLegend, float, int]:
    """Return a legend without names, and the width in inches and the lines of its entries."""
    found = replace(legend, names=(), font_size=size)
    beside, below = found.beside_and_below()
    axes_width = max(_AXES_WIDTH * room.across, room.axes_area / max(room.down - below, 0.1))
    inches = room.across - beside - axes_width - em(size, _HANDLE)
    (title,) = wrapped([legend.title], inches + em(size, _HANDLE - 1), size)
    found = replace(found, title=title)
    # The rest of the height, with the gaps between the names.
    rest = room.down - found.size()[1] - em(size, _GAP * len(legend.names))
    n_lines = int(rest / (_ON_SCREEN * height(["x"], size)) / len(legend.names))
    return found, inches, min(n_lines, _MOST_LINES)


def draw_legend(ax: Any, handles: Sequence[Any], legend: CurveLegend) -> Any:
    """Draw the legend to the right of the axes."""
    drawn = ax.legend(
        handles,
        legend.entries,
        title=legend.title,
        loc="upper left",
        bbox_to_anchor=(1, 1),
        alignment="left",
        fontsize=legend.font_size,
        title_fontsize=legend.font_size,
        handlelength=2.2,
        handletextpad=0.5,
        **LEGEND_OPTIONS,
    )
    for text in drawn.get_texts():
        text.set_parse_math(False)
    return drawn
