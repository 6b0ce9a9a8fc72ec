"""Heat map and dendrogram of the agreement of criteria."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.cluster import hierarchy
from scipy.spatial.distance import squareform

from sklearn_ordinal._core import check_floats, check_names
from sklearn_ordinal.plotting._layout import value_size, write_cells
from sklearn_ordinal.plotting._matrix_layout import (
    Matrix,
    add_legend,
    axes_with_matrix,
    draw_borders,
    label_matrix,
)
from sklearn_ordinal.plotting._style import (
    GREY,
    TOO_HIGH,
    TOO_LOW,
    line_color,
    require_matplotlib,
    shades,
    text_colors,
)

Floats = NDArray[np.float64]

_KEY = {"1": 1.0, ".5": 0.5, "0": 0.0, "-.5": -0.5, "-1": -1.0}
_UNDEFINED = "undefined"
_UNIT = "Kendall's tau\nlines join at the mean tau"
_WIDEST_VALUE = "-.00"
# Values are left out if their font size would be smaller than this number of points.
_SMALLEST_VALUE = 5.0
# Gaps on both sides of the dendrogram and its smallest width, in columns of the matrix.
_GAP, _GAP_TO_LEGEND, _SMALLEST_WIDTH = 0.5, 0.3, 1.0
# The width of the dendrogram relative to the matrix, and the width at which its axis has three
# labels.
_WIDTH, _WIDE = 0.25, 4.0


class RankAgreementDisplay:
    """Heat map and dendrogram of the agreement of criteria on the order of systems.

    Each cell shows Kendall's tau of two criteria. It is blue if tau is positive, orange if tau
    is negative, and darker if tau is farther from zero. Equal distances from zero are equally
    dark, so the plot remains readable in greyscale. There, negative cells are marked by the
    sign of the value or, if the cells are too small for values, by a diagonal line. A value is
    written as 1 or -1 only if it is exact.

    The dendrogram on the right joins the criteria, and groups of criteria, that agree most
    (average linkage of 1 - tau). The axis below it shows the mean tau of the two groups that a
    line joins. The heat map is in the order of the dendrogram, in which neighbours agree as
    much as possible. Criteria whose tau is undefined come last and are not joined.

    Parameters
    ----------
    tau : array-like of shape (n_criteria, n_criteria)
        Kendall's tau of each pair of criteria. NaN in the row and the column of a criterion
        whose tau is undefined.
    names : sequence of str
        Names of the criteria.

    Attributes
    ----------
    order : ndarray of shape (n_criteria,)
        Positions of the criteria from the top to the bottom of the plot.
    im_ : matplotlib.image.AxesImage
        Image of the colours of the cells.
    text_ : ndarray of shape (n_criteria, n_criteria) of matplotlib.text.Text, or None
        Values in the order of the plot; None if the cells are too small.
    line_ : matplotlib.lines.Line2D or None
        The dendrogram; None if tau is undefined for all criteria but one.
    ax_ : matplotlib.axes.Axes
        Axes of the plot.
    figure_ : matplotlib.figure.Figure
        Figure that contains the plot.

    Raises
    ------
    ValueError
        If `tau` is not a symmetric matrix of at least two criteria with values in [-1, 1]
        and ones on the diagonal, or `names` does not name each criterion once.

    See Also
    --------
    sklearn_ordinal.meta_evaluation.rank_agreement : Compute Kendall's tau.
    CriticalDifferenceDisplay : Plot average ranks of systems.

    Examples
    --------
    >>> from sklearn_ordinal.typing import RankAgreementDisplay
    >>> tau = [[1, 0.2, 0.8], [0.2, 1, 0.4], [0.8, 0.4, 1]]
    >>> display = RankAgreementDisplay(tau, names=["accuracy", "purity", "f1"]).plot()
    >>> [display.names[position] for position in display.order]
    ['accuracy', 'f1', 'purity']
    >>> display.text_[0, 1].get_text()
    '.80'
    """

    def __init__(self, tau: ArrayLike, *, names: Sequence[str]) -> None:
        self.tau = check_floats("tau", tau, ndim=2)
        self.names = check_names("names", names)
        _check(self.tau, self.names)
        is_undefined = np.isnan(np.diagonal(self.tau))
        defined = np.flatnonzero(~is_undefined)
        self._linkage = _linkage(self.tau[np.ix_(defined, defined)])
        leaves = hierarchy.leaves_list(self._linkage) if len(self._linkage) else slice(None)
        self.order = np.concatenate([defined[leaves], np.flatnonzero(is_undefined)])

    def plot(self, ax: Any = None) -> Self:
        """Plot the heat map and the dendrogram.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on. Their figure is not changed: create it with
            ``layout="constrained"``, which makes room for names. If None, a new figure is created.

        Returns
        -------
        RankAgreementDisplay
            The display itself.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If `ax` is not rectilinear axes.
        """
        require_matplotlib(self)
        n_criteria = len(self.names)
        tau = self.tau[np.ix_(self.order, self.order)]
        has_undefined = bool(np.isnan(tau).any())
        key = [*_KEY, _UNDEFINED] if has_undefined else [*_KEY]
        n_beside = 0.0
        if len(self._linkage):
            n_beside = _GAP + max(_SMALLEST_WIDTH, _WIDTH * n_criteria) + _GAP_TO_LEGEND
        ax, matrix = axes_with_matrix(
            ax,
            [self.names[position] for position in self.order],
            rotation=None,
            content=_WIDEST_VALUE,
            key=key,
            unit=_UNIT,
            n_beside=n_beside,
        )
        # Hide the background of the axes, which would only be visible around the dendrogram.
        ax.patch.set_visible(False)
        ax.spines[:].set_visible(False)
        colors = _colors(tau)
        # As for confusion matrices, the size of a new figure makes the cells roughly square.
        self.im_ = ax.imshow(colors, interpolation="nearest", aspect="auto")
        draw_borders(ax, n_criteria)
        self.line_, ticks = None, dict[float, str]()
        if len(self._linkage):
            edge = n_criteria - 0.5
            self.line_, ticks = _draw_dendrogram(
                ax, self._linkage, edge + _GAP, edge + n_beside - _GAP_TO_LEGEND
            )
        corner = label_matrix(ax, matrix, ticks=ticks)
        legend = _explain(ax, matrix, corner, key)
        inks = np.where(np.isnan(tau), GREY, text_colors(colors))
        texts = np.array([[_as_text(value) for value in row] for row in tau.tolist()], object)
        size = value_size(texts, matrix.cell, matrix.room.font_size)
        self.text_ = None if size is None else write_cells(ax, texts, inks, size)
        if self.text_ is None:
            _mark_negative(ax, tau, colors)
            for patch, value in zip(legend.get_patches(), _KEY.values(), strict=False):
                if value < 0:
                    patch.set_hatch("////")
        self.ax_, self.figure_ = ax, ax.figure
        return self


def _check(tau: Floats, names: tuple[str, ...]) -> None:
    n_criteria = len(tau)
    if tau.shape != (n_criteria, n_criteria) or n_criteria < 2:
        raise ValueError(
            f"tau must have a row and a column for each of at least two criteria, got shape "
            f"{tau.shape}."
        )
    if len(names) != n_criteria or len(set(names)) != n_criteria:
        raise ValueError(
            f"names must name each of the {n_criteria} criteria once, got {list(names)}."
        )

    def value(cell: Sequence[int]) -> str:
        return f"{tau[tuple(cell)]} for {names[cell[0]]!r} and {names[cell[1]]!r}"

    is_defined = ~np.isnan(np.diagonal(tau))
    is_misplaced = np.isnan(tau) == (is_defined[:, None] & is_defined)
    if is_misplaced.any():
        raise ValueError(
            f"tau must be NaN in the whole row and column of a criterion whose tau is undefined, "
            f"and nowhere else, got {value(np.argwhere(is_misplaced)[0])}."
        )
    is_asymmetric = ~np.isclose(tau, tau.T, equal_nan=True)
    if is_asymmetric.any():
        cell = np.argwhere(is_asymmetric)[0]
        raise ValueError(f"tau must be symmetric, got {value(cell)}, but {value(cell[::-1])}.")
    is_outside = (np.abs(tau) > 1) | (np.eye(n_criteria, dtype=bool) & is_defined & (tau != 1))
    if is_outside.any():
        raise ValueError(
            f"tau must be between -1 and 1, and 1 on the diagonal, "
            f"got {value(np.argwhere(is_outside)[0])}."
        )


def _linkage(tau: Floats) -> Floats:
    """Return the merges of criteria in SciPy's format; empty for fewer than two criteria."""
    if len(tau) < 2:
        return np.empty((0, 4))
    distances = squareform(1 - tau, checks=False)
    merges: Floats = hierarchy.linkage(distances, "average", optimal_ordering=True)
    # The reverse order is just as good, so put the first criterion in the upper half.
    if hierarchy.leaves_list(merges).tolist().index(0) > (len(tau) - 1) / 2:
        merges[:, :2] = merges[:, 1::-1]
    return merges


