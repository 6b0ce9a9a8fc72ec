"""The Bayesian correlated t-test, checked against baycomp."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sklearn_ordinal.inference import (
    PosteriorProbabilities,
    bayesian_correlated_t_test,
    corrected_t_test,
)

A = [0.71, 0.74, 0.69, 0.73, 0.75, 0.70, 0.72, 0.74, 0.71, 0.76]
B = [0.70, 0.71, 0.70, 0.71, 0.72, 0.70, 0.69, 0.73, 0.70, 0.72]
SIZES = {"n_train": 90, "n_test": 10}


@pytest.mark.parametrize(
    ("rope", "runs", "expected"),
    # baycomp 1.0.3: two_on_single(np.array(A), np.array(B), rope=rope, runs=runs), better first.
    [
        (0.0, 1, (0.9787384517333229, 0.0, 0.021261548266677144)),
        (0.0, 2, (0.9500505361330387, 0.0, 0.04994946386696131)),
        (0.01, 1, (0.8218295980520256, 0.1758931252641741, 0.002277276683800289)),
        (0.01, 2, (0.7652487355368035, 0.22612974474998537, 0.008621519713211123)),
        (0.02, 1, (0.3433413166933153, 0.6563525880257332, 0.00030609528095160154)),
        (0.02, 2, (0.37681585031817594, 0.6216079086474509, 0.0015762410343731492)),
    ],
)
def test_probabilities_match_baycomp(rope, runs, expected):
    n_folds = len(A) // runs
    result = bayesian_correlated_t_test(A, B, n_train=n_folds - 1, n_test=1, rope=rope)
    assert (result.better, result.equivalent, result.worse) == pytest.approx(expected, rel=1e-9)


differences = st.lists(st.integers(-100, 100), min_size=3, max_size=20).map(np.array)


@settings(deadline=None)
@given(differences, st.integers(0, 50))
def test_probabilities_sum_to_one_and_swap_with_the_estimators(difference, rope):
    zero = np.zeros(len(difference))
    forth = bayesian_correlated_t_test(difference, zero, rope=rope, **SIZES)
    back = bayesian_correlated_t_test(zero, difference, rope=rope, **SIZES)
    assert forth.worse + forth.equivalent + forth.better == pytest.approx(1)
    assert min(dataclasses.astuple(forth)) >= 0
    assert (forth.worse, forth.better) == pytest.approx((back.better, back.worse))


@settings(deadline=None)
@given(differences)
def test_with_rope_zero_the_smaller_probability_is_half_the_pvalue(difference):
    assume(np.ptp(difference))
    zero = np.zeros(len(difference))
    posterior = bayesian_correlated_t_test(difference, zero, rope=0, **SIZES)
    test = corrected_t_test(difference, zero, **SIZES)
    assert posterior.equivalent == pytest.approx(0)
    assert min(posterior.worse, posterior.better) == pytest.approx(test.pvalue / 2)


@pytest.mark.parametrize(
    ("difference", "expected"), [(0.25, (0, 0, 1)), (-0.25, (1, 0, 0)), (0.125, (0, 1, 0))]
)
def test_a_constant_difference_has_probabilities_zero_and_one(difference, expected):
    b = np.array([0.5, 0.25, 0.75])
    result = bayesian_correlated_t_test(b + difference, b, rope=0.125, **SIZES)
    assert (result.worse, result.equivalent, result.better) == expected


def test_folds_without_a_score_are_left_out_and_counted():
    with_gaps = bayesian_correlated_t_test([*A, math.nan, 0.1], [*B, 0.5, math.nan], **SIZES)
    without = bayesian_correlated_t_test(A, B, **SIZES)
    assert with_gaps == dataclasses.replace(without, n_undefined=2)


def test_probabilities_are_nan_with_too_few_folds():
    result = bayesian_correlated_t_test([0.5, math.nan], [0.4, 0.3], **SIZES)
    np.testing.assert_equal(dataclasses.astuple(result), (math.nan, math.nan, math.nan, 1))


@pytest.mark.parametrize("rope", [-0.01, math.nan, math.inf, "0.01", None])
def test_an_invalid_rope_raises(rope):
    with pytest.raises(ValueError, match="rope must be a non-negative number"):
        bayesian_correlated_t_test(A, B, rope=rope, **SIZES)


def test_the_text_names_the_probabilities():
    text = str(PosteriorProbabilities(worse=0.012, equivalent=0.145, better=0.843))
    assert text == "worse 0.012, equivalent 0.145, better 0.843"


@pytest.mark.parametrize(
    ("probabilities", "sentence"),
    [
        ((0.012, 0.145, 0.843), "the first is better (probability 0.843)."),
        ((0.5, 0.0, 0.5), "the first is worse or better (probability 0.500 each)."),
        ((0.4, 0.2, 0.4 + 1e-15), "the first is worse or better (probability 0.400 each)."),
    ],
)
def test_the_verdict_names_what_is_most_probable(probabilities, sentence):
    (verdict,) = PosteriorProbabilities(*probabilities).document().verdict
    assert verdict.text == f"Most probably, {sentence}"
