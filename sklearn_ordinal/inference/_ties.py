"""What counts as equal: values that rounding, or an index integrated to 9 digits, tells apart."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Of the largest value.
TIE = 1e-9


def merge_ties(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return values in the same order, of which those that count as equal are equal."""
    return np.round(values / (float(np.abs(values).max()) or 1.0), 9)
