"""The classifier with tuned cuts."""

import pickle
from functools import partial
from itertools import combinations_with_replacement

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from joblib import parallel_config
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, Ridge, RidgeClassifier
from sklearn.metrics import get_scorer
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    cross_val_predict,
    cross_val_score,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC

from sklearn_ordinal import compare_estimators, get_metric, metrics
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.decisions import TunedOrdinalThresholdClassifierCV
from tests.estimator_checks import each_check

LIKERT = ["low", "mid", "high", "top"]
_STRINGS = "the order of strings is unknown"
_ARGMAX = "cuts on the expected position are not the argmax of the probabilities"
_NOT_ORDERED = "the blobs are not ordered along a line, so a line cannot separate them"
EXPECTED_FAILURES = {
    "classifier": {
        "check_classifiers_classes": _STRINGS,
        "check_classifiers_train": _ARGMAX,
    },
    "regressor": {
        "check_classifiers_classes": _STRINGS,
        "check_classifiers_train": _NOT_ORDERED,
    },
}
ESTIMATORS = {"classifier": LogisticRegression(), "regressor": Ridge()}


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(160, 3))
    y = np.digitize(X[:, 0] + 0.5 * X[:, 1] + 0.7 * rng.normal(size=160), [-1, 0.2, 1.2])
    return X, y


def tuned(estimator=None, **options):
    estimator = Ridge() if estimator is None else estimator
    return TunedOrdinalThresholdClassifierCV(estimator, **options)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@each_check({kind: tuned(model) for kind, model in ESTIMATORS.items()}, EXPECTED_FAILURES)
def test_the_scikit_learn_checks_pass_or_fail_for_a_reason(estimator, check):
    check(estimator)


def out_of_fold_positions(estimator, X, y, cv, method):
    predicted = cross_val_predict(estimator, X, y, cv=cv, method=method)
    if method == "predict_proba":
        return np.round(predicted @ np.arange(predicted.shape[1]), 12)
    return predicted


@pytest.mark.parametrize(
    ("estimator", "method"),
    [(LogisticRegression(), "predict_proba"), (Ridge(), "predict")],
)
@pytest.mark.parametrize(
    ("scoring", "function", "sign"),
    [
        ("cem_ord", metrics.cem_ord_score, 1),
        ("quadratic_weighted_kappa", metrics.quadratic_weighted_kappa_score, 1),
        ("neg_ordinal_mean_absolute_error", metrics.ordinal_mean_absolute_error, -1),
        (metrics.ordinal_mean_absolute_error, metrics.ordinal_mean_absolute_error, -1),
        (
            partial(metrics.within_n_accuracy_score, n=2),
            partial(metrics.within_n_accuracy_score, n=2),
            1,
        ),
    ],
)
def test_the_objective_is_the_criterion_of_the_pooled_out_of_fold_predictions(
    data, estimator, method, scoring, function, sign
):
    X, y = data
    cv = StratifiedKFold(4)
    model = tuned(estimator, scoring=scoring, cv=cv).fit(X, y)
    scores = out_of_fold_positions(estimator, X, y, cv, method)
    predicted = np.searchsorted(model.best_thresholds_, scores, side="right")
    assert model.best_score_ == pytest.approx(sign * function(y, predicted))
    # Moving any cut makes it no better.
    for position, threshold in enumerate(model.best_thresholds_):
        for shift in (-0.2, -0.05, 0.05, 0.2):
            cuts = model.best_thresholds_.copy()
            cuts[position] = threshold + shift
            moved = np.searchsorted(np.sort(cuts), scores, side="right")
            assert sign * function(y, moved) <= model.best_score_ + 1e-12


def test_the_score_of_a_perfect_loss_is_not_negative():
    X, y = np.arange(12.0)[:, None], np.arange(12) // 6
    options = {"cv": "prefit", "refit": False, "store_cv_results": True}
    model = tuned(Ridge().fit(X, y), scoring="ordinal_mean_absolute_error", **options).fit(X, y)
    assert str(model.best_score_) == "0.0"
    assert "-0.0" not in map(str, model.cv_results_["scores"][0].tolist())


