"""The baselines, checked against scikit-learn and by brute force."""

import pickle
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks

from sklearn_ordinal import metrics
from sklearn_ordinal.model_selection import OrdinalDummyClassifier
from tests.estimator_checks import each_check

SHARED = ["most_frequent", "prior", "stratified", "uniform"]
STRATEGIES = [*SHARED, "median", "constant", "best_constant"]
LIKERT = ["low", "mid", "high"]

_DRAWS = "the draw for a sample depends on its position, as in DummyClassifier"
_STRINGS = "the order of strings is unknown"
EXPECTED_FAILURES = {
    "most_frequent": {},
    "prior": {},
    "stratified": {
        "check_methods_sample_order_invariance": _DRAWS,
        "check_methods_subset_invariance": _DRAWS,
    },
    "uniform": {
        "check_methods_sample_order_invariance": _DRAWS,
        "check_methods_subset_invariance": _DRAWS,
        "check_classifiers_train": "equal probabilities have no maximum, as in DummyClassifier",
    },
    "median": {"check_classifiers_classes": _STRINGS},
    "constant": {"check_classifiers_classes": "the constant is not one of the strings"},
    "best_constant": {"check_classifiers_classes": _STRINGS},
}
grades = st.lists(st.integers(0, 5), min_size=1, max_size=20)


def fitted(strategy, y, sample_weight=None, **options):
    X = np.zeros((len(y), 1))
    return OrdinalDummyClassifier(strategy, **options).fit(X, y, sample_weight)


BASELINES = {
    strategy: OrdinalDummyClassifier(strategy, constant=1, random_state=0)
    for strategy in STRATEGIES
}


@each_check(BASELINES, EXPECTED_FAILURES)
def test_every_strategy_passes_the_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
def test_the_default_passes_check_estimator():
    estimator_checks.check_estimator(OrdinalDummyClassifier())


@settings(deadline=None)
@given(grades, st.sampled_from(SHARED), st.booleans(), st.integers(0, 100))
def test_shared_strategies_match_scikit_learn(y, strategy, weighted, seed):
    weight = np.arange(1, len(y) + 1) / 2 if weighted else None
    X = np.zeros((len(y), 1))
    theirs = DummyClassifier(strategy=strategy, random_state=seed).fit(X, y, weight)
    ours = fitted(strategy, y, weight, random_state=seed)
    np.testing.assert_array_equal(ours.classes_, theirs.classes_)
    np.testing.assert_array_equal(ours.class_prior_, theirs.class_prior_)
    new = np.zeros((50, 1))
    np.testing.assert_array_equal(ours.predict(new), theirs.predict(new))
    np.testing.assert_array_equal(ours.predict_proba(new), theirs.predict_proba(new))


@pytest.mark.parametrize("constant", ["mid", np.str_("mid")])
def test_constant_strategy_matches_scikit_learn(constant):
    y = ["low", "mid", "high", "low"]
    X = np.zeros((4, 1))
    theirs = DummyClassifier(strategy="constant", constant="mid").fit(X, y)
    ours = fitted("constant", y, constant=constant)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    np.testing.assert_array_equal(ours.predict_proba(X), theirs.predict_proba(X))
    assert ours.constant_ == "mid"


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), min_size=1, max_size=20))
def test_median_is_the_lower_median_of_samples_repeated_by_weight(rows):
    y, weight = np.array(rows).T
    if not weight.any():
        weight = weight + 1
    expected = np.quantile(np.repeat(y, weight), 0.5, method="lower")
    assert fitted("median", y, weight).constant_ == expected
    assert fitted("median", y, weight / 10).constant_ == expected


@settings(deadline=None)
@given(grades)
def test_no_constant_has_a_lower_mean_absolute_error_than_the_median(y):
    median = fitted("median", y).constant_
    errors = [np.abs(np.array(y) - constant).mean() for constant in range(6)]
    assert errors[median] == pytest.approx(min(errors))


