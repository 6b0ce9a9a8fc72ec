"""Properties of metrics, decided by a search for counterexamples.

A matrix has a row for each true class and a column for each prediction that a sample may have. The
prediction space defines these predictions, and which of two predictions is nearer to the truth.
The search for counterexamples is then the same for labels, probabilities and scores.

Each property defines a change of a matrix, and the changes of the value that contradict it. Every
class occurs in the truth of the matrices that are changed, and again after the change, except the
class that `_inserted` adds.
"""

from __future__ import annotations

import textwrap
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations_with_replacement
from math import comb
from pprint import pformat
from typing import Any, ClassVar, Literal, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import catalogue, checks, evidence_kinds, lookup, sampling, tolerances
from sklearn_ordinal._core.arithmetic import Counts, Values
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.checks import RandomState
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.evidence_kinds import Kind
from sklearn_ordinal._core.forecasting import OrdinalForecasts, OrdinalScores
from sklearn_ordinal._core.influence_functions import Evidence
from sklearn_ordinal._core.lookup import MetricLike
from sklearn_ordinal._core.scales import OrdinalScale

# Small matrices of true classes and predictions, as evidence for any metric
# --------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class PredictionSpace(ABC):
    """The predictions that a sample may have, made up of units at the points of a line."""

    n_classes: int
    units: NDArray[np.int64]

    n_units: ClassVar[int] = 1
    """Number of units that make up a prediction."""
    step: ClassVar[int] = 1
    """Number of points from one class to the next."""
    n_random: ClassVar[int]
    """Default number of random matrices in a search."""
    matrices: ClassVar[str] = "matrices"
    """Description of the matrices that are searched."""

    @classmethod
    def of_scale(cls, n_classes: int) -> Self:
        """Return the predictions on a scale with this number of classes."""
        n_points = cls.step * (n_classes - 1) + 1
        return cls(n_classes, _all_counts(n_points, cls.n_units))

    @abstractmethod
    def evidence(self, counts: Counts) -> Evidence:
        """Return a stack of matrices (..., n_classes, n_predictions) as evidence."""

    @abstractmethod
    def samples(self, counts: Counts) -> Evidence:
        """Return one matrix as evidence without weights."""

    @abstractmethod
    def step_as_text(self, true: int, start: int, end: int) -> str:
        """Describe the change if a unit of one sample moves from a point to the next."""

    @property
    def scale(self) -> OrdinalScale:
        """The classes 0, 1, ..."""
        return OrdinalScale.from_run(0, self.n_classes)

    @property
    def n_cells(self) -> int:
        """Number of cells of a matrix."""
        return self.n_classes * len(self.units)

    def with_class(self, position: int) -> Self:
        """Return the same predictions on a scale with a further class that is never predicted."""
        return type(self)(self.n_classes + 1, np.insert(self.units, position, 0, axis=1))

    @property
    def points(self) -> NDArray[np.intp]:
        """Point of each class."""
        return np.arange(0, self.step * self.n_classes, self.step)

    @property
    def right(self) -> NDArray[np.intp]:
        """The correct prediction for each class."""
        right: NDArray[np.intp] = self.units[:, self.points].argmax(axis=0)
        return right

    @cached_property
    def steps(self) -> Steps:
        """Every step that moves one unit of a prediction one point towards the truth."""
        is_away = np.arange(self.units.shape[1]) != self.points[:, None]
        true, before, start = np.nonzero((self.units > 0) & is_away[:, None, :])
        end = start + np.sign(self.points[true] - start)
        nearer, row = self.units[before], np.arange(len(true))
        nearer[row, start] -= 1
        nearer[row, end] += 1
        after = (nearer[:, None, :] == self.units).all(axis=-1).argmax(axis=-1)
        return Steps(true, before, after, start, end)


class LabelSpace(PredictionSpace):
    """A label is one unit on a class."""

    n_random = 1_000

    def evidence(self, counts: Counts) -> OrdinalConfusion:
        return OrdinalConfusion(self.scale, counts @ self.units)

    samples = evidence

    def step_as_text(self, true: int, start: int, end: int) -> str:
        return f"One sample of class {true} is predicted as {end} instead of {start}"


