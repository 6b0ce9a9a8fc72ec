"""Tests of all pairs of systems on the same resamples, by the step-down maximum of t."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import slices
from sklearn_ordinal.inference._ties import TIE, scale_of

Floats = NDArray[np.float64]

# Temporary arrays have a row for each pair and a column for each resample.
_NUMBERS_AT_ONCE = 2**20


def step_down_pvalues(estimates: Floats, resampled: Floats) -> Floats:
    r"""Return adjusted p-values for the differences of all pairs of systems.

    Romano and Wolf (2005), Econometrica 73(4), doi:10.1111/j.1468-0262.2005.00615.x: the
    difference of a pair is divided by the standard deviation of its resampled values, and
    these are centred at the difference, as if it were zero:

    .. math:: t = |d| / s, \quad t^* = |d^* - d| / s

    The pairs are tested from the largest :math:`t` to the smallest. The p-value is the share of
    resamples in which the largest :math:`t^*` of a pair and of all that come after it is at least
    :math:`t`, but no smaller than the p-value before. This controls the probability of any false
    rejection for the dependence that the resamples have.

    Parameters
    ----------
    estimates : ndarray of shape (n_systems,)
        Value of each system.
    resampled : ndarray of shape (n_systems, n_resamples)
        Value of each system on each resample, the same resamples for all systems. Resamples on
        which a system that is tested has no finite value are left out.

    Returns
    -------
    ndarray of shape (n_systems, n_systems)
        Adjusted p-values, NaN on the diagonal, for pairs of a system without a finite value,
        and everywhere if fewer than two resamples are left.
    """
    pvalues = np.full((len(estimates), len(estimates)), np.nan)
    tested = np.flatnonzero(np.isfinite(estimates))
    shifted = resampled[tested] - estimates[tested, None]
    shifted = shifted[:, np.isfinite(shifted).all(axis=0)]
    n_resamples = shifted.shape[1]
    if len(tested) < 2 or n_resamples < 2:
        return pvalues
    first, second = np.triu_indices(len(tested), k=1)
    margin = float(TIE * scale_of(estimates[tested]))
    difference = np.abs(estimates[tested][first] - estimates[tested][second])
    deviation = _deviations(shifted, first, second)
    is_constant = deviation <= margin
    # A difference that is the same in each resample is beyond all others.
    t = np.where(is_constant, np.inf, difference / np.where(is_constant, 1, deviation))
    t[difference <= margin] = 0
    deviation[is_constant] = np.inf
    ascending = np.argsort(t, kind="stable")
    n_as_large = _n_as_large(shifted, first[ascending], second[ascending], t, deviation, ascending)
    adjusted = np.empty(len(t))
    descending = ascending[::-1]
    adjusted[descending] = np.maximum.accumulate((1 + n_as_large[::-1]) / (1 + n_resamples))
    first, second = tested[first], tested[second]
    pvalues[first, second] = pvalues[second, first] = adjusted
    return pvalues


def _deviations(shifted: Floats, first: NDArray[np.intp], second: NDArray[np.intp]) -> Floats:
    """Return the standard deviation of the resampled difference of each pair."""
    deviations = np.empty(len(first))
    for part in slices(len(first), _NUMBERS_AT_ONCE // shifted.shape[1]):
        differences = shifted[first[part]] - shifted[second[part]]
        deviations[part] = differences.std(axis=1, ddof=1)
    return deviations


def _n_as_large(
    shifted: Floats,
    first: NDArray[np.intp],
    second: NDArray[np.intp],
    t: Floats,
    deviation: Floats,
    ascending: NDArray[np.intp],
) -> NDArray[np.intp]:
    """Count, for each pair from the smallest t on, the resamples whose maximum is as large."""
    # Rounding errors must not separate equal values.
    bounds = (t * (1 - TIE))[ascending, None]
    counts = np.empty(len(first), dtype=np.intp)
    largest = np.zeros(shifted.shape[1])
    for part in slices(len(first), _NUMBERS_AT_ONCE // shifted.shape[1]):
        maxima = np.abs(shifted[first[part]] - shifted[second[part]])
        maxima /= deviation[ascending[part], None]
        np.maximum(maxima[0], largest, out=maxima[0])
        np.maximum.accumulate(maxima, axis=0, out=maxima)
        counts[part] = np.count_nonzero(maxima >= bounds[part], axis=1)
        largest = maxima[-1].copy()
    return counts
