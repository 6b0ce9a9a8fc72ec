"""Unanimous improvements, and how well metrics agree with them."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import spearmanr
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal import OrdinalConfusion, get_metric
from sklearn_ordinal.meta_evaluation import (
    OrdinalSystems,
    metric_coverage,
    unanimous_improvement_ratio,
)

RNG = np.random.default_rng(0)
Y_TRUE = RNG.integers(0, 4, 180)
TEST_CASES = np.repeat(np.arange(6), 30)
REFERENCE = ("accuracy", "kendall_tau_a", "mutual_information")
METRICS = ["cem_ord", "ordinal_mean_absolute_error", "accuracy", "kendall_tau_b"]
FEW_GRADES = st.integers(0, 3).map(float)


def predictions(n_systems=7):
    """Return predictions with more and more errors."""
    return {
        f"system {number}": np.where(
            RNG.random(len(Y_TRUE)) < 0.2 + 0.05 * number,
            np.clip(Y_TRUE + RNG.integers(-1, 3, len(Y_TRUE)), 0, 3),
            Y_TRUE,
        )
        for number in range(n_systems)
    }


def systems(n_systems=7):
    return OrdinalSystems.from_predictions(Y_TRUE, predictions(n_systems), test_cases=TEST_CASES)


SYSTEMS = systems()


def ratio_by_definition(a, b):
    """Return the ratio by plain loops."""
    total = 0
    for of_a, of_b in zip(a, b, strict=True):
        total += all(x >= y for x, y in zip(of_a, of_b, strict=True))
        total -= all(y >= x for x, y in zip(of_a, of_b, strict=True))
    return total / len(a)


def score(metric, test_case, system):
    """Return the value of one matrix, higher is better; an undefined one is the worst."""
    found = get_metric(metric)
    value = float(found(OrdinalConfusion.from_counts(SYSTEMS.confusion.counts[test_case, system])))
    return value if found.greater_is_better else -value


def coverage_by_definition(metric, reference):
    """Return Spearman's correlation over ordered pairs, by plain loops."""
    n_test_cases, n_systems = SYSTEMS.confusion.counts.shape[:2]
    scores = [[score(metric, t, s) for t in range(n_test_cases)] for s in range(n_systems)]
    references = [
        [[score(name, t, s) for name in reference] for t in range(n_test_cases)]
        for s in range(n_systems)
    ]
    pairs = list(itertools.permutations(range(n_systems), 2))
    # Rounded, since the means of equal systems differ in the last digit.
    differences = [round(np.mean(scores[a]) - np.mean(scores[b]), 10) for a, b in pairs]
    ratios = [ratio_by_definition(references[a], references[b]) for a, b in pairs]
    return spearmanr(differences, ratios).statistic


@given(
    st.tuples(st.integers(1, 6), st.integers(1, 3)).flatmap(
        lambda shape: st.tuples(*[arrays(float, shape, elements=FEW_GRADES)] * 2)
    )
)
def test_the_ratio_is_its_definition_and_antisymmetric(scores):
    a, b = scores
    ratio = unanimous_improvement_ratio(a, b)
    assert ratio == pytest.approx(ratio_by_definition(a, b))
    assert unanimous_improvement_ratio(b, a) == -ratio


@given(arrays(float, (2, 5, 3), elements=FEW_GRADES), st.integers(0, 2))
def test_the_ratio_depends_on_the_order_of_the_scores_only(scores, metric):
    transformed = scores.copy()
    transformed[..., metric] = np.exp(2 * scores[..., metric]) - 7
    assert unanimous_improvement_ratio(*transformed) == unanimous_improvement_ratio(*scores)


def test_the_ratio_is_exact():
    better = np.array([[1.0]] * 8 + [[0.0]] * 2)
    assert unanimous_improvement_ratio(better, np.zeros_like(better)) == 0.8


def test_scores_that_differ_by_rounding_are_equal():
    assert unanimous_improvement_ratio([[0.1 + 0.2, 1000]], [[0.3, 1001]]) == -1
    # The largest score of each metric is the unit of that metric alone.
    assert unanimous_improvement_ratio([[1e-12, 1000]], [[2e-12, 1000]]) == -1


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([[0.1, math.nan]], [[0.1, 0.2]], "scores_a must be finite, got nan for test case 0 and m"),
        ([[0.1, 0.2]], [[0.1, math.inf]], "scores_b must be finite, got inf for test case 0 and m"),
        ([[0.1, 0.2]], [[0.1]], r"must have the same shape .* got \(1, 2\) and \(1, 1\): leave"),
        ([[0.1, 0.2], [0.3]], [[0.1, 0.2]], "scores_a must hold numbers, got rows of different"),
        (np.empty((0, 2)), np.empty((0, 2)), r"at least one test case .* got shape \(0, 2\)"),
        ([[]], [[]], r"one test case and one metric, got shape \(1, 0\)"),
        ([0.1, 0.2], [0.1, 0.2], r"scores_a must be two-dimensional, got shape \(2,\)"),
        ([["a"]], [[0.1]], "scores_a must hold numbers, got strings"),
    ],
)
def test_invalid_scores_raise(a, b, message):
    with pytest.raises(ValueError, match=message):
        unanimous_improvement_ratio(a, b)


