"""Closed-form intervals of groups, checked against brute force and formulas."""

import math
import warnings
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.special import expit, logit
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal import GroupReport, OrdinalConfusion, OrdinalForecasts, get_metric
from sklearn_ordinal._core.catalogue import metrics_of
from sklearn_ordinal._core.evidence_kinds import LABELS
from sklearn_ordinal.inference import delta_interval
from sklearn_ordinal.metrics import cem_ord_score, ranked_probability_skill_score
from tests import degrees_of_freedom

SHARES = np.array([0.1, 0.4, 0.3, 0.2])


def samples(n_groups=3, size=60, seed=0):
    rng = np.random.default_rng(seed)
    n = n_groups * size
    group = np.arange(n) % n_groups
    y_true = np.minimum(rng.integers(4, size=n), rng.integers(4, size=n) + group % 2)
    y_pred = np.clip(y_true + rng.choice([-1, 0, 0, 1, 2], size=n), 0, 3)
    return y_true, y_pred, group, rng.uniform(0.5, 2, size=n)


def report(y_true, y_pred, group, metrics, **options):
    options = {"labels": range(4), "n_permutations": 0} | options
    return GroupReport.from_predictions(y_true, y_pred, by=group, metrics=metrics, **options)


def numbers(interval):
    return [interval.estimate, interval.low, interval.high, interval.standard_error]


def all_numbers(found):
    """Return all numbers of the intervals of a report."""
    rows = found._records()
    return np.array([[row[name] for name in ("estimate", "low", "high")] for row in rows])


def simultaneous_quantile(level, n_intervals, degrees):
    return stats.t.ppf((1 + level ** (1 / n_intervals)) / 2, degrees)


