"""Splits into training and test samples that keep groups together."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    LeaveOneGroupOut,
    LeavePGroupsOut,
    StratifiedGroupKFold,
)

from sklearn_ordinal._core import (
    Split,
    as_indices,
    as_splitter,
    check_n_folds,
    encode_groups,
    shown,
)

_GROUP_SPLITTERS = (
    GroupKFold,
    GroupShuffleSplit,
    LeaveOneGroupOut,
    LeavePGroupsOut,
    StratifiedGroupKFold,
)


def make_splitter(cv: Any, y: ArrayLike, groups: ArrayLike | None) -> Any:
    """Return the splitter; if `cv` is a number of folds, the splitter keeps groups together."""
    if groups is not None and (cv is None or isinstance(cv, Integral)):
        check_n_folds(cv)
        return StratifiedGroupKFold(5 if cv is None else cv)
    return as_splitter(cv, y)


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
            splits = [as_indices(s, n_samples) for s in splitter.split(X, y, **split_params)]
        except TypeError as error:
            if groups is None:
                raise
            name = type(splitter).__name__
            raise ValueError(f"groups must hold values that {name} can sort: {error}.") from error
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
                f"groups must be on one side of each fold, but {n_shared} of the {len(tested)} "
                f"groups in the test set of fold {number} are also in its training set: pass a "
                f"splitter that keeps groups together as cv, such as StratifiedGroupKFold(5), or "
                f"leave groups out."
            )