@pytest.mark.parametrize("reference", [REFERENCE, ("accuracy",), ("ordinal_mean_absolute_error",)])
def test_coverage_is_its_definition(reference):
    found = metric_coverage(SYSTEMS, metrics=METRICS, reference_metrics=reference)
    assert found.reference_metrics == reference
    for metric in METRICS:
        expected = coverage_by_definition(metric, reference)
        assert found.coverage[metric].estimate == pytest.approx(expected, abs=1e-12)


def test_all_metrics_of_labels_are_the_default():
    found = metric_coverage(SYSTEMS)
    assert found.reference_metrics == REFERENCE
    assert len(found.coverage) >= 37
    assert all(-1 <= one.estimate <= 1 for one in found.coverage.values())
    assert all(math.isnan(one.low) and math.isnan(one.high) for one in found.coverage.values())


def test_coverage_does_not_depend_on_the_order_of_systems_and_test_cases():
    order = RNG.permutation(len(SYSTEMS.names))
    counts = SYSTEMS.confusion.counts[::-1, order]
    assert metric_coverage(counts, metrics=METRICS) == metric_coverage(SYSTEMS, metrics=METRICS)


@given(arrays(bool, (4, 5), elements=st.booleans()).filter(lambda right: np.ptp(right.sum(axis=0))))
def test_a_metric_whose_differences_are_the_ratios_has_coverage_1(is_right):
    """With one sample in each test case, accuracy is 0 or 1, and the mean counts test cases."""
    counts = np.zeros((4, 5, 2, 2))
    counts[..., 0, 0], counts[..., 0, 1] = is_right, ~is_right
    metrics = ["accuracy", "ordinal_mean_absolute_error"]
    for reference in metrics:
        found = metric_coverage(counts, metrics=metrics, reference_metrics=reference)
        assert [one.estimate for one in found.coverage.values()] == [1, 1]


def test_intervals_are_shifted_percentiles_of_resampled_test_cases():
    found = metric_coverage(SYSTEMS, metrics=METRICS, n_resamples=200, random_state=0)
    narrow = metric_coverage(
        SYSTEMS, metrics=METRICS, n_resamples=200, confidence_level=0.5, random_state=0
    )
    without = metric_coverage(SYSTEMS, metrics=METRICS)
    for metric in METRICS:
        wide, inner = found.coverage[metric], narrow.coverage[metric]
        assert wide.estimate == without.coverage[metric].estimate
        assert -1 <= wide.low <= inner.low <= wide.estimate <= inner.high <= wide.high <= 1
        assert wide.low < wide.high
        assert wide.method == "shifted percentile"


def test_a_resample_is_coverage_on_the_test_cases_that_it_draws(monkeypatch):
    """With one resample, the interval is its value shifted onto the estimate."""
    draws = np.random.default_rng(3).multinomial(6, np.full(6, 1 / 6), 4)
    monkeypatch.setattr(
        "sklearn_ordinal._core.checks.as_generator",
        lambda _: type("Drawn", (), {"multinomial": staticmethod(lambda *_: draws)}),
    )
    found = metric_coverage(SYSTEMS, metrics=METRICS, n_resamples=4, confidence_level=0.9999999)
    for metric in METRICS:
        values = [
            metric_coverage(SYSTEMS.confusion.counts[np.repeat(range(6), drawn)], metrics=metric)
            .coverage[metric]
            .estimate
            for drawn in draws
        ]
        estimate = found.coverage[metric].estimate
        expected = np.clip(
            estimate + np.array([min(values), max(values)]) - np.median(values), -1, 1
        )
        interval = found.coverage[metric]
        np.testing.assert_allclose([interval.low, interval.high], expected, atol=1e-6)


def test_few_pairs_at_once_change_nothing(monkeypatch):
    options = {"metrics": METRICS, "n_resamples": 5, "random_state": 1}
    expected = metric_coverage(SYSTEMS, **options)
    monkeypatch.setattr("sklearn_ordinal.meta_evaluation._metric_coverage._PAIRS_AT_ONCE", 1)
    assert metric_coverage(SYSTEMS, **options) == expected


