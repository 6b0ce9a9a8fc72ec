"""Every consumer of ``scoring=`` in scikit-learn and skore: integers, strings, ordered dtypes.

The values come from the hand calculations in conftest.py, which share no code with the
package. test_registration.py runs the consumers with both import orders and in workers.
"""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifierCV, RidgeCV
from sklearn.metrics import check_scoring, get_scorer_names
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate

import sklearn_ordinal
from sklearn_ordinal import make_ordinal_scorer
from sklearn_ordinal._core.catalogue import METRICS
from sklearn_ordinal.metrics import cem_ord_score
from tests.scorers.consumers import (
    CONSUMERS,
    DISPLAYS,
    GRID,
    RAISE,
    fold_mean,
    logistic_regression_cv,
    scores_of,
    selector,
    tree,
)

ERROR = "neg_ordinal_mean_absolute_error"
SEVERAL = {
    "list": ["cem_ord", ERROR],
    "tuple": ("cem_ord", ERROR),
    "dict": {"cem_ord": "cem_ord", ERROR: ERROR},
}
CONSUMERS_OF_SEVERAL = {
    "check_scoring": lambda X, y, scoring: check_scoring(tree(), scoring=scoring)(
        tree().fit(X, y), X, y
    ),
    "cross_validate": lambda X, y, scoring: {
        name.removeprefix("test_"): values
        for name, values in cross_validate(tree(), X, y, cv=3, scoring=scoring, **RAISE).items()
    },
    "GridSearchCV": lambda X, y, scoring: {
        name.removeprefix("mean_test_"): values
        for name, values in GridSearchCV(tree(), GRID, scoring=scoring, refit="cem_ord", **RAISE)
        .fit(X, y)
        .cv_results_.items()
    },
    "permutation_importance": lambda X, y, scoring: {
        name: found.importances
        for name, found in permutation_importance(
            tree().fit(X, y), X, y, scoring=scoring, n_repeats=2, random_state=0
        ).items()
    },
}
KEEPS_CLASSES = tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 8)
NO_ORDER = (
    r"string labels \[.*\], whose order is not known: pass "
    r"scoring=make_ordinal_scorer\('cem_ord', labels=\[...\]\), with all classes from the lowest "
    r"to the highest; pass error_score=\"raise\" too, so that a search stops at such an error\."
)
# scikit-learn hands these the positions of the classes in alphabetical order.
RECODING = {"RidgeClassifierCV without folds", *([] if KEEPS_CLASSES else ["LogisticRegressionCV"])}
# These have no `error_score`: scikit-learn warns about the error and continues with NaN.
WITHOUT_ERROR_SCORE = {
    "SequentialFeatureSelector",
    "SequentialFeatureSelector in a Pipeline nested",
    "RidgeClassifierCV with folds",
}
# For these, scikit-learn or `of_two_classes` converts ordered dtypes to plain strings.
WITHOUT_DTYPE = {
    "RFECV",
    "HistGradientBoostingClassifier",
    "LogisticRegressionCV",
    "RidgeClassifierCV with folds",
    "TunedThresholdClassifierCV",
    "TunedThresholdClassifierCV nested",
}
OF_STRINGS = sorted(CONSUMERS.keys() - RECODING)


@pytest.fixture
def scorer(grades):
    return make_ordinal_scorer("cem_ord", labels=grades)


@pytest.fixture(params=["pandas Categorical", "polars Enum"])
def y_ordered(request, y_named, grades):
    if request.param == "polars Enum":
        return pl.Series(y_named.tolist(), dtype=pl.Enum(grades))
    return pd.Series(pd.Categorical(y_named, categories=grades, ordered=True))


@pytest.fixture(scope="session")
def score_folds(exact_cem):
    """Return the values of each fold, fitted without scikit-learn's cross-validation."""

    def scores(estimator, X, y, splits):
        return [
            exact_cem(y[test], estimator.fit(X[train], y[train]).predict(X[test]))
            for train, test in splits
        ]

    return scores


# --- strings for scoring ---------------------------------------------------------------


def test_get_scorer_names_lists_every_name_once():
    names = get_scorer_names()
    ours = {metric.scorer_name for metric in METRICS.values() if metric.scorer_name}
    assert ours <= set(names)
    assert len(names) == len(set(names))


@pytest.mark.parametrize("consumer", CONSUMERS)
def test_the_string_is_accepted_by(consumer, X, y, by_hand):
    found = np.array(CONSUMERS[consumer](X, y, scoring="cem_ord"))
    assert_allclose(found, CONSUMERS[consumer](X, y, scoring=by_hand))
    assert np.ptp(np.r_[found.ravel(), 1]) > 0


