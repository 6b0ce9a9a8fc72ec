"""The views of the report of groups: its document, dict and rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import OrdinalConfusion, OrdinalMetric
from sklearn_ordinal.documents import (
    Column,
    Document,
    Figure,
    Note,
    Part,
    Row,
    Section,
    Table,
    plain,
)
from sklearn_ordinal.inference import GroupDifference, Interval
from sklearn_ordinal.plotting import MetricEstimatesDisplay
from sklearn_ordinal.reports._prevalence import notes_on_prevalence
from sklearn_ordinal.reports._provenance import Provenance, footer
from sklearn_ordinal.reports._saved import SavedViews
from sklearn_ordinal.reports._sections import (
    headline,
    interval_name,
    samples_in_words,
    unanswered_parts,
)

# With fewer samples, bootstrap intervals are too short.
_FEW_SAMPLES = 20
_UNDEFINED = Column("undefined resamples", "number", digits=0, is_detail=True)
_MEANINGS = {
    "bias": "bias (mean signed error in positions; positive: predicted too high)",
    "too_high": "too_high (share of the predictions that are too high)",
    "too_low": "too_low (share of the predictions that are too low)",
}


class GroupReportViews(SavedViews):
    """Views of the numbers of a `GroupReport`, which has these attributes."""

    group_names: tuple[str, ...]
    target_names: tuple[str, ...]
    confusion: OrdinalConfusion | None
    class_counts: NDArray[Any]
    metrics: Mapping[str, OrdinalMetric]
    overall: Mapping[str, Interval]
    by_group: Mapping[str, Mapping[str, Interval]]
    minima: Mapping[str, Interval]
    maxima: Mapping[str, Interval]
    differences: Mapping[str, Mapping[str, GroupDifference]]
    ratios: Mapping[str, Mapping[str, Interval]]
    weights: Mapping[str, NDArray[np.float64]]
    exchanged: str
    n_resamples: int
    prevalence: NDArray[np.float64] | None
    digits: int
    provenance: Provenance | None
    group_sizes: NDArray[np.int64] | None

    @property
    def n_classes(self) -> int:
        """Number of classes on the scale."""
        return len(self.target_names)

    @property
    def n_samples(self) -> dict[str, int | None]:
        """Number of samples of each group, the unanswered included; None if not known."""
        if not self._is_weighted:
            return self.total_weights
        if self.group_sizes is None:
            return dict.fromkeys(self.group_names)
        return dict(zip(self.group_names, self.group_sizes.tolist(), strict=True))

    @property
    def total_weights(self) -> dict[str, Any]:
        """Sum of the weights of the samples of each group, without weights their number."""
        return dict(zip(self.group_names, self.class_counts.sum(axis=-1).tolist(), strict=True))

    @property
    def _is_weighted(self) -> bool:
        return self.class_counts.dtype.kind == "f"

    @property
    def _n_samples(self) -> int | None:
        """Number of all samples if there are weights and it is known."""
        return None if self.group_sizes is None else int(self.group_sizes.sum())

    @property
    def _interval_name(self) -> str:
        return interval_name(next(iter(self.overall.values())).confidence_level)

    def __repr__(self) -> str:
        return f"GroupReport({len(self.group_names)} groups, {', '.join(self.metrics)})"

    def plot(self, metric: Any = None, *, ax: Any = None, **options: Any) -> MetricEstimatesDisplay:
        """Draw the value of each group and of all samples, with their intervals.

        Parameters
        ----------
        metric : str or callable, default=None
            The criterion, or "bias", "too_high" or "too_low". If None, the first criterion.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, those of a new figure of a size that fits.
        **options : dict
            Options of `MetricEstimatesDisplay.plot`.

        Returns
        -------
        MetricEstimatesDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the report does not have the criterion.
        """
        name = next(iter(self.overall)) if metric is None else self.overall.name_of(metric)  # type: ignore[attr-defined]
        return MetricEstimatesDisplay(
            {self._interval_name: {**self.by_group[name], "overall": self.overall[name]}},
            label=name,
        ).plot(ax, **options)

    def document(self) -> Document:
        """Return the content of the report, from which its views are rendered.

        Returns
        -------
        Document
            The largest differences, a plot, and the groups by each criterion.
        """
        counts, tables = self.confusion, {name: self._table(name) for name in self.by_group}
        first = next(iter(tables))
        summary = samples_in_words(
            self.class_counts.sum().item(),
            self.target_names,
            is_weighted=self._is_weighted,
            n_samples=self._n_samples,
            which=f" in {len(self.group_names)} groups",
        )
        return Document(
            "Groups",
            (
                Note(summary),
                *notes_on_prevalence(self.prevalence, self.target_names),
                *map(Note, self._notes()),
                *(() if counts is None else unanswered_parts(self.metrics, counts.pooled())),
                self._differences_table("between_groups", "Largest differences between groups"),
                Note(self._about_the_test(), is_small=True),
                Figure(self.plot, f"{first} of each group", tables[first].title, tables[first]),
                *tables.values(),
                *self._details(),
            ),
            digits=self.digits,
            footer=footer(self.provenance),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers.

        Returns
        -------
        dict
            "groups": the number of samples of each group, and with weights "total_weights": the
            sums of their weights; "prevalence"; "exchanged": what the permutations of the test
            exchange; "criteria": for each a dict with "overall", "by_group", "group_min",
            "group_max", "difference", "ratio" and "weights". None where undefined.
        """
        numbers: dict[str, Any] = plain(
            {
                "groups": self.n_samples,
                **({"total_weights": self.total_weights} if self._is_weighted else {}),
                "prevalence": self.prevalence,
                "exchanged": self.exchanged,
                "criteria": {
                    name: {
                        "overall": asdict(self.overall[name]),
                        "by_group": {g: asdict(one) for g, one in self.by_group[name].items()},
                        "group_min": asdict(self.minima[name]),
                        "group_max": asdict(self.maxima[name]),
                        "difference": {k: asdict(d) for k, d in self.differences[name].items()},
                        "ratio": {k: asdict(one) for k, one in self.ratios[name].items()},
                        "weights": self._weights_by_group(name),
                    }
                    for name in self.by_group
                },
            }
        )
        return numbers

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each value, difference and ratio of each criterion."""
        return [
            {
                "criterion": name,
                "what": what,
                "group": group,
                "estimate": interval.estimate,
                "low": interval.low,
                "high": interval.high,
                "confidence_level": interval.confidence_level,
                "n_undefined": interval.n_undefined,
                "n_left_out": interval.n_left_out,
                "pvalue": getattr(interval, "pvalue", None),
            }
            for name in self.by_group
            for what, group, interval in self._figures_of(name)
        ]

    def _figures_of(self, name: str) -> Iterator[tuple[str, str | None, Interval]]:
        yield "overall", None, self.overall[name]
        for group, interval in self.by_group[name].items():
            yield "by_group", group, interval
        yield "group_min", None, self.minima[name]
        yield "group_max", None, self.maxima[name]
        for method, difference in self.differences[name].items():
            yield f"difference {method}", None, difference
        for method, ratio in self.ratios[name].items():
            yield f"ratio {method}", None, ratio

    def _weights_by_group(self, name: str) -> dict[str, float] | None:
        if name not in self.weights:
            return None
        return dict(zip(self.group_names, self.weights[name].tolist(), strict=True))

    def _notes(self) -> Iterator[str]:
        """Yield what a reader has to know about the groups."""
        if self.weights:
            which = ", ".join(self.weights)
            yield (
                f"{which}: all groups have the class sizes of all samples as the reference, and "
                f"the overall value is the mean of the groups by their weights."
            )
        yield from self._notes_on_small_groups()
        undefined: dict[tuple[str, ...], list[str]] = {}
        for name, values in self.by_group.items():
            groups = tuple(group for group, one in values.items() if np.isnan(one.estimate))
            undefined.setdefault(groups, []).append(name)
        for groups, criteria in undefined.items():
            if groups:
                yield (
                    f"Undefined for {', '.join(groups)}, so that smallest and largest values, "
                    f"differences and ratios leave them out: {', '.join(criteria)}."
                )

    def _notes_on_small_groups(self) -> Iterator[str]:
        few = [
            f"{group} ({size})"
            for group, size in self.n_samples.items()
            if size is not None and size < _FEW_SAMPLES
        ]
        if few:
            yield (
                f"Groups of fewer than {_FEW_SAMPLES} samples, whose intervals are too short: "
                f"{', '.join(few)}."
            )
        for group, sizes in zip(self.group_names, self.class_counts, strict=True):
            missing = [
                name for name, size in zip(self.target_names, sizes, strict=True) if not size
            ]
            if missing:
                yield f"No samples in {group} of the true classes: {', '.join(missing)}."

    def _about_the_test(self) -> str:
        are_clusters = self.exchanged == "whole clusters"
        explained = "numbers of clusters" if are_clusters else "class sizes"
        return (
            f"p: share of {self.n_resamples} random exchanges of {self.exchanged} between the "
            f"groups that lead to a difference as far from the one that the {explained} of the "
            f"groups explain. It is a test of all groups together. Intervals of differences hold "
            f"for all pairs of groups together. Neither is adjusted for the number of criteria."
        )

    def _table(self, name: str) -> Table:
        has_missing = bool(self.overall[name].n_left_out)
        has_weights = name in self.weights
        sizes = self.n_samples
        has_numbers = None not in sizes.values()
        intervals = (self.overall[name], *self.by_group[name].values())
        has_undefined = any(one.n_undefined for one in intervals)
        columns = (
            Column("group"),
            *((Column("samples", "number", digits=0),) if has_numbers else ()),
            *((Column("total weight", "number"),) if self._is_weighted else ()),
            Column("value", "number"),
            Column(self._interval_name, "interval"),
            *((Column("unanswered left out", "number", is_detail=True),) if has_missing else ()),
            *((Column("weight", "number", is_detail=True),) if has_weights else ()),
            *((_UNDEFINED,) if has_undefined else ()),
        )

        def row(group: str, number: int | None, total: float, one: Interval, weight: float) -> Row:
            return (
                group,
                *((number,) if has_numbers else ()),
                *((total,) if self._is_weighted else ()),
                one.estimate,
                (one.low, one.high),
                *((one.n_left_out,) if has_missing else ()),
                *((weight,) if has_weights else ()),
                *((one.n_undefined,) if has_undefined else ()),
            )

        weights = self._weights_by_group(name) or {}
        rows = tuple(
            row(group, sizes[group], total, self.by_group[name][group], weights.get(group, 0.0))
            for group, total in self.total_weights.items()
        )
        total = self.class_counts.sum().item()
        n_all = self._n_samples if self._is_weighted else total
        overall = row("overall", n_all, total, self.overall[name], 1.0)
        title = _MEANINGS.get(name) or headline(self.metrics[name], self.n_classes)
        return Table(title, columns, rows, (overall,))

    def _differences_table(self, method: str, title: str) -> Table:
        has_undefined = any(found[method].n_undefined for found in self.differences.values())
        columns = (
            Column("criterion"),
            Column("difference", "number"),
            Column(self._interval_name, "interval"),
            Column("p", "pvalue"),
            Column("lower"),
            Column("higher"),
            *((_UNDEFINED,) if has_undefined else ()),
        )
        rows = tuple(
            (
                name,
                found[method].estimate,
                (found[method].low, found[method].high),
                found[method].pvalue,
                found[method].lower_group,
                found[method].higher_group,
                *((found[method].n_undefined,) if has_undefined else ()),
            )
            for name, found in self.differences.items()
        )
        return Table(title, columns, rows)

    def _details(self) -> tuple[Part, ...]:
        columns = (
            Column("criterion"),
            Column("value", "number"),
            Column(self._interval_name, "interval"),
        )

        def table(title: str, of: Mapping[str, Interval]) -> Table:
            rows = tuple((name, one.estimate, (one.low, one.high)) for name, one in of.items())
            return Table(title, columns, rows)

        ratios = {
            method: {name: of[method] for name, of in self.ratios.items()}
            for method in ("between_groups", "to_overall")
        }
        parts = (
            table("Smallest value of a group", self.minima),
            table("Largest value of a group", self.maxima),
            self._differences_table("to_overall", "Largest difference of a group from all samples"),
            table("Smallest ratio between groups", ratios["between_groups"]),
            table("Smallest ratio of a group to all samples", ratios["to_overall"]),
        )
        note = Note("A ratio is undefined if one of the values is negative.", is_small=True)
        return (Section("Extremes and ratios", (*parts, note), is_detail=True),)
