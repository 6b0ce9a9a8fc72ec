"""Judges and humans, compared with the same humans on the same items."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

from sklearn_ordinal._core import (
    LABELS,
    RATINGS,
    EntryAmounts,
    OrdinalConfusion,
    OrdinalMetric,
    OrdinalRatings,
    PeerGrades,
    divide,
    item_weights,
    mean_where_defined,
    slices,
)
from sklearn_ordinal.inference._delta_interval import Spread, degrees_of_heavy_tails, delta_ends
from sklearn_ordinal.inference._interval import Interval
from sklearn_ordinal.inference._paired_difference import PairedDifference
from sklearn_ordinal.metrics import grade_numbers, prmse_influences

Floats = NDArray[np.float64]

# The mean over fewer pairs of humans has no standard deviation.
FEWEST_HUMANS = 3
# Standard errors that are rounding errors, relative to values of size 1.
_ROUNDING = 1e-10
_NUMBERS_PER_PART = 2**20


@dataclass(frozen=True, eq=False)
class SameFooting:
    """Values of a metric for each human and for judges beside the same other humans.

    The last human stands for all: the values are the means over the humans whose values are
    defined for the human and for each judge.

    Parameters
    ----------
    metric : OrdinalMetric
        The metric.
    n_classes : int
        Number of classes on the scale.
    values : ndarray of shape (1 + n_judges, n_raters + 1)
        Values of the humans (first row) and of each judge.
    moves : ndarray of shape (1 + n_judges, n_raters + 1, n_patterns)
        How much the weight of an item of each pattern moves each value.
    numbers : ndarray of shape (n_raters + 1,)
        Number of items.
    amounts : EntryAmounts
        The items of each pattern.
    """

    metric: OrdinalMetric
    n_classes: int
    values: Floats
    moves: Floats
    numbers: NDArray[np.int64]
    amounts: EntryAmounts

    def intervals(self, row: int, level: float) -> list[Interval]:
        """Return the interval of each human's value, or of each value of a judge."""
        errors, degrees = self._spread(self.moves[row])
        spread = Spread(errors[None], degrees, self.numbers.astype(np.float64))
        ends = delta_ends([self.metric], self.values[row][None], spread, level, self.n_classes)
        # A standard error of Wilson's interval is for samples that are drawn one by one.
        return [
            Interval(value, low, high, level, method="delta", standard_error=error)
            for value, low, high, error in zip(
                self.values[row].tolist(),
                np.where(ends.is_wilson[0], np.nan, ends.low[0]).tolist(),
                np.where(ends.is_wilson[0], np.nan, ends.high[0]).tolist(),
                errors.tolist(),
                strict=True,
            )
        ]

    def differences(self, row: int, other: int, level: float) -> list[PairedDifference]:
        """Return the value in a row minus the value in another row, for each human."""
        lowest, highest = self.metric.bounds(self.n_classes)
        errors, degrees = self._spread(self.moves[row] - self.moves[other])
        return [
            _paired(difference, error, degrees_of_freedom, level, self.metric, highest - lowest)
            for difference, error, degrees_of_freedom in zip(
                (self.values[row] - self.values[other]).tolist(),
                errors.tolist(),
                degrees.tolist(),
                strict=True,
            )
        ]

    def _spread(self, moves: Floats) -> tuple[Floats, Floats]:
        """Return the standard errors, and their degrees of freedom."""
        n_items = self.numbers.astype(np.float64)
        squares = (moves**2) @ self.amounts.squares
        by_item = divide(self.amounts.squares, self.amounts.numbers) * moves**2
        by_item = np.where(self.amounts.numbers > 0, by_item, 0)
        degrees = degrees_of_heavy_tails(self.amounts.numbers, by_item, n_items)
        return np.sqrt(divide(n_items, n_items - 1) * squares), degrees


