"""Mappings from names and from metrics to values, which print a line for each value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sklearn_ordinal._core._catalogue import METRICS
from sklearn_ordinal._core._checks import shown
from sklearn_ordinal._core._get_metric import get_metric


class ByName(dict[Any, Any]):
    """Values by name."""

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self),)

    def __str__(self) -> str:
        """Return a line for each value, as for printing it alone."""
        return "\n".join(_lines(self))


class ByMetric(ByName):
    """Values by metric name, with lookup by anything that `get_metric` accepts."""

    def __missing__(self, metric: Any) -> Any:
        try:
            return self[self.name_of(metric)]
        except ValueError as error:
            raise KeyError(str(error)) from None

    def __contains__(self, metric: Any) -> bool:
        try:
            self.name_of(metric)
        except ValueError:
            return False
        return True

    def get(self, metric: Any, default: Any = None) -> Any:
        """Return the values of a metric, or the default."""
        try:
            return self[metric]
        except KeyError:
            return default

    def name_of(self, metric: Any, argument: str = "metric") -> str:
        """Return the key of a metric; `argument` is the name of the argument in errors."""
        names = self.keys()
        if isinstance(metric, str) and metric in names:
            return metric
        try:
            name = get_metric(metric).name
        except ValueError:
            # Only this mapping knows the name of a user's criterion.
            name = metric.removeprefix("neg_") if isinstance(metric, str) else ""
            name = "" if name in METRICS else name
        if name not in names:
            first_names = list(names)[:5]
            more = ", ..." if len(names) > len(first_names) else ""
            raise ValueError(
                f"{argument} must be among [{', '.join(map(shown, first_names))}{more}], "
                f"got {shown(metric)}."
            )
        return name


def _lines(values: Mapping[Any, Any], start: str = "") -> Iterator[str]:
    """Yield a line for each value, which starts with its name or its names in nested mappings."""
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _lines(value, f"{start}{name}, ")
        else:
            yield f"{start}{name}: {value}"
