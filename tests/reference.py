"""Exact, slow definitions, written from the papers without looking at the package."""

from fractions import Fraction
from math import log2


def cem(y_true, y_pred, closeness, log=True):
    """CEM of lists of integers, with the closeness P(y_true, predicted, true).

    A prediction of None earns nothing.
    """

    def proximity(i, j):
        share = closeness(y_true, i, j)
        return -log2(share) if log else 1 - share

    got = sum(proximity(i, j) for j, i in zip(y_true, y_pred, strict=True) if i is not None)
    best = sum(proximity(j, j) for j in y_true)
    return float(got / best)


def ordinal_closeness(truth, i, j):
    """P(i -> j): half the predicted class plus every class after it, through the true one."""
    total = Fraction(truth.count(i), 2)
    if i < j:
        total += sum(1 for t in truth if i < t <= j)
    elif i > j:
        total += sum(1 for t in truth if j <= t < i)
    return total / len(truth)


def interval_closeness(truth, i, j):
    """Share of samples nearer to the true class than the prediction, plus half of those as near."""
    radius = abs(i - j)
    nearer = sum(1 for t in truth if abs(t - j) < radius)
    as_near = sum(1 for t in truth if abs(t - j) == radius)
    return Fraction(2 * nearer + as_near, 2 * len(truth))


def nominal_closeness(truth, i, j):
    return Fraction(truth.count(j), 2 * len(truth)) if i == j else Fraction(1)


def adjusted_cem_ord(y_true, y_pred):
    """CEM_ORD adjusted for its mean over all pairings of true classes and predictions."""
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


def reliability(y_true, y_pred):
    """Mean over samples of the share, among those predicted differently, in the true order."""
    shares = []
    for true, pred in zip(y_true, y_pred, strict=True):
        others = [(t, p) for t, p in zip(y_true, y_pred, strict=True) if p != pred]
        in_order = sum((t - true) * (p - pred) > 0 for t, p in others)
        shares.append(Fraction(in_order, len(others)))
    return sum(shares) / len(shares)


def monotone_paths(n_classes, cell=(0, 0)):
    """Yield each path of cells from the given one to the last: down, right or diagonally."""
    row, column = cell
    if row == column == n_classes - 1:
        yield [cell]
        return
    for step in ((row + 1, column), (row, column + 1), (row + 1, column + 1)):
        if max(step) < n_classes:
            for rest in monotone_paths(n_classes, step):
                yield [cell, *rest]


def oci(counts, beta=0.75, gamma=1):
    """OCI of nested lists, by enumeration of all paths."""
    n_classes = len(counts)
    n_samples = sum(map(sum, counts))
    powers = {
        (i, j): counts[i][j] * abs(i - j) ** gamma
        for i in range(n_classes)
        for j in range(n_classes)
    }
    dispersion = sum(powers.values()) ** (1 / gamma)
    widest = n_samples * max(n_classes - 1, 1) ** gamma
    return min(
        1
        - sum(counts[i][j] for i, j in path) / (n_samples + dispersion)
        + beta * sum(powers[cell] for cell in path) / widest
        for path in monotone_paths(n_classes)
    )


def uoci_lines(counts):
    """Cost of each path in UOCI as a line in beta: exact intercept and slope."""
    shares = [[Fraction(n, sum(row) or 1) for n in row] for row in counts]
    n_rows = sum(any(row) for row in counts)
    dispersion = sum(s * abs(i - j) for i, row in enumerate(shares) for j, s in enumerate(row))
    return {
        (
            1 - sum(shares[i][j] for i, j in path) / (n_rows + dispersion),
            sum(shares[i][j] * abs(i - j) for i, j in path) / n_rows,
        )
        for path in monotone_paths(len(counts))
    }


def area_under_least(lines):
    """Integrate the minimum of the lines over [0, 1] exactly, from kink to kink."""
    at, area = Fraction(0), Fraction(0)
    start, slope = min(lines)
    while at < 1:
        crossings = [((s - start) / (slope - d), d, s) for s, d in lines if d < slope]
        bend, next_slope, next_start = min(crossings, default=(Fraction(1), slope, start))
        end = min(bend, Fraction(1))
        area += (end - at) * (start + slope * (at + end) / 2)
        at, slope, start = end, next_slope, next_start
    return area
