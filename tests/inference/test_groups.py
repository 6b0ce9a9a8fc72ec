"""Intervals and tests of groups, checked against SciPy on rows and against enumeration."""

import itertools
import tracemalloc

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from sklearn_ordinal import OrdinalConfusion, get_metric
from sklearn_ordinal._core.catalogue import metrics_of
from sklearn_ordinal._core.evidence_kinds import LABELS
from sklearn_ordinal.inference._group_values import GroupedCounts, GroupedUnits
from sklearn_ordinal.metrics import cem_ord_score
from tests.inference.inferred_groups import inferred_groups

NAMES = ["east", "north", "west"]
MAE = "ordinal_mean_absolute_error"
SMALL = st.integers(0, 5)


def three_groups(n_samples=300, seed=0):
    """Return classes, predictions and groups with other class sizes and other errors."""
    rng = np.random.default_rng(seed)
    group = rng.integers(3, size=n_samples)
    y_true = rng.binomial(3, np.array([0.3, 0.5, 0.6])[group])
    error = rng.choice([-1, 0, 1], size=n_samples) * (rng.random(n_samples) < 0.4 + 0.1 * group)
    return y_true, np.clip(y_true + error, 0, 3), group


def counted_and_units(y_true, y_pred, group, **reading):
    """Return the counts of the groups, and the units that are exchanged."""
    confusion = OrdinalConfusion.from_predictions(y_true, y_pred, by=group, **reading)
    return confusion.counts, GroupedUnits.from_confusion(confusion, np.arange(group.max() + 1))


def inferred(
    y_true,
    y_pred,
    group,
    metrics,
    *,
    n_permutations=199,
    prevalence=None,
    seed=0,
    names=NAMES,
    **options,
):
    confusion = OrdinalConfusion.from_predictions(y_true, y_pred, by=group, **options)
    position = np.arange(group.max() + 1)
    return inferred_groups(
        [get_metric(metric) for metric in metrics],
        GroupedCounts.from_confusion(confusion, position),
        GroupedUnits.from_confusion(confusion, position),
        names[: len(position)],
        np.random.default_rng(seed),
        prevalence=prevalence,
        n_permutations=n_permutations,
    )


def test_groups_have_the_values_of_their_samples():
    y_true, y_pred, group = three_groups()
    for metric in metrics_of(LABELS).values():
        if metric.name.startswith("cem"):
            continue
        (found,) = inferred(y_true, y_pred, group, [metric.name], n_permutations=1)
        expected = [
            metric(OrdinalConfusion.from_predictions(y_true[of], y_pred[of], labels=range(4)))
            for of in (group >= 0, group == 0, group == 1, group == 2)
        ]
        values = [found.overall.estimate, *(one.estimate for one in found.by_group)]
        np.testing.assert_allclose(values, expected, err_msg=metric.name)


def test_closeness_of_a_group_has_the_class_sizes_of_all():
    y_true, y_pred, group = three_groups()
    (found,) = inferred(y_true, y_pred, group, ["cem_ord"], n_permutations=1)
    expected = [
        cem_ord_score(
            y_true[group == g],
            y_pred[group == g],
            class_counts=np.bincount(y_true),
            labels=range(4),
        )
        for g in range(3)
    ]
    np.testing.assert_allclose([one.estimate for one in found.by_group], expected)
    assert found.group_min.estimate == pytest.approx(min(expected))
    assert found.group_max.estimate == pytest.approx(max(expected))


def test_differences_and_ratios_are_those_of_the_values():
    y_true, y_pred, group = three_groups()
    (found,) = inferred(y_true, y_pred, group, ["cem_ord"], n_permutations=1)
    values, overall = [one.estimate for one in found.by_group], found.overall.estimate
    largest, smallest = max(values), min(values)
    assert found.differences["between_groups"].estimate == pytest.approx(largest - smallest)
    assert found.differences["to_overall"].estimate == pytest.approx(
        max(abs(value - overall) for value in values)
    )
    assert found.ratios["between_groups"].estimate == pytest.approx(smallest / largest)
    assert found.ratios["to_overall"].estimate == pytest.approx(
        min(min(value / overall, overall / value) for value in values)
    )
    by_name = dict(zip(NAMES, values, strict=True))
    assert found.differences["between_groups"].lower_group == min(by_name, key=by_name.get)
    assert found.differences["between_groups"].higher_group == max(by_name, key=by_name.get)


