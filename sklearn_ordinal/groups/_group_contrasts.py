"""Contrasts of groups: differences from a reference, and weighted sums of values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import checks, grouping, tolerances
from sklearn_ordinal._core.lookup import ByMetric
from sklearn_ordinal._documents.document_parts import Note, Part, Section, Table
from sklearn_ordinal.inference import _group_values, _intervals
from sklearn_ordinal.inference._intervals import Contrast
from sklearn_ordinal.plotting._comparison_display import ComparisonDisplay
from sklearn_ordinal.reports import _sections, _sentences
from sklearn_ordinal.reports._values import Key, Values

_LINEAR, _WEIGHTED = "linear", "weighted"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class GroupContrasts(Values):
    """Signed differences of groups from a reference, or a weighted sum of their values.

    Returned by `GroupReport.contrasts`. `str` gives the text, and notebooks show tables and a plot.
    Keys may have any form that `get_metric` accepts.

    Parameters
    ----------
    rows : mapping of tuple to Contrast
        The contrasts. A key has the criterion, the group, what it is compared with, and
        "difference"; or the criterion, None, None, and "linear" or "weighted".
    metrics : mapping of str to OrdinalMetric
        The criteria.
    inferred : tuple of str
        The criteria that the default text shows: those of the report of groups.
    n_classes : int
        Number of classes on the scale.
    digits : int, default=2
        Least number of digits after the decimal point in text and tables.
    provenance : Provenance, default=None
        When and with which versions they were computed. It is ignored when results are compared.
    reference : str
        The group that all other groups are compared with, or "overall"; empty for a weighted
        contrast.
    weights : mapping of str to float
        Weight of each group of a weighted contrast, in the order of the groups. Empty if there is
        a reference.
    hypothesis : {"values", "distributions", "errors"}, default="values"
        What is the same in all groups according to the hypothesis that the p-values test: the
        values; the joint distributions of true and predicted classes; or the errors within true
        classes.

    Attributes
    ----------
    contrasts : mapping of str to mapping of str to Contrast
        For each criterion name, the contrast of each group that is compared with the reference; or
        a single contrast with the name "linear" or "weighted".

    See Also
    --------
    sklearn_ordinal.GroupReport.contrasts : Compute the contrasts.
    sklearn_ordinal.report_change : Compare old samples with new samples.

    Examples
    --------
    >>> from sklearn_ordinal import GroupReport, OrdinalConfusion
    >>> months = OrdinalConfusion.stack([
    ...     OrdinalConfusion.from_counts([[80 - k, 10 + k], [10, 90]]) for k in (0, 4, 12)
    ... ])
    >>> report = GroupReport.from_confusion(
    ...     months, by=["2025-01", "2025-02", "2025-03"], metrics="accuracy", n_permutations=0
    ... )
    >>> print(report.contrasts(reference="2025-01").contrasts["accuracy"]["2025-03"])
    -0.063 (95% interval -0.133 to +0.006), p = 0.074, adjusted p = 0.149
    >>> print(report.contrasts(weights="linear").contrasts["accuracy"]["linear"])
    -0.032 (95% interval -0.066 to +0.003), p = 0.074
    """

    axes = ("criterion", "group", "against", "what")
    _title = "Contrasts of groups"

    rows: Mapping[Key, Contrast]
    reference: str
    weights: Mapping[str, float]
    digits: int = 2
    hypothesis: str = "values"

    @cached_property
    def contrasts(self) -> ByMetric:
        """Contrasts by criterion, and by group or by "linear" or "weighted"."""
        by_criterion: dict[str, dict[str, Contrast]] = {}
        for (criterion, group, _, what), row in self.rows.items():
            by_criterion.setdefault(str(criterion), {})[group or str(what)] = row
        return ByMetric(by_criterion)

    def _display(self, criterion: str) -> ComparisonDisplay:
        contrasts = self.contrasts[criterion]
        return ComparisonDisplay(
            contrasts,
            adjusted_pvalues={name: row.deciding_pvalue for name, row in contrasts.items()},
            criterion=criterion,
            reference=self.reference or "0",
            greater_is_better=self.metrics[criterion].greater_is_better,
        )

    def _sentences(self) -> Iterator[str]:
        """Say which values differ from the reference by the first criterion, or if the sum does."""
        name, contrasts = next(iter(self.contrasts.items()))
        if self.reference:
            yield _sentences.contrasts_verdict(
                name,
                contrasts,
                self._reference_name(),
                self.digits,
                is_loss=self.metrics[name].greater_is_better is False,
            )
        else:
            yield _sentences.contrast_verdict(
                name, *contrasts.values(), is_linear=_LINEAR in contrasts
            )

    def _reference_name(self) -> str:
        return "all samples" if self.reference == grouping.OVERALL else self.reference

    def _notes(self) -> Iterator[str]:
        names = list(self.weights)
        if self.reference:
            yield f"Differences between the values of groups and of {self._reference_name()}."
        elif _LINEAR in self.members("what"):
            yield (
                f"linear: the mean change of the value from one of the {len(names)} groups to the "
                f"next, from {names[0]} to {names[-1]}."
            )
        else:
            weights = ", ".join(f"{name}: {weight:.4g}" for name, weight in self.weights.items())
            yield f"Sum of the values with the weights {weights}."
        yield from self._notes_on_pvalues(self.inferred)
        if self.hypothesis != "values":
            column = "adjusted p" if self.reference else "p"
            yield f"{column}: the hypothesis is that {_sentences.HYPOTHESES[self.hypothesis]}."

    def _hint(self) -> str:
        return "Pass details=True for the other criteria." if super()._hint() else ""

    def _views(self) -> Iterator[Part]:
        for name in self.inferred:
            yield self._table(name)
        others = [name for name in self.contrasts if name not in self.inferred]
        if others:
            tables, notes = map(self._table, others), self._notes_on_pvalues(others)
            yield Section(
                "Contrasts by the other criteria", (*tables, *map(Note, notes)), is_detail=True
            )

    def _notes_on_pvalues(self, criteria: Iterable[str]) -> list[str]:
        rows = (row for name in criteria for row in self.contrasts[name].values())
        return _intervals.notes_on_pvalues(rows)

    def _table(self, name: str) -> Table:
        contrasts = self.contrasts[name]
        header, value = ("group", "difference") if self.reference else ("contrast", "value")
        return _sections.table(
            f"{name} ({_sections.better_sign(self.metrics[name])})",
            header,
            list(contrasts),
            _sections.differences(contrasts, self.digits, value),
        )

    def _facts(self) -> dict[str, Any]:
        return {"reference": self.reference or None, "weights": dict(self.weights)}


def weights_by_row(
    names: Sequence[str],
    reference: Any,
    weights: Any,
) -> dict[str, NDArray[np.float64]]:
    """Return the weights of the value of all samples and of each group, for each contrast."""
    if weights is None:
        return _group_values.weights_of_differences(names, reference, "samples")
    if reference is not None:
        raise ValueError("reference must be left out if weights are given.")
    # The first value is for all samples.
    position = {name: k for k, name in enumerate(names, start=1)}
    size = 1 + len(names)
    by_value = np.zeros(size)
    if isinstance(weights, str) and weights == _LINEAR:
        scores = np.arange(1, size) - size / 2
        by_value[1:] = scores / (scores**2).sum()
        return {_LINEAR: by_value}
    if not isinstance(weights, Mapping):
        raise ValueError(
            "weights must map names of groups to numbers, or be 'linear', got "
            f"{checks.shown(weights)}."
        )
    if len(set(map(str, weights))) < len(weights):
        raise ValueError(f"weights must name each group once, got {checks.shown(list(weights))}.")
    for group, weight in weights.items():
        name = str(group)
        if name not in position:
            raise ValueError(
                f"weights must be weights of the groups {checks.listed(names)}, got one of "
                f"{checks.shown(name)}."
            )
        if not checks.is_real(weight) or not np.isfinite(weight):
            raise ValueError(
                f"weights must be finite numbers, got {checks.shown(weight)} for "
                f"{checks.shown(name)}."
            )
        by_value[position[name]] = weight
    if not by_value.any():
        raise ValueError(f"weights must not all be 0, got {checks.shown(dict(weights))}.")
    if abs(by_value.sum()) > tolerances.ZERO_SUM * np.abs(by_value).max():
        raise ValueError(
            f"weights must add up to 0, got a sum of {by_value.sum():g}: subtract their mean."
        )
    return {_WEIGHTED: by_value}
