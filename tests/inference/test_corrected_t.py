"""The corrected resampled t interval and test, checked against SciPy, baycomp and by hand."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from sklearn_ordinal.inference import Interval, corrected_t_interval, corrected_t_test

A = [0.71, 0.74, 0.69, 0.73, 0.75]
B = [0.66, 0.70, 0.67, 0.66, 0.70]
SIZES = {"n_train": 80, "n_test": 20}
folds = st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 1000)), min_size=3, max_size=30)


@settings(deadline=None)
@given(folds, st.integers(1, 10_000), st.integers(1, 10_000), st.floats(0.01, 0.99))
def test_corrected_test_is_the_paired_test_of_scipy_with_a_wider_standard_error(
    rows, n_train, n_test, level
):
    a, b = np.array(rows).T / 1000
    assume(np.ptp(a - b) > 1e-9)
    widening = math.sqrt(1 + len(rows) * n_test / n_train)
    theirs = stats.ttest_rel(a, b)
    ends = theirs.confidence_interval(level)
    ours = corrected_t_test(a, b, n_train=n_train, n_test=n_test, confidence_level=level)
    assert ours.estimate == pytest.approx((a - b).mean())
    assert ours.high - ours.low == pytest.approx((ends.high - ends.low) * widening)
    assert ours.high + ours.low == pytest.approx(ends.high + ends.low)
    corrected = 2 * stats.t.sf(abs(theirs.statistic) / widening, len(rows) - 1)
    assert ours.pvalue == pytest.approx(corrected)


def test_pvalue_is_twice_the_smaller_posterior_probability_of_baycomp():
    # baycomp 1.0.3: two_on_single(A, B, rope=0) -> 0.9902384018089413, 0.009761598191058707
    assert corrected_t_test(A, B, **SIZES).pvalue == pytest.approx(2 * 0.009761598191058707)


@settings(deadline=None)
@given(folds)
def test_interval_of_scores_equals_interval_of_differences_from_zero(rows):
    scores = np.array(rows)[:, 0] / 1000
    difference = corrected_t_test(scores, np.zeros(len(rows)), **SIZES)
    interval = corrected_t_interval(scores, **SIZES)
    assert (interval.estimate, interval.low, interval.high) == (
        difference.estimate,
        difference.low,
        difference.high,
    )


@settings(deadline=None)
@given(folds, st.floats(0.5, 0.99))
def test_interval_contains_zero_exactly_if_the_test_does_not_reject(rows, level):
    a, b = np.array(rows).T / 1000
    result = corrected_t_test(a, b, confidence_level=level, **SIZES)
    if abs(result.pvalue - (1 - level)) > 1e-6:
        assert (result.low <= 0 <= result.high) == (result.pvalue > 1 - level)


def test_fewer_than_three_folds_have_no_interval_and_no_test():
    interval = corrected_t_interval([0.7, np.nan, 0.8], **SIZES)
    assert math.isnan(interval.low)
    assert math.isnan(interval.high)
    assert str(interval) == (
        "0.750 (no 95% interval from fewer than three folds, 1 undefined left out)"
    )
    assert math.isnan(corrected_t_test([0.7, 0.8], [0.6, 0.8], **SIZES).pvalue)


def test_swapping_the_estimators_only_flips_the_sign():
    forth, back = corrected_t_test(A, B, **SIZES), corrected_t_test(B, A, **SIZES)
    assert (forth.estimate, forth.low, forth.high) == (-back.estimate, -back.high, -back.low)
    assert forth.pvalue == back.pvalue


def test_sizes_can_be_means_over_the_folds():
    means = corrected_t_interval(A, n_train=np.mean([80, 80, 79]), n_test=np.float32(20.5))
    exact = corrected_t_interval(A, n_train=239 / 3, n_test=20.5)
    assert means == exact


def test_the_interval_is_not_clipped():
    interval = corrected_t_interval([0.99, 1.0, 0.9], n_train=2, n_test=1)
    assert interval.high > 1


def test_folds_without_a_score_are_left_out_and_counted():
    with_gap = corrected_t_interval([*A, math.nan, math.nan], **SIZES)
    without = corrected_t_interval(A, **SIZES)
    assert with_gap.n_undefined == 2
    assert (with_gap.estimate, with_gap.low) == (without.estimate, without.low)
    difference = corrected_t_test([*A, math.nan, 0.5], [*B, 0.1, math.nan], **SIZES)
    assert difference.n_undefined == 2
    assert difference.pvalue == corrected_t_test(A, B, **SIZES).pvalue


@pytest.mark.parametrize(("scores", "estimate"), [([0.5, math.nan], 0.5), ([math.nan], math.nan)])
def test_too_few_defined_folds_give_an_estimate_without_limits(scores, estimate):
    interval = corrected_t_interval(scores, **SIZES)
    np.testing.assert_equal(interval.estimate, estimate)
    assert math.isnan(interval.low)
    assert math.isnan(interval.high)
    assert interval.n_undefined == 1
    assert interval.method == "corrected t"
    assert math.isnan(corrected_t_test(scores, [0.5] * len(scores), **SIZES).pvalue)


def test_without_folds_the_pvalue_is_nan():
    assert math.isnan(corrected_t_test([], [], **SIZES).pvalue)


def test_identical_scores_do_not_differ():
    result = corrected_t_test(A, A, **SIZES)
    assert (result.estimate, result.low, result.high, result.pvalue) == (0, 0, 0, 1)


def test_a_constant_difference_has_zero_width_and_pvalue_zero():
    result = corrected_t_test([0.5, 0.75, 1.0], [0.25, 0.5, 0.75], **SIZES)
    assert (result.estimate, result.low, result.high, result.pvalue) == (0.25, 0.25, 0.25, 0)


def test_interval_of_equal_scores_has_zero_width():
    # The mean of ten 0.1s is rounded, but the variance must be exactly zero.
    interval = corrected_t_interval([0.1] * 10, **SIZES)
    assert interval.low == interval.estimate == interval.high == pytest.approx(0.1)
    # Nor do rounding errors of the scores give it a width.
    interval = corrected_t_interval([0.1 + 0.2, 0.3, 0.6 / 2, 0.9 - 0.6], **SIZES)
    assert interval.low == interval.estimate == interval.high == pytest.approx(0.3)


def test_results_are_plain_floats():
    interval = corrected_t_interval(np.float32(A), **SIZES)
    assert type(interval.low) is type(interval.estimate) is float
    assert isinstance(interval, Interval)


def test_a_difference_of_losses_has_the_same_numbers_and_favours_the_lower():
    scores = corrected_t_test(A, B, **SIZES)
    losses = corrected_t_test(A, B, greater_is_better=False, **SIZES)
    assert (scores.favours, losses.favours) == ("first", "second")
    assert dataclasses.replace(losses, greater_is_better=True) == scores
    assert corrected_t_test(B, A, greater_is_better=False, **SIZES).favours == "first"
    assert str(losses).startswith("the second is lower by 0.046 (95% interval ")
    assert str(losses).endswith(", p = 0.020; lower is better)")
    assert "The second is lower by 0.046" in losses.to_text()


@pytest.mark.parametrize("scores", [A, [math.nan] * 5], ids=["equal", "undefined"])
def test_a_zero_or_undefined_difference_favours_neither(scores):
    result = corrected_t_test(scores, A, **SIZES)
    assert result.favours is None
    assert not {"first", "second"} & set(f"{result} {result.to_text()}".split())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_train": 0}, "n_train must be a positive number"),
        ({"n_test": math.inf}, "n_test must be a positive number"),
        ({"n_test": [20, 20]}, r"n_test .* such as the mean over the folds, got \[20, 20\]"),
        ({"confidence_level": 95}, "confidence_level must be a number between 0 and 1, got 95"),
        ({"scores": [[0.5]]}, r"scores must be one-dimensional, got shape \(1, 1\)"),
        ({"scores": ["a"]}, "scores must hold numbers"),
        ({"scores": [0.1, math.inf]}, "scores must not be infinite"),
    ],
)
def test_error_messages_name_the_argument(options, message):
    with pytest.raises(ValueError, match=message):
        corrected_t_interval(**{"scores": A, **SIZES, **options})


def test_scores_of_different_folds_raise():
    with pytest.raises(ValueError, match="from the same folds, got 5 and 4"):
        corrected_t_test(A, B[1:], **SIZES)


def test_scores_that_differ_only_by_rounding_are_equal():
    result = corrected_t_test([0.3] * 5, [0.1 + 0.2] * 5, n_train=80, n_test=20)
    assert (result.estimate, result.pvalue) == (0, 1)


def test_standard_errors_are_those_of_nadeau_and_bengio():
    a, b = np.array([0.71, 0.74, 0.69, 0.73, 0.75]), np.array([0.66, 0.70, 0.67, 0.66, 0.70])
    for values, result in (
        (a, corrected_t_interval(a, n_train=80, n_test=20)),
        (a - b, corrected_t_test(a, b, n_train=80, n_test=20)),
    ):
        error = np.sqrt((1 / 5 + 20 / 80) * values.var(ddof=1))
        assert result.standard_error == pytest.approx(error)
        assert result.high - result.estimate == pytest.approx(stats.t.ppf(0.975, 4) * error)


def test_zero_has_no_sign():
    interval = corrected_t_interval([-1e-5, 0, -2e-5], n_train=80, n_test=20)
    assert interval.estimate < 0
    assert str(interval) == "0.000 (95% interval 0.000 to 0.000)"
