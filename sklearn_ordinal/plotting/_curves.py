"""ROC, precision-recall, detection error tradeoff and coverage curves over an ordered scale."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import norm
from sklearn.metrics import average_precision_score

from sklearn_ordinal.metrics import equal_error_rate, ranking_error
from sklearn_ordinal.plotting._binary import BinaryProblem
from sklearn_ordinal.plotting._curve_base import CurveDisplay
from sklearn_ordinal.plotting._curve_points import (
    NO_CURVE,
    Floats,
    areas,
    convex_hull,
    coverage,
    curve_of_each,
    det,
    deviates,
    recall_and_precision,
    roc,
    straight_in_rates,
    value_of_each,
)
from sklearn_ordinal.plotting._style import line_color

_THIN: dict[str, Any] = {"linewidth": 0.8, "linestyle": "-"}
_CHANCE: dict[str, Any] = {"linewidth": 0.8, "linestyle": (0, (6, 4)), "alpha": 0.7}
_MARK: dict[str, Any] = {"markersize": 5.0, "markeredgewidth": 1.0, "linestyle": "none"}
_RATES = (-0.01, 1.01)
_RATE_TICKS = tuple(
    (rates, [f"{rate:.1f}" for rate in rates]) for rates in (np.arange(6) / 5, [0, 0.5, 1], [0, 1])
)
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


class OrdinalRocCurveDisplay(CurveDisplay):
    """ROC curves of the thresholds of an ordered scale, with their convex hulls.

    Create one with `from_predictions` or `from_estimator`.

    At each threshold, the classes above it are positive. The score is the probability of
    these classes, P(y > k), or the score that is given, which is the same for all
    thresholds. The convex hull is what the scores can reach after isotonic calibration; the
    legend has the area under the curve and under its hull. With ``split="class"``, each
    class is positive by itself and its probability is the score.

    Parameters
    ----------
    evidence : OrdinalForecasts or OrdinalScores
        True classes with probabilities or with scores.
    split : {"threshold", "class"}, default="threshold"
        Whether there is a curve for each threshold or for each class.
    target_names : sequence of str, default=None
        Display names of the classes, in the order of the scale.

    Attributes
    ----------
    fpr, tpr : list of ndarray
        False and true positive rates of each curve, without values where positive or
        negative samples are missing.
    roc_auc : ndarray of shape (n_curves,)
        Area under each curve, NaN where there is none.
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
        If `evidence` is a stack or has a single class, scores come with
        ``split="class"``, or `target_names` does not name each class exactly once.

    See Also
    --------
    CoverageCurveDisplay : The same curves in numbers of samples.
    OrdinalDetCurveDisplay : Both error rates in normal deviates.
    sklearn.metrics.RocCurveDisplay : The plot of two classes.

    Notes
    -----
    With probabilities, the score differs from threshold to threshold, and the area is that
    of `~sklearn_ordinal.metrics.threshold_roc_auc_score` for the scores of the threshold.
    Given the probabilities, that function ranks all thresholds by the expected position.

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
    _tick_choices = _RATE_TICKS

    def _compute(self, problems: list[BinaryProblem]) -> None:
        self.fpr, self.tpr = curve_of_each(problems, roc)
        hulls = [convex_hull(*rates) for rates in zip(self.fpr, self.tpr, strict=True)]
        self.hull_fpr, self.hull_tpr = [hull[0] for hull in hulls], [hull[1] for hull in hulls]
        self.roc_auc = areas(self.fpr, self.tpr)
        self.hull_roc_auc = areas(self.hull_fpr, self.hull_tpr)

    def _numbers(self) -> list[str]:
        return _as_pairs(self.roc_auc, self.hull_roc_auc)

    def _draw(self, ax: Any, styles: list[dict[str, Any]]) -> list[Any]:
        from matplotlib.lines import Line2D

        (chance,) = ax.plot([0, 1], [0, 1], color=line_color(), **_CHANCE)
        colors = [{**_THIN, "color": style["color"]} for style in styles]
        self.hull_lines_ = _plot_all(ax, self.hull_fpr, self.hull_tpr, colors)
        self.lines_ = _plot_all(ax, self.fpr, self.tpr, styles)
        ax.set(xlim=_RATES, ylim=_RATES)
        return [Line2D([], [], color=line_color(), **_THIN), chance]


