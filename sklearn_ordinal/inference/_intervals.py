"""`Interval`, contrasts, and `delta_interval`: closed-form intervals, from influences."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from enum import IntEnum
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit, ndtri, stdtrit
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core import (
    catalogue,
    checks,
    counting,
    evidence_kinds,
    evidence_reading,
    lookup,
    tolerances,
)
from sklearn_ordinal._core.arithmetic import Values
from sklearn_ordinal._core.catalogue import IntervalScale, OrdinalMetric
from sklearn_ordinal._core.counting import SampleReadingOptions
from sklearn_ordinal._core.evidence_kinds import Kind
from sklearn_ordinal._core.influence_functions import EntryInfluences, Evidence
from sklearn_ordinal._core.lookup import ByMetric, MetricLike, MetricsLike, SeveralMetrics
from sklearn_ordinal._core.sampling import TrueClasses
from sklearn_ordinal._documents import formatting, json_files
from sklearn_ordinal._documents.document_parts import Column, Document, Note, Table
from sklearn_ordinal._documents.views import Views
from sklearn_ordinal.inference import _holm_correction
from sklearn_ordinal.inference._unit_moves import Design, Spread, t_pvalues

# An estimate with a confidence interval
# --------------------------------------


@dataclass(frozen=True, eq=False)
class Interval(Views):
    """An estimate with a confidence interval.

    Parameters
    ----------
    estimate : float
        Value on all data, in the unit of the metric.
    low : float
        Lower end of the interval.
    high : float
        Upper end of the interval.
    confidence_level : float
        Confidence level of the interval.
    n_undefined : int, default=0
        Number of resamples, or folds, for which the metric is undefined; they are left
        out.
    n_left_out : int or float, default=0
        Number, or weight, of the samples without a prediction that the metric leaves out.
    method : str, default=None
        How the interval was computed: "bca", "percentile" or "basic" for a bootstrap
        interval, "delta" or "wilson" for an interval in closed form, "beta" for an interval of a
        share from the beta distribution, "corrected t" for an interval of cross-validation scores,
        "shifted percentile" for an interval of `metric_coverage`, "prediction-powered" for an
        interval of `judge_assisted_interval`, "simultaneous delta" or "simultaneous beta" for an
        interval that compares groups; None if unknown.
    standard_error : float, default=None
        Standard error of the value, None if it was not computed.

    See Also
    --------
    bootstrap_interval : Compute the interval of a metric.
    delta_interval : Compute the interval of a metric without resampling.
    corrected_t_interval : Compute the interval of cross-validation scores.

    Examples
    --------
    >>> from sklearn_ordinal.inference import Interval
    >>> print(Interval(0.751, 0.702, 0.793, 0.95))
    0.751 (95% interval 0.702 to 0.793)
    """

    estimate: float
    low: float
    high: float
    confidence_level: float
    n_undefined: int = 0
    n_left_out: float = field(default=0, kw_only=True)
    method: str | None = field(default=None, kw_only=True)
    standard_error: float | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        # Intervals are also made of numbers of NumPy.
        for name in ("estimate", "low", "high", "confidence_level", "standard_error"):
            value = getattr(self, name)
            if type(value) is not float and value is not None:
                object.__setattr__(self, name, float(value))

    def __str__(self) -> str:
        return self._with_digits(3)

    def _with_digits(self, digits: int, sign: Literal["", "+"] = "") -> str:
        level, number = formatting.as_percent(self.confidence_level), f"{sign}z.{digits}f"
        interval = f"{level} interval {self.low:{number}} to {self.high:{number}}"
        if math.isnan(self.low):
            interval = f"no {level} interval{self._why_none()}"
        return f"{self.estimate:{number}} ({', '.join([interval, *self._remarks()])})"

    def _why_none(self) -> str:
        is_of_folds = self.method == "corrected t" and math.isfinite(self.estimate)
        return " from fewer than three folds" if is_of_folds else ""

    def _amounts_left_out(self) -> tuple[float, ...]:
        """Return the numbers, or weights, of the unanswered samples that are left out."""
        return (self.n_left_out,)

    def _unanswered_left_out(self) -> str:
        """Describe how many unanswered samples are left out; "" if there are none."""
        amounts = self._amounts_left_out()
        return (
            f"{' and '.join(map(formatting.amount_as_text, amounts))} unanswered left out"
            if any(amounts)
            else ""
        )

    def _remarks(self) -> list[str]:
        undefined = f"{self.n_undefined} undefined left out" if self.n_undefined else ""
        return list(filter(None, [undefined, self._unanswered_left_out()]))

    def _notes(self) -> tuple[Note, ...]:
        """Say how many samples the value leaves out, if any."""
        text = self._unanswered_left_out()
        return (Note(f"{text}."),) if text else ()

    def document(self) -> Document:
        """Build the document that all views are rendered from.

        Returns
        -------
        Document
            One table, and a note if unanswered samples are left out.
        """
        return Document("Interval", (self._table("estimate"), *self._notes()))

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as a dict.

        Returns
        -------
        dict
            Values of the attributes by name; undefined values are None.
        """
        numbers: dict[str, Any] = json_files.plain(asdict(self))
        return numbers

    def _records(self) -> list[dict[str, Any]]:
        return [asdict(self)]

    def _table(self, what: str, *columns: Column, cells: tuple[float, ...] = ()) -> Table:
        level = formatting.as_percent(self.confidence_level)
        return Table(
            f"{what.capitalize()} with {level} interval",
            (
                Column(what, "number", is_signed=what == "difference"),
                Column(f"{level} interval", "interval", is_signed=what == "difference"),
                Column("undefined", "number", digits=0),
                *columns,
            ),
            ((self.estimate, (self.low, self.high), self.n_undefined, *cells),),
        )