@pytest.mark.parametrize("is_weighted", [False, True])
def test_intervals_are_those_of_each_matrix(is_weighted):
    y_true, y_pred, group, weight = samples()
    weight = weight if is_weighted else None
    metrics = [
        metric
        for metric in metrics_of(LABELS).values()
        if not metric.name.startswith("cem") and metric.name != "optimistic"
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        found = report(y_true, y_pred, group, metrics, sample_weight=weight)
        stack = OrdinalConfusion.from_predictions(y_true, y_pred, by=group, sample_weight=weight)
        expected = delta_interval(stack, metrics=metrics)
        overall = delta_interval(y_true, y_pred, metrics, sample_weight=weight)
    for metric in metrics:
        name = metric.name
        np.testing.assert_allclose(
            [numbers(found.by_group[name][str(g)]) for g in range(3)],
            [numbers(expected[name][g]) for g in range(3)],
            atol=1e-12,
            err_msg=name,
        )
        np.testing.assert_allclose(
            numbers(found.overall[name]), numbers(overall[name]), atol=1e-12, err_msg=name
        )


def test_a_share_of_some_samples_has_its_own_number_of_samples():
    y_true, y_pred, group, _ = samples()
    names = ["sensitivity(at=1)", "accuracy", "specificity(at=1)"]
    found = report(y_true, y_pred, group, names)
    stack = OrdinalConfusion.from_predictions(y_true, y_pred, by=group)
    for name, expected in delta_interval(stack, metrics=names).items():
        np.testing.assert_allclose(
            [numbers(found.by_group[name][str(g)]) for g in range(3)],
            [numbers(expected[g]) for g in range(3)],
        )


def test_differences_have_the_errors_of_welch_for_all_pairs_together():
    y_true, y_pred, group, _ = samples(4, 30)
    is_right = [(y_pred == y_true)[group == g] for g in range(4)]
    ends = []
    for first, second in combinations(is_right, 2):
        _, degrees = degrees_of_freedom.of_means(first, second)
        error = math.sqrt(first.var(ddof=1) / 30 + second.var(ddof=1) / 30)
        margin = simultaneous_quantile(0.95, 6, degrees) * error
        difference = abs(first.mean() - second.mean())
        ends.append((difference - margin, difference + margin))
    found = report(y_true, y_pred, group, "accuracy").difference()["accuracy"]
    low, high = np.max(ends, axis=0)
    assert found.low == pytest.approx(max(low, 0), abs=1e-6)
    assert found.high == pytest.approx(high, abs=1e-6)
    assert math.isnan(found.pvalue)
    means = [right.mean() for right in is_right]
    assert found.estimate == pytest.approx(max(means) - min(means))


def test_a_difference_of_two_groups_has_the_interval_of_a_t_test():
    y_true, y_pred, group, _ = samples(2, 40)
    errors = np.abs(y_pred - y_true)
    found = report(y_true, y_pred, group, "ordinal_mean_absolute_error")
    difference = found.difference()["ordinal_mean_absolute_error"]
    sides = errors[group == 0], errors[group == 1]
    test = stats.ttest_ind(*sides, equal_var=False)
    _, degrees = degrees_of_freedom.of_means(*sides)
    pvalue = degrees_of_freedom.two_sided(test.statistic, degrees)
    # The interval reaches 0 at the level at which the test rejects.
    strict = report(
        y_true,
        y_pred,
        group,
        "ordinal_mean_absolute_error",
        confidence_level=1 - pvalue - 1e-4,
    )
    loose = report(
        y_true,
        y_pred,
        group,
        "ordinal_mean_absolute_error",
        confidence_level=1 - pvalue + 1e-4,
    )
    assert difference.estimate > 0
    assert strict.difference()["ordinal_mean_absolute_error"].low > 0
    assert loose.difference()["ordinal_mean_absolute_error"].low == 0


def test_samples_of_all_groups_move_a_value_that_has_their_class_sizes_as_reference():
    y_true, y_pred, group, weight = samples()
    sizes, step = np.bincount(y_true, weight), 1e-5

    def value(g, weights, sizes):
        mine = group == g
        return cem_ord_score(
            y_true[mine],
            y_pred[mine],
            sample_weight=weights[mine],
            class_counts=sizes,
            labels=range(4),
        )

    moved = np.zeros((len(y_true), 3))
    for k, true in enumerate(y_true):
        by_class = [sizes + sign * step * (np.arange(4) == true) for sign in (1, -1)]
        for g in range(3):
            above, below = (value(g, weight, of_class) for of_class in by_class)
            moved[k, g] = weight[k] * (above - below) / (2 * step)
        own = [weight + sign * step * (np.arange(len(weight)) == k) for sign in (1, -1)]
        above, below = (value(group[k], weights, sizes) for weights in own)
        moved[k, group[k]] += weight[k] * (above - below) / (2 * step)
    # Each group is a sample of its own, of given weight.
    by_sample = []
    for g in range(3):
        mine, of_mine = moved[group == g], weight[group == g, None]
        by_sample.append(mine - of_mine * mine.sum(axis=0) / of_mine.sum())

    def spread(weights):
        parts = [mine @ weights for mine in by_sample]
        weights_of_groups = [weight[group == g] for g in range(3)]
        return degrees_of_freedom.of_samples(parts, weights_of_groups, in_counts=True)

    found = report(y_true, y_pred, group, "cem_ord", sample_weight=weight)
    errors = [found.by_group["cem_ord"][str(g)].standard_error for g in range(3)]
    expected = [spread(of_group)[0] for of_group in np.eye(3)]
    np.testing.assert_allclose(errors, expected, rtol=1e-6)
    values = [value(g, weight, sizes) for g in range(3)]
    ends, ratios = [], []
    for g, h in combinations(range(3), 2):
        pair = np.eye(3)[g] - np.eye(3)[h]
        error, degrees = spread(pair)
        quantile = simultaneous_quantile(0.95, 3, degrees)
        ends.append(abs(values[g] - values[h]) + quantile * error)
        error, degrees = spread(pair / values)
        quantile = simultaneous_quantile(0.95, 3, degrees)
        ratios.append(abs(math.log(values[g] / values[h])) + quantile * error)
    assert found.difference()["cem_ord"].high == pytest.approx(max(ends), abs=1e-5)
    assert found.ratio()["cem_ord"].low == pytest.approx(math.exp(-max(ratios)), abs=1e-5)


def test_the_smallest_and_the_largest_value_have_simultaneous_intervals():
    y_true, y_pred, group, _ = samples()
    found = report(y_true, y_pred, group, "kendall_tau_b")
    stack = OrdinalConfusion.from_predictions(y_true, y_pred, by=group)
    of_groups = delta_interval(stack, metrics="kendall_tau_b", confidence_level=0.95 ** (1 / 3))
    lows, highs = zip(*((one.low, one.high) for one in of_groups.values()), strict=True)
    smallest, largest = found.group_min()["kendall_tau_b"], found.group_max()["kendall_tau_b"]
    np.testing.assert_allclose([smallest.low, smallest.high], [min(lows), min(highs)])
    np.testing.assert_allclose([largest.low, largest.high], [max(lows), max(highs)])


def test_clusters_of_one_sample_are_samples():
    y_true, y_pred, group, weight = samples()
    metrics = ["cem_ord", "accuracy", "quadratic_weighted_kappa"]
    clusters = np.random.default_rng(1).permutation(len(y_true))
    for options in ({}, {"prevalence": SHARES}):
        expected = report(y_true, y_pred, group, metrics, **options)
        found = report(y_true, y_pred, group, metrics, clusters=clusters, **options)
        np.testing.assert_allclose(all_numbers(found), all_numbers(expected), atol=1e-12)
    # Counts do not have the fourth powers of weights, which the degrees of freedom of units need.
    expected = report(y_true, y_pred, group, "accuracy", sample_weight=weight)
    found = report(y_true, y_pred, group, "accuracy", sample_weight=weight, clusters=clusters)
    for g in range(3):
        mine = group == g
        of_counts, of_units = (each.by_group["accuracy"][str(g)] for each in (expected, found))
        value, error = of_counts.estimate, of_counts.standard_error
        assert (of_units.estimate, of_units.standard_error) == pytest.approx((value, error))
        moves = weight[mine] * ((y_pred == y_true)[mine] - value)
        for interval, in_counts in ((of_counts, True), (of_units, False)):
            options = {"weights": weight[mine], "in_counts": in_counts}
            _, degrees = degrees_of_freedom.of_sample(moves, **options)
            margin = stats.t.ppf(0.975, degrees) * error / (value * (1 - value))
            assert interval.high == pytest.approx(expit(logit(value) + margin), rel=1e-9)


def test_clusters_with_a_sample_in_each_group_are_paired():
    y_true, y_pred, group, _ = samples(2, 50)
    right = (y_pred == y_true)[group == 0] * 1.0, (y_pred == y_true)[group == 1] * 1.0
    error = (right[0] - right[1]).std(ddof=1) / math.sqrt(50)
    _, degrees = degrees_of_freedom.of_means(right[0] - right[1])
    found = report(y_true, y_pred, group, "accuracy", clusters=np.arange(100) // 2)
    difference = found.difference()["accuracy"]
    expected = difference.estimate + stats.t.ppf(0.975, degrees) * error
    assert difference.high == pytest.approx(expected, abs=1e-6)


def test_clusters_have_the_interval_of_their_samples():
    y_true, y_pred, group, weight = samples()
    clusters = np.arange(len(y_true)) // 9
    options = {"sample_weight": weight, "clusters": clusters}
    found = report(y_true, y_pred, group, "cem_ord", **options)
    overall = delta_interval(y_true, y_pred, "cem_ord", **options)
    np.testing.assert_allclose(numbers(found.overall["cem_ord"]), numbers(overall), atol=1e-12)
    mine = group == 1
    options = {"sample_weight": weight[mine], "clusters": clusters[mine]}
    alone = delta_interval(y_true[mine], y_pred[mine], "quadratic_weighted_kappa", **options)
    kappa = report(
        y_true, y_pred, group, "quadratic_weighted_kappa", sample_weight=weight, clusters=clusters
    )
    np.testing.assert_allclose(
        numbers(kappa.by_group["quadratic_weighted_kappa"]["1"]), numbers(alone), atol=1e-12
    )


def test_accuracy_at_given_shares_varies_within_the_classes():
    y_true, y_pred, group, _ = samples()
    found = report(y_true, y_pred, group, "accuracy", prevalence=SHARES)

    def error(of):
        sizes = np.bincount(y_true[of], minlength=4)
        rates = np.bincount(y_true[of], (y_pred == y_true)[of], minlength=4) / sizes
        variance = np.sum(SHARES**2 * rates * (1 - rates) / sizes)
        return math.sqrt(variance * of.sum() / (of.sum() - 1))

    assert found.overall["accuracy"].standard_error == pytest.approx(error(group >= 0))
    for g in range(3):
        expected = error(group == g)
        assert found.by_group["accuracy"][str(g)].standard_error == pytest.approx(expected)


@pytest.mark.parametrize("unanswered", ["raise", "count"])
def test_values_at_given_shares_move_as_their_samples_do(unanswered):
    y_true, y_pred, group, weight = samples(2, 40)
    y_pred = y_pred.astype(object)
    if unanswered == "count":
        y_pred[5:9] = None
    names = ["cem_ord", "kendall_tau_b", "ordinal_mean_absolute_error"]
    metrics, step = [get_metric(name) for name in names], 1e-5
    options = {"labels": range(4), "unanswered": unanswered}
    moved = np.zeros((len(y_true), len(metrics)))
    for k in range(len(y_true)):
        above, below = (
            OrdinalConfusion.from_predictions(
                y_true,
                y_pred,
                sample_weight=weight + sign * step * (np.arange(len(weight)) == k),
                **options,
            ).at_prevalence(SHARES)
            for sign in (1, -1)
        )
        moved[k] = [weight[k] * (metric(above) - metric(below)) / (2 * step) for metric in metrics]
    found = report(
        y_true, y_pred, group, names, sample_weight=weight, prevalence=SHARES, unanswered=unanswered
    )
    n_answered = sum(answer is not None for answer in y_pred)
    for name, of_metric in zip(names, moved.T, strict=True):
        n = len(y_true) if name == "cem_ord" else n_answered
        expected = math.sqrt(n / (n - 1) * (of_metric**2).sum())
        assert found.overall[name].standard_error == pytest.approx(expected, rel=1e-6), name


@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize("prevalence", [None, SHARES])
def test_rows_counts_batches_and_tables_have_the_same_intervals(is_weighted, prevalence):
    y_true, y_pred, group, weight = samples()
    weight = weight if is_weighted else None
    options = {"n_permutations": 0, "prevalence": prevalence}
    expected = all_numbers(
        report(y_true, y_pred, group, None, sample_weight=weight, prevalence=prevalence)
    )
    stacks = {
        "samples": OrdinalConfusion.from_predictions(
            y_true, y_pred, by=group, sample_weight=weight, labels=range(4)
        )
    }
    table = pd.DataFrame({"true": y_true, "predicted": y_pred, "group": group})
    table["weight"] = 1.0 if weight is None else weight
    columns = [column for column in (y_true, y_pred, weight) if column is not None]
    of_table = None if weight is None else "weight"
    stacks["table"] = OrdinalConfusion.from_table(
        table, "true", "predicted", by="group", labels=range(4), sample_weight=of_table
    )
    halves = [
        OrdinalConfusion.from_table(
            part, "true", "predicted", by="group", labels=range(4), sample_weight=of_table
        )
        for part in (table[:70], table[70:])
    ]
    batches = [
        OrdinalConfusion.from_batches(
            [
                tuple(column[part & (group == g)] for column in columns)
                for part in (np.arange(len(group)) < 70, np.arange(len(group)) >= 70)
            ],
            labels=range(4),
        )
        for g in range(3)
    ]
    stacks["batches"] = OrdinalConfusion.stack(batches)
    stacks["sum"] = halves[0] + halves[1]
    stacks["stack"] = OrdinalConfusion.stack([stacks["table"][g] for g in range(3)])
    for name, stack in stacks.items():
        found = GroupReport.from_confusion(stack, by=["0", "1", "2"], **options)
        np.testing.assert_allclose(all_numbers(found), expected, atol=1e-12, err_msg=name)
        assert found.n_samples == {"0": 60, "1": 60, "2": 60}


def test_a_stack_at_given_shares_has_the_intervals_of_the_prevalence():
    y_true, y_pred, group, _ = samples()
    stack = OrdinalConfusion.from_predictions(y_true, y_pred, by=group, labels=range(4))
    metrics = ["accuracy", "quadratic_weighted_kappa"]
    expected = report(y_true, y_pred, group, metrics, prevalence=SHARES)
    found = GroupReport.from_confusion(stack.at_prevalence(SHARES), metrics=metrics)
    for name in metrics:
        for g in "012":
            np.testing.assert_allclose(
                numbers(found.by_group[name][g]), numbers(expected.by_group[name][g]), atol=1e-12
            )


def test_permutations_test_the_groups_on_request():
    y_true, y_pred, group, _ = samples(101, 4)
    options = {"random_state": 0}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        default = report(y_true, y_pred, group, "accuracy", n_permutations=None, **options)
        tested = report(y_true, y_pred, group, "accuracy", n_permutations=19, **options)
    assert default.n_permutations is None
    assert default.exchanged == ""
    assert tested.difference()["accuracy"].errors_pvalue * 20 == pytest.approx(
        round(tested.difference()["accuracy"].errors_pvalue * 20)
    )
    np.testing.assert_array_equal(all_numbers(default), all_numbers(tested))


def test_the_test_of_a_single_class_is_that_of_fisher():
    # In a single true class, the number of hits of a group is hypergeometric.
    n_right, sizes = (16, 11), (20, 20)
    is_right = np.concatenate([np.arange(size) < n for n, size in zip(n_right, sizes, strict=True)])
    y_true, group = np.ones(40, dtype=int), np.repeat([0, 1], sizes)
    found = report(
        y_true, y_true - ~is_right, group, "accuracy", n_permutations=9_999, random_state=0
    )
    hits = np.arange(8, 21)
    is_as_far = np.abs(2 * hits - sum(n_right)) >= n_right[0] - n_right[1]
    pvalue = stats.hypergeom(40, sum(n_right), 20).pmf(hits)[is_as_far].sum()
    assert found.difference()["accuracy"].errors_pvalue == pytest.approx(pvalue, abs=0.015)
    assert found.exchanged == "samples of the same true class"


def test_a_reference_that_is_given_does_not_move():
    y_true, y_pred, group, _ = samples()
    metric = partial(cem_ord_score, class_counts=[1, 1, 1, 1])
    (name,) = report(y_true, y_pred, group, metric).inferred
    found = report(y_true, y_pred, group, metric).by_group[name]
    stack = OrdinalConfusion.from_predictions(y_true, y_pred, by=group, labels=range(4))
    expected = delta_interval(stack, metrics=metric)
    for g in range(3):
        np.testing.assert_allclose(numbers(found[str(g)]), numbers(expected[g]), atol=1e-12)


def test_groups_without_an_interval_are_named():
    y_true, y_pred, group, _ = samples()
    y_pred = np.where(group == 1, y_true, y_pred)
    with pytest.warns(UndefinedMetricWarning, match=r"no interval in closed form.*cem_ord for 1"):
        found = report(y_true, y_pred, group, ["cem_ord", "accuracy"])
    perfect = found.by_group["cem_ord"]["1"]
    assert (perfect.estimate, perfect.standard_error) == (1, pytest.approx(0, abs=1e-12))
    assert math.isnan(perfect.low)
    assert found.by_group["accuracy"]["1"].method == "wilson"
    assert found.group_max()["cem_ord"].high == 1
    assert found.difference()["cem_ord"].low > 0


def test_an_undefined_group_is_left_out_of_the_comparisons():
    y_true, y_pred, group, _ = samples()
    y_true = np.where(group == 2, 1, y_true)
    with pytest.warns(UndefinedMetricWarning, match="kendall_tau_b for 2"):
        found = report(y_true, y_pred, group, "kendall_tau_b")
    two = group < 2
    expected = report(y_true[two], y_pred[two], group[two], "kendall_tau_b")
    assert found.difference()["kendall_tau_b"].high == pytest.approx(
        expected.difference()["kendall_tau_b"].high
    )
    y_true = np.where(group == 1, 1, y_true)
    with pytest.warns(UndefinedMetricWarning):
        found = report(y_true, y_pred, group, "kendall_tau_b")
    assert math.isnan(found.difference()["kendall_tau_b"].estimate)
    assert "kendall_tau_b" not in found.ratio()


def test_unanswered_samples_are_left_out_or_counted():
    y_true, y_pred, group, weight = samples()
    y_pred = y_pred.astype(object)
    y_pred[:30] = None
    for sample_weight in (None, weight):
        options = {"unanswered": "count", "sample_weight": sample_weight}
        found = report(y_true, y_pred, group, ["cem_ord", "accuracy"], **options)
        overall = delta_interval(y_true, y_pred, ["cem_ord", "accuracy"], **options)
        for name in ("cem_ord", "accuracy"):
            np.testing.assert_allclose(
                numbers(found.overall[name]), numbers(overall[name]), atol=1e-12
            )
            assert found.overall[name].n_left_out == pytest.approx(overall[name].n_left_out)


def test_a_report_without_permutations_has_no_test():
    y_true, y_pred, group, _ = samples()
    found = report(y_true, y_pred, group, "cem_ord")
    assert found.exchanged == ""
    assert "leave n_permutations out to test them" in " ".join(str(found).split())
    assert "p (errors)" not in str(found)
    assert "errors" not in str(found.difference()["cem_ord"])


@pytest.mark.parametrize("n_groups", [2, 3])
def test_the_share_of_predictions_that_are_too_high_has_an_interval_at_zero(n_groups):
    y_true, y_pred, group, _ = samples(n_groups)
    found = report(y_true, np.minimum(y_true, y_pred), group, "accuracy")
    for g in range(n_groups):
        share = found.by_group["overestimation_rate"][str(g)]
        low, high = stats.binomtest(0, 60).proportion_ci(method="wilson")
        assert (share.estimate, share.method) == (0, "wilson")
        assert (share.low, share.high) == pytest.approx((low, high))


def test_sums_of_weights_need_no_samples():
    y_true, y_pred, group, weight = samples()
    table = pd.DataFrame({"true": y_true, "predicted": y_pred, "g": group, "w": weight})
    stack = OrdinalConfusion.from_table(table, "true", "predicted", by="g", sample_weight="w")
    found = GroupReport.from_predictions(stack)
    drawn = report(y_true, y_pred, group, "accuracy", sample_weight=weight, n_permutations=None)
    # The variance is known, and the skewness is taken from the squared weights.
    pvalues = [part.difference()["accuracy"].errors_pvalue for part in (found, drawn)]
    assert pvalues[0] == pytest.approx(pvalues[1], rel=1e-9)
    np.testing.assert_allclose(drawn.confusion.squared_weights, stack.squared_weights)
    again = GroupReport.from_confusion(found.confusion, by=found.group_names)
    np.testing.assert_allclose(all_numbers(again), all_numbers(found), atol=1e-12)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda stack: GroupReport.from_confusion(stack, n_permutations=99),
            r"n_permutations must be None or 0 if the counts are sums .*, got 99: leave it out",
        ),
        (
            lambda stack: GroupReport.from_confusion(
                OrdinalConfusion(stack.scale, stack.counts, True), by=["a", "b", "c"]
            ),
            "confusion must hold the number and the squared weights .* sample_counts and",
        ),
        (
            lambda _: GroupReport.from_confusion(
                OrdinalConfusion.from_counts([[[1, 0], [0, 0]], [[0, 0], [0, 0]]]),
                by=["a", "b"],
            ),
            "confusion must have at least 2 samples, got 1",
        ),
    ],
)
def test_counts_that_do_not_suffice_are_refused(call, message):
    y_true, y_pred, group, weight = samples()
    table = pd.DataFrame({"true": y_true, "predicted": y_pred, "g": group, "w": weight})
    stack = OrdinalConfusion.from_table(table, "true", "predicted", by="g", sample_weight="w")
    with pytest.raises(ValueError, match=message):
        call(stack)


