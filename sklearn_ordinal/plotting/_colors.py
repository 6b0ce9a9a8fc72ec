"""The import of matplotlib, the options of legends, and the colours of all displays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

# Hue angles in CIELAB. Blue and orange differ for all common types of colour blindness.
TOO_LOW, TOO_HIGH = 275.0, 60.0
# Each colour has a contrast ratio of at least 3 with white and with black.
BLUE, LIGHT_BLUE, ORANGE, GREY = "#0072b2", "#2e94cc", "#d55e00", "#767676"
# Options of all legends, with lengths in units of the font size.
LEGEND_OPTIONS: dict[str, Any] = {
    "columnspacing": 1.2,
    "labelspacing": 0.3,
    "borderpad": 0.2,
    "borderaxespad": 0.3,
    "frameon": False,
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
