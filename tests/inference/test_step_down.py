"""The step-down maximum of t, against plain loops on the same draws and by its error rate."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sklearn_ordinal.inference import step_down_pvalues


def step_down_in_loops(estimates, resampled):
    """Algorithms 4.1 and 4.2 of Romano and Wolf (2005), test by test and step by step."""
    n_resamples = len(resampled[0])
    observed, of_resamples = {}, {}
    for i, j in itertools.combinations(range(len(estimates)), 2):
        difference = estimates[i] - estimates[j]
        drawn = [a - b for a, b in zip(resampled[i], resampled[j], strict=True)]
        mean = sum(drawn) / n_resamples
        deviation = (sum((d - mean) ** 2 for d in drawn) / (n_resamples - 1)) ** 0.5
        observed[i, j] = abs(difference) / deviation
        of_resamples[i, j] = [abs(d - difference) / deviation for d in drawn]
    pvalues = np.full((len(estimates), len(estimates)), np.nan)
    left, last = set(observed), 0.0
    while left:
        pair = max(left, key=observed.get)
        maxima = [max(of_resamples[one][b] for one in left) for b in range(n_resamples)]
        n_as_large = sum(maximum >= observed[pair] for maximum in maxima)
        last = max(last, (1 + n_as_large) / (1 + n_resamples))
        pvalues[pair] = pvalues[pair[::-1]] = last
        left.remove(pair)
    return pvalues


def means_of_resamples(samples, n_resamples, rng):
    """Return the means of samples (n_systems, n), and those of their resamples."""
    n = samples.shape[1]
    weights = rng.multinomial(n, np.full(n, 1 / n), n_resamples)
    return samples.mean(axis=1), samples @ weights.T / n


@pytest.mark.parametrize("n_systems", [2, 3, 7])
@pytest.mark.parametrize("n_at_once", [1, 100, 2**20])
def test_pvalues_are_those_of_plain_loops(n_systems, n_at_once, monkeypatch):
    monkeypatch.setattr("sklearn_ordinal.inference._step_down._NUMBERS_AT_ONCE", n_at_once)
    for seed in range(5):
        rng = np.random.default_rng(seed)
        samples = rng.normal(np.linspace(0, 1.2, n_systems)[:, None], 1, (n_systems, 40))
        estimates, resampled = means_of_resamples(samples, 99, rng)
        np.testing.assert_array_equal(
            step_down_pvalues(estimates, resampled), step_down_in_loops(estimates, resampled)
        )


@given(st.integers(0, 10**6), st.integers(2, 6))
@settings(max_examples=30)
def test_pvalues_fall_with_t_and_do_not_depend_on_order_sign_and_unit(seed, n_systems):
    rng = np.random.default_rng(seed)
    samples = rng.normal(rng.normal(size=(n_systems, 1)), 1, (n_systems, 20))
    estimates, resampled = means_of_resamples(samples, 50, rng)
    pvalues = step_down_pvalues(estimates, resampled)
    np.testing.assert_array_equal(pvalues, pvalues.T)
    order = rng.permutation(n_systems)
    np.testing.assert_array_equal(
        step_down_pvalues(estimates[order], resampled[order]), pvalues[np.ix_(order, order)]
    )
    np.testing.assert_array_equal(step_down_pvalues(3 - 7 * estimates, 3 - 7 * resampled), pvalues)
    first, second = np.triu_indices(n_systems, 1)
    t = np.abs(estimates[first] - estimates[second])
    t /= (resampled[first] - resampled[second]).std(axis=1)
    assert (np.diff(pvalues[first, second][np.argsort(t)]) <= 0).all()


def test_equal_systems_are_not_told_apart_and_a_constant_difference_is():
    resampled = np.random.default_rng(0).normal(size=(1, 199)) + np.array([[0.0], [0.0], [0.5]])
    pvalues = step_down_pvalues(np.array([0.0, 0.0, 0.5]), resampled)
    assert pvalues[0, 1] == 1
    assert pvalues[0, 2] == pvalues[1, 2] == 1 / 200


def test_differences_by_rounding_errors_are_none():
    resampled = np.random.default_rng(0).normal(1, 0.1, size=(1, 99)).repeat(2, axis=0)
    resampled[1] += np.random.default_rng(1).normal(0, 1e-16, 99)
    assert step_down_pvalues(np.array([1.0, 1.0 + 3e-16]), resampled)[0, 1] == 1


def test_systems_and_resamples_without_a_value_are_left_out():
    rng = np.random.default_rng(0)
    estimates, resampled = means_of_resamples(rng.normal(size=(4, 30)), 60, rng)
    expected = step_down_pvalues(estimates[:3], resampled[:3, 10:])
    estimates[3], resampled[3] = np.inf, np.nan
    resampled[0, :5], resampled[2, 5:10] = np.nan, -np.inf
    pvalues = step_down_pvalues(estimates, resampled)
    np.testing.assert_array_equal(pvalues[:3, :3], expected)
    assert np.isnan(pvalues[3]).all()
    assert np.isnan(pvalues[:, 3]).all()


def test_without_two_systems_or_resamples_nothing_is_tested():
    resampled = np.random.default_rng(0).normal(size=(3, 9))
    assert np.isnan(step_down_pvalues(np.array([1, np.nan, np.nan]), resampled)).all()
    resampled[0, 1:] = np.nan
    assert np.isnan(step_down_pvalues(np.arange(3.0), resampled)).all()


def test_the_error_rate_of_equal_systems_is_the_level():
    rng, n_experiments = np.random.default_rng(0), 200
    n_false = 0
    for _ in range(n_experiments):
        # Correlated as predictions for the same samples are.
        samples = rng.normal(size=(10, 100)) + rng.normal(size=100)
        pvalues = step_down_pvalues(*means_of_resamples(samples, 199, rng))
        n_false += np.nanmin(pvalues) <= 0.05
    # Three standard errors are 0.046.
    assert 0.004 <= n_false / n_experiments <= 0.096