def losses_of_groups(seed, n_samples=240):
    """Return true classes, probabilities, groups, weights, clusters and the Brier losses."""
    rng = np.random.default_rng(seed)
    y_true = rng.integers(3, size=n_samples)
    y_proba = rng.dirichlet([1, 1, 1], size=n_samples)
    loss = ((y_proba - np.eye(3)[y_true]) ** 2).sum(axis=1)
    group, cluster = rng.integers(4, size=n_samples), rng.integers(60, size=n_samples)
    return y_true, y_proba, group, rng.uniform(0.5, 2, n_samples), cluster, loss


@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize("is_clustered", [False, True])
def test_contrasts_of_probabilities_have_the_errors_of_their_losses(is_weighted, is_clustered):
    y_true, y_proba, group, weight, cluster, loss = losses_of_groups(0)
    # Some clusters have samples in the groups 0, 1 and 2, and others in group 3 only.
    cluster = np.where(group == 3, 60 + cluster, cluster)
    options = {"sample_weight": weight} if is_weighted else {}
    options |= {"clusters": cluster} if is_clustered else {}
    report = GroupReport.from_predictions(
        y_true, y_proba=y_proba, by=group, metrics="brier_score", n_permutations=0, **options
    )
    weight = weight if is_weighted else np.ones(len(loss))
    unit = cluster if is_clustered else np.arange(len(loss))
    moves, errors = [], []
    for members in (group >= 0, *(group == number for number in range(4))):
        mean = np.average(loss[members], weights=weight[members])
        moved = np.where(members, weight * (loss - mean), 0) / weight[members].sum()
        moves.append(np.bincount(unit, moved))
        n_units = len(np.unique(unit[members]))
        errors.append(math.sqrt(n_units / (n_units - 1)) * np.linalg.norm(moves[-1]))
    values = [report.overall["brier_score"], *report.by_group["brier_score"].values()]
    found = [interval.standard_error for interval in values]
    np.testing.assert_allclose(found, errors, rtol=1e-9)
    cases = {
        "1": (report.contrasts(reference="0"), [0, -1, 1, 0, 0]),
        "2": (report.contrasts(), [-1, 0, 0, 1, 0]),
        "weighted": (report.contrasts(weights={"0": 1, "1": -2, "2": 1}), [0, 1, -2, 1, 0]),
    }
    for row, (result, weights) in cases.items():
        moved, of_units = weights @ np.array(moves), np.bincount(unit, weight)
        is_touched = np.isin(group, np.flatnonzero(weights[1:])) | (weights[0] != 0)
        of_touched = np.bincount(unit, weight * is_touched)
        # Groups that share clusters are one sample of given weight.
        of_sample = np.where(group == 3, 3, 0) if is_clustered else group
        parts, sizes = [], []
        for number in np.unique(of_sample[is_touched]):
            members = np.unique(unit[of_sample == number])
            mine = moved[members] - of_units[members] * (
                moved[members].sum() / of_units[members].sum()
            )
            is_counted = np.isin(members, unit[is_touched & (of_sample == number)])
            parts.append(mine[is_counted])
            sizes.append(of_touched[members][is_counted])
        error, degrees = degrees_of_freedom.of_samples(parts, sizes)
        contrast = result.contrasts["brier_score"][row]
        assert contrast.standard_error == pytest.approx(error)
        expected = degrees_of_freedom.two_sided(contrast.estimate / error, degrees)
        assert contrast.pvalue == pytest.approx(expected)


