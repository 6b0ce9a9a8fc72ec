"""Contrasts of groups, against statsmodels, derivatives by each sample, and resamples."""

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

from sklearn_ordinal import GroupReport, OrdinalConfusion, report_change
from sklearn_ordinal.inference import delta_interval
from sklearn_ordinal.inference._intervals import Contrast, notes_on_pvalues
from sklearn_ordinal.metrics import cem_ord_score
from tests import degrees_of_freedom

K, MONTHS = 4, ["Jan", "Feb", "Mar"]
MAE = "ordinal_mean_absolute_error"
WEIGHTS = {"Jan": -0.5, "Mar": 1.5, "Feb": -1}
# Every report of predicted classes has these.
SIGNED = ["ordinal_bias", "overestimation_rate", "underestimation_rate"]


def samples(size=40, seed=0):
    rng = np.random.default_rng(seed)
    n = 3 * size
    month = rng.integers(3, size=n)
    y_true = np.minimum(rng.integers(K, size=n), rng.integers(K, size=n) + month)
    y_pred = np.clip(y_true + rng.choice([-1, 0, 0, 1, 2], size=n), 0, K - 1)
    return y_true, y_pred, month, rng.uniform(0.5, 2, size=n), np.arange(n) // 3


def report(y_true, y_pred, month, metrics=("cem_ord", MAE), **options):
    by = pd.Categorical.from_codes(month, MONTHS, ordered=True)
    options = {"n_permutations": 0, "labels": range(K), **options}
    return GroupReport.from_predictions(y_true, y_pred, by=by, metrics=list(metrics), **options)


def contrast(result, name, row):
    return result.contrasts[name][row]


def test_differences_from_a_group_have_the_t_of_welch_with_holms_adjustment():
    statsmodels = pytest.importorskip("statsmodels.stats.api")
    y_true, y_pred, month, *_ = samples()
    errors = np.abs(y_true - y_pred)
    result = report(y_true, y_pred, month).contrasts(reference="Feb")
    assert list(result.contrasts[MAE]) == ["Jan", "Mar"]
    pvalues = []
    for name in ("Jan", "Mar"):
        sides = [
            statsmodels.DescrStatsW(errors[month == MONTHS.index(each)]) for each in (name, "Feb")
        ]
        compared = statsmodels.CompareMeans(*sides)
        found = contrast(result, MAE, name)
        assert found.estimate == pytest.approx(sides[0].mean - sides[1].mean)
        ratio, *_ = compared.ttest_ind(usevar="unequal")
        assert found.estimate / found.standard_error == pytest.approx(ratio)
        error, degrees = degrees_of_freedom.of_means(*(side.data for side in sides))
        ends = stats.t.interval(0.95, degrees, sides[0].mean - sides[1].mean, error)
        assert (found.low, found.high) == pytest.approx(ends)
        pvalues.append(degrees_of_freedom.two_sided(ratio, degrees))
        assert found.pvalue == pytest.approx(pvalues[-1])
    adjusted = statsmodels.multipletests(pvalues, method="holm")[1]
    found = [row.adjusted_pvalue for row in result.contrasts[MAE].values()]
    assert found == pytest.approx(adjusted.tolist())


@pytest.mark.parametrize("weights", ["linear", WEIGHTS])
def test_weighted_contrasts_are_those_of_a_linear_model(weights):
    linear_model = pytest.importorskip("statsmodels.regression.linear_model")
    y_true, y_pred, month, *_ = samples()
    errors = np.abs(y_true - y_pred).astype(float)
    # With a parameter for each group, HC2 is the variance of each group by its size.
    fitted = linear_model.OLS(errors, np.eye(3)[month]).fit(cov_type="HC2")
    by_group = [-0.5, 0, 0.5] if weights == "linear" else [-0.5, -1, 1.5]
    expected = fitted.t_test(by_group)
    result = report(y_true, y_pred, month).contrasts(weights=weights)
    found = contrast(result, MAE, "linear" if weights == "linear" else "weighted")
    assert found.estimate == pytest.approx(expected.effect[0])
    assert found.standard_error == pytest.approx(expected.sd.item())
    assert math.isnan(found.adjusted_pvalue)
    assert list(result.weights.values()) == pytest.approx(by_group)


