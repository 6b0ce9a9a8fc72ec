"""Criteria of rankings, against worked values, plain definitions, scikit-learn and SciPy."""

from fractions import Fraction
from functools import partial
from itertools import combinations, groupby, product
from math import factorial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import somersd
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import roc_auc_score

from sklearn_ordinal import OrdinalForecasts, OrdinalScores, get_metric
from sklearn_ordinal.metrics import (
    concordance_score,
    mean_pairwise_roc_auc_score,
    ranking_error,
    somers_d_score,
    threshold_roc_auc_score,
    volume_under_surface_score,
)

NAMES = [
    "concordance",
    "mean_pairwise_roc_auc",
    "threshold_roc_auc",
    "volume_under_surface",
    "ranking_error",
]
SCORES = [
    concordance_score,
    mean_pairwise_roc_auc_score,
    threshold_roc_auc_score,
    volume_under_surface_score,
]
EACH = pytest.mark.parametrize("function", [*SCORES, ranking_error])
EACH_SCORE = pytest.mark.parametrize("function", SCORES)
WEIGHTED = partial(threshold_roc_auc_score, average="weighted")

# Eight forecasts of three classes, of which three differ.
FORECASTS_A = np.array([[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6]])[
    [0, 1, 2, 1, 0, 2, 1, 0]
]
TRUE_A = [0, 1, 2, 2, 1, 2, 0, 0]
# Twelve forecasts of three classes, three of each kind.
FORECASTS_B = np.repeat([[0.7, 0.2, 0.1], [0.5, 0.3, 0.2], [0.3, 0.4, 0.3], [0.1, 0.2, 0.7]], 3, 0)
TRUE_B = [0, 1, 1, 0, 0, 2, 0, 1, 2, 2, 2, 1]

samples = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(0, 3)), min_size=2, max_size=9
).filter(lambda rows: len({true for true, _, weight in rows if weight}) > 1)


def pairs_of(rows, low, high):
    """Weights of the pairs of two classes in order, and of all of them, as fractions."""
    in_order = n_pairs = Fraction(0)
    for (a, lower, w), (b, higher, v) in product(rows, repeat=2):
        if (a, b) == (low, high):
            n_pairs += w * v
            in_order += w * v * (Fraction(1, 2) if lower == higher else int(lower < higher))
    return in_order, n_pairs


def plain_values(rows):
    """The five criteria of rows (class, score, weight) by their definitions, exactly."""
    classes = sorted({true for true, _, weight in rows if weight})
    pairs = {pair: pairs_of(rows, *pair) for pair in combinations(classes, 2)}
    concordance = sum(w for w, _ in pairs.values()) / sum(n for _, n in pairs.values())
    pairwise = sum(w / n for w, n in pairs.values()) / len(pairs)
    areas = []
    for k in classes[:-1]:
        binary = [(int(true > k), score, weight) for true, score, weight in rows]
        w, n = pairs_of(binary, 0, 1)
        areas.append(w / n)
    volume = Fraction(0)
    n_draws = 0
    for draw in product(*([row for row in rows if row[0] == k] for k in classes)):
        weight = int(np.prod([w for _, _, w in draw]))
        n_draws += weight
        scores = [score for _, score, _ in draw]
        if scores == sorted(scores):
            ties = np.prod([factorial(len(list(tied))) for _, tied in groupby(scores)])
            volume += Fraction(weight, int(ties))
    values = [concordance, pairwise, sum(areas) / len(areas), volume / n_draws, 1 - concordance]
    return dict(zip(NAMES, map(float, values), strict=True))


# --- published and worked values ----------------------------------------------------------


def test_worked_values_of_the_first_data():
    values = [function(TRUE_A, FORECASTS_A) for function in SCORES]
    np.testing.assert_allclose(values, [0.833333, 0.814815, 0.866667, 0.509259], atol=5e-7)
    areas = threshold_roc_auc_score(TRUE_A, FORECASTS_A, average=None)
    np.testing.assert_allclose(areas, [0.8, 0.933333], atol=5e-7)
    true, score = np.array(TRUE_A), FORECASTS_A @ [0, 1, 2]
    pairwise = [
        mean_pairwise_roc_auc_score(true[is_one], score[is_one])
        for is_one in (true != 2, true != 1, true != 0)
    ]
    np.testing.assert_allclose(pairwise, [0.583333, 0.944444, 0.916667], atol=5e-7)


