"""Accelerations of groups, compared with leaving out each sample or cluster in turn."""

import numpy as np
import pytest

from sklearn_ordinal import OrdinalConfusion, get_metric
from sklearn_ordinal.inference._bootstrap import accelerations_of
from sklearn_ordinal.inference._group_jackknife import group_accelerations
from sklearn_ordinal.inference._groups import GroupedUnits
from sklearn_ordinal.metrics import group_values

RNG = np.random.default_rng(0)
N = 90
GROUP = np.minimum(RNG.integers(3, size=N), RNG.integers(3, size=N))
TRUE = RNG.integers(4, size=N)
PRED = np.clip(TRUE + RNG.choice([-1, 0, 0, 1, 2], size=N), 0, 3)
WEIGHT = RNG.uniform(0.5, 2, N)
SHARES = np.array([0.1, 0.4, 0.3, 0.2])
OPTIONS = {
    "plain": {},
    "weighted": {"sample_weight": WEIGHT},
    "clusters across groups": {"clusters": np.arange(N) // 6},
    "clusters within groups": {"clusters": np.arange(N) // 2 * 3 + GROUP},
}


def counted(is_kept, weights):
    """Return the counts of the samples that are kept, by group."""
    parts = [is_kept & (GROUP == group) for group in range(3)]  # noqa: SIM300
    return OrdinalConfusion.stack(
        [
            OrdinalConfusion.from_predictions(
                TRUE[part],
                PRED[part],
                sample_weight=None if weights is None else weights[part],
                labels=range(4),
            )
            for part in parts
        ]
    )


@pytest.mark.parametrize("prevalence", [None, SHARES], ids=["observed", "given"])
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("name", ["quadratic_weighted_kappa", "cem_ord"])
def test_accelerations_are_those_without_each_unit(name, options, prevalence):
    metric, unit = get_metric(name), options.get("clusters", np.arange(N))
    units = GroupedUnits.from_confusion(
        OrdinalConfusion.from_predictions(TRUE, PRED, by=GROUP, labels=range(4), **options),
        np.arange(3),
    )
    weights, every_sample = options.get("sample_weight"), np.ones(N, dtype=np.bool_)
    estimates = group_values(metric, counted(every_sample, weights), prevalence)
    accelerations = group_accelerations(metric, units, estimates, prevalence)
    without = [
        group_values(metric, counted(unit != left_out, weights), prevalence)
        for left_out in np.unique(unit)
    ]
    sizes = np.ones(len(without), dtype=np.int64)
    expected = [accelerations_of(values[None, None], sizes)[0] for values in np.transpose(without)]
    # The class sizes of all groups are the reference of closeness, which changes linearly by
    # samples of other groups.
    has_reference = name == "cem_ord" and prevalence is None
    np.testing.assert_allclose(accelerations, expected, rtol=0.02 if has_reference else 1e-9)


def test_units_without_which_a_group_is_undefined_are_left_out():
    # Without its last sample, the third group has one class only.
    true, pred = [0, 0, 1, 1, 1, 0, 0, 0, 1, 1], [0, 1, 1, 1, 0, 0, 0, 1, 0, 1]
    group = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1, 2])
    stack = OrdinalConfusion.from_predictions(true, pred, by=group)
    metric, units = get_metric("kendall_tau_b"), GroupedUnits.from_confusion(stack, np.arange(3))
    estimates = group_values(metric, stack)
    assert np.isnan(estimates[3])
    assert np.isfinite(group_accelerations(metric, units, estimates, None)).all()
