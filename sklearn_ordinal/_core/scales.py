"""`OrdinalScale`: the ordered classes, and the position of each label among them."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from numbers import Integral
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Self, TypeAlias
from unicodedata import normalize

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from sklearn_ordinal._core import checks, containers
from sklearn_ordinal._core.containers import LabelColumn

# Runs of consecutive integers, which are the classes if no labels are given
# --------------------------------------------------------------------------

IntegerArray: TypeAlias = NDArray[np.integer[Any]]

# The longest run of integers that are read as classes without `labels`.
MAX_INTEGER_RUN = 1_000

# For each signed integer dtype, the unsigned dtype of the same width and byte order.
_UNSIGNED = {
    np.dtype(f"{order}i{width}"): np.dtype(f"{order}u{width}")
    for order in "<>"
    for width in (1, 2, 4, 8)
}


def run_start(labels: NDArray[Any]) -> int | None:
    """Return the lowest class if the classes are consecutive integers."""
    if labels.dtype.kind not in "biu":
        return None
    lowest = int(labels[0])
    return lowest if labels.tolist() == list(range(lowest, lowest + len(labels))) else None


def check_run_length(
    names: Sequence[str], lowest: int, highest: int, values: Iterable[Iterable[int]]
) -> None:
    """Raise if a run of integers is too long to be a scale, with the values that occur."""
    if highest - lowest >= MAX_INTEGER_RUN:
        hold, way_out = "holds" if len(names) == 1 else "hold", ""
        rest = set().union(*values) - {lowest, highest}
        # A single value may be further from all others than these are from each other.
        code = lowest if rest and highest - max(rest) < min(rest) - lowest else highest
        others = rest | ({lowest, highest} - {code})
        if rest and 2 * min(abs(code - value) for value in others) > highest - lowest:
            way_out = f", or leave out the samples with {code} if it means that there is no class"
        raise ValueError(
            f"{' and '.join(names)} {hold} integers from {lowest} to {highest}, more than "
            f"{MAX_INTEGER_RUN:,} classes in a run: pass labels=[...] with all classes, "
            f"from the lowest to the highest{way_out}."
        )


def largest(values: IntegerArray) -> int:
    """Return the largest value, 0 if there is none, or 2**64 if any is negative, in one pass."""
    dtype = values.dtype
    if dtype.kind == "u":
        return int(np.maximum.reduce(values, initial=0))
    largest = int(np.maximum.reduce(values.view(_UNSIGNED[dtype]), initial=0))
    return 2**64 if largest >> (8 * dtype.itemsize - 1) else largest


def minus(values: IntegerArray, lowest: int) -> IntegerArray:
    """Subtract the lowest class without overflow, for any width of integers."""
    # Unsigned arithmetic is modulo 2**64, so small differences are exact for every width.
    return values.astype(np.uint64) - np.uint64(lowest % 2**64)


# Codes for missing values among the integers that are read as classes
# --------------------------------------------------------------------

# Wide gaps alone are no evidence, since small samples of 11 or 101 classes have them. The rule
# warns for at most 1% of the samples without codes in benchmarks/missing_codes.py.

# Neighbours of short scales, which need more evidence.
_NEAR_CODES = frozenset({9, -1})
# Codes that also occur on sliders to 100, where a single one is no evidence.
_RARE_CODES = frozenset({77, 88, 97, 98})
_CODES = (
    _NEAR_CODES
    | _RARE_CODES
    | {99, 777, 888, 997, 998, 999, -7, -8, -9, -77, -88, -97, -98, -99, -100}
)
_FEWEST_CLASSES, _LARGEST_SHARE, _LEAST_GAP = 3, 0.1, 6
# If the code were a class, and no class in the gap were less frequent, n samples would all be at
# the far end of the gap with a probability of at most 1 / gap**n, which is n * log2(gap) bits.
_LEAST_BITS, _LEAST_BITS_OF_NEAR_CODES = 6, 12

_warns_of_codes = ContextVar("_warns_of_codes", default=True)


@contextmanager
def without_code_warnings() -> Iterator[None]:
    """Let scorers read parts of the data, such as folds, without a warning."""
    token = _warns_of_codes.set(False)
    try:
        yield
    finally:
        _warns_of_codes.reset(token)


def may_have_codes(lowest: int, highest: int) -> bool:
    """Return whether a run of integers ends at a code, before the integers are counted."""
    return lowest < 0 or highest in _CODES


def warn_of_missing_codes(lowest: int, counts: NDArray[Any]) -> None:
    """Warn if integers that are read as classes look like codes for missing values.

    `counts` has the number of samples with each integer from `lowest`, a row for each column of
    labels.
    """
    if not _warns_of_codes.get():
        return
    codes, others = codes_and_others(lowest, counts)
    if codes:
        found = " and ".join(map(str, codes))
        are = "are" if len(codes) > 1 else "is"
        what = ("codes", "classes") if len(codes) > 1 else ("a code", "a class")
        checks.warn_caller(
            f"{found} may be {what[0]} for missing values, but {are} read as {what[1]} since no "
            f"labels are given: the other classes are {others[0]} to {others[-1]}. Leave out "
            f"samples without a class, or name all classes, with labels= in Python or --labels on "
            f"the command line."
        )


def codes_and_others(lowest: int, counts: NDArray[Any]) -> tuple[list[int], list[int]]:
    """Return the integers that look like codes, and the others that occur."""
    n_samples, sizes = int(counts.sum(axis=1).max()), counts.max(axis=0)
    number_of = {lowest + k: int(sizes[k]) for k in np.flatnonzero(sizes).tolist()}
    codes: Set[int] = _CODES & number_of.keys()
    while True:
        others = [value for value in number_of if value not in codes]
        if len(others) < 2:
            return [], others
        found = {code for code in codes if _looks_like_code(code, number_of, codes, n_samples)}
        if found == codes:
            return sorted(codes), others
        # The rest are classes, from which the codes have to be apart as well.
        codes = found


def _looks_like_code(code: int, number_of: dict[int, int], codes: Set[int], n_samples: int) -> bool:
    """Return whether one of the codes is apart from the others, and occurs often enough."""
    others = number_of.keys() - codes
    first, last, number = min(others), max(others), number_of[code]
    gap, least_bits = code - last if code > 0 else first - code, _LEAST_BITS
    if code in _NEAR_CODES:
        is_short_scale = first == 1 and len(others) == last >= _FEWEST_CLASSES
        is_apart = is_short_scale and gap > 1 and number <= _LARGEST_SHARE * n_samples
        least_bits = _LEAST_BITS_OF_NEAR_CODES
    else:
        # Codes at the same end are evidence of each other.
        number = sum(number_of[c] for c in codes - _NEAR_CODES if (c > 0) == (code > 0))
        is_apart = gap > max(last - first, _LEAST_GAP) and (number > 1 or code not in _RARE_CODES)
    return is_apart and number * math.log2(gap) >= least_bits


# The ordered classes, and the position of each label among them
# --------------------------------------------------------------

_MAX_CLASSES = 10_000


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
        if len(labels) > _MAX_CLASSES:
            raise ValueError(
                f"labels must name at most {_MAX_CLASSES:,} classes, got {len(labels):,}."
            )
        if labels.dtype.kind == "f" and np.isnan(labels).any():
            containers.raise_missing("labels")
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
        column = containers.numbers_where_all_are(containers.read_column(labels, "labels"))
        # Copy the array, since the user may change it later.
        scale = np.array(column.values if column.categories is None else column.categories)
        if column.categories is not None:
            scale = scale[column.values]
            if column.is_ordered and (np.diff(column.values.astype(np.int64)) < 0).any():
                raise ValueError(
                    f"labels are in the order {checks.listed(scale)}, but their dtype declares "
                    f"{checks.listed(column.categories)}: pass a list in the intended order."
                )
        return cls(containers.array_from_labels(scale.tolist()))

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
        if not isinstance(lowest, Integral) or not checks.is_real(lowest):
            raise ValueError(f"lowest must be an integer, got {checks.shown(lowest)}.")
        checks.check_integer("n_classes", n_classes, at_least=1)
        if n_classes > _MAX_CLASSES:
            raise ValueError(
                f"n_classes must be at most {_MAX_CLASSES:,}, got {checks.shown(n_classes)}."
            )
        lowest, end = int(lowest), int(lowest) + int(n_classes)
        if lowest < -(2**63) or end > 2**64:
            raise ValueError(
                "lowest must be such that all classes fit into 64 bits, got "
                f"{checks.shown(lowest)}."
            )
        return cls(np.arange(lowest, end, dtype=np.int64 if end <= 2**63 else np.uint64))

    def __repr__(self) -> str:
        return f"OrdinalScale({checks.listed(self.labels)})"

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
        column = y if isinstance(y, LabelColumn) else containers.read_column(y, "y")
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
                f"label must be on the scale {checks.listed(self.labels)}, got "
                f"{checks.shown(label)}."
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
        positions = self.encode(containers.read_column(classes, "classes"))
        if len(np.unique(positions)) < len(positions):
            raise ValueError(
                f"classes must name each class once, got {checks.listed(np.asarray(classes))}."
            )
        proba = checks.as_numbers("y_proba", y_proba)
        if proba.ndim != 2 or proba.shape[1] != len(positions):
            raise ValueError(
                f"y_proba must have a column for each of the {len(positions)} classes, "
                f"got shape {proba.shape}."
            )
        checks.refuse_bad_numbers(proba, "y_proba")
        dtype = proba.dtype if proba.dtype.kind == "f" else np.float64
        aligned = np.zeros((len(proba), len(self)), dtype)
        aligned[:, positions] = proba
        return aligned

    def _encode_in_run(self, column: LabelColumn, lowest: int) -> IntegerArray:
        positions = minus(column.values, lowest) if lowest else column.values
        if largest(positions) >= len(self):
            self._raise_not_on_scale(column)
        return positions

    def _encode_by_search(self, column: LabelColumn) -> IntegerArray:
        labels = self.labels
        if column.values.dtype.kind == "f":
            labels = labels.astype(column.values.dtype)
        order = np.argsort(labels)
        ranks = np.searchsorted(labels, column.values, sorter=order)
        positions = order[np.minimum(ranks, len(labels) - 1)]
        if (labels[positions] != column.values).any():
            self._raise_not_on_scale(column)
        return positions

    def _encode_by_lookup(self, column: LabelColumn) -> IntegerArray:
        values = column.values if column.values.dtype == object else column.values.tolist()
        try:
            return np.fromiter(map(self._position_of.__getitem__, values), np.intp, len(values))
        except (KeyError, TypeError):  # TypeError: not hashable, so not a label either
            self._raise_not_on_scale(column)

    def _encode_categories(self, column: LabelColumn) -> IntegerArray:
        assert column.categories is not None
        if np.array_equal(column.categories, self.labels):
            return column.values
        categories = column.categories.tolist()
        positions = np.array([self._position_of.get(label, -1) for label in categories], np.int16)
        encoded: IntegerArray = positions[column.values]
        if positions.min(initial=0) < 0 and encoded.min(initial=0) < 0:
            self._raise_not_on_scale(column)
        return encoded

    def _raise_not_on_scale(self, column: LabelColumn) -> NoReturn:
        if column.values.dtype == object:
            containers.check_no_missing_object(column)
        if column.values.dtype.kind == "f" and self.labels.dtype.kind in "biuUS":
            _raise_continuous(column)
        labels, values = self.labels.tolist(), column.values
        if values.dtype.kind == self.labels.dtype.kind == "f":
            labels = self.labels.astype(values.dtype).tolist()  # 0.1 as float32 is another number
        extra = [value for value in column.distinct() if value not in labels]
        if column.categories is not None:
            values = column.categories[values]
        shown = set(map(checks.full_repr, extra))
        is_extra = np.array([checks.full_repr(value) in shown for value in values.tolist()])
        number = containers.number_of(is_extra, column.n_rows)
        forms = {normalize("NFC", label) for label in labels if isinstance(label, str)}
        is_alike = any(isinstance(v, str) and normalize("NFC", v) in forms for v in extra)
        way_out = ": apply unicodedata.normalize('NFC', label) to all labels" if is_alike else ""
        raise ValueError(
            f"{column.name} has classes that are not in labels: {checks.listed(extra)}, "
            f"{number} values; labels are {checks.listed(self.labels)}{way_out}."
        )


def _positions(labels: list[Any]) -> dict[Any, int]:
    """Return the position of each label, or raise if one is repeated or not hashable."""
    try:
        positions = {label: position for position, label in enumerate(labels)}
    except TypeError as error:
        raise ValueError(f"labels must be values such as numbers or strings: {error}.") from None
    if len(positions) == len(labels):
        if alike := checks.repeated(
            normalize("NFC", label) for label in labels if isinstance(label, str)
        ):
            raise ValueError(
                f"labels must look different, but {checks.shown(alike[0])} is written with "
                "different code points: apply unicodedata.normalize('NFC', label) to all labels."
            )
        return positions
    twice = sorted(checks.printable(str(label)) for label in checks.repeated(labels))
    raise ValueError(
        f"labels must name each class once, but these classes are repeated: "
        f"{', '.join(map(checks.shortened, twice[:10]))}."
    )


def _raise_continuous(column: LabelColumn) -> NoReturn:
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
            f"scale must be the same for both, got {checks.listed(scale.labels)} and "
            f"{checks.listed(other.labels)}: make both with the same labels=."
        )


# Encode columns of labels as positions on one scale, and resolve the order of the scale
# --------------------------------------------------------------------------------------

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
    containers.check_same_order({**columns, **per_sample})
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
        name = getattr(error, "missing_in", "")
        if name in list(columns)[1:]:
            # A system that does not answer hard samples would look better without them.
            containers.check_no_missing(columns[name], name, COUNT_UNANSWERED)
        if name in columns:
            containers.check_no_missing(columns[name], name)
        raise


def encode_answered(
    columns: Mapping[str, Any], labels: Any, **per_sample: Any
) -> tuple[Encoded, list[NDArray[np.bool_]]]:
    """Encode true and predicted classes, and return which samples have a prediction.

    A sample without a prediction gets the position of its true class.
    """
    containers.check_same_order({**columns, **per_sample})
    (name, y_true), *systems = columns.items()
    true = containers.read_column(y_true, name)
    answers = [containers.read_present(y_pred, name) for name, y_pred in systems]
    lengths = map(len, [true.values, *(is_answered for _, is_answered in answers)])
    check_same_length(dict(zip(columns, lengths, strict=True)))
    return encode_present(true, answers, labels), [mask for _, mask in answers]


def encode_present(
    true: LabelColumn, answers: Sequence[tuple[LabelColumn, NDArray[np.bool_]]], labels: Any
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
    """Return the group of each sample as an integer, counted from 0; see `encode_values`."""
    return encode_values(groups, n_samples, argument)[0]


def encode_values(
    values: Any, n_samples: int, argument: str
) -> tuple[NDArray[np.int64], tuple[Any, ...]]:
    """Return the position of each sample's value among the values that occur, and these values."""
    column = containers.read_column(values, argument)
    if len(column.values) != n_samples:
        raise ValueError(
            f"{argument} must have a value for each of the {n_samples} samples, got "
            f"{len(column.values)}."
        )
    numbers, distinct = numbered(column)
    return numbers, tuple(distinct)


