"""Fits on every fold, in parallel, each turned into a confusion matrix."""

from __future__ import annotations

import time
import traceback
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import clone, get_config
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import check_cv
from sklearn.utils import indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from sklearn_ordinal._confusion import OrdinalConfusion

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
    params : dict
        All its parameters, those of nested estimators included.
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
    >>> print(FitFailure("svc", 2, "SVC(C=-1)", {"C": -1}, error, traceback=""))
    svc, fold 3, SVC(C=-1): ValueError: C must be positive
    """

    name: str
    fold: int
    estimator: str
    params: Mapping[str, Any]
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
    labels: NDArray[Any],
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
    `without_params` are fitted without `params` unless metadata is routed.
    """
    from sklearn.utils.parallel import Parallel, delayed

    X, y, groups = indexable(X, y, groups)
    splitter = check_cv(cv, y, classifier=True)
    split_params, fit_params = _route(estimators, splitter, params, without_params)
    if groups is not None:
        split_params["groups"] = groups
    splits = list(splitter.split(X, y, **split_params))
    tasks = (
        delayed(_fit_on_fold)(
            name, fold, estimator, X, y, split, fit_params[name], labels, return_estimator
        )
        for name, estimator in estimators.items()
        for fold, split in enumerate(splits)
    )
    done = Parallel(n_jobs=n_jobs, return_as="generator_unordered")(tasks)
    results: dict[str, list[Any]] = {name: [None] * len(splits) for name in estimators}
    for result in _with_progress(done, len(estimators) * len(splits), verbose):
        results[result.name][result.fold] = result
    _report_failures([result.failure for row in results.values() for result in row])
    return splits, results


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
    consumers = {f"estimator{i}": estimator for i, estimator in enumerate(estimators.values())}
    router = MetadataRouter(owner="cross_val_report")
    router.add(splitter=splitter, method_mapping=MethodMapping().add(caller="fit", callee="split"))
    for consumer, estimator in consumers.items():
        mapping = MethodMapping().add(caller="fit", callee="fit")
        router.add(**{consumer: estimator}, method_mapping=mapping)
    routed = process_routing(router, "fit", **params)
    fit_params = (dict(routed[consumer].fit) for consumer in consumers)
    return dict(routed["splitter"].split), dict(zip(estimators, fit_params, strict=True))


def _fit_on_fold(
    name: str,
    fold: int,
    estimator: Any,
    X: ArrayLike,
    y: ArrayLike,
    split: Split,
    fit_params: Mapping[str, Any],
    labels: NDArray[Any],
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
        confusion = OrdinalConfusion.from_predictions(y_test, fitted.predict(X_test), labels=labels)
        end = time.perf_counter()
    except Exception as error:
        failure = FitFailure(
            name=name,
            fold=fold,
            estimator=" ".join(repr(estimator).split()),
            params=estimator.get_params(),
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


def _with_progress(
    results: Iterable[FoldResult], n_results: int, verbose: bool
) -> Iterable[FoldResult] | Iterator[FoldResult]:
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
    lines = "\n".join(map(str, failed))
    if len(failed) == len(failures):
        raise ValueError(f"All {len(failed)} fits failed, the first:\n{failed[0].traceback}")
    warnings.warn(
        f"{len(failed)} of {len(failures)} fits failed, their scores are NaN:\n{lines}",
        FitFailedWarning,
        stacklevel=4,
    )
