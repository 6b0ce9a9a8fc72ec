"""Reading a table of predictions: the column of each system, and the test case of each row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import encode_groups, read_column


def columns_of_systems(predictions: Any, n_samples: int) -> dict[str, Any]:
    """Return the predictions of each system by its name."""
    table: Any = predictions
    if hasattr(predictions, "collect"):
        raise ValueError(
            f"predictions must be in memory, got a {type(predictions).__name__}: pass "
            f"predictions.collect()."
        )
    if isinstance(predictions, Mapping):
        keys = list(predictions)
    elif hasattr(predictions, "columns"):
        keys = list(getattr(predictions, "column_names", predictions.columns))
    else:
        table = _array_of_columns(predictions, n_samples).T
        keys = list(range(len(table)))
    names = [str(key) for key in keys]
    if not names:
        raise ValueError("predictions must have a column for each system, got none.")
    repeated = [name for name in names if names.count(name) > 1]
    if repeated:
        raise ValueError(
            f"predictions must have one column for each name, got {repeated[0]!r} more than once: "
            f"rename it."
        )
    return {name: table[key] for name, key in zip(names, keys, strict=True)}


def _array_of_columns(predictions: Any, n_samples: int) -> NDArray[Any]:
    expected = (
        "predictions must have a column for each system: a dict, a frame or an array of shape "
        "(n_samples, n_systems)"
    )
    try:
        array = np.asarray(predictions)
    except ValueError:
        raise ValueError(f"{expected}, got rows of different lengths.") from None
    if array.ndim != 2:
        raise ValueError(f"{expected}, got shape {array.shape}.")
    if len(array) != n_samples:
        way_out = ": transpose it" if array.shape[1] == n_samples else ""
        raise ValueError(f"{expected}, got shape {array.shape} for {n_samples} samples{way_out}.")
    return array


def test_case_of_samples(
    test_cases: ArrayLike | None, n_samples: int
) -> tuple[NDArray[np.intp], list[str]]:
    """Return the number of the test case of each sample, and the names of all, as they occur."""
    if test_cases is None:
        return np.zeros(n_samples, dtype=np.intp), ["0"]
    numbers = encode_groups(test_cases, n_samples, "test_cases")
    _, first, number = np.unique(numbers, return_index=True, return_inverse=True)
    order = np.argsort(first)
    column = read_column(test_cases, "test_cases")
    values = column.values[first[order]]
    if column.categories is not None:
        values = column.categories[values]
    return np.argsort(order)[number], [str(value) for value in values]
