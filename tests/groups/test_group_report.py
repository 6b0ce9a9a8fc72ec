"""Reports of groups."""

import math
import re
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import log_loss
from sklearn.model_selection import RepeatedKFold, RepeatedStratifiedKFold
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from sklearn_ordinal import (
    GroupReport,
    OrdinalConfusion,
    OrdinalReport,
    compare_estimators,
    cross_val_report,
    report_change,
)
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.inference import delta_interval
from sklearn_ordinal.metrics import cem_ord_score, concordance_score, ranked_probability_score
from tests.pages import Page

# Every report of predicted classes has these.
SIGNED = ["ordinal_bias", "overestimation_rate", "underestimation_rate"]


def three_groups(n_samples=300, seed=0):
    """Return classes, predictions and groups with other class sizes and other errors."""
    rng = np.random.default_rng(seed)
    group = rng.integers(3, size=n_samples)
    y_true = rng.binomial(3, np.array([0.3, 0.5, 0.6])[group])
    error = rng.choice([-1, 0, 1], size=n_samples) * (rng.random(n_samples) < 0.4 + 0.1 * group)
    return y_true, np.clip(y_true + error, 0, 3), np.array(["east", "north", "west"])[group]


def report(y_true, y_pred, by, **options):
    options = {"metrics": "cem_ord", "n_permutations": 19, "random_state": 0, **options}
    return GroupReport.from_predictions(y_true, y_pred, by=by, **options)


# fairlearn 0.15.0, MetricFrame of the mean absolute error for `three_groups()`.
FAIRLEARN = {
    "overall": 0.2733333333333333,
    "by_group": {
        "east": 0.15555555555555556,
        "north": 0.28421052631578947,
        "west": 0.3565217391304348,
    },
    "group_min": 0.15555555555555556,
    "group_max": 0.3565217391304348,
    "difference between_groups": 0.20096618357487922,
    "difference to_overall": 0.11777777777777776,
    "ratio between_groups": 0.4363143631436314,
    "ratio to_overall": 0.5691056910569107,
}


def test_figures_are_those_of_fairlearn():
    y_true, y_pred, group = three_groups()
    found = report(y_true, y_pred, group, metrics="ordinal_mean_absolute_error")
    name = "ordinal_mean_absolute_error"
    assert found.overall[name].estimate == pytest.approx(FAIRLEARN["overall"])
    for each, value in FAIRLEARN["by_group"].items():
        assert found.by_group[name][each].estimate == pytest.approx(value)
    assert found.group_min()[name].estimate == pytest.approx(FAIRLEARN["group_min"])
    assert found.group_max()[name].estimate == pytest.approx(FAIRLEARN["group_max"])
    for method in ("between_groups", "to_overall"):
        difference, ratio = found.difference(method)[name], found.ratio(method)[name]
        assert difference.estimate == pytest.approx(FAIRLEARN[f"difference {method}"])
        assert ratio.estimate == pytest.approx(FAIRLEARN[f"ratio {method}"])


def test_bias_and_shares_of_too_high_and_too_low():
    y_true, y_pred, group = three_groups()
    found = report(y_true, y_pred, group)
    for each in ("east", "north", "west"):
        error = (y_pred - y_true)[group == each]
        assert found.by_group["ordinal_bias"][each].estimate == pytest.approx(error.mean())
        assert found.by_group["overestimation_rate"][each].estimate == pytest.approx(
            (error > 0).mean()
        )
        assert found.by_group["underestimation_rate"][each].estimate == pytest.approx(
            (error < 0).mean()
        )
    assert found.overall["ordinal_bias"].estimate == pytest.approx((y_pred - y_true).mean())
    assert "ordinal_bias" not in found.ratio()


def test_the_overall_closeness_is_the_mean_of_the_groups_in_each_view():
    y_true, y_pred, group = three_groups()
    numbers = report(y_true, y_pred, group).to_dict()
    values = {
        row["group"]: row["estimate"]
        for row in numbers["values"]
        if (row["criterion"], row["what"]) == ("cem_ord", "value")
    }
    mean = sum(weight * values[name] for name, weight in numbers["weights"]["cem_ord"].items())
    assert mean == pytest.approx(cem_ord_score(y_true, y_pred), rel=1e-12)


def test_all_numbers_are_on_the_page():
    found = report(*three_groups())
    cells = (attrs.get("data-value") for _, attrs in Page(found.to_html()).tags)
    values = {float(value) for value in cells if value is not None}
    assert set(found.to_frame()["estimate"].dropna()) <= values


@pytest.mark.parametrize(
    "by",
    [
        lambda group: list(group),
        lambda group: pd.Series(group, dtype="category"),
        lambda group: pd.Series(group),
        lambda group: np.array(group, dtype=object)[:, None],
    ],
)
def test_groups_may_come_in_any_container(by):
    y_true, y_pred, group = three_groups()
    assert report(y_true, y_pred, by(group)) == report(y_true, y_pred, group)


def the_verdict(found):
    (note,) = found.document().verdict
    return note.text


def test_the_text_shows_the_interval_of_each_difference_and_leaves_out_those_of_values():
    (y_true, y_pred, by), _ = drawn_groups(0)
    weight = np.random.default_rng(0).uniform(0.5, 1.5, len(y_true))
    for options in ({}, {"sample_weight": weight}):
        found = report(y_true, y_pred, [f"site{k}" for k in by], labels=range(4), **options)
        for group, row in found.contrasts().contrasts["cem_ord"].items():
            (line,) = (line for line in str(found).splitlines() if line.startswith(f"{group} "))
            assert f" {row.low:+.3f} to {row.high:+.3f} " in line
            assert line.endswith((f" {row.adjusted_pvalue:.3f}", " <0.001"))
        assert "95% interval of value): see GroupReport.to_markdown()" in " ".join(
            str(found).split()
        )
        assert "95% interval of value" in found.to_markdown()


