"""Classifiers that wrap an estimator, such as a regressor whose predictions are rounded."""

from __future__ import annotations

import inspect
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, is_regressor
from sklearn.utils import Bunch
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import _num_samples, check_is_fitted

from sklearn_ordinal._core import checks, evidence_kinds, forecasting, sampling, scales
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.scales import OrdinalScale
from sklearn_ordinal.model_selection import _fitting
from sklearn_ordinal.scorers import _order

# The base of classifiers that wrap an estimator
# ----------------------------------------------


def check_takes_classes(argument: str, metric: OrdinalMetric) -> None:
    """Raise unless a metric is computed from predicted classes, which depend on the decisions."""
    if OrdinalConfusion not in metric.evidence.accepts:
        raise ValueError(
            f"{argument} must be a criterion of predicted classes, such as 'cem_ord', but "
            f"{metric.name} is computed from {metric.evidence.noun}."
        )


def classes_of(estimator: Any) -> NDArray[Any]:
    """Return the classes of a fitted classifier."""
    if not hasattr(estimator, "classes_"):
        raise ValueError(
            f"estimator must have the attribute classes_ once it is fitted, which "
            f"{type(estimator).__name__} does not."
        )
    classes: NDArray[Any] = estimator.classes_
    return classes


def probabilities_of(estimator: Any, X: Any) -> NDArray[np.float64]:
    """Return the probabilities of a fitted classifier, a column for each of its classes."""
    name = type(estimator).__name__
    n_classes = len(classes_of(estimator))
    proba = checks.as_numbers(f"the output of predict_proba of {name}", estimator.predict_proba(X))
    if proba.ndim != 2 or proba.shape[1] != n_classes:
        raise ValueError(
            f"predict_proba of {name} must return a column for each of {n_classes} classes, got "
            f"shape {proba.shape}."
        )
    try:
        return sampling.checked_probabilities(proba, name="the output")
    except ValueError as error:
        raise ValueError(f"predict_proba of {name} must return probabilities: {error}") from None


def fit_in_order(
    estimator: Any, X: Any, y: NDArray[Any], scale: OrdinalScale, fit_params: dict[str, Any]
) -> Any:
    """Return a fitted clone of the estimator, with the order bound to its scorers."""
    if is_regressor(estimator):  # regressors are fitted to the positions
        scale = OrdinalScale.from_run(0, len(scale))
    positions = scale.encode(y).astype(np.intp, copy=False)
    return _order.bind_order(estimator, scale, positions).fit(X, y, **fit_params)


class TrainingClasses(NamedTuple):
    """The classes of the training samples, and their weights if there are any."""

    values: NDArray[Any]
    """The classes as they were passed."""
    positions: NDArray[np.intp]
    """Their positions on the scale."""
    scale: OrdinalScale
    sample_weight: NDArray[np.float64] | None


