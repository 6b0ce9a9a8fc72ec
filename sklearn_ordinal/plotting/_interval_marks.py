"""Intervals as rows of a plot, and the required attributes of intervals."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Protocol

from sklearn_ordinal._core import check_value, iterate, shown
from sklearn_ordinal.plotting._colors import BLUE, GREY


class IntervalLike(Protocol):
    """An estimate with a confidence interval.

    Displays are drawn from any object with these attributes, so plotting does not depend
    on the modules that compute intervals.
    """

    @property
    def estimate(self) -> float: ...

    @property
    def low(self) -> float: ...

    @property
    def high(self) -> float: ...

    @property
    def confidence_level(self) -> float: ...


def check_intervals(argument: str, intervals: Mapping[str, Any]) -> None:
    """Raise unless all values of a mapping have the attributes of an interval."""
    attributes = ("estimate", "low", "high", "confidence_level")
    for name, interval in intervals.items():
        if not all(hasattr(interval, attribute) for attribute in attributes):
            raise ValueError(
                f"{argument} must be intervals with the attributes {', '.join(attributes)}, "
                f"got {shown(interval)} for {shown(name)}."
            )


def first_model_row(names: Iterable[str], baselines: Collection[str]) -> int:
    """Return the first row that is not a baseline, or 0 if all rows are baselines."""
    return next((row for row, name in enumerate(names) if name not in baselines), 0)


def draw_interval(
    ax: Any,
    row: float,
    interval: IntervalLike,
    *,
    size: float,
    is_baseline: bool = False,
    color: str = BLUE,
    marker: str = "D",
) -> tuple[Any, Any]:
    """Plot an interval as a line and its estimate as a mark, grey and hollow for a baseline.

    The size of the marks follows the given font size in points.
    """
    color = GREY if is_baseline else color
    (line,) = ax.plot(
        [interval.low, interval.high],
        [row, row],
        color=color,
        linewidth=0.2 * size,
        marker="|",
        markersize=0.6 * size,
        markeredgewidth=1,
    )
    (estimate,) = ax.plot(
        [interval.estimate],
        [row],
        color=color,
        marker=marker,
        markersize=0.7 * size,
        markeredgewidth=1,
        markerfacecolor=ax.get_facecolor() if is_baseline else color,
        linestyle="none",
    )
    return line, estimate


def check_ceiling(ceiling: Any) -> tuple[float, float] | None:
    """Return the ends of a ceiling in ascending order; None if there is none, or an end is NaN."""
    if ceiling is None:
        return None
    ends = [check_value("ceiling", end) for end in iterate("ceiling", ceiling, "two numbers")]
    if len(ends) != 2 or ends[0] > ends[1]:
        raise ValueError(f"ceiling must be two numbers in ascending order, got {shown(ceiling)}.")
    return None if any(map(math.isnan, ends)) else (ends[0], ends[1])


def draw_ceiling(ax: Any, ceiling: tuple[float, float]) -> Any:
    """Shade the values between the ends of a ceiling."""
    return ax.axvspan(*ceiling, facecolor=GREY, alpha=0.3, linewidth=0, zorder=0.5)
