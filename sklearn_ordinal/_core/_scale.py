"""The ordered classes, and the position of each label among them."""

from __future__ import annotations

from dataclasses import dataclass, field
from numbers import Integral
from typing import TYPE_CHECKING, Any, NoReturn, Self
from unicodedata import normalize

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from sklearn_ordinal._core._checks import (
    as_numbers,
    check_integer,
    is_real,
    listed,
    printable,
    refuse_bad_numbers,
    repeated,
    shortened,
    shown,
)
from sklearn_ordinal._core._containers import (
    Column,
    array_from_labels,
    check_no_missing_object,
    numbers_where_all_are,
    raise_missing,
    read_column,
)
from sklearn_ordinal._core._integer_run import IntegerArray, largest, minus, run_start

MAX_CLASSES = 10_000


@dataclass(frozen=True, eq=False, repr=False)
class OrdinalScale:
    """The classes from the lowest to the highest.

    A scale may be passed as ``labels=`` and is then not validated again.

    Parameters
    ----------
    labels : ndarray of shape (n_classes,)
        The classes from the lowest to the highest, each once. `from_labels` takes any
        array-like and checks it.

    Raises
    ------
    ValueError
        If there are no labels, too many labels, or a label is repeated, missing or not hashable.

    See Also
    --------
    OrdinalConfusion : Counts on a scale.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalScale
    >>> scale = OrdinalScale.from_labels(["low", "mid", "high"])
    >>> len(scale)
    3
    >>> scale.encode(["high", "low"])
    array([2, 0])
    """

    labels: NDArray[Any]
    # These are not cached properties: before Python 3.12 their locks prevent cloudpickle from
    # pickling this class, and therefore the scorers, by value.
    _position_of: dict[Any, int] = field(init=False, repr=False)
    _run_start: int | None = field(init=False, repr=False)

    if TYPE_CHECKING:
        # The constructor converts its argument, which type checkers cannot know of a dataclass.
        def __init__(self, labels: ArrayLike) -> None: ...

    def __post_init__(self) -> None:
        labels = self.labels
        if type(labels) is not np.ndarray:
            labels = type(self).from_labels(labels).labels
        labels = labels.view()
        if labels.ndim != 1 or not len(labels):
            raise ValueError(f"labels must be one-dimensional, got shape {labels.shape}.")
        if len(labels) > MAX_CLASSES:
            raise ValueError(
                f"labels must name at most {MAX_CLASSES:,} classes, got {len(labels):,}."
            )
        if labels.dtype.kind == "f" and np.isnan(labels).any():
            raise_missing("labels")
        labels.setflags(write=False)
        object.__setattr__(self, "labels", labels)
        object.__setattr__(self, "_position_of", _positions(labels.tolist()))
        object.__setattr__(self, "_run_start", run_start(labels))

    def __reduce__(self) -> tuple[Any, ...]:
        # Unpickle through the constructor: pickled arrays would come back writeable.
        return type(self), (self.labels,)

    @classmethod
    def from_labels(cls, labels: ArrayLike) -> Self:
        """Validate labels and return their scale.

        Parameters
        ----------
        labels : array-like of shape (n_classes,)
            The classes from the lowest to the highest. If they are a Categorical or an
            Enum, categories that do not occur among the values are not on the scale.

        Returns
        -------
        OrdinalScale
            The scale.

        Raises
        ------
        ValueError
            If the labels are not one-dimensional, repeat a class, have missing values,
            are too many, or are not in the order that their ordered dtype declares.
        """
        column = numbers_where_all_are(read_column(labels, "labels"))
        # Copy the array, since the user may change it later.
        scale = np.array(column.values if column.categories is None else column.categories)
        if column.categories is not None:
            scale = scale[column.values]
            if column.is_ordered and (np.diff(column.values.astype(np.int64)) < 0).any():
                raise ValueError(
                    f"labels are in the order {listed(scale)}, but their dtype declares "
                    f"{listed(column.categories)}: pass a list in the intended order."
                )
        return cls(array_from_labels(scale.tolist()))

    @classmethod
    def from_run(cls, lowest: int, n_classes: int) -> Self:
        """Return the scale of consecutive integers.

        Parameters
        ----------
        lowest : int
            The lowest class.
        n_classes : int
            Number of classes.

        Returns
        -------
        OrdinalScale
            The scale.

        Raises
        ------
        ValueError
            If `lowest` is not an integer or `n_classes` is not a positive integer.
        """
        if not isinstance(lowest, Integral) or not is_real(lowest):
            raise ValueError(f"lowest must be an integer, got {shown(lowest)}.")
        check_integer("n_classes", n_classes, at_least=1)
        if n_classes > MAX_CLASSES:
            raise ValueError(f"n_classes must be at most {MAX_CLASSES:,}, got {shown(n_classes)}.")
        lowest, end = int(lowest), int(lowest) + int(n_classes)
        if lowest < -(2**63) or end > 2**64:
            raise ValueError(
                f"lowest must be such that all classes fit into 64 bits, got {shown(lowest)}."
            )
        return cls(np.arange(lowest, end, dtype=np.int64 if end <= 2**63 else np.uint64))

    def __repr__(self) -> str:
        return f"OrdinalScale({listed(self.labels)})"

    def __len__(self) -> int:
        return len(self.labels)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OrdinalScale):
            return NotImplemented
        return np.array_equal(self.labels, other.labels)

    def __hash__(self) -> int:
        return hash(tuple(self.labels.tolist()))

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        # This method makes type checkers accept a scale where ``labels`` is an ArrayLike.
        if copy is False:
            return np.asarray(self.labels, dtype=dtype)
        return np.array(self.labels, dtype=dtype)

    def encode(self, y: Any) -> IntegerArray:
        """Return the position of each label on the scale.

        Parameters
        ----------
        y : array-like of shape (n_samples,)
            Classes.

        Returns
        -------
        ndarray of shape (n_samples,)
            Positions, 0 for the lowest class.

        Raises
        ------
        ValueError
            If a class is not on the scale, or a value is missing.
        """
        column = y if isinstance(y, Column) else read_column(y, "y")
        if column.categories is not None:
            return self._encode_categories(column)
        kinds = column.values.dtype.kind, self.labels.dtype.kind
        if kinds[0] in "iu" and self._run_start is not None:
            return self._encode_in_run(column, self._run_start)
        # NumPy compares signed with unsigned integers as floats, which are not exact.
        if kinds[0] == kinds[1] != "O" or kinds in {("f", "i"), ("i", "f")}:
            return self._encode_by_search(column)
        return self._encode_by_lookup(column)

    def position(self, label: Any) -> int:
        """Return the position of one label on the scale.

        Parameters
        ----------
        label : object
            A class.

        Returns
        -------
        int
            Its position, 0 for the lowest class.

        Raises
        ------
        ValueError
            If the class is not on the scale.
        """
        try:
            return self._position_of[label]
        except (KeyError, TypeError):
            raise ValueError(
                f"label must be on the scale {listed(self.labels)}, got {shown(label)}."
            ) from None

    def align(self, y_proba: ArrayLike, classes: ArrayLike) -> NDArray[np.floating[Any]]:
        """Put the columns of probabilities in the order of the scale.

        Parameters
        ----------
        y_proba : array-like of shape (n_samples, n_columns)
            Probabilities, a column for each of `classes`.
        classes : array-like of shape (n_columns,)
            The classes of the columns, in any order, such as ``classes_`` of a
            classifier.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Probabilities, a column for each class of the scale; 0 for a class without a
            column.

        Raises
        ------
        ValueError
            If a class is not on the scale, the columns do not match `classes`, or a probability
            is negative, infinite or missing.
        """
        positions = self.encode(read_column(classes, "classes"))
        if len(np.unique(positions)) < len(positions):
            raise ValueError(
                f"classes must name each class once, got {listed(np.asarray(classes))}."
            )
        proba = as_numbers("y_proba", y_proba)
        if proba.ndim != 2 or proba.shape[1] != len(positions):
            raise ValueError(
                f"y_proba must have a column for each of the {len(positions)} classes, "
                f"got shape {proba.shape}."
            )
        refuse_bad_numbers(proba, "y_proba")
        dtype = proba.dtype if proba.dtype.kind == "f" else np.float64
        aligned = np.zeros((len(proba), len(self)), dtype)
        aligned[:, positions] = proba
        return aligned

    def _encode_in_run(self, column: Column, lowest: int) -> IntegerArray:
        positions = minus(column.values, lowest) if lowest else column.values
        if largest(positions) >= len(self):
            self._raise_not_on_scale(column)
        return positions

    def _encode_by_search(self, column: Column) -> IntegerArray:
        labels = self.labels
        if column.values.dtype.kind == "f":
            labels = labels.astype(column.values.dtype)
        order = np.argsort(labels)
        ranks = np.searchsorted(labels, column.values, sorter=order)
        positions = order[np.minimum(ranks, len(labels) - 1)]
        if (labels[positions] != column.values).any():
            self._raise_not_on_scale(column)
        return positions

    def _encode_by_lookup(self, column: Column) -> IntegerArray:
        values = column.values if column.values.dtype == object else column.values.tolist()
        try:
            return np.fromiter(map(self._position_of.__getitem__, values), np.intp, len(values))
        except (KeyError, TypeError):  # TypeError: not hashable, so not a label either
            self._raise_not_on_scale(column)

    def _encode_categories(self, column: Column) -> IntegerArray:
        assert column.categories is not None
        if np.array_equal(column.categories, self.labels):
            return column.values
        categories = column.categories.tolist()
        positions = np.array([self._position_of.get(label, -1) for label in categories], np.intp)
        encoded: IntegerArray = positions[column.values]
        if encoded.min(initial=0) < 0:
            self._raise_not_on_scale(column)
        return encoded

    def _raise_not_on_scale(self, column: Column) -> NoReturn:
        if column.values.dtype == object:
            check_no_missing_object(column)
        if column.values.dtype.kind == "f" and self.labels.dtype.kind in "biuUS":
            raise_continuous(column)
        labels = self.labels.tolist()
        extra = [value for value in column.distinct() if value not in labels]
        forms = {normalize("NFC", label) for label in labels if isinstance(label, str)}
        is_alike = any(isinstance(v, str) and normalize("NFC", v) in forms for v in extra)
        way_out = ": apply unicodedata.normalize('NFC', label) to all labels" if is_alike else ""
        raise ValueError(
            f"{column.name} has classes that are not in labels: {listed(extra)}; labels are "
            f"{listed(labels)}{way_out}."
        )


