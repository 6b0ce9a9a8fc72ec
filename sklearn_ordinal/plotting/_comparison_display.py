"""Plots of a comparison of models, and of the scores of folds."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import checks
from sklearn_ordinal._documents import formatting
from sklearn_ordinal.plotting import _intervals_display, _style
from sklearn_ordinal.plotting._intervals_display import IntervalLike, IntervalsDisplay

# Plot of a comparison of models
# ------------------------------


class ComparisonDisplay:
    """Differences of models from a reference, with intervals and p-values.

    Each model has a row, with the first model at the top. A diamond shows its difference, a
    line shows the interval, and the adjusted p-value is on the right. Differences within the shaded
    region of practical equivalence are negligible.

    Parameters
    ----------
    differences : mapping of str to Interval
        Score of each model minus the score of the reference, by the name of the model. The
        values have the attributes of `sklearn_ordinal.inference.Interval`.
    adjusted_pvalues : mapping of str to float
        P-value of each difference, adjusted for the number of models, for example with
        `sklearn_ordinal.inference.holm_correction`. The names must be the same as in
        `differences`.
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

    Attributes
    ----------
    estimates_ : list of matplotlib.lines.Line2D
        Difference of each model.
    lines_ : list of matplotlib.lines.Line2D
        Interval of each model.
    text_ : list of matplotlib.text.Text
        Adjusted p-value of each model.
    rope_ : matplotlib.patches.Polygon or matplotlib.patches.Rectangle
        Region of practical equivalence.
    ax_ : matplotlib.axes.Axes
        Axes of the plot.
    figure_ : matplotlib.figure.Figure
        Figure that contains the plot.

    Raises
    ------
    ValueError
        If `differences` is empty, `adjusted_pvalues` does not have the same names, or `rope` is
        negative.

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
    ) -> None:
        _intervals_display.check_rows(differences=differences, adjusted_pvalues=adjusted_pvalues)
        _intervals_display.check_intervals("differences", differences)
        for pvalue in adjusted_pvalues.values():
            checks.check_number("adjusted_pvalues", pvalue)
        checks.check_bool("greater_is_better", greater_is_better, or_none=True)
        self.differences = dict(differences)
        self.adjusted_pvalues = dict(adjusted_pvalues)
        self.criterion = criterion
        self.reference = reference
        self.greater_is_better = greater_is_better
        self.rope = checks.check_rope(rope)

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
        _style.require_matplotlib(self)
        better = {True: "positive", False: "negative", None: "neither sign"}[self.greater_is_better]
        level = formatting.as_percent(next(iter(self.differences.values())).confidence_level)
        drawn = IntervalsDisplay(
            list(self.differences),
            {
                f"difference, {level} interval": _intervals_display.as_columns(
                    self.differences.values()
                )
            },
            label=(
                f"{_style.one_line(self.criterion)}\ndifference from "
                f"{_style.one_line(self.reference)} ({better} is better)"
            ),
            beside=[
                formatting.pvalue_in_words(self.adjusted_pvalues[name]) for name in self.differences
            ],
            band=(-self.rope, self.rope),
            band_name=f"practically equal (±{self.rope:g})" if self.rope else "",
        ).plot(ax, legend=legend)
        drawn.ax_.axvline(0, color=_style.line_color(), linewidth=0.8)
        self.rope_, self.text_ = drawn.band_, drawn.text_
        self.lines_, self.estimates_ = drawn.lines_, drawn.estimates_
        self.ax_, self.figure_ = drawn.ax_, drawn.figure_
        return self


# Plot of the scores of cross-validation folds
# --------------------------------------------


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
        _intervals_display.check_rows(scores=scores, intervals=intervals)
        is_scalar = isinstance(baselines, (str, bytes)) or getattr(baselines, "ndim", 1) == 0
        if is_scalar or not isinstance(baselines, Collection):
            raise ValueError(
                f"baselines must be a list of names, got {checks.shown(baselines)}: put the names "
                "in a list."
            )
        if not isinstance(score_name, str):
            raise ValueError(f"score_name must be a string, got {checks.shown(score_name)}.")
        _intervals_display.check_intervals("intervals", intervals)
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
        checks.check_bool("legend", legend)
        _style.require_matplotlib(self)
        is_hollow = [name in self.baselines for name in self.scores]
        level = formatting.as_percent(next(iter(self.intervals.values())).confidence_level)
        intervals = [self.intervals[name] for name in self.scores]
        ax, self.text_ = _intervals_display.draw_rows(
            ax,
            list(self.scores),
            beside=list(map(_numbers, self.scores.values(), intervals)),
            xlabel=_style.one_line(self.score_name),
            row_height=0.6,
        )
        self.points_ = []
        for row, (scores, is_grey) in enumerate(zip(self.scores.values(), is_hollow, strict=True)):
            self.points_ += ax.plot(
                scores,
                row + np.linspace(0, 0.3, len(scores)),
                color=_style.GREY if is_grey else _style.LIGHT_BLUE,
                marker="o",
                markersize=4,
                markeredgewidth=1,
                markerfacecolor=ax.get_facecolor() if is_grey else None,
                linestyle="none",
            )
        self.lines_, self.means_ = _intervals_display.draw_marks(
            ax,
            np.arange(len(intervals)) - 0.15,
            _intervals_display.as_columns(intervals),
            is_hollow=is_hollow,
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
            _intervals_display.legend_below(ax, [*key.values()], [*key])
        self.ax_, self.figure_ = ax, ax.figure
        return self


def _floats(values: ArrayLike) -> NDArray[np.float64]:
    """Return the scores of a row as floats; masked scores are NaN."""
    scores = checks.as_numbers("scores", values).astype(np.float64)
    if scores.ndim != 1:
        raise ValueError(f"scores must be one-dimensional for each name, got shape {scores.shape}.")
    return scores


def _numbers(scores: NDArray[np.float64], interval: IntervalLike) -> str:
    text = _intervals_display.interval_as_text(interval.estimate, interval.low, interval.high)
    n_undefined = int(np.isnan(scores).sum())
    return f"{text}, {n_undefined} of {len(scores)} undefined" if n_undefined else text