def test_details_have_the_weight_of_each_group_in_the_overall_value():
    found = report(*two_hospitals(), metrics=["cem_ord", "accuracy"])
    weights = found.weights["cem_ord"]
    assert weights @ [value.estimate for value in found.by_group["cem_ord"].values()] == (
        pytest.approx(found.overall["cem_ord"].estimate)
    )
    expected = (
        f"Weight in overall\ngroup  cem_ord\nA         {weights[0]:.2f}\nB         {weights[1]:.2f}"
    )
    assert f"\n{expected}\n" in found.to_text(details=True)
    assert "Weight in overall" not in str(found)


def two_hospitals(n_samples=400, seed=0):
    """Return the same errors within the true classes of two hospitals with other class sizes."""
    rng = np.random.default_rng(seed)
    hospital = np.repeat(["A", "B"], n_samples)
    y_true = np.concatenate(
        [rng.choice(3, size=n_samples, p=p) for p in ([0.6, 0.3, 0.1], [0.1, 0.3, 0.6])]
    )
    rates = np.array([[0.8, 0.2, 0.0], [0.1, 0.8, 0.1], [0.0, 0.4, 0.6]])
    y_pred = (rng.random((2 * n_samples, 1)) > rates[y_true].cumsum(axis=1)).sum(axis=1)
    return y_true, y_pred, hospital


def test_the_verdict_says_if_values_differ_and_then_if_errors_do():
    y_true, y_pred, hospital = two_hospitals()
    found = GroupReport.from_predictions(
        y_true, y_pred, by=hospital, metrics="cem_ord", random_state=0
    )
    difference = found.difference()["cem_ord"]
    assert the_verdict(found) == (
        f"By cem_ord, the values of the groups are shown to differ (p < 0.001). The largest "
        f"difference is {difference.estimate:.2f} (95% interval {difference.low:.2f} to "
        f"{difference.high:.2f}): A is higher than B. Apart from class sizes, the errors within "
        f"true classes are not shown to differ (p = {difference.errors_pvalue:.3f})."
    )
    # All other results about these hospitals are about values, and say so.
    text = str(found.contrasts(reference="A"))
    assert text.startswith("By cem_ord, 1 of 1 group is shown to differ in value from A: B, by -0.")
    sides = (
        OrdinalConfusion.from_predictions(y_true[hospital == h], y_pred[hospital == h])
        for h in "AB"
    )
    change = report_change(*sides, "cem_ord")
    assert str(change).startswith("By cem_ord, the new samples are worse: ")
    assert "the predictions for samples of the same class are not shown to differ." in (
        change.document().verdict[0].text
    )
    assert str(difference).endswith(
        ", from B to A; values: p < 0.001; errors within true classes: p = "
        f"{difference.errors_pvalue:.3f}"
    )
    assert "p (values)  p (errors)\n" in difference.to_text()


@pytest.mark.parametrize("seed", range(20))
def test_the_values_of_two_groups_differ_by_the_test_of_welch(seed):
    rng = np.random.default_rng(seed)
    y_true, y_pred = rng.integers(4, size=(2, 60))
    by = rng.random(60) < 0.4
    y_pred = np.where(by & (rng.random(60) < 0.4), y_true, y_pred)
    found = GroupReport.from_predictions(
        y_true, y_pred, by=by + 0, metrics="ordinal_mean_absolute_error", n_permutations=0
    )
    distances = np.abs(y_true - y_pred)
    pvalue = stats.ttest_ind(distances[by], distances[~by], equal_var=False).pvalue
    verb = "are" if pvalue <= 0.05 else "are not"
    start = f"By ordinal_mean_absolute_error, the values of the groups {verb} shown to differ (p "
    assert the_verdict(found).startswith(start)
    n_shown = "1" if pvalue <= 0.05 else "none"
    text = " ".join(str(found.contrasts(reference="0")).split())
    assert f"{n_shown} of 1 group is shown to differ in value from 0" in text


