"""Matrices with named rows and columns, coloured cells, texts in the cells, and a legend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core.arithmetic import Floats
from sklearn_ordinal.plotting import _style

Texts = NDArray[Any]
Rotation = Literal["horizontal", "vertical"]

# What the columns and the rows are.
AXIS_LABELS = ("Predicted class", "True class")
# Sizes in inches at a font size of ten points: of a character, of a line of text, of a label with
# its ticks, of the handles of the legend, and of a new figure.
_CHARACTER, _LINE, _LABEL, _HANDLE, _WIDEST = 0.08, 0.15, 0.5, 0.5, 8.0
# Sides of cells and matrices in new figures. Cells for names in two lines are at least this high.
_SMALLEST_CELL, _SMALLEST_MATRIX, _LARGEST_MATRIX, _TWO_LINES = 0.42, 3.0, 6.0, 0.36
# Characters in a line of the legend: in new figures, and in axes of the user.
_NEW_LEGEND, _NARROW_LEGEND = 36, 14
# Width and height of a digit in a cell, as multiples of the font size.
_DIGIT, _DIGIT_LINE = 0.68, 1.15
# The smallest font size of values.
_SMALLEST_VALUE = 5.0


class Matrix(NamedTuple):
    """The artists of a matrix; `values` are the texts of each line in the cells, or None."""

    ax: Any
    image: Any
    values: list[Texts] | None


def draw_matrix(
    ax: Any,
    names: Sequence[object],
    colors: Floats,
    lines: Sequence[Texts],
    *,
    labels: tuple[str, str],
    rotation: Rotation | None = None,
    handles: Sequence[Any] = (),
    key: Sequence[str] = (),
    unit: str = "",
) -> Matrix:
    """Draw a matrix whose rows and columns have the names of the classes of a scale.

    `colors` are the sRGB colours of the cells, and `lines` are the texts of each line in the cells.
    Texts that would be too small are left out. If there are many classes, only some of them are
    named. The legend to the right of the matrix has the title `unit`.
    """
    n_classes = len(names)
    size = _style.name_size(ax)
    n_characters = _NEW_LEGEND if ax is None else _NARROW_LEGEND
    key, unit = (
        [_style.wrapped(text, n_characters) for text in key],
        _style.wrapped(unit, n_characters),
    )
    legend = _CHARACTER * _style.longest_line([*key, unit]) + _HANDLE if handles else 0.0
    around = (
        _CHARACTER * min(size[0], _style.longest_line([_style.one_line(name) for name in names]))
        + _LABEL
    )
    if ax is None:
        content = 0.1 * max((len(text) for line in lines for text in line.flat), default=0)
        side = max(n_classes * max(_SMALLEST_CELL, content), _SMALLEST_MATRIX)
        side = min(side, _WIDEST - around - legend, _LARGEST_MATRIX)
        ax = _style.axes_of(None, side + around + legend, max(side, _SMALLEST_MATRIX) + around)
        sides = side, max(side, _SMALLEST_MATRIX)
    else:
        ax = _style.axes_of(ax, 0, 0)
        sides = sides_left(ax, around + legend, around)
    cell = sides[0] / n_classes, sides[1] / n_classes
    image = draw_cells(ax, colors)
    texts = _style.short_names(names, size if min(cell) > _TWO_LINES else (size[0], size[0]))
    name_classes(ax, texts, cell, rotation)
    ax.set_xlabel(labels[0])
    ax.set_ylabel(labels[1])
    if handles:
        _style.add_legend(
            ax,
            handles,
            key,
            title=unit,
            loc="upper left",
            bbox_to_anchor=(1.0, 1.0),
            handlelength=1.6,
            handletextpad=0.6,
        )
    return Matrix(ax, image, write_cells(ax, colors, lines, cell))


def sides_left(ax: Any, across: float, down: float) -> tuple[float, float]:
    """Return the approximate sides of axes after matplotlib makes room for inches of texts.

    Inches are at a font size of ten points.
    """
    width, height = (
        np.array(ax.bbox.size) / ax.figure.dpi * 10 / _style.default_font_size()
    ).tolist()
    # Before, the axes had matplotlib's default margins.
    return max(0.4 * width, 1.2 * width - across), max(0.4 * height, 1.2 * height - down)


def draw_cells(ax: Any, colors: Floats) -> Any:
    """Draw the cells of a square matrix with lines around them, and return the image."""
    # With an equal aspect, the axes would depend on the size of texts, and the layout would not
    # converge. Instead, the size of a new figure makes the cells roughly square.
    image = ax.imshow(colors, interpolation="nearest", aspect="auto")
    low, high = -0.5, len(colors) - 0.5
    borders = np.linspace(low, high, len(colors) + 1)
    lines: dict[str, Any] = {"color": _style.GRID, "linewidth": 0.5, "clip_on": False}
    ax.hlines(borders, low, high, **lines)
    ax.vlines(borders, low, high, **lines)
    ax.set(xlim=(low, high), ylim=(high, low))
    ax.spines[:].set_visible(False)
    ax.grid(visible=False, which="both")
    return image


def write_cells(
    ax: Any, colors: Floats, lines: Sequence[Texts], cell: tuple[float, float]
) -> list[Texts] | None:
    """Write lines of texts in the cells, or return None if the texts would be too small to read.

    `cell` is the approximate width and height of a cell in inches, at a font size of ten points.
    """
    if not lines:
        return None
    # Decimal points and minus signs are half as wide as digits.
    n_digits = max(
        len(text) - (text.count(".") + text.count("-")) / 2 for line in lines for text in line.flat
    )
    across, down = 72 * cell[0] / (_DIGIT * n_digits), 72 * cell[1] / (_DIGIT_LINE * len(lines))
    size = min(10.0, across, down)
    if size < _SMALLEST_VALUE:
        return None
    inks = np.where((colors == 1).all(axis=-1), _style.GREY, _style.text_colors(colors))
    written = []
    for line, offset in zip(lines, np.arange(len(lines)) - (len(lines) - 1) / 2, strict=True):
        artists = np.empty(line.shape, dtype=object)
        for row, column in np.ndindex(line.shape):
            artists[row, column] = ax.text(
                column,
                row + 0.44 * offset,
                line[row, column],
                ha="center",
                va="center",
                color=inks[row, column],
                fontsize=size * _style.default_font_size() / 10,
                parse_math=False,
                clip_on=True,
                # A text within the axes does not change the layout.
                in_layout=False,
            )
        written.append(artists)
    return written


def name_classes(
    ax: Any, names: Sequence[str], cell: tuple[float, float], rotation: Rotation | None = None
) -> None:
    """Name the rows and columns of a matrix; if cells are small, only some of them.

    The names of columns are horizontal if all of their words fit.
    """
    across, down = (
        range(0, len(names), _style.name_step(len(names), max(1, int(side * len(names) / _LINE))))
        for side in cell
    )
    n_characters = max(1, int(cell[0] / _CHARACTER))
    if rotation is None:
        words = [word for name in names for word in name.split()]
        fits = _style.longest_line(words) <= n_characters
        rotation = "horizontal" if fits else "vertical"
    columns = [
        _style.wrapped(" ".join(names[k].split()), n_characters)
        if rotation == "horizontal"
        else names[k]
        for k in across
    ]
    ax.set_xticks(across, columns, rotation=rotation, parse_math=False)
    ax.set_yticks(down, [names[k] for k in down], parse_math=False)
    ax.tick_params(which="both", length=0)