def numbered(column: LabelColumn) -> tuple[NDArray[np.int64], list[Any]]:
    """Return the position of each value of a column among the values that occur, and these values.

    The values are sorted, so that an array and a Series lead to the same random draws; ordered
    categories are in their order, and values that cannot be compared are in the order of `repr`.
    """
    column = containers.numbers_where_all_are(column)
    values, names = column.values, column.categories
    if names is None and values.dtype.kind in "iu":
        lowest, size = values.min(), int(values.max()) - int(values.min()) + 1
        if size <= max(len(values), MAX_INTEGER_RUN):
            # Integers of any width are exact, since their arithmetic wraps around.
            names = np.arange(size).astype(values.dtype) + lowest
            values = minus(values, int(lowest)).astype(np.intp)
    if names is None and values.dtype == object:
        code_of: dict[Any, int] = {}
        try:
            values = np.array([code_of.setdefault(value, len(code_of)) for value in values])
        except TypeError as error:
            raise ValueError(
                f"{column.name} must hold values that can be compared: {error}."
            ) from None
        names = np.fromiter(code_of, dtype=object, count=len(code_of))
    if names is None:
        names, values = np.unique(values, return_inverse=True)
    order = np.arange(len(names))
    if not column.is_ordered:
        try:
            order = np.argsort(names, kind="stable")
        except TypeError:
            order = np.argsort([repr(name) for name in names], kind="stable")
    order = order[np.bincount(values, minlength=len(names))[order] > 0]
    number_of = np.zeros(len(names), dtype=np.int64)
    number_of[order] = np.arange(len(order))
    distinct = names[order].tolist()
    return number_of[values], list(map(bool, distinct)) if column.is_bool else distinct


