"""`compare_systems`: systems on one test set, ranked and compared in one call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import combinations
from math import ceil
from typing import Any, Literal, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._core import (
    checks,
    confusion_counts,
    counting,
    evidence_kinds,
    evidence_reading,
    grouping,
    lookup,
    sampling,
    tolerances,
)
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.checks import RandomState
from sklearn_ordinal._core.confusion_counts import OrdinalConfusion
from sklearn_ordinal._core.counting import SampleReadingOptions
from sklearn_ordinal._core.evidence_kinds import Kind
from sklearn_ordinal._core.evidence_reading import SystemsEvidence
from sklearn_ordinal._core.influence_functions import Evidence
from sklearn_ordinal._core.lookup import ByMetric, MetricsLike
from sklearn_ordinal._core.sampling import TrueClasses
from sklearn_ordinal._documents import formatting
from sklearn_ordinal._documents.document_parts import Column, Note, Part, Row, Section, Table
from sklearn_ordinal.inference import (
    _bootstrap,
    _holm_correction,
    _intervals,
    _paired_difference,
    _ranks,
)
from sklearn_ordinal.inference._intervals import Contrast, Interval, Reason
from sklearn_ordinal.inference._paired_difference import PairedDifference
from sklearn_ordinal.plotting import _intervals_display
from sklearn_ordinal.plotting._intervals_display import IntervalsDisplay
from sklearn_ordinal.reports import _sections, _sentences
from sklearn_ordinal.reports._sections import Provenance
from sklearn_ordinal.reports._values import DIFFERENCE, VALUE, Key, Values
from sklearn_ordinal.systems import _pair_tests

# The report of systems on one test set
# -------------------------------------

# If there are more pairs, only the pairs with the best system are shown.
_MOST_PAIRS = 45
Overall = Literal["pooled", "mean of groups"]
_LEFT_OUT = (
    "Each system's unanswered samples are left out, so a system gains by not answering hard "
    "samples."
)

_NO_ERROR = (
    "A value that no sample moves, as of perfect or constant predictions, has no interval: the "
    "samples do not show how much it varies."
)
_MEANS = " Overall values are means of the values in the groups, each with the same weight."


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SystemsReport(Values):
    """Systems on one test set, ranked by one or several criteria.

    Returned by `compare_systems`. `str` gives the text, and notebooks show tables and a plot.
    Values are in the unit of each criterion, so for losses lower is better. Keys may have any form
    that `get_metric` accepts.

    Parameters
    ----------
    rows : mapping of tuple to Interval
        The values: a key has the criterion, the system, None, None and "value".
    metrics : mapping of str to OrdinalMetric
        The criteria by name, with the main criterion first.
    inferred : tuple of str
        The criteria whose intervals and tests the default text shows: those that are passed as
        ``metrics=``, or the first of "all".
    n_classes : int
        Number of classes on the scale.
    digits : int, default=3
        Least number of digits after the decimal point in text and tables.
    provenance : Provenance, default=None
        When and with which versions the report was made. It is ignored when reports are compared.
    pvalues : mapping of str to ndarray of shape (n_systems, n_systems)
        For each criterion, the p-value of each pair of systems, adjusted for all pairs by
        the step-down maximum of t. NaN on the diagonal and for undefined values.
    margins : mapping of str to ndarray of shape (n_systems, n_systems)
        For each criterion, half the width of the interval of each pair. With a probability of
        `confidence_level`, the intervals contain all differences at once. NaN where `pvalues` is
        NaN, if there are too few resamples for the level, and for pairs that all samples, or
        clusters, tell apart by the same amount.
    standard_errors : mapping of str to ndarray of shape (n_systems, n_systems)
        For each criterion, the standard error of the difference of each pair. NaN where `pvalues`
        is NaN, and for pairs that differ by the same value in all samples, clusters or resamples.
    n_differing : mapping of str to ndarray of shape (n_systems, n_systems)
        For each criterion, the number of samples, or clusters, for which the classes that each pair
        predicts differ. NaN for probabilities and scores, and where the p-value is that of an exact
        sign test or comes from resamples.
    n_undefined : mapping of str to int
        For each criterion, the number of resamples left out of all tests because a tested system
        has no finite value in them.
    n_unanswered : mapping of str to int or float
        Number, or weight, of the samples without a predicted class, for each system.
    n_samples : int
        Number of samples, not counting samples of weight zero.
    n_units : int
        Number of samples, or of clusters.
    unit : {"sample", "cluster"}
        Whether samples or whole clusters are independent.
    n_resamples : int or None
        Number of resamples of the criteria that were resampled; None if there are none.
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
    n_strata : int, default=None
        Number of strata from which the samples were drawn, None without strata.
    overall : {"pooled", "mean of groups"}, default="pooled"
        Whether `scores` are the values of all samples, or means of the values in the groups.
    margin : float, default=0.0
        Loss that is tolerated, in the unit of the criteria.

    Attributes
    ----------
    systems : tuple of str
        Names of the systems.
    scores : mapping of str to mapping of str to Interval
        For each criterion, the value of each system with its interval.
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
        all other systems, or which systems do not differ from it significantly. With a margin, a
        second sentence says which systems are worse than it by more than the margin. For a
        criterion without ranks, the sentence names the lowest and the highest value.

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
    >>> report = compare_systems(y_true, predictions)
    >>> report.ranks["cem_ord"]
    {'good': 1, 'fair': 2, 'poor': 3}
    >>> report.letters["cem_ord"]
    {'good': 'a', 'fair': 'b', 'poor': 'c'}
    """

    axes = ("criterion", "system", "against", "group", "what")
    _title = "Systems on one test set"

    pvalues: ByMetric
    margins: ByMetric
    standard_errors: ByMetric
    n_differing: ByMetric
    n_undefined: ByMetric
    n_unanswered: Mapping[str, float]
    n_samples: int
    n_units: int
    unit: Literal["sample", "cluster"]
    n_resamples: int | None
    total_weight: float | None = None
    groups: Mapping[str, SystemsReport] = field(default_factory=dict)
    groups_left_out: Mapping[str, str] = field(default_factory=dict)
    by: tuple[str, ...] = ()
    cluster_name: str = ""
    n_strata: int | None = None
    overall: Overall = "pooled"
    margin: float = 0.0

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""
        return tuple(self.n_unanswered)

    @cached_property
    def scores(self) -> ByMetric:
        """Value of each system, by criterion name and name of the system."""
        return ByMetric({name: self._along("system", criterion=name) for name in self.metrics})

    @cached_property
    def ranks(self) -> ByMetric:
        """Rank of each system for each criterion, 1 is best."""
        return ByMetric({name: self._ranks(name) for name in self.metrics})

    @cached_property
    def letters(self) -> ByMetric:
        """Letters of each system for each criterion."""
        return ByMetric({name: self._letters(name) for name in self.metrics})

    @cached_property
    def winners(self) -> ByMetric:
        """Names of the systems with rank 1 for each criterion."""
        return ByMetric({name: self._winners(name) for name in self.metrics})

    @cached_property
    def tau(self) -> ByMetric:
        """Kendall's tau-b between the orders of the systems for each pair of criteria."""
        ranking = [name for name, metric in self.metrics.items() if _sections.has_direction(metric)]
        ranks = [list(self.ranks[name].values()) for name in ranking]
        values = _ranks.kendall_tau(np.array(ranks, dtype=np.float64)).tolist() if ranking else []
        return ByMetric(
            {
                name: ByMetric(zip(ranking, row, strict=True))
                for name, row in zip(ranking, values, strict=True)
            }
        )

    @cached_property
    def verdicts(self) -> ByMetric:
        """For each criterion, the best system and the systems that do not differ from it."""
        return ByMetric(
            {
                name: _sentences.systems_verdict(
                    metric,
                    self.scores[name],
                    self.ranks[name],
                    self.pvalues[name],
                    self.margins[name] + _paired_difference.Z_OF_POWER * self.standard_errors[name],
                    self.confidence_level,
                )
                + self._beside_the_best(name)
                if _sections.has_direction(metric)
                else _sentences.extremes_in_words(metric, self.scores[name])
                for name, metric in self.metrics.items()
            }
        )

    def _beside_the_best(self, criterion: str) -> str:
        """Say which systems are worse than the best one by more than the margin, if there is one.

        The sentence follows a verdict.
        """
        best, scores = self.winners[criterion], self.scores[criterion]
        if not self.margin or not best or not np.isfinite(scores[best[0]].estimate):
            return ""
        names: dict[bool | None, list[str]] = {False: [], None: [], True: []}
        for name in self.best_first(criterion):
            if name not in best and np.isfinite(scores[name].estimate):
                names[self.difference(name, best[0], criterion).worse_than()].append(name)
        claims = [
            _paired_difference.worse_in_words(
                answer,
                formatting.names_in_words(of_answer),
                self.margin,
                "is" if len(of_answer) == 1 else "are",
            )
            for answer, of_answer in names.items()
            if of_answer
        ]
        return f" Compared with {best[0]}, {'; '.join(claims)}." if claims else ""

    def __repr__(self) -> str:
        return f"SystemsReport({len(self.systems)} systems, winners {checks.shown(self.winners)})"

    def one(self, **members: str | None) -> Any:
        """Return one row.

        Parameters
        ----------
        **members : str or None
            The criterion, the system, the system that it is compared with, as `against`, and the
            group. The default of the criterion is the first one; without `against` and group, the
            row is the value of the system on all samples.

        Returns
        -------
        Interval
            The value with its interval, or the difference with its simultaneous interval and
            adjusted p-value.

        Raises
        ------
        ValueError
            If there is no such axis or no such row.
        """
        group = members.pop("group", None)
        if group is not None:
            if group not in self.groups:
                groups = checks.listed(list(self.groups))
                raise ValueError(f"group must be among {groups}, got {checks.shown(group)}.")
            return self.groups[group].one(**members)
        if members.get("against") is None:
            return super().one(**members)
        self._check_axes(members)
        first, second = str(members.get("system")), str(members["against"])
        return self._contrast(first, second, self._name_of(members.get("criterion")))

    def difference(self, first: str, second: str, metric: Any = None) -> PairedDifference:
        """Return the difference between two systems.

        Parameters
        ----------
        first : str
            Name of the first system.
        second : str
            Name of the second system, whose value is subtracted.
        metric : str or callable, default=None
            One of the criteria, in any form that `get_metric` accepts. If None, the first.

        Returns
        -------
        PairedDifference
            The difference, its simultaneous interval, and the adjusted p-value. All are NaN if a
            system has no finite value. The ends of the interval are also NaN if there are too few
            resamples for the confidence level, or the same difference in all samples.

        Raises
        ------
        ValueError
            If the report does not have the systems or the criterion.
        """
        chosen = _sections.selected_metric(self.metrics, metric)
        for argument, name in (("first", first), ("second", second)):
            if not isinstance(name, str) or name not in self.systems:
                raise ValueError(
                    f"{argument} must be the name of a system, got {checks.shown(name)}: the "
                    f"systems are {formatting.names_in_words(self.systems)}."
                )
        pair = self.systems.index(first), self.systems.index(second)
        scores = [self.scores[chosen.name][name] for name in (first, second)]
        # The difference of two infinite losses is undefined, and an infinite difference is not
        # tested.
        values = [score.estimate if np.isfinite(score.estimate) else np.nan for score in scores]
        difference = values[0] - values[1]
        margin = 0.0 if first == second else self.margins[chosen.name][pair]
        return PairedDifference(
            difference,
            difference - margin,
            difference + margin,
            self.confidence_level,
            n_undefined=self.n_undefined[chosen.name],
            pvalue=float(self.pvalues[chosen.name][pair]),
            greater_is_better=chosen.greater_is_better,
            n_left_out=scores[0].n_left_out,
            n_left_out_b=scores[1].n_left_out,
            method="max t",
            standard_error=float(self.standard_errors[chosen.name][pair]),
            margin=self.margin,
        )

    def best_first(self, metric: Any = None) -> list[str]:
        """Return the names of the systems in the order of their ranks.

        Parameters
        ----------
        metric : str or callable, default=None
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
        ranks = self.ranks[_sections.selected_metric(self.metrics, metric).name]
        return sorted(ranks, key=ranks.__getitem__) if ranks else list(self.systems)

    def _display(self, criterion: str) -> IntervalsDisplay:
        metric, names = self.metrics[criterion], self.best_first(criterion)
        letters = self.letters[criterion] if _has_letters(self, criterion) else {}
        columns = _intervals_display.as_columns(self.scores[criterion][name] for name in names)
        label = f"{criterion} ({_sections.which_is_better(metric)})"
        return IntervalsDisplay(
            names,
            {f"value, {_sections.interval_name(self.confidence_level)}": columns},
            label=f"{label}\na shared letter: no significant difference" if letters else label,
            beside=[
                "undefined" if np.isnan(value) else letters.get(name, "")
                for name, value in zip(names, columns[0], strict=True)
            ],
        )

    def _sentences(self) -> Iterator[str]:
        yield self.verdicts[self.inferred[0]]
        if len(self.tau) > 1:
            yield _sentences.agreement(self.winners, "systems")
        if self.groups and len(next(iter(self.winners.values()))) == 1:
            yield _sentences.winners_in_groups(
                self.best_first()[0], [report.winners for report in self.groups.values()]
            )

    def _notes(self) -> Iterator[str]:
        means = _MEANS if self.overall == "mean of groups" else ""
        systems = formatting.counted(len(self.systems), "system")
        yield f"{systems} on {_samples(self)}{_groups(self)}.{means}"
        unanswered = [
            f"{name} ({formatting.amount_as_text(amount)})"
            for name, amount in self.n_unanswered.items()
            if amount
        ]
        if unanswered:
            yield f"Samples without an answer: {formatting.names_in_words(unanswered)}."
        # Criteria may have the same notes.
        texts = (text for name in self.inferred for text in _left_out(self, name))
        yield from dict.fromkeys(texts)
        yield from _too_few_resamples(self)
        if self.groups_left_out:
            reasons = "; ".join(f"{name} ({why})" for name, why in self.groups_left_out.items())
            yield f"Systems are not compared in {reasons}."

    def _views(self) -> Iterator[Part]:
        others = [name for name in self.metrics if name not in self.inferred]
        for number, name in enumerate(self.inferred):
            yield from [Note(self.verdicts[name])] if number else []
            yield self._systems_table(name)
        if any(_has_letters(self, name) for name in self.inferred):
            yield Note(
                "Systems that share a letter do not differ significantly. Joint intervals hold for "
                "all pairs together."
            )
        if others:
            yield self._matrix("Values by the other criteria", others)
        if self.groups:
            yield self._values_in_groups(self.inferred[0])
        for name in self.metrics:
            tables = [self._systems_table(name)] if name in others else []
            parts = (*tables, *_pairs_parts(self, name, self.best_first(name)))
            yield Section(f"Pairs of systems by {name}", parts, is_detail=True)
        if len(self.tau) > 1:
            yield Section("Agreement of the criteria", (self._tau_table(),), is_detail=True)
        for group, report in self.groups.items():
            yield Section(
                f"Group {group}",
                (
                    Note(f"{_samples(report)}."),
                    *map(Note, report.verdicts.values()),
                    *(report._systems_table(name, f" in {group}") for name in report.metrics),
                    *(Note(text) for name in report.metrics for text in _left_out(report, name)),
                ),
                is_detail=True,
            )

    def _systems_table(self, criterion: str, place: str = "") -> Table:
        """Return the systems, best first, and their differences from the best one."""
        scores, ranks = self.scores[criterion], self.ranks[criterion]
        names = self.best_first(criterion)
        from_best = {
            name: self._contrast(name, names[0], criterion)
            for name in names[1:]
            if ranks and np.isfinite(scores[names[0]].estimate)
        }
        blocks = [_sections.intervals(scores, self.digits, is_detail=bool(from_best))]
        if ranks:
            blocks.insert(0, _sections.block(Column("rank", "number"), ranks))
        if from_best:
            blocks.append(_sections.differences(from_best, self.digits, "from best", level="joint"))
        if _has_letters(self, criterion):
            blocks.append(_sections.block(Column("letters"), self.letters[criterion]))
        if any(self.n_unanswered.values()):
            column = Column("unanswered", "number", is_detail=True)
            blocks.append(_sections.block(column, self.n_unanswered))
        order = ", best first" if ranks else ""
        title = f"Systems by {self._headline(criterion)}{place}{order}"
        return _sections.table(title, "system", names, *blocks)

    def _values_in_groups(self, criterion: str) -> Table:
        """Return the values of each system in each group, with the best of each in bold."""
        reports = {grouping.OVERALL: self, **self.groups}
        names = self.best_first(criterion)
        blocks = [
            _sections.estimates(group, report.scores[criterion])
            for group, report in reports.items()
        ]
        table = _sections.table(f"Values of {criterion} in each group", "system", names, *blocks)
        best = frozenset(
            (names.index(name), column)
            for column, report in enumerate(reports.values(), start=1)
            for name in report.winners[criterion]
            if sum(not np.isnan(row.estimate) for row in report.scores[criterion].values()) > 1
        )
        sizes: Row = ("samples", *(report.n_samples for report in reports.values()))
        return replace(table, summary=(sizes,), bold=best)

    def _tau_table(self) -> Table:
        tau = self.tau
        return _sections.table(
            "Kendall's tau between the orders of the systems",
            "criterion",
            list(tau),
            *(_sections.block(Column(name, "number"), column) for name, column in tau.items()),
        )

    def _facts(self) -> dict[str, Any]:
        numbers = "n_samples", "total_weight", "n_units", "unit", "n_resamples", "n_undefined"
        facts = {name: getattr(self, name) for name in (*numbers, "margin", "overall")}
        facts |= {"winners": self.winners, "verdicts": self.verdicts, "tau": self.tau}
        if self.groups:
            facts["groups"] = {name: report._facts() for name, report in self.groups.items()}
            facts["groups_left_out"] = dict(self.groups_left_out)
        return facts

    def _extras(self, key: Key) -> dict[str, Any]:
        criterion, system, against, *_ = map(str, key)
        names = "rank", "letters", "n_unanswered", "against_is_worse"
        extras = dict.fromkeys(names)
        if key[2] is not None:
            is_worse = self.difference(against, system, criterion).worse_than()
            return {**extras, "against_is_worse": is_worse}
        return {
            **extras,
            "rank": self.ranks[criterion].get(system),
            "letters": self.letters[criterion].get(system),
            "n_unanswered": self.n_unanswered[system],
        }

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each value and each pair, then those of each group."""
        values: dict[Key, Interval] = {
            (name, system, None, None, VALUE): self.scores[name][system]
            for name in self.metrics
            for system in self.best_first(name)
        }
        own = replace(self, rows={**values, **self._pairs()}, groups={})
        records = Values._records(own)
        for group, report in self.groups.items():
            records += [{**record, "group": group} for record in report._records()]
        return records

    def _pairs(self) -> dict[Key, Contrast]:
        """Return the difference of each pair, the better system first."""
        return {
            (name, *pair, None, DIFFERENCE): self._contrast(*pair, name)
            for name in self.metrics
            for pair in combinations(self.best_first(name), 2)
        }

    def _contrast(self, first: str, second: str, criterion: str) -> Contrast:
        """Return a difference with its simultaneous interval and adjusted p-value."""
        difference = self.difference(first, second, criterion)
        return Contrast(**_intervals.numbers_of(difference), adjusted_pvalue=difference.pvalue)

    def _ranks(self, criterion: str) -> dict[str, int]:
        greater_is_better = self.metrics[criterion].greater_is_better
        if greater_is_better is None:
            return {}
        scores = self.scores[criterion]
        values = np.array([scores[name].estimate for name in self.systems])
        ranks = _ranks.ranks_of(values, greater_is_better=greater_is_better)
        return dict(zip(self.systems, ranks.tolist(), strict=True))

    def _winners(self, criterion: str) -> tuple[str, ...]:
        scores = self.scores[criterion]
        return tuple(
            name
            for name, rank in self.ranks[criterion].items()
            if rank == 1 and not np.isnan(scores[name].estimate)
        )

    def _letters(self, criterion: str) -> dict[str, str]:
        if not _sections.has_direction(self.metrics[criterion]):
            return {}
        scores = self.scores[criterion]
        tested = [name for name in self.best_first(criterion) if np.isfinite(scores[name].estimate)]
        positions = [self.systems.index(name) for name in tested]
        pvalues = self.pvalues[criterion][np.ix_(positions, positions)]
        is_different = _holm_correction.is_rejected(pvalues, self.confidence_level)
        letters = _pair_tests.compact_letters(is_different) if tested else []
        by_name = dict(zip(tested, letters, strict=True))
        return {name: by_name.get(name, "") for name in self.systems}


