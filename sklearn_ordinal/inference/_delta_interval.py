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
    EntryInfluences,
    MetricLike,
    MetricsLike,
    OrdinalConfusion,
    OrdinalMetric,
    SampleReadingOptions,
    SeveralMetrics,
    Values,
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
    replace_undefined,
    samples_counted_in,
    shown,
    takes_reading,
    warn_caller,
)
from sklearn_ordinal.inference._interval import Interval

Intervals: TypeAlias = Interval | dict[Any, Interval]
"""The interval of a matrix, or of each matrix of a stack."""

# Influences that are all 0 have rounding errors up to this size, relative to values of size 1.
_ROUNDING = 1e-10
# Rounding errors may move a value from the end of its range by this distance.
_AT_THE_END = 1e-14
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
    Weights are taken as fixed numbers that belong to the samples. The weights that give the true
    classes fixed shares depend on the number of samples of each class, so that only the variation
    within the classes counts: the mean influence of the samples of a class is subtracted from
    :math:`\phi`. This happens if the counts come from `OrdinalConfusion.at_prevalence`. For the
    accuracy at the shares :math:`\pi_j` of classes with :math:`n_j` samples, of which
    a share of :math:`a_j` is right, :math:`s^2` is :math:`m / (m - 1)` times
    :math:`\sum_j \pi_j^2 a_j (1 - a_j) / n_j`.

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
    """Of shape (n_metrics, ...)."""
    degrees_of_freedom: Values
    n_effective: Values
    """Number of samples of equal weight, drawn one by one, that say as much about a proportion."""


class Design(Protocol):
    """How the samples were drawn."""

    def spread(self, by_entry: EntryInfluences) -> Spread:
        """Return the standard errors of the values with these influences."""


@dataclass(frozen=True, eq=False)
class SingleSamples:
    """Samples that were drawn one by one, in the entries of evidence or of a stack.

    Parameters
    ----------
    weights : ndarray of shape (..., n_entries)
        Weight of the samples in each entry.
    numbers : ndarray of shape (..., n_entries)
        Number of these samples.
    squares : ndarray of shape (..., n_entries)
        Sum of their squared weights.
    """

    weights: Values
    numbers: Values
    squares: Values

    def spread(self, by_entry: EntryInfluences) -> Spread:
        """Return the standard errors of the values of each part of a stack."""
        weight, number, squares = (
            np.where(by_entry.is_counted, amounts, 0).sum(axis=-1)
            for amounts in (self.weights, self.numbers, self.squares)
        )
        # Entries without samples may have no influence.
        squared = np.where(self.numbers > 0, self.squares * by_entry.influences**2, 0)
        variance = divide(squared.sum(axis=-1), weight**2) * divide(number, number - 1)
        return Spread(np.sqrt(variance), number - 1, divide(weight**2, squares))


