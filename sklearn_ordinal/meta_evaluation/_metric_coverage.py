"""Improvements on which several metrics are unanimous, and how well a metric agrees with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core import arithmetic, checks, containers, tolerances
from sklearn_ordinal._core.checks import RandomState
from sklearn_ordinal._core.lookup import ByMetric, MetricsLike
from sklearn_ordinal.inference._intervals import Interval
from sklearn_ordinal.meta_evaluation import _ordinal_systems

# Number of pairs of systems, over all test cases or resamples, that are evaluated at once.
_PAIRS_AT_ONCE = 2**20


def unanimous_improvement_ratio(scores_a: ArrayLike, scores_b: ArrayLike) -> float:
    r"""Compute the unanimous improvement ratio of one system over another.

    There are three kinds of test cases: either all metrics rate the first system at least as good
    as the second, or all rate the second at least as good as the first, or the metrics disagree.
    The ratio is the share of test cases of the first kind minus the share of the second kind [1]_:

    .. math:: \mathrm{UIR}(a, b)
        = \frac{|\{t : \forall m: a_{tm} \ge b_{tm}\}| - |\{t : \forall m: b_{tm} \ge a_{tm}\}|}
        {|\{t\}|}

    The ratio depends neither on the scales of the metrics nor on weights of the metrics. Test
    cases on which all metrics rate the systems as equal belong to both kinds and cancel out.

    Parameters
    ----------
    scores_a : array-like of shape (n_test_cases, n_metrics)
        Scores of the first system, higher is better. Scores of a metric that differ by less than
        1e-9 of its largest score, or by less than 1e-14, count as equal.
    scores_b : array-like of shape (n_test_cases, n_metrics)
        Scores of the second system.

    Returns
    -------
    float
        Ratio in [-1, 1]. It is 1 if, on each test case, the first system is better according to
        some metric and not worse according to any metric. It is 0 if each system is an
        improvement over the other on equally many test cases.

    Raises
    ------
    ValueError
        If the scores differ in shape, do not have two dimensions, are NaN or infinite, or there are
        no test cases or no metrics; or if the frames have different columns, or the same index in a
        different order.

    See Also
    --------
    metric_coverage : Compute how well metrics agree with the ratio over all pairs of systems.

    References
    ----------
    .. [1] E. Amigo, J. Gonzalo, J. Artiles, F. Verdejo (2011), "Combining evaluation metrics
       via the unanimous improvement ratio and its application to clustering tasks", Journal
       of Artificial Intelligence Research 42, 689-718, :doi:`10.1613/jair.3401`.

    Examples
    --------
    The first system is better on the first test case and equal on the second. On the third, the
    metrics disagree, and on the fourth it is better according to one and equal according to the
    other. So three test cases are of the first kind and one of the second: (3 - 1) / 4.

    >>> from sklearn_ordinal.meta_evaluation import unanimous_improvement_ratio
    >>> scores_a = [[0.9, 0.8], [0.6, 0.5], [0.7, 0.4], [0.8, 0.3]]
    >>> scores_b = [[0.8, 0.7], [0.6, 0.5], [0.5, 0.6], [0.7, 0.3]]
    >>> unanimous_improvement_ratio(scores_a, scores_b)
    0.5
    """
    scores = {"scores_a": scores_a, "scores_b": scores_b}
    containers.check_same_order(scores)
    columns = [
        list(names) for names in map(checks.column_names, scores.values()) if names is not None
    ]
    if len(columns) == 2 and columns[0] != columns[1]:
        raise ValueError(
            f"scores_a and scores_b must have the same columns in the same order, got "
            f"{checks.shown(columns[0])} and {checks.shown(columns[1])}: pass "
            "scores_b[scores_a.columns]."
        )
    first, second = (_check_scores(name, values) for name, values in scores.items())
    if first.shape != second.shape:
        raise ValueError(
            f"scores_a and scores_b must have the same shape (n_test_cases, n_metrics), got "
            f"{first.shape} and {second.shape}: leave out test cases and metrics that only one "
            f"system has."
        )
    stacked = np.stack([first, second], axis=1)
    return float(_unanimous_improvements(stacked, np.array([0]), np.array([1])).mean(dtype=float))


@dataclass(frozen=True)
class MetricCoverage:
    """Agreement of metrics with improvements on which reference metrics are unanimous.

    `metric_coverage` returns an instance of this class.

    Parameters
    ----------
    coverage : mapping of str to Interval
        Coverage for each metric name, in [-1, 1], where 1 is best; NaN if it is undefined. If
        there are no resamples, the ends of the intervals are NaN.
    reference_metrics : tuple of str
        Names of the reference metrics.
    n_undefined : mapping of str to int
        Number of undefined values of each metric, counted over systems and test cases.

    See Also
    --------
    metric_coverage : Compute the coverage of metrics.

    Examples
    --------
    >>> from sklearn_ordinal.meta_evaluation import OrdinalSystems, metric_coverage
    >>> predictions = {"first": [0, 1, 2, 1], "second": [2, 1, 2, 0], "third": [1, 1, 2, 1]}
    >>> systems = OrdinalSystems.from_predictions([0, 1, 2, 2], predictions)
    >>> result = metric_coverage(systems, metrics="accuracy", reference_metrics="accuracy")
    >>> result.coverage["accuracy"].estimate
    1.0
    """

    coverage: Mapping[str, Interval]
    reference_metrics: tuple[str, ...]
    n_undefined: Mapping[str, int]


def metric_coverage(
    systems: Any,
    *,
    metrics: MetricsLike = "all",
    reference_metrics: MetricsLike = (
        "accuracy",
        "kendall_tau_a",
        "mutual_information",
    ),
    n_resamples: int = 0,
    confidence_level: float = 0.95,
    random_state: RandomState = None,
) -> MetricCoverage:
    """Compute how well metrics agree with improvements on which several metrics are unanimous.

    Each pair of systems has a difference, between the means of a metric over the test cases,
    and a unanimous improvement ratio for the reference metrics. The coverage of the metric is
    Spearman's correlation between these differences and ratios over all pairs of systems [1]_.
    Each pair counts in both orders, so that the coverage does not depend on the order of the
    systems.

    Parameters
    ----------
    systems : OrdinalSystems, OrdinalConfusion or array-like
        At least three systems: an `OrdinalSystems`, or counts of shape (n_test_cases,
        n_systems, n_classes, n_classes) with true classes in rows.
    metrics : str, callable, iterable or dict of them, default="all"
        Metrics of predicted classes: anything that `get_metric` accepts, or "all" for all
        metrics of this package.
    reference_metrics : str, callable, iterable or dict of them, \
