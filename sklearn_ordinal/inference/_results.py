"""Results of intervals and tests."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from sklearn_ordinal._core import amount_as_text
from sklearn_ordinal.documents import (
    Column,
    Document,
    Note,
    Table,
    Views,
    as_percent,
    plain,
    pvalue_in_words,
)


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
        for name in ("estimate", "low", "high", "confidence_level"):
            object.__setattr__(self, name, float(getattr(self, name)))

    def __str__(self) -> str:
        parts = [
            f"{as_percent(self.confidence_level)} interval {self.low:.3f} to {self.high:.3f}",
            f"{self.n_undefined} undefined left out" if self.n_undefined else "",
            unanswered_left_out(self),
        ]
        return f"{self.estimate:.3f} ({', '.join(filter(None, parts))})"

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
        Whether higher values of the metric are better, so that a positive difference
        favours the first system.
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
        The system with the better value.

    See Also
    --------
    paired_difference : From predictions for the same samples.
    corrected_t_test : From scores of the same folds.

    Examples
    --------
    >>> from sklearn_ordinal.inference import PairedDifference
    >>> print(PairedDifference(0.028, 0.003, 0.052, 0.95, pvalue=0.031))
    0.028 (95% interval 0.003 to 0.052), p = 0.031, in favour of the first
    """

    pvalue: float = float("nan")
    greater_is_better: bool = True
    n_left_out_b: float = field(default=0, kw_only=True)

    @property
    def favours(self) -> Literal["first", "second"] | None:
        """The system with the better value, whether the difference is significant or not."""
        if math.isnan(self.estimate) or self.estimate == 0:
            return None
        return "first" if (self.estimate > 0) == self.greater_is_better else "second"

    def __str__(self) -> str:
        favours = f", in favour of the {self.favours}" if self.favours else ""
        return f"{super().__str__()}, {pvalue_in_words(self.pvalue)}{favours}"

    def document(self) -> Document:
        """Build the document that all views are rendered from.

        Returns
        -------
        Document
            One table, which system the difference favours, and how many unanswered
            samples of each are left out.
        """
        table = self._table("difference", Column("p", "pvalue"), cells=(self.pvalue,))
        favours = (Note(f"In favour of the {self.favours} system."),) if self.favours else ()
        return Document("Difference", (table, *favours, *self._notes()))


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

    See Also
    --------
    sklearn_ordinal.GroupReport : Computes differences between groups.

    Examples
    --------
    >>> from sklearn_ordinal.inference import GroupDifference
    >>> groups = {"lower_group": "north", "higher_group": "south"}
    >>> print(GroupDifference(0.12, 0.03, 0.22, 0.95, pvalue=0.008, **groups))
    0.120 (95% interval 0.030 to 0.220), p = 0.008, from north to south
    """

    pvalue: float = float("nan")
    lower_group: str = ""
    higher_group: str = ""

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