def test_predictions_are_the_classes_between_the_cuts(data):
    X, y = data
    model = tuned().fit(X, y)
    scores = Ridge().fit(X, y).predict(X)
    np.testing.assert_array_equal(
        model.predict(X), np.searchsorted(model.best_thresholds_, scores, side="right")
    )


def test_the_cuts_of_a_fold_are_the_best_for_its_test_samples_alone(data):
    X, y = data
    cv = StratifiedKFold(4, shuffle=True, random_state=0)
    model = tuned(scoring="accuracy", cv=cv).fit(X, y)
    assert model.cv_thresholds_.shape == (4, 3)
    for (train, test), cuts in zip(cv.split(X, y), model.cv_thresholds_, strict=True):
        fitted = Ridge().fit(X[train], y[train])
        of_fold = tuned(fitted, scoring="accuracy", cv="prefit", refit=False)
        of_fold.fit(X[test], y[test])
        np.testing.assert_array_equal(of_fold.best_thresholds_, cuts)
        np.testing.assert_array_equal(of_fold.cv_thresholds_, [cuts])
    spread = model.cv_thresholds_.std(axis=0)
    assert np.isfinite(spread).all()
    assert (spread > 0).all()


def test_tuning_improves_the_criterion_on_new_samples():
    X, y = load_lev(return_X_y=True)
    cv = StratifiedKFold(5, shuffle=True, random_state=0)
    logistic = make_pipeline(StandardScaler(), LogisticRegression())
    plain = cross_val_score(logistic, X, y, cv=cv, scoring="cem_ord")
    nested = cross_val_score(tuned(logistic), X, y, cv=cv, scoring="cem_ord")
    assert nested.mean() > plain.mean() + 0.01


def test_results_along_the_cuts_are_stored_on_request(data):
    X, y = data
    model = tuned(store_cv_results=True, n_thresholds=20).fit(X, y)
    assert sorted(model.cv_results_) == ["scores", "thresholds"]
    for position in range(3):
        thresholds = model.cv_results_["thresholds"][position]
        scores = model.cv_results_["scores"][position]
        assert len(thresholds) == len(scores) <= 21
        best = scores[thresholds == model.best_thresholds_[position]]
        assert best == pytest.approx(model.best_score_)
    model.set_params(store_cv_results=False).fit(X, y)
    assert not hasattr(model, "cv_results_")


@pytest.mark.parametrize("estimator", [LogisticRegression(), Ridge(), RandomForestRegressor(5)])
def test_strings_in_a_given_order_are_as_good_as_positions(data, estimator):
    X, y = data
    estimator = clone(estimator)
    if "random_state" in estimator.get_params():
        estimator.set_params(random_state=0)
    of_positions = tuned(estimator, cv=KFold(4)).fit(X, y)
    words = np.array(LIKERT)[y]
    of_words = tuned(estimator, labels=LIKERT, cv=KFold(4)).fit(X, words)
    np.testing.assert_allclose(of_words.best_thresholds_, of_positions.best_thresholds_)
    np.testing.assert_array_equal(of_words.predict(X), np.array(LIKERT)[of_positions.predict(X)])
    assert of_words.classes_.tolist() == sorted(LIKERT)
    assert of_words.labels_.tolist() == LIKERT


@pytest.mark.parametrize("estimator", [LogisticRegression(), Ridge()])
def test_ordered_categories_give_the_order(data, estimator):
    X, y = data
    frame = pd.DataFrame(X, columns=list("abc"))
    words = np.array(LIKERT)[y]
    expected = tuned(estimator, labels=LIKERT).fit(X, words).predict(X)
    for categories in (
        pd.Series(pd.Categorical(words, LIKERT, ordered=True)),
        pl.Series(words, dtype=pl.Enum(LIKERT)),
    ):
        model = tuned(estimator).fit(frame, categories)
        assert model.labels_.tolist() == LIKERT
        np.testing.assert_array_equal(model.predict(frame), expected)
        assert model.feature_names_in_.tolist() == ["a", "b", "c"]


