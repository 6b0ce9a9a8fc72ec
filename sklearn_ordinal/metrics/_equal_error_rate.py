"""Equal error rate of each threshold."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.isotonic import isotonic_regression

from sklearn_ordinal._core import (
    SCORES,
    OrdinalScores,
    Values,
    check_choice,
    run_starts,
    warn_caller,
)
from sklearn_ordinal.metrics._score_order import score_order, sums_below

Method = Literal["polyline", "hull"]


def equal_error_rate(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    method: Method = "polyline",
) -> NDArray[np.float64]:
    """Compute the equal error rate of each threshold between classes.

    For the threshold above class k, the classes above it are positive and the others are
    negative. A sample is predicted as positive if its score is above a cut. At the equal
    error rate, the share of the negatives that are above the cut equals the share of the
    positives that are not. In general, no cut makes the two shares equal, so the rate is read
    off a curve through the cuts. It is not 1 minus accuracy.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_score : array-like of shape (n_samples,) or (n_samples, n_classes)
        Scores, higher for higher classes. Probabilities of the classes, from the lowest to the
        highest, are converted to scores: their expected positions.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.
    method : {"polyline", "hull"}, default="polyline"
        The curve through the cuts. "polyline": straight lines between neighbouring cuts.
        "hull": the convex hull of all cuts [1]_, whose rate is never higher; a point
        between two cuts is reached by choosing one of them at random. Lines are straight
        if the axes show the two error rates, but not if they show normal deviates, as in a
        detection error tradeoff plot.

    Returns
    -------
    ndarray of shape (n_classes - 1,)
        Equal error rate of each threshold in [0, 1]. 0 is best; constant scores get 0.5.
        NaN with an `UndefinedMetricWarning` for a threshold that has all samples on one
        side.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, a score is not
        finite, a row of probabilities does not add up to 1, or `method` is not known.

    See Also
    --------
    threshold_roc_auc_score : The area under the ROC curve of each threshold.
    sklearn.metrics.det_curve : The two error rates of each cut for one threshold.

    References
    ----------
    .. [1] T. Fawcett, A. Niculescu-Mizil (2007), "PAV and the ROC convex hull", Machine
       Learning 68(1), :doi:`10.1007/s10994-007-5011-0`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import equal_error_rate
    >>> y_true, y_score = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
    >>> equal_error_rate(y_true, y_score)
    array([0.5])
    >>> equal_error_rate(y_true, y_score, method="hull")
    array([0.25])
    """
    check_choice("method", method, Method)
    scores = SCORES.read(y_true, y_score, labels=labels, sample_weight=sample_weight)
    rates = equal_error_rate_per_threshold(scores, method=method)
    if np.isnan(rates).any():
        warn_caller(
            "The equal error rate is undefined for thresholds with all samples on one side.",
            UndefinedMetricWarning,
        )
    return rates


def equal_error_rate_per_threshold(
    scores: OrdinalScores, *, method: Method = "polyline"
) -> NDArray[np.float64]:
    """Return the equal error rate of each threshold, NaN where undefined."""
    order = scores.shared(score_order)
    cells = order.cells(scores.weights)
    # Position of the true class of each cell.
    classes = np.repeat(order.classes, np.diff(order.first_cells))
    rates = np.full(scores.n_classes - 1, np.nan)
    for k in range(len(rates)):
        of_group_and_side = order.groups + order.n_groups * (classes > k)
        sizes = np.bincount(of_group_and_side, cells, 2 * order.n_groups).astype(np.float64)
        below, above = np.split(sizes, 2)
        if above.any() and below.any():
            if method == "hull":
                # Use rates, so that neither side vanishes if the other side has much larger
                # weights.
                above, below = above / above.sum(), below / below.sum()
                has_weight = above + below > 0
                above, below = above[has_weight], below[has_weight]
                first = pool_starts(above, below)
                above, below = np.add.reduceat(above, first), np.add.reduceat(below, first)
            rates[k] = _equal_rate(above, below)
    return rates


def pool_starts(above: Values, below: Values) -> NDArray[np.intp]:
    """Return the first group of each run of groups to pool, in ascending order of the scores.

    Groups are pooled until the share above increases, which leaves the cuts on the convex hull
    of the ROC curve. No pooled group is empty.
    """
    size = above + below
    shares = isotonic_regression(above / size, sample_weight=size)
    return run_starts(shares)


def _equal_rate(above: Values, below: Values) -> float:
    """Return the equal error rate on the lines between the cuts, given sizes of groups by score."""
    missed, false_alarms = sums_below(above), sums_below(below[::-1])[::-1]
    missed, false_alarms = missed / missed[-1], false_alarms / false_alarms[0]
    # The difference rises from -1, where all samples are predicted as positive, to 1.
    difference = missed - false_alarms
    after = int(np.argmax(difference >= 0))
    step = -difference[after - 1] / (difference[after] - difference[after - 1])
    rate = missed[after - 1] + step * (missed[after] - missed[after - 1])
    return float(rate)
