"""Fit estimators on every fold in parallel, predict the test samples, and evaluate criteria."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import clone, get_config
from sklearn.exceptions import FitFailedWarning
from sklearn.utils import indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from sklearn_ordinal._core import (
    KINDS,
    Kind,
    OrdinalMetric,
    OrdinalScale,
    Split,
    as_learnable,
    check_bool,
    check_mapping,
    check_n_jobs,
    check_no_missing,
    check_training_length,
    encode_groups,
    groups_for_fit,
    make_splits,
    make_splitter,
    one_column,
    read_column,
    sample_predictions,
    warn_caller,
)
from sklearn_ordinal._documents import counted
from sklearn_ordinal.model_selection._dummy import is_guesser
from sklearn_ordinal.model_selection._evaluation import Evaluation, fold_weights
from sklearn_ordinal.model_selection._failures import FitFailure, failures_as_text
from sklearn_ordinal.model_selection._fold_predictions import FoldPredictions, has_evidence
from sklearn_ordinal.model_selection._progress import progress_bar
from sklearn_ordinal.model_selection._searches import check_searches, chosen_params
from sklearn_ordinal.scorers import bind_order


@dataclass(frozen=True)
class FoldResult:
    """Result of one estimator on one fold: predictions and values, or failures.

    `guesser` is the fitted estimator if it predicts at random.
    """

    name: str
    fold: int
    predictions: FoldPredictions | None = None
    values: Mapping[str, float] = field(default_factory=dict)
    fit_time: float = np.nan
    score_time: float = np.nan
    estimator: Any = None
    guesser: Any = None
    chosen_params: Mapping[str, str] = field(default_factory=dict)
    failures: tuple[FitFailure, ...] = ()


@dataclass(frozen=True)
class FoldResults:
    """Results of all estimators on the same splits: for each name, one result for each split."""

    splits: list[Split]
    by_name: Mapping[str, list[FoldResult]]
    splitter: Any
    estimators: Mapping[str, Any]
    has_estimators: bool
    X: Any
    y: Any


@dataclass(frozen=True)
class _TestFold:
    """The test samples of a fold, and the estimator that was fitted on the training samples."""

    fitted: Any
    X: Any
    y: Any
    y_pred: Any
    weight: NDArray[np.float64] | None


def fit_on_folds(
    estimators: Mapping[str, Any],
    X: ArrayLike,
    y: ArrayLike,
    evaluation: Evaluation,
    *,
    cv: Any,
    groups: ArrayLike | None,
    params: Mapping[str, Any] | None,
    n_jobs: int | None,
    return_estimator: bool,
    verbose: bool | None,
    without_params: Sequence[str] = (),
) -> FoldResults:
    """Fit each estimator on the same splits and evaluate its predictions.

    Estimators in `without_params` are fitted without `params`.
    """
    from sklearn.utils.parallel import Parallel, delayed

    check_bool("return_estimator", return_estimator)
    bar, n_samples = progress_bar(verbose), len(evaluation.y_true)
    if params is not None:
        check_mapping("params", params)
    if groups is not None:
        encode_groups(groups, n_samples)  # raises if the groups are invalid
        groups = one_column(groups)
    for metric in evaluation.metrics:
        if not metric.evidence.methods and metric.scorer is None:
            raise ValueError(
                f"{metric.name} needs {metric.evidence.noun}, which no estimator predicts: leave "
                f"it out."
            )
    check_training_length(X, n_samples)
    X, y, groups = indexable(X, as_learnable(y), as_learnable(groups))
    # Raise before the first fit if a value is not an estimator or has a different order of the
    # classes.
    in_order = {
        name: bind_order(estimator, evaluation.scale, evaluation.y_true, name)
        for name, estimator in estimators.items()
    }
    splitter = make_splitter(cv, y, groups)
    split_params, fit_params = _route(estimators, splitter, params, without_params, groups)
    if groups is not None:
        split_params["groups"] = groups
    splits = make_splits(splitter, X, y, split_params, n_samples)
    weights = fold_weights(evaluation, splits)
    lacks_class = [_lacks_class(evaluation.y_true, train) for train, _ in splits]
    tasks = (
        delayed(_fit_on_fold)(
            name,
            fold,
            bind_order(estimator, evaluation.scale, evaluation.y_true[split[0]], name)
            if lacks_class[fold]
            else in_order[name],
            X,
            y,
            split,
            weights[fold],
            fit_params[name],
            evaluation.scale,
            evaluation.metrics,
            return_estimator,
        )
        for name, estimator in estimators.items()
        for fold, split in enumerate(splits)
    )
    check_n_jobs(n_jobs)
    try:
        parallel = Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    except ValueError:  # backends such as multiprocessing return no generator
        parallel = Parallel(n_jobs=n_jobs)
    done = parallel(tasks)
    results: dict[str, list[Any]] = {name: [None] * len(splits) for name in estimators}
    for result in bar(done, len(estimators) * len(splits)):
        results[result.name][result.fold] = result
    _report_failures([result for row in results.values() for result in row])
    return FoldResults(splits, results, splitter, estimators, return_estimator, X, y)


def _lacks_class(y_true: NDArray[np.intp], train: NDArray[np.intp]) -> bool:
    """Return whether a class does not occur in the training samples."""
    sizes = np.bincount(y_true)
    return bool((np.bincount(y_true[train], minlength=len(sizes)) == 0)[sizes > 0].any())


def _route(
    estimators: Mapping[str, Any],
    splitter: Any,
    params: Mapping[str, Any] | None,
    without_params: Sequence[str],
    groups: Any,
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return the parameters for splitting and for the fit of each estimator.

    An estimator that splits its training samples itself, such as a search, receives the groups.
    """
    params = dict(params or {})
    if not get_config()["enable_metadata_routing"]:
        return {}, {
            name: {}
            if name in without_params
            else params | ({} if groups is None else groups_for_fit(estimator, groups))
            for name, estimator in estimators.items()
        }
    # Number the estimators, since names in a router must be identifiers.
    consumers = {
        name: f"estimator{i}" for i, name in enumerate(estimators) if name not in without_params
    }
    router = MetadataRouter(owner="cross_val_report")
    router.add(splitter=splitter, method_mapping=MethodMapping().add(caller="fit", callee="split"))
    for name, consumer in consumers.items():
        mapping = MethodMapping().add(caller="fit", callee="fit")
        router.add(**{consumer: estimators[name]}, method_mapping=mapping)
    if groups is not None and router.consumes("fit", ["groups"]):
        params["groups"] = groups
    routed = process_routing(router, "fit", **params)
    fit_params = {
        name: dict(routed[consumers[name]].fit) if name in consumers else {} for name in estimators
    }
    return dict(routed["splitter"].split), fit_params


