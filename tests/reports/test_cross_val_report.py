"""Cross-validation reports, checked against scikit-learn."""

import pickle
import threading
import warnings
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
from joblib import parallel_config
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.decomposition import PCA
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import accuracy_score, cohen_kappa_score, mean_absolute_error
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import compare_estimators, cross_val_report, make_ordinal_scorer
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.inference import corrected_t_interval
from sklearn_ordinal.metrics import ordinal_mean_absolute_error, within_n_accuracy_score

X, Y = (part[::4] for part in load_lev(return_X_y=True))
GRADES = np.array(["very poor", "poor", "fair", "good", "very good"])
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)
FOLDS = list(StratifiedKFold(4).split(X, Y))


class Failing(ClassifierMixin, BaseEstimator):
    """Fails if the training data begin with the refused row; by default, always."""

    def __init__(self, refused=None):
        self.refused = refused

    def fit(self, X, y):
        if self.refused is None or (X[0] == self.refused).all():
            raise RuntimeError("these data are refused")
        self.model_ = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X):
        return self.model_.predict(X)


def report_on(estimator, y=Y, **options):
    return cross_val_report(estimator, X, y, **{"cv": FOLDS, "verbose": False, **options})


def test_fold_and_pooled_counts_match_cross_val_predict():
    predicted = cross_val_predict(TREE, X, Y, cv=FOLDS)
    report = report_on(TREE)
    for (_, test), fold in zip(FOLDS, report.folds, strict=True):
        expected = np.zeros((5, 5), dtype=int)
        np.add.at(expected, (Y[test], predicted[test]), 1)
        np.testing.assert_array_equal(fold.confusion.counts, expected)
    pooled = sum(fold.confusion.counts for fold in report.folds)
    np.testing.assert_array_equal(report.pooled.confusion.counts, pooled)
    np.testing.assert_array_equal(report.n_test, [len(test) for _, test in FOLDS])
    np.testing.assert_array_equal(report.n_train, [len(train) for train, _ in FOLDS])


def test_scores_match_scikit_learn():
    predicted = cross_val_predict(TREE, X, Y, cv=FOLDS)
    report = report_on(
        TREE, scoring=["accuracy", "ordinal_mean_absolute_error", "quadratic_weighted_kappa"]
    )
    for name, function in {
        "accuracy": accuracy_score,
        "ordinal_mean_absolute_error": mean_absolute_error,
        "quadratic_weighted_kappa": lambda t, p: cohen_kappa_score(t, p, weights="quadratic"),
    }.items():
        expected = [function(Y[test], predicted[test]) for _, test in FOLDS]
        np.testing.assert_allclose(report.scores[name], expected)
        assert report.pooled_scores[name] == pytest.approx(function(Y, predicted))
        assert report.stds[name] == pytest.approx(np.std(expected, ddof=1))


def test_losses_are_found_by_either_name_and_are_not_negated():
    report = report_on(TREE, scoring="neg_ordinal_mean_absolute_error")
    expected = -cross_val_score(TREE, X, Y, cv=FOLDS, scoring="neg_ordinal_mean_absolute_error")
    for found in ("metrics", "scores", "intervals", "pooled_scores"):
        assert list(getattr(report, found)) == ["ordinal_mean_absolute_error"]
    for name in (
        "ordinal_mean_absolute_error",
        "neg_ordinal_mean_absolute_error",
        ordinal_mean_absolute_error,
        make_ordinal_scorer("neg_ordinal_mean_absolute_error"),
    ):
        np.testing.assert_allclose(report.scores[name], expected)
        assert report.intervals[name].estimate == pytest.approx(expected.mean())
        assert report.pooled_scores[name] == pytest.approx(
            mean_absolute_error(Y, cross_val_predict(TREE, X, Y, cv=FOLDS))
        )
        assert report.stds[name] == pytest.approx(expected.std(ddof=1))
    with pytest.raises(KeyError, match=r"among \['ordinal_mean_absolute_error'\], got 'cem_ord'"):
        report.scores["cem_ord"]


def test_the_interval_is_the_corrected_resampled_t_interval_of_the_scores():
    report = report_on(TREE, scoring="cem_ord", confidence_level=0.9)
    expected = corrected_t_interval(
        cross_val_score(TREE, X, Y, cv=FOLDS, scoring="cem_ord"),
        n_train=187.5,
        n_test=62.5,
        confidence_level=0.9,
    )
    assert report.intervals["cem_ord"] == pytest.approx(expected)


