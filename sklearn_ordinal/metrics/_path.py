"""Ordinal classification index (OCI): the best monotone path through the confusion matrix."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from itertools import accumulate, pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_ordinal._core import arithmetic, checks, counting, tolerances
from sklearn_ordinal._core.arithmetic import Counts, Values
from sklearn_ordinal._core.catalogue import ordinal_metric

Costs: TypeAlias = NDArray[Any]

_TOLERANCE = 1e-9
# The cheapest path of a smaller range of beta adds less than the tolerance to a derivative.
_SHORTEST_RANGE = 1e-9
# With more numbers at once, the derivatives of hundreds of classes do not fit into the cache.
_NUMBERS_AT_ONCE = 2**17
# With more cells at once, the costs do not fit into the cache.
_CELLS_AT_ONCE = 2**15
# With so few classes, it is faster to visit all cells than to find out which ones are needed.
_FEW_CLASSES = 20


class _Band(NamedTuple):
    """The cells between two diagonals of a matrix, antidiagonal by antidiagonal.

    `cells` are their positions in a flat matrix, the first row of each antidiagonal first, and
    `distances` are their distances from the diagonal. `first_rows` and `sizes` are the first row
    and the number of cells of each antidiagonal.
    """

    n_classes: int
    cells: NDArray[np.intp]
    distances: NDArray[np.float64]
    first_rows: list[int]
    sizes: list[int]


# Finding the cells of few classes takes longer than finding the cheapest path through them.
_bands_of_few_classes: dict[tuple[int, int, int], _Band] = {}


def _band(n_classes: int, lowest: int, highest: int) -> _Band:
    """Return the cells whose column minus row lies between two bounds, below and above 0."""
    if n_classes > _FEW_CLASSES:
        return _new_band(n_classes, lowest, highest)
    bounds = n_classes, lowest, highest
    if bounds not in _bands_of_few_classes:
        _bands_of_few_classes[bounds] = _new_band(*bounds)
    return _bands_of_few_classes[bounds]


def _new_band(n_classes: int, lowest: int, highest: int) -> _Band:
    # The cells of an antidiagonal have the same sum of row and column.
    both = np.arange(2 * n_classes - 1)
    first = np.maximum(np.maximum(both - n_classes + 1, 0), (both - highest + 1) // 2)
    last = np.minimum(np.minimum(both, n_classes - 1), (both - lowest) // 2)
    sizes = last - first + 1
    # From one cell to the next, the row grows by 1 and the column shrinks by 1.
    n_before = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    cells = np.repeat(first * (n_classes - 1) + both, sizes) + n_before * (n_classes - 1)
    distances = np.abs(np.repeat(both - 2.0 * first, sizes) - 2 * n_before)
    return _Band(n_classes, cells, distances, first.tolist(), sizes.tolist())


def _occupied_offsets(counts: Counts) -> tuple[int, int]:
    """Return the lowest and the highest column minus row that a cheapest path needs.

    Cells without samples cost nothing. Therefore, a path that moves away from all samples can
    instead stay one cell away from them.
    """
    n_classes = counts.shape[-1]
    if n_classes <= _FEW_CLASSES:
        return -n_classes, n_classes
    is_occupied = (counts != 0).any(axis=tuple(range(counts.ndim - 2)))
    row, column = np.nonzero(is_occupied)
    offset = column - row
    return int(offset.min(initial=0)) - 1, int(offset.max(initial=0)) + 1


def _farthest(n_classes: int, ratio: Values, beta: Values) -> int:
    """Return the largest distance from the diagonal that cheapest paths need.

    Farther away, samples cost more than they gain. Therefore, a path that moves farther away can
    instead stay at this distance.
    """
    if n_classes <= _FEW_CLASSES:
        return n_classes
    with np.errstate(divide="ignore"):
        farthest = float((ratio / beta).max())
    return math.ceil(min(farthest, n_classes))


def _by_cell(matrices: Values) -> Values:
    """Return matrices of shape (..., K, K) as an array of shape (K**2, n), the stack last.

    The values of a cell in all matrices are then contiguous.
    """
    return np.ascontiguousarray(matrices.reshape(-1, matrices.shape[-1] ** 2).T)


def _cheapest_path(antidiagonals: Iterable[Costs], band: _Band) -> Costs:
    """Return the least total cost of a path from the first cell to the last: shape (n,).

    `antidiagonals` yields the costs of the cells of the band on each antidiagonal: shape
    (n_cells, n). Paths go down, right or diagonally, and stay in the band. Cells on the same
    antidiagonal do not depend on each other, so each antidiagonal of the whole stack is a single
    step. Complex costs are compared by their real part; the imaginary part is added up along the
    cheapest path.
    """
    further = zip(antidiagonals, band.first_rows, strict=True)
    corner, _ = next(further)
    # Three antidiagonals, indexed by row. The first row is outside the matrix; no path enters it.
    n_paths = corner.shape[-1]
    before, last, here = np.full((3, band.n_classes + 1, n_paths), np.inf, corner.dtype)
    last[1] = corner[0]
    for costs, first in further:
        end = first + len(costs)
        best = here[first + 1 : end + 1]
        np.minimum(last[first:end], last[first + 1 : end + 1], out=best)
        np.minimum(best, before[first:end], out=best)
        best += costs
        # This row is outside the band, and holds costs of an earlier antidiagonal.
        here[first] = np.inf
        before, last, here = last, here, before
    cheapest: Costs = last[-1]
    return cheapest


def _samples_and_ratio(counts: Counts, gamma: float) -> tuple[Values, Values]:
    """Return the number of samples N, and the ratio of the gain and the unit penalty of a sample.

    On a path, a sample gains 1 / (N + D) and pays beta / N times a power of its distance. Both
    results have shape (n,), with NaN for matrices without samples.
    """
    n_samples = arithmetic.total(counts)
    n_samples = np.where(n_samples, n_samples, np.nan)
    dispersion = arithmetic.weighted_total(
        counts, arithmetic.distance(counts.shape[-1]) ** gamma
    ) ** (1 / gamma)
    return n_samples.ravel(), (n_samples / (n_samples + dispersion)).ravel()


def _ordinal_classification_index(
    counts: Counts, *, beta: float = 0.75, gamma: float = 1.0
) -> Values:
    # A single class has no distances to divide by, and no penalties.
    farthest = max(counts.shape[-1] - 1, 1)
    return _index_at(beta / farthest**gamma, counts, gamma)


def _uniform_ordinal_classification_index(counts: Counts, *, beta: float | None = None) -> Values:
    sizes = np.add.reduce(counts, axis=-1, keepdims=True, dtype=np.float64)
    shares = counts / np.where(sizes, sizes, 1)
    return _mean_index(shares) if beta is None else _index_at(float(beta), shares, gamma=1)


def _index_at(beta: float, counts: Counts, gamma: float) -> Values:
    n_samples, ratio = _samples_and_ratio(counts, gamma)
    band = _band(counts.shape[-1], *_occupied_offsets(counts))
    shares = _by_cell(counts).take(band.cells, axis=0) / n_samples
    # A new array would take longer than the arithmetic.
    costs = shares * band.distances[:, None] ** gamma
    # A huge beta makes the cost of a path infinite, but cells without samples still cost nothing.
    with np.errstate(over="ignore"):
        costs *= beta
    shares *= ratio
    costs -= shares
    ends = accumulate(band.sizes, initial=0)
    antidiagonals = (costs[start:end] for start, end in pairwise(ends))
    cheapest = _cheapest_path(antidiagonals, band)
    return arithmetic.clip_rounding(1 + cheapest.reshape(counts.shape[:-2]), 0, np.inf)


def _mean_index(shares: Values) -> Values:
    """Integrate the index over beta in [0, 1].

    The cost of each path is a line in beta, so the least cost is concave: within an
    interval it lies above the chord between the ends and below the lines of the paths that
    are cheapest there. Intervals are cut where the two lines meet, until the total area of
    the triangles between chords and lines is small enough.
    """
    n_samples, ratio = _samples_and_ratio(shares, gamma=1)
    least_costs = _least_costs_of(shares, n_samples, ratio)
    is_defined = ~np.isnan(n_samples)
    matrix = np.flatnonzero(is_defined)
    lower = least_costs(matrix, np.zeros(len(matrix)))
    # For beta = 1, samples off the diagonal cost at least what they gain, so the diagonal is a
    # cheapest path. Its cost does not depend on beta.
    right = np.trace(shares, axis1=-2, axis2=-1).ravel()
    upper = np.array([np.ones(len(ratio)), -ratio * right / n_samples, np.zeros(len(ratio))])
    upper = upper[:, matrix]
    while True:
        width, rise, _ = upper - lower
        slope, slope_above = lower[2], upper[2]
        bend = arithmetic.divide(slope_above * width - rise, slope_above - slope)
        bend = np.minimum(np.maximum(np.where(np.isnan(bend), 0, bend), 0), width)
        triangle = (slope * width - rise) * bend / 2
        # Half of each triangle is added to the area, so the error is at most half of the triangles.
        is_cut = triangle / 2 > _TOLERANCE / np.bincount(matrix)[matrix]
        if not is_cut.any():
            break
        of_cut = matrix[is_cut]
        middle = least_costs(of_cut, (lower[0] + bend)[is_cut])
        matrix = np.concatenate([matrix[~is_cut], of_cut, of_cut])
        lower, upper = (
            np.concatenate([lower[:, ~is_cut], lower[:, is_cut], middle], axis=-1),
            np.concatenate([upper[:, ~is_cut], middle, upper[:, is_cut]], axis=-1),
        )
    area = (lower[1] + upper[1]) / 2 * width + triangle / 2
    areas = np.where(is_defined, 0.0, np.nan)
    np.add.at(areas, matrix, area)
    index = arithmetic.clip_rounding(1 + areas, 0, np.inf)
    return index.reshape(shares.shape[:-2])


def _least_costs_of(
    shares: Values, n_samples: Values, ratio: Values
) -> Callable[[NDArray[np.intp], Values], Values]:
    """Return the function of matrices and of beta that `_least_costs` is for these matrices."""
    # Most values of beta need the same cells.
    bands = lru_cache(_band)
    return partial(
        _least_costs, _occupied_offsets(shares), bands, _by_cell(shares), n_samples, ratio
    )


def _least_costs(
    offsets: tuple[int, int],
    band_between: Callable[[int, int, int], _Band],
    shares: Values,
    n_samples: Values,
    ratios: Values,
    matrix: NDArray[np.intp],
    beta: Values,
) -> Values:
    """Return beta, the cost of the cheapest path, and its slope in beta: shape (3, n)."""
    n_classes = math.isqrt(len(shares))
    costs = np.empty(len(matrix), dtype=np.complex128)
    for chunk in arithmetic.slices(len(matrix), max(1, _CELLS_AT_ONCE // n_classes)):
        farthest = _farthest(n_classes, ratios[matrix[chunk]], beta[chunk])
        band = band_between(n_classes, max(offsets[0], -farthest), min(offsets[1], farthest))
        lines = _lines(band, shares, ratios, matrix[chunk], beta[chunk])
        costs[chunk] = _cheapest_path(lines, band)
    costs /= n_samples[matrix]
    return np.array([beta, costs.real, costs.imag])


def _lines(
    band: _Band, shares: Values, ratios: Values, matrix: NDArray[np.intp], beta: Values
) -> Iterator[NDArray[np.complex128]]:
    """Yield the costs of each antidiagonal at beta, times N; their imaginary parts are the slopes.

    The costs of several short antidiagonals are computed at once.
    """
    n_at_once = max(1, _CELLS_AT_ONCE // (len(beta) * max(band.sizes)))
    start = 0
    for part in arithmetic.slices(len(band.sizes), n_at_once):
        ends = list(accumulate(band.sizes[part], initial=0))
        cells = slice(start, start + ends[-1])
        gain = shares.take(band.cells[cells], axis=0)
        penalty = gain * band.distances[cells, None]
        gain *= ratios
        if gain.shape[-1] > 1:
            gain, penalty = gain.take(matrix, axis=1), penalty.take(matrix, axis=1)
        lines = np.empty((len(gain), len(beta)), dtype=np.complex128)
        np.multiply(penalty, beta, out=lines.real)
        lines.real -= gain
        lines.imag = penalty
        for begin, end in pairwise(ends):
            yield lines[begin:end]
        start += len(lines)


class _PathTerms(NamedTuple):
    """What paths through a stack of matrices gain and pay, with the stack on the last axis."""

    counts: Values
    """Of shape (K, K, n)."""
    penalty: Values
    """What a sample on the path pays for its distance, before beta: (K, K, n)."""
    gain: Values
    """What a sample on the path gains: (n,)."""
    n_samples: Values
    """Of shape (n,)."""
    dispersion_by_count: Values
    """Derivative of the dispersion D by each count: (K, K, n)."""

    @classmethod
    def of(cls, counts: Counts, gamma: float, n_samples: Values, ratio: Values) -> _PathTerms:
        n_classes = counts.shape[-1]
        far = by_count = (arithmetic.distance(n_classes) ** gamma)[..., None]
        if gamma != 1:
            dispersion = arithmetic.weighted_total(counts, far[..., 0]).ravel()
            # Without errors, the first one may have an infinite derivative, but no right answer.
            by_count = np.where(far > 0, far * dispersion ** (1 / gamma - 1) / gamma, 0)
        stacked = counts.reshape(-1, n_classes, n_classes).transpose(1, 2, 0)
        counts = stacked.astype(np.float64, copy=False)
        return cls(counts, far / n_samples, ratio / n_samples, n_samples, by_count)


def _ordinal_classification_index_gradient(
    counts: Counts, *, beta: float = 0.75, gamma: float = 1.0
) -> Values:
    """Return the derivatives of the index by each count, which are those of the cheapest path.

    A small change of the counts leaves the cheapest path the cheapest. At a tie of paths with
    different samples, there is no derivative.
    """
    farthest = max(counts.shape[-1] - 1, 1)
    return _gradient_at(beta / farthest**gamma, counts, gamma)


def _uniform_ordinal_classification_index_gradient(
    counts: Counts, *, beta: float | None = None
) -> Values:
    """Return the derivatives of the index by each count, through the shares of its true class."""
    sizes = np.add.reduce(counts, axis=-1, keepdims=True, dtype=np.float64)
    shares = counts / np.where(sizes, sizes, 1)
    by_share = (
        _mean_gradient(shares) if beta is None else _gradient_at(float(beta), shares, gamma=1)
    )
    mean = np.add.reduce(shares * by_share, axis=-1, keepdims=True)
    # A first sample in a class changes the number of classes, so there is no derivative.
    return arithmetic.divide(by_share - mean, sizes)


def _gradient_at(beta: float, counts: Counts, gamma: float) -> Values:
    terms = _PathTerms.of(counts, gamma, *_samples_and_ratio(counts, gamma))
    costs = beta * terms.penalty - terms.gain
    on_path, is_needed = _on_path(terms.counts, costs, costs, np.minimum(costs, 0))
    needed = np.where(is_needed, terms.counts, 0)
    gained = np.add.reduce(needed, axis=(0, 1))
    paid = beta * np.add.reduce(needed * terms.penalty, axis=(0, 1))
    return _with_sizes(on_path, gained, paid, terms).reshape(counts.shape)


def _mean_gradient(shares: Values) -> Values:
    """Integrate the derivatives by the shares over beta in [0, 1], path by path."""
    n_samples, ratio = _samples_and_ratio(shares, gamma=1)
    terms = _PathTerms.of(shares, 1, n_samples, ratio)
    matrix, low, high = _ranges_of_paths(shares, n_samples, ratio)
    on_path, gained, paid = np.zeros_like(terms.counts), *np.zeros((2, len(terms.n_samples)))
    for part in arithmetic.slices(len(matrix), _NUMBERS_AT_ONCE // len(on_path) ** 2):
        here, start, end = matrix[part], low[part], high[part]
        counts, penalty, gain = (array[..., here] for array in terms[:3])
        middle, width = (start + end) / 2, end - start
        costs = middle * penalty - gain
        # A sample in an empty cell costs less than nothing up to this beta.
        turn = np.minimum(np.maximum(gain / penalty, start), end)
        least = (turn - start) * ((start + turn) / 2 * penalty - gain)
        derivatives, is_needed = _on_path(counts, costs, width * costs, least)
        needed = np.where(is_needed, counts, 0)
        gained_here = width * np.add.reduce(needed, axis=(0, 1))
        paid_here = width * middle * np.add.reduce(needed * penalty, axis=(0, 1))
        np.add.at(gained, here, gained_here)
        np.add.at(paid, here, paid_here)
        first = arithmetic.run_starts(here)
        on_path[..., here[first]] += np.add.reduceat(derivatives, first, axis=-1)
    return _with_sizes(on_path, gained, paid, terms).reshape(shares.shape)


def _with_sizes(on_path: Values, gained: Values, paid: Values, terms: _PathTerms) -> Values:
    """Add the derivatives through the number of samples and the dispersion: (n, K, K)."""
    by_dispersion = gained * terms.gain**2 * (1 + terms.dispersion_by_count)
    return (on_path + by_dispersion - paid / terms.n_samples).transpose(2, 0, 1)


def _on_path(
    counts: Values, costs: Costs, derivatives: Values, least: Values
) -> tuple[Values, NDArray[np.bool_]]:
    """Return the derivatives of a sample on the cheapest path, and the cells that it needs.

    All arrays have shape (K, K, n). At a tie, cells without samples may be on the path or not,
    whichever costs less: the smaller of 0 and their derivatives, `least`, which samples take if
    only some of the cheapest paths visit their cell. Cells with samples are NaN there.
    """
    is_on_some, is_on_all = _cells_on_cheapest_paths(np.where(counts > 0, counts * costs, 0))
    at_tie = np.where(counts > 0, np.nan, least)
    return np.where(is_on_all, derivatives, np.where(is_on_some, at_tie, 0)), is_on_all


def _cells_on_cheapest_paths(costs: Costs) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which cells are on a cheapest path, and which are on all of them: (K, K, n)."""
    n_classes, n_paths = costs.shape[1:]
    column = np.arange(n_classes)
    row = column[:, None]
    # Rows of antidiagonals, in which cells outside the matrix have infinite costs.
    steps = np.full((2 * n_classes - 1, n_classes, n_paths), np.inf)
    steps[row + column, row] = costs
    # A path to the last cell is a path from the first one, in a matrix turned by 180 degrees.
    both_ways = np.concatenate([steps, steps[::-1, ::-1]], axis=-1)
    totals = np.full((2 * n_classes, n_classes + 1, 2 * n_paths), np.inf)
    totals[1, 1] = both_ways[0, 0]
    for before, last, here, cost in zip(
        totals[:-2], totals[1:-1], totals[2:, 1:], both_ways[1:], strict=True
    ):
        np.minimum(last[:-1], last[1:], out=here)
        np.minimum(here, before[:-1], out=here)
        here += cost
    up_to, onwards = totals[1:, 1:, :n_paths], totals[1:, 1:, n_paths:][::-1, ::-1]
    cheapest = up_to[-1, -1]
    limit = cheapest + tolerances.PATH_COST * n_classes * np.maximum(1, np.abs(cheapest))
    is_on_some = up_to + onwards - steps <= limit
    # All cheapest paths visit a cell if none visits its antidiagonal elsewhere or skips it.
    n_ways = np.add.reduce(is_on_some, axis=1)
    n_ways[1:-1] += np.add.reduce(up_to[:-2, :-1] + onwards[2:, 1:] <= limit, axis=1)
    is_on_all = is_on_some & (n_ways == 1)[:, None]
    return is_on_some[row + column, row], is_on_all[row + column, row]