def _positions(labels: list[Any]) -> dict[Any, int]:
    """Return the position of each label, or raise if one is repeated or not hashable."""
    try:
        positions = {label: position for position, label in enumerate(labels)}
    except TypeError as error:
        raise ValueError(f"labels must be values such as numbers or strings: {error}.") from None
    if len(positions) == len(labels):
        if alike := repeated(normalize("NFC", label) for label in labels if isinstance(label, str)):
            raise ValueError(
                f"labels must look different, but {shown(alike[0])} is written with different code "
                f"points: apply unicodedata.normalize('NFC', label) to all labels."
            )
        return positions
    twice = sorted(printable(str(label)) for label in repeated(labels))
    raise ValueError(
        f"labels must name each class once, but these classes are repeated: "
        f"{', '.join(map(shortened, twice[:10]))}."
    )


def raise_continuous(column: Column) -> NoReturn:
    """Raise the error for continuous values in place of classes."""
    way_out = "divide them into classes, such as with pandas.cut"
    if column.name == "y_true":
        way_out += ", and pass y_true before y_pred"
    elif column.name.startswith("y_pred"):
        way_out = "pass predicted classes, not probabilities or the predictions of a regressor"
    examples = ", ".join(f"{value:g}" for value in column.distinct()[:3])
    raise ValueError(
        f"{column.name} must contain classes, got continuous values such as {examples}: {way_out}; "
        f"if these are the classes, pass all of them as labels=[...]."
    )


def as_scale(labels: Any) -> OrdinalScale:
    """Return the scale of the argument ``labels``, validated unless it is a scale."""
    return labels if isinstance(labels, OrdinalScale) else OrdinalScale.from_labels(labels)


def checked_scale(scale: Any) -> OrdinalScale:
    """Return the scale of the argument ``scale``, which may be labels."""
    try:
        return as_scale(scale)
    except ValueError as error:
        text = str(error)
        raise ValueError(f"scale must be an OrdinalScale or its labels: {text}") from None


def check_same_scale(scale: OrdinalScale, other: OrdinalScale) -> None:
    """Raise unless two scales are equal."""
    if scale != other:
        raise ValueError(
            f"scale must be the same for both, got {listed(scale.labels)} and "
            f"{listed(other.labels)}: make both with the same labels=."
        )
