"""`OptimalDecisionClassifier`: decisions with the lowest expected cost, from probabilities."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from sklearn_ordinal._core import catalogue, checks, containers, lookup
from sklearn_ordinal._core.lookup import MetricLike
from sklearn_ordinal._core.scales import OrdinalScale
from sklearn_ordinal.metrics import _cost
from sklearn_ordinal.model_selection import _fitting, _wrapping
from sklearn_ordinal.model_selection._wrapping import WrappingClassifier

_DEFAULT_METRIC = "cem_ord"


class OptimalDecisionClassifier(WrappingClassifier):
    """Predict the class with the lowest expected cost, given the probabilities of a classifier.

    Most classifiers predict the most probable class, which is the best decision for accuracy.
    For other criteria, other classes may be best: the median for the mean absolute error, and a
    rarer class or one nearer to the middle for `cem_ord_score`. This classifier fits
    `estimator`, calls its `predict_proba`, and predicts the class with the lowest expected cost
    according to `metric` or to a `cost_matrix`. Nothing is tuned, and the probabilities are not
    changed.

    Parameters
    ----------
    estimator : estimator
        Classifier with `predict_proba`. It is cloned and fitted, unless it is a
        `sklearn.frozen.FrozenEstimator`: then `fit` only learns the classes and their counts.
    metric : str, callable or OrdinalMetric, default="cem_ord"
        Criterion to optimise, in any form that `get_metric` accepts: the closeness family, the
        mean absolute and squared error and their means over classes, accuracy, balanced
        accuracy, accuracy within n, or `expected_cost_loss`. It must be linear in the counts of
        the confusion matrix, given the sizes of the true classes, so that each error has a cost.
    labels : array-like of shape (n_classes,) or OrdinalScale, default=None
        All classes from the lowest to the highest. If None, taken from an ordered dtype or
        from integers; required for strings.
        The order is bound to the named ordinal scorers inside the estimator.
    cost_matrix : array-like of shape (n_classes, n_classes), default=None
        Cost of each prediction, used instead of the costs of `metric`: **rows are true classes,
        columns are predicted classes**, both in the order of `labels`, not of `classes_`. Other
        sources may use rows for the predicted classes: transpose their matrices.
    class_counts : array-like of shape (n_classes,), default=None
        Number, or weight, of the samples of each class, in the order of `labels`. They define
        the costs of `metric`. If None, the counts of the training labels, weighted by
        `sample_weight`. A class with count 0 is never predicted.

    Attributes
    ----------
    estimator_ : estimator
        The fitted classifier.
    classes_ : ndarray of shape (n_classes_in_training,)
        Classes of the classifier, sorted as in all classifiers of scikit-learn, not by their
        order on the scale.
    labels_ : ndarray of shape (n_classes,)
        All classes from the lowest to the highest.
    class_counts_ : ndarray of shape (n_classes,)
        The counts that define the costs, in the order of `labels_`.
    cost_matrix_ : ndarray of shape (n_classes, n_classes)
        Cost of each prediction, rows true, columns predicted, in the order of `labels_`. The
        costs of a metric are known up to a factor; the costs of closeness are in bits.
    n_features_in_ : int
        Number of features seen in `fit`, if `estimator_` has it.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the features seen in `fit`, if `estimator_` has them.

    See Also
    --------
    sklearn_ordinal.metrics.closeness_costs : Costs of errors according to CEM_ORD, in bits.
    sklearn_ordinal.metrics.expected_cost_loss : The mean cost of predictions.
    sklearn.model_selection.FixedThresholdClassifier : A threshold for two classes.

    Notes
    -----
    Two classes are compared by the differences between their costs for each true class. They are
    tied if the expected difference is within rounding, 1e-12 times the expected absolute
    difference. The lowest class that does not cost more than any other class is predicted. A
    cost does not matter, however large it is, if its true class has probability 0 or if both
    classes have the same cost. Use a large number for an error that must not be made. Costs of a
    true class that differ only in their last digits count as equal. Probabilities of a class
    without counts are left out.

    The decisions are only as good as the probabilities. If the probabilities are not
    calibrated, wrap the classifier in `sklearn.calibration.CalibratedClassifierCV`
    first.

    `predict` does not return the class with the highest probability, except for accuracy.

    Examples
    --------
    The highest class of these evaluations is rare, and is never the most probable class:

    >>> import numpy as np
    >>> from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    >>> from sklearn_ordinal.datasets import load_lev
    >>> from sklearn_ordinal.decisions import OptimalDecisionClassifier
    >>> X, y = load_lev(return_X_y=True)
    >>> optimal = OptimalDecisionClassifier(LinearDiscriminantAnalysis()).fit(X, y)
    >>> for classes in (y, optimal.estimator_.predict(X), optimal.predict(X)):
    ...     print(np.bincount(classes, minlength=5))
    [ 93 280 403 197  27]
    [ 48 296 478 178   0]
    [ 98 284 345 258  15]
    """

    _without_weights = "pass weighted class_counts= instead"

    def __init__(
        self,
        estimator: Any,
        *,
        metric: MetricLike = _DEFAULT_METRIC,
        labels: ArrayLike | OrdinalScale | None = None,
        cost_matrix: ArrayLike | None = None,
        class_counts: ArrayLike | None = None,
    ) -> None:
        self.estimator = estimator
        self.metric = metric
        self.labels = labels
        self.cost_matrix = cost_matrix
        self.class_counts = class_counts

    def fit(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, **fit_params: Any
    ) -> Self:
        """Fit the classifier, and learn the classes and the costs.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training data.
        y : array-like of shape (n_samples,)
            Classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative sample weights, for the classifier and for the class counts.
        **fit_params : dict
            Parameters for `fit` of the classifier. If metadata routing is enabled, only the
            parameters that it requests.

        Returns
        -------
        OptimalDecisionClassifier
            The fitted classifier.

        Raises
        ------
        ValueError
            If the estimator has no `predict_proba` or does not take weights, the order of the
            classes is not known, `metric` is not a sum of costs, or `cost_matrix` or
            `class_counts` are not valid.
        """
        if not hasattr(self.estimator, "predict_proba"):
            raise ValueError(
                f"estimator must have predict_proba, which {type(self.estimator).__name__} does "
                f"not: wrap a classifier in sklearn.calibration.CalibratedClassifierCV, and a "
                f"regressor in TunedOrdinalThresholdClassifierCV."
            )
        values, positions, scale, weight = self._training_classes(X, y, sample_weight)
        sizes = np.bincount(positions, weight, len(scale)).astype(np.float64)
        counts = self._class_counts(sizes)
        costs = self._costs(counts)
        fit_params = self._routed(weight, fit_params).estimator.fit
        self.estimator_ = _wrapping.fit_in_order(self.estimator, X, values, scale, fit_params)
        self.classes_ = _wrapping.classes_of(self.estimator_)
        self.labels_, self.class_counts_, self.cost_matrix_ = scale.labels, counts, costs
        self._set_candidates(scale, sizes)
        _fitting.take_features(self, self.estimator_)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class with the lowest expected cost.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Data.

        Returns
        -------
        ndarray of shape (n_samples,)
            Predicted classes.
        """
        proba = self._candidate_probabilities(X)
        costs = _cost.without_rounding_errors(self._costs_of_candidates[None])
        (decided,) = _cost.least_cost_decisions(proba, costs, np.ones(costs.shape[:2], dtype=bool))
        classes: NDArray[Any] = self.classes_[self._candidates[decided]]
        return classes

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probabilities of the classifier without changes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Data.

        Returns
        -------
        ndarray of shape (n_samples, n_classes_in_training)
            Probabilities in the order of `classes_`.
        """
        check_is_fitted(self)
        probabilities: NDArray[np.float64] = self.estimator_.predict_proba(X)
        return probabilities

    def expected_costs(self, X: Any) -> NDArray[np.float64]:
        """Return the expected cost of predicting each class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Data.

        Returns
        -------
        ndarray of shape (n_samples, n_classes_in_training)
            Expected costs in the order of `classes_`, infinite for a class that is never
            predicted.
        """
        proba = self._candidate_probabilities(X)
        of_classes = np.full((len(proba), len(self.classes_)), np.inf)
        of_classes[:, self._candidates] = proba @ self._costs_of_candidates
        return of_classes

    def _class_counts(self, sizes: NDArray[np.float64]) -> NDArray[np.float64]:
        if self.class_counts is None:
            return sizes
        counts = checks.as_class_numbers("class_counts", self.class_counts).astype(np.float64)
        if counts.shape != sizes.shape:
            raise ValueError(
                f"class_counts must have shape {sizes.shape}, one size for each class of the scale "
                f"from the lowest to the highest, got {counts.shape}: pass labels= if there are "
                f"more classes."
            )
        checks.check_amounts("class_counts", counts)
        return counts

    def _costs(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the cost of each error on the scale, rows true."""
        metric = lookup.get_metric(self.metric)
        if self.cost_matrix is not None:
            if self.metric != _DEFAULT_METRIC:
                raise ValueError(
                    f"cost_matrix and metric={checks.shown(self.metric)} exclude each other: pass "
                    "one of them."
                )
            return _cost.check_cost_matrix(self.cost_matrix, len(counts))
        _wrapping.check_takes_classes("metric", metric)
        catalogue.check_has_direction(metric, "metric")
        if metric.evidence.reads_labels and metric.costs is not None:
            raise ValueError(
                f"metric must not have labels of its own, but {metric.name} has: pass labels= to "
                f"the classifier, and the metric by name."
            )
        costs = metric.cost_matrix(counts)
        if costs is None:
            raise ValueError(
                f"metric must be a sum of costs of single predictions, which {metric.name} is not "
                f"known to be, since in a ratio such as a kappa the cost of a prediction depends "
                f"on the other predictions: tune thresholds for it with "
                f"TunedOrdinalThresholdClassifierCV, or pass cost_matrix=."
            )
        return costs

    def _set_candidates(self, scale: OrdinalScale, sizes: NDArray[np.float64]) -> None:
        """Find the columns of the classes that may be predicted, starting with the lowest class."""
        positions = scale.encode(containers.read_column(self.classes_, "classes_ of the estimator"))
        unknown = scale.labels[np.setdiff1d(np.flatnonzero(sizes), positions)]
        if len(unknown):
            raise ValueError(
                f"y has classes that the estimator was not fitted on, {unknown.tolist()}: fit it "
                f"on all classes."
            )
        order = np.argsort(positions)
        self._candidates = order[self.class_counts_[positions[order]] > 0]
        occurring = positions[self._candidates]
        if not len(occurring):
            raise ValueError(
                "class_counts must be positive for at least one class that occurs in y, got 0 for "
                "each of them."
            )
        self._costs_of_candidates = self.cost_matrix_[np.ix_(occurring, occurring)]
        if not np.isfinite(self._costs_of_candidates).all():
            raise ValueError(
                "cost_matrix must be finite for the classes that occur, got infinite costs: pass "
                "large costs instead."
            )

    def _candidate_probabilities(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each candidate, starting with the lowest class."""
        check_is_fitted(self)
        proba: NDArray[np.float64] = _wrapping.probabilities_of(self.estimator_, X)[
            :, self._candidates
        ]
        return proba
