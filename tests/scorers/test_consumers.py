"""Every consumer of ``scoring=`` in scikit-learn and skore: one test each, one value each.

The values come from the hand calculations in conftest.py, which share no code with the
package. test_registration.py runs this file again with other orders of the imports.
"""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import sklearn
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.feature_selection import RFECV, SequentialFeatureSelector
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression, RidgeClassifier, RidgeClassifierCV
from sklearn.metrics import check_scoring, get_scorer, get_scorer_names
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    HalvingRandomSearchCV,
    LearningCurveDisplay,
    LeaveOneOut,
    RandomizedSearchCV,
    TunedThresholdClassifierCV,
    ValidationCurveDisplay,
    cross_val_predict,
    cross_val_score,
    cross_validate,
    learning_curve,
    permutation_test_score,
    validation_curve,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import sklearn_ordinal

DEPTHS = [1, 2, 4]
MANY_NAMES = {
    "list": ["cem_ord", "neg_ordinal_mean_absolute_error"],
    "tuple": ("cem_ord", "neg_ordinal_mean_absolute_error"),
    "dict": {
        "cem_ord": "cem_ord",
        "neg_ordinal_mean_absolute_error": "neg_ordinal_mean_absolute_error",
    },
}


def tree(max_depth=3):
    return DecisionTreeClassifier(max_depth=max_depth, random_state=0)


@pytest.fixture
def means_by_depth(X, y, splits, score_folds):
    return [np.mean(score_folds(tree(depth), X, y, splits)) for depth in DEPTHS]


@pytest.fixture(params=MANY_NAMES)
def many_names(request):
    return MANY_NAMES[request.param]


# --- functions -------------------------------------------------------------------------


def test_get_scorer_finds_the_string(X, y, exact_cem):
    model = tree().fit(X, y)
    assert get_scorer("cem_ord")(model, X, y) == pytest.approx(exact_cem(y, model.predict(X)))


def test_get_scorer_names_lists_every_name_once():
    names = get_scorer_names()
    assert set(sklearn_ordinal.get_scorer_names()) <= set(names)
    assert len(names) == len(set(names))


def test_check_scoring_takes_the_string(X, y, exact_cem):
    model = tree().fit(X, y)
    scorer = check_scoring(model, scoring="cem_ord")
    assert scorer(model, X, y) == pytest.approx(exact_cem(y, model.predict(X)))


def test_check_scoring_takes_several_strings(X, y, exact_cem, many_names):
    model = tree().fit(X, y)
    scores = check_scoring(model, scoring=many_names)(model, X, y)
    assert scores["cem_ord"] == pytest.approx(exact_cem(y, model.predict(X)))
    error = np.mean(np.abs(y - model.predict(X)))
    assert scores["neg_ordinal_mean_absolute_error"] == pytest.approx(-error)


def test_cross_validate_takes_the_string(X, y, splits, score_folds):
    results = cross_validate(tree(), X, y, cv=3, scoring="cem_ord", error_score="raise")
    assert_allclose(results["test_score"], score_folds(tree(), X, y, splits))


def test_cross_validate_takes_several_strings(X, y, splits, score_folds, many_names):
    results = cross_validate(tree(), X, y, cv=3, scoring=many_names, error_score="raise")
    assert_allclose(results["test_cem_ord"], score_folds(tree(), X, y, splits))
    assert (results["test_neg_ordinal_mean_absolute_error"] < 0).all()


def test_cross_val_score_takes_the_string(X, y, splits, score_folds):
    scores = cross_val_score(tree(), X, y, cv=3, scoring="cem_ord", error_score="raise")
    assert_allclose(scores, score_folds(tree(), X, y, splits))


def test_learning_curve_takes_the_string(X, y, splits, score_folds):
    sizes, _, scores = learning_curve(
        tree(), X, y, cv=splits, train_sizes=[30, 60], scoring="cem_ord", error_score="raise"
    )
    for size, scores_of_size in zip(sizes, scores, strict=True):
        first = [(train[:size], test) for train, test in splits]
        assert_allclose(scores_of_size, score_folds(tree(), X, y, first))


