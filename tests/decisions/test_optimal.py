"""Decisions of least expected cost, checked by hand, by brute force and by known rules."""

import pickle
from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from sklearn_ordinal import (
    OrdinalConfusion,
    compare_estimators,
    get_metric,
    make_ordinal_scorer,
    metrics,
)
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.decisions import OptimalDecisionClassifier
from tests.decisions.examples import Given
from tests.estimator_checks import each_check

GRADES = ["poor", "fair", "good"]
# With sorted classes, these are the columns of the probabilities.
COLUMNS = ["fair", "good", "poor"]
COSTS = np.array([[0, 1, 2], [5, 0, 1], [10, 5, 0]])


def decided(class_counts, **options):
    """Return a classifier that decides by given probabilities and sizes of the classes."""
    K = len(class_counts)
    classifier = OptimalDecisionClassifier(Given(), class_counts=class_counts, **options)
    return classifier.fit(np.eye(K), range(K))


def probabilities(n_classes, n_samples=200, seed=0):
    return np.random.default_rng(seed).dirichlet(np.ones(n_classes), size=n_samples)


sizes = st.lists(st.integers(1, 20), min_size=2, max_size=6)
vectors = arrays(np.float64, 6, elements=st.integers(0, 5)).filter(np.any)


def normalised(vector, n_classes):
    p = vector[:n_classes] + (not vector[:n_classes].any())
    return p[None] / p.sum()


# --- what is decided -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shares", "proba", "expected", "decision"),
    [
        ([0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [2.142206, 0.960964, 0.943789], 2),
        ([0.7, 0.2, 0.1], [0.55, 0.25, 0.2], [1.354946, 1.055955, 1.122797], 1),
    ],
)
def test_examples_whose_decision_is_neither_mode_nor_median(shares, proba, expected, decision):
    classifier = decided(shares)
    np.testing.assert_allclose(classifier.expected_costs([proba]), [expected], atol=1e-6)
    assert classifier.predict([proba]) == [decision]
    for metric in ("accuracy", "ordinal_mean_absolute_error", "cem_ord_flat"):
        assert decided(shares, metric=metric).predict([proba]) != [decision]


@given(sizes, vectors)
def test_no_class_has_a_higher_expected_cem_ord(counts, vector):
    K = len(counts)
    p = normalised(vector, K)
    metric = get_metric(partial(metrics.cem_ord_score, class_counts=counts))
    # All samples predicted as one class, counted by the probability of the true class.
    of_constants = p[0][None, :, None] * np.eye(K)[:, None, :]
    values = metric(OrdinalConfusion.from_counts(of_constants))
    decision = decided(counts).predict(p)[0]
    assert decision == np.flatnonzero(values >= values.max() - 1e-10)[0]


def cost_in_bits(true, predicted, counts):
    """Return the definition of the paper, added up in a loop."""
    low, high = min(true, predicted), max(true, predicted)
    between = sum(counts[low : high + 1]) - counts[predicted] / 2
    own = counts[true] / 2
    return np.log2((between if true != predicted else own) / own)


@given(sizes, vectors)
def test_decisions_by_closeness_are_those_of_a_loop_over_the_definition(counts, vector):
    K = len(counts)
    p = normalised(vector, K)
    expected = [sum(p[0, j] * cost_in_bits(j, i, counts) for j in range(K)) for i in range(K)]
    classifier = decided(counts)
    np.testing.assert_allclose(classifier.expected_costs(p)[0], expected, atol=1e-10)
    assert expected[classifier.predict(p)[0]] <= min(expected) + 1e-10


@pytest.mark.parametrize("metric", ["ordinal_mean_absolute_error", "cem_ord_flat"])
@given(counts=sizes, vector=vectors)
def test_the_median_is_decided_for_absolute_errors_and_the_flat_closeness(metric, counts, vector):
    p = normalised(vector, len(counts))
    median = (p.cumsum(axis=1) >= 0.5 - 1e-12).argmax(axis=1)
    np.testing.assert_array_equal(decided(counts, metric=metric).predict(p), median)


@given(sizes, vectors)
def test_the_mode_is_decided_for_accuracy(counts, vector):
    p = normalised(vector, len(counts))
    decisions = decided(counts, metric="accuracy").predict(p)
    np.testing.assert_array_equal(decisions, p.argmax(axis=1))


