"""Contrasts of groups: differences from a reference, and weighted sums of values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import checks, grouping, tolerances
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.lookup import ByMetric
from sklearn_ordinal._documents import formatting, json_files
from sklearn_ordinal._documents.document_parts import Column, Document, Figure, Note, Table
from sklearn_ordinal._documents.views import Views
from sklearn_ordinal.inference import _group_values, _holm_correction, _intervals
from sklearn_ordinal.inference._intervals import Contrast, Interval
from sklearn_ordinal.inference._unit_moves import GroupMoves
from sklearn_ordinal.plotting._comparison_display import ComparisonDisplay
from sklearn_ordinal.reports import _sections, _verdicts
from sklearn_ordinal.reports._sections import Provenance

_LINEAR, _WEIGHTED = "linear", "weighted"


@dataclass(frozen=True, eq=False, repr=False)
class GroupContrasts(Views):
    """Signed differences of groups from a reference, or a weighted sum of their values.

    Returned by `GroupReport.contrasts`. `str` gives the text, and notebooks show tables and a plot.
    Keys may have any form that `get_metric` accepts.

    Parameters
    ----------
    contrasts : mapping of str to mapping of str to Contrast
        For each criterion name, the contrast of each group that is compared with the reference; or
        a single contrast with the name "linear" or "weighted".
    greater_is_better : mapping of str to bool or None
        Whether higher values are better, for each criterion name; None if neither higher nor lower
        values are.
    reference : str
        The group that all other groups are compared with, or "overall"; empty for a weighted
        contrast.
    weights : mapping of str to float
        Weight of each group of a weighted contrast, in the order of the groups. Empty if there is
        a reference.
    digits : int, default=2
        Least number of digits after the decimal point in text and tables.
    hypothesis : {"values", "distributions", "errors"}, default="values"
        What is the same in all groups according to the hypothesis that the p-values test: the
        values; the joint distributions of true and predicted classes; or the errors within true
        classes.
    provenance : Provenance, default=None
        When and with which versions they were computed. It is ignored when results are compared.

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
    -0.063 (95% interval -0.133 to 0.006), p = 0.074, adjusted p = 0.149
    >>> print(report.contrasts(weights="linear").contrasts["accuracy"]["linear"])
    -0.032 (95% interval -0.066 to 0.003), p = 0.074
    """

    contrasts: ByMetric
    greater_is_better: Mapping[str, bool | None]
    reference: str
    weights: Mapping[str, float]
    digits: int = 2
    hypothesis: str = "values"
    provenance: Provenance | None = None

    def __repr__(self) -> str:
        against = f"from {self.reference}" if self.reference else " ".join(self._rows())
        return f"GroupContrasts({checks.in_repr([against, *self.contrasts])})"

    def _rows(self) -> list[str]:
        return list(next(iter(self.contrasts.values())))

    def plot(self, metric: Any = None, *, ax: Any = None, **options: Any) -> ComparisonDisplay:
        """Draw the contrasts of one criterion.

        Parameters
        ----------
        metric : str or callable, default=None
            A criterion in `contrasts`. If None, the first criterion.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.
        **options : dict
            Options of `ComparisonDisplay.plot`.

        Returns
        -------
        ComparisonDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If there is no such criterion.
        """
        name = next(iter(self.contrasts)) if metric is None else self.contrasts.name_of(metric)
        contrasts = self.contrasts[name]
        return ComparisonDisplay(
            contrasts,
            adjusted_pvalues={
                group: contrast.adjusted_pvalue if self.reference else contrast.pvalue
                for group, contrast in contrasts.items()
            },
            criterion=name,
            reference=self.reference or "0",
            greater_is_better=self.greater_is_better[name],
        ).plot(ax, **options)

    def document(self) -> Document:
        """Return the content of the contrasts, from which their views are rendered.

        Returns
        -------
        Document
            The contrasts of each criterion, and a plot of the first one.
        """
        tables = {name: self._table(name) for name in self.contrasts}
        first = next(iter(tables))
        return Document(
            "Contrasts of groups",
            (
                *map(Note, self._notes()),
                *tables.values(),
                *map(Note, self._notes_on_pvalues()),
                Figure(self.plot, f"Contrasts of {first}", tables[first].title, tables[first]),
            ),
            digits=self.digits,
            footer=_sections.footer(self.provenance),
            verdict=(Note(self._verdict()),),
        )

    def _verdict(self) -> str:
        """Say which values differ from the reference by the first criterion, or if the sum does."""
        name, contrasts = next(iter(self.contrasts.items()))
        pvalues = {
            row: contrast.adjusted_pvalue if self.reference else contrast.pvalue
            for row, contrast in contrasts.items()
        }
        level = next(iter(contrasts.values())).confidence_level
        differing = [
            row for row, pvalue in pvalues.items() if _holm_correction.is_rejected(pvalue, level)
        ]
        if not self.reference:
            (contrast,) = contrasts.values()
            if np.isnan(contrast.pvalue):
                return f"By {name}, the contrast could not be tested."
            verb = "is" if differing else "is not"
            return (
                f"By {name}, the contrast of the values {verb} shown to differ from 0: {contrast}."
            )
        n_shown = f"{len(differing) or 'none'} of {formatting.counted(len(pvalues), 'group')}"
        verb = "is" if len(differing) < 2 else "are"
        which = f": {formatting.names_in_words(differing)}" if differing else ""
        n_undefined = sum(map(math.isnan, pvalues.values()))
        untested = f"; {n_undefined} could not be tested" if n_undefined else ""
        return (
            f"By {name}, {n_shown} {verb} shown to differ in value from "
            f"{self._reference_name()}{which}{untested}."
        )

    def _reference_name(self) -> str:
        return "all samples" if self.reference == grouping.OVERALL else self.reference

    def _notes(self) -> list[str]:
        if self.reference:
            return [f"Differences between the values of groups and of {self._reference_name()}."]
        weights = ", ".join(f"{name}: {weight:.4g}" for name, weight in self.weights.items())
        if self._rows() == [_LINEAR]:
            return [f"Change from a group to the next, with the weights {weights}."]
        return [f"Sum of the values with the weights {weights}."]

    def _notes_on_pvalues(self) -> list[str]:
        if self.hypothesis != "values":
            return [f"p: the hypothesis is that {_verdicts.HYPOTHESES[self.hypothesis]}."]
        rows = [row for contrasts in self.contrasts.values() for row in contrasts.values()]
        return _intervals.notes_on_pvalues(rows)

    def _table(self, name: str) -> Table:
        contrasts: Mapping[str, Contrast] = self.contrasts[name]
        digits = _intervals.digits_of_intervals(contrasts.values(), self.digits)
        level = next(iter(contrasts.values())).confidence_level
        columns = (
            Column("group" if self.reference else "contrast"),
            Column("difference" if self.reference else "value", "number", digits, is_signed=True),
            Column(_sections.interval_name(level), "interval", digits, is_signed=True),
            Column("p", "pvalue"),
            *((Column("adjusted p", "pvalue"),) if self.reference else ()),
        )
        rows = tuple(
            (
                row,
                contrast.estimate,
                (contrast.low, contrast.high),
                contrast.pvalue,
                *((contrast.adjusted_pvalue,) if self.reference else ()),
            )
            for row, contrast in contrasts.items()
        )
        better = {True: "positive is", False: "negative is", None: "neither sign is"}
        return Table(f"{name} ({better[self.greater_is_better[name]]} better)", columns, rows)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers.

        Returns
        -------
        dict
            "criteria": for each criterion a dict of the contrasts by their names; "reference" and
            "weights". Undefined values are None.
        """
        numbers: dict[str, Any] = json_files.plain(
            {
                "reference": self.reference or None,
                "weights": dict(self.weights),
                "criteria": {
                    name: {row: asdict(contrast) for row, contrast in contrasts.items()}
                    for name, contrasts in self.contrasts.items()
                },
            }
        )
        return numbers

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each contrast of each criterion."""
        return [
            {
                "criterion": name,
                "group": row,
                "estimate": contrast.estimate,
                "low": contrast.low,
                "high": contrast.high,
                "confidence_level": contrast.confidence_level,
                "pvalue": contrast.pvalue,
                "adjusted_pvalue": contrast.adjusted_pvalue,
            }
            for name, contrasts in self.contrasts.items()
            for row, contrast in contrasts.items()
        ]


def contrast_groups(
    names: Sequence[str],
    overall: Mapping[str, Interval],
    moves: Mapping[str, GroupMoves],
    metrics: Mapping[str, OrdinalMetric],
    *,
    reference: str | None,
    weights: Mapping[str, float] | Literal["linear"] | None,
    digits: int,
    n_classes: int,
) -> GroupContrasts:
    """Return contrasts of groups, given the value of all samples."""
    rows = _weights_by_row(names, reference, weights)
    contrasts = {
        name: _group_values.contrasts_of_groups(
            metrics[name],
            n_classes,
            moves[name],
            rows,
            of_all.confidence_level,
            is_adjusted=weights is None,
            n_left_out=of_all.n_left_out,
        )
        for name, of_all in overall.items()
    }
    by_group: dict[str, float] = {}
    hypothesis = next(iter(moves.values())).hypothesis
    if hypothesis == "distributions" and (weights is not None or reference is not None):
        hypothesis = "values"
    if weights is not None:
        (by_value,) = rows.values()
        by_group = dict(zip(names, by_value[1:].tolist(), strict=True))
    return GroupContrasts(
        ByMetric(contrasts),
        {name: metrics[name].greater_is_better for name in contrasts},
        "" if weights is not None else grouping.OVERALL if reference is None else reference,
        by_group,
        digits,
        hypothesis,
        Provenance.of_now(),
    )


def _weights_by_row(
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
    for name, weight in weights.items():
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
