"""Labels of several outputs, as a pair of a true and a predicted column for each output."""

from __future__ import annotations

import sys
from typing import Any

from numpy.typing import ArrayLike

from sklearn_ordinal._core._checks import column_names
from sklearn_ordinal._core._containers import as_array
from sklearn_ordinal._core._encoding import Encoded, encode
from sklearn_ordinal._core._scale import as_scale


def encode_outputs(y_true: ArrayLike, y_pred: ArrayLike, labels: Any = None) -> list[Encoded]:
    """Encode the pair of columns of each output of two-dimensional labels."""
    scale = labels if labels is None else as_scale(labels)
    return [
        encode({"y_true": true, "y_pred": pred}, scale)
        for true, pred in output_pairs(y_true, y_pred)
    ]


def output_pairs(y_true: ArrayLike, y_pred: ArrayLike) -> list[tuple[Any, Any]]:
    """Return the columns of two-dimensional labels as pairs of true and predicted."""
    names = [names for y in (y_true, y_pred) if (names := output_names(y)) is not None]
    if len(names) == 2 and names[0] != names[1]:
        raise ValueError(
            f"y_true and y_pred must have the same columns in the same order, got {names[0]} and "
            f"{names[1]}: select them by name, or pass arrays to pair them by position."
        )
    true, pred = _outputs(y_true, "y_true"), _outputs(y_pred, "y_pred")
    for name, outputs in (("y_true", true), ("y_pred", pred)):
        if not outputs:
            raise ValueError(f"{name} must have shape (n_samples, n_outputs), got no outputs.")
    if len(true) != len(pred):
        raise ValueError(
            f"y_true and y_pred must have the same number of outputs, "
            f"got {len(true)} and {len(pred)}."
        )
    return list(zip(true, pred, strict=True))


def output_names(y: Any) -> list[Any] | None:
    """Return the names of the columns of a frame, None if they have none."""
    names = column_names(y)
    # A pandas frame without names has a RangeIndex, which has a step.
    return None if names is None or hasattr(names, "step") else list(names)


def _outputs(y: Any, name: str) -> list[Any]:
    pandas, polars = sys.modules.get("pandas"), sys.modules.get("polars")
    if pandas is not None and isinstance(y, pandas.DataFrame):
        return [y.iloc[:, output] for output in range(y.shape[1])]
    if polars is not None and isinstance(y, polars.DataFrame):
        return list(y.get_columns())
    if isinstance(y, (list, tuple)) and y and all(isinstance(row, (list, tuple)) for row in y):
        if len(set(map(len, y))) == 1:
            # Read column by column, since NumPy would turn rows of mixed types into strings.
            return [list(column) for column in zip(*y, strict=True)]
        raise ValueError(
            f"{name} must have shape (n_samples, n_outputs), got rows of different lengths."
        )
    array = as_array(y, name)
    if array.ndim != 2 or not array.shape[1]:
        raise ValueError(
            f"{name} must have shape (n_samples, n_outputs), got {array.shape}: "
            f"for a single output, call the metric directly."
        )
    return list(array.T)
