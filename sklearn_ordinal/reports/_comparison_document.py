"""The verdicts and views of a comparison of estimators: its plots, document, dict and rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

import numpy as np

from sklearn_ordinal._core import ByMetric
from sklearn_ordinal.documents import Document, Figure, Note, Part, Section, plain
from sklearn_ordinal.model_selection import FitFailure
from sklearn_ordinal.plotting import ComparisonDisplay, FoldScoresDisplay
from sklearn_ordinal.reports._criteria import metric_of
from sklearn_ordinal.reports._cross_val_document import (
    failures_parts,
    folds_in_words,
    folds_tables,
    notes_on_pooled,
    pooled_in_words,
)
from sklearn_ordinal.reports._cross_val_report import CrossValReport
from sklearn_ordinal.reports._fold_notes import (
    ABOUT_FITTED_MODELS,
    notes_on_differences,
    notes_on_guesses,
    notes_on_one_draw,
)
from sklearn_ordinal.reports._model_comparison import (
    best_first,
    differences_table,
    estimators_table,
    numbers_of,
    with_draws,
)
from sklearn_ordinal.reports._ordinal_views import classes_parts
from sklearn_ordinal.reports._prevalence import notes_on_prevalence
from sklearn_ordinal.reports._provenance import Provenance, footer
from sklearn_ordinal.reports._saved import SavedViews
from sklearn_ordinal.reports._sections import (
    better_sign,
    confusion_figure,
    direction_as_text,
    headline,
)
from sklearn_ordinal.reports._shared_rows import first_of_each, row_names, with_folds
from sklearn_ordinal.reports._verdicts import agreement, estimators_verdict, placed_verdicts


class ComparisonReportViews(SavedViews):
    """Views of the numbers of a `ComparisonReport`, which has these attributes."""

    metrics: ByMetric
    reports: Mapping[str, CrossValReport]
    baselines: tuple[str, ...]
    scores: ByMetric
    table: ByMetric
    best_baseline: ByMetric
    rope: ByMetric
    failures: tuple[FitFailure, ...]
    provenance: Provenance | None

    @property
    def n_classes(self) -> int:
        """Number of classes on the scale."""
        return next(iter(self.reports.values())).n_classes

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
    def verdicts(self) -> ByMetric:
        """Whether an estimator is shown to beat the best baseline, by each criterion.

        A difference is shown if its adjusted p-value is at most 1 - confidence_level.
        """
        n_folds = len(next(iter(self.reports.values())).fold_predictions)
        return ByMetric(
            {
                criterion: estimators_verdict(
                    metric,
                    self.table[criterion],
                    self.best_baseline[criterion],
                    baselines=self.baselines,
                    role=self._role_of_reference(criterion),
                    n_folds=n_folds,
                )
                for criterion, metric in self.metrics.items()
            }
        )

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
        metric = metric_of(self.metrics, criterion)
        names = self._shown_names(metric.name, has_reference=False)
        rows = {shown: self.table[metric.name][name] for name, shown in names.items()}
        return ComparisonDisplay(
            {shown: row.difference for shown, row in rows.items() if row.difference},
            adjusted_pvalues={shown: row.adjusted_pvalue for shown, row in rows.items()},
            criterion=metric.name,
            reference=self.best_baseline[metric.name],
            greater_is_better=metric.greater_is_better,
            rope=self.rope[metric.name],
            baselines=[shown for name, shown in names.items() if name in self.baselines],
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
        metric = metric_of(self.metrics, criterion)
        names = with_draws(self._shown_names(metric.name), self.table[metric.name])
        return FoldScoresDisplay(
            {shown: self.scores[metric.name][name] for name, shown in names.items()},
            {shown: self.table[metric.name][name].score for name, shown in names.items()},
            baselines=[shown for name, shown in names.items() if name in self.baselines],
            score_name=f"{metric.name} ({direction_as_text(metric)} is better)",
        ).plot(ax, **options)

    def document(self) -> Document:
        """Return the content of the comparison, from which its views are rendered.

        Returns
        -------
        Document
            The verdicts, a section for each criterion with its plots, and on demand the
            report of each estimator. If there are more than 6 criteria, each verdict but the
            first is in the section of its criterion.
        """
        at_the_top, at_tables = placed_verdicts(self.verdicts)
        any_report = next(iter(self.reports.values()))
        # If the first criterion has no value at all, the first estimator is shown.
        winners = self.winners[next(iter(self.metrics))]
        winner = (*winners, *self.reports)[0]
        pooled = self.reports[winner].pooled
        notes = notes_on_differences(
            any_report,
            self.table,
            self.rope,
            self.baselines,
            can_be_repeated=not self.failures,
        )
        each = (
            Section(
                f"{shown} ({self._role(name)})",
                (
                    *notes_on_one_draw(self.table[criterion][name] for criterion in self.table),
                    *folds_tables(self.reports[name]),
                    *notes_on_pooled(self.reports[name]),
                    *classes_parts(self.reports[name].pooled),
                ),
                is_detail=True,
            )
            for name, shown in first_of_each(self.reports, self._rows_by_all_criteria()).items()
        )
        return Document(
            "Comparison of estimators",
            (
                *at_the_top,
                Note(f"{folds_in_words(any_report)}. {ABOUT_FITTED_MODELS}"),
                *notes_on_prevalence(any_report.prevalence, pooled.target_names),
                *(
                    [Note(agreement(self.winners))]
                    if len(self.metrics) > 1 or len(winners) > 1
                    else []
                ),
                *failures_parts(self.failures),
                *(
                    Section(
                        headline(metric, any_report.n_classes),
                        (*at_tables[name], *self._criterion_parts(name)),
                    )
                    for name, metric in self.metrics.items()
                ),
                *(notes if any(self.best_baseline.values()) else ()),
                confusion_figure(
                    pooled.confusion,
                    pooled.target_names,
                    f" by {winner}{pooled_in_words(self.reports[winner])}",
                ),
                Section("Each estimator", tuple(each), is_detail=True),
            ),
            footer=footer(self.provenance),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers.

        Returns
        -------
        dict
            "criteria": for each criterion "verdict", "best_baseline", "winners", "rope",
            "better" and "estimators", a dict of rows with the columns of `to_frame`; "reports":
            `CrossValReport.to_dict` of each estimator; "baselines"; "failures": a list
            of dicts. None where undefined.
        """
        winners, verdicts = self.winners, self.verdicts
        numbers: dict[str, Any] = plain(
            {
                "criteria": {
                    criterion: {
                        "verdict": verdicts[criterion],
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

    def _role(self, name: str) -> str:
        if name in self.baselines:
            return "baseline"
        # Without baselines, the same estimator is the reference by every criterion.
        is_reference = not self.baselines and name in self.best_baseline.values()
        return "reference" if is_reference else "model"

    def _role_of_reference(self, criterion: str) -> str:
        if not self.baselines:
            return "the reference"
        shown = [name for name in self._shown_names(criterion) if name in self.baselines]
        rows = [self.table[criterion][name] for name in shown]
        ranks = [row.rank for row in rows if not np.isnan(row.score.estimate)]
        is_tied = ranks.count(min(ranks, default=0)) > 1
        return "one of the best baselines" if is_tied else "the best baseline"

    def _shown_names(self, criterion: str, *, has_reference: bool = True) -> dict[str, str]:
        """Return the name of each row that is shown, best first, by its first estimator."""
        rows = row_names(self.reports, self.scores[criterion], self.baselines)
        names = first_of_each([name for name, _ in best_first(self.table[criterion])], rows)
        if not has_reference:
            hidden = rows.get(self.best_baseline[criterion])
            names = {name: shown for name, shown in names.items() if shown != hidden}
        return names

    def _rows_by_all_criteria(self) -> dict[str, str]:
        """Return the names of rows in which baselines share only what all criteria share."""
        rows = [row_names(self.reports, scores, self.baselines) for scores in self.scores.values()]
        shown = {name: {row[name] for row in rows} for name in self.reports}
        return {name: names.pop() if len(names) == 1 else name for name, names in shown.items()}

    def _criterion_parts(self, criterion: str) -> tuple[Part, ...]:
        rows = self.table[criterion]
        shown = with_draws(self._shown_names(criterion), rows)
        names = with_folds(shown, self.scores[criterion])
        roles = {name: self._role(name) for name in names}
        zeros = self._counted_as_zero(criterion)
        means = estimators_table(f"Estimators by {criterion}, best first", rows, names, roles)
        return (
            means,
            *notes_on_guesses(rows),
            *((Note(zeros, is_small=True),) if zeros else ()),
            *self._differences_parts(criterion),
            Figure(
                partial(self.plot_folds, criterion),
                f"Scores of the folds by {criterion}",
                f"Mean over the folds by {criterion}",
                means,
            ),
        )

    def _differences_parts(self, criterion: str) -> tuple[Part, ...]:
        reference = self.best_baseline[criterion]
        shown = self._shown_names(criterion, has_reference=False)
        names = with_folds(shown, self.scores[criterion])
        if reference is None or not names:
            return ()
        rows = self.table[criterion]
        role = self._role_of_reference(criterion)
        differences = differences_table(
            f"Differences from {reference}, {role} ({better_sign(self.metrics[criterion])})",
            rows,
            names,
            untested=self.baselines,
        )
        return (
            differences,
            Figure(
                partial(self.plot_differences, criterion),
                f"Differences from {reference} by {criterion}, with intervals",
                f"Differences from {reference} by {criterion}",
                differences,
            ),
        )

    def _counted_as_zero(self, criterion: str) -> str:
        """Say for which estimators undefined values count as the level of chance."""
        names = [
            name
            for name, scores in self.scores[criterion].items()
            if self.table[criterion][name].n_draws is None
            and (np.isnan(self.reports[name].scores[criterion]) & ~np.isnan(scores)).any()
        ]
        return f"Undefined on some folds, which count as 0: {', '.join(names)}." if names else ""
