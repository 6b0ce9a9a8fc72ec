"""The plot method shared by the displays of intervals in rows."""

from __future__ import annotations

from typing import Any, Self

from sklearn_ordinal._core import check_bool
from sklearn_ordinal.plotting._rows import finish_rows, name_rows, rows_of_plot, write_beside
from sklearn_ordinal.plotting._style import GREY, require_matplotlib


class RowsDisplay:
    """Base class for plots with an estimate and its interval in each row."""

    # In inches, in a new figure at a font size of ten points.
    _row_height: float
    _has_grid = True
    text_: list[Any]

    def _texts(self) -> dict[str, str]:
        """Return the text on the right of each row by the name of the row."""
        raise NotImplementedError

    def _xlabel(self) -> str:
        raise NotImplementedError

    def _key(self) -> list[str]:
        """Return the entries of the legend."""
        raise NotImplementedError

    def _draw(self, ax: Any, font_size: float) -> list[Any]:
        """Draw the rows, set the attributes, and return the handles of the legend."""
        raise NotImplementedError

    def plot(self, ax: Any = None, *, legend: bool = True) -> Self:
        """Plot the rows.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on, in which texts are made to fit. If None, a new
            figure of a suitable size is created.
        legend : bool, default=True
            Whether to show a legend of the marks above the rows.

        Returns
        -------
        display
            The display itself.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If `ax` is not rectilinear axes, or `legend` is not a bool.
        """
        check_bool("legend", legend)
        require_matplotlib(self)
        texts = self._texts()
        ax, rows = rows_of_plot(
            ax,
            list(texts),
            beside=list(texts.values()),
            xlabel=self._xlabel(),
            key=self._key() if legend else (),
            row_height=self._row_height,
        )
        name_rows(ax, rows)
        handles = self._draw(ax, rows.font_size)
        self.text_ = write_beside(ax, rows)
        if self._has_grid:
            ax.grid(axis="x", color=GREY, alpha=0.25, linewidth=0.8)
        finish_rows(ax, rows, handles, self.text_)
        self.ax_, self.figure_ = ax, ax.figure
        return self
