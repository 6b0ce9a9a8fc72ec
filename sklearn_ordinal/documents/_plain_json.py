"""The numbers of a result as JSON for programs in other languages."""

from __future__ import annotations

import json

from sklearn_ordinal._version import __version__
from sklearn_ordinal.documents._views import Views

_SCHEMA_VERSION = 1


def as_json(result: Views) -> str:
    """Return the dict of a result as JSON, with its type and the version of the schema.

    In contrast to `dump`, whose files are read back without loss, this has plain numbers.
    NaN and infinities, which JSON does not have, are null, as they are None in the dict.
    """
    content = {
        "type": type(result).__name__,
        "schema_version": _SCHEMA_VERSION,
        "package_version": __version__,
        "result": result.to_dict(),
    }
    text = json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)
    return f"{text}\n"
