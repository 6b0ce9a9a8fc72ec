"""Ties: values that differ by rounding only, or within the 1e-9 of an integrated index."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Relative to the largest value.
TIE = 1e-9


def merge_ties(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the values relative to the largest, rounded so that ties are equal."""
    return np.round(values / (float(np.abs(values).max()) or 1.0), 9)
