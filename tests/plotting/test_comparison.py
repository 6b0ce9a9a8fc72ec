"""The picture of a comparison."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import compare_estimators
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.inference import PairedDifference
from sklearn_ordinal.plotting import ComparisonDisplay
from tests.plotting.looks import LONG_NAMES, cut_off, draw, overlapping

SCORING = ("cem_ord", "neg_ordinal_mean_absolute_error")
MODELS = {
    f"depth {depth}": DecisionTreeClassifier(max_depth=depth, random_state=0) for depth in (1, 3)
}


def compare(**options):
    X, y = load_lev(return_X_y=True)
    return compare_estimators(MODELS, X, y, random_state=0, **options)


@pytest.fixture(scope="module")
def comparison():
    return compare(scoring=SCORING, rope=0.05)


def row_names(display):
    return [label.get_text().replace("\n", " ") for label in display.ax_.get_yticklabels()]


def synthetic(names, pvalues=None, **options):
    differences = {
        name: PairedDifference(x, x - 0.04, x + 0.04, 0.9)
        for name, x in zip(names, np.linspace(0.3, -0.3, len(names)), strict=True)
    }
    pvalues = dict(zip(names, pvalues or [0.02] * len(names), strict=True))
    return ComparisonDisplay(
        differences, adjusted_pvalues=pvalues, criterion="cem_ord", reference="majority", **options
    )


@pytest.mark.parametrize("criterion", SCORING)
def test_rows_are_the_differences_of_the_table_best_first(comparison, criterion):
    display = ComparisonDisplay.from_report(comparison, criterion=criterion)
    table = comparison.table[criterion]
    reference = comparison.best_baseline[criterion]
    names = row_names(display)
    assert sorted(names) == sorted(table.keys() - {reference})
    assert sorted(table[name].rank for name in names) == [table[name].rank for name in names]
    for row, name in enumerate(names):
        difference = table[name].difference
        assert display.estimates_[row].get_xdata() == [difference.estimate]
        assert display.estimates_[row].get_ydata() == [row]
        assert display.lines_[row].get_xdata().tolist() == [difference.low, difference.high]
        is_hollow = display.estimates_[row].get_markerfacecolor() == display.ax_.get_facecolor()
        assert is_hollow == (name in comparison.baselines)
        assert (display.text_[row].get_text() == "baseline") == (name in comparison.baselines)
    assert display.ax_.get_xlabel() == (
        f"{criterion}\ndifference from {reference} (positive is better)"
    )
    assert display.ax_.yaxis_inverted()


def test_options_reach_the_drawing(comparison):
    display = ComparisonDisplay.from_report(comparison, legend=False)
    assert display.ax_.get_legend() is None


def test_the_region_of_practical_equivalence_is_that_of_the_report(comparison):
    display = ComparisonDisplay.from_report(comparison)
    corners = display.ax_.transData.inverted().transform(display.rope_.get_window_extent())
    assert corners[:, 0] == pytest.approx([-0.05, 0.05])
    assert display.ax_.get_legend().get_texts()[1].get_text() == "practically equal (±0.05)"


def test_without_a_region_of_practical_equivalence_none_is_explained():
    labels = synthetic("ab").plot().ax_.get_legend().get_texts()
    assert [label.get_text() for label in labels] == ["difference, 90% interval"]


def test_p_values_are_written_with_three_digits():
    display = synthetic("abcd", [0.0004, 0.0456, 1.0, np.nan]).plot()
    texts = [text.get_text() for text in display.text_]
    assert texts == ["p < 0.001", "p = 0.046", "p = 1.000", "p undefined"]


def test_without_baselines_the_first_model_is_the_reference():
    comparison = compare(baselines=None)
    display = ComparisonDisplay.from_report(comparison)
    assert row_names(display) == ["depth 3"]
    assert "difference from depth 1" in display.ax_.get_xlabel()


@pytest.mark.parametrize("names", [LONG_NAMES, ["a"], ["$10", "_hidden"]])
def test_no_text_overlaps_another_or_is_cut_off(names):
    display = synthetic(names, rope=0.01, baselines=names[1:2]).plot()
    seen = draw(display)
    assert overlapping(seen) == []
    assert cut_off(seen, display.figure_) == []
    assert row_names(display) == names


def test_axes_that_are_given_are_used():
    figure, (left, right) = plt.subplots(1, 2, figsize=(15, 6), layout="constrained")
    display = synthetic(LONG_NAMES).plot(right, legend=False)
    assert display.ax_ is right
    assert display.figure_ is figure
    assert right.get_legend() is None
    assert not left.lines
    assert overlapping([text for text in draw(display) if text.axes is right]) == []
    assert plt.get_fignums() == [figure.number]


def test_what_cannot_be_drawn_is_an_error(comparison):
    with pytest.raises(ValueError, match="criterion must be one of"):
        ComparisonDisplay.from_report(comparison, criterion="accuracy")
    with pytest.raises(ValueError, match="report must be a ComparisonReport, got CrossValReport"):
        ComparisonDisplay.from_report(comparison.reports["depth 1"])
    with pytest.raises(ValueError, match="must have the same names, one at least"):
        synthetic([])
