"""The difference between two independent samples, split into rates and class sizes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from sklearn_ordinal._core import (
    DrawnSamples,
    Evidence,
    OrdinalMetric,
    Values,
    divide,
    evidence_at_prevalence,
    factors_to_shares,
    own_kind,
    replace_undefined,
)
from sklearn_ordinal.inference._contrast import Contrast
from sklearn_ordinal.inference._delta_interval import SampledUnits, SingleSamples
from sklearn_ordinal.inference._holm_correction import holm_correction

# Influences that are all 0 have rounding errors up to the square root of this variance.
_NO_VARIANCE = 1e-20


class Change(NamedTuple):
    """The difference of a metric between old and new samples, and its two parts."""

    difference: Contrast
    """The value of the new samples minus the value of the old samples."""
    rates: Contrast
    """The same difference at the class shares of the old samples."""
    class_sizes: Contrast
    """The rest of the difference, which is due to other class shares."""


class Moves(NamedTuple):
    """How much samples of weight 1 move a value: the derivatives by the weight of each entry."""

    by_entry: Values
    is_counted: Any
    """Whether the metric counts the samples of each entry."""


class Spread(NamedTuple):
    """The variance of a value that independent samples or clusters move."""

    variance: float
    degrees_of_freedom: float
    """Number of samples or clusters minus 1."""


@dataclass(frozen=True, eq=False)
class SampledEvidence:
    """Evidence, and how its samples were drawn.

    Parameters
    ----------
    evidence : Evidence
        Evidence of one system.
    weights : ndarray of shape (n_entries,)
        Weight of the samples in each entry.
    true : ndarray of shape (n_entries,)
        Position of the true class of each entry.
    design : SingleSamples or SampledUnits
        How the samples were drawn.
    """

    evidence: Any
    weights: Values
    true: Any
    design: SingleSamples | SampledUnits

    @classmethod
    def from_evidence(cls, evidence: Evidence) -> SampledEvidence:
        """Return evidence with the units in which its samples were drawn.

        Raises
        ------
        ValueError
            If the samples are in clusters that were not kept, or the counts are sums of weights
            without the sums of squared weights.
        """
        kind = own_kind(evidence)
        assert kind is not None
        amounts, design = kind.entry_amounts(evidence), None
        if kind.is_clustered(evidence):
            drawn = kind.drawn([evidence])
            design = SampledUnits(drawn, np.zeros(drawn.count_units(), dtype=np.intp))
        return cls(
            evidence,
            amounts.weights,
            kind.entry_classes(evidence),
            design or SingleSamples(amounts),
        )

    @property
    def class_counts(self) -> Values:
        """Number, or weight, of the samples of each true class."""
        sizes: Values = np.asarray(self.evidence.class_counts, dtype=np.float64)
        return sizes

    @property
    def n_units(self) -> int:
        """Number of samples, or of clusters, of positive weight."""
        if isinstance(self.design, SampledUnits):
            return len(self.design.stratum)
        return int(self.design.amounts.numbers.sum())

    def value_and_moves(self, metric: OrdinalMetric) -> tuple[float, Moves]:
        """Return the value of a metric, and how much each sample moves it."""
        return _value_and_moves(metric, self.evidence, self.weights)

    def at_shares(self, metric: OrdinalMetric, shares: Values) -> tuple[float, Moves, Values]:
        """Return the value at other class shares, its moves, and its derivatives by the shares.

        A sample moves the value by its own weight, and since it changes the factor of its class.
        """
        sizes = self.class_counts
        factors = factors_to_shares(sizes, shares)[self.true]
        evidence = evidence_at_prevalence(self.evidence, shares)
        value, moves = _value_and_moves(metric, evidence, self.weights * factors)
        total = np.bincount(self.true, self.weights * moves.by_entry, len(sizes))
        means = divide(total, sizes)
        means[sizes == 0] = 0
        by_sample = factors * (moves.by_entry - means[self.true])
        return value, moves._replace(by_entry=by_sample), sizes.sum() * means

    def variance(self, moves: Moves) -> Spread:
        """Return the variance of a value that samples move, with its degrees of freedom."""
        by_entry, is_counted = moves
        if isinstance(self.design, SingleSamples):
            amounts = self.design.amounts
            squared = np.where(amounts.numbers > 0, amounts.squares * by_entry**2, 0).sum()
            n_units = amounts.numbers[is_counted].sum()
        else:
            drawn: DrawnSamples = self.design.drawn
            (entry,), size = drawn.entry, len(self.design.stratum)
            squared = (np.bincount(drawn.unit, drawn.weight * by_entry[entry], size) ** 2).sum()
            weights = np.bincount(drawn.unit, drawn.weight * is_counted[entry], size)
            n_units = np.count_nonzero(weights)
        degrees = float(n_units) - 1
        return Spread(squared * n_units / degrees if degrees > 0 else math.nan, degrees)


def infer_change(
    metric: OrdinalMetric, old: SampledEvidence, new: SampledEvidence, confidence_level: float
) -> Change:
    """Return the difference of a metric between old and new samples, and its parts.

    The value of the new samples at the old shares depends on both samples: the old samples decide
    the shares. Its derivatives by the weights of all samples give the standard errors of the parts.
    If the new samples lack a class of the old samples, the parts are NaN.
    """
    (old_value, old_moves), (new_value, new_moves) = (
        sample.value_and_moves(metric) for sample in (old, new)
    )
    sizes = old.class_counts
    if (
        not np.isfinite([old_value, new_value]).all()
        or ((sizes > 0) & (new.class_counts == 0)).any()
    ):
        shared_value, by_new, by_old = math.nan, new_moves, old_moves
    else:
        shared_value, by_new, by_share = new.at_shares(metric, sizes / sizes.sum())
        by_old = Moves((by_share / sizes.sum())[old.true], old_moves.is_counted)
    lowest, highest = metric.bounds(len(sizes))

    def contrast(
        estimate: float, of_new: Values, of_old: Values, *, both_vary: bool = True
    ) -> Contrast:
        spreads = (
            new.variance(new_moves._replace(by_entry=of_new)),
            old.variance(old_moves._replace(by_entry=of_old)),
        )
        return _contrast(
            estimate,
            _with_spread(*spreads) if both_vary else spreads,
            confidence_level,
            largest=highest - lowest,
        )

    difference = new_value - old_value
    rates = shared_value - old_value
    return Change(
        contrast(difference, new_moves.by_entry, -old_moves.by_entry),
        contrast(rates, by_new.by_entry, by_old.by_entry - old_moves.by_entry),
        contrast(
            difference - rates,
            new_moves.by_entry - by_new.by_entry,
            -by_old.by_entry,
            both_vary=False,
        ),
    )


def class_error_changes(
    old: SampledEvidence, new: SampledEvidence, confidence_level: float
) -> tuple[Values, list[Contrast]]:
    """Return the mean absolute error of each class, and its changes with adjusted p-values.

    Both samples are counts. The errors, (2, n_classes), are distances in positions on the scale.
    They are averages over the answered samples of the class, and NaN without any.
    """
    n_classes = len(old.class_counts)
    position = np.arange(n_classes)
    # The last column holds unanswered samples.
    distances = np.pad(np.abs(position[:, None] - position), ((0, 0), (0, 1)))
    errors = np.full((2, n_classes), np.nan)
    spreads: list[list[Spread]] = []
    for sample, by_class in zip((old, new), errors, strict=True):
        weights = sample.weights.reshape(n_classes, n_classes + 1)[:, :n_classes]
        total = weights.sum(axis=1)
        by_class[:] = divide((weights * distances[:, :n_classes]).sum(axis=1), total)
        moves = divide(distances - by_class[:, None], total[:, None])
        moves[:, n_classes] = 0
        spread = []
        for k in range(n_classes):
            is_counted = np.zeros((n_classes, n_classes + 1), dtype=np.bool_)
            is_counted[k, :n_classes] = True
            by_entry = np.where(is_counted, moves, 0).ravel()
            spread.append(sample.variance(Moves(by_entry, is_counted.ravel())))
        spreads.append(spread)
    contrasts = [
        _contrast(
            estimate,
            _with_spread(*(spread[k] for spread in spreads)),
            confidence_level,
            largest=n_classes - 1,
        )
        for k, estimate in enumerate((errors[1] - errors[0]).tolist())
    ]
    adjusted = holm_correction([contrast.pvalue for contrast in contrasts]).tolist()
    return errors, [
        replace(contrast, adjusted_pvalue=pvalue)
        for contrast, pvalue in zip(contrasts, adjusted, strict=True)
    ]


def _with_spread(first: Spread, second: Spread) -> tuple[Spread, Spread]:
    """Return the spreads of two samples, where samples that are all alike may vary too.

    If all samples of one side are right, or all are wrong, its variance is 0, although a few
    samples do not show that there are no others. Its samples are then taken to vary as the samples
    of the other side.
    """
    if first.variance <= _NO_VARIANCE < second.variance:
        return _as_varied_as(second, first), second
    if second.variance <= _NO_VARIANCE < first.variance:
        return first, _as_varied_as(first, second)
    return first, second


def _as_varied_as(varied: Spread, alike: Spread) -> Spread:
    """Return the spread of samples that are all alike if they vary as other samples do."""
    of_single_unit = varied.variance * (varied.degrees_of_freedom + 1)
    return alike._replace(variance=of_single_unit / (alike.degrees_of_freedom + 1))


def _contrast(
    estimate: float, spreads: Sequence[Spread], confidence_level: float, *, largest: float
) -> Contrast:
    """Return a contrast of independent samples, with the degrees of freedom of Welch's test."""
    total = sum(spread.variance for spread in spreads)
    by_degrees = sum(
        spread.variance**2 / spread.degrees_of_freedom for spread in spreads if spread.variance > 0
    )
    return Contrast.from_error(
        estimate,
        math.sqrt(total),
        total**2 / by_degrees if by_degrees > 0 else math.nan,
        confidence_level,
        largest=largest,
    )


def _value_and_moves(metric: OrdinalMetric, evidence: Any, weights: Values) -> tuple[float, Moves]:
    kind = metric.evidence
    by_entry = kind.entry_influences([metric], kind.accepted(evidence, metric.name))
    (value,) = replace_undefined(metric, by_entry.values).tolist()
    is_counted = by_entry.is_counted
    # Entries without samples move nothing.
    influences = np.where(is_counted & (weights > 0), by_entry.influences[0], 0)
    return value, Moves(divide(influences, weights[is_counted].sum()), is_counted)
