"""Closed-form intervals for probabilities and scores, against DeLong and robust regressions."""

import numpy as np
import pytest
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score

from sklearn_ordinal import OrdinalForecasts, OrdinalScores
from sklearn_ordinal.inference import bootstrap_interval, delta_interval, paired_difference
from tests import degrees_of_freedom

RNG = np.random.default_rng(1)
N, K = 240, 4
TRUE = RNG.choice(K, size=N, p=[0.4, 0.3, 0.2, 0.1])
SCORE = np.round(TRUE + RNG.normal(size=N), 1)
OTHER_SCORE = np.round(TRUE + 2 * RNG.normal(size=N), 1)
PROBA, OTHER_PROBA = (
    np.exp(-np.abs(score[:, None] - np.arange(K))) * RNG.uniform(0.2, 1, (N, K))
    for score in (SCORE, OTHER_SCORE)
)
PROBA /= PROBA.sum(axis=1, keepdims=True)
OTHER_PROBA /= OTHER_PROBA.sum(axis=1, keepdims=True)
WEIGHT = RNG.uniform(0.2, 3, N)
CLUSTER = RNG.integers(30, size=N)
IS_HIGH = (TRUE > 1).astype(int)
OF_PROBABILITIES = [
    "ranked_probability_score",
    "ranked_probability_skill",
    "log_loss",
    "brier_score",
    "expected_cem_ord",
    "unimodality",
]
OF_SCORES = ["concordance", "mean_pairwise_roc_auc", "threshold_roc_auc", "ranking_error"]
ALL = [*OF_PROBABILITIES, *OF_SCORES]


def loss(y_proba):
    """Return the ranked probability score of each sample, from the events of all thresholds."""
    events = TRUE[:, None] <= np.arange(K - 1)
    return ((np.cumsum(y_proba, axis=1)[:, :-1] - events) ** 2).sum(axis=1)


def numbers(interval):
    return interval.estimate, interval.low, interval.high, interval.standard_error


def assert_same(interval, expected, tolerance=1e-9):
    np.testing.assert_allclose(numbers(interval), numbers(expected), rtol=tolerance)


def placements(score):
    """Return the placements of the high and of the low samples, by loops over pairs."""
    high, low = score[IS_HIGH == 1], score[IS_HIGH == 0]
    wins = np.array([[float(x > y) + 0.5 * float(x == y) for y in low] for x in high])
    return wins.mean(axis=1), wins.mean(axis=0)


@pytest.mark.parametrize("name", ["concordance", "mean_pairwise_roc_auc", "threshold_roc_auc"])
def test_classes_as_strata_give_the_standard_error_of_delong(name):
    """DeLong, DeLong and Clarke-Pearson (1988): S10 / m + S01 / n."""
    of_high, of_low = placements(SCORE)
    variance = of_high.var(ddof=1) / len(of_high) + of_low.var(ddof=1) / len(of_low)
    interval = delta_interval(IS_HIGH, SCORE, name, strata=IS_HIGH)
    assert interval.estimate == pytest.approx(roc_auc_score(IS_HIGH, SCORE))
    assert interval.standard_error == pytest.approx(np.sqrt(variance), rel=1e-12)


def test_the_difference_of_two_areas_has_the_variance_of_delong():
    """Up to the degrees of freedom: the sizes of the classes are not fixed here."""
    pairs = zip(placements(SCORE), placements(OTHER_SCORE), strict=True)
    variance = sum((first - second).var() / len(first) for first, second in pairs)
    difference = paired_difference(IS_HIGH, SCORE, OTHER_SCORE, "concordance", method="delta")
    assert difference.standard_error == pytest.approx(np.sqrt(variance * N / (N - 1)), rel=1e-12)
    areas = roc_auc_score(IS_HIGH, SCORE) - roc_auc_score(IS_HIGH, OTHER_SCORE)
    assert difference.estimate == pytest.approx(areas)


