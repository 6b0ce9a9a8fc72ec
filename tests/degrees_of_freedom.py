"""Standard errors and degrees of freedom from the moves of units, sample by sample in NumPy."""

import numpy as np
from scipy import stats


def of_sample(moves, weights=None, *, in_counts=False):
    """Return the variance of a value from one sample, and the degrees of freedom.

    Parameters
    ----------
    moves : array-like of shape (n_units,)
        How far each unit moves the value in total.
    weights : array-like of shape (n_units,), default=None
        Total weight of the unit. If None, all units have the same weight.
    in_counts : bool, default=False
        Whether the evidence holds sums of weights and of squared weights only.
    """
    moves = np.asarray(moves, dtype=float)
    weights = np.ones(len(moves)) if weights is None else np.asarray(weights, dtype=float)
    n_units, moves = len(moves), moves - moves.mean()
    if n_units < 2:
        return np.nan, 0
    variance = n_units / (n_units - 1) * (moves**2).sum()
    # The moves are equal but for rounding.
    if variance < 1e-24:
        return 0, n_units - 1
    if in_counts:
        return variance, of_weighted_counts(weights)
    excess = max(stats.kurtosis(moves, bias=False), 0)
    by_kurtosis = 2 / (excess / n_units + 2 / (n_units - 1)) - 2
    n_effective = (weights**2).sum() ** 2 / (weights**4).sum()
    return variance, min(n_units - 1, max(by_kurtosis, (n_effective - 1) / 2, 1))


def of_samples(samples, weights=None, **options):
    """Return the standard error of a value from independent samples, and its degrees of freedom.

    Parameters
    ----------
    samples : sequence of array-like
        The moves of the units of each sample.
    weights : sequence of array-like, default=None
        The weights of the units of each sample.
    **options : dict
        Options of `of_sample`.
    """
    weights = [None] * len(samples) if weights is None else weights
    parts = [of_sample(*sample, **options) for sample in zip(samples, weights, strict=True)]
    variance = sum(part for part, _ in parts)
    return np.sqrt(variance), variance**2 / sum(part**2 / of_part for part, of_part in parts)


def of_means(*samples):
    """Return the standard error of a difference of means, and its degrees of freedom."""
    return of_samples([sample / len(sample) for sample in map(np.asarray, samples)])


def of_weighted_counts(weights):
    """Return Kish's effective number of samples minus 1.

    These are the degrees of freedom of counts with weights.
    """
    weights = np.asarray(weights, dtype=float)
    return weights.sum() ** 2 / (weights**2).sum() - 1


def two_sided(ratio, degrees):
    """Return the p-value of a t statistic."""
    return 2 * stats.t.sf(abs(ratio), degrees)
