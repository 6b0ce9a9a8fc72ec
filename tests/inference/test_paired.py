"""Differences between two systems, checked against SciPy on rows and against enumeration."""

import itertools
import math
import tracemalloc

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal import OrdinalConfusion, metrics, required_samples
from sklearn_ordinal._core.catalogue import metrics_of
from sklearn_ordinal._core.evidence_kinds import LABELS
from sklearn_ordinal._core.lookup import get_metric
from sklearn_ordinal.inference import (
    PairedDifference,
    bootstrap_interval,
    corrected_t_test,
    paired_difference,
)
from tests.inference.units import count_units

METRICS = metrics_of(LABELS)

METHODS = ["bca", "percentile", "basic"]


def two_systems(n_samples=240, n_classes=4, seed=0):
    rng = np.random.default_rng(seed)
    y_true = rng.binomial(n_classes - 1, 0.4, size=n_samples)
    shared = rng.choice([-1, 0, 0, 1], size=n_samples)
    errors = [
        np.where(rng.random(n_samples) < 0.5, shared, rng.choice([0, 0, size], size=n_samples))
        for size in (1, 2)
    ]
    return y_true, *(np.clip(y_true + error, 0, n_classes - 1) for error in errors)


def mae_difference(y_true, pred_a, pred_b, axis=-1):
    return (np.abs(y_true - pred_a) - np.abs(y_true - pred_b)).mean(axis=axis)


def exact_pvalue(name, y_true, pred_a, pred_b, weight=None, clusters=None):
    """Share of all ways to swap the predictions that give at least the observed difference."""
    function = get_metric(name).function
    clusters = np.arange(len(y_true)) if clusters is None else np.asarray(clusters)
    distinct = np.unique(clusters)

    def difference(is_swapped):
        first, second = (
            np.where(is_swapped, b, a) for a, b in ((pred_a, pred_b), (pred_b, pred_a))
        )
        values = [
            function(y_true, y_pred, labels=range(3), sample_weight=weight)
            for y_pred in (first, second)
        ]
        return abs(values[0] - values[1])

    observed = difference(np.zeros(len(y_true), dtype=bool))
    as_large = [
        difference(np.isin(clusters, distinct[list(coins)])) > observed - 1e-9
        for size in range(len(distinct) + 1)
        for coins in itertools.combinations(range(len(distinct)), size)
    ]
    return np.mean(as_large)


@pytest.mark.parametrize("method", METHODS)
def test_interval_matches_scipy_on_rows(method):
    rows = two_systems()
    by_rows = stats.bootstrap(
        rows,
        mae_difference,
        paired=True,
        n_resamples=5_000,
        method=method,
        random_state=np.random.default_rng(1),
    )
    found = paired_difference(*rows, "ordinal_mean_absolute_error", method=method, random_state=0)
    assert isinstance(found, PairedDifference)
    assert found.estimate == pytest.approx(mae_difference(*rows))
    tolerance = 0.25 * by_rows.standard_error
    assert found.low == pytest.approx(by_rows.confidence_interval.low, abs=tolerance)
    assert found.high == pytest.approx(by_rows.confidence_interval.high, abs=tolerance)


def test_the_default_method_is_percentile_for_every_metric():
    options = {"metrics": list(METRICS), "n_resamples": 100, "random_state": 0}
    found = paired_difference(*two_systems(), **options)
    assert found == paired_difference(*two_systems(), **options, method="percentile")
    assert {each.method for each in found.values()} == {"percentile"}


def test_pvalue_matches_scipys_permutation_test_on_rows():
    y_true, pred_a, pred_b = two_systems(seed=1)
    errors = np.abs(y_true - pred_a), np.abs(y_true - pred_b)

    def statistic(a, b, axis):
        return a.mean(axis=axis) - b.mean(axis=axis)

    by_rows = stats.permutation_test(
        errors,
        statistic,
        permutation_type="samples",
        vectorized=True,
        n_resamples=5_000,
        random_state=np.random.default_rng(1),
    )
    found = paired_difference(
        y_true, pred_a, pred_b, "ordinal_mean_absolute_error", n_resamples=20_000, random_state=0
    )
    assert 0.01 < by_rows.pvalue < 0.9
    assert found.pvalue == pytest.approx(by_rows.pvalue, abs=0.02)