class OrdinalPrecisionRecallDisplay(CurveDisplay):
    """Precision-recall curves of the thresholds of an ordered scale.

    Create one with `from_predictions` or `from_estimator`.

    At each threshold, the classes above it are positive. The score is the probability of
    these classes, P(y > k), or the score that is given, which is the same for all
    thresholds. The legend has the average precision and the share of positive samples,
    which is the precision of chance and differs from threshold to threshold. With
    ``split="class"``, each class is positive by itself and its probability is the score.

    Parameters
    ----------
    evidence : OrdinalForecasts or OrdinalScores
        True classes with probabilities or with scores.
    split : {"threshold", "class"}, default="threshold"
        Whether there is a curve for each threshold or for each class.
    target_names : sequence of str, default=None
        Display names of the classes, in the order of the scale.

    Attributes
    ----------
    precision, recall : list of ndarray
        Precision and recall of each curve, without values where positive or negative
        samples are missing.
    average_precision : ndarray of shape (n_curves,)
        Average precision of each curve, NaN where there is none.
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
        If `evidence` is a stack or has a single class, scores come with
        ``split="class"``, or `target_names` does not name each class exactly once.

    See Also
    --------
    OrdinalRocCurveDisplay : Curves that do not depend on the share of positive samples.
    sklearn.metrics.PrecisionRecallDisplay : The plot of two classes.

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
    _tick_choices = _RATE_TICKS

    def _compute(self, problems: list[BinaryProblem]) -> None:
        self.recall, self.precision = curve_of_each(problems, recall_and_precision)
        self.average_precision = value_of_each(problems, average_precision_score)
        self.prevalence = np.array(
            [np.average(problem.is_positive, weights=problem.weights) for problem in problems]
        )

    def _numbers(self) -> list[str]:
        return _as_pairs(self.average_precision, self.prevalence)

    def _draw(self, ax: Any, styles: list[dict[str, Any]]) -> list[Any]:
        styles = [{**style, "drawstyle": "steps-post"} for style in styles]
        self.lines_ = _plot_all(ax, self.recall, self.precision, styles)
        ax.set(xlim=_RATES, ylim=_RATES)
        return []


class OrdinalDetCurveDisplay(CurveDisplay):
    """Detection error tradeoff of the thresholds of an ordered scale.

    Create one with `from_predictions` or `from_estimator`.

    At each threshold, the classes above it are positive. The score is the probability of
    these classes, P(y > k), or the score that is given, which is the same for all
    thresholds. Both axes are in normal deviates. A point on each curve marks its equal
    error rate, where both error rates are the same. With ``split="class"``, each class is
    positive by itself and its probability is the score.

    Parameters
    ----------
    evidence : OrdinalForecasts or OrdinalScores
        True classes with probabilities or with scores.
    split : {"threshold", "class"}, default="threshold"
        Whether there is a curve for each threshold or for each class.
    target_names : sequence of str, default=None
        Display names of the classes, in the order of the scale.

    Attributes
    ----------
    fpr, fnr : list of ndarray
        False positive and false negative rates of each curve, without values where
        positive or negative samples are missing.
    equal_error_rate : ndarray of shape (n_curves,)
        Equal error rate of each curve, NaN where there is none.
    lines_ : list of matplotlib.lines.Line2D
        Curves in normal deviates. Operating points are joined by lines that are straight
        in rates, which bend in normal deviates.
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
        If `evidence` is a stack or has a single class, scores come with
        ``split="class"``, or `target_names` does not name each class exactly once.

    See Also
    --------
    OrdinalRocCurveDisplay : The same operating points in rates.
    sklearn.metrics.DetCurveDisplay : The plot of two classes.

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
    _ticks = ("99%", "99%")
    _tick_choices = _DET_TICKS

    def _compute(self, problems: list[BinaryProblem]) -> None:
        self.fpr, self.fnr = curve_of_each(problems, det)
        self.equal_error_rate = value_of_each(problems, _equal_error_rate)

    def _numbers(self) -> list[str]:
        return _as_texts(self.equal_error_rate)

    def _draw(self, ax: Any, styles: list[dict[str, Any]]) -> list[Any]:
        ax.plot(_DET_LIMITS, _DET_LIMITS, color=line_color(), **_CHANCE)
        curves = [straight_in_rates(*rates) for rates in zip(self.fpr, self.fnr, strict=True)]
        self.lines_ = _plot_all(
            ax, [deviates(x) for x, _ in curves], [deviates(y) for _, y in curves], styles
        )
        rates = [rate[~np.isnan(rate)] for rate in self.equal_error_rate[:, None]]
        # At the edge of the axes if the equal error rate is nearly zero.
        places = [np.clip(deviates(rate), *_DET_LIMITS) for rate in rates]
        marks = [{"color": style["color"], "marker": "o", "clip_on": False} for style in styles]
        self.points_ = _plot_all(ax, places, places, [{**mark, **_MARK} for mark in marks])
        ax.set(xlim=_DET_LIMITS, ylim=_DET_LIMITS)
        return []


