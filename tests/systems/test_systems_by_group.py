"""Systems that are ranked in each group of samples."""

import math
import re
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import accuracy_score

from sklearn_ordinal import OrdinalConfusion, OrdinalRatings, compare_systems

N = 120
RNG = np.random.default_rng(0)
TRUE = RNG.integers(4, size=N)
WEIGHTS = RNG.integers(3, size=N) / 2
CLUSTERS = RNG.integers(30, size=N)
# The highest class is in the first group only.
BY = np.where(RNG.random(N) < 0.5, "b", "a")
TRUE[(BY == "b") & (TRUE == 3)] = 0


def with_errors(share):
    return np.where(RNG.random(N) < share, RNG.integers(4, size=N), TRUE)


SYSTEMS = {name: with_errors(share) for name, share in [("c", 0.6), ("d", 0.2), ("e", 0.25)]}
PROBA = {name: np.eye(4)[pred] * 0.8 + 0.05 for name, pred in SYSTEMS.items()}
MISSING = {
    name: np.where(np.arange(N) % 9 == k, np.nan, pred)
    for k, (name, pred) in enumerate(SYSTEMS.items())
}
BOTH = {name: {"y_pred": SYSTEMS[name], "y_proba": PROBA[name]} for name in SYSTEMS}
SOFT = np.eye(4)[TRUE] * 0.7 + np.eye(4)[(TRUE + 1) % 4] * 0.3


def compare(y_true=TRUE, predictions=SYSTEMS, **options):
    options = {"labels": range(4), **options}
    return compare_systems(y_true, predictions, **options)


def subset(values, members):
    """Return the values of some of the samples, also of systems by name."""
    if isinstance(values, dict):
        return {name: subset(of_name, members) for name, of_name in values.items()}
    return values[members]