class SampleSpace(PredictionSpace):
    """Predictions that are evaluated sample by sample."""

    evidence_class: ClassVar[type[OrdinalForecasts | OrdinalScores]]

    @property
    @abstractmethod
    def predictions(self) -> NDArray[np.float64]:
        """The predictions in the form in which users pass them."""

    def evidence(self, counts: Counts) -> OrdinalForecasts | OrdinalScores:
        # Each cell is one sample with the count as its weight.
        n_classes, n_predictions = counts.shape[-2:]
        y_true, column = np.divmod(np.arange(n_classes * n_predictions), n_predictions)
        weights = counts.reshape(*counts.shape[:-2], -1).astype(np.float64)
        return self.evidence_class(self.scale, y_true, self.predictions[column], weights)

    def samples(self, counts: Counts) -> OrdinalForecasts | OrdinalScores:
        y_true, column = (np.repeat(part, counts[counts > 0]) for part in np.nonzero(counts))
        return self.evidence_class(
            self.scale, y_true, self.predictions[column], np.ones(len(y_true))
        )


class ProbabilitySpace(SampleSpace):
    """Probabilities are four units on the classes."""

    evidence_class = OrdinalForecasts
    n_units = 4
    n_random = 200
    matrices = "matrices of true classes and probabilities in quarters"

    def step_as_text(self, true: int, start: int, end: int) -> str:
        return (
            f"A quarter of the probability of one sample of class {true} is on {end} instead of "
            f"{start}"
        )

    @property
    def predictions(self) -> NDArray[np.float64]:
        shares: NDArray[np.float64] = self.units / self.n_units
        return shares


class ScoreSpace(SampleSpace):
    """A score is one unit on a grid of the classes and the points halfway between them."""

    evidence_class = OrdinalScores
    step = 2
    n_random = 200
    matrices = "matrices of true classes and scores at the classes and halfway between them"

    def with_class(self, position: int) -> Self:  # noqa: ARG002 - scores stay as they are
        return type(self)(self.n_classes + 1, self.units)

    def step_as_text(self, true: int, start: int, end: int) -> str:
        return f"The score of one sample of class {true} is {end / 2:g} instead of {start / 2:g}"

    @property
    def predictions(self) -> NDArray[np.float64]:
        positions: NDArray[np.float64] = self.units.argmax(axis=1) / self.step
        return positions


_SPACES: Mapping[Kind, type[PredictionSpace]] = {
    evidence_kinds.LABELS: LabelSpace,
    evidence_kinds.ROWS: LabelSpace,
    evidence_kinds.PROBABILITIES: ProbabilitySpace,
    evidence_kinds.SCORES: ScoreSpace,
}


def _prediction_space(metric: OrdinalMetric) -> type[PredictionSpace]:
    """Return the prediction space of a metric, or raise if its predictions cannot be listed."""
    # A scorer of probabilities may require every class to occur, or weights.
    if metric.scorer is None and metric.evidence in _SPACES:
        return _SPACES[metric.evidence]
    raise ValueError(
        f"metric must be a function of labels, probabilities or scores, but {metric.name} needs "
        f"{evidence_kinds.ESTIMATOR.noun if metric.scorer is not None else metric.evidence.noun}."
    )


class Steps(NamedTuple):
    """Steps towards the truth: true class, predictions, and the start and end of the moved unit."""

    true: NDArray[np.intp]
    before: NDArray[np.intp]
    after: NDArray[np.intp]
    start: NDArray[np.intp]
    end: NDArray[np.intp]


def number_of_matrices(n_classes: int, n_predictions: int, n_samples: int) -> int:
    """Return the number of matrices that `all_matrices` returns."""
    # By inclusion and exclusion of the classes that do not occur.
    return sum(
        (-1) ** n_missing
        * comb(n_classes, n_missing)
        * comb(n_samples + (n_classes - n_missing) * n_predictions - 1, n_samples)
        for n_missing in range(n_classes)
    )


def all_matrices(n_classes: int, n_predictions: int, n_samples: int) -> Counts:
    """Return all matrices of this number of samples in which every class occurs."""
    stacks = []
    for sizes in 1 + _all_counts(n_classes, n_samples - n_classes):
        rows = [_all_counts(n_predictions, size) for size in sizes]
        choices = np.indices([len(row) for row in rows]).reshape(n_classes, -1)
        stacks.append(
            np.stack([row[choice] for row, choice in zip(rows, choices, strict=True)], axis=1)
        )
    return np.concatenate(stacks)


def _all_counts(n_cells: int, n_samples: int) -> NDArray[np.int64]:
    """Return all ways of putting samples into cells, of shape (n_ways, n_cells)."""
    cells = np.array(list(combinations_with_replacement(range(n_cells), n_samples)), dtype=np.intp)
    counts = np.zeros((len(cells), n_cells), dtype=np.int64)
    np.add.at(counts, (np.arange(len(cells))[:, None], cells), 1)
    return counts


def by_size(counts: Counts) -> Counts:
    """Return the matrices of a stack sorted by their number of samples, fewest first."""
    return counts[np.argsort(counts.sum(axis=(1, 2)), kind="stable")]


