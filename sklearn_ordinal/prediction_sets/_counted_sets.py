"""Read prediction sets, and count pairs of a true class and a set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincinv, stdtrit

from sklearn_ordinal._core import arithmetic, checks, containers, sampling, scales
from sklearn_ordinal._core.arithmetic import Floats
from sklearn_ordinal._core.scales import IntegerArray, OrdinalScale
from sklearn_ordinal.inference._intervals import Interval

# Read prediction sets, and count pairs of a true class and a set
# ---------------------------------------------------------------

# The sets of up to this number of classes are numbered by the bits of their classes.
_MOST_BITS = 16
# Pairs are counted in an array with a cell for each possible pair if there are at most so many
# cells, or at most as many as samples.
_FEW_CELLS = 2**16
_ROWS_PER_CHUNK = 65_536
_BOUNDS = "a tuple (lower, upper) of the lowest and highest class of each set"


class SetShapes(NamedTuple):
    """What sets of classes are like, and where they lie relative to a true class."""

    lower: NDArray[np.int64]
    """Position of the lowest class; arbitrary if the set is empty."""
    upper: NDArray[np.int64]
    """Position of the highest class; arbitrary if the set is empty."""
    size: NDArray[np.int64]
    is_covered: NDArray[np.bool_]
    """Whether the set contains the true class."""
    distance: Floats
    """Number of classes from the true class to the nearest class of the set; NaN if it is empty."""


class LevelSets(Protocol):
    """The set of each sample, at one level."""

    @property
    def n_codes(self) -> int:
        """One more than the largest code."""

    def codes(self, part: slice) -> NDArray[Any]:
        """Return a number for the set of each sample that is the same for equal sets."""

    def shapes(self, codes: NDArray[np.int64], true: NDArray[np.int64]) -> SetShapes:
        """Return the shapes of the sets with these codes, relative to true classes."""

    def covered(self, true: IntegerArray) -> NDArray[np.bool_]:
        """Return whether the set of each sample contains its true class."""

    def part(self, members: NDArray[np.bool_]) -> LevelSets:
        """Return the sets of some of the samples."""


@dataclass(frozen=True, eq=False)
class MemberSets:
    """Sets as an array of booleans with a column for each class."""

    members: NDArray[np.bool_]
    # Only for many classes, the distinct sets and the position of each sample's set among them.
    distinct: NDArray[np.bool_] | None
    position: NDArray[np.int64] | None

    @classmethod
    def from_members(cls, members: NDArray[np.bool_]) -> MemberSets:
        """Number the sets."""
        n_classes = members.shape[1]
        if n_classes <= _MOST_BITS:
            return cls(members, None, None)
        packed = np.packbits(members, axis=1)
        rows = np.ascontiguousarray(packed).view(np.dtype((np.void, packed.shape[1]))).ravel()
        _, first, position = np.unique(rows, return_index=True, return_inverse=True)
        return cls(members, members[first], position.astype(np.int64))

    @property
    def n_codes(self) -> int:
        return 2 ** self.members.shape[1] if self.distinct is None else len(self.distinct)

    def codes(self, part: slice) -> NDArray[Any]:
        if self.position is not None:
            return self.position[part]
        bits: NDArray[Any] = self.members[part].view(np.uint8)
        if bits.shape[1] > 8:
            bits = bits.astype(np.uint16)
        # Shifts keep the dtype, which is as short as it can be.
        codes = bits[:, 0].copy()
        for k in range(1, bits.shape[1]):
            np.bitwise_or(codes, np.left_shift(bits[:, k], bits.dtype.type(k)), out=codes)
        return codes

    def shapes(self, codes: NDArray[np.int64], true: NDArray[np.int64]) -> SetShapes:
        n_classes = self.members.shape[1]
        positions = np.arange(n_classes)
        if self.distinct is None:
            members = (codes[:, None] >> positions & 1).astype(np.bool_)
        else:
            members = self.distinct[codes]
        size = members.sum(axis=1)
        distances = np.where(members, np.abs(positions - true[:, None]), n_classes)
        return SetShapes(
            members.argmax(axis=1),
            n_classes - 1 - members[:, ::-1].argmax(axis=1),
            size,
            members[np.arange(len(true)), true],
            np.where(size > 0, distances.min(axis=1), np.nan),
        )

    def covered(self, true: IntegerArray) -> NDArray[np.bool_]:
        covered: NDArray[np.bool_] = self.members[np.arange(len(true)), true]
        return covered

    def part(self, members: NDArray[np.bool_]) -> MemberSets:
        return MemberSets.from_members(self.members[members])


@dataclass(frozen=True, eq=False)
class BoundedSets:
    """Sets of all classes from a lower to an upper one."""

    lower: NDArray[np.int64]
    upper: NDArray[np.int64]
    n_classes: int

    @property
    def n_codes(self) -> int:
        return self.n_classes**2

    def codes(self, part: slice) -> NDArray[Any]:
        codes: NDArray[np.int64] = self.lower[part] * self.n_classes + self.upper[part]
        return codes

    def shapes(self, codes: NDArray[np.int64], true: NDArray[np.int64]) -> SetShapes:
        lower, upper = np.divmod(codes, self.n_classes)
        distance = np.maximum(np.maximum(lower - true, true - upper), 0)
        return SetShapes(
            lower, upper, upper - lower + 1, distance == 0, distance.astype(np.float64)
        )

    def covered(self, true: IntegerArray) -> NDArray[np.bool_]:
        covered: NDArray[np.bool_] = (self.lower <= true) & (true <= self.upper)
        return covered

    def part(self, members: NDArray[np.bool_]) -> BoundedSets:
        return BoundedSets(self.lower[members], self.upper[members], self.n_classes)


class CountedSets(NamedTuple):
    """The combinations of a group, a true class and a set that occur, and how often they do."""

    group: NDArray[np.int64]
    true: NDArray[np.int64]
    shapes: SetShapes
    numbers: Floats
    """Number of samples."""
    weights: Floats
    """Sum of their weights."""
    squares: Floats
    """Sum of their squared weights."""


@dataclass(frozen=True, eq=False)
class PredictionSets:
    """True classes with prediction sets at one or several levels, without samples of weight 0.

    Parameters
    ----------
    scale : OrdinalScale
        The classes.
    true : ndarray of shape (n_samples,)
        Position of each true class.
    levels : tuple of LevelSets
        The sets at each level.
    weight : ndarray of shape (n_samples,) or None
        Weight of each sample, None if each sample counts once.
    cluster : ndarray of shape (n_samples,) or None
        Cluster of each sample as an integer from 0, None if samples were drawn one by one.
    has_weight : ndarray of bool or None
        Which of the samples that were passed these are, None if they are all of them.
    """

    scale: OrdinalScale
    true: NDArray[np.intp]
    levels: tuple[LevelSets, ...]
    weight: Floats | None
    cluster: NDArray[np.int64] | None
    has_weight: NDArray[np.bool_] | None

    def counted(self, level: int, group: IntegerArray | None, n_groups: int) -> CountedSets:
        """Count the combinations at a level, given the group of each sample, if there are any."""
        sets, n_classes = self.levels[level], len(self.scale)
        n_pairs = n_classes * sets.n_codes
        n_cells = n_groups * n_pairs
        weight = self.weight

        def cells(part: slice) -> NDArray[np.int64]:
            pairs = np.multiply(self.true[part], sets.n_codes, dtype=np.int64)
            pairs += sets.codes(part)
            if group is not None:
                pairs += group[part] * n_pairs
            return pairs

        if n_cells <= max(_FEW_CELLS, len(self.true)):
            # Chunks stay in the cache.
            amounts = np.zeros((1 if weight is None else 3, n_cells))
            for part in arithmetic.slices(len(self.true), max(_ROWS_PER_CHUNK, 4 * n_cells)):
                amounts += _amounts(cells(part), None if weight is None else weight[part], n_cells)
            occurring = np.flatnonzero(amounts[0])
            amounts = amounts[:, occurring]
        else:
            occurring, position = np.unique(cells(slice(None)), return_inverse=True)
            amounts = _amounts(position, weight, len(occurring))
        numbers, weights, squares = amounts if len(amounts) == 3 else np.repeat(amounts, 3, axis=0)
        group_of_cell, pairs = np.divmod(occurring, n_pairs)
        true, codes = np.divmod(pairs, sets.n_codes)
        return CountedSets(group_of_cell, true, sets.shapes(codes, true), numbers, weights, squares)


def _amounts(cells: NDArray[np.int64], weight: Floats | None, n_cells: int) -> Any:
    """Return the number of samples in each cell, with weights also the sums and sums of squares."""
    numbers = np.bincount(cells, minlength=n_cells)
    if weight is None:
        return numbers[None]
    return np.stack(
        [numbers, np.bincount(cells, weight, n_cells), np.bincount(cells, weight**2, n_cells)]
    )


def read_prediction_sets(
    y_true: ArrayLike,
    sets: Any,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    by: Any = None,
) -> PredictionSets:
    """Read true classes, and sets as memberships or as a tuple of lower and upper classes.

    For groups, the only check is that their samples are in the same order.
    """
    per_sample = {"sample_weight": sample_weight, "clusters": clusters, "by": by}
    levels: tuple[LevelSets, ...]
    if isinstance(sets, tuple):
        scale, true, bounded = _read_bounds(y_true, sets, labels, per_sample)
        levels = (bounded,)
    else:
        scale, true, levels = _read_memberships(y_true, sets, labels, per_sample)
    weight = cluster = has_weight = None
    if clusters is not None:
        cluster = scales.encode_groups(clusters, len(true), "clusters")
    if sample_weight is not None:
        weight = checks.check_sample_weight(sample_weight, len(true))
        has_weight = weight > 0
        true, weight = true[has_weight], weight[has_weight]
        levels = tuple(level.part(has_weight) for level in levels)
        cluster = None if cluster is None else cluster[has_weight]
    return PredictionSets(scale, true, levels, weight, cluster, has_weight)


def _read_bounds(
    y_true: Any, sets: tuple[Any, ...], labels: Any, per_sample: dict[str, Any]
) -> tuple[OrdinalScale, NDArray[np.intp], BoundedSets]:
    if len(sets) != 2:
        raise ValueError(
            f"sets must be an array of memberships, or {_BOUNDS}, got a tuple of {len(sets)} items."
        )
    shapes: list[tuple[int, ...]] = [getattr(bound, "shape", ()) for bound in sets]
    if any(len(shape) > 1 and shape[1] > 1 for shape in shapes):
        raise ValueError(
            f"sets must be {_BOUNDS}, got a tuple of arrays of shape {shapes[0]} and {shapes[1]}: "
            f"pass memberships without the tuple, such as sets[1] of what MAPIE returns."
        )
    columns = {"y_true": y_true, "sets[0]": sets[0], "sets[1]": sets[1]}
    scale, (true, lower, upper) = scales.encode(columns, labels, **per_sample).on_scale()
    is_swapped = lower > upper
    if is_swapped.any():
        row = int(is_swapped.argmax())
        bounds = checks.listed(scale.labels[[lower[row], upper[row]]])
        raise ValueError(
            f"sets must have no lower class above the upper class, got {bounds} for sample {row}: "
            f"pass (lower, upper), or memberships if sets may be empty."
        )
    return scale, true, BoundedSets(lower.astype(np.int64), upper.astype(np.int64), len(scale))


def _read_memberships(
    y_true: Any, sets: Any, labels: Any, per_sample: dict[str, Any]
) -> tuple[OrdinalScale, NDArray[np.intp], tuple[MemberSets, ...]]:
    containers.check_same_order({"y_true": y_true, "sets": sets})
    containers.check_no_evidence(sets, "sets")
    _check_no_lists_of_classes(sets)
    members = checks.as_numbers("sets", sets)
    if members.ndim not in (2, 3) or not all(members.shape[1:]):
        raise ValueError(
            f"sets must have shape (n_samples, n_classes) or (n_samples, n_classes, n_levels), or "
            f"be {_BOUNDS}, got shape {members.shape}."
        )
    encoded = scales.encode({"y_true": y_true}, labels, **per_sample)
    scale, (true,) = encoded.on_scale()
    scales.check_same_length({"y_true": len(true), "sets": len(members)})
    if members.shape[1] != len(scale):
        source = " in y_true" if encoded.scale is None else ""
        way_out = "pass labels= with all classes from the lowest to the highest"
        if members.shape[1] == 2:
            way_out += f", or {_BOUNDS}"
        raise ValueError(
            f"sets must have a column for each of the {len(scale)} classes "
            f"{checks.listed(scale.labels)}{source}, got {members.shape[1]} columns: {way_out}."
        )
    sampling.check_column_names(
        "sets", sets, scale.labels.tolist(), "the classes, from the lowest,"
    )
    members = _booleans(members)
    if members.ndim == 2:
        members = members[:, :, None]
    return (
        scale,
        true,
        tuple(MemberSets.from_members(level) for level in np.moveaxis(members, 2, 0)),
    )


def _check_no_lists_of_classes(sets: Any) -> None:
    """Raise for a list of the classes of each sample, such as crepes returns."""
    rows = sets if isinstance(sets, list) else []
    lengths = {len(row) for row in rows if isinstance(row, (list, tuple, np.ndarray))}
    are_sets = any(isinstance(row, (set, frozenset)) for row in rows)
    if are_sets or len(lengths) > 1:
        finding = "sets of classes" if are_sets else "rows of different lengths"
        raise ValueError(
            f"sets must have a column for each class, got {finding}: pass for each class whether "
            f"it is in the set, or {_BOUNDS}."
        )


def _booleans(members: NDArray[Any]) -> NDArray[np.bool_]:
    """Return memberships as booleans, or raise an error that names the first other number."""
    if members.dtype == np.bool_:
        return members
    is_member: NDArray[np.bool_] = members == 1
    is_odd = ~(is_member | (members == 0))
    if is_odd.any():
        raise ValueError(
            f"sets must hold booleans, or 0 and 1, got {checks.shown(members[is_odd][0].item())}: "
            f"for classes, pass {_BOUNDS}."
        )
    return is_member


# Intervals of shares of samples, from the beta distribution
# ----------------------------------------------------------


class Shares(NamedTuple):
    """Shares of the samples of several groups, and what their intervals need."""

    share: Floats
    """The shares, NaN for groups without samples."""
    n_samples: Floats
    n_units: Floats
    """Number of samples, or of clusters, that were drawn."""
    squared_deviations: Floats
    """Sum over the units of the squared sum of weights times deviations from the share."""
    weight: Floats
    squared_weights: Floats
    """Sum over the units of the squared weight."""
    is_clustered: bool

    def rows(self, part: slice) -> Shares:
        """Return some of the shares."""
        return Shares(
            self.share[part],
            self.n_samples[part],
            self.n_units[part],
            self.squared_deviations[part],
            self.weight[part],
            self.squared_weights[part],
            self.is_clustered,
        )


def share_intervals(shares: Shares, confidence_level: float) -> list[Interval]:
    """Return the interval of each share.

    For samples of equal weight, drawn one by one, the intervals are those of Clopper and Pearson
    (1934), which hold for any share and number of samples. Otherwise, the number of samples is
    replaced by the effective number of Korn and Graubard (1998).
    """
    low, high = _ends(shares, confidence_level)
    return [
        Interval(*numbers, confidence_level, method="beta")
        for numbers in zip(shares.share.tolist(), low.tolist(), high.tolist(), strict=True)
    ]


def smallest_share_interval(shares: Shares, confidence_level: float) -> Interval:
    """Return the interval of the smallest of several shares.

    If simultaneous intervals contain all shares, the smallest share is between their smallest
    lower end and their smallest upper end. The level of each is that of Sidak (1967).
    """
    share = shares.share[~np.isnan(shares.share)]
    low, high = _ends(shares, confidence_level ** (1 / len(share)))
    return Interval(
        float(share.min()),
        float(np.nanmin(low)),
        float(np.nanmin(high)),
        confidence_level,
        method="simultaneous beta",
    )


def _ends(shares: Shares, level: float) -> tuple[Floats, Floats]:
    number = _effective_numbers(shares, level)
    n_covered = shares.share * number
    n_other = number - n_covered
    with np.errstate(invalid="ignore"):
        low = betaincinv(n_covered, n_other + 1, (1 - level) / 2)
        high = betaincinv(n_covered + 1, n_other, (1 + level) / 2)
    # The beta distribution is not defined at the ends.
    low, high = np.where(n_covered <= 0, 0.0, low), np.where(n_other <= 0, 1.0, high)
    is_undefined = np.isnan(shares.share)
    return np.where(is_undefined, np.nan, low), np.where(is_undefined, np.nan, high)


def _effective_numbers(shares: Shares, level: float) -> Floats:
    """Return the numbers of samples of equal weight that say as much about the shares."""
    share, n_samples, n_units = shares.share, shares.n_samples, shares.n_units
    correction = arithmetic.divide(n_units, n_units - 1) * arithmetic.divide(
        n_samples - 1, n_samples
    )
    variances = correction * shares.squared_deviations / shares.weight**2
    # If all samples of a group are alike, each cluster counts as one sample.
    numbers = np.where(
        (share > 0) & (share < 1) & (variances > 0),
        arithmetic.divide(share * (1 - share), variances),
        arithmetic.divide(shares.weight**2, shares.squared_weights),
    )
    if shares.is_clustered:
        # The variance is estimated from few clusters. A single cluster does not show it at all.
        quantiles = [stdtrit(np.maximum(n - 1, 1), (1 + level) / 2) for n in (n_samples, n_units)]
        numbers = np.where(n_units > 1, numbers * arithmetic.divide(*quantiles) ** 2, 0)
    limited: Floats = np.minimum(numbers, n_samples)
    return limited
