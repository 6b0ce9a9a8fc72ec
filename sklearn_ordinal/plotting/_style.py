"""What all displays share: axes, names, legends, values in cells and colours.

Matplotlib lays out the figures. Names are wrapped and shortened to a number of characters; no text
is measured.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import count
from textwrap import TextWrapper
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import checks
from sklearn_ordinal._documents import formatting

# Hue angles in CIELAB. Blue and orange differ for all common types of colour blindness.
TOO_LOW, TOO_HIGH = 275.0, 60.0
# Each colour has a contrast ratio of at least 3 with white and with black.
BLUE, LIGHT_BLUE, ORANGE, GREY = "#0072b2", "#2e94cc", "#d55e00", "#767676"
# Between a number and what belongs to it, where no line may break.
NO_BREAK = "\N{NO-BREAK SPACE}"
# Further characters in a line if other texts surround the names.
_MORE = 8
# Options of all legends, with lengths in units of the font size.
_LEGEND_OPTIONS: dict[str, Any] = {
    "columnspacing": 1.2,
    "labelspacing": 0.3,
    "borderpad": 0.2,
    "frameon": False,
    "alignment": "left",
}
# Lines between the cells of a matrix.
GRID = "#cfcfcf"
_LIGHTEST, _DARKEST = 92.0, 32.0
# The contrast ratio that WCAG 2 requires between graphics and their background.
_LEAST_CONTRAST = 3.0
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


def axes_of(ax: Any, width: float, height: float) -> Any:
    """Return rectilinear axes of the user, or the axes of a new figure.

    The size of the new figure is in inches at a font size of ten points, and grows with the user's
    font size.
    """
    import matplotlib.pyplot as plt
    from matplotlib.axes import Axes

    if ax is None:
        scale = default_font_size() / 10
        ax = plt.subplots(figsize=(width * scale, height * scale), layout="constrained")[1]
    if not isinstance(ax, Axes):
        raise ValueError(
            f"ax must be matplotlib axes, got {checks.shown(ax)}: pass one of the axes of a "
            "figure, or None for a new figure."
        )
    if ax.name != "rectilinear":
        raise ValueError(
            f"ax must be rectilinear axes, got {ax.name} axes: create it without projection."
        )
    ax.set_axisbelow(True)
    return ax


def grid_of_axes(
    ax: Any,
    names: Sequence[object],
    side: float,
    *,
    start: str = "",
    end: str = "",
    handles: Sequence[Any],
    key: Sequence[str],
    labels: tuple[str, str],
    around: float = 0.6,
) -> tuple[Any, list[Any]]:
    """Return a frame that replaces axes, and axes in a grid within it, with a legend below them.

    In the titles, the names are between `start` and `end`. In new figures, the axes have sides of
    `side` inches, with `around` inches for labels, at a font size of ten points.
    """
    n_columns = math.ceil(math.sqrt(len(names)))
    n_rows = math.ceil(len(names) / n_columns)
    side = min(side, (8 - around) / n_columns - 0.2)
    size = max(10, int((side if ax is None else 1.3) / 0.085))
    titles = short_names(names, (size, 2 * size), start=start, ends=[end] * len(names))
    height = n_rows * (side + 0.2 + 0.17 * most_lines(titles)) + around + 0.4
    frame = axes_of(ax, max(n_columns * (side + 0.2) + around, 4.4), height)
    spec = frame.get_subplotspec()
    if spec is None:
        raise ValueError("ax must belong to a grid of axes: create it with plt.subplots.")
    frame.axis("off")
    # The last row of the grid is the legend.
    grid = spec.subgridspec(n_rows + 1, n_columns, height_ratios=[1] * n_rows + [0.01])
    axes = []
    for place, title in enumerate(titles):
        panel = frame.figure.add_subplot(grid[place // n_columns, place % n_columns])
        panel.set_title(title, fontsize=default_font_size(), parse_math=False)
        panel.set_axisbelow(True)
        is_left, is_bottom = place % n_columns == 0, place + n_columns >= len(names)
        panel.tick_params(labelleft=is_left, labelbottom=is_bottom)
        panel.set(xlabel=labels[0] if is_bottom else "", ylabel=labels[1] if is_left else "")
        axes.append(panel)
    below = frame.figure.add_subplot(grid[-1, :])
    below.axis("off")
    n_across = max(1, 64 // (longest_line(key) + 6)) if n_columns > 1 else 1
    add_legend(below, handles, key, loc="upper center", ncols=min(n_across, len(key)))
    return frame, axes


class _Wrapper(TextWrapper):
    """Break lines at spaces, and also after underscores, hyphens and slashes."""

    wordsep_re = re.compile(r"([ \n]+|(?<=[_/-])(?=[^ \n_/-]))")


def wrapped(text: str, n_characters: int) -> str:
    """Break each line of a text into lines of at most a number of characters."""
    wrapper = _Wrapper(width=n_characters)
    return "\n".join(wrapper.fill(line) for line in text.split("\n"))


def one_line(name: object) -> str:
    """Return a name on one line, with control characters as `repr` shows them."""
    return formatting.one_spaced(formatting.visible(str(name)))


def default_font_size() -> float:
    """Return the font size in points from the user's rcParams."""
    import matplotlib as mpl

    return float(mpl.rcParams["font.size"])


