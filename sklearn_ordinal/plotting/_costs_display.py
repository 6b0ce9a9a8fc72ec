"""Plot of the costs of errors according to several criteria."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    OrdinalScale,
    check_floats,
    check_mapping,
    check_target_names,
    shown,
)
from sklearn_ordinal.plotting._fitted_names import (
    LONGEST_LINE,
    SHORTEST_NAME,
    fitted_names,
    longest_line,
    most_lines,
    one_line,
)
from sklearn_ordinal.plotting._layout import value_size, write_cells
from sklearn_ordinal.plotting._panels import Panels, axes_with_panels, draw_panels, label_edges
from sklearn_ordinal.plotting._style import GRID, TOO_LOW, require_matplotlib, shades, text_colors

_LABELS = ("Predicted class", "True class")
_KEY = ("an error costs nothing", "half of the worst", "as much as the worst")
_SHARES = (0.0, 0.5, 1.0)
# For new figures, in inches at a font size of ten points: the smallest side of a cell and of a
# panel, and the height that a cell needs for each line of a name.
_NEW_CELL, _NEW_SIDE, _NEW_LINE = 0.36, 1.7, 0.22


class ErrorCostDisplay:
    """The cost of each error according to several criteria, as matrices side by side.

    A panel for each criterion shows the cost of an error for each true class (rows) and
    predicted class (columns), both from the lowest to the highest, as a share of the worst
    error according to the same criterion. A darker cell means a higher cost, and all panels
    share one colour scale. Correct predictions are white and have no value; undefined costs are
    white with a dash. If the cells are too small, the values are left out.

    Parameters
    ----------
    costs : mapping of str to array-like of shape (n_classes, n_classes)
        Costs by the name of the criterion. True classes are in rows, values are at most 1,
        and undefined costs are NaN.
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
        If `costs` is empty, a matrix is not square or contains a value above 1, the matrices
        have different shapes, or `target_names` does not name each class exactly once.

    See Also
    --------
    sklearn_ordinal.OrdinalMetric.cost_matrix : Compute the costs for given class sizes.
    OrdinalConfusionMatrixDisplay : Plot how often each error occurs.

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
            name: check_floats(f"costs[{shown(name)}]", matrix, ndim=2)
            for name, matrix in costs.items()
        }
        n_classes = len(next(iter(self.costs.values())))
        for name, matrix in self.costs.items():
            if matrix.shape != (n_classes, n_classes) or n_classes < 2:
                raise ValueError(
                    f"costs must be square matrices of one size, at least 2 x 2, got shape "
                    f"{matrix.shape} for {shown(name)}."
                )
            if (matrix > 1).any():
                raise ValueError(
                    f"costs must be shares of the worst error, at most 1, got "
                    f"{np.nanmax(matrix):g} for "
                    f"{shown(name)}: divide them by their maximum."
                )
        scale = OrdinalScale.from_run(0, n_classes)
        self.target_names = check_target_names(target_names, scale)

    def plot(self, ax: Any = None) -> Self:
        """Plot a panel for each criterion.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on. Their figure is not changed: create it with
            ``layout="constrained"``, which makes room for names. If None, a new figure is created.

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
        n_characters = min(longest_line(names), LONGEST_LINE)
        n_lines = most_lines(fitted_names(names, LONGEST_LINE, 2))
        ax, panels = axes_with_panels(
            ax,
            [one_line(name) for name in self.costs],
            key=_KEY,
            edges=(n_characters, n_characters),
            side=max(_NEW_SIDE, len(names) * max(_NEW_CELL, _NEW_LINE * n_lines)),
        )
        colors = shades(np.array(_SHARES), TOO_LOW, 1.0)
        handles = [Patch(facecolor=color, edgecolor=GRID) for color in colors]
        self.axes_ = draw_panels(ax, panels, handles, _LABELS)
        self.im_ = [
            _draw_cells(panel, matrix)
            for panel, matrix in zip(self.axes_, self.costs.values(), strict=True)
        ]
        _name_classes(ax, panels, self.axes_, names)
        self.text_ = self._write_values(panels)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _write_values(self, panels: Panels) -> list[NDArray[Any]] | None:
        """Write the values in one font size for all panels, unless that would be too small."""
        width, height = np.divide(panels.side_in_inches(), len(self.target_names))
        texts = np.array([_as_texts(matrix) for matrix in self.costs.values()])
        size = value_size(texts, (width, height), panels.room.font_size)
        if size is None:
            return None
        return [
            write_cells(panel, values, text_colors(image.get_array()), size)
            for panel, values, image in zip(self.axes_, texts, self.im_, strict=True)
        ]


def _name_classes(ax: Any, panels: Panels, axes: Sequence[Any], names: Sequence[str]) -> None:
    """Label the classes along the edges; in small panels, only every second, third, ... class."""
    room, n_classes = panels.room, len(names)
    width, height = np.divide(panels.side_in_inches(), n_classes)
    edges = np.divide(panels.edges, room.reserve)
    left, bottom = (max(SHORTEST_NAME, room.n_characters(edge)) for edge in edges)
    rows = fitted_names(names, left, room.n_lines(0.9 * height))
    columns = fitted_names(names, bottom, room.n_lines(0.9 * width))
    across = 1.2 * room.text_width(longest_line(columns))
    is_vertical = across > width
    if is_vertical:
        across = room.text_height(0.85)
    column_step, row_step = ceil(across / width), ceil(room.text_height(0.85) / height)
    for panel in axes:
        panel.tick_params(length=0)
    label_edges(
        ax,
        panels,
        axes,
        {k: columns[k] for k in range(0, n_classes, column_step)},
        {k: rows[k] for k in range(0, n_classes, row_step)},
        rotation="vertical" if is_vertical else "horizontal",
    )


def _draw_cells(panel: Any, costs: NDArray[np.float64]) -> Any:
    colors = shades(np.clip(np.nan_to_num(costs), 0, 1), TOO_LOW, 1.0)
    is_blank = np.isnan(costs) | np.eye(len(costs), dtype=bool)
    image = panel.imshow(
        np.where(is_blank[..., None], 1.0, colors), aspect="auto", interpolation="nearest"
    )
    low, high = -0.5, len(costs) - 0.5
    borders = np.arange(1, len(costs)) - 0.5
    panel.hlines(borders, low, high, color=GRID, linewidth=0.5)
    panel.vlines(borders, low, high, color=GRID, linewidth=0.5)
    panel.set(xlim=(low, high), ylim=(high, low))
    return image


def _as_texts(costs: NDArray[np.float64]) -> NDArray[Any]:
    """Return the values as texts, which are empty for correct predictions."""
    texts = np.array(
        [["-" if np.isnan(cost) else f"{cost:.2f}" for cost in row] for row in costs.tolist()],
        dtype=object,
    )
    np.fill_diagonal(texts, "")
    return texts
