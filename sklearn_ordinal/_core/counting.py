"""Read true and predicted classes with the options of reading, and count pairs of positions.

Each option of reading is defined once. Its type, default and documentation are in this module, and
it is implemented in `read_answers`, which reads true and predicted classes. The functions in
between take `**reading` and pass it on without naming the options, and every function with the
decorator `takes_reading` accepts a new one. Tables, batches and soft labels are counted elsewhere
(`dataframes.counted_pairs`, `dataframes.count_batches`, `sampling.counted_rows`), and the functions
of `metrics` name their options. An option that leaves out samples must also leave them out of
groups, clusters and probabilities.
"""

from __future__ import annotations

import functools
import inspect
import textwrap
from collections.abc import Callable, Mapping
from inspect import Parameter
from typing import Any, Literal, NamedTuple, TypedDict, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import checks, containers, scales
from sklearn_ordinal._core.arithmetic import Counts, Statistic, Values
from sklearn_ordinal._core.scales import Encoded, IntegerArray, OrdinalScale

# Read true and predicted classes, and count pairs of their positions on a scale
# ------------------------------------------------------------------------------

Unanswered = Literal["raise", "count"]

_ROWS_PER_CHUNK = 65_536


class Counted(NamedTuple):
    """The arguments of an `OrdinalConfusion`, in their order."""

    scale: OrdinalScale
    counts: Counts
    is_weighted: bool = False
    unanswered: Counts | None = None
    groups: tuple[Any, ...] = ()
    sample_counts: NDArray[np.int64] | None = None
    squared_weights: Values | None = None


class Answers(NamedTuple):
    """True classes, and the predictions of one or more systems, as positions on a scale."""

    encoded: Encoded
    """Columns of the true classes and of each system. Missing predictions follow the last class."""
    weight: NDArray[np.float64] | None
    """Sample weights, None if each sample counts once."""
    may_be_missing: bool
    """Whether missing predictions are counted."""

    @property
    def n_columns(self) -> int:
        """Number of columns of the counts, the last one for missing predictions."""
        return self.encoded.n_positions + self.may_be_missing


class CountedSamples(NamedTuple):
    """Samples of positive weight, each as a cell of the counts of each system."""

    scale: OrdinalScale
    cells: NDArray[np.int64]
    """The cell of each sample in the flat matrix of each system: (n_systems, n_samples)."""
    n_columns: int
    weight: NDArray[np.float64]
    has_weight: NDArray[np.bool_]
    """Whether each sample that was passed is among these samples."""
    is_weighted: bool
    """Whether weights were passed; otherwise all weights are 1."""
    cluster: IntegerArray | None
    """The cluster of each sample as an integer from 0, None if samples are drawn one by one."""
    group: IntegerArray | None = None
    """The group of each sample as an integer from 0, if groups are counted separately."""
    item: IntegerArray | None = None
    """The item of each sample if these are the rows of soft labels."""
    cluster_name: str = ""
    """The name of the column of clusters, if it is known."""
    stratum: IntegerArray | None = None
    """The stratum of each sample as an integer, None if all samples are one random sample."""

    @property
    def n_cells(self) -> int:
        """Number of cells in each system's matrix."""
        return len(self.scale) * self.n_columns

    @property
    def has_unanswered(self) -> bool:
        """Whether the last column counts samples without a prediction."""
        return self.n_columns > len(self.scale)

    def item_counts(self, group: IntegerArray, n_groups: int) -> NDArray[np.int64]:
        """Return the number of items in each group, given the group of each row."""
        assert self.item is not None
        items = np.unique(np.stack([group, self.item]), axis=1)
        return np.bincount(items[0], minlength=n_groups)


def read_answers(
    columns: Mapping[str, Any],
    labels: Any = None,
    sample_weight: ArrayLike | None = None,
    unanswered: Unanswered = "raise",
    *,
    by: Any = None,
    clusters: Any = None,
    strata: Any = None,
) -> Answers:
    """Read the true classes and the predictions of each system; errors name the columns.

    For groups, clusters and strata, the only check is that their samples are in the same order.
    """
    per_sample = {
        "sample_weight": sample_weight,
        "by": by,
        "clusters": clusters,
        "strata": strata,
    }
    if not isinstance(unanswered, str) or unanswered != "raise":
        checks.check_choice("unanswered", unanswered, Unanswered)
        encoded, masks = scales.encode_answered(columns, labels, **per_sample)
        for pred, is_answered in zip(encoded.columns[1:], masks, strict=True):
            # The columns are copies, so they may be changed.
            pred[~is_answered] = encoded.n_positions
    else:
        encoded = scales.encode_complete(columns, labels, **per_sample)
    weight = None
    if sample_weight is not None:
        weight = checks.check_sample_weight(sample_weight, len(encoded.columns[0]))
    encoded.warn_of_codes(weight)
    return Answers(encoded, weight, unanswered == "count")