def _has_letters(report: SystemsReport, criterion: str) -> bool:
    """Return whether views show letters, which only repeat the p-value of two systems."""
    return len(report.systems) > 2 and bool(report.letters[criterion])


def _samples(report: SystemsReport) -> str:
    size = formatting.counted(report.n_samples, "sample")
    if report.total_weight is not None:
        size += f" with a total weight of {formatting.amount_as_text(report.total_weight)}"
    n_clusters = report.n_units if report.unit == "cluster" else None
    drawn = _sections.drawn_in_words(n_clusters, report.cluster_name, report.n_strata)
    return f"{size}{drawn and ' in '}{drawn}"


def _groups(report: SystemsReport) -> str:
    n_groups = len(report.groups) + len(report.groups_left_out)
    return f", {_sections.parts_in_words(n_groups, 'group', report.by)}" if n_groups else ""


def _left_out(report: SystemsReport, criterion: str) -> list[str]:
    leaves_out = any(score.n_left_out for score in report.scores[criterion].values())
    texts = [_LEFT_OUT] if leaves_out else []
    errors = [
        score.standard_error
        for score in report.scores[criterion].values()
        if np.isfinite(score.estimate) and np.isnan(score.low)
    ]
    if any(error is not None and error <= tolerances.ZERO_SPREAD for error in errors):
        texts.append(_NO_ERROR)
    n_undefined = report.n_undefined[criterion]
    if n_undefined:
        texts.append(
            f"Pairs are tested without {n_undefined:,} of {report.n_resamples:,} resamples, on "
            f"which a system has no finite value."
        )
    return texts + _notes_on_pairs(report, criterion)