def encode_strata(
    strata: Any,
    has_weight: NDArray[np.bool_],
    cluster: IntegerArray | None,
    noun: str = "samples",
) -> NDArray[np.int64]:
    """Return the stratum of each sample as an integer, counted from 0.

    Raise if a cluster has samples of several strata, or a stratum has a single sample or cluster of
    positive weight.
    """
    numbers, names = encode_values(strata, len(has_weight), "strata")
    unit = np.arange(len(has_weight)) if cluster is None else cluster
    unit, stratum = unit[has_weight], numbers[has_weight]
    of_unit = np.zeros(int(unit.max(initial=-1)) + 1, dtype=np.int64)
    of_unit[unit] = stratum
    for sample in np.flatnonzero(of_unit[unit] != stratum)[:1]:
        both = sorted({names[stratum[sample]], names[of_unit[unit[sample]]]}, key=str)
        raise ValueError(
            f"clusters must have all their {noun} in one stratum, got one in "
            f"{checks.listed(both)}: give its parts different names."
        )
    n_units = np.bincount(of_unit[np.unique(unit)], minlength=len(names))
    for alone in np.flatnonzero(n_units == 1)[:1]:
        raise ValueError(
            f"strata must have at least two {noun if cluster is None else 'clusters'} each, "
            f"got one in stratum {checks.shown(names[alone])}: merge it with a similar stratum."
        )
    return numbers


