"""Runs of consecutive integers, which are the classes if no labels are given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

IntegerArray: TypeAlias = NDArray[np.integer[Any]]

# The longest run of integers that are read as classes without `labels`.
MAX_INTEGER_RUN = 1_000

# For each signed integer dtype, the unsigned dtype of the same width and byte order.
_UNSIGNED = {
    np.dtype(f"{order}i{width}"): np.dtype(f"{order}u{width}")
    for order in "<>"
    for width in (1, 2, 4, 8)
}


def run_start(labels: NDArray[Any]) -> int | None:
    """Return the lowest class if the classes are consecutive integers."""
    if labels.dtype.kind not in "biu":
        return None
    lowest = int(labels[0])
    return lowest if labels.tolist() == list(range(lowest, lowest + len(labels))) else None


def check_run_length(
    names: Sequence[str], lowest: int, highest: int, values: Iterable[Iterable[int]]
) -> None:
    """Raise if a run of integers is too long to be a scale, with the values that occur."""
    if highest - lowest >= MAX_INTEGER_RUN:
        hold, way_out = "holds" if len(names) == 1 else "hold", ""
        rest = set().union(*values) - {lowest, highest}
        # A single value may be further from all others than these are from each other.
        code = lowest if rest and highest - max(rest) < min(rest) - lowest else highest
        others = rest | ({lowest, highest} - {code})
        if rest and 2 * min(abs(code - value) for value in others) > highest - lowest:
            way_out = f", or leave out the samples with {code} if it means that there is no class"
        raise ValueError(
            f"{' and '.join(names)} {hold} integers from {lowest} to {highest}, more than "
            f"{MAX_INTEGER_RUN:,} classes in a run: pass labels=[...] with all classes, "
            f"from the lowest to the highest{way_out}."
        )


def largest(values: IntegerArray) -> int:
    """Return the largest value, 0 if there is none, or 2**64 if any is negative, in one pass."""
    dtype = values.dtype
    if dtype.kind == "u":
        return int(np.maximum.reduce(values, initial=0))
    largest = int(np.maximum.reduce(values.view(_UNSIGNED[dtype]), initial=0))
    return 2**64 if largest >> (8 * dtype.itemsize - 1) else largest


def minus(values: IntegerArray, lowest: int) -> IntegerArray:
    """Subtract the lowest class without overflow, for any width of integers."""
    # Unsigned arithmetic is modulo 2**64, so small differences are exact for every width.
    return values.astype(np.uint64) - np.uint64(lowest % 2**64)
