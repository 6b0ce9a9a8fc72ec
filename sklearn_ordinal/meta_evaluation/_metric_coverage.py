"""Agreement of a metric with improvements on which several metrics are unanimous."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core import (
    ByMetric,
    MetricsLike,
    RandomState,
    as_generator,
    check_count,
    check_share,
    clip_rounding,
    divide,
    slices,
    warn_caller,
)
from sklearn_ordinal._documents import Document, Views, plain
from sklearn_ordinal.inference import Interval, merge_ties
from sklearn_ordinal.meta_evaluation._estimates_document import (
    WHY_NO_COVERAGE,
    coverage_document,
    coverage_estimates,
    estimates_display,
    undefined_metrics,
)
from sklearn_ordinal.meta_evaluation._ordinal_systems import as_systems
from sklearn_ordinal.meta_evaluation._system_values import evaluate_systems, relative
from sklearn_ordinal.meta_evaluation._unanimous_improvement import unanimous_improvements
from sklearn_ordinal.plotting import IntervalsDisplay

# Number of pairs of systems, over all resamples, that are evaluated at once.
_PAIRS_AT_ONCE = 2**20


@dataclass(frozen=True, eq=False)
class MetricCoverage(Views):
    """Agreement of metrics with improvements on which reference metrics are unanimous.

    `metric_coverage` returns an instance of this class.

    Parameters
    ----------
    coverage : mapping of str to Interval
        Coverage for each metric name, in [-1, 1], where 1 is best; NaN if it is undefined. If
        there are no resamples, the ends of the intervals are NaN.
    reference_metrics : tuple of str
        Names of the reference metrics.
    n_systems : int
        Number of systems.
    n_test_cases : int
        Number of test cases.
    n_resamples : int
        Number of bootstrap resamples of the test cases.
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
    n_systems: int
    n_test_cases: int
    n_resamples: int
    n_undefined: Mapping[str, int]

    def plot(self, ax: Any = None) -> IntervalsDisplay:
        """Draw the coverage of each metric, with the best at the top.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.

        Returns
        -------
        IntervalsDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        label = "Spearman's correlation with the unanimous improvement ratio"
        return estimates_display(coverage_estimates(self), label).plot(ax)

    def document(self) -> Document:
        """Build the document that all views are rendered from.

        Returns
        -------
        Document
            The coverage of each metric, best first, and notes on how it is computed.
        """
        return coverage_document(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as a dict.

        Returns
        -------
        dict
            "criteria" maps the name of each metric to a dict of the columns of `to_frame`, and
            "reference_metrics" maps names to dicts with "n_undefined". The other keys are
            "n_systems", "n_test_cases" and "n_resamples". Undefined values are None.
        """
        numbers: dict[str, Any] = plain(
            {
                "criteria": {record.pop("criterion"): record for record in self._records()},
                "reference_metrics": {
                    name: {"n_undefined": self.n_undefined[name]} for name in self.reference_metrics
                },
                "n_systems": self.n_systems,
                "n_test_cases": self.n_test_cases,
                "n_resamples": self.n_resamples,
            }
        )
        return numbers

    def _records(self) -> list[dict[str, Any]]:
        return [
            {
                "criterion": name,
                "coverage": interval.estimate,
                "low": interval.low,
                "high": interval.high,
                "confidence_level": interval.confidence_level,
                "n_undefined_resamples": interval.n_undefined,
                "n_undefined": self.n_undefined[name],
            }
            for name, interval in self.coverage.items()
        ]


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
    >>> print(metric_coverage(systems, metrics=metrics, reference_metrics="accuracy"))
    accuracy has the highest coverage, 1.000.
    <BLANKLINE>
    Coverage of unanimous improvements, from -1 to 1 (best)
    criterion                    coverage
    accuracy                        1.000
    ordinal_mean_absolute_error     0.717
    <BLANKLINE>
    Spearman's correlation, over the 3 pairs of 3 systems, of the difference of
    their means over 1 test case with their unanimous improvement ratio by accuracy.
    <BLANKLINE>
    """
    systems = as_systems(systems, min_systems=1)
    n_test_cases, n_systems = systems.confusion.counts.shape[:2]
    if n_systems < 3:
        raise ValueError(
            f"systems must have at least 3 systems, since a single pair has no correlation, got "
            f"{n_systems}: compare two systems with unanimous_improvement_ratio."
        )
    check_count("n_resamples", n_resamples, at_least=0, size=n_test_cases)
    level = check_share("confidence_level", confidence_level)
    rng = as_generator(random_state)
    if n_resamples and n_test_cases < 2:
        raise ValueError(
            f"systems must have at least 2 test cases to resample, got {n_test_cases}: pass "
            f"n_resamples=0 for no intervals."
        )
    evaluation = evaluate_systems(systems, metrics)
    reference = evaluate_systems(systems, reference_metrics, argument="reference_metrics")
    first, second = np.triu_indices(n_systems, 1)
    improvements = unanimous_improvements(reference.scores, first, second)
    scores = relative(evaluation.scores)
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
    undefined = undefined_metrics(coverage)
    if undefined:
        warn_caller(
            f"Coverage is undefined for {', '.join(undefined)}: {WHY_NO_COVERAGE}.",
            UndefinedMetricWarning,
        )
    return MetricCoverage(
        coverage=coverage,
        reference_metrics=reference.names,
        n_systems=n_systems,
        n_test_cases=n_test_cases,
        n_resamples=n_resamples,
        n_undefined={**reference.n_undefined, **evaluation.n_undefined},
    )


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
    for part in slices(len(draws), _PAIRS_AT_ONCE // len(first)):
        times = draws[part]
        ratios = _antisymmetric_ranks(times.astype(np.float32) @ improvements)
        means = np.tensordot(times, scores, 1) / n_test_cases
        for metric in range(n_metrics):
            metric_means = means[..., metric]
            differences = metric_means[:, first] - metric_means[:, second]
            ranks = _antisymmetric_ranks(merge_ties(differences, scale=1))
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
    return clip_rounding(divide((a * b).sum(axis=-1), scale), -1, 1)


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
