"""`compare_estimators`: estimators on the same folds, compared with baselines and in pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, is_regressor

from sklearn_ordinal._core import catalogue, checks, containers, lookup, tolerances
from sklearn_ordinal._core.catalogue import OrdinalMetric
from sklearn_ordinal._core.lookup import ByMetric, MetricsLike
from sklearn_ordinal._documents import formatting, json_files
from sklearn_ordinal._documents.document_parts import (
    Column,
    Document,
    Figure,
    Note,
    Part,
    Row,
    Section,
    Table,
)
from sklearn_ordinal._documents.views import Views
from sklearn_ordinal.inference import _fold_tests, _holm_correction
from sklearn_ordinal.inference._fold_tests import PosteriorProbabilities
from sklearn_ordinal.inference._intervals import Interval
from sklearn_ordinal.inference._paired_difference import PairedDifference
from sklearn_ordinal.model_selection import _baselines, _folds
from sklearn_ordinal.model_selection._baselines import ExpectedScores
from sklearn_ordinal.model_selection._folds import Evaluation, FitFailure
from sklearn_ordinal.model_selection._wrapping import RoundedRegressor
from sklearn_ordinal.plotting._comparison_display import ComparisonDisplay, FoldScoresDisplay
from sklearn_ordinal.reports import _cross_val, _ordinal, _sections, _sentences
from sklearn_ordinal.reports._cross_val import CrossValReport
from sklearn_ordinal.reports._sections import Provenance
from sklearn_ordinal.reports._sentences import Tested

# Documents that compare estimators with the best baseline, or in pairs
# ---------------------------------------------------------------------

# Splitters that scikit-learn can repeat.
_REPEATABLE = ("KFold", "StratifiedKFold")
_N_REPETITIONS = 5
# Up to five estimators have a table of their pairs.
_MOST_PAIRS = 10


def _comparison_document(report: ComparisonReport) -> Document:
    """Return the verdicts, a section for each criterion, and the details of each estimator."""
    at_the_top, at_tables = _sentences.placed_verdicts(report.verdicts)
    any_report = next(iter(report.reports.values()))
    # If the first criterion has no value for any estimator, the first estimator is shown.
    winner = (*report.winners[next(iter(report.metrics))], *report.reports)[0]
    pooled = report.reports[winner].pooled
    assert pooled.confusion is not None
    estimator_sections = (
        Section(
            f"{title} ({'baseline' if name in report.baselines else 'model'})",
            (
                *_single_draw_notes(report.table[criterion][name] for criterion in report.table),
                *_cross_val.folds_tables(report.reports[name]),
                *_cross_val.pooled_notes(report.reports[name]),
                *_ordinal.classes_parts(report.reports[name].pooled),
            ),
            is_detail=True,
        )
        for name, title in _distinct_rows(report.reports, _titles_by_all_criteria(report)).items()
    )
    pairs = next(iter(report._pairs.values()))
    n_pairs = len(pairs.pairs) if pairs else 0
    return Document(
        "Comparison of estimators",
        (
            Note(f"{_cross_val.folds_in_words(any_report)}."),
            *_notes_on_rounding(report),
            *_sections.notes_on_prevalence(any_report.prevalence, pooled.target_names),
            *((Note(_sentences.agreement(report.winners)),) if any(at_tables.values()) else ()),
            *_cross_val.failures_parts(report.failures),
            *(
                Section(
                    _sections.headline(metric, any_report.n_classes),
                    (*at_tables[name], *_criterion_parts(report, name)),
                )
                for name, metric in report.metrics.items()
            ),
            *_about_repetition(report),
            _sections.confusion_figure(
                pooled.confusion,
                pooled.target_names,
                f" by {winner}{_cross_val.pooled_in_words(report.reports[winner])}",
            ),
            Section("Each estimator", tuple(estimator_sections), is_detail=True),
        ),
        verdict=at_the_top,
        footer=_sections.footer(report.provenance),
        hint=f"pairwise() tests the {n_pairs} pairs of models." if n_pairs > _MOST_PAIRS else "",
    )


def _notes_on_rounding(report: ComparisonReport) -> tuple[Note, ...]:
    """Say which estimators are regressors."""
    names = [name for name in report.rounded if name in report.reports]
    if not names:
        return ()
    verb = "is a regressor" if len(names) == 1 else "are regressors"
    return (
        Note(
            f"{formatting.names_in_words(names)} {verb}: predictions are rounded to the nearest "
            "class. TunedOrdinalThresholdClassifierCV chooses other cuts."
        ),
    )


def _titles_by_all_criteria(report: ComparisonReport) -> dict[str, str]:
    """Return the titles of rows. Baselines share a row only if they can for all criteria."""
    by_criterion = [
        _estimator_titles(report.reports, scores, report.baselines)
        for scores in report.scores.values()
    ]
    titles = {name: {row[name] for row in by_criterion} for name in report.reports}
    return {name: shared.pop() if len(shared) == 1 else name for name, shared in titles.items()}


def _criterion_parts(report: ComparisonReport, criterion: str) -> tuple[Part, ...]:
    rows, reference = report.table[criterion], report.best_baseline[criterion]
    zeros = _counted_as_zero(report, criterion)
    estimators = _estimators_table(report, criterion)
    differences = Figure(
        partial(report.plot_differences, criterion),
        f"Differences from {reference} by {criterion}, with intervals",
        f"Differences from {reference} by {criterion}",
        estimators,
    )
    has_differences = reference and report._row_titles(criterion, has_reference=False)
    pairs = report._pairs[criterion]
    return (
        estimators,
        *_guess_notes(rows),
        *((Note(zeros, is_small=True),) if zeros else ()),
        *((_pairs_table(pairs),) if pairs and len(pairs.pairs) <= _MOST_PAIRS else ()),
        *((differences,) if has_differences else ()),
        Figure(
            partial(report.plot_folds, criterion),
            f"Scores of the folds by {criterion}",
            f"Mean over the folds by {criterion}",
            estimators,
        ),
        _practical_section(report, criterion),
    )


def _estimators_table(report: ComparisonReport, criterion: str) -> Table:
    """Return the mean of each estimator, and its difference from the best baseline.

    Without baselines, there are no p-values here: the table of pairs tests all pairs together.
    """
    rows, reference = report.table[criterion], report.best_baseline[criterion]
    interval = _sections.interval_name(next(iter(rows.values())).score.confidence_level)
    columns = [Column("estimator"), Column("mean", "number")]
    against = ""
    if reference is not None:
        columns += _difference_columns(interval)[: 3 if report.baselines else 2]
        against = (
            f"; differences from {reference}, {report._reference_role(criterion)} "
            f"({_sections.better_sign(report.metrics[criterion])})"
        )
    compared = report._row_titles(criterion, has_reference=False)
    cells: list[Row] = []
    for name, title in report._titles_with_folds(criterion).items():
        row = rows[name]
        numbers: Row = (None, None, row.adjusted_pvalue)
        if name in compared and row.difference is not None:
            numbers = _difference_cells(row.difference, row.adjusted_pvalue)
        if name in report.baselines:
            numbers = (*numbers[:2], "baseline")
        cells.append((title, row.score.estimate, *numbers)[: len(columns)])
    return Table(f"Estimators by {criterion}, best first{against}", tuple(columns), tuple(cells))


def _practical_section(report: ComparisonReport, criterion: str) -> Section:
    """Return the ranks, the intervals of the means, and what the differences mean in practice."""
    rows, reference = report.table[criterion], report.best_baseline[criterion]
    interval = _sections.interval_name(next(iter(rows.values())).score.confidence_level)
    n_tied = Counter(row.rank for row in rows.values())
    columns = [
        Column("estimator"),
        Column("rank", "number"),
        Column("mean", "number"),
        Column(interval, "interval"),
    ]
    if reference is not None:
        outcomes = ("better", "equal", "worse")
        columns += [Column(f"P ({outcome})", "number", digits=2) for outcome in outcomes]
        columns.append(Column("p", "pvalue", full_name="p-value, not adjusted"))
    cells: list[Row] = []
    for name, title in report._titles_with_folds(criterion).items():
        row = rows[name]
        numbers: Row = (None,) * 4
        if row.difference is not None:
            numbers = (
                row.probability_better,
                row.probability_equivalent,
                row.probability_worse,
                None if name in report.baselines else row.difference.pvalue,
            )
        ends, place = (row.score.low, row.score.high), _place(row.rank, n_tied[row.rank])
        cells.append((title, place, row.score.estimate, ends, *numbers)[: len(columns)])
    table = Table(f"Means by {criterion}, with intervals", tuple(columns), tuple(cells))
    notes = () if reference is None else (Note(_practice_in_words(report, criterion)),)
    return Section(f"Means and practical differences by {criterion}", (table, *notes), True)


def _practice_in_words(report: ComparisonReport, criterion: str) -> str:
    """Say what counts as equal, and which intervals are wider than this region."""
    rope = report.rope[criterion]
    widths = {
        name: row.difference.high - row.difference.low
        for name, row in report.table[criterion].items()
        if row.difference is not None and name not in report.baselines
    }
    wide = [name for name, width in widths.items() if width > 2 * rope > 0]
    text = (
        f"P (better): probability that the estimator is better than "
        f"{report.best_baseline[criterion]} by more than {rope:g}."
    )
    if not wide:
        return text
    names = "All intervals" if len(wide) == len(widths) else formatting.names_in_words(wide)
    are = f"{names} are" if len(wide) == len(widths) else f"The intervals of {names} are"
    return f"{text} {are} too wide to show equality within this region."


def _place(rank: int, n_tied: int) -> int | str:
    """Return the rank, or the first and last place of estimators that share it."""
    return rank if n_tied == 1 else f"{rank}-{rank + n_tied - 1}"


def _counted_as_zero(report: ComparisonReport, criterion: str) -> str:
    """Return a note on the estimators with undefined values, which count as chance."""
    names = [
        name
        for name, scores in report.scores[criterion].items()
        if report.table[criterion][name].n_draws is None
        and (np.isnan(report.reports[name].scores[criterion]) & ~np.isnan(scores)).any()
    ]
    return f"Undefined values on some folds, counted as 0: {', '.join(names)}." if names else ""


def _about_repetition(report: ComparisonReport) -> tuple[Note, ...]:
    """If a question is open, say how wide the intervals from repeated folds would be."""
    is_won = [test.is_won for criterion in report.metrics for test in report._tests(criterion)]
    if all(is_won) or report.failures:
        return ()
    of_any = next(iter(report.reports.values()))
    splitter = _sections.folds_by(report.provenance).removeprefix(" by ")
    n_folds = len(of_any.fold_predictions)
    # Folds of single samples would be the same in each repetition.
    if splitter not in _REPEATABLE or of_any.n_test.max() == 1:
        return ()
    width = _fold_tests.width_after_repetition(
        _N_REPETITIONS,
        n_folds=n_folds,
        n_train=of_any.n_train.mean(),
        n_test=of_any.n_test.mean(),
        confidence_level=next(iter(of_any.intervals.values())).confidence_level,
    )
    repeated = f"Repeated{splitter}(n_splits={n_folds}, n_repeats={_N_REPETITIONS})"
    text = f"With cv={repeated}, intervals are {width:.0%} as wide if folds have the same spread."
    if np.isnan(next(iter(of_any.intervals.values())).low):
        text = f"With cv={repeated}, there are intervals and tests."
    return (Note(text, is_small=True),)


def _guess_notes(rows: Mapping[str, ModelComparison]) -> tuple[Note, ...]:
    """Say how baselines that guess are scored, if a score is not exact."""
    guesses = {name: row for name, row in rows.items() if row.n_draws is not None}
    if all(row.n_draws == 0 for row in guesses.values()):
        return ()
    parts = (f"{name} {_draws_in_words(row)}" for name, row in guesses.items())
    text = f"Guesses are scored by their expected value over the draws: {'; '.join(parts)}."
    return (Note(text, is_small=True),)


def _draws_in_words(row: ModelComparison) -> str:
    if not row.n_draws:
        return "exactly"
    if row.n_draws == 1:
        return "by one draw per fold, since the criterion fails for other draws"
    return f"from {row.n_draws:,} draws per fold (simulation error {row.simulation_error:.2g})"


def _single_draw_notes(rows: Iterable[ModelComparison]) -> tuple[Note, ...]:
    """Say that the report of a baseline that guesses is about one of its draws."""
    if all(row.n_draws is None for row in rows):
        return ()
    return (
        Note(
            "This report is about one draw of the guesses in each fold. The tables of the "
            "comparison have the expected values over all draws."
        ),
    )


def _pairs_table(pairwise: PairwiseComparison) -> Table:
    is_pair = pairwise.reference is None
    interval = _sections.interval_name(pairwise.differences[0].confidence_level)
    names = ("first", "second") if is_pair else ("estimator",)
    # Folds without a value of both are counted if there are any.
    undefined = [Column("undefined folds", "number", is_detail=True)] * any(
        difference.n_undefined for difference in pairwise.differences
    )
    rows: tuple[Row, ...] = tuple(
        (
            *pair[: len(names)],
            *_difference_cells(difference, pvalue),
            *[difference.n_undefined] * len(undefined),
        )
        for pair, difference, pvalue in pairwise._rows()
    )
    what = "Pairs of models, first minus second"
    if pairwise.reference is not None:
        what = f"Differences from {pairwise._row_name(pairwise.reference)}"
    return Table(
        f"{what} ({_sections.better_sign(pairwise.metric)})",
        (*map(Column, names), *_difference_columns(interval), *undefined),
        rows,
    )


def _difference_columns(interval: str) -> tuple[Column, ...]:
    return (
        Column("difference", "number", is_signed=True),
        Column(interval, "interval", is_signed=True),
        Column("adjusted p", "pvalue", full_name="p-value, adjusted with Holm's method"),
    )


def _difference_cells(difference: PairedDifference, adjusted_pvalue: float | None) -> Row:
    return difference.estimate, (difference.low, difference.high), adjusted_pvalue


def _estimator_titles(
    reports: Mapping[str, CrossValReport],
    scores: Mapping[str, NDArray[np.float64]],
    baselines: Collection[str],
) -> dict[str, str]:
    """Return the title of the row in which tables and plots show each estimator.

    Baselines with the same predictions and the same scores on every fold share a row.
    """
    rows: list[list[str]] = []
    for name in reports:
        for row in rows:
            is_baseline = name in baselines and row[0] in baselines
            if is_baseline and _are_the_same(reports, scores, name, row[0]):
                row.append(name)
                break
        else:
            rows.append([name])
    return {name: " = ".join(row) for row in rows for name in row}


def _distinct_rows(names: Iterable[str], titles: Mapping[str, str]) -> dict[str, str]:
    """Return the title of each row, keyed by the first of the names that share it."""
    first: dict[str, str] = {}
    for name in names:
        first.setdefault(titles[name], name)
    return {name: title for title, name in first.items()}


def _are_the_same(
    reports: Mapping[str, CrossValReport],
    scores: Mapping[str, NDArray[np.float64]],
    first: str,
    second: str,
) -> bool:
    # Criteria of probabilities may differ although the predicted classes are the same.
    if not np.array_equal(scores[first], scores[second], equal_nan=True):
        return False
    folds = zip(reports[first].fold_predictions, reports[second].fold_predictions, strict=True)
    return all(
        a is b if a is None or b is None else np.array_equal(a.y_pred, b.y_pred) for a, b in folds
    )


# Comparison of pairs of estimators on the same folds, for one criterion
# ----------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class PairwiseComparison(Views):
    """Differences of pairs of estimators for one criterion, tested together.

    Returned by `ComparisonReport.pairwise`. `str` gives the text, and notebooks show tables and a
    plot. A difference is the value of the first estimator minus the value of the second, in the
    unit of the criterion. Intervals and tests are about these fitted models on this data.

    Parameters
    ----------
    metric : OrdinalMetric
        The criterion.
    pairs : tuple of tuple of str
        Names of the first and the second estimator of each pair.
    differences : tuple of PairedDifference
        The difference of each pair, with its interval and unadjusted p-value.
    adjusted_pvalues : ndarray of shape (n_pairs,)
        The p-values after Holm's correction for the number of pairs.
    reference : str or None, default=None
        Name of the second estimator of each pair, if all estimators are compared with the same one.
    row_names : mapping of str to str, default={}
        The names that tables and plots show for baselines that share a row because they predict the
        same on every fold.
    provenance : Provenance, default=None
        How the comparison was made. It is ignored when results are compared.
    n_folds : int, default=None
        Number of folds, None if it is not known.

    Attributes
    ----------
    criterion : str
        Name of the criterion.
    verdict : str
        A sentence that says which pairs are shown to differ.

    See Also
    --------
    ComparisonReport : Compares every estimator with the best baseline.
    sklearn_ordinal.inference.compare_ranks : Systems over several data sets.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_ordinal import compare_estimators
    >>> from sklearn_ordinal.datasets import load_lev
    >>> X, y = load_lev(return_X_y=True)
    >>> models = {"tree": DecisionTreeClassifier(max_depth=4, random_state=0), "svm": SVC()}
    >>> pairwise = compare_estimators(models, X, y, random_state=0).pairwise()
    >>> pairwise.pairs
    (('svm', 'tree'),)
    >>> print(pairwise.differences[0])
    the first is higher by 0.037 (95% interval 0.000 to 0.073, p = 0.049)
    """

    metric: OrdinalMetric
    pairs: tuple[tuple[str, str], ...]
    differences: tuple[PairedDifference, ...]
    adjusted_pvalues: NDArray[np.float64]
    reference: str | None = None
    row_names: Mapping[str, str] = field(default_factory=dict)
    provenance: Provenance | None = None
    n_folds: int | None = None

    @property
    def criterion(self) -> str:
        """Name of the criterion."""
        return self.metric.name

    @property
    def verdict(self) -> str:
        """A sentence that says which pairs are shown to differ.

        A pair is shown to differ if its adjusted p-value is at most 1 - confidence_level.
        """
        if len(self.pairs) == 1:
            return _sentences.pair_verdict(
                self.criterion,
                self.pairs[0],
                self.differences[0],
                float(self.adjusted_pvalues[0]),
                n_folds=self.n_folds,
            )
        return _sentences.pairs_verdict(
            self.criterion,
            self.pairs,
            self.differences,
            self.adjusted_pvalues,
            reference=self.reference,
            row_names=self.row_names,
        )

    def __repr__(self) -> str:
        return f"PairwiseComparison({checks.in_repr([self.criterion])}, {len(self.pairs)} pairs)"

    def plot_differences(self, *, ax: Any = None, **options: Any) -> ComparisonDisplay:
        """Draw the difference of each pair with its interval.

        Parameters
        ----------
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
        """
        rows = {self._title(pair): (difference, p) for pair, difference, p in self._rows()}
        return ComparisonDisplay(
            {title: difference for title, (difference, _) in rows.items()},
            adjusted_pvalues={title: pvalue for title, (_, pvalue) in rows.items()},
            criterion=self.criterion,
            reference=self._row_name(self.reference) if self.reference else "the second",
            greater_is_better=self.metric.greater_is_better,
        ).plot(ax, **options)

    def document(self) -> Document:
        """Return the content of the comparison, from which its views are rendered.

        Returns
        -------
        Document
            The verdict, a table and a plot.
        """
        table = _pairs_table(self)
        return Document(
            f"Pairs by {self.criterion}",
            (
                table,
                Figure(
                    self.plot_differences,
                    f"Differences by {self.criterion}, with intervals",
                    table.title,
                    table,
                ),
            ),
            verdict=(Note(self.verdict),),
            footer=_sections.footer(self.provenance),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers.

        Returns
        -------
        dict
            "criterion"; "better"; "reference"; "verdict"; "pairs": a list of dicts with the
            columns of `to_frame`. Undefined values are None.
        """
        numbers: dict[str, Any] = json_files.plain(
            {
                "criterion": self.criterion,
                "better": _sections.direction_as_text(self.metric),
                "reference": self.reference,
                "verdict": self.verdict,
                "pairs": self._records(),
            }
        )
        return numbers

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each pair."""
        return [
            {
                "criterion": self.criterion,
                "estimator": first,
                "against": second,
                **_sections.tidy_numbers(difference, pvalue),
                "n_undefined": difference.n_undefined,
                "favours": difference.favours,
                "confidence_level": difference.confidence_level,
                "better": _sections.direction_as_text(self.metric),
            }
            for (first, second), difference, pvalue in zip(
                self.pairs, self.differences, self.adjusted_pvalues.tolist(), strict=True
            )
        ]

    def _rows(self) -> list[tuple[tuple[str, str], PairedDifference, float]]:
        """Return the pairs to show, with the names of their rows."""
        rows = {}
        columns = zip(self.pairs, self.differences, self.adjusted_pvalues.tolist(), strict=True)
        for (first, second), difference, pvalue in columns:
            pair = self._row_name(first), self._row_name(second)
            if pair[0] != pair[1]:
                rows[pair] = (difference, pvalue)
        return [(pair, difference, pvalue) for pair, (difference, pvalue) in rows.items()]

    def _row_name(self, name: str) -> str:
        return self.row_names.get(name, name)

    def _title(self, pair: tuple[str, str]) -> str:
        return pair[0] if self.reference else " - ".join(pair)


# The report of a comparison: estimators and baselines on the same folds
# ----------------------------------------------------------------------


@dataclass(frozen=True)
class ModelComparison:
    """An estimator compared with the best baseline, for one criterion.

    All values are in the unit of the criterion, and for losses lower is better. As in the
    scorers, undefined values count as 0 if 0 is the level of chance.

    Parameters
    ----------
    score : Interval
        Mean over the folds, with its corrected resampled t interval.
    difference : PairedDifference or None
        Mean of the estimator minus the mean of the best baseline, with interval and unadjusted
        p-value; None for the best baseline itself, and if no baseline could be fitted.
    adjusted_pvalue : float
        The p-value after Holm's correction for the number of estimators compared; NaN
        for baselines, which are not tested.
    probability_worse : float
        Posterior probability that the estimator is worse than the best baseline by more than the
        region of practical equivalence. Like the other two probabilities, it is NaN if there is no
        difference.
    probability_equivalent : float
        Posterior probability that the difference lies in the region of practical equivalence.
    probability_better : float
        Posterior probability that the estimator is practically better.
    rank : int
        Rank by mean score among all estimators and baselines, where 1 is best. Ties share the
        better rank. Estimators that lack a score on a fold come last, since their mean comes from
        fewer folds.
    n_draws : int or None, default=None
        For a baseline that guesses, the number of random predictions per fold over which its score
        is averaged; 0 if the expected value is exact, and 1 if only one draw could be scored. None
        for all others.
    simulation_error : float, default=nan
        Standard error of the mean over the folds that is due to these draws; NaN if it is not
        known, and for estimators that do not guess.

    See Also
    --------
    ComparisonReport : Compare all estimators for all criteria.

    Examples
    --------
    >>> from sklearn_ordinal.inference import Interval, PairedDifference
    >>> from sklearn_ordinal.reports import ModelComparison
    >>> row = ModelComparison(
    ...     Interval(0.75, 0.70, 0.80, 0.95),
    ...     PairedDifference(0.03, 0.01, 0.05, 0.95, pvalue=0.01),
    ...     adjusted_pvalue=0.02, probability_worse=0.0, probability_equivalent=0.04,
    ...     probability_better=0.96, rank=1,
    ... )
    >>> row.difference.estimate
    0.03
    """

    score: Interval
    difference: PairedDifference | None
    adjusted_pvalue: float
    probability_worse: float
    probability_equivalent: float
    probability_better: float
    rank: int
    n_draws: int | None = None
    simulation_error: float = np.nan


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
        Sentences for each criterion: which estimator has the best mean, and whether it is shown to
        beat the second estimator and the best baseline, by how much, with the interval and the
        adjusted p-value. They are about these fitted models on this data.

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
        """Which estimator is best, and whether it is shown to beat the second and the baselines.

        A difference is shown if its adjusted p-value is at most 1 - confidence_level.
        """
        verdicts = ByMetric()
        for criterion, rows in self.table.items():
            models = self._models(criterion)
            verdicts[criterion] = _sentences.estimators_verdict(
                criterion,
                {name: rows[name].score for name in models},
                [name for name in models if rows[name].rank == rows[models[0]].rank],
                self._tests(criterion),
                rope=self.rope[criterion],
                n_folds=len(self.reports[models[0]].fold_predictions),
            )
        return verdicts

    @cached_property
    def _pairs(self) -> dict[str, PairwiseComparison | None]:
        """The pairs of estimators by criterion; None if there is a single estimator."""
        return {
            name: self.pairwise(name) if len(self._models(name)) > 1 else None
            for name in self.metrics
        }

    def _best_first(self, criterion: str) -> list[str]:
        """Return all names sorted by rank."""
        rows = self.table[criterion]
        return sorted(rows, key=lambda name: rows[name].rank)

    def _models(self, criterion: str) -> list[str]:
        """Return the names of the estimators that are no baselines, sorted by rank."""
        return [name for name in self._best_first(criterion) if name not in self.baselines]

    def _tests(self, criterion: str) -> list[Tested]:
        """Return how the best estimator compares with the second and with the best baseline."""
        rows, pairs = self.table[criterion], self._pairs[criterion]
        best, *others = self._models(criterion)
        tests, score = [], rows[best].score.estimate
        if pairs is not None and not np.isnan(rows[others[0]].score.estimate):
            tests.append(
                Tested(
                    others[0],
                    "" if rows[others[0]].rank == rows[best].rank else "the second",
                    pairs.differences[0],
                    float(pairs.adjusted_pvalues[0]),
                    bool(np.isinf([score, rows[others[0]].score.estimate]).any()),
                )
            )
        reference, row = self.best_baseline[criterion], rows[best]
        if reference in self.baselines and row.difference is not None:
            tests.append(
                Tested(
                    reference,
                    self._reference_role(criterion),
                    row.difference,
                    row.adjusted_pvalue,
                    bool(np.isinf([score, rows[reference].score.estimate]).any()),
                    row.probability_equivalent,
                )
            )
        return tests

    def __repr__(self) -> str:
        return (
            f"ComparisonReport({len(self.reports)} estimators, winners "
            f"{checks.shown(self.winners)})"
        )

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
        metric = _sections.selected_metric(self.metrics, criterion)
        ordered = self._best_first(metric.name)
        if reference is not None and not (isinstance(reference, str) and reference in ordered):
            raise ValueError(f"reference must be among {ordered}, got {checks.shown(reference)}.")
        if reference is None:
            pairs = tuple(combinations(self._models(metric.name), 2))
        else:
            pairs = tuple((name, reference) for name in ordered if name != reference)
        if not pairs:
            raise ValueError(
                "pairwise needs at least two estimators that could be fitted: pass reference= to "
                "compare one with the baselines."
            )
        any_report, scores = next(iter(self.reports.values())), self.scores[metric.name]
        differences = tuple(
            _cross_val.folds_difference(
                _cross_val.comparable(scores[first], scores[second]),
                metric,
                self.n_classes,
                n_train=any_report.n_train.mean(),
                n_test=any_report.n_test.mean(),
                confidence_level=self.table[metric.name][first].score.confidence_level,
            )
            for first, second in pairs
        )
        return PairwiseComparison(
            metric,
            pairs,
            differences,
            _holm_correction.holm_correction([difference.pvalue for difference in differences]),
            reference=reference,
            row_names=_estimator_titles(self.reports, scores, self.baselines),
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
        metric = _sections.selected_metric(self.metrics, criterion)
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
        metric = _sections.selected_metric(self.metrics, criterion)
        titles = self._titles_with_draws(metric.name)
        return FoldScoresDisplay(
            {title: self.scores[metric.name][name] for name, title in titles.items()},
            {title: self.table[metric.name][name].score for name, title in titles.items()},
            baselines=[title for name, title in titles.items() if name in self.baselines],
            score_name=f"{metric.name} ({_sections.direction_as_text(metric)} is better)",
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
        return _comparison_document(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers.

        Returns
        -------
        dict
            "criteria": for each criterion "verdict", "best_baseline", "winners", "rope", "better",
            "estimators", a dict with a list of the rows of `to_frame` for each estimator, and
            "pairs", a list of the rows of ``pairwise().to_frame()``; "reports":
            `CrossValReport.to_dict` of each estimator; "baselines"; "failures": a list
            of dicts. Undefined values are None.
        """
        winners, verdicts = self.winners, self.verdicts
        criteria: dict[str, Any] = {
            criterion: {
                "verdict": verdicts[criterion],
                "best_baseline": self.best_baseline[criterion],
                "winners": winners[criterion],
                "rope": self.rope[criterion],
                "better": _sections.direction_as_text(metric),
                "estimators": {name: [] for name in self.table[criterion]},
                "pairs": pairs._records() if (pairs := self._pairs[criterion]) else [],
            }
            for criterion, metric in self.metrics.items()
        }
        for record in self._records():
            criteria[record["criterion"]]["estimators"][record["estimator"]].append(record)
        numbers: dict[str, Any] = json_files.plain(
            {
                "criteria": criteria,
                "reports": {name: report.to_dict() for name, report in self.reports.items()},
                "baselines": self.baselines,
                "failures": [asdict(failure) for failure in self.failures],
            }
        )
        return numbers

    def _records(self) -> list[dict[str, Any]]:
        """Return rows of the mean of each estimator, best first, and of its difference."""
        return [
            record
            for criterion in self.metrics
            for name in self._best_first(criterion)
            for record in self._records_of(criterion, name)
        ]

    def _records_of(self, criterion: str, name: str) -> Iterator[dict[str, Any]]:
        row = self.table[criterion][name]
        axes = {"criterion": criterion, "estimator": name}
        facts = {
            "rank": row.rank,
            "is_baseline": name in self.baselines,
            "better": _sections.direction_as_text(self.metrics[criterion]),
        }
        yield {
            **axes,
            "against": None,
            **_sections.tidy_numbers(row.score),
            "n_draws": row.n_draws,
            "simulation_error": row.simulation_error,
            **facts,
        }
        if row.difference is not None:
            yield {
                **axes,
                "against": self.best_baseline[criterion],
                **_sections.tidy_numbers(row.difference, row.adjusted_pvalue),
                "probability_worse": row.probability_worse,
                "probability_equivalent": row.probability_equivalent,
                "probability_better": row.probability_better,
                **facts,
            }

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
        all_titles = _estimator_titles(self.reports, self.scores[criterion], self.baselines)
        titles = _distinct_rows(self._best_first(criterion), all_titles)
        if not has_reference:
            reference = all_titles.get(self.best_baseline[criterion])
            titles = {name: title for name, title in titles.items() if title != reference}
        return titles

    def _titles_with_draws(self, criterion: str) -> dict[str, str]:
        """Return the titles of rows, with the number of draws for baselines that guess."""
        titles = self._row_titles(criterion)
        for name in titles:
            n_draws = self.table[criterion][name].n_draws
            if n_draws is not None:
                draws = (
                    f"{n_draws:,} {formatting.plural(n_draws, 'draw')}" if n_draws else "expected"
                )
                titles[name] += f" ({draws})"
        return titles

    def _titles_with_folds(self, criterion: str) -> dict[str, str]:
        """Return the titles of rows, with the number of folds if a mean leaves out some."""
        scores = self.scores[criterion]
        is_defined = {name: ~np.isnan(values) for name, values in scores.items()}
        n_folds = np.count_nonzero(np.any([*is_defined.values()], axis=0))
        titles = self._titles_with_draws(criterion)
        for name in titles:
            n_defined = np.count_nonzero(is_defined[name])
            if n_defined < n_folds:
                titles[name] += f" ({n_defined} of {n_folds} folds)"
        return titles


