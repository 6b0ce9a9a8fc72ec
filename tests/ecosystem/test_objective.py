"""Gradient boosting with the smooth decision score of CEM_ORD as objective.

Each test is skipped where its package is missing: ``pip install ".[test-all]"``.
"""

import numpy as np
import pytest
from scipy.special import softmax
from sklearn.base import clone

from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.decisions import OptimalDecisionClassifier, cem_objective
from sklearn_ordinal.metrics import cem_ord_score, closeness_costs

N_TRAIN = 600


@pytest.fixture(scope="module")
def data():
    X, y = load_lev(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    return X[order].astype(np.float32), y[order]


def lightgbm(data, sample_weight=None, **options):
    """Return a fitted model and its probabilities, both started from the class shares."""
    package = pytest.importorskip("lightgbm")
    X, y = data[0][:N_TRAIN], data[1][:N_TRAIN]
    prior = np.log(np.bincount(y, sample_weight) / np.bincount(y, sample_weight).sum())
    model = package.LGBMClassifier(
        n_estimators=60, learning_rate=0.1, num_leaves=6, n_jobs=1, verbose=-1, **options
    )
    model.fit(X, y, sample_weight, init_score=np.tile(prior, (len(y), 1)))
    return model, lambda X: softmax(model.predict(X, raw_score=True) + prior, axis=1)


def xgboost(data, sample_weight=None, **options):
    package = pytest.importorskip("xgboost")
    model = package.XGBClassifier(
        n_estimators=60, learning_rate=0.1, max_depth=3, min_child_weight=0.01, n_jobs=1, **options
    )
    model.fit(data[0][:N_TRAIN], data[1][:N_TRAIN], sample_weight=sample_weight)
    return model, model.predict_proba


@pytest.fixture(params=[lightgbm, xgboost], ids=lambda train: train.__name__)
def train(request):
    return request.param


def test_it_trains_probabilities_whose_decisions_beat_the_best_constant(train, data):
    X, y = data
    counts = np.bincount(y[:N_TRAIN])
    model, predict_proba = train(data, objective=cem_objective(counts))
    proba = predict_proba(X[N_TRAIN:])
    assert proba.shape == (len(y) - N_TRAIN, 5)
    np.testing.assert_allclose(proba.sum(axis=1), 1, atol=1e-5)
    decisions = (proba @ closeness_costs(counts)).argmin(axis=1)
    constants = [cem_ord_score(y[N_TRAIN:], np.full(len(proba), k)) for k in range(5)]
    assert cem_ord_score(y[N_TRAIN:], decisions) > max(constants) + 0.1
    assert clone(model).get_params()["objective"] is not None


def test_weights_count_as_repetitions(data):
    package = pytest.importorskip("xgboost")
    X, y = data
    weight = 1 + np.arange(N_TRAIN) % 3
    counts = np.bincount(y[:N_TRAIN], weight)
    repeated = np.repeat(np.arange(N_TRAIN), weight)
    _, of_weights = xgboost(data, weight, objective=cem_objective(counts), base_score=0.5)
    model = package.XGBClassifier(
        n_estimators=60,
        learning_rate=0.1,
        max_depth=3,
        min_child_weight=0.01,
        n_jobs=1,
        base_score=0.5,
        objective=cem_objective(counts),
    ).fit(X[repeated], y[repeated])
    np.testing.assert_allclose(of_weights(X), model.predict_proba(X), atol=1e-2)


def test_raw_scores_of_lightgbm_are_not_taken_for_probabilities(data):
    model, _ = lightgbm(data, objective=cem_objective(np.bincount(data[1][:N_TRAIN])))
    classifier = OptimalDecisionClassifier(clone(model))
    classifier.fit(*data)
    with (
        pytest.warns(UserWarning, match="Returning raw scores"),
        pytest.raises(ValueError, match="predict_proba of LGBMClassifier must return probabil"),
    ):
        classifier.predict(data[0])


def test_probabilities_of_xgboost_are_decided_on(data):
    model, _ = xgboost(data, objective=cem_objective(np.bincount(data[1])))
    classifier = OptimalDecisionClassifier(clone(model)).fit(*data)
    costs = classifier.predict_proba(data[0]) @ closeness_costs(np.bincount(data[1]))
    np.testing.assert_array_equal(classifier.predict(data[0]), costs.argmin(axis=1))


def halves(data):
    X, y = data
    return X[:N_TRAIN], X[N_TRAIN:], y[:N_TRAIN], y[N_TRAIN:]


# docs/guide/training.rst shows the lines between the marks.
def test_the_classifier_for_lightgbm(data, capsys):
    pytest.importorskip("lightgbm")
    X_train, X_test, y_train, y_test = halves(data)
    # [boosting]
    from lightgbm import LGBMClassifier
    from sklearn.model_selection import GridSearchCV

    from sklearn_ordinal.decisions import CemBoostingClassifier

    boosting = CemBoostingClassifier(LGBMClassifier(n_estimators=50, verbose=-1))
    grid = {"estimator__num_leaves": [4, 8], "temperature": [0.3, 1.0]}
    search = GridSearchCV(boosting, grid, scoring="cem_ord").fit(X_train, y_train)
    # [end]
    assert cem_ord_score(y_test, search.predict(X_test)) > 0.65
    assert capsys.readouterr() == ("", "")


def test_the_recipe_for_lightgbm(data):
    pytest.importorskip("lightgbm")
    X_train, X_test, y_train, y_test = halves(data)
    # [lightgbm]
    from lightgbm import LGBMClassifier

    counts = np.bincount(y_train)
    prior = np.log(counts / counts.sum())
    model = LGBMClassifier(objective=cem_objective(counts), learning_rate=0.05, num_leaves=7)
    model.fit(X_train, y_train, init_score=np.tile(prior, (len(y_train), 1)))
    y_proba = softmax(model.predict(X_test, raw_score=True) + prior, axis=1)
    y_pred = (y_proba @ closeness_costs(counts)).argmin(axis=1)
    # [end]
    assert cem_ord_score(y_test, y_pred) > 0.7


def test_the_recipe_for_xgboost(data):
    pytest.importorskip("xgboost")
    X_train, X_test, y_train, y_test = halves(data)
    # [xgboost]
    from xgboost import XGBClassifier

    objective = cem_objective(np.bincount(y_train))
    model = XGBClassifier(
        objective=objective, min_child_weight=0.01, learning_rate=0.05, max_depth=3
    )
    y_pred = OptimalDecisionClassifier(model).fit(X_train, y_train).predict(X_test)
    # [end]
    assert cem_ord_score(y_test, y_pred) > 0.7
