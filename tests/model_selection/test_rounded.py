"""Regressors in comparisons: their predictions are rounded."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.linear_model import Ridge
from sklearn.metrics import mean_absolute_error
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import compare_estimators, cross_val_report
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.metrics import concordance_score
from sklearn_ordinal.model_selection._wrapping import RoundedRegressor

X, Y = (part[::4] for part in load_lev(return_X_y=True))
GRADES = np.array(["very poor", "poor", "fair", "good", "very good"])
MAE, CONCORDANCE = "ordinal_mean_absolute_error", "concordance"


def compare(y=Y, **options):
    return compare_estimators(
        {"ridge": Ridge(), "tree": DecisionTreeClassifier(max_depth=2, random_state=0)},
        X,
        y,
        scoring=[MAE, CONCORDANCE],
        random_state=0,
        verbose=False,
        **options,
    )


def test_a_regressor_is_rounded_to_the_nearest_class():
    report = compare()
    expected = {MAE: [], CONCORDANCE: []}
    for train, test in StratifiedKFold(5).split(X, Y):
        predicted = Ridge().fit(X[train], Y[train]).predict(X[test])
        rounded = np.floor(predicted + 0.5).clip(0, 4)
        expected[MAE].append(mean_absolute_error(Y[test], rounded))
        expected[CONCORDANCE].append(concordance_score(Y[test], predicted))
    for name, values in expected.items():
        np.testing.assert_allclose(report.scores[name]["ridge"], values)
    text = " ".join(str(report).split())
    assert "ridge is a regressor: predictions are rounded to the nearest class." in text
    named = compare(GRADES[Y], labels=GRADES)
    for name in (MAE, CONCORDANCE):
        np.testing.assert_array_equal(named.scores[name]["ridge"], report.scores[name]["ridge"])


class Identity(RegressorMixin, BaseEstimator):
    """Predicts the first feature."""

    def fit(self, X, y):  # noqa: ARG002
        self.is_fitted_ = True
        return self

    def predict(self, X):
        return np.asarray(X)[:, 0]


def test_predictions_midway_or_beyond_the_ends_are_classes():
    model = RoundedRegressor(Identity(), labels=["low", "mid", "high"])
    model.fit([[0.0], [1.0], [2.0]], ["low", "mid", "high"])
    predicted = model.predict([[-9], [0.49], [0.5], [1.5], [9]])
    assert predicted.tolist() == ["low", "low", "mid", "high", "high"]


@pytest.mark.parametrize("is_routed", [False, True], ids=["plain", "routed"])
def test_weights_reach_the_regressor(is_routed):
    weight = np.linspace(0, 2, len(Y))
    with config_context(enable_metadata_routing=is_routed):
        ridge = Ridge().set_fit_request(sample_weight=True) if is_routed else Ridge()
        model = RoundedRegressor(ridge)
        if is_routed:
            model.set_fit_request(sample_weight=True)
        model.fit(X, Y, sample_weight=weight)
    expected = Ridge().fit(X, Y, sample_weight=weight)
    np.testing.assert_array_equal(model.estimator_.coef_, expected.coef_)


def test_elsewhere_a_regressor_is_refused_with_the_way_out():
    with pytest.raises(ValueError, match="a regressor within TunedOrdinalThresholdClassifierCV"):
        cross_val_report(Ridge(), X, Y, verbose=False)
    with pytest.raises(ValueError, match="must be a classifier with fit and predict"):
        compare_estimators({"ridge": Ridge}, X, Y)
    with pytest.raises(ValueError, match="must be a classifier with fit and predict"):
        compare_estimators({"ridge": 3}, X, Y)