def _paired(
    difference: float,
    error: float,
    degrees: float,
    level: float,
    metric: OrdinalMetric,
    width: float,
) -> PairedDifference:
    """Return a difference with the interval and the p-value of its t statistic."""
    low = high = pvalue = math.nan
    if degrees > 0 and math.isfinite(difference) and error > _ROUNDING:
        margin = float(stdtrit(degrees, (1 + level) / 2)) * error
        low, high = (float(np.clip(difference + s * margin, -width, width)) for s in (-1, 1))
        pvalue = float(2 * stdtr(degrees, -abs(difference) / error))
    return PairedDifference(
        difference,
        low,
        high,
        level,
        pvalue=pvalue,
        greater_is_better=metric.greater_is_better,
        method="delta",
        standard_error=error,
    )


def same_footing(
    judged: OrdinalRatings,
    n_raters: int,
    judges: Sequence[int],
    metrics: Sequence[OrdinalMetric],
    *,
    counts_missing: bool = False,
) -> Iterator[SameFooting]:
    """Compare each human, and judges, with the other humans, and yield the values of each metric.

    Only items that the human, all these judges and another human grade are used. The grades of the
    other humans are the truth, and each item has its weight in total. Missing grades of judges may
    count against them: metrics that count unanswered samples do so, and for all others the grade
    is the class that is farthest from the grade of each other human.

    Parameters
    ----------
    judged : OrdinalRatings
        The grades of the humans, and of the judges as further raters.
    n_raters : int
        Number of humans.
    judges : sequence of int
        Numbers of the judges, from 0.
    metrics : sequence of OrdinalMetric
        Criteria of counts.
    counts_missing : bool, default=False
        Whether missing grades of judges count.
    """
    humans = np.arange(n_raters)
    columns = [humans, *(np.full(n_raters, n_raters + judge) for judge in judges)]
    peers = PeerGrades.from_ratings(
        judged,
        raters=np.concatenate(columns),
        left_out=np.tile(humans, len(columns)),
        is_peer=np.arange(len(judged.raters)) < n_raters,
        names=tuple(map(str, range(len(columns) * n_raters))),
        counts_missing=counts_missing,
    )
    required = [] if counts_missing else [n_raters + judge for judge in judges]
    peers = _graded_by_all(peers, n_raters, required)
    amounts, n_patterns = RATINGS.entry_amounts(judged), len(judged.patterns)
    weights, numbers, _ = peers.amounts()
    n_used = int(amounts.numbers[np.unique(peers.pattern)].sum())
    confusion, n_classes = peers.confusion(), len(judged.scale)
    position = np.arange(n_classes)
    farthest = np.where(2 * position < n_classes - 1, n_classes - 1, 0)
    filled = _filled(confusion, farthest)
    shape = (len(columns), n_raters)
    for metric in metrics:
        # One at a time, since there is a number for each pattern and comparison.
        evidence = confusion if metric.counts_unanswered else filled
        by_cell = LABELS.entry_influences([metric], evidence)
        cells = by_cell.influences[0].reshape(-1, n_classes, n_classes + 1)
        if evidence is filled:
            cells[..., n_classes] = cells[:, position, farthest]
        values = by_cell.values[0].reshape(shape)
        is_defined = np.isfinite(values).all(axis=0)
        by_comparison = np.zeros((len(weights), n_patterns))
        by_comparison[peers.comparison, peers.pattern] = (
            peers.influences(cells) / weights[peers.comparison]
        )
        moves = by_comparison.reshape(*shape, n_patterns)
        of_all = moves[:, is_defined].mean(axis=1) if is_defined.any() else moves[:, 0] * np.nan
        yield SameFooting(
            metric,
            n_classes,
            np.c_[values, mean_where_defined(values, is_defined)],
            np.concatenate([moves, of_all[:, None]], axis=1),
            np.r_[numbers[:n_raters], n_used].astype(np.int64),
            amounts,
        )


def _filled(confusion: OrdinalConfusion, farthest: NDArray[np.intp]) -> OrdinalConfusion:
    """Return counts in which unanswered samples have the class that is farthest from the truth."""
    if confusion.unanswered is None:
        return confusion
    counts = confusion.counts.copy()
    counts[:, np.arange(len(farthest)), farthest] += confusion.unanswered
    return replace(confusion, counts=counts, unanswered=None)


