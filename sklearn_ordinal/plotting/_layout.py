"""New figures, the room that axes have, legends above axes, and values in cells.

Matplotlib lays out the figure. If the figure has no layout engine, `leave_room` leaves room in
the axes. Sizes that must be known before the layout, such as the number of characters of a name
that fit, are estimated from the font size: no text is measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import shown
from sklearn_ordinal.plotting._fitted_names import longest_line, most_lines, wrapped
from sklearn_ordinal.plotting._style import LEGEND_OPTIONS

# The largest width of a new figure in inches, at a font size of ten points.
WIDEST = 8.0
# Texts have a size of ten points in axes that have at least this width, in inches.
_COMFORTABLE_WIDTH = 3.7
# The smallest font size in points, unless the user's is smaller.
SMALLEST = 6.0
# Up to this number, all classes of a scale are named, in small letters where necessary. If there
# are more, their order tells which classes are between two named ones.
MOST_NAMED = 40
# The smallest font size of values in cells.
SMALLEST_VALUE = 5.0
# Width of a character in running text and height of a line, as multiples of the font size.
_CHARACTER, _LINE = 0.55, 1.4
# Width of a digit, including part of the gap between cells, and height of a cell that contains a
# digit, as multiples of the font size.
_DIGIT, _DIGIT_LINE = 0.68, 1.15
# With matplotlib's default margins, axes take this share of their cell.
_SHARE_OF_CELL = 0.77
# Without a layout engine, texts get this multiple of their approximate width, but all texts
# together get at most this share of the width or the height of the axes.
_RESERVE, _MOST_FOR_TEXTS = 1.2, 0.75
# The largest share of the width of a plot that a legend above it takes.
_LEGEND_WIDTH = 0.9


@dataclass(frozen=True)
class Room:
    """The width and height in inches for axes and everything around them, and a font size.

    Texts with a fixed position get `reserve` times their approximate width.
    """

    width: float
    height: float
    font_size: float
    reserve: float = 1.0

    def inches(self, n_font_sizes: float) -> float:
        """Return a multiple of the font size in inches."""
        return n_font_sizes * self.font_size / 72

    def text_width(self, n_characters: float) -> float:
        """Return the approximate width of a number of characters in inches."""
        return self.inches(_CHARACTER * n_characters)

    def reserved_width(self, n_characters: float) -> float:
        """Return the width in inches to leave for a number of characters beside a plot."""
        return self.reserve * self.text_width(n_characters)

    def text_height(self, n_lines: float) -> float:
        """Return the height in inches of a number of lines."""
        return self.inches(_LINE * n_lines)

    def n_characters(self, inches: float) -> int:
        """Return the approximate number of characters, at least one, that fit a width in inches."""
        return max(1, int(inches / self.text_width(1)))

    def n_lines(self, inches: float) -> int:
        """Return the number of lines, at least one, that fit a height in inches."""
        return max(1, int(inches / self.text_height(1) + 1e-9))


def default_font_size() -> float:
    """Return the font size in points from the user's rcParams."""
    import matplotlib as mpl

    return float(mpl.rcParams["font.size"])


def new_axes(width: float, height: float) -> tuple[Any, Room]:
    """Return the axes of a new figure, and their room.

    The size is in inches at a font size of ten points, and grows with the user's font size.
    """
    import matplotlib.pyplot as plt

    font_size = default_font_size()
    size = min(width, WIDEST) * font_size / 10, height * font_size / 10
    return plt.subplots(figsize=size, layout="constrained")[1], Room(*size, font_size)


def axes_room(ax: Any, *, n_lines: float = 0.0) -> Room:
    """Return the room of the user's axes, with a font size that suits a number of lines.

    The axes and their figure are not changed, so this is the room before any layout.
    """
    size = _size_in_inches(ax)
    if has_layout(ax):
        (width, height), reserve = size / _SHARE_OF_CELL, 1.0
    else:
        (width, height), reserve = size + _margins(ax), _RESERVE
    sizes = [default_font_size(), 10 * size[0] / _COMFORTABLE_WIDTH]
    if n_lines:
        sizes.append(72 * height / (_LINE * n_lines))
    font_size = max(min(sizes), min(SMALLEST, default_font_size()))
    return Room(width, height, font_size, reserve)


