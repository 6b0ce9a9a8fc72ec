"""Distances between predicted and true distributions."""

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cityblock
from scipy.stats import wasserstein_distance

from sklearn_ordinal import OrdinalForecasts, OrdinalRatings
from sklearn_ordinal.metrics import manhattan_error, wasserstein_error

SOFT = [[0.8, 0.2, 0.0], [0.0, 0.5, 0.5], [0.2, 0.2, 0.6]]
PROBA = [[0.7, 0.2, 0.1], [0.1, 0.4, 0.5], [0.3, 0.4, 0.3]]
ERRORS = pytest.mark.parametrize("error", [wasserstein_error, manhattan_error])
RNG = np.random.default_rng(0)
MANY, MANY_PROBA = RNG.dirichlet(np.ones(5), (2, 40))


def test_values_of_the_worked_example():
    np.testing.assert_allclose(wasserstein_error(SOFT, PROBA, per_item=True), [0.2, 0.1, 0.4])
    assert wasserstein_error(SOFT, PROBA) == pytest.approx(7 / 30)
    np.testing.assert_allclose(manhattan_error(SOFT, PROBA, per_item=True), [0.2, 0.2, 0.6])
    assert manhattan_error(SOFT, PROBA) == pytest.approx(1 / 3)


def test_scipy_has_the_same_distances():
    pairs = list(zip(MANY, MANY_PROBA, strict=True))
    expected = [wasserstein_distance(range(5), range(5), p, q) for p, q in pairs]
    np.testing.assert_allclose(wasserstein_error(MANY, MANY_PROBA, per_item=True), expected)
    weights = RNG.uniform(0, 2, 40)
    assert wasserstein_error(MANY, MANY_PROBA, sample_weight=weights) == pytest.approx(
        np.average(expected, weights=weights)
    )
    expected = [cityblock(p, q) for p, q in pairs]
    np.testing.assert_allclose(manhattan_error(MANY, MANY_PROBA, per_item=True), expected)


@ERRORS
def test_a_distance_is_symmetric_and_zero_for_equal_distributions(error):
    assert error(MANY, MANY) == 0
    assert error(MANY, MANY_PROBA) == pytest.approx(error(MANY_PROBA, MANY))


def test_the_largest_distance_is_between_the_ends_of_the_scale():
    low, high = np.eye(5)[[0]], np.eye(5)[[4]]
    assert wasserstein_error(low, high) == 4
    assert manhattan_error(low, high) == 2
    assert wasserstein_error([[1, 0]], [[0, 1]]) == 1


@ERRORS
def test_the_grades_of_raters_are_distributions(error):
    ids = ["c", "b", "a"]
    grades = pd.DataFrame([[0, 0, 1, 2], [2, 1, None, None], [2, 2, 2, 2]], index=ids)
    shares = [[1 / 2, 1 / 4, 1 / 4], [0, 1 / 2, 1 / 2], [0, 0, 1]]
    ratings = OrdinalRatings.from_ratings(grades, raters=list("wxyz"))
    assert error(ratings, PROBA) == error(shares, PROBA)
    proba = pd.DataFrame(PROBA, index=ids)
    assert error(ratings, proba[::-1]) == error(shares, PROBA)
    weighted = OrdinalRatings.from_ratings(grades, raters=list("wxyz"), sample_weight=[1, 2, 3])
    assert error(weighted, PROBA) == error(shares, PROBA, sample_weight=[1, 2, 3])


@ERRORS
def test_an_item_without_a_grade_has_no_distance(error):
    ratings = OrdinalRatings.from_ratings([[0, 1], [None, None], [2, 2]])
    with pytest.warns(UserWarning, match="y_soft has no grade of 1 of 3 items: left out"):
        by_item = error(ratings, PROBA, per_item=True)
    assert np.isnan(by_item).tolist() == [False, True, False]
    with pytest.warns(UserWarning, match="y_soft has no grade of 1 of 3 items: left out"):
        assert error(ratings, PROBA) == pytest.approx(np.nanmean(by_item))


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((SOFT, PROBA[:2]), {}, "y_soft and y_proba must have the same length, got 3 and 2"),
        (
            (SOFT, np.eye(4)[:3]),
            {},
            r"y_proba must have shape \(n_samples, 3\), .* got shape \(3, 4",
        ),
        ((SOFT, [0, 1, 2]), {}, r"y_proba must have shape \(n_samples, 3\), .* got shape \(3,\)"),
        ((SOFT, np.multiply(PROBA, 2)), {}, "y_proba must have rows that add up to 1"),
        ((np.multiply(SOFT, 2), PROBA), {}, "y_soft must have rows that add up to 1"),
        (([0, 1, 2], PROBA), {}, r"y_soft must have shape \(n_samples, n_classes\), .* got shape"),
        (
            (SOFT, PROBA),
            {"labels": ["a", "b"]},
            r"labels must name each of the 3 columns of y_soft, .*\['a', 'b'\]",
        ),
        (
            (SOFT, OrdinalForecasts.from_probabilities([0, 1, 2], PROBA)),
            {},
            "y_proba must be an array, got OrdinalForecasts: pass it to a metric",
        ),
        ((SOFT, PROBA), {"sample_weight": [1, 2]}, "sample_weight must have shape"),
        ((SOFT, PROBA), {"per_item": "yes"}, "per_item must be"),
        ((SOFT, PROBA), {"per_item": True, "sample_weight": [1] * 3}, "sample_weight must be left"),
        (
            (SOFT, pd.DataFrame(PROBA, columns=list("cba"))),
            {"labels": list("abc")},
            "y_proba has c",
        ),
    ],
)
@ERRORS
def test_what_is_no_distribution_is_refused(error, arguments, options, message):
    with pytest.raises(ValueError, match=message):
        error(*arguments, **options)
