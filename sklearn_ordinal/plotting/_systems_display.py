"""Plot of systems on one test set."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Self

from sklearn_ordinal._core import check_bool
from sklearn_ordinal._documents import as_percent
from sklearn_ordinal.plotting._colors import require_matplotlib
from sklearn_ordinal.plotting._fitted_names import one_line
from sklearn_ordinal.plotting._interval_marks import IntervalLike, check_intervals, draw_interval
from sklearn_ordinal.plotting._row_layout import axes_with_rows, check_rows, draw_grid, finish_rows

_LETTERS = "a shared letter: no significant difference"


class SystemsDisplay:
    """Values of systems on one test set, with intervals and letters.

    Each system has a row, with the first system at the top. A diamond shows its value, a line
    shows the interval, and its letters are on the right. Systems that share a letter do not
    differ significantly. Overlapping intervals do not show this, since values on the same
    samples vary together.

    Parameters
    ----------
    scores : mapping of str to Interval
        Value of each system by its name, starting at the top. The values have the attributes of
        `sklearn_ordinal.inference.Interval`. An interval whose ends are NaN has no line, and an
        estimate that is NaN has no mark.
    letters : mapping of str to str
        Letters of each system, with the same names as `scores`; empty if neither higher nor lower
        values are better, so that the systems are not ranked.
    criterion : str
        Name of the metric, shown below the axis.
    greater_is_better : bool or None, default=True
        Whether higher values of the metric are better; None if neither higher nor lower values are.

    Attributes
    ----------
    estimates_ : list of matplotlib.lines.Line2D
        Value of each system.
    lines_ : list of matplotlib.lines.Line2D
        Interval of each system.
    text_ : list of matplotlib.text.Text
        Letters of each system; "undefined" if it has no value.
    ax_ : matplotlib.axes.Axes
        Axes of the plot.
    figure_ : matplotlib.figure.Figure
        Figure that contains the plot.

    Raises
    ------
    ValueError
        If `scores` is empty, or `letters` does not have the same names.

    See Also
    --------
    ComparisonDisplay : Plot differences from a reference.
    CriticalDifferenceDisplay : Plot a comparison of systems over several data sets.

    Examples
    --------
    >>> from sklearn_ordinal.inference import Interval
    >>> from sklearn_ordinal.plotting import SystemsDisplay
    >>> scores = {
    ...     "large": Interval(0.81, 0.79, 0.83, 0.95),
    ...     "small": Interval(0.80, 0.78, 0.82, 0.95),
    ...     "rules": Interval(0.71, 0.69, 0.73, 0.95),
    ... }
    >>> letters = {"large": "a", "small": "a", "rules": "b"}
    >>> display = SystemsDisplay(scores, letters, criterion="cem_ord").plot()
    >>> [text.get_text() for text in display.text_]
    ['a', 'a', 'b']
    """

    def __init__(
        self,
        scores: Mapping[str, IntervalLike],
        letters: Mapping[str, str],
        *,
        criterion: str,
        greater_is_better: bool | None = True,
    ) -> None:
        check_bool("greater_is_better", greater_is_better, or_none=True)
        if greater_is_better is None and isinstance(letters, Mapping) and not letters:
            letters = dict.fromkeys(scores, "")
        check_rows((), scores=scores, letters=letters)
        check_intervals("scores", scores)
        self.scores = dict(scores)
        self.letters = {name: str(letters[name]) for name in scores}
        self.criterion = criterion
        self.greater_is_better = greater_is_better

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
        SystemsDisplay
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
        better = {True: "higher", False: "lower", None: "neither higher nor lower"}
        label = f"{one_line(self.criterion)} ({better[self.greater_is_better]} is better)"
        level = next(iter(self.scores.values())).confidence_level
        ax, rows = axes_with_rows(
            ax,
            list(self.scores),
            beside=[
                "undefined" if math.isnan(score.estimate) else self.letters[name]
                for name, score in self.scores.items()
            ],
            xlabel=label if self.greater_is_better is None else f"{label}\n{_LETTERS}",
            key=[f"value, {as_percent(level)} interval"] if legend else (),
            row_height=0.3,
        )
        drawn = [
            draw_interval(ax, row, score, size=rows.room.font_size)
            for row, score in enumerate(self.scores.values())
        ]
        self.lines_, self.estimates_ = map(list, zip(*drawn, strict=True))
        draw_grid(ax)
        self.text_ = finish_rows(ax, rows, drawn[:1])
        self.ax_, self.figure_ = ax, ax.figure
        return self