default=("accuracy", "kendall_tau_a", "mutual_information")
        The metrics that must be unanimous about an improvement.
    n_resamples : int, default=0
        Number of bootstrap resamples of the test cases for the intervals. If 0, there are no
        intervals.
    confidence_level : float, default=0.95
        Confidence level of the intervals, between 0 and 1.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the resamples. All metrics are evaluated on the same resamples.

    Returns
    -------
    MetricCoverage
        The coverage of each metric in [-1, 1], where 1 is best. It is NaN, with an
        `UndefinedMetricWarning`, if all systems have the same mean of the metric, or if the
        unanimous improvement ratio is 0 for all pairs.

    Raises
    ------
    ValueError
        If there are fewer than three systems, or fewer than two test cases to resample; or
        if a metric needs more than predicted classes.

    See Also
    --------
    unanimous_improvement_ratio : Compute the ratio of one pair of systems.

    Notes
    -----
    The coverage increases with the number of test cases, because random differences average
    out. The intervals estimate the expected coverage for this number of test cases. Their ends
    are percentiles of the resampled coverages, shifted so that the median equals the observed
    coverage. Without the shift, the intervals would be too low, because resamples repeat test
    cases.

    Differences that are equal except for rounding errors have the same rank. Undefined values of
    metrics are replaced as in scorers: by 0 if that is the chance level, otherwise by the worst
    value. Undefined values are counted in the result.

    References
    ----------
    .. [1] E. Amigo, J. Gonzalo, S. Mizzaro, J. Carrillo-de-Albornoz (2020), "An effectiveness
       metric for ordinal classification: formal properties and experimental results", ACL
       2020, :doi:`10.18653/v1/2020.acl-main.363`.

    Examples
    --------
    Three systems are compared on one test case. According to accuracy alone, the first is an
    improvement over the second and the third, which are equal, so the ratios are 1, 1 and 0.
    According to the mean absolute error, the first is better than the second by 0.75 and better
    than the third by 0.25, and the third is better than the second by 0.5. In both orders, the
    ranks of the ratios differ from the mean rank by 2, 2 and 0, and the ranks of the
    differences by 5/2, 1/2 and 3/2. The correlation is (5 + 1) / sqrt(8 * 35/4).

    >>> from sklearn_ordinal.meta_evaluation import OrdinalSystems, metric_coverage
    >>> predictions = {"first": [0, 1, 2, 1], "second": [2, 1, 2, 0], "third": [1, 1, 2, 1]}
    >>> systems = OrdinalSystems.from_predictions([0, 1, 2, 2], predictions)
    >>> metrics = ["ordinal_mean_absolute_error", "accuracy"]
    >>> result = metric_coverage(systems, metrics=metrics, reference_metrics="accuracy")
    >>> print(result.coverage)
    ordinal_mean_absolute_error: 0.717 (no 95% interval)
    accuracy: 1.000 (no 95% interval)
    """
    systems = _ordinal_systems.as_systems(systems, min_systems=1)
    n_test_cases, n_systems = systems.confusion.counts.shape[:2]
    if n_systems < 3:
        raise ValueError(
            f"systems must have at least 3 systems, since a single pair has no correlation, got "
            f"{n_systems}: compare two systems with unanimous_improvement_ratio."
        )
    checks.check_count("n_resamples", n_resamples, at_least=0, size=n_test_cases)
    level = checks.check_share("confidence_level", confidence_level)
    rng = checks.as_generator(random_state)
    if n_resamples and n_test_cases < 2:
        raise ValueError(
            f"systems must have at least 2 test cases to resample, got {n_test_cases}: pass "
            f"n_resamples=0 for no intervals."
        )
    evaluation = _ordinal_systems.evaluate_systems(systems, metrics)
    reference = _ordinal_systems.evaluate_systems(
        systems, reference_metrics, argument="reference_metrics"
    )
    first, second = np.triu_indices(n_systems, 1)
    improvements = _unanimous_improvements(reference.scores, first, second)
    scores = _ordinal_systems.relative(evaluation.scores)
    once = np.ones((1, n_test_cases))
    (estimates,) = _coverage(once, scores, improvements, first, second)
    draws = rng.multinomial(n_test_cases, once[0] / n_test_cases, n_resamples).astype(np.float64)
    resampled = _coverage(draws, scores, improvements, first, second)
    coverage = ByMetric(
        {
            name: _interval(estimate, values, level)
            for name, estimate, values in zip(evaluation.names, estimates, resampled.T, strict=True)
        }
    )
    undefined = [name for name, interval in coverage.items() if np.isnan(interval.estimate)]
    if undefined:
        checks.warn_caller(
            f"Coverage is undefined for {', '.join(undefined)}: the means of all systems are "
            f"equal, or the unanimous improvement ratio is 0 for all pairs.",
            UndefinedMetricWarning,
        )
    return MetricCoverage(
        coverage=coverage,
        reference_metrics=reference.names,
        n_undefined={**reference.n_undefined, **evaluation.n_undefined},
    )


def _unanimous_improvements(
    scores: NDArray[np.float64], first: NDArray[np.intp], second: NDArray[np.intp]
) -> NDArray[np.float32]:
    """Compare pairs of systems on all metrics, from scores (n_test_cases, n_systems, n_metrics).

    The result, of shape (n_test_cases, n_pairs), is 1 if only the first system of a pair is at
    least as good as the other system according to all metrics, -1 if only the second system is,
    and 0 if neither or both are. The result has floats, since sums over the test cases are
    computed as matrix products.
    """
    higher = _ordinal_systems.relative(scores)
    lower = higher - tolerances.TIE
    n_test_cases, n_pairs = len(scores), len(first)
    improvements = np.empty((n_test_cases, n_pairs), dtype=np.float32)
    for part in arithmetic.slices(n_test_cases, _PAIRS_AT_ONCE // n_pairs):
        of_metrics = [np.moveaxis(values[part], -1, 0) for values in (higher, lower)]
        is_at_least = np.ones((2, of_metrics[0].shape[1], n_pairs), dtype=bool)
        for highest, lowest in zip(*of_metrics, strict=True):
            is_at_least[0] &= highest[:, first] >= lowest[:, second]
            is_at_least[1] &= highest[:, second] >= lowest[:, first]
        improvements[part] = is_at_least[0]
        improvements[part] -= is_at_least[1]
    return improvements


def _check_scores(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Return scores of shape (n_test_cases, n_metrics)."""
    scores = checks.check_floats(name, values, ndim=2, may_be_infinite=True)
    if not scores.size:
        raise ValueError(
            f"{name} must have at least one test case and one metric, got shape {scores.shape}."
        )
    if not np.isfinite(scores).all():
        test_case, metric = np.argwhere(~np.isfinite(scores))[0]
        raise ValueError(
            f"{name} must be finite, got {scores[test_case, metric]} for test case {test_case} "
            f"and metric {metric}: replace undefined scores, or leave out the metric."
        )
    return scores


