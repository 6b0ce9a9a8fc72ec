"""ROC curves over an ordered scale."""

from __future__ import annotations

from typing import Any

from sklearn_ordinal.plotting._binary_problems import BinaryProblem
from sklearn_ordinal.plotting._colors import line_color
from sklearn_ordinal.plotting._curve_axes import (
    CHANCE,
    RATE_LIMITS,
    RATE_TICKS,
    THIN,
    as_pairs,
    plot_lines,
)
from sklearn_ordinal.plotting._curve_display_base import CurveDisplay
from sklearn_ordinal.plotting._curve_points import areas, convex_hull, curve_points, roc


class OrdinalRocCurveDisplay(CurveDisplay):
    """ROC curves of the thresholds of an ordered scale, with their convex hulls.

    Create a display with `from_predictions` or `from_estimator`.

    At each threshold, the classes above it are positive. The score is the probability of these
    classes, P(y > k), or the given score, which is the same for all thresholds. The convex hull
    is the curve of the scores after isotonic calibration. The legend shows the areas under the
    curve and under its hull. With ``split="class"``, each class in turn is positive and its
    probability is the score.

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
    fpr, tpr : list of ndarray
        False and true positive rates of each curve. The arrays are empty if there are no
        positive or no negative samples.
    roc_auc : ndarray of shape (n_curves,)
        Area under each curve; NaN if there is no curve.
    hull_fpr, hull_tpr : list of ndarray
        Corners of the convex hull of each curve.
    hull_roc_auc : ndarray of shape (n_curves,)
        Area under each convex hull.
    lines_, hull_lines_ : list of matplotlib.lines.Line2D
        Curves and their convex hulls.
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
    CoverageCurveDisplay : Plot the same curves in numbers of samples.
    OrdinalDetCurveDisplay : Plot both error rates in normal deviates.
    sklearn.metrics.RocCurveDisplay : Plot the curve for two classes.

    Notes
    -----
    With probabilities, each threshold has its own score, P(y > k), and the area equals
    `~sklearn_ordinal.metrics.threshold_roc_auc_score` computed from this score. If that function
    is called with the probabilities, it ranks the samples by their expected positions at all
    thresholds.

    Examples
    --------
    >>> from sklearn_ordinal.plotting import OrdinalRocCurveDisplay
    >>> display = OrdinalRocCurveDisplay.from_predictions(
    ...     ["low", "mid", "low", "high", "high"], [0.1, 0.3, 0.4, 0.8, 0.7],
    ...     labels=["low", "mid", "high"],
    ... )
    >>> [text.get_text() for text in display.legend_.get_texts()]
    ["above 'low': 0.83 (0.92)", "above 'mid': 1.00 (1.00)", 'convex hull', 'chance']
    """

    _title = "AUC (hull)"
    _others = ("convex hull", "chance")
    _axis_labels = ("False positive rate", "True positive rate")
    _tick_choices = RATE_TICKS

    def _compute(self, problems: list[BinaryProblem]) -> None:
        self.fpr, self.tpr = curve_points(problems, roc)
        hulls = [convex_hull(*rates) for rates in zip(self.fpr, self.tpr, strict=True)]
        self.hull_fpr, self.hull_tpr = [hull[0] for hull in hulls], [hull[1] for hull in hulls]
        self.roc_auc = areas(self.fpr, self.tpr)
        self.hull_roc_auc = areas(self.hull_fpr, self.hull_tpr)

    def _numbers(self) -> list[str]:
        return as_pairs(self.roc_auc, self.hull_roc_auc)

    def _draw(self, ax: Any, styles: list[dict[str, Any]]) -> tuple[list[Any], list[Any]]:
        from matplotlib.lines import Line2D

        (chance,) = ax.plot([0, 1], [0, 1], color=line_color(), **CHANCE)
        colors = [{**THIN, "color": style["color"]} for style in styles]
        self.hull_lines_ = plot_lines(ax, self.hull_fpr, self.hull_tpr, colors)
        lines = plot_lines(ax, self.fpr, self.tpr, styles)
        ax.set(xlim=RATE_LIMITS, ylim=RATE_LIMITS)
        return lines, [Line2D([], [], color=line_color(), **THIN), chance]
