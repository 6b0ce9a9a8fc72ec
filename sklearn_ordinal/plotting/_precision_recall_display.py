"""Precision-recall curves over an ordered scale."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics import average_precision_score

from sklearn_ordinal.plotting._binary_problems import BinaryProblem
from sklearn_ordinal.plotting._curve_axes import RATE_LIMITS, RATE_TICKS, as_pairs, plot_lines
from sklearn_ordinal.plotting._curve_display_base import CurveDisplay
from sklearn_ordinal.plotting._curve_points import (
    curve_points,
    metric_values,
    recall_and_precision,
)


class OrdinalPrecisionRecallDisplay(CurveDisplay):
    """Precision-recall curves of the thresholds of an ordered scale.

    Create a display with `from_predictions` or `from_estimator`.

    At each threshold, the classes above it are positive. The score is the probability of these
    classes, P(y > k), or the given score, which is the same for all thresholds. The legend
    shows the average precision and the share of positive samples, which is the precision
    expected by chance and differs between thresholds. With ``split="class"``, each class in
    turn is positive and its probability is the score.

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
    precision, recall : list of ndarray
        Precision and recall of each curve. The arrays are empty if there are no positive or no
        negative samples.
    average_precision : ndarray of shape (n_curves,)
        Average precision of each curve; NaN if it is undefined.
    prevalence : ndarray of shape (n_curves,)
        Share of positive samples of each curve.
    lines_ : list of matplotlib.lines.Line2D
        Curves.
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
    OrdinalRocCurveDisplay : Plot curves that do not depend on the share of positive samples.
    sklearn.metrics.PrecisionRecallDisplay : Plot the curve for two classes.

    Examples
    --------
    >>> from sklearn_ordinal.plotting import OrdinalPrecisionRecallDisplay
    >>> display = OrdinalPrecisionRecallDisplay.from_predictions(
    ...     [0, 1, 0, 2, 2], [0.1, 0.3, 0.4, 0.8, 0.7]
    ... )
    >>> [text.get_text() for text in display.legend_.get_texts()]
    ["above '0': 0.92 (0.60)", "above '1': 1.00 (0.40)"]
    """

    _title = "Average precision (prevalence)"
    _axis_labels = ("Recall", "Precision")
    _tick_choices = RATE_TICKS

    def _compute(self, problems: list[BinaryProblem]) -> None:
        self.recall, self.precision = curve_points(problems, recall_and_precision)
        self.average_precision = metric_values(problems, average_precision_score)
        self.prevalence = np.array(
            [np.average(problem.is_positive, weights=problem.weights) for problem in problems]
        )

    def _numbers(self) -> list[str]:
        return as_pairs(self.average_precision, self.prevalence)

    def _draw(self, ax: Any, styles: list[dict[str, Any]]) -> tuple[list[Any], list[Any]]:
        styles = [{**style, "drawstyle": "steps-post"} for style in styles]
        lines = plot_lines(ax, self.recall, self.precision, styles)
        ax.set(xlim=RATE_LIMITS, ylim=RATE_LIMITS)
        return lines, []
