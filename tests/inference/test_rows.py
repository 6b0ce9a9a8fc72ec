"""Intervals and tests for criteria of probabilities and scores, checked against repeated rows."""

import itertools
import tracemalloc
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.special import expit
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal import OrdinalForecasts, get_metric, ordinal_metric
from sklearn_ordinal._core.catalogue import metrics_of
from sklearn_ordinal._core.evidence_kinds import PROBABILITIES, SCORES, resampling_units
from sklearn_ordinal._core.evidence_reading import read_systems
from sklearn_ordinal._core.resampling import UnitDraws
from sklearn_ordinal.inference import bootstrap_interval, paired_difference
from sklearn_ordinal.inference._bootstrap import accelerations_of, values_of
from sklearn_ordinal.metrics import (
    cem_ord_decision_score,
    concordance_score,
    ranked_probability_score,
    ranked_probability_skill_score,
)

METHODS = ["bca", "percentile", "basic"]
LABELS = range(4)
FUNCTIONS = {
    "ranked_probability_score": ranked_probability_score,
    "ranked_probability_skill": ranked_probability_skill_score,
    "cem_ord_decision": cem_ord_decision_score,
    "concordance": concordance_score,
}


def forecasts(n_samples=120, seed=0, n_systems=1):
    """Return true classes, and probabilities of each system that favour them."""
    rng = np.random.default_rng(seed)
    y_true = rng.binomial(3, 0.4, size=n_samples)
    distance = np.abs(np.arange(4) - y_true[:, None])
    systems = [rng.dirichlet(np.ones(4), n_samples) * np.exp(-distance) for _ in range(n_systems)]
    return y_true, *(system / system.sum(axis=1, keepdims=True) for system in systems)


def units(y_true, *systems, metric="ranked_probability_score", weight=None, clusters=None):
    named = dict(zip(["y_pred", "y_pred_b"], systems, strict=False))
    reading = {"labels": LABELS, "sample_weight": weight, "clusters": clusters}
    return resampling_units(read_systems([get_metric(metric)], y_true, named, reading))


def of_repeated_rows(function, y_true, predicted, times, weight=None):
    return function(
        np.repeat(y_true, times),
        np.repeat(predicted, times, axis=0),
        labels=LABELS,
        sample_weight=None if weight is None else np.repeat(weight, times),
    )


def losses(y_true, y_proba):
    """Return the ranked probability score of each row."""
    error = y_proba.cumsum(axis=1)[:, :-1] - (y_true[:, None] <= np.arange(y_proba.shape[1] - 1))
    return (error**2).sum(axis=1)


# --- draws -----------------------------------------------------------------------------


@pytest.mark.parametrize("n_units", [2, 3, 4])
def test_draws_are_as_likely_as_in_a_multinomial_distribution(n_units):
    drawn = UnitDraws(n_units)(np.random.default_rng(0), 200_000)
    outcomes, times = np.unique(drawn, axis=0, return_counts=True)
    probabilities = stats.multinomial(n_units, [1 / n_units] * n_units).pmf(outcomes)
    assert probabilities.sum() == pytest.approx(1)
    assert stats.chisquare(times, probabilities * len(drawn)).pvalue > 0.01


