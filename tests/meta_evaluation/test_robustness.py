"""Agreement of the orders of systems between halves of the test cases and between data sets."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import kendalltau
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal import get_metric
from sklearn_ordinal.meta_evaluation import OrdinalSystems, make_ordinal_systems, metric_robustness


def counts_of_systems(n_test_cases, n_systems):
    """Return counts of systems with more and more errors, (test cases, systems, K, K)."""
    rng = np.random.default_rng(0)
    y_true = np.arange(30) % 5
    counts = np.zeros((n_test_cases, n_systems, 5, 5), dtype=int)
    for test_case, system in np.ndindex(counts.shape[:2]):
        is_wrong = rng.random(30) < 0.1 + 0.15 * system
        y_pred = np.where(is_wrong, rng.integers(0, 5, 30), y_true)
        np.add.at(counts[test_case, system], (y_true, y_pred), 1)
    return counts


METRICS = ["cem_ord", "ordinal_mean_absolute_error", "accuracy", "mutual_information"]
COUNTS = counts_of_systems(n_test_cases=7, n_systems=6)
SYSTEMS = OrdinalSystems.from_counts(COUNTS, names=list("abcdef"))


def of_other_data(n_test_cases=4):
    """Return the same systems, in the opposite order, on a data set of three classes."""
    rng = np.random.default_rng(1)
    y_true = np.arange(40) % 3
    y_pred = {
        name: np.where(rng.random(40) < 0.1 * number, rng.integers(0, 3, 40), y_true)
        for number, name in enumerate("fedcba")
    }
    test_cases = np.arange(40) % n_test_cases
    return OrdinalSystems.from_predictions(y_true, y_pred, test_cases=test_cases)


def scores(systems, metric):
    """Return scores of shape (n_test_cases, n_systems), higher is better."""
    found = get_metric(metric)
    return (1 if found.greater_is_better else -1) * systems.evaluate(metric)


def tau(a, b):
    """Return the agreement of the means, rounded so that equal systems are tied."""
    return kendalltau(a.mean(axis=0).round(9), b.mean(axis=0).round(9)).statistic


def taus_of_splits(systems, metric, splits):
    values = scores(systems, metric)
    return [tau(values[in_first], values[~in_first]) for in_first in splits]


def fixed_splits(monkeypatch, *splits):
    """Use these splits of the data sets, in turn."""
    drawn = iter(splits)
    rng = type("Drawn", (), {"permuted": staticmethod(lambda *_, **__: next(drawn))})
    monkeypatch.setattr("sklearn_ordinal._core.checks.as_generator", lambda _: rng)


def random_splits(n_splits, n_test_cases):
    ranks = np.argsort(np.random.default_rng(5).random((n_splits, n_test_cases)))
    return ranks < n_test_cases // 2


def test_agreement_of_halves_is_its_definition(monkeypatch):
    splits = random_splits(9, 7)
    fixed_splits(monkeypatch, splits)
    found = metric_robustness(SYSTEMS, metrics=METRICS, n_splits=9, confidence_level=0.8)
    assert found.data_sets == {}
    for metric in METRICS:
        taus = taus_of_splits(SYSTEMS, metric, splits)
        interval = found.halves[metric]
        assert interval.estimate == pytest.approx(np.mean(taus), abs=1e-12)
        ends = np.quantile(taus, [0.1, 0.9])
        np.testing.assert_allclose([interval.low, interval.high], ends, atol=1e-12)


def test_random_splits_are_equally_likely():
    rest = OrdinalSystems.from_counts(COUNTS[:4])
    # The halves of a split have no order.
    every = [np.isin(range(4), half) for half in itertools.combinations(range(4), 2)]
    for metric, interval in metric_robustness(
        rest, metrics=METRICS, n_splits=3000, random_state=0
    ).halves.items():
        taus = taus_of_splits(rest, metric, every)
        assert interval.estimate == pytest.approx(np.mean(taus), abs=4 * np.std(taus) / 3000**0.5)


def test_halves_are_within_data_sets_and_orders_compared_by_name(monkeypatch):
    other = of_other_data()
    splits = random_splits(5, 7), random_splits(5, 4)
    fixed_splits(monkeypatch, *splits)
    found = metric_robustness({"one": SYSTEMS, "other": other}, metrics=METRICS, n_splits=5)
    aligned = other.subset(SYSTEMS.names)
    for metric in METRICS:
        taus = taus_of_splits(SYSTEMS, metric, splits[0])
        taus += taus_of_splits(aligned, metric, splits[1])
        assert found.halves[metric].estimate == pytest.approx(np.mean(taus), abs=1e-12)
        between = tau(scores(SYSTEMS, metric), scores(aligned, metric))
        assert found.data_sets[metric].estimate == pytest.approx(between, abs=1e-12)
        assert between < 0
        # One pair of data sets has no spread.
        assert math.isnan(found.data_sets[metric].low)


def test_agreement_of_data_sets_is_the_mean_of_their_pairs():
    data_sets = [SYSTEMS, of_other_data(), of_other_data(1).subset(SYSTEMS.names)]
    found = metric_robustness(dict(enumerate(data_sets)), metrics=METRICS, n_splits=2)
    for metric in METRICS:
        values = [scores(one.subset(SYSTEMS.names), metric) for one in data_sets]
        taus = [tau(a, b) for a, b in itertools.combinations(values, 2)]
        interval = found.data_sets[metric]
        assert interval.estimate == pytest.approx(np.mean(taus), abs=1e-12)
        ends = np.quantile(taus, [0.025, 0.975])
        np.testing.assert_allclose([interval.low, interval.high], ends, atol=1e-12)


def test_data_sets_of_one_test_case_have_no_halves():
    data_sets = {"one": of_other_data(1), "other": SYSTEMS.confusion.counts[:1]}
    data_sets["other"] = OrdinalSystems.from_counts(data_sets["other"], names=list("abcdef"))
    found = metric_robustness(data_sets, metrics=METRICS)
    assert found.halves == {}
    assert list(found.data_sets) == METRICS


def test_agreement_does_not_depend_on_the_scale_of_a_metric():
    def thousandfold_error(y_true, y_pred):
        return 1000 * np.abs(y_true - y_pred).mean() ** 3

    def small_error(y_true, y_pred):
        return np.abs(y_true - y_pred).mean() ** 3

    one = OrdinalSystems.from_counts(COUNTS[:4, :3])
    found = metric_robustness(one, metrics=[thousandfold_error, small_error], n_splits=4)
    assert found.halves["small_error"] == found.halves["thousandfold_error"]


def test_few_orders_at_once_change_nothing(monkeypatch):
    expected = metric_robustness(SYSTEMS, metrics=METRICS, n_splits=5, random_state=1)
    monkeypatch.setattr("sklearn_ordinal.inference._ranks._SIGNS_AT_ONCE", 1)
    assert metric_robustness(SYSTEMS, metrics=METRICS, n_splits=5, random_state=1) == expected


def test_all_metrics_of_labels_are_the_default():
    found = metric_robustness(make_ordinal_systems(n_test_cases=4, random_state=0), n_splits=2)
    assert len(found.halves) >= 37


def test_equal_systems_have_no_agreement():
    counts = np.tile(np.eye(3, dtype=int) + 1, (2, 3, 1, 1))
    with pytest.warns(UndefinedMetricWarning, match="halves of the test cases is undefined for ac"):
        found = metric_robustness(counts, metrics=["accuracy", "cem_ord"], n_splits=3)
    assert math.isnan(found.halves["cem_ord"].estimate)
    assert found.halves["cem_ord"].n_undefined == 3


def test_undefined_splits_are_left_out_and_counted():
    # The systems are equal on the first two test cases, and differ on the others.
    counts = COUNTS[:4].copy()
    counts[:2] = COUNTS[:1, :1]
    found = metric_robustness(counts, metrics="cem_ord", n_splits=200, random_state=0)
    # A third of the splits has both equal test cases in one half.
    assert 40 < found.halves["cem_ord"].n_undefined < 95
    assert -1 <= found.halves["cem_ord"].estimate <= 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"systems": COUNTS[:1]}, "at least 2 test cases, or be a mapping of several data sets"),
        ({"systems": {"a": COUNTS[:1]}}, "at least 2 test cases, or be a mapping of several"),
        ({"systems": {}}, "systems must have at least one data set, got none"),
        ({"systems": COUNTS[:, :1]}, "systems must have at least 2 systems, got 1"),
        ({"systems": {"a": [0, 1]}}, r"systems\['a'\]: counts must have shape"),
        (
            {"systems": {"one": SYSTEMS, "other": of_other_data().subset(list("abcd"))}},
            "but 'e' is only on one of 'one' and 'other': leave it out with subset",
        ),
        (
            {"metrics": "ranked_probability_score"},
            "metrics must be computed from predicted classes",
        ),
        ({"n_splits": 0}, "n_splits must be a positive integer, got 0"),
        ({"confidence_level": 1}, "confidence_level must be a number between 0 and 1, got 1"),
        ({"random_state": "a"}, "random_state must be None, an integer"),
    ],
)
def test_invalid_arguments_raise(change, message):
    with pytest.raises(ValueError, match=message):
        metric_robustness(**{"systems": SYSTEMS, "metrics": "cem_ord", **change})
