"""Differences between systems on the same samples, their tests, and a margin for them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Unpack, cast, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtr, ndtri

from sklearn_ordinal._core import (
    arithmetic,
    checks,
    counting,
    evidence_kinds,
    evidence_reading,
    lookup,
    tolerances,
)
from sklearn_ordinal._core.arithmetic import Values
from sklearn_ordinal._core.catalogue import IntervalMethod, OrdinalMetric
from sklearn_ordinal._core.checks import RandomState
from sklearn_ordinal._core.counting import SampleReadingOptions
from sklearn_ordinal._core.evidence_reading import RatingsPair, SystemsEvidence
from sklearn_ordinal._core.grading import OrdinalRatings
from sklearn_ordinal._core.influence_functions import EntryInfluences, Evidence
from sklearn_ordinal._core.lookup import ByMetric, MetricLike, MetricsLike, SeveralMetrics
from sklearn_ordinal._core.resampling import Resampling
from sklearn_ordinal._core.sampling import TrueClasses
from sklearn_ordinal._core.scales import IntegerArray
from sklearn_ordinal._documents import formatting
from sklearn_ordinal._documents.document_parts import Column, Document, Note
from sklearn_ordinal.inference import _bootstrap, _intervals
from sklearn_ordinal.inference._bootstrap import ResamplingOptions
from sklearn_ordinal.inference._intervals import Contrast, Interval, Reason
from sklearn_ordinal.inference._unit_moves import Design, Moves, Spread, t_pvalues

# Systems on the same samples in closed form, and the tests of pairs of them
# --------------------------------------------------------------------------

# With fewer samples on which systems differ, the t-test finds differences too often.
FEW_UNITS = 10
# A stack of moves of pairs with this many numbers fits in the CPU cache.
_NUMBERS_PER_STACK = 2**18


class SystemsValue(NamedTuple):
    """The values of a metric for systems on the same samples, and what moves them."""

    metric: OrdinalMetric
    values: Values
    """Of shape (n_systems,)."""
    moves: Moves
    """Moves of values (n_systems,) by the samples or clusters."""
    spread: Spread
    """Of the value of each system alone, as in `delta_interval`: (n_systems,)."""
    n_classes: int
    are_signs: bool
    """Whether each unit is one sample, which counts once as right or wrong."""


def values_of_systems(
    metrics: Sequence[OrdinalMetric], systems: SystemsEvidence | RatingsPair
) -> Iterator[SystemsValue]:
    """Yield the values of each metric, and how far the samples or clusters move them."""
    # One confusion matrix holds the counts of all systems.
    parts = list(systems) if isinstance(systems, tuple) else [systems]
    drawn, n_classes = evidence_kinds.drawn_samples(systems), len(parts[0].scale)
    for kind, batch in _intervals.metrics_by_kind(metrics, parts[0]):
        of_parts = [kind.entry_influences(batch, kind.accepted(p, batch[0].name)) for p in parts]
        spreads = [
            _intervals.design_of(part).spread(of_part)
            for part, of_part in zip(parts, of_parts, strict=True)
        ]
        by_entry, spread = of_parts[0], spreads[0]
        if isinstance(systems, tuple):
            values, influences, is_counted = zip(*of_parts, strict=True)
            by_entry = EntryInfluences(
                np.stack(values, axis=1), np.stack(influences, axis=1), np.stack(is_counted)
            )
            spread = Spread(*(np.stack(column, axis=1) for column in zip(*spreads, strict=True)))
        all_values = _intervals.with_replacements(batch, by_entry.values)
        for k, metric in enumerate(batch):
            # Many systems have many moves: compute those of one metric at a time.
            moves = Design(None, drawn).moves(by_entry.influences[k : k + 1], by_entry.is_counted)
            weights = np.where(moves.is_counted, moves.amounts.weights, 1)
            yield SystemsValue(
                metric,
                all_values[k],
                moves._replace(by_row=moves.by_row[0]),
                Spread(*(column[k] for column in spread)),
                n_classes,
                drawn.cluster is None
                and not getattr(parts[0], "has_fixed_shares", False)
                and weights.ndim == 1
                and bool((weights == 1).all())
                and _intervals.is_proportion(metric, n_classes),
            )


class ComparedPairs(NamedTuple):
    """Differences of pairs of systems on the same samples, each of shape (n_pairs,)."""

    difference: Values
    standard_error: Values
    """0 if all units move the difference alike, up to rounding errors."""
    degrees_of_freedom: Values
    pvalue: Values
    is_exact: NDArray[np.bool_]
    """Whether the p-value is that of the exact sign test."""


@np.errstate(divide="ignore", invalid="ignore")
def compare_pairs(
    systems: SystemsValue, first: IntegerArray, second: IntegerArray
) -> ComparedPairs:
    """Test pairs of systems, one by one.

    The p-value is that of the t-test. If all units move a difference alike, or the systems differ
    on few samples that are right or wrong, it is that of the exact sign test.
    """
    parts = arithmetic.slices(len(first), _NUMBERS_PER_STACK // systems.moves.by_row.shape[-1])
    numbers = []
    for part in parts:
        moves = systems.moves.differences(first[part], second[part])
        error, degrees, _ = moves.spread()
        n_units = np.broadcast_to(moves.numbers_by_sample().sum(axis=-1), error.shape)
        squares = np.where(moves.is_counted, moves.by_row**2, 0).sum(axis=-1)
        numbers.append((error, degrees, n_units, squares))
    error, degrees, n_units, squares = map(np.concatenate, zip(*numbers, strict=True))
    of_first, of_second = systems.values[first], systems.values[second]
    difference = of_first - of_second
    pvalue = t_pvalues(difference, error, degrees)
    sizes = np.maximum(np.abs(of_first), np.abs(of_second))
    is_zero = error <= _intervals.rounding_error(sizes, n_units)
    error[is_zero] = 0
    is_tie = np.abs(difference) <= tolerances.rounding_margins(of_first, of_second)
    pvalue[is_zero] = np.where(is_tie, 1, 2 ** (1 - n_units))[is_zero]
    is_exact = is_zero
    if systems.are_signs:
        # How many samples have different signs, and how many more of one sign than of the other.
        n_samples = np.rint(n_units * (n_units * squares + difference**2))
        n_more = np.abs(np.rint(n_units * difference))
        is_few = n_samples < FEW_UNITS
        n_less, n_few = ((n_samples - n_more)[is_few] // 2, n_samples[is_few].astype(np.int64))
        pvalue[is_few] = np.minimum(1, 2 * bdtr(n_less, n_few, 0.5))
        is_exact = is_zero | is_few
    is_lost = ~np.isfinite(difference) | np.isnan(error)
    return ComparedPairs(difference, error, degrees, np.where(is_lost, np.nan, pvalue), is_exact)


# A margin for a loss that is tolerated
# -------------------------------------


def checked_margin(margin: Any) -> float:
    """Return a margin as a number, and raise unless it is finite and not negative."""
    number = checks.check_value("margin", margin)
    if not 0 <= number < np.inf:
        raise ValueError(
            f"margin must be a finite number of at least 0, got {checks.shown(margin)}."
        )
    return number


def is_worse(difference: Contrast, greater_is_better: bool | None, margin: float) -> bool | None:
    """Return whether the first value is shown to be worse than the second by more than a margin.

    None if the samples cannot tell, or neither higher nor lower values are better. Without a
    margin, the p-value decides, otherwise the interval.
    """
    low, high = difference.low, difference.high
    if not margin and not math.isnan(difference.deciding_pvalue):
        low = high = difference.estimate if difference.is_shown else math.nan
    gains = (-high, -low) if greater_is_better is False else (low, high)
    if greater_is_better is None or not (gains[1] < -margin or gains[0] >= -margin):
        return None
    return gains[1] < -margin


def worse_in_words(answer: bool | None, subject: str, margin: float, verb: str = "is") -> str:
    """Say whether a value is worse by more than a margin, given the answer of `is_worse`."""
    by_more = f" by more than {margin:g}" if margin else ""
    return {
        True: f"{subject} {verb} worse{by_more}",
        False: f"{subject} {verb} not worse{by_more}",
        None: f"these samples cannot tell whether {subject} {verb} worse{by_more}",
    }[answer]


# The difference between two systems
# ----------------------------------

PairedMethod = Literal[IntervalMethod, "delta"]

Z_OF_POWER = float(ndtri(0.8))
"""How many standard errors a difference must exceed the critical value by, for 80% power."""

_COLUMN, _DIGITS = Column("", "number"), 3


@dataclass(frozen=True, eq=False)
class PairedDifference(Contrast):
    """The difference between two systems on the same data, with an interval and a test.

    Parameters
    ----------
    estimate : float
        Value of the first system minus the value of the second, in the unit of the metric.
    low : float
        Lower end of the interval.
    high : float
        Upper end of the interval.
    confidence_level : float
        Confidence level of the interval.
    n_undefined : int, default=0
        Number of resamples, or folds, for which the difference is undefined; they are
        left out.
    pvalue : float, default=nan
        Two-sided p-value of the test for a difference.
    adjusted_pvalue : float, default=nan
        The p-value, adjusted for all differences that are tested together; NaN if the difference is
        tested alone.
    greater_is_better : bool or None, default=True
        Whether higher values of the metric are better; None if neither higher nor lower values are.
    n_left_out : int or float, default=0
        Number, or weight, of the samples for which the first system has no prediction. The
        metric leaves these samples out.
    method : str, default=None
        How the interval was computed: "bca", "percentile" or "basic" for a bootstrap
        interval, "delta" for an interval in closed form, "max t" for a simultaneous interval of
        all pairs of systems, "corrected t" for an interval of cross-validation scores; None if
        unknown.
    standard_error : float, default=None
        Standard error of the difference, None if it was not computed.
    n_left_out_b : int or float, default=0
        Number, or weight, of the samples for which the second system has no prediction.
    margin : float, default=0.0
        Loss that is tolerated, in the unit of the metric, see `worse_than`.

    Attributes
    ----------
    favours : {"first", "second"} or None
        The system with the better value, whether the difference is significant or not. None if the
        values are equal, or neither higher nor lower values are better.
    smallest_difference : float
        The smallest difference that these samples show with 80% power.

    See Also
    --------
    paired_difference : Compute the difference from predictions for the same samples.
    corrected_t_test : Compute the difference from scores of the same folds.

    Examples
    --------
    >>> from sklearn_ordinal.inference import PairedDifference
    >>> print(PairedDifference(0.028, 0.003, 0.052, 0.95, pvalue=0.031))
    the first is higher by 0.028 (95% interval 0.003 to 0.052, p = 0.031)
    >>> difference = PairedDifference(-0.011, -0.035, 0.014, 0.95, pvalue=0.382)
    >>> print(difference)
    no significant difference (the second is higher by 0.011, 95% interval -0.014 to 0.035,
    p = 0.382)
    >>> difference.worse_than(margin=0.05)
    False
    """

    greater_is_better: bool | None = True
    n_left_out_b: float = field(default=0, kw_only=True)
    margin: float = field(default=0.0, kw_only=True)

    @property
    def favours(self) -> Literal["first", "second"] | None:
        """The system with the better value, whether the difference is significant or not."""
        if math.isnan(self.estimate) or self.estimate == 0 or self.greater_is_better is None:
            return None
        return "first" if (self.estimate > 0) == self.greater_is_better else "second"

    @property
    def smallest_difference(self) -> float:
        """The smallest difference that these samples show with 80% power.

        It is 2.8 standard errors of the difference for a test at the level 0.05, and more for tests
        that are adjusted for several pairs. It does not depend on the observed difference. NaN
        if the standard error is not known, and for scores of folds, which are not samples.
        """
        if self.standard_error is None or self.method == "corrected t":
            return math.nan
        if self.method == "max t":
            return (self.high - self.low) / 2 + Z_OF_POWER * self.standard_error
        return smallest_difference(self.standard_error, self.confidence_level)

    def worse_than(self, margin: float | None = None) -> bool | None:
        """Return whether the first system is shown to be worse than the second.

        Without a margin, the p-value decides, otherwise the two-sided interval. At a level of 95%,
        a system that is not worse by more than the margin is called worse in about 2.5% of the
        cases at most.

        Parameters
        ----------
        margin : float, default=None
            Loss that is tolerated, in the unit of the metric. If None, `margin` of the difference.

        Returns
        -------
        bool or None
            True if the first system is shown to be worse by more than the margin, False if it is
            shown not to be, and None if the samples cannot tell, or neither higher nor lower
            values are better.

        Raises
        ------
        ValueError
            If the margin is negative or not a finite number.
        """
        tolerated = self.margin if margin is None else checked_margin(margin)
        return is_worse(self, self.greater_is_better, tolerated)

    def _amounts_left_out(self) -> tuple[float, ...]:
        return self.n_left_out, self.n_left_out_b

    def _in_words(self, remarks: Sequence[str] = ()) -> str:
        sentence = _description(self, remarks)
        if not self.margin or self.greater_is_better is None or math.isnan(self.estimate):
            return sentence
        return f"{worse_in_words(self.worse_than(), 'the first', self.margin)}: {sentence}"

    def __str__(self) -> str:
        return self._in_words(self._remarks())

    def document(self) -> Document:
        """Build the document that all views are rendered from.

        Returns
        -------
        Document
            A sentence that says whether the difference is significant, one table, and a note if
            unanswered samples are left out.
        """
        table = self._table("difference", Column("p", "pvalue"), cells=(self.pvalue,))
        sentence = self._in_words()
        verdict = Note(f"{sentence[0].upper()}{sentence[1:]}.")
        return Document("Difference", (table, *self._notes()), verdict=(verdict,))


# In the order of the overloads of `bootstrap_interval`.
@overload
def paired_difference(
    y_true: TrueClasses | SystemsEvidence | RatingsPair | Mapping[str, Evidence],
    y_pred_a: ArrayLike | OrdinalRatings | None = None,
    y_pred_b: ArrayLike | None = None,
    metrics: Literal["cem_ord"] = ...,
    *,
    method: PairedMethod | None = None,
    margin: float = 0.0,
    **options: Unpack[ResamplingOptions],
) -> PairedDifference: ...
@overload
def paired_difference(
    y_true: TrueClasses | SystemsEvidence | RatingsPair | Mapping[str, Evidence],
    y_pred_a: ArrayLike | OrdinalRatings | None = None,
    y_pred_b: ArrayLike | None = None,
    metrics: Literal["all"] = ...,
    *,
    method: PairedMethod | None = None,
    margin: float = 0.0,
    **options: Unpack[ResamplingOptions],
) -> dict[str, PairedDifference]: ...
@overload
def paired_difference(
    y_true: TrueClasses | SystemsEvidence | RatingsPair | Mapping[str, Evidence],
    y_pred_a: ArrayLike | OrdinalRatings | None = None,
    y_pred_b: ArrayLike | None = None,
    metrics: MetricLike = ...,
    *,
    method: PairedMethod | None = None,
    margin: float = 0.0,
    **options: Unpack[ResamplingOptions],
) -> PairedDifference: ...
@overload
def paired_difference(
    y_true: TrueClasses | SystemsEvidence | RatingsPair | Mapping[str, Evidence],
    y_pred_a: ArrayLike | OrdinalRatings | None = None,
    y_pred_b: ArrayLike | None = None,
    metrics: SeveralMetrics = ...,
    *,
    method: PairedMethod | None = None,
    margin: float = 0.0,
    **options: Unpack[ResamplingOptions],
) -> dict[str, PairedDifference]: ...
@counting.takes_reading(SampleReadingOptions)
def paired_difference(
    y_true: TrueClasses | SystemsEvidence | RatingsPair | Mapping[str, Evidence],
    y_pred_a: ArrayLike | OrdinalRatings | None = None,
    y_pred_b: ArrayLike | None = None,
    metrics: MetricsLike = "cem_ord",
    *,
    confidence_level: float = 0.95,
    n_resamples: int = 9999,
    method: PairedMethod | None = None,
    random_state: RandomState = None,
    margin: float = 0.0,
    **reading: Unpack[SampleReadingOptions],
) -> PairedDifference | dict[str, PairedDifference]:
    r"""Compare a metric of two systems of predictions for the same samples.

    The difference is the value of the first system minus the value of the second, so for errors
    and losses a negative value favours the first. The interval is a bootstrap interval with
    both systems evaluated on the same resamples. The p-value comes from a randomisation test
    [1]_ [2]_, except for ``method="delta"``. If the systems are equivalent, the two predictions
    for a sample are exchangeable. In each of `n_resamples` trials, they are exchanged at random,
    with probability 1/2 for each sample:

    .. math:: p = \frac{1 + \#\{|d^*| \ge |d|\}}{1 + n}

    where :math:`d` is the difference, :math:`d^*` the difference in a trial, and :math:`n` the
    number of trials in which :math:`d^*` is defined. Since two decision functions may have
    different scales, a metric that depends only on the order of the scores is evaluated on
    their ranks within each system [3]_; for such a metric, probabilities are first converted to
    expected positions. Other metrics are evaluated on the scores or probabilities themselves.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_classes), ratings or evidence
        True classes; or soft labels, as in `bootstrap_interval`, whose samples are drawn and
        exchanged with all their shares; or evidence of both systems on the same samples in place of
        `y_true`, `y_pred_a`, `y_pred_b` and the reading options such as `labels`: the counts of
        `OrdinalConfusion.from_systems`, or a pair of `OrdinalForecasts`, `OrdinalScores` or
        `OrdinalRatings`. The pair of ratings are the grades of the same items by two groups of
        raters, or before and after a training; the metrics are then coefficients of agreement.
    y_pred_a : array-like of shape (n_samples,) or (n_samples, n_classes), default=None
        Predictions of the first system, in the form that the metrics take: classes of shape
        (n_samples,); probabilities of the classes, from the lowest to the highest, of shape
        (n_samples, n_classes); or scores of shape (n_samples,), higher for higher classes.
        Metrics of scores also take probabilities and convert them to scores: their expected
        positions. Two ratings can also be passed as ``paired_difference(ratings_a, ratings_b,
        metrics)``.
    y_pred_b : array-like of shape (n_samples,) or (n_samples, n_classes), default=None
        Predictions of the second system.
    metrics : str, callable, iterable or dict of them, default="cem_ord"
        Anything that `get_metric` accepts: a name such as "cem_ord", a metric function, a
        `functools.partial` of one with options, or your own function ``f(y_true, y_pred)`` of
        labels; or "all" for all metrics of the package that take such predictions: metrics of
        labels, or metrics of probabilities and scores if `y_pred_a` has several columns.
        Several metrics are computed on the same resamples. Metrics of labels cannot be combined
        with other metrics, since they take different predictions.
    **reading
    confidence_level : float, default=0.95
        Confidence level of the interval, between 0 and 1.
    n_resamples : int, default=9999
        Number of resamples for the interval and of trials for the test. The smallest
        possible p-value is ``1 / (n_resamples + 1)``.
    method : {"bca", "percentile", "basic", "delta"}, default=None
        How the ends of the interval are computed from the differences in the resamples; see
        `bootstrap_interval`. If None, "percentile", and "delta" for ratings, which have no other:
        the grades of two groups of raters are not exchangeable. The bias and the skewness that
        "bca" corrects for largely cancel in a difference, and "percentile" has better coverage in
        small samples. "delta" computes the interval and the p-value of a metric with influences in
        closed form, from the same t statistic; see `delta_interval`. Nothing is then resampled,
        whatever `n_resamples` and `random_state` are.
    random_state : int, RandomState instance, Generator or None, default=None
        Seed or source of the random numbers. Pass an int for the same result each time.
    margin : float, default=0.0
        Loss that is tolerated, in the unit of the metrics: the first system counts as worse if the
        whole interval of the difference is worse than the margin, and as not worse if the whole
        interval is at least as good. `PairedDifference.worse_than` has the answer.

    Returns
    -------
    PairedDifference or dict of str to PairedDifference
        Difference and ends in the unit of the metric, a two-sided p-value, and the number
        of resamples for which the metric of a system is undefined; for several metrics, a
        dict by name. Difference, ends and p-value are NaN, with an
        `UndefinedMetricWarning`, if the metric of a system is undefined for the samples.

    Raises
    ------
    ValueError
        If the order of the classes is unknown, a metric or method is unknown, the metrics need
        different predictions or predictions other than those passed, a number is out of range,
        there are fewer than two samples or clusters, or evidence does not contain two systems
        on the same samples.

    Warns
    -----
    UndefinedMetricWarning
        If an interval is undefined, or a metric is undefined for more than 5% of the resamples.

    See Also
    --------
    bootstrap_interval : Compute an interval for one system.
    delta_interval : Compute an interval for one system in closed form.

    Notes
    -----
    The interval shows which differences are compatible with the samples, and the test shows how
    often equivalent systems would differ at least as much. If the difference is barely
    significant, a bootstrap interval and the randomisation test may disagree: the interval may
    contain 0 although p is below 0.05, or the reverse. Decide in advance whether the interval or
    the test counts. For ``method="delta"``, both come from the same t statistic and agree, with two
    exceptions. If two systems differ in being right on fewer than 10 samples, the p-value of a
    share, such as the accuracy, is that of the exact sign test: 5 of 80 samples on which only the
    first is right have p = 0.063, where the t-test has 0.027. If all samples move the difference
    alike, there is no interval, and the p-value is 1 for equal values and otherwise that of the
    sign test of all samples.

    The p-values of several metrics are not adjusted for their number.

    References
    ----------
    .. [1] E. W. Noreen (1989), "Computer-intensive methods for testing hypotheses",
       Wiley.
    .. [2] A. Yeh (2000), "More accurate tests for the statistical significance of result
       differences", COLING 2000, https://aclanthology.org/C00-2137.
    .. [3] E. S. Venkatraman, C. B. Begg (1996), "A distribution-free procedure for comparing
       receiver operating characteristic curves from a paired experiment", Biometrika
       83(4), :doi:`10.1093/biomet/83.4.835`.

    Examples
    --------
    >>> from sklearn_ordinal.inference import paired_difference
    >>> y_true = [0, 1, 2, 2, 1, 0, 2, 1, 0, 2] * 10
    >>> first = [0, 2, 2, 2, 1, 0, 1, 1, 0, 2] * 10
    >>> second = [0, 2, 2, 2, 0, 0, 1, 1, 0, 1] * 10
    >>> print(paired_difference(y_true, first, second, "cem_ord", random_state=0))
    the first is higher by 0.118 (95% interval 0.075 to 0.166, p < 0.001)

    Probabilities of the classes, from the lowest to the highest:

    >>> import numpy as np
    >>> by_class = np.array([[0.7, 0.2, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6]])
    >>> probabilities = by_class[first], by_class[second]
    >>> print(paired_difference(y_true, *probabilities, "ranked_probability_score", random_state=0))
    the first is lower by 0.073 (95% interval 0.044 to 0.102, p < 0.001; lower is better)

    The agreement of two raters before and after a training, on the same items:

    >>> from sklearn_ordinal import OrdinalRatings
    >>> before = OrdinalRatings.from_ratings([[0, 1], [2, 1], [2, 2], [0, 0], [1, 2]] * 10)
    >>> after = OrdinalRatings.from_ratings([[0, 0], [1, 1], [2, 2], [0, 0], [1, 2]] * 10)
    >>> print(paired_difference(after, before, "krippendorff_alpha"))
    the first is higher by 0.330 (95% interval 0.195 to 0.465, p < 0.001)
    """
    if isinstance(y_true, OrdinalRatings) and isinstance(y_pred_a, OrdinalRatings):
        # Ratings hold no predictions, so the criteria come third.
        if y_pred_b is not None:
            if metrics != "cem_ord":
                raise ValueError(
                    f"metrics must be passed once for two ratings, got {checks.shown(y_pred_b)} in "
                    f"third place and metrics={checks.shown(metrics)}: leave out one of them."
                )
            metrics = cast(MetricsLike, y_pred_b)
        y_true, y_pred_a, y_pred_b = (y_true, y_pred_a), None, None
    kinds = evidence_kinds.kinds_in(y_true if y_pred_a is None else y_pred_a)
    criteria = lookup.get_metrics(metrics, argument="metrics", kinds=kinds)
    checks.check_choice("method", method, PairedMethod, or_none=True)
    are_ratings = evidence_kinds.RATINGS in kinds
    if are_ratings and method not in (None, "delta"):
        raise ValueError(
            f"method must be 'delta' for ratings, whose grades are not exchanged between raters, "
            f"got {method!r}."
        )
    method = method or ("delta" if are_ratings else "percentile")
    confidence_level = _bootstrap.check_resampling(confidence_level, n_resamples)
    tolerated = checked_margin(margin)
    rng = checks.as_generator(random_state)
    if method == "delta":
        _intervals.check_have_influences(criteria, "pass method='percentile'")
    systems = {"y_pred_a": y_pred_a, "y_pred_b": y_pred_b}
    evidence: SystemsEvidence | RatingsPair
    if are_ratings:
        evidence = evidence_reading.read_ratings_pair(criteria, y_true, systems, reading)
    else:
        evidence = evidence_reading.read_systems(criteria, y_true, systems, reading)
    n_unanswered = amounts_unanswered(evidence)
    if len(n_unanswered) != 2:
        raise ValueError(
            f"evidence must hold two systems on the same samples, got {len(n_unanswered)}."
        )
    bounds: Mapping[str, Interval]
    if method == "delta":
        bounds = contrasts = _delta_differences(criteria, evidence, confidence_level)
        pvalues = np.array([contrasts[metric.name].pvalue for metric in criteria])
    else:
        units = evidence_kinds.resampling_units(evidence)
        bounds = _bootstrap.intervals(criteria, units, rng, confidence_level, n_resamples, method)
        pvalues = _randomisation_pvalues(criteria, units, rng, n_resamples)
    differences = {
        metric.name: PairedDifference(
            **_intervals.numbers_of(bounds[metric.name])
            | {"n_left_out": 0 if metric.counts_unanswered else n_unanswered[0]},
            pvalue=float(pvalue),
            greater_is_better=metric.greater_is_better,
            n_left_out_b=0 if metric.counts_unanswered else n_unanswered[1],
            margin=tolerated,
        )
        for metric, pvalue in zip(criteria, pvalues, strict=True)
    }
    if method != "delta":
        _bootstrap.warn_about_undefined(differences, n_resamples, has_method=True)
    if lookup.is_several(metrics) or len(differences) > 1:
        return ByMetric(differences)
    return differences[criteria[0].name]


def amounts_unanswered(systems: SystemsEvidence | RatingsPair) -> list[float]:
    """Return the number, or weight, of the samples without a prediction, for each system."""
    amounts: list[float] = []
    # One confusion matrix holds the counts of both systems.
    for part in systems if isinstance(systems, tuple) else (systems,):
        kind = evidence_kinds.kind_of(part)
        missing = kind.unanswered(part)
        if missing is None:
            missing = np.zeros(kind.stack_shape(part), dtype=np.int64)
        amounts += missing.ravel().tolist()
    return amounts


def _delta_differences(
    metrics: Sequence[OrdinalMetric], systems: SystemsEvidence | RatingsPair, level: float
) -> dict[str, Contrast]:
    """Return the difference of two systems by metric, with interval and test in closed form."""
    evidence_kinds.drawn_samples(systems).count_units()
    differences: dict[str, Contrast] = {}
    reasons: dict[str, int] = {}
    for of_metric in values_of_systems(metrics, systems):
        name = of_metric.metric.name
        lowest, highest = of_metric.metric.bounds(of_metric.n_classes)
        pair = compare_pairs(of_metric, np.array([0]), np.array([1]))
        difference, error, degrees, pvalue, _ = (numbers.item() for numbers in pair)
        if not math.isfinite(difference):
            reasons[name] = Reason.UNDEFINED
        elif math.isnan(error):
            reasons[name] = Reason.NO_DERIVATIVE
        elif not error:
            reasons[name] = Reason.NO_ERROR
        bounds = lowest - highest, highest - lowest
        differences[name] = _intervals.from_error(
            Contrast, difference, error, degrees, level, bounds, pvalue=pvalue
        )
    in_order = {metric.name: reasons.get(metric.name, Reason.NONE) for metric in metrics}
    _intervals.warn_about_missing_ends(in_order, "method='percentile' needs no derivative.")
    return differences


def _randomisation_pvalues(
    metrics: Sequence[OrdinalMetric], units: Resampling, rng: np.random.Generator, n_trials: int
) -> NDArray[np.float64]:
    observed = _bootstrap.values_of(metrics, [units.all_together()])
    margins = _bootstrap.tie_margins(observed)[:, None]
    difference = np.abs(_bootstrap.value_or_difference(observed))
    of_swapped = [units.of_swapped(metric) for metric in metrics]
    exchanged = np.abs(
        _bootstrap.value_or_difference(
            _bootstrap.values_of(of_swapped, units.swapped(rng, n_trials))
        )
    )
    n_as_large = (exchanged >= difference - margins).sum(axis=-1)
    n_defined = (~np.isnan(exchanged)).sum(axis=-1)
    return np.where(np.isnan(difference[:, 0]), np.nan, (1 + n_as_large) / (1 + n_defined))


def better_system(difference: PairedDifference) -> Literal["first", "second"] | None:
    """Return the system that is significantly better, or None if neither is."""
    return difference.favours if difference.is_shown else None


def verdict_in_words(
    difference: PairedDifference, first: str, second: str, *, role: str, remarks: Sequence[str]
) -> str:
    """Say whether the first system is shown to beat the second, without a full stop.

    The adjusted p-value decides. If `role` is given, the verdict names the role of the second
    system. Remarks follow the numbers, or say why there are no numbers.
    """
    by, interval = _amount_and_interval(difference)
    adjusted_pvalue = difference.adjusted_pvalue
    direction = "higher" if difference.estimate > 0 else "lower"
    size = f"{direction} {by}" if difference.favours else f"difference {by.removeprefix('by ')}"
    evidence = [interval, f"adjusted {formatting.pvalue_in_words(adjusted_pvalue)}", *remarks]
    in_brackets = f"({', '.join(evidence)})"
    against = f"{second}, {role}" if role else second
    better = better_system(difference)
    if better == "first" and difference.greater_is_better:
        return f"{first} beats {against}{',' if role else ''} {by} {in_brackets}"
    if better == "first":
        return f"{first} beats {against}: {size} {in_brackets}"
    size = f"it is worse, {size}" if better else size
    # The verdict alone does not say whether the first system has the better value.
    is_loss = difference.favours and not difference.greater_is_better
    if not math.isnan(adjusted_pvalue):
        in_brackets = f"({', '.join(evidence)}{'; lower is better' if is_loss else ''})"
        return f"{first} is not shown to beat {against}: {size} {in_brackets}"
    size = "" if math.isnan(difference.estimate) else f"{size} "
    in_words = f"{size}{'(lower is better) ' if is_loss else ''}{' '.join(remarks)}"
    return f"{first} is not shown to beat {against}: {in_words}"


def smallest_difference(standard_error: float, confidence_level: float) -> float:
    """Return the smallest difference that a single test shows with 80% power."""
    return (float(ndtri((1 + confidence_level) / 2)) + Z_OF_POWER) * standard_error


def smallest_difference_in_words(smallest: float) -> str:
    """Return which differences a test shows, as a sentence without a full stop."""
    amount = formatting.cell_text(smallest, _COLUMN, _DIGITS)
    least = amount if float(amount) else f"{10**-_DIGITS:g}"
    return f"with 80% power, these samples show differences of {least} or more"


def _description(difference: PairedDifference, remarks: Sequence[str]) -> str:
    """Return the difference, and say if it is not significant, without a full stop."""
    if math.isnan(difference.estimate):
        return f"undefined ({', '.join(remarks)})" if remarks else "undefined"
    by, interval = _amount_and_interval(difference)
    adjusted = "" if math.isnan(difference.adjusted_pvalue) else "adjusted "
    pvalue = f"{adjusted}{formatting.pvalue_in_words(difference.deciding_pvalue)}"
    evidence = [interval, pvalue, *remarks]
    # Name the system whose value is better, or higher if neither is, and the direction.
    is_loss = difference.greater_is_better is False
    named = "the second" if (difference.estimate < 0) != is_loss else "the first"
    direction = "lower" if is_loss else "higher"
    size = f"{named} is {direction} {by}" if difference.estimate else "equal values"
    if difference.estimate and difference.is_shown:
        remark = "; lower is better" if is_loss else ""
        return f"{size} ({', '.join(evidence)}{remark})"
    in_brackets = ", ".join([size, *evidence])
    if math.isnan(difference.pvalue):
        return f"not tested ({in_brackets})"
    smallest = difference.smallest_difference
    if smallest > 0:
        in_brackets += f"; {smallest_difference_in_words(smallest)}"
    return f"no significant difference ({in_brackets})"


def _amount_and_interval(difference: PairedDifference) -> tuple[str, str]:
    """Return the size of a difference, and its interval with the matching sign."""
    sign = -1 if difference.estimate < 0 else 1
    low, high = sorted((sign * difference.low, sign * difference.high))
    amount = formatting.cell_text(abs(difference.estimate), _COLUMN, _DIGITS)
    by = f"by {amount}"
    if difference.favours and not float(amount):
        by = f"by less than {10**-_DIGITS:g}"
    is_defined = not math.isnan(low + high)
    interval = formatting.cell_text((low, high), _COLUMN, _DIGITS) if is_defined else "undefined"
    return by, f"{formatting.as_percent(difference.confidence_level)} interval {interval}"