# The properties of metrics, and a search for counterexamples over small matrices
# -------------------------------------------------------------------------------

PropertyName = Literal[
    "ordinal_invariant",
    "ordinal_monotonic",
    "strictly_monotonic",
    "imbalance_aware",
    "prevalence_invariant",
    "symmetric",
]
Bools: TypeAlias = NDArray[np.bool_]

_LARGEST_CLASS = 40
# Random matrices have at most about this many non-empty cells.
_MOST_CELLS = 25


class Changes(NamedTuple):
    """The matrices of a stack after a change, and a description of each change."""

    matrix: NDArray[np.intp]
    after: Counts
    space: PredictionSpace
    description: Callable[[int], str]


def _always(text: str) -> Callable[[int], str]:
    return lambda _: text


def _inserted(space: PredictionSpace, counts: Counts) -> Iterator[Changes]:
    """Insert an empty class anywhere on the scale."""
    n_classes = space.n_classes
    for position in range(n_classes + 1):
        where = f"between classes {position - 1} and {position}"
        if position in (0, n_classes):
            where = "below class 0" if position == 0 else f"above class {n_classes - 1}"
        text = f"An empty class is inserted {where}"
        after, wider = np.insert(counts, position, 0, axis=1), space.with_class(position)
        yield Changes(np.arange(len(counts)), after, wider, _always(text))


def _nearer(space: PredictionSpace, counts: Counts) -> Iterator[Changes]:
    """Move a unit of one sample one point nearer to the truth."""
    steps = space.steps
    matrix, step = np.nonzero(counts[:, steps.true, steps.before])
    after, pair = counts[matrix], np.arange(len(matrix))
    after[pair, steps.true[step], steps.before[step]] -= 1
    after[pair, steps.true[step], steps.after[step]] += 1

    def description(i: int) -> str:
        true, start, end = (int(part[step[i]]) for part in (steps.true, steps.start, steps.end))
        return space.step_as_text(true, start, end)

    yield Changes(matrix, after, space, description)


def _in_smaller_class(space: PredictionSpace, counts: Counts) -> Iterator[Changes]:
    """Move the only error of a matrix from a class to the smaller class on the other side."""
    right, sizes = space.right, counts.sum(axis=2)
    n_right = counts[:, np.arange(space.n_classes), right].sum(axis=1)
    is_candidate = sizes.sum(axis=1) - n_right == 1
    for larger, middle, smaller in _neighbours(space.n_classes):
        has_error = is_candidate & (counts[:, larger, right[middle]] == 1)
        matrix = np.flatnonzero(has_error & (sizes[:, larger] > sizes[:, smaller]))
        after = counts[matrix]
        for true, sign in ((larger, 1), (smaller, -1)):
            after[:, true, right[true]] += sign
            after[:, true, right[middle]] -= sign
        text = (
            f"The one error, a prediction of class {middle}, moves from class {larger} to the "
            f"smaller class {smaller}"
        )
        yield Changes(matrix, after, space, _always(text))


def _row_doubled(space: PredictionSpace, counts: Counts) -> Iterator[Changes]:
    """Count the samples of one class twice."""
    for true in range(space.n_classes):
        after = counts.copy()
        after[:, true] *= 2
        text = f"Each sample of class {true} is counted twice"
        yield Changes(np.arange(len(counts)), after, space, _always(text))


def _transposed(space: PredictionSpace, counts: Counts) -> Iterator[Changes]:
    """Exchange truth and prediction, in matrices in which every class is also predicted."""
    matrix = np.flatnonzero(counts.sum(axis=1).all(axis=1))
    text = "Truth and prediction are exchanged"
    yield Changes(matrix, counts[matrix].swapaxes(1, 2), space, _always(text))


def _neighbours(n_classes: int) -> Iterator[tuple[int, int, int]]:
    """Yield every three consecutive classes, upwards and downwards."""
    for middle in range(1, n_classes - 1):
        yield middle - 1, middle, middle + 1
        yield middle + 1, middle, middle - 1


_CHANGES: Mapping[PropertyName, Callable[[PredictionSpace, Counts], Iterator[Changes]]] = {
    "ordinal_invariant": _inserted,
    "ordinal_monotonic": _nearer,
    "strictly_monotonic": _nearer,
    "imbalance_aware": _in_smaller_class,
    "prevalence_invariant": _row_doubled,
    "symmetric": _transposed,
}


