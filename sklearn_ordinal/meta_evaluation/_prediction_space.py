"""Small matrices of true classes and predictions, as evidence for any metric.

A matrix has a row for each true class and a column for each prediction that a sample may have.
The prediction space says what these predictions are, and which is nearer to the truth. The search
for counterexamples is then the same for labels, probabilities and scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import (
    Counts,
    Evidence,
    Kind,
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalScale,
    OrdinalScores,
)

# A label is one unit on a class, probabilities are quarters.
_N_UNITS = {"labels": 1, "probabilities": 4, "scores": 1}


@dataclass(frozen=True, eq=False)
class PredictionSpace:
    """The predictions that a sample may have: units at the points of a line.

    A label is one unit on a class and probabilities are four units on the classes. A score is
    one unit on a point of a grid, which has the classes and the points halfway between them.
    """

    kind: Kind
    n_classes: int
    units: NDArray[np.int64]

    @classmethod
    def of(cls, kind: Kind, n_classes: int) -> PredictionSpace:
        """Return the prediction space of a scale."""
        n_points = 2 * n_classes - 1 if kind == "scores" else n_classes
        return cls(kind, n_classes, all_counts(n_points, _N_UNITS[kind.name]))

    @property
    def n_cells(self) -> int:
        """Number of cells of a matrix."""
        return self.n_classes * len(self.units)

    def with_class(self, position: int) -> PredictionSpace:
        """Return the same predictions on a scale with another class, which none of them has."""
        units = self.units
        if self.kind != "scores":
            units = np.insert(units, position, 0, axis=1)
        return PredictionSpace(self.kind, self.n_classes + 1, units)

    @property
    def points(self) -> NDArray[np.intp]:
        """Point of each class."""
        step = 2 if self.kind == "scores" else 1
        return np.arange(0, step * self.n_classes, step)

    @property
    def right(self) -> NDArray[np.intp]:
        """The right prediction for each class."""
        right: NDArray[np.intp] = self.units[:, self.points].argmax(axis=0)
        return right

    @cached_property
    def steps(self) -> Steps:
        """Every step of one unit that makes a prediction one point nearer to the truth."""
        is_away = np.arange(self.units.shape[1]) != self.points[:, None]
        true, before, start = np.nonzero((self.units > 0) & is_away[:, None, :])
        end = start + np.sign(self.points[true] - start)
        nearer, row = self.units[before], np.arange(len(true))
        nearer[row, start] -= 1
        nearer[row, end] += 1
        after = (nearer[:, None, :] == self.units).all(axis=-1).argmax(axis=-1)
        return Steps(true, before, after, start, end)

    def evidence(self, counts: Counts) -> Evidence:
        """Return a stack of matrices (..., n_classes, n_predictions) as evidence."""
        scale = OrdinalScale.from_run(0, self.n_classes)
        if self.kind == "labels":
            return OrdinalConfusion(scale, counts @ self.units)
        return weighted_cells(self.kind, scale, counts, self._values)

    def rows(self, counts: Counts) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Return the true class and the prediction of each sample of one matrix."""
        true, predicted = np.nonzero(counts)
        number = counts[true, predicted]
        return np.repeat(true, number), np.repeat(self._values[predicted], number, axis=0)

    @property
    def _values(self) -> NDArray[np.float64]:
        """The predictions as a user passes them."""
        if self.kind == "probabilities":
            return self.units / _N_UNITS[self.kind.name]
        positions: NDArray[np.float64] = self.units.argmax(axis=1) / self.points[1]
        return positions


class Steps(NamedTuple):
    """Steps towards the truth: true class, predictions, and the points of the unit."""

    true: NDArray[np.intp]
    before: NDArray[np.intp]
    after: NDArray[np.intp]
    start: NDArray[np.intp]
    end: NDArray[np.intp]


def weighted_cells(
    kind: Kind,
    scale: OrdinalScale,
    counts: Counts,
    predictions: NDArray[np.float64],
    *,
    is_weighted: bool = False,
) -> OrdinalForecasts | OrdinalScores:
    """Return a stack of matrices (..., n_classes, n_predictions) as one sample for each cell.

    The columns are predictions, of shape (n_predictions, n_classes) if they are probabilities, and
    the counts are the weights of the samples.
    """
    n_classes, n_predictions = counts.shape[-2:]
    y_true, column = np.divmod(np.arange(n_classes * n_predictions), n_predictions)
    weights = counts.reshape(*counts.shape[:-2], -1).astype(np.float64)
    samples = OrdinalForecasts if kind == "probabilities" else OrdinalScores
    return samples(scale, y_true, predictions[column], weights, is_weighted)


def all_counts(n_cells: int, n_samples: int) -> NDArray[np.int64]:
    """Return every way to put samples into cells, of shape (n_ways, n_cells)."""
    cells = np.array(list(combinations_with_replacement(range(n_cells), n_samples)), dtype=np.intp)
    counts = np.zeros((len(cells), n_cells), dtype=np.int64)
    np.add.at(counts, (np.arange(len(cells))[:, None], cells), 1)
    return counts


def by_size(counts: Counts) -> Counts:
    """Return the matrices of a stack from the fewest to the most samples."""
    return counts[np.argsort(counts.sum(axis=(1, 2)), kind="stable")]
