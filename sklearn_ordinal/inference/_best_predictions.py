"""The best predictions of a rater's grade from the grades of the other raters, and their values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import (
    LABELS,
    RATINGS,
    EntryAmounts,
    OrdinalConfusion,
    OrdinalMetric,
    OrdinalRatings,
    divide,
    get_metric,
    grade_counts,
    item_weights,
    slices,
)
from sklearn_ordinal.inference._delta_interval import Spread, delta_ends
from sklearn_ordinal.inference._interval import Interval
from sklearn_ordinal.metrics import least_cost_decisions, without_rounding_errors

Floats = NDArray[np.float64]
Positions = NDArray[np.intp]

_BEST_PREDICTIONS = ("between_raters", "left_one_out", "in_sample")
"""The predictions of a rater's grade: another rater's grade, and the best class of the item."""

# Grades by class are computed in parts of about this size.
_NUMBERS_PER_PART = 2**20
_SMALLEST_SHARE = 1e-100


def finite_costs(metric: OrdinalMetric, sizes: Floats) -> Floats | None:
    """Return what each error costs given the class sizes, None unless the value is a sum of costs.

    True classes without samples, whose errors do not occur, may have infinite costs.
    """
    # Costs of classes with negligible weights may be infinite. With larger weights, the order of
    # their errors is the same.
    smallest = _SMALLEST_SHARE * sizes.sum()
    return metric.cost_matrix(np.where(sizes > 0, np.maximum(sizes, smallest), 0))


@dataclass(frozen=True, eq=False)
class SharedItems:
    """The items of positive weight that at least two raters grade, by their patterns of grades.

    The grades of an item share its weight equally, so that the truth is the grade of any of its
    raters. Each pair of a pattern and a class that it has is an entry.

    Parameters
    ----------
    ratings : OrdinalRatings
        All items; those that are not used have the weight 0.
    is_used : ndarray of shape (n_patterns_of_ratings,)
        Which patterns of the ratings are used. The others have no place in the arrays below.
    counts : ndarray of shape (n_patterns, n_classes)
        Number of grades of each pattern in each class.
    amounts : EntryAmounts
        The items of each pattern.
    pattern : ndarray of shape (n_entries,)
        Pattern of each entry.
    true : ndarray of shape (n_entries,)
        Class of each entry, as a position on the scale.
    share : ndarray of shape (n_entries,)
        Share of the class in the grades of the pattern.
    """

    ratings: OrdinalRatings
    is_used: NDArray[np.bool_]
    counts: Floats
    amounts: EntryAmounts
    pattern: Positions
    true: Positions
    share: Floats

    @classmethod
    def from_ratings(cls, ratings: OrdinalRatings, weight: Floats | None = None) -> SharedItems:
        """Take the items of positive weight with at least two grades.

        If `weight` is None, the items have the weights of the ratings.
        """
        counts = grade_counts(ratings.patterns, len(ratings.scale))
        n_grades = counts.sum(axis=1)
        weight = item_weights(ratings) if weight is None else weight
        amounts = EntryAmounts(
            *(
                np.bincount(ratings.pattern, values, len(counts)).astype(np.float64, copy=False)
                for values in (weight, weight > 0, weight**2)
            )
        )
        is_used = (n_grades >= 2) & (amounts.weights > 0)
        used = ratings.reweighted(np.where(is_used, amounts.weights, 0))
        counts, n_grades = counts[is_used], n_grades[is_used]
        amounts = EntryAmounts(*(amount[is_used] for amount in amounts))
        pattern, true = np.nonzero(counts)
        share = counts[pattern, true] / n_grades[pattern]
        return cls(used, is_used, counts, amounts, pattern, true, share)

    @property
    def n_items(self) -> float:
        """Number of items."""
        return float(self.amounts.numbers.sum())

    def class_sizes(self) -> Floats:
        """Return the weight of the grades in each class."""
        weights = self.share * self.amounts.weights[self.pattern]
        sizes = np.bincount(self.true, weights, self.counts.shape[1])
        return sizes.astype(np.float64, copy=False)

    def ceilings(self, metric: OrdinalMetric, level: float) -> dict[str, Interval] | None:
        """Return the value of each prediction by name, None if the metric is no sum of costs."""
        sizes = self.class_sizes()
        costs = finite_costs(metric, sizes)
        if costs is None:
            return None
        # Errors of a class without grades do not occur.
        costs = without_rounding_errors(np.where(sizes[:, None] > 0, costs, 0))
        scale = self.ratings.scale
        rules: list[_PeerGrade | _BestClass] = [_PeerGrade(self)]
        rules += [_BestClass(self, predicted) for predicted in self._best_classes(costs)]
        confusion = OrdinalConfusion(
            scale, np.stack([rule.confusion() for rule in rules]), is_weighted=True
        )
        by_cell = LABELS.entry_influences([metric], confusion)
        # The last column is for samples without a prediction, which ratings do not have.
        shape = (len(rules), len(scale), len(scale) + 1)
        cells = by_cell.influences[0].reshape(shape)[..., :-1]
        influences = np.stack(
            [rule.influences(of_rule) for rule, of_rule in zip(rules, cells, strict=True)]
        )
        intervals = self._intervals(metric, by_cell.values[0], influences, level)
        return dict(zip(_BEST_PREDICTIONS, intervals, strict=True))

    def kappa_between_raters(self, level: float) -> Interval:
        """Return the quadratic kappa between the raters, which is Cohen's for two raters."""
        metric = get_metric("conger_kappa")
        by_pattern = RATINGS.entry_influences([metric], self.ratings)
        influences = by_pattern.influences[:, self.is_used]
        (interval,) = self._intervals(metric, by_pattern.values, influences, level)
        return interval

    def _best_classes(self, costs: Floats) -> tuple[Positions, Positions]:
        """Return the best class of each entry, without one of its grades and with all of them.

        The lowest class is best if several have the same expected cost.
        """
        n_classes = self.counts.shape[1]
        best = np.empty((2, len(self.pattern)), dtype=np.intp)
        may_be_any = np.ones((1, n_classes), dtype=np.bool_)
        for part in slices(len(self.pattern), _NUMBERS_PER_PART // n_classes):
            grades = self.counts[self.pattern[part]]
            best[1, part] = least_cost_decisions(grades, costs[None], may_be_any)[0]
            grades[np.arange(len(grades)), self.true[part]] -= 1
            best[0, part] = least_cost_decisions(grades, costs[None], may_be_any)[0]
        left_one_out, in_sample = best
        return left_one_out, in_sample

    def _intervals(
        self, metric: OrdinalMetric, values: Floats, influences: Floats, level: float
    ) -> list[Interval]:
        """Return the interval of values whose influences over patterns are known."""
        weights, _, squares = self.amounts
        n_items, total = self.n_items, weights.sum()
        variances = influences**2 @ squares / total**2 * divide(n_items, n_items - 1)
        errors = np.sqrt(variances)
        n_effective = np.asarray(total**2 / squares.sum())
        spread = Spread(errors[None], np.asarray(n_items - 1), n_effective)
        n_classes = self.counts.shape[1]
        ends = delta_ends([metric], values[None], spread, level, n_classes)
        return [
            Interval(
                value,
                low,
                high,
                level,
                method="wilson" if is_wilson else "delta",
                standard_error=error,
            )
            for value, low, high, is_wilson, error in zip(
                values.tolist(),
                ends.low[0].tolist(),
                ends.high[0].tolist(),
                ends.is_wilson[0].tolist(),
                errors.tolist(),
                strict=True,
            )
        ]


@dataclass(frozen=True, eq=False)
class _BestClass:
    """Each grade is predicted as one class."""

    items: SharedItems
    predicted: Positions

    def confusion(self) -> Floats:
        items, n_classes = self.items, self.items.counts.shape[1]
        weights = items.share * items.amounts.weights[items.pattern]
        cells = items.true * n_classes + self.predicted
        counts = np.bincount(cells, weights, n_classes**2).astype(np.float64, copy=False)
        return counts.reshape(n_classes, n_classes)

    def influences(self, cells: Floats) -> Floats:
        items = self.items
        values = items.share * cells[items.true, self.predicted]
        means = np.bincount(items.pattern, values, len(items.counts))
        return means.astype(np.float64, copy=False)


@dataclass(frozen=True, eq=False)
class _PeerGrade:
    """Each grade is predicted by the grade of another rater."""

    items: SharedItems

    def confusion(self) -> Floats:
        size = self.items.counts.shape[1]
        pairs = np.zeros((size, size))
        for part, counts, n_pairs in self._parts():
            weights = self.items.amounts.weights[part] / n_pairs
            different = (counts * weights[:, None]).T @ counts
            # Nobody is their own peer. Subtraction from the sum would leave rounding errors.
            different[np.diag_indices(size)] = weights @ (counts * (counts - 1))
            pairs += different
        return pairs

    def influences(self, cells: Floats) -> Floats:
        means = np.empty(len(self.items.counts))
        for part, counts, n_pairs in self._parts():
            sums = ((counts @ cells) * counts).sum(axis=1) - counts @ np.diag(cells)
            means[part] = sums / n_pairs
        return means

    def _parts(self) -> Iterator[tuple[slice, Floats, Floats]]:
        """Yield the grades by class, and the number of ordered pairs, of some patterns."""
        counts = self.items.counts
        for part in slices(len(counts), _NUMBERS_PER_PART // counts.shape[1]):
            n_grades = counts[part].sum(axis=1)
            yield part, counts[part], n_grades * (n_grades - 1)