@pytest.mark.parametrize("name", ["ranked_probability_skill", "concordance", "threshold_roc_auc"])
def test_groups_of_probabilities_have_the_intervals_of_their_samples(name):
    y_true, y_proba, group, weight, cluster, _ = losses_of_groups(1)
    report = GroupReport.from_predictions(
        y_true,
        y_proba=y_proba,
        by=group,
        metrics=name,
        sample_weight=weight,
        clusters=cluster,
        n_permutations=0,
    )
    for number in range(4):
        members = group == number
        expected = delta_interval(
            y_true[members],
            y_proba[members],
            name,
            labels=range(3),
            sample_weight=weight[members],
            clusters=cluster[members],
        )
        found = report.by_group[name][str(number)]
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-10)


def test_losses_at_given_shares_vary_within_the_classes():
    y_true, y_proba, group, _, _, loss = losses_of_groups(2)
    shares = np.array([0.5, 0.3, 0.2])
    report = GroupReport.from_predictions(
        y_true,
        y_proba=y_proba,
        by=group,
        metrics="brier_score",
        n_permutations=0,
        prevalence=shares,
    )
    for number in range(4):
        members = group == number
        parts = [loss[members & (y_true == k)] for k in range(3)]
        # Each class has its variance, divided by the number of its samples.
        variance = sum(s**2 * part.var() / len(part) for s, part in zip(shares, parts, strict=True))
        n_samples = members.sum()
        found = report.by_group["brier_score"][str(number)]
        assert found.estimate == pytest.approx(shares @ [part.mean() for part in parts])
        assert found.standard_error**2 == pytest.approx(variance * n_samples / (n_samples - 1))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"sample_weight": np.linspace(0.5, 2, 180)},
        {"clusters": np.arange(180) // 5},
        {"prevalence": SHARES},
    ],
    ids=str,
)
def test_expected_closeness_of_certain_forecasts_is_closeness(options):
    y_true, y_pred, group, _ = samples()
    expected = report(y_true, y_pred, group, "cem_ord", **options)
    options = {"by": group, "labels": range(4), "n_permutations": 0} | options
    found = GroupReport.from_predictions(
        y_true, y_proba=np.eye(4)[y_pred], metrics="expected_cem_ord", **options
    )
    if "sample_weight" in options:
        # Counts do not have the fourth powers of weights, so that only the errors are the same.
        for of_rows, of_counts in zip(
            found.by_group["expected_cem_ord"].values(),
            expected.by_group["cem_ord"].values(),
            strict=True,
        ):
            assert of_rows.estimate == pytest.approx(of_counts.estimate)
            assert of_rows.standard_error == pytest.approx(of_counts.standard_error)
        return
    values = all_numbers(found)
    np.testing.assert_allclose(values, all_numbers(expected)[: len(values)], atol=1e-12)
    of_forecasts, of_labels = (
        one.contrasts().contrasts[name]["1"]
        for one, name in ((found, "expected_cem_ord"), (expected, "cem_ord"))
    )
    assert numbers(of_forecasts) == pytest.approx(numbers(of_labels))