def test_fractional_labels_can_be_given(data):
    X, y = data
    halves = [0.5, 1.0, 1.5, 2.0]
    model = tuned(labels=halves).fit(X, np.array(halves)[y])
    np.testing.assert_array_equal(model.predict(X), np.array(halves)[tuned().fit(X, y).predict(X)])


def test_a_kernel_matrix_is_split_by_rows_and_columns(data):
    X, y = data
    of_kernel = tuned(SVR(kernel="precomputed")).fit(X @ X.T, y)
    of_features = tuned(SVR(kernel="linear")).fit(X, y)
    np.testing.assert_allclose(of_kernel.best_thresholds_, of_features.best_thresholds_)


def test_strings_without_an_order_are_refused(data):
    X, y = data
    with pytest.raises(ValueError, match=r"whose order is not known: pass labels=\[...\]"):
        tuned().fit(X, np.array(LIKERT)[y])


def test_classes_keep_their_dtype(data):
    X, y = data
    for classes in (y.astype(np.int8), y.astype(float), y > 1):
        model = tuned().fit(X, classes)
        assert model.predict(X).dtype == model.classes_.dtype == classes.dtype


def test_a_class_that_folds_lack_is_kept(data):
    X, y = data
    y = np.where((y == 3) & (np.arange(len(y)) != 159), 2, y)
    y[159] = 3
    for estimator in (LogisticRegression(), Ridge()):
        model = tuned(estimator, cv=KFold(5)).fit(X, y)
        assert model.cv_thresholds_.shape == (5, 3)
        assert np.isfinite(model.cv_thresholds_).all()
        assert model.classes_.tolist() == [0, 1, 2, 3]


def test_a_class_of_the_scale_that_y_lacks_is_never_predicted(data):
    X, y = data
    model = tuned(labels=[-1, 0, 9, 1, 2, 3, 4]).fit(X, y)
    cuts = model.best_thresholds_
    assert cuts[0] == -np.inf
    assert cuts[1] == cuts[2]
    assert cuts[-1] == np.inf
    assert set(model.predict(np.concatenate([X, 100 * X]))) == {0, 1, 2, 3}


def test_weights_are_passed_to_the_estimator_and_weigh_the_counts(data):
    X, y = data
    weight = np.random.default_rng(0).integers(1, 4, len(y))
    cv = [(np.arange(80), np.arange(80, 160)), (np.arange(80, 160), np.arange(80))]
    rows = np.repeat(np.arange(len(y)), weight)
    cv_of_rows = [
        (np.flatnonzero(np.isin(rows, train)), np.flatnonzero(np.isin(rows, test)))
        for train, test in cv
    ]
    model = tuned(cv=cv).fit(X, y, sample_weight=weight)
    repeated = tuned(cv=cv_of_rows).fit(X[rows], y[rows])
    np.testing.assert_allclose(model.best_thresholds_, repeated.best_thresholds_)
    np.testing.assert_allclose(model.estimator_.coef_, repeated.estimator_.coef_)
    assert model.best_score_ == pytest.approx(repeated.best_score_)


def test_weights_that_the_estimator_does_not_take_can_weigh_the_counts_alone(data):
    X, y = data
    weight = np.arange(1, 161)
    neighbours = KNeighborsClassifier()
    with pytest.raises(ValueError, match="estimator must accept sample_weight in fit, which"):
        tuned(neighbours).fit(X, y, sample_weight=weight)
    with sklearn.config_context(enable_metadata_routing=True):
        model = tuned(neighbours).set_fit_request(sample_weight=True)
        model.fit(X, y, sample_weight=weight)
    scores = out_of_fold_positions(neighbours, X, y, 5, "predict_proba")
    predicted = np.searchsorted(model.best_thresholds_, scores, side="right")
    expected = metrics.cem_ord_score(y, predicted, sample_weight=weight)
    assert model.best_score_ == pytest.approx(expected)


