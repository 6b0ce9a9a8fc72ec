"""Scorers of probabilities and scores, which see the estimator.

The expected values come from loops in conftest.py, which match columns to classes by name.
"""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from numpy.testing import assert_allclose
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import check_scoring
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from sklearn_ordinal import get_metric, make_ordinal_scorer
from sklearn_ordinal._core.catalogue import METRICS
from sklearn_ordinal.metrics import ranked_probability_score
from tests.scorers.consumers import (
    CONSUMERS,
    GRID,
    RAISE,
    fold_mean,
    logistic_regression_cv,
    scores_of,
    tree,
    tuned_threshold,
)
from tests.scorers.test_consumers import CONSUMERS_OF_SEVERAL, KEEPS_CLASSES, RECODING
from tests.scorers.test_scorers import TRUTHS

RPS = "neg_ranked_probability_score"
NAMES = [
    m.scorer_name
    for m in METRICS.values()
    if m.evidence.name in ("probabilities", "scores") and not m.is_sklearns
]
# These hand thresholded labels to the metric, and the other has no probabilities.
OF_LABELS = {"TunedThresholdClassifierCV", "TunedThresholdClassifierCV nested"}
WITHOUT_PROBABILITIES = {"RidgeClassifierCV with folds", "RidgeClassifierCV without folds"}
# For two classes, these recode them; the scores of RidgeClassifierCV are not those of `predict`.
CONSUMERS_OF_FORECASTS = CONSUMERS.keys() - OF_LABELS - WITHOUT_PROBABILITIES


@pytest.fixture(params=[RPS, "concordance"])
def criterion(request, neg_rps_by_hand, concordance_by_hand):
    """Return the name of a criterion and a scorer that shares no code with it."""
    by_hand = {RPS: neg_rps_by_hand, "concordance": concordance_by_hand}
    return request.param, by_hand[request.param]


class Permuted(ClassifierMixin, BaseEstimator):
    """A classifier whose classes are not sorted."""

    def __init__(self, order):
        self.order = order

    def fit(self, X, y):
        self.model_ = LogisticRegression(max_iter=1000).fit(X, y)
        self.classes_ = np.array(self.order)
        return self

    def predict_proba(self, X):
        position = self.model_.classes_.tolist().index
        return self.model_.predict_proba(X)[:, list(map(position, self.order))]

    def predict(self, X):
        return self.model_.predict(X)


# --- in every consumer -----------------------------------------------------------------


@pytest.mark.parametrize("consumer", sorted(CONSUMERS_OF_FORECASTS))
def test_the_string_is_accepted_by(consumer, criterion, X, y):
    name, by_hand = criterion
    found = np.array(CONSUMERS[consumer](X, y, scoring=name))
    assert_allclose(found, CONSUMERS[consumer](X, y, scoring=by_hand))


def test_classifiers_without_probabilities_are_scored_by_their_predictions(
    X, y, concordance_by_hand
):
    run = CONSUMERS["RidgeClassifierCV with folds"]
    found = run(X, y, scoring="concordance")
    assert found == pytest.approx(run(X, y, scoring=concordance_by_hand))


@pytest.mark.parametrize("consumer", sorted(CONSUMERS_OF_FORECASTS - RECODING))
def test_class_names_are_scored_in_the_bound_order_by(consumer, criterion, X, y_named, grades):
    name, by_hand = criterion
    scorer, run = make_ordinal_scorer(name, labels=grades), CONSUMERS[consumer]
    assert_allclose(run(X, y_named, scoring=scorer), run(X, y_named, scoring=by_hand))


@pytest.mark.parametrize("consumer", CONSUMERS_OF_SEVERAL)
def test_one_of_each_kind_is_accepted_by(
    consumer, X, y, by_hand, neg_rps_by_hand, concordance_by_hand
):
    names = ["cem_ord", RPS, "concordance", "neg_log_loss"]
    scorers = [by_hand, neg_rps_by_hand, concordance_by_hand, "neg_log_loss"]
    found = CONSUMERS_OF_SEVERAL[consumer](X, y, names)
    expected = CONSUMERS_OF_SEVERAL[consumer](X, y, dict(zip(names, scorers, strict=True)))
    for name in names:
        assert_allclose(found[name], expected[name])


