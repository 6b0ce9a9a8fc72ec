"""Tests of all groups in closed form: permutations, enumeration, SciPy and NumPy by hand."""

import itertools
import math
import warnings

import numpy as np
import pytest
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import brier_score_loss
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import GroupReport, cross_val_report
from sklearn_ordinal.inference import _unit_moves
from tests import degrees_of_freedom

K = 4
N_PERMUTATIONS = 10_000


def samples(sizes, seed=0, effect=0.3, n_classes=K):
    """Return true classes, predictions and groups; classes and errors differ between groups."""
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(len(sizes)), sizes)
    shares = np.array([0.5, 0.25, 0.15, 0.1])[:n_classes]
    draws = [
        rng.choice(n_classes, size=size, p=np.roll(shares, g % 2) / shares.sum())
        for g, size in enumerate(sizes)
    ]
    y_true = np.concatenate(draws)
    is_wrong = rng.random(len(group)) < 0.35 + effect * (group == 1)
    y_pred = np.clip(y_true + is_wrong * rng.choice([-1, 1], len(group)), 0, n_classes - 1)
    return y_true, y_pred, group


def within(amounts, y_true):
    """Return amounts minus their mean in each true class."""
    return amounts - np.array([amounts[y_true == y].mean() for y in y_true])


def permuted_groups(y_true, group, rng):
    """Return groups that are permuted at random within true classes: (N_PERMUTATIONS, n)."""
    order = np.argsort(y_true, kind="stable")
    keys = y_true[order] + rng.random((N_PERMUTATIONS, len(group)))
    permuted = np.empty((N_PERMUTATIONS, len(group)), dtype=int)
    permuted[:, order] = group[order][np.argsort(keys, axis=1)]
    return permuted


def assert_permutation_pvalues(found, amounts, y_true, group, step=0.0):
    """Check p-values of the sums of amounts of groups against permutations within true classes.

    The sums of discrete amounts are `step` apart. In closed form, they are continuous.
    """
    numbers = np.unique(group)
    totals = np.abs([amounts[group == g].sum() for g in numbers])
    permuted = permuted_groups(y_true, group, np.random.default_rng(0))
    trials = np.abs(np.stack([(permuted == g) @ amounts for g in numbers], axis=1))
    low, high = ((trials >= totals + s / 2 - 1e-9).mean(axis=0) for s in (step, -step))
    # Four standard errors of the permutations.
    error = 4 * np.sqrt(np.maximum(high * (1 - high), 1e-4) / N_PERMUTATIONS) + 0.005
    assert (low - error <= found).all(), (low, found)
    assert (found <= high + error).all(), (found, high)


