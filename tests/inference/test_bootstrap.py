"""Bootstrap intervals, checked against resampling the rows."""

import itertools
import tracemalloc
from collections import Counter
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import cohen_kappa_score

from sklearn_ordinal import metrics
from sklearn_ordinal._core.catalogue import metrics_of
from sklearn_ordinal._core.evidence_kinds import LABELS
from sklearn_ordinal._core.lookup import get_metric
from sklearn_ordinal.inference import Interval, bootstrap_interval
from sklearn_ordinal.inference._bootstrap import accelerations_of, values_of
from tests.inference.units import count_units

METRICS = metrics_of(LABELS)

METHODS = ["bca", "percentile", "basic"]
N_ROW_RESAMPLES = 5_000


def predictions(n_samples=240, n_classes=4, seed=0):
    rng = np.random.default_rng(seed)
    y_true = rng.binomial(n_classes - 1, 0.35, size=n_samples)
    error = rng.choice([-1, 0, 0, 1, 2], size=n_samples)
    return y_true, np.clip(y_true + error, 0, n_classes - 1)


def accuracy_of_rows(y_true, y_pred, axis=-1):
    return (y_true == y_pred).mean(axis=axis)


def mae_of_rows(y_true, y_pred, axis=-1):
    return np.abs(y_true - y_pred).mean(axis=axis)


def assert_close_in_standard_errors(interval, low, high, standard_error, tolerance=0.25):
    assert abs(interval.low - low) < tolerance * standard_error
    assert abs(interval.high - high) < tolerance * standard_error


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("name", "of_rows"),
    [("accuracy", accuracy_of_rows), ("ordinal_mean_absolute_error", mae_of_rows)],
)
def test_interval_matches_scipy_on_rows(name, of_rows, method):
    y_true, y_pred = predictions()
    by_rows = stats.bootstrap(
        (y_true, y_pred),
        of_rows,
        paired=True,
        n_resamples=N_ROW_RESAMPLES,
        method=method,
        random_state=np.random.default_rng(1),
    )
    interval = bootstrap_interval(y_true, y_pred, name, method=method, random_state=0)
    assert interval.estimate == pytest.approx(of_rows(y_true, y_pred))
    assert_close_in_standard_errors(interval, *by_rows.confidence_interval, by_rows.standard_error)


def test_kappa_interval_matches_scipy_and_scikit_learn_on_rows():
    y_true, y_pred = predictions(120)
    by_rows = stats.bootstrap(
        (y_true, y_pred),
        partial(cohen_kappa_score, weights="quadratic"),
        paired=True,
        vectorized=False,
        n_resamples=800,
        random_state=np.random.default_rng(1),
    )
    interval = bootstrap_interval(y_true, y_pred, "quadratic_weighted_kappa", random_state=0)
    assert_close_in_standard_errors(
        interval, *by_rows.confidence_interval, by_rows.standard_error, tolerance=0.35
    )


@pytest.mark.parametrize("confidence_level", [0.5, 0.8, 0.99])
def test_interval_matches_scipy_at_each_confidence_level(confidence_level):
    y_true, y_pred = predictions()
    by_rows = stats.bootstrap(
        (y_true, y_pred),
        mae_of_rows,
        paired=True,
        confidence_level=confidence_level,
        random_state=np.random.default_rng(1),
    )
    interval = bootstrap_interval(
        y_true,
        y_pred,
        metrics.ordinal_mean_absolute_error,
        confidence_level=confidence_level,
        random_state=0,
    )
    assert interval.confidence_level == confidence_level
    assert_close_in_standard_errors(interval, *by_rows.confidence_interval, by_rows.standard_error)


@pytest.mark.parametrize("name", METRICS)
def test_resampling_counts_gives_the_same_interval_as_resampling_rows(name):
    y_true, y_pred = predictions()
    rng, n_classes = np.random.default_rng(0), 4
    rows = rng.integers(len(y_true), size=(N_ROW_RESAMPLES, len(y_true)))
    cells = (y_true * n_classes + y_pred)[rows] + np.arange(len(rows))[:, None] * n_classes**2
    counts = np.bincount(cells.ravel(), minlength=len(rows) * n_classes**2)
    values = METRICS[name].statistic(counts.reshape(-1, n_classes, n_classes))
    interval = bootstrap_interval(y_true, y_pred, name, method="percentile", random_state=0)
    low, high = np.nanquantile(values, [0.025, 0.975])
    assert_close_in_standard_errors(interval, low, high, np.nanstd(values))


