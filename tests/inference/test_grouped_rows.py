"""Groups by probabilities and scores, checked against samples alone and against enumeration."""

import itertools
from functools import partial

import numpy as np
import pytest

from sklearn_ordinal import OrdinalConfusion, OrdinalForecasts, OrdinalScores, get_metric
from sklearn_ordinal._core.catalogue import metrics_of
from sklearn_ordinal._core.evidence_kinds import PROBABILITIES, SCORES
from sklearn_ordinal.inference._group_values import (
    GroupedCounts,
    GroupedRows,
    GroupedUnits,
    group_values,
)
from sklearn_ordinal.metrics import (
    cem_ord_decision_score,
    ranked_probability_score,
    ranked_probability_skill_score,
)
from tests.inference.inferred_groups import inferred_groups

SHARES = np.array([0.1, 0.2, 0.3, 0.4])


def three_groups(n_samples=120, seed=0):
    """Return classes, probabilities and groups with other class sizes."""
    rng = np.random.default_rng(seed)
    group = rng.integers(3, size=n_samples)
    y_true = rng.binomial(3, np.array([0.3, 0.5, 0.6])[group])
    y_proba = rng.dirichlet(np.ones(4), size=n_samples) / 2 + np.eye(4)[y_true] / 2
    return y_true, y_proba, group


def grouped_rows(y_true, predicted, group, **reading):
    is_proba = np.ndim(predicted) == 2
    read = OrdinalForecasts.from_probabilities if is_proba else OrdinalScores.from_scores
    return GroupedRows.from_samples(read(y_true, predicted, **reading), group, group.max() + 1)


def inferred(
    metrics,
    y_true,
    y_proba,
    group,
    *,
    n_permutations=19,
    prevalence=None,
    clusters=None,
    weight=None,
):
    metrics = [get_metric(metric) for metric in metrics]
    units = grouped_rows(y_true, y_proba, group, sample_weight=weight, clusters=clusters)
    return inferred_groups(
        metrics,
        units,
        units,
        "abc"[: group.max() + 1],
        np.random.default_rng(0),
        prevalence=prevalence,
        n_permutations=n_permutations,
    )


def estimates(found):
    return [one.estimate for one in (found.overall, *found.by_group)]


@pytest.mark.parametrize("prevalence", [None, SHARES])
def test_groups_have_the_values_of_their_samples(prevalence):
    y_true, y_proba, group = three_groups()
    chosen = [
        metric
        for metric in metrics_of(PROBABILITIES, SCORES).values()
        if "cem" not in metric.name or prevalence is not None
    ]
    found = inferred(chosen, y_true, y_proba, group, n_permutations=1, prevalence=prevalence)
    for metric, of_metric in zip(chosen, found, strict=True):
        expected = []
        for of in (group >= 0, group == 0, group == 1, group == 2):
            true, weight = y_true[of], None
            if prevalence is not None:
                weight = prevalence[true] / np.bincount(true)[true]
            forecasts = OrdinalForecasts.from_probabilities(
                true, y_proba[of], labels=range(4), sample_weight=weight
            )
            expected.append(metric(forecasts))
        np.testing.assert_allclose(estimates(of_metric), expected, err_msg=metric.name)


def test_decisions_of_groups_are_those_by_the_class_sizes_of_all():
    y_true, y_proba, group = three_groups()
    (found,) = inferred(["cem_ord_decision"], y_true, y_proba, group)
    expected = [
        cem_ord_decision_score(
            y_true[group == g], y_proba[group == g], class_counts=np.bincount(y_true)
        )
        for g in range(3)
    ]
    np.testing.assert_allclose(estimates(found)[1:], expected)


def test_a_reference_has_the_rows_of_the_group():
    y_true, y_proba, group = three_groups()
    reference = three_groups(seed=1)[1]
    metric = partial(ranked_probability_skill_score, reference=reference)
    (found,) = inferred([metric], y_true, y_proba, group)
    expected = [
        ranked_probability_skill_score(y_true[of], y_proba[of], reference=reference[of])
        for of in (group >= 0, group == 0, group == 1, group == 2)
    ]
    np.testing.assert_allclose(estimates(found), expected)


@pytest.mark.parametrize("are_nested", [None, False, True])
def test_certain_forecasts_have_the_intervals_and_tests_of_classes(are_nested):
    # The ranked probability score of certain forecasts is the absolute error.
    y_true, _, group = three_groups()
    error = np.random.default_rng(0).integers(-1, 2, size=len(y_true)) * (group + 1 > y_true)
    y_pred = np.clip(y_true + error, 0, 3)
    clusters = None
    if are_nested is not None:
        clusters = np.arange(len(y_true)) // 3 + (1000 * group if are_nested else 0)
    counted = OrdinalConfusion.from_predictions(y_true, y_pred, by=group, clusters=clusters)
    of_classes = GroupedUnits.from_confusion(counted, np.arange(3))
    drawn = GroupedCounts.from_confusion(counted, np.arange(3))
    metric = get_metric(ranked_probability_score)
    of_rows = grouped_rows(y_true, np.eye(4)[y_pred], group, clusters=clusters)
    assert of_rows.exchanged == of_classes.exchanged
    np.testing.assert_array_equal(of_rows.class_counts(), drawn.class_counts())
    error = get_metric("ordinal_mean_absolute_error")
    (found,), (expected,) = (
        inferred_groups(
            [one], *units, "abc", np.random.default_rng(0), prevalence=None, n_permutations=1_999
        )
        for one, units in ((metric, (of_rows, of_rows)), (error, (drawn, of_classes)))
    )
    np.testing.assert_allclose(estimates(found), estimates(expected))
    for one, other in zip(found.by_group, expected.by_group, strict=True):
        assert one.n_left_out == other.n_left_out == 0
        assert one.standard_error == pytest.approx(other.standard_error)
    for against, difference in expected.differences.items():
        assert found.differences[against].errors_pvalue == pytest.approx(
            difference.errors_pvalue, abs=0.04
        )
        assert found.differences[against].high == pytest.approx(difference.high)


