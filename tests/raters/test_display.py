"""The plot of raters: severity against agreement."""

import math

import numpy as np
import pytest
from matplotlib import pyplot as plt

from sklearn_ordinal.inference import Interval
from sklearn_ordinal.raters._agreement_report import RatersDisplay
from tests.plotting.looks import LONG_NAMES, draw, overlapping

UNDEFINED = Interval(math.nan, math.nan, math.nan, 0.9)


def raters(names, seed=0, **options):
    rng = np.random.default_rng(seed)
    severity, scores = (
        {name: Interval(x, x - 0.1, x + 0.1, 0.9) for name, x in zip(names, values, strict=True)}
        for values in (rng.normal(0, 0.4, len(names)), rng.uniform(0.3, 0.9, len(names)))
    )
    return RatersDisplay(severity, scores, **{"criterion": "cem_ord"} | options)


def test_points_and_lines_are_estimates_and_intervals():
    severity = {"Ann": Interval(-0.4, -0.6, -0.2, 0.9), "Bob": Interval(0.1, 0.0, 0.2, 0.9)}
    scores = {"Bob": Interval(0.8, 0.7, 0.9, 0.9), "Ann": Interval(0.5, 0.4, 0.6, 0.9)}
    display = RatersDisplay(severity, scores, criterion="cem_ord").plot()
    assert display.points_.get_xydata().tolist() == [[-0.4, 0.5], [0.1, 0.8]]
    across, up = (line.get_xydata()[[0, 1, 3, 4]].tolist() for line in display.intervals_)
    assert across == [[-0.6, 0.5], [-0.2, 0.5], [0.0, 0.8], [0.2, 0.8]]
    assert up == [[-0.4, 0.4], [-0.4, 0.6], [0.1, 0.7], [0.1, 0.9]]
    assert display.zero_.get_xdata() == [0, 0]
    assert [text.get_text() for text in display.text_.values()] == ["Ann", "Bob"]


def test_the_labels_say_what_is_shown():
    display = raters("ab", greater_is_better=False).plot()
    assert display.ax_.get_xlabel() == (
        "severity, in classes (below 0: lower grades than the others)\nlines: 90% intervals"
    )
    assert display.ax_.get_ylabel() == "cem_ord\nwith the others (lower is better)"


def test_a_rater_without_a_value_has_no_name():
    intervals = {"a": Interval(0.1, 0.0, 0.2, 0.9), "b": UNDEFINED}
    assert raters("ab").plot().text_.keys() == {"a", "b"}
    assert RatersDisplay(intervals, intervals, criterion="c").plot().text_.keys() == {"a"}


@pytest.mark.parametrize("names", ["abcd", LONG_NAMES, [f"rater {k}" for k in range(80)]])
def test_names_do_not_overlap(names):
    display = raters(names).plot()
    assert overlapping(draw(display)) == []
    assert len(display.text_) > 3
    plt.close(display.figure_)


def test_axes_of_the_user_are_used():
    figure, ax = plt.subplots(layout="constrained", figsize=(3.4, 2.6))
    display = raters("abc").plot(ax)
    assert display.ax_ is ax
    assert not overlapping(draw(display))
    plt.close(figure)
