"""Read lists and containers of NumPy, pandas, polars and pyarrow into plain columns.

Only this module deals with containers and their missing values. The rest of the
package works with columns.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Mapping, Sequence
from decimal import Decimal
from numbers import Real
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import arithmetic, checks

# Read lists and containers of NumPy, pandas, polars and pyarrow into plain columns
# ---------------------------------------------------------------------------------


# A column of few classes has nearly always all of them among so many strings.
_N_SAMPLED = 10_000


class LabelColumn(NamedTuple):
    """One argument after inspection: plain values, or codes into categories."""

    name: str
    values: NDArray[Any]
    categories: NDArray[Any] | None = None
    is_ordered: bool = False
    is_bool: bool = False
    is_declared: bool = False
    """Whether the dtype declares the categories; otherwise, they are the values that occur."""
    n_rows: NDArray[np.int64] | None = None
    """The number of rows with each value if a table has counted them."""

    def distinct(self) -> list[Any]:
        """Return the distinct values."""
        values = self.values
        if self.categories is not None:
            values = self.categories[np.unique(values)]
        if self.is_declared:
            return list(values.tolist())
        if values.dtype == object:
            # Use repr, since the values may be neither hashable nor comparable with each other.
            by_repr = {checks.full_repr(value): value for value in values}
            return [by_repr[key] for key in sorted(by_repr)]
        return list(np.unique(values).tolist())


def read_column(y: Any, name: str) -> LabelColumn:
    """Return the values of an argument, or its codes into categories."""
    column = _column(y, name)
    if not len(column.values):
        raise ValueError(f"{name} must not be empty.")
    return column


def read_present(y: Any, name: str) -> tuple[LabelColumn, NDArray[np.bool_]]:
    """Return the values that are not missing as a column, and the mask of these values.

    All values may be missing.
    """
    present, is_present = _present(one_column(y), name)
    if not len(is_present):
        raise ValueError(f"{name} must not be empty.")
    return _column(present, name), is_present


def _column(y: Any, name: str) -> LabelColumn:
    if type(y) is np.ndarray:
        return _numpy_column(y, name)
    y = one_column(y)
    library = _library_of(y, name)
    if library is None:
        return _numpy_column(as_array(y, name), name)
    return _COLUMN_OF[library](y, name, sys.modules[library])


def _present(y: Any, name: str) -> tuple[Any, NDArray[np.bool_]]:
    """Return a container without its missing values, and the mask of the values that are kept."""
    library = _library_of(y, name)
    if library == "pandas":
        is_missing = np.array(sys.modules["pandas"].isna(y))
        if y.dtype.kind == "f":
            # Nullable and Arrow floats may be NaN without being NA.
            is_missing |= np.isnan(np.asarray(y.to_numpy(dtype=np.float64, na_value=np.nan)))
        return y[~is_missing], ~is_missing
    if library == "polars":
        y = y.fill_nan(None) if y.dtype.is_float() else y
        is_present = y.is_not_null()
        return y.filter(is_present), is_present.to_numpy()
    if library == "pyarrow":
        pyarrow = sys.modules["pyarrow"]
        # Encode before the filter, since an empty chunked array has no dictionary.
        y = _one_dictionary(y, pyarrow)
        is_present = ~np.asarray(y.is_null(nan_is_null=True))
        try:
            return y.filter(pyarrow.array(is_present)), is_present
        except pyarrow.ArrowNotImplementedError:  # such as views of strings
            return [value for value in y.to_pylist() if value is not None], is_present
    array = one_column(np.asarray(y) if isinstance(y, np.ndarray) else as_array(y, name))
    if array.ndim != 1:
        _raise_not_one_dimensional(array, name)
    is_missing = _is_missing(array)
    if isinstance(y, np.ma.MaskedArray):
        is_missing = is_missing | np.ma.getmaskarray(y)
    return array[~is_missing], ~is_missing


def _library_of(y: Any, name: str) -> str | None:
    """Return the library of a container of one dimension, None for lists and NumPy."""
    check_no_evidence(y, name)
    pandas, polars, pyarrow = map(sys.modules.get, ("pandas", "polars", "pyarrow"))
    frames: tuple[Any, ...] = tuple(library.DataFrame for library in (pandas, polars) if library)
    if isinstance(y, frames):
        way_out = _columns_way_out(name, np.asarray(y))
        raise ValueError(
            f"{name} must be one-dimensional, got a frame of shape {y.shape}{way_out}."
        )
    if pandas and isinstance(y, pandas.MultiIndex):
        raise ValueError(f"{name} must be one-dimensional, got a MultiIndex.")
    if pandas and isinstance(
        y, (pandas.Series, pandas.Index, pandas.api.extensions.ExtensionArray)
    ):
        return "pandas"
    if polars and isinstance(y, polars.Series):
        return "polars"
    if pyarrow and isinstance(y, (pyarrow.Array, pyarrow.ChunkedArray)):
        return "pyarrow"
    return None


def check_no_evidence(y: Any, name: str) -> None:
    """Raise if a value is evidence, whose numbers are no labels."""
    if hasattr(type(y), "way_out_of_arrays"):
        raise ValueError(f"{name} must be an array, got {type(y).__name__}: {y.way_out_of_arrays}.")


def one_column(y: Any) -> Any:
    """Return the only column of an array or frame of shape (n, 1), otherwise `y` unchanged.

    scikit-learn accepts such arrays as well, and some classifiers return them as
    predictions.
    """
    shape = getattr(y, "shape", ())
    if not isinstance(shape, tuple) or len(shape) != 2 or shape[1] != 1:
        return y
    if hasattr(y, "iloc"):
        return y.iloc[:, 0]
    if hasattr(y, "to_series"):
        return y.to_series()
    return y[:, 0] if isinstance(y, np.ndarray) else y


def is_soft(y_true: Any) -> bool:
    """Return whether true classes are distributions over several classes, or ratings."""
    if hasattr(type(y_true), "class_shares"):
        return True
    shape = getattr(y_true, "shape", None)
    if isinstance(shape, tuple):
        return len(shape) == 2 and shape[1] > 1
    if not isinstance(y_true, (list, tuple)) or not len(y_true):
        return False
    first = y_true[0]
    if isinstance(first, np.ndarray):
        return first.ndim > 0 and len(first) > 1
    return isinstance(first, (list, tuple)) and len(first) > 1


def series_name(y: Any) -> str:
    """Return the name of a Series, or an empty string if it has none or is another container."""
    name = getattr(one_column(y), "name", None)
    return name if isinstance(name, str) else ""


def as_array(y: Any, name: str) -> NDArray[Any]:
    """Return an array of any shape, which has no missing values if it was masked."""
    if isinstance(y, np.ma.MaskedArray) and np.ma.is_masked(y):
        raise_missing(name)
    checks.check_ordered(name, y)
    checks.check_in_memory(name, y)
    try:
        if isinstance(y, deque):
            y = list(y)
        if isinstance(y, (list, tuple, range)):
            return array_from_list(y)
        return checks.to_numpy(y)
    except Exception as error:
        if isinstance(y, (list, tuple)) and isinstance(error, ValueError):
            reason = "must be one-dimensional, got rows of different lengths"
        else:
            reason = f"cannot be read as an array: {checks.sentence(error)}"
        raise ValueError(f"{name} {reason}.") from None


def array_from_list(values: list[Any] | tuple[Any, ...] | range) -> NDArray[Any]:
    """Return an array of the values without converting any of them."""
    values = checks.without_masks(values)
    array = np.asarray(values)
    kind = array.dtype.kind
    if array.ndim != 1:
        return array
    if kind in "US":
        # NumPy turns ["a", 1] and ["a", b"a"] into strings, and "a\0" into "a": keep what was
        # passed.
        strings: set[type] = {str, np.str_} if kind == "U" else {bytes, np.bytes_}
        nul: Any = "\0" if kind == "U" else b"\0"
        if not set(map(type, values)) <= strings or nul in nul[:0].join(values):
            return _objects(values)
    if kind == "f" and np.abs(array).max(initial=0) >= arithmetic.LARGEST_EXACT_FLOAT:
        # [2**63, -1] fits no integer dtype of NumPy.
        return array if set(map(type, values)) <= {float, np.float64} else _objects(values)
    return array


def array_from_labels(values: list[Any]) -> NDArray[Any]:
    """Return an array of labels: numbers, strings, or else Python objects."""
    array = array_from_list(values)
    return array if array.ndim == 1 and array.dtype.kind in "biufUS" else _objects(values)


def _objects(values: Sequence[Any]) -> NDArray[np.object_]:
    # Arrays without axes are their only value.
    objects = (
        value.item() if isinstance(value, np.ndarray) and not value.ndim else value
        for value in values
    )
    return np.fromiter(objects, dtype=object, count=len(values))


def _numpy_column(array: NDArray[Any], name: str) -> LabelColumn:
    if array.ndim != 1:
        array = one_column(array)
    if array.ndim != 1:
        _raise_not_one_dimensional(array, name)
    kind = array.dtype.kind
    if kind in "iu":
        return LabelColumn(name, array)
    if kind == "b":
        return LabelColumn(name, array.view(np.uint8), is_bool=True)
    if kind == "f":
        return LabelColumn(name, _integers_where_whole(array, name))
    if kind in "US":
        return LabelColumn(name, array)
    if kind in "mM":
        if np.isnat(array).any():
            raise_missing(name)
        # astype(object) would turn nanoseconds into integers.
        return LabelColumn(name, _objects(list(array)))
    return LabelColumn(name, array.astype(object, copy=False))


def _integers_where_whole(array: NDArray[np.floating[Any]], name: str) -> NDArray[Any]:
    if np.isnan(array).any():
        raise_missing(name)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite, got infinite values.")
    if (array != np.rint(array)).any() or float(
        np.abs(array).max(initial=0)
    ) >= arithmetic.LARGEST_EXACT_FLOAT:
        return array
    return array.astype(np.int64)


def _pandas_column(y: Any, name: str, pandas: Any) -> LabelColumn:
    dtype = y.dtype
    if isinstance(dtype, pandas.CategoricalDtype):
        categorical = y.array if isinstance(y, (pandas.Series, pandas.Index)) else y
        codes, categories = np.asarray(categorical.codes), dtype.categories
    elif str(dtype).startswith("dictionary<"):
        return _arrow_column(pandas.Series(y).array.__arrow_array__(), name, sys.modules["pyarrow"])
    else:
        # Nullable and Arrow dtypes of numbers name their NumPy dtype; dtypes of strings do not.
        is_numpy = isinstance(dtype, np.dtype)
        numpy_dtype = dtype if is_numpy else getattr(dtype, "numpy_dtype", np.dtype(object))
        if numpy_dtype.kind in ("biufmM" if is_numpy else "biuf"):
            if pandas.isna(y).any():
                raise_missing(name)
            return _numpy_column(y.to_numpy(dtype=numpy_dtype), name)
        try:
            # pandas hashes the values of its own arrays of objects twice.
            values = np.asarray(y) if is_numpy else pandas.Series(y).array
            codes, categories = pandas.factorize(values)
        except (TypeError, NotImplementedError):  # such as lists, which are not hashable
            return _numpy_column(y.to_numpy(dtype=object), name)
    if codes.min(initial=0) < 0:
        raise_missing(name)
    return LabelColumn(
        name,
        codes,
        array_from_labels(categories.tolist()),
        is_ordered=bool(getattr(dtype, "ordered", False)),
        is_declared=isinstance(dtype, pandas.CategoricalDtype),
    )


def _polars_column(y: Any, name: str, polars: Any) -> LabelColumn:
    if y.null_count():
        raise_missing(name)
    if isinstance(y.dtype, polars.Enum):
        categories = array_from_labels(y.dtype.categories.to_list())
        codes = y.to_physical().to_numpy()
        return LabelColumn(name, codes, categories, is_ordered=True, is_declared=True)
    if y.dtype in (polars.String, polars.Categorical):
        return _polars_strings(y, name, polars)
    # NumPy has no decimals and no integers of 128 bits.
    if y.dtype.is_numeric() and not y.dtype.is_decimal() and "128" not in str(y.dtype):
        return _numpy_column(y.to_numpy(), name)
    return _numpy_column(as_array(y.to_list(), name), name)


def _polars_strings(y: Any, name: str, polars: Any) -> LabelColumn:
    # To find all distinct strings first would take nearly as long as the conversion to an Enum.
    sample = y.gather_every(len(y) // _N_SAMPLED) if len(y) > _N_SAMPLED else y
    code_of = {value: code for code, value in enumerate(dict.fromkeys(sample.to_list()))}
    enum = y.cast(polars.Enum(list(code_of)), strict=False)
    codes = enum.to_physical()
    if enum.null_count():
        is_rare = enum.is_null()
        rare = [code_of.setdefault(value, len(code_of)) for value in y.filter(is_rare).to_list()]
        codes = codes.cast(polars.Int64).scatter(is_rare.arg_true(), rare)
    return LabelColumn(name, codes.to_numpy(), array_from_labels(list(code_of)))


def _arrow_column(y: Any, name: str, pyarrow: Any) -> LabelColumn:
    is_declared = pyarrow.types.is_dictionary(y.type)
    if pyarrow.types.is_string(y.type) or pyarrow.types.is_large_string(y.type):
        y = y.dictionary_encode()
    elif not is_declared:
        return _numpy_column(as_array(y, name), name)
    y = _one_dictionary(y, pyarrow)
    if y.null_count or y.dictionary.null_count:
        raise_missing(name)
    categories = array_from_labels(y.dictionary.to_pylist())
    codes = y.indices.to_numpy()
    return LabelColumn(name, codes, categories, y.type.ordered, is_declared=is_declared)


def _one_dictionary(y: Any, pyarrow: Any) -> Any:
    if isinstance(y, pyarrow.ChunkedArray) and pyarrow.types.is_dictionary(y.type):
        return y.unify_dictionaries().combine_chunks()
    return y


_COLUMN_OF = {"pandas": _pandas_column, "polars": _polars_column, "pyarrow": _arrow_column}


def _raise_not_one_dimensional(array: NDArray[Any], name: str) -> NoReturn:
    finding, way_out = f"shape {array.shape}", ""
    if not array.ndim:
        finding = f"a {type(array.item()).__name__}"
        if hasattr(array.item(), "predict"):
            way_out = "; a metric takes (y_true, y_pred), a scorer takes (estimator, X, y)"
    elif array.ndim == 2:
        way_out = _columns_way_out(name, array)
    raise ValueError(f"{name} must be one-dimensional, got {finding}{way_out}.")


def _columns_way_out(name: str, array: NDArray[Any]) -> str:
    if not name.startswith("y_"):
        return ""
    if array.dtype.kind == "f" and (array != np.rint(array)).any():
        soft_labels = ", or soft labels to OrdinalConfusion.from_soft_labels"
        return (
            f"; these are probabilities or scores: pass classes, such as predict returns"
            f"{soft_labels if name == 'y_true' else ''}"
        )
    if _is_one_hot(array):
        return "; its rows are one-hot: pass classes, such as by argmax(axis=1)"
    return "; pass one column at a time"


def _is_one_hot(array: NDArray[Any]) -> bool:
    if array.ndim != 2 or array.shape[1] < 2 or array.dtype.kind not in "biuf":
        return False
    return bool(np.isin(array, (0, 1)).all() and (array.sum(axis=1) == 1).all())


def numbers_where_all_are(column: LabelColumn) -> LabelColumn:
    """Convert a column of Python objects to numbers if all of them are numbers."""
    if column.categories is not None and not column.is_declared:
        numbers = numbers_where_all_are(_numpy_column(column.categories, column.name))
        is_number = numbers.values.dtype.kind in "iuf"
        return numbers._replace(values=numbers.values[column.values]) if is_number else column
    if column.categories is not None or column.values.dtype != object:
        return column
    check_no_missing_object(column)
    types = set(map(type, column.values))
    if np.timedelta64 in types:  # a subclass of np.integer
        return column
    try:
        if all(issubclass(t, (int, np.integer, np.bool_)) for t in types):
            is_bool = types <= {bool, np.bool_}
            return LabelColumn(column.name, column.values.astype(np.int64), is_bool=is_bool)
        if all(issubclass(t, (Real, np.bool_)) for t in types):
            floats = column.values.astype(np.float64)
            return LabelColumn(column.name, _integers_where_whole(floats, column.name))
    except OverflowError:
        pass
    return column


def check_no_missing(y: Any, name: str, way_out: str = "drop or fill those samples") -> None:
    """Raise if a label is missing, however its container marks missing values."""
    is_present = read_present(y, name)[1]
    if not is_present.all():
        raise_missing(name, way_out, ~is_present)


def check_no_missing_object(column: LabelColumn) -> None:
    """Raise if a value is missing in a column of Python objects."""
    if any(map(is_missing_value, column.values)):
        raise_missing(column.name)


def _is_missing(array: NDArray[Any]) -> NDArray[np.bool_]:
    if array.dtype.kind in "OT":  # T: the dtype StringDType, which may have missing values
        return np.fromiter(map(is_missing_value, array), np.bool_, len(array))
    if array.dtype.kind not in "fmM":
        return np.zeros(len(array), dtype=np.bool_)
    is_missing: NDArray[np.bool_] = np.not_equal(array, array)
    return is_missing


def is_missing_value(value: Any) -> bool:
    """Return whether a Python object is a missing value."""
    # pandas.NA and NaT are recognised by name, since pandas is optional.
    if type(value).__name__ in {"NoneType", "NAType", "NaTType"} or type(value) is checks.MASKED:
        return True
    if isinstance(value, Decimal):
        return value.is_nan()  # a signaling NaN cannot be compared
    is_comparable = isinstance(value, (float, np.floating, np.datetime64, np.timedelta64))
    return is_comparable and bool(value != value)


def raise_missing(
    name: str,
    way_out: str = "drop or fill those samples",
    is_missing: NDArray[np.bool_] | None = None,
    n_rows: NDArray[np.int64] | None = None,
) -> NoReturn:
    """Raise the error for missing values, which tells their number if `is_missing` is passed.

    The attribute `missing_in` names the argument, so that a caller with different advice can
    raise the error again.
    """
    number = "" if is_missing is None else f", {number_of(is_missing, n_rows)}"
    error: Any = ValueError(f"{name} has missing values (NaN, None or NA){number}: {way_out}.")
    error.missing_in = name
    raise error


def number_of(which: NDArray[np.bool_], n_rows: NDArray[np.int64] | None) -> str:
    """Return how many rows are meant, for messages."""
    rows = np.ones(len(which), dtype=np.int64) if n_rows is None else n_rows
    return f"{rows[which].sum():,} of {rows.sum():,}"


def check_same_order(columns: Mapping[str, Any]) -> None:
    """Raise if two pandas objects have different indexes, or the same index in a different order.

    Their rows would be compared by position. A `RangeIndex` does not identify rows and is
    ignored.
    """
    # Most optional arguments are None, for which asking for an attribute takes longer.
    frames = {name: y for name, y in columns.items() if y is not None and hasattr(y, "iloc")}
    if len(frames) < 2:
        return
    pandas = sys.modules["pandas"]
    indexed = [
        (name, y.index) for name, y in frames.items() if not isinstance(y.index, pandas.RangeIndex)
    ]
    for name, index in indexed[1:]:
        if not index.equals(indexed[0][1]):
            _raise_other_index(*indexed[0], name, index)


def _raise_other_index(first: str, expected: Any, name: str, index: Any) -> NoReturn:
    indexes = {first: expected, name: index}
    for source, target in ((first, name), (name, first)):
        unmatched = indexes[source][~indexes[source].isin(indexes[target])]
        if len(unmatched):
            raise ValueError(
                f"{first} and {name} have different indexes: {len(unmatched)} of "
                f"{len(indexes[source])} rows of {source}, such as "
                f"{checks.shown(unmatched.tolist()[0])}, are not in {target}: match the rows, such "
                f"as by {name}.reindex({first}.index), or pass arrays."
            )
    if not index.is_unique or not expected.is_unique:
        raise ValueError(
            f"{first} and {name} have indexes with repeated values in different orders: "
            f"match the rows, or pass arrays."
        )
    raise ValueError(
        f"{first} and {name} have the same index in different orders: reorder one of them, "
        f"for example with {name}.loc[{first}.index], or pass arrays."
    )


# Values of items, in the order of the items or joined by id
# ----------------------------------------------------------


def joined_by_item(
    name: str, values: Any, items: NDArray[Any] | None, missing_value: str = ""
) -> Any:
    """Return values of the items in the order of the items, joined by id where they have ids.

    `missing_value` says in the error about missing ids which value an item without a value has.
    The index 0, 1, ... of pandas says nothing about the items, so values with this index and
    containers without an index are read by position.
    """
    is_mapping = isinstance(values, Mapping)
    if not is_mapping and not hasattr(values, "iloc"):
        return values
    may_be_joined = items is not None and len(values) != len(items)
    if not is_mapping and is_default_index(values.index) and not may_be_joined:
        _check_are_not_ids(name, items)
        return values
    if items is None:
        kind = "is a dict" if is_mapping else "has an index with other values than 0, 1, ..."
        way_out = ""
        if not is_mapping:
            is_shuffled = is_default_index(np.sort(np.asarray(values.index)))
            method = "sort_index()" if is_shuffled else "to_numpy() if the order is the same"
            way_out = f"pass {name}.{method}, or "
        raise ValueError(
            f"{name} must be in the order of the items, since the items have no ids, but {kind}: "
            f"{way_out}pass ratings as a pandas frame whose index holds the ids."
        )
    keys = list(values) if is_mapping else values.index.tolist()
    row = {key: number for number, key in enumerate(keys)}
    if len(row) < len(keys):
        repeated = keys[values.index.duplicated().argmax()]
        raise ValueError(
            f"{name} must have one value for each item, but has several for "
            f"{checks.shown(repeated)}."
        )
    ids = items.tolist()
    missing = [item for item in ids if item not in row]
    if missing:
        verb = "has" if len(missing) == 1 else "have"
        way_out = "add it" if len(missing) == 1 else "add them"
        if len(missing) == len(ids) and keys:
            # Ids may be the same numbers or dates, but of another type.
            way_out = f"the ids in {name} are such as {checks.shown(keys[0])}; use the same ids"
        raise ValueError(
            f"{name} must have a value for each item, but {len(missing):,} of {len(ids):,} items "
            f"{verb} none, such as {checks.shown(missing[0])}: {way_out}{missing_value}."
        )
    unused = set(row).difference(ids)
    if unused:
        example = next(key for key in keys if key in unused)
        noun = "item that is" if len(unused) == 1 else "items that are"
        checks.warn_caller(
            f"{name} has values for {len(unused):,} {noun} not in the ratings, such as "
            f"{checks.shown(example)}: left out."
        )
    if is_mapping:
        return [values[item] for item in ids]
    return values.iloc[[row[item] for item in ids]]


def is_default_index(index: Any) -> bool:
    """Return whether an index of pandas has the integers 0, 1, ... in this order."""
    values = np.asarray(index)
    return values.dtype.kind in "iu" and np.array_equal(values, np.arange(len(values)))


def _check_are_not_ids(name: str, items: NDArray[Any] | None) -> None:
    """Raise if the index 0, 1, ... of values may be their order or the ids of the items."""
    if items is None or items.dtype.kind not in "iu" or is_default_index(items):
        return
    if is_default_index(np.sort(items)):
        raise ValueError(
            f"{name} has the index 0, 1, ..., and the ids of the items are the same numbers in "
            f"another order: pass {name}.to_numpy() for the order of the items, or "
            f"{name}.to_dict() to join by id."
        )
