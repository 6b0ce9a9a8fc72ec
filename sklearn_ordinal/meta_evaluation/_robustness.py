"""How far the order of systems by a metric depends on the test cases and the data set."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core import (
    ByMetric,
    RandomState,
    as_generator,
    check_integer,
    check_share,
    clip_rounding,
    divide,
    slices,
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
from sklearn_ordinal.inference import Interval, merge_ties
from sklearn_ordinal.meta_evaluation._estimates import best_first, undefined
from sklearn_ordinal.meta_evaluation._evaluation import evaluate_systems, undefined_notes
from sklearn_ordinal.meta_evaluation._systems import OrdinalSystems, as_systems
from sklearn_ordinal.meta_evaluation._ties import relative
from sklearn_ordinal.plotting import MetricEstimatesDisplay

# Pairs of systems in orderings at once.
_PAIRS_AT_ONCE = 2**18


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
                f"{between}, {self._level()} of {parts}": {
                    name: agreement[name] for name in best_first(self._kinds()[0][-1])
                }
                for between, parts, agreement in self._kinds()
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
        kinds = self._kinds()
        columns = [Column("criterion")]
        for between, parts, _ in kinds:
            columns.append(Column(between, "number"))
            columns.append(Column(f"{self._level()} of {parts}", "interval"))
        rows: list[Row] = []
        for name in best_first(self._kinds()[0][-1]):
            of_kinds = [agreement[name] for *_, agreement in kinds]
            rows.append((name, *(cell for one in of_kinds for cell in _cells(one))))
        description = "; ".join(f"{row[0]} {row[1]:.3f}" for row in rows)
        return Document(
            "Robustness of metrics",
            (
                Table(
                    "Agreement of the orders of the systems, from -1 to 1 (best)",
                    tuple(columns),
                    tuple(rows),
                ),
                *self._notes(),
                Figure(self.plot, "Agreement of the orders", f"Agreement: {description}"),
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
        return [
            {"criterion": name}
            | {
                f"{between.replace(' ', '_')}{end}": value
                for between, _, agreement in self._kinds()
                for end, value in (
                    ("", agreement[name].estimate),
                    ("_low", agreement[name].low),
                    ("_high", agreement[name].high),
                    ("_n_undefined", agreement[name].n_undefined),
                )
            }
            | {"confidence_level": one.confidence_level, "n_undefined": self.n_undefined[name]}
            for name, one in self._kinds()[0][-1].items()
        ]

    def _kinds(self) -> list[tuple[str, str, Mapping[str, Interval]]]:
        """Return what orders are compared, the parts that intervals contain, and the agreement."""
        kinds = ("halves", "splits", self.halves), ("data sets", "pairs", self.data_sets)
        return [kind for kind in kinds if kind[-1]]

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
        for between, parts, agreement in self._kinds():
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

    def _level(self) -> str:
        one, *_ = self._kinds()[0][-1].values()
        return as_percent(one.confidence_level)


def metric_robustness(
    systems: Any,
    *,
    metrics: Any = "all",
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
    metrics : "all", str, callable or list of these, default="all"
        The metrics of predicted classes to evaluate, or "all" of this package. See
        `get_metric`.
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
    between = _summarise(names, _kendall_tau_b(means[first], means[second]), level)
    for agreement, what in ((halves, "halves of the test cases"), (between, "data sets")):
        without = undefined(agreement)
        if without:
            warnings.warn(
                f"The agreement between {what} is undefined for {', '.join(without)}: the means of "
                f"all systems are equal in one order of each pair.",
                UndefinedMetricWarning,
                stacklevel=2,
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
    return _kendall_tau_b(first, second)


def _kendall_tau_b(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the agreement of orders of systems, which are on the last axis of relative means.

    It is NaN if all systems are equal in one order.
    """
    n_systems = a.shape[-1]
    orders = [merge_ties(means, scale=1).reshape(-1, n_systems) for means in (a, b)]
    found = np.empty(len(orders[0]))
    for part in slices(len(found), _PAIRS_AT_ONCE // n_systems**2):
        of_a, of_b = (_signs(means[part]) for means in orders)
        n_pairs = np.sqrt(_sum(np.abs(of_a)) * _sum(np.abs(of_b)))
        found[part] = divide(_sum(of_a * of_b), n_pairs)
    agreement: NDArray[np.float64] = clip_rounding(found, -1, 1).reshape(a.shape[:-1])
    return agreement


def _signs(means: NDArray[np.float64]) -> NDArray[np.int8]:
    """Return the sign of each difference of two systems, of (n_orders, n_systems, n_systems)."""
    # Ranks are compared much faster than floats.
    ranks = rankdata(means, method="dense", axis=-1).astype(np.int32)
    is_higher = ranks[:, :, None] > ranks[:, None, :]
    is_lower = ranks[:, :, None] < ranks[:, None, :]
    signs: NDArray[np.int8] = is_higher.view(np.int8) - is_lower.view(np.int8)
    return signs


def _sum(of_pairs: NDArray[np.int8]) -> NDArray[np.float64]:
    sums: NDArray[np.float64] = of_pairs.sum(axis=(1, 2), dtype=np.int64).astype(np.float64)
    return sums


def _cells(interval: Interval) -> tuple[float, tuple[float, float]]:
    return interval.estimate, (interval.low, interval.high)


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
