"""Items drawn in clusters or from strata: standard errors by the jackknife and by hand."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from sklearn_ordinal import (
    OrdinalRatings,
    agreement_report,
    compare_judge,
    get_metric,
    rating_ceilings,
)
from sklearn_ordinal._core import evidence_kinds
from sklearn_ordinal.inference import bootstrap_interval, delta_interval
from sklearn_ordinal.raters import alternative_annotator_test
from tests import degrees_of_freedom

COEFFICIENTS = [
    "krippendorff_alpha",
    "gwet_ac2",
    "fleiss_kappa",
    "conger_kappa",
    "brennan_prediger",
    "kendall_w",
]


def draw(seed=0, n_items=240, n_clusters=40):
    """Return grades of three humans and a judge, and the cluster and the weight of each item."""
    rng = np.random.default_rng(seed)
    cluster = np.r_[np.arange(n_clusters), rng.integers(n_clusters, size=n_items - n_clusters)]
    quality = 2 + 1.2 * rng.normal(size=n_clusters)[cluster] + 0.7 * rng.normal(size=n_items)
    steps = rng.choice([-1, 0, 1], p=[0.2, 0.6, 0.2], size=(n_items, 4))
    grades = np.clip(np.round(quality)[:, None] + steps, 0, 4)
    humans = grades[:, :3].astype(object)
    humans[rng.random(humans.shape) < 0.15] = None
    return humans, grades[:, 3], cluster, rng.integers(1, 4, size=n_items).astype(float)


HUMANS, JUDGE, CLUSTER, WEIGHT = draw()


def make(is_in=slice(None), **options):
    return OrdinalRatings.from_ratings(
        HUMANS[is_in].tolist(), labels=range(5), sample_weight=WEIGHT[is_in], **options
    )


IN_CLUSTERS = make(clusters=CLUSTER)
LEFT_OUT = [cluster != CLUSTER for cluster in np.unique(CLUSTER)]


def jackknife(value):
    """Return the standard error of a value from leaving each cluster out in turn."""
    values = [value(is_in) for is_in in LEFT_OUT]
    return math.sqrt((len(values) - 1) * np.var(values))


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_the_error_of_a_coefficient_is_that_of_the_jackknife_over_clusters(name):
    metric = get_metric(name)
    interval = delta_interval(IN_CLUSTERS, metrics=metric)
    assert interval.estimate == pytest.approx(metric(make()))
    assert interval.standard_error == pytest.approx(
        jackknife(lambda is_in: metric(make(is_in))), rel=0.08
    )
    assert interval.standard_error != pytest.approx(
        delta_interval(make(), metrics=metric).standard_error, rel=0.03
    )


def test_clusters_of_single_items_change_nothing():
    alone = make(clusters=[f"item {k}" for k in range(len(HUMANS))])
    for name in COEFFICIENTS:
        one, other = (delta_interval(part, metrics=name) for part in (make(), alone))
        assert one.to_dict() == pytest.approx(other.to_dict())
    reports = [agreement_report(part) for part in (make(), alone)]
    for rater, interval in reports[0].severity.items():
        assert interval.to_dict() == pytest.approx(reports[1].severity[rater].to_dict())
    tests = [alternative_annotator_test(part, JUDGE) for part in (make(), alone)]
    np.testing.assert_allclose(tests[0].pvalues, tests[1].pvalues)
    reports = [compare_judge(part, JUDGE, metrics="accuracy") for part in (make(), alone)]
    rows = [report.to_frame().select_dtypes("number") for report in reports]
    np.testing.assert_allclose(*map(np.asarray, rows), rtol=1e-9)


def test_each_rater_has_the_error_of_clusters():
    report = agreement_report(IN_CLUSTERS)
    parts = {id(is_in): agreement_report(make(is_in)) for is_in in LEFT_OUT}
    for rater in report.raters:
        for values in ("severity", "quadratic_weighted_kappa"):

            def interval(part, values=values, rater=rater):
                by_rater = part.severity if values == "severity" else part.scores[values]
                return by_rater[rater]

            error = jackknife(lambda is_in, of=interval: of(parts[id(is_in)]).estimate)
            assert interval(report).standard_error == pytest.approx(error, rel=0.08)


def test_the_severity_of_a_rater_is_a_mean_over_clusters():
    """With one other rater, and by the formula of a ratio of two totals over clusters."""
    grades = HUMANS[:, :2]
    is_in = [None not in row for row in grades.tolist()]
    differences = np.array([row[0] - row[1] for row in grades[is_in]], dtype=float)
    cluster, weight = CLUSTER[is_in], WEIGHT[is_in]
    mean = np.average(differences, weights=weight)
    moves = np.bincount(cluster, weight * (differences - mean) / weight.sum())
    present = np.unique(cluster)
    variance, degrees = degrees_of_freedom.of_sample(
        moves[present], np.bincount(cluster, weight)[present]
    )
    ratings = OrdinalRatings.from_ratings(
        grades.tolist(), labels=range(5), sample_weight=WEIGHT, clusters=CLUSTER
    )
    report = agreement_report(ratings)
    severity = report.severity["rater 1"]
    assert severity.estimate == pytest.approx(mean)
    assert severity.standard_error == pytest.approx(math.sqrt(variance))
    reach = stats.t.ppf(0.975, degrees) * math.sqrt(variance)
    assert severity.high - severity.estimate == pytest.approx(reach)


def test_ceilings_have_the_errors_of_clusters():
    names = ["cem_ord", "quadratic_weighted_kappa"]
    result = rating_ceilings(IN_CLUSTERS, names)
    parts = {id(is_in): rating_ceilings(make(is_in), names) for is_in in LEFT_OUT}
    for name in names:
        for value, interval in result.ceilings[name].values.items():
            error = jackknife(
                lambda is_in, n=name, v=value: parts[id(is_in)].ceilings[n].values[v].estimate
            )
            assert interval.standard_error == pytest.approx(error, rel=0.08)


def test_judges_have_the_errors_of_clusters():
    report = compare_judge(IN_CLUSTERS, JUDGE, metrics="accuracy")
    parts = {
        id(is_in): compare_judge(make(is_in), JUDGE[is_in], metrics="accuracy")
        for is_in in LEFT_OUT
    }
    values = {
        "value": lambda part: part.footing["accuracy"]["judge"]["all humans"].judge,
        "difference": lambda part: part.footing["accuracy"]["judge"]["rater 2"].difference,
        "severity": lambda part: part.severity["judge"]["rater 1"].difference,
        "z": lambda part: part.z["accuracy"]["judge"],
        "prmse": lambda part: part.prmse["judge"],
        "test": lambda part: part.tests["judge"]["accuracy"].differences["rater 3"],
        "advantage": lambda part: part.tests["judge"]["accuracy"].advantage_probability,
        "ceiling": lambda part: part.ceilings["accuracy"]["judge"].values["in_sample"],
    }
    for value in values.values():
        error = jackknife(lambda is_in, of=value: of(parts[id(is_in)]).estimate)
        assert value(report).standard_error == pytest.approx(error, rel=0.08)


def test_the_annotator_test_is_a_t_test_of_clusters():
    ratings = OrdinalRatings.from_ratings([[0, 0], [0, 0], [1, 1]] * 40, clusters=CLUSTER[:120])
    judge = np.r_[[0, 0, 1] * 20, [1, 0, 1, 0, 0, 0] * 10]
    test = alternative_annotator_test(ratings, judge, closeness="accuracy", epsilon=0.1)
    difference = np.array([0, 0, 1] * 40) != judge
    mean = difference.mean()
    moves = np.bincount(CLUSTER[:120], (difference - mean) / 120)
    variance, degrees = degrees_of_freedom.of_sample(moves, np.bincount(CLUSTER[:120]))
    assert test.differences["rater 1"].estimate == pytest.approx(mean)
    pvalue = stats.t.cdf((mean - 0.1) / math.sqrt(variance), degrees)
    assert test.pvalues[0] == pytest.approx(pvalue)


STRATUM = np.where(CLUSTER < 15, "new", "old")


@pytest.mark.parametrize("clusters", [None, CLUSTER])
def test_variances_of_strata_add_up(clusters):
    """Brennan and Prediger's coefficient of complete items is a mean over the items."""
    rng = np.random.default_rng(1)
    grades = rng.integers(5, size=(240, 2))
    of_item = 1 - (grades[:, 0] - grades[:, 1]) ** 2 / 16 / 0.25
    unit = np.arange(240) if clusters is None else clusters
    mean = np.average(of_item, weights=WEIGHT)
    moves = np.bincount(unit, WEIGHT * (of_item - mean) / WEIGHT.sum())
    stratum = np.empty(unit.max() + 1, dtype=object)
    stratum[unit] = STRATUM
    error, degrees = degrees_of_freedom.of_samples(
        [moves[stratum == name] for name in ("new", "old")],
        [np.bincount(unit, WEIGHT)[stratum == name] for name in ("new", "old")],
    )
    ratings = OrdinalRatings.from_ratings(
        grades, labels=range(5), sample_weight=WEIGHT, clusters=clusters, strata=STRATUM
    )
    interval = delta_interval(ratings, metrics="brennan_prediger")
    assert interval.estimate == pytest.approx(mean)
    assert interval.standard_error == pytest.approx(error)
    report = agreement_report(ratings)
    bias = grades[:, 0] - grades[:, 1]
    mean = np.average(bias, weights=WEIGHT)
    moves = np.bincount(unit, WEIGHT * (bias - mean) / WEIGHT.sum())
    error, degrees = degrees_of_freedom.of_samples(
        [moves[stratum == name] for name in ("new", "old")],
        [np.bincount(unit, WEIGHT)[stratum == name] for name in ("new", "old")],
    )
    severity = report.severity["rater 1"]
    assert severity.standard_error == pytest.approx(error)
    reach = stats.t.ppf(0.975, degrees) * error
    assert severity.high - severity.estimate == pytest.approx(reach)


