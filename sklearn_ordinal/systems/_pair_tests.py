"""Intervals of many systems on the same samples, and tests of all pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from string import ascii_lowercase
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.special import ndtr, ndtri, stdtrit

from sklearn_ordinal._core import arithmetic, evidence_kinds, tolerances
from sklearn_ordinal._core.arithmetic import Floats
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.evidence_reading import SystemsEvidence
from sklearn_ordinal._core.influence_functions import SortedUnits
from sklearn_ordinal.inference import _bootstrap, _intervals, _paired_difference, _unit_moves
from sklearn_ordinal.inference._bootstrap import Influences
from sklearn_ordinal.inference._intervals import Interval
from sklearn_ordinal.inference._paired_difference import SystemsValue

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


# Step-down max-t tests of all pairs of systems, in closed form or on shared resamples
# -------------------------------------------------------------------------------------

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

    The margins are also NaN if there are too few resamples or draws for the confidence level, and
    if all units move the difference alike, unless it is 0.
    """
    standard_errors: Floats
    """Standard errors of the differences.

    They are also NaN if the difference is the same in all resamples.
    """
    n_differing: Floats
    """Number of units with different predictions. NaN where the p-value is exact or comes from
    resamples, and for probabilities and scores."""
    n_undefined: int
    """Number of resamples that are left out."""

    @classmethod
    def of_pairs(
        cls,
        n_systems: int,
        first: NDArray[np.intp],
        second: NDArray[np.intp],
        columns: Sequence[Floats] = (),
        n_undefined: int = 0,
    ) -> PairTests:
        """Return the numbers of pairs, in the order of the fields, as symmetric arrays."""
        arrays = np.full((4, n_systems, n_systems), np.nan)
        for array, column in zip(arrays, columns, strict=False):
            array[first, second] = array[second, first] = column
        pvalues, margins, errors, n_differing = arrays
        return cls(pvalues, margins, errors, n_differing, n_undefined)


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
    tested = np.flatnonzero(np.isfinite(estimates))
    shifted = resampled[tested] - estimates[tested, None]
    is_kept = np.asarray(np.isfinite(shifted).all(axis=0))
    n_kept = int(np.count_nonzero(is_kept))
    n_undefined, none = len(is_kept) - n_kept, np.empty(0, dtype=np.intp)
    if len(tested) < 2 or n_kept < 2:
        return PairTests.of_pairs(len(estimates), none, none, n_undefined=n_undefined)
    if influences is not None:
        influences = influences.of_systems(tested)
    pairs = _ordered_pairs(estimates[tested], shifted[:, is_kept], influences)
    n_as_large, maxima = _compare(pairs, shifted, is_kept, influences)
    error = np.where(np.isinf(pairs.error), np.nan, pairs.error)
    columns = (
        _adjusted(n_as_large, n_kept),
        _critical_value(maxima, confidence_level) * np.nan_to_num(error),
        error,
        np.full(len(error), np.nan),
    )
    first, second = tested[pairs.first], tested[pairs.second]
    return PairTests.of_pairs(len(estimates), first, second, columns, n_undefined)


def _adjusted(n_as_large: NDArray[np.intp], n_maxima: int) -> Floats:
    """Return the adjusted p-values of pairs ordered by increasing t."""
    adjusted: Floats = np.maximum.accumulate((1 + n_as_large[::-1]) / (1 + n_maxima))[::-1]
    return adjusted


def _critical_value(maxima: Floats, confidence_level: float) -> float:
    """Return the t of a simultaneous interval, NaN if there are too few maxima.

    The interval of a pair contains 0 unless the first step of the procedure rejects the pair.
    """
    n_maxima = len(maxima)
    share = (1 - confidence_level) * (1 + n_maxima) * (1 + tolerances.TIE)
    n_beyond = min(n_maxima, int(share))
    return float(np.sort(maxima)[-n_beyond]) if n_beyond else np.nan


