"""Plot of the scores of cross-validation folds."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import as_numbers, shown
from sklearn_ordinal.documents import as_percent
from sklearn_ordinal.plotting._intervals import (
    IntervalLike,
    check_intervals,
    draw_interval,
    first_model_row,
)
from sklearn_ordinal.plotting._row_base import RowsDisplay
from sklearn_ordinal.plotting._rows import check_rows
from sklearn_ordinal.plotting._style import GREY, LIGHT_BLUE
from sklearn_ordinal.plotting._text import one_line


class FoldScoresDisplay(RowsDisplay):
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

    _row_height = 0.6

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

    def _texts(self) -> dict[str, str]:
        return {name: _numbers(self.scores[name], self.intervals[name]) for name in self.scores}

    def _xlabel(self) -> str:
        return one_line(self.score_name)

    def _key(self) -> list[str]:
        level = next(iter(self.intervals.values())).confidence_level
        key = ["fold", f"mean, {as_percent(level)} interval"]
        return [*key, "baseline"] if self._baseline_rows() else key

    def _draw(self, ax: Any, font_size: float) -> list[Any]:
        self.points_, drawn = [], []
        for row, (name, scores) in enumerate(self.scores.items()):
            is_baseline = name in self.baselines
            self.points_ += ax.plot(
                scores,
                row + np.linspace(0, 0.3, len(scores)),
                color=GREY if is_baseline else LIGHT_BLUE,
                marker="o",
                markersize=4 * font_size / 10,
                markeredgewidth=1,
                markerfacecolor=ax.get_facecolor() if is_baseline else None,
                linestyle="none",
            )
            interval = self.intervals[name]
            drawn.append(
                draw_interval(ax, row - 0.15, interval, size=font_size, is_baseline=is_baseline)
            )
        self.lines_, self.means_ = map(list, zip(*drawn, strict=True))
        model = first_model_row(self.scores, self.baselines)
        return [self.points_[model], drawn[model], *(drawn[k] for k in self._baseline_rows()[:1])]

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
