"""Intervals of many systems, and tests of all pairs, on the same resamples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from string import ascii_lowercase
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import arithmetic, evidence_kinds, sampling, tolerances
from sklearn_ordinal._core.arithmetic import Floats
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.evidence_reading import SystemsEvidence
from sklearn_ordinal._core.scales import OrdinalScale
from sklearn_ordinal.inference import _bootstrap
from sklearn_ordinal.inference._bootstrap import Influences
from sklearn_ordinal.inference._intervals import Interval

# Compact letter display: systems share a letter unless they differ significantly
# -------------------------------------------------------------------------------

Flags = NDArray[np.bool_]


def compact_letters(is_different: Flags) -> list[str]:
    """Return the letters of each system, such as "ab".

    Two systems share a letter if and only if they do not differ significantly. No letter is
    redundant. If 26 letters are not enough, they continue with a2, b2, ..., z2, a3.

    Parameters
    ----------
    is_different : ndarray of shape (n_systems, n_systems)
        Whether two systems differ significantly. The array is symmetric and False on the
        diagonal. The letters are in alphabetical order if the systems are in the order of their
        rank.

    Returns
    -------
    list of str
        The letters of each system, at least one.
    """
    groups = _groups(is_different)
    letters = np.array([_letter(position) for position in range(len(groups))], dtype=object)
    return ["".join(letters[has_letter]) for has_letter in groups.T]


def _groups(is_different: Flags) -> Flags:
    """Return whether each letter belongs to each system, (n_letters, n_systems).

    This is the insert-and-absorb algorithm of H.-P. Piepho (2004), "An algorithm for a
    letter-based representation of all-pairwise comparisons", Journal of Computational and
    Graphical Statistics 13(2), doi:10.1198/1061860043515.
    """
    n_systems = len(is_different)
    groups = np.ones((1, n_systems), dtype=np.bool_)
    for first, second in np.argwhere(np.triu(is_different)):
        has_both = groups[:, first] & groups[:, second]
        remaining, without_first = groups[~has_both], groups[has_both]
        without_second = without_first.copy()
        without_first[:, first] = without_second[:, second] = False
        split = np.concatenate([without_first, without_second])
        is_absorbed = (split[:, None] <= remaining).all(axis=-1).any(axis=-1)
        groups = np.concatenate([remaining, split[~is_absorbed]])
        # There can be as many as 2 ** (n_systems / 2) maximal groups. Without redundant groups,
        # there are no more groups than pairs.
        if len(groups) > n_systems:
            groups = _without_redundant(groups)
    groups = _without_redundant(groups)
    order: NDArray[np.intp] = np.lexsort(~groups.T[::-1])
    return groups[order]


def _without_redundant(groups: Flags) -> Flags:
    """Leave out groups whose pairs and single systems are all in other groups as well."""
    n_shared = groups.T.astype(np.int64) @ groups
    is_needed = np.ones(len(groups), dtype=np.bool_)
    for number in np.argsort(groups.sum(axis=1), kind="stable"):
        pairs = np.outer(groups[number], groups[number])
        if (n_shared[pairs] > 1).all():
            is_needed[number] = False
            n_shared -= pairs
    return groups[is_needed]


def _letter(position: int) -> str:
    repetition, letter = divmod(position, len(ascii_lowercase))
    return ascii_lowercase[letter] + (str(repetition + 1) if repetition else "")


# Step-down max-t tests of all pairs of systems, on shared resamples
# ------------------------------------------------------------------

# Size of temporary arrays, which have a row for each pair and a column for each resample.
_NUMBERS_AT_ONCE = 2**18
# Largest accepted ratio between the standard errors from influences and from the bootstrap.
_MOST_RATIO = 2.0


class PairTests(NamedTuple):
    """Tests of all pairs of systems, with arrays of shape (n_systems, n_systems).

    The arrays are NaN on the diagonal, for pairs of a system without a finite value, and
    everywhere if fewer than two resamples are left.
    """

    pvalues: Floats
    """Adjusted p-values."""
    margins: Floats
    """Half the lengths of simultaneous intervals of the differences.

    The margins are also NaN if there are too few resamples for the confidence level.
    """
    standard_errors: Floats
    """Standard errors of the differences.

    They are also NaN if the difference is the same in all resamples.
    """
    n_undefined: int
    """Number of resamples that are left out."""


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Pairs ordered by increasing t."""

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    t: Floats
    error: Floats
    """Standard error of the difference; infinite if the difference is the same in all resamples."""
    is_studentised: NDArray[np.bool_]
    """Whether each resample has its own standard error."""

    def errors(self, variances: Floats | None) -> Floats:
        """Return the standard errors in resamples, (n_pairs, n_resamples) or (n_pairs, 1).

        `variances` are variances of differences, of shape (n_resamples, n_systems, n_systems).
        """
        if variances is None:
            return self.error[:, None]
        of_resamples = np.sqrt(variances[:, self.first, self.second].T)
        return np.where(self.is_studentised[:, None], of_resamples, self.error[:, None])

    def parts(self, n_columns: int) -> Iterator[tuple[slice, _Pairs]]:
        """Yield a few pairs at a time, for arrays with `n_columns` columns."""
        for part in arithmetic.slices(len(self.t), _NUMBERS_AT_ONCE // max(n_columns, 1)):
            yield part, self.take(part)

    def take(self, chosen: slice | NDArray[np.intp]) -> _Pairs:
        """Return some of the pairs."""
        return _Pairs(
            self.first[chosen],
            self.second[chosen],
            self.t[chosen],
            self.error[chosen],
            self.is_studentised[chosen],
        )


def step_down_tests(
    estimates: Floats,
    resampled: Floats,
    influences: Influences | None = None,
    *,
    confidence_level: float = 0.95,
) -> PairTests:
    r"""Test the differences of all pairs of systems.

    This is the procedure of Romano and Wolf (2005), Econometrica 73(4),
    doi:10.1111/j.1468-0262.2005.00615.x. Let :math:`d` be the difference of a pair and
    :math:`s` its standard error, and let :math:`d^*` and :math:`s^*` be the difference and its
    standard error in a resample. The test statistic, and its value in a resample under the
    hypothesis of no difference, are:

    .. math:: t = |d| / s, \quad t^* = |d^* - d| / s^*

    The pairs are tested from the largest :math:`t` to the smallest. The p-value of a pair is
    the share of resamples in which the largest :math:`t^*`, among this pair and all pairs after
    it, is at least :math:`t`. A p-value below the preceding p-value is raised to it. This
    controls the probability of any false rejection, and takes into account that the differences
    are dependent.

    The standard errors come from the influences of the units. For a pair without influences, the
    standard deviation of the resampled differences is used in :math:`t` and in each resample.

    Parameters
    ----------
    estimates : ndarray of shape (n_systems,)
        Value of each system.
    resampled : ndarray of shape (n_systems, n_resamples)
        Value of each system on each resample. All systems are evaluated on the same resamples.
        A resample is left out if a tested system has no finite value on it.
    influences : Influences, default=None
        Influence of the units on the values, and how often they are drawn in the resamples.
    confidence_level : float, default=0.95
        Probability that the intervals contain all differences simultaneously.

    Returns
    -------
    PairTests
        Adjusted p-values, half the lengths of simultaneous intervals, standard errors, and the
        number of resamples that are left out.
    """
    pvalues, margins, errors = np.full((3, len(estimates), len(estimates)), np.nan)
    tested = np.flatnonzero(np.isfinite(estimates))
    shifted = resampled[tested] - estimates[tested, None]
    is_kept = np.asarray(np.isfinite(shifted).all(axis=0))
    n_kept = int(np.count_nonzero(is_kept))
    n_undefined = len(is_kept) - n_kept
    if len(tested) < 2 or n_kept < 2:
        return PairTests(pvalues, margins, errors, n_undefined)
    if influences is not None:
        influences = influences.of_systems(tested)
    pairs = _ordered_pairs(estimates[tested], shifted[:, is_kept], influences)
    n_as_large, maxima = _compare(pairs, shifted, is_kept, influences)
    adjusted = np.maximum.accumulate((1 + n_as_large[::-1]) / (1 + n_kept))[::-1]
    first, second = tested[pairs.first], tested[pairs.second]
    pvalues[first, second] = pvalues[second, first] = adjusted
    error = np.where(np.isinf(pairs.error), np.nan, pairs.error)
    errors[first, second] = errors[second, first] = error
    # The interval of a pair contains 0 unless the first step of the procedure rejects the pair.
    n_beyond = min(n_kept, int((1 - confidence_level) * (1 + n_kept) * (1 + tolerances.TIE)))
    if n_beyond:
        margin = np.sort(maxima)[-n_beyond] * np.nan_to_num(error)
        margins[first, second] = margins[second, first] = margin
    return PairTests(pvalues, margins, errors, n_undefined)


def _ordered_pairs(estimates: Floats, shifted: Floats, influences: Influences | None) -> _Pairs:
    """Return the pairs with their standard errors, ordered by increasing t."""
    first, second = np.triu_indices(len(estimates), k=1)
    margin = float(tolerances.TIE * tolerances.scale_of(estimates))
    error, is_studentised = np.empty(len(first)), np.zeros(len(first), dtype=np.bool_)
    for part in arithmetic.slices(len(first), _NUMBERS_AT_ONCE // shifted.shape[1]):
        error[part] = (shifted[first[part]] - shifted[second[part]]).std(axis=1, ddof=1)
    if influences is not None:
        of_influences = np.sqrt(influences.variances()[first, second])
        # Influences fail if a metric is not a smooth function of the weights.
        ratio = arithmetic.divide(of_influences, np.where(error > margin, error, 0))
        is_smooth = (ratio > 1 / _MOST_RATIO) & (ratio < _MOST_RATIO)
        error = np.where(is_smooth, of_influences, error)
        is_studentised = is_smooth & influences.are_resampled
    difference = np.abs(estimates[first] - estimates[second])
    is_constant = error <= margin
    # A difference that is the same in every resample ranks above all others.
    t = np.where(is_constant, np.inf, difference / np.where(is_constant, 1, error))
    t[difference <= margin] = 0
    error[is_constant] = np.inf
    return _Pairs(first, second, t, error, is_studentised).take(np.argsort(t, kind="stable"))


def _compare(
    pairs: _Pairs, shifted: Floats, is_kept: NDArray[np.bool_], influences: Influences | None
) -> tuple[NDArray[np.intp], Floats]:
    """Return the number of resamples whose maximum is at least t, and the maxima over all pairs.

    The maximum for a pair is the largest t of this pair and of all pairs with a smaller t.
    """
    # Rounding errors must not separate equal values.
    bounds = pairs.t * (1 - tolerances.TIE)
    n_as_large, maxima = np.zeros(len(bounds), dtype=np.intp), np.zeros(len(is_kept))
    for resamples, variances in _draws(is_kept, influences if pairs.is_studentised.any() else None):
        largest, of_draw = maxima[resamples], shifted[:, resamples]
        for part, few_pairs in pairs.parts(len(resamples)):
            t = np.abs(of_draw[few_pairs.first] - of_draw[few_pairs.second])
            t /= few_pairs.errors(variances)
            np.maximum(t[0], largest, out=t[0])
            np.maximum.accumulate(t, axis=0, out=t)
            n_as_large[part] += np.count_nonzero(t >= bounds[part, None], axis=1)
            largest = t[-1]
        maxima[resamples] = largest
    return n_as_large, maxima[is_kept]


def _draws(
    is_kept: NDArray[np.bool_], influences: Influences | None
) -> Iterator[tuple[NDArray[np.intp], Floats | None]]:
    """Yield the positions of the kept resamples, and the variances of differences in them."""
    if influences is None:
        yield np.flatnonzero(is_kept), None
        return
    start = 0
    for variances in influences.variances_in_resamples():
        numbers = np.flatnonzero(is_kept[start : start + len(variances)])
        yield start + numbers, variances[numbers]
        start += len(variances)


# Intervals of many systems, and tests of all pairs, on the same resamples
# ------------------------------------------------------------------------

_MOST_INFLUENCES = 200_000


@dataclass(frozen=True, eq=False)
class ResampledSystems:
    """Resampling results of systems, by the name of the metric.

    Parameters
    ----------
    scale : OrdinalScale
        The classes.
    intervals : mapping of str to tuple of Interval
        The interval of each system.
    tests : mapping of str to PairTests
        The tests of all pairs.
    n_unanswered : list of float
        For each system, the number, or weight, of the samples without a prediction.
    n_samples : int
        Number of samples, not counting samples of weight zero.
    total_weight : float or None
        Sum of the sample weights, None if there are no weights.
    n_units : int
        Number of samples, or groups, that are drawn.
    """

    scale: OrdinalScale
    intervals: Mapping[str, tuple[Interval, ...]]
    tests: Mapping[str, PairTests]
    n_unanswered: list[float]
    n_samples: int
    total_weight: float | None
    n_units: int


def resample_systems(
    metrics: Sequence[OrdinalMetric],
    systems: SystemsEvidence,
    *,
    confidence_level: float,
    n_resamples: int,
    rng: np.random.Generator,
) -> ResampledSystems:
    """Evaluate all systems on the same resamples."""
    units = evidence_kinds.resampling_units(systems)
    together = units.all_together()
    estimates = _bootstrap.values_of(metrics, [together])[..., 0]
    # Copy the generator, to draw the same resamples again.
    rng_of_resamples = deepcopy(rng)
    resampled = _bootstrap.values_of(metrics, units.resampled(rng, n_resamples))
    accelerations, influences = _bootstrap.accelerations_and_influences(metrics, units)
    n_unanswered = units.n_unanswered()
    intervals = _bootstrap.resampled_intervals(
        metrics, estimates, resampled, accelerations, n_unanswered, confidence_level
    )
    # Standard errors in resamples hardly vary with many units, and take time for each system.
    are_resampled = (
        units.n_units <= _bootstrap.MOST_UNITS_OF_JACKKNIFE
        or influences[0].size <= _MOST_INFLUENCES
    )
    tests = {
        metric.name: step_down_tests(
            estimates[k],
            resampled[k],
            Influences(
                influences[k],
                units.kind_sizes,
                lambda: units.drawn(deepcopy(rng_of_resamples), n_resamples),
                are_resampled,
            ),
            confidence_level=confidence_level,
        )
        for k, metric in enumerate(metrics)
    }
    total: float = together[0].class_counts.sum().item()
    if isinstance(systems, OrdinalConfusion):
        n_samples, is_weighted = int(systems.n_samples[0]), systems.is_weighted
    else:
        weights = systems[0].weights
        n_samples = sampling.count_samples(systems[0])
        # `is_weighted` is False for samples whose weights were set by `reweighted`.
        is_weighted = systems[0].is_weighted or bool((weights != 1).any())
    return ResampledSystems(
        together[0].scale,
        intervals,
        tests,
        n_unanswered,
        n_samples,
        total if is_weighted else None,
        units.n_units,
    )