def test_a_search_by_several_criteria_refits_by_the_name_of_one(X, y, neg_rps_by_hand):
    search = GridSearchCV(tree(), GRID, scoring=["cem_ord", RPS], refit=RPS, **RAISE).fit(X, y)
    expected = GridSearchCV(tree(), GRID, scoring=neg_rps_by_hand, **RAISE).fit(X, y)
    assert search.best_params_ == expected.best_params_
    assert search.best_score_ == pytest.approx(expected.best_score_)
    assert search.score(X, y) == pytest.approx(neg_rps_by_hand(expected, X, y))


class Counting(LogisticRegression):
    """Counts the calls of predict_proba."""

    calls = 0

    def predict_proba(self, X):
        type(self).calls += 1
        return super().predict_proba(X)


@pytest.mark.parametrize(
    ("two_classes", "scikit_learns", "n_calls"),
    [(False, ["neg_log_loss", "roc_auc_ovr"], 1), (True, [], 1), (True, ["neg_log_loss"], 2)],
)
def test_criteria_that_are_scored_together_share_one_call(
    two_classes, scikit_learns, n_calls, X, y, y_binary
):
    y = y_binary if two_classes else y
    model = Counting(max_iter=1000).fit(X, y)
    Counting.calls = 0
    names = [RPS, "concordance", *scikit_learns]
    found = check_scoring(model, scoring=names)(model, X, y)
    assert Counting.calls == n_calls
    for name in names:
        assert found[name] == pytest.approx(sklearn.metrics.get_scorer(name)(model, X, y))


def test_the_positive_class_of_another_scorer_does_not_matter(X, y_binary, neg_rps_by_hand):
    # scikit-learn keeps the column of one class for all scorers that are evaluated together.
    brier = sklearn.metrics.make_scorer(
        sklearn.metrics.brier_score_loss, response_method="predict_proba", pos_label=0
    )
    model = LogisticRegression().fit(X, y_binary)
    scoring = {
        "brier": brier,
        "rps": make_ordinal_scorer(RPS),
        "concordance": make_ordinal_scorer("concordance"),
    }
    found = check_scoring(model, scoring=scoring)(model, X, y_binary)
    assert found["rps"] == pytest.approx(neg_rps_by_hand(model, X, y_binary))
    assert found["concordance"] == make_ordinal_scorer("concordance")(model, X, y_binary) > 0.5


@pytest.mark.parametrize(
    "copied", [clone, copy.deepcopy, lambda search: pickle.loads(pickle.dumps(search))]
)
@pytest.mark.parametrize("kind", ["string", "object", "object with an order"])
def test_a_copied_search_gives_the_same_scores(copied, kind, criterion, X, y, y_named, grades):
    name, by_hand = criterion
    scorer = make_ordinal_scorer(name, labels=grades)
    scoring = {"string": name, "object": make_ordinal_scorer(name)}.get(kind, scorer)
    target = y_named if "order" in kind else y
    search = GridSearchCV(tree(), GRID, cv=3, scoring=scoring, **RAISE)
    fitted = copied(search).fit(X, target)
    expected = GridSearchCV(tree(), GRID, cv=3, scoring=by_hand).fit(X, target)
    assert_allclose(fold_mean(fitted), fold_mean(expected))
    if copied is not clone:
        model = copied(fitted)
        assert model.score(X, target) == pytest.approx(by_hand(model, X, target))


def test_the_representation_is_the_call_that_makes_the_scorer():
    assert repr(make_ordinal_scorer(RPS)) == "make_ordinal_scorer('neg_ranked_probability_score')"
    assert make_ordinal_scorer(RPS).__name__ == RPS


# --- columns and classes ---------------------------------------------------------------