AnyInterval = TypeVar("AnyInterval", bound=Interval)
Bounds: TypeAlias = tuple[float, float]
_NO_BOUNDS = (-math.inf, math.inf)


# A contrast of values of different samples, with its interval and test
# ---------------------------------------------------------------------

_DIGITS = 3


def numbers_of(interval: Interval) -> dict[str, Any]:
    """Return the fields that all kinds of intervals have, to make one of another kind."""
    return {each.name: getattr(interval, each.name) for each in fields(Interval)}


@dataclass(frozen=True, eq=False)
class Contrast(Interval):
    """A weighted sum of values of groups of samples, whose weights add up to 0, and its test.

    The most common contrast is the difference between two groups.

    Parameters
    ----------
    estimate : float
        The contrast, in the unit of the metric.
    low : float
        Lower end of the interval.
    high : float
        Upper end of the interval.
    confidence_level : float
        Confidence level of the interval.
    n_undefined : int, default=0
        Number of resamples for which the contrast is undefined; they are left out.
    pvalue : float, default=nan
        Two-sided p-value of the test whether the contrast is 0; NaN without a test.
    adjusted_pvalue : float, default=nan
        The p-value, adjusted for all contrasts that are tested together with Holm's method; NaN if
        the contrast is tested alone.
    n_left_out : int or float, default=0
        Number, or weight, of the samples without a prediction, which the metric leaves out.
    method : str, default=None
        How the interval was computed, see `Interval`.
    standard_error : float, default=None
        Standard error of the contrast, None if it was not computed.

    Attributes
    ----------
    deciding_pvalue : float
        The adjusted p-value, or the p-value of a contrast that is tested alone.
    is_shown : bool
        Whether this p-value is at most 1 - confidence_level; False without a test.

    See Also
    --------
    sklearn_ordinal.report_change : Compare old samples with new samples.
    sklearn_ordinal.GroupReport.contrasts : Compare groups of samples.

    Examples
    --------
    >>> from sklearn_ordinal.inference._intervals import Contrast
    >>> print(Contrast(-0.048, -0.07, -0.026, 0.95, pvalue=0.0002))
    -0.048 (95% interval -0.070 to -0.026), p < 0.001
    """

    pvalue: float = float("nan")
    adjusted_pvalue: float = float("nan")

    @property
    def deciding_pvalue(self) -> float:
        """The adjusted p-value, or the p-value of a contrast that is tested alone."""
        return self.pvalue if math.isnan(self.adjusted_pvalue) else self.adjusted_pvalue

    @property
    def is_shown(self) -> bool:
        """Whether this p-value is at most 1 - confidence_level; False without a test."""
        return bool(_holm_correction.is_rejected(self.deciding_pvalue, self.confidence_level))

    def __str__(self) -> str:
        # A sign, as in tables.
        text = self._with_digits(digits_of_intervals([self], _DIGITS), "+")
        text = f"{text}, {formatting.pvalue_in_words(self.pvalue)}"
        if math.isnan(self.adjusted_pvalue):
            return text
        return f"{text}, adjusted {formatting.pvalue_in_words(self.adjusted_pvalue)}"

    def document(self) -> Document:
        """Build the document that all views are rendered from.

        Returns
        -------
        Document
            One table, and a note if unanswered samples are left out.
        """
        columns, cells = [Column("p", "pvalue")], [self.pvalue]
        if not math.isnan(self.adjusted_pvalue):
            columns.append(Column("adjusted p", "pvalue"))
            cells.append(self.adjusted_pvalue)
        table = self._table("difference", *columns, cells=tuple(cells))
        return Document(
            "Contrast", (table, *self._notes()), digits=digits_of_intervals([self], _DIGITS)
        )