@pytest.mark.parametrize(
    "options", [{}, {"clusters": [0, 0, 0, 1, 2, 2, 2]}, {"sample_weight": [1, 1, 2, 2, 1, 0, 3]}]
)
@pytest.mark.parametrize("name", ["cem_ord", "quadratic_weighted_kappa", "kendall_tau_b"])
def test_acceleration_matches_leaving_out_each_row_or_group(name, options):
    y_true, y_pred = np.array([0, 1, 2, 2, 1, 0, 2]), np.array([0, 1, 1, 2, 1, 2, 0])
    function = get_metric(name).function
    weight = np.asarray(options.get("sample_weight", np.ones(7)))
    group = np.asarray(options.get("clusters", np.arange(7)))
    left_out = np.array(
        [
            function(
                y_true[group != one],
                y_pred[group != one],
                labels=range(3),
                sample_weight=weight[group != one],
            )
            for one in np.unique(group[weight > 0])
        ]
    )
    deviations = left_out.mean() - left_out
    acceleration = (deviations**3).sum() / (deviations**2).sum() ** 1.5 / 6
    units = count_units(y_true, y_pred, labels=range(3), **options)
    values = values_of([METRICS[name]], units.without_one())
    assert accelerations_of(values, units)[0] == pytest.approx(acceleration)


def exact_distribution(tables):
    """Probability of each sum of `len(tables)` tables drawn with replacement."""
    outcomes = Counter(
        tuple(np.sum(drawn, axis=0)) for drawn in itertools.product(tables, repeat=len(tables))
    )
    return {outcome: n / len(tables) ** len(tables) for outcome, n in outcomes.items()}


@pytest.mark.parametrize(
    ("y_true", "y_pred", "options"),
    [
        pytest.param([0, 1, 1, 0], [0, 1, 0, 0], {}, id="few samples per cell"),
        pytest.param([0] * 4 + [1], [0] * 5, {}, id="many samples per cell"),
        pytest.param([0, 1, 1, 0, 1], [0, 1, 0, 0, 1], {"clusters": list("xxyzy")}, id="clusters"),
        pytest.param([0, 1, 1, 0], [0, 1, 0, 0], {"sample_weight": [1, 2, 1, 3]}, id="weights"),
        pytest.param(
            [0, 1, 1, 0, 0],
            [0, 1, 0, 0, 1],
            {"sample_weight": [1, 2, 1, 3, 0], "clusters": [5, 5, 7, 8, 9]},
            id="weights and clusters",
        ),
    ],
)
def test_resamples_are_as_likely_as_when_drawing_units(y_true, y_pred, options):
    weight = np.asarray(options.get("sample_weight", np.ones(len(y_true))))
    group = np.asarray(options.get("clusters", np.arange(len(y_true))))
    cells = 2 * np.array(y_true) + y_pred
    tables = [
        np.bincount(cells[group == one], weight[group == one], 4)
        for one in np.unique(group[weight > 0])
    ]
    expected = exact_distribution(tables)
    units = count_units(y_true, y_pred, labels=[0, 1], **options)
    n_resamples = 50_000
    stacks = [stack.counts for (stack,) in units.resampled(np.random.default_rng(0), n_resamples)]
    drawn = Counter(map(tuple, np.concatenate(stacks).reshape(-1, 4)))
    assert drawn.keys() <= expected.keys()
    for outcome, probability in expected.items():
        spread = np.sqrt(probability * (1 - probability) / n_resamples)
        assert drawn[outcome] / n_resamples == pytest.approx(probability, abs=5 * spread)


def test_resamples_do_not_depend_on_the_order_in_which_categories_of_clusters_are_listed():
    clusters = list("aabbccddee")
    containers = [
        np.array(clusters),
        *(pd.Categorical(clusters, list(c)) for c in ("edbca", "bcade")),
    ]
    intervals = [
        bootstrap_interval(
            [0, 1, 2, 0, 1, 2, 0, 1, 2, 0],
            [0, 1, 1, 0, 2, 2, 0, 1, 1, 1],
            "cem_ord",
            clusters=container,
            n_resamples=99,
            random_state=0,
        )
        for container in containers
    ]
    assert intervals[0] == intervals[1] == intervals[2]


