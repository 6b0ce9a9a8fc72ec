"""Plots with a row for each class or system: names on the left, texts on the right."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sklearn_ordinal._core import check_mapping, shown
from sklearn_ordinal.plotting._colors import GREY
from sklearn_ordinal.plotting._fitted_names import (
    LONGEST_LINE,
    SHORTEST_NAME,
    fitted_names,
    longest_line,
    most_lines,
    one_line,
    wrapped,
)
from sklearn_ordinal.plotting._layout import (
    MOST_NAMED,
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

# Shares of the width of a plot: the smallest share for the axes, and the largest shares for names,
# for texts beside the axes, and for the label, which may extend below names and texts.
_AXES_WIDTH, _NAMES_WIDTH, _BESIDE_WIDTH, _LABEL_WIDTH = 0.44, 0.23, 0.27, 0.8
# Width of the axes in new figures, in inches at a font size of ten points.
_NEW_AXES_WIDTH = 4.4
# Height of all low rows in new figures, which screens show at once, in inches at a font size of ten
# points.
_LOW_ROWS = 6.0
# Rows that are lower than this number of lines of text are too low for texts.
_LOWEST_WITH_TEXTS = 1.2
# Height of the tick labels with their gaps, in lines of text.
_TICKS = 2.0
_MOST_LINES = 4
# Gap between the axes and the texts to their right, as a multiple of the font size.
_GAP = 0.8
# Number of characters of a tick label, including the gap to the next label.
_TICK = 7


def check_rows(baselines: Any, **mappings: Any) -> None:
    """Raise unless the mappings have the same names, and baselines are a list of names."""
    for argument, mapping in mappings.items():
        check_mapping(argument, mapping)
    (first, names), (second, others) = mappings.items()
    if not names or names.keys() != others.keys():
        raise ValueError(
            f"{first} and {second} must have the same names, and at least one, got {list(names)} "
            f"and {list(others)}."
        )
    is_scalar = isinstance(baselines, (str, bytes)) or getattr(baselines, "ndim", 1) == 0
    if is_scalar or not isinstance(baselines, Collection):
        raise ValueError(
            f"baselines must be a list of names, got {shown(baselines)}: put the names in a list."
        )


@dataclass(frozen=True)
class Rows:
    """The texts of a plot with rows, wrapped to fit the room of its axes.

    Low rows may be lower than a line of text, so nothing is written in or beside them.
    """

    room: Room
    names: Sequence[str]
    beside: Sequence[str]
    xlabel: str
    ylabel: str
    key: Key
    is_low: bool = False

    @property
    def height(self) -> float:
        """The approximate height in inches of a row."""
        around = self.room.text_height(_lines_around(self))
        return max(0.1, self.room.height - around) / len(self.names)

    @property
    def step(self) -> int:
        """The number of rows from a name to the next one."""
        return name_step(self.height, self.room.font_size) if self.is_low else 1

    @property
    def names_width(self) -> float:
        """The width in inches of the names and of the axis label to their left."""
        return self.room.reserved_width(longest_line(self.names)) + self.label_width

    @property
    def label_width(self) -> float:
        """The width in inches of the vertical axis label, if there is one, with a gap."""
        return self.room.text_height(2 if self.ylabel else 0.5)

    @property
    def beside_width(self) -> float:
        """The width in inches of the texts to the right of the rows, including the gap."""
        return self.room.reserved_width(longest_line(self.beside)) + self.room.inches(_GAP)

    @property
    def plot_width(self) -> float:
        """The approximate width in inches between the names and the texts on the right."""
        return max(0.1, self.room.width - self.names_width - self.beside_width)

    @property
    def n_ticks(self) -> int:
        """The largest number of ticks on the horizontal axis whose labels do not touch."""
        return min(9, max(2, self.room.n_characters(self.plot_width) // _TICK))


def axes_with_rows(
    ax: Any,
    names: Sequence[str],
    *,
    beside: Sequence[str],
    xlabel: str,
    key: Sequence[str],
    row_height: float,
    ylabel: str = "",
    is_scale: bool = False,
) -> tuple[Any, Rows]:
    """Return axes whose rows are named, and the texts of the plot.

    If `ax` is None, the axes belong to a new figure whose rows are `row_height` inches high at
    a font size of ten points. Line breaks in `beside` are used only in narrow axes. `key`
    contains the entries of the legend. If the names are the many classes of a scale, rows may be
    low: then no texts are beside them, and only some of them have names.
    """
    names = [one_line(name) for name in names]
    may_be_low = is_scale and len(names) > MOST_NAMED
    if ax is None:
        ax, rows = _on_new_axes(names, beside, xlabel, ylabel, key, row_height, is_low=may_be_low)
    else:
        check_axes(ax)
        room = axes_room(ax)
        rows = _in_room(room, names, beside, xlabel, ylabel, key)
        if may_be_low and rows.height < room.text_height(_LOWEST_WITH_TEXTS):
            rows = _in_room(room, names, (), xlabel, ylabel, key, is_low=True)
        else:
            n_lines = len(names) * most_lines(rows.beside) + _lines_around(rows)
            room = axes_room(ax, n_lines=n_lines)
            rows = _in_room(room, names, beside, xlabel, ylabel, key)
    ax.set_ylim(len(rows.names) - 0.5, -0.5)
    ax.tick_params(labelsize=rows.room.font_size)
    ax.tick_params(axis="y", which="both", left=False, length=0)
    ax.grid(visible=False, axis="y")
    ax.set_axisbelow(True)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.set_xlabel(rows.xlabel, fontsize=rows.room.font_size, parse_math=False)
    ax.set_ylabel(rows.ylabel, fontsize=rows.room.font_size)
    return ax, rows


def _on_new_axes(
    names: Sequence[str],
    beside: Sequence[str],
    xlabel: str,
    ylabel: str,
    key: Sequence[str],
    row_height: float,
    *,
    is_low: bool,
) -> tuple[Any, Rows]:
    """Return new axes that are high enough for names in several lines."""
    # There is room for names with any number of lines, since the height of the figure follows from
    # them.
    room = Room(8.0, 1.0, 10.0)
    wrapped_names = fitted_names(names, LONGEST_LINE, 1 if is_low else _MOST_LINES)
    beside = [] if is_low else [text.replace("\n", " ") for text in beside]
    texts = longest_line(wrapped_names) + longest_line(beside)
    gaps = 0.3 if beside else 0.0
    room = Room(min(8.0, _NEW_AXES_WIDTH + room.text_width(texts) + gaps), 1.0, 10.0)
    label = wrapped(xlabel, room.n_characters(_LABEL_WIDTH * room.width))
    # Nothing beside low rows makes room for a legend that is wider than the axes.
    entries = key_above(key, replace(room, width=_NEW_AXES_WIDTH) if is_low else room)
    row_height = max(row_height, room.text_height(most_lines([*wrapped_names, *beside]) + 0.1))
    height = _LOW_ROWS if is_low else len(names) * row_height
    around = room.text_height(most_lines([label]) + _TICKS + entries.n_lines)
    ax, room = new_axes(room.width, height + around)
    return ax, Rows(room, wrapped_names, beside, label, ylabel, entries, is_low)


def _in_room(
    room: Room,
    names: Sequence[str],
    beside: Sequence[str],
    xlabel: str,
    ylabel: str,
    key: Sequence[str],
    *,
    is_low: bool = False,
) -> Rows:
    """Return the texts of a plot, wrapped and shortened to fit the room."""
    xlabel = wrapped(xlabel, room.n_characters(_LABEL_WIDTH * room.width))
    entries = key_above(key, room)
    rows = Rows(room, (), beside, xlabel, ylabel, entries)
    n_lines = room.n_lines((room.height - room.text_height(_lines_around(rows))) / len(names))
    in_one_line = [text.replace("\n", " ") for text in beside]
    is_wide = room.text_width(longest_line(in_one_line)) > _BESIDE_WIDTH * room.width
    if not is_wide or most_lines(beside) > n_lines:
        beside = in_one_line
    width = (1 - _AXES_WIDTH) * room.width - room.text_width(longest_line(beside))
    width = min(width - rows.label_width, _NAMES_WIDTH * room.width)
    n_characters = min(max(room.n_characters(width), SHORTEST_NAME), LONGEST_LINE)
    names = fitted_names(names, n_characters, min(n_lines, _MOST_LINES))
    return Rows(room, names, beside, xlabel, ylabel, entries, is_low)


def _lines_around(rows: Rows) -> float:
    """Return the height in lines of everything above and below the rows."""
    return most_lines([rows.xlabel]) + _TICKS + rows.key.n_lines


def draw_grid(ax: Any) -> None:
    """Draw vertical grid lines, which help to compare the values of different rows."""
    ax.grid(axis="x", color=GREY, alpha=0.25, linewidth=0.8)


def finish_rows(ax: Any, rows: Rows, handles: Sequence[Any]) -> list[Any]:
    """Name the rows, write the texts to their right, draw the legend, and return the texts."""
    from matplotlib.transforms import ScaledTranslation

    room = rows.room
    ax.locator_params(axis="x", nbins=rows.n_ticks)
    corner = leave_room(
        ax,
        left=rows.names_width,
        bottom=room.text_height(most_lines([rows.xlabel]) + _TICKS),
        right=rows.beside_width,
        top=room.text_height(rows.key.n_lines),
    )
    named = range(0, len(rows.names), rows.step)
    ax.set_yticks(named, rows.names[:: rows.step], parse_math=False)
    if rows.key.entries:
        draw_legend_above(ax, handles, rows.key, room, corner, side="center")
    beside = ax.get_yaxis_transform() + ScaledTranslation(
        room.inches(_GAP), 0, ax.figure.dpi_scale_trans
    )
    return [
        ax.text(corner[0], row, text, transform=beside, va="center", fontsize=room.font_size)
        for row, text in enumerate(rows.beside)
    ]
