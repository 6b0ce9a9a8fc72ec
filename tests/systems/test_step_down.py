"""The step-down maximum of t, against plain loops on the same draws and by its error rate."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sklearn_ordinal.inference._bootstrap import Influences
from sklearn_ordinal.systems._pair_tests import step_down_tests


def step_down_in_loops(estimates, resampled, errors=None):
    """Algorithms 4.1 and 4.2 of Romano and Wolf (2005), test by test and step by step.

    `errors` has, for each pair, its standard error and those in the resamples.
    """
    n_resamples = len(resampled[0])
    observed, of_resamples = {}, {}
    for i, j in itertools.combinations(range(len(estimates)), 2):
        difference = estimates[i] - estimates[j]
        drawn = [a - b for a, b in zip(resampled[i], resampled[j], strict=True)]
        if errors is None:
            mean = sum(drawn) / n_resamples
            error = (sum((d - mean) ** 2 for d in drawn) / (n_resamples - 1)) ** 0.5
            in_resamples = [error] * n_resamples
        else:
            error, in_resamples = errors[i, j]
        observed[i, j] = abs(difference) / error
        of_resamples[i, j] = [
            abs(d - difference) / e for d, e in zip(drawn, in_resamples, strict=True)
        ]
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


def errors_in_loops(units, times):
    """Return, for each pair, the standard error of the difference and those in resamples.

    `units` has the contribution of each unit to the value of each system; the number of times
    that it is drawn in each resample is in `times`, of shape (n_units, n_resamples).
    """
    found = {}
    for i, j in itertools.combinations(range(len(units)), 2):
        differences = [a - b for a, b in zip(units[i], units[j], strict=True)]
        error = np.std(differences) / len(differences) ** 0.5
        in_resamples = [
            np.std(np.repeat(differences, column)) / len(differences) ** 0.5 for column in times.T
        ]
        found[i, j] = error, [max(one, error / 2**0.5) for one in in_resamples]
    return found


def means_of_resamples(samples, n_resamples, rng):
    """Return the means of samples (n_systems, n), and those of their resamples."""
    estimates, resampled, _ = means_with_influences(samples, n_resamples, rng)
    return estimates, resampled


def means_with_influences(samples, n_resamples, rng, n_at_once=7):
    n = samples.shape[1]
    times = rng.multinomial(n, np.full(n, 1 / n), n_resamples).T
    influences = Influences(
        samples - samples.mean(axis=1, keepdims=True),
        np.ones(n, dtype=int),
        lambda: (times[:, i : i + n_at_once] for i in range(0, n_resamples, n_at_once)),
    )
    return samples.mean(axis=1), samples @ times / n, influences


AT_ONCE = pytest.mark.parametrize("n_at_once", [1, 100, 2**20])


@pytest.mark.parametrize("n_systems", [2, 3, 7])
@AT_ONCE
def test_pvalues_are_those_of_plain_loops(n_systems, n_at_once, monkeypatch):
    monkeypatch.setattr("sklearn_ordinal.systems._pair_tests._NUMBERS_AT_ONCE", n_at_once)
    for seed in range(5):
        rng = np.random.default_rng(seed)
        samples = rng.normal(np.linspace(0, 1.2, n_systems)[:, None], 1, (n_systems, 40))
        estimates, resampled = means_of_resamples(samples, 99, rng)
        np.testing.assert_array_equal(
            step_down_tests(estimates, resampled).pvalues, step_down_in_loops(estimates, resampled)
        )


@pytest.mark.parametrize("n_systems", [2, 5])
@AT_ONCE
def test_standard_errors_of_resamples_are_those_of_plain_loops(n_systems, n_at_once, monkeypatch):
    monkeypatch.setattr("sklearn_ordinal.systems._pair_tests._NUMBERS_AT_ONCE", n_at_once)
    rng = np.random.default_rng(n_systems)
    samples = rng.normal(np.linspace(0, 1.5, n_systems)[:, None], 1, (n_systems, 15))
    # Equal on all units but two, which some resamples do not have.
    samples[1, 2:] = samples[0, 2:]
    estimates, resampled, influences = means_with_influences(samples, 60, rng)
    times = np.concatenate(list(influences.drawn()), axis=1)
    np.testing.assert_array_equal(
        step_down_tests(estimates, resampled, influences).pvalues,
        step_down_in_loops(estimates, resampled, errors_in_loops(samples, times)),
    )


def test_intervals_of_all_differences_contain_zero_unless_the_largest_t_does_not():
    for seed in range(10):
        rng = np.random.default_rng(seed)
        samples = rng.normal(np.linspace(0, 1, 4)[:, None], 1, (4, 25))
        estimates, resampled, influences = means_with_influences(samples, 99, rng)
        found = step_down_tests(estimates, resampled, influences, confidence_level=0.9)
        errors = errors_in_loops(samples, np.concatenate(list(influences.drawn()), axis=1))
        pairs = list(errors)
        shifted = resampled - estimates[:, None]
        maxima = [
            max(abs(shifted[i, b] - shifted[j, b]) / errors[i, j][1][b] for i, j in pairs)
            for b in range(99)
        ]
        # 10% of 99 resamples and the data.
        critical = sorted(maxima)[-10]
        for i, j in pairs:
            margin = found.margins[i, j]
            assert margin == found.margins[j, i] == pytest.approx(critical * errors[i, j][0])
        largest = max(
            pairs, key=lambda pair: abs(np.subtract(*estimates[[*pair]])) / errors[pair][0]
        )
        is_found = abs(np.subtract(*estimates[[*largest]])) > found.margins[largest]
        assert is_found == (found.pvalues[largest] <= 0.1)


def test_intervals_of_all_differences_need_enough_resamples():
    rng = np.random.default_rng(0)
    for n_resamples, is_enough in ((18, False), (19, True)):
        tests = step_down_tests(*means_of_resamples(rng.normal(size=(3, 20)), n_resamples, rng))
        assert np.isfinite(tests.margins[0, 1]) == is_enough


def test_influences_of_values_that_are_not_smooth_are_not_used():
    rng = np.random.default_rng(0)
    samples = rng.normal(size=(3, 30))
    estimates, resampled, influences = means_with_influences(samples, 60, rng)
    expected = step_down_tests(estimates, resampled).pvalues
    for wrong in (0.1, 10, np.nan):
        scaled = Influences(influences.values * wrong, influences.sizes, influences.drawn)
        pvalues = step_down_tests(estimates, resampled, scaled).pvalues
        np.testing.assert_array_equal(pvalues, expected)


def test_standard_errors_do_not_depend_on_the_type_of_the_numbers_of_draws():
    rng = np.random.default_rng(0)
    _, _, influences = means_with_influences(rng.normal(size=(3, 20)), 9, rng)
    # As drawn for probabilities.
    of_bytes = replace(influences, drawn=lambda: (t.astype(np.uint8) for t in influences.drawn()))
    for variances, others in zip(
        influences.variances_in_resamples(), of_bytes.variances_in_resamples(), strict=True
    ):
        np.testing.assert_array_equal(variances, others)


def pvalues_of(estimates, resampled):
    return step_down_tests(estimates, resampled).pvalues


@given(st.integers(0, 10**6), st.integers(2, 6))
@settings(max_examples=30)
def test_pvalues_fall_with_t_and_do_not_depend_on_order_sign_and_unit(seed, n_systems):
    rng = np.random.default_rng(seed)
    samples = rng.normal(rng.normal(size=(n_systems, 1)), 1, (n_systems, 20))
    estimates, resampled = means_of_resamples(samples, 50, rng)
    pvalues = pvalues_of(estimates, resampled)
    np.testing.assert_array_equal(pvalues, pvalues.T)
    order = rng.permutation(n_systems)
    np.testing.assert_array_equal(
        pvalues_of(estimates[order], resampled[order]), pvalues[np.ix_(order, order)]
    )
    np.testing.assert_array_equal(pvalues_of(3 - 7 * estimates, 3 - 7 * resampled), pvalues)
    first, second = np.triu_indices(n_systems, 1)
    t = np.abs(estimates[first] - estimates[second])
    t /= (resampled[first] - resampled[second]).std(axis=1)
    assert (np.diff(pvalues[first, second][np.argsort(t)]) <= 0).all()


def test_equal_systems_are_not_told_apart_and_a_constant_difference_is():
    resampled = np.random.default_rng(0).normal(size=(1, 199)) + np.array([[0.0], [0.0], [0.5]])
    pvalues = pvalues_of(np.array([0.0, 0.0, 0.5]), resampled)
    assert pvalues[0, 1] == 1
    assert pvalues[0, 2] == pvalues[1, 2] == 1 / 200


@pytest.mark.parametrize("unit", [1, 1e6])
def test_differences_by_rounding_errors_are_none(unit):
    resampled = np.random.default_rng(0).normal(1, 0.1, size=(1, 99)).repeat(2, axis=0)
    resampled[1] += np.random.default_rng(1).normal(0, 1e-16, 99)
    assert pvalues_of(unit * np.array([1.0, 1.0 + 3e-16]), unit * resampled)[0, 1] == 1


def test_resamples_that_tie_with_the_estimate_count_as_as_large():
    # Shares of 10 samples: their differences are tenths, whose floats differ by rounding.
    rng, n_resamples = np.random.default_rng(0), 199
    for n_better in (1, 2, 3):
        is_right = np.array([np.arange(10) < 9, np.arange(10) < 9 - n_better], dtype=int)
        n_right = np.array(
            [is_right[:, rng.integers(10, size=10)].sum(axis=1) for _ in range(n_resamples)]
        ).T
        is_as_large = np.abs(n_right[0] - n_right[1] - n_better) >= n_better
        assert (np.abs(n_right[0] - n_right[1] - n_better) == n_better).any()
        pvalues = pvalues_of(is_right.sum(axis=1) / 10, n_right / 10)
        assert pvalues[0, 1] == (1 + np.count_nonzero(is_as_large)) / (1 + n_resamples)


def test_systems_and_resamples_without_a_value_are_left_out():
    rng = np.random.default_rng(0)
    estimates, resampled = means_of_resamples(rng.normal(size=(4, 30)), 60, rng)
    expected = pvalues_of(estimates[:3], resampled[:3, 10:])
    estimates[3], resampled[3] = np.inf, np.nan
    resampled[0, :5], resampled[2, 5:10] = np.nan, -np.inf
    pvalues = pvalues_of(estimates, resampled)
    np.testing.assert_array_equal(pvalues[:3, :3], expected)
    assert np.isnan(pvalues[3]).all()
    assert np.isnan(pvalues[:, 3]).all()


def test_without_two_systems_or_resamples_nothing_is_tested():
    resampled = np.random.default_rng(0).normal(size=(3, 9))
    assert np.isnan(pvalues_of(np.array([1, np.nan, np.nan]), resampled)).all()
    resampled[0, 2:] = np.nan
    assert np.isfinite(pvalues_of(np.arange(3.0), resampled)[0, 1])
    resampled[0, 1:] = np.nan
    assert np.isnan(pvalues_of(np.arange(3.0), resampled)).all()


def test_the_error_rate_of_equal_systems_is_the_level():
    rng, n_experiments = np.random.default_rng(0), 200
    n_false = 0
    for _ in range(n_experiments):
        # Correlated as predictions for the same samples are.
        samples = rng.normal(size=(10, 40)) + rng.normal(size=40)
        tests = step_down_tests(*means_with_influences(samples, 199, rng, n_at_once=199))
        n_false += np.nanmin(tests.pvalues) <= 0.05
    # Three standard errors are 0.046.
    assert 0.004 <= n_false / n_experiments <= 0.096


def test_a_level_near_zero_has_the_shortest_intervals():
    rng = np.random.default_rng(0)
    tests = step_down_tests(np.zeros(2), rng.normal(size=(2, 99)), confidence_level=1e-9)
    assert 0 <= tests.margins[0, 1] < 0.2
