"""The computation of ceilings: how good a prediction of the grade of a rater can be."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import arithmetic, evidence_kinds, grading, lookup
from sklearn_ordinal._core.arithmetic import Floats, Positions
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.grading import OrdinalRatings
from sklearn_ordinal._core.influence_functions import EntryAmounts
from sklearn_ordinal._core.lookup import ByMetric
from sklearn_ordinal._documents import formatting, json_files
from sklearn_ordinal.inference import _intervals
from sklearn_ordinal.inference._intervals import Interval
from sklearn_ordinal.inference._unit_moves import Design
from sklearn_ordinal.metrics import _cost, _kappa
from sklearn_ordinal.reports import _sections

# The best predictions of a rater's grade from the grades of the other raters, and their values
# ---------------------------------------------------------------------------------------------

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
    design : Design
        How the items of all patterns were drawn.
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
    design: Design
    pattern: Positions
    true: Positions
    share: Floats

    @classmethod
    def from_ratings(cls, ratings: OrdinalRatings, weight: Floats | None = None) -> SharedItems:
        """Take the items of positive weight with at least two grades.

        If `weight` is None, the items have the weights of the ratings.
        """
        counts = grading.grade_counts(ratings.patterns, len(ratings.scale))
        n_grades = counts.sum(axis=1)
        if weight is not None:
            ratings = grading.with_item_weights(ratings, weight)
        amounts, design = (
            evidence_kinds.RATINGS.entry_amounts(ratings),
            _intervals.design_of(ratings),
        )
        is_used = (n_grades >= 2) & (amounts.weights > 0)
        used = ratings.reweighted(np.where(is_used, amounts.weights, 0))
        counts, n_grades = counts[is_used], n_grades[is_used]
        amounts = EntryAmounts(*(amount[is_used] for amount in amounts))
        pattern, true = np.nonzero(counts)
        share = counts[pattern, true] / n_grades[pattern]
        return cls(used, is_used, counts, amounts, design, pattern, true, share)

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
        costs = _cost.without_rounding_errors(np.where(sizes[:, None] > 0, costs, 0))
        scale = self.ratings.scale
        rules: list[_PeerGrade | _BestClass] = [_PeerGrade(self)]
        rules += [_BestClass(self, predicted) for predicted in self._best_classes(costs)]
        confusion = OrdinalConfusion(
            scale, np.stack([rule.confusion() for rule in rules]), is_weighted=True
        )
        by_cell = evidence_kinds.LABELS.entry_influences([metric], confusion)
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
        metric = lookup.get_metric("conger_kappa")
        by_pattern = evidence_kinds.RATINGS.entry_influences([metric], self.ratings)
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
        for part in arithmetic.slices(len(self.pattern), _NUMBERS_PER_PART // n_classes):
            grades = self.counts[self.pattern[part]]
            best[1, part] = _cost.least_cost_decisions(grades, costs[None], may_be_any)[0]
            grades[np.arange(len(grades)), self.true[part]] -= 1
            best[0, part] = _cost.least_cost_decisions(grades, costs[None], may_be_any)[0]
        left_one_out, in_sample = best
        return left_one_out, in_sample

    def _intervals(
        self, metric: OrdinalMetric, values: Floats, influences: Floats, level: float
    ) -> list[Interval]:
        """Return the interval of values whose influences over patterns are known."""
        by_pattern = np.zeros((*influences.shape[:-1], len(self.is_used)))
        by_pattern[..., self.is_used] = influences
        spread = self.design.moves(by_pattern[None], self.is_used).spread()
        ends = _intervals.delta_ends([metric], values[None], spread, level, self.counts.shape[1])
        return ends.intervals(values, spread.standard_error, level)


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
        for part in arithmetic.slices(len(counts), _NUMBERS_PER_PART // counts.shape[1]):
            n_grades = counts[part].sum(axis=1)
            yield part, counts[part], n_grades * (n_grades - 1)


# Ceilings: how good a prediction of the grade of a rater can be
# --------------------------------------------------------------

Basis = Literal["best classes", "true scores", "none"]

# The last two are the ends of the ceiling.
_RELIABILITY = ("between_raters", "like_a_rater", "true_scores", "best_possible")
CEILING_TITLES = {
    "between_raters": "one rater against another",
    "left_one_out": "ceiling, left one out",
    "in_sample": "ceiling, in sample",
    "like_a_rater": "a system that errs like the raters",
    "true_scores": "the true scores",
    "best_possible": "the best possible system",
}
CEILING_LEVEL = 0.95
"""Confidence level of the ceilings in reports without this option."""

_NOT_STATED = (
    "it is not a sum of costs given the class sizes, so the best predictions are not known"
)
_UNDEFINED = "it is undefined for these grades"
_NO_RELIABILITY = "the quadratic kappa between the raters is not positive"
_NO_ITEMS = "no item of positive weight has two grades"


@dataclass(frozen=True)
class Ceiling:
    """How good a prediction of the grade of a rater can be, according to one criterion.

    Parameters
    ----------
    basis : {"best classes", "true scores", "none"}
        Where the ceiling comes from: from the best class of each item, for criteria that are sums
        of costs; from the variance of true scores, for the quadratic kappa, which is approximate on
        classes; or there is none.
    values : mapping of str to Interval
        The value of "between_raters", where one rater predicts another. For the best classes, the
        ends of the ceiling are "left_one_out" and "in_sample". For true scores, they are
        "true_scores" and "best_possible", and "like_a_rater" is the value of a system that errs
        like the raters. Empty if the ceiling is not stated.
    reason : str, default=""
        Why the ceiling is not stated or undefined; empty if it is defined.

    Attributes
    ----------
    between_raters : float
        The value of one rater who predicts another, NaN if the ceiling is not stated.
    bracket : tuple of float
        The two ends of the ceiling in ascending order, NaN if there is none.
    interval : tuple of float
        The range from the outer end of the interval of one end of the ceiling to the outer end of
        the interval of the other. It covers the true ceiling of best classes with at least the
        confidence level in large samples.

    See Also
    --------
    RatingCeilings : Holds the ceiling of each criterion.

    Examples
    --------
    >>> from sklearn_ordinal import OrdinalRatings, rating_ceilings
    >>> ratings = OrdinalRatings.from_ratings([[0, 0, 1], [0, 1, 1], [2, 2, 1], [2, 2, 2]] * 20)
    >>> ceiling = rating_ceilings(ratings, "accuracy").ceilings["accuracy"]
    >>> print("{:.3f} to {:.3f}".format(*ceiling.bracket))
    0.417 to 0.750
    """

    basis: Basis
    values: Mapping[str, Interval]
    reason: str = ""

    @property
    def between_raters(self) -> float:
        """The value of one rater who predicts another."""
        return self.values["between_raters"].estimate if self.values else math.nan

    @property
    def is_approximate(self) -> bool:
        """Whether the ceiling follows from true scores, which classes only approximate."""
        return self.basis == "true scores"

    @property
    def bracket(self) -> tuple[float, float]:
        """The two ends of the ceiling in ascending order."""
        if not self.values:
            return math.nan, math.nan
        first, second = (end.estimate for end in self._ends())
        return min(first, second), max(first, second)

    @property
    def interval(self) -> tuple[float, float]:
        """The range from the outer end of one interval to the outer end of the other."""
        ends = self._ends()
        if not ends or any(math.isnan(end.low) for end in ends):
            return math.nan, math.nan
        return min(end.low for end in ends), max(end.high for end in ends)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers.

        Returns
        -------
        dict
            "basis", "reason" and "values", which has a dict of "value", "low" and "high" for each
            value. Undefined values are None.
        """
        numbers: dict[str, Any] = json_files.plain(
            {
                "basis": self.basis,
                "reason": self.reason,
                "values": {
                    name: {
                        "value": interval.estimate,
                        "low": interval.low,
                        "high": interval.high,
                    }
                    for name, interval in self.values.items()
                },
            }
        )
        return numbers

    def _ends(self) -> list[Interval]:
        return list(self.values.values())[-2:]


def ceiling_record(ceiling: Ceiling | None) -> dict[str, float]:
    """Return the columns of a frame that hold a ceiling, none without one."""
    if ceiling is None:
        return {}
    low, high = ceiling.bracket
    return {"between_raters": ceiling.between_raters, "ceiling_low": low, "ceiling_high": high}


def ceiling_notes(ceilings: Mapping[str, Ceiling]) -> Iterator[str]:
    """Yield which ceilings are approximate, and why some are missing."""
    approximate = [name for name, ceiling in ceilings.items() if ceiling.is_approximate]
    if approximate:
        yield (
            f"For {formatting.names_in_words(approximate)}, the ceiling is approximate, and lies "
            "between the true scores and the best possible system."
        )
    yield from reasons_in_words(ceilings)


def reasons_in_words(ceilings: Mapping[str, Ceiling]) -> Iterator[str]:
    """Yield why the ceilings of criteria are not stated or undefined."""
    by_reason: dict[tuple[str, str], list[str]] = {}
    for name, ceiling in ceilings.items():
        if ceiling.reason:
            state = "undefined" if ceiling.values else "not stated"
            by_reason.setdefault((state, ceiling.reason), []).append(name)
    for (state, reason), names in by_reason.items():
        yield f"The ceiling of {formatting.names_in_words(names)} is {state}: {reason}."


