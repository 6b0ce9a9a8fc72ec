"""Values of groups, and how they make up the value of all samples."""

from functools import partial

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sklearn_ordinal import OrdinalConfusion, OrdinalForecasts, get_metric
from sklearn_ordinal._core.catalogue import metrics_of
from sklearn_ordinal._core.evidence_kinds import LABELS
from sklearn_ordinal.inference._group_values import GroupedSamples, group_values, group_weights
from sklearn_ordinal.metrics import cem_ord_score, proximity_matrix

CLOSENESS = ["cem_ord", "cem_int", "cem_nom", "cem_ord_flat"]


def stack_of_groups(n_groups=4, n_classes=5, *, unanswered=False):
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 30, size=(n_groups, n_classes, n_classes))
    # One group has no sample of a class, another none at all.
    counts[0, 2] = 0
    counts[1] = 0
    missing = rng.integers(0, 9, size=(n_groups, n_classes)) if unanswered else None
    if unanswered:
        missing[1] = 0
    return OrdinalConfusion.from_counts(counts, unanswered=missing)


def sizes_of(groups):
    sizes = groups.counts.sum(axis=-1)
    return sizes if groups.unanswered is None else sizes + groups.unanswered


@pytest.mark.parametrize("unanswered", [False, True])
@pytest.mark.parametrize("name", CLOSENESS)
def test_closeness_of_all_is_the_weighted_mean_of_the_groups(name, unanswered):
    groups = stack_of_groups(unanswered=unanswered)
    overall, *values = group_values(get_metric(name), groups)
    weights = group_weights(get_metric(name), sizes_of(groups))
    assert overall == get_metric(name)(groups.pooled())
    assert np.isnan(values[1])
    assert weights[1] == 0
    has_samples = weights > 0
    assert weights.sum() == pytest.approx(1)
    np.testing.assert_allclose(
        weights[has_samples] @ np.array(values)[has_samples], overall, rtol=1e-12
    )


SMALL_COUNTS = st.tuples(st.integers(2, 4), st.integers(2, 4)).flatmap(
    lambda shape: arrays(np.int64, (shape[0], shape[1], shape[1]), elements=st.integers(0, 5))
)


@given(counts=SMALL_COUNTS, data=st.data())
def test_closeness_of_all_is_the_weighted_mean_of_any_groups(counts, data):
    assume(counts.any())
    unanswered = data.draw(arrays(np.int64, counts.shape[:2], elements=st.integers(0, 3)))
    unanswered[~counts.any(axis=(1, 2))] = 0
    for groups in (
        OrdinalConfusion.from_counts(counts),
        OrdinalConfusion.from_counts(counts, unanswered=unanswered),
    ):
        for name in CLOSENESS:
            overall, *values = group_values(get_metric(name), groups)
            weights = group_weights(get_metric(name), sizes_of(groups))
            known = weights > 0
            np.testing.assert_allclose(
                weights[known] @ np.array(values)[known], overall, atol=1e-12
            )
            np.testing.assert_array_equal(known, ~np.isnan(values))


@given(counts=SMALL_COUNTS, data=st.data())
def test_groups_at_other_class_sizes_have_the_rates_of_their_classes(counts, data):
    sizes = counts.sum(axis=-1)
    assume((sizes.sum(axis=0) > 0).all())
    drawn = data.draw(arrays(np.int64, counts.shape[1], elements=st.integers(1, 9)))
    prevalence = drawn / drawn.sum()
    for name in ("cem_ord", "accuracy", "ordinal_mean_absolute_error"):
        metric, found = get_metric(name), OrdinalConfusion.from_counts(counts)
        values = group_values(metric, found, prevalence)
        for one, value in zip([counts.sum(axis=0), *counts], values, strict=True):
            of_classes = one.sum(axis=-1)
            assert np.isnan(value) == (of_classes == 0).any()
            if not np.isnan(value):
                weighted = one / of_classes[:, None] * prevalence[:, None]
                expected = metric(OrdinalConfusion.from_counts(weighted))
                assert value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", ["cem_ord_decision", "expected_cem_ord"])