def count(answers: Answers) -> tuple[Counts, Counts | None, slice]:
    """Return the counts of a system, its missing predictions if allowed, and the classes.

    The classes are a declared scale, or else the run of the classes that occur.
    """
    encoded, size = answers.encoded, answers.encoded.n_positions
    true, pred = encoded.columns
    matrix = _count(true, pred, size, answers.n_columns, answers.weight)
    counts, missing = matrix, None
    if answers.may_be_missing:
        counts, missing = matrix[:, :size], matrix[:, size]
    # If both classes at the ends are predicted correctly at least once, the run is the whole scale.
    if encoded.scale is not None or (counts[0, 0] and counts[-1, -1]):
        return counts, missing, slice(0, size)
    occurs = np.logical_or.reduce(counts + counts.T)
    if missing is None:
        run = run_of(occurs)
        return counts[run, run], None, run
    run = run_of(occurs | (missing > 0))
    return counts[run, run], missing[run], run


def evaluate(
    statistic: Statistic,
    y_true: ArrayLike,
    y_pred: ArrayLike,
    labels: Any = None,
    sample_weight: ArrayLike | None = None,
    unanswered: Unanswered = "raise",
) -> float:
    """Return the statistic of the counts of predictions, NaN if it is undefined."""
    columns = {"y_true": y_true, "y_pred": y_pred}
    counts, missing, _ = count(read_answers(columns, labels, sample_weight, unanswered))
    if missing is None:
        return float(statistic(counts))
    return float(statistic(counts, unanswered=missing))


def counted(answers: Answers) -> Counted:
    """Return the counts of a system and their scale, for weights also their numbers and squares."""
    counts, missing, classes = count(answers)
    scale = _scale_of_counts(answers.encoded, counts, classes)
    if answers.weight is None:
        return Counted(scale, counts, unanswered=missing)
    true, pred = answers.encoded.columns
    has_weight, size = answers.weight > 0, answers.encoded.n_positions
    numbers = _count(true[has_weight], pred[has_weight], size, size + 1, None)
    squares = _count(true, pred, size, size + 1, answers.weight**2)
    columns = np.r_[classes, size]
    return Counted(
        scale,
        counts,
        True,
        missing,
        sample_counts=numbers[classes, columns],
        squared_weights=squares[classes, columns],
    )


def _scale_of_counts(encoded: Encoded, counts: Counts, classes: slice) -> OrdinalScale:
    """Return the declared scale, or the run of the classes that are counted."""
    if encoded.scale is not None:
        return encoded.scale
    return encoded.run_scale(encoded.lowest + classes.start, len(counts))


def counted_samples(answers: Answers, clusters: Any = None, strata: Any = None) -> CountedSamples:
    """Return the cells of the samples. As in scikit-learn, samples of weight zero do not count."""
    encoded, size = answers.encoded, answers.encoded.n_positions
    n_samples = len(encoded.columns[0])
    weight = np.ones(n_samples) if answers.weight is None else answers.weight
    has_weight = weight > 0
    true, *systems = (column[has_weight].astype(np.int64) for column in encoded.columns)
    scale, start = encoded.scale, 0
    if scale is None:
        answered = [pred[pred < size] for pred in systems] if answers.may_be_missing else systems
        occurring = np.concatenate([true, *answered])
        start, n_classes = int(occurring.min()), int(occurring.max() - occurring.min()) + 1
        scale = encoded.run_scale(encoded.lowest + start, n_classes)
    n_classes = len(scale)
    n_columns = n_classes + answers.may_be_missing
    cells = np.stack(
        [
            (true - start) * n_columns + np.where(pred == size, n_classes, pred - start)
            for pred in systems
        ]
    )
    cluster = stratum = None
    if clusters is not None:
        cluster = scales.encode_groups(clusters, n_samples, "clusters")
    if strata is not None:
        stratum = scales.encode_strata(strata, has_weight, cluster)[has_weight]
    if cluster is not None:
        cluster = np.unique(cluster[has_weight], return_inverse=True)[1]
    is_weighted = answers.weight is not None
    return CountedSamples(
        scale,
        cells,
        n_columns,
        weight[has_weight],
        has_weight,
        is_weighted,
        cluster,
        cluster_name=containers.series_name(clusters),
        stratum=stratum,
    )


