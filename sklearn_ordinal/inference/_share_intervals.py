"""Intervals of shares of samples, from the beta distribution."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, stdtrit

from sklearn_ordinal._core import divide
from sklearn_ordinal.inference._interval import Interval

Floats = NDArray[np.float64]


class Shares(NamedTuple):
    """Shares of the samples of several groups, and what their intervals need."""

    share: Floats
    """The shares, NaN for groups without samples."""
    n_samples: Floats
    n_units: Floats
    """Number of samples, or of clusters, that were drawn."""
    squared_deviations: Floats
    """Sum over the units of the squared sum of weights times deviations from the share."""
    weight: Floats
    squared_weights: Floats
    """Sum over the units of the squared weight."""
    is_clustered: bool

    def rows(self, part: slice) -> Shares:
        """Return some of the shares."""
        return Shares(
            self.share[part],
            self.n_samples[part],
            self.n_units[part],
            self.squared_deviations[part],
            self.weight[part],
            self.squared_weights[part],
            self.is_clustered,
        )


def share_intervals(shares: Shares, confidence_level: float) -> list[Interval]:
    """Return the interval of each share.

    For samples of equal weight, drawn one by one, the intervals are those of Clopper and Pearson
    (1934), which hold for any share and number of samples. Otherwise, the number of samples is
    replaced by the effective number of Korn and Graubard (1998).
    """
    low, high = _ends(shares, confidence_level)
    return [
        Interval(*numbers, confidence_level, method="beta")
        for numbers in zip(shares.share.tolist(), low.tolist(), high.tolist(), strict=True)
    ]


def smallest_share_interval(shares: Shares, confidence_level: float) -> Interval:
    """Return the interval of the smallest of several shares.

    If simultaneous intervals contain all shares, the smallest share is between their smallest
    lower end and their smallest upper end. The level of each is that of Sidak (1967).
    """
    share = shares.share[~np.isnan(shares.share)]
    low, high = _ends(shares, confidence_level ** (1 / len(share)))
    return Interval(
        float(share.min()),
        float(np.nanmin(low)),
        float(np.nanmin(high)),
        confidence_level,
        method="simultaneous beta",
    )


def _ends(shares: Shares, level: float) -> tuple[Floats, Floats]:
    number = _effective_numbers(shares, level)
    n_covered = shares.share * number
    n_other = number - n_covered
    with np.errstate(invalid="ignore"):
        low = betaincinv(n_covered, n_other + 1, (1 - level) / 2)
        high = betaincinv(n_covered + 1, n_other, (1 + level) / 2)
    # The beta distribution is not defined at the ends.
    low, high = np.where(n_covered <= 0, 0.0, low), np.where(n_other <= 0, 1.0, high)
    is_undefined = np.isnan(shares.share)
    return np.where(is_undefined, np.nan, low), np.where(is_undefined, np.nan, high)


def _effective_numbers(shares: Shares, level: float) -> Floats:
    """Return the numbers of samples of equal weight that say as much about the shares."""
    share, n_samples, n_units = shares.share, shares.n_samples, shares.n_units
    correction = divide(n_units, n_units - 1) * divide(n_samples - 1, n_samples)
    variances = correction * shares.squared_deviations / shares.weight**2
    # If all samples of a group are alike, each cluster counts as one sample.
    numbers = np.where(
        (share > 0) & (share < 1) & (variances > 0),
        divide(share * (1 - share), variances),
        divide(shares.weight**2, shares.squared_weights),
    )
    if shares.is_clustered:
        # The variance is estimated from few clusters. A single cluster does not show it at all.
        quantiles = [stdtrit(np.maximum(n - 1, 1), (1 + level) / 2) for n in (n_samples, n_units)]
        numbers = np.where(n_units > 1, numbers * divide(*quantiles) ** 2, 0)
    limited: Floats = np.minimum(numbers, n_samples)
    return limited
