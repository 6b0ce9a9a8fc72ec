"""Cuts on a score: the counts that they give, and the best ones by a linear criterion."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import Counts

Cuts: TypeAlias = NDArray[np.intp]
"""Cuts of shape (..., n_classes - 1), ascending: the numbers of distinct scores below them."""

_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class ClassesByScore:
    """The classes of the samples below each possible cut on a score.

    Parameters
    ----------
    scores : ndarray of shape (n_distinct,)
        The distinct scores, ascending.
    below : ndarray of shape (n_distinct + 1, n_classes)
        Number, or weight, of the samples of each true class below each cut.
    """

    scores: NDArray[np.float64]
    below: Counts

    @classmethod
    def from_scores(
        cls,
        y_true: NDArray[np.intp],
        y_score: NDArray[np.float64],
        n_classes: int,
        sample_weight: NDArray[np.float64] | None = None,
    ) -> Self:
        """Count the classes, given as positions, at each distinct score."""
        if sample_weight is not None:
            # A sample without weight must not add a place for a cut.
            used = sample_weight > 0
            y_true, y_score, sample_weight = y_true[used], y_score[used], sample_weight[used]
        order = np.argsort(y_score)
        y_score = y_score[order]
        is_first = np.ones(len(order), dtype=bool)
        np.not_equal(y_score[1:], y_score[:-1], out=is_first[1:])
        # Row 0 is for the cut below all scores.
        cells = np.cumsum(is_first) * n_classes + y_true[order]
        weights = None if sample_weight is None else sample_weight[order]
        sizes = np.bincount(cells, weights, (is_first.sum() + 1) * n_classes)
        return cls(y_score[is_first], sizes.reshape(-1, n_classes).cumsum(axis=0))

    @property
    def sizes(self) -> Counts:
        """Number, or weight, of the samples of each class, of shape (n_classes,)."""
        sizes: Counts = self.below[-1]
        return sizes

    def of_classes(self, which: NDArray[np.bool_]) -> Self:
        """Return the same for some of the classes, which must be all that have samples."""
        return type(self)(self.scores, self.below[:, which])

    def counts(self, cuts: Cuts) -> Counts:
        """Return the counts (..., n_classes, n_classes) that cuts (..., n_classes - 1) give."""
        return np.diff(self.below[self.with_ends(cuts)], axis=-2).swapaxes(-1, -2)

    def thresholds(self, cuts: Cuts) -> NDArray[np.float64]:
        """Return the scores midway between the neighbours of each cut.

        A score equal to a threshold is above it. That at an end is just beyond all scores.
        """
        lower, upper = self.scores[:-1], self.scores[1:]
        middle = lower / 2 + upper / 2
        # Rounding may give the lower of two adjacent floats.
        middle = np.where(middle > lower, middle, upper)
        highest = np.nextafter(self.scores[-1:], np.inf)
        return np.concatenate([self.scores[:1], middle, highest])[cuts]

    def quantiles(self, n_quantiles: int) -> Cuts:
        """Return at most `n_quantiles` cuts at equal steps of the number of samples."""
        total = self.below.sum(axis=1)
        return np.unique(np.searchsorted(total, np.linspace(0, total[-1], n_quantiles)))

    def with_ends(self, cuts: Cuts) -> Cuts:
        """Return the cuts between the two that are beyond all scores."""
        lowest = np.zeros((*cuts.shape[:-1], 1), dtype=np.intp)
        return np.concatenate([lowest, cuts, lowest + len(self.scores)], axis=-1)


def exact_cuts(classes: ClassesByScore, gains: NDArray[np.float64]) -> Cuts:
    """Return the cuts with the largest sum of gains, the lowest of several.

    Dynamic programming over all distinct scores, in time and memory proportional to their
    number times `n_classes`.

    Parameters
    ----------
    classes : ClassesByScore
        The classes by score.
    gains : ndarray of shape (n_classes, n_classes)
        Gain of a sample of each true class (rows) for each predicted class (columns).

    Returns
    -------
    ndarray of shape (n_classes - 1,)
        The cuts.
    """
    # What a cut gains: the scores below it get the class below it and not the class above it.
    of_cut = (gains[:, :-1] - gains[:, 1:]).T @ classes.below.T
    for lower, upper in pairwise(of_cut):
        upper += np.maximum.accumulate(lower)
    # Sums that are equal up to rounding are tied.
    tied = _ROUNDING * (classes.sizes @ np.abs(gains)).max()
    cuts = np.empty(len(of_cut), dtype=np.intp)
    end = len(classes.scores)
    for position in reversed(range(len(of_cut))):
        sums = of_cut[position, : end + 1]
        cuts[position] = end = int(np.argmax(sums >= sums.max() - tied))
    return cuts
