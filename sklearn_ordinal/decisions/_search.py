"""Search for the best cuts for any criterion of counts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import cycle
from typing import Self

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import (
    Counts,
    OrdinalConfusion,
    OrdinalMetric,
    OrdinalScale,
    Values,
)
from sklearn_ordinal.decisions._cuts import ClassesByScore, Cuts, exact_cuts

_ROUNDING = 1e-12
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
        return cls(classes, gain, best_cuts(classes, gain, n_thresholds))

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


def best_cuts(classes: ClassesByScore, gain: Gain, n_thresholds: int) -> Cuts:
    """Return the best cuts between the classes that have samples.

    The result is exact if the criterion is linear in the counts.
    """
    gains = gain.of_samples
    if gains is not None:
        return exact_cuts(classes, gains)
    starts = np.stack(starting_cuts(classes))
    if not gain.metric.evidence.takes_stacks:
        # One evaluation of such a metric takes as long as a hundred evaluations of a statistic.
        starts = starts[[first_best(gain(classes.counts(starts)))]]
    candidates = classes.quantiles(n_thresholds)
    ends = np.stack([ascend(classes, gain, candidates, start) for start in starts])
    best: Cuts = ends[first_best(gain(classes.counts(ends)))]
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


def ascend(classes: ClassesByScore, gain: Gain, candidates: Cuts, cuts: Cuts) -> Cuts:
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
    best: Cuts = moved[first_best(gains)]
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


def first_best(gains: Values) -> int:
    """Return the index of the first gain that is the highest up to rounding."""
    return int(np.argmax(_is_tied(gains, gains.max())))


def _is_tied(gains: Values, other: Values) -> NDArray[np.bool_]:
    return np.isclose(gains, other, rtol=_ROUNDING, atol=_ROUNDING)
