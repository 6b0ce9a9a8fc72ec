"""Splits into training and test samples that keep groups together."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
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

from sklearn_ordinal._core import encode_groups, shown

Split: TypeAlias = tuple[NDArray[np.intp], NDArray[np.intp]]

_GROUP_SPLITTERS = (
    GroupKFold,
    GroupShuffleSplit,
    LeaveOneGroupOut,
    LeavePGroupsOut,
    StratifiedGroupKFold,
)


def make_splitter(cv: Any, y: ArrayLike, groups: ArrayLike | None) -> Any:
    """Return the splitter; if `cv` is a number of folds, the splitter keeps groups together."""
    if isinstance(cv, (Integral, np.bool_)) and (isinstance(cv, (bool, np.bool_)) or cv < 2):
        raise ValueError(f"cv must be at least 2 folds, a splitter or splits, got {shown(cv)}.")
    if groups is not None and (cv is None or isinstance(cv, Integral)):
        return StratifiedGroupKFold(5 if cv is None else cv)
    try:
        splitter = check_cv(cv, y, classifier=True)
    except TypeError:
        splitter = None
    if splitter is None or isinstance(splitter, type):
        raise ValueError(f"cv must be a number of folds, a splitter or splits, got {shown(cv)}.")
    if not hasattr(cv, "split"):
        for split in getattr(splitter, "cv", ()):
            if not hasattr(split, "__len__") or len(split) != 2:
                raise ValueError(
                    f"cv must hold pairs of the training and the test indices of each fold, got "
                    f"{shown(split)}."
                )
    return splitter


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
        splits = [_as_indices(split, n_samples) for split in splitter.split(X, y, **split_params)]
    if not splits:
        raise ValueError(f"cv must give at least one split, got {shown(splitter)}.")
    if groups is not None:
        _check_no_group_on_both_sides(splits, encode_groups(groups, n_samples))
    return splits


def _check_no_group_on_both_sides(splits: list[Split], group: NDArray[np.int64]) -> None:
    for number, (train, test) in enumerate(splits, start=1):
        tested = np.unique(group[test])
        n_shared = np.isin(tested, group[train]).sum()
        if n_shared:
            raise ValueError(
                f"groups are on both sides of fold {number}: {n_shared} of the {len(tested)} "
                f"groups in its test set are also in its training set. Pass a splitter that keeps "
                f"groups together as cv, such as StratifiedGroupKFold(5), or leave groups out."
            )


def _as_indices(split: Any, n_samples: int) -> Split:
    """Return training and test positions; scikit-learn accepts masks as well."""
    positions = np.arange(n_samples)
    try:
        train, test = (positions[np.asarray(part)] for part in split)
    except IndexError as error:
        raise ValueError(
            f"cv must give positions of the {n_samples} samples, or masks: {error}."
        ) from None
    return train, test
