"""Read probabilities of the classes: columns in the order of the scale, rows that add up to 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray
from scipy.sparse import csr_array

from sklearn_ordinal._core._arrays import ROWS_IN_CACHE, slices
from sklearn_ordinal._core._checks import (
    SMALLEST_PROBABILITY,
    as_numbers,
    check_sample_weight,
    column_names,
    listed,
    refuse_bad_numbers,
    refuse_rows,
)
from sklearn_ordinal._core._containers import check_same_order, read_column
from sklearn_ordinal._core._encoding import check_same_length, encode, encode_columns
from sklearn_ordinal._core._scale import OrdinalScale

# Probabilities, and sums of them, are ties if they differ only by rounding errors, which are about
# 1e-16.
DIGITS_OF_PROBABILITIES = 12
# Rows of float32 remain inexact after `tolist`, a csv file or a data frame, although their dtype is
# float64 there: up to 200 classes, they add up to 1 within about 4e-7.
SUM_TOLERANCE = 1e-6
# Advice that callers add to errors if a user passed the probabilities.
_PASS_CLASSES = "pass classes= with the class of each column to OrdinalForecasts.from_probabilities"
_OR_PASS_CLASSES = f", or {_PASS_CLASSES}"


def read_probabilities(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    labels: ArrayLike | None,
    classes: ArrayLike | None,
    sample_weight: ArrayLike | None,
    *,
    name: str = "y_proba",
) -> tuple[OrdinalScale, NDArray[np.intp], NDArray[Any], NDArray[np.float64]]:
    """Return the scale, the true positions, the probabilities by class, and the weights.

    The probabilities keep their dtype, on which the tolerance of `checked_probabilities` depends.
    `name` is the name of the argument in errors.
    """
    check_same_order({"y_true": y_true, name: y_proba, "sample_weight": sample_weight})
    columns = [read_column(y_true, "y_true")]
    proba = as_numbers(name, y_proba)
    _check_shape(proba, name)
    if classes is not None:
        columns.append(read_column(classes, "classes"))
    check_same_length({"y_true": len(columns[0].values), name: len(proba)})
    encoded = encode_columns(columns, labels)
    scale, positions = encoded.on_scale()
    if classes is not None:
        in_order = scale.labels[positions[1]]
        check_column_names(name, y_proba, in_order.tolist(), "classes", _OR_PASS_CLASSES)
        refuse_bad_numbers(proba, name)
        proba = scale.align(proba, in_order)
    else:
        _check_n_columns(proba, scale, name, is_declared=encoded.scale is not None)
        in_words = "the classes, from the lowest,"
        check_column_names(name, y_proba, scale.labels.tolist(), in_words, _OR_PASS_CLASSES)
    return scale, positions[0], proba, check_sample_weight(sample_weight, len(proba))


def read_cumulative(
    y_true: ArrayLike,
    y_above: ArrayLike,
    labels: ArrayLike | None,
    sample_weight: ArrayLike | None,
) -> tuple[OrdinalScale, NDArray[np.intp], NDArray[np.float64], NDArray[np.float64]]:
    """Return the scale, the true positions, the probabilities by class, and the weights.

    The columns of `y_above` are the probabilities of being above each class but the highest.
    """
    above = as_numbers("y_above", y_above)
    if above.ndim == 1:
        above = above[:, None]
    if above.ndim != 2 or not above.shape[1]:
        raise ValueError(f"y_above must have shape (n_samples, n_classes - 1), got {above.shape}.")
    encoded = encode({"y_true": y_true}, labels, y_above=y_above, sample_weight=sample_weight)
    scale, (positions,) = encoded.on_scale()
    check_same_length({"y_true": len(positions), "y_above": len(above)})
    _check_n_thresholds(above, scale)
    proba = _differences(above.astype(np.float64, copy=False))
    return scale, positions, proba, check_sample_weight(sample_weight, len(proba))


def checked_probabilities(
    proba: NDArray[Any],
    *,
    name: str = "y_proba",
    dtype: DTypeLike | None = None,
    way_out: str = "",
) -> NDArray[np.float64]:
    """Return rows of probabilities as float64, or raise an error that names the first bad row.

    `dtype` sets the tolerance, if it is not the dtype of the array.
    """
    tolerance = _tolerance(proba.dtype if dtype is None else np.dtype(dtype))
    for part in slices(len(proba), ROWS_IN_CACHE):
        rows = proba[part]
        # Add class by class, so that each sum runs over a long row. A comparison with NaN is false.
        with np.errstate(over="ignore"):
            sums = np.array(rows.T, dtype=np.float64, order="C").sum(axis=0)
        is_one = sums.max() - 1 <= tolerance and 1 - sums.min() <= tolerance
        if not (is_one and rows.min() >= SMALLEST_PROBABILITY):
            _refuse_bad_sums(proba, tolerance, name, way_out)
    return proba.astype(np.float64, copy=False)


def _differences(above: NDArray[Any]) -> NDArray[np.float64]:
    """Return class probabilities, from the probabilities of being above each class but the last."""
    is_bad = ~np.isfinite(above).all(axis=1)
    refuse_rows(above, is_bad, "y_above must be finite", "has NaN or infinite values")
    excess = np.maximum(-above, above - 1)
    is_bad = (excess > SUM_TOLERANCE).any(axis=1)
    row = is_bad.argmax()
    finding = f"contains {above[row, excess[row].argmax()]:.6g}"
    way_out = "; if these are logits, convert them to probabilities"
    refuse_rows(above, is_bad, "y_above must be between 0 and 1", finding, way_out)
    _refuse_rises(above)
    # Remove rounding errors, so that no class has a negative probability.
    steps = np.zeros((len(above), above.shape[1] + 2))
    steps[:, 0] = 1
    steps[:, 1:-1] = np.minimum.accumulate(np.clip(above, 0, 1), axis=1)
    return steps[:, :-1] - steps[:, 1:]


def _refuse_rises(above: NDArray[Any]) -> None:
    rises = np.diff(above, axis=1) > SUM_TOLERANCE
    is_bad = np.asarray(rises.any(axis=1))
    if is_bad.any():
        row = is_bad.argmax()
        lower, upper = above[row, rises[row].argmax() :][:2]
        finding = f"rises from {lower:.6g} to {upper:.6g}"
        way_out = (
            "; pass 1 - y_above if the columns are P(y <= k), or np.minimum.accumulate(y_above, "
            "axis=1) if the thresholds are predicted independently"
        )
        refuse_rows(above, is_bad, "y_above must not rise from column to column", finding, way_out)


def _tolerance(dtype: np.dtype[Any]) -> float:
    """Return how far the sum of a row may deviate from 1."""
    if dtype.kind != "f":
        return SUM_TOLERANCE
    return max(SUM_TOLERANCE, float(np.sqrt(np.finfo(dtype).eps)))


def shown_sum(total: float) -> str:
    """Format a sum for a message, as 1 and its deviation if it is close to 1."""
    deviation = total - 1
    if abs(deviation) >= 1e-3 or not deviation:
        return f"{total:.6g}"
    return f"1 {'-' if deviation < 0 else '+'} {abs(deviation):.2g}"


def _refuse_bad_sums(proba: NDArray[Any], tolerance: float, name: str, way_out: str) -> None:
    refuse_bad_numbers(proba, name)
    with np.errstate(over="ignore"):
        sums = proba.sum(axis=1, dtype=np.float64)
    is_bad = np.abs(sums - 1) > tolerance
    finding = f"adds up to {shown_sum(sums[is_bad.argmax()])}"
    way_out = (
        f", more than {tolerance:.1g} from 1; if the probabilities are rounded, divide each row by "
        f"its sum{way_out}"
    )
    refuse_rows(proba, is_bad, f"{name} must have rows that add up to 1", finding, way_out)


def _check_shape(proba: NDArray[Any], name: str) -> None:
    if proba.ndim == 1:
        raise ValueError(
            f"{name} must have shape (n_samples, n_classes), got {proba.shape}: for the "
            f"probabilities p of the higher of two classes, pass numpy.column_stack([1 - p, p])."
        )
    if proba.ndim != 2 or not proba.shape[1]:
        raise ValueError(f"{name} must have shape (n_samples, n_classes), got {proba.shape}.")


def _check_n_columns(
    proba: NDArray[Any], scale: OrdinalScale, name: str, *, is_declared: bool
) -> None:
    if proba.shape[1] == len(scale):
        return
    source = "" if is_declared else " in y_true"
    way_out = _PASS_CLASSES
    if not is_declared and proba.shape[1] > len(scale):
        way_out = "pass labels= with all classes from the lowest to the highest"
    elif proba.shape[1] == len(scale) - 1:
        way_out += ", or use OrdinalForecasts.from_cumulative if the columns are P(y > k)"
    raise ValueError(
        f"{name} must have a column for each of the {len(scale)} classes {listed(scale.labels)}"
        f"{source}, got {proba.shape[1]} columns: {way_out}."
    )


def _check_n_thresholds(above: NDArray[Any], scale: OrdinalScale) -> None:
    n_columns = above.shape[1]
    if n_columns == len(scale) - 1:
        return
    way_out = (
        f"pass labels= with the {n_columns + 1} classes that the columns divide, from the lowest "
        f"to the highest"
    )
    if n_columns == len(scale):
        way_out += (
            ", or probabilities of the classes themselves to OrdinalForecasts.from_probabilities"
        )
    raise ValueError(
        f"y_above must have a column for each class but the highest of {listed(scale.labels)}, got "
        f"{n_columns} columns: {way_out}."
    )


def check_column_names(
    name: str, frame: Any, classes: Sequence[Any], what: str, way_out: str = ""
) -> None:
    """Raise if the columns of a data frame are named after classes but not in their order."""
    columns = column_names(frame)
    if columns is None or callable(columns) or isinstance(frame, np.ndarray):
        return
    names, expected = list(map(_text_of, columns)), list(map(_text_of, classes))
    if names == expected or not set(names) & set(expected) or _is_default(columns, expected):
        return
    raise ValueError(
        f"{name} has columns named {listed(map(str, columns))}, but {what} are {listed(classes)}: "
        f"put the columns in this order{way_out}."
    )


def _text_of(value: Any) -> str:
    """Return a text that is the same for equal numbers, such as the class 1 and the name "1.0"."""
    try:
        return str(float(value))
    except (TypeError, ValueError, OverflowError):
        return str(value)


def _is_default(columns: Any, expected: list[str]) -> bool:
    """Return whether the names of columns are 0, 1, ... without being classes."""
    if type(columns).__name__ == "RangeIndex":
        return True
    numbers = list(range(len(columns)))
    return list(columns) == numbers and set(map(_text_of, numbers)) != set(expected)


def are_certain(y_proba: NDArray[np.float64]) -> bool:
    """Return whether all probabilities are 0 or 1, so that soft counts are numbers of samples."""
    return not ((y_proba > 0) & (y_proba < 1)).any()


def soft_counts(
    y_true: NDArray[np.intp], y_proba: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Add up the probabilities of the samples of each true class: (..., n) to (..., K, K)."""
    n_samples, n_classes = y_proba.shape
    cells = y_true[:, None] * n_classes + np.arange(n_classes)
    row_ends = np.arange(0, n_samples * n_classes + 1, n_classes)
    # Rounding errors below zero would lead to negative counts.
    proba = np.maximum(y_proba, 0)
    rows = csr_array(
        (proba.ravel(), cells.ravel(), row_ends), shape=(n_samples, n_classes * n_classes)
    )
    counts = rows.T @ weights.reshape(-1, n_samples).T
    return np.asarray(counts.T.reshape(*weights.shape[:-1], n_classes, n_classes))
