"""The plot of estimates of metrics."""

import math

import pytest
from matplotlib import pyplot as plt

from sklearn_ordinal.inference import Interval
from sklearn_ordinal.plotting import MetricEstimatesDisplay
from tests.plotting.looks import LONG_NAMES, cut_off, draw, overlapping, row_names

COVERAGE = {
    "cem_ord": Interval(0.89, 0.87, 0.91, 0.95),
    "accuracy": Interval(0.81, math.nan, math.nan, 0.95),
    "constant": Interval(math.nan, math.nan, math.nan, 0.95),
}
OTHERS = {name: Interval(0.5, 0.4, 0.6, 0.95) for name in COVERAGE}


def test_rows_have_a_mark_and_an_interval_in_the_given_order():
    display = MetricEstimatesDisplay({"coverage, 95% interval": COVERAGE}, label="Spearman").plot()
    assert row_names(display) == list(COVERAGE)
    assert display.ax_.yaxis_inverted()
    assert display.ax_.get_xlabel() == "Spearman"
    (entry,) = display.ax_.get_legend().get_texts()
    assert entry.get_text() == "coverage, 95% interval"
    assert display.estimates_[0].get_xdata() == [0.89]
    assert display.lines_[0].get_xdata().tolist() == [0.87, 0.91]
    texts = [text.get_text() for text in display.text_]
    assert texts == ["0.890 [0.870, 0.910]", "0.810", "undefined"]


def test_two_kinds_of_estimates_differ_in_shape_color_and_height():
    display = MetricEstimatesDisplay({"one": OTHERS, "two": COVERAGE}, label="Kendall").plot()
    first, second = display.estimates_[:2]
    assert first.get_color() != second.get_color()
    assert first.get_marker() != second.get_marker()
    assert -0.5 < first.get_ydata()[0] < second.get_ydata()[0] < 0.5
    assert [text.get_text() for text in display.text_] == [
        "0.500 0.890",
        "0.500 0.810",
        "0.500 undefined",
    ]
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == ["one", "two"]


@pytest.mark.parametrize("n_kinds", [1, 2])
def test_many_rows_with_long_names_fit(n_kinds):
    names = [f"{name} {number}" for number in range(3) for name in LONG_NAMES]
    estimates = dict.fromkeys(names, Interval(0.5, 0.4, 0.6, 0.95))
    kinds = dict.fromkeys(["halves of the test cases", "data sets"][:n_kinds], estimates)
    display = MetricEstimatesDisplay(kinds, label="Kendall's tau-b").plot()
    seen = draw(display)
    assert overlapping(seen) == []
    assert cut_off(seen, display.figure_) == []


def test_a_metric_may_have_an_empty_name():
    display = MetricEstimatesDisplay({"coverage": {"": COVERAGE["cem_ord"]}}, label="").plot()
    assert display.text_[0].get_text() == "0.890 [0.870, 0.910]"
    plt.close("all")


def test_the_plot_is_drawn_on_the_given_axes():
    _, ax = plt.subplots()
    display = MetricEstimatesDisplay({"one": OTHERS}, label="").plot(ax, legend=False)
    assert display.ax_ is ax
    assert ax.get_legend() is None


def test_the_ceiling_is_shaded_and_in_the_legend():
    display = MetricEstimatesDisplay({"one": OTHERS}, label="", ceiling=(0.7, 0.9)).plot()
    left, right = (
        display.ceiling_.get_extents().transformed(display.ax_.transData.inverted()).intervalx
    )
    assert (left, right) == pytest.approx((0.7, 0.9))
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert legend == ["one", "ceiling"]
    without = MetricEstimatesDisplay({"one": OTHERS}, label="", ceiling=(0.7, math.nan)).plot()
    assert without.ceiling_ is None
    with pytest.raises(ValueError, match="ceiling must be two numbers in ascending order"):
        MetricEstimatesDisplay({"one": OTHERS}, label="", ceiling=(0.9, 0.7))


@pytest.mark.parametrize(
    ("estimates", "label", "message"),
    [
        ([], "", "estimates must be a dict with names as keys, got a list"),
        ({}, "", "estimates must have one or two kinds of estimates, got 0"),
        (dict.fromkeys("abc", OTHERS), "", "one or two kinds of estimates, got 3"),
        ({"one": [1]}, "", r"estimates\['one'\] must be a dict with names as keys, got a list"),
        ({"one": {"a": 1.0}}, "", r"estimates\['one'\] must be intervals with"),
        ({"one": {}}, "", "estimates must have the same metrics for each kind, at least one"),
        (
            {"one": OTHERS, "two": dict(list(OTHERS.items())[1:])},
            "",
            "must have the same metrics for each kind",
        ),
        ({"one": OTHERS}, 3, "label must be a string, got 3"),
    ],
)
def test_invalid_arguments_raise(estimates, label, message):
    with pytest.raises(ValueError, match=message):
        MetricEstimatesDisplay(estimates, label=label)
