"""Measure the peak memory of a call, or of a process, in a new interpreter."""

from __future__ import annotations

import multiprocessing
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

FEW_ROWS = 1_000
STATUS = Path("/proc/self/status")

Data = Callable[[int], tuple[Any, ...]]


def peak_memory(function: Callable[..., Any], data: Data, n_samples: int) -> float:
    """Return the peak memory of a call in bytes, without its arguments.

    The peak is measured by tracemalloc, to which NumPy reports its arrays. Unlike the resident
    size, it depends neither on the allocator nor on the memory that the process used before.
    """
    return _in_new_interpreter(_peak_here, function, data, n_samples)


def peak_resident_memory(function: Callable[..., Any], arguments: tuple[Any, ...]) -> float:
    """Return the peak resident size in bytes of a process that makes one call.

    It includes Python, the imported libraries, and memory that NumPy did not allocate.
    """
    return _in_new_interpreter(_peak_resident_here, function, arguments)


def _in_new_interpreter(measure: Callable[..., float], *arguments: Any) -> float:
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=spawn) as pool:
        return pool.submit(measure, *arguments).result()


def _peak_here(function: Callable[..., Any], data: Data, n_samples: int) -> float:
    function(*data(FEW_ROWS))  # triggers lazy imports
    arguments = data(n_samples)
    tracemalloc.start()
    function(*arguments)
    return float(tracemalloc.get_traced_memory()[1])


def _peak_resident_here(function: Callable[..., Any], arguments: tuple[Any, ...]) -> float:
    function(*arguments)
    # Unlike the peak of getrusage, this peak does not include the parent's memory at the fork.
    status = STATUS.read_text(encoding="utf-8").splitlines()
    (peak,) = (line.split()[1] for line in status if line.startswith("VmHWM:"))
    return float(peak) * 1024
