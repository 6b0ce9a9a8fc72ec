"""Plot of a comparison of models."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Self

from sklearn_ordinal._core import check_bool, check_number, check_rope
from sklearn_ordinal._documents import as_percent, pvalue_in_words
from sklearn_ordinal.plotting._intervals import (
    IntervalLike,
    IntervalsDisplay,
    as_columns,
    check_intervals,
    check_rows,
)
from sklearn_ordinal.plotting._style import line_color, one_line, require_matplotlib


class ComparisonDisplay:
    """Differences of models from a reference, with intervals and p-values.

    Each model has a row, with the first model at the top. A diamond shows its difference, a
    line shows the interval, and the adjusted p-value is on the right. Baselines are grey and
    hollow. Differences within the shaded region of practical equivalence are negligible.

    Parameters
    ----------
    differences : mapping of str to Interval
        Score of each model minus the score of the reference, by the name of the model. The
        values have the attributes of `sklearn_ordinal.inference.Interval`.
    adjusted_pvalues : mapping of str to float
        P-value of each difference, adjusted for the number of models, for example with
        `sklearn_ordinal.inference.holm_correction`. The names must be the same as in
        `differences`. P-values of baselines are not shown.
    criterion : str
        Name of the metric or scorer, shown below the axis.
    reference : str
        Name of the system whose score was subtracted.
    greater_is_better : bool or None, default=True
        Whether positive differences are better. False if `criterion` is a loss, None if neither
        sign is better.
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
    FoldScoresDisplay : Plot the scores from which the differences are computed.
    CriticalDifferenceDisplay : Plot a comparison of systems over several data sets.

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

    def __init__(
        self,
        differences: Mapping[str, IntervalLike],
        *,
        adjusted_pvalues: Mapping[str, float],
        criterion: str,
        reference: str,
        greater_is_better: bool | None = True,
        rope: float = 0.0,
        baselines: Collection[str] = (),
    ) -> None:
        check_rows(baselines, differences=differences, adjusted_pvalues=adjusted_pvalues)
        check_intervals("differences", differences)
        for pvalue in adjusted_pvalues.values():
            check_number("adjusted_pvalues", pvalue)
        check_bool("greater_is_better", greater_is_better, or_none=True)
        self.differences = dict(differences)
        self.adjusted_pvalues = dict(adjusted_pvalues)
        self.criterion = criterion
        self.reference = reference
        self.greater_is_better = greater_is_better
        self.rope = check_rope(rope)
        self.baselines = tuple(baselines)

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
        ComparisonDisplay
            The display itself.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If `ax` is not rectilinear axes, or `legend` is not a bool.
        """
        require_matplotlib(self)
        better = {True: "positive", False: "negative", None: "neither sign"}[self.greater_is_better]
        level = as_percent(next(iter(self.differences.values())).confidence_level)
        drawn = IntervalsDisplay(
            list(self.differences),
            {f"difference, {level} interval": as_columns(self.differences.values())},
            label=(
                f"{one_line(self.criterion)}\ndifference from {one_line(self.reference)} "
                f"({better} is better)"
            ),
            beside=[
                "baseline"
                if name in self.baselines
                else pvalue_in_words(self.adjusted_pvalues[name])
                for name in self.differences
            ],
            is_hollow=[name in self.baselines for name in self.differences],
            band=(-self.rope, self.rope),
            band_name=f"practically equal (±{self.rope:g})" if self.rope else "",
        ).plot(ax, legend=legend)
        drawn.ax_.axvline(0, color=line_color(), linewidth=0.8)
        self.rope_, self.text_ = drawn.band_, drawn.text_
        self.lines_, self.estimates_ = drawn.lines_, drawn.estimates_
        self.ax_, self.figure_ = drawn.ax_, drawn.figure_
        return self
