"""Means of values over groups: NumPy by hand, and the meta-analysis of statsmodels."""

import math

import numpy as np
import pytest
from scipy import stats
from scipy.special import expit, logit
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import cohen_kappa_score

from sklearn_ordinal import GroupReport
from tests import degrees_of_freedom

RNG = np.random.default_rng(0)
SIZES = (60, 90, 150)
GROUP = np.repeat(np.arange(3), SIZES)
TRUE = RNG.integers(4, size=300)
PRED = np.clip(TRUE + (RNG.random(300) < 0.3 + 0.1 * GROUP) * RNG.choice([-1, 1], 300), 0, 3)
KAPPA = "quadratic_weighted_kappa"


def report(metrics, **options):
    return GroupReport.from_predictions(
        TRUE, PRED, by=GROUP, metrics=metrics, labels=range(4), **options
    )


@pytest.mark.parametrize("weights", ["equal", "samples"])
def test_the_mean_accuracy_has_the_interval_of_a_stratified_mean(weights):
    is_right = [TRUE[g == GROUP] == PRED[g == GROUP] for g in range(3)]
    share = np.full(3, 1 / 3) if weights == "equal" else np.array(SIZES) / 300
    mean = share @ [part.mean() for part in is_right]
    moves = [w * (part - part.mean()) / len(part) for w, part in zip(share, is_right, strict=True)]
    error, degrees = degrees_of_freedom.of_samples(moves, [None] * 3)
    found = report("accuracy").mean(weights=weights)["accuracy"]
    assert (found.estimate, found.standard_error) == pytest.approx((mean, error))
    # The interval is symmetric in the log-odds.
    margin = stats.t.ppf(0.975, degrees) * error / (mean * (1 - mean))
    ends = expit(logit(mean) + np.array([-margin, margin]))
    assert (found.low, found.high) == pytest.approx(tuple(ends))
    if weights == "samples":
        assert mean == pytest.approx((TRUE == PRED).mean())


@pytest.mark.parametrize("metric", [KAPPA, "kendall_tau_b"])
def test_kappas_and_correlations_are_averaged_as_fishers_z(metric):
    found = report(metric)
    values = list(found.by_group[metric].values())
    kappas = np.array([value.estimate for value in values])
    errors = np.array([value.standard_error for value in values]) / (1 - kappas**2)
    mean = found.mean()[metric]
    z = np.arctanh(kappas).mean()
    assert mean.estimate == pytest.approx(np.tanh(z))
    # By the delta method, the standard error of z is that of the kappa divided by 1 - kappa**2.
    error = np.sqrt((errors**2).sum()) / 3
    assert mean.standard_error == pytest.approx(error * (1 - np.tanh(z) ** 2))
    ends = np.arctanh([mean.low, mean.high])
    assert ends.mean() == pytest.approx(z)
    assert stats.t.ppf(0.975, 300) < np.ptp(ends) / 2 / error < stats.t.ppf(0.975, 59 / 2)


def test_groups_of_the_same_variance_have_the_mean_of_a_meta_analysis():
    meta_analysis = pytest.importorskip("statsmodels.stats.meta_analysis")
    y_true = np.tile(TRUE[:100], 3)
    y_pred = np.tile(PRED[:100], 3)
    found = GroupReport.from_predictions(
        y_true, y_pred, by=np.repeat([0, 1, 2], 100), metrics=KAPPA, labels=range(4)
    )
    values = list(found.by_group[KAPPA].values())
    kappas = np.array([value.estimate for value in values])
    variances = np.array([value.standard_error for value in values]) ** 2 / (1 - kappas**2) ** 2
    # Equal values have no heterogeneity.
    with np.errstate(divide="ignore", invalid="ignore"):
        pooled = meta_analysis.combine_effects(np.arctanh(kappas), variances)
    mean = found.mean()[KAPPA]
    assert mean.estimate == pytest.approx(np.tanh(pooled.mean_effect_fe))
    scale = 1 - mean.estimate**2
    assert mean.standard_error / scale == pytest.approx(pooled.sd_eff_w_fe)