class WrappingClassifier(
    ClassifierMixin,  # type: ignore[misc]
    MetaEstimatorMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """Base class of classifiers with the parameters `estimator` and `labels`.

    The fitted estimator is `estimator_`.
    """

    estimator: Any
    estimator_: Any
    labels: Any
    _without_weights: str
    """Advice in the error message if the estimator does not take weights."""

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import get_tags  # scikit-learn 1.6

        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        return tags

    def _more_tags(self) -> dict[str, Any]:
        # scikit-learn 1.5 reads these tags.
        tags: dict[str, Any] = getattr(self.estimator, "_get_tags", dict)()
        return {name: tags[name] for name in ("pairwise", "allow_nan") if name in tags}

    def get_metadata_routing(self) -> MetadataRouter:
        """Return the metadata that `fit` and the estimator request.

        Returns
        -------
        MetadataRouter
            The routing of the parameters of `fit`.
        """
        to_fit = MethodMapping().add(caller="fit", callee="fit")
        router = MetadataRouter(owner=type(self).__name__).add_self_request(self)
        return router.add(estimator=self.estimator, method_mapping=to_fit)

    def _training_classes(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> TrainingClasses:
        values = _fitting.read_training_classes(X, y, may_be_fractions=self.labels is not None)
        scale, positions = scales.encode_one(y, self.labels)
        weight = None
        if sample_weight is not None:
            weight = checks.check_sample_weight(sample_weight, len(values))
        return TrainingClasses(values, positions, scale, weight)

    def _routed(self, sample_weight: NDArray[Any] | None, fit_params: dict[str, Any]) -> Any:
        """Return the parameters for the methods of the estimator and of other wrapped objects."""
        if get_config()["enable_metadata_routing"]:
            return process_routing(self, "fit", sample_weight=sample_weight, **fit_params)
        if sample_weight is not None:
            parameters = inspect.signature(self.estimator.fit).parameters
            takes_any = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
            if not takes_any and "sample_weight" not in parameters:
                raise ValueError(
                    f"estimator must accept sample_weight in fit, which "
                    f"{type(self.estimator).__name__} does not: {self._without_weights}."
                )
            fit_params = {**fit_params, "sample_weight": sample_weight}
        return Bunch(estimator=Bunch(fit=fit_params), splitter=Bunch(split={}))


# One score per sample from an estimator, higher for higher classes
# -----------------------------------------------------------------


def estimator_scores(estimator: Any, X: Any, scale: OrdinalScale) -> NDArray[np.float64]:
    """Return the score of each sample.

    It is the expected position on the scale if the estimator has `predict_proba`, rounded so
    that equal probabilities tie. Otherwise it is a one-dimensional `decision_function` or the
    prediction of a regressor.
    """
    if hasattr(estimator, "predict_proba"):
        aligned = scale.align(probabilities_of(estimator, X), classes_of(estimator))
        scores = forecasting.expected_positions(aligned.astype(np.float64, copy=False))
    elif hasattr(estimator, "decision_function"):
        scores = _decision_values(estimator, X, scale)
    else:
        scores = checks.as_numbers("the output of predict", estimator.predict(X)).astype(np.float64)
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
    values = checks.as_numbers("the output of decision_function", output).astype(np.float64)
    if values.ndim != 1:
        raise ValueError(
            f"estimator must have a one-dimensional decision_function, but {name} returns shape "
            f"{values.shape}: use a classifier with predict_proba, such as "
            f"CalibratedClassifierCV({name}(...)), or a regressor."
        )
    classes = classes_of(estimator)
    return evidence_kinds.in_scale_order(values, scale.encode(classes), classes)


# A regressor as a classifier: its predictions are rounded to the nearest class
# -----------------------------------------------------------------------------


class RoundedRegressor(WrappingClassifier):
    """Predict the class whose position is nearest to the prediction of a regressor.

    The regressor is fitted on the positions 0, 1, ... of the classes. A prediction midway between
    two classes is the higher one, and predictions beyond the ends are the class at the end.
    """

    _without_weights = "leave it out"

    def __init__(self, estimator: Any, *, labels: ArrayLike | OrdinalScale | None = None) -> None:
        self.estimator = estimator
        self.labels = labels

    def fit(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, **fit_params: Any
    ) -> Self:
        """Fit the regressor on the positions of the classes."""
        _, positions, scale, weight = self._training_classes(X, y, sample_weight)
        fit_params = self._routed(weight, fit_params).estimator.fit
        target = positions.astype(np.float64)
        self.estimator_ = fit_in_order(self.estimator, X, target, scale, fit_params)
        # In the order of the scale, since any class can be predicted and the predictions of the
        # regressor, which are the scores, increase along the scale.
        self.classes_ = scale.labels
        _fitting.take_features(self, self.estimator_)
        return self

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the predictions of the regressor."""
        check_is_fitted(self)
        return estimator_scores(self.estimator_, X, OrdinalScale(self.classes_))

    def predict(self, X: Any) -> NDArray[Any]:
        """Round the predictions of the regressor."""
        nearest = np.floor(self.decision_function(X) + 0.5)
        positions = nearest.clip(0, len(self.classes_) - 1).astype(np.intp)
        classes: NDArray[Any] = self.classes_[positions]
        return classes
