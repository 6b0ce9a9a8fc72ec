"""Fit estimators on every fold in parallel, predict the test samples, and evaluate criteria."""

from __future__ import annotations

import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import clone, get_config
from sklearn.exceptions import FitFailedWarning
from sklearn.utils import indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import _safe_split
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _check_method_params

from sklearn_ordinal._core import (
    checks,
    confusion_counts,
    containers,
    evidence_kinds,
    sampling,
    scales,
)
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.evidence_kinds import Kind
from sklearn_ordinal._core.forecasting import OrdinalForecasts, OrdinalScores
from sklearn_ordinal._core.scales import IntegerArray, OrdinalScale
from sklearn_ordinal._documents import formatting, json_files
from sklearn_ordinal._documents.document_parts import Code, Column, Document, Note, Table
from sklearn_ordinal._documents.views import Views
from sklearn_ordinal.model_selection import _dummy, _fitting
from sklearn_ordinal.model_selection._fitting import Split
from sklearn_ordinal.scorers import _order

# The basis of evaluation: the true classes on their scale, criteria and class sizes
# ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Evaluation:
    """The true classes and the criteria, the same for all estimators and folds.

    `y_true` has the position of each sample's class on the scale. `prevalence` has the share of
    each class at which the criteria are computed; None for the class sizes of each fold.
    """

    scale: OrdinalScale
    y_true: NDArray[np.intp]
    metrics: tuple[OrdinalMetric, ...]
    prevalence: NDArray[np.float64] | None


def make_evaluation(
    y: ArrayLike,
    labels: ArrayLike | None,
    metrics: Iterable[OrdinalMetric],
    prevalence: ArrayLike | None,
) -> Evaluation:
    """Resolve the scale, and check that the criteria can be computed at the prevalence."""
    scale, y_true = scales.encode_one(y, labels)
    on_scale = tuple(_on_scale(metric, scale) for metric in metrics)
    shares = None
    if prevalence is not None:
        _check_metrics_take_weights(on_scale)
        shares = confusion_counts.check_shares("prevalence", prevalence, len(scale))
    return Evaluation(scale, y_true, on_scale, shares)


def _fold_weights(
    evaluation: Evaluation, splits: Sequence[Split]
) -> list[NDArray[np.float64] | None]:
    """Return the weights of the test samples of each fold, None if all samples count the same."""
    if evaluation.prevalence is None:
        return [None] * len(splits)
    _check_fold_classes(evaluation, evaluation.prevalence, splits)
    return [
        confusion_counts.weights_at_prevalence(
            evaluation.y_true[test], evaluation.prevalence, np.ones(len(test))
        )
        for _, test in splits
    ]


def _on_scale(metric: OrdinalMetric, scale: OrdinalScale) -> OrdinalMetric:
    """Return the metric; a scorer on the same scale is replaced by its metric in the catalogue.

    The metric of the catalogue needs no further call of the estimator, and has a pooled value.
    """
    score_function: Any = getattr(metric.function, "_score_func", None)
    if metric.scorer is not None and getattr(score_function, "scale", None) == scale:
        of_catalogue: OrdinalMetric = score_function.metric
        return of_catalogue
    return metric


def _check_metrics_take_weights(metrics: Iterable[OrdinalMetric]) -> None:
    for metric in metrics:
        if metric.scorer is not None:
            raise ValueError(
                f"prevalence cannot be used with {metric.name}, whose scorer is called without "
                f"weights: leave one of the two out."
            )
        if not metric.takes_weights:
            raise ValueError(
                f"prevalence cannot be used with {metric.name}, which takes no sample_weight: "
                f"leave one of the two out."
            )


def _check_fold_classes(
    evaluation: Evaluation, prevalence: NDArray[np.float64], splits: Sequence[Split]
) -> None:
    """Raise unless each fold tests samples of each class with a positive share."""
    scale = evaluation.scale
    for number, (_, test) in enumerate(splits, start=1):
        sizes = np.bincount(evaluation.y_true[test], minlength=len(scale))
        is_missing = (prevalence > 0) & (sizes == 0)
        if is_missing.any():
            missing = scale.labels[is_missing].tolist()
            raise ValueError(
                f"prevalence must be 0 for a class without test samples, got a positive share for "
                f"{checks.shown(missing[0])}, which fold {number} does not test: pass fewer or "
                "stratified folds, or leave prevalence out and weight the counts of all folds "
                "together."
            )


