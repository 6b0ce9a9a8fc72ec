"""Intervals of many systems, and tests of all pairs, on the same resamples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass

import numpy as np

from sklearn_ordinal._core import (
    OrdinalConfusion,
    OrdinalMetric,
    OrdinalScale,
    SystemsEvidence,
    resampling_units,
)
from sklearn_ordinal.inference._bootstrap import accelerations_of, interval_of, values_of
from sklearn_ordinal.inference._influences import Influences
from sklearn_ordinal.inference._interval import Interval
from sklearn_ordinal.inference._step_down import PairTests, step_down_tests
from sklearn_ordinal.inference._ties import TIE, scale_of

# If there are more units, standard errors hardly vary over the resamples.
_MOST_UNITS = 2000


@dataclass(frozen=True, eq=False)
class ResampledSystems:
    """Resampling results of systems, by the name of the metric.

    Parameters
    ----------
    scale : OrdinalScale
        The classes.
    intervals : mapping of str to tuple of Interval
        The interval of each system.
    tests : mapping of str to PairTests
        The tests of all pairs.
    n_unanswered : list of float
        For each system, the number, or weight, of the samples without a prediction.
    n_samples : int
        Number of samples, not counting samples of weight zero.
    total_weight : float or None
        Sum of the sample weights, None if there are no weights.
    n_units : int
        Number of samples, or groups, that are drawn.
    """

    scale: OrdinalScale
    intervals: Mapping[str, tuple[Interval, ...]]
    tests: Mapping[str, PairTests]
    n_unanswered: list[float]
    n_samples: int
    total_weight: float | None
    n_units: int


def resample_systems(
    metrics: Sequence[OrdinalMetric],
    systems: SystemsEvidence,
    *,
    confidence_level: float,
    n_resamples: int,
    rng: np.random.Generator,
) -> ResampledSystems:
    """Evaluate all systems on the same resamples."""
    units = resampling_units(systems)
    together = units.all_together()
    estimates = values_of(metrics, [together])[..., 0]
    # Copy the generator, to draw the same resamples again.
    rng_of_resamples = deepcopy(rng)
    resampled = values_of(metrics, units.resampled(rng, n_resamples))
    singles, kinds = zip(*units.each(), strict=True)
    left_out = [values_of(metrics, single.without_one()) for single in singles]
    accelerations = [
        accelerations_of(values, single.sizes)
        for values, single in zip(left_out, singles, strict=True)
    ]
    n_unanswered = units.n_unanswered()
    intervals = {
        metric.name: tuple(
            interval_of(
                float(estimates[k, i]),
                resampled[k, i],
                confidence_level,
                metric.interval_method,
                margin=float(TIE * scale_of(estimates[k, i])),
                acceleration=accelerations[i][k],
                n_left_out=0 if metric.counts_unanswered else n_unanswered[i],
            )
            for i in range(len(singles))
        )
        for k, metric in enumerate(metrics)
    }
    # The influences of single units are not known if units are left out in blocks.
    have_influences = units.n_units <= _MOST_UNITS and units.sizes.sum() == units.n_units
    tests = {}
    for k, metric in enumerate(metrics):
        influences = None
        if have_influences:
            influences = Influences.from_left_out(
                [values[k, 0] for values in left_out],
                kinds,
                units.sizes,
                lambda: units.drawn(deepcopy(rng_of_resamples), n_resamples),
            )
        tests[metric.name] = step_down_tests(
            estimates[k], resampled[k], influences, confidence_level=confidence_level
        )
    total: float = together[0].class_counts.sum().item()
    if isinstance(systems, OrdinalConfusion):
        n_samples, is_weighted = int(systems.n_samples[0]), systems.is_weighted
    else:
        weights = systems[0].weights
        n_samples = int(np.count_nonzero(weights))
        # `is_weighted` is False for samples whose weights were set by `reweighted`.
        is_weighted = systems[0].is_weighted or bool((weights != 1).any())
    return ResampledSystems(
        together[0].scale,
        intervals,
        tests,
        n_unanswered,
        n_samples,
        total if is_weighted else None,
        units.n_units,
    )