def drawn_groups(seed):
    """Return groups that may differ in their errors and class sizes, and their options."""
    rng = np.random.default_rng(seed)
    n_groups, n_samples = rng.integers(2, 9), rng.integers(60, 900)
    group = rng.choice(n_groups, size=n_samples, p=rng.dirichlet(np.full(n_groups, 5)))
    shares = rng.dirichlet(np.ones(4), size=n_groups if seed % 2 else 1)
    cumulated = shares[group % len(shares)].cumsum(axis=1)
    y_true = (rng.random((n_samples, 1)) > cumulated).sum(axis=1).clip(max=3)
    is_wrong = rng.random(n_samples) < 0.3 + 0.15 * rng.random(n_groups)[group]
    y_pred = np.where(is_wrong, rng.integers(4, size=n_samples), y_true)
    options = [{}, {"clusters": rng.integers(30, size=n_samples)}, {"prevalence": np.full(4, 0.25)}]
    return (y_true, y_pred, group), options[seed // 2 % 3]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize("seed", range(60))
def test_the_verdict_and_the_contrasts_with_all_samples_agree(seed):
    names = ["cem_ord", "quadratic_weighted_kappa", "accuracy"]
    (y_true, y_pred, group), options = drawn_groups(seed)
    for metric in names:
        found = GroupReport.from_predictions(
            y_true, y_pred, by=group, metrics=metric, labels=range(4), **options
        )
        contrasts = found.contrasts()
        adjusted = [row.adjusted_pvalue for row in contrasts.contrasts[metric].values()]
        expected = np.nanmin([*adjusted, np.inf])
        pvalue = found.difference()[metric].adjusted_pvalue
        assert pvalue == pytest.approx(expected, rel=1e-6) or (np.isinf(expected), np.isnan(pvalue))
        are_shown = "are shown to differ" in the_verdict(found).partition(":")[0]
        assert are_shown == (": none of" not in f": {the_verdict(contrasts).split(', ')[1]}")


@pytest.mark.parametrize(
    ("clusters", "tested"),
    [
        (np.arange(90) // 3, "Apart from class sizes, the errors within true classes are not"),
        (
            np.arange(90) % 30,
            "The clusters of the groups are not shown to differ in errors or class sizes (p",
        ),
        (np.arange(90) % 10, "Apart from class sizes, the errors within clusters and true classes"),
    ],
)
def test_the_verdict_says_what_the_exchange_of_clusters_tests(clusters, tested):
    by, y_true = np.where(np.arange(90) % 30 < 15, "a", "b"), np.arange(90) // 3 % 3
    if len(np.unique(clusters)) == 10:
        by = np.roll(by, 5)
    y_pred = np.where(np.arange(90) % 4, y_true, 1)
    found = report(y_true, y_pred, by, clusters=clusters, n_permutations=99)
    assert tested in the_verdict(found)
    title = "p (clusters)" if tested.startswith("The") else "p (errors)"
    assert f"95% interval  p (values)  {title}  lower" in found.to_text(details=True)


def test_an_interval_without_0_is_not_printed_as_if_it_contained_0():
    rng = np.random.default_rng(0)
    y_true, by = np.arange(60_000) % 3, np.arange(60_000) // 3 % 2
    y_pred = np.where(rng.random(60_000) < np.where(by, 0.1, 0.107), (y_true + 1) % 3, y_true)
    found = report(y_true, y_pred, by, metrics="accuracy", n_permutations=0)
    low = found.difference()["accuracy"].low
    assert 0 < low < 0.005
    assert f"(95% interval 0.00{1000 * low:.0f} to " in the_verdict(found)


def test_values_without_variance_are_not_tested():
    by, y_true = np.repeat(["a", "b"], 10), np.arange(20) % 2
    with pytest.warns(UndefinedMetricWarning):
        found = report(
            y_true,
            np.where(by == "a", y_true, 1 - y_true),
            by,
            metrics="accuracy",
            n_permutations=0,
        )
    assert the_verdict(found) == (
        "By accuracy, it could not be tested whether the values of the groups differ. The largest "
        "difference is 1.00 (no 95% interval): a is higher than b."
    )


def test_the_verdict_is_about_the_groups_that_have_a_value():
    y_true = [0, 1, 2, 2] * 6 + [0, 1, 1, 0] * 6 + [0, 1, 2, 1] * 6
    y_pred = [0, 1, 2, 1] * 6 + [0, 1, 1, 1] * 6 + [0, 0, 1, 2] * 6
    by = np.repeat(["A", "B", "C"], 24)
    # B has no sample of the highest class.
    with pytest.warns(UndefinedMetricWarning):
        found = report(y_true, y_pred, by, metrics="cem_ord", prevalence=[0.3, 0.3, 0.4])
    verdict = the_verdict(found)
    assert verdict.startswith("By cem_ord, the values of the groups that have one are shown to")
    assert ": A is higher than C. Apart from class sizes, the errors" in verdict


def test_the_verdict_names_no_groups_if_all_are_equal_and_no_interval_if_there_is_none():
    classes = np.tile([0, 1, 2], 20)
    by = np.repeat(["a", "b"], 30)
    with pytest.warns(UndefinedMetricWarning, match="no interval .*: ordinal_bias for a and b"):
        found = report(classes, classes, by, metrics="accuracy")
    assert the_verdict(found) == (
        "By accuracy, the values of the groups are not shown to differ. The largest difference is "
        "0.00 (95% interval 0.00 to 0.00). Apart from class sizes, the errors within true classes "
        "are not shown to differ (p = 1.000)."
    )
    with pytest.warns(UndefinedMetricWarning):
        found = GroupReport.from_predictions([0, 1], [0, 0], by=["a", "b"], metrics="cem_ord")
    verdict = the_verdict(found)
    assert math.isnan(found.difference("between_groups")["cem_ord"].low)
    assert verdict.startswith("By cem_ord, it could not be tested whether the values of the groups")
    assert verdict.endswith(" (no 95% interval): a is higher than b.")


def test_the_text_names_the_groups_with_the_largest_differences():
    rng = np.random.default_rng(0)
    y_true, y_pred = rng.integers(4, size=(2, 90))
    by = rng.choice(["middle of nowhere", "north", "south"], size=90)
    report = GroupReport.from_predictions(y_true, y_pred, by=by, n_permutations=19, random_state=0)
    text = report.to_text(details=True)
    table = text.split("difference between groups\n")[1].split("\n\n")[0].splitlines()
    assert table[0].split()[-2:] == ["lower", "higher"]
    for line, difference in zip(table[1:], report.difference().values(), strict=True):
        groups = difference.lower_group, difference.higher_group
        for cell, group in zip(re.split("  +", line)[-2:], groups, strict=True):
            assert cell
            assert group.startswith(cell.strip("…"))


def test_groups_may_be_numbers():
    y_true, y_pred, group = three_groups()
    years = np.where(group == "east", 2024, 2025)
    found = report(y_true, y_pred, years)
    assert found.group_names == ("2024", "2025")
    assert found.n_samples["2024"] == (group == "east").sum()


@pytest.mark.parametrize(
    ("by", "message"),
    [
        (["a"] * 300, "by must name at least 2 groups, got only 'a'"),
        (["a"] * 299, "by must have a value for each of the 300 samples, got 299"),
        ([None, *["a"] * 299], "by .*missing"),
        (["a", "overall"] * 150, "by must have different names .* none of them 'overall'"),
        ([1, "1"] * 150, "by must have different names"),
    ],
)
def test_groups_are_checked(by, message):
    y_true, y_pred, _ = three_groups()
    with pytest.raises(ValueError, match=message):
        report(y_true, y_pred, by)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metrics": "ranked_probability_score"}, "metrics"),
        ({"prevalence": [0.5, 0.5]}, "prevalence must have shape"),
        ({"prevalence": [0.5, 0.5, 0.5, 0.5]}, "prevalence must add up to 1"),
        ({"clusters": [1] * 300}, "clusters must have at least 2 values"),
        ({"clusters": [1, 2]}, "clusters must have a value for each of the 300 samples"),
        ({"n_permutations": -1}, "n_permutations"),
        ({"digits": 1075}, "digits must be at most 1,074"),
        ({"unanswered": "drop"}, "unanswered"),
    ],
)
def test_options_are_checked(options, message):
    with pytest.raises(ValueError, match=message):
        report(*three_groups(), **options)


