"""How much one more sample moves a metric; what evidence and criteria have in common.

The entries of a confusion matrix are its cells in the order of the rows, with a last column for the
unanswered samples. All other evidence has an entry for each sample.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from sklearn_ordinal._core import arithmetic, checks, tolerances
from sklearn_ordinal._core.arithmetic import Counts, Floats, Statistic, Values
from sklearn_ordinal._core.scales import IntegerArray, OrdinalScale

# The interfaces of evidence and metrics
# --------------------------------------


class Evidence(Protocol):
    """The data that a metric is computed from, on a scale; or a stack of such data.

    The kind determines what else can be done with evidence. Units of samples need the `weights`
    and `reweighted` of the samples, and a prevalence needs `class_counts` and
    `weighted_by_class`.
    """

    @property
    def scale(self) -> OrdinalScale:
        """The classes."""

    @property
    def is_weighted(self) -> bool:
        """Whether samples have weights."""

    @property
    def n_samples(self) -> Any:
        """Number of samples, None if it is not known."""


class Criterion(Protocol):
    """The attributes of a metric that kinds and resampling units need."""

    @property
    def name(self) -> str:
        """Name in messages."""

    @property
    def evidence(self) -> Any:
        """The kind of evidence that the metric is a function of."""

    @property
    def statistic(self) -> Statistic:
        """Function that the kind calls with its evidence."""

    @property
    def gradient(self) -> Callable[..., Any] | None:
        """Function that returns the derivatives of the statistic, if there is one."""

    def counted_cells(self, n_classes: int) -> NDArray[np.bool_] | None:
        """Return in which cells the samples are that the value is a share of, None for all."""

    @property
    def exchangeable(self) -> bool | None:
        """Whether exchanging two grades of the same item changes nothing; None if unknown."""

    @property
    def needs_complete_items(self) -> bool | None:
        """Whether items that some raters do not grade are left out; None if unknown."""

    @property
    def needs_pairable_items(self) -> bool | None:
        """Whether items with a single grade are left out; None if unknown."""

    @property
    def function(self) -> Callable[..., Any] | None:
        """The public function, or the function of another package."""

    @property
    def options(self) -> Mapping[str, Any]:
        """Fixed options of the function."""

    @property
    def scorer(self) -> Callable[[Any, Any, Any], float] | None:
        """Function of a fitted estimator, samples and true classes, if there is one."""

    def __call__(self, evidence: Evidence) -> Any:
        """Return the value for evidence."""


# The entries of evidence: the cells of counts, or the samples with probabilities or scores
# -----------------------------------------------------------------------------------------


class EntryInfluences(NamedTuple):
    """The values of metrics of some evidence, and the influence of each entry of the evidence."""

    values: Values
    """Of shape (n_metrics, ...), NaN where undefined."""
    influences: Values
    """Of shape (n_metrics, ..., n_entries), NaN where a value has no derivative.

    Entries without samples have no weight, whatever their influence is.
    """
    is_counted: NDArray[np.bool_]
    """Of shape (n_entries,): whether the metrics count the samples of the entry."""


class EntryAmounts(NamedTuple):
    """The samples in each entry, by sums of powers of their weights: each (..., n_entries)."""

    numbers: Values
    """Number of samples of positive weight."""
    weights: Values
    squares: Values
    fourths: Values
    """NaN where only the other sums are known."""

    @classmethod
    def of_weights(cls, weights: Values) -> EntryAmounts:
        """Return the sums for entries of one sample each, given their weights."""
        numbers = (weights > 0).astype(np.float64)
        with np.errstate(over="ignore", under="ignore"):
            squares = weights**2
            return cls(numbers, weights, squares, squares**2)


class DrawnSamples(NamedTuple):
    """The samples of positive weight, and the units that they were drawn with."""

    entry: NDArray[np.intp]
    """Entry of each sample in the evidence of each system: (n_systems, n_samples)."""
    weight: Values
    """Weight of each sample; or there are several samples in each row, with their total weight."""
    cluster: NDArray[np.intp] | None
    """Cluster of each sample as an integer from 0, None if samples were drawn one by one."""
    has_weight: NDArray[np.bool_]
    """Of shape (n_samples_in_all,): which of all samples have a positive weight."""
    stratum: NDArray[np.integer] | None = None
    """Stratum of each sample as an integer, None if all units are one random sample."""

    @property
    def unit(self) -> NDArray[np.intp]:
        """The unit that each sample was drawn with, as an integer from 0."""
        return np.arange(len(self.weight)) if self.cluster is None else self.cluster

    def count_units(self) -> int:
        """Return the number of units, or raise if there are fewer than two."""
        n_units = int(self.unit.max(initial=-1)) + 1
        checks.check_n_units("y_true" if self.cluster is None else "clusters", n_units)
        return n_units


class SortedUnits:
    """Units, numbered such that those of an independent sample of a given size stand together.

    Parameters
    ----------
    unit : ndarray of shape (n_rows,)
        Unit of each row, as an integer from 0.
    sample : ndarray of shape (n_rows,), default=None
        Sample of each row as an integer from 0, such as its stratum; the same in all rows of a
        unit. If None, all units are one sample, and keep their numbers.

    Attributes
    ----------
    of_row : ndarray of shape (n_rows,)
        The new number of the unit of each row.
    unit : ndarray of shape (n_units,)
        The units in the order of the new numbers.
    sample : ndarray of shape (n_units,) or None
        The sample of each unit, in ascending order.
    starts : ndarray of shape (n_samples,) or None
        The first unit of each sample.
    """

    def __init__(self, unit: IntegerArray, sample: IntegerArray | None = None) -> None:
        n_units = int(unit.max()) + 1
        self.of_row, self.unit = unit, np.arange(n_units)
        self.sample: Any = None
        self.starts: IntegerArray | None = None
        if sample is not None:
            keys, self.of_row = np.unique(sample * n_units + unit, return_inverse=True)
            self.sample, self.unit = np.divmod(keys, n_units)
            self.starts = arithmetic.run_starts(self.sample)

    def sums(self, amounts: Values) -> Values:
        """Return the sums of amounts (..., n_rows) over the rows of each unit: (..., n_units)."""
        sums = amounts.reshape(-1, amounts.shape[-1]) @ self._of_rows
        return np.asarray(sums.reshape(*amounts.shape[:-1], -1))

    @cached_property
    def _of_rows(self) -> csr_array:
        n_rows = len(self.of_row)
        indicator = np.ones(n_rows), self.of_row, np.arange(n_rows + 1)
        return csr_array(indicator, shape=(n_rows, len(self.unit)))


def within_classes(influences: Values, weights: Values, n_classes: int) -> Values:
    """Return influences if the true classes have fixed shares: minus the means of the classes.

    The factor of a class depends on the number of all its samples, so unanswered samples that a
    metric leaves out have an influence too.

    Parameters
    ----------
    influences : ndarray of shape (..., n_entries)
        Influence of a sample in each entry of the counts.
    weights : ndarray of shape (..., n_entries)
        Weight of the samples in each entry.
    n_classes : int
        Number of classes.
    """
    by_class = influences.reshape(*influences.shape[:-1], n_classes, -1)
    weights = weights.reshape(*weights.shape[:-1], n_classes, -1)
    means = arithmetic.divide((weights * by_class).sum(axis=-1), weights.sum(axis=-1))
    return (by_class - means[..., None]).reshape(influences.shape)


# Influence functions: how much one more sample moves the value of a metric
# -------------------------------------------------------------------------

T = TypeVar("T")
Gradient: TypeAlias = Callable[..., Floats]
"""Derivatives of a statistic by each count, or by the weight of each sample, NaN if undefined."""

# Steps of a cell that has samples, relative to its count. The error of the central difference of
# fourth order is about this number to the power of 4.
_STEP = 1e-3
# The derivatives of a smooth function from above and below differ by about the square of the step.
# At a tie, the derivatives of a maximum differ by as much as the derivatives themselves.
_LARGEST_DIFFERENCE = 1e-4
# An empty cell has a finite derivative if a difference hardly depends on its step. For p log(p), a
# step four times as large changes it by about a tenth.
_LARGEST_CHANGE = 1e-2
# Statistics that integrate numerically have this error, and all others much smaller ones.
_NOISE = 1e-9
_NUMBERS_PER_STACK = 2**20


@dataclass(frozen=True, eq=False)
class Influence:
    """How much one more sample moves the value of a metric, for each cell of a confusion matrix.

    If a small share of new samples is added to a cell, the value changes by about this share times
    the influence of the cell.

    Parameters
    ----------
    cells : ndarray of shape (..., n_classes, n_classes)
        Influence of a sample of each true class (rows) that is predicted as each class
        (columns), in the unit of the metric. The mean over all samples is 0. NaN where the value
        has no finite derivative; if this is a cell with samples, the whole matrix is NaN.
    unanswered : ndarray of shape (..., n_classes) or None
        Influence of a sample of each true class without a prediction, if the metric counts them
        and the confusion matrix has them.

    See Also
    --------
    OrdinalMetric.influence : Compute the influence of each cell.

    Examples
    --------
    The variance of the accuracy, for 8 correct of 10 predictions, is 0.8 times 0.2 divided by 10:

    >>> from sklearn_ordinal import OrdinalConfusion, get_metric
    >>> confusion = OrdinalConfusion.from_counts([[5, 1], [1, 3]])
    >>> influence = get_metric("accuracy").influence(confusion)
    >>> round(float((confusion.counts * influence.cells**2).sum() / 10**2), 6)
    0.016
    """

    cells: Floats
    unanswered: Floats | None = None


def cell_influences(
    metrics: Sequence[Criterion],
    values: Values,
    counts: Counts,
    unanswered: Counts | None,
    *,
    everywhere: bool = False,
) -> Floats:
    """Return the influence of each cell on each metric: (n_metrics, ..., n_classes, n_columns).

    The influence is the derivative by the count of the cell, times the number of samples, minus
    its mean over the samples. If a metric has no function that returns the derivatives, they are
    computed from differences. Cells without samples are 0, unless `everywhere` is True.

    Parameters
    ----------
    metrics : sequence of Criterion
        Metrics of counts. If unanswered samples are passed, all of them count these samples.
    values : ndarray of shape (n_metrics, ...)
        Their values, NaN where undefined.
    counts : ndarray of shape (..., n_classes, n_classes)
        Counts.
    unanswered : ndarray of shape (..., n_classes) or None
        Samples of each true class without a prediction, which get the last column.
    everywhere : bool, default=False
        Whether to compute the influence of cells without samples, NaN where it is not finite.

    Returns
    -------
    ndarray of shape (n_metrics, ..., n_classes, n_columns)
        Influences, NaN where a value has no derivative.
    """
    n_classes = counts.shape[-1]
    cells = counts.astype(np.float64, copy=False)
    if unanswered is not None:
        cells = np.concatenate([cells, unanswered[..., None]], axis=-1)
    derivatives = np.empty((len(metrics), *cells.shape))
    results: dict[Callable[[Floats], Any], Any] = {}

    def shared(compute: Callable[[Floats], T]) -> T:
        if compute not in results:
            results[compute] = compute(cells[..., :n_classes])
        result: T = results[compute]
        return result

    is_numeric = np.array([metric.gradient is None for metric in metrics])
    with np.errstate(all="ignore"):
        for metric, derivative in zip(metrics, derivatives, strict=True):
            if metric.gradient is not None:
                options = fixed_options(metric.statistic)
                if arithmetic.has_shared(metric.gradient):
                    options = {**options, "shared": shared}
                derivative[...] = _checked(
                    _call(metric.gradient, n_classes, cells, **options), cells.shape
                )
        if is_numeric.any():
            statistics = [
                partial(_call, metric.statistic, n_classes)
                for metric in metrics
                if metric.gradient is None
            ]
            derivatives[is_numeric] = _differences(
                statistics, values[is_numeric], cells, everywhere=everywhere
            )
        return _centred(derivatives, np.isfinite(values), cells, everywhere=everywhere)


def sample_influences(metrics: Sequence[Criterion], values: Values, evidence: Any) -> Floats:
    """Return the influence of each sample on each metric: (n_metrics, ..., n_samples).

    It is the derivative by the weight of the sample, times the total weight, minus its mean over
    the samples. NaN where a value, of shape (n_metrics, ...), is undefined or has no derivative.
    """
    weights = evidence.weights
    total = weights.sum(axis=-1, keepdims=True)
    influences = np.empty((len(metrics), *weights.shape))
    with np.errstate(all="ignore"):
        for metric, influence in zip(metrics, influences, strict=True):
            assert metric.gradient is not None
            derivatives = _checked(
                np.asarray(metric.gradient(evidence, **fixed_options(metric.statistic))),
                weights.shape,
            )
            influence[...] = total * np.where(np.isfinite(derivatives), derivatives, np.nan)
        # Samples without weight may have no derivative.
        weighted = np.where(weights > 0, weights * influences, 0)
        influences -= arithmetic.divide(weighted.sum(axis=-1, keepdims=True), total)
    influences[~np.isfinite(values)] = np.nan
    return influences


def fixed_options(statistic: Callable[..., Any]) -> dict[str, Any]:
    """Return the options that are fixed in a statistic, which its gradient takes too."""
    return statistic.keywords if isinstance(statistic, partial) else {}


def _checked(derivatives: Floats, shape: tuple[int, ...]) -> Floats:
    """Return the result of a gradient, and raise unless it has a derivative for each entry."""
    if derivatives.shape != shape:
        raise ValueError(
            f"gradient must return a derivative for each cell or sample, of shape {shape}, got "
            f"shape {derivatives.shape}."
        )
    return derivatives


def _centred(
    derivatives: Floats, is_defined: NDArray[np.bool_], cells: Floats, *, everywhere: bool
) -> Floats:
    """Multiply by the number of samples, and subtract the mean over the samples."""
    n_samples = cells.sum(axis=(-2, -1), keepdims=True)
    by_sample = n_samples * np.where(np.isfinite(derivatives), derivatives, np.nan)
    # Cells without samples have no weight, whether or not they have a derivative.
    occurs = cells > 0
    mean = np.where(occurs, by_sample * (cells / n_samples), 0).sum(axis=(-2, -1), keepdims=True)
    centred = np.where(is_defined[..., None, None], by_sample - mean, np.nan)
    return centred if everywhere else np.where(occurs, centred, 0)


def _call(function: Callable[..., Any], n_classes: int, cells: Floats, **options: Any) -> Values:
    """Call a function of counts. A further column holds the samples without a prediction."""
    if cells.shape[-1] == n_classes:
        return np.asarray(function(cells, **options), dtype=np.float64)
    values = function(cells[..., :n_classes], unanswered=cells[..., n_classes], **options)
    return np.asarray(values, dtype=np.float64)


def _differences(
    statistics: Sequence[Callable[[Floats], Values]],
    values: Values,
    cells: Floats,
    *,
    everywhere: bool,
) -> Floats:
    """Return the derivative of each statistic by each cell: (n_statistics, *cells.shape).

    All statistics are evaluated on the same stacks of counts, in which one cell has moved. NaN
    where the values have no derivative, as at ties of a maximum.
    """
    flat = cells.reshape(-1, cells.shape[-2] * cells.shape[-1])
    n_matrices, n_cells = flat.shape
    occurs = flat > 0
    smallest = np.where(occurs, flat, np.inf).min(axis=-1, keepdims=True)
    step = _STEP * np.where(occurs, flat, np.where(np.isfinite(smallest), smallest, 1))
    # A scale of hundreds of classes has far more cells than occur.
    positions = np.flatnonzero(occurs.any(axis=0) | everywhere)
    occurs, step = occurs[:, positions], step[:, positions]
    # A cell without samples can only grow.
    offsets = np.where(occurs[..., None], [-2.0, -1.0, 1.0, 2.0], [1.0, 2.0, 4.0, 8.0])
    change = offsets * step[..., None]
    moved = np.empty((len(statistics), *change.shape))
    for part in arithmetic.slices(len(positions), _NUMBERS_PER_STACK // (4 * flat.size)):
        stack = _moved_cells(flat, positions[part], change[:, part])
        matrices = np.moveaxis(stack.reshape(*cells.shape[-2:], -1), -1, 0)
        for statistic, of_statistic in zip(statistics, moved, strict=True):
            of_statistic[:, part] = statistic(matrices).reshape(n_matrices, -1, 4)
    here = values.reshape(len(statistics), n_matrices, 1)
    derivatives = np.full((len(statistics), n_matrices, n_cells), np.nan)
    derivatives[..., positions] = _slopes(here, moved, occurs, step)
    return derivatives.reshape(len(statistics), *cells.shape)


def _moved_cells(flat: Floats, positions: NDArray[np.intp], change: Floats) -> Floats:
    """Return the cells of matrices in which one cell has changed: (n_cells, n_matrices, ..., 4).

    The stack is last in memory, so that sums over classes are fast sums over long rows.
    """
    stack = np.empty((flat.shape[1], *change.shape))
    stack[:] = flat.T[:, :, None, None]
    stack[positions, :, np.arange(len(positions))] += change.swapaxes(0, 1)
    return stack


def _slopes(here: Floats, moved: Floats, occurs: NDArray[np.bool_], step: Floats) -> Floats:
    """Return the derivatives from the values at four offsets, on the last axis of `moved`."""
    first, second, third, fourth = np.moveaxis(moved, -1, 0)
    # The order of the four values is the order of the offsets.
    central = (8 * (third - second) - (fourth - first)) / (12 * step)
    difference = np.abs(
        _one_sided(here, third, fourth, step) + _one_sided(here, second, first, step)
    )
    largest = np.where(occurs, np.abs(central), 0).max(axis=-1, keepdims=True, initial=0)
    noise = np.maximum(_NOISE, 64 * tolerances.EPS * np.abs(here)) / step
    is_smooth = difference <= _LARGEST_DIFFERENCE * largest + noise
    if occurs.all():
        return np.where(is_smooth, central, np.nan)
    upward = _one_sided(here, first, second, step)
    change_of_step = np.abs(upward - _one_sided(here, third, fourth, 4 * step))
    has_limit = change_of_step <= _LARGEST_CHANGE * np.maximum(np.abs(upward), largest) + noise
    derivatives: Floats = np.where(
        np.where(occurs, is_smooth, has_limit), np.where(occurs, central, upward), np.nan
    )
    return derivatives


def _one_sided(here: Floats, once: Floats, twice: Floats, step: Floats) -> Floats:
    """Return the derivative from the values here, one step away and two steps away."""
    difference: Floats = (4 * once - twice - 3 * here) / (2 * step)
    return difference