def groups_of(right, group, **options):
    """Return a report of the accuracy, given whether each sample is right."""
    y_true = np.arange(len(right)) % 3
    y_pred = np.where(right, y_true, (y_true + 1) % 3)
    return GroupReport.from_predictions(
        y_true, y_pred, by=group, metrics="accuracy", n_permutations=0, **options
    )


def test_a_difference_of_two_groups_has_one_t_whatever_it_is_compared_with():
    right, group = np.r_[np.arange(180) < 144, np.arange(20) < 6], np.repeat(["A", "B"], [180, 20])
    welch = stats.ttest_ind(right[:180] * 1.0, right[180:] * 1.0, equal_var=False)
    found = groups_of(right, group)
    rows = [
        *found.contrasts().contrasts["accuracy"].values(),
        *found.contrasts(reference="B").contrasts["accuracy"].values(),
        *found.contrasts(weights="linear").contrasts["accuracy"].values(),
    ]
    assert [row.estimate for row in rows] == pytest.approx([0.05, -0.45, 0.5, -0.5])
    ratios = [abs(row.estimate) / row.standard_error for row in rows]
    assert ratios == pytest.approx([4.5745661194] * 4)
    assert welch.statistic == pytest.approx(4.5745661194)
    _, degrees = degrees_of_freedom.of_means(right[:180], right[180:])
    pvalue = degrees_of_freedom.two_sided(welch.statistic, degrees)
    assert [row.pvalue for row in rows] == pytest.approx([pvalue] * 4)


@pytest.mark.parametrize("design", ["weights", "clusters", "both"])
def test_a_difference_of_two_groups_has_one_t_with_weights_and_clusters(design):
    rng = np.random.default_rng(3)
    group = np.repeat(["A", "B"], [45, 15])
    right = rng.random(60) < np.where(group == "A", 0.8, 0.5)
    options = {}
    if design != "clusters":
        options["sample_weight"] = rng.choice([1.0, 20.0], size=60)
    if design != "weights":
        options["clusters"] = np.char.add(group, rng.integers(8, size=60).astype(str))
    found = groups_of(right, group, **options)
    rows = [*found.contrasts().contrasts["accuracy"].values()]
    rows += found.contrasts(reference="A").contrasts["accuracy"].values()
    ratios = [abs(row.estimate) / row.standard_error for row in rows]
    assert ratios == pytest.approx([ratios[0]] * 3)
    # They are one hypothesis, so nothing is adjusted.
    assert [row.pvalue for row in rows] == pytest.approx([rows[0].pvalue] * 3)
    assert [row.adjusted_pvalue for row in rows] == [row.pvalue for row in rows]


@pytest.mark.parametrize("is_clustered", [False, True])
def test_samples_that_a_criterion_leaves_out_do_not_move_a_contrast(is_clustered):
    rng = np.random.default_rng(5)
    group = np.repeat(["A", "B"], [60, 40])
    # Half of the clusters have answers in one group and unanswered samples in the other.
    cluster = rng.integers(25, size=100)
    cluster = np.char.add(group, cluster.astype(str))
    is_answered = rng.random(100) < 0.7
    cluster[~is_answered & (group == "B")] = "A3"
    y_true = rng.integers(3, size=100)
    y_pred = np.where(is_answered, np.clip(y_true + rng.integers(-1, 2, size=100), 0, 2), np.nan)
    options = {"metrics": "accuracy", "n_permutations": 0, "labels": range(3)}
    found, expected = (
        GroupReport.from_predictions(
            y_true[used],
            y_pred[used],
            by=group[used],
            unanswered="count",
            clusters=cluster[used] if is_clustered else None,
            **options,
        )
        for used in (np.ones(100, dtype=bool), is_answered)
    )
    for reference in (None, "B"):
        row, other = (
            result.contrasts(reference=reference).contrasts["accuracy"]["A"]
            for result in (found, expected)
        )
        assert (row.estimate, row.standard_error, row.pvalue) == pytest.approx(
            (other.estimate, other.standard_error, other.pvalue)
        )
    assert found.difference()["accuracy"].high == pytest.approx(
        expected.difference()["accuracy"].high
    )


