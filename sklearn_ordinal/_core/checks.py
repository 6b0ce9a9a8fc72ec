"""Checks of arguments with uniform messages; undefined values, warnings, and random numbers."""

from __future__ import annotations

import difflib
import functools
import inspect
import math
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import fields
from decimal import Decimal
from numbers import Integral, Real
from typing import Any, Literal, NoReturn, ParamSpec, TypeAlias, TypeVar, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import get_config
from sklearn.base import BaseEstimator, is_classifier
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils import check_random_state

from sklearn_ordinal._core import tolerances

# Checks of options and numbers, with uniform error messages
# ----------------------------------------------------------

P = ParamSpec("P")
T = TypeVar("T")

# The type of what iterating over a masked array returns for a masked value.
MASKED = type(np.ma.masked)
_SMALLEST_TOTAL, _LARGEST_TOTAL = 1e-60, 1e60
_LARGEST_INTEGER_TOTAL = np.nextafter(2.0**63, 0)
# As floats, they take 8 GB.
_MOST_NUMBERS = 10**9
_KINDS = {"U": "strings", "S": "bytes", "M": "dates", "m": "durations", "c": "complex numbers"}
_SHAPES = {1: "one-dimensional", 2: "two-dimensional"}
_UNITS = {"y_true": "samples", "ratings": "graded items", "clusters": "values for samples"}


def shown(value: Any) -> str:
    """Format a value for a message, on one line of limited length."""
    return shortened(" ".join(full_repr(value).split()))


def full_repr(value: Any) -> str:
    """Return the `repr` of a value, also of integers that are too long for Python."""
    try:
        return repr(value)
    except ValueError:
        return f"<{type(value).__name__} of thousands of digits>"


def shortened(text: str) -> str:
    """Return a text of limited length."""
    return text if len(text) <= 50 else f"{text[:49]}…"


def printable(text: str) -> str:
    """Return text with unprintable characters, such as line breaks, escaped as in `repr`."""
    return text if text.isprintable() else repr(text)[1:-1]


def in_repr(texts: Iterable[str]) -> str:
    """Format texts that contain names for a `repr`, on one line and each of limited length."""
    return ", ".join(shortened(printable(text)) for text in texts)


def with_article(name: str) -> str:
    """Return the name of a class after "a" or "an"."""
    return f"{'an' if name[:1] in 'AEIOUaeiou' else 'a'} {name}"


def listed(values: Iterable[Any]) -> str:
    """Format values for a message, at most ten of them."""
    items = values.tolist() if isinstance(values, np.ndarray) else list(values)
    text = ", ".join(map(shown, items[:10]))
    return f"[{text}, ...]" if len(items) > 10 else f"[{text}]"


def repeated(values: Iterable[T]) -> list[T]:
    """Return the values that occur more than once, each once."""
    return [value for value, number in Counter(values).items() if number > 1]


def named_entries(argument: str, entries: Mapping[Any, T]) -> dict[str, T]:
    """Return the entries of an argument by their names in messages, short but distinct."""
    names = [f"{argument}[{shown(key)}]" for key in entries]
    alike = set(repeated(names))
    return {
        f"{name} (number {number})" if name in alike else name: entry
        for number, (name, entry) in enumerate(zip(names, entries.values(), strict=True), 1)
    }


def raise_cannot_be_added(evidence: Any, other: Any) -> NoReturn:
    """Raise the error for adding evidence to something else."""
    name = type(evidence).__name__
    raise TypeError(
        f"{name} and {type(other).__name__} cannot be added: make both {with_article(name)}."
    )


def added_to_zero(evidence: T, other: Any) -> T:
    """Return evidence that is added to the integer 0, from which `sum` starts."""
    if type(other) is not int or other != 0:
        raise_cannot_be_added(evidence, other)
    return evidence


def check_choice(name: str, value: Any, choices: Any, *, or_none: bool = False) -> None:
    """Raise unless an option is among the values of its Literal type, or None if `or_none`."""
    if value is None and or_none:
        return
    if not isinstance(value, str) or value not in get_args(choices):
        allowed = f"{get_args(choices)}{' or None' if or_none else ''}"
        raise ValueError(f"{name} must be one of {allowed}, got {shown(value)}.")


