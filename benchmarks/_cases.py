"""Rows of the benchmark table: the measurements and the required ratios."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from typing import Any, Literal

import numpy as np
from _memory import STATUS, Data, peak_memory, peak_resident_memory
from _timing import Clock, Measurement, time_call, time_calls, time_imports


@dataclass(frozen=True)
class Demand:
    """A bound on a ratio of ours and the peer's, on seconds, or on megabytes.

    The ratio is peer / ours ("gain") or ours / peer ("cost"); for a "limit" it is our
    time or memory in its unit. "growth" is a cost whose peer is this package as well.
    """

    kind: Literal["gain", "cost", "limit", "growth"]
    bound: float
    unit: str = "x"

    def ratio(self, peer: float, ours: float) -> float:
        return peer / ours if self.kind == "gain" else ours / peer

    def is_met(self, ratio: float) -> bool:
        return ratio >= self.bound if self.kind == "gain" else ratio <= self.bound

    def __str__(self) -> str:
        growth = "growth " if self.kind == "growth" else ""
        return f"{growth}{'>=' if self.kind == 'gain' else '<='} {self.bound:g} {self.unit}"


at_least = partial(Demand, "gain")
"""``at_least(30)``: the peer takes at least 30 times what this package takes."""
at_most = partial(Demand, "cost")
"""``at_most(1.3)``: this package takes at most 1.3 times what the peer takes."""
grows_at_most = partial(Demand, "growth")
"""``grows_at_most(3)``: this package takes at most 3 times what it takes for the peer's task."""
within = partial(Demand, "limit", unit="s")
"""``within(1)``: this package takes at most one second."""
within_megabytes = partial(Demand, "limit", unit="MB")
"""``within_megabytes(500)``: this package takes at most 500 MB."""


def unless_installed(library: str) -> str | None:
    """Return why a row is left out if an optional library is not installed, else None."""
    return None if find_spec(library) else f"{library} is not installed"


def unless_resident_memory_is_known() -> str | None:
    """Return why a row of `CallResident` is left out on this platform, else None."""
    return None if STATUS.exists() else f"{STATUS} does not exist"


@dataclass(frozen=True)
class CallTime:
    """Compare the time of two calls.

    Parameters
    ----------
    name : str
        Name of the row.
    peer, ours : callable
        Called with the arguments that `data` returns.
    data : callable
        Function from a number of samples to positional arguments.
    demands : mapping
        The required ratio for each number of samples.
    peer_data : callable, optional
        Arguments for the peer, if they differ.
    same_result : bool
        Whether both must return the same numbers, which is checked before timing.
    left_out : str, optional
        Reason to leave the row out on this machine.
    part_of_peer : float
        Share of the work that `peer` does; its time is divided by this share.
    clock : callable
        The time of both: `time.process_time` for the CPU time.
    """

    name: str
    peer: Callable[..., Any]
    ours: Callable[..., Any]
    data: Data
    demands: Mapping[int, Demand]
    peer_data: Data | None = None
    same_result: bool = True
    left_out: str | None = None
    part_of_peer: float = 1.0
    clock: Clock = time.perf_counter

    def measure(self, n_samples: int) -> Measurement:
        peer = partial(self.peer, *(self.peer_data or self.data)(n_samples))
        ours = partial(self.ours, *self.data(n_samples))
        if self.same_result:
            np.testing.assert_allclose(np.asarray(ours()), np.asarray(peer()))
        measured = time_calls(peer, ours, self.clock)
        return replace(measured, peer=[time / self.part_of_peer for time in measured.peer])


@dataclass(frozen=True)
class CallSeconds:
    """Time a call that has no peer, against limits in seconds."""

    name: str
    ours: Callable[..., Any]
    data: Data
    demands: Mapping[int, Demand]
    left_out: str | None = None

    def measure(self, n_samples: int) -> Measurement:
        return time_call(partial(self.ours, *self.data(n_samples)))


@dataclass(frozen=True)
class CallMegabytes(CallSeconds):
    """Measure the peak memory of a call that has no peer, against limits in megabytes.

    The function must be importable by name, so lambdas do not work.
    """

    def measure(self, n_samples: int) -> Measurement:
        return Measurement("B", [1e6], [peak_memory(self.ours, self.data, n_samples)])


@dataclass(frozen=True)
class CallResident(CallSeconds):
    """Measure the peak resident size of a new process that makes a call, against a limit.

    It is needed for calls into libraries that do not allocate with NumPy. It reads /proc.
    """

    def measure(self, n_samples: int) -> Measurement:
        return Measurement("B", [1e6], [peak_resident_memory(self.ours, self.data(n_samples))])


@dataclass(frozen=True)
class CallMemory(CallTime):
    """Compare the peak memory of two calls, without their arguments, in new interpreters.

    The functions must be importable by name, so lambdas do not work.
    """

    def measure(self, n_samples: int) -> Measurement:
        peer = peak_memory(self.peer, self.peer_data or self.data, n_samples)
        return Measurement("B", [peer], [peak_memory(self.ours, self.data, n_samples)])


@dataclass(frozen=True)
class ImportTime:
    """Compare the CPU time of two import statements, each in a new interpreter."""

    name: str
    peer: str
    ours: str
    demand: Demand
    left_out: str | None = None

    @property
    def demands(self) -> Mapping[int, Demand]:
        return {0: self.demand}

    def measure(self, _: int) -> Measurement:
        return time_imports(self.peer, self.ours)


Case = CallTime | CallSeconds | ImportTime