def joint_tests(
    systems: SystemsValue,
    is_tested: Flags,
    n_differing: Floats,
    normals: Floats,
    confidence_level: float,
) -> PairTests:
    r"""Test the differences of all pairs of systems in closed form.

    Each pair has the p-value of its own t-test, turned into :math:`z`. The values of all systems
    are drawn from the normal distribution with the covariance matrix of the moves. Pairs are tested
    from the largest :math:`z` to the smallest, as in `step_down_tests`: the p-value of a pair is
    the share of draws in which the largest difference, in units of its standard deviation, among
    this pair and all pairs after it, is at least :math:`z`. Pairs whose difference does not vary
    are not among them.

    Parameters
    ----------
    systems : SystemsValue
        The values and their moves.
    is_tested : ndarray of shape (n_systems,)
        Which systems have a finite value with a standard error.
    n_differing : ndarray of shape (n_systems, n_systems)
        Number of units with different predictions.
    normals : ndarray of shape (n_systems, n_draws)
        Independent standard normal numbers.
    confidence_level : float
        Probability that the intervals contain all differences simultaneously.
    """
    n_systems, tested = len(systems.values), np.flatnonzero(is_tested)
    i, j = np.triu_indices(len(tested), k=1)
    if not len(i):
        return PairTests.of_pairs(n_systems, i, j)
    pairs = _paired_difference.compare_pairs(systems, tested[i], tested[j])
    z = -ndtri(pairs.pvalue / 2)
    if len(i) == 1:
        # The maximum is the only difference, whose distribution is known.
        adjusted, critical_value = pairs.pvalue, float(ndtri((1 + confidence_level) / 2))
    else:
        root = _root(systems.moves.covariance()[np.ix_(tested, tested)])
        scale = np.linalg.norm(root[i] - root[j], axis=1)
        scale = np.where(pairs.standard_error > 0, scale, np.inf)
        ordered = _Pairs(i, j, z, scale, np.zeros(len(i), dtype=np.bool_))
        order = np.argsort(z, kind="stable")
        drawn = root @ normals[tested]
        every = np.ones(drawn.shape[1], dtype=np.bool_)
        n_as_large, maxima = _compare(ordered.take(order), drawn, every, None)
        adjusted = np.empty(len(order))
        adjusted[order] = _adjusted(n_as_large, len(maxima))
        # Pairs that are not among the draws.
        adjusted = np.where(np.isinf(scale), np.maximum(adjusted, pairs.pvalue), adjusted)
        critical_value = _critical_value(maxima, confidence_level)
    # A pair of few degrees of freedom has a longer interval for the same z.
    margin = stdtrit(pairs.degrees_of_freedom, ndtr(critical_value)) * pairs.standard_error
    margin = np.where(pairs.standard_error > 0, margin, np.where(pairs.pvalue == 1, 0, np.nan))
    error = np.where(pairs.standard_error > 0, pairs.standard_error, np.nan)
    n_differing = np.where(pairs.is_exact, np.nan, n_differing[tested[i], tested[j]])
    columns = adjusted, margin, error, n_differing
    return PairTests.of_pairs(n_systems, tested[i], tested[j], columns)


def _root(covariance: Floats) -> Floats:
    """Return the symmetric square root, which does not depend on the choice of eigenvectors."""
    eigenvalues, vectors = np.linalg.eigh(covariance)
    root: Floats = (vectors * np.sqrt(np.maximum(eigenvalues, 0))) @ vectors.T
    return root


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


# Intervals of many systems, and tests of all pairs
# -------------------------------------------------

_MOST_INFLUENCES = 200_000
# Draws of all systems in closed form, and resamples of criteria without influences.
N_DRAWS, N_RESAMPLES = 4_000, 9_999
_SEED_OF_DRAWS = 0


class SystemsInference(NamedTuple):
    """The intervals of systems, and the tests of all pairs, by the name of the metric."""

    intervals: dict[str, Sequence[Interval]]
    tests: dict[str, PairTests]
    reasons: dict[str, Sequence[int]]
    """Why intervals in closed form have no ends, as in `_intervals.Ends`."""


def infer_systems(
    metrics: Sequence[OrdinalMetric],
    systems: SystemsEvidence,
    *,
    confidence_level: float,
    n_resamples: int | None,
    rng: np.random.Generator,
    group: NDArray[np.intp] | None = None,
) -> SystemsInference:
    """Evaluate systems, or the means of their values in groups, and test all pairs.

    Parameters
    ----------
    metrics : sequence of OrdinalMetric
        Metrics that take such evidence.
    systems : SystemsEvidence
        The systems.
    confidence_level : float
        Confidence level of the intervals, and of the simultaneous intervals of differences.
    n_resamples : int or None
        Number of resamples. If None, only metrics without influences are resampled.
    rng : Generator
        Source of the random numbers of resamples.
    group : ndarray of shape (n_samples,), default=None
        Group of each sample, whose values are averaged, in closed form only. If None, the values
        are those of all samples.
    """
    found = SystemsInference({}, {}, {})
    resampled = [m for m in metrics if n_resamples is not None or m.has_influence is False]
    closed = [metric for metric in metrics if metric not in resampled]
    if closed:
        values = (
            _paired_difference.values_of_systems(closed, systems)
            if group is None
            else _means_of_groups(closed, systems, group)
        )
        n_unanswered = np.array(_paired_difference.amounts_unanswered(systems))
        shape = len(n_unanswered), N_DRAWS
        n_differing = _differing_units(systems)
        normals = np.random.default_rng(_SEED_OF_DRAWS).standard_normal(shape)
        for of_metric in values:
            metric, spread = of_metric.metric, of_metric.spread
            ends = _intervals.delta_ends(
                [metric], of_metric.values[None], spread, confidence_level, of_metric.n_classes
            )
            n_left_out = 0 if metric.counts_unanswered else n_unanswered
            found.intervals[metric.name] = ends.intervals(
                of_metric.values, spread.standard_error, confidence_level, n_left_out
            )
            found.reasons[metric.name] = ends.reason[0].tolist()
            is_tested = np.isfinite(of_metric.values) & np.isfinite(spread.standard_error)
            found.tests[metric.name] = joint_tests(
                of_metric, is_tested, n_differing, normals, confidence_level
            )
    if resampled:
        intervals, tests = _resampled(
            resampled, systems, confidence_level, n_resamples or N_RESAMPLES, rng
        )
        found.intervals.update(intervals)
        found.tests.update(tests)
    return found


