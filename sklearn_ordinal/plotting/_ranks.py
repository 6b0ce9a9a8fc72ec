"""The critical-difference diagram."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal.inference import RankComparison, compare_ranks
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

# Distances downwards from the axis, in lines of text.
_TITLE_ABOVE_DIFFERENCE, _DIFFERENCE, _TITLE = -4.4, -2.5, -2.9
_FIRST_BAR, _BETWEEN_BARS = 0.7, 0.6


class CriticalDifferenceDisplay:
    """Critical-difference diagram of systems compared over several data sets.

    Make one with `from_ranks` or `from_scores`.

    The axis holds the average ranks, the best (1) at the right as in Demsar's diagrams
    [1]_. The better half of the systems is named at the right, the other at the left, each with
    its average rank. A thick bar joins systems that do not differ; above the axis
    stands the critical difference, if the test has one.

    Parameters
    ----------
    ranks : RankComparison
        Average ranks, and which of them differ.

    Attributes
    ----------
    text_ : list of matplotlib.text.Text
        Names and average ranks in the order of `ranks.names`.
    lines_ : list of matplotlib.lines.Line2D
        Lines from the axis to these names.
    bars_ : list of matplotlib.lines.Line2D
        A bar for each group of systems that do not differ, in the order of
        `ranks.groups`.
    critical_difference_ : matplotlib.lines.Line2D or None
        The critical difference.
    ax_ : matplotlib.axes.Axes
        Axes of the picture.
    figure_ : matplotlib.figure.Figure
        Figure of the picture.

    See Also
    --------
    sklearn_ordinal.inference.compare_ranks : The comparison that is drawn.

    References
    ----------
    .. [1] J. Demsar (2006), "Statistical comparisons of classifiers over multiple data
       sets", Journal of Machine Learning Research 7, 1-30.

    Examples
    --------
    >>> from sklearn_ordinal.plotting import CriticalDifferenceDisplay
    >>> scores = [[0.8, 0.7, 0.6], [0.9, 0.6, 0.5], [0.7, 0.8, 0.4], [0.9, 0.8, 0.3]]
    >>> display = CriticalDifferenceDisplay.from_scores(
    ...     scores, names=["forest", "ridge", "majority"]
    ... )
    >>> [text.get_text() for text in display.text_]
    ['forest (1.25)', 'ridge (1.75)', 'majority (3.00)']
    """

    def __init__(self, ranks: RankComparison) -> None:
        self.ranks = ranks

    @classmethod
    def from_ranks(cls, ranks: RankComparison, *, ax: Any = None) -> Self:
        """Draw a comparison of ranks.

        Parameters
        ----------
        ranks : RankComparison
            Average ranks, and which of them differ.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, those of a new figure of a size that fits.

        Returns
        -------
        CriticalDifferenceDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        return cls(ranks).plot(ax)

    @classmethod
    def from_scores(cls, scores: ArrayLike, *, ax: Any = None, **options: Any) -> Self:
        """Compare the ranks of systems and draw them.

        Parameters
        ----------
        scores : array-like of shape (n_data_sets, n_systems)
            The score of each system on each data set.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, those of a new figure of a size that fits.
        **options : dict
            Options of `compare_ranks`, such as ``names=["forest", "ridge"]``.

        Returns
        -------
        CriticalDifferenceDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If `compare_ranks` does not take the scores or an option.
        """
        return cls(compare_ranks(scores, **options)).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw the diagram.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, those of a new figure of a size that fits.

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
        ranks = self.ranks
        labels = wrapped(
            f"{name} ({rank:.2f})"
            for name, rank in zip(ranks.names, ranks.average_ranks, strict=True)
        )
        levels = _levels(_spans(ranks))
        name_height = 0.5 + max(label.count("\n") + 1 for label in labels)
        names_top = _FIRST_BAR + _BETWEEN_BARS * (1 + max(levels, default=-1)) + name_height / 2
        n_rows = (len(labels) + 1) // 2
        top = _TITLE if ranks.critical_difference is None else _TITLE_ABOVE_DIFFERENCE
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
        self._draw_bars(ax, levels)
        self._draw_names(ax, labels, names_top, name_height, font_size)
        # The text beside a critical difference longer than the axis takes more than one layout.
        settle(ax)
        self.ax_, self.figure_ = ax, ax.figure
        return self

    def _draw_axis(self, ax: Any, top: float, font_size: float) -> None:
        n_systems = len(self.ranks.names)
        ax.plot([n_systems, 1], [0, 0], color=line_color(), linewidth=1, clip_on=False)
        for rank in range(1, n_systems + 1):
            ax.plot([rank, rank], [0, -0.3], color=line_color(), linewidth=1, clip_on=False)
            ax.text(rank, -0.5, str(rank), ha="center", va="bottom", fontsize=font_size)
        ax.text(
            (1 + n_systems) / 2,
            top,
            f"Average rank over {self.ranks.n_data_sets} data sets, best at the right",
            ha="center",
            va="top",
            fontsize=font_size,
        )
        self.critical_difference_ = None
        critical_difference = self.ranks.critical_difference
        if critical_difference is not None:
            ends = [n_systems, n_systems - critical_difference]
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
                f"critical difference {critical_difference:.2f}",
                (ends[1], _DIFFERENCE),
                xytext=(5, 0),
                textcoords="offset points",
                va="center",
                fontsize=font_size,
                annotation_clip=False,
            )

    def _draw_bars(self, ax: Any, levels: list[int]) -> None:
        overhang = 0.02 * (len(self.ranks.names) - 1)
        self.bars_ = []
        for (best, worst), level in zip(_spans(self.ranks), levels, strict=True):
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
        ranks, n_systems = self.ranks.average_ranks, len(labels)
        best_first = np.argsort(ranks, kind="stable").tolist()
        n_right = (n_systems + 1) // 2
        self.text_, self.lines_ = [], []
        for system, label in enumerate(labels):
            place = best_first.index(system)
            is_right = place < n_right
            # From the outside to the middle, so that no lines cross.
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


def _spans(ranks: RankComparison) -> list[tuple[float, float]]:
    """Return the best and the worst average rank of each group."""
    rank_of = dict(zip(ranks.names, ranks.average_ranks.tolist(), strict=True))
    group_ranks = [[rank_of[name] for name in group] for group in ranks.groups]
    return [(min(group), max(group)) for group in group_ranks]


def _levels(spans: list[tuple[float, float]]) -> list[int]:
    """Return the highest level for each bar on which it meets no other."""
    ends: list[float] = []
    levels = []
    for best, worst in spans:
        level = next((level for level, end in enumerate(ends) if end < best), len(ends))
        ends[level : level + 1] = [worst]
        levels.append(level)
    return levels