def _ranges_of_paths(
    shares: Values, n_samples: Values, ratio: Values
) -> tuple[NDArray[np.intp], Values, Values]:
    """Return the ranges of beta in [0, 1] with the same cheapest path: matrices, lows and highs.

    Where the lines of the cheapest paths at both ends of an interval meet, either another path is
    cheaper, and both parts are searched, or the cheapest path changes.
    """
    least_costs = _least_costs_of(shares, n_samples, ratio)
    matrix = np.flatnonzero(~np.isnan(n_samples))
    lowest, highest = np.zeros(len(matrix)), np.ones(len(matrix))
    ends = least_costs(np.concatenate([matrix, matrix]), np.concatenate([lowest, highest]))
    lower, upper = ends[:, : len(matrix)], ends[:, len(matrix) :]
    matrices, lows, highs = [matrix], [lowest], [highest]
    while True:
        is_bent = lower[2] > upper[2]
        matrix, lower, upper = matrix[is_bent], lower[:, is_bent], upper[:, is_bent]
        if not matrix.size:
            break
        width, rise, turn = upper - lower
        bend = np.minimum(np.maximum((upper[2] * width - rise) / turn, 0), width)
        middle = least_costs(matrix, lower[0] + bend)
        is_cut = middle[1] < lower[1] + lower[2] * bend - tolerances.PATH_COST * shares.shape[-1]
        # Where no other path is cheaper, one range ends and the next one starts.
        matrices.append(matrix[~is_cut])
        lows.append(middle[0, ~is_cut])
        highs.append(middle[0, ~is_cut])
        matrix = np.concatenate([matrix[is_cut], matrix[is_cut]])
        lower, upper = (
            np.concatenate([lower[:, is_cut], middle[:, is_cut]], axis=-1),
            np.concatenate([middle[:, is_cut], upper[:, is_cut]], axis=-1),
        )
    matrix, low, high = np.concatenate(matrices), np.concatenate(lows), np.concatenate(highs)
    low, high = low[np.lexsort((low, matrix))], high[np.lexsort((high, matrix))]
    is_long = high - low > _SHORTEST_RANGE
    return np.sort(matrix)[is_long], low[is_long], high[is_long]


