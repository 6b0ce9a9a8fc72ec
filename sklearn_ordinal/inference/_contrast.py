"""A contrast of values of different samples, with its interval and test."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import stdtr, stdtrit

from sklearn_ordinal._documents import Column, Document, pvalue_in_words
from sklearn_ordinal.inference._interval import Interval

_PVALUE = Column("p", "pvalue")
# Influences that are all 0 have rounding errors up to this size.
_ROUNDING = 1e-10
# Intervals with a smaller half width differ from a single number only by rounding.
_NARROWEST = 1e-9
_DIGITS = 3


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

    See Also
    --------
    sklearn_ordinal.report_change : Compare old samples with new samples.
    sklearn_ordinal.GroupReport.contrasts : Compare groups of samples.

    Examples
    --------
    >>> from sklearn_ordinal.inference import Contrast
    >>> print(Contrast(-0.048, -0.07, -0.026, 0.95, pvalue=0.0002))
    -0.048 (95% interval -0.070 to -0.026), p < 0.001
    """

    pvalue: float = float("nan")
    adjusted_pvalue: float = float("nan")

    @classmethod
    def from_error(
        cls,
        estimate: float,
        standard_error: float,
        degrees_of_freedom: float,
        confidence_level: float,
        *,
        largest: float = math.inf,
        **facts: Any,
    ) -> Contrast:
        """Return the interval and the test of the t distribution.

        The ends and the p-value are NaN if the estimate is undefined or its standard error is 0.
        The standard error of an undefined estimate is NaN too.

        Parameters
        ----------
        estimate : float
            The contrast.
        standard_error : float
            Its standard error.
        degrees_of_freedom : float
            Degrees of freedom of the standard error.
        confidence_level : float
            Confidence level of the interval.
        largest : float, default=inf
            The largest absolute value that the contrast can have.
        **facts : dict
            Further fields.

        Returns
        -------
        Contrast
            The contrast.
        """
        low = high = pvalue = math.nan
        if math.isfinite(estimate) and standard_error > _ROUNDING and degrees_of_freedom > 0:
            margin = stdtrit(degrees_of_freedom, (1 + confidence_level) / 2) * standard_error
            ends = np.clip([estimate - margin, estimate + margin], -largest, largest)
            low, high = ends.tolist()
            pvalue = 2 * float(stdtr(degrees_of_freedom, -abs(estimate) / standard_error))
        return cls(
            float(estimate),
            low,
            high,
            confidence_level,
            pvalue=pvalue,
            standard_error=math.nan if math.isnan(estimate) else float(standard_error),
            **{"method": "delta", **facts},
        )

    def __str__(self) -> str:
        text = self._with_digits(digits_of_intervals([self], _DIGITS))
        text = f"{text}, {pvalue_in_words(self.pvalue)}"
        if math.isnan(self.adjusted_pvalue):
            return text
        return f"{text}, adjusted {pvalue_in_words(self.adjusted_pvalue)}"

    def document(self) -> Document:
        """Build the document that all views are rendered from.

        Returns
        -------
        Document
            One table, and a note if unanswered samples are left out.
        """
        columns, cells = [_PVALUE], [self.pvalue]
        if not math.isnan(self.adjusted_pvalue):
            columns.append(Column("adjusted p", "pvalue"))
            cells.append(self.adjusted_pvalue)
        table = self._table("difference", *columns, cells=tuple(cells))
        return Document(
            "Contrast", (table, *self._notes()), digits=digits_of_intervals([self], _DIGITS)
        )


def digits_of_intervals(intervals: Iterable[Interval], at_least: int) -> int:
    """Return the digits after the decimal point that the narrowest of some intervals needs.

    Half its width then has two digits that are not leading zeros.
    """
    half_widths = [(interval.high - interval.low) / 2 for interval in intervals]
    narrowest = min((half for half in half_widths if half > _NARROWEST), default=1.0)
    return max(at_least, 1 - math.floor(math.log10(narrowest)))