@given(sizes, vectors)
def test_the_class_next_to_the_mean_is_decided_for_squared_errors(counts, vector):
    p = normalised(vector, len(counts))
    mean = p @ np.arange(len(counts))
    lower_if_halfway = np.ceil(mean - 0.5 - 1e-9)
    decisions = decided(counts, metric="ordinal_mean_squared_error").predict(p)
    np.testing.assert_array_equal(decisions, lower_if_halfway)


@given(sizes, vectors, st.integers(0, 4))
def test_the_most_probable_window_is_decided_for_accuracy_within_n(counts, vector, n):
    p = normalised(vector, len(counts))[0]
    within = [p[max(i - n, 0) : i + n + 1].sum() for i in range(len(p))]
    metric = partial(metrics.within_n_accuracy_score, n=n)
    decision = decided(counts, metric=metric).predict(p[None])[0]
    assert decision == np.flatnonzero(within >= max(within) - 1e-10)[0]


@pytest.mark.parametrize("metric", ["balanced_accuracy", "macro_averaged_mean_absolute_error"])
def test_means_over_classes_decide_as_if_the_classes_were_of_equal_size(metric):
    counts, plain = [50, 30, 15, 5], metric.replace("balanced_", "")
    plain = plain.replace("macro_averaged", "ordinal")
    p = probabilities(4)
    reweighted = p / counts
    expected = decided(counts, metric=plain).predict(
        reweighted / reweighted.sum(axis=1, keepdims=True)
    )
    np.testing.assert_array_equal(decided(counts, metric=metric).predict(p), expected)


@given(st.floats(0, 1), st.integers(1, 99))
def test_two_classes_have_a_threshold(p_1, n_1):
    f_1 = n_1 / 100
    gain, loss = p_1 * np.log2(1 + 1 / f_1), (1 - p_1) * np.log2(1 + 1 / (1 - f_1))
    if abs(gain - loss) > 1e-9:
        decision = decided([100 - n_1, n_1]).predict([[1 - p_1, p_1]])
        assert decision == [gain > loss]


def test_ties_go_to_the_lowest_class():
    uniform = np.full((1, 4), 0.25)
    assert decided([5, 5, 5, 5]).predict(uniform) == [1]
    assert decided([5, 5, 5, 5], metric="accuracy").predict(uniform) == [0]
    # 0.1 + 0.2 + 0.2 is less than a half by rounding errors of another order.
    sums = [[0.3, 0.2, 0.1, 0.4]]
    assert decided([1, 2, 3, 4], metric="ordinal_mean_absolute_error").predict(sums) == [1]
    # Costs in another unit make the same decisions.
    for unit in (1e-30, 1e30):
        costs = unit * np.abs(np.subtract.outer(range(4), range(4)))
        assert decided([1, 1, 1, 1], cost_matrix=costs).predict(sums) == [1]


def exact_decision(p, costs):
    """Return the lowest class that costs more than no other, in rational arithmetic."""
    p = [Fraction(x) for x in p]
    costs = [[Fraction(x) for x in row] for row in costs]

    def costs_more(i, k):
        differences = [weight * (row[i] - row[k]) for weight, row in zip(p, costs, strict=True)]
        return sum(differences) > Fraction(1, 2**40) * sum(map(abs, differences))

    classes = range(len(costs))
    return next(i for i in classes if not any(costs_more(i, k) for k in classes))


@st.composite
def costs_with_errors_that_must_not_be_made(draw):
    """Return probabilities, some of them tiny or 0, and costs, some of them large."""
    K = draw(st.integers(2, 5))
    parts = draw(
        arrays(np.float64, K, elements=st.sampled_from([0, 0, 1e-18, 1e-9, 1, 2, 3])).filter(np.any)
    )
    costs = draw(arrays(np.float64, (K, K), elements=st.integers(0, 5)))
    is_large = draw(arrays(np.bool_, (K, K)))
    large = 10.0 ** draw(st.integers(3, 15))
    return parts / parts.sum(), np.where(is_large, costs * draw(st.booleans()) + large, costs)


@settings(max_examples=100)
@given(costs_with_errors_that_must_not_be_made())
def test_decisions_with_large_costs_are_those_of_rational_arithmetic(example):
    p, costs = example
    classifier = decided(np.ones(len(p)), cost_matrix=costs)
    assert classifier.predict(p[None]) == [exact_decision(p, costs)]


