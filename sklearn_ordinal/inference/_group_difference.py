"""The largest difference between groups."""

from __future__ import annotations

import math
from dataclasses import dataclass

from sklearn_ordinal._core import in_repr
from sklearn_ordinal._documents import Column, Document, Note, pvalue_in_words
from sklearn_ordinal.inference._interval import Interval

_PVALUE = Column("p", "pvalue")


@dataclass(frozen=True, eq=False)
class GroupDifference(Interval):
    """The largest difference between groups, with an interval and a test of another question.

    The interval is about the difference of the values, whatever its cause, such as other class
    sizes. The test asks whether the errors differ within true classes.

    Parameters
    ----------
    estimate : float
        The largest difference, non-negative and in the unit of the metric.
    low : float
        Lower end of the interval.
    high : float
        Upper end of the interval.
    confidence_level : float
        Confidence level of the interval.
    n_undefined : int, default=0
        Number of resamples for which the metric is undefined in a group; they are left out.
    pvalue : float, default=nan
        P-value of a permutation test of whether what `tested` names differs between any groups;
        NaN without a test.
    lower_group : str, default=""
        The group with the lower value. For a difference from the value of all samples, either
        `lower_group` or `higher_group` is "overall". Both are empty if the difference is
        undefined.
    higher_group : str, default=""
        The group with the higher value.
    tested : str, default="errors"
        What the test is about, such as "errors within true classes".
    n_left_out : int or float, default=0
        Number, or weight, of the samples without a prediction, which the metric leaves out.
    method : str, default=None
        How the interval was computed.
    standard_error : float, default=None
        Standard error of the difference, None if it was not computed.

    Attributes
    ----------
    between : str
        The names of the two groups, such as "north to south"; long names are cut.

    See Also
    --------
    sklearn_ordinal.GroupReport : Compute differences between groups.

    Examples
    --------
    >>> from sklearn_ordinal.inference import GroupDifference
    >>> groups = {"lower_group": "north", "higher_group": "south"}
    >>> test = {"pvalue": 0.008, "tested": "errors within true classes"}
    >>> print(GroupDifference(0.12, 0.03, 0.22, 0.95, **test, **groups))
    0.120 (95% interval 0.030 to 0.220), from north to south; errors within true classes: p = 0.008
    """

    pvalue: float = float("nan")
    lower_group: str = ""
    higher_group: str = ""
    tested: str = "errors"

    @property
    def between(self) -> str:
        """The names of the two groups, such as "north to south", or an empty string."""
        if not self.lower_group:
            return ""
        return f"{in_repr([self.lower_group])} to {in_repr([self.higher_group])}"

    def __str__(self) -> str:
        between = f", from {self.between}" if self.between else ""
        # Without a test, there is no p-value that could be undefined.
        test = "" if math.isnan(self.pvalue) else f"; {self.tested}: {pvalue_in_words(self.pvalue)}"
        return f"{super().__str__()}{between}{test}"

    def document(self) -> Document:
        """Build the document that all views are rendered from.

        Returns
        -------
        Document
            One table, and notes that name the two groups and what the test is about.
        """
        is_tested = not math.isnan(self.pvalue)
        columns, cells = ((_PVALUE,), (self.pvalue,)) if is_tested else ((), ())
        notes = [f"From {self.between}."] if self.between else []
        if is_tested:
            notes.append(f"p: {self.tested}. The interval is about the difference of the values.")
        return Document(
            "Largest difference between groups",
            (
                self._table("difference", *columns, cells=cells),
                *map(Note, notes),
                *self._notes(),
            ),
        )