def _notes_on_pairs(report: SystemsReport, criterion: str) -> list[str]:
    """Say which p-values are approximate, or come from another test than the intervals."""
    pvalues, margins = report.pvalues[criterion], report.margins[criterion]
    values = np.array([score.estimate for score in report.scores[criterion].values()])
    is_rejected = _holm_correction.is_rejected(pvalues, report.confidence_level)
    with np.errstate(invalid="ignore"):
        apart = np.abs(values[:, None] - values)
    is_few = report.n_differing[criterion] < _paired_difference.FEW_UNITS
    has_no_error = ~np.isnan(pvalues) & np.isnan(report.standard_errors[criterion])
    units = f"{report.unit}s"
    notes = {
        f"These systems differ on fewer than {_paired_difference.FEW_UNITS} {units}, so that p is "
        "approximate, and too small if all of them favour the same system": is_few & is_rejected,
        f"These differences are the same in all {units}, so that there is no interval, and p is "
        "that of the exact sign test": has_no_error & np.isnan(margins),
        "The p-values of these differences are those of the exact sign test, which counts where it "
        "and the interval disagree": (apart > margins) & ~is_rejected,
        "The joint intervals of these differences contain 0, but p counts, since it leaves out the "
        "pairs that are already shown to differ": (apart <= margins) & is_rejected,
    }
    texts = []
    for text, is_noted in notes.items():
        pairs = [
            f"{report.systems[i]} and {report.systems[j]}"
            for i, j in np.argwhere(np.triu(is_noted))
        ]
        if pairs:
            texts.append(f"{text}: {formatting.names_in_words(pairs)}.")
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
    rows = {
        f"{first} - {second}": report._contrast(first, second, criterion) for first, second in pairs
    }
    table = _sections.table(
        f"Differences, {order} ({_sections.better_sign(report.metrics[criterion])})",
        "pair",
        list(rows),
        _sections.differences(rows, report.digits, level="joint"),
    )
    if n_pairs == len(pairs):
        return (table,)
    return (table, Note(f"to_frame returns all {n_pairs:,} pairs."))