@pytest.mark.parametrize("large", [1e3, 1e9, 1e12, 1e15, 1e300])
def test_a_cost_of_a_class_of_probability_0_decides_nothing(large):
    costs = [[0, 1, large], [1, 0, large], [1, 1, large]]
    assert decided([1, 1, 1], cost_matrix=costs).predict([[0.1, 0.9, 0.0]]) == [1]
    # Nor does a negative rounding error of the probability.
    costs = [[0, 1, 1], [1, 0, 1], [0, large, 0]]
    assert decided([1, 1, 1], cost_matrix=costs).predict([[0.9, 0.1, -1e-16]]) == [0]


@pytest.mark.parametrize("large", [1e3, 1e9, 1e12, 1e15])
def test_a_cost_that_two_classes_share_does_not_decide_between_them(large):
    costs = [[0, large, large], [large, 0, 1], [large, 1, 0]]
    assert decided([1, 1, 1], cost_matrix=costs).predict([[0.3, 0.3, 0.4]]) == [2]


def test_decisions_do_not_depend_on_the_size_of_a_cost_that_is_never_worth_it():
    X, y = load_lev(return_X_y=True)
    model = LogisticRegression(max_iter=5000).fit(X, y)
    proba, predicted = model.predict_proba(X), []
    for large in (1e3, 1e9, 1e12, 1e15):
        costs = np.abs(np.subtract.outer(range(5), range(5))).astype(float)
        costs[:4, 4] = large
        predicted.append(decided(np.ones(5), cost_matrix=costs).predict(proba))
        assert predicted[-1].tolist() == [exact_decision(p, costs) for p in proba]
    np.testing.assert_array_equal(predicted, [predicted[0]] * 4)
    assert np.bincount(predicted[0], minlength=5).tolist() == [41, 310, 469, 180, 0]


def test_costs_that_differ_by_rounding_are_tied():
    costs = [[5, 0.1 + 0.2, 0.3], [1, 0, 1], [1, 1, 0]]
    assert decided([1, 1, 1], cost_matrix=costs).predict([[1.0, 0.0, 0.0]]) == [1]


# --- costs -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "counts",
    [
        [93, 280, 403, 197, 27],
        [1, 10**6, 1, 10**12, 1],
        [4, 0, 3, 0, 0],
        [0.3, 1e-9, 2.5, 1.0, 1e-3],
    ],
)
def test_closeness_costs_decide_exactly_as_cem_ord(counts):
    p = np.concatenate([probabilities(5), np.full((1, 5), 0.2), np.eye(5)])
    by_metric = decided(counts)
    by_costs = decided(counts, cost_matrix=metrics.closeness_costs(counts))
    np.testing.assert_array_equal(by_costs.predict(p), by_metric.predict(p))
    np.testing.assert_array_equal(by_costs.expected_costs(p), by_metric.expected_costs(p))


def test_closeness_costs_of_training_decide_exactly_as_cem_ord_for_a_model():
    X, y = load_lev(return_X_y=True)
    forest = RandomForestClassifier(10, min_samples_leaf=5, random_state=0)
    costs = metrics.closeness_costs(np.bincount(y))
    by_metric, by_costs = (
        OptimalDecisionClassifier(forest, **options).fit(X, y)
        for options in ({}, {"cost_matrix": costs})
    )
    np.testing.assert_array_equal(by_metric.predict(X), by_costs.predict(X))
    np.testing.assert_array_equal(by_metric.cost_matrix_, costs)


def test_rows_of_the_cost_matrix_are_true_classes():
    # To predict 0 where 2 is true costs 10; the other way round it costs 2.
    p = [[0.7, 0.0, 0.3]]
    classifier = decided([1, 1, 1], cost_matrix=COSTS)
    np.testing.assert_allclose(classifier.expected_costs(p), [[3, 2.2, 1.4]])
    assert classifier.predict(p) == [2]
    assert decided([1, 1, 1], cost_matrix=COSTS.T).predict(p) == [0]


@given(arrays(np.float64, (4, 4), elements=st.integers(0, 9)), vectors)
def test_any_cost_matrix_is_minimised(costs, vector):
    p = normalised(vector, 4)
    expected = [sum(p[0, j] * costs[j, i] for j in range(4)) for i in range(4)]
    decision = decided([1, 1, 1, 1], cost_matrix=costs).predict(p)[0]
    assert decision == np.flatnonzero(expected <= min(expected) + 1e-11)[0]