def test_validation_curve_takes_the_string(X, y, splits, score_folds):
    _, scores = validation_curve(
        tree(),
        X,
        y,
        param_name="max_depth",
        param_range=DEPTHS,
        cv=3,
        scoring="cem_ord",
        error_score="raise",
    )
    assert_allclose(scores, [score_folds(tree(depth), X, y, splits) for depth in DEPTHS])


def test_permutation_test_score_takes_the_string(X, y, splits, score_folds, by_hand):
    options = {"cv": 3, "n_permutations": 5, "random_state": 0}
    score, permuted, p_value = permutation_test_score(tree(), X, y, scoring="cem_ord", **options)
    assert score == pytest.approx(np.mean(score_folds(tree(), X, y, splits)))
    _, expected, _ = permutation_test_score(tree(), X, y, scoring=by_hand, **options)
    assert_allclose(permuted, expected)
    assert p_value == pytest.approx(1 / 6)


def test_permutation_importance_takes_the_string(X, y, by_hand):
    model = tree().fit(X, y)
    options = {"n_repeats": 3, "random_state": 0}
    found = permutation_importance(model, X, y, scoring="cem_ord", **options)
    expected = permutation_importance(model, X, y, scoring=by_hand, **options)
    assert_allclose(found.importances, expected.importances)
    assert found.importances_mean.max() > 0.1


def test_permutation_importance_takes_several_strings(X, y, by_hand, many_names):
    model = tree().fit(X, y)
    options = {"n_repeats": 3, "random_state": 0}
    found = permutation_importance(model, X, y, scoring=many_names, **options)
    expected = permutation_importance(model, X, y, scoring=by_hand, **options)
    assert_allclose(found["cem_ord"].importances, expected.importances)


# --- searches --------------------------------------------------------------------------


def test_grid_search_takes_the_string(X, y, means_by_depth):
    search = GridSearchCV(
        tree(), {"max_depth": DEPTHS}, cv=3, scoring="cem_ord", error_score="raise"
    ).fit(X, y)
    assert_allclose(search.cv_results_["mean_test_score"], means_by_depth)
    assert search.best_score_ == pytest.approx(max(means_by_depth))
    assert search.score(X, y) == pytest.approx(get_scorer("cem_ord")(search, X, y))


def test_grid_search_refits_by_one_of_several_strings(X, y, means_by_depth, many_names):
    search = GridSearchCV(
        tree(),
        {"max_depth": DEPTHS},
        cv=3,
        scoring=many_names,
        refit="cem_ord",
        error_score="raise",
    ).fit(X, y)
    assert_allclose(search.cv_results_["mean_test_cem_ord"], means_by_depth)
    assert search.best_params_ == {"max_depth": DEPTHS[int(np.argmax(means_by_depth))]}


def test_randomized_search_takes_the_string(X, y, means_by_depth):
    search = RandomizedSearchCV(
        tree(),
        {"max_depth": DEPTHS},
        n_iter=3,
        cv=3,
        scoring="cem_ord",
        random_state=0,
        error_score="raise",
    ).fit(X, y)
    found = dict(
        zip(
            search.cv_results_["param_max_depth"],
            search.cv_results_["mean_test_score"],
            strict=True,
        )
    )
    assert_allclose([found[depth] for depth in DEPTHS], means_by_depth)


@pytest.mark.parametrize("search_class", [HalvingGridSearchCV, HalvingRandomSearchCV])
def test_halving_search_takes_the_string(search_class, X, y, by_hand):
    def search(scoring):
        options = {"cv": 2, "random_state": 0, "min_resources": 40, "error_score": "raise"}
        return search_class(tree(), {"max_depth": DEPTHS}, scoring=scoring, **options).fit(X, y)

    found, expected = search("cem_ord"), search(by_hand)
    assert_allclose(found.cv_results_["mean_test_score"], expected.cv_results_["mean_test_score"])
    assert found.best_params_ == expected.best_params_