def _too_few_resamples(report: SystemsReport) -> tuple[str, ...]:
    n_maxima = report.n_resamples or _pair_tests.N_DRAWS
    smallest = 1 / (n_maxima + 1)
    is_exact = report.n_resamples is None and len(report.systems) == 2
    if is_exact or _holm_correction.is_rejected(smallest, report.confidence_level):
        return ()
    is_drawn = report.n_resamples is None
    drawn = formatting.counted(n_maxima, "draw" if is_drawn else "resample")
    n_needed = ceil((1 - tolerances.TIE) / (1 - report.confidence_level)) - 1
    return (
        f"With {drawn}, no p-value is below {smallest:.3g}, so that no difference can be "
        f"significant: at least {n_needed:,} are needed"
        f"{f', as with n_resamples={n_needed}' if is_drawn else ''}.",
    )


# Systems on one test set, compared in one call
# ---------------------------------------------


@counting.takes_reading(SampleReadingOptions)
def compare_systems(
    y_true: TrueClasses | OrdinalConfusion | Mapping[str, Evidence],
    predictions: Mapping[str, Any] | None = None,
    *,
    metrics: MetricsLike = "cem_ord",
    by: Any = None,
    overall: Overall = "pooled",
    margin: float = 0.0,
    n_resamples: int | None = None,
    confidence_level: float = 0.95,
    random_state: RandomState = None,
    **reading: Unpack[SampleReadingOptions],
) -> SystemsReport:
    r"""Rank systems on one test set, and test all pairs of them.

    The interval of each system is that of `delta_interval`, in closed form. All pairs are tested by
    the step-down maximum [1]_: the t statistic of a pair, turned into a normal one, is compared
    with the largest such value among all pairs that have not been found to differ, if the values of
    all systems are normal with the covariance matrix that the samples show. This controls the
    probability of any false difference among all pairs, and takes the dependence between systems
    into account, which Holm's method does not.

    Systems that do not differ significantly share a letter [2]_.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_classes), ratings or evidence
        True classes; or soft labels, which are a distribution over the classes for each sample, or
        the grades of several raters as `OrdinalRatings`; or evidence of all systems on the same
        samples, passed instead of the arrays and their options, such as `labels`: the counts of
        `OrdinalConfusion.from_systems`, or a dict that maps the names of the systems to
        `OrdinalForecasts` or `OrdinalScores`.
    predictions : dict of str to array-like or dict, default=None
        The predictions of each system, keyed by name: classes of shape (n_samples,); probabilities
        of the classes, from the lowest to the highest, of shape (n_samples, n_classes); or both, as
        ``{"y_pred": classes, "y_proba": probabilities}``. Criteria of rankings also take scores of
        shape (n_samples,), as ``{"y_proba": scores}``. There must be at least two systems.
    **reading
    metrics : str, callable, iterable or dict of them, default="cem_ord"
        The criteria, in any form that `get_metric` accepts, starting with the main criterion; or
        "all" for all criteria of this package that can be computed from the predictions of every
        system. Criteria of predicted classes and criteria of probabilities may be combined. The two
        kinds use separate resamples.
    by : array-like of shape (n_samples,) or (n_samples, n_columns) or dict, default=None
        Group of each sample, such as its language. If not None, the systems are also ranked on the
        samples of each group; with several columns, each combination that occurs is a group.
    overall : {"pooled", "mean of groups"}, default="pooled"
        Whether the systems are ranked by their values on all samples, or by the means of their
        values in the groups of `by`, each group with the same weight. If a value is undefined in a
        group, so is the mean.
    margin : float, default=0.0
        Loss that is tolerated, in the unit of the criteria: a system is worse than another if the
        whole simultaneous interval of their difference is worse than the margin, and not worse if
        the whole interval is at least as good.
    n_resamples : int, default=None
        If not None, the intervals and tests come from as many resamples of the samples, or of
        clusters of them: the intervals are those of `bootstrap_interval`, and the maxima those of
        studentised differences in the resamples. If None, only criteria without influences, such as
        a function of your own, are resampled, 9,999 times.
    confidence_level : float, default=0.95
        Confidence level of the intervals, between 0 and 1. Pairs are tested at the level
        ``1 - confidence_level``, such as 0.05.
    random_state : int, RandomState instance, Generator or None, default=None
        Seed or source of the random numbers of resamples. Pass an int for reproducible reports.

    Returns
    -------
    SystemsReport
        For each criterion, the ranked systems with intervals and letters, and the differences of
        all pairs with simultaneous intervals and adjusted p-values; and the agreement of the
        criteria on the order of the systems. With `by`, `groups` has the report of each group.

    Raises
    ------
    ValueError
        If there are fewer than two systems, a system lacks the predictions that a criterion takes,
        the order of the classes is unknown, a metric is unknown, systems predict different numbers
        of samples, `by` does not name a group of each sample or the systems can be compared in no
        group, means of groups are to be resampled, or a number is out of range.

    Warns
    -----
    UndefinedMetricWarning
        If a value or an interval is undefined, if a metric is undefined for more than 5% of the
        resamples, or if the systems cannot be compared in a group.

    See Also
    --------
    sklearn_ordinal.inference.paired_difference : Compare two systems with a randomisation test.
    sklearn_ordinal.inference.compare_ranks : Compare systems over several data sets.
    compare_estimators : Compare estimators by cross-validation.

    Notes
    -----
    With soft labels, whole samples are drawn, with all their shares. As in `bootstrap_interval`,
    means over the samples are expected values over the grades, and other metrics have the value of
    the expected counts.

    The standard error of a difference comes from how far each sample, or cluster, moves it, with
    the degrees of freedom of `delta_interval`. The maximum is that of 4,000 draws from a fixed
    seed, so that the smallest p-value of three or more systems is 1/4001; two systems have the
    p-value and the interval of ``paired_difference(method="delta")``. If two systems differ in
    being right on fewer than 10 samples, the p-value of a share, such as the accuracy, is that of
    the exact sign test; for other criteria, the report says that it is approximate. If all samples
    tell two systems apart by the same amount, there is no interval, and the p-value is that of the
    sign test. Systems with the same predictions have p = 1.

    The mean of groups is that of the values in the reports of the groups, so the closeness measures
    use the class sizes of each group, not of all samples as in `GroupReport`. Kappas and
    correlations are averaged as Fisher's z, as in `GroupReport.mean`, and have no mean if a system
    is perfect in a group. The mean takes the size of each group as given: each group adds its own
    variance to the variance of the mean. If clusters have samples in several groups, the groups are
    one sample.

    The resampled tests of a criterion leave out resamples in which a system has no value. The
    standard error of a difference is computed from the influences of the samples or clusters, in
    each resample if there are up to 2,000 of them, or more for fewer than 100 systems. A criterion
    without influences in closed form has them from the jackknife with up to 2,000 samples or
    clusters, or 500 for criteria of probabilities and scores. With more samples, its standard error
    is the standard deviation over the resamples. The user guide shows the share of simulations in
    which any of 20 equal systems differ significantly.

    A mean of the ranks by several criteria has no interval: the criteria are not a sample of
    criteria.

    The report of a group is the report of its samples alone on the scale of all samples, with the
    same `random_state` if that is an int. The tests are not adjusted for the number of groups. A
    group with fewer than two samples, or clusters if there are any, or in which no system has a
    finite value, is in `groups_left_out`.

    References
    ----------
    .. [1] J. P. Romano, M. Wolf (2005), "Stepwise multiple testing as formalized data
       snooping", Econometrica 73(4), :doi:`10.1111/j.1468-0262.2005.00615.x`.
    .. [2] H.-P. Piepho (2004), "An algorithm for a letter-based representation of all-pairwise
       comparisons", Journal of Computational and Graphical Statistics 13(2),
       :doi:`10.1198/1061860043515`.

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
    >>> report = compare_systems(y_true, predictions)
    >>> print(report.verdicts["cem_ord"])
    By cem_ord, good has the highest value, 0.918 (95% interval 0.892 to 0.938), and
    beats all others (largest adjusted p < 0.001): fair, the next, by 0.041.

    With a margin, is a system worse than the best one by more than is tolerated?

    >>> report = compare_systems(y_true, predictions, margin=0.1)
    >>> print(report.difference("fair", "good"))
    the first is not worse by more than 0.1: the second is higher by 0.041 (95% interval
    0.020 to 0.061, p < 0.001)

    The same systems in each of two groups:

    >>> language = np.where(np.arange(300) < 200, "de", "fr")
    >>> report = compare_systems(y_true, predictions, by=language)
    >>> {group: part.ranks["cem_ord"]["good"] for group, part in report.groups.items()}
    {'de': 1, 'fr': 1}
    """
    if n_resamples is not None:
        _bootstrap.check_resampling(confidence_level, n_resamples)
    confidence_level = checks.check_share("confidence_level", confidence_level)
    tolerated = _paired_difference.checked_margin(margin)
    checks.check_choice("overall", overall, Overall)
    is_mean = overall == "mean of groups"
    if is_mean and (by is None or n_resamples is not None):
        way_out = "pass by=, the group of each sample" if by is None else "leave out n_resamples"
        raise ValueError(f"overall='mean of groups' is computed in closed form: {way_out}.")
    if evidence_reading.is_evidence(y_true, predictions):
        evidence_reading.check_nothing_beside(reading, predictions=predictions, by=by)
        systems = _systems_from_evidence(y_true, metrics)
    else:
        systems = _read_systems(y_true, predictions, metrics, reading)
    if is_mean:
        _intervals.check_have_influences(systems.metrics, "leave it out, or pass overall='pooled'")
    # One seed for each kind, so that the results of a kind do not depend on metrics of other kinds.
    seeds = checks.as_generator(random_state).integers(2**63, size=2)
    ranked = partial(
        _ranked,
        inferred=_sections.inferred_criteria(metrics, systems.metrics),
        seeds=seeds,
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        margin=tolerated,
    )
    if by is None:
        report, reasons = ranked(systems)
        _warn_about_undefined({"": report}, reasons, n_resamples)
        return report
    group, names = grouping.read_groups(*sampling.groups_by_item(y_true, by), y_true)
    columns = grouping.group_columns(by, len(group))
    group = sampling.values_on_rows(y_true, "by", group)
    drawn = evidence_kinds.drawn_samples(systems.any_evidence)
    reports: dict[str, SystemsReport] = {}
    left_out: dict[str, str] = {}
    reasons = {}
    for number, name in enumerate(names):
        members = group == number
        n_units = len(np.unique(drawn.unit[members[drawn.has_weight]]))
        if is_mean and not n_units:
            raise ValueError(
                f"by must name groups with samples of positive weight for means of groups, got "
                f"{checks.shown(name)} without any: leave its samples out."
            )
        if n_units < 2:
            noun = "sample" if systems.numbers["n_clusters"] is None else "cluster"
            left_out[name] = (
                f"{formatting.counted(n_units, noun)} of positive weight, of at least 2"
            )
            continue
        part = systems.on_members(members)
        part_report, part_reasons = ranked(part, place=f" in {name}")
        if any(np.isfinite(score.estimate) for score in part_report.rows.values()):
            reports[name] = part_report
            reasons |= part_reasons
        else:
            left_out[name] = _reason_without_values(part)
    if not reports:
        name, reason = next(iter(left_out.items()))
        raise ValueError(
            f"by must name a group in which the systems can be compared, got none of "
            f"{len(names):,}, such as {checks.shown(name)} ({reason}): merge groups."
        )
    place = " over the groups" if is_mean else ""
    report, of_all = ranked(
        systems,
        group=group if is_mean else None,
        groups=reports,
        groups_left_out=left_out,
        by=columns,
        overall=overall,
        place=place,
    )
    places = {place: report} | {f" in {name}": of_group for name, of_group in reports.items()}
    _warn_about_undefined(places, of_all | reasons, n_resamples)
    if left_out:
        texts = "; ".join(f"{name} ({reason})" for name, reason in left_out.items())
        checks.warn_caller(f"Systems are not compared in {texts}.", UndefinedMetricWarning)
    return report


