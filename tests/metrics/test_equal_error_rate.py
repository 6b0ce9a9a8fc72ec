"""Equal error rate, against worked values, scikit-learn's error rates and a brute-force hull."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import det_curve, roc_curve

from sklearn_ordinal.metrics import equal_error_rate

METHODS = pytest.mark.parametrize("method", ["polyline", "hull"])
samples = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 6), st.integers(1, 3)), min_size=2, max_size=12
).filter(lambda rows: {true for true, _, _ in rows} == {0, 1})


def error_rates(y_true, y_score, weight=None):
    """False positives and false negatives of every cut, (0, 1) and (1, 0) included."""
    fpr, tpr, _ = roc_curve(y_true, y_score, sample_weight=weight, drop_intermediate=False)
    return fpr, 1 - tpr


def on_segments(points):
    """Equal error rates on the segments between pairs of points."""
    for (x, y), (u, v) in points:
        before, after = x - y, u - v
        if before < 0 <= after:
            step = before / (before - after)
            yield x + step * (u - x)


def polyline_rate(y_true, y_score, weight=None):
    cuts = list(zip(*error_rates(y_true, y_score, weight), strict=True))
    return min(on_segments(pairwise(cuts)))


def hull_rate(y_true, y_score, weight=None):
    cuts = list(zip(*error_rates(y_true, y_score, weight), strict=True))
    return min(on_segments(product(cuts, repeat=2)))


def test_the_polyline_and_its_hull_have_other_rates():
    y_true, y_score = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
    assert equal_error_rate(y_true, y_score).tolist() == [0.5]
    assert equal_error_rate(y_true, y_score, method="hull").tolist() == [0.25]


def test_lines_are_straight_in_the_rates_and_not_in_normal_deviates():
    # The cuts next to equal errors have the rates (0.1, 0.4) and (0.3, 0.1).
    y_true, y_score = [0, 0, 0, 1, 1, 1], [3, 2, 1, 3, 2, 1]
    weight = [1, 2, 7, 6, 3, 1]
    x, y, u, v = norm.ppf([0.1, 0.4, 0.3, 0.1])
    step = (x - y) / ((x - y) - (u - v))
    assert norm.cdf(x + step * (u - x)) == pytest.approx(0.1989, abs=5e-5)
    rate = equal_error_rate(y_true, y_score, sample_weight=weight)
    assert rate == pytest.approx([0.22])


@given(rows=samples)
def test_the_rate_is_on_the_error_rates_of_scikit_learn(rows):
    y_true, y_score, weight = np.array(rows).T
    for method, expected in [("polyline", polyline_rate), ("hull", hull_rate)]:
        for weights in (None, weight):
            value = equal_error_rate(y_true, y_score, sample_weight=weights, method=method)
            expected_value = expected(y_true, y_score, weights)
            assert value == pytest.approx([expected_value], abs=1e-12), method


def test_the_rate_is_on_the_detection_error_tradeoff_of_scikit_learn():
    rng = np.random.default_rng(2)
    y_true = rng.integers(4, size=300)
    y_score, weight = y_true + rng.normal(scale=2, size=300), rng.random(300)
    rates = equal_error_rate(y_true, y_score, sample_weight=weight)
    for k, rate in enumerate(rates):
        fpr, fnr, _ = det_curve(y_true > k, y_score, sample_weight=weight)
        cuts = list(zip(fpr[::-1], fnr[::-1], strict=True))
        assert rate == pytest.approx(min(on_segments(pairwise(cuts))))


@METHODS
def test_each_threshold_has_its_own_rate(method):
    rng = np.random.default_rng(0)
    y_true = rng.integers(5, size=200)
    y_score = np.round(y_true + rng.normal(scale=2, size=200), 1)
    weight = rng.integers(0, 3, size=200)
    rates = equal_error_rate(y_true, y_score, sample_weight=weight, method=method)
    expected = hull_rate if method == "hull" else polyline_rate
    np.testing.assert_allclose(rates, [expected(y_true > k, y_score, weight) for k in range(4)])
    repeated = np.repeat(y_true, weight), np.repeat(y_score, weight)
    np.testing.assert_allclose(rates, equal_error_rate(*repeated, method=method))
    reversed_rates = equal_error_rate(4 - y_true, -y_score, sample_weight=weight, method=method)
    np.testing.assert_allclose(reversed_rates[::-1], rates)


@METHODS
@pytest.mark.parametrize("size", [1e-30, 1e-16, 1e24])
def test_the_weights_of_one_side_do_not_hide_those_of_the_other(method, size):
    y_true, y_score = np.array([0, 0, 1, 0, 1, 1]), [0, 1, 2, 3, 4, 5]
    weight = np.where(y_true == 1, size, 1.0)
    rate = equal_error_rate(y_true, y_score, sample_weight=weight, method=method)
    assert rate == pytest.approx(equal_error_rate(y_true, y_score, method=method), rel=1e-12)


@METHODS
def test_perfect_constant_and_reversed_scores(method):
    y_true = np.array([0, 0, 1, 1, 1, 2, 2])
    assert equal_error_rate(y_true, y_true, method=method).tolist() == [0, 0]
    assert equal_error_rate(y_true, np.arange(7), method=method).tolist() == [0, 0]
    assert equal_error_rate(y_true, np.ones(7), method=method).tolist() == [0.5, 0.5]
    expected = [0.5, 0.5] if method == "hull" else [1, 1]
    assert equal_error_rate(y_true, -y_true, method=method) == pytest.approx(expected)


@METHODS
def test_tied_scores_move_together(method):
    # In the order of the rows, the rate would be 0.
    assert equal_error_rate([0, 0, 1, 1], [0, 1, 1, 2], method=method).tolist() == [0.25]


def test_the_hull_is_never_above_the_polyline():
    rng = np.random.default_rng(1)
    for _ in range(50):
        y_true, y_score = rng.integers(4, size=30), rng.normal(size=30)
        options = {"labels": range(4), "sample_weight": rng.random(30)}
        polyline = equal_error_rate(y_true, y_score, **options)
        hull = equal_error_rate(y_true, y_score, method="hull", **options)
        assert (hull <= polyline + 1e-12).all()


@METHODS
def test_a_threshold_with_all_samples_on_one_side_has_no_rate(method):
    y_true, y_score = [0, 0, 2, 2, 4], [1, 3, 2, 4, 5]
    weight = [1, 1, 1, 1, 0]
    with pytest.warns(UndefinedMetricWarning, match="all samples on one side"):
        rates = equal_error_rate(
            y_true, y_score, labels=range(-1, 5), sample_weight=weight, method=method
        )
    rate = equal_error_rate([0, 0, 1, 1], [1, 3, 2, 4], method=method)[0]
    np.testing.assert_array_equal(rates, [np.nan, rate, rate, np.nan, np.nan])


def test_probabilities_are_ranked_by_their_expected_position():
    y_true = [0, 1, 2, 1]
    y_proba = [[0.7, 0.2, 0.1], [0.2, 0.3, 0.5], [0.0, 0.1, 0.9], [0.5, 0.4, 0.1]]
    expected = equal_error_rate(y_true, [0.4, 1.3, 1.9, 0.6])
    np.testing.assert_array_equal(equal_error_rate(y_true, y_proba), expected)


@pytest.mark.parametrize(
    ("y_score", "options", "message"),
    [
        ([0, 1], {"method": "det"}, "method must be one of"),
        ([0, 1, 2], {}, "y_true and y_score must have the same length"),
        ([0, np.inf], {}, "y_score must be finite"),
        ([0, 1], {"sample_weight": [1, -1]}, "sample_weight must not be negative"),
    ],
)
def test_wrong_input_is_an_error_that_names_the_argument(y_score, options, message):
    with pytest.raises(ValueError, match=message):
        equal_error_rate([0, 1], y_score, **options)