def _check_beta(beta: Any) -> None:
    if beta is not None and (not checks.is_real(beta) or not 0 <= beta < np.inf):
        raise ValueError(f"beta must be a non-negative number, got {checks.shown(beta)}.")


def _check_weights(beta: Any = 0.75, gamma: Any = 1.0) -> None:
    if beta is None:
        # Only the uniform index is integrated over beta.
        raise ValueError("beta must be a non-negative number, got None.")
    _check_beta(beta)
    if not checks.is_real(gamma) or not 0.1 <= gamma <= 10:
        raise ValueError(f"gamma must be a number from 0.1 to 10, got {checks.shown(gamma)}.")


@ordinal_metric(
    _ordinal_classification_index,
    greater_is_better=False,
    bounds=(0.0, 1.0),
    gradient=_ordinal_classification_index_gradient,
    check=_check_weights,
    properties={"symmetric", "differentiable"},
    an_error_costs="its distance from the diagonal, and more off the best path",
    prefer="if errors in one direction are less serious than scattered errors",
    exceptions={"an empty class at an end": "the number of classes is part of the definition"},
)
def ordinal_classification_index(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    beta: float = 0.75,
    gamma: float = 1.0,
) -> float:
    r"""Compute the Ordinal Classification Index (OCI).

    It is the lowest cost of a path from the first to the last cell of the confusion
    matrix. A path gains the proportion of the samples on it and pays for their distance
    from the diagonal [1]_, so a path through a matrix concentrated near its diagonal
    costs little. Let :math:`C_{ij}` of the :math:`N` samples belong to class :math:`i` and be
    predicted as :math:`j`. With :math:`K` classes and
    :math:`D = (\sum_{ij} C_{ij} |i - j|^\gamma)^{1 / \gamma}`:

    .. math:: \mathrm{OCI} = \min_{\mathrm{path}} \Big(1
        - \frac{\sum_{\mathrm{path}} C_{ij}}{N + D}
        + \beta \frac{\sum_{\mathrm{path}} C_{ij} |i - j|^\gamma}
        {N (K - 1)^\gamma}\Big)

    Distance is measured in positions on the scale, and the number of classes enters the
    formula: pass `labels` if a fold may lack a class.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_pred : array-like of shape (n_samples,)
        Predicted classes. A missing prediction raises a ValueError; the unanswered
        samples of an `OrdinalConfusion` are left out.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.
    beta : float, default=0.75
        Non-negative weight of the distance from the diagonal. The default is the value that
        the authors use.
    gamma : float, default=1.0
        Power of the distance, from 0.1 to 10. The default is the value that the authors use.

    Returns
    -------
    float
        Index in [0, 1]. 0 is best.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, or `beta` or
        `gamma` is out of its range.

    See Also
    --------
    uniform_ordinal_classification_index : All true classes count equally.

    References
    ----------
    .. [1] J. S. Cardoso, R. Sousa (2011), "Measuring the performance of ordinal
       classification", International Journal of Pattern Recognition and Artificial
       Intelligence 25(8), :doi:`10.1142/S0218001411009093`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import ordinal_classification_index
    >>> ordinal_classification_index([0, 1, 2, 2], [0, 2, 2, 1])
    0.59375
    """
    _check_weights(beta, gamma)
    statistic = partial(_ordinal_classification_index, beta=beta, gamma=gamma)
    return counting.evaluate(statistic, y_true, y_pred, labels, sample_weight)