def test_sequential_feature_selector_takes_the_string(X, y, splits, score_folds):
    selector = SequentialFeatureSelector(
        tree(), n_features_to_select=1, cv=3, scoring="cem_ord"
    ).fit(X, y)
    means = [np.mean(score_folds(tree(), X[:, [k]], y, splits)) for k in range(X.shape[1])]
    assert selector.get_support(indices=True) == [np.argmax(means)]


def test_rfecv_takes_the_string(X, y, splits, score_folds):
    selector = RFECV(tree(), cv=3, scoring="cem_ord").fit(X, y)
    found = selector.cv_results_["mean_test_score"]
    # With all three features nothing is eliminated yet.
    assert found[-1] == pytest.approx(np.mean(score_folds(tree(), X, y, splits)))
    assert found.argmax() + 1 == selector.n_features_


def test_logistic_regression_cv_takes_the_string(X, y, splits, score_folds, logistic_regression_cv):
    model = logistic_regression_cv(Cs=[0.01, 1.0], cv=3, scoring="cem_ord", tol=1e-8).fit(X, y)
    scores = model.scores_[0] if isinstance(model.scores_, dict) else model.scores_
    expected = [
        score_folds(LogisticRegression(C=C, max_iter=1000, tol=1e-8), X, y, splits)
        for C in [0.01, 1.0]
    ]
    assert_allclose(np.reshape(scores, (3, 2)), np.transpose(expected))
    assert model.score(X, y) == pytest.approx(get_scorer("cem_ord")(model, X, y))


def test_ridge_classifier_cv_takes_the_string_without_folds(X, y, by_hand):
    def by_hand_without_weights(estimator, X, y, sample_weight=None):
        assert sample_weight is None or (sample_weight == 1).all()
        return by_hand(estimator, X, y)

    alphas = [0.01, 1e4]
    found = RidgeClassifierCV(alphas, scoring="cem_ord").fit(X, y)
    expected = RidgeClassifierCV(alphas, scoring=by_hand_without_weights).fit(X, y)
    assert found.best_score_ == pytest.approx(expected.best_score_)
    assert found.alpha_ == expected.alpha_


@pytest.mark.skipif(
    sklearn.__version__.startswith("1.5."), reason="1.5 predicts without the intercept here"
)
def test_ridge_classifier_cv_without_folds_leaves_one_out(X, y, exact_cem):
    alphas = [0.01, 1e4]
    left_out = [
        exact_cem(y, cross_val_predict(RidgeClassifier(alpha), X, y, cv=LeaveOneOut()))
        for alpha in alphas
    ]
    model = RidgeClassifierCV(alphas, scoring="cem_ord").fit(X, y)
    assert model.best_score_ == pytest.approx(max(left_out))
    assert model.alpha_ == alphas[int(np.argmax(left_out))]


def test_ridge_classifier_cv_takes_the_string_with_folds(X, y, splits, score_folds):
    alphas = [0.01, 1e4]
    model = RidgeClassifierCV(alphas, cv=3, scoring="cem_ord").fit(X, y)
    expected = [np.mean(score_folds(RidgeClassifier(alpha), X, y, splits)) for alpha in alphas]
    assert model.best_score_ == pytest.approx(max(expected))


def test_tuned_threshold_classifier_takes_the_string(X, y_binary, exact_cem):
    model = LogisticRegression().fit(X, y_binary)
    thresholds = [0.2, 0.4, 0.6, 0.8]
    tuned = TunedThresholdClassifierCV(
        model,
        cv="prefit",
        refit=False,
        scoring="cem_ord",
        thresholds=thresholds,
        store_cv_results=True,
    ).fit(X, y_binary)
    proba = model.predict_proba(X)[:, 1]
    expected = [exact_cem(y_binary, (proba >= t).astype(int)) for t in thresholds]
    assert_allclose(tuned.cv_results_["scores"], expected)
    assert tuned.best_threshold_ == thresholds[int(np.argmax(expected))]


def test_early_stopping_of_boosting_takes_the_string(X, y, exact_cem):
    model = HistGradientBoostingClassifier(
        early_stopping=True, validation_fraction=None, scoring="cem_ord", max_iter=4, max_depth=2
    ).fit(X, y)
    stages = [exact_cem(y, y_pred) for y_pred in model.staged_predict(X)]
    # The first value is that of the baseline, before any stage.
    assert_allclose(model.train_score_[1:], stages)