def test_raters_and_strata_that_cannot_have_an_interval_do_not_stop_a_report():
    """The third rater grades one item of a stratum, and the fourth no item."""
    grades = np.column_stack([HUMANS[:, :2], np.full((240, 2), None)])
    grades[np.flatnonzero(STRATUM == "old")[:20], 2] = 2
    grades[np.flatnonzero(STRATUM == "new")[0], :3] = 1
    ratings = OrdinalRatings.from_ratings(grades.tolist(), labels=range(5), strata=STRATUM)
    with pytest.warns(UserWarning, match="with strata, each needs two"):
        report = agreement_report(ratings)
    lows = [report.severity[rater].low for rater in report.raters]
    assert np.isnan(lows).tolist() == [False, False, True, True]
    assert not np.isnan(report.severity["rater 3"].estimate)
    groups = np.where(STRATUM == "new", "a", "b")
    groups[np.flatnonzero(STRATUM == "old")[0]] = "a"
    report = compare_judge(make(strata=STRATUM), JUDGE, metrics="accuracy", by=groups)
    footing = report.by_group["a"].footing["accuracy"]["judge"]["all humans"]
    assert np.isnan(footing.difference.low)
    assert not np.isnan(footing.difference.estimate)


@pytest.mark.parametrize("clusters", [None, CLUSTER])
def test_resamples_draw_the_units_of_each_stratum(clusters):
    ratings = make(clusters=clusters, strata=STRATUM)
    units = evidence_kinds.resampling_units(ratings)
    n_units = np.array([len(np.unique(CLUSTER[name == STRATUM])) for name in ("new", "old")])
    if clusters is None:
        is_graded = np.array([any(g is not None for g in row) for row in HUMANS.tolist()])
        n_units = np.array([np.count_nonzero(is_graded[k == STRATUM]) for k in ("new", "old")])
    for drawn in units.drawn(np.random.default_rng(0), 20):
        by_stratum = np.stack([drawn[units.stratum == k].sum(axis=0) for k in (0, 1)])
        assert (by_stratum == n_units[:, None]).all()
    options = {"metrics": "brennan_prediger", "n_resamples": 4000, "random_state": 0}
    interval = bootstrap_interval(ratings, method="percentile", **options)
    closed = delta_interval(ratings, metrics="brennan_prediger")
    width = closed.high - closed.low
    assert interval.high - interval.low == pytest.approx(width, rel=0.12)
    report = agreement_report(ratings, n_resamples=2000, random_state=0)
    severity = agreement_report(ratings).severity["rater 2"]
    width = severity.high - severity.low
    by_resampling = report.severity["rater 2"]
    assert by_resampling.high - by_resampling.low == pytest.approx(width, rel=0.12)