def hits_score(y_true, y_pred):
    return np.mean(np.equal(y_true, y_pred))


def test_criteria_without_derivatives_have_no_intervals():
    y_true, y_pred, group, _ = samples()
    y_proba = 0.1 + 0.6 * np.eye(4)[y_pred]
    found = GroupReport.from_predictions(
        y_true,
        y_pred,
        y_proba=y_proba,
        by=group,
        labels=range(4),
        metrics=["volume_under_surface", "log_loss", hits_score],
        random_state=0,
        n_permutations=99,
    )
    for name in ("volume_under_surface", "hits"):
        for interval in (found.overall[name], *found.by_group[name].values()):
            assert np.isfinite(interval.estimate)
            assert math.isnan(interval.low)
        assert math.isnan(found.difference()[name].low)
        assert 0 < found.difference()[name].errors_pvalue <= 1
        assert math.isnan(found.contrasts().contrasts[name]["1"].pvalue)
    assert found.by_group["log_loss"]["0"].low > 0
    text = " ".join(str(found).split())
    assert (
        "Without intervals, since there is no closed form: volume_under_surface, hits. "
        "bootstrap_interval computes an interval for the samples of each group."
    ) in text


def test_evidence_of_both_kinds_has_the_intervals_of_its_arrays():
    y_true, y_pred, group, _ = samples()
    y_proba = 0.1 + 0.6 * np.eye(4)[y_pred]
    options = {"metrics": ["cem_ord", "log_loss"], "n_permutations": 0}
    expected = GroupReport.from_predictions(
        y_true, y_pred, y_proba=y_proba, by=group, labels=range(4), **options
    )
    reading = {"by": group, "labels": range(4)}
    found = GroupReport.from_predictions(
        OrdinalConfusion.from_predictions(y_true, y_pred, **reading),
        y_proba=OrdinalForecasts.from_probabilities(y_true, y_proba, **reading),
        **options,
    )
    np.testing.assert_array_equal(all_numbers(found), all_numbers(expected))


def test_a_reference_of_each_sample_is_that_of_the_samples_of_a_group():
    y_true, y_proba, group, *_ = losses_of_groups(5)
    reference = np.random.default_rng(6).dirichlet([1, 1, 1], size=len(y_true))
    metric = partial(ranked_probability_skill_score, reference=reference)
    found = GroupReport.from_predictions(
        y_true, y_proba=y_proba, by=group, metrics={"skill": metric}, n_permutations=0
    )
    for number in range(4):
        members = group == number
        expected = delta_interval(
            y_true[members],
            y_proba[members],
            partial(metric, reference=reference[members]),
            labels=range(3),
        )
        assert numbers(found.by_group["skill"][str(number)]) == pytest.approx(numbers(expected))
