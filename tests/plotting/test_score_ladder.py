"""The plot of a value between the worst and the best value of its criterion."""

import math

import pytest
from matplotlib import pyplot as plt

from sklearn_ordinal.inference import Interval
from sklearn_ordinal.plotting import ScoreLadderDisplay
from tests.plotting.looks import cut_off, draw, overlapping, row_names

REFERENCES = {
    "worst value": math.nan,
    "uniform guesses": 0.2,
    "best constant": 0.5,
    "best value": 1.0,
}
SCORE = Interval(0.76, 0.74, 0.78, 0.9)


def ladder(score=SCORE, **options):
    return ScoreLadderDisplay(REFERENCES, score, **{"criterion": "cem_ord"} | options).plot()


def test_rows_are_values_from_the_best_to_the_worst_and_unknown_ones_come_last():
    display = ladder()
    names = ["best value", "predictions", "best constant", "uniform guesses", "worst value"]
    assert display.names_ == row_names(display) == names
    values = [mark.get_xdata()[0] for mark in display.estimates_]
    assert values[:-1] == [1.0, 0.76, 0.5, 0.2]
    texts = [text.get_text() for text in display.text_]
    assert texts == ["1.000", "0.760 [0.740, 0.780]", "0.500", "0.200", "not known"]
    assert display.lines_[1].get_xdata().tolist() == [0.74, 0.78]
    assert display.ax_.yaxis_inverted()


def test_of_a_loss_the_smallest_value_is_at_the_top():
    display = ladder(greater_is_better=False)
    assert display.names_[:2] == ["uniform guesses", "best constant"]
    assert display.names_[-1] == "worst value"
    assert display.ax_.get_xlabel() == "cem_ord (lower is better)"


def test_the_predictions_alone_are_filled_and_in_the_legend():
    display = ladder()
    background = display.ax_.get_facecolor()
    is_hollow = [mark.get_markerfacecolor() == background for mark in display.estimates_]
    assert is_hollow == [True, False, True, True, True]
    (entry,) = display.ax_.get_legend().get_texts()
    assert entry.get_text() == "predictions, 90% interval"


def test_without_predictions_there_is_no_legend_and_no_such_row():
    display = ladder(None)
    assert "predictions" not in display.names_
    assert display.ax_.get_legend() is None


@pytest.mark.parametrize("greater_is_better", [True, False])
def test_the_ceiling_is_a_line_in_the_row_of_its_middle(greater_is_better):
    display = ladder(ceiling=(0.7, 0.9), greater_is_better=greater_is_better)
    names = display.names_[:-1] if greater_is_better else display.names_[-2::-1]
    assert names[:3] == ["best value", "ceiling", "predictions"]
    row = display.names_.index("ceiling")
    assert display.lines_[row].get_xdata().tolist() == [0.7, 0.9]
    assert math.isnan(display.estimates_[row].get_xdata()[0])
    assert display.text_[row].get_text() == "0.700 to 0.900"
    assert "ceiling" not in ladder(ceiling=(math.nan, 0.9)).names_


@pytest.mark.parametrize("style", ["default", "grayscale", "dark_background"])
@pytest.mark.parametrize("score", [SCORE, Interval(0.76, math.nan, math.nan, 0.95)])
def test_it_is_legible_in_a_column_of_a_paper(style, score):
    with plt.style.context(style):
        _, ax = plt.subplots(figsize=(3.4, 2.6), layout="constrained")
        display = ScoreLadderDisplay(REFERENCES, score, criterion="cem_ord").plot(ax)
        texts = draw(display)
        assert not overlapping(texts)
        assert not cut_off(texts, display.figure_)
        assert min(text.get_fontsize() for text in texts) >= 7
        assert not any("…" in text.get_text() for text in texts)


@pytest.mark.parametrize(
    ("references", "score", "options", "message"),
    [
        ({}, None, {}, "references must have at least one value"),
        ({"predictions": 1}, None, {}, "and none named 'predictions'"),
        ([1], None, {}, "references must be a dict with names as keys"),
        ({"best": "1"}, None, {}, r"references\['best'\] must be a number"),
        ({"best": 1}, 0.5, {}, "score must be intervals"),
        ({"ceiling": 1}, None, {}, "and none named 'predictions' or 'ceiling'"),
        ({"best": 1}, None, {"ceiling": (0.9, 0.7)}, "two numbers in ascending order, got"),
        ({"best": 1}, None, {"ceiling": (0.9,)}, "two numbers in ascending order, got"),
        ({"best": 1}, None, {"ceiling": 0.9}, "ceiling must be"),
        ({"best": 1}, None, {"ceiling": ("a", "b")}, "ceiling must be a number"),
        ({"best": 1}, None, {"criterion": 1}, "criterion must be a string"),
    ],
)
def test_what_is_not_values_and_an_interval_raises(references, score, options, message):
    with pytest.raises(ValueError, match=message):
        ScoreLadderDisplay(references, score, **{"criterion": "cem_ord"} | options)