def _fit_on_fold(
    name: str,
    fold: int,
    estimator: Any,
    X: ArrayLike,
    y: ArrayLike,
    split: Split,
    test_weight: NDArray[np.float64] | None,
    fit_params: Mapping[str, Any],
    scale: OrdinalScale,
    metrics: Sequence[OrdinalMetric],
    return_estimator: bool,
) -> FoldResult:
    # Imported here, so the metrics stay importable if scikit-learn removes these functions.
    from sklearn.utils.metaestimators import _safe_split
    from sklearn.utils.validation import _check_method_params

    train, test = split
    fitted = clone(estimator)
    failure = partial(_failure, name, fold, estimator)
    try:
        X_train, y_train = _safe_split(fitted, X, y, train)
        X_test, y_test = _safe_split(fitted, X, y, test, train)
        start = time.perf_counter()
        fitted.fit(X_train, y_train, **_check_method_params(X, fit_params, train))
        end_of_fit = time.perf_counter()
        y_pred = fitted.predict(X_test)
    except Exception as error:
        return FoldResult(name, fold, failures=(failure(error),))
    try:
        check_searches(fitted)
        positions = _positions(scale, y_pred, len(test))
    except ValueError as error:
        # The traceback of the first error would only show this package.
        return FoldResult(name, fold, failures=(failure(error.with_traceback(None)),))
    tested = _TestFold(fitted, X_test, y_test, y_pred, test_weight)
    values, failures_by_metric = _values(tested, metrics, failure)
    failures = list(failures_by_metric.values())
    predictions = FoldPredictions(test, positions)
    for kind in KINDS:
        needing = [
            metric
            for metric in metrics
            if metric.evidence is kind and metric.name not in failures_by_metric
        ]
        if not needing or not kind.accepts or has_evidence(predictions, kind):
            continue
        try:
            predictions = _with_evidence(predictions, kind, tested, scale)
        except Exception as error:
            # Criteria of probabilities are undefined if the probabilities do not match the classes
            # of the scale.
            values.update((metric.name, np.nan) for metric in needing if metric.name in values)
            failures.append(failure(error, *needing))
    return FoldResult(
        name,
        fold,
        predictions,
        values,
        fit_time=end_of_fit - start,
        score_time=time.perf_counter() - end_of_fit,
        estimator=fitted if return_estimator else None,
        guesser=fitted if is_guesser(fitted) else None,
        chosen_params=chosen_params(fitted),
        failures=tuple(failures),
    )