@pytest.mark.parametrize("n_units", [7, 40, 900, 30_000])
def test_how_often_a_unit_is_drawn_is_binomial(n_units):
    drawn = UnitDraws(n_units)(np.random.default_rng(1), 3_000_000 // n_units)
    np.testing.assert_array_equal(drawn.sum(axis=1, dtype=int), n_units)
    binomial = stats.binom(n_units, 1 / n_units)
    times = np.bincount(drawn.ravel(), minlength=6)
    # One class for all large numbers; the numbers of one resample depend on each other a little.
    times = np.array([*times[:5], times[5:].sum()])
    expected = drawn.size * np.array([*binomial.pmf(range(5)), binomial.sf(4)])
    assert stats.chisquare(times, expected * times.sum() / expected.sum()).pvalue > 0.01


def test_sums_over_the_draws_have_the_variance_of_a_resample():
    values = np.random.default_rng(0).exponential(size=500)
    sums = UnitDraws(500)(np.random.default_rng(1), 20_000) @ values
    assert sums.mean() == pytest.approx(values.sum(), abs=4 * sums.std() / np.sqrt(20_000))
    assert sums.var() == pytest.approx(500 * values.var(), rel=0.05)
    assert stats.skew(sums) == pytest.approx(stats.skew(values) / np.sqrt(500), abs=0.07)


@pytest.mark.parametrize("n_units", [2, 10, 100])
def test_units_are_drawn_alike_and_independently_in_each_resample(n_units):
    drawn = UnitDraws(n_units)(np.random.default_rng(2), 40_000).astype(float)
    standard_error = np.sqrt((1 - 1 / n_units) / len(drawn))
    np.testing.assert_allclose(drawn.mean(axis=0), 1, atol=4.5 * standard_error)
    neighbours = np.corrcoef(drawn[:, 0], drawn[:, 1])[0, 1]
    assert neighbours == pytest.approx(-1 / (n_units - 1), abs=0.02)
    assert np.corrcoef(drawn[1:, 0], drawn[:-1, 0])[0, 1] == pytest.approx(0, abs=0.02)


# --- values of resamples ---------------------------------------------------------------


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"clusters": np.arange(60) // 4},
        {"weight": np.arange(60) % 3 + 0.5},
        {"weight": np.arange(60) % 3, "clusters": np.arange(60) // 4},
    ],
    ids=lambda options: " and ".join(options) or "samples",
)
def test_a_resample_has_the_value_of_its_rows(name, options):
    y_true, y_proba = forecasts(60)
    weight, clusters = (options.get(key) for key in ("weight", "clusters"))
    resampled = units(y_true, y_proba, **options).resampled(np.random.default_rng(0), 20)
    for (stack,) in resampled:
        values = get_metric(name)(stack)
        assert values.shape == stack.weights.shape[:1]
        for value, weights in zip(values, stack.weights, strict=True):
            present = np.ones(60) if weight is None else weight
            times = np.rint(np.divide(weights, present, where=present > 0, out=np.zeros(60)))
            expected = of_repeated_rows(FUNCTIONS[name], y_true, y_proba, times.astype(int), weight)
            assert value == pytest.approx(expected, abs=1e-12)
            if clusters is None:
                assert times.sum() == (present > 0).sum()
                continue
            by_group = [set(times[(clusters == one) & (present > 0)]) for one in range(15)]
            assert all(len(found) == 1 for found in by_group)
            assert sum(map(sum, by_group)) == 15


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_interval_holds_quantiles_of_the_values_of_the_same_rows(name):
    y_true, y_proba = forecasts(80)
    found = bootstrap_interval(
        y_true,
        y_proba,
        name,
        labels=LABELS,
        n_resamples=99,
        method="percentile",
        random_state=np.random.default_rng(5),
    )
    times = UnitDraws(80)(np.random.default_rng(5), 99)
    values = [of_repeated_rows(FUNCTIONS[name], y_true, y_proba, each) for each in times]
    assert found.estimate == pytest.approx(FUNCTIONS[name](y_true, y_proba, labels=LABELS))
    assert [found.low, found.high] == pytest.approx(np.quantile(values, [0.025, 0.975]))


@pytest.mark.parametrize("options", [{}, {"clusters": [0, 0, 0, 1, 2, 2, 2, 3]}])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_acceleration_matches_leaving_out_each_row_or_group(name, options):
    y_true, y_proba = forecasts(8)
    group = np.asarray(options.get("clusters", np.arange(8)))
    left_out = np.array(
        [
            of_repeated_rows(FUNCTIONS[name], y_true, y_proba, (group != one).astype(int))
            for one in np.unique(group)
        ]
    )
    deviations = left_out.mean() - left_out
    acceleration = (deviations**3).sum() / (deviations**2).sum() ** 1.5 / 6
    samples = units(y_true, y_proba, **options)
    values = values_of([get_metric(name)], samples.without_one())
    assert accelerations_of(values, samples)[0] == pytest.approx(acceleration)


def test_the_acceleration_of_many_rows_is_estimated_from_blocks():
    y_true, y_proba = forecasts(20_000)
    # Skewed losses, in the order of their size: blocks of neighbours would differ too much.
    order = np.argsort(losses(y_true, y_proba))
    y_true, y_proba = y_true[order], y_proba[order]
    samples = units(y_true, y_proba)
    values = values_of([get_metric("ranked_probability_score")], samples.without_one())
    assert values.shape == (1, 1, 500)
    expected = stats.skew(losses(y_true, y_proba)) / np.sqrt(20_000) / 6
    found = accelerations_of(values, samples)[0]
    # The standard error for normal values, sqrt(15 / 500) / 6 / sqrt(500), moves an end of the
    # interval by less than 9,999 resamples do.
    assert found == pytest.approx(expected, abs=3 * np.sqrt(15) / 500 / 6)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n_samples", [40, 1_200])