# --- displays --------------------------------------------------------------------------


@pytest.fixture
def _matplotlib():
    pytest.importorskip("matplotlib", reason="displays draw with matplotlib").use("Agg")


@pytest.mark.usefixtures("_matplotlib")
def test_learning_curve_display_takes_the_string(X, y, splits, score_folds):
    display = LearningCurveDisplay.from_estimator(
        tree(), X, y, cv=splits, train_sizes=[30, 60], scoring="cem_ord", error_score="raise"
    )
    for size, scores_of_size in zip([30, 60], display.test_scores, strict=True):
        first = [(train[:size], test) for train, test in splits]
        assert_allclose(scores_of_size, score_folds(tree(), X, y, first))


@pytest.mark.usefixtures("_matplotlib")
def test_validation_curve_display_takes_the_string(X, y, splits, score_folds):
    display = ValidationCurveDisplay.from_estimator(
        tree(),
        X,
        y,
        param_name="max_depth",
        param_range=DEPTHS,
        cv=3,
        scoring="cem_ord",
        error_score="raise",
    )
    expected = [score_folds(tree(depth), X, y, splits) for depth in DEPTHS]
    assert_allclose(display.test_scores, expected)


# --- around the consumers --------------------------------------------------------------


def test_a_search_works_around_a_pipeline(X, y, splits, score_folds):
    pipeline = make_pipeline(StandardScaler(), tree())
    grid = {"decisiontreeclassifier__max_depth": [2, 3]}
    search = GridSearchCV(pipeline, grid, cv=3, scoring="cem_ord", error_score="raise").fit(X, y)
    expected = [
        np.mean(score_folds(make_pipeline(StandardScaler(), tree(depth)), X, y, splits))
        for depth in [2, 3]
    ]
    assert_allclose(search.cv_results_["mean_test_score"], expected)


def test_selectors_and_searches_work_inside_a_pipeline(X, y, splits, score_folds, by_hand):
    def pipeline(scoring):
        selector = SequentialFeatureSelector(tree(), n_features_to_select=2, cv=2, scoring=scoring)
        return make_pipeline(
            selector, GridSearchCV(tree(), {"max_depth": [1, 3]}, cv=2, scoring=scoring)
        )

    scores = cross_val_score(
        pipeline("cem_ord"), X, y, cv=3, scoring="cem_ord", error_score="raise"
    )
    assert_allclose(scores, score_folds(pipeline(by_hand), X, y, splits))


@pytest.mark.parametrize(
    "copied", [clone, copy.deepcopy, lambda search: pickle.loads(pickle.dumps(search))]
)
@pytest.mark.parametrize(
    "scoring", ["cem_ord", sklearn_ordinal.get_scorer("cem_ord")], ids=["string", "object"]
)
def test_a_copied_search_scores_alike(copied, scoring, X, y, means_by_depth):
    search = GridSearchCV(tree(), {"max_depth": DEPTHS}, cv=3, scoring=scoring, error_score="raise")
    assert_allclose(copied(search).fit(X, y).cv_results_["mean_test_score"], means_by_depth)


@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda search: pickle.loads(pickle.dumps(search))]
)
def test_a_copy_of_a_fitted_search_still_scores(copied, X, y, by_hand):
    search = GridSearchCV(tree(), {"max_depth": DEPTHS}, cv=3, scoring="cem_ord").fit(X, y)
    assert copied(search).score(X, y) == pytest.approx(by_hand(search, X, y))


def test_threads_score_alike(X, y, splits, score_folds):
    def scores(_):
        return cross_val_score(tree(), X, y, cv=3, scoring="cem_ord", error_score="raise")

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(scores, range(12)))
    assert_allclose(found, [score_folds(tree(), X, y, splits)] * 12)


# --- weights by metadata routing -------------------------------------------------------