_WHY_P = "it holds for smaller groups, and adjusted p for all groups together"


def notes_on_pvalues(contrasts: Iterable[Contrast], why: str = _WHY_P) -> list[str]:
    """Return a sentence if the p-value that decides and an interval say different things."""
    disagree = any(
        (contrast.low > 0 or contrast.high < 0) != contrast.is_shown
        for contrast in contrasts
        if not math.isnan(contrast.low + contrast.deciding_pvalue)
    )
    return [f"Where p and the interval disagree, p counts: {why}."] if disagree else []


def t_interval(
    estimates: Values | float,
    errors: Values | float,
    degrees: Values | float,
    level: float,
    bounds: Bounds = _NO_BOUNDS,
) -> tuple[Values, Values, Values]:
    """Return the ends of intervals of the t distribution within bounds, and the p-values.

    They are NaN if the estimate or its standard error is not known, or the standard error is 0.
    """
    pvalues = t_pvalues(estimates, errors, degrees)
    margins = np.where(np.isnan(pvalues), np.nan, stdtrit(degrees, (1 + level) / 2) * errors)
    low, high = (np.clip(estimates + sign * margins, *bounds) for sign in (-1, 1))
    return low, high, pvalues


def from_error(
    kind: type[AnyInterval],
    estimate: float,
    standard_error: float,
    degrees_of_freedom: float,
    level: float,
    bounds: Bounds = _NO_BOUNDS,
    *,
    pvalue: float | None = None,
    **facts: Any,
) -> AnyInterval:
    """Return an interval of the t distribution, with the p-value of the test if it has one.

    The p-value is of the same t statistic, unless one is given. The standard error and the p-value
    of an undefined estimate are NaN.
    """
    numbers = t_interval(estimate, standard_error, degrees_of_freedom, level, bounds)
    low, high, of_t = map(float, numbers)
    if math.isnan(estimate):
        standard_error = pvalue = math.nan
    if hasattr(kind, "pvalue"):
        facts["pvalue"] = of_t if pvalue is None else pvalue
    facts = {"method": "delta", "standard_error": standard_error, **facts}
    return kind(estimate, low, high, level, **facts)


def digits_of_intervals(intervals: Iterable[Interval], at_least: int) -> int:
    """Return the digits after the decimal point that the narrowest of some intervals needs.

    Half its width then has two digits that are not leading zeros.
    """
    half_widths = [(interval.high - interval.low) / 2 for interval in intervals]
    narrowest = min((half for half in half_widths if half > tolerances.HALF_WIDTH), default=1.0)
    return max(at_least, 1 - math.floor(math.log10(narrowest)))


# Closed-form intervals, from the influence of each sample
# --------------------------------------------------------

Intervals: TypeAlias = Interval | dict[Any, Interval]
"""The interval of some evidence, or of each part of a stack."""

# A warning names as many parts of a stack at most.
_MOST_NAMES = 3


class Reason(IntEnum):
    """Why the ends of an interval are undefined; the first that applies."""

    NONE = 0
    UNDEFINED = 1
    TOO_FEW = 2
    NO_DERIVATIVE = 3
    NO_ERROR = 4
    AT_THE_END = 5


_REASONS = {
    Reason.UNDEFINED: "the value is undefined",
    Reason.TOO_FEW: "fewer than two samples, or clusters, count; with strata, each needs two",
    Reason.NO_DERIVATIVE: "the value has no derivative for these counts, as at a tie of classes",
    Reason.NO_ERROR: "the standard error is 0, as for perfect predictions or equal systems",
    Reason.AT_THE_END: "the value is at the end of its range",
}


class _Options(SampleReadingOptions, total=False):
    """Keywords of `delta_interval`, for its overloads."""

    confidence_level: float