def test_the_largest_difference_of_two_groups_has_the_interval_of_their_contrast():
    for seed in range(12):
        rng = np.random.default_rng(seed)
        y_true, group = rng.integers(3, size=90), rng.integers(2, size=90).astype(str)
        y_pred = np.clip(y_true + rng.choice([-1, 0, 0, 1], size=90), 0, 2)
        options = [
            {},
            {"sample_weight": rng.uniform(0.2, 3, size=90)},
            {"clusters": rng.integers(30, size=90)},
            {"clusters": np.char.add(group, rng.integers(15, size=90).astype(str))},
        ]
        found = GroupReport.from_predictions(
            y_true, y_pred, by=group, metrics="cem_ord", n_permutations=0, **options[seed % 4]
        )
        row = found.contrasts(reference="0").contrasts["cem_ord"]["1"]
        ends = sorted([row.low, row.high], key=abs)
        difference = found.difference()["cem_ord"]
        assert difference.high == pytest.approx(abs(ends[1]), abs=1e-5)
        expected = 0 if row.low < 0 < row.high else abs(ends[0])
        assert difference.low == pytest.approx(expected, abs=1e-5)


def test_groups_that_share_no_clusters_are_samples_of_their_own():
    rng = np.random.default_rng(0)
    group = np.repeat(["A", "B", "C"], 100)
    cluster = np.r_[np.arange(100), np.arange(100), 100 + np.repeat(np.arange(4), 25)]
    right = rng.random(300) < 0.6
    found = groups_of(right, group, clusters=cluster)
    is_shown = group != "B"
    without = groups_of(right[is_shown], group[is_shown], clusters=cluster[is_shown])
    row, expected = (
        result.contrasts(reference="A").contrasts["accuracy"]["C"] for result in (found, without)
    )
    assert (row.standard_error, row.pvalue) == pytest.approx(
        (expected.standard_error, expected.pvalue)
    )
    a, c = right[group == "A"] * 1.0, right[group == "C"].reshape(4, 25).mean(axis=1)
    error, degrees = degrees_of_freedom.of_means(a, c)
    assert row.standard_error == pytest.approx(math.sqrt(a.var(ddof=1) / 100 + c.var(ddof=1) / 4))
    pvalue = degrees_of_freedom.two_sided(row.estimate / error, degrees)
    assert row.pvalue == pytest.approx(pvalue)
    # B shares its clusters with A.
    b = right[100:200] * 1.0
    row = found.contrasts(reference="A").contrasts["accuracy"]["B"]
    ratio = stats.ttest_rel(b, a).statistic
    assert row.estimate / row.standard_error == pytest.approx(ratio)
    _, degrees = degrees_of_freedom.of_means(b - a)
    assert row.pvalue == pytest.approx(degrees_of_freedom.two_sided(ratio, degrees))


