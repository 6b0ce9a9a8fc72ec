"""Small matrices of true classes and predictions, as evidence for any metric.

A matrix has a row for each true class and a column for each prediction that a sample may have. The
prediction space defines these predictions, and which of two predictions is nearer to the truth.
The search for counterexamples is then the same for labels, probabilities and scores.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from math import comb
from typing import ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import (
    ESTIMATOR,
    LABELS,
    PROBABILITIES,
    ROWS,
    SCORES,
    Counts,
    Evidence,
    Kind,
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalMetric,
    OrdinalScale,
    OrdinalScores,
)


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
        return cls(n_classes, all_counts(n_points, cls.n_units))

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


SPACES: Mapping[Kind, type[PredictionSpace]] = {
    LABELS: LabelSpace,
    ROWS: LabelSpace,
    PROBABILITIES: ProbabilitySpace,
    SCORES: ScoreSpace,
}


def prediction_space(metric: OrdinalMetric) -> type[PredictionSpace]:
    """Return the prediction space of a metric, or raise if its predictions cannot be listed."""
    # A scorer of probabilities may require every class to occur, or weights.
    if metric.scorer is None and metric.evidence in SPACES:
        return SPACES[metric.evidence]
    raise ValueError(
        f"metric must be a function of labels, probabilities or scores, but {metric.name} needs "
        f"{ESTIMATOR.noun if metric.scorer is not None else metric.evidence.noun}."
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
    for sizes in 1 + all_counts(n_classes, n_samples - n_classes):
        rows = [all_counts(n_predictions, size) for size in sizes]
        choices = np.indices([len(row) for row in rows]).reshape(n_classes, -1)
        stacks.append(
            np.stack([row[choice] for row, choice in zip(rows, choices, strict=True)], axis=1)
        )
    return np.concatenate(stacks)


def all_counts(n_cells: int, n_samples: int) -> NDArray[np.int64]:
    """Return all ways of putting samples into cells, of shape (n_ways, n_cells)."""
    cells = np.array(list(combinations_with_replacement(range(n_cells), n_samples)), dtype=np.intp)
    counts = np.zeros((len(cells), n_cells), dtype=np.int64)
    np.add.at(counts, (np.arange(len(cells))[:, None], cells), 1)
    return counts


def by_size(counts: Counts) -> Counts:
    """Return the matrices of a stack sorted by their number of samples, fewest first."""
    return counts[np.argsort(counts.sum(axis=(1, 2)), kind="stable")]
