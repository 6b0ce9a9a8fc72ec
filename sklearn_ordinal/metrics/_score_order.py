"""The order of scores, and the pairs and tuples of samples of different classes in that order."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import OrdinalScores, Values

Positions = NDArray[np.intp]


class ScoreOrder(NamedTuple):
    """The samples sorted by class, and by score within a class, regardless of their weights.

    The samples of one class that have the same score are a cell, and the cells of all classes
    that have the same score are a group.
    """

    classes: Positions
    """Classes that occur."""
    samples: Positions
    first_samples: Positions | None
    """Position in `samples` of the first sample of each cell; None if each cell is one sample."""
    first_cells: Positions
    """First cell of each class, followed by the number of cells."""
    groups: Positions
    """Group of each cell, from the lowest score to the highest."""
    n_groups: int

    def cells(self, weights: Values) -> Values:
        """Return the weight of each cell: (..., n_samples) to (..., n_cells)."""
        weights = np.take(weights, self.samples, axis=-1)
        if self.first_samples is None:
            return weights
        return np.add.reduceat(weights, self.first_samples, axis=-1)

    def of_samples(self, of_cells: Values) -> Values:
        """Return the value of the cell of each sample: (..., n_cells) to (..., n_samples)."""
        if self.first_samples is not None:
            sizes = np.diff(self.first_samples, append=len(self.samples))
            of_cells = np.repeat(of_cells, sizes, axis=-1)
        of_samples = np.empty(of_cells.shape)
        of_samples[..., self.samples] = of_cells
        return of_samples

    def slices(self) -> list[slice]:
        """Return the cells of each class."""
        return [slice(start, stop) for start, stop in pairwise(self.first_cells.tolist())]

    def rank_among(self, cells: slice, groups: Positions) -> tuple[Positions, Positions]:
        """Return the number of cells of a class below each group, and the number not above it."""
        class_groups = self.groups[cells]
        steps = np.diff(class_groups, prepend=-1, append=self.n_groups)
        n_lower = np.repeat(np.arange(len(class_groups) + 1), steps)
        lower = n_lower[groups]
        if self.n_groups == len(self.groups):
            # No two cells have the same score.
            return lower, lower
        return lower, n_lower[1:][groups]


def score_order(scores: OrdinalScores) -> ScoreOrder:
    """Sort the samples by class, and by score within a class."""
    order = np.argsort(scores.y_score)
    in_order = np.take(scores.y_score, order)
    is_higher = np.concatenate([[False], in_order[1:] != in_order[:-1]])
    # NumPy sorts integers of at most 16 bits in linear time, and no scale needs more.
    true = scores.y_true.astype(np.min_scalar_type(scores.n_classes))
    by_class = np.argsort(np.take(true, order), kind="stable")
    samples = np.take(order, by_class)
    sizes = np.bincount(scores.y_true)
    classes = np.flatnonzero(sizes)
    ends = np.cumsum(sizes[classes])
    n_groups = int(np.count_nonzero(is_higher)) + 1
    if n_groups == len(samples):
        return ScoreOrder(classes, samples, None, np.append(0, ends), by_class, n_groups)
    groups = np.take(np.cumsum(is_higher), by_class)
    is_first = np.concatenate([[True], groups[1:] != groups[:-1]])
    is_first[ends[:-1]] = True
    first_samples = np.flatnonzero(is_first)
    first_cells = np.append(0, np.searchsorted(first_samples, ends))
    return ScoreOrder(classes, samples, first_samples, first_cells, groups[first_samples], n_groups)


def sums_below(weights: Values) -> Values:
    """Return the sums of the first 0, 1, ..., n weights: (..., n) to (..., n + 1)."""
    sums = np.zeros((*weights.shape[:-1], weights.shape[-1] + 1))
    np.cumsum(weights, axis=-1, out=sums[..., 1:])
    return sums


def pairs_in_order(scores: OrdinalScores) -> tuple[Values, Values]:
    """Return the number of pairs of samples whose scores are in order, and of all pairs.

    Both have shape (..., n_classes, n_classes), the lower class first, and are zero on and below
    the diagonal. A pair of equal scores counts half, and the weight of a pair is the product of
    the weights of its samples.
    """
    order = scores.shared(score_order)
    cells = order.cells(scores.weights)
    sizes = np.add.reduceat(cells, order.first_cells[:-1], axis=-1)
    shape = (*cells.shape[:-1], scores.n_classes, scores.n_classes)
    in_order, of_both = np.zeros(shape), np.zeros(shape)
    slices = order.slices()
    for number, (position, of_class) in enumerate(zip(order.classes[:-1], slices, strict=False)):
        start, above = of_class.stop, order.classes[number + 1 :]
        below = sums_below(cells[..., of_class])
        n_lower, n_not_above = order.rank_among(of_class, order.groups[start:])
        wins = np.take(below, n_lower, axis=-1)
        if n_not_above is not n_lower:
            wins += np.take(below, n_not_above, axis=-1)
            wins /= 2
        wins *= cells[..., start:]
        first = order.first_cells[number + 1 : -1] - start
        in_order[..., position, above] = np.add.reduceat(wins, first, axis=-1)
        of_both[..., position, above] = sizes[..., number, None] * sizes[..., number + 1 :]
    return in_order, of_both


def pairs_gradient(scores: OrdinalScores, by_in_order: Values, by_pairs: Values) -> Values:
    """Return the derivatives by the weight of each sample, by the chain rule: (..., n_samples).

    One more sample adds as many pairs with each other class as that class has samples. Those that
    are in order are its placement among them [1]_.

    Parameters
    ----------
    scores : OrdinalScores
        The scores.
    by_in_order : ndarray of shape (..., n_classes, n_classes)
        Derivatives by the numbers of pairs in order that `pairs_in_order` returns, symmetric.
    by_pairs : ndarray of shape (..., n_classes, n_classes)
        Derivatives by the numbers of all pairs, symmetric.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), "Comparing the areas under two
       or more correlated receiver operating characteristic curves", Biometrics 44(3),
       :doi:`10.2307/2531595`.
    """
    order = scores.shared(score_order)
    cells = order.cells(scores.weights)
    gradient = np.zeros(cells.shape)
    slices = dict(zip(order.classes.tolist(), order.slices(), strict=True))
    for other, of_other in slices.items():
        below = sums_below(cells[..., of_other])
        n_lower, n_not_above = order.rank_among(of_other, order.groups)
        lower = np.take(below, n_lower, axis=-1) + np.take(below, n_not_above, axis=-1)
        lower /= 2
        size = below[..., -1:]
        for position, of_class in slices.items():
            if position == other:
                continue
            placement = lower[..., of_class]
            if position < other:
                placement = size - placement
            gradient[..., of_class] += by_in_order[..., other, position, None] * placement
            gradient[..., of_class] += by_pairs[..., other, position, None] * size
    return order.of_samples(gradient)


def ordered_tuple_share(scores: OrdinalScores) -> Values:
    """Return the share of tuples with one sample of each class whose scores are in class order.

    Tied samples of m successive classes are in order in one of m! cases. Only classes with a
    positive weight count; they may differ between the leading axes.
    """
    order = scores.shared(score_order)
    cells = order.cells(scores.weights)
    rows = cells.reshape(-1, cells.shape[-1])
    sizes = np.add.reduceat(rows, order.first_cells[:-1], axis=-1)
    shares = np.full(len(rows), np.nan)
    patterns, pattern_of = np.unique(sizes > 0, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        if np.count_nonzero(pattern) > 1:
            is_here = pattern_of.ravel() == number
            shares[is_here] = _ordered_pattern_share(order, rows[is_here], sizes[is_here], pattern)
    return shares.reshape(cells.shape[:-1])


def _ordered_pattern_share(
    order: ScoreOrder, cells: Values, sizes: Values, is_present: NDArray[np.bool_]
) -> Values:
    """Return the share of tuples of the classes that occur: (n_rows, n_cells) to (n_rows,).

    The share is computed for the lowest class, the lowest two classes, and so on. Two kinds of
    tuples end in a cell: tuples of the lower classes that end below it, and tuples that end
    with ties.
    """
    all_slices = order.slices()
    slices = [all_slices[n] for n in np.flatnonzero(is_present)]
    weights = [
        cells[:, s] / size[:, None] for s, size in zip(slices, sizes.T[is_present], strict=True)
    ]
    # For each class so far, the cumulative shares of the tuples that end in its cells.
    below: list[Values] = []
    for last, of_class in enumerate(slices):
        groups = order.groups[of_class]
        ending = np.zeros(weights[last].shape)
        tied, of_ties = np.arange(len(groups)), np.ones(ending.shape)
        for n_tied in range(1, last + 1):
            before = last - n_tied
            n_lower, n_not_above = order.rank_among(slices[before], groups[tied])
            ending[:, tied] += of_ties * below[before][:, n_lower]
            is_tied = n_not_above > n_lower
            tied = tied[is_tied]
            if not len(tied):
                break
            of_ties = of_ties[:, is_tied] * weights[before][:, n_lower[is_tied]] / (n_tied + 1)
        else:
            ending[:, tied] += of_ties
        below.append(sums_below(ending * weights[last]))
    return below[-1][:, -1]