def test_a_fold_without_weight_has_no_cuts_of_its_own(data):
    X, y = data
    weight = np.ones(160)
    weight[:40] = 0
    model = tuned(cv=KFold(4)).fit(X, y, sample_weight=weight)
    is_nan = np.isnan(model.cv_thresholds_).all(axis=1)
    assert is_nan.tolist() == [True, False, False, False]
    assert np.isfinite(model.best_thresholds_).all()
    with pytest.raises(ValueError, match="positive for at least one test sample of cv, got 0"):
        tuned(cv=[(np.arange(40, 160), np.arange(40))]).fit(X, y, sample_weight=weight)


def test_splits_may_be_masks(data):
    X, y = data
    is_test = np.arange(160) % 2 == 0
    splits = [(~is_test, is_test), (is_test, ~is_test)]
    of_masks = tuned(cv=splits).fit(X, y)
    of_indices = tuned(cv=[tuple(map(np.flatnonzero, split)) for split in splits]).fit(X, y)
    np.testing.assert_array_equal(of_masks.best_thresholds_, of_indices.best_thresholds_)


def test_parameters_of_a_step_are_passed_to_every_fit(data):
    X, y = data
    weight = np.arange(1.0, 161)
    pipeline = make_pipeline(StandardScaler(), Ridge())
    model = tuned(pipeline).fit(X, y, ridge__sample_weight=weight)
    expected = clone(pipeline).fit(X, y, ridge__sample_weight=weight)
    np.testing.assert_array_equal(model.estimator_.predict(X), expected.predict(X))


def test_metadata_is_routed_to_the_estimator_and_the_splitter(data):
    X, y = data
    groups, weight = np.arange(160) // 4, np.arange(1.0, 161)
    with sklearn.config_context(enable_metadata_routing=True):
        ridge = Ridge().set_fit_request(sample_weight=True)
        model = tuned(ridge, cv=GroupKFold(4)).set_fit_request(sample_weight=True)
        model.fit(X, y, sample_weight=weight, groups=groups)
        splits = list(GroupKFold(4).split(X, y, groups))
    by_hand = tuned(cv=splits).fit(X, y, sample_weight=weight)
    np.testing.assert_array_equal(model.best_thresholds_, by_hand.best_thresholds_)
    np.testing.assert_array_equal(model.estimator_.coef_, by_hand.estimator_.coef_)


@pytest.mark.parametrize("cv", [4, GroupKFold(4)], ids=["number", "splitter"])
def test_groups_stay_together_in_the_splits(data, cv):
    X, y = data
    groups = np.array([f"patient {i // 4}" for i in range(160)])
    splitter = StratifiedGroupKFold(4) if cv == 4 else cv
    by_hand = tuned(cv=list(splitter.split(X, y, groups))).fit(X, y)
    model = tuned(cv=cv).fit(X, y, groups=groups)
    np.testing.assert_array_equal(model.cv_thresholds_, by_hand.cv_thresholds_)


def test_a_share_is_of_the_groups(data):
    X, y = data
    groups = np.arange(160) // 4
    splits = list(GroupShuffleSplit(1, test_size=0.25, random_state=3).split(X, y, groups))
    by_hand = tuned(cv=splits).fit(X, y)
    model = tuned(cv=0.25, random_state=3).fit(X, y, groups=groups)
    np.testing.assert_array_equal(model.best_thresholds_, by_hand.best_thresholds_)


def test_a_search_inside_receives_the_groups(data):
    X, y = data
    groups = np.arange(160) // 4
    search = make_pipeline(
        StandardScaler(), GridSearchCV(Ridge(), {"alpha": [1e-3, 1e3]}, cv=GroupKFold(2))
    )
    model = tuned(search, cv=2).fit(X, y, groups=groups)
    expected = clone(search).fit(X, y, gridsearchcv__groups=groups)
    chosen = model.estimator_[-1].cv_results_["mean_test_score"]
    np.testing.assert_array_equal(chosen, expected[-1].cv_results_["mean_test_score"])


