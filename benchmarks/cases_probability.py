"""Criteria of probabilities."""

from __future__ import annotations

import numpy as np
from _cases import (
    CallMegabytes,
    CallTime,
    Case,
    at_least,
    at_most,
    unless_installed,
    within_megabytes,
)
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from sklearn_ordinal.metrics import (
    RankedProbabilityDecomposition,
    ranked_probability_decomposition,
    ranked_probability_score,
)

N_CLASSES = 5
# Four times the probabilities.
MEGABYTES_PER_SAMPLE = 4 * 8 * N_CLASSES / 1e6


def forecasts(n_samples: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return classes, and probabilities that distinguish them to some degree."""
    rng = np.random.default_rng(0)
    y_true = rng.integers(N_CLASSES, size=n_samples)
    y_proba = rng.dirichlet(np.ones(N_CLASSES), n_samples)
    y_proba[np.arange(n_samples), y_true] += 0.5
    return y_true, y_proba / y_proba.sum(axis=1, keepdims=True)


def scoringrules_score(y_true: NDArray[np.int64], y_proba: NDArray[np.float64]) -> float:
    """Compute the mean score; scoringrules counts classes from 1 and checks nothing."""
    from scoringrules import rps_score

    return float(rps_score(y_true + 1, y_proba).mean())


def areas(y_true: NDArray[np.int64], y_proba: NDArray[np.float64]) -> list[float]:
    """Compute the area under the ROC curve of each of the four thresholds."""
    above = 1 - np.cumsum(y_proba, axis=1)
    return [roc_auc_score(y_true > k, above[:, k]) for k in range(N_CLASSES - 1)]


def decompose(
    y_true: NDArray[np.int64], y_proba: NDArray[np.float64]
) -> RankedProbabilityDecomposition:
    return ranked_probability_decomposition(y_true, y_proba)


CASES: list[Case] = [
    CallTime(
        "RPS / scoringrules",
        peer=scoringrules_score,
        ours=ranked_probability_score,
        data=forecasts,
        demands={1_000_000: at_least(4)},
        left_out=unless_installed("scoringrules"),
    ),
    CallTime(
        "decomposition / 4 ROC areas",
        peer=areas,
        ours=decompose,
        data=forecasts,
        demands={1_000_000: at_most(2)},
        same_result=False,
    ),
    *(
        CallMegabytes(
            f"memory of {name}",
            ours=function,
            data=forecasts,
            demands={1_000_000: within_megabytes(1e6 * MEGABYTES_PER_SAMPLE)},
        )
        for name, function in (("RPS", ranked_probability_score), ("decomposition", decompose))
    ),
]
