"""The influences of the units that are resampled, in closed form."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import OrdinalMetric, Resampling, Values, divide
from sklearn_ordinal.inference._delta_interval import metrics_by_kind

# Influences that are all 0 have rounding errors up to this size, relative to values of size 1.
_ROUNDING = 1e-10


def unit_influences(metrics: Sequence[OrdinalMetric], units: Resampling) -> Values:
    """Return the influence of a unit of each kind: (n_metrics, n_systems, n_kinds).

    The influence is the contribution of the unit to the value, times the number of units. The sum
    over all units is zero. NaN for a system on which a metric has no influences.
    """
    systems = units.all_together()
    n_kinds = len(units.kind_sizes)
    by_name = {metric.name: np.full((len(systems), n_kinds), np.nan) for metric in metrics}
    for kind, batch in metrics_by_kind([m for m in metrics if m.has_influence], systems[0]):
        by_system = [
            kind.entry_influences(batch, kind.accepted(system, batch[0].name)) for system in systems
        ]
        counted = units.sums([by_entry.is_counted.astype(np.float64) for by_entry in by_system])
        shares = divide(units.n_units, counted @ units.kind_sizes)
        for k, metric in enumerate(batch):
            # All samples together are a stack of one.
            sums = units.sums([by_entry.influences[k, 0] for by_entry in by_system])
            influences = shares[:, None] * sums
            scale = np.maximum(1, np.abs([by_entry.values[k] for by_entry in by_system]))
            is_rounding = np.abs(influences) <= _ROUNDING * scale
            by_name[metric.name] = np.where(is_rounding, 0, influences)
    return np.stack([by_name[metric.name] for metric in metrics])


def sixth_of_skewness(influences: Values, sizes: NDArray[np.int64]) -> Values:
    """Return a sixth of the skewness of the mean of units, from influences (..., n_kinds).

    It is 0 if all influences are 0.
    """
    # Products are much faster than the power of 3.
    squared = sizes * influences**2
    squares = squared.sum(axis=-1)
    cubes = np.einsum("...k,...k->...", squared, influences)
    return np.where(squares == 0, 0.0, cubes / np.where(squares == 0, 1, squares) ** 1.5 / 6)
