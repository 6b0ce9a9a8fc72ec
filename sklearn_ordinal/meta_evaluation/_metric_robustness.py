"""How far the order of systems by a metric depends on the test cases and the data set."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core import (
    ByMetric,
    MetricsLike,
    RandomState,
    as_generator,
    check_integer,
    check_share,
    warn_caller,
)
from sklearn_ordinal.documents import (
    Column,
    Document,
    Figure,
    Note,
    Row,
    Table,
    Views,
    as_percent,
    plain,
)
from sklearn_ordinal.inference import Interval
from sklearn_ordinal.meta_evaluation._metric_estimates import best_first, names_of_undefined
from sklearn_ordinal.meta_evaluation._orders import agreement_of_orders
from sklearn_ordinal.meta_evaluation._ordinal_systems import OrdinalSystems, as_systems
from sklearn_ordinal.meta_evaluation._system_values import (
    evaluate_systems,
    relative,
    undefined_notes,
)
from sklearn_ordinal.plotting import MetricEstimatesDisplay


class _Comparison(NamedTuple):
    """What orders are compared."""

    between: str
    parts: str
    """Each part has two orders, and the intervals contain a share of the parts."""
    agreement: Mapping[str, Interval]

    def share(self) -> str:
        """Return the share of the parts that the intervals contain, in words."""
        one, *_ = self.agreement.values()
        return f"{as_percent(one.confidence_level)} of {self.parts}"


@dataclass(frozen=True, eq=False)
class MetricRobustness(Views):
    """How well the orders of systems by a metric agree between test cases and data sets.

    `metric_robustness` returns one.

    Parameters
    ----------
    halves : mapping of str to Interval
        Agreement between random halves of the test cases, in [-1, 1], where 1 is best, by
        the name of the metric: the mean over the splits, and the interval that contains the
        share `confidence_level` of the splits. Empty if no data set has two test cases.
    data_sets : mapping of str to Interval
        Agreement between data sets: the mean over the pairs of data sets, and the interval
        that contains the share `confidence_level` of the pairs, whose ends are NaN for a
        single pair. Empty for a single data set.
    n_systems : int
        Number of systems.
    n_test_cases : tuple of int
        Number of test cases of each data set.
    n_splits : int
        Number of random splits into halves of each data set.
    n_undefined : mapping of str to int
        Number of values of each metric that are undefined for a system on a test case.

    See Also
    --------
    metric_robustness : From the predictions of the systems.

    Examples
    --------
    >>> from sklearn_ordinal.meta_evaluation import make_ordinal_systems, metric_robustness
    >>> systems = make_ordinal_systems(n_test_cases=6, random_state=0)
    >>> robustness = metric_robustness(systems, metrics="cem_ord", random_state=0)
    >>> round(robustness.halves["cem_ord"].estimate, 2)
    0.95
    """

    halves: Mapping[str, Interval]
    data_sets: Mapping[str, Interval]
    n_systems: int
    n_test_cases: tuple[int, ...]
    n_splits: int
    n_undefined: Mapping[str, int]

    def plot(self, ax: Any = None) -> MetricEstimatesDisplay:
        """Draw the agreement of each metric, the best at the top.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.

        Returns
        -------
        MetricEstimatesDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        return MetricEstimatesDisplay(
            {
                f"{one.between}, {one.share()}": {
                    name: one.agreement[name] for name in self._best_first()
                }
                for one in self._comparisons()
            },
            label="agreement of the orders of the systems (Kendall's tau-b)",
        ).plot(ax)

    def document(self) -> Document:
        """Build the document that all views are rendered from.

        Returns
        -------
        Document
            The agreement of each metric, the best first, and what it is computed from.
        """
        comparisons = self._comparisons()
        columns = [Column("criterion")]
        for one in comparisons:
            columns.append(Column(one.between, "number"))
            columns.append(Column(one.share(), "interval"))
        rows: list[Row] = []
        for name in self._best_first():
            row: Row = (name,)
            for comparison in comparisons:
                interval = comparison.agreement[name]
                row += (interval.estimate, (interval.low, interval.high))
            rows.append(row)
        table = Table(
            "Agreement of the orders of the systems, from -1 to 1 (best)",
            tuple(columns),
            tuple(rows),
        )
        return Document(
            "Robustness of metrics",
            (
                table,
                *self._notes(),
                Figure(self.plot, "Agreement of the orders", table.title, table),
            ),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as a dict.

        Returns
        -------
        dict
            "criteria" a dict of the columns of `to_frame` by the name of the metric;
            "n_systems", "n_test_cases", a list, and "n_splits"; None where undefined.
        """
        numbers: dict[str, Any] = plain(
            {
                "criteria": {record.pop("criterion"): record for record in self._records()},
                "n_systems": self.n_systems,
                "n_test_cases": list(self.n_test_cases),
                "n_splits": self.n_splits,
            }
        )
        return numbers

    def _records(self) -> list[dict[str, Any]]:
        records = []
        comparisons = self._comparisons()
        for name, first in comparisons[0].agreement.items():
            record: dict[str, Any] = {"criterion": name}
            for between, _, agreement in comparisons:
                column, interval = between.replace(" ", "_"), agreement[name]
                record[column] = interval.estimate
                record[f"{column}_low"] = interval.low
                record[f"{column}_high"] = interval.high
                record[f"{column}_n_undefined"] = interval.n_undefined
            record["confidence_level"] = first.confidence_level
            record["n_undefined"] = self.n_undefined[name]
            records.append(record)
        return records

    def _comparisons(self) -> list[_Comparison]:
        both = (
            _Comparison("halves", "splits", self.halves),
            _Comparison("data sets", "pairs", self.data_sets),
        )
        return [one for one in both if one.agreement]

    def _best_first(self) -> list[str]:
        return best_first(self._comparisons()[0].agreement)

    def _notes(self) -> list[Note]:
        """Say what the agreement is computed from, and what is undefined."""
        n_data_sets, n_split = len(self.n_test_cases), sum(size > 1 for size in self.n_test_cases)
        texts = [f"Kendall's tau-b of the orders of {self.n_systems} systems by their means."]
        if self.halves:
            of = f"the {max(self.n_test_cases)} test cases"
            if n_split > 1:
                of = f"the test cases of each of {n_split} data sets"
            texts.append(f"Halves: mean of {self.n_splits} random splits of {of}.")
        if self.data_sets:
            n_pairs = math.comb(n_data_sets, 2)
            texts.append(f"Data sets: mean of {n_pairs} pairs of {n_data_sets} data sets.")
        if self.halves and n_split < n_data_sets:
            texts.append(f"Data sets of one test case, not split: {n_data_sets - n_split}.")
        notes = [Note(" ".join(texts))]
        for between, parts, agreement in self._comparisons():
            n_undefined = sum(one.n_undefined for one in agreement.values())
            if n_undefined:
                notes.append(
                    Note(
                        f"Left out of the means between {between}, since all systems are equal in "
                        f"one of the orders: {n_undefined} {parts} of all metrics."
                    )
                )
        n_values = self.n_systems * sum(self.n_test_cases)
        return [*notes, *undefined_notes(self.n_undefined, n_values)]


def metric_robustness(
    systems: Any,
    *,
    metrics: MetricsLike = "all",
    n_splits: int = 100,
    confidence_level: float = 0.95,
    random_state: RandomState = None,
) -> MetricRobustness:
    """Compute how far metrics order systems alike on other test cases and data sets.

    The systems are ordered by their means over half of the test cases, drawn at random, and
    over the other half. Kendall's tau-b measures how well the two orders agree. The
    agreement between data sets is that of the orders over all test cases of each.

    Parameters
    ----------
    systems : OrdinalSystems, OrdinalConfusion, array-like, or mapping of str to these
        Systems, or counts of shape (n_test_cases, n_systems, n_classes, n_classes), rows
        true; or the same systems on several data sets, by the name of the data set. Data
        sets may have different classes and different numbers of test cases.
    metrics : str, callable, iterable or dict of them, default="all"
        Metrics of predicted classes: anything that `get_metric` accepts, or "all" for all of
        this package.
    n_splits : int, default=100
        Number of random splits of the test cases of each data set.
    confidence_level : float, default=0.95
        Share of the splits, and of the pairs of data sets, that the intervals contain,
        between 0 and 1.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the splits, which are the same for all metrics.

    Returns
    -------
    MetricRobustness
        Agreement between halves and between data sets, in [-1, 1], where 1 is best and 0 is
        expected of random orders. It is NaN, with an `UndefinedMetricWarning`, if the means of
        all systems are equal in one order of each pair of orders.

    Raises
    ------
    ValueError
        If there are fewer than two systems, a single data set with fewer than two test
        cases, data sets with different systems, or if a metric needs more than predicted
        classes.

    See Also
    --------
    metric_coverage : How well metrics agree with unanimous improvements.
    discriminative_power : The share of pairs of systems that metrics separate.

    Notes
    -----
    Halves of an odd number of test cases differ in size by one. The intervals show the
    spread of the splits. They are not confidence intervals of the mean, since splits of the
    same test cases depend on each other.

    Undefined values of metrics are replaced as in scorers: by 0 if that is the chance level,
    else by the worst value. They are counted in the result.

    Examples
    --------
    With two test cases, one is compared with the other. By accuracy, the first system is best
    on both, and the other two exchange places: two of three pairs are in the same order and
    one is in the opposite order, so the agreement is (2 - 1) / 3. By the mean absolute error,
    the second system is the worst on both test cases.

    >>> from sklearn_ordinal.meta_evaluation import OrdinalSystems, metric_robustness
    >>> predictions = {
    ...     "first": [0, 1, 2, 3, 0, 1, 2, 3],
    ...     "second": [3, 1, 2, 3, 3, 1, 2, 0],
    ...     "third": [1, 1, 2, 2, 1, 1, 2, 3],
    ... }
    >>> systems = OrdinalSystems.from_predictions(
    ...     [0, 1, 2, 3] * 2, predictions, test_cases=["a"] * 4 + ["b"] * 4
    ... )
    >>> metrics = ["accuracy", "ordinal_mean_absolute_error"]
    >>> print(metric_robustness(systems, metrics=metrics, random_state=0))
    Agreement of the orders of the systems, from -1 to 1 (best)
    criterion                    halves   95% of splits
    ordinal_mean_absolute_error   1.000  1.000 to 1.000
    accuracy                      0.333  0.333 to 0.333
    <BLANKLINE>
    Kendall's tau-b of the orders of 3 systems by their means. Halves: mean of 100
    random splits of the 2 test cases.
    <BLANKLINE>
    """
    check_integer("n_splits", n_splits, at_least=1)
    level = check_share("confidence_level", confidence_level)
    rng = as_generator(random_state)
    data_sets = _read(systems)
    sizes = tuple(len(one.test_cases) for one in data_sets)
    if sizes == (1,):
        raise ValueError(
            "systems must have at least 2 test cases, or be a mapping of several data sets, got 1 "
            "test case of one data set."
        )
    evaluations = [evaluate_systems(one, metrics) for one in data_sets]
    names = evaluations[0].names
    scores = [relative(evaluation.scores) for evaluation in evaluations]
    of_splits = [_between_halves(one, n_splits, rng) for one in scores if len(one) > 1]
    means = np.stack([one.mean(axis=0).T for one in scores])
    first, second = np.triu_indices(len(means), 1)
    halves = _summarise(names, np.concatenate([np.empty((0, len(names))), *of_splits]), level)
    between = _summarise(names, agreement_of_orders(means[first], means[second]), level)
    for agreement, what in ((halves, "halves of the test cases"), (between, "data sets")):
        undefined = names_of_undefined(agreement)
        if undefined:
            warn_caller(
                f"The agreement between {what} is undefined for {', '.join(undefined)}: the means "
                f"of all systems are equal in one order of each pair.",
                UndefinedMetricWarning,
            )
    return MetricRobustness(
        halves=halves,
        data_sets=between,
        n_systems=means.shape[-1],
        n_test_cases=sizes,
        n_splits=n_splits,
        n_undefined={
            name: sum(evaluation.n_undefined[name] for evaluation in evaluations) for name in names
        },
    )


def _read(systems: Any) -> list[OrdinalSystems]:
    """Return the systems on each data set, in the same order."""
    if not isinstance(systems, Mapping):
        return [as_systems(systems)]
    if not systems:
        raise ValueError("systems must have at least one data set, got none.")
    found = {name: as_systems(one, f"systems[{name!r}]") for name, one in systems.items()}
    (first, of_first), *others = found.items()
    for name, one in others:
        different = [*set(of_first.names) - set(one.names), *set(one.names) - set(of_first.names)]
        if different:
            raise ValueError(
                f"systems must have the same systems on each data set, but {min(different)!r} is "
                f"only on one of {first!r} and {name!r}: leave it out with subset."
            )
    return [one.subset(of_first.names) for one in found.values()]


def _between_halves(
    scores: NDArray[np.float64], n_splits: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return the agreement between random halves of test cases, of shape (n_splits, n_metrics).

    Scores have the shape (n_test_cases, n_systems, n_metrics).
    """
    n_test_cases = len(scores)
    is_first = np.tile(np.arange(n_test_cases) < n_test_cases // 2, (n_splits, 1))
    in_first = rng.permuted(is_first, axis=1).astype(np.float64)
    sums = [np.tensordot(in_half, scores, 1) for in_half in (in_first, 1 - in_first)]
    sizes = n_test_cases // 2, n_test_cases - n_test_cases // 2
    first, second = (
        np.moveaxis(total, -1, 1) / size for total, size in zip(sums, sizes, strict=True)
    )
    return agreement_of_orders(first, second)


def _summarise(
    names: tuple[str, ...], values: NDArray[np.float64], level: float
) -> Mapping[str, Interval]:
    """Return the mean of each metric and its interval, empty if there are no values.

    Values have the shape (n_orders, n_metrics).
    """
    if not len(values):
        return ByMetric()
    return ByMetric(
        {name: _mean(of_metric, level) for name, of_metric in zip(names, values.T, strict=True)}
    )


def _mean(values: NDArray[np.float64], level: float) -> Interval:
    """Return the mean of values, of which NaN are left out, and their percentiles."""
    defined = values[~np.isnan(values)]
    tail = (1 - level) / 2
    low, high = np.quantile(defined, [tail, 1 - tail]) if len(defined) > 1 else (np.nan, np.nan)
    return Interval(
        defined.mean() if len(defined) else np.nan,
        low,
        high,
        level,
        n_undefined=len(values) - len(defined),
    )
