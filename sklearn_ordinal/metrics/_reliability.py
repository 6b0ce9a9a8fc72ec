"""Reliability and sensitivity of the order of predictions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal._core import (
    LABELS,
    Counts,
    OrdinalConfusion,
    Values,
    clip_rounding,
    divide,
    lower_sums,
    margins,
    or_undefined,
    ordinal_metric,
)
from sklearn_ordinal.metrics._association import samples_in_order


class ReliabilitySensitivity(NamedTuple):
    """Reliability, sensitivity and their harmonic mean, each in [0, 1]."""

    reliability: float
    sensitivity: float
    f: float


def _mean_share(in_order: Values, sizes: Values) -> Values:
    """Return the mean share of samples in order, among the samples of all other classes.

    `in_order` are the pairs in order of the samples of each class: (..., K).
    """
    # The share, and therefore the mean, is NaN if all samples are in one class.
    shares = divide(in_order, _other_sizes(sizes))
    mean = divide(np.add.reduce(shares, axis=-1), np.add.reduce(sizes, axis=-1))
    return clip_rounding(mean, 0, 1)


def _other_sizes(sizes: Values) -> Values:
    """Return the number of samples of all other classes, exactly 0 if there are none."""
    before, after = np.zeros(sizes.shape), np.zeros(sizes.shape)
    np.add.accumulate(sizes[..., :-1], axis=-1, out=before[..., 1:])
    after[..., :-1] = np.add.accumulate(sizes[..., :0:-1], axis=-1)[..., ::-1]
    others: Values = before + after
    return others


def _reliability_and_sensitivity(counts: Counts) -> tuple[Values, Values, Values]:
    counts = counts.astype(np.float64, copy=False)
    true, pred = margins(counts)
    above = lower_sums(counts[..., ::-1, ::-1])[..., ::-1, ::-1]
    in_order = lower_sums(counts)
    in_order += above
    # The pairs in order of the samples of each cell.
    in_order *= counts
    reliability = _mean_share(np.add.reduce(in_order, axis=-2), pred)
    sensitivity = _mean_share(np.add.reduce(in_order, axis=-1), true)
    harmonic = divide(2 * reliability * sensitivity, reliability + sensitivity)
    # If one value is 0, the harmonic mean is 0, even if the other value is undefined.
    harmonic = np.where((reliability == 0) | (sensitivity == 0), 0.0, harmonic)
    return reliability, sensitivity, harmonic


def _reliability_sensitivity_f(counts: Counts) -> Values:
    return _reliability_and_sensitivity(counts)[2]


def _reliability_sensitivity_f_gradient(counts: Counts) -> Values:
    # Sensitivity is the reliability if truth and prediction are exchanged.
    both = np.stack([counts, counts.swapaxes(-2, -1)])
    (reliability, sensitivity), (by_reliability, by_sensitivity) = _reliability_gradient(both)
    by_sensitivity = by_sensitivity.swapaxes(-2, -1)
    # If no pair is in order, both values grow from 0, and so does their harmonic mean.
    is_zero = reliability + sensitivity == 0
    r = np.where(is_zero, by_reliability, reliability)
    s = np.where(is_zero, by_sensitivity, sensitivity)
    gradient = divide(2 * (s**2 * by_reliability + r**2 * by_sensitivity), (r + s) ** 2)
    gradient = np.where(is_zero & (r + s == 0), 0, gradient)
    # If one value is undefined, the first sample in order makes it much larger than the other.
    gradient = np.where(np.isnan(sensitivity), 2 * by_reliability, gradient)
    return np.where(np.isnan(reliability), 2 * by_sensitivity, gradient)


def _reliability_gradient(counts: Counts) -> tuple[Values, Values]:
    """Return the reliability, of shape (..., 1, 1), and its derivatives."""
    in_order = samples_in_order(counts)
    sizes = np.add.reduce(counts, axis=-2)
    n_samples = np.add.reduce(sizes, axis=-1)[..., None, None]
    weight = divide(1, _other_sizes(sizes))[..., None, :]
    shares = np.add.reduce(counts * in_order, axis=-2, keepdims=True) * weight
    total_share = np.add.reduce(shares, axis=-1, keepdims=True)
    # A sample adds its own share, adds to the shares of the samples that are in order to it, and
    # makes the shares smaller for all samples that are predicted in another class.
    smaller = shares * weight
    changed = weight * in_order + samples_in_order(counts * weight) + smaller
    changed -= np.add.reduce(smaller, axis=-1, keepdims=True)
    mean = divide(total_share, n_samples)
    return mean, divide(changed - mean, n_samples)


def reliability_sensitivity(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> ReliabilitySensitivity:
    """Compute Reliability and Sensitivity of the order, and their harmonic mean F.

    For each sample, compute the proportion of the samples predicted in another class that
    the truth orders the same way. Reliability is the mean of these proportions. Sensitivity
    is computed in the same way with truth and prediction exchanged [1]_.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_pred : array-like of shape (n_samples,)
        Predicted classes. A missing prediction raises a ValueError; the unanswered
        samples of an `OrdinalConfusion` are left out.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.
    replace_undefined_by : float, default=np.nan
        Value to return, without a warning, in place of each value that is undefined.

    Returns
    -------
    ReliabilitySensitivity
        Named tuple of reliability, sensitivity and f, each in [0, 1]. 1 is best.
        Reliability is NaN with an `UndefinedMetricWarning` if `y_pred` is constant, and
        sensitivity is NaN if `y_true` is constant. In both cases f is 0, since the
        other value is 0; f is NaN only if both are constant.

    Raises
    ------
    ValueError
        If strings come without `labels`, or a class is not in `labels`.

    See Also
    --------
    somers_d_score : Pairs in the same order minus pairs in opposite order.

    Notes
    -----
    Weights count as frequencies: a sample of weight 2 is two samples.

    References
    ----------
    .. [1] E. Amigo, J. Gonzalo, F. Verdejo (2013), "A general evaluation measure for
       document organization tasks", SIGIR 2013, :doi:`10.1145/2484028.2484081`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import reliability_sensitivity
    >>> reliability_sensitivity([0, 1, 2, 2], [0, 2, 2, 1])
    ReliabilitySensitivity(reliability=0.583..., sensitivity=0.583..., f=0.583...)
    """
    counts = OrdinalConfusion.from_predictions(
        y_true, y_pred, labels=labels, sample_weight=sample_weight
    ).counts
    r, s, f = (float(value) for value in _reliability_and_sensitivity(counts))
    # Do not use a loop, so that warnings point at the caller's line.
    r = or_undefined(r, replace_undefined_by, "reliability", "y_pred is constant")
    s = or_undefined(s, replace_undefined_by, "sensitivity", "y_true is constant")
    f = or_undefined(f, replace_undefined_by, "their F", "y_true and y_pred are constant")
    return ReliabilitySensitivity(r, s, f)


@ordinal_metric(
    _reliability_sensitivity_f,
    greater_is_better=True,
    bounds=(0.0, 1.0),
    gradient=_reliability_sensitivity_f_gradient,
    name="reliability_sensitivity_f",
    properties={"invariant", "symmetric", "differentiable"},
    an_error_costs="the share of the samples that are in the wrong order relative to its sample",
    prefer="if only the order of the samples counts, and all samples count equally",
)
def _reliability_sensitivity_f_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    replace_undefined_by: float = np.nan,
) -> float:
    """Compute the harmonic mean that `reliability_sensitivity` returns."""
    value = LABELS.evaluate(_reliability_sensitivity_f, y_true, y_pred, labels, sample_weight)
    reason = "y_true and y_pred are constant"
    return or_undefined(value, replace_undefined_by, "the F of reliability and sensitivity", reason)
