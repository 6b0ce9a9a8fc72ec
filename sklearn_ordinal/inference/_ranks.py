"""Ranks of systems: Kendall's tau, and comparisons over several data sets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from sklearn_ordinal._core import arithmetic, checks, scales, tolerances
from sklearn_ordinal._core.arithmetic import Floats
from sklearn_ordinal._documents import formatting, json_files
from sklearn_ordinal._documents.document_parts import Column, Document, Figure, Note, Section, Table
from sklearn_ordinal._documents.views import Views
from sklearn_ordinal.inference import _holm_correction, _intervals, _unit_moves
from sklearn_ordinal.plotting._ranks_display import CriticalDifferenceDisplay

# The order of systems according to criteria, and Kendall's tau of several orders
# -------------------------------------------------------------------------------

# Number of signs of pairs of systems in a temporary array, over all orders.
_SIGNS_AT_ONCE = 2**18


def ranks_of(values: Floats, *, greater_is_better: bool) -> NDArray[np.int64]:
    """Return the rank of each value; 1 is best, ties share the better rank, and NaN ranks last."""
    ranks = tolerances.dense_ranks(-values if greater_is_better else values)
    ranks = stats.rankdata(ranks, method="min", nan_policy="omit")
    n_defined = np.count_nonzero(~np.isnan(ranks))
    with_last: NDArray[np.int64] = np.where(np.isnan(ranks), n_defined + 1, ranks).astype(np.int64)
    return with_last


def kendall_tau(ranks: Floats) -> Floats:
    """Return Kendall's tau-b of each pair of orders, NaN for an order that ties all systems.

    The ranks have shape (..., n_orders, n_systems), and the result has shape (..., n_orders,
    n_orders). Instead of ranks, any numbers with the same order and the same ties may be
    passed.
    """
    *stack, n_orders, n_systems = ranks.shape
    first, second = np.triu_indices(n_systems, 1)
    # Concordant minus discordant pairs; on the diagonal, the number of pairs that are not tied.
    balance = np.zeros((*stack, n_orders, n_orders))
    for part in arithmetic.slices(
        len(first), _SIGNS_AT_ONCE // max(1, math.prod(stack) * n_orders)
    ):
        # Sums within a part are small enough to be exact in single precision.
        # np.take gathers along the last axis twice as fast as indexing.
        steps = np.take(ranks, second[part], axis=-1) - np.take(ranks, first[part], axis=-1)
        signs = np.sign(steps).astype(np.float32)
        balance += signs @ signs.swapaxes(-1, -2)
    untied = np.diagonal(balance, axis1=-2, axis2=-1)
    return arithmetic.divide(balance, np.sqrt(untied[..., :, None] * untied[..., None, :]))


# Comparison of systems by their ranks over several data sets
# -----------------------------------------------------------

Method = Literal["nemenyi", "holm-wilcoxon"]

_MOST_SIGNS_TO_TRY, _MOST_EXACT_RANKS = 13, 50


@dataclass(frozen=True, eq=False)
class RankComparison(Views):
    """Average ranks of systems over several data sets, and tests of their differences.

    `compare_ranks` returns an instance of this class.

    Parameters
    ----------
    names : tuple of str
        Names of the systems.
    average_ranks : ndarray of shape (n_systems,)
        Mean rank of each system over the data sets; 1 is best.
    rank_intervals : ndarray of shape (n_systems, 2)
        The ends of an interval of the average rank of each system, at the level ``1 - alpha``; NaN
        for a system that has the same rank on all data sets.
    n_data_sets : int
        Number of data sets.
    statistic : float
        Friedman's chi-squared, corrected for ties.
    pvalue : float
        P-value of Friedman's test of the hypothesis that no systems differ.
    pairwise_pvalues : ndarray of shape (n_systems, n_systems)
        P-value of each pair, adjusted for multiple comparisons; 1 on the diagonal.
    critical_difference : float or None
        Smallest difference of average ranks that is significant according to Nemenyi's test;
        None for Wilcoxon's test.
    alpha : float
        Significance level of the tests.
    method : {"nemenyi", "holm-wilcoxon"}
        The test of each pair of systems.

    Attributes
    ----------
    groups : tuple of tuple of str
        Groups of systems in which no two differ significantly.

    See Also
    --------
    compare_ranks : Compute the comparison from the scores of each system on each data set.

    Examples
    --------
    >>> from sklearn_ordinal.inference import compare_ranks
    >>> scores = [[0.8, 0.7, 0.6], [0.9, 0.6, 0.5], [0.7, 0.8, 0.4], [0.9, 0.8, 0.3]]
    >>> comparison = compare_ranks(scores, names=["forest", "ridge", "majority"])
    >>> comparison.average_ranks
    array([1.25, 1.75, 3.  ])
    >>> comparison.groups
    (('forest', 'ridge'), ('ridge', 'majority'))
    """

    names: tuple[str, ...]
    average_ranks: NDArray[np.float64]
    rank_intervals: NDArray[np.float64]
    n_data_sets: int
    statistic: float
    pvalue: float
    pairwise_pvalues: NDArray[np.float64]
    critical_difference: float | None
    alpha: float
    method: Method

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """Groups of systems in which no two differ significantly at the level `alpha`.

        A group is a maximal run of at least two systems with consecutive ranks. A system
        that differs from all others is in no group, and a system may be in several groups.
        """
        order = np.argsort(self.average_ranks, kind="stable")
        differ = self.pairwise_pvalues[np.ix_(order, order)] <= self.alpha
        runs: list[NDArray[np.intp]] = []
        last_end = 0
        for start in range(len(order)):
            end = start + 1
            while end < len(order) and not differ[start:end, end].any():
                end += 1
            if end - start > 1 and end > last_end:
                runs.append(order[start:end])
                last_end = end
        return tuple(tuple(self.names[system] for system in run) for run in runs)

    def plot(self, ax: Any = None) -> CriticalDifferenceDisplay:
        """Draw the critical-difference diagram.

        Parameters
        ----------
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
        """
        return self._display().plot(ax)

    def _display(self) -> CriticalDifferenceDisplay:
        return CriticalDifferenceDisplay(
            dict(zip(self.names, self.average_ranks.tolist(), strict=True)),
            n_data_sets=self.n_data_sets,
            groups=self.groups,
            critical_difference=self.critical_difference,
        )

    def document(self) -> Document:
        """Build the document that all views are rendered from.

        Returns
        -------
        Document
            Average ranks with intervals, the tests, and the diagram.
        """
        best_first = np.argsort(self.average_ranks, kind="stable").tolist()
        names = [self.names[system] for system in best_first]
        ranks = Table(
            f"Average ranks over {self.n_data_sets} data sets, 1 is best",
            (
                Column("system"),
                Column("rank", "number", digits=2),
                Column(f"{formatting.as_percent(1 - self.alpha)} interval", "interval", digits=2),
            ),
            tuple(
                (
                    self.names[i],
                    float(self.average_ranks[i]),
                    tuple(self.rank_intervals[i].tolist()),
                )
                for i in best_first
            ),
        )
        pairs = Table(
            "P-values of the pairs",
            (Column("system"), *(Column(name, "pvalue") for name in names)),
            tuple(
                (self.names[i], *(float(self.pairwise_pvalues[i, j]) for j in best_first))
                for i in best_first
            ),
        )
        groups = [", ".join(group) for group in self.groups] or ["none"]
        return Document(
            "Comparison of ranks",
            (
                ranks,
                *(Note(f"No significant difference: {group}") for group in groups),
                Figure(
                    self.plot,
                    "Average ranks; a bar joins systems that do not differ significantly",
                    ranks.title,
                    ranks,
                ),
                Section("Pairs of systems", (pairs,), is_detail=True),
            ),
            verdict=(Note(self.verdict()),),
        )

    def verdict(self) -> str:
        """Return the result in words.

        Returns
        -------
        str
            Sentences that say which systems have the best average rank, which others they are shown
            to beat, and whether the ranks differ at all.
        """
        is_best = self.average_ranks == self.average_ranks.min()
        # A system is beaten by tied systems if it differs from each of them.
        is_beaten = (self.pairwise_pvalues[is_best] <= self.alpha).all(axis=0)
        order = np.argsort(self.average_ranks, kind="stable")
        best, beaten, others = (
            [self.names[system] for system in order if which[system]]
            for which in (is_best, is_beaten & ~is_best, ~is_beaten & ~is_best)
        )
        has, is_shown = ("has", "is") if is_best.sum() == 1 else ("have", "are")
        test = f"Wilcoxon's test, adjusted by Holm, at level {self.alpha:g}"
        if self.critical_difference is not None:
            test = (
                f"Nemenyi's test at level {self.alpha:g}: average ranks must differ by "
                f"{self.critical_difference:.2f}"
            )
            largest = len(self.names) - 1
            if self.critical_difference > largest:
                test += f", and cannot differ by more than {largest}: add data sets"
        claims = [f"shown to beat {formatting.names_in_words(beaten)}"] if beaten else []
        if others:
            start = "but not" if beaten else "not shown to beat"
            claims.append(f"{start} {formatting.names_in_words(others)}")
        claim = f", and {is_shown} {', '.join(claims)} ({test})" if claims else ""
        friedman = formatting.pvalue_in_words(self.pvalue)
        return (
            f"Over {self.n_data_sets} data sets, {formatting.names_in_words(best)} {has} the best "
            f"average rank, {self.average_ranks.min():.2f}{claim}. All together, the ranks are "
            f"{'' if self.pvalue <= self.alpha else 'not '}shown to differ (Friedman chi-squared "
            f"{self.statistic:.3g}, {friedman})."
        )

    def _records(self) -> list[dict[str, Any]]:
        return [
            {"system": name, "what": "average_rank", "estimate": rank, "low": low, "high": high}
            for name, rank, (low, high) in zip(
                self.names, self.average_ranks.tolist(), self.rank_intervals.tolist(), strict=True
            )
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as a dict.

        Returns
        -------
        dict
            "average_ranks" is a dict of floats, "rank_intervals" a dict of pairs of floats,
            "pairwise_pvalues" a dict of dicts of floats, and "groups" a list of lists of names. The
            other keys are "n_data_sets",
            "statistic", "pvalue", "critical_difference", "alpha" and "method". Undefined values
            are None.
        """
        numbers: dict[str, Any] = json_files.plain(
            {
                "average_ranks": dict(zip(self.names, self.average_ranks, strict=True)),
                "rank_intervals": dict(zip(self.names, self.rank_intervals, strict=True)),
                "n_data_sets": self.n_data_sets,
                "statistic": self.statistic,
                "pvalue": self.pvalue,
                "pairwise_pvalues": {
                    name: dict(zip(self.names, row, strict=True))
                    for name, row in zip(self.names, self.pairwise_pvalues, strict=True)
                },
                "critical_difference": self.critical_difference,
                "alpha": self.alpha,
                "method": self.method,
                "groups": self.groups,
            }
        )
        return numbers


