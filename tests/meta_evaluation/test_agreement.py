"""Kendall's tau between criteria, and the ranks of systems."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal.inference._ranks import kendall_tau
from sklearn_ordinal.meta_evaluation import (
    OrdinalSystems,
    discriminative_power,
    metric_coverage,
    metric_robustness,
    rank_agreement,
)

METRICS = ["accuracy", "cem_ord", "ordinal_mean_absolute_error", "kendall_tau_b"]


def make_systems(n_test_cases=6, n_systems=12, n_classes=4, n_samples=15, seed=0):
    """Return systems of different error rates, some of which are equal."""
    rng = np.random.default_rng(seed)
    y_true = rng.integers(0, n_classes, (n_test_cases, 1, n_samples))
    spread = rng.uniform(0.2, 1.5, (n_systems, 1))
    errors = rng.normal(0, spread, (n_test_cases, n_systems, n_samples))
    y_pred = np.clip(np.rint(y_true + errors), 0, n_classes - 1).astype(int)
    y_pred[:, -2:] = y_pred[:, :2]
    pairs = n_classes * y_true + y_pred
    counts = (pairs[..., None] == np.arange(n_classes**2)).sum(axis=2)
    shape = n_test_cases, n_systems, n_classes, n_classes
    return OrdinalSystems.from_counts(counts.reshape(shape))


SYSTEMS = make_systems()


def mean_scores(systems, metrics):
    """Return the mean of each metric over the test cases, higher is better."""
    signs = [-1 if "error" in metric else 1 for metric in metrics]
    values = [systems.evaluate(metric).mean(axis=0) for metric in metrics]
    return np.array(signs)[:, None] * np.array(values)


def test_tau_is_that_of_scipy_for_each_pair_of_criteria():
    agreement = rank_agreement(SYSTEMS, metrics=METRICS)
    # Without differences by rounding, of which SciPy knows nothing.
    scores = mean_scores(SYSTEMS, METRICS).round(9)
    for i, j in np.ndindex(agreement.tau.shape):
        expected = stats.kendalltau(scores[i], scores[j]).statistic
        assert agreement.tau[i, j] == pytest.approx(expected, rel=1e-12)
    assert np.diagonal(agreement.tau).tolist() == [1] * len(METRICS)


def test_ranks_and_values_are_those_of_the_means():
    agreement = rank_agreement(SYSTEMS, metrics=METRICS)
    for criterion, scores in enumerate(mean_scores(SYSTEMS, METRICS).round(9)):
        expected = [1 + np.sum(scores > one) + (np.sum(scores == one) - 1) / 2 for one in scores]
        assert agreement.ranks[:, criterion].tolist() == expected
        sign = -1 if "error" in METRICS[criterion] else 1
        np.testing.assert_allclose(agreement.values[:, criterion], sign * scores, atol=1e-9)


def test_large_numbers_of_pairs_are_processed_in_parts(monkeypatch):
    expected = rank_agreement(SYSTEMS, metrics=METRICS)
    monkeypatch.setattr("sklearn_ordinal.inference._ranks._SIGNS_AT_ONCE", 7)
    np.testing.assert_array_equal(rank_agreement(SYSTEMS, metrics=METRICS).tau, expected.tau)


RANKS = arrays(
    np.int64, st.tuples(st.integers(2, 9), st.integers(2, 5)), elements=st.integers(-4, 4)
)


@settings(max_examples=60, deadline=None)
@given(RANKS)
def test_tau_is_invariant_to_increasing_functions_and_changes_its_sign_with_the_order(ranks):
    tau = kendall_tau(ranks.astype(float).T)
    np.testing.assert_array_equal(kendall_tau(np.exp(ranks.T / 2)), tau)
    np.testing.assert_array_equal(kendall_tau(ranks.T.astype(float) ** 3 + ranks.T), tau)
    np.testing.assert_array_equal(tau, tau.T)
    signs = np.where(np.arange(ranks.shape[1]) == 0, -1.0, 1.0)
    first_reversed = kendall_tau((signs * ranks).T)
    np.testing.assert_array_equal(first_reversed[0, 1:], -tau[0, 1:])
    np.testing.assert_array_equal(first_reversed[1:, 1:], tau[1:, 1:])
    is_constant = np.ptp(ranks, axis=0) == 0
    np.testing.assert_array_equal(np.isnan(tau), is_constant[:, None] | is_constant)


def test_an_increasing_function_of_a_metric_orders_the_systems_like_the_metric():
    def growth_score(y_true, y_pred):
        return np.exp(3 * np.mean(np.asarray(y_true) == np.asarray(y_pred)))

    def flipped_error(y_true, y_pred):
        return np.mean(np.asarray(y_true) == np.asarray(y_pred))

    systems = make_systems(n_test_cases=1)
    agreement = rank_agreement(systems, metrics=["accuracy", growth_score, flipped_error])
    np.testing.assert_array_equal(agreement.tau, [[1, 1, -1], [1, 1, -1], [-1, -1, 1]])


def test_means_that_differ_by_rounding_are_tied():
    # The accuracies 0, 0, 0.3 and 0.1, 0.1, 0.1 have the same mean, but not as floats.
    right = np.array([[0, 1], [0, 1], [3, 1]])
    counts = np.zeros((3, 2, 2, 2), dtype=int)
    counts[..., 0, 0], counts[..., 0, 1] = right, 10 - right
    mean = OrdinalSystems.from_counts(counts).evaluate("accuracy").mean(axis=0)
    assert mean[0] != mean[1]
    agreement = rank_agreement(counts, metrics=["accuracy", "ordinal_mean_absolute_error"])
    assert agreement.ranks.tolist() == [[1.5, 1.5], [1.5, 1.5]]
    assert np.isnan(agreement.tau).all()


def test_a_criterion_that_ties_all_systems_is_undefined():
    counts = np.zeros((1, 3, 3, 3), dtype=int)
    counts[0] = [np.diag([3, 3, 3]) - np.eye(3, dtype=int)] * 3
    counts[0, [0, 1, 2], [0, 0, 0], [0, 1, 2]] += 1
    counts[0, :, [1, 2], [0, 1]] += 1

    def constant_score(y_true, y_pred):  # noqa: ARG001
        return 0.5

    agreement = rank_agreement(
        counts, metrics=["accuracy", constant_score, "ordinal_mean_absolute_error"]
    )
    assert np.isnan(agreement.tau[1]).all()
    assert np.isnan(agreement.tau[:, 1]).all()


def test_undefined_values_are_counted():
    y_true = [0, 0, 1, 1, 2, 2]
    predictions = {"constant": [1] * 6, "good": [0, 0, 1, 2, 2, 2], "bad": [2, 1, 1, 0, 0, 1]}
    systems = OrdinalSystems.from_predictions(y_true, predictions)
    agreement = rank_agreement(systems, metrics=["accuracy", "kendall_tau_b"])
    assert agreement.n_undefined == {"accuracy": 0, "kendall_tau_b": 1}
    # Chance is better than the negative correlation of the bad system.
    assert agreement.ranks[:, 1].tolist() == [2, 1, 3]


@pytest.mark.parametrize(
    ("systems", "metrics", "message"),
    [
        (SYSTEMS.subset(["3"]), METRICS, "systems must have at least 2 systems, got 1"),
        (SYSTEMS, ["accuracy"], "metrics must have at least 2 metrics, got 1"),
        (SYSTEMS, ["accuracy", "neg_log_loss"], "metrics must be computed from predicted classes"),
        (np.zeros((3, 2, 4)), METRICS, "systems: counts must have shape"),
        ({"a": [0, 1], "b": [1, 1]}, METRICS, "got a mapping: pass OrdinalSystems"),
    ],
    ids=["one system", "one metric", "probabilities", "shape", "mapping"],
)
def test_invalid_arguments_raise(systems, metrics, message):
    with pytest.raises(ValueError, match=message) as error:
        rank_agreement(systems, metrics=metrics)
    assert "\n" not in str(error.value)


def test_values_that_are_zero_but_for_rounding_are_ties():
    # Predictions that are independent of the truth: the correlation is 0, or 1e-17 as computed.
    predicted = [[0.2, 0.3, 0.5], [0.1, 0.1, 0.8], [0.7, 0.1, 0.2], [0.5, 0.1, 0.4], [0.5, 0.5, 0]]
    counts = np.rint([10, 20, 30] * np.array(predicted)[..., None]).swapaxes(1, 2).astype(int)
    systems = OrdinalSystems.from_counts([counts, counts])
    metrics = ["pearson_correlation", "mutual_information"]
    assert np.ptp(systems.evaluate("pearson_correlation")) > 0
    agreement = rank_agreement(systems, metrics=metrics)
    np.testing.assert_array_equal(agreement.ranks, 3)
    power = discriminative_power(systems, metrics=metrics, n_resamples=99, random_state=0)
    np.testing.assert_array_equal(power.shares, 0)
    with pytest.warns(UndefinedMetricWarning):
        coverage = metric_coverage(systems, metrics=metrics).coverage
    assert np.isnan([interval.estimate for interval in coverage.values()]).all()
    with pytest.warns(UndefinedMetricWarning):
        halves = metric_robustness(systems, metrics=metrics).halves
    assert np.isnan([interval.estimate for interval in halves.values()]).all()
