"""Cuts on a score: the counts that result from them, and the search for the best cuts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import cycle, pairwise
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import arithmetic, tolerances
from sklearn_ordinal._core.arithmetic import Counts, Values
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.scales import OrdinalScale
from sklearn_ordinal.metrics import _cost

# Cuts on a score: the counts that result from them, and the best cuts for a linear criterion
# -------------------------------------------------------------------------------------------

Cuts: TypeAlias = NDArray[np.intp]
"""Ascending cuts of shape (..., n_classes - 1). A cut is the number of distinct scores below it."""


@dataclass(frozen=True, eq=False)
class ClassesByScore:
    """The classes of the samples below each possible cut on a score.

    Parameters
    ----------
    scores : ndarray of shape (n_distinct,)
        The distinct scores, ascending.
    sizes_at : ndarray of shape (n_distinct, n_classes)
        Number, or weight, of the samples of each true class with each score.
    below : ndarray of shape (n_distinct + 1, n_classes)
        Number, or weight, of the samples of each true class below each cut.
    """

    scores: NDArray[np.float64]
    sizes_at: Counts
    below: Counts

    @classmethod
    def from_scores(
        cls,
        y_true: NDArray[np.intp],
        y_score: NDArray[np.float64],
        n_classes: int,
        sample_weight: NDArray[np.float64] | None = None,
    ) -> Self:
        """Count the classes, given as positions, at each distinct score."""
        if sample_weight is not None:
            # The score of a sample with weight zero must not add a possible cut.
            rows = sample_weight > 0
            y_true, y_score, sample_weight = y_true[rows], y_score[rows], sample_weight[rows]
        order = np.argsort(y_score)
        y_score = y_score[order]
        is_first = np.ones(len(order), dtype=bool)
        np.not_equal(y_score[1:], y_score[:-1], out=is_first[1:])
        # Row 0 is for the cut below all scores.
        cells = np.cumsum(is_first) * n_classes + y_true[order]
        weights = None if sample_weight is None else sample_weight[order]
        sizes = np.bincount(cells, weights, (is_first.sum() + 1) * n_classes)
        sizes = sizes.reshape(-1, n_classes)
        return cls(y_score[is_first], sizes[1:], sizes.cumsum(axis=0))

    @property
    def sizes(self) -> Counts:
        """Number, or weight, of the samples of each class, of shape (n_classes,)."""
        sizes: Counts = self.below[-1]
        return sizes

    def of_classes(self, which: NDArray[np.bool_]) -> Self:
        """Return the counts of some of the classes, which must include all classes with samples."""
        if which.all():
            return self
        return type(self)(self.scores, self.sizes_at[:, which], self.below[:, which])

    def counts(self, cuts: Cuts) -> Counts:
        """Return the counts (..., n_classes, n_classes) of cuts (..., n_classes - 1)."""
        return np.diff(self.below[self.with_ends(cuts)], axis=-2).swapaxes(-1, -2)

    def thresholds(self, cuts: Cuts) -> NDArray[np.float64]:
        """Return the thresholds, midway between the scores below and above each cut.

        A score equal to a threshold is above it. A cut at an end is just beyond all scores.
        """
        lower, upper = self.scores[:-1], self.scores[1:]
        middle = lower / 2 + upper / 2
        # Rounding may give the lower of two adjacent floats.
        middle = np.where(middle > lower, middle, upper)
        # Only infinity lies beyond the largest float.
        with np.errstate(over="ignore"):
            highest = np.nextafter(self.scores[-1:], np.inf)
        return np.concatenate([self.scores[:1], middle, highest])[cuts]

    def quantiles(self, n_quantiles: int) -> Cuts:
        """Return at most `n_quantiles` cuts with about equally many samples between them."""
        total = self.below.sum(axis=1)
        return np.unique(np.searchsorted(total, np.linspace(0, total[-1], n_quantiles)))

    def with_ends(self, cuts: Cuts) -> Cuts:
        """Return the cuts together with a cut below all scores and a cut above all scores."""
        lowest = np.zeros((*cuts.shape[:-1], 1), dtype=np.intp)
        return np.concatenate([lowest, cuts, lowest + len(self.scores)], axis=-1)


def exact_cuts(classes: ClassesByScore, gains: NDArray[np.float64]) -> Cuts:
    """Return the lowest cuts with the largest sum of gains.

    Two sums count as equal if they differ by no more than rounding errors, relative to the
    gains of the samples that are predicted differently. Sums of integers have no rounding
    errors.

    The cuts are found by dynamic programming over all distinct scores, in time and memory
    proportional to the number of distinct scores times `n_classes`. If rounding errors of
    floats may change which cuts are best, the candidates are compared in integers.

    Parameters
    ----------
    classes : ClassesByScore
        The classes by score.
    gains : ndarray of shape (n_classes, n_classes)
        Gain of a sample of each true class (rows) for each predicted class (columns).

    Returns
    -------
    ndarray of shape (n_classes - 1,)
        The cuts.
    """
    gains = _cost.without_rounding_errors(gains)
    are_integers = _are_integers(gains) and _are_integers(classes.sizes_at)
    rounding = _rounding_error(classes, gains, are_integers)
    # Samples with scores below a cut are predicted as the class below it, not as the class above
    # it.
    best = _best_per_cut((gains[:, :-1] - gains[:, 1:]).T @ classes.below.T)
    cuts, is_clear = _lowest_cuts(best, rounding)
    if is_clear:
        return cuts
    places = _places_near_the_best(best, rounding)
    blocks = np.add.reduceat(classes.sizes_at, places[:-1]).astype(np.float64)
    cuts = _exact_cuts_between_blocks(_as_integers(blocks), _as_integers(gains), are_integers)
    return places[cuts]


def _best_per_cut(of_cuts: NDArray[Any]) -> NDArray[Any]:
    """Add, in place, the best sum of the lower cuts to the gain of each cut at each place."""
    for lower, upper in pairwise(of_cuts):
        upper += np.maximum.accumulate(lower)
    return of_cuts


def _lowest_cuts(best: NDArray[Any], rounding: float = 0) -> tuple[Cuts, bool]:
    """Return the lowest of the best cuts, and whether rounding errors cannot affect the choice."""
    cuts = np.empty(len(best), dtype=np.intp)
    end, is_clear = best.shape[1], True
    for position in reversed(range(len(best))):
        sums = best[position, :end]
        is_near = sums >= sums.max() - 2 * rounding
        cuts[position] = lowest = is_near.argmax()
        is_clear &= rounding == 0 or np.count_nonzero(is_near) == 1
        end = int(lowest) + 1
    return cuts, is_clear


def _rounding_error(
    classes: ClassesByScore, gains: NDArray[np.float64], are_integers: bool
) -> float:
    """Return the tolerance for comparing sums of gains.

    It bounds their rounding errors and, unless the gains and sizes are integers, includes a
    tolerance for ties.
    """
    largest = float((classes.sizes @ np.abs(np.diff(gains, axis=1))).sum())
    if are_integers:
        of_sums = 4 * tolerances.EPS * gains.size * largest
        return of_sums if largest >= arithmetic.LARGEST_EXACT_FLOAT else 0.0
    # Float weights are added up over the scores, which adds rounding errors.
    n_terms = 4 * gains.size + len(classes.scores) * (classes.below.dtype.kind == "f")
    return (n_terms * tolerances.EPS + tolerances.TIED_COST) * largest


def _places_near_the_best(best: NDArray[np.float64], rounding: float) -> NDArray[np.intp]:
    """Return all places where one of the best cuts may be, and the places at the ends."""
    last = best.shape[1] - 1
    places = [np.array([0, last])]
    near = places[0][1:]
    for sums in best[::-1]:
        # The sum at a place is compared with the best sum below the next place of the upper cut.
        starts = np.array([0, *(near[:-1] + 1)])
        ends = np.maximum.accumulate(np.maximum.reduceat(sums[: near[-1] + 1], starts))
        lowest = np.repeat(ends - 2 * rounding, np.diff([*starts, near[-1] + 1]))
        near = np.flatnonzero(sums[: len(lowest)] >= lowest)
        places.append(near)
    return np.unique(np.concatenate(places))


def _exact_cuts_between_blocks(
    blocks: NDArray[np.object_], gains: NDArray[np.object_], are_integers: bool
) -> Cuts:
    """Return the best cuts between blocks of scores, given their sizes as Python integers."""
    totals = blocks @ gains
    cuts = _cuts_between(totals)
    if are_integers:
        return cuts
    # Break ties in favour of lower cuts, with a small gain for the samples that they predict
    # differently.
    bonus = np.zeros_like(totals)
    ends = np.array([0, *cuts, len(blocks)])
    for predicted, block in enumerate(map(slice, ends[:-1], ends[1:])):
        differences = np.abs(gains - gains[:, [predicted]])
        is_higher = np.sign(np.arange(gains.shape[1]) - predicted).astype(object)
        bonus[block] = blocks[block] @ differences * is_higher
    return _cuts_between(totals * 2**tolerances.TIED_COST_SHIFT + bonus)


def _cuts_between(totals: NDArray[np.object_]) -> Cuts:
    """Return the lowest of the best cuts, given the gain of each block for each predicted class."""
    of_cuts = np.zeros((totals.shape[1] - 1, len(totals) + 1), dtype=object)
    of_cuts[:, 1:] = np.add.accumulate(totals[:, :-1] - totals[:, 1:], axis=0).T
    return _lowest_cuts(_best_per_cut(of_cuts))[0]


def _are_integers(values: NDArray[Any]) -> bool:
    return values.dtype.kind in "iu" or bool((values == np.rint(values)).all())


def _as_integers(values: NDArray[np.float64]) -> NDArray[np.object_]:
    """Return floats as exact Python integers, in units of a common power of two."""
    fractions, exponents = np.frexp(values)
    integers = np.ldexp(fractions, 53).astype(np.int64).astype(object)
    shifted: NDArray[np.object_] = integers << (exponents - exponents.min()).astype(object)
    return shifted


# Search for the best cuts for any criterion of counts
# ----------------------------------------------------

# Step size of the finite differences, as a share of the samples in a class.
_STEP = 1e-4


@dataclass(frozen=True, eq=False)
class Gain:
    """The value of a criterion, negated if lower is better, and -inf where it is undefined.

    Parameters
    ----------
    metric : OrdinalMetric
        The criterion.
    scale : OrdinalScale
        All classes.
    sizes : ndarray of shape (n_classes,)
        Number, or weight, of the samples of each class of the scale.
    """

    metric: OrdinalMetric
    scale: OrdinalScale
    sizes: Counts

    @cached_property
    def occurs(self) -> NDArray[np.bool_]:
        """Whether each class has samples. Classes without samples are not predicted."""
        return self.sizes > 0

    def __call__(self, counts: Counts) -> Values:
        """Return the gain of counts (..., n, n) of the n classes that have samples."""
        stack = np.zeros((*counts.shape[:-2], len(self.scale), len(self.scale)), counts.dtype)
        stack[..., self.occurs[:, None] & self.occurs] = counts.reshape(*counts.shape[:-2], -1)
        is_weighted = counts.dtype.kind == "f"
        if not self.metric.evidence.takes_stacks and self.metric.takes_weights:
            # With weights, a metric of rows is evaluated on one row per cell instead of one per
            # sample.
            stack, is_weighted = stack.astype(np.float64), True
        # Always pass a stack, even of a single matrix, since undefined values in stacks cause no
        # warnings.
        values = self.metric(OrdinalConfusion(self.scale, stack[None], is_weighted))[0]
        # -values would be -0.0 for a perfect loss.
        gains = values if self.metric.greater_is_better else 0.0 - values
        return np.where(np.isnan(gains), -np.inf, gains)

    @property
    def of_samples(self) -> NDArray[np.float64] | None:
        """Gain of one sample by true and predicted class, None if it depends on other samples."""
        if self.metric.evidence.reads_labels:
            return None  # The metric may have its own order of the classes.
        costs = self.metric.cost_matrix(self.sizes)
        if costs is None:
            return None
        costs = costs[np.ix_(self.occurs, self.occurs)]
        if not np.isfinite(costs).all():
            # Differences of infinite sums are undefined.
            raise ValueError(
                f"scoring must have finite costs for the classes that occur, but "
                f"{self.metric.name} has infinite costs: pass large costs, or class_counts that "
                f"are positive for these classes."
            )
        return -costs

    @property
    def takes_fractions(self) -> bool:
        """Whether the criterion accepts fractions of samples."""
        return self.metric.takes_weights

    def slopes(self, counts: Counts) -> NDArray[np.float64]:
        """Return the derivative with respect to each count, up to a constant for each row."""
        # Go row by row, since all rows at once would take n_classes**4 numbers.
        return np.stack([self._row_slopes(counts, row) for row in range(len(counts))])

    def _row_slopes(self, counts: Counts, row: int) -> NDArray[np.float64]:
        size = counts[row].sum()
        # Step towards the counts that have the whole row in a single column.
        steps = np.zeros((len(counts), *counts.shape))
        steps[:, row] = size * np.identity(len(counts)) - counts[row]
        at, near, far = (self(counts + share * steps) for share in (0, _STEP, 2 * _STEP))
        with np.errstate(invalid="ignore"):  # where the criterion is undefined
            changes: NDArray[np.float64] = (4 * near - far - 3 * at) / (2 * _STEP * size)
        return changes


@dataclass(frozen=True, eq=False)
class TunedCuts:
    """The best cuts for given samples, between all classes of a scale.

    Parameters
    ----------
    classes : ClassesByScore
        The counts by score of the classes that have samples.
    gain : Gain
        The criterion.
    cuts : ndarray of shape (n_classes_that_have_samples - 1,)
        The best cuts.
    """

    classes: ClassesByScore
    gain: Gain
    cuts: Cuts

    @classmethod
    def search(
        cls, classes: ClassesByScore, metric: OrdinalMetric, scale: OrdinalScale, n_thresholds: int
    ) -> Self:
        """Find the best cuts."""
        gain = Gain(metric, scale, classes.sizes)
        classes = classes.of_classes(gain.occurs)
        return cls(classes, gain, _best_cuts(classes, gain, n_thresholds))

    @property
    def thresholds(self) -> NDArray[np.float64]:
        """The cuts between all classes, of shape (n_classes - 1,).

        Cuts around a class without samples coincide, or are at an end.
        """
        return self.classes.thresholds(self.classes.with_ends(self.cuts)[self._ends])

    @property
    def unused(self) -> NDArray[np.float64]:
        """Infinite for cuts next to classes without samples at an end of the scale, otherwise 0."""
        ends = self._ends
        below, above = ends == 0, ends == len(self.cuts) + 1
        return np.where(below, -np.inf, np.where(above, np.inf, 0.0))

    @property
    def score(self) -> float:
        """Value of the criterion; higher is better."""
        return float(_or_nan(self.gain(self.classes.counts(self.cuts))))

    def along_cuts(
        self, n_thresholds: int
    ) -> tuple[list[NDArray[np.float64]], list[NDArray[np.float64]]]:
        """Return, for each cut, its candidates between its neighbours and their scores."""
        candidates = self.classes.quantiles(n_thresholds)
        thresholds, scores = [], []
        for end, unused in zip(self._ends, self.unused, strict=True):
            moved = self.cuts[None]
            if 0 < end <= len(self.cuts):
                moved = along(self.classes, candidates, self.cuts, end - 1)
            places = self.classes.thresholds(self.classes.with_ends(moved)[:, end])
            thresholds.append(places + unused)
            scores.append(_or_nan(self.gain(self.classes.counts(moved))))
        return thresholds, scores

    @property
    def _ends(self) -> NDArray[np.intp]:
        """Position of each cut of the scale in `cuts` extended by a cut at each end."""
        ends: NDArray[np.intp] = np.cumsum(self.gain.occurs, dtype=np.intp)[:-1]
        return ends


def _or_nan(gains: Values) -> Values:
    return np.where(np.isneginf(gains), np.nan, gains)


def _best_cuts(classes: ClassesByScore, gain: Gain, n_thresholds: int) -> Cuts:
    """Return the best cuts between the classes that have samples.

    The result is exact if the criterion is linear in the counts.
    """
    gains = gain.of_samples
    if gains is not None:
        return exact_cuts(classes, gains)
    starts = np.stack(starting_cuts(classes))
    if not gain.metric.evidence.takes_stacks:
        # One evaluation of such a metric takes as long as a hundred evaluations of a statistic.
        starts = starts[[_first_best(gain(classes.counts(starts)))]]
    candidates = classes.quantiles(n_thresholds)
    ends = np.stack([_ascend(classes, gain, candidates, start) for start in starts])
    best: Cuts = ends[_first_best(gain(classes.counts(ends)))]
    return best


def starting_cuts(classes: ClassesByScore) -> list[Cuts]:
    """Return the cuts from which the search starts if the criterion is not linear.

    The starts are the cuts that predict each class as often as it occurs, and the best cuts
    for accuracy, mean absolute error, and the means of both over classes.
    """
    sizes = classes.sizes
    as_frequent = np.searchsorted(classes.below.sum(axis=1), np.cumsum(sizes)[:-1])
    position = np.arange(len(sizes))
    right, error = np.identity(len(sizes)), -np.abs(position - position[:, None])
    by_gains = (right, error, right / sizes[:, None], error / sizes[:, None])
    return [as_frequent, *(exact_cuts(classes, gains) for gains in by_gains)]


def _ascend(classes: ClassesByScore, gain: Gain, candidates: Cuts, cuts: Cuts) -> Cuts:
    """Return cuts that no move improves, starting from `cuts`."""
    n_cuts, n_failed = len(cuts), 0
    current = gain(classes.counts(cuts))
    # Position n_cuts stands for moving all cuts.
    for position in cycle([n_cuts, *range(n_cuts)]):
        if n_failed > n_cuts:
            break
        if position < n_cuts:
            moved = _with_one_moved(classes, gain, candidates, cuts, position)
        else:
            moved = _with_all_moved(classes, gain, cuts)
        new = gain(classes.counts(moved))
        n_failed += 1
        if new > current and not _is_tied(new, current):
            cuts, current, n_failed = moved, new, 0
    return cuts


def _with_all_moved(classes: ClassesByScore, gain: Gain, cuts: Cuts) -> Cuts:
    """Return the best cuts by the linear approximation of the gain at `cuts`.

    For a ratio of two linear functions, such as a weighted kappa, this is a step of
    Dinkelbach's method, which ends at the maximum.
    """
    if not gain.takes_fractions:
        return cuts
    slopes = gain.slopes(classes.counts(cuts))
    return exact_cuts(classes, slopes) if np.isfinite(slopes).all() else cuts


def _with_one_moved(
    classes: ClassesByScore, gain: Gain, candidates: Cuts, cuts: Cuts, position: int
) -> Cuts:
    moved = along(classes, candidates, cuts, position)
    gains = gain(classes.counts(moved))
    best: Cuts = moved[_first_best(gains)]
    return best


def along(classes: ClassesByScore, candidates: Cuts, cuts: Cuts, position: int) -> Cuts:
    """Return copies of the cuts with one cut at each place between its neighbours."""
    lower, _, upper = classes.with_ends(cuts)[position : position + 3]
    inside = candidates[(lower <= candidates) & (candidates <= upper)]
    moved = np.tile(cuts, (len(inside) + 1, 1))
    # Close neighbours may have no candidates between them, so the current place of the cut is a
    # candidate.
    moved[:, position] = np.sort([*inside, cuts[position]])
    return moved


def _first_best(gains: Values) -> int:
    """Return the index of the first gain that is the highest up to rounding."""
    return int(np.argmax(_is_tied(gains, gains.max())))


def _is_tied(gains: Values, other: Values) -> NDArray[np.bool_]:
    return np.isclose(gains, other, rtol=tolerances.TIED_GAIN, atol=tolerances.TIED_GAIN)
