"""One score per sample from an estimator, higher for higher classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_regressor

from sklearn_ordinal._core import (
    OrdinalScale,
    as_numbers,
    expected_positions,
    in_scale_order,
)
from sklearn_ordinal.decisions._base import classes_of, fit_in_order, probabilities_of


def check_has_scores(estimator: Any) -> None:
    """Raise unless an estimator can be fitted and has a method that returns scores."""
    is_class = isinstance(estimator, type)
    if is_class or not hasattr(estimator, "fit") or not _gives_scores(estimator):
        finding = f"the class {estimator.__name__}" if is_class else f"a {type(estimator).__name__}"
        raise ValueError(
            f"estimator must be a classifier with predict_proba or decision_function, or a "
            f"regressor, got {finding}."
        )


def _gives_scores(estimator: Any) -> bool:
    has_method = hasattr(estimator, "predict_proba") or hasattr(estimator, "decision_function")
    return has_method or bool(is_regressor(estimator))


def fit_and_score(
    estimator: Any,
    X: Any,
    y: NDArray[Any],
    train: NDArray[np.intp] | None,
    test: NDArray[np.intp],
    fit_params: dict[str, Any],
    scale: OrdinalScale,
) -> tuple[Any, NDArray[np.float64]]:
    """Return the estimator fitted on the training samples, and the scores of the test samples."""
    # Imported here, so that the metrics stay importable if scikit-learn removes these functions.
    from sklearn.utils.metaestimators import _safe_split
    from sklearn.utils.validation import _check_method_params

    if train is None:
        return estimator, estimator_scores(estimator, X, scale)
    X_train, y_train = _safe_split(estimator, X, y, train)
    X_test, _ = _safe_split(estimator, X, y, test, train)
    train_params = _check_method_params(X, fit_params, train)
    fitted = fit_in_order(estimator, X_train, y_train, scale, train_params)
    return fitted, estimator_scores(fitted, X_test, scale)


def estimator_scores(estimator: Any, X: Any, scale: OrdinalScale) -> NDArray[np.float64]:
    """Return the score of each sample.

    It is the expected position on the scale if the estimator has `predict_proba`, rounded so
    that equal probabilities tie. Otherwise it is a one-dimensional `decision_function` or the
    prediction of a regressor.
    """
    # Imported here, so that the metrics stay importable if scikit-learn removes this function.
    from sklearn.utils.validation import _num_samples

    if hasattr(estimator, "predict_proba"):
        aligned = scale.align(probabilities_of(estimator, X), classes_of(estimator))
        scores = expected_positions(aligned.astype(np.float64, copy=False))
    elif hasattr(estimator, "decision_function"):
        scores = _decision_values(estimator, X, scale)
    else:
        scores = as_numbers("the output of predict", estimator.predict(X)).astype(np.float64)
        scores = scores[:, 0] if scores.shape[1:] == (1,) else scores
    if scores.shape != (_num_samples(X),):
        raise ValueError(
            f"estimator must return one score for each of {_num_samples(X)} samples, but the "
            f"scores of {type(estimator).__name__} have shape {scores.shape}."
        )
    n_bad = len(scores) - np.isfinite(scores).sum()
    if n_bad:
        raise ValueError(
            f"estimator must return finite scores, got NaN or infinity for {n_bad} of "
            f"{len(scores)} samples."
        )
    return scores


def _decision_values(estimator: Any, X: Any, scale: OrdinalScale) -> NDArray[np.float64]:
    name = type(estimator).__name__
    output = estimator.decision_function(X)
    values = as_numbers("the output of decision_function", output).astype(np.float64)
    if values.ndim != 1:
        raise ValueError(
            f"estimator must have a one-dimensional decision_function, but {name} returns shape "
            f"{values.shape}: use a classifier with predict_proba, such as "
            f"CalibratedClassifierCV({name}(...)), or a regressor."
        )
    classes = classes_of(estimator)
    return in_scale_order(values, scale.encode(classes), classes)
