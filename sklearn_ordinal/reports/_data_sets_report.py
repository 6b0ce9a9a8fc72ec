"""Estimators compared on several data sets, by their ranks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import ByMetric, OrdinalMetric, in_repr
from sklearn_ordinal._documents import (
    Column,
    Document,
    Figure,
    Note,
    Part,
    Section,
    Table,
    Views,
    names_in_words,
    plain,
)
from sklearn_ordinal.inference import RankComparison, compare_ranks
from sklearn_ordinal.plotting import CriticalDifferenceDisplay
from sklearn_ordinal.reports._comparison_report import ComparisonReport
from sklearn_ordinal.reports._criteria import selected_metric
from sklearn_ordinal.reports._model_comparison import ModelComparison
from sklearn_ordinal.reports._provenance import Provenance, footer
from sklearn_ordinal.reports._sections import headline
from sklearn_ordinal.reports._verdicts import placed_verdicts


@dataclass(frozen=True, eq=False, repr=False)
class DataSetsReport(Views):
    """Estimators on several data sets, with their ranks.

    Returned by `compare_on_data_sets`. `str` gives the text, and notebooks show tables and a plot.
    Values are in the unit of each criterion.

    Parameters
    ----------
    metrics : mapping of str to OrdinalMetric
        The criteria by name, with the main criterion first.
    estimators : tuple of str
        Names of the estimators. The first is the reference of the tests on each data set.
    comparisons : mapping of str to ComparisonReport
        The comparison of the estimators on each data set, by the name of the data set.
    alpha : float, default=0.05
        Significance level of the tests.
    provenance : Provenance, default=None
        When and with which versions the result was made. It is ignored when results are compared.

    Attributes
    ----------
    scores : dict of str to ndarray of shape (n_data_sets, n_estimators)
        Mean over the folds of each criterion; NaN where an estimator failed on all folds.
    ranks : dict of str to RankComparison
        For each criterion, the average ranks over the data sets, with Friedman's and Nemenyi's
        tests. On each data set, estimators that failed on a fold share the last rank.

    See Also
    --------
    sklearn_ordinal.reports.ComparisonReport : Estimators on one data set.
    sklearn_ordinal.inference.compare_ranks : The ranks of scores that are there.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_ordinal import compare_on_data_sets
    >>> from sklearn_ordinal.datasets import load_lev
    >>> X, y = load_lev(return_X_y=True)
    >>> report = compare_on_data_sets(
    ...     {"first half": (X[::2], y[::2]), "second half": (X[1::2], y[1::2])},
    ...     {
    ...         "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
    ...         "bayes": GaussianNB(),
    ...         "majority": DummyClassifier(),
    ...     },
    ...     cv=3,
    ... )
    >>> report.scores["cem_ord"].shape
    (2, 3)
    """

    metrics: ByMetric
    estimators: tuple[str, ...]
    comparisons: Mapping[str, ComparisonReport]
    alpha: float = 0.05
    provenance: Provenance | None = None

    @property
    def n_classes(self) -> int:
        """Largest number of classes of a data set."""
        return max(comparison.n_classes for comparison in self.comparisons.values())

    @cached_property
    def scores(self) -> ByMetric:
        """Mean over the folds of each criterion, of shape (n_data_sets, n_estimators)."""
        return ByMetric(
            {
                name: np.array(
                    [
                        [np.nan if row is None else row.score.estimate for row in rows]
                        for rows in self._rows(name).values()
                    ]
                )
                for name in self.metrics
            }
        )

    @cached_property
    def ranks(self) -> ByMetric:
        """For each criterion, the average ranks over the data sets, and tests."""
        return ByMetric(
            {
                name: compare_ranks(
                    self._places(name),
                    names=self.estimators,
                    greater_is_better=False,
                    alpha=self.alpha,
                )
                for name in self.metrics
            }
        )

    def __repr__(self) -> str:
        return f"DataSetsReport({len(self.comparisons)} data sets, {in_repr(self.estimators)})"

    def _rows(self, criterion: str) -> dict[str, list[ModelComparison | None]]:
        """Return the row of each estimator on each data set; None if all its fits failed."""
        return {
            name: [comparison.table[criterion].get(model) for model in self.estimators]
            for name, comparison in self.comparisons.items()
        }

    def _places(self, criterion: str) -> NDArray[np.float64]:
        """Return the rank of each estimator on each data set.

        Estimators without a value on some fold share the last place.
        """
        places = []
        for name, rows in self._rows(criterion).items():
            folds = self.comparisons[name].scores[criterion]
            is_complete = [
                row is not None and not np.isnan(folds[model]).any()
                for model, row in zip(self.estimators, rows, strict=True)
            ]
            places.append(
                [
                    float(row.rank) if row is not None and complete else len(rows) + 1.0
                    for row, complete in zip(rows, is_complete, strict=True)
                ]
            )
        return np.array(places)

    def _n_shown(self, criterion: str) -> list[tuple[int, int]]:
        """Return on how many data sets each estimator is shown better and worse than the first."""
        metric = self.metrics[criterion]
        assert isinstance(metric, OrdinalMetric)
        sign = 1 if metric.greater_is_better else -1
        counts = []
        for k in range(1, len(self.estimators)):
            rows = [row[k] for row in self._rows(criterion).values()]
            shown = [
                sign * row.difference.estimate
                for row in rows
                if row is not None
                and row.difference is not None
                and row.adjusted_pvalue <= self.alpha
            ]
            counts.append((sum(d > 0 for d in shown), sum(d < 0 for d in shown)))
        return counts

    def plot(self, criterion: Any = None, *, ax: Any = None) -> CriticalDifferenceDisplay:
        """Draw the critical-difference diagram of one criterion.

        Parameters
        ----------
        criterion : str, default=None
            One of the criteria, in any form that `get_metric` accepts. If None, the first.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.

        Returns
        -------
        CriticalDifferenceDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the report does not have the criterion.
        """
        ranks = self.ranks[selected_metric(self.metrics, criterion).name]
        assert isinstance(ranks, RankComparison)
        return ranks.plot(ax)

    def document(self) -> Document:
        """Return the content of the report, from which its views are rendered.

        Returns
        -------
        Document
            For each criterion, a sentence, the means with the best of each data set in bold, the
            average ranks with the diagram, and the tests on each data set.
        """
        at_the_top, at_tables = placed_verdicts(
            {name: f"By {name}, o{self.ranks[name].verdict()[1:]}" for name in self.metrics}
        )
        return Document(
            "Estimators on several data sets",
            (
                *(Note(text) for text in _failures(self)),
                *(
                    Section(
                        headline(metric, self.n_classes),
                        (*at_tables[name], *_criterion_parts(self, name)),
                    )
                    for name, metric in self.metrics.items()
                ),
                *(Note(text, is_small=True) for text in _notes(self)),
            ),
            verdict=at_the_top,
            footer=footer(self.provenance),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers.

        Returns
        -------
        dict
            "criteria": for each criterion a dict with "ranks", the numbers of the
            `RankComparison`, and "data_sets": for each data set and estimator the columns of
            `to_frame`; and "alpha". Undefined values are None.
        """
        criteria: dict[str, Any] = {
            name: {"ranks": ranks.to_dict(), "data_sets": {}} for name, ranks in self.ranks.items()
        }
        for record in self._records():
            of_sets = criteria[record.pop("criterion")]["data_sets"]
            of_set = of_sets.setdefault(record.pop("data_set"), {})
            of_set[record.pop("estimator")] = record
        numbers: dict[str, Any] = plain({"criteria": criteria, "alpha": self.alpha})
        return numbers

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each criterion, data set and estimator."""
        records = []
        for criterion in self.metrics:
            places = self._places(criterion)
            for i, (data_set, rows) in enumerate(self._rows(criterion).items()):
                for k, (name, row) in enumerate(zip(self.estimators, rows, strict=True)):
                    difference = None if row is None else row.difference
                    records.append(
                        {
                            "criterion": criterion,
                            "data_set": data_set,
                            "estimator": name,
                            "mean": np.nan if row is None else row.score.estimate,
                            "low": np.nan if row is None else row.score.low,
                            "high": np.nan if row is None else row.score.high,
                            "place": places[i, k],
                            "difference": np.nan if difference is None else difference.estimate,
                            "adjusted_pvalue": np.nan if row is None else row.adjusted_pvalue,
                        }
                    )
        return records


def _failures(report: DataSetsReport) -> list[str]:
    """Say which estimators failed on which data sets."""
    texts = []
    for name, comparison in report.comparisons.items():
        failed = list(dict.fromkeys(failure.name for failure in comparison.failures))
        if failed:
            texts.append(
                f"Failed on {name}: {names_in_words(failed)}; see comparisons[{name!r}].failures."
            )
    return texts


def _criterion_parts(report: DataSetsReport, criterion: str) -> tuple[Part, ...]:
    ranks = report.ranks[criterion]
    best_first = np.argsort(ranks.average_ranks, kind="stable").tolist()
    table = _means_table(report, criterion)
    return (
        table,
        *(Note(f"No significant difference: {', '.join(group)}") for group in ranks.groups),
        Figure(
            partial(report.plot, criterion),
            f"Average ranks by {criterion}; a bar joins estimators that do not differ "
            f"significantly",
            f"Average ranks by {criterion} over {ranks.n_data_sets} data sets, 1 is best",
            Table(
                "Average ranks",
                (Column("estimator"), Column("rank", "number", digits=2)),
                tuple((report.estimators[k], float(ranks.average_ranks[k])) for k in best_first),
            ),
        ),
        _shown_table(report, criterion),
        Section("P-values on each data set", (_pvalues_table(report, criterion),), is_detail=True),
    )


def _means_table(report: DataSetsReport, criterion: str) -> Table:
    """Return the mean of each estimator on each data set, with the best in bold."""
    scores, places = report.scores[criterion], report._places(criterion)
    rows = tuple(
        (name, *values) for name, values in zip(report.comparisons, scores.tolist(), strict=True)
    )
    ranks = report.ranks[criterion].average_ranks
    # Estimators that failed share the last place. A single other one was compared with none.
    has_place = places <= len(report.estimators)
    are_compared = has_place & (has_place.sum(axis=1, keepdims=True) > 1)
    is_best = are_compared & (places == places.min(axis=1, keepdims=True))
    bold = {(int(i), int(k) + 1) for i, k in np.argwhere(is_best)}
    if are_compared.any():
        bold |= {(len(rows), int(k) + 1) for k in np.flatnonzero(ranks == ranks.min())}
    columns = (Column("data set"), *(Column(name, "number") for name in report.estimators))
    return Table(
        "Means over the folds",
        columns,
        rows,
        (("average rank", *ranks.tolist()),),
        frozenset(bold),
    )


def _shown_table(report: DataSetsReport, criterion: str) -> Table:
    """Return on how many data sets each estimator is shown to be better or worse."""
    n_data_sets = len(report.comparisons)
    rows = tuple(
        (name, n_better, n_worse, n_data_sets - n_better - n_worse)
        for name, (n_better, n_worse) in zip(
            report.estimators[1:], report._n_shown(criterion), strict=True
        )
    )
    return Table(
        f"Data sets on which the difference from {report.estimators[0]} is shown",
        (
            Column("estimator"),
            Column("better", "number"),
            Column("worse", "number"),
            Column("not shown", "number"),
        ),
        rows,
    )


def _pvalues_table(report: DataSetsReport, criterion: str) -> Table:
    """Return the adjusted p-value of each difference from the first estimator."""
    return Table(
        f"Adjusted p-values of the differences from {report.estimators[0]}",
        (Column("data set"), *(Column(name, "pvalue") for name in report.estimators[1:])),
        tuple(
            (name, *(np.nan if row is None else row.adjusted_pvalue for row in rows[1:]))
            for name, rows in report._rows(criterion).items()
        ),
    )


def _notes(report: DataSetsReport) -> list[str]:
    if not any(np.isnan(scores).any() for scores in report.scores.values()):
        return []
    return ["An estimator without a value on some fold has the last rank on its data set."]