def has_layout(ax: Any) -> bool:
    """Whether a layout engine makes room for the texts around axes."""
    return ax.figure.figure.get_layout_engine() is not None


def _size_in_inches(ax: Any) -> NDArray[np.float64]:
    size: NDArray[np.float64] = ax.get_window_extent().size / ax.figure.dpi
    return size


def _margins(ax: Any) -> NDArray[np.float64]:
    """Return the inches to the left of axes and below them, up to other axes or the edge."""
    # In figures without a layout engine, these margins are for the ticks and labels of the axes.
    box, figure = ax.get_window_extent(), ax.figure.bbox
    others = [other.get_window_extent() for other in ax.figure.axes]
    left = max((other.x1 for other in others if other.x1 <= box.x0), default=figure.x0)
    bottom = max((other.y1 for other in others if other.y1 <= box.y0), default=figure.y0)
    margins: NDArray[np.float64] = np.array([box.x0 - left, box.y0 - bottom]) / ax.figure.dpi
    return margins


def name_step(height: float, font_size: float) -> int:
    """Return the smallest of 1, 2, 5, 10, ... rows that are together as high as a line of text.

    `height` is the height of a row in inches.
    """
    steps: Iterator[int] = (digit * 10**power for power in count() for digit in (1, 2, 5))
    return next(step for step in steps if 72 * height * step >= font_size)


def leave_room(
    ax: Any, *, left: float = 0.0, bottom: float = 0.0, right: float = 0.0, top: float = 0.0
) -> tuple[float, float]:
    """Leave inches around a plot for its texts, and return its upper right corner.

    A layout engine makes this room around the axes. Without one, the axes get wider limits, and
    the spines and ticks surround the plot in a part of the axes. The corner is given as shares
    of the axes. Set limits before calling this function, and tick labels afterwards.
    """
    from matplotlib.patches import Rectangle

    if has_layout(ax):
        return 1.0, 1.0
    size, limits = _size_in_inches(ax), np.array([ax.get_xlim(), ax.get_ylim()])
    before = np.maximum(0.0, np.array([left, bottom]) - _margins(ax))
    after = np.array([right, top])
    scale = np.minimum(1.0, _MOST_FOR_TEXTS * size / np.maximum(before + after, 1e-9))
    before, after = scale * before / size, scale * after / size
    start, end = limits.T
    length = (end - start) / (1 - before - after)
    for axis in (ax.xaxis, ax.yaxis):
        # With wider limits, the locators would choose ticks outside the plot.
        low, high = sorted(axis.get_view_interval())
        axis.set_ticks([tick for tick in axis.get_majorticklocs() if low <= tick <= high])
    wider = np.column_stack([start - before * length, end + after * length])
    ax.set(xlim=wider[0], ylim=wider[1])
    for names, places, bounds in (
        (("left", "right"), *limits),
        (("bottom", "top"), *limits[::-1]),
    ):
        for name, place in zip(names, places, strict=True):
            ax.spines[name].set_position(("data", place))
            ax.spines[name].set_bounds(*bounds)
    # Grids and lines across the axes end where the plot ends.
    plot = Rectangle(start, *(end - start), transform=ax.transData)
    for artist in (*ax.get_xgridlines(), *ax.lines, *ax.patches):
        artist.set_clip_path(plot)
    middle = (1 + before - after) / 2
    ax.xaxis.label.set_x(middle[0])
    ax.yaxis.label.set_y(middle[1])
    right_end, top_end = (1 - after).tolist()
    return right_end, top_end


def check_axes(ax: Any) -> None:
    """Raise unless a value is rectilinear matplotlib axes."""
    from matplotlib.axes import Axes

    if not isinstance(ax, Axes):
        raise ValueError(
            f"ax must be matplotlib axes, got {shown(ax)}: pass one of the axes of a figure, "
            f"or None for a new figure."
        )
    if ax.name != "rectilinear":
        raise ValueError(
            f"ax must be rectilinear axes, got {ax.name} axes: create it without projection."
        )


