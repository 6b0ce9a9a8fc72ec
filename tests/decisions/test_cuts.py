"""The search for cuts, checked by trying all of them."""

import itertools
from fractions import Fraction
from functools import cache, partial

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import cohen_kappa_score, make_scorer

from sklearn_ordinal import OrdinalConfusion, OrdinalScale, get_metric
from sklearn_ordinal.decisions._cuts import ClassesByScore, TunedCuts, exact_cuts, starting_cuts
from sklearn_ordinal.metrics import cem_ord_score, expected_cost_loss

LINEAR = [
    "cem_ord",
    "cem_ord_flat",
    "accuracy",
    "balanced_accuracy",
    "within_1_accuracy",
    "neg_ordinal_mean_absolute_error",
    "ordinal_mean_squared_error",
    "macro_averaged_mean_absolute_error",
]
RATIOS = ["quadratic_weighted_kappa", "linear_weighted_kappa", "cem_ord_adjusted"]
OTHERS = [
    "f1_macro",
    "geometric_mean",
    "minimum_sensitivity",
    "maximum_mean_absolute_error",
    "kendall_tau_b",
    "scott_pi",
]


def samples(seed, n_samples=16, n_classes=4, *, ties=False, weighted=False):
    """Return positions, scores and weights of few samples, whose scores are informative."""
    rng = np.random.default_rng(seed)
    y = rng.integers(n_classes, size=n_samples)
    scores = y + 1.2 * rng.normal(size=n_samples)
    if ties:
        scores = np.round(2 * scores) / 2
    return y, scores, rng.integers(4, size=n_samples) / 2 if weighted else None


def search(y, scores, weights, metric, n_classes=4, n_thresholds=200):
    classes = ClassesByScore.from_scores(y, scores, n_classes, weights)
    scale = OrdinalScale.from_run(0, n_classes)
    return TunedCuts.search(classes, get_metric(metric), scale, n_thresholds)


def best_of_all(y, scores, weights, metric, n_classes=4):
    """Return the best value over all places of all cuts, counted from predicted labels."""
    metric = get_metric(metric)
    weights = np.ones(len(y)) if weights is None else weights
    stack = counts_of_all_cuts(tuple(y), tuple(scores), tuple(weights), n_classes)
    values = metric(stack) if metric.greater_is_better else -metric(stack)
    return np.nanmax(values)


@cache
def counts_of_all_cuts(*data):
    """Return the counts for all places of all cuts, which take longer than their values."""
    *columns, n_classes = data
    y, scores, weights = map(np.array, columns)
    used = weights > 0
    places = [-np.inf, *np.unique(scores[used])[1:], np.inf]
    occurring = np.unique(y[used])
    predictions = {
        tuple(occurring[np.searchsorted(cuts, scores, side="right")])
        for cuts in itertools.combinations_with_replacement(places, len(occurring) - 1)
    }
    counts = np.zeros((len(predictions), n_classes, n_classes))
    for of_cuts, y_pred in zip(counts, predictions, strict=True):
        np.add.at(of_cuts, (y, np.array(y_pred)), weights)
    return OrdinalConfusion.from_counts(counts)


@pytest.mark.parametrize("metric", LINEAR)
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_cuts_by_criteria_that_are_linear_in_the_counts_are_the_best_of_all(metric, ties, weighted):
    for seed in range(4):
        data = samples(seed, ties=ties, weighted=weighted)
        assert search(*data, metric).score == pytest.approx(best_of_all(*data, metric))


@pytest.mark.parametrize("metric", RATIOS)
@pytest.mark.parametrize("weighted", [False, True])
def test_cuts_by_ratios_of_linear_criteria_are_the_best_of_all(metric, weighted):
    for seed in range(8):
        data = samples(seed, ties=seed % 2 == 0, weighted=weighted)
        assert search(*data, metric).score == pytest.approx(best_of_all(*data, metric))


def test_other_criteria_are_never_worse_than_a_start_and_rarely_below_the_best_of_all():
    n_best, n_searches = 0, 0
    for metric, seed in itertools.product(OTHERS, range(10)):
        y, scores, weights = samples(seed, n_samples=14, ties=seed % 2 == 0)
        found = search(y, scores, weights, metric)
        starts = found.gain(found.classes.counts(np.stack(starting_cuts(found.classes))))
        assert found.score >= starts.max() - 1e-12
        n_searches += 1
        n_best += bool(found.score >= best_of_all(y, scores, weights, metric) - 1e-9)
    # Moving one cut at a time from a single start finds the best in 84% of such searches.
    assert n_best >= 0.95 * n_searches


@pytest.mark.parametrize("metric", ["cem_ord", "quadratic_weighted_kappa"])
def test_few_thresholds_do_not_limit_what_is_found_exactly(metric):
    data = samples(3, n_samples=30)
    assert search(*data, metric, n_thresholds=1).score == pytest.approx(search(*data, metric).score)


