"""The spread of the influences of the samples in a pilot, which decides how many are needed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from sklearn_ordinal._core import (
    LABELS,
    CountLayout,
    Kind,
    OrdinalConfusion,
    OrdinalMetric,
    OrdinalScale,
    Units,
    Values,
    cell_amounts,
    check_has_items,
    factors_to_shares,
    kind_tables,
    n_unanswered,
    own_kind,
    samples_counted_in,
    shown,
    slices,
    system_units,
    systems_on_the_same_samples,
    within_classes,
)
from sklearn_ordinal._documents import plural

StudyDesign = Literal["paired", "unpaired"]

# A smaller standard deviation is the rounding error of influences that are all equal.
_ROUNDING = 1e-10
# Shares that add up to 1 may be rounded.
_ROUNDING_OF_SHARES = 1e-6
_NUMBERS_AT_ONCE = 2**20


class PilotSpread(NamedTuple):
    """The standard deviation of what a sample of a pilot adds to a value, or to a difference."""

    deviation: float
    resampled: Values
    """The same for pilots of the same size that are drawn from the samples of this pilot."""
    n_units: tuple[int, ...]
    """Number of samples, or of clusters, of each part of the pilot; empty if it has shares."""
    scale: OrdinalScale
    is_clustered: bool


class _Rows(NamedTuple):
    """Samples with probabilities or scores that were drawn independently of other parts."""

    moved: Values
    """What each sample, or each cluster, adds to the value or to the difference."""

    @property
    def n_units(self) -> int:
        return len(self.moved)

    def variance(self, metric: OrdinalMetric) -> float:  # noqa: ARG002
        """Return the variance of what a unit adds, times the squared number of units."""
        return float(self.n_units * (self.moved**2).sum())

    def resampled(
        self,
        metric: OrdinalMetric,  # noqa: ARG002
        rng: np.random.Generator,
        n_resamples: int,
    ) -> Values:
        """Return the variances in resamples, with the influences in the pilot."""
        n_units = self.n_units
        equal, variances = np.full(n_units, 1 / n_units), np.empty(n_resamples)
        for part in slices(n_resamples, _NUMBERS_AT_ONCE // n_units):
            times = rng.multinomial(n_units, equal, part.stop - part.start)
            squares, sums = times @ self.moved**2, times @ self.moved
            variances[part] = n_units * np.maximum(squares - sums**2 / n_units, 0)
        return variances


class _Counts(NamedTuple):
    """Units in cells of counts that were drawn independently of other parts, by kind."""

    units: Units[CountLayout]
    numbers: Values
    """Number, or share, of the units of each kind."""
    weight_spread: Values
    """Mean squared weight of the samples of each kind, divided by the square of their mean."""
    shares: Values | None = None
    """Shares that the true classes have in each pilot, None if they vary with the samples."""
    is_drawn: bool = True
    """Whether these are numbers, so that a pilot of the same size can be drawn."""

    @property
    def n_units(self) -> int:
        return self.units.n_units if self.is_drawn else 0

    def variance(self, metric: OrdinalMetric) -> float:
        """Return the variance of what a unit adds, times the squared number of units."""
        return float(_variances(metric, self, self.numbers)[0])

    def resampled(
        self, metric: OrdinalMetric, rng: np.random.Generator, n_resamples: int
    ) -> Values:
        """Return the variances in resamples, each with its own influences."""
        return np.concatenate(
            [
                _variances(metric, self, numbers.astype(np.float64))
                for numbers in self.units.drawn(rng, n_resamples)
            ]
        )


def pilot_spread(
    pilot: Any,
    metric: OrdinalMetric,
    design: StudyDesign,
    rng: np.random.Generator,
    n_resamples: int,
    *,
    is_difference: bool,
) -> PilotSpread:
    """Return the spread of the value of a system, or of the difference of two systems.

    The standard error of the value or difference is the standard deviation divided by the square
    root of the number of samples.
    """
    if metric.has_influence is False:
        raise ValueError(
            f"metric must have an influence of each sample, which {metric.name} does not have: "
            f"choose another one, such as 'cem_ord' or 'ranked_probability_score'."
        )
    # The parts of a pilot were drawn independently of each other.
    parts: Sequence[_Counts | _Rows]
    if metric.evidence is LABELS:
        _check_counts(pilot)
        evidence: list[Any] = _matrices(pilot, design, is_difference=is_difference)
        parts = [_pilot_counts(part) for part in evidence]
    else:
        evidence = _systems(pilot, metric, design, is_difference=is_difference)
        are_paired = is_difference and design == "paired"
        systems = [evidence] if are_paired else [[system] for system in evidence]
        parts = [_pilot_rows(metric, of_part) for of_part in systems]
    # A single part stands for both systems of an unpaired comparison.
    n_systems = 2 if is_difference and design == "unpaired" else 1
    factor = n_systems / len(parts)
    deviation = math.sqrt(factor * sum(part.variance(metric) for part in parts))
    _check_deviation(deviation, metric, evidence, design, is_difference=is_difference)
    resampled, n_units = np.empty(0), tuple(part.n_units for part in parts)
    if all(n_units):
        variances = [part.resampled(metric, rng, n_resamples) for part in parts]
        resampled = np.sqrt(factor * np.sum(variances, axis=0))
    return PilotSpread(
        deviation,
        resampled,
        n_units if all(n_units) else (),
        evidence[0].scale,
        _kind(evidence[0]).is_clustered(evidence[0]),
    )


def _kind(evidence: Any) -> Kind:
    kind = own_kind(evidence)
    assert kind is not None
    return kind


def _check_counts(pilot: Any) -> None:
    if own_kind(pilot) is not LABELS:
        raise ValueError(
            f"pilot must be an OrdinalConfusion, got {shown(pilot)}: make one with "
            f"OrdinalConfusion.from_systems for two systems, or with from_predictions for one."
        )
    check_has_items(pilot, "pilot")
    _check_classes(pilot)


def _check_classes(evidence: Any) -> None:
    if len(evidence.scale) < 2:
        (label,) = evidence.scale.labels.tolist()
        raise ValueError(
            f"pilot must have at least two classes, got only the class {shown(label)}: pass "
            f"labels= with all classes when you read the samples."
        )


def _systems(
    pilot: Any, metric: OrdinalMetric, design: StudyDesign, *, is_difference: bool
) -> list[Any]:
    """Return the probabilities or scores of one system, or of two."""
    systems: Any = list(pilot.values()) if isinstance(pilot, Mapping) else pilot
    if not isinstance(systems, (list, tuple)):
        systems = [systems]
    if not systems or not all(isinstance(s, metric.evidence.accepts) for s in systems):
        raise ValueError(
            f"pilot must hold {metric.evidence.noun} for {metric.name}, got {shown(pilot)}: pass "
            f"evidence such as OrdinalForecasts, or a dict of two for two systems."
        )
    n_needed = {1} if not is_difference else {2} if design == "paired" else {1, 2}
    if len(systems) not in n_needed:
        numbers = " or ".join(map(str, sorted(n_needed)))
        aim = f"design={design!r}" if is_difference else "half_width"
        ways_out = {1: "one alone", 2: "two in a dict by their names"}
        raise ValueError(
            f"pilot must hold the evidence of {numbers} {plural(max(n_needed), 'system')} for "
            f"{aim}, got {len(systems)}: pass {' or '.join(ways_out[n] for n in sorted(n_needed))}."
        )
    for system in systems:
        _check_classes(system)
        _kind(system).check_one(system)
        _check_n_samples(int(np.count_nonzero(system.weights)))
    if is_difference and design == "paired":
        systems = systems_on_the_same_samples(systems, [metric])
    return list(systems)


def _pilot_rows(metric: OrdinalMetric, systems: Sequence[Any]) -> _Rows:
    """Return what each sample, or cluster, adds to the value, or to the difference of two."""
    kind = metric.evidence
    drawn = kind.drawn(systems)
    n_units = drawn.count_units()
    shares = drawn.weight / drawn.weight.sum()
    moved = np.zeros(len(shares))
    for sign, system, entry in zip((1, -1), systems, drawn.entry, strict=False):
        by_entry = kind.entry_influences([metric], kind.accepted(system, metric.name))
        moved += sign * shares * by_entry.influences[0][entry]
    return _Rows(np.bincount(drawn.unit, moved, n_units).astype(np.float64))


def _matrices(
    pilot: OrdinalConfusion, design: StudyDesign, *, is_difference: bool
) -> list[OrdinalConfusion]:
    """Return the parts of a pilot of counts that were drawn independently of each other."""
    n_matrices = 0 if pilot.counts.ndim == 2 else int(np.prod(pilot.counts.shape[:-2]))
    got = f"a stack of {n_matrices}" if n_matrices else "one confusion matrix"
    names = pilot.groups or range(n_matrices)
    take_one = f"take one, as in pilot[{shown(names[0])}]" if n_matrices else ""
    if not is_difference:
        if n_matrices:
            raise ValueError(
                f"pilot must be one confusion matrix for half_width, which is of the interval of "
                f"one system, got {got}: {take_one}."
            )
        return [pilot]
    if design == "paired":
        if n_matrices != 2 or not pilot.has_systems:
            why = "" if pilot.has_systems else ", which does not show on which samples they differ"
            raise ValueError(
                f"pilot must hold two systems that are counted together for design='paired', got "
                f"{got}{why}: pass what OrdinalConfusion.from_systems returns for two systems, or "
                f"design='unpaired'."
            )
        if samples_counted_in(pilot) is None:
            raise ValueError(
                "pilot must hold the samples of the two systems for design='paired', which sums, "
                "stacks and files do not: pass what OrdinalConfusion.from_systems returns."
            )
        return [pilot]
    if not n_matrices:
        return [pilot]
    if n_matrices != 2:
        raise ValueError(
            f"pilot must be one confusion matrix or a stack of two for design='unpaired', got "
            f"{got}: {take_one}."
        )
    return [pilot[name] for name in names]


def _pilot_counts(part: OrdinalConfusion) -> _Counts:
    """Return the samples, or clusters, of one part of a pilot."""
    if part.is_clustered or part.counts.ndim > 2:
        samples = samples_counted_in(part)
        if samples is not None:
            _check_n_samples(len(samples.weight))
        units = system_units(part)
        numbers = units.sizes[:, None].astype(np.float64)
        return _Counts(units, numbers, np.ones_like(numbers), _fixed_shares(part))
    amounts = cell_amounts(part)
    if amounts is not None:
        _check_n_samples(int(amounts[1].sum()))
        return _cells(part, *amounts)
    total = part.counts.sum() + n_unanswered(part)
    if abs(total - 1) > _ROUNDING_OF_SHARES:
        raise ValueError(
            f"pilot must hold numbers of samples, or weights with sample_counts and "
            f"squared_weights, or shares that add up to 1, got sums of weights that add up to "
            f"{total:g}: count the samples with OrdinalConfusion.from_predictions, or divide "
            f"expected counts by their sum."
        )
    unanswered = np.zeros(len(part.scale)) if part.unanswered is None else part.unanswered
    shares = np.c_[part.counts, unanswered]
    return _cells(part, shares, shares, shares)._replace(is_drawn=False)


def _check_n_samples(n_samples: int) -> None:
    if n_samples < 2:
        raise ValueError(
            f"pilot must have at least two samples of positive weight, got {n_samples}: collect "
            f"more samples, or pass expected shares that add up to 1."
        )


def _cells(part: OrdinalConfusion, weights: Values, numbers: Values, squares: Values) -> _Counts:
    """Return the samples in the cells of one matrix, the last column for unanswered samples."""
    n_columns = len(part.scale) + (part.unanswered is not None)
    weight, number, square = (
        amounts[..., :n_columns].ravel() for amounts in (weights, numbers, squares)
    )
    cells = np.flatnonzero(number)
    n_cells, weight, number, square = len(number), weight[cells], number[cells], square[cells]
    units = Units(
        number.astype(np.int64),
        kind_tables(cells[None], weight / number, np.arange(len(cells)), n_cells),
        CountLayout(part.scale, part.is_weighted, part.unanswered is not None),
    )
    return _Counts(
        units,
        number[:, None],
        (square * number / weight**2)[:, None],
        _fixed_shares(part),
    )


def _fixed_shares(part: OrdinalConfusion) -> Values | None:
    """Return the shares of the true classes, None unless they are fixed."""
    if not part.has_fixed_shares:
        return None
    # All systems have the same true classes.
    sizes = part.class_counts.reshape(-1, len(part.scale))[0]
    shares: Values = sizes / sizes.sum()
    return shares


def _variances(metric: OrdinalMetric, part: _Counts, numbers: Values) -> Values:
    """Return the variance of what a unit adds to the value, or to the difference of two systems.

    There is a variance for each column of `numbers`, the number of units of each kind.
    """
    units, n_units = part.units, numbers.sum(axis=0)
    n_classes, n_draws = len(units.layout.scale), numbers.shape[1]
    stacks = units.layout.evidence(units.tables @ numbers)
    n_cells = units.tables.shape[0] // len(stacks)
    moved = np.zeros((len(numbers), n_draws))
    for position, stack in enumerate(stacks):
        if part.shares is not None:
            factors = factors_to_shares(stack.class_counts, part.shares)
            stack = stack.weighted_by_class(factors)
        influence = metric.evidence.influence(metric, stack)
        counted, by_cell = stack.counts, influence.cells
        if influence.unanswered is not None:
            assert stack.unanswered is not None
            counted = np.concatenate([counted, stack.unanswered[..., None]], axis=-1)
            by_cell = np.concatenate([by_cell, influence.unanswered[..., None]], axis=-1)
        total = counted.sum(axis=(-2, -1), keepdims=True)
        # Cells without samples may have no influence. Unanswered samples that are not counted
        # do not move the value.
        of_cells = np.zeros((n_draws, n_classes, n_cells // n_classes))
        of_cells[..., : counted.shape[-1]] = np.where(counted > 0, by_cell, 0) / total
        if part.shares is not None:
            weights = stack.counts
            if stack.unanswered is not None:
                weights = np.concatenate([weights, stack.unanswered[..., None]], axis=-1)
            within = within_classes(
                of_cells.reshape(n_draws, -1), weights.reshape(n_draws, -1), n_classes
            )
            of_cells = factors[..., None] * within.reshape(of_cells.shape)
        table = units.tables[position * n_cells : (position + 1) * n_cells]
        sign = 1 if position == 0 else -1
        moved += sign * (table.T @ of_cells.reshape(n_draws, n_cells).T)
    variances: Values = n_units * (numbers * part.weight_spread * moved**2).sum(axis=0)
    return variances


def _check_deviation(
    deviation: float,
    metric: OrdinalMetric,
    evidence: Sequence[Any],
    design: StudyDesign,
    *,
    is_difference: bool,
) -> None:
    """Raise unless the pilot shows how much the samples vary."""
    if np.isnan(deviation):
        values = [np.asarray(metric(part)) for part in evidence]
        reason = "has no derivative for the pilot, as at a tie of classes"
        if not all(np.isfinite(value).all() for value in values):
            reason = "is undefined for the pilot"
        raise ValueError(
            f"metric must have an influence of each sample, but {metric.name} {reason}: choose "
            f"another criterion, or a larger pilot."
        )
    if deviation > _ROUNDING:
        return
    are_paired = is_difference and design == "paired"
    finding = (
        f"got systems whose {metric.name} no sample makes differ"
        if are_paired
        else f"got one in which all samples have the same influence on {metric.name}"
    )
    condition = "samples on which the systems differ" if are_paired else "errors"
    raise ValueError(
        f"pilot must have {condition}, {finding}, which does not show how often they occur: "
        f"collect more samples, or pass expected shares."
    )