def _ranked(
    systems: _Systems,
    *,
    inferred: tuple[str, ...],
    seeds: NDArray[np.int64],
    confidence_level: float,
    n_resamples: int | None,
    group: NDArray[np.intp] | None = None,
    place: str = "",
    **facts: Any,
) -> tuple[SystemsReport, dict[str, int]]:
    """Return the report of systems on the same samples.

    Also return why intervals in closed form have no ends, by their title in a warning.
    """
    criteria, names = systems.metrics, systems.names
    by_kind = [
        _pair_tests.infer_systems(
            of_kind,
            evidence,
            confidence_level=confidence_level,
            n_resamples=n_resamples,
            rng=np.random.default_rng(seed),
            group=group,
        )
        for of_kind, evidence, seed in (
            (systems.label_metrics, systems.counted, seeds[0]),
            (systems.other_metrics, systems.forecasts, seeds[1]),
        )
        if evidence is not None
    ]
    intervals = {name: rows for of in by_kind for name, rows in of.intervals.items()}
    tests = {name: test for of in by_kind for name, test in of.tests.items()}

    def of_tests(field: str) -> ByMetric:
        return ByMetric({metric.name: getattr(tests[metric.name], field) for metric in criteria})

    reasons = {
        f"{name} of {system}{place}": reason
        for of in by_kind
        for name, of_systems in of.reasons.items()
        for system, reason in zip(names, of_systems, strict=True)
    }
    if len(reasons) < len(names) * len(criteria):
        n_resamples = n_resamples or _pair_tests.N_RESAMPLES
    evidence = systems.any_evidence
    first = evidence[0] if isinstance(evidence, tuple) else evidence[evidence.groups[0]]
    n_units = evidence_kinds.drawn_samples(evidence).count_units()
    if isinstance(first, OrdinalConfusion):
        n_samples, is_weighted = int(first.n_samples), first.is_weighted
    else:
        n_samples = sampling.count_samples(first)
        # `is_weighted` is False for samples whose weights were set by `reweighted`.
        is_weighted = first.is_weighted or bool((first.weights != 1).any())
    n_clusters, cluster_name, n_strata = systems.numbers.values()
    report = SystemsReport(
        rows={
            (metric.name, system, None, None, VALUE): score
            for metric in criteria
            for system, score in zip(names, intervals[metric.name], strict=True)
        },
        metrics=ByMetric({metric.name: metric for metric in criteria}),
        inferred=inferred,
        n_classes=len(first.scale),
        pvalues=of_tests("pvalues"),
        margins=of_tests("margins"),
        standard_errors=of_tests("standard_errors"),
        n_differing=of_tests("n_differing"),
        n_undefined=of_tests("n_undefined"),
        n_unanswered=dict(zip(names, _paired_difference.amounts_unanswered(evidence), strict=True)),
        n_samples=n_samples,
        total_weight=first.class_counts.sum().item() if is_weighted else None,
        n_units=n_units,
        unit="sample" if n_clusters is None or n_units == n_samples else "cluster",
        n_resamples=n_resamples,
        provenance=Provenance.of_now(),
        cluster_name=cluster_name,
        n_strata=n_strata,
        **facts,
    )
    return report, reasons


