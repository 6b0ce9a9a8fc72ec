"""Intervals of many systems, and tests of all pairs, on the same resamples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import OrdinalMetric, OrdinalScale, Unanswered
from sklearn_ordinal.inference._bootstrap import accelerations_of, interval_of, values_of
from sklearn_ordinal.inference._resampling import units_of
from sklearn_ordinal.inference._results import Interval
from sklearn_ordinal.inference._step_down import step_down_pvalues
from sklearn_ordinal.inference._ties import TIE


@dataclass(frozen=True, eq=False)
class ResampledSystems:
    """What resampling says about systems, by the name of the metric.

    Parameters
    ----------
    scale : OrdinalScale
        The classes.
    intervals : mapping of str to tuple of Interval
        The interval of each system.
    pvalues : mapping of str to ndarray of shape (n_systems, n_systems)
        Adjusted p-value of each pair, NaN where there is none.
    n_unanswered : list of float
        Number, or weight, of the samples without a prediction of each system.
    n_units : int
        Number of samples, or groups, that are drawn.
    """

    scale: OrdinalScale
    intervals: Mapping[str, tuple[Interval, ...]]
    pvalues: Mapping[str, NDArray[np.float64]]
    n_unanswered: list[float]
    n_units: int


def resample_systems(
    metrics: Sequence[OrdinalMetric],
    y_true: ArrayLike,
    predictions: Mapping[str, ArrayLike],
    labels: ArrayLike | None,
    sample_weight: ArrayLike | None,
    groups: ArrayLike | None,
    unanswered: Unanswered,
    *,
    confidence_level: float,
    n_resamples: int,
    rng: np.random.Generator,
) -> ResampledSystems:
    """Evaluate all systems on the same resamples."""
    units = units_of(metrics, y_true, predictions, labels, sample_weight, groups, unanswered)
    methods = [metric.interval_method for metric in metrics]
    first, *_ = together = units.all_together()
    estimates = values_of(metrics, [together])[..., 0]
    resampled = values_of(metrics, units.resampled(rng, n_resamples))
    accelerations = np.zeros((len(predictions), len(metrics)))
    if "bca" in methods:
        for i, single in enumerate(units.each()):
            left_out = values_of(metrics, single.without_one())
            accelerations[i] = accelerations_of(left_out, single.sizes)
    n_unanswered = units.n_unanswered()
    intervals = {
        metric.name: tuple(
            replace(
                interval_of(
                    float(estimates[k, i]),
                    resampled[k, i],
                    confidence_level,
                    methods[k],
                    margin=TIE * abs(estimates[k, i]),
                    acceleration=accelerations[i, k],
                ),
                n_left_out=0 if metric.counts_unanswered else n_unanswered[i],
            )
            for i in range(len(predictions))
        )
        for k, metric in enumerate(metrics)
    }
    pvalues = {
        metric.name: step_down_pvalues(estimates[k], resampled[k])
        for k, metric in enumerate(metrics)
    }
    return ResampledSystems(first.scale, intervals, pvalues, n_unanswered, units.n_units)