@pytest.fixture
def weighted(X, y, splits, exact_cem):
    """Return integer weights and the values of the folds with each sample that often."""
    weight = np.random.default_rng(2).integers(1, 5, len(y))
    scores = [
        exact_cem(
            np.repeat(y[test], weight[test]),
            np.repeat(tree().fit(X[train], y[train]).predict(X[test]), weight[test]),
        )
        for train, test in splits
    ]
    return weight, scores


@pytest.fixture
def weighting_scorer():
    with sklearn.config_context(enable_metadata_routing=True):
        yield sklearn_ordinal.get_scorer("cem_ord").set_score_request(sample_weight=True)


def test_routed_weights_reach_the_scorer_in_cross_val_score(X, y, weighted, weighting_scorer):
    weight, expected = weighted
    scores = cross_val_score(
        tree().set_fit_request(sample_weight=False),
        X,
        y,
        cv=3,
        scoring=weighting_scorer,
        params={"sample_weight": weight},
        error_score="raise",
    )
    assert_allclose(scores, expected)


def test_routed_weights_reach_the_scorer_in_a_search(X, y, weighted, weighting_scorer):
    weight, expected = weighted
    search = GridSearchCV(
        tree().set_fit_request(sample_weight=False),
        {"max_depth": [3]},
        cv=3,
        scoring=weighting_scorer,
        error_score="raise",
    ).fit(X, y, sample_weight=weight)
    assert search.best_score_ == pytest.approx(np.mean(expected))


def test_weights_that_a_string_cannot_ask_for_are_refused(X, y, weighted):
    with (
        sklearn.config_context(enable_metadata_routing=True),
        # Versions differ in the type; what counts is that weights are not left out silently.
        pytest.raises((TypeError, UnsetMetadataPassedError), match="sample_weight"),
    ):
        cross_val_score(
            tree().set_fit_request(sample_weight=False),
            X,
            y,
            cv=3,
            scoring="cem_ord",
            params={"sample_weight": weighted[0]},
            error_score="raise",
        )


# --- skore -----------------------------------------------------------------------------


@pytest.fixture
def skore():
    return pytest.importorskip("skore", reason="skore is not installed")


def test_skore_estimator_report_takes_the_string(skore, X, y, splits, score_folds):
    train, test = splits[0]
    report = skore.EstimatorReport(
        tree(), X_train=X[train], y_train=y[train], X_test=X[test], y_test=y[test]
    )
    report.metrics.add("cem_ord")
    found = report.metrics.summarize(metric="cem_ord").frame()
    assert found["cem_ord"] == pytest.approx(score_folds(tree(), X, y, splits[:1])[0])


def test_skore_cross_validation_report_takes_the_string(skore, X, y, splits, score_folds):
    report = skore.CrossValidationReport(tree(), X, y, splitter=3)
    report.metrics.add("cem_ord")
    found = report.metrics.summarize(metric="cem_ord").frame(aggregate=None)
    assert_allclose(found.loc["cem_ord"], score_folds(tree(), X, y, splits))


def test_skore_comparison_report_takes_the_string(skore, X, y, splits, score_folds):
    train, test = splits[0]
    reports = {
        str(depth): skore.EstimatorReport(
            tree(depth), X_train=X[train], y_train=y[train], X_test=X[test], y_test=y[test]
        )
        for depth in DEPTHS
    }
    comparison = skore.ComparisonReport(reports)
    comparison.metrics.add("cem_ord")
    found = comparison.metrics.summarize(metric="cem_ord").frame()
    expected = [score_folds(tree(depth), X, y, splits[:1])[0] for depth in DEPTHS]
    assert_allclose(np.ravel(found), expected)


def test_skore_takes_a_scorer_with_a_bound_order(skore, X, y, y_named, grades, splits, score_folds):
    train, test = splits[0]
    report = skore.EstimatorReport(
        tree(), X_train=X[train], y_train=y_named[train], X_test=X[test], y_test=y_named[test]
    )
    report.metrics.add(sklearn_ordinal.make_ordinal_scorer("cem_ord", labels=grades))
    found = report.metrics.summarize(metric="cem_ord").frame()
    assert found["cem_ord"] == pytest.approx(score_folds(tree(), X, y, splits[:1])[0])