def test_methods_are_checked():
    found = report(*three_groups())
    for method in (found.difference, found.ratio):
        with pytest.raises(ValueError, match="method must be"):
            method("within_groups")


def test_small_groups_empty_classes_and_undefined_criteria_are_said():
    y_true, y_pred, group = three_groups()
    group[np.flatnonzero(y_true == 1)[:3]] = "small"
    with pytest.warns(UndefinedMetricWarning) as warned:
        found = report(y_true, y_pred, group, metrics=["cem_ord", "kendall_tau_b"])
    assert any("Undefined: kendall_tau_b for small." in str(one.message) for one in warned)
    text = " ".join(found.to_text().split())
    assert "Groups with fewer than 20 samples, whose intervals are too short: small (3)." in text
    assert "Groups without samples of some true classes: small (0, 2 and 3)." in text
    assert "Undefined for small, so that" in text
    assert "leave them out: kendall_tau_b." in text
    assert "small" in found.by_group["kendall_tau_b"]


def test_the_same_seed_gives_the_same_report():
    assert report(*three_groups()) == report(*three_groups())
    assert report(*three_groups()) != report(*three_groups(), random_state=1)


def test_plots_show_each_group_and_all_samples():
    found = report(*three_groups())
    for metric in (None, "ordinal_bias", cem_ord_score):
        display = found.plot(metric)
        assert len(display.estimates_) == 4
    with pytest.raises(ValueError, match="accuracy"):
        found.plot("accuracy")


def probabilities(y_true, seed=0):
    return (
        np.random.default_rng(seed).dirichlet(np.ones(4), len(y_true)) / 2 + np.eye(4)[y_true] / 2
    )


def test_groups_are_compared_by_labels_and_probabilities():
    y_true, y_pred, group = three_groups()
    metrics = ["ranked_probability_score", "cem_ord", "concordance"]
    options = {"y_proba": probabilities(y_true), "metrics": metrics}
    found = report(y_true, y_pred, group, **options)
    assert list(found.overall) == [*metrics, *SIGNED]
    for each in found.group_names:
        of = group == each
        expected = ranked_probability_score(y_true[of], options["y_proba"][of])
        assert found.by_group["ranked_probability_score"][each].estimate == pytest.approx(expected)
    labels_only = report(y_true, y_pred, group)
    assert found.by_group["cem_ord"] == labels_only.by_group["cem_ord"]


def test_groups_are_compared_without_classes():
    y_true, _, group = three_groups()
    y_proba = probabilities(y_true)
    found = report(y_true, None, group, y_proba=y_proba, metrics=None)
    assert set(found.overall) == {
        "ranked_probability_score",
        "ranked_probability_skill",
        "log_loss",
        "cem_ord_decision",
        "concordance",
        "unimodality",
    }
    assert found.confusion is None
    assert found.n_samples == report(y_true, 3 - y_true, group).n_samples


def test_the_overall_closeness_of_probabilities_is_the_mean_of_the_groups():
    y_true, _, group = three_groups()
    metrics = ["cem_ord_decision", "expected_cem_ord"]
    found = report(y_true, None, group, y_proba=probabilities(y_true), metrics=metrics)
    for name in metrics:
        values = [one.estimate for one in found.by_group[name].values()]
        assert found.weights[name] @ values == pytest.approx(found.overall[name].estimate)


def test_a_report_of_groups_by_scores():
    y_true, _, group = three_groups()
    scores = y_true + np.random.default_rng(0).normal(size=300)
    found = report(y_true, None, group, y_proba=scores, metrics="concordance")
    expected = concordance_score(y_true[group == "east"], scores[group == "east"])
    assert found.by_group["concordance"]["east"].estimate == pytest.approx(expected)


