"""Dependence of a metric's order of systems on the test cases and the data set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core import checks, tolerances
from sklearn_ordinal._core.checks import RandomState
from sklearn_ordinal._core.lookup import ByMetric, MetricsLike
from sklearn_ordinal.inference import _ranks
from sklearn_ordinal.inference._intervals import Interval
from sklearn_ordinal.meta_evaluation import _ordinal_systems
from sklearn_ordinal.meta_evaluation._ordinal_systems import OrdinalSystems


@dataclass(frozen=True)
class MetricRobustness:
    """Agreement of a metric's orders of systems between test cases and between data sets.

    `metric_robustness` returns an instance of this class.

    Parameters
    ----------
    halves : mapping of str to Interval
        Agreement between random halves of the test cases for each metric name, in [-1, 1],
        where 1 is best: the mean over the splits, and an interval that contains the share
        `confidence_level` of the splits. Empty if no data set has two test cases.
    data_sets : mapping of str to Interval
        Agreement between data sets: the mean over the pairs of data sets, and an interval that
        contains the share `confidence_level` of the pairs. The ends of the interval are NaN for
        a single pair. Empty for a single data set.
    n_undefined : mapping of str to int
        Number of values of each metric that are undefined for a system on a test case.

    See Also
    --------
    metric_robustness : Compute the robustness of metrics.

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
    n_undefined: Mapping[str, int]


def metric_robustness(
    systems: Any,
    *,
    metrics: MetricsLike = "all",
    n_splits: int = 100,
    confidence_level: float = 0.95,
    random_state: RandomState = None,
) -> MetricRobustness:
    """Compute how consistently metrics order systems across test cases and data sets.

    The systems are ordered by their means over half of the test cases, drawn at random, and over
    the other half. Kendall's tau-b measures how well the two orders agree. The agreement between
    data sets compares the orders over all test cases of each data set.

    Parameters
    ----------
    systems : OrdinalSystems, OrdinalConfusion, array-like, or mapping of str to these
        Systems, or counts of shape (n_test_cases, n_systems, n_classes, n_classes) with true
        classes in rows; or a mapping from names of data sets to the same systems on these data
        sets. Data sets may have different classes and different numbers of test cases.
    metrics : str, callable, iterable or dict of them, default="all"
        Metrics of predicted classes: anything that `get_metric` accepts, or "all" for all
        metrics of this package.
    n_splits : int, default=100
        Number of random splits of the test cases of each data set.
    confidence_level : float, default=0.95
        Share of the splits, and of the pairs of data sets, that the intervals contain,
        between 0 and 1.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the splits. All metrics are evaluated on the same splits.

    Returns
    -------
    MetricRobustness
        Agreement between halves and between data sets, in [-1, 1], where 1 is best and 0 is
        expected for random orders. The agreement is NaN, with an `UndefinedMetricWarning`, if
        every pair of orders has an order that ties all systems.

    Raises
    ------
    ValueError
        If there are fewer than two systems, a single data set with fewer than two test
        cases, data sets with different systems, or if a metric needs more than predicted
        classes.

    See Also
    --------
    metric_coverage : Compute how well metrics agree with unanimous improvements.
    discriminative_power : Compute the share of pairs of systems that each metric separates.

    Notes
    -----
    Halves of an odd number of test cases differ in size by one. The intervals show the
    spread of the splits. They are not confidence intervals of the mean, since splits of the
    same test cases depend on each other.

    Systems are tied if their means differ only by rounding errors. Undefined values of metrics
    are replaced as in scorers: by 0 if that is the chance level, otherwise by the worst value.
    Undefined values are counted in the result.

    Examples
    --------
    If there are two test cases, one is compared with the other. According to accuracy, the first
    system is best on both, and the other two exchange places. Two of three pairs are in the same
    order and one is in the opposite order, so the agreement is (2 - 1) / 3. According to the mean
    absolute error, the second system is the worst on both test cases.

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
    >>> print(metric_robustness(systems, metrics=metrics, random_state=0).halves)
    accuracy: 0.333 (95% interval 0.333 to 0.333)
    ordinal_mean_absolute_error: 1.000 (95% interval 1.000 to 1.000)
    """
    level = checks.check_share("confidence_level", confidence_level)
    rng = checks.as_generator(random_state)
    data_sets = _read(systems)
    sizes = tuple(len(data_set.test_cases) for data_set in data_sets)
    checks.check_count("n_splits", n_splits, at_least=1, size=max(sizes))
    if sizes == (1,):
        raise ValueError(
            "systems must have at least 2 test cases, or be a mapping of several data sets, got 1 "
            "test case of one data set."
        )
    evaluations = [_ordinal_systems.evaluate_systems(data_set, metrics) for data_set in data_sets]
    names = evaluations[0].names
    scores = [_ordinal_systems.relative(evaluation.scores) for evaluation in evaluations]
    splits = [_between_halves(values, n_splits, rng) for values in scores if len(values) > 1]
    means = np.stack([values.mean(axis=0).T for values in scores], axis=1)
    tau = _ranks.kendall_tau(tolerances.merge_ties(means, scale=1))
    pairs = np.triu_indices(len(scores), 1)
    halves = _summarise(names, np.concatenate([np.empty((0, len(names))), *splits]), level)
    between = _summarise(names, tau[:, *pairs].T, level)
    for agreement, parts in (
        (halves, "halves of the test cases"),
        (between, "data sets"),
    ):
        undefined = [name for name, interval in agreement.items() if np.isnan(interval.estimate)]
        if undefined:
            checks.warn_caller(
                f"The agreement between {parts} is undefined for {', '.join(undefined)}: in each "
                f"pair of orders, one order has equal means for all systems.",
                UndefinedMetricWarning,
            )
    return MetricRobustness(
        halves=halves,
        data_sets=between,
        n_undefined={
            name: sum(evaluation.n_undefined[name] for evaluation in evaluations) for name in names
        },
    )


