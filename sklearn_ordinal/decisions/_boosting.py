"""Gradient boosting for CEM_ORD: its objective, and the classifier by LightGBM."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_is_fitted

from sklearn_ordinal._core import checks, scales
from sklearn_ordinal._core.scales import OrdinalScale
from sklearn_ordinal.metrics import _closeness, _cost
from sklearn_ordinal.model_selection import _fitting

# The smooth decision score of CEM_ORD as an objective of gradient boosting
# -------------------------------------------------------------------------

Derivatives = tuple[NDArray[np.float64], NDArray[np.float64]]

# Leaf values are gradients divided by Hessians, which vanish where probabilities are near 0 or 1.
_SMALLEST_HESSIAN = 1e-3


def cem_objective(
    class_counts: ArrayLike, *, temperature: float = 0.5
) -> Callable[..., Derivatives]:
    r"""Make an objective for LightGBM and XGBoost: the smooth decision score of CEM_ORD.

    The loss of probabilities :math:`p` is the cost of their decisions in bits. The decision is
    not the single class with the lowest expected cost, but a softmax over the classes. With the
    costs :math:`D` of `closeness_costs`, rows true, expected costs
    :math:`c_i = \sum_j p_j D_{ji}` and :math:`s = \mathrm{softmax}(-c / t)` at the temperature
    :math:`t`, it is

    .. math:: L(p, y) = -t \log \sum_i e^{-c_i / t} + \sum_i s_i (D_{yi} - c_i)

    It is strictly proper for each :math:`t > 0`: the true probabilities have the lowest
    expected loss. As :math:`t` decreases, the loss approaches the cost of the decisions,
    and its gradient vanishes for samples with a clear decision.

    Compare it with training on log loss and deciding with `OptimalDecisionClassifier`, which is
    often as good and always simpler.

    Parameters
    ----------
    class_counts : array-like of shape (n_classes,)
        Number, or weight, of the training samples of each class, from the lowest class to the
        highest, all positive. They are fixed: counts of a mini-batch or of a resample would
        make the loss of a sample depend on the other samples.
    temperature : float, default=0.5
        Temperature in bits.

    Returns
    -------
    callable
        Function ``objective(y_true, raw, sample_weight=None)`` of the positions 0 to
        n_classes - 1 of the true classes and of raw scores (logits) of shape (n_samples,
        n_classes), that returns the gradient and the diagonal Hessian of the loss with respect
        to the raw scores, both of shape (n_samples, n_classes). The Hessian is the expected
        Hessian under the probabilities of the model, and at least 0.001, so it is positive.

    Raises
    ------
    ValueError
        If `class_counts` are not positive and finite or `temperature` is not a positive number.
        The objective also raises it if `y_true` does not contain positions, `raw` is not
        finite, or shapes do not match.

    See Also
    --------
    CemBoostingClassifier : A classifier that trains LightGBM with it.
    OptimalDecisionClassifier : Optimise the decisions of any classifier for CEM_ORD.
    sklearn_ordinal.metrics.closeness_costs : The costs in bits.

    Notes
    -----
    Both packages encode labels as positions among the sorted classes that occur, so the classes
    must be sorted by their order, as integers are, and `class_counts` must not contain a class
    that the training labels lack.

    For two classes, both packages use a single raw score for each sample, which raises an
    error.

    With a custom objective, LightGBM does not start from the average: pass the logarithms of the
    class shares as ``init_score``, one row for each sample, and add them to its raw scores. Its
    `predict_proba` returns raw scores, which need a softmax. `CemBoostingClassifier` does all of
    this. In XGBoost, `predict_proba` returns probabilities; its default ``min_child_weight=1`` is
    compared with a sum of Hessians, and is large for this loss.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_ordinal.decisions import cem_objective
    >>> objective = cem_objective([3, 3, 4], temperature=0.5)
    >>> gradient, hessian = objective([0], np.log([[0.5, 0.3, 0.2]]))
    >>> gradient.round(4), (hessian > 0).all()
    (array([[-0.5141,  0.32  ,  0.1941]]), np.True_)
    """
    costs = _closeness.closeness_costs(class_counts)
    if costs.ndim != 2 or not np.isfinite(costs).all():
        raise ValueError(
            f"class_counts must have shape (n_classes,) and be positive, got "
            f"{checks.shown(class_counts)}: leave out the classes that the training labels lack."
        )
    if not checks.is_real(temperature) or not 0 < temperature < np.inf:
        raise ValueError(f"temperature must be a positive number, got {checks.shown(temperature)}.")
    return _CemObjective(costs, float(temperature))


@dataclass(frozen=True, eq=False)
class _CemObjective:
    """The objective, an object rather than a closure, so that models can be cloned and pickled."""

    costs: NDArray[np.float64]
    temperature: float

    # LightGBM passes the weights by position, and XGBoost by the name sample_weight.
    def __call__(
        self, y_true: ArrayLike, raw: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Derivatives:
        raw = checks.as_numbers("raw", raw).astype(np.float64, copy=False)
        of_truth = self.costs[self._positions(y_true, raw)]
        p = softmax(raw, axis=1)
        expected = p @ self.costs
        s = softmax(-expected / self.temperature, axis=1)
        # The product of `shift` and the costs is the curvature of the loss in p times the
        # difference between p and the truth.
        shift = s * _centred(expected - of_truth, s) / self.temperature
        gradient = p * _centred(shift @ self.costs.T, p)
        hessian = p**2 * self._variances(expected, s) / self.temperature
        hessian = np.maximum(hessian, _SMALLEST_HESSIAN)
        if sample_weight is not None:
            weight = checks.check_weights("sample_weight", sample_weight, len(raw))[:, None]
            gradient, hessian = gradient * weight, hessian * weight
        return gradient, hessian

    def _variances(
        self, expected: NDArray[np.float64], s: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return, for each true class, the variance of its excess cost under s."""
        weighted = s * expected
        mean = s @ self.costs.T - weighted.sum(axis=1, keepdims=True)
        of_squares = (
            s @ (self.costs**2).T
            - 2 * weighted @ self.costs.T
            + (weighted * expected).sum(axis=1, keepdims=True)
        )
        variances: NDArray[np.float64] = np.maximum(of_squares - mean**2, 0)
        return variances

    def _positions(self, y_true: ArrayLike, raw: NDArray[np.float64]) -> NDArray[np.intp]:
        n_classes = len(self.costs)
        if raw.ndim != 2 or raw.shape[1] != n_classes:
            raise ValueError(
                f"raw must have shape (n_samples, {n_classes}), a column for each of class_counts, "
                f"got {raw.shape}."
            )
        if not np.isfinite(raw).all():
            raise ValueError("raw must be finite, got NaN or infinite values.")
        labels = checks.as_numbers("y_true", y_true)
        if labels.ndim != 1:
            raise ValueError(f"y_true must be one-dimensional, got shape {labels.shape}.")
        scales.check_same_length({"y_true": len(labels), "raw": len(raw)})
        is_position = (labels >= 0) & (labels < n_classes) & (labels == np.floor(labels))
        if not is_position.all():
            raise ValueError(
                f"y_true must hold positions of classes from 0 to {n_classes - 1}, got "
                f"{checks.shown(labels[~is_position][0].item())}."
            )
        positions: NDArray[np.intp] = labels.astype(np.intp)
        return positions


def _centred(values: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Subtract the weighted mean of each row."""
    centred: NDArray[np.float64] = values - (weights * values).sum(axis=1, keepdims=True)
    return centred


# Gradient boosting by LightGBM with the smooth decision score of CEM_ORD
# -----------------------------------------------------------------------


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
        n_samples = len(_fitting.read_training_classes(X, y, may_be_fractions=True))
        scale, positions = scales.encode_one(y, self.labels)
        weight = checks.check_sample_weight(sample_weight, n_samples)
        counts = np.bincount(positions, weight, len(scale))
        occurring = np.flatnonzero(counts)
        if len(occurring) < 2:
            raise ValueError(
                f"y must have at least two classes, got one class, "
                f"{checks.shown(scale.labels[occurring[0]].item())}."
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
        self._costs = _closeness.closeness_costs(sizes)
        self.labels_, self.class_counts_ = scale.labels, counts
        _fitting.take_features(self, estimator)
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
        costs = _cost.without_rounding_errors(self._costs[None])
        (decided,) = _cost.least_cost_decisions(proba, costs, np.ones(costs.shape[:2], dtype=bool))
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
                f"{checks.shown(self.estimator)}: use OptimalDecisionClassifier for other "
                "classifiers."
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