@dataclass(frozen=True)
class Key:
    """The wrapped entries and title of a legend above axes, and its number of columns."""

    entries: tuple[str, ...]
    title: str = ""
    n_columns: int = 1

    @property
    def n_lines(self) -> float:
        """Height of the legend in lines of text; zero if there are no entries."""
        if not self.entries:
            return 0.0
        n_rows = -(-len(self.entries) // self.n_columns)
        title = most_lines([self.title])
        return 1.2 * n_rows * most_lines(self.entries) + title + 0.6


def key_above(entries: Sequence[str], room: Room, title: str = "") -> Key:
    """Return a legend in as many columns as fit the width of a plot."""
    width = min(_LEGEND_WIDTH, 1 / room.reserve) * room.width
    # Each column also needs room for a handle and two gaps.
    entries = [wrapped(entry, room.n_characters(width - room.inches(3))) for entry in entries]
    widths = [room.text_width(longest_line([entry])) + room.inches(3.2) for entry in entries]
    title = wrapped(title, room.n_characters(width))
    for n_columns in range(len(entries), 1, -1):
        n_rows = -(-len(entries) // n_columns)
        columns = [widths[start : start + n_rows] for start in range(0, len(widths), n_rows)]
        if sum(map(max, columns)) <= width:
            return Key(tuple(entries), title, len(columns))
    return Key(tuple(entries), title, 1)


def draw_legend_above(
    ax: Any,
    handles: Sequence[Any],
    key: Key,
    room: Room,
    corner: tuple[float, float],
    *,
    side: str = "right",
) -> Any:
    """Draw a legend between a plot and the title of the axes.

    `corner` is the upper right corner of the plot. The legend is aligned with the plot on a side,
    or centred if the side is "center".
    """
    across, up = corner
    legend = ax.legend(
        handles,
        key.entries,
        title=key.title or None,
        loc=f"lower {side}",
        bbox_to_anchor=(across if side == "right" else 0.5, up),
        ncols=key.n_columns,
        fontsize=room.font_size,
        title_fontsize=room.font_size,
        handlelength=1.4,
        handletextpad=0.6,
        **{**LEGEND_OPTIONS, "borderaxespad": 0.3},
    )
    legend.get_title().set_parse_math(False)
    if has_layout(ax):
        _keep_titles_above(ax, room.text_height(key.n_lines))
    return legend


def _keep_titles_above(ax: Any, height: float) -> None:
    """Make matplotlib put titles of axes above a legend whose height is given in inches.

    Matplotlib moves titles above inset axes but not above legends, so hidden axes of the same
    height are placed where the legend is.
    """
    from matplotlib.transforms import ScaledTranslation, blended_transform_factory

    from_top = ax.figure.dpi_scale_trans + ScaledTranslation(0, 1, ax.transAxes)
    ax.inset_axes(
        (0, 0, 1, height),
        transform=blended_transform_factory(ax.transAxes, from_top),
        visible=False,
        in_layout=False,
        xticks=(),
        yticks=(),
    )


def value_size(texts: NDArray[Any], cell: tuple[float, float], font_size: float) -> float | None:
    """Return the font size at which the longest text fits a cell, at most `font_size`.

    The result is None if texts would be too small to read. `cell` is a width and height in inches.
    """
    width, height = cell
    # Decimal points and minus signs are half as wide as digits.
    n_digits = max(len(text) - (text.count(".") + text.count("-")) / 2 for text in texts.flat)
    size = min(font_size, 72 * width / (_DIGIT * n_digits), 72 * height / _DIGIT_LINE)
    return None if size < min(SMALLEST_VALUE, font_size) else size


def write_cells(
    ax: Any, texts: NDArray[Any], inks: NDArray[np.str_], font_size: float, *, offset: float = 0.0
) -> NDArray[Any]:
    """Write a text in each cell of a matrix, `offset` cell heights below the middle of the cell."""
    artists = np.empty(texts.shape, dtype=object)
    for row, column in np.ndindex(texts.shape):
        artists[row, column] = ax.text(
            column,
            row + offset,
            texts[row, column],
            ha="center",
            va="center",
            color=inks[row, column],
            fontsize=font_size,
            parse_math=False,
            clip_on=True,
            # A text within the axes does not change the layout.
            in_layout=False,
        )
    return artists
