"""Values as plain numbers, strings, lists and dicts, which any program can read."""

from __future__ import annotations

import dataclasses
import math
import numbers
from collections.abc import Mapping
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """Return a value as dicts, lists, strings, numbers, bools and None.

    Parameters
    ----------
    value : object
        NumPy scalars and arrays, tuples, sets, mappings and dataclasses are converted together with
        their items. Any other object becomes a string.

    Returns
    -------
    dict, list, str, int, float, bool or None
        The value. NaN and infinities become None, since JSON does not have them.
    """
    if isinstance(value, np.ndarray | np.generic):
        return _plain_numpy(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value) if field.init]
        return {name: plain(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    return _plain_scalar(value)


def _plain_numpy(value: np.ndarray[Any, Any] | np.generic) -> Any:
    # The integers behind dates and durations are meaningless without their unit.
    if value.dtype.kind in "mM":
        return value.astype(str).tolist()
    item = value.tolist()
    # Extended precision, for which Python has no type, stays a NumPy scalar.
    return _plain_scalar(item) if isinstance(item, np.generic) else plain(item)


def _plain_scalar(value: Any) -> str | int | float | bool | None:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, float | np.floating):
        number = float(value)
        return number if math.isfinite(number) else None
    return str(value)