def own_score(estimator, X, y):
    return estimator.score(X, y)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "y_pred or y_proba must be given"),
        (
            {"y_proba": np.full((300, 4), 0.25), "metrics": "cem_ord"},
            "cem_ord, which needs predicted classes",
        ),
        (
            {"y_proba": np.full((300, 4), 0.25), "metrics": own_score},
            "got own, which needs the fitted estimator: leave it out",
        ),
        ({"y_proba": np.ones((300, 4))}, "y_proba must have rows that add up to 1"),
        ({"y_proba": np.full((300, 3), 1 / 3)}, "y_proba must have a column for each of the 4"),
        ({"y_proba": np.full((300, 4), 0.25), "clusters": [1] * 300}, "clusters must have at"),
        ({"y_proba": np.full((300, 4), 0.25), "by": ["a", "b"]}, "by must have a value"),
        ({"y_proba": np.full((300, 4), 0.25), "prevalence": [1, 1, 1, 1]}, "prevalence must add"),
    ],
)
def test_probabilities_of_groups_are_checked(options, message):
    y_true, _, group = three_groups()
    options = {"by": group, "metrics": "ranked_probability_score"} | options
    with pytest.raises(ValueError, match=message):
        GroupReport.from_predictions(y_true, **options)


def test_probabilities_that_no_criterion_needs_are_refused():
    y_true, y_pred, group = three_groups()
    with pytest.raises(ValueError, match="y_proba must be left out if no criterion needs"):
        report(y_true, y_pred, group, y_proba=probabilities(y_true))


SEX = np.array(["f", "m"])


@pytest.mark.parametrize(
    "columns",
    [
        lambda group, sex: {"region": group, "sex": sex},
        lambda group, sex: pd.DataFrame({"region": group, "sex": sex}),
        lambda group, sex: pd.DataFrame({"region": pd.Categorical(group), "sex": sex}),
        lambda group, sex: pl.DataFrame({"region": group, "sex": sex}),
        lambda group, sex: pa.table({"region": group, "sex": sex}),
        lambda group, sex: np.column_stack([group, sex]),
        lambda group, sex: list(zip(group, sex, strict=True)),
        lambda group, sex: [group, sex],
        lambda group, sex: [list(group), pd.Series(sex)],
    ],
)
def test_groups_of_several_columns_are_the_combinations_that_occur(columns):
    y_true, y_pred, group = three_groups()
    sex = SEX[np.arange(300) % 2]
    sex[group == "west"] = "f"
    found = report(y_true, y_pred, columns(group, sex))
    together = np.char.add(np.char.add(group, ", "), sex)
    assert found.group_names == ("east, f", "east, m", "north, f", "north, m", "west, f")
    assert found == report(y_true, y_pred, together)


def test_ids_are_not_groups():
    y_true = [0, 1, 2] * 400
    with pytest.raises(ValueError, match=r"by must name at most 1,000 groups, .* got 1,200: merge"):
        report(y_true, y_true, range(1200))


@pytest.mark.parametrize(
    ("by", "message"),
    [
        ({}, "by must have at least one column"),
        ({"a": ["x"] * 300}, "by must name at least 2 groups, got only 'x'"),
        ({"a": ["x", "y"] * 150, "b": [None, *["y"] * 299]}, "by\\['b'\\] .*missing"),
        ({"a": ["x", "y"] * 150, "b": [1]}, "by\\['b'\\] must have a value for each of the 300"),
        ({"a": ["x, y", "x"] * 150, "b": ["z", "y, z"] * 150}, "by must have different names"),
    ],
)
def test_columns_of_groups_are_checked(by, message):
    y_true, y_pred, _ = three_groups()
    with pytest.raises(ValueError, match=message):
        report(y_true, y_pred, by)


def test_columns_of_groups_are_in_the_order_of_the_classes():
    y_true, y_pred, group = three_groups()
    y_true = pd.Series(y_true, index=np.arange(300))
    by = pd.DataFrame({"region": group, "sex": SEX[np.arange(300) % 2]}, index=np.arange(300)[::-1])
    with pytest.raises(ValueError, match="have the same index in different orders"):
        report(y_true, y_pred, by)


def test_a_stack_of_a_table_has_names_of_groups():
    y_true, y_pred, group = three_groups()
    frame = pd.DataFrame({"y": y_true, "p": y_pred, "region": group})
    frame["sex"] = SEX[np.arange(300) % 2]
    for by in (["region", "sex"], "region"):
        stack = OrdinalConfusion.from_table(frame, "y", "p", by=by)
        found = GroupReport.from_confusion(stack, metrics="cem_ord", n_permutations=19)
        expected = report(y_true, y_pred, frame[by])
        assert found.n_samples == expected.n_samples
        for name, value in expected.by_group["cem_ord"].items():
            assert found.by_group["cem_ord"][name].estimate == pytest.approx(value.estimate)


def test_reports_at_other_class_sizes_are_those_of_weighted_samples():
    y_true, y_pred, _ = three_groups()
    shares = np.array([0.4, 0.3, 0.2, 0.1])
    y_proba = np.random.default_rng(0).dirichlet([1, 2, 2, 1], len(y_true))
    weight = shares[y_true] / np.bincount(y_true)[y_true] * len(y_true)
    metrics = ["cem_ord", "quadratic_weighted_kappa", "ranked_probability_score"]
    options = {"y_proba": y_proba, "metrics": metrics}
    found = OrdinalReport.from_predictions(y_true, y_pred, prevalence=shares, **options)
    expected = OrdinalReport.from_predictions(y_true, y_pred, sample_weight=weight, **options)
    for name, value in expected.criteria.items():
        assert found.criteria[name] == pytest.approx(value)
    for name, values in expected.per_class.items():
        np.testing.assert_allclose(found.per_class[name], values)
    for name, values in expected.per_threshold.items():
        np.testing.assert_allclose(found.per_threshold[name], values)
    assert found.to_dict()["prevalence"] == shares.tolist()
    assert "prevalence" not in expected.to_dict()
    assert "shares of the true classes: 0: 0.4, 1: 0.3, 2: 0.2, 3: 0.1." in str(found).replace(
        "\n", " "
    )