@settings(deadline=None)
@given(grades, st.integers(0, 100))
def test_no_constant_probabilities_beat_the_prior_on_the_training_labels(y, seed):
    baseline = fitted("prior", y)
    assert baseline.predict([[0]]) == [baseline.constant_]
    prior = baseline.predict_proba([[0]])
    reached = y <= baseline.classes_[:, None]
    others = np.random.default_rng(seed).dirichlet(np.ones(len(baseline.classes_)), 20)
    scores = [((np.cumsum(p) - reached.T) ** 2).sum() for p in (*prior, *others)]
    assert scores[0] == pytest.approx(min(scores))


CRITERIA = {
    "cem_ord": (metrics.cem_ord_score, 1),
    "neg_ordinal_mean_squared_error": (metrics.ordinal_mean_squared_error, -1),
    "ordinal_mean_absolute_error": (metrics.ordinal_mean_absolute_error, -1),
    "neg_macro_averaged_mean_absolute_error": (metrics.macro_averaged_mean_absolute_error, -1),
    "maximum_mean_absolute_error": (metrics.maximum_mean_absolute_error, -1),
    "within_1_accuracy": (metrics.within_n_accuracy_score, 1),
    "neg_uniform_ordinal_classification_index": (metrics.uniform_ordinal_classification_index, -1),
}


@pytest.mark.parametrize("name", CRITERIA)
@settings(deadline=None, max_examples=25)
@given(y=grades, weighted=st.booleans())
def test_best_constant_has_the_best_value_and_ties_go_to_the_most_frequent(name, y, weighted):
    function, sign = CRITERIA[name]
    weight = np.random.default_rng(0).integers(1, 4, len(y)) if weighted else None
    labels = range(6)
    gain = {
        constant: sign * function(y, [constant] * len(y), labels=labels, sample_weight=weight)
        for constant in set(y)
    }
    size = np.bincount(y, weight, 6)
    tied = [c for c in sorted(gain) if gain[c] >= max(gain.values()) - 1e-9]
    expected = max(tied, key=lambda constant: size[constant])
    assert fitted("best_constant", y, weight, labels=labels, metric=name).constant_ == expected
    of_function = fitted("best_constant", y, weight, labels=labels, metric=function)
    assert of_function.constant_ == expected