class CoverageCurveDisplay(CurveDisplay):
    """Coverage curves of the thresholds of an ordered scale.

    Create one with `from_predictions` or `from_estimator`.

    The curves are those of `OrdinalRocCurveDisplay` in numbers of samples instead of rates
    [1]_. Each ends at the numbers of negative and positive samples of its threshold, and its
    diagonal is that of chance. The shaded area above a curve is the number of pairs of a
    positive and a negative sample in the wrong order, where ties count half. Its share of
    all pairs is the ranking error.

    Parameters
    ----------
    evidence : OrdinalForecasts or OrdinalScores
        True classes with probabilities or with scores.
    split : {"threshold", "class"}, default="threshold"
        Whether there is a curve for each threshold or for each class.
    target_names : sequence of str, default=None
        Display names of the classes, in the order of the scale.

    Attributes
    ----------
    false_positives, true_positives : list of ndarray
        Numbers, or weights, of the negative and positive samples with the highest scores,
        without values where positive or negative samples are missing.
    ranking_error : ndarray of shape (n_curves,)
        Share of the pairs that are ordered wrongly, ties half, NaN where there is no
        curve.
    lines_, diagonals_ : list of matplotlib.lines.Line2D
        Curves, and the diagonal of each.
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
        If `evidence` is a stack or has a single class, scores come with
        ``split="class"``, or `target_names` does not name each class exactly once.

    See Also
    --------
    OrdinalRocCurveDisplay : The same curves in rates.

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
        of_what = " (weight)" if self.evidence.is_weighted else ""
        self._axis_labels = f"False positives{of_what}", f"True positives{of_what}"
        self.false_positives, self.true_positives = curve_of_each(problems, coverage)
        self.ranking_error = value_of_each(problems, ranking_error)
        most = max((counts[-1] for counts in self.true_positives if len(counts)), default=1)
        self._ticks = (f"{most:.0f}",) * 2

    def _numbers(self) -> list[str]:
        return _as_texts(self.ranking_error)

    def _draw(self, ax: Any, styles: list[dict[str, Any]]) -> list[Any]:
        from matplotlib.lines import Line2D

        ends = [
            ([0.0, x[-1]], [0.0, y[-1]]) if len(x) else NO_CURVE
            for x, y in zip(self.false_positives, self.true_positives, strict=True)
        ]
        colors = [{**_THIN, "color": style["color"]} for style in styles]
        self.diagonals_ = _plot_all(ax, [x for x, _ in ends], [y for _, y in ends], colors)
        self.lines_ = _plot_all(ax, self.false_positives, self.true_positives, styles)
        self.areas_ = [
            ax.fill([*x, 0.0], [*y, y[-1]], color=style["color"], alpha=0.12, linewidth=0)[0]
            for x, y, style in zip(self.false_positives, self.true_positives, styles, strict=True)
            if len(x)
        ]
        ax.margins(0.01)
        return [Line2D([], [], **{**_THIN, "color": line_color()})]


def _plot_all(ax: Any, x: list[Any], y: list[Any], styles: list[dict[str, Any]]) -> list[Any]:
    return [
        ax.plot(*pair, **style)[0]
        for pair, style in zip(zip(x, y, strict=True), styles, strict=True)
    ]


def _as_texts(values: Floats) -> list[str]:
    """Return numbers as texts, and "undefined" for NaN."""
    return ["undefined" if np.isnan(value) else f"{value:.2f}" for value in values.tolist()]


def _as_pairs(values: Floats, others: Floats) -> list[str]:
    """Return numbers as texts, each with another number in parentheses."""
    return [
        text if text == "undefined" else f"{text}\N{NO-BREAK SPACE}({other})"
        for text, other in zip(_as_texts(values), _as_texts(others), strict=True)
    ]


def _equal_error_rate(*arrays: Any, **weights: Any) -> float:
    return float(equal_error_rate(*arrays, **weights)[0])