# Several estimators on the same folds, compared with baselines
# -------------------------------------------------------------

# A baseline that guesses becomes the reference only if it beats every constant baseline by this
# many standard errors of its simulated score.
_N_ERRORS = 3


@checks.lists_parameters
def compare_estimators(
    estimators: Mapping[str, Any],
    X: ArrayLike,
    y: ArrayLike,
    *,
    baselines: Literal["default"] | Mapping[str, Any] | None = "default",
    scoring: MetricsLike = "cem_ord",
    cv: Any = None,
    groups: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    prevalence: ArrayLike | None = None,
    params: Mapping[str, Any] | None = None,
    rope: float | Mapping[str, float] = 0.01,
    confidence_level: float = 0.95,
    random_state: int | np.random.RandomState | None = None,
    n_jobs: int | None = None,
    return_estimator: bool = False,
    verbose: bool | None = None,
) -> ComparisonReport:
    """Compare estimators with each other and with baselines, on the same folds.

    For each criterion, the first sentences say which estimator has the best mean, and whether it is
    shown to beat the second estimator and the best baseline. The differences of all pairs of
    estimators, and of each from that baseline, have the interval and the p-value of the corrected
    resampled t-test [1]_, adjusted by Holm's method. The report also has the probability that a
    difference from the baseline matters in practice, from the Bayesian correlated t-test [2]_.
    Values and differences are in the unit of the criterion.

    Parameters
    ----------
    estimators : dict of str to estimator instance
        The estimators by name, cloned for each fold. A regressor is fitted on the positions 0, 1,
        ... of the classes, and its predictions are rounded to the nearest class;
        `~sklearn_ordinal.decisions.TunedOrdinalThresholdClassifierCV` chooses better cuts.
    X : array-like of shape (n_samples, n_features)
        Features, in any form that the estimators accept.
    y : array-like of shape (n_samples,)
        True classes.
    baselines : "default", dict of str to estimator instance, or None, default="default"
        Baselines to beat. By default `OrdinalDummyClassifier` with the majority class, stratified
        and uniform random guesses, the median class, and the constant class with the best value of
        the first criterion, if that is a criterion of labels. If one of the criteria needs
        probabilities, the baselines also include the class shares as probabilities. If None, the
        differences in the first table are from the first of `estimators`. Baselines that guess are
        scored by the expected value of their random predictions, see Notes.
    scoring : str, callable, iterable or dict of them, default="cem_ord"
        The criteria, in any form that `get_metric` accepts: names of metrics or scorers, including
        scikit-learn's, metric functions, functions with options bound by `functools.partial`, and
        criteria of your own, ``f(y_true, y_pred)`` or ``f(estimator, X, y)``; or "all" for all
        criteria of this package that can be computed for every estimator, which include criteria of
        probabilities if all estimators have ``predict_proba``. The first is the main criterion.
    cv : int, cross-validation generator or iterable, default=None
        Number of stratified folds, by default 5, a splitter, or a list of (train, test)
        indices.
    groups : array-like of shape (n_samples,), default=None
        Group of each sample, for example the patient or the document. If `cv` is None or
        an integer, the folds come from `StratifiedGroupKFold`; with any other `cv`, an error is
        raised if a fold has a group in both its training and its test samples.
        Searches, and estimators whose ``fit`` has the parameter ``groups``, such as
        `~sklearn_ordinal.decisions.TunedOrdinalThresholdClassifierCV`, receive the groups of
        their training samples; with metadata routing, those that request them.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered dtype or from
        integers; required for strings. Scorers of this package that are named inside an estimator,
        for example as the ``scoring`` of a search, use this order. Classifiers of this package
        whose ``labels`` are not set receive it as ``labels``.
    prevalence : array-like of shape (n_classes,), default=None
        Share of each true class, from the lowest to the highest. All criteria are computed at
        these shares, in each fold and for all folds together; see
        `OrdinalConfusion.at_prevalence`. Each fold must have test samples of each class with a
        positive share. If None, the observed class sizes of each fold are used.
    params : dict, default=None
        Parameters for ``fit`` of all estimators except the default baselines. If metadata routing
        is enabled, each estimator and the splitter receive only the parameters that they request.
    rope : float or dict of str to float, default=0.01
        Largest difference, in the unit of the criterion, that is practically zero. If the
        units of the criteria differ, pass a dict with a number for each criterion.
    confidence_level : float, default=0.95
        Level of the intervals.
    random_state : int, RandomState instance or None, default=None
        Seed of the default baselines that guess. Estimators that are passed in `baselines` use
        their own seeds.
    n_jobs : int, default=None
        Number of parallel fits, as in scikit-learn. The backend is joblib's: a
        `joblib.parallel_config` around the call runs the fits on dask or ray.
    return_estimator : bool, default=False
        Whether to keep the fitted estimators.
    verbose : bool or None, default=None
        Whether to show a progress bar. If None, it is shown in notebooks and where stderr
        is a terminal, if tqdm is installed; True shows it everywhere and warns if tqdm is
        not installed.

    Returns
    -------
    ComparisonReport
        The verdicts, tables, and a report of each estimator.

    Raises
    ------
    ValueError
        If there is nothing to compare, names clash, a scorer is not known, the order of the classes
        is not known or differs from the order of a scorer inside an estimator, a group is in both
        the training and the test samples of a fold, every fit of `estimators` fails, or if
        `prevalence` is given and a fold lacks a class or a criterion cannot be weighted.

    See Also
    --------
    cross_val_report : One estimator, fold by fold.
    compare_on_data_sets : Compare estimators over several data sets.

    Notes
    -----
    The folds come from one data set, so intervals and tests are about these fitted models on
    this data. They do not say that one learning algorithm is better than another: for
    that, compare the algorithms on several data sets with `compare_on_data_sets`, or refit them on
    independent samples.

    A baseline that guesses is a dummy classifier with the strategy "stratified" or "uniform". It is
    not scored on a single draw of its random predictions: its value in each fold is the expected
    value of the criterion over all draws. The expected value is exact for criteria that are sums
    over samples for given class sizes, and for criteria that correct for chance using the margins,
    such as kappa. Otherwise, the value is the mean of 1,000 to 16,000 draws per fold. There are
    enough draws if the simulation error, the standard error of the mean over the folds, is at most
    1/20 of the smallest standard error of a difference from this mean; functions and scorers that
    are called once per draw get 16 to 64 draws. Undefined values of draws are replaced as in the
    scorers. The estimators have to beat the best of the other baselines, unless a baseline that
    guesses is better by more than three simulation errors. In ``reports``, the predictions, counts
    and pooled values of these baselines come from one draw per fold.

    The best baseline is chosen on the same folds, which slightly favours it. Holm's
    correction is for the number of estimators, or of their pairs, compared by one criterion, not
    for the number of criteria: base the decision on the first criterion, and read the others as
    context. `ComparisonReport.pairwise` returns the tests of all pairs, or of all estimators
    against one of them, without fitting again.

    An estimator that fails on some folds is compared on the other folds and ranks last. A
    search whose scores are all NaN is a failed fit.

    References
    ----------
    .. [1] C. Nadeau, Y. Bengio (2003), "Inference for the generalization error", Machine
       Learning 52, :doi:`10.1023/A:1024068626366`.
    .. [2] A. Benavoli, G. Corani, J. Demsar, M. Zaffalon (2017), "Time for a change: a
       tutorial for comparing multiple classifiers through Bayesian analysis", Journal of
       Machine Learning Research 18(77).

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_ordinal import compare_estimators
    >>> from sklearn_ordinal.datasets import load_lev
    >>> X, y = load_lev(return_X_y=True)
    >>> models = {"tree": DecisionTreeClassifier(max_depth=4, random_state=0)}
    >>> print(compare_estimators(models, X, y, scoring="cem_ord", random_state=0))
    By cem_ord, tree beats majority class, the best baseline, by 0.185 (95% interval 0.164 to
    0.205, adjusted p < 0.001).
    ...
    """
    if not isinstance(estimators, Mapping) or not estimators:
        raise ValueError(
            f"estimators must be a dict from names to estimators, with at least one, got "
            f"{checks.shown(estimators)}."
        )
    estimators = _with_rounding(estimators)
    rounded = tuple(n for n, e in estimators.items() if isinstance(e, RoundedRegressor))
    kinds = _sections.available_kinds(estimators.values())
    metrics = lookup.get_metrics(scoring, argument="scoring", kinds=kinds, with_direction=True)
    checks.check_share("confidence_level", confidence_level)
    ropes = _ropes(rope, metrics)
    y = containers.one_column(y)
    evaluation = _folds.make_evaluation(y, labels, metrics, prevalence)
    baseline_estimators = _baseline_estimators(baselines, evaluation, random_state)
    _check_estimators(estimators, baseline_estimators)
    fits = _folds.fit_on_folds(
        {**estimators, **baseline_estimators},
        X,
        y,
        evaluation,
        cv=cv,
        groups=groups,
        params=params,
        n_jobs=n_jobs,
        return_estimator=return_estimator,
        verbose=verbose,
        without_params=tuple(baseline_estimators) if baselines == "default" else (),
    )
    failures = [
        failure for row in fits.by_name.values() for result in row for failure in result.failures
    ]
    provenance = Provenance.of_now(splitter=fits.splitter, estimators=fits.estimators)
    reports = {
        name: CrossValReport._from_fits(
            fits, name, evaluation, confidence_level=confidence_level, provenance=provenance
        )
        for name, row in fits.by_name.items()
        if any(result.predictions is not None for result in row)
    }
    if reports.keys().isdisjoint(estimators):
        raise ValueError(
            f"No estimator could be fitted. The first error:{_folds.cause_as_text(failures[0])}"
        )
    references = [
        name for name in baseline_estimators or [next(iter(estimators))] if name in reports
    ]
    any_report = next(iter(reports.values()))
    sizes = {"n_train": any_report.n_train.mean(), "n_test": any_report.n_test.mean()}
    guessed = {name: _baselines.guessed_folds(fits, name, evaluation) for name in references}
    scores, table, best_baseline = ByMetric(), ByMetric(), ByMetric()
    for metric in evaluation.metrics:
        values = {name: _fold_values(report, metric) for name, report in reports.items()}
        models = [values[name] for name in estimators if name in reports and not guessed.get(name)]
        expected = {
            name: _baselines.expected_scores(metric, values[name], folds, models)
            for name, folds in guessed.items()
            if folds
        }
        values.update((name, expectation.values) for name, expectation in expected.items())
        reference = _best_reference(references, values, expected, metric)
        scores[metric.name], best_baseline[metric.name] = values, reference
        table[metric.name] = _compared_with_reference(
            values,
            reference,
            metric,
            len(evaluation.scale),
            expected=expected,
            tested=estimators,
            sizes=sizes,
            rope=ropes[metric.name],
            confidence_level=confidence_level,
        )
    return ComparisonReport(
        metrics=ByMetric({metric.name: metric for metric in evaluation.metrics}),
        reports=reports,
        baselines=tuple(name for name in baseline_estimators if name in reports),
        scores=scores,
        table=table,
        best_baseline=best_baseline,
        rope=ropes,
        failures=tuple(failures),
        rounded=rounded,
        provenance=provenance,
    )


