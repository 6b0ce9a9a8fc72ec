"""Training data, and splits into training and test samples that keep groups together."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from numbers import Integral
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    LeaveOneGroupOut,
    LeavePGroupsOut,
    StratifiedGroupKFold,
    check_cv,
)
from sklearn.model_selection._search import BaseSearchCV
from sklearn.pipeline import Pipeline
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _num_samples

from sklearn_ordinal._core import checks, containers, scales

# Splits into training and test samples that keep groups together
# ---------------------------------------------------------------

Split: TypeAlias = tuple[NDArray[np.intp], NDArray[np.intp]]

_GROUP_SPLITTERS = (
    GroupKFold,
    GroupShuffleSplit,
    LeaveOneGroupOut,
    LeavePGroupsOut,
    StratifiedGroupKFold,
)


def _check_n_folds(cv: Any) -> None:
    """Raise if `cv` is a number, but not a number of folds."""
    if isinstance(cv, (Integral, np.bool_)) and (isinstance(cv, (bool, np.bool_)) or cv < 2):
        raise ValueError(
            f"cv must be at least 2 folds, a splitter or splits, got {checks.shown(cv)}."
        )


def make_splitter(
    cv: Any, y: ArrayLike, groups: Any = None, others: str = "a splitter or splits"
) -> Any:
    """Return a splitter; a number of folds is stratified by `y` and keeps groups together."""
    _check_n_folds(cv)
    if groups is not None and (cv is None or isinstance(cv, Integral)):
        return StratifiedGroupKFold(5 if cv is None else cv)
    try:
        # Bytes and classes have a method `split` as well.
        splitter = None if isinstance(cv, (bytes, type)) else check_cv(cv, y, classifier=True)
    except (TypeError, ValueError):
        splitter = None
    if splitter is None:
        raise ValueError(f"cv must be a number of folds, {others}, got {checks.shown(cv)}.")
    if not hasattr(cv, "split"):
        for split in getattr(splitter, "cv", ()):
            if not _is_pair(split):
                raise ValueError(
                    f"cv must hold pairs of the training and the test indices of each fold, got "
                    f"{checks.shown(split)}."
                )
    return splitter


def _as_indices(split: Any, n_samples: int) -> Split:
    """Return training and test positions; scikit-learn accepts masks as well."""
    positions = np.arange(n_samples)
    try:
        train, test = (positions[np.asarray(part)] for part in split)
    except Exception as error:
        raise ValueError(
            f"cv must give positions of the {n_samples} samples, or masks: "
            f"{checks.sentence(error)}."
        ) from None
    return train, test


def make_splits(
    splitter: Any, X: ArrayLike, y: ArrayLike, split_params: Mapping[str, Any], n_samples: int
) -> list[Split]:
    """Return training and test indices of each fold, with no group on both sides."""
    groups = split_params.get("groups")
    if groups is None and isinstance(splitter, _GROUP_SPLITTERS):
        raise ValueError(
            f"groups must be passed for cv={type(splitter).__name__}, which keeps groups together: "
            f"pass groups=, one for each sample, or another cv."
        )
    with warnings.catch_warnings():
        # If the splitter ignores groups and divides a group, an error is raised below.
        warnings.filterwarnings("ignore", "The groups parameter is ignored", UserWarning)
        try:
            splits = [_as_indices(s, n_samples) for s in splitter.split(X, y, **split_params)]
        except TypeError as error:
            if groups is None:
                raise
            name = type(splitter).__name__
            raise ValueError(f"groups must hold values that {name} can sort: {error}.") from error
    if not splits:
        raise ValueError(f"cv must give at least one split, got {checks.shown(splitter)}.")
    if groups is not None:
        _check_no_group_on_both_sides(splits, scales.encode_groups(groups, n_samples))
    return splits


def _check_no_group_on_both_sides(splits: list[Split], group: NDArray[np.int64]) -> None:
    for number, (train, test) in enumerate(splits, start=1):
        tested = np.unique(group[test])
        n_shared = np.isin(tested, group[train]).sum()
        if n_shared:
            raise ValueError(
                f"groups must be on one side of each fold, but {n_shared} of the {len(tested)} "
                f"groups in the test set of fold {number} are also in its training set: pass a "
                f"splitter that keeps groups together as cv, such as StratifiedGroupKFold(5), or "
                f"leave groups out."
            )


def groups_for_fit(estimator: Any, groups: Any) -> dict[str, Any]:
    """Return the groups as a parameter of `fit`, for an estimator that splits its samples itself.

    Searches of scikit-learn, and estimators whose `fit` has the parameter `groups`, take them; so
    does a pipeline that ends with one of them.
    """
    if isinstance(estimator, Pipeline):
        name, last = estimator.steps[-1]
        return {f"{name}__{key}": value for key, value in groups_for_fit(last, groups).items()}
    fit = getattr(estimator, "fit", None)
    has_groups = fit is not None and "groups" in inspect.signature(fit).parameters
    return {"groups": groups} if has_groups or isinstance(estimator, BaseSearchCV) else {}


def _is_pair(split: Any) -> bool:
    try:
        return len(split) == 2
    except TypeError:  # also for sparse arrays and arrays without axes
        return False


# The training data of estimators: the classes to learn, and the features that were seen
# --------------------------------------------------------------------------------------


def read_training_classes(X: Any, y: ArrayLike, *, may_be_fractions: bool) -> NDArray[Any]:
    """Return the classes as scikit-learn passes them on, one for each row of `X`."""
    with _errors_about("y must hold a class for each sample"):
        # NumPy would turn numbers beside strings into strings.
        y = containers.array_from_list(y) if isinstance(y, (list, tuple)) else y
        values: NDArray[Any] = column_or_1d(as_learnable(y), warn=True)
        if not may_be_fractions:
            # The caller's reader raises for infinite values.
            with np.errstate(invalid="ignore"):
                check_classification_targets(values)
    check_training_length(X, len(values))
    return values


def as_learnable(y: Any) -> Any:
    """Convert labels that scikit-learn refuses: numbers in objects, strings of variable width."""
    dtype: Any = getattr(y, "dtype", None)
    if isinstance(y, np.ndarray) and dtype.kind == "T":
        return np.array(y.tolist())
    # Categoricals and strings of pandas are also of the kind "O".
    if isinstance(dtype, np.dtype) and dtype.kind == "O" and np.ndim(y) == 1 and len(y):
        column = containers.numbers_where_all_are(containers.read_column(y, "y"))
        is_number = column.categories is None and column.values.dtype != object
        return column.values if is_number else y
    return y


def check_training_length(X: Any, n_samples: int) -> None:
    """Raise unless features have as many rows as there are samples."""
    try:
        n_rows = _num_samples(X)
    except TypeError:  # the estimator may take other features
        return
    scales.check_same_length({"X": n_rows, "y": n_samples})


@contextmanager
def _errors_about(requirement: str) -> Iterator[None]:
    """Put the requirement in front of errors of scikit-learn, which do not name the argument."""
    try:
        yield
    except Exception as error:
        raise ValueError(f"{requirement}: {checks.sentence(error)}.") from None


def take_features(wrapper: Any, estimator: Any) -> None:
    """Set the number and names of the features, if a fitted estimator has them."""
    for name in ("n_features_in_", "feature_names_in_"):
        if hasattr(estimator, name):
            setattr(wrapper, name, getattr(estimator, name))
        elif hasattr(wrapper, name):
            delattr(wrapper, name)