@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_only_intervals_of_values_without_a_derivative_are_lost(size):
    # Both classes of group 1 have the same sensitivity, so the lower one has no derivative.
    counts = np.array([[[8, 2], [1, 9]], [[5, 5], [5, 5]], [[6, 4], [3, 7]]])
    group, true, pred = np.indices(counts.shape).reshape(3, -1)
    group, true, pred = (np.repeat(part, counts.ravel()) for part in (group, true, pred))
    found = GroupReport.from_predictions(
        true,
        pred,
        by=group,
        metrics="minimum_sensitivity",
        n_permutations=0,
        clusters=np.arange(60) // size if size > 1 else None,
    )
    rows = found.contrasts(reference="0").contrasts["minimum_sensitivity"]
    assert [math.isnan(row.low) for row in rows.values()] == [True, False]
    by_group = found.contrasts(reference="1").contrasts["minimum_sensitivity"]
    assert [math.isnan(row.low) for row in by_group.values()] == [True, True]
    # The value of all samples has one: class 0 has 30 of the 60 samples, and 19 are right.
    influence = 60 / 30 * (true == 0) * ((pred == true) - 19 / 30)
    means = influence.reshape(3, 20).mean(axis=1)
    moves = influence.reshape(3, 20 // size, size).sum(axis=-1) / 20
    for g, row in rows.items():
        error, degrees = degrees_of_freedom.of_samples([moves[int(g)], moves[0]])
        ratio = (means[int(g)] - means[0]) / error
        assert row.pvalue == pytest.approx(degrees_of_freedom.two_sided(ratio, degrees))


def test_clusters_that_cross_groups_have_the_t_of_pairs():
    rng = np.random.default_rng(1)
    patient, visit = np.tile(np.arange(100), 2), np.repeat(["1", "2"], 100)
    chance = rng.normal(size=100)[patient] + rng.normal(size=200) + 0.5 * (visit == "2")
    right = chance > -0.8
    moved = right[100:] * 1.0 - right[:100]
    ratio = stats.ttest_1samp(moved, 0).statistic
    _, degrees = degrees_of_freedom.of_means(moved)
    found = groups_of(right, visit, clusters=patient)
    for result in (found.contrasts(), found.contrasts(reference="1")):
        row = result.contrasts["accuracy"]["2"]
        assert row.estimate / row.standard_error == pytest.approx(ratio)
        assert row.pvalue == pytest.approx(degrees_of_freedom.two_sided(ratio, degrees))
    difference = found.difference()["accuracy"]
    low, _ = stats.t.interval(0.95, degrees, moved.mean(), stats.sem(moved))
    assert difference.low == pytest.approx(low, abs=1e-5)
    to_overall = found.difference("to_overall")["accuracy"]
    assert to_overall.estimate == pytest.approx(difference.estimate / 2)


def test_groups_without_errors_or_with_a_single_sample_have_no_contrast_of_their_own():
    right, group = np.r_[np.ones(30), np.zeros(30)] > 0, np.repeat(["A", "B"], 30)
    with pytest.warns(UserWarning, match=r"There is no interval .*: ordinal_bias for A"):
        rows = groups_of(right, group).contrasts().contrasts["accuracy"]
    assert [row.estimate for row in rows.values()] == [0.5, -0.5]
    assert np.isnan([row.pvalue for row in rows.values()]).all()
    rng = np.random.default_rng(0)
    right, group = np.append(rng.random(60) < 0.7, True), np.append(np.repeat(["A", "B"], 30), "C")
    with pytest.warns(UserWarning, match=r"There is no interval .*C"):
        rows = groups_of(right, group).contrasts().contrasts["accuracy"]
    assert [math.isnan(row.pvalue) for row in rows.values()] == [False, False, True]


def values_of_groups(y_true, y_pred, month, weight):
    """Return CEM_ORD of all samples and of each month, with the class sizes of all samples."""
    sizes = np.bincount(y_true, weight, K)
    options = {"labels": range(K), "class_counts": sizes}
    return np.array(
        [
            cem_ord_score(y_true[used], y_pred[used], sample_weight=weight[used], **options)
            for used in (month < 3, *(month == k for k in range(3)))
        ]
    )


@pytest.mark.parametrize("is_clustered", [False, True])
def test_errors_are_those_of_the_derivative_by_the_weight_of_each_sample(is_clustered):
    y_true, y_pred, month, weight, clusters = samples(20)
    found = report(
        y_true, y_pred, month, sample_weight=weight, clusters=clusters if is_clustered else None
    )
    step, moved = 1e-4, []
    for k in range(len(weight)):
        change = step * (np.arange(len(weight)) == k)
        up, down = (
            values_of_groups(y_true, y_pred, month, weight + sign * change) for sign in (1, -1)
        )
        moved.append((up - down) / (2 * step) * weight[k])
    moved = np.array(moved)
    n_units = np.array([len(weight), *np.bincount(month)])
    if is_clustered:
        n_units = [
            len(np.unique(clusters[used])) for used in (month < 3, *(month == k for k in range(3)))
        ]
        moved = np.stack([np.bincount(clusters, column) for column in moved.T], axis=1)
    values = values_of_groups(y_true, y_pred, month, weight)
    # A group's own samples have the correction of its size, and those of other groups move its
    # value by the class sizes only.
    slack = max(1 / (np.array(n_units) - 1))
    cases = {
        "Jan": (found.contrasts(), [-1, 1, 0, 0]),
        "Mar": (found.contrasts(reference="Jan"), [0, -1, 0, 1]),
        "linear": (found.contrasts(weights="linear"), [0, -0.5, 0, 0.5]),
    }
    for row, (result, by_value) in cases.items():
        part = contrast(result, "cem_ord", row)
        assert part.estimate == pytest.approx(values @ by_value, abs=1e-12)
        expected = math.sqrt(((moved @ by_value) ** 2).sum())
        assert expected < part.standard_error * (1 + 1e-6)
        assert part.standard_error < expected * math.sqrt(1 + 2 * slack)


def test_criteria_of_probabilities_have_contrasts():
    y_true, y_pred, month, *_ = samples()
    proba = 0.1 + 0.6 * np.eye(K)[y_pred]
    found = report(
        y_true,
        None,
        month,
        ["ranked_probability_score"],
        y_proba=proba,
    ).contrasts(reference="Jan")
    losses = (np.cumsum(proba, axis=1) - (np.arange(K) >= y_true[:, None])) ** 2
    losses = losses[:, :-1].sum(axis=1)
    test = stats.ttest_ind(losses[month == 2], losses[month == 0], equal_var=False)
    part = contrast(found, "ranked_probability_score", "Mar")
    assert part.estimate / part.standard_error == pytest.approx(test.statistic)
    assert found.metrics["ranked_probability_score"].greater_is_better is False


def test_counts_have_the_contrasts_of_their_samples():
    y_true, y_pred, month, *_ = samples()
    made = report(y_true, y_pred, month)
    confusion = OrdinalConfusion.from_counts(made.confusion.counts, labels=range(K))
    counted = GroupReport.from_confusion(
        confusion, by=MONTHS, metrics=["cem_ord", MAE], n_permutations=0
    )
    # The groups of counts are in the order of their names.
    found = counted.contrasts(reference="Jan").contrasts["cem_ord"]
    expected = made.contrasts(reference="Jan").contrasts["cem_ord"]
    assert {row: part.estimate for row, part in found.items()} == pytest.approx(
        {row: part.estimate for row, part in expected.items()}
    )


def test_signed_errors_have_contrasts_too():
    y_true, y_pred, month, *_ = samples()
    result = report(y_true, y_pred, month).contrasts(weights="linear")
    assert list(result.contrasts) == ["cem_ord", MAE, *SIGNED]
    signed = y_pred - y_true
    slope = (signed[month == 2].mean() - signed[month == 0].mean()) / 2
    result = report(y_true, y_pred, month, ["ordinal_bias"]).contrasts(weights="linear")
    assert contrast(result, "ordinal_bias", "linear").estimate == pytest.approx(slope)
    assert "ordinal_bias (neither sign is better)" in str(result)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"reference": "April"}, r"^reference must be one of the groups .*None for all samples, "),
        ({"reference": "overall"}, r"^reference must be one of the groups"),
        ({"reference": 3}, r"^reference must be one of the groups"),
        ({"reference": ["Jan"]}, r"^reference must be one of the groups"),
        ({"reference": "Jan", "weights": "linear"}, r"^reference must be left out if weights are"),
        ({"weights": "quadratic"}, r"^weights must map names of groups to numbers, or be 'linear'"),
        ({"weights": [1, -1, 0]}, r"^weights must map names"),
        ({"weights": {"Jan": 1, "April": -1}}, r"^weights must be weights of the groups .*'April'"),
        ({"weights": {"Jan": 1, "Feb": -0.9}}, r"^weights must add up to 0, got a sum of 0\.1"),
        ({"weights": {"Jan": 0, "Feb": 0}}, r"^weights must not all be 0"),
        ({"weights": {}}, r"^weights must not all be 0"),
        ({"weights": {"Jan": math.nan, "Feb": 1}}, r"^weights must be finite numbers, got nan"),
        ({"weights": {"Jan": "a", "Feb": 1}}, r"^weights must be finite numbers, got 'a'"),
    ],
)
def test_wrong_options_are_refused(options, message):
    y_true, y_pred, month, *_ = samples()
    with pytest.raises(ValueError, match=message):
        report(y_true, y_pred, month).contrasts(**options)


