"""Checks of what is resampled, and how."""

from __future__ import annotations

from sklearn_ordinal._core import check_integer, check_share


def check_resampling(confidence_level: float, n_resamples: int) -> float:
    """Return the confidence level, or raise unless the options are in their ranges."""
    check_integer("n_resamples", n_resamples, at_least=1)
    return check_share("confidence_level", confidence_level)
