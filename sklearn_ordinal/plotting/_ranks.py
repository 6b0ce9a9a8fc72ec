"""The critical difference diagram."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

from sklearn_ordinal._core import check_integer
from sklearn_ordinal.plotting._style import (
    BLUE,
    default_font_size,
    font_scale,
    line_color,
    new_axes,
    require_matplotlib,
    settle,
    size_in_inches,
    text_size,
    wrapped,
)

# Distances below the axis, in lines of text.
_TITLE_ABOVE_DIFFERENCE, _DIFFERENCE, _TITLE = -4.4, -2.5, -2.9
_FIRST_BAR, _BETWEEN_BARS = 0.7, 0.6


class CriticalDifferenceDisplay:
    """Critical difference diagram of systems compared over several data sets.

    The axis shows average ranks, with the best rank (1) on the right as in [1]_. The
    better half of the systems is labelled on the right and the other half on the left,
    each with its average rank. Thick bars connect groups of systems that do not differ
    significantly. The critical difference, if given, is shown above the axis.

    Parameters
    ----------
    average_ranks : mapping of str to float
        Average rank of each system by its name. Rank 1 is the best.
    n_data_sets : int
        Number of data sets over which the ranks are averaged.
    groups : sequence of sequences of str, default=()
        Groups of systems that do not differ significantly, each sorted by rank.
    critical_difference : float, default=None
        Smallest difference of average ranks that is significant. None if the test does
        not have one.

    Attributes
    ----------
    text_ : list of matplotlib.text.Text
        Names and average ranks, in the order of `average_ranks`.
    lines_ : list of matplotlib.lines.Line2D
        Lines from the axis to the names, in the same order.
    bars_ : list of matplotlib.lines.Line2D
        One bar for each group, in the order of `groups`.
    critical_difference_ : matplotlib.lines.Line2D or None
        Line as long as the critical difference.
    ax_ : matplotlib.axes.Axes
        Axes of the plot.
    figure_ : matplotlib.figure.Figure
        Figure that contains the plot.

    Raises
    ------
    ValueError
        If there are fewer than two systems, `n_data_sets` is not a positive integer, or a
        group has fewer than two systems or one that is not in `average_ranks`.

    See Also
    --------
    sklearn_ordinal.inference.compare_ranks : Compute and test average ranks.
    ComparisonDisplay : Comparison of models on one data set.

    References
    ----------
    .. [1] J. Demsar (2006), "Statistical comparisons of classifiers over multiple data
       sets", Journal of Machine Learning Research 7, 1-30.

    Examples
    --------
    >>> from sklearn_ordinal.plotting import CriticalDifferenceDisplay
    >>> display = CriticalDifferenceDisplay(
    ...     {"forest": 1.25, "ridge": 1.75, "majority": 3.0},
    ...     n_data_sets=4,
    ...     groups=[["forest", "ridge"], ["ridge", "majority"]],
    ...     critical_difference=1.66,
    ... ).plot()
    >>> [text.get_text() for text in display.text_]
    ['forest (1.25)', 'ridge (1.75)', 'majority (3.00)']
    """

    def __init__(
        self,
        average_ranks: Mapping[str, float],
        *,
        n_data_sets: int,
        groups: Sequence[Sequence[str]] = (),
        critical_difference: float | None = None,
    ) -> None:
        if len(average_ranks) < 2:
            raise ValueError(
                f"average_ranks must have at least two systems, got {list(average_ranks)}: "
                f"add the systems to compare with."
            )
        check_integer("n_data_sets", n_data_sets, at_least=1)
        self.average_ranks = {name: float(rank) for name, rank in average_ranks.items()}
        self.n_data_sets = n_data_sets
        self.groups = _check_groups(groups, self.average_ranks)
        self.critical_difference = critical_difference

    def plot(self, ax: Any = None) -> Self:
        """Plot the diagram.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Axes to plot on. If None, a new figure of a suitable size is created.

        Returns
        -------
        CriticalDifferenceDisplay
            The display itself.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        require_matplotlib(self)
        labels = wrapped(f"{name} ({rank:.2f})" for name, rank in self.average_ranks.items())
        spans = self._spans()
        levels = _levels(spans)
        name_height = 0.5 + max(label.count("\n") + 1 for label in labels)
        names_top = _FIRST_BAR + _BETWEEN_BARS * (1 + max(levels, default=-1)) + name_height / 2
        n_rows = (len(labels) + 1) // 2
        top = _TITLE if self.critical_difference is None else _TITLE_ABOVE_DIFFERENCE
        n_lines = names_top + name_height * (n_rows - 0.5) - top
        if ax is None:
            ax = new_axes(
                4.5 * font_scale() + 2 * text_size(labels)[0],
                n_lines * 1.3 * default_font_size() / 72,
            )
        ax.set(xlim=(len(labels), 1), ylim=(top + n_lines, top))
        ax.axis("off")
        settle(ax)
        font_size = min(default_font_size(), 72 * size_in_inches(ax)[1] / n_lines / 1.3)

        self._draw_axis(ax, top, font_size)
        self._draw_bars(ax, spans, levels)
        self._draw_names(ax, labels, names_top, name_height, font_size)
        # If the critical difference is longer than the axis, its text needs a second layout.
        settle(ax)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _draw_axis(self, ax: Any, top: float, font_size: float) -> None:
        n_systems = len(self.average_ranks)
        ax.plot([n_systems, 1], [0, 0], color=line_color(), linewidth=1, clip_on=False)
        for rank in range(1, n_systems + 1):
            ax.plot([rank, rank], [0, -0.3], color=line_color(), linewidth=1, clip_on=False)
            ax.text(rank, -0.5, str(rank), ha="center", va="bottom", fontsize=font_size)
        ax.text(
            (1 + n_systems) / 2,
            top,
            f"Average rank over {self.n_data_sets} data sets (best on the right)",
            ha="center",
            va="top",
            fontsize=font_size,
        )
        self.critical_difference_ = None
        if self.critical_difference is not None:
            ends = [n_systems, n_systems - self.critical_difference]
            (self.critical_difference_,) = ax.plot(
                ends,
                [_DIFFERENCE] * 2,
                color=line_color(),
                linewidth=1,
                marker="|",
                markeredgewidth=1,
                clip_on=False,
            )
            ax.annotate(
                f"critical difference {self.critical_difference:.2f}",
                (ends[1], _DIFFERENCE),
                xytext=(5, 0),
                textcoords="offset points",
                va="center",
                fontsize=font_size,
                annotation_clip=False,
            )

    def _spans(self) -> list[tuple[float, float]]:
        """Return the best and the worst average rank of each group."""
        groups = [[self.average_ranks[name] for name in group] for group in self.groups]
        return [(min(ranks), max(ranks)) for ranks in groups]

    def _draw_bars(self, ax: Any, spans: list[tuple[float, float]], levels: list[int]) -> None:
        overhang = 0.02 * (len(self.average_ranks) - 1)
        self.bars_ = []
        for (best, worst), level in zip(spans, levels, strict=True):
            (bar,) = ax.plot(
                [worst + overhang, best - overhang],
                [_FIRST_BAR + _BETWEEN_BARS * level] * 2,
                color=BLUE,
                linewidth=4,
                solid_capstyle="butt",
                clip_on=False,
            )
            self.bars_.append(bar)

    def _draw_names(
        self, ax: Any, labels: list[str], top: float, height: float, font_size: float
    ) -> None:
        ranks, n_systems = list(self.average_ranks.values()), len(labels)
        best_first = sorted(range(n_systems), key=ranks.__getitem__)
        n_right = (n_systems + 1) // 2
        self.text_, self.lines_ = [], []
        for system, label in enumerate(labels):
            place = best_first.index(system)
            is_right = place < n_right
            # From the outside to the middle, so that lines do not cross.
            y = top + height * (place if is_right else n_systems - 1 - place)
            edge = 1 if is_right else n_systems
            (line,) = ax.plot(
                [ranks[system], ranks[system], edge],
                [0, y, y],
                color=line_color(),
                linewidth=0.8,
                clip_on=False,
            )
            text = ax.annotate(
                label,
                (edge, y),
                xytext=(5 if is_right else -5, 0),
                textcoords="offset points",
                ha="left" if is_right else "right",
                va="center",
                fontsize=font_size,
                annotation_clip=False,
                parse_math=False,
            )
            self.lines_.append(line)
            self.text_.append(text)


def _check_groups(
    groups: Sequence[Sequence[str]], average_ranks: Mapping[str, float]
) -> tuple[tuple[str, ...], ...]:
    for group in groups:
        if isinstance(group, str):
            raise ValueError(
                f"groups must be sequences of names, got the string {group!r}: "
                f"put the names of each group in a list."
            )
        unknown = [name for name in group if name not in average_ranks]
        if unknown:
            raise ValueError(
                f"groups has names that are not in average_ranks: {unknown}; "
                f"use those of {list(average_ranks)}."
            )
        if len(group) < 2:
            raise ValueError(
                f"groups must have at least two systems each, got {list(group)}: "
                f"leave out systems that differ from all others."
            )
    return tuple(tuple(group) for group in groups)


def _levels(spans: Sequence[tuple[float, float]]) -> list[int]:
    """Return for each bar the level closest to the axis on which it overlaps no other."""
    ends: list[float] = []
    levels = [0] * len(spans)
    for bar in sorted(range(len(spans)), key=spans.__getitem__):
        best, worst = spans[bar]
        level = next((level for level, end in enumerate(ends) if end < best), len(ends))
        ends[level : level + 1] = [worst]
        levels[bar] = level
    return levels
