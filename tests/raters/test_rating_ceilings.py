"""Ceilings of predictions of a rater's grade, against the definitions written out item by item."""

import math
from fractions import Fraction
from functools import partial
from itertools import permutations

import numpy as np
import pandas as pd
import pytest

from sklearn_ordinal import (
    OrdinalConfusion,
    OrdinalMetric,
    OrdinalRatings,
    OrdinalReport,
    compare_judge,
    get_metric,
    rating_ceilings,
    score_ladder,
)
from sklearn_ordinal.metrics import (
    cem_ord_score,
    closeness_costs,
    expected_cost_loss,
    quadratic_weighted_kappa_score,
    weighted_kappa_score,
)
from sklearn_ordinal.reports import Ceiling

# Krippendorff (2011): four raters, twelve items, five classes.
EXAMPLE = [
    [1, 1, None, 1],
    [2, 2, 3, 2],
    [3, 3, 3, 3],
    [3, 3, 3, 3],
    [2, 2, 2, 2],
    [1, 2, 3, 4],
    [4, 4, 4, 4],
    [1, 1, 2, 1],
    [2, 2, 2, 2],
    [None, 5, 5, 5],
    [None, None, 1, 1],
    [None, 3, None, None],
]
RATINGS = OrdinalRatings.from_ratings(EXAMPLE)
VALUES = ("between_raters", "left_one_out", "in_sample")
COSTS = {
    "cem_ord": lambda sizes: closeness_costs(np.maximum(sizes, 1e-9)),
    "accuracy": lambda sizes: 1 - np.eye(len(sizes)),
    "ordinal_mean_absolute_error": lambda sizes: np.abs(
        np.subtract.outer(*[range(len(sizes))] * 2)
    ),
    "macro_averaged_mean_absolute_error": lambda sizes: (
        np.abs(np.subtract.outer(*[range(len(sizes))] * 2)) / np.maximum(sizes, 1e-9)[:, None]
    ),
}