@ordinal_metric(
    _uniform_ordinal_classification_index,
    greater_is_better=False,
    bounds=(0.0, 1.0),
    gradient=_uniform_ordinal_classification_index_gradient,
    check=_check_beta,
    properties={"imbalance", "prevalence invariant", "differentiable"},
    an_error_costs="as in the ordinal classification index, relative to the true class",
    prefer="instead of the ordinal classification index if all classes matter equally",
    interval_method="percentile",
)
def uniform_ordinal_classification_index(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    beta: float | None = None,
) -> float:
    r"""Compute the Uniform Ordinal Classification Index (UOCI).

    Like `ordinal_classification_index`, with three differences. Rows are normalised to
    proportions of each true class, so that all classes in `y_true` count equally. The
    penalty does not depend on the number of classes. The index is averaged over
    :math:`\beta` in [0, 1] [1]_.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    y_pred : array-like of shape (n_samples,)
        Predicted classes. A missing prediction raises a ValueError; the unanswered
        samples of an `OrdinalConfusion` are left out.
    labels : array-like of shape (n_classes,), default=None
        All classes from the lowest to the highest. If None, taken from an ordered
        dtype or from integers; required for strings.
    sample_weight : array-like of shape (n_samples,), default=None
        Non-negative sample weights.
    beta : float, default=None
        Non-negative weight of the distance from the diagonal. If None, the index is
        integrated over [0, 1], as in the publication, with an error below 1e-9.

    Returns
    -------
    float
        Index in [0, 1]. 0 is best; the integrated index is below 1.

    Raises
    ------
    ValueError
        If strings come without `labels`, a class is not in `labels`, or `beta` is
        negative.

    See Also
    --------
    ordinal_classification_index : All samples count equally.

    References
    ----------
    .. [1] W. Silva, J. R. Pinto, J. S. Cardoso (2018), "A uniform performance index for
       ordinal classification with imbalanced classes", IJCNN 2018,
       :doi:`10.1109/IJCNN.2018.8489327`.

    Examples
    --------
    >>> from sklearn_ordinal.metrics import uniform_ordinal_classification_index
    >>> uniform_ordinal_classification_index([0, 1, 2, 2], [0, 2, 2, 1])
    0.5925...
    """
    _check_beta(beta)
    statistic = partial(_uniform_ordinal_classification_index, beta=beta)
    return counting.evaluate(statistic, y_true, y_pred, labels, sample_weight)
