"""Values in the cells of a matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def write_cells(
    ax: Any,
    texts: NDArray[Any],
    inks: NDArray[np.str_],
    font_size: float,
    *,
    offset: float = 0.0,
    in_layout: bool = True,
) -> NDArray[Any]:
    """Write a text in each cell, below its middle by a share of its height."""
    artists = np.empty(texts.shape, dtype=object)
    for row, column in np.ndindex(texts.shape):
        artists[row, column] = ax.text(
            column,
            row + offset,
            texts[row, column],
            color=inks[row, column],
            fontsize=font_size,
            ha="center",
            va="center",
            in_layout=in_layout,
        )
    return artists