@pytest.mark.parametrize(
    ("cv", "groups", "message"),
    [
        (StratifiedKFold(4), np.arange(160) // 4, "groups must be on one side of each fold, but"),
        (GroupKFold(4), None, "groups must be passed for cv=GroupKFold"),
        (4, np.arange(8), "groups must .* 160 .* 8"),
    ],
)
def test_groups_that_do_not_fit_are_refused(data, cv, groups, message):
    with pytest.raises(ValueError, match=message):
        tuned(cv=cv).fit(*data, groups=groups)


def test_a_share_as_cv_is_a_stratified_split_and_its_fit_can_be_kept(data):
    X, y = data
    model = tuned(cv=0.25, refit=False, random_state=3).fit(X, y)
    ((train, test),) = StratifiedShuffleSplit(1, test_size=0.25, random_state=3).split(X, y)
    np.testing.assert_array_equal(model.estimator_.coef_, Ridge().fit(X[train], y[train]).coef_)
    prefit = tuned(Ridge().fit(X[train], y[train]), cv="prefit", refit=False)
    prefit.fit(X[test], y[test])
    np.testing.assert_array_equal(model.best_thresholds_, prefit.best_thresholds_)
    refitted = tuned(cv=0.25, random_state=3).fit(X, y)
    np.testing.assert_array_equal(refitted.best_thresholds_, model.best_thresholds_)
    np.testing.assert_array_equal(refitted.estimator_.coef_, Ridge().fit(X, y).coef_)


def test_a_fitted_estimator_is_used_as_it_is(data):
    X, y = data
    forest = RandomForestClassifier(5, random_state=0).fit(X[:80], y[:80])
    model = tuned(forest, cv="prefit", refit=False).fit(X[80:], y[80:])
    assert model.estimator_ is forest
    np.testing.assert_array_equal(model.predict_proba(X), forest.predict_proba(X))
    with pytest.raises(NotFittedError):
        tuned(Ridge(), cv="prefit", refit=False).fit(X, y)


def test_a_frozen_estimator_is_tuned_as_a_fitted_one(data):
    frozen = pytest.importorskip("sklearn.frozen", reason="scikit-learn 1.6")
    X, y = data
    logistic = LogisticRegression().fit(X[:80], y[:80])
    model = tuned(frozen.FrozenEstimator(logistic)).fit(X[80:], y[80:])
    prefit = tuned(logistic, cv="prefit", refit=False).fit(X[80:], y[80:])
    np.testing.assert_array_equal(model.best_thresholds_, prefit.best_thresholds_)
    assert model.cv_thresholds_.shape == (5, 3)


@pytest.mark.parametrize(
    ("labels", "sign"), [(["no", "yes"], 1), (["yes", "no"], -1)], ids=["sorted", "reversed"]
)
def test_decision_values_follow_the_order_of_the_labels(data, labels, sign):
    X, y = data
    words = np.array(labels)[(y > 1).astype(int)]
    model = tuned(LinearSVC(random_state=0), labels=labels).fit(X, words)
    values = sign * LinearSVC(random_state=0).fit(X, words).decision_function(X)
    expected = np.array(labels)[(values >= model.best_thresholds_[0]).astype(int)]
    np.testing.assert_array_equal(model.predict(X), expected)
    assert model.score(X, words) > 0.8


class AllThreshold(SVC):
    """A classifier of three classes with one decision value."""

    def decision_function(self, X):
        return super().decision_function(X)[:, 2]


def test_one_decision_value_of_several_classes_must_be_in_their_order(data):
    X, y = data
    y = np.minimum(y, 2)
    model = tuned(AllThreshold(), labels=[0, 1, 2]).fit(X, y)
    assert model.best_thresholds_.shape == (2,)
    message = r"classes in the order \[0, 1, 2\], not in the order of the scale"
    with pytest.raises(ValueError, match=message):
        tuned(AllThreshold(), labels=[1, 0, 2]).fit(X, y)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"estimator": RidgeClassifier()}, "estimator must have a one-dimensional decision_functi"),
        ({"estimator": Ridge}, "estimator must be a classifier with predict_proba or .* class Rid"),
        ({"estimator": "cem_ord"}, "estimator must be a classifier with predict_proba .* a str"),
        ({"scoring": "neg_log_loss"}, "scoring must be a criterion of predicted classes, .*log_lo"),
        ({"scoring": "roc_auc_ovr"}, "scoring must be a criterion of predicted classes"),
        ({"scoring": "cem"}, "scoring: metric must be a known name"),
        ({"labels": [0, 1]}, "y has classes that are not in labels"),
        ({"n_thresholds": 0}, "n_thresholds must be a positive integer, got 0"),
        ({"refit": "yes"}, "refit must be True or False"),
        ({"store_cv_results": 1}, "store_cv_results must be True or False"),
        ({"cv": "five"}, "cv must be a number of folds, the share of a test set, .*'five'"),
        ({"cv": []}, "cv must give at least one split"),
        ({"cv": 1.5}, "cv must be a number of folds, the share of a test set, .*1.5"),
        ({"refit": False}, "refit must be True if cv has several splits, got False and 5"),
        ({"cv": "prefit"}, "refit must be False if cv='prefit'"),
    ],
)
def test_bad_options_are_named(data, options, message):
    with pytest.raises(ValueError, match=message):
        TunedOrdinalThresholdClassifierCV(**{"estimator": Ridge(), **options}).fit(*data)


