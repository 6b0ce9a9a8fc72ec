"""Scores in units of the largest of each metric, to which rounding errors are relative."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal.inference import scale_of


def relative(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return scores relative to the largest of each metric, which are on the last axis."""
    return scores / scale_of(scores, axis=tuple(range(scores.ndim - 1)))
