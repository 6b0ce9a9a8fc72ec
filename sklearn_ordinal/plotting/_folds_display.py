"""Plot of the scores of cross-validation folds."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import as_numbers, check_bool, shown
from sklearn_ordinal._documents import as_percent
from sklearn_ordinal.plotting._intervals import (
    IntervalLike,
    as_columns,
    check_intervals,
    check_rows,
    draw_marks,
    draw_rows,
    interval_as_text,
    legend_below,
)
from sklearn_ordinal.plotting._style import GREY, LIGHT_BLUE, one_line, require_matplotlib


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
        is_hollow = [name in self.baselines for name in self.scores]
        level = as_percent(next(iter(self.intervals.values())).confidence_level)
        intervals = [self.intervals[name] for name in self.scores]
        ax, self.text_ = draw_rows(
            ax,
            list(self.scores),
            beside=list(map(_numbers, self.scores.values(), intervals)),
            xlabel=one_line(self.score_name),
            row_height=0.6,
        )
        self.points_ = []
        for row, (scores, is_grey) in enumerate(zip(self.scores.values(), is_hollow, strict=True)):
            self.points_ += ax.plot(
                scores,
                row + np.linspace(0, 0.3, len(scores)),
                color=GREY if is_grey else LIGHT_BLUE,
                marker="o",
                markersize=4,
                markeredgewidth=1,
                markerfacecolor=ax.get_facecolor() if is_grey else None,
                linestyle="none",
            )
        self.lines_, self.means_ = draw_marks(
            ax, np.arange(len(intervals)) - 0.15, as_columns(intervals), is_hollow=is_hollow
        )
        if legend:
            model = is_hollow.index(False) if False in is_hollow else 0
            key: dict[str, Any] = {
                "fold": self.points_[model],
                f"mean, {level} interval": (self.lines_[model], self.means_[model]),
            }
            if any(is_hollow):
                baseline = is_hollow.index(True)
                key["baseline"] = self.lines_[baseline], self.means_[baseline]
            legend_below(ax, [*key.values()], [*key])
        self.ax_, self.figure_ = ax, ax.figure
        return self


def _floats(values: ArrayLike) -> NDArray[np.float64]:
    """Return the scores of a row as floats; masked scores are NaN."""
    scores = as_numbers("scores", values).astype(np.float64)
    if scores.ndim != 1:
        raise ValueError(f"scores must be one-dimensional for each name, got shape {scores.shape}.")
    return scores


def _numbers(scores: NDArray[np.float64], interval: IntervalLike) -> str:
    text = interval_as_text(interval.estimate, interval.low, interval.high)
    n_undefined = int(np.isnan(scores).sum())
    return f"{text}, {n_undefined} of {len(scores)} undefined" if n_undefined else text
