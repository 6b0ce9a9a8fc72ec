"""Small panels in rows and columns within a single pair of axes.

The axes are an invisible frame that has the labels, the names at the edges and the legend, so
that matplotlib lays out these texts. The panels are inset axes that divide the frame evenly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, sqrt
from typing import Any

import numpy as np

from sklearn_ordinal.plotting._fitted_names import fitted_names, longest_line, most_lines
from sklearn_ordinal.plotting._layout import (
    SMALLEST,
    WIDEST,
    Key,
    Room,
    axes_room,
    check_axes,
    draw_legend_above,
    key_above,
    leave_room,
    new_axes,
)

# Gaps between panels, below panels, and below their titles, as multiples of the font size.
_ACROSS, _DOWN, _BELOW_TITLE = 1.4, 0.8, 0.6
# Height of an axis label with its gaps, in lines of text.
_LABEL = 1.8
_MOST_LINES = 3
# Names at the edges take at most these shares of the width and the height of a plot.
_NAMES_ACROSS, _NAMES_DOWN = 0.3, 0.28
# Further lines of a title take at most this share of the height of a panel.
_MORE_LINES = 0.3
# The smallest number of characters to which names in titles are shortened.
_SHORTEST = 10
# The smallest side of a panel as a share of the frame.
_SMALLEST_SIDE = 0.02
# Texts have a size of ten points if the narrower side of a panel has at least this length in
# inches.
_COMFORTABLE_SIDE = 1.3
# Titles must not overlap their neighbours, so their characters are assumed to be wide.
_WIDE = 1.2
# Part of the gap between panels that titles of large panels may use, as a multiple of the font
# size.
_INTO_GAP = 0.5


@dataclass(frozen=True)
class Panels:
    """The positions of panels in their frame, and titles that are wrapped to the width of a panel.

    `edges` are the inches that names need to the left of the frame and below it.
    """

    room: Room
    titles: Sequence[str]
    n_columns: int
    key: Key
    edges: tuple[float, float]

    @property
    def n_rows(self) -> int:
        """Number of rows of panels."""
        return ceil(len(self.titles) / self.n_columns)

    def frame(self) -> tuple[float, float]:
        """Return the approximate width and height of the frame in inches."""
        room, (left, bottom) = self.room, self.edges
        label, key = room.text_height(_LABEL), room.text_height(self.key.n_lines)
        width, height = room.width - label - left, room.height - label - bottom - key
        return max(width, 0.2 * room.width), max(height, 0.2 * room.height)

    def free_side(self) -> tuple[float, float]:
        """Return the width and height left for a panel as shares of the frame; may be negative."""
        width, height = self.frame()
        across, down = self.gaps()
        return (
            (1 + across / width) / self.n_columns - across / width,
            (1 + down / height) / self.n_rows - (down + self.title()) / height,
        )

    def side(self) -> tuple[float, float]:
        """Return the width and height of a panel as shares of the frame."""
        across, down = self.free_side()
        return max(across, _SMALLEST_SIDE), max(down, _SMALLEST_SIDE)

    def gaps(self) -> tuple[float, float]:
        """Return the horizontal and vertical gaps between panels in inches."""
        return self.room.inches(_ACROSS), self.room.inches(_DOWN)

    def title(self) -> float:
        """Return the height of the titles in inches."""
        return self.room.text_height(most_lines(self.titles)) + self.room.inches(_BELOW_TITLE)

    def side_in_inches(self) -> tuple[float, float]:
        """Return the approximate width and height of a panel in inches."""
        (width, height), (across, down) = self.frame(), self.side()
        return width * across, height * down

    def corner(self, place: int) -> tuple[float, float]:
        """Return the lower left corner of a panel as shares of the frame."""
        row, column = divmod(place, self.n_columns)
        (width, height), (across, down), gaps = self.frame(), self.side(), self.gaps()
        step_across = across + gaps[0] / width
        step_down = down + (gaps[1] + self.title()) / height
        return column * step_across, 1 - self.title() / height - down - row * step_down


def axes_with_panels(
    ax: Any,
    names: Sequence[str],
    *,
    start: str = "",
    end: str = "",
    key: Sequence[str],
    edges: tuple[int, int],
    side: float,
) -> tuple[Any, Panels]:
    """Return axes, and the positions of the panels in them.

    In the titles of the panels, names are between `start` and `end`. If `ax` is None, the axes
    belong to a new figure whose panels have sides of `side` inches, as far as the width of the
    figure allows. `edges` are the numbers of characters of the names to the left of the panels
    and below them.
    """
    if ax is not None:
        check_axes(ax)
        return ax, _in_room(axes_room(ax), names, start, end, key, edges)
    n_columns = ceil(sqrt(len(names)))
    n_rows = ceil(len(names) / n_columns)
    room = Room(WIDEST, 1.0, 10.0)
    left, bottom = (room.text_width(n_characters) for n_characters in edges)
    label, gap = room.text_height(_LABEL), room.inches(_ACROSS)
    side = min(side, (WIDEST - label - left) / n_columns - gap)
    width = max(n_columns * (side + gap) + label + left, 3.6)
    titles = fitted_names(
        names, _title_characters(room, side), _MOST_LINES, start=start, ends=[end] * len(names)
    )
    legend = key_above(key, replace(room, width=width))
    height = n_rows * (
        side + room.inches(_DOWN + _BELOW_TITLE) + room.text_height(most_lines(titles))
    )
    height += bottom + label + room.text_height(legend.n_lines) + 0.1
    ax, room = new_axes(width, height)
    return ax, _in_room(room, names, start, end, key, edges, n_columns)


def _in_room(
    room: Room,
    names: Sequence[str],
    start: str,
    end: str,
    key: Sequence[str],
    edges: tuple[int, int],
    n_columns: int | None = None,
) -> Panels:
    """Return panels in the number of columns that makes them largest, with a suitable font size."""
    if n_columns is not None:
        return _in_columns(room, names, start, end, key, edges, n_columns)
    smallest = replace(room, font_size=min(SMALLEST, room.font_size))
    best = max(
        (
            _in_columns(smallest, names, start, end, key, edges, choice)
            for choice in range(1, len(names) + 1)
        ),
        key=_size,
    )
    size = min(room.font_size, 10 * _size(best) / _COMFORTABLE_SIDE)
    room = replace(room, font_size=max(size, min(SMALLEST, room.font_size)))
    return _in_columns(room, names, start, end, key, edges, best.n_columns)


def _in_columns(
    room: Room,
    names: Sequence[str],
    start: str,
    end: str,
    key: Sequence[str],
    edges: tuple[int, int],
    n_columns: int,
) -> Panels:
    """Return panels in columns, with their titles."""
    left = min(room.reserved_width(edges[0]), _NAMES_ACROSS * room.width)
    bottom = min(room.reserved_width(edges[1]), _NAMES_DOWN * room.height)
    legend = key_above(key, room)
    panels = Panels(room, ["x"] * len(names), n_columns, legend, (left, bottom))
    width, height = panels.side_in_inches()
    n_characters = _title_characters(room, width)
    n_lines = 1 + int(_MORE_LINES * height / room.text_height(1))
    # The shortest names may also need more lines.
    n_lines = max(n_lines, ceil(len(f"{start}{end}") / n_characters + _SHORTEST / n_characters))
    titles = fitted_names(
        names,
        n_characters,
        min(n_lines, _MOST_LINES),
        start=start,
        ends=[end] * len(names),
        shortest=_SHORTEST,
    )
    return replace(panels, titles=titles)


def _title_characters(room: Room, width: float) -> int:
    """Return the number of characters of a title that fit into a line above a panel."""
    is_small = width * 10 < _COMFORTABLE_SIDE * room.font_size
    return room.n_characters((width if is_small else width + room.inches(_INTO_GAP)) / _WIDE)


def _size(panels: Panels) -> float:
    """Return the smaller side of a panel in inches; if there are titles, the width counts more.

    If a title is wider than its panel, its excess width counts twice, because the title then comes
    close to the neighbouring titles.
    """
    width, height = np.multiply(panels.frame(), panels.free_side()).tolist()
    too_wide = longest_line(panels.titles) / _title_characters(panels.room, width)
    return float(min(width / max(1.0, too_wide) ** 2, 1.5 * height))


def draw_panels(
    ax: Any, panels: Panels, handles: Sequence[Any], labels: tuple[str, str]
) -> list[Any]:
    """Turn axes into a frame with labels and a legend, and return the panels in it."""
    size = panels.room.font_size
    ax.set(xlim=(0, 1), ylim=(0, 1), xticks=[], yticks=[])
    ax.grid(visible=False, which="both")
    ax.set_axisbelow(True)
    ax.patch.set_visible(False)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0, labelsize=size)
    ax.set_xlabel(labels[0], fontsize=size)
    ax.set_ylabel(labels[1], fontsize=size)
    label, (left, bottom) = panels.room.text_height(_LABEL), panels.edges
    corner = leave_room(
        ax,
        left=left + label,
        bottom=bottom + label,
        top=panels.room.text_height(panels.key.n_lines),
    )
    draw_legend_above(ax, handles, panels.key, panels.room, corner)
    axes = []
    for place, title in enumerate(panels.titles):
        panel = ax.inset_axes([*panels.corner(place), *panels.side()], transform=ax.transData)
        panel.set_title(title, fontsize=size, pad=_BELOW_TITLE * size, parse_math=False)
        panel.grid(visible=False, which="both")
        panel.set_axisbelow(True)
        panel.set(xticks=[], yticks=[])
        axes.append(panel)
    return axes


def label_edges(
    ax: Any,
    panels: Panels,
    axes: Sequence[Any],
    across: Mapping[float, str],
    down: Mapping[float, str],
    *,
    rotation: str = "horizontal",
) -> None:
    """Label positions along the left edge and the lower edge of the panels.

    The labels belong to the frame. Only panels that have no panel below them and are not in the
    last row have their own labels.
    """
    n_columns, n_last = panels.n_columns, panels.n_columns * (panels.n_rows - 1)
    for panel in axes[max(0, len(axes) - n_columns) : n_last]:
        panel.set_xticks([*across], [*across.values()], rotation=rotation, parse_math=False)
        panel.tick_params(axis="x", labelsize=panels.room.font_size)
    xticks: dict[float, str] = {}
    yticks: dict[float, str] = {}
    for place in range(n_last, len(axes)):
        start, length = panels.corner(place)[0], panels.side()[0]
        xticks |= _within(start, length, axes[place].get_xlim(), across)
    for place in range(0, len(axes), n_columns):
        start, length = panels.corner(place)[1], panels.side()[1]
        yticks |= _within(start, length, axes[place].get_ylim(), down)
    ax.set_xticks([*xticks], [*xticks.values()], rotation=rotation, parse_math=False)
    ax.set_yticks([*yticks], [*yticks.values()], parse_math=False)


def _within(
    start: float, length: float, limits: tuple[float, float], labels: Mapping[float, str]
) -> dict[float, str]:
    """Return labels by their position in the frame, for an axis that covers a part of the frame."""
    scale = length / (limits[1] - limits[0])
    return {start + scale * (place - limits[0]): label for place, label in labels.items()}
