"""Plot of the coverage and the size of prediction sets by class."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal._core import check_bool, check_floats, check_names, check_share, iterate
from sklearn_ordinal._documents import as_percent
from sklearn_ordinal.plotting._colors import GREY, line_color, require_matplotlib
from sklearn_ordinal.plotting._curve_axes import CHANCE
from sklearn_ordinal.plotting._interval_marks import IntervalLike, check_intervals, draw_interval
from sklearn_ordinal.plotting._row_layout import axes_with_rows, draw_grid, finish_rows


class PredictionSetsDisplay:
    """Coverage and size of prediction sets by class.

    Each true class has a row, with the lowest class at the top. A diamond shows the coverage of
    its sets and a line shows the interval; a dashed line shows the nominal level. A grey bar shows
    the mean size of the sets as a share of all classes, which is small for informative sets. The
    coverage and the size in classes are also written on the right.

    Parameters
    ----------
    coverage : sequence of Interval
        Coverage of each class, from the lowest class to the highest, with the attributes of
        `sklearn_ordinal.inference.Interval`. NaN for a class without samples.
    size : array-like of shape (n_classes,)
        Mean number of classes in the sets of each class. NaN for a class without samples.
    target_names : sequence of str
        Name of each class.
    nominal : float, default=None
        Nominal level of the sets, between 0 and 1. If None, there is no dashed line.

    Attributes
    ----------
    estimates_ : list of matplotlib.lines.Line2D
        Coverage of each class.
    lines_ : list of matplotlib.lines.Line2D
        Interval of each class.
    bars_ : matplotlib.container.BarContainer
        Size of the sets of each class.
    nominal_ : matplotlib.lines.Line2D or None
        Line of the nominal level, if there is one.
    text_ : list of matplotlib.text.Text
        Numbers of each row; empty if there are so many classes that rows are low.
    ax_ : matplotlib.axes.Axes
        Axes of the plot.
    figure_ : matplotlib.figure.Figure
        Figure that contains the plot.

    Raises
    ------
    ValueError
        If there are no classes, arguments differ in length, or a value is out of range.

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
        self.coverage = list(iterate("coverage", coverage, "intervals"))
        check_intervals(
            "coverage", {str(row): interval for row, interval in enumerate(self.coverage)}
        )
        self.size = check_floats("size", size, ndim=1)
        self.target_names = list(check_names("target_names", target_names))
        lengths = {len(self.coverage), len(self.size), len(self.target_names)}
        if len(lengths) > 1 or not self.coverage:
            raise ValueError(
                f"coverage, size and target_names must have an item for each class, and at least "
                f"one, got {len(self.coverage)}, {len(self.size)} and {len(self.target_names)}."
            )
        is_outside = (self.size < 0) | (self.size > len(self.size))
        if is_outside.any():
            raise ValueError(
                f"size must be from 0 to the number of classes, {len(self.size)}, got "
                f"{self.size[is_outside][0]:g}."
            )
        self.nominal = None if nominal is None else check_share("nominal", nominal)

    def plot(self, ax: Any = None, *, legend: bool = True) -> Self:
        """Plot the rows.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on. Their figure is not changed: create it with
            ``layout="constrained"``, which makes room for names. If None, a new figure is created.
        legend : bool, default=True
            Whether to show a legend above the rows.

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
        n_classes = len(self.coverage)
        key = [
            f"coverage, {as_percent(self.coverage[0].confidence_level)} interval",
            f"size / {n_classes} classes",
        ]
        if self.nominal is not None:
            key.append(f"nominal {as_percent(self.nominal)}")
        ax, rows = axes_with_rows(
            ax,
            self.target_names,
            beside=[_numbers(*row) for row in zip(self.coverage, self.size.tolist(), strict=True)],
            xlabel="Coverage, and size as a share of the classes",
            key=key if legend else (),
            row_height=0.36,
            ylabel="True class",
            is_scale=True,
        )
        self.bars_ = ax.barh(
            range(n_classes),
            np.nan_to_num(self.size) / n_classes,
            height=0.7,
            color=GREY,
            alpha=0.3,
        )
        self.nominal_ = None
        if self.nominal is not None:
            self.nominal_ = ax.axvline(self.nominal, **{**CHANCE, "color": line_color()})
        # Marks of low rows must not overlap.
        size = min(rows.room.font_size, 72 * rows.height)
        drawn = [
            draw_interval(ax, row, interval, size=size)
            for row, interval in enumerate(self.coverage)
        ]
        self.lines_, self.estimates_ = map(list, zip(*drawn, strict=True))
        ax.set_xlim(-0.02, 1.02)
        ax.xaxis.set_major_formatter(_as_percent)
        draw_grid(ax)
        handles = [drawn[0], self.bars_]
        handles += [] if self.nominal_ is None else [self.nominal_]
        self.text_ = finish_rows(ax, rows, handles)
        self.ax_, self.figure_ = ax, ax.figure
        return self


def _as_percent(share: float, _: int) -> str:
    return f"{share:.0%}"


def _numbers(interval: IntervalLike, size: float) -> str:
    if math.isnan(interval.estimate):
        return "no samples"
    return f"{interval.estimate:.1%}, size {size:.2f}"
