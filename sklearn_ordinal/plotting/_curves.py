"""Axes with a named curve for each threshold or each class, and a legend to their right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal.plotting._style import (
    add_legend,
    axes_of,
    curve_colors,
    longest_line,
    most_lines,
    name_size,
    short_names,
    wrapped,
)

# Neighbouring curves differ in more than lightness.
_LINE_STYLES = ("-", (0, (5, 1.6)), (0, (1.2, 1.2)), (0, (5, 1.4, 1.2, 1.4)))
# The styles of convex hulls and diagonals, and of the line of chance.
THIN: dict[str, Any] = {"linewidth": 0.8, "linestyle": "-"}
CHANCE: dict[str, Any] = {"linewidth": 0.8, "linestyle": (0, (6, 4)), "alpha": 0.7}
# Limits of axes that show rates.
RATE_LIMITS = (-0.01, 1.01)
# Sizes of new figures in inches, at a font size of ten points: of the axes with their labels, of a
# character, and of a line of the legend.
_SIDE, _CHARACTER, _LINE = 4.4, 0.08, 0.19
# The largest number of characters in a line of the legend: in new figures, and in axes of the user.
_NEW, _NARROW = 36, 28


def curve_axes(
    ax: Any,
    names: Sequence[str],
    *,
    start: str,
    numbers: Sequence[str],
    title: str,
    others: Sequence[str] = (),
) -> tuple[Any, list[str], list[dict[str, Any]]]:
    """Return axes for curves, the texts of their legend, and the style of each curve.

    The text `start` and the numbers surround the name of each curve in the legend, and have
    non-breaking spaces where lines must not break. If `start` ends with a quotation mark, another
    one follows the name. `others` are texts that do not have the name of a curve. The last text is
    the title.
    """
    quotation_mark = "'" if start.endswith("'") else ""
    ends = [f"{quotation_mark}: {number}" for number in numbers]
    texts = [*short_names(names, name_size(ax), start=start, ends=ends)]
    texts += [wrapped(text, _NEW if ax is None else _NARROW) for text in (*others, title)]
    n_lines = sum(most_lines([text]) for text in texts)
    ax = axes_of(
        ax, _SIDE + 0.5 + _CHARACTER * longest_line(texts), max(_SIDE - 0.2, _LINE * n_lines + 0.8)
    )
    ax.grid(visible=False, which="both")
    styles = [
        {"color": color, "linestyle": _LINE_STYLES[k % len(_LINE_STYLES)], "linewidth": 1.5}
        for k, color in enumerate(curve_colors(len(names), ax.get_facecolor()[:3]))
    ]
    return ax, [text.replace("\N{NO-BREAK SPACE}", " ") for text in texts], styles


def finish_curves(
    ax: Any,
    texts: Sequence[str],
    curves: Sequence[Any],
    others: Sequence[Any] = (),
    *,
    labels: tuple[str, str],
) -> Any:
    """Label the axes, draw the legend to their right, and return the legend.

    `others` are the handles of the texts that do not name a curve.
    """
    from matplotlib.lines import Line2D

    ax.set_xlabel(labels[0], parse_math=False)
    ax.set_ylabel(labels[1], parse_math=False)
    # An undefined curve has no handle.
    handles = [
        curve if len(curve.get_xdata()) else Line2D([], [], linestyle="none") for curve in curves
    ]
    *entries, title = texts
    return add_legend(
        ax,
        [*handles, *others],
        entries,
        title=title,
        loc="upper left",
        bbox_to_anchor=(1.0, 1.0),
        handlelength=2.2,
        handletextpad=0.5,
    )


def plot_lines(ax: Any, x: list[Any], y: list[Any], styles: list[dict[str, Any]]) -> list[Any]:
    """Draw a line with a style for each pair of arrays."""
    return [
        ax.plot(*pair, **style)[0]
        for pair, style in zip(zip(x, y, strict=True), styles, strict=True)
    ]


def as_texts(values: NDArray[np.float64]) -> list[str]:
    """Return numbers as texts, and "undefined" for NaN."""
    return ["undefined" if np.isnan(value) else f"{value:.2f}" for value in values.tolist()]


def as_pairs(values: NDArray[np.float64], others: NDArray[np.float64]) -> list[str]:
    """Return numbers as texts, each with another number in parentheses."""
    return [
        text if text == "undefined" else f"{text}\N{NO-BREAK SPACE}({other})"
        for text, other in zip(as_texts(values), as_texts(others), strict=True)
    ]
