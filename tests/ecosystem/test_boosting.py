"""The classifier that boosts trees of LightGBM for CEM_ORD.

Each test is skipped without LightGBM: ``pip install ".[test-all]"``.
"""

import pickle
import sys

import numpy as np
import pandas as pd
import pytest
from scipy.special import softmax
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score

from sklearn_ordinal import compare_estimators, make_ordinal_scorer
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.decisions import CemBoostingClassifier, cem_objective
from sklearn_ordinal.metrics import cem_ord_score, closeness_costs
from tests.estimator_checks import each_check

lightgbm = pytest.importorskip("lightgbm")

X, Y = load_lev(return_X_y=True)
NAMES = ["awful", "poor", "fair", "good", "excellent"]
WORDS = np.array(NAMES)[Y]


def trees(**options):
    options = {"n_estimators": 15, "num_leaves": 5, "n_jobs": 1, "verbose": -1, **options}
    return lightgbm.LGBMClassifier(**options)


@pytest.fixture(scope="module")
def fitted():
    return CemBoostingClassifier(trees()).fit(X, Y)


def test_it_is_the_recipe_of_the_guide(fitted):
    counts = np.bincount(Y)
    prior = np.log(counts / counts.sum())
    model = trees(objective=cem_objective(counts))
    model.fit(X, Y, init_score=np.tile(prior, (len(Y), 1)))
    proba = softmax(model.predict(X, raw_score=True) + prior, axis=1)
    np.testing.assert_array_equal(fitted.predict_proba(X), proba)
    decided = (proba @ closeness_costs(counts)).argmin(axis=1)
    np.testing.assert_array_equal(fitted.predict(X), decided)


def test_it_beats_the_best_constant_in_cross_validation():
    scores = cross_val_score(CemBoostingClassifier(trees()), X, Y, scoring="cem_ord", cv=3)
    constants = [cem_ord_score(Y, np.full(len(Y), k)) for k in range(5)]
    assert scores.min() > max(constants) + 0.1


def test_searches_reach_the_trees_and_the_temperature():
    grid = {"estimator__num_leaves": [3, 7], "temperature": [0.5, 1.0]}
    search = GridSearchCV(CemBoostingClassifier(trees()), grid, scoring="cem_ord", cv=2)
    search.fit(X, Y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert set(search.best_params_) == set(grid)


def test_it_is_compared_with_others_by_decisions_and_probabilities():
    comparison = compare_estimators(
        {"boosting": CemBoostingClassifier(trees()), "logistic": LogisticRegression(max_iter=200)},
        X,
        Y,
        scoring=["cem_ord", "neg_ranked_probability_score"],
        cv=2,
    )
    assert comparison.failures == ()
    assert set(comparison.reports) >= {"boosting", "logistic"}


def test_names_in_their_order_give_the_decisions_of_integers(fitted):
    named = CemBoostingClassifier(trees(), labels=NAMES).fit(X, WORDS)
    assert named.classes_.tolist() == sorted(NAMES)
    assert named.labels_.tolist() == NAMES
    np.testing.assert_array_equal(named.predict(X), np.array(NAMES)[fitted.predict(X)])
    order = np.argsort(NAMES)
    np.testing.assert_array_equal(named.predict_proba(X), fitted.predict_proba(X)[:, order])
    scorer = make_ordinal_scorer("cem_ord", labels=NAMES)
    assert scorer(named, X, WORDS) == cem_ord_score(Y, fitted.predict(X))


@pytest.mark.parametrize("kept", [(1, 2, 4), (0, 3)], ids=["three", "two"])
def test_classes_that_do_not_occur_are_left_out(kept):
    rows = np.isin(Y, kept)
    part = CemBoostingClassifier(trees(), labels=range(5)).fit(X[rows], Y[rows])
    assert part.classes_.tolist() == list(kept)
    proba = part.predict_proba(X)
    assert proba.shape == (len(X), len(kept))
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    # Samples without weight are as good as absent.
    weighted = CemBoostingClassifier(trees(), labels=range(5)).fit(X, Y, sample_weight=rows * 1.0)
    np.testing.assert_array_equal(weighted.predict_proba(X), proba)


def test_two_classes_are_learnt():
    y = (Y > 2).astype(int)
    classifier = CemBoostingClassifier(trees()).fit(X, y)
    assert cem_ord_score(y, classifier.predict(X)) > cem_ord_score(y, np.zeros(len(y), int)) + 0.1
    # It starts from the shares of the classes.
    start = CemBoostingClassifier(trees(n_estimators=1, learning_rate=1e-9)).fit(X, y)
    np.testing.assert_allclose(start.predict_proba(X)[:, 1], y.mean(), atol=1e-6)


def test_frames_keep_the_names_of_features_and_models_can_be_cloned_and_pickled(fitted):
    frame = pd.DataFrame(X, columns=list("abcd"))
    model = clone(CemBoostingClassifier(trees())).fit(frame, Y)
    assert model.feature_names_in_.tolist() == list("abcd")
    copied = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copied.predict_proba(frame), fitted.predict_proba(X))


@pytest.mark.parametrize(
    ("classifier", "y", "problem"),
    [
        (CemBoostingClassifier(LogisticRegression()), Y, "estimator must be a lightgbm.LGBMClass"),
        (CemBoostingClassifier(trees()), WORDS, "labels"),
        (CemBoostingClassifier(trees()), np.zeros(len(Y), int), "y must have at least two classes"),
        (CemBoostingClassifier(trees(), temperature=0), Y, "temperature must be a positive number"),
        (CemBoostingClassifier(trees()), Y[:-1], "X and y"),
    ],
)
def test_what_cannot_be_fitted_is_named(classifier, y, problem):
    with pytest.raises(ValueError, match=problem):
        classifier.fit(X, y)


def test_without_lightgbm_the_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    with pytest.raises(ImportError, match="needs LightGBM: pip install lightgbm"):
        CemBoostingClassifier().fit(X, Y)


FORMATS = "LightGBM does not predict for every format of sparse data"
EXPECTED_FAILURES = {
    "check_classifiers_classes": "the order of strings is not known",
    "check_classifiers_train": "predict is not the argmax of predict_proba",
    "check_estimator_sparse_array": FORMATS,
    "check_estimator_sparse_matrix": FORMATS,
    "check_sample_weight_equivalence_on_dense_data": "the bins of LightGBM ignore weights",
    "check_sample_weight_equivalence_on_sparse_data": "the bins of LightGBM ignore weights",
}


@each_check(
    {"boosting": CemBoostingClassifier(trees(min_child_samples=1))},
    {"boosting": EXPECTED_FAILURES},
)
def test_it_passes_the_checks_of_scikit_learn(estimator, check):
    check(estimator)
