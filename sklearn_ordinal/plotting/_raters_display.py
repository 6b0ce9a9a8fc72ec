"""Plot of raters: severity against agreement with the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import check_bool, shown
from sklearn_ordinal._documents import as_percent
from sklearn_ordinal.plotting._fitted_names import fitted_names, longest_line, one_line, wrapped
from sklearn_ordinal.plotting._intervals import IntervalLike, check_intervals, check_rows
from sklearn_ordinal.plotting._layout import Room, axes_room, check_axes, new_axes
from sklearn_ordinal.plotting._style import BLUE, GREY, line_color, require_matplotlib

Floats = NDArray[np.float64]

# Size of new figures, in inches at a font size of ten points.
_WIDTH, _HEIGHT = 6.4, 4.4
# Space for the labels and ticks beside and below the axes, as multiples of the font size.
_BESIDE, _BELOW = 6.0, 6.0
# Characters of a name, and the gap between a name and its mark as a multiple of the font size.
_MOST_CHARACTERS, _GAP = 24, 0.6
# With more raters, intervals and marks are drawn lighter and smaller.
_MANY = 30
_DIRECTION = "below 0: lower grades than the others"


class _Box(NamedTuple):
    """A rectangle in inches, whose ends are x and x + width, y and y + height."""

    x: float
    y: float
    width: float
    height: float

    def overlaps(self, other: _Box) -> bool:
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )


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

    Raises
    ------
    ValueError
        If `severity` is empty, or `scores` does not have the same names.

    See Also
    --------
    sklearn_ordinal.agreement_report : Compute the values.
    SystemsDisplay : Plot systems on one test set.

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
        check_rows((), severity=severity, scores=scores)
        check_intervals("severity", severity)
        check_intervals("scores", scores)
        if not isinstance(criterion, str):
            raise ValueError(f"criterion must be a string, got {shown(criterion)}.")
        check_bool("greater_is_better", greater_is_better)
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
        if ax is None:
            ax, room = new_axes(_WIDTH, _HEIGHT)
        else:
            check_axes(ax)
            room = axes_room(ax)
        size, is_crowded = room.font_size, len(self.severity) > _MANY
        x, x_low, x_high = _columns(self.severity.values())
        y, y_low, y_high = _columns(self.scores.values())
        zero = {"color": line_color(), "linewidth": 0.8, "linestyle": (0, (6, 4)), "alpha": 0.7}
        self.zero_ = ax.axvline(0, **zero)
        line = {"color": BLUE, "linewidth": 0.1 * size, "alpha": 0.25 if is_crowded else 0.6}
        self.intervals_ = [
            ax.plot(_segments(x_low, x_high), _segments(y, y), marker="", linestyle="-", **line)[0],
            ax.plot(_segments(x, x), _segments(y_low, y_high), marker="", linestyle="-", **line)[0],
        ]
        (self.points_,) = ax.plot(
            x,
            y,
            color=BLUE,
            marker="o",
            markersize=(0.4 if is_crowded else 0.65) * size,
            linestyle="none",
        )
        ax.margins(0.08)
        ax.grid(color=GREY, alpha=0.25, linewidth=0.8)
        ax.set_axisbelow(True)
        ax.spines[["top", "right"]].set_visible(False)
        ax.tick_params(labelsize=size)
        self._label(ax, room)
        self.text_ = self._name_points(ax, room, x, y)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _label(self, ax: Any, room: Room) -> None:
        level = as_percent(next(iter(self.severity.values())).confidence_level)
        better = "higher" if self.greater_is_better else "lower"
        across, down = _side(room)
        texts = (
            f"severity, in classes ({_DIRECTION})\nlines: {level} intervals",
            f"{one_line(self.criterion)}\nwith the others ({better} is better)",
        )
        for set_label, text, side in zip(
            (ax.set_xlabel, ax.set_ylabel), texts, (across, down), strict=True
        ):
            label = wrapped(text, room.n_characters(side))
            set_label(label, fontsize=room.font_size, parse_math=False)

    def _name_points(self, ax: Any, room: Room, x: Floats, y: Floats) -> dict[str, Any]:
        """Write the names beside their points, where nothing is covered."""
        names = fitted_names([one_line(name) for name in self.severity], _MOST_CHARACTERS)
        places = _places(ax, room, x, y)
        radius = room.inches(0.35)
        marks = [_Box(a - radius, b - radius, 2 * radius, 2 * radius) for a, b in places]
        frame = _Box(0, 0, *_side(room))
        texts, boxes = {}, list[_Box]()
        for k, rater in enumerate(self.severity):
            others = [*boxes, *marks[:k], *marks[k + 1 :]]
            place = _free_place(marks[k], names[k], room, frame, others)
            if place is None:
                continue
            box, (to_right, upwards) = place
            boxes.append(box)
            texts[rater] = ax.annotate(
                names[k],
                (x[k], y[k]),
                xytext=(_GAP * room.font_size * to_right, _GAP * room.font_size * upwards),
                textcoords="offset points",
                ha="left" if to_right > 0 else "right",
                va="bottom" if upwards > 0 else "top",
                fontsize=room.font_size,
                parse_math=False,
                in_layout=False,
            )
        return texts


def _columns(intervals: Any) -> tuple[Floats, Floats, Floats]:
    """Return the estimates, lower ends and upper ends of intervals."""
    numbers = np.array([(i.estimate, i.low, i.high) for i in intervals], dtype=np.float64)
    estimate, low, high = numbers.T
    return estimate, low, high


def _segments(starts: Floats, ends: Floats) -> Floats:
    """Return lines from starts to ends, separated by NaN."""
    return np.column_stack([starts, ends, np.full(len(starts), np.nan)]).ravel()


def _side(room: Room) -> tuple[float, float]:
    """Return the approximate width and height of the axes in inches."""
    return (
        max(0.3, room.width - room.inches(_BESIDE)),
        max(0.3, room.height - room.inches(_BELOW)),
    )


def _places(ax: Any, room: Room, x: Floats, y: Floats) -> list[tuple[float, float]]:
    """Return the approximate position of each point in inches from the lower left corner."""
    side, limits = _side(room), (ax.get_xlim(), ax.get_ylim())
    across, up = (
        length * (values - low) / (high - low)
        for length, values, (low, high) in zip(side, (x, y), limits, strict=True)
    )
    return list(zip(across.tolist(), up.tolist(), strict=True))


def _free_place(
    mark: _Box, name: str, room: Room, frame: _Box, others: Sequence[_Box]
) -> tuple[_Box, tuple[int, int]] | None:
    """Return the box of a name that covers nothing, and its direction from the mark, if any."""
    if np.isnan(mark.x + mark.y):
        return None
    width, height = room.text_width(longest_line([name])), room.text_height(1)
    gap, x, y = room.inches(_GAP), mark.x + mark.width / 2, mark.y + mark.height / 2
    for to_right, upwards in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        box = _Box(
            x + gap if to_right > 0 else x - gap - width,
            y + gap if upwards > 0 else y - gap - height,
            width,
            height,
        )
        is_inside = (
            box.x >= frame.x
            and box.y >= frame.y
            and box.x + box.width <= frame.width
            and box.y + box.height <= frame.height
        )
        if is_inside and not any(map(box.overlaps, others)):
            return box, (to_right, upwards)
    return None
