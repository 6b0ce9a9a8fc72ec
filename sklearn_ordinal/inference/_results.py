"""Results of intervals and tests."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from sklearn_ordinal._core import (
    amount_as_text,
    check_amount,
    check_bool,
    check_instance,
    check_integer,
    check_pvalue,
    check_share,
    check_value,
)
from sklearn_ordinal.documents import (
    Column,
    Document,
    Note,
    Table,
    Views,
    as_percent,
    cell_text,
    plain,
    pvalue_in_words,
)
from sklearn_ordinal.inference._multiple import is_rejected

_COLUMN, _DIGITS = Column("", "number"), 3


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
        interval, "corrected t" for one of cross-validation scores, "shifted percentile" for
        one of `metric_coverage`; None if unknown.

    Raises
    ------
    ValueError
        If `low` is above `high`, `confidence_level` is not between 0 and 1, or a number is of
        another type or range.

    See Also
    --------
    bootstrap_interval : Interval of a metric.
    corrected_t_interval : Interval of cross-validation scores.

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

    def __post_init__(self) -> None:
        for name in ("estimate", "low", "high"):
            object.__setattr__(self, name, check_value(name, getattr(self, name)))
        level = check_share("confidence_level", self.confidence_level)
        object.__setattr__(self, "confidence_level", level)
        # Quantiles of equal values may differ by rounding. The estimate may be outside: a
        # bootstrap interval is that of the resamples.
        if self.low > self.high and not math.isclose(self.low, self.high, abs_tol=1e-9):
            raise ValueError(f"low must be at most high, {self.high:g}, got {self.low:g}.")
        check_integer("n_undefined", self.n_undefined, at_least=0)
        check_amount("n_left_out", self.n_left_out)
        check_instance("method", self.method, str, or_none=True)

    def __str__(self) -> str:
        interval = f"{as_percent(self.confidence_level)} interval {self.low:.3f} to {self.high:.3f}"
        return f"{self.estimate:.3f} ({', '.join([interval, *self._remarks()])})"

    def _remarks(self) -> list[str]:
        undefined = f"{self.n_undefined} undefined left out" if self.n_undefined else ""
        return list(filter(None, [undefined, unanswered_left_out(self)]))

    def _notes(self) -> tuple[Note, ...]:
        """Say what the value leaves out, if it does."""
        text = unanswered_left_out(self)
        return (Note(f"{text}."),) if text else ()

    def document(self) -> Document:
        """Build the document that all views are rendered from.

        Returns
        -------
        Document
            One table, and how many unanswered samples are left out.
        """
        return Document("Interval", (self._table("estimate"), *self._notes()))

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as a dict.

        Returns
        -------
        dict
            Value of each attribute by its name; None where undefined.
        """
        numbers: dict[str, Any] = plain(asdict(self))
        return numbers

    def _records(self) -> list[dict[str, Any]]:
        return [asdict(self)]

    def _table(self, what: str, *columns: Column, cells: tuple[float, ...] = ()) -> Table:
        level = as_percent(self.confidence_level)
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


