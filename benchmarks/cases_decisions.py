"""Tuned cuts on a score."""

from __future__ import annotations

from typing import Any

import numpy as np
from _cases import CallTime, Case, at_most
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.metrics import roc_auc_score

from sklearn_ordinal.decisions import TunedOrdinalThresholdClassifierCV


class GivenScore(RegressorMixin, BaseEstimator):
    """Predict the only feature, so that only the search for the cuts takes time."""

    def fit(self, X: Any, y: Any) -> GivenScore:  # noqa: ARG002
        self.n_features_in_ = 1
        return self

    def predict(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        return X[:, 0]


TUNED = TunedOrdinalThresholdClassifierCV(GivenScore().fit(None, None), cv="prefit", refit=False)


def grades_and_scores(n_samples: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    rng = np.random.default_rng(0)
    scores = rng.normal(size=n_samples)
    grades = np.digitize(scores + rng.normal(size=n_samples), [-2, -0.7, 0.7, 2])
    return grades.astype(np.int64), scores


def areas(y: NDArray[np.int64], scores: NDArray[np.float64]) -> list[float]:
    """Area under the ROC curve of each of the four thresholds."""
    return [roc_auc_score(y > threshold, scores) for threshold in range(4)]


def exact_cuts(y: NDArray[np.int64], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Find the four best cuts by CEM_ORD, including the checks of the samples."""
    cuts: NDArray[np.float64] = TUNED.fit(scores[:, None], y).best_thresholds_
    return cuts


CASES: list[Case] = [
    CallTime(
        "exact cuts / 4 ROC areas",
        peer=areas,
        ours=exact_cuts,
        data=grades_and_scores,
        demands={100_000: at_most(2)},
        same_result=False,
    ),
]
