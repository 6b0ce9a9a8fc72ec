"""Values of items, in the order of the items or joined by id."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core._checks import shown
from sklearn_ordinal._core._warnings import warn_caller


def joined_by_item(
    name: str, values: Any, items: NDArray[Any] | None, missing_value: str = ""
) -> Any:
    """Return values of the items in the order of the items, joined by id where they have ids.

    `missing_value` says in the error about missing ids which value an item without a value has.
    The index 0, 1, ... of pandas says nothing about the items, so values with this index and
    containers without an index are read by position.
    """
    is_mapping = isinstance(values, Mapping)
    if not is_mapping and not hasattr(values, "iloc"):
        return values
    may_be_joined = items is not None and len(values) != len(items)
    if not is_mapping and is_default_index(values.index) and not may_be_joined:
        _check_are_not_ids(name, items)
        return values
    if items is None:
        kind = "is a dict" if is_mapping else "has an index with other values than 0, 1, ..."
        way_out = ""
        if not is_mapping:
            is_shuffled = is_default_index(np.sort(np.asarray(values.index)))
            method = "sort_index()" if is_shuffled else "to_numpy() if the order is the same"
            way_out = f"pass {name}.{method}, or "
        raise ValueError(
            f"{name} must be in the order of the items, since the items have no ids, but {kind}: "
            f"{way_out}pass ratings as a pandas frame whose index holds the ids."
        )
    keys = list(values) if is_mapping else values.index.tolist()
    row = {key: number for number, key in enumerate(keys)}
    if len(row) < len(keys):
        repeated = keys[values.index.duplicated().argmax()]
        raise ValueError(
            f"{name} must have one value for each item, but has several for {shown(repeated)}."
        )
    ids = items.tolist()
    missing = [item for item in ids if item not in row]
    if missing:
        verb = "has" if len(missing) == 1 else "have"
        way_out = "add it" if len(missing) == 1 else "add them"
        if len(missing) == len(ids) and keys:
            # Ids may be the same numbers or dates, but of another type.
            way_out = f"the ids in {name} are such as {shown(keys[0])}; use the same ids"
        raise ValueError(
            f"{name} must have a value for each item, but {len(missing):,} of {len(ids):,} items "
            f"{verb} none, such as {shown(missing[0])}: {way_out}{missing_value}."
        )
    unused = set(row).difference(ids)
    if unused:
        example = next(key for key in keys if key in unused)
        noun = "item that is" if len(unused) == 1 else "items that are"
        warn_caller(
            f"{name} has values for {len(unused):,} {noun} not in the ratings, such as "
            f"{shown(example)}: left out."
        )
    if is_mapping:
        return [values[item] for item in ids]
    return values.iloc[[row[item] for item in ids]]


def is_default_index(index: Any) -> bool:
    """Return whether an index of pandas has the integers 0, 1, ... in this order."""
    values = np.asarray(index)
    return values.dtype.kind in "iu" and np.array_equal(values, np.arange(len(values)))


def _check_are_not_ids(name: str, items: NDArray[Any] | None) -> None:
    """Raise if the index 0, 1, ... of values may be their order or the ids of the items."""
    if items is None or items.dtype.kind not in "iu" or is_default_index(items):
        return
    if is_default_index(np.sort(items)):
        raise ValueError(
            f"{name} has the index 0, 1, ..., and the ids of the items are the same numbers in "
            f"another order: pass {name}.to_numpy() for the order of the items, or "
            f"{name}.to_dict() to join by id."
        )
