"""Codes for missing values among the integers that are read as classes.

Wide gaps alone are no evidence, since small samples of 11 or 101 classes have them. The rule warns
for at most 1% of the samples without codes in ``benchmarks/missing_codes.py``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Set
from contextlib import contextmanager
from threading import get_ident
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core._warnings import warn_caller

# Neighbours of short scales, which need more evidence.
_NEAR_CODES = frozenset({9, -1})
# Codes that also occur on sliders to 100, where a single one is no evidence.
_RARE_CODES = frozenset({77, 88, 97, 98})
_CODES = (
    _NEAR_CODES
    | _RARE_CODES
    | {99, 777, 888, 997, 998, 999, -7, -8, -9, -77, -88, -97, -98, -99, -100}
)
_FEWEST_CLASSES, _LARGEST_SHARE, _LEAST_GAP = 3, 0.1, 6
# If the code were a class, and no class in the gap were less frequent, n samples would all be at
# the far end of the gap with a probability of at most 1 / gap**n, which is n * log2(gap) bits.
_LEAST_BITS, _LEAST_BITS_OF_NEAR_CODES = 6, 12

# A context variable could not be pickled by value, as scorers may be.
_silent_threads: set[int] = set()


@contextmanager
def without_code_warnings() -> Iterator[None]:
    """Let scorers read parts of the data, such as folds, without a warning."""
    thread = get_ident()
    if thread in _silent_threads:
        yield
        return
    _silent_threads.add(thread)
    try:
        yield
    finally:
        _silent_threads.discard(thread)


def may_have_codes(lowest: int, highest: int) -> bool:
    """Return whether a run of integers ends at a code, before the integers are counted."""
    return lowest < 0 or highest in _CODES


def warn_of_missing_codes(lowest: int, counts: NDArray[Any]) -> None:
    """Warn if integers that are read as classes look like codes for missing values.

    `counts` has the number of samples with each integer from `lowest`, a row for each column of
    labels.
    """
    if get_ident() in _silent_threads:
        return
    codes, others = codes_and_others(lowest, counts)
    if codes:
        found = " and ".join(map(str, codes))
        are = "are" if len(codes) > 1 else "is"
        what = ("codes", "classes") if len(codes) > 1 else ("a code", "a class")
        warn_caller(
            f"{found} may be {what[0]} for missing values, but {are} read as {what[1]} since no "
            f"labels are given: the other classes are {others[0]} to {others[-1]}. Leave out "
            f"samples without a class, or name all classes, with labels= in Python or --labels on "
            f"the command line."
        )


def codes_and_others(lowest: int, counts: NDArray[Any]) -> tuple[list[int], list[int]]:
    """Return the integers that look like codes, and the others that occur."""
    n_samples, sizes = int(counts.sum(axis=1).max()), counts.max(axis=0)
    number_of = {lowest + k: int(sizes[k]) for k in np.flatnonzero(sizes).tolist()}
    codes: Set[int] = _CODES & number_of.keys()
    while True:
        others = [value for value in number_of if value not in codes]
        if len(others) < 2:
            return [], others
        found = {code for code in codes if _looks_like_code(code, number_of, codes, n_samples)}
        if found == codes:
            return sorted(codes), others
        # The rest are classes, from which the codes have to be apart as well.
        codes = found


def _looks_like_code(code: int, number_of: dict[int, int], codes: Set[int], n_samples: int) -> bool:
    """Return whether one of the codes is apart from the others, and occurs often enough."""
    others = number_of.keys() - codes
    first, last, number = min(others), max(others), number_of[code]
    gap, least_bits = code - last if code > 0 else first - code, _LEAST_BITS
    if code in _NEAR_CODES:
        is_short_scale = first == 1 and len(others) == last >= _FEWEST_CLASSES
        is_apart = is_short_scale and gap > 1 and number <= _LARGEST_SHARE * n_samples
        least_bits = _LEAST_BITS_OF_NEAR_CODES
    else:
        # Codes at the same end are evidence of each other.
        number = sum(number_of[c] for c in codes - _NEAR_CODES if (c > 0) == (code > 0))
        is_apart = gap > max(last - first, _LEAST_GAP) and (number > 1 or code not in _RARE_CODES)
    return is_apart and number * math.log2(gap) >= least_bits
