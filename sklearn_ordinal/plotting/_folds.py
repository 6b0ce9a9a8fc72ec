"""Plot of the scores of cross-validation folds."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import as_numbers, check_bool, shown
from sklearn_ordinal.documents import as_percent
from sklearn_ordinal.plotting._intervals import (
    IntervalLike,
    check_intervals,
    draw_interval,
    first_model_row,
)
from sklearn_ordinal.plotting._rows import (
    check_rows,
    finish_rows,
    name_rows,
    rows_of_plot,
    write_beside,
)
from sklearn_ordinal.plotting._style import GREY, LIGHT_BLUE, require_matplotlib
from sklearn_ordinal.plotting._text import one_line


class FoldScoresDisplay:
    """Scores of cross-validation folds, with their mean and its interval.

    Each model, or each metric, has a row: a diamond for the mean, a line for the
    interval, and below them one point per fold, with the first fold at the top. Baselines
    are grey and hollow. The mean and the interval are also written on the right, with the
    number of folds whose score is undefined; those have no point.

    Parameters
    ----------
    scores : mapping of str to array-like of shape (n_folds,)
        Scores of the folds by the name of the row, starting at the top. NaN or masked if
        the fit failed or the score is undefined.
    intervals : mapping of str to Interval
        Mean score and its interval, with the same names as `scores` and the attributes
        of `sklearn_ordinal.inference.Interval`.
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
        Mean and interval of each row in digits.
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
    ComparisonDisplay : Differences of models from a reference.

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
            Rectilinear axes to plot on, in which texts are made to fit. If None, a new
            figure of a suitable size is created.
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
        names = list(self.scores)
        texts = [_numbers(self.scores[name], self.intervals[name]) for name in names]
        ax, rows = rows_of_plot(
            ax,
            names,
            beside=texts,
            xlabel=one_line(self.score_name),
            key=self._key() if legend else (),
            row_height=0.6,
        )
        name_rows(ax, rows)
        self.points_, self.means_, self.lines_ = [], [], []
        for row, name in enumerate(names):
            is_baseline = name in self.baselines
            scores = self.scores[name]
            (points,) = ax.plot(
                scores,
                row + np.linspace(0, 0.3, len(scores)),
                color=GREY if is_baseline else LIGHT_BLUE,
                marker="o",
                markersize=4 * rows.font_size / 10,
                markeredgewidth=1,
                markerfacecolor=ax.get_facecolor() if is_baseline else None,
                linestyle="none",
            )
            line, mean = draw_interval(
                ax,
                row - 0.15,
                self.intervals[name],
                size=rows.font_size,
                is_baseline=is_baseline,
            )
            self.points_.append(points)
            self.lines_.append(line)
            self.means_.append(mean)
        self.text_ = write_beside(ax, rows)
        ax.grid(axis="x", color=GREY, alpha=0.25, linewidth=0.8)
        finish_rows(ax, rows, self._marks(), self.text_)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _key(self) -> list[str]:
        level = next(iter(self.intervals.values())).confidence_level
        key = ["fold", f"mean, {as_percent(level)} interval"]
        return [*key, "baseline"] if self._baseline_rows() else key

    def _marks(self) -> list[Any]:
        marks = list(zip(self.lines_, self.means_, strict=True))
        row = first_model_row(self.scores, self.baselines)
        return [self.points_[row], marks[row], *(marks[row] for row in self._baseline_rows()[:1])]

    def _baseline_rows(self) -> list[int]:
        return [row for row, name in enumerate(self.scores) if name in self.baselines]


def _floats(values: ArrayLike) -> NDArray[np.float64]:
    """Return the scores of a row as floats, NaN where they are masked."""
    scores = as_numbers("scores", values).astype(np.float64)
    if scores.ndim != 1:
        raise ValueError(f"scores must be one-dimensional for each name, got shape {scores.shape}.")
    return scores


def _numbers(scores: NDArray[np.float64], interval: IntervalLike) -> str:
    text = f"{interval.estimate:.3f}\n[{interval.low:.3f}, {interval.high:.3f}]"
    n_undefined = int(np.isnan(scores).sum())
    return f"{text},\n{n_undefined} of {len(scores)} undefined" if n_undefined else text