def check_bool(name: str, value: Any, *, or_none: bool = False) -> None:
    """Raise unless the value of an option is True or False, or None if that is allowed."""
    if or_none and value is None:
        return
    if value is not True and value is not False and not isinstance(value, np.bool_):
        choices = "True, False or None" if or_none else "True or False"
        raise ValueError(f"{name} must be {choices}, got {shown(value)}.")


def check_integer(name: str, value: Any, *, at_least: Literal[0, 1]) -> None:
    """Raise unless the value of an option is an integer of at least `at_least`."""
    if not isinstance(value, (int, Integral)) or not is_real(value) or value < at_least:
        kind = "positive" if at_least else "non-negative"
        raise ValueError(f"{name} must be a {kind} integer, got {shown(value)}.")


def check_count(name: str, value: Any, *, at_least: Literal[0, 1], size: int = 1) -> None:
    """Raise unless the value of an option is a number of results that may fit into memory.

    Each result consists of `size` numbers.
    """
    check_integer(name, value, at_least=at_least)
    most = _MOST_NUMBERS // size
    if value > most:
        raise ValueError(
            f"{name} must be at most {most:,} here, since more would not fit into memory, got "
            f"{shown(value)}."
        )


def is_real(value: Any) -> bool:
    """Return whether a value is a real number that a float can represent, including NaN."""
    if type(value) is float:
        return True
    # A timedelta64 is an instance of Integral. Abstract classes take longer to check than int.
    if not isinstance(value, (int, Real)) or isinstance(value, (bool, np.timedelta64)):
        return False
    try:
        float(value)
    except OverflowError:
        return False
    return True


def check_number(name: str, value: Any) -> None:
    """Raise unless the value of an option is a real number, which may be NaN."""
    if not is_real(value):
        raise ValueError(f"{name} must be a number, got {shown(value)}.")


def check_n_jobs(n_jobs: Any) -> None:
    """Raise unless a number of jobs is None or an integer other than 0."""
    is_integer = isinstance(n_jobs, Integral) and is_real(n_jobs) and abs(float(n_jobs)) < 2**31
    if n_jobs is not None and not (is_integer and n_jobs):
        raise ValueError(
            f"n_jobs must be None or an integer, such as -1 for all processors, got "
            f"{shown(n_jobs)}."
        )


def check_fitted(estimator: Any) -> None:
    """Raise unless the first argument of a `from_estimator` can predict."""
    if not hasattr(estimator, "predict") or isinstance(estimator, type):
        raise ValueError(
            f"estimator must be a fitted classifier, got {_kind(estimator)}: the arguments are "
            f"(estimator, X, y)."
        )


def check_classifier(name: str, estimator: Any) -> None:
    """Raise unless an estimator can be fitted and can predict."""
    # StackingClassifier has predict only once its default final_estimator is fitted.
    can_predict = hasattr(estimator, "predict") or (
        isinstance(estimator, BaseEstimator) and is_classifier(estimator)
    )
    if not (hasattr(estimator, "fit") and can_predict) or isinstance(estimator, type):
        raise ValueError(
            f"{name} must be a classifier with fit and predict, such as SVC(), got "
            f"{_kind(estimator)}."
        )


def _kind(value: Any) -> str:
    return f"the class {value.__name__}" if isinstance(value, type) else f"a {type(value).__name__}"


def check_ordered(name: str, values: Any) -> None:
    """Raise for sets and dicts, which are not sequences."""
    if isinstance(values, (Mapping, Set)):
        raise ValueError(
            f"{name} must be a sequence, such as a list, got a {type(values).__name__}."
        )


def iterate(name: str, values: Any, items: str) -> Iterator[Any]:
    """Return an iterator over an argument that must hold `items` in order."""
    try:
        if isinstance(values, (str, bytes, Mapping, Set)):
            raise TypeError
        if hasattr(values, "to_pylist"):  # pyarrow iterates over scalars of its own
            return iter(values.to_pylist())
        # An array without axes or on a device, and a lazy frame, are iterable by their type only.
        return iter(list(values) if hasattr(type(values), "__getitem__") else values)
    except TypeError:
        is_unordered = isinstance(values, (Mapping, Set))
        finding = f"a {type(values).__name__}" if is_unordered else shown(values)
        raise ValueError(f"{name} must be a sequence of {items}, got {finding}.") from None