def fit_mean(values, weight, cluster):
    regression = pytest.importorskip("statsmodels.api")
    options = {"cov_type": "HC1"}
    if cluster is not None:
        options = {"cov_type": "cluster", "cov_kwds": {"groups": cluster}, "use_t": True}
    model = regression.WLS(values, np.ones(N), weights=1 if weight is None else weight)
    return model.fit(**options)


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
@pytest.mark.parametrize("cluster", [None, CLUSTER], ids=["samples", "clusters"])
def test_a_mean_of_losses_has_robust_errors(weight, cluster):
    options = {"sample_weight": weight, "clusters": cluster}
    expected = fit_mean(loss(PROBA), weight, cluster)
    interval = delta_interval(TRUE, PROBA, "ranked_probability_score", **options)
    assert interval.estimate == pytest.approx(expected.params[0])
    assert interval.standard_error == pytest.approx(expected.bse[0], rel=1e-9)
    expected = fit_mean(loss(PROBA) - loss(OTHER_PROBA), weight, cluster)
    difference = paired_difference(
        TRUE, PROBA, OTHER_PROBA, "ranked_probability_score", method="delta", **options
    )
    assert difference.standard_error == pytest.approx(expected.bse[0], rel=1e-9)


def test_differences_of_means_have_the_paired_t_test():
    moved = loss(PROBA) - loss(OTHER_PROBA)
    expected = stats.ttest_rel(loss(PROBA), loss(OTHER_PROBA))
    _, degrees = degrees_of_freedom.of_means(moved)
    difference = paired_difference(
        TRUE, PROBA, OTHER_PROBA, "ranked_probability_score", method="delta"
    )
    ratio = difference.estimate / difference.standard_error
    assert ratio == pytest.approx(expected.statistic, rel=1e-9)
    pvalue = degrees_of_freedom.two_sided(expected.statistic, degrees)
    assert difference.pvalue == pytest.approx(pvalue, rel=1e-9)
    ends = stats.t.interval(0.95, degrees, moved.mean(), stats.sem(moved))
    np.testing.assert_allclose([difference.low, difference.high], ends, rtol=1e-9)


def test_losses_have_the_standard_errors_of_means():
    of_true = PROBA[np.arange(N), TRUE]
    squared = ((PROBA - np.eye(K)[TRUE]) ** 2).sum(axis=1)
    intervals = delta_interval(TRUE, PROBA, ["log_loss", "brier_score"])
    for interval, losses in zip(intervals.values(), (-np.log(of_true), squared), strict=True):
        expected = losses.std(ddof=1) / np.sqrt(N)
        assert interval.standard_error == pytest.approx(expected, rel=1e-9)
    assert intervals["log_loss"].estimate == pytest.approx(log_loss(TRUE, PROBA))
    two = delta_interval(IS_HIGH, PROBA[:, [0, 1]] / PROBA[:, :2].sum(1)[:, None], "brier_score")
    proba = PROBA[:, 1] / PROBA[:, :2].sum(axis=1)
    assert two.estimate == pytest.approx(brier_score_loss(IS_HIGH, proba))
    expected = ((proba - IS_HIGH) ** 2).std(ddof=1) / np.sqrt(N)
    assert two.standard_error == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("name", ALL)
def test_the_interval_is_close_to_the_bootstrap(name):
    closed = delta_interval(TRUE, PROBA, name)
    bootstrap = bootstrap_interval(TRUE, PROBA, name, n_resamples=2_000, random_state=0)
    assert closed.estimate == bootstrap.estimate
    width = bootstrap.high - bootstrap.low
    assert closed.low == pytest.approx(bootstrap.low, abs=0.1 * width)
    assert closed.high == pytest.approx(bootstrap.high, abs=0.1 * width)


def test_all_stands_for_the_metrics_with_influences():
    assert set(delta_interval(TRUE, PROBA, "all")) == set(ALL)
    assert list(delta_interval(OrdinalScores.from_scores(TRUE, SCORE), metrics="all")) == OF_SCORES


