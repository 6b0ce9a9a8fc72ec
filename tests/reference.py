"""Exact, slow definitions, written from the papers without looking at the package."""

from fractions import Fraction
from math import log2


def cem(y_true, y_pred, closeness, log=True):
    """CEM of lists of integers, from the closeness P(predicted, true) of their truth."""

    def proximity(i, j):
        share = closeness(y_true, i, j)
        return -log2(share) if log else 1 - share

    got = sum(proximity(i, j) for j, i in zip(y_true, y_pred, strict=True))
    best = sum(proximity(j, j) for j in y_true)
    return float(got / best)


def ordinal_closeness(truth, i, j):
    """P(i -> j): half of the predicted class, all after it up to and including the true one."""
    total = Fraction(truth.count(i), 2)
    if i < j:
        total += sum(1 for t in truth if i < t <= j)
    elif i > j:
        total += sum(1 for t in truth if j <= t < i)
    return total / len(truth)


def interval_closeness(truth, i, j):
    """P of the samples nearer to the true class than the prediction, half of those as near."""
    radius = abs(i - j)
    nearer = sum(1 for t in truth if abs(t - j) < radius)
    as_near = sum(1 for t in truth if abs(t - j) == radius)
    return Fraction(2 * nearer + as_near, 2 * len(truth))


def nominal_closeness(truth, i, j):
    return Fraction(truth.count(j), 2 * len(truth)) if i == j else Fraction(1)


def adjusted_cem_ord(y_true, y_pred):
    """CEM_ORD corrected for its mean over all ways to pair the truths with the predictions."""
    observed = cem(y_true, y_pred, ordinal_closeness)
    pairings = [(j, i) for j in y_true for i in y_pred]
    n_samples = len(y_true)
    best = sum(-log2(ordinal_closeness(y_true, j, j)) for j in y_true)
    expected = sum(-log2(ordinal_closeness(y_true, i, j)) for j, i in pairings) / n_samples / best
    return (observed - expected) / (1 - expected)


def pairs_in_order(y_true, y_pred):
    """Numbers of concordant, discordant and all pairs of samples."""
    concordant = discordant = n_pairs = 0
    for a in range(len(y_true)):
        for b in range(a):
            n_pairs += 1
            sign = (y_true[a] - y_true[b]) * (y_pred[a] - y_pred[b])
            concordant += sign > 0
            discordant += sign < 0
    return concordant, discordant, n_pairs
