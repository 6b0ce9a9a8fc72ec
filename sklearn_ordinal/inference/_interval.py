"""An estimate with a confidence interval."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import Any

from sklearn_ordinal._core import amount_as_text
from sklearn_ordinal._documents import (
    Column,
    Document,
    Note,
    Table,
    Views,
    as_percent,
    plain,
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

    def _with_digits(self, digits: int) -> str:
        level = as_percent(self.confidence_level)
        interval = f"{level} interval {self.low:.{digits}f} to {self.high:.{digits}f}"
        if math.isnan(self.low):
            interval = f"no {level} interval{self._why_none()}"
        return f"{self.estimate:.{digits}f} ({', '.join([interval, *self._remarks()])})"

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
            f"{' and '.join(map(amount_as_text, amounts))} unanswered left out"
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
