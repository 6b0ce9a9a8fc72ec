"""The jackknife of counts of groups, in time that is linear in the number of groups."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from sklearn_ordinal._core import OrdinalConfusion, OrdinalMetric, Values, divide, slices
from sklearn_ordinal.inference._bootstrap import JACKKNIFE_ROUNDING, accelerations_of
from sklearn_ordinal.inference._groups import GroupedUnits
from sklearn_ordinal.metrics import group_metric, weighted_values

# Step of a class size, relative to the size. The error of the central difference of fourth order is
# about this number to the power of 4.
_STEP = 1e-3
_OFFSETS = np.array([-2.0, -1.0, 1.0, 2.0])
_WEIGHTS_OF_OFFSETS = np.array([1.0, -8.0, 8.0, -1.0]) / 12
_CELLS_PER_STACK = 2**16
_NUMBERS_PER_PART = 2**20


# The difference of infinite losses, which a user's metric may return, is undefined.
@np.errstate(invalid="ignore")
def group_accelerations(
    metric: OrdinalMetric,
    units: GroupedUnits,
    estimates: Values,
    prevalence: NDArray[np.float64] | None,
) -> Values:
    """Return the accelerations of the values of all samples and of each group: (1 + n_groups,).

    A unit that is left out changes the value of its group. If the class sizes of all groups are the
    reference of the metric, it changes the values of the other groups by about the derivative by
    these sizes, so that the number of matrices does not grow with the square of the number of
    groups.

    Parameters
    ----------
    metric : OrdinalMetric
        Metric of counts.
    units : GroupedUnits
        Samples or clusters of all groups.
    estimates : ndarray of shape (1 + n_groups,)
        The value of all samples, and of each group.
    prevalence : ndarray of shape (n_classes,) or None
        Shares of the true classes to which all groups are weighted.
    """
    groups = units.confusion()
    sizes, values = units.sizes.astype(np.float64), estimates[1:]
    n_groups, n_classes = groups.counts.shape[:2]
    kind, group, tables = _parts(units)
    counts = (units.units.tables @ units.sizes).reshape(n_groups, -1)
    whole = _sums(kind, len(sizes)) @ tables
    by_class = whole @ np.repeat(np.eye(n_classes), counts.shape[1] // n_classes, axis=0)
    total, total_sizes = counts.sum(axis=0), groups.class_counts.sum(axis=0)
    of_all, of_groups = np.empty(len(sizes)), np.empty(len(group))
    for part in slices(len(sizes), _CELLS_PER_STACK // len(total)):
        # Rounding may leave slightly negative counts.
        stack = units.units.layout.stacked(np.maximum(total - whole[part].toarray(), 0).T)
        of_all[part] = weighted_values(metric, stack, prevalence)[0]
    for part in slices(len(group), _CELLS_PER_STACK // len(total)):
        rest = np.maximum(counts[group[part]] - tables[part].toarray(), 0)
        of_metric = group_metric(metric, total_sizes - by_class[kind[part]], prevalence)
        of_groups[part] = weighted_values(
            of_metric, units.units.layout.stacked(rest.T), prevalence
        )[0]
    overall = accelerations_of(of_all[None, None], units.sizes)
    changes = of_groups - values[group]
    is_known = np.isfinite(changes)
    number, change = sizes[kind] * is_known, np.where(is_known, changes, 0)
    slopes = reference_slopes(metric, groups, prevalence)
    # Units without which a group has no value are left out.
    n_units = sizes.sum() - np.bincount(group, sizes[kind] * ~is_known, n_groups)
    n_others = sizes.sum() - np.bincount(group, sizes[kind], n_groups)
    sums = np.bincount(group, number * change, n_groups)
    # A unit of another group that is left out lowers the class sizes.
    own_sizes = _sums(group, n_groups) @ (sizes[kind, None] * by_class[kind])
    sums -= ((sizes @ by_class - own_sizes) * slopes).sum(axis=1)
    means = divide(sums, n_units)
    rounding = JACKKNIFE_ROUNDING * np.abs(values)

    def deviations(differences: Values, margins: Values) -> Values:
        return np.where(np.abs(differences) > margins, differences, 0)

    of_own = deviations(means[group] - change, rounding[group])
    squares: Values = np.bincount(group, number * of_own**2, n_groups).astype(np.float64)
    cubes: Values = np.bincount(group, number * of_own**3, n_groups).astype(np.float64)
    if slopes.any():
        for part in slices(n_groups, _NUMBERS_PER_PART // len(sizes)):
            of_others = deviations(
                means[part, None] + slopes[part] @ by_class.T, rounding[part, None]
            )
            is_here = (group >= part.start) & (group < part.stop)
            of_others[group[is_here] - part.start, kind[is_here]] = 0
            squares[part] += of_others**2 @ sizes
            cubes[part] += of_others**3 @ sizes
    else:
        of_others = deviations(means, rounding)
        squares += n_others * of_others**2
        cubes += n_others * of_others**3
    skewness = np.where(squares > 0, cubes / np.where(squares > 0, squares, 1) ** 1.5, 0)
    accelerations: Values = np.r_[overall, np.where(np.isfinite(values), skewness / 6, 0)]
    return accelerations


def _parts(units: GroupedUnits) -> tuple[NDArray[np.intp], NDArray[np.intp], Any]:
    """Return each kind and group that have samples in common, and the counts of these samples.

    The counts are a sparse array of shape (n_parts, K * n_columns).
    """
    n_groups, n_cells = len(units.of_kinds), units.tables.shape[0]
    entries = units.units.tables.tocoo()
    pairs, part = np.unique(entries.col * n_groups + entries.row // n_cells, return_inverse=True)
    cells = part, entries.row % n_cells
    tables = csr_array((entries.data, cells), shape=(len(pairs), n_cells))
    return pairs // n_groups, pairs % n_groups, tables


def _sums(position: NDArray[np.intp], n_sums: int) -> Any:
    """Return a sparse array (n_sums, n) that adds up rows with equal positions."""
    ones, columns = np.ones(len(position)), np.arange(len(position))
    return csr_array((ones, (position, columns)), shape=(n_sums, len(position)))


def reference_slopes(
    metric: OrdinalMetric, groups: OrdinalConfusion, prevalence: NDArray[np.float64] | None
) -> Values:
    """Return the derivatives of the values of groups by the class sizes of all groups.

    They have shape (n_groups, n_classes), and are 0 unless these sizes are the reference of the
    metric.
    """
    n_groups, n_classes = groups.counts.shape[:2]
    slopes, sizes = np.zeros((n_groups, n_classes)), groups.class_counts.sum(axis=0)
    if groups.has_fixed_shares or group_metric(metric, sizes, prevalence) is metric:
        return slopes
    occurs = np.flatnonzero(sizes)
    step = _STEP * sizes[occurs]
    moved = np.tile(sizes, (len(occurs), len(_OFFSETS), 1))
    moved[np.arange(len(occurs)), :, occurs] += step[:, None] * _OFFSETS
    moved = moved.reshape(-1, n_classes)

    def repeated(amounts: Any) -> Any:
        return None if amounts is None else np.repeat(amounts[:, None], len(moved), axis=1)

    stack = OrdinalConfusion(
        groups.scale,
        repeated(groups.counts),
        groups.is_weighted,
        repeated(groups.unanswered),
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.asarray(group_metric(metric, moved, prevalence)(stack))
    by_class = values.reshape(n_groups, len(occurs), len(_OFFSETS)) @ _WEIGHTS_OF_OFFSETS
    slopes[:, occurs] = np.nan_to_num(by_class / step)
    return slopes
