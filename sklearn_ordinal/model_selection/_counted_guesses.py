"""Random guesses for samples that are only counted, and their expected scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core import (
    Counts,
    OrdinalConfusion,
    OrdinalMetric,
    OrdinalScale,
    samples_counted_in,
    slices,
)
from sklearn_ordinal.model_selection._baselines import (
    N_DRAWS_OF_STACKS,
    ExpectedScores,
    counts_expectation,
    simulated_scores,
)

_NUMBERS_PER_DRAW = 2**22
# All draws of one mean together. If samples have many different weights, there are fewer draws, but
# at least 16, whose mean is precise enough since there are many samples.
_MOST_NUMBERS, _FEWEST_DRAWS = 2**22, 16
# Half a unit of the third digit after the decimal point, in the unit of the criterion.
_PRECISE = 0.0005


@dataclass(frozen=True)
class WeightedSamples:
    """The number of samples of each class and weight, in the order of the classes."""

    true: NDArray[np.intp]
    weights: NDArray[np.float64]
    numbers: NDArray[np.int64]

    @classmethod
    def of_sizes(cls, sizes: Counts) -> WeightedSamples | None:
        """Return samples of weight 1, or None if the sizes of the classes are not integers."""
        if (sizes % 1).any():
            return None
        (true,) = np.nonzero(sizes)
        return cls(true, np.ones(len(true)), sizes[true].astype(np.int64))

    @classmethod
    def in_confusion(
        cls, confusion: OrdinalConfusion, sizes: Counts, *, with_unanswered: bool
    ) -> WeightedSamples | None:
        """Return the samples that were counted, or None if the counts do not tell them.

        `sizes` are the sizes of the true classes, with unanswered samples if `with_unanswered`.
        """
        if not confusion.is_weighted:
            return cls.of_sizes(sizes)
        samples = samples_counted_in(confusion)
        if samples is None:
            return None
        true, predicted = np.divmod(samples.cells[0], samples.n_columns)
        is_included = with_unanswered | (predicted < len(confusion.scale))
        pairs = np.stack([true[is_included], samples.weight[is_included]])
        (true, weights), numbers = np.unique(pairs, axis=1, return_counts=True)
        return cls(true.astype(np.intp), weights, numbers)


@dataclass(frozen=True)
class CountedGuesses:
    """Random guesses for counted samples: `shares` has the probability of each class.

    `sizes` has the number, or weight, of the samples of each true class. If `samples` is None,
    guesses cannot be drawn.
    """

    scale: OrdinalScale
    sizes: Counts
    samples: WeightedSamples | None
    shares: NDArray[np.float64]
    is_weighted: bool

    @property
    def weigh_the_same(self) -> bool:
        """Whether all samples have the same weight."""
        return not self.is_weighted

    @property
    def expected_counts(self) -> Counts:
        """The expected number, or weight, of guesses of each class for each true class."""
        expected: Counts = self.sizes[:, None] * self.shares
        return expected

    def counts(self, rng: np.random.Generator, n_draws: int) -> Counts:
        """Draw matrices of counts; rows are multinomial, since guesses ignore the features."""
        assert self.samples is not None
        n_classes, guessed = len(self.scale), np.flatnonzero(self.shares)
        numbers, weights = self.samples.numbers, self.samples.weights[:, None]
        occurring, starts = np.unique(self.samples.true, return_index=True)
        counts = np.zeros((n_draws, n_classes, n_classes))
        for part in slices(n_draws, _NUMBERS_PER_DRAW // (len(numbers) * len(guessed))):
            size = (part.stop - part.start, len(numbers))
            drawn = weights * rng.multinomial(numbers, self.shares[guessed], size=size)
            counts[part, occurring[:, None], guessed] = np.add.reduceat(drawn, starts, axis=1)
        return counts


def expected_guess(
    metric: OrdinalMetric, guesses: CountedGuesses, rng: np.random.Generator
) -> ExpectedScores:
    """Return the expected value of a criterion of counts for random guesses.

    The value is exact if the properties of the criterion allow it, otherwise the mean of draws,
    and NaN if guesses cannot be drawn. Draws for which the criterion is undefined are left out.
    """

    def values(counts: Counts) -> Any:
        return metric(OrdinalConfusion(guesses.scale, counts, guesses.is_weighted))

    expected, undefined = counts_expectation(metric, guesses, values), np.array([np.nan])
    if not callable(expected):
        return ExpectedScores(np.array([expected]))
    if guesses.samples is None:
        return ExpectedScores(undefined)
    most = max(_FEWEST_DRAWS, _MOST_NUMBERS // len(guesses.samples.numbers))
    fewest_draws, most_draws = np.minimum(N_DRAWS_OF_STACKS, most).tolist()
    return simulated_scores(
        undefined,
        {0: expected},
        (fewest_draws, most_draws),
        lambda error, _: error <= _PRECISE,
        rng,
    )
