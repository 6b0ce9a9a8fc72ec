"""The result of a comparison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal.inference import Interval, PairedDifference
from sklearn_ordinal.model_selection._cross_val import CrossValReport
from sklearn_ordinal.model_selection._folds import FitFailure
from sklearn_ordinal.model_selection._html import comparison_parts, comparison_tables
from sklearn_ordinal.model_selection._text import comparison_as_text
from sklearn_ordinal.plotting._comparison import find_criterion
from sklearn_ordinal.report._document import write_document
from sklearn_ordinal.report._frame import data_frame
from sklearn_ordinal.report._html import fragment


@dataclass(frozen=True)
class ModelComparison:
    """One estimator by one criterion, beside the best baseline.

    Higher is better: losses are negated. Values that are undefined count as 0 where 0 is
    the level of chance, as in the scorers.

    Parameters
    ----------
    score : Interval
        Mean over the folds, with its corrected resampled t interval.
    difference : PairedDifference or None
        Mean difference from the best baseline, with interval and unadjusted p-value;
        None for that baseline itself, and if no baseline could be fitted.
    adjusted_pvalue : float
        The p-value after Holm's correction for the number of estimators compared; NaN
        for baselines, which are not on trial.
    probability_worse : float
        Posterior probability that the estimator is practically worse than the best
        baseline: by more than the region of practical equivalence. NaN, as the other
        two, where there is no difference.
    probability_equivalent : float
        Posterior probability that the difference lies in that region.
    probability_better : float
        Posterior probability that the estimator is practically better.
    rank : int
        Place by mean score among all estimators and baselines, 1 is best; equal ones
        share the better place. Those without a score on a fold on which others have one
        come last, since their mean is one over other data.

    See Also
    --------
    ComparisonReport : Every estimator by every criterion.

    Examples
    --------
    >>> from sklearn_ordinal.inference import Interval, PairedDifference
    >>> from sklearn_ordinal.model_selection import ModelComparison
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


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonReport:
    """Estimators and baselines on the same folds, by one or several criteria.

    `compare_estimators` makes one; `str` gives the text, notebooks show a table.

    Parameters
    ----------
    scoring : tuple of str
        Names of the criteria, the first one first; higher is better.
    reports : mapping of str to CrossValReport
        The report of each estimator, then of each baseline.
    baselines : tuple of str
        Names of the baselines.
    scores : mapping of str to mapping of str to ndarray of shape (n_folds,)
        For each criterion the scores of each estimator and baseline: losses negated, and
        0 for an undefined value where 0 is the level of chance.
    table : mapping of str to mapping of str to ModelComparison
        For each criterion the row of each estimator and baseline.
    best_baseline : mapping of str to str or None
        Name of the baseline with the best mean by each criterion; without baselines,
        that of the first estimator; None if none of them could be fitted.
    rope : mapping of str to float
        Half the width of the region of practical equivalence by each criterion, in its
        unit.
    failures : tuple of FitFailure, default=()
        The fits that failed. An estimator without any fit that worked is in no table.

    See Also
    --------
    compare_estimators : Make a comparison.
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
    0.185 (95% interval 0.164 to 0.205), p = 1.46e-05
    """

    scoring: tuple[str, ...]
    reports: Mapping[str, CrossValReport]
    baselines: tuple[str, ...]
    scores: Mapping[str, Mapping[str, NDArray[np.float64]]]
    table: Mapping[str, Mapping[str, ModelComparison]]
    best_baseline: Mapping[str, str | None]
    rope: Mapping[str, float]
    failures: tuple[FitFailure, ...] = ()

    @property
    def winners(self) -> dict[str, tuple[str, ...]]:
        """Names of the estimators, or baselines, with the best mean by each criterion."""
        return {
            criterion: tuple(name for name, row in rows.items() if row.rank == 1)
            for criterion, rows in self.table.items()
        }

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"ComparisonReport({len(self.reports)} estimators, winners {self.winners})"

    def to_text(self, *, digits: int = 3) -> str:
        """Return the comparison as text.

        Parameters
        ----------
        digits : int, default=3
            Number of digits after the point.

        Returns
        -------
        str
            A table for each criterion, and whether the criteria agree on the winner.
        """
        return comparison_as_text(self, digits=digits)

    def to_html(
        self, path: str | PathLike[str], *, title: str = "Comparison of estimators"
    ) -> None:
        """Write the comparison as one HTML file that needs nothing else.

        The file opens without network, in light and dark and on paper. Its tables sort
        by a click on a header; its pictures need matplotlib where it is written, and
        are left out, which the file says, where that is not installed.

        Parameters
        ----------
        path : str or path-like
            The file to write; one that exists is replaced.
        title : str, default="Comparison of estimators"
            Heading of the page.

        Raises
        ------
        OSError
            If the file cannot be written.
        """
        write_document(path, title=title, parts=comparison_parts(self))

    def _repr_html_(self) -> str:
        return fragment(comparison_tables(self))

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers.

        Returns
        -------
        dict
            "criteria": for each criterion "best_baseline", "winners", "rope" and
            "estimators", a dict of rows with the keys of `to_frame`; "reports":
            `CrossValReport.to_dict` of each estimator; "baselines"; "failures": a list of
            dicts.
        """
        return {
            "criteria": self._criteria(),
            "reports": {name: report.to_dict() for name, report in self.reports.items()},
            "baselines": list(self.baselines),
            "failures": [asdict(failure) for failure in self.failures],
        }

    def _criteria(self) -> dict[str, dict[str, Any]]:
        winners = self.winners
        return {
            criterion: {
                "best_baseline": self.best_baseline[criterion],
                "winners": list(winners[criterion]),
                "rope": self.rope[criterion],
                "estimators": {name: _as_row(row) for name, row in rows.items()},
            }
            for criterion, rows in self.table.items()
        }

    def to_frame(self, criterion: str | None = None) -> Any:
        """Return the comparison by one criterion as a pandas DataFrame.

        Parameters
        ----------
        criterion : str, default=None
            One of `scoring`, by default the first.

        Returns
        -------
        pandas.DataFrame
            A row for each estimator and baseline, best first; columns "rank", "mean",
            "low", "high", "difference", "difference_low", "difference_high", "pvalue",
            "adjusted_pvalue", "probability_worse", "probability_equivalent" and
            "probability_better".

        Raises
        ------
        ImportError
            If pandas is not installed.
        ValueError
            If the criterion is not one of `scoring`.
        """
        rows = self.table[find_criterion(self, criterion)]
        ordered = sorted(rows, key=lambda name: rows[name].rank)
        return data_frame({name: _as_row(rows[name]) for name in ordered})


def _as_row(row: ModelComparison) -> dict[str, Any]:
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
    }
