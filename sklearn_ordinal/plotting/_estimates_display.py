"""Plot of estimates of metrics."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Self

from sklearn_ordinal._core import check_bool, check_mapping, shown
from sklearn_ordinal.plotting._colors import BLUE, ORANGE, require_matplotlib
from sklearn_ordinal.plotting._fitted_names import one_line
from sklearn_ordinal.plotting._interval_marks import (
    IntervalLike,
    check_ceiling,
    check_intervals,
    draw_ceiling,
    draw_interval,
)
from sklearn_ordinal.plotting._row_layout import axes_with_rows, draw_grid, finish_rows

# Colour and marker of each kind of estimate, and distances from the middle of the row.
_MARKS = ((BLUE, "D"), (ORANGE, "o"))
_OFFSETS = {1: (0.0,), 2: (-0.17, 0.17)}


class MetricEstimatesDisplay:
    """Estimates of the quality of metrics, with their intervals.

    Each metric has a row, with the first metric at the top. A mark shows its estimate and a
    line shows the interval, and both are also written on the right. If there are two kinds of
    estimates, their marks differ in shape and colour, and only the estimates are written, in
    the order of the legend.

    Parameters
    ----------
    estimates : mapping of str to mapping of str to Interval
        One or two kinds of estimates by the text of the legend. Each kind is a mapping from
        the names of the metrics, starting at the top, to estimates with the attributes of
        `sklearn_ordinal.inference.Interval`. An interval whose ends are NaN has no line,
        and an estimate that is NaN has no mark.
    label : str
        Label of the axis.
    ceiling : tuple of two floats, default=None
        Ends, in ascending order, of a shaded range that shows how good values can be. Without
        ends that are numbers, nothing is shaded.

    Attributes
    ----------
    ceiling_ : matplotlib.patches.Patch or None
        The shaded range, if there is one.
    estimates_ : list of matplotlib.lines.Line2D
        Marks of the estimates, row by row.
    lines_ : list of matplotlib.lines.Line2D
        Lines of the intervals, row by row.
    text_ : list of matplotlib.text.Text
        Numbers of each row.
    ax_ : matplotlib.axes.Axes
        Axes of the plot.
    figure_ : matplotlib.figure.Figure
        Figure that contains the plot.

    Raises
    ------
    ValueError
        If there are no estimates, more than two kinds, or kinds with different metrics;
        if `label` is not a string; or if `ceiling` is not two numbers in ascending order.

    See Also
    --------
    FoldScoresDisplay : Plot the scores of cross-validation folds.
    sklearn_ordinal.meta_evaluation.metric_coverage : Estimate how well metrics agree with
        unanimous improvements.

    Examples
    --------
    >>> from sklearn_ordinal.inference import Interval
    >>> from sklearn_ordinal.plotting import MetricEstimatesDisplay
    >>> coverage = {
    ...     "cem_ord": Interval(0.89, 0.87, 0.91, 0.95),
    ...     "accuracy": Interval(0.81, 0.78, 0.84, 0.95),
    ... }
    >>> display = MetricEstimatesDisplay(
    ...     {"coverage, 95% interval": coverage}, label="Spearman's correlation"
    ... ).plot()
    >>> display.text_[0].get_text()
    '0.890 [0.870, 0.910]'
    """

    def __init__(
        self,
        estimates: Mapping[str, Mapping[str, IntervalLike]],
        *,
        label: str,
        ceiling: tuple[float, float] | None = None,
    ) -> None:
        check_mapping("estimates", estimates)
        if len(estimates) not in _OFFSETS:
            raise ValueError(
                f"estimates must have one or two kinds of estimates, got {len(estimates)}."
            )
        for kind, intervals in estimates.items():
            check_mapping(f"estimates[{kind!r}]", intervals)
            check_intervals(f"estimates[{kind!r}]", intervals)
        names, *others = (list(intervals) for intervals in estimates.values())
        if not names or any(other != names for other in others):
            raise ValueError(
                f"estimates must have the same metrics for each kind, at least one, in the same "
                f"order, got {shown([names, *others])}."
            )
        if not isinstance(label, str):
            raise ValueError(f"label must be a string, got {shown(label)}.")
        self.estimates = {kind: dict(intervals) for kind, intervals in estimates.items()}
        self.label = label
        self.ceiling = check_ceiling(ceiling)

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
        MetricEstimatesDisplay
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
        kinds = list(self.estimates.values())
        by_metric = {name: [intervals[name] for intervals in kinds] for name in kinds[0]}
        ax, rows = axes_with_rows(
            ax,
            list(by_metric),
            beside=[_numbers(intervals) for intervals in by_metric.values()],
            xlabel=one_line(self.label),
            key=self._key() if legend else (),
            row_height=0.15 + 0.15 * len(kinds),
        )
        size = rows.room.font_size
        drawn = [
            draw_interval(ax, row + offset, interval, size=size, color=color, marker=marker)
            for row, intervals in enumerate(by_metric.values())
            for interval, offset, (color, marker) in zip(
                intervals, _OFFSETS[len(kinds)], _MARKS, strict=False
            )
        ]
        self.lines_, self.estimates_ = map(list, zip(*drawn, strict=True))
        draw_grid(ax)
        self.ceiling_ = None if self.ceiling is None else draw_ceiling(ax, self.ceiling)
        handles = [*drawn[: len(kinds)], *([] if self.ceiling_ is None else [self.ceiling_])]
        self.text_ = finish_rows(ax, rows, handles)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _key(self) -> list[str]:
        """Return the texts of the legend."""
        kinds = [one_line(kind) for kind in self.estimates]
        return kinds if self.ceiling is None else [*kinds, "ceiling"]


def _numbers(intervals: list[IntervalLike]) -> str:
    """Write the estimates of a row, and the interval if there is a single estimate."""
    texts = [
        "undefined" if math.isnan(interval.estimate) else f"{interval.estimate:.3f}"
        for interval in intervals
    ]
    low, high = intervals[0].low, intervals[0].high
    if len(intervals) == 1 and not math.isnan(low + high):
        texts.append(f"[{low:.3f}, {high:.3f}]")
    return "\n".join(texts)
