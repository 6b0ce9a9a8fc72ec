"""Discriminative power: the tests of pairs by their definitions, shares and bad input."""

from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats

from sklearn_ordinal._core.resampling import UnitDraws
from sklearn_ordinal.inference import holm_correction
from sklearn_ordinal.meta_evaluation import (
    OrdinalSystems,
    discriminative_power,
    make_ordinal_systems,
)
from sklearn_ordinal.metrics import cem_ord_score, kendall_tau_score, ordinal_mean_absolute_error

METRICS = ["cem_ord", "ordinal_mean_absolute_error", "kendall_tau_b"]
FUNCTIONS = [cem_ord_score, ordinal_mean_absolute_error, kendall_tau_score]
N_RESAMPLES = 60


def synthetic(n_test_cases=8, n_samples=30, **options):
    return make_ordinal_systems(
        n_test_cases=n_test_cases,
        n_samples=n_samples,
        n_classes=5,
        error_rates=[0.3, 0.5],
        kinds=["rand", "prox"],
        random_state=0,
        **options,
    )


def from_values(values):
    """Return systems with an accuracy of (n_test_cases, n_systems), in hundredths."""
    right = np.rint(100 * np.asarray(values)).astype(int)
    counts = np.zeros((*right.shape, 2, 2), dtype=int)
    counts[..., 0, 0], counts[..., 0, 1] = right, 100 - right
    return counts


def absolute_t(differences):
    """Return |t|, 0 if all differences are 0."""
    if np.allclose(differences, 0, atol=1e-12):
        return 0.0
    if np.allclose(differences, differences[0], atol=1e-12):
        return np.inf
    return abs(stats.ttest_1samp(differences, 0).statistic)


def test_test_cases_are_drawn_as_in_the_definition():
    systems = synthetic()
    draws = UnitDraws(8)(np.random.default_rng(1), N_RESAMPLES)
    resamples = [np.repeat(np.arange(8), times) for times in draws]
    found = discriminative_power(
        systems, metrics=METRICS, n_resamples=N_RESAMPLES, random_state=np.random.default_rng(1)
    )
    for metric, pvalues in zip(METRICS, found.pvalues, strict=True):
        values = systems.evaluate(metric)
        expected = np.ones((4, 4))
        for a, b in combinations(range(4), 2):
            differences = values[:, a] - values[:, b]
            shifted = differences - differences.mean()
            n_as_large = sum(
                absolute_t(shifted[rows]) >= absolute_t(differences) for rows in resamples
            )
            expected[a, b] = expected[b, a] = (1 + n_as_large) / (1 + N_RESAMPLES)
        np.testing.assert_allclose(pvalues, expected)


def test_pvalues_are_those_of_all_resamples_of_few_test_cases():
    values = np.array([[0.7, 0.6], [0.8, 0.6], [0.6, 0.55], [0.7, 0.71]])
    found = discriminative_power(
        from_values(values), metrics="accuracy", n_resamples=40_000, random_state=0
    )
    differences = values[:, 0] - values[:, 1]
    shifted = differences - differences.mean()
    every = [absolute_t(shifted[list(rows)]) for rows in product(range(4), repeat=4)]
    exact = np.mean(np.array(every) >= absolute_t(differences))
    assert found.pvalues[0, 0, 1] == pytest.approx(exact, abs=0.01)


def test_pvalues_are_close_to_those_of_the_t_test_for_many_test_cases():
    values = np.clip(np.random.default_rng(0).normal([0.5, 0.52, 0.54], 0.1, (100, 3)), 0, 1)
    found = discriminative_power(from_values(values), metrics="accuracy", random_state=0)
    for a, b in combinations(range(3), 2):
        expected = stats.ttest_rel(values[:, a].round(2), values[:, b].round(2)).pvalue
        assert found.pvalues[0, a, b] == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize("at_once", [2**20, 1])
