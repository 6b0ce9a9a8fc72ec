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
    Resampling,
    SystemsEvidence,
    Values,
    count_samples,
    resampling_units,
)
from sklearn_ordinal.inference._bootstrap import (
    FEWEST_UNITS_OF_INFLUENCES,
    accelerations_of,
    interval_of,
    values_of,
)
from sklearn_ordinal.inference._influences import Influences, jackknife_influences
from sklearn_ordinal.inference._interval import Interval
from sklearn_ordinal.inference._step_down import PairTests, step_down_tests
from sklearn_ordinal.inference._ties import TIE, scale_of
from sklearn_ordinal.inference._unit_influences import sixth_of_skewness, unit_influences

# With more units, or influences of all systems, standard errors are not computed in each resample.
_MOST_UNITS = 2_000
_MOST_INFLUENCES = 200_000


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
    accelerations, influences = accelerations_and_influences(metrics, units)
    n_unanswered = units.n_unanswered()
    intervals = resampled_intervals(
        metrics, estimates, resampled, accelerations, n_unanswered, confidence_level
    )
    # Standard errors in resamples hardly vary with many units, and take time for each system.
    are_resampled = units.n_units <= _MOST_UNITS or influences[0].size <= _MOST_INFLUENCES
    tests = {
        metric.name: step_down_tests(
            estimates[k],
            resampled[k],
            Influences(
                influences[k],
                units.kind_sizes,
                lambda: units.drawn(deepcopy(rng_of_resamples), n_resamples),
                are_resampled,
            ),
            confidence_level=confidence_level,
        )
        for k, metric in enumerate(metrics)
    }
    total: float = together[0].class_counts.sum().item()
    if isinstance(systems, OrdinalConfusion):
        n_samples, is_weighted = int(systems.n_samples[0]), systems.is_weighted
    else:
        weights = systems[0].weights
        n_samples = count_samples(systems[0])
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


def accelerations_and_influences(
    metrics: Sequence[OrdinalMetric], units: Resampling
) -> tuple[Values, Values]:
    """Return the accelerations (n_metrics, n_systems), and the influences of the kinds of units.

    They come from the influences, or else from the jackknife.
    """
    influences = unit_influences(metrics, units)
    accelerations = np.full(influences.shape[:2], np.nan)
    if units.n_units >= FEWEST_UNITS_OF_INFLUENCES:
        accelerations = sixth_of_skewness(influences, units.kind_sizes)
    # The values without single units are not known if units are left out in blocks.
    has_jackknife = units.n_units <= _MOST_UNITS and units.sizes.sum() == units.n_units
    has_influences = np.asarray(np.isfinite(influences).all(axis=(1, 2)))
    needs_jackknife = ~np.isfinite(accelerations).all(axis=1) | (has_jackknife & ~has_influences)
    rest = np.flatnonzero(needs_jackknife).tolist()
    if rest:
        singles, kinds = zip(*units.each(), strict=True)
        left_out = [
            values_of([metrics[k] for k in rest], single.without_one()) for single in singles
        ]
        by_jackknife = np.stack(
            [
                accelerations_of(values, single.sizes)
                for values, single in zip(left_out, singles, strict=True)
            ],
            axis=1,
        )
        known = accelerations[rest]
        accelerations[rest] = np.where(np.isnan(known), by_jackknife, known)
        for position, k in enumerate(rest):
            if has_jackknife and not has_influences[k]:
                without = [values[position, 0] for values in left_out]
                influences[k] = np.where(
                    np.isnan(influences[k]),
                    jackknife_influences(without, kinds, units.sizes),
                    influences[k],
                )
    return accelerations, influences


def resampled_intervals(
    metrics: Sequence[OrdinalMetric],
    estimates: Values,
    resampled: Values,
    accelerations: Values,
    n_unanswered: Sequence[float],
    confidence_level: float,
) -> dict[str, tuple[Interval, ...]]:
    """Return the intervals of all systems by metric, from (n_metrics, n_systems, n_resamples)."""
    return {
        metric.name: tuple(
            interval_of(
                float(estimates[k, i]),
                resampled[k, i],
                confidence_level,
                metric.interval_method,
                margin=float(TIE * scale_of(estimates[k, i])),
                acceleration=accelerations[k, i],
                n_left_out=0 if metric.counts_unanswered else amount,
            )
            for i, amount in enumerate(n_unanswered)
        )
        for k, metric in enumerate(metrics)
    }