@pytest.mark.parametrize("order", [[2, 0, 3, 1], [3, 2, 1, 0]])
def test_columns_are_matched_to_classes_in_any_order(order, criterion, X, y):
    name, by_hand = criterion
    model = Permuted(order).fit(X, y)
    assert make_ordinal_scorer(name)(model, X, y) == pytest.approx(by_hand(model, X, y))
    assert make_ordinal_scorer(name)(model, X, y) == pytest.approx(by_hand(model.model_, X, y))


@pytest.mark.parametrize("left_out", range(4))
def test_a_class_that_training_lacked_has_probability_zero(left_out, criterion, X, y, grades):
    name, by_hand = criterion
    kept = y != left_out
    model = tree().fit(X[kept], y[kept])
    assert make_ordinal_scorer(name)(model, X, y) == pytest.approx(by_hand(model, X, y))
    y_named = np.array(grades)[y]
    model = tree().fit(X[kept], y_named[kept])
    scorer = make_ordinal_scorer(name, labels=grades)
    assert scorer(model, X, y_named) == pytest.approx(by_hand(model, X, y_named))


@pytest.mark.parametrize("left_out", [0, 3])
def test_a_class_that_the_test_samples_lack_keeps_its_place(left_out, criterion, X, y):
    name, by_hand = criterion
    model, kept = tree().fit(X, y), y != left_out
    assert make_ordinal_scorer(name)(model, X[kept], y[kept]) == pytest.approx(
        by_hand(model, X[kept], y[kept])
    )


@pytest.mark.parametrize(("low", "high"), [("poor", "great"), ("fair", "good")])
@pytest.mark.parametrize("make", [LogisticRegression, LinearSVC, SVC])
def test_of_two_classes_the_higher_may_be_the_first(make, low, high, X, y_binary, grades):
    # "great" comes before "poor" in the alphabet, and "good" after "fair".
    scorer = make_ordinal_scorer("concordance", labels=grades)
    y_named = np.where(y_binary == 1, high, low)
    found = scorer(make(random_state=0).fit(X, y_named), X, y_named)
    expected = make_ordinal_scorer("concordance")(
        make(random_state=0).fit(X, y_binary), X, y_binary
    )
    assert found == pytest.approx(expected)
    assert found > 0.8


def test_two_classes_are_scored_by_both_columns(criterion, X, y_binary, grades):
    name, by_hand = criterion
    model = LogisticRegression().fit(X, y_binary)
    assert make_ordinal_scorer(name)(model, X, y_binary) == pytest.approx(
        by_hand(model, X, y_binary)
    )
    y_named = np.where(y_binary == 1, "great", "poor")
    model.fit(X, y_named)
    scorer = make_ordinal_scorer(name, labels=grades)
    assert scorer(model, X, y_named) == pytest.approx(by_hand(model, X, y_named))


def test_a_classifier_that_knows_one_class_is_scored(X, y, neg_rps_by_hand):
    model = tree().fit(X, np.ones(len(X), dtype=int))
    assert make_ordinal_scorer(RPS)(model, X, y) == pytest.approx(neg_rps_by_hand(model, X, y))


def test_the_order_of_a_dtype_is_kept(criterion, X, y_named, grades):
    name, by_hand = criterion
    y = pd.Series(pd.Categorical(y_named, categories=grades, ordered=True))
    model = tree().fit(X, y)
    assert make_ordinal_scorer(name)(model, X, y) == pytest.approx(by_hand(model, X, y_named))


NO_ORDER = (
    r"^y_true has string labels \[.*\], whose order is not known: pass "
    r"scoring=make_ordinal_scorer\('{}', labels=\[...\]\), with all classes from the lowest to the "
    r"highest; pass error_score=\"raise\" too, so that a search stops at such an error\.$"
)


@pytest.mark.parametrize("name", NAMES)
def test_class_names_without_an_order_are_rejected(name, X, y_named):
    with pytest.raises(ValueError, match=NO_ORDER.format(name)):
        make_ordinal_scorer(name)(tree().fit(X, y_named), X, y_named)


