"""Samples, or clusters, of which a fixed number was drawn from each stratum."""

import pickle

import numpy as np
import pytest
from scipy.stats import binomtest
from scipy.stats import t as student

from sklearn_ordinal import (
    GroupReport,
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalReport,
    OrdinalScores,
    compare_systems,
    ordinal_report,
    report_change,
    required_samples,
)
from sklearn_ordinal._core.evidence_kinds import LABELS, PROBABILITIES
from sklearn_ordinal.inference import (
    bootstrap_interval,
    delta_interval,
    multioutput_interval,
    paired_difference,
)

N = 300
RNG = np.random.default_rng(3)
STRATUM = np.repeat(["a", "b", "c"], [60, 90, 150])
TRUE = RNG.integers(4, size=N)
# Strata differ much in how many samples are right.
RIGHT = RNG.random(N) < np.repeat([0.1, 0.5, 0.9], [60, 90, 150])
FIRST = np.where(RIGHT, TRUE, (TRUE + 1) % 4)
SECOND = np.where(RNG.random(N) < 0.6, TRUE, (TRUE + 3) % 4)
PROBA = np.full((N, 4), 0.1) + 0.6 * np.eye(4)[FIRST]
# Each cluster lies in one stratum.
CLUSTER = np.arange(N) // 5
ORDER = RNG.permutation(N)


def stratified_error(values, stratum=STRATUM):
    """Return the standard error of a mean over strata of given sizes (Cochran 1977, 5.6)."""
    parts = [values[stratum == name] for name in np.unique(stratum)]
    return np.sqrt(sum(len(part) * part.var(ddof=1) for part in parts)) / len(values)


def test_counts_keep_the_strata_of_their_samples():
    confusion = OrdinalConfusion.from_predictions(TRUE[ORDER], FIRST[ORDER], strata=STRATUM[ORDER])
    expected = stratified_error(RIGHT.astype(float))
    for evidence in (confusion, pickle.loads(pickle.dumps(confusion))):
        interval = delta_interval(evidence, metrics="accuracy")
        assert interval.standard_error == pytest.approx(expected)
    assert repr(confusion).startswith("OrdinalConfusion of 300 samples in 3 strata,")
    one_by_one = delta_interval(TRUE, FIRST, "accuracy").standard_error
    assert expected < 0.8 * one_by_one


def test_a_group_keeps_its_strata():
    half = np.arange(N) % 2
    groups = OrdinalConfusion.from_predictions(TRUE, FIRST, strata=STRATUM, by=half)
    member = half == 1
    expected = stratified_error(RIGHT[member].astype(float), STRATUM[member])
    assert delta_interval(groups[1], metrics="accuracy").standard_error == pytest.approx(expected)


def test_probabilities_and_scores_keep_their_strata(tmp_path):
    losses = ((PROBA.cumsum(axis=1) - (np.arange(4) >= TRUE[:, None])) ** 2).sum(axis=1)
    forecasts = OrdinalForecasts.from_probabilities(TRUE, PROBA, strata=STRATUM)
    forecasts.to_json(tmp_path / "forecasts.json")
    for evidence in (
        forecasts,
        OrdinalForecasts.from_json(tmp_path / "forecasts.json"),
        pickle.loads(pickle.dumps(forecasts)),
    ):
        interval = delta_interval(evidence, metrics="ranked_probability_score")
        assert interval.standard_error == pytest.approx(stratified_error(losses))
    assert "300 samples in 3 strata" in repr(forecasts)
    score = PROBA @ np.arange(4)
    scores = OrdinalScores.from_scores(TRUE, score, strata=STRATUM, clusters=CLUSTER)
    assert "in 60 clusters of 3 strata" in repr(scores)
    of_scores, of_arrays, of_forecasts = (
        delta_interval(*data, metrics="concordance").standard_error
        for data in (
            (OrdinalScores.from_scores(TRUE, score, strata=STRATUM),),
            (OrdinalForecasts.from_probabilities(TRUE, PROBA, strata=STRATUM).to_scores(),),
            (forecasts,),
        )
    )
    assert of_scores == pytest.approx(of_arrays)
    assert of_scores == pytest.approx(of_forecasts)