# Whether evidence is a stack cannot be told from its type. The other overloads are in the
# order of `bootstrap_interval`.
@overload
def delta_interval(
    y_true: Evidence,
    y_pred: None = None,
    metrics: MetricsLike = ...,
    **options: Unpack[_Options],
) -> Any: ...
@overload
def delta_interval(
    y_true: TrueClasses,
    y_pred: ArrayLike,
    metrics: Literal["cem_ord"] = ...,
    **options: Unpack[_Options],
) -> Interval: ...
@overload
def delta_interval(
    y_true: TrueClasses,
    y_pred: ArrayLike,
    metrics: Literal["all"] = ...,
    **options: Unpack[_Options],
) -> dict[str, Interval]: ...
@overload
def delta_interval(
    y_true: TrueClasses,
    y_pred: ArrayLike,
    metrics: MetricLike = ...,
    **options: Unpack[_Options],
) -> Interval: ...
@overload
def delta_interval(
    y_true: TrueClasses,
    y_pred: ArrayLike,
    metrics: SeveralMetrics = ...,
    **options: Unpack[_Options],
) -> dict[str, Interval]: ...
@counting.takes_reading(SampleReadingOptions)
def delta_interval(
    y_true: TrueClasses | Evidence,
    y_pred: ArrayLike | None = None,
    metrics: MetricsLike = "cem_ord",
    *,
    confidence_level: float = 0.95,
    **reading: Unpack[SampleReadingOptions],
) -> Interval | dict[Any, Any]:
    r"""Compute the confidence interval of a metric, or of several, in closed form.

    The standard error is computed from the influence :math:`\phi` of each sample, which
    `OrdinalMetric.influence` returns for the sample, or for its cell of the counts [1]_:

    .. math:: s^2 = \frac{m}{m - 1} \frac{\sum_g S_g^2}{W^2}, \qquad
        S_g = \sum_{k \in g} w_k \phi_k

    where :math:`g` are the units: the samples, the clusters or the items, :math:`m` is their
    number, :math:`w_k` the weight of a sample and :math:`W` the total weight. The interval is the
    value plus or minus quantiles of the t distribution times :math:`s`, on the scale that the
    metric records as ``interval_scale``: mostly the log-odds within the range of the metric, which
    for a range from -1 to 1 is Fisher's transformation. The notes have the degrees of freedom.

    Nothing is resampled, so the result needs no random numbers, and from counts it takes the same
    time for any number of samples. With ``strata=y_true``, the sizes of the classes are fixed, and
    the standard error of an area under the ROC curve is the one of DeLong and others [3]_.

    The user guide shows the coverage of every metric, and names those for which
    `bootstrap_interval` has better coverage.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_classes), ratings or evidence
        True classes; or soft labels, which are a distribution over the classes for each sample, or
        the grades of several raters as `OrdinalRatings`; or an `OrdinalConfusion`,
        `OrdinalForecasts` or `OrdinalScores`, or a stack of them, in place of `y_true`, `y_pred`
        and the reading options such as `labels`. Counts that are sums of weights must come with
        ``sample_counts`` and ``squared_weights``, as they do unless they were passed as counts.
    y_pred : array-like of shape (n_samples,) or (n_samples, n_classes), default=None
        Predictions in the form that the metrics take: classes, probabilities of the classes or
        scores; see `bootstrap_interval`.
    metrics : str, callable, iterable or dict of them, default="cem_ord"
        Anything that `get_metric` accepts, if it has influences: a name such as "cem_ord", a
        metric function, or a `functools.partial` of one with options; or "all" for all metrics
        of the package that take such predictions and have influences.
    **reading
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
        another metric is 0, or if the value is undefined, is at the end of its range, has no
        derivative or counts a single sample.

    Raises
    ------
    ValueError
        If the order of the classes is unknown, a metric has no influences, there are fewer than
        two samples or clusters, a stratum has fewer than two, a cluster has samples in several
        strata, or counts are sums of weights without the sums of squared weights.

    Warns
    -----
    UndefinedMetricWarning
        If the ends of an interval are undefined.

    See Also
    --------
    bootstrap_interval : Resample, for metrics without influences too.
    OrdinalMetric.influence : Compute the influence of each sample or cell.

    Notes
    -----
    With soft labels, the samples are the units: each class with a share of a sample is a row with
    the share as its weight, and the rows of a sample form a cluster. `clusters` contain whole
    samples. A mean over the samples, such as the accuracy or the ranked probability score, is the
    expected value over the grades. The value of any other metric, such as kappa, is computed from
    the expected counts, see `OrdinalConfusion.from_soft_labels`.

    Weights are taken as fixed numbers that belong to the samples. The weights that give the true
    classes fixed shares depend on the number of samples of each class, so that only the variation
    within the classes counts: the mean influence of the samples of a class is subtracted from
    :math:`\phi`. This happens if the counts come from `OrdinalConfusion.at_prevalence`. For the
    accuracy at the shares :math:`\pi_j` of classes with :math:`n_j` samples and sensitivities
    :math:`a_j`, :math:`s^2` is :math:`m / (m - 1)` times
    :math:`\sum_j \pi_j^2 a_j (1 - a_j) / n_j`.

    If a few units move the value much, the standard error is less certain than the number of units
    suggests. So the degrees of freedom come from the excess kurtosis :math:`\gamma` of what the
    :math:`m` units move the value, at least 0:

    .. math:: \nu = \frac{2}{\gamma / m + 2 / (m - 1)} - 2, \qquad
        \frac{1}{2} \Big(\frac{(\sum_g w_g^2)^2}{\sum_g w_g^4} - 1\Big) \le \nu \le m - 1

    This is Satterthwaite's approximation, except for the two degrees and the smallest number, which
    were chosen by simulation; :math:`w_g` is the weight of a unit. Strata have degrees of freedom
    of their own, which are combined as in Welch's test. Counts of weighted samples do not hold the
    fourth powers of the weights; their degrees of freedom are
    :math:`(\sum_k w_k)^2 / \sum_k w_k^2 - 1`.

    No degrees of freedom help where the samples do not show how uncertain the value is. In
    simulations (:doc:`/guide/uncertainty`), intervals of 30 samples of skewed classes contain the
    true quadratic weighted kappa in 92% of the data sets and the true macro-averaged mean absolute
    error in 81%; those of kappas of three raters and 20 such items in 82% to 91%. If the weights
    of 200 samples are log-normal, they contain the true values in 88% to 92%; if four samples have
    almost all the weight, in 64% to 79%.

    References
    ----------
    .. [1] F. R. Hampel (1974), "The influence curve and its role in robust estimation",
       Journal of the American Statistical Association 69(346),
       :doi:`10.1080/01621459.1974.10482962`.
    .. [2] E. B. Wilson (1927), "Probable inference, the law of succession, and statistical
       inference", Journal of the American Statistical Association 22(158),
       :doi:`10.1080/01621459.1927.10502953`.
    .. [3] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), "Comparing the areas under two
       or more correlated receiver operating characteristic curves", Biometrics 44(3),
       :doi:`10.2307/2531595`.

    Examples
    --------
    >>> from sklearn_ordinal.inference import delta_interval
    >>> y_true = [0, 1, 2, 2, 1, 0, 2, 1, 0, 2] * 10
    >>> y_pred = [0, 2, 2, 2, 1, 0, 1, 1, 0, 2] * 10
    >>> interval = delta_interval(y_true, y_pred, "cem_ord")
    >>> print(interval)
    0.876 (95% interval 0.817 to 0.918)
    >>> round(interval.standard_error, 4)
    0.0251

    From counts, for several criteria:

    >>> from sklearn_ordinal import OrdinalConfusion
    >>> confusion = OrdinalConfusion.from_counts([[30, 8, 2], [6, 70, 14], [1, 5, 14]])
    >>> for name, interval in delta_interval(confusion, metrics=["cem_ord", "accuracy"]).items():
    ...     print(name, interval)
    cem_ord 0.819 (95% interval 0.757 to 0.869)
    accuracy 0.760 (95% interval 0.684 to 0.822)

    Probabilities of the classes, from the lowest to the highest:

    >>> import numpy as np
    >>> y_proba = np.array([[0.7, 0.2, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6]])[y_pred]
    >>> print(delta_interval(y_true, y_proba, "ranked_probability_score"))
    0.197 (95% interval 0.172 to 0.226)
    """
    kinds = evidence_kinds.kinds_in(y_true if y_pred is None else y_pred)
    criteria = lookup.get_metrics(metrics, argument="metrics", kinds=kinds)
    if isinstance(metrics, str) and metrics == "all":
        criteria = [metric for metric in criteria if metric.has_influence is not False]
    check_have_influences(criteria, "pass it to bootstrap_interval")
    level = checks.check_share("confidence_level", confidence_level)
    evidence, design = _read(criteria, y_true, y_pred, reading)
    by_metric = named_intervals(criteria, evidence, design.spread, level)
    if lookup.is_several(metrics) or len(by_metric) > 1:
        return ByMetric(by_metric)
    return by_metric[criteria[0].name]


