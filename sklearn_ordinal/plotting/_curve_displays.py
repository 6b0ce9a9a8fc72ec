"""ROC, precision-recall, DET and coverage curves over an ordered scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self, Unpack

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import norm
from sklearn.metrics import average_precision_score

from sklearn_ordinal._core import (
    SCORES,
    Forecasts,
    OrdinalForecasts,
    OrdinalScores,
    ReadingOptions,
    check_choice,
    check_fitted,
    check_target_names,
    read_samples,
    takes_reading,
)
from sklearn_ordinal.metrics import equal_error_rate, ranking_error
from sklearn_ordinal.plotting._curve_points import (
    NO_CURVE,
    BinaryProblem,
    Split,
    areas,
    binary_problems,
    convex_hull,
    coverage,
    curve_points,
    det,
    deviates,
    metric_values,
    recall_and_precision,
    roc,
    straight_in_rates,
)
from sklearn_ordinal.plotting._curves import (
    CHANCE,
    RATE_LIMITS,
    THIN,
    as_pairs,
    as_texts,
    curve_axes,
    finish_curves,
    plot_lines,
)
from sklearn_ordinal.plotting._style import line_color, require_matplotlib

# Limits of normal deviates as in scikit-learn, and the rates at the ticks.
_DET_LIMITS, _DET_TICKS = (-3.0, 3.0), (0.01, 0.1, 0.5, 0.9, 0.99)
_MARK: dict[str, Any] = {"markersize": 5.0, "markeredgewidth": 1.0, "linestyle": "none"}
_STARTS = {"threshold": "above\N{NO-BREAK SPACE}'", "class": "'"}


class CurveDisplay:
    """Base class for curves of probabilities or scores, one for each threshold or class."""

    # Title of the legend, which explains the numbers, and the entries after the curves.
    _title: str
    _others: tuple[str, ...] = ()
    _axis_labels: tuple[str, str]

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
        """Compute the points of the curves."""
        raise NotImplementedError

    def _numbers(self) -> list[str]:
        """Return the numbers of each curve that are shown in the legend."""
        raise NotImplementedError

    def _draw(self, ax: Any, styles: list[dict[str, Any]]) -> tuple[list[Any], list[Any]]:
        """Draw the curves; return them and the handles of the other entries."""
        raise NotImplementedError

    @classmethod
    @takes_reading(ReadingOptions)
    def from_predictions(
        cls,
        y_true: ArrayLike | Forecasts,
        y_score: ArrayLike | None = None,
        *,
        split: Split = "threshold",
        target_names: Sequence[str] | None = None,
        ax: Any = None,
        **reading: Unpack[ReadingOptions],
    ) -> Self:
        """Plot true classes and probabilities or scores.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,) or evidence
            True classes; or `OrdinalForecasts` or `OrdinalScores` in place of `y_true`, `y_score`
            and the reading options such as `labels`.
        y_score : array-like of shape (n_samples, n_classes) or (n_samples,), default=None
            Probabilities of the classes, in the order of the scale, or scores that are
            higher for higher classes.
        **reading
        split : {"threshold", "class"}, default="threshold"
            Whether to plot a curve for each threshold, which separates the classes up to it
            from the classes above it, or a curve for each class against the rest. The latter
            needs probabilities.
        target_names : sequence of str, default=None
            Display names of the classes, in the order of the scale.
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on. Their figure is not changed: create it with
            ``layout="constrained"``, which makes room for names. If None, a new figure is created.

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
            probabilities or scores are not valid, scores are passed with ``split="class"``, or
            `target_names` does not name each class exactly once.
        """
        evidence = read_samples((SCORES,), y_true, y_score, reading, name="y_score", copy=True)
        return cls(evidence, split=split, target_names=target_names).plot(ax)

    @classmethod
    @takes_reading(ReadingOptions)
    def from_estimator(
        cls,
        estimator: Any,
        X: ArrayLike,
        y: ArrayLike,
        *,
        split: Split = "threshold",
        target_names: Sequence[str] | None = None,
        ax: Any = None,
        **reading: Unpack[ReadingOptions],
    ) -> Self:
        """Plot the probabilities or scores of a fitted estimator.

        The first available of these methods is used: `predict_proba`, whose columns are
        matched to the classes, a `decision_function` with one value per sample, or
        `predict`.

        Parameters
        ----------
        estimator : estimator instance
            Fitted classifier or regressor, or a fitted pipeline that ends with one.
        X : array-like of shape (n_samples, n_features)
            Input data.
        y : array-like of shape (n_samples,)
            True classes.
        **reading
        split : {"threshold", "class"}, default="threshold"
            Whether to plot a curve for each threshold, which separates the classes up to it
            from the classes above it, or a curve for each class against the rest. The latter
            needs probabilities.
        target_names : sequence of str, default=None
            Display names of the classes, in the order of the scale.
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on. Their figure is not changed: create it with
            ``layout="constrained"``, which makes room for names. If None, a new figure is created.

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
            estimator only has scores although ``split="class"``, or `target_names` does not
            name each class exactly once.
        """
        check_fitted(estimator)
        evidence = SCORES.of_estimator(estimator, X, y, **reading)
        return cls(evidence, split=split, target_names=target_names).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Plot the curves.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on. Their figure is not changed: create it with
            ``layout="constrained"``, which makes room for names. If None, a new figure is created.

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
        is_threshold = self.split == "threshold"
        ax, texts, styles = curve_axes(
            ax,
            self.target_names[:-1] if is_threshold else self.target_names,
            start=_STARTS[self.split],
            numbers=self._numbers(),
            title=self._title if is_threshold else f"{self._title}, against the rest",
            others=self._others,
        )
        self.lines_, others = self._draw(ax, styles)
        self.legend_ = finish_curves(ax, texts, self.lines_, others, labels=self._axis_labels)
        self.ax_, self.figure_ = ax, ax.figure
        return self


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
        ticks, texts = norm.ppf(_DET_TICKS), [f"{rate:.0%}" for rate in _DET_TICKS]
        ax.set(xlim=_DET_LIMITS, ylim=_DET_LIMITS)
        ax.set_xticks(ticks, texts)
        ax.set_yticks(ticks, texts)
        return lines, []


def _equal_error_rate(*arrays: Any, **weights: Any) -> float:
    return float(equal_error_rate(*arrays, **weights)[0])


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
