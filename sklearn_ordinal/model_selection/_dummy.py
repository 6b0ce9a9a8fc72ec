"""`OrdinalDummyClassifier`: baselines that ignore the features."""

from __future__ import annotations

import math
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.utils import column_or_1d
from sklearn.utils.validation import check_is_fitted

from sklearn_ordinal._core import (
    catalogue,
    checks,
    confusion_counts,
    containers,
    counting,
    lookup,
    scales,
    tolerances,
)
from sklearn_ordinal._core.arithmetic import Counts
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.lookup import MetricLike
from sklearn_ordinal._core.scales import OrdinalScale
from sklearn_ordinal.metrics import _cost
from sklearn_ordinal.model_selection import _fitting

Strategy = Literal[
    "most_frequent", "prior", "stratified", "uniform", "median", "constant", "best_constant"
]

_CELLS_PER_CHUNK = 2**22


class OrdinalDummyClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Predict without looking at the features, as a baseline for ordinal classifiers.

    It has the strategies of `sklearn.dummy.DummyClassifier` and two strategies for ordered
    classes. A model that does not beat the best strategy has learned nothing that the
    criterion rewards.

    Parameters
    ----------
    strategy : {"most_frequent", "prior", "stratified", "uniform", "median", "constant", \
            "best_constant"}, default="most_frequent"
        What to predict. "most_frequent": the class with the largest weight. "prior": the
        same class, but with the shares of the classes in the training labels as
        probabilities; no constant probabilities have a smaller ranked probability score or
        log loss on the training labels. "stratified": random classes, with the shares in
        the training labels as probabilities. "uniform": random classes, all with the same
        probability. "median": the median class on the scale, or the lower of two; no
        constant has a smaller mean absolute error. "constant": the class `constant`.
        "best_constant": the class with the best value of `metric` if it is predicted for
        all training samples.
    labels : array-like of shape (n_classes,) or OrdinalScale, default=None
        All classes from the lowest to the highest. If None, taken from an ordered dtype
        or from integers; required for strings. Only "median" and "best_constant" need the
        order.
    constant : object, default=None
        The class that "constant" predicts, one of the classes in `y`.
    metric : str, callable or OrdinalMetric, default="cem_ord"
        Criterion of labels for "best_constant", in any form that `get_metric` accepts. A
        constant for which the metric is undefined loses; among equally good constants, the
        most frequent class wins.
    prevalence : array-like of shape (n_classes,), default=None
        Share of each class, from the lowest to the highest, at which "best_constant" computes
        `metric`. If None, the shares of the training labels.
    random_state : int, RandomState instance or None, default=None
        Source of the random predictions of "stratified" and "uniform". Pass an int for
        the same predictions in each call.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Classes in `y`, sorted as in all classifiers of scikit-learn, not by their order
        on the scale.
    class_prior_ : ndarray of shape (n_classes,)
        Share of each of `classes_`, by weight.
    constant_ : object
        The class that is always predicted; None if predictions are random.
    n_features_in_ : int
        Number of features seen in `fit`, if `X` is a table.

    See Also
    --------
    compare_estimators : Compare estimators with the expected scores of these baselines.
    sklearn.dummy.DummyClassifier : Baselines that need no order.

    Notes
    -----
    A constant is always one of the classes in the training labels, even if a class between
    them would have a better value.

    Examples
    --------
    >>> from sklearn_ordinal.model_selection import OrdinalDummyClassifier
    >>> X, y = [[0]] * 7, [0, 0, 0, 1, 2, 4, 4]
    >>> OrdinalDummyClassifier("most_frequent").fit(X, y).predict([[1]])
    array([0])
    >>> OrdinalDummyClassifier("median").fit(X, y).predict([[1]])
    array([1])
    >>> squared = "neg_ordinal_mean_squared_error"
    >>> OrdinalDummyClassifier("best_constant", metric=squared).fit(X, y).predict([[1]])
    array([2])
    """

    def __init__(
        self,
        strategy: Strategy = "most_frequent",
        *,
        labels: ArrayLike | OrdinalScale | None = None,
        constant: Any = None,
        metric: MetricLike = "cem_ord",
        prevalence: ArrayLike | None = None,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.strategy = strategy
        self.labels = labels
        self.constant = constant
        self.metric = metric
        self.prevalence = prevalence
        self.random_state = random_state

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn what to predict from the training labels.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training data. Only their length is used, so a list of texts is accepted as well.
        y : array-like of shape (n_samples,)
            Classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative sample weights.

        Returns
        -------
        OrdinalDummyClassifier
            The fitted classifier.

        Raises
        ------
        ValueError
            If `strategy` or `metric` is not known, `prevalence` does not have a share for
            each class, "constant" has no class of `y` to predict, a class is missing, a
            weight is missing or negative, or the order of the classes is needed and not
            known.
        """
        checks.check_choice("strategy", self.strategy, Strategy)
        checks.as_random_state(self.random_state)  # raises if it is invalid
        values = _fitting.read_training_classes(X, y, may_be_fractions=True)
        if not len(values):
            raise ValueError("y must not be empty.")
        # Integers and strings of NumPy have no missing value unless they are masked.
        if values.dtype.kind in "fO" or np.ma.is_masked(y):
            containers.check_no_missing(y, "y")
        if sample_weight is not None:
            sample_weight = checks.check_sample_weight(sample_weight, len(values))
        try:
            classes = np.unique(values)
        except TypeError as error:
            raise ValueError(f"y must hold classes that can be sorted: {error}.") from None
        strategy, constant = self.strategy, None
        if strategy in ("constant", "median", "best_constant"):
            strategy, constant = "constant", self._constant(y, classes, sample_weight)
        self.dummy_ = DummyClassifier(
            strategy=strategy, constant=constant, random_state=self.random_state
        ).fit(X, values, sample_weight)
        self.classes_ = self.dummy_.classes_
        self.class_prior_ = self.dummy_.class_prior_
        if strategy in ("most_frequent", "prior"):
            constant = self.classes_[[self.class_prior_.argmax()]]
        self.constant_ = None if constant is None else constant[0]
        # X may be a list of texts, or have no column names.
        _fitting.take_features(self, self.dummy_)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict classes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Data. Only their length is used.

        Returns
        -------
        ndarray of shape (n_samples,)
            Predicted classes.
        """
        check_is_fitted(self)
        classes: NDArray[Any] = self.dummy_.predict(X)
        return classes

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict the probability of each class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Data. Only their length is used.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Probabilities in [0, 1] in the order of `classes_`: `class_prior_` if "prior",
            equal probabilities if "uniform", otherwise 1 for the predicted class, which is
            random if "stratified".
        """
        check_is_fitted(self)
        probabilities: NDArray[np.float64] = self.dummy_.predict_proba(X)
        return probabilities

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict the logarithm of the probability of each class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Data. Only their length is used.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Natural logarithms of `predict_proba`, -inf for a probability of 0.
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.poor_score = True
        tags.no_validation = True
        return tags

    def _more_tags(self) -> dict[str, Any]:
        # scikit-learn 1.5 reads these tags. There, poor_score does not skip
        # check_classifiers_classes.
        return {
            "poor_score": True,
            "no_validation": True,
            "_xfail_checks": {"check_classifiers_classes": "a constant predicts only one class"},
        }

    def _constant(
        self, y: ArrayLike, classes: NDArray[Any], sample_weight: ArrayLike | None
    ) -> NDArray[Any]:
        """Return the class to predict as an array of length 1 with the dtype of the classes."""
        constant = self.constant
        if self.strategy != "constant":
            if isinstance(self.labels, OrdinalScale):
                # The order is known, so `y` is not inspected again.
                scale = self.labels
                sizes = _sizes_on_scale(scale, y, sample_weight)
            else:
                scale, sizes = _class_sizes(y, self.labels, sample_weight)
            if self.strategy == "median":
                position = _median(sizes)
            else:
                shares = None
                if self.prevalence is not None:
                    shares = confusion_counts.check_shares(
                        "prevalence", self.prevalence, len(scale)
                    )
                position = best_constant(scale, sizes, _label_metric(self.metric), shares)
            constant = scale.labels[position]
        # An array is not a class and would have no truth value.
        is_constant = [np.ndim(constant) == 0 and bool(label == constant) for label in classes]
        if not any(is_constant):
            raise ValueError(
                f"constant must be one of the classes in y, {classes.tolist()}, "
                f"got {checks.shown(constant)}."
            )
        return classes[is_constant]