def test_paired_differences_are_compared_within_strata():
    differences = (FIRST == TRUE).astype(float) - (SECOND == TRUE)
    delta = paired_difference(TRUE, FIRST, SECOND, "accuracy", method="delta", strata=STRATUM)
    assert delta.standard_error == pytest.approx(stratified_error(differences))
    resampled = paired_difference(
        TRUE, FIRST, SECOND, "accuracy", method="percentile", strata=STRATUM, random_state=0
    )
    assert resampled.standard_error == pytest.approx(delta.standard_error, rel=0.03)


@pytest.mark.parametrize("clusters", [None, CLUSTER])
def test_resamples_have_as_many_units_of_each_stratum(clusters):
    options = {"clusters": clusters, "strata": STRATUM}
    stratum = STRATUM if clusters is None else STRATUM[::5]
    sizes = np.unique(stratum, return_counts=True)[1]
    confusion = OrdinalConfusion.from_predictions(TRUE, FIRST, **options)
    forecasts = OrdinalForecasts.from_probabilities(TRUE, PROBA, **options)
    for units in (LABELS.units([confusion]), PROBABILITIES.units([forecasts])):
        drawn = np.concatenate(
            list(units.drawn(np.random.default_rng(0), 50)), axis=1, dtype=np.int64
        )
        of_strata = np.add.reduceat(drawn, units.starts, axis=0)
        np.testing.assert_array_equal(of_strata, np.repeat(sizes[:, None], 50, axis=1))


@pytest.mark.parametrize("clusters", [None, CLUSTER])
def test_bootstrap_intervals_are_those_of_stratified_samples(clusters):
    options = {"clusters": clusters, "strata": STRATUM}
    intervals = bootstrap_interval(
        TRUE, FIRST, ["cem_ord", "accuracy", "minimum_sensitivity"], random_state=0, **options
    )
    for name in ("cem_ord", "accuracy"):
        delta = delta_interval(TRUE, FIRST, name, **options)
        assert intervals[name].low == pytest.approx(delta.low, abs=0.01)
        assert intervals[name].high == pytest.approx(delta.high, abs=0.01)
    loss = bootstrap_interval(
        TRUE, PROBA, "ranked_probability_score", n_resamples=4000, random_state=0, **options
    )
    delta = delta_interval(TRUE, PROBA, "ranked_probability_score", **options)
    assert (loss.low, loss.high) == pytest.approx((delta.low, delta.high), abs=0.01)


def test_a_change_compares_stratified_samples():
    old = OrdinalConfusion.from_predictions(TRUE, FIRST, strata=STRATUM)
    new = OrdinalConfusion.from_predictions(TRUE, SECOND)
    change = report_change(old, new, "accuracy").differences["accuracy"]
    right = (SECOND == TRUE).astype(float)
    expected = np.hypot(stratified_error(RIGHT.astype(float)), right.std(ddof=1) / np.sqrt(N))
    assert change.standard_error == pytest.approx(expected)


def test_the_mean_of_outputs_has_the_strata_of_its_persons():
    y_true, y_pred = np.column_stack([TRUE, TRUE]), np.column_stack([FIRST, SECOND])
    interval = multioutput_interval(y_true, y_pred, "accuracy", strata=STRATUM)["mean"]
    means = (y_true == y_pred).mean(axis=1)
    assert interval.standard_error == pytest.approx(stratified_error(means))


def test_reports_have_intervals_of_clusters_in_strata():
    options = {"clusters": CLUSTER, "strata": STRATUM}
    report = OrdinalReport.from_predictions(
        TRUE,
        FIRST,
        y_proba=PROBA,
        metrics=["accuracy", "ranked_probability_score"],
        intervals=True,
        **options,
    )
    sums = np.bincount(CLUSTER, RIGHT - RIGHT.mean())
    parts = [sums[STRATUM[::5] == name] for name in "abc"]
    error = np.sqrt(sum(len(part) * part.var(ddof=1) for part in parts)) / N
    assert report.intervals["accuracy"].standard_error == pytest.approx(error)
    expected = delta_interval(TRUE, PROBA, "ranked_probability_score", **options)
    found = report.intervals["ranked_probability_score"].standard_error
    assert found == pytest.approx(expected.standard_error)
    text = ordinal_report(TRUE, FIRST, intervals=True, **options)
    assert "in 60 clusters of 3 strata" in text


