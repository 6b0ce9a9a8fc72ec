"""Closed-form intervals of criteria of counts, from the influence of each sample."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit, ndtri, stdtr, stdtrit
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core import (
    LABELS,
    ByMetric,
    CountedSamples,
    Influence,
    MetricLike,
    MetricsLike,
    OrdinalConfusion,
    OrdinalMetric,
    SampleReadingOptions,
    SeveralMetrics,
    Values,
    cell_amounts,
    check_n_units,
    check_nothing_beside,
    check_same_order,
    check_share,
    counted_samples,
    divide,
    encode_values,
    get_metrics,
    is_evidence,
    is_several,
    listed,
    read_answers,
    read_confusion,
    samples_counted_in,
    shown,
    takes_reading,
    warn_caller,
)
from sklearn_ordinal.inference._interval import Interval

Intervals: TypeAlias = Interval | dict[Any, Interval]
"""The interval of a matrix, or of each matrix of a stack."""

# A smaller standard error is the rounding error of influences that are all 0.
_ROUNDING = 1e-10
# A warning names as many matrices of a stack at most.
_MOST_NAMES = 3


class _Reason(IntEnum):
    """Why the ends of an interval are undefined; the first that applies."""

    NONE = 0
    UNDEFINED = 1
    TOO_FEW = 2
    NO_DERIVATIVE = 3
    NO_ERROR = 4
    AT_THE_END = 5


_REASONS = {
    _Reason.UNDEFINED: "the value is undefined",
    _Reason.TOO_FEW: "there are fewer than two samples",
    _Reason.NO_DERIVATIVE: "the value has no derivative for these counts, as at a tie of classes",
    _Reason.NO_ERROR: "the standard error is 0, as for perfect predictions or equal systems",
    _Reason.AT_THE_END: "the value is at the end of its range",
}


class _Options(SampleReadingOptions, total=False):
    """Keywords of `delta_interval`, for its overloads."""

    strata: ArrayLike | None
    confidence_level: float


# Whether a confusion matrix is a stack cannot be told from its type. The other overloads are in the
# order of `bootstrap_interval`.
@overload
def delta_interval(
    y_true: OrdinalConfusion,
    y_pred: None = None,
    metrics: MetricsLike = ...,
    **options: Unpack[_Options],
) -> Any: ...
@overload
def delta_interval(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    metrics: Literal["cem_ord"] = ...,
    **options: Unpack[_Options],
) -> Interval: ...
@overload
def delta_interval(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    metrics: Literal["all"] = ...,
    **options: Unpack[_Options],
) -> dict[str, Interval]: ...
@overload
def delta_interval(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    metrics: MetricLike = ...,
    **options: Unpack[_Options],
) -> Interval: ...
@overload
def delta_interval(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    metrics: SeveralMetrics = ...,
    **options: Unpack[_Options],
) -> dict[str, Interval]: ...
@takes_reading(SampleReadingOptions)
def delta_interval(
    y_true: ArrayLike | OrdinalConfusion,
    y_pred: ArrayLike | None = None,
    metrics: MetricsLike = "cem_ord",
    *,
    strata: ArrayLike | None = None,
    confidence_level: float = 0.95,
    **reading: Unpack[SampleReadingOptions],
) -> Interval | dict[Any, Any]:
    r"""Compute the confidence interval of a criterion of counts in closed form.

    The standard error is computed from the influence :math:`\phi` of each sample, which
    `OrdinalMetric.influence` returns for the cell of the sample [1]_:

    .. math:: s^2 = \frac{m}{m - 1} \frac{\sum_g S_g^2}{W^2}, \qquad
        S_g = \sum_{k \in g} w_k \phi_k

    where :math:`g` are the samples, or the clusters, :math:`m` is their number, :math:`w_k` the
    weight of a sample and :math:`W` the total weight. The interval is the value plus or minus
    quantiles of the t distribution with :math:`m - 1` degrees of freedom times :math:`s`, on the
    scale that the metric records as ``interval_scale``: mostly the log-odds within the range of the
    metric, which for a range from -1 to 1 is Fisher's transformation.

    Nothing is resampled, so the result needs no random numbers, and from counts it takes the same
    time for any number of samples.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or OrdinalConfusion
        True classes; or a confusion matrix, or a stack of them, in place of `y_true`, `y_pred` and
        the reading options such as `labels`. Sums of weights must come with ``sample_counts`` and
        ``squared_weights``, as they do unless they were passed as counts.
    y_pred : array-like of shape (n_samples,), default=None
        Predicted classes.
    metrics : str, callable, iterable or dict of them, default="cem_ord"
        Anything that `get_metric` accepts, if it is a function of counts: a name such as "cem_ord",
        a metric function, or a `functools.partial` of one with options; or "all" for all metrics
        of counts of the package.
    **reading
    strata : array-like of shape (n_samples,), default=None
        Stratum of each sample, if a fixed number of samples, or of clusters, was drawn from each
        stratum. The squared standard errors of the strata add up, and the degrees of freedom
        are the number of samples or clusters minus the number of strata. There is no correction
        for finite populations.
    confidence_level : float, default=0.95
        Confidence level of the interval, between 0 and 1.

    Returns
    -------
    Interval or dict of Interval
        Estimate, ends and `standard_error` in the unit of the metric. For a stack, a dict by
        the groups of the stack, or by position if they have no names; for several metrics, a
        dict by the name of the metric of what a single metric returns. If one cluster is a
        matrix of a stack, pass its groups as `clusters`: there is one interval for all
        matrices together.

        If the standard error of a proportion, such as the accuracy, is 0, the interval is Wilson's
        interval [2]_. The ends are NaN, with an `UndefinedMetricWarning`, if the standard error of
        another metric is 0, or if the value is undefined, is at the end of its range or has no
        derivative.

    Raises
    ------
    ValueError
        If the order of the classes is unknown, a metric is not a function of counts, there are
        fewer than two samples or clusters, a stratum has fewer than two, a cluster has samples in
        several strata, or counts are sums of weights without the sums of squared weights.

    Warns
    -----
    UndefinedMetricWarning
        If the ends of an interval are undefined.

    See Also
    --------
    bootstrap_interval : Resample, for metrics of probabilities and scores too.
    OrdinalMetric.influence : Compute the influence of each cell.

    Notes
    -----
    Weights are taken as fixed numbers that belong to the samples. Weights that give the true
    classes fixed shares, as `OrdinalConfusion.at_prevalence` does, depend on the number of samples
    of each class: pass them as `sample_weight` with ``strata=y_true``, so that only the variation
    within the classes counts.

    References
    ----------
    .. [1] F. R. Hampel (1974), "The influence curve and its role in robust estimation",
       Journal of the American Statistical Association 69(346),
       :doi:`10.1080/01621459.1974.10482962`.
    .. [2] E. B. Wilson (1927), "Probable inference, the law of succession, and statistical
       inference", Journal of the American Statistical Association 22(158),
       :doi:`10.1080/01621459.1927.10502953`.

    Examples
    --------
    >>> from sklearn_ordinal.inference import delta_interval
    >>> y_true = [0, 1, 2, 2, 1, 0, 2, 1, 0, 2] * 10
    >>> y_pred = [0, 2, 2, 2, 1, 0, 1, 1, 0, 2] * 10
    >>> interval = delta_interval(y_true, y_pred, "cem_ord")
    >>> print(interval)
    0.876 (95% interval 0.817 to 0.917)
    >>> round(interval.standard_error, 4)
    0.0251

    From counts, for several criteria:

    >>> from sklearn_ordinal import OrdinalConfusion
    >>> confusion = OrdinalConfusion.from_counts([[30, 8, 2], [6, 70, 14], [1, 5, 14]])
    >>> for name, interval in delta_interval(confusion, metrics=["cem_ord", "accuracy"]).items():
    ...     print(name, interval)
    cem_ord 0.819 (95% interval 0.757 to 0.868)
    accuracy 0.760 (95% interval 0.684 to 0.822)
    """
    criteria = get_metrics(metrics, argument="metrics", kinds=(LABELS,))
    check_have_influences(criteria, "pass it to bootstrap_interval")
    level = check_share("confidence_level", confidence_level)
    confusion, design = _read(y_true, y_pred, reading, strata)
    by_metric = _intervals(criteria, confusion, design, level)
    if is_several(metrics) or len(by_metric) > 1:
        return ByMetric(by_metric)
    return by_metric[criteria[0].name]


def check_have_influences(metrics: Sequence[OrdinalMetric], way_out: str) -> None:
    """Raise unless all metrics are functions of counts."""
    for metric in metrics:
        if metric.has_influence is False:
            raise ValueError(
                f"metrics must be functions of counts, got {metric.name}, which takes "
                f"{metric.evidence.noun}: {way_out}."
            )


class Spread(NamedTuple):
    """The standard errors of values, and what their intervals need."""

    standard_error: Values
    degrees_of_freedom: Values
    n_effective: Values
    """Number of samples of equal weight, drawn one by one, that say as much about a proportion."""


class Design(Protocol):
    """How the samples were drawn."""

    def spread(self, influence: Influence) -> Spread:
        """Return the standard error of the value with these influences."""


@dataclass(frozen=True, eq=False)
class SingleSamples:
    """Samples that were drawn one by one, in the cells of a confusion matrix or a stack.

    Parameters
    ----------
    weights : ndarray of shape (..., n_classes, n_classes + 1)
        Weight of the samples in each cell, the last column for unanswered samples.
    numbers : ndarray of shape (..., n_classes, n_classes + 1)
        Number of these samples.
    squares : ndarray of shape (..., n_classes, n_classes + 1)
        Sum of their squared weights.
    """

    weights: Values
    numbers: Values
    squares: Values

    def spread(self, influence: Influence) -> Spread:
        """Return the standard error of the value of each matrix."""
        influences = _by_column(influence)
        columns = slice(influences.shape[-1])
        weight, number, squares = (
            amounts[..., columns].sum(axis=(-2, -1))
            for amounts in (self.weights, self.numbers, self.squares)
        )
        # Cells without samples may have no influence.
        occurs = self.numbers[..., columns] > 0
        of_cells = np.where(occurs, self.squares[..., columns] * influences**2, 0)
        variance = divide(of_cells.sum(axis=(-2, -1)), weight**2) * divide(number, number - 1)
        return Spread(np.sqrt(variance), number - 1, divide(weight**2, squares))


@dataclass(frozen=True, eq=False)
class SampledUnits:
    """Samples, or clusters of samples, that were drawn from one stratum or from several.

    Parameters
    ----------
    true : ndarray of shape (n_samples,)
        True class of each sample, by position.
    predicted : ndarray of shape (n_samples,)
        Its predicted class; the number of classes if there is none.
    weight : ndarray of shape (n_samples,)
        Its weight; or there are several samples in each row, with their total weight.
    unit : ndarray of shape (n_samples,)
        The unit that the sample was drawn with, as an integer from 0.
    stratum : ndarray of shape (n_units,)
        The stratum of each unit, as an integer from 0.
    strata : tuple
        The names of the strata.
    noun : str
        What the units are.
    """

    true: NDArray[np.int64]
    predicted: NDArray[np.int64]
    weight: Values
    unit: NDArray[np.int64]
    stratum: NDArray[np.int64]
    strata: tuple[Any, ...]
    noun: str

    def spread(self, influence: Influence) -> Spread:
        """Return the standard error of the value of all samples."""
        influences, n_units = _by_column(influence), len(self.stratum)
        is_counted = self.predicted < influences.shape[-1]
        unit, weight = self.unit[is_counted], self.weight[is_counted]
        moved = weight * influences[self.true[is_counted], self.predicted[is_counted]]
        sums = np.bincount(unit, moved, n_units)
        weights = np.bincount(unit, weight, n_units)
        occurs = weights > 0
        stratum, sums = self.stratum[occurs], sums[occurs]
        sizes = np.bincount(stratum, minlength=len(self.strata))
        for alone in np.flatnonzero(sizes == 1):
            raise ValueError(
                f"strata must have at least two {self.noun} each, got one in stratum "
                f"{self.strata[alone]!r}: merge it with a similar stratum."
            )
        means = divide(np.bincount(stratum, sums, len(sizes)), sizes)
        squares = np.bincount(stratum, (sums - means[stratum]) ** 2, len(sizes))
        variance = np.nansum(squares * divide(sizes, sizes - 1)) / weight.sum() ** 2
        degrees = sizes.sum() - np.count_nonzero(sizes)
        n_effective = weights.sum() ** 2 / (weights**2).sum()
        return Spread(*map(np.asarray, (np.sqrt(variance), degrees, n_effective)))


def _by_column(influence: Influence) -> Values:
    """Return the influences, with a last column if unanswered samples are counted."""
    if influence.unanswered is None:
        return influence.cells
    return np.concatenate([influence.cells, influence.unanswered[..., None]], axis=-1)


def _read(
    y_true: Any, y_pred: Any, reading: SampleReadingOptions, strata: Any
) -> tuple[OrdinalConfusion, Design]:
    """Return the counts, and how their samples were drawn."""
    if is_evidence(y_true):
        if strata is not None:
            raise ValueError(
                "strata must be left out if evidence is passed, which does not tell the stratum of "
                "a sample: pass y_true and y_pred."
            )
        clusters = reading.get("clusters")
        without = {name: value for name, value in reading.items() if name != "clusters"}
        check_nothing_beside(without, y_pred=y_pred)  # type: ignore[arg-type]
        confusion = LABELS.accepted(y_true, "criteria of counts")
        return (
            _design(confusion) if clusters is None else _matrices_as_clusters(confusion, clusters)
        )
    confusion = read_confusion(y_true, y_pred, reading)
    if strata is None:
        return _design(confusion)
    check_same_order({"y_true": y_true, "y_pred": y_pred, "strata": strata})
    clusters = reading.get("clusters")
    samples = counted_samples(
        read_answers({"y_true": y_true, "y_pred": y_pred}, **reading),
        clusters,
    )
    numbers, names = encode_values(strata, len(samples.has_weight), "strata")
    return confusion, _stratified(samples, numbers[samples.has_weight], names)


def _design(confusion: OrdinalConfusion) -> tuple[OrdinalConfusion, Design]:
    samples = samples_counted_in(confusion)
    if confusion.is_clustered:
        if samples is None or samples.cluster is None or confusion.counts.ndim > 2:
            raise ValueError(
                "confusion must hold samples that were drawn one by one, or one matrix with its "
                "samples, but these counts do not tell which samples are in one cluster: pass what "
                "OrdinalConfusion.from_predictions returns for all samples, without by=."
            )
        return confusion, _stratified(samples, None, ())
    amounts = cell_amounts(confusion)
    if amounts is None:
        raise ValueError(
            "confusion must hold the number and the squared weights of the samples in each cell, "
            "which sums of weights and means do not tell: count the samples with "
            "OrdinalConfusion.from_predictions, or pass sample_counts and squared_weights."
        )
    if confusion.counts.ndim == 2:
        check_n_units("y_true", int(amounts[1].sum()))
    return confusion, SingleSamples(*amounts)


def _stratified(
    samples: CountedSamples, stratum: NDArray[np.int64] | None, names: tuple[Any, ...]
) -> SampledUnits:
    """Return the samples, or their clusters, in strata; in a single stratum if it is None."""
    (cells,), n_samples = samples.cells, len(samples.weight)
    n_classes = len(samples.scale)
    unit = np.arange(n_samples) if samples.cluster is None else samples.cluster.astype(np.int64)
    n_units = int(unit.max()) + 1
    check_n_units("y_true" if samples.cluster is None else "clusters", n_units)
    strata = np.zeros(n_units, dtype=np.int64)
    if stratum is not None:
        strata[unit] = stratum
        if (strata[unit] != stratum).any():
            sample = int(np.flatnonzero(strata[unit] != stratum)[0])
            both = listed(sorted({names[stratum[sample]], names[strata[unit[sample]]]}, key=str))
            raise ValueError(
                f"clusters must have all their samples in one stratum, got one in {both}: give its "
                f"parts different names."
            )
    return SampledUnits(
        cells // samples.n_columns,
        np.minimum(cells % samples.n_columns, n_classes),
        samples.weight,
        unit,
        strata,
        names or ("",),
        "samples" if samples.cluster is None else "clusters",
    )


def _matrices_as_clusters(
    stack: OrdinalConfusion, clusters: Any
) -> tuple[OrdinalConfusion, Design]:
    """Return the sum of a stack, each matrix of which is a cluster."""
    names = list(clusters) if hasattr(clusters, "__iter__") else None
    if stack.counts.ndim != 3 or not stack.groups or names != list(stack.groups):
        raise ValueError(
            f"clusters beside evidence must be the groups of a stack, each matrix of which is a "
            f"cluster, as in delta_interval(stack, clusters=stack.groups), got {shown(clusters)}."
        )
    if stack.is_clustered:
        raise ValueError(
            "clusters must be left out if the counts hold the clusters of their samples."
        )
    check_n_units("clusters", len(names))
    unanswered = np.zeros(stack.counts.shape[:2]) if stack.unanswered is None else stack.unanswered
    cells = np.concatenate([stack.counts, unanswered[..., None]], axis=-1, dtype=np.float64)
    unit, true, predicted = np.nonzero(cells)
    n_units = len(names)
    in_one_stratum = np.zeros(n_units, dtype=np.int64)
    weight = cells[unit, true, predicted]
    design = SampledUnits(true, predicted, weight, unit, in_one_stratum, ("",), "clusters")
    return stack.pooled(), design


def _intervals(
    metrics: Sequence[OrdinalMetric], confusion: OrdinalConfusion, design: Design, level: float
) -> dict[str, Intervals]:
    """Return the interval of each metric by name; for a stack, the intervals of its matrices."""
    stack = confusion.counts.shape[:-2]
    n_unanswered = np.zeros(stack)
    if confusion.unanswered is not None:
        n_unanswered = confusion.unanswered.sum(axis=-1)
    keys = _matrix_names(confusion)
    by_metric: dict[str, Intervals] = {}
    reasons: dict[_Reason, list[str]] = {}
    for metric in metrics:
        values = np.asarray(metric(confusion))
        spread = design.spread(metric.influence(confusion))
        ends = _ends(metric, values, spread, level, len(confusion.scale))
        left_out = np.zeros(stack) if metric.counts_unanswered else n_unanswered
        intervals = [
            Interval(
                float(values[at]),
                float(ends.low[at]),
                float(ends.high[at]),
                level,
                n_left_out=left_out[at].item(),
                method="wilson" if ends.is_wilson[at] else "delta",
                standard_error=float(spread.standard_error[at]),
            )
            for at in np.ndindex(stack)
        ]
        by_metric[metric.name] = dict(zip(keys, intervals, strict=True)) if stack else intervals[0]
        for reason in map(_Reason, np.unique(ends.reason[ends.reason > 0]).tolist()):
            affected = [
                key for key, why in zip(keys, ends.reason.flat, strict=True) if why == reason
            ]
            matrices = f" of {_listed_matrices(affected)}" if stack else ""
            reasons.setdefault(reason, []).append(f"{metric.name}{matrices}")
    _warn_about_ends(reasons, "bootstrap_interval needs no derivative.")
    return by_metric


def delta_differences(
    metrics: Sequence[OrdinalMetric], systems: OrdinalConfusion, level: float
) -> tuple[dict[str, Interval], NDArray[np.float64]]:
    """Return the interval by metric, and the p-values, of the differences of two systems.

    Both come from the same t statistic. The counts hold the samples of both systems.
    """
    samples = samples_counted_in(systems)
    assert samples is not None
    unanswered = np.zeros(2) if systems.unanswered is None else systems.unanswered.sum(axis=-1)
    n_units = len(samples.weight) if samples.cluster is None else int(samples.cluster.max()) + 1
    check_n_units("y_true" if samples.cluster is None else "clusters", n_units)
    differences, pvalues = {}, []
    reasons: dict[_Reason, list[str]] = {}
    for metric in metrics:
        first, second = metric(systems)
        error = _difference_error(samples, metric.influence(systems), n_units)
        low = high = pvalue = math.nan
        reason = _difference_reason(first - second, error)
        if reason:
            reasons.setdefault(reason, []).append(metric.name)
        else:
            margin = stdtrit(n_units - 1, (1 + level) / 2) * error
            lowest, highest = metric.bounds(len(systems.scale))
            width = highest - lowest
            low, high = np.clip([first - second - margin, first - second + margin], -width, width)
            pvalue = 2 * stdtr(n_units - 1, -abs(first - second) / error)
        interval = Interval(
            float(first - second),
            float(low),
            float(high),
            level,
            n_left_out=0 if metric.counts_unanswered else unanswered[0].item(),
            method="delta",
            standard_error=error,
        )
        differences[metric.name] = interval
        pvalues.append(pvalue)
    _warn_about_ends(reasons, "method='percentile' needs no derivative.")
    return differences, np.array(pvalues, dtype=np.float64)


def _difference_error(samples: CountedSamples, influence: Influence, n_units: int) -> float:
    """Return the standard error of the difference of the values of two systems."""
    influences = _by_column(influence)
    true, predicted = np.divmod(samples.cells, samples.n_columns)
    is_counted = predicted < influences.shape[-1]
    # The influence on the share of the weight that counts, which differs if a system leaves
    # unanswered samples out.
    of_samples = np.where(
        is_counted,
        influences[[[0], [1]], true, np.minimum(predicted, influences.shape[-1] - 1)],
        0,
    )
    total = (samples.weight * is_counted).sum(axis=-1, keepdims=True)
    first, second = samples.weight * divide(of_samples, total)
    moved = first - second
    if samples.cluster is not None:
        moved = np.bincount(samples.cluster, moved, n_units)
    return float(np.sqrt(n_units / (n_units - 1) * (moved**2).sum()))


def _difference_reason(difference: float, error: float) -> _Reason:
    """Return why a difference has no interval."""
    if not math.isfinite(difference):
        return _Reason.UNDEFINED
    if math.isnan(error):
        return _Reason.NO_DERIVATIVE
    return _Reason.NO_ERROR if error <= _ROUNDING else _Reason.NONE


def _warn_about_ends(reasons: Mapping[_Reason, Sequence[str]], without_derivative: str) -> None:
    """Warn about intervals whose ends are undefined, with the metrics by the reason."""
    if reasons:
        text = "; ".join(f"{_REASONS[why]} ({', '.join(reasons[why])})" for why in reasons)
        way_out = without_derivative if _Reason.NO_DERIVATIVE in reasons else ""
        warn_caller(f"There is no interval: {text}.", UndefinedMetricWarning, way_out=way_out)


def _listed_matrices(keys: Sequence[Any]) -> str:
    """Return the names of a few matrices, or else their number."""
    return f"{len(keys):,} matrices" if len(keys) > _MOST_NAMES else " and ".join(map(str, keys))


def _matrix_names(confusion: OrdinalConfusion) -> list[Any]:
    """Return the group, or else the position, of each matrix of a stack."""
    stack = confusion.counts.shape[:-2]
    positions = list(np.ndindex(stack))
    if len(stack) == 1:
        return list(confusion.groups or range(stack[0]))
    if confusion.groups:
        return [(confusion.groups[first], *others) for first, *others in positions]
    return positions


class _Ends(NamedTuple):
    low: Values
    high: Values
    is_wilson: NDArray[np.bool_]
    reason: NDArray[np.int64]
    """Why the ends are undefined, a `_Reason`."""


@np.errstate(all="ignore")
def _ends(
    metric: OrdinalMetric, values: Values, spread: Spread, level: float, n_classes: int
) -> _Ends:
    """Return the ends of the interval of each value."""
    lowest, highest = metric.bounds(n_classes)
    half_width = stdtrit(spread.degrees_of_freedom, (1 + level) / 2) * spread.standard_error
    below, above = values - lowest, highest - values
    is_linear = metric.interval_scale == "linear" or (np.isinf(lowest) and np.isinf(highest))
    if is_linear:
        low, high = (np.clip(values + sign * half_width, lowest, highest) for sign in (-1, 1))
    elif np.isinf(lowest):
        factor = np.exp(half_width / above)
        low, high = highest - above * factor, highest - above / factor
    elif np.isinf(highest):
        factor = np.exp(half_width / below)
        low, high = lowest + below / factor, lowest + below * factor
    else:
        width = highest - lowest
        on_logits = half_width * width / (below * above)
        low, high = (lowest + width * expit(logit(below / width) + k * on_logits) for k in (-1, 1))
    is_at_the_end = (np.minimum(below, above) <= _ROUNDING) & (not is_linear)
    has_no_error = spread.standard_error <= _ROUNDING * np.maximum(1, np.abs(values))
    reason = np.select(
        [
            ~np.isfinite(values),
            spread.degrees_of_freedom < 1,
            np.isnan(spread.standard_error),
            has_no_error,
            is_at_the_end,
        ],
        [*_REASONS],
        _Reason.NONE,
    )
    is_wilson = reason >= _Reason.NO_ERROR
    if is_wilson.any() and not _is_proportion(metric, n_classes):
        is_wilson = np.zeros_like(is_wilson)
    if is_wilson.any():
        reason = np.where(is_wilson, _Reason.NONE, reason)
        wilson = _wilson_ends(values, spread.n_effective, level)
        low, high = (np.where(is_wilson, *ends) for ends in zip(wilson, (low, high), strict=True))
    low, high = (np.where(reason > 0, np.nan, end) for end in (low, high))
    return _Ends(low, high, is_wilson, reason)


def _is_proportion(metric: OrdinalMetric, n_classes: int) -> bool:
    """Return whether the value is the share of the samples that are right, or wrong."""
    # Costs that depend on the sizes would have the leading axis.
    costs = metric.cost_matrix(np.ones((1, n_classes)))
    return costs is not None and costs.ndim == 2 and bool(np.isin(costs, (0, 1)).all())


def _wilson_ends(share: Values, n_samples: Values, level: float) -> tuple[Values, Values]:
    """Return the ends of Wilson's interval of a proportion."""
    z = ndtri((1 + level) / 2)
    shrunk = 1 + z**2 / n_samples
    centre = (share + z**2 / (2 * n_samples)) / shrunk
    half_width = z / shrunk * np.sqrt(share * (1 - share) / n_samples + z**2 / (4 * n_samples**2))
    return np.maximum(centre - half_width, 0), np.minimum(centre + half_width, 1)
