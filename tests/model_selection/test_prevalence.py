"""Cross-validation at other class sizes, checked against weighted samples."""

import numpy as np
import pytest
from sklearn.metrics import log_loss, make_scorer
from sklearn.model_selection import KFold, RepeatedStratifiedKFold, StratifiedKFold
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import (
    compare_estimators,
    cross_val_report,
)
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.groups import GroupReport
from sklearn_ordinal.metrics import cem_ord_score, concordance_score, ordinal_mean_absolute_error
from sklearn_ordinal.model_selection import OrdinalDummyClassifier
from sklearn_ordinal.reports import OrdinalReport
from tests.reports.comparisons import table

X, Y = (part[::4] for part in load_lev(return_X_y=True))
Y = np.minimum(Y, 3)
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)
SHARES = np.array([0.4, 0.3, 0.2, 0.1])
FOLDS = StratifiedKFold(3)


def weights(y_true):
    return SHARES[y_true] / np.bincount(y_true, minlength=4)[y_true]


def share_of_hits(y_true, y_pred, sample_weight=None):
    return np.average(y_true == y_pred, weights=sample_weight)


def hits(y_true, y_pred):
    return np.mean(y_true == y_pred)


def hits_of_estimator_score(estimator, X, y):
    return hits(y, estimator.predict(X))


def report(estimator=TREE, cv=FOLDS, metrics="cem_ord", **options):
    options = {"prevalence": SHARES, "verbose": False, **options}
    return cross_val_report(estimator, X, Y, cv=cv, scoring=metrics, **options)


def test_criteria_of_folds_are_those_of_weighted_samples():
    metrics = ["cem_ord", make_scorer(share_of_hits), "log_loss", "concordance"]
    found = report(metrics=metrics, return_estimator=True)
    for k, (_, test) in enumerate(FOLDS.split(X, Y)):
        y_true, weight = Y[test], weights(Y[test])
        y_pred, y_proba = (
            getattr(found.estimators[k], name)(X[test]) for name in ("predict", "predict_proba")
        )
        expected = {
            "cem_ord": cem_ord_score(y_true, y_pred, sample_weight=weight),
            "share_of_hits": np.average(y_true == y_pred, weights=weight),
            "log_loss": log_loss(y_true, y_proba, sample_weight=weight),
            "concordance": concordance_score(y_true, y_proba, sample_weight=weight),
        }
        for name, value in expected.items():
            assert found.scores[name][k] == pytest.approx(value), name
            assert found.folds[k].criteria[name] == pytest.approx(value), name


@pytest.mark.parametrize(
    "cv", [FOLDS, RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)]
)
def test_criteria_of_all_folds_are_those_of_weighted_samples(cv):
    found = report(cv=cv, metrics=["cem_ord", make_scorer(share_of_hits), "log_loss"])
    rows = found.predictions
    y_true, y_pred = rows["y_true"].to_numpy(), rows["y_pred"].to_numpy()
    weight = weights(y_true)
    expected = {
        "cem_ord": cem_ord_score(y_true, y_pred, sample_weight=weight),
        "share_of_hits": np.average(y_true == y_pred, weights=weight),
        "log_loss": log_loss(
            y_true, rows[[f"proba_{k}" for k in range(4)]].to_numpy(), sample_weight=weight
        ),
    }
    for name, value in expected.items():
        assert found.pooled_scores[name] == pytest.approx(value)
        assert found.pooled.criteria[name] == pytest.approx(value)
    # The predictions and counts of the folds remain those of the samples.
    assert sum(confusion.counts for confusion in found.confusions).sum() == len(rows)


def test_scores_are_weighted():
    found = report(SVC(), metrics="concordance", return_estimator=True)
    assert found.fold_predictions[0].y_score is not None
    for k, (_, test) in enumerate(FOLDS.split(X, Y)):
        expected = concordance_score(
            Y[test], found.fold_predictions[k].y_score, sample_weight=weights(Y[test])
        )
        assert found.scores["concordance"][k] == pytest.approx(expected)


