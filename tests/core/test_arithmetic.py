"""Sums of counts against exact arithmetic, for any size and memory layout."""

from fractions import Fraction

import numpy as np
import pytest

from sklearn_ordinal._core.arithmetic import distance, lower_sums, weighted_pairs, weighted_total

RNG = np.random.default_rng(0)
SMALL = RNG.integers(0, 50, (6, 4, 4))
STACKS = {
    "integers": SMALL,
    "one matrix": SMALL[0],
    "empty stack": SMALL[:0],
    "stack last in memory": np.moveaxis(np.moveaxis(SMALL, 0, -1).copy(), -1, 0),
    "too large for exact floats": SMALL * 10**14 + 1,
    "floats": SMALL / 7,
    "two leading axes": SMALL.reshape(2, 3, 4, 4),
}
WEIGHTS = {"integers": distance(4) ** 2, "fractions": distance(4) / 3}


def exact(numbers):
    return np.vectorize(Fraction, otypes=[object])(np.asarray(numbers).astype(object))


@pytest.mark.parametrize("counts", STACKS.values(), ids=STACKS)
@pytest.mark.parametrize("weights", WEIGHTS.values(), ids=WEIGHTS)
def test_weighted_totals_are_the_exact_sums(counts, weights):
    expected = (exact(counts) * exact(weights)).sum(axis=(-2, -1))
    ours = weighted_total(counts, weights)
    assert ours.shape == counts.shape[:-2]
    assert ours == pytest.approx(np.asarray(expected, dtype=float), rel=1e-14)


@pytest.mark.parametrize("counts", STACKS.values(), ids=STACKS)
@pytest.mark.parametrize("weights", WEIGHTS.values(), ids=WEIGHTS)
def test_weighted_pairs_are_the_exact_sums_over_all_pairs(counts, weights):
    rows, columns = counts.sum(axis=-1).astype(float), counts.sum(axis=-2).astype(float)
    pairs = exact(rows)[..., :, None] * exact(columns)[..., None, :] * exact(weights)
    ours = weighted_pairs(rows, columns, weights)
    assert ours.shape == counts.shape[:-2]
    assert ours == pytest.approx(np.asarray(pairs.sum(axis=(-2, -1)), dtype=float), rel=1e-14)


@pytest.mark.parametrize("shape", [(4, 4), (3, 4, 5), (700, 4, 3), (2, 500, 5, 4), (400, 1, 7)])
@pytest.mark.parametrize("is_last", [False, True])
def test_lower_sums_are_the_sums_of_all_cells_in_lower_rows_and_columns(shape, is_last):
    counts = RNG.integers(0, 50, shape)
    if is_last:
        counts = np.moveaxis(np.moveaxis(counts, 0, -1).copy(), -1, 0)
    sums = lower_sums(counts)
    for i in range(shape[-2]):
        for j in range(shape[-1]):
            assert (sums[..., i, j] == counts[..., :i, :j].sum(axis=(-2, -1))).all()