def test_samples_are_drawn_as_in_the_definition(monkeypatch, at_once):
    monkeypatch.setattr(
        "sklearn_ordinal.meta_evaluation._discriminative_power._CELLS_AT_ONCE", at_once
    )
    systems = synthetic(n_test_cases=3)
    predictions, rng = systems.predictions, np.random.default_rng(2)
    parts = [N_RESAMPLES] if at_once > 1 else [1] * N_RESAMPLES
    # Of shape (n_test_cases, n_resamples, n_samples).
    draws = np.concatenate([[UnitDraws(30)(rng, size) for _ in range(3)] for size in parts], axis=1)

    def mean_of_test_cases(function, system, times):
        values = []
        for test_case in range(3):
            rows = np.flatnonzero(predictions.test_case == test_case)
            rows = np.repeat(rows, times[test_case])
            y_true, y_pred = predictions.y_true[rows], predictions.y_pred[system, rows]
            values.append(function(y_true, y_pred, labels=range(5)))
        return np.mean(values)

    found = discriminative_power(
        systems,
        metrics=METRICS,
        unit="samples",
        n_resamples=N_RESAMPLES,
        random_state=np.random.default_rng(2),
    )
    once = np.ones((3, 30), dtype=int)
    for function, pvalues in zip(FUNCTIONS, found.pvalues, strict=True):
        observed, *resampled = (
            np.array([mean_of_test_cases(function, system, times) for system in range(4)])
            for times in [once, *np.moveaxis(draws, 1, 0)]
        )
        differences = observed[:, None] - observed
        of_resamples = np.array([values[:, None] - values for values in resampled])
        is_as_large = np.abs(of_resamples - differences) >= np.abs(differences) - 1e-9
        np.testing.assert_allclose(pvalues, (1 + is_as_large.sum(axis=0)) / (1 + N_RESAMPLES))


def test_pvalues_of_samples_are_close_to_those_of_a_test_of_paired_proportions():
    rng = np.random.default_rng(1)
    is_right = rng.random((3, 1000)) < [[0.6], [0.63], [0.65]]
    systems = OrdinalSystems.from_predictions(np.zeros(1000, int), (~is_right).T.astype(int))
    found = discriminative_power(systems, metrics="accuracy", unit="samples", random_state=0)
    for a, b in combinations(range(3), 2):
        difference = is_right[a].astype(int) - is_right[b]
        z = difference.mean() / (difference.std() / np.sqrt(1000))
        assert found.pvalues[0, a, b] == pytest.approx(2 * stats.norm.sf(abs(z)), abs=0.03)


@pytest.mark.parametrize("unit", ["test cases", "samples"])
def test_systems_that_are_the_same_are_never_separated(unit):
    y_true = np.random.default_rng(0).integers(4, size=60)
    same = (y_true + (np.arange(60) % 3 == 0)) % 4
    systems = OrdinalSystems.from_predictions(
        y_true, {"a": same, "b": same}, test_cases=np.arange(60) % 4
    )
    found = discriminative_power(systems, unit=unit, n_resamples=199, random_state=0)
    np.testing.assert_array_equal(found.pvalues, 1)
    assert not found.shares.any()
    assert np.isnan(found.separating_differences).all()


@pytest.mark.parametrize("unit", ["test cases", "samples"])
def test_a_system_that_is_always_better_is_always_separated(unit):
    y_true = np.tile(np.arange(4), 20)
    systems = OrdinalSystems.from_predictions(
        y_true,
        {"right": y_true, "next": (y_true + 1) % 4, "wrong": 3 - y_true},
        test_cases=np.repeat(range(4), 20),
    )
    metrics = ["accuracy", "ordinal_mean_absolute_error"]
    found = discriminative_power(
        systems, metrics=metrics, unit=unit, n_resamples=199, random_state=0
    )
    # The two wrong systems have the same accuracy.
    smallest = 1 / 200
    np.testing.assert_array_equal(
        found.pvalues[0], [[1, smallest, smallest], [smallest, 1, 1], [smallest, 1, 1]]
    )
    np.testing.assert_allclose(found.shares, [2 / 3, 1])
    np.testing.assert_allclose(found.adjusted_shares, [2 / 3, 1])
    np.testing.assert_allclose(found.separating_differences, [1, 0.5])


