"""Errors of groups: how far, and how often, predictions are too high or too low."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import Counts, OrdinalMetric, Values, divide, total


def _bias(counts: Counts) -> Values:
    return _mean(counts, _error(counts))


def _too_high(counts: Counts) -> Values:
    return _mean(counts, _error(counts) > 0)


def _too_low(counts: Counts) -> Values:
    return _mean(counts, _error(counts) < 0)


def _error(counts: Counts) -> NDArray[np.intp]:
    """Return the signed error of each cell in positions, rows true."""
    position = np.arange(counts.shape[-1])
    return position - position[:, None]


def _mean(counts: Counts, of_cells: NDArray[np.generic]) -> Values:
    return divide(total(counts * of_cells), total(counts))


MEASURES = (
    OrdinalMetric("bias", _bias, greater_is_better=False),
    OrdinalMetric("too_high", _too_high, greater_is_better=False, value_range=(0.0, 1.0)),
    OrdinalMetric("too_low", _too_low, greater_is_better=False, value_range=(0.0, 1.0)),
)
"""Mean signed error in positions (positive: too high), and shares of too high and too low."""
