"""The plot of the coverage and the size of prediction sets."""

import math

import pytest

from sklearn_ordinal.inference import Interval
from sklearn_ordinal.prediction_sets._prediction_set_report import PredictionSetsDisplay
from tests.plotting.looks import row_names

COVERAGE = [
    Interval(0.95, 0.88, 0.98, 0.9),
    Interval(math.nan, math.nan, math.nan, 0.9),
    Interval(0.5, 0.3, 0.7, 0.9),
]
SIZE, NAMES = [1.0, math.nan, 2.25], ["low", "mid", "high"]


def display(coverage=COVERAGE, size=SIZE, **options):
    return PredictionSetsDisplay(coverage, size, **{"target_names": NAMES, **options})


def test_rows_are_classes_with_coverage_interval_and_size():
    drawn = display(nominal=0.9).plot()
    assert row_names(drawn) == NAMES
    assert drawn.estimates_[0].get_xdata().tolist() == [0.95]
    assert drawn.lines_[2].get_xdata().tolist() == [0.3, 0.7]
    assert [bar.get_width() for bar in drawn.bars_] == pytest.approx([1 / 3, 0, 0.75])
    assert drawn.nominal_.get_xdata() == [0.9, 0.9]
    texts = [text.get_text() for text in drawn.text_]
    assert texts == ["95.0%, size 1.00", "no samples", "50.0%, size 2.25"]
    legend = [text.get_text() for text in drawn.ax_.get_legend().get_texts()]
    assert legend == ["coverage, 90% interval", "size / 3 classes", "nominal 90%"]


def test_marks_of_many_classes_do_not_overlap():
    coverage = [Interval(0.9, 0.8, 0.95, 0.95)] * 60
    drawn = PredictionSetsDisplay(coverage, [2.0] * 60, target_names=list(map(str, range(60))))
    drawn.plot().figure_.draw_without_rendering()
    height = drawn.ax_.get_window_extent().height * 72 / drawn.figure_.dpi
    assert drawn.estimates_[0].get_markersize() < height / 60
    assert drawn.ax_.xaxis.get_major_formatter()(0.5, 0) == "50%"


def test_without_a_nominal_level_or_a_legend():
    drawn = display().plot(legend=False)
    assert drawn.nominal_ is None
    assert drawn.ax_.get_legend() is None
