"""Fits on every fold, in parallel, each turned into a confusion matrix."""

from __future__ import annotations

import time
import traceback
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import clone, get_config
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import check_cv
from sklearn.utils import indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.multiclass import type_of_target

from sklearn_ordinal._core import OrdinalConfusion, OrdinalScale

Split: TypeAlias = tuple[NDArray[np.intp], NDArray[np.intp]]


@dataclass(frozen=True)
class FitFailure:
    """A fold on which an estimator could not be fitted or scored.

    Parameters
    ----------
    name : str
        Name of the estimator.
    fold : int
        Position of the fold in `CrossValReport.folds`.
    estimator : str
        The estimator, with the parameters that were changed, on one line.
    params : dict of str to str
        All its parameters as text, those of nested estimators included.
    error : str
        Type and message of the error.
    traceback : str
        Where it was raised.

    See Also
    --------
    CrossValReport : The results of the other folds.

    Examples
    --------
    >>> from sklearn_ordinal.model_selection import FitFailure
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


@dataclass(frozen=True)
class FoldResult:
    """What became of one estimator on one fold: a confusion matrix or a failure."""

    name: str
    fold: int
    confusion: OrdinalConfusion | None = None
    fit_time: float = np.nan
    score_time: float = np.nan
    estimator: Any = None
    failure: FitFailure | None = None


def fit_on_folds(
    estimators: Mapping[str, Any],
    X: ArrayLike,
    y: ArrayLike,
    *,
    labels: OrdinalScale,
    cv: Any,
    groups: ArrayLike | None,
    params: Mapping[str, Any] | None,
    n_jobs: int | None,
    return_estimator: bool,
    verbose: bool,
    without_params: Sequence[str] = (),
) -> tuple[list[Split], dict[str, list[FoldResult]]]:
    """Fit each estimator on the same splits and count its predictions.

    Returns the splits and, for each name, one result per split. Estimators in
    `without_params` get none of `params`.
    """
    from sklearn.utils.parallel import Parallel, delayed

    X, y, groups = indexable(X, y, groups)
    for estimator in estimators.values():
        clone(estimator)  # refuses, before the first fit, what is no estimator
    splitter = check_cv(cv, y, classifier=True)
    split_params, fit_params = _route(estimators, splitter, params, without_params)
    if groups is not None:
        split_params["groups"] = groups
    splits = [_as_indices(split) for split in splitter.split(X, y, **split_params)]
    if not splits:
        raise ValueError(f"cv must give one split at least, got {cv!r}.")
    tasks = (
        delayed(_fit_on_fold)(
            name, fold, estimator, X, y, split, fit_params[name], labels, return_estimator
        )
        for name, estimator in estimators.items()
        for fold, split in enumerate(splits)
    )
    try:
        parallel = Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    except ValueError:  # from a backend, such as multiprocessing, that returns all at once
        parallel = Parallel(n_jobs=n_jobs)
    done = parallel(tasks)
    results: dict[str, list[Any]] = {name: [None] * len(splits) for name in estimators}
    for result in _with_progress(done, len(estimators) * len(splits), verbose):
        results[result.name][result.fold] = result
    _report_failures([result.failure for row in results.values() for result in row])
    return splits, results


def _as_indices(split: Any) -> Split:
    """Return training and test indices, of which scikit-learn also takes masks."""
    train, test = (np.asarray(part) for part in split)
    return tuple(  # type: ignore[return-value]
        np.flatnonzero(part) if part.dtype == bool else part for part in (train, test)
    )


def _route(
    estimators: Mapping[str, Any],
    splitter: Any,
    params: Mapping[str, Any] | None,
    without_params: Sequence[str],
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return the parameters of the splitter's split and of each estimator's fit."""
    params = dict(params or {})
    if not get_config()["enable_metadata_routing"]:
        return {}, {name: {} if name in without_params else params for name in estimators}
    # Positions for names: those of the router must be identifiers.
    consumers = {
        name: f"estimator{i}" for i, name in enumerate(estimators) if name not in without_params
    }
    router = MetadataRouter(owner="cross_val_report")
    router.add(splitter=splitter, method_mapping=MethodMapping().add(caller="fit", callee="split"))
    for name, consumer in consumers.items():
        mapping = MethodMapping().add(caller="fit", callee="fit")
        router.add(**{consumer: estimators[name]}, method_mapping=mapping)
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
    fit_params: Mapping[str, Any],
    labels: OrdinalScale,
    return_estimator: bool,
) -> FoldResult:
    # Here, since the metrics must be importable where these private names are gone.
    from sklearn.utils.metaestimators import _safe_split
    from sklearn.utils.validation import _check_method_params

    train, test = split
    fitted = clone(estimator)
    try:
        X_train, y_train = _safe_split(fitted, X, y, train)
        X_test, y_test = _safe_split(fitted, X, y, test, train)
        start = time.perf_counter()
        fitted.fit(X_train, y_train, **_check_method_params(X, fit_params, train))
        end_of_fit = time.perf_counter()
        y_pred = fitted.predict(X_test)
        if type_of_target(y_pred) == "continuous":
            raise ValueError("predictions are continuous: pass a classifier, or round them.")
        confusion = OrdinalConfusion.from_predictions(y_test, y_pred, labels=labels)
        end = time.perf_counter()
    except Exception as error:
        failure = FitFailure(
            name=name,
            fold=fold,
            estimator=_on_one_line(estimator),
            # As text: a failure is kept, pickled and printed, whatever a parameter is.
            params={key: _on_one_line(value) for key, value in estimator.get_params().items()},
            error=f"{type(error).__name__}: {error}",
            traceback=traceback.format_exc(),
        )
        return FoldResult(name, fold, failure=failure)
    return FoldResult(
        name,
        fold,
        confusion=confusion,
        fit_time=end_of_fit - start,
        score_time=end - end_of_fit,
        estimator=fitted if return_estimator else None,
    )


def _on_one_line(value: Any) -> str:
    return " ".join(repr(value).split())


def _with_progress(
    results: Iterable[FoldResult], n_results: int, verbose: bool
) -> Iterable[FoldResult]:
    if not verbose:
        return results
    try:
        from tqdm import tqdm
    except ImportError:
        return results
    # disable=None: silent where stderr is not a terminal.
    bar: Iterable[FoldResult] = tqdm(results, total=n_results, unit="fit", disable=None)
    return bar


def _report_failures(failures: Sequence[FitFailure | None]) -> None:
    failed = [failure for failure in failures if failure is not None]
    if not failed:
        return
    if len(failed) == len(failures):
        raise ValueError(f"All {len(failed)} fits failed, the first:\n{failed[0].traceback}")
    lines = "\n".join(failures_as_text(failed))
    warnings.warn(
        f"{len(failed)} of {len(failures)} fits failed, their scores are NaN:\n{lines}",
        FitFailedWarning,
        stacklevel=4,
    )


def failures_as_text(failures: Iterable[FitFailure]) -> list[str]:
    """Return a line for each error, with the folds that it came up in."""
    folds: dict[tuple[str, str, str], list[int]] = {}
    for failure in failures:
        # Errors of nested fits go on with tracebacks.
        error = failure.error.strip().partition("\n")[0]
        folds.setdefault((failure.name, failure.estimator, error), []).append(failure.fold + 1)
    return [
        f"{name}, fold {', '.join(map(str, numbers))}, {estimator}: {error}"
        for (name, estimator, error), numbers in folds.items()
    ]
