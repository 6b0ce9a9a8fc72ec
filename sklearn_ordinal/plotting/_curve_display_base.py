"""Constructors and the plot method shared by the displays of curves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self, Unpack

from numpy.typing import ArrayLike

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
from sklearn_ordinal.plotting._binary_problems import BinaryProblem, Split, binary_problems
from sklearn_ordinal.plotting._colors import require_matplotlib
from sklearn_ordinal.plotting._curve_axes import Ticks, axes_with_curves, finish_curves

_STARTS = {"threshold": "above\N{NO-BREAK SPACE}'", "class": "'"}


class CurveDisplay:
    """Base class for curves of probabilities or scores, one for each threshold or class."""

    # Title of the legend, which explains the numbers, and the entries after the curves.
    _title: str
    _others: tuple[str, ...] = ()
    _axis_labels: tuple[str, str]
    # Candidate tick positions and labels, in order of preference.
    _tick_choices: Sequence[Ticks] = ()

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
        ax, legend, styles = axes_with_curves(
            ax,
            self.target_names[:-1] if is_threshold else self.target_names,
            start=_STARTS[self.split],
            numbers=self._numbers(),
            title=self._title if is_threshold else f"{self._title}, against the rest",
            others=self._others,
        )
        self.lines_, others = self._draw(ax, styles)
        self.legend_ = finish_curves(
            ax, legend, self.lines_, others, labels=self._axis_labels, ticks=self._tick_choices
        )
        self.ax_, self.figure_ = ax, ax.figure
        return self
