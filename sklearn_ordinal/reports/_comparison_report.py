"""The report of a comparison: estimators and baselines on the same folds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from sklearn_ordinal._core import ByMetric, shown
from sklearn_ordinal._documents import Document, Views, plain
from sklearn_ordinal.model_selection import FitFailure
from sklearn_ordinal.plotting import ComparisonDisplay, FoldScoresDisplay
from sklearn_ordinal.reports._comparison_document import (
    comparison_document,
    distinct_rows,
    row_titles,
)
from sklearn_ordinal.reports._criteria import selected_metric
from sklearn_ordinal.reports._cross_val_report import CrossValReport
from sklearn_ordinal.reports._model_comparison import best_first, row_numbers, with_draws
from sklearn_ordinal.reports._pairwise_comparison import PairwiseComparison
from sklearn_ordinal.reports._provenance import Provenance
from sklearn_ordinal.reports._sections import direction_as_text
from sklearn_ordinal.reports._verdicts import estimators_verdict


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonReport(Views):
    """Estimators and baselines on the same folds, compared by one or several criteria.

    Returned by `compare_estimators`. `str` gives the text, and notebooks show tables and a plot.
    Values are in the unit of each criterion, so for losses lower is better. Keys may have any form
    that `get_metric` accepts: ``scores["log_loss"]`` and ``scores["neg_log_loss"]`` are the same.

    Parameters
    ----------
    metrics : mapping of str to OrdinalMetric
        The criteria by name, with the main criterion first.
    reports : mapping of str to CrossValReport
        The report of each estimator, then of each baseline. If a baseline guesses at random, its
        report is about a single draw of its predictions in each fold.
    baselines : tuple of str
        Names of the baselines.
    scores : mapping of str to mapping of str to ndarray of shape (n_folds,)
        The values of each estimator and baseline for each criterion. An undefined value counts as 0
        if chance predictions have the value 0. If a baseline guesses at random, its values are
        expected values over its random predictions.
    table : mapping of str to mapping of str to ModelComparison
        For each criterion, the row of each estimator and baseline. Tables and plots show
        baselines with the same predictions and scores on every fold in one row; here and in
        `to_dict` and `to_frame`, each baseline has its own row.
    best_baseline : mapping of str to str or None
        Name of the baseline with the best mean for each criterion. A baseline that guesses is
        chosen only if it leads the other baselines by more than three standard errors of its
        simulation. If there are no baselines, the name of the first estimator. None if no baseline
        could be fitted.
    rope : mapping of str to float
        Half the width of the region of practical equivalence for each criterion, in its unit.
    failures : tuple of FitFailure, default=()
        Fits and evaluations of criteria that failed. An estimator whose fits all failed does not
        appear in the tables.
    rounded : tuple of str, default=()
        Names of the regressors, whose predictions are rounded to the nearest class.
    provenance : Provenance, default=None
        How the comparison was made. It is ignored when reports are compared.

    Attributes
    ----------
    winners : dict of str to tuple of str
        Names of the estimators or baselines with the best mean for each criterion; empty if no mean
        is defined.
    verdicts : dict of str to str
        A sentence for each criterion: whether the estimator with the best mean is shown to
        beat the best baseline, by how much, with the interval and the adjusted p-value. It is
        about these fitted models on this data.

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
    >>> comparison = compare_estimators({"tree": tree}, X, y, random_state=0)
    >>> comparison.winners
    {'cem_ord': ('tree',)}
    >>> print(comparison.table["cem_ord"]["tree"].difference)
    the first is higher by 0.185 (95% interval 0.164 to 0.205, p < 0.001)
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
    rounded: tuple[str, ...] = ()
    provenance: Provenance | None = None

    @property
    def n_classes(self) -> int:
        """Number of classes on the scale."""
        return next(iter(self.reports.values())).n_classes

    @property
    def winners(self) -> ByMetric:
        """Names of the estimators, or baselines, with the best mean for each criterion."""
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
        """Whether an estimator is shown to beat the best baseline, for each criterion.

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
                    role=self._reference_role(criterion),
                    n_folds=n_folds,
                )
                for criterion, metric in self.metrics.items()
            }
        )

    def __repr__(self) -> str:
        return f"ComparisonReport({len(self.reports)} estimators, winners {shown(self.winners)})"

    def pairwise(
        self, criterion: Any = None, *, reference: str | None = None
    ) -> PairwiseComparison:
        """Test all pairs of estimators, or each against a reference, on the fitted folds.

        No estimator is fitted again: the corrected resampled t-test needs only `scores`.

        Parameters
        ----------
        criterion : str, default=None
            One of the criteria, in any form that `get_metric` accepts. If None, the first.
        reference : str, default=None
            Name of an estimator or baseline with which all others, including baselines, are
            compared. If None, all pairs of estimators are compared, without the baselines.

        Returns
        -------
        PairwiseComparison
            The difference of each pair, with the better estimator first, or the difference of every
            other estimator from `reference`. P-values are adjusted by Holm's method for the number
            of these pairs.

        Raises
        ------
        ValueError
            If the report does not have the criterion or the reference, or there are fewer
            than two estimators to compare.
        """
        metric = selected_metric(self.metrics, criterion)
        ordered = [name for name, _ in best_first(self.table[metric.name])]
        if reference is not None and not (isinstance(reference, str) and reference in ordered):
            raise ValueError(f"reference must be among {ordered}, got {shown(reference)}.")
        if reference is None:
            pairs = tuple(combinations([name for name in ordered if name not in self.baselines], 2))
        else:
            pairs = tuple((name, reference) for name in ordered if name != reference)
        if not pairs:
            raise ValueError(
                "pairwise needs at least two estimators that could be fitted: pass reference= to "
                "compare one with the baselines."
            )
        any_report = next(iter(self.reports.values()))
        return PairwiseComparison._from_scores(
            pairs,
            self.scores[metric.name],
            metric,
            any_report.scale,
            n_train=any_report.n_train.mean(),
            n_test=any_report.n_test.mean(),
            confidence_level=self.table[metric.name][ordered[0]].score.confidence_level,
            reference=reference,
            row_names=row_titles(self.reports, self.scores[metric.name], self.baselines),
            provenance=self.provenance,
            n_folds=len(any_report.fold_predictions),
        )

    def plot_differences(
        self, criterion: Any = None, *, ax: Any = None, **options: Any
    ) -> ComparisonDisplay:
        """Draw the differences from the best baseline for one criterion.

        Parameters
        ----------
        criterion : str, default=None
            One of the criteria, in any form that `get_metric` accepts. If None, the first.
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
            If the report does not have the criterion, or no estimators are compared by it.
        """
        metric = selected_metric(self.metrics, criterion)
        titles = self._row_titles(metric.name, has_reference=False)
        rows = {title: self.table[metric.name][name] for name, title in titles.items()}
        return ComparisonDisplay(
            {title: row.difference for title, row in rows.items() if row.difference},
            adjusted_pvalues={title: row.adjusted_pvalue for title, row in rows.items()},
            criterion=metric.name,
            reference=self.best_baseline[metric.name],
            greater_is_better=metric.greater_is_better,
            rope=self.rope[metric.name],
            baselines=[title for name, title in titles.items() if name in self.baselines],
        ).plot(ax, **options)

    def plot_folds(
        self, criterion: Any = None, *, ax: Any = None, **options: Any
    ) -> FoldScoresDisplay:
        """Draw the scores of all estimators on each fold for one criterion.

        Parameters
        ----------
        criterion : str, default=None
            One of the criteria, in any form that `get_metric` accepts. If None, the first.
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.
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
        metric = selected_metric(self.metrics, criterion)
        titles = with_draws(self._row_titles(metric.name), self.table[metric.name])
        return FoldScoresDisplay(
            {title: self.scores[metric.name][name] for name, title in titles.items()},
            {title: self.table[metric.name][name].score for name, title in titles.items()},
            baselines=[title for name, title in titles.items() if name in self.baselines],
            score_name=f"{metric.name} ({direction_as_text(metric)} is better)",
        ).plot(ax, **options)

    def document(self) -> Document:
        """Return the content of the comparison, from which its views are rendered.

        Returns
        -------
        Document
            The verdicts, a section for each criterion with its plots, and the details of each
            estimator. If there are more than 6 criteria, all verdicts except the first are in the
            sections of their criteria.
        """
        return comparison_document(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers.

        Returns
        -------
        dict
            "criteria": for each criterion "verdict", "best_baseline", "winners", "rope",
            "better" and "estimators", a dict of rows with the columns of `to_frame`; "reports":
            `CrossValReport.to_dict` of each estimator; "baselines"; "failures": a list
            of dicts. Undefined values are None.
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
                        "estimators": {name: row_numbers(row) for name, row in rows.items()},
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
                **row_numbers(row),
            }
            for criterion, rows in self.table.items()
            for name, row in best_first(rows)
        ]

    def _reference_role(self, criterion: str) -> str:
        if not self.baselines:
            return "the reference"
        baselines = [name for name in self._row_titles(criterion) if name in self.baselines]
        rows = [self.table[criterion][name] for name in baselines]
        ranks = [row.rank for row in rows if not np.isnan(row.score.estimate)]
        is_tied = ranks.count(min(ranks, default=0)) > 1
        return "one of the best baselines" if is_tied else "the best baseline"

    def _row_titles(self, criterion: str, *, has_reference: bool = True) -> dict[str, str]:
        """Return the titles of rows in tables and plots, keyed by their first estimator."""
        all_titles = row_titles(self.reports, self.scores[criterion], self.baselines)
        ordered = [name for name, _ in best_first(self.table[criterion])]
        titles = distinct_rows(ordered, all_titles)
        if not has_reference:
            reference = all_titles.get(self.best_baseline[criterion])
            titles = {name: title for name, title in titles.items() if title != reference}
        return titles
