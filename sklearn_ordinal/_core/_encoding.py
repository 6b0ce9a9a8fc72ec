"""Encode columns of labels as positions on one scale, and resolve the order of the scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core._checks import listed
from sklearn_ordinal._core._containers import (
    Column,
    array_from_list,
    check_no_missing_object,
    check_same_order,
    numbers_where_all_are,
    raise_missing,
    read_column,
    read_present,
)
from sklearn_ordinal._core._integer_run import (
    MAX_INTEGER_RUN,
    IntegerArray,
    check_run_length,
    largest,
    minus,
)
from sklearn_ordinal._core._missing_codes import may_have_codes, warn_of_missing_codes
from sklearn_ordinal._core._scale import OrdinalScale, as_scale, raise_continuous

_WAYS_OUT = (
    "pass labels=[...] from the lowest class to the highest, use an ordered pandas "
    "Categorical or a polars Enum, or encode the classes as integers"
)

COUNT_UNANSWERED = (
    "pass unanswered='count', here or to OrdinalConfusion.from_predictions, to count them as "
    "unanswered, or fill them"
)


class Encoded(NamedTuple):
    """Columns of positions: position p stands for class ``scale.labels[p]``.

    If the scale is the run of integers that occur, it is only known after counting. Until
    then `scale` is None, position p stands for ``lowest + p``, and `n_positions` is an
    upper bound.
    """

    columns: tuple[IntegerArray, ...]
    n_positions: int
    scale: OrdinalScale | None
    lowest: int = 0
    is_bool: bool = False

    def run_scale(self, lowest: int, n_classes: int) -> OrdinalScale:
        """Return the scale of a run of integers, or of booleans if these were passed."""
        return run_scale(lowest, n_classes, is_bool=self.is_bool)

    def warn_of_codes(self, weight: NDArray[np.float64] | None = None) -> None:
        """Warn if the classes are integers that look like codes for missing values."""
        n_classes = self.n_positions
        if self.scale is None and may_have_codes(self.lowest, self.lowest + n_classes - 1):
            columns = [column.astype(np.intp) for column in self.columns]
            if weight is not None:
                columns = [column[weight > 0] for column in columns]
            # Missing predictions follow the last class.
            counts = [np.bincount(c, minlength=n_classes + 1)[:n_classes] for c in columns]
            warn_of_missing_codes(self.lowest, np.array(counts))

    def on_scale(self) -> tuple[OrdinalScale, list[NDArray[np.intp]]]:
        """Return the scale, which for integers is the run that occurs, and the positions on it."""
        positions = [column.astype(np.intp, copy=False) for column in self.columns]
        if self.scale is not None:
            return self.scale, positions
        self.warn_of_codes()
        lowest = min(int(column.min()) for column in positions)
        highest = max(int(column.max()) for column in positions)
        if lowest:
            positions = [column - lowest for column in positions]
        return self.run_scale(self.lowest + lowest, highest - lowest + 1), positions


def run_scale(lowest: int, n_classes: int, *, is_bool: bool) -> OrdinalScale:
    """Return the scale of a run of integers, or of the booleans that they stand for."""
    scale = OrdinalScale.from_run(lowest, n_classes)
    return OrdinalScale(scale.labels.astype(bool)) if is_bool else scale


def encode(columns: Mapping[str, Any], labels: Any = None, **per_sample: Any) -> Encoded:
    """Resolve the order of the classes and return each named column as positions on it.

    For other arguments with a value for each sample, such as weights, only the index of a
    pandas object is checked.
    """
    check_same_order({**columns, **per_sample})
    return encode_columns(_read_columns(columns), labels)


def encode_one(
    y: Any, labels: Any = None, *, name: str = "y", **per_sample: Any
) -> tuple[OrdinalScale, NDArray[np.intp]]:
    """Resolve the order of the classes of `y` and return its positions on it."""
    encoded = encode({name: y}, labels, **per_sample)
    scale, (positions,) = encoded.on_scale()
    # The array that the user passed may change.
    return scale, positions.copy() if positions is encoded.columns[0] else positions


def encode_complete(columns: Mapping[str, Any], labels: Any, **per_sample: Any) -> Encoded:
    """Encode true and predicted classes, none of which may be missing."""
    try:
        return encode(columns, labels, **per_sample)
    except ValueError as error:
        name = getattr(error, "missing_in", None)
        if name in list(columns)[1:]:
            # A system that does not answer hard samples would look better without them.
            raise_missing(name, COUNT_UNANSWERED)
        raise


def encode_answered(
    columns: Mapping[str, Any], labels: Any, **per_sample: Any
) -> tuple[Encoded, list[NDArray[np.bool_]]]:
    """Encode true and predicted classes, and return which samples have a prediction.

    A sample without a prediction gets the position of its true class.
    """
    check_same_order({**columns, **per_sample})
    (name, y_true), *systems = columns.items()
    true = read_column(y_true, name)
    answers = [read_present(y_pred, name) for name, y_pred in systems]
    lengths = map(len, [true.values, *(is_answered for _, is_answered in answers)])
    check_same_length(dict(zip(columns, lengths, strict=True)))
    return encode_present(true, answers, labels), [mask for _, mask in answers]


def encode_present(
    true: Column, answers: Sequence[tuple[Column, NDArray[np.bool_]]], labels: Any
) -> Encoded:
    """Encode a column of true classes, and predictions as `read_present` returns them."""
    # A column without any prediction does not show the classes, unless its dtype declares them.
    present = [pred if pred.is_ordered or len(pred.values) else true for pred, _ in answers]
    encoded = encode_columns([true, *present], labels)
    positions = [encoded.columns[0].astype(np.int64)]
    for (_, is_answered), answered in zip(answers, encoded.columns[1:], strict=True):
        pred = positions[0].copy()
        if is_answered.any():
            pred[is_answered] = answered
        positions.append(pred)
    return encoded._replace(columns=tuple(positions))


def encode_groups(groups: Any, n_samples: int, argument: str = "groups") -> NDArray[np.int64]:
    """Return the group of each sample as an integer, counted from 0.

    Strings are numbered in sorted order, so that an array and a Series lead to the same
    random draws; ordered categories, in their order.
    """
    column = read_column(groups, argument)
    if len(column.values) != n_samples:
        raise ValueError(
            f"{argument} must have a value for each of the {n_samples} samples, got "
            f"{len(column.values)}."
        )
    values = column.values
    if column.categories is not None and not column.is_ordered:
        # It does not matter in which order unordered categories are listed.
        names = column.categories
        values = names[values] if names.dtype == object else np.argsort(np.argsort(names))[values]
    if values.dtype == object:
        check_no_missing_object(column)
        if all(isinstance(value, str) for value in values):
            values = array_from_list(values.tolist())
    if values.dtype == object:
        number_of: dict[Any, int] = {}
        try:
            numbers = [number_of.setdefault(group, len(number_of)) for group in values]
        except TypeError as error:
            raise ValueError(
                f"{argument} must hold values that can be compared: {error}."
            ) from None
        return np.asarray(numbers, dtype=np.int64)
    return np.unique(values, return_inverse=True)[1].astype(np.int64, copy=False)


def encode_values(
    values: Any, n_samples: int, argument: str
) -> tuple[NDArray[np.int64], tuple[Any, ...]]:
    """Return the position of each sample's value among the values that occur, and these values."""
    numbers = encode_groups(values, n_samples, argument)
    column = read_column(values, argument)
    distinct = column.values[np.unique(numbers, return_index=True)[1]]
    if column.categories is not None:
        distinct = column.categories[distinct]
    return numbers, tuple(distinct.astype(bool).tolist() if column.is_bool else distinct.tolist())


