"""Helpers shared by the displays: the matplotlib import, colours, layout and text sizes."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import OrdinalConfusion, amount_as_text

# Hue angles in CIELAB. Blue and orange differ for all common types of colour blindness.
TOO_LOW, TOO_HIGH = 275.0, 60.0
# Each has a contrast ratio of at least 3 with white and with black.
BLUE, LIGHT_BLUE, GREY = "#0072b2", "#2e94cc", "#767676"
# Maximum number of characters in a line of a wrapped name.
LINE_LENGTH = 24
_LIGHTEST, _DARKEST = 92.0, 32.0
_WHITE_POINT = np.array([0.95047, 1.0, 1.08883])
_RGB_OF_XYZ = np.array(
    [
        [3.2404542, -1.5371385, -0.4985314],
        [-0.9692660, 1.8760108, 0.0415560],
        [0.0556434, -0.2040259, 1.0572252],
    ]
)


def require_matplotlib(display: object) -> None:
    """Raise an error that says what to install if matplotlib is missing."""
    try:
        import matplotlib.pyplot  # noqa: F401
    except ImportError as error:
        raise ImportError(
            f'{type(display).__name__}.plot needs matplotlib: pip install "sklearn_ordinal[plot]".'
        ) from error


def new_axes(width: float, height: float) -> Any:
    """Return the axes of a new figure of the given size in inches."""
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(width, height), layout="constrained")[1]


def new_axes_for_rows(
    names: Sequence[str],
    *,
    row_height: float,
    beside: Sequence[str],
    below: str,
    key: Sequence[str],
) -> Any:
    """Return new axes for rows, with texts on both sides, an axis label and a legend.

    The height of a row is in inches, at a font size of ten points.
    """
    scale = font_scale()
    name_width, name_height = text_size(wrapped(names))
    across = 5 * scale
    rows = len(names) * max(row_height * scale, 1.25 * name_height)
    key_rows = -(-len(key) // _n_columns(key, across)) if key else 0
    return new_axes(
        name_width + across + text_size(beside)[0] + 0.5 * scale,
        rows + text_size([below])[1] + (0.5 + 0.25 * key_rows) * scale,
    )


def size_in_inches(ax: Any) -> tuple[float, float]:
    """Return the current width and height of axes in inches."""
    box = ax.get_window_extent()
    return box.width / ax.figure.dpi, box.height / ax.figure.dpi


def settle(ax: Any) -> None:
    """Run the layout engine of the figure, if any, so that the axes have their final size."""
    figure = ax.figure.canvas.figure
    if figure.get_layout_engine() is not None:
        figure.draw_without_rendering()


def shrink(texts: Iterable[Any], width: float, height: float) -> None:
    """Reduce the font size of all texts equally until each fits a width and height in inches."""
    texts = list(texts)
    boxes = [text.get_window_extent() for text in texts]
    widest, highest = (max((box.size[side] for box in boxes), default=0) for side in (0, 1))
    for text in texts:
        dpi = text.figure.dpi
        scale = min(1.0, width * dpi / max(widest, 1e-9), height * dpi / max(highest, 1e-9))
        text.set_fontsize(scale * text.get_fontsize())


def default_font_size() -> float:
    """Return the font size in points from the user's rcParams."""
    import matplotlib as mpl

    return float(mpl.rcParams["font.size"])


def font_scale() -> float:
    """Return the user's font size relative to matplotlib's default of ten points."""
    return default_font_size() / 10


def line_color() -> Any:
    """Return the user's text colour, which is visible on the background of every style.

    In some styles, the edges of axes have the same colour as the background.
    """
    import matplotlib as mpl

    return mpl.rcParams["text.color"]


def name_rows(ax: Any, names: Sequence[str]) -> None:
    """Label the rows of a plot, with the first name at the top."""
    ax.set_yticks(range(len(names)), wrapped(names), parse_math=False)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
    ax.grid(visible=False, axis="y")
    ax.set_axisbelow(True)
    ax.spines[["top", "right", "left"]].set_visible(False)


def fit_rows(ax: Any, texts: Iterable[Any]) -> None:
    """Shrink the names of rows, and the given texts, until they fit into the rows."""
    settle(ax)
    n_rows = len(ax.get_yticklabels())
    row_height = size_in_inches(ax)[1] / n_rows
    shrink(ax.get_yticklabels(), np.inf, 0.95 * row_height)
    shrink(texts, np.inf, 0.95 * row_height)


