"""Reports at other class sizes."""

from __future__ import annotations

from numpy.typing import ArrayLike

from sklearn_ordinal._core import OrdinalConfusion


def at_prevalence(confusion: OrdinalConfusion, prevalence: ArrayLike) -> OrdinalConfusion:
    """Return the counts at other class sizes, with errors that name the argument of reports."""
    try:
        return confusion.at_prevalence(prevalence)
    except ValueError as error:
        raise ValueError(str(error).replace("shares", "prevalence", 1)) from None
