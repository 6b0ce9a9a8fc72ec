"""Splits of samples into training and test samples, as scikit-learn accepts them."""

from __future__ import annotations

from numbers import Integral
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import check_cv

from sklearn_ordinal._core._checks import sentence, shown

Split: TypeAlias = tuple[NDArray[np.intp], NDArray[np.intp]]


def check_n_folds(cv: Any) -> None:
    """Raise if `cv` is a number, but not a number of folds."""
    if isinstance(cv, (Integral, np.bool_)) and (isinstance(cv, (bool, np.bool_)) or cv < 2):
        raise ValueError(f"cv must be at least 2 folds, a splitter or splits, got {shown(cv)}.")


def as_splitter(cv: Any, y: ArrayLike, others: str = "a splitter or splits") -> Any:
    """Return a splitter; a number of folds is stratified by `y`."""
    check_n_folds(cv)
    try:
        # Bytes and classes have a method `split` as well.
        splitter = None if isinstance(cv, (bytes, type)) else check_cv(cv, y, classifier=True)
    except (TypeError, ValueError):
        splitter = None
    if splitter is None:
        raise ValueError(f"cv must be a number of folds, {others}, got {shown(cv)}.")
    if not hasattr(cv, "split"):
        for split in getattr(splitter, "cv", ()):
            if not _is_pair(split):
                raise ValueError(
                    f"cv must hold pairs of the training and the test indices of each fold, got "
                    f"{shown(split)}."
                )
    return splitter


def as_indices(split: Any, n_samples: int) -> Split:
    """Return training and test positions; scikit-learn accepts masks as well."""
    positions = np.arange(n_samples)
    try:
        train, test = (positions[np.asarray(part)] for part in split)
    except Exception as error:
        raise ValueError(
            f"cv must give positions of the {n_samples} samples, or masks: {sentence(error)}."
        ) from None
    return train, test


def _is_pair(split: Any) -> bool:
    try:
        return len(split) == 2
    except TypeError:  # also for sparse arrays and arrays without axes
        return False
