"""The date and the versions at the end of a page."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from datetime import UTC, datetime

import numpy as np
import sklearn

from sklearn_ordinal._version import __version__


def current_date() -> str:
    """Return the date and time in UTC."""
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")


def current_versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that do the computation."""
    return {
        "sklearn_ordinal": __version__,
        "scikit-learn": sklearn.__version__,
        "NumPy": np.__version__,
        "Python": platform.python_version(),
    }


def versions_as_text(versions: Mapping[str, str]) -> str:
    """Return versions as part of a sentence."""
    return ", ".join(f"{name} {version}" for name, version in versions.items())