def test_a_class_that_the_kept_estimator_does_not_know_is_refused(data):
    X, y = data
    known = LogisticRegression().fit(X[y < 3], y[y < 3])
    with pytest.raises(
        ValueError, match=r"classes that the estimator was not fitted on, \[3\]: fit"
    ):
        tuned(known, cv="prefit", refit=False).fit(X, y)


class Rounded(Ridge):
    """Predict positions, as the regressors of mord do."""

    def predict(self, X):
        return np.clip(np.rint(super().predict(X)), 0, 3)


@pytest.mark.parametrize("scoring", ["cem_ord", "quadratic_weighted_kappa", "f1_macro"])
def test_a_regressor_that_rounds_is_tuned_to_the_best_merging_of_its_positions(data, scoring):
    X, y = data
    model = tuned(Rounded(), scoring=scoring).fit(X, y)
    predicted = cross_val_predict(Rounded(), X, y, cv=StratifiedKFold(5))
    metric = get_metric(scoring)
    best = max(
        metric.from_predictions(y, np.searchsorted(cuts, predicted, side="right"), labels=range(4))
        for cuts in combinations_with_replacement([-0.5, 0.5, 1.5, 2.5, 3.5], 3)
    )
    assert model.best_score_ == pytest.approx(best)


class Diverging(Ridge):
    def predict(self, X):
        return np.full(len(X), np.nan)


@pytest.mark.parametrize(
    ("function", "options"),
    [
        (metrics.expected_cost_loss, {"cost_matrix": [[0, 1, np.inf], [1, 0, 1], [2, 1, 0]]}),
        (metrics.cem_ord_score, {"class_counts": [1, 0, 5]}),
    ],
)
def test_infinite_costs_of_classes_that_occur_are_refused(function, options):
    model = TunedOrdinalThresholdClassifierCV(Ridge(), scoring=partial(function, **options), cv=2)
    with pytest.raises(ValueError, match="scoring must have finite costs for the classes that occ"):
        model.fit([[0], [1], [2], [0], [1], [2]], [0, 1, 2, 0, 1, 2])


def test_scores_that_are_not_finite_are_refused(data):
    with pytest.raises(ValueError, match="return finite scores, got NaN or infinity for 32 of"):
        tuned(Diverging()).fit(*data)