@dataclass(frozen=True, eq=False)
class SampledUnits:
    """Samples, or clusters of samples, that were drawn from one stratum or from several.

    Parameters
    ----------
    entry : ndarray of shape (n_samples,)
        Entry of the evidence that holds the sample.
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

    entry: NDArray[np.intp]
    weight: Values
    unit: NDArray[np.intp]
    stratum: NDArray[np.intp]
    strata: tuple[Any, ...]
    noun: str

    def spread(self, by_entry: EntryInfluences) -> Spread:
        """Return the standard errors of the values of all samples."""
        n_units, is_counted = len(self.stratum), by_entry.is_counted[self.entry]
        entry, unit, weight = self.entry[is_counted], self.unit[is_counted], self.weight[is_counted]
        weights = np.bincount(unit, weight, n_units)
        occurs = weights > 0
        stratum = self.stratum[occurs]
        sizes = np.bincount(stratum, minlength=len(self.strata))
        for alone in np.flatnonzero(sizes == 1):
            raise ValueError(
                f"strata must have at least two {self.noun} each, got one in stratum "
                f"{self.strata[alone]!r}: merge it with a similar stratum."
            )
        variances = [
            _total_variance(np.bincount(unit, weight * influence, n_units)[occurs], stratum, sizes)
            for influence in by_entry.influences[:, entry]
        ]
        degrees = sizes.sum() - np.count_nonzero(sizes)
        n_effective = weights.sum() ** 2 / (weights**2).sum()
        error = np.sqrt(variances) / weight.sum()
        return Spread(error, np.asarray(degrees), np.asarray(n_effective))


def _total_variance(
    sums: NDArray[Any], stratum: NDArray[np.intp], sizes: NDArray[np.intp]
) -> float:
    """Return the variance of the total over all units, given the sum of each unit."""
    means = divide(np.bincount(stratum, sums, len(sizes)), sizes)
    squares = np.bincount(stratum, (sums - means[stratum]) ** 2, len(sizes))
    return float(np.nansum(squares * divide(sizes, sizes - 1)))


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
    amounts = LABELS.entry_amounts(confusion)
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
    n_samples = len(samples.weight)
    unit = np.arange(n_samples) if samples.cluster is None else samples.cluster.astype(np.intp)
    n_units = int(unit.max()) + 1
    check_n_units("y_true" if samples.cluster is None else "clusters", n_units)
    strata = np.zeros(n_units, dtype=np.intp)
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
        _cell_entries(samples)[0],
        samples.weight,
        unit,
        strata,
        names or ("",),
        "samples" if samples.cluster is None else "clusters",
    )


def _cell_entries(samples: CountedSamples) -> NDArray[np.intp]:
    """Return the entry of each sample in the matrix of each system: (n_systems, n_samples)."""
    n_classes = len(samples.scale)
    true, predicted = np.divmod(samples.cells, samples.n_columns)
    return true * (n_classes + 1) + np.minimum(predicted, n_classes)


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
    n_units, n_classes = stack.counts.shape[:2]
    unanswered = np.zeros((n_units, n_classes)) if stack.unanswered is None else stack.unanswered
    cells = np.concatenate([stack.counts, unanswered[..., None]], axis=-1, dtype=np.float64)
    weights = cells.reshape(n_units, -1)
    unit, entry = np.nonzero(weights)
    in_one_stratum = np.zeros(n_units, dtype=np.intp)
    design = SampledUnits(entry, weights[unit, entry], unit, in_one_stratum, ("",), "clusters")
    return stack.pooled(), design


def _batches(
    metrics: Sequence[OrdinalMetric], confusion: OrdinalConfusion
) -> list[list[OrdinalMetric]]:
    """Return the metrics that count unanswered samples, and those that leave them out."""
    if confusion.unanswered is None:
        return [list(metrics)]
    batches: dict[bool, list[OrdinalMetric]] = {}
    for metric in metrics:
        batches.setdefault(metric.counts_unanswered, []).append(metric)
    return list(batches.values())


def _intervals(
    metrics: Sequence[OrdinalMetric], confusion: OrdinalConfusion, design: Design, level: float
) -> dict[str, Intervals]:
    """Return the interval of each metric by name; for a stack, the intervals of its matrices."""
    stack, keys = confusion.counts.shape[:-2], _matrix_names(confusion)
    by_metric: dict[str, Intervals] = {}
    reasons_by_metric: dict[str, list[int]] = {}
    for batch in _batches(metrics, confusion):
        by_entry = LABELS.entry_influences(batch, confusion)
        values = _with_replacements(batch, by_entry.values)
        if confusion.has_fixed_shares:
            weights = LABELS.entry_amounts(confusion)[0]  # type: ignore[index]
            within = within_classes(by_entry.influences, weights, len(confusion.scale))
            by_entry = by_entry._replace(influences=within)
        spread = design.spread(by_entry)
        ends = delta_ends(batch, values, spread, level, len(confusion.scale))
        left_out = np.zeros(stack)
        if confusion.unanswered is not None and not batch[0].counts_unanswered:
            left_out = confusion.unanswered.sum(axis=-1)
        n_left_out = left_out.ravel().tolist()
        columns = (values, ends.low, ends.high, spread.standard_error, ends.is_wilson, ends.reason)
        by_column = (column.reshape(len(batch), -1).tolist() for column in columns)
        for metric, *numbers, reason_by_matrix in zip(batch, *by_column, strict=True):
            intervals = [
                Interval(
                    value,
                    low,
                    high,
                    level,
                    n_left_out=left_out_here,
                    method="wilson" if is_wilson else "delta",
                    standard_error=error,
                )
                for value, low, high, error, is_wilson, left_out_here in zip(
                    *numbers, n_left_out, strict=True
                )
            ]
            by_metric[metric.name] = (
                dict(zip(keys, intervals, strict=True)) if stack else intervals[0]
            )
            reasons_by_metric[metric.name] = reason_by_matrix
    names = [metric.name for metric in metrics]
    reasons: dict[_Reason, list[str]] = {}
    for name in names:
        by_matrix = reasons_by_metric[name]
        for reason in map(_Reason, sorted({*by_matrix} - {_Reason.NONE})):
            affected = [key for key, why in zip(keys, by_matrix, strict=True) if why == reason]
            matrices = f" of {_listed_matrices(affected)}" if stack else ""
            reasons.setdefault(reason, []).append(f"{name}{matrices}")
    _warn_about_ends(reasons, "bootstrap_interval needs no derivative.")
    return {name: by_metric[name] for name in names}


def within_classes(influences: Values, weights: Values, n_classes: int) -> Values:
    """Return influences if the true classes have fixed shares: minus the means of the classes.

    The factor of a class depends on the number of all its samples, so unanswered samples that a
    metric leaves out have an influence too.

    Parameters
    ----------
    influences : ndarray of shape (..., n_entries)
        Influence of a sample in each entry of the counts.
    weights : ndarray of shape (..., n_entries)
        Weight of the samples in each entry.
    n_classes : int
        Number of classes.
    """
    by_class = influences.reshape(*influences.shape[:-1], n_classes, -1)
    weights = weights.reshape(*weights.shape[:-1], n_classes, -1)
    means = divide((weights * by_class).sum(axis=-1), weights.sum(axis=-1))
    return (by_class - means[..., None]).reshape(influences.shape)


def _with_replacements(metrics: Sequence[OrdinalMetric], values: Values) -> Values:
    """Return the values, with undefined values replaced as the options of their metrics say."""
    if not np.isnan(values).any():
        return values
    replaced = [
        replace_undefined(metric, value) for metric, value in zip(metrics, values, strict=True)
    ]
    return np.array(replaced)


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
    by_metric: dict[str, tuple[Interval, float, _Reason]] = {}
    for batch in _batches(metrics, systems):
        by_entry = LABELS.entry_influences(batch, systems)
        values = _with_replacements(batch, by_entry.values)
        errors = _difference_errors(samples, by_entry, n_units)
        for metric, (first, second), error in zip(batch, values, errors.tolist(), strict=True):
            low = high = pvalue = math.nan
            reason = _difference_reason(first, second, error, n_units)
            if not reason:
                margin = stdtrit(n_units - 1, (1 + level) / 2) * error
                lowest, highest = metric.bounds(len(systems.scale))
                width = highest - lowest
                ends = [first - second - margin, first - second + margin]
                low, high = np.clip(ends, -width, width)
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
            by_metric[metric.name] = interval, float(pvalue), reason
    reasons: dict[_Reason, list[str]] = {}
    for metric in metrics:
        _, _, reason = by_metric[metric.name]
        if reason:
            reasons.setdefault(reason, []).append(metric.name)
    _warn_about_ends(reasons, "method='percentile' needs no derivative.")
    differences = {metric.name: by_metric[metric.name][0] for metric in metrics}
    return differences, np.array([by_metric[metric.name][1] for metric in metrics])


def _difference_errors(
    samples: CountedSamples, by_entry: EntryInfluences, n_units: int
) -> NDArray[np.float64]:
    """Return the standard error of the difference of the values of two systems, by metric."""
    entries = _cell_entries(samples)
    is_counted = by_entry.is_counted[entries]
    # The influence on the share of the weight that counts, which differs if a system leaves
    # unanswered samples out.
    total = (samples.weight * is_counted).sum(axis=-1, keepdims=True)
    shares = samples.weight * is_counted / total
    errors = np.empty(len(by_entry.values))
    for k, (first, second) in enumerate(by_entry.influences):
        moved = shares[0] * first[entries[0]] - shares[1] * second[entries[1]]
        if samples.cluster is not None:
            moved = np.bincount(samples.cluster, moved, n_units)
        errors[k] = np.sqrt(n_units / (n_units - 1) * (moved**2).sum())
    return errors


def _difference_reason(first: float, second: float, error: float, n_units: int) -> _Reason:
    """Return why a difference has no interval."""
    if not math.isfinite(first - second):
        return _Reason.UNDEFINED
    if math.isnan(error):
        return _Reason.NO_DERIVATIVE
    rounding = _rounding_error(np.maximum(abs(first), abs(second)), np.asarray(n_units))
    return _Reason.NO_ERROR if error <= rounding else _Reason.NONE


def _rounding_error(values: Values, n_samples: Values) -> Values:
    """Return the standard error of values whose influences are 0, except for rounding errors."""
    return _ROUNDING * np.maximum(1, np.abs(values)) / np.sqrt(n_samples)


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
def delta_ends(
    metrics: Sequence[OrdinalMetric], values: Values, spread: Spread, level: float, n_classes: int
) -> _Ends:
    """Return the ends of the interval of each value, which have shape (n_metrics, ...)."""
    half_width = stdtrit(spread.degrees_of_freedom, (1 + level) / 2) * spread.standard_error
    low, high = np.empty((2, *values.shape))
    is_at_the_end = np.zeros(values.shape, dtype=np.bool_)
    bounds = np.array([metric.bounds(n_classes) for metric in metrics])
    # Metrics with the same transformation are transformed together.
    rows_by_case: dict[tuple[bool, ...], list[int]] = {}
    for k, metric in enumerate(metrics):
        is_bounded = [math.isfinite(bound) for bound in bounds[k]]
        is_linear = metric.interval_scale == "linear" or not any(is_bounded)
        rows_by_case.setdefault((is_linear, *is_bounded), []).append(k)
    for (is_linear, *_), rows in rows_by_case.items():
        limits = bounds[rows].T.reshape(2, -1, *[1] * (values.ndim - 1))
        value, half = values[rows], half_width[rows]
        if is_linear:
            low[rows], high[rows] = (np.clip(value + sign * half, *limits) for sign in (-1, 1))
        else:
            low[rows], high[rows] = _transformed_ends(value, half, *limits)
            distance = np.minimum(value - limits[0], limits[1] - value)
            is_at_the_end[rows] = distance <= _AT_THE_END * np.maximum(1, np.abs(value))
    has_no_error = spread.standard_error <= _rounding_error(values, spread.n_effective)
    reason = np.select(
        [
            ~np.isfinite(values),
            np.broadcast_to(spread.degrees_of_freedom < 1, values.shape),
            np.isnan(spread.standard_error),
            has_no_error,
            is_at_the_end,
        ],
        [*_REASONS],
        _Reason.NONE,
    )
    is_wilson = reason >= _Reason.NO_ERROR
    if is_wilson.any():
        for k in np.flatnonzero(is_wilson.reshape(len(metrics), -1).any(axis=-1)).tolist():
            is_wilson[k] &= _is_proportion(metrics[k], n_classes)
        reason = np.where(is_wilson, _Reason.NONE, reason)
        wilson = _wilson_ends(values, spread.n_effective, level)
        low, high = (np.where(is_wilson, *ends) for ends in zip(wilson, (low, high), strict=True))
    low, high = (np.where(reason > 0, np.nan, end) for end in (low, high))
    return _Ends(low, high, is_wilson, reason)


def _transformed_ends(
    values: Values, half_width: Values, lowest: Values, highest: Values
) -> tuple[Values, Values]:
    """Return ends that are symmetric in the log-odds of the value within its range.

    If the range has only one end, they are symmetric in the logarithm of the distance to it.
    """
    below, above = values - lowest, highest - values
    if np.isinf(lowest).any():
        factor = np.exp(half_width / above)
        return highest - above * factor, highest - above / factor
    if np.isinf(highest).any():
        factor = np.exp(half_width / below)
        return lowest + below / factor, lowest + below * factor
    width = highest - lowest
    centre, margin = logit(below / width), half_width * width / (below * above)
    return lowest + width * expit(centre - margin), lowest + width * expit(centre + margin)


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