def check_have_influences(
    metrics: Sequence[OrdinalMetric], way_out: str, argument: str = "metrics"
) -> None:
    """Raise unless all metrics have influences, or may have them."""
    for metric in metrics:
        if metric.has_influence is False:
            raise ValueError(
                f"{argument} must have influences, which {metric.name} does not: {way_out}."
            )


def _read(
    metrics: Sequence[OrdinalMetric],
    y_true: Any,
    y_pred: Any,
    reading: SampleReadingOptions,
) -> tuple[Evidence, Design]:
    """Return the evidence, and how its samples were drawn."""
    if evidence_kinds.own_kind(y_true) is not None and evidence_reading.is_evidence(y_true, y_pred):
        # Ratings have no groups of items that could be clusters.
        clusters = reading.get("clusters") if hasattr(y_true, "groups") else None
        without = {**reading, "clusters": None} if clusters is not None else reading
        evidence_reading.check_nothing_beside(without, y_pred=y_pred)
        evidence_reading.check_metrics_take(y_true, metrics)
        if clusters is None:
            return y_true, _design(y_true)
        _check_are_clusters(y_true, clusters)
        pooled, drawn = evidence_kinds.kind_of(y_true).with_groups_as_clusters(y_true)
        return pooled, Design(None, drawn)
    evidence = evidence_reading.read_system(metrics, y_true, y_pred, reading)
    return evidence, _design(evidence)


