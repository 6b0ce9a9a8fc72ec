"""Overhead of reports over fitting and predicting."""

from __future__ import annotations

from typing import Any

import numpy as np
from _cases import CallTime, Case, at_most
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold

from sklearn_ordinal import cross_val_report

FOREST = RandomForestClassifier(n_estimators=100, random_state=0)
FOLDS = StratifiedKFold(5)


def features_and_grades(n_samples: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_samples, 10))
    grades = np.digitize(X[:, 0] + X[:, 1] + rng.normal(size=n_samples), [-2, -0.7, 0.7, 2])
    return X, grades.astype(np.int64)


def fit_and_predict(X: NDArray[np.float64], y: NDArray[np.int64]) -> None:
    """Only fit and predict on each fold."""
    for train, test in FOLDS.split(X, y):
        clone(FOREST).fit(X[train], y[train]).predict(X[test])


def cross_validated(X: NDArray[np.float64], y: NDArray[np.int64]) -> Any:
    return cross_val_report(FOREST, X, y, cv=FOLDS, verbose=False)


CASES: list[Case] = [
    CallTime(
        "cross_val_report / fit+predict",
        peer=fit_and_predict,
        ours=cross_validated,
        data=features_and_grades,
        demands={2_000: at_most(1.05)},
        same_result=False,
    ),
]