def test_all_metrics_share_the_resamples():
    systems = synthetic()
    options = {"n_resamples": 99, "random_state": 0}
    both = discriminative_power(systems, metrics=METRICS, **options)
    alone = discriminative_power(systems, metrics=METRICS[2], **options)
    np.testing.assert_array_equal(both.pvalues[2], alone.pvalues[0])


def test_shares_are_of_pairs_at_the_level_also_after_holms_correction():
    systems, pairs = synthetic(4, n_samples=15), np.triu_indices(4, k=1)
    for alpha in (0.05, 0.2):
        found = discriminative_power(
            systems, metrics=METRICS, alpha=alpha, n_resamples=999, random_state=0
        )
        for metric, pvalues in enumerate(found.pvalues):
            assert found.shares[metric] == np.mean(pvalues[pairs] <= alpha)
            adjusted = holm_correction(pvalues[pairs])
            assert found.adjusted_shares[metric] == np.mean(adjusted <= alpha)
    assert (found.adjusted_shares < found.shares).any()


def test_adjusted_shares_need_enough_resamples():
    y_true = np.tile(np.arange(4), 20)
    predictions = {"right": y_true, "next": (y_true + 1) % 4, "wrong": 3 - y_true}
    systems = OrdinalSystems.from_predictions(
        y_true, predictions, test_cases=np.repeat(range(4), 20)
    )
    options = {"metrics": "ordinal_mean_absolute_error", "random_state": 0}
    # Three pairs times 1 / 60 is the level.
    assert discriminative_power(systems, n_resamples=59, **options).adjusted_shares == [1]
    too_few = discriminative_power(systems, n_resamples=58, **options)
    assert np.isnan(too_few.adjusted_shares)
    assert too_few.shares == [1]


def test_undefined_values_are_counted():
    y_true = np.tile([0, 1, 2, 2], 4)
    systems = OrdinalSystems.from_predictions(
        y_true, {"constant": np.ones(16, int), "right": y_true}, test_cases=np.repeat([0, 1], 8)
    )
    metrics = ["accuracy", "kendall_tau_b"]
    found = discriminative_power(systems, metrics=metrics, n_resamples=19, random_state=0)
    assert found.n_undefined == {"accuracy": 0, "kendall_tau_b": 2}
    assert found.n_undefined_resampled == {"accuracy": 0, "kendall_tau_b": 0}
    found = discriminative_power(
        systems, metrics=metrics, unit="samples", n_resamples=19, random_state=0
    )
    # A resample may have a single class.
    assert found.n_undefined_resampled["kendall_tau_b"] >= 38
    assert found.n_undefined_resampled["accuracy"] == 0


SYSTEMS = synthetic(n_test_cases=2, n_samples=10)
COUNTS = SYSTEMS.confusion.counts


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: discriminative_power(COUNTS[:, :1]), "at least 2 systems, got 1"),
        (
            lambda: discriminative_power(COUNTS[:1]),
            "at least 2 test cases, got 1: resample samples with unit='samples'",
        ),
        (
            lambda: discriminative_power(COUNTS, unit="samples"),
            "predictions of each sample for unit='samples', got counts: pass OrdinalSystems.from_",
        ),
        (
            lambda: discriminative_power(
                OrdinalSystems.from_predictions(
                    [0, 1, 1], {"a": [0, 1, 0], "b": [1, 1, 1]}, test_cases=["x", "y", "y"]
                ),
                unit="samples",
            ),
            "at least 2 samples of each test case for unit='samples', got 1 of 'x'",
        ),
        (lambda: discriminative_power(SYSTEMS, unit="cases"), "unit must be one of"),
        (lambda: discriminative_power(SYSTEMS, alpha=5), "alpha must be a number between 0 and 1"),
        (lambda: discriminative_power(SYSTEMS, n_resamples=0), "n_resamples must be a positive"),
        (lambda: discriminative_power(SYSTEMS, random_state="a"), "random_state must be"),
        (
            lambda: discriminative_power(SYSTEMS, metrics="log_loss"),
            "metrics must be computed from predicted",
        ),
    ],
)
def test_bad_input_is_an_error_that_names_the_argument(make, message):
    with pytest.raises(ValueError, match=message) as error:
        make()
    assert "\n" not in str(error.value)
