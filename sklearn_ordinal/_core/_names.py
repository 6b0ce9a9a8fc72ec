"""Names of classes, thresholds and groups."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from numbers import Integral
from typing import Any

from sklearn_ordinal._core._checks import column_names, iterate, listed, shown
from sklearn_ordinal._core._containers import is_missing_value
from sklearn_ordinal._core._scale import OrdinalScale


def check_names(name: str, values: Any) -> tuple[str, ...]:
    """Return a sequence of names, whatever container holds it, as a tuple of strings."""
    names = read_names(name, values)
    for value in names:
        if isinstance(value, bytes) or not isinstance(value, Hashable):
            raise ValueError(f"{name} must be strings, got {shown(value)}.")
    return tuple(map(str, names))


def read_names(name: str, values: Any) -> tuple[Any, ...]:
    """Return a sequence of names, none of which is missing, as a tuple."""
    names = tuple(iterate(name, values, "names"))
    if column_names(values) is not None:
        raise ValueError(
            f"{name} must be a sequence of names, got a {type(values).__name__}: pass one column."
        )
    for value in filter(is_missing_value, names):
        raise ValueError(f"{name} must not have missing values, got {shown(value)}.")
    return names


def check_target_names(target_names: Sequence[str] | None, scale: OrdinalScale) -> tuple[str, ...]:
    """Return the display names of the classes, which default to the labels."""
    classes = scale.labels.tolist()
    is_sequence = target_names is None or isinstance(target_names, Iterable)
    is_sequence &= getattr(target_names, "ndim", 1) == 1
    if not is_sequence or isinstance(target_names, (str, Mapping, Set)):
        raise ValueError(
            f"target_names must be a sequence of names in the order of the classes, "
            f"got {type(target_names).__name__}."
        )
    index = getattr(target_names, "index", None)
    # A list also has an attribute `index`, a method.
    if not (
        index is None or callable(index) or list(index) in (list(range(len(classes))), classes)
    ):
        raise ValueError(
            f"target_names must be a list of names in the order of the classes {listed(classes)}, "
            f"got a {type(target_names).__name__} with the index "
            f"{listed(list(index))}."
        )
    if target_names is not None:
        names = check_names("target_names", target_names)
    else:
        names = tuple(map(str, classes))
        if len(set(names)) < len(names):
            names = tuple(map(repr, classes))
    if len(names) != len(classes):
        raise ValueError(
            f"target_names must name each of the {len(classes)} classes {listed(classes)}, "
            f"got {len(names)} names."
        )
    if len(set(names)) != len(names):
        raise ValueError(f"target_names must differ from each other, got {listed(names)}.")
    return names


def threshold_names(names: Sequence[Any]) -> tuple[str, ...]:
    """Return the name of each threshold, made from the name of the class below it."""
    return tuple(f"above '{name}'" for name in names[:-1])


def checked_groups(groups: Any, stack: tuple[int, ...]) -> tuple[Any, ...]:
    """Return the names of the entries along the first axis of a stack, () if there are none."""
    names = read_names("groups", groups)
    if names and (not stack or len(names) != stack[0]):
        raise ValueError(
            f"groups must name each entry along the first axis of a stack, got {len(names)} "
            f"names for a stack of shape {stack}."
        )
    if len(set(names)) < len(names):
        raise ValueError(f"groups must name each entry once, got {listed(names)}.")
    return names


def group_position(group: Any, groups: tuple[Any, ...], stack: tuple[int, ...]) -> int:
    """Return the position of a group in a stack, whose entries without names are numbered."""
    if group in groups:
        return groups.index(group)
    if groups:
        raise KeyError(f"group must be one of {listed(groups)}, got {shown(group)}.")
    if not stack:
        raise KeyError(f"group must be left out, since this is not a stack, got {shown(group)}.")
    is_position = isinstance(group, Integral) and not isinstance(group, bool)
    if not is_position or not -stack[0] <= group < stack[0]:
        raise IndexError(
            f"group must be a position from 0 to {stack[0] - 1}, since the groups of this stack "
            f"have no names, got {shown(group)}."
        )
    return int(group)