def _with_rounding(estimators: Mapping[str, Any]) -> dict[str, Any]:
    """Return the estimators, with the predictions of regressors rounded to the nearest class."""
    # Values that are no estimators, and have no tags, are refused later.
    return {
        name: RoundedRegressor(estimator)
        if isinstance(estimator, BaseEstimator) and is_regressor(estimator)
        else estimator
        for name, estimator in estimators.items()
    }


def _ropes(rope: float | Mapping[Any, float], metrics: Iterable[OrdinalMetric]) -> ByMetric:
    names = [metric.name for metric in metrics]
    if not isinstance(rope, Mapping):
        return ByMetric(dict.fromkeys(names, checks.check_rope(rope)))
    by_name = ByMetric(zip(names, names, strict=True))
    ropes = ByMetric({by_name.name_of(key, "rope"): checks.check_rope(rope[key]) for key in rope})
    if ropes.keys() != set(names) or len(ropes) < len(rope):
        raise ValueError(f"rope must have one number for each of {names}, got {list(rope)}.")
    return ropes


def _baseline_estimators(
    baselines: Literal["default"] | Mapping[str, Any] | None,
    evaluation: Evaluation,
    random_state: int | np.random.RandomState | None,
) -> dict[str, Any]:
    if baselines is None:
        return {}
    if isinstance(baselines, Mapping):
        return dict(baselines)
    if not isinstance(baselines, str) or baselines != "default":
        raise ValueError(
            f"baselines must be 'default', a dict from names to estimators, or None, "
            f"got {type(baselines).__name__} {checks.shown(baselines)}."
        )
    return _baselines.default_baselines(evaluation, random_state)