def _warn_about_undefined(
    reports: Mapping[str, SystemsReport], reasons: Mapping[str, int], n_resamples: int | None
) -> None:
    """Warn about values and intervals that are undefined, given reports by their place in titles.

    `reasons` are those of the intervals in closed form. The report itself says that values without
    a standard error, as of constant predictions, have no interval.
    """
    resampled = {
        title: interval
        for place, report in reports.items()
        for (name, system, *_), interval in report.rows.items()
        if (title := f"{name} of {system}{place}") not in reasons
    }
    _bootstrap.warn_about_undefined(resampled, n_resamples or _pair_tests.N_RESAMPLES)
    _intervals.warn_about_missing_ends(
        {title: reason for title, reason in reasons.items() if reason != Reason.NO_ERROR},
        f"n_resamples={_pair_tests.N_RESAMPLES} needs no derivative.",
    )


def _reason_without_values(systems: _Systems) -> str:
    """Say why no system has a value."""
    evidence = systems.any_evidence
    first = evidence[0] if isinstance(evidence, tuple) else evidence[evidence.groups[0]]
    occurring = first.scale.labels[first.class_counts > 0].tolist()
    is_single = len(occurring) == 1
    reason = f", since all samples are of class {checks.shown(occurring[0])}" if is_single else ""
    return f"no system has a finite value{reason}"


