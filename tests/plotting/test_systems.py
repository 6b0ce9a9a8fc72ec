"""The plot of systems on one test set."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib import pyplot as plt

from sklearn_ordinal.inference import Interval
from sklearn_ordinal.plotting import SystemsDisplay
from tests.plotting.looks import LONG_NAMES, cut_off, draw, overlapping, row_names


def systems(names, letters="ab", **options):
    scores = {
        name: Interval(x, x - 0.04, x + 0.05, 0.9)
        for name, x in zip(names, np.linspace(0.9, 0.3, len(names)), strict=True)
    }
    letters = dict.fromkeys(names, letters)
    return SystemsDisplay(scores, letters, **{"criterion": "cem_ord"} | options)


def test_rows_are_values_with_intervals_and_letters_in_the_given_order():
    scores = {"b": Interval(0.8, 0.7, 0.9, 0.95), "a": Interval(0.5, 0.4, 0.7, 0.95)}
    display = SystemsDisplay(scores, {"a": "c", "b": "ab"}, criterion="cem_ord").plot()
    assert row_names(display) == ["b", "a"]
    assert [text.get_text() for text in display.text_] == ["ab", "c"]
    for row, (name, score) in enumerate(scores.items()):
        assert display.estimates_[row].get_xdata() == [score.estimate], name
        assert display.lines_[row].get_xdata().tolist() == [score.low, score.high]
        assert display.lines_[row].get_ydata().tolist() == [row, row]
    assert display.ax_.yaxis_inverted()


def test_the_legend_and_the_axis_say_what_is_shown():
    display = systems("ab", greater_is_better=False).plot()
    (entry,) = display.ax_.get_legend().get_texts()
    assert entry.get_text() == "value, 90% interval"
    label = "cem_ord (lower is better)\na shared letter: no significant difference"
    assert display.ax_.get_xlabel() == label
    assert systems("ab").plot(legend=False).ax_.get_legend() is None


def test_a_system_without_a_value_has_no_letters():
    undefined = Interval(math.nan, math.nan, math.nan, 0.95)
    scores = {"a": Interval(0.8, 0.7, 0.9, 0.95), "b": undefined}
    display = SystemsDisplay(scores, {"a": "a", "b": ""}, criterion="cem_ord").plot()
    assert [text.get_text() for text in display.text_] == ["a", "undefined"]


@pytest.mark.parametrize("names", [["a", "b"], LONG_NAMES], ids=["few", "many"])
@pytest.mark.parametrize("letters", ["a", "abcdefghi"])
def test_no_texts_overlap_or_are_cut_off(names, letters):
    display = systems(names, letters).plot()
    texts = draw(display)
    assert not overlapping(texts)
    assert not cut_off(texts, display.figure_)
    plt.close(display.figure_)


@pytest.mark.parametrize(
    ("scores", "letters", "message"),
    [
        ({}, {}, "scores and letters must have the same names, and at least one"),
        ({"a": Interval(1, 1, 1, 0.95)}, {"b": "a"}, "scores and letters must have the same"),
        ({"a": 0.5}, {"a": "a"}, "scores must be intervals"),
        ({"a": SimpleNamespace(estimate=1, low=1, high=1)}, {"a": "a"}, "scores must be intervals"),
        ([0.5], {"a": "a"}, "scores must be a dict with names as keys"),
    ],
)
def test_what_is_not_intervals_and_letters_raises(scores, letters, message):
    with pytest.raises(ValueError, match=message):
        SystemsDisplay(scores, letters, criterion="cem_ord")
