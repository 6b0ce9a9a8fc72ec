"""Kinds of errors about tables and files, and the values that errors show."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

_MOST_CHARACTERS = 60


class EmptyTableError(ValueError):
    """The table has no rows."""


class Problem(NamedTuple):
    """A description of a problem without a full stop, and whether predictions are missing."""

    text: str
    is_missing: bool = False


def first_of(values: Iterable[object], n_shown: int) -> str:
    """Return the first values, separated by commas, and dots if there are more.

    A long text is cut, and dots replace its end.
    """
    first = list(islice(values, n_shown + 1))
    text = ", ".join(map(_shown, first[:n_shown]))
    return text + (", ..." if len(first) > n_shown else "")


def _shown(value: object) -> str:
    if isinstance(value, str) and len(value) > _MOST_CHARACTERS:
        return f"{value[:_MOST_CHARACTERS]!r}..."
    return repr(value)
