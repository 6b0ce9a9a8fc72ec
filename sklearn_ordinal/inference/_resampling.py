"""Units to resample, for metrics of classes, probabilities and scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import (
    KINDS,
    LABELS,
    PROBABILITIES,
    SCORES,
    Evidence,
    Kind,
    OrdinalConfusion,
    OrdinalMetric,
    SystemsEvidence,
    is_evidence,
)
from sklearn_ordinal.inference._rows import Rows
from sklearn_ordinal.inference._units import Units


class Resampling(Protocol):
    """Samples, or groups of them, that are drawn, left out or exchanged as units.

    The methods return or yield the evidence of each system, as stacks of resamples.
    """

    @property
    def n_units(self) -> int:
        """Number of units."""

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How often each resample of `without_one` counts."""

    def each(self) -> Iterator[tuple[Resampling, NDArray[np.intp]]]:
        """Yield the units of each system alone, and the new number of each kind."""

    def n_unanswered(self) -> list[float]:
        """Return the number, or weight, of the samples without a prediction, for each system."""

    def all_together(self) -> Sequence[Evidence]:
        """Return all samples, as a stack of one."""

    def without_one(self) -> Iterator[Sequence[Evidence]]:
        """Yield stacks whose entries each leave out one unit, or one block of units."""

    def resampled(self, rng: np.random.Generator, n_resamples: int) -> Iterator[Sequence[Evidence]]:
        """Yield stacks of the same number of units, drawn at random."""

    def drawn(self, rng: np.random.Generator, n_resamples: int) -> Iterator[NDArray[np.integer]]:
        """Yield how often `resampled` draws each kind with an identical `rng`, (n_kinds, size)."""

    def of_swapped(self, metric: OrdinalMetric) -> OrdinalMetric:
        """Return the metric for the evidence of `swapped`."""

    def swapped(self, rng: np.random.Generator, n_resamples: int) -> Iterator[Sequence[Evidence]]:
        """Yield stacks with the predictions of some units exchanged between two systems."""


def kinds_of(predicted: Any) -> tuple[Kind, ...]:
    """Return the kinds of metrics that "all" stands for.

    They are the kinds that accept the evidence, and for a table the kinds of
    probabilities.
    """
    if isinstance(predicted, Mapping):
        predicted = list(predicted.values())
    if isinstance(predicted, (list, tuple)) and is_evidence(predicted):
        predicted = predicted[0]
    if is_evidence(predicted):
        return tuple(kind for kind in KINDS if isinstance(predicted, kind.accepts))
    shape = getattr(predicted, "shape", None)
    if not isinstance(shape, tuple):
        rows = predicted if isinstance(predicted, (list, tuple)) else ()
        shape = (len(rows), *np.shape(rows[0])) if rows else ()
    return (PROBABILITIES, SCORES) if len(shape) == 2 and shape[1] > 1 else (LABELS,)


def units_of(evidence: Evidence | SystemsEvidence) -> Resampling:
    """Return the units to resample of one system, or of several on the same samples."""
    if isinstance(evidence, OrdinalConfusion):
        return Units.from_confusion(evidence)
    return Rows.from_systems(evidence if isinstance(evidence, tuple) else (evidence,))
