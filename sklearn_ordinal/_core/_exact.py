"""Sums of floats that do not depend on the order of the terms."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core._chunks import slices

# Each float is a 53-bit integer times a power of two; this is the smallest exponent.
_SMALLEST_EXPONENT = -1126
_UNITS_OF_ONE: int = 2**-_SMALLEST_EXPONENT
_N_EXPONENTS = 4096
_LOW_BITS = 26
# This many halves of 53-bit integers add up to less than 2**53, so their sum is exact as a float.
_ROWS_PER_CHUNK = 2**24


def exact_sums(cells: NDArray[np.int64], weights: NDArray[np.float64]) -> dict[int, int]:
    """Return the sum of the weights of each cell, as an integer number of units.

    Sums are added as Python integers, which do not round; `as_float` rounds them once.
    """
    sums: dict[int, int] = {}
    for chunk in slices(len(cells), _ROWS_PER_CHUNK):
        fractions, exponents = np.frexp(weights[chunk])
        integers = np.ldexp(fractions, 53).astype(np.int64)
        shifts = exponents.astype(np.int64) - 53 - _SMALLEST_EXPONENT
        keys, key_numbers = np.unique(cells[chunk] * _N_EXPONENTS + shifts, return_inverse=True)
        high = np.bincount(key_numbers, integers >> _LOW_BITS)
        low = np.bincount(key_numbers, integers & (2**_LOW_BITS - 1))
        for key, *halves in zip(keys.tolist(), high.tolist(), low.tolist(), strict=True):
            cell, shift = divmod(key, _N_EXPONENTS)
            units = ((int(halves[0]) << _LOW_BITS) + int(halves[1])) << shift
            sums[cell] = sums.get(cell, 0) + units
    return sums


def as_float(units: int) -> float:
    """Return the float that is nearest to a number of units."""
    try:
        return units / _UNITS_OF_ONE
    except OverflowError:
        return float(np.finfo(np.float64).max)
