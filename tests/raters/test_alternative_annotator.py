import dataclasses
import itertools
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal import OrdinalRatings
from sklearn_ordinal.raters import alternative_annotator_test
from tests.alternative_annotators import alternative_annotators

CLOSENESSES = ("cem_ord", "accuracy", "neg_root_mean_squared_error")


def draw(rng, n_items=60, n_raters=3, n_classes=5, missing=0.0, noise=0.35):
    """Return grades of humans and of a judge who err alike, None where missing."""
    truth = rng.integers(n_classes, size=n_items)
    steps = rng.choice(
        [-1, 0, 1], size=(n_items, n_raters + 1), p=[noise / 2, 1 - noise, noise / 2]
    )
    grades = np.clip(truth[:, None] + steps, 0, n_classes - 1)
    is_missing = rng.random(grades.shape) < missing
    table = [
        [None if gone else int(grade) for grade, gone in zip(*row, strict=True)]
        for row in zip(grades, is_missing, strict=True)
    ]
    return [row[:-1] for row in table], [row[-1] for row in table]


@pytest.mark.parametrize("closeness", CLOSENESSES)
@pytest.mark.parametrize(("missing", "unanswered"), [(0, "omit"), (0.3, "omit"), (0.3, "count")])
def test_the_values_are_those_of_the_procedure_written_plainly(closeness, missing, unanswered):
    rng = np.random.default_rng(0)
    for n_raters, epsilon in itertools.product((2, 3, 5), (0.0, 0.1, 0.2)):
        grades, judge = draw(rng, n_items=150, n_raters=n_raters, missing=missing)
        ratings = OrdinalRatings.from_ratings(grades, labels=range(5))
        test = alternative_annotator_test(
            ratings, judge, closeness=closeness, epsilon=epsilon, unanswered=unanswered
        )
        counts = unanswered == "count"
        winning_rate, advantage, pvalues = alternative_annotators(
            grades, judge, closeness, epsilon, 0.05, 5, counts_missing=counts
        )
        otherwise, *_ = alternative_annotators(
            grades, judge, closeness, epsilon, 0.05, 5, counts_missing=not counts
        )
        assert test.other_winning_rate == otherwise
        assert test.winning_rate == winning_rate
        assert test.advantage_probability.estimate == pytest.approx(advantage, abs=1e-12)
        expected = [pvalues.get(k, np.nan) for k in range(n_raters)]
        np.testing.assert_allclose(test.pvalues, expected, rtol=1e-9, atol=1e-15)
        tested = test.pvalues[~np.isnan(test.pvalues)]
        adjusted = test.adjusted_pvalues[~np.isnan(test.pvalues)]
        by_scipy = stats.false_discovery_control(tested, method="by")
        np.testing.assert_allclose(adjusted, by_scipy, rtol=1e-12)


def test_a_judge_who_always_loses_or_always_ties_has_no_spread():
    ratings = OrdinalRatings.from_ratings([[k % 3, k % 3] for k in range(30)])
    agrees = alternative_annotator_test(ratings, [k % 3 for k in range(30)])
    assert agrees.pvalues.tolist() == [0, 0]
    assert agrees.advantage_probability.estimate == agrees.winning_rate == 1
    never = alternative_annotator_test(ratings, [(k + 1) % 3 for k in range(30)], epsilon=1)
    assert never.pvalues.tolist() == [1, 1]
    assert never.winning_rate == 0
    assert not never.is_passed
    assert never.differences["rater 1"].estimate == 1


def test_a_judge_whose_difference_is_epsilon_rarely_replaces_a_human():
    """The level of the test of one human, if both are often closer than the other."""
    rng, n_draws, epsilon, n_replaced = np.random.default_rng(0), 600, 0.2, 0
    for _ in range(n_draws):
        # The other human always gives the grade 0, and so does whoever is closer.
        closer = rng.choice(["human", "both", "judge"], size=100, p=[0.45, 0.3, 0.25])
        ratings = OrdinalRatings.from_ratings([[int(who == "judge"), 0] for who in closer])
        judge = (closer == "human").astype(int)
        test = alternative_annotator_test(ratings, judge, closeness="accuracy", epsilon=epsilon)
        n_replaced += test.pvalues[0] <= 0.05
    assert stats.binomtest(n_replaced, n_draws, 0.05, alternative="greater").pvalue > 0.01