@pytest.mark.parametrize(
    ("y_true", "predictions", "columns", "options"),
    [
        (TRUE, SYSTEMS, {}, {"metrics": ["cem_ord", "accuracy"]}),
        (TRUE, SYSTEMS, {"clusters": CLUSTERS}, {}),
        (TRUE, SYSTEMS, {"sample_weight": WEIGHTS, "clusters": CLUSTERS}, {}),
        (TRUE, MISSING, {"sample_weight": WEIGHTS}, {"unanswered": "count"}),
        (TRUE, PROBA, {"clusters": CLUSTERS}, {"metrics": "ranked_probability_score"}),
        (TRUE, PROBA, {"sample_weight": WEIGHTS}, {"metrics": "ranked_probability_score"}),
        (TRUE, BOTH, {}, {"metrics": ["ranked_probability_score", "cem_ord"]}),
        (SOFT, SYSTEMS, {}, {}),
        (SOFT, SYSTEMS, {"sample_weight": WEIGHTS}, {}),
        (SOFT, BOTH, {"clusters": CLUSTERS}, {"metrics": ["ranked_probability_score", "cem_ord"]}),
    ],
    ids=range(10),
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_the_report_of_a_group_is_that_of_its_samples_alone(y_true, predictions, columns, options):
    report = compare(y_true, predictions, by=BY, **columns, **options)
    assert list(report.groups) == ["a", "b"]
    for group, of_group in report.groups.items():
        members = group == BY
        alone = compare(
            subset(y_true, members),
            subset(predictions, members),
            **subset(columns, members),
            **options,
        )
        assert of_group == alone
    without = compare(y_true, predictions, **columns, **options)
    assert replace(report, groups={}) == without


def test_values_and_ranks_in_groups_are_those_of_scikit_learn():
    report = compare(metrics="accuracy", by=BY)
    for group, of_group in report.groups.items():
        members = group == BY
        values = {name: accuracy_score(TRUE[members], p[members]) for name, p in SYSTEMS.items()}
        estimates = {name: of_group.scores["accuracy"][name].estimate for name in SYSTEMS}
        assert estimates == pytest.approx(values, abs=1e-12)
        order = sorted(values, key=values.__getitem__, reverse=True)
        assert of_group.best_first() == order


def test_grades_of_raters_are_grouped_by_item():
    grades = OrdinalRatings.from_ratings(np.stack([TRUE, (TRUE + 1) % 4, TRUE], axis=1))
    report = compare(grades, labels=None, by=pd.Series(BY))
    shares = np.eye(4)[TRUE] * 2 / 3 + np.eye(4)[(TRUE + 1) % 4] / 3
    for group, of_group in report.groups.items():
        alone = compare(shares[group == BY], subset(SYSTEMS, group == BY))
        values, expected = (
            [score.estimate for score in r.scores["cem_ord"].values()] for r in (of_group, alone)
        )
        assert values == pytest.approx(expected)


def test_groups_of_several_columns_are_their_combinations():
    half = np.where(np.arange(N) < 60, 1, 2)
    report = compare(by={"letter": BY, "half": half})
    assert list(report.groups) == ["a, 1", "a, 2", "b, 1", "b, 2"]
    assert report.groups["b, 2"].n_samples == np.sum((BY == "b") & (half == 2))


def test_groups_without_a_comparison_are_named_with_the_reason():
    by, y_true, weights = BY.astype("U9"), TRUE.copy(), np.ones(N)
    by[0], by[1:3], weights[1:3] = "single", "zero", 0
    by[3:6], y_true[3:6] = "one class", 2
    systems = {"c": np.where(by == "one class", 2, SYSTEMS["c"])}
    systems |= {"d": np.where(by == "one class", 2, SYSTEMS["d"])}
    with pytest.warns(UndefinedMetricWarning, match="Systems are not compared in one class") as log:
        report = compare(
            y_true, systems, by=by, metrics="quadratic_weighted_kappa", sample_weight=weights
        )
    assert any(warning.filename == __file__ for warning in log)
    assert list(report.groups) == ["a", "b"]
    assert report.groups_left_out == {
        "one class": "no system has a finite value, since all samples are of class 2",
        "single": "1 sample of positive weight, of at least 2",
        "zero": "0 samples of positive weight, of at least 2",
    }
    numbers = report.to_dict()
    assert numbers["groups_left_out"] == report.groups_left_out
    for text in (report.to_text(), report.to_markdown(), report.to_latex(), report.to_html()):
        for group, reason in report.groups_left_out.items():
            assert f"{group} ({reason})" in " ".join(text.split())
    # Accuracy has a value for a single class.
    with pytest.warns(UndefinedMetricWarning, match="single"):
        report = compare(y_true, systems, by=by, metrics="accuracy")
    assert "one class" in report.groups


def test_a_group_of_one_cluster_is_named():
    clusters = np.where(BY == "b", 100, CLUSTERS)
    with pytest.warns(UndefinedMetricWarning, match=r"in b \(1 cluster of positive weight"):
        report = compare(by=BY, clusters=clusters)
    assert report.groups_left_out == {"b": "1 cluster of positive weight, of at least 2"}


def test_warnings_name_the_group():
    predictions = {**SYSTEMS, "c": np.where(BY == "b", np.nan, SYSTEMS["c"])}
    with pytest.warns(UndefinedMetricWarning, match="the value is undefined .accuracy of c in b"):
        compare(TRUE, predictions, by=BY, metrics="accuracy", unanswered="count")


@pytest.mark.parametrize(
    ("by", "message"),
    [
        (BY[:5], f"by must have a value for each of the {N} samples, got 5"),
        (np.full(N, "a"), "by must name at least 2 groups, got only 'a'"),
        (np.where(BY == "a", None, BY), "by has missing values .*: drop or fill"),
        (
            np.where(BY == "a", np.nan, 1.0),
            "by has missing values .*: drop or fill",
        ),
        (np.arange(N), f"by must name a group in which .* got none of {N}, such as '0'"),
        (np.where(BY == "a", "overall", "b"), "by must have different names .* 'overall'"),
        ({}, "by must have at least one column"),
        (pd.Series(BY, index=np.arange(N) + 5), "by"),
    ],
)
def test_groups_of_a_wrong_form_are_errors_in_one_line(by, message):
    y_true = pd.Series(TRUE, index=np.arange(N)[::-1]) if isinstance(by, pd.Series) else TRUE
    with pytest.raises(ValueError, match=message) as error:
        compare(y_true, by=by)
    assert "\n" not in str(error.value)


def test_evidence_has_no_groups():
    evidence = OrdinalConfusion.from_systems(TRUE, SYSTEMS)
    with pytest.raises(ValueError, match="by must be left out if evidence is passed"):
        compare_systems(evidence, by=BY)


def test_views_have_the_values_in_all_groups_with_all_samples_first():
    report = compare(by=BY)
    scores = [of.scores["cem_ord"] for of in (report, *report.groups.values())]
    rows = [[f"{of[name].estimate:.3f}" for of in scores] for name in report.best_first()]
    expected = [
        "| system | overall | a | b |",
        *(
            f"| {name} | {' | '.join(row)} |"
            for name, row in zip(report.best_first(), rows, strict=True)
        ),
    ]
    _, text = re.sub(r"\\|\*\*", "", report.to_markdown()).split("Values of cem_ord in each group")
    lines = [line for line in text.splitlines() if line.startswith("|")]
    assert [lines[0], *lines[2:5]] == expected


def test_a_frame_has_all_samples_and_then_each_group():
    report = compare(by=BY)
    frame = report.to_frame()
    frame = frame[frame["what"] == "value"]
    assert frame["group"].isna().sum() == 3
    assert frame["group"].dropna().tolist() == ["a"] * 3 + ["b"] * 3
    assert frame["estimate"].tolist() == [
        of.scores["cem_ord"][name].estimate
        for of in (report, *report.groups.values())
        for name in of.best_first()
    ]


def test_a_criterion_that_is_not_ranked_has_values_in_groups():
    text = compare(by=BY, metrics="ordinal_bias").to_text()
    assert "Values of ordinal_bias in each group" in text
    assert "ranks first" not in text


def test_undefined_values_in_a_group_are_undefined_in_its_column():
    predictions = {**SYSTEMS, "c": np.where(BY == "b", np.nan, SYSTEMS["c"])}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        report = compare(TRUE, predictions, by=BY, metrics="accuracy", unanswered="count")
    assert math.isnan(report.groups["b"].scores["accuracy"]["c"].estimate)
    assert report.groups["b"].ranks["accuracy"]["c"] == 3


def test_the_only_system_with_a_value_in_a_group_is_not_bold():
    predictions = {
        "c": np.where(BY == "a", SYSTEMS["c"], 1),
        "d": SYSTEMS["d"],
    }
    with pytest.warns(UndefinedMetricWarning):
        report = compare(predictions=predictions, by=BY, metrics="kendall_tau_b")
    values = [report.scores, report.groups["a"].scores, report.groups["b"].scores]
    best, in_a, in_b = (scores["kendall_tau_b"]["d"].estimate for scores in values)
    assert math.isnan(values[2]["kendall_tau_b"]["c"].estimate)
    assert f"| d | **{best:.3f}** | **{in_a:.3f}** | {in_b:.3f} |" in report.to_markdown()