def compare_ranks(
    scores: ArrayLike,
    *,
    names: Sequence[str] | None = None,
    greater_is_better: bool = True,
    method: Method = "nemenyi",
    alpha: float = 0.05,
) -> RankComparison:
    r"""Compare three or more systems by their ranks over several data sets.

    On each data set, the best system has rank 1 and tied systems share the mean of their ranks.
    Friedman's test shows whether any systems differ. Nemenyi's test, or Wilcoxon's test of each
    pair, shows which systems differ [1]_. With Nemenyi's test, two of :math:`k` systems differ
    over :math:`N` data sets if their average ranks differ by at least the critical difference:

    .. math:: \mathrm{CD} = \frac{q_\alpha}{\sqrt 2} \sqrt{\frac{k (k + 1)}{6 N}}

    where :math:`q_\alpha` is the upper :math:`\alpha` quantile of the studentized range of
    :math:`k` groups.

    The interval of an average rank is that of a mean over the data sets, by t with the degrees of
    freedom of `delta_interval`: it shows how far the average would vary over other data sets. The
    ranks depend on each other, so read the differences of systems from the tests.

    Parameters
    ----------
    scores : array-like of shape (n_data_sets, n_systems)
        Score of each system on each data set, such as its mean over the folds.
    names : sequence of str, default=None
        Names of the systems. If None, the column names of a data frame, or "0", "1", ...
    greater_is_better : bool, default=True
        Whether the highest score gets rank 1; False for losses.
    method : {"nemenyi", "holm-wilcoxon"}, default="nemenyi"
        The test of each pair. "nemenyi" tests average ranks, which depend on all systems in the
        comparison. "holm-wilcoxon" is Wilcoxon's signed-rank test of each pair, without the
        data sets on which the two systems are equal. Its p-values are adjusted with Holm's
        method for the number of pairs, and are exact for up to 13 data sets, or up to 50 if
        there are no ties.
    alpha : float, default=0.05
        Significance level of the tests, between 0 and 1.

    Returns
    -------
    RankComparison
        Average ranks, Friedman's test, a p-value for each pair, and the groups of systems
        that do not differ significantly. If all systems are equal on every data set,
        Friedman's statistic is 0 and its p-value 1.

    Raises
    ------
    ValueError
        If a score is missing, there are fewer than two data sets or three systems,
        `names` does not name each system once, or an option is unknown.

    See Also
    --------
    corrected_t_test : Compare two estimators on one data set.
    holm_correction : Adjust p-values for multiple tests.

    References
    ----------
    .. [1] J. Demsar (2006), "Statistical comparisons of classifiers over multiple data
       sets", Journal of Machine Learning Research 7, 1-30.

    Examples
    --------
    >>> from sklearn_ordinal.inference import compare_ranks
    >>> scores = [[0.8, 0.7, 0.6], [0.9, 0.6, 0.5], [0.7, 0.8, 0.4], [0.9, 0.8, 0.3]]
    >>> print(compare_ranks(scores, names=["forest", "ridge", "majority"]))
    Over 4 data sets, forest has the best average rank, 1.25, and is shown to beat
    majority, but not ridge (Nemenyi's test at level 0.05: average ranks must differ
    by 1.66). All together, the ranks are shown to differ (Friedman chi-squared 6.5,
    p = 0.039).
    <BLANKLINE>
    Average ranks over 4 data sets, 1 is best
    system    rank  95% interval
    forest    1.25  1.00 to 2.75
    ridge     1.75  1.00 to 3.00
    majority  3.00             -
    <BLANKLINE>
    No significant difference: forest, ridge
    <BLANKLINE>
    No significant difference: ridge, majority
    """
    checks.check_bool("greater_is_better", greater_is_better)
    checks.check_choice("method", method, Method)
    level = checks.check_share("alpha", alpha)
    if names is None:
        names = checks.column_names(scores)
    values = checks.check_floats("scores", scores, ndim=2)
    system_names = _check_names(names, values.shape[1])
    _check_scores(values, system_names)
    places = tolerances.dense_ranks(values)
    ranks = stats.rankdata(-places if greater_is_better else places, axis=1)
    average_ranks = ranks.mean(axis=0)
    statistic, pvalue = _friedman(ranks)
    n_data_sets, n_systems = values.shape
    critical_difference = None
    if method == "nemenyi":
        # Standard error of a difference of average ranks, divided by the square root of two.
        unit = math.sqrt(n_systems * (n_systems + 1) / (12 * n_data_sets))
        quantile = stats.studentized_range.isf(level, n_systems, np.inf)
        critical_difference = float(quantile) * unit
        apart = np.abs(average_ranks[:, None] - average_ranks)
        pairwise = stats.studentized_range.sf(apart / unit, n_systems, np.inf)
    else:
        pairwise = _holm_wilcoxon(values)
    return RankComparison(
        names=system_names,
        average_ranks=average_ranks,
        rank_intervals=_rank_intervals(ranks, 1 - level),
        n_data_sets=n_data_sets,
        statistic=statistic,
        pvalue=pvalue,
        pairwise_pvalues=pairwise,
        critical_difference=critical_difference,
        alpha=level,
        method=method,
    )