def test_metrics_can_be_functions_with_options():
    report = report_on(
        TREE, scoring=[within_n_accuracy_score, partial(within_n_accuracy_score, n=2)]
    )
    assert list(report.scores) == ["within_1_accuracy", "within_n_accuracy(n=2)"]
    predicted = cross_val_predict(TREE, X, Y, cv=FOLDS)
    expected = [np.mean(np.abs(Y[test] - predicted[test]) <= 2) for _, test in FOLDS]
    np.testing.assert_allclose(report.scores["within_n_accuracy(n=2)"], expected)


def test_each_fold_has_the_scale_of_the_whole_y():
    report = report_on(TREE, cv=GroupKFold(5), groups=Y)
    assert [fold.target_names for fold in report.folds] == [("0", "1", "2", "3", "4")] * 5
    assert sorted(fold.confusion.counts.sum(axis=1).argmax() for fold in report.folds) == [
        0,
        1,
        2,
        3,
        4,
    ]


@pytest.mark.parametrize(
    "form",
    [
        lambda y: (GRADES[y], {"labels": GRADES}),
        lambda y: (pd.Series(pd.Categorical.from_codes(y, GRADES, ordered=True)), {}),
        lambda y: (list(y), {}),
        lambda y: (y.astype(float), {}),
        lambda y: (pl.Series(GRADES[y]).cast(pl.Enum(GRADES)), {}),
        lambda y: (y.astype(object), {}),
        lambda y: (pd.Series(y, dtype=object), {}),
    ],
    ids=["strings", "categorical", "list", "floats", "polars", "objects", "Series of objects"],
)
def test_scores_do_not_depend_on_the_type_of_y(form):
    y, options = form(Y)
    np.testing.assert_allclose(
        report_on(TREE, y, scoring="cem_ord", **options).scores["cem_ord"],
        report_on(TREE, scoring="cem_ord").scores["cem_ord"],
    )


def test_strings_without_an_order_raise_before_any_fit():
    with pytest.raises(ValueError, match="labels="):
        report_on(Failing(), GRADES[Y])


@pytest.mark.parametrize(
    "estimator",
    [
        make_pipeline(StandardScaler(), LogisticRegression()),
        GridSearchCV(TREE, {"max_depth": [1, 2]}, scoring="cem_ord", cv=2),
    ],
    ids=["pipeline", "search"],
)
def test_nested_estimators_match_cross_val_score(estimator):
    np.testing.assert_allclose(
        report_on(estimator, scoring="cem_ord").scores["cem_ord"],
        cross_val_score(estimator, X, Y, cv=FOLDS, scoring="cem_ord"),
    )


def test_frames_and_precomputed_kernels_are_split_as_in_scikit_learn():
    frame = pd.DataFrame(X, columns=list("abcd"))
    report = cross_val_report(TREE, frame, Y, cv=FOLDS, verbose=False, return_estimator=True)
    assert report.estimators[0].feature_names_in_.tolist() == list("abcd")
    kernel = SVC(kernel="precomputed")
    np.testing.assert_allclose(
        cross_val_report(kernel, X @ X.T, Y, cv=FOLDS, verbose=False).scores["accuracy"],
        cross_val_score(kernel, X @ X.T, Y, cv=FOLDS),
    )


def test_params_are_split_and_passed_to_fit():
    weight = np.where(Y == 4, 50.0, 1.0)
    predicted = np.empty_like(Y)
    for train, test in FOLDS:
        model = DecisionTreeClassifier(max_depth=3, random_state=0)
        model.fit(X[train], Y[train], sample_weight=weight[train])
        predicted[test] = model.predict(X[test])
    report = report_on(TREE, params={"sample_weight": weight})
    assert report.pooled_scores["accuracy"] == pytest.approx(np.mean(predicted == Y))


def test_metadata_is_routed_to_fit_and_to_the_splitter():
    weight, groups = np.where(Y == 4, 50.0, 1.0), np.arange(len(Y)) % 7
    plain = report_on(TREE, cv=GroupKFold(3), groups=groups, params={"sample_weight": weight})
    with config_context(enable_metadata_routing=True):
        model = DecisionTreeClassifier(max_depth=3, random_state=0)
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        routed = report_on(
            make_pipeline(scaler, model.set_fit_request(sample_weight=True)),
            cv=GroupKFold(3),
            params={"sample_weight": weight, "groups": groups},
        )
        with pytest.raises(TypeError, match="nonsense"):
            report_on(TREE, params={"nonsense": weight})
    np.testing.assert_allclose(routed.scores["accuracy"], plain.scores["accuracy"])


