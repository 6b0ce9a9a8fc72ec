"""Scores in units of the largest of each metric, in which ties are told from rounding."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Relative scores and their differences are equal if they are after rounding to these digits.
DIGITS = 9


def relative(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return scores relative to the largest of each metric, which are on the last axis."""
    largest = np.abs(scores).max(axis=tuple(range(scores.ndim - 1)))
    return scores / np.where(largest > 0, largest, 1)