def column_names(frame: Any) -> Any:
    """Return the names of the columns of a frame, None for objects without columns."""
    # The columns of a pyarrow table are the values.
    return getattr(frame, "column_names", getattr(frame, "columns", None))


def check_in_memory(name: str, values: Any) -> None:
    """Raise for a lazy frame, which does not hold its values."""
    if hasattr(values, "lazy") and hasattr(values, "collect"):
        raise ValueError(
            f"{name} must hold its values, got a {type(values).__name__}: pass {name}.collect()."
        )


def check_mapping(name: str, values: Any) -> None:
    """Raise unless an argument is a dict with names as keys."""
    if not isinstance(values, Mapping):
        columns = [key for key in ("column_names", "columns") if hasattr(values, key)]
        way_out = (
            f": pass {{name: {name}[name] for name in {name}.{columns[0]}}}" if columns else ""
        )
        raise ValueError(
            f"{name} must be a dict with names as keys, got a {type(values).__name__}{way_out}."
        )


def check_named(name: str, values: Any) -> None:
    """Raise unless an argument is a dict with strings as keys, the names in results."""
    check_mapping(name, values)
    for key in values:
        if not isinstance(key, str):
            raise ValueError(f"{name} must have strings as names, got {shown(key)}.")


def to_numpy(values: Any) -> NDArray[Any]:
    """Return an array, copied from its device if scikit-learn dispatches to array libraries."""
    try:
        return np.asarray(without_masks(values))
    except Exception as error:
        if not hasattr(values, "__dlpack__"):
            raise
        if not get_config()["array_api_dispatch"]:
            raise ValueError(
                f"{sentence(error)}: pass a NumPy array, or call "
                f"sklearn.set_config(array_api_dispatch=True)"
            ) from None
    return _on_host(values)


def without_masks(values: Any) -> Any:
    """Return a list with NaN for masked values, as NumPy converts them, but without its warning."""
    if not isinstance(values, (list, tuple)) or MASKED not in set(map(type, values)):
        return values
    return [np.nan if type(value) is MASKED else value for value in values]


def _on_host(values: Any) -> NDArray[Any]:
    if hasattr(values, "get"):
        # Not all versions of CuPy export a copy to the host.
        return np.asarray(values.get())
    if not hasattr(values, "detach"):
        return np.from_dlpack(values)
    # PyTorch exports neither tensors that require a gradient nor tensors on the device "meta".
    tensor = values.detach().cpu()
    try:
        return np.asarray(tensor)
    except TypeError:  # bfloat16, which NumPy does not have
        return np.asarray(tensor.float())


def sentence(error: Exception) -> str:
    """Return the message of an error on one line, without a full stop."""
    return " ".join(str(error).split()).rstrip(".!")


def as_numbers(name: str, values: Any) -> NDArray[Any]:
    """Return an array of real numbers, with NaN where a number is missing.

    Strings such as "1", dates, durations and complex numbers are not converted.
    """
    check_ordered(name, values)
    check_in_memory(name, values)
    if hasattr(values, "toarray"):
        raise ValueError(f"{name} must be dense, got a sparse array: pass {name}.toarray().")
    try:
        array = to_numpy(values)
    except Exception as error:
        is_ragged = isinstance(values, (list, tuple))
        reason = ", got rows of different lengths" if is_ragged else f": {sentence(error)}"
        raise ValueError(f"{name} must hold numbers{reason}.") from None
    if array.dtype == object:
        array = _numbers_from_objects(name, array)
    elif array.dtype.kind not in "biuf":
        finding = _KINDS.get(array.dtype.kind, f"the dtype {array.dtype}")
        raise ValueError(f"{name} must hold numbers, got {finding}.")
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        array = np.where(np.ma.getmaskarray(values), np.nan, array.astype(np.float64))
    return array


