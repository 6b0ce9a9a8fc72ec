"""Several estimators on the same folds, compared with baselines."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, is_regressor

from sklearn_ordinal._core import (
    ByMetric,
    MetricsLike,
    OrdinalMetric,
    check_classifier,
    check_named,
    check_rope,
    check_share,
    get_metrics,
    one_column,
    score_if_undefined,
    shown,
)
from sklearn_ordinal.decisions import RoundedRegressor
from sklearn_ordinal.inference import (
    PosteriorProbabilities,
    bayesian_correlated_t_test,
    dense_ranks,
    holm_correction,
)
from sklearn_ordinal.model_selection import (
    Evaluation,
    ExpectedScores,
    cause_as_text,
    default_baselines,
    expected_scores,
    fit_on_folds,
    guessed_folds,
    has_evidence,
    make_evaluation,
)
from sklearn_ordinal.reports._comparison_report import ComparisonReport
from sklearn_ordinal.reports._criteria import available_kinds
from sklearn_ordinal.reports._cross_val_report import CrossValReport
from sklearn_ordinal.reports._fold_evidence import comparable, folds_difference, folds_interval
from sklearn_ordinal.reports._model_comparison import ModelComparison
from sklearn_ordinal.reports._provenance import Provenance

# A baseline that guesses becomes the reference only if it beats every constant baseline by this
# many standard errors of its simulated score.
_N_ERRORS = 3


def compare_estimators(
    estimators: Mapping[str, Any],
    X: ArrayLike,
    y: ArrayLike,
    *,
    baselines: Literal["default"] | Mapping[str, Any] | None = "default",
    scoring: MetricsLike = "cem_ord",
    cv: Any = None,
    groups: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    prevalence: ArrayLike | None = None,
    params: Mapping[str, Any] | None = None,
    rope: float | Mapping[str, float] = 0.01,
    confidence_level: float = 0.95,
    random_state: int | np.random.RandomState | None = None,
    n_jobs: int | None = None,
    return_estimator: bool = False,
    verbose: bool | None = None,
) -> ComparisonReport:
    """Compare estimators with baselines, on the same folds.

    For each criterion, a sentence says whether the estimator with the best mean is shown to
    beat the best baseline. For each difference from that baseline, the report has the interval and
    the p-value of the corrected resampled t-test [1]_, adjusted by Holm's method. It also has the
    probability that the difference matters in practice, from the Bayesian correlated t-test [2]_.
    Values and differences are in the unit of the criterion.

    Parameters
    ----------
    estimators : dict of str to estimator instance
        The estimators by name, cloned for each fold. A regressor is fitted on the positions 0, 1,
        ... of the classes, and its predictions are rounded to the nearest class;
        `~sklearn_ordinal.decisions.TunedOrdinalThresholdClassifierCV` chooses better cuts.
    X : array-like of shape (n_samples, n_features)
        Features, in any form that the estimators accept.
    y : array-like of shape (n_samples,)
        True classes.
    baselines : "default", dict of str to estimator instance, or None, default="default"
        Baselines to beat. By default `OrdinalDummyClassifier` with the majority class, stratified
        and uniform random guesses, the median class, and the constant class with the best value of
        the first criterion, if that is a criterion of labels. If one of the criteria needs
        probabilities, the baselines also include the class shares as probabilities. If None, the
        other estimators are compared with the first of `estimators`. Baselines that guess are
        scored by the expected value of their random predictions, see Notes.
    scoring : str, callable, iterable or dict of them, default="cem_ord"
        The criteria, in any form that `get_metric` accepts: names of metrics or scorers, including
        scikit-learn's, metric functions, functions with options bound by `functools.partial`, and
        criteria of your own, ``f(y_true, y_pred)`` or ``f(estimator, X, y)``; or "all" for all
        criteria of this package that can be computed for every estimator, which include criteria of
        probabilities if all estimators have ``predict_proba``. The first is the main criterion.
    cv : int, cross-validation generator or iterable, default=None
        Number of stratified folds, by default 5, a splitter, or a list of (train, test)
        indices.
    groups : array-like of shape (n_samples,), default=None
        Group of each sample, for example the patient or the document. If `cv` is None or
        an integer, the folds come from `StratifiedGroupKFold`; with any other `cv`, an error is
        raised if a fold has a group in both its training and its test samples.
        Searches, and estimators whose ``fit`` has the parameter ``groups``, such as
        `~sklearn_ordinal.decisions.TunedOrdinalThresholdClassifierCV`, receive the groups of
        their training samples; with metadata routing, those that request them.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered dtype or from
        integers; required for strings. Scorers of this package that are named inside an estimator,
        for example as the ``scoring`` of a search, use this order. Classifiers of this package
        whose ``labels`` are not set receive it as ``labels``.
    prevalence : array-like of shape (n_classes,), default=None
        Share of each true class, from the lowest to the highest. All criteria are computed at
        these shares, in each fold and for all folds together; see
        `OrdinalConfusion.at_prevalence`. Each fold must have test samples of each class with a
        positive share. If None, the observed class sizes of each fold are used.
    params : dict, default=None
        Parameters for ``fit`` of all estimators except the default baselines. If metadata routing
        is enabled, each estimator and the splitter receive only the parameters that they request.
    rope : float or dict of str to float, default=0.01
        Largest difference, in the unit of the criterion, that is practically zero. If the
        units of the criteria differ, pass a dict with a number for each criterion.
    confidence_level : float, default=0.95
        Level of the intervals.
    random_state : int, RandomState instance or None, default=None
        Seed of the default baselines that guess. Estimators that are passed in `baselines` use
        their own seeds.
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
    ComparisonReport
        The verdicts, tables, and a report of each estimator.

    Raises
    ------
    ValueError
        If there is nothing to compare, names clash, a scorer is not known, the order of the classes
        is not known or differs from the order of a scorer inside an estimator, a group is in both
        the training and the test samples of a fold, every fit of `estimators` fails, or if
        `prevalence` is given and a fold lacks a class or a criterion cannot be weighted.

    See Also
    --------
    cross_val_report : One estimator, fold by fold.
    compare_on_data_sets : Compare estimators over several data sets.

    Notes
    -----
    The folds come from one data set, so intervals and tests are about these fitted models on
    this data. They do not say that one learning algorithm is better than another: for
    that, compare the algorithms on several data sets with `compare_on_data_sets`, or refit them on
    independent samples.

    A baseline that guesses is a dummy classifier with the strategy "stratified" or "uniform". It is
    not scored on a single draw of its random predictions: its value in each fold is the expected
    value of the criterion over all draws. The expected value is exact for criteria that are sums
    over samples for given class sizes, and for criteria that correct for chance using the margins,
    such as kappa. Otherwise, the value is the mean of 1,000 to 16,000 draws per fold. There are
    enough draws if the simulation error, the standard error of the mean over the folds, is at most
    1/20 of the smallest standard error of a difference from this mean; functions and scorers that
    are called once per draw get 16 to 64 draws. Undefined values of draws are replaced as in the
    scorers. The estimators have to beat the best of the other baselines, unless a baseline that
    guesses is better by more than three simulation errors. In ``reports``, the predictions, counts
    and pooled values of these baselines come from one draw per fold.

    The best baseline is chosen on the same folds, which slightly favours it. Holm's
    correction is for the number of estimators compared by one criterion, not for the number
    of criteria: base the decision on the first criterion, and read the others as context.
    Estimators are tested against the best baseline; `ComparisonReport.pairwise` tests them
    against each other, or all against one of them, without fitting again.

    An estimator that fails on some folds is compared on the other folds and ranks last. A
    search whose scores are all NaN is a failed fit.

    References
    ----------
    .. [1] C. Nadeau, Y. Bengio (2003), "Inference for the generalization error", Machine
       Learning 52, :doi:`10.1023/A:1024068626366`.
    .. [2] A. Benavoli, G. Corani, J. Demsar, M. Zaffalon (2017), "Time for a change: a
       tutorial for comparing multiple classifiers through Bayesian analysis", Journal of
       Machine Learning Research 18(77).

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_ordinal import compare_estimators
    >>> from sklearn_ordinal.datasets import load_lev
    >>> X, y = load_lev(return_X_y=True)
    >>> models = {"tree": DecisionTreeClassifier(max_depth=4, random_state=0)}
    >>> print(compare_estimators(models, X, y, scoring="cem_ord", random_state=0))
    By cem_ord, tree beats majority class, the best baseline, by 0.185 (95% interval 0.164 to
    0.205, adjusted p < 0.001).
    ...
    """
    if not isinstance(estimators, Mapping) or not estimators:
        raise ValueError(
            f"estimators must be a dict from names to estimators, with at least one, got "
            f"{shown(estimators)}."
        )
    estimators = with_rounding(estimators)
    rounded = tuple(n for n, e in estimators.items() if isinstance(e, RoundedRegressor))
    kinds = available_kinds(estimators.values())
    metrics = get_metrics(scoring, argument="scoring", kinds=kinds, with_direction=True)
    check_share("confidence_level", confidence_level)
    ropes = _ropes(rope, metrics)
    y = one_column(y)
    evaluation = make_evaluation(y, labels, metrics, prevalence)
    baseline_estimators = _baseline_estimators(baselines, evaluation, random_state)
    _check_estimators(estimators, baseline_estimators)
    fits = fit_on_folds(
        {**estimators, **baseline_estimators},
        X,
        y,
        evaluation,
        cv=cv,
        groups=groups,
        params=params,
        n_jobs=n_jobs,
        return_estimator=return_estimator,
        verbose=verbose,
        without_params=tuple(baseline_estimators) if baselines == "default" else (),
    )
    failures = [
        failure for row in fits.by_name.values() for result in row for failure in result.failures
    ]
    provenance = Provenance.of_now(splitter=fits.splitter, estimators=fits.estimators)
    reports = {
        name: CrossValReport._from_fits(
            fits, name, evaluation, confidence_level=confidence_level, provenance=provenance
        )
        for name, row in fits.by_name.items()
        if any(result.predictions is not None for result in row)
    }
    if reports.keys().isdisjoint(estimators):
        raise ValueError(
            f"No estimator could be fitted. The first error:{cause_as_text(failures[0])}"
        )
    references = [
        name for name in baseline_estimators or [next(iter(estimators))] if name in reports
    ]
    any_report = next(iter(reports.values()))
    sizes = {"n_train": any_report.n_train.mean(), "n_test": any_report.n_test.mean()}
    guessed = {name: guessed_folds(fits, name, evaluation) for name in references}
    scores, table, best_baseline = ByMetric(), ByMetric(), ByMetric()
    for metric in evaluation.metrics:
        values = {name: _fold_values(report, metric) for name, report in reports.items()}
        models = [values[name] for name in estimators if name in reports and not guessed.get(name)]
        expected = {
            name: expected_scores(metric, values[name], folds, models)
            for name, folds in guessed.items()
            if folds
        }
        values.update((name, expectation.values) for name, expectation in expected.items())
        reference = _best_reference(references, values, expected, metric)
        scores[metric.name], best_baseline[metric.name] = values, reference
        table[metric.name] = _compared_with_reference(
            values,
            reference,
            metric,
            len(evaluation.scale),
            expected=expected,
            tested=estimators,
            sizes=sizes,
            rope=ropes[metric.name],
            confidence_level=confidence_level,
        )
    return ComparisonReport(
        metrics=ByMetric({metric.name: metric for metric in evaluation.metrics}),
        reports=reports,
        baselines=tuple(name for name in baseline_estimators if name in reports),
        scores=scores,
        table=table,
        best_baseline=best_baseline,
        rope=ropes,
        failures=tuple(failures),
        rounded=rounded,
        provenance=provenance,
    )


def with_rounding(estimators: Mapping[str, Any]) -> dict[str, Any]:
    """Return the estimators, with the predictions of regressors rounded to the nearest class."""
    # Values that are no estimators, and have no tags, are refused later.
    return {
        name: RoundedRegressor(estimator)
        if isinstance(estimator, BaseEstimator) and is_regressor(estimator)
        else estimator
        for name, estimator in estimators.items()
    }


def _ropes(rope: float | Mapping[Any, float], metrics: Iterable[OrdinalMetric]) -> ByMetric:
    names = [metric.name for metric in metrics]
    if not isinstance(rope, Mapping):
        return ByMetric(dict.fromkeys(names, check_rope(rope)))
    by_name = ByMetric(zip(names, names, strict=True))
    ropes = ByMetric({by_name.name_of(key, "rope"): check_rope(rope[key]) for key in rope})
    if ropes.keys() != set(names) or len(ropes) < len(rope):
        raise ValueError(f"rope must have one number for each of {names}, got {list(rope)}.")
    return ropes


def _baseline_estimators(
    baselines: Literal["default"] | Mapping[str, Any] | None,
    evaluation: Evaluation,
    random_state: int | np.random.RandomState | None,
) -> dict[str, Any]:
    if baselines is None:
        return {}
    if isinstance(baselines, Mapping):
        return dict(baselines)
    if not isinstance(baselines, str) or baselines != "default":
        raise ValueError(
            f"baselines must be 'default', a dict from names to estimators, or None, "
            f"got {type(baselines).__name__} {shown(baselines)}."
        )
    return default_baselines(evaluation, random_state)


def _check_estimators(estimators: Mapping[str, Any], baselines: Mapping[str, Any]) -> None:
    check_named("estimators", estimators)
    check_named("baselines", baselines)
    for name, estimator in {**estimators, **baselines}.items():
        check_classifier(repr(name), estimator)
    clashing = sorted(estimators.keys() & baselines.keys())
    if clashing:
        raise ValueError(
            f"estimators must not have names of baselines: {', '.join(clashing)}: rename them."
        )
    if len(estimators) + len(baselines) < 2:
        raise ValueError(
            f"estimators must contain at least two if there are no baselines, got only "
            f"{shown(next(iter(estimators)))}."
        )


def _fold_values(report: CrossValReport, metric: OrdinalMetric) -> NDArray[np.float64]:
    """Return the values of the folds, with undefined values replaced as in the scorers."""
    values: NDArray[np.float64] = report.scores[metric.name]
    # If the fit failed, or its probabilities are missing, there is no value to replace.
    worked = [has_evidence(fold, metric.evidence) for fold in report.fold_predictions]
    return np.where(np.isnan(values) & np.array(worked), score_if_undefined(metric), values)


def _places(
    values: Mapping[str, NDArray[np.float64]],
    metric: OrdinalMetric,
    handicaps: Mapping[str, float] | None = None,
) -> dict[str, tuple[bool, bool, float]]:
    """Return keys that sort estimators by their mean; estimators with missing folds come last.

    The handicap of an estimator makes its mean worse.
    """
    stacked = np.array(list(values.values()))
    is_missing = np.isnan(stacked)
    is_incomplete = (is_missing & ~is_missing.all(axis=0)).any(axis=1)
    n_defined = (~is_missing).sum(axis=1)
    means = np.nansum(stacked, axis=1) / np.maximum(n_defined, 1)
    badness = -means if metric.greater_is_better else means
    if handicaps:
        badness = badness + [handicaps.get(name, 0.0) for name in values]
    keys = zip(is_incomplete, n_defined == 0, dense_ranks(badness), strict=True)
    return dict(zip(values, keys, strict=True))


def _ranks(values: Mapping[str, NDArray[np.float64]], metric: OrdinalMetric) -> dict[str, int]:
    """Return the rank of each estimator by its mean; ties share the better rank."""
    places = _places(values, metric)
    return {
        name: 1 + sum(bool(rival < place) for rival in places.values())
        for name, place in places.items()
    }


def _best_reference(
    names: Iterable[str],
    values: Mapping[str, NDArray[np.float64]],
    expected: Mapping[str, ExpectedScores],
    metric: OrdinalMetric,
) -> str | None:
    """Return the best baseline.

    A baseline that guesses is chosen only if it leads the other baselines by more than three
    standard errors of its simulation.
    """
    # The error of a single draw is not known, so a baseline with a single draw is never chosen.
    errors = {name: np.nan_to_num(scores.error, nan=np.inf) for name, scores in expected.items()}
    handicaps = {name: _N_ERRORS * error for name, error in errors.items()}
    places = _places(values, metric, handicaps)
    return min(names, key=lambda name: (*places[name], name in expected), default=None)


def _compared_with_reference(
    values: Mapping[str, NDArray[np.float64]],
    reference: str | None,
    metric: OrdinalMetric,
    n_classes: int,
    *,
    expected: Mapping[str, ExpectedScores],
    tested: Collection[str],
    sizes: Mapping[str, float],
    rope: float,
    confidence_level: float,
) -> dict[str, ModelComparison]:
    """Return the mean, the rank and the difference from the reference of each estimator.

    The p-values of the `tested` estimators are adjusted together.
    """
    sign = 1 if metric.greater_is_better else -1
    differences, posteriors = {}, {}
    if reference is not None:
        for name in values.keys() - {reference}:
            pair = comparable(values[name], values[reference])
            differences[name] = folds_difference(
                pair, metric, n_classes, **sizes, confidence_level=confidence_level
            )
            posteriors[name] = bayesian_correlated_t_test(
                sign * pair[0], sign * pair[1], **sizes, rope=rope
            )
    compared = [name for name in tested if name in differences]
    pvalues = holm_correction([differences[name].pvalue for name in compared])
    adjusted = dict(zip(compared, pvalues.tolist(), strict=True))
    ranks = _ranks(values, metric)
    undefined = PosteriorProbabilities(np.nan, np.nan, np.nan)
    rows = {}
    for name, fold_values in values.items():
        posterior = posteriors.get(name, undefined)
        rows[name] = ModelComparison(
            score=folds_interval(
                fold_values, metric, n_classes, **sizes, confidence_level=confidence_level
            ),
            difference=differences.get(name),
            adjusted_pvalue=adjusted.get(name, np.nan),
            probability_worse=posterior.worse,
            probability_equivalent=posterior.equivalent,
            probability_better=posterior.better,
            rank=ranks[name],
            n_draws=expected[name].n_draws if name in expected else None,
            simulation_error=expected[name].error if name in expected else np.nan,
        )
    return rows