def test_equal_weights_change_nothing_and_a_weight_of_zero_leaves_the_item_out():
    grades, judge = draw(np.random.default_rng(1))
    plain = alternative_annotator_test(OrdinalRatings.from_ratings(grades), judge)
    heavy = OrdinalRatings.from_ratings(grades, sample_weight=[3.0] * 60)
    np.testing.assert_allclose(alternative_annotator_test(heavy, judge).pvalues, plain.pvalues)
    # The sizes of the classes must stay, so another closeness is used.
    longer = OrdinalRatings.from_ratings([*grades, [0, 0, 0]], sample_weight=[1.0] * 60 + [0.0])
    without = alternative_annotator_test(longer, [*judge, 4], closeness="accuracy")
    shorter = OrdinalRatings.from_ratings(grades)
    expected = alternative_annotator_test(shorter, judge, closeness="accuracy")
    np.testing.assert_allclose(without.pvalues, expected.pvalues, rtol=1e-12)
    assert without.left_out["weight zero"] == 1


def test_weights_enter_the_means():
    rng = np.random.default_rng(2)
    grades, judge = draw(rng)
    weight = rng.integers(1, 4, 60)
    ratings = OrdinalRatings.from_ratings(grades, sample_weight=weight)
    repeated = OrdinalRatings.from_ratings(np.repeat(grades, weight, axis=0))
    weighted = alternative_annotator_test(ratings, judge)
    expected = alternative_annotator_test(repeated, np.repeat(judge, weight))
    for rater in ratings.raters:
        difference = weighted.differences[rater]
        assert difference.estimate == pytest.approx(expected.differences[rater].estimate)
        assert difference.standard_error > expected.differences[rater].standard_error
    assert weighted.advantage_probability.estimate == pytest.approx(
        expected.advantage_probability.estimate
    )


def test_items_and_humans_that_cannot_be_used_are_counted():
    grades = [[0, 1, None]] * 40 + [[1, 1, 2]] * 20 + [[None, None, 1]] * 7 + [[2, 2, 2]] * 3
    judge = [0, 1] * 30 + [1] * 7 + [None] * 3
    test = alternative_annotator_test(OrdinalRatings.from_ratings(grades), judge)
    assert test.n_items.tolist() == [60, 60, 20]
    assert np.isnan(test.pvalues).tolist() == [False, False, True]
    assert test.left_out == {
        "weight zero": 0,
        "fewer than two grades of humans": 7,
        "no grade of the judge": 3,
    }
    text = " ".join(str(test).split())
    assert "Not tested, since they have fewer than 30 items: rater 3." in text
    assert "Left out: 7 items with fewer than two grades of humans." in text
    assert "not tested" in text
    assert test.to_dict()["humans"]["rater 3"]["pvalue"] is None


def test_the_winning_rate_is_undefined_if_no_human_can_be_tested():
    ratings = OrdinalRatings.from_ratings([[0, 1, 1], [1, 1, 2]] * 5)
    with pytest.warns(UndefinedMetricWarning, match="no human has 30 items"):
        test = alternative_annotator_test(ratings, [0, 1] * 5)
    assert np.isnan(test.winning_rate)
    assert np.isnan(test.advantage_probability.estimate)
    assert not test.is_passed
    assert "Not tested by the alternative-annotator test (closeness cem_ord, epsilon" in str(test)
    assert test.differences["rater 1"].estimate < 1


def test_the_judge_is_joined_by_id():
    grades, judge = draw(np.random.default_rng(3))
    frame = pd.DataFrame(grades, columns=["a", "b", "c"], index=[f"i{k}" for k in range(60)])
    ratings = OrdinalRatings.from_ratings(frame)
    in_order = alternative_annotator_test(ratings, judge)
    series = pd.Series(judge, index=frame.index)[::-1]
    assert alternative_annotator_test(ratings, series) == in_order
    assert alternative_annotator_test(ratings, dict(series)) == in_order
    assert pickle.loads(pickle.dumps(in_order)) == in_order
    with pytest.raises(ValueError, match=r"59 of 60 items .* such as 'i1': add them, with None"):
        alternative_annotator_test(ratings, {"i0": 1})


def test_several_judges_are_sent_to_the_function_that_compares_them():
    grades, judge = draw(np.random.default_rng(3))
    ratings = OrdinalRatings.from_ratings(grades)
    message = "judge must be a single judge, .* got a dict of arrays: pass several judges to com"
    with pytest.raises(ValueError, match=message):
        alternative_annotator_test(ratings, {"small": judge, "large": judge})


def test_a_judge_may_give_a_grade_that_no_human_gives():
    ratings = OrdinalRatings.from_ratings([[0, 0, 1], [1, 1, 0]] * 20, labels=range(4))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        test = alternative_annotator_test(ratings, [3, 2] * 20)
    assert test.winning_rate == 0


RATINGS = OrdinalRatings.from_ratings([[0, 1], [2, 2], [1, 1]])


