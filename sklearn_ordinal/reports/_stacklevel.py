"""Where warnings point."""

from __future__ import annotations

import inspect


def stacklevel_of_the_caller() -> int:
    """Return the level at which a warning points at the first caller outside of the package."""
    package = __name__.partition(".")[0]
    frame, level = inspect.currentframe(), 0
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] == package:
        frame, level = frame.f_back, level + 1
    return level
