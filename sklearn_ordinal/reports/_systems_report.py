"""The report of systems on one test set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from math import ceil
from typing import Any, Literal

import numpy as np

from sklearn_ordinal._core import ByMetric, OrdinalScale, amount_as_text, shown
from sklearn_ordinal._documents import (
    Column,
    Document,
    Figure,
    Note,
    Part,
    Section,
    Table,
    Views,
    counted,
    names_in_words,
    plain,
)
from sklearn_ordinal.inference import (
    TIE,
    Z_OF_POWER,
    PairedDifference,
    compact_letters,
    is_rejected,
    kendall_tau,
    ranks_of,
)
from sklearn_ordinal.plotting import IntervalsDisplay, as_columns
from sklearn_ordinal.reports._criteria import selected_metric
from sklearn_ordinal.reports._group_names import OVERALL
from sklearn_ordinal.reports._provenance import Provenance, footer
from sklearn_ordinal.reports._sections import (
    better_sign,
    difference_cells,
    difference_columns,
    direction_as_text,
    has_direction,
    headline,
    interval_name,
    parts_in_words,
    which_is_better,
)
from sklearn_ordinal.reports._verdicts import (
    agreement,
    extremes_in_words,
    placed_verdicts,
    systems_verdict,
)

# If there are more pairs, only the pairs with the best system are shown.
_MOST_PAIRS = 45
_LEFT_OUT = (
    "Each system's unanswered samples are left out, so a system gains by not answering hard "
    "samples."
)


@dataclass(frozen=True, eq=False, repr=False)
class SystemsReport(Views):
    """Systems on one test set, ranked by one or several criteria.

    Returned by `compare_systems`. `str` gives the text, and notebooks show tables and a plot.
    Values are in the unit of each criterion, so for losses lower is better. Keys may have any form
    that `get_metric` accepts.

    Parameters
    ----------
    scale : OrdinalScale
        The classes from the lowest to the highest.
    metrics : mapping of str to OrdinalMetric
        The criteria by name, with the main criterion first.
    scores : mapping of str to mapping of str to Interval
        For each criterion, the value of each system with its bootstrap interval.
    pvalues : mapping of str to ndarray of shape (n_systems, n_systems)
        For each criterion, the p-value of each pair of systems, adjusted for all pairs by
        the step-down maximum of t. NaN on the diagonal and for undefined values.
    margins : mapping of str to ndarray of shape (n_systems, n_systems)
        For each criterion, half the width of the interval of each pair. With a probability of
        `confidence_level`, the intervals contain all differences at once. NaN where `pvalues` is
        NaN, and if there are too few resamples for the level.
    standard_errors : mapping of str to ndarray of shape (n_systems, n_systems)
        For each criterion, the standard error of the difference of each pair. NaN where `pvalues`
        is NaN, for pairs that differ by the same value in all resamples, and in files of older
        versions.
    n_undefined : mapping of str to int
        For each criterion, the number of resamples left out of all tests because a tested system
        has no finite value in them.
    n_unanswered : mapping of str to int or float
        Number, or weight, of the samples without a predicted class, for each system.
    n_samples : int
        Number of samples, not counting samples of weight zero.
    n_units : int
        Number of samples, or of clusters, that were drawn in a resample.
    unit : {"sample", "cluster"}
        Whether samples or whole clusters were drawn.
    n_resamples : int
        Number of resamples.
    provenance : Provenance, default=None
        When and with which versions the report was made. It is ignored when reports are compared.
    total_weight : float, default=None
        Sum of the sample weights; None if there are no weights.
    groups : mapping of str to SystemsReport, default={}
        The report on the samples of each group; empty without groups.
    groups_left_out : mapping of str to str, default={}
        Groups in which the systems cannot be compared, with the reason.
    by : tuple of str, default=()
        Names of the columns that define the groups; empty if they are not known. They are ignored
        when reports are compared.
    cluster_name : str, default=""
        Name of the column of clusters, such as "patient"; empty if it is not known. It is ignored
        when reports are compared.

    Attributes
    ----------
    systems : tuple of str
        Names of the systems.
    ranks : dict of str to dict of str to int
        For each criterion, the rank of each system, where 1 is best. Ties share the better
        rank; systems without a value share the last. Empty if neither higher nor lower values of
        the criterion are better, as of a bias.
    letters : dict of str to dict of str to str
        For each criterion, the letters of each system. Two systems share a letter if and
        only if they do not differ significantly. A system without a value has no letters. Empty
        for a criterion without ranks.
    winners : dict of str to tuple of str
        Names of the systems with rank 1 for each criterion; empty if no system has a value, or
        there are no ranks.
    tau : dict of str to dict of str to float
        Kendall's tau-b between the orders of the systems for each pair of criteria that rank them;
        NaN for a criterion that ties all systems.
    verdicts : dict of str to str
        A sentence for each criterion: which system has the best value, and whether it beats
        all other systems, or which systems do not differ from it significantly. For a criterion
        without ranks, the sentence names the lowest and the highest value.

    See Also
    --------
    sklearn_ordinal.compare_systems : Make a report.
    sklearn_ordinal.inference.paired_difference : Compare two systems with a randomisation test.
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
    standard_errors: ByMetric
    n_undefined: ByMetric
    n_unanswered: Mapping[str, float]
    n_samples: int
    n_units: int
    unit: Literal["sample", "cluster"]
    n_resamples: int
    provenance: Provenance | None = None
    total_weight: float | None = None
    groups: Mapping[str, SystemsReport] = field(default_factory=dict)
    groups_left_out: Mapping[str, str] = field(default_factory=dict)
    by: tuple[str, ...] = ()
    cluster_name: str = ""

    @property
    def n_classes(self) -> int:
        """Number of classes on the scale."""
        return len(self.scale)

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""
        return tuple(self.n_unanswered)

    @property
    def confidence_level(self) -> float:
        """Confidence level of the intervals; the level of the tests is ``1 - confidence_level``."""
        first = next(iter(self.scores.values()))
        return float(first[self.systems[0]].confidence_level)

    @property
    def ranks(self) -> ByMetric:
        """Rank of each system for each criterion, 1 is best."""
        return ByMetric({name: self._ranks(name) for name in self.metrics})

    @property
    def letters(self) -> ByMetric:
        """Letters of each system for each criterion."""
        return ByMetric({name: self._letters(name) for name in self.metrics})

    @property
    def winners(self) -> ByMetric:
        """Names of the systems with rank 1 for each criterion."""
        return ByMetric({name: self._winners(name) for name in self.metrics})

    @property
    def tau(self) -> ByMetric:
        """Kendall's tau-b between the orders of the systems for each pair of criteria."""
        ranking = [name for name, metric in self.metrics.items() if has_direction(metric)]
        ranks = [list(self._ranks(name).values()) for name in ranking]
        values = kendall_tau(np.array(ranks, dtype=np.float64)).tolist() if ranking else []
        return ByMetric(
            {
                name: ByMetric(zip(ranking, row, strict=True))
                for name, row in zip(ranking, values, strict=True)
            }
        )

    @property
    def verdicts(self) -> ByMetric:
        """For each criterion, the best system and the systems that do not differ from it."""
        return ByMetric(
            {
                name: systems_verdict(
                    metric,
                    self.scores[name],
                    self._ranks(name),
                    self.pvalues[name],
                    self.margins[name] + Z_OF_POWER * self.standard_errors[name],
                    self.confidence_level,
                )
                if has_direction(metric)
                else extremes_in_words(metric, self.scores[name])
                for name, metric in self.metrics.items()
            }
        )

    def __repr__(self) -> str:
        return f"SystemsReport({len(self.systems)} systems, winners {shown(self.winners)})"

    def difference(self, first: str, second: str, criterion: Any = None) -> PairedDifference:
        """Return the difference between two systems.

        Parameters
        ----------
        first : str
            Name of the first system.
        second : str
            Name of the second system, whose value is subtracted.
        criterion : str, default=None
            One of the criteria, in any form that `get_metric` accepts. If None, the first.

        Returns
        -------
        PairedDifference
            The difference, its simultaneous interval, and the adjusted p-value. All are NaN if a
            system has no finite value. The ends of the interval are also NaN if there are too few
            resamples for the confidence level.

        Raises
        ------
        ValueError
            If the report does not have the systems or the criterion.
        """
        metric = selected_metric(self.metrics, criterion)
        for argument, name in (("first", first), ("second", second)):
            if not isinstance(name, str) or name not in self.systems:
                raise ValueError(
                    f"{argument} must be the name of a system, got {shown(name)}: the systems are "
                    f"{names_in_words(self.systems)}."
                )
        pair = self.systems.index(first), self.systems.index(second)
        scores = [self.scores[metric.name][name] for name in (first, second)]
        # The difference of two infinite losses is undefined, and an infinite difference is not
        # tested.
        values = [score.estimate if np.isfinite(score.estimate) else np.nan for score in scores]
        difference = values[0] - values[1]
        margin = 0.0 if first == second else self.margins[metric.name][pair]
        return PairedDifference(
            difference,
            difference - margin,
            difference + margin,
            self.confidence_level,
            n_undefined=self.n_undefined[metric.name],
            pvalue=float(self.pvalues[metric.name][pair]),
            greater_is_better=metric.greater_is_better,
            n_left_out=scores[0].n_left_out,
            n_left_out_b=scores[1].n_left_out,
            method="max t",
            standard_error=float(self.standard_errors[metric.name][pair]),
        )

    def best_first(self, criterion: Any = None) -> list[str]:
        """Return the names of the systems in the order of their ranks.

        Parameters
        ----------
        criterion : str, default=None
            One of the criteria, in any form that `get_metric` accepts. If None, the first.

        Returns
        -------
        list of str
            The names; tied systems are in the order of `systems`, and so are all systems if the
            criterion does not rank them.

        Raises
        ------
        ValueError
            If the report does not have the criterion.
        """
        ranks = self._ranks(selected_metric(self.metrics, criterion).name)
        return sorted(ranks, key=ranks.__getitem__) if ranks else list(self.systems)

    def plot(self, criterion: Any = None, *, ax: Any = None, **options: Any) -> IntervalsDisplay:
        """Draw the systems for one criterion, best first.

        Parameters
        ----------
        criterion : str, default=None
            One of the criteria, in any form that `get_metric` accepts. If None, the first.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.
        **options : dict
            Options of `IntervalsDisplay.plot`.

        Returns
        -------
        IntervalsDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the report does not have the criterion.
        """
        metric = selected_metric(self.metrics, criterion)
        names = self.best_first(criterion)
        columns = as_columns(self.scores[metric.name][name] for name in names)
        label, letters = f"{metric.name} ({which_is_better(metric)})", self._letters(metric.name)
        return IntervalsDisplay(
            names,
            {f"value, {interval_name(self.confidence_level)}": columns},
            label=f"{label}\na shared letter: no significant difference" if letters else label,
            beside=[
                "undefined" if np.isnan(value) else letters.get(name, "")
                for name, value in zip(names, columns[0], strict=True)
            ],
        ).plot(ax, **options)

    def document(self) -> Document:
        """Return the content of the report, from which its views are rendered.

        Returns
        -------
        Document
            The verdicts, a ranked table with its plot for each criterion, the agreement of the
            criteria, and the details of the pairs; with groups, a table of the ranks in all groups
            by the main criterion, and the same for each group. With more than 10 systems, only
            pairs with the best system are shown. If there are more than 6 criteria, all verdicts
            except the first are next to their tables.
        """
        ranks, letters = self.ranks, self.letters
        at_the_top, at_tables = placed_verdicts(self.verdicts)
        return Document(
            "Systems on one test set",
            (
                Note(f"{counted(len(self.systems), 'system')} on {_samples(self)}{_groups(self)}."),
                *([Note(agreement(self.winners, "systems"))] if len(self.tau) > 1 else []),
                *(
                    Section(
                        headline(metric, self.n_classes),
                        (
                            *at_tables[name],
                            *_criterion_parts(self, name, ranks[name], letters[name]),
                        ),
                    )
                    for name, metric in self.metrics.items()
                ),
                *_agreement_parts(self),
                *_group_parts(self),
                *_too_few_resamples(self),
            ),
            verdict=at_the_top,
            footer=footer(self.provenance),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers.

        Returns
        -------
        dict
            "criteria": for each criterion "better", "winners", "verdict", "n_undefined",
            "systems", a dict of rows with the columns of `to_frame`, and "pairs", a list of
            dicts, each with the difference, its simultaneous interval and the adjusted p-value;
            "tau": a dict of dicts; "n_samples", with weights "total_weight", "n_units",
            "unit", "n_resamples" and "confidence_level"; with groups, also "groups": for each group
            the same, and "groups_left_out" with the reasons. Undefined values are None.
        """
        numbers = self._numbers()
        if self.groups:
            numbers["groups"] = {name: report._numbers() for name, report in self.groups.items()}
            numbers["groups_left_out"] = dict(self.groups_left_out)
        plain_numbers: dict[str, Any] = plain(numbers)
        return plain_numbers

    def _numbers(self) -> dict[str, Any]:
        winners, verdicts = self.winners, self.verdicts
        return {
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

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each criterion and system, best first, then those of each group."""
        if not self.groups:
            return self._own_records()
        return [
            {"group": group, **record}
            for group, report in ((None, self), *self.groups.items())
            for record in report._own_records()
        ]

    def _own_records(self) -> list[dict[str, Any]]:
        return [
            {"criterion": criterion, "system": name, **row}
            for criterion in self.metrics
            for name, row in self._rows(criterion).items()
        ]

    def _rows(self, criterion: str) -> dict[str, dict[str, Any]]:
        """Return the numbers of each system, with the columns of a frame as keys."""
        ranks, letters = self._ranks(criterion), self._letters(criterion)
        metric = self.metrics[criterion]
        return {
            name: {
                "rank": ranks.get(name),
                "value": score.estimate,
                "low": score.low,
                "high": score.high,
                "letters": letters.get(name),
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
        pairs = []
        for first, second in combinations(self.best_first(criterion), 2):
            difference = self.difference(first, second, criterion)
            pairs.append(
                {
                    "first": first,
                    "second": second,
                    "difference": difference.estimate,
                    "low": difference.low,
                    "high": difference.high,
                    "adjusted_pvalue": difference.pvalue,
                }
            )
        return pairs

    def _ranks(self, criterion: str) -> dict[str, int]:
        greater_is_better = self.metrics[criterion].greater_is_better
        if greater_is_better is None:
            return {}
        scores = self.scores[criterion]
        values = np.array([scores[name].estimate for name in self.systems])
        ranks = ranks_of(values, greater_is_better=greater_is_better)
        return dict(zip(self.systems, ranks.tolist(), strict=True))

    def _winners(self, criterion: str) -> tuple[str, ...]:
        scores = self.scores[criterion]
        return tuple(
            name
            for name, rank in self._ranks(criterion).items()
            if rank == 1 and not np.isnan(scores[name].estimate)
        )

    def _letters(self, criterion: str) -> dict[str, str]:
        if not has_direction(self.metrics[criterion]):
            return {}
        scores = self.scores[criterion]
        tested = [name for name in self.best_first(criterion) if np.isfinite(scores[name].estimate)]
        positions = [self.systems.index(name) for name in tested]
        pvalues = self.pvalues[criterion][np.ix_(positions, positions)]
        is_different = is_rejected(pvalues, self.confidence_level)
        letters = compact_letters(is_different) if tested else []
        by_name = dict(zip(tested, letters, strict=True))
        return {name: by_name.get(name, "") for name in self.systems}


def _samples(report: SystemsReport) -> str:
    size = counted(report.n_samples, "sample")
    if report.total_weight is not None:
        size += f" with a total weight of {amount_as_text(report.total_weight)}"
    if report.unit == "sample":
        return size
    return f"{size} in {parts_in_words(report.n_units, report.unit, [report.cluster_name])}"


def _groups(report: SystemsReport) -> str:
    n_groups = len(report.groups) + len(report.groups_left_out)
    return f", {parts_in_words(n_groups, 'group', report.by)}" if n_groups else ""


def _criterion_parts(
    report: SystemsReport,
    criterion: str,
    ranks: dict[str, int],
    letters: dict[str, str],
    place: str = "",
) -> tuple[Part, ...]:
    """Return the ranked table, its plot and the pairs; `place` names the group in titles."""
    scores = report.scores[criterion]
    names = report.best_first(criterion)
    has_unanswered = any(report.n_unanswered.values())
    columns = (
        Column("system"),
        *((Column("rank", "number"),) if ranks else ()),
        Column("value", "number"),
        Column(interval_name(report.confidence_level), "interval"),
        *((Column("letters"),) if ranks else ()),
        *((Column("unanswered", "number"),) if has_unanswered else ()),
    )
    cells = tuple(
        (
            name,
            *((ranks[name],) if ranks else ()),
            scores[name].estimate,
            (scores[name].low, scores[name].high),
            *((letters[name],) if ranks else ()),
            *((report.n_unanswered[name],) if has_unanswered else ()),
        )
        for name in names
    )
    order, marks = (", best first", "intervals and letters") if ranks else ("", "intervals")
    systems = Table(f"Systems by {criterion}{place}{order}", columns, cells)
    return (
        systems,
        *(Note(text, is_small=True) for text in _left_out(report, criterion)),
        Figure(
            partial(report.plot, criterion),
            f"Systems by {criterion}{place}, with {marks}",
            f"Value and {'letters' if ranks else 'interval'} of each system by {criterion}{place}",
            systems,
        ),
        Section(
            f"Pairs of systems by {criterion}{place}",
            _pairs_parts(report, criterion, names),
            is_detail=True,
        ),
    )


def _left_out(report: SystemsReport, criterion: str) -> list[str]:
    leaves_out = any(score.n_left_out for score in report.scores[criterion].values())
    texts = [_LEFT_OUT] if leaves_out else []
    n_undefined = report.n_undefined[criterion]
    if n_undefined:
        texts.append(
            f"Pairs are tested without {n_undefined:,} of {report.n_resamples:,} resamples, on "
            f"which a system has no finite value."
        )
    return texts


def _pairs_parts(report: SystemsReport, criterion: str, names: Sequence[str]) -> tuple[Part, ...]:
    """Return the differences of all pairs, or only from the best system if there are many."""
    pairs, order = list(combinations(names, 2)), "first minus second"
    n_pairs = len(pairs)
    if n_pairs > _MOST_PAIRS:
        values = report.scores[criterion]
        best = next((name for name in names if np.isfinite(values[name].estimate)), names[0])
        pairs = [(best, name) for name in names if name != best]
        order = "the best minus each other"
    differences = [report.difference(*pair, criterion) for pair in pairs]
    table = Table(
        f"Differences, {order} ({better_sign(report.metrics[criterion])})",
        (
            Column("first"),
            Column("second"),
            *difference_columns(f"joint {interval_name(report.confidence_level)}", "max t"),
        ),
        tuple(
            (*pair, *difference_cells(difference, difference.pvalue))
            for pair, difference in zip(pairs, differences, strict=True)
        ),
    )
    if n_pairs == len(pairs):
        return (table,)
    return (table, Note(f"to_dict returns all {n_pairs:,} pairs."))


def _agreement_parts(report: SystemsReport) -> tuple[Part, ...]:
    tau = report.tau
    if len(tau) < 2:
        return ()
    table = Table(
        "Kendall's tau between the orders of the systems",
        (Column("criterion"), *(Column(name, "number") for name in tau)),
        tuple((name, *row.values()) for name, row in tau.items()),
    )
    return (Section("Agreement of the criteria", (table,)),)


def _group_parts(report: SystemsReport) -> Iterator[Part]:
    """Yield the systems in all groups by the main criterion, and the report of each group."""
    if not report.groups:
        return
    criterion = next(iter(report.metrics))
    yield Section(f"Groups by {criterion}", tuple(_groups_tables(report, criterion)))
    for group, of_group in report.groups.items():
        ranks, letters = of_group.ranks, of_group.letters
        yield Section(
            f"Group {group}",
            (
                Note(f"{_samples(of_group)}."),
                *map(Note, of_group.verdicts.values()),
                *(
                    part
                    for name in of_group.metrics
                    for part in _criterion_parts(
                        of_group, name, ranks[name], letters[name], f" in {group}"
                    )
                ),
            ),
        )


def _groups_tables(report: SystemsReport, criterion: str) -> Iterator[Part]:
    """Yield the values, and the ranks if there are any, of each system in each group."""
    reports = (report, *report.groups.values())
    names = report.best_first(criterion)
    columns = (
        Column("system"),
        *(Column(name, "number") for name in (OVERALL, *report.groups)),
    )
    all_ranks, winners = (
        [of_group.ranks[criterion] for of_group in reports],
        [of_group.winners[criterion] for of_group in reports],
    )
    n_values = [
        sum(not np.isnan(score.estimate) for score in of_group.scores[criterion].values())
        for of_group in reports
    ]
    best = frozenset(
        (names.index(name), k + 1)
        for k, in_group in enumerate(winners)
        for name in in_group
        if n_values[k] > 1
    )
    if all_ranks[0]:
        yield Table(
            f"Ranks by {criterion} in each group",
            columns,
            tuple((name, *(ranks[name] for ranks in all_ranks)) for name in names),
            bold=best,
        )
    yield Table(
        f"Values of {criterion} in each group",
        columns,
        tuple(
            (name, *(of_group.scores[criterion][name].estimate for of_group in reports))
            for name in names
        ),
        (("samples", *(of_group.n_samples for of_group in reports)),),
        best,
    )
    if report.groups_left_out:
        reasons = "; ".join(f"{name} ({why})" for name, why in report.groups_left_out.items())
        yield Note(f"Systems are not compared in {reasons}.")


def _too_few_resamples(report: SystemsReport) -> tuple[Part, ...]:
    smallest = 1 / (report.n_resamples + 1)
    if is_rejected(smallest, report.confidence_level):
        return ()
    resamples = counted(report.n_resamples, "resample")
    n_needed = ceil((1 - TIE) / (1 - report.confidence_level)) - 1
    return (
        Note(
            f"With {resamples}, no p-value is below {smallest:.3g}, so that no difference can be "
            f"significant: at least {n_needed:,} are needed."
        ),
    )
