"""Reports at other class sizes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import OrdinalConfusion, OrdinalForecasts


def at_prevalence(confusion: OrdinalConfusion, prevalence: ArrayLike) -> OrdinalConfusion:
    """Return the counts at other class sizes, with errors that name the argument of reports."""
    try:
        return confusion.at_prevalence(prevalence)
    except ValueError as error:
        raise ValueError(str(error).replace("shares", "prevalence", 1)) from None


def forecasts_at_prevalence(
    forecasts: OrdinalForecasts, prevalence: NDArray[np.float64]
) -> OrdinalForecasts:
    """Return forecasts with the samples of each true class weighted to its share."""
    sizes = forecasts.class_counts
    factors = prevalence * sizes.sum() / np.where(sizes > 0, sizes, 1)
    return forecasts.reweighted(forecasts.weights * factors[forecasts.y_true])


def prevalence_as_text(
    prevalence: NDArray[np.float64], target_names: Sequence[str], digits: int
) -> str:
    """Return the sentence that says at which class sizes values are."""
    shares = zip(target_names, prevalence.tolist(), strict=True)
    listed = ", ".join(f"{name} {share:.{digits}f}" for name, share in shares)
    return f"All values are at these shares of the true classes: {listed}."
