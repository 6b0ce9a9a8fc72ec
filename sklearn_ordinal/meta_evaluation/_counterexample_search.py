"""The properties of metrics, and a search for counterexamples over small matrices.

Each property defines a change of a matrix, and the changes of the value that contradict it. Every
class occurs in the truth of the matrices that are changed, and again after the change, except the
class that `_inserted` adds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import comb
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import DIRECTED_PROPERTIES, Counts, OrdinalMetric, Values
from sklearn_ordinal.meta_evaluation._prediction_space import (
    PredictionSpace,
    all_counts,
    all_matrices,
    by_size,
    number_of_matrices,
    prediction_space,
)

PropertyName = Literal[
    "ordinal_invariant",
    "ordinal_monotonic",
    "strictly_monotonic",
    "imbalance_aware",
    "prevalence_invariant",
    "symmetric",
]
Bools: TypeAlias = NDArray[np.bool_]

# Smaller differences, relative to the values, may be rounding errors ...
_ROUNDING = 1e-9
# ... but larger differences than this count as gains, since rounding errors of small matrices are
# smaller.
_LEAST_GAIN = 1e-12
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


CHANGES: Mapping[PropertyName, Callable[[PredictionSpace, Counts], Iterator[Changes]]] = {
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
        return gain < -_ROUNDING * size
    if name == "strictly_monotonic":
        return gain <= _LEAST_GAIN * size
    if name == "imbalance_aware":
        # The error in the smaller class must cost more.
        return -gain <= _LEAST_GAIN * size
    return np.abs(gain) > _ROUNDING * size


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
        predictions = prediction_space(self.metric)
        is_exchangeable = "symmetric" in self.metric.evidence.own_properties
        names = [name for name in CHANGES if name != "symmetric" or is_exchangeable]
        if self.metric.greater_is_better is None:
            names = [name for name in names if name not in DIRECTED_PROPERTIES]
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
            sizes.append(1 + all_counts(n_classes, n_more))
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
        for changes in CHANGES[name](space, counts):
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