def test_interval_with_clusters_matches_resampling_whole_clusters():
    y_true, y_pred = predictions(120)
    clusters = np.arange(120) // 8
    y_pred[clusters % 3 == 0] = y_true[clusters % 3 == 0]
    interval = bootstrap_interval(y_true, y_pred, "accuracy", clusters=clusters, random_state=0)
    hits = [(y_true == y_pred)[clusters == group].mean() for group in range(15)]
    by_clusters = stats.bootstrap((hits,), np.mean, random_state=np.random.default_rng(1))
    assert_close_in_standard_errors(
        interval, *by_clusters.confidence_interval, by_clusters.standard_error
    )
    by_samples = bootstrap_interval(y_true, y_pred, "accuracy", random_state=0)
    assert interval.high - interval.low > 1.3 * (by_samples.high - by_samples.low)


@pytest.mark.parametrize("method", METHODS)
def test_a_sample_of_weight_n_counts_as_a_group_of_n_copies(method):
    y_true, y_pred = predictions()
    weight = np.arange(len(y_true)) % 4
    weighted = bootstrap_interval(
        y_true,
        y_pred,
        "cem_ord",
        labels=range(4),
        sample_weight=weight,
        method=method,
        random_state=0,
    )
    repeated = bootstrap_interval(
        np.repeat(y_true, weight),
        np.repeat(y_pred, weight),
        "cem_ord",
        labels=range(4),
        clusters=np.repeat(np.arange(len(y_true)), weight),
        method=method,
        random_state=1,
    )
    assert weighted.estimate == pytest.approx(repeated.estimate)
    width = repeated.high - repeated.low
    assert weighted.low == pytest.approx(repeated.low, abs=0.04 * width)
    assert weighted.high == pytest.approx(repeated.high, abs=0.04 * width)


@pytest.mark.parametrize("weight", [0.25, 1, 7])
def test_equal_weights_change_nothing(weight):
    y_true, y_pred = predictions(500)
    without = bootstrap_interval(y_true, y_pred, "cem_ord", random_state=0)
    with_weights = bootstrap_interval(
        y_true, y_pred, "cem_ord", sample_weight=np.full(500, weight), random_state=0
    )
    assert with_weights.low == pytest.approx(without.low)
    assert with_weights.high == pytest.approx(without.high)


def test_samples_of_weight_zero_are_left_out():
    y_true, y_pred = predictions()
    weight = np.tile([1.0, 2.0, 0.0], 80)
    options = {"labels": range(4), "random_state": 0}
    every = bootstrap_interval(y_true, y_pred, "cem_ord", sample_weight=weight, **options)
    kept = weight > 0
    assert every == bootstrap_interval(
        y_true[kept], y_pred[kept], "cem_ord", sample_weight=weight[kept], **options
    )


def test_samples_of_weight_zero_do_not_extend_the_scale():
    weighted = bootstrap_interval(
        [9, 3, 4, 5, 3, 5],
        [3, 3, 4, 5, 4, 4],
        "ordinal_classification_index",
        sample_weight=[0, 1, 1, 1, 1, 1],
        random_state=0,
    )
    assert weighted.estimate == pytest.approx(
        metrics.ordinal_classification_index([3, 4, 5, 3, 5], [3, 4, 5, 4, 4])
    )


@pytest.mark.parametrize("name", METRICS)
def test_estimate_equals_the_metric(name):
    y_true, y_pred = predictions(seed=3)
    weight = 1 + np.arange(len(y_true)) % 3
    interval = bootstrap_interval(
        y_true, y_pred, name, sample_weight=weight, n_resamples=50, random_state=0
    )
    counts = np.zeros((4, 4))
    np.add.at(counts, (y_true, y_pred), weight)
    assert interval.estimate == pytest.approx(float(METRICS[name].statistic(counts)))


def test_several_metrics_share_their_resamples():
    y_true, y_pred = predictions()
    asked = ["cem_ord", metrics.kendall_tau_score, partial(metrics.within_n_accuracy_score, n=2)]
    found = bootstrap_interval(y_true, y_pred, asked, random_state=0)
    assert list(found) == ["cem_ord", "kendall_tau_b", "within_n_accuracy(n=2)"]
    for metric, interval in zip(asked, found.values(), strict=True):
        alone = bootstrap_interval(y_true, y_pred, metric, random_state=0)
        assert alone == interval
        assert isinstance(alone, Interval)


