"""The options of resampling: their types, and checks."""

from __future__ import annotations

from sklearn_ordinal._core import (
    RandomState,
    SampleReadingOptions,
    check_count,
    check_share,
)


class ResamplingOptions(SampleReadingOptions, total=False):
    """Keywords that functions which resample samples have in common, for their overloads."""

    confidence_level: float
    n_resamples: int
    random_state: RandomState


def check_resampling(confidence_level: float, n_resamples: int, size: int = 1) -> float:
    """Return the confidence level, or raise if an option is out of range.

    Each resample has `size` values.
    """
    check_count("n_resamples", n_resamples, at_least=1, size=size)
    return check_share("confidence_level", confidence_level)