def _graded_by_all(peers: PeerGrades, n_raters: int, judges: Sequence[int]) -> PeerGrades:
    """Keep the compared grades of items that the human and all these judges grade."""
    is_grade = peers.ratings.patterns >= 0
    has_human = is_grade[peers.pattern, peers.comparison % n_raters]
    has_judges = np.asarray(is_grade[:, judges].all(axis=1))
    keeps = has_human & has_judges[peers.pattern]
    kept = {
        name: getattr(peers, name)[keeps] for name in ("pattern", "comparison", "own", "left_out")
    }
    return replace(peers, **kept)


@np.errstate(divide="ignore", invalid="ignore")
def z_among_humans(
    judged: OrdinalRatings,
    n_raters: int,
    judge: int,
    metrics: Sequence[OrdinalMetric],
    level: float,
) -> list[Interval]:
    """Return the place of a judge among the pairs of humans, for each metric.

    It is the mean value of the judge and each human, minus the mean over the pairs of humans, in
    standard deviations of the pairs; positive if the judge agrees more. The value of a pair is the
    mean of both directions, since a metric may distinguish the truth from the prediction.
    """
    nothing = Interval(math.nan, math.nan, math.nan, level)
    if n_raters < FEWEST_HUMANS:
        return [nothing for _ in metrics]
    n_classes, n_columns = len(judged.scale), n_raters + 1
    columns = np.r_[np.arange(n_raters), n_raters + judge]
    amounts = RATINGS.entry_amounts(judged)
    is_judged = judged.patterns[:, n_raters + judge] >= 0
    patterns = judged.patterns[is_judged][:, columns]
    weights, squares = amounts.weights[is_judged], amounts.squares[is_judged]
    counts = _pair_counts(patterns, weights, n_classes)
    first, second = np.nonzero(~np.eye(n_columns, dtype=np.bool_))
    confusion = OrdinalConfusion(judged.scale, counts[first, second], is_weighted=True)
    totals = confusion.counts.sum(axis=(1, 2))
    n_items = float(amounts.numbers[is_judged].sum())
    results = []
    for metric in metrics:
        by_cell = LABELS.entry_influences([metric], confusion)
        values = by_cell.values[0]
        z, derivatives = _standardized(values, bool(metric.greater_is_better))
        cells = by_cell.influences[0].reshape(-1, n_classes, n_classes + 1)[..., :n_classes]
        # Pairs without a common item or a value do not count.
        scaled = np.where(
            derivatives[:, None, None] != 0,
            cells * (derivatives / totals)[:, None, None],
            0,
        )
        error = _error_of_sum(patterns, squares, (first, second), scaled, n_items)
        margin = float(stdtrit(n_items - 1, (1 + level) / 2)) * error
        results.append(
            Interval(z, z - margin, z + margin, level, method="delta", standard_error=error)
            if math.isfinite(z) and math.isfinite(error)
            else replace(nothing, estimate=z)
        )
    return results


def _standardized(values: Floats, greater_is_better: bool) -> tuple[float, Floats]:
    """Return the z of the values of pairs with the judge, and its derivatives by all values.

    Each pair occurs in both directions, whose mean is its value. The judge is the last rater.
    """
    derivatives = np.zeros(len(values))
    size = math.isqrt(len(values)) + 1
    are_different = ~np.eye(size, dtype=np.bool_)
    table = np.zeros((size, size))
    table[are_different] = values
    table = (table + table.T) / 2
    rows, columns = np.triu_indices(size, 1)
    pairs, is_judge = table[rows, columns], columns == size - 1
    of_judge, of_humans = pairs[is_judge], pairs[~is_judge]
    of_judge, of_humans = of_judge[np.isfinite(of_judge)], of_humans[np.isfinite(of_humans)]
    if len(of_humans) < 2 or not len(of_judge):
        return math.nan, derivatives
    mean, deviation = of_humans.mean(), of_humans.std(ddof=1)
    # Equal pairs may differ by rounding errors.
    if deviation <= _ROUNDING:
        return math.nan, derivatives
    sign = 1 if greater_is_better else -1
    z = sign * (of_judge.mean() - mean) / deviation
    of_pair = np.zeros((size, size))
    by_judge = sign / (len(of_judge) * deviation)
    by_humans = -sign / (len(of_humans) * deviation) - z * (pairs - mean) / (
        (len(of_humans) - 1) * deviation**2
    )
    by_pair = np.where(is_judge, by_judge, by_humans)
    of_pair[rows, columns] = np.where(np.isfinite(pairs), by_pair, 0)
    derivatives = (of_pair + of_pair.T)[are_different] / 2
    return float(z), derivatives


