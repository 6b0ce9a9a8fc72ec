"""The plot of the calibration at each threshold."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from scipy.stats import binom
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_ordinal import OrdinalForecasts, OrdinalScores
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.plotting import ThresholdCalibrationDisplay
from tests.plotting.looks import LONG_NAMES, draw, overlapping

NAMES = ["very bad", "bad", "fair", "good", "very good"]


def sample(n_classes=4, n_samples=60, seed=0):
    """Return true classes, probabilities with ties, and weights."""
    rng = np.random.default_rng(seed)
    y_proba = rng.multinomial(6, np.full(n_classes, 1 / n_classes), n_samples) / 6
    return rng.integers(0, n_classes, n_samples), y_proba, rng.integers(0, 4, n_samples)


def display_of(y_true, y_proba, *, n_resamples=3, random_state=0, **options):
    return ThresholdCalibrationDisplay.from_predictions(
        y_true, y_proba, n_resamples=n_resamples, random_state=random_state, **options
    )


def isotonic(x, y, weight):
    """Return the distinct x and max over a <= i of min over b >= i of the mean of a..b."""
    distinct = np.unique(x)

    def mean(low, high):
        block = (x >= low) & (x <= high)
        return np.average(y[block], weights=weight[block])

    fitted = [
        max(min(mean(a, b) for b in distinct[distinct >= c]) for a in distinct[distinct <= c])
        for c in distinct
    ]
    return distinct, np.array(fitted)


@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_the_curves_are_isotonic_regressions_by_their_definition(is_weighted, seed):
    y_true, y_proba, weight = sample(seed=seed)
    weight = weight if is_weighted else np.ones(len(y_true))
    display = display_of(y_true, y_proba, sample_weight=weight if is_weighted else None)
    used = weight > 0
    for k in range(3):
        above = np.round(y_proba[:, k + 1 :].sum(axis=1), 12)
        x, y = isotonic(above[used], (y_true > k)[used], weight[used])
        assert display.forecast[k] == pytest.approx(x)
        assert display.recalibrated[k] == pytest.approx(y)
        assert np.array(display.lines_[k].get_data()) == pytest.approx(np.array([x, y]))


def test_the_curves_match_scikit_learn():
    rng = np.random.default_rng(0)
    y_proba = rng.dirichlet(np.ones(4), 500)
    y_true = rng.integers(0, 4, 500)
    display = display_of(y_true, y_proba)
    for k in range(3):
        above = y_proba[:, k + 1 :].sum(axis=1)
        expected = IsotonicRegression().fit_transform(above, y_true > k)
        order = np.argsort(above)
        assert display.forecast[k] == pytest.approx(above[order])
        assert display.recalibrated[k] == pytest.approx(expected[order])


# Forecasts of three classes, each made three times, and what happened.
FORECASTS = np.repeat(
    [[0.7, 0.2, 0.1], [0.5, 0.3, 0.2], [0.3, 0.4, 0.3], [0.1, 0.2, 0.7]], 3, axis=0
)
HAPPENED = [0, 1, 1, 0, 0, 2, 0, 1, 2, 2, 2, 1]


def test_worked_example():
    display = display_of(HAPPENED, FORECASTS)
    # Pool-adjacent-violators by hand, of P(y <= k): .5 .5 1/3 0 and 1 2/3 2/3 1/3.
    assert display.forecast[0] == pytest.approx([0.3, 0.5, 0.7, 0.9])
    assert display.recalibrated[0] == pytest.approx([1 / 2, 1 / 2, 2 / 3, 1])
    assert display.forecast[1] == pytest.approx([0.1, 0.2, 0.3, 0.7])
    assert display.recalibrated[1] == pytest.approx([0, 1 / 3, 1 / 3, 2 / 3])


@pytest.mark.parametrize(("probability", "n_samples"), [(0.3, 40), (0.8, 25)])
@pytest.mark.parametrize("confidence_level", [0.5, 0.9])
def test_the_band_of_a_single_forecast_is_binomial(probability, n_samples, confidence_level):
    y_proba = np.tile([1 - probability, probability], (n_samples, 1))
    display = display_of(
        np.arange(n_samples) % 2,
        y_proba,
        n_resamples=4000,
        confidence_level=confidence_level,
    )
    tail = (1 - confidence_level) / 2
    expected = binom.ppf([tail, 1 - tail], n_samples, probability) / n_samples
    found = [display.band_low[0][0], display.band_high[0][0]]
    # By one sample more or less, where a quantile is at a step.
    assert found == pytest.approx(expected, abs=1.01 / n_samples)


def test_the_band_does_not_depend_on_what_happened():
    y_true, y_proba, _ = sample()
    one, other = display_of(y_true, y_proba), display_of(3 - y_true, y_proba)
    for k in range(3):
        assert (one.band_low[k] == other.band_low[k]).all()
        assert (one.band_high[k] == other.band_high[k]).all()
    assert not np.allclose(one.recalibrated[0], other.recalibrated[0])


def test_certain_forecasts_have_a_band_without_width():
    display = display_of([0, 1, 2, 0], np.eye(3)[[0, 1, 2, 1]])
    for k in range(2):
        assert display.band_low[k].tolist() == display.band_high[k].tolist() == [0, 1]


def test_calibrated_forecasts_are_in_the_band_and_others_are_not():
    rng = np.random.default_rng(0)
    y_proba = rng.dirichlet(np.ones(3), 1500)
    y_true = (rng.random((1500, 1)) > np.cumsum(y_proba, axis=1)).sum(axis=1)

    def share_inside(forecasts):
        display = display_of(y_true, forecasts, n_resamples=200, confidence_level=0.9)
        assert len(display.band_forecast[0]) == 201
        inside = []
        for k in range(2):
            at = np.searchsorted(display.forecast[k], display.band_forecast[k])
            curve = display.recalibrated[k][at]
            inside.append((display.band_low[k] <= curve) & (curve <= display.band_high[k]))
        return np.mean(inside)

    assert share_inside(y_proba) > 0.75
    overconfident = y_proba**3 / (y_proba**3).sum(axis=1, keepdims=True)
    assert share_inside(overconfident) < 0.4


def test_the_band_is_the_same_for_the_same_seed():
    y_true, y_proba, _ = sample()
    bands = [display_of(y_true, y_proba, random_state=seed).band_low[1] for seed in (0, 0, 1)]
    assert (bands[0] == bands[1]).all()
    assert (bands[0] != bands[2]).any()


def test_weights_are_repetitions_for_the_curves_and_the_histogram():
    y_true, y_proba, weight = sample()
    weighted = display_of(y_true, y_proba, sample_weight=weight)
    repeated = display_of(np.repeat(y_true, weight), np.repeat(y_proba, weight, axis=0))
    for k in range(3):
        assert weighted.forecast[k] == pytest.approx(repeated.forecast[k])
        assert weighted.recalibrated[k] == pytest.approx(repeated.recalibrated[k])
        heights = [[bar.get_height() for bar in d.bars_[k]] for d in (weighted, repeated)]
        assert heights[0] == pytest.approx(heights[1])


def test_the_bars_are_the_histogram_of_the_forecasts():
    y_true, y_proba, _ = sample()
    display = display_of(y_true, y_proba)
    for k in range(3):
        above = np.round(y_proba[:, k + 1 :].sum(axis=1), 12)
        counts, _ = np.histogram(above, bins=20, range=(0, 1))
        heights = np.array([bar.get_height() for bar in display.bars_[k]])
        assert heights / heights.max() == pytest.approx(counts / counts.max())


def test_each_panel_says_which_threshold_and_the_axis_says_which_probability():
    display = display_of(HAPPENED, FORECASTS, target_names=["low", "mid", "high"])
    assert [panel.get_title() for panel in display.axes_] == ["above 'low'", "above 'mid'"]
    assert [panel.get_xlabel() for panel in display.axes_] == ["Forecast P(y > k)"] * 2
    assert [panel.get_ylabel() for panel in display.axes_] == ["Observed share of y > k", ""]
    legend = display.figure_.axes[-1].get_legend()
    texts = [text.get_text() for text in legend.get_texts()]
    assert texts == ["isotonic regression", "95% consistency band", "forecasts"]


def test_a_threshold_that_nothing_exceeds_has_a_curve_of_zeros():
    display = display_of([0, 1, 1], np.full((3, 3), 1 / 3), labels=range(3))
    assert display.recalibrated[1].tolist() == [0]
    draw(display)


@pytest.mark.parametrize("leaves_out", ["", "fair"])
def test_the_columns_of_an_estimator_are_those_of_its_classes(leaves_out):
    X, y = load_lev(return_X_y=True)
    X, y = np.asarray(X, dtype=float), np.asarray(y)
    y = np.array(NAMES, dtype=object)[y - y.min()]
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(
        X[y != leaves_out], y[y != leaves_out]
    )
    assert list(model.classes_) != NAMES
    columns = dict(zip(model.classes_, model.predict_proba(X).T, strict=True))
    y_proba = np.column_stack([columns.get(name, np.zeros(len(X))) for name in NAMES])
    display = ThresholdCalibrationDisplay.from_estimator(
        model, X, y, labels=NAMES, n_resamples=3, random_state=0
    )
    expected = display_of(y, y_proba, labels=NAMES)
    for k in range(4):
        assert display.forecast[k] == pytest.approx(expected.forecast[k])
        assert display.recalibrated[k] == pytest.approx(expected.recalibrated[k])
        assert display.band_high[k] == pytest.approx(expected.band_high[k])


def test_an_estimator_without_probabilities_raises():
    model = RidgeClassifier().fit([[0], [1], [2]], [0, 1, 2])
    with pytest.raises(ValueError, match="must have predict_proba, but RidgeClassifier does not"):
        ThresholdCalibrationDisplay.from_estimator(model, [[0], [1], [2]], [0, 1, 2])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_resamples": 0}, "n_resamples must be a positive integer"),
        ({"confidence_level": 95}, "confidence_level must be a number between 0 and 1"),
        ({"random_state": "a"}, "random_state must be None, an integer"),
        ({"target_names": ["a"]}, "target_names must name each of the 3 classes"),
    ],
)
def test_invalid_options_raise(options, message):
    with pytest.raises(ValueError, match=message):
        display_of(HAPPENED, FORECASTS, **options)


def test_invalid_evidence_raises():
    scores = OrdinalScores.from_scores([0, 1], [0.1, 0.2])
    with pytest.raises(ValueError, match="must be OrdinalForecasts, got OrdinalScores"):
        ThresholdCalibrationDisplay(scores)
    forecasts = OrdinalForecasts.from_probabilities([0, 0], [[1.0], [1.0]])
    with pytest.raises(ValueError, match="y_true must have at least two classes"):
        ThresholdCalibrationDisplay(forecasts)


@pytest.mark.parametrize("n_classes", [2, 12])
def test_a_new_figure_has_room_for_its_panels(n_classes):
    y_true, y_proba, _ = sample(n_classes)
    display = display_of(
        y_true, y_proba, labels=range(n_classes), target_names=LONG_NAMES[:n_classes]
    )
    assert overlapping(draw(display)) == []
    assert len(display.axes_) == n_classes - 1
    assert all(
        min(panel.get_window_extent().size) > 0.8 * display.figure_.dpi for panel in display.axes_
    )


def test_panels_replace_the_given_axes():
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
    display = ThresholdCalibrationDisplay.from_predictions(HAPPENED, FORECASTS, ax=right)
    assert display.ax_ is right
    assert display.figure_ is figure
    assert not right.axison
    assert left.axison
    assert overlapping(draw(display)) == []
