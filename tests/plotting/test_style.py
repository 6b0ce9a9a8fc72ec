"""Behaviour and style common to all plots."""

import pickle
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D

from sklearn_ordinal.groups._sample_sizes import RequiredSamplesDisplay
from sklearn_ordinal.inference import Interval, PairedDifference
from sklearn_ordinal.plotting import (
    ComparisonDisplay,
    CoverageCurveDisplay,
    CriticalDifferenceDisplay,
    ErrorDistributionDisplay,
    FoldScoresDisplay,
    IntervalsDisplay,
    OrdinalConfusionMatrixDisplay,
    OrdinalDetCurveDisplay,
    OrdinalPrecisionRecallDisplay,
    OrdinalRocCurveDisplay,
    ThresholdCalibrationDisplay,
    ThresholdTuningDisplay,
)
from sklearn_ordinal.plotting._style import (
    BLUE,
    GREY,
    LIGHT_BLUE,
    TOO_HIGH,
    TOO_LOW,
    shades,
    short_names,
    text_colors,
)
from sklearn_ordinal.prediction_sets._prediction_set_report import PredictionSetsDisplay
from tests.plotting.looks import contrast, draw, luminance, overlapping

INTERVALS = {"forest": Interval(0.75, 0.69, 0.81, 0.95), "majority": Interval(0.5, 0.4, 0.6, 0.95)}
DIFFERENCES = {
    name: PairedDifference(x.estimate, x.low, x.high, 0.95) for name, x in INTERVALS.items()
}
RANKS = {"forest": 1.5, "ridge": 1.5, "majority": 3.0}
OPTIONS_OF_RANKS = {
    "n_data_sets": 20,
    "groups": [["forest", "ridge"]],
    "critical_difference": 0.74,
}
SCORED = [0, 0, 1, 1, 2, 2], [0.1, 0.3, 0.2, 0.5, 0.4, 0.9]
EVERY_PLOT = pytest.mark.parametrize(
    "draw_it",
    [
        lambda: OrdinalConfusionMatrixDisplay.from_predictions([0, 1, 2], [0, 1, 1]),
        lambda: ErrorDistributionDisplay.from_predictions([0, 1, 2], [0, 1, 1]),
        lambda: FoldScoresDisplay(
            {name: [0.4, 0.8] for name in INTERVALS}, INTERVALS, baselines=["majority"]
        ).plot(),
        lambda: ComparisonDisplay(
            DIFFERENCES,
            adjusted_pvalues=dict.fromkeys(DIFFERENCES, 1),
            criterion="cem_ord",
            reference="majority",
            rope=0.01,
        ).plot(),
        lambda: IntervalsDisplay(["forest"], {"a": [[0.5], [0.4], [0.6]]}, label="c").plot(),
        lambda: RequiredSamplesDisplay(
            [9, 30, 90], [0.1, 0.4, 0.9], required=(70, 0.8), criterion="c"
        ).plot(),
        lambda: PredictionSetsDisplay(
            list(INTERVALS.values()), [1, 2], target_names=["low", "high"], nominal=0.9
        ).plot(),
        lambda: CriticalDifferenceDisplay(RANKS, **OPTIONS_OF_RANKS).plot(),
        lambda: OrdinalRocCurveDisplay.from_predictions(*SCORED),
        lambda: OrdinalPrecisionRecallDisplay.from_predictions(*SCORED),
        lambda: OrdinalDetCurveDisplay.from_predictions(*SCORED),
        lambda: CoverageCurveDisplay.from_predictions(*SCORED),
        lambda: ThresholdCalibrationDisplay.from_predictions(
            [0, 1, 2], np.full((3, 3), 1 / 3), n_resamples=3, random_state=0
        ),
        lambda: ThresholdTuningDisplay(
            [[0, 1], [1, 2]], [[0.5, 0.4], [0.3, 0.5]], [0, 2], cv_thresholds=[[0, 1], [0, 2]]
        ).plot(),
    ],
    ids=[
        *("confusion", "errors", "folds", "comparison", "intervals", "required"),
        "sets",
        "ranks",
        *("roc", "precision-recall", "det", "coverage", "calibration", "tuning"),
    ],
)


@EVERY_PLOT
def test_without_matplotlib_the_error_says_what_to_install(draw_it, monkeypatch):
    loaded = [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]
    for name in loaded:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=r'plot needs matplotlib: pip install "sklearn_ordinal\['):
        draw_it()


@EVERY_PLOT
def test_a_drawn_display_can_be_pickled(draw_it):
    copy = pickle.loads(pickle.dumps(draw_it()))
    assert copy.ax_.figure is copy.figure_


@EVERY_PLOT
@pytest.mark.parametrize(
    ("ax", "message"),
    [
        ([], r"ax must be matplotlib axes, got \[\]: pass one of the axes of a figure, or None"),
        ("polar", "ax must be rectilinear axes, got polar axes: create it without projection"),
    ],
)
def test_invalid_axes_raise(draw_it, ax, message):
    if ax == "polar":
        ax = plt.figure().add_subplot(projection="polar")
    with pytest.raises(ValueError, match=message):
        draw_it().plot(ax)