@dataclass(frozen=True, eq=False)
class PairedDifference(Interval):
    """The difference of two systems on the same data, with an interval and a test.

    Parameters
    ----------
    estimate : float
        Value of the first system minus that of the second, in the unit of the metric.
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
    greater_is_better : bool, default=True
        Whether higher values of the metric are better.
    n_left_out : int or float, default=0
        Number, or weight, of the samples without a prediction of the first system, which
        the metric leaves out.
    method : str, default=None
        How the interval was computed: "bca", "percentile" or "basic" for a bootstrap
        interval, "corrected t" for one of cross-validation scores; None if unknown.
    n_left_out_b : int or float, default=0
        The number, or weight, of those without a prediction of the second system.

    Attributes
    ----------
    favours : {"first", "second"} or None
        The system with the better value, whether the difference is significant or not.

    Raises
    ------
    ValueError
        If `pvalue` is not between 0 and 1, `low` is above `high`, or a field is of another type
        or range.

    See Also
    --------
    paired_difference : From predictions for the same samples.
    corrected_t_test : From scores of the same folds.

    Examples
    --------
    >>> from sklearn_ordinal.inference import PairedDifference
    >>> print(PairedDifference(0.028, 0.003, 0.052, 0.95, pvalue=0.031))
    the first is higher by 0.028 (95% interval 0.003 to 0.052, p = 0.031)
    >>> print(PairedDifference(-0.011, -0.035, 0.014, 0.95, pvalue=0.382))
    no significant difference (the second is higher by 0.011, 95% interval -0.014 to 0.035,
    p = 0.382)
    """

    pvalue: float = float("nan")
    greater_is_better: bool = True
    n_left_out_b: float = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_pvalue("pvalue", self.pvalue)
        check_bool("greater_is_better", self.greater_is_better)
        check_amount("n_left_out_b", self.n_left_out_b)

    @property
    def favours(self) -> Literal["first", "second"] | None:
        """The system with the better value, whether the difference is significant or not."""
        if math.isnan(self.estimate) or self.estimate == 0:
            return None
        return "first" if (self.estimate > 0) == self.greater_is_better else "second"

    def __str__(self) -> str:
        return difference_in_words(self, remarks=self._remarks())

    def document(self) -> Document:
        """Build the document that all views are rendered from.

        Returns
        -------
        Document
            One table, a sentence that says whether the difference is significant, and how
            many unanswered samples of each system are left out.
        """
        table = self._table("difference", Column("p", "pvalue"), cells=(self.pvalue,))
        sentence = difference_in_words(self)
        note = Note(f"{sentence[0].upper()}{sentence[1:]}.")
        return Document("Difference", (table, note, *self._notes()))


@dataclass(frozen=True, eq=False)
class GroupDifference(Interval):
    """The largest difference between groups, with an interval and a test.

    Parameters
    ----------
    estimate : float
        The largest difference, in the unit of the metric, not negative.
    low : float
        Lower end of the interval.
    high : float
        Upper end of the interval.
    confidence_level : float
        Confidence level of the interval.
    n_undefined : int, default=0
        Number of resamples for which the metric is undefined in a group; they are left out.
    pvalue : float, default=nan
        P-value of a permutation test of whether any groups differ by more than is expected.
    lower_group : str, default=""
        The group with the lower value. For a difference from the value of all samples, this
        or `higher_group` is "overall"; both are empty if the difference is undefined.
    higher_group : str, default=""
        The group with the higher value.
    n_left_out : int or float, default=0
        Number, or weight, of the samples without a prediction, which the metric leaves out.
    method : str, default=None
        How the interval was computed.

    Attributes
    ----------
    between : str
        The two groups in words.

    Raises
    ------
    ValueError
        If `pvalue` is not between 0 and 1, `low` is above `high`, or a field is of another type
        or range.

    See Also
    --------
    sklearn_ordinal.GroupReport : Computes differences between groups.

    Examples
    --------
    >>> from sklearn_ordinal.typing import GroupDifference
    >>> groups = {"lower_group": "north", "higher_group": "south"}
    >>> print(GroupDifference(0.12, 0.03, 0.22, 0.95, pvalue=0.008, **groups))
    0.120 (95% interval 0.030 to 0.220), p = 0.008, from north to south
    """

    pvalue: float = float("nan")
    lower_group: str = ""
    higher_group: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_value("estimate", self.estimate, low=0)
        check_pvalue("pvalue", self.pvalue)
        check_instance("lower_group", self.lower_group, str)
        check_instance("higher_group", self.higher_group, str)

    @property
    def between(self) -> str:
        """The two groups in words, or an empty string."""
        return f"{self.lower_group} to {self.higher_group}" if self.lower_group else ""

    def __str__(self) -> str:
        between = f", from {self.between}" if self.between else ""
        return f"{super().__str__()}, {pvalue_in_words(self.pvalue)}{between}"

    def document(self) -> Document:
        """Build the document that all views are rendered from.

        Returns
        -------
        Document
            One table, and the two groups.
        """
        table = self._table("difference", Column("p", "pvalue"), cells=(self.pvalue,))
        between = (Note(f"From {self.between}."),) if self.between else ()
        return Document("Largest difference between groups", (table, *between, *self._notes()))


