"""A classifier that cuts a score where a criterion is best in cross-validation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import get_config
from sklearn.base import is_regressor
from sklearn.model_selection import GroupShuffleSplit, StratifiedShuffleSplit
from sklearn.utils import indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.metaestimators import _safe_split, available_if
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _check_method_params, check_is_fitted

from sklearn_ordinal._core import checks, containers, lookup, scales
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.lookup import MetricLike
from sklearn_ordinal._core.scales import OrdinalScale
from sklearn_ordinal.decisions._cuts import ClassesByScore, TunedCuts
from sklearn_ordinal.model_selection import _fitting, _wrapping
from sklearn_ordinal.model_selection._wrapping import TrainingClasses, WrappingClassifier

_Split: TypeAlias = tuple[NDArray[np.intp] | None, NDArray[np.intp]]


def _estimator_has(method: str) -> Callable[[Any], bool]:
    """Return a check, for `available_if`, that the wrapped estimator has a method."""

    def check(self: Any) -> bool:
        # Raise the AttributeError of the estimator.
        getattr(getattr(self, "estimator_", self.estimator), method)
        return True

    return check


class TunedOrdinalThresholdClassifierCV(WrappingClassifier):
    """Predict classes by cutting a score where a criterion is best.

    Any classifier with probabilities, and any regressor, gives each sample a score. The
    ``n_classes - 1`` cuts on the score are chosen so that the pooled predictions of
    cross-validation have the best value of `scoring`. The estimator is then fitted on all
    samples. It is the ordinal counterpart of
    `sklearn.model_selection.TunedThresholdClassifierCV`.

    Parameters
    ----------
    estimator : estimator instance
        Classifier or regressor. The score of a sample is its expected position on the scale
        according to `predict_proba`, rounded to 12 digits. For a classifier without
        `predict_proba`, the score is the one-dimensional `decision_function`. A regressor is
        fitted on the positions 0, 1, ... of the classes, and the score is its prediction.
    scoring : str, callable or OrdinalMetric, default="cem_ord"
        Criterion of predicted classes, in any form that `get_metric` accepts. Losses are
        minimised, with or without ``neg_``. Criteria that are linear in the counts, such as
        accuracy, mean absolute error and the closeness family, are maximised exactly; so are
        ratios of linear criteria, such as weighted kappas, up to rounding.
    labels : array-like of shape (n_classes,) or OrdinalScale, default=None
        All classes from the lowest to the highest. If None, taken from an ordered dtype
        or from integers; required for strings.
        The order is bound to the named ordinal scorers inside the estimator.
    cv : int, float, cross-validation generator, iterable or "prefit", default=5
        How to split the samples into samples on which the estimator is fitted and samples whose
        scores are cut: a number of stratified folds; the share of a single stratified test set;
        a splitter or a list of splits; or "prefit" for a fitted estimator and samples that it
        has not seen.
    n_thresholds : int, default=200
        Number of quantiles of the score that are tried for each cut in turn if the
        criterion is not linear, and the largest number of points in `cv_results_`.
    refit : bool, default=True
        Whether to fit the estimator on all samples. False requires ``cv="prefit"`` or a
        single split, whose estimator is then kept.
    n_jobs : int, default=None
        Number of parallel fits, as in scikit-learn.
    random_state : int, RandomState instance or None, default=None
        Source of the split if `cv` is a share. The search itself is deterministic.
    store_cv_results : bool, default=False
        Whether to store the criterion along each cut in `cv_results_`, which
        `~sklearn_ordinal.plotting.ThresholdTuningDisplay` plots.

    Attributes
    ----------
    estimator_ : estimator instance
        The fitted estimator.
    labels_ : ndarray of shape (n_classes,)
        All classes from the lowest to the highest.
    best_thresholds_ : ndarray of shape (n_classes - 1,)
        The cuts in ascending order, each midway between neighbouring scores or just beyond
        all scores. A score equal to a cut is above it. A class between cuts that coincide
        is never predicted. Cuts are infinite next to a class without samples at an end of
        the scale.
    best_score_ : float
        Value of the criterion for the pooled predictions with these cuts, negated if lower
        is better.
    cv_thresholds_ : ndarray of shape (n_splits, n_classes - 1)
        For each split, the cuts that are best for its test samples alone; their spread
        shows how well the samples determine the cuts. NaN for test samples without weight.
    cv_results_ : dict
        If `store_cv_results`, lists with one array for each cut. "thresholds": the
        candidates for this cut between its neighbours. "scores": the values of the
        criterion at the candidates with the other cuts fixed, negated if lower is
        better.
    classes_ : ndarray of shape (n_classes_seen,)
        Classes of the fitted classifier, or in `y` for regressors, sorted as in all
        classifiers of scikit-learn, not by their order on the scale.
    n_features_in_ : int
        Number of features seen in `fit`, if the estimator has it.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the features seen in `fit`, if the estimator has them.

    See Also
    --------
    sklearn.model_selection.TunedThresholdClassifierCV : The cut between two classes.
    OptimalDecisionClassifier : Decide from probabilities by costs, without tuning.
    sklearn_ordinal.plotting.ThresholdTuningDisplay : Plot the criterion along each cut.

    Notes
    -----
    If several sets of cuts have the best value of a linear criterion, the lowest cuts are
    chosen. Values are equal if they differ by less than rounding errors: 1e-12 times the costs
    of the samples that are predicted differently. Integer costs and counts have no rounding
    errors. Large costs therefore change the cuts only if they are incurred. Other criteria are
    maximised from five starts: the cuts that predict each class as often as it occurs, and the
    best cuts for accuracy, mean absolute error, and the means of both over classes. Each start
    is improved in turn by the best cuts of the linear approximation and by moving single cuts,
    until neither helps, so the result is never worse than a start.

    Only classes that occur in the test samples with a positive weight are predicted. Sample
    weights are passed to the estimator and used to weight the counts. A criterion from outside
    this package is evaluated one matrix at a time, which is slow, so it is maximised from the
    best start only.

    Examples
    --------
    >>> from sklearn.linear_model import Ridge
    >>> from sklearn_ordinal.datasets import load_lev
    >>> from sklearn_ordinal.decisions import TunedOrdinalThresholdClassifierCV
    >>> X, y = load_lev(return_X_y=True)
    >>> model = TunedOrdinalThresholdClassifierCV(Ridge()).fit(X, y)
    >>> model.best_thresholds_.round(2)
    array([0.76, 1.54, 2.21, 2.99])
    >>> model.cv_thresholds_[:, 1].round(2)  # the second cut of each fold
    array([1.41, 1.5 , 1.67, 1.59, 1.71])
    """

    # Groups are for the splits, so metadata routing passes them unless they are declined.
    __metadata_request__fit: ClassVar[dict[str, bool]] = {"groups": True}
    _without_weights = (
        "leave it out, or enable metadata routing and request it for this classifier alone"
    )

    def __init__(
        self,
        estimator: Any,
        *,
        scoring: MetricLike = "cem_ord",
        labels: ArrayLike | OrdinalScale | None = None,
        cv: Any = 5,
        n_thresholds: int = 200,
        refit: bool = True,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        store_cv_results: bool = False,
    ) -> None:
        self.estimator = estimator
        self.scoring = scoring
        self.labels = labels
        self.cv = cv
        self.n_thresholds = n_thresholds
        self.refit = refit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.store_cv_results = store_cv_results

    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        groups: ArrayLike | None = None,
        **params: Any,
    ) -> Self:
        """Tune the cuts and fit the estimator.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training data, of any kind that the estimator takes.
        y : array-like of shape (n_samples,)
            Classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Non-negative sample weights, for the estimator and for the criterion.
        groups : array-like of shape (n_samples,), default=None
            Group of each sample, for example the patient. No group is in both the training and
            the test samples of a split: a number of folds means `StratifiedGroupKFold`, a share
            is of the groups, and for any other `cv` an error is raised if it divides a group.
            A search inside this classifier receives the groups as well.
        **params : dict
            Parameters to pass to the estimator's `fit`. If metadata routing is enabled,
            parameters are also passed to the splitter and to nested estimators that request them.

        Returns
        -------
        TunedOrdinalThresholdClassifierCV
            The fitted classifier.

        Raises
        ------
        ValueError
            If the order of the classes is not known, a class is not in `labels`, the criterion
            needs more than predicted classes or has infinite costs for classes that occur, the
            estimator has no method that returns scores, a group is in both the training and the
            test samples of a split, or an option is invalid.
        """
        (metric,) = lookup.get_metrics([self.scoring], argument="scoring", with_direction=True)
        _wrapping.check_takes_classes("scoring", metric)
        _check_has_scores(self.estimator)
        checks.check_count("n_thresholds", self.n_thresholds, at_least=1)
        checks.check_bool("refit", self.refit)
        checks.check_bool("store_cv_results", self.store_cv_results)
        checks.as_random_state(self.random_state)  # raises if it is invalid
        classes = self._training_classes(X, y, sample_weight)
        X, values = indexable(X, classes.values)
        positions, scale = classes.positions, classes.scale
        if groups is not None:
            scales.encode_groups(groups, len(values))  # raises if the groups are invalid
            groups = containers.one_column(groups)
            is_routed = get_config()["enable_metadata_routing"]
            params |= (
                {"groups": groups} if is_routed else _fitting.groups_for_fit(self.estimator, groups)
            )
        routed = self._routed(classes.sample_weight, params)
        # Regressors learn the positions of the classes, classifiers the labels as they were passed.
        target = positions.astype(np.float64) if is_regressor(self.estimator) else values
        # If `cv` is a number of folds or a share, splits are stratified by position, since
        # fractional labels have positions as well.
        is_splitter = hasattr(self.cv, "split")
        splits = self._splits(
            X, values if is_splitter else positions, groups, routed.splitter.split
        )
        checks.check_n_jobs(self.n_jobs)
        fits = Parallel(n_jobs=self.n_jobs)(
            delayed(_fit_and_score)(
                self.estimator, X, target, train, test, routed.estimator.fit, scale
            )
            for train, test in splits
        )
        if self.refit:
            self.estimator_ = _wrapping.fit_in_order(
                self.estimator, X, target, scale, routed.estimator.fit
            )
        else:
            self.estimator_ = fits[0][0]
        self.labels_ = scale.labels
        self._set_classes(values)
        self._tune(metric, classes, splits, [scores for _, scores in fits])
        _fitting.take_features(self, self.estimator_)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict classes with the cuts.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, of any kind that the estimator takes.

        Returns
        -------
        ndarray of shape (n_samples,)
            Predicted classes.

        Raises
        ------
        ValueError
            If a score is NaN or infinite.
        """
        check_is_fitted(self)
        scale = OrdinalScale(self.labels_)
        scores = _wrapping.estimator_scores(self.estimator_, X, scale)
        predicted = np.searchsorted(self.best_thresholds_, scores, side="right")
        by_position = np.empty(len(scale), dtype=self.classes_.dtype)
        by_position[scale.encode(self.classes_)] = self.classes_
        classes: NDArray[Any] = by_position[predicted]
        return classes

    @available_if(_estimator_has("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict the probability of each class, as the estimator does.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, of any kind that the estimator takes.

        Returns
        -------
        ndarray of shape (n_samples, n_classes_seen)
            Probabilities in the order of `classes_`. The cuts do not change the
            probabilities, so the predicted class need not be the most probable.
        """
        check_is_fitted(self)
        probabilities: NDArray[np.float64] = self.estimator_.predict_proba(X)
        return probabilities

    @available_if(_estimator_has("predict_log_proba"))  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict the logarithm of the probability of each class, as the estimator does.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, of any kind that the estimator takes.

        Returns
        -------
        ndarray of shape (n_samples, n_classes_seen)
            Logarithms of the probabilities in the order of `classes_`.
        """
        check_is_fitted(self)
        with np.errstate(divide="ignore"):  # trees predict probabilities of 0
            probabilities: NDArray[np.float64] = self.estimator_.predict_log_proba(X)
        return probabilities

    @available_if(_estimator_has("decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the decision values of the estimator.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples, of any kind that the estimator takes.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes_seen)
            Decision values, in the order of `classes_`.
        """
        check_is_fitted(self)
        values: NDArray[np.float64] = self.estimator_.decision_function(X)
        return values

    def get_metadata_routing(self) -> MetadataRouter:
        """Return the metadata that `fit`, the estimator and the splitter request.

        Returns
        -------
        MetadataRouter
            The routing of the parameters of `fit`.
        """
        router = super().get_metadata_routing()
        return router.add(
            splitter=self.cv, method_mapping=MethodMapping().add(caller="fit", callee="split")
        )

    def _splits(
        self, X: Any, y: NDArray[Any], groups: Any, split_params: dict[str, Any]
    ) -> Sequence[_Split]:
        """Return training and test samples; all samples are test samples of a fitted estimator."""
        if isinstance(self.cv, str) and self.cv == "prefit":
            if self.refit:
                raise ValueError("refit must be False if cv='prefit', got True.")
            check_is_fitted(self.estimator)
            return [(None, np.arange(len(y)))]
        if checks.is_real(self.cv) and 0 < self.cv < 1:
            kind = StratifiedShuffleSplit if groups is None else GroupShuffleSplit
            cv = kind(1, test_size=self.cv, random_state=self.random_state)
        else:
            others = "the share of a test set, a splitter, splits or 'prefit'"
            cv = _fitting.make_splitter(self.cv, y, groups, others)
        if groups is not None:
            split_params = {**split_params, "groups": groups}
        splits = _fitting.make_splits(cv, X, y, split_params, len(y))
        if not self.refit and len(splits) > 1:
            raise ValueError(
                f"refit must be True if cv has several splits, got False and {len(splits)} splits."
            )
        return splits

    def _set_classes(self, y: NDArray[Any]) -> None:
        in_y = np.unique(y)
        self.classes_ = getattr(self.estimator_, "classes_", in_y)
        unknown = in_y[~np.isin(in_y, self.classes_)].tolist()
        if unknown:
            raise ValueError(
                f"y has classes that the estimator was not fitted on, {unknown}: fit it on all "
                f"classes, or use refit=True."
            )

    def _tune(
        self,
        metric: OrdinalMetric,
        classes: TrainingClasses,
        splits: Sequence[_Split],
        scores: list[NDArray[np.float64]],
    ) -> None:
        _, positions, scale, sample_weight = classes
        tests = [test for _, test in splits]
        pooled = np.concatenate(tests)
        if sample_weight is not None and not sample_weight[pooled].any():
            raise ValueError(
                "sample_weight must be positive for at least one test sample of cv, got 0 for each."
            )

        def tuned(test: NDArray[np.intp], scores: NDArray[np.float64]) -> TunedCuts:
            weights = None if sample_weight is None else sample_weight[test]
            by_score = ClassesByScore.from_scores(positions[test], scores, len(scale), weights)
            return TunedCuts.search(by_score, metric, scale, self.n_thresholds)

        best = tuned(pooled, np.concatenate(scores))
        self.best_thresholds_, self.best_score_ = best.thresholds + best.unused, best.score
        self.cv_thresholds_ = np.full((len(tests), len(scale) - 1), np.nan)
        for row, (test, of_test) in enumerate(zip(tests, scores, strict=True)):
            if len(tests) == 1:
                self.cv_thresholds_[row] = self.best_thresholds_
            elif sample_weight is None or sample_weight[test].any():
                self.cv_thresholds_[row] = tuned(test, of_test).thresholds + best.unused
        if self.store_cv_results:
            along = best.along_cuts(self.n_thresholds)
            self.cv_results_ = dict(zip(("thresholds", "scores"), along, strict=True))
        elif hasattr(self, "cv_results_"):
            del self.cv_results_


def _check_has_scores(estimator: Any) -> None:
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


def _fit_and_score(
    estimator: Any,
    X: Any,
    y: NDArray[Any],
    train: NDArray[np.intp] | None,
    test: NDArray[np.intp],
    fit_params: dict[str, Any],
    scale: OrdinalScale,
) -> tuple[Any, NDArray[np.float64]]:
    """Return the estimator fitted on the training samples, and the scores of the test samples."""
    if train is None:
        return estimator, _wrapping.estimator_scores(estimator, X, scale)
    X_train, y_train = _safe_split(estimator, X, y, train)
    X_test, _ = _safe_split(estimator, X, y, test, train)
    train_params = _check_method_params(X, fit_params, train)
    fitted = _wrapping.fit_in_order(estimator, X_train, y_train, scale, train_params)
    return fitted, _wrapping.estimator_scores(fitted, X_test, scale)
