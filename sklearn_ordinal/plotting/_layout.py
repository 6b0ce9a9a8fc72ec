"""Size and position of axes in a figure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sklearn_ordinal._core import shown

# In inches, between the texts of axes and the edges of their cell, without a layout engine.
_PAD = 0.1
# The smallest share of a cell of the subplot grid that axes take without their texts.
_AXES_AREA = 0.37


def new_axes(width: float, height: float) -> Any:
    """Return the axes of a new figure of the given size in inches."""
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(width, height), layout="constrained")[1]


def check_axes(ax: Any) -> None:
    """Raise unless a value is rectilinear matplotlib axes."""
    from matplotlib.axes import Axes

    if not isinstance(ax, Axes):
        raise ValueError(
            f"ax must be matplotlib axes, got {shown(ax)}: pass one of the axes of a figure, "
            f"or None for a new figure."
        )
    if ax.name != "rectilinear":
        raise ValueError(
            f"ax must be rectilinear axes, got {ax.name} axes: create it without projection."
        )


@dataclass(frozen=True)
class Room:
    """The width and height in inches that axes and their texts can take together.

    `axes_area` is the smallest area of the axes without their texts, in square inches.
    """

    across: float
    down: float
    axes_area: float

    def with_area(self, share: float) -> Room:
        """Return room in which the axes take only a share of the area."""
        return replace(self, axes_area=share * self.axes_area)


def room(ax: Any) -> Room:
    """Return the room for axes and their texts."""
    settle(ax)
    cell, dpi = _cell(ax), ax.figure.dpi
    box = ax.get_tightbbox() if _has_engine(ax) else cell.padded(-_PAD * dpi)
    across, down = box.size / dpi
    # Wide margins of a figure leave less.
    area = min(_AXES_AREA * cell.width * cell.height / dpi**2, 0.43 * across * down)
    return Room(across, down, area)


def size_in_inches(ax: Any) -> tuple[float, float]:
    """Return the current width and height of axes in inches."""
    box = ax.get_window_extent()
    return box.width / ax.figure.dpi, box.height / ax.figure.dpi


def settle(ax: Any) -> None:
    """Move axes to their final position.

    The layout engine of the figure decides. Without one, axes move only if their texts reach
    beyond their cell of the subplot grid.
    """
    if _has_engine(ax):
        # In contrast to draw_without_rendering, nothing is drawn afterwards.
        figure = ax.figure.canvas.figure
        figure.get_layout_engine().execute(figure)
        locator = ax.get_axes_locator()
        ax.apply_aspect(locator(ax, None) if locator else None)
        return
    # Moving the axes can change the tick labels, and with them the room that texts take.
    for _ in range(2):
        _move_into_cell(ax)


def center(artists: Iterable[Any], ax: Any, left: float, right: float) -> list[float]:
    """Return the horizontal centres of artists in units of the axes.

    An artist is centred on the axes unless it would reach beyond `left` or `right` in pixels.
    """
    axes = ax.get_window_extent()
    centers = []
    for artist in artists:
        half = artist.get_window_extent().width / 2
        middle = (axes.x0 + axes.x1) / 2
        if 2 * half >= right - left:
            middle = (left + right) / 2
        else:
            middle = min(max(middle, left + half), right - half)
        centers.append((middle - axes.x0) / axes.width)
    return centers


def keep_titles_above(ax: Any, legend: Any) -> None:
    """Make matplotlib put titles of axes above a legend that is above the axes.

    Matplotlib moves titles above inset axes but not above legends, so hidden axes of the same
    height stand where the legend is.
    """
    from matplotlib.transforms import ScaledTranslation, blended_transform_factory

    inches = ax.figure.dpi_scale_trans
    from_top = inches + ScaledTranslation(0, 1, ax.transAxes)
    height = (legend.get_window_extent().y1 - ax.get_window_extent().y1) / ax.figure.dpi
    ax.inset_axes(
        (0, 0, 1, height),
        transform=blended_transform_factory(ax.transAxes, from_top),
        visible=False,
        in_layout=False,
        xticks=(),
        yticks=(),
    )


def shrink(texts: Iterable[Any], width: float, height: float) -> None:
    """Reduce the font size of all texts equally until each fits a width and height in inches."""
    texts = list(texts)
    boxes = [text.get_window_extent() for text in texts]
    widest, highest = (max((box.size[side] for box in boxes), default=0) for side in (0, 1))
    for text in texts:
        dpi = text.figure.dpi
        scale = min(1.0, width * dpi / max(widest, 1e-9), height * dpi / max(highest, 1e-9))
        text.set_fontsize(scale * text.get_fontsize())


def thin_out_ticks(ax: Any) -> None:
    """Reduce the number of ticks on the x-axis so that their labels have gaps."""
    labels = [label for label in ax.get_xticklabels() if label.get_text()]
    widest = max((label.get_window_extent().width for label in labels), default=0.0)
    n_ticks = int(ax.get_window_extent().width // max(1.4 * widest, 1))
    if len(labels) > n_ticks:
        ax.locator_params(axis="x", nbins=max(1, n_ticks - 1))


def _has_engine(ax: Any) -> bool:
    from matplotlib.layout_engine import PlaceHolderLayoutEngine

    engine = ax.figure.canvas.figure.get_layout_engine()
    return engine is not None and not isinstance(engine, PlaceHolderLayoutEngine)


def _cell(ax: Any) -> Any:
    """Return the cell of the subplot grid in pixels, or the figure if the axes are in no grid."""
    from matplotlib.transforms import Bbox

    figure, place = ax.figure, ax.get_subplotspec()
    edges = np.array([[0.0, 0.0], [1.0, 1.0]])
    if place is not None:
        bottoms, tops, lefts, rights = place.get_gridspec().get_grid_positions(figure)
        columns, rows = place.colspan, place.rowspan
        if columns.start > 0:
            edges[0, 0] = (rights[columns.start - 1] + lefts[columns.start]) / 2
        if columns.stop < len(lefts):
            edges[1, 0] = (rights[columns.stop - 1] + lefts[columns.stop]) / 2
        if rows.start > 0:
            edges[1, 1] = (bottoms[rows.start - 1] + tops[rows.start]) / 2
        if rows.stop < len(tops):
            edges[0, 1] = (bottoms[rows.stop - 1] + tops[rows.stop]) / 2
    return Bbox(figure.transSubfigure.transform(edges))


def _move_into_cell(ax: Any) -> None:
    from matplotlib.transforms import Bbox

    cell = _cell(ax).padded(-_PAD * ax.figure.dpi)
    texts = ax.get_tightbbox(for_layout_only=True)
    # From the edges of the texts to those of the cell, positive to the right and upwards.
    gaps = cell.get_points() - texts.get_points()
    is_outside = gaps * [[1], [-1]] > 0.5
    if not is_outside.any():
        return
    # Axes in a grid fill their cell; others keep the position that the user chose if it fits.
    moved = gaps if ax.get_subplotspec() is not None else gaps * is_outside
    corners = ax.get_window_extent().get_points() + moved
    # If the texts alone fill the cell, a tenth is left for the axes.
    corners[1] = np.maximum(corners[1], corners[0] + 0.1 * cell.size)
    ax.set_position(Bbox(ax.figure.transSubfigure.inverted().transform(corners)))
    # Matplotlib excludes axes from later layouts once they are moved.
    ax.set_in_layout(True)