def unanswered_left_out(interval: Interval) -> str:
    """Return how many unanswered samples are left out, of each system; nothing if none are."""
    amounts = [interval.n_left_out]
    if isinstance(interval, PairedDifference):
        amounts.append(interval.n_left_out_b)
    if not any(amounts):
        return ""
    return f"{' and '.join(map(amount_as_text, amounts))} unanswered left out"


def better_system(
    difference: PairedDifference, adjusted_pvalue: float
) -> Literal["first", "second"] | None:
    """Return the system that is shown to be better, None if the difference is not significant."""
    is_significant = is_rejected(adjusted_pvalue, difference.confidence_level)
    return difference.favours if is_significant else None


def difference_in_words(
    difference: PairedDifference,
    first: str = "the first",
    second: str = "the second",
    *,
    role: str = "",
    adjusted_pvalue: float | None = None,
    remarks: Sequence[str] = (),
) -> str:
    """Return what a difference shows, as a sentence without a full stop.

    With a p-value that is adjusted for all tests made together, the sentence is a verdict: the
    first system beats the second, whose role may be named, or is not shown to. Without one, it
    describes the difference, and says if it is not significant. Remarks follow the numbers, or
    say why a verdict has none.
    """
    by, interval = _amount_and_interval(difference)
    if adjusted_pvalue is None:
        evidence = [interval, pvalue_in_words(difference.pvalue), *remarks]
        return _description(difference, first, second, by, evidence)
    direction = "higher" if difference.estimate > 0 else "lower"
    size = f"{direction} {by}" if difference.favours else f"difference {by.removeprefix('by ')}"
    evidence = [interval, f"adjusted {pvalue_in_words(adjusted_pvalue)}", *remarks]
    in_brackets = f"({', '.join(evidence)})"
    against = f"{second}, {role}" if role else second
    better = better_system(difference, adjusted_pvalue)
    if better == "first" and difference.greater_is_better:
        return f"{first} beats {against}{',' if role else ''} {by} {in_brackets}"
    if better == "first":
        return f"{first} beats {against}: {size} {in_brackets}"
    size = f"it is worse, {size}" if better else size
    # Whether the first system has the better value is not said otherwise.
    is_loss = difference.favours and not difference.greater_is_better
    if not math.isnan(adjusted_pvalue):
        in_brackets = f"({', '.join(evidence)}{'; lower is better' if is_loss else ''})"
        return f"{first} is not shown to beat {against}: {size} {in_brackets}"
    size = "" if math.isnan(difference.estimate) else f"{size} "
    in_words = f"{size}{'(lower is better) ' if is_loss else ''}{' '.join(remarks)}"
    return f"{first} is not shown to beat {against}: {in_words}"


def _description(
    difference: PairedDifference, first: str, second: str, by: str, evidence: Sequence[str]
) -> str:
    if math.isnan(difference.estimate):
        return "undefined" if len(evidence) == 2 else f"undefined ({', '.join(evidence[2:])})"
    # The system is named whose value is better, and so is the direction.
    better = {"first": first, "second": second, None: ""}[difference.favours]
    direction = "higher" if difference.greater_is_better else "lower"
    size = f"{better} is {direction} {by}" if better else "equal values"
    if better_system(difference, difference.pvalue):
        is_loss = "" if difference.greater_is_better else "; lower is better"
        return f"{size} ({', '.join(evidence)}{is_loss})"
    start = "not tested" if math.isnan(difference.pvalue) else "no significant difference"
    return f"{start} ({', '.join([size, *evidence])})"


def _amount_and_interval(difference: PairedDifference) -> tuple[str, str]:
    """Return the size of a difference, and its interval with the sign that makes it positive."""
    sign = -1 if difference.estimate < 0 else 1
    low, high = sorted((sign * difference.low, sign * difference.high))
    amount = cell_text(abs(difference.estimate), _COLUMN, _DIGITS)
    by = f"by {amount}"
    if difference.favours and not float(amount):
        by = f"by less than {10**-_DIGITS:g}"
    is_defined = not math.isnan(low + high)
    interval = cell_text((low, high), _COLUMN, _DIGITS) if is_defined else "undefined"
    return by, f"{as_percent(difference.confidence_level)} interval {interval}"
