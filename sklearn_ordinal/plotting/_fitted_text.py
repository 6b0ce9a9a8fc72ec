"""Texts that fit their place: the only ones that plots measure, while they are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.patches import Rectangle
from matplotlib.text import Text

# The share of its place that a text takes at most.
_FILLED = 0.98
_MOST_PASSES = 4
# The share of the width and the height of axes that texts in them take at most.
_MOST_FOR_TEXTS = 0.85
# In inches, between texts and the edge of the figure.
_EDGE = 0.03


class FittedText(Text):
    """A text around a point in data coordinates that is reduced in size to fit its place.

    Its size is known when it is drawn, since the layout and the size of the figure may change until
    then. `place` is the width and the height of the place in data coordinates, and `template` is
    the text to measure, so that texts with the same one have the same size. A text that would be
    smaller than `smallest`, in points, is hidden.
    """

    def __init__(
        self,
        x: float,
        y: float,
        text: str,
        *,
        place: tuple[float, float],
        template: str,
        smallest: float = 0.0,
        **options: Any,
    ) -> None:
        options = {"ha": "center", "va": "center", "parse_math": False, **options}
        super().__init__(x, y, text, **options)
        self._place, self._template, self._smallest = place, template, smallest
        self._largest = float(self.get_fontsize())
        # A text within the axes does not change the layout.
        self.set_in_layout(False)
        self.set_clip_on(True)

    def draw(self, renderer: Any) -> None:
        """Choose the font size, and draw the text."""
        axes: Any = self.axes
        origin, corner = axes.transData.transform([(0.0, 0.0), self._place])
        space = _FILLED * np.abs(corner - origin)
        text = self.get_text()
        # A hidden text has no size.
        self.set(visible=True, text=self._template)
        size = self._largest
        # Glyphs are aligned with pixels, so the size of a text is not exactly proportional.
        for _ in range(_MOST_PASSES):
            self.set_fontsize(max(size, 0.1))
            scale = min(space / np.maximum(self.get_window_extent(renderer).size, 1e-9))
            if scale >= 1:
                break
            size *= float(scale)
        self.set(visible=size >= self._smallest, fontsize=max(size, 0.1), text=text)
        super().draw(renderer)


class TextsInFigure(Artist):
    """Keeps the texts around a plot within a figure that has no layout engine.

    Nothing else makes room for them there. The axes are the caller's and stay where they are, but
    their limits are widened when they are drawn, so that the plot takes a part of them, and the
    names, the texts beside it and its legend find room in the rest. Margins of the figure are used
    first, except for legends. Limits that the caller sets later are left alone.
    """

    def __init__(self, ax: Any, beside: Sequence[Text], legend: Any, side: str) -> None:
        super().__init__()
        self._beside, self._legend, self._side = beside, legend, side
        self._limits = self._whole = np.array([ax.get_xlim(), ax.get_ylim()])
        # Before everything else in the axes, whose places depend on the limits.
        self.set_zorder(-np.inf)
        self.set_in_layout(False)
        (left, right), (bottom, top) = self._limits
        self._area = Rectangle(
            (left, bottom), right - left, top - bottom, transform=ax.transData, visible=False
        )
        _enclose(ax, self._limits)
        ax.add_artist(self)

    def draw(self, renderer: Any) -> None:
        """Choose the limits of the axes, and place the legend and the axis labels."""
        axes: Any = self.axes
        if axes.figure.figure.get_layout_engine() is not None:
            return
        limits = np.array([axes.get_xlim(), axes.get_ylim()])
        if not np.allclose(limits, self._whole, rtol=1e-9):
            return
        self._clip_lines()
        # Ticks that the new limits hide take no room any more.
        for _ in range(2):
            self._widen(renderer)
        self._place_labels(renderer)
        if self._legend is not None:
            self._place_legend(renderer)

    def _widen(self, renderer: Any) -> None:
        axes: Any = self.axes
        box = axes.bbox
        low, high = (np.array(corner) for corner in self._overhang(renderer))
        size = np.array([box.width, box.height])
        scale = np.minimum(1, _MOST_FOR_TEXTS * size / np.maximum(low + high, 1e-9))
        low, high = low * scale, high * scale
        start, end = self._limits.T
        per_pixel = (end - start) / (size - low - high)
        whole = np.array([start - low * per_pixel, end + high * per_pixel]).T
        # Limits that do not change would otherwise ask for another drawing, and so on.
        if not np.allclose(whole, self._whole, rtol=1e-9):
            axes.set(xlim=whole[0], ylim=whole[1])
        self._whole = np.array([axes.get_xlim(), axes.get_ylim()])

    def _overhang(self, renderer: Any) -> tuple[list[float], list[float]]:
        """Return the pixels that texts need within the axes: left and below, right and above."""
        axes: Any = self.axes
        area, box = self._area.get_window_extent(renderer), axes.bbox
        figure = axes.figure.bbox.padded(-_EDGE * axes.figure.dpi)
        boxes = [text.get_window_extent(renderer) for text in self._beside if text.get_text()]
        left, right = [area.x0], [area.x1]
        bottom, top = [area.y0], [area.y1]
        if axes.axison:
            across, down = (axis.get_tightbbox(renderer) for axis in (axes.yaxis, axes.xaxis))
            boxes += [label.get_window_extent(renderer) for label in axes.get_xticklabels()]
            left += [across.x0] if across else []
            bottom += [down.y0] if down else []
        left += [text.x0 for text in boxes]
        right += [text.x1 for text in boxes]
        low = [
            area.x0 - min(left) - (box.x0 - figure.x0),
            area.y0 - min(bottom) - (box.y0 - figure.y0),
        ]
        high = [max(right) - area.x1 - (figure.x1 - box.x1), max(top) - area.y1]
        if self._legend is not None:
            legend, gap = self._legend.get_window_extent(renderer), self._gap_of_legend(renderer)
            if self._side == "beside":
                high[0] = max(high[0], legend.width + gap)
            else:
                high[1] = max(high[1], legend.height + gap)
        return [max(0.0, pixels) for pixels in low], [max(0.0, pixels) for pixels in high]

    def _place_labels(self, renderer: Any) -> None:
        """Centre the axis labels on the plot, as far as the figure reaches."""
        axes: Any = self.axes
        area, box = self._area.get_window_extent(renderer), axes.bbox
        figure = axes.figure.bbox.padded(-_EDGE * axes.figure.dpi)
        for label, side in ((axes.xaxis.label, 0), (axes.yaxis.label, 1)):
            half = label.get_window_extent(renderer).size[side] / 2
            middle = (area.min[side] + area.max[side]) / 2
            middle = max(min(middle, figure.max[side] - half), figure.min[side] + half)
            place = (middle - box.min[side]) / box.size[side]
            label.set(**{"xy"[side]: place})

    def _place_legend(self, renderer: Any) -> None:
        axes: Any = self.axes
        area, box = self._area.get_window_extent(renderer), axes.bbox
        figure = axes.figure.bbox.padded(-_EDGE * axes.figure.dpi)
        legend, gap = self._legend.get_window_extent(renderer), self._gap_of_legend(renderer)
        if self._side == "beside":
            x, y = area.x1 + gap, max(area.y1 - legend.height, figure.y0)
        else:
            free = area.width - legend.width
            x, y = area.x0 + (free / 2 if self._side == "center" else free), area.y1 + gap
            # Within the axes, or at their right end if they are too narrow.
            x = max(min(x, box.x1 - legend.width), min(box.x0, box.x1 - legend.width), figure.x0)
        # The gap is between the legend and its anchor.
        place = axes.transAxes.inverted().transform((x - gap, y - gap))
        self._legend.set(loc="lower left", bbox_to_anchor=tuple(place))

    def _gap_of_legend(self, renderer: Any) -> float:
        """Return the pixels between the legend and the plot."""
        size = self._legend.get_texts()[0].get_fontsize()
        return float(renderer.points_to_pixels(self._legend.borderaxespad * size))

    def _clip_lines(self) -> None:
        """End the lines of the grid, and others that cross the axes, where the plot ends."""
        axes: Any = self.axes
        grid = [
            tick.gridline
            for axis in (axes.xaxis, axes.yaxis)
            for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks())
        ]
        for artist in (*grid, *axes.lines, *axes.patches):
            if artist.get_clip_on():
                artist.set_clip_path(self._area)


def _enclose(ax: Any, limits: Any) -> None:
    """Draw the spines around the given limits, also in axes with wider ones."""
    axes = (ax.xaxis, ax.yaxis)
    # Ticks at a spine that moves are new ones.
    looks = [
        [(label.get_rotation(), label.get_parse_math()) for label in axis.get_ticklabels()]
        for axis in axes
    ]
    for names, places, (low, high) in (
        (("left", "right"), limits[0], limits[1]),
        (("bottom", "top"), limits[1], limits[0]),
    ):
        for name, place in zip(names, places, strict=True):
            ax.spines[name].set_position(("data", place))
            ax.spines[name].set_bounds(low, high)
    for axis, before in zip(axes, looks, strict=True):
        for label, (rotation, parse_math) in zip(axis.get_ticklabels(), before, strict=True):
            label.set(rotation=rotation, parse_math=parse_math)
