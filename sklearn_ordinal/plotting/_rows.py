"""Plots with a row for each class or system: names on the left, texts on the right."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sklearn_ordinal._core import check_mapping, shown
from sklearn_ordinal.plotting._layout import (
    Room,
    center,
    check_axes,
    keep_titles_above,
    new_axes,
    room,
    settle,
    shrink,
    size_in_inches,
    thin_out_ticks,
)
from sklearn_ordinal.plotting._legend_above import (
    center_legend,
    draw_legend_above,
    legend_height,
    n_legend_columns,
)
from sklearn_ordinal.plotting._text import (
    NAME_WIDTH,
    SHORTEST,
    attempts,
    default_font_size,
    em,
    fitted,
    height,
    n_lines_in,
    one_line,
    shortened,
    smallest_font_size,
    width,
    wrapped,
)

# Shares of the width of a plot: the least for the axes, and the most for texts on each side.
_AXES_WIDTH, _BESIDE_WIDTH, _NAMES_WIDTHS = 0.42, 0.27, (0.2, 0.24, 0.28, 0.34)
# In inches: the axes of a new figure at a font size of ten points, the gap between the axes and
# the texts beside it, and the ticks with their gap.
_NEW_WIDTH, _GAP, _TICKS = 5.0, 8 / 72, 7 / 72
_MOST_LINES = 4
_LABEL_WIDTH = 33.0


def check_rows(baselines: Any, **mappings: Any) -> None:
    """Raise unless mappings have the same names of rows, and baselines are names."""
    for argument, mapping in mappings.items():
        check_mapping(argument, mapping)
    (first, names), (second, others) = mappings.items()
    if not names or names.keys() != others.keys():
        raise ValueError(
            f"{first} and {second} must have the same names, at least one, "
            f"got {list(names)} and {list(others)}."
        )
    is_scalar = isinstance(baselines, (str, bytes)) or getattr(baselines, "ndim", 1) == 0
    if is_scalar or not isinstance(baselines, Collection):
        raise ValueError(
            f"baselines must be a list of names, got {shown(baselines)}: put the names in a list."
        )


@dataclass(frozen=True)
class Rows:
    """The texts of a plot with rows, broken into lines, and their common font size.

    `n_columns` is the number of columns of the legend, whose entries are `key`.
    """

    names: Sequence[str]
    beside: Sequence[str]
    xlabel: str
    key: Sequence[str] = ()
    ylabel: str = ""
    font_size: float = 10.0
    n_columns: int = 1

    def around(self) -> tuple[float, float]:
        """Return the width and height in inches of everything around the axes."""
        size = self.font_size
        ylabel = em(size, 1.8) if self.ylabel else 0.0
        legend = legend_height(self.key, self.n_columns, size) if self.key else 0.0
        return (
            width(self.names, size) + ylabel + width(self.beside, size) + _GAP + _TICKS / 2,
            height([self.xlabel], size) + em(size, 1.8) + _TICKS + legend,
        )

    def row_height(self) -> float:
        """Return the height in inches that the texts of a row require."""
        return height([*self.names, *self.beside], self.font_size)


def rows_of_plot(
    ax: Any,
    names: Sequence[str],
    *,
    beside: Sequence[str],
    xlabel: str,
    key: Sequence[str],
    row_height: float,
    ylabel: str = "",
) -> tuple[Any, Rows]:
    """Return axes and the texts of their rows, in a font size that fits the axes.

    If `ax` is None, the axes belong to a new figure with enough room for all texts. Its rows have
    a height in inches, at a font size of ten points. Texts in `beside` have line breaks where they
    may break in narrow axes.
    """
    rows = Rows([one_line(name) for name in names], beside, xlabel, key, ylabel)
    if ax is not None:
        check_axes(ax)
        return ax, _fitted_rows(rows, room(ax))
    size = default_font_size()
    short = shortened(rows.names, em(size, NAME_WIDTH), _MOST_LINES, size)
    rows = replace(rows, names=short, beside=_in_one_line(beside), font_size=size)
    across = rows.around()[0] + em(size, 7.2 * _NEW_WIDTH)
    rows = _with_legend_and_label(rows, across)
    down = len(names) * max(em(size, 7.2 * row_height), 1.1 * rows.row_height())
    return new_axes(across + 0.1, down + rows.around()[1] + 0.1), rows


def _fitted_rows(rows: Rows, room: Room) -> Rows:
    """Return rows with the largest texts that leave enough room for the axes."""
    for size, n_kept, area in attempts():
        found, limit, n_lines = _without_names(rows, room.with_area(area), size)
        names = fitted(rows.names, limit, n_lines, size, n_kept=n_kept)
        if names is not None:
            return replace(found, names=names)
    # Names that cannot be told apart are worse than narrow axes.
    found, limit, n_lines = _without_names(rows, room, smallest_font_size())
    n_lines = max(n_lines, 1)
    for share in _NAMES_WIDTHS:
        limit = max(limit, share * room.across)
        names = fitted(rows.names, limit, n_lines, found.font_size, n_kept=SHORTEST)
        if names is not None:
            return replace(found, names=names)
    return replace(found, names=shortened(rows.names, limit, n_lines, found.font_size))


def _without_names(rows: Rows, room: Room, size: float) -> tuple[Rows, float, int]:
    """Return rows without names, and the width in inches and the lines that names can have."""
    found = _with_legend_and_label(replace(rows, names=(), font_size=size), room.across)
    axes_height = max(room.down - found.around()[1], 0.2 * room.down)
    # With a small gap between names of several lines.
    n_lines = n_lines_in(0.94 * axes_height / len(rows.names), size)
    found = replace(found, beside=_in_one_line(rows.beside))
    if width(found.beside, size) > _BESIDE_WIDTH * room.across and all(
        text.count("\n") < n_lines for text in rows.beside
    ):
        found = replace(found, beside=rows.beside)
    axes_width = max(_AXES_WIDTH * room.across, room.axes_area / axes_height)
    limit = room.across - found.around()[0] - axes_width
    return found, min(em(size, NAME_WIDTH), _NAMES_WIDTHS[-1] * room.across, limit), n_lines


def _in_one_line(texts: Sequence[str]) -> list[str]:
    return [text.replace("\n", " ") for text in texts]


def _with_legend_and_label(rows: Rows, across: float) -> Rows:
    """Return rows whose legend and axis label are at most as wide as the plot."""
    size = rows.font_size
    xlabel = "\n".join(wrapped(rows.xlabel.split("\n"), min(across, em(size, _LABEL_WIDTH)), size))
    return replace(rows, xlabel=xlabel, n_columns=n_legend_columns(rows.key, across, size))


def name_rows(ax: Any, rows: Rows) -> None:
    """Label the rows of a plot, with the first name at the top."""
    ax.set_yticks(range(len(rows.names)), rows.names, parse_math=False)
    ax.set_ylim(len(rows.names) - 0.5, -0.5)
    ax.tick_params(labelsize=rows.font_size)
    ax.tick_params(axis="y", which="both", length=0)
    ax.grid(visible=False, axis="y")
    ax.set_axisbelow(True)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.set_xlabel(rows.xlabel, fontsize=rows.font_size, parse_math=False)
    ax.set_ylabel(rows.ylabel, fontsize=rows.font_size)


def write_beside(ax: Any, rows: Rows) -> list[Any]:
    """Write a text to the right of each row."""
    return [
        ax.annotate(
            text,
            (1, row),
            xycoords=ax.get_yaxis_transform(),
            xytext=(8, 0),
            textcoords="offset points",
            va="center",
            fontsize=rows.font_size,
            annotation_clip=False,
        )
        for row, text in enumerate(rows.beside)
    ]


def finish_rows(ax: Any, rows: Rows, handles: Sequence[Any], texts: Sequence[Any]) -> None:
    """Add the legend above the axes, and make all texts fit."""
    legend = None
    if rows.key:
        legend = draw_legend_above(
            ax,
            handles,
            rows.key,
            n_columns=rows.n_columns,
            font_size=rows.font_size,
            handle_length=1.2,
            handle_gap=0.6,
        )
    # Moving them sideways changes the layout a little.
    for _ in range(2):
        settle(ax)
        thin_out_ticks(ax)
        _center_on_the_whole(ax, legend, texts)
    if legend is not None:
        keep_titles_above(ax, legend)
    settle(ax)
    row_height = size_in_inches(ax)[1] / len(rows.names)
    shrink([*ax.get_yticklabels(), *texts], np.inf, 0.98 * row_height)


def _center_on_the_whole(ax: Any, legend: Any, texts: Sequence[Any]) -> None:
    """Move the axis label and the legend sideways, so that they end where the rows end."""
    # There is no box if all names are empty.
    left = (ax.yaxis.get_tightbbox() or ax.get_window_extent()).x0
    right = max(text.get_window_extent().x1 for text in texts)
    (middle,) = center([ax.xaxis.label], ax, left, right)
    ax.xaxis.label.set_x(middle)
    if legend is not None:
        center_legend(ax, legend, left, right)