def test_the_class_sizes_of_a_report_are_checked():
    y_true, y_pred, _ = three_groups()
    with pytest.raises(ValueError, match="prevalence must add up to 1"):
        OrdinalReport.from_predictions(y_true, y_pred, prevalence=[1, 1, 1, 1])


@pytest.mark.parametrize(
    ("prevalence", "message"),
    [
        (["a", "b"], "prevalence must hold numbers, got strings"),
        ({0: 0.5, 1: 0.5}, "prevalence must be a sequence, such as a list, got a dict"),
        (pd.Series([0.5, 0.5], index=[1, 0]), "prevalence must be a plain array"),
        ([0.5, 0.4], "prevalence must add up to 1"),
        ([[0.5, 0.5]], "prevalence must have shape"),
    ],
)
def test_errors_name_the_prevalence_whatever_it_is(prevalence, message):
    y = np.arange(20) % 2
    for make in (
        OrdinalReport.from_predictions,
        partial(report, by=np.arange(20) % 5 > 2),
        partial(report, by=np.arange(20) % 5 > 2, y_proba=np.eye(2)[y], metrics="concordance"),
    ):
        with pytest.raises(ValueError, match=f"^{message}"):
            make(y, y, prevalence=prevalence)
    unknown = "^prevalence must be 0 for a class without samples, .* got 0.5 for 2"
    with pytest.raises(ValueError, match=unknown):
        OrdinalReport.from_predictions(y, y, labels=[0, 1, 2], prevalence=[0.5, 0, 0.5])


def test_a_report_at_other_class_sizes_is_saved(tmp_path):
    y_true, y_pred, _ = three_groups()
    found = OrdinalReport.from_predictions(y_true, y_pred, prevalence=[0.25] * 4)
    found.to_json(tmp_path / "report.json")
    assert OrdinalReport.from_json(tmp_path / "report.json") == found


def test_counts_have_the_report_of_their_samples():
    y_true, y_pred, group = three_groups()
    expected = report(y_true, y_pred, group, n_permutations=999)
    found = GroupReport.from_confusion(
        expected.confusion, by=["east", "north", "west"], metrics="cem_ord", n_permutations=999
    )
    assert found.n_samples == expected.n_samples
    for name, values in expected.by_group.items():
        for each, interval in values.items():
            assert found.by_group[name][each].estimate == pytest.approx(interval.estimate)
            assert found.by_group[name][each].low == pytest.approx(interval.low, abs=0.03)
        difference = found.difference()[name]
        assert difference.estimate == pytest.approx(expected.difference()[name].estimate)
        assert difference.errors_pvalue == pytest.approx(
            expected.difference()[name].errors_pvalue, abs=0.06
        )


def test_counts_are_named_in_their_order():
    y_true, y_pred, group = three_groups()
    expected = report(y_true, y_pred, group)
    reverse = OrdinalConfusion(expected.confusion.scale, expected.confusion.counts[::-1])
    found = GroupReport.from_confusion(
        reverse, by=["west", "north", "east"], metrics="cem_ord", n_permutations=19
    )
    assert found.n_samples == expected.n_samples


@pytest.mark.parametrize(
    ("counts", "by", "message"),
    [
        (np.ones((2, 2, 2), dtype=int), None, "by must name the groups"),
        (np.eye(2, dtype=int), ["a"], "confusion must be an OrdinalConfusion with counts of shape"),
        (np.ones((2, 2, 2)), ["a", "b"], "confusion must hold the number and the squared"),
        (
            np.ones((2, 2, 2), dtype=int),
            ["a", "b", "c"],
            "by must be left out, or name each of the 2 groups",
        ),
        (np.ones((3, 2, 2), dtype=int), ["a", "b", "a"], "by must name each group once"),
        (np.zeros((2, 2, 2), dtype=int), ["a", "b"], "confusion must have at least 2 samples"),
    ],
)
def test_counts_are_checked(counts, by, message):
    with pytest.raises(ValueError, match=message):
        GroupReport.from_confusion(OrdinalConfusion.from_counts(counts), by=by)


def test_unanswered_samples_are_said():
    y_true, y_pred, group = three_groups()
    y_pred = np.where(np.arange(300) < 30, None, y_pred)
    found = report(y_true, y_pred, group, metrics=["cem_ord", "accuracy"], unanswered="count")
    assert "30 of 300 unanswered: the cem_* criteria count these" in " ".join(str(found).split())
    assert found.overall["accuracy"].n_left_out == 30
    assert found.overall["cem_ord"].n_left_out == 0
    assert sum(found.n_samples.values()) == 300


class Memory(ClassifierMixin, BaseEstimator):
    """Predict the class of each sample, by its position in the data, that is known beforehand."""

    def __init__(self, known=None):
        self.known = known

    def fit(self, X, y):  # noqa: ARG002
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return self.known[np.asarray(X)[:, 0]]