def test_equal_systems_have_no_coverage():
    counts = np.tile(np.eye(3, dtype=int) + 1, (2, 3, 1, 1))
    with pytest.warns(UndefinedMetricWarning, match="undefined for accuracy, cem_ord: the means"):
        found = metric_coverage(counts, metrics=["accuracy", "cem_ord"], n_resamples=3)
    assert math.isnan(found.coverage["cem_ord"].estimate)
    assert found.coverage["cem_ord"].n_undefined == 3


def test_one_metric_by_which_systems_are_equal_is_named():
    # The predictions of two classes are exchanged, which accuracy does not notice.
    y_pred = [[0, 0, 0], [1, 1, 1], [0, 1, 0], [0, 0, 1]]
    one = OrdinalSystems.from_predictions([0, 1, 2, 2], y_pred, labels=range(3))
    with pytest.warns(UndefinedMetricWarning, match="undefined for accuracy: the means"):
        found = metric_coverage(
            one,
            metrics=["accuracy", "ordinal_mean_absolute_error"],
            reference_metrics="ordinal_mean_absolute_error",
        )
    assert found.coverage["ordinal_mean_absolute_error"].estimate > 0


def test_undefined_values_are_counted():
    # Tau-b is undefined for constant predictions.
    y_pred = [[0, 1, 0], [1, 1, 0], [2, 1, 2], [1, 1, 2]]
    one = OrdinalSystems.from_predictions([0, 1, 2, 2], y_pred)
    found = metric_coverage(one, metrics=["kendall_tau_b", "cem_ord"])
    assert found.n_undefined["kendall_tau_b"] == 1
    found = metric_coverage(one, metrics="cem_ord", reference_metrics="kendall_tau_b")
    assert found.n_undefined == {"cem_ord": 0, "kendall_tau_b": 1}


def test_frames_are_compared_if_their_columns_and_test_cases_are_the_same():
    first = pd.DataFrame({"f1": [0.9, 0.6], "tau": [0.8, 0.5]}, index=["a", "b"])
    assert unanimous_improvement_ratio(first, first - 0.1) == 1
    with pytest.raises(ValueError, match=r"same columns .* pass scores_b\[scores_a.columns\]"):
        unanimous_improvement_ratio(first, first[["tau", "f1"]])
    with pytest.raises(ValueError, match="the same index in different orders"):
        unanimous_improvement_ratio(first, first.loc[["b", "a"]])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"systems": systems(2)},
            "at least 3 systems, since a single pair has no correlation, got 2",
        ),
        ({"systems": systems(1)}, "systems must have at least 3 systems, .*, got 1"),
        ({"systems": predictions(3)}, "got a mapping: pass OrdinalSystems.from_predictions"),
        ({"metrics": "roc_auc"}, "metrics"),
        (
            {"metrics": "ranked_probability_score"},
            "metrics must be computed from predicted classes",
        ),
        (
            {"reference_metrics": "concordance"},
            "reference_metrics must be computed from predicted classes",
        ),
        ({"reference_metrics": []}, "reference_metrics must name at least one metric"),
        ({"n_resamples": -1}, "n_resamples must be a non-negative integer, got -1"),
        ({"confidence_level": 95}, "confidence_level must be a number between 0 and 1, got 95"),
        ({"random_state": "a"}, "random_state must be None, an integer"),
        (
            {"systems": SYSTEMS.confusion.counts[:1], "n_resamples": 10},
            "at least 2 test cases to resample, got 1: pass n_resamples=0",
        ),
    ],
)
def test_invalid_arguments_raise(change, message):
    with pytest.raises(ValueError, match=message):
        metric_coverage(**{"systems": SYSTEMS, "metrics": "cem_ord", **change})


def test_scores_that_differ_by_rounding_are_equal_wherever_they_lie():
    # The second score is halfway between two multiples of 1e-9.
    scores = np.array([[1], [0.5 + 0.5e-9]])
    assert unanimous_improvement_ratio(scores + 1e-15, scores - 1e-15) == 0
    assert unanimous_improvement_ratio(scores + 2e-9, scores) == 1


def test_equal_differences_are_ties_where_shares_have_ten_decimals():
    # Shares of 25,600 samples are halfway between two multiples of 1e-9.
    rng = np.random.default_rng(0)
    right = 200 - rng.integers(0, 4, (128, 7))
    counts = np.zeros((128, 7, 2, 2), dtype=int)
    counts[..., 0, 0], counts[..., 0, 1] = right, 200 - right
    pairs = list(itertools.permutations(range(7), 2))
    differences = [(right[:, a] - right[:, b]).sum() for a, b in pairs]
    ratios = [np.sign(right[:, a] - right[:, b]).sum() for a, b in pairs]
    found = metric_coverage(counts, metrics="accuracy", reference_metrics="accuracy")
    expected = spearmanr(differences, ratios).statistic
    assert found.coverage["accuracy"].estimate == pytest.approx(expected, abs=1e-12)