def test_every_registered_metric_has_an_interval():
    y_true, y_pred = predictions(300)
    found = bootstrap_interval(y_true, y_pred, list(METRICS), random_state=0)
    assert list(found) == list(METRICS)
    assert all(interval.low < interval.high for interval in found.values())


def test_the_default_method_depends_on_the_metric():
    options = {"metrics": list(METRICS), "n_resamples": 200, "random_state": 0}
    found = bootstrap_interval(*predictions(), **options)
    by_method = {
        method: bootstrap_interval(*predictions(), **options, method=method) for method in METHODS
    }
    assert {metric.interval_method for metric in METRICS.values()} == {"bca", "percentile"}
    for name, metric in METRICS.items():
        assert found[name] == by_method[metric.interval_method][name]
        assert found[name].method == metric.interval_method


@pytest.mark.parametrize(
    ("metric", "method"),
    [
        ("macro_averaged_mean_absolute_error", "percentile"),
        (partial(metrics.uniform_ordinal_classification_index, beta=0.5), "percentile"),
        ("quadratic_weighted_kappa", "bca"),
        (partial(cohen_kappa_score, weights="linear"), "bca"),
    ],
)
def test_the_default_method_is_unaffected_by_options_and_is_bca_for_other_functions(metric, method):
    options = {"n_resamples": 100, "random_state": 0}
    default = bootstrap_interval(*predictions(), metric, **options)
    assert default == bootstrap_interval(*predictions(), metric, **options, method=method)
    others = [each for each in METHODS if each != method]
    for other in others:
        assert default != bootstrap_interval(*predictions(), metric, **options, method=other)


@pytest.mark.parametrize("options", [{}, {"sample_weight": np.linspace(0.1, 1, 240)}])
def test_the_same_seed_gives_the_same_interval(options):
    def interval(random_state):
        return bootstrap_interval(
            *predictions(), "cem_ord", n_resamples=200, random_state=random_state, **options
        )

    assert interval(1) == interval(1)
    assert interval(1) == interval(np.int64(1))
    assert interval(1) == interval(np.random.RandomState(1))
    assert interval(1) != interval(2)
    for source in (np.random.default_rng(1), np.random.RandomState(1), None):
        assert interval(source) != interval(source)
    assert interval(np.random.default_rng(1)) == interval(np.random.default_rng(1))


def test_random_state_none_follows_the_global_seed_as_in_scikit_learn():
    state = np.random.get_state()  # noqa: NPY002
    values = []
    try:
        for _ in range(2):
            np.random.seed(3)  # noqa: NPY002
            values.append(bootstrap_interval(*predictions(), "cem_ord", n_resamples=200))
    finally:
        np.random.set_state(state)  # noqa: NPY002
    assert values[0] == values[1]


@pytest.mark.parametrize("method", ["bca", "percentile"])
def test_memory_does_not_grow_with_the_number_of_resamples_for_many_classes(method):
    rng = np.random.default_rng(0)
    y_true, y_pred = rng.integers(300, size=(2, 100))
    tracemalloc.start()
    try:
        bootstrap_interval(
            y_true,
            y_pred,
            "cem_ord",
            labels=range(300),
            n_resamples=100,
            method=method,
            random_state=0,
        )
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # The stack of all resamples would take 72 MB.
    assert peak < 20e6


def test_memory_does_not_grow_with_the_number_of_resamples_for_many_clusters():
    y_true, y_pred = predictions(50_000)
    tracemalloc.start()
    try:
        bootstrap_interval(
            y_true,
            y_pred,
            "cem_ord",
            clusters=np.arange(50_000),
            n_resamples=100,
            method="percentile",
            random_state=0,
        )
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # The group counts of all resamples would take 40 MB.
    assert peak < 25e6


def test_undefined_resamples_are_left_out_and_counted():
    y_true, y_pred = [0, 1, 1, 1], [0, 1, 1, 1]
    with pytest.warns(UndefinedMetricWarning, match=r"kendall_tau_b for 3,\d\d\d of 9,999 resam"):
        interval = bootstrap_interval(y_true, y_pred, "kendall_tau_b", random_state=0)
    # Undefined if none or all of the samples are of class 0.
    share = 0.75**4 + 0.25**4
    assert interval.n_undefined / 9999 == pytest.approx(share, abs=0.02)
    assert (interval.low, interval.high) == pytest.approx((1, 1))


