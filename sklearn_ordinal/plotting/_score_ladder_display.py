"""Plot of a value between the worst and the best value of its criterion."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple, Self

from sklearn_ordinal._core import check_bool, check_mapping, check_value, shown
from sklearn_ordinal._documents import as_percent
from sklearn_ordinal.plotting._colors import require_matplotlib
from sklearn_ordinal.plotting._fitted_names import one_line
from sklearn_ordinal.plotting._interval_marks import (
    IntervalLike,
    check_ceiling,
    check_intervals,
    draw_interval,
)
from sklearn_ordinal.plotting._row_layout import axes_with_rows, draw_grid, finish_rows

_PREDICTIONS, _CEILING = "predictions", "ceiling"


class _Reference(NamedTuple):
    """A value without an interval, or a ceiling, which has two ends and no value."""

    estimate: float
    low: float = math.nan
    high: float = math.nan
    confidence_level: float = math.nan


class ScoreLadderDisplay:
    """Values of a criterion from the best to the worst, such as guesses and predictions.

    Each value has a row, with the best value at the top and values that are not known at the
    bottom. A diamond shows the value of the predictions and a line shows its interval; hollow grey
    diamonds show the other values.

    Parameters
    ----------
    references : mapping of str to float
        Values to compare with by their names, such as "uniform guesses". Values that are NaN have
        no mark.
    score : Interval, default=None
        Value of the predictions, with the attributes of `sklearn_ordinal.inference.Interval`. An
        interval whose ends are NaN has no line. If None, only the other values are shown.
    criterion : str
        Name of the metric, shown below the axis.
    greater_is_better : bool, default=True
        Whether higher values of the metric are better.
    ceiling : tuple of two floats, default=None
        Ends, in ascending order, between which the best possible value lies. They have a row with a
        line from one to the other. Without ends that are numbers, there is no such row.

    Attributes
    ----------
    names_ : list of str
        Names of the rows, starting at the top.
    estimates_ : list of matplotlib.lines.Line2D
        Value of each row.
    lines_ : list of matplotlib.lines.Line2D
        Interval of each row; empty except for the predictions and the ceiling.
    text_ : list of matplotlib.text.Text
        Numbers of each row.
    ax_ : matplotlib.axes.Axes
        Axes of the plot.
    figure_ : matplotlib.figure.Figure
        Figure that contains the plot.

    Raises
    ------
    ValueError
        If there are no `references`, a value is not a number, one is named "predictions" or
        "ceiling", or `ceiling` is not two numbers in ascending order.

    See Also
    --------
    sklearn_ordinal.score_ladder : Compute the values.
    SystemsDisplay : Plot systems on one test set.

    Examples
    --------
    >>> from sklearn_ordinal.inference import Interval
    >>> from sklearn_ordinal.plotting import ScoreLadderDisplay
    >>> references = {"worst value": 0.086, "best constant": 0.538, "best value": 1.0}
    >>> score = Interval(0.76, 0.74, 0.78, 0.95)
    >>> display = ScoreLadderDisplay(references, score, criterion="cem_ord").plot()
    >>> display.names_
    ['best value', 'predictions', 'best constant', 'worst value']
    """

    def __init__(
        self,
        references: Mapping[str, float],
        score: IntervalLike | None = None,
        *,
        criterion: str,
        greater_is_better: bool = True,
        ceiling: tuple[float, float] | None = None,
    ) -> None:
        check_mapping("references", references)
        if not references or not references.keys().isdisjoint({_PREDICTIONS, _CEILING}):
            raise ValueError(
                f"references must have at least one value, and none named {_PREDICTIONS!r} or "
                f"{_CEILING!r}, got {shown(list(references))}."
            )
        self.references = {
            name: check_value(f"references[{shown(name)}]", value)
            for name, value in references.items()
        }
        if score is not None:
            check_intervals("score", {_PREDICTIONS: score})
        if not isinstance(criterion, str):
            raise ValueError(f"criterion must be a string, got {shown(criterion)}.")
        check_bool("greater_is_better", greater_is_better)
        self.score = score
        self.criterion = criterion
        self.greater_is_better = greater_is_better
        self.ceiling = check_ceiling(ceiling)

    def plot(self, ax: Any = None, *, legend: bool = True) -> Self:
        """Plot the rows.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on. Their figure is not changed: create it with
            ``layout="constrained"``, which makes room for names. If None, a new figure is created.
        legend : bool, default=True
            Whether to show a legend above the rows that says what the line is.

        Returns
        -------
        ScoreLadderDisplay
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
        values = self._best_first()
        better = "higher" if self.greater_is_better else "lower"
        key = []
        if legend and self.score is not None:
            key = [f"{_PREDICTIONS}, {as_percent(self.score.confidence_level)} interval"]
        ax, rows = axes_with_rows(
            ax,
            list(values),
            beside=[_numbers(value) for value in values.values()],
            xlabel=f"{one_line(self.criterion)} ({better} is better)",
            key=key,
            row_height=0.3,
        )
        drawn = [
            draw_interval(
                ax, row, value, size=rows.room.font_size, is_baseline=name != _PREDICTIONS
            )
            for row, (name, value) in enumerate(values.items())
        ]
        self.lines_, self.estimates_ = map(list, zip(*drawn, strict=True))
        self.names_ = list(values)
        draw_grid(ax)
        handles = [pair for name, pair in zip(values, drawn, strict=True) if name == _PREDICTIONS]
        self.text_ = finish_rows(ax, rows, handles)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _best_first(self) -> dict[str, IntervalLike]:
        """Return all values by name, from the best to the worst; NaN come last."""
        values: dict[str, IntervalLike] = {} if self.score is None else {_PREDICTIONS: self.score}
        values |= {name: _Reference(value) for name, value in self.references.items()}
        if self.ceiling is not None:
            values[_CEILING] = _Reference(math.nan, *self.ceiling)
        sign = -1 if self.greater_is_better else 1

        def rank(name: str) -> tuple[bool, float]:
            value = values[name]
            place = (value.low + value.high) / 2 if name == _CEILING else value.estimate
            return math.isnan(place), 0.0 if math.isnan(place) else sign * place

        return {name: values[name] for name in sorted(values, key=rank)}


def _numbers(value: IntervalLike) -> str:
    if math.isnan(value.estimate):
        has_ends = not math.isnan(value.low)
        return f"{value.low:.3f} to {value.high:.3f}" if has_ends else "not known"
    text = f"{value.estimate:.3f}"
    return text if math.isnan(value.low) else f"{text}\n[{value.low:.3f}, {value.high:.3f}]"