def test_a_class_outside_the_bound_order_is_rejected(X, y_named, grades):
    scorer = make_ordinal_scorer(RPS, labels=grades[:-1])
    with pytest.raises(ValueError, match=r"not in labels: \['great'\]") as raised:
        scorer(tree().fit(X, y_named), X, y_named)
    assert 'error_score="raise"' in raised.value.__notes__[0]


def test_without_the_estimator_columns_are_in_sorted_order(criterion, X, y_named, grades):
    # Packages such as skore call the metric of a scorer with responses of the estimator.
    name, _ = criterion
    scorer, model = make_ordinal_scorer(name, labels=grades), tree().fit(X, y_named)
    expected = scorer(model, X, y_named)
    value = scorer._sign * scorer._score_func(y_named, model.predict_proba(X))
    assert value == pytest.approx(expected)
    ordered = pd.Series(pd.Categorical(y_named, categories=grades, ordered=True))
    value = scorer._sign * make_ordinal_scorer(name)._score_func(ordered, model.predict_proba(X))
    assert value == pytest.approx(expected)


@pytest.mark.parametrize("target", ["y", "y_binary"])
def test_skore_shows_the_values(target, criterion, X, splits, request):
    skore = pytest.importorskip("skore", reason="skore is not installed")
    (name, by_hand), y, (train, test) = criterion, request.getfixturevalue(target), splits[0]
    data = {"X_train": X[train], "y_train": y[train], "X_test": X[test], "y_test": y[test]}
    report = skore.EstimatorReport(tree(), **data)
    report.metrics.add(name)
    found = report.metrics.summarize(metric=name).frame()[name]
    # Losses are not negated.
    expected = abs(by_hand(tree().fit(X[train], y[train]), X[test], y[test]))
    assert found == pytest.approx(expected)


# --- which response --------------------------------------------------------------------


@pytest.mark.parametrize("model", [SVC(), LinearSVC(), LinearRegression()])
def test_an_estimator_without_probabilities_raises_scikit_learns_error(model, X, y, y_binary):
    for target in (y, y_binary):
        model.fit(X, target)
        messages = []
        for name in (RPS, "neg_log_loss"):
            with pytest.raises((AttributeError, ValueError)) as error:
                sklearn.metrics.get_scorer(name)(model, X, target)
            messages.append((error.type, str(error.value)))
        assert messages[0] == messages[1]


class Latent(ClassifierMixin, BaseEstimator):
    """A classifier with one decision value per sample, as in proportional odds models."""

    def fit(self, X, y):
        self.classes_, self.model_ = np.unique(y), LinearRegression().fit(X, y)
        return self

    def decision_function(self, X):
        return self.model_.predict(X)

    def predict(self, X):
        return self.classes_[np.clip(np.rint(self.model_.predict(X)).astype(int), 0, 3)]


class Unmarked(BaseEstimator):
    """Has probabilities, and is not marked as a classifier, as in mord."""

    def fit(self, X, y):
        self.model_ = tree().fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X):
        return self.model_.predict(X)

    def predict_proba(self, X):
        return self.model_.predict_proba(X)


def test_scores_are_one_dimensional_decision_values_before_predictions(X, y):
    scorer, model = make_ordinal_scorer("concordance"), Latent().fit(X, y)
    regression = LinearRegression().fit(X, y)
    by_regression = scorer(regression, X, y)
    assert scorer(model, X, y) == by_regression
    model.decision_function = lambda X: regression.predict(X)[:, None]
    assert scorer(model, X, y) == by_regression
    del model.decision_function
    model.decision_function = lambda X: np.c_[X, X]
    by_predictions = scorer(model, X, y)
    assert by_predictions != by_regression
    assert by_predictions == METRICS["concordance"].from_predictions(y, model.predict(X))


