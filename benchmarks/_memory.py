"""Measure the peak memory of a call in a new interpreter."""

from __future__ import annotations

import multiprocessing
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

FEW_ROWS = 1_000

Data = Callable[[int], tuple[Any, ...]]


def peak_memory(function: Callable[..., Any], data: Data, n_samples: int) -> float:
    """Return the peak memory of a call in bytes, without its arguments.

    It is measured by tracemalloc, to which NumPy reports its arrays. Unlike the resident size,
    it depends neither on the allocator nor on what the process held before.
    """
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=spawn) as pool:
        return pool.submit(_peak_here, function, data, n_samples).result()


def _peak_here(function: Callable[..., Any], data: Data, n_samples: int) -> float:
    function(*data(FEW_ROWS))  # triggers lazy imports
    arguments = data(n_samples)
    tracemalloc.start()
    function(*arguments)
    return float(tracemalloc.get_traced_memory()[1])