class _Systems(NamedTuple):
    """The systems on the same samples, for each kind of metric."""

    names: tuple[str, ...]
    metrics: list[OrdinalMetric]
    label_metrics: list[OrdinalMetric]
    other_metrics: list[OrdinalMetric]
    counted: SystemsEvidence | None = None
    forecasts: SystemsEvidence | None = None

    @property
    def any_evidence(self) -> SystemsEvidence:
        """The evidence of one of the kinds, all of which have the same samples."""
        evidence = self.forecasts if self.counted is None else self.counted
        assert evidence is not None
        return evidence

    def on_members(self, members: NDArray[np.bool_]) -> _Systems:
        """Return the systems on some of the samples."""
        parts = {
            name: evidence_kinds.evidence_on_members(evidence, members)
            for name, evidence in (("counted", self.counted), ("forecasts", self.forecasts))
            if evidence is not None
        }
        return self._replace(**parts)

    @property
    def numbers(self) -> dict[str, Any]:
        """The numbers of clusters and strata, and the name of the column of clusters."""
        evidence = self.any_evidence
        one_system = evidence[0] if isinstance(evidence, tuple) else evidence
        return confusion_counts.numbers_of_units(one_system)


def _systems_from_evidence(evidence: Any, metrics: MetricsLike) -> _Systems:
    """Return systems that were passed as evidence."""
    criteria = _chosen(metrics, evidence_kinds.kinds_in(evidence))
    systems = evidence_reading.systems_on_the_same_samples(evidence, criteria)
    if isinstance(systems, OrdinalConfusion):
        names = systems.groups
    else:
        checks.check_named("evidence", evidence)
        names = tuple(evidence)
    if evidence_reading.are_of_labels(criteria):
        return _Systems(names, criteria, criteria, [], counted=systems)
    return _Systems(names, criteria, [], criteria, forecasts=systems)