@pytest.mark.parametrize("kind", ["numpy", "pandas", "polars", "objects"])
def test_more_than_100_dates_are_to_be_binned(kind):
    days = pd.date_range("2024-01-01", periods=101)
    by = {
        "numpy": days.to_numpy().astype("datetime64[D]"),
        "pandas": pd.Series(days),
        "polars": pl.Series([day.date() for day in days]),
        "objects": [day.date() for day in days],
    }[kind]
    y = np.arange(101) % 3
    with pytest.raises(ValueError, match=r"^by must have at most 100 distinct dates, got 101: bin"):
        GroupReport.from_predictions(y, y, by=by)
    months = days.to_numpy().astype("datetime64[M]")
    rng = np.random.default_rng(0)
    found = GroupReport.from_predictions(
        y, rng.integers(3, size=101), by=months, metrics="accuracy", n_permutations=0
    )
    assert found.group_names == ("2024-01", "2024-02", "2024-03", "2024-04")


def test_a_group_without_a_value_has_an_undefined_contrast_only():
    y_true, y_pred, month, *_ = samples()
    y_true = np.where(month == 1, 0, y_true)
    with pytest.warns(UserWarning, match="Undefined"):
        found = report(y_true, y_pred, month, ["kendall_tau_b"])
    rows = found.contrasts(reference="Jan").contrasts["kendall_tau_b"]
    assert math.isnan(rows["Feb"].estimate)
    assert math.isnan(rows["Feb"].pvalue)
    assert rows["Mar"].adjusted_pvalue == rows["Mar"].pvalue
    assert not math.isnan(rows["Mar"].pvalue)
    weights = {"Jan": 1, "Mar": -1}
    assert not math.isnan(
        contrast(found.contrasts(weights=weights), "kendall_tau_b", "weighted").low
    )


