"""The plot of signed errors."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import OrdinalConfusion
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.plotting import ErrorDistributionDisplay
from tests.plotting.looks import LONG_NAMES, contrast, luminance, row_names


def labels_of(n_classes=5, n_samples=400):
    rng = np.random.default_rng(0)
    y_true = rng.integers(0, n_classes, n_samples)
    return y_true, np.clip(y_true + rng.integers(-4, 5, n_samples), 0, n_classes - 1)


def share(y_true, y_pred, label, low, high):
    errors = (y_pred - y_true)[y_true == label]
    return np.mean([low <= error <= high for error in errors])


def widths(container):
    return [bar.get_width() for bar in container]


@pytest.mark.parametrize("max_distance", [1, 2, 3, 9])
def test_shares_match_counting_the_signed_errors(max_distance):
    y_true, y_pred = labels_of()
    display = ErrorDistributionDisplay.from_predictions(y_true, y_pred)
    shares = display.shares(max_distance=max_distance)
    assert shares.sum(axis=1) == pytest.approx(1)
    for label in range(5):
        for part, error in enumerate(range(-max_distance, max_distance + 1)):
            low = -99 if error == -max_distance else error
            high = 99 if error == max_distance else error
            expected = share(y_true, y_pred, label, low, high)
            assert shares[label, part] == pytest.approx(expected)


def test_bar_lengths_are_the_shares_and_bars_start_at_zero():
    y_true, y_pred = labels_of()
    display = ErrorDistributionDisplay.from_predictions(y_true, y_pred)
    shares = display.shares()
    assert list(display.bars_) == [-2, -1, 1, 2]
    for error, bars in display.bars_.items():
        assert np.abs(widths(bars)) == pytest.approx(shares[:, 2 + error])
        assert [bar.get_y() + bar.get_height() / 2 for bar in bars] == pytest.approx(range(5))
    for sign in (-1, 1):
        nearest, next_one = display.bars_[sign], display.bars_[2 * sign]
        assert [bar.get_x() for bar in nearest] == [0] * 5
        assert [bar.get_x() for bar in next_one] == pytest.approx(widths(nearest))
        assert (sign * np.array(widths(nearest)) >= 0).all()


def test_the_lowest_class_is_at_the_top_and_rows_show_their_share_correct():
    display = ErrorDistributionDisplay.from_predictions(
        ["low", "low", "mid"], ["low", "mid", "mid"], labels=["low", "mid", "high"]
    )
    assert row_names(display) == ["low", "mid", "high"]
    assert display.ax_.yaxis_inverted()
    assert [text.get_text() for text in display.right_text_] == [
        "50% of 2 ok",
        "100% of 1 ok",
        "no samples",
    ]
    assert [text.get_text() for text in display.text_] == ["50%"]
    assert [text.get_position() for text in display.text_] == [(0.25, 0)]


def test_the_axis_names_errors_and_nothing_beside_it():
    display = ErrorDistributionDisplay.from_predictions([0, 1], [0, 0])
    assert display.ax_.get_xlabel() == "Errors as a share of the true class"


def test_class_sizes_are_sums_of_weights():
    display = ErrorDistributionDisplay.from_predictions([0, 1], [0, 0], sample_weight=[0.5, 2])
    assert [text.get_text() for text in display.right_text_] == [
        "100% of weight 0.5 ok",
        "0% of weight 2 ok",
    ]


def test_large_sums_of_weights_are_not_in_scientific_notation():
    display = ErrorDistributionDisplay.from_predictions([0, 1], [0, 0], sample_weight=[167600.5, 2])
    assert display.right_text_[0].get_text() == "100% of weight 167,600 ok"


def test_classes_without_samples_have_no_share():
    display = ErrorDistributionDisplay.from_predictions([0, 2], [0, 2])
    assert np.isnan(display.shares()[1]).all()
    assert not np.isnan(display.shares()[[0, 2]]).any()
    assert widths(display.bars_[1]) == [0, 0, 0]


def test_larger_errors_are_darker_and_text_has_enough_contrast():
    display = ErrorDistributionDisplay.from_predictions(*labels_of())
    color = {error: bars[0].get_facecolor()[:3] for error, bars in display.bars_.items()}
    for sign in (-1, 1):
        assert luminance(color[sign]) > luminance(color[2 * sign])
    for error in (1, 2):
        assert luminance(color[error]) == pytest.approx(luminance(color[-error]), abs=1e-3)
        assert color[error][0] > color[error][2]
        assert color[-error][2] > color[-error][0]
    background = {
        (round(bar.get_x() + bar.get_width() / 2, 9), row): bar.get_facecolor()[:3]
        for bars in display.bars_.values()
        for row, bar in enumerate(bars)
    }
    assert display.text_
    for text in display.text_:
        x, row = text.get_position()
        assert contrast(text.get_color(), background[round(x, 9), row]) >= 4.5


def test_the_plot_is_drawn_on_the_given_axes():
    figure, (left, right) = plt.subplots(1, 2, figsize=(14, 6), layout="constrained")
    y_true, y_pred = labels_of(12)
    display = ErrorDistributionDisplay.from_predictions(
        y_true, y_pred, target_names=LONG_NAMES, ax=right, legend=False
    )
    assert display.ax_ is right
    assert display.figure_ is figure
    assert left.get_legend() is right.get_legend() is None
    assert plt.get_fignums() == [figure.number]


def test_from_estimator_and_from_confusion_match_from_predictions():
    X, y = load_lev(return_X_y=True)
    model = DecisionTreeClassifier(max_depth=3).fit(X, y)
    expected = ErrorDistributionDisplay.from_predictions(y, model.predict(X)).shares()
    confusion = OrdinalConfusion.from_predictions(y, model.predict(X))
    for display in (
        ErrorDistributionDisplay.from_estimator(model, X, y),
        ErrorDistributionDisplay.from_confusion(confusion),
    ):
        assert (display.shares() == expected).all()


def test_distances_beyond_the_scale_are_not_shown():
    display = ErrorDistributionDisplay.from_predictions([0, 1, 2], [0, 2, 1])
    assert list(display.bars_) == [-2, -1, 1, 2]
    labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert labels == ["2 too low", "1 too low", "1 too high", "2 too high"]
    one_class = ErrorDistributionDisplay.from_predictions([3, 3], [3, 3])
    assert list(one_class.bars_) == [-1, 1]


def test_samples_without_a_prediction_are_mentioned():
    confusion = OrdinalConfusion.from_predictions([0, 1, 1], [0, 1, None], unanswered="count")
    display = ErrorDistributionDisplay.from_confusion(confusion)
    assert display.ax_.get_xlabel().endswith("Left out: 1 without a prediction")


@pytest.mark.parametrize("max_distance", [0, -1, 1.5, True, "2"])
def test_a_max_distance_that_is_not_a_positive_integer_raises(max_distance):
    with pytest.raises(ValueError, match="max_distance must be a positive integer"):
        ErrorDistributionDisplay.from_predictions([0, 1], [1, 0]).shares(max_distance=max_distance)


def test_more_than_forty_classes_have_low_bars_and_every_fifth_is_named():
    display = ErrorDistributionDisplay.from_predictions(*labels_of(100, 5000), labels=range(100))
    assert display.figure_.get_size_inches()[1] < 8
    assert [len(bars) for bars in display.bars_.values()] == [100] * 4
    assert display.text_ == display.right_text_ == []
    assert row_names(display) == list(map(str, range(0, 100, 5)))


def test_forty_classes_have_texts():
    display = ErrorDistributionDisplay.from_predictions(*labels_of(40, 2000))
    assert len(display.right_text_) == len(row_names(display)) == 40
