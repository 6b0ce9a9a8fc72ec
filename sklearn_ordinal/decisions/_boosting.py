"""Gradient boosting by LightGBM with the smooth decision score of CEM_ORD."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_is_fitted

from sklearn_ordinal._core import (
    OrdinalScale,
    check_sample_weight,
    encode_one,
    read_training_classes,
    shown,
    take_features,
)
from sklearn_ordinal.decisions._objective import Derivatives, cem_objective
from sklearn_ordinal.metrics import (
    closeness_costs,
    least_cost_decisions,
    without_rounding_errors,
)


class CemBoostingClassifier(
    ClassifierMixin,  # type: ignore[misc]
    BaseEstimator,  # type: ignore[misc]
):
    """Boost trees of LightGBM for CEM_ORD, and predict the class with the lowest expected cost.

    An `LGBMClassifier` with `cem_objective` has no probabilities: its `predict_proba` returns raw
    scores, and its first tree does not start from the class shares. This classifier starts from
    the class shares, returns probabilities, and predicts the class with the lowest expected cost,
    given the class counts of the training samples. It can be used like any other classifier: in
    cross-validation, in searches and in `compare_estimators`.

    Parameters
    ----------
    estimator : lightgbm.LGBMClassifier, default=None
        The classifier with the parameters of the trees. It is cloned, and its objective is
        replaced. If None, ``LGBMClassifier()``.
    temperature : float, default=0.5
        Temperature of `cem_objective` in bits.
    labels : array-like of shape (n_classes,) or OrdinalScale, default=None
        All classes from the lowest to the highest. If None, taken from an ordered dtype or
        from integers; required for strings.

    Attributes
    ----------
    estimator_ : lightgbm.LGBMClassifier
        The fitted classifier. Its classes are the positions of the classes that occur.
    classes_ : ndarray of shape (n_classes_in_training,)
        Classes that occur in training, sorted as in all classifiers of scikit-learn, not by
        their order on the scale.
    labels_ : ndarray of shape (n_classes,)
        All classes from the lowest to the highest.
    class_counts_ : ndarray of shape (n_classes,)
        Number, or weight, of the training samples of each class, in the order of `labels_`.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the features seen in `fit`, if `X` has names.

    See Also
    --------
    cem_objective : The objective, also for XGBoost.
    OptimalDecisionClassifier : Optimise the decisions of any classifier for CEM_ORD.

    Notes
    -----
    The costs are computed from the class counts of the training samples, so they differ a little
    from fold to fold. Classes that do not occur in training, or only with weight 0, are never
    predicted.

    Compare it with ``OptimalDecisionClassifier(LGBMClassifier())``, which is trained on log loss
    and is often as good.

    Examples
    --------
    >>> from lightgbm import LGBMClassifier  # doctest: +SKIP
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn_ordinal.datasets import load_lev
    >>> from sklearn_ordinal.decisions import CemBoostingClassifier
    >>> X, y = load_lev(return_X_y=True)
    >>> boosting = CemBoostingClassifier(LGBMClassifier(num_leaves=7))  # doctest: +SKIP
    >>> cross_val_score(boosting, X, y, scoring="cem_ord").shape  # doctest: +SKIP
    (5,)
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        temperature: float = 0.5,
        labels: ArrayLike | OrdinalScale | None = None,
    ) -> None:
        self.estimator = estimator
        self.temperature = temperature
        self.labels = labels

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.sparse = True
        return tags

    def _more_tags(self) -> dict[str, Any]:
        # scikit-learn 1.5 reads these tags.
        return {"allow_nan": True, "X_types": ["2darray", "sparse"]}

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit the classifier.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training data.
        y : array-like of shape (n_samples,)
            Classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative sample weights.

        Returns
        -------
        CemBoostingClassifier
            The fitted classifier.

        Raises
        ------
        ImportError
            If LightGBM is not installed.
        ValueError
            If the estimator is not an `LGBMClassifier`, the order of the classes is not known,
            or fewer than two classes occur.
        """
        estimator = self._unfitted()
        n_samples = len(read_training_classes(X, y, may_be_fractions=True))
        scale, positions = encode_one(y, self.labels)
        weight = check_sample_weight(sample_weight, n_samples)
        counts = np.bincount(positions, weight, len(scale))
        occurring = np.flatnonzero(counts)
        if len(occurring) < 2:
            raise ValueError(
                f"y must have at least two classes, got one class, "
                f"{shown(scale.labels[occurring[0]].item())}."
            )
        sizes = counts[occurring]
        if not weight.all():
            # LightGBM would also count a class whose samples all have weight 0.
            X = _safe_indexing(X, np.flatnonzero(weight))
            positions, weight = positions[weight > 0], weight[weight > 0]
        objective: Any = cem_objective(sizes, temperature=self.temperature)
        start = np.log(sizes / sizes.sum())
        if len(occurring) == 2:
            objective, start = _OfTwoClasses(objective), start[1:] - start[0]
        estimator.set_params(objective=objective).fit(
            X,
            np.searchsorted(occurring, positions),
            sample_weight=None if sample_weight is None else weight,
            init_score=np.tile(start, (len(positions), 1)).squeeze(),
        )
        self.estimator_, self._start = estimator, start
        classes = scale.labels[occurring]
        self._order = np.argsort(classes)
        self.classes_ = classes[self._order]
        self._costs = closeness_costs(sizes)
        self.labels_, self.class_counts_ = scale.labels, counts
        take_features(self, estimator)
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probabilities of the classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Data.

        Returns
        -------
        ndarray of shape (n_samples, n_classes_in_training)
            Probabilities in the order of `classes_`.
        """
        return self._probabilities(X)[:, self._order]

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class with the lowest expected cost according to CEM_ORD.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Data.

        Returns
        -------
        ndarray of shape (n_samples,)
            Predicted classes.
        """
        proba = self._probabilities(X)
        costs = without_rounding_errors(self._costs[None])
        (decided,) = least_cost_decisions(proba, costs, np.ones(costs.shape[:2], dtype=bool))
        classes: NDArray[Any] = self.classes_[np.argsort(self._order)[decided]]
        return classes

    def _unfitted(self) -> Any:
        """Return an unfitted LightGBM classifier, whose parameters may be changed."""
        try:
            from lightgbm import LGBMClassifier
        except ImportError:
            raise ImportError(
                "CemBoostingClassifier needs LightGBM: pip install lightgbm."
            ) from None
        if self.estimator is None:
            return LGBMClassifier()
        if not isinstance(self.estimator, LGBMClassifier):
            raise ValueError(
                f"estimator must be a lightgbm.LGBMClassifier or None, got "
                f"{shown(self.estimator)}: use OptimalDecisionClassifier for other classifiers."
            )
        return clone(self.estimator)

    def _probabilities(self, X: Any) -> NDArray[np.float64]:
        """Return the probabilities of the classes that occur, from the lowest to the highest."""
        check_is_fitted(self)
        raw = self.estimator_.predict(X, raw_score=True)
        # With two classes, LightGBM returns a single score, the score of the higher class.
        raw = raw.reshape(len(raw), -1) + self._start
        if raw.shape[1] == 1:
            raw = np.column_stack([np.zeros(len(raw)), raw])
        proba: NDArray[np.float64] = softmax(raw, axis=1)
        return proba


@dataclass(frozen=True, eq=False)
class _OfTwoClasses:
    """Adapter of an objective of two classes for the single raw score of the higher class."""

    objective: Any

    def __call__(
        self, y_true: ArrayLike, raw: NDArray[np.float64], sample_weight: ArrayLike | None = None
    ) -> Derivatives:
        both = np.column_stack([np.zeros(len(raw)), raw])
        gradient, hessian = self.objective(y_true, both, sample_weight)
        return gradient[:, 1], hessian[:, 1]
