"""Plot of an ordinal confusion matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import (
    Counts,
    OrdinalConfusion,
    amount_as_text,
    check_choice,
    distance,
    divide,
)
from sklearn_ordinal.metrics import proximity_matrix
from sklearn_ordinal.plotting._base import ConfusionDisplay
from sklearn_ordinal.plotting._style import (
    GREY,
    TOO_HIGH,
    TOO_LOW,
    font_scale,
    line_color,
    new_axes,
    note_on_unanswered,
    require_matplotlib,
    settle,
    shades,
    shrink,
    size_in_inches,
    text_colors,
    text_size,
    wrapped,
)

Normalize = Literal["true", "pred", "all"]
Rotation = Literal["horizontal", "vertical"]

_WHOLES = {"true": "the true class", "pred": "the predicted class", "all": "all samples"}
_KEY = ("predicted too high", "correct", "predicted too low", "at most one class away")
_GRID = "#cfcfcf"
# In inches.
_SMALLEST_CELL, _LARGEST_MATRIX = 0.42, 18.0


class OrdinalConfusionMatrixDisplay(ConfusionDisplay):
    """Confusion matrix plot for ordered classes.

    Create one with `from_predictions`, `from_estimator` or `from_confusion`.

    Rows are true classes and columns are predicted classes, both from the lowest to the
    highest. The more samples in a cell, the darker it is; empty cells are white. Correct
    predictions are grey, predictions that are too low are blue and those that are too
    high are orange, more saturated the farther they are from the true class. A dashed
    line surrounds the predictions that are at most one class away. Cells with equal
    values are equally dark, so the plot remains readable in greyscale.

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
        Counts or proportions; None if `include_values` is False.
    proximity_text_ : ndarray of shape (n_classes, n_classes) of matplotlib.text.Text, or None
        Proximity of each predicted class to each true class; None if `proximity` is
        False.
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
    ErrorDistributionDisplay : Distribution of the signed errors of each class.
    sklearn.metrics.ConfusionMatrixDisplay : The same plot for unordered classes.

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
            Axes to plot on. If None, a new figure of a suitable size is created.
        normalize : {"true", "pred", "all"}, default=None
            Normalize the counts over the true classes (rows), the predicted classes
            (columns) or all samples. If None, counts are not normalized.
        proximity : bool, default=False
            Whether to show the proximity of each predicted class to each true class, in
            bits, below the value of the cell.
        include_values : bool, default=True
            Whether to show the value of each cell.
        values_format : str, default=None
            Format specification for the values. If None, counts are integers, sums of
            weights have four significant digits, and proportions have two decimals.
        xticks_rotation : {"horizontal", "vertical"}, default=None
            Rotation of the names of the predicted classes. If None, horizontal if they
            fit, otherwise vertical.
        legend : bool, default=True
            Whether to show a legend of the colours and the values on the right.

        Returns
        -------
        OrdinalConfusionMatrixDisplay
            The display itself.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If `normalize` or `xticks_rotation` is not one of the choices above.
        """
        if normalize is not None:
            check_choice("normalize", normalize, Normalize)
        if xticks_rotation is not None:
            check_choice("xticks_rotation", xticks_rotation, Rotation)
        require_matplotlib(self)
        values = _normalized(self.confusion.counts, normalize)
        lines = []
        if include_values:
            lines.append(_as_texts(values, values_format, is_share=normalize is not None))
        if proximity:
            lines.append(_closeness_as_texts(self.confusion))
        unit = _unit(self.confusion, normalize, has_values=include_values, proximity=proximity)

        n_classes = len(values)
        if ax is None:
            columns = _column_names(
                self.target_names, xticks_rotation, min(1.3 * font_scale(), 8 / n_classes)
            )
            content = "\n".join(max(np.ravel(texts), key=len) for texts in lines)
            beside = text_size([*_KEY, unit])[0] if legend else 0.0
            ax = new_axes(*_figure_size(self.target_names, columns, content, beside))
        else:
            widest = size_in_inches(ax)[0] / n_classes
            columns = _column_names(self.target_names, xticks_rotation, widest)

        colors = _cell_colors(values)
        # An equal aspect conflicts with a layout that depends on the size of texts. Instead, the
        # size of a new figure makes the cells roughly square.
        self.im_ = ax.imshow(colors, interpolation="nearest", aspect="auto")
        self.line_ = _surround_neighbours(ax, n_classes)
        inks = np.where(values > 0, text_colors(colors), GREY)
        offsets = 0.44 * (np.arange(len(lines)) - (len(lines) - 1) / 2)
        written = [
            _write(ax, texts, inks, offset) for texts, offset in zip(lines, offsets, strict=True)
        ]
        self.text_ = written[0] if include_values else None
        self.proximity_text_ = written[-1] if proximity else None
        _name_classes(ax, self.target_names, **columns)
        if legend:
            _explain(ax, unit)
        settle(ax)
        width, height = np.divide(size_in_inches(ax), n_classes)
        shrink(np.ravel(written), 0.95 * width, 0.95 * height / max(1, len(lines)))
        shrink(ax.get_xticklabels(), 0.95 * width, np.inf)
        shrink(ax.get_yticklabels(), np.inf, 0.95 * height)
        self.ax_, self.figure_ = ax, ax.figure
        return self


def _normalized(counts: Counts, normalize: Normalize | None) -> NDArray[Any]:
    if normalize is None:
        return counts
    axis = {"true": 1, "pred": 0, "all": None}[normalize]
    return divide(counts, counts.sum(axis=axis, keepdims=True))


def _as_texts(values: NDArray[Any], values_format: str | None, *, is_share: bool) -> NDArray[Any]:
    def text(value: float) -> str:
        if np.isnan(value):
            return "-"  # a proportion of no samples
        if values_format is not None:
            return format(value, values_format)
        if is_share:
            return "<.01" if 0 < value < 0.005 else f"{value:.2f}"
        return amount_as_text(value)

    texts = [[text(value) for value in row] for row in values.tolist()]
    return np.array(texts, dtype=object)


def _closeness_as_texts(confusion: OrdinalConfusion) -> NDArray[Any]:
    sizes = confusion.counts.sum(axis=1)
    if confusion.unanswered is not None:
        sizes = sizes + confusion.unanswered
    # The rows of proximity_matrix are predicted classes.
    closeness = proximity_matrix(sizes).T
    texts = [["∞" if np.isinf(bits) else f"{bits:.2f}" for bits in row] for row in closeness]
    return np.array(texts, dtype=object)


def _unit(
    confusion: OrdinalConfusion, normalize: Normalize | None, *, has_values: bool, proximity: bool
) -> str:
    lines = ["cells: weight" if confusion.is_weighted else "cells: samples"]
    if normalize is not None:
        lines = [f"cells: share of {_WHOLES[normalize]}"]
    if proximity:
        lines = [*lines, "below: closeness (bits)"] if has_values else ["cells: closeness (bits)"]
    return "\n".join([*lines, *note_on_unanswered(confusion)])


def _column_names(
    target_names: Sequence[str], rotation: Rotation | None, widest: float
) -> dict[str, Any]:
    """Return the names of the columns, wrapped to short lines if they are horizontal."""
    narrow = wrapped(target_names, 12)
    if rotation is None:
        rotation = "horizontal" if 1.15 * text_size(narrow)[0] <= widest else "vertical"
    names = narrow if rotation == "horizontal" else wrapped(target_names)
    return {"texts": names, "rotation": rotation}


def _figure_size(
    target_names: Sequence[str], columns: dict[str, Any], content: str, beside: float
) -> tuple[float, float]:
    """Return the size of a figure whose cells are roughly square and fit the texts."""
    n_classes = len(target_names)
    row_width, row_height = text_size(wrapped(target_names))
    column_width, column_height = text_size(**columns)
    needed = 1.2 * max(*text_size([content]), row_height, column_width)
    matrix = n_classes * max(_SMALLEST_CELL * font_scale(), 3 / n_classes, needed)
    matrix = min(matrix, _LARGEST_MATRIX)
    # At a font size of ten points, half an inch for the label of the axis, and another half for
    # the patches of the legend.
    width = matrix + row_width + beside + (1.1 if beside else 0.6) * font_scale()
    return width, matrix + column_height + 0.5 * font_scale()


def _name_classes(
    ax: Any, target_names: Sequence[str], texts: list[str], rotation: Rotation
) -> None:
    positions = np.arange(len(target_names))
    borders = np.arange(len(target_names) + 1) - 0.5
    ax.set_xticks(positions, texts, rotation=rotation, parse_math=False)
    ax.set_yticks(positions, wrapped(target_names), parse_math=False)
    ax.set_xticks(borders, minor=True)
    ax.set_yticks(borders, minor=True)
    ax.grid(visible=False, which="both")
    ax.grid(which="minor", color=_GRID, linewidth=0.5)
    ax.tick_params(which="both", length=0)
    ax.set(
        xlabel="Predicted class",
        ylabel="True class",
        xlim=(borders[0], borders[-1]),
        ylim=(borders[-1], borders[0]),
    )


def _cell_colors(values: NDArray[Any]) -> NDArray[np.float64]:
    n_classes = len(values)
    values = np.nan_to_num(values.astype(np.float64))
    is_above = np.triu(np.ones(values.shape, dtype=bool))
    # Neighbours get half of the saturation, to distinguish them from the diagonal.
    far = distance(n_classes)
    saturation = np.where(far > 0, 0.5 + 0.5 * (far - 1) / max(n_classes - 2, 1), 0)
    colors = shades(values / values.max(), np.where(is_above, TOO_HIGH, TOO_LOW), saturation)
    return np.where(values[..., None] > 0, colors, 1.0)


def _surround_neighbours(ax: Any, n_classes: int) -> Any:
    # The staircase above the diagonal, and its mirror image below.
    across = np.repeat(np.arange(n_classes - 1) + 1.5, 2)[:-1]
    down = np.repeat(np.arange(n_classes - 1) - 0.5, 2)[1:]
    x, y = np.concatenate([across, [np.nan], down]), np.concatenate([down, [np.nan], across])
    (line,) = ax.plot(x, y, color="black", linestyle=(0, (4, 2)), linewidth=1.2)
    return line


def _write(ax: Any, texts: NDArray[Any], inks: NDArray[np.str_], offset: float) -> NDArray[Any]:
    artists = np.empty(texts.shape, dtype=object)
    for row, column in np.ndindex(texts.shape):
        artists[row, column] = ax.text(
            column,
            row + offset,
            texts[row, column],
            color=inks[row, column],
            ha="center",
            va="center",
        )
    return artists


def _explain(ax: Any, unit: str) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    colors = shades(0.4, np.array([TOO_HIGH, 0, TOO_LOW]), np.array([1, 0, 1]))
    handles: list[Any] = [Patch(color=color) for color in colors]
    handles.append(Line2D([], [], color=line_color(), linestyle=(0, (4, 2)), linewidth=1.2))
    legend = ax.legend(
        handles,
        _KEY,
        title=unit,
        loc="upper left",
        bbox_to_anchor=(1, 1),
        borderaxespad=0.8,
        frameon=False,
        alignment="left",
    )
    legend.get_title().set_parse_math(False)