def test_the_value_of_all_samples_is_no_extreme_of_the_groups():
    # Each group predicts its two classes by chance, and the groups have different classes.
    y_true, y_pred = np.array([0, 0, 1, 1] * 10), np.array([0, 1, 0, 1] * 10)
    group = np.repeat([0, 1], 20)
    shift = 2 * group
    (found,) = inferred(y_true + shift, y_pred + shift, group, ["quadratic_weighted_kappa"])
    assert found.group_max.estimate == pytest.approx(0)
    assert found.overall.estimate > 0.5


@pytest.mark.parametrize("against", ["between_groups", "to_overall"])
def test_the_interval_of_the_largest_difference_contains_it_whatever_group_it_is(against):
    for lowest in range(3):
        group = np.repeat([lowest, (lowest + 1) % 3, (lowest + 2) % 3], [100, 400, 400])
        is_right = np.r_[np.arange(100) % 2 == 0, np.arange(800) % 10 > 0]
        y_true = np.arange(900) // 10 % 2
        y_pred = np.where(is_right, y_true, 1 - y_true)
        (found,) = inferred(y_true, y_pred, group, ["accuracy"])
        difference = found.differences[against]
        assert difference.low < difference.estimate < difference.high


def test_the_interval_of_a_difference_between_two_groups_is_that_of_normal_theory():
    group, n_right = np.repeat([0, 1], 500), (450, 300)
    is_right = np.r_[np.arange(500) < n_right[0], np.arange(500) < n_right[1]]
    y_true = np.arange(1_000) % 2
    y_pred = np.where(is_right, y_true, 1 - y_true)
    (found,) = inferred(y_true, y_pred, group, ["accuracy"])
    error = np.sqrt(0.9 * 0.1 / 500 + 0.6 * 0.4 / 500)
    low, high = stats.norm(0.3, error).interval(0.95)
    assert found.differences["between_groups"].low == pytest.approx(low, abs=0.006)
    assert found.differences["between_groups"].high == pytest.approx(high, abs=0.006)


@settings(max_examples=25)
@given(
    counts=arrays(np.int64, st.tuples(st.integers(2, 4), st.just(3), st.just(3)), elements=SMALL)
)
def test_figures_are_those_that_fairlearn_defines(counts):
    assume(counts.any(axis=(1, 2)).all())
    confusion, position = OrdinalConfusion.from_counts(counts), np.arange(len(counts))
    units = (kind.from_confusion(confusion, position) for kind in (GroupedCounts, GroupedUnits))
    metrics = [get_metric(name) for name in ("accuracy", MAE)]
    options = {"prevalence": None, "n_permutations": 1}
    found = inferred_groups(
        metrics, *units, "abcd"[: len(counts)], np.random.default_rng(0), **options
    )
    for metric, one in zip(metrics, found, strict=True):
        values = [metric(OrdinalConfusion.from_counts(matrix)) for matrix in counts]
        overall = metric(OrdinalConfusion.from_counts(counts.sum(axis=0)))
        assert one.group_min.estimate == pytest.approx(min(values))
        assert one.group_max.estimate == pytest.approx(max(values))
        # https://fairlearn.org/main/api_reference/generated/fairlearn.metrics.MetricFrame.html
        pairs = {
            "between_groups": [(min(values), max(values))],
            "to_overall": [sorted((value, overall)) for value in values],
        }
        for against, of_pairs in pairs.items():
            difference, ratio = one.differences[against], one.ratios[against].estimate
            assert difference.estimate == pytest.approx(max(high - low for low, high in of_pairs))
            if all(high > 0 for _, high in of_pairs):
                assert ratio == pytest.approx(min(low / high for low, high in of_pairs))
            else:
                assert np.isnan(ratio)


