"""Alternating measurements, so that a busy machine slows both sides equally."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
import timeit
from collections.abc import Callable
from dataclasses import dataclass

MIN_PAIRS, MAX_PAIRS = 7, 101
MIN_IMPORT_PAIRS = 11
SECONDS_PER_ROW = 6.0
SECONDS_PER_BATCH = 0.02
# Without cached bytecode, compilation would be timed as well.
_NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"

Call = Callable[[], object]
Clock = Callable[[], float]


@dataclass(frozen=True)
class Measurement:
    """Time or memory that the peer and this package needed, pair by pair, in `unit`."""

    unit: str
    peer: list[float]
    ours: list[float]

    @property
    def medians(self) -> tuple[float, float]:
        return statistics.median(self.peer), statistics.median(self.ours)


def alternate(
    peer: Callable[[], float], ours: Callable[[], float], *, min_pairs: int = MIN_PAIRS
) -> tuple[list[float], list[float]]:
    """Measure both in turn, at least `min_pairs` times, until the time of the row is used up."""
    pairs = []
    start = time.perf_counter()
    while len(pairs) < min_pairs or (
        len(pairs) < MAX_PAIRS and time.perf_counter() - start < SECONDS_PER_ROW
    ):
        pairs.append((peer(), ours()))
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def time_calls(peer: Call, ours: Call, clock: Clock = time.perf_counter) -> Measurement:
    """Time two calls; short calls are timed in batches."""
    return Measurement(
        "s", *alternate(_seconds_per_call(peer, clock), _seconds_per_call(ours, clock))
    )


def time_call(ours: Call) -> Measurement:
    """Time one call, relative to one second in place of a peer."""
    return Measurement("s", *alternate(lambda: 1.0, _seconds_per_call(ours)))


def _seconds_per_call(call: Call, clock: Clock = time.perf_counter) -> Callable[[], float]:
    timer = timeit.Timer(call, timer=clock)
    seconds = min(timer.repeat(repeat=3, number=1))
    n_calls = max(1, round(SECONDS_PER_BATCH / seconds))
    return lambda: timer.timeit(n_calls) / n_calls


def time_imports(peer: str, ours: str) -> Measurement:
    """Measure the CPU time of two import statements, each in a new interpreter."""
    for statement in (peer, ours):
        _seconds_of_import(statement)  # fills the file cache and writes the bytecode
    return Measurement(
        "s",
        *alternate(
            lambda: _seconds_of_import(peer),
            lambda: _seconds_of_import(ours),
            min_pairs=MIN_IMPORT_PAIRS,
        ),
    )


def _seconds_of_import(statement: str) -> float:
    program = f"import time; t = time.process_time(); {statement}; print(time.process_time() - t)"
    environment = {key: value for key, value in os.environ.items() if key != _NO_BYTECODE}
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        check=True,
        text=True,
        env=environment,
    )
    return float(done.stdout)
