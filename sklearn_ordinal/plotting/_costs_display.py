"""Plot of the costs of errors according to several criteria."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import checks, scales
from sklearn_ordinal._core.scales import OrdinalScale
from sklearn_ordinal.plotting import _matrix_display, _style

_KEY = ("an error costs nothing", "half of the worst", "as much as the worst")
_SHARES = (0.0, 0.5, 1.0)
# Smallest sides of a cell and of a panel in new figures, and the width of a character, in inches at
# a font size of ten points.
_NEW_CELL, _NEW_SIDE, _CHARACTER = 0.36, 1.7, 0.08


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
        Invisible axes that the panels replace.
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
        checks.check_mapping("costs", costs)
        if not costs:
            raise ValueError("costs must have at least one criterion, got none.")
        self.costs = {
            name: checks.check_floats(f"costs[{checks.shown(name)}]", matrix, ndim=2)
            for name, matrix in costs.items()
        }
        n_classes = len(next(iter(self.costs.values())))
        for name, matrix in self.costs.items():
            if matrix.shape != (n_classes, n_classes) or n_classes < 2:
                raise ValueError(
                    f"costs must be square matrices of one size, at least 2 x 2, got shape "
                    f"{matrix.shape} for {checks.shown(name)}."
                )
            if (matrix > 1).any():
                raise ValueError(
                    f"costs must be shares of the worst error, at most 1, got "
                    f"{np.nanmax(matrix):g} for "
                    f"{checks.shown(name)}: divide them by their maximum."
                )
        scale = OrdinalScale.from_run(0, n_classes)
        self.target_names = scales.check_target_names(target_names, scale)

    def plot(self, ax: Any = None) -> Self:
        """Plot a panel for each criterion.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Axes of ``plt.subplots`` that the panels replace. Create their figure with
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
            If `ax` is not rectilinear axes of a grid.
        """
        _style.require_matplotlib(self)
        from matplotlib.patches import Patch

        n_classes = len(self.target_names)
        texts = _style.short_names(self.target_names, (20, 20))
        around = 0.6 + _CHARACTER * _style.longest_line(texts)
        colors = _style.shades(np.array(_SHARES), _style.TOO_LOW, 1.0)
        ax, self.axes_ = _style.grid_of_axes(
            ax,
            list(self.costs),
            max(_NEW_SIDE, _NEW_CELL * n_classes),
            handles=[Patch(facecolor=color, edgecolor=_style.GRID) for color in colors],
            key=_KEY,
            labels=_matrix_display.AXIS_LABELS,
            around=around,
        )
        self.im_, written = [], []
        n_rows, n_columns = self.axes_[0].get_subplotspec().get_gridspec().get_geometry()
        width, height = _matrix_display.sides_left(ax, around, around)
        cell = width / n_columns / n_classes, height / n_rows / n_classes
        for panel, costs in zip(self.axes_, self.costs.values(), strict=True):
            cells = _colors(costs)
            self.im_.append(_matrix_display.draw_cells(panel, cells))
            written.append(_matrix_display.write_cells(panel, cells, [_as_texts(costs)], cell))
            _matrix_display.name_classes(panel, texts, cell)
        self.text_ = [texts[0] for texts in written if texts] or None
        self.ax_, self.figure_ = ax, ax.figure
        return self


def _colors(costs: NDArray[np.float64]) -> NDArray[np.float64]:
    colors = _style.shades(np.clip(np.nan_to_num(costs), 0, 1), _style.TOO_LOW, 1.0)
    is_blank = np.isnan(costs) | np.eye(len(costs), dtype=bool)
    return np.where(is_blank[..., None], 1.0, colors)


def _as_texts(costs: NDArray[np.float64]) -> NDArray[Any]:
    """Return the values as texts, which are empty for correct predictions."""
    texts = np.array(
        [["-" if np.isnan(cost) else f"{cost:z.2f}" for cost in row] for row in costs.tolist()],
        dtype=object,
    )
    np.fill_diagonal(texts, "")
    return texts
