"""Ties: values that differ by rounding only, or within the 1e-9 of an integrated index."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Relative to the largest value.
TIE = 1e-9


def merge_ties(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the values relative to the largest finite one, rounded so that ties are equal."""
    largest = np.abs(values[np.isfinite(values)]).max(initial=0.0)
    return np.round(values / (float(largest) or 1.0), 9)
