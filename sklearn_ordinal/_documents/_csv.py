"""The rows of a result's data frame as comma-separated values."""

from __future__ import annotations

import csv
import io
import math
from typing import Any

from sklearn_ordinal._documents._views import Views


def as_csv(result: Views) -> str:
    """Return the rows of `to_frame` with a header; undefined values are empty fields."""
    records = result._records()
    text = io.StringIO()
    # The columns of the first record come first, then the columns that only later records have.
    names = list(dict.fromkeys(name for record in records for name in record))
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([_field(record.get(name)) for name in names] for record in records)
    return text.getvalue()


def _field(value: Any) -> Any:
    return "" if isinstance(value, float) and math.isnan(value) else value
