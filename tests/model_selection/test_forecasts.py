"""Criteria of probabilities and scores in cross-validation, against loops written out here."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LinearRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import (
    OrdinalForecasts,
    OrdinalScores,
    compare_estimators,
    cross_val_report,
    get_metric,
    make_ordinal_scorer,
)
from sklearn_ordinal._core.catalogue import metrics_of
from sklearn_ordinal._core.evidence_kinds import LABELS, PROBABILITIES, SCORES
from sklearn_ordinal.datasets import load_lev
from tests.reports.comparisons import table

X, Y = (part[::4] for part in load_lev(return_X_y=True))
GRADES = np.array(["very poor", "poor", "fair", "good", "very good"])
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)
LDA = LinearDiscriminantAnalysis()
FOLDS = list(StratifiedKFold(3).split(X, Y))
RPS, CONCORDANCE = "ranked_probability_score", "concordance"
MIXED = ["cem_ord", f"neg_{RPS}", CONCORDANCE, "neg_log_loss"]
METRICS = {n: m for n, m in metrics_of(LABELS, PROBABILITIES, SCORES).items() if m.scorer_name}
OF_FORECASTS = list(metrics_of(PROBABILITIES, SCORES))


def report_on(estimator, metrics=MIXED, y=Y, cv=FOLDS, **options):
    return cross_val_report(estimator, X, y, scoring=metrics, cv=cv, verbose=False, **options)


def compare(estimators, scoring=MIXED, y=Y, cv=FOLDS, **options):
    return compare_estimators(
        estimators, X, y, scoring=scoring, cv=cv, verbose=False, random_state=0, **options
    )


def aligned(model, X, n_classes=5):
    """Return probabilities of the classes 0, ..., n_classes - 1, matched one by one."""
    proba = np.zeros((len(X), n_classes))
    for label, column in zip(model.classes_, model.predict_proba(X).T, strict=True):
        proba[:, label] = column
    return proba


def losses(y_true, proba):
    """Return the ranked probability score of each sample."""
    thresholds = np.arange(proba.shape[1] - 1)
    return ((proba.cumsum(axis=1)[:, :-1] - (y_true[:, None] <= thresholds)) ** 2).sum(axis=1)


def concordance(y_true, scores, weight=None):
    weight = np.ones(len(y_true)) if weight is None else weight
    pair = np.outer(weight, weight) * (y_true[:, None] > y_true)
    return (pair * (1 + np.sign(np.subtract.outer(scores, scores))) / 2).sum() / pair.sum()


def positions(proba):
    return (proba @ np.arange(proba.shape[1])).round(12)


def out_of_fold(estimator, folds=FOLDS, y=Y):
    """Return the test samples and the aligned probabilities of each fold."""
    return [(test, aligned(estimator.fit(X[train], y[train]), X[test])) for train, test in folds]


# --- values ----------------------------------------------------------------------------


@pytest.mark.parametrize("estimator", [TREE, LDA])
def test_values_of_folds_and_pooled_values_are_those_of_a_loop(estimator):
    report, loop = report_on(estimator), out_of_fold(estimator)
    np.testing.assert_allclose(report.scores[RPS], [losses(Y[t], p).mean() for t, p in loop])
    expected = [concordance(Y[t], positions(p)) for t, p in loop]
    np.testing.assert_allclose(report.scores[CONCORDANCE], expected)
    expected = [log_loss(Y[t], p, labels=range(5)) for t, p in loop]
    np.testing.assert_allclose(report.scores["log_loss"], expected)
    test, proba = (np.concatenate(parts) for parts in zip(*loop, strict=True))
    assert report.pooled_scores[RPS] == pytest.approx(losses(Y[test], proba).mean())
    expected = concordance(Y[test], positions(proba))
    assert report.pooled_scores[CONCORDANCE] == pytest.approx(expected)


@pytest.mark.parametrize("name", [name for name in OF_FORECASTS if not METRICS[name].is_sklearns])
def test_values_are_those_of_the_scorers(name):
    scorer_name = METRICS[name].scorer_name
    found = cross_validate(LDA, X, Y, cv=FOLDS, scoring=[scorer_name, "cem_ord"])
    sign = 1 if METRICS[name].greater_is_better else -1
    report = report_on(LDA, [name, "cem_ord"])
    np.testing.assert_allclose(report.scores[name], sign * found[f"test_{scorer_name}"])
    np.testing.assert_array_equal(report.scores["cem_ord"], found["test_cem_ord"])


def test_all_criteria_come_from_one_fit_and_one_call_per_fold():
    calls = []

    class Recording(LinearDiscriminantAnalysis):
        def fit(self, X, y):
            calls.append("fit")
            return super().fit(X, y)

        def predict(self, X):
            calls.append("predict")
            return super().predict(X)

        def predict_proba(self, X):
            calls.append("predict_proba")
            return super().predict_proba(X)

    for metrics, once in {
        "cem_ord": ["fit", "predict"],
        ("cem_ord", *OF_FORECASTS): ["fit", "predict", "predict_proba"],
        "all": ["fit", "predict", "predict_proba"],
    }.items():
        calls.clear()
        report_on(Recording(), metrics)
        assert calls == 3 * once


def test_all_stands_for_the_criteria_that_every_estimator_allows():
    of_labels_and_scores = [m.name for m in METRICS.values() if m.evidence.name != "probabilities"]
    assert list(report_on(TREE, "all").scores) == list(METRICS)
    assert list(report_on(SVC(), "all").scores) == of_labels_and_scores
    both = compare({"tree": TREE, "svm": SVC()}, "all", cv=2)
    assert list(both.scores) == of_labels_and_scores


class Permuted(ClassifierMixin, BaseEstimator):
    """A classifier whose classes are not sorted."""

    def fit(self, X, y):
        self.model_ = LinearDiscriminantAnalysis().fit(X, y)
        self.order_ = np.random.default_rng(0).permutation(len(self.model_.classes_))
        self.classes_ = self.model_.classes_[self.order_]
        return self

    def predict_proba(self, X):
        return self.model_.predict_proba(X)[:, self.order_]

    def predict(self, X):
        return self.model_.predict(X)


def test_columns_are_matched_to_classes_in_any_order_and_of_any_type():
    expected, found = report_on(LDA), report_on(Permuted())
    named = report_on(Permuted(), y=GRADES[Y], labels=GRADES)
    for name in (RPS, CONCORDANCE):
        np.testing.assert_allclose(found.scores[name], expected.scores[name])
        np.testing.assert_allclose(named.scores[name], expected.scores[name])
        assert named.pooled_scores[name] == pytest.approx(expected.pooled_scores[name])


@pytest.mark.parametrize("name", [RPS, CONCORDANCE])
def test_scorers_with_an_order_are_criteria(name):
    expected = report_on(LDA, name)
    scorer = make_ordinal_scorer(METRICS[name].scorer_name, labels=GRADES)
    same_order = report_on(LDA, scorer, y=GRADES[Y], labels=GRADES)
    np.testing.assert_allclose(same_order.scores[name], expected.scores[name])
    assert same_order.pooled_scores[name] == pytest.approx(expected.pooled_scores[name])
    # The scorer keeps its order, and is then evaluated on estimators alone.
    reversed_scale = report_on(LDA, scorer, y=GRADES[Y], labels=GRADES[::-1])
    np.testing.assert_allclose(reversed_scale.scores[name], expected.scores[name])
    assert np.isnan(reversed_scale.pooled_scores[name])


@pytest.mark.parametrize("left_out", [0, 2, 4])
def test_a_class_that_a_training_fold_lacks_has_probability_zero(left_out):
    folds = [(train[Y[train] != left_out], test) for train, test in FOLDS]
    report, loop = report_on(TREE, [RPS, CONCORDANCE], cv=folds), out_of_fold(TREE, folds)
    np.testing.assert_allclose(report.scores[RPS], [losses(Y[t], p).mean() for t, p in loop])
    expected = [concordance(Y[t], positions(p)) for t, p in loop]
    np.testing.assert_allclose(report.scores[CONCORDANCE], expected)
    assert (report.predictions[f"proba_{left_out}"] == 0).all()


def test_two_classes_are_scored_by_both_columns():
    y = (Y > 2).astype(int)
    report = report_on(LDA, [RPS, CONCORDANCE], y=y)
    for k, (train, test) in enumerate(FOLDS):
        proba = LDA.fit(X[train], y[train]).predict_proba(X[test])
        assert report.scores[RPS][k] == pytest.approx(((proba[:, 1] - y[test]) ** 2).mean())
    names = ["low", "high"]
    named = report_on(LDA, [RPS, CONCORDANCE], y=np.array(names)[y], labels=names)
    for name in (RPS, CONCORDANCE):
        np.testing.assert_allclose(named.scores[name], report.scores[name])


def test_each_sample_counts_once_if_folds_are_repeated():
    folds = [*StratifiedKFold(5, shuffle=True, random_state=0).split(X, Y), *FOLDS[:2]]
    report, loop = report_on(LDA, [RPS, CONCORDANCE], cv=folds), out_of_fold(LDA, folds)
    test, proba = (np.concatenate(parts) for parts in zip(*loop, strict=True))
    weight = 1 / np.bincount(test)[test]
    assert len(np.unique(weight)) == 2
    expected = np.average(losses(Y[test], proba), weights=weight)
    assert report.pooled_scores[RPS] == pytest.approx(expected)
    expected = concordance(Y[test], positions(proba), weight)
    assert report.pooled_scores[CONCORDANCE] == pytest.approx(expected)


def test_a_sample_that_a_fold_tests_twice_counts_twice_in_it():
    train, test = FOLDS[0]
    test = np.r_[test, test[:10]]
    report = report_on(LDA, [RPS, CONCORDANCE], cv=[(train, test)])
    proba = aligned(LDA.fit(X[train], Y[train]), X[test])
    assert report.scores[RPS][0] == pytest.approx(losses(Y[test], proba).mean())
    assert report.pooled_scores[RPS] == pytest.approx(losses(Y[test], proba)[:-10].mean())


# --- estimators without probabilities --------------------------------------------------


@pytest.mark.parametrize("model", [SVC(), LinearSVC(random_state=0)])
def test_without_probabilities_predictions_are_the_scores(model):
    metrics = ["cem_ord", RPS, CONCORDANCE, "unimodality"]
    with pytest.warns(FitFailedWarning, match="3 evaluations of criteria failed"):
        report = report_on(model, metrics)
    assert np.isnan(report.scores[RPS]).all()
    assert np.isnan(report.pooled_scores[RPS])
    of_folds, predicted = [], np.empty(len(Y))
    for train, test in FOLDS:
        predicted[test] = model.fit(X[train], Y[train]).predict(X[test])
        of_folds.append(concordance(Y[test], predicted[test]))
    np.testing.assert_allclose(report.scores[CONCORDANCE], of_folds)
    assert report.pooled_scores[CONCORDANCE] == pytest.approx(concordance(Y, predicted))
    for failure in report.failures:
        assert failure.error.startswith(f"{RPS}, unimodality: AttributeError: ")
        assert "predict_proba" in failure.error
    assert report.predictions["y_score"].tolist() == report.predictions["y_pred"].tolist()
    assert "proba_0" not in report.predictions


class Latent(ClassifierMixin, BaseEstimator):
    """A classifier with one decision value per sample."""

    def fit(self, X, y):
        self.classes_, self.model_ = np.unique(y), LinearRegression().fit(X, y)
        return self

    def decision_function(self, X):
        return self.model_.predict(X)

    def predict(self, X):
        return np.clip(np.rint(self.model_.predict(X)), 0, 4).astype(int)


def test_the_estimator_of_some_folds_may_have_no_probabilities():
    class Sometimes(DecisionTreeClassifier):
        def fit(self, X, y):
            self.is_certain_ = len(X) == 100
            return super().fit(X, y)

        @property
        def predict_proba(self):
            if self.is_certain_:
                raise AttributeError("no probabilities")
            return super().predict_proba

    folds = [(FOLDS[0][0][:100], FOLDS[0][1]), *FOLDS[1:]]
    with pytest.warns(FitFailedWarning, match="1 evaluation of criteria failed"):
        report = report_on(Sometimes(max_depth=3, random_state=0), [RPS, CONCORDANCE], cv=folds)
    assert np.isnan(report.scores[RPS]).tolist() == [True, False, False]
    assert not np.isnan(report.scores[CONCORDANCE]).any()
    # Positions of classes and expected positions are not compared with each other.
    test, proba = (np.concatenate(p) for p in zip(*out_of_fold(TREE, folds[1:]), strict=True))
    assert report.pooled_scores[RPS] == pytest.approx(losses(Y[test], proba).mean())
    expected = concordance(Y[test], positions(proba))
    assert report.pooled_scores[CONCORDANCE] == pytest.approx(expected)


def test_decision_values_are_the_scores_if_there_is_one_per_sample():
    report = report_on(Latent(), [CONCORDANCE, "cem_ord"])
    expected, score = [], np.empty(len(Y))
    for train, test in FOLDS:
        score[test] = LinearRegression().fit(X[train], Y[train]).predict(X[test])
        expected.append(concordance(Y[test], score[test]))
    np.testing.assert_allclose(report.scores[CONCORDANCE], expected)
    assert report.pooled_scores[CONCORDANCE] == pytest.approx(concordance(Y, score))
    predictions = report.predictions
    np.testing.assert_array_equal(predictions["y_score"], score[predictions["sample"]])
    row = report.fold_predictions[0].to_frame().iloc[0]
    assert row["y_score"] == report.fold_predictions[0].y_score[0]


def test_of_two_classes_the_higher_may_be_the_first():
    y = np.where(Y > 2, "high", "low")
    report = report_on(LinearSVC(random_state=0), CONCORDANCE, y=y, labels=["low", "high"])
    numbered = report_on(LinearSVC(random_state=0), CONCORDANCE, y=(Y > 2).astype(int))
    np.testing.assert_allclose(report.scores[CONCORDANCE], numbered.scores[CONCORDANCE])
    assert report.intervals[CONCORDANCE].estimate > 0.7


def test_regressors_are_refused_as_before():
    with pytest.raises(
        ValueError,
        match=r"must be classes, got continuous values: pass a cl.* within TunedOrdinalThres",
    ):
        report_on(LinearRegression(), CONCORDANCE)


class Moody(DecisionTreeClassifier):
    """Raises an error in predict_proba if sample 0 is not in the training data."""

    def fit(self, X, y):
        self.is_moody_ = len(X) < 167
        return super().fit(X, y)

    def predict_proba(self, X):
        if self.is_moody_:
            raise RuntimeError("not today")
        return super().predict_proba(X)

    def predict(self, X):
        return self.classes_[super().predict_proba(X).argmax(axis=1)]


def test_probabilities_that_fail_on_one_fold_leave_the_others():
    folds = [(FOLDS[0][0][:100], FOLDS[0][1]), *FOLDS[1:]]
    assert all(len(train) >= 166 for train, _ in FOLDS)
    model = Moody(max_depth=3, random_state=0)
    folds[1:] = [(np.r_[train, train[:1]], test) for train, test in FOLDS[1:]]
    with pytest.warns(FitFailedWarning, match="evaluations of criteria failed") as record:
        report = report_on(model, ["cem_ord", RPS, CONCORDANCE], cv=folds)
    assert record[0].filename == __file__
    assert {failure.fold for failure in report.failures} == {0}
    assert "RuntimeError: not today" in report.failures[0].error
    assert np.isnan(report.scores[RPS]).tolist() == [True, False, False]
    assert not np.isnan(report.scores["cem_ord"]).any()
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    test, proba = (np.concatenate(p) for p in zip(*out_of_fold(tree, folds[1:]), strict=True))
    assert report.pooled_scores[RPS] == pytest.approx(losses(Y[test], proba).mean())
    assert report.intervals[RPS].n_undefined == 1


def test_probabilities_of_single_precision_need_not_be_more_precise():
    class Single(LinearDiscriminantAnalysis):
        def predict_proba(self, X):
            return super().predict_proba(X).astype(np.float32) + np.float32(1e-6)

    report, expected = report_on(Single()), report_on(LDA)
    for name in (RPS, CONCORDANCE, "log_loss"):
        np.testing.assert_allclose(report.scores[name], expected.scores[name], atol=1e-4)
    assert RPS in str(report)


def test_rows_that_are_not_probabilities_are_a_failure_with_the_reason():
    class Odd(DecisionTreeClassifier):
        def predict_proba(self, X):
            return super().predict_proba(X) / 2

        def predict(self, X):
            return self.classes_[super().predict_proba(X).argmax(axis=1)]

    with pytest.warns(FitFailedWarning, match="predict_proba of Odd must have rows that add up"):
        report = report_on(Odd(max_depth=3, random_state=0), [RPS, "cem_ord"])
    assert report.failures[0].error.startswith(f"{RPS}: ValueError: the output of pred")
    assert np.isnan(report.scores[RPS]).all()


# --- comparisons -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def comparison():
    return compare({"lda": LDA, "tree": TREE}, [f"neg_{RPS}", "cem_ord", CONCORDANCE])


def test_the_class_shares_are_a_baseline_of_criteria_of_probabilities(comparison):
    prior = comparison.scores[RPS]["class prior"]
    for k, (train, test) in enumerate(FOLDS):
        shares = np.bincount(Y[train], minlength=5) / len(train)
        expected = losses(Y[test], np.tile(shares, (len(test), 1))).mean()
        assert prior[k] == pytest.approx(expected)
    assert comparison.best_baseline[RPS] == "class prior"
    assert "best constant" not in comparison.baselines
    of_labels = compare({"tree": TREE}, ["cem_ord", CONCORDANCE])
    assert "class prior" not in of_labels.baselines
    assert "best constant" in of_labels.baselines
    second = compare({"tree": TREE}, ["cem_ord", "roc_auc_ovr"])
    assert {"class prior", "best constant"} <= set(second.baselines)


def test_verdicts_differences_and_ranks_follow_the_direction_of_the_criterion(comparison):
    row = table(comparison, RPS)["lda"]
    values = comparison.scores[RPS]
    expected = (values["lda"] - values["class prior"]).mean()
    assert row.difference.estimate == pytest.approx(expected)
    assert expected < 0
    assert row.difference.favours == "first"
    assert row.rank == 1
    verdict = comparison.verdicts[RPS]
    assert verdict.startswith(f"By {RPS}, lda has the best mean of 2 models, ")
    assert ". It beats class prior, the best baseline: lower by" in verdict
    assert comparison.winners[RPS] == ("lda",)
    for metric in (RPS, CONCORDANCE):
        (pair,) = comparison.pairwise(metric).rows.values()
        expected = comparison.scores[metric]["lda"] - comparison.scores[metric]["tree"]
        assert pair.estimate == pytest.approx(expected.mean())


@pytest.mark.parametrize(
    "name", [m.name for m in METRICS.values() if m.evidence.name == "probabilities"]
)
def test_an_estimator_without_probabilities_ranks_last_by_their_criteria_only(name):
    with pytest.warns(FitFailedWarning, match="3 evaluations of criteria failed"):
        report = compare({"tree": TREE, "svm": SVC()}, ["cem_ord", name])
    assert np.isnan(report.scores[name]["svm"]).all()
    assert report.ranks[name]["svm"] == len(report.reports)
    assert report.ranks["cem_ord"]["svm"] <= 2


# --- views -----------------------------------------------------------------------------


def test_kept_predictions_give_the_pooled_values_again():
    report = report_on(LDA)
    predictions = report.predictions
    proba = predictions[[f"proba_{k}" for k in range(5)]].to_numpy()
    forecasts = OrdinalForecasts.from_probabilities(predictions["y_true"], proba)
    assert get_metric(RPS)(forecasts) == pytest.approx(report.pooled_scores[RPS])
    scored = report_on(Latent(), [CONCORDANCE]).predictions
    scores = OrdinalScores.from_scores(scored["y_true"], scored["y_score"])
    assert get_metric(CONCORDANCE)(scores) == pytest.approx(
        report_on(Latent(), [CONCORDANCE]).pooled_scores[CONCORDANCE]
    )


def test_reports_of_folds_and_of_all_together_have_the_probabilities():
    folds = [*StratifiedKFold(5, shuffle=True, random_state=0).split(X, Y), *FOLDS]
    report, loop = report_on(LDA, [RPS, "cem_ord"], cv=folds), out_of_fold(LDA, folds)
    for fold, (test, proba) in zip(report.folds, loop, strict=True):
        np.testing.assert_allclose(fold.forecasts.y_proba, proba)
        assert fold.forecasts.y_true.tolist() == Y[test].tolist()
        assert fold.criteria[RPS] == pytest.approx(losses(Y[test], proba).mean())
    sizes = report.pooled.forecasts.class_counts
    np.testing.assert_allclose(sizes, np.bincount(Y))
    np.testing.assert_allclose(report.pooled.per_threshold["prevalence"][0], np.mean(Y > 0))
    parts = sum(
        sign * report.pooled.per_threshold[name].sum()
        for name, sign in [("miscalibration", 1), ("discrimination", -1), ("uncertainty", 1)]
    )
    assert parts == pytest.approx(report.pooled_scores[RPS])
    assert "Thresholds" in report.to_text(details=True)
    without = report_on(LDA, "cem_ord")
    assert without.pooled.forecasts is None
    assert "Thresholds" not in without.to_text(details=True)


@pytest.mark.parametrize("view", ["to_text", "to_markdown"])
def test_every_view_shows_criteria_of_all_kinds(view, comparison):
    report = report_on(LDA)
    for result in (report, comparison, report.pooled, report.folds[0]):
        text = getattr(result, view)().replace("\\", "")
        assert RPS in text
        assert CONCORDANCE in text
