"""Warnings that point at the code of the user."""

from __future__ import annotations

import inspect
import warnings
from typing import Any


def warn_caller(finding: str, category: type[Warning] = UserWarning, *, way_out: str = "") -> None:
    """Warn, pointing at the first caller outside of the package.

    The attribute `finding` of the warning is the text without the advice, since the
    advice names Python arguments. The command line has other options, so it shows only
    the finding.
    """
    package = __name__.partition(".")[0]
    frame, level = inspect.currentframe(), 1
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] == package:
        frame, level = frame.f_back, level + 1
    warning: Any = category(" ".join(filter(None, (finding, way_out))))
    warning.finding = finding
    warnings.warn(warning, stacklevel=level)
