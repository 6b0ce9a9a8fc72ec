"""The plot of differences in a comparison."""

import numpy as np
import pytest
from matplotlib import pyplot as plt

from sklearn_ordinal.inference import PairedDifference
from sklearn_ordinal.plotting import ComparisonDisplay
from tests.plotting.looks import LONG_NAMES, row_names


def comparison(names, pvalues=0.02, **options):
    differences = {
        name: PairedDifference(x, x - 0.04, x + 0.05, 0.9)
        for name, x in zip(names, np.linspace(0.3, -0.3, len(names)), strict=True)
    }
    pvalues = dict(zip(names, np.broadcast_to(pvalues, len(names)), strict=True))
    defaults = {"adjusted_pvalues": pvalues, "criterion": "cem_ord", "reference": "majority"}
    return ComparisonDisplay(differences, **defaults | options)


def test_rows_are_differences_with_intervals_in_the_given_order():
    names = ["forest", "uniform", "stump"]
    display = comparison(names).plot()
    assert row_names(display) == names
    for row, (estimate, low, high) in enumerate(
        [(0.3, 0.26, 0.35), (0.0, -0.04, 0.05), (-0.3, -0.34, -0.25)]
    ):
        assert display.estimates_[row].get_xdata() == pytest.approx([estimate])
        assert display.estimates_[row].get_ydata() == [row]
        assert display.lines_[row].get_xdata() == pytest.approx([low, high])
        assert display.lines_[row].get_ydata().tolist() == [row, row]
    assert display.ax_.yaxis_inverted()


@pytest.mark.parametrize(
    ("options", "better"),
    [
        ({}, "positive"),
        ({"greater_is_better": True}, "positive"),
        ({"greater_is_better": False}, "negative"),
        ({"greater_is_better": None}, "neither sign"),
    ],
)
def test_the_axis_says_which_differences_are_better(options, better):
    display = comparison("ab", criterion="ordinal_mean_absolute_error", **options).plot()
    assert display.ax_.get_xlabel() == (
        f"ordinal_mean_absolute_error\ndifference from majority ({better} is better)"
    )


def test_a_loss_is_drawn_with_the_sign_of_its_differences():
    display = comparison("ab", greater_is_better=False).plot()
    positions = [mark.get_xdata()[0] for mark in display.estimates_]
    assert positions == pytest.approx([0.3, -0.3])
    low, high = display.ax_.get_xlim()
    assert low < high


def test_the_region_of_practical_equivalence_is_shaded_and_in_the_legend():
    display = comparison("ab", rope=0.05).plot()
    corners = display.ax_.transData.inverted().transform(display.rope_.get_window_extent())
    assert corners[:, 0] == pytest.approx([-0.05, 0.05])
    assert display.ax_.get_legend().get_texts()[1].get_text() == "practically equal (±0.05)"


def test_without_a_region_of_practical_equivalence_the_legend_has_none():
    labels = comparison("ab").plot().ax_.get_legend().get_texts()
    assert [label.get_text() for label in labels] == ["difference, 90% interval"]


def test_pvalues_are_shown_with_three_digits():
    display = comparison("abcd", [0.0004, 0.0456, 1.0, np.nan]).plot()
    texts = [text.get_text() for text in display.text_]
    assert texts == ["p < 0.001", "p = 0.046", "p = 1.000", "p undefined"]


def test_the_plot_is_drawn_on_the_given_axes():
    figure, (left, right) = plt.subplots(1, 2, figsize=(15, 6), layout="constrained")
    display = comparison(LONG_NAMES).plot(right, legend=False)
    assert display.ax_ is right
    assert display.figure_ is figure
    assert right.get_legend() is None
    assert not left.lines
    assert plt.get_fignums() == [figure.number]


@pytest.mark.parametrize(
    ("names", "tested"), [([], []), (["a"], ["a", "b"]), (["a", "b"], ["a"]), (["a"], ["b"])]
)
def test_mismatched_names_raise(names, tested):
    differences = {name: PairedDifference(0.1, 0.0, 0.2, 0.9) for name in names}
    with pytest.raises(ValueError, match="pvalues must have the same names, and at least one, got"):
        ComparisonDisplay(
            differences,
            adjusted_pvalues=dict.fromkeys(tested, 0.5),
            criterion="cem_ord",
            reference="majority",
        )
