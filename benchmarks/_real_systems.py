"""Predictions of classifiers on six real data sets, for the evidence on real data."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, is_regressor
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
)
from sklearn.exceptions import ConvergenceWarning
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from sklearn_ordinal.decisions import (
    OptimalDecisionClassifier,
    TunedOrdinalThresholdClassifierCV,
)
from sklearn_ordinal.model_selection import OrdinalDummyClassifier

OPTIMAL = ", CEM-optimal"
TUNED = ", tuned cuts"

DATA_SETS = ("LEV", "SWD", "PID", "ESL", "ERA", "marriage")

Classes = NDArray[np.int64]
Predictions = NDArray[np.int8]

_BOOSTING: Mapping[str, Any] = {
    "max_iter": 100,
    "learning_rate": 0.05,
    "max_leaf_nodes": 8,
    "early_stopping": False,
    "random_state": 0,
}


class OrderedProbit(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Ordered probit regression of statsmodels."""

    def fit(self, X: Any, y: Classes) -> Self:
        from statsmodels.miscmodels.ordinal_model import OrderedModel

        self.classes_, positions = np.unique(y, return_inverse=True)
        self.result_ = OrderedModel(positions, X, distr="probit").fit(
            method="bfgs", maxiter=200, disp=False
        )
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        return np.asarray(self.result_.model.predict(self.result_.params, X))

    def predict(self, X: Any) -> Classes:
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def models() -> dict[str, tuple[str, Any]]:
    """Return the library and the estimator of each model."""
    from skordinal.classifiers import POM, REDSVM, ORBoost, OrdinalDecomposition

    found = {
        "logistic regression": ("scikit-learn", LogisticRegression(max_iter=1_000, tol=1e-8)),
        "random forest": (
            "scikit-learn",
            RandomForestClassifier(100, min_samples_leaf=5, random_state=0),
        ),
        "gradient boosting": ("scikit-learn", HistGradientBoostingClassifier(**_BOOSTING)),
        "nearest neighbours": ("scikit-learn", KNeighborsClassifier(15)),
        "naive Bayes": ("scikit-learn", GaussianNB()),
        "binary decomposition": ("skordinal", OrdinalDecomposition()),
        "proportional odds": ("skordinal", POM()),
        "ordered probit": ("statsmodels", OrderedProbit()),
        "ordinal SVM": ("skordinal", REDSVM()),
        "ordinal boosting": ("skordinal", ORBoost()),
        "ridge": ("scikit-learn", Ridge()),
        "boosted regression": ("scikit-learn", HistGradientBoostingRegressor(**_BOOSTING)),
        "majority": ("scikit-learn", DummyClassifier()),
        "median": ("sklearn_ordinal", OrdinalDummyClassifier("median")),
        "random by share": ("scikit-learn", DummyClassifier(strategy="stratified", random_state=0)),
    }
    if find_spec("mord"):
        from mord import LogisticAT

        found["all-threshold"] = ("mord", LogisticAT())
    return found


BASELINES = ("majority", "median", "random by share")


def systems_of(model: str) -> list[str]:
    """Return the names of the systems that a model makes."""
    estimator = models()[model][1]
    if is_regressor(estimator):
        return [model, model + TUNED]
    if hasattr(estimator, "predict_proba") and model not in BASELINES:
        return [model, model + OPTIMAL]
    return [model]


def load_data() -> dict[str, tuple[NDArray[np.float64], Classes]]:
    """Return the features and the classes, from 0 on, of six data sets."""
    from skordinal.datasets import load_era, load_esl, load_lev, load_swd
    from statsmodels.datasets import anes96, fair

    # Another column has the logarithm of popul.
    election = anes96.load_pandas().data.drop(columns="popul")
    survey = fair.load_pandas().data
    data = {
        "LEV": load_lev(return_X_y=True),
        "SWD": load_swd(return_X_y=True),
        "PID": (election.drop(columns="PID"), election["PID"]),
        "ESL": load_esl(return_X_y=True),
        "ERA": load_era(return_X_y=True),
        "marriage": (survey.drop(columns="rate_marriage"), survey["rate_marriage"]),
    }
    return {
        name: (np.asarray(X, dtype=np.float64), np.unique(y, return_inverse=True)[1])
        for name, (X, y) in data.items()
    }


@cache
def data_set(name: str) -> tuple[NDArray[np.float64], Classes]:
    """Return the features and the classes of a data set."""
    return load_data()[name]


def predictions_of_repetition(
    name: str, names_of_models: Sequence[str], seed: int, n_samples: int | None = None
) -> tuple[Predictions, Predictions]:
    """Fit on each half of the samples of a data set and predict the other.

    Returns the half of each sample, (n_samples,), and the predicted positions,
    (n_systems, n_samples).
    """
    X, y = (values[:n_samples] for values in data_set(name))
    half = np.zeros(len(y), dtype=np.int8)
    n_systems = sum(len(systems_of(model)) for model in names_of_models)
    predictions = np.zeros((n_systems, len(y)), dtype=np.int8)
    with threadpool_limits(1), _ignoring_warnings():
        splits = StratifiedKFold(2, shuffle=True, random_state=seed).split(X, y)
        for number, (train, test) in enumerate(splits):
            half[test] = number
            scaler = StandardScaler().fit(X[train])
            scaled, scaled_test = scaler.transform(X[train]), scaler.transform(X[test])
            predictions[:, test] = [
                row
                for model in names_of_models
                for row in _predict(model, scaled, y[train], scaled_test, y.max() + 1)
            ]
    return half, predictions


def _predict(model: str, X: Any, y: Classes, X_test: Any, n_classes: int) -> list[Classes]:
    """Return the predictions of each system that a model makes."""
    labels = range(n_classes)
    estimator = models()[model][1].fit(X, y)
    predicted = np.asarray(estimator.predict(X_test))
    if is_regressor(estimator):
        rounded = np.rint(predicted).clip(0, n_classes - 1)
        tuned = TunedOrdinalThresholdClassifierCV(estimator, labels=labels).fit(X, y)
        return [rounded.astype(np.int64), tuned.predict(X_test)]
    if len(systems_of(model)) == 1:
        return [predicted]
    optimal = OptimalDecisionClassifier(FrozenEstimator(estimator), labels=labels).fit(X, y)
    return [predicted, optimal.predict(X_test)]


@contextmanager
def _ignoring_warnings() -> Iterator[None]:
    """Ignore classes with fewer samples than folds, and options that mord passes to scipy."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class in y", UserWarning)
        warnings.filterwarnings("ignore", ".*`disp` and `iprint`", DeprecationWarning)
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield
