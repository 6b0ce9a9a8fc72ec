"""Intervals from the grades of a few items by humans, and of many items by a judge."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtrit
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core import (
    checks,
    containers,
    evidence_kinds,
    lookup,
    scales,
    tolerances,
)
from sklearn_ordinal._core.arithmetic import Floats
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.containers import LabelColumn
from sklearn_ordinal._core.influence_functions import DrawnSamples, EntryAmounts, SortedUnits
from sklearn_ordinal._core.lookup import ByMetric, MetricsLike
from sklearn_ordinal._core.scales import IntegerArray, OrdinalScale
from sklearn_ordinal._documents import formatting
from sklearn_ordinal._documents.document_parts import Column, Table
from sklearn_ordinal.inference import _intervals, _unit_moves
from sklearn_ordinal.inference._intervals import Interval
from sklearn_ordinal.inference._unit_moves import Design, Moves, Spread
from sklearn_ordinal.plotting import _intervals_display
from sklearn_ordinal.plotting._intervals_display import IntervalsDisplay
from sklearn_ordinal.reports import _sections
from sklearn_ordinal.reports._sections import Provenance
from sklearn_ordinal.reports._values import VALUE, Key, Values

# Items that a judge grades, only some of which humans grade too
# --------------------------------------------------------------

# The variances of fewer items, and so the weight of the judge, are hardly known.
_FEWEST_GRADED = 30
# Combinations of three classes that are counted with one counter each.
_MOST_COUNTERS = 2**20


@dataclass(frozen=True, eq=False)
class PartlyGradedItems:
    """Items that both a human and the judge grade, and items of the judge only.

    A row stands for one item, or for several alike items if items were drawn one by one.

    Parameters
    ----------
    scale : OrdinalScale
        The classes.
    graded : ndarray of shape (3, n_graded_rows)
        The grade of the human, the grade of the judge and the prediction.
    judge_only : ndarray of shape (2, n_other_rows)
        The grade of the judge and the prediction, for the items that no human grades.
    numbers : ndarray of shape (n_graded_rows + n_other_rows,)
        Number of items in each row, the graded ones first.
    cluster : ndarray of shape (n_graded_rows + n_other_rows,) or None
        Cluster of the item in each row, as an integer from 0.
    """

    scale: OrdinalScale
    graded: NDArray[np.int64]
    judge_only: NDArray[np.int64]
    numbers: NDArray[np.int64]
    cluster: NDArray[np.int64] | None = None

    @property
    def n_rows(self) -> tuple[int, int]:
        """Number of rows of graded items, and of the others."""
        return self.graded.shape[1], self.judge_only.shape[1]

    @property
    def n_graded(self) -> int:
        """Number of items that a human and the judge grade."""
        return int(self.numbers[: self.n_rows[0]].sum())

    @property
    def n_judge_only(self) -> int:
        """Number of items that only the judge grades."""
        return int(self.numbers[self.n_rows[0] :].sum())

    @property
    def cells(self) -> dict[str, NDArray[np.int64]]:
        """The cell of each row by "human" and "judge", whose grade is the truth: (2, n_rows)."""
        human, judge, predicted = self.graded
        by_judge = np.concatenate([[judge, predicted], self.judge_only], axis=1)
        return {"human": np.stack([human, predicted]), "judge": by_judge}

    def counts(self, grader: str, rows: slice = slice(None)) -> NDArray[np.int64]:
        """Return the number of items by the grade of the human or the judge, and the prediction."""
        counts = np.zeros((len(self.scale), len(self.scale)), dtype=np.int64)
        cells = self.cells[grader]
        np.add.at(counts, tuple(cells[:, rows]), self.numbers[: cells.shape[1]][rows])
        return counts

    def confusion(self, grader: str) -> tuple[OrdinalConfusion, Design]:
        """Return the counts with these grades as the truth, and how the items were drawn."""
        confusion, cells = OrdinalConfusion(self.scale, self.counts(grader)), self.cells[grader]
        if self.cluster is None:
            return confusion, Design(evidence_kinds.LABELS.entry_amounts(confusion))
        # The entries of counts have a last column for unanswered samples.
        entry = cells[0] * (len(self.scale) + 1) + cells[1]
        n_rows = cells.shape[1]
        _, cluster = np.unique(self.cluster[:n_rows], return_inverse=True)
        has_weight = np.ones(n_rows, dtype=np.bool_)
        weight = self.numbers[:n_rows].astype(np.float64)
        return confusion, Design(None, DrawnSamples(entry[None], weight, cluster, has_weight))

    def spread(self, moves: Floats) -> Spread:
        """Return the spread of values, given how far an item in each row moves them.

        The graded items and the others are independent samples, unless they share clusters.
        """
        numbers, n_graded = self.numbers.astype(np.float64), self.n_rows[0]
        is_graded = np.arange(len(numbers)) < n_graded
        if self.cluster is None:
            amounts, starts = EntryAmounts(*[numbers] * 4), np.array([0, n_graded])
            of_rows = Moves(moves, amounts, np.ones(len(numbers), dtype=np.bool_), starts)
            n_effective = float(self.n_graded)
        else:
            # Clusters with graded items come first.
            is_ungraded = ~np.isin(self.cluster, self.cluster[:n_graded])
            units = SortedUnits(self.cluster, is_ungraded.astype(np.intp))
            graded, others = units.sums(numbers * is_graded), units.sums(numbers * ~is_graded)
            weight = graded / self.n_graded + others / self.n_judge_only
            is_shared = ((graded > 0) & (others > 0)).any()
            of_rows = _unit_moves.of_units(
                units.sums(numbers * moves),
                weight,
                weight > 0,
                None if is_shared else units.starts,
            )
            n_effective = graded.sum() ** 2 / (graded**2).sum()
        error, degrees, _ = of_rows.spread()
        # Humans who find all predictions right do not learn more from the judge.
        return Spread(error, degrees, np.full(error.shape, n_effective))


def _read_partly_graded(
    y_true: Any, y_pred: Any, judge: Any, labels: Any, clusters: Any
) -> PartlyGradedItems:
    """Count items whose true class may be missing, and that have a prediction and a judge's grade.

    Parameters
    ----------
    y_true : array-like of shape (n_items,)
        Grades of humans, missing (NaN, None or NA) where only the judge grades the item.
    y_pred : array-like of shape (n_items,)
        Predicted classes.
    judge : array-like of shape (n_items,)
        Grades of the judge.
    labels : array-like of shape (n_classes,) or None
        All classes from the lowest to the highest, if the data do not tell.
    clusters : array-like of shape (n_items,) or None
        Cluster of each item.
    """
    arguments = {"y_true": y_true, "y_pred": y_pred, "judge": judge}
    containers.check_same_order({**arguments, "clusters": clusters})
    read = {name: containers.read_present(values, name) for name, values in arguments.items()}
    scales.check_same_length({name: len(is_present) for name, (_, is_present) in read.items()})
    columns = {name: column for name, (column, _) in read.items()}
    has_human = read["y_true"][1]
    _check_complete(columns, len(has_human))
    n_graded = int(np.count_nonzero(has_human))
    if n_graded < _FEWEST_GRADED:
        raise ValueError(
            f"y_true must have grades of humans for at least {_FEWEST_GRADED} items, and be "
            f"missing (NaN, None or NA) where only the judge grades the item, got {n_graded:,} "
            f"grades for {len(has_human):,} items: have humans grade a random sample of the items."
        )
    if n_graded == len(has_human):
        raise ValueError(
            "y_true must be missing (NaN, None or NA) for the items that only the judge grades, "
            "got a human's grade for each item: use delta_interval, which needs no judge."
        )
    scale, (human, predicted, graded) = scales.encode_columns(
        list(columns.values()), labels
    ).on_scale()
    n_classes = len(scale)
    if n_classes < 2:
        raise ValueError(
            f"y_true, y_pred and judge must have at least two classes, got only "
            f"{checks.shown(scale.labels.tolist()[0])}: pass all classes as labels=."
        )
    if clusters is not None:
        cluster = scales.encode_groups(clusters, len(has_human), "clusters")
        n_clusters = len(np.unique(cluster[has_human]))
        if n_clusters < 2:
            raise ValueError(
                f"clusters must have at least two clusters with items that humans grade, got "
                f"{n_clusters}: have humans grade items of more clusters."
            )
        both, order = (
            np.stack([graded, predicted]).astype(np.int64),
            np.argsort(~has_human, kind="stable"),
        )
        graded_rows = np.concatenate([human[None], both[:, has_human]]).astype(np.int64)
        numbers = np.ones(len(has_human), dtype=np.int64)
        return PartlyGradedItems(scale, graded_rows, both[:, ~has_human], numbers, cluster[order])
    pairs = graded.astype(np.int64) * n_classes + predicted
    pairs_of_graded = pairs[has_human]
    # Selecting the items of the judge only would take longer than counting all items.
    by_pair = np.bincount(pairs, minlength=n_classes**2)
    by_pair -= np.bincount(pairs_of_graded, minlength=n_classes**2)
    numbers, combinations = _count_combinations(human, pairs_of_graded, n_classes)
    (others,) = by_pair.nonzero()
    judge_only = np.array(np.divmod(others, n_classes), dtype=np.int64)
    return PartlyGradedItems(
        scale, combinations, judge_only, np.r_[numbers, by_pair[others]].astype(np.int64)
    )


def _check_complete(columns: dict[str, LabelColumn], n_items: int) -> None:
    """Raise unless each item has a prediction and a grade of the judge."""
    for name, noun in (("y_pred", "prediction"), ("judge", "grade of the judge")):
        n_missing = n_items - len(columns[name].values)
        if n_missing:
            raise ValueError(
                f"{name} must have a {noun} for each item, but {n_missing:,} of {n_items:,} are "
                f"missing (NaN, None or NA): leave these items out."
            )


def _count_combinations(
    human: IntegerArray, pairs: NDArray[np.int64], n_classes: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the number of items with each combination that occurs, and the combinations.

    `pairs` has the grade of the judge and the prediction as one number.
    """
    codes = human.astype(np.int64) * n_classes**2 + pairs
    if n_classes**3 <= _MOST_COUNTERS:
        by_code = np.bincount(codes)
        distinct = by_code.nonzero()[0]
        numbers = by_code[distinct]
    else:
        distinct, numbers = np.unique(codes, return_counts=True)
    combinations = np.unravel_index(distinct, (n_classes,) * 3)
    return numbers.astype(np.int64), np.array(combinations, dtype=np.int64)


# Values from the grades of a few items by humans and of many items by a judge
# ----------------------------------------------------------------------------


class AssistedValue(NamedTuple):
    """The value of a metric with the help of a judge, and without the humans or the judge."""

    assisted: Interval
    humans: Interval
    """What the humans alone give, from the items that they grade."""
    judge: Interval
    """What the judge alone would have said, with its grades of all items as the truth."""
    tuning: float
    """The weight of the grades of the judge, between 0 and 1: lambda in the source."""
    is_one_step: bool
    """Whether the value is computed from the derivatives at the counts of the humans."""


class _Powered(NamedTuple):
    """The tuned weights of the judge and the values that they lead to: (n_metrics, ...)."""

    tuning: Floats
    counts: Floats
    one_step: Floats
    spread: Spread


def _assisted_values(
    metrics: Sequence[OrdinalMetric], items: PartlyGradedItems, level: float
) -> dict[str, AssistedValue]:
    """Return the value of each metric by its name; raise where a judge cannot help.

    Parameters
    ----------
    metrics : sequence of OrdinalMetric
        Metrics of counts with influences.
    items : PartlyGradedItems
        The counts.
    level : float
        Confidence level of the intervals.
    """
    _intervals.check_have_influences(
        metrics, "pass it to bootstrap_interval, with the graded items"
    )
    humans = items.confusion("human")
    # The derivatives of a metric at the counts of the humans, minus their mean, which does not
    # matter since the corrections of the counts add up to 0.
    gradients = np.array([metric.evidence.influence(metric, humans[0]).cells for metric in metrics])
    gradients = _needed_derivatives(metrics, gradients, items)
    by_humans, by_judge = (
        _intervals_alone(metrics, *alone, level) for alone in (humans, items.confusion("judge"))
    )
    values = np.array([interval.estimate for interval in by_humans])
    powered = _powered(gradients, items, values)
    estimates, is_one_step = _estimates(metrics, powered, items)
    intervals = _assisted_intervals(metrics, estimates, powered.spread, len(items.scale), level)
    columns = (intervals, by_humans, by_judge, powered.tuning.tolist(), is_one_step.tolist())
    return {
        metric.name: AssistedValue(*row) for metric, *row in zip(metrics, *columns, strict=True)
    }


def _needed_derivatives(
    metrics: Sequence[OrdinalMetric], gradients: Floats, items: PartlyGradedItems
) -> Floats:
    """Return the derivatives, all NaN for a metric that lacks one in a cell that the judge fills.

    Raise if such a cell is in a class that the judge gives and no human.
    """
    human_counts, is_filled = items.counts("human"), items.counts("judge") > 0
    lacks = ~np.isfinite(gradients) & is_filled
    # A whole matrix is NaN if the value is undefined, or has no derivative for the humans.
    lacks[np.isnan(gradients[:, human_counts > 0]).any(axis=-1)] = False
    is_unseen = human_counts.sum(axis=1) == 0
    if lacks[:, is_unseen].any():
        names = [
            metric.name
            for metric, lacking in zip(metrics, lacks[:, is_unseen], strict=True)
            if lacking.any()
        ]
        classes = items.scale.labels[is_unseen & lacks.any(axis=(0, 2))]
        raise ValueError(
            f"judge has classes that no human's grade in y_true has, {checks.listed(classes)}, "
            f"where {formatting.names_in_words(names)} {'has' if len(names) == 1 else 'have'} no "
            "finite derivative: have humans grade such items, merge these classes with others, or "
            "leave these metrics out."
        )
    return np.where(lacks.any(axis=(1, 2), keepdims=True), np.nan, gradients)


def _intervals_alone(
    metrics: Sequence[OrdinalMetric], confusion: OrdinalConfusion, design: Design, level: float
) -> list[Interval]:
    """Return the intervals of `delta_interval`, NaN where there are none, without warnings."""
    by_entry = evidence_kinds.LABELS.entry_influences(metrics, confusion)
    spread = design.spread(by_entry)
    values = _intervals.with_replacements(metrics, by_entry.values)
    ends = _intervals.delta_ends(metrics, values, spread, level, len(confusion.scale))
    return ends.intervals(values, spread.standard_error, level)


@np.errstate(invalid="ignore")
def _powered(gradients: Floats, items: PartlyGradedItems, values: Floats) -> _Powered:
    """Return what PPI++ makes of the derivatives: the formulas of `judge_assisted_interval`."""
    n_graded, n_judge_only, (n_rows, _) = items.n_graded, items.n_judge_only, items.n_rows
    of_human, of_judge = (gradients[:, *cells] for cells in items.cells.values())
    shares = np.r_[items.numbers[:n_rows] / n_graded, items.numbers[n_rows:] / n_judge_only]

    def centred(of_rows: Floats, shares: Floats) -> tuple[Floats, Floats]:
        means = of_rows @ shares
        return of_rows - means[:, None], means

    by_human, _ = centred(of_human, shares[:n_rows])
    by_judge, judge_mean = centred(of_judge[:, :n_rows], shares[:n_rows])
    unseen, unseen_mean = centred(of_judge[:, n_rows:], shares[n_rows:])
    n_items = n_graded + n_judge_only
    of_all, _ = centred(of_judge, items.numbers / n_items)
    covariance = (by_human * by_judge) @ shares[:n_rows]
    variance = (1 + n_graded / n_judge_only) * (of_all**2 @ items.numbers) / (n_items - 1)
    # A judge whose derivatives do not vary has no covariance either.
    tuning = np.clip(covariance / np.where(variance == 0, 1, variance), 0, 1)
    weight = tuning[:, None]
    moves = np.concatenate(
        [(by_human - weight * by_judge) / n_graded, weight * unseen / n_judge_only], axis=1
    )
    spread = items.spread(moves)
    unseen_counts = items.counts("judge", slice(n_rows, None))
    correction = n_graded / n_judge_only * unseen_counts - items.counts("judge", slice(n_rows))
    return _Powered(
        tuning,
        np.asarray(items.counts("human") + weight[..., None] * correction, dtype=np.float64),
        values + tuning * (unseen_mean - judge_mean),
        spread,
    )


@np.errstate(all="ignore")
def _estimates(
    metrics: Sequence[OrdinalMetric], powered: _Powered, items: PartlyGradedItems
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the values at the corrected counts, or in one step, and which are in one step."""
    values = np.array(
        [metric.statistic(counts) for metric, counts in zip(metrics, powered.counts, strict=True)],
        dtype=np.float64,
    )
    values = _intervals.with_replacements(metrics, values)
    lowest, highest = _bounds(metrics, len(items.scale))
    # A class of negative size has no meaning, although some statistics have a value there.
    class_sizes = powered.counts.sum(axis=-1)
    is_lost = (items.counts("human").sum(axis=-1) > 0) & (class_sizes <= 0)
    is_outside = ~((values >= lowest) & (values <= highest))
    is_one_step = is_outside | (is_lost | (class_sizes < 0)).any(axis=-1)
    # The values of sums over the items are the same.
    is_one_step &= ~np.isclose(values, powered.one_step, rtol=0, atol=tolerances.SAME_VALUE)
    values = np.where(is_one_step, powered.one_step, values)
    return np.clip(values, lowest, highest), is_one_step & np.isfinite(values)


def _assisted_intervals(
    metrics: Sequence[OrdinalMetric],
    estimates: Floats,
    spread: Spread,
    n_classes: int,
    level: float,
) -> list[Interval]:
    """Return intervals on the same scales as those of `delta_interval`."""
    errors, degrees, sizes = spread
    ends = _intervals.delta_ends(metrics, estimates, spread, level, n_classes)
    methods = np.where(ends.is_wilson, "wilson", "prediction-powered")
    # A corrected value may lie at the end of its range, or is cut off there, although it has a
    # standard error. The log-odds are infinite there, so the interval is symmetric.
    is_at_the_end = np.isnan(ends.low) | ends.is_wilson
    is_at_the_end &= errors > _intervals.rounding_error(estimates, sizes)
    margin = stdtrit(degrees, (1 + level) / 2) * errors
    lowest, highest = _bounds(metrics, n_classes)
    low = np.where(is_at_the_end, np.maximum(estimates - margin, lowest), ends.low)
    high = np.where(is_at_the_end, np.minimum(estimates + margin, highest), ends.high)
    methods[is_at_the_end] = "prediction-powered"
    columns = (column.tolist() for column in (estimates, low, high, methods, errors))
    return [
        Interval(value, start, end, level, method=method, standard_error=error)
        for value, start, end, method, error in zip(*columns, strict=True)
    ]


def _bounds(metrics: Sequence[OrdinalMetric], n_classes: int) -> Floats:
    """Return the lowest and the highest value of each metric: (2, n_metrics)."""
    return np.array([metric.bounds(n_classes) for metric in metrics]).T


# Intervals from the grades of a few items by humans, and of many items by a judge
# --------------------------------------------------------------------------------

_WHY_UNDEFINED = (
    "for the grades of the humans, the value is undefined, has no derivative there or where the "
    "judge puts an item, or has a standard error of 0"
)

# Which grades a value uses, and how plots call them.
_GRADES = {"both": "humans and judge", "humans": "humans alone", "judge": "judge alone"}
_LAMBDA = "lambda"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class JudgeAssistedInterval(Values):
    """Values that humans and a judge give together, beside what each of them gives alone.

    Returned by `judge_assisted_interval`. `str` gives the text, and notebooks show a table and a
    plot. Keys may have any form that `get_metric` accepts.

    Parameters
    ----------
    rows : mapping of tuple to Interval
        The values. A key has the criterion, the grades that are used ("both", "humans" or "judge"),
        and "value" or "lambda".
    metrics : mapping of str to OrdinalMetric
        The criteria by name.
    inferred : tuple of str
        All criteria, since the text shows all intervals.
    n_classes : int
        Number of classes on the scale.
    digits : int, default=2
        Least number of digits after the decimal point in text and tables.
    provenance : Provenance, default=None
        When and with which versions the result was made. It is ignored when results are compared.
    scale : OrdinalScale
        The classes from the lowest to the highest.
    n_graded : int
        Number of items that a human and the judge grade.
    n_judge_only : int
        Number of items that only the judge grades.
    is_one_step : mapping of str to bool
        For each criterion, whether the value is computed in one step from the derivatives, because
        the criterion has no meaning at the corrected counts.

    Attributes
    ----------
    intervals : mapping of str to Interval
        For each criterion, the value from the grades of the humans and the judge.
    humans_alone : mapping of str to Interval
        For each criterion, the value on the items that humans grade, without the judge.
    judge_alone : mapping of str to Interval
        For each criterion, the value if the grades of the judge were the truth of all items. Its
        interval does not contain the errors of the judge.
    tuning : mapping of str to float
        For each criterion, the weight of the grades of the judge, between 0 and 1: lambda in the
        source. NaN if the value is undefined.

    See Also
    --------
    sklearn_ordinal.judge_assisted_interval : Compute the intervals.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_ordinal import judge_assisted_interval
    >>> y_pred, judge = np.array([0, 1, 1, 2, 2] * 60), np.array([0, 0, 1, 2, 2] * 60)
    >>> y_true = np.where(np.arange(300) < 100, [0, 0, 1, 2, 1] * 60, np.nan)
    >>> result = judge_assisted_interval(y_true, y_pred, judge, "accuracy")
    >>> round(result.tuning["accuracy"], 3)
    0.498
    """

    axes = ("criterion", "grades", "what")
    _title = "Judge-assisted intervals"

    scale: OrdinalScale
    n_graded: int
    n_judge_only: int
    is_one_step: ByMetric
    digits: int = 2

    @property
    def intervals(self) -> ByMetric:
        """The value from the grades of the humans and the judge, by criterion."""
        return ByMetric(self._along("criterion", grades="both"))

    @property
    def humans_alone(self) -> ByMetric:
        """The value on the items that humans grade, without the judge, by criterion."""
        return ByMetric(self._along("criterion", grades="humans"))

    @property
    def judge_alone(self) -> ByMetric:
        """The value if the grades of the judge were the truth of all items, by criterion."""
        return ByMetric(self._along("criterion", grades="judge"))

    @property
    def tuning(self) -> ByMetric:
        """The weight of the grades of the judge, by criterion."""
        weights = self._along("criterion", grades="both", what=_LAMBDA)
        return ByMetric({name: weight.estimate for name, weight in weights.items()})

    def _display(self, criterion: str) -> IntervalsDisplay:
        """Return the plot of the value that humans and the judge give together, and alone."""
        values = self._along("grades", criterion=criterion)
        title = f"value, {_sections.interval_name(self.confidence_level)}"
        return IntervalsDisplay(
            [_GRADES[grades] for grades in values],
            {title: _intervals_display.as_columns(values.values())},
            label=f"{criterion} ({_sections.direction_as_text(self.metrics[criterion])} is better)",
        )

    def _sentences(self) -> Iterator[str]:
        """Yield the value of the first criterion with the judge and without, and the condition."""
        criterion = next(iter(self.metrics))
        both, humans, _ = self._along("grades", criterion=criterion).values()
        digits = _intervals.digits_of_intervals([both, humans], self.digits)
        with_judge, without = (
            "undefined" if math.isnan(value.estimate) else value._with_digits(digits)
            for value in (both, humans)
        )
        narrower = 1 - (both.high - both.low) / (humans.high - humans.low)
        how = f"{narrower:.0%} narrower" if narrower >= 0.005 else "not narrower"
        width = "" if math.isnan(narrower) else f" With the judge, the interval is {how}."
        yield (
            f"{criterion} is {with_judge} from the grades of humans and of the judge, and "
            f"{without} from the grades of humans alone.{width}"
        )
        yield (
            f"These intervals are valid only if the {self.n_graded:,} items that humans grade are "
            f"a random sample of all items."
        )

    def _views(self) -> Iterator[Table]:
        values = {
            f"{criterion}, {grades}": row
            for (criterion, grades, what), row in self.rows.items()
            if what == VALUE
        }
        # The interval of the judge alone is narrow, and not an interval of the value.
        compared = [row for name, row in values.items() if not name.endswith(", judge")]
        digits = _intervals.digits_of_intervals(compared, self.digits)
        weight = Column("weight", "number", digits=2, full_name="weight of the judge, from 0 to 1")
        yield _sections.table(
            "Values by the grades that they use",
            "criterion and grades",
            list(values),
            _sections.estimates("value", values, digits),
            _sections.ends(values, digits),
            _sections.block(weight, {f"{name}, both": w for name, w in self.tuning.items()}),
        )

    def _notes(self) -> Iterator[str]:
        yield (
            f"{self.n_graded + self.n_judge_only:,} items with a grade of the judge, "
            f"{self.n_graded:,} of them also with a grade of a human, "
            f"{_sections.classes_in_words(self.scale.labels.tolist())}."
        )
        one_step = [name for name, is_one_step in self.is_one_step.items() if is_one_step]
        if one_step:
            yield (
                f"Computed in one step from the derivatives, since the corrected counts have a "
                f"class without a positive size, no value, or a value out of range: "
                f"{formatting.names_in_words(one_step)}."
            )
        undefined = [name for name, value in self.intervals.items() if math.isnan(value.low)]
        if undefined:
            yield (
                f"There is no interval of {formatting.names_in_words(undefined)}: {_WHY_UNDEFINED}."
            )

    def _facts(self) -> dict[str, Any]:
        return {
            "is_one_step": dict(self.is_one_step),
            "classes": self.scale.labels,
            "n_graded": self.n_graded,
            "n_judge_only": self.n_judge_only,
        }


@checks.lists_parameters
def judge_assisted_interval(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    judge: ArrayLike,
    metrics: MetricsLike,
    *,
    labels: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    confidence_level: float = 0.95,
) -> JudgeAssistedInterval:
    r"""Compute intervals from few grades of humans and many grades of a judge.

    A judge is a program that grades, such as a language model with a rubric. It grades many items,
    but the values that it gives alone are biased by its errors, which no number of items removes.
    Humans grade a random sample of the items, which shows these errors. The result corrects
    them. Its interval is narrower than the interval of the humans alone if the judge agrees with
    the humans on which predictions are right, and about as wide if it does not [1]_, [2]_.

    **The intervals are valid only if the items that humans grade are a random sample of all
    items.** If humans grade the difficult items, or the first ones, the result is biased.

    The counts of the true classes and predictions are corrected, as shares of the items:

    .. math:: C(\lambda) = C_h + \lambda (C_u - C_j)

    where :math:`C_h` has the grades of the humans as the truth of the :math:`n` items that they
    grade, :math:`C_j` has the grades of the judge as the truth of the same items, and :math:`C_u`
    has the grades of the judge as the truth of the other :math:`N` items. The value is the
    criterion of :math:`C(\lambda)`. Let :math:`\phi` be the influence of the cell of a graded item
    on the criterion of :math:`C_h`, :math:`\psi` the influence of the cell in which the judge puts
    it, and :math:`\psi_u` the same for the other items. The weight of the judge,

    .. math:: \lambda = \frac{\operatorname{cov}(\phi, \psi)}
        {(1 + n / N) \operatorname{var}(\psi, \psi_u)}

    cut off at 0 and 1, approximately minimizes the squared standard error

    .. math:: s^2 = \frac{\operatorname{var}(\phi - \lambda \psi)}{n} +
        \frac{\lambda^2 \operatorname{var}(\psi_u)}{N}

    with the divisors :math:`n - 1` and :math:`N - 1` in the variances.

    Parameters
    ----------
    y_true : array-like of shape (n_items,)
        Grades of humans; missing (NaN, None or NA) where only the judge grades the item. At least
        30 must be known, and at least one missing.
    y_pred : array-like of shape (n_items,)
        Predicted classes of the system that is evaluated.
    judge : array-like of shape (n_items,)
        Grades of the judge, for each item.
    metrics : str, callable, iterable or dict of them
        Criteria of predicted classes, in any form that `get_metric` accepts, that have influences:
        see `OrdinalMetric.has_influence`. "all" for all such criteria of the package.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered dtype or from
        integers; required for strings.
    clusters : array-like of shape (n_items,), default=None
        Cluster of each item, such as the document, if items were drawn in whole clusters, whether
        humans grade all items of a cluster or some.
    confidence_level : float, default=0.95
        Confidence level of the intervals, between 0 and 1.

    Returns
    -------
    JudgeAssistedInterval
        For each criterion the value with its interval and :math:`\lambda`, what the humans alone
        give, and what the judge alone would have said; as text, tables and a plot. Values and ends
        are NaN, with an `UndefinedMetricWarning`, if the criterion is undefined for the grades of
        the humans, or has no derivative there or in a cell in which the judge puts an item.

    Raises
    ------
    ValueError
        If humans grade fewer than 30 items or all items; an item has no grade of the judge or no
        prediction; there is a single class, the order of the classes is not known, or a class is
        not in `labels`; a criterion takes other predictions or has no influences; or the judge
        gives a class that no human gives, and a criterion has no finite derivative there, such as
        CEM_ORD and the macro-averaged errors; or humans grade items of a single cluster.

    Warns
    -----
    UndefinedMetricWarning
        If the interval of a criterion is undefined.

    See Also
    --------
    compare_judge : Ask whether the judge is as good as a human.
    sklearn_ordinal.inference.delta_interval : Compute the intervals of the humans alone.

    Notes
    -----
    The standard error is computed as in PPI++ [1]_. For the accuracy and the mean absolute error,
    which are means, the value and :math:`\lambda` are the same as in the package ppi_py, whose
    variances have the divisors :math:`n` and :math:`N`. If :math:`\lambda = 0`, the standard error
    is the one of the humans alone. The interval is on the scale of `delta_interval`, mostly the
    log-odds within the range of the criterion, with quantiles of the t distribution with its
    degrees of freedom. In simulations, it covers better on average than a symmetric normal
    interval, see :doc:`the user guide </guide/judges>`.

    The graded items and the others are independent samples, or their clusters are. If humans grade
    only some items of a cluster, all clusters are one sample. :math:`\lambda` does not depend on
    the clusters.

    Corrected counts may be negative, and most criteria have a value nevertheless. If there is none,
    if it is out of range, or if a class has no positive size, the value is computed in one step:
    the value of the humans alone, plus the derivatives times the correction. Values are cut off at
    the ends of the range, where the interval is symmetric before it is cut off.

    References
    ----------
    .. [1] A. N. Angelopoulos, J. C. Duchi, T. Zrnic (2023), "PPI++: efficient prediction-powered
       inference", https://arxiv.org/abs/2311.01453.
    .. [2] A. N. Angelopoulos, S. Bates, C. Fannjiang, M. I. Jordan, T. Zrnic (2023),
       "Prediction-powered inference", Science 382(6671), :doi:`10.1126/science.adi6000`.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_ordinal import judge_assisted_interval
    >>> rng = np.random.default_rng(0)
    >>> quality = rng.integers(1, 6, size=5000)
    >>> grades = np.clip(quality + rng.choice([-1, 0, 0, 0, 1], size=(3, 5000)), 1, 5)
    >>> y_pred, judge, human = grades
    >>> y_true = np.where(np.arange(5000) < 200, human, np.nan)
    >>> print(judge_assisted_interval(y_true, y_pred, judge, ["cem_ord", "accuracy"]))
    cem_ord is 0.766 (95% interval 0.730 to 0.798) from the grades of humans and of
    the judge, and 0.769 (95% interval 0.732 to 0.803) from the grades of humans
    alone. With the judge, the interval is 5% narrower.
    <BLANKLINE>
    These intervals are valid only if the 200 items that humans grade are a random
    sample of all items.
    <BLANKLINE>
    5,000 items with a grade of the judge, 200 of them also with a grade of a human,
    5 classes from 1 (lowest) to 5 (highest).
    <BLANKLINE>
    Values by the grades that they use
    criterion and grades  value    95% interval  weight
    cem_ord, both         0.766  0.730 to 0.798    0.29
    cem_ord, humans       0.769  0.732 to 0.803
    cem_ord, judge        0.776  0.769 to 0.783
    accuracy, both        0.529  0.461 to 0.596    0.24
    accuracy, humans      0.535  0.465 to 0.604
    accuracy, judge       0.552  0.538 to 0.565
    <BLANKLINE>
    """
    criteria = lookup.get_metrics(metrics, argument="metrics")
    _sections.check_are_of_counts(criteria)
    if isinstance(metrics, str) and metrics == "all":
        criteria = [metric for metric in criteria if metric.has_influence is not False]
    level = checks.check_share("confidence_level", confidence_level)
    items = _read_partly_graded(y_true, y_pred, judge, labels, clusters)
    values = _assisted_values(criteria, items, level)
    undefined = [name for name, value in values.items() if math.isnan(value.assisted.low)]
    if undefined:
        checks.warn_caller(
            f"There is no {formatting.as_percent(level)} interval of "
            f"{formatting.names_in_words(undefined)}: {_WHY_UNDEFINED}.",
            UndefinedMetricWarning,
        )
    rows: dict[Key, Interval] = {}
    for name, value in values.items():
        of_grades = (value.assisted, value.humans, value.judge)
        rows |= {(name, grades, VALUE): row for grades, row in zip(_GRADES, of_grades, strict=True)}
        rows[name, "both", _LAMBDA] = Interval(value.tuning, math.nan, math.nan, level)
    return JudgeAssistedInterval(
        rows=rows,
        metrics=ByMetric({metric.name: metric for metric in criteria}),
        inferred=tuple(values),
        n_classes=len(items.scale),
        scale=items.scale,
        n_graded=items.n_graded,
        n_judge_only=items.n_judge_only,
        is_one_step=ByMetric({name: value.is_one_step for name, value in values.items()}),
        provenance=Provenance.of_now(),
    )
