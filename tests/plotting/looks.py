"""Measurements of the appearance of plots."""

import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.text import Text

LONG_NAMES = [
    "extremely dissatisfied with the service",
    "very dissatisfied with the service",
    "moderately dissatisfied with the service",
    "slightly dissatisfied with the service",
    "rather dissatisfied than satisfied",
    "neither satisfied nor dissatisfied",
    "rather satisfied than dissatisfied",
    "slightly satisfied with the service",
    "moderately satisfied with the service",
    "very satisfied with the service",
    "extremely satisfied with the service",
    "enthusiastic, would recommend it to everyone",
]


def draw(display):
    """Lay out the figure and return all of its visible texts."""
    figure = display.figure_
    # Also of a subfigure.
    figure.canvas.figure.draw_without_rendering()
    outside_the_axes = {
        tick.label1
        for outer in figure.axes
        for ax in (outer, *outer.child_axes)
        for axis in (ax.xaxis, ax.yaxis)
        for tick in axis.get_major_ticks()
        if not min(axis.get_view_interval()) <= tick.get_loc() <= max(axis.get_view_interval())
    }
    texts = [text for text in figure.findobj(Text) if text not in outside_the_axes]
    return [text for text in texts if text.get_visible() and text.get_window_extent().width]


def row_names(display):
    """Return the names at the vertical axis, unwrapped."""
    return [label.get_text().replace("\n", " ") for label in display.ax_.get_yticklabels()]


def overlapping(artists):
    """Return the pairs of artists whose boxes overlap by more than half a pixel."""
    boxes = np.array([artist.get_window_extent().extents for artist in artists])
    low, high = boxes[:, :2] + 0.25, boxes[:, 2:] - 0.25
    meet = ((low[:, None] < high) & (low < high[:, None])).all(axis=-1)
    return [(artists[a], artists[b]) for a, b in np.argwhere(np.triu(meet, 1))]


def luminance(color):
    """Return the relative luminance of sRGB colours as defined by WCAG 2.2."""
    rgb = np.array(to_rgb(color)) if isinstance(color, str) else np.asarray(color)
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def contrast(color, background):
    """Return the contrast ratio of two colours as defined by WCAG 2.2."""
    lighter, darker = sorted([luminance(color), luminance(background)], reverse=True)
    return (lighter + 0.05) / (darker + 0.05)