@pytest.mark.filterwarnings("ignore:y_true has no grade:UserWarning")
def test_soft_labels_have_the_units_of_their_ratings():
    own = make(clusters=CLUSTER, strata=STRATUM)
    passed = {"clusters": CLUSTER, "strata": STRATUM}
    proba = np.random.default_rng(0).dirichlet(np.ones(5), 240)
    for predicted, name in ((JUDGE, "cem_ord"), (proba, "ranked_probability_score")):
        one = delta_interval(own, predicted, name)
        other = delta_interval(make(), predicted, name, **passed)
        assert one == other
        assert one != delta_interval(make(), predicted, name)
        options = {"n_resamples": 100, "random_state": 0}
        one, other = (
            bootstrap_interval(own, predicted, name, **options),
            bootstrap_interval(make(), predicted, name, **passed, **options),
        )
        assert one == other
    for name, values in passed.items():
        with pytest.raises(ValueError, match=f"{name} must be left out if y_true is ratings"):
            delta_interval(own, JUDGE, "cem_ord", **{name: values})


def test_units_are_shown_and_saved(tmp_path):
    ratings = make(clusters=CLUSTER, strata=STRATUM)
    assert repr(ratings).startswith(
        "OrdinalRatings of 240 items in 40 clusters of 2 strata by 3 raters over the classes"
    )
    ratings.to_json(tmp_path / "ratings.json")
    again = OrdinalRatings.from_json(tmp_path / "ratings.json")
    assert again == ratings
    assert again != make(clusters=CLUSTER)
    assert delta_interval(again, metrics="fleiss_kappa").standard_error == pytest.approx(
        delta_interval(ratings, metrics="fleiss_kappa").standard_error
    )
    for result in (
        agreement_report(ratings),
        rating_ceilings(ratings, "accuracy"),
        compare_judge(ratings, JUDGE, metrics="accuracy"),
    ):
        assert "240 items in 40 clusters of 2 strata" in " ".join(str(result).split())
        assert result.to_dict()["n_clusters"] == 40
        assert result.to_dict()["n_strata"] == 2