def _values(
    fold: _TestFold, metrics: Iterable[OrdinalMetric], failure: Callable[..., FitFailure]
) -> tuple[dict[str, float], dict[str, FitFailure]]:
    """Return the values of criteria that need the fold, NaN for failures, and the failures."""
    values: dict[str, float] = {}
    failures: dict[str, FitFailure] = {}
    for metric in metrics:
        try:
            value = metric.evidence.of_fold(metric, fold)
        except Exception as error:
            value, failures[metric.name] = np.nan, failure(error, metric)
        if value is not None:
            values[metric.name] = value
    return values, failures


def _with_evidence(
    predictions: FoldPredictions,
    kind: Kind,
    fold: _TestFold,
    scale: OrdinalScale,
) -> FoldPredictions:
    """Add the probabilities of the fitted estimator, or its scores if it has none."""

    def respond(method: str) -> Any:
        return fold.y_pred if method == "predict" else getattr(fold.fitted, method)(fold.X)

    evidence: Any = kind.of_estimator(fold.fitted, fold.X, fold.y, labels=scale, respond=respond)
    name, predicted = sample_predictions(evidence)
    changes: dict[str, Any] = {name: predicted}
    return replace(predictions, **changes)


def _positions(scale: OrdinalScale, y_pred: Any, n_samples: int) -> NDArray[np.intp]:
    """Return the positions of predicted classes, one for each test sample."""
    name = "the output of predict"
    check_no_missing(y_pred, name, "the estimator must predict a class for every sample")
    shape = np.shape(y_pred)
    if len(shape) == 2 and shape[1] > 1:
        raise ValueError(
            f"{name} must be one class for each test sample, got shape {shape}: pass a classifier, "
            f"such as CemBoostingClassifier in place of LightGBM with an objective of its own."
        )
    try:
        positions = scale.encode(read_column(y_pred, name))
    except ValueError:
        if _is_continuous(y_pred):
            raise ValueError(
                f"{name} must be classes, got continuous values: pass a classifier, or a regressor "
                f"within TunedOrdinalThresholdClassifierCV."
            ) from None
        raise
    if len(positions) != n_samples:
        raise ValueError(
            f"{name} must be one class for each of the {n_samples} test samples, got "
            f"{len(positions)}."
        )
    return positions.astype(np.intp)


def _is_continuous(y_pred: Any) -> bool:
    """Return whether predictions are finite numbers, and not all integers."""
    try:
        values = np.asarray(y_pred)
    except ValueError:
        return False
    return values.dtype.kind == "f" and bool(np.isfinite(values).all() and (values % 1).any())


def _failure(
    name: str, fold: int, estimator: Any, error: Exception, *metrics: OrdinalMetric
) -> FitFailure:
    prefix = f"{', '.join(metric.name for metric in metrics)}: " if metrics else ""
    return FitFailure(
        name=name,
        fold=fold,
        estimator=_on_one_line(estimator),
        # Store text, since not every parameter can be pickled.
        params={key: _on_one_line(value) for key, value in estimator.get_params().items()},
        error=f"{prefix}{type(error).__name__}: {error}",
        traceback="".join(traceback.format_exception(error)),
    )


def _on_one_line(value: Any) -> str:
    return " ".join(repr(value).split())


def _report_failures(results: Sequence[FoldResult]) -> None:
    of_fits = [f for result in results if result.predictions is None for f in result.failures]
    of_criteria = [f for result in results if result.predictions for f in result.failures]
    if len(of_fits) == len(results):
        raise ValueError(f"All {len(of_fits)} fits failed, the first:{cause_as_text(of_fits[0])}")
    n_evaluations = counted(len(of_criteria), "evaluation")
    failures_by_summary = {
        f"{len(of_fits)} of {len(results)} fits failed, their scores are NaN": of_fits,
        f"{n_evaluations} of criteria failed, the scores are NaN": of_criteria,
    }
    for summary, failures in failures_by_summary.items():
        if failures:
            lines = "\n".join(failures_as_text(failures))
            warn_caller(f"{summary}:\n{lines}", FitFailedWarning)


def cause_as_text(failure: FitFailure) -> str:
    """Return a traceback on lines of its own, or on the same line if it is a single line."""
    lines = failure.traceback.strip()
    return f"\n{lines}" if "\n" in lines else f" {lines}"
