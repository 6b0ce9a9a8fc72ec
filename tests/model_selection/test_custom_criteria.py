"""Criteria from scikit-learn and from users, in cross-validation and comparisons."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import (
    accuracy_score,
    f1_score,
    get_scorer,
    log_loss,
    make_scorer,
    mean_pinball_loss,
    roc_auc_score,
)
from sklearn.model_selection import StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import OrdinalMetric, compare_estimators, cross_val_report
from sklearn_ordinal.datasets import load_lev
from tests.reports.comparisons import table

X, Y = (part[::4] for part in load_lev(return_X_y=True))
GRADES = np.array(["very poor", "poor", "fair", "good", "very good"])
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)
STUMP = DecisionTreeClassifier(max_depth=1, random_state=0)
FOLDS = list(StratifiedKFold(3).split(X, Y))


def share_of_wrong_error(y_true, y_pred):
    return np.mean(np.asarray(y_true) != np.asarray(y_pred))


def neg_share_of_wrong_error(y_true, y_pred):
    return -share_of_wrong_error(y_true, y_pred)


def number_of_nodes_error(estimator, X, y):  # noqa: ARG001
    return estimator.tree_.node_count


def surprise(y_true, y_pred):
    return share_of_wrong_error(y_true, y_pred)


def report_on(estimator, metrics, y=Y, **options):
    return cross_val_report(estimator, X, y, scoring=metrics, cv=FOLDS, verbose=False, **options)


def compare(estimators, scoring, y=Y, **options):
    return compare_estimators(
        estimators, X, y, scoring=scoring, cv=FOLDS, verbose=False, random_state=0, **options
    )


CRITERIA = [
    # The criterion as passed, an equivalent scorer, the sign of that scorer, and the name.
    ("neg_log_loss", "neg_log_loss", -1, "log_loss"),
    ("log_loss", "neg_log_loss", -1, "log_loss"),
    (get_scorer("neg_log_loss"), "neg_log_loss", -1, "log_loss"),
    ("roc_auc_ovr", "roc_auc_ovr", 1, "roc_auc_ovr"),
    ("neg_mean_absolute_error", "neg_mean_absolute_error", -1, "mean_absolute_error"),
    ("f1_weighted", "f1_weighted", 1, "f1_weighted"),
    (accuracy_score, "accuracy", 1, "accuracy"),
    (mean_pinball_loss, make_scorer(mean_pinball_loss), 1, "mean_pinball_loss"),
    (
        make_scorer(f1_score, average="macro", zero_division=1.0),
        make_scorer(f1_score, average="macro", zero_division=1.0),
        1,
        "f1(average='macro', zero_division=1.0)",
    ),
    (
        make_scorer(surprise, greater_is_better=False),
        make_scorer(surprise, greater_is_better=False),
        -1,
        "surprise",
    ),
    (
        make_scorer(log_loss, greater_is_better=False, response_method="predict_proba"),
        "neg_log_loss",
        -1,
        "log_loss",
    ),
    (share_of_wrong_error, make_scorer(share_of_wrong_error), 1, "share_of_wrong_error"),
    (neg_share_of_wrong_error, make_scorer(share_of_wrong_error), 1, "share_of_wrong_error"),
    (number_of_nodes_error, number_of_nodes_error, 1, "number_of_nodes_error"),
]


@pytest.mark.parametrize(("criterion", "scorer", "sign", "name"), CRITERIA)
def test_values_match_cross_val_score_with_the_sign_of_the_metric(criterion, scorer, sign, name):
    expected = sign * cross_val_score(TREE, X, Y, cv=FOLDS, scoring=scorer)
    report = report_on(TREE, [criterion, "cem_ord"])
    assert list(report.scores) == [name, "cem_ord"]
    np.testing.assert_allclose(report.scores[criterion], expected)
    assert report.scores[name] is report.scores[criterion]
    assert report.metrics[name].greater_is_better == (not name.endswith(("_loss", "_error", "ise")))
    compared = compare({"tree": TREE}, [criterion, "cem_ord"], baselines={"other": STUMP})
    np.testing.assert_allclose(compared.scores[criterion]["tree"], expected)


def test_user_losses_are_found_by_either_name():
    report = report_on(TREE, [share_of_wrong_error, "neg_log_loss"])
    for name in ("share_of_wrong_error", "log_loss"):
        assert report.scores[f"neg_{name}"] is report.scores[name]


def test_log_loss_is_positive_and_the_lowest_wins():
    report = compare(
        {"tree": TREE, "logistic": LogisticRegression(max_iter=1000)}, ["neg_log_loss", "cem_ord"]
    )
    values = {name: each.mean() for name, each in report.scores["log_loss"].items()}
    assert min(values.values()) > 0
    assert report.winners["log_loss"] == (min(values, key=values.get),)
    rows = table(report, "neg_log_loss")
    best = report.best_baseline["log_loss"]
    assert best == "class prior"
    assert rows["logistic"].difference.estimate == pytest.approx(
        values["logistic"] - values["class prior"]
    )
    assert rows["logistic"].difference.favours == "first"
    # The best constant cannot be found from labels alone.
    assert "best constant" not in report.reports
    y_proba = cross_val_predict(TREE, X, Y, cv=FOLDS, method="predict_proba")
    assert report.reports["tree"].pooled_scores["log_loss"] == pytest.approx(log_loss(Y, y_proba))


@pytest.mark.parametrize("make", [np.asarray, list, pd.Series], ids=["array", "list", "series"])
def test_functions_of_labels_receive_the_original_labels_in_row_order(make):
    calls = []

    def recorded_score(y_true, y_pred):
        calls.append((y_true, y_pred))
        return 0.5

    y = make(GRADES[Y])
    predicted = cross_val_predict(TREE, X, GRADES[Y], cv=FOLDS)
    report = report_on(TREE, recorded_score, y, labels=GRADES)
    assert report.scores["recorded"].tolist() == [0.5] * 3
    of_folds, (pooled_true, pooled_pred) = calls[:3], calls[3]
    for (_, test), (y_true, y_pred) in zip(FOLDS, of_folds, strict=True):
        assert type(y_true) is type(y)
        assert list(y_true) == GRADES[Y][test].tolist()
        assert list(y_pred) == predicted[test].tolist()
    order = np.concatenate([test for _, test in FOLDS])
    assert list(pooled_true) == GRADES[Y][order].tolist()
    assert list(pooled_pred) == predicted[order].tolist()


def test_functions_of_labels_have_a_best_constant_and_a_pooled_value():
    report = compare({"tree": TREE}, share_of_wrong_error, GRADES[Y], labels=GRADES)
    frequencies = np.bincount(Y) / len(Y)
    rows = table(report, share_of_wrong_error)
    assert rows["best constant"].score.estimate == pytest.approx(1 - frequencies.max(), abs=0.01)
    predicted = cross_val_predict(TREE, X, GRADES[Y], cv=FOLDS)
    pooled = report.reports["tree"].pooled_scores["share_of_wrong_error"]
    assert pooled == pytest.approx(np.mean(predicted != GRADES[Y]))


def test_functions_of_estimators_receive_the_fitted_estimator_and_the_test_samples():
    calls = []

    def recorded_score(estimator, X, y):
        calls.append((estimator, X, y))
        return 0.5

    frame = pd.DataFrame(X, columns=list("abcd"))
    cross_val_report(
        TREE, frame, GRADES[Y], scoring=recorded_score, labels=GRADES, cv=FOLDS, verbose=False
    )
    for (train, test), (estimator, X_test, y_test) in zip(FOLDS, calls, strict=True):
        assert estimator.tree_.n_node_samples[0] == len(train)
        pd.testing.assert_frame_equal(X_test, frame.iloc[test])
        assert y_test.tolist() == GRADES[Y][test].tolist()


class Unsure(DecisionTreeClassifier):
    """Raises an error in predict_proba."""

    def predict_proba(self, X):  # noqa: ARG002
        raise RuntimeError("no probabilities")

    def predict(self, X):
        return self.classes_[super().predict_proba(X).argmax(axis=1)]


@pytest.mark.parametrize(
    ("model", "error"),
    [
        (SVC(), "AttributeError: .*predict_proba"),
        (Unsure(max_depth=3, random_state=0), "RuntimeError: no probabilities"),
    ],
)
def test_a_failing_criterion_does_not_affect_other_criteria_and_estimators(model, error):
    scoring = ["cem_ord", "neg_log_loss"]
    with pytest.warns(FitFailedWarning, match="3 evaluations of criteria failed") as record:
        report = compare({"tree": TREE, "without": model}, scoring)
    assert record[0].filename == __file__
    assert [(each.name, each.fold) for each in report.failures] == [
        ("without", fold) for fold in range(3)
    ]
    for failure in report.failures:
        assert failure.error.startswith("log_loss: ")
        assert re.search(error, failure.error)
    assert np.isnan(report.scores["log_loss"]["without"]).all()
    assert report.ranks["log_loss"]["without"] == len(report.reports)
    np.testing.assert_allclose(
        report.scores["cem_ord"]["without"],
        cross_val_score(model, X, Y, cv=FOLDS, scoring="cem_ord"),
    )
    without = compare({"tree": TREE}, scoring)
    for criterion in scoring:
        np.testing.assert_array_equal(
            report.scores[criterion]["tree"], without.scores[criterion]["tree"]
        )
        assert report.one(criterion=criterion, estimator="tree") == without.one(
            criterion=criterion, estimator="tree"
        )
        assert report.best_baseline[criterion] == without.best_baseline[criterion]


def test_a_criterion_is_undefined_on_the_fold_where_it_fails():
    def demanding_score(y_true, y_pred):
        if len(calls) == 2:
            calls.append("failed")
            raise RuntimeError("not this one")
        calls.append("worked")
        return accuracy_score(y_true, y_pred)

    calls = []
    with pytest.warns(FitFailedWarning, match="1 evaluation of criteria failed"):
        report = report_on(TREE, demanding_score)
    accuracies = cross_val_score(TREE, X, Y, cv=FOLDS)
    np.testing.assert_allclose(report.scores["demanding"], [*accuracies[:2], np.nan])
    assert report.intervals["demanding"].n_undefined == 1
    assert "demanding: RuntimeError: not this one" in report.failures[0].error
    assert all(fold is not None for fold in report.folds)


def test_an_infinite_value_has_no_interval_and_the_report_remains_usable():
    def infinite_error(y_true, y_pred):  # noqa: ARG001
        return np.inf

    report = report_on(TREE, [infinite_error, "cem_ord"])
    assert np.isinf(report.scores["infinite_error"]).all()
    numbers = report.to_dict()["criteria"]["infinite_error"]
    assert numbers["folds"] == [None] * 3
    assert numbers["low"] is numbers["high"] is None
    assert report.intervals["cem_ord"].estimate == report.scores["cem_ord"].mean()


def test_a_function_that_belongs_to_no_module_is_a_criterion():
    namespace = {}
    exec("def share_score(y_true, y_pred): return (y_true == y_pred).mean()", namespace)
    report = report_on(TREE, namespace["share_score"])
    np.testing.assert_allclose(report.scores["share"], cross_val_score(TREE, X, Y, cv=FOLDS))


@pytest.mark.parametrize(
    ("criterion", "message"),
    [
        (roc_auc_score, "roc_auc_score takes probabilities, not labels: .* 'roc_auc'"),
        (surprise, "whether higher is better, but surprise does not: pass make_scorer"),
        (lambda estimator, X, y: 0.0, "<lambda> does not: give it a name that ends in _score"),  # noqa: ARG005
        (len, "has 1: obj"),
    ],
)
def test_functions_that_are_not_criteria_raise_before_any_fit(criterion, message):
    for evaluate in (report_on, lambda model, each: compare({"a": model}, each)):
        with pytest.raises(ValueError, match=message):
            evaluate(Unsure(max_depth=-1), criterion)


def test_a_statistic_with_several_values_for_one_matrix_is_refused():
    metric = OrdinalMetric("pair", lambda _: np.ones(2), greater_is_better=True)
    with pytest.raises(ValueError, match=r"^the value of pair must be a number, got array"):
        cross_val_report(STUMP, X, Y, cv=2, scoring=metric)


def test_probabilities_of_unknown_classes_fail_only_the_criteria_that_use_them():
    class Renamed(DecisionTreeClassifier):
        """Has probabilities for classes that do not occur in y."""

        def predict_proba(self, X):
            known, self.classes_ = self.classes_, np.arange(len(self.classes_)) + 50
            self.n_classes_ = len(known)
            return super().predict_proba(X)

        def predict(self, X):
            return np.full(len(X), 2)

    with pytest.warns(FitFailedWarning, match="classes has classes that are not in labels"):
        report = cross_val_report(
            Renamed(), X, Y, cv=2, scoring=["accuracy", "neg_log_loss"], verbose=False
        )
    assert np.isnan(report.scores["log_loss"]).all()
    assert not np.isnan(report.scores["accuracy"]).any()


def test_labels_can_be_fractions():
    halves = Y / 2
    report = cross_val_report(
        DecisionTreeClassifier(max_depth=2), X, halves.astype(str), cv=2, scoring="accuracy",
        labels=sorted(set(halves.astype(str))), verbose=False,
    )  # fmt: skip
    assert not report.failures
