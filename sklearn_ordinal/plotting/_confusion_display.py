"""Plot of an ordinal confusion matrix, and the constructors of all plots of one."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    ClassReadingOptions,
    Counts,
    OrdinalConfusion,
    amount_as_text,
    check_bool,
    check_choice,
    check_fitted,
    check_keywords,
    check_one_matrix,
    check_target_names,
    distance,
    divide,
    n_unanswered,
    read_confusion,
    shown,
    taken_options,
    takes_reading,
)
from sklearn_ordinal._documents import counted
from sklearn_ordinal.metrics import proximity_matrix
from sklearn_ordinal.plotting._matrix import Rotation, draw_matrix
from sklearn_ordinal.plotting._style import (
    TOO_HIGH,
    TOO_LOW,
    line_color,
    require_matplotlib,
    shades,
)

Normalize = Literal["true", "pred", "all"]

_LABELS = ("Predicted class", "True class")
_WHOLES = {"true": "the true class", "pred": "the predicted class", "all": "all samples"}
_KEY = ("predicted too high", "correct", "predicted too low", "at most one class away")


class ConfusionDisplay:
    """Base class for plots of a single confusion matrix."""

    plot: Callable[..., Any]

    def __init__(
        self, confusion: OrdinalConfusion, *, target_names: Sequence[str] | None = None
    ) -> None:
        check_one_matrix(confusion)
        self.confusion = confusion
        self.target_names = check_target_names(target_names, confusion.scale)

    @classmethod
    @takes_reading(ClassReadingOptions)
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
        reading = taken_options(ClassReadingOptions, options)
        cls._check_options("from_predictions", options)
        confusion = read_confusion(y_true, y_pred, reading)
        return cls.from_confusion(confusion, target_names=target_names, ax=ax, **options)

    @classmethod
    @takes_reading(ClassReadingOptions)
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
        check_fitted(estimator)
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
        check_keywords(f"{cls.__name__}.{method}", options, names)


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
            check_bool(name, value)
        if normalize is not None:
            check_choice("normalize", normalize, Normalize)
        if xticks_rotation is not None:
            check_choice("xticks_rotation", xticks_rotation, Rotation)
        if values_format is not None and not isinstance(values_format, str):
            raise ValueError(
                f"values_format must be a format specification such as '.1f', "
                f"got {shown(values_format)}."
            )
        require_matplotlib(self)
        values = _normalized(self.confusion.counts, normalize)
        lines = []
        if include_values:
            lines.append(_as_texts(values, values_format, is_share=normalize is not None))
        if proximity:
            lines.append(_closeness_as_texts(self.confusion))
        unit = _unit(self.confusion, normalize, has_values=include_values, proximity=proximity)

        drawn = draw_matrix(
            ax,
            self.target_names,
            _cell_colors(values),
            lines,
            labels=_LABELS,
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
    return divide(counts, counts.sum(axis=axis, keepdims=True))


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
                    f"{shown(values_format)}: {error}."
                ) from None
        if is_share:
            return "<.01" if 0 < value < 0.005 else f"{value:.2f}"
        # Cells are too narrow for separators of thousands.
        return amount_as_text(value).replace(",", "")

    texts = [[text(value) for value in row] for row in values.tolist()]
    return np.array(texts, dtype=object)


def _closeness_as_texts(confusion: OrdinalConfusion) -> NDArray[Any]:
    # The rows of proximity_matrix are predicted classes.
    closeness = proximity_matrix(confusion.class_counts).T
    texts = [["∞" if np.isinf(bits) else f"{bits:.2f}" for bits in row] for row in closeness]
    return np.array(texts, dtype=object)


def _unit(
    confusion: OrdinalConfusion, normalize: Normalize | None, *, has_values: bool, proximity: bool
) -> str:
    lines = ["cells: weight" if confusion.is_weighted else "cells: samples"]
    if confusion.is_weighted and confusion.n_samples is not None:
        lines = [f"cells: weight of {counted(confusion.n_samples, 'sample')}"]
    if normalize is not None:
        lines = [f"cells: share of {_WHOLES[normalize]}"]
    if proximity:
        lines = [*lines, "below: closeness (bits)"] if has_values else ["cells: closeness (bits)"]
    return "\n".join([*lines, *note_on_unanswered(confusion)])


def _cell_colors(values: NDArray[Any]) -> NDArray[np.float64]:
    n_classes = len(values)
    values = np.nan_to_num(values.astype(np.float64))
    is_above = np.triu(np.ones(values.shape, dtype=bool))
    # Cells next to the diagonal get half of the saturation, to distinguish them from the diagonal.
    far = distance(n_classes)
    saturation = np.where(far > 0, 0.5 + 0.5 * (far - 1) / max(n_classes - 2, 1), 0)
    colors = shades(values / values.max(), np.where(is_above, TOO_HIGH, TOO_LOW), saturation)
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

    colors = shades(0.4, np.array([TOO_HIGH, 0, TOO_LOW]), np.array([1, 0, 1]))
    line = Line2D([], [], color=line_color(), linestyle=(0, (4, 2)), linewidth=1.2)
    return [*(Patch(color=color) for color in colors), line]


def note_on_unanswered(confusion: OrdinalConfusion) -> list[str]:
    """Return a note about samples that are not in the plot, if there are any."""
    amount = n_unanswered(confusion)
    return [f"Left out: {amount_as_text(amount)} without a prediction"] if amount else []
