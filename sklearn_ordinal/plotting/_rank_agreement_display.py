"""Heat map of the agreement of criteria."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.cluster import hierarchy
from scipy.spatial.distance import squareform

from sklearn_ordinal._core import check_names
from sklearn_ordinal.plotting._matrix import draw_matrix
from sklearn_ordinal.plotting._style import TOO_HIGH, TOO_LOW, require_matplotlib, shades


class RankAgreementDisplay:
    """Heat map of the agreement of criteria on the order of systems.

    Each cell shows Kendall's tau of two criteria, blue if it is positive and orange if it is
    negative. Neighbours agree as much as possible; criteria whose tau is undefined come last.

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
    ax_ : matplotlib.axes.Axes
        Axes of the plot.
    figure_ : matplotlib.figure.Figure
        Figure that contains the plot.

    See Also
    --------
    sklearn_ordinal.meta_evaluation.rank_agreement : Compute Kendall's tau.

    Examples
    --------
    >>> from sklearn_ordinal.plotting import RankAgreementDisplay
    >>> tau = [[1, 0.2, 0.8], [0.2, 1, 0.4], [0.8, 0.4, 1]]
    >>> display = RankAgreementDisplay(tau, names=["accuracy", "purity", "f1"]).plot()
    >>> [display.names[position] for position in display.order]
    ['purity', 'f1', 'accuracy']
    """

    def __init__(self, tau: ArrayLike, *, names: Sequence[str]) -> None:
        self.tau = np.asarray(tau, dtype=np.float64)
        self.names = check_names("names", names)
        is_undefined = np.isnan(np.diagonal(self.tau))
        leaves = np.flatnonzero(~is_undefined)
        if len(leaves) > 1:
            distances = squareform(1 - self.tau[np.ix_(leaves, leaves)], checks=False)
            merges = hierarchy.linkage(distances, "average", optimal_ordering=True)
            leaves = leaves[hierarchy.leaves_list(merges)]
        self.order = np.concatenate([leaves, np.flatnonzero(is_undefined)])

    def plot(self, ax: Any = None) -> Self:
        """Plot the heat map.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on. If None, a new figure is created.

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
        tau = self.tau[np.ix_(self.order, self.order)]
        known = np.nan_to_num(tau)
        colors = shades(np.abs(known), np.where(known < 0, TOO_HIGH, TOO_LOW), np.abs(known))
        texts = [["-" if np.isnan(value) else f"{value:.2f}" for value in row] for row in tau]
        drawn = draw_matrix(
            ax,
            [self.names[position] for position in self.order],
            np.where(np.isnan(tau)[..., None], 1.0, colors),
            [np.array(texts, dtype=object)],
            labels=("", ""),
        )
        self.im_, self.text_ = drawn.image, drawn.values[0] if drawn.values else None
        self.ax_, self.figure_ = drawn.ax, drawn.ax.figure
        return self