def _contradicts(name: PropertyName, gain: Values, size: Values) -> Bools:
    """Return whether each gain contradicts a property, given the size of the values."""
    if name == "ordinal_monotonic":
        return gain < -tolerances.ZERO_GAIN * size
    if name == "strictly_monotonic":
        return gain <= tolerances.LEAST_GAIN * size
    if name == "imbalance_aware":
        # The error in the smaller class must cost more.
        return -gain <= tolerances.LEAST_GAIN * size
    return np.abs(gain) > tolerances.ZERO_GAIN * size


class Contradiction(NamedTuple):
    """A change of one matrix that contradicts a property."""

    space: PredictionSpace
    before: Counts
    space_after: PredictionSpace
    after: Counts
    description: str


@dataclass(eq=False)
class Answer:
    """The result of the search for a counterexample to one property."""

    contradiction: Contradiction | None = None
    n_compared: int = 0
    n_undefined: int = 0

    @property
    def holds(self) -> bool | None:
        """Whether there is no counterexample; None if no values were compared."""
        return self.contradiction is None if self.n_compared else None


@dataclass(eq=False)
class Search:
    """Search for counterexamples to each property, on scales of 2 to `n_classes` classes.

    Every class occurs in the truth of all matrices. For each number of classes, search all such
    matrices with as few samples as possible, one more, and so on, up to `max_matrices` in total,
    and random matrices. For imbalance, search matrices with one error instead.
    """

    metric: OrdinalMetric
    n_classes: int
    max_matrices: int
    n_random: int
    rng: np.random.Generator
    answers: dict[PropertyName, Answer] = field(default_factory=dict)
    n_samples: dict[int, int] = field(default_factory=dict)
    # The largest value so far is the scale of rounding errors, since rounding errors of values near
    # 0 are not proportional to these values.
    _largest: float = 0.0

    def run(self) -> None:
        """Search for a counterexample to each property that is defined for the metric."""
        predictions = _prediction_space(self.metric)
        is_exchangeable = "symmetric" in self.metric.evidence.own_properties
        names = [name for name in _CHANGES if name != "symmetric" or is_exchangeable]
        if self.metric.greater_is_better is None:
            names = [name for name in names if name not in catalogue.DIRECTED_PROPERTIES]
        self.answers = {name: Answer() for name in names}
        of_one_error = [name for name in names if name == "imbalance_aware"]
        names = [name for name in names if name not in of_one_error]
        for n_classes in range(2, self.n_classes + 1):
            space = predictions.of_scale(n_classes)
            for counts in self._all_and_random(space):
                self._examine(names, space, counts)
            if of_one_error:
                self._examine(of_one_error, space, self._with_one_error(space))

    def _examine(
        self, names: Iterable[PropertyName], space: PredictionSpace, counts: Counts
    ) -> None:
        """Search a stack of matrices for counterexamples to properties that have none so far."""
        open_names = [name for name in names if self.answers[name].contradiction is None]
        if not open_names or not len(counts):
            return
        values = self._values(space, counts)
        is_finite = np.isfinite(values)
        self._largest = np.max(np.abs(values), initial=self._largest, where=is_finite)
        for name in open_names:
            answer = self.answers[name]
            first = self._first(name, space, counts, values, answer)
            answer.contradiction = first and self._shrunk(name, first)

    def _all_and_random(self, space: PredictionSpace) -> Iterator[Counts]:
        """Yield all matrices of each number of samples, then random, often sparse matrices."""
        shape = n_classes, n_predictions = space.n_classes, len(space.units)
        self.n_samples[n_classes] = 0
        n_samples, left = n_classes, self.max_matrices
        while (n_more := number_of_matrices(*shape, n_samples)) <= left:
            self.n_samples[n_classes] = n_samples
            yield all_matrices(*shape, n_samples)
            n_samples, left = n_samples + 1, left - n_more
        density = self.rng.random((self.n_random, 1, 1)) * min(1, _MOST_CELLS / space.n_cells)
        is_empty = self.rng.random((self.n_random, *shape)) >= density
        # One sample of each class has any prediction, so that every class occurs.
        anywhere = self.rng.integers(n_predictions, size=(self.n_random, n_classes, 1))
        is_empty &= np.arange(n_predictions) != anywhere
        yield by_size(np.where(is_empty, 0, self.rng.integers(1, 6, is_empty.shape)))

    def _with_one_error(self, space: PredictionSpace) -> Counts:
        """Return matrices with one error: small matrices, and some with classes of random sizes."""
        n_classes, right = space.n_classes, space.right
        sizes = [self.rng.integers(1, _LARGEST_CLASS, (self.n_random, n_classes), endpoint=True)]
        n_more, left = 0, self.max_matrices // (2 * n_classes)
        while (n_ways := comb(n_more + n_classes - 1, n_more)) <= left:
            sizes.append(1 + _all_counts(n_classes, n_more))
            n_more, left = n_more + 1, left - n_ways
        together = np.concatenate(sizes)
        perfect = np.zeros((len(together), n_classes, len(space.units)), dtype=np.int64)
        perfect[:, np.arange(n_classes), right] = together
        stacks = [perfect[:0]]
        for true, middle, _ in _neighbours(n_classes):
            counts = perfect.copy()
            counts[:, true, right[true]] -= 1
            counts[:, true, right[middle]] += 1
            stacks.append(counts)
        return by_size(np.concatenate(stacks))

    def _values(self, space: PredictionSpace, counts: Counts) -> Values:
        try:
            return np.asarray(self.metric(space.evidence(counts)), dtype=np.float64)
        except Exception as error:
            raise ValueError(
                f"metric must have a value, or NaN, for any number of classes and samples, "
                f"but {self.metric.name} raised {type(error).__name__} for {space.n_classes} "
                f"classes: {' '.join(str(error).split())}"
            ) from error

    def _first(
        self,
        name: PropertyName,
        space: PredictionSpace,
        counts: Counts,
        values: Values,
        answer: Answer,
    ) -> Contradiction | None:
        """Return the first change that contradicts a property, in the order of the stack."""
        first, lowest = None, len(counts)
        for changes in _CHANGES[name](space, counts):
            if not len(changes.matrix):
                continue
            before = values[changes.matrix]
            after = self._values(changes.space, changes.after)
            with np.errstate(invalid="ignore", over="ignore"):
                gain = after - before if self.metric.greater_is_better else before - after
            gain[after == before] = 0  # not NaN if both are infinite
            size = np.maximum(np.abs(before), np.abs(after))
            size = np.where(np.isfinite(size), np.maximum(size, self._largest), self._largest)
            n_undefined = int(np.isnan(gain).sum())
            answer.n_undefined += n_undefined
            answer.n_compared += len(gain) - n_undefined
            contrary = np.flatnonzero(_contradicts(name, gain, size))
            if contrary.size and changes.matrix[contrary].min() < lowest:
                i = contrary[changes.matrix[contrary].argmin()]
                lowest = changes.matrix[i]
                first = Contradiction(
                    space,
                    counts[lowest],
                    changes.space,
                    changes.after[i],
                    changes.description(i),
                )
        return first

    def _shrunk(self, name: PropertyName, contradiction: Contradiction) -> Contradiction:
        """Return a counterexample from which no sample can be removed.

        The last sample of a class is never removed.
        """
        while True:
            space, counts = contradiction.space, contradiction.before
            cells = np.argwhere(counts * (counts.sum(axis=1, keepdims=True) > 1))
            if not len(cells):
                return contradiction
            fewer = np.repeat(counts[None], len(cells), axis=0)
            fewer[np.arange(len(cells)), *cells.T] -= 1
            values = self._values(space, fewer)
            smaller = self._first(name, space, fewer, values, Answer())
            if smaller is None:
                return contradiction
            contradiction = smaller