def test_worked_values_of_the_second_data():
    values = [function(TRUE_B, FORECASTS_B) for function in (concordance_score, SCORES[3])]
    np.testing.assert_allclose(values, [0.697917, 0.260417], atol=5e-7)
    areas = threshold_roc_auc_score(TRUE_B, FORECASTS_B, average=None)
    np.testing.assert_allclose(areas, [0.6875, 0.78125])
    assert threshold_roc_auc_score(TRUE_B, FORECASTS_B) == np.mean([0.6875, 0.78125])
    expected = np.mean([0.53125, 0.84375, 0.71875])
    assert mean_pairwise_roc_auc_score(TRUE_B, FORECASTS_B) == pytest.approx(expected)


def test_ranking_error_and_accuracy_of_leaves():
    # Three leaves in ascending order: 20 positives and 40 negatives, 10 and 5, 20 and 5.
    y_true, leaf = [1, 0] * 3, [0, 0, 1, 1, 2, 2]
    sizes = [20, 40, 10, 5, 20, 5]
    assert ranking_error(y_true, leaf, sample_weight=sizes) == 0.29
    assert concordance_score(y_true, leaf, sample_weight=sizes) == 0.71


def test_area_of_an_order_of_ten_samples():
    y_true = [1, 1, 1, 0, 1, 0, 0, 1, 0, 0]
    for function in SCORES:
        assert function(y_true, range(10, 0, -1)) == pytest.approx(21 / 25, rel=1e-15)


# --- second opinions ----------------------------------------------------------------------


@given(rows=samples)
def test_values_are_those_of_the_definitions(rows):
    y_true, y_score, weight = np.array(rows).T
    expected = plain_values(rows)
    for name in NAMES:
        value = get_metric(name).from_predictions(y_true, y_score, sample_weight=weight)
        assert value == pytest.approx(expected[name], abs=1e-12), name


@pytest.mark.parametrize("n_digits", [0, 1, 15])
def test_areas_of_thresholds_are_those_of_scikit_learn(n_digits):
    rng = np.random.default_rng(0)
    y_true = rng.integers(5, size=300)
    y_score = np.round(y_true + rng.normal(scale=2, size=300), n_digits)
    weight = rng.random(300)
    for weights in (None, weight):
        areas = threshold_roc_auc_score(y_true, y_score, sample_weight=weights, average=None)
        expected = [roc_auc_score(y_true > k, y_score, sample_weight=weights) for k in range(4)]
        np.testing.assert_allclose(areas, expected, rtol=1e-12)
        mean = threshold_roc_auc_score(y_true, y_score, sample_weight=weights)
        assert mean == pytest.approx(np.mean(expected))


def test_concordance_is_somers_d_of_the_scores_given_the_classes():
    rng = np.random.default_rng(1)
    y_true = rng.choice(4, size=200, p=[0.5, 0.3, 0.15, 0.05])
    y_score = np.round(y_true + rng.normal(scale=2, size=200), 1)
    by_scipy = somersd(y_true, y_score).statistic
    assert concordance_score(y_true, y_score) == pytest.approx((by_scipy + 1) / 2)
    # The two orders of the arguments differ unless classes and scores have equally many ties.
    position = FORECASTS_B @ [0, 1, 2]
    given_class, given_score = somersd(TRUE_B, position), somersd(position, TRUE_B)
    assert (given_score.statistic + 1) / 2 == pytest.approx(0.675926, abs=5e-7)
    assert concordance_score(TRUE_B, FORECASTS_B) == pytest.approx((given_class.statistic + 1) / 2)
    # Predicted classes are scores as well.
    y_pred = np.clip(np.rint(y_score), 0, 3).astype(int)
    expected = (somers_d_score(y_true, y_pred) + 1) / 2
    assert concordance_score(y_true, y_pred) == pytest.approx(expected)


def test_mean_pairwise_area_is_the_mean_of_scikit_learns():
    rng = np.random.default_rng(2)
    y_true, y_score = rng.integers(4, size=150), rng.integers(20, size=150)
    areas = [
        roc_auc_score(y_true[np.isin(y_true, pair)] == pair[1], y_score[np.isin(y_true, pair)])
        for pair in combinations(range(4), 2)
    ]
    assert mean_pairwise_roc_auc_score(y_true, y_score) == pytest.approx(np.mean(areas))