# Fits and evaluations that failed
# --------------------------------


@dataclass(frozen=True)
class FitFailure(Views):
    """An estimator that could not be fitted or scored on a fold.

    Parameters
    ----------
    name : str
        Name of the estimator.
    fold : int
        Position of the fold in `~sklearn_ordinal.reports.CrossValReport.folds`.
    estimator : str
        The estimator with its non-default parameters, on one line.
    params : dict of str to str
        All parameters of the estimator as text, including the parameters of nested
        estimators.
    error : str
        Type and message of the error, preceded by the name of the criterion if a
        criterion could not be evaluated.
    traceback : str
        The traceback.

    See Also
    --------
    sklearn_ordinal.reports.CrossValReport : The results of the other folds.

    Examples
    --------
    >>> from sklearn_ordinal.model_selection._folds import FitFailure
    >>> error = "ValueError: C must be positive"
    >>> print(FitFailure("svc", 2, "SVC(C=-1)", {"C": "-1"}, error, traceback=""))
    svc, fold 3, SVC(C=-1): ValueError: C must be positive
    """

    name: str
    fold: int
    estimator: str
    params: Mapping[str, str]
    error: str
    traceback: str

    def __str__(self) -> str:
        return f"{self.name}, fold {self.fold + 1}, {self.estimator}: {self.error}"

    def document(self) -> Document:
        """Return the content of the failure, from which its views are rendered.

        Returns
        -------
        Document
            The error, a table of the parameters, and the traceback.
        """
        columns = (Column("parameter"), Column("value"))
        table = Table("Parameters", columns, tuple(self.params.items()))
        return Document("Failed fit", (table, Code(self.traceback)), verdict=(Note(str(self)),))

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes of the failure.

        Returns
        -------
        dict
            Strings and numbers.
        """
        return asdict(self)

    def _records(self) -> list[dict[str, Any]]:
        return [asdict(self)]


def failures_as_text(failures: Iterable[FitFailure]) -> list[str]:
    """Return a line for each error, with the folds in which it occurred."""
    folds: dict[tuple[str, str, str], list[int]] = {}
    for failure in failures:
        # Errors of nested fits are followed by tracebacks.
        error = failure.error.strip().partition("\n")[0]
        folds.setdefault((failure.name, failure.estimator, error), []).append(failure.fold + 1)
    return [
        f"{name}, fold {', '.join(map(str, numbers))}, {estimator}: {error}"
        for (name, estimator, error), numbers in folds.items()
    ]


# Out-of-fold predictions, stored by fold
# ---------------------------------------


@dataclass(frozen=True, eq=False)
class FoldPredictions(Views):
    """The predictions of an estimator for the test samples of a fold.

    Parameters
    ----------
    test : ndarray of shape (n_test,)
        Positions of the test samples in the data.
    y_pred : ndarray of shape (n_test,)
        Positions of the predicted classes on the scale.
    y_proba : ndarray of shape (n_test, n_classes), default=None
        Probabilities of the classes in the order of the scale; None unless a criterion
        needs them.
    y_score : ndarray of shape (n_test,), default=None
        Scores, higher for higher classes; None unless a criterion needs them and the
        estimator has no probabilities.

    See Also
    --------
    sklearn_ordinal.reports.CrossValReport : The predictions of all folds.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_ordinal.model_selection._folds import FoldPredictions
    >>> FoldPredictions(test=np.array([3, 5]), y_pred=np.array([0, 2])).y_pred
    array([0, 2])
    """

    test: NDArray[np.intp]
    y_pred: IntegerArray
    y_proba: NDArray[np.float64] | None = None
    y_score: NDArray[np.float64] | None = None

    def document(self) -> Document:
        """Return the content of the predictions, from which the views are rendered.

        Returns
        -------
        Document
            How often each class is predicted.
        """
        classes, sizes = np.unique(self.y_pred, return_counts=True)
        columns = (Column("class (position)", "number"), Column("predictions", "number"))
        rows = tuple(zip(classes.tolist(), sizes.tolist(), strict=True))
        return Document("Predictions", (Table("Predicted classes of a fold", columns, rows),))

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes.

        Returns
        -------
        dict
            Lists; None for probabilities and scores that were not kept.
        """
        fields: dict[str, Any] = json_files.plain(self)
        return fields

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each test sample."""
        columns: dict[str, NDArray[Any]] = {"sample": self.test, "y_pred": self.y_pred}
        if self.y_proba is not None:
            columns |= {f"proba_{position}": p for position, p in enumerate(self.y_proba.T)}
        if self.y_score is not None:
            columns["y_score"] = self.y_score
        rows = zip(*(column.tolist() for column in columns.values()), strict=True)
        return [dict(zip(columns, row, strict=True)) for row in rows]


def has_evidence(fold: FoldPredictions | None, kind: Kind) -> bool:
    """Return whether the predictions of a fold suffice for criteria of a kind."""
    if fold is None:
        return False
    available: set[type] = {OrdinalConfusion}
    if fold.y_proba is not None:
        available.add(OrdinalForecasts)
    if fold.y_score is not None:
        available.add(OrdinalScores)
    return not available.isdisjoint(kind.accepts)


# Progress bars of tqdm, in terminals and notebooks
# -------------------------------------------------

T = TypeVar("T")
Bar: TypeAlias = Callable[[Iterable[T], int], Iterable[T]]


def progress_bar(verbose: bool | None) -> Bar[Any]:
    """Return a function that shows a progress bar for results, or returns the results unchanged."""
    if verbose is not None and not isinstance(verbose, bool):
        raise ValueError(f"verbose must be True, False or None, got {checks.shown(verbose)}.")
    if verbose is False:
        return _no_bar
    try:
        with warnings.catch_warnings():
            # If a notebook has no widgets, tqdm warns and draws a bar of text.
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm
    except ImportError:
        if verbose:
            checks.warn_caller(
                "verbose=True shows progress with tqdm, which is not installed: "
                'pip install "sklearn_ordinal[progress]".'
            )
        return _no_bar
    # With None, there is no bar if stderr is not a terminal.
    disable = False if verbose or _is_notebook() else None

    def bar(results: Iterable[Any], n_results: int) -> Iterable[Any]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wrapped: Iterable[Any] = tqdm(results, total=n_results, unit="fit", disable=disable)
        return wrapped

    return bar


def _no_bar(results: Iterable[T], n_results: int) -> Iterable[T]:  # noqa: ARG001
    return results


def _is_notebook() -> bool:
    """Return whether the code runs in a notebook, whose shell has a kernel."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