# Properties of metrics, decided by a search for counterexamples
# --------------------------------------------------------------

# At least the number of matrices of labels with one sample of each of five, or of four, classes.
_MATRICES, _MATRICES_ONE_BY_ONE = 5_000, 256
_RANDOM_ONE_BY_ONE = 10


@dataclass(frozen=True, eq=False)
class Counterexample:
    """Two matrices for which the values of a metric contradict a property.

    `check_properties` finds counterexamples. Call ``metric(counterexample.before)`` to
    recompute a value.

    Parameters
    ----------
    metric : str
        Name of the metric.
    name : str
        Name of the property, an attribute of `PropertyReport`.
    before, after : OrdinalConfusion, OrdinalForecasts or OrdinalScores
        Evidence on which the metric is evaluated, before and after the change that contradicts
        the property.
    value_before, value_after : float
        The values of the metric before and after the change.
    text : str
        A sentence that describes the change and how the value changes.

    Attributes
    ----------
    code : str
        Python code that computes both values.

    See Also
    --------
    check_properties : Search for counterexamples.

    Examples
    --------
    >>> from sklearn_ordinal import get_metric
    >>> from sklearn_ordinal.meta_evaluation import check_properties
    >>> report = check_properties("accuracy")
    >>> counterexample = report.counterexamples["strictly_monotonic"]
    >>> print(counterexample.code)
    from sklearn_ordinal import OrdinalConfusion, get_metric
    <BLANKLINE>
    metric = get_metric("accuracy")
    before = OrdinalConfusion.from_counts(
        [[1, 0, 0], [1, 0, 0], [1, 0, 0]]
    )
    after = OrdinalConfusion.from_counts(
        [[1, 0, 0], [1, 0, 0], [0, 1, 0]]
    )
    print(metric(before), metric(after))
    >>> metric = get_metric("accuracy")
    >>> metric(counterexample.before), metric(counterexample.after)
    (0.3333333333333333, 0.3333333333333333)
    """

    metric: str
    name: PropertyName
    before: Evidence
    after: Evidence
    value_before: float
    value_after: float
    text: str

    @property
    def code(self) -> str:
        """Python code that computes both values.

        The metric is looked up by its name if the catalogue has a metric with this name and these
        values. Otherwise the code has a placeholder for the function.
        """
        name, values = type(self.before).__name__, (self.value_before, self.value_after)
        lines = [f"from sklearn_ordinal import {name}, get_metric", ""]
        catalogued = catalogue.METRICS.get(self.metric)
        if catalogued and (catalogued(self.before), catalogued(self.after)) == values:
            lines.append(f'metric = get_metric("{self.metric}")')
        else:
            lines.append(f"metric = get_metric(...)  # pass the function of {self.metric}")
        return "\n".join(
            [
                *lines,
                f"before = {_as_code(self.before)}",
                f"after = {_as_code(self.after)}",
                "print(metric(before), metric(after))",
            ]
        )

    def __str__(self) -> str:
        return f"{textwrap.fill(self.text, 80)}\n\n{self.code}"


