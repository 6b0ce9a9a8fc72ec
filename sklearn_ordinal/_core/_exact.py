"""Sums of floats that do not depend on the order of the terms."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core._chunks import slices

# Each float is a 53-bit integer times a power of two; this is the smallest exponent.
_SMALLEST_EXPONENT = -1126
_UNITS_OF_ONE: int = 2**-_SMALLEST_EXPONENT
_N_EXPONENTS = 4096
_LOW_BITS = 27
# This many halves of 54-bit integers add up to less than 2**53, so their sum is exact as a float.
_ROWS_PER_CHUNK = 2**24


def exact_sums(
    cells: NDArray[np.int64], weights: NDArray[np.float64]
) -> tuple[dict[int, int], dict[int, int]]:
    """Return the sums of the weights, and of the squared weights, of each cell.

    The sums are Python integers, which do not round: numbers of units, and of squared units.
    `as_float` and `as_float_of_squares` round them once.
    """
    sums: dict[int, int] = {}
    squares: dict[int, int] = {}
    for chunk in slices(len(cells), _ROWS_PER_CHUNK):
        fractions, exponents = np.frexp(weights[chunk])
        integers = np.ldexp(fractions, 53).astype(np.int64)
        shifts = exponents.astype(np.int64) - 53 - _SMALLEST_EXPONENT
        keys, key_numbers = np.unique(cells[chunk] * _N_EXPONENTS + shifts, return_inverse=True)
        # The square of high * 2**27 + low, whose high half has 26 bits, has three terms.
        high, low = integers >> _LOW_BITS, integers & (2**_LOW_BITS - 1)
        key_sums = _sums_of_integers(key_numbers, integers)
        key_squares = (
            (_sums_of_integers(key_numbers, high * high) << 2 * _LOW_BITS)
            + (_sums_of_integers(key_numbers, high * low) << _LOW_BITS + 1)
            + _sums_of_integers(key_numbers, low * low)
        )
        for key, key_sum, key_square in zip(keys.tolist(), key_sums, key_squares, strict=True):
            cell, shift = divmod(key, _N_EXPONENTS)
            sums[cell] = sums.get(cell, 0) + (key_sum << shift)
            squares[cell] = squares.get(cell, 0) + (key_square << 2 * shift)
    return sums, squares


def _sums_of_integers(keys: NDArray[np.intp], integers: NDArray[np.int64]) -> NDArray[Any]:
    """Return the sum of the integers of each key, all below 2**54, as Python integers."""
    high = np.bincount(keys, integers >> _LOW_BITS).astype(np.int64).astype(object)
    low = np.bincount(keys, integers & (2**_LOW_BITS - 1)).astype(np.int64).astype(object)
    sums: NDArray[Any] = (high << _LOW_BITS) + low
    return sums


def as_float(units: int) -> float:
    """Return the float that is nearest to a number of units."""
    return _ratio(units, _UNITS_OF_ONE)


def as_float_of_squares(squared_units: int) -> float:
    """Return the float that is nearest to a number of squared units."""
    return _ratio(squared_units, _UNITS_OF_ONE**2)


def _ratio(numerator: int, denominator: int) -> float:
    try:
        return numerator / denominator
    except OverflowError:
        return float(np.finfo(np.float64).max)