@pytest.mark.parametrize(
    ("judge", "options", "message"),
    [
        ([0, 1], {}, r"judge must have a value for each of the 3 items of ratings, got shape \(2"),
        ([0, 1, 3], {}, r"judge .*\[3\]"),
        ([None] * 3, {}, "judge must grade at least one item, but all its grades are missing"),
        ({"a": 0}, {}, "judge must be in the order of the items, since the items have no ids"),
        ([0, 1, 2], {"closeness": "kappa"}, "closeness must be one of"),
        ([0, 1, 2], {"epsilon": 1.5}, "epsilon must be"),
        ([0, 1, 2], {"unanswered": "raise"}, r"unanswered must be one of \('omit', 'count'\)"),
        ([0, 1, 2], {"alpha": 0}, "alpha must be a number between 0 and 1"),
    ],
)
def test_odd_input_is_refused_in_one_line(judge, options, message):
    with pytest.raises(ValueError, match=message) as error:
        alternative_annotator_test(RATINGS, judge, **options)
    assert "\n" not in str(error.value)


def test_ratings_must_hold_the_weight_of_each_item():
    other = RATINGS.reweighted(RATINGS.weights * 2)
    with pytest.raises(ValueError, match="must hold the weights of its items"):
        alternative_annotator_test(other, [0, 1, 2])
    stack = RATINGS.reweighted(np.ones((2, len(RATINGS.patterns))))
    with pytest.raises(ValueError, match=r"ratings must have one weight .* stack of shape \(2,\)"):
        alternative_annotator_test(stack, [0, 1, 2])
    with pytest.raises(ValueError, match="ratings must be OrdinalRatings, got"):
        alternative_annotator_test([[0, 1]], [0])


def test_the_verdict_names_the_items_without_a_grade_and_what_depends_on_them():
    ratings = OrdinalRatings.from_ratings([[k % 3, k % 3] for k in range(60)])
    judge = [k % 3 if k < 40 else None for k in range(60)]
    one = [*judge[:40], *judge[:19], None]
    text = alternative_annotator_test(ratings, judge).verdict()
    assert text.endswith(
        "Items without a grade are left out: 20 of the judge. If these items counted against the "
        "judge, the judge would not pass."
    )
    text = alternative_annotator_test(ratings, judge, unanswered="count").verdict()
    assert text.endswith(
        "Items without a grade count against the judge: 20 of the judge. If these items were left "
        "out, the judge would pass."
    )
    text = alternative_annotator_test(ratings, one, epsilon=0.9).verdict()
    assert text.endswith("counted against the judge, the judge would still pass.")
    few = [k % 3 if k < 20 else None for k in range(60)]
    with pytest.warns(UndefinedMetricWarning, match="The winning rate is undefined. Not tested"):
        text = alternative_annotator_test(ratings, few).verdict()
    assert "no human has 30 items that the judge and another human grade. Items with" in text
    assert text.endswith("counted against the judge, the judge would not pass.")
    text = alternative_annotator_test(ratings, few, unanswered="count").verdict()
    assert text.endswith("If these items were left out, the judge would not be tested.")
    short = OrdinalRatings.from_ratings([[0, 0], [1, 1], [2, 2]])
    with pytest.warns(UndefinedMetricWarning):
        text = alternative_annotator_test(short, [0, 1, 1], unanswered="count").verdict()
    assert "no human has 30 items that another human grades." in text


def test_a_result_is_a_dataclass_with_a_row_for_each_human():
    grades, judge = draw(np.random.default_rng(4))
    test = alternative_annotator_test(OrdinalRatings.from_ratings(grades), judge)
    assert dataclasses.replace(test) == test
    assert repr(test).startswith("AlternativeAnnotatorTest(winning_rate=")
    assert len(test.to_frame()) == 3


@pytest.mark.parametrize("unanswered", ["omit", "count"])
def test_items_that_the_test_cannot_use_do_not_decide_how_close_two_classes_are(unanswered):
    grades, judge = draw(np.random.default_rng(1), n_items=80, n_raters=3)
    # Many grades of class 4: from a single human, or on items that the judge does not grade.
    alone = [[4, None, None]] * 200
    ungraded = [[4, 4, 4]] * 200 if unanswered == "omit" else []
    both = [
        alternative_annotator_test(
            OrdinalRatings.from_ratings(grades + more, labels=range(5)),
            judge + [4] * n_graded + [None] * (len(more) - n_graded),
            unanswered=unanswered,
        )
        for more, n_graded in (([], 0), (alone + ungraded, len(alone)))
    ]
    assert both[1].pvalues == pytest.approx(both[0].pvalues)
    advantages = [test.advantage_probability.estimate for test in both]
    assert advantages[0] == advantages[1]
