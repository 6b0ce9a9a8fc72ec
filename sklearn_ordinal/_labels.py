"""The order of the classes, and labels -> positions on the scale.

This is the only module that inspects what a user passed. Everything after it trusts
integer positions on a known scale.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence, Set
from numbers import Integral, Real
from typing import Any, Literal, NamedTuple, NoReturn, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

IntegerArray: TypeAlias = NDArray[np.integer[Any]]

MAX_INTEGER_RUN = 1_000
MAX_CLASSES = 10_000
_SMALLEST_TOTAL_WEIGHT, _LARGEST_TOTAL_WEIGHT = 1e-60, 1e60
_LARGEST_EXACT_FLOAT = 2**53
_SEVERAL_OUTPUTS = "pass one column of it, or all to metrics.multioutput_score"
_WAYS_OUT = (
    "pass labels=[...] from the lowest class to the highest, use an ordered pandas "
    "Categorical or a polars Enum, or encode the classes as integers"
)


class _Column(NamedTuple):
    """One argument after inspection: plain values, or codes into categories."""

    name: str
    values: NDArray[Any]
    categories: NDArray[Any] | None = None
    is_ordered: bool = False

    def distinct(self) -> list[Any]:
        if self.categories is not None:
            return list(self.categories[np.unique(self.values)].tolist())
        if self.values.dtype == object:
            # By repr: the values may not be hashable, nor comparable with each other.
            by_repr = {repr(value): value for value in self.values}
            return [by_repr[key] for key in sorted(by_repr)]
        return list(np.unique(self.values).tolist())


class Positions(NamedTuple):
    """Two columns of positions: position p stands for class `labels[p]`.

    If the scale is the run of integers that occurs, it is known only after counting:
    `labels` is None, position p stands for `lowest + p`, and `n_positions` is a bound.
    """

    y_true: IntegerArray
    y_pred: IntegerArray
    n_positions: int
    labels: NDArray[Any] | None
    lowest: int = 0


def encode(y_true: ArrayLike, y_pred: ArrayLike, labels: ArrayLike | None = None) -> Positions:
    """Resolve the order of the classes and return both columns as positions on it."""
    true, pred = _column(y_true, "y_true"), _column(y_pred, "y_pred")
    if len(true.values) != len(pred.values):
        raise ValueError(
            f"y_true and y_pred must have the same length, "
            f"got {len(true.values)} and {len(pred.values)}."
        )
    return _encode_columns(true, pred, labels)


def encode_one(y: ArrayLike, labels: ArrayLike | None = None) -> Positions:
    """Encode a single column, `y`, as if it predicted itself."""
    column = _column(y, "y")
    return _encode_columns(column, column, labels)


def encode_answered(
    y_true: ArrayLike, y_pred: ArrayLike, labels: ArrayLike | None = None
) -> tuple[Positions, NDArray[np.bool_]]:
    """Encode as `encode`, and tell which samples have a prediction.

    Those without one are at the position of their true class on both sides.
    """
    is_answered = ~_is_missing(y_pred)
    if len(is_answered) and not is_answered.any():
        raise ValueError("y_pred must have a prediction for one sample at least.")
    true, pred = _column(y_true, "y_true"), _column(_take(y_pred, is_answered), "y_pred")
    if len(true.values) != len(is_answered):
        raise ValueError(
            f"y_true and y_pred must have the same length, "
            f"got {len(true.values)} and {len(is_answered)}."
        )
    positions = _encode_columns(true, pred, labels)
    filled = positions.y_true.astype(np.int64)
    filled[is_answered] = positions.y_pred
    return positions._replace(y_pred=filled), is_answered


def encode_two_systems(
    y_true: ArrayLike, y_pred_a: ArrayLike, y_pred_b: ArrayLike, labels: ArrayLike | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], int]:
    """Return truth and two predictions as positions on one scale, and its length."""
    columns = [
        _column(y, name)
        for y, name in ((y_true, "y_true"), (y_pred_a, "y_pred_a"), (y_pred_b, "y_pred_b"))
    ]
    lengths = [len(column.values) for column in columns]
    if len(set(lengths)) > 1:
        raise ValueError(
            f"y_true, y_pred_a and y_pred_b must have the same length, "
            f"got {', '.join(map(str, lengths))}."
        )
    scale = _declared_scale(columns, labels)
    if scale is None:
        columns = [_integer_column(column) for column in columns]
        lowest = min(int(column.values.min()) for column in columns)
        highest = max(int(column.values.max()) for column in columns)
        _check_run(columns, lowest, highest)
        positions = [_minus(column.values, lowest) for column in columns]
        n_classes = highest - lowest + 1
    else:
        positions = [_encode(column, scale) for column in columns]
        n_classes = len(scale)
    true, pred_a, pred_b = (p.astype(np.int64, copy=False) for p in positions)
    return true, pred_a, pred_b, n_classes


def encode_groups(groups: ArrayLike, n_samples: int) -> NDArray[np.int64]:
    """Return a number from 0 on for each sample, the same for the same group."""
    column = _column(groups, "groups")
    if len(column.values) != n_samples:
        raise ValueError(
            f"groups must have the same length as y_true, {n_samples}, got {len(column.values)}."
        )
    if column.values.dtype == object:
        _check_no_missing_object(column)
        number_of: dict[Any, int] = {}
        try:
            numbers = [number_of.setdefault(group, len(number_of)) for group in column.values]
        except TypeError as error:
            raise ValueError(f"groups must hold values that can be compared: {error}.") from None
        return np.asarray(numbers, dtype=np.int64)
    return np.unique(column.values, return_inverse=True)[1].astype(np.int64, copy=False)


def encode_outputs(
    y_true: ArrayLike, y_pred: ArrayLike, labels: ArrayLike | None = None
) -> list[Positions]:
    """Encode each pair of columns of two-dimensional labels, one per output."""
    return [encode(*columns, labels) for columns in pairs_of_outputs(y_true, y_pred)]


def pairs_of_outputs(y_true: ArrayLike, y_pred: ArrayLike) -> list[tuple[Any, Any]]:
    """Return the columns of two-dimensional labels, true and predicted side by side."""
    true, pred = _outputs(y_true, "y_true"), _outputs(y_pred, "y_pred")
    if len(true) != len(pred):
        raise ValueError(
            f"y_true and y_pred must have the same number of outputs, "
            f"got {len(true)} and {len(pred)}."
        )
    return list(zip(true, pred, strict=True))


def _outputs(y: Any, name: str) -> list[Any]:
    pandas, polars = sys.modules.get("pandas"), sys.modules.get("polars")
    if pandas is not None and isinstance(y, pandas.DataFrame):
        return [y.iloc[:, output] for output in range(y.shape[1])]
    if polars is not None and isinstance(y, polars.DataFrame):
        return list(y.get_columns())
    if isinstance(y, (list, tuple)) and y and all(isinstance(row, (list, tuple)) for row in y):
        if len(set(map(len, y))) == 1:
            # By columns, since NumPy would make strings of rows of mixed types.
            return [list(column) for column in zip(*y, strict=True)]
        raise ValueError(f"{name} must have shape (n_samples, n_outputs), got rows that differ.")
    array = _as_array(y, name)
    if array.ndim != 2 or not array.shape[1]:
        raise ValueError(
            f"{name} must have shape (n_samples, n_outputs), got {array.shape}; "
            f"a single output wants the metric itself."
        )
    return list(array.T)


def check_choice(name: str, value: Any, choices: Any) -> None:
    """Raise unless the value of an option is among those of its Literal type."""
    if not isinstance(value, str) or value not in get_args(choices):
        raise ValueError(f"{name} must be one of {get_args(choices)}, got {value!r}.")


def check_integer(name: str, value: Any, *, at_least: Literal[0, 1]) -> None:
    """Raise unless the value of an option is an integer that is large enough."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < at_least:
        kind = "positive" if at_least else "non-negative"
        raise ValueError(f"{name} must be a {kind} integer, got {value!r}.")


