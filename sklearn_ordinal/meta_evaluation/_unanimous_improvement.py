"""Improvements on which several metrics are unanimous."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import check_floats, check_same_order, column_names, shown, slices
from sklearn_ordinal.inference import TIE
from sklearn_ordinal.meta_evaluation._system_values import relative

# Number of pairs of systems, over all test cases, that are evaluated at once.
_PAIRS_AT_ONCE = 2**20


def unanimous_improvement_ratio(scores_a: ArrayLike, scores_b: ArrayLike) -> float:
    r"""Compute the unanimous improvement ratio of one system over another.

    There are three kinds of test cases: either all metrics rate the first system at least as good
    as the second, or all rate the second at least as good as the first, or the metrics disagree.
    The ratio is the share of test cases of the first kind minus the share of the second kind [1]_:

    .. math:: \mathrm{UIR}(a, b)
        = \frac{|\{t : \forall m: a_{tm} \ge b_{tm}\}| - |\{t : \forall m: b_{tm} \ge a_{tm}\}|}
        {|\{t\}|}

    The ratio depends neither on the scales of the metrics nor on weights of the metrics. Test
    cases on which all metrics rate the systems as equal belong to both kinds and cancel out.

    Parameters
    ----------
    scores_a : array-like of shape (n_test_cases, n_metrics)
        Scores of the first system, higher is better. Scores of a metric that differ by less than
        1e-9 of its largest score, or by less than 1e-14, count as equal.
    scores_b : array-like of shape (n_test_cases, n_metrics)
        Scores of the second system.

    Returns
    -------
    float
        Ratio in [-1, 1]. It is 1 if, on each test case, the first system is better according to
        some metric and not worse according to any metric. It is 0 if each system is an
        improvement over the other on equally many test cases.

    Raises
    ------
    ValueError
        If the scores differ in shape, do not have two dimensions, are NaN or infinite, or there are
        no test cases or no metrics; or if the frames have different columns, or the same index in a
        different order.

    See Also
    --------
    metric_coverage : Compute how well metrics agree with the ratio over all pairs of systems.

    References
    ----------
    .. [1] E. Amigo, J. Gonzalo, J. Artiles, F. Verdejo (2011), "Combining evaluation metrics
       via the unanimous improvement ratio and its application to clustering tasks", Journal
       of Artificial Intelligence Research 42, 689-718, :doi:`10.1613/jair.3401`.

    Examples
    --------
    The first system is better on the first test case and equal on the second. On the third, the
    metrics disagree, and on the fourth it is better according to one and equal according to the
    other. So three test cases are of the first kind and one of the second: (3 - 1) / 4.

    >>> from sklearn_ordinal.meta_evaluation import unanimous_improvement_ratio
    >>> scores_a = [[0.9, 0.8], [0.6, 0.5], [0.7, 0.4], [0.8, 0.3]]
    >>> scores_b = [[0.8, 0.7], [0.6, 0.5], [0.5, 0.6], [0.7, 0.3]]
    >>> unanimous_improvement_ratio(scores_a, scores_b)
    0.5
    """
    scores = {"scores_a": scores_a, "scores_b": scores_b}
    check_same_order(scores)
    columns = [list(names) for names in map(column_names, scores.values()) if names is not None]
    if len(columns) == 2 and columns[0] != columns[1]:
        raise ValueError(
            f"scores_a and scores_b must have the same columns in the same order, got "
            f"{shown(columns[0])} and {shown(columns[1])}: pass scores_b[scores_a.columns]."
        )
    first, second = (_check_scores(name, values) for name, values in scores.items())
    if first.shape != second.shape:
        raise ValueError(
            f"scores_a and scores_b must have the same shape (n_test_cases, n_metrics), got "
            f"{first.shape} and {second.shape}: leave out test cases and metrics that only one "
            f"system has."
        )
    stacked = np.stack([first, second], axis=1)
    return float(unanimous_improvements(stacked, np.array([0]), np.array([1])).mean(dtype=float))


def unanimous_improvements(
    scores: NDArray[np.float64], first: NDArray[np.intp], second: NDArray[np.intp]
) -> NDArray[np.float32]:
    """Compare pairs of systems on all metrics, from scores (n_test_cases, n_systems, n_metrics).

    The result, of shape (n_test_cases, n_pairs), is 1 if only the first system of a pair is at
    least as good as the other system according to all metrics, -1 if only the second system is,
    and 0 if neither or both are. The result has floats, since sums over the test cases are
    computed as matrix products.
    """
    higher = relative(scores)
    lower = higher - TIE
    n_test_cases, n_pairs = len(scores), len(first)
    improvements = np.empty((n_test_cases, n_pairs), dtype=np.float32)
    for part in slices(n_test_cases, _PAIRS_AT_ONCE // n_pairs):
        of_metrics = [np.moveaxis(values[part], -1, 0) for values in (higher, lower)]
        is_at_least = np.ones((2, of_metrics[0].shape[1], n_pairs), dtype=bool)
        for highest, lowest in zip(*of_metrics, strict=True):
            is_at_least[0] &= highest[:, first] >= lowest[:, second]
            is_at_least[1] &= highest[:, second] >= lowest[:, first]
        improvements[part] = is_at_least[0]
        improvements[part] -= is_at_least[1]
    return improvements


def _check_scores(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Return scores of shape (n_test_cases, n_metrics)."""
    scores = check_floats(name, values, ndim=2, may_be_infinite=True)
    if not scores.size:
        raise ValueError(
            f"{name} must have at least one test case and one metric, got shape {scores.shape}."
        )
    if not np.isfinite(scores).all():
        test_case, metric = np.argwhere(~np.isfinite(scores))[0]
        raise ValueError(
            f"{name} must be finite, got {scores[test_case, metric]} for test case {test_case} "
            f"and metric {metric}: replace undefined scores, or leave out the metric."
        )
    return scores
