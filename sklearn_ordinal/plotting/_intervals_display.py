"""Plots with a row for each name: intervals, a reference, and texts beside the rows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal._core import checks
from sklearn_ordinal._core.arithmetic import Floats
from sklearn_ordinal.plotting import _style

# Sizes of new figures in inches, at a font size of ten points: of the axes, of a character, and of
# a line of text; and the height of all rows if they are too low for texts.
_AXES_WIDTH, _CHARACTER, _LINE, _LOW_ROWS = 4.4, 0.08, 0.19, 6.0
# The largest number of characters in a line of the label: in new figures, and in axes of the user;
# and in a line of the legend.
_LABEL, _NARROW_LABEL, _LEGEND = 80, 52, 64
# In axes of the user, texts beside few rows have lines of this number of characters.
_FEW, _NARROW_BESIDE = 8, 16
# Colour and marker of each kind of estimate, and distances from the middle of the row.
_MARKS = ((_style.BLUE, "D"), (_style.ORANGE, "o"))
_OFFSETS = {1: (0.0,), 2: (-0.17, 0.17)}


class IntervalLike(Protocol):
    """An estimate with a confidence interval.

    Displays are drawn from any object with these attributes, so plotting does not depend
    on the modules that compute intervals.
    """

    @property
    def estimate(self) -> float: ...

    @property
    def low(self) -> float: ...

    @property
    def high(self) -> float: ...

    @property
    def confidence_level(self) -> float: ...


def check_intervals(argument: str, intervals: Mapping[str, Any]) -> None:
    """Raise unless all values of a mapping have the attributes of an interval."""
    attributes = ("estimate", "low", "high", "confidence_level")
    for name, interval in intervals.items():
        if not all(hasattr(interval, attribute) for attribute in attributes):
            raise ValueError(
                f"{argument} must be intervals with the attributes {', '.join(attributes)}, "
                f"got {checks.shown(interval)} for {checks.shown(name)}."
            )


def check_rows(**mappings: Any) -> None:
    """Raise unless the mappings have the same names."""
    for argument, mapping in mappings.items():
        checks.check_mapping(argument, mapping)
    (first, names), (second, others) = mappings.items()
    if not names or names.keys() != others.keys():
        raise ValueError(
            f"{first} and {second} must have the same names, and at least one, got {list(names)} "
            f"and {list(others)}."
        )


def as_columns(intervals: Iterable[IntervalLike]) -> Floats:
    """Return the estimates, lower ends and upper ends of intervals: (3, n)."""
    numbers = [(interval.estimate, interval.low, interval.high) for interval in intervals]
    return np.array(numbers, dtype=np.float64).T


def draw_rows(
    ax: Any,
    names: Sequence[object],
    *,
    beside: Sequence[str],
    xlabel: str,
    row_height: float,
    ylabel: str = "",
    is_scale: bool = False,
    has_grid: bool = True,
) -> tuple[Any, list[Any]]:
    """Return axes with a named row for each name, and the texts to the right of the rows.

    If `ax` is None, the axes belong to a new figure whose rows are at least `row_height` inches
    high. If the names are the many classes of a scale, the rows are low: then no texts are beside
    them, and only some of them have names.
    """
    step = _style.name_step(len(names)) if is_scale else 1
    texts, beside = _style.short_names(names, _style.name_size(ax)), beside if step == 1 else ()
    if ax is not None and len(names) <= _FEW:
        beside = [_style.wrapped(text, _NARROW_BESIDE) for text in beside]
    beside = [text.replace(_style.NO_BREAK, " ") for text in beside]
    rows = _LOW_ROWS
    if step == 1:
        rows = len(names) * max(row_height, _LINE * _style.most_lines(texts) + 0.05)
    xlabel = _style.wrapped(xlabel, _LABEL if ax is None else _NARROW_LABEL)
    n_characters = _style.longest_line(texts) + _style.longest_line(beside)
    ax = _style.axes_of(
        ax,
        min(8.0, _AXES_WIDTH + _CHARACTER * n_characters),
        max(rows, 1.2 * _CHARACTER * len(ylabel)) + _LINE * (_style.most_lines([xlabel]) + 4),
    )
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_yticks(range(0, len(names), step), texts[::step], parse_math=False)
    ax.tick_params(axis="y", which="both", length=0)
    ax.grid(visible=False, axis="y")
    if has_grid:
        ax.grid(axis="x", color=_style.GREY, alpha=0.25, linewidth=0.8)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.set_xlabel(xlabel, parse_math=False)
    ax.set_ylabel(ylabel)
    if not any(beside):
        return ax, []
    # Unlike the default functions, those of NumPy can be pickled.
    right = ax.secondary_yaxis("right", functions=(np.positive, np.positive))
    right.set_yticks(range(len(beside)), beside)
    right.tick_params(which="both", length=0)
    right.spines["right"].set_visible(False)
    return ax, list(right.get_yticklabels())


def draw_marks(
    ax: Any,
    rows: ArrayLike,
    columns: Floats,
    *,
    is_hollow: Sequence[bool] | None = None,
    color: str = _style.BLUE,
    marker: str = "D",
    size: float = 7.0,
) -> tuple[list[Any], list[Any]]:
    """Plot intervals as lines and estimates as marks, which are grey if they are hollow."""
    lines, marks = [], []
    hollow = is_hollow or [False] * columns.shape[1]
    for row, is_grey, (estimate, low, high) in zip(
        np.asarray(rows).tolist(), hollow, columns.T.tolist(), strict=True
    ):
        ink = _style.GREY if is_grey else color
        lines += ax.plot(
            [low, high],
            [row, row],
            color=ink,
            linewidth=2,
            marker="|",
            markersize=size - 1,
            markeredgewidth=1,
        )
        marks += ax.plot(
            [estimate],
            [row],
            color=ink,
            marker=marker,
            markersize=size,
            markeredgewidth=1,
            markerfacecolor=ax.get_facecolor() if is_grey else ink,
            linestyle="none",
        )
    return lines, marks


def legend_below(ax: Any, handles: Sequence[Any], texts: Sequence[str]) -> None:
    """Add a legend below the horizontal label, in as few rows as its characters allow."""
    # Tick labels and the label, and the ticks and gaps, whose size in points is fixed.
    pad = 1.25 * (1 + _style.most_lines([ax.get_xlabel()])) + 12 / _style.default_font_size()
    texts = [_style.wrapped(_style.one_line(text), _LEGEND) for text in texts]
    widest = _style.longest_line(texts) + 6
    _style.add_legend(
        ax,
        handles,
        texts,
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        borderaxespad=pad,
        ncols=max(1, min(len(texts), _LEGEND // widest)),
    )


class IntervalsDisplay:
    """Estimates with intervals, one row for each name.

    Create it from names and arrays: results call it in their `plot`.

    Parameters
    ----------
    names : sequence of str
        Names of the rows, starting at the top.
    estimates : mapping of str to array-like of shape (3, n_rows)
        One or two kinds of estimates by the text of the legend: the estimates, the lower ends and
        the upper ends. NaN are not drawn. An empty text is not in the legend.
    label : str
        Label of the axis.
    beside : sequence of str, default=None
        Texts to the right of the rows. If None, the numbers of each row.
    is_hollow : sequence of bool, default=None
        Whether the marks of each row are grey and hollow, which sets them apart.
    band : tuple of two floats, default=None
        Ends of a shaded range. Without ends that are numbers, nothing is shaded.
    band_name : str, default=""
        Text of the legend for the band. An empty text is not in the legend.

    Attributes
    ----------
    estimates_, lines_ : list of matplotlib.lines.Line2D
        Marks of the estimates and lines of the intervals, one kind after the other.
    band_ : matplotlib.patches.Patch or None
        The shaded range, if there is one.
    text_ : list of matplotlib.text.Text
        Texts to the right of the rows.
    ax_ : matplotlib.axes.Axes
        Axes of the plot.
    figure_ : matplotlib.figure.Figure
        Figure that contains the plot.

    See Also
    --------
    ComparisonDisplay : Plot differences from a reference.
    FoldScoresDisplay : Plot the scores of cross-validation folds.

    Examples
    --------
    >>> from sklearn_ordinal.plotting import IntervalsDisplay
    >>> columns = [[0.81, 0.71], [0.79, 0.69], [0.83, 0.73]]
    >>> display = IntervalsDisplay(
    ...     ["large", "small"], {"value, 95% interval": columns}, label="cem_ord"
    ... ).plot()
    >>> display.text_[0].get_text()
    '0.810 [0.790, 0.830]'
    """

    def __init__(
        self,
        names: Sequence[str],
        estimates: Mapping[str, ArrayLike],
        *,
        label: str,
        beside: Sequence[str] | None = None,
        is_hollow: Sequence[bool] | None = None,
        band: tuple[float, float] | None = None,
        band_name: str = "",
    ) -> None:
        self.names = list(names)
        self.estimates = {
            kind: np.asarray(columns, dtype=np.float64) for kind, columns in estimates.items()
        }
        self.label = label
        self.beside = self._numbers() if beside is None else list(beside)
        self.is_hollow = [False] * len(self.names) if is_hollow is None else list(is_hollow)
        self.band = None if band is None or any(map(math.isnan, band)) else band
        self.band_name = band_name

    def plot(self, ax: Any = None, *, legend: bool = True) -> Self:
        """Plot the rows.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on. Create their figure with ``layout="constrained"``, which
            makes room for names. If None, a new figure is created.
        legend : bool, default=True
            Whether to show a legend of the marks below the rows.

        Returns
        -------
        IntervalsDisplay
            The display itself.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If `ax` is not rectilinear axes, or `legend` is not a bool.
        """
        checks.check_bool("legend", legend)
        _style.require_matplotlib(self)
        ax, self.text_ = draw_rows(
            ax, self.names, beside=self.beside, xlabel=self.label, row_height=0.3
        )
        self.band_ = None
        if self.band is not None:
            self.band_ = ax.axvspan(
                *self.band, color=_style.GREY, alpha=0.3, linewidth=0, zorder=0.5
            )
        self.lines_, self.estimates_ = [], []
        key: dict[str, Any] = {}
        model = self.is_hollow.index(False) if False in self.is_hollow else 0
        for (kind, columns), (color, marker), offset in zip(
            self.estimates.items(), _MARKS, _OFFSETS[len(self.estimates)], strict=False
        ):
            rows = np.arange(len(self.names)) + offset
            lines, marks = draw_marks(
                ax, rows, columns, is_hollow=self.is_hollow, color=color, marker=marker
            )
            key[kind] = lines[model], marks[model]
            self.lines_ += lines
            self.estimates_ += marks
        if self.band_ is not None:
            key[self.band_name] = self.band_
        key.pop("", None)
        if legend and key:
            legend_below(ax, [*key.values()], [*key])
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _numbers(self) -> list[str]:
        """Write the estimates of each row, and the interval if there is a single kind."""
        kinds = list(self.estimates.values())
        return [
            " ".join(map(_estimate_as_text, row)) if len(kinds) > 1 else interval_as_text(*numbers)
            for row, numbers in zip(
                zip(*(columns[0].tolist() for columns in kinds), strict=True),
                kinds[0].T.tolist(),
                strict=True,
            )
        ]


def interval_as_text(estimate: float, low: float, high: float) -> str:
    """Write an estimate with its interval, or what is known of them."""
    text = _estimate_as_text(estimate)
    if math.isnan(low + high):
        return text
    if math.isnan(estimate):
        return f"{low:z.3f} to {high:z.3f}"
    return f"{text} [{low:z.3f},{_style.NO_BREAK}{high:z.3f}]"


def _estimate_as_text(estimate: float) -> str:
    return "undefined" if math.isnan(estimate) else f"{estimate:z.3f}"