def _numbers_from_objects(name: str, array: NDArray[np.object_]) -> NDArray[Any]:
    # The missing value of pandas is recognised by name, since pandas is optional.
    values = [
        np.nan if value is None or type(value).__name__ == "NAType" else value
        for value in array.flat
    ]
    for value in values:
        if not _is_number(value):
            raise ValueError(f"{name} must hold numbers, got {shown(value)}.")
    is_whole = all(isinstance(value, Integral) and abs(value) < 2**63 for value in values)
    try:
        numbers = np.array(values, dtype=np.int64 if is_whole else np.float64)
        return numbers.reshape(array.shape)
    except (OverflowError, ValueError) as error:  # such as Decimal("sNaN")
        raise ValueError(f"{name} must hold numbers: {error}.") from None


def _is_number(value: Any) -> bool:
    # A timedelta64 is an instance of Integral.
    return isinstance(value, (Real, Decimal, np.bool_)) and not isinstance(value, np.timedelta64)


def as_class_numbers(name: str, values: Any) -> NDArray[Any]:
    """Return an array of numbers in the order of the classes."""
    if hasattr(values, "reindex"):
        raise ValueError(
            f"{name} must be a plain array in the order of the classes, got a "
            f"{type(values).__name__} with its own index: "
            f"order it with reindex and pass to_numpy()."
        )
    return as_numbers(name, values)


def check_amounts(
    name: str, amounts: NDArray[Any], axis: int | tuple[int, ...] | None = -1
) -> NDArray[np.float64]:
    """Return totals; raise unless counts or weights are finite, non-negative and of suitable size.

    The totals along `axis` must be zero or within bounds, and less than 2**63 for integers.
    """
    smallest = np.minimum.reduce(amounts, axis=None, initial=0)
    if smallest < 0:
        raise ValueError(f"{name} must not be negative, the smallest is {smallest}.")
    with np.errstate(over="ignore", invalid="ignore"):
        totals: NDArray[np.float64] = np.add.reduce(amounts, axis=axis, dtype=np.float64)
    is_integer = amounts.dtype.kind in "iu"
    largest = _LARGEST_INTEGER_TOTAL if is_integer else _LARGEST_TOTAL
    if ((totals == 0) | ((totals >= _SMALLEST_TOTAL) & (totals <= largest))).all():
        return totals
    if not np.isfinite(amounts).all():
        raise ValueError(f"{name} must be finite, got NaN or infinite values.")
    if is_integer:
        raise ValueError(
            f"{name} must add up to less than 2**63, since integers would overflow: pass floats."
        )
    raise ValueError(
        f"{name} must add up to a number from {_SMALLEST_TOTAL} to {_LARGEST_TOTAL}, so that "
        f"powers of it do not overflow: rescale it."
    )


def check_sample_weight(sample_weight: ArrayLike | None, n_samples: int) -> NDArray[np.float64]:
    """Return one finite, non-negative weight for each sample, not all zero; ones if None."""
    if sample_weight is None:
        return np.ones(n_samples)
    return check_weights("sample_weight", sample_weight, n_samples)


def check_weights(name: str, weights: ArrayLike, size: int) -> NDArray[np.float64]:
    """Return finite, non-negative floats that are not all zero."""
    weight = as_numbers(name, weights).astype(np.float64, copy=False)
    if weight.shape != (size,):
        raise ValueError(f"{name} must have shape ({size},), got {weight.shape}.")
    # As unsigned integers, floats of at least 0 are in order, and all others are larger.
    largest = np.maximum.reduce(weight.view(np.uint64), initial=0).view(np.float64)
    if _SMALLEST_TOTAL <= largest <= _LARGEST_TOTAL / size:
        return weight
    if not check_amounts(name, weight):
        raise ValueError(f"{name} must not be all zero.")
    return weight


def check_floats(
    name: str, values: ArrayLike, *, ndim: int, may_be_infinite: bool = False
) -> NDArray[np.float64]:
    """Return a copy as an array of floats with `ndim` dimensions. Values may be NaN."""
    array = as_numbers(name, values).astype(np.float64)
    if array.ndim != ndim:
        raise ValueError(f"{name} must be {_SHAPES[ndim]}, got shape {array.shape}.")
    if not may_be_infinite and np.isinf(array).any():
        raise ValueError(f"{name} must not be infinite; NaN stands for an undefined value.")
    return array


