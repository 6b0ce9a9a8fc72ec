"""Warnings that point at the code of the user."""

from __future__ import annotations

import inspect
import warnings


def warn_caller(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn, pointing at the first caller outside of the package."""
    package = __name__.partition(".")[0]
    frame, level = inspect.currentframe(), 1
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] == package:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