def test_the_t_quantile_has_the_degrees_of_freedom_of_all_strata():
    values = RIGHT.astype(float)
    interval = delta_interval(TRUE, FIRST, "ordinal_mean_absolute_error", strata=STRATUM)
    distances = np.abs(FIRST - TRUE).astype(float)
    variances, degrees = [], []
    for name in "abc":
        part = distances[name == STRATUM]
        n = len(part)
        variances.append(n * part.var(ddof=1))
        moves = part - part.mean()
        g = n * (moves**4).sum() / (moves**2).sum() ** 2 - 3
        g = max(0, (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * g + 6))
        degrees.append(min(n - 1, max(2 / (g / n + 2 / (n - 1)) - 2, (n - 1) / 2)))
    degree = sum(variances) ** 2 / sum(v**2 / d for v, d in zip(variances, degrees, strict=True))
    assert values.any()
    width = np.log(interval.high * (3 - interval.low) / (interval.low * (3 - interval.high)))
    slope = 3 / (interval.estimate * (3 - interval.estimate))
    expected = 2 * student.ppf(0.975, degree) * interval.standard_error * slope
    assert width == pytest.approx(expected)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: OrdinalConfusion.from_predictions(TRUE, FIRST, strata=STRATUM[1:]),
            "strata must have a value for each of the 300 samples, got 299",
        ),
        (
            lambda: OrdinalConfusion.from_predictions([0, 1, 1], [0, 1, 0], strata=["a", "a", "b"]),
            "strata must have at least two samples each, got one in stratum 'b': merge it",
        ),
        (
            lambda: OrdinalForecasts.from_probabilities(
                TRUE, PROBA, strata=STRATUM, clusters=np.arange(N) % 50
            ),
            r"clusters must have all their samples in one stratum, got one in \['.', '.'\]: give",
        ),
        (
            lambda: required_samples(
                OrdinalConfusion.from_predictions(TRUE, FIRST, strata=STRATUM),
                "accuracy",
                half_width=0.02,
                design="unpaired",
            ),
            "pilot must not have strata",
        ),
        (
            lambda: sum(2 * [OrdinalConfusion.from_predictions(TRUE, FIRST, strata=STRATUM)]),
            "confusions must not have clusters or strata to be added",
        ),
    ],
)
def test_errors_name_the_strata_and_the_way_out(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_stratum_of_one_sample_in_a_group_leaves_its_interval_undefined():
    groups = OrdinalConfusion.from_predictions(
        TRUE, FIRST, strata=STRATUM, by=np.where(np.arange(N) == 0, "x", np.where(RIGHT, "y", "x"))
    )
    member = np.r_[0, np.flatnonzero(STRATUM != "a")]
    lone = np.zeros(N, dtype=bool)
    lone[member] = True
    by = np.where(lone, "x", "y")
    groups = OrdinalConfusion.from_predictions(TRUE, FIRST, strata=STRATUM, by=by)
    with pytest.warns(Warning, match="with strata, each needs two"):
        assert np.isnan(delta_interval(groups["x"], metrics="accuracy").low)


def second_opinion(values, weights, group, stratum, cluster):
    """Return the standard error of a linear contrast of group means (Cochran 1977, 5A)."""
    share = weights / np.array([1, *np.bincount(group)])[1:]
    moved = (values - (np.bincount(group, values) / np.bincount(group))[group]) * share[group]
    totals = np.bincount(cluster, moved)
    sample = np.zeros(len(totals), dtype=int)
    sample[cluster] = np.unique(stratum, return_inverse=True)[1]
    parts = [totals[sample == h] for h in np.unique(sample)]
    return np.sqrt(sum(len(part) * part.var(ddof=1) for part in parts))


@pytest.mark.parametrize("crossed", [True, False])
def test_values_and_contrasts_of_groups_have_strata(crossed):
    # Without clusters, and with clusters whose samples are all in one group or in several groups.
    right = RIGHT.astype(float)
    group = np.arange(N) % 3 if crossed else CLUSTER % 3
    report = GroupReport.from_predictions(
        TRUE, FIRST, by=group, metrics="accuracy", clusters=CLUSTER, strata=STRATUM
    )
    assert "3 groups, 60 clusters of 3 strata" in str(report)
    found = report.overall["accuracy"].standard_error
    stratified = delta_interval(TRUE, FIRST, "accuracy", clusters=CLUSTER, strata=STRATUM)
    assert found == pytest.approx(stratified.standard_error)
    sample = STRATUM if crossed else np.char.add(STRATUM, group.astype(str))
    contrasts = report.contrasts(reference="0").contrasts["accuracy"]
    for k in (1, 2):
        weights = np.zeros(3)
        weights[[0, k]] = -1, 1
        expected = second_opinion(right, weights, group, sample, CLUSTER)
        assert contrasts[str(k)].standard_error == pytest.approx(expected)
        of_group = report.by_group["accuracy"][str(k)].standard_error
        expected = second_opinion(right, np.eye(3)[k], group, sample, CLUSTER)
        assert of_group == pytest.approx(expected)


def test_groups_of_samples_drawn_one_by_one_have_strata():
    group = np.arange(N) % 2
    for metric, y_pred, proba in (
        ("accuracy", FIRST, None),
        ("ranked_probability_score", None, PROBA),
    ):
        report = GroupReport.from_predictions(
            TRUE, y_pred, y_proba=proba, by=group, metrics=metric, strata=STRATUM
        )
        assert "2 groups, 3 strata" in str(report)
        value = report.overall[metric].standard_error
        predicted = FIRST if proba is None else PROBA
        assert value == pytest.approx(
            delta_interval(TRUE, predicted, metric, strata=STRATUM).standard_error
        )
    report = GroupReport.from_predictions(TRUE, FIRST, by=group, metrics="accuracy", strata=STRATUM)
    sample = np.char.add(STRATUM, group.astype(str))
    expected = second_opinion(RIGHT.astype(float), np.array([-1, 1]), group, sample, np.arange(N))
    contrast = report.contrasts(reference="0").contrasts["accuracy"]["1"]
    assert contrast.standard_error == pytest.approx(expected)


def test_a_group_with_one_sample_of_a_stratum_has_no_interval():
    group = np.where(np.arange(N) < 1, 1, np.where(STRATUM == "a", 0, np.arange(N) % 2))
    with pytest.warns(Warning, match="There is no interval in closed form"):
        report = GroupReport.from_predictions(
            TRUE, FIRST, by=group, metrics="accuracy", strata=STRATUM
        )
    assert np.isfinite(report.by_group["accuracy"]["0"].low)
    assert np.isnan(report.by_group["accuracy"]["1"].low)
    assert np.isfinite(report.overall["accuracy"].low)


def test_systems_and_their_means_over_groups_have_strata():
    systems = {"first": FIRST, "second": SECOND}
    drawn = {"clusters": CLUSTER, "strata": STRATUM}
    report = compare_systems(TRUE, systems, metrics="accuracy", **drawn)
    paired = paired_difference(TRUE, FIRST, SECOND, "accuracy", method="delta", **drawn)
    assert report.standard_errors["accuracy"][0, 1] == pytest.approx(paired.standard_error)
    assert "300 samples in 60 clusters of 3 strata" in str(report)
    group = CLUSTER % 3
    means = compare_systems(
        TRUE, systems, metrics="accuracy", by=group, overall="mean of groups", **drawn
    )
    sample = np.char.add(STRATUM, group.astype(str))
    first, second = ((predicted == TRUE).astype(float) for predicted in (FIRST, SECOND))
    equal = np.full(3, 1 / 3)
    expected = second_opinion(first, equal, group, sample, CLUSTER)
    assert means.scores["accuracy"]["first"].standard_error == pytest.approx(expected)
    expected = second_opinion(first - second, equal, group, sample, CLUSTER)
    assert means.standard_errors["accuracy"][0, 1] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("n_in_x", "n_in_y", "n_reverse"), [(8, 0, 0), (9, 0, 0), (6, 0, 3), (4, 3, 1), (0, 5, 0)]
)
def test_few_samples_decide_by_the_exact_sign_test_in_strata_too(n_in_x, n_in_y, n_reverse):
    true, strata = np.arange(80) % 2, np.repeat(["x", "y"], 40)
    first, second = true.copy(), true.copy()
    for start, n_wrong in ((0, n_in_x), (40, n_in_y)):
        second[start : start + n_wrong] ^= 1
    first[60 : 60 + n_reverse] ^= 1
    difference = paired_difference(true, first, second, "accuracy", method="delta", strata=strata)
    n_samples = n_in_x + n_in_y + n_reverse
    expected = binomtest(n_reverse, n_samples).pvalue
    assert difference.pvalue == pytest.approx(expected)