# Searches in a fitted estimator: what they chose, and whether they could choose
# ------------------------------------------------------------------------------

_METHODS = ("fit", "predict", "predict_proba", "transform")
_PLAIN = {int, float, bool, str, bytes, type(None)}


def _check_searches(fitted: Any) -> None:
    """Raise if all scores of a search in a fitted estimator are NaN.

    scikit-learn warns and takes the first candidate, so the results would not come from a search.
    """
    for part in _parts(fitted):
        if _has_no_score(part):
            name = type(part).__name__
            raise ValueError(
                f"{name} has NaN as the score of every candidate, so there was nothing to choose "
                f"from: see the warnings of its fit, or pass error_score='raise' to it."
            )


def _chosen_params(fitted: Any) -> dict[str, str]:
    """Return the parameters that searches in a fitted estimator have chosen, as text.

    The parameters of several searches are numbered, since they may have the same names.
    """
    results = (getattr(part, "best_params_", None) for part in _parts(fitted))
    choices = [result for result in results if isinstance(result, Mapping)]
    return {
        f"{number}. {key}" if len(choices) > 1 else str(key): " ".join(str(value).split())
        for number, choice in enumerate(choices, start=1)
        for key, value in choice.items()
    }


def _has_no_score(estimator: Any) -> bool:
    results = getattr(estimator, "cv_results_", None)
    if isinstance(results, Mapping):
        refit = getattr(estimator, "refit", None)
        names = [f"mean_test_{refit}"] if isinstance(refit, str) else list(results)
        means = [results[n] for n in names if n.startswith("mean_test_") and n in results]
        if means:
            return all(np.isnan(np.asarray(values, dtype=np.float64)).all() for values in means)
    best = getattr(estimator, "best_score_", None)
    return isinstance(best, (float, np.floating)) and bool(np.isnan(best))


def _parts(fitted: Any) -> Iterator[Any]:
    """Yield an estimator and the estimators among its attributes, at any depth."""
    visited: dict[int, Any] = {}
    todo = [fitted]
    while todo:
        part = todo.pop()
        if type(part) in _PLAIN or id(part) in visited:
            continue
        inside: Iterable[Any]
        if isinstance(part, Mapping):
            inside = part.values()
        elif isinstance(part, (list, tuple, set)):
            inside = part
        elif isinstance(part, np.ndarray):
            inside = part.ravel().tolist() if part.dtype == object else ()
        elif not isinstance(part, type) and any(hasattr(part, name) for name in _METHODS):
            yield part
            inside = vars(part).values() if hasattr(part, "__dict__") else ()
        else:
            continue
        # Keep the objects, so that no other object gets the same id.
        visited[id(part)] = part
        todo.extend(inside)