def test_predicted_names_are_scored_by_their_positions(X, y, y_named, grades):
    named, numbered = SVC().fit(X, y_named), SVC().fit(X, y_named)
    scorer = make_ordinal_scorer("concordance", labels=grades)
    positions = [grades.index(label) for label in named.predict(X)]
    expected = METRICS["concordance"].from_predictions(y, positions)
    assert scorer(named, X, y_named) == pytest.approx(expected)
    ordered = pd.Series(pd.Categorical(y_named, categories=grades, ordered=True))
    assert make_ordinal_scorer("concordance")(numbered, X, ordered) == pytest.approx(expected)


def test_a_regressor_is_scored_by_its_predictions_if_labels_increase(X, y):
    model = make_pipeline(StandardScaler(), LinearRegression()).fit(X, y)
    expected = METRICS["concordance"].from_predictions(y, model.predict(X))
    assert make_ordinal_scorer("concordance")(model, X, y) == expected
    assert make_ordinal_scorer("concordance", labels=range(4))(model, X, y) == expected
    with pytest.raises(ValueError, match="labels must be increasing numbers if the estimator is a"):
        make_ordinal_scorer("concordance", labels=[3, 2, 1, 0])(model, X, y)
    with pytest.raises(ValueError, match=r"got \[1.5, 1.0, 0.5, 0.0\]"):
        make_ordinal_scorer("concordance", labels=[1.5, 1.0, 0.5, 0.0])(model, X, y / 2)


def test_an_estimator_that_is_not_marked_as_a_classifier_is_scored(criterion, X, y):
    name, by_hand = criterion
    model = Unmarked().fit(X, y)
    assert make_ordinal_scorer(name)(model, X, y) == pytest.approx(by_hand(model.model_, X, y))
    found = check_scoring(model, scoring=[RPS, "concordance"])(model, X, y)
    assert found[name] == pytest.approx(by_hand(model.model_, X, y))


def test_rows_that_are_not_probabilities_are_rejected(X, y):
    class Odd(Permuted):
        def predict_proba(self, X):
            return 2 * super().predict_proba(X)

    with pytest.raises(ValueError, match="predict_proba of Odd must have rows that add up"):
        make_ordinal_scorer(RPS)(Odd(range(4)).fit(X, y), X, y)


@pytest.mark.parametrize("name", [RPS])
def test_tuned_thresholds_are_not_scored_by_probabilities(name, X, y_binary):
    with pytest.raises(ValueError, match=r"y_proba must have shape \(n_samples, n_classes\)"):
        tuned_threshold(name).fit(X, y_binary)


@pytest.mark.skipif(KEEPS_CLASSES, reason="scikit-learn keeps the classes")
def test_an_older_logistic_regression_cv_scores_recoded_classes(X, y_named, grades):
    scorer = make_ordinal_scorer(RPS, labels=grades)
    with pytest.raises(ValueError, match="not in labels"):
        logistic_regression_cv(Cs=[1.0], cv=3, scoring=scorer).fit(X, y_named)


def test_logistic_regression_cv_scores_the_folds(X, y, splits, neg_rps_by_hand):
    model = logistic_regression_cv(Cs=[1.0], cv=splits, scoring=RPS).fit(X, y)
    expected = cross_val_score(
        LogisticRegression(max_iter=1000), X, y, cv=splits, scoring=neg_rps_by_hand
    )
    assert_allclose(scores_of(model), expected)


# --- weights ---------------------------------------------------------------------------


def test_weights_count_as_repetitions(criterion, X, y):
    name, _ = criterion
    weight = np.random.default_rng(2).integers(0, 4, len(y))
    model, scorer = LogisticRegression(max_iter=1000).fit(X, y), make_ordinal_scorer(name)
    repeated = np.repeat(np.arange(len(y)), weight)
    assert scorer(model, X, y, sample_weight=weight) == pytest.approx(
        scorer(model, X[repeated], y[repeated])
    )