@pytest.mark.parametrize("consumer", DISPLAYS)
def test_the_string_is_accepted_by_the_display_of(consumer, X, y, by_hand):
    pytest.importorskip("matplotlib", reason="displays draw with matplotlib").use("Agg")
    expected = CONSUMERS[consumer](X, y, scoring=by_hand)
    assert_allclose(DISPLAYS[consumer](X, y, "cem_ord"), expected)


@pytest.mark.parametrize("several", SEVERAL.values(), ids=SEVERAL)
@pytest.mark.parametrize("consumer", CONSUMERS_OF_SEVERAL)
def test_several_strings_are_accepted_by(consumer, several, X, y, by_hand):
    found = CONSUMERS_OF_SEVERAL[consumer](X, y, several)
    mean_error = sklearn.metrics.get_scorer("neg_mean_absolute_error")
    scorers = {"cem_ord": by_hand, ERROR: mean_error}
    expected = CONSUMERS_OF_SEVERAL[consumer](X, y, scorers)
    for name in scorers:
        assert_allclose(found[name], expected[name])


def test_values_equal_those_of_folds_fitted_by_hand(X, y, splits, score_folds):
    scores = cross_val_score(tree(), X, y, cv=3, scoring="cem_ord", error_score="raise")
    assert_allclose(scores, score_folds(tree(), X, y, splits))
    model = logistic_regression_cv(Cs=[1.0], cv=3, scoring="cem_ord").fit(X, y)
    assert_allclose(scores_of(model), score_folds(LogisticRegression(max_iter=1000), X, y, splits))


@pytest.mark.parametrize(
    "copied", [clone, copy.deepcopy, lambda search: pickle.loads(pickle.dumps(search))]
)
@pytest.mark.parametrize("kind", ["string", "object", "object with an order"])
def test_a_copied_search_gives_the_same_scores(copied, kind, X, y, y_named, scorer, by_hand):
    scoring = {"string": "cem_ord", "object": sklearn_ordinal.make_ordinal_scorer("cem_ord")}
    search = GridSearchCV(tree(), GRID, cv=3, scoring=scoring.get(kind, scorer), **RAISE)
    fitted = copied(search).fit(X, y_named if "order" in kind else y)
    expected = GridSearchCV(tree(), GRID, cv=3, scoring=by_hand).fit(X, y)
    assert_allclose(fold_mean(fitted), fold_mean(expected))
    if copied is not clone:
        assert copied(fitted).score(X, y_named if "order" in kind else y) == pytest.approx(
            by_hand(expected, X, y)
        )


def test_threads_give_the_same_scores(X, y, splits, score_folds):
    def scores(_):
        return cross_val_score(tree(), X, y, cv=3, scoring="cem_ord", error_score="raise")

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(scores, range(12)))
    assert_allclose(found, [score_folds(tree(), X, y, splits)] * 12)


# --- strings for classes ---------------------------------------------------------------


@pytest.mark.parametrize("consumer", OF_STRINGS)
def test_class_names_are_scored_in_the_bound_order_by(consumer, X, y_named, scorer, by_hand):
    run = CONSUMERS[consumer]
    assert_allclose(run(X, y_named, scoring=scorer), run(X, y_named, scoring=by_hand))


def test_a_scorer_with_an_order_may_be_one_of_several(X, y_named, scorer, by_hand):
    scoring = {"cem_ord": scorer, "accuracy": "accuracy"}
    found = cross_validate(tree(), X, y_named, scoring=scoring, error_score="raise")
    expected = cross_val_score(tree(), X, y_named, scoring=by_hand)
    assert_allclose(found["test_cem_ord"], expected)


@pytest.mark.parametrize("consumer", sorted(set(OF_STRINGS) - WITHOUT_ERROR_SCORE))
def test_class_names_without_an_order_are_rejected_by(consumer, X, y_named):
    with pytest.raises(ValueError, match=NO_ORDER):
        CONSUMERS[consumer](X, y_named, scoring="cem_ord")


@pytest.mark.parametrize("consumer", sorted(WITHOUT_ERROR_SCORE))
@pytest.mark.filterwarnings("ignore:One or more of the test scores:UserWarning")
def test_class_names_without_an_order_give_a_warning_in(consumer, X, y_named):
    with pytest.warns(UserWarning, match=NO_ORDER):
        found = CONSUMERS[consumer](X, y_named, scoring="cem_ord")
    assert consumer != "RidgeClassifierCV with folds" or np.isnan(found)