def test_expected_cost_is_a_metric_to_decide_for():
    p = probabilities(3)
    metric = partial(metrics.expected_cost_loss, cost_matrix=COSTS)
    by_metric, by_costs = decided([1, 2, 3], metric=metric), decided([1, 2, 3], cost_matrix=COSTS)
    np.testing.assert_array_equal(by_metric.predict(p), by_costs.predict(p))


def test_a_class_without_counts_is_never_predicted():
    p = probabilities(4)
    for options in ({}, {"metric": "ordinal_mean_squared_error"}, {"cost_matrix": np.ones((4, 4))}):
        classifier = decided([5, 0, 3, 2], **options)
        assert not (classifier.predict(p) == 1).any()
        assert np.isinf(classifier.expected_costs(p)[:, 1]).all()
        # Its probability does not count either.
        without = OptimalDecisionClassifier(Given(), labels=range(4), **options)
        without.set_params(class_counts=[5, 0, 3, 2]).fit(np.eye(3), [0, 2, 3])
        rest = p[:, [0, 2, 3]] / p[:, [0, 2, 3]].sum(axis=1, keepdims=True)
        np.testing.assert_array_equal(without.predict(rest), classifier.predict(p))


def test_a_class_that_training_lacks_keeps_its_place_and_is_not_predicted():
    classifier = OptimalDecisionClassifier(Given(), metric="ordinal_mean_squared_error")
    classifier.fit(np.eye(2), [0, 4])
    assert classifier.labels_.tolist() == [0, 1, 2, 3, 4]
    assert classifier.class_counts_.tolist() == [1, 0, 0, 0, 1]
    assert classifier.predict([[0.51, 0.49], [0.49, 0.51]]).tolist() == [0, 4]


def test_counts_are_those_of_training_by_weight():
    X, y = load_lev(return_X_y=True)
    weight = np.random.default_rng(0).integers(0, 4, len(y))
    model = LogisticRegression(max_iter=5000, tol=1e-8)
    weighted = OptimalDecisionClassifier(model).fit(X, y, weight)
    repeated = OptimalDecisionClassifier(model).fit(
        np.repeat(X, weight, axis=0), np.repeat(y, weight)
    )
    np.testing.assert_array_equal(weighted.class_counts_, np.bincount(y, weight))
    np.testing.assert_array_equal(weighted.class_counts_, repeated.class_counts_)
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), atol=1e-4)
    np.testing.assert_array_equal(weighted.predict(X), repeated.predict(X))


def test_a_class_of_weight_zero_is_never_predicted():
    X, y = load_lev(return_X_y=True)
    classifier = OptimalDecisionClassifier(LogisticRegression(max_iter=5000))
    classifier.fit(X, y, np.where(y == 4, 0, 1))
    assert classifier.class_counts_.tolist() == [93, 280, 403, 197, 0]
    assert 4 not in classifier.predict(X)


# --- classes and their order -----------------------------------------------------------


@pytest.mark.parametrize(
    ("y", "labels"),
    [
        (GRADES, GRADES),
        (pd.Series(pd.Categorical(GRADES, GRADES, ordered=True)), None),
        (pl.Series(GRADES, dtype=pl.Enum(GRADES)), None),
    ],
)
def test_costs_and_counts_are_in_the_order_of_the_scale(y, labels):
    p = probabilities(3)
    expected = decided([6, 3, 1], cost_matrix=COSTS).predict(p)
    classifier = OptimalDecisionClassifier(
        Given(), labels=labels, cost_matrix=COSTS, class_counts=[6, 3, 1]
    ).fit(np.eye(3), y)
    assert classifier.classes_.tolist() == COLUMNS
    assert classifier.labels_.tolist() == GRADES
    shuffled = p[:, [GRADES.index(grade) for grade in COLUMNS]]
    np.testing.assert_array_equal(classifier.predict(shuffled), np.array(GRADES)[expected])
    np.testing.assert_allclose(
        classifier.expected_costs(shuffled), (p @ COSTS)[:, [GRADES.index(g) for g in COLUMNS]]
    )


@pytest.mark.parametrize("y", [[0.0, 1.0, 2.0], np.array([7, 8, 9], np.int8), [-1, 0, 1]])
def test_predictions_have_the_dtype_of_the_classes(y):
    classifier = OptimalDecisionClassifier(Given()).fit(np.eye(3), y)
    predicted = classifier.predict(np.eye(3))
    assert predicted.dtype == np.asarray(y).dtype
    assert predicted.tolist() == list(y)