def is_guesser(estimator: Any) -> bool:
    """Return whether an estimator predicts at random, regardless of the features."""
    is_dummy = isinstance(estimator, (DummyClassifier, OrdinalDummyClassifier))
    return is_dummy and estimator.strategy in ("stratified", "uniform")


def guessed_shares(guesser: Any, scale: OrdinalScale) -> NDArray[np.float64]:
    """Return the probability with which each class of the scale is predicted."""
    classes = guesser.classes_
    weights = guesser.class_prior_ if guesser.strategy == "stratified" else np.ones(len(classes))
    shares = np.zeros(len(scale))
    shares[[scale.position(label) for label in classes.tolist()]] = weights / np.sum(weights)
    return shares


def _class_sizes(
    y: ArrayLike, labels: Any = None, sample_weight: ArrayLike | None = None
) -> tuple[OrdinalScale, Counts]:
    """Return the scale of `y` and the number, or weight, of the samples of each class."""
    encoded = scales.encode({"y": y}, labels)
    (positions,) = encoded.columns
    pair = encoded._replace(columns=(positions, positions))
    counts, scale = counting.counts_on_scale(pair, sample_weight)
    return scale, counts.diagonal()


def _sizes_on_scale(scale: OrdinalScale, y: ArrayLike, sample_weight: ArrayLike | None) -> Counts:
    classes, class_of = np.unique(column_or_1d(y), return_inverse=True)
    sizes = np.bincount(class_of, sample_weight)
    on_scale = np.zeros(len(scale), dtype=sizes.dtype)
    on_scale[[scale.position(label) for label in classes.tolist()]] = sizes
    return on_scale


