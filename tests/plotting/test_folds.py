"""The plot of fold scores."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.lines import Line2D

from sklearn_ordinal.inference import Interval
from sklearn_ordinal.plotting import FoldScoresDisplay
from sklearn_ordinal.plotting._style import BLUE, GREY, LIGHT_BLUE
from tests.plotting.looks import LONG_NAMES, row_names

SCORES = {
    "forest": [0.7, 0.8, 0.9],
    "majority": [0.5, 0.5, 0.5],
    "stump": [0.4, np.nan, 0.5],
}
INTERVALS = {
    "forest": Interval(0.8, 0.7, 0.9, 0.95),
    "majority": Interval(0.5, 0.5, 0.5, 0.95),
    "stump": Interval(0.45, 0.25, 0.65, 0.95),
}


def synthetic(names, **options):
    rng = np.random.default_rng(0)
    scores = {name: rng.random(10) for name in names}
    intervals = {
        name: Interval(v.mean(), v.mean() - 0.1, v.mean() + 0.1, 0.9) for name, v in scores.items()
    }
    return FoldScoresDisplay(scores, intervals, **options)


def test_rows_have_a_point_for_each_fold_in_the_given_order():
    display = FoldScoresDisplay(SCORES, INTERVALS).plot()
    assert row_names(display) == list(SCORES)
    for points, scores in zip(display.points_, SCORES.values(), strict=True):
        np.testing.assert_array_equal(points.get_xdata(), scores)
    assert display.ax_.yaxis_inverted()


def test_means_and_intervals_are_drawn_and_labelled():
    display = FoldScoresDisplay(SCORES, INTERVALS).plot()
    for row, interval in enumerate(INTERVALS.values()):
        assert display.means_[row].get_xdata() == [interval.estimate]
        assert display.lines_[row].get_xdata().tolist() == [interval.low, interval.high]
    assert display.text_[0].get_text() == "0.800 [0.700, 0.900]"
    assert display.text_[1].get_text() == "0.500 [0.500, 0.500]"


def test_undefined_scores_have_no_point_and_are_counted():
    display = FoldScoresDisplay(SCORES, INTERVALS).plot()
    assert np.isnan(display.points_[2].get_xdata()).tolist() == [False, True, False]
    assert display.text_[2].get_text() == "0.450 [0.250, 0.650], 1 of 3 undefined"


def test_baselines_are_hollow_and_in_the_legend():
    display = FoldScoresDisplay(SCORES, INTERVALS, baselines=["majority"]).plot()
    background = display.ax_.get_facecolor()
    for marks in (display.means_, display.points_):
        hollow = [mark.get_markerfacecolor() == background for mark in marks]
        assert hollow == [False, True, False]
    labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert labels == ["fold", "mean, 95% interval", "baseline"]


def test_without_baselines_the_legend_has_none():
    labels = FoldScoresDisplay(SCORES, INTERVALS).plot().ax_.get_legend().get_texts()
    assert [label.get_text() for label in labels] == ["fold", "mean, 95% interval"]


@pytest.mark.parametrize(
    ("baselines", "colors"),
    [
        ([], [LIGHT_BLUE, BLUE]),
        (["forest"], [LIGHT_BLUE, BLUE, GREY]),
        (["forest", "majority", "stump"], [GREY, GREY, GREY]),
    ],
)
def test_the_legend_shows_the_marks_of_a_model(baselines, colors):
    display = FoldScoresDisplay(SCORES, INTERVALS, baselines=baselines).plot()
    marks = [
        line for line in display.ax_.get_legend().findobj(Line2D) if line.get_marker() in ("o", "D")
    ]
    assert [mark.get_color() for mark in marks] == colors


def test_the_axis_label_is_the_name_of_the_score():
    assert FoldScoresDisplay(SCORES, INTERVALS).plot().ax_.get_xlabel() == "Score"
    named = FoldScoresDisplay(SCORES, INTERVALS, score_name="cem_ord (higher is better)").plot()
    assert named.ax_.get_xlabel() == "cem_ord (higher is better)"


def test_points_and_intervals_do_not_overlap():
    display = synthetic(list("abc")).plot()
    for row in range(3):
        ys = display.points_[row].get_ydata()
        assert row - 0.5 < display.means_[row].get_ydata()[0] < ys.min()
        assert ys.max() < row + 0.5
        assert (np.diff(ys) > 0).all()


def test_the_plot_is_drawn_on_the_given_axes():
    figure, (left, right) = plt.subplots(1, 2, figsize=(15, 6), layout="constrained")
    display = synthetic(LONG_NAMES).plot(right, legend=False)
    assert display.ax_ is right
    assert display.figure_ is figure
    assert right.get_legend() is None
    assert not left.lines
    assert plt.get_fignums() == [figure.number]


def test_mismatched_names_raise():
    interval = Interval(0.5, 0.4, 0.6, 0.95)
    for scores, intervals in [({}, {}), ({"a": [0.5]}, {"b": interval})]:
        with pytest.raises(ValueError, match="must have the same names, and at least one"):
            FoldScoresDisplay(scores, intervals)


def test_masked_scores_are_undefined():
    scores = np.ma.masked_array([0.4, 0.6, 99.0], mask=[False, False, True])
    display = FoldScoresDisplay({"a": scores}, {"a": Interval(0.5, 0.4, 0.6, 0.95)}).plot()
    assert "1 of 3 undefined" in display.text_[0].get_text()
    assert np.nanmax(display.points_[0].get_xdata()) == 0.6