def test_few_undefined_resamples_are_counted_without_a_warning():
    y_true = [0] * 4 + [1] * 8
    interval = bootstrap_interval(y_true, y_true, "quadratic_weighted_kappa", random_state=0)
    assert 0 < interval.n_undefined < 0.05 * 9999


def test_an_undefined_estimate_has_an_undefined_interval():
    with pytest.warns(UndefinedMetricWarning, match=r"^Undefined: kendall_tau_b for these sam"):
        found = bootstrap_interval([0, 1], [1, 1], ["accuracy", "kendall_tau_b"], random_state=0)
    assert not np.isnan(found["accuracy"].low)
    interval = found["kendall_tau_b"]
    assert np.isnan([interval.estimate, interval.low, interval.high]).all()
    assert interval.n_undefined == 9999


def test_warnings_point_at_the_caller():
    with pytest.warns(UndefinedMetricWarning) as record:
        bootstrap_interval([0, 1], [1, 1], "kendall_tau_b", random_state=0)
    assert record[0].filename == __file__


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("y_pred", "value"), [([0, 1, 2, 1], 1), ([1, 2, 1, 0], 0)])
def test_interval_has_zero_width_if_all_resamples_are_equal(y_pred, value, method):
    interval = bootstrap_interval([0, 1, 2, 1], y_pred, "accuracy", method=method, random_state=0)
    assert (interval.low, interval.high) == (value, value)


def test_bca_is_undefined_if_all_resamples_are_on_one_side():
    # A cell that occurs once is missing from many resamples. These have fewer classes to
    # confuse, so purity can only increase.
    y_true, y_pred = np.arange(40), np.zeros(40, dtype=int)
    options = {"metrics": "purity", "n_resamples": 500, "random_state": 0}
    percentile = bootstrap_interval(y_true, y_pred, **options, method="percentile")
    assert percentile.estimate < percentile.low <= percentile.high
    with pytest.warns(
        UndefinedMetricWarning, match="purity as a bca interval.*method='percentile' needs"
    ):
        interval = bootstrap_interval(y_true, y_pred, **options)
    assert np.isnan([interval.low, interval.high]).all()


def test_limits_stay_in_order_at_extreme_confidence_levels():
    interval = bootstrap_interval(
        [0] * 49 + [1], [0] * 50, "accuracy", confidence_level=1 - 1e-15, random_state=0
    )
    assert interval.low < interval.estimate < interval.high == 1


def test_ties_with_the_estimate_count_half_despite_rounding():
    # With weights of 1/3, equal accuracies round differently in different resamples.
    y_true, y_pred = [0] * 12, [0, 0, 0, 1] * 3
    plain = bootstrap_interval(y_true, y_pred, "accuracy", random_state=0)
    thirds = bootstrap_interval(
        y_true, y_pred, "accuracy", sample_weight=[1 / 3] * 12, random_state=0
    )
    assert (plain.low, plain.high) == pytest.approx((thirds.low, thirds.high))


def test_values_that_are_zero_up_to_rounding_are_ties():
    # The kappa of a constant prediction is 0, and up to 2e-16 for some sums of weights.
    rng = np.random.default_rng(45)
    y_true, y_pred, weight = rng.integers(3, size=20), np.full(20, 1), rng.random(20)
    interval = bootstrap_interval(
        y_true,
        y_pred,
        "quadratic_weighted_kappa",
        sample_weight=weight,
        n_resamples=19,
        random_state=0,
    )
    assert (interval.low, interval.high) == pytest.approx((0, 0), abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=30),
    st.sampled_from(["bca", "percentile"]),
    st.sampled_from(["cem_ord", "accuracy", "ordinal_mean_absolute_error"]),
)
def test_quantile_intervals_are_ordered_and_within_the_range_of_the_metric(rows, method, name):
    y_true, y_pred = zip(*rows, strict=True)
    interval = bootstrap_interval(
        y_true,
        y_pred,
        name,
        labels=range(4),
        method="percentile" if len(set(rows)) < 2 else method,
        n_resamples=200,
        random_state=0,
    )
    lowest, highest = METRICS[name].bounds(4)
    assert lowest <= interval.low <= interval.high <= highest