def _read_columns(columns: Mapping[str, Any]) -> list[Column]:
    parsed = [read_column(y, name) for name, y in columns.items()]
    if len({len(column.values) for column in parsed}) > 1:
        check_same_length({column.name: len(column.values) for column in parsed})
    return parsed


def check_same_length(lengths: Mapping[str, int]) -> None:
    """Raise unless columns have the same length."""
    if len(set(lengths.values())) > 1:
        (*first, last), (*sizes, size) = lengths, lengths.values()
        raise ValueError(
            f"{', '.join(first)} and {last} must have the same length, "
            f"got {', '.join(map(str, sizes))} and {size}."
        )


def encode_columns(columns: Sequence[Column], labels: Any) -> Encoded:
    """Encode columns, whose lengths may differ."""
    scale = declared_scale(columns, labels)
    if scale is None:
        return _encode_integer_run([_integer_column(column) for column in columns])
    return Encoded(tuple(map(scale.encode, columns)), len(scale), scale)


def declared_scale(columns: Sequence[Column], labels: Any) -> OrdinalScale | None:
    """Return the scale in the declared order, or None if it is the run of integers that occur."""
    if labels is not None:
        return as_scale(labels)
    ordered = [(c.name, c.categories) for c in columns if c.is_ordered and c.categories is not None]
    if not ordered:
        return None
    for name, categories in ordered[1:]:
        if not np.array_equal(ordered[0][1], categories):
            raise ValueError(
                f"{ordered[0][0]} and {name} are ordered differently, {listed(ordered[0][1])} and "
                f"{listed(categories)}: give both the same categories or pass labels=."
            )
    return OrdinalScale(ordered[0][1])


def _integer_column(column: Column) -> Column:
    column = numbers_where_all_are(column)
    if column.values.dtype.kind == "f" and (column.values % 1).any():
        raise_continuous(column)
    if column.categories is not None or column.values.dtype.kind not in "iu":
        raise ValueError(f"{_finding(column)}: {_WAYS_OUT}.")
    return column


def unknown_order_finding(y: Any, name: str) -> str | None:
    """Return the message for labels whose order is not known, None if it is known.

    The caller adds the advice, which need not be to pass ``labels``.
    """
    column = numbers_where_all_are(read_column(y, name))
    is_known = column.is_ordered or (column.categories is None and column.values.dtype.kind in "iu")
    is_continuous = column.values.dtype.kind == "f" and bool((column.values % 1).any())
    return None if is_known or is_continuous else _finding(column)


def _finding(column: Column) -> str:
    labels = listed(column.distinct())
    return f"{column.name} has {_label_kind(column)} {labels}, whose order is not known"


def _label_kind(column: Column) -> str:
    if column.categories is not None:
        return "unordered categories"
    if column.values.dtype.kind == "f":
        return "numbers beyond 2**53"
    if all(isinstance(value, (str, bytes)) for value in column.values[:1]):
        return "string labels"
    return f"labels of type {type(column.values[0]).__name__}"


def _encode_integer_run(columns: Sequence[Column]) -> Encoded:
    positions = [column.values for column in columns]
    lowest, highest = 0, max(map(largest, positions))
    if highest >= MAX_INTEGER_RUN:
        lowest = min(int(values.min()) for values in positions)
        highest = max(int(values.max()) for values in positions)
        check_run_length(
            [column.name for column in columns],
            lowest,
            highest,
            (values.tolist() for values in positions),
        )
        positions = [minus(values, lowest) for values in positions]
    is_bool = columns[0].is_bool and all(column.is_bool for column in columns)
    return Encoded(tuple(positions), highest - lowest + 1, None, lowest, is_bool)
