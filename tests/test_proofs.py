"""The conditions of docs/guide/evidence/proofs.rst, for random confusion matrices."""

import itertools
from math import comb, sqrt

import numpy as np
import pytest

from sklearn_ordinal import OrdinalConfusion, get_metric

N_MATRICES = 400


def steps(seed):
    """Yield random counts, and a step of one prediction towards its true class."""
    rng = np.random.default_rng(seed)
    for _ in range(N_MATRICES):
        n_classes = rng.integers(3, 6)
        counts = rng.integers(0, 5, (n_classes, n_classes)) * rng.integers(0, 2, n_classes)
        if rng.random() < 0.5:
            # A system that predicts the far end of the scale is worse than chance.
            counts = np.fliplr(np.diag(rng.integers(1, 9, n_classes))) + (counts > 3)
        true, old = rng.integers(n_classes, size=2)
        if true == old or counts[true, old] == 0:
            continue
        new = old + np.sign(true - old)
        moved = counts.copy()
        moved[true, old] -= 1
        moved[true, new] += 1
        yield counts, moved, true, old, new


@pytest.mark.parametrize("name", ["linear_weighted_kappa", "quadratic_weighted_kappa"])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_weighted_kappa_rises_unless_the_condition_holds(name):
    metric, outcomes = get_metric(name), []
    for counts, moved, true, old, new in steps(0):
        before, after = (float(metric(OrdinalConfusion.from_counts(c))) for c in (counts, moved))
        if np.isnan(before) or np.isnan(after):
            continue
        shares = counts.sum(axis=1) / counts.sum()
        direction = new - old
        if name == "linear_weighted_kappa":
            is_beyond = (np.arange(len(counts)) - old) * direction > 0
            delta, fall = shares[is_beyond].sum() - shares[~is_beyond].sum(), 1
        else:
            delta = 2 * direction * (shares @ np.arange(len(counts)) - old) - 1
            fall = 2 * abs(true - old) - 1
        # The value at the bound is a tie.
        margin = before - (1 - fall / delta) if delta > 0 else np.inf
        if abs(margin) > 1e-9:
            assert (after > before) == (margin > 0), (counts, true, old)
            outcomes.append((after > before, before > 0))
    rose = np.array(outcomes)
    assert len(rose) > 100
    falls_above_chance = (~rose[:, 0] & rose[:, 1]).sum()
    assert (~rose[:, 0]).any()
    assert (falls_above_chance > 0) == (name == "quadratic_weighted_kappa")


def with_one_error(sizes, a, c):
    counts = np.diag(sizes)
    counts[a, a] -= 1
    counts[a, c] += 1
    return OrdinalConfusion.from_counts(counts)


SIZES = list(itertools.product([2, 3, 7, 12], repeat=3))


@pytest.mark.parametrize("sizes", SIZES)
def test_one_error_has_the_value_of_the_page(sizes):
    pairs = comb(sum(sizes), 2) - sum(comb(size, 2) for size in sizes)
    values = {}
    for a in (0, 2):
        confusion = with_one_error(sizes, a, 1)
        expected = (pairs - sizes[1]) / sqrt(pairs * (pairs - sizes[1] + sizes[a] - 1))
        assert float(get_metric("kendall_tau_b")(confusion)) == pytest.approx(expected)
        for name in ("mutual_information", "purity", "inverse_purity", "cem_ord"):
            values[name, a] = float(get_metric(name)(confusion))
    for name in ("mutual_information", "purity", "inverse_purity"):
        assert values[name, 0] == pytest.approx(values[name, 2])
    assert values["purity", 0] == pytest.approx(1 - 1 / sum(sizes))
    if sizes[0] < sizes[2]:
        assert values["cem_ord", 0] < values["cem_ord", 2]


def test_a_correction_lowers_the_quadratic_kappa_although_every_class_occurs():
    before, after = [[1, 0, 0], [1, 0, 0], [1, 1, 1]], [[1, 0, 0], [0, 1, 0], [1, 1, 1]]
    values = [
        float(get_metric("quadratic_weighted_kappa")(OrdinalConfusion.from_counts(counts)))
        for counts in (before, after)
    ]
    assert values == pytest.approx([0.375, 0.359], abs=5e-4)


def test_neighbouring_empty_classes_tie_in_cem_ord():
    values = [
        float(get_metric("cem_ord")(OrdinalConfusion.from_counts(counts)))
        for counts in (
            [[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 1, 0, 0]],
            [[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0]],
        )
    ]
    assert values == [0.75, 0.75]
