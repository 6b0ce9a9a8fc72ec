"""Plot of what errors cost by several criteria."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    OrdinalScale,
    check_floats,
    check_mapping,
    check_target_names,
)
from sklearn_ordinal.plotting._layout import (
    check_axes,
    new_axes,
    room,
    shrink,
    size_in_inches,
)
from sklearn_ordinal.plotting._panels import draw_frame
from sklearn_ordinal.plotting._rows import n_legend_columns
from sklearn_ordinal.plotting._style import TOO_LOW, require_matplotlib, shades, text_colors
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

_LABELS = ("Predicted class", "True class")
_KEY = ("an error costs nothing", "half of the worst", "as much as the worst")
_SHARES = (0.0, 0.5, 1.0)
_GRID = "#cfcfcf"
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
# Values in smaller letters, in points, are left out.
_SMALLEST_VALUE = 5.5


class ErrorCostDisplay:
    """What each error costs by several criteria, as matrices side by side.

    A panel for each criterion shows the cost of an error for each true class (rows) and
    predicted class (columns), both from the lowest to the highest, as a share of the worst
    error by the same criterion. The darker a cell, the higher the cost, on one scale for all
    panels. Correct predictions are white and have no value; undefined costs are white with a
    dash. Values are left out of cells that are too small for them.

    Parameters
    ----------
    costs : mapping of str to array-like of shape (n_classes, n_classes)
        Costs by name of the criterion, at most 1, rows true, NaN where undefined.
    target_names : sequence of str, default=None
        Display names of the classes, in the order of the scale. If None, 0, 1, ...

    Attributes
    ----------
    im_ : list of matplotlib.image.AxesImage
        Image of the colours of each panel.
    text_ : list of ndarray of shape (n_classes, n_classes) of Text, or None
        Values of each panel, with empty texts on the diagonal; None if they do not fit.
    axes_ : list of matplotlib.axes.Axes
        Panel of each criterion.
    ax_ : matplotlib.axes.Axes
        Axes that contain the panels.
    figure_ : matplotlib.figure.Figure
        Figure that contains the plot.

    Raises
    ------
    ValueError
        If `costs` is empty, a matrix is not square, its values exceed 1 or its shape differs
        from the others, or `target_names` does not name each class exactly once.

    See Also
    --------
    sklearn_ordinal.meta_evaluation.recommend_metrics : Compute the costs.
    OrdinalConfusionMatrixDisplay : How often each error occurs.

    Examples
    --------
    >>> from sklearn_ordinal.plotting import ErrorCostDisplay
    >>> display = ErrorCostDisplay(
    ...     {
    ...         "accuracy": [[0, 1, 1], [1, 0, 1], [1, 1, 0]],
    ...         "ordinal_mean_absolute_error": [[0, 0.5, 1], [0.5, 0, 0.5], [1, 0.5, 0]],
    ...     },
    ...     target_names=["low", "mid", "high"],
    ... ).plot()
    >>> display.text_[1][0, 1].get_text()
    '0.50'
    """

    def __init__(
        self, costs: Mapping[str, ArrayLike], *, target_names: Sequence[str] | None = None
    ) -> None:
        check_mapping("costs", costs)
        if not costs:
            raise ValueError("costs must have at least one criterion, got none.")
        self.costs = {
            name: check_floats(f"costs[{name!r}]", matrix, ndim=2) for name, matrix in costs.items()
        }
        n_classes = len(next(iter(self.costs.values())))
        for name, matrix in self.costs.items():
            if matrix.shape != (n_classes, n_classes) or n_classes < 2:
                raise ValueError(
                    f"costs must be square matrices of one size, at least 2 x 2, got shape "
                    f"{matrix.shape} for {name!r}."
                )
            if (matrix > 1).any():
                raise ValueError(
                    f"costs must be shares of the worst, at most 1, got {np.nanmax(matrix):g} for "
                    f"{name!r}: divide them by their maximum."
                )
        scale = OrdinalScale.from_run(0, n_classes)
        self.target_names = check_target_names(target_names, scale)

    def plot(self, ax: Any = None) -> Self:
        """Plot a panel for each criterion.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on, in which texts are made to fit. If None, a new
            figure of a suitable size is created.

        Returns
        -------
        ErrorCostDisplay
            The display itself.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If `ax` is not rectilinear axes.
        """
        require_matplotlib(self)
        from matplotlib.patches import Patch

        names = [one_line(name) for name in self.target_names]
        layout = _Layout(names, names, [one_line(name) for name in self.costs])
        if ax is None:
            ax, layout = _on_new_axes(layout)
        else:
            check_axes(ax)
            place = room(ax)
            layout = _fitted_layout(layout, place.across, place.down)
        colors = shades(np.array(_SHARES), TOO_LOW, 1.0)
        draw_frame(
            ax,
            _LABELS,
            [Patch(facecolor=color, edgecolor=_GRID) for color in colors],
            _KEY,
            n_legend_columns=layout.n_legend_columns,
            font_size=layout.font_size,
        )
        self.axes_ = [_draw_panel(ax, layout, place) for place in range(len(self.costs))]
        self.im_ = [
            _draw_cells(panel, matrix)
            for panel, matrix in zip(self.axes_, self.costs.values(), strict=True)
        ]
        self.text_ = self._write_values(layout)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _write_values(self, layout: _Layout) -> list[NDArray[Any]] | None:
        """Write the values in one font size for all panels, unless that would be too small."""
        texts = [_as_texts(matrix) for matrix in self.costs.values()]
        widest = max((text for matrix in texts for text in matrix.flat), key=len)
        size, n_classes = layout.font_size, len(self.target_names)
        across, down = np.divide(size_in_inches(self.axes_[0]), n_classes)
        size *= min(1, 0.9 * across / width([widest], size), 0.9 * down / height(["0"], size))
        if size < min(_SMALLEST_VALUE, layout.font_size):
            return None
        written = []
        for panel, matrix, image in zip(self.axes_, texts, self.im_, strict=True):
            inks, artists = text_colors(image.get_array()), np.empty(matrix.shape, dtype=object)
            for row, column in np.ndindex(matrix.shape):
                artists[row, column] = panel.text(
                    column,
                    row,
                    matrix[row, column],
                    color=inks[row, column],
                    fontsize=size,
                    ha="center",
                    va="center",
                )
            written.append(artists)
        return written


@dataclass(frozen=True)
class _Layout:
    """The texts of a plot, broken into lines, and where they are.

    Of the rows and the columns, every `row_step`-th and `column_step`-th has its name.
    """

    rows: Sequence[str]
    columns: Sequence[str]
    titles: Sequence[str]
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
        size, n_rows = self.font_size, -(-len(_KEY) // self.n_legend_columns)
        return em(size, 1.8), em(size, 1.8) + em(size, 1.5 * n_rows + 0.7)

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


def _on_new_axes(layout: _Layout) -> tuple[Any, _Layout]:
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
    across = max(across, width(_KEY, size) + em(size, 4))
    layout = replace(layout, n_legend_columns=n_legend_columns(_KEY, across, size))
    down = layout.n_rows * (side + gap + layout.title_height()) - gap + bottom
    beside, below = layout.around()
    return new_axes(across + beside + 0.1, down + below + 0.1), layout


def _with_columns(layout: _Layout, cell: float, limit: float) -> _Layout:
    """Return a layout whose columns have horizontal names if all fit the cells in one line."""
    names, size = layout.columns, layout.font_size
    columns = fitted(names, 0.96 * cell, 1, size, n_kept=None)
    if columns is not None:
        return replace(layout, columns=columns)
    return replace(layout, columns=shortened(names, limit, 1, size), is_vertical=True)


def _fitted_layout(layout: _Layout, across: float, down: float) -> _Layout:
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
    layout: _Layout, across: float, down: float, size: float, n_columns: int, n_kept: int | None
) -> _Layout | None:
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


def _thinned(layout: _Layout, across: float, down: float) -> _Layout:
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
    layout: _Layout, across: float, down: float, size: float, n_columns: int
) -> tuple[_Layout, tuple[float, float]]:
    """Return a layout with a font size, and the most inches that names of classes take."""
    n_legend = n_legend_columns(_KEY, across, size)
    layout = replace(layout, font_size=size, n_columns=n_columns, n_legend_columns=n_legend)
    longest = em(size, NAME_WIDTH)
    return layout, (min(longest, _NAMES_ACROSS * across), min(longest, _NAMES_DOWN * down))


def _side_within(
    layout: _Layout, across: float, down: float, names: tuple[float, float]
) -> tuple[float, float]:
    """Return the least width and height of a panel, with a title of one line."""
    beside, below = layout.around()
    size, gap = layout.font_size, em(layout.font_size, _BETWEEN)
    return (
        (across - beside - names[0] - _GAP + gap) / layout.n_columns - gap,
        (down - below - names[1] - _GAP + gap) / layout.n_rows - gap - em(size, _BELOW + 1.2),
    )


def _draw_panel(ax: Any, layout: _Layout, place: int) -> Any:
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


def _draw_cells(panel: Any, costs: NDArray[np.float64]) -> Any:
    colors = shades(np.clip(np.nan_to_num(costs), 0, 1), TOO_LOW, 1.0)
    is_blank = np.isnan(costs) | np.eye(len(costs), dtype=bool)
    image = panel.imshow(
        np.where(is_blank[..., None], 1.0, colors), aspect="auto", interpolation="nearest"
    )
    low, high = -0.5, len(costs) - 0.5
    borders = np.arange(1, len(costs)) - 0.5
    panel.hlines(borders, low, high, color=_GRID, linewidth=0.5)
    panel.vlines(borders, low, high, color=_GRID, linewidth=0.5)
    panel.set(xlim=(low, high), ylim=(high, low))
    return image


def _as_texts(costs: NDArray[np.float64]) -> NDArray[Any]:
    """Return the values, without those of correct predictions."""
    texts = np.array(
        [["-" if np.isnan(cost) else f"{cost:.2f}" for cost in row] for row in costs.tolist()],
        dtype=object,
    )
    np.fill_diagonal(texts, "")
    return texts
