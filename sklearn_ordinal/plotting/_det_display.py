"""Detection error tradeoff over an ordered scale."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import norm

from sklearn_ordinal.metrics import equal_error_rate
from sklearn_ordinal.plotting._binary_problems import BinaryProblem
from sklearn_ordinal.plotting._colors import line_color
from sklearn_ordinal.plotting._curve_axes import CHANCE, as_texts, plot_lines
from sklearn_ordinal.plotting._curve_display_base import CurveDisplay
from sklearn_ordinal.plotting._curve_points import (
    curve_points,
    det,
    deviates,
    metric_values,
    straight_in_rates,
)

_MARK: dict[str, Any] = {"markersize": 5.0, "markeredgewidth": 1.0, "linestyle": "none"}
# Limits of normal deviates as in scikit-learn.
_DET_LIMITS = (-3.0, 3.0)
_DET_TICKS = tuple(
    (norm.ppf(rates), [f"{rate:.0%}" for rate in rates])
    for rates in (
        [0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99],
        [0.01, 0.2, 0.5, 0.8, 0.99],
        [0.01, 0.5, 0.99],
    )
)


class OrdinalDetCurveDisplay(CurveDisplay):
    """Detection error tradeoff of the thresholds of an ordered scale.

    Create a display with `from_predictions` or `from_estimator`.

    At each threshold, the classes above it are positive. The score is the probability of
    these classes, P(y > k), or the given score, which is the same for all thresholds. Both
    axes are in normal deviates. A point on each curve marks its equal error rate, where
    both error rates are the same. With ``split="class"``, each class in turn is positive
    and its probability is the score.

    Parameters
    ----------
    evidence : OrdinalForecasts or OrdinalScores
        True classes with probabilities or with scores.
    split : {"threshold", "class"}, default="threshold"
        Whether to plot a curve for each threshold or for each class.
    target_names : sequence of str, default=None
        Display names of the classes, in the order of the scale.

    Attributes
    ----------
    fpr, fnr : list of ndarray
        False positive and false negative rates of each curve. The arrays are empty if there are
        no positive or no negative samples.
    equal_error_rate : ndarray of shape (n_curves,)
        Equal error rate of each curve; NaN if it is undefined.
    lines_ : list of matplotlib.lines.Line2D
        Curves in normal deviates. The lines between operating points would be straight on axes
        of rates, and are curved in normal deviates.
    points_ : list of matplotlib.lines.Line2D
        Equal error rate of each curve.
    legend_ : matplotlib.legend.Legend
        Legend to the right of the axes.
    ax_ : matplotlib.axes.Axes
        Axes of the plot.
    figure_ : matplotlib.figure.Figure
        Figure that contains the plot.

    Raises
    ------
    ValueError
        If `evidence` is a stack or has a single class, scores are passed with
        ``split="class"``, or `target_names` does not name each class exactly once.

    See Also
    --------
    OrdinalRocCurveDisplay : Plot the same operating points in rates.
    sklearn.metrics.DetCurveDisplay : Plot the curve for two classes.

    Examples
    --------
    >>> from sklearn_ordinal.plotting import OrdinalDetCurveDisplay
    >>> display = OrdinalDetCurveDisplay.from_predictions(
    ...     [0, 1, 0, 2, 2, 1], [0.1, 0.3, 0.4, 0.8, 0.7, 0.2]
    ... )
    >>> [text.get_text() for text in display.legend_.get_texts()]
    ["above '0': 0.50", "above '1': 0.00"]
    """

    _title = "Equal error rate (point)"
    _axis_labels = ("False positive rate", "False negative rate")
    _tick_choices = _DET_TICKS

    def _compute(self, problems: list[BinaryProblem]) -> None:
        self.fpr, self.fnr = curve_points(problems, det)
        self.equal_error_rate = metric_values(problems, _equal_error_rate)

    def _numbers(self) -> list[str]:
        return as_texts(self.equal_error_rate)

    def _draw(self, ax: Any, styles: list[dict[str, Any]]) -> tuple[list[Any], list[Any]]:
        ax.plot(_DET_LIMITS, _DET_LIMITS, color=line_color(), **CHANCE)
        curves = [straight_in_rates(*rates) for rates in zip(self.fpr, self.fnr, strict=True)]
        lines = plot_lines(
            ax, [deviates(x) for x, _ in curves], [deviates(y) for _, y in curves], styles
        )
        rates = [rate[~np.isnan(rate)] for rate in self.equal_error_rate[:, None]]
        # If the equal error rate is nearly zero, its mark is at the edge of the axes.
        places = [np.clip(deviates(rate), *_DET_LIMITS) for rate in rates]
        marks = [{"color": style["color"], "marker": "o", "clip_on": False} for style in styles]
        self.points_ = plot_lines(ax, places, places, [{**mark, **_MARK} for mark in marks])
        ax.set(xlim=_DET_LIMITS, ylim=_DET_LIMITS)
        return lines, []


def _equal_error_rate(*arrays: Any, **weights: Any) -> float:
    return float(equal_error_rate(*arrays, **weights)[0])
