"""The report of systems on one test set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from math import comb
from typing import Any, ClassVar, Literal

import numpy as np

from sklearn_ordinal._core import ByMetric, OrdinalMetric, OrdinalScale
from sklearn_ordinal.documents import (
    Column,
    Document,
    Figure,
    Note,
    Part,
    Section,
    Table,
    counted,
    plain,
)
from sklearn_ordinal.inference import compact_letters, kendall_tau, ranks_of
from sklearn_ordinal.plotting import SystemsDisplay
from sklearn_ordinal.reports._model_comparison import agreement
from sklearn_ordinal.reports._provenance import Provenance, footer
from sklearn_ordinal.reports._saved import SavedViews, saved
from sklearn_ordinal.reports._sections import direction_as_text, headline

# In documents: the most systems that a sentence names, and the most pairs.
_MOST_NAMES, _MOST_PAIRS = 5, 200
_LEFT_OUT = (
    "Unanswered samples are left out, for each system its own, so a system gains by not answering "
    "what it finds hard."
)


@saved
@dataclass(frozen=True, eq=False, repr=False)
class SystemsReport(SavedViews):
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
    n_unanswered : mapping of str to int or float
        Number, or weight, of the samples without a predicted class, for each system.
    n_units : int
        Number of samples, or groups of them, that were drawn in a resample.
    unit : {"sample", "group"}
        What was drawn.
    n_resamples : int
        Number of resamples.
    provenance : Provenance, default=None
        When the report was made. It is ignored when reports are compared.

    Attributes
    ----------
    systems : tuple of str
        Names of the systems.
    ranks : dict of str to dict of str to int
        For each criterion the rank of each system, 1 is best. Ties share the better rank;
        systems without a value share the last.
    letters : dict of str to dict of str to str
        For each criterion the letters of each system. Two systems share a letter if and only
        if they are not told apart. A system without a value has none.
    winners : dict of str to tuple of str
        Names of the systems of rank 1 by each criterion, empty if none has a value.
    tau : dict of str to dict of str to float
        Kendall's tau-b between the orders of the systems by each pair of criteria; NaN for a
        criterion by which all systems are tied.
    verdicts : dict of str to str
        A sentence for each criterion: which system is best, and which are not told apart
        from it.

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
    n_unanswered: Mapping[str, float]
    n_units: int
    unit: Literal["sample", "group"]
    n_resamples: int
    provenance: Provenance | None = field(default=None, compare=False)

    _by_metric: ClassVar[tuple[str, ...]] = ("scores", "pvalues")

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
        """Confidence level of the intervals; the tests have the level that is left."""
        first = next(iter(self.scores.values()))
        return float(first[self.systems[0]].confidence_level)

    @property
    def ranks(self) -> ByMetric:
        """Rank of each system by each criterion, 1 is best."""
        return ByMetric({name: self._ranks(name) for name in self.metrics})

    @property
    def letters(self) -> ByMetric:
        """Letters of each system by each criterion."""
        return ByMetric({name: self._letters(name) for name in self.metrics})

    @property
    def winners(self) -> ByMetric:
        """Names of the systems of rank 1 by each criterion."""
        return ByMetric(
            {
                criterion: tuple(
                    name
                    for name, rank in ranks.items()
                    if rank == 1 and not np.isnan(self.scores[criterion][name].estimate)
                )
                for criterion, ranks in self.ranks.items()
            }
        )

    @property
    def tau(self) -> ByMetric:
        """Kendall's tau-b between the orders of the systems by each pair of criteria."""
        ranks = [list(self._ranks(name).values()) for name in self.metrics]
        values = kendall_tau(np.array(ranks, dtype=np.float64).T).tolist()
        return ByMetric(
            {
                name: ByMetric(zip(self.metrics, row, strict=True))
                for name, row in zip(self.metrics, values, strict=True)
            }
        )

    @property
    def verdicts(self) -> ByMetric:
        """Which system is best by each criterion, and which are not told apart from it."""
        return ByMetric({name: self._verdict(name) for name in self.metrics})

    def __repr__(self) -> str:
        return f"SystemsReport({len(self.systems)} systems, winners {self.winners})"

    def plot(self, criterion: Any = None, *, ax: Any = None, **options: Any) -> SystemsDisplay:
        """Draw the systems by one criterion, best first.

        Parameters
        ----------
        criterion : str, default=None
            One of the criteria, as `get_metric` takes it. If None, the first.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, those of a new figure of a size that fits.
        **options : dict
            Options of `SystemsDisplay.plot`.

        Returns
        -------
        SystemsDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the report does not have the criterion.
        """
        if criterion is None:
            criterion = next(iter(self.metrics))
        metric: OrdinalMetric = self.metrics[self.metrics.name_of(criterion, "criterion")]
        names = self._best_first(metric.name)
        return SystemsDisplay(
            {name: self.scores[metric.name][name] for name in names},
            self._letters(metric.name),
            criterion=metric.name,
            greater_is_better=metric.greater_is_better,
        ).plot(ax, **options)

    def document(self) -> Document:
        """Return the content of the report, from which its views are rendered.

        Returns
        -------
        Document
            The verdicts, a ranked table with its plot for each criterion, the agreement of the
            criteria, and on demand the pairs.
        """
        drawn = counted(self.n_units, self.unit)
        return Document(
            "Systems on one test set",
            (
                *map(Note, self.verdicts.values()),
                Note(f"{counted(len(self.systems), 'system')} on {drawn}."),
                *([Note(agreement(self.winners, "system"))] if len(self.metrics) > 1 else []),
                *(
                    Section(headline(metric, self.n_classes), self._criterion_parts(name))
                    for name, metric in self.metrics.items()
                ),
                *self._agreement_parts(),
                self._how_to_read(),
            ),
            footer=footer(self.provenance),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers.

        Returns
        -------
        dict
            "criteria": for each criterion "better", "winners", "verdict", "systems", a dict of
            rows with the columns of `to_frame`, and "pairs", a list of dicts; "tau": a dict
            of dicts; "n_units", "unit", "n_resamples" and "confidence_level". None where
            undefined.
        """
        winners, verdicts = self.winners, self.verdicts
        numbers: dict[str, Any] = plain(
            {
                "criteria": {
                    criterion: {
                        "better": direction_as_text(metric),
                        "winners": winners[criterion],
                        "verdict": verdicts[criterion],
                        "systems": self._rows(criterion),
                        "pairs": self._pairs(criterion),
                    }
                    for criterion, metric in self.metrics.items()
                },
                "tau": self.tau,
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

    def _ranks(self, criterion: str) -> dict[str, int]:
        scores = self.scores[criterion]
        values = np.array([scores[name].estimate for name in self.systems])
        ranks = ranks_of(values, greater_is_better=self.metrics[criterion].greater_is_better)
        return dict(zip(self.systems, ranks.tolist(), strict=True))

    def _best_first(self, criterion: str) -> list[str]:
        ranks = self._ranks(criterion)
        return sorted(self.systems, key=ranks.__getitem__)

    def _letters(self, criterion: str) -> dict[str, str]:
        scores = self.scores[criterion]
        tested = [
            name for name in self._best_first(criterion) if np.isfinite(scores[name].estimate)
        ]
        positions = [self.systems.index(name) for name in tested]
        pvalues = self.pvalues[criterion][np.ix_(positions, positions)]
        letters = compact_letters(pvalues <= 1 - self.confidence_level) if tested else []
        found = dict(zip(tested, letters, strict=True))
        return {name: found.get(name, "") for name in self.systems}

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
            for name in self._best_first(criterion)
            for score in (self.scores[criterion][name],)
        }

    def _pairs(self, criterion: str) -> list[dict[str, Any]]:
        """Return the difference of each pair, the better system first."""
        position = {name: i for i, name in enumerate(self.systems)}
        values = {name: score.estimate for name, score in self.scores[criterion].items()}
        # Two infinite losses have no difference, and one that is infinite is not tested.
        values = {name: value if np.isfinite(value) else np.nan for name, value in values.items()}
        return [
            {
                "first": first,
                "second": second,
                "difference": values[first] - values[second],
                "adjusted_pvalue": float(
                    self.pvalues[criterion][position[first], position[second]]
                ),
            }
            for first, second in combinations(self._best_first(criterion), 2)
        ]

    def _verdict(self, criterion: str) -> str:
        best, letters = self.winners[criterion], self._letters(criterion)
        if not best:
            return f"By {criterion}, no system has a value."
        score = self.scores[criterion][best[0]]
        verb = "is best" if len(best) == 1 else "are tied for the best place"
        first = f"By {criterion}, {_listed(best)} {verb}: {score}"
        others = [name for name in self._best_first(criterion) if name not in best]
        tested = [name for name in others if letters[name]]
        if not tested:
            return f"{first}."
        pvalues = self.pvalues[criterion][self.systems.index(best[0])]
        close = [
            name
            for name in tested
            if not pvalues[self.systems.index(name)] <= 1 - self.confidence_level
        ]
        whom = "it" if len(best) == 1 else best[0]
        if not close:
            which = "All others" if tested == others else "All others that have a finite value"
            return f"{first}. {which} are told apart from {whom}."
        verb = "is" if len(close) == 1 else "are"
        return f"{first}. Not told apart from {whom} {verb} {_listed(close)}."

    def _criterion_parts(self, criterion: str) -> tuple[Part, ...]:
        rows = self._rows(criterion)
        level = f"{100 * self.confidence_level:g}% interval"
        has_unanswered = any(self.n_unanswered.values())
        columns = (
            Column("system"),
            Column("rank", "number"),
            Column("value", "number"),
            Column(level, "interval"),
            Column("letters"),
            *((Column("unanswered", "number"),) if has_unanswered else ()),
        )
        cells = tuple(
            (
                name,
                row["rank"],
                row["value"],
                (row["low"], row["high"]),
                row["letters"],
                *((row["n_unanswered"],) if has_unanswered else ()),
            )
            for name, row in rows.items()
        )
        leaves_out = any(row["n_left_out"] for row in rows.values())
        texts = (
            f"{name} {self.scores[criterion][name]} {row['letters']}" for name, row in rows.items()
        )
        return (
            Table(f"Systems by {criterion}, best first", columns, cells),
            *((Note(_LEFT_OUT, is_small=True),) if leaves_out else ()),
            Figure(
                partial(self.plot, criterion),
                f"Systems by {criterion}, with intervals and letters",
                f"Value and letters: {'; '.join(texts)}",
            ),
            Section(
                f"Pairs of systems by {criterion}", self._pairs_parts(criterion), is_detail=True
            ),
        )

    def _pairs_parts(self, criterion: str) -> tuple[Part, ...]:
        pairs = self._pairs(criterion)
        sign = "positive" if self.metrics[criterion].greater_is_better else "negative"
        table = Table(
            f"Differences, first minus second ({sign} is better)",
            (
                Column("first"),
                Column("second"),
                Column("difference", "number", is_signed=True),
                Column("p (max t)", "pvalue"),
            ),
            tuple(tuple(pair.values()) for pair in pairs[:_MOST_PAIRS]),
        )
        n_more = len(pairs) - _MOST_PAIRS
        more = Note(f"And {n_more:,} more pairs, which to_dict has.")
        return (table, more) if n_more > 0 else (table,)

    def _agreement_parts(self) -> tuple[Part, ...]:
        if len(self.metrics) < 2:
            return ()
        table = Table(
            "Kendall's tau between the orders of the systems",
            (Column("criterion"), *(Column(name, "number") for name in self.metrics)),
            tuple((name, *row.values()) for name, row in self.tau.items()),
        )
        return (Section("Agreement of the criteria", (table,)),)

    def _how_to_read(self) -> Note:
        n_pairs, level = counted(comb(len(self.systems), 2), "pair"), 1 - self.confidence_level
        return Note(
            f"Two systems share a letter if and only if they are not told apart. All are evaluated "
            f"on the same {self.n_resamples:,} resamples of the {self.unit}s. Pairs are tested by "
            f"the step-down maximum of t, so that the probability of telling apart any equal "
            f"systems is at most about {level:.3g} for {n_pairs} by each criterion; it is not "
            f"adjusted for the number of criteria.",
            is_small=True,
        )


def _listed(names: list[str] | tuple[str, ...]) -> str:
    """Return the first names, and how many there are more."""
    shown, n_more = list(names[:_MOST_NAMES]), len(names) - _MOST_NAMES
    if n_more > 0:
        return f"{', '.join(shown)} and {counted(n_more, 'other')}"
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))
