"""Parts of a long axis, so that temporary arrays stay small."""

from __future__ import annotations

from collections.abc import Iterator

ROWS_IN_CACHE = 4_096
"""Arrays of this length stay in the cache."""


def slices(size: int, length: int) -> Iterator[slice]:
    """Yield slices of a length, at least one, that cover a size."""
    for start in range(0, size, max(1, length)):
        yield slice(start, min(start + max(1, length), size))