def test_pvalue_matches_all_permutations_within_classes():
    y_true = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    group = np.array([0, 0, 1, 1, 0, 1, 1, 1])
    y_proba = np.random.default_rng(3).dirichlet([1, 1], size=8)
    weight = np.array([1, 2, 1, 3, 2, 1, 1, 2])
    loss = (y_proba[:, 0] - (y_true == 0)) ** 2
    differences = []
    for orders in itertools.product(itertools.permutations(range(4)), repeat=2):
        first = group[np.r_[orders[0], np.add(orders[1], 4)]] == 0
        means = [np.average(loss[of], weights=weight[of]) for of in (first, ~first)]
        differences.append(means[0] - means[1])
    # Expected weights of each group.
    in_first = weight * np.repeat([2 / 4, 1 / 4], 4)
    expected = np.average(loss, weights=in_first) - np.average(loss, weights=weight - in_first)
    observed = abs(differences[0] - expected)
    (found,) = inferred(
        [ranked_probability_score], y_true, y_proba, group, n_permutations=4_999, weight=weight
    )
    pvalue = np.mean(np.abs(np.array(differences) - expected) >= observed - 1e-9)
    assert found.differences["between_groups"].errors_pvalue == pytest.approx(pvalue, abs=0.02)


def test_permutations_keep_the_class_sizes_and_have_the_expected_weights_on_average():
    y_true, y_proba, group = three_groups()
    units = grouped_rows(y_true, y_proba, group, sample_weight=np.ones(120))
    stacks = list(units.permuted(np.random.default_rng(0), 400))
    ((_, expected_groups),) = units.expected()
    for g, (sizes, expected) in enumerate(
        zip(units.class_counts(), expected_groups.groups, strict=True)
    ):
        weights = np.zeros((400, 120))
        starts = np.cumsum([0, *(len(stack.groups[g].weights) for stack in stacks)])
        for start, stack in zip(starts, stacks, strict=False):
            of_group = stack.groups[g].weights
            weights[start : start + len(of_group), stack.members[g]] = of_group
        assert starts[-1] == 400
        for k in range(4):
            np.testing.assert_array_equal(weights[:, y_true == k].sum(axis=1), sizes[k])
        np.testing.assert_allclose(weights.mean(axis=0), expected.weights[0], atol=0.12)


def test_samples_without_weight_are_absent():
    y_true, y_proba, group = three_groups()
    weight = np.where(np.arange(120) < 30, 0, 1.5)
    metrics = ["ranked_probability_score", "expected_cem_ord"]
    found = inferred(metrics, y_true, y_proba, group, weight=weight)
    alone = inferred(metrics, y_true[30:], y_proba[30:], group[30:], weight=weight[30:])
    for one, other in zip(found, alone, strict=True):
        np.testing.assert_allclose(estimates(one), estimates(other))
        difference = one.differences["between_groups"]
        assert difference.high == pytest.approx(other.differences["between_groups"].high)


def test_a_group_without_weight_is_undefined():
    y_true, y_proba, group = three_groups()
    (found,) = inferred(
        ["ranked_probability_score"], y_true, y_proba, group, weight=1.0 * (group < 2)
    )
    assert np.isnan(found.by_group[2].estimate)
    assert not np.isnan(found.differences["between_groups"].estimate)


@pytest.mark.parametrize("has_empty_group", [False, True])
def test_permuted_values_of_many_groups_are_those_of_their_samples(has_empty_group):
    rng = np.random.default_rng(0)
    y_true, group = rng.integers(4, size=240), rng.permutation(np.arange(240) % 24)
    y_proba = rng.dirichlet(np.ones(4), size=240)
    weight = rng.integers(1, 4, size=240) * ~((group == 5) & has_empty_group)
    units = grouped_rows(y_true, y_proba, group, sample_weight=weight)
    loss = ((y_proba.cumsum(axis=1) - (y_true[:, None] <= np.arange(4))) ** 2).sum(axis=1)
    metrics = list(metrics_of(PROBABILITIES, SCORES).values())
    rps = [metric.name for metric in metrics].index("ranked_probability_score")
    (stack,) = units.permuted(np.random.default_rng(0), 3)
    assert sum(map(len, stack.members)) <= 3 * 240 + 24
    weights = np.zeros((3, 240))
    for members, groups in zip(stack.members, stack.groups, strict=True):
        weights[:, members] += groups.weights
    np.testing.assert_array_equal(weights, np.tile(weight, (3, 1)))
    values = np.stack([group_values(metric, stack) for metric in metrics])
    for g, (members, groups) in enumerate(zip(stack.members, stack.groups, strict=True), start=1):
        expected = [
            np.average(loss[members], weights=of_permutation) if of_permutation.any() else np.nan
            for of_permutation in groups.weights
        ]
        np.testing.assert_allclose(values[rps, g], expected, rtol=1e-12)
    assert np.isnan(values[:, 1:]).all(axis=(0, 2)).tolist() == [
        has_empty_group and g == 5 for g in range(24)
    ]