@dataclass(frozen=True, eq=False)
class PropertyReport:
    """The properties of a metric, and counterexamples to the properties that it does not have.

    `check_properties` returns an instance of this class. A property is True if the search found
    no counterexample, False if it found one, and None if it is not defined for the metric, or
    if the metric was undefined in all comparisons. Only matrices in which every class occurs in
    the truth are searched.

    Parameters
    ----------
    metric : str
        Name of the metric.
    evidence : {"labels", "probabilities", "scores"}
        The kind of predictions that the metric evaluates.
    ordinal_invariant : bool or None
        Whether the value stays the same if an empty class is inserted anywhere on the scale.
    ordinal_monotonic : bool or None
        Whether a prediction that moves closer to the truth never makes the value worse.
    strictly_monotonic : bool or None
        Whether moving a prediction closer to the truth always makes the value better.
    imbalance_aware : bool or None
        Whether a single error costs more in a smaller class.
    prevalence_invariant : bool or None
        Whether the value stays the same if the samples of one true class are counted twice.
    symmetric : bool or None
        Whether the value stays the same if truth and prediction are exchanged; None for
        probabilities and scores.
    counterexamples : dict of str to Counterexample
        The smallest counterexample that was found, for each property that is False.
    n_compared, n_undefined : dict of str to int
        For each property, the number of pairs of values that were compared, and the number that
        could not be compared because a value was undefined.
    n_samples : tuple of int
        For 2, 3, ... classes, the number of samples up to which all matrices were searched. 0 if
        there are too many with one sample of each class.
    n_random : int
        Number of random matrices for each number of classes.

    Attributes
    ----------
    searched : str
        A description of the search.

    See Also
    --------
    check_properties : Search for counterexamples.

    Examples
    --------
    >>> from sklearn_ordinal.meta_evaluation import check_properties
    >>> report = check_properties("accuracy")
    >>> report.ordinal_monotonic, report.strictly_monotonic
    (True, False)
    >>> print(report.counterexamples["prevalence_invariant"].text)
    Each sample of class 0 is counted twice: 0.5 -> 0.667.
    """

    metric: str
    evidence: str
    ordinal_invariant: bool | None
    ordinal_monotonic: bool | None
    strictly_monotonic: bool | None
    imbalance_aware: bool | None
    prevalence_invariant: bool | None
    symmetric: bool | None
    counterexamples: dict[PropertyName, Counterexample]
    n_compared: dict[PropertyName, int]
    n_undefined: dict[PropertyName, int]
    n_samples: tuple[int, ...]
    n_random: int

    @property
    def searched(self) -> str:
        """A description of the search."""
        matrices = _SPACES[evidence_kinds.kind_named(self.evidence)].matrices
        all_of = {k: n for k, n in enumerate(self.n_samples, start=2) if n}
        exhaustive = ""
        if all_of:
            (fewest, first), *following = all_of.items()
            exhaustive = f"all {matrices} of up to {first} samples of {fewest} classes"
            exhaustive += "".join(f", {n} of {k}" for k, n in following) + "; then "
        random = f"{self.n_random:,} random {'matrices' if all_of else matrices}"
        return (
            f"Searched: {exhaustive}{random} for each number of classes. Every "
            f"class occurs in the truth of all matrices; if one is missing, a property may not "
            f"hold. Imbalance awareness is tested on matrices with a single error. The search for "
            f"a property ends with its first counterexample."
        )

    def __str__(self) -> str:
        lines = [f"Properties of {self.metric}"]
        for name, n_compared in self.n_compared.items():
            line = f"{name.replace('_', ' ')}: no counterexample in {n_compared:,} comparisons"
            if name in self.counterexamples:
                line = f"not {name.replace('_', ' ')}: {self.counterexamples[name].text}"
            lines.append(textwrap.fill(f"- {line}", 80, subsequent_indent="  "))
        return "\n".join([*lines, textwrap.fill(self.searched, 80)])


