"""Plot of the scores of cross-validation folds."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import as_numbers, check_bool, shown
from sklearn_ordinal._documents import as_percent
from sklearn_ordinal.plotting._colors import GREY, LIGHT_BLUE, require_matplotlib
from sklearn_ordinal.plotting._fitted_names import one_line
from sklearn_ordinal.plotting._interval_marks import (
    IntervalLike,
    check_intervals,
    draw_interval,
    first_model_row,
)
from sklearn_ordinal.plotting._row_layout import axes_with_rows, check_rows, draw_grid, finish_rows


class FoldScoresDisplay:
    """Scores of cross-validation folds, with their mean and its interval.

    Each model, or each metric, has a row. A diamond shows the mean and a line shows the
    interval. Below them is one point per fold, with the first fold at the top. Baselines are
    grey and hollow. The mean and the interval are also written on the right, with the number of
    folds whose score is undefined; these folds have no point.

    Parameters
    ----------
    scores : mapping of str to array-like of shape (n_folds,)
        Scores of the folds by the name of the row, starting at the top. NaN or masked if
        the fit failed or the score is undefined.
    intervals : mapping of str to Interval
        Mean score and its interval, with the same names as `scores`. The values have the
        attributes of `sklearn_ordinal.inference.Interval`.
    baselines : collection of str, default=()
        Names of the rows that are baselines.
    score_name : str, default="Score"
        Label of the axis.

    Attributes
    ----------
    points_ : list of matplotlib.lines.Line2D
        Scores of the folds of each row.
    means_ : list of matplotlib.lines.Line2D
        Mean of each row.
    lines_ : list of matplotlib.lines.Line2D
        Interval of each row.
    text_ : list of matplotlib.text.Text
        Texts with the mean and the interval of each row.
    ax_ : matplotlib.axes.Axes
        Axes of the plot.
    figure_ : matplotlib.figure.Figure
        Figure that contains the plot.

    Raises
    ------
    ValueError
        If `scores` is empty, `intervals` does not have the same names, `baselines` is a
        single string, or `score_name` is not a string.

    See Also
    --------
    ComparisonDisplay : Plot the differences of models from a reference.

    Examples
    --------
    >>> from sklearn_ordinal.inference import Interval
    >>> from sklearn_ordinal.plotting import FoldScoresDisplay
    >>> display = FoldScoresDisplay(
    ...     {"forest": [0.7, 0.8], "majority": [0.5, 0.5]},
    ...     {
    ...         "forest": Interval(0.75, 0.69, 0.81, 0.95),
    ...         "majority": Interval(0.5, 0.5, 0.5, 0.95),
    ...     },
    ...     baselines=["majority"],
    ... ).plot()
    >>> display.text_[0].get_text()
    '0.750 [0.690, 0.810]'
    """

    def __init__(
        self,
        scores: Mapping[str, ArrayLike],
        intervals: Mapping[str, IntervalLike],
        *,
        baselines: Collection[str] = (),
        score_name: str = "Score",
    ) -> None:
        check_rows(baselines, scores=scores, intervals=intervals)
        if not isinstance(score_name, str):
            raise ValueError(f"score_name must be a string, got {shown(score_name)}.")
        check_intervals("intervals", intervals)
        self.scores = {name: _floats(values) for name, values in scores.items()}
        self.intervals = dict(intervals)
        self.baselines = tuple(baselines)
        self.score_name = score_name

    def plot(self, ax: Any = None, *, legend: bool = True) -> Self:
        """Plot the rows.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on. Their figure is not changed: create it with
            ``layout="constrained"``, which makes room for names. If None, a new figure is created.
        legend : bool, default=True
            Whether to show a legend of the marks above the rows.

        Returns
        -------
        FoldScoresDisplay
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
        is_baseline = [name in self.baselines for name in self.scores]
        level = next(iter(self.intervals.values())).confidence_level
        key = ["fold", f"mean, {as_percent(level)} interval"]
        if any(is_baseline):
            key.append("baseline")
        ax, rows = axes_with_rows(
            ax,
            list(self.scores),
            beside=[_numbers(self.scores[name], self.intervals[name]) for name in self.scores],
            xlabel=one_line(self.score_name),
            key=key if legend else (),
            row_height=0.6,
        )
        size = rows.room.font_size
        self.points_, drawn = [], []
        for row, (name, scores) in enumerate(self.scores.items()):
            self.points_ += ax.plot(
                scores,
                row + np.linspace(0, 0.3, len(scores)),
                color=GREY if is_baseline[row] else LIGHT_BLUE,
                marker="o",
                markersize=0.4 * size,
                markeredgewidth=1,
                markerfacecolor=ax.get_facecolor() if is_baseline[row] else None,
                linestyle="none",
            )
            interval = self.intervals[name]
            drawn.append(
                draw_interval(ax, row - 0.15, interval, size=size, is_baseline=is_baseline[row])
            )
        self.lines_, self.means_ = map(list, zip(*drawn, strict=True))
        model = first_model_row(self.scores, self.baselines)
        handles = [self.points_[model], drawn[model]]
        if any(is_baseline):
            handles.append(drawn[is_baseline.index(True)])
        draw_grid(ax)
        self.text_ = finish_rows(ax, rows, handles)
        self.ax_, self.figure_ = ax, ax.figure
        return self


def _floats(values: ArrayLike) -> NDArray[np.float64]:
    """Return the scores of a row as floats; masked scores are NaN."""
    scores = as_numbers("scores", values).astype(np.float64)
    if scores.ndim != 1:
        raise ValueError(f"scores must be one-dimensional for each name, got shape {scores.shape}.")
    return scores


def _numbers(scores: NDArray[np.float64], interval: IntervalLike) -> str:
    text = f"{interval.estimate:.3f}\n[{interval.low:.3f}, {interval.high:.3f}]"
    n_undefined = int(np.isnan(scores).sum())
    return f"{text},\n{n_undefined} of {len(scores)} undefined" if n_undefined else text
