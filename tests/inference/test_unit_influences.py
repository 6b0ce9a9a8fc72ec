"""Influences of the units that are resampled, against differences and moments."""

import numpy as np
import pytest
from scipy import stats

from sklearn_ordinal import get_metric
from sklearn_ordinal._core.evidence_kinds import resampling_units
from sklearn_ordinal._core.evidence_reading import read_systems
from sklearn_ordinal._core.lookup import get_metrics
from sklearn_ordinal._core.resampling import Rows, Units
from sklearn_ordinal.inference import bootstrap_interval, paired_difference
from sklearn_ordinal.inference._bootstrap import sixth_of_skewness, unit_influences
from sklearn_ordinal.systems._pair_tests import infer_systems

N, K = 60, 4
RNG = np.random.default_rng(0)
TRUE = RNG.integers(K, size=N)
CLUSTER = np.arange(N) // 3
WEIGHT = RNG.uniform(0.2, 3, N)
SYSTEMS = {
    name: np.clip(TRUE + RNG.integers(-width, width + 1, N), 0, K - 1)
    for name, width in (("a", 1), ("b", 2))
}
SCORES = {name: y_pred + RNG.normal(size=N) for name, y_pred in SYSTEMS.items()}


def units_of(name, systems, **reading):
    return resampling_units(read_systems([get_metric(name)], TRUE, systems, reading))


def unit_slopes(name, predicted, weight, unit):
    """Return the derivative of the value by the share of each unit, from differences."""
    metric, step, n_units = get_metric(name), 1e-4, unit.max() + 1

    def value(member, k):
        moved = weight * (1 + k * step * member)
        return metric.from_predictions(TRUE, predicted, sample_weight=moved, labels=range(K))

    members = [unit == number for number in range(n_units)]
    return [
        n_units * (8 * (value(m, 1) - value(m, -1)) - (value(m, 2) - value(m, -2))) / (12 * step)
        for m in members
    ]


@pytest.mark.parametrize("name", ["cem_ord", "quadratic_weighted_kappa", "concordance"])
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
@pytest.mark.parametrize("cluster", [np.arange(N), CLUSTER], ids=["samples", "clusters"])
def test_the_influence_of_a_unit_is_the_derivative_by_its_weight(name, weight, cluster):
    systems = SCORES if name == "concordance" else SYSTEMS
    units = units_of(name, systems, sample_weight=weight, clusters=cluster)
    ((first, second),) = unit_influences(get_metrics([name]), units)
    weights = np.ones(N) if weight is None else weight
    # Each cluster is a kind of its own.
    for influences, predicted in zip((first, second), systems.values(), strict=True):
        expected = unit_slopes(name, predicted, weights, cluster)
        np.testing.assert_allclose(influences, expected, rtol=0, atol=1e-8)
    np.testing.assert_allclose([first @ units.kind_sizes, second @ units.kind_sizes], 0, atol=1e-9)


def test_the_acceleration_of_a_mean_is_a_sixth_of_its_skewness():
    errors = np.abs(TRUE - SYSTEMS["b"])
    units = units_of("ordinal_mean_absolute_error", {"b": SYSTEMS["b"]})
    influences = unit_influences(get_metrics(["ordinal_mean_absolute_error"]), units)
    expected = stats.skew(errors) / np.sqrt(N) / 6
    np.testing.assert_allclose(sixth_of_skewness(influences, units.kind_sizes), [[expected]])
    assert sixth_of_skewness(np.zeros(5), np.ones(5, dtype=int)) == 0


@pytest.mark.parametrize("kind", [Units, Rows])
def test_many_samples_are_not_left_out_one_by_one(kind, monkeypatch):
    """From 300 samples on, the ends are those of the jackknife within a hundredth of the width."""
    times = 5
    y_true, y_pred = np.tile(TRUE, times), np.tile(SYSTEMS["a"], times)
    name = "cem_ord"
    if kind is Rows:
        y_pred, name = np.tile(SCORES["a"], times), "concordance"
    options = {"n_resamples": 999, "random_state": 0, "method": "bca"}
    with monkeypatch.context() as patch:
        patch.setattr("sklearn_ordinal.inference._bootstrap.FEWEST_UNITS_OF_INFLUENCES", 10**9)
        expected = bootstrap_interval(y_true, y_pred, name, **options)
    monkeypatch.setattr(kind, "without_one", None)
    interval = bootstrap_interval(y_true, y_pred, name, **options)
    width = expected.high - expected.low
    assert interval.low == pytest.approx(expected.low, abs=0.01 * width)
    assert interval.high == pytest.approx(expected.high, abs=0.01 * width)
    with pytest.raises(TypeError, match="not callable"):
        bootstrap_interval(y_true[1:], y_pred[1:], name, **options)


def test_differences_of_many_samples_need_no_jackknife(monkeypatch):
    monkeypatch.setattr(Units, "without_one", None)
    y_true, first, second = (np.tile(y, 5) for y in (TRUE, *SYSTEMS.values()))
    difference = paired_difference(
        y_true, first, second, method="bca", n_resamples=199, random_state=0
    )
    assert difference.low < difference.estimate < difference.high


def test_a_metric_without_influences_keeps_the_jackknife():
    y_true, y_proba = np.tile(TRUE, 5), np.tile(np.eye(K)[SYSTEMS["a"]] * 0.9 + 0.025, (5, 1))
    interval = bootstrap_interval(
        y_true, y_proba, "cem_ord_decision", method="bca", n_resamples=199, random_state=0
    )
    assert interval.low < interval.estimate < interval.high


@pytest.mark.parametrize("most", [0, 10**9])
def test_standard_errors_of_many_systems_come_from_influences(most, monkeypatch):
    """With very many influences, they are computed once and not in each resample."""
    monkeypatch.setattr("sklearn_ordinal.inference._bootstrap.MOST_UNITS_OF_JACKKNIFE", 0)
    monkeypatch.setattr("sklearn_ordinal.systems._pair_tests._MOST_INFLUENCES", most)
    monkeypatch.setattr(Units, "without_one", None)
    metrics = get_metrics(["accuracy"])
    y_true, first, second = (np.tile(y, 5) for y in (TRUE, *SYSTEMS.values()))
    systems = read_systems(metrics, y_true, {"a": first, "b": second}, {})
    result = infer_systems(
        metrics,
        systems,
        confidence_level=0.95,
        n_resamples=999,
        rng=np.random.default_rng(0),
    )
    moved = (first == y_true).astype(float) - (second == y_true)
    error = moved.std() / np.sqrt(len(moved))
    assert result.tests["accuracy"].margins[0, 1] == pytest.approx(1.96 * error, rel=0.1)
