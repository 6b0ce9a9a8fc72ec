"""What the bootstrap is asked for: metrics, options and random numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeAlias

import numpy as np
from sklearn.utils import check_random_state

from sklearn_ordinal._catalogue import OrdinalMetric, find_metric
from sklearn_ordinal._labels import check_choice, check_integer
from sklearn_ordinal.inference._checks import check_share

Method = Literal["bca", "percentile", "basic"]
Metric: TypeAlias = str | Callable[..., Any]
RandomState: TypeAlias = int | np.random.RandomState | np.random.Generator | None


def is_several(metric: Metric | Iterable[Metric]) -> bool:
    """Return whether there are metrics, not one."""
    return not isinstance(metric, str) and not callable(metric) and isinstance(metric, Iterable)


def as_list(metric: Any) -> list[Any]:
    """Return the metrics, or the one, as a list."""
    return list(metric) if is_several(metric) else [metric]


def find_metrics(metric: Any, *, argument: str = "metric") -> list[OrdinalMetric]:
    """Return the entry of each metric, or of the one; `argument` is what errors name."""
    metrics = [find_metric(one) for one in as_list(metric)]
    names = [one.name for one in metrics]
    if not names or len(set(names)) < len(names):
        raise ValueError(f"{argument} must name at least one metric, and each once, got {names}.")
    return metrics


def check_resampling(confidence_level: float, n_resamples: int, method: str) -> None:
    """Raise unless the options of a bootstrap are in their ranges."""
    check_choice("method", method, Method)
    check_share("confidence_level", confidence_level)
    check_integer("n_resamples", n_resamples, at_least=1)


def as_generator(random_state: RandomState) -> np.random.Generator:
    """Return a Generator, seeded from what scikit-learn takes as a random state."""
    if isinstance(random_state, np.random.Generator):
        return random_state
    try:
        source = check_random_state(random_state)
    except ValueError:
        raise ValueError(
            f"random_state must be None, an integer from 0 to 2**32 - 1, a RandomState or a "
            f"Generator, got {random_state!r}."
        ) from None
    return np.random.default_rng(source.randint(2**31, size=4, dtype=np.int64))
