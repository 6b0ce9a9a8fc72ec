"""Constructors and appearance shared by the displays of curves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal._core import (
    PROBABILITIES,
    SCORES,
    Kind,
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalScores,
    as_numbers,
    check_choice,
    check_fitted,
    check_target_names,
)
from sklearn_ordinal.plotting._binary import BinaryProblem, Split, binary_problems
from sklearn_ordinal.plotting._curve_legend import draw_legend, legend_of_plot
from sklearn_ordinal.plotting._layout import settle, thin_out_ticks
from sklearn_ordinal.plotting._style import curve_colors, require_matplotlib

# Neighbours differ by more than lightness.
_LINE_STYLES = ("-", (0, (5, 1.6)), (0, (1.2, 1.2)), (0, (5, 1.4, 1.2, 1.4)))
_STARTS = {"threshold": "above\N{NO-BREAK SPACE}'", "class": "'"}

Ticks: TypeAlias = tuple[ArrayLike, Sequence[str]]


class CurvePlot:
    """Base class for plots with a curve for each threshold, or for each class."""

    # The legend: what the numbers are, and entries after those of the curves.
    _title: str
    _others: tuple[str, ...] = ()
    _axis_labels: tuple[str, str]
    # The longest tick label of each axis.
    _ticks: tuple[str, str] = ("0.0", "0.0")
    # Positions and labels, in the order of preference; without any, matplotlib's are thinned out.
    _tick_choices: Sequence[Ticks] = ()
    split: Split = "threshold"
    target_names: tuple[str, ...]
    lines_: list[Any]

    def _numbers(self) -> list[str]:
        """Return what the legend says of each curve."""
        raise NotImplementedError

    def _draw(self, ax: Any, styles: list[dict[str, Any]]) -> list[Any]:
        """Draw the curves, set `lines_`, and return the handles of the other entries."""
        raise NotImplementedError

    def plot(self, ax: Any = None) -> Self:
        """Plot the curves.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on, in which texts are made to fit. If None, a new
            figure of a suitable size is created.

        Returns
        -------
        display
            The display itself.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If `ax` is not rectilinear axes.
        """
        require_matplotlib(self)
        names = self.target_names[:-1] if self.split == "threshold" else self.target_names
        ax, legend = legend_of_plot(
            ax,
            names,
            start=_STARTS[self.split],
            ends=[f"': {number}" for number in self._numbers()],
            title=self._title if self.split == "threshold" else f"{self._title}, against the rest",
            others=self._others,
            ticks=self._ticks,
        )
        others = self._draw(ax, _styles(len(names), ax.get_facecolor()[:3]))
        handles = [line if len(line.get_xdata()) else _no_line() for line in self.lines_]
        self.legend_ = draw_legend(ax, [*handles, *others], legend)
        self._finish(ax, legend.font_size)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _finish(self, ax: Any, font_size: float) -> None:
        ax.set_xlabel(self._axis_labels[0], fontsize=font_size)
        ax.set_ylabel(self._axis_labels[1], fontsize=font_size)
        ax.tick_params(labelsize=font_size)
        ax.grid(visible=False, which="both")
        ax.set_axisbelow(True)
        # Fewer ticks change the layout a little.
        for _ in range(2):
            settle(ax)
            if self._tick_choices:
                _choose_ticks(ax, self._tick_choices)
            else:
                thin_out_ticks(ax)
        settle(ax)


class CurveDisplay(CurvePlot):
    """Base class for curves of probabilities or scores."""

    def __init__(
        self,
        evidence: OrdinalForecasts | OrdinalScores,
        *,
        split: Split = "threshold",
        target_names: Sequence[str] | None = None,
    ) -> None:
        check_choice("split", split, Split)
        problems = binary_problems(evidence, split)
        self.evidence, self.split = evidence, split
        self.target_names = check_target_names(target_names, evidence.scale)
        self._compute(problems)

    def _compute(self, problems: list[BinaryProblem]) -> None:
        raise NotImplementedError

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        split: Split = "threshold",
        target_names: Sequence[str] | None = None,
        sample_weight: ArrayLike | None = None,
        ax: Any = None,
    ) -> Self:
        """Plot true classes and probabilities or scores.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True classes.
        y_score : array-like of shape (n_samples, n_classes) or (n_samples,)
            Probabilities of the classes, in the order of the scale, or scores that are
            higher for higher classes.
        labels : array-like of shape (n_classes,), default=None
            All classes from the lowest to the highest. If None, taken from an ordered
            dtype or from integers; required for strings.
        split : {"threshold", "class"}, default="threshold"
            Whether there is a curve for each threshold, between the classes up to it and
            those above it, or for each class against the rest, which needs probabilities.
        target_names : sequence of str, default=None
            Display names of the classes, in the order of the scale.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative sample weights.
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on, in which texts are made to fit. If None, a new
            figure of a suitable size is created.

        Returns
        -------
        display
            The display, already drawn.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the order of the classes is unknown, a class is not in `labels`, the
            probabilities or scores are not valid, scores come with ``split="class"``, or
            `target_names` does not name each class exactly once.
        """
        shape = as_numbers("y_score", y_score).shape
        kind: Kind = PROBABILITIES if len(shape) == 2 and shape[1] > 1 else SCORES
        evidence = kind.read(y_true, y_score, labels=labels, sample_weight=sample_weight)
        assert not isinstance(evidence, OrdinalConfusion)
        return cls(evidence, split=split, target_names=target_names).plot(ax)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: ArrayLike,
        y: ArrayLike,
        *,
        labels: ArrayLike | None = None,
        split: Split = "threshold",
        target_names: Sequence[str] | None = None,
        sample_weight: ArrayLike | None = None,
        ax: Any = None,
    ) -> Self:
        """Plot the probabilities or scores of a fitted estimator.

        The first that the estimator has is used: `predict_proba`, whose columns are
        matched to the classes, a `decision_function` with one value per sample, `predict`.

        Parameters
        ----------
        estimator : estimator instance
            Fitted classifier or regressor, or a fitted pipeline that ends with one.
        X : array-like of shape (n_samples, n_features)
            Input data.
        y : array-like of shape (n_samples,)
            True classes.
        labels : array-like of shape (n_classes,), default=None
            All classes from the lowest to the highest. If None, taken from an ordered
            dtype or from integers; required for strings.
        split : {"threshold", "class"}, default="threshold"
            Whether there is a curve for each threshold, between the classes up to it and
            those above it, or for each class against the rest, which needs probabilities.
        target_names : sequence of str, default=None
            Display names of the classes, in the order of the scale.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative sample weights.
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on, in which texts are made to fit. If None, a new
            figure of a suitable size is created.

        Returns
        -------
        display
            The display, already drawn.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the order of the classes is unknown, a class is not in `labels`, the
            estimator has scores only and ``split="class"``, or `target_names` does not
            name each class exactly once.
        """
        check_fitted(estimator)
        evidence = SCORES.of_estimator(estimator, X, y, labels=labels, sample_weight=sample_weight)
        return cls(evidence, split=split, target_names=target_names).plot(ax)


def _styles(n_curves: int, background: Sequence[float]) -> list[dict[str, Any]]:
    colors = curve_colors(n_curves, background)
    return [
        {"color": color, "linestyle": _LINE_STYLES[k % len(_LINE_STYLES)], "linewidth": 1.5}
        for k, color in enumerate(colors)
    ]


def _no_line() -> Any:
    """Return the handle of a curve that is undefined."""
    from matplotlib.lines import Line2D

    return Line2D([], [], linestyle="none")


def _choose_ticks(ax: Any, choices: Sequence[Ticks]) -> None:
    """Set the first ticks on each axis whose labels have gaps."""
    for side, axis in enumerate((ax.xaxis, ax.yaxis)):
        view = np.abs(np.diff(axis.get_view_interval()))[0]
        per_unit = ax.get_window_extent().size[side] / view
        for positions, texts in choices:
            axis.set_ticks(positions, texts)
            widest = max(label.get_window_extent().size[side] for label in axis.get_ticklabels())
            if per_unit * np.diff(positions).min() > 1.3 * widest:
                break
