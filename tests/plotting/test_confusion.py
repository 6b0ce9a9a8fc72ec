"""The plot of the confusion matrix."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from matplotlib import pyplot as plt
from sklearn.metrics import confusion_matrix
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import OrdinalConfusion, OrdinalReport
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.plotting import OrdinalConfusionMatrixDisplay
from tests.plotting.looks import (
    LONG_NAMES,
    contrast,
    draw,
    luminance,
    overlapping,
    row_names,
)

matrices = st.integers(1, 5).flatmap(
    lambda n: arrays(np.int64, (n, n), elements=st.integers(0, 60)).filter(np.any)
)
LEVELS = ["low", "mid", "high"]


def labels_of(n_samples=300, n_classes=5, seed=0):
    rng = np.random.default_rng(seed)
    y_true = rng.integers(0, n_classes, n_samples)
    return y_true, np.clip(y_true + rng.integers(-2, 3, n_samples), 0, n_classes - 1)


def of_counts(counts, **options):
    return OrdinalConfusionMatrixDisplay.from_confusion(
        OrdinalConfusion.from_counts(counts), **options
    )


def texts(artists):
    return np.vectorize(lambda artist: artist.get_text())(artists)


def cell_colors(display):
    return np.asarray(display.im_.get_array())


@pytest.mark.parametrize("normalize", [None, "true", "pred", "all"])
def test_cell_values_match_scikit_learn(normalize):
    y_true, y_pred = labels_of()
    display = OrdinalConfusionMatrixDisplay.from_predictions(y_true, y_pred, normalize=normalize)
    expected = confusion_matrix(y_true, y_pred, normalize=normalize)
    assert texts(display.text_).astype(float) == pytest.approx(expected, abs=0.0051)


def test_cell_values_are_sums_of_weights():
    y_true, y_pred = labels_of()
    weight = np.random.default_rng(1).random(len(y_true))
    display = OrdinalConfusionMatrixDisplay.from_predictions(y_true, y_pred, sample_weight=weight)
    expected = confusion_matrix(y_true, y_pred, sample_weight=weight)
    assert texts(display.text_).astype(float) == pytest.approx(expected, rel=1e-3)


def test_classes_increase_downwards_and_to_the_right():
    display = OrdinalConfusionMatrixDisplay.from_predictions(
        ["high", "low"], ["mid", "low"], labels=LEVELS
    )
    for axis in (display.ax_.xaxis, display.ax_.yaxis):
        assert [label.get_text() for label in axis.get_ticklabels()] == LEVELS
        assert axis.get_ticklocs().tolist() == [0, 1, 2]
    assert display.ax_.yaxis_inverted()
    assert not display.ax_.xaxis_inverted()
    assert (display.ax_.get_ylabel(), display.ax_.get_xlabel()) == ("True class", "Predicted class")
    assert display.text_[2, 1].get_position() == (1, 2)
    assert display.text_[2, 1].get_text() == "1"


def test_closeness_matches_the_paper():
    # Figure 1: reject, weak reject, undecided, weak accept, accept.
    display = of_counts(np.diag([7, 105, 193, 90, 7]), proximity=True)
    assert display.proximity_text_[1, 3].get_text() == "0.23"  # true weak reject
    other = of_counts(np.diag([180, 10, 3, 10, 173]), proximity=True)
    assert other.proximity_text_[3, 1].get_text() == "4.38"


def test_closeness_counts_samples_without_a_prediction():
    confusion = OrdinalConfusion.from_predictions([0, 0, 1, 1], [0, None, 1, 1], unanswered="count")
    display = OrdinalConfusionMatrixDisplay.from_confusion(confusion, proximity=True)
    assert display.proximity_text_[0, 0].get_text() == "2.00"  # -log2(2 / (2 * 4))
    assert "Left out: 1 without a prediction" in display.ax_.get_legend().get_title().get_text()


@pytest.mark.parametrize(
    ("options", "title"),
    [
        ({}, "cells: samples"),
        ({"normalize": "pred"}, "cells: share of the predicted class"),
        ({"proximity": True}, "cells: samples\nbelow: closeness (bits)"),
        ({"proximity": True, "include_values": False}, "cells: closeness (bits)"),
    ],
)
def test_the_legend_says_what_the_numbers_are(options, title):
    display = of_counts([[1, 2], [3, 4]], **options)
    assert display.ax_.get_legend().get_title().get_text() == title
    assert of_counts([[1, 2], [3, 4]], legend=False).ax_.get_legend() is None
    weights = of_counts([[1.5, 2], [3, 4]])
    assert weights.ax_.get_legend().get_title().get_text() == "cells: weight"


def test_counts_of_soft_labels_without_their_samples_are_drawn_as_weights():
    report = OrdinalReport.from_predictions([[0.5, 0.5], [0.9, 0.1]], [0, 1], labels=[0, 1])
    assert report.confusion.n_samples is None  # a sample is in several cells
    legend = report.plot_confusion_matrix().ax_.get_legend()
    assert legend.get_title().get_text() == "cells: weight"
    assert "Weights of" not in report.plot_errors().ax_.get_xlabel()


def test_closeness_of_two_empty_classes_is_infinite():
    display = of_counts([[2, 0, 0], [0, 0, 0], [0, 0, 0]], proximity=True)
    assert display.proximity_text_[1, 2].get_text() == "∞"


def test_values_can_be_left_out_or_formatted():
    assert of_counts([[1, 2], [3, 4]], include_values=False).text_ is None
    assert of_counts([[1, 2], [3, 4]], values_format=".1f").text_[1, 1].get_text() == "4.0"
    alone = of_counts([[1, 2], [3, 4]], include_values=False, proximity=True)
    assert alone.proximity_text_[0, 0].get_position() == (0, 0)


def test_undefined_shares_are_dashes_and_small_shares_are_not_zero():
    display = of_counts([[999, 1, 0], [0, 0, 0], [0, 0, 5]], normalize="true")
    assert texts(display.text_).tolist() == [
        ["1.00", "<.01", "0.00"],
        ["-", "-", "-"],
        ["0.00", "0.00", "1.00"],
    ]


@given(matrices)
@settings(deadline=None, max_examples=6)
def test_cells_with_more_samples_are_darker_on_both_sides(counts):
    display = of_counts(counts, include_values=False, legend=False)
    brightness = luminance(cell_colors(display)).ravel()
    order = np.argsort(counts.ravel(), kind="stable")
    assert (np.diff(brightness[order]) < 1e-3).all()
    same = np.diff(counts.ravel()[order]) == 0
    assert np.abs(np.diff(brightness[order])[same]) == pytest.approx(0, abs=1e-3)
    assert (brightness[counts.ravel() == 0] == pytest.approx(1)) if (counts == 0).any() else True
    plt.close(display.figure_)


@given(matrices)
@settings(deadline=None, max_examples=6)
def test_text_has_enough_contrast_with_its_cell(counts):
    display = of_counts(counts, proximity=True)
    for artists in (display.text_, display.proximity_text_):
        for cell, text in np.ndenumerate(artists):
            assert contrast(text.get_color(), cell_colors(display)[cell]) >= 4.5
    plt.close(display.figure_)


def test_colours_show_the_sign_and_size_of_the_error():
    red, green, blue = np.moveaxis(cell_colors(of_counts(np.full((5, 5), 3))), -1, 0)
    below, above = np.tril_indices(5, -1), np.triu_indices(5, 1)
    assert (blue[below] > red[below]).all()
    assert (red[above] > blue[above]).all()
    assert np.ptp([red.diagonal(), green.diagonal(), blue.diagonal()]) < 0.01
    colourfulness = np.abs(red - blue)
    assert (np.diff(colourfulness[0]) > 0).all()
    assert (np.diff(colourfulness[:, 0]) > 0).all()


@pytest.mark.parametrize("n_classes", [1, 2, 3, 6])
def test_the_dashed_line_separates_cells_at_most_one_class_away_from_the_others(n_classes):
    display = of_counts(np.eye(n_classes, dtype=int))
    corners = display.line_.get_xydata()
    drawn = {
        frozenset([tuple(a), tuple(b)]) for a, b in pairwise(corners) if not np.isnan([a, b]).any()
    }
    expected = set()
    for row, column in np.ndindex(n_classes, n_classes):
        x, y = column + 0.5, row + 0.5
        is_near = abs(row - column) <= 1
        if column + 1 < n_classes and is_near != (abs(row - column - 1) <= 1):
            expected.add(frozenset([(x, y - 1), (x, y)]))
        if row + 1 < n_classes and is_near != (abs(row + 1 - column) <= 1):
            expected.add(frozenset([(x - 1, y), (x, y)]))
    assert drawn == expected


@pytest.mark.parametrize(
    ("names", "largest", "options"),
    [
        (LEVELS, 1_234_567, {"xticks_rotation": "vertical"}),
        (LONG_NAMES, 9, {}),
        (LONG_NAMES, 999, {"proximity": True}),
    ],
)
def test_a_new_figure_has_room_for_names_and_values(names, largest, options):
    counts = np.random.default_rng(0).integers(0, largest, 2 * (len(names),))
    display = of_counts(counts, target_names=names, **options)
    assert overlapping(draw(display)) == []
    assert display.text_ is not None


def test_the_plot_is_drawn_on_the_given_axes():
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 5), layout="constrained")
    display = of_counts(np.full((12, 12), 1234), target_names=LONG_NAMES, ax=right)
    assert display.ax_ is right
    assert display.figure_ is figure
    assert overlapping(draw(display)) == []
    assert figure.get_size_inches().tolist() == [12, 5]
    assert not left.texts
    assert plt.get_fignums() == [figure.number]


def test_names_are_not_parsed_as_math_text():
    names = ["under $10", "$10 to $20", r"$\frac{1}{$"]
    display = of_counts(np.eye(3, dtype=int), target_names=names)
    draw(display)
    assert row_names(display) == names


def test_from_estimator_plots_the_matrix_of_its_predictions():
    X, y = load_lev(return_X_y=True)
    model = DecisionTreeClassifier(max_depth=3).fit(X, y)
    names = ["E", "D", "C", "B", "A"]
    display = OrdinalConfusionMatrixDisplay.from_estimator(model, X, y, target_names=names)
    assert (texts(display.text_).astype(int) == confusion_matrix(y, model.predict(X))).all()
    assert display.target_names == tuple(names)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"normalize": "rows"}, "normalize must be one of"),
        ({"xticks_rotation": 45}, "xticks_rotation must be one of"),
        ({"target_names": ["a", "b"]}, "target_names must name each of the 3 classes"),
        ({"target_names": "abc"}, "target_names must be a sequence of names"),
        ({"target_names": ["a", "b", "a"]}, "target_names must differ from each other"),
    ],
)
def test_invalid_options_raise(options, message):
    with pytest.raises(ValueError, match=message):
        of_counts(np.eye(3, dtype=int), **options)


@pytest.mark.parametrize(
    ("confusion", "message"),
    [
        (np.eye(3), "confusion must be an OrdinalConfusion"),
        (OrdinalConfusion.from_counts(np.ones((2, 3, 3), int)), "must hold one matrix"),
        (OrdinalConfusion.from_counts(np.zeros((3, 3), int)), "at least one sample"),
    ],
)
def test_a_confusion_that_is_not_one_matrix_with_samples_raises(confusion, message):
    with pytest.raises(ValueError, match=message):
        OrdinalConfusionMatrixDisplay(confusion)


def test_names_of_columns_are_horizontal_if_their_words_fit():
    for names, rotation in ((["very bad", "bad", "good"], 0), (["unsatisfactory"] * 3, 90)):
        names = [f"{name} {k}" for k, name in enumerate(names)] + list("abcde")
        display = of_counts(np.eye(8, dtype=int), target_names=names)
        assert {label.get_rotation() for label in display.ax_.get_xticklabels()} == {rotation}


@pytest.mark.parametrize("size", [None, (3.8, 6)])
def test_some_of_many_classes_are_named(size):
    ax = None if size is None else plt.subplots(figsize=size, layout="constrained")[1]
    display = of_counts(np.eye(100, dtype=int), include_values=False, ax=ax)
    for axis in (display.ax_.xaxis, display.ax_.yaxis):
        places = axis.get_ticklocs().tolist()
        assert places == list(range(0, 100, places[1]))
        assert places[1] in (5, 10, 20)
        assert [label.get_text() for label in axis.get_ticklabels()] == list(map(str, places))
    assert overlapping(draw(display)) == []


def test_values_are_left_out_of_small_cells():
    _, ax = plt.subplots(figsize=(3, 3))
    assert of_counts(np.full((12, 12), 1234), ax=ax).text_ is None
