"""Intervals, tests and reports of soft labels, whose items are the units."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest

from sklearn_ordinal import (
    GroupReport,
    OrdinalConfusion,
    OrdinalForecasts,
    OrdinalRatings,
    OrdinalReport,
    OrdinalScores,
    compare_systems,
    get_metric,
    ordinal_report,
)
from sklearn_ordinal.inference import bootstrap_interval, delta_interval, paired_difference

RNG = np.random.default_rng(1)
N, K = 60, 4
GRADES = np.clip(
    np.arange(N)[:, None] % K + RNG.choice([-1, 0, 0, 1], size=(N, 3)), 0, K - 1
).astype(float)
GRADES[RNG.random((N, 3)) < 0.2] = np.nan
GRADES[np.isnan(GRADES).all(axis=1), 0] = 2
RATINGS = OrdinalRatings.from_ratings(GRADES, labels=range(K))
SOFT = RATINGS.class_shares
FIRST, SECOND = (np.clip(np.arange(N) % K + RNG.choice([-1, 0, 0, 1], N), 0, K - 1) for _ in "ab")
FIRST[:K] = SECOND[:K] = range(K)
PROBA, OTHER_PROBA = RNG.dirichlet(np.ones(K), (2, N)) / 2 + np.eye(K)[[FIRST, SECOND]] / 2
WEIGHT = RNG.uniform(0.5, 2, N)
WEIGHT[3] = 0
CLUSTERS = np.arange(N) // 4
BY = np.array(["north", "south"])[np.arange(N) // 4 % 2]
OPTIONS = {"n_resamples": 99, "random_state": 0}
TESTED = {"n_permutations": 99, "random_state": 0}
SOFT_LABELS = pytest.mark.parametrize("soft", [SOFT, RATINGS], ids=["shares", "ratings"])

# A row for each grade, with the share of its rater, as one would write it without soft labels.
ITEM, RATER = np.nonzero(~np.isnan(GRADES))
ROWS = GRADES[ITEM, RATER].astype(int)
SHARE = 1 / (~np.isnan(GRADES)).sum(axis=1)[ITEM]
BY_ROWS = {"labels": range(K), "sample_weight": SHARE, "clusters": ITEM}


def same(interval, expected):
    ends = [[i.estimate, i.low, i.high] for i in (interval, expected)]
    np.testing.assert_allclose(*ends, rtol=1e-9, atol=1e-12)


@SOFT_LABELS
@pytest.mark.parametrize("metric", ["cem_ord", "quadratic_weighted_kappa", "accuracy"])
def test_an_interval_is_that_of_the_grades_as_rows_in_clusters(soft, metric):
    same(delta_interval(soft, FIRST, metric), delta_interval(ROWS, FIRST[ITEM], metric, **BY_ROWS))
    options = {"n_resamples": 199, "random_state": 0}
    same(
        bootstrap_interval(soft, FIRST, metric, **options),
        bootstrap_interval(ROWS, FIRST[ITEM], metric, **BY_ROWS, **options),
    )


@SOFT_LABELS
def test_probabilities_and_scores_are_read_likewise(soft):
    score = PROBA @ np.arange(K)
    for predicted, metric in ((PROBA, "ranked_probability_score"), (score, "concordance")):
        expected = delta_interval(ROWS, predicted[ITEM], metric, **BY_ROWS)
        same(delta_interval(soft, predicted, metric), expected)
        same(
            bootstrap_interval(soft, predicted, metric, **OPTIONS),
            bootstrap_interval(ROWS, predicted[ITEM], metric, **BY_ROWS, **OPTIONS),
        )


def test_the_standard_error_is_that_of_items_left_out():
    metric = get_metric("quadratic_weighted_kappa")
    left_out = [
        metric(
            OrdinalConfusion.from_soft_labels(
                np.delete(SOFT, i, axis=0), np.delete(FIRST, i), labels=range(K)
            )
        )
        for i in range(N)
    ]
    jackknife = np.sqrt((N - 1) * np.var(left_out))
    error = delta_interval(SOFT, FIRST, metric).standard_error
    assert error == pytest.approx(jackknife, rel=0.03)
    as_samples = delta_interval(ROWS, FIRST[ITEM], metric, labels=range(K), sample_weight=SHARE)
    assert as_samples.standard_error < 0.95 * error


def test_a_mean_has_the_standard_error_of_the_items():
    errors = (SOFT * np.abs(np.arange(K) - FIRST[:, None])).sum(axis=1)
    interval = delta_interval(SOFT, FIRST, "ordinal_mean_absolute_error")
    assert interval.estimate == pytest.approx(errors.mean())
    assert interval.standard_error == pytest.approx(errors.std(ddof=1) / np.sqrt(N))
    mean = np.average(errors, weights=WEIGHT)
    weighted = delta_interval(SOFT, FIRST, "ordinal_mean_absolute_error", sample_weight=WEIGHT)
    squares = ((WEIGHT * (errors - mean)) ** 2).sum()
    n = N - 1  # The item of weight zero does not count.
    expected = np.sqrt(squares * n / (n - 1)) / WEIGHT.sum()
    assert weighted.standard_error == pytest.approx(expected)


@SOFT_LABELS
def test_clusters_contain_items(soft):
    errors = (SOFT * np.abs(np.arange(K) - FIRST[:, None])).sum(axis=1)
    sums = np.bincount(CLUSTERS, errors - errors.mean())
    m = len(sums)
    interval = delta_interval(soft, FIRST, "ordinal_mean_absolute_error", clusters=CLUSTERS)
    expected = np.sqrt(m / (m - 1) * (sums**2).sum()) / N
    assert interval.standard_error == pytest.approx(expected)
    same(
        bootstrap_interval(soft, FIRST, clusters=CLUSTERS, **OPTIONS),
        bootstrap_interval(
            ROWS,
            FIRST[ITEM],
            labels=range(K),
            sample_weight=SHARE,
            clusters=CLUSTERS[ITEM],
            **OPTIONS,
        ),
    )


def test_strata_contain_items():
    errors = (SOFT * np.abs(np.arange(K) - FIRST[:, None])).sum(axis=1)
    halves = [errors[name == BY] for name in ("north", "south")]
    variance = sum(len(half) * half.var(ddof=1) for half in halves) / N**2
    for strata in (BY, BY.tolist(), pd.Series(BY, dtype="category")):
        interval = delta_interval(SOFT, FIRST, "ordinal_mean_absolute_error", strata=strata)
        assert interval.standard_error == pytest.approx(np.sqrt(variance))
    with pytest.raises(
        ValueError, match="strata must have a value for each of the 60 samples, got"
    ):
        delta_interval(SOFT, FIRST, strata=BY[:-1])
    with pytest.raises(ValueError, match="clusters must have all their samples in one stratum"):
        delta_interval(SOFT, FIRST, strata=BY, clusters=np.arange(N) // 8)


@SOFT_LABELS
def test_two_systems_have_a_paired_difference(soft):
    expected = paired_difference(ROWS, FIRST[ITEM], SECOND[ITEM], **BY_ROWS, **OPTIONS)
    same(paired_difference(soft, FIRST, SECOND, **OPTIONS), expected)
    errors = [(SOFT * np.abs(np.arange(K) - p[:, None])).sum(axis=1) for p in (FIRST, SECOND)]
    differences = errors[0] - errors[1]
    metric = "ordinal_mean_absolute_error"
    difference = paired_difference(soft, FIRST, SECOND, metric, method="delta")
    assert difference.estimate == pytest.approx(differences.mean())
    assert difference.standard_error == pytest.approx(differences.std(ddof=1) / np.sqrt(N))
    of_scores = paired_difference(soft, PROBA, OTHER_PROBA, "concordance", **OPTIONS)
    expected = paired_difference(
        ROWS, PROBA[ITEM], OTHER_PROBA[ITEM], "concordance", **BY_ROWS, **OPTIONS
    )
    same(of_scores, expected)
    assert of_scores.pvalue == expected.pvalue


@SOFT_LABELS
def test_systems_are_compared_on_the_items(soft):
    systems = {
        "first": {"y_pred": FIRST, "y_proba": PROBA},
        "second": {"y_pred": SECOND, "y_proba": OTHER_PROBA},
    }
    metrics = ["cem_ord", "ranked_probability_score"]
    report = compare_systems(soft, systems, metrics=metrics, **OPTIONS)
    on_rows = {
        name: {argument: predicted[ITEM] for argument, predicted in system.items()}
        for name, system in systems.items()
    }
    expected = compare_systems(ROWS, on_rows, metrics=metrics, **BY_ROWS, **OPTIONS)
    for metric in metrics:
        for name in systems:
            same(report.scores[metric][name], expected.scores[metric][name])
        np.testing.assert_allclose(report.pvalues[metric], expected.pvalues[metric])
    assert (report.n_samples, report.n_units, report.unit) == (N, N, "sample")
    assert "2 systems on 60 samples with a total weight of 60." in report.to_text()
    assert compare_systems(soft, systems, clusters=BY, metrics=metrics, **OPTIONS).unit == "cluster"
    of_probabilities = {name: {"y_proba": system["y_proba"]} for name, system in systems.items()}
    report = compare_systems(
        soft, of_probabilities, metrics="ranked_probability_score", sample_weight=WEIGHT, **OPTIONS
    )
    assert (report.n_samples, report.n_units) == (N - 1, N - 1)


@SOFT_LABELS
def test_groups_are_of_items(soft):
    metrics = ["cem_ord", "concordance"]
    reading = {"labels": range(K), "sample_weight": SHARE, "clusters": ITEM}
    report = GroupReport.from_predictions(
        soft, FIRST, y_proba=PROBA, by=BY, metrics=metrics, **TESTED
    )
    expected = GroupReport.from_predictions(
        ROWS, FIRST[ITEM], y_proba=PROBA[ITEM], by=BY[ITEM], metrics=metrics, **reading, **TESTED
    )
    for metric in metrics:
        for name in ("north", "south"):
            same(report.by_group[metric][name], expected.by_group[metric][name])
        difference = report.difference()[metric]
        same(difference, expected.difference()[metric])
        assert difference.errors_pvalue == expected.difference()[metric].errors_pvalue
    assert report.exchanged == "whole clusters"
    assert report.n_samples == {"north": 32, "south": 28}
    closed = GroupReport.from_predictions(soft, FIRST, by=BY, metrics="accuracy", n_permutations=0)
    part = delta_interval(SOFT[BY == "north"], FIRST[BY == "north"], "accuracy")
    same(closed.by_group["accuracy"]["north"], part)
    assert closed.n_samples == report.n_samples
    ranked = GroupReport.from_predictions(
        soft, y_proba=PROBA, by=BY, metrics="concordance", **TESTED
    )
    assert ranked.n_samples == report.n_samples
    with pytest.raises(ValueError, match="counts of soft labels hold no items"):
        delta_interval(closed.confusion)


def test_evidence_of_soft_labels_serves_every_verb():
    confusion = OrdinalConfusion.from_predictions(SOFT, FIRST)
    assert bootstrap_interval(confusion, **OPTIONS) == bootstrap_interval(SOFT, FIRST, **OPTIONS)
    forecasts = OrdinalForecasts.from_probabilities(SOFT, PROBA)
    same(
        delta_interval(forecasts, metrics="ranked_probability_score"),
        delta_interval(SOFT, PROBA, "ranked_probability_score"),
    )
    assert repr(forecasts).startswith(
        "OrdinalForecasts of soft labels of 60 samples in 60 clusters over the classes"
    )
    assert repr(pickle.loads(pickle.dumps(forecasts))) == repr(forecasts)
    scores = OrdinalScores.from_scores(SOFT, FIRST)
    same(delta_interval(scores, metrics="concordance"), delta_interval(SOFT, FIRST, "concordance"))
    by_group = GroupReport.from_predictions(
        OrdinalConfusion.from_predictions(SOFT, FIRST, by=BY),
        y_proba=OrdinalForecasts.from_probabilities(SOFT, PROBA, by=BY),
        metrics=["cem_ord", "concordance"],
        **TESTED,
    )
    arrays = GroupReport.from_predictions(
        SOFT, FIRST, y_proba=PROBA, by=BY, metrics=["cem_ord", "concordance"], **TESTED
    )
    assert by_group.to_dict() == arrays.to_dict()


def test_unanswered_items_count_with_their_shares():
    predicted = FIRST.astype(float)
    predicted[[5, 9]] = np.nan
    with pytest.raises(ValueError, match="y_pred has missing values"):
        delta_interval(SOFT, predicted)
    confusion = OrdinalConfusion.from_predictions(SOFT, predicted, unanswered="count")
    np.testing.assert_allclose(confusion.unanswered, SOFT[[5, 9]].sum(axis=0))
    assert confusion.n_samples == N
    expected = delta_interval(ROWS, predicted[ITEM], unanswered="count", **BY_ROWS)
    same(delta_interval(SOFT, predicted, unanswered="count"), expected)
    left_out = delta_interval(SOFT, predicted, "accuracy", unanswered="count")
    assert left_out.n_left_out == pytest.approx(2)
    nothing = OrdinalConfusion.from_predictions(
        SOFT, [None] * N, labels=range(K), unanswered="count"
    )
    np.testing.assert_allclose(nothing.unanswered, SOFT.sum(axis=0))


def test_a_report_takes_soft_labels():
    report = OrdinalReport.from_predictions(SOFT, FIRST, y_proba=PROBA)
    rows = {"labels": range(K), "sample_weight": SHARE}
    expected = OrdinalReport.from_predictions(ROWS, FIRST[ITEM], y_proba=PROBA[ITEM], **rows)
    for name, value in expected.criteria.items():
        assert report.criteria[name] == pytest.approx(value), name
    # Items are in several classes, so the numbers of items in the classes have no total.
    accuracy = next(line for line in str(report).splitlines() if line.startswith("accuracy "))
    assert accuracy.split()[-1] == f"{N}.00"
    assert len(accuracy.split()) == 3
    assert ordinal_report(RATINGS, FIRST, y_proba=PROBA)
    groups = GroupReport.from_predictions(
        SOFT, FIRST, by=BY, metrics="accuracy", random_state=0, n_permutations=0
    )
    assert "60 samples" in str(groups)


def test_ratings_without_predictions_remain_evidence_of_agreement():
    alpha = delta_interval(RATINGS, metrics="krippendorff_alpha")
    assert alpha.estimate == get_metric("krippendorff_alpha")(RATINGS)
    of_counts = delta_interval(RATINGS, FIRST, "krippendorff_alpha")
    counts = OrdinalConfusion.from_soft_labels(RATINGS, FIRST)
    assert of_counts.estimate == get_metric("krippendorff_alpha")(counts)


def test_everything_per_item_is_joined_by_id():
    ids = [f"item {i}" for i in range(N)]
    frame = pd.DataFrame(GRADES, index=ids)
    ratings = OrdinalRatings.from_ratings(frame, labels=range(K))

    def backwards(values):
        return pd.Series(values, index=ids)[::-1]

    same(
        delta_interval(
            ratings,
            backwards(FIRST),
            sample_weight=backwards(WEIGHT),
            clusters=backwards(CLUSTERS),
            strata=backwards(BY),
        ),
        delta_interval(SOFT, FIRST, sample_weight=WEIGHT, clusters=CLUSTERS, strata=BY),
    )
    same(
        delta_interval(ratings, pd.DataFrame(PROBA, index=ids)[::-1], "ranked_probability_score"),
        delta_interval(SOFT, PROBA, "ranked_probability_score"),
    )
    systems = {"a": backwards(FIRST), "b": SECOND.tolist()}
    report = compare_systems(ratings, systems, **OPTIONS)
    assert (
        report.to_dict() == compare_systems(RATINGS, {"a": FIRST, "b": SECOND}, **OPTIONS).to_dict()
    )
    groups = GroupReport.from_predictions(
        ratings, backwards(FIRST), by=backwards(BY), metrics="accuracy", n_permutations=0
    )
    same(
        groups.by_group["accuracy"]["north"],
        delta_interval(SOFT[BY == "north"], FIRST[BY == "north"], "accuracy"),
    )


def test_an_index_in_another_order_is_refused():
    ids = np.arange(N) + 100
    soft = pd.DataFrame(SOFT, index=ids)
    with pytest.raises(ValueError, match="y_true and y_pred have the same index in different ord"):
        delta_interval(soft, pd.Series(FIRST, index=ids)[::-1])
    with pytest.raises(ValueError, match="y_true and y_proba have the same index in different or"):
        OrdinalForecasts.from_probabilities(soft, pd.DataFrame(PROBA, index=ids)[::-1])


@pytest.mark.parametrize(
    ("soft", "message"),
    [
        (SOFT * 2, "y_true must have rows that add up to 1"),
        (SOFT[:-1], "must have the same length"),
        (np.where(SOFT > 0.9, np.nan, SOFT), "y_true must be finite"),
        (GRADES[:, :2], "y_true must"),
        (-SOFT, "y_true must not be negative"),
    ],
)
@pytest.mark.parametrize("predicted", [FIRST, PROBA], ids=["classes", "probabilities"])
def test_what_is_no_distribution_is_refused(soft, message, predicted):
    metric = "cem_ord" if predicted.ndim == 1 else "ranked_probability_score"
    for verb in (delta_interval, bootstrap_interval):
        with pytest.raises(ValueError, match=message):
            verb(soft, predicted, metric)


def test_a_column_is_still_a_column():
    column = FIRST[:, None]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert delta_interval(column, SECOND) == delta_interval(FIRST, SECOND)
    confusion = OrdinalConfusion.from_predictions(column.tolist(), SECOND[:, None])
    assert not confusion.has_soft_labels


def test_a_single_item_has_no_interval():
    message = "got 1: if y_true has soft labels, it must have at least 2 items"
    for interval in (delta_interval, bootstrap_interval):
        with pytest.raises(ValueError, match=message):
            interval(SOFT[:1], FIRST[:1], labels=range(K))
    with pytest.raises(ValueError, match="clusters must"):
        delta_interval(SOFT, FIRST, clusters=np.zeros(N))
