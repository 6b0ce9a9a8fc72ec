"""Plot of what errors cost by several criteria."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    OrdinalScale,
    check_floats,
    check_mapping,
    check_target_names,
)
from sklearn_ordinal.plotting._cells import write_cells
from sklearn_ordinal.plotting._cost_layout import (
    CostLayout,
    cost_layout_of_plot,
    draw_cost_panel,
)
from sklearn_ordinal.plotting._layout import size_in_inches
from sklearn_ordinal.plotting._panels import draw_frame
from sklearn_ordinal.plotting._style import GRID, TOO_LOW, require_matplotlib, shades, text_colors
from sklearn_ordinal.plotting._text import height, width

_LABELS = ("Predicted class", "True class")
_KEY = ("an error costs nothing", "half of the worst", "as much as the worst")
_SHARES = (0.0, 0.5, 1.0)
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

        ax, layout = cost_layout_of_plot(ax, self.target_names, list(self.costs), key=_KEY)
        colors = shades(np.array(_SHARES), TOO_LOW, 1.0)
        draw_frame(
            ax,
            _LABELS,
            [Patch(facecolor=color, edgecolor=GRID) for color in colors],
            _KEY,
            n_legend_columns=layout.n_legend_columns,
            font_size=layout.font_size,
        )
        self.axes_ = [draw_cost_panel(ax, layout, place) for place in range(len(self.costs))]
        self.im_ = [
            _draw_cells(panel, matrix)
            for panel, matrix in zip(self.axes_, self.costs.values(), strict=True)
        ]
        self.text_ = self._write_values(layout)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _write_values(self, layout: CostLayout) -> list[NDArray[Any]] | None:
        """Write the values in one font size for all panels, unless that would be too small."""
        texts = [_as_texts(matrix) for matrix in self.costs.values()]
        widest = max((text for matrix in texts for text in matrix.flat), key=len)
        size, n_classes = layout.font_size, len(self.target_names)
        across, down = np.divide(size_in_inches(self.axes_[0]), n_classes)
        size *= min(1, 0.9 * across / width([widest], size), 0.9 * down / height(["0"], size))
        if size < min(_SMALLEST_VALUE, layout.font_size):
            return None
        return [
            write_cells(panel, matrix, text_colors(image.get_array()), size)
            for panel, matrix, image in zip(self.axes_, texts, self.im_, strict=True)
        ]


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
    """Return the values, without those of correct predictions."""
    texts = np.array(
        [["-" if np.isnan(cost) else f"{cost:.2f}" for cost in row] for row in costs.tolist()],
        dtype=object,
    )
    np.fill_diagonal(texts, "")
    return texts
