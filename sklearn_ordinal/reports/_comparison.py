"""The report of a comparison: estimators and baselines on the same folds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from sklearn_ordinal._core import ByMetric, OrdinalMetric
from sklearn_ordinal.documents import Document, Figure, Note, Part, Section, plain
from sklearn_ordinal.plotting import ComparisonDisplay, FoldScoresDisplay
from sklearn_ordinal.reports._cross_val import CrossValReport, folds_in_words, folds_tables
from sklearn_ordinal.reports._model_comparison import (
    ModelComparison,
    agreement,
    best_first,
    differences_table,
    estimators_table,
    numbers_of,
)
from sklearn_ordinal.reports._ordinal import report_tables
from sklearn_ordinal.reports._saved import SavedViews, saved
from sklearn_ordinal.reports._sections import (
    FitFailure,
    confusion_figure,
    direction_as_text,
    failures_parts,
    headline,
)


@saved
@dataclass(frozen=True, eq=False, repr=False)
class ComparisonReport(SavedViews):
    """Estimators and baselines on the same folds, by one or several criteria.

    `compare_estimators` makes one; `str` gives the text, notebooks show tables. Values
    are in the unit of each criterion, so for losses lower is better. They are found by
    what `get_metric` takes: ``scores["log_loss"]`` and ``scores["neg_log_loss"]`` are the
    same.

    Parameters
    ----------
    metrics : mapping of str to OrdinalMetric
        The criteria by name, the one that counts first.
    reports : mapping of str to CrossValReport
        The report of each estimator, then of each baseline.
    baselines : tuple of str
        Names of the baselines.
    scores : mapping of str to mapping of str to ndarray of shape (n_folds,)
        For each criterion the values of each estimator and baseline; 0 for an undefined
        value where 0 is the level of chance.
    table : mapping of str to mapping of str to ModelComparison
        For each criterion the row of each estimator and baseline.
    best_baseline : mapping of str to str or None
        Name of the baseline with the best mean by each criterion; without baselines,
        that of the first estimator; None if none of them could be fitted.
    rope : mapping of str to float
        Half the width of the region of practical equivalence by each criterion, in its
        unit.
    failures : tuple of FitFailure, default=()
        The fits, and the evaluations of criteria, that failed. An estimator without any
        fit that worked is in no table.

    Attributes
    ----------
    winners : dict of str to tuple of str
        Names of the estimators, or baselines, with the best mean by each criterion; none
        if the criterion has no value for any.

    See Also
    --------
    sklearn_ordinal.compare_estimators : Make a comparison.
    CrossValReport : The results of one estimator.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_ordinal import compare_estimators
    >>> from sklearn_ordinal.datasets import load_lev
    >>> X, y = load_lev(return_X_y=True)
    >>> tree = DecisionTreeClassifier(max_depth=4, random_state=0)
    >>> comparison = compare_estimators({"tree": tree}, X, y)
    >>> comparison.winners
    {'cem_ord': ('tree',)}
    >>> print(comparison.table["cem_ord"]["tree"].difference)
    0.185 (95% interval 0.164 to 0.205), p < 0.001, in favour of the first
    """

    metrics: ByMetric
    reports: Mapping[str, CrossValReport]
    baselines: tuple[str, ...]
    scores: ByMetric
    table: ByMetric
    best_baseline: ByMetric
    rope: ByMetric
    failures: tuple[FitFailure, ...] = ()

    _by_metric: ClassVar[tuple[str, ...]] = ("scores", "table", "best_baseline", "rope")

    @property
    def winners(self) -> ByMetric:
        """Names of the estimators, or baselines, with the best mean by each criterion."""
        return ByMetric(
            {
                criterion: tuple(
                    name
                    for name, row in rows.items()
                    if row.rank == 1 and not np.isnan(row.score.estimate)
                )
                for criterion, rows in self.table.items()
            }
        )

    @property
    def n_classes(self) -> int:
        """Number of classes on the scale."""
        return next(iter(self.reports.values())).n_classes

    def __repr__(self) -> str:
        return f"ComparisonReport({len(self.reports)} estimators, winners {self.winners})"

    def plot_differences(
        self, criterion: Any = None, *, ax: Any = None, **options: Any
    ) -> ComparisonDisplay:
        """Draw the differences from the best baseline by one criterion.

        Parameters
        ----------
        criterion : str, default=None
            One of the criteria, as `get_metric` takes it. If None, the first.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, those of a new figure of a size that fits.
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
            If the report does not have the criterion, or nothing is compared by it.
        """
        metric = self._metric(criterion)
        rows = {
            name: row
            for name, row in best_first(self.table[metric.name])
            if row.difference is not None
        }
        return ComparisonDisplay(
            {name: row.difference for name, row in rows.items() if row.difference},
            adjusted_pvalues={name: row.adjusted_pvalue for name, row in rows.items()},
            criterion=metric.name,
            reference=self.best_baseline[metric.name],
            greater_is_better=metric.greater_is_better,
            rope=self.rope[metric.name],
            baselines=self.baselines,
        ).plot(ax, **options)

    def plot_folds(
        self, criterion: Any = None, *, ax: Any = None, **options: Any
    ) -> FoldScoresDisplay:
        """Draw the scores of each fold of all estimators by one criterion.

        Parameters
        ----------
        criterion : str, default=None
            One of the criteria, as `get_metric` takes it. If None, the first.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, those of a new figure of a size that fits.
        **options : dict
            Options of `FoldScoresDisplay.plot`.

        Returns
        -------
        FoldScoresDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If the report does not have the criterion.
        """
        metric = self._metric(criterion)
        rows = dict(best_first(self.table[metric.name]))
        return FoldScoresDisplay(
            {name: self.scores[metric.name][name] for name in rows},
            {name: row.score for name, row in rows.items()},
            baselines=self.baselines,
            score_name=f"{metric.name} ({direction_as_text(metric)} is better)",
        ).plot(ax, **options)

    def document(self) -> Document:
        """Return what a reader sees of the comparison.

        Returns
        -------
        Document
            The winners, a section for each criterion with its plots, and on demand the
            report of each estimator.
        """
        any_report = next(iter(self.reports.values()))
        # Without any value by the first criterion, the first estimator stands in.
        winner = (*self.winners[next(iter(self.metrics))], *self.reports)[0]
        pooled = self.reports[winner].pooled
        each = (
            Section(
                f"{name} ({self._role(next(iter(self.metrics)), name)})",
                (*folds_tables(report), *report_tables(report.pooled)[:-1]),
                is_detail=True,
            )
            for name, report in self.reports.items()
        )
        return Document(
            "Comparison of estimators",
            (
                Note(f"{folds_in_words(any_report)}."),
                Note(agreement(self.winners)),
                *failures_parts(self.failures),
                *(
                    Section(headline(metric, any_report.n_classes), self._criterion_parts(name))
                    for name, metric in self.metrics.items()
                ),
                *self._how_to_read(),
                confusion_figure(
                    pooled.confusion, pooled.target_names, f" by {winner}, all folds together"
                ),
                Section("Each estimator", tuple(each), is_detail=True),
            ),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers.

        Returns
        -------
        dict
            "criteria": for each criterion "best_baseline", "winners", "rope", "better"
            and "estimators", a dict of rows with the columns of `to_frame`; "reports":
            `CrossValReport.to_dict` of each estimator; "baselines"; "failures": a list
            of dicts. None where undefined.
        """
        winners = self.winners
        numbers: dict[str, Any] = plain(
            {
                "criteria": {
                    criterion: {
                        "best_baseline": self.best_baseline[criterion],
                        "winners": winners[criterion],
                        "rope": self.rope[criterion],
                        "better": direction_as_text(self.metrics[criterion]),
                        "estimators": {name: numbers_of(row) for name, row in rows.items()},
                    }
                    for criterion, rows in self.table.items()
                },
                "reports": {name: report.to_dict() for name, report in self.reports.items()},
                "baselines": self.baselines,
                "failures": [asdict(failure) for failure in self.failures],
            }
        )
        return numbers

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each criterion and estimator, best first."""
        return [
            {
                "criterion": criterion,
                "estimator": name,
                "is_baseline": name in self.baselines,
                "better": direction_as_text(self.metrics[criterion]),
                **numbers_of(row),
            }
            for criterion, rows in self.table.items()
            for name, row in best_first(rows)
        ]

    def _metric(self, criterion: Any) -> OrdinalMetric:
        if criterion is None:
            criterion = next(iter(self.metrics))
        metric: OrdinalMetric = self.metrics[self.metrics.name_of(criterion, "criterion")]
        return metric

    def _role(self, criterion: str, name: str) -> str:
        if name == self.best_baseline[criterion]:
            return "best baseline" if self.baselines else "reference"
        return "baseline" if name in self.baselines else "model"

    def _criterion_parts(self, criterion: str) -> tuple[Part, ...]:
        rows = dict(best_first(self.table[criterion]))
        names = {name: self._name_with_folds(criterion, name) for name in rows}
        roles = {name: self._role(criterion, name) for name in rows}
        zeros = self._counted_as_zero(criterion)
        scores = (f"{name} {row.score}" for name, row in rows.items())
        return (
            estimators_table(f"Estimators by {criterion}, best first", rows, names, roles),
            *((Note(zeros, is_small=True),) if zeros else ()),
            *self._differences_parts(criterion, rows, names),
            Figure(
                partial(self.plot_folds, criterion),
                f"Scores of the folds by {criterion}",
                f"Mean over the folds: {'; '.join(scores)}",
            ),
        )

    def _differences_parts(
        self, criterion: str, rows: Mapping[str, ModelComparison], names: Mapping[str, str]
    ) -> tuple[Part, ...]:
        reference = self.best_baseline[criterion]
        if reference is None:
            text = "What the others are compared with could not be fitted: there are no tests."
            return (Note(text),)
        compared = {name: row for name, row in rows.items() if row.difference is not None}
        if not compared:
            return ()
        kind = "the best baseline" if self.baselines else "the reference"
        sign = "positive" if self.metrics[criterion].greater_is_better else "negative"
        texts = (f"{name} {row.difference}" for name, row in compared.items())
        return (
            differences_table(
                f"Differences from {reference}, {kind} ({sign} is better)",
                compared,
                names,
                untested=self.baselines,
            ),
            Figure(
                partial(self.plot_differences, criterion),
                f"Differences from {reference} by {criterion}, with intervals",
                f"Difference from {reference}: {'; '.join(texts)}",
            ),
        )

    def _how_to_read(self) -> tuple[Note, ...]:
        if all(reference is None for reference in self.best_baseline.values()):
            return ()
        ropes = [f"{rope:g}" for rope in self.rope.values()]
        rope = ropes[0]
        if len(set(ropes)) > 1:
            pairs = zip(ropes, self.rope, strict=True)
            rope = f"the region of practical equivalence ({', '.join(map(' by '.join, pairs))})"
        return (
            Note(
                f"Differences are in the unit of the criterion. p (Holm): p-value of the corrected "
                f"resampled t-test, adjusted for the number of estimators and not for the number "
                f"of criteria; baselines are not tested. P (better), P (equal) and P (worse): "
                f"probabilities that the estimator is better by more than {rope}, equal within "
                f"that, or worse.",
                is_small=True,
            ),
        )

    def _name_with_folds(self, criterion: str, name: str) -> str:
        """Return a name, with the number of folds that its mean is over if it lacks some."""
        is_missing = {known: np.isnan(values) for known, values in self.scores[criterion].items()}
        n_folds = np.count_nonzero(~np.all(list(is_missing.values()), axis=0))
        n_defined = np.count_nonzero(~is_missing[name])
        return name if n_defined == n_folds else f"{name} ({n_defined} of {n_folds} folds)"

    def _counted_as_zero(self, criterion: str) -> str:
        """Say for which estimators undefined values count as the level of chance."""
        names = [
            name
            for name, scores in self.scores[criterion].items()
            if self.reports[name].intervals[criterion].n_undefined
            > np.count_nonzero(np.isnan(scores))
        ]
        return f"Undefined on some folds, which count as 0: {', '.join(names)}." if names else ""