@pytest.mark.parametrize("metric", ["cem_ord", "f1_macro"])
@pytest.mark.parametrize("transformation", [np.exp, np.cbrt, lambda x: 1e-9 * x - 5])
def test_a_monotone_transformation_of_the_score_changes_no_prediction(metric, transformation):
    y, scores, _ = samples(1, n_samples=60)
    found = search(y, scores, None, metric)
    other = search(y, transformation(scores), None, metric)
    np.testing.assert_array_equal(
        np.searchsorted(found.thresholds, scores, side="right"),
        np.searchsorted(other.thresholds, transformation(scores), side="right"),
    )


@given(
    rows=st.lists(
        st.tuples(st.integers(0, 2), st.integers(-4, 4), st.integers(0, 3)), min_size=1, max_size=12
    ).filter(lambda rows: any(weight for *_, weight in rows)),
    metric=st.sampled_from(["cem_ord", "quadratic_weighted_kappa", "f1_macro"]),
)
def test_weights_act_as_repetitions_and_zero_as_absence(rows, metric):
    y, scores, weights = map(np.array, zip(*rows, strict=True))
    repeated = np.repeat(np.arange(len(y)), weights)
    of_weights = search(y, scores.astype(float), weights.astype(float), metric, n_classes=3)
    of_rows = search(y[repeated], scores[repeated].astype(float), None, metric, n_classes=3)
    np.testing.assert_array_equal(of_weights.thresholds, of_rows.thresholds)
    np.testing.assert_array_equal(of_weights.unused, of_rows.unused)
    assert of_weights.score == pytest.approx(of_rows.score, nan_ok=True)


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.floats(allow_nan=False, allow_infinity=False)),
        min_size=1,
        max_size=12,
    )
)
@example([(0, np.finfo(float).max)])
def test_the_thresholds_separate_the_scores_that_the_counts_separate(rows):
    y, scores = map(np.array, zip(*rows, strict=True))
    found = search(y, scores, None, "accuracy")
    predicted = np.searchsorted(found.thresholds + found.unused, scores, side="right")
    counts = OrdinalConfusion.from_predictions(y, predicted, labels=range(4)).counts
    occurs = np.flatnonzero(found.gain.occurs)
    np.testing.assert_array_equal(counts[np.ix_(occurs, occurs)], found.classes.counts(found.cuts))
    assert get_metric("accuracy")(OrdinalConfusion.from_counts(counts)) == pytest.approx(
        found.score
    )


@st.composite
def samples_and_large_costs(draw, unit=1):
    """Return positions, scores, weights, and costs, some of which are large."""
    K = draw(st.integers(2, 5))
    rows = draw(
        st.lists(
            st.tuples(st.integers(0, K - 1), st.integers(0, 6), st.integers(1, 3)),
            min_size=1,
            max_size=7,
        )
    )
    y, scores, weights = map(np.array, zip(*rows, strict=True))
    costs = unit * draw(arrays(np.float64, (K, K), elements=st.integers(0, 5)))
    is_large = draw(arrays(np.bool_, (K, K)))
    large = 10.0 ** draw(st.integers(3, 15))
    costs = np.where(is_large, costs * draw(st.booleans()) + large, costs)
    return y, scores.astype(float), unit * weights, costs


def all_cuts(y, scores, weights, costs):
    """Return the total cost of every vector of cuts, in rational arithmetic."""
    places = np.searchsorted(np.unique(scores), scores)
    costs = [[Fraction(cost) for cost in row] for row in costs.tolist()]
    weights = [Fraction(weight) for weight in weights.tolist()]
    totals = {}
    for cuts in itertools.combinations_with_replacement(range(places.max() + 2), len(costs) - 1):
        predicted = np.searchsorted(cuts, places, side="right")
        samples = zip(y, predicted, weights, strict=True)
        totals[cuts] = sum(weight * costs[true][pred] for true, pred, weight in samples)
    return totals


@settings(max_examples=60)
@given(samples_and_large_costs())
def test_cuts_with_large_costs_are_the_lowest_of_the_best_in_rational_arithmetic(data):
    y, scores, weights, costs = data
    totals = all_cuts(y, scores, weights, costs)
    best = [cuts for cuts, total in totals.items() if total == min(totals.values())]
    classes = ClassesByScore.from_scores(y, scores, len(costs), weights)
    np.testing.assert_array_equal(exact_cuts(classes, -costs), np.min(best, axis=0))


@settings(max_examples=60)
@given(samples_and_large_costs(unit=0.1))
def test_cuts_with_rounded_costs_are_tied_with_the_best_in_rational_arithmetic(data):
    y, scores, weights, costs = data
    totals = all_cuts(y, scores, weights, costs)
    best = min(totals, key=totals.get)
    classes = ClassesByScore.from_scores(y, scores, len(costs), weights)
    cuts = exact_cuts(classes, -costs)
    places = np.searchsorted(np.unique(scores), scores)
    theirs, ours = (costs[y, np.searchsorted(c, places, side="right")] for c in (best, cuts))
    # Costs of 0.30000000000000004 and 0.3 are equal.
    tolerance = 2.0**-40 * weights @ np.abs(ours - theirs) + 1e-15 * weights @ theirs
    assert float(totals[tuple(cuts.tolist())] - totals[best]) <= tolerance