def compared(**options):
    options = {"criterion": "c", "reference": "b", "adjusted_pvalues": {"forest": 0.5}} | options
    return ComparisonDisplay({"forest": DIFFERENCES["forest"]}, **options)


def folds(scores, intervals=INTERVALS, **options):
    return FoldScoresDisplay(scores, intervals, **options)


FORMATTED = OrdinalConfusionMatrixDisplay.from_predictions


@pytest.mark.parametrize(
    ("draw_it", "message"),
    [
        (lambda: FORMATTED([0, 1], [0, 1], values_format=2), "values_format must be a format spec"),
        (lambda: FORMATTED([0, 1], [0, 1], values_format="!"), "values_format must .*, got .!.: "),
        (lambda: compared(rope=-1), "rope must be"),
        (
            lambda: folds({"a": [1]}, {"a": INTERVALS["forest"]}, baselines="a"),
            "baselines must be a list of names, got 'a': put",
        ),
        (
            lambda: folds({"a": [1]}, {"a": INTERVALS["forest"]}, baselines=3),
            "baselines must be a list of names, got 3: put",
        ),
        (lambda: compared(adjusted_pvalues=[0.5]), "adjusted_pvalues must be a dict with names as"),
        (
            lambda: ComparisonDisplay(
                {"a": 0.5}, adjusted_pvalues={"a": 1}, criterion="c", reference="b"
            ),
            "differences must be intervals with the attributes estimate, low, high",
        ),
        (lambda: folds([0.5], {}), "scores must be a dict with names as keys, got a list"),
        (lambda: folds({"a": [0.5]}), "scores and intervals must have the same names"),
        (lambda: folds(INTERVALS, score_name=None), "score_name must be a string, got None"),
        (lambda: folds({name: [[0.5]] for name in INTERVALS}), "scores must be one-dimensional"),
        (
            lambda: CriticalDifferenceDisplay({"a": 1, "b": 5}, n_data_sets=3),
            "average_ranks must be numbers from 1 to the number of systems, got 5 for 'b'",
        ),
        (
            lambda: CriticalDifferenceDisplay(RANKS, n_data_sets=3, critical_difference=-1),
            "critical_difference must be a positive number or None, got -1",
        ),
    ],
)
def test_invalid_arguments_raise(draw_it, message):
    with pytest.raises(ValueError, match=message):
        draw_it()


def test_any_object_with_the_attributes_of_an_interval_can_be_drawn():
    interval = SimpleNamespace(estimate=0.5, low=0.4, high=0.6, confidence_level=0.8)
    folds = FoldScoresDisplay({"a": [0.4, 0.6]}, {"a": interval}).plot()
    assert folds.text_[0].get_text() == "0.500 [0.400, 0.600]"
    comparison = ComparisonDisplay(
        {"a": interval}, adjusted_pvalues={"a": 0.5}, criterion="cem_ord", reference="b"
    ).plot()
    for display in (folds, comparison):
        assert display.lines_[0].get_xdata().tolist() == [0.4, 0.6]
        assert "80% interval" in display.ax_.get_legend().get_texts()[-1].get_text()


def cut_off(artists, figure):
    """Return the artists that reach beyond the figure."""
    whole = figure.bbox.padded(0.5)
    return [
        artist
        for artist in artists
        for box in [artist.get_window_extent()]
        if not (whole.contains(box.x0, box.y0) and whole.contains(box.x1, box.y1))
    ]


@EVERY_PLOT
def test_figures_grow_with_the_font_size(draw_it):
    size = 18
    with plt.style.context({"font.size": size}):
        display = draw_it()
        seen = draw(display)
    assert overlapping(seen) == []
    assert cut_off(seen, display.figure_) == []
    sizes = [text.get_fontsize() for text in seen]
    assert sizes == pytest.approx([size] * len(seen), rel=0.1)
    assert display.ax_.get_window_extent().width > 0.3 * display.figure_.bbox.width


@EVERY_PLOT
def test_the_grid_of_a_style_is_not_drawn_across_rows_and_cells(draw_it):
    with plt.style.context({"axes.grid": True, "axes.grid.which": "both"}):
        ax = draw_it().ax_
    ax.figure.canvas.draw()
    assert ax.get_axisbelow() is True or not ax.axison or ax.images
    lines = [tick.gridline.get_visible() for tick in ax.yaxis.get_major_ticks()]
    assert not ax.axison or not any(lines)
    if ax.images:
        assert not any(tick.gridline.get_visible() for tick in ax.xaxis.get_major_ticks())


@EVERY_PLOT
def test_markers_are_visible_in_styles_without_marker_edges(draw_it):
    with plt.style.context("seaborn-v0_8"):
        lines = draw_it().figure_.findobj(Line2D)
        marks = [line for line in lines if line.get_marker() in ("|", "o", "D")]
    assert all(mark.get_markeredgewidth() > 0 for mark in marks)