def test_booleans_are_two_classes():
    classifier = OptimalDecisionClassifier(Given()).fit(np.eye(2), [False, True])
    assert classifier.predict([[0.7, 0.3], [0.3, 0.7]]).tolist() == [False, True]


def test_strings_without_an_order_raise():
    with pytest.raises(ValueError, match=r"y has string labels .* whose order is not known"):
        OptimalDecisionClassifier(Given()).fit(np.eye(3), GRADES)


# --- errors ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cost_matrix": np.eye(2)}, r"cost_matrix must have shape \(3, 3\), a row for each true"),
        ({"cost_matrix": -np.eye(3)}, "cost_matrix must not be negative, got -1.0"),
        ({"cost_matrix": np.full((3, 3), np.nan)}, "cost_matrix must not be NaN"),
        (
            {"cost_matrix": [[0, np.inf, 1]] * 3},
            "cost_matrix must be finite for the classes that occur, got infinite",
        ),
        ({"cost_matrix": COSTS, "metric": "accuracy"}, "cost_matrix and metric='accuracy' exclude"),
        ({"class_counts": [1, 2]}, r"class_counts must have shape \(3,\), .*, got \(2,\)"),
        ({"class_counts": [1, -2, 3]}, "class_counts must not be negative"),
        ({"class_counts": [1, np.nan, 3]}, "class_counts must be finite"),
        (
            {"class_counts": [0, 0, 0]},
            "class_counts must be positive for at least one class .* got 0",
        ),
        ({"metric": "rmse"}, "metric must be a known name, got 'rmse'"),
        ({"labels": [0, 1]}, r"classes that are not in labels: \[2\]"),
    ],
)
def test_invalid_options_raise(options, message):
    with pytest.raises(ValueError, match=message):
        OptimalDecisionClassifier(Given(), **options).fit(np.eye(3), range(3))


@pytest.mark.parametrize(
    "metric",
    [
        "quadratic_weighted_kappa",
        "linear_weighted_kappa",
        "cem_ord_adjusted",
        partial(metrics.cem_ord_score, adjusted=True),
        "kendall_tau_b",
        "maximum_mean_absolute_error",
        "f1_macro",
        "neg_mean_absolute_error",
    ],
)
def test_criteria_that_are_not_sums_of_costs_are_refused_with_the_way_out(metric):
    name = get_metric(metric).name
    message = rf"sum of costs .*, which {name} is not .*TunedOrdinalThresholdClassifierCV"
    with pytest.raises(ValueError, match=message):
        OptimalDecisionClassifier(Given(), metric=metric).fit(np.eye(3), range(3))


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("ranked_probability_score", "criterion of predicted classes, .* from probabilities"),
        (
            "neg_log_loss",
            "predicted classes, .* but log_loss is computed from probabilities",
        ),
        (partial(metrics.cem_ord_score, labels=[2, 1, 0]), "must not have labels of its own"),
        (make_ordinal_scorer("cem_ord", labels=[2, 1, 0]), "must not have labels of its own"),
    ],
)
def test_criteria_that_are_not_of_classes_in_the_order_of_the_classifier_raise(metric, message):
    with pytest.raises(ValueError, match=message):
        OptimalDecisionClassifier(Given(), metric=metric).fit(np.eye(3), range(3))


def test_an_estimator_without_probabilities_is_refused_with_the_way_out():
    message = "must have predict_proba, which LinearSVC does not: .*Calibrated"
    with pytest.raises(ValueError, match=message):
        OptimalDecisionClassifier(LinearSVC()).fit(np.eye(3), range(3))


@pytest.mark.parametrize(
    ("proba", "message"),
    [
        # As of LightGBM with an objective of one's own.
        ([[-1.2, 0.3, 2.1]], "predict_proba of Given must return probabilities: .* row 0"),
        ([[0.5, np.nan, 0.5]], "predict_proba of Given must return probabilities: .* be finite"),
        ([[0.5, 0.5]], r"predict_proba of Given must return a column for each of 3 classes"),
        ([["0", "0", "1"]], "the output of predict_proba of Given must hold numbers, got strings"),
    ],
)
def test_what_is_not_a_probability_raises(proba, message):
    with pytest.raises(ValueError, match=message):
        decided([1, 2, 3]).predict(proba)


