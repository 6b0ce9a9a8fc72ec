"""The classifier that boosts trees of LightGBM for CEM_ORD, with a stand-in for LightGBM.

The stand-in takes Newton steps for each value of the only feature, with LightGBM's interface for an
objective. ``tests/ecosystem/test_boosting.py`` has the tests with LightGBM itself.
"""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.linear_model import LogisticRegression

from sklearn_ordinal.decisions import CemBoostingClassifier
from sklearn_ordinal.metrics import cem_ord_score

NAMES = ["poor", "fair", "good"]
Y = np.array([0] * 6 + [1] * 3 + [2] * 5)
X = Y[:, None]


class Steps(ClassifierMixin, BaseEstimator):
    """Newton steps of the objective, one table of raw scores by value of the feature."""

    def __init__(self, objective=None, n_steps=4):
        self.objective, self.n_steps = objective, n_steps

    def fit(self, X, y, sample_weight=None, init_score=None):
        values, self.n_features_in_ = np.asarray(X)[:, 0], 1
        members = np.eye(5)[:, values]
        self.table_ = np.zeros((5, *init_score.shape[1:]))
        for _ in range(self.n_steps):
            raw = init_score + self.table_[values]
            gradient, hessian = self.objective(y, raw, sample_weight)
            self.table_ -= members @ gradient / (members @ hessian + 1e-9)
        return self

    def predict(self, X, raw_score=False):
        assert raw_score
        return self.table_[np.asarray(X)[:, 0]]


@pytest.fixture(autouse=True)
def stand_in(monkeypatch):
    monkeypatch.setitem(sys.modules, "lightgbm", SimpleNamespace(LGBMClassifier=Steps))


@pytest.mark.parametrize("labels", [None, range(5)])
def test_steps_lead_to_the_true_classes(labels):
    model = CemBoostingClassifier(labels=labels).fit(X, Y)
    np.testing.assert_array_equal(model.predict(X), Y)
    proba = model.predict_proba(X)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    assert (proba[np.arange(len(Y)), Y] > 0.5).all()
    assert model.class_counts_.tolist() == [6, 3, 5] + [0] * (len(model.labels_) - 3)


def test_without_a_step_the_best_constant_is_predicted_with_the_class_shares():
    model = CemBoostingClassifier(Steps(n_steps=0)).fit(X, Y)
    np.testing.assert_allclose(model.predict_proba(X), np.tile([6 / 14, 3 / 14, 5 / 14], (14, 1)))
    scores = [cem_ord_score(Y, np.full(len(Y), k), labels=range(3)) for k in range(3)]
    np.testing.assert_array_equal(model.predict(X), np.full(len(Y), np.argmax(scores)))


def test_columns_of_named_classes_are_in_the_order_of_classes():
    by_name = CemBoostingClassifier(labels=NAMES).fit(X, np.array(NAMES)[Y])
    by_number = CemBoostingClassifier().fit(X, Y)
    assert by_name.classes_.tolist() == sorted(NAMES)
    np.testing.assert_array_equal(by_name.predict(X), np.array(NAMES)[by_number.predict(X)])
    in_order = [by_name.classes_.tolist().index(name) for name in NAMES]
    np.testing.assert_array_equal(by_name.predict_proba(X)[:, in_order], by_number.predict_proba(X))


def test_two_classes_have_a_single_raw_score():
    model = CemBoostingClassifier().fit(X[:9], Y[:9])
    assert model.estimator_.table_.ndim == 1
    np.testing.assert_array_equal(model.predict(X[:9]), Y[:9])
    shares = CemBoostingClassifier(Steps(n_steps=0)).fit(X[:9], Y[:9]).predict_proba(X[:1])
    np.testing.assert_allclose(shares, [[6 / 9, 3 / 9]])


def test_samples_of_weight_zero_are_left_out():
    weight = np.where(Y == 1, 0.0, 2.0)
    weighted = CemBoostingClassifier().fit(X, Y, sample_weight=weight)
    kept = weight > 0
    left_out = CemBoostingClassifier(labels=range(3)).fit(
        X[kept], Y[kept], sample_weight=weight[kept]
    )
    assert weighted.classes_.tolist() == [0, 2]
    np.testing.assert_array_equal(weighted.predict_proba(X), left_out.predict_proba(X))


def test_the_estimator_that_is_passed_stays_unfitted():
    steps = Steps()
    model = clone(CemBoostingClassifier(steps)).fit(X, Y)
    assert model.estimator_ is not steps
    assert not hasattr(steps, "table_")
    assert steps.objective is None


@pytest.mark.parametrize(
    ("y", "options", "message"),
    [
        ([1] * 14, {}, "y must have at least two classes, got one class, 1."),
        (Y, {"estimator": LogisticRegression()}, "estimator must be a lightgbm.LGBMClassifier or"),
        (Y[:5], {}, "X and y must have the same length, got 14 and 5"),
    ],
)
def test_bad_input_is_refused(y, options, message):
    with pytest.raises(ValueError, match=message):
        CemBoostingClassifier(**options).fit(X, y)


def test_without_lightgbm_the_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    with pytest.raises(ImportError, match="needs LightGBM: pip install lightgbm"):
        CemBoostingClassifier().fit(X, Y)