@pytest.mark.parametrize(
    "clusters", [["a", "b"] * 120, pd.Categorical(["a", "b"] * 120), pd.Series([1.5, 2.5] * 120)]
)
def test_interval_does_not_depend_on_the_type_of_clusters(clusters):
    interval = bootstrap_interval(*predictions(), "accuracy", clusters=clusters, random_state=0)
    assert interval == bootstrap_interval(
        *predictions(), "accuracy", clusters=np.arange(240) % 2, random_state=0
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metrics": "cem"}, "metric must be a known name, got 'cem'"),
        (
            {"metrics": "roc_auc_ovr"},
            r"y_pred must have shape \(n_samples, n_classes\), got \(4,\)",
        ),
        ({"metrics": 3}, "metric must be a name or a callable, got 3: check the order of the arg"),
        ({"metrics": {"cem_ord"}}, "metrics must be a metric or a list of them, in order"),
        ({"metrics": []}, "metrics must name at least one metric"),
        ({"metrics": ["cem_ord", metrics.cem_ord_score]}, "and each once"),
        ({"method": "BCa"}, "method must be one of"),
        ({"confidence_level": 95}, "confidence_level must be a number between 0 and 1, got 95"),
        ({"confidence_level": 1.0}, "confidence_level must be a number between 0 and 1"),
        ({"confidence_level": "0.9"}, "confidence_level must be a number between 0 and 1"),
        ({"n_resamples": 0}, "n_resamples must be a positive integer, got 0"),
        ({"n_resamples": 1e4}, "n_resamples must be a positive integer, got 10000.0"),
        ({"n_resamples": True}, "n_resamples must be a positive integer, got True"),
        ({"random_state": "seed"}, "random_state must be None, an integer .*, got 'seed'"),
        ({"random_state": -1}, "random_state must be None, an integer from 0"),
        ({"sample_weight": [1, 1, 1]}, r"sample_weight must have shape \(4,\)"),
        (
            {"sample_weight": [1, 0, 0, 0]},
            "y_true must have at least 2 samples of positive weight, got 1",
        ),
        ({"clusters": [1, 1, 2]}, "clusters must have a value for each of the 4 samples, got 3"),
        (
            {"clusters": [1, 1, 1, 1]},
            "clusters must have at least 2 values for samples of positive weight, got 1",
        ),
        ({"clusters": ["a", "b", None, "a"]}, "clusters has missing values"),
        ({"clusters": [1, 2, np.nan, 1]}, "clusters has missing values"),
        ({"clusters": [[1, 2]] * 4}, r"clusters must be one-dimensional, got shape \(4, 2\)\."),
        ({"clusters": [[1], [2, 3], 1, 1]}, "clusters must be one-dimensional"),
        ({"y_true": ["a", "b", "a", "b"]}, "y_true has string labels"),
        (
            {"y_true": [1], "y_pred": [1]},
            "y_true must have at least 2 samples of positive weight, got 1",
        ),
    ],
)
def test_errors_name_the_argument_and_what_was_found(options, message):
    arguments = {"y_true": [0, 1, 2, 1], "y_pred": [0, 1, 1, 1], "metrics": "cem_ord", **options}
    with pytest.raises(ValueError, match=message):
        bootstrap_interval(**arguments)


def test_clusters_that_cannot_be_compared_raise():
    clusters = np.empty(4, dtype=object)
    clusters[:] = [[1], [1], [2], [2]]
    with pytest.raises(ValueError, match="clusters must hold values that can be compared"):
        bootstrap_interval([0, 1, 0, 1], [0, 1, 1, 1], "accuracy", clusters=clusters)


def test_all_stands_for_the_metrics_of_the_package():
    y_true, y_pred = predictions(60)
    options = {"n_resamples": 99, "random_state": 0}
    found = bootstrap_interval(y_true, y_pred, "all", **options)
    assert list(found) == list(METRICS)
    assert found["cem_ord"] == bootstrap_interval(y_true, y_pred, [*METRICS], **options)["cem_ord"]


def test_the_interval_of_an_infinite_value_is_undefined():
    def unbounded_loss(y_true, y_pred):
        errors = np.mean(np.asarray(y_true) != np.asarray(y_pred))
        return np.inf if errors > 0.3 else errors

    y_true = np.arange(60) % 3
    with pytest.warns(UndefinedMetricWarning, match="unbounded_loss for these samples"):
        interval = bootstrap_interval(y_true, y_true[::-1], unbounded_loss, n_resamples=9)
    assert np.isinf(interval.estimate)
    assert np.isnan([interval.low, interval.high]).all()