def _check_estimators(estimators: Mapping[str, Any], baselines: Mapping[str, Any]) -> None:
    checks.check_named("estimators", estimators)
    checks.check_named("baselines", baselines)
    for name, estimator in {**estimators, **baselines}.items():
        checks.check_classifier(repr(name), estimator)
    clashing = sorted(estimators.keys() & baselines.keys())
    if clashing:
        raise ValueError(
            f"estimators must not have names of baselines: {', '.join(clashing)}: rename them."
        )
    if len(estimators) + len(baselines) < 2:
        raise ValueError(
            f"estimators must contain at least two if there are no baselines, got only "
            f"{checks.shown(next(iter(estimators)))}."
        )


def _fold_values(report: CrossValReport, metric: OrdinalMetric) -> NDArray[np.float64]:
    """Return the values of the folds, with undefined values replaced as in the scorers."""
    values: NDArray[np.float64] = report.scores[metric.name]
    # If the fit failed, or its probabilities are missing, there is no value to replace.
    worked = [_folds.has_evidence(fold, metric.evidence) for fold in report.fold_predictions]
    return np.where(
        np.isnan(values) & np.array(worked), catalogue.score_if_undefined(metric), values
    )


def _places(
    values: Mapping[str, NDArray[np.float64]],
    metric: OrdinalMetric,
    handicaps: Mapping[str, float] | None = None,
) -> dict[str, tuple[bool, bool, float]]:
    """Return keys that sort estimators by their mean; estimators with missing folds come last.

    The handicap of an estimator makes its mean worse.
    """
    stacked = np.array(list(values.values()))
    is_missing = np.isnan(stacked)
    is_incomplete = (is_missing & ~is_missing.all(axis=0)).any(axis=1)
    n_defined = (~is_missing).sum(axis=1)
    means = np.nansum(stacked, axis=1) / np.maximum(n_defined, 1)
    badness = -means if metric.greater_is_better else means
    if handicaps:
        badness = badness + [handicaps.get(name, 0.0) for name in values]
    keys = zip(is_incomplete, n_defined == 0, tolerances.dense_ranks(badness), strict=True)
    return dict(zip(values, keys, strict=True))


