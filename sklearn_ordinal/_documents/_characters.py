"""Escape, measure and shorten text, and record what was shortened."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

# Plots only pass their texts to matplotlib, which has no place for the full names. None if no page
# is drawn.
_full_names: ContextVar[dict[str, str] | None] = ContextVar("full_names", default=None)

ELLIPSIS = "…"


def visible(text: str) -> str:
    r"""Return text on one line, with unprintable characters escaped as in `repr`.

    Line breaks, the escape character of terminals and marks of the writing direction
    become ``\n``, ``\x1b`` and ``\u202e``.
    """
    if text.isprintable():
        return text
    return "".join(map(_visible_character, text))


def display_width(text: str) -> int:
    """Return the number of terminal columns of a text."""
    return len(text) if text.isascii() else sum(map(_character_width, text))


def cut(text: str, width: int) -> str:
    """Shorten text to a width, with an ellipsis at its end."""
    if display_width(text) <= width:
        return text
    return _start(text, width - 1).rstrip() + ELLIPSIS


def cut_names(names: list[str], width: int, *, middle_first: bool = False) -> list[str]:
    """Shorten all names in the same way, so that as few as possible become equal.

    If several ways are equally good, cut the end, or the middle if `middle_first`.
    """
    ways = (_cut_middle, cut, _cut_start) if middle_first else (cut, _cut_middle, _cut_start)
    shortened = ([way(name, width) for name in names] for way in ways)
    # Take the first way that keeps the most names distinct.
    return max(shortened, key=lambda names: len(set(names)))


def _cut_middle(text: str, width: int) -> str:
    if display_width(text) <= width:
        return text
    n_last = (width - 1) // 2
    return _start(text, width - 1 - n_last).rstrip() + ELLIPSIS + _end(text, n_last).lstrip()


def _cut_start(text: str, width: int) -> str:
    if display_width(text) <= width:
        return text
    return ELLIPSIS + _end(text, width - 1).lstrip()


def _start(text: str, width: int) -> str:
    used_width = 0
    for position, character in enumerate(text):
        used_width += _character_width(character)
        if used_width > width:
            return text[:position]
    return text


def _end(text: str, width: int) -> str:
    used_width = 0
    for position in range(len(text), 0, -1):
        used_width += _character_width(text[position - 1])
        if used_width > width:
            return text[position:]
    return text


def _visible_character(character: str) -> str:
    if character.isprintable():
        return character
    # Other kinds of spaces, such as the non-breaking space.
    if unicodedata.category(character) == "Zs":
        return " "
    return repr(character)[1:-1]


def _character_width(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


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
