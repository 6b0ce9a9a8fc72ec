"""Estimates of metrics, by the name of the metric."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sklearn_ordinal.inference import Interval


def best_first(estimates: Mapping[str, Interval]) -> list[str]:
    """Return the names of the metrics, those with undefined estimates last."""
    names = list(estimates)
    values = [interval.estimate for interval in estimates.values()]
    return [names[i] for i in np.argsort(np.negative(values), kind="stable")]


def names_of_undefined(estimates: Mapping[str, Interval]) -> list[str]:
    """Return the names of the metrics whose estimates are undefined."""
    return [name for name, interval in estimates.items() if np.isnan(interval.estimate)]
