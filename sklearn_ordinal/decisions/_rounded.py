"""A regressor as a classifier: its predictions are rounded to the nearest class."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from sklearn_ordinal._core import OrdinalScale, take_features
from sklearn_ordinal.decisions._base import WrappingClassifier, fit_in_order
from sklearn_ordinal.decisions._estimator_scores import estimator_scores


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
        take_features(self, self.estimator_)
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
