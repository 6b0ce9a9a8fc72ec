"""`ModelComparison`: an estimator compared with the best baseline, and tables of such rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sklearn_ordinal._documents import formatting, json_files
from sklearn_ordinal._documents.document_parts import Column, Document, Table
from sklearn_ordinal._documents.views import Views
from sklearn_ordinal.inference._intervals import Interval
from sklearn_ordinal.inference._paired_difference import PairedDifference
from sklearn_ordinal.reports import _sections


@dataclass(frozen=True, eq=False)
class ModelComparison(Views):
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

    def document(self) -> Document:
        """Return the content of the row, from which its views are rendered.

        Returns
        -------
        Document
            A table of the mean, and a table of the difference from the best baseline.
        """
        score = Table(
            "Mean over the folds",
            (
                Column("mean", "number"),
                Column(_sections.interval_name(self.score.confidence_level), "interval"),
                Column("rank", "number"),
            ),
            ((self.score.estimate, (self.score.low, self.score.high), self.rank),),
        )
        if self.difference is None:
            return Document("Comparison of an estimator", (score,))
        difference = Table(
            "Difference from the best baseline",
            _difference_columns(self.score.confidence_level),
            (_difference_cells(self, is_tested=not np.isnan(self.adjusted_pvalue)),),
        )
        return Document("Comparison of an estimator", (score, difference))

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as a dict, with the columns of `ComparisonReport.to_frame` as keys.

        Returns
        -------
        dict
            Numbers. Undefined values are None.
        """
        numbers: dict[str, Any] = json_files.plain(row_numbers(self))
        return numbers

    def _records(self) -> list[dict[str, Any]]:
        return [row_numbers(self)]


def best_first(rows: Mapping[str, ModelComparison]) -> list[tuple[str, ModelComparison]]:
    """Return the rows sorted by rank."""
    return sorted(rows.items(), key=lambda item: item[1].rank)


def with_draws(titles: Mapping[str, str], rows: Mapping[str, ModelComparison]) -> dict[str, str]:
    """Return the titles of rows, with the number of draws for baselines that guess."""
    return {name: f"{title}{_draws_in_brackets(rows[name])}" for name, title in titles.items()}


def _draws_in_brackets(row: ModelComparison) -> str:
    if row.n_draws is None:
        return ""
    if row.n_draws == 0:
        return " (expected)"
    return f" ({row.n_draws:,} {formatting.plural(row.n_draws, 'draw')})"


def estimators_table(
    title: str,
    rows: Mapping[str, ModelComparison],
    titles: Mapping[str, str],
    roles: Mapping[str, str],
) -> Table:
    """Return the mean of each estimator that has a title, with its interval."""
    any_row = next(iter(rows.values()))
    n_tied = Counter(row.rank for row in rows.values())
    columns = (
        Column("estimator"),
        # Plain text leaves out the rank, since the rows are in this order.
        Column("rank", "number", is_detail=True),
        Column("mean", "number"),
        Column(_sections.interval_name(any_row.score.confidence_level), "interval"),
        Column("role"),
    )
    titled_rows = ((name, title, rows[name]) for name, title in titles.items())
    cells = (
        (
            title,
            _places(row.rank, n_tied[row.rank]),
            row.score.estimate,
            (row.score.low, row.score.high),
            roles[name],
        )
        for name, title, row in titled_rows
    )
    return Table(title, columns, tuple(cells))


def _places(rank: int, n_tied: int) -> int | str:
    """Return the rank, or the first and last place of estimators that share it."""
    return rank if n_tied == 1 else f"{rank}-{rank + n_tied - 1}"


def differences_table(
    title: str,
    rows: Mapping[str, ModelComparison],
    titles: Mapping[str, str],
    *,
    untested: Collection[str],
) -> Table:
    """Return the difference of each estimator that has a title, with its tests."""
    any_row = next(iter(rows.values()))
    columns = (Column("estimator"), *_difference_columns(any_row.score.confidence_level))
    cells = (
        (title, *_difference_cells(rows[name], is_tested=name not in untested))
        for name, title in titles.items()
    )
    return Table(title, columns, tuple(cells))


def _difference_columns(confidence_level: float) -> tuple[Column, ...]:
    return (
        *_sections.difference_columns(_sections.interval_name(confidence_level), "Holm"),
        *(
            Column(
                f"P ({outcome})",
                "number",
                digits=2,
                is_detail=outcome != "better",
                full_name=f"probability that the estimator is {outcome} in practice",
            )
            for outcome in ("better", "equal", "worse")
        ),
        Column("p", "pvalue", is_detail=True),
    )


def _difference_cells(row: ModelComparison, *, is_tested: bool) -> tuple[Any, ...]:
    difference = row.difference
    assert difference is not None
    return (
        *_sections.difference_cells(difference, row.adjusted_pvalue if is_tested else None),
        row.probability_better,
        row.probability_equivalent,
        row.probability_worse,
        difference.pvalue if is_tested else None,
    )


def row_numbers(row: ModelComparison) -> dict[str, Any]:
    """Return the numbers of a row, with the columns of a frame as keys."""
    difference = row.difference
    return {
        "rank": row.rank,
        "mean": row.score.estimate,
        "low": row.score.low,
        "high": row.score.high,
        "difference": np.nan if difference is None else difference.estimate,
        "difference_low": np.nan if difference is None else difference.low,
        "difference_high": np.nan if difference is None else difference.high,
        "pvalue": np.nan if difference is None else difference.pvalue,
        "adjusted_pvalue": row.adjusted_pvalue,
        "probability_worse": row.probability_worse,
        "probability_equivalent": row.probability_equivalent,
        "probability_better": row.probability_better,
        "n_draws": row.n_draws,
        "simulation_error": row.simulation_error,
    }