def check_properties(
    metric: MetricLike,
    *,
    n_classes: int = 5,
    max_matrices: int | None = None,
    n_random: int | None = None,
    random_state: RandomState = 0,
) -> PropertyReport:
    r"""Search for counterexamples to the properties of a metric.

    A property is a statement about every matrix of true classes and predictions in which every
    class occurs in the truth. Most metrics have few of these properties, and small matrices suffice
    to show this. The properties are [1]_

    - ordinal invariance: inserting a class without samples anywhere on the scale, including
      its ends, leaves the value unchanged, so the value depends only on the order of the
      classes;
    - ordinal monotonicity: moving the prediction of one sample one class nearer to its true class,
      from the same side, never makes the value worse;
    - strict monotonicity: such a move always makes the value better;
    - imbalance: if all other predictions are right, an error costs more in the smaller class. Among
      three consecutive classes, a sample of the first or of the last class is predicted as the
      middle one, and the error in the class with fewer samples costs more;
    - prevalence invariance: counting all samples of one true class twice leaves the value
      unchanged, so the value depends only on the rates within the classes;
    - symmetry: exchanging truth and prediction leaves the value unchanged. Every class is also
      predicted.

    Parameters
    ----------
    metric : str or callable
        Anything that `get_metric` accepts, except metrics of a fitted estimator.
    n_classes : int, default=5
        Largest number of classes to search; the smallest is 2.
    max_matrices : int, default=None
        For each number of classes, the largest number of matrices in the exhaustive search. The
        search covers all matrices with one sample of each class, then all matrices with one more
        sample, and so on. If None, 5,000, which suffices for up to 5 samples of 5 classes if the
        predictions are labels; or 256 for functions ``f(y_true, y_pred)``, which are evaluated one
        by one.
    n_random : int, default=None
        Number of random matrices for each number of classes, and of random class sizes for matrices
        with one error. If None, 1,000 for labels, 200 for probabilities and scores, or 10 for
        functions ``f(y_true, y_pred)``.
    random_state : int, RandomState, Generator or None, default=0
        Seed of the random matrices.

    Returns
    -------
    PropertyReport
        The properties of the metric, with the smallest counterexample found for each property that
        does not hold: the one with the fewest classes, then the fewest samples.

    Raises
    ------
    ValueError
        If there is no such metric, it needs the fitted estimator, it is not defined for any
        number of classes, or an option is invalid.

    See Also
    --------
    get_metric : Return the metric with its recorded properties.

    Notes
    -----
    Values are compared up to a relative rounding error of :math:`10^{-9}`; for the strict
    properties, a change of more than :math:`10^{-12}` counts as a gain. If a value is
    undefined, nothing is compared.

    A property without a counterexample is not proved. A counterexample that has more samples than
    the exhaustive search is reduced until no sample can be removed, but there may be other
    counterexamples with fewer samples.

    Where classes are missing from the truth, a metric may lack a property that it has here. No
    metric that depends only on the order is then strictly monotonic, since it has no distance
    between neighbouring classes that do not occur: if the true classes 0 and 3 are predicted as 0
    and 1, or as 0 and 2, CEM_ORD is 0.75.

    For probabilities, the matrices have a column for each distribution whose probabilities are
    multiples of 1/4, and each move shifts a probability of 1/4 to the next class. For scores,
    the matrices have a column for each class and each point halfway between two classes, and
    each move shifts the score by half a class.

    References
    ----------
    .. [1] E. Amigo, J. Gonzalo, S. Mizzaro, J. Carrillo-de-Albornoz (2020), "An
       effectiveness metric for ordinal classification: formal properties and experimental
       results", ACL 2020, :doi:`10.18653/v1/2020.acl-main.363`.

    Examples
    --------
    >>> from sklearn_ordinal.meta_evaluation import check_properties
    >>> report = check_properties("ordinal_mean_absolute_error")
    >>> report.strictly_monotonic, report.ordinal_invariant
    (True, False)
    >>> print(report.counterexamples["ordinal_invariant"])
    An empty class is inserted between classes 0 and 1: 0.5 -> 1.
    <BLANKLINE>
    from sklearn_ordinal import OrdinalConfusion, get_metric
    <BLANKLINE>
    metric = get_metric("ordinal_mean_absolute_error")
    before = OrdinalConfusion.from_counts(
        [[1, 0], [1, 0]]
    )
    after = OrdinalConfusion.from_counts(
        [[1, 0, 0], [0, 0, 0], [1, 0, 0]]
    )
    print(metric(before), metric(after))
    """
    OrdinalScale.from_run(0, n_classes)  # raises if there cannot be so many classes
    if n_classes < 2:
        raise ValueError(f"n_classes must be at least 2, got {checks.shown(n_classes)}.")
    if max_matrices is not None:
        checks.check_count("max_matrices", max_matrices, at_least=0)
    if n_random is not None:
        checks.check_count("n_random", n_random, at_least=0, size=n_classes**2)
    metric = lookup.get_metric(metric)
    space = _prediction_space(metric)
    is_one_by_one = not metric.evidence.takes_stacks
    if max_matrices is None:
        max_matrices = _MATRICES_ONE_BY_ONE if is_one_by_one else _MATRICES
    if n_random is None:
        n_random = _RANDOM_ONE_BY_ONE if is_one_by_one else space.n_random
    search = Search(metric, n_classes, max_matrices, n_random, checks.as_generator(random_state))
    search.run()
    answers = search.answers
    return PropertyReport(
        metric=metric.name,
        evidence=metric.evidence.name,
        **{name: answers[name].holds if name in answers else None for name in _CHANGES},
        counterexamples={
            name: _counterexample(metric, name, answer.contradiction)
            for name, answer in answers.items()
            if answer.contradiction is not None
        },
        n_compared={name: answer.n_compared for name, answer in answers.items()},
        n_undefined={name: answer.n_undefined for name, answer in answers.items()},
        n_samples=tuple(search.n_samples.values()),
        n_random=n_random,
    )


