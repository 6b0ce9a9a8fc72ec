"""Undefined values, and warnings that point at the code of the user."""

from __future__ import annotations

import inspect
import math
import warnings
from typing import Any

from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core._checks import check_number


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


def or_undefined(value: float, replace_undefined_by: float, name: str, reason: str) -> float:
    """Return the value, or its replacement if the value is NaN; warn if both are NaN."""
    check_number("replace_undefined_by", replace_undefined_by)
    if not math.isnan(value):
        return value
    if math.isnan(replace_undefined_by):
        warn_caller(f"{name} is undefined: {reason}.", UndefinedMetricWarning)
    return float(replace_undefined_by)