def test_closeness_of_probabilities_is_the_weighted_mean_of_the_groups(name):
    rng = np.random.default_rng(0)
    y_true, group = rng.integers(3, size=60), rng.integers(4, size=60)
    y_proba = rng.dirichlet([1, 1, 1], size=60)
    # Three resamples, of which the last has no sample of a class.
    weights = rng.integers(0, 3, size=(3, 60)) * np.array([[1], [1], [0]]) + 1.0
    weights[2, y_true == 1] = 0
    every = OrdinalForecasts.from_probabilities(y_true, y_proba).reweighted(weights)
    groups = tuple(every.reweighted(weights * (group == g)) for g in range(4))
    samples = GroupedSamples(every, groups, (slice(None),) * 4)
    overall, *values = group_values(get_metric(name), samples)
    np.testing.assert_allclose(overall, get_metric(name)(every))
    sizes = np.stack([each.class_counts for each in groups])
    shares = group_weights(get_metric(name), sizes)
    np.testing.assert_allclose((shares * values).sum(axis=0), overall, rtol=1e-12)


def test_weights_are_the_shares_of_the_information_in_the_true_classes():
    groups = stack_of_groups()
    sizes = groups.counts.sum(axis=-1)
    earned = sizes @ np.diag(proximity_matrix(sizes.sum(axis=0)))
    np.testing.assert_allclose(
        group_weights(get_metric("cem_ord"), sizes_of(groups)), earned / earned.sum()
    )


def test_weights_are_not_the_shares_of_the_samples():
    groups = OrdinalConfusion.from_counts([[[90, 0], [0, 10]], [[10, 0], [0, 90]]])
    np.testing.assert_allclose(group_weights(get_metric("cem_ord"), sizes_of(groups)), [0.5, 0.5])
    groups = OrdinalConfusion.from_counts([[[90, 0], [0, 0]], [[0, 0], [0, 10]]])
    weights = group_weights(get_metric("cem_ord"), sizes_of(groups))
    # By hand: 10 * -log2(5 / 100) of that and 90 * -log2(45 / 100).
    assert weights[1] == pytest.approx(0.29420, abs=1e-5)


def test_a_reference_of_ones_own_stays():
    groups = stack_of_groups()
    metric = get_metric(partial(cem_ord_score, class_counts=[5, 4, 3, 2, 1]))
    values = group_values(metric, groups)
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(values[1:], metric(groups))
    weights = group_weights(metric, sizes_of(groups))
    known = weights > 0
    np.testing.assert_allclose(weights[known] @ values[1:][known], values[0])


@pytest.mark.parametrize("name", ["cem_ord_adjusted", "accuracy", "quadratic_weighted_kappa"])
def test_other_criteria_have_no_weights(name):
    assert group_weights(get_metric(name), sizes_of(stack_of_groups())) is None


def test_values_of_a_stack_of_resamples():
    one, two = stack_of_groups(), stack_of_groups(unanswered=True)
    two = OrdinalConfusion(two.scale, two.counts[:, ::-1])
    both = OrdinalConfusion(one.scale, np.stack([one.counts, two.counts], axis=1))
    for metric in metrics_of(LABELS).values():
        np.testing.assert_allclose(
            group_values(metric, both),
            np.stack([group_values(metric, stack) for stack in (one, two)], axis=1),
            err_msg=metric.name,
        )


def test_groups_with_the_same_rates_differ_unless_class_sizes_are_standardised():
    rates = np.array([[40, 10, 0], [5, 30, 5], [0, 4, 6]])
    rates = rates / rates.sum(axis=1, keepdims=True)
    sizes = np.array([[50, 40, 10], [10, 30, 60]])
    groups = OrdinalConfusion.from_counts(sizes[..., None] * rates)
    metric = get_metric("cem_ord")
    # Worked by hand, with a fixed reference.
    fixed = get_metric("cem_ord").statistic(groups.counts, class_counts=[1, 1, 1])
    np.testing.assert_allclose(fixed, [0.8528, 0.7946], atol=5e-5)
    _, first, second = group_values(metric, groups)
    assert abs(first - second) > 0.01
    _, first, second = group_values(metric, groups, np.full(3, 1 / 3))
    assert first == pytest.approx(0.826274962)
    assert second == pytest.approx(0.826274962)