TINY = (
    np.array([0, 1, 2, 2, 1, 0, 2, 1, 1]),
    np.array([0, 1, 2, 2, 1, 1, 2, 1, 0]),
    np.array([1, 1, 1, 2, 0, 0, 2, 2, 0]),
)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"clusters": [0, 0, 1, 1, 2, 3, 3, 4, 5]},
        {"sample_weight": [1, 1, 2, 1, 3, 1, 1, 2, 1]},
        {"sample_weight": [1 / 3, 1, 2, 0.1, 3, 1, 1, 2, 1], "clusters": list("aabbcdeef")},
    ],
)
@pytest.mark.parametrize("name", ["cem_ord", "quadratic_weighted_kappa", "kendall_tau_b"])
def test_pvalue_matches_enumerating_all_swaps(name, options):
    exact = exact_pvalue(name, *TINY, options.get("sample_weight"), options.get("clusters"))
    n_trials = 20_000
    found = paired_difference(
        *TINY, name, labels=range(3), n_resamples=n_trials, random_state=0, **options
    )
    assert found.pvalue == pytest.approx(exact, abs=5 * np.sqrt(exact / n_trials))


def test_numbers_of_swaps_among_equal_samples_are_binomial():
    y_true, pred_a, pred_b = [0] * 8, [0] * 8, [1] * 8
    units = count_units(y_true, pred_a, pred_b)
    stacks = list(units.swapped(np.random.default_rng(0), 20_000))
    first, second = (
        np.concatenate([one.counts for one in system]) for system in zip(*stacks, strict=True)
    )
    np.testing.assert_array_equal(first.sum(axis=(1, 2)), 8)
    np.testing.assert_array_equal(first + second, np.full((20_000, 2, 2), [[8, 8], [0, 0]]))
    share = np.bincount(first[:, 0, 0].astype(int), minlength=9) / 20_000
    np.testing.assert_allclose(share, stats.binom(8, 0.5).pmf(range(9)), atol=0.015)


def test_swapping_adds_no_counts_to_cells_without_samples():
    rng = np.random.default_rng(0)
    y_true, pred_a, pred_b = rng.integers(3, size=(3, 12))
    units = count_units(y_true, pred_a, pred_b, labels=range(3), sample_weight=rng.random(12))
    counts = np.concatenate([one.counts for systems in units.swapped(rng, 500) for one in systems])
    possible = np.zeros((3, 3), dtype=bool)
    possible[y_true, pred_a] = possible[y_true, pred_b] = True
    assert (counts[:, ~possible] == 0).all()
    assert (counts >= 0).all()


@pytest.mark.parametrize("name", METRICS)
def test_identical_predictions_have_difference_zero_and_pvalue_one(name):
    y_true, y_pred, _ = two_systems(100)
    found = paired_difference(
        y_true, y_pred, y_pred, name, n_resamples=100, random_state=0, method="bca"
    )
    assert (found.estimate, found.low, found.high, found.pvalue) == (0, 0, 0, 1)


@pytest.mark.parametrize("name", METRICS)
def test_estimate_is_the_difference_of_the_metrics(name):
    y_true, pred_a, pred_b = two_systems()
    options = {"labels": range(4), "n_resamples": 50, "random_state": 0}
    found = paired_difference(y_true, pred_a, pred_b, name, **options, method="percentile")
    values = [
        bootstrap_interval(y_true, y_pred, name, **options, method="percentile").estimate
        for y_pred in (pred_a, pred_b)
    ]
    assert found.estimate == pytest.approx(values[0] - values[1], abs=1e-12)