def _design(evidence: Evidence) -> Design:
    kind, design = evidence_kinds.kind_of(evidence), design_of(evidence)
    if not kind.stack_shape(evidence):
        checks.check_n_units(kind.truth, design.n_units)
    return design


def design_of(evidence: Evidence) -> Design:
    """Return how the samples of evidence were drawn: one by one, or in its clusters and strata."""
    kind = evidence_kinds.kind_of(evidence)
    if kind.has_design(evidence):
        return Design(None, kind.drawn([evidence]))
    return Design(kind.entry_amounts(evidence))


def _check_are_clusters(stack: Any, clusters: Any) -> None:
    """Raise unless the clusters are the groups of a stack."""
    kind = evidence_kinds.kind_of(stack)
    # The characters of a string may be the names of groups.
    is_list = hasattr(clusters, "__iter__") and not isinstance(clusters, str | bytes)
    names = list(clusters) if is_list else None
    if len(kind.stack_shape(stack)) != 1 or not stack.groups or names != list(stack.groups):
        raise ValueError(
            f"clusters of evidence must be the groups of a stack, each of which is a cluster, "
            f"as in delta_interval(stack, clusters=stack.groups), got {checks.shown(clusters)}."
        )
    if kind.has_design(stack):
        raise ValueError(
            "clusters must be left out if the evidence holds the clusters or strata of its samples."
        )
    checks.check_n_units("clusters", len(names))


def metrics_by_kind(
    metrics: Sequence[OrdinalMetric], evidence: Evidence
) -> list[tuple[Kind, list[OrdinalMetric]]]:
    """Return the metrics by their kind, and by the samples, or items, that they count."""
    has_unanswered = evidence_kinds.kind_of(evidence).unanswered(evidence) is not None
    batches: dict[tuple[Kind, bool, bool, bool, str], list[OrdinalMetric]] = {}
    for metric in metrics:
        counts_unanswered = has_unanswered and metric.counts_unanswered
        # Shares of some of the samples are evaluated one by one.
        share = "" if metric.share_of is None else metric.name
        needs = bool(metric.needs_complete_items), bool(metric.needs_pairable_items)
        key = metric.evidence, counts_unanswered, *needs, share
        batches.setdefault(key, []).append(metric)
    return [(kind, batch) for (kind, *_), batch in batches.items()]


def _unanswered_left_out(batch: Sequence[OrdinalMetric], evidence: Evidence) -> NDArray[Any]:
    """Return the number, or weight, of unanswered samples that metrics leave out, by part."""
    kind = evidence_kinds.kind_of(evidence)
    unanswered = kind.unanswered(evidence)
    if unanswered is None or batch[0].counts_unanswered:
        return np.zeros(kind.stack_shape(evidence), dtype=np.int64)
    return unanswered if evidence.is_weighted else unanswered.astype(np.int64)


def named_intervals(
    metrics: Sequence[OrdinalMetric],
    evidence: Evidence,
    spread_of: Callable[[EntryInfluences], Spread],
    level: float,
) -> dict[str, Intervals]:
    """Return the interval of each metric by name; for a stack, the intervals of its parts."""
    stack, keys = evidence_kinds.kind_of(evidence).stack_shape(evidence), _part_names(evidence)
    by_metric: dict[str, Intervals] = {}
    reasons_by_metric: dict[str, list[int]] = {}
    for kind, batch in metrics_by_kind(metrics, evidence):
        by_entry = kind.entry_influences(batch, kind.accepted(evidence, batch[0].name))
        values = with_replacements(batch, by_entry.values)
        spread = spread_of(by_entry)
        ends = delta_ends(batch, values, spread, level, len(evidence.scale))
        n_left_out = _unanswered_left_out(batch, evidence)
        intervals = ends.intervals(values, spread.standard_error, level, n_left_out)
        for k, metric in enumerate(batch):
            by_part = intervals[k * len(keys) : (k + 1) * len(keys)]
            by_metric[metric.name] = dict(zip(keys, by_part, strict=True)) if stack else by_part[0]
        for k in np.flatnonzero(ends.reason.reshape(len(batch), -1).any(axis=-1)).tolist():
            reasons_by_metric[batch[k].name] = ends.reason[k].ravel().tolist()
    names = [metric.name for metric in metrics]
    reasons: dict[Reason, list[str]] = {}
    for name in filter(reasons_by_metric.__contains__, names):
        reason_by_part = reasons_by_metric[name]
        for reason in map(Reason, sorted({*reason_by_part} - {Reason.NONE})):
            affected = [key for key, why in zip(keys, reason_by_part, strict=True) if why == reason]
            parts = f" of {_listed_parts(affected)}" if stack else ""
            reasons.setdefault(reason, []).append(f"{name}{parts}")
    _warn_about_ends(reasons, "bootstrap_interval needs no derivative.")
    return {name: by_metric[name] for name in names}


