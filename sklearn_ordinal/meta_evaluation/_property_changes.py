"""The properties of metrics, and the changes of a matrix that may contradict them.

Each property defines a change of the matrix, and the changes of the value that contradict it. Every
class occurs in the truth of the matrices that are changed, and again after the change, except the
class that `_inserted` adds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import Counts, Values
from sklearn_ordinal.meta_evaluation._prediction_space import PredictionSpace

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
    for larger, middle, smaller in neighbours(space.n_classes):
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


def neighbours(n_classes: int) -> Iterator[tuple[int, int, int]]:
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


def contradicts(name: PropertyName, gain: Values, size: Values) -> Bools:
    """Return whether each gain contradicts a property, given the size of the values."""
    if name == "ordinal_monotonic":
        return gain < -_ROUNDING * size
    if name == "strictly_monotonic":
        return gain <= _LEAST_GAIN * size
    if name == "imbalance_aware":
        # The error in the smaller class must cost more.
        return -gain <= _LEAST_GAIN * size
    return np.abs(gain) > _ROUNDING * size
