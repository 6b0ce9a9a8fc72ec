"""Plot of a criterion along each tuned cut on a score."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import checks, lookup, scales
from sklearn_ordinal._core.scales import OrdinalScale
from sklearn_ordinal.plotting import _curve_displays, _style

# Position of the lowest fold marks and distance between their rows, as shares of the axes' height.
_FIRST_MARK, _MARK_STEP = 0.03, 0.04
# In some styles, markers have no edge, but a line marker is only an edge.
_MARKER: dict[str, Any] = {"linestyle": "none", "markeredgewidth": 1}
# A cut is infinite if it is not used.
_floats = partial(checks.check_floats, may_be_infinite=True)


class ThresholdTuningDisplay:
    """Value of a criterion along each tuned cut on a score, while the other cuts are fixed.

    Create a display with `from_estimator`.

    Each curve ends at the neighbouring cuts, and a mark shows the best cut. Below the curves, a
    row of marks for each cut shows the best cuts of the folds, computed from the test samples
    of one fold each. The legend shows the best cuts, and the lowest and highest cuts of the
    folds.

    Parameters
    ----------
    thresholds : sequence of array-like of shape (n_places,)
        Places of each cut in ascending order, starting with the lowest cut.
    scores : sequence of array-like of shape (n_places,)
        Value of the criterion for each place of each cut; NaN if it is undefined.
    best_thresholds : array-like of shape (n_classes - 1,)
        The best cuts. Infinite cuts have no curve.
    cv_thresholds : array-like of shape (n_folds, n_classes - 1), default=None
        The best cuts of each fold.
    target_names : sequence of str, default=None
        Display names of the classes, in the order of the scale.
    score_name : str, default="Score"
        Label of the axis of the criterion.

    Attributes
    ----------
    lines_ : list of matplotlib.lines.Line2D
        Criterion along each cut.
    best_ : list of matplotlib.lines.Line2D
        Mark of each best cut.
    folds_ : list of matplotlib.lines.Line2D
        Marks of the cuts of the folds, if there are any.
    legend_ : matplotlib.legend.Legend
        Legend to the right of the axes.
    ax_ : matplotlib.axes.Axes
        Axes of the plot.
    figure_ : matplotlib.figure.Figure
        Figure that contains the plot.

    Raises
    ------
    ValueError
        If the arguments do not have an entry for each cut, `target_names` does not name each
        class exactly once, or `score_name` is not a string.

    See Also
    --------
    sklearn_ordinal.decisions.TunedOrdinalThresholdClassifierCV : Tune the cuts.

    Examples
    --------
    >>> from sklearn.linear_model import Ridge
    >>> from sklearn_ordinal.datasets import load_lev
    >>> from sklearn_ordinal.decisions import TunedOrdinalThresholdClassifierCV
    >>> from sklearn_ordinal.plotting import ThresholdTuningDisplay
    >>> model = TunedOrdinalThresholdClassifierCV(Ridge(), store_cv_results=True)
    >>> display = ThresholdTuningDisplay.from_estimator(model.fit(*load_lev(return_X_y=True)))
    >>> display.legend_.get_texts()[0].get_text()
    "above '0': 0.762 (0.499 to 0.795)"
    """

    def __init__(
        self,
        thresholds: Sequence[ArrayLike],
        scores: Sequence[ArrayLike],
        best_thresholds: ArrayLike,
        *,
        cv_thresholds: ArrayLike | None = None,
        target_names: Sequence[str] | None = None,
        score_name: str = "Score",
    ) -> None:
        if not isinstance(score_name, str):
            raise ValueError(f"score_name must be a string, got {checks.shown(score_name)}.")
        self.best_thresholds = _floats("best_thresholds", best_thresholds, ndim=1)
        n_cuts = len(self.best_thresholds)
        self.thresholds = _arrays("thresholds", thresholds)
        self.scores = _arrays("scores", scores)
        for name, arrays in {"thresholds": self.thresholds, "scores": self.scores}.items():
            if len(arrays) != n_cuts:
                raise ValueError(
                    f"{name} must have an array for each of the {n_cuts} cuts, got {len(arrays)}."
                )
        n_places, n_scores = (
            [len(values) for values in arrays] for arrays in (self.thresholds, self.scores)
        )
        if n_places != n_scores:
            raise ValueError(
                f"scores must have a value for each of the thresholds of each cut, got {n_scores} "
                f"values for {n_places} thresholds."
            )
        self.cv_thresholds = None
        if cv_thresholds is not None:
            self.cv_thresholds = _floats("cv_thresholds", cv_thresholds, ndim=2)
            if self.cv_thresholds.shape[1] != n_cuts:
                raise ValueError(
                    f"cv_thresholds must have shape (n_folds, {n_cuts}), got "
                    f"{self.cv_thresholds.shape}."
                )
        scale = OrdinalScale.from_run(0, n_cuts + 1)
        self.target_names = scales.check_target_names(target_names, scale)
        self.score_name = score_name

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, target_names: Sequence[str] | None = None, ax: Any = None
    ) -> Self:
        """Plot the cuts of a fitted classifier.

        Parameters
        ----------
        estimator : TunedOrdinalThresholdClassifierCV
            Classifier that was fitted with ``store_cv_results=True``.
        target_names : sequence of str, default=None
            Display names of the classes, in the order of the scale.
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on. Their figure is not changed: create it with
            ``layout="constrained"``, which makes room for names. If None, a new figure is created.

        Returns
        -------
        ThresholdTuningDisplay
            The display, already drawn.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the estimator has no stored results, or `target_names` does not name each
            class exactly once.
        """
        if not hasattr(estimator, "cv_results_") or not hasattr(estimator, "cv_thresholds_"):
            raise ValueError(
                f"estimator must have cv_results_ and cv_thresholds_, as after a fit with "
                f"store_cv_results=True, got {checks.shown(estimator)}."
            )
        names = scales.check_target_names(target_names, OrdinalScale(estimator.labels_))
        metric = lookup.get_metric(estimator.scoring)
        return cls(
            estimator.cv_results_["thresholds"],
            estimator.cv_results_["scores"],
            estimator.best_thresholds_,
            cv_thresholds=estimator.cv_thresholds_ if len(estimator.cv_thresholds_) > 1 else None,
            target_names=names,
            score_name=metric.scorer_name or metric.name,
        ).plot(ax)

    def _numbers(self) -> list[str]:
        texts = [f"{cut:.3g}" if np.isfinite(cut) else "unused" for cut in self.best_thresholds]
        if self.cv_thresholds is None:
            return texts
        return [
            f"{text} ({np.nanmin(folds):.3g} to {np.nanmax(folds):.3g})".replace(
                " ", _style.NO_BREAK
            )
            if np.isfinite(cut)
            else text
            for text, cut, folds in zip(
                texts, self.best_thresholds, self.cv_thresholds.T, strict=True
            )
        ]

    def plot(self, ax: Any = None) -> Self:
        """Plot the criterion along each cut.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on. Their figure is not changed: create it with
            ``layout="constrained"``, which makes room for names. If None, a new figure is created.

        Returns
        -------
        ThresholdTuningDisplay
            The display itself.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If `ax` is not rectilinear axes.
        """
        _style.require_matplotlib(self)
        from matplotlib.lines import Line2D

        has_folds = self.cv_thresholds is not None
        ax, texts, styles = _curve_displays.curve_axes(
            ax,
            self.target_names[:-1],
            start=f"above{_style.NO_BREAK}'",
            numbers=self._numbers(),
            title="Best cut (of the folds)" if has_folds else "Best cut",
            others=("best cut", "best cut of a fold") if has_folds else ("best cut",),
        )
        self.lines_, self.best_, self.folds_ = [], [], []
        for k, style in enumerate(styles):
            is_used = np.isfinite(self.thresholds[k])
            places, scores = self.thresholds[k][is_used], self.scores[k][is_used]
            best = self.best_thresholds[k]
            at_best = np.interp(best, places, scores) if np.isfinite(best) else np.nan
            self.lines_ += ax.plot(places, scores, **style)
            marker = {**_MARKER, "color": style["color"]}
            self.best_ += ax.plot(best, at_best, marker="o", **marker)
        if self.cv_thresholds is not None:
            # The curves are drawn above the marks.
            bottom, top = ax.get_ylim()
            share = _FIRST_MARK + _MARK_STEP * len(styles)
            bottom -= share / (1 - share) * (top - bottom)
            for k, style in enumerate(styles):
                height = bottom + (_FIRST_MARK + _MARK_STEP * k) * (top - bottom)
                self.folds_ += ax.plot(
                    self.cv_thresholds[:, k],
                    np.full(len(self.cv_thresholds), height),
                    marker="|",
                    **{**_MARKER, "color": style["color"]},
                )
            ax.set_ylim(bottom, top)
        marker = {**_MARKER, "color": _style.line_color()}
        marks = ("o", "|") if has_folds else ("o",)
        self.legend_ = _curve_displays.finish_curves(
            ax,
            texts,
            self.lines_,
            [Line2D([], [], marker=mark, **marker) for mark in marks],
            labels=("Cut on the score", _style.one_line(self.score_name)),
        )
        self.ax_, self.figure_ = ax, ax.figure
        return self


def _arrays(name: str, values: Any) -> list[NDArray[np.float64]]:
    """Return an array for each cut."""
    arrays = checks.iterate(name, values, "arrays, one for each cut")
    return [_floats(name, array, ndim=1) for array in arrays]
