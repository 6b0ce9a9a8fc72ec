"""Random numbers, seeded as in scikit-learn."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from sklearn.utils import check_random_state

from sklearn_ordinal._core._checks import shown

RandomState: TypeAlias = int | np.random.RandomState | np.random.Generator | None


def as_generator(random_state: RandomState) -> np.random.Generator:
    """Return a Generator, seeded from any random state that scikit-learn accepts."""
    if isinstance(random_state, np.random.Generator):
        return random_state
    source = _random_state(random_state, "a RandomState or a Generator")
    return np.random.default_rng(source.randint(2**31, size=4, dtype=np.int64))


def as_random_state(random_state: Any) -> np.random.RandomState:
    """Return a RandomState from a seed of an estimator, which cannot be a Generator."""
    return _random_state(random_state, "or a RandomState")


def _random_state(random_state: Any, others: str) -> np.random.RandomState:
    try:
        if isinstance(random_state, (bool, np.bool_)):
            raise ValueError  # scikit-learn would read it as 0 or 1
        source: np.random.RandomState = check_random_state(random_state)
    except (ValueError, TypeError):
        raise ValueError(
            f"random_state must be None, an integer from 0 to 2**32 - 1, {others}, got "
            f"{shown(random_state)}."
        ) from None
    return source