def check_labels(labels: ArrayLike) -> NDArray[Any]:
    """Return the classes from the lowest to the highest as a 1-d array without repeats."""
    column = _numbers_where_all_are(_column(labels, "labels"))
    # A copy: what was passed may change.
    scale = np.array(column.values if column.categories is None else column.categories)
    if column.categories is not None:
        scale = scale[column.values]
    values = scale.tolist()
    if len(values) > MAX_CLASSES:
        raise ValueError(f"labels must name at most {MAX_CLASSES:,} classes, got {len(values):,}.")
    if len(set(values)) != len(values):
        repeated = sorted({str(value) for value in values if values.count(value) > 1})
        raise ValueError(f"labels must name each class once, repeated: {', '.join(repeated)}.")
    array = _array_of_list(values)
    return array if array.dtype.kind in "biufUS" else _objects(values)


def check_target_names(target_names: Sequence[str] | None, labels: NDArray[Any]) -> tuple[str, ...]:
    """Return a different name for each class, by default its label."""
    classes = labels.tolist()
    if isinstance(target_names, (str, Mapping, Set)):
        raise ValueError(
            f"target_names must be a sequence of names in the order of the classes, "
            f"got a {type(target_names).__name__}."
        )
    names = tuple(map(str, classes if target_names is None else target_names))
    if len(names) != len(classes):
        raise ValueError(
            f"target_names must name each of the {len(classes)} classes {classes}, "
            f"got {len(names)} names."
        )
    if len(set(names)) != len(names):
        raise ValueError(f"target_names must differ from each other, got {list(names)}.")
    return names


