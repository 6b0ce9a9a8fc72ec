"""What the errors of this package have in common."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice


class EmptyTableError(ValueError):
    """The table has no rows."""


def first_of(values: Iterable[object], n_shown: int) -> str:
    """Return the first values with commas between them, and dots if there are more."""
    first = list(islice(values, n_shown + 1))
    return ", ".join(map(repr, first[:n_shown])) + (", ..." if len(first) > n_shown else "")
