"""The layout of a matrix with named rows and columns and a legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from sklearn_ordinal.plotting._layout import (
    Room,
    check_axes,
    keep_titles_above,
    new_axes,
    room,
    settle,
)
from sklearn_ordinal.plotting._legend_above import center_legend
from sklearn_ordinal.plotting._style import LEGEND_OPTIONS
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
    wrapped,
)

# Shares of the width and the height of a plot: the least for the matrix, the most for names.
_MATRIX_SIDE, _NAMES = 0.4, (0.3, 0.24, 0.18)
# In inches, between the matrix and the names.
_GAP = 5 / 72
# For new figures in inches, at a font size of ten points.
_SMALLEST_CELL, _SMALLEST_MATRIX, _LARGEST_MATRIX = 0.42, 3.0, 18.0
_MOST_LINES = 4
# For new figures with dense cells, in units of the font size.
_DENSE_NAME_WIDTH, _DENSE_CELL = 24.0, 1.8

Rotation = Literal["horizontal", "vertical"]


@dataclass(frozen=True)
class Matrix:
    """The texts around a matrix, broken into lines, and their common font size.

    `n_beside` is the number of columns whose room is left free on the right of the matrix.
    """

    rows: Sequence[str]
    columns: Sequence[str]
    rotation: Rotation | None
    key: Sequence[str]
    unit: str
    font_size: float = 10.0
    is_legend_above: bool = False
    n_columns_above: int = 2
    n_beside: float = 0.0

    @property
    def n_columns(self) -> int:
        """Number of columns of the legend."""
        return self.n_columns_above if self.is_legend_above else 1

    @property
    def n_across(self) -> float:
        """Number of columns that have room in the axes."""
        return len(self.rows) + self.n_beside

    def around(self) -> tuple[float, float]:
        """Return the width and height in inches of everything around the matrix."""
        size = self.font_size
        legend_width, legend_height = self.legend_size() if self.key else (0.0, 0.0)
        return (
            em(size, 1.8)
            + _GAP
            + width(self.rows, size)
            + (0.0 if self.is_legend_above else legend_width),
            em(size, 1.8)
            + _GAP
            + self._column_size()[1]
            + (legend_height if self.is_legend_above else 0.0),
        )

    def legend_size(self) -> tuple[float, float]:
        """Return the width and height of the legend in inches."""
        size, n_rows = self.font_size, -(-len(self.key) // self.n_columns)
        columns = [self.key[start : start + n_rows] for start in range(0, len(self.key), n_rows)]
        entries = sum(width(column, size) + em(size, 3.4) for column in columns)
        return (
            max(entries, width([self.unit], size) + em(size, 0.8)),
            height([self.unit], size) + em(size, 1.5 * n_rows + 1.0),
        )

    def cell_size(self) -> tuple[float, float]:
        """Return the width and height of a cell in inches that the names require."""
        return self._column_size()[0], height(self.rows, self.font_size)

    def _column_size(self) -> tuple[float, float]:
        size = width(self.columns, self.font_size), height(self.columns, self.font_size)
        return size if self.rotation == "horizontal" else size[::-1]


def matrix_of_plot(
    ax: Any,
    names: Sequence[str],
    *,
    rotation: Rotation | None,
    content: str,
    key: Sequence[str],
    unit: str,
    n_columns_above: int = 2,
    n_beside: float = 0.0,
    is_dense: bool = False,
) -> tuple[Any, Matrix]:
    """Return axes and the texts around the matrix, in a font size that fits the axes.

    If `ax` is None, the axes belong to a new figure in which cells are roughly square and large
    enough for `content`, or for names in a single line if the matrix is dense.
    """
    names = [one_line(name) for name in names]
    matrix = Matrix(
        names, names, rotation, key, unit, n_columns_above=n_columns_above, n_beside=n_beside
    )
    if ax is not None:
        check_axes(ax)
        return ax, _fitted_matrix(matrix, room(ax))
    size, scale, n_classes = default_font_size(), font_scale(), len(names)
    if is_dense:
        name_width, n_lines, cell = em(size, _DENSE_NAME_WIDTH), 1, em(size, _DENSE_CELL)
    else:
        name_width, n_lines = em(size, NAME_WIDTH), _MOST_LINES
        cell = min(1.2 * scale, 7 / n_classes)
    rows = shortened(names, name_width, n_lines, size)
    matrix = replace(matrix, font_size=size, rows=rows)
    matrix = _with_columns(matrix, names, cell, name_width)
    if not is_dense:
        needed = 1.2 * max(width([content], size), height([content], size), *matrix.cell_size())
        cell = max(_SMALLEST_CELL * scale, _SMALLEST_MATRIX / n_classes, needed)
    side = min(n_classes * cell, _LARGEST_MATRIX)
    across, around = side * matrix.n_across / n_classes, matrix.around()
    return new_axes(across + around[0] + 0.1, side + around[1] + 0.1), matrix


def _fitted_matrix(matrix: Matrix, room: Room) -> Matrix:
    """Return a matrix with the largest texts that leave enough room for the cells."""
    places = (False, True) if matrix.key else (False,)
    for size, n_kept, area in attempts():
        for is_above in places:
            for share in _NAMES[:1] if n_kept is None else _NAMES:
                sized = replace(matrix, font_size=size, is_legend_above=is_above)
                found = _matrix_of_size(sized, room, share, n_kept)
                if found is not None and _has_room(found, room.with_area(area)):
                    return found
    size, share = smallest_font_size(), _NAMES[-1]
    matrix = replace(matrix, font_size=size, is_legend_above=places[-1])
    rows = shortened(matrix.rows, share * room.across, 1, size)
    names, matrix = matrix.rows, _with_unit(replace(matrix, rows=rows, columns=()), room)
    return _with_columns(matrix, names, _cell_width(matrix, room), share * room.down)


def _has_room(matrix: Matrix, room: Room) -> bool:
    n_classes = len(matrix.rows)
    (left, below), (cell_width, cell_height) = matrix.around(), matrix.cell_size()
    across, down = room.across - left, room.down - below
    if matrix.is_legend_above and matrix.legend_size()[0] > room.across:
        return False
    return (
        across >= max(_MATRIX_SIDE * room.across, matrix.n_across * cell_width)
        and down >= max(_MATRIX_SIDE * room.down, n_classes * cell_height)
        and across * down >= room.axes_area
    )


def _matrix_of_size(matrix: Matrix, room: Room, share: float, n_kept: int | None) -> Matrix | None:
    """Return a matrix whose names take at most a share of the room."""
    names, size = matrix.rows, matrix.font_size
    n_lines = max(1, n_lines_in(0.5 * room.down / len(names), size))
    limit = min(em(size, NAME_WIDTH), share * room.across)
    rows = fitted(names, limit, n_lines, size, n_kept=n_kept)
    if rows is None:
        return None
    matrix = _with_unit(replace(matrix, rows=rows, columns=()), room)
    cell = _cell_width(matrix, room)
    down = min(em(size, NAME_WIDTH), share * room.down)
    columns: list[str] | None
    if matrix.rotation != "vertical":
        columns = fitted(names, cell, n_lines_in(down, size), size, n_kept=n_kept)
        if columns is not None:
            return replace(matrix, columns=columns, rotation="horizontal")
        if matrix.rotation == "horizontal":
            return None
    columns = fitted(names, down, n_lines_in(cell, size), size, n_kept=n_kept)
    return None if columns is None else replace(matrix, columns=columns, rotation="vertical")


def _with_unit(matrix: Matrix, room: Room) -> Matrix:
    unit = wrapped(matrix.unit.split("\n"), 0.9 * room.across, matrix.font_size)
    return replace(matrix, unit="\n".join(unit))


def _cell_width(matrix: Matrix, room: Room) -> float:
    """Return the width in inches that the name of a column can have."""
    side = max(room.across - matrix.around()[0], 0.2 * room.across)
    return 0.96 * side / matrix.n_across


def _with_columns(matrix: Matrix, names: Sequence[str], cell: float, down: float) -> Matrix:
    """Return a matrix with column names, horizontal if they fit the cells without shortening."""
    size = matrix.font_size
    rotation = matrix.rotation
    if rotation is None:
        columns = fitted(names, cell, n_lines_in(down, size), size, n_kept=None)
        rotation = "vertical" if columns is None else "horizontal"
    across, height = (cell, down) if rotation == "horizontal" else (down, cell)
    columns = shortened(names, across, max(1, n_lines_in(height, size)), size)
    return replace(matrix, columns=columns, rotation=rotation)


def add_legend(ax: Any, matrix: Matrix, handles: Sequence[Any]) -> Any:
    """Add the legend, on the right or above the matrix, and return it."""
    legend = ax.legend(
        handles,
        matrix.key,
        title=matrix.unit,
        loc="lower right" if matrix.is_legend_above else "upper left",
        bbox_to_anchor=(1, 1),
        ncols=matrix.n_columns,
        alignment="left",
        fontsize=matrix.font_size,
        title_fontsize=matrix.font_size,
        handlelength=1.6,
        handletextpad=0.6,
        **LEGEND_OPTIONS,
    )
    legend.get_title().set_parse_math(False)
    if matrix.is_legend_above:
        settle(ax)
        left, right = ax.yaxis.get_tightbbox().x0, ax.get_window_extent().x1
        legend.set(loc="lower center")
        center_legend(ax, legend, left, right)
        keep_titles_above(ax, legend)
    return legend