def write_beside(ax: Any, texts: Sequence[str]) -> list[Any]:
    """Write a text to the right of each row."""
    return [
        ax.annotate(
            text,
            (1, row),
            xycoords=ax.get_yaxis_transform(),
            xytext=(8, 0),
            textcoords="offset points",
            va="center",
            annotation_clip=False,
        )
        for row, text in enumerate(texts)
    ]


def legend_above(ax: Any, handles: Sequence[Any], labels: Sequence[str]) -> None:
    """Add a legend above the axes, in as few rows as possible."""
    settle(ax)
    ax.legend(
        handles,
        labels,
        loc="lower center",
        bbox_to_anchor=(0.5, 1),
        ncols=_n_columns(labels, size_in_inches(ax)[0]),
        frameon=False,
        handlelength=1.2,
        columnspacing=1.2,
    )


def _n_columns(labels: Sequence[str], width: float) -> int:
    """Return the number of columns for which a legend fits a width in inches."""
    # Each column also has a handle and two gaps.
    widths = [text_size([label])[0] + 3.2 * default_font_size() / 72 for label in labels]
    for n_rows in range(1, len(labels)):
        n_columns = -(-len(labels) // n_rows)
        if sum(max(column) for column in np.array_split(widths, n_columns)) <= width:
            return n_columns
    return 1


def note_on_unanswered(confusion: OrdinalConfusion) -> list[str]:
    """Return a line about samples that are not in the plot, if there are any."""
    if confusion.unanswered is None or not confusion.unanswered.any():
        return []
    return [f"Left out: {amount_as_text(confusion.unanswered.sum().item())} without a prediction"]


def shades(intensity: ArrayLike, hue: ArrayLike, saturation: ArrayLike) -> NDArray[np.float64]:
    """Return sRGB colours, darker for a higher intensity in [0, 1].

    Colours of equal intensity are equally dark for every hue (an angle in CIELAB) and
    saturation in [0, 1], so intensities remain readable in greyscale.
    """
    intensity, hue, saturation = np.broadcast_arrays(intensity, hue, saturation)
    lightness = _LIGHTEST + (_DARKEST - _LIGHTEST) * intensity
    # The largest chroma of both hues within sRGB at that lightness.
    chroma = saturation * np.minimum(1.25 * (100 - lightness), 0.97 * lightness)
    angle = np.radians(hue)
    y = (lightness + 16) / 116
    f = np.stack([y + chroma * np.cos(angle) / 500, y, y - chroma * np.sin(angle) / 200], axis=-1)
    xyz = _WHITE_POINT * np.where(f > 6 / 29, f**3, 3 * (6 / 29) ** 2 * (f - 4 / 29))
    linear = np.clip(xyz @ _RGB_OF_XYZ.T, 0, 1)
    srgb: NDArray[np.float64] = np.where(
        linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055
    )
    return srgb


def text_colors(background: NDArray[np.float64]) -> NDArray[np.str_]:
    """Return black or white, whichever contrasts more with each sRGB colour (WCAG 2)."""
    linear = np.where(
        background <= 0.04045, background / 12.92, ((background + 0.055) / 1.055) ** 2.4
    )
    luminance = linear @ np.array([0.2126, 0.7152, 0.0722])
    # At this luminance both have a contrast ratio of sqrt(21) = 4.58.
    return np.where(luminance > np.sqrt(1.05 * 0.05) - 0.05, "black", "white")


def wrapped(names: Iterable[str], width: int = LINE_LENGTH) -> list[str]:
    """Break long names into lines."""
    return ["\n".join(textwrap.wrap(name, width, break_long_words=False)) for name in names]


def text_size(texts: Sequence[str], **properties: Any) -> tuple[float, float]:
    """Return the largest width and the largest height of texts in inches."""
    from matplotlib.figure import Figure

    figure = Figure(dpi=72)
    boxes = [
        figure.text(0, 0, text, parse_math=False, **properties).get_window_extent()
        for text in texts
    ]
    widths, heights = [box.width / 72 for box in boxes], [box.height / 72 for box in boxes]
    return max(widths, default=0.0), max(heights, default=0.0)