@EACH_SCORE
def test_two_classes_have_scikit_learns_area(function):
    rng = np.random.default_rng(3)
    y_true, y_score = rng.integers(2, size=80), rng.integers(8, size=80)
    weight = rng.random(80)
    for weights in (None, weight):
        expected = roc_auc_score(y_true, y_score, sample_weight=weights)
        value = function(y_true, y_score, sample_weight=weights)
        assert value == pytest.approx(expected, rel=1e-12)
        proba = np.column_stack([1 - y_score / 10, y_score / 10])
        value = function(y_true, proba, sample_weight=weights)
        assert value == pytest.approx(expected, rel=1e-12)


def test_weighted_thresholds_are_all_pairs_across_them():
    rng = np.random.default_rng(4)
    y_true = rng.choice(4, size=120, p=[0.6, 0.2, 0.15, 0.05])
    y_score = y_true + rng.normal(scale=2, size=120)
    areas = threshold_roc_auc_score(y_true, y_score, average=None)
    n_pairs = [(y_true > k).sum() * (y_true <= k).sum() for k in range(3)]
    assert WEIGHTED(y_true, y_score) == pytest.approx(np.average(areas, weights=n_pairs))
    assert WEIGHTED(3 - y_true, -y_score) == pytest.approx(WEIGHTED(y_true, y_score))


def test_the_volume_of_many_samples_is_the_share_of_random_draws():
    rng = np.random.default_rng(5)
    y_true = rng.integers(4, size=400)
    y_score = np.round(y_true + rng.normal(size=400), 1)
    draws = np.stack([rng.choice(y_score[y_true == k], 200_000) for k in range(4)], axis=1)
    # Random numbers break the ties.
    ranks = draws + rng.uniform(0, 1e-6, draws.shape)
    share = (np.diff(ranks, axis=1) > 0).all(axis=1).mean()
    assert volume_under_surface_score(y_true, y_score) == pytest.approx(share, abs=0.005)


# --- contracts ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@given(rows=samples)
def test_integer_weights_equal_repeated_rows(name, rows):
    y_true, y_score, weight = np.array(rows).T
    metric = get_metric(name)
    value = metric.from_predictions(y_true, y_score, sample_weight=weight)
    repeated = np.repeat(y_true, weight), np.repeat(y_score, weight)
    assert value == pytest.approx(metric.from_predictions(*repeated), abs=1e-12)


@pytest.mark.parametrize("name", [*NAMES, WEIGHTED])
@pytest.mark.parametrize("n_digits", [0, 15])
def test_leading_axes_are_evaluated_one_by_one(name, n_digits):
    rng = np.random.default_rng(6)
    y_true = rng.integers(4, size=40)
    y_score = np.round(y_true + rng.normal(scale=2, size=40), n_digits)
    weights = rng.integers(0, 3, size=(4, 3, 40)) * rng.random((4, 3, 40))
    weights[0, 0, y_true == 1] = 0
    weights[1, 1, y_true > 0] = 0
    weights[2, 2] = 0
    scores, metric = OrdinalScores.from_scores(y_true, y_score), get_metric(name)
    values = metric(scores.reweighted(weights))
    assert values.shape == (4, 3)
    assert np.isnan(values[1, 1])
    assert np.isnan(values[2, 2])
    expected = [metric(scores.reweighted(w)) for w in weights.reshape(-1, 40)]
    np.testing.assert_allclose(values.ravel(), expected, rtol=1e-12)
    one = weights[3, 1] > 0
    alone = metric.from_predictions(y_true[one], y_score[one], sample_weight=weights[3, 1][one])
    assert values[3, 1] == pytest.approx(alone)


def test_areas_without_an_average_keep_leading_axes():
    rng = np.random.default_rng(7)
    y_true, y_score = rng.integers(4, size=30), rng.integers(9, size=30)
    weights = rng.random((2, 30))
    scores = OrdinalScores.from_scores(y_true, y_score).reweighted(weights)
    statistic = get_metric("threshold_roc_auc").statistic
    areas = statistic(scores, average=None)
    assert areas.shape == (2, 3)
    for row, weight in zip(areas, weights, strict=True):
        expected = [roc_auc_score(y_true > k, y_score, sample_weight=weight) for k in range(3)]
        np.testing.assert_allclose(row, expected)