def _read_columns(columns: Mapping[str, Any]) -> list[LabelColumn]:
    parsed = [containers.read_column(y, name) for name, y in columns.items()]
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


def encode_columns(columns: Sequence[LabelColumn], labels: Any) -> Encoded:
    """Encode columns, whose lengths may differ."""
    scale = declared_scale(columns, labels)
    if scale is None:
        return _encode_integer_run([_integer_column(column) for column in columns])
    return Encoded(tuple(map(scale.encode, columns)), len(scale), scale)


def declared_scale(columns: Sequence[LabelColumn], labels: Any) -> OrdinalScale | None:
    """Return the scale in the declared order, or None if it is the run of integers that occur."""
    if labels is not None:
        return as_scale(labels)
    ordered = [(c.name, c.categories) for c in columns if c.is_ordered and c.categories is not None]
    if not ordered:
        return None
    for name, categories in ordered[1:]:
        if not np.array_equal(ordered[0][1], categories):
            raise ValueError(
                f"{ordered[0][0]} and {name} are ordered differently, "
                f"{checks.listed(ordered[0][1])} and {checks.listed(categories)}: give both the "
                "same categories or pass labels=."
            )
    return OrdinalScale(ordered[0][1])


def _integer_column(column: LabelColumn) -> LabelColumn:
    column = containers.numbers_where_all_are(column)
    if column.values.dtype.kind == "f" and (column.values % 1).any():
        _raise_continuous(column)
    if column.categories is not None or column.values.dtype.kind not in "iu":
        raise ValueError(f"{_finding(column)}: {_WAYS_OUT}.")
    return column


