"""The training data of estimators: the classes to learn, and the features that were seen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _num_samples

from sklearn_ordinal._core._checks import sentence
from sklearn_ordinal._core._containers import array_from_list, numbers_where_all_are, read_column
from sklearn_ordinal._core._encoding import check_same_length


def read_training_classes(X: Any, y: ArrayLike, *, may_be_fractions: bool) -> NDArray[Any]:
    """Return the classes as scikit-learn passes them on, one for each row of `X`."""
    with _errors_about("y must hold a class for each sample"):
        # NumPy would turn numbers beside strings into strings.
        y = array_from_list(y) if isinstance(y, (list, tuple)) else y
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
        column = numbers_where_all_are(read_column(y, "y"))
        return y if column.values.dtype == object else column.values
    return y


def check_training_length(X: Any, n_samples: int) -> None:
    """Raise unless features have as many rows as there are samples."""
    try:
        n_rows = _num_samples(X)
    except TypeError:  # the estimator may take other features
        return
    check_same_length({"X": n_rows, "y": n_samples})


@contextmanager
def _errors_about(requirement: str) -> Iterator[None]:
    """Put the requirement in front of errors of scikit-learn, which do not name the argument."""
    try:
        yield
    except Exception as error:
        raise ValueError(f"{requirement}: {sentence(error)}.") from None


def take_features(wrapper: Any, estimator: Any) -> None:
    """Set the number and names of the features, if a fitted estimator has them."""
    for name in ("n_features_in_", "feature_names_in_"):
        if hasattr(estimator, name):
            setattr(wrapper, name, getattr(estimator, name))
        elif hasattr(wrapper, name):
            delattr(wrapper, name)