@EACH_SCORE
def test_perfect_reversed_and_constant_scores(function):
    y_true = np.repeat([0, 1, 2, 3], [4, 1, 3, 2])
    assert function(y_true, y_true) == 1
    assert function(y_true, np.arange(10)) == 1
    assert function(y_true, -y_true) == 0
    chance = 1 / 24 if function is volume_under_surface_score else 0.5
    assert function(y_true, np.full(10, 0.3)) == pytest.approx(chance, rel=1e-12)


def test_the_ranking_error_is_the_rest_of_the_concordance():
    rng = np.random.default_rng(8)
    y_true, y_score = rng.integers(5, size=60), rng.integers(9, size=60)
    error = ranking_error(y_true, y_score)
    assert error + concordance_score(y_true, y_score) == pytest.approx(1)
    assert ranking_error(y_true, y_true) == 0


@EACH
def test_reversing_scale_and_scores_changes_nothing(function):
    expected = function(TRUE_B, FORECASTS_B)
    reversed_truth = 2 - np.array(TRUE_B)
    assert function(reversed_truth, FORECASTS_B[:, ::-1]) == pytest.approx(expected)


@EACH
def test_only_the_order_of_the_scores_counts(function):
    rng = np.random.default_rng(9)
    y_true, y_score = rng.integers(4, size=50), rng.integers(-5, 6, size=50)
    assert function(y_true, np.exp(y_score)) == function(y_true, y_score)
    assert function(y_true, y_score * 1e300 / 7) == function(y_true, y_score)
    assert function(y_true, y_score.astype(np.float32)) == function(y_true, y_score)


@pytest.mark.parametrize("function", [*SCORES, ranking_error, WEIGHTED])
def test_classes_without_samples_change_nothing(function):
    y_true, y_score = np.array(TRUE_B), FORECASTS_B @ [0, 1, 2]
    expected = function(y_true, y_score)
    assert function(2 * y_true + 1, y_score, labels=range(7)) == expected
    # A class whose samples have no weight.
    more = np.append(3 * y_true, [1, 5]), np.append(y_score, [0.3, 9])
    weight = np.append(np.ones(12), [0, 0])
    assert function(*more, sample_weight=weight, labels=range(7)) == pytest.approx(expected)


def test_each_threshold_is_shown_if_there_is_no_average():
    y_true, y_score = np.array(TRUE_B), FORECASTS_B @ [0, 1, 2]
    with pytest.warns(UndefinedMetricWarning, match="all samples on one side"):
        areas = threshold_roc_auc_score(2 * y_true, y_score, labels=range(6), average=None)
    np.testing.assert_allclose(areas, [0.6875, 0.6875, 0.78125, 0.78125, np.nan])
    areas = threshold_roc_auc_score(
        2 * y_true, y_score, labels=range(6), average=None, replace_undefined_by=0.5
    )
    assert areas[-1] == 0.5


@EACH
def test_a_single_class_has_no_ranking(function):
    with pytest.warns(UndefinedMetricWarning, match="y_true contains a single class"):
        assert np.isnan(function([1, 1], [0.1, 0.2], labels=[0, 1, 2]))
    assert function([1, 1], [0.1, 0.2], replace_undefined_by=0.5) == 0.5


@pytest.mark.parametrize("name", NAMES)
def test_values_are_within_the_bounds_for_very_unequal_weights(name):
    rng = np.random.default_rng(10)
    y_true = rng.integers(4, size=30)
    weights = 10 ** rng.uniform(-15, 0, (1_000, 30)) * (rng.random((1_000, 30)) < 0.7)
    for y_score in (y_true, -y_true, rng.random(30), np.round(rng.random(30), 1)):
        values = get_metric(name)(OrdinalScores.from_scores(y_true, y_score).reweighted(weights))
        assert np.nanmin(values) >= 0
        assert np.nanmax(values) <= 1


