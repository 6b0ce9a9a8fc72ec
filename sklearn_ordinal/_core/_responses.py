"""Probabilities and scores from the responses of a fitted estimator."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import is_regressor

from sklearn_ordinal._core._checks import as_numbers, listed
from sklearn_ordinal._core._containers import read_column
from sklearn_ordinal._core._encoding import encode_columns, encode_one
from sklearn_ordinal._core._forecasts import OrdinalForecasts
from sklearn_ordinal._core._probabilities import checked_probabilities, read_probabilities
from sklearn_ordinal._core._samples import from_checked
from sklearn_ordinal._core._scores import OrdinalScores


def estimator_forecasts(
    estimator: Any,
    X: Any,
    y_true: ArrayLike,
    *,
    labels: Any = None,
    sample_weight: ArrayLike | None = None,
    respond: Callable[[str], Any] | None = None,
) -> OrdinalForecasts:
    """Return the probabilities of a fitted estimator, columns matched through ``classes_``.

    `respond` returns the response of a method, given its name. If None, the method is called.
    """
    respond = respond or partial(_response, estimator, X)
    name = f"the output of predict_proba of {type(estimator).__name__}"
    scale, true, proba, weight = read_probabilities(
        y_true, respond("predict_proba"), labels, estimator.classes_, sample_weight, name=name
    )
    proba = checked_probabilities(proba, name=name)
    is_weighted = sample_weight is not None
    return from_checked(OrdinalForecasts, scale, true, proba, weight, is_weighted=is_weighted)


def estimator_scores(
    estimator: Any,
    X: Any,
    y_true: ArrayLike,
    *,
    labels: Any = None,
    sample_weight: ArrayLike | None = None,
    respond: Callable[[str], Any] | None = None,
) -> OrdinalScores:
    """Return the scores of a fitted estimator without probabilities.

    They are the values of a one-dimensional `decision_function`, or else what `predict` returns.
    """
    respond = respond or partial(_response, estimator, X)
    y_score = None
    if hasattr(estimator, "decision_function"):
        y_score = _decision_values(estimator, respond("decision_function"), y_true, labels)
    if y_score is None:
        y_score = _predicted_scores(estimator, respond("predict"), y_true, labels)
    return OrdinalScores.from_scores(y_true, y_score, labels=labels, sample_weight=sample_weight)


def _response(estimator: Any, X: Any, method: str) -> Any:
    return getattr(estimator, method)(X)


def _decision_values(
    estimator: Any, decision: Any, y_true: ArrayLike, labels: Any
) -> NDArray[Any] | None:
    """Return the values of a decision function, turned so that they are higher for higher classes.

    Return None if there is a value for each class.
    """
    values = as_numbers("decision_function", decision)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        return None
    classes = getattr(estimator, "classes_", None)
    if classes is None:
        return values
    return in_scale_order(values, _positions("classes_", classes, y_true, labels), classes)


def in_scale_order(
    decision: NDArray[Any], positions: NDArray[Any], classes: ArrayLike
) -> NDArray[Any]:
    """Return one decision value per sample, turned so that it is higher for higher classes.

    The values are higher for later classes of the estimator, whose positions on the scale are
    given. Classes that are strings are in alphabetical order in the estimator.
    """
    steps = np.diff(positions.astype(np.intp))
    if (steps > 0).all():
        return decision
    if (steps < 0).all():
        return -decision
    raise ValueError(
        f"estimator has one decision value per sample for its classes in the order "
        f"{listed(np.asarray(classes))}, not in the order of the scale: fit it to classes "
        f"encoded as integers, from the lowest to the highest."
    )


def _predicted_scores(estimator: Any, y_pred: Any, y_true: ArrayLike, labels: Any) -> NDArray[Any]:
    """Return the positions of predicted classes, or the predictions of a regressor."""
    if not is_regressor(estimator):
        return _positions("y_pred", y_pred, y_true, labels)
    classes = encode_one(y_true, labels, name="y_true")[0].labels
    if classes.dtype.kind not in "biuf" or (np.diff(classes.astype(np.float64)) <= 0).any():
        raise ValueError(
            f"labels must be increasing numbers if the estimator is a regressor, such as "
            f"{type(estimator).__name__}, since its predictions are the scores, got "
            f"{classes.tolist()}."
        )
    return as_numbers("y_pred", y_pred)


def _positions(name: str, values: Any, y_true: ArrayLike, labels: Any) -> NDArray[np.float64]:
    """Return the positions of classes on the scale of the true classes."""
    columns = [read_column(y_true, "y_true"), read_column(values, name)]
    return encode_columns(columns, labels).columns[1].astype(np.float64)
