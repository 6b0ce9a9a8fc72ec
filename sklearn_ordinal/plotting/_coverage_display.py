"""Coverage curves over an ordered scale."""

from __future__ import annotations

from typing import Any

from sklearn_ordinal.metrics import ranking_error
from sklearn_ordinal.plotting._binary_problems import BinaryProblem
from sklearn_ordinal.plotting._colors import line_color
from sklearn_ordinal.plotting._curve_axes import THIN, as_texts, plot_lines
from sklearn_ordinal.plotting._curve_display_base import CurveDisplay
from sklearn_ordinal.plotting._curve_points import NO_CURVE, coverage, curve_points, metric_values


class CoverageCurveDisplay(CurveDisplay):
    """Coverage curves of the thresholds of an ordered scale.

    Create a display with `from_predictions` or `from_estimator`.

    The curves show the same points as `OrdinalRocCurveDisplay`, in numbers of samples instead
    of rates [1]_. Each curve ends at the numbers of negative and positive samples of its
    threshold, and its diagonal shows chance. The shaded area above a curve is the number of
    pairs of a positive and a negative sample in the wrong order, where ties count half. The
    share of these pairs among all pairs is the ranking error.

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
    false_positives, true_positives : list of ndarray
        Numbers, or weights, of the negative and positive samples with the highest scores. The
        arrays are empty if there are no positive or no negative samples.
    ranking_error : ndarray of shape (n_curves,)
        Share of the pairs in the wrong order, where ties count half; NaN if there is no curve.
    lines_, diagonals_ : list of matplotlib.lines.Line2D
        Curves, and the diagonal of each curve.
    areas_ : list of matplotlib.patches.Polygon
        Areas of the ranking errors.
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
    OrdinalRocCurveDisplay : Plot the same curves in rates.

    References
    ----------
    .. [1] P. Flach (2012), Machine Learning: The Art and Science of Algorithms that Make
           Sense of Data, Cambridge University Press, chapter 2,
           :doi:`10.1017/CBO9780511973000`.

    Examples
    --------
    >>> from sklearn_ordinal.plotting import CoverageCurveDisplay
    >>> display = CoverageCurveDisplay.from_predictions(
    ...     [0, 1, 0, 2, 2], [0.1, 0.3, 0.4, 0.8, 0.7]
    ... )
    >>> display.false_positives[0], display.true_positives[0]
    (array([0., 0., 0., 1., 1., 2.]), array([0., 1., 2., 2., 3., 3.]))
    """

    _title = "Ranking error (shaded)"
    _others = ("chance",)

    def _compute(self, problems: list[BinaryProblem]) -> None:
        unit = " (weight)" if self.evidence.is_weighted else ""
        self._axis_labels = f"False positives{unit}", f"True positives{unit}"
        self.false_positives, self.true_positives = curve_points(problems, coverage)
        self.ranking_error = metric_values(problems, ranking_error)

    def _numbers(self) -> list[str]:
        return as_texts(self.ranking_error)

    def _draw(self, ax: Any, styles: list[dict[str, Any]]) -> tuple[list[Any], list[Any]]:
        from matplotlib.lines import Line2D

        ends = [
            ([0.0, x[-1]], [0.0, y[-1]]) if len(x) else NO_CURVE
            for x, y in zip(self.false_positives, self.true_positives, strict=True)
        ]
        colors = [{**THIN, "color": style["color"]} for style in styles]
        self.diagonals_ = plot_lines(ax, [x for x, _ in ends], [y for _, y in ends], colors)
        lines = plot_lines(ax, self.false_positives, self.true_positives, styles)
        self.areas_ = [
            ax.fill([*x, 0.0], [*y, y[-1]], color=style["color"], alpha=0.12, linewidth=0)[0]
            for x, y, style in zip(self.false_positives, self.true_positives, styles, strict=True)
            if len(x)
        ]
        ax.margins(0.01)
        return lines, [Line2D([], [], **{**THIN, "color": line_color()})]