def draw(seed=0, n_items=60, n_raters=4, missing=0.25):
    """Return grades from 0 to 4 of raters who err alike, None where missing."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(5, size=n_items, p=[0.1, 0.2, 0.35, 0.25, 0.1])
    grades = np.clip(truth[:, None] + rng.integers(-1, 2, (n_items, n_raters)), 0, 4).astype(object)
    grades[rng.random(grades.shape) < missing] = None
    return grades


def best_class(grades, costs):
    """Return the lowest of the classes with the lowest total cost."""
    totals = [sum(costs[true][k] for true in grades) for k in range(len(costs))]
    return next(k for k, total in enumerate(totals) if total <= min(totals) * (1 + 1e-12))


def counts_item_by_item(grades, weight, costs, n_classes=5):
    """Return the counts of the three predictions of each grade of each item.

    The costs are a matrix, or a function of the class sizes.
    """
    items = [
        ([int(grade) for grade in row if grade is not None], w)
        for row, w in zip(grades, weight, strict=True)
    ]
    items = [(row, w) for row, w in items if len(row) > 1]
    sizes = np.zeros(n_classes)
    for row, w in items:
        for grade in row:
            sizes[grade] += w / len(row)
    costs = costs(sizes) if callable(costs) else costs
    costs = np.where(sizes[:, None] > 0, costs, 0).tolist()
    counts = np.zeros((3, n_classes, n_classes))
    for row, w in items:
        for first, second in permutations(range(len(row)), 2):
            counts[0, row[first], row[second]] += w / len(row) / (len(row) - 1)
        for k, grade in enumerate(row):
            counts[1, grade, best_class(row[:k] + row[k + 1 :], costs)] += w / len(row)
            counts[2, grade, best_class(row, costs)] += w / len(row)
    return counts


def estimates(ceiling):
    return [interval.estimate for interval in ceiling.values.values()]


def test_the_worked_example_has_the_published_bracket():
    ceiling = rating_ceilings(RATINGS, "ordinal_mean_absolute_error").ceilings[
        "ordinal_mean_absolute_error"
    ]
    expected = [Fraction(8, 33), Fraction(2, 11), Fraction(3, 22)]
    assert estimates(ceiling) == pytest.approx([float(value) for value in expected], abs=1e-15)
    assert tuple(ceiling.values) == VALUES
    assert ceiling.bracket == pytest.approx((3 / 22, 2 / 11))


@pytest.mark.parametrize(
    ("r", "true_scores", "best"), [(0.6092, 0.7572, 0.7805), (0.5645, 0.7217, None)]
)
def test_published_kappas_have_the_published_ceilings(r, true_scores, best):
    """The formulas for two raters, a share `r` of whose grades agree more than by chance."""
    counts = np.full((2, 2), (1 - r) / 4) + np.eye(2) * r / 2
    cells = [[i, j] for i in range(2) for j in range(2)]
    ratings = OrdinalRatings.from_ratings(cells, sample_weight=counts.ravel())
    ceiling = rating_ceilings(ratings, "quadratic_weighted_kappa").ceilings[
        "quadratic_weighted_kappa"
    ]
    values = {name: interval.estimate for name, interval in ceiling.values.items()}
    assert values["between_raters"] == values["like_a_rater"] == pytest.approx(r)
    assert values["true_scores"] == pytest.approx(true_scores, abs=1e-4)
    assert best is None or values["best_possible"] == pytest.approx(best, abs=1e-4)
    assert values["best_possible"] ** 2 == pytest.approx(r)


@pytest.mark.parametrize("name", COSTS)
@pytest.mark.parametrize("weight", [None, np.arange(60) % 4 + 0.0])
def test_values_are_those_of_the_definition_item_by_item(name, weight):
    grades = draw()
    ratings = OrdinalRatings.from_ratings(grades, labels=range(5), sample_weight=weight)
    ceiling = rating_ceilings(ratings, name).ceilings[name]
    counts = counts_item_by_item(grades, np.ones(60) if weight is None else weight, COSTS[name])
    expected = [get_metric(name)(OrdinalConfusion.from_counts(part)) for part in counts]
    np.testing.assert_allclose(estimates(ceiling), expected, rtol=1e-12)


@pytest.mark.parametrize("name", [*COSTS, "quadratic_weighted_kappa"])
@pytest.mark.parametrize("weight", [None, np.arange(60) % 3 + 0.5])
def test_standard_errors_are_those_of_the_weights_of_items(name, weight):
    """The infinitesimal jackknife over items, from numeric derivatives of the whole computation."""
    grades, given = draw(1), np.ones(60) if weight is None else weight

    def ceiling(weights):
        ratings = OrdinalRatings.from_ratings(grades, labels=range(5), sample_weight=weights)
        return rating_ceilings(ratings, name).ceilings[name]

    slopes = np.array(
        [
            np.subtract(estimates(ceiling(given + step)), estimates(ceiling(given - step))) / 2e-5
            for step in 1e-5 * np.eye(60)
        ]
    )
    n_items = sum(sum(grade is not None for grade in row) > 1 for row in grades)
    expected = np.sqrt(n_items / (n_items - 1) * ((given[:, None] * slopes) ** 2).sum(axis=0))
    errors = [interval.standard_error for interval in ceiling(weight).values.values()]
    np.testing.assert_allclose(errors, expected, rtol=1e-5)


def test_no_prediction_of_each_item_beats_the_ceiling_in_sample():
    grades = draw(2, n_items=5, n_raters=3, missing=0).astype(int)
    ratings = OrdinalRatings.from_ratings(grades, labels=range(5))
    metric = get_metric("cem_ord")
    best = max(
        metric(OrdinalConfusion.from_predictions(grades.ravel(), np.repeat(p, 3), labels=range(5)))
        for p in np.ndindex(*[5] * 5)
    )
    in_sample = rating_ceilings(ratings, "cem_ord").ceilings["cem_ord"].values["in_sample"]
    assert in_sample.estimate == pytest.approx(best)


def test_ties_go_to_the_lowest_class():
    """Two grades that are three classes apart: all classes between have the same absolute error."""
    ratings = OrdinalRatings.from_ratings([[0, 3], [3, 3]], labels=range(4))
    expected = {"in_sample": 0.75, "left_one_out": 1.5, "between_raters": 1.5}
    ceiling = rating_ceilings(ratings, "ordinal_mean_absolute_error").ceilings[
        "ordinal_mean_absolute_error"
    ]
    assert {name: value.estimate for name, value in ceiling.values.items()} == pytest.approx(
        expected
    )
    # With a cost of classes above the lowest, the same tie is decided otherwise.
    costs = [[0, 1, 2, 3.1], [9, 9, 9, 9], [9, 9, 9, 9], [3, 2, 1, 0]]
    metric = partial(expected_cost_loss, cost_matrix=costs)
    (ceiling,) = rating_ceilings(ratings, metric).ceilings.values()
    assert ceiling.values["in_sample"].estimate == pytest.approx(0.25 * 3)


def test_two_raters_predict_each_other_left_one_out_or_better():
    """The only other grade is the prediction if errors in both directions cost the same."""
    grades = draw(3, n_raters=2, missing=0)
    ratings = OrdinalRatings.from_ratings(grades, labels=range(5))
    values = rating_ceilings(ratings, "accuracy").ceilings["accuracy"].values
    exact = (grades[:, 0] == grades[:, 1]).mean()
    assert estimates_of(values, "between_raters", "left_one_out") == pytest.approx([exact, exact])


def estimates_of(values, *names):
    return [values[name].estimate for name in names]


def test_kappa_of_two_raters_is_cohens_on_the_items_that_both_grade():
    grades = draw(4, n_raters=2, missing=0.2)
    both = grades[(grades != None).all(axis=1)].astype(int)  # noqa: E711
    ratings = OrdinalRatings.from_ratings(grades, labels=range(5))
    expected = quadratic_weighted_kappa_score(both[:, 0], both[:, 1], labels=range(5))
    for metric in (
        "quadratic_weighted_kappa",
        partial(weighted_kappa_score, weights="quadratic"),
        {"qwk": quadratic_weighted_kappa_score},
    ):
        (ceiling,) = rating_ceilings(ratings, metric).ceilings.values()
        assert ceiling.values["between_raters"].estimate == pytest.approx(expected)


def test_the_ends_of_the_interval_of_kappa_are_transformed():
    ratings = OrdinalRatings.from_ratings(draw(5), labels=range(5))
    ceiling = rating_ceilings(ratings, "quadratic_weighted_kappa").ceilings[
        "quadratic_weighted_kappa"
    ]
    r, _, true_scores, best = ceiling.values.values()
    assert (true_scores.low, true_scores.high) == pytest.approx(
        (2 * r.low / (1 + r.low), 2 * r.high / (1 + r.high))
    )
    assert (best.low, best.high) == pytest.approx((math.sqrt(r.low), math.sqrt(r.high)))
    assert ceiling.interval == pytest.approx((true_scores.low, max(best.high, true_scores.high)))
    few = OrdinalRatings.from_ratings([[0, 1], [2, 1], [1, 2], [0, 0], [2, 2]])
    r, _, true_scores, best = (
        rating_ceilings(few, "quadratic_weighted_kappa")
        .ceilings["quadratic_weighted_kappa"]
        .values.values()
    )
    assert r.low < 0 == true_scores.low == best.low


@pytest.mark.parametrize(
    ("grades", "reason"),
    [
        ([[0, 2], [2, 0], [1, 1], [0, 2]], "not positive"),
        ([[0, 1], [1, 0], [0, 0], [1, 1]], "not positive"),
        ([[1, 1], [1, 1], [1, 1]], "undefined for these grades"),
    ],
)
def test_kappa_without_agreement_has_no_ceiling(grades, reason):
    ratings = OrdinalRatings.from_ratings(grades, labels=range(3))
    result = rating_ceilings(ratings, "quadratic_weighted_kappa")
    ceiling = result.ceilings["quadratic_weighted_kappa"]
    assert reason in ceiling.reason
    assert np.isnan([*estimates_of(ceiling.values, "true_scores", "best_possible")]).all()
    assert np.isnan(ceiling.bracket).all()
    assert np.isnan(ceiling.interval).all()
    assert f"The ceiling of quadratic_weighted_kappa is undefined: {ceiling.reason}." in " ".join(
        str(result).split()
    )


def test_other_criteria_have_no_ceiling_and_the_result_says_why():
    result = rating_ceilings(RATINGS, ["kendall_tau_b", "linear_weighted_kappa", "accuracy"])
    assert result.ceilings["kendall_tau_b"] == Ceiling(
        "none",
        {},
        "it is not a sum of costs given the class sizes, so the best predictions are not known",
    )
    assert np.isnan(result.ceilings["kendall_tau_b"].bracket).all()
    assert np.isnan(result.ceilings["kendall_tau_b"].interval).all()
    assert (
        "The ceiling of kendall_tau_b and linear_weighted_kappa is not stated: it is not a sum of "
        "costs" in " ".join(str(result).split())
    )
    assert result.plot().label == "accuracy (higher is better)"
    with pytest.raises(ValueError, match="metric must have a ceiling, which is not stated for"):
        result.plot("kendall_tau_b")
    nothing = rating_ceilings(RATINGS, "kendall_tau_b")
    with pytest.raises(ValueError, match="metric must have a ceiling"):
        nothing.plot()
    assert nothing.to_html()


def test_a_recorded_property_decides_whether_a_criterion_has_best_classes():
    """The costs are what matters, and not the name or who has defined the criterion."""

    def gap(counts):
        position = np.arange(counts.shape[-1])
        costs = np.abs(position - position[:, None]) ** 0.5
        return (counts * costs).sum(axis=(-2, -1)) / counts.sum(axis=(-2, -1))

    def costs(sizes):
        position = np.arange(sizes.shape[-1])
        return np.abs(position - position[:, None]) ** 0.5

    options = {"greater_is_better": False, "value_range": (0.0, 2.0)}
    known = OrdinalMetric("own_gap_with_costs", gap, costs=costs, **options)
    unknown = OrdinalMetric("own_gap", gap, **options)
    result = rating_ceilings(RATINGS, [known, unknown])
    assert result.ceilings["own_gap_with_costs"].basis == "best classes"
    assert result.ceilings["own_gap_with_costs"].values["in_sample"].standard_error > 0
    assert result.ceilings["own_gap"].basis == "none"


def test_fixed_class_counts_are_those_of_the_costs():
    reference = [5, 5, 5, 5, 80]
    metric = partial(cem_ord_score, class_counts=reference)
    grades = draw(6)
    ratings = OrdinalRatings.from_ratings(grades, labels=range(5))
    counts = counts_item_by_item(grades, np.ones(60), closeness_costs(reference))
    expected = [get_metric(metric)(OrdinalConfusion.from_counts(part)) for part in counts]
    (ceiling,) = rating_ceilings(ratings, metric).ceilings.values()
    np.testing.assert_allclose(estimates(ceiling), expected, rtol=1e-12)


def test_the_verdict_is_about_the_first_criterion_with_a_ceiling():
    names = ["kendall_tau_b", "quadratic_weighted_kappa", "accuracy"]
    for metrics, start in (
        (names, "The ceiling of accuracy is 0."),
        (names[:2], "The ceiling of quadratic_weighted_kappa is approximately 0."),
        (names[:1], "No criterion has a ceiling."),
    ):
        result = rating_ceilings(RATINGS, metrics)
        (verdict,) = result.document().verdict
        assert verdict.text.startswith(start)
    kappa = rating_ceilings(RATINGS, names[1])
    low, high = kappa.ceilings[names[1]].bracket
    (verdict,) = kappa.document().verdict
    between = kappa.ceilings[names[1]].between_raters
    assert f" is approximately {low:.2f} to {high:.2f} (95% interval" in verdict.text
    assert verdict.text.endswith(
        f"One rater who predicts another has {between:.2f}, worse than this range by "
        f"{low - between:.2f}."
    )


@pytest.mark.parametrize("name", ["cem_ord", "ordinal_mean_absolute_error"])
def test_report_and_ladder_say_how_far_the_value_is_from_the_ceiling(name):
    grades = draw(missing=0)
    ratings = OrdinalRatings.from_ratings(grades)
    low, high = rating_ceilings(ratings, name).ceilings[name].bracket
    medians = np.median(grades.astype(int), axis=1).astype(int)
    for predicted, is_within in ((medians, True), ([2] * len(grades), False)):
        report = OrdinalReport.from_predictions(ratings, predicted, metrics=name, zero_division=0.0)
        ladder = score_ladder(report.confusion, name, ratings=ratings)
        distance = max(low - report.criteria[name], report.criteria[name] - high)
        assert (distance <= 0) == is_within
        for result, digits in ((report, 2), (ladder, 3)):
            verdict = result.document().verdict[0].text
            assert f"The ceiling of {name} is {low:.{digits}f} to {high:.{digits}f} (95%" in verdict
            place = "in" if is_within else "worse than"
            size = "" if is_within else f" by {distance:.{digits}f}"
            assert verdict.endswith(f" The value is {place} this range{size}.")


def test_items_with_fewer_than_two_grades_and_without_weight_are_counted():
    weight = np.ones(12)
    weight[5] = 0
    result = rating_ceilings(OrdinalRatings.from_ratings(EXAMPLE, sample_weight=weight))
    assert result.n_items_by_grades.tolist() == [0, 1, 1, 2, 7]
    assert (result.n_items, result.n_shared_items, result.n_without_weight) == (11, 10, 1)
    assert (
        "11 items with a total weight of 11, 4 raters, 5 classes from 1 (lowest) to 5 (highest). "
        "10 items with at least two grades. 1 item with a single grade: not used. 1 item of weight "
        "0: not used."
    ) in " ".join(str(result).split())
    alone = rating_ceilings(
        OrdinalRatings.from_ratings([row for k, row in enumerate(EXAMPLE) if k not in (5, 11)])
    )
    for name in ("cem_ord", "quadratic_weighted_kappa"):
        assert estimates(result.ceilings[name]) == pytest.approx(estimates(alone.ceilings[name]))
        errors, others = (
            [interval.standard_error for interval in each.ceilings[name].values.values()]
            for each in (result, alone)
        )
        assert errors == pytest.approx(others)


def test_a_judge_of_items_with_one_grade_has_no_ceiling_and_the_report_says_why():
    grades = [[0, 1, 0], [1, 1, 2], [2, 2, 2], [0, None, None], [None, 2, None]]
    judges = {"one": [0, 1, 2, 0, 2], "other": [None, None, None, 0, 1]}
    names = ["accuracy", "quadratic_weighted_kappa"]
    report = compare_judge(OrdinalRatings.from_ratings(grades), judges, metrics=names)
    for name in names:
        ceiling = report.ceilings[name]["other"]
        assert ceiling == Ceiling("none", {}, "no item of positive weight has two grades")
        assert report.ceilings[name]["one"].values
    for view in (
        report.to_text(details=True),
        report.to_html(),
        report.to_latex(details=True),
    ):
        assert "no item of positive weight has two grades" in " ".join(view.split())


def test_one_item_and_perfect_agreement_have_values_without_intervals():
    alone = rating_ceilings(OrdinalRatings.from_ratings([[0, 1, 1]]), "accuracy")
    assert estimates(alone.ceilings["accuracy"]) == pytest.approx([1 / 3, 0, 2 / 3])
    assert np.isnan(alone.ceilings["accuracy"].interval).all()
    agreed = rating_ceilings(OrdinalRatings.from_ratings([[0, 0], [1, 1]] * 5), "cem_ord")
    assert estimates(agreed.ceilings["cem_ord"]) == [1, 1, 1]
    assert "No interval of cem_ord" in str(agreed)


def test_negligible_weights_and_empty_classes_do_not_matter():
    grades = [[0, 0], [1, 2], [2, 2], [0, 1]] * 5
    ratings = OrdinalRatings.from_ratings(grades, labels=range(3))
    more = OrdinalRatings.from_ratings(
        [*grades, [4, 5]], labels=range(-1, 7), sample_weight=[*[1.0] * 20, 1e-250]
    )
    for name in ("cem_ord", "ordinal_mean_absolute_error"):
        few, many = (rating_ceilings(part, name).ceilings[name] for part in (ratings, more))
        assert estimates(many) == pytest.approx(estimates(few))


def test_many_raters_and_many_items_need_no_loop():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 5, 20_000)
    grades = np.clip(truth[:, None] + rng.integers(-1, 2, (20_000, 5)), 0, 4)
    many = rating_ceilings(OrdinalRatings.from_ratings(grades), "accuracy").ceilings["accuracy"]
    counts = np.stack([(grades == k).sum(axis=1) for k in range(5)], axis=1)
    assert many.values["in_sample"].estimate == pytest.approx(counts.max(axis=1).mean() / 5)
    wide = np.clip(truth[:400, None] + rng.integers(-1, 2, (400, 200)), 0, 4)
    values = rating_ceilings(OrdinalRatings.from_ratings(wide), "accuracy").ceilings["accuracy"]
    counts = np.stack([(wide == k).sum(axis=1) for k in range(5)], axis=1)
    assert values.values["in_sample"].estimate == pytest.approx(counts.max(axis=1).mean() / 200)


def test_a_judge_is_shown_beside_the_ceilings_of_the_items_it_grades():
    grades = draw(7, n_raters=3, missing=0.1)
    ratings = OrdinalRatings.from_ratings(grades, labels=range(5))
    judges = {"all": [1] * 60, "some": [1] * 40 + [None] * 20}
    names = ["cem_ord", "quadratic_weighted_kappa", "kendall_tau_b"]
    report = compare_judge(ratings, judges, metrics=names)
    part = OrdinalRatings.from_ratings(grades[:40], labels=range(5))
    for judge, same in (("all", ratings), ("some", part)):
        expected = rating_ceilings(same, names).ceilings
        for name in names:
            ceiling = report.ceilings[name][judge]
            assert ceiling.basis == expected[name].basis
            assert estimates(ceiling) == pytest.approx(estimates(expected[name]))
            for prediction, interval in ceiling.values.items():
                assert report.one(criterion=name, judge=judge, what=prediction) == interval
            reason = report.to_dict()["without_ceiling"][name].get(judge, "")
            assert reason == ceiling.reason
    text = " ".join(report.to_text(details=True).split())
    low, high = report.ceilings["cem_ord"]["some"].bracket
    assert "some and the ceiling of predictions of a human" in text
    assert f"{low:.2f} to {high:.2f}" in text
    assert "The ceiling of kendall_tau_b is not stated: it is not a sum of costs" in text
    display = report.plot("cem_ord", judge="some")
    assert display.band == (low, high)
    assert report.plot("kendall_tau_b").band_ is None


def test_a_judge_whose_criteria_have_no_ceiling_has_no_table_of_them():
    ratings = OrdinalRatings.from_ratings(draw(8, missing=0), labels=range(5))
    report = compare_judge(ratings, [1, 2] * 30, metrics="kendall_tau_b")
    assert "the ceiling of predictions" not in report.to_text(details=True)


def test_the_report_of_a_model_against_several_raters_has_the_ceilings():
    grades, y_pred = draw(9, missing=0.2), [0, 1, 2, 3, 4] * 12
    grades[:, 0] = 1
    ratings = OrdinalRatings.from_ratings(grades, labels=range(5))
    names = ["cem_ord", "quadratic_weighted_kappa", "f1_macro", "log_loss"]
    y_proba = np.full((60, 5), 0.2)
    report = OrdinalReport.from_predictions(ratings, y_pred, y_proba=y_proba, metrics=names)
    expected = rating_ceilings(ratings, names[:3]).ceilings
    assert report.ceilings == expected
    text = " ".join(str(report).split())
    frame = report.to_frame().set_index("criterion")
    for name in names[:2]:
        low, high = expected[name].bracket
        assert f" {low:.2f} to {high:.2f} " in text
        assert tuple(frame.loc[name, ["ceiling_low", "ceiling_high"]]) == (low, high)
        assert report.to_dict()["ceilings"][name] == expected[name].to_dict()
    assert "The ceiling of f1_macro is not stated: it is not a sum of costs" in text
    assert "For quadratic_weighted_kappa, the ceiling is approximate, and lies between" in text
    assert "Ceilings" not in text.split("Criteria of probabilities")[1]
    assert (
        f"{expected['cem_ord'].bracket[0]:.2f} to"
        in report.to_text(details=True).split("From the worst value to the best")[1]
    )


def test_the_ceilings_of_a_report_have_the_weights_of_the_report():
    grades, weight = draw(9, missing=0), np.arange(60) % 3 + 0.5
    frame = pd.DataFrame(grades, index=[f"item {k}" for k in range(60)])
    ratings = OrdinalRatings.from_ratings(frame, labels=range(5))
    y_pred = pd.Series([0, 1, 2, 3, 4] * 12, index=frame.index)
    by_id = pd.Series(weight, index=frame.index)[::-1]
    report = OrdinalReport.from_predictions(ratings, y_pred, metrics="cem_ord", sample_weight=by_id)
    weighted = OrdinalRatings.from_ratings(grades, labels=range(5), sample_weight=weight)
    assert report.ceilings == rating_ceilings(weighted, "cem_ord").ceilings


def test_reports_without_several_raters_or_at_other_class_sizes_have_no_ceilings():
    ratings = OrdinalRatings.from_ratings(draw(9, missing=0), labels=range(5))
    at_prevalence = OrdinalReport.from_predictions(
        ratings, [0, 1, 2, 3, 4] * 12, metrics="accuracy", prevalence=[0.2] * 5
    )
    one_rater = OrdinalReport.from_predictions([0, 1], [0, 1], metrics="accuracy")
    alone = OrdinalReport.from_predictions(ratings)
    for report in (at_prevalence, one_rater, alone):
        assert report.ceilings == {}
        assert "ceiling" not in str(report)
        assert "ceilings" not in report.to_dict()


def test_the_frame_has_a_row_for_each_value():
    result = rating_ceilings(RATINGS, ["accuracy", "quadratic_weighted_kappa", "kendall_tau_b"])
    frame = result.to_frame()
    assert frame["prediction"].tolist()[:7] == [
        *VALUES,
        "between_raters",
        "like_a_rater",
        "true_scores",
        "best_possible",
    ]
    assert frame["estimate"].isna().tolist() == [False] * 7 + [True]
    assert frame["basis"].tolist()[-1] == "none"
    assert result.to_dict()["values"][2]["estimate"] == frame["estimate"][2]
    assert "total_weight" not in result.to_dict()
    weighted = rating_ceilings(OrdinalRatings.from_ratings(EXAMPLE, sample_weight=[2] * 12))
    assert weighted.to_dict()["total_weight"] == 24


def test_the_plot_shades_the_ceiling():
    display = rating_ceilings(RATINGS).plot()
    assert display.band == pytest.approx((0.912, 0.935), abs=1e-3)
    legend = display.figure_.legends or [display.ax_.get_legend()]
    assert [text.get_text() for text in legend[0].get_texts()] == ["value, 95% interval", "ceiling"]
    assert len(display.estimates_) == 3
    with pytest.raises(ValueError, match="metrics must be"):
        rating_ceilings(RATINGS, "concordance")


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ([EXAMPLE], {}, "ratings must be OrdinalRatings, got"),
        ([RATINGS, "concordance"], {}, "metrics must be"),
        ([RATINGS, "unknown"], {}, "metrics: metric must be a known name"),
        ([RATINGS], {"confidence_level": 1}, "confidence_level must be"),
    ],
)
def test_wrong_input_is_an_error_of_one_line(arguments, options, message):
    with pytest.raises(ValueError, match=message) as raised:
        rating_ceilings(*arguments, **options)
    assert "\n" not in str(raised.value)


def test_kappa_between_raters_leaves_out_single_grades():
    rng = np.random.default_rng(3)
    grades = np.clip(rng.integers(4, size=50)[:, None] + rng.integers(-1, 2, (50, 3)), 0, 3)
    grades = np.where(rng.random((50, 3)) < 0.4, np.nan, grades)
    is_shared = (~np.isnan(grades)).sum(axis=1) >= 2
    assert not is_shared.all()
    name = "quadratic_weighted_kappa"
    every, shared = (
        rating_ceilings(OrdinalRatings.from_ratings(rows, labels=range(4)), name).ceilings[name]
        for rows in (grades, grades[is_shared])
    )
    assert every.values == shared.values
