"""ROC, precision-recall, DET and coverage curves over an ordered scale."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self, TypeAlias, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import norm
from sklearn.metrics import (
    auc,
    average_precision_score,
    det_curve,
    precision_recall_curve,
    roc_curve,
)
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_samples

from sklearn_ordinal._core import (
    checks,
    counting,
    evidence_kinds,
    evidence_reading,
    scales,
    tolerances,
)
from sklearn_ordinal._core.arithmetic import Floats
from sklearn_ordinal._core.counting import ReadingOptions
from sklearn_ordinal._core.evidence_reading import Forecasts
from sklearn_ordinal._core.forecasting import OrdinalForecasts, OrdinalScores
from sklearn_ordinal.metrics import _ranking
from sklearn_ordinal.plotting import _style

# Axes with a named curve for each threshold or each class, and a legend to their right
# -------------------------------------------------------------------------------------

# Neighbouring curves differ in more than lightness.
_LINE_STYLES = ("-", (0, (5, 1.6)), (0, (1.2, 1.2)), (0, (5, 1.4, 1.2, 1.4)))
# The styles of convex hulls and diagonals, and of the line of chance.
_THIN: dict[str, Any] = {"linewidth": 0.8, "linestyle": "-"}
CHANCE: dict[str, Any] = {"linewidth": 0.8, "linestyle": (0, (6, 4)), "alpha": 0.7}
# Limits of axes that show rates.
_RATE_LIMITS = (-0.01, 1.01)
# Sizes of new figures in inches, at a font size of ten points: of the axes with their labels, of a
# character, and of a line of the legend.
_SIDE, _CHARACTER, _LINE = 4.4, 0.08, 0.19
# The largest number of characters in a line of the legend: in new figures, and in axes of the user.
_NEW, _NARROW = 36, 28


def curve_axes(
    ax: Any,
    names: Sequence[str],
    *,
    start: str,
    numbers: Sequence[str],
    title: str,
    others: Sequence[str] = (),
) -> tuple[Any, list[str], list[dict[str, Any]]]:
    """Return axes for curves, the texts of their legend, and the style of each curve.

    The text `start` and the numbers surround the name of each curve in the legend, and have
    non-breaking spaces where lines must not break. If `start` ends with a quotation mark, another
    one follows the name. `others` are texts that do not have the name of a curve. The last text is
    the title.
    """
    quotation_mark = "'" if start.endswith("'") else ""
    ends = [f"{quotation_mark}: {number}" for number in numbers]
    texts = [*_style.short_names(names, _style.name_size(ax), start=start, ends=ends)]
    texts += [_style.wrapped(text, _NEW if ax is None else _NARROW) for text in (*others, title)]
    n_lines = sum(_style.most_lines([text]) for text in texts)
    ax = _style.axes_of(
        ax,
        _SIDE + 0.5 + _CHARACTER * _style.longest_line(texts),
        max(_SIDE - 0.2, _LINE * n_lines + 0.8),
    )
    ax.grid(visible=False, which="both")
    styles = [
        {"color": color, "linestyle": _LINE_STYLES[k % len(_LINE_STYLES)], "linewidth": 1.5}
        for k, color in enumerate(_style.curve_colors(len(names), ax.get_facecolor()[:3]))
    ]
    return ax, [text.replace("\N{NO-BREAK SPACE}", " ") for text in texts], styles


def finish_curves(
    ax: Any,
    texts: Sequence[str],
    curves: Sequence[Any],
    others: Sequence[Any] = (),
    *,
    labels: tuple[str, str],
) -> Any:
    """Label the axes, draw the legend to their right, and return the legend.

    `others` are the handles of the texts that do not name a curve.
    """
    from matplotlib.lines import Line2D

    ax.set_xlabel(labels[0], parse_math=False)
    ax.set_ylabel(labels[1], parse_math=False)
    # An undefined curve has no handle.
    handles = [
        curve if len(curve.get_xdata()) else Line2D([], [], linestyle="none") for curve in curves
    ]
    *entries, title = texts
    return _style.add_legend(
        ax,
        [*handles, *others],
        entries,
        title=title,
        loc="upper left",
        bbox_to_anchor=(1.0, 1.0),
        handlelength=2.2,
        handletextpad=0.5,
    )


def _plot_lines(ax: Any, x: list[Any], y: list[Any], styles: list[dict[str, Any]]) -> list[Any]:
    """Draw a line with a style for each pair of arrays."""
    return [
        ax.plot(*pair, **style)[0]
        for pair, style in zip(zip(x, y, strict=True), styles, strict=True)
    ]


def _as_texts(values: NDArray[np.float64]) -> list[str]:
    """Return numbers as texts, and "undefined" for NaN."""
    return ["undefined" if np.isnan(value) else f"{value:.2f}" for value in values.tolist()]


def _as_pairs(values: NDArray[np.float64], others: NDArray[np.float64]) -> list[str]:
    """Return numbers as texts, each with another number in parentheses."""
    return [
        text if text == "undefined" else f"{text}\N{NO-BREAK SPACE}({other})"
        for text, other in zip(_as_texts(values), _as_texts(others), strict=True)
    ]


# Binary problems on an ordered scale, and the points of their curves
# -------------------------------------------------------------------

Split = Literal["threshold", "class"]
Curve: TypeAlias = tuple[Floats, Floats]

_NO_CURVE = np.empty(0), np.empty(0)
# Positions of points that are added along a straight line between two operating points.
_ALONG = norm.cdf(np.linspace(-3, 3, 49))


@dataclass(frozen=True)
class BinaryProblem:
    """Samples labelled positive or negative, with scores that are higher for positive samples."""

    is_positive: NDArray[np.bool_]
    score: NDArray[np.float64]
    weights: NDArray[np.float64]

    @property
    def is_defined(self) -> bool:
        """Whether there are positive and negative samples."""
        return bool(self.is_positive.any() and not self.is_positive.all())


def check_one_set(
    argument: str,
    evidence: OrdinalForecasts | OrdinalScores,
    kinds: tuple[type, ...] = (OrdinalForecasts, OrdinalScores),
) -> None:
    """Raise if evidence is of another kind, is a stack, or has a scale with a single class."""
    if not isinstance(evidence, kinds):
        names = " or ".join(kind.__name__ for kind in kinds)
        raise ValueError(
            f"{argument} must be {names}, got {type(evidence).__name__}: pass arrays to "
            f"from_predictions."
        )
    if evidence.weights.ndim != 1:
        raise ValueError(
            f"{argument} must be one set of samples, got weights of shape "
            f"{evidence.weights.shape}: plot each part of a stack separately."
        )
    if evidence.n_classes < 2:
        raise ValueError(
            "y_true must have at least two classes, since a single class has no threshold: pass "
            "labels= with all classes from the lowest to the highest."
        )


def probability_above(forecasts: OrdinalForecasts) -> NDArray[np.float64]:
    """Return P(y > k) for each threshold k: (n_samples, n_classes - 1)."""
    above = np.cumsum(forecasts.y_proba[:, :0:-1], axis=1)[:, ::-1]
    return np.clip(np.round(above, tolerances.DIGITS_OF_PROBABILITIES), 0.0, 1.0)


def binary_problems(
    evidence: OrdinalForecasts | OrdinalScores, split: Split
) -> list[BinaryProblem]:
    """Return a binary problem for each threshold, or for each class against the rest."""
    check_one_set("evidence", evidence)
    position = np.arange(evidence.n_classes)
    if split == "class":
        if isinstance(evidence, OrdinalScores):
            raise ValueError(
                "split='class' needs probabilities of shape (n_samples, n_classes), got scores, "
                "which do not separate a class in the middle from the rest: pass probabilities, "
                "or split='threshold'."
            )
        is_positive = evidence.y_true[:, None] == position
        scores = np.round(evidence.y_proba, tolerances.DIGITS_OF_PROBABILITIES)
    else:
        is_positive = evidence.y_true[:, None] > position[:-1]
        if isinstance(evidence, OrdinalForecasts):
            scores = probability_above(evidence)
        else:
            scores = np.broadcast_to(evidence.y_score[:, None], is_positive.shape)
    used = evidence.weights > 0
    weights = evidence.weights[used]
    return [
        BinaryProblem(positive[used], score[used], weights)
        for positive, score in zip(is_positive.T, scores.T, strict=True)
    ]


def _curve_points(
    problems: list[BinaryProblem], curve: Callable[[BinaryProblem], Curve]
) -> tuple[list[Floats], list[Floats]]:
    """Return the x and y values of each curve; the arrays of an undefined curve are empty."""
    curves = [curve(problem) if problem.is_defined else _NO_CURVE for problem in problems]
    return [x for x, _ in curves], [y for _, y in curves]


def metric_values(problems: list[BinaryProblem], metric: Callable[..., float]) -> Floats:
    """Return the value of a metric of scores for each problem; NaN if it is undefined."""
    values = [
        metric(problem.is_positive, problem.score, sample_weight=problem.weights)
        if problem.is_defined
        else np.nan
        for problem in problems
    ]
    return np.array(values, dtype=np.float64)


def areas(x: list[Floats], y: list[Floats]) -> Floats:
    """Return the area under each curve; NaN if the curve is undefined."""
    return np.array([auc(*pair) if len(pair[0]) else np.nan for pair in zip(x, y, strict=True)])


def roc(problem: BinaryProblem) -> Curve:
    """Return false and true positive rates, starting with the highest score."""
    fpr, tpr, _ = roc_curve(problem.is_positive, problem.score, sample_weight=problem.weights)
    return fpr, tpr


def coverage(problem: BinaryProblem) -> Curve:
    """Return the numbers or weights of false and true positives."""
    fpr, tpr = roc(problem)
    n_positive = problem.weights[problem.is_positive].sum()
    n_negative = problem.weights[~problem.is_positive].sum()
    false_positives, true_positives = fpr * n_negative, tpr * n_positive
    if (problem.weights == 1).all():
        return np.rint(false_positives), np.rint(true_positives)
    return false_positives, true_positives


def _recall_and_precision(problem: BinaryProblem) -> Curve:
    """Return recall and precision, starting with the lowest score."""
    precision, recall, _ = precision_recall_curve(
        problem.is_positive, problem.score, sample_weight=problem.weights
    )
    return recall, precision


def det(problem: BinaryProblem) -> Curve:
    """Return false positive and false negative rates."""
    fpr, fnr, _ = det_curve(problem.is_positive, problem.score, sample_weight=problem.weights)
    return fpr, fnr


def _convex_hull(fpr: Floats, tpr: Floats) -> Curve:
    """Return the corners of the convex hull of a ROC curve."""
    if not len(fpr):
        return _NO_CURVE
    # A weight may be too small to move the curve if the other weights are large.
    moved = np.concatenate([[True], (np.diff(fpr) > 0) | (np.diff(tpr) > 0)])
    fpr, tpr = fpr[moved], tpr[moved]
    # The curve begins with the highest scores, but the pools begin with the lowest.
    first = _ranking.pool_starts(np.diff(tpr)[::-1], np.diff(fpr)[::-1])
    corners = np.concatenate([[0], (len(fpr) - 1 - first)[::-1]])
    return fpr[corners], tpr[corners]


def _straight_in_rates(fpr: Floats, fnr: Floats) -> Curve:
    """Add points between operating points that differ in both rates."""
    starts = np.flatnonzero((np.diff(fpr) != 0) & (np.diff(fnr) != 0))
    x, y = (
        np.concatenate(
            [rates, (rates[starts, None] + np.diff(rates)[starts, None] * _ALONG).ravel()]
        )
        for rates in (fpr, fnr)
    )
    order = np.lexsort((y, -x))
    return x[order], y[order]


def _deviates(rates: Floats) -> Floats:
    """Return the normal deviates of rates, large but finite for 0 and 1."""
    eps = np.finfo(np.float64).eps
    quantiles: Floats = norm.ppf(np.clip(rates, eps, 1 - eps))
    return quantiles


# ROC, precision-recall, DET and coverage curves over an ordered scale
# --------------------------------------------------------------------

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
        checks.check_choice("split", split, Split)
        self.evidence, self.split = evidence, split
        sets = self._sets()
        problems = [problem for samples in sets for problem in binary_problems(samples, split)]
        self.target_names = scales.check_target_names(target_names, sets[0].scale)
        self._compute(problems)

    def _sets(self) -> Sequence[OrdinalForecasts | OrdinalScores]:
        """Return the sets of samples that each have a curve for each threshold or class."""
        return [self.evidence]

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
    @counting.takes_reading(ReadingOptions)
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
        evidence = evidence_reading.read_samples(
            (evidence_kinds.SCORES,), y_true, y_score, reading, name="y_score", copy=True
        )
        return cls(evidence, split=split, target_names=target_names).plot(ax)

    @classmethod
    @counting.takes_reading(ReadingOptions)
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
        checks.check_fitted(estimator)
        evidence = evidence_kinds.SCORES.of_estimator(estimator, X, y, **reading)
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
        _style.require_matplotlib(self)
        is_threshold = self.split == "threshold"
        ax, texts, styles = curve_axes(
            ax,
            self.target_names[:-1] if is_threshold else self.target_names,
            start=_STARTS[self.split],
            numbers=self._numbers(),
            title=self._title if is_threshold else f"{self._title}, against the rest",
            others=self._others,
        )
        n_curves, n_sets = len(styles), len(self._sets())
        if n_sets > 1:
            styles = [{**style, "linewidth": 0.9, "alpha": 0.6} for style in styles] * n_sets
        self.lines_, others = self._draw(ax, styles)
        # The legend shows the curves of the first fold on which they are defined.
        named = [
            next((line for line in self.lines_[k::n_curves] if len(line.get_xdata())), line)
            for k, line in enumerate(self.lines_[:n_curves])
        ]
        self.legend_ = finish_curves(ax, texts, named, others, labels=self._axis_labels)
        self.ax_, self.figure_ = ax, ax.figure
        return self


class FoldCurvesDisplay(CurveDisplay):
    """Base class for curves that may have a line for each fold of a cross-validation."""

    def _sets(self) -> Sequence[OrdinalForecasts | OrdinalScores]:
        if not isinstance(self.evidence, (list, tuple)):
            return [self.evidence]
        if not self.evidence:
            raise ValueError("evidence must contain at least one fold, got none.")
        for fold in self.evidence:
            check_one_set("evidence", fold)
            if fold.scale != self.evidence[0].scale:
                raise ValueError(
                    f"evidence must have the same classes in each fold, got {fold.scale} and "
                    f"{self.evidence[0].scale}: pass labels."
                )
        return self.evidence

    def _by_fold(self, values: Floats) -> Floats:
        """Return values of curves, with a row for each fold if there are folds."""
        if not isinstance(self.evidence, (list, tuple)):
            return values
        return values.reshape(len(self.evidence), -1)

    @staticmethod
    def _numbers_of(values: Floats, others: Floats) -> list[str]:
        """Return values with others in parentheses, or the means over folds and their spread."""
        if values.ndim == 1:
            return _as_pairs(values, others)
        is_defined = ~np.isnan(values)
        defined = [column[which] for column, which in zip(values.T, is_defined.T, strict=True)]
        return [
            f"{column.mean():.2f}\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}{column.std():.2f}"
            if len(column)
            else "undefined"
            for column in defined
        ]

    @classmethod
    @counting.takes_reading(ReadingOptions)
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: ArrayLike,
        y: ArrayLike,
        *,
        split: Split = "threshold",
        target_names: Sequence[str] | None = None,
        ax: Any = None,
        **reading: Unpack[ReadingOptions],
    ) -> Self:
        """Plot the curves of each fold of a cross-validation.

        The estimator of each fold predicts its test samples, as in `from_estimator`. The legend has
        the mean over the folds on which a curve is defined, and the standard deviation.

        Parameters
        ----------
        cv_results : dict
            The return value of `sklearn.model_selection.cross_validate` with
            ``return_estimator=True`` and ``return_indices=True``.
        X : array-like of shape (n_samples, n_features)
            Input data of all folds.
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
            The display, already drawn. Its arrays of curves have all curves of the first fold, then
            all of the second, and its values have a row for each fold.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If `cv_results` has no estimators or indices, the order of the classes is unknown, a
            class is not in `labels`, an estimator only has scores although ``split="class"``,
            or `target_names` does not name each class exactly once.
        """
        if not isinstance(cv_results, Mapping) or not {"estimator", "indices"} <= cv_results.keys():
            found = (
                list(cv_results) if isinstance(cv_results, Mapping) else checks.shown(cv_results)
            )
            raise ValueError(
                f"cv_results must have estimator and indices, got {found}: pass "
                "return_estimator=True and return_indices=True to cross_validate."
            )
        scale, position = scales.encode_one(y, reading.get("labels"))
        scales.check_same_length({"X": _num_samples(X), "y": len(position)})
        weight = reading.get("sample_weight")
        for estimator in cv_results["estimator"]:
            checks.check_fitted(estimator)
        folds: Any = [
            evidence_kinds.SCORES.of_estimator(
                estimator,
                _safe_indexing(X, test),
                scale.labels[position[test]],
                labels=scale.labels,
                sample_weight=None if weight is None else _safe_indexing(weight, test),
            )
            for estimator, test in zip(
                cv_results["estimator"], cv_results["indices"]["test"], strict=True
            )
        ]
        return cls(folds, split=split, target_names=target_names).plot(ax)


class OrdinalRocCurveDisplay(FoldCurvesDisplay):
    """ROC curves of the thresholds of an ordered scale, with their convex hulls.

    Create a display with `from_predictions`, `from_estimator` or `from_cv_results`, whose display
    has a line for each fold of a cross-validation.

    At each threshold, the classes above it are positive. The score is the probability of these
    classes, P(y > k), or the given score, which is the same for all thresholds. The convex hull
    is the curve of the scores after isotonic calibration. The legend shows the areas under the
    curve and under its hull. With ``split="class"``, each class in turn is positive and its
    probability is the score.

    Parameters
    ----------
    evidence : OrdinalForecasts or OrdinalScores, or a list of them
        True classes with probabilities or with scores; a list has one for each fold.
    split : {"threshold", "class"}, default="threshold"
        Whether to plot a curve for each threshold or for each class.
    target_names : sequence of str, default=None
        Display names of the classes, in the order of the scale.

    Attributes
    ----------
    fpr, tpr : list of ndarray
        False and true positive rates of each curve. The arrays are empty if there are no
        positive or no negative samples.
    roc_auc : ndarray of shape (n_curves,) or (n_folds, n_curves)
        Area under each curve; NaN if there is no curve.
    hull_fpr, hull_tpr : list of ndarray
        Corners of the convex hull of each curve.
    hull_roc_auc : ndarray of shape (n_curves,) or (n_folds, n_curves)
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
    _others: tuple[str, ...] = ("convex hull", "chance")
    _axis_labels = ("False positive rate", "True positive rate")

    def _compute(self, problems: list[BinaryProblem]) -> None:
        self.fpr, self.tpr = _curve_points(problems, roc)
        hulls = [_convex_hull(*rates) for rates in zip(self.fpr, self.tpr, strict=True)]
        self.hull_fpr, self.hull_tpr = [hull[0] for hull in hulls], [hull[1] for hull in hulls]
        self.roc_auc = self._by_fold(areas(self.fpr, self.tpr))
        self.hull_roc_auc = self._by_fold(areas(self.hull_fpr, self.hull_tpr))
        if self.roc_auc.ndim == 2:
            self._title, self._others = "AUC, mean ± std of folds", ("chance",)

    def _numbers(self) -> list[str]:
        return self._numbers_of(self.roc_auc, self.hull_roc_auc)

    def _draw(self, ax: Any, styles: list[dict[str, Any]]) -> tuple[list[Any], list[Any]]:
        from matplotlib.lines import Line2D

        (chance,) = ax.plot([0, 1], [0, 1], color=_style.line_color(), **CHANCE)
        of_hulls = [Line2D([], [], color=_style.line_color(), **_THIN)]
        colors = [{**_THIN, "color": style["color"]} for style in styles]
        hulls = self.hull_fpr, self.hull_tpr
        if self.roc_auc.ndim == 2:
            # Hulls of all folds would hide the curves.
            of_hulls, colors, hulls = [], [], ([], [])
        self.hull_lines_ = _plot_lines(ax, *hulls, colors)
        lines = _plot_lines(ax, self.fpr, self.tpr, styles)
        ax.set(xlim=_RATE_LIMITS, ylim=_RATE_LIMITS)
        return lines, [*of_hulls, chance]


