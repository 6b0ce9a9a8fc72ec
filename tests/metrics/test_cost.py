"""The expected cost, checked against sums over the samples."""

import pickle
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier
from sklearn.metrics import make_scorer, mean_absolute_error
from sklearn.model_selection import cross_val_score

from sklearn_ordinal import (
    OrdinalConfusion,
    OrdinalReport,
    compare_estimators,
    get_metric,
    make_ordinal_scorer,
)
from sklearn_ordinal.inference import bootstrap_interval, paired_difference
from sklearn_ordinal.metrics import cem_ord_score, closeness_costs, expected_cost_loss

# Rows true: too low is worse than too high.
COSTS = np.array([[0, 1, 2], [5, 0, 1], [10, 5, 0]])
GRADES = ["poor", "fair", "good"]
rows = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(1, 3)), min_size=1, max_size=20
)


def of_costs(cost_matrix=COSTS, **options):
    return partial(expected_cost_loss, cost_matrix=cost_matrix, **options)


@given(rows)
def test_it_is_the_mean_of_the_costs_of_the_samples_rows_true(rows):
    y_true, y_pred, weight = np.array(rows).T
    costs = [COSTS[true, predicted] for true, predicted in zip(y_true, y_pred, strict=True)]
    loss = of_costs(labels=range(3))
    assert loss(y_true, y_pred) == pytest.approx(np.mean(costs))
    assert loss(y_true, y_pred, sample_weight=weight) == pytest.approx(
        np.average(costs, weights=weight)
    )


def test_distances_as_costs_give_the_mean_absolute_error():
    y_true, y_pred = [0, 1, 2, 3, 3], [1, 1, 0, 3, 2]
    costs = np.abs(np.subtract.outer(range(4), range(4)))
    expected = mean_absolute_error(y_true, y_pred)
    assert expected_cost_loss(y_true, y_pred, cost_matrix=costs) == pytest.approx(expected)


def test_costs_in_bits_are_what_cem_ord_loses():
    y_true = np.array([0, 1, 2, 2, 1, 0, 2, 1, 0, 2])
    y_pred = np.array([0, 2, 2, 2, 1, 0, 1, 1, 0, 2])
    counts = np.bincount(y_true)
    # A sample without a prediction costs 1 - log2 of the share of its class.
    of_nothing = np.mean(1 - np.log2(counts / counts.sum())[y_true])
    lost = expected_cost_loss(y_true, y_pred, cost_matrix=closeness_costs(counts))
    assert 1 - lost / of_nothing == pytest.approx(cem_ord_score(y_true, y_pred), abs=1e-12)


def test_infinite_costs_of_errors_that_are_not_made_cost_nothing():
    costs = closeness_costs([3, 0, 4])
    assert np.isinf(costs).any()
    assert expected_cost_loss([0, 2], [0, 0], cost_matrix=costs) == costs[2, 0] / 2


def test_the_partial_is_a_metric():
    metric = get_metric(of_costs())
    assert metric.name.startswith("expected_cost_loss(cost_matrix=[[0, 1, 2]")
    assert not metric.greater_is_better
    assert metric.bounds(3) == (0, 10)
    np.testing.assert_array_equal(metric.cost_matrix([1, 1, 1]), COSTS)
    assert metric == get_metric(of_costs()) != get_metric(of_costs(COSTS.T))
    assert pickle.loads(pickle.dumps(metric)) == metric
    counts = np.random.default_rng(0).integers(0, 9, size=(7, 3, 3))
    expected = (counts * COSTS).sum(axis=(1, 2)) / counts.sum(axis=(1, 2))
    np.testing.assert_allclose(metric(OrdinalConfusion.from_counts(counts)), expected)


def test_costs_that_are_changed_later_do_not_change_the_metric():
    costs = np.array(COSTS)
    metric = get_metric(of_costs(costs))
    costs[:] = 7
    np.testing.assert_array_equal(metric.cost_matrix([1, 1, 1]), COSTS)
    assert metric == get_metric(of_costs())