def test_units_are_joined_by_id_and_read_from_columns():
    items = [f"item {k}" for k in range(240)]
    frame = pd.DataFrame(HUMANS, index=items)
    shuffled = pd.Series(CLUSTER, items).sample(frac=1, random_state=0)
    strata = dict(zip(items, STRATUM, strict=True))
    joined = OrdinalRatings.from_ratings(
        frame, labels=range(5), raters=["a", "b", "c"], clusters=shuffled, strata=strata
    )
    assert joined.clusters.tolist() == CLUSTER.tolist()
    long = frame.set_axis(["a", "b", "c"], axis=1).rename_axis("item").reset_index()
    long = long.assign(patient=[f"p{k:02}" for k in CLUSTER], kind=STRATUM)
    long = long.melt(["item", "patient", "kind"], var_name="rater", value_name="grade")
    table = OrdinalRatings.from_table(long, labels=range(5), clusters="patient", strata="kind")
    number = {item: k for k, item in enumerate(items)}
    order = [number[item] for item in table.items.tolist()]
    assert table.clusters.tolist() == CLUSTER[order].tolist()
    assert (table.strata == (STRATUM[order] == "old")).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"clusters": [1, 2]}, "clusters must have a value for each of the 240 items"),
        ({"strata": [1, 2]}, "strata must have a value for each of the 240 items"),
        ({"strata": ["x"] + ["y"] * 239}, "at least two items each, got one in stratum 'x'"),
        (
            {"clusters": CLUSTER, "strata": np.arange(240) % 2},
            "clusters must have all their items in one stratum",
        ),
        ({"clusters": [None] * 240}, "clusters"),
    ],
)
def test_units_that_are_not_clear_are_refused(options, message):
    with pytest.raises(ValueError, match=message) as error:
        make(**options)
    assert "\n" not in str(error.value)


def test_units_of_a_table_are_the_same_in_all_rows_of_an_item():
    rows = pd.DataFrame(
        {"item": [1, 1, 2, 2], "rater": ["a", "b"] * 2, "grade": [1, 2, 2, 1], "u": [1, 2, 3, 3]}
    )
    message = "clusters='u' must be the same in all rows of an item, but differs for item 1"
    with pytest.raises(ValueError, match=message):
        OrdinalRatings.from_table(rows, clusters="u")


def test_a_single_cluster_has_no_interval():
    with pytest.raises(ValueError, match="clusters must have at least 2"):
        delta_interval(make(clusters=["a"] * 240), metrics="fleiss_kappa")


@pytest.mark.parametrize("verb", [delta_interval, bootstrap_interval])
def test_units_of_ratings_belong_to_their_constructor(verb):
    for name in ("clusters", "strata"):
        with pytest.raises(ValueError, match=f"{name} must be left out .* to the constructor"):
            verb(make(), metrics="fleiss_kappa", **{name: CLUSTER})
