"""What the pictures share."""

import sys

import numpy as np
import pytest

from sklearn_ordinal.inference import Interval, PairedDifference
from sklearn_ordinal.plotting import (
    ComparisonDisplay,
    CriticalDifferenceDisplay,
    ErrorDistributionDisplay,
    FoldScoresDisplay,
    OrdinalConfusionMatrixDisplay,
)
from sklearn_ordinal.plotting._style import TOO_HIGH, TOO_LOW, shades, text_colors, wrapped
from tests.plotting.looks import contrast, luminance


@pytest.mark.parametrize(
    "draw",
    [
        lambda: OrdinalConfusionMatrixDisplay.from_predictions([0, 1], [0, 1]),
        lambda: ErrorDistributionDisplay.from_predictions([0, 1], [0, 1]),
        lambda: FoldScoresDisplay({"a": [1]}, {"a": Interval(1, 1, 1, 0.95)}).plot(),
        lambda: ComparisonDisplay(
            {"a": PairedDifference(1, 1, 1, 0.95)},
            adjusted_pvalues={"a": 1},
            criterion="cem_ord",
            reference="majority",
        ).plot(),
        lambda: CriticalDifferenceDisplay.from_scores([[1, 2, 3], [1, 3, 2]]),
    ],
)
def test_a_missing_matplotlib_is_an_error_that_says_what_to_install(draw, monkeypatch):
    loaded = [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]
    for name in loaded:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=r'plot needs matplotlib: pip install "sklearn_ordinal\['):
        draw()


def test_colours_are_those_of_cielab():
    # sRGB of L* = 50 without colour, by CIE 15: 118.9 of 255.
    intensity = (92 - 50) / (92 - 32)
    assert 255 * shades(intensity, 0, 0) == pytest.approx([118.9] * 3, abs=0.2)


@pytest.mark.parametrize("hue", [TOO_LOW, TOO_HIGH])
@pytest.mark.parametrize("saturation", [0, 0.5, 1])
def test_lightness_falls_evenly_with_the_intensity_and_no_colour_is_out_of_reach(hue, saturation):
    intensity = np.linspace(0, 1, 61)
    lightness = 116 * np.cbrt(luminance(shades(intensity, hue, saturation))) - 16
    assert lightness == pytest.approx(92 - 60 * intensity, abs=0.05)


def test_text_has_a_contrast_of_at_least_4_5_on_every_colour():
    colors = np.random.default_rng(0).random((2000, 3))
    inks = text_colors(colors)
    assert min(map(contrast, inks.tolist(), colors)) >= 4.5
    assert set(inks.tolist()) == {"black", "white"}


def test_names_wrap_between_words_only():
    assert wrapped(["neither satisfied nor dissatisfied", "", "a" * 40], 12) == [
        "neither\nsatisfied\nnor\ndissatisfied",
        "",
        "a" * 40,
    ]