def test_interval_matches_scipy_on_rows(method, n_samples):
    y_true, y_proba = forecasts(n_samples)
    by_rows = stats.bootstrap(
        (losses(y_true, y_proba),),
        np.mean,
        n_resamples=5_000,
        method=method,
        random_state=np.random.default_rng(1),
    )
    found = bootstrap_interval(
        y_true,
        y_proba,
        ranked_probability_score,
        labels=LABELS,
        method=method,
        n_resamples=5_000,
        random_state=0,
    )
    tolerance = 0.15 * by_rows.standard_error
    assert found.low == pytest.approx(by_rows.confidence_interval.low, abs=tolerance)
    assert found.high == pytest.approx(by_rows.confidence_interval.high, abs=tolerance)


@pytest.mark.parametrize("method", METHODS)
def test_a_sample_of_weight_n_counts_as_a_group_of_n_copies(method):
    y_true, y_proba = forecasts()
    weight = np.arange(120) % 3
    options = {"metrics": list(FUNCTIONS), "labels": LABELS, "method": method, "random_state": 0}
    weighted = bootstrap_interval(y_true, y_proba, sample_weight=weight, n_resamples=200, **options)
    repeated = bootstrap_interval(
        np.repeat(y_true, weight),
        np.repeat(y_proba, weight, axis=0),
        clusters=np.repeat(np.arange(120), weight),
        n_resamples=200,
        **options,
    )
    for name, interval in weighted.items():
        ends = repeated[name].estimate, repeated[name].low, repeated[name].high
        assert (interval.estimate, interval.low, interval.high) == pytest.approx(ends)


def test_samples_of_weight_zero_are_left_out():
    y_true, y_proba = forecasts()
    weight = np.tile([1.0, 2.0, 0.0], 40)
    options = {"metrics": list(FUNCTIONS), "labels": LABELS, "n_resamples": 99, "random_state": 0}
    every = bootstrap_interval(y_true, y_proba, sample_weight=weight, **options)
    kept = weight > 0
    few = bootstrap_interval(y_true[kept], y_proba[kept], sample_weight=weight[kept], **options)
    for name in FUNCTIONS:
        assert (every[name].low, every[name].high) == pytest.approx((few[name].low, few[name].high))


# --- differences -----------------------------------------------------------------------


def exact_pvalue(function, y_true, first, second, weight, clusters):
    """Share of all ways to swap predictions of units that give at least the observed difference."""
    distinct = np.unique(clusters)

    def difference(exchanged):
        is_swapped = np.isin(clusters, distinct[list(exchanged)])
        is_swapped = is_swapped[:, None] if first.ndim == 2 else is_swapped
        pairs = (first, second), (second, first)
        values = [
            function(y_true, np.where(is_swapped, b, a), labels=LABELS, sample_weight=weight)
            for a, b in pairs
        ]
        return abs(values[0] - values[1])

    differences = np.array(
        [
            difference(exchanged)
            for size in range(len(distinct) + 1)
            for exchanged in itertools.combinations(range(len(distinct)), size)
        ]
    )
    return np.mean(differences > differences[0] - 1e-9)


def ranks_of_positions(proba, weight):
    """Return the weight of the samples below each expected position, and half of that at it."""
    position = (proba @ np.arange(4)).round(12)
    weight = np.ones(len(position)) if weight is None else weight
    ranks = [weight[position < p].sum() + weight[position == p].sum() / 2 for p in position]
    return np.array(ranks)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"clusters": np.array([0, 0, 1, 1, 2, 3, 3, 4])},
        {"sample_weight": np.array([1, 1, 2, 1, 3, 0.5, 1, 2])},
        {"sample_weight": np.array([1, 1, 2, 1, 3, 0, 1, 2]), "clusters": np.arange(8) // 2},
    ],
    ids=lambda options: " and ".join(options) or "samples",
)
def test_pvalue_matches_enumerating_all_swaps_of_rows(name, options):
    y_true, first, second = forecasts(8, seed=3, n_systems=2)
    weight = options.get("sample_weight")
    exchanged = first, second
    if name == "concordance":
        exchanged = [ranks_of_positions(proba, weight) for proba in exchanged]
    clusters = options.get("clusters", np.arange(8))
    exact = exact_pvalue(FUNCTIONS[name], y_true, *exchanged, weight, clusters)
    n_trials = 2_000
    found = paired_difference(
        y_true,
        first,
        second,
        name,
        labels=LABELS,
        n_resamples=n_trials,
        random_state=0,
        **options,
    )
    assert found.pvalue == pytest.approx(exact, abs=5 * np.sqrt(exact / n_trials))
    values = [
        FUNCTIONS[name](y_true, system, labels=LABELS, sample_weight=weight)
        for system in (first, second)
    ]
    assert found.estimate == pytest.approx(values[0] - values[1])