def _differing_units(systems: SystemsEvidence) -> Floats:
    """Return the number of units with different predictions: (n_systems, n_systems).

    NaN for probabilities and scores.
    """
    drawn = evidence_kinds.drawn_samples(systems)
    entry = drawn.entry.astype(np.min_scalar_type(drawn.entry.max()))
    numbers = np.full((len(entry), len(entry)), np.nan)
    if isinstance(systems, tuple):
        return numbers
    units = SortedUnits(drawn.unit)
    for k, of_system in enumerate(entry):
        differ = entry[k:] != of_system
        if drawn.cluster is not None:
            differ = units.sums(differ.astype(np.float64)) > 0
        numbers[k, k:] = numbers[k:, k] = np.count_nonzero(differ, axis=1)
    return numbers


def _means_of_groups(
    metrics: Sequence[OrdinalMetric], systems: SystemsEvidence, group: NDArray[np.intp]
) -> Iterator[SystemsValue]:
    """Yield the means of the values in groups, each group with the same weight.

    The sizes of the groups are given: each group, or its part in a stratum, is an independent
    sample, unless it shares clusters with another.
    """
    drawn, n_groups = evidence_kinds.drawn_samples(systems), int(group.max()) + 1
    parts = [evidence_kinds.evidence_on_members(systems, group == k) for k in range(n_groups)]
    unit, group = drawn.unit, group[drawn.has_weight]
    touched = csr_array((np.ones(len(unit)), (unit, group)), shape=(drawn.count_units(), n_groups))
    stratum = np.zeros_like(unit) if drawn.stratum is None else drawn.stratum
    sample = stratum * n_groups + _unit_moves.connected_groups(touched)[group]
    units = SortedUnits(unit, sample)
    by_group = [_paired_difference.values_of_systems(metrics, part) for part in parts]
    for of_groups in zip(*by_group, strict=True):
        first, equal = of_groups[0], np.full(n_groups, 1 / n_groups)
        by_system = np.array([of_group.values for of_group in of_groups])
        means, slopes = _intervals.mean_of_values(first.metric, by_system, equal, first.n_classes)
        totals, weight = np.zeros((2, len(first.values), touched.shape[0]))
        for number, (_, _, moves, *_) in enumerate(of_groups):
            # In moves, the units of a stratum stand together, as they do here.
            members = np.unique(units.of_row[group == number])
            counted = np.where(moves.is_counted, moves.amounts.weights, 0)
            shares = arithmetic.divide(counted, counted.sum(axis=-1, keepdims=True))
            totals[:, members] += moves.by_row * moves.amounts.weights * slopes[number][:, None]
            weight[:, members] += shares / n_groups
        if (weight == weight[0]).all():
            weight = weight[0]
        moves = _unit_moves.of_units(totals, weight, weight > 0, units.starts)
        yield first._replace(
            values=means,
            moves=moves,
            spread=moves.spread(),
            are_signs=False,
        )


def _resampled(
    metrics: Sequence[OrdinalMetric],
    systems: SystemsEvidence,
    confidence_level: float,
    n_resamples: int,
    rng: np.random.Generator,
) -> tuple[dict[str, tuple[Interval, ...]], dict[str, PairTests]]:
    """Evaluate all systems on the same resamples."""
    units = evidence_kinds.resampling_units(systems)
    estimates = _bootstrap.values_of(metrics, [units.all_together()])[..., 0]
    # Copy the generator, to draw the same resamples again.
    rng_of_resamples = deepcopy(rng)
    resampled = _bootstrap.values_of(metrics, units.resampled(rng, n_resamples))
    accelerations, influences = _bootstrap.accelerations_and_influences(metrics, units)
    intervals = _bootstrap.resampled_intervals(
        metrics, estimates, resampled, accelerations, units.n_unanswered(), confidence_level
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
    return intervals, tests
