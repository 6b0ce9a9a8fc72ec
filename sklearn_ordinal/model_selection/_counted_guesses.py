"""Random guesses for samples that are only counted, and their expected scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

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
    drawn_counts,
    exact_expectation,
    mean_of_draws,
)

_NUMBERS_PER_DRAW = 2**22
# All draws of one mean together. If samples have many different weights, or if there are dozens of
# classes, there are fewer draws. With many samples, the mean of 16 draws is precise enough.
_MOST_NUMBERS, _MOST_CELLS, _FEWEST_DRAWS = 2**22, 2**24, 16
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

    def evidence(self, counts: Counts) -> OrdinalConfusion:
        """Return counts as evidence."""
        return OrdinalConfusion(self.scale, counts, self.is_weighted)

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


def expected_guesses(
    metrics: Sequence[OrdinalMetric], guesses: CountedGuesses, rng: np.random.Generator
) -> list[ExpectedScores]:
    """Return the expected value of each criterion of counts for random guesses.

    The value is exact if the properties of the criterion allow it, otherwise the mean of draws,
    and NaN if guesses cannot be drawn. Draws for which the criterion is undefined are left out.
    """

    def expectation(metric: OrdinalMetric) -> float | None:
        return exact_expectation(metric, guesses, lambda counts: metric(guesses.evidence(counts)))

    exact = [expectation(metric) for metric in metrics]
    unknown = [metric for metric, value in zip(metrics, exact, strict=True) if value is None]
    simulated = iter(_simulated_guesses(unknown, guesses, rng))
    return [
        next(simulated) if value is None else ExpectedScores(np.array([value])) for value in exact
    ]


def _simulated_guesses(
    metrics: Sequence[OrdinalMetric], guesses: CountedGuesses, rng: np.random.Generator
) -> list[ExpectedScores]:
    """Return the mean value of each criterion over random draws, NaN if guesses cannot be drawn.

    Drawing takes longer than computing most criteria, so all criteria are computed from the same
    draws, until each of them is precise.
    """
    if guesses.samples is None:
        return [ExpectedScores(np.array([np.nan])) for _ in metrics]
    n_numbers, n_cells = len(guesses.samples.numbers), len(guesses.scale) ** 2
    most = max(_FEWEST_DRAWS, min(_MOST_NUMBERS // n_numbers, _MOST_CELLS // n_cells))
    n_more, n_most = np.minimum(N_DRAWS_OF_STACKS, most).tolist()
    draws = [np.empty(0) for _ in metrics]
    scores: dict[int, ExpectedScores] = {}
    while len(scores) < len(metrics):
        unfinished = [k for k in range(len(metrics)) if k not in scores]
        for counts in drawn_counts(guesses, rng, n_more):
            evidence = guesses.evidence(counts)
            for k in unfinished:
                draws[k] = np.append(draws[k], metrics[k](evidence))
        for k in unfinished:
            mean, variance = mean_of_draws(draws[k])
            n_more, error = len(draws[k]), math.sqrt(variance)
            if n_more >= n_most or error <= _PRECISE:
                scores[k] = ExpectedScores(mean[None], n_more, error)
    return [scores[k] for k in range(len(metrics))]