def test_swapping_the_systems_flips_the_sign():
    y_true, pred_a, pred_b = two_systems()
    forth = paired_difference(y_true, pred_a, pred_b, "cem_ord", random_state=0)
    back = paired_difference(y_true, pred_b, pred_a, "cem_ord", random_state=1)
    assert forth.estimate == pytest.approx(-back.estimate)
    width = forth.high - forth.low
    assert forth.low == pytest.approx(-back.high, abs=0.05 * width)
    assert forth.pvalue == pytest.approx(back.pvalue, abs=0.02)


def test_differences_of_losses_are_not_negated_and_say_which_system_is_better():
    y_true, pred_a, pred_b = two_systems()
    name = "ordinal_mean_absolute_error"
    loss = paired_difference(y_true, pred_a, pred_b, f"neg_{name}", n_resamples=50, random_state=0)
    assert loss.estimate == pytest.approx(mae_difference(y_true, pred_a, pred_b))
    assert loss.estimate < 0
    assert not loss.greater_is_better
    assert loss.favours == "first"
    score = paired_difference(y_true, pred_b, pred_a, "cem_ord", n_resamples=50, random_state=0)
    assert score.greater_is_better
    assert score.favours == "second"


def test_results_are_found_by_scorer_name_or_function():
    rows = two_systems()
    found = paired_difference(
        *rows, ["cem_ord", "neg_ordinal_mean_absolute_error"], n_resamples=50, random_state=0
    )
    for either in ("neg_ordinal_mean_absolute_error", metrics.ordinal_mean_absolute_error):
        assert found[either] is found["ordinal_mean_absolute_error"]


def test_several_metrics_share_their_resamples():
    rows = two_systems()
    asked = ["cem_ord", metrics.ordinal_mean_absolute_error]
    found = paired_difference(*rows, asked, n_resamples=500, random_state=0)
    assert list(found) == ["cem_ord", "ordinal_mean_absolute_error"]
    for name, difference in found.items():
        assert difference == paired_difference(*rows, name, n_resamples=500, random_state=0)


def test_pvalues_are_at_least_one_over_the_number_of_trials_plus_one():
    y_true = [0, 1, 2] * 20
    found = paired_difference(
        y_true, y_true, [*y_true[1:], 0], "cem_ord", n_resamples=99, random_state=0
    )
    assert found.pvalue == 1 / 100


def test_memory_does_not_grow_with_the_cube_of_the_number_of_classes():
    # The joint table of 300 classes would take 216 MB.
    rng = np.random.default_rng(0)
    rows = rng.integers(300, size=(3, 50))
    tracemalloc.start()
    try:
        paired_difference(*rows, "accuracy", labels=range(300), n_resamples=100, random_state=0)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 20e6


@pytest.mark.parametrize(
    "encode",
    [
        lambda y: y + 3,
        lambda y: np.array(["low", "mid", "high", "top"])[y],
        lambda y: pd.Categorical.from_codes(y, ["a", "b", "d", "c"], ordered=True),
    ],
)
def test_difference_does_not_depend_on_the_type_of_labels(encode):
    rows = two_systems()
    labels = ["low", "mid", "high", "top"] if encode(rows[0]).dtype.kind == "U" else None
    options = {"n_resamples": 200, "random_state": 0}
    found = paired_difference(*map(encode, rows), "cem_int", labels=labels, **options)
    assert found == paired_difference(*rows, "cem_int", **options)


def test_the_scale_spans_y_true_and_both_predictions():
    y_true, pred_a, pred_b = [3, 4, 4, 3], [3, 4, 3, 3], [3, 4, 6, 3]
    found = paired_difference(
        y_true, pred_a, pred_b, "ordinal_classification_index", n_resamples=50, random_state=0
    )
    oci = metrics.ordinal_classification_index
    expected = oci(y_true, pred_a, labels=range(3, 7)) - oci(y_true, pred_b, labels=range(3, 7))
    assert found.estimate == pytest.approx(expected)