def closed(y_true, y_pred, group, metric, **options):
    """Return the test of a report."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        report = GroupReport.from_predictions(
            y_true, y_pred, by=group, metrics=metric, labels=range(K), **options
        )
    (name,) = report.inferred
    return report, report.moves[name].observed_minus_expected()


def kappa_amounts(y_true, y_pred):
    """Return what samples add to the difference of the weighted kappa from its linear form.

    With the kappa 1 - D / E, a sample moves D by its squared error, and E by the mean squared
    error of its two classes with the classes of the others.
    """
    disagreement = (y_true - y_pred) ** 2.0
    expected = np.subtract.outer(y_true, y_pred) ** 2.0
    of_chance = expected.mean(axis=1) + expected.mean(axis=0)
    kappa = 1 - disagreement.mean() / expected.mean()
    return -disagreement / expected.mean() + (1 - kappa) * of_chance / expected.mean()


@pytest.mark.parametrize(
    "sizes", [(160, 60), (40, 40, 40, 40), (30, 30, 30, 30, 130)], ids=["2", "4", "5"]
)
@pytest.mark.parametrize("metric", ["accuracy", "quadratic_weighted_kappa"])
def test_pvalues_of_groups_match_permutations_within_true_classes(sizes, metric):
    y_true, y_pred, group = samples(sizes)
    amounts, step = (y_true == y_pred) * 1.0, 1
    if metric != "accuracy":
        amounts, step = kappa_amounts(y_true, y_pred), 0
    found = closed(y_true, y_pred, group, metric)[1].by_group
    assert_permutation_pvalues(found, within(amounts, y_true), y_true, group, step)


@pytest.mark.parametrize("seed", range(3))
def test_the_moments_are_those_of_all_permutations(seed):
    # A table that is small enough to enumerate the groups of its samples in each class.
    rng = np.random.default_rng(seed)
    y_true = np.repeat([0, 1, 2], [5, 4, 3])
    group = np.r_[0, 0, 1, 1, 2, 0, 1, 1, 2, 0, 1, 1]
    y_pred = np.r_[rng.permutation([0, 0, 1, 2, 3]), rng.permutation([0, 1, 1, 3]), 2, 3, 0]
    error = np.abs(y_true - y_pred) / len(y_true)
    amounts, moments = within(error, y_true), np.zeros((3, 2))
    for y in range(3):
        orders = list(set(itertools.permutations(group[y_true == y])))
        of_class = np.array(
            [[(np.array(order) == g) @ amounts[y_true == y] for g in range(3)] for order in orders]
        )
        moments += np.stack([(of_class**2).mean(axis=0), (of_class**3).mean(axis=0)], axis=1)
    totals = np.array([amounts[group == g].sum() for g in range(3)])
    z, skewness = totals / moments[:, 0] ** 0.5, moments[:, 1] / moments[:, 0] ** 1.5
    tails = [stats.pearson3(s) for s in skewness]
    expected = [d.sf(abs(v)) + d.cdf(-abs(v)) for d, v in zip(tails, z, strict=True)]
    test = closed(y_true, y_pred, group, "ordinal_mean_absolute_error")[1]
    np.testing.assert_allclose(test.by_group, expected, rtol=1e-9)
    assert test.pvalue == pytest.approx(1 - (1 - min(expected)) ** 3)


@pytest.mark.parametrize("skewness", [-3, -0.2, -1e-3, 0, 1e-5, 0.5, 2])
def test_tails_are_those_of_scipy(skewness):
    z = np.array([0.0, 0.3, 1.5, 2, 4])
    law = stats.pearson3(skewness) if skewness else stats.norm
    found = _unit_moves._pearson_pvalues(z, np.full(5, float(skewness)))
    np.testing.assert_allclose(found, law.sf(z) + law.cdf(-z), rtol=1e-4)


def test_two_groups_are_one_test():
    test = closed(*samples((80, 60)), "cem_ord")[1]
    np.testing.assert_allclose(test.by_group, test.pvalue, rtol=1e-9)


def test_samples_with_weights_are_permuted_with_their_weights():
    y_true, y_pred, group = samples((60, 50, 40))
    weight = np.random.default_rng(1).choice([0, 0.5, 1, 3], size=len(group))
    is_right = (y_true == y_pred) * 1.0
    means = [np.average(is_right[y_true == y], weights=weight[y_true == y]) for y in y_true]
    amounts, has_weight = weight * (is_right - means), weight > 0
    drawn = amounts[has_weight], y_true[has_weight], group[has_weight]
    found = closed(y_true, y_pred, group, "accuracy", sample_weight=weight)[1].by_group
    assert_permutation_pvalues(found, *drawn)


def test_classes_count_with_their_shares_at_a_prevalence():
    y_true, y_pred, group = samples((120, 90))
    shares = np.array([0.1, 0.2, 0.3, 0.4])
    sizes = np.bincount(y_true)
    amounts = within((y_true == y_pred) * 1.0, y_true) * (shares / sizes)[y_true]
    found = closed(y_true, y_pred, group, "accuracy", prevalence=shares)[1].by_group
    assert_permutation_pvalues(found, amounts, y_true, group)


def test_probabilities_are_tested_as_classes_are():
    y_true, _, group = samples((60, 50, 40))
    y_proba = np.random.default_rng(2).dirichlet(np.ones(K), size=len(group))
    y_proba[group == 2] = (y_proba[group == 2] + np.eye(K)[y_true[group == 2]]) / 2
    loss = ((y_proba - np.eye(K)[y_true]) ** 2).sum(axis=1)
    report = GroupReport.from_predictions(
        y_true, y_proba=y_proba, by=group, metrics=brier_score_loss, labels=range(K)
    )
    (name,) = report.inferred
    found = report.moves[name].observed_minus_expected()
    assert_permutation_pvalues(found.by_group, within(loss, y_true), y_true, group)
    assert report.difference()[name].errors_pvalue == found.pvalue


@pytest.mark.parametrize("is_crossed", [False, True])
def test_clusters_have_the_t_test_of_their_moves(is_crossed):
    y_true, y_pred, group = samples((90, 70, 80))
    rng = np.random.default_rng(3)
    # With several groups in each cluster, all clusters are one sample.
    cluster = rng.integers(25, size=240) + (0 if is_crossed else 25 * group)
    amounts = within((y_true == y_pred) / 240, y_true)
    expected = []
    for g in range(3):
        shares = np.array([(group[y_true == y] == g).mean() for y in range(K)])
        moves = np.bincount(cluster, ((group == g) - shares[y_true]) * amounts, cluster.max() + 1)
        weights = np.bincount(cluster)
        parts = [np.arange(25)] if is_crossed else np.split(np.arange(75), 3)
        # Moves about their mean in each independent sample.
        parts = [part[weights[part] > 0] for part in parts]
        centred = [moves[part] - moves[part].mean() for part in parts]
        error, degrees = degrees_of_freedom.of_samples(centred, [weights[part] for part in parts])
        total = amounts[group == g].sum()
        assert total == pytest.approx(moves.sum())
        expected.append(2 * stats.t.sf(abs(total) / error, degrees))
    test = closed(y_true, y_pred, group, "accuracy", clusters=cluster)[1]
    np.testing.assert_allclose(test.by_group, expected, rtol=1e-9)


def test_a_sample_that_is_tested_several_times_counts_once():
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(150, 2)), np.arange(150) % 3
    group = rng.integers(3, size=150)
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    folds = cross_val_report(
        DecisionTreeClassifier(max_depth=2, random_state=0), X, y, cv=cv, scoring="accuracy"
    )
    report = GroupReport.from_cross_val(folds, by=group)
    is_right = np.zeros(150)
    for fold in folds.fold_predictions:
        is_right[fold.test] += (fold.y_pred == y[fold.test]) / 2
    found = report.moves["accuracy"].observed_minus_expected().by_group
    assert_permutation_pvalues(found, within(is_right, y), y, group, step=0.5)


def test_groups_without_a_class_in_common_have_no_pvalue():
    y_true, y_pred = np.repeat([0, 1], 20), np.tile([0, 1], 20)
    report, test = closed(y_true, y_pred, y_true, "accuracy")
    assert math.isnan(test.pvalue)
    assert "Errors within true classes cannot be compared: no class occurs in two" in " ".join(
        str(report).split()
    )


def test_a_group_without_a_class_is_tested_in_the_others():
    y_true, y_pred, group = samples((80, 60))
    is_kept = (group == 0) | (y_true > 0)
    y_true, y_pred, group = y_true[is_kept], y_pred[is_kept], group[is_kept]
    amounts = within((y_true == y_pred) * 1.0, y_true)
    is_shared = y_true > 0
    found = closed(y_true, y_pred, group, "accuracy")[1].by_group
    drawn = amounts[is_shared], y_true[is_shared], group[is_shared]
    assert_permutation_pvalues(found, *drawn, step=1)


def test_samples_that_are_alike_are_no_evidence():
    y_true, _, group = samples((30, 40))
    assert closed(y_true, y_true, group, "accuracy")[1].pvalue == 1