def may_have_ceiling(metric: OrdinalMetric) -> bool:
    """Return whether a metric is a function of counts that says what is better."""
    return (
        metric.evidence is evidence_kinds.LABELS
        and metric.scorer is None
        and _sections.has_direction(metric)
    )


def ceilings_by_metric(
    ratings: OrdinalRatings,
    metrics: Iterable[OrdinalMetric],
    level: float,
    *,
    weight: NDArray[np.float64] | None = None,
) -> ByMetric:
    """Return the ceiling of each criterion by name, which all reports show.

    If `weight`, of shape (n_items,), is None, the items have the weights of the ratings.
    """
    items = SharedItems.from_ratings(ratings, weight)
    return ByMetric({metric.name: _ceiling(items, metric, level) for metric in metrics})


def _ceiling(items: SharedItems, metric: OrdinalMetric, level: float) -> Ceiling:
    if not items.n_items:
        return Ceiling("none", {}, _NO_ITEMS)
    if _is_quadratic_kappa(metric):
        return _ceiling_of_kappa(items.kappa_between_raters(level))
    values = items.ceilings(metric, level)
    if values is None:
        return Ceiling("none", {}, _NOT_STATED)
    is_defined = all(math.isfinite(interval.estimate) for interval in values.values())
    return Ceiling("best classes", values, "" if is_defined else _UNDEFINED)


def _is_quadratic_kappa(metric: OrdinalMetric) -> bool:
    """Return whether the ceiling of a metric follows from the reliability of the grades."""
    weights = metric.options.get("weights")
    is_quadratic = isinstance(weights, str) and weights == "quadratic"
    return metric.function is _kappa.quadratic_weighted_kappa_score or (
        metric.function is _kappa.weighted_kappa_score and is_quadratic
    )


def _ceiling_of_kappa(kappa: Interval) -> Ceiling:
    """Return the ceiling that follows from the quadratic kappa between raters."""
    r, level = kappa.estimate, kappa.confidence_level
    nothing = Interval(math.nan, math.nan, math.nan, level)
    if not r > 0:
        reason = _NO_RELIABILITY if r <= 0 else _UNDEFINED
        values = dict.fromkeys(_RELIABILITY, nothing) | {"between_raters": kappa}
        return Ceiling("true scores", values, reason)
    error = math.nan if kappa.standard_error is None else kappa.standard_error
    # Where the interval of kappa extends below 0, there is no variance of true scores.
    low, high = max(kappa.low, 0.0), kappa.high

    def transformed(function: Callable[[float], float], derivative: float) -> Interval:
        ends = function(low), function(high)
        return Interval(
            function(r), *ends, level, method="delta", standard_error=error * derivative
        )

    values = {
        "between_raters": kappa,
        "like_a_rater": kappa,
        "true_scores": transformed(lambda k: 2 * k / (1 + k), 2 / (1 + r) ** 2),
        "best_possible": transformed(math.sqrt, 0.5 / math.sqrt(r)),
    }
    return Ceiling("true scores", values)
