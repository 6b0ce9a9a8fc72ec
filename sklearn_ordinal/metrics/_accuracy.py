"""Accuracies: the share of predictions that are right, or nearly."""

from __future__ import annotations

from functools import partial
from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike

from sklearn_ordinal._catalogue import OrdinalMetric, add_to_catalogue, evaluate, ordinal_metric
from sklearn_ordinal._confusion import Counts, Values
from sklearn_ordinal.metrics._arrays import distance, divide, margins, mean_where_defined, total


def _within_n_accuracy(counts: Counts, *, n: int) -> Values:
    return divide(total(_within_n(counts, n)), total(counts))


def within_n_per_class(counts: Counts, *, n: int) -> Values:
    """Return the share of each true class that is at most n away, NaN for empty classes."""
    return divide(_within_n(counts, n).sum(axis=-1), counts.sum(axis=-1))


def _within_n(counts: Counts, n: int) -> Counts:
    return np.where(distance(counts.shape[-1]) <= n, counts, 0)


def sensitivities(counts: Counts) -> Values:
    """Return the share of each true class that is right, NaN for empty classes."""
    return within_n_per_class(counts, n=0)


def f1_per_class(counts: Counts) -> Values:
    """Return the f1 of each class, NaN for classes neither true nor predicted."""
    true, pred = margins(counts)
    return divide(2 * np.diagonal(counts, axis1=-2, axis2=-1), true + pred)


def _accuracy(counts: Counts) -> Values:
    return _within_n_accuracy(counts, n=0)


def _balanced_accuracy(counts: Counts) -> Values:
    return mean_where_defined(sensitivities(counts))


def _f1_macro(counts: Counts) -> Values:
    return mean_where_defined(f1_per_class(counts))


@ordinal_metric(
    _within_n_accuracy, name="within_1_accuracy", n=1, greater_is_better=True, bounds=(0.0, 1.0)
)
def within_n_accuracy_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    n: int = 1,
) -> float:
    """Compute the share of predictions at most `n` classes from the truth.

    Distance is in positions on the scale, so a class that does not occur keeps its
    place [1]_. Also known as accuracy within n, adjacent or off-by-one accuracy.

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
    n : int, default=1
        Largest number of classes between truth and prediction that counts as right.

    Returns
    -------
    float
        Share of the samples, or of their weight, in [0, 1]. 1 is best.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, or `n` is not a
        non-negative integer.

    See Also
    --------
    ordinal_mean_absolute_error : Mean number of classes between truth and prediction.
    sklearn.metrics.accuracy_score : Share of exact predictions, `n=0`.

    References
    ----------
    .. [1] E. Amigo, J. Gonzalo, S. Mizzaro, J. Carrillo-de-Albornoz (2020), "An
       effectiveness metric for ordinal classification: formal properties and
       experimental results", ACL 2020, :doi:`10.18653/v1/2020.acl-main.363`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import within_n_accuracy_score
    >>> within_n_accuracy_score([0, 1, 2, 4], [0, 2, 0, 1])
    0.5
    """
    if not isinstance(n, Integral) or isinstance(n, bool) or n < 0:
        raise ValueError(f"n must be a non-negative integer, got {n!r}.")
    return evaluate(partial(_within_n_accuracy, n=n), y_true, y_pred, labels, sample_weight)


# scikit-learn publishes these: accuracy_score, balanced_accuracy_score, f1_score(average="macro").
add_to_catalogue(OrdinalMetric("accuracy", _accuracy, None, True, (0.0, 1.0)))
add_to_catalogue(OrdinalMetric("balanced_accuracy", _balanced_accuracy, None, True, (0.0, 1.0)))
add_to_catalogue(OrdinalMetric("f1_macro", _f1_macro, None, True, (0.0, 1.0)))