@pytest.mark.filterwarnings("ignore:Scoring failed:UserWarning")
def test_a_sequential_feature_selector_selects_features_even_if_all_scores_are_nan(
    X, y_named, scorer
):
    def chosen(scoring):
        noise_first = X[:, ::-1]
        return selector(scoring).fit(noise_first, y_named).get_support(indices=True)

    assert chosen("cem_ord") == [0]
    assert chosen(scorer) == [2]


@pytest.mark.parametrize("consumer", sorted(set(OF_STRINGS) - WITHOUT_DTYPE))
def test_the_order_of_a_dtype_is_kept_by(consumer, X, y_ordered, by_hand):
    run = CONSUMERS[consumer]
    assert_allclose(run(X, y_ordered, scoring="cem_ord"), run(X, y_ordered, scoring=by_hand))


@pytest.mark.parametrize("consumer", ["RFECV", "HistGradientBoostingClassifier"])
def test_an_ordered_dtype_is_rejected_if_scikit_learn_drops_it(consumer, X, y_ordered):
    with pytest.raises(ValueError, match=NO_ORDER):
        CONSUMERS[consumer](X, y_ordered, scoring="cem_ord")


@pytest.mark.parametrize(
    ("model", "what"),
    [
        (tree(), "y_true has string labels"),
        (LinearRegression(), "y_pred must contain classes, got continuous"),
    ],
)
def test_labels_without_an_order_give_nan_and_a_warning_by_default(model, what, X, y, y_named):
    target = y_named if "string" in what else y
    with pytest.raises(ValueError, match=what):
        cross_val_score(model, X, target, scoring="cem_ord", error_score="raise")
    with pytest.warns(UserWarning, match=what):
        scores = cross_val_score(model, X, target, cv=3, scoring="cem_ord")
    assert np.isnan(scores).all()


def test_continuous_predictions_raise_without_folds_too(X, y):
    # Either y_true or y_pred may be rejected first: some versions centre y as well.
    with pytest.raises(ValueError, match="must contain classes, got continuous values"):
        RidgeCV(scoring="cem_ord").fit(X, y)


# --- where scikit-learn itself recodes the classes -------------------------------------


@pytest.mark.parametrize("consumer", sorted(RECODING))
def test_alphabetical_positions_are_scored_by(consumer, X, y_named, scorer):
    run = CONSUMERS[consumer]
    alphabetical = np.unique(y_named, return_inverse=True)[1]
    assert_allclose(run(X, y_named, scoring="cem_ord"), run(X, alphabetical, scoring="cem_ord"))
    with pytest.raises(ValueError, match="not in labels"):
        run(X, y_named, scoring=scorer)


@pytest.mark.parametrize("make", [RandomForestClassifier, ExtraTreesClassifier])
def test_the_oob_score_of_forests_uses_alphabetical_positions(make, X, y_named, grades, exact_cem):
    forest = make(30, bootstrap=True, oob_score=cem_ord_score, random_state=0).fit(X, y_named)
    alphabetical = np.unique(y_named, return_inverse=True)[1]
    y_pred = forest.oob_decision_function_.argmax(axis=1)
    assert forest.oob_score_ == pytest.approx(exact_cem(alphabetical, y_pred))
    in_order = [[grades.index(name) for name in y] for y in (y_named, forest.classes_[y_pred])]
    assert forest.oob_score_ != pytest.approx(exact_cem(*in_order))
    with_order = partial(cem_ord_score, labels=grades)
    with pytest.raises(ValueError, match="not in labels"):
        make(30, bootstrap=True, oob_score=with_order).fit(X, y_named)


@pytest.mark.skipif(KEEPS_CLASSES, reason="scikit-learn keeps the classes")
def test_an_older_logistic_regression_cv_puts_two_classes_two_positions_apart(X, y_binary, splits):
    model = logistic_regression_cv(Cs=[1.0], cv=splits, scoring=ERROR).fit(X, y_binary)
    right = cross_val_score(
        LogisticRegression(max_iter=1000), X, y_binary, cv=splits, scoring="accuracy"
    )
    assert_allclose(scores_of(model), -2 * (1 - right))


def test_a_fitted_logistic_regression_cv_refuses_to_score_strings_without_an_order(
    X, y, y_named, grades
):
    model = logistic_regression_cv(Cs=[1.0], cv=3, scoring="cem_ord").fit(X, y)
    model.classes_ = np.array(grades)
    with pytest.raises(ValueError, match=NO_ORDER):
        model.score(X, y_named)


