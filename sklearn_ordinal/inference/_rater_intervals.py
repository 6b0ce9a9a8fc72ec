"""Intervals of criteria that compare each rater with the others.

The pairs of grades of an item are not independent, so items are what is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sklearn_ordinal._core import (
    Counts,
    EntryInfluences,
    OrdinalMetric,
    PeerGrades,
    Values,
    divide,
    total,
)
from sklearn_ordinal.inference._bootstrap import values_of, warn_about_undefined
from sklearn_ordinal.inference._delta_interval import Spread, named_intervals
from sklearn_ordinal.inference._interval import Interval
from sklearn_ordinal.inference._systems import accelerations_and_influences, resampled_intervals

ByRater = dict[str, dict[str, Interval]]
"""The interval of each rater, by the name of the metric and the name of the rater."""


def _distances(n_classes: int) -> Values:
    """Return the grade of the rater minus the grade of the peer in each cell."""
    position = np.arange(n_classes, dtype=np.float64)
    return position - position[:, None]


def _mean_distance(counts: Counts) -> Values:
    return divide(total(counts * _distances(counts.shape[-1])), total(counts))


def _mean_distance_gradient(counts: Counts) -> Values:
    changes = _distances(counts.shape[-1]) - _mean_distance(counts)[..., None, None]
    return divide(changes, total(counts)[..., None, None])


def _bounds(n_classes: int) -> tuple[float, float]:
    return 1.0 - n_classes, n_classes - 1.0


SEVERITY = OrdinalMetric(
    "severity",
    _mean_distance,
    value_range=_bounds,
    interval_scale="linear",
    gradient=_mean_distance_gradient,
)
"""Own grade minus the mean of the others, in classes. Neither direction is better."""


@dataclass(frozen=True, eq=False)
class SampledItems:
    """Items that were drawn one by one, and whose grades are compared."""

    peers: PeerGrades

    def spread(self, by_entry: EntryInfluences) -> Spread:
        """Return the standard errors of the values of each comparison: (n_metrics, n)."""
        n_classes = len(self.peers.ratings.scale)
        # The last column is for samples without a prediction, which ratings do not have.
        shape = (*by_entry.influences.shape[:-1], n_classes, n_classes + 1)
        cells = by_entry.influences.reshape(shape)[..., :n_classes]
        variances = np.stack([self.peers.variances(of_metric) for of_metric in cells])
        weights, numbers, squares = self.peers.amounts()
        return Spread(np.sqrt(variances), numbers - 1, divide(weights**2, squares))


def delta_rater_intervals(
    metrics: Sequence[OrdinalMetric], peers: PeerGrades, confidence_level: float
) -> ByRater:
    """Return the interval of each comparison in closed form, by metric and by name."""
    # A stack has a dict of intervals for each metric.
    intervals: Any = named_intervals(
        metrics, peers.confusion(), SampledItems(peers), confidence_level
    )
    by_rater: ByRater = intervals
    return by_rater


def bootstrap_rater_intervals(
    metrics: Sequence[OrdinalMetric],
    peers: PeerGrades,
    confidence_level: float,
    n_resamples: int,
    rng: np.random.Generator,
) -> ByRater:
    """Return the bootstrap interval of each comparison, by metric and by name."""
    units = peers.units()
    estimates = values_of(metrics, [units.all_together()])[..., 0]
    resampled = values_of(metrics, units.resampled(rng, n_resamples))
    accelerations, _ = accelerations_and_influences(metrics, units)
    n_unanswered = [0.0] * len(peers.names)
    intervals = resampled_intervals(
        metrics, estimates, resampled, accelerations, n_unanswered, confidence_level
    )
    by_rater = {
        name: dict(zip(peers.names, of_metric, strict=True))
        for name, of_metric in intervals.items()
    }
    warn_about_undefined(_named_by_rater(by_rater), n_resamples)
    return by_rater


def _named_by_rater(by_rater: Mapping[str, Mapping[str, Interval]]) -> dict[str, Interval]:
    return {
        f"{name} of {rater}": interval
        for name, of_metric in by_rater.items()
        for rater, interval in of_metric.items()
    }