def _ranks(values: Mapping[str, NDArray[np.float64]], metric: OrdinalMetric) -> dict[str, int]:
    """Return the rank of each estimator by its mean; ties share the better rank."""
    places = _places(values, metric)
    return {
        name: 1 + sum(bool(rival < place) for rival in places.values())
        for name, place in places.items()
    }


def _best_reference(
    names: Iterable[str],
    values: Mapping[str, NDArray[np.float64]],
    expected: Mapping[str, ExpectedScores],
    metric: OrdinalMetric,
) -> str | None:
    """Return the best baseline.

    A baseline that guesses is chosen only if it leads the other baselines by more than three
    standard errors of its simulation.
    """
    # The error of a single draw is not known, so a baseline with a single draw is never chosen.
    errors = {name: np.nan_to_num(scores.error, nan=np.inf) for name, scores in expected.items()}
    handicaps = {name: _N_ERRORS * error for name, error in errors.items()}
    places = _places(values, metric, handicaps)
    return min(names, key=lambda name: (*places[name], name in expected), default=None)


def _compared_with_reference(
    values: Mapping[str, NDArray[np.float64]],
    reference: str | None,
    metric: OrdinalMetric,
    n_classes: int,
    *,
    expected: Mapping[str, ExpectedScores],
    tested: Collection[str],
    sizes: Mapping[str, float],
    rope: float,
    confidence_level: float,
) -> dict[str, ModelComparison]:
    """Return the mean, the rank and the difference from the reference of each estimator.

    The p-values of the `tested` estimators are adjusted together.
    """
    sign = 1 if metric.greater_is_better else -1
    differences, posteriors = {}, {}
    if reference is not None:
        for name in values.keys() - {reference}:
            pair = _cross_val.comparable(values[name], values[reference])
            differences[name] = _cross_val.folds_difference(
                pair, metric, n_classes, **sizes, confidence_level=confidence_level
            )
            posteriors[name] = _fold_tests.bayesian_correlated_t_test(
                sign * pair[0], sign * pair[1], **sizes, rope=rope
            )
    compared = [name for name in tested if name in differences]
    pvalues = _holm_correction.holm_correction([differences[name].pvalue for name in compared])
    adjusted = dict(zip(compared, pvalues.tolist(), strict=True))
    ranks = _ranks(values, metric)
    undefined = PosteriorProbabilities(np.nan, np.nan, np.nan)
    rows = {}
    for name, fold_values in values.items():
        posterior = posteriors.get(name, undefined)
        rows[name] = ModelComparison(
            score=_cross_val.folds_interval(
                fold_values, metric, n_classes, **sizes, confidence_level=confidence_level
            ),
            difference=differences.get(name),
            adjusted_pvalue=adjusted.get(name, np.nan),
            probability_worse=posterior.worse,
            probability_equivalent=posterior.equivalent,
            probability_better=posterior.better,
            rank=ranks[name],
            n_draws=expected[name].n_draws if name in expected else None,
            simulation_error=expected[name].error if name in expected else np.nan,
        )
    return rows
