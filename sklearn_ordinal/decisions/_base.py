"""The base of classifiers that wrap an estimator."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, is_regressor
from sklearn.utils import Bunch
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from sklearn_ordinal._core import (
    OrdinalConfusion,
    OrdinalMetric,
    OrdinalScale,
    as_numbers,
    check_sample_weight,
    checked_probabilities,
    encode_one,
    read_training_classes,
)
from sklearn_ordinal.scorers import bind_order


def estimator_has(method: str) -> Callable[[Any], bool]:
    """Return a check, for `available_if`, that the wrapped estimator has a method."""

    def check(self: Any) -> bool:
        # Raise the AttributeError of the estimator.
        getattr(getattr(self, "estimator_", self.estimator), method)
        return True

    return check


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
    proba = as_numbers(f"the output of predict_proba of {name}", estimator.predict_proba(X))
    if proba.ndim != 2 or proba.shape[1] != n_classes:
        raise ValueError(
            f"predict_proba of {name} must return a column for each of {n_classes} classes, got "
            f"shape {proba.shape}."
        )
    try:
        return checked_probabilities(proba, name="the output")
    except ValueError as error:
        raise ValueError(f"predict_proba of {name} must return probabilities: {error}") from None


def fit_in_order(
    estimator: Any, X: Any, y: NDArray[Any], scale: OrdinalScale, fit_params: dict[str, Any]
) -> Any:
    """Return a fitted clone of the estimator, with the order bound to its scorers."""
    if is_regressor(estimator):  # regressors are fitted to the positions
        scale = OrdinalScale.from_run(0, len(scale))
    positions = scale.encode(y).astype(np.intp, copy=False)
    return bind_order(estimator, scale, positions).fit(X, y, **fit_params)


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
        values = read_training_classes(X, y, may_be_fractions=self.labels is not None)
        scale, positions = encode_one(y, self.labels)
        weight = None
        if sample_weight is not None:
            weight = check_sample_weight(sample_weight, len(values))
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