def matrix_samples(samples: CountedSamples, k: int) -> CountedSamples:
    """Return the samples of the system or the group that is entry k of a stack of counts."""
    if samples.group is None:
        return samples._replace(cells=samples.cells[k : k + 1])
    return some_samples(samples._replace(group=None), samples.group == k)


def samples_weighted_by_class(
    samples: CountedSamples, factors: NDArray[np.float64]
) -> CountedSamples:
    """Return the samples with the weights of each true class multiplied by its factor."""
    factor = factors[samples.cells[0] // samples.n_columns]
    weighted = samples._replace(weight=samples.weight * factor, is_weighted=True)
    return some_samples(weighted, factor > 0)


def some_samples(samples: CountedSamples, member: NDArray[np.bool_]) -> CountedSamples:
    """Return some of the samples of positive weight."""
    has_weight = samples.has_weight.copy()
    has_weight[has_weight] = member
    cluster = samples.cluster
    if cluster is not None:
        cluster = np.unique(cluster[member], return_inverse=True)[1]
    return samples._replace(
        cells=samples.cells[:, member],
        weight=samples.weight[member],
        has_weight=has_weight,
        cluster=cluster,
        item=None if samples.item is None else samples.item[member],
        stratum=None if samples.stratum is None else samples.stratum[member],
    )


def counts_on_scale(
    encoded: Encoded, sample_weight: ArrayLike | None
) -> tuple[Counts, OrdinalScale]:
    """Return the counts of two columns and their scale."""
    weight = None
    if sample_weight is not None:
        weight = checks.check_sample_weight(sample_weight, len(encoded.columns[0]))
    encoded.warn_of_codes(weight)
    counts, _, classes = count(Answers(encoded, weight, may_be_missing=False))
    return counts, _scale_of_counts(encoded, counts, classes)


def run_of(occurs: NDArray[np.bool_]) -> slice:
    """Return the run from the first to the last class that occurs with a positive weight."""
    (occurring,) = occurs.nonzero()
    return slice(int(occurring[0]), int(occurring[-1]) + 1)


def _count(
    true: IntegerArray,
    pred: IntegerArray,
    n_rows: int,
    n_columns: int,
    weight: NDArray[np.float64] | None,
) -> Counts:
    """Count pairs of positions, in chunks that stay in the cache."""
    length = max(_ROWS_PER_CHUNK, 4 * n_rows**2)

    def count_from(start: int) -> Counts:
        chunk = slice(start, start + length)
        # Positions of any integer type, also of uint64, fit into int64.
        cells = np.multiply(true[chunk], n_columns, dtype=np.int64, casting="unsafe")
        np.add(cells, pred[chunk], out=cells, casting="unsafe")
        return np.bincount(cells, None if weight is None else weight[chunk], n_rows * n_columns)

    # Most arrays are one chunk, for which a sum from 0 would take as long as counting.
    counts = count_from(0)
    for start in range(length, len(true), length):
        counts += count_from(start)
    return counts.reshape(n_rows, n_columns)


# The options that say how true classes and predictions are read
# --------------------------------------------------------------

Function = TypeVar("Function", bound=Callable[..., Any])


class ReadingOptions(TypedDict, total=False):
    """Reading options for all predictions."""

    labels: ArrayLike | None
    sample_weight: ArrayLike | None


class ClassReadingOptions(ReadingOptions, total=False):
    """Reading options for predicted classes."""

    unanswered: Unanswered


_CLASS_OPTIONS = ClassReadingOptions.__annotations__.keys() - ReadingOptions.__annotations__.keys()
"""Names of the options for predicted classes only."""


class SampleReadingOptions(ClassReadingOptions, total=False):
    """Reading options of functions for which it matters how the samples were drawn."""

    clusters: ArrayLike | None
    strata: ArrayLike | None


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
    "strata": _Option(
        None,
        """array-like of shape (n_samples,), default=None
    Stratum of each sample, if a fixed number of samples, or of clusters, was drawn from
    each stratum. Resampling draws within the strata. There is no correction for finite
    populations.""",
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
                checks.check_keywords(
                    title, kwargs, [n for n in signature.parameters if n != "cls"]
                )
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
    return {name: value for name, value in reading.items() if name not in _CLASS_OPTIONS}


def options_on_scale(reading: ReadingOptions, scale: Any) -> Any:
    """Return the options of probabilities, on the scale that predicted classes were read on."""
    return {**without_class_options(reading), "labels": scale}


def check_no_class_options(reading: ReadingOptions, reason: str) -> None:
    """Raise if an option is passed that applies to predicted classes only."""
    for name, value in reading.items():
        if name in _CLASS_OPTIONS and not is_default(name, value):
            raise ValueError(f"{name} must be left out {reason}, got {checks.shown(value)}.")
