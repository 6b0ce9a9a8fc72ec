"""One estimator in cross-validation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike

from sklearn_ordinal._core import MetricsLike, check_classifier, check_share, one_column
from sklearn_ordinal.model_selection._evaluation import make_evaluation
from sklearn_ordinal.model_selection._fold_reports import make_report
from sklearn_ordinal.model_selection._folds import fit_on_folds
from sklearn_ordinal.reports import CrossValReport, chosen_metrics, kinds_of_criteria


def cross_val_report(
    estimator: Any,
    X: ArrayLike,
    y: ArrayLike,
    *,
    cv: Any = None,
    groups: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    metrics: MetricsLike | None = None,
    prevalence: ArrayLike | None = None,
    params: Mapping[str, Any] | None = None,
    confidence_level: float = 0.95,
    n_jobs: int | None = None,
    return_estimator: bool = False,
    verbose: bool | None = None,
) -> CrossValReport:
    """Report on an estimator in cross-validation, fold by fold and pooled.

    The scale is taken once from all of `y`, so folds that lack a class are comparable. With
    repeated folds, each sample counts once in the pooled report.

    Parameters
    ----------
    estimator : estimator instance
        Classifier, pipeline or search, cloned for each fold.
    X : array-like of shape (n_samples, n_features)
        Features, of any kind that the estimator takes.
    y : array-like of shape (n_samples,)
        True classes.
    cv : int, cross-validation generator or iterable, default=None
        Number of stratified folds, by default 5, a splitter, or a list of (train, test)
        indices.
    groups : array-like of shape (n_samples,), default=None
        Group of each sample, for example the patient or the document. If `cv` is None or
        an integer, the folds are those of `StratifiedGroupKFold`; with any other `cv`, a
        group on both sides of a fold is an error.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
        The order is bound to the named scorers of this package inside the estimator, such as
        the ``scoring`` of a search, and is the ``labels`` of its classifiers without their own.
    metrics : str, callable, iterable or dict of them, default=None
        The criteria, as `get_metric` takes them: names such as "cem_ord" and those of
        scikit-learn's scorers, metric functions, functions with options bound by
        `functools.partial`, and criteria of your own, ``f(y_true, y_pred)`` or
        ``f(estimator, X, y)``; or "all" for all of the package that the estimator allows:
        those of probabilities if it has ``predict_proba``. If None: "cem_ord",
        "accuracy", "within_1_accuracy", "macro_averaged_mean_absolute_error",
        "quadratic_weighted_kappa" and "kendall_tau_b".
    prevalence : array-like of shape (n_classes,), default=None
        Share of each true class, from the lowest to the highest, at which all criteria are
        computed, in each fold and for all folds together, see `OrdinalConfusion.at_prevalence`.
        Each fold must test samples of each class with a positive share. If None, each fold
        has its own class sizes.
    params : dict, default=None
        Parameters for ``estimator.fit``; if metadata routing is enabled, also for the
        splitter and for nested estimators, as each requests.
    confidence_level : float, default=0.95
        Level of the intervals.
    n_jobs : int, default=None
        Number of parallel fits, as in scikit-learn. The backend is joblib's: a
        `joblib.parallel_config` around the call runs the fits on dask or ray.
    return_estimator : bool, default=False
        Whether to keep the fitted estimators.
    verbose : bool or None, default=None
        Whether to show a progress bar. If None, it is shown in notebooks and where stderr
        is a terminal, if tqdm is installed; True shows it everywhere and warns if tqdm is
        not installed.

    Returns
    -------
    CrossValReport
        Reports of the folds and of all folds pooled.

    Raises
    ------
    ValueError
        If the order of the classes is not known or a scorer inside `estimator` has
        another one, a class is not in `labels`, a metric is not known, a group is on both
        sides of a fold, every fit fails, or with `prevalence`, a fold lacks a class or a
        criterion is evaluated without weights.

    See Also
    --------
    compare_estimators : Several estimators on the same folds, compared with baselines.
    GroupReport.from_cross_val : The predictions of all folds for groups of samples.
    sklearn.model_selection.cross_validate : Only the scores, of any scorer.

    Notes
    -----
    If a fit fails, there is a `FitFailedWarning` and an entry in ``failures``, its scores are
    NaN and the other folds are kept. A search whose scores are all NaN is a failed fit. An
    estimator that cannot be pickled raises an error if it is sent to other processes.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_ordinal import cross_val_report
    >>> from sklearn_ordinal.datasets import load_lev
    >>> X, y = load_lev(return_X_y=True)
    >>> tree = DecisionTreeClassifier(max_depth=4, random_state=0)
    >>> print(cross_val_report(tree, X, y, cv=3, metrics="cem_ord"))
    3 folds of 333 to 334 samples by StratifiedKFold, 5 classes.
    ...
    """
    check_share("confidence_level", confidence_level)
    check_classifier("estimator", estimator)
    chosen = chosen_metrics(metrics, kinds_of_criteria([estimator]))
    y = one_column(y)
    evaluation = make_evaluation(y, labels, chosen, prevalence)
    fits = fit_on_folds(
        {"estimator": estimator},
        X,
        y,
        evaluation,
        cv=cv,
        groups=groups,
        params=params,
        n_jobs=n_jobs,
        return_estimator=return_estimator,
        verbose=verbose,
    )
    return make_report(fits, "estimator", evaluation, confidence_level=confidence_level)
