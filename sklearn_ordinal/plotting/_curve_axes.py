"""The axes and the legend of plots with a named curve for each threshold, or for each class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal.plotting._colors import LEGEND_OPTIONS, curve_colors
from sklearn_ordinal.plotting._fitted_names import (
    fitted_names,
    longest_line,
    most_lines,
    one_line,
    wrapped,
)
from sklearn_ordinal.plotting._layout import (
    SMALLEST,
    Room,
    axes_room,
    check_axes,
    has_layout,
    leave_room,
    new_axes,
)

# Neighbouring curves differ in more than lightness.
_LINE_STYLES = ("-", (0, (5, 1.6)), (0, (1.2, 1.2)), (0, (5, 1.4, 1.2, 1.4)))
# The styles of convex hulls and diagonals, and of the line of chance.
THIN: dict[str, Any] = {"linewidth": 0.8, "linestyle": "-"}
CHANCE: dict[str, Any] = {"linewidth": 0.8, "linestyle": (0, (6, 4)), "alpha": 0.7}
# Limits and ticks of axes that show rates.
RATE_LIMITS = (-0.01, 1.01)
RATE_TICKS = tuple(
    (rates, [f"{rate:.1f}" for rate in rates]) for rates in (np.arange(6) / 5, [0, 0.5, 1], [0, 1])
)
# The axes take at least this share of the width of a plot.
_AXES_WIDTH = 0.39
# The side of the axes in new figures, in inches at a font size of ten points.
_NEW_SIDE = 3.6
# The largest number of lines of an entry, and the characters in a line in new figures.
_MOST_LINES, _NEW_CHARACTERS = 4, 34
# Space for labels and ticks beside and below the axes, and for the handles of the legend, as
# multiples of the font size.
_BESIDE, _BELOW, _HANDLE = 5.5, 4.5, 3.8
_NO_BREAK = "\N{NO-BREAK SPACE}"

Ticks: TypeAlias = tuple[ArrayLike, Sequence[str]]


@dataclass(frozen=True)
class CurveLegend:
    """The texts of a legend to the right of curves, wrapped to fit the available space."""

    room: Room
    entries: Sequence[str]
    title: str
    width: float
    axes_side: tuple[float, float]


def axes_with_curves(
    ax: Any,
    names: Sequence[str],
    *,
    start: str,
    numbers: Sequence[str],
    title: str,
    others: Sequence[str],
) -> tuple[Any, CurveLegend, list[dict[str, Any]]]:
    """Return axes for curves, their legend, and the style of each curve.

    The text `start` and the numbers surround the name of each curve in the legend, and have
    non-breaking spaces where lines must not break. If `start` ends with a quotation mark, another
    one follows the name. `others` are entries that do not have the name of a curve. If `ax` is
    None, the axes belong to a new figure in which they are square.
    """
    names = [one_line(name) for name in names]
    quotation_mark = "'" if start.endswith("'") else ""
    ends = [f"{quotation_mark}: {number}" for number in numbers]
    if ax is None:
        room = Room(8.0, 1.0, 10.0)
        n_characters = max(_NEW_CHARACTERS, longest_line([title, *others]))
        entries = fitted_names(names, n_characters, _MOST_LINES, start=start, ends=ends)
        n_lines = sum(map(_height, entries)) + sum(map(_height, [title, *others]))
        width = room.text_width(longest_line([*entries, title, *others])) + room.inches(_HANDLE)
        side = max(_NEW_SIDE, room.text_height(n_lines))
        side_across = min(side, 8.0 - room.inches(_BESIDE) - width)
        ax, room = new_axes(side_across + width + room.inches(_BESIDE), side + room.inches(_BELOW))
    else:
        check_axes(ax)
        # Each entry needs at least one line.
        room = axes_room(ax, n_lines=1.1 * len(names) + len(others) + 2)
        if not has_layout(ax):
            # The legend stays within the axes.
            room = replace(room, height=ax.get_window_extent().height / ax.figure.dpi)
        entries, wrapped_title = _in_room(room, names, start, ends, title, others)
        if longest_line(entries) > _n_characters(room):
            # Names that remain distinct may need a smaller font size.
            size = room.font_size * _n_characters(room) / longest_line(entries)
            size = max(min(SMALLEST, room.font_size), size)
            room = replace(room, font_size=size)
            entries, wrapped_title = _in_room(room, names, start, ends, title, others)
        title = wrapped_title
    entries = [entry.replace(_NO_BREAK, " ") for entry in (*entries, *others)]
    texts_width = room.reserved_width(longest_line([*entries, title])) + room.inches(_HANDLE)
    axes_side = (
        max(0.3, room.width - room.inches(_BESIDE) - texts_width),
        max(0.3, room.height - room.inches(_BELOW)),
    )
    legend = CurveLegend(room, entries, title, texts_width, axes_side)
    return ax, legend, _styles(len(names), ax.get_facecolor()[:3])


def _n_characters(room: Room) -> int:
    """Return the number of characters that an entry of the legend can have in a line."""
    return room.n_characters((1 - _AXES_WIDTH) * room.width - room.inches(_BESIDE + _HANDLE))


def _in_room(
    room: Room,
    names: Sequence[str],
    start: str,
    ends: Sequence[str],
    title: str,
    others: Sequence[str],
) -> tuple[list[str], str]:
    """Return the entries and the title of the legend, wrapped and shortened to fit the room."""
    title = wrapped(title, _n_characters(room) + 3)
    rest = room.height / room.text_height(1) - _height(title) - 1.2 * len(others)
    n_lines = min(max(1, int(rest / len(names) - 0.2)), _MOST_LINES)
    return fitted_names(names, _n_characters(room), n_lines, start=start, ends=ends), title


def _height(entry: str) -> float:
    """Return the height in lines of an entry of the legend."""
    return most_lines([entry]) + 0.3


def _styles(n_curves: int, background: Sequence[float]) -> list[dict[str, Any]]:
    colors = curve_colors(n_curves, background)
    return [
        {"color": color, "linestyle": _LINE_STYLES[k % len(_LINE_STYLES)], "linewidth": 1.5}
        for k, color in enumerate(colors)
    ]


def finish_curves(
    ax: Any,
    legend: CurveLegend,
    curves: Sequence[Any],
    others: Sequence[Any],
    *,
    labels: tuple[str, str],
    ticks: Sequence[Ticks] = (),
) -> Any:
    """Label the axes, draw the legend to their right, and return the legend.

    `others` are the handles of legend entries that do not name a curve. `ticks` are choices of
    positions and labels, in the order of preference; if empty, matplotlib chooses the ticks.
    """
    size = legend.room.font_size
    ax.set_xlabel(labels[0], fontsize=size, parse_math=False)
    ax.set_ylabel(labels[1], fontsize=size, parse_math=False)
    ax.tick_params(labelsize=size)
    ax.grid(visible=False, which="both")
    ax.set_axisbelow(True)
    if ticks:
        _choose_ticks(ax, legend, ticks)
    else:
        n_ticks = legend.room.n_characters(legend.axes_side[0]) // 7
        ax.locator_params(axis="x", nbins=min(9, max(2, n_ticks)))
    corner = leave_room(
        ax,
        left=legend.room.reserve * legend.room.inches(_BESIDE),
        bottom=legend.room.inches(_BELOW),
        right=legend.width,
    )
    handles = [curve if len(curve.get_xdata()) else _no_line() for curve in curves]
    drawn = ax.legend(
        [*handles, *others],
        legend.entries,
        title=legend.title,
        loc="upper left",
        bbox_to_anchor=corner,
        alignment="left",
        fontsize=size,
        title_fontsize=size,
        handlelength=2.2,
        handletextpad=0.5,
        **LEGEND_OPTIONS,
    )
    for text in drawn.get_texts():
        text.set_parse_math(False)
    return drawn


def _no_line() -> Any:
    """Return the handle of a curve that is undefined."""
    from matplotlib.lines import Line2D

    return Line2D([], [], linestyle="none")


def _choose_ticks(ax: Any, legend: CurveLegend, choices: Sequence[Ticks]) -> None:
    """On each axis, set the first choice of ticks whose labels do not touch."""
    for side, axis in enumerate((ax.xaxis, ax.yaxis)):
        per_unit = legend.axes_side[side] / np.abs(np.diff(axis.get_view_interval()))[0]
        for positions, texts in choices:
            axis.set_ticks(positions, texts)
            is_across = side == 0
            label = (
                legend.room.text_width(1.2 * longest_line(texts))
                if is_across
                else legend.room.text_height(1)
            )
            if per_unit * np.diff(positions).min() > 1.3 * label:
                break


def plot_lines(ax: Any, x: list[Any], y: list[Any], styles: list[dict[str, Any]]) -> list[Any]:
    """Draw a line with a style for each pair of arrays."""
    return [
        ax.plot(*pair, **style)[0]
        for pair, style in zip(zip(x, y, strict=True), styles, strict=True)
    ]


def as_texts(values: NDArray[np.float64]) -> list[str]:
    """Return numbers as texts, and "undefined" for NaN."""
    return ["undefined" if np.isnan(value) else f"{value:.2f}" for value in values.tolist()]


def as_pairs(values: NDArray[np.float64], others: NDArray[np.float64]) -> list[str]:
    """Return numbers as texts, each with another number in parentheses."""
    return [
        text if text == "undefined" else f"{text}\N{NO-BREAK SPACE}({other})"
        for text, other in zip(as_texts(values), as_texts(others), strict=True)
    ]
