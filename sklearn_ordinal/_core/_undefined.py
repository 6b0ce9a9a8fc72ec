"""Values that are undefined, and what replaces them."""

from __future__ import annotations

import math

from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core._checks import check_number
from sklearn_ordinal._core._warnings import warn_caller


def or_undefined(value: float, replace_undefined_by: float, name: str, reason: str) -> float:
    """Return the value, or its replacement if the value is NaN; warn if both are NaN."""
    check_number("replace_undefined_by", replace_undefined_by)
    if not math.isnan(value):
        return value
    if math.isnan(replace_undefined_by):
        warn_caller(f"{name} is undefined: {reason}.", UndefinedMetricWarning)
    return float(replace_undefined_by)
