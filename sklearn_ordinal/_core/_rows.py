"""Resampling of samples with probabilities or scores, or of clusters of samples, by weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from sklearn_ordinal._core._arrays import slices
from sklearn_ordinal._core._checks import check_n_units
from sklearn_ordinal._core._counting import Values
from sklearn_ordinal._core._draws import UnitDraws
from sklearn_ordinal._core._protocols import Criterion
from sklearn_ordinal._core._samples import reweighted, sample_clusters, without_clusters
from sklearn_ordinal._core._scores import OrdinalScores

# Weights of this size stay in the cache. A stack of a few resamples of many samples may be larger,
# since otherwise the calls would take as long as the arithmetic.
_WEIGHTS_PER_STACK, _MOST_WEIGHTS_PER_STACK = 2**18, 2**20
_FEW_RESAMPLES = 4
# Leaving out each of many units would take longer than the resamples.
_MOST_LEFT_OUT = 500
_DIGITS_OF_RANKS = 12


@dataclass(frozen=True, eq=False)
class Rows:
    """Samples of one or more systems, with the units to resample.

    Parameters
    ----------
    systems : tuple of evidence
        Each system's predictions for the same samples, with the same weights.
    n_units : int
        Number of units.
    unit_of_row : ndarray of shape (n_samples,) or None
        The unit of each sample, which is arbitrary for samples of weight zero. None if each
        sample is a unit.
    """

    systems: tuple[Any, ...]
    n_units: int
    unit_of_row: NDArray[np.intp] | None

    @classmethod
    def from_systems(cls, systems: Sequence[Any]) -> Rows:
        """Make the units of one or more systems, from their evidence on the same samples."""
        has_weight, clusters = systems[0].weights > 0, sample_clusters(systems[0])
        n_units = n_samples = len(has_weight)
        unit_of_row = None
        if clusters is not None or not has_weight.all():
            units = np.arange(n_samples) if clusters is None else clusters
            unit_of_row = np.zeros(n_samples, dtype=np.intp)
            distinct, unit_of_row[has_weight] = np.unique(units[has_weight], return_inverse=True)
            n_units = len(distinct)
        check_n_units("y_true" if clusters is None else "clusters", n_units)
        # From here on, the units represent the clusters.
        return cls(tuple(map(without_clusters, systems)), n_units, unit_of_row)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Ones, one for each block of units that `without_one` leaves out."""
        return np.ones(min(self.n_units, _MOST_LEFT_OUT), dtype=np.int64)

    def each(self) -> Iterator[tuple[Rows, NDArray[np.intp]]]:
        """Yield the units of each system, and their numbers."""
        for system in self.systems:
            yield replace(self, systems=(system,)), np.arange(self.n_units)

    @property
    def kind_sizes(self) -> NDArray[np.int64]:
        """Ones, one for each unit."""
        return np.ones(self.n_units, dtype=np.int64)

    def sums(self, systems: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return the weighted sums of the values of samples over each unit."""
        weights = self.systems[0].weights
        weighted = [np.where(weights > 0, weights * values, 0) for values in systems]
        if self.unit_of_row is None:
            return np.stack(weighted)
        return np.stack([np.bincount(self.unit_of_row, w, self.n_units) for w in weighted])

    def n_unanswered(self) -> list[float]:
        """Return zeros: each sample has a prediction."""
        return [0] * len(self.systems)

    def all_together(self) -> tuple[Any, ...]:
        """Return all samples, as a stack of one."""
        return self._reweighted(np.ones((1, self.n_units)))

    def resampled(self, rng: np.random.Generator, n_resamples: int) -> Iterator[tuple[Any, ...]]:
        """Yield stacks of the same number of units, drawn at random."""
        # If there are neither weights nor clusters, the weights of each resample add up to the same
        # number.
        is_known = self.unit_of_row is None and not self._have_weights
        for times in self.drawn(rng, n_resamples):
            amounts = np.full(times.shape[1], float(self.n_units)) if is_known else None
            yield self._reweighted(times.T, amounts)

    def drawn(self, rng: np.random.Generator, n_resamples: int) -> Iterator[NDArray[np.uint8]]:
        """Yield the number of times that `resampled` draws each unit, (n_units, size)."""
        draw = UnitDraws(self.n_units)
        for part in slices(n_resamples, self._stack_length):
            yield draw(rng, part.stop - part.start).T

    def without_one(self) -> Iterator[tuple[Any, ...]]:
        """Yield stacks without one unit, or without one of 500 random blocks of units."""
        n_blocks, block = len(self.sizes), np.arange(self.n_units)
        if n_blocks < self.n_units:
            # Do not seed with `random_state`, so that it only changes the resamples.
            block = np.random.default_rng(0).permutation(self.n_units) % n_blocks
        for part in slices(n_blocks, self._stack_length):
            left_out = np.arange(part.start, part.stop)[:, None]
            yield self._reweighted(block != left_out)

    def of_swapped(self, metric: Criterion) -> Criterion:
        """Return the metric for the predictions of both systems.

        Scores of two systems, such as values of two decision functions, may be on different
        scales. Their ranks are on the same scale, so a metric that depends only on the order of the
        scores is evaluated on the ranks within each system. The result is the same for
        probabilities and for the expected positions computed from them.
        """
        n_samples = self.systems[0].n_samples
        of_both: Criterion = with_rows(metric, np.tile(np.arange(n_samples), 2), n_samples)
        accepted = [metric.evidence.accepted(system, metric.name) for system in self.systems]
        if not all(isinstance(evidence, OrdinalScores) for evidence in accepted):
            return of_both
        ranks = [_score_ranks(scores) for scores in accepted]
        if not all(
            np.array_equal(metric(scores), metric(ranked), equal_nan=True)
            for scores, ranked in zip(self.systems, ranks, strict=True)
        ):
            return of_both
        first, second = ranks
        statistic = partial(_on_ranks, of_both.statistic, first + second)
        on_ranks: Criterion = replace(cast(Any, of_both), statistic=statistic)
        return on_ranks

    def swapped(self, rng: np.random.Generator, n_resamples: int) -> Iterator[tuple[Any, ...]]:
        """Yield stacks with the predictions of some units exchanged between the two systems."""
        first, second = self.systems
        # Each sample occurs twice, and one of its two predictions has weight zero.
        pooled, n_samples = first + second, first.n_samples
        for part in slices(n_resamples, self._stack_length // 2):
            shape = (part.stop - part.start, self.n_units)
            is_exchanged = self._of_samples(rng.integers(2, size=shape, dtype=np.bool_))
            # The second system gets the predictions that the first system does not get, so both can
            # use one array.
            weights = self._weights(
                np.concatenate([~is_exchanged, is_exchanged, ~is_exchanged], axis=-1)
            )
            yield (
                reweighted(pooled, weights[:, : 2 * n_samples]),
                reweighted(pooled, weights[:, n_samples:]),
            )

    def _reweighted(self, times: NDArray[Any], amounts: Values | None = None) -> tuple[Any, ...]:
        """Return the evidence with each unit counted `times`, of shape (n_resamples, n_units)."""
        weights = self._weights(self._of_samples(times))
        return tuple(reweighted(system, weights, amounts) for system in self.systems)

    def _of_samples(self, of_units: NDArray[Any]) -> NDArray[Any]:
        return of_units if self.unit_of_row is None else of_units[:, self.unit_of_row]

    def _weights(self, times: NDArray[Any]) -> NDArray[np.float64]:
        """Return the weights of samples that count `times`, for one or more copies of them."""
        weights, first = times.astype(np.float64), self.systems[0]
        if self._have_weights:
            weights *= np.tile(first.weights, weights.shape[-1] // first.n_samples)
        return weights

    @property
    def _have_weights(self) -> bool:
        # `reweighted` does not mark the samples as weighted. A cached property would hold a lock
        # before Python 3.12, and metrics could not be pickled by value.
        first = self.systems[0]
        return first.is_weighted or bool((first.weights != 1).any())

    @property
    def _stack_length(self) -> int:
        n_samples: int = self.systems[0].n_samples
        few = min(_FEW_RESAMPLES, _MOST_WEIGHTS_PER_STACK // n_samples)
        return max(_WEIGHTS_PER_STACK // n_samples, few)


def _score_ranks(scores: OrdinalScores) -> OrdinalScores:
    """Replace scores by the share of the samples with lower scores, where ties count half."""
    _, tie = np.unique(scores.y_score, return_inverse=True)
    weights = np.bincount(tie, scores.weights)
    shares = (np.cumsum(weights) - weights / 2) / weights.sum()
    # Shares that are equal up to rounding errors are ties between the systems.
    return replace(scores, y_score=np.round(shares[tie], _DIGITS_OF_RANKS))


def _on_ranks(statistic: Callable[..., Any], ranks: OrdinalScores, scores: OrdinalScores) -> Any:
    """Evaluate the statistic of a metric on ranks with the weights of scores."""
    return statistic(reweighted(ranks, scores.weights))


def with_rows(metric: Any, rows: NDArray[np.intp] | slice, n_samples: int) -> Any:
    """Return the metric after selecting `rows`, in that order, from its per-sample options.

    These options, such as a reference, have a row for each of the samples.
    """
    of_rows = {
        name: np.asarray(value)[rows]
        for name, value in metric.options.items()
        if np.ndim(value) == 2 and len(value) == n_samples
    }
    if not of_rows or metric.scorer is not None:
        return metric
    return replace(metric, statistic=partial(metric.statistic, **of_rows))