def check_share(name: str, value: float) -> float:
    """Return a number that is strictly between 0 and 1."""
    if not is_real(value) or not 0 < value < 1:
        raise ValueError(f"{name} must be a number between 0 and 1, got {shown(value)}.")
    return float(value)


def check_rope(rope: float) -> float:
    """Return half the width of the region of practical equivalence."""
    if not is_real(rope) or not 0 <= rope < np.inf:
        raise ValueError(
            f"rope must be a non-negative number, in the unit of the scores, got {shown(rope)}."
        )
    return float(rope)


def check_factors(factors: ArrayLike, n_classes: int) -> NDArray[np.float64]:
    """Return finite, non-negative factors of the classes, (..., n_classes)."""
    numbers = as_class_numbers("factors", factors).astype(np.float64, copy=False)
    if numbers.shape[-1:] != (n_classes,):
        raise ValueError(f"factors must have shape (..., {n_classes}), got {numbers.shape}.")
    check_amounts("factors", numbers)
    return numbers


def check_n_units(argument: str, n_units: int) -> None:
    """Raise unless there are at least two units to resample: samples, or values of an argument."""
    if n_units < 2:
        # The rows of an item with soft labels are a cluster.
        of_items = ": if y_true has soft labels, it must have at least 2 items"
        raise ValueError(
            f"{argument} must have at least 2 {_UNITS[argument]} of positive weight, got {n_units}"
            f"{of_items if argument == 'clusters' else ''}."
        )


def refuse_bad_numbers(proba: NDArray[Any], name: str) -> None:
    """Raise if a row of probabilities is not finite, or negative."""
    is_bad = ~np.isfinite(proba).all(axis=1)
    refuse_rows(proba, is_bad, f"{name} must be finite", "has NaN or infinite values")
    smallest = proba.min(axis=1)
    is_bad = smallest < tolerances.SMALLEST_PROBABILITY
    if is_bad.any():
        finding = f"contains {smallest[is_bad.argmax()]:.6g}"
        refuse_rows(proba, is_bad, f"{name} must not be negative", finding)


def refuse_rows(
    proba: NDArray[Any], is_bad: NDArray[np.bool_], rule: str, finding: str, way_out: str = ""
) -> None:
    """Raise if there are bad rows; the message has the first bad row and the number of bad rows."""
    if is_bad.any():
        n_bad = int(is_bad.sum())
        rows = "the only such row" if n_bad == 1 else f"{n_bad} such rows"
        raise ValueError(
            f"{rule}: row {is_bad.argmax()} {finding} ({rows} of {len(proba)}){way_out}."
        )


# Undefined values, and warnings that point at the code of the user
# -----------------------------------------------------------------


def warn_caller(finding: str, category: type[Warning] = UserWarning, *, way_out: str = "") -> None:
    """Warn, pointing at the first caller outside of the package.

    The attribute `finding` of the warning is the text without the advice, since the
    advice names Python arguments. The command line has other options, so it shows only
    the finding.
    """
    package = __name__.partition(".")[0]
    frame, level = inspect.currentframe(), 1
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] == package:
        frame, level = frame.f_back, level + 1
    warning: Any = category(" ".join(filter(None, (finding, way_out))))
    warning.finding = finding
    warnings.warn(warning, stacklevel=level)


def or_undefined(value: float, replace_undefined_by: float, name: str, reason: str) -> float:
    """Return the value, or its replacement if the value is NaN; warn if both are NaN."""
    check_number("replace_undefined_by", replace_undefined_by)
    if not math.isnan(value):
        return value
    if math.isnan(replace_undefined_by):
        warn_caller(f"{name} is undefined: {reason}.", UndefinedMetricWarning)
    return float(replace_undefined_by)


# Suggestions for names that are misspelt or abbreviated
# ------------------------------------------------------

# A part of a name must have at least this many letters to identify it.
_SHORTEST_PART = 3


def nearest_name(name: str, known: Iterable[str]) -> str:
    """Return the known name closest to a misspelt or abbreviated one, or ""."""
    return next(iter(near_names(name, known)), "")


