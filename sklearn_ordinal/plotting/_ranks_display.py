"""The critical difference diagram of ranks over several data sets."""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import Any, Self

from sklearn_ordinal._core import checks
from sklearn_ordinal.plotting import _style

# Positions below the axis, in lines of text.
_TITLE, _TITLE_ABOVE_DIFFERENCE = -3.8, -6.0
_DIFFERENCE, _DIFFERENCE_TEXT = -2.4, -2.7
_FIRST_BAR, _BETWEEN_BARS = 0.7, 0.6
_GAP_BETWEEN_NAMES = 0.35
_MOST_TICKS = 12
# Sizes of new figures in inches, at a font size of ten points: of the axis, of a character, and of
# a line of text.
_NEW_AXIS_WIDTH, _CHARACTER, _LINE = 4.4, 0.08, 0.19


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
        Smallest difference of average ranks that is significant. None if the test has no
        critical difference.

    Attributes
    ----------
    text_ : list of matplotlib.text.Text
        Names and average ranks, in the order of `average_ranks`.
    lines_ : list of matplotlib.lines.Line2D
        Lines from the axis to the names, in the order of the names.
    bars_ : list of matplotlib.lines.Line2D
        One bar for each group, in the order of `groups`.
    critical_difference_ : matplotlib.lines.Line2D or None
        Line whose length is the critical difference.
    ax_ : matplotlib.axes.Axes
        Axes of the plot.
    figure_ : matplotlib.figure.Figure
        Figure that contains the plot.

    Raises
    ------
    ValueError
        If there are fewer than two systems, `n_data_sets` is not a positive integer, or a group
        has fewer than two systems or contains a name that is not in `average_ranks`.

    See Also
    --------
    sklearn_ordinal.inference.compare_ranks : Compute and test average ranks.
    ComparisonDisplay : Plot a comparison of models on one data set.

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
        checks.check_mapping("average_ranks", average_ranks)
        if len(average_ranks) < 2:
            raise ValueError(
                f"average_ranks must have at least two systems, got {list(average_ranks)}: "
                f"add the systems to compare with."
            )
        checks.check_integer("n_data_sets", n_data_sets, at_least=1)
        for name, rank in average_ranks.items():
            if not checks.is_real(rank) or not 1 <= rank <= len(average_ranks):
                raise ValueError(
                    f"average_ranks must be numbers from 1 to the number of systems, "
                    f"got {checks.shown(rank)} for {checks.shown(name)}."
                )
        if critical_difference is not None and not (
            checks.is_real(critical_difference) and 0 < critical_difference < math.inf
        ):
            raise ValueError(
                f"critical_difference must be a positive number or None, "
                f"got {checks.shown(critical_difference)}."
            )
        self.average_ranks = {name: float(rank) for name, rank in average_ranks.items()}
        self.n_data_sets = n_data_sets
        self.groups = _check_groups(groups, self.average_ranks)
        self.critical_difference = critical_difference

    def plot(self, ax: Any = None) -> Self:
        """Plot the diagram.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Rectilinear axes to plot on. Their figure is not changed: create it with
            ``layout="constrained"``, which makes room for names. If None, a new figure is created.

        Returns
        -------
        CriticalDifferenceDisplay
            The display itself.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If `ax` is not rectilinear axes.
        """
        _style.require_matplotlib(self)
        n_systems = len(self.average_ranks)
        labels = _style.short_names(
            list(self.average_ranks),
            _style.name_size(ax),
            ends=[f" ({rank:.2f})" for rank in self.average_ranks.values()],
        )
        title = f"Average rank over {self.n_data_sets} data sets\n(best on the right)"
        name_height = _GAP_BETWEEN_NAMES + _style.most_lines(labels)
        levels = _levels(self._spans())
        names_top = _FIRST_BAR + _BETWEEN_BARS * (1 + max(levels, default=-1))
        top = _TITLE if self.critical_difference is None else _TITLE_ABOVE_DIFFERENCE
        bottom = names_top + name_height * ((n_systems + 1) // 2)
        width = _NEW_AXIS_WIDTH + 2 * _CHARACTER * _style.longest_line(labels)
        ax = _style.axes_of(ax, min(width, 8.0), _LINE * (bottom - top) + 0.1)
        ax.axis("off")
        ax.set(xticks=[], yticks=[], xlim=(n_systems, 1), ylim=(bottom, top))
        self._draw_bars(ax)
        self._draw_names(ax, labels, names_top, name_height)
        self._draw_axis(ax)
        text = ax.text((1 + n_systems) / 2, top, title, ha="center", va="top")
        # The label extends over the names on both sides of the axis.
        text.set_in_layout(False)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _draw_axis(self, ax: Any) -> None:
        n_systems = len(self.average_ranks)
        step = _style.name_step(n_systems, _MOST_TICKS)
        ax.plot([n_systems, 1], [0, 0], color=_style.line_color(), linewidth=1, clip_on=False)
        for rank in range(1, n_systems + 1):
            ax.plot([rank, rank], [0, -0.3], color=_style.line_color(), linewidth=1, clip_on=False)
            if (rank - 1) % step == 0:
                ax.text(rank, -0.5, str(rank), ha="center", va="bottom")
        self.critical_difference_ = None
        if self.critical_difference is not None:
            (self.critical_difference_,) = ax.plot(
                [n_systems, n_systems - self.critical_difference],
                [_DIFFERENCE] * 2,
                color=_style.line_color(),
                linewidth=1,
                marker="|",
                markeredgewidth=1,
                clip_on=False,
            )
            ax.text(
                n_systems,
                _DIFFERENCE_TEXT,
                f"critical difference {self.critical_difference:.2f}",
                va="bottom",
            )

    def _spans(self) -> list[tuple[float, float]]:
        """Return the best and the worst average rank of each group."""
        groups = [[self.average_ranks[name] for name in group] for group in self.groups]
        return [(min(ranks), max(ranks)) for ranks in groups]

    def _draw_bars(self, ax: Any) -> None:
        overhang = 0.02 * (len(self.average_ranks) - 1)
        spans = self._spans()
        self.bars_ = []
        for (best, worst), level in zip(spans, _levels(spans), strict=True):
            (bar,) = ax.plot(
                [worst + overhang, best - overhang],
                [_FIRST_BAR + _BETWEEN_BARS * level] * 2,
                color=_style.BLUE,
                linewidth=4,
                solid_capstyle="butt",
                clip_on=False,
            )
            self.bars_.append(bar)

    def _draw_names(
        self, ax: Any, labels: Sequence[str], names_top: float, name_height: float
    ) -> None:
        ranks, n_systems = list(self.average_ranks.values()), len(labels)
        best_first = sorted(range(n_systems), key=ranks.__getitem__)
        n_right = (n_systems + 1) // 2
        self.text_, self.lines_ = [], []
        for system, label in enumerate(labels):
            place = best_first.index(system)
            is_right = place < n_right
            # Place names from the outside to the middle, so that their lines do not cross.
            row = place if is_right else n_systems - 1 - place
            y = names_top + name_height * (row + 0.5)
            edge = 1 if is_right else n_systems
            (line,) = ax.plot(
                [ranks[system], ranks[system], edge],
                [0, y, y],
                color=_style.line_color(),
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
                annotation_clip=False,
                parse_math=False,
            )
            self.lines_.append(line)
            self.text_.append(text)


def _check_groups(
    groups: Sequence[Sequence[str]], average_ranks: Mapping[str, float]
) -> tuple[tuple[str, ...], ...]:
    groups = list(checks.iterate("groups", groups, "lists of names"))
    for group in groups:
        if isinstance(group, str) or not isinstance(group, Collection):
            raise ValueError(
                f"groups must be sequences of names, got {checks.shown(group)}: "
                f"put the names of each group in a list."
            )
        names = checks.iterate("groups", group, "sequences of names")
        unknown = [
            name for name in names if not isinstance(name, Hashable) or name not in average_ranks
        ]
        if unknown:
            raise ValueError(
                f"groups has names that are not in average_ranks: {checks.listed(unknown)}: "
                f"use names from {list(average_ranks)}."
            )
        if len(group) < 2:
            raise ValueError(
                f"groups must have at least two systems each, got {list(group)}: "
                f"leave out systems that differ from all others."
            )
    return tuple(tuple(group) for group in groups)


def _levels(spans: Sequence[tuple[float, float]]) -> list[int]:
    """Return, for each bar, the level closest to the axis at which it overlaps no other bar."""
    ends: list[float] = []
    levels = [0] * len(spans)
    for bar in sorted(range(len(spans)), key=spans.__getitem__):
        best, worst = spans[bar]
        level = next((level for level, end in enumerate(ends) if end < best), len(ends))
        ends[level : level + 1] = [worst]
        levels[bar] = level
    return levels