def _counterexample(
    metric: OrdinalMetric, name: PropertyName, contradiction: Contradiction
) -> Counterexample:
    """Convert the result of the search to evidence that a user can evaluate again."""
    before = contradiction.space.samples(contradiction.before)
    after = contradiction.space_after.samples(contradiction.after)
    with warnings.catch_warnings():
        # Evaluate a stack, as in the search.
        warnings.simplefilter("ignore")
        values = float(metric(before)), float(metric(after))
    return Counterexample(
        metric.name, name, before, after, *values, _sentence(metric, name, contradiction, *values)
    )


def _sentence(
    metric: OrdinalMetric,
    name: PropertyName,
    contradiction: Contradiction,
    before: float,
    after: float,
) -> str:
    first, second = _told_apart(before, after)
    change = f"the value is {first} both times" if first == second else f"{first} -> {second}"
    better = "higher" if metric.greater_is_better else "lower"
    reason = {
        "ordinal_monotonic": f", though {better} is better",
        "strictly_monotonic": f", though {better} is better",
        "imbalance_aware": f", although an error there should cost more and {better} is better",
    }
    return f"{contradiction.description}: {change}{reason.get(name, '')}."


def _told_apart(first: float, second: float) -> tuple[str, str]:
    """Format two values with enough digits to show the difference, if there is one."""
    for digits in range(3, 12):
        texts = _number(first, digits), _number(second, digits)
        if texts[0] != texts[1]:
            return texts
    return _number(first, 3), _number(first, 3)


def _number(value: float, digits: int) -> str:
    # Rounding errors are not shown, and neither is the minus sign of a rounded zero.
    return f"{round(value, 12) + 0:.{digits}g}"


def _as_code(evidence: Any) -> str:
    kind = type(evidence).__name__
    if isinstance(evidence, OrdinalConfusion):
        return f"{kind}.from_counts(\n{_argument(evidence.counts)}\n)"
    _, predicted = sampling.sample_predictions(evidence)
    arguments = f"{_argument(evidence.y_true)},\n{_argument(predicted)},\n"
    labels = f"    labels=range({evidence.n_classes}),\n"
    return f"{kind}.{sampling.constructor_name(evidence)}(\n{arguments}{labels})"


def _argument(array: Any) -> str:
    text = pformat(array.tolist(), width=74, compact=array.ndim == 1)
    return "\n".join(f"    {line}" for line in text.splitlines())
