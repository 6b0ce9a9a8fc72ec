"""The layout of small panels, one for each threshold, within a single pair of axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sklearn_ordinal.plotting._layout import (
    check_axes,
    keep_titles_above,
    new_axes,
    room,
    settle,
    shrink,
    size_in_inches,
)
from sklearn_ordinal.plotting._legend_above import (
    around_panels,
    center_legend,
    draw_legend_above,
    n_legend_columns,
)
from sklearn_ordinal.plotting._text import (
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
)

# In inches: the side of a panel in a new figure at a font size of ten points, and the ticks.
_NEW_SIDE, _TICKS = 1.7, 6 / 72
# In font sizes: the gaps between panels, across and down, and below titles.
_ACROSS, _DOWN, _BELOW = 1.4, 0.7, 0.3
_MOST_LINES = 3
# The largest share of the height of a panel that more lines of its title take.
_MORE_LINES = 0.3
_LIMITS = (-0.02, 1.02)
_MOST_PASSES = 12


@dataclass(frozen=True)
class Panels:
    """Titles of panels in rows and columns, broken into lines, and their common font size.

    `start` and `end` surround the name of each panel in its title, and `key` are the entries of the
    legend.
    """

    names: Sequence[str]
    start: str
    end: str
    key: Sequence[str]
    labels: tuple[str, str]
    font_size: float = 10.0
    n_columns: int = 1
    n_legend_columns: int = 1

    @property
    def n_rows(self) -> int:
        """Number of rows of panels."""
        return -(-len(self.names) // self.n_columns)

    def around(self) -> tuple[float, float]:
        """Return the width and height in inches of the labels and the legend."""
        return around_panels(self.key, self.n_legend_columns, self.font_size)

    def ticks(self) -> tuple[float, float]:
        """Return the width and height in inches of the tick labels left of and below panels."""
        size = self.font_size
        return width(["0.5"], size) + _TICKS, em(size, 1.3 - _DOWN) + _TICKS

    def title_height(self) -> float:
        """Return the height in inches of the titles of a row of panels."""
        return height(self.names, self.font_size) + em(self.font_size, _BELOW)


def panels_of_plot(
    ax: Any,
    names: Sequence[str],
    *,
    start: str,
    end: str,
    key: Sequence[str],
    labels: tuple[str, str],
) -> tuple[Any, Panels]:
    """Return axes and the titles of the panels in them, in a font size that fits the axes."""
    names = [one_line(name) for name in names]
    panels = Panels(names, start, end, key, labels)
    if ax is not None:
        check_axes(ax)
        place = room(ax)
        return ax, _fitted_panels(panels, place.across, place.down)
    size, side = default_font_size(), _NEW_SIDE * font_scale()
    n_columns = int(np.ceil(np.sqrt(len(names))))
    panels = replace(panels, font_size=size, n_columns=n_columns)
    ends = [end] * len(names)
    found = shortened(names, side, _MOST_LINES, size, start=start, ends=ends)
    left, bottom = panels.ticks()
    across = n_columns * (side + em(size, _ACROSS)) + left
    across = max(across, width(key, size) + em(size, 4))
    panels = replace(panels, names=found, n_legend_columns=n_legend_columns(key, across, size))
    down = panels.n_rows * (side + em(size, _DOWN) + panels.title_height()) + bottom
    beside, below = panels.around()
    return new_axes(across + beside + 0.1, down + below + 0.1), panels


def _fitted_panels(panels: Panels, across: float, down: float) -> Panels:
    """Return panels with the largest titles that leave enough room for what is below them."""
    ends = [panels.end] * len(panels.names)
    for size, n_kept, _ in attempts():
        found = _of_size(panels, across, down, size)
        inches, n_lines = _room_of_titles(found, across, down)
        names = fitted(
            panels.names, inches, n_lines, size, n_kept=n_kept, start=panels.start, ends=ends
        )
        if n_lines and names is not None:
            return replace(found, names=names)
    found = _of_size(panels, across, down, smallest_font_size())
    inches, _ = _room_of_titles(found, across, down)
    names = shortened(panels.names, inches, 2, found.font_size, start=panels.start, ends=ends)
    return replace(found, names=names)


def _of_size(panels: Panels, across: float, down: float, size: float) -> Panels:
    """Return panels with a font size, in as many columns as make them largest."""
    n_legend = n_legend_columns(panels.key, across, size)
    choices = [
        replace(panels, font_size=size, n_columns=n_columns, n_legend_columns=n_legend)
        for n_columns in range(1, len(panels.names) + 1)
    ]
    return max(choices, key=lambda found: min(_side(found, across, down)))


def _side(panels: Panels, across: float, down: float) -> tuple[float, float]:
    """Return the width and height of a panel without its title in inches."""
    (beside, below), (left, bottom) = panels.around(), panels.ticks()
    size = panels.font_size
    return (
        (across - beside - left) / panels.n_columns - em(size, _ACROSS),
        (down - below - bottom) / panels.n_rows - em(size, _DOWN + 1.2 + _BELOW),
    )


def _room_of_titles(panels: Panels, across: float, down: float) -> tuple[float, int]:
    """Return the width in inches and the number of lines that the name of a panel can have."""
    panel = _side(panels, across, down)
    size = panels.font_size
    n_lines = 1 + int(max(_MORE_LINES * panel[1], 0) / height(["x"], size))
    inches = panel[0] + em(size, 0.6 * _ACROSS)
    return inches, min(n_lines, _MOST_LINES) if panel[1] > em(size, 2.5) else 0


def draw_panels(ax: Any, panels: Panels, handles: Sequence[Any]) -> list[Any]:
    """Turn axes into a frame with labels and a legend, and return the axes of the panels in it."""
    draw_frame(
        ax,
        panels.labels,
        handles,
        panels.key,
        n_legend_columns=panels.n_legend_columns,
        font_size=panels.font_size,
    )
    return [_draw_panel(ax, panels, place) for place in range(len(panels.names))]


def draw_frame(
    ax: Any,
    labels: tuple[str, str],
    handles: Sequence[Any],
    key: Sequence[str],
    *,
    n_legend_columns: int,
    font_size: float,
) -> None:
    """Turn axes into a frame for panels, with labels and a legend above it."""
    ax.set(xticks=[], yticks=[])
    ax.grid(visible=False, which="both")
    ax.set_axisbelow(True)
    ax.patch.set_visible(False)
    ax.spines[:].set_visible(False)
    ax.set_xlabel(labels[0], fontsize=font_size)
    ax.set_ylabel(labels[1], fontsize=font_size)
    legend = draw_legend_above(
        ax,
        handles,
        key,
        n_columns=n_legend_columns,
        font_size=font_size,
        handle_length=1.6,
        handle_gap=0.5,
    )
    settle(ax)
    # Each pass of the constrained layout widens axes below a wide legend a little.
    for _ in range(_MOST_PASSES):
        width_before = ax.get_window_extent().width
        left, right = ax.yaxis.get_tightbbox().x0, ax.get_window_extent().x1
        center_legend(ax, legend, left, right)
        settle(ax)
        if abs(ax.get_window_extent().width - width_before) < 1:
            break
    keep_titles_above(ax, legend)
    settle(ax)


def _draw_panel(ax: Any, panels: Panels, place: int) -> Any:
    size, frame, (left, bottom) = panels.font_size, size_in_inches(ax), panels.ticks()
    across = (frame[0] - left) / panels.n_columns
    down = (frame[1] - bottom) / panels.n_rows
    side = across - em(size, _ACROSS), down - em(size, _DOWN) - panels.title_height()
    row, column = divmod(place, panels.n_columns)
    corner = left + column * across, frame[1] - (row + 1) * down + em(size, _DOWN)
    panel = ax.inset_axes(np.divide([*corner, *side], [*frame, *frame]).tolist())
    panel.set_title(panels.names[place], fontsize=size, pad=72 * em(size, _BELOW), parse_math=False)
    shrink([panel.title], across, np.inf)
    panel.set(xlim=_LIMITS, ylim=_LIMITS)
    texts = ["0", "0.5" if side[0] > em(size, 5) else "", "1"]
    has_panel_below = place + panels.n_columns < len(panels.names)
    panel.set_xticks([0, 0.5, 1], [""] * 3 if has_panel_below else texts)
    panel.set_yticks([0, 0.5, 1], texts if column == 0 else [""] * 3)
    panel.tick_params(labelsize=size, pad=2, length=2.5)
    panel.grid(visible=False, which="both")
    panel.set_axisbelow(True)
    return panel