def _label_metric(metric: MetricLike) -> OrdinalMetric:
    criterion = lookup.get_metric(metric)
    catalogue.check_has_direction(criterion, "metric")
    if OrdinalConfusion not in criterion.evidence.accepts:
        raise ValueError(
            f"metric must be a metric of labels for the strategy 'best_constant', got "
            f"{criterion.name}, which needs {criterion.evidence.noun}."
        )
    return criterion


def _median(sizes: Counts) -> int:
    # Allow for rounding errors in a sum that equals half of the weight.
    half = sizes.sum() / 2 * (1 - tolerances.ROUNDING_OF_SUMS)
    return int(np.searchsorted(np.cumsum(sizes), half))


def best_constant(
    scale: OrdinalScale,
    sizes: Counts,
    metric: OrdinalMetric,
    shares: NDArray[np.float64] | None = None,
) -> int:
    """Return the position of the class, among the classes with samples, that is best for all."""
    candidates = np.flatnonzero(sizes)
    is_weighted = shares is not None
    # A class without samples may have a positive share, since a constant is predicted for it too.
    evaluated = sizes if shares is None else shares * sizes.sum()
    by_size = candidates[np.argsort(-sizes[candidates], kind="stable")]
    costs = _constant_costs(evaluated, by_size, metric)
    if costs is not None:
        # Ties go to the first candidate, the most frequent class.
        weights, is_candidate = evaluated[None, evaluated > 0], np.ones((1, len(by_size)), bool)
        return int(
            by_size[_cost.least_cost_decisions(weights.astype(float), costs, is_candidate)[0, 0]]
        )
    n_chunks = math.ceil(len(candidates) * len(sizes) ** 2 / _CELLS_PER_CHUNK)
    values = np.concatenate(
        [
            metric(OrdinalConfusion(scale, _constant_counts(evaluated, chunk), is_weighted))
            for chunk in np.array_split(candidates, n_chunks)
        ]
    )
    gains = values if metric.greater_is_better else -values
    gains = np.where(np.isnan(gains), -np.inf, gains)
    # Values that are equal up to rounding are tied.
    tied = candidates[
        np.isclose(gains, gains.max(), rtol=tolerances.TIE, atol=tolerances.SAME_VALUE)
    ]
    return int(tied[sizes[tied].argmax()])


def _constant_costs(
    sizes: Counts, constants: NDArray[np.intp], metric: OrdinalMetric
) -> NDArray[np.float64] | None:
    """Return the cost of each constant for each class with samples, None if not all are finite."""
    if metric.evidence.reads_labels:
        return None  # The metric may have its own order of the classes.
    costs = metric.cost_matrix(sizes)
    if costs is None:
        return None
    costs = costs[sizes > 0][:, constants]
    return _cost.without_rounding_errors(costs[None]) if np.isfinite(costs).all() else None


def _constant_counts(sizes: Counts, constants: NDArray[np.intp]) -> Counts:
    """Return, for each class, the counts if all samples are predicted as that class."""
    counts = np.zeros((len(constants), len(sizes), len(sizes)), dtype=sizes.dtype)
    counts[np.arange(len(constants)), :, constants] = sizes
    return counts
