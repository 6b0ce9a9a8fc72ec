"""Read the groups of samples that `by=` names."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import checks, containers, scales
from sklearn_ordinal._core.scales import IntegerArray

OVERALL = "overall"

# All pairs are compared, so a column of ids would take hours.
_MAX_GROUPS = 1_000
# A column with more dates is rarely meant as groups: most days have only a few samples.
_MAX_DATES = 100


def read_groups(
    by: Any, n_samples: int, y_true: Any = None
) -> tuple[IntegerArray, tuple[str, ...]]:
    """Return the group of each sample as an integer from 0, and the names of the groups.

    With several columns, each combination that occurs is a group.
    """
    columns = _columns(by, n_samples)
    containers.check_same_order(({} if y_true is None else {"y_true": y_true}) | columns)
    groupings = [_read_column(name, column, n_samples) for name, column in columns.items()]
    numbers, names = groupings[0]
    if len(groupings) > 1:
        combinations, numbers = np.unique(
            np.stack([group for group, _ in groupings]), axis=1, return_inverse=True
        )
        numbers = numbers.ravel()
        names = [
            ", ".join(
                column_names[k] for (_, column_names), k in zip(groupings, combination, strict=True)
            )
            for combination in combinations.T
        ]
    if len(names) < 2:
        raise ValueError(f"by must name at least 2 groups, got only {checks.shown(names[0])}.")
    if len(names) > _MAX_GROUPS:
        raise ValueError(
            f"by must name at most {_MAX_GROUPS:,} groups, since all pairs are compared, got "
            f"{len(names):,}: merge groups."
        )
    if len(set(names)) < len(names) or OVERALL in names:
        raise ValueError(
            f"by must have different names for different groups, none of them {OVERALL!r}, got "
            f"{checks.listed(names)}."
        )
    return numbers, tuple(names)


def group_columns(by: Any, n_samples: int) -> tuple[str, ...]:
    """Return the names of the columns that define the groups, () unless all have a name."""
    names = list(by) if isinstance(by, Mapping) else checks.column_names(by)
    if names is None:
        names = [containers.series_name(column) for column in _columns(by, n_samples).values()]
    return tuple(names) if all(isinstance(name, str) and name for name in names) else ()


def _columns(by: Any, n_samples: int) -> dict[str, Any]:
    """Return the columns of a dict, a frame, a two-dimensional array, or a list of columns."""
    if isinstance(by, Mapping):
        if not by:
            raise ValueError("by must have at least one column, got an empty dict.")
        return checks.named_entries("by", by)
    checks.check_in_memory("by", by)
    names = checks.column_names(by)
    if names is not None:
        if not len(names):
            raise ValueError(f"by must have at least one column, got an empty {type(by).__name__}.")
        entries = {name: by[name] for name in names}
        return checks.named_entries("by", entries) if len(names) > 1 else {"by": entries[names[0]]}
    if isinstance(by, (list, tuple)) and 1 < len(by) != n_samples:
        columns: Iterable[Any] = by
        are_columns = all(np.ndim(column) == 1 and len(column) == n_samples for column in by)
    else:
        rows: NDArray[Any] = np.empty(0)
        if isinstance(by, np.ndarray):
            rows = by
        elif isinstance(by, (list, tuple)) and by and isinstance(by[0], (list, tuple)):
            rows = np.array(by, dtype=object)
        are_columns = rows.ndim == 2 and rows.shape[1] > 1
        columns = rows.T
    return {f"by[{k}]": column for k, column in enumerate(columns)} if are_columns else {"by": by}


def _read_column(argument: str, by: Any, n_samples: int) -> tuple[IntegerArray, list[str]]:
    group, values = scales.encode_values(by, n_samples, argument)
    names = list(scales.check_names(argument, values))
    if isinstance(values[0], (datetime.date, np.datetime64)) and len(names) > _MAX_DATES:
        raise ValueError(
            f"{argument} must have at most {_MAX_DATES} distinct dates, got {len(names):,}: bin "
            f"them, as in dates.astype('datetime64[M]') for months."
        )
    return group, names
