"""Judges beside humans, against the definitions written out item by item."""

import dataclasses
import math
from itertools import combinations, permutations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

from sklearn_ordinal import OrdinalConfusion, OrdinalRatings, compare_judge, get_metric
from sklearn_ordinal.metrics import prmse_score
from sklearn_ordinal.raters import alternative_annotator_test
from sklearn_ordinal.raters._annotator_test import join_judges, read_judge
from sklearn_ordinal.raters._judge_report import same_footing
from tests import degrees_of_freedom
from tests import judges_item_by_item as by_hand

METRICS = ("cem_ord", "quadratic_weighted_kappa", "macro_averaged_mean_absolute_error")
HUMANS = ("Ann", "Bob", "Cy")


def draw(seed=0, n_items=120, n_raters=5, missing=0.15):
    """Return grades from 0 to 4 of raters who err alike, None where missing."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(5, size=n_items)
    steps = rng.choice([-1, 0, 0, 1], size=(n_items, n_raters))
    grades = np.clip(truth[:, None] + steps, 0, 4).astype(object)
    grades[rng.random(grades.shape) < missing] = None
    return grades


GRADES = draw()
RATINGS = OrdinalRatings.from_ratings(GRADES[:, :3], labels=range(5), raters=HUMANS)
JUDGES = {"small": GRADES[:, 3], "large": GRADES[:, 4]}
REPORT = compare_judge(RATINGS, JUDGES, metrics=METRICS)


def confusion(pairs):
    counts = np.zeros((5, 5))
    for true, predicted, weight in pairs:
        counts[true, predicted] += weight
    return OrdinalConfusion.from_counts(counts, labels=range(5))


def pairs_on_same_footing(grades, human, judges, own):
    """Return (grade of another human, own grade, weight) of the items that all of these grade."""
    pairs = []
    for row in grades:
        others = [row[k] for k in range(3) if k != human and row[k] is not None]
        if others and all(row[k] is not None for k in (human, *judges)):
            pairs += [(other, row[own], 1 / len(others)) for other in others]
    return pairs


@pytest.mark.parametrize("name", METRICS)
def test_humans_and_judges_are_compared_with_the_same_humans_on_the_same_items(name):
    metric = get_metric(name)
    for judge, column in (("small", 3), ("large", 4)):
        expected = [
            [
                metric(confusion(pairs_on_same_footing(GRADES, k, [column], own)))
                for own in (k, column)
            ]
            for k in range(3)
        ]
        by_human = REPORT.footing[name][judge]
        values = [[by_human[h].human.estimate, by_human[h].judge.estimate] for h in HUMANS]
        np.testing.assert_allclose(values, expected, rtol=1e-12)
        of_all = by_human["all humans"]
        assert of_all.human.estimate == pytest.approx(np.mean(expected, axis=0)[0])
        assert of_all.difference.estimate == pytest.approx(np.diff(np.mean(expected, axis=0))[0])


def test_judges_are_compared_on_the_items_that_both_grade():
    metric = get_metric("cem_ord")
    values = [
        [metric(confusion(pairs_on_same_footing(GRADES, k, [3, 4], own))) for own in (3, 4)]
        for k in range(3)
    ]
    difference = REPORT.between_judges["cem_ord"]["small"]["large"]
    assert difference.estimate == pytest.approx(-np.diff(np.mean(values, axis=0))[0])
    assert difference.adjusted_pvalue == difference.pvalue


def evidence_with_missing(human, own, fills):
    """Return counts of the grades of the others and of a judge, whose missing grades count."""
    true, predicted, weights = [], [], []
    for row in GRADES:
        others = [row[k] for k in range(3) if k != human and row[k] is not None]
        for other in others if row[human] is not None else []:
            farthest = 4 if other < 2 else 0
            true.append(other)
            predicted.append(farthest if row[own] is None and fills else row[own])
            weights.append(1 / len(others))
    return OrdinalConfusion.from_predictions(
        true, predicted, labels=range(5), sample_weight=weights, unanswered="count"
    )


@pytest.mark.parametrize("name", [*METRICS, "accuracy", "cem_int"])
def test_missing_grades_have_a_closeness_of_0_or_are_farthest_from_each_human(name):
    report = compare_judge(RATINGS, JUDGES, metrics=name, unanswered="count")
    metric, fills = get_metric(name), not name.startswith("cem")
    by_column = {
        own: np.array([metric(evidence_with_missing(k, own, fills)) for k in range(3)])
        for own in (3, 4)
    }
    of_humans = [metric(evidence_with_missing(k, k, fills)) for k in range(3)]
    for judge, own in (("small", 3), ("large", 4)):
        by_human = report.footing[name][judge]
        found = [[by_human[h].human.estimate, by_human[h].judge.estimate] for h in HUMANS]
        np.testing.assert_allclose(found, np.c_[of_humans, by_column[own]], rtol=1e-12)
        omitted = compare_judge(RATINGS, JUDGES, metrics=name)
        of_all = omitted.footing[name][judge]["all humans"]
        for otherwise, difference in (
            (omitted.otherwise[judge], by_human["all humans"].difference),
            (report.otherwise[judge], of_all.difference),
        ):
            ends = difference.estimate, difference.low, difference.high
            assert (otherwise.estimate, otherwise.low, otherwise.high) == pytest.approx(ends)
        assert report.severity[judge] == omitted.severity[judge]
    difference = report.between_judges[name]["small"]["large"].estimate
    assert difference == pytest.approx(np.mean(by_column[3] - by_column[4]))


@pytest.mark.parametrize("counts_missing", [False, True])
@pytest.mark.parametrize("weight", [None, np.arange(40) % 3 + 0.5])
def test_standard_errors_are_those_of_the_weights_of_items(weight, counts_missing):
    """The infinitesimal jackknife over items, from numeric derivatives."""
    given = np.ones(40) if weight is None else weight
    metrics = [get_metric(name) for name in METRICS]
    first = OrdinalRatings.from_ratings(GRADES[:40, :3], labels=range(5))
    judge = read_judge(first, GRADES[:40, 3])[:, None]

    def footings(weights):
        ratings = OrdinalRatings.from_ratings(
            GRADES[:40, :3], labels=range(5), sample_weight=weights
        )
        judged = join_judges(ratings, judge)
        return list(same_footing(judged, 3, [0], metrics, counts_missing=counts_missing))

    values = footings(weight)
    slopes = np.zeros((3, 2, 4, 40))
    for item in range(40):
        step = 1e-4 * (np.arange(40) == item)
        above, below = footings(given + step), footings(given - step)
        for k in range(3):
            slopes[k, ..., item] = (above[k].values - below[k].values) / 2e-4
    for k, footing in enumerate(values):
        moves = given * (slopes[k, 1] - slopes[k, 0])
        numbers = footing.numbers
        expected = np.sqrt(numbers / (numbers - 1) * (moves**2).sum(axis=1))
        errors = [d.standard_error for d in footing.differences(1, 0, 0.95)]
        np.testing.assert_allclose(errors, expected, rtol=1e-6)


def test_the_severity_is_the_own_grade_minus_the_mean_of_the_others():
    deviations = {"human": [], "judge": []}
    for row in GRADES:
        others = [grade for grade in row[1:3] if grade is not None]
        if row[0] is not None and row[3] is not None and others:
            deviations["human"].append(row[0] - np.mean(others))
            deviations["judge"].append(row[3] - np.mean(others))
    footing = REPORT.severity["small"]["Ann"]
    assert footing.n_items == len(deviations["human"])
    assert footing.human.estimate == pytest.approx(np.mean(deviations["human"]))
    assert footing.judge.estimate == pytest.approx(np.mean(deviations["judge"]))
    difference = footing.difference
    test = stats.ttest_rel(deviations["judge"], deviations["human"])
    assert difference.estimate / difference.standard_error == pytest.approx(test.statistic)
    differences = np.subtract(deviations["judge"], deviations["human"])
    t = stats.t(degrees_of_freedom.of_means(differences)[1])
    margin = t.ppf(0.975) * difference.standard_error
    ends = (difference.estimate - margin, difference.estimate + margin)
    assert (difference.low, difference.high) == pytest.approx(ends)
    assert difference.pvalue == pytest.approx(2 * t.sf(abs(test.statistic)))


def z_of(grades, name, judge, sign):
    """Return the place of a judge among the pairs of humans, in the mean of both directions."""
    metric = get_metric(name)
    graded = [row for row in grades if row[judge] is not None]

    def value(first, second):
        both = [row for row in graded if row[first] is not None and row[second] is not None]
        ways = permutations((first, second))
        return np.mean([metric(confusion([(r[a], r[b], 1) for r in both])) for a, b in ways])

    humans = [value(*pair) for pair in combinations(range(3), 2)]
    own = np.mean([value(k, judge) for k in range(3)])
    return sign * (own - np.mean(humans)) / np.std(humans, ddof=1)


@pytest.mark.parametrize(("name", "sign"), [("cem_ord", 1), (METRICS[2], -1)])
def test_z_places_the_judge_among_the_pairs_of_humans(name, sign):
    z = REPORT.z[name]["small"]
    assert z.estimate == pytest.approx(z_of(GRADES, name, 3, sign))
    jackknife = [
        z_of(np.delete(GRADES, item, axis=0), name, 3, sign) for item in range(len(GRADES))
    ]
    # The jackknife and its infinitesimal form are close for many items.
    error = math.sqrt(119 * np.var(jackknife))
    assert z.standard_error == pytest.approx(error, rel=0.25)
    # Their degrees of freedom are about 75, not the number of items minus 1.
    quantile = stats.t.ppf(0.975, degrees_of_freedom.of_sample(jackknife)[1])
    assert (z.high - z.estimate) / z.standard_error == pytest.approx(quantile, rel=0.001)


def test_prmse_and_tests_are_those_of_their_functions():
    complete = draw(1, missing=0)
    ratings = OrdinalRatings.from_ratings(complete[:, :3], labels=range(5))
    report = compare_judge(ratings, complete[:, 3], metrics="accuracy", epsilon=0.1)
    prmse = report.prmse["judge"]
    assert prmse.estimate == pytest.approx(prmse_score(ratings, complete[:, 3]))
    jackknife = [
        prmse_score(
            OrdinalRatings.from_ratings(np.delete(complete[:, :3], k, axis=0), labels=range(5)),
            np.delete(complete[:, 3], k),
        )
        for k in range(120)
    ]
    error = math.sqrt(119 * np.var(jackknife))
    assert prmse.standard_error == pytest.approx(error, rel=0.05)
    quantile = stats.t.ppf(0.975, degrees_of_freedom.of_sample(jackknife)[1])
    assert (prmse.high - prmse.estimate) / prmse.standard_error == pytest.approx(quantile)
    for closeness, test in report.tests["judge"].items():
        assert test == alternative_annotator_test(
            ratings, complete[:, 3], closeness=closeness, epsilon=0.1
        )


@pytest.mark.parametrize("seed", range(6))
def test_all_figures_equal_loops_over_items(seed):
    """With weights, some of them 0, missing grades, 3 to 5 humans, and in groups of items."""
    n_humans = 3 + seed % 3
    grades = draw(seed, n_items=160, n_raters=n_humans + 1, missing=0.2)
    rng = np.random.default_rng(seed)
    weights = rng.integers(0, 4, 160).astype(float) if seed % 2 else np.ones(160)
    names = [f"h{k}" for k in range(n_humans)]
    ratings = OrdinalRatings.from_ratings(
        grades[:, :-1], labels=range(5), raters=names, sample_weight=weights if seed % 2 else None
    )
    week = np.arange(160) % 2
    metric = "quadratic_weighted_kappa"
    epsilon, alpha = (0.2, 0.05) if seed < 3 else (0.1, 0.1)
    report = compare_judge(
        ratings, grades[:, -1], metrics=metric, epsilon=epsilon, alpha=alpha, by=week
    )
    parts = {"all": (report, np.ones(160, dtype=bool))}
    parts |= {name: (part, week == int(name)) for name, part in report.by_group.items()}
    for part, is_in in parts.values():
        items = (grades[is_in, :-1].tolist(), grades[is_in, -1].tolist(), weights[is_in].tolist())
        assert part.n_items == np.count_nonzero(weights[is_in])
        values = [by_hand.footing(*items, k, 5) for k in range(n_humans)]
        by_human = part.footing[metric]["judge"]
        for name, value in zip(names, values, strict=True):
            assert by_human[name].human.estimate == pytest.approx(value["human"])
            assert by_human[name].judge.estimate == pytest.approx(value["judge"])
        mean = np.mean([value["judge"] - value["human"] for value in values])
        assert by_human["all humans"].difference.estimate == pytest.approx(mean)
        for k, name in enumerate(names):
            own = part.severity["judge"][name].judge.estimate
            assert own == pytest.approx(by_hand.severity(*items, k))
        z = part.z[metric]["judge"].estimate
        assert z == pytest.approx(by_hand.z_among_humans(*items, 5))
        assert part.prmse["judge"].estimate == pytest.approx(by_hand.prmse(*items))
        test = part.tests["judge"]["cem_ord"]
        pvalues, rate, advantage = by_hand.annotator_test(*items, 5, epsilon, alpha)
        assert test.pvalues.tolist() == pytest.approx(pvalues)
        assert test.winning_rate == rate
        assert test.advantage_probability.estimate == pytest.approx(advantage)


def test_an_exchangeable_judge_differs_by_chance_only():
    """The difference has a mean near 0, and about 95% of the intervals contain it."""
    n_draws, covered, values = 60, 0, []
    metrics = [get_metric("quadratic_weighted_kappa")]
    for seed in range(n_draws):
        grades = draw(seed, n_items=150, n_raters=4, missing=0.1)
        ratings = OrdinalRatings.from_ratings(grades[:, :3], labels=range(5))
        judged = join_judges(ratings, read_judge(ratings, grades[:, 3])[:, None])
        (footing,) = same_footing(judged, 3, [0], metrics)
        difference = footing.differences(1, 0, 0.95)[-1]
        covered += difference.low <= 0 <= difference.high
        values.append(difference.estimate)
    assert stats.binomtest(covered, n_draws, 0.95).pvalue > 0.01
    assert abs(np.mean(values)) < 3 * np.std(values) / math.sqrt(n_draws)


def test_two_humans_have_no_z_and_the_report_says_why():
    ratings = OrdinalRatings.from_ratings(GRADES[:, :2], labels=range(5))
    report = compare_judge(ratings, JUDGES["small"], metrics="cem_ord")
    assert math.isnan(report.z["cem_ord"]["judge"].estimate)
    text = one_line(report.to_text(details=True))
    assert "z is undefined, since it needs at least 3 humans." in text
    assert report.footing["cem_ord"]["judge"]["all humans"].difference.low < 0.1


def test_z_and_prmse_are_undefined_if_nothing_varies():
    same = OrdinalRatings.from_ratings([[1, 1, 1], [1, 1, 1], [1, 1, 1]], labels=[0, 1, 2])
    report = compare_judge(same, [1, 0, 1], metrics="accuracy")
    assert math.isnan(report.z["accuracy"]["judge"].estimate)
    assert math.isnan(report.prmse["judge"].estimate)
    assert "PRMSE is undefined" in report.to_text(details=True)
    assert "Not tested" in str(report)
    # No two pairs of humans have a common item.
    apart = OrdinalRatings.from_ratings([[1, 0, None], [0, 1, None], [None, None, 2]])
    report = compare_judge(apart, [1, 0, 1], metrics="accuracy")
    assert math.isnan(report.z["accuracy"]["judge"].estimate)
    assert math.isnan(report.footing["accuracy"]["judge"]["rater 3"].human.estimate)
    assert report.footing["accuracy"]["judge"]["all humans"].human.estimate == 0
    text = " ".join(str(report).split())
    assert "Undefined in place of rater 3, and not in the means: accuracy and severity." in text
    assert "Undefined" not in str(REPORT)
    nobody = compare_judge(apart, [None, None, 1], metrics="accuracy")
    assert "Undefined for all humans: accuracy and severity." in " ".join(str(nobody).split())


def test_the_verdict_names_its_closeness_and_others_that_disagree():
    rng = np.random.default_rng(0)
    truth = rng.integers(5, size=300)
    noisy = np.clip(truth[:, None] + rng.choice([-1, 0, 1], size=(300, 3)), 0, 4)
    harsh = np.clip(truth - (rng.random(300) < 0.75), 0, 4)
    ratings = OrdinalRatings.from_ratings(noisy, labels=range(5), raters=HUMANS)
    report = compare_judge(ratings, harsh, metrics="cem_ord", closeness="accuracy", epsilon=0.1)
    text = " ".join(str(report).split())
    assert "closeness accuracy, epsilon 0.1" in text
    assert "classes lower than the humans." in text


def test_verdicts_may_differ_by_the_closeness():
    # The humans are right or far off. The judge is never right and never far off.
    rng = np.random.default_rng(0)
    humans = rng.choice([0, 2, 4], p=[0.25, 0.5, 0.25], size=(120, 3))
    ratings = OrdinalRatings.from_ratings(humans, labels=range(5))
    judge = rng.choice([1, 3], size=120)
    report = compare_judge(ratings, judge, metrics="cem_ord", closeness="accuracy")
    passed = {name: test.is_passed for name, test in report.tests["judge"].items()}
    assert not passed["accuracy"]
    assert passed["neg_root_mean_squared_error"]
    text = " ".join(str(report).split())
    assert "It passes with closeness neg_root_mean_squared_error." in text
    other = compare_judge(
        ratings, judge, metrics="cem_ord", closeness="neg_root_mean_squared_error"
    )
    expected = "It does not pass with closeness cem_ord and accuracy."
    assert expected in " ".join(str(other).split())


def with_noise(quality, rng, size, p_guess=0.0):
    """Return grades with errors of one class, and some guesses."""
    grades = quality + rng.choice([-1, 0, 0, 0, 1], size=size)
    guesses = rng.integers(5, size=size)
    return np.where(rng.random(size) < p_guess, guesses, grades).clip(0, 4)


def flattering_judges():
    """Return ratings, a judge who is worse than the humans, and one who omits its worst items."""
    rng = np.random.default_rng(1)
    quality = rng.integers(5, size=200)
    humans = with_noise(quality[:, None], rng, (200, 3))
    judge = with_noise(quality, rng, 200, p_guess=0.35)
    errors = np.abs(judge[:, None] - humans).sum(axis=1)
    omits = judge.astype(object)
    omits[np.argsort(-errors, kind="stable")[:29]] = None
    return OrdinalRatings.from_ratings(humans, raters=HUMANS), judge, omits


def test_the_first_sentence_says_that_a_judge_who_passes_is_worse():
    ratings, judge, _ = flattering_judges()
    report = compare_judge(ratings, judge, metrics="cem_ord", epsilon=0.5)
    difference = report.footing["cem_ord"]["judge"]["all humans"].difference
    assert difference.high < 0
    assert report.tests["judge"]["cem_ord"].is_passed
    text = " ".join(str(report).split())
    assert text.startswith(
        f"By cem_ord, the judge is worse than the humans: judge minus humans is "
        f"{difference.estimate:.3f} (95% interval {difference.low:.3f} to {difference.high:.3f}, "
        f"p < 0.001). It passes the alternative-annotator test (closeness cem_ord, epsilon 0.5): "
        f"it can replace 3 of 3 humans (Ann, Bob and Cy). The test tolerates a judge that is worse "
        f"than a human: the human may be closer to the other humans on more items than the judge, "
        f"by up to 50% of the items."
    )
    assert "Passing does not show that it is as good as the humans." in text
    nothing = " ".join(str(compare_judge(ratings, judge, metrics="cem_ord", epsilon=0)).split())
    assert "The test tolerates nothing: the judge must be closer to the other humans" in nothing


def test_the_verdict_depends_on_the_items_that_a_judge_leaves_out():
    ratings, _, omits = flattering_judges()
    omitted, counted = (
        compare_judge(ratings, {"m": omits}, metrics="cem_ord", unanswered=choice)
        for choice in ("omit", "count")
    )
    by_choice = {"omit": omitted, "count": counted}
    passed = {choice: r.tests["m"]["cem_ord"].is_passed for choice, r in by_choice.items()}
    assert passed == {"omit": True, "count": False}
    differences = [r.footing["cem_ord"]["m"]["all humans"].difference for r in by_choice.values()]
    first, _, _ = str(omitted).partition("\n\n")
    assert (
        f"Items without a grade are left out: 29 of m. If these items counted against the judge, m "
        f"minus humans would be {differences[1].estimate:.3f} (95% interval" in one_line(first)
    )
    assert one_line(first).endswith("p < 0.001), and m would not pass.")
    first, _, _ = str(counted).partition("\n\n")
    assert "count against the judge: 29 of m. If these items were left out, " in one_line(first)
    assert one_line(first).endswith("and m would pass.")
    assert "has a closeness of 0" in one_line(omitted.to_text(details=True))
    assert "without a grade" not in str(compare_judge(ratings, omits.astype(bool) * 1))


def one_line(text):
    return " ".join(text.split())


def test_the_first_sentence_names_the_best_of_several_judges():
    ratings, judge, omits = flattering_judges()
    lowest = np.zeros(200, dtype=int)
    judges = {"low": lowest, "weak": judge, "omits": omits}
    report = compare_judge(ratings, judges, metrics=["ordinal_mean_absolute_error", "cem_ord"])
    best, *_ = str(report).split("\n\n")
    differences = {
        name: by_human["all humans"].difference
        for name, by_human in report.footing["ordinal_mean_absolute_error"].items()
    }
    assert min(differences, key=lambda name: differences[name].estimate) == "omits"
    assert one_line(best).startswith(
        "By ordinal_mean_absolute_error, omits ranks first of 3 judges, each on the items that it "
        "grades, and does not differ significantly from the humans: judge minus humans is "
    )
    # On the items that both grade, omits and weak give the same grades.
    assert "; lower is better). With 80% power, these items show differences of " in one_line(best)
    assert " or more. It is not shown to be better than weak. " in one_line(best)
    assert (
        "Items without a grade are left out: 29 of omits. If these items counted against the "
        "judge, weak would rank first; omits minus humans would be +"
    ) in one_line(best)
    assert one_line(str(report)).count("The test tolerates a judge") == 1
    assert "low and weak are worse than the humans." in one_line(best)
    complete = compare_judge(ratings, {"low": lowest, "weak": judge}, metrics="cem_ord")
    first = one_line(str(complete).partition("\n\n")[0])
    assert first.endswith("It is shown to be better than low. low is worse than the humans.")
    sure = str(compare_judge(ratings, {"omits": omits, "low": lowest}, metrics="cem_ord"))
    assert "Items without a grade are left out: 29 of omits." in one_line(sure)
    assert "would rank first" not in sure
    tied = compare_judge(ratings, {"low": lowest, "same": lowest}, metrics="cem_ord")
    assert str(tied).startswith("By cem_ord, low (tied with same) ranks first of 2 judges and is")


@pytest.mark.parametrize("names", [["skips", "sound", "same", "low"], ["low", "sound", "skips"]])
def test_a_judge_does_not_win_by_skipping_the_items_that_are_hard(names):
    rng = np.random.default_rng(2)
    true, is_hard = rng.integers(0, 5, 300), np.arange(300) < 100

    def noisy(deviation):
        return np.clip(np.rint(true + rng.normal(size=300) * deviation), 0, 4)

    humans = np.stack([noisy(0.55) for _ in range(3)], axis=1)
    skips = np.where(is_hard, np.nan, noisy(0.6))
    sound = np.where(is_hard, np.clip(true + rng.choice([-2, 2], 300), 0, 4), noisy(0.35))
    judges = {"skips": skips, "sound": sound, "same": sound, "low": np.zeros(300)}
    errors = {
        name: np.abs(judges[name][:, None] - humans)[~is_hard].mean() for name in ("skips", "sound")
    }
    assert errors["sound"] < errors["skips"] - 0.1
    ratings = OrdinalRatings.from_ratings(humans)
    report = compare_judge(ratings, {name: judges[name] for name in names}, metrics="cem_ord")
    better = "sound and same are" if "same" in names else "sound is"
    first = one_line(str(report).partition("\n\n")[0])
    assert first.startswith(
        f"By cem_ord, skips ranks first of {len(names)} judges, each on the items that it grades, "
        f"and does not differ significantly from the humans: judge minus humans is "
    )
    assert (
        f"It is shown to be better than low. On the items that both grade, {better} shown to be "
        f"better than skips. "
    ) in first
    assert (
        "Items without a grade are left out: 100 of skips. If these items counted against the "
        "judge, "
    ) in first


def test_judges_without_a_value_or_a_test_are_said_to_have_none():
    apart = OrdinalRatings.from_ratings([[1, 0, None], [0, 1, None], [None, None, 2]])
    alone = [None, None, 1]
    text = str(compare_judge(apart, alone, metrics="accuracy"))
    assert text.startswith("By accuracy, the judge cannot be compared with the humans.")
    assert "Not tested by the alternative-annotator test" in text
    both = str(compare_judge(apart, {"a": alone, "b": alone}, metrics="accuracy"))
    assert both.startswith("By accuracy, no judge can be compared with the humans.")
    same = OrdinalRatings.from_ratings([[1, 1, 1], [1, 1, 1], [1, 1, 1]], labels=[0, 1, 2])
    text = str(compare_judge(same, [1, 1, 1], metrics="accuracy"))
    assert text.startswith("By accuracy, the judge is not tested against the humans: judge minus")


def test_groups_have_the_reports_of_their_items():
    week = np.array(["w1", "w2", "w3"])[np.arange(120) % 3]
    grades = GRADES.copy()
    # No item of the third week has two grades of humans.
    grades[week == "w3", 1:3] = None
    weight = np.arange(120) % 4 + 1.0
    ratings = OrdinalRatings.from_ratings(
        grades[:, :3], labels=range(5), raters=HUMANS, sample_weight=weight
    )
    report = compare_judge(ratings, JUDGES, metrics="cem_ord", by=week)
    assert list(report.by_group) == ["w1", "w2"]
    assert report.groups_left_out == ("w3",)
    part = OrdinalRatings.from_ratings(
        grades[week == "w2", :3],
        labels=range(5),
        raters=HUMANS,
        sample_weight=weight[week == "w2"],
    )
    judges = {name: own[week == "w2"] for name, own in JUDGES.items()}
    alone = compare_judge(part, judges, metrics="cem_ord").to_frame().drop(columns="group")
    of_group = report.to_frame().query("group == 'w2'").drop(columns="group")
    pd.testing.assert_frame_equal(of_group.reset_index(drop=True), alone)
    text = " ".join(str(report).split())
    assert "cem_ord in each group group: judge items" in text
    assert "left out: w3." in text
    assert set(report.to_frame()["group"].dropna()) == {"w1", "w2"}


def test_groups_of_weight_zero_are_left_out_with_the_reason():
    week = np.array(["w1", "w2", "w3"])[np.arange(120) // 40]
    weight = np.where(week == "w1", 0.0, 1.0)
    # One item of the second week has two grades, and its weight is 0.
    grades = GRADES.copy()
    grades[week == "w2", 1:3] = None
    grades[40, :3] = 1
    weight[40] = 0
    ratings = OrdinalRatings.from_ratings(
        grades[:, :3], labels=range(5), raters=HUMANS, sample_weight=weight
    )
    report = compare_judge(ratings, JUDGES["small"], metrics="accuracy", by=week)
    assert report.groups_left_out == ("w1", "w2")
    assert list(report.by_group) == ["w3"]
    text = " ".join(str(report).split())
    assert "79 items, 3 humans" in text
    assert (
        "Groups without an item of positive weight that two humans and a judge grade, left out: w1 "
        "and w2." in text
    )


def test_the_text_compares_a_judge_with_each_human():
    """A judge that repeats one human is better in place of the others only."""
    rng = np.random.default_rng(0)
    quality = rng.integers(5, size=(400, 1))
    humans = np.clip(quality + rng.choice([-1, 0, 0, 1], size=(400, 3)), 0, 4)
    echo = np.where(rng.random(400) < 0.85, humans[:, 2], rng.integers(5, size=400))
    ratings = OrdinalRatings.from_ratings(humans, raters=HUMANS)
    week = np.repeat(["w1", "w2"], [380, 20])
    report = compare_judge(ratings, {"echo": echo}, metrics="cem_ord", by=week)
    text = report.to_text(details=True)
    assert max(map(len, text.splitlines())) <= 80
    start = text.index("cem_ord of echo, human by human")
    by_human = report.footing["cem_ord"]["echo"]
    expected = [f"{human} 400 {by_human[human].human.estimate:.3f}" for human in HUMANS]
    lines = [" ".join(line.split()) for line in text[start:].splitlines()[2:5]]
    assert [line[: len(start)] for line, start in zip(lines, expected, strict=True)] == expected
    words = " ".join(text.split())
    assert "By cem_ord, echo is better than Ann and Bob and worse than Cy, each compared" in words
    assert "A judge that repeats the grades of Cy looks like this" in words
    assert "repeats the grades" not in str(REPORT)


def test_tables_of_many_humans_have_the_extremes():
    grades = draw(3, n_items=40, n_raters=41, missing=0.05)
    grades[:, 7] = None
    grades[:2, 7] = 1
    ratings = OrdinalRatings.from_ratings(grades[:, :40], labels=range(5))
    report = compare_judge(ratings, grades[:, 40], metrics="accuracy")
    *by_human, _ = report.footing["accuracy"]["judge"].items()
    ordered = sorted(by_human, key=lambda human: human[1].difference.estimate)
    _, rest = report.to_text(details=True).split("accuracy of judge, human by human\n")
    table = rest.partition("\n\n")[0].splitlines()[1:]
    expected = [name for name, _ in (*ordered[:15], *ordered[-15:])]
    assert [line[:8].strip() for line in table] == expected
    assert "Tables of humans have 30 of 40: those with the lowest" in " ".join(rest.split())
    test = report.tests["judge"]["cem_ord"]
    assert len(test.table().rows) == 30
    assert "Tables of humans have 30 of 40" in str(test)


def test_only_named_criteria_or_the_first_have_differences_in_the_text():
    def cells(report, criterion):
        lines = [line for line in str(report).splitlines() if line.startswith(criterion)]
        return [line.split() for line in lines]

    by_default = compare_judge(RATINGS, JUDGES["small"])
    assert by_default.inferred == ("cem_ord",)
    accuracy = by_default.footing["accuracy"]["judge"]["all humans"]
    values = [accuracy.human.estimate, accuracy.judge.estimate]
    ((_, *shown),) = cells(by_default, "accuracy")
    assert list(map(float, shown)) == pytest.approx(values, abs=0.006)
    named = compare_judge(RATINGS, JUDGES["small"], metrics=["cem_ord", "accuracy"])
    ((_, human, own, *_, low, to, _, _),) = cells(named, "accuracy")
    assert [float(human), float(own)] == pytest.approx(values, abs=0.006)
    assert to == "to"
    assert float(low) == pytest.approx(accuracy.difference.low, abs=0.006)
    several = compare_judge(RATINGS, JUDGES)
    judged = [several.one(criterion="accuracy", judge=judge).estimate for judge in JUDGES]
    assert cells(several, "accuracy") == [["accuracy", *(f"{value:.2f}" for value in judged)]]
    assert "accuracy of large, human by human" in several.to_text(details=True)
    complete = compare_judge(RATINGS, {name: [2] * 120 for name in JUDGES})
    human = complete.footing["accuracy"]["small"]["all humans"].human.estimate
    assert cells(complete, "accuracy")[0][:2] == ["accuracy", f"{human:.2f}"]


def test_the_frame_has_a_row_for_each_number():
    frame = REPORT.to_frame()
    assert frame["group"].isna().all()
    footing = REPORT.footing["cem_ord"]["small"]["Ann"]
    of_small = frame.query("criterion == 'cem_ord' and judge == 'small'")
    rows = of_small.query("against == 'Ann'").set_index("what")
    assert rows["estimate"].to_dict() == {
        "human": footing.human.estimate,
        "value": footing.judge.estimate,
        "difference": footing.difference.estimate,
    }
    assert set(rows["n_items"]) == {footing.n_items}
    assert rows.loc["difference", "pvalue"] == footing.difference.pvalue
    between = REPORT.between_judges["cem_ord"]["small"]["large"]
    rows = of_small.query("against == 'large'")
    assert rows["adjusted_pvalue"].tolist() == [between.adjusted_pvalue]
    z = frame.query("what == 'z' and judge == 'small'")
    assert z["estimate"].tolist() == [REPORT.z[name]["small"].estimate for name in METRICS]


def test_z_is_a_detail():
    assert "z of" not in str(REPORT)
    z = REPORT.z["cem_ord"]["small"]
    expected = f"z of cem_ord {z.estimate:.2f} {z.low:.2f} to {z.high:.2f}"
    assert expected in one_line(REPORT.to_text(details=True))


def test_judges_and_groups_are_joined_by_id():
    frame = pd.DataFrame(GRADES[:, :3], columns=HUMANS, index=[f"i{k}" for k in range(120)])
    ratings = OrdinalRatings.from_ratings(frame, labels=range(5))
    own = pd.DataFrame(JUDGES, index=frame.index)[::-1]
    week = pd.Series(["w1", "w2"] * 60, index=frame.index)
    by_id = compare_judge(ratings, own, metrics="cem_ord", by=week[::-1])
    in_order = compare_judge(ratings, JUDGES, metrics="cem_ord", by=dict(week))
    assert by_id == in_order
    series = own["small"]
    assert compare_judge(ratings, dict(series)) == compare_judge(ratings, series)
    words = pl.DataFrame({"small": GRADES[:, 3].tolist()})
    assert compare_judge(RATINGS, words, metrics="cem_ord").judges == ("small",)


@pytest.mark.usefixtures("drawn_figures")
def test_the_plot_has_a_row_for_each_human():
    display = REPORT.plot("cem_ord", judge="large")
    assert len(display.estimates_) == 2 * 4
    assert "large in place of the human" in display.estimates
    with pytest.raises(ValueError, match=r"judge must be one of \['small', 'large'\], got 'x'"):
        REPORT.plot(judge="x")


def test_the_repr_names_the_number_of_judges_and_the_criteria():
    assert repr(REPORT).startswith("JudgeReport(2 judges, cem_ord, quadratic_weighted_kappa")
    assert dataclasses.replace(REPORT) == REPORT


def rows_score(y_true, y_pred):
    return np.mean(np.equal(y_true, y_pred))


@pytest.mark.parametrize(
    ("judge", "options", "message"),
    [
        ({}, {}, "judge must have at least one judge, got an empty dict"),
        ({"Ann": [0] * 120}, {}, "judge must have names that differ .*, got 'Ann': rename it"),
        ([[1] * 120] * 2, {}, "got several columns: for several judges, pass a dict with their n"),
        (np.ones((120, 2)), {}, "got several columns: for several judges, pass a dict with their"),
        (3, {}, "judge must hold a grade for each of the 120 items of ratings, got 3: pass a list"),
        (None, {}, "judge must hold a grade for each of the 120 items of ratings, got None: pass"),
        ({"a": [0] * 120, "b": 3}, {}, r"judge\['b'\] must hold a grade for each of the 120 i"),
        ({"a": [0] * 3}, {}, r"judge\['a'\] must have a value for each of the 120 items"),
        ([7] * 120, {}, r"judge .*\[7\]"),
        ([1] * 120, {"metrics": "log_loss"}, "metrics .*log_loss"),
        ([1] * 120, {"metrics": rows_score}, "metrics must be criteria of counts, got rows, whic"),
        (
            [1] * 120,
            {"metrics": "mean_absolute_error"},
            "which needs the labels of each sample: pass ordinal_mean_absolute_error",
        ),
        ([1] * 120, {"metrics": {"severity": "cem_ord"}}, "metrics must not have the name 'sev"),
        ([1] * 120, {"by": ["a"] * 120}, "by must name at least 2 groups"),
        ([1] * 120, {"closeness": "kappa"}, "closeness must be one of"),
        ([1] * 120, {"alpha": 2}, "alpha must be a number between 0 and 1"),
    ],
)
def test_odd_input_is_refused_in_one_line(judge, options, message):
    with pytest.raises(ValueError, match=message) as error:
        compare_judge(RATINGS, judge, **options)
    assert "\n" not in str(error.value)


def test_a_name_of_the_report_cannot_be_a_rater():
    ratings = OrdinalRatings.from_ratings([[0, 1], [1, 1]], raters=["all humans", "b"])
    with pytest.raises(ValueError, match="must not have a rater with the name 'all humans'"):
        compare_judge(ratings, [0, 1])
