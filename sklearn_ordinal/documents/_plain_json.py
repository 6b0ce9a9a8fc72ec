"""The numbers of a result as JSON for programs in other languages."""

from __future__ import annotations

import json
import math
from typing import Any

from sklearn_ordinal._version import __version__
from sklearn_ordinal.documents._views import Views

_SCHEMA_VERSION = 1


def as_json(result: Views) -> str:
    """Return the dict of a result as JSON, with its type and the version of the schema.

    In contrast to `dump`, whose files are read back without loss, this has plain numbers.
    NaN, which JSON does not have, is null; infinities are the strings "Infinity" and
    "-Infinity".
    """
    content = {
        "type": type(result).__name__,
        "schema_version": _SCHEMA_VERSION,
        "package_version": __version__,
        "result": _with_finite_numbers(result.to_dict()),
    }
    text = json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)
    return f"{text}\n"


def _with_finite_numbers(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _with_finite_numbers(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_with_finite_numbers(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value