@pytest.mark.parametrize("method", METHODS)
def test_interval_of_a_difference_matches_scipy_on_rows(method):
    y_true, first, second = forecasts(200, n_systems=2)
    difference = losses(y_true, first) - losses(y_true, second)
    by_rows = stats.bootstrap(
        (difference,),
        np.mean,
        n_resamples=5_000,
        method=method,
        random_state=np.random.default_rng(1),
    )
    found = paired_difference(
        y_true,
        first,
        second,
        "neg_ranked_probability_score",
        labels=LABELS,
        method=method,
        n_resamples=5_000,
        random_state=0,
    )
    tolerance = 0.15 * by_rows.standard_error
    assert found.low == pytest.approx(by_rows.confidence_interval.low, abs=tolerance)
    assert found.high == pytest.approx(by_rows.confidence_interval.high, abs=tolerance)
    by_rows = stats.permutation_test(
        (losses(y_true, first), losses(y_true, second)),
        lambda a, b, axis: a.mean(axis=axis) - b.mean(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=5_000,
        random_state=np.random.default_rng(1),
    )
    assert found.pvalue == pytest.approx(by_rows.pvalue, abs=0.03)
    assert found.favours == ("first" if difference.mean() < 0 else "second")


def scores(n_samples=80, seed=0):
    rng = np.random.default_rng(seed)
    y_true = rng.integers(4, size=n_samples)
    return y_true, *(y_true + rng.normal(scale=1.5, size=(2, n_samples)))


def test_scores_are_exchanged_by_their_ranks():
    y_true, first, second = scores(9)
    ranks = stats.rankdata(first), stats.rankdata(second)
    exact = exact_pvalue(concordance_score, y_true, *ranks, None, np.arange(9))
    n_trials = 2_000
    options = {"labels": LABELS, "n_resamples": n_trials, "random_state": 0}
    found = paired_difference(y_true, first, second, "concordance", **options)
    assert found.pvalue == pytest.approx(exact, abs=5 * np.sqrt(exact / n_trials))
    # The values of two decision functions may be on different scales.
    assert paired_difference(y_true, first, 1000 * second + 70, "concordance", **options) == found
    assert paired_difference(y_true, expit(first), second, "concordance", **options) == found


def test_expected_positions_are_exchanged_by_their_ranks_as_the_same_scores_are():
    y_true, *probabilities = forecasts(8, n_systems=2)
    positions = [(proba @ np.arange(4)).round(12) for proba in probabilities]
    ranks = map(stats.rankdata, positions)
    exact = exact_pvalue(concordance_score, y_true, *ranks, None, np.arange(8))
    options = {"labels": LABELS, "n_resamples": 2_000, "random_state": 0}
    found = paired_difference(y_true, *probabilities, "concordance", **options)
    assert found.pvalue == pytest.approx(exact, abs=5 * np.sqrt(exact / 2_000))
    assert found == paired_difference(y_true, *positions, "concordance", **options)
    # Whatever other metrics are evaluated.
    both = ["ranked_probability_score", "concordance"]
    assert found == paired_difference(y_true, *probabilities, both, **options)["concordance"]


def test_ranks_of_weighted_scores_are_those_of_repeated_ones():
    y_true, first, second = scores(30)
    first, second = first.round(), second.round(1)
    weight = np.arange(30) % 3 + 1
    options = {"metrics": "concordance", "labels": LABELS, "n_resamples": 300, "random_state": 0}
    weighted = paired_difference(y_true, first, second, sample_weight=weight, **options)
    rows = (np.repeat(column, weight) for column in (y_true, first, second))
    repeated = paired_difference(*rows, clusters=np.repeat(np.arange(30), weight), **options)
    assert weighted.pvalue == repeated.pvalue
    assert weighted.low == pytest.approx(repeated.low)


def test_scores_keep_their_values_for_metrics_that_depend_on_them():
    y_true, first, second = scores(9)

    def error(y_true, y_score, **_):
        return np.abs(y_score - y_true).mean()

    @ordinal_metric(evidence="scores", greater_is_better=False)
    def distance_of_scores(scores):
        return scores.mean(np.abs(scores.y_score - scores.y_true))

    exact = exact_pvalue(error, y_true, first, second, None, np.arange(9))
    found = paired_difference(
        y_true, first, second, distance_of_scores, labels=LABELS, n_resamples=5_000, random_state=0
    )
    assert found.estimate == pytest.approx(error(y_true, first) - error(y_true, second))
    assert found.pvalue == pytest.approx(exact, abs=5 * np.sqrt(exact / 5_000))


def test_scores_are_compared_with_expected_positions():
    y_true, y_proba = forecasts()
    score = (y_proba @ np.arange(4)).round(12)
    options = {"metrics": "concordance", "labels": LABELS, "n_resamples": 99, "random_state": 0}
    found = paired_difference(y_true, y_proba, score, **options)
    assert (found.estimate, found.low, found.high, found.pvalue) == (0, 0, 0, 1)


# --- kinds of predictions --------------------------------------------------------------


def test_metrics_of_probabilities_and_scores_share_their_resamples():
    y_true, first, second = forecasts(n_systems=2)
    options = {"labels": LABELS, "n_resamples": 200, "random_state": 0}
    found = bootstrap_interval(y_true, first, list(FUNCTIONS), **options)
    differences = paired_difference(y_true, first, second, list(FUNCTIONS), **options)
    for name in FUNCTIONS:
        assert found[name] == bootstrap_interval(y_true, first, name, **options)
        assert differences[name] == paired_difference(y_true, first, second, name, **options)
    score = OrdinalForecasts.from_probabilities(y_true, first, labels=LABELS).to_scores().y_score
    assert found["concordance"] == bootstrap_interval(y_true, score, "concordance", **options)


def test_all_stands_for_the_metrics_that_take_the_predictions():
    y_true, y_proba = forecasts(40)
    found = bootstrap_interval(
        y_true, y_proba, "all", labels=LABELS, n_resamples=20, method="percentile", random_state=0
    )
    assert list(found) == list(metrics_of(PROBABILITIES, SCORES))
    options = {"metrics": "all", "labels": LABELS, "n_resamples": 5, "method": "percentile"}
    for rows in (y_proba.tolist(), list(y_proba), pd.DataFrame(y_proba)):
        assert list(bootstrap_interval(y_true, rows, **options)) == list(found)


def test_containers_and_labels_of_any_type_give_the_same_interval():
    y_true, y_proba = forecasts(50)
    names = ["low", "mid", "high", "top"]
    options = {"metrics": list(FUNCTIONS), "n_resamples": 50, "random_state": 0}
    expected = bootstrap_interval(y_true, y_proba, labels=LABELS, **options)
    frame = pd.DataFrame(y_proba, columns=names)
    strings = pd.Series(np.array(names)[y_true])
    assert bootstrap_interval(strings, frame, labels=names, **options) == expected
    assert bootstrap_interval(strings.tolist(), y_proba.tolist(), labels=names, **options) == (
        expected
    )
    with pytest.raises(ValueError, match="y_pred has columns named"):
        bootstrap_interval(strings, frame[names[::-1]], labels=names, **options)


@pytest.mark.parametrize(
    "options", [{}, {"sample_weight": np.linspace(0.1, 1, 120)}, {"clusters": np.arange(120) // 5}]
)
def test_the_same_seed_gives_the_same_interval(options):
    def interval(random_state):
        return bootstrap_interval(
            *forecasts(),
            "ranked_probability_score",
            labels=LABELS,
            n_resamples=200,
            random_state=random_state,
            **options,
        )

    assert interval(1) == interval(1)
    assert interval(1) != interval(2)
    assert interval(np.random.default_rng(1)) == interval(np.random.default_rng(1))


def test_undefined_resamples_are_left_out_and_counted():
    with pytest.warns(UndefinedMetricWarning, match=r"concordance for 3,\d\d\d of 9,999 resam"):
        found = bootstrap_interval([0, 1, 1, 1], [0, 1, 2, 3], "concordance", random_state=0)
    # Undefined if none or all of the samples are of class 0.
    assert found.n_undefined / 9999 == pytest.approx(0.75**4 + 0.25**4, abs=0.02)
    assert (found.low, found.high) == (1, 1)


def test_an_undefined_difference_has_an_undefined_interval_and_pvalue():
    with pytest.warns(UndefinedMetricWarning, match="concordance for these samples") as record:
        found = paired_difference([1, 1], [0, 1], [1, 2], "concordance", random_state=0)
    assert np.isnan([found.estimate, found.low, found.high, found.pvalue]).all()
    assert record[0].filename == __file__


@pytest.mark.parametrize("function", [bootstrap_interval, paired_difference])
def test_no_array_is_larger_than_four_times_the_probabilities(function):
    y_true, *systems = forecasts(100_000, n_systems=2)
    systems = systems[: 1 if function is bootstrap_interval else 2]
    size = systems[0].nbytes
    tracemalloc.start()
    try:
        function(
            y_true,
            *systems,
            "ranked_probability_score",
            labels=LABELS,
            n_resamples=5,
            random_state=0,
            method="bca" if len(systems) == 1 else "percentile",
        )
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # All arrays together; two systems are kept separately and joined.
    assert peak < 4 * size * len(systems)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"metrics": ["ranked_probability_score", "cem_ord"]},
            "cem_ord takes predicted classes and r",
        ),
        ({"unanswered": "count"}, "unanswered must be left out for probabilities, got 'count'"),
        ({"y_pred": [0, 1, 2]}, r"^y_pred must have shape \(n_samples, n_classes\), got \(3,\)"),
        ({"y_pred": np.eye(3)[:, :2]}, "y_pred must have a column for each of the 3 classes"),
        ({"y_pred": np.eye(3) / 2}, "y_pred must have rows that add up to 1: row 0 adds up to 0.5"),
        ({"y_pred": [["a"] * 3] * 3}, "y_pred must hold numbers"),
        ({"y_true": [0, 1, 2, 2]}, "same length"),
        ({"labels": [0, 1]}, "y_true has classes that are not in labels"),
        (
            {"clusters": [1, 1, 1]},
            "clusters must have at least 2 values for samples of positive weight, got 1",
        ),
        ({"clusters": [1, 2]}, "clusters must have a value for each of the 3 samples, got 2"),
        (
            {"sample_weight": [0, 0, 2]},
            "y_true must have at least 2 samples of positive weight, got 1",
        ),
        ({"sample_weight": [1, -1, 2]}, "sample_weight must not be negative"),
    ],
)
def test_errors_name_the_argument_and_what_was_found(options, message):
    arguments = {
        "y_true": [0, 1, 2],
        "y_pred": np.eye(3),
        "metrics": "ranked_probability_score",
        **options,
    }
    with pytest.raises(ValueError, match=message):
        bootstrap_interval(**arguments)


