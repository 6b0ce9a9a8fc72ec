"""Reports at other class sizes."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import (
    OrdinalForecasts,
    OrdinalScores,
    of_checked,
    weights_at_prevalence,
)

AnySamples = TypeVar("AnySamples", bound=OrdinalForecasts | OrdinalScores)


def samples_at_prevalence(samples: AnySamples, prevalence: NDArray[np.float64]) -> AnySamples:
    """Return probabilities or scores with the samples of each true class weighted to its share."""
    predicted = samples.y_proba if isinstance(samples, OrdinalForecasts) else samples.y_score
    weights = weights_at_prevalence(samples.y_true, prevalence, samples.weights)
    return of_checked(
        type(samples), samples.scale, samples.y_true, predicted, weights, is_weighted=True
    )
