"""The proportional reduction of the mean squared error (PRMSE)."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal import OrdinalRatings
from sklearn_ordinal.metrics import prmse_score
from sklearn_ordinal.metrics._true_scores import prmse_influences

# Eight items and four raters whose errors have the variance 23/96, and true scores 715/672.
GRADES = [
    [4, 3, 3, 3],
    [1, 1, 1, 1],
    [5, 4, 4, 4],
    [4, 5, 3, 4],
    [3, 3, 3, 3],
    [4, 4, 4, 5],
    [3, 3, 4, 3],
    [4, 3, 4, 4],
]


def prmse_of(grades, scores):
    """Return the PRMSE as an exact fraction, item by item."""
    items = [
        ([Fraction(g) for g in row if g is not None], s)
        for row, s in zip(grades, scores, strict=True)
    ]
    items = [(row, Fraction(score)) for row, score in items if row]
    means = [sum(row) / len(row) for row, _ in items]
    n_items, n_grades = len(items), sum(len(row) for row, _ in items)
    grand = sum(sum(row) for row, _ in items) / n_grades
    of_errors = sum((x - m) ** 2 for (row, _), m in zip(items, means, strict=True) for x in row)
    of_errors /= sum(len(row) - 1 for row, _ in items)
    of_truth = sum(len(row) * (m - grand) ** 2 for (row, _), m in zip(items, means, strict=True))
    of_truth -= (n_items - 1) * of_errors
    of_truth /= n_grades - Fraction(sum(len(row) ** 2 for row, _ in items), n_grades)
    error = sum(len(row) * (m - score) ** 2 for (row, score), m in zip(items, means, strict=True))
    return 1 - (error - n_items * of_errors) / n_grades / of_truth


def test_the_means_of_the_items_may_explain_more_than_all_variance():
    means = np.mean(GRADES, axis=1)
    value = prmse_score(OrdinalRatings.from_ratings(GRADES), means)
    assert value == pytest.approx(3021 / 2860)
    assert prmse_of(GRADES, means.tolist()) == Fraction(3021, 2860)


def test_values_with_gaps_are_those_of_exact_fractions():
    rng = np.random.default_rng(0)
    for _ in range(20):
        truth = rng.integers(1, 6, 15)
        grades = np.clip(truth[:, None] + rng.integers(-1, 2, (15, 4)), 1, 5).astype(object)
        grades[rng.random(grades.shape) < 0.4] = None
        scores = truth + rng.integers(-3, 4, 15) / 4
        ratings = OrdinalRatings.from_ratings(grades, labels=range(1, 6))
        expected = float(prmse_of(grades.tolist(), scores.tolist()))
        assert prmse_score(ratings, scores) == pytest.approx(expected, rel=1e-11)


def test_grades_that_are_not_numbers_are_positions():
    words = [[["low", "mid", "high", "top", "best"][g - 1] for g in row] for row in GRADES]
    ratings = OrdinalRatings.from_ratings(words, labels=["low", "mid", "high", "top", "best"])
    scores = np.add(np.mean(GRADES, axis=1), [0.5, 0, -0.5, 0, 0, 0.25, 0, 0])
    expected = prmse_score(OrdinalRatings.from_ratings(GRADES), scores)
    assert prmse_score(ratings, scores - 1) == pytest.approx(expected)


def test_weights_are_frequencies_and_scores_are_joined_by_id():
    weight = [1, 2, 3, 1, 1, 2, 1, 1]
    scores = np.mean(GRADES, axis=1).round()
    frame = pd.DataFrame(GRADES, index=list("abcdefgh"))
    ratings = OrdinalRatings.from_ratings(frame, sample_weight=weight)
    repeated = OrdinalRatings.from_ratings(np.repeat(GRADES, weight, axis=0))
    by_id = dict(zip("abcdefgh", scores, strict=True))
    expected = prmse_score(repeated, np.repeat(scores, weight))
    assert prmse_score(ratings, by_id) == pytest.approx(expected)


def test_influences_are_derivatives_by_the_weights():
    rng = np.random.default_rng(1)
    weight = rng.uniform(1, 2, 8)
    scores = np.mean(GRADES, axis=1) + rng.normal(0, 0.5, 8)

    def value(weight):
        ratings = OrdinalRatings.from_ratings(GRADES, sample_weight=weight)
        return prmse_influences(ratings, scores)

    for item, influence in enumerate(value(weight).influences):
        step = 1e-5 * (np.arange(8) == item)
        numeric = (value(weight + step).value - value(weight - step).value) / 2e-5
        assert influence == pytest.approx(numeric, rel=1e-6)


def test_items_without_a_score_or_a_weight_do_not_count():
    scores = [4.0, 1, 4, 4, 3, 4, 3, np.nan]
    full = OrdinalRatings.from_ratings(GRADES)
    shorter = OrdinalRatings.from_ratings(GRADES[:-1])
    value, influences = prmse_influences(full, np.array(scores))
    assert value == pytest.approx(prmse_score(shorter, scores[:-1]))
    assert influences[-1] == 0


def test_the_value_is_undefined_if_the_true_scores_do_not_vary():
    ratings = OrdinalRatings.from_ratings([[0, 1], [1, 0], [0, 1]])
    with pytest.warns(UndefinedMetricWarning, match="prmse is undefined: the estimated variance"):
        assert np.isnan(prmse_score(ratings, [0.5, 0.5, 0.5]))


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([1, 2], r"y_score must have a value for each of the 8 items of ratings, got shape \(2,\)"),
        ([np.nan] + [1] * 7, "y_score must be finite for each item with a grade, got nan for 1 of"),
        (
            [np.nan] * 8,
            "y_score must have a score for each item with a grade, but all are NaN: che",
        ),
        (["a"] * 8, "y_score"),
        ([1e200] + [1] * 7, "y_score must be in the unit of the grades, at most 1e\\+100 in"),
    ],
)
def test_odd_scores_are_refused_in_one_line(scores, message):
    with pytest.raises(ValueError, match=message) as error:
        prmse_score(OrdinalRatings.from_ratings(GRADES), scores)
    assert "\n" not in str(error.value)


def test_ratings_are_needed():
    with pytest.raises(ValueError, match="ratings must be OrdinalRatings, got"):
        prmse_score(GRADES, [1] * 8)