def _one_hot(patterns: NDArray[np.intp], n_classes: int) -> Floats:
    """Return 1 at the grade of each rater, (n_patterns, n_raters * n_classes)."""
    is_grade: NDArray[np.bool_] = patterns[..., None] == np.arange(n_classes)
    return is_grade.reshape(len(patterns), -1).astype(np.float64)


def _pair_counts(patterns: NDArray[np.intp], weights: Floats, n_classes: int) -> Floats:
    """Return the counts of each pair of raters, (n_raters, n_raters, n_classes, n_classes)."""
    n_raters = patterns.shape[1]
    size = n_raters * n_classes
    counts = np.zeros((size, size))
    for part in slices(len(patterns), max(1, _NUMBERS_PER_PART // size)):
        grades = _one_hot(patterns[part], n_classes)
        counts += (grades * weights[part, None]).T @ grades
    return counts.reshape(n_raters, n_classes, n_raters, n_classes).swapaxes(1, 2)


def _error_of_sum(
    patterns: NDArray[np.intp],
    squares: Floats,
    pairs: tuple[NDArray[np.intp], NDArray[np.intp]],
    cells: Floats,
    n_items: float,
) -> float:
    """Return the standard error of a sum over pairs, from what the cells of each pair add."""
    n_raters, n_classes = patterns.shape[1], cells.shape[-1]
    table = np.zeros((n_raters, n_raters, n_classes, n_classes))
    table[pairs] = cells
    size = n_raters * n_classes
    by_grade = table.swapaxes(1, 2).reshape(size, size)
    total = 0.0
    for part in slices(len(patterns), max(1, _NUMBERS_PER_PART // size)):
        grades = _one_hot(patterns[part], n_classes)
        total += squares[part] @ ((grades @ by_grade) * grades).sum(axis=1) ** 2
    return float(np.sqrt(divide(n_items, n_items - 1) * total))


@dataclass(frozen=True, eq=False)
class JudgePrmse:
    """PRMSE of a judge, and how much each item moves it."""

    value: float
    moves: Floats
    n_items: int

    def interval(self, level: float) -> Interval:
        """Return the value with its interval."""
        squares = (self.moves**2).sum()
        error = float(np.sqrt(divide(self.n_items, self.n_items - 1) * squares))
        if not math.isfinite(self.value) or not error > _ROUNDING:
            return Interval(self.value, math.nan, math.nan, level)
        margin = float(stdtrit(self.n_items - 1, (1 + level) / 2)) * error
        low, high = self.value - margin, self.value + margin
        return Interval(self.value, low, high, level, method="delta", standard_error=error)


def judge_prmse(ratings: OrdinalRatings, judge: NDArray[np.intp]) -> JudgePrmse:
    """Return the PRMSE of the grades of a judge, positions of shape (n_items,), -1 if missing."""
    numbers = grade_numbers(ratings)
    value, influences = prmse_influences(ratings, np.where(judge >= 0, numbers[judge], np.nan))
    weight = item_weights(ratings)
    counts = (ratings.n_grades > 0) & (judge >= 0) & (weight > 0)
    moves = weight * influences
    moves = np.where(counts, moves - weight * divide(moves.sum(), weight[counts].sum()), 0)
    return JudgePrmse(value, moves, int(np.count_nonzero(counts)))