def check_sample_weight(sample_weight: ArrayLike, n_samples: int) -> NDArray[np.float64]:
    """Return one finite, non-negative weight for each sample, not all zero."""
    return check_weights("sample_weight", sample_weight, n_samples)


def check_weights(name: str, weights: ArrayLike, size: int) -> NDArray[np.float64]:
    """Return finite, non-negative floats that are not all zero."""
    try:
        weight = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold numbers: {error}.") from None
    if weight.shape != (size,):
        raise ValueError(f"{name} must have shape ({size},), got {weight.shape}.")
    if not np.isfinite(weight).all():
        raise ValueError(f"{name} must be finite, it has NaN or infinite weights.")
    if weight.min() < 0:
        raise ValueError(f"{name} must not be negative, its smallest is {weight.min()}.")
    if not weight.any():
        raise ValueError(f"{name} must not be all zero.")
    with np.errstate(over="ignore"):
        total = weight.sum()
    if not _SMALLEST_TOTAL_WEIGHT <= total <= _LARGEST_TOTAL_WEIGHT:
        raise ValueError(
            f"{name} must add up to a number from {_SMALLEST_TOTAL_WEIGHT} to "
            f"{_LARGEST_TOTAL_WEIGHT}, whose powers can be computed: rescale it."
        )
    return weight


def as_numbers(values: Any, name: str) -> NDArray[Any]:
    """Return an array of numbers that stand in the order of the scale."""
    if hasattr(values, "reindex"):
        raise ValueError(
            f"{name} must be a plain array in the order of the classes, got a "
            f"{type(values).__name__} with names of its own: "
            f"put it in order with reindex and pass to_numpy()."
        )
    try:
        array = np.asarray(values)
        array = array.astype(np.float64) if array.dtype.kind not in "biuf" else array
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold numbers: {error}.") from None
    return array


# --- what a user passed -> _Column -----------------------------------------------------


def _column(y: Any, name: str) -> _Column:
    column = _numpy_column(y, name) if type(y) is np.ndarray else _other_column(y, name)
    if not len(column.values):
        raise ValueError(f"{name} must not be empty.")
    return column


def _other_column(y: Any, name: str) -> _Column:
    pandas, polars = sys.modules.get("pandas"), sys.modules.get("polars")
    if pandas is not None and isinstance(
        y, (pandas.DataFrame, pandas.Series, pandas.Index, pandas.api.extensions.ExtensionArray)
    ):
        return _pandas_column(y, name, pandas)
    if polars is not None and isinstance(y, (polars.DataFrame, polars.Series)):
        return _polars_column(y, name, polars)
    return _numpy_column(_as_array(y, name), name)


def _as_array(y: Any, name: str) -> NDArray[Any]:
    if isinstance(y, np.ma.MaskedArray) and np.ma.is_masked(y):
        _raise_missing(name)
    try:
        if isinstance(y, (list, tuple, range)):
            return _array_of_list(y)
        return np.asarray(y)
    except ValueError:
        raise ValueError(
            f"{name} must be one-dimensional, got rows of different lengths."
        ) from None
    except TypeError as error:
        raise ValueError(f"{name} cannot be read as an array: {error}") from None