def unknown_order_finding(y: Any, name: str) -> str | None:
    """Return the message for labels whose order is not known, None if it is known.

    The caller adds the advice, which need not be to pass ``labels``.
    """
    column = containers.numbers_where_all_are(containers.read_column(y, name))
    is_known = column.is_ordered or (column.categories is None and column.values.dtype.kind in "iu")
    is_continuous = column.values.dtype.kind == "f" and bool((column.values % 1).any())
    return None if is_known or is_continuous else _finding(column)


def _finding(column: LabelColumn) -> str:
    labels = checks.listed(column.distinct())
    return f"{column.name} has {_label_kind(column)} {labels}, whose order is not known"


def _label_kind(column: LabelColumn) -> str:
    if column.is_declared:
        return "unordered categories"
    values = column.values if column.categories is None else column.categories
    if values.dtype.kind == "f":
        return "numbers beyond 2**53"
    if all(isinstance(value, (str, bytes)) for value in values[:1]):
        return "string labels"
    return f"labels of type {type(values[0]).__name__}"


def _encode_integer_run(columns: Sequence[LabelColumn]) -> Encoded:
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


# Names of classes, thresholds and groups
# ---------------------------------------


def check_names(name: str, values: Any) -> tuple[str, ...]:
    """Return a sequence of names, whatever container holds it, as a tuple of strings."""
    names = _read_names(name, values)
    for value in names:
        if isinstance(value, bytes) or not isinstance(value, Hashable):
            raise ValueError(f"{name} must be strings, got {checks.shown(value)}.")
    return tuple(map(str, names))