def _chosen(metrics: MetricsLike, kinds: Sequence[Kind]) -> list[OrdinalMetric]:
    """Return the criteria; "all" means those that rank systems."""
    is_all = isinstance(metrics, str) and metrics == "all"
    return lookup.get_metrics(metrics, argument="metrics", kinds=kinds, with_direction=is_all)


def _read_systems(
    y_true: Any, predictions: Any, metrics: MetricsLike, reading: SampleReadingOptions
) -> _Systems:
    """Read the predicted classes and probabilities of systems that the metrics need."""
    classes, probabilities = _by_kind(predictions)
    kinds: list[Kind] = [evidence_kinds.LABELS] if len(classes) == len(predictions) else []
    kinds += (
        [evidence_kinds.PROBABILITIES, evidence_kinds.SCORES]
        if len(probabilities) == len(predictions)
        else []
    )
    criteria = _chosen(metrics, kinds)
    label_metrics = [
        metric for metric in criteria if metric.evidence.argument == evidence_kinds.LABELS.argument
    ]
    other_metrics = [
        metric for metric in criteria if metric.evidence.argument != evidence_kinds.LABELS.argument
    ]
    _check_complete(label_metrics, classes, predictions)
    _check_complete(other_metrics, probabilities, predictions)
    systems = _Systems(tuple(predictions), criteria, label_metrics, other_metrics)
    if label_metrics:
        counted: Any = evidence_reading.read_systems(
            label_metrics, y_true, checks.named_entries("predictions", classes), reading
        )
        systems = systems._replace(counted=counted)
        # All criteria use the scale of the predicted classes, and only predicted classes may be
        # missing.
        reading = counting.options_on_scale(reading, counted.scale)
    if other_metrics:
        forecasts = evidence_reading.read_systems(
            other_metrics, y_true, checks.named_entries("predictions", probabilities), reading
        )
        systems = systems._replace(forecasts=forecasts)
    return systems


def _by_kind(predictions: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the predicted classes and the probabilities of the systems that have them."""
    if predictions is None:
        raise ValueError(
            "predictions must be given, unless y_true is evidence that holds all systems, such as "
            "OrdinalConfusion.from_systems returns."
        )
    checks.check_named("predictions", predictions)
    if len(predictions) < 2:
        raise ValueError(
            f"predictions must have at least two systems, got {len(predictions)}: for a "
            f"single system, use sklearn_ordinal.inference.bootstrap_interval."
        )
    by_argument: dict[str | None, dict[str, Any]] = {"y_pred": {}, "y_proba": {}}
    for name, predicted in predictions.items():
        if not isinstance(predicted, Mapping):
            # Evidence of another kind, such as ratings, is neither classes nor probabilities.
            by_argument.get(evidence_kinds.kinds_in(predicted)[0].argument, {})[name] = predicted
            continue
        if not predicted or not by_argument.keys() >= predicted.keys():
            raise ValueError(
                f"predictions[{checks.shown(name)}] must be an array or a dict of 'y_pred' and "
                f"'y_proba', got a dict of {checks.shown(list(predicted))}."
            )
        for argument, column in predicted.items():
            by_argument[argument][name] = column
    return by_argument["y_pred"], by_argument["y_proba"]


def _check_complete(
    metrics: Sequence[OrdinalMetric],
    predicted: Mapping[str, Any],
    predictions: Mapping[str, Any],
) -> None:
    """Raise if a metric needs a kind of predictions that a system does not have."""
    lacking = [name for name in predictions if name not in predicted]
    if metrics and lacking:
        raise ValueError(
            f"metrics has {metrics[0].name}, which takes {metrics[0].evidence.inputs}, but "
            f"predictions[{checks.shown(lacking[0])}] has none: pass "
            f"{{'y_pred': classes, 'y_proba': probabilities or scores}} for each system, or leave "
            "the metric out."
        )