def _read(systems: Any) -> list[OrdinalSystems]:
    """Return the systems on each data set, in the same order."""
    if not isinstance(systems, Mapping):
        is_list = isinstance(systems, (list, tuple))
        if is_list and any(isinstance(item, OrdinalSystems) for item in systems):
            raise ValueError(
                f"systems of several data sets must be a dict by the names of the data sets, got a "
                f"{type(systems).__name__}."
            )
        return [_ordinal_systems.as_systems(systems)]
    if not systems:
        raise ValueError("systems must have at least one data set, got none.")
    data_sets = {
        name: _ordinal_systems.as_systems(data_set, f"systems[{checks.shown(name)}]")
        for name, data_set in systems.items()
    }
    first = next(iter(data_sets))
    names = data_sets[first].names
    for name in data_sets:
        different = set(names) ^ set(data_sets[name].names)
        if different:
            raise ValueError(
                "systems must have the same systems on each data set, but "
                f"{checks.shown(min(different))} is only on one of {checks.shown(first)} and "
                f"{checks.shown(name)}: leave it out with subset."
            )
    return [data_set.subset(names) for data_set in data_sets.values()]


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
    means = tolerances.merge_ties(np.stack([first, second], axis=-2), scale=1)
    agreement: NDArray[np.float64] = _ranks.kendall_tau(means)[..., 0, 1]
    return agreement


def _summarise(
    names: tuple[str, ...], values: NDArray[np.float64], level: float
) -> Mapping[str, Interval]:
    """Return the mean of each metric and its interval; empty if there are no values.

    Values have the shape (n_orders, n_metrics).
    """
    if not len(values):
        return ByMetric()
    return ByMetric(
        {name: _mean(column, level) for name, column in zip(names, values.T, strict=True)}
    )


def _mean(values: NDArray[np.float64], level: float) -> Interval:
    """Return the mean and the percentiles of values, leaving out NaN."""
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