def _rank_intervals(ranks: Floats, level: float) -> Floats:
    """Return the ends of the interval of each mean over data sets: (n_systems, 2)."""
    n_data_sets, n_systems = ranks.shape
    means, weight = ranks.mean(axis=0), np.full(n_data_sets, 1 / n_data_sets)
    moves = _unit_moves.of_units(weight * (ranks - means).T, weight, weight > 0)
    error, degrees, _ = moves.spread()
    low, high, _ = _intervals.t_interval(means, error, degrees, level, (1, n_systems))
    return np.stack([low, high], axis=1)


def _check_names(names: Any, n_systems: int) -> tuple[str, ...]:
    checked = scales.check_names("names", range(n_systems) if names is None else names)
    if len(checked) != n_systems or len(set(checked)) != n_systems:
        raise ValueError(
            f"names must name each of the {n_systems} systems once, got {checks.listed(checked)}."
        )
    return checked


def _check_scores(scores: NDArray[np.float64], names: tuple[str, ...]) -> None:
    n_data_sets, n_systems = scores.shape
    if n_systems < 3:
        raise ValueError(
            f"scores must have at least 3 systems (columns), got {n_systems}: "
            f"compare two with scipy.stats.wilcoxon."
        )
    if n_data_sets < 2:
        raise ValueError(
            f"scores must have at least 2 data sets (rows), got {n_data_sets}: "
            f"use corrected_t_test for a single data set."
        )
    missing = np.argwhere(np.isnan(scores))
    if missing.size:
        data_set, system = missing[0]
        raise ValueError(
            f"scores must not be missing, but data set {data_set} has no score for system "
            f"{checks.shown(names[system])}: leave out the data set or the system."
        )