def _array_of_list(values: list[Any] | tuple[Any, ...] | range) -> NDArray[Any]:
    array = np.asarray(values)
    # NumPy turns ["a", 1] and ["a", nan] into strings: keep what was passed.
    if array.dtype.kind in "US" and not set(map(type, values)) <= {str, np.str_, bytes, np.bytes_}:
        return _objects(values)
    return array


def _objects(values: Sequence[Any]) -> NDArray[np.object_]:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _numpy_column(array: NDArray[Any], name: str) -> _Column:
    if array.ndim != 1:
        way_out = _way_out_of_columns(name) if array.ndim == 2 else ""
        found = f"shape {array.shape}" if array.ndim else f"a {type(array.item()).__name__}"
        raise ValueError(f"{name} must be one-dimensional, got {found}{way_out}.")
    kind = array.dtype.kind
    if kind in "iu":
        return _Column(name, array)
    if kind == "b":
        return _Column(name, array.view(np.uint8))
    if kind == "f":
        return _Column(name, _integers_where_whole(array, name))
    if kind in "US":
        return _Column(name, array)
    if kind in "mM":
        if np.isnat(array).any():
            _raise_missing(name)
        # astype(object) would make integers of nanoseconds.
        return _Column(name, _objects(list(array)))
    return _Column(name, array.astype(object, copy=False))


def _integers_where_whole(array: NDArray[np.floating[Any]], name: str) -> NDArray[Any]:
    if np.isnan(array).any():
        _raise_missing(name)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite, it has infinite values.")
    if (array != np.rint(array)).any() or float(
        np.abs(array).max(initial=0)
    ) >= _LARGEST_EXACT_FLOAT:
        return array
    return array.astype(np.int64)


def _numbers_where_all_are(column: _Column) -> _Column:
    """Return the numbers in a column of Python objects, or the column if it has others."""
    if column.categories is not None or column.values.dtype != object:
        return column
    _check_no_missing_object(column)
    types = set(map(type, column.values))
    if np.timedelta64 in types:  # an integer by its bases
        return column
    try:
        if all(issubclass(t, (int, np.integer, np.bool_)) for t in types):
            return _Column(column.name, column.values.astype(np.int64))
        if all(issubclass(t, (Real, np.bool_)) for t in types):
            floats = column.values.astype(np.float64)
            return _Column(column.name, _integers_where_whole(floats, column.name))
    except OverflowError:
        pass
    return column


def _check_no_missing_object(column: _Column) -> None:
    if any(map(_is_missing_object, column.values)):
        _raise_missing(column.name)


def _pandas_column(y: Any, name: str, pandas: Any) -> _Column:
    if isinstance(y, pandas.DataFrame):
        _check_one_column(y.shape, name)
        y = y.iloc[:, 0]
    if pandas.isna(y).any():
        _raise_missing(name)
    dtype = y.dtype
    if isinstance(dtype, pandas.CategoricalDtype):
        categorical = y.array if isinstance(y, (pandas.Series, pandas.Index)) else y
        categories = check_labels(dtype.categories.tolist())
        return _Column(name, np.asarray(categorical.codes), categories, bool(dtype.ordered))
    if isinstance(dtype, np.dtype):
        return _numpy_column(np.asarray(y), name)
    # Nullable and Arrow numbers name the NumPy dtype that holds them; strings do not.
    numpy_dtype = getattr(dtype, "numpy_dtype", np.dtype(object))
    return _numpy_column(
        y.to_numpy(dtype=numpy_dtype if numpy_dtype.kind in "biuf" else object), name
    )


def _polars_column(y: Any, name: str, polars: Any) -> _Column:
    if isinstance(y, polars.DataFrame):
        _check_one_column(y.shape, name)
        y = y.to_series()
    if y.null_count():
        _raise_missing(name)
    if isinstance(y.dtype, polars.Enum):
        categories = check_labels(y.dtype.categories.to_list())
        return _Column(name, y.to_physical().to_numpy(), categories, is_ordered=True)
    if y.dtype.is_numeric() and not y.dtype.is_decimal():
        return _numpy_column(y.to_numpy(), name)
    return _numpy_column(_array_of_list(y.to_list()), name)


def _check_one_column(shape: tuple[int, int], name: str) -> None:
    if shape[1] != 1:
        raise ValueError(
            f"{name} must be one-dimensional, got a frame of shape {shape}"
            f"{_way_out_of_columns(name)}."
        )