def exact_pvalue(y_true, y_pred, group, units):
    """Return the share of all permutations of the units that differ by as much."""
    error, groups = np.abs(y_true - y_pred), np.unique(group)

    def differences_of(group):
        means = np.array([error[group == g].mean() for g in groups])
        return (means - means[:, None])[np.triu_indices(len(means), 1)]

    at = [np.flatnonzero(units == unit) for unit in np.unique(units)]
    differences = []
    for orders in itertools.product(*(itertools.permutations(rows) for rows in at)):
        permuted = group.copy()
        for rows, order in zip(at, orders, strict=True):
            permuted[rows] = group[list(order)]
        differences.append(differences_of(permuted))
    expected = np.mean(differences, axis=0)
    farthest = np.abs(differences - expected).max(axis=1)
    return np.mean(farthest >= np.abs(differences_of(group) - expected).max() - 1e-9)


def test_pvalue_matches_all_permutations_within_classes():
    y_true = np.array([0, 0, 0, 0, 1, 1, 1, 1, 1])
    y_pred = np.array([0, 0, 1, 2, 1, 1, 1, 2, 0])
    group = np.array([0, 0, 1, 1, 0, 0, 1, 1, 1])
    expected = exact_pvalue(y_true, y_pred, group, y_true)
    (found,) = inferred(y_true, y_pred, group, [MAE], n_permutations=9_999)
    assert found.differences["between_groups"].errors_pvalue == pytest.approx(expected, abs=0.015)


def test_pvalue_matches_all_permutations_within_clusters_of_several_groups():
    y_true = np.repeat([0, 1, 1, 2], 3)
    y_pred = np.array([0, 0, 1, 1, 1, 0, 1, 2, 1, 2, 2, 0])
    group, clusters = np.tile([0, 1, 2], 4), np.repeat(np.arange(4), 3)
    expected = exact_pvalue(y_true, y_pred, group, clusters)
    (found,) = inferred(
        y_true,
        y_pred,
        group,
        [MAE],
        n_permutations=9_999,
        clusters=clusters,
    )
    assert found.differences["between_groups"].errors_pvalue == pytest.approx(expected, abs=0.015)


def test_pvalue_matches_all_permutations_of_whole_clusters():
    y_true = np.array([0, 1, 0, 1, 2, 2, 0, 1, 1, 2, 0, 0])
    y_pred = np.array([0, 1, 1, 2, 0, 2, 0, 0, 1, 2, 0, 1])
    clusters = np.array([0, 0, 1, 1, 1, 2, 3, 3, 4, 4, 5, 5])
    of_cluster = np.array([0, 1, 1, 0, 0, 1])
    error = np.abs(y_true - y_pred)

    def difference(of_cluster):
        group = of_cluster[clusters]
        return error[group == 0].mean() - error[group == 1].mean()

    orders = set(itertools.permutations(of_cluster.tolist()))
    permuted = np.array([difference(np.array(order)) for order in orders])
    observed = abs(difference(of_cluster) - permuted.mean())
    expected = np.mean(np.abs(permuted - permuted.mean()) >= observed - 1e-9)
    (found,) = inferred(
        y_true,
        y_pred,
        of_cluster[clusters],
        [MAE],
        n_permutations=9_999,
        clusters=clusters,
    )
    # With two groups, the largest difference between them.
    assert found.differences["between_groups"].errors_pvalue == pytest.approx(expected, abs=0.015)


def test_permutations_keep_the_classes_of_groups_and_the_predictions_of_classes():
    y_true, y_pred, group = three_groups()
    before, units = counted_and_units(y_true, y_pred, group, sample_weight=np.ones(300))
    stacks = list(units.permuted(np.random.default_rng(0), 20))
    after = np.concatenate([np.moveaxis(stack.counts, 1, 0) for stack in stacks])
    assert (after != before).any()
    np.testing.assert_array_equal(
        after.sum(axis=1), np.broadcast_to(before.sum(axis=0), (20, 4, 4))
    )
    np.testing.assert_array_equal(
        after.sum(axis=-1), np.broadcast_to(before.sum(axis=-1), (20, 3, 4))
    )


def test_permutations_within_clusters_of_several_groups_keep_the_samples():
    y_true, y_pred, group = three_groups(60)
    for clusters in (y_true.max() - y_true, np.arange(60) % 5):
        before, units = counted_and_units(y_true, y_pred, group, clusters=clusters)
        for stack in units.permuted(np.random.default_rng(0), 20):
            after = np.moveaxis(stack.counts, 1, 0)
            kept = np.broadcast_to(before.sum(axis=0), (len(after), 4, 4))
            np.testing.assert_array_equal(after.sum(axis=1), kept)


