"""Agreement of criteria on the order of systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from sklearn_ordinal._core import MetricsLike
from sklearn_ordinal._documents import Document, Views, plain
from sklearn_ordinal.inference import dense_ranks, kendall_tau
from sklearn_ordinal.meta_evaluation._changed_winners import (
    ChangedWinners,
    find_changed_winners,
)
from sklearn_ordinal.meta_evaluation._order_agreement_document import agreement_document
from sklearn_ordinal.meta_evaluation._ordinal_systems import as_systems
from sklearn_ordinal.meta_evaluation._system_values import evaluate_systems
from sklearn_ordinal.plotting import RankAgreementDisplay

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class RankAgreement(Views):
    """Kendall's tau between the orders of systems according to different criteria.

    `rank_agreement` returns an instance of this class.

    Parameters
    ----------
    metrics : tuple of str
        Names of the criteria.
    systems : tuple of str
        Names of the systems.
    values : ndarray of shape (n_systems, n_criteria)
        Mean of each criterion over the test cases, in its unit.
    ranks : ndarray of shape (n_systems, n_criteria)
        Rank of each system for each criterion. 1 is best, and tied systems share their mean
        rank.
    tau : ndarray of shape (n_criteria, n_criteria)
        Kendall's tau-b between the orders of the systems for each pair of criteria; NaN for a
        criterion that ties all systems.
    n_test_cases : int
        Number of test cases.
    n_undefined : mapping of str to int
        Number of undefined values of each criterion that were replaced, counted over systems
        and test cases.

    Attributes
    ----------
    groups : tuple of tuple of str
        Groups of criteria that put the systems in the same order.
    changed_winners : ChangedWinners
        Pairs of systems whose winner changes with the criterion.

    See Also
    --------
    rank_agreement : Compute the agreement of criteria on the order of systems.
    sklearn_ordinal.plotting.RankAgreementDisplay : Heat map and dendrogram of the agreement.

    Examples
    --------
    >>> from sklearn_ordinal.meta_evaluation import OrdinalSystems, rank_agreement
    >>> y_true = [0, 0, 1, 1, 2, 2, 2]
    >>> predictions = {
    ...     "near": [1, 0, 1, 0, 2, 2, 1],
    ...     "far": [0, 0, 1, 1, 0, 2, 0],
    ...     "middle": [1, 1, 1, 1, 1, 1, 1],
    ... }
    >>> systems = OrdinalSystems.from_predictions(y_true, predictions)
    >>> metrics = ["accuracy", "cem_ord", "ordinal_mean_absolute_error"]
    >>> agreement = rank_agreement(systems, metrics=metrics)
    >>> agreement.tau.round(3)
    array([[1.   , 1.   , 0.333],
           [1.   , 1.   , 0.333],
           [0.333, 0.333, 1.   ]])
    >>> agreement.ranks
    array([[2., 2., 1.],
           [1., 1., 2.],
           [3., 3., 3.]])
    >>> agreement.groups
    (('accuracy', 'cem_ord'),)
    """

    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    values: Floats
    ranks: Floats
    tau: Floats
    n_test_cases: int
    n_undefined: Mapping[str, int]

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """Groups of criteria that put the systems in the same order, so that tau is 1."""
        groups: dict[bytes, list[str]] = {}
        for name, ranks in zip(self.metrics, self.ranks.T, strict=True):
            if np.ptp(ranks):
                groups.setdefault(ranks.tobytes(), []).append(name)
        return tuple(tuple(group) for group in groups.values() if len(group) > 1)

    @property
    def changed_winners(self) -> ChangedWinners:
        """Pairs of systems whose winner changes with the criterion."""
        return find_changed_winners(self.ranks, self.metrics, self.systems)

    def plot(self, ax: Any = None) -> RankAgreementDisplay:
        """Draw the heat map and the dendrogram.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Axes to draw on. If None, a new figure of a suitable size is created.

        Returns
        -------
        RankAgreementDisplay
            The display.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        return self._display().plot(ax)

    def document(self) -> Document:
        """Build the document that all views are rendered from.

        Returns
        -------
        Document
            Kendall's tau of the criteria, the heat map, the pairs of systems whose winner
            changes, and the ranks and means of the systems.
        """
        return agreement_document(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as a dict.

        Returns
        -------
        dict
            "tau" is a dict of dicts of floats, keyed by the names of two criteria. "values" and
            "ranks" are dicts of dicts of floats, keyed by the names of a system and a
            criterion. "groups" is a list of lists of names, "n_test_cases" an integer,
            "n_undefined" a dict of integers, and "changed_winners" the list of pairs in
            `ChangedWinners.to_dict`. Undefined values are None.
        """
        numbers: dict[str, Any] = plain(
            {
                "tau": self._by_name(self.metrics, self.tau),
                "values": self._by_name(self.systems, self.values),
                "ranks": self._by_name(self.systems, self.ranks),
                "groups": self.groups,
                "n_test_cases": self.n_test_cases,
                "n_undefined": self.n_undefined,
            }
        )
        return {**numbers, "changed_winners": self.changed_winners.to_dict()["pairs"]}

    def _records(self) -> list[dict[str, Any]]:
        return [
            {
                "first": self.metrics[i],
                "second": self.metrics[j],
                "tau": float(self.tau[i, j]),
                "n_undefined_first": self.n_undefined[self.metrics[i]],
                "n_undefined_second": self.n_undefined[self.metrics[j]],
            }
            for i, j in combinations(range(len(self.metrics)), 2)
        ]

    def __repr__(self) -> str:
        return f"RankAgreement({len(self.metrics)} criteria, {len(self.systems)} systems)"

    def _display(self) -> RankAgreementDisplay:
        return RankAgreementDisplay(self.tau, names=self.metrics)

    def _by_name(self, names: tuple[str, ...], rows: Floats) -> dict[str, dict[str, float]]:
        return {
            name: dict(zip(self.metrics, row, strict=True))
            for name, row in zip(names, rows.tolist(), strict=True)
        }


def rank_agreement(systems: Any, *, metrics: MetricsLike = "all") -> RankAgreement:
    r"""Compare the orders of systems according to different criteria.

    Each criterion orders the systems by its mean over the test cases. Kendall's tau-b measures
    the agreement of two orders [1]_. With :math:`C` pairs of systems in the same order,
    :math:`D` pairs in the opposite order, and :math:`T_1` and :math:`T_2` pairs that are tied
    only by the first or only by the second criterion, it is

    .. math:: \tau_b = \frac{C - D}{\sqrt{(C + D + T_1)(C + D + T_2)}}

    Systems are tied if their means differ only by rounding errors.

    Parameters
    ----------
    systems : OrdinalSystems, OrdinalConfusion or array-like
        At least two systems: an `OrdinalSystems`, or counts of shape (n_test_cases,
        n_systems, n_classes, n_classes).
    metrics : str, callable, iterable or dict of them, default="all"
        At least two criteria of predicted classes: anything that `get_metric` accepts, or "all" for
        all criteria of this package.

    Returns
    -------
    RankAgreement
        Kendall's tau of each pair of criteria in [-1, 1], the ranks of the systems, and the pairs
        of systems whose winner changes with the criterion. The best value of tau is 1, for equal
        orders; 0 is expected for unrelated orders. Tau is NaN for a criterion that ties all
        systems. If a criterion is undefined for a system on a test case, its value is counted as
        undefined and replaced: by 0 if this is the chance level, otherwise by the worst value.

    Raises
    ------
    ValueError
        If there are fewer than two systems or two metrics, a metric needs more than predicted
        classes, or the systems have different samples.

    See Also
    --------
    sklearn_ordinal.inference.compare_ranks : Compare systems over data sets by one criterion.
    scipy.stats.kendalltau : Compute Kendall's tau of two arrays.

    References
    ----------
    .. [1] M. G. Kendall (1945), "The treatment of ties in ranking problems", Biometrika 33(3),
       239-251, :doi:`10.1093/biomet/33.3.239`.

    Examples
    --------
    >>> from sklearn_ordinal.meta_evaluation import OrdinalSystems, rank_agreement
    >>> y_true = [0, 0, 1, 1, 2, 2, 2]
    >>> predictions = {
    ...     "near": [1, 0, 1, 0, 2, 2, 1],
    ...     "far": [0, 0, 1, 1, 0, 2, 0],
    ...     "middle": [1, 1, 1, 1, 1, 1, 1],
    ... }
    >>> systems = OrdinalSystems.from_predictions(y_true, predictions)
    >>> metrics = ["accuracy", "cem_ord", "ordinal_mean_absolute_error"]
    >>> print(rank_agreement(systems, metrics=metrics))
    3 criteria order 3 systems by their mean over 1 test case. Kendall's tau: median
    0.333, lowest 0.333 between accuracy and ordinal_mean_absolute_error.
    <BLANKLINE>
    The same order (tau = 1): accuracy, cem_ord.
    <BLANKLINE>
    Kendall's tau between the orders of the systems
    criterion                    accuracy  cem_ord  ordinal_mean_absolute_error
    accuracy                        1.000    1.000                        0.333
    cem_ord                         1.000    1.000                        0.333
    ordinal_mean_absolute_error     0.333    0.333                        1.000
    <BLANKLINE>
    Ranks of the systems, 1 is best, sorted by the mean over the criteria
    system  mean  accuracy  cem_ord  ordinal_mean_absolute_error
    far      1.3       1.0      1.0                          2.0
    near     1.7       2.0      2.0                          1.0
    middle   3.0       3.0      3.0                          3.0
    <BLANKLINE>
    The criteria prefer different systems in 1 of 3 pairs of systems.
    <BLANKLINE>
    Pairs in which the preferred system changes, the most evenly divided first
    first  second  prefer first  prefer second  tied
    near   far                1              2     0
    <BLANKLINE>
    near against far: the first by ordinal_mean_absolute_error; the second by
    accuracy, cem_ord.
    <BLANKLINE>
    """
    systems = as_systems(systems)
    evaluation = evaluate_systems(systems, metrics, min_metrics=2)
    scores = evaluation.scores.mean(axis=0)
    ranks = stats.rankdata(-dense_ranks(scores.T).T, axis=0)
    return RankAgreement(
        metrics=evaluation.names,
        systems=systems.names,
        values=evaluation.values.mean(axis=0),
        ranks=ranks,
        tau=kendall_tau(ranks.T),
        n_test_cases=len(systems.test_cases),
        n_undefined=evaluation.n_undefined,
    )
