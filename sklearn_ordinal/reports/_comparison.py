"""The report of a comparison: estimators and baselines on the same folds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from sklearn_ordinal._core import ByMetric, OrdinalMetric
from sklearn_ordinal.documents import Document, Figure, Note, Part, Section, plain
from sklearn_ordinal.inference import corrected_t_test, holm_correction
from sklearn_ordinal.plotting import ComparisonDisplay, FoldScoresDisplay
from sklearn_ordinal.reports._cross_val import (
    CrossValReport,
    folds_in_words,
    folds_tables,
    notes_on_pooled,
    pooled_in_words,
)
from sklearn_ordinal.reports._model_comparison import (
    agreement,
    best_first,
    differences_table,
    estimators_table,
    finite,
    numbers_of,
)
from sklearn_ordinal.reports._ordinal import report_tables
from sklearn_ordinal.reports._pairwise import PairwiseComparison
from sklearn_ordinal.reports._provenance import Provenance, footer
from sklearn_ordinal.reports._saved import SavedViews, saved
from sklearn_ordinal.reports._sections import (
    FitFailure,
    confusion_figure,
    direction_as_text,
    failures_parts,
    headline,
)
from sklearn_ordinal.reports._shared_rows import row_names
from sklearn_ordinal.reports._verdict import verdict


@saved
@dataclass(frozen=True, eq=False, repr=False)
class ComparisonReport(SavedViews):
    """Estimators and baselines on the same folds, by one or several criteria.

    `compare_estimators` makes one; `str` gives the text, notebooks show tables. Values
    are in the unit of each criterion, so for losses lower is better. Keys may be
    anything that `get_metric` takes: ``scores["log_loss"]`` and
    ``scores["neg_log_loss"]`` are the same.

    Parameters
    ----------
    metrics : mapping of str to OrdinalMetric
        The criteria by name, the deciding one first.
    reports : mapping of str to CrossValReport
        The report of each estimator, then of each baseline.
    baselines : tuple of str
        Names of the baselines.
    scores : mapping of str to mapping of str to ndarray of shape (n_folds,)
        The values of each estimator and baseline by criterion. An undefined value counts
        as 0 if 0 is the level of chance.
    table : mapping of str to mapping of str to ModelComparison
        For each criterion the row of each estimator and baseline. Tables and plots show
        baselines with the same predictions and scores on every fold in one row; here and
        in `to_dict` and `to_frame`, each has its own.
    best_baseline : mapping of str to str or None
        Name of the baseline with the best mean by each criterion; without baselines,
        that of the first estimator; None if none of them could be fitted.
    rope : mapping of str to float
        Half the width of the region of practical equivalence by each criterion, in its
        unit.
    failures : tuple of FitFailure, default=()
        Fits and evaluations of criteria that failed. An estimator whose fits all failed is
        in no table.
    provenance : Provenance, default=None
        How the comparison was made. It is ignored when comparisons are compared.

    Attributes
    ----------
    winners : dict of str to tuple of str
        Names of the estimators or baselines with the best mean by each criterion, empty if
        no mean is defined.
    verdicts : dict of str to str
        A sentence for each criterion: whether the best estimator is shown to beat the
        best baseline, by how much, with the interval and the adjusted p-value.

    See Also
    --------
    sklearn_ordinal.compare_estimators : Make a comparison.
    CrossValReport : The results of one estimator.
    PairwiseComparison : Estimators compared with each other.

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
    >>> print(comparison.verdicts["cem_ord"])
    By cem_ord, tree beats majority class, the best baseline, by 0.185 (95% interval 0.164 to
    0.205, adjusted p < 0.001).
    """

    metrics: ByMetric
    reports: Mapping[str, CrossValReport]
    baselines: tuple[str, ...]
    scores: ByMetric
    table: ByMetric
    best_baseline: ByMetric
    rope: ByMetric
    failures: tuple[FitFailure, ...] = ()
    provenance: Provenance | None = field(default=None, compare=False)

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
    def verdicts(self) -> ByMetric:
        """Whether the best estimator is shown to beat the best baseline, by each criterion.

        A difference is shown if its adjusted p-value is at most 1 - confidence_level.
        """
        n_folds = len(next(iter(self.reports.values())).fold_predictions)
        return ByMetric(
            {
                criterion: verdict(
                    metric,
                    self.table[criterion],
                    self.best_baseline[criterion],
                    baselines=self.baselines,
                    n_folds=n_folds,
                )
                for criterion, metric in self.metrics.items()
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
        names = self._compared_names(metric.name)
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
        metric = self._metric(criterion)
        names = self._shown_names(metric.name)
        return FoldScoresDisplay(
            {shown: self.scores[metric.name][name] for name, shown in names.items()},
            {shown: self.table[metric.name][name].score for name, shown in names.items()},
            baselines=[shown for name, shown in names.items() if name in self.baselines],
            score_name=f"{metric.name} ({direction_as_text(metric)} is better)",
        ).plot(ax, **options)

    def pairwise(
        self, criterion: Any = None, *, reference: str | None = None
    ) -> PairwiseComparison:
        """Test all pairs of estimators, or each against one, on the folds that were fitted.

        Nothing is fitted again: the corrected resampled t-test needs only `scores`.

        Parameters
        ----------
        criterion : str, default=None
            One of the criteria, as `get_metric` takes it. If None, the first.
        reference : str, default=None
            Name of an estimator or a baseline with which every other one is compared,
            baselines included. If None, all pairs of estimators without the baselines.

        Returns
        -------
        PairwiseComparison
            The difference of each pair, the better one first, or of each other estimator
            and `reference`. P-values are adjusted by Holm's method for the number of these
            pairs.

        Raises
        ------
        ValueError
            If the report does not have the criterion or the reference, or there are
            fewer than two to compare.
        """
        metric = self._metric(criterion)
        ordered = [name for name, _ in best_first(self.table[metric.name])]
        if reference is not None and reference not in ordered:
            raise ValueError(f"reference must be among {ordered}, got {reference!r}.")
        if reference is None:
            pairs = tuple(combinations([n for n in ordered if n not in self.baselines], 2))
        else:
            pairs = tuple((name, reference) for name in ordered if name != reference)
        if not pairs:
            raise ValueError(
                "pairwise needs at least two estimators that could be fitted; pass reference= to "
                "compare one with the baselines."
            )
        scores = {name: finite(values) for name, values in self.scores[metric.name].items()}
        any_report = next(iter(self.reports.values()))
        differences = tuple(
            corrected_t_test(
                scores[first],
                scores[second],
                n_train=any_report.n_train.mean(),
                n_test=any_report.n_test.mean(),
                confidence_level=self.table[metric.name][first].score.confidence_level,
                greater_is_better=metric.greater_is_better,
            )
            for first, second in pairs
        )
        return PairwiseComparison(
            scale=any_report.scale,
            metrics=ByMetric({metric.name: metric}),
            pairs=pairs,
            differences=differences,
            adjusted_pvalues=holm_correction([difference.pvalue for difference in differences]),
            reference=reference,
            row_names=row_names(self.reports, self.scores[metric.name], self.baselines),
            provenance=self.provenance,
        )

    def document(self) -> Document:
        """Return the content of the comparison, from which its views are rendered.

        Returns
        -------
        Document
            The verdicts, a section for each criterion with its plots, and on demand the
            report of each estimator.
        """
        any_report = next(iter(self.reports.values()))
        # If the first criterion has no value at all, the first estimator is shown.
        winner = (*self.winners[next(iter(self.metrics))], *self.reports)[0]
        pooled = self.reports[winner].pooled
        each = (
            Section(
                f"{shown} ({self._role(name)})",
                (
                    *folds_tables(self.reports[name]),
                    *notes_on_pooled(self.reports[name]),
                    *report_tables(self.reports[name].pooled)[:-1],
                ),
                is_detail=True,
            )
            for name, shown in self._names_of_reports().items()
        )
        return Document(
            "Comparison of estimators",
            (
                *map(Note, self.verdicts.values()),
                Note(f"{folds_in_words(any_report)}."),
                Note(agreement(self.winners)),
                *failures_parts(self.failures),
                *(
                    Section(headline(metric, any_report.n_classes), self._criterion_parts(name))
                    for name, metric in self.metrics.items()
                ),
                *self._how_to_read(),
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

    def _metric(self, criterion: Any) -> OrdinalMetric:
        if criterion is None:
            criterion = next(iter(self.metrics))
        metric: OrdinalMetric = self.metrics[self.metrics.name_of(criterion, "criterion")]
        return metric

    def _role(self, name: str) -> str:
        if name in self.baselines:
            return "baseline"
        # Without baselines, the same estimator is the reference by every criterion.
        is_reference = not self.baselines and name in self.best_baseline.values()
        return "reference" if is_reference else "model"

    def _shown_names(self, criterion: str) -> dict[str, str]:
        """Return the name of each row that is shown, best first, by its first estimator."""
        rows = row_names(self.reports, self.scores[criterion], self.baselines)
        first: dict[str, str] = {}
        for name, _ in best_first(self.table[criterion]):
            first.setdefault(rows[name], name)
        return {name: shown for shown, name in first.items()}

    def _compared_names(self, criterion: str) -> dict[str, str]:
        """Return the same without the row of what the others are compared with."""
        rows = row_names(self.reports, self.scores[criterion], self.baselines)
        reference = self.best_baseline[criterion]
        return {
            name: shown
            for name, shown in self._shown_names(criterion).items()
            if reference is not None and shown != rows[reference]
        }

    def _names_of_reports(self) -> dict[str, str]:
        """Return the name of each report that is shown, by its first estimator."""
        rows = [row_names(self.reports, scores, self.baselines) for scores in self.scores.values()]
        first: dict[str, str] = {}
        for name in self.reports:
            shown = {row[name] for row in rows}
            first.setdefault(shown.pop() if len(shown) == 1 else name, name)
        return {name: shown for shown, name in first.items()}

    def _criterion_parts(self, criterion: str) -> tuple[Part, ...]:
        rows = self.table[criterion]
        names = self._names_with_folds(criterion, self._shown_names(criterion))
        roles = {name: self._role(name) for name in names}
        zeros = self._counted_as_zero(criterion)
        scores = (f"{shown} {rows[name].score}" for name, shown in names.items())
        return (
            estimators_table(f"Estimators by {criterion}, best first", rows, names, roles),
            *((Note(zeros, is_small=True),) if zeros else ()),
            *self._differences_parts(criterion),
            Figure(
                partial(self.plot_folds, criterion),
                f"Scores of the folds by {criterion}",
                f"Mean over the folds: {'; '.join(scores)}",
            ),
        )

    def _differences_parts(self, criterion: str) -> tuple[Part, ...]:
        reference = self.best_baseline[criterion]
        names = self._names_with_folds(criterion, self._compared_names(criterion))
        if reference is None or not names:
            return ()
        rows = self.table[criterion]
        kind = "the best baseline" if self.baselines else "the reference"
        sign = "positive" if self.metrics[criterion].greater_is_better else "negative"
        texts = (f"{shown} {rows[name].difference}" for name, shown in names.items())
        return (
            differences_table(
                f"Differences from {reference}, {kind} ({sign} is better)",
                rows,
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

    def _names_with_folds(self, criterion: str, names: Mapping[str, str]) -> dict[str, str]:
        """Return names, with the number of folds that a mean is over if it lacks some."""
        scores = self.scores[criterion]
        n_folds = np.count_nonzero(
            ~np.all([np.isnan(values) for values in scores.values()], axis=0)
        )
        n_defined = {name: np.count_nonzero(~np.isnan(scores[name])) for name in names}
        return {
            name: shown
            if n_defined[name] == n_folds
            else f"{shown} ({n_defined[name]} of {n_folds} folds)"
            for name, shown in names.items()
        }

    def _counted_as_zero(self, criterion: str) -> str:
        """Say for which estimators undefined values count as the level of chance."""
        names = [
            name
            for name, scores in self.scores[criterion].items()
            if self.reports[name].intervals[criterion].n_undefined
            > np.count_nonzero(np.isnan(scores))
        ]
        return f"Undefined on some folds, which count as 0: {', '.join(names)}." if names else ""
