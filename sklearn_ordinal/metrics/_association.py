"""Association: whether prediction and truth put the samples in the same order."""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal._catalogue import evaluate, or_undefined, ordinal_metric
from sklearn_ordinal._confusion import Counts, Values
from sklearn_ordinal.metrics._arrays import divide, margins, total


def _concordant_minus_discordant(counts: Counts) -> Values:
    """Return the number of pairs in the same order less that of pairs in opposite order."""
    counts = counts.astype(np.float64)
    # below[i, j]: samples of higher true classes than i that are predicted as j.
    below = counts.sum(axis=-2, keepdims=True) - np.cumsum(counts, axis=-2)
    upto = np.cumsum(below, axis=-1)
    lower, higher = upto - below, upto[..., -1:] - upto
    return total(counts * (higher - lower))


def _untied_pairs(sizes: Values) -> Values:
    # N**2 - sum(n**2) would lose the difference of large squares.
    n_pairs: Values = (sizes * (sizes.sum(axis=-1, keepdims=True) - sizes)).sum(axis=-1) / 2
    return n_pairs


def _kendall_tau(counts: Counts, *, variant: Literal["a", "b", "c"] = "b") -> Values:
    difference = _concordant_minus_discordant(counts)
    true, pred = margins(counts)
    if variant == "b":
        # Roots apart: the product of the pairs passes the largest integer at 1e5 samples.
        return divide(difference, np.sqrt(_untied_pairs(true)) * np.sqrt(_untied_pairs(pred)))
    n_samples = total(counts)
    if variant == "a":
        # Of frequencies no cell is smaller than its square.
        n_pairs = np.where(
            total(counts.astype(np.float64) ** 2) >= n_samples, n_samples * (n_samples - 1) / 2, 0
        )
        return divide(difference, n_pairs)
    shorter = np.minimum((true > 0).sum(axis=-1), (pred > 0).sum(axis=-1))
    return divide(2 * shorter * difference, n_samples**2 * (shorter - 1))


@ordinal_metric(
    _kendall_tau,
    name="kendall_tau_c",
    variant="c",
    greater_is_better=True,
    bounds=(-1.0, 1.0),
    chance_level=0.0,
)
@ordinal_metric(
    _kendall_tau,
    name="kendall_tau_b",
    variant="b",
    greater_is_better=True,
    bounds=(-1.0, 1.0),
    chance_level=0.0,
)
@ordinal_metric(
    _kendall_tau,
    name="kendall_tau_a",
    variant="a",
    greater_is_better=True,
    bounds=(-1.0, 1.0),
    chance_level=0.0,
)
def kendall_tau_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    variant: Literal["a", "b", "c"] = "b",
    replace_undefined_by: float = np.nan,
) -> float:
    r"""Compute Kendall's rank correlation of truth and prediction.

    With :math:`P` pairs of samples in the same order, :math:`Q` in opposite order,
    :math:`n_x` pairs of different true and :math:`n_y` of different predicted classes,
    and :math:`m` the smaller number of classes that occur on either side:

    .. math:: \tau_a = \frac{P - Q}{N (N - 1) / 2}, \qquad
        \tau_b = \frac{P - Q}{\sqrt{n_x n_y}}, \qquad
        \tau_c = \frac{2 m (P - Q)}{N^2 (m - 1)}

    Only the order of the classes counts, not whether prediction and truth are equal.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_pred : array-like of shape (n_samples,)
        Predicted classes.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.
    variant : {"a", "b", "c"}, default="b"
        What the surplus of pairs in order is divided by. "a": all pairs, so ties lower
        the value [1]_. "b": pairs that are not tied [2]_. "c": as many pairs as could be
        in order in a table of this shape [3]_.
    replace_undefined_by : float, default=np.nan
        Value to return, without a warning, where the metric is undefined.

    Returns
    -------
    float
        Correlation in [-1, 1], without unit. 1 is best, 0 is no association. NaN with an
        `UndefinedMetricWarning` if `y_true` or `y_pred` is constant (variants "b" and
        "c"), or there is but one sample or weights are no frequencies (variant "a").

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, or `variant` is not
        known.

    See Also
    --------
    scipy.stats.kendalltau : Variants b and c for any numbers.

    Notes
    -----
    Weights count as frequencies: a sample of weight 2 is two samples. Variant "a"
    depends on their total :math:`N`, so weights must not be rescaled for it; it is
    undefined if they are too small to be frequencies, that is if the sum of the counts
    is larger than the sum of their squares.

    References
    ----------
    .. [1] M. G. Kendall (1938), "A new measure of rank correlation", Biometrika 30,
       :doi:`10.1093/biomet/30.1-2.81`.
    .. [2] M. G. Kendall (1945), "The treatment of ties in ranking problems",
       Biometrika 33(3), :doi:`10.1093/biomet/33.3.239`.
    .. [3] A. Stuart (1953), "The estimation and comparison of strengths of association
       in contingency tables", Biometrika 40, :doi:`10.1093/biomet/40.1-2.105`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import kendall_tau_score
    >>> kendall_tau_score([0, 1, 2, 2], [0, 2, 2, 1])
    0.3999...
    """
    if variant not in ("a", "b", "c"):
        raise ValueError(f"variant must be 'a', 'b' or 'c', got {variant!r}.")
    statistic = partial(_kendall_tau, variant=variant)
    value = evaluate(statistic, y_true, y_pred, labels, sample_weight)
    reason = "y_true or y_pred is constant"
    if variant == "a":
        reason = "there is but one sample, or weights are too small to be frequencies"
    return or_undefined(value, replace_undefined_by, f"Kendall's tau-{variant}", reason)