def test_an_undefined_difference_has_an_undefined_interval_and_pvalue():
    with pytest.warns(UndefinedMetricWarning, match="kendall_tau_b for these samples") as record:
        found = paired_difference([0, 1, 1], [0, 1, 0], [1, 1, 1], "kendall_tau_b", random_state=0)
    assert np.isnan([found.estimate, found.low, found.high, found.pvalue]).all()
    assert record[0].filename == __file__


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"y_pred_b": [0, 1]}, "y_true, y_pred_a and y_pred_b must have the same length"),
        ({"y_pred_a": [0, 1, None, 1]}, "y_pred_a has missing values"),
        ({"y_pred_b": [0.5, 1, 2, 1]}, "y_pred_b must contain classes, got continuous"),
        ({"y_pred_b": [0, 1, 5, 1], "labels": [0, 1, 2]}, "y_pred_b has classes that are not in"),
        ({"y_pred_b": [0, 1, 5000, 1]}, "and y_pred_b hold integers from 0 to 5000"),
        (
            {
                "y_pred_a": pd.Categorical([0, 1, 2, 1], [0, 1, 2], ordered=True),
                "y_pred_b": pd.Categorical([0, 1, 2, 1], [0, 2, 1], ordered=True),
            },
            "y_pred_a and y_pred_b are ordered differently",
        ),
        ({"metrics": "neg_cem"}, "metric must be a known name, got 'neg_cem'"),
        ({"method": "t"}, "method must be one of"),
        ({"confidence_level": 0}, "confidence_level must be a number between 0 and 1"),
        ({"n_resamples": 0.5}, "n_resamples must be a positive integer"),
        ({"clusters": [1, 1, 1, 1]}, "clusters must have at least 2 values"),
        ({"clusters": [1, 1, 1]}, "clusters must have a value for each of the"),
        ({"sample_weight": [1, -1, 1, 1]}, "sample_weight must not be negative"),
    ],
)
def test_errors_name_the_argument_and_what_was_found(options, message):
    arguments = {
        "y_true": [0, 1, 2, 1],
        "y_pred_a": [0, 1, 1, 1],
        "y_pred_b": [0, 1, 2, 1],
        "metrics": "cem_ord",
        **options,
    }
    with pytest.raises(ValueError, match=message):
        paired_difference(**arguments)


def unbounded_loss(y_true, y_pred):
    errors = np.abs(y_true - y_pred)
    return np.inf if (errors > 1).any() else errors.mean()


def test_an_infinite_difference_is_as_large_as_any_other():
    y_true = np.arange(30) % 3
    one_far_off = np.where(np.arange(30) == 0, 2, y_true)
    with pytest.warns(UndefinedMetricWarning, match="Undefined: unbounded_loss"):
        found = paired_difference(
            y_true, one_far_off, y_true, unbounded_loss, n_resamples=99, random_state=0
        )
    # Whichever system has the far-off prediction, the difference is infinite.
    assert found.estimate == np.inf
    assert found.pvalue == 1


