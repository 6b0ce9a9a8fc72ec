"""Suggestions for names that are misspelt or abbreviated."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

# A part of a name must have at least this many letters to identify it.
_SHORTEST_PART = 3


def nearest_name(name: str, known: Iterable[str]) -> str:
    """Return the known name closest to a misspelt or abbreviated one, or ""."""
    return next(iter(near_names(name, known)), "")


def near_names(name: str, known: Iterable[str]) -> list[str]:
    """Return the known names that a misspelt or abbreviated name may mean, closest first."""
    names, name = list(dict.fromkeys(known)), name.lower().replace(" ", "_").replace("-", "_")
    plain = name.removeprefix("neg_")
    near = difflib.get_close_matches(name, names) or difflib.get_close_matches(plain, names)
    if len(plain) >= _SHORTEST_PART:
        longer = [known_name for known_name in names if plain in known_name]
        # "qwk" for quadratic_weighted_kappa, "amae" for macro_averaged_mean_absolute_error.
        acronyms = [known_name for known_name in names if _initials(known_name).endswith(plain)]
        near += [*sorted(longer or acronyms, key=len)[:1], *longer]
    return list(dict.fromkeys(near))


def _initials(name: str) -> str:
    return "".join(word[:1] for word in name.split("_"))
