"""The options that say how true classes and predictions are read.

Each option is defined once. Its type, default and documentation are in this module, and it is
implemented in `read_answers`, which reads true and predicted classes. The functions in between take
`**reading` and pass it on without naming the options. A new option therefore needs only an entry
here and its implementation, and every function with the decorator `takes_reading` accepts it.
"""

from __future__ import annotations

import functools
import inspect
import textwrap
from collections.abc import Callable, Iterable, Sequence
from inspect import Parameter
from typing import Any, NamedTuple, TypedDict, TypeVar

from numpy.typing import ArrayLike

from sklearn_ordinal._core._checks import shown
from sklearn_ordinal._core._counting import Unanswered
from sklearn_ordinal._core._near_names import nearest_name

Function = TypeVar("Function", bound=Callable[..., Any])


class ReadingOptions(TypedDict, total=False):
    """Reading options for all predictions."""

    labels: ArrayLike | None
    sample_weight: ArrayLike | None


class ClassReadingOptions(ReadingOptions, total=False):
    """Reading options for predicted classes."""

    unanswered: Unanswered


CLASS_OPTIONS = ClassReadingOptions.__annotations__.keys() - ReadingOptions.__annotations__.keys()
"""Names of the options for predicted classes only."""


class SampleReadingOptions(ClassReadingOptions, total=False):
    """Reading options of functions that resample the samples."""

    clusters: ArrayLike | None


class _Option(NamedTuple):
    default: Any
    entry: str
    """Type and description in docstrings."""


READING_OPTIONS = {
    "labels": _Option(
        None,
        """array-like of shape (n_classes,), default=None
    All classes from the lowest to the highest. If None, taken from an ordered
    dtype or from integers; required for strings.""",
    ),
    "sample_weight": _Option(
        None,
        """array-like of shape (n_samples,), default=None
    Non-negative sample weights. Samples of weight zero are left out, and samples
    keep their weights in resamples.""",
    ),
    "unanswered": _Option(
        "raise",
        """{"raise", "count"}, default="raise"
    What to do with samples without a predicted class (NaN, None or NA): raise an
    error, or count them separately by their true class. The closeness family counts
    them as errors with a closeness of 0. All other criteria, measures and plots leave
    them out. Probabilities and scores must be complete.""",
    ),
    "clusters": _Option(
        None,
        """array-like of shape (n_samples,), default=None
    Cluster of each sample, such as the patient or the document. Resampling draws
    whole clusters, since samples of the same cluster are not independent.""",
    ),
}


def takes_reading(options: type) -> Callable[[Function], Function]:
    """Show the options of reading in the signature and the docstring in place of `**reading`.

    Users see ordinary keywords, although the function does not name them. They precede its own
    optional keywords. If a function has other `**options`, the reading options are among these
    keywords.
    """
    names = list(options.__annotations__)

    def decorate(function: Function) -> Function:
        *parameters, rest = inspect.signature(function).parameters.values()
        is_rest_shown = rest.name != "reading"
        known = {*names, *(parameter.name for parameter in parameters)}

        @functools.wraps(function)
        def verb(*args: Any, **kwargs: Any) -> Any:
            if not is_rest_shown and not known.issuperset(kwargs):
                is_of_class = parameters[0].name == "cls"
                title = (
                    f"{args[0].__name__}.{function.__name__}" if is_of_class else function.__name__
                )
                check_keywords(title, kwargs, [n for n in signature.parameters if n != "cls"])
            return function(*args, **kwargs)

        is_own_option = [
            parameter.kind is Parameter.KEYWORD_ONLY and parameter.default is not Parameter.empty
            for parameter in parameters
        ]
        start = is_own_option.index(True) if any(is_own_option) else len(parameters)
        parameters[start:start] = [_parameter(name, options) for name in names]
        parameters += [rest] if is_rest_shown else []
        signature = inspect.signature(function).replace(parameters=parameters)
        verb.__signature__ = signature  # type: ignore[attr-defined]
        verb.__doc__ = _with_entries(function.__doc__, names)
        return verb  # type: ignore[return-value]

    return decorate


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


def _parameter(name: str, options: type) -> Parameter:
    annotation = options.__annotations__[name]
    return Parameter(
        name,
        Parameter.KEYWORD_ONLY,
        default=READING_OPTIONS[name].default,
        # With postponed annotations, a TypedDict wraps their text.
        annotation=getattr(annotation, "__forward_arg__", annotation),
    )


def _with_entries(docstring: str | None, names: list[str]) -> str | None:
    """Return a docstring with the entries of the options in place of the line `**reading`."""
    if docstring is None:  # Python ran with -OO.
        return None
    line = next(line for line in docstring.splitlines() if line.strip() == "**reading")
    entries = "\n".join(f"{name} : {READING_OPTIONS[name].entry}" for name in names)
    return docstring.replace(line, textwrap.indent(entries, line[: line.index("*")]), 1)


def is_default(name: str, value: Any) -> bool:
    """Return whether an option of reading has its default."""
    default = READING_OPTIONS[name].default
    return value is default or (isinstance(value, str) and value == default)


def taken_options(options: type, keywords: dict[str, Any]) -> Any:
    """Take the reading options out of keywords that also contain other options."""
    return {name: keywords.pop(name) for name in options.__annotations__ if name in keywords}


def without_class_options(reading: ReadingOptions) -> Any:
    """Return the options for reading probabilities and scores."""
    return {name: value for name, value in reading.items() if name not in CLASS_OPTIONS}


def options_on_scale(reading: ReadingOptions, scale: Any) -> Any:
    """Return the options of probabilities, on the scale that predicted classes were read on."""
    return {**without_class_options(reading), "labels": scale}


def check_no_class_options(reading: ReadingOptions, reason: str) -> None:
    """Raise if an option is passed that applies to predicted classes only."""
    for name, value in reading.items():
        if name in CLASS_OPTIONS and not is_default(name, value):
            raise ValueError(f"{name} must be left out {reason}, got {shown(value)}.")
