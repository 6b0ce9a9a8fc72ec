"""Plot of raters: severity against agreement with the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._documents import as_percent
from sklearn_ordinal.plotting._intervals import IntervalLike, as_columns
from sklearn_ordinal.plotting._style import (
    BLUE,
    GREY,
    axes_of,
    default_font_size,
    line_color,
    one_line,
    require_matplotlib,
    short_names,
    wrapped,
)

Floats = NDArray[np.float64]

# Sizes in inches, at a font size of ten points: of new figures, of a character and a line of a
# name, of half a mark, and of the gap between a name and its mark.
_SIZE, _CHARACTER, _LINE, _MARK, _GAP = (6.4, 4.4), 0.08, 0.17, 0.05, 0.06
_MOST_CHARACTERS = 24
# With more raters, intervals and marks are drawn lighter and smaller.
_MANY = 30
_DIRECTION = "below 0: lower grades than the others"


class RatersDisplay:
    """Severity of raters, and their agreement with the others, with intervals.

    Each rater is a point: the horizontal axis shows the severity, the rater's own grade minus the
    mean of the other raters, and the vertical axis shows a criterion of the agreement with the
    other raters. Lines show the intervals. A name that would cover another name or a point is left
    out.

    Parameters
    ----------
    severity : mapping of str to Interval
        Severity of each rater by name. The values have the attributes of
        `sklearn_ordinal.inference.Interval`. An interval whose ends are NaN has no line, and a
        rater without an estimate has no point.
    scores : mapping of str to Interval
        Value of the criterion for each rater, with the same names as `severity`.
    criterion : str
        Name of the metric, shown as the label of the vertical axis.
    greater_is_better : bool, default=True
        Whether higher values of the metric are better.

    Attributes
    ----------
    points_ : matplotlib.lines.Line2D
        Points of all raters.
    intervals_ : list of matplotlib.lines.Line2D
        Intervals of the severity, and intervals of the criterion.
    zero_ : matplotlib.lines.Line2D
        Line where raters give the same grades as the others on average.
    text_ : dict of str to matplotlib.text.Text
        Names that are shown.
    ax_ : matplotlib.axes.Axes
        Axes of the plot.
    figure_ : matplotlib.figure.Figure
        Figure that contains the plot.

    See Also
    --------
    sklearn_ordinal.agreement_report : Compute the values.

    Examples
    --------
    >>> from sklearn_ordinal.inference import Interval
    >>> from sklearn_ordinal.plotting import RatersDisplay
    >>> severity = {"Ann": Interval(-0.4, -0.6, -0.2, 0.95), "Bob": Interval(0.1, 0.0, 0.2, 0.95)}
    >>> scores = {"Ann": Interval(0.5, 0.4, 0.6, 0.95), "Bob": Interval(0.8, 0.7, 0.9, 0.95)}
    >>> display = RatersDisplay(severity, scores, criterion="quadratic_weighted_kappa").plot()
    >>> sorted(display.text_)
    ['Ann', 'Bob']
    """

    def __init__(
        self,
        severity: Mapping[str, IntervalLike],
        scores: Mapping[str, IntervalLike],
        *,
        criterion: str,
        greater_is_better: bool = True,
    ) -> None:
        self.severity = dict(severity)
        self.scores = {name: scores[name] for name in severity}
        self.criterion = criterion
        self.greater_is_better = greater_is_better

    def plot(self, ax: Any = None) -> Self:
        """Plot the raters.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on. Their figure is not changed: create it with
            ``layout="constrained"``, which makes room for labels. If None, a new figure is
            created.

        Returns
        -------
        RatersDisplay
            The display itself.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If `ax` is not rectilinear axes.
        """
        require_matplotlib(self)
        ax = axes_of(ax, *_SIZE)
        is_crowded = len(self.severity) > _MANY
        x, x_low, x_high = as_columns(self.severity.values())
        y, y_low, y_high = as_columns(self.scores.values())
        zero = {"color": line_color(), "linewidth": 0.8, "linestyle": (0, (6, 4)), "alpha": 0.7}
        self.zero_ = ax.axvline(0, **zero)
        line = {"color": BLUE, "linewidth": 1, "alpha": 0.25 if is_crowded else 0.6}
        self.intervals_ = [
            ax.plot(_segments(x_low, x_high), _segments(y, y), marker="", linestyle="-", **line)[0],
            ax.plot(_segments(x, x), _segments(y_low, y_high), marker="", linestyle="-", **line)[0],
        ]
        (self.points_,) = ax.plot(
            x, y, color=BLUE, marker="o", markersize=4 if is_crowded else 6.5, linestyle="none"
        )
        ax.margins(0.12)
        ax.grid(color=GREY, alpha=0.25, linewidth=0.8)
        ax.spines[["top", "right"]].set_visible(False)
        level = as_percent(next(iter(self.severity.values())).confidence_level)
        better = "higher" if self.greater_is_better else "lower"
        ax.set_xlabel(wrapped(f"severity, in classes ({_DIRECTION})\nlines: {level} intervals", 64))
        ax.set_ylabel(
            f"{one_line(self.criterion)}\nwith the others ({better} is better)", parse_math=False
        )
        self.text_ = self._name_points(ax, x, y)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _name_points(self, ax: Any, x: Floats, y: Floats) -> dict[str, Any]:
        """Write the names beside their points, where they cover no other name or point."""
        names = short_names(list(self.severity), (_MOST_CHARACTERS, _MOST_CHARACTERS))
        # Positions and sizes are shares of the axes, before matplotlib makes room for the labels.
        (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
        places = np.column_stack([(x - left) / (right - left), (y - bottom) / (top - bottom)])
        inch = ax.figure.dpi * default_font_size() / 10 / np.array(ax.bbox.size)
        marks = np.stack([places - _MARK * inch, places + _MARK * inch], axis=1)
        texts, taken = {}, list[Floats]()
        for k, rater in enumerate(self.severity):
            size = np.array([_CHARACTER * len(names[k]), _LINE]) * inch
            others = np.concatenate([np.delete(marks, k, axis=0), *taken])
            for to_right, upwards in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
                corner = places[k] + np.array([to_right, upwards]) * (_GAP * inch + size / 2)
                box = np.stack([corner - size / 2, corner + size / 2])
                is_covered = ((box[0] < others[:, 1]) & (others[:, 0] < box[1])).all(axis=1).any()
                if not is_covered and (box[0] >= 0).all() and (box[1] <= 1).all():
                    taken.append(box[None])
                    texts[rater] = ax.annotate(
                        names[k],
                        (x[k], y[k]),
                        xytext=(6 * to_right, 6 * upwards),
                        textcoords="offset points",
                        ha="left" if to_right > 0 else "right",
                        va="bottom" if upwards > 0 else "top",
                        parse_math=False,
                        in_layout=False,
                    )
                    break
        return texts


def _segments(starts: Floats, ends: Floats) -> Floats:
    """Return lines from starts to ends, separated by NaN."""
    return np.column_stack([starts, ends, np.full(len(starts), np.nan)]).ravel()