@pytest.mark.parametrize("scoring", ["accuracy", "cem_ord"])
def test_ridge_classifier_cv_without_folds_passes_scorers_only_one_of_two_classes(
    scoring, X, y_binary
):
    model = RidgeClassifierCV([1e9], scoring=scoring).fit(X, y_binary)
    assert model.best_score_ == 1.0
    assert model.score(X, y_binary) < 1.0


# --- weights by metadata routing -------------------------------------------------------


@pytest.fixture
def weighted(X, y, splits, exact_cem):
    """Return integer weights and the scores of the folds with samples repeated that often."""
    weight = np.random.default_rng(2).integers(1, 5, len(y))
    scores = [
        exact_cem(
            np.repeat(y[test], weight[test]),
            np.repeat(tree().fit(X[train], y[train]).predict(X[test]), weight[test]),
        )
        for train, test in splits
    ]
    return weight, scores


def score_with_weights(X, y, weight, scoring):
    model, params = tree().set_fit_request(sample_weight=False), {"sample_weight": weight}
    return cross_val_score(model, X, y, cv=3, scoring=scoring, params=params, error_score="raise")


@pytest.fixture
def _routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.mark.usefixtures("_routing")
def test_routed_weights_reach_the_scorer(X, y, weighted):
    weight, expected = weighted
    scoring = sklearn_ordinal.make_ordinal_scorer("cem_ord").set_score_request(sample_weight=True)
    assert_allclose(score_with_weights(X, y, weight, scoring), expected)
    model = tree().set_fit_request(sample_weight=False)
    search = GridSearchCV(model, {"max_depth": [3]}, cv=3, scoring=scoring, error_score="raise")
    search.fit(X, y, sample_weight=weight)
    assert search.best_score_ == pytest.approx(np.mean(expected))


@pytest.mark.usefixtures("_routing")
def test_weights_that_a_string_cannot_request_are_rejected(X, y, weighted):
    # The type differs between versions; what matters is that weights are not dropped silently.
    with pytest.raises((TypeError, UnsetMetadataPassedError), match="sample_weight"):
        score_with_weights(X, y, weighted[0], "cem_ord")


# --- skore -----------------------------------------------------------------------------


@pytest.fixture
def skore():
    return pytest.importorskip("skore", reason="skore is not installed")


@pytest.fixture
def estimator_report(skore, X, splits):
    train, test = splits[0]

    def report(y, depth=3):
        data = {"X_train": X[train], "y_train": y[train], "X_test": X[test], "y_test": y[test]}
        return skore.EstimatorReport(tree(depth), **data)

    return report


def summarised(report, scoring="cem_ord", **options):
    report.metrics.add(scoring)
    return report.metrics.summarize(metric="cem_ord").frame(**options)


def test_skore_reports_accept_the_string(skore, estimator_report, X, y, splits, score_folds):
    expected = {depth: score_folds(tree(depth), X, y, splits) for depth in (1, 3)}
    assert summarised(estimator_report(y))["cem_ord"] == pytest.approx(expected[3][0])
    folds = summarised(skore.CrossValidationReport(tree(), X, y, splitter=3), aggregate=None)
    assert_allclose(folds.loc["cem_ord"], expected[3])
    reports = {str(depth): estimator_report(y, depth) for depth in expected}
    compared = summarised(skore.ComparisonReport(reports))
    assert_allclose(np.ravel(compared), [values[0] for values in expected.values()])


def test_skore_accepts_a_scorer_with_a_bound_order(
    estimator_report, X, y, y_named, scorer, splits, score_folds
):
    found = summarised(estimator_report(y_named), scorer)
    assert found["cem_ord"] == pytest.approx(score_folds(tree(), X, y, splits[:1])[0])


def test_scores_of_each_iteration_can_be_monitored(X, y, y_named, scorer):
    callback = pytest.importorskip("sklearn.callback")
    logistic = LogisticRegression(solver="lbfgs", max_iter=1000)
    for scoring, target in (("cem_ord", y), (scorer, y_named)):
        monitor = callback.ScoringMonitor(scoring=scoring)
        model = clone(logistic).set_callbacks(monitor).fit(X, target)
        last = monitor.get_logs().data[-1]
        found = last["cem_ord" if scoring == "cem_ord" else "score"]
        assert found == pytest.approx(check_scoring(model, scoring=scoring)(model, X, target))