def with_replacements(metrics: Sequence[OrdinalMetric], values: Values) -> Values:
    """Return the values, with undefined values replaced as the options of their metrics say."""
    if not np.isnan(values).any():
        return values
    replaced = [
        catalogue.replace_undefined(metric, value)
        for metric, value in zip(metrics, values, strict=True)
    ]
    return np.array(replaced)


def rounding_error(values: Values, n_samples: Values) -> Values:
    """Return the standard error of values whose influences are 0, except for rounding errors."""
    return tolerances.ZERO_SPREAD * np.maximum(1, np.abs(values)) / np.sqrt(n_samples)


def _warn_about_ends(reasons: Mapping[Reason, Sequence[str]], without_derivative: str) -> None:
    """Warn about intervals whose ends are undefined, with the metrics by the reason."""
    if reasons:
        text = "; ".join(f"{_REASONS[why]} ({', '.join(reasons[why])})" for why in reasons)
        way_out = without_derivative if Reason.NO_DERIVATIVE in reasons else ""
        if Reason.NO_ERROR in reasons and not way_out:
            way_out = "Evaluate more samples, and pass labels= with all classes if only one occurs."
        checks.warn_caller(
            f"There is no interval: {text}.", UndefinedMetricWarning, way_out=way_out
        )


def warn_about_missing_ends(reasons: Mapping[str, int], without_derivative: str = "") -> None:
    """Warn about intervals without ends, given the `reason` of each from `delta_ends`.

    If a value has no derivative, `without_derivative` says what needs none.
    """
    titles: dict[Reason, list[str]] = {}
    for title, reason in reasons.items():
        if reason:
            titles.setdefault(Reason(reason), []).append(title)
    _warn_about_ends(titles, without_derivative)


def _listed_parts(keys: Sequence[Any]) -> str:
    """Return the names of a few parts of a stack, or else their number."""
    return (
        f"{len(keys):,} parts"
        if len(keys) > _MOST_NAMES
        else formatting.names_in_words(list(map(str, keys)))
    )


def _part_names(evidence: Any) -> list[Any]:
    """Return the group, or else the position, of each part of a stack."""
    stack = evidence_kinds.kind_of(evidence).stack_shape(evidence)
    positions = list(np.ndindex(stack))
    if not stack:
        return positions
    if len(stack) == 1:
        return list(evidence.groups or range(stack[0]))
    if evidence.groups:
        return [(evidence.groups[first], *others) for first, *others in positions]
    return positions


class Ends(NamedTuple):
    """The ends of the intervals of values, all of the shape of the values."""

    low: Values
    high: Values
    is_wilson: NDArray[np.bool_]
    reason: NDArray[np.int64]
    """Why the ends are undefined, a `Reason`."""

    def intervals(
        self, values: Values, errors: Values, level: float, n_left_out: ArrayLike = 0
    ) -> list[Interval]:
        """Return the intervals of the values, in the order of the flattened array."""
        columns = np.broadcast_arrays(values, *self[:3], errors, n_left_out)
        return [
            Interval(
                value,
                low,
                high,
                level,
                n_left_out=amount,
                method="wilson" if is_wilson else "delta",
                standard_error=error,
            )
            for value, low, high, is_wilson, error, amount in zip(
                *(column.ravel().tolist() for column in columns), strict=True
            )
        ]


