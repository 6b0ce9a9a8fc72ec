"""What classifiers that wrap an estimator have in common."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.utils import Bunch
from sklearn.utils.metadata_routing import process_routing

from sklearn_ordinal._core import as_numbers, checked_probabilities


def estimator_has(method: str) -> Callable[[Any], bool]:
    """Return a check, for `available_if`, that the wrapped estimator has a method."""

    def check(self: Any) -> bool:
        # Raises the AttributeError of the estimator.
        getattr(getattr(self, "estimator_", self.estimator), method)
        return True

    return check


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


class WrappingClassifier(
    ClassifierMixin,  # type: ignore[misc]
    MetaEstimatorMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """Base class of classifiers with the parameter `estimator`, fitted as `estimator_`."""

    estimator: Any
    estimator_: Any
    _without_weights = "leave it out"

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import get_tags  # scikit-learn 1.6

        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        return tags

    def _more_tags(self) -> dict[str, Any]:
        # The tags of scikit-learn 1.5.
        known: dict[str, Any] = getattr(self.estimator, "_get_tags", dict)()
        return {name: known[name] for name in ("pairwise", "allow_nan") if name in known}

    def _routed(self, sample_weight: NDArray[Any] | None, fit_params: dict[str, Any]) -> Any:
        """Return the parameters for the methods of the estimator and of what else is wrapped."""
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

    def _take_features(self) -> None:
        """Take the number and names of the features from the fitted estimator, if it has them."""
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
            elif hasattr(self, name):
                delattr(self, name)