def _colors(tau: Floats) -> Floats:
    known = np.nan_to_num(tau)
    colors = shades(np.abs(known), np.where(known < 0, TOO_HIGH, TOO_LOW), np.abs(known))
    return np.where(np.isnan(tau)[..., None], 1.0, colors)


def _draw_dendrogram(
    ax: Any, linkage: Floats, left: float, right: float
) -> tuple[Any, dict[float, str]]:
    """Draw the dendrogram; return its line, and the labels of the axis of tau by position."""
    tree = hierarchy.dendrogram(linkage, no_plot=True)
    largest = float(linkage[-1, 2])
    scale = (right - left) / (largest or 1.0)
    # SciPy puts the first leaf at 5 and the others at distances of 10.
    down = (np.array(tree["icoord"]) - 5) / 10
    across = left + scale * np.array(tree["dcoord"])
    (line,) = ax.plot(
        np.insert(across, 4, np.nan, axis=1).ravel(),
        np.insert(down, 4, np.nan, axis=1).ravel(),
        color=line_color(),
        linewidth=1,
        linestyle="-",
        marker="",
        clip_on=False,
    )
    n_labels = 3 if right - left >= _WIDE else 2
    distances = np.linspace(0, largest, n_labels if largest else 1)
    return line, {left + scale * distance: _as_text(1 - distance) for distance in distances}