@pytest.mark.parametrize("sample_weight", [None, np.linspace(0.5, 2, 300)])
def test_permutations_have_the_expected_counts_on_average(sample_weight):
    before, units = counted_and_units(*three_groups(), sample_weight=sample_weight)
    stacks = list(units.permuted(np.random.default_rng(0), 400))
    after = np.concatenate([np.moveaxis(stack.counts, 1, 0) for stack in stacks])
    np.testing.assert_allclose(after.sum(axis=1), np.broadcast_to(before.sum(axis=0), (400, 4, 4)))
    ((_, expected_groups),) = units.expected()
    expected = expected_groups.counts[:, 0]
    np.testing.assert_allclose(after.mean(axis=0), expected, atol=0.5)


def test_copies_of_samples_in_clusters_count_as_the_samples():
    y_true, y_pred, group = three_groups()
    twice = inferred(
        np.tile(y_true, 2),
        np.tile(y_pred, 2),
        np.tile(group, 2),
        ["cem_ord"],
        n_permutations=4_999,
        clusters=np.tile(np.arange(300), 2),
    )[0].differences["between_groups"]
    once = inferred(y_true, y_pred, group, ["cem_ord"], n_permutations=4_999)[0]
    once = once.differences["between_groups"]
    assert twice.low == pytest.approx(once.low, abs=0.01)
    assert twice.high == pytest.approx(once.high, abs=0.01)
    # Copies of a sample have its class, so that they are exchanged like the sample.
    assert twice.errors_pvalue == pytest.approx(once.errors_pvalue, abs=0.02)


def test_clusters_of_one_class_each_keep_the_class_sizes():
    y_true, y_pred, group = three_groups()
    clusters = np.r_[np.arange(300), np.arange(300)]
    y_true, y_pred, group = (np.r_[column, column] for column in (y_true, y_pred, group))
    y_pred[:20] = 0
    before, units = counted_and_units(y_true, y_pred, group, clusters=clusters)
    assert units.exchanged == "clusters of the same true class"
    before = before.sum(axis=-1)
    for stack in units.permuted(np.random.default_rng(0), 20):
        after = np.moveaxis(stack.counts.sum(axis=-1), 1, 0)
        np.testing.assert_array_equal(after, np.broadcast_to(before, after.shape))


def test_rounding_errors_of_weights_do_not_separate_ties():
    rng = np.random.default_rng(34)
    y_true, group = rng.integers(3, size=60), rng.integers(3, size=60)
    y_pred = np.where(rng.random(60) < 0.95, y_true, rng.integers(3, size=60))
    options = {"metrics": ["accuracy"], "n_permutations": 99}
    plain, thirds = (
        inferred(y_true, y_pred, group, sample_weight=np.full(60, weight), **options)[0]
        for weight in (1, 1 / 3)
    )
    for against, difference in plain.differences.items():
        other = thirds.differences[against]
        assert (difference.low, difference.high) == pytest.approx((other.low, other.high))
        assert (difference.errors_pvalue, difference.between) == (
            other.errors_pvalue,
            other.between,
        )


def test_the_ratio_of_a_value_that_is_zero_up_to_rounding_is_zero():
    # The kappa of a constant prediction is 0, and -2e-16 for these weights.
    rng = np.random.default_rng(1)
    y_true, group, weight = rng.integers(3, size=30), np.arange(30) % 2, rng.random(30)
    y_pred = np.where(group == 0, 1, y_true)
    (found,) = inferred(
        y_true, y_pred, group, ["quadratic_weighted_kappa"], sample_weight=weight, n_permutations=19
    )
    ratio = found.ratios["between_groups"]
    assert ratio.estimate == 0
    assert np.isnan(ratio.low)


def unbounded_loss(y_true, y_pred):
    errors = np.abs(y_true - y_pred)
    return np.inf if (errors > 1).any() else errors.mean()