def folds(cv=3, **options):
    """Return a cross-validation of predictions that do not depend on the fold."""
    y_true, y_pred, _ = three_groups()
    options = {"scoring": "cem_ord", "verbose": False, **options}
    return cross_val_report(Memory(y_pred), np.arange(300)[:, None], y_true, cv=cv, **options)


def test_a_fitted_estimator_has_the_report_of_its_predictions():
    y_true, y_pred, group = three_groups()
    options = {"by": group, "metrics": "cem_ord", "n_permutations": 19, "random_state": 0}
    fitted = Memory(y_pred).fit(None, y_true)
    found = GroupReport.from_estimator(fitted, np.arange(300)[:, None], y_true, **options)
    assert found == report(y_true, y_pred, group)
    assert "Memory" in found.provenance.estimators["estimator"]
    with pytest.raises(ValueError, match="estimator must be a fitted classifier"):
        GroupReport.from_estimator(y_true, y_pred, y_true, **options)


def test_folds_have_the_report_of_their_predictions():
    y_true, y_pred, group = three_groups()
    found = GroupReport.from_cross_val(folds(), by=group, n_permutations=19, random_state=0)
    assert found == report(y_true, y_pred, group)
    assert "StratifiedKFold" in found.provenance.splitter


def test_an_estimator_of_a_comparison_has_a_report_of_groups():
    y_true, y_pred, group = three_groups()
    comparison = compare_estimators(
        {"known": Memory(y_pred)}, np.arange(300)[:, None], y_true, cv=2, verbose=False
    )
    found = GroupReport.from_cross_val(comparison.reports["known"], by=group, n_permutations=19)
    assert found.overall["cem_ord"].estimate == pytest.approx(cem_ord_score(y_true, y_pred))


def test_predictions_of_repeated_folds_do_not_count_as_samples():
    y_true, y_pred, group = three_groups()
    repeated = folds(RepeatedKFold(n_splits=3, n_repeats=3, random_state=0))
    options = {"by": group, "metrics": ["cem_ord", "accuracy"], "n_permutations": 1_999}
    found = GroupReport.from_cross_val(repeated, random_state=0, **options)
    expected = GroupReport.from_predictions(y_true, y_pred, random_state=1, **options)
    # Each repetition has the same predictions, which are those of a single one.
    np.testing.assert_array_equal(found.confusion.counts, expected.confusion.counts)
    assert found.n_samples == expected.n_samples
    assert found.exchanged == expected.exchanged
    for name, values in expected.by_group.items():
        for each, interval in values.items():
            assert found.by_group[name][each].estimate == pytest.approx(interval.estimate)
            assert found.by_group[name][each].low == pytest.approx(interval.low, abs=0.02)
            assert found.by_group[name][each].high == pytest.approx(interval.high, abs=0.02)
        difference = expected.difference()[name]
        assert found.difference()[name].high == pytest.approx(difference.high, abs=0.02)
        assert found.difference()[name].errors_pvalue == pytest.approx(
            difference.errors_pvalue, abs=0.04
        )
    assert "300 samples in 3 groups" in str(found)


def test_samples_that_are_tested_more_often_count_once():
    _, _, group = three_groups()
    every = np.arange(300)
    found = GroupReport.from_cross_val(
        folds([(every, every), (every, every[:100]), (every, every[50:])]),
        by=group,
        n_permutations=19,
    )
    assert found.n_samples == {name: (group == name).sum() for name in np.unique(group)}


@pytest.mark.parametrize("n_permutations", [0, 19])
@pytest.mark.parametrize("untested", [1, 2])
def test_a_group_of_which_no_sample_is_tested_keeps_its_row(untested, n_permutations):
    group = np.repeat(["a", "b", "c"], 100)
    name, other = "abc"[untested], "abc"[3 - untested]
    tested = np.flatnonzero(group != name)
    cross_val = folds([(np.arange(300), tested)])
    options = {"metrics": "accuracy", "n_permutations": n_permutations}
    with pytest.warns(UndefinedMetricWarning, match=f"accuracy for {name}"):
        found = GroupReport.from_cross_val(cross_val, by=group, **options)
    assert np.isnan(found.by_group["accuracy"][name].estimate)
    y_true, y_pred, _ = three_groups()
    expected = (y_true == y_pred)[group == other].mean()
    assert found.by_group["accuracy"][other].estimate == pytest.approx(expected)
    assert found.n_samples == {"a": 100, name: 0, other: 100}


def test_clusters_of_repeated_folds_are_in_one_group():
    _, _, group = three_groups()
    repeated = folds(RepeatedKFold(n_splits=2, n_repeats=2, random_state=0))
    options = {"by": group, "n_permutations": 19}
    within = np.unique(group, return_inverse=True)[1] * 10 + np.arange(300) % 10
    found = GroupReport.from_cross_val(repeated, clusters=within, **options)
    assert found.exchanged == "whole clusters"
    assert found.confusion.is_clustered
    with pytest.raises(ValueError, match="clusters must each be in a single group"):
        GroupReport.from_cross_val(repeated, clusters=np.arange(300) % 10, **options)
    once = GroupReport.from_cross_val(folds(), clusters=np.arange(300) % 10, **options)
    assert once.exchanged == "samples of the same cluster and true class"