def test_small_contrasts_have_as_many_digits_as_their_intervals_need():
    counts = np.array([[[80, 20], [10, 90]], [[81, 19], [10, 90]], [[79, 21], [10, 90]]]) * 10_000
    found = GroupReport.from_confusion(
        OrdinalConfusion.from_counts(counts), by=MONTHS, metrics="accuracy", n_permutations=0
    )
    result = found.contrasts(weights="linear")
    part = contrast(result, "accuracy", "linear")
    assert 1e-4 < (part.high - part.low) / 2 < 1e-3
    assert f"{part.estimate:+.5f}" in str(result)
    assert replace(result, digits=7).to_text().count(f"{part.estimate:+.7f}") == 1


def in_words(contrasts, group):
    """Return the difference of a group with the strings of its row in the table."""
    (row,) = (line for line in str(contrasts).splitlines() if line.startswith(f"{group} "))
    _, difference, low, _, high, pvalue = row.split()
    sign = "" if pvalue.startswith("<") else "= "
    pvalue = pvalue.replace("<", "< ")
    return f"{difference} (95% interval {low} to {high}, adjusted p {sign}{pvalue})"


def test_the_verdict_says_which_groups_are_shown_to_differ():
    rng = np.random.default_rng(0)
    y_true, month = rng.integers(0, 3, 600), np.repeat([0, 1, 2], 200)
    y_pred = np.where(rng.random(600) < np.where(month == 2, 0.5, 0.1), 2 - y_true, y_true)
    found = report(y_true, y_pred, month, ["accuracy"])
    verdicts = [
        found.contrasts(**options).document().verdict[0].text
        for options in ({}, {"reference": "Jan"}, {"weights": "linear"})
    ]
    contrast = found.contrasts(weights="linear").contrasts["accuracy"]["linear"]
    of_all, from_jan = (
        in_words(found.contrasts(**options), "Mar") for options in ({}, {"reference": "Jan"})
    )
    assert verdicts == [
        "By accuracy, 3 of 3 groups are shown to differ in value from all samples: Jan, Feb and "
        f"Mar. Mar differs most, by {of_all}.",
        f"By accuracy, 1 of 2 groups is shown to differ in value from Jan: Mar, by {from_jan}.",
        f"By accuracy, the values are shown to fall in the order of the groups: {contrast}.",
    ]
    y_pred = np.roll(y_true, 1)
    none = report(y_true, y_pred, month, ["accuracy"]).contrasts(reference="Jan")
    (verdict,) = none.document().verdict
    largest = max(("Feb", "Mar"), key=lambda name: abs(none.contrasts["accuracy"][name].estimate))
    assert verdict.text == (
        "By accuracy, none of 2 groups is shown to differ in value from Jan. The largest "
        f"difference is for {largest}: {in_words(none, largest)}."
    )
    weighted = report(y_true, y_pred, month, ["accuracy"]).contrasts(weights=WEIGHTS)
    (verdict,) = weighted.document().verdict
    assert verdict.text.startswith("By accuracy, the contrast of the values is not shown to differ")