@np.errstate(all="ignore")
def delta_ends(
    metrics: Sequence[OrdinalMetric], values: Values, spread: Spread, level: float, n_classes: int
) -> Ends:
    """Return the ends of the interval of each value, which have shape (n_metrics, ...).

    The spread has this shape, or that of the values of each metric.
    """
    half_width = stdtrit(spread.degrees_of_freedom, (1 + level) / 2) * spread.standard_error
    half_width = np.broadcast_to(half_width, values.shape)
    low, high = np.empty((2, *values.shape))
    is_at_the_end = np.zeros(values.shape, dtype=np.bool_)
    bounds = np.array([metric.bounds(n_classes) for metric in metrics])
    # Metrics with the same transformation are transformed together.
    rows_by_case: dict[tuple[IntervalScale, bool, bool], list[int]] = {}
    is_bounded = np.isfinite(bounds).tolist()
    for k, (metric, (has_lowest, has_highest)) in enumerate(zip(metrics, is_bounded, strict=True)):
        scale = metric.interval_scale if has_lowest or has_highest else "linear"
        rows_by_case.setdefault((scale, has_lowest, has_highest), []).append(k)
    for (scale, *_), rows in rows_by_case.items():
        limits = bounds[rows].T.reshape(2, -1, *[1] * (values.ndim - 1))
        value, half = values[rows], half_width[rows]
        if scale == "linear":
            low[rows] = np.maximum(value - half, limits[0])
            high[rows] = np.minimum(value + half, limits[1])
        else:
            low[rows], high[rows] = _transformed_ends(value, half, *limits)
            if scale == "fisher":
                ends = _transformed_ends(value, half, np.asarray(-1.0), limits[1])
                is_above = value > -1
                low[rows], high[rows] = (
                    np.where(is_above, new, old)
                    for new, old in zip(ends, (low[rows], high[rows]), strict=True)
                )
            distance = np.minimum(value - limits[0], limits[1] - value)
            is_at_the_end[rows] = distance <= tolerances.AT_THE_END * np.maximum(1, np.abs(value))
    has_no_error = spread.standard_error <= rounding_error(values, spread.n_effective)
    conditions = {
        Reason.UNDEFINED: ~np.isfinite(values),
        Reason.TOO_FEW: spread.degrees_of_freedom < 1,
        Reason.NO_DERIVATIVE: np.isnan(spread.standard_error),
        Reason.NO_ERROR: has_no_error,
        Reason.AT_THE_END: is_at_the_end,
    }
    reason = np.full(values.shape, Reason.NONE, dtype=np.int64)
    for why, applies in reversed(conditions.items()):
        np.copyto(reason, why, where=applies)
    is_wilson = reason >= Reason.NO_ERROR
    if is_wilson.any():
        for k in np.flatnonzero(is_wilson.reshape(len(metrics), -1).any(axis=-1)).tolist():
            is_wilson[k] &= is_proportion(metrics[k], n_classes)
        reason = np.where(is_wilson, Reason.NONE, reason)
        wilson = _wilson_ends(values, spread.n_effective, level)
        low, high = (np.where(is_wilson, *ends) for ends in zip(wilson, (low, high), strict=True))
    low, high = (np.where(reason > 0, np.nan, end) for end in (low, high))
    return Ends(low, high, is_wilson, reason)


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


def mean_of_values(
    metric: OrdinalMetric, values: Values, weights: Values, n_classes: int
) -> tuple[Values, Values]:
    """Return the mean over the first axis, and its derivatives by the values: (n_values, ...).

    Kappas and correlations are averaged as Fisher's z. The mean is NaN if a z is infinite.
    """
    weights = weights.reshape(-1, *[1] * (values.ndim - 1))
    values = np.where(weights > 0, values, 0)
    has_z = metric.interval_scale == "fisher" or (
        metric.bounds(n_classes) == (-1, 1) and metric.greater_is_better is not None
    )
    if not has_z:
        return (weights * values).sum(axis=0), np.broadcast_to(weights, values.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.tanh((weights * np.arctanh(values)).sum(axis=0))
        mean = np.where((np.abs(values) < 1).all(axis=0), mean, np.nan)
        return mean, weights * (1 - mean**2) / (1 - values**2)


def is_proportion(metric: OrdinalMetric, n_classes: int) -> bool:
    """Return whether the value is the share of the samples that are right, or wrong."""
    if metric.share_of is not None:
        return True
    # Costs that depend on the sizes would have the leading axis.
    costs = metric.cost_matrix(np.ones((1, n_classes)))
    return costs is not None and costs.ndim == 2 and bool(np.isin(costs, (0, 1)).all())


def _wilson_ends(share: Values, n_samples: Values, level: float) -> tuple[Values, Values]:
    """Return the ends of Wilson's interval of a proportion."""
    z = ndtri((1 + level) / 2)
    shrunk = 1 + z**2 / n_samples
    centre = (share + z**2 / (2 * n_samples)) / shrunk
    half_width = z / shrunk * np.sqrt(share * (1 - share) / n_samples + z**2 / (4 * n_samples**2))
    # Shares of 0 and 1 are ends of their interval, which rounding may move to their other side.
    low = np.minimum(np.maximum(centre - half_width, 0), share)
    return low, np.maximum(np.minimum(centre + half_width, 1), share)