def test_routed_weights_reach_the_scorer(X, y, splits, neg_rps_by_hand):
    weight = np.random.default_rng(2).integers(1, 5, len(y))
    expected = [
        neg_rps_by_hand(tree().fit(X[train], y[train]), X[test], y[test], weight[test])
        for train, test in splits
    ]
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = make_ordinal_scorer(RPS).set_score_request(sample_weight=True)
        model, params = tree().set_fit_request(sample_weight=False), {"sample_weight": weight}
        found = cross_val_score(model, X, y, cv=3, scoring=scorer, params=params, **RAISE)
        assert_allclose(found, expected)
        several = {
            "rps": scorer,
            "again": copy.deepcopy(scorer),
            "without": make_ordinal_scorer(RPS),
        }
        several["without"].set_score_request(sample_weight=False)
        found = cross_validate(model, X, y, cv=3, scoring=several, params=params, **RAISE)
        assert_allclose(found["test_rps"], expected)
        assert_allclose(found["test_again"], expected)
        assert_allclose(
            found["test_without"], cross_val_score(tree(), X, y, cv=3, scoring=neg_rps_by_hand)
        )


# --- undefined values ------------------------------------------------------------------


class Forecasting(ClassifierMixin, BaseEstimator):
    """A fitted classifier with given probabilities."""

    classes_ = np.arange(4)

    def __init__(self, probabilities):
        self.probabilities = probabilities

    def predict_proba(self, X):  # noqa: ARG002
        return self.probabilities

    def predict(self, X):  # noqa: ARG002
        return self.probabilities.argmax(axis=1)


@pytest.mark.parametrize("labels", [None, range(4)], ids=["run", "labels"])
@pytest.mark.parametrize("name", NAMES)
def test_scores_are_finite_if_two_or_more_classes_are_true(name, labels):
    scorer = make_ordinal_scorer(name, labels=labels)
    rng = np.random.default_rng(0)
    for truth in map(np.array, TRUTHS.values()):
        constant = [np.tile(row, (6, 1)) for row in (*np.eye(4), np.full(4, 0.25))]
        certain = [np.eye(4)[truth], np.eye(4)[3 - truth], np.eye(4)[rng.integers(0, 4, 6)]]
        for probabilities in (*constant, *certain, rng.dirichlet(np.ones(4), 6)):
            model = Forecasting(probabilities)
            assert np.isfinite(scorer(model, np.zeros((6, 1)), truth))


def test_an_undefined_value_is_the_worst_one(X):
    y = np.ones(len(X), dtype=int)
    with pytest.warns(UndefinedMetricWarning, match="^concordance is .* scored as 0 there"):
        assert make_ordinal_scorer("concordance")(tree().fit(X, y), X, y) == 0.0


# --- as metrics ------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_scorer_is_recognised_as_its_metric(name):
    assert get_metric(make_ordinal_scorer(name)) is METRICS[name.removeprefix("neg_")]
    assert sklearn.metrics.get_scorer(name) is not None


def test_a_scorer_with_an_order_is_a_metric_of_estimators(X, y_named, grades, neg_rps_by_hand):
    metric = get_metric(make_ordinal_scorer(RPS, labels=grades))
    assert (metric.name, metric.greater_is_better) == ("ranked_probability_score", False)
    model = tree().fit(X, y_named)
    expected = -neg_rps_by_hand(model, X, y_named)
    assert metric.scorer(model, X, y_named) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"multioutput": "mean"}, "multioutput must be None for neg_ranked_probability_score, wh"),
        ({"colour": "red"}, "ranked_probability_score has no option colour"),
        ({"y_proba": [[1.0]]}, "no option y_proba"),
    ],
)
def test_invalid_options_are_rejected_when_the_scorer_is_made(options, message):
    with pytest.raises(ValueError, match=message) as error:
        make_ordinal_scorer(RPS, **options)
    assert "\n" not in str(error.value)


def test_an_error_about_a_function_has_its_name():
    with pytest.raises(ValueError, match="None for neg_ranked_probability_score, which needs"):
        make_ordinal_scorer(ranked_probability_score, multioutput="mean")


def test_the_score_of_a_perfect_loss_is_not_negative():
    y = [0, 1, 1, 0]
    perfect = tree().fit(np.array(y)[:, None], y)
    assert str(make_ordinal_scorer(RPS)(perfect, np.array(y)[:, None], y)) == "0.0"
