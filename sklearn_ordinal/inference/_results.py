"""What intervals and tests return."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Interval:
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
        Share of such intervals that are to hold the true value.
    n_undefined : int, default=0
        Number of resamples, or folds, for which the metric is undefined; they are left
        out.

    See Also
    --------
    bootstrap_interval : The interval of a metric.
    corrected_t_interval : The interval of cross-validation scores.

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

    def __str__(self) -> str:
        left_out = f", {self.n_undefined} undefined left out" if self.n_undefined else ""
        return (
            f"{self.estimate:.3f} ({100 * self.confidence_level:g}% interval "
            f"{self.low:.3f} to {self.high:.3f}{left_out})"
        )


@dataclass(frozen=True)
class PairedDifference(Interval):
    """The difference of two systems on the same data, with an interval and a test.

    Parameters
    ----------
    estimate : float
        Value of the first system less that of the second, in the unit of the metric.
    low : float
        Lower end of the interval.
    high : float
        Upper end of the interval.
    confidence_level : float
        Share of such intervals that are to hold the true difference.
    n_undefined : int, default=0
        Number of resamples, or folds, for which the difference is undefined; they are
        left out.
    pvalue : float, default=nan
        Two-sided p-value of the test that there is no difference.

    See Also
    --------
    paired_difference : From predictions for the same samples.
    corrected_t_test : From scores of the same folds.

    Examples
    --------
    >>> from sklearn_ordinal.inference import PairedDifference
    >>> print(PairedDifference(0.028, 0.003, 0.052, 0.95, pvalue=0.031))
    0.028 (95% interval 0.003 to 0.052), p = 0.031
    """

    pvalue: float = float("nan")

    def __str__(self) -> str:
        return f"{super().__str__()}, p = {self.pvalue:.3g}"
