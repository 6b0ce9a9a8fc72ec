"""The plot of tuned cuts."""

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.decisions import TunedOrdinalThresholdClassifierCV
from sklearn_ordinal.plotting import ThresholdTuningDisplay

PLACES = [[0.0, 1.0, 2.0], [1.0, 2.0, 3.0]]
SCORES = [[0.1, 0.5, 0.2], [0.4, 0.5, np.nan]]
FOLDS = [[0.5, 2.5], [1.25, 2.0], [np.nan, np.nan]]


@pytest.fixture(scope="module")
def model():
    tuned = TunedOrdinalThresholdClassifierCV(Ridge(), store_cv_results=True)
    return tuned.fit(*load_lev(return_X_y=True))


def legend_of(display):
    texts = [text.get_text() for text in display.legend_.get_texts()]
    return [text.replace("\n", " ") for text in texts]


def test_each_cut_has_a_curve_and_a_mark_at_the_best_place():
    display = ThresholdTuningDisplay(PLACES, SCORES, [1, 2]).plot()
    for line, places, scores in zip(display.lines_, PLACES, SCORES, strict=True):
        np.testing.assert_array_equal(line.get_xdata(), places)
        np.testing.assert_array_equal(line.get_ydata(), scores)
    assert [mark.get_xdata()[0] for mark in display.best_] == [1, 2]
    assert [mark.get_ydata()[0] for mark in display.best_] == [0.5, 0.5]
    assert legend_of(display) == ["above '0': 1", "above '1': 2", "best cut"]


def test_the_cuts_of_the_folds_are_below_the_curves_with_their_range_in_the_legend():
    display = ThresholdTuningDisplay(PLACES, SCORES, [1, 2], cv_thresholds=FOLDS).plot()
    for cut, marks in enumerate(display.folds_):
        np.testing.assert_array_equal(marks.get_xdata(), np.array(FOLDS)[:, cut])
    bottom, top = display.ax_.get_ylim()
    lowest = (0.1 - bottom) / (top - bottom)
    assert all((marks.get_ydata() < lowest).all() for marks in display.folds_)
    assert legend_of(display) == [
        "above '0': 1 (0.5 to 1.25)",
        "above '1': 2 (2 to 2.5)",
        "best cut",
        "best cut of a fold",
    ]


def test_the_plot_of_a_classifier_shows_its_results(model):
    names = ["awful", "poor", "fair", "good", "great"]
    display = ThresholdTuningDisplay.from_estimator(model, target_names=names)
    for cut, line in enumerate(display.lines_):
        np.testing.assert_array_equal(line.get_xdata(), model.cv_results_["thresholds"][cut])
        np.testing.assert_array_equal(line.get_ydata(), model.cv_results_["scores"][cut])
        assert display.best_[cut].get_ydata() == pytest.approx(model.best_score_)
    np.testing.assert_array_equal(display.cv_thresholds, model.cv_thresholds_)
    assert display.ax_.get_ylabel() == "cem_ord"
    assert legend_of(display)[0].startswith("above 'awful': 0.762 (0.")


def test_cuts_of_classes_without_samples_have_no_curve():
    X, y = load_lev(return_X_y=True)
    model = TunedOrdinalThresholdClassifierCV(
        Ridge(), labels=[-1, *range(6)], scoring="accuracy", store_cv_results=True
    )
    display = ThresholdTuningDisplay.from_estimator(model.fit(X, y))
    is_empty = [not len(line.get_xdata()) for line in display.lines_]
    assert is_empty == [True, False, False, False, False, True]
    assert legend_of(display)[0] == "above '-1': unused"


def test_a_single_split_has_no_marks_of_folds():
    model = TunedOrdinalThresholdClassifierCV(Ridge(), cv=0.5, store_cv_results=True)
    display = ThresholdTuningDisplay.from_estimator(model.fit(*load_lev(return_X_y=True)))
    assert display.folds_ == []
    assert legend_of(display)[-1] == "best cut"


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((PLACES[:1], SCORES, [1, 2]), {}, "thresholds must have an array for each of the 2 cuts"),
        ((PLACES, SCORES[:1], [1, 2]), {}, "scores must have an array for each of the 2 cuts"),
        ((PLACES, [[1], [2]], [1, 2]), {}, r"scores must .*, got \[1, 1\] values for \[3, 3\]"),
        ((PLACES, SCORES, [[1, 2]]), {}, "best_thresholds must be one-dimensional"),
        ((PLACES, SCORES, [1, 2]), {"cv_thresholds": [[1]]}, r"shape \(n_folds, 2\), got \(1, 1\)"),
        ((PLACES, SCORES, [1, 2]), {"target_names": ["a"]}, "target_names must name each of the 3"),
        ((PLACES, SCORES, [1, 2]), {"score_name": 1}, "score_name must be a string, got 1"),
    ],
)
def test_arguments_that_do_not_fit_are_named(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        ThresholdTuningDisplay(*arguments, **options)


def test_a_classifier_without_results_is_refused():
    model = TunedOrdinalThresholdClassifierCV(Ridge()).fit(*load_lev(return_X_y=True))
    with pytest.raises(ValueError, match="as after a fit with store_cv_results=True"):
        ThresholdTuningDisplay.from_estimator(model)
