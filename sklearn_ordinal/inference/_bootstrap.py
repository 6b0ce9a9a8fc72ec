"""Bootstrap intervals of metrics from resampled counts, or weights of samples."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri
from sklearn.exceptions import UndefinedMetricWarning
from threadpoolctl import ThreadpoolController

from sklearn_ordinal._core import (
    arithmetic,
    checks,
    counting,
    evidence_kinds,
    evidence_reading,
    lookup,
    tolerances,
)
from sklearn_ordinal._core.arithmetic import Floats, Values
from sklearn_ordinal._core.catalogue import IntervalMethod, OrdinalMetric
from sklearn_ordinal._core.checks import RandomState
from sklearn_ordinal._core.counting import SampleReadingOptions
from sklearn_ordinal._core.influence_functions import Criterion, Evidence
from sklearn_ordinal._core.lookup import ByMetric, MetricLike, MetricsLike, SeveralMetrics
from sklearn_ordinal._core.resampling import Resampling
from sklearn_ordinal._core.sampling import TrueClasses
from sklearn_ordinal._core.scales import IntegerArray
from sklearn_ordinal.inference import _intervals
from sklearn_ordinal.inference._intervals import Interval

# The influences of the units that are resampled, in closed form
# --------------------------------------------------------------


def unit_influences(metrics: Sequence[OrdinalMetric], units: Resampling) -> Values:
    """Return the influence of a unit of each kind: (n_metrics, n_systems, n_kinds).

    The influence is the contribution of the unit to the value, times the number of units. The sum
    over all units, or over those of each stratum, is zero. NaN for a system on which a metric has
    no influences.
    """
    systems = units.all_together()
    n_kinds = len(units.kind_sizes)
    by_name = {metric.name: np.full((len(systems), n_kinds), np.nan) for metric in metrics}
    for kind, batch in _intervals.metrics_by_kind(
        [m for m in metrics if m.has_influence], systems[0]
    ):
        by_system = [
            kind.entry_influences(batch, kind.accepted(system, batch[0].name)) for system in systems
        ]
        counted = units.sums([by_entry.is_counted.astype(np.float64) for by_entry in by_system])
        shares = arithmetic.divide(units.n_units, counted @ units.kind_sizes)
        for k, metric in enumerate(batch):
            # All samples together are a stack of one.
            sums = units.sums([by_entry.influences[k, 0] for by_entry in by_system])
            influences = shares[:, None] * sums
            # Influences of all units add up to zero anyway.
            if len(units.starts) > 1:
                influences -= _stratum_means(influences, units.kind_sizes, units.starts)
            scale = np.maximum(1, np.abs([by_entry.values[k] for by_entry in by_system]))
            is_rounding = np.abs(influences) <= tolerances.ZERO_SPREAD * scale
            by_name[metric.name] = np.where(is_rounding, 0, influences)
    return np.stack([by_name[metric.name] for metric in metrics])


def _stratum_means(values: Values, sizes: NDArray[np.int64], starts: IntegerArray) -> Values:
    """Return, for each kind, the mean over the units of its stratum: (..., n_kinds)."""
    sums, numbers = (np.add.reduceat(part, starts, axis=-1) for part in (sizes * values, sizes))
    lengths = np.diff(starts, append=values.shape[-1])
    means: Values = np.repeat(sums / np.maximum(numbers, 1), lengths, axis=-1)
    return means


def sixth_of_skewness(influences: Values, sizes: NDArray[np.int64]) -> Values:
    """Return a sixth of the skewness of the mean of units, from influences (..., n_kinds).

    It is 0 if all influences are 0.
    """
    # Products are much faster than the power of 3.
    squared = sizes * influences**2
    squares = squared.sum(axis=-1)
    cubes = np.einsum("...k,...k->...", squared, influences)
    return np.where(squares == 0, 0.0, cubes / np.where(squares == 0, 1, squares) ** 1.5 / 6)


# Standard errors of differences, and within resamples, from the influences of units
# ----------------------------------------------------------------------------------

Integers = NDArray[np.integer]

# If two systems differ on few units, a resample may contain none of these units and have zero
# variance.
_SMALLEST_SHARE = 0.5


def _jackknife_influences(
    left_out: Sequence[Floats],
    kinds: Sequence[NDArray[np.intp]],
    sizes: NDArray[np.int64],
    starts: IntegerArray,
) -> Floats:
    """Return influences from the values without one unit: (n_systems, n_kinds).

    NaN for a system whose value is undefined without one of the units.

    Parameters
    ----------
    left_out : sequence of ndarray of shape (n_kinds_of_system,)
        For each system, its value if one unit is left out, for each kind of unit that the system
        distinguishes.
    kinds : sequence of ndarray of shape (n_kinds,)
        For each system, the position in `left_out` of each kind that the systems together
        distinguish.
    sizes : ndarray of shape (n_kinds,)
        Number of units of each kind.
    starts : ndarray of shape (n_strata,)
        The first kind of each stratum.
    """
    values, n_units = np.full((len(left_out), len(sizes)), np.nan), sizes.sum()
    for row, without, kind in zip(values, left_out, kinds, strict=True):
        if np.isfinite(without).all():
            of_kinds = without[kind]
            row[:] = (n_units - 1) * (_stratum_means(of_kinds, sizes, starts) - of_kinds)
    return values


@dataclass(frozen=True, eq=False)
class Influences:
    """The influence of each unit on the value of each system, and the units in each resample.

    Parameters
    ----------
    values : ndarray of shape (n_systems, n_kinds)
        Influence of a unit of each kind: its contribution to the value, times the number of
        units. The sum over all units is zero. NaN for systems without influences.
    sizes : ndarray of shape (n_kinds,)
        Number of units of each kind.
    drawn : callable
        Function that yields arrays of shape (n_kinds, size): the number of units of each kind
        in some of the resamples. Each call starts again with the first resample.
    are_resampled : bool, default=True
        Whether standard errors are computed in each resample, not once for all resamples.
    """

    values: Floats
    sizes: NDArray[np.int64]
    drawn: Callable[[], Iterator[Integers]]
    are_resampled: bool = True

    def of_systems(self, chosen: NDArray[np.intp]) -> Influences:
        """Return the influences on the values of some systems."""
        return replace(self, values=self.values[chosen])

    def variances(self) -> Floats:
        """Return the variance of the difference of each pair, (n_systems, n_systems)."""
        return self._variances(self.sizes)

    def variances_in_resamples(self) -> Iterator[Floats]:
        """Yield the variances in a few resamples at a time, (n_resamples, n_systems, n_systems).

        The influences are always computed from all units; only the number of times that a unit
        is drawn varies. Each variance is raised to at least half of the variance in all units.
        """
        least = _SMALLEST_SHARE * self.variances()
        threads = ThreadpoolController()
        for times in self.drawn():
            # Compute the variances one by one, since the product of a matrix with its own transpose
            # takes half the time. Use one thread: on a busy machine, several threads would wait for
            # each other in such small products.
            with threads.limit(limits=1, user_api="blas"):
                variances = np.stack([self._variances(of_resample) for of_resample in times.T])
            yield np.maximum(variances, least)

    def _variances(self, times: Integers) -> Floats:
        """Return the variance of the difference of each pair in a resample.

        `times` is the number of units of each kind in the resample.
        """
        n_units = self.sizes.sum()
        # The square roots of one-byte integers have only half precision.
        scaled = self.values * np.sqrt(times, dtype=np.float64)
        products = scaled @ scaled.T
        sums = self.values @ times
        products -= sums[:, None] * sums / n_units
        squares = np.diagonal(products)
        # Rounding may give equal systems a variance below zero.
        variances = np.maximum(squares[:, None] + squares - 2 * products, 0)
        of_means: Floats = variances / n_units**2
        return of_means


# Bootstrap intervals of metrics from resampled counts, or weights of samples
# ---------------------------------------------------------------------------

# Warn if a metric is undefined for more than this share of the resamples.
_MANY_UNDEFINED = 0.05
# With fewer units, the acceleration is computed by the jackknife.
FEWEST_UNITS_OF_INFLUENCES = 300
_NO_BIAS = (
    "as a bca interval, since all resamples lie on one side of the estimate and its bias cannot be "
    "corrected"
)


# Type checkers take the first overload that fits: the first one fits calls without metrics, "all"
# precedes other strings, and strings precede iterables of strings.
@overload
def bootstrap_interval(
    y_true: TrueClasses | Evidence,
    y_pred: ArrayLike | None = None,
    metrics: Literal["cem_ord"] = ...,
    *,
    method: IntervalMethod | None = None,
    **options: Unpack[ResamplingOptions],
) -> Interval: ...
@overload
def bootstrap_interval(
    y_true: TrueClasses | Evidence,
    y_pred: ArrayLike | None = None,
    metrics: Literal["all"] = ...,
    *,
    method: IntervalMethod | None = None,
    **options: Unpack[ResamplingOptions],
) -> dict[str, Interval]: ...
@overload
def bootstrap_interval(
    y_true: TrueClasses | Evidence,
    y_pred: ArrayLike | None = None,
    metrics: MetricLike = ...,
    *,
    method: IntervalMethod | None = None,
    **options: Unpack[ResamplingOptions],
) -> Interval: ...
@overload
def bootstrap_interval(
    y_true: TrueClasses | Evidence,
    y_pred: ArrayLike | None = None,
    metrics: SeveralMetrics = ...,
    *,
    method: IntervalMethod | None = None,
    **options: Unpack[ResamplingOptions],
) -> dict[str, Interval]: ...
@counting.takes_reading(SampleReadingOptions)
def bootstrap_interval(
    y_true: TrueClasses | Evidence,
    y_pred: ArrayLike | None = None,
    metrics: MetricsLike = "cem_ord",
    *,
    confidence_level: float = 0.95,
    n_resamples: int = 9999,
    method: IntervalMethod | None = None,
    random_state: RandomState = None,
    **reading: Unpack[SampleReadingOptions],
) -> Interval | dict[str, Interval]:
    r"""Compute a bootstrap confidence interval of a metric, or of several.

    The samples are drawn with replacement and the metric is computed for each resample. The
    interval shows how much the value would vary over other test samples from the same
    source. The predictions are taken as given, so the variation from other training samples
    is not included.

    For metrics of predicted classes, samples with the same true class, predicted class and
    weight are exchangeable, so a single multinomial draw gives the counts of a resample. The
    run time hardly depends on the number of samples unless there are clusters or most weights
    differ. For metrics of probabilities and scores, each sample is weighted by the number of
    times that it is drawn, and only quantities that depend on the weights are recomputed.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_classes), ratings or evidence
        True classes; or soft labels, which are a distribution over the classes for each sample, or
        the grades of several raters as `OrdinalRatings`; or an `OrdinalConfusion`,
        `OrdinalForecasts` or `OrdinalScores` in place of `y_true`, `y_pred` and the reading
        options such as `labels`. Weighted counts can only be resampled if they were counted from
        samples, for example by `OrdinalConfusion.from_predictions`.
    y_pred : array-like of shape (n_samples,) or (n_samples, n_classes), default=None
        Predictions in the form that the metrics take: classes of shape (n_samples,);
        probabilities of the classes, from the lowest to the highest, of shape (n_samples,
        n_classes); or scores of shape (n_samples,), higher for higher classes. Metrics of
        scores also take probabilities and convert them to scores: their expected positions.
    metrics : str, callable, iterable or dict of them, default="cem_ord"
        Anything that `get_metric` accepts: a name such as "cem_ord", a metric function, a
        `functools.partial` of one with options, or your own function ``f(y_true, y_pred)`` of
        labels; or "all" for all metrics of the package that take such predictions: metrics of
        labels, or metrics of probabilities and scores if `y_pred` has several columns. Several
        metrics are computed on the same resamples. Metrics of labels cannot be combined
        with other metrics, since they take different predictions.
    **reading
    confidence_level : float, default=0.95
        Confidence level of the interval, between 0 and 1.
    n_resamples : int, default=9999
        Number of resamples.
    method : {"bca", "percentile", "basic"}, default=None
        How the ends of the interval are computed from the values of the metric on the
        resamples. "percentile" uses the quantiles of these values. "basic" reflects the
        quantiles about the estimate; the ends may lie outside the range of the metric. "bca"
        uses quantiles corrected for bias and skewness [1]_ [2]_. If None, the
        ``interval_method`` of each metric is used: "percentile" for a few metrics for which it
        has better coverage, otherwise "bca". The user guide shows the coverage of every metric.
    random_state : int, RandomState instance, Generator or None, default=None
        Seed or source of the random numbers. Pass an int for the same interval each time.

    Returns
    -------
    Interval or dict of str to Interval
        Estimate and ends in the unit of the metric, and the number of resamples for which
        the metric is undefined; for several metrics, a dict by name. Estimate and ends
        are NaN, with an `UndefinedMetricWarning`, if the metric is undefined for the
        samples.

    Raises
    ------
    ValueError
        If the order of the classes is unknown, a metric or method is unknown, the metrics need
        different predictions or predictions other than those passed, a number is out of range,
        there are fewer than two samples or clusters, or evidence is passed together with
        reading options.

    Warns
    -----
    UndefinedMetricWarning
        If an interval is undefined, or a metric is undefined for more than 5% of the resamples.

    See Also
    --------
    paired_difference : Compare two systems on the same samples.
    scipy.stats.bootstrap : Resample rows for any statistic.

    Notes
    -----
    With soft labels, whole samples are drawn, with all their shares. A mean over the samples, such
    as the accuracy or the ranked probability score, is the expected value over the grades. The
    value of any other metric, such as kappa, is computed from the expected counts, see
    `OrdinalConfusion.from_soft_labels`.

    For "bca", the bias correction is computed from the proportion of resamples with a lower
    value than the estimate, where ties count half. The acceleration is computed from the
    influences of the samples or clusters if there are at least 300 of them and the metric has
    influences, otherwise from the jackknife. If there are probabilities or scores for more than
    500 samples or clusters, these are divided into 500 random blocks, and the jackknife leaves
    out one block at a time [3]_. The interval is undefined if all resamples lie on one side of the
    estimate, which happens for metrics that grow with sampling error, such as the mutual
    information of few samples of many classes.

    If the metric has the same value on all resamples, both ends of the interval equal this
    value. This is the case for perfect predictions: errors that do not occur in the samples
    cannot occur in a resample, so the interval is too short.

    References
    ----------
    .. [1] B. Efron (1987), "Better bootstrap confidence intervals", Journal of the
       American Statistical Association 82(397), :doi:`10.1080/01621459.1987.10478410`.
    .. [2] B. Efron, R. J. Tibshirani (1993), "An introduction to the bootstrap", Chapman
       and Hall, chapter 14.
    .. [3] B. Efron, B. Narasimhan (2020), "The automatic construction of bootstrap
       confidence intervals", Journal of Computational and Graphical Statistics 29(3),
       :doi:`10.1080/10618600.2020.1714633`.

    Examples
    --------
    >>> from sklearn_ordinal.inference import bootstrap_interval
    >>> y_true = [0, 1, 2, 2, 1, 0, 2, 1, 0, 2] * 10
    >>> y_pred = [0, 2, 2, 2, 1, 0, 1, 1, 0, 2] * 10
    >>> print(bootstrap_interval(y_true, y_pred, "cem_ord", random_state=0))
    0.876 (95% interval 0.820 to 0.919)
    >>> intervals = bootstrap_interval(y_true, y_pred, ["cem_ord", "accuracy"], random_state=0)
    >>> print(intervals["accuracy"])
    0.800 (95% interval 0.710 to 0.870)

    Probabilities of the classes, from the lowest to the highest:

    >>> import numpy as np
    >>> y_proba = np.array([[0.7, 0.2, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6]])[y_pred]
    >>> print(bootstrap_interval(y_true, y_proba, "ranked_probability_score", random_state=0))
    0.197 (95% interval 0.173 to 0.227)
    """
    kinds = evidence_kinds.kinds_in(y_true if y_pred is None else y_pred)
    criteria = lookup.get_metrics(metrics, argument="metrics", kinds=kinds)
    if method is not None:
        checks.check_choice("method", method, IntervalMethod)
    confidence_level = check_resampling(confidence_level, n_resamples)
    rng = checks.as_generator(random_state)
    units = evidence_kinds.resampling_units(
        evidence_reading.read_system(criteria, y_true, y_pred, reading), criteria
    )
    by_metric = intervals(criteria, units, rng, confidence_level, n_resamples, method)
    warn_about_undefined(by_metric, n_resamples, has_method=True)
    if lookup.is_several(metrics) or len(by_metric) > 1:
        return ByMetric(by_metric)
    return by_metric[criteria[0].name]


def values_of(metrics: Sequence[Criterion], stacks: Iterable[Sequence[Evidence]]) -> Values:
    """Return the value of each metric, system and resample: (n_metrics, n_systems, n_resamples)."""
    values = [
        [[metric(evidence) for evidence in systems] for metric in metrics] for systems in stacks
    ]
    return np.concatenate(values, axis=-1)


# The difference of two infinite losses, which a user's metric may return, is undefined.
@np.errstate(invalid="ignore")
def value_or_difference(values: Values) -> Values:
    """Return the values (n_metrics, n_resamples) of a single system, or the differences of two."""
    if values.shape[1] == 1:
        return values[:, 0]
    difference: Values = values[:, 0] - values[:, 1]
    return difference


def tie_margins(values: Values) -> Values:
    """Return, for each metric, the largest difference between tied values."""
    margins: Values = tolerances.TIE * tolerances.scale_of(values, axis=(1, 2))
    return margins


def intervals(
    metrics: Sequence[OrdinalMetric],
    units: Resampling,
    rng: np.random.Generator,
    confidence_level: float,
    n_resamples: int,
    method: IntervalMethod | None,
) -> dict[str, Interval]:
    """Return the interval of each metric by name, computed on the same resamples."""
    methods = [method or metric.interval_method for metric in metrics]
    values = values_of(metrics, [units.all_together()])
    estimates, margins = value_or_difference(values)[:, 0], tie_margins(values)
    resampled = value_or_difference(values_of(metrics, units.resampled(rng, n_resamples)))
    n_unanswered = units.n_unanswered()[0]
    accelerations = np.zeros(len(metrics))
    if "bca" in methods:
        accelerations = _accelerations(metrics, units)
    found = {}
    for k, metric in enumerate(metrics):
        interval = _interval_of(
            float(estimates[k]),
            resampled[k],
            confidence_level,
            methods[k],
            margin=margins[k],
            acceleration=accelerations[k],
            n_left_out=0 if metric.counts_unanswered else n_unanswered,
        )
        if values.shape[1] == 2:
            # Verdicts on two systems need it.
            interval = replace(interval, standard_error=_standard_error(resampled[k]))
        found[metric.name] = interval
    return found


def _standard_error(resampled: Values) -> float:
    """Return the standard deviation of the differences in resamples, NaN if there are too few."""
    defined = resampled[np.isfinite(resampled)]
    return float(defined.std(ddof=1)) if defined.size > 1 else math.nan


def _accelerations(metrics: Sequence[OrdinalMetric], units: Resampling) -> Values:
    """Return the acceleration of each metric, from its influences or else by the jackknife."""
    accelerations = np.full(len(metrics), np.nan)
    if units.n_units >= FEWEST_UNITS_OF_INFLUENCES:
        influences = value_or_difference(unit_influences(metrics, units))
        accelerations = sixth_of_skewness(influences, units.kind_sizes)
    rest = np.flatnonzero(np.isnan(accelerations)).tolist()
    if rest:
        left_out = values_of([metrics[k] for k in rest], units.without_one())
        accelerations[rest] = accelerations_of(left_out, units)
    return accelerations


def _interval_of(
    estimate: float,
    resampled: Values,
    confidence_level: float,
    method: IntervalMethod,
    *,
    margin: float,
    acceleration: float,
    n_left_out: float,
) -> Interval:
    """Return the interval of an estimate from its values in resamples.

    Values that differ from the estimate by less than the margin are ties.
    """
    defined = resampled[~np.isnan(resampled)]
    low = high = math.nan
    if defined.size and math.isfinite(estimate):
        shares = np.array([(1 - confidence_level) / 2, (1 + confidence_level) / 2])
        if method == "bca":
            shares = _corrected(shares, estimate, margin, defined, acceleration)
        low, high = _ends(shares, estimate, defined, method)
    n_undefined = int(resampled.size - defined.size)
    return Interval(
        estimate,
        low,
        high,
        float(confidence_level),
        n_undefined,
        n_left_out=n_left_out,
        method=method,
    )


def accelerations_of(values: Values, units: Resampling) -> Values:
    """Return a sixth of the skewness of the jackknife values, for each metric."""
    # Blocks of units have a share of each stratum.
    starts = units.starts if len(units.sizes) == len(units.kind_sizes) else units.starts[:1]
    values = np.where(np.isfinite(values), values, np.nan)
    rounding = (
        tolerances.JACKKNIFE_VALUE * np.nanmax(np.abs(values), axis=(1, 2), initial=0.0)[:, None]
    )
    values = value_or_difference(values)
    # Units are left out if the metric is undefined or infinite without them.
    n_units = np.where(np.isnan(values), 0, units.sizes)
    values = np.where(np.isnan(values), 0, values)
    mean = _stratum_means(values, n_units, starts)
    deviations = np.where(np.abs(mean - values) > rounding, mean - values, 0)
    squares = (n_units * deviations**2).sum(axis=-1)
    cubes = (n_units * deviations**3).sum(axis=-1)
    return np.where(squares > 0, cubes / np.where(squares > 0, squares, 1) ** 1.5 / 6, 0.0)


def _corrected(
    shares: Values, estimate: float, margin: float, values: Values, acceleration: float
) -> Values:
    """Return the corrected quantile levels: Efron and Tibshirani (1993), eq. 14.10."""
    n_below = np.sum(values < estimate - margin) + np.sum(values <= estimate + margin)
    bias = ndtri(n_below / (2 * len(values)))
    if np.isinf(bias):
        return np.full(2, np.nan)
    normal = bias + ndtri(shares)
    # At the pole of the formula, the level reaches 0 or 1. Beyond the pole, the formula would give
    # the opposite extreme.
    scale = 1 - acceleration * normal
    corrected: Values = ndtr(bias + normal / np.where(scale > 0, scale, 1))
    corrected[scale <= 0] = normal[scale <= 0] > 0
    return corrected


def _ends(
    shares: Values, estimate: float, values: Values, method: IntervalMethod
) -> tuple[float, float]:
    if np.isnan(shares).any():
        return math.nan, math.nan
    low, high = np.quantile(values, shares)
    if method == "basic":
        low, high = 2 * estimate - high, 2 * estimate - low
    return float(low), float(high)


def warn_about_undefined(
    found: Mapping[str, Interval], n_resamples: int, *, has_method: bool = False
) -> None:
    """Warn about metrics that are undefined, or were undefined in many resamples."""
    reasons: dict[str, list[str]] = {}
    for name, interval in found.items():
        reason = _reason_to_warn(interval, n_resamples)
        if reason:
            reasons.setdefault(reason, []).append(name)
    if reasons:
        text = "; ".join(f"{', '.join(names)} {reason}" for reason, names in reasons.items())
        way_out = "method='percentile' needs no correction." if _NO_BIAS in reasons else ""
        checks.warn_caller(
            f"Undefined: {text}.", UndefinedMetricWarning, way_out=way_out if has_method else ""
        )


def _reason_to_warn(interval: Interval, n_resamples: int) -> str:
    if not math.isfinite(interval.estimate):
        return ", ".join(filter(None, ("for these samples", interval._unanswered_left_out())))
    if interval.n_undefined == n_resamples:
        return "for each resample"
    if math.isnan(interval.low):
        return _NO_BIAS
    if interval.n_undefined > _MANY_UNDEFINED * n_resamples:
        return f"for {interval.n_undefined:,} of {n_resamples:,} resamples, which are left out"
    return ""


class ResamplingOptions(SampleReadingOptions, total=False):
    """Keywords that functions which resample samples have in common, for their overloads."""

    confidence_level: float
    n_resamples: int
    random_state: RandomState


def check_resampling(confidence_level: float, n_resamples: int) -> float:
    """Return the confidence level, or raise if an option is out of range."""
    checks.check_count("n_resamples", n_resamples, at_least=1)
    return checks.check_share("confidence_level", confidence_level)


# With more units, or influences of all systems, standard errors are not computed in each resample.
MOST_UNITS_OF_JACKKNIFE = 2_000


def accelerations_and_influences(
    metrics: Sequence[OrdinalMetric], units: Resampling
) -> tuple[Values, Values]:
    """Return the accelerations (n_metrics, n_systems), and the influences of the kinds of units.

    They come from the influences, or else from the jackknife.
    """
    influences = unit_influences(metrics, units)
    accelerations = np.full(influences.shape[:2], np.nan)
    if units.n_units >= FEWEST_UNITS_OF_INFLUENCES:
        accelerations = sixth_of_skewness(influences, units.kind_sizes)
    # The values without single units are not known if units are left out in blocks.
    has_jackknife = units.n_units <= MOST_UNITS_OF_JACKKNIFE and units.sizes.sum() == units.n_units
    has_influences = np.asarray(np.isfinite(influences).all(axis=(1, 2)))
    needs_jackknife = ~np.isfinite(accelerations).all(axis=1) | (has_jackknife & ~has_influences)
    rest = np.flatnonzero(needs_jackknife).tolist()
    if rest:
        singles, kinds = zip(*units.each(), strict=True)
        left_out = [
            values_of([metrics[k] for k in rest], single.without_one()) for single in singles
        ]
        by_jackknife = np.stack(
            [
                accelerations_of(values, single)
                for values, single in zip(left_out, singles, strict=True)
            ],
            axis=1,
        )
        known = accelerations[rest]
        accelerations[rest] = np.where(np.isnan(known), by_jackknife, known)
        for position, k in enumerate(rest):
            if has_jackknife and not has_influences[k]:
                without = [values[position, 0] for values in left_out]
                influences[k] = np.where(
                    np.isnan(influences[k]),
                    _jackknife_influences(without, kinds, units.sizes, units.starts),
                    influences[k],
                )
    return accelerations, influences


def resampled_intervals(
    metrics: Sequence[OrdinalMetric],
    estimates: Values,
    resampled: Values,
    accelerations: Values,
    n_unanswered: Sequence[float],
    confidence_level: float,
) -> dict[str, tuple[Interval, ...]]:
    """Return the intervals of all systems by metric, from (n_metrics, n_systems, n_resamples)."""
    return {
        metric.name: tuple(
            _interval_of(
                float(estimates[k, i]),
                resampled[k, i],
                confidence_level,
                metric.interval_method,
                margin=float(tolerances.TIE * tolerances.scale_of(estimates[k, i])),
                acceleration=accelerations[k, i],
                n_left_out=0 if metric.counts_unanswered else amount,
            )
            for i, amount in enumerate(n_unanswered)
        )
        for k, metric in enumerate(metrics)
    }