def test_metrics_whose_names_differ_only_where_they_are_cut_off_are_told_apart():
    costs = np.abs(np.subtract.outer(np.arange(9), np.arange(9)))
    others = costs.copy()
    others[8, 0] = 99
    with pytest.raises(ValueError, match=r"different metrics named .*: pass a dict"):
        OrdinalReport.from_predictions([0, 8], [8, 0], metrics=[of_costs(costs), of_costs(others)])
    with pytest.raises(ValueError, match="more than once"):
        OrdinalReport.from_predictions([0, 8], [8, 0], metrics=[of_costs(costs), of_costs(costs)])


@pytest.fixture
def predictions():
    rng = np.random.default_rng(0)
    y_true = rng.integers(0, 3, size=60)
    return y_true, *(np.clip(y_true + rng.integers(-1, 2, size=60), 0, 2) for _ in range(2))


def test_it_has_intervals_and_differences(predictions):
    y_true, a, b = predictions
    interval = bootstrap_interval(y_true, a, of_costs(), n_resamples=99, random_state=0)
    assert interval.estimate == pytest.approx(of_costs()(y_true, a))
    assert interval.low < interval.estimate < interval.high
    difference = paired_difference(y_true, a, b, of_costs(), n_resamples=99, random_state=0)
    assert difference.estimate == pytest.approx(of_costs()(y_true, a) - of_costs()(y_true, b))


def test_it_is_in_reports_which_can_be_saved(predictions, tmp_path):
    y_true, a, _ = predictions
    report = OrdinalReport.from_predictions(y_true, a, metrics=["cem_ord", of_costs()])
    assert report.criteria[of_costs()] == pytest.approx(of_costs()(y_true, a))
    report.to_json(tmp_path / "report.json")
    restored = OrdinalReport.from_json(tmp_path / "report.json")
    assert restored == report
    (metric,) = (m for name, m in restored.metrics.items() if name != "cem_ord")
    assert metric == get_metric(of_costs())


def test_it_is_a_scorer_with_an_order_of_strings():
    y = np.array(GRADES)[[0, 1, 1, 2, 1, 0, 1, 1, 2, 1]]
    X, constant = np.zeros((10, 1)), DummyClassifier(strategy="most_frequent")
    scorers = [
        make_ordinal_scorer(of_costs(), labels=GRADES),
        make_scorer(expected_cost_loss, greater_is_better=False, cost_matrix=COSTS, labels=GRADES),
    ]
    for scorer in scorers:
        scores = cross_val_score(constant, X, y, cv=2, scoring=scorer)
        assert scores.tolist() == pytest.approx([-(1 + 5) / 5] * 2)


def test_it_is_in_comparisons():
    y = [0, 1, 1, 2, 1, 0, 1, 1, 2, 1]
    comparison = compare_estimators(
        {"mode": DummyClassifier(strategy="most_frequent")},
        np.zeros((10, 1)),
        y,
        scoring=["cem_ord", of_costs()],
        cv=2,
        verbose=False,
        random_state=0,
    )
    assert comparison.scores[of_costs()]["mode"] == pytest.approx([6 / 5] * 2)


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ([[0, 1], [1, 0]], r"cost_matrix must have shape \(3, 3\), a row for each true class"),
        (np.ones((3, 2)), r"cost_matrix must have shape \(3, 3\), .*, got \(3, 2\)"),
        ([[0, 1, 2], [1, 0, -1], [1, 1, 0]], "not be negative, got -1.0 for true class 1 pred"),
        ([[0, 1, 2], [1, 0, np.nan], [1, 1, 0]], "must not be NaN, got NaN for true class 1"),
        ("costs", "cost_matrix must hold numbers, got strings"),
        (None, r"cost_matrix must have shape"),
    ],
)
def test_costs_that_are_not_a_cost_of_each_error_raise(costs, message):
    with pytest.raises(ValueError, match=message):
        expected_cost_loss([0, 1, 2], [0, 1, 2], cost_matrix=costs)


@pytest.mark.parametrize("metric", [expected_cost_loss, "expected_cost_loss"])
def test_without_costs_the_message_says_how_to_bind_them(metric):
    with pytest.raises(ValueError, match=r"needs cost_matrix: pass functools\.partial"):
        get_metric(metric)
    with pytest.raises(ValueError, match="has no option penalty: its options are cost_matrix"):
        get_metric(of_costs(penalty=1))


def test_functions_that_are_not_of_this_package_are_not_made_ordinal_scorers():
    with pytest.raises(ValueError, match="name must be a metric of this package"):
        make_ordinal_scorer(mean_absolute_error)
