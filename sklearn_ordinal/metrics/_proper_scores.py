"""The logarithmic loss and the Brier score of scikit-learn, computed from forecasts."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import brier_score_loss, log_loss

from sklearn_ordinal._core import arithmetic, catalogue, evidence_kinds
from sklearn_ordinal._core.arithmetic import Values
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.forecasting import OrdinalForecasts
from sklearn_ordinal.metrics import _gradients


def _log_loss(forecasts: OrdinalForecasts) -> Values:
    return forecasts.mean(forecasts.shared(_logarithms))


def _log_loss_gradient(forecasts: OrdinalForecasts) -> Values:
    return _gradients.mean_loss_gradient(forecasts, forecasts.shared(_logarithms))


def _logarithms(forecasts: OrdinalForecasts) -> NDArray[np.float64]:
    of_true = forecasts.y_proba[np.arange(forecasts.n_samples), forecasts.y_true]
    # As in scikit-learn, a true class with probability 0 costs 36 instead of infinity. In
    # scikit-learn it costs 16 if the array is float32, but then the loss would change once the
    # probabilities are saved as text.
    smallest = np.finfo(np.float64).eps
    return -np.log(np.clip(of_true, smallest, 1 - smallest))


def _brier_score(forecasts: OrdinalForecasts) -> Values:
    score = arithmetic.clip_rounding(forecasts.mean(forecasts.shared(_squared_errors)), 0, 2)
    # As in scikit-learn: with two classes, both have the same error, which counts once.
    return score / 2 if forecasts.n_classes == 2 else score


def _brier_score_gradient(forecasts: OrdinalForecasts) -> Values:
    gradient = _gradients.mean_loss_gradient(forecasts, forecasts.shared(_squared_errors))
    return gradient / 2 if forecasts.n_classes == 2 else gradient


def _squared_errors(forecasts: OrdinalForecasts) -> NDArray[np.float64]:
    rows, y_proba = np.arange(forecasts.n_samples), forecasts.y_proba
    squares = np.einsum("ij,ij->i", y_proba, y_proba)
    errors: NDArray[np.float64] = squares + 1 - 2 * y_proba[rows, forecasts.y_true]
    # Rounding errors may make the error of a perfect forecast negative.
    return np.maximum(errors, 0)


def _brier_score_bounds(n_classes: int) -> tuple[float, float]:
    return 0.0, 1.0 if n_classes == 2 else 2.0


catalogue.add_to_catalogue(
    OrdinalMetric(
        "log_loss",
        _log_loss,
        log_loss,
        greater_is_better=False,
        value_range=(0.0, math.inf),
        properties={"invariant", "monotonic", "strictly proper", "additive"},
        gradient=_log_loss_gradient,
        evidence=evidence_kinds.PROBABILITIES,
        an_error_costs="the logarithm of the probability of the true class",
        prefer="if a class with probability 0 must not occur; ignores the order",
    )
)
catalogue.add_to_catalogue(
    OrdinalMetric(
        "brier_score",
        _brier_score,
        brier_score_loss,
        greater_is_better=False,
        value_range=_brier_score_bounds,
        properties={"strictly proper", "additive"},
        gradient=_brier_score_gradient,
        evidence=evidence_kinds.PROBABILITIES,
        an_error_costs="the squared error of each probability",
        prefer="if all confusions of classes are equally bad; ignores the order",
    )
)