class WithoutClasses(Given):
    def fit(self, X, y):
        super().fit(X, y)
        del self.classes_
        return self


def test_a_classifier_without_classes_is_named():
    with pytest.raises(ValueError, match="classes_ once it is fitted, which WithoutClasses does"):
        OptimalDecisionClassifier(WithoutClasses()).fit(np.eye(3), range(3))


def test_weights_that_the_estimator_would_ignore_raise():
    with pytest.raises(ValueError, match="estimator must accept sample_weight in fit, which"):
        OptimalDecisionClassifier(Given()).fit(np.eye(3), range(3), [1, 1, 2])


def test_an_unfitted_classifier_raises_not_fitted_error():
    with pytest.raises(NotFittedError):
        OptimalDecisionClassifier(Given()).predict(np.eye(3))


# --- in scikit-learn -------------------------------------------------------------------

_STRINGS = "the order of strings is unknown"
EXPECTED_FAILURES = {
    "accuracy": {"check_classifiers_classes": _STRINGS},
    "cem_ord": {
        "check_classifiers_classes": _STRINGS,
        "check_classifiers_train": "predict is not the argmax of predict_proba",
    },
}


ESTIMATORS = {
    metric: OptimalDecisionClassifier(LogisticRegression(), metric=metric)
    for metric in EXPECTED_FAILURES
}


@each_check(ESTIMATORS, EXPECTED_FAILURES)
def test_it_passes_the_checks_of_scikit_learn(estimator, check):
    check(estimator)


def test_it_is_cloned_and_pickled():
    X, y = load_lev(return_X_y=True)
    options = {"labels": np.arange(5), "class_counts": [1, 2, 3, 2, 1]}
    classifier = OptimalDecisionClassifier(LogisticRegression(max_iter=5000), **options).fit(X, y)
    copy = pickle.loads(pickle.dumps(classifier))
    np.testing.assert_array_equal(copy.predict(X), classifier.predict(X))
    again = clone(classifier)
    assert not hasattr(again, "estimator_")
    np.testing.assert_array_equal(again.fit(X, y).predict(X), classifier.predict(X))


def test_a_frozen_estimator_is_not_fitted_again():
    frozen = pytest.importorskip("sklearn.frozen", reason="scikit-learn 1.6")
    X, y = load_lev(return_X_y=True)
    model = LogisticRegression(max_iter=5000).fit(X, y)
    coefficients = model.coef_.copy()
    few = np.concatenate([np.flatnonzero(y == k)[:6] for k in range(5)])
    classifier = OptimalDecisionClassifier(frozen.FrozenEstimator(model))
    classifier.fit(X[few], y[few], np.arange(1, 31))
    np.testing.assert_array_equal(model.coef_, coefficients)
    np.testing.assert_array_equal(classifier.predict_proba(X), model.predict_proba(X))
    np.testing.assert_array_equal(classifier.class_counts_, np.bincount(y[few], np.arange(1, 31.0)))
    # A class that the later data lack keeps its place, if the labels say so.
    lacking = few[y[few] > 0]
    with pytest.raises(ValueError, match=r"classes_ of the estimator .* not in labels: \[0\]"):
        classifier.fit(X[lacking], y[lacking])
    classifier.set_params(labels=range(5)).fit(X[lacking], y[lacking])
    assert 0 not in classifier.predict(X)
    model = LogisticRegression(max_iter=5000).fit(X[y < 4], y[y < 4])
    message = r"y has classes that the estimator was not fitted on, \[4\]: fit"
    with pytest.raises(ValueError, match=message):
        OptimalDecisionClassifier(frozen.FrozenEstimator(model)).fit(X, y)


def test_it_works_in_pipelines_and_searches_with_strings_in_a_given_order():
    X, y = load_lev(return_X_y=True)
    names = np.array(["worst", "low", "mid", "high", "best"])
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    search = GridSearchCV(
        OptimalDecisionClassifier(model, labels=names),
        {
            "metric": ["accuracy", "cem_ord"],
            "estimator__logisticregression__C": [0.1, 1.0],
        },
        scoring=make_ordinal_scorer("cem_ord", labels=names),
        cv=3,
        error_score="raise",
    ).fit(X, names[y])
    assert search.best_params_["metric"] == "cem_ord"
    of_integers = OptimalDecisionClassifier(
        clone(model).set_params(
            logisticregression__C=search.best_params_["estimator__logisticregression__C"]
        )
    ).fit(X, y)
    np.testing.assert_array_equal(search.predict(X), names[of_integers.predict(X)])
    final = make_pipeline(StandardScaler(), of_integers.set_params(estimator=LogisticRegression()))
    assert final.fit(X, y).score(X, y) > 0.5