def test_a_note_says_where_the_pvalue_that_decides_and_the_interval_disagree():
    apart = Contrast(0.1, 0.01, 0.19, 0.95, pvalue=0.03)
    adjusted = replace(apart, adjusted_pvalue=0.06)
    assert (apart.deciding_pvalue, adjusted.deciding_pvalue) == (0.03, 0.06)
    assert (apart.is_shown, adjusted.is_shown) == (True, False)
    assert not replace(apart, pvalue=float("nan")).is_shown
    assert not notes_on_pvalues([apart, replace(apart, low=float("nan"))])
    (note,) = notes_on_pvalues([apart, adjusted])
    assert note.startswith("Where p and the interval disagree, p counts")
    assert notes_on_pvalues([replace(apart, low=-0.01)]) == [note]
    # The note is about the rows of the text, and the details have their own.
    y_true, y_pred, month, *_ = samples()
    found = report(y_true, y_pred, month).contrasts(reference="Jan")
    same = {"low": -1.0, "high": 1.0, "pvalue": 1.0, "adjusted_pvalue": 1.0}
    rows = {key: replace(row, **same) for key, row in found.rows.items()}
    rows |= {key: adjusted for key in rows if key[0] != found.inferred[0]}
    found = replace(found, rows=rows, inferred=found.inferred[:1])
    assert note not in " ".join(str(found).split())
    assert " ".join(found.to_text(details=True).split()).count(note) == 1


def test_the_verdict_counts_groups_that_could_not_be_tested():
    y_true, y_pred, month, *_ = samples()
    y_true = np.where(month == 1, 0, y_true)
    with pytest.warns(UserWarning, match="Undefined"):
        found = report(y_true, y_pred, month, ["kendall_tau_b"])
    (verdict,) = found.contrasts(reference="Jan").document().verdict
    assert "; 1 could not be tested. The largest difference is for Mar: " in verdict.text


def test_text_and_plot_name_the_reference():
    pytest.importorskip("matplotlib")
    y_true, y_pred, month, *_ = samples()
    found = report(y_true, y_pred, month)
    assert "\n\nDifferences between the values of groups and of all samples.\n" in str(
        found.contrasts()
    )
    assert "\n\nDifferences between the values of groups and of Jan.\n" in str(
        found.contrasts(reference="Jan")
    )
    text = " ".join(str(found.contrasts(weights="linear")).split())
    assert "from one of the 3 groups to the next, from Jan to Mar." in text
    assert "weights Jan: -0.5, Feb: -1, Mar: 1.5" in str(found.contrasts(weights=WEIGHTS))
    assert repr(found.contrasts(reference="Jan")).startswith("GroupContrasts(2 groups, cem_ord")
    assert repr(found.contrasts(weights="linear")).startswith("GroupContrasts(linear, cem_ord")
    display = found.contrasts(reference="Jan").plot(MAE)
    assert [tick.get_text() for tick in display.ax_.get_yticklabels()] == ["Feb", "Mar"]
    assert "negative is better" in display.ax_.get_xlabel()


@pytest.mark.filterwarnings("ignore:There is no interval")
@pytest.mark.parametrize("metric", ["accuracy", "quadratic_weighted_kappa"])
def test_a_group_without_errors_is_taken_to_vary_as_the_other(metric):
    parts = [OrdinalConfusion.from_counts(c) for c in ([[15, 5], [6, 14]], [[8, 0], [0, 7]])]
    report = GroupReport.from_confusion(
        OrdinalConfusion.stack(parts), by=["old", "new"], metrics=metric, n_permutations=0
    )
    contrast = report.contrasts(reference="old").contrasts[metric]["new"]
    change = report_change(*parts, metric).differences[metric]
    for name in ("estimate", "low", "high", "standard_error", "pvalue"):
        assert getattr(contrast, name) == pytest.approx(getattr(change, name), rel=1e-12)
    error = delta_interval(parts[0], metrics=metric).standard_error
    assert change.standard_error == pytest.approx(error * np.sqrt(1 + 40 / 15))
    assert contrast.pvalue > 0.05