def name_size(ax: Any) -> tuple[int, int]:
    """Return the largest number of characters in a line of a name, and in a whole name.

    Names have about two lines in new figures, and one line in axes of the user.
    """
    return (28, 50) if ax is None else (24, 24)


def short_names(
    names: Sequence[object], size: tuple[int, int], *, start: str = "", ends: Sequence[str] = ()
) -> list[str]:
    """Return names in lines of limited length, all of them shortened in the same way.

    `size` is the largest number of characters in a line, and in a whole name. The text `start`
    precedes each name, and the texts in `ends` follow the names; these texts are not shortened.
    Names that would become equal are longer, on as many lines.
    """
    full = [one_line(name) for name in names]
    line, most = size
    short = formatting.cut_names(full, most, middle_first=True)
    while len(set(short)) < len(set(full)):
        line, most = line + 2 * line // most, most + 2
        short = formatting.cut_names(full, most, middle_first=True)
    line += _MORE if ends else 0
    texts = []
    for name, cut_name, end in zip(full, short, ends or [""] * len(full), strict=True):
        texts.append(wrapped(f"{start}{cut_name}{end}", line))
        formatting.record_name(texts[-1], f"{start}{name}{end}")
    return texts


def name_step(n_names: int, most: int = 40) -> int:
    """Return 1, 2, 5, 10, ...: the distance of the named classes if at most some are named."""
    steps: Iterator[int] = (digit * 10**power for power in count() for digit in (1, 2, 5))
    return next(step for step in steps if n_names <= step * most)


def longest_line(texts: Sequence[str]) -> int:
    """Return the number of characters in the longest line of any text."""
    return max((len(line) for text in texts for line in text.split("\n")), default=0)


def most_lines(texts: Sequence[str]) -> int:
    """Return the largest number of lines of any text."""
    return max((text.count("\n") + 1 for text in texts), default=0)


def add_legend(ax: Any, handles: Sequence[Any], texts: Sequence[str], **options: Any) -> Any:
    """Add a legend outside axes, and return it."""
    legend = ax.legend(handles, texts, **{**_LEGEND_OPTIONS, **options})
    for text in (legend.get_title(), *legend.get_texts()):
        text.set_parse_math(False)
    return legend


def line_color() -> Any:
    """Return the user's text colour, which is visible on the background of every style.

    In some styles, the edges of axes have the same colour as the background.
    """
    import matplotlib as mpl

    return mpl.rcParams["text.color"]


def shades(intensity: ArrayLike, hue: ArrayLike, saturation: ArrayLike) -> NDArray[np.float64]:
    """Return sRGB colours, darker for a higher intensity in [0, 1].

    Colours of equal intensity are equally dark, whatever their hue (an angle in CIELAB) and
    saturation (in [0, 1]), so intensities remain readable in greyscale.
    """
    intensity, hue, saturation = np.broadcast_arrays(intensity, hue, saturation)
    lightness = _LIGHTEST + (_DARKEST - _LIGHTEST) * intensity
    # The largest chroma that sRGB has for both hues at this lightness.
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


def curve_colors(n_curves: int, background: ArrayLike) -> NDArray[np.float64]:
    """Return sRGB colours in the order of a scale, all visible on an sRGB background.

    The lightness increases from each colour to the next.
    """
    import matplotlib as mpl

    colors = mpl.colormaps["plasma"](np.linspace(0, 1, 256))[:, :3]
    luminance = _luminance(colors), _luminance(np.asarray(background, dtype=np.float64))
    contrast = (np.maximum(*luminance) + 0.05) / (np.minimum(*luminance) + 0.05)
    visible = colors[contrast >= _LEAST_CONTRAST]
    spread: NDArray[np.float64] = visible[
        np.linspace(0, len(visible) - 1, n_curves).round().astype(int)
    ]
    return spread


def text_colors(background: NDArray[np.float64]) -> NDArray[np.str_]:
    """Return black or white, whichever contrasts more with each sRGB colour (WCAG 2)."""
    # At this luminance, both black and white have a contrast ratio of sqrt(21) = 4.58.
    is_light = _luminance(background) > np.sqrt(1.05 * 0.05) - 0.05
    return np.where(is_light, "black", "white")


def _luminance(colors: NDArray[np.float64]) -> NDArray[np.float64]:
    linear = np.where(colors <= 0.04045, colors / 12.92, ((colors + 0.055) / 1.055) ** 2.4)
    luminance: NDArray[np.float64] = linear @ np.array([0.2126, 0.7152, 0.0722])
    return luminance