def test_a_failing_fit_does_not_affect_the_other_folds():
    refused = X[FOLDS[0][0][0]]
    failed = [i for i, (train, _) in enumerate(FOLDS) if (X[train[0]] == refused).all()]
    worked = [i for i in range(4) if i not in failed]
    with pytest.warns(FitFailedWarning, match=r"fold 1, Failing\(refused=array") as record:
        report = report_on(Failing(refused))
    assert record[0].filename == __file__
    assert [failure.fold for failure in report.failures] == failed
    assert [fold is None for fold in report.folds] == [i in failed for i in range(4)]
    expected = report_on(TREE).scores["cem_ord"]
    np.testing.assert_allclose(report.scores["cem_ord"][worked], expected[worked])
    assert np.isnan(report.scores["cem_ord"][failed]).all()
    assert report.intervals["cem_ord"].n_undefined == len(failed)
    assert report.failures[0].params == {"refused": repr(refused)}
    assert "RuntimeError: these data are refused" in " ".join(str(report).split())
    assert "in fit" in report.failures[0].traceback


def test_if_all_fits_fail_the_first_error_is_raised():
    with pytest.raises(ValueError, match=r"(?s)All 4 fits failed.*these data are refused"):
        report_on(Failing())


def test_an_interrupt_is_not_swallowed():
    class Interrupted(Failing):
        def fit(self, *_):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        report_on(Interrupted())


# The new processes of loky are in test_order.py.
@pytest.mark.parametrize("backend", ["threading", "multiprocessing"])
def test_result_does_not_depend_on_n_jobs(backend):
    model = DummyClassifier(strategy="stratified", random_state=3)
    with parallel_config(backend=backend):
        parallel = report_on(model, n_jobs=2)
    for name, values in report_on(model).scores.items():
        np.testing.assert_array_equal(parallel.scores[name], values)


def test_it_runs_on_a_dask_cluster():
    distributed = pytest.importorskip("distributed")
    with warnings.catch_warnings():
        # Dask warns about its own connections and files.
        warnings.simplefilter("ignore")
        cluster = distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None
        )
        with cluster, distributed.Client(cluster), parallel_config(backend="dask"):
            on_dask = report_on(TREE)
    for name, values in report_on(TREE).scores.items():
        np.testing.assert_array_equal(on_dask.scores[name], values)


def test_fitted_estimators_are_kept_only_on_request():
    kept = report_on(TREE, return_estimator=True)
    np.testing.assert_array_equal(
        kept.estimators[1].predict(X[FOLDS[1][1]]),
        cross_val_predict(TREE, X, Y, cv=FOLDS)[FOLDS[1][1]],
    )
    assert report_on(TREE).estimators is None


def test_a_score_is_nan_on_a_fold_where_it_is_undefined():
    splits = [(np.arange(250), np.flatnonzero(Y == 0)), *FOLDS]
    report = report_on(TREE, cv=splits, scoring="kendall_tau_b")
    assert np.isnan(report.scores["kendall_tau_b"]).tolist() == [True] + 4 * [False]
    interval = report.intervals["kendall_tau_b"]
    assert interval.n_undefined == 1
    assert interval.estimate == pytest.approx(np.nanmean(report.scores["kendall_tau_b"]))
    assert "1 undefined left out" in str(interval)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scoring": "cem"}, "scoring: metric must be a known name, got 'cem'"),
        ({"labels": [0, 1, 2]}, "labels"),
        ({"confidence_level": 95}, "confidence_level"),
        ({"scoring": []}, "scoring must"),
        ({"scoring": ["cem_ord", "cem_ord"]}, "each once"),
        ({"scoring": 5}, "metric must be"),
        ({"scoring": {"cem_ord": 1}}, "scoring: metric must be a name or a callable, got 1"),
        ({"cv": []}, "cv must give at least one split"),
    ],
)
def test_errors_name_the_invalid_argument(options, message):
    with pytest.raises(ValueError, match=message):
        report_on(TREE, **options)


def test_errors_in_y_name_the_argument():
    for y in (GRADES[Y], np.where(Y == 4, np.nan, Y), np.c_[Y, Y]):
        with pytest.raises(ValueError, match=r"^y .*"):
            report_on(TREE, y)


@pytest.mark.parametrize("form", [lambda y: y[:, None], lambda y: pd.DataFrame({"grade": y})])
def test_a_single_column_of_y_is_one_dimensional(form):
    found, expected = report_on(TREE, form(Y)), report_on(TREE)
    np.testing.assert_array_equal(found.scores["cem_ord"], expected.scores["cem_ord"])


def test_splits_can_be_masks():
    masks = [tuple(np.isin(np.arange(len(Y)), part) for part in split) for split in FOLDS]
    by_masks, by_indices = (report_on(TREE, cv=cv) for cv in (masks, FOLDS))
    assert by_masks.pooled == by_indices.pooled
    assert by_masks.predictions["sample"].tolist() == by_indices.predictions["sample"].tolist()


