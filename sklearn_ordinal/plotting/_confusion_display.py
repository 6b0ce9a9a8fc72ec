"""Plots of an ordinal confusion matrix, and of the signed errors of each class."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    arithmetic,
    checks,
    confusion_counts,
    counting,
    evidence_reading,
    scales,
    tolerances,
)
from sklearn_ordinal._core.arithmetic import Counts
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.counting import ClassReadingOptions
from sklearn_ordinal._documents import formatting
from sklearn_ordinal.metrics import _closeness
from sklearn_ordinal.plotting import _intervals_display, _matrix_display, _style
from sklearn_ordinal.plotting._matrix_display import Rotation

# Plot of an ordinal confusion matrix, and the constructors of all plots of one
# -----------------------------------------------------------------------------

Normalize = Literal["true", "pred", "all"]

_WHOLES = {"true": "the true class", "pred": "the predicted class", "all": "all samples"}
_KEY = ("predicted too high", "correct", "predicted too low", "at most one class away")


class ConfusionDisplay:
    """Base class for plots of a single confusion matrix."""

    plot: Callable[..., Any]

    def __init__(
        self, confusion: OrdinalConfusion, *, target_names: Sequence[str] | None = None
    ) -> None:
        confusion_counts.check_one_matrix(confusion)
        self.confusion = confusion
        self.target_names = scales.check_target_names(target_names, confusion.scale)

    @classmethod
    @counting.takes_reading(ClassReadingOptions)
    def from_predictions(
        cls,
        y_true: ArrayLike | OrdinalConfusion,
        y_pred: ArrayLike | None = None,
        *,
        target_names: Sequence[str] | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Plot true and predicted classes.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,) or OrdinalConfusion
            True classes; or counts in place of `y_true`, `y_pred` and the reading options such
            as `labels`.
        y_pred : array-like of shape (n_samples,), default=None
            Predicted classes.
        **reading
        target_names : sequence of str, default=None
            Display names of the classes, in the order of the scale.
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on. Their figure is not changed: create it with
            ``layout="constrained"``, which makes room for names. If None, a new figure is created.
        **options : dict
            Keyword arguments passed to `plot`.

        Returns
        -------
        display
            The display, already drawn.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the order of the classes is unknown, a class is not in `labels`, or
            `target_names` does not name each class exactly once.
        """
        reading = counting.taken_options(ClassReadingOptions, options)
        cls._check_options("from_predictions", options)
        confusion = evidence_reading.read_confusion(y_true, y_pred, reading)
        return cls.from_confusion(confusion, target_names=target_names, ax=ax, **options)

    @classmethod
    @counting.takes_reading(ClassReadingOptions)
    def from_estimator(
        cls,
        estimator: Any,
        X: ArrayLike,
        y: ArrayLike,
        *,
        target_names: Sequence[str] | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Plot the predictions of a fitted estimator.

        Parameters
        ----------
        estimator : estimator instance
            Fitted classifier, or a fitted pipeline whose last step is a classifier.
        X : array-like of shape (n_samples, n_features)
            Input data.
        y : array-like of shape (n_samples,)
            True classes.
        **reading
        target_names : sequence of str, default=None
            Display names of the classes, in the order of the scale.
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on. Their figure is not changed: create it with
            ``layout="constrained"``, which makes room for names. If None, a new figure is created.
        **options : dict
            Keyword arguments passed to `plot`.

        Returns
        -------
        display
            The display, already drawn.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the order of the classes is unknown, a class is not in `labels`, or
            `target_names` does not name each class exactly once.
        """
        cls._check_options("from_estimator", options)
        checks.check_fitted(estimator)
        return cls.from_predictions(
            y,
            estimator.predict(X),
            target_names=target_names,
            ax=ax,
            **options,
        )

    @classmethod
    def from_confusion(
        cls,
        confusion: OrdinalConfusion,
        *,
        target_names: Sequence[str] | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Plot an existing confusion matrix, for example the sum over all folds.

        Parameters
        ----------
        confusion : OrdinalConfusion
            Counts of shape (n_classes, n_classes).
        target_names : sequence of str, default=None
            Display names of the classes, in the order of the scale.
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on. Their figure is not changed: create it with
            ``layout="constrained"``, which makes room for names. If None, a new figure is created.
        **options : dict
            Keyword arguments passed to `plot`.

        Returns
        -------
        display
            The display, already drawn.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If `confusion` is a stack of matrices or has no samples, or `target_names`
            does not name each class exactly once.
        """
        cls._check_options("from_confusion", options)
        display: Self = cls(confusion, target_names=target_names).plot(ax, **options)
        return display

    @classmethod
    def _check_options(cls, method: str, options: Mapping[str, Any]) -> None:
        """Raise for a keyword that neither the method nor `plot` has."""
        names = [*inspect.signature(getattr(cls, method)).parameters][:-1]
        names += [*inspect.signature(cls.plot).parameters][2:]
        checks.check_keywords(f"{cls.__name__}.{method}", options, names)


class OrdinalConfusionMatrixDisplay(ConfusionDisplay):
    """Confusion matrix plot for ordered classes.

    Create a display with `from_predictions`, `from_estimator` or `from_confusion`.

    Rows are true classes and columns are predicted classes, both from the lowest to the
    highest. The more samples in a cell, the darker it is; empty cells are white. Correct
    predictions are grey, predictions that are too low are blue, and predictions that are too
    high are orange. The colour is more saturated if the prediction is farther from the true
    class. A dashed line surrounds the predictions that are at most one class away. Cells with
    equal values are equally dark, so the plot remains readable in greyscale. If cells are low or
    narrow, only every second, fifth, tenth, ... class is named.

    Parameters
    ----------
    confusion : OrdinalConfusion
        Counts of shape (n_classes, n_classes).
    target_names : sequence of str, default=None
        Display names of the classes, in the order of the scale.

    Attributes
    ----------
    im_ : matplotlib.image.AxesImage
        Image of the colours of the cells.
    text_ : ndarray of shape (n_classes, n_classes) of matplotlib.text.Text, or None
        Counts or proportions; None if `include_values` is False or cells are too small.
    proximity_text_ : ndarray of shape (n_classes, n_classes) of matplotlib.text.Text, or None
        Proximity of each predicted class to each true class; None if `proximity` is
        False or cells are too small.
    line_ : matplotlib.lines.Line2D
        Line around the predictions that are at most one class away.
    ax_ : matplotlib.axes.Axes
        Axes of the plot.
    figure_ : matplotlib.figure.Figure
        Figure that contains the plot.

    Raises
    ------
    ValueError
        If `confusion` is not a single matrix with samples, or `target_names` does not
        name each class exactly once.

    See Also
    --------
    ErrorDistributionDisplay : Plot the distribution of the signed errors of each class.
    sklearn.metrics.ConfusionMatrixDisplay : Plot a confusion matrix of unordered classes.

    Examples
    --------
    >>> from sklearn_ordinal.plotting import OrdinalConfusionMatrixDisplay
    >>> display = OrdinalConfusionMatrixDisplay.from_predictions(
    ...     ["low", "mid", "high", "high"], ["low", "high", "high", "mid"],
    ...     labels=["low", "mid", "high"],
    ... )
    >>> display.text_[1, 2].get_text()
    '1'
    """

    def plot(
        self,
        ax: Any = None,
        *,
        normalize: Normalize | None = None,
        proximity: bool = False,
        include_values: bool = True,
        values_format: str | None = None,
        xticks_rotation: Rotation | None = None,
        legend: bool = True,
    ) -> Self:
        """Plot the matrix.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on. Their figure is not changed: create it with
            ``layout="constrained"``, which makes room for names. If None, a new figure is created.
        normalize : {"true", "pred", "all"}, default=None
            Normalize the counts over the true classes (rows), the predicted classes
            (columns) or all samples. If None, counts are not normalized.
        proximity : bool, default=False
            Whether to show the proximity of each predicted class to each true class, in
            bits, below the value of the cell.
        include_values : bool, default=True
            Whether to show the value of each cell, if cells are large enough.
        values_format : str, default=None
            Format specification for the values. If None, counts are integers, sums of
            weights have four significant digits, and proportions have two decimals.
        xticks_rotation : {"horizontal", "vertical"}, default=None
            Rotation of the names of the predicted classes. If None, horizontal if they
            fit, otherwise vertical.
        legend : bool, default=True
            Whether to show a legend of the colours and the values to the right of the matrix.

        Returns
        -------
        OrdinalConfusionMatrixDisplay
            The display itself.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If `ax` is not rectilinear axes, `normalize` or `xticks_rotation` is not one of the
            choices above, or another option has the wrong type.
        """
        for name, value in (
            ("proximity", proximity),
            ("include_values", include_values),
            ("legend", legend),
        ):
            checks.check_bool(name, value)
        if normalize is not None:
            checks.check_choice("normalize", normalize, Normalize)
        if xticks_rotation is not None:
            checks.check_choice("xticks_rotation", xticks_rotation, Rotation)
        if values_format is not None and not isinstance(values_format, str):
            raise ValueError(
                f"values_format must be a format specification such as '.1f', "
                f"got {checks.shown(values_format)}."
            )
        _style.require_matplotlib(self)
        values = _normalized(self.confusion.counts, normalize)
        lines = []
        if include_values:
            lines.append(_as_texts(values, values_format, is_share=normalize is not None))
        if proximity:
            lines.append(_closeness_as_texts(self.confusion))
        unit = _unit(self.confusion, normalize, has_values=include_values, proximity=proximity)

        drawn = _matrix_display.draw_matrix(
            ax,
            self.target_names,
            _cell_colors(values),
            lines,
            labels=_matrix_display.AXIS_LABELS,
            rotation=xticks_rotation,
            handles=_handles() if legend else (),
            key=_KEY if legend else (),
            unit=unit,
        )
        self.im_, texts = drawn.image, drawn.values
        self.line_ = _surround_neighbours(drawn.ax, len(values))
        self.text_ = texts[0] if texts and include_values else None
        self.proximity_text_ = texts[-1] if texts and proximity else None
        self.ax_, self.figure_ = drawn.ax, drawn.ax.figure
        return self


def _normalized(counts: Counts, normalize: Normalize | None) -> NDArray[Any]:
    if normalize is None:
        return counts
    axis = {"true": 1, "pred": 0, "all": None}[normalize]
    return arithmetic.divide(counts, counts.sum(axis=axis, keepdims=True))


def _as_texts(values: NDArray[Any], values_format: str | None, *, is_share: bool) -> NDArray[Any]:
    def text(value: float) -> str:
        if np.isnan(value):
            return "-"  # a proportion without samples
        if values_format is not None:
            try:
                return format(value, values_format)
            except ValueError as error:
                raise ValueError(
                    f"values_format must be a format specification such as '.1f', got "
                    f"{checks.shown(values_format)}: {error}."
                ) from None
        if is_share:
            return "<.01" if 0 < value < 0.005 else f"{value:.2f}"
        # Cells are too narrow for separators of thousands.
        return formatting.amount_as_text(value).replace(",", "")

    texts = [[text(value) for value in row] for row in values.tolist()]
    return np.array(texts, dtype=object)


def _closeness_as_texts(confusion: OrdinalConfusion) -> NDArray[Any]:
    # The rows of proximity_matrix are predicted classes.
    closeness = _closeness.proximity_matrix(confusion.class_counts).T
    texts = [["∞" if np.isinf(bits) else f"{bits:.2f}" for bits in row] for row in closeness]
    return np.array(texts, dtype=object)


def _unit(
    confusion: OrdinalConfusion, normalize: Normalize | None, *, has_values: bool, proximity: bool
) -> str:
    lines = ["cells: weight" if confusion.is_weighted else "cells: samples"]
    if confusion.is_weighted and confusion.n_samples is not None:
        lines = [f"cells: weight of {formatting.counted(confusion.n_samples, 'sample')}"]
    if normalize is not None:
        lines = [f"cells: share of {_WHOLES[normalize]}"]
    if proximity:
        lines = [*lines, "below: closeness (bits)"] if has_values else ["cells: closeness (bits)"]
    return "\n".join([*lines, *_note_on_unanswered(confusion)])


def _cell_colors(values: NDArray[Any]) -> NDArray[np.float64]:
    n_classes = len(values)
    values = np.nan_to_num(values.astype(np.float64))
    is_above = np.triu(np.ones(values.shape, dtype=bool))
    # Cells next to the diagonal get half of the saturation, to distinguish them from the diagonal.
    far = arithmetic.distance(n_classes)
    saturation = np.where(far > 0, 0.5 + 0.5 * (far - 1) / max(n_classes - 2, 1), 0)
    colors = _style.shades(
        values / values.max(), np.where(is_above, _style.TOO_HIGH, _style.TOO_LOW), saturation
    )
    return np.where(values[..., None] > 0, colors, 1.0)


def _surround_neighbours(ax: Any, n_classes: int) -> Any:
    # The staircase above the diagonal, and its mirror image below the diagonal.
    across = np.repeat(np.arange(n_classes - 1) + 1.5, 2)[:-1]
    down = np.repeat(np.arange(n_classes - 1) - 0.5, 2)[1:]
    x, y = np.concatenate([across, [np.nan], down]), np.concatenate([down, [np.nan], across])
    (line,) = ax.plot(x, y, color="black", linestyle=(0, (4, 2)), linewidth=1.2)
    return line


def _handles() -> list[Any]:
    """Return the handles of the legend."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    colors = _style.shades(0.4, np.array([_style.TOO_HIGH, 0, _style.TOO_LOW]), np.array([1, 0, 1]))
    line = Line2D([], [], color=_style.line_color(), linestyle=(0, (4, 2)), linewidth=1.2)
    return [*(Patch(color=color) for color in colors), line]


def _note_on_unanswered(confusion: OrdinalConfusion) -> list[str]:
    """Return a note about samples that are not in the plot, if there are any."""
    amount = confusion_counts.n_unanswered(confusion)
    return [f"Left out: {formatting.amount_as_text(amount)} without a prediction"] if amount else []


# Plot of the signed errors of each class
# ---------------------------------------

_XLABEL = "Errors as a share of the true class"
# Errors of this number of classes or more share a segment of the bar.
_FARTHEST = 2
# Segments with a percentage have at least this share of the width of the axes: in new figures, and
# in axes of the user.
_WIDE, _WIDER = 0.1, 0.2


class ErrorDistributionDisplay(ConfusionDisplay):
    """Distribution of the signed errors of each class.

    Create a display with `from_predictions`, `from_estimator` or `from_confusion`.

    Each true class has a bar, with the lowest class at the top. The bar extends from zero to
    the left by the proportion of samples predicted too low, and to the right by the proportion
    predicted too high; parts that are farther from the true class are darker. The total length
    is the error rate of the class. The text on the right gives the proportion of correct
    predictions and the size of the class, for example "41% of 93 ok".

    Above 40 classes, the bars are low and have no texts, so that one look compares all classes, and
    only some of the classes are named.

    Parameters
    ----------
    confusion : OrdinalConfusion
        Counts of shape (n_classes, n_classes).
    target_names : sequence of str, default=None
        Display names of the classes, in the order of the scale.

    Attributes
    ----------
    bars_ : dict of int to matplotlib.container.BarContainer
        Segments of the bars by signed error: -2 for errors of two classes or more that are too
        low, -1, 1 and 2, as far as the scale allows. Each container has one segment per class.
    text_ : list of matplotlib.text.Text
        Percentages in the segments that are wide enough; empty if the bars are low.
    right_text_ : list of matplotlib.text.Text
        Proportion of correct predictions and size of each class; empty if the bars are low.
    ax_ : matplotlib.axes.Axes
        Axes of the plot.
    figure_ : matplotlib.figure.Figure
        Figure that contains the plot.

    Raises
    ------
    ValueError
        If `confusion` is not a single matrix with samples, or `target_names` does not
        name each class exactly once.

    See Also
    --------
    OrdinalConfusionMatrixDisplay : Plot which classes are confused with each other.

    Examples
    --------
    >>> from sklearn_ordinal.plotting import ErrorDistributionDisplay
    >>> display = ErrorDistributionDisplay.from_predictions([0, 1, 1, 2], [0, 1, 2, 0])
    >>> display.shares(max_distance=1)
    array([[0. , 1. , 0. ],
           [0. , 0.5, 0.5],
           [1. , 0. , 0. ]])
    """

    def shares(self, *, max_distance: int = 2) -> NDArray[np.float64]:
        """Return the distribution of the signed errors of each class.

        Parameters
        ----------
        max_distance : int, default=2
            Errors of `max_distance` classes or more are counted together.

        Returns
        -------
        ndarray of shape (n_classes, 2 * max_distance + 1)
            Proportions in [0, 1]. The first column is for predictions that are too low by
            `max_distance` classes or more, the last column for predictions that are too high by
            as much. NaN for a class without samples.

        Raises
        ------
        ValueError
            If `max_distance` is not a positive integer.
        """
        checks.check_count(
            "max_distance", max_distance, at_least=1, size=self.confusion.counts.size
        )
        counts = self.confusion.counts
        position = np.arange(len(counts))
        error = np.clip(position - position[:, None], -max_distance, max_distance)
        parts = error[..., None] == np.arange(-max_distance, max_distance + 1)
        return arithmetic.divide(
            (counts[..., None] * parts).sum(axis=1), counts.sum(axis=1)[:, None]
        )

    def plot(self, ax: Any = None, *, legend: bool = True) -> Self:
        """Plot the bars.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on. Their figure is not changed: create it with
            ``layout="constrained"``, which makes room for names. If None, a new figure is created.
        legend : bool, default=True
            Whether to show a legend of the segments above the bars.

        Returns
        -------
        ErrorDistributionDisplay
            The display itself.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        checks.check_bool("legend", legend)
        _style.require_matplotlib(self)
        n_classes = len(self.confusion.counts)
        max_distance = min(_FARTHEST, max(1, n_classes - 1))
        shares = self.shares(max_distance=max_distance)
        parts = _parts(shares, max_distance)
        wide = _WIDE if ax is None else _WIDER
        lines = [_XLABEL, *_note_on_unanswered(self.confusion)]
        if self.confusion.is_weighted and self.confusion.n_samples is not None:
            lines.append(f"Weights of {formatting.counted(self.confusion.n_samples, 'sample')}")
        ax, self.right_text_ = _intervals_display.draw_rows(
            ax,
            self.target_names,
            beside=_right_texts(shares[:, max_distance], self.confusion),
            xlabel="\n".join(lines),
            row_height=0.32,
            ylabel="True class",
            is_scale=True,
            has_grid=False,
        )
        self.bars_ = {
            error: ax.barh(
                range(n_classes), length, left=start, height=0.8, color=_color(error, max_distance)
            )
            for error, (start, length) in parts.items()
        }
        reach = max(np.abs(start + length).max() for start, length in parts.values())
        # Round up to tenths, so that the ticks of both sides are symmetric.
        reach = max(0.1, np.ceil(10 * reach - tolerances.INTEGER) / 10)
        ax.axvline(0, color=_style.line_color(), linewidth=0.8)
        ax.set_xlim(-reach, reach)
        ax.xaxis.set_major_formatter(_as_percent)
        self.text_ = [
            text
            for bars in self.bars_.values()
            if self.right_text_
            for text in _write_shares(ax, bars, 2 * reach * wide)
        ]
        if legend:
            names = [_name(error, max_distance, n_classes) for error in parts]
            _intervals_display.legend_below(ax, list(self.bars_.values()), names)
        self.ax_, self.figure_ = ax, ax.figure
        return self


def _parts(
    shares: NDArray[np.float64], max_distance: int
) -> dict[int, tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Return the start and the signed length of the segments of each signed error."""
    lengths = np.nan_to_num(shares)
    parts = {}
    for sign in (-1, 1):
        start = np.zeros(len(shares))
        for far in range(1, max_distance + 1):
            length = sign * lengths[:, max_distance + sign * far]
            parts[sign * far] = start, length
            start = start + length
    return dict(sorted(parts.items()))


def _write_shares(ax: Any, bars: Any, least: float) -> list[Any]:
    """Write percentages in segments that are at least as wide as a share."""
    # All segments of a signed error have the same colour.
    ink = str(_style.text_colors(np.array(bars[0].get_facecolor()[:3])))
    return [
        ax.text(
            bar.get_x() + bar.get_width() / 2,
            row,
            f"{abs(bar.get_width()):.0%}",
            ha="center",
            va="center",
            color=ink,
            in_layout=False,
        )
        for row, bar in enumerate(bars)
        if abs(bar.get_width()) > least
    ]


def _color(error: int, max_distance: int) -> NDArray[np.float64]:
    intensity = 0.25 + 0.5 * (abs(error) - 1) / max(max_distance - 1, 1)
    return _style.shades(intensity, _style.TOO_LOW if error < 0 else _style.TOO_HIGH, 1)


def _as_percent(share: float, _: int) -> str:
    return f"{abs(share):.0%}"


def _name(error: int, max_distance: int, n_classes: int) -> str:
    and_more = "+" if abs(error) == max_distance < n_classes - 1 else ""
    return f"{abs(error)}{and_more} too {'low' if error < 0 else 'high'}"


def _right_texts(right: NDArray[np.float64], confusion: OrdinalConfusion) -> list[str]:
    sizes = map(formatting.amount_as_text, confusion.counts.sum(axis=1).tolist())
    unit = "weight " if confusion.is_weighted else ""
    return [
        "no samples" if np.isnan(share) else f"{share:.0%} of {unit}{size} ok"
        for share, size in zip(right.tolist(), sizes, strict=True)
    ]