def _read_names(name: str, values: Any) -> tuple[Any, ...]:
    """Return a sequence of names, none of which is missing, as a tuple."""
    names = tuple(checks.iterate(name, values, "names"))
    if checks.column_names(values) is not None:
        raise ValueError(
            f"{name} must be a sequence of names, got a {type(values).__name__}: pass one column."
        )
    for value in filter(containers.is_missing_value, names):
        raise ValueError(f"{name} must not have missing values, got {checks.shown(value)}.")
    return names


def check_target_names(target_names: Sequence[str] | None, scale: OrdinalScale) -> tuple[str, ...]:
    """Return the display names of the classes, which default to the labels."""
    classes = scale.labels.tolist()
    is_sequence = target_names is None or isinstance(target_names, Iterable)
    is_sequence &= getattr(target_names, "ndim", 1) == 1
    if not is_sequence or isinstance(target_names, (str, Mapping, Set)):
        raise ValueError(
            f"target_names must be a sequence of names in the order of the classes, "
            f"got {type(target_names).__name__}."
        )
    index = getattr(target_names, "index", None)
    # A list also has an attribute `index`, a method.
    if not (
        index is None or callable(index) or list(index) in (list(range(len(classes))), classes)
    ):
        raise ValueError(
            "target_names must be a list of names in the order of the classes "
            f"{checks.listed(classes)}, got a {type(target_names).__name__} with the index "
            f"{checks.listed(list(index))}."
        )
    if target_names is not None:
        names = check_names("target_names", target_names)
    else:
        names = tuple(map(str, classes))
        if len(set(names)) < len(names):
            names = tuple(map(repr, classes))
    if len(names) != len(classes):
        raise ValueError(
            f"target_names must name each of the {len(classes)} classes {checks.listed(classes)}, "
            f"got {len(names)} names."
        )
    if len(set(names)) != len(names):
        raise ValueError(f"target_names must differ from each other, got {checks.listed(names)}.")
    return names


def threshold_names(names: Sequence[Any]) -> tuple[str, ...]:
    """Return the name of each threshold, made from the name of the class below it."""
    return tuple(f"above '{name}'" for name in names[:-1])


def checked_groups(groups: Any, stack: tuple[int, ...]) -> tuple[Any, ...]:
    """Return the names of the entries along the first axis of a stack, () if there are none."""
    names = _read_names("groups", groups)
    if names and (not stack or len(names) != stack[0]):
        raise ValueError(
            f"groups must name each entry along the first axis of a stack, got {len(names)} "
            f"names for a stack of shape {stack}."
        )
    if len(set(names)) < len(names):
        raise ValueError(f"groups must name each entry once, got {checks.listed(names)}.")
    return names


def group_position(group: Any, groups: tuple[Any, ...], stack: tuple[int, ...]) -> int:
    """Return the position of a group in a stack, whose entries without names are numbered."""
    if group in groups:
        return groups.index(group)
    if groups:
        raise KeyError(f"group must be one of {checks.listed(groups)}, got {checks.shown(group)}.")
    if not stack:
        raise KeyError(
            f"group must be left out, since this is not a stack, got {checks.shown(group)}."
        )
    is_position = isinstance(group, Integral) and not isinstance(group, bool)
    if not is_position or not -stack[0] <= group < stack[0]:
        raise IndexError(
            f"group must be a position from 0 to {stack[0] - 1}, since the groups of this stack "
            f"have no names, got {checks.shown(group)}."
        )
    return int(group)