def _as_text(tau: float) -> str:
    """Return two decimals without the zero before the point, or an exact integer."""
    if math.isnan(tau):
        return "-"
    if tau in (-1, 0, 1):
        return f"{tau:.0f}"
    text = f"{tau:.2f}".replace("1.00", "1.0")
    return text.replace("0.", ".").replace("-.00", ".00")


def _mark_negative(ax: Any, tau: Floats, colors: Floats) -> None:
    """Draw a diagonal line through each negative cell."""
    from matplotlib.collections import LineCollection

    cells = np.argwhere(tau < 0)
    # The line goes from the lower left to the upper right corner; rows are counted downwards.
    corners = cells[:, None, ::-1] + np.array([[-0.5, 0.5], [0.5, -0.5]])
    inks = text_colors(colors)[tuple(cells.T)]
    lines = LineCollection(list(corners), colors=inks, linewidths=0.6, alpha=0.5)
    ax.add_collection(lines, autolim=False)


def _explain(ax: Any, matrix: Matrix, corner: tuple[float, float], key: Sequence[str]) -> Any:
    from matplotlib.patches import Patch

    values = np.array([*_KEY.values(), np.nan])[: len(key)]
    colors = _colors(values)
    handles = [
        Patch(facecolor=color, edgecolor=ink, linewidth=0)
        for color, ink in zip(colors, text_colors(colors), strict=True)
    ]
    if len(handles) > len(_KEY):
        handles[-1].set(edgecolor=GREY, linewidth=0.5)
    return add_legend(ax, matrix, corner, handles, key, _UNIT)
