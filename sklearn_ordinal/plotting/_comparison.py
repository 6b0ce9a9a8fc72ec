"""Plot of a comparison of models."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from sklearn_ordinal._core import check_bool, check_number, check_rope
from sklearn_ordinal.documents import as_percent, pvalue_in_words
from sklearn_ordinal.plotting._intervals import (
    IntervalLike,
    check_intervals,
    draw_interval,
    first_model_row,
)
from sklearn_ordinal.plotting._row_base import RowsDisplay
from sklearn_ordinal.plotting._rows import check_rows
from sklearn_ordinal.plotting._style import GREY, line_color
from sklearn_ordinal.plotting._text import one_line


class ComparisonDisplay(RowsDisplay):
    """Differences of models from a reference, with intervals and p-values.

    Each model has a row, the first one at the top: a diamond for its difference, a line
    for the interval, and the adjusted p-value on the right. Baselines are grey and hollow.
    Differences within the shaded region of practical equivalence are negligible.

    Parameters
    ----------
    differences : mapping of str to Interval
        Score of each model minus the score of the reference, by the name of the model,
        with the attributes of `sklearn_ordinal.inference.Interval`.
    adjusted_pvalues : mapping of str to float
        P-value of each difference, adjusted for the number of models, for example with
        `sklearn_ordinal.inference.holm_correction`, with the same names as
        `differences`. Values of baselines are not shown.
    criterion : str
        Name of the metric or scorer, shown below the axis.
    reference : str
        Name of the system that was subtracted.
    greater_is_better : bool, default=True
        Whether a positive difference is the better one. False if `criterion` is a loss.
    rope : float, default=0.0
        Largest absolute difference that is practically equivalent to zero, in the unit
        of the criterion. If 0, the region has no width.
    baselines : collection of str, default=()
        Names of the systems that are baselines.

    Attributes
    ----------
    estimates_ : list of matplotlib.lines.Line2D
        Difference of each model.
    lines_ : list of matplotlib.lines.Line2D
        Interval of each model.
    text_ : list of matplotlib.text.Text
        Adjusted p-value of each model; "baseline" for baselines, which are not tested.
    rope_ : matplotlib.patches.Polygon or matplotlib.patches.Rectangle
        Region of practical equivalence.
    ax_ : matplotlib.axes.Axes
        Axes of the plot.
    figure_ : matplotlib.figure.Figure
        Figure that contains the plot.

    Raises
    ------
    ValueError
        If `differences` is empty, or `adjusted_pvalues` does not have the same names; if
        `rope` is negative; or if `baselines` is a single string.

    See Also
    --------
    FoldScoresDisplay : Scores from which the differences are computed.
    CriticalDifferenceDisplay : Comparison of systems over several data sets.

    Examples
    --------
    >>> from sklearn_ordinal.inference import PairedDifference
    >>> from sklearn_ordinal.plotting import ComparisonDisplay
    >>> display = ComparisonDisplay(
    ...     {"forest": PairedDifference(0.12, 0.08, 0.16, 0.95, pvalue=0.0004)},
    ...     adjusted_pvalues={"forest": 0.0012},
    ...     criterion="cem_ord",
    ...     reference="majority",
    ... ).plot()
    >>> display.text_[0].get_text()
    'p = 0.001'
    """

    _row_height = 0.4
    _has_grid = False

    def __init__(
        self,
        differences: Mapping[str, IntervalLike],
        *,
        adjusted_pvalues: Mapping[str, float],
        criterion: str,
        reference: str,
        greater_is_better: bool = True,
        rope: float = 0.0,
        baselines: Collection[str] = (),
    ) -> None:
        check_rows(baselines, differences=differences, adjusted_pvalues=adjusted_pvalues)
        check_intervals("differences", differences)
        for pvalue in adjusted_pvalues.values():
            check_number("adjusted_pvalues", pvalue)
        check_bool("greater_is_better", greater_is_better)
        self.differences = dict(differences)
        self.adjusted_pvalues = dict(adjusted_pvalues)
        self.criterion = criterion
        self.reference = reference
        self.greater_is_better = greater_is_better
        self.rope = check_rope(rope)
        self.baselines = tuple(baselines)

    def _texts(self) -> dict[str, str]:
        return {
            name: "baseline"
            if name in self.baselines
            else pvalue_in_words(self.adjusted_pvalues[name])
            for name in self.differences
        }

    def _xlabel(self) -> str:
        better = "positive" if self.greater_is_better else "negative"
        compared = f"difference from {one_line(self.reference)} ({better} is better)"
        return f"{one_line(self.criterion)}\n{compared}"

    def _key(self) -> list[str]:
        level = next(iter(self.differences.values())).confidence_level
        key = [f"difference, {as_percent(level)} interval"]
        return [*key, f"practically equal (±{self.rope:g})"] if self.rope else key

    def _draw(self, ax: Any, font_size: float) -> list[Any]:
        self.rope_ = ax.axvspan(-self.rope, self.rope, color=GREY, alpha=0.4, linewidth=0)
        ax.axvline(0, color=line_color(), linewidth=0.8)
        drawn = [
            draw_interval(ax, row, difference, size=font_size, is_baseline=name in self.baselines)
            for row, (name, difference) in enumerate(self.differences.items())
        ]
        self.lines_, self.estimates_ = map(list, zip(*drawn, strict=True))
        handles = [drawn[first_model_row(self.differences, self.baselines)]]
        return [*handles, self.rope_] if self.rope else handles