def near_names(name: str, known: Iterable[str]) -> list[str]:
    """Return the known names that a misspelt or abbreviated name may mean, closest first."""
    names, name = list(dict.fromkeys(known)), name.lower().replace(" ", "_").replace("-", "_")
    plain = name.removeprefix("neg_")
    near = difflib.get_close_matches(name, names) or difflib.get_close_matches(plain, names)
    if len(plain) >= _SHORTEST_PART:
        longer = [known_name for known_name in names if plain in known_name]
        # "qwk" for quadratic_weighted_kappa, "amae" for macro_averaged_mean_absolute_error.
        acronyms = [known_name for known_name in names if _initials(known_name).endswith(plain)]
        near += [*sorted(longer or acronyms, key=len)[:1], *longer]
    return list(dict.fromkeys(near))


def _initials(name: str) -> str:
    return "".join(word[:1] for word in name.split("_"))


def check_keywords(title: str, keywords: Iterable[str], names: Sequence[str]) -> None:
    """Raise for the first keyword that a function does not have, and suggest the nearest one."""
    for keyword in keywords:
        if keyword not in names:
            near = nearest_name(keyword, names)
            way_out = (
                f"did you mean {near!r}?" if near else f"its parameters are {', '.join(names)}."
            )
            raise TypeError(
                f"{title}() got an unexpected keyword argument {shown(keyword)}: {way_out}"
            )


def lists_parameters(verb: Callable[P, T]) -> Callable[P, T]:
    """Make the error for an unknown keyword of a function suggest or list its parameters."""
    names = list(inspect.signature(verb).parameters)

    @functools.wraps(verb)
    def checked(*args: P.args, **kwargs: P.kwargs) -> T:
        check_keywords(verb.__name__, kwargs, names)
        return verb(*args, **kwargs)

    return checked


# Checks of the fields of results, which users may construct or read from files
# -----------------------------------------------------------------------------


def have_equal_fields(first: Any, second: Any) -> bool:
    """Return whether the public fields of two dataclasses are equal, arrays by their values."""
    pairs = [
        (getattr(first, field.name), getattr(second, field.name))
        for field in fields(first)
        if not field.name.startswith("_")
    ]
    return all(
        np.array_equal(one, other)
        if isinstance(one, np.ndarray) or isinstance(other, np.ndarray)
        else one == other
        for one, other in pairs
    )


def check_value(
    name: str,
    value: Any,
    low: float = -math.inf,
    high: float = math.inf,
    *,
    may_be_nan: bool = True,
) -> float:
    """Return a number in a range, up to rounding, as a float."""
    if not is_real(value):
        raise ValueError(f"{name} must be a number, got {shown(value)}.")
    number = float(value)
    is_inside = low - tolerances.OUT_OF_RANGE <= number <= high + tolerances.OUT_OF_RANGE
    if not is_inside and not (may_be_nan and math.isnan(number)):
        raise ValueError(f"{name} must be in [{low:g}, {high:g}], got {number:g}.")
    return number


# Random numbers, seeded as in scikit-learn
# -----------------------------------------

RandomState: TypeAlias = int | np.random.RandomState | np.random.Generator | None


def as_generator(random_state: RandomState) -> np.random.Generator:
    """Return a Generator, seeded from any random state that scikit-learn accepts."""
    if isinstance(random_state, np.random.Generator):
        return random_state
    source = _random_state(random_state, "a RandomState or a Generator")
    return np.random.default_rng(source.randint(2**31, size=4, dtype=np.int64))


def as_random_state(random_state: Any) -> np.random.RandomState:
    """Return a RandomState from a seed of an estimator, which cannot be a Generator."""
    return _random_state(random_state, "or a RandomState")


def _random_state(random_state: Any, others: str) -> np.random.RandomState:
    try:
        if isinstance(random_state, (bool, np.bool_)):
            raise ValueError  # scikit-learn would read it as 0 or 1
        source: np.random.RandomState = check_random_state(random_state)
    except (ValueError, TypeError):
        raise ValueError(
            f"random_state must be None, an integer from 0 to 2**32 - 1, {others}, got "
            f"{shown(random_state)}."
        ) from None
    return source
