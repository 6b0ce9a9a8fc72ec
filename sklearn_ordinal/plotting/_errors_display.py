"""Plot of the signed errors of each class."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import (
    OrdinalConfusion,
    amount_as_text,
    check_bool,
    check_count,
    divide,
)
from sklearn_ordinal._documents import counted
from sklearn_ordinal.plotting._confusion_display import ConfusionDisplay, note_on_unanswered
from sklearn_ordinal.plotting._intervals import draw_rows, legend_below
from sklearn_ordinal.plotting._style import (
    TOO_HIGH,
    TOO_LOW,
    line_color,
    require_matplotlib,
    shades,
    text_colors,
)

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
        check_count("max_distance", max_distance, at_least=1, size=self.confusion.counts.size)
        counts = self.confusion.counts
        position = np.arange(len(counts))
        error = np.clip(position - position[:, None], -max_distance, max_distance)
        parts = error[..., None] == np.arange(-max_distance, max_distance + 1)
        return divide((counts[..., None] * parts).sum(axis=1), counts.sum(axis=1)[:, None])

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
        check_bool("legend", legend)
        require_matplotlib(self)
        n_classes = len(self.confusion.counts)
        max_distance = min(_FARTHEST, max(1, n_classes - 1))
        shares = self.shares(max_distance=max_distance)
        parts = _parts(shares, max_distance)
        wide = _WIDE if ax is None else _WIDER
        lines = [_XLABEL, *note_on_unanswered(self.confusion)]
        if self.confusion.is_weighted and self.confusion.n_samples is not None:
            lines.append(f"Weights of {counted(self.confusion.n_samples, 'sample')}")
        ax, self.right_text_ = draw_rows(
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
        reach = max(0.1, np.ceil(10 * reach - 1e-9) / 10)
        ax.axvline(0, color=line_color(), linewidth=0.8)
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
            legend_below(ax, list(self.bars_.values()), names)
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
    ink = str(text_colors(np.array(bars[0].get_facecolor()[:3])))
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
    return shades(intensity, TOO_LOW if error < 0 else TOO_HIGH, 1)


def _as_percent(share: float, _: int) -> str:
    return f"{abs(share):.0%}"


def _name(error: int, max_distance: int, n_classes: int) -> str:
    and_more = "+" if abs(error) == max_distance < n_classes - 1 else ""
    return f"{abs(error)}{and_more} too {'low' if error < 0 else 'high'}"


def _right_texts(right: NDArray[np.float64], confusion: OrdinalConfusion) -> list[str]:
    sizes = map(amount_as_text, confusion.counts.sum(axis=1).tolist())
    unit = "weight " if confusion.is_weighted else ""
    return [
        "no samples" if np.isnan(share) else f"{share:.0%} of {unit}{size} ok"
        for share, size in zip(right.tolist(), sizes, strict=True)
    ]