def test_small_weights_are_not_lost_beside_large_ones():
    # Differences of sums over all samples would lose the pairs of the small class.
    y_true, y_score = [0, 0, 1, 1, 2], [0, 3, 2, 1, 0]
    weight = [1, 1, 1e-18, 3e-18, 1e-18]
    pairwise = mean_pairwise_roc_auc_score(y_true, y_score, sample_weight=weight)
    assert pairwise == pytest.approx(np.mean([0.5, 0.25, 0]))
    areas = threshold_roc_auc_score(y_true, y_score, sample_weight=weight, average=None)
    np.testing.assert_allclose(areas, [(4 * 0.5 + 0.25) / 5, 0.25])


# --- input --------------------------------------------------------------------------------


@EACH
def test_probabilities_are_ranked_by_their_expected_position(function):
    expected = function(TRUE_A, np.round(FORECASTS_A @ [0, 1, 2], 12))
    assert function(TRUE_A, FORECASTS_A) == expected
    metric = get_metric(function)
    forecasts = OrdinalForecasts.from_probabilities(TRUE_A, FORECASTS_A)
    assert metric(forecasts) == metric(forecasts.to_scores()) == expected


def test_equal_expectations_are_tied_despite_rounding():
    # Both have expectation 0.9, up to the order of the additions.
    y_proba = [[0.4, 0.3, 0.3], [0.3, 0.5, 0.2]]
    assert concordance_score([0, 2], y_proba, labels=[0, 1, 2]) == 0.5


@EACH
def test_containers_columns_and_strings(function):
    grades = ["low", "mid", "high"]
    named = [grades[k] for k in TRUE_A]
    score = FORECASTS_A @ [0, 1, 2]
    expected = function(TRUE_A, score)
    assert function(named, score, labels=grades) == expected
    series = pd.Series(pd.Categorical(named, categories=grades, ordered=True))
    assert function(series, pd.DataFrame(score)) == expected
    assert function(series, pd.DataFrame(FORECASTS_A, columns=grades)) == expected
    assert type(function(TRUE_A, score)) is float


@EACH
@pytest.mark.parametrize(
    ("y_true", "y_score", "options", "message"),
    [
        (["a", "b"], [0, 1], {}, "y_true has string labels"),
        ([0, 1], [0, 1, 2], {}, "y_true and y_score must have the same length"),
        ([0, 1], [0, np.nan], {}, "y_score must be finite"),
        ([0, 1], ["a", "b"], {}, "y_score must hold numbers"),
        ([0, 1], [[0.5, 0.6], [0.5, 0.5]], {}, "y_score must have rows that add up to 1"),
        ([0, 5], [0, 1], {"labels": [0, 1]}, "y_true has classes that are not in labels"),
        ([0, 1], [0, 1], {"sample_weight": [1, -1]}, "sample_weight must not be negative"),
        ([0, 1], [0, 1], {"replace_undefined_by": "0"}, "replace_undefined_by must be a number"),
    ],
)
def test_wrong_input_is_an_error_that_names_the_argument(
    function, y_true, y_score, options, message
):
    with pytest.raises(ValueError, match=message):
        function(y_true, y_score, **options)


def test_the_average_is_one_of_two_or_none():
    with pytest.raises(ValueError, match=r"average must be one of .*'weighted'\) or None, got"):
        threshold_roc_auc_score([0, 1], [0, 1], average="micro")


# --- catalogue ----------------------------------------------------------------------------


def test_the_catalogue_knows_their_facts():
    for name in NAMES:
        metric = get_metric(name)
        assert metric.evidence.name == "scores"
        assert metric.bounds(5) == (0, 1)
        assert metric.ordinal_invariant
        assert metric.greater_is_better == (name != "ranking_error")
        assert metric.chance_level == (None if name == "volume_under_surface" else 0.5)
    assert get_metric("neg_ranking_error") == get_metric(ranking_error)


def test_a_metric_is_one_number():
    weighted = get_metric(WEIGHTED)
    assert weighted.name == "threshold_roc_auc(average='weighted')"
    assert weighted.from_predictions(TRUE_B, FORECASTS_B) == WEIGHTED(TRUE_B, FORECASTS_B)
    with pytest.raises(ValueError, match="threshold_roc_auc_score returns an array with average"):
        get_metric(partial(threshold_roc_auc_score, average=None))
