"""The picture of the scores of folds."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal.inference import Interval
from sklearn_ordinal.plotting._comparison import find_criterion
from sklearn_ordinal.plotting._style import (
    GREY,
    LIGHT_BLUE,
    draw_interval,
    fit_rows,
    legend_above,
    name_rows,
    new_axes_for_rows,
    require_matplotlib,
    write_beside,
)


class FoldScoresDisplay:
    """Picture of the scores of each fold, with their mean and its interval.

    Make one with `from_report`.

    Each model, or criterion, has a row: a diamond at the mean, a line from end to end
    of the interval, and below it a point for each fold, the first fold at the top.
    Baselines are grey and hollow. The numbers stand at the right, with the folds whose
    score is undefined, which have no point.

    Parameters
    ----------
    scores : mapping of str to array-like of shape (n_folds,)
        The scores of the folds by the name of the row, from the top. NaN where the fit
        failed or the score is undefined.
    intervals : mapping of str to Interval
        Their mean with its interval, by the same names.
    baselines : collection of str, default=()
        The names that are baselines.
    score_name : str, default="Score"
        What the scores are, to be written below the axis.

    Attributes
    ----------
    points_ : list of matplotlib.lines.Line2D
        The scores of the folds of each row.
    means_ : list of matplotlib.lines.Line2D
        The mean of each row.
    lines_ : list of matplotlib.lines.Line2D
        The interval of each row.
    text_ : list of matplotlib.text.Text
        The numbers of each row.
    ax_ : matplotlib.axes.Axes
        Axes of the picture.
    figure_ : matplotlib.figure.Figure
        Figure of the picture.

    Raises
    ------
    ValueError
        If there are no scores, or the names of `scores` and `intervals` differ.

    See Also
    --------
    ComparisonDisplay : Differences from the best baseline.

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
        intervals: Mapping[str, Interval],
        *,
        baselines: Collection[str] = (),
        score_name: str = "Score",
    ) -> None:
        if not scores or scores.keys() != intervals.keys():
            raise ValueError(
                f"scores and intervals must have the same names, one at least, "
                f"got {list(scores)} and {list(intervals)}."
            )
        self.scores = {name: np.asarray(values, dtype=float) for name, values in scores.items()}
        self.intervals = dict(intervals)
        self.baselines = tuple(baselines)
        self.score_name = score_name

    @classmethod
    def from_report(
        cls,
        report: Any,
        *,
        criterion: str | Sequence[str] | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the folds of a report.

        Parameters
        ----------
        report : CrossValReport or ComparisonReport
            Of a cross-validation, rows are criteria; of a comparison, they are models,
            the best at the top, and losses are negated.
        criterion : str or sequence of str, default=None
            Of a comparison, one of its criteria, by default the first. Of a
            cross-validation one or several, by default those of which 1 is best, which
            can share an axis, or else the first.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, those of a new figure of a size that fits.
        **options : dict
            Options of `plot`.

        Returns
        -------
        FoldScoresDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If `report` is of another type, or does not have the criterion.
        """
        if hasattr(report, "pooled"):
            return cls._of_criteria(report, criterion).plot(ax, **options)
        if not hasattr(report, "scoring"):
            raise ValueError(
                f"report must be a CrossValReport or a ComparisonReport, got "
                f"{type(report).__name__}: make one with cross_val_report or compare_estimators."
            )
        return cls._of_models(report, criterion).plot(ax, **options)

    @classmethod
    def _of_models(cls, comparison: Any, criterion: Any) -> Self:
        criterion = find_criterion(comparison, criterion)
        table = comparison.table[criterion]
        best_first = sorted(table, key=lambda model: table[model].rank)
        return cls(
            {model: comparison.scores[criterion][model] for model in best_first},
            {model: table[model].score for model in best_first},
            baselines=comparison.baselines,
            score_name=f"{criterion} (higher is better)",
        )

    @classmethod
    def _of_criteria(cls, report: Any, criterion: Any) -> Self:
        names = [criterion] if isinstance(criterion, str) else criterion
        if names is None:
            names = names_best_at_one(report) or list(report.scores)[:1]
        if not names or not set(names) <= report.scores.keys():
            raise ValueError(f"criterion must be among {list(report.scores)}, got {criterion!r}.")
        titles = {
            name: name if report.metrics[name].greater_is_better else f"{name} (lower is better)"
            for name in names
        }
        return cls(
            {title: report.scores[name] for name, title in titles.items()},
            {title: report.intervals[name] for name, title in titles.items()},
        )

    def plot(self, ax: Any = None, *, legend: bool = True) -> Self:
        """Draw the rows.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, those of a new figure of a size that fits.
        legend : bool, default=True
            Whether to explain the marks above the rows.

        Returns
        -------
        FoldScoresDisplay
            The display itself.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        require_matplotlib(self)
        names = list(self.scores)
        texts = [_numbers(self.scores[name], self.intervals[name]) for name in names]
        if ax is None:
            ax = new_axes_for_rows(
                names,
                row_height=0.6,
                beside=texts,
                below=self.score_name,
                key=self._key() if legend else (),
            )
        name_rows(ax, names)
        self.points_, self.means_, self.lines_ = [], [], []
        for row, name in enumerate(names):
            is_baseline = name in self.baselines
            scores = self.scores[name]
            (points,) = ax.plot(
                scores,
                row + np.linspace(0, 0.3, len(scores)),
                color=GREY if is_baseline else LIGHT_BLUE,
                marker="o",
                markersize=4,
                markeredgewidth=1,
                markerfacecolor=ax.get_facecolor() if is_baseline else None,
                linestyle="none",
            )
            line, mean = draw_interval(
                ax, row - 0.15, self.intervals[name], is_baseline=is_baseline
            )
            self.points_.append(points)
            self.lines_.append(line)
            self.means_.append(mean)
        self.text_ = write_beside(ax, texts)
        ax.set_xlabel(self.score_name, parse_math=False)
        ax.grid(axis="x", color=GREY, alpha=0.25, linewidth=0.8)
        if legend:
            legend_above(ax, self._marks(), self._key())
        fit_rows(ax, self.text_)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _key(self) -> list[str]:
        level = next(iter(self.intervals.values())).confidence_level
        key = ["fold", f"mean, {100 * level:g}% interval"]
        return [*key, "baseline"] if self._baseline_rows() else key

    def _marks(self) -> list[Any]:
        marks = list(zip(self.lines_, self.means_, strict=True))
        return [self.points_[0], marks[0], *(marks[row] for row in self._baseline_rows()[:1])]

    def _baseline_rows(self) -> list[int]:
        return [row for row, name in enumerate(self.scores) if name in self.baselines]


def names_best_at_one(report: Any) -> list[str]:
    """Return the criteria of a cross-validation of which 1 is best: they can share an axis."""
    return [
        name
        for name, metric in report.metrics.items()
        if metric.greater_is_better and metric.range_over(report.n_classes)[1] == 1
    ]


def _numbers(scores: NDArray[np.float64], interval: Interval) -> str:
    text = f"{interval.estimate:.3f} [{interval.low:.3f}, {interval.high:.3f}]"
    n_undefined = int(np.isnan(scores).sum())
    return f"{text}, {n_undefined} of {len(scores)} undefined" if n_undefined else text