def _friedman(ranks: NDArray[np.float64]) -> tuple[float, float]:
    if not np.ptp(ranks):
        return 0.0, 1.0
    statistic, pvalue = stats.friedmanchisquare(*ranks.T)
    return float(statistic), float(pvalue)


def _holm_wilcoxon(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    n_systems = scores.shape[1]
    pairs = np.array(list(combinations(range(n_systems), 2)))
    first, second = scores.T[pairs[:, 0]], scores.T[pairs[:, 1]]
    differences, margins = first - second, tolerances.rounding_margins(first, second)
    # Pass signed ranks to the test, so that rounding errors change neither the order nor the
    # signs of the differences.
    sizes = 1 + tolerances.dense_ranks(np.abs(differences), margins)
    signs = np.where(np.abs(differences) <= margins, 0.0, np.sign(differences))
    adjusted = _holm_correction.holm_correction([_wilcoxon(of_pair) for of_pair in signs * sizes])
    pairwise = np.ones((n_systems, n_systems))
    pairwise[pairs[:, 0], pairs[:, 1]] = pairwise[pairs[:, 1], pairs[:, 0]] = adjusted
    return pairwise


def _wilcoxon(differences: NDArray[np.float64]) -> float:
    """Return the two-sided p-value of the signed-rank test, exact for few data sets.

    The method is chosen here, since SciPy's automatic choice depends on its version.
    """
    differences = differences[differences != 0]
    if not differences.size:
        return 1.0
    ranks = stats.rankdata(np.abs(differences))
    has_ties = len(np.unique(ranks)) < len(ranks)
    if has_ties and len(ranks) <= _MOST_SIGNS_TO_TRY:
        test = stats.permutation_test(
            (np.sign(differences) * ranks,),
            lambda signed, axis: signed.sum(axis=axis),
            permutation_type="samples",
            n_resamples=np.inf,
            vectorized=True,
        )
    else:
        is_exact = not has_ties and len(ranks) <= _MOST_EXACT_RANKS
        test = stats.wilcoxon(differences, method="exact" if is_exact else "approx")
    return float(test.pvalue)