def test_the_counts_of_a_report_remember_that_samples_are_in_clusters():
    y_true, y_pred, by = three_groups()
    options = {"clusters": np.arange(300) // 5}
    counts = report(y_true, y_pred, by, **options).confusion
    # As single samples, they would have intervals that are too short.
    with pytest.raises(ValueError, match="do not tell their clusters or strata"):
        delta_interval(counts[0])
    with pytest.raises(ValueError, match="clusters"):
        GroupReport.from_confusion(counts, by=["east", "north", "west"])
    assert not report(y_true, y_pred, by).confusion.is_clustered


def test_arguments_of_a_report_of_folds_are_checked():
    _, _, group = three_groups()
    with pytest.raises(ValueError, match="report must be a CrossValReport"):
        GroupReport.from_cross_val(group, by=group)
    with pytest.raises(ValueError, match="by must have a value for each of the 300 samples"):
        GroupReport.from_cross_val(folds(), by=group[:100])


X, Y = (part[::3] for part in load_lev(return_X_y=True))
CLARITY = np.where(X[:, 0] > 1, "clear", "unclear")
ROWS = {"metrics": ["cem_ord", "log_loss", "concordance"], "n_permutations": 19, "random_state": 0}


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_probabilities_of_a_fitted_estimator_are_compared(dtype):
    class Rounded(DecisionTreeClassifier):
        def predict_proba(self, X):
            return super().predict_proba(X).astype(dtype)

    tree = Rounded(max_depth=3, random_state=0).fit(X, Y)
    found = GroupReport.from_estimator(tree, X, Y, by=CLARITY, **ROWS)
    expected = log_loss(Y, DecisionTreeClassifier.predict_proba(tree, X))
    assert found.overall["log_loss"].estimate == pytest.approx(expected, rel=1e-6)
    assert set(found.inferred) == {"cem_ord", "log_loss", "concordance"}
    of_labels = GroupReport.from_estimator(tree, X, Y, by=CLARITY, n_permutations=9)
    assert {metric.evidence.name for metric in of_labels.metrics.values()} == {"labels"}


@pytest.mark.parametrize("n_repeats", [1, 2])
def test_probabilities_of_folds_are_compared(n_repeats):
    cv = RepeatedStratifiedKFold(n_splits=2, n_repeats=n_repeats, random_state=0)
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    folds = cross_val_report(tree, X, Y, cv=cv, scoring=ROWS["metrics"], verbose=False)
    found = GroupReport.from_cross_val(folds, by=CLARITY, n_permutations=19, random_state=0)
    for name, value in folds.pooled_scores.items():
        assert found.overall[name].estimate == pytest.approx(value)
    assert found.exchanged == "samples of the same true class"
    assert found.n_samples == {name: (name == CLARITY).sum() for name in ("clear", "unclear")}


def test_scores_are_compared_if_there_are_no_probabilities():
    folds = cross_val_report(SVC(), X, Y, cv=2, scoring="concordance", verbose=False)
    found = GroupReport.from_cross_val(folds, by=CLARITY, n_permutations=19)
    assert found.overall["concordance"].estimate == pytest.approx(
        folds.pooled_scores["concordance"]
    )
    fitted = GroupReport.from_estimator(
        SVC().fit(X, Y), X, Y, by=CLARITY, metrics="concordance", n_permutations=19
    )
    assert "concordance" in fitted.overall
    with pytest.raises(ValueError, match="got log_loss, which needs probabilities: pass it to"):
        GroupReport.from_cross_val(folds, by=CLARITY, metrics="log_loss")


@pytest.mark.parametrize("is_right", [True, False])
def test_a_group_of_one_sample_does_not_make_the_other_group_differ(is_right):
    rng = np.random.default_rng(3)
    y_true = rng.integers(3, size=200)
    y_pred = np.where(rng.random(200) < 0.92, y_true, (y_true + 1) % 3)
    y_pred[0] = y_true[0] if is_right else (y_true[0] + 1) % 3
    by = ["a"] + ["b"] * 199
    with pytest.warns(UndefinedMetricWarning):
        found = report(y_true, y_pred, by, metrics="accuracy")
    assert "could not be tested" in the_verdict(found)
    contrasts = found.contrasts().contrasts["accuracy"]
    assert np.isnan([contrasts["a"].pvalue, contrasts["b"].pvalue, contrasts["b"].low]).all()
    # Among many samples of other groups, a single one hardly matters.
    by = ["a"] + ["b"] * 99 + ["c"] * 100
    with pytest.warns(UndefinedMetricWarning):
        found = report(y_true, y_pred, by, metrics="accuracy")
    assert np.isfinite(found.contrasts().contrasts["accuracy"]["b"].pvalue)


def test_a_group_without_weight_does_not_undo_the_tests_of_the_others():
    rng = np.random.default_rng(4)
    y_true, by = rng.integers(3, size=400), np.repeat(list("abcz"), 100)
    y_pred = np.where(rng.random(400) < 0.6, y_true, (y_true + 1) % 3)
    weight = np.repeat([1.0, 0.0], [300, 100])
    with pytest.warns(UndefinedMetricWarning):
        found = report(y_true, y_pred, by, sample_weight=weight, metrics="accuracy")
    of_three = report(y_true[:300], y_pred[:300], by[:300], metrics="accuracy")
    expected = of_three.contrasts().contrasts["accuracy"]
    contrasts = found.contrasts().contrasts["accuracy"]
    assert [contrasts[g].pvalue for g in "abc"] == pytest.approx(
        [expected[g].pvalue for g in "abc"]
    )
    assert found.mean(weights="samples")["accuracy"].estimate == pytest.approx(
        of_three.mean(weights="samples")["accuracy"].estimate
    )