def test_it_wins_comparisons_by_its_criterion_also_if_folds_lack_a_class():
    X, y = load_lev(return_X_y=True)
    few = np.sort(np.concatenate([np.flatnonzero(y == 4)[:2], np.flatnonzero(y < 4)]))
    model = LogisticRegression(max_iter=5000)
    folds = np.arange(len(few)) % 3
    splits = [(np.flatnonzero(folds != k), np.flatnonzero(folds == k)) for k in range(3)]
    # The first fold trains without the highest class.
    highest = y[few] == 4
    splits[0] = (np.flatnonzero(~highest & (folds != 0)), np.flatnonzero(highest | (folds == 0)))
    comparison = compare_estimators(
        {"mode": model, "optimal": OptimalDecisionClassifier(model)},
        X[few],
        y[few],
        scoring="cem_ord",
        cv=splits,
        labels=range(5),
        verbose=False,
        random_state=0,
    )
    assert not comparison.failures
    scores = comparison.scores["cem_ord"]
    assert np.mean(scores["optimal"]) > np.mean(scores["mode"])


def test_features_are_those_of_the_estimator():
    X, y = load_lev(return_X_y=True, as_frame=True)
    classifier = OptimalDecisionClassifier(LogisticRegression(max_iter=5000)).fit(X, y)
    assert classifier.n_features_in_ == 4
    assert classifier.feature_names_in_.tolist() == X.columns.tolist()
    classifier.fit(X.to_numpy(), y)
    assert not hasattr(classifier, "feature_names_in_")


def test_sample_weights_are_routed():
    X, y = load_lev(return_X_y=True)
    weight = np.where(y == 0, 5.0, 1.0)
    with sklearn.config_context(enable_metadata_routing=True):
        model = LogisticRegression(max_iter=5000).set_fit_request(sample_weight=True)
        classifier = OptimalDecisionClassifier(model).set_fit_request(sample_weight=True)
        classifier.set_score_request(sample_weight=False)
        routed = clone(classifier).fit(X, y, sample_weight=weight)
        search = GridSearchCV(classifier, {"metric": ["cem_ord"]}, cv=2)
        search.fit(X, y, sample_weight=weight)
        pipeline = make_pipeline(StandardScaler(), LogisticRegression())
        pipeline[-1].set_fit_request(sample_weight=True)
        pipeline[0].set_fit_request(sample_weight=False)
        in_pipeline = OptimalDecisionClassifier(pipeline).fit(X, y, sample_weight=weight)
        unrouted = OptimalDecisionClassifier(LogisticRegression(max_iter=5000))
        with pytest.raises(ValueError, match="sample_weight"):
            unrouted.fit(X, y, sample_weight=weight)
    by_hand = OptimalDecisionClassifier(LogisticRegression(max_iter=5000)).fit(X, y, weight)
    for fitted in (routed, search.best_estimator_, in_pipeline):
        np.testing.assert_array_equal(fitted.class_counts_, np.bincount(y, weight))
    for fitted in (routed, search.best_estimator_):
        np.testing.assert_array_equal(fitted.predict_proba(X), by_hand.predict_proba(X))


def test_other_parameters_of_fit_are_passed_on():
    X, y = load_lev(return_X_y=True)
    weight = np.where(y == 0, 5.0, 1.0)
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    classifier = OptimalDecisionClassifier(pipeline, class_counts=np.bincount(y, weight))
    classifier.fit(X, y, logisticregression__sample_weight=weight)
    expected = clone(pipeline).fit(X, y, logisticregression__sample_weight=weight)
    np.testing.assert_array_equal(classifier.predict_proba(X), expected.predict_proba(X))


def test_out_of_fold_predictions_earn_more_than_the_most_probable_classes():
    X, y = load_lev(return_X_y=True)
    model = LogisticRegression(max_iter=5000)
    optimal, mode = (
        metrics.cem_ord_score(y, cross_val_predict(classifier, X, y, cv=5))
        for classifier in (OptimalDecisionClassifier(model), model)
    )
    assert optimal > mode