@pytest.mark.parametrize("large", [1e3, 1e9, 1e12, 1e15])
def test_a_cost_that_is_never_incurred_does_not_move_the_cuts(large):
    costs = np.abs(np.subtract.outer(range(3), range(3))).astype(float)
    costs[0, 2] = large
    metric = partial(expected_cost_loss, cost_matrix=costs)
    y, scores = np.array([0, 0, 1, 1, 2, 2]), np.arange(6.0)
    found = search(y, scores, None, metric, n_classes=3)
    assert found.cuts.tolist() == [2, 4]
    # Nor do ties of costs with rounding errors.
    found = search(y, scores, np.full(6, 0.1), metric, n_classes=3)
    assert found.cuts.tolist() == [2, 4]


def test_weights_with_rounding_errors_leave_ties_to_the_lowest_cuts():
    y, scores = np.tile([1, 0], 500), np.arange(1000.0)
    costs = np.array([[0, 0.1, 1e12], [0.1, 0, 1e12], [0, 0, 0]])
    for weight in (1, 0.1, 1 / 3):
        classes = ClassesByScore.from_scores(y, scores, 3, np.full(1000, weight))
        assert exact_cuts(classes, -costs).tolist() == [0, 1000]


def test_thresholds_are_midway_between_neighbours_and_just_beyond_the_ends():
    classes = ClassesByScore.from_scores(np.array([0, 1, 1]), np.array([1.0, 2.0, 5.0]), 2)
    assert classes.thresholds(np.arange(4)).tolist() == [1, 1.5, 3.5, np.nextafter(5, 6)]


def test_a_threshold_between_adjacent_floats_separates_them():
    low, high = 1.0, np.nextafter(1.0, 2)
    classes = ClassesByScore.from_scores(np.array([0, 1]), np.array([low, high]), 2)
    assert low < classes.thresholds(np.array(1)) <= high


def test_the_lowest_of_equally_good_cuts_are_taken():
    # Accuracy is 2/3 with the cut below all scores and between the last two.
    found = search(np.array([1, 0, 1]), np.array([0.0, 1.0, 2.0]), None, "accuracy", n_classes=2)
    assert found.cuts.tolist() == [0]
    # Rounding of the sums of weights does not decide.
    weights = np.array([0.1 + 0.2, 0.3, 0.1])
    found = search(np.array([1, 0, 1]), np.arange(3.0), weights, "accuracy", n_classes=2)
    assert found.cuts.tolist() == [0]


def test_a_class_without_samples_is_never_predicted():
    y = np.array([1, 1, 3, 3])
    found = search(y, np.array([0.0, 1.0, 2.0, 3.0]), None, "cem_ord", n_classes=6)
    assert (found.thresholds + found.unused).tolist() == [-np.inf, 1.5, 1.5, np.inf, np.inf]
    assert found.score == 1


def test_a_constant_score_gives_the_best_constant():
    y = np.array([0, 0, 1, 2, 2, 2])
    found = search(y, np.zeros(6), None, "accuracy", n_classes=3)
    assert found.score == 0.5
    assert np.searchsorted(found.thresholds, 0.0, side="right") == 2


def test_along_each_cut_the_others_are_fixed_and_the_best_is_at_the_cut():
    y, scores, _ = samples(2, n_samples=30)
    found = search(y, scores, None, "neg_ordinal_mean_absolute_error")
    thresholds, values = found.along_cuts(200)
    for position in range(3):
        assert found.thresholds[position] in thresholds[position]
        assert values[position].max() == pytest.approx(found.score)
        for threshold, value in zip(thresholds[position], values[position], strict=True):
            cuts = found.thresholds.copy()
            cuts[position] = threshold
            assert (np.diff(cuts) >= 0).all()
            predicted = np.searchsorted(cuts, scores, side="right")
            assert value == pytest.approx(-np.abs(y - predicted).mean())


def share_of_exact_score(y_true, y_pred):
    return np.mean(y_true == y_pred)


@pytest.mark.parametrize(
    ("criterion", "the_same"),
    [
        ("matthews_corrcoef", "matthews_corrcoef"),
        (make_scorer(cohen_kappa_score, weights="quadratic"), "quadratic_weighted_kappa"),
        (partial(cem_ord_score, labels=[0, 1, 2]), "cem_ord"),
        (share_of_exact_score, "accuracy"),
    ],
)
def test_criteria_that_are_evaluated_on_rows_can_be_maximised(criterion, the_same):
    data = samples(0, n_samples=12, n_classes=3)
    found = search(*data, criterion, n_classes=3)
    assert found.score == pytest.approx(best_of_all(*data, the_same, n_classes=3))