# Fit estimators on every fold in parallel, predict the test samples, and evaluate criteria
# -----------------------------------------------------------------------------------------


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
    checks.check_bool("return_estimator", return_estimator)
    bar, n_samples = progress_bar(verbose), len(evaluation.y_true)
    if params is not None:
        checks.check_mapping("params", params)
    if groups is not None:
        scales.encode_groups(groups, n_samples)  # raises if the groups are invalid
        groups = containers.one_column(groups)
    for metric in evaluation.metrics:
        if not metric.evidence.methods and metric.scorer is None:
            raise ValueError(
                f"{metric.name} needs {metric.evidence.noun}, which no estimator predicts: leave "
                f"it out."
            )
    _fitting.check_training_length(X, n_samples)
    X, y, groups = indexable(X, _fitting.as_learnable(y), _fitting.as_learnable(groups))
    # Raise before the first fit if a value is not an estimator or has a different order of the
    # classes.
    in_order = {
        name: _order.bind_order(estimator, evaluation.scale, evaluation.y_true, name)
        for name, estimator in estimators.items()
    }
    splitter = _fitting.make_splitter(cv, y, groups)
    split_params, fit_params = _route(estimators, splitter, params, without_params, groups)
    if groups is not None:
        split_params["groups"] = groups
    splits = _fitting.make_splits(splitter, X, y, split_params, n_samples)
    weights = _fold_weights(evaluation, splits)
    lacks_class = [_lacks_class(evaluation.y_true, train) for train, _ in splits]
    tasks = (
        delayed(_fit_on_fold)(
            name,
            fold,
            _order.bind_order(estimator, evaluation.scale, evaluation.y_true[split[0]], name)
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
    checks.check_n_jobs(n_jobs)
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
            else params | ({} if groups is None else _fitting.groups_for_fit(estimator, groups))
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
        _check_searches(fitted)
        positions = _positions(scale, y_pred, len(test))
    except ValueError as error:
        # The traceback of the first error would only show this package.
        return FoldResult(name, fold, failures=(failure(error.with_traceback(None)),))
    tested = _TestFold(fitted, X_test, y_test, y_pred, test_weight)
    values, failures_by_metric = _values(tested, metrics, failure)
    failures = list(failures_by_metric.values())
    predictions = FoldPredictions(test, positions)
    for kind in evidence_kinds.KINDS:
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
        guesser=fitted if _dummy.is_guesser(fitted) else None,
        chosen_params=_chosen_params(fitted),
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
    name, predicted = sampling.sample_predictions(evidence)
    changes: dict[str, Any] = {name: predicted}
    return replace(predictions, **changes)


def _positions(scale: OrdinalScale, y_pred: Any, n_samples: int) -> NDArray[np.intp]:
    """Return the positions of predicted classes, one for each test sample."""
    name = "the output of predict"
    containers.check_no_missing(y_pred, name, "the estimator must predict a class for every sample")
    shape = np.shape(y_pred)
    if len(shape) == 2 and shape[1] > 1:
        raise ValueError(
            f"{name} must be one class for each test sample, got shape {shape}: pass a classifier, "
            f"such as CemBoostingClassifier in place of LightGBM with an objective of its own."
        )
    try:
        positions = scale.encode(containers.read_column(y_pred, name))
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
    n_evaluations = formatting.counted(len(of_criteria), "evaluation")
    failures_by_summary = {
        f"{len(of_fits)} of {len(results)} fits failed, their scores are NaN": of_fits,
        f"{n_evaluations} of criteria failed, the scores are NaN": of_criteria,
    }
    for summary, failures in failures_by_summary.items():
        if failures:
            lines = "\n".join(failures_as_text(failures))
            checks.warn_caller(f"{summary}:\n{lines}", FitFailedWarning)


def cause_as_text(failure: FitFailure) -> str:
    """Return a traceback on lines of its own, or on the same line if it is a single line."""
    lines = failure.traceback.strip()
    return f"\n{lines}" if "\n" in lines else f" {lines}"
