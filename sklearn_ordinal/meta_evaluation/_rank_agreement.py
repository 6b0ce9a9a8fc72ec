"""Agreement of criteria on the order of systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from sklearn_ordinal._core import tolerances
from sklearn_ordinal._core.lookup import MetricsLike
from sklearn_ordinal.inference import _ranks
from sklearn_ordinal.meta_evaluation import _ordinal_systems


@dataclass(frozen=True, eq=False)
class RankAgreement:
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
    n_undefined : mapping of str to int
        Number of undefined values of each criterion that were replaced, counted over systems
        and test cases.

    See Also
    --------
    rank_agreement : Compute the agreement of criteria on the order of systems.

    Examples
    --------
    >>> from sklearn_ordinal.meta_evaluation import OrdinalSystems, rank_agreement
    >>> y_true = [0, 0, 1, 1, 2, 2, 2]
    >>> predictions = {"near": [1, 0, 1, 0, 2, 2, 1], "far": [0, 0, 1, 1, 0, 2, 0]}
    >>> systems = OrdinalSystems.from_predictions(y_true, predictions)
    >>> agreement = rank_agreement(systems, metrics=["cem_ord", "ordinal_mean_absolute_error"])
    >>> agreement.metrics
    ('cem_ord', 'ordinal_mean_absolute_error')
    >>> agreement.values.round(3)
    array([[0.744, 0.429],
           [0.776, 0.571]])
    """

    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    values: NDArray[np.float64]
    ranks: NDArray[np.float64]
    tau: NDArray[np.float64]
    n_undefined: Mapping[str, int]


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
        Kendall's tau of each pair of criteria in [-1, 1], and the ranks of the systems. The best
        value of tau is 1, for equal orders; 0 is expected for unrelated orders. Tau is NaN for
        a criterion that ties all systems. If a criterion is undefined for a system on a test
        case, its value is counted as undefined and replaced: by 0 if this is the chance level,
        otherwise by the worst value.

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
    >>> agreement = rank_agreement(systems, metrics=metrics)
    >>> agreement.tau.round(3)
    array([[1.   , 1.   , 0.333],
           [1.   , 1.   , 0.333],
           [0.333, 0.333, 1.   ]])

    Accuracy and CEM_ORD prefer the second system, and the mean absolute error prefers the first:

    >>> agreement.ranks
    array([[2., 2., 1.],
           [1., 1., 2.],
           [3., 3., 3.]])
    """
    systems = _ordinal_systems.as_systems(systems)
    evaluation = _ordinal_systems.evaluate_systems(systems, metrics, min_metrics=2)
    scores = evaluation.scores.mean(axis=0)
    ranks = stats.rankdata(-tolerances.dense_ranks(scores.T).T, axis=0)
    return RankAgreement(
        metrics=evaluation.names,
        systems=systems.names,
        values=evaluation.values.mean(axis=0),
        ranks=ranks,
        tau=_ranks.kendall_tau(ranks.T),
        n_undefined=evaluation.n_undefined,
    )
