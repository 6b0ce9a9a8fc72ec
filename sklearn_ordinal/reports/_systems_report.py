"""The report of systems on one test set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, ClassVar, Literal

import numpy as np

from sklearn_ordinal._core import (
    ByMetric,
    OrdinalScale,
    check_amount,
    check_choice,
    check_dict,
    check_instance,
    check_integer,
)
from sklearn_ordinal.documents import Document, plain
from sklearn_ordinal.reports._checks import (
    check_estimates,
    check_metrics,
    check_provenance,
    check_square,
)
from sklearn_ordinal.reports._provenance import Provenance
from sklearn_ordinal.reports._saved import saved
from sklearn_ordinal.reports._sections import direction_as_text
from sklearn_ordinal.reports._systems_document import document_of_systems
from sklearn_ordinal.reports._systems_numbers import SystemsNumbers


@saved
@dataclass(frozen=True, eq=False, repr=False)
class SystemsReport(SystemsNumbers):
    """Systems on one test set, ranked by one or several criteria.

    `compare_systems` makes one; `str` gives the text, notebooks show tables. Values are in
    the unit of each criterion, so for losses lower is better. Keys may be anything that
    `get_metric` takes.

    Parameters
    ----------
    scale : OrdinalScale
        The classes from the lowest to the highest.
    metrics : mapping of str to OrdinalMetric
        The criteria by name, the deciding one first.
    scores : mapping of str to mapping of str to Interval
        For each criterion the value of each system, with its bootstrap interval.
    pvalues : mapping of str to ndarray of shape (n_systems, n_systems)
        For each criterion the p-value of each pair of systems, adjusted for all pairs by the
        step-down maximum of t. NaN on the diagonal and for undefined values.
    margins : mapping of str to ndarray of shape (n_systems, n_systems)
        For each criterion half the length of the interval of the difference of each pair. The
        intervals contain all differences at once with a probability of `confidence_level`.
        NaN where `pvalues` is, and if there are too few resamples for the level.
    n_undefined : mapping of str to int
        For each criterion the number of resamples that are left out of all tests, since a tested
        system has no finite value on them.
    n_unanswered : mapping of str to int or float
        Number, or weight, of the samples without a predicted class, for each system.
    n_samples : int
        Number of samples, those of weight zero left out.
    n_units : int
        Number of samples, or groups of them, that were drawn in a resample.
    unit : {"sample", "group"}
        What was drawn.
    n_resamples : int
        Number of resamples.
    provenance : Provenance, default=None
        When the report was made. It is ignored when reports are compared.
    total_weight : float, default=None
        Sum of the weights of the samples, None without weights.

    Attributes
    ----------
    systems : tuple of str
        Names of the systems.
    ranks : dict of str to dict of str to int
        For each criterion the rank of each system, 1 is best. Ties share the better rank;
        systems without a value share the last.
    letters : dict of str to dict of str to str
        For each criterion the letters of each system. Two systems share a letter if and only
        if they do not differ significantly. A system without a value has none.
    winners : dict of str to tuple of str
        Names of the systems of rank 1 by each criterion, empty if none has a value.
    tau : dict of str to dict of str to float
        Kendall's tau-b between the orders of the systems by each pair of criteria; NaN for a
        criterion by which all systems are tied.
    verdicts : dict of str to str
        A sentence for each criterion: which system has the best value, and whether it beats
        all others, or which do not differ from it significantly.

    Raises
    ------
    ValueError
        If fields are of another type or do not fit each other, or a value is outside its
        range.

    See Also
    --------
    sklearn_ordinal.compare_systems : Make a report.
    sklearn_ordinal.inference.paired_difference : Two systems, by a randomisation test.
    ComparisonReport : Estimators on the same folds.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_ordinal import compare_systems
    >>> y_true = np.arange(300) % 3
    >>> predictions = {
    ...     "good": np.where(np.arange(300) % 10 < 8, y_true, 1),
    ...     "fair": np.where(np.arange(300) % 10 < 7, y_true, 1),
    ...     "poor": np.where(np.arange(300) % 10 < 3, y_true, 1),
    ... }
    >>> report = compare_systems(y_true, predictions, random_state=0)
    >>> report.ranks["cem_ord"]
    {'good': 1, 'fair': 2, 'poor': 3}
    >>> report.letters["cem_ord"]
    {'good': 'a', 'fair': 'b', 'poor': 'c'}
    """

    scale: OrdinalScale
    metrics: ByMetric
    scores: ByMetric
    pvalues: ByMetric
    margins: ByMetric
    n_undefined: ByMetric
    n_unanswered: Mapping[str, float]
    n_samples: int
    n_units: int
    unit: Literal["sample", "group"]
    n_resamples: int
    provenance: Provenance | None = field(default=None, compare=False)
    total_weight: float | None = None

    _by_metric: ClassVar[tuple[str, ...]] = ("scores", "pvalues", "margins", "n_undefined")

    def __post_init__(self) -> None:
        check_instance("scale", self.scale, OrdinalScale)
        n_classes, n_systems = len(self.scale), len(self.systems)
        check_metrics(self.metrics)
        check_dict("n_unanswered", self.n_unanswered, object)
        for system, amount in self.n_unanswered.items():
            check_amount(f"n_unanswered[{system!r}]", amount)
        for name in self._by_metric:
            check_dict(name, getattr(self, name), object, keys=self.metrics)
        for name, metric in self.metrics.items():
            field = f"scores[{name!r}]"
            check_estimates(field, self.scores[name], metric, n_classes, keys=self.n_unanswered)
            check_square(f"pvalues[{name!r}]", self.pvalues[name], n_systems, 0, 1)
            check_square(f"margins[{name!r}]", self.margins[name], n_systems, 0, np.inf)
            check_integer(f"n_undefined[{name!r}]", self.n_undefined[name], at_least=0)
        check_amount("n_samples", self.n_samples)
        if self.total_weight is not None:
            check_amount("total_weight", self.total_weight)
        check_integer("n_units", self.n_units, at_least=1)
        check_choice("unit", self.unit, Literal["sample", "group"])
        check_integer("n_resamples", self.n_resamples, at_least=1)
        check_provenance(self.provenance)

    def __repr__(self) -> str:
        return f"SystemsReport({len(self.systems)} systems, winners {self.winners})"

    def document(self) -> Document:
        """Return the content of the report, from which its views are rendered.

        Returns
        -------
        Document
            The verdicts, a ranked table with its plot for each criterion, the agreement of the
            criteria, and on demand the pairs; of more than 10 systems, the pairs with the best.
            If there are more than 6 criteria, each verdict but the first is next to its table.
        """
        return document_of_systems(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers.

        Returns
        -------
        dict
            "criteria": for each criterion "better", "winners", "verdict", "n_undefined",
            "systems", a dict of rows with the columns of `to_frame`, and "pairs", a list of
            dicts, each with the difference, its simultaneous interval and the adjusted p-value;
            "tau": a dict of dicts; "n_samples", with weights "total_weight", "n_units",
            "unit", "n_resamples" and "confidence_level". None where undefined.
        """
        winners, verdicts = self.winners, self.verdicts
        numbers: dict[str, Any] = plain(
            {
                "criteria": {
                    criterion: {
                        "better": direction_as_text(metric),
                        "winners": winners[criterion],
                        "verdict": verdicts[criterion],
                        "n_undefined": self.n_undefined[criterion],
                        "systems": self._rows(criterion),
                        "pairs": self._pairs(criterion),
                    }
                    for criterion, metric in self.metrics.items()
                },
                "tau": self.tau,
                "n_samples": self.n_samples,
                **({} if self.total_weight is None else {"total_weight": self.total_weight}),
                "n_units": self.n_units,
                "unit": self.unit,
                "n_resamples": self.n_resamples,
                "confidence_level": self.confidence_level,
            }
        )
        return numbers

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each criterion and system, best first."""
        return [
            {"criterion": criterion, "system": name, **row}
            for criterion in self.metrics
            for name, row in self._rows(criterion).items()
        ]

    def _rows(self, criterion: str) -> dict[str, dict[str, Any]]:
        """Return the numbers of each system by the names of the columns of a frame."""
        ranks, letters = self._ranks(criterion), self._letters(criterion)
        metric = self.metrics[criterion]
        return {
            name: {
                "rank": ranks[name],
                "value": score.estimate,
                "low": score.low,
                "high": score.high,
                "letters": letters[name],
                "n_undefined": score.n_undefined,
                "n_unanswered": self.n_unanswered[name],
                "n_left_out": score.n_left_out,
                "better": direction_as_text(metric),
            }
            for name in self.best_first(criterion)
            for score in (self.scores[criterion][name],)
        }

    def _pairs(self, criterion: str) -> list[dict[str, Any]]:
        """Return the difference of each pair, the better system first."""
        found = []
        for first, second in combinations(self.best_first(criterion), 2):
            one = self.difference(first, second, criterion)
            found.append(
                {
                    "first": first,
                    "second": second,
                    "difference": one.estimate,
                    "low": one.low,
                    "high": one.high,
                    "adjusted_pvalue": one.pvalue,
                }
            )
        return found