def _way_out_of_columns(name: str) -> str:
    return f"; {_SEVERAL_OUTPUTS}" if name.startswith("y_") else ""


def _is_missing(y: Any) -> NDArray[np.bool_]:
    """Return which values are missing, in whatever way their container has for it."""
    pandas, polars = sys.modules.get("pandas"), sys.modules.get("polars")
    if polars is not None and isinstance(y, (polars.DataFrame, polars.Series)):
        y = y.to_series() if isinstance(y, polars.DataFrame) else y
        return np.asarray([value is None or value != value for value in y.to_list()])
    if pandas is not None and hasattr(y, "dtype") and not isinstance(y, np.ndarray):
        return np.asarray(pandas.isna(y), dtype=np.bool_)
    if isinstance(y, np.ma.MaskedArray):
        return np.ma.getmaskarray(y)
    array = np.asarray(y, dtype=None if isinstance(y, np.ndarray) else object)
    if array.dtype.kind in "fmM":
        is_missing: NDArray[np.bool_] = np.not_equal(array, array)
        return is_missing
    if array.dtype != object:
        return np.zeros(len(array), dtype=np.bool_)
    return np.fromiter(map(_is_missing_object, array), np.bool_, len(array))


def _is_missing_object(value: Any) -> bool:
    # pandas.NA and NaT are known by name, since pandas is optional.
    if type(value).__name__ in {"NoneType", "NAType", "NaTType"}:
        return True
    return isinstance(value, (float, np.floating)) and bool(value != value)


def _take(y: Any, chosen: NDArray[np.bool_]) -> Any:
    if hasattr(y, "iloc"):
        return y.iloc[np.flatnonzero(chosen)]
    if hasattr(y, "filter"):
        return y.filter(chosen.tolist())
    if isinstance(y, (list, tuple)):
        return [value for value, is_chosen in zip(y, chosen, strict=True) if is_chosen]
    return y[chosen]


# --- the order of the classes ----------------------------------------------------------


def _encode_columns(true: _Column, pred: _Column, labels: ArrayLike | None) -> Positions:
    scale = _declared_scale([true, pred], labels)
    if scale is None:
        return _encode_integer_run(_integer_column(true), _integer_column(pred))
    return Positions(_encode(true, scale), _encode(pred, scale), len(scale), scale)


def _declared_scale(columns: Sequence[_Column], labels: ArrayLike | None) -> NDArray[Any] | None:
    """Return the declared order, or None where it is the run of integers that occurs."""
    if labels is not None:
        return check_labels(labels)
    ordered = [(c.name, c.categories) for c in columns if c.is_ordered and c.categories is not None]
    for name, scale in ordered[1:]:
        if not np.array_equal(ordered[0][1], scale):
            raise ValueError(
                f"{ordered[0][0]} and {name} are ordered differently, {_listed(ordered[0][1])} and "
                f"{_listed(scale)}; give both the same categories or pass labels=."
            )
    return ordered[0][1] if ordered else None


def _integer_column(column: _Column) -> _Column:
    column = _numbers_where_all_are(column)
    if column.categories is not None or column.values.dtype.kind not in "iu":
        raise ValueError(
            f"{column.name} has {_kind_of_labels(column)} {_listed(column.distinct())}, "
            f"whose order is not known: {_WAYS_OUT}."
        )
    return column


def _kind_of_labels(column: _Column) -> str:
    if column.categories is not None:
        return "unordered categories"
    if column.values.dtype.kind == "f":
        if column.name.startswith("y_pred"):
            return "continuous predictions, or fractional labels,"
        return "fractional labels"
    if all(isinstance(value, (str, bytes)) for value in column.values[:1]):
        return "string labels"
    return f"labels of type {type(column.values[0]).__name__}"


def _encode_integer_run(true: _Column, pred: _Column) -> Positions:
    y_true, y_pred, lowest = true.values, pred.values, 0
    highest = max(_largest(y_true), _largest(y_pred))
    if highest >= MAX_INTEGER_RUN:
        lowest = min(int(true.values.min()), int(pred.values.min()))
        highest = max(int(true.values.max()), int(pred.values.max()))
        _check_run([true, pred], lowest, highest)
        y_true, y_pred = _minus(y_true, lowest), _minus(y_pred, lowest)
    return Positions(y_true, y_pred, highest - lowest + 1, None, lowest)


