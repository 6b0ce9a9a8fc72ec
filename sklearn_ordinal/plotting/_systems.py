"""Plot of systems on one test set."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from sklearn_ordinal._core import check_bool
from sklearn_ordinal.documents import as_percent
from sklearn_ordinal.plotting._intervals import IntervalLike, check_intervals, draw_interval
from sklearn_ordinal.plotting._row_base import RowsDisplay
from sklearn_ordinal.plotting._rows import check_rows
from sklearn_ordinal.plotting._text import one_line

_LETTERS = "a shared letter: no significant difference"


class SystemsDisplay(RowsDisplay):
    """Values of systems on one test set, with intervals and letters.

    Each system has a row, the first one at the top: a diamond for its value, a line for the
    interval, and its letters on the right. Systems that share a letter do not differ
    significantly. The letters, and not the overlap of the intervals, show which systems
    differ: values on the same samples vary together.

    Parameters
    ----------
    scores : mapping of str to Interval
        Value of each system by its name, starting at the top, with the attributes of
        `sklearn_ordinal.inference.Interval`. An interval whose ends are NaN has no line, and
        an estimate that is NaN has no mark.
    letters : mapping of str to str
        Letters of each system, with the same names as `scores`.
    criterion : str
        Name of the metric, shown below the axis.
    greater_is_better : bool, default=True
        Whether higher values of the metric are better.

    Attributes
    ----------
    estimates_ : list of matplotlib.lines.Line2D
        Value of each system.
    lines_ : list of matplotlib.lines.Line2D
        Interval of each system.
    text_ : list of matplotlib.text.Text
        Letters of each system; "undefined" without a value.
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
    ComparisonDisplay : Differences from a reference.
    CriticalDifferenceDisplay : Comparison of systems over several data sets.

    Examples
    --------
    >>> from sklearn_ordinal.inference import Interval
    >>> from sklearn_ordinal.typing import SystemsDisplay
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

    _row_height = 0.3

    def __init__(
        self,
        scores: Mapping[str, IntervalLike],
        letters: Mapping[str, str],
        *,
        criterion: str,
        greater_is_better: bool = True,
    ) -> None:
        check_rows((), scores=scores, letters=letters)
        check_intervals("scores", scores)
        check_bool("greater_is_better", greater_is_better)
        self.scores = dict(scores)
        self.letters = {name: str(letters[name]) for name in scores}
        self.criterion = criterion
        self.greater_is_better = greater_is_better

    def _texts(self) -> dict[str, str]:
        return {
            name: "undefined" if math.isnan(score.estimate) else self.letters[name]
            for name, score in self.scores.items()
        }

    def _xlabel(self) -> str:
        better = "higher" if self.greater_is_better else "lower"
        return f"{one_line(self.criterion)} ({better} is better)\n{_LETTERS}"

    def _key(self) -> list[str]:
        level = next(iter(self.scores.values())).confidence_level
        return [f"value, {as_percent(level)} interval"]

    def _draw(self, ax: Any, font_size: float) -> list[Any]:
        drawn = [
            draw_interval(ax, row, score, size=font_size)
            for row, score in enumerate(self.scores.values())
        ]
        self.lines_, self.estimates_ = map(list, zip(*drawn, strict=True))
        return drawn[:1]