class OrdinalPrecisionRecallDisplay(FoldCurvesDisplay):
    """Precision-recall curves of the thresholds of an ordered scale.

    Create a display with `from_predictions`, `from_estimator` or `from_cv_results`, whose display
    has a line for each fold of a cross-validation.

    At each threshold, the classes above it are positive. The score is the probability of these
    classes, P(y > k), or the given score, which is the same for all thresholds. The legend
    shows the average precision and the share of positive samples, which is the precision
    expected by chance and differs between thresholds. With ``split="class"``, each class in
    turn is positive and its probability is the score.

    Parameters
    ----------
    evidence : OrdinalForecasts or OrdinalScores, or a list of them
        True classes with probabilities or with scores; a list has one for each fold.
    split : {"threshold", "class"}, default="threshold"
        Whether to plot a curve for each threshold or for each class.
    target_names : sequence of str, default=None
        Display names of the classes, in the order of the scale.

    Attributes
    ----------
    precision, recall : list of ndarray
        Precision and recall of each curve. The arrays are empty if there are no positive or no
        negative samples.
    average_precision : ndarray of shape (n_curves,) or (n_folds, n_curves)
        Average precision of each curve; NaN if it is undefined.
    prevalence : ndarray of shape (n_curves,) or (n_folds, n_curves)
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
        self.recall, self.precision = _curve_points(problems, _recall_and_precision)
        self.average_precision = self._by_fold(metric_values(problems, average_precision_score))
        shares = [np.average(problem.is_positive, weights=problem.weights) for problem in problems]
        self.prevalence = self._by_fold(np.array(shares))
        if self.prevalence.ndim == 2:
            self._title = "Average precision, mean ± std of folds"

    def _numbers(self) -> list[str]:
        return self._numbers_of(self.average_precision, self.prevalence)

    def _draw(self, ax: Any, styles: list[dict[str, Any]]) -> tuple[list[Any], list[Any]]:
        styles = [{**style, "drawstyle": "steps-post"} for style in styles]
        lines = _plot_lines(ax, self.recall, self.precision, styles)
        ax.set(xlim=_RATE_LIMITS, ylim=_RATE_LIMITS)
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
        self.fpr, self.fnr = _curve_points(problems, det)
        self.equal_error_rate = metric_values(problems, _equal_error_rate)

    def _numbers(self) -> list[str]:
        return _as_texts(self.equal_error_rate)

    def _draw(self, ax: Any, styles: list[dict[str, Any]]) -> tuple[list[Any], list[Any]]:
        ax.plot(_DET_LIMITS, _DET_LIMITS, color=_style.line_color(), **CHANCE)
        curves = [_straight_in_rates(*rates) for rates in zip(self.fpr, self.fnr, strict=True)]
        lines = _plot_lines(
            ax, [_deviates(x) for x, _ in curves], [_deviates(y) for _, y in curves], styles
        )
        rates = [rate[~np.isnan(rate)] for rate in self.equal_error_rate[:, None]]
        # If the equal error rate is nearly zero, its mark is at the edge of the axes.
        places = [np.clip(_deviates(rate), *_DET_LIMITS) for rate in rates]
        marks = [{"color": style["color"], "marker": "o", "clip_on": False} for style in styles]
        self.points_ = _plot_lines(ax, places, places, [{**mark, **_MARK} for mark in marks])
        ticks, texts = norm.ppf(_DET_TICKS), [f"{rate:.0%}" for rate in _DET_TICKS]
        ax.set(xlim=_DET_LIMITS, ylim=_DET_LIMITS)
        ax.set_xticks(ticks, texts)
        ax.set_yticks(ticks, texts)
        return lines, []


def _equal_error_rate(*arrays: Any, **weights: Any) -> float:
    return float(_ranking.equal_error_rate(*arrays, **weights)[0])


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
        self.false_positives, self.true_positives = _curve_points(problems, coverage)
        self.ranking_error = metric_values(problems, _ranking.ranking_error)

    def _numbers(self) -> list[str]:
        return _as_texts(self.ranking_error)

    def _draw(self, ax: Any, styles: list[dict[str, Any]]) -> tuple[list[Any], list[Any]]:
        from matplotlib.lines import Line2D

        ends = [
            ([0.0, x[-1]], [0.0, y[-1]]) if len(x) else _NO_CURVE
            for x, y in zip(self.false_positives, self.true_positives, strict=True)
        ]
        colors = [{**_THIN, "color": style["color"]} for style in styles]
        self.diagonals_ = _plot_lines(ax, [x for x, _ in ends], [y for _, y in ends], colors)
        lines = _plot_lines(ax, self.false_positives, self.true_positives, styles)
        self.areas_ = [
            ax.fill([*x, 0.0], [*y, y[-1]], color=style["color"], alpha=0.12, linewidth=0)[0]
            for x, y, style in zip(self.false_positives, self.true_positives, styles, strict=True)
            if len(x)
        ]
        ax.margins(0.01)
        return lines, [Line2D([], [], **{**_THIN, "color": _style.line_color()})]
