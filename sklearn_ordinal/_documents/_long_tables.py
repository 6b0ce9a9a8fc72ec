"""Rows of tables that would be too long to read."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

MOST_ROWS = 30
"""The largest number of rows of a table with a row for each rater."""


def lowest_and_highest(values: Mapping[str, float]) -> list[str]:
    """Return all names in their order, or those with the lowest and the highest of many values.

    Undefined values are left out first.
    """
    names = list(values)
    if len(names) <= MOST_ROWS:
        return names
    # NaN comes last, so the highest values end where it begins.
    ascending = np.argsort(list(values.values()), kind="stable")
    n_defined = max(MOST_ROWS, int(np.count_nonzero(~np.isnan(list(values.values())))))
    half = MOST_ROWS // 2
    return [names[k] for k in (*ascending[:half], *ascending[n_defined - half : n_defined])]