@pytest.mark.parametrize("options", [{}, {"sample_weight": WEIGHT}, {"clusters": CLUSTER}])
def test_evidence_has_the_same_closed_form_as_arrays(options):
    forecasts = OrdinalForecasts.from_probabilities(TRUE, PROBA, **options)
    other = OrdinalForecasts.from_probabilities(TRUE, OTHER_PROBA, **options)
    expected = delta_interval(TRUE, PROBA, ALL, **options)
    for name, interval in delta_interval(forecasts, metrics=ALL).items():
        assert_same(interval, expected[name])
    expected = paired_difference(TRUE, PROBA, OTHER_PROBA, ALL, method="delta", **options)
    differences = paired_difference([forecasts, other], metrics=ALL, method="delta")
    for name, difference in differences.items():
        assert_same(difference, expected[name])
        assert difference.pvalue == pytest.approx(expected[name].pvalue)


def test_a_stack_has_one_interval_for_each_part():
    by = np.array(["north", "south", "west"])[CLUSTER % 3]
    options = {"sample_weight": WEIGHT, "labels": range(K)}
    stack = OrdinalForecasts.from_probabilities(TRUE, PROBA, by=by, **options)
    intervals = delta_interval(stack, metrics=ALL)
    for name in ALL:
        assert list(intervals[name]) == ["north", "south", "west"]
        for group, interval in intervals[name].items():
            member = by == group
            single = delta_interval(
                TRUE[member], PROBA[member], name, sample_weight=WEIGHT[member], labels=range(K)
            )
            assert_same(interval, single)


def test_the_groups_of_a_stack_may_be_clusters():
    stack = OrdinalForecasts.from_probabilities(TRUE, PROBA, by=CLUSTER, sample_weight=WEIGHT)
    intervals = delta_interval(stack, metrics=ALL, clusters=stack.groups)
    expected = delta_interval(TRUE, PROBA, ALL, clusters=CLUSTER, sample_weight=WEIGHT)
    for name in ALL:
        assert_same(intervals[name], expected[name])


def test_clusters_of_one_sample_are_samples_and_no_weight_is_no_sample():
    expected = delta_interval(TRUE, PROBA, ALL)
    twice = np.tile(np.arange(N), 2)
    options = {"sample_weight": np.repeat([1.0, 0.0], N), "labels": range(K)}
    for more in ({}, {"clusters": np.arange(2 * N)}, {"strata": np.zeros(2 * N)}):
        intervals = delta_interval(TRUE[twice], PROBA[twice], ALL, **options, **more)
        for name in ALL:
            assert_same(intervals[name], expected[name])


def test_an_undefined_value_has_no_interval():
    with pytest.warns(UndefinedMetricWarning, match=r"the value is undefined \(concordance\)"):
        interval = delta_interval([1, 1, 1], [0.1, 0.2, 0.3], "concordance", labels=[0, 1, 2])
    assert np.isnan([interval.low, interval.high]).all()
    with pytest.warns(UndefinedMetricWarning, match="the standard error is 0"):
        delta_interval([0, 1, 2] * 3, np.eye(3)[[0, 1, 2] * 3], "ranked_probability_score")


def test_clusters_in_a_stack_are_refused_in_one_line():
    options = {"by": CLUSTER % 3, "clusters": CLUSTER}
    stack = OrdinalForecasts.from_probabilities(TRUE, PROBA, **options)
    with pytest.raises(ValueError, match="evidence must have one weight for each sample if"):
        delta_interval(stack, metrics="log_loss")
    with pytest.raises(ValueError, match="clusters must be left out if the evidence holds"):
        delta_interval(stack, metrics="log_loss", clusters=stack.groups)
    with pytest.raises(ValueError, match="y_true must have at least 2 samples"):
        delta_interval([0], [[0.5, 0.5]], "log_loss", labels=[0, 1])