class TestSmallestDifference:
    """The smallest difference that the samples show with 80% power."""

    @pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
    def test_a_normal_test_shows_it_with_this_power(self, level):
        power = pytest.importorskip("statsmodels.stats.power")
        difference = paired_difference(*two_systems(), method="delta", confidence_level=level)
        in_errors = difference.smallest_difference / difference.standard_error
        assert power.normal_power(in_errors, nobs=1, alpha=1 - level) == pytest.approx(
            0.8, abs=1e-4
        )
        if level == 0.95:
            assert in_errors == pytest.approx(2.8, abs=0.01)

    @pytest.mark.parametrize("metric", ["cem_ord", "ordinal_mean_absolute_error"])
    def test_the_bootstrap_has_about_the_same(self, metric):
        delta = paired_difference(*two_systems(), metric, method="delta")
        resampled = paired_difference(*two_systems(), metric, random_state=0)
        assert resampled.standard_error == pytest.approx(delta.standard_error, rel=0.04)
        assert resampled.smallest_difference == pytest.approx(delta.smallest_difference, rel=0.04)

    def test_as_many_samples_are_required_for_it(self):
        y_true, first, second = two_systems()
        systems = OrdinalConfusion.from_systems(y_true, {"a": first, "b": second})
        smallest = paired_difference(systems, method="delta").smallest_difference
        result = required_samples(systems, "cem_ord", difference=smallest, random_state=0)
        assert result.n_required == pytest.approx(240, abs=1)

    def test_it_does_not_depend_on_the_observed_difference(self):
        first = PairedDifference(0.01, -0.05, 0.07, 0.95, pvalue=0.7, standard_error=0.03)
        second = PairedDifference(0.0, -0.06, 0.06, 0.95, pvalue=1.0, standard_error=0.03)
        assert first.smallest_difference == second.smallest_difference
        sentence = "; with 80% power, these samples show differences of 0.084 or more)"
        assert str(first).endswith(sentence)
        assert str(second).endswith(sentence)
        assert sentence in " ".join(first.to_text().split())

    def test_a_small_one_is_not_rounded_to_zero(self):
        difference = PairedDifference(0, -1e-4, 1e-4, 0.95, pvalue=1.0, standard_error=5e-5)
        assert "differences of 0.001 or more" in str(difference)

    def test_a_significant_difference_does_not_tell_it(self):
        difference = PairedDifference(0.1, 0.04, 0.16, 0.95, pvalue=0.001, standard_error=0.03)
        assert "power" not in str(difference)

    def test_folds_and_unknown_standard_errors_have_none(self):
        folds = corrected_t_test([0.7, 0.8, 0.6], [0.7, 0.7, 0.7], n_train=80, n_test=20)
        assert math.isnan(folds.smallest_difference)
        assert "power" not in str(folds)
        unknown = PairedDifference(0.01, -0.05, 0.07, 0.95, pvalue=0.7)
        assert math.isnan(unknown.smallest_difference)
        equal = paired_difference([0, 1, 2], [0, 1, 1], [0, 1, 1], n_resamples=99, random_state=0)
        assert "power" not in str(equal)


@pytest.mark.parametrize("method", ["percentile", "delta"])
def test_a_margin_is_compared_with_the_interval(method):
    truth = np.arange(400) % 4
    first = np.where(np.arange(400) % 8 < 1, (truth + 1) % 4, truth)
    second = np.where(np.arange(400) % 9 < 1, (truth + 1) % 4, truth)
    for metric, sign in (("accuracy", 1), ("ordinal_mean_absolute_error", -1)):
        options = {"method": method, "random_state": 0, "n_resamples": 999}
        plain = paired_difference(truth, first, second, metric, **options)
        loss = sorted(-sign * end for end in (plain.low, plain.high))
        for margin in (0.001, loss[1] - 1e-6, loss[1] + 1e-6, 0.5):
            found = paired_difference(truth, first, second, metric, margin=margin, **options)
            expected = True if loss[0] > margin else False if loss[1] <= margin else None
            assert found.worse_than() is expected
            assert plain.worse_than(margin) is expected
            claim = {
                False: f"the first is not worse by more than {margin:g}: ",
                None: f"these samples cannot tell whether the first is worse by more than "
                f"{margin:g}: ",
            }[expected]
            assert str(found).startswith(claim)
            assert found.to_text().startswith(claim[0].upper() + claim[1:20])
            assert found.to_dict()["margin"] == margin
        poor = np.where(np.arange(400) % 3, 3 - truth, truth)
        worse = paired_difference(truth, poor, truth, metric, margin=0.1, **options)
        assert worse.worse_than()
        assert str(worse).startswith("the first is worse by more than 0.1: the second is")


def test_neither_of_two_biases_is_worse():
    truth = np.arange(100) % 4
    lower = np.maximum(truth - 1, 0)
    difference = paired_difference(truth, lower, truth, "ordinal_bias", method="delta", margin=0.1)
    assert difference.worse_than() is None
    assert "worse" not in str(difference)