class Broken(Ridge):
    """Predict what a regressor must not."""

    def __init__(self, output=None):
        super().__init__()
        self.output = output

    def predict(self, X):
        return self.output(super().predict(X))


@pytest.mark.parametrize(
    ("output", "message"),
    [
        (lambda scores: np.c_[scores, scores], r"one score for each of 32 samples, .* \(32, 2\)"),
        (lambda scores: scores[:5], r"one score for each of 32 samples, .* shape \(5,\)"),
        (lambda scores: scores.astype(str), "the output of predict must hold numbers, got strings"),
    ],
)
def test_predictions_that_are_not_one_score_for_each_sample_are_refused(data, output, message):
    with pytest.raises(ValueError, match=message):
        tuned(Broken(output)).fit(*data)


@pytest.mark.parametrize(
    ("output", "message"),
    [
        (lambda proba: proba[:, 0], "predict_proba of Odd must return a column for each of 4 cla"),
        (lambda proba: proba[:, :3], "predict_proba of Odd must return a column for each of 4 cla"),
        (lambda proba: proba * 100, "predict_proba of Odd must return probabilities: .* add up"),
        (lambda proba: proba.astype(str), "predict_proba of Odd must hold numbers, got strings"),
    ],
)
def test_an_estimator_whose_output_is_not_of_probabilities_is_named(data, output, message):
    class Odd(LogisticRegression):
        def predict_proba(self, X):
            return output(super().predict_proba(X))

    with pytest.raises(ValueError, match=message):
        tuned(Odd()).fit(*data)


def test_it_works_in_searches_pipelines_and_comparisons(data):
    X, y = data
    pipeline = make_pipeline(StandardScaler(), tuned(Ridge(), cv=3))
    grid = {
        "tunedordinalthresholdclassifiercv__estimator__alpha": [0.1, 10],
        "tunedordinalthresholdclassifiercv__scoring": ["cem_ord", "accuracy"],
    }
    search = GridSearchCV(pipeline, grid, scoring="cem_ord", cv=3).fit(X, y)
    assert get_scorer("cem_ord")(search, X, y) > 0.5
    words = np.array(LIKERT)[y]
    comparison = compare_estimators(
        {"tuned": tuned(LogisticRegression(), labels=LIKERT, cv=3)},
        X,
        words,
        labels=LIKERT,
        cv=3,
        verbose=False,
    )
    assert "tuned" in comparison.to_text()


def test_a_copy_by_pickle_predicts_the_same(data):
    X, y = data
    model = tuned(store_cv_results=True).fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.predict(X), model.predict(X))
    assert clone(model).get_params()["store_cv_results"] is True


def test_parallel_fits_change_nothing(data):
    X, y = data
    with parallel_config(backend="threading"):
        one, two = (tuned(n_jobs=n_jobs).fit(X, y) for n_jobs in (1, 2))
    np.testing.assert_array_equal(one.best_thresholds_, two.best_thresholds_)


def test_repeated_test_samples_count_as_often_as_they_are_tested(data):
    X, y = data
    cv = ShuffleSplit(3, test_size=0.5, random_state=0)
    model = tuned(scoring="accuracy", cv=cv).fit(X, y)
    hits = total = 0
    for train, test in cv.split(X):
        scores = Ridge().fit(X[train], y[train]).predict(X[test])
        predicted = np.searchsorted(model.best_thresholds_, scores, side="right")
        hits, total = hits + (predicted == y[test]).sum(), total + len(test)
    assert model.best_score_ == pytest.approx(hits / total)


def test_methods_are_those_of_the_estimator(data):
    X, y = data
    of_regressor, of_classifier = tuned().fit(X, y), tuned(LogisticRegression()).fit(X, y)
    for method in ("predict_proba", "predict_log_proba", "decision_function"):
        assert not hasattr(of_regressor, method)
        expected = getattr(of_classifier.estimator_, method)(X)
        np.testing.assert_array_equal(getattr(of_classifier, method)(X), expected)
