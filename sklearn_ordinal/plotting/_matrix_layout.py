"""The layout of a matrix with named rows and columns and a legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from sklearn_ordinal.plotting._fitted_names import (
    LONGEST_LINE,
    SHORTEST_NAME,
    fitted_names,
    longest_line,
    most_lines,
    one_line,
)
from sklearn_ordinal.plotting._layout import (
    MOST_NAMED,
    SMALLEST,
    SMALLEST_VALUE,
    WIDEST,
    Key,
    Room,
    axes_room,
    check_axes,
    draw_legend_above,
    key_above,
    leave_room,
    name_step,
    new_axes,
)
from sklearn_ordinal.plotting._style import GRID, LEGEND_OPTIONS

# Names take at most these shares of the width and the height of a plot.
_NAMES_ACROSS, _NAMES_DOWN = 0.22, 0.24
# Height of an axis label with its gaps, in lines of text.
_LABEL = 1.8
# A matrix beside a legend takes at least this share of the width of a plot.
_BESIDE_LEGEND = 0.5
# Sides of cells and matrices in new figures, in inches at a font size of ten points.
_SMALLEST_CELL, _SMALLEST_MATRIX, _LARGEST_MATRIX = 0.42, 3.0, 6.0
_MOST_LINES = 4
# Horizontal names must not overlap their neighbours, so their characters are assumed to be wide.
_WIDE = 1.2

Rotation = Literal["horizontal", "vertical"]


@dataclass(frozen=True)
class Matrix:
    """The names of a matrix, wrapped for the room of its axes, and its legend.

    `key` is the legend above the matrix. It has no entries if the legend is to the right of the
    matrix, where the legend takes `legend_width` inches. The names of the columns take `below`
    inches. There is room for `n_beside` columns to the right of the matrix. `cell` is the
    approximate width and height of a cell in inches. Every `step`-th row and column is named.
    """

    room: Room
    rows: Sequence[str]
    columns: Sequence[str]
    rotation: Rotation
    key: Key
    legend_width: float
    below: float
    n_beside: float
    cell: tuple[float, float]
    step: int


def axes_with_matrix(
    ax: Any,
    names: Sequence[str],
    *,
    rotation: Rotation | None,
    content: str,
    key: Sequence[str],
    unit: str,
    n_beside: float = 0.0,
    is_scale: bool = False,
) -> tuple[Any, Matrix]:
    """Return axes for a matrix, and the names of its rows and columns.

    If `ax` is None, the axes belong to a new figure in which cells are roughly square and, as
    far as its width allows, large enough for `content`. `n_beside` is the number of columns
    that are left free to the right of the matrix, and `unit` is the title of the legend. If the
    names are the many classes of a scale, only some of them are written where all would be small.
    """
    names = [one_line(name) for name in names]
    may_thin = is_scale and len(names) > MOST_NAMED
    if ax is None:
        ax, room = _new_axes(names, content, key, unit, n_beside, may_thin=may_thin)
        return ax, _in_room(room, names, rotation, key, unit, n_beside, may_thin=may_thin)
    check_axes(ax)
    room = axes_room(ax, n_lines=len(names) + 2 * _LABEL)
    matrix = _in_room(room, names, rotation, key, unit, n_beside, may_thin=may_thin)
    if matrix.step > 1:
        # A few names, and the legend, need not be small.
        room = axes_room(ax)
        matrix = _in_room(room, names, rotation, key, unit, n_beside, may_thin=may_thin)
    return ax, matrix


def _new_axes(
    names: Sequence[str],
    content: str,
    key: Sequence[str],
    unit: str,
    n_beside: float,
    *,
    may_thin: bool,
) -> tuple[Any, Room]:
    """Return the axes of a new figure in which cells are roughly square."""
    room, n_classes = Room(WIDEST, 1.0, 10.0), len(names)
    rows = fitted_names(names, LONGEST_LINE, 2)
    labels = room.text_width(longest_line(rows)) + room.text_height(_LABEL)
    cell = max(
        _SMALLEST_CELL,
        _SMALLEST_MATRIX / n_classes,
        1.2 * room.text_width(longest_line([content])),
        room.text_height(1 + most_lines([content])),
    )
    legend = _legend_width(room, key, unit)
    n_across = n_classes + n_beside
    if labels + cell * n_across + legend > WIDEST:
        # If only some of the names are written, texts are not small, and the legend needs its room.
        is_beside = may_thin and WIDEST - labels - legend >= _BESIDE_LEGEND * WIDEST
        legend = legend if is_beside else 0.0
    cell = min(cell, (WIDEST - labels - legend) / n_across, _LARGEST_MATRIX / n_classes)
    columns = fitted_names(names, LONGEST_LINE)
    is_horizontal = room.text_width(_WIDE * longest_line(columns)) < cell
    below = room.text_height(1) if is_horizontal else room.text_width(longest_line(columns))
    above = 0.0 if legend or not key else room.text_height(2.5 + most_lines([unit]))
    height = cell * n_classes + below + room.text_height(_LABEL) + above
    return new_axes(labels + cell * n_across + legend + 0.2, height + 0.1)


def _legend_width(room: Room, key: Sequence[str], unit: str) -> float:
    """Return the width in inches of a legend beside the matrix."""
    if not key:
        return 0.0
    return max(
        room.reserved_width(longest_line(key)) + room.inches(3),
        room.reserved_width(longest_line([unit])),
    )


def _in_room(
    room: Room,
    names: Sequence[str],
    rotation: Rotation | None,
    key: Sequence[str],
    unit: str,
    n_beside: float,
    *,
    may_thin: bool,
) -> Matrix:
    """Return the names of rows and columns, wrapped and shortened to fit the room."""
    n_classes, legend = len(names), _legend_width(room, key, unit)
    # Names take a share of the width, or the width that large cells leave free.
    cells = _SMALLEST_CELL * room.font_size / 10 * (n_classes + n_beside)
    limit = max(_NAMES_ACROSS * room.width, room.width - room.text_height(_LABEL) - legend - cells)
    n_characters = min(LONGEST_LINE, max(SHORTEST_NAME, room.n_characters(limit)))
    longest = min(longest_line(names), n_characters)
    across = room.width - room.reserved_width(longest) - room.text_height(_LABEL)
    entries = Key(())
    if across - legend >= _BESIDE_LEGEND * room.width:
        across -= legend
    elif key:
        entries, legend = key_above(key, room, unit), 0.0
    cell = across / (n_classes + n_beside)
    # Vertical names of narrow columns, and names of low rows, have a single line.
    rows_height = room.height - room.text_height(_LABEL + entries.n_lines)
    lowest = 0.7 * rows_height / n_classes / room.reserve
    size, step, n_lines = 72 * min(cell, lowest) / 1.2, 1, _MOST_LINES
    if may_thin and size < SMALLEST:
        # In a single line, the first and last names do not reach beyond the matrix.
        step, n_lines = name_step(min(cell, lowest), room.font_size), 1
    else:
        room = replace(room, font_size=min(room.font_size, max(size, SMALLEST_VALUE)))
    if entries.entries:
        entries = key_above(key, room, unit)
    limit = _NAMES_DOWN * room.height
    name_width = step * cell
    n_characters_across = room.n_characters(name_width / _WIDE)
    columns = fitted_names(
        names,
        n_characters_across,
        room.n_lines(limit) if step == 1 else 1,
        shortest=min(n_characters_across, SHORTEST_NAME),
        breaks_words=rotation == "horizontal",
    )
    is_complete = not any("…" in column for column in columns)
    if rotation is None:
        fits = is_complete and _WIDE * room.text_width(longest_line(columns)) <= name_width
        rotation = "horizontal" if fits else "vertical"
    if rotation == "vertical":
        n_down = min(LONGEST_LINE, max(SHORTEST_NAME, room.n_characters(limit)))
        columns = fitted_names(names, n_down, min(room.n_lines(0.9 * name_width), n_lines))
        below = room.reserved_width(longest_line(columns))
    else:
        below = room.text_height(most_lines(columns))
    down = room.height - below - room.text_height(_LABEL + entries.n_lines)
    down = max(down, 0.2 * room.height) / n_classes
    rows = fitted_names(names, n_characters, min(room.n_lines(down), n_lines))
    sides = cell, down
    return Matrix(room, rows, columns, rotation, entries, legend, below, n_beside, sides, step)


def label_matrix(
    ax: Any,
    matrix: Matrix,
    *,
    labels: tuple[str, str] = ("", ""),
    ticks: dict[float, str] | None = None,
) -> tuple[float, float]:
    """Set the limits, name the axes, rows and columns, and return the upper right corner.

    The corner is given as shares of the axes. `ticks` are further ticks on the horizontal axis.
    """
    ticks = ticks or {}
    room, positions = matrix.room, range(0, len(matrix.rows), matrix.step)
    edge = len(matrix.rows) - 0.5
    ax.set_xlabel(labels[0], fontsize=room.font_size)
    ax.set_ylabel(labels[1], fontsize=room.font_size)
    ax.set(xlim=(-0.5, edge + matrix.n_beside), ylim=(edge, -0.5))
    corner = leave_room(
        ax,
        left=room.reserved_width(longest_line(matrix.rows))
        + room.text_height(_LABEL if labels[1] else 0.5),
        bottom=matrix.below + room.text_height(_LABEL if labels[0] else 0.5),
        right=matrix.legend_width,
        top=room.text_height(matrix.key.n_lines),
    )
    ax.grid(visible=False, which="both")
    # Ticks copy the settings of the axes, so that they are set once, before there are many.
    ax.tick_params(which="both", left=False, bottom=False, length=0, labelsize=room.font_size)
    ax.set_xticks(
        [*positions, *ticks],
        [*matrix.columns[:: matrix.step], *ticks.values()],
        rotation=matrix.rotation,
        parse_math=False,
    )
    ax.set_yticks(positions, matrix.rows[:: matrix.step], parse_math=False)
    return corner


def draw_borders(ax: Any, n_classes: int) -> None:
    """Draw lines around the cells of a square matrix."""
    low, high = -0.5, n_classes - 0.5
    borders = np.linspace(low, high, n_classes + 1)
    lines: dict[str, Any] = {"color": GRID, "linewidth": 0.5, "clip_on": False}
    ax.hlines(borders, low, high, **lines)
    ax.vlines(borders, low, high, **lines)


def add_legend(
    ax: Any,
    matrix: Matrix,
    corner: tuple[float, float],
    handles: Sequence[Any],
    key: Sequence[str],
    unit: str,
) -> Any:
    """Add the legend to the right of a matrix or above it, and return the legend."""
    if matrix.key.entries:
        return draw_legend_above(ax, handles, matrix.key, matrix.room, corner)
    legend = ax.legend(
        handles,
        key,
        title=unit,
        loc="upper left",
        bbox_to_anchor=corner,
        fontsize=matrix.room.font_size,
        title_fontsize=matrix.room.font_size,
        handlelength=1.6,
        handletextpad=0.6,
        **{**LEGEND_OPTIONS, "borderaxespad": 0.3},
    )
    legend.get_title().set_parse_math(False)
    return legend