def test_estimators_are_compared_at_the_same_class_sizes():
    comparison = compare_estimators(
        {"tree": TREE}, X, Y, cv=FOLDS, prevalence=SHARES, random_state=0, verbose=False
    )
    expected = report()
    np.testing.assert_allclose(comparison.scores["cem_ord"]["tree"], expected.scores["cem_ord"])
    text = " ".join(str(comparison).split())
    assert "shares of the true classes: 0: 0.4, 1: 0.3, 2: 0.2, 3: 0.1." in text
    assert "shares of the true classes: 0: 0.4" in " ".join(str(expected).split())
    for view in (expected._repr_html_(), expected.to_markdown(), expected.to_latex()):
        assert "shares of the true classes: 0: 0.4, 1: 0.3" in view
    means = {name: row.score.estimate for name, row in table(comparison, "cem_ord").items()}
    constants = {
        constant: report(OrdinalDummyClassifier("constant", constant=constant))
        .intervals["cem_ord"]
        .estimate
        for constant in range(4)
    }
    assert means["best constant"] == pytest.approx(max(constants.values()))
    assert means["best constant"] > means["majority class"]


def test_the_best_constant_is_that_at_other_class_sizes():
    y = [0] * 8 + [1] * 3 + [2]
    metric = ordinal_mean_absolute_error

    def constant(prevalence):
        model = OrdinalDummyClassifier("best_constant", metric=metric, prevalence=prevalence)
        return model.fit([[0]] * 12, y).constant_

    assert [constant(None), constant([0, 0.4, 0.6]), constant([0.2, 0.6, 0.2])] == [0, 2, 1]
    with pytest.raises(ValueError, match="prevalence must add up to 1"):
        constant([1, 1, 1])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prevalence": [0.5, 0.5]}, "prevalence must have shape"),
        ({"prevalence": [1, 1, 1, 1]}, "prevalence must add up to 1"),
        ({"metrics": make_scorer(hits)}, "with hits, which takes no sample_weight"),
        ({"metrics": hits_of_estimator_score}, "with hits_of_estimator, whose scorer"),
        ({"cv": KFold(100)}, "prevalence must be 0 for a class without test samples, .* fold 1"),
    ],
)
def test_class_sizes_are_checked_before_the_first_fit(options, message):
    with pytest.raises(ValueError, match=message):
        report(OrdinalDummyClassifier("constant", constant="never fitted"), **options)


def test_a_class_without_a_share_may_be_missing_in_a_fold():
    shares = [0.5, 0.3, 0.2, 0]
    at_zero = report(cv=[(np.arange(250), np.flatnonzero(Y < 3))], prevalence=shares)
    assert np.isfinite(at_zero.scores["cem_ord"]).all()


def test_groups_of_folds_have_the_class_sizes_of_the_report():
    by = np.where(X[:, 0] > 1, "clear", "unclear")
    options = {"by": by, "n_permutations": 9, "random_state": 0}
    found = GroupReport.from_cross_val(report(), **options)
    own = GroupReport.from_cross_val(report(prevalence=None), prevalence=SHARES, **options)
    assert found == own
    assert found.overall["cem_ord"].estimate == pytest.approx(report().pooled_scores["cem_ord"])


def test_scorers_of_probabilities_are_evaluated_at_the_class_sizes_of_a_report():
    def own_log_loss(y_true, y_proba, sample_weight=None):
        return log_loss(y_true, y_proba, sample_weight=sample_weight)

    scorer = make_scorer(own_log_loss, response_method="predict_proba", greater_is_better=False)
    y_proba = TREE.fit(X, Y).predict_proba(X)
    found = OrdinalReport.from_predictions(
        Y, y_proba.argmax(axis=1), y_proba=y_proba, metrics=scorer, prevalence=SHARES
    )
    expected = log_loss(Y, y_proba, sample_weight=weights(Y))
    assert found.criteria["own_log_loss"] == pytest.approx(expected)


def test_scores_of_an_estimator_are_evaluated_at_the_class_sizes_of_a_report():
    model = SVC(decision_function_shape="ovo").fit(X, Y)
    options = {"metrics": "concordance", "prevalence": SHARES}
    found = OrdinalReport.from_estimator(model, X, Y, **options)
    expected = concordance_score(Y, model.predict(X), sample_weight=weights(Y))
    assert found.criteria["concordance"] == pytest.approx(expected)
    options["metrics"] = hits_of_estimator_score
    with pytest.raises(ValueError, match="prevalence cannot be used with hits_of_estimator"):
        OrdinalReport.from_estimator(model, X, Y, **options)