def test_failures_store_uncopyable_parameters_as_text():
    with pytest.warns(FitFailedWarning):
        report = report_on(Unpicklable(X[FOLDS[0][0][0]]))
    assert report.to_dict()["failures"][0]["params"]["lock"].startswith("<unlocked")
    assert pickle.loads(pickle.dumps(report)) == report


class Unpicklable(Failing):
    """Has a parameter that cannot be copied once it is set."""

    def __init__(self, refused=None):
        super().__init__(refused)

    def get_params(self, deep=True):
        params = {"refused": self.refused}
        # Like an estimator that opens a connection when its parameters are read.
        return {**params, "lock": threading.Lock()} if deep else params


def test_continuous_predictions_raise():
    message = "^All 4 fits failed, the first: ValueError: the output of predict must be .*$"
    with pytest.raises(ValueError, match=message) as info:
        report_on(LinearRegression())
    assert "\n" not in str(info.value)


@pytest.mark.parametrize(
    ("estimator", "found"),
    [(X, "a ndarray"), ({"tree": TREE}, "a dict"), (SVC, "the class SVC"), (PCA(), "a PCA")],
)
def test_what_is_no_classifier_is_refused(estimator, found):
    message = f"^estimator must be a classifier with fit and predict, such as .*, got {found}.$"
    with pytest.raises(ValueError, match=message):
        report_on(estimator)


class Answering(ClassifierMixin, BaseEstimator):
    """Predicts whatever a function returns for the number of samples."""

    def __init__(self, answer=None):
        self.answer = answer

    def fit(self, X, y):  # noqa: ARG002
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return self.answer(len(X))


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (
            lambda n: np.full(n, np.nan),
            "predict has missing values .* predict a class for ev",
        ),
        (lambda n: [None] * n, "predict has missing values"),
        (lambda n: np.array([None] * n), "predict has missing values"),
        (lambda n: [0.5] * (n - 1) + [np.nan], "predict has missing values"),
        (lambda n: None, "predict must be one-dimensional, got a NoneType"),  # noqa: ARG005
        (lambda n: 1, "predict must be one-dimensional, got a int"),  # noqa: ARG005
        (lambda n: np.array(1), "predict must be one-dimensional"),  # noqa: ARG005
        (lambda n: "1", "predict must be one-dimensional, got a str"),  # noqa: ARG005
        (lambda n: {0, 1}, "predict must be a sequence, .* got a set"),  # noqa: ARG005
        (
            lambda n: np.zeros((n, 2)),
            r"predict must be one-dimensional, got shape \(\d+, 2",
        ),
        (lambda n: np.zeros(n - 1), r"one class for each of the 6[23] test samples, got 6[12]\."),
        (lambda n: np.zeros(n + 1), r"one class for each of the 6[23] test samples, got 6[34]\."),
        (lambda n: np.full(n, np.inf), "the output of predict must be finite"),
        (
            lambda n: np.full(n, 9),
            r"predict has classes that are not in labels: \[9\]",
        ),
    ],
)
def test_predictions_that_are_not_a_class_per_sample_are_a_failed_fit(answer, message):
    with pytest.raises(ValueError, match=rf"All 4 fits failed[^|]*ValueError: .*{message}"):
        report_on(Answering(answer))
    with pytest.warns(FitFailedWarning, match=message):
        comparison = compare_estimators(
            {"tree": TREE, "odd": Answering(answer)},
            X,
            Y,
            cv=FOLDS,
            verbose=False,
            random_state=0,
        )
    assert "odd" not in comparison.reports
    assert "By cem_ord, tree beats" in str(comparison)


@pytest.mark.skipif(not hasattr(np.dtypes, "StringDType"), reason="NumPy before 2.0")
def test_variable_width_strings_are_read_as_strings():
    variable = GRADES[Y].astype(np.dtypes.StringDType())
    options = {"labels": GRADES, "cv": 3}
    for y in (variable, variable[:, None]):
        found, expected = (report_on(TREE, each, **options) for each in (y, GRADES[Y]))
        np.testing.assert_array_equal(found.scores["cem_ord"], expected.scores["cem_ord"])
    group = np.repeat(np.arange(50), 5)
    by_strings, by_numbers = (
        report_on(TREE, variable, labels=GRADES, cv=3, groups=groups)
        for groups in (group.astype(str).astype(np.dtypes.StringDType()), group.astype(str))
    )
    np.testing.assert_array_equal(by_strings.scores["cem_ord"], by_numbers.scores["cem_ord"])
    with pytest.raises(ValueError, match="labels="):
        report_on(TREE, variable)


def test_fold_sizes_match_an_unshuffled_splitter():
    report = report_on(TREE, cv=KFold(3))
    assert report.n_test.tolist() == [84, 83, 83]