def _check_run(columns: Sequence[_Column], lowest: int, highest: int) -> None:
    if highest - lowest >= MAX_INTEGER_RUN:
        raise ValueError(
            f"{' and '.join(column.name for column in columns)} hold integers from {lowest} to "
            f"{highest}, more than {MAX_INTEGER_RUN:,} classes in a run: pass labels=[...] with "
            f"the classes there are, from the lowest to the highest."
        )


# --- labels -> positions ---------------------------------------------------------------


def _encode(column: _Column, scale: NDArray[Any]) -> IntegerArray:
    if column.categories is not None:
        if np.array_equal(column.categories, scale):
            return column.values
        return _encode_categories(column, scale)
    kinds = column.values.dtype.kind, scale.dtype.kind
    if kinds[0] in "iu" and kinds[1] in "biu":
        lowest = int(scale[0])
        if scale.tolist() == list(range(lowest, lowest + len(scale))):
            return _encode_in_run(column, scale, lowest)
    # Signed and unsigned integers would meet as floats, which are not exact.
    if kinds[0] == kinds[1] != "O" or kinds in {("f", "i"), ("i", "f")}:
        return _encode_by_search(column, scale)
    return _encode_by_lookup(column, scale)


def _encode_in_run(column: _Column, scale: NDArray[Any], lowest: int) -> IntegerArray:
    positions = _minus(column.values, lowest) if lowest else column.values
    if _largest(positions) >= len(scale):
        _raise_not_in_labels(column, scale)
    return positions


def _encode_by_search(column: _Column, scale: NDArray[Any]) -> IntegerArray:
    if column.values.dtype.kind == "f":
        scale = scale.astype(column.values.dtype)
    order = np.argsort(scale)
    ranks = np.searchsorted(scale, column.values, sorter=order)
    positions = order[np.minimum(ranks, len(scale) - 1)]
    if (scale[positions] != column.values).any():
        _raise_not_in_labels(column, scale)
    return positions


def _encode_by_lookup(column: _Column, scale: NDArray[Any]) -> IntegerArray:
    position_of = {label: position for position, label in enumerate(scale.tolist())}
    values = column.values if column.values.dtype == object else column.values.tolist()
    try:
        return np.fromiter(map(position_of.__getitem__, values), np.intp, len(values))
    except (KeyError, TypeError):  # TypeError: not hashable, so not a label either
        _raise_not_in_labels(column, scale)


def _encode_categories(column: _Column, scale: NDArray[Any]) -> IntegerArray:
    assert column.categories is not None
    position_of = {label: position for position, label in enumerate(scale.tolist())}
    positions = np.array([position_of.get(c, -1) for c in column.categories.tolist()])
    found: IntegerArray = positions[column.values]
    if found.min() < 0:
        _raise_not_in_labels(column, scale)
    return found


def _largest(values: IntegerArray) -> int:
    """Return the largest value, or one beyond all integers if any is negative, in one pass."""
    largest = int(np.maximum.reduce(values.view(values.dtype.str.replace("i", "u"))))
    is_negative = values.dtype.kind == "i" and largest >> (8 * values.itemsize - 1)
    return 2**64 if is_negative else largest


def _minus(values: IntegerArray, lowest: int) -> IntegerArray:
    # Unsigned arithmetic is modulo 2**64, so small differences are exact for every width.
    return values.astype(np.uint64) - np.uint64(lowest % 2**64)


# --- errors ----------------------------------------------------------------------------


def _raise_missing(name: str) -> NoReturn:
    raise ValueError(f"{name} has missing values (NaN, None or NA): drop or fill those samples.")


def _raise_not_in_labels(column: _Column, scale: NDArray[Any]) -> NoReturn:
    if column.values.dtype == object:
        _check_no_missing_object(column)
    known = scale.tolist()
    extra = [value for value in column.distinct() if value not in known]
    raise ValueError(
        f"{column.name} has classes that are not in labels: {_listed(extra)}; "
        f"labels are {_listed(scale)}."
    )


def _listed(values: Iterable[Any]) -> str:
    items = values.tolist() if isinstance(values, np.ndarray) else list(values)
    shown = ", ".join(repr(item) for item in items[:10])
    return f"[{shown}, ...]" if len(items) > 10 else f"[{shown}]"