def test_infinite_losses_of_groups_do_not_warn():
    y_true, group = np.arange(30) % 3, np.arange(30) // 10
    y_pred = np.where(np.arange(30) == 0, 2, y_true)
    (found,) = inferred(y_true, y_pred, group, [unbounded_loss], n_permutations=19)
    assert [one.estimate for one in found.by_group] == [np.inf, 0, 0]
    assert found.differences["between_groups"].estimate == np.inf
    # Functions of labels have no derivatives.
    assert np.isnan(found.by_group[1].low)


def test_many_groups_need_little_memory():
    # All differences of 120 groups in 499 resamples are 29 MB, and were there several times.
    rng = np.random.default_rng(0)
    y_true, group = rng.integers(3, size=600), np.arange(600) % 120
    y_pred, options = np.clip(y_true + rng.integers(-1, 2, size=600), 0, 2), {"n_permutations": 499}
    tracemalloc.start()
    inferred(y_true, y_pred, group, ["accuracy"], names=list(map(str, range(120))), **options)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 25e6


def test_groups_without_errors_make_a_ratio_of_zero():
    y_true, group = np.repeat([0, 1], 30), np.tile([0, 1, 2], 20)
    for n_without in (1, 2):
        is_right = (group < n_without) | (np.arange(60) < 15)
        y_pred = np.where(is_right, y_true, 1 - y_true)
        (found,) = inferred(y_true, y_pred, group, [MAE], n_permutations=99)
        ratio = found.ratios["between_groups"]
        assert ratio.estimate == 0
        assert np.isnan(ratio.low)
    (found,) = inferred(y_true, y_true, group, [MAE], n_permutations=9)
    assert np.isnan(found.ratios["between_groups"].estimate)


def test_a_group_where_a_metric_is_undefined_is_left_out_of_the_comparisons():
    y_true = np.array([0, 1, 2, 0, 1, 2, 1, 1, 1, 2, 2, 0])
    y_pred = np.array([0, 1, 1, 1, 1, 2, 1, 1, 1, 2, 1, 0])
    group = np.repeat([0, 2, 1, 2], 3)
    (found,) = inferred(y_true, y_pred, group, ["kendall_tau_b"], n_permutations=99)
    east, north, west = found.by_group
    assert np.isnan(north.estimate)
    assert found.group_min.estimate == min(east.estimate, west.estimate)
    assert "north" not in found.differences["between_groups"].between


def test_a_group_without_weight_is_undefined():
    y_true, y_pred, group = three_groups()
    (found,) = inferred(
        y_true, y_pred, group, ["cem_ord"], sample_weight=1.0 * (group < 2), n_permutations=9
    )
    assert np.isnan(found.by_group[2].estimate)
    assert not np.isnan(found.differences["between_groups"].estimate)


def test_groups_at_other_class_sizes():
    y_true, y_pred, group = three_groups()
    shares = np.array([0.1, 0.2, 0.3, 0.4])
    (found,) = inferred(y_true, y_pred, group, ["cem_ord"], prevalence=shares, n_permutations=99)
    expected = [
        get_metric("cem_ord")(
            OrdinalConfusion.from_predictions(y_true[of], y_pred[of]).at_prevalence(shares)
        )
        for of in (group >= 0, group == 0, group == 1, group == 2)
    ]
    np.testing.assert_allclose([one.estimate for one in (found.overall, *found.by_group)], expected)


def test_a_group_without_a_class_has_no_value_at_class_sizes_with_it():
    y_true = np.array([0, 1, 2, 0, 1, 2, 1, 1, 0, 2, 2, 0])
    group = np.repeat([0, 2, 1, 2], 3)
    (found,) = inferred(y_true, y_true, group, ["cem_ord"], prevalence=np.full(3, 1 / 3))
    assert [np.isnan(one.estimate) for one in found.by_group] == [False, True, False]


def test_unanswered_samples_count():
    y_true, y_pred, group = three_groups()
    y_pred = y_pred.astype(object)
    y_pred[:30] = None
    closeness, mae = inferred(y_true, y_pred, group, ["cem_ord", MAE], unanswered="count")
    assert closeness.overall.estimate == pytest.approx(
        cem_ord_score(y_true, y_pred, unanswered="count")
    )
    n_missing = np.bincount(group[:30], minlength=3).tolist()
    assert [one.n_left_out for one in mae.by_group] == n_missing
    assert mae.overall.n_left_out == 30
    assert {one.n_left_out for one in closeness.by_group} == {0}