def test_clusters_move_the_mean_of_the_groups_that_they_share():
    cluster = RNG.integers(30, size=300)
    is_right = (TRUE == PRED) * 1.0
    deviations = is_right - np.array([is_right[g == GROUP].mean() for g in GROUP])
    moves = np.bincount(cluster, deviations / (3 * np.array(SIZES)[GROUP]))
    error, _ = degrees_of_freedom.of_samples([moves], [np.bincount(cluster)])
    found = report("accuracy", clusters=cluster).mean()["accuracy"]
    assert found.standard_error == pytest.approx(error)


def test_a_group_without_a_value_leaves_no_mean():
    y_pred = np.where(GROUP == 1, TRUE, PRED)
    y_true = np.where(GROUP == 1, 2, TRUE)
    y_pred = np.where(GROUP == 1, 2, y_pred)
    with pytest.warns(UndefinedMetricWarning):
        found = GroupReport.from_predictions(
            y_true, y_pred, by=GROUP, metrics=[KAPPA, "accuracy"], labels=range(4)
        )
    with pytest.warns(UndefinedMetricWarning, match=f"no value, .*: {KAPPA} for 1"):
        means = found.mean()
    assert math.isnan(means[KAPPA].estimate)
    assert math.isnan(means[KAPPA].low)
    assert means["accuracy"].low > 0


def test_shares_that_are_all_1_have_the_interval_of_wilson():
    with pytest.warns(UndefinedMetricWarning, match="ordinal_bias"):
        found = GroupReport.from_predictions(
            TRUE, TRUE, by=GROUP, metrics="accuracy", labels=range(4)
        )
    low, high = stats.binomtest(300, 300).proportion_ci(method="wilson")
    mean = found.mean(weights="samples")["accuracy"]
    assert (mean.low, mean.high) == pytest.approx((low, high))


def test_weights_are_equal_or_those_of_the_samples():
    with pytest.raises(ValueError, match="weights must be one of"):
        report("accuracy").mean(weights="size")


def essays(tops):
    """Return grades from 0 to the highest grade of each prompt, predictions and prompts."""
    rng = np.random.default_rng(1)
    prompt = np.repeat(np.arange(len(tops)), 100)
    y_true = rng.binomial(np.array(tops)[prompt], 0.6)
    y_pred = np.clip(y_true + rng.integers(-1, 2, size=len(prompt)), 0, max(tops))
    return y_true, y_pred, prompt


def test_a_note_says_that_differences_between_groups_make_a_kappa_high():
    y_true, y_pred, prompt = essays([12, 3, 20, 6])
    report = GroupReport.from_predictions(
        y_true, y_pred, by={"prompt": prompt}, metrics=[KAPPA, "accuracy"], labels=range(21)
    )
    # The lower median of each prompt.
    median = np.array([np.sort(y_true[g == prompt])[49] for g in prompt])
    reached = cohen_kappa_score(y_true, median, weights="quadratic")
    assert (
        f"Predicting a constant class for each prompt reaches {reached:.2f} by {KAPPA} on all "
        f"samples, and 0.00 within each prompt on average, so the value on all samples may come "
        f"from differences between groups: see the mean over the groups, GroupReport.mean."
    ) in " ".join(str(report).split())


@pytest.mark.parametrize(("tops", "metric"), [((6, 6, 6), KAPPA), ((12, 3, 20), "accuracy")])
def test_there_is_no_note_if_groups_or_constants_within_them_are_alike(tops, metric):
    y_true, y_pred, prompt = essays(tops)
    report = GroupReport.from_predictions(
        y_true, y_pred, by=prompt, metrics=metric, labels=range(21)
    )
    assert "Predicting a constant" not in str(report)
