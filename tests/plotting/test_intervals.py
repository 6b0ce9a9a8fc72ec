"""The plot of estimates with intervals, and the layout of all plots with rows."""

import math

import pytest
from matplotlib import pyplot as plt
from matplotlib.lines import Line2D

from sklearn_ordinal.plotting import IntervalsDisplay
from tests.plotting.looks import LONG_NAMES, draw, overlapping, row_names

NAN = math.nan
NAMES = ["cem_ord", "accuracy", "constant", "bracket"]
COVERAGE = [[0.89, 0.81, NAN, NAN], [0.87, NAN, NAN, 0.4], [0.91, NAN, NAN, 0.6]]
OTHERS = [[0.5] * 4, [0.4] * 4, [0.6] * 4]


def intervals(estimates=None, **options):
    estimates = {"coverage, 95% interval": COVERAGE} if estimates is None else estimates
    return IntervalsDisplay(NAMES, estimates, **{"label": "Spearman", **options})


def legend(display):
    return [text.get_text() for text in display.ax_.get_legend().get_texts()]


def test_rows_have_a_mark_an_interval_and_numbers_in_the_given_order():
    display = intervals().plot()
    assert row_names(display) == NAMES
    assert display.ax_.yaxis_inverted()
    assert display.ax_.get_xlabel() == "Spearman"
    assert legend(display) == ["coverage, 95% interval"]
    assert display.estimates_[0].get_xydata().tolist() == [[0.89, 0]]
    assert display.lines_[0].get_xydata().tolist() == [[0.87, 0], [0.91, 0]]
    texts = [text.get_text() for text in display.text_]
    assert texts == ["0.890 [0.870, 0.910]", "0.810", "undefined", "0.400 to 0.600"]
    assert [text.get_position()[1] for text in display.text_] == [0, 1, 2, 3]


def test_two_kinds_of_estimates_differ_in_shape_color_and_height():
    display = intervals({"one": OTHERS, "two": COVERAGE}).plot()
    first, second = display.estimates_[0], display.estimates_[4]
    assert first.get_color() != second.get_color()
    assert first.get_marker() != second.get_marker()
    assert -0.5 < first.get_ydata()[0] < second.get_ydata()[0] < 0.5
    assert [text.get_text() for text in display.text_][1:3] == ["0.500 0.810", "0.500 undefined"]
    assert legend(display) == ["one", "two"]


def test_hollow_rows_are_grey_and_the_legend_shows_another_row():
    display = intervals(is_hollow=[True, False, True, True]).plot()
    background = display.ax_.get_facecolor()
    is_hollow = [mark.get_markerfacecolor() == background for mark in display.estimates_]
    assert is_hollow == [True, False, True, True]
    marks = display.ax_.get_legend().findobj(Line2D)
    assert {mark.get_color() for mark in marks} == {display.lines_[1].get_color()}


def test_a_band_is_shaded_and_in_the_legend():
    display = intervals(band=(0.7, 0.9), band_name="ceiling").plot()
    ends = display.band_.get_extents().transformed(display.ax_.transData.inverted()).intervalx
    assert ends == pytest.approx((0.7, 0.9))
    assert legend(display) == ["coverage, 95% interval", "ceiling"]
    assert intervals(band=(0.7, NAN)).plot().band_ is None


def test_without_texts_there_are_none_beside_the_rows_and_no_legend():
    display = intervals({"": COVERAGE}, beside=[""] * 4).plot()
    assert display.text_ == []
    assert display.ax_.get_legend() is None
    assert intervals().plot(legend=False).ax_.get_legend() is None


@pytest.mark.parametrize("font_size", [6, 18])
@pytest.mark.parametrize("names", [["a", "$1$ or $2$"], 3 * LONG_NAMES], ids=["short", "long"])
def test_a_new_figure_has_room_for_its_rows(names, font_size):
    columns = [[0.5] * len(names), [0.4] * len(names), [0.6] * len(names)]
    with plt.style.context({"font.size": font_size}):
        display = IntervalsDisplay(
            names, {"one": columns}, label="a\nb", band=(0, 1), band_name="ceiling"
        ).plot()
        assert overlapping(draw(display)) == []
    assert [name.replace("-", "") for name in row_names(display)] == names
    assert display.figure_.get_size_inches()[0] <= 8 * font_size / 10


def test_plots_side_by_side_do_not_overlap():
    figure, axes = plt.subplots(1, 2, figsize=(9, 4.5), layout="constrained")
    columns = [[0.5] * 12, [0.4] * 12, [0.6] * 12]
    for ax in axes:
        display = IntervalsDisplay(LONG_NAMES, {"one": columns}, label="a").plot(ax)
        ax.set_title("title")
    assert display.ax_ is ax
    assert display.figure_ is figure
    assert overlapping(draw(display)) == []
    assert figure.axes == [*axes]