@pytest.mark.parametrize("style", ["default", "dark_background", "ggplot", "seaborn-v0_8"])
def test_lines_are_visible_in_every_style(style):
    with plt.style.context(style):
        ranks = CriticalDifferenceDisplay(RANKS, **OPTIONS_OF_RANKS).plot()
        errors = ErrorDistributionDisplay.from_predictions([0, 1, 2], [0, 1, 1])
    for line in (*ranks.lines_, ranks.critical_difference_, errors.ax_.lines[0]):
        assert contrast(to_rgb(line.get_color()), to_rgb(line.figure.get_facecolor())) >= 4.5
        assert contrast(to_rgb(line.get_color()), to_rgb(line.axes.get_facecolor())) >= 4.5


def test_baselines_are_hollow_on_a_dark_background():
    with plt.style.context("dark_background"):
        interval = Interval(0.5, 0.4, 0.6, 0.95)
        display = FoldScoresDisplay({"a": [0.5]}, {"a": interval}, baselines=["a"]).plot()
    lines = display.figure_.findobj(Line2D)
    marks = [line for line in lines if line.get_marker() in ("o", "D")]
    # Two markers in the plot and three in its legend.
    assert len(marks) == 2 + 3
    assert {to_rgb(mark.get_markerfacecolor()) for mark in marks} == {(0, 0, 0)}


def test_marker_colours_contrast_with_white_and_black():
    for color in (BLUE, LIGHT_BLUE, GREY):
        assert min(contrast(color, "white"), contrast(color, "black")) >= 3


# G. M. Machado, M. M. Oliveira and L. A. F. Fernandes (2009), "A physiologically-based model
# for simulation of color vision deficiency", IEEE Transactions on Visualization and Computer
# Graphics 15(6), 1291-1298: severity 1.0, for linear RGB.
AS_SEEN_WITH = {
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
}


def cielab(linear):
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = np.cbrt(xyz @ linear / xyz.sum(axis=1))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("deficiency", AS_SEEN_WITH)
@pytest.mark.parametrize("intensity", [0.25, 0.5, 0.75, 1])
def test_too_low_correct_and_too_high_are_distinct_for_colour_blind_readers(deficiency, intensity):
    colors = shades(intensity, np.array([TOO_LOW, 0, TOO_HIGH]), np.array([1, 0, 1]))
    linear = np.where(colors <= 0.04045, colors / 12.92, ((colors + 0.055) / 1.055) ** 2.4)
    low, right, high = (
        cielab(np.clip(np.array(AS_SEEN_WITH[deficiency]) @ color, 0, 1)) for color in linear
    )
    # A difference of 2.3 is just noticeable.
    assert min(np.linalg.norm(low - right), np.linalg.norm(high - right)) > 10
    assert np.linalg.norm(low - high) > 30


def test_colours_match_cielab():
    # By CIE 15, the grey with L* = 50 is 118.9 of 255 in sRGB.
    intensity = (92 - 50) / (92 - 32)
    assert 255 * shades(intensity, 0, 0) == pytest.approx([118.9] * 3, abs=0.2)


@pytest.mark.parametrize("hue", [TOO_LOW, TOO_HIGH])
@pytest.mark.parametrize("saturation", [0, 0.5, 1])
def test_lightness_decreases_linearly_with_intensity_within_the_gamut(hue, saturation):
    intensity = np.linspace(0, 1, 61)
    lightness = 116 * np.cbrt(luminance(shades(intensity, hue, saturation))) - 16
    assert lightness == pytest.approx(92 - 60 * intensity, abs=0.05)


def test_text_has_a_contrast_of_at_least_4_5_on_every_colour():
    colors = np.random.default_rng(0).random((2000, 3))
    inks = text_colors(colors)
    assert min(map(contrast, inks.tolist(), colors)) >= 4.5
    assert set(inks.tolist()) == {"black", "white"}


def test_names_wrap_between_words_and_after_underscores():
    names = ["neither satisfied nor dissatisfied", "", "share_of_all_answers_of_customers", "a-b"]
    assert short_names(names, (28, 50)) == [
        "neither satisfied nor\ndissatisfied",
        "",
        "share_of_all_answers_of_\ncustomers",
        "a-b",
    ]


def test_shortened_names_remain_distinct():
    names = [f"gradient boosting with {n} trees" for n in (1001, 1002, 2001)]
    assert short_names(names, (20, 20)) == [f"…ing with {n} trees" for n in (1001, 1002, 2001)]
    # Distinct names are more important than their length.
    names = [f"clinic number {n} of the northern district authority" for n in (1, 10, 11)]
    expected = ["clinic number 1 o…", "clinic number 10…", "clinic number 11…"]
    assert short_names(names, (10, 10)) == expected
    assert short_names([3, "a\nb"], (28, 50), start="above '", ends=["'", "': 1"]) == [
        "above '3'",
        r"above 'a\nb': 1",
    ]
