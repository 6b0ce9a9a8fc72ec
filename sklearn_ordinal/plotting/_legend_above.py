"""A legend above the axes, in as many columns as have room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sklearn_ordinal.plotting._layout import center
from sklearn_ordinal.plotting._style import LEGEND_OPTIONS
from sklearn_ordinal.plotting._text import em, width


def n_legend_columns(key: Sequence[str], across: float, size: float) -> int:
    """Return the number of columns for which a legend fits a width in inches."""
    # Each column also has a handle and two gaps.
    widths = [width([label], size) + em(size, 3.1) for label in key]
    for n_rows in range(1, len(key)):
        n_columns = -(-len(key) // n_rows)
        if sum(max(column) for column in np.array_split(widths, n_columns)) <= across:
            return n_columns
    return 1


def legend_height(key: Sequence[str], n_columns: int, size: float) -> float:
    """Return the height of a legend in inches."""
    return em(size, 1.5 * -(-len(key) // n_columns) + 0.7)


def around_panels(key: Sequence[str], n_columns: int, size: float) -> tuple[float, float]:
    """Return the width and height in inches of labels and the legend around panels."""
    label = em(size, 1.8)
    return label, label + legend_height(key, n_columns, size)


def draw_legend_above(
    ax: Any,
    handles: Sequence[Any],
    key: Sequence[str],
    *,
    n_columns: int,
    font_size: float,
    handle_length: float,
    handle_gap: float,
) -> Any:
    """Draw a legend above the axes, whose handles have a length and a gap in font sizes."""
    return ax.legend(
        handles,
        key,
        loc="lower center",
        bbox_to_anchor=(0.5, 1),
        ncols=n_columns,
        fontsize=font_size,
        handlelength=handle_length,
        handletextpad=handle_gap,
        **LEGEND_OPTIONS,
    )


def center_legend(ax: Any, legend: Any, left: float, right: float) -> None:
    """Move a legend above the axes sideways, to end between `left` and `right` in pixels."""
    (middle,) = center([legend], ax, left, right)
    legend.set_bbox_to_anchor((middle, 1), transform=ax.transAxes)