def test_errors_name_the_system():
    with pytest.raises(ValueError, match=r"^y_pred_b must have rows that add up to 1"):
        paired_difference([0, 1], np.eye(2), np.eye(2) / 2, "ranked_probability_score")
    with pytest.raises(ValueError, match=r"^y_pred_b must be finite"):
        paired_difference([0, 1], [0, 1], [0, np.nan], "concordance")


def test_clusters_in_another_order_raise():
    y_true = pd.Series([0, 1, 2], index=[5, 6, 7])
    with pytest.raises(ValueError, match="y_true and clusters have the same index in different"):
        bootstrap_interval(
            y_true,
            np.eye(3),
            "ranked_probability_score",
            clusters=pd.Series([1, 2, 3], index=[7, 6, 5]),
        )


def test_a_reference_with_a_row_for_each_sample_is_exchanged_with_the_predictions():
    y_true, first, second, reference = forecasts(60, n_systems=3)
    skill = partial(ranked_probability_skill_score, reference=reference)
    options = {"labels": LABELS, "n_resamples": 500, "random_state": 0}
    found = paired_difference(y_true, first, second, skill, **options)
    values = [skill(y_true, system, labels=LABELS) for system in (first, second)]
    assert found.estimate == pytest.approx(values[0] - values[1])
    # The score of the reference is the same whatever is exchanged.
    by_score = paired_difference(y_true, first, second, "ranked_probability_score", **options)
    assert found.pvalue == by_score.pvalue
    assert found.favours == by_score.favours


def test_metrics_with_options_are_taken():
    y_true, y_proba = forecasts()
    halved = partial(ranked_probability_score, normalize=True)
    options = {"labels": LABELS, "n_resamples": 50, "random_state": 0}
    found = bootstrap_interval(y_true, y_proba, [ranked_probability_score, halved], **options)
    one, other = found.values()
    assert (other.low, other.high) == pytest.approx((one.low / 3, one.high / 3))
