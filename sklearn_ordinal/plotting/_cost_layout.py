"""The layout of matrices side by side, one for each criterion, within a single pair of axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import numpy as np

from sklearn_ordinal.plotting._layout import check_axes, new_axes, room, shrink, size_in_inches
from sklearn_ordinal.plotting._legend_above import around_panels, n_legend_columns
from sklearn_ordinal.plotting._text import (
    NAME_WIDTH,
    attempts,
    default_font_size,
    em,
    fitted,
    font_scale,
    height,
    n_lines_in,
    one_line,
    shortened,
    smallest_font_size,
    width,
)

# In inches: the least side of a panel in small axes.
_SMALLEST_SIDE = 0.01
# In font sizes: the gaps between panels, and below titles.
_BETWEEN, _BELOW = 0.8, 0.3
# In inches: between panels and names, and for new figures at a font size of ten points the sides
# of cells and the smallest side of panels.
_GAP, _NEW_CELL, _NEW_SIDE = 5 / 72, 0.36, 1.7
_MOST_LINES = 3
# The largest shares of the width and the height that names take.
_NAMES_ACROSS, _NAMES_DOWN, _TITLES = 0.24, 0.2, 0.35


@dataclass(frozen=True)
class CostLayout:
    """The texts of a plot, broken into lines, and where they are.

    Of the rows and the columns, every `row_step`-th and `column_step`-th has its name.
    """

    rows: Sequence[str]
    columns: Sequence[str]
    titles: Sequence[str]
    key: Sequence[str]
    is_vertical: bool = False
    row_step: int = 1
    column_step: int = 1
    font_size: float = 10.0
    n_columns: int = 1
    n_legend_columns: int = 1

    @property
    def n_rows(self) -> int:
        """Number of rows of panels."""
        return -(-len(self.titles) // self.n_columns)

    def around(self) -> tuple[float, float]:
        """Return the width and height in inches of the labels and the legend."""
        return around_panels(self.key, self.n_legend_columns, self.font_size)

    def names(self) -> tuple[float, float]:
        """Return the width of the names of rows and the height of those of columns in inches."""
        measure = width if self.is_vertical else height
        return (
            width(self.rows, self.font_size) + _GAP,
            measure(self.columns, self.font_size) + _GAP,
        )

    def title_height(self) -> float:
        """Return the height in inches of the titles of a row of panels."""
        return height(self.titles, self.font_size) + em(self.font_size, _BELOW)

    def pitch(self, across: float, down: float) -> tuple[float, float]:
        """Return the inches from a panel to the next one, across and down, in a frame."""
        (left, bottom), gap = self.names(), em(self.font_size, _BETWEEN)
        return (across - left + gap) / self.n_columns, (down - bottom + gap) / self.n_rows

    def side(self, across: float, down: float) -> tuple[float, float]:
        """Return the width and height of a panel in inches in a frame of this size."""
        (beside, below), gap = self.pitch(across, down), em(self.font_size, _BETWEEN)
        sides = beside - gap, below - gap - self.title_height()
        # Axes that are smaller than their texts still have panels.
        return max(_SMALLEST_SIDE, sides[0]), max(_SMALLEST_SIDE, sides[1])


def cost_layout_of_plot(
    ax: Any, names: Sequence[str], titles: Sequence[str], *, key: Sequence[str]
) -> tuple[Any, CostLayout]:
    """Return axes and the texts of the panels in them, in a font size that fits the axes.

    The rows and the columns of each panel have the same names, and `key` are the entries of the
    legend.
    """
    names = [one_line(name) for name in names]
    layout = CostLayout(names, names, [one_line(title) for title in titles], key)
    if ax is None:
        return _on_new_axes(layout)
    check_axes(ax)
    place = room(ax)
    return ax, _fitted_layout(layout, place.across, place.down)


def _on_new_axes(layout: CostLayout) -> tuple[Any, CostLayout]:
    size, n_classes, n_panels = default_font_size(), len(layout.rows), len(layout.titles)
    scale = font_scale()
    side = max(_NEW_CELL * n_classes, _NEW_SIDE) * scale
    limit = em(size, NAME_WIDTH)
    n_columns = ceil(n_panels**0.5)
    rows = shortened(layout.rows, limit, n_lines_in(side / n_classes, size) or 1, size)
    layout = replace(layout, rows=rows, font_size=size, n_columns=n_columns)
    layout = _with_columns(layout, side / n_classes, limit)
    titles = shortened(layout.titles, side, _MOST_LINES, size)
    layout = replace(layout, titles=titles)
    left, bottom = layout.names()
    gap = em(size, _BETWEEN)
    across = n_columns * (side + gap) - gap + left
    across = max(across, width(layout.key, size) + em(size, 4))
    layout = replace(layout, n_legend_columns=n_legend_columns(layout.key, across, size))
    down = layout.n_rows * (side + gap + layout.title_height()) - gap + bottom
    beside, below = layout.around()
    return new_axes(across + beside + 0.1, down + below + 0.1), layout


def _with_columns(layout: CostLayout, cell: float, limit: float) -> CostLayout:
    """Return a layout whose columns have horizontal names if all fit the cells in one line."""
    names, size = layout.columns, layout.font_size
    columns = fitted(names, 0.96 * cell, 1, size, n_kept=None)
    if columns is not None:
        return replace(layout, columns=columns)
    return replace(layout, columns=shortened(names, limit, 1, size), is_vertical=True)


def _fitted_layout(layout: CostLayout, across: float, down: float) -> CostLayout:
    """Return a layout with the largest texts for which every class has a name."""
    for size, n_kept, _ in attempts():
        choices = [
            _of_size(layout, across, down, size, n_columns, n_kept)
            for n_columns in range(1, len(layout.titles) + 1)
        ]
        fitting = [found for found in choices if found is not None]
        if fitting:
            return max(fitting, key=lambda found: min(found.side(across, down)))
    return _thinned(layout, across, down)


def _of_size(
    layout: CostLayout, across: float, down: float, size: float, n_columns: int, n_kept: int | None
) -> CostLayout | None:
    """Return a layout with a font size and columns of panels, None if texts do not fit."""
    layout, limits = _with_limits(layout, across, down, size, n_columns)
    panel = _side_within(layout, across, down, limits)
    cell = np.divide(panel, len(layout.rows))
    line = height(["x"], size)
    if cell[1] < line or panel[1] < em(size, 2.5):
        return None
    rows = fitted(layout.rows, limits[0], n_lines_in(0.9 * cell[1], size) or 1, size, n_kept=n_kept)
    columns = fitted(layout.columns, 0.96 * cell[0], 1, size, n_kept=None)
    is_vertical = columns is None
    if is_vertical:
        if cell[0] < line:
            return None
        columns = fitted(
            layout.columns, limits[1], n_lines_in(0.9 * cell[0], size) or 1, size, n_kept=n_kept
        )
    n_lines = min(1 + int(_TITLES * panel[1] / line), _MOST_LINES)
    titles = fitted(layout.titles, panel[0], n_lines, size, n_kept=n_kept)
    if rows is None or columns is None or titles is None:
        return None
    return replace(layout, rows=rows, columns=columns, titles=titles, is_vertical=is_vertical)


def _thinned(layout: CostLayout, across: float, down: float) -> CostLayout:
    """Return a layout with the smallest texts, in which some classes may have no name."""
    choices = []
    for n_columns in range(1, len(layout.titles) + 1):
        sized, limits = _with_limits(layout, across, down, smallest_font_size(), n_columns)
        choices.append((_side_within(sized, across, down, limits), n_columns, sized, limits))
    panel, _, layout, limits = max(choices, key=lambda choice: min(choice[0]))
    size, cell = layout.font_size, np.maximum(panel, _SMALLEST_SIDE) / len(layout.rows)
    columns = shortened(layout.columns, limits[1], 1, size)
    line, widest = height(["x"], size), width(columns, size)
    is_vertical = widest > line
    return replace(
        layout,
        rows=shortened(layout.rows, limits[0], 1, size),
        columns=columns,
        titles=shortened(layout.titles, panel[0], 1, size),
        is_vertical=is_vertical,
        column_step=ceil((line if is_vertical else 1.2 * widest) / cell[0]),
        row_step=ceil(line / cell[1]),
    )


def _with_limits(
    layout: CostLayout, across: float, down: float, size: float, n_columns: int
) -> tuple[CostLayout, tuple[float, float]]:
    """Return a layout with a font size, and the most inches that names of classes take."""
    n_legend = n_legend_columns(layout.key, across, size)
    layout = replace(layout, font_size=size, n_columns=n_columns, n_legend_columns=n_legend)
    longest = em(size, NAME_WIDTH)
    return layout, (min(longest, _NAMES_ACROSS * across), min(longest, _NAMES_DOWN * down))


def _side_within(
    layout: CostLayout, across: float, down: float, names: tuple[float, float]
) -> tuple[float, float]:
    """Return the least width and height of a panel, with a title of one line."""
    beside, below = layout.around()
    size, gap = layout.font_size, em(layout.font_size, _BETWEEN)
    return (
        (across - beside - names[0] - _GAP + gap) / layout.n_columns - gap,
        (down - below - names[1] - _GAP + gap) / layout.n_rows - gap - em(size, _BELOW + 1.2),
    )


def draw_cost_panel(ax: Any, layout: CostLayout, place: int) -> Any:
    """Return the axes of a panel with its title and the names of classes at the edges."""
    size, frame, (left, _) = layout.font_size, size_in_inches(ax), layout.names()
    n_classes, side, (across, down) = len(layout.rows), layout.side(*frame), layout.pitch(*frame)
    row, column = divmod(place, layout.n_columns)
    corner = left + column * across, frame[1] - row * down - layout.title_height() - side[1]
    panel = ax.inset_axes(np.divide([*corner, *side], [*frame, *frame]).tolist())
    panel.set_title(
        layout.titles[place], fontsize=size, pad=72 * em(size, _BELOW), parse_math=False
    )
    shrink([panel.title], across, np.inf)
    if place + layout.n_columns >= len(layout.titles):
        places = range(0, n_classes, layout.column_step)
        rotation = "vertical" if layout.is_vertical else "horizontal"
        names = [layout.columns[k] for k in places]
        panel.set_xticks(places, names, rotation=rotation, parse_math=False)
    else:
        panel.set_xticks([])
    places = range(0, n_classes, layout.row_step) if column == 0 else range(0)
    panel.set_yticks(places, [layout.rows[k] for k in places], parse_math=False)
    panel.tick_params(length=0, labelsize=size)
    panel.grid(visible=False)
    return panel
