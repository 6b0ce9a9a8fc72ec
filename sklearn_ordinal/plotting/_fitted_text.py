"""A text that fits its place: the only text that plots measure, while it is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.text import Text

# The share of its place that a text takes at most.
_FILLED = 0.98
_MOST_PASSES = 4


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
