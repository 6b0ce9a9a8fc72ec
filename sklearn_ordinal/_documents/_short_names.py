"""Full names of the names that a plot shortens, for the tooltips of pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from sklearn_ordinal._documents._characters import ELLIPSIS

# Plots only pass their texts to matplotlib, which has no place for the full names. None if no page
# is drawn.
_full_names: ContextVar[dict[str, str] | None] = ContextVar("full_names", default=None)


@contextmanager
def recorded_names() -> Iterator[Mapping[str, str]]:
    """Record the names that are shortened within a context.

    Yields the full name for each short one, with single spaces between words. Short names that
    stand for several names have an empty full name.
    """
    full_names: dict[str, str] = {}
    token = _full_names.set(full_names)
    try:
        yield full_names
    finally:
        _full_names.reset(token)


def record_name(short: str, name: str) -> None:
    """Record the full name of a shortened name, if names are recorded."""
    full_names = _full_names.get()
    if full_names is None or ELLIPSIS not in short:
        return
    short, name = one_spaced(short), one_spaced(name)
    full_names[short] = name if full_names.get(short, name) == name else ""


def one_spaced(text: str) -> str:
    """Return text with single spaces instead of line breaks and other white space."""
    return " ".join(text.split())
