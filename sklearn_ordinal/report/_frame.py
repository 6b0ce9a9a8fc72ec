"""Data frames, where pandas is installed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def data_frame(rows: Mapping[Any, Mapping[str, Any]]) -> Any:
    """Return a pandas DataFrame with a row for each key."""
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError("to_frame needs pandas: pip install pandas, or use to_dict.") from error
    return pd.DataFrame(list(rows.values()), index=pd.Index(list(rows)))