def _coverage(
    draws: NDArray[np.float64],
    scores: NDArray[np.float64],
    improvements: NDArray[np.float32],
    first: NDArray[np.intp],
    second: NDArray[np.intp],
) -> NDArray[np.float64]:
    """Return the coverage of each metric in each resample, (n_resamples, n_metrics).

    `draws` contains the number of times that each test case is drawn in each resample.
    """
    n_test_cases, _, n_metrics = scores.shape
    coverage = np.empty((len(draws), n_metrics))
    for part in arithmetic.slices(len(draws), _PAIRS_AT_ONCE // len(first)):
        times = draws[part]
        ratios = _antisymmetric_ranks(times.astype(np.float32) @ improvements)
        means = np.tensordot(times, scores, 1) / n_test_cases
        for metric in range(n_metrics):
            metric_means = means[..., metric]
            differences = metric_means[:, first] - metric_means[:, second]
            ranks = _antisymmetric_ranks(tolerances.merge_ties(differences, scale=1))
            coverage[part, metric] = _correlation(ranks, ratios)
    return coverage


def _antisymmetric_ranks(differences: NDArray[Any]) -> NDArray[np.float64]:
    """Return the centred ranks of differences of pairs among the differences in both orders.

    In the reverse order, a difference has the same rank with the opposite sign.
    """
    ranks: NDArray[np.float64] = rankdata(np.abs(differences), axis=-1) - 0.5
    ranks *= np.sign(differences)
    return ranks


def _correlation(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the correlation of antisymmetric ranks along the last axis, NaN if all are 0."""
    scale = np.sqrt((a * a).sum(axis=-1) * (b * b).sum(axis=-1))
    return arithmetic.clip_rounding(arithmetic.divide((a * b).sum(axis=-1), scale), -1, 1)


def _interval(estimate: float, resampled: NDArray[np.float64], level: float) -> Interval:
    """Return an estimate with percentiles of resamples, shifted so that the median is the estimate.

    Test cases that are drawn twice make the ratios noisier, and this lowers the coverage in
    all resamples. Without the shift, an interval often excludes its own estimate.
    """
    defined = resampled[~np.isnan(resampled)]
    low = high = np.nan
    if len(defined):
        tail = (1 - level) / 2
        percentiles = np.quantile(defined, [tail, 0.5, 1 - tail])
        low, _, high = np.clip(estimate + percentiles - percentiles[1], -1, 1)
    return Interval(
        float(estimate),
        low,
        high,
        level,
        n_undefined=len(resampled) - len(defined),
        method="shifted percentile" if len(resampled) else None,
    )