def test_best_constant_of_many_classes_is_found_in_chunks(monkeypatch):
    monkeypatch.setattr("sklearn_ordinal.model_selection._dummy._CELLS_PER_CHUNK", 2000)
    y = np.random.default_rng(0).binomial(40, 0.3, 500)
    middle = [(y.min() + y.max()) // 2, (y.min() + y.max() + 1) // 2]
    expected = max(middle, key=np.bincount(y).__getitem__)
    metric = "maximum_mean_absolute_error"
    assert fitted("best_constant", y, metric=metric).constant_ == expected


@pytest.mark.parametrize("unit", [1e-13, 1, 1e12])
@pytest.mark.parametrize("large", [1, 1e12])
def test_best_constant_has_the_least_cost_in_any_unit_and_whatever_all_constants_share(unit, large):
    y = [0] * 40 + [1] * 59 + [2]
    # Class 0 costs 118, and class 1, which is more frequent, 120. Each misses class 2.
    costs = unit * np.array([[0, 3, large], [2, 0, large], [1000 * large, 1000 * large, 0]])
    costs[:2, 2] *= 1000
    metric = partial(metrics.expected_cost_loss, cost_matrix=costs)
    assert fitted("best_constant", y, metric=metric).constant_ == 0


def test_metric_can_be_a_partial():
    y = [0] * 5 + [2] * 4 + [4] * 4
    within_2 = partial(metrics.within_n_accuracy_score, n=2)
    assert fitted("best_constant", y, metric="within_1_accuracy").constant_ == 0
    assert fitted("best_constant", y, metric=within_2).constant_ == 2


@pytest.mark.parametrize(
    "metric", ["kendall_tau_b", "linear_weighted_kappa", "cem_ord_adjusted", "pearson_correlation"]
)
def test_best_constant_is_the_most_frequent_if_none_beats_chance(metric):
    # For every constant, the value is undefined or 0 up to rounding.
    y = np.repeat([0, 1, 2, 5], [3, 7, 11, 6])
    assert fitted("best_constant", y, metric=metric).constant_ == 2


@pytest.mark.parametrize("strategy", ["median", "best_constant"])
@pytest.mark.parametrize(
    "ordered",
    [
        lambda y: pd.Series(pd.Categorical(y, LIKERT, ordered=True)),
        lambda y: pd.Categorical(y, LIKERT, ordered=True),
        lambda y: pl.Series(y, dtype=pl.Enum(LIKERT)),
    ],
)
def test_order_comes_from_the_dtype_or_labels(strategy, ordered):
    y = ["low", "mid", "high", "low", "high"]
    assert fitted(strategy, ordered(y)).predict([[0], [0]]).tolist() == ["mid", "mid"]
    assert fitted(strategy, y, labels=LIKERT).constant_ == "mid"
    # A different order puts another class in the middle.
    assert fitted(strategy, y, labels=["mid", "low", "high"]).constant_ == "low"


@pytest.mark.parametrize("strategy", ["median", "best_constant"])
def test_predictions_have_the_dtype_of_the_labels(strategy):
    for y in ([0.0, 1.0, 2.0], np.array([7, 8, 9], dtype=np.int8), [-1, 0, 1], [False, True, True]):
        predicted = fitted(strategy, y).predict([[0]])
        assert predicted.dtype == np.asarray(y).dtype
        assert predicted[0] == y[1]


def test_numbers_are_not_turned_into_strings():
    for y in ([1, 2.5, 2.5], np.array([1, 2.5, 2.5], dtype=object)):
        classes = fitted("most_frequent", y=y, labels=[1, 2.5]).classes_
        assert (classes.tolist(), classes.dtype) == ([1, 2.5], np.float64)
    for y in (["1", 1, 1], np.array(["1", 1, 1], dtype=object)):
        with pytest.raises(ValueError, match="y must hold classes that can be sorted: '<' not"):
            fitted("most_frequent", y=y)


def test_strings_without_an_order_work_only_if_no_order_is_needed():
    y = ["low", "mid", "mid"]
    assert fitted("most_frequent", y).constant_ == "mid"
    assert fitted("stratified", y).constant_ is None
    with pytest.raises(ValueError, match=r"order is not known: pass labels="):
        fitted("median", y)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_samples_of_weight_zero_are_ignored(strategy):
    y, weight = [0, 1, 1, 2, 2, 2], [1, 2, 2, 0, 0, 0]
    options = {"constant": 1, "random_state": 0}
    with_them = fitted(strategy, y, weight, **options)
    without = fitted(strategy, y[:3], weight[:3], **options)
    assert with_them.constant_ == without.constant_


def test_features_can_be_texts():
    texts, y = ["good", "bad", "very good", "so so", "fine"] * 4, [2, 0, 2, 1, 1] * 4
    for strategy in STRATEGIES:
        baseline = OrdinalDummyClassifier(strategy, constant=1, random_state=0)
        assert baseline.fit(texts, y).predict(texts).shape == (20,)
        assert not hasattr(baseline, "n_features_in_")
        assert cross_val_predict(baseline, np.array(texts), y, cv=2).shape == (20,)
    pipeline = make_pipeline(CountVectorizer(), OrdinalDummyClassifier("median"))
    assert pipeline.fit(texts, y).predict(["bad"]) == [1]


def test_feature_names_and_number_of_features_are_kept():
    X = pd.DataFrame({"age": [1, 2], "size": [3, 4]})
    baseline = OrdinalDummyClassifier().fit(X, [0, 1])
    assert baseline.n_features_in_ == 2
    assert baseline.feature_names_in_.tolist() == ["age", "size"]


def test_logarithms_of_zero_give_no_warning():
    log_proba = fitted("median", [0, 1, 1]).predict_log_proba([[0]])
    np.testing.assert_array_equal(log_proba, [[-np.inf, 0]])


def test_sample_weight_is_routed():
    X, y = np.zeros((40, 1)), np.array([0, 1, 2, 2] * 10)
    weight = np.where(y == 0, 5, 1)
    with sklearn.config_context(enable_metadata_routing=True):
        baseline = OrdinalDummyClassifier().set_fit_request(sample_weight=True)
        baseline.set_score_request(sample_weight=False)
        search = GridSearchCV(baseline, {"strategy": ["most_frequent", "median"]}, cv=2)
        search.fit(X, y, sample_weight=weight)
        assert search.best_estimator_.constant_ == 0


def test_grid_search_selects_the_strategy_by_a_scorer():
    y = [0] * 8 + [1, 2, 3, 4] * 3
    search = GridSearchCV(
        OrdinalDummyClassifier(),
        {"strategy": ["most_frequent", "median"]},
        scoring="neg_ordinal_mean_absolute_error",
        cv=2,
    ).fit(np.zeros((20, 1)), y)
    assert search.best_params_ == {"strategy": "median"}


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_baselines_can_be_cloned_and_pickled(strategy):
    labels = np.array([0, 1, 2])
    options = {"labels": labels, "constant": 1, "metric": metrics.cem_ord_score, "random_state": 0}
    baseline = fitted(strategy, [0, 1, 1, 2], **options)
    X = np.zeros((10, 1))
    copy = pickle.loads(pickle.dumps(baseline))
    np.testing.assert_array_equal(copy.predict(X), baseline.predict(X))
    again = clone(baseline).fit(np.zeros((4, 1)), [0, 1, 1, 2])
    np.testing.assert_array_equal(again.predict(X), baseline.predict(X))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"strategy": "mean"}, "strategy must be one of"),
        ({"strategy": "constant"}, r"constant must be one of the classes in y, \[0, 1\], got None"),
        ({"strategy": "constant", "constant": 2}, "constant must be one of .* got 2"),
        ({"strategy": "best_constant", "metric": "rmse"}, "metric must be .* got 'rmse'"),
        (
            {"strategy": "best_constant", "metric": "concordance"},
            "of labels .* needs scores",
        ),
        ({"strategy": "best_constant", "metric": "roc_auc_ovr"}, "roc_auc_ovr, which needs prob"),
        ({"strategy": "median", "labels": [1, 2]}, r"classes that are not in labels: \[0\]"),
    ],
)
def test_error_messages_name_the_argument(options, message):
    with pytest.raises(ValueError, match=message):
        fitted(y=[0, 1, 1], **options)


@pytest.mark.parametrize("strategy", [*SHARED, "median"])
def test_missing_labels_and_invalid_weights_raise(strategy):
    X, baseline = [[0]] * 3, OrdinalDummyClassifier(strategy)
    for y in ([0, 1, np.nan], [0, 1, None], np.ma.array([0, 1, 2], mask=[0, 0, 1])):
        with pytest.raises(ValueError, match="y has missing values"):
            baseline.fit(X, y)
    for weight, message in (([1, -1, 1], "must not be negative"), (["1"] * 3, "must hold numbers")):
        with pytest.raises(ValueError, match=f"sample_weight {message}"):
            baseline.fit(X, [0, 1, 2], weight)


def test_training_without_samples_is_an_error():
    with pytest.raises(ValueError, match="y must not be empty"):
        OrdinalDummyClassifier("prior").fit(np.empty((0, 1)), [])


def test_an_unfitted_baseline_raises_not_fitted_error():
    with pytest.raises(NotFittedError):
        OrdinalDummyClassifier().predict([[0]])
