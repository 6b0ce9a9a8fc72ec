"""Closed-form intervals, against published formulas and regressions with robust errors."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal import OrdinalConfusion, OrdinalForecasts, get_metric
from sklearn_ordinal._core.catalogue import metrics_of
from sklearn_ordinal._core.evidence_kinds import LABELS
from sklearn_ordinal.datasets import load_lev
from sklearn_ordinal.inference import bootstrap_interval, delta_interval, paired_difference
from tests import degrees_of_freedom

RNG = np.random.default_rng(0)
N = 300
TRUE = RNG.integers(4, size=N)
PRED = np.clip(TRUE + RNG.integers(-1, 2, N), 0, 3)
OTHER = np.clip(TRUE + RNG.integers(-2, 3, N), 0, 3)
WEIGHT = RNG.uniform(0.2, 3, N)
CLUSTER = RNG.integers(40, size=N)
STRATUM = np.array(["north", "south", "west"])[CLUSTER % 3]
NAMES = ["cem_ord", "accuracy", "quadratic_weighted_kappa", "ordinal_mean_absolute_error"]
COUNTS = np.array([[30, 8, 2], [6, 70, 14], [1, 5, 14]])
SHARES = np.array([0.4, 0.3, 0.2, 0.1])


def numbers(interval):
    return interval.estimate, interval.low, interval.high, interval.standard_error


def assert_same(interval, expected, tolerance=1e-12):
    np.testing.assert_allclose(numbers(interval), numbers(expected), rtol=tolerance)


def robust_error(weights=None, **options):
    """Return the standard error of the accuracy as the mean in a regression on a constant."""
    regression = pytest.importorskip("statsmodels.api")
    is_right = (TRUE == PRED).astype(float)
    model = regression.WLS(is_right, np.ones(N), weights=1 if weights is None else weights)
    return model.fit(**options).bse[0]


def test_the_standard_error_of_the_accuracy_is_that_of_a_mean():
    is_right = TRUE == PRED
    interval = delta_interval(TRUE, PRED, "accuracy")
    assert interval.standard_error == pytest.approx(is_right.std(ddof=1) / np.sqrt(N), rel=1e-12)


def test_weights_enter_as_in_a_weighted_regression_with_robust_errors():
    interval = delta_interval(TRUE, PRED, "accuracy", sample_weight=WEIGHT)
    expected = robust_error(WEIGHT, cov_type="HC1")
    assert interval.standard_error == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_clusters_enter_as_in_a_regression_with_errors_robust_to_clusters(weight):
    interval = delta_interval(TRUE, PRED, "accuracy", clusters=CLUSTER, sample_weight=weight)
    expected = robust_error(weight, cov_type="cluster", cov_kwds={"groups": CLUSTER})
    assert interval.standard_error == pytest.approx(expected, rel=1e-10)


def test_the_squared_errors_of_strata_add_up():
    """Cochran (1977): for shares W_h = n_h / n, the sum of W_h^2 s_h^2 / n_h."""
    is_right = (TRUE == PRED).astype(float)
    squares = [
        (name == STRATUM).mean() ** 2
        * is_right[name == STRATUM].var(ddof=1)
        / (name == STRATUM).sum()
        for name in np.unique(STRATUM)
    ]
    interval = delta_interval(TRUE, PRED, "accuracy", strata=STRATUM)
    assert interval.standard_error == pytest.approx(np.sqrt(sum(squares)), rel=1e-12)


def test_clusters_in_strata_are_compared_within_their_stratum():
    is_right = (TRUE == PRED) - (TRUE == PRED).mean()
    variance = 0.0
    for name in np.unique(STRATUM):
        clusters = np.unique(CLUSTER[name == STRATUM])
        sums = np.array([is_right[cluster == CLUSTER].sum() for cluster in clusters])
        variance += len(sums) * sums.var(ddof=1) / N**2
    interval = delta_interval(TRUE, PRED, "accuracy", clusters=CLUSTER, strata=STRATUM)
    assert interval.standard_error == pytest.approx(np.sqrt(variance), rel=1e-12)


def test_classes_with_fixed_shares_are_strata():
    """The accuracy is a sum over classes of share times rate, so its variance adds up too."""
    shares = np.array([0.4, 0.3, 0.2, 0.1])
    sizes = np.bincount(TRUE)
    rates = np.bincount(TRUE, TRUE == PRED) / sizes
    interval = delta_interval(
        TRUE, PRED, "accuracy", sample_weight=(shares / sizes)[TRUE], strata=TRUE
    )
    confusion = OrdinalConfusion.from_predictions(TRUE, PRED).at_prevalence(shares)
    assert interval.estimate == pytest.approx(get_metric("accuracy")(confusion))
    expected = np.sqrt((shares**2 * rates * (1 - rates) / (sizes - 1)).sum())
    assert interval.standard_error == pytest.approx(expected, rel=1e-12)


def test_the_error_of_kappa_is_that_of_fleiss_cohen_and_everitt():
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")
    published = inter_rater.cohens_kappa(COUNTS, wt="quadratic")
    confusion = OrdinalConfusion.from_counts(COUNTS)
    interval = delta_interval(confusion, metrics="quadratic_weighted_kappa")
    n_samples = COUNTS.sum()
    expected = np.sqrt(published.var_kappa * n_samples / (n_samples - 1))
    assert interval.standard_error == pytest.approx(expected, rel=1e-10)


def degrees_of_samples(name, step=1e-3):
    """Return the degrees of freedom from differences by the number of samples in each cell."""
    counts, moves = np.zeros((4, 4)), np.zeros((4, 4))
    np.add.at(counts, (TRUE, PRED), 1)
    metric = get_metric(name)
    for cell in zip(*np.nonzero(counts), strict=True):
        change = np.zeros((4, 4))
        change[cell] = step
        higher, lower = (
            metric(OrdinalConfusion.from_counts(counts + sign * change)) for sign in (1, -1)
        )
        moves[cell] = (higher - lower) / (2 * step)
    return degrees_of_freedom.of_samples([moves[TRUE, PRED]])[1]


def test_ends_are_symmetric_in_log_odds_with_quantiles_of_t():
    interval = delta_interval(TRUE, PRED, "cem_ord", confidence_level=0.9)
    value, error = interval.estimate, interval.standard_error
    margin = stats.t(degrees_of_samples("cem_ord")).ppf(0.95) * error / (value * (1 - value))
    odds = np.log(value / (1 - value)) + np.array([-margin, margin])
    np.testing.assert_allclose([interval.low, interval.high], 1 / (1 + np.exp(-odds)), rtol=1e-12)


def test_a_range_from_minus_1_to_1_has_fishers_transformation():
    interval = delta_interval(TRUE, PRED, "quadratic_weighted_kappa")
    value, error = interval.estimate, interval.standard_error
    degrees = degrees_of_samples("quadratic_weighted_kappa")
    margin = stats.t(degrees).ppf(0.975) * error / (1 - value**2)
    ends = np.tanh(np.arctanh(value) + np.array([-margin, margin]))
    np.testing.assert_allclose([interval.low, interval.high], ends, rtol=1e-12)


def test_degrees_of_freedom_of_strata_are_combined():
    interval = delta_interval(TRUE, PRED, "accuracy", clusters=CLUSTER, strata=STRATUM)
    value = interval.estimate
    moved, sizes = np.bincount(CLUSTER, (TRUE == PRED) - value) / N, np.bincount(CLUSTER)
    strata = [np.arange(40) % 3 == k for k in range(3)]
    error, degrees = degrees_of_freedom.of_samples(
        [moved[stratum] for stratum in strata], [sizes[stratum] for stratum in strata]
    )
    assert interval.standard_error == pytest.approx(error, rel=1e-12)
    margin = stats.t(degrees).ppf(0.975) * error / (value * (1 - value))
    odds = np.log(value / (1 - value)) + margin
    assert interval.high == pytest.approx(1 / (1 + np.exp(-odds)), rel=1e-12)


def test_a_metric_without_a_lower_bound_stays_below_its_upper_bound():
    interval = delta_interval(TRUE[:20], PRED[:20], "cem_ord_adjusted")
    assert interval.low < interval.estimate < interval.high < 1


def test_a_metric_on_its_own_scale_is_symmetric():
    assert get_metric("mutual_information").interval_scale == "linear"
    interval = delta_interval(TRUE, PRED, "mutual_information")
    assert interval.high - interval.estimate == pytest.approx(interval.estimate - interval.low)


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_rows_counts_batches_and_tables_agree(weight):
    expected = delta_interval(TRUE, PRED, NAMES, sample_weight=weight, labels=range(4))
    frame = pd.DataFrame({"y_true": TRUE, "y_pred": PRED, "w": WEIGHT})
    column = None if weight is None else "w"
    rows = [slice(0, 100), slice(100, 250), slice(250, N)]
    batches = sum(
        OrdinalConfusion.from_predictions(
            TRUE[part],
            PRED[part],
            labels=range(4),
            sample_weight=None if weight is None else weight[part],
        )
        for part in rows
    )
    sources = [
        OrdinalConfusion.from_predictions(TRUE, PRED, sample_weight=weight, labels=range(4)),
        batches,
    ]
    table = OrdinalConfusion.from_table(frame, sample_weight=column, labels=range(4))
    if weight is None or table.squared_weights is not None:
        sources.append(table)
    for confusion in sources:
        for name, interval in delta_interval(confusion, metrics=NAMES).items():
            assert_same(interval, expected[name])


def test_a_stack_has_one_interval_for_each_matrix():
    stack = OrdinalConfusion.from_predictions(TRUE, PRED, by=STRATUM, sample_weight=WEIGHT)
    intervals = delta_interval(stack, metrics=NAMES)
    for name in NAMES:
        assert list(intervals[name]) == ["north", "south", "west"]
        for group, interval in intervals[name].items():
            member = group == STRATUM
            single = delta_interval(
                TRUE[member], PRED[member], name, labels=range(4), sample_weight=WEIGHT[member]
            )
            assert_same(interval, single)


def test_a_stack_without_names_is_numbered():
    counts = np.stack([COUNTS, COUNTS.T])
    intervals = delta_interval(OrdinalConfusion.from_counts(counts), metrics="accuracy")
    assert list(intervals) == [0, 1]
    nested = delta_interval(OrdinalConfusion.from_counts(counts[None]), metrics="accuracy")
    assert list(nested) == [(0, 0), (0, 1)]
    assert_same(nested[0, 1], intervals[1])


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_the_matrices_of_a_stack_may_be_clusters(weight):
    stack = OrdinalConfusion.from_predictions(TRUE, PRED, by=CLUSTER, sample_weight=weight)
    intervals = delta_interval(stack, metrics=NAMES, clusters=stack.groups)
    expected = delta_interval(TRUE, PRED, NAMES, clusters=CLUSTER, sample_weight=weight)
    for name in NAMES:
        assert_same(intervals[name], expected[name], 1e-10)


def test_clusters_of_one_sample_are_samples():
    expected = delta_interval(TRUE, PRED, NAMES)
    intervals = delta_interval(TRUE, PRED, NAMES, clusters=np.arange(N))
    one_stratum = delta_interval(TRUE, PRED, NAMES, strata=np.zeros(N, int))
    for name in NAMES:
        assert_same(intervals[name], expected[name], 1e-10)
        assert_same(one_stratum[name], expected[name], 1e-10)


def test_unanswered_samples_count_for_the_closeness_family_only():
    missing = np.where(np.arange(N) % 10, PRED.astype(float), np.nan)
    answered = ~np.isnan(missing)
    intervals = delta_interval(TRUE, missing, NAMES, unanswered="count")
    complete = delta_interval(TRUE[answered], PRED[answered], NAMES)
    assert_same(intervals["accuracy"], complete["accuracy"])
    assert intervals["accuracy"].n_left_out == (~answered).sum()
    assert intervals["cem_ord"].n_left_out == 0
    assert all(isinstance(interval.n_left_out, int) for interval in intervals.values())
    clusters = delta_interval(TRUE, missing, NAMES, unanswered="count", clusters=np.arange(N))
    for name in NAMES:
        assert_same(clusters[name], intervals[name], 1e-10)


def test_the_interval_is_close_to_the_bootstrap():
    for name in NAMES:
        closed = delta_interval(TRUE, PRED, name)
        bootstrap = bootstrap_interval(TRUE, PRED, name, random_state=0)
        assert closed.low == pytest.approx(bootstrap.low, abs=0.005)
        assert closed.high == pytest.approx(bootstrap.high, abs=0.005)


def test_the_influences_on_lev_have_the_known_spread():
    """The standard deviation for usual predictions of LEV is between .26 and .34."""
    linear_model = pytest.importorskip("sklearn.linear_model")
    X, y = load_lev(return_X_y=True)
    half = np.arange(len(y)) % 2 == 0
    model = linear_model.LogisticRegression(solver="newton-cholesky").fit(X[half], y[half])
    interval = delta_interval(y[~half], model.predict(X[~half]), labels=range(5))
    assert 0.26 < interval.standard_error * np.sqrt((~half).sum()) < 0.34


def test_coverage_of_cem_ord_on_small_samples():
    """In 2,000 samples of 30, the interval contains the true value in 93.5% to 96.5%."""
    rng, n_data_sets = np.random.default_rng(0), 2_000
    position = np.arange(5)
    likelihood = np.exp(-1.3 * np.abs(position[:, None] - position))
    shares = 0.2 * likelihood / likelihood.sum(axis=1, keepdims=True)
    counts = rng.multinomial(30, shares.ravel(), n_data_sets).reshape(-1, 5, 5)
    true = get_metric("cem_ord")(OrdinalConfusion.from_counts(shares))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        intervals = delta_interval(OrdinalConfusion.from_counts(counts)).values()
    covered = np.mean([interval.low <= true <= interval.high for interval in intervals])
    assert 0.935 < covered < 0.965


def test_proportions_without_errors_have_wilsons_interval():
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    interval = delta_interval([0, 1, 2] * 5, [0, 1, 2] * 5, "accuracy")
    low, high = proportion.proportion_confint(15, 15, method="wilson")
    assert (interval.low, interval.high) == pytest.approx((low, high))
    assert interval.method == "wilson"
    assert interval.standard_error == 0


@pytest.mark.parametrize("n_samples", [28, 49, 126])
def test_shares_of_0_and_1_are_in_their_interval(n_samples):
    truth = np.arange(n_samples) % 2
    for share in (0.0, 1.0):
        interval = delta_interval(truth, truth if share else 1 - truth, "accuracy")
        assert interval.low <= interval.estimate == share <= interval.high


def test_other_values_without_error_have_no_interval():
    with pytest.warns(UndefinedMetricWarning, match="the standard error is 0") as record:
        interval = delta_interval([0, 1, 2] * 5, [0, 1, 2] * 5)
    assert record[0].filename == __file__
    assert (interval.estimate, interval.method) == (1, "delta")
    assert np.isnan([interval.low, interval.high]).all()
    with pytest.warns(UndefinedMetricWarning, match=r"no derivative .*\(purity\)\. bootst"):
        delta_interval(OrdinalConfusion.from_counts([[2, 1], [2, 5]]), metrics="purity")
    with pytest.warns(UndefinedMetricWarning, match=r"the value is undefined \(quadratic_we"):
        delta_interval([1, 1, 1], [1, 1, 1], "quadratic_weighted_kappa")
    with pytest.warns(UndefinedMetricWarning, match=r"fewer than two samples, .* \(cem_ord of 1\)"):
        delta_interval(OrdinalConfusion.from_counts([COUNTS, np.diag([1, 0, 0])]))


def test_criteria_whose_samples_are_in_one_cluster_have_no_interval_beside_others_that_have():
    y_true, y_pred = [1, 1, 0, 1], [1, 0, np.nan, np.nan]
    options = {"labels": [0, 1], "unanswered": "count", "clusters": [0, 0, 1, 1]}
    with pytest.warns(UndefinedMetricWarning, match=r"^There is no interval: fewer than two .*acc"):
        found = delta_interval(y_true, y_pred, ["accuracy", "cem_ord"], **options)
    assert found["accuracy"].estimate == 0.5
    assert np.isnan([found["accuracy"].low, found["accuracy"].high]).all()
    assert_same(found["cem_ord"], delta_interval(y_true, y_pred, "cem_ord", **options))
    # Without answers, a stratum has a single sample.
    with pytest.warns(UndefinedMetricWarning, match=r"; with strata, each needs two \(acc"):
        found = delta_interval(
            [0, 1, 0, 1],
            [0, 0, 1, np.nan],
            "accuracy",
            labels=[0, 1],
            unanswered="count",
            strata=["a", "a", "b", "b"],
        )
    assert np.isnan(found.low)


def test_a_small_standard_error_of_very_many_samples_is_an_error():
    """Three errors in 10^14: the share has a standard error of sqrt(3) / 10^14."""
    counts = [[5 * 10**13, 1], [2, 5 * 10**13 - 3]]
    interval = delta_interval(OrdinalConfusion.from_counts(counts), metrics="accuracy")
    assert interval.standard_error == pytest.approx(np.sqrt(3) / 10**14, rel=1e-3)
    assert interval.method == "delta"
    assert interval.low < interval.estimate < interval.high
    assert np.isfinite(delta_interval(OrdinalConfusion.from_counts(counts)).low)
    other = np.array(counts) * 10**4
    with pytest.warns(UndefinedMetricWarning, match="standard error is 0"):
        delta_interval(OrdinalConfusion.from_counts(np.diag(np.diag(other))))


def test_metrics_on_several_scales_are_computed_together_as_one_by_one():
    stack = OrdinalConfusion.from_counts(np.stack([COUNTS, COUNTS.T, np.diag([3, 4, 5])]))
    names = [name for name, metric in metrics_of(LABELS).items() if metric.has_influence]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        together = delta_interval(stack, metrics=names)
        for name in names:
            single = delta_interval(stack, metrics=name)
            for k in range(3):
                assert_same(together[name][k], single[k])
                assert together[name][k].method == single[k].method
                assert together[name][k].estimate == get_metric(name)(stack)[k] or k == 2


def is_right(y_pred):
    return (y_pred == TRUE).astype(float)


@pytest.mark.parametrize(
    ("name", "score"),
    [("accuracy", is_right), ("ordinal_mean_absolute_error", lambda y: np.abs(TRUE - y))],
)
def test_differences_of_means_have_the_paired_t_test(name, score):
    expected = stats.ttest_rel(score(PRED), score(OTHER))
    moved = score(PRED) - score(OTHER)
    _, degrees = degrees_of_freedom.of_means(moved)
    difference = paired_difference(TRUE, PRED, OTHER, name, method="delta")
    pvalue = degrees_of_freedom.two_sided(expected.statistic, degrees)
    assert difference.pvalue == pytest.approx(pvalue, rel=1e-9)
    ends = stats.t.interval(0.95, degrees, moved.mean(), stats.sem(moved))
    np.testing.assert_allclose([difference.low, difference.high], ends, rtol=1e-9)
    assert difference.estimate / difference.standard_error == pytest.approx(expected.statistic)
    assert difference.method == "delta"


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
@pytest.mark.parametrize("cluster", [None, CLUSTER], ids=["samples", "clusters"])
def test_differences_have_robust_errors_for_weights_and_clusters(weight, cluster):
    regression = pytest.importorskip("statsmodels.api")
    options = {"cov_type": "HC1"}
    if cluster is not None:
        options = {"cov_type": "cluster", "cov_kwds": {"groups": cluster}, "use_t": True}
    moved, of_samples = is_right(PRED) - is_right(OTHER), np.ones(N) if weight is None else weight
    fit = regression.WLS(moved, np.ones(N), weights=of_samples).fit(**options)
    difference = paired_difference(
        TRUE, PRED, OTHER, "accuracy", method="delta", sample_weight=weight, clusters=cluster
    )
    assert difference.standard_error == pytest.approx(fit.bse[0], rel=1e-9)
    unit = np.arange(N) if cluster is None else cluster
    moves = np.bincount(unit, of_samples * (moved - difference.estimate))
    _, degrees = degrees_of_freedom.of_sample(moves, np.bincount(unit, of_samples))
    pvalue = degrees_of_freedom.two_sided(fit.tvalues[0], degrees)
    assert difference.pvalue == pytest.approx(pvalue, rel=1e-9)


def test_differences_of_ratios_are_close_to_the_bootstrap():
    for name in ("cem_ord", "quadratic_weighted_kappa", "macro_averaged_mean_absolute_error"):
        closed = paired_difference(TRUE, PRED, OTHER, name, method="delta")
        bootstrap = paired_difference(TRUE, PRED, OTHER, name, random_state=0)
        assert closed.estimate == bootstrap.estimate
        assert closed.low == pytest.approx(bootstrap.low, abs=0.01)
        assert closed.high == pytest.approx(bootstrap.high, abs=0.01)


def test_evidence_of_systems_has_the_same_closed_form_as_arrays():
    for options in ({}, {"sample_weight": WEIGHT, "clusters": CLUSTER}):
        systems = OrdinalConfusion.from_systems(TRUE, {"a": PRED, "b": OTHER}, **options)
        by_evidence = paired_difference(systems, metrics=NAMES, method="delta")
        by_arrays = paired_difference(TRUE, PRED, OTHER, NAMES, method="delta", **options)
        for name in NAMES:
            assert_same(by_evidence[name], by_arrays[name])


def test_each_system_leaves_its_own_unanswered_samples_out():
    """The difference of two means whose samples overlap."""
    first = np.where(np.arange(N) % 10, PRED.astype(float), np.nan)
    second = np.where(np.arange(N) % 7, OTHER.astype(float), np.nan)
    difference = paired_difference(
        TRUE, first, second, "accuracy", method="delta", unanswered="count"
    )
    moved = np.zeros(N)
    for sign, y_pred in ((1, first), (-1, second)):
        answered = ~np.isnan(y_pred)
        scores = is_right(y_pred)
        moved += sign * answered * (scores - scores[answered].mean()) / answered.sum()
    # Samples that both leave out do not count.
    n_counted = 295
    expected = np.sqrt(n_counted / (n_counted - 1) * (moved**2).sum())
    assert difference.standard_error == pytest.approx(expected, rel=1e-12)
    assert difference.n_left_out == 30
    assert difference.n_left_out_b == 43


def test_equal_systems_have_no_interval_in_closed_form():
    with pytest.warns(UndefinedMetricWarning, match="the standard error is 0, .*equal systems"):
        difference = paired_difference(TRUE, PRED, PRED, method="delta")
    assert np.isnan([difference.low, difference.high]).all()
    assert difference.pvalue == 1
    with pytest.warns(UndefinedMetricWarning, match=r"method='percentile' needs no derivative\."):
        paired_difference([0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 1], "purity", method="delta")


@pytest.mark.filterwarnings("ignore:There is no interval")
@pytest.mark.parametrize("n_worse", range(3))
@pytest.mark.parametrize("n_better", [0, 1, 5, 6, 8, 12])
def test_shares_of_few_discordant_samples_have_the_exact_sign_test(n_better, n_worse):
    truth, wrong = np.arange(80) % 4, (np.arange(80) + 1) % 4
    # The last ten samples are too hard for both.
    first = np.where((np.arange(80) < n_worse) | (np.arange(80) >= 70), wrong, truth)
    second = np.where(np.arange(80) >= 70 - n_better, wrong, truth)
    difference = paired_difference(truth, first, second, "accuracy", method="delta")
    n_discordant = n_better + n_worse
    if n_discordant < 10:
        expected = stats.binomtest(n_better, n_discordant).pvalue if n_discordant else 1
    else:
        is_right = [(pred == truth).astype(float) for pred in (first, second)]
        _, degrees = degrees_of_freedom.of_means(is_right[0] - is_right[1])
        statistic = stats.ttest_rel(*is_right).statistic
        expected = degrees_of_freedom.two_sided(statistic, degrees)
    assert difference.pvalue == pytest.approx(expected, rel=1e-9)
    # Samples of the same weight, or clusters, are not single samples.
    if n_better == 5 and not n_worse:
        assert expected == 0.0625
        for options in ({"sample_weight": np.full(80, 2.0)}, {"clusters": np.arange(80) // 2}):
            other = paired_difference(truth, first, second, "accuracy", method="delta", **options)
            assert other.pvalue != pytest.approx(expected)


def test_systems_that_all_samples_tell_apart_have_the_sign_test_of_all_samples():
    truth = np.zeros(12, dtype=int)
    with pytest.warns(UndefinedMetricWarning, match="There is no interval: the standard error is"):
        found = paired_difference(
            truth, truth, truth + 1, ["accuracy", "ordinal_mean_absolute_error"], method="delta"
        )
    for difference in found.values():
        assert difference.pvalue == pytest.approx(stats.binomtest(12, 12).pvalue)
        assert np.isnan(difference.low)


def test_metrics_without_influences_are_refused():
    y_proba = np.eye(4)[PRED]
    with pytest.raises(ValueError, match=r"which cem_ord_decision does not: pass method='perc"):
        paired_difference(TRUE, y_proba, y_proba, "cem_ord_decision", method="delta")
    with pytest.raises(ValueError, match=r"method must be one of .*'delta'"):
        paired_difference(TRUE, PRED, OTHER, method="wald")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: delta_interval([0], [0]), "y_true must have at least 2 samples"),
        (lambda: delta_interval([0, 1], [0, 1], clusters=[1, 1]), "clusters must have at least 2"),
        (
            lambda: delta_interval([0, 1, 1], [0, 1, 0], strata=["a", "a", "b"]),
            "strata must have at least two samples each, got one in stratum 'b': merge it",
        ),
        (
            lambda: delta_interval(TRUE, PRED, clusters=CLUSTER % 7, strata=STRATUM),
            "clusters must have all their samples in one stratum, got one in ",
        ),
        (
            lambda: delta_interval([0, 1], [0, 1], strata=["a"]),
            "strata must have a value for each of the 2 samples, got 1",
        ),
        (
            lambda: delta_interval([0, 1], [0.5, 1], "volume_under_surface"),
            "metrics must have influences, which volume_under_surface does not: pass it to boot",
        ),
        (
            lambda: delta_interval(OrdinalConfusion.from_counts([[1.5, 1], [0, 2]])),
            "confusion must hold the number and the squared .* pass numbers of samples as int",
        ),
        (
            lambda: delta_interval("cem_ord", OrdinalConfusion.from_counts(COUNTS)),
            "y_true must be true classes or evidence, got 'cem_ord': pass the evidence first",
        ),
        (
            lambda: delta_interval(OrdinalConfusion.from_counts(COUNTS), strata=[1]),
            "strata must be left out if evidence is passed",
        ),
        (
            lambda: delta_interval(OrdinalConfusion.from_counts(COUNTS), labels=[1]),
            "labels must be left out if evidence is passed",
        ),
        (
            lambda: delta_interval(OrdinalConfusion.from_counts(COUNTS), clusters=["a"]),
            "clusters of evidence must be the groups of a stack",
        ),
        (
            # Each character is the name of a group.
            lambda: delta_interval(
                OrdinalConfusion.from_predictions([0, 1, 1, 0], [0, 1, 0, 0], by=list("gghh")),
                clusters="gh",
            ),
            "clusters of evidence must be the groups of a stack, .*'gh'",
        ),
        (
            lambda: delta_interval(TRUE, PRED, confidence_level=1),
            "confidence_level must be",
        ),
        (
            lambda: delta_interval(
                OrdinalForecasts.from_probabilities([0, 1], [[0.6, 0.4], [0.2, 0.8]])
            ),
            "metrics has cem_ord, which takes predicted classes, but the evidence is",
        ),
        (
            lambda: delta_interval(
                OrdinalConfusion.from_predictions(TRUE, PRED, by=STRATUM, clusters=CLUSTER)
            ),
            "confusion must hold samples that were drawn one by one",
        ),
        (
            lambda: bootstrap_interval(
                OrdinalConfusion.from_predictions(TRUE, PRED, clusters=CLUSTER).at_prevalence(
                    SHARES
                )
            ),
            "confusion must not be weighted to given shares to be resampled, .*delta_interval",
        ),
    ],
)
def test_bad_input_is_an_error_in_one_line(call, message):
    with pytest.raises(ValueError, match=message) as error:
        call()
    assert "\n" not in str(error.value)


def test_accuracy_at_given_shares_varies_within_the_classes():
    shares, sizes = np.array([0.5, 0.2, 0.3]), COUNTS.sum(axis=1)
    rates = np.diagonal(COUNTS) / sizes
    variance = np.sum(shares**2 * rates * (1 - rates) / sizes)
    confusion = OrdinalConfusion.from_counts(COUNTS).at_prevalence(shares)
    interval = delta_interval(confusion, metrics="accuracy")
    assert interval.standard_error == pytest.approx(np.sqrt(variance * 150 / 149))
    stack = OrdinalConfusion.stack([confusion, confusion])
    assert stack.has_fixed_shares
    assert_same(delta_interval(stack, metrics="accuracy")[1], interval)
    assert_same(delta_interval(stack[0], metrics="accuracy"), interval)
    again = confusion.at_prevalence([0.2, 0.2, 0.6]).at_prevalence(shares)
    assert_same(delta_interval(again, metrics="accuracy"), interval)
    # A sum does not tell the factors of its parts apart.
    assert not (confusion + confusion).has_fixed_shares
    assert not stack.pooled().has_fixed_shares


@pytest.mark.parametrize("name", NAMES)
def test_standard_errors_at_given_shares_are_those_of_repeated_samples(name):
    metric, shares = get_metric(name), np.array([0.2, 0.3, 0.5])
    draws = np.random.default_rng(0).multinomial(1_500, COUNTS.ravel() / COUNTS.sum(), 4_000)
    samples = OrdinalConfusion.from_counts(draws.reshape(-1, 3, 3)).at_prevalence(shares)
    population = OrdinalConfusion.from_counts(10 * COUNTS).at_prevalence(shares)
    error = delta_interval(population, metrics=name).standard_error
    # The standard deviation of 4,000 values has a relative error of about 1.1%.
    assert error == pytest.approx(metric(samples).std(), rel=0.04)


def values_at_shares(name, predicted, weights):
    """Return the value of each array of weights of the samples, with factors computed from it."""
    values = []
    for weight in weights:
        sizes = np.bincount(TRUE, weight, minlength=4)
        # Unanswered samples count in the sizes of the classes.
        confusion = OrdinalConfusion.from_predictions(
            TRUE,
            predicted,
            labels=range(4),
            sample_weight=weight * (SHARES / sizes)[TRUE],
            unanswered="count",
        )
        values.append(get_metric(name)(confusion))
    return np.array(values)


def error_of_units(name, predicted, units, weight):
    """Return the standard error from differences by the number of times that a unit is drawn."""
    step, m = 1e-4, units.max() + 1
    moved = step * (units == np.arange(m)[:, None])
    higher, lower = (
        sum(
            sign * values_at_shares(name, p, weight * (1 + direction * moved))
            for sign, p in zip((1, -1), predicted, strict=False)
        )
        for direction in (1, -1)
    )
    slopes = (higher - lower) / (2 * step)
    return np.sqrt(m / (m - 1) * np.sum(slopes**2))


UNANSWERED = np.where(np.arange(N) % 7 == 3, None, PRED.astype(object))


@pytest.mark.parametrize("name", ["cem_ord", "accuracy"])
@pytest.mark.parametrize("weight", [np.ones(N), WEIGHT], ids=["plain", "weighted"])
@pytest.mark.parametrize("first", [PRED, UNANSWERED], ids=["answered", "unanswered"])
def test_clusters_and_systems_at_given_shares_vary_with_their_factors(first, weight, name):
    options = {"sample_weight": weight, "unanswered": "count", "clusters": CLUSTER}
    systems = OrdinalConfusion.from_systems(TRUE, {"a": first, "b": OTHER}, **options)
    at_shares = systems.at_prevalence(SHARES)
    intervals = delta_interval(at_shares, metrics=name)
    for system, predicted in (("a", first), ("b", OTHER)):
        expected = error_of_units(name, [predicted], CLUSTER, weight)
        assert intervals[system].standard_error == pytest.approx(expected, rel=1e-6)
        assert_same(delta_interval(at_shares[system], metrics=name), intervals[system])
    difference = paired_difference(at_shares, metrics=name, method="delta")
    expected = error_of_units(name, [first, OTHER], CLUSTER, weight)
    assert difference.standard_error == pytest.approx(expected, rel=1e-6)
    values = [values_at_shares(name, system, [weight])[0] for system in (first, OTHER)]
    assert difference.estimate == pytest.approx(values[0] - values[1], rel=1e-12)


def test_a_difference_at_given_shares_varies_with_the_samples():
    systems = OrdinalConfusion.from_systems(TRUE, {"a": PRED, "b": OTHER}).at_prevalence(SHARES)
    difference = paired_difference(systems, metrics="cem_ord", method="delta")
    expected = error_of_units("cem_ord", [PRED, OTHER], np.arange(N), np.ones(N))
    assert difference.standard_error == pytest.approx(expected, rel=1e-6)
    # A bootstrap that computes the factors anew in each resample.
    rng, differences = np.random.default_rng(0), []
    for _ in range(400):
        times = np.bincount(rng.integers(N, size=N), minlength=N).astype(float)
        values = [values_at_shares("cem_ord", p, [times])[0] for p in (PRED, OTHER)]
        differences.append(values[0] - values[1])
    assert difference.standard_error == pytest.approx(np.std(differences), rel=0.1)


def test_systems_on_clusters_have_the_intervals_of_each_system():
    predictions = {"a": PRED, "b": OTHER}
    systems = OrdinalConfusion.from_systems(TRUE, predictions, clusters=CLUSTER)
    found = delta_interval(systems, metrics=NAMES)
    for name in NAMES:
        for system, predicted in predictions.items():
            expected = delta_interval(TRUE, predicted, name, clusters=CLUSTER)
            assert_same(found[name][system], expected)


def test_a_share_of_zero_leaves_the_samples_of_a_class_out():
    shares = np.array([0.5, 0.5, 0, 0])
    confusion = OrdinalConfusion.from_predictions(TRUE, PRED, clusters=CLUSTER)
    found = delta_interval(confusion.at_prevalence(shares), metrics="cem_ord")
    of_two = TRUE < 2
    expected = OrdinalConfusion.from_predictions(
        TRUE[of_two], PRED[of_two], labels=range(4), clusters=CLUSTER[of_two]
    ).at_prevalence(shares)
    assert_same(found, delta_interval(expected, metrics="cem_ord"))
