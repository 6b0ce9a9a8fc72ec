"""Standard errors of differences, and within resamples, from the influences of units."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

Floats = NDArray[np.float64]
Integers = NDArray[np.integer]

# If two systems differ on few units, a resample may contain none of these units and have zero
# variance.
_SMALLEST_SHARE = 0.5


def jackknife_influences(
    left_out: Sequence[Floats], kinds: Sequence[NDArray[np.intp]], sizes: NDArray[np.int64]
) -> Floats:
    """Return influences from the values without one unit: (n_systems, n_kinds).

    NaN for a system whose value is undefined without one of the units.

    Parameters
    ----------
    left_out : sequence of ndarray of shape (n_kinds_of_system,)
        For each system, its value if one unit is left out, for each kind of unit that the system
        distinguishes.
    kinds : sequence of ndarray of shape (n_kinds,)
        For each system, the position in `left_out` of each kind that the systems together
        distinguish.
    sizes : ndarray of shape (n_kinds,)
        Number of units of each kind.
    """
    values, n_units = np.full((len(left_out), len(sizes)), np.nan), sizes.sum()
    for row, without, kind in zip(values, left_out, kinds, strict=True):
        if np.isfinite(without).all():
            of_kinds = without[kind]
            row[:] = (n_units - 1) * (of_kinds @ sizes / n_units - of_kinds)
    return values


@dataclass(frozen=True, eq=False)
class Influences:
    """The influence of each unit on the value of each system, and the units in each resample.

    Parameters
    ----------
    values : ndarray of shape (n_systems, n_kinds)
        Influence of a unit of each kind: its contribution to the value, times the number of
        units. The sum over all units is zero. NaN for systems without influences.
    sizes : ndarray of shape (n_kinds,)
        Number of units of each kind.
    drawn : callable
        Function that yields arrays of shape (n_kinds, size): the number of units of each kind
        in some of the resamples. Each call starts again with the first resample.
    are_resampled : bool, default=True
        Whether standard errors are computed in each resample, not once for all resamples.
    """

    values: Floats
    sizes: NDArray[np.int64]
    drawn: Callable[[], Iterator[Integers]]
    are_resampled: bool = True

    def of_systems(self, chosen: NDArray[np.intp]) -> Influences:
        """Return the influences on the values of some systems."""
        return replace(self, values=self.values[chosen])

    def variances(self) -> Floats:
        """Return the variance of the difference of each pair, (n_systems, n_systems)."""
        return self._variances(self.sizes)

    def variances_in_resamples(self) -> Iterator[Floats]:
        """Yield the variances in a few resamples at a time, (n_resamples, n_systems, n_systems).

        The influences are always computed from all units; only the number of times that a unit
        is drawn varies. Each variance is raised to at least half of the variance in all units.
        """
        least = _SMALLEST_SHARE * self.variances()
        threads = ThreadpoolController()
        for times in self.drawn():
            # Compute the variances one by one, since the product of a matrix with its own transpose
            # takes half the time. Use one thread: on a busy machine, several threads would wait for
            # each other in such small products.
            with threads.limit(limits=1, user_api="blas"):
                variances = np.stack([self._variances(of_resample) for of_resample in times.T])
            yield np.maximum(variances, least)

    def _variances(self, times: Integers) -> Floats:
        """Return the variance of the difference of each pair in a resample.

        `times` is the number of units of each kind in the resample.
        """
        n_units = self.sizes.sum()
        # The square roots of one-byte integers have only half precision.
        scaled = self.values * np.sqrt(times, dtype=np.float64)
        products = scaled @ scaled.T
        sums = self.values @ times
        products -= sums[:, None] * sums / n_units
        squares = np.diagonal(products)
        # Rounding may give equal systems a variance below zero.
        variances = np.maximum(squares[:, None] + squares - 2 * products, 0)
        of_means: Floats = variances / n_units**2
        return of_means
