"""Results that several statistics compute from the same counts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Protocol, TypeVar

from sklearn_ordinal._core._counting import Counts
from sklearn_ordinal._core._protocols import Statistic

Function = TypeVar("Function", bound=Callable[..., Any])
T = TypeVar("T")


class Shared(Protocol):
    """A function that returns the result of a function of the counts, computed only once."""

    def __call__(self, compute: Callable[[Counts], T], /) -> T:
        """Return ``compute(counts)``."""


def takes_shared(statistic: Function) -> Function:
    """Declare that a statistic has an argument `shared`, and return the statistic.

    Evidence passes a function that keeps results for the next statistic, so the results should be
    small next to the counts. The default must be None, for counts that are evaluated only once.
    """
    statistic.takes_shared = True  # type: ignore[attr-defined]
    return statistic


def has_shared(statistic: Statistic) -> bool:
    """Whether a statistic has an argument `shared`."""
    function = statistic.func if isinstance(statistic, partial) else statistic
    return getattr(function, "takes_shared", False)


def result_of(compute: Callable[[Counts], T], counts: Counts, shared: Shared | None) -> T:
    """Return the result of a function of the counts, which may be known."""
    return compute(counts) if shared is None else shared(compute)
