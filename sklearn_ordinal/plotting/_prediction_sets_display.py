"""Plot of the coverage and the size of prediction sets by class."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal._core import check_bool
from sklearn_ordinal._documents import as_percent
from sklearn_ordinal.plotting._curves import CHANCE
from sklearn_ordinal.plotting._intervals import (
    NO_BREAK,
    IntervalLike,
    as_columns,
    draw_marks,
    draw_rows,
    legend_below,
)
from sklearn_ordinal.plotting._style import GREY, line_color, require_matplotlib


class PredictionSetsDisplay:
    """Coverage and size of prediction sets by class.

    Each true class has a row, with the lowest class at the top. A diamond shows the coverage of
    its sets and a line shows the interval; a dashed line shows the nominal level. A grey bar shows
    the mean size of the sets as a share of all classes, which is small for informative sets. The
    coverage and the size in classes are also written on the right, up to 40 classes.

    Parameters
    ----------
    coverage : sequence of Interval
        Coverage of each class, from the lowest class to the highest. NaN for a class without
        samples.
    size : array-like of shape (n_classes,)
        Mean number of classes in the sets of each class. NaN for a class without samples.
    target_names : sequence of str
        Name of each class.
    nominal : float, default=None
        Nominal level of the sets, between 0 and 1. If None, there is no dashed line.

    Attributes
    ----------
    estimates_, lines_ : list of matplotlib.lines.Line2D
        Coverage of each class, and its interval.
    bars_ : matplotlib.container.BarContainer
        Size of the sets of each class.
    nominal_ : matplotlib.lines.Line2D or None
        Line of the nominal level, if there is one.
    text_ : list of matplotlib.text.Text
        Numbers of each row.
    ax_ : matplotlib.axes.Axes
        Axes of the plot.
    figure_ : matplotlib.figure.Figure
        Figure that contains the plot.

    See Also
    --------
    sklearn_ordinal.prediction_set_report : Evaluate prediction sets.

    Examples
    --------
    >>> from sklearn_ordinal.inference import Interval
    >>> from sklearn_ordinal.plotting import PredictionSetsDisplay
    >>> coverage = [Interval(0.95, 0.88, 0.98, 0.95), Interval(0.81, 0.74, 0.87, 0.95)]
    >>> display = PredictionSetsDisplay(
    ...     coverage, [1.2, 1.6], target_names=["low", "high"], nominal=0.9
    ... ).plot()
    >>> display.text_[0].get_text()
    '95.0%, size 1.20'
    """

    def __init__(
        self,
        coverage: Sequence[IntervalLike],
        size: ArrayLike,
        *,
        target_names: Sequence[str],
        nominal: float | None = None,
    ) -> None:
        self.coverage = list(coverage)
        self.size = np.asarray(size, dtype=np.float64)
        self.target_names = list(target_names)
        self.nominal = nominal

    def plot(self, ax: Any = None, *, legend: bool = True) -> Self:
        """Plot the rows.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on. Create their figure with ``layout="constrained"``, which
            makes room for names. If None, a new figure is created.
        legend : bool, default=True
            Whether to show a legend below the rows.

        Returns
        -------
        PredictionSetsDisplay
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
        rows, level = range(len(self.coverage)), as_percent(self.coverage[0].confidence_level)
        ax, self.text_ = draw_rows(
            ax,
            self.target_names,
            beside=list(map(_numbers, self.coverage, self.size.tolist())),
            xlabel="Coverage, and size as a share of the classes",
            row_height=0.36,
            ylabel="True class",
            is_scale=True,
        )
        shares = np.nan_to_num(self.size) / len(rows)
        self.bars_ = ax.barh(rows, shares, height=0.7, color=GREY, alpha=0.3)
        # Marks of low rows must not overlap.
        size = min(7.0, 350 / len(rows))
        self.lines_, self.estimates_ = draw_marks(ax, rows, as_columns(self.coverage), size=size)
        key: dict[str, Any] = {
            f"coverage, {level} interval": (self.lines_[0], self.estimates_[0]),
            f"size / {len(rows)} classes": self.bars_,
        }
        self.nominal_ = None
        if self.nominal is not None:
            self.nominal_ = ax.axvline(self.nominal, **{**CHANCE, "color": line_color()})
            key[f"nominal {as_percent(self.nominal)}"] = self.nominal_
        ax.set_xlim(-0.02, 1.02)
        ax.xaxis.set_major_formatter("{x:.0%}")
        if legend:
            legend_below(ax, [*key.values()], [*key])
        self.ax_, self.figure_ = ax, ax.figure
        return self


def _numbers(interval: IntervalLike, size: float) -> str:
    if math.isnan(interval.estimate):
        return "no samples"
    return f"{interval.estimate:.1%}, size{NO_BREAK}{size:.2f}"
