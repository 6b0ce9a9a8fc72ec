"""Units to resample, for metrics of classes as of probabilities and scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import (
    ESTIMATOR,
    LABELS,
    PROBABILITIES,
    SCORES,
    Evidence,
    Kind,
    OrdinalMetric,
    Unanswered,
    check_choice,
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
        """Yield stacks that leave out one unit, or one block of units, each."""

    def resampled(self, rng: np.random.Generator, n_resamples: int) -> Iterator[Sequence[Evidence]]:
        """Yield stacks of as many units drawn at random."""

    def drawn(self, rng: np.random.Generator, n_resamples: int) -> Iterator[NDArray[np.integer]]:
        """Yield how often `resampled` draws each kind with an equal `rng`, (n_kinds, size)."""

    def of_swapped(self, metric: OrdinalMetric) -> OrdinalMetric:
        """Return the metric for the evidence of `swapped`."""

    def swapped(self, rng: np.random.Generator, n_resamples: int) -> Iterator[Sequence[Evidence]]:
        """Yield stacks with the predictions of some units exchanged between two systems."""


def kinds_of(predicted: ArrayLike) -> tuple[Kind, ...]:
    """Return the kinds of metrics that "all" stands for: those of probabilities for a table."""
    shape = getattr(predicted, "shape", None)
    if not isinstance(shape, tuple):
        rows = predicted if isinstance(predicted, (list, tuple)) else ()
        shape = (len(rows), *np.shape(rows[0])) if rows else ()
    return (PROBABILITIES, SCORES) if len(shape) == 2 and shape[1] > 1 else (LABELS,)


def units_of(
    metrics: Sequence[OrdinalMetric],
    y_true: ArrayLike,
    predictions: Mapping[str, ArrayLike],
    labels: ArrayLike | None,
    sample_weight: ArrayLike | None,
    groups: ArrayLike | None,
    unanswered: Unanswered,
) -> Resampling:
    """Return the units to resample for metrics of labels, or of probabilities and scores."""
    of_labels = [metric for metric in metrics if metric.evidence == "labels"]
    others = [metric for metric in metrics if metric.evidence != "labels"]
    for metric in others:
        if metric.evidence is ESTIMATOR:
            raise ValueError(f"{metric.name} needs the fitted estimator, not predictions.")
    if not others:
        columns = {"y_true": y_true, **predictions}
        return Units.of_systems(columns, labels, sample_weight, groups, unanswered)
    if of_labels:
        raise ValueError(
            f"metric must not contain metrics of different predictions: {of_labels[0].name} takes "
            f"predicted classes, {others[0].name} {others[0].evidence}; call the function once "
            f"for each."
        )
    check_choice("unanswered", unanswered, Unanswered)
    if unanswered == "count":
        raise ValueError(
            f"unanswered='count' is for metrics of predicted classes: no criterion says what a "
            f"sample without {others[0].evidence} costs, so leave such samples out."
        )
    return Rows.of_systems(metrics, y_true, predictions, labels, sample_weight, groups)
