"""Differences of agreement, on the same and other items: values of parts, errors by jackknife."""

import math

import numpy as np
import pytest
from scipy import stats

from sklearn_ordinal import (
    OrdinalConfusion,
    OrdinalRatings,
    agreement_report,
    get_metric,
    report_change,
)
from sklearn_ordinal.inference import paired_difference
from tests import degrees_of_freedom

COEFFICIENTS = [
    "krippendorff_alpha",
    "gwet_ac2",
    "fleiss_kappa",
    "conger_kappa",
    "brennan_prediger",
    "kendall_w",
]


def draw(seed, n_items, n_raters, missing=0.1, noise=0.5):
    rng = np.random.default_rng(seed)
    steps = rng.choice([-1, 0, 1], p=[noise / 2, 1 - noise, noise / 2], size=(n_items, n_raters))
    grades = np.clip(rng.integers(5, size=(n_items, 1)) + steps, 0, 4).astype(object)
    grades[rng.random(grades.shape) < missing] = None
    return grades


GRADES = draw(0, 150, 5)
CLUSTER = np.arange(150) // 3


def pair(is_in=slice(None), **options):
    """Return the ratings of three raters, and of two others on the same items."""
    return [
        OrdinalRatings.from_ratings(part[is_in].tolist(), labels=range(5), **options)
        for part in (GRADES[:, :3], GRADES[:, 3:])
    ]


def jackknife(value, unit):
    values = [value(unit != k) for k in np.unique(unit)]
    return math.sqrt((len(values) - 1) * np.var(values))


@pytest.mark.parametrize("unit", [np.arange(150), CLUSTER], ids=["items", "clusters"])
@pytest.mark.parametrize("name", COEFFICIENTS)
def test_two_groups_of_raters_on_the_same_items(name, unit):
    metric = get_metric(name)

    def value(is_in):
        first, second = pair(is_in)
        return metric(first) - metric(second)

    difference = paired_difference(*pair(clusters=unit), name)
    assert difference.estimate == pytest.approx(value(slice(None)))
    assert difference.standard_error == pytest.approx(jackknife(value, unit), rel=0.05)
    assert difference.method == "delta"


def test_the_difference_of_two_means_over_items_is_the_paired_t_interval():
    """Brennan and Prediger's coefficient of complete items is a mean over the items."""
    grades, weight = draw(1, 80, 4, missing=0).astype(int), np.arange(80) % 3 + 1.0
    squares = (np.diff(grades[:, :2]) ** 2 - np.diff(grades[:, 2:]) ** 2).ravel() / 16
    by_item = -squares / 0.25
    ratings = [
        OrdinalRatings.from_ratings(part, labels=range(5), sample_weight=weight)
        for part in (grades[:, :2], grades[:, 2:])
    ]
    difference = paired_difference(tuple(ratings), metrics="brennan_prediger")
    mean = np.average(by_item, weights=weight)
    variance, degrees = degrees_of_freedom.of_sample(weight * (by_item - mean) / 160, weight)
    assert weight.sum() == 159
    variance *= (160 / 159) ** 2
    assert difference.estimate == pytest.approx(mean)
    assert difference.standard_error == pytest.approx(math.sqrt(variance))
    t = mean / math.sqrt(variance)
    assert difference.pvalue == pytest.approx(2 * stats.t.sf(abs(t), degrees))


def test_equal_ratings_have_no_difference_and_no_interval():
    first, _ = pair()
    with pytest.warns(UserWarning, match="the standard error is 0"):
        difference = paired_difference(first, first, "krippendorff_alpha")
    assert difference.estimate == 0
    assert difference.pvalue == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"method": "bca"}, "method must be 'delta' for ratings"),
        ({"metrics": "accuracy"}, "metrics has accuracy, which takes predicted classes"),
        ({"labels": range(5)}, "labels must be left out if evidence is passed"),
    ],
)
def test_options_that_ratings_do_not_have_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        paired_difference(*pair(), **{"metrics": "fleiss_kappa", **change})


@pytest.mark.parametrize(
    ("options", "finding"),
    [({"sample_weight": np.ones(150)}, "weights"), ({"clusters": CLUSTER}, "clusters")],
)
def test_ratings_of_other_items_are_refused(options, finding):
    first, second = pair()[0], pair(**options)[1]
    with pytest.raises(ValueError, match=f"got different {finding}: use report_change"):
        paired_difference(first, second, "fleiss_kappa")
    with pytest.raises(ValueError, match="got different numbers of items"):
        paired_difference(first, pair(slice(1, None))[1], "fleiss_kappa")


GROUP = np.array(["de", "en", "fr"])[np.arange(150) % 3]
UNITS = {
    "items": None,
    "clusters within groups": np.arange(150) // 9 * 3 + np.arange(150) % 3,
    "clusters across groups": np.arange(150) // 4,
}


def of_three(is_in=slice(None), **options):
    return OrdinalRatings.from_ratings(GRADES[is_in, :3].tolist(), labels=range(5), **options)


CASES = [(name, "items") for name in COEFFICIENTS]
CASES += [(name, units) for name in COEFFICIENTS[::3] for units in list(UNITS)[1:]]


@pytest.mark.parametrize(("name", "units"), CASES)
def test_groups_of_items_and_their_differences(name, units):
    metric, cluster = get_metric(name), UNITS[units]
    unit = np.arange(150) if cluster is None else cluster
    report = agreement_report(of_three(clusters=cluster), by=GROUP)
    names = ["de", "en", "fr"]

    def values(is_in):
        parts = [is_in, *(is_in & (group == GROUP) for group in names)]
        return np.array([metric(of_three(part)) for part in parts])

    estimates = values(np.ones(150, dtype=bool))
    left_out = np.array([values(unit != k) for k in np.unique(unit)])
    by_unit = (left_out - left_out.mean(axis=0)) * math.sqrt((len(left_out) - 1) / len(left_out))
    for k, group in enumerate(names, start=1):
        interval = report.by_group[name][group]
        assert interval.estimate == pytest.approx(estimates[k])
        error = np.linalg.norm(by_unit[:, k])
        assert interval.standard_error == pytest.approx(error, rel=0.12)
        assert interval.low < interval.estimate < interval.high
    contrasts = report.contrasts()[name], report.contrasts(reference="en")[name]
    assert list(contrasts[1]) == ["de", "fr"]
    for reference, of_metric in zip((0, 2), contrasts, strict=True):
        for group, contrast in of_metric.items():
            k = names.index(group) + 1
            assert contrast.estimate == pytest.approx(estimates[k] - estimates[reference])
            error = np.linalg.norm(by_unit[:, k] - by_unit[:, reference])
            assert contrast.standard_error == pytest.approx(error, rel=0.12)
            assert contrast.pvalue <= contrast.adjusted_pvalue


def test_groups_of_complete_items_have_welchs_test():
    """Brennan and Prediger's coefficient of complete items is a mean over the items."""
    grades = draw(2, 90, 2, missing=0).astype(int)
    by_item = 1 - np.diff(grades).ravel() ** 2 / 16 / 0.25
    group = np.repeat(["a", "b"], [30, 60])
    report = agreement_report(OrdinalRatings.from_ratings(grades, labels=range(5)), by=group)
    contrast = report.contrasts(reference="a")["brennan_prediger"]["b"]
    parts = by_item[30:], by_item[:30]
    welch = stats.ttest_ind(*parts, equal_var=False)
    assert contrast.estimate / contrast.standard_error == pytest.approx(welch.statistic)
    error, degrees = degrees_of_freedom.of_means(*parts)
    assert contrast.standard_error == pytest.approx(error)
    assert contrast.pvalue == pytest.approx(2 * stats.t.sf(abs(welch.statistic), degrees))
    assert contrast.high - contrast.estimate == pytest.approx(stats.t.ppf(0.975, degrees) * error)


def test_groups_of_items_from_strata_are_stratified_samples():
    grades = draw(2, 90, 2, missing=0).astype(int)
    by_item = 1 - np.diff(grades).ravel() ** 2 / 16 / 0.25
    group, strata = np.repeat(["a", "b"], [30, 60]), np.arange(90) % 2
    ratings = OrdinalRatings.from_ratings(grades, labels=range(5), strata=strata)
    report = agreement_report(ratings, by=group)
    variances = {}
    for name in ("a", "b"):
        parts = [by_item[(group == name) & (strata == h)] for h in (0, 1)]
        n_items = (group == name).sum()
        variances[name] = sum(len(part) * part.var(ddof=1) for part in parts) / n_items**2
        interval = report.by_group["brennan_prediger"][name]
        assert interval.standard_error == pytest.approx(math.sqrt(variances[name]))
    contrast = report.contrasts(reference="a")["brennan_prediger"]["b"]
    assert contrast.standard_error == pytest.approx(math.sqrt(sum(variances.values())))


def test_the_report_of_groups_has_a_sentence_a_table_and_rows():
    grades = np.vstack([draw(3, 60, 3, noise=0.2), draw(4, 60, 3, noise=1.0)])
    ratings = OrdinalRatings.from_ratings(grades.tolist(), labels=range(5))
    report = agreement_report(ratings, by=["easy"] * 60 + ["hard"] * 60)
    text = " ".join(str(report).split())
    claim = "By krippendorff_alpha, 2 of 2 groups are shown to differ in value from all items"
    assert f"{claim}: easy and hard. easy differs most, by +0." in text
    assert "krippendorff_alpha in groups of items" in text
    assert "gwet_ac2 in groups" not in text
    rows = report.to_frame().query("group == 'hard' and criterion == 'gwet_ac2'")
    assert rows["what"].tolist() == ["value", "difference"]
    assert rows["estimate"].tolist() == [
        report.by_group["gwet_ac2"]["hard"].estimate,
        report.contrasts()["gwet_ac2"]["hard"].estimate,
    ]
    assert "the hypothesis is that the grades" not in text
    many = " ".join(str(agreement_report(ratings, by=np.arange(120) % 6)).split())
    assert "p: the hypothesis is that the grades have the same distribution in all groups" in many
    same = agreement_report(ratings, by=np.arange(120) % 2)
    assert "none of 2 groups is shown to differ in value from all items" in " ".join(
        str(same).split()
    )


def test_groups_without_agreement_have_no_interval_and_do_not_stop_a_report():
    """One group has no item with two grades, and another has one item."""
    grades = GRADES[:, :3].copy()
    grades[:4, 1:] = None
    group = ["single grades"] * 4 + ["one item"] + ["others"] * 145
    report = agreement_report(
        OrdinalRatings.from_ratings(grades.tolist(), labels=range(5)), by=group
    )
    for name in COEFFICIENTS[:-1]:
        values = report.by_group[name]
        assert math.isnan(values["single grades"].estimate)
        assert math.isnan(values["one item"].low)
        assert values["others"].low < values["others"].high
        assert math.isnan(report.contrasts()[name]["one item"].pvalue)
        assert not math.isnan(report.contrasts()[name]["others"].estimate)
    assert str(report)


def test_metrics_of_two_ratings_are_passed_once():
    with pytest.raises(ValueError, match="metrics must be passed once for two ratings"):
        paired_difference(*pair(), "krippendorff_alpha", metrics="gwet_ac2")


def test_groups_that_are_not_clear_are_refused():
    with pytest.raises(ValueError, match="by must name at least 2 groups"):
        agreement_report(of_three(), by=["a"] * 150)
    with pytest.raises(ValueError, match="reference must be one of the groups"):
        agreement_report(of_three(), by=GROUP).contrasts(reference="it")
    with pytest.raises(ValueError, match="pass by= to agreement_report"):
        agreement_report(of_three()).contrasts()


OLD, NEW = draw(3, 90, 3, noise=0.3), draw(4, 60, 3, noise=0.7)


def of_items(grades, is_in=slice(None), **options):
    return OrdinalRatings.from_ratings(grades[is_in].tolist(), labels=range(5), **options)


@pytest.mark.parametrize("size", [1, 3], ids=["items", "clusters"])
def test_a_change_between_ratings_of_other_items(size):
    units = [np.arange(len(grades)) // size for grades in (OLD, NEW)]
    sides = [
        of_items(grades, clusters=unit) for grades, unit in zip((OLD, NEW), units, strict=True)
    ]
    report = report_change(*sides)
    assert set(report.differences) == set(COEFFICIENTS)
    for name, difference in report.differences.items():
        metric = get_metric(name)
        old, new = (metric(of_items(grades)) for grades in (OLD, NEW))
        assert difference.estimate == pytest.approx(new - old)
        assert report.old_scores[name].estimate == pytest.approx(old)
        errors = [
            jackknife(lambda is_in, m=metric, g=grades: m(of_items(g, is_in)), unit)
            for grades, unit in zip((OLD, NEW), units, strict=True)
        ]
        assert difference.standard_error == pytest.approx(math.hypot(*errors), rel=0.06)


def test_a_change_of_a_mean_over_complete_items_is_welchs_test():
    grades = [draw(seed, 60, 2, missing=0).astype(int) for seed in (5, 6)]
    parts = [1 - np.diff(part).ravel() ** 2 / 16 / 0.25 for part in grades]
    ratings = [OrdinalRatings.from_ratings(part, labels=range(5)) for part in grades]
    difference = report_change(*ratings, "brennan_prediger").differences["brennan_prediger"]
    welch = stats.ttest_ind(*parts[::-1], equal_var=False)
    error, degrees = degrees_of_freedom.of_means(*parts)
    assert difference.estimate / error == pytest.approx(welch.statistic)
    assert difference.pvalue == pytest.approx(2 * stats.t.sf(abs(welch.statistic), degrees))


def test_strata_of_a_change_are_independent_samples():
    grades = draw(7, 60, 2, missing=0).astype(int)
    by_item = 1 - np.diff(grades).ravel() ** 2 / 16 / 0.25
    new = of_items(OLD[:, :2])
    old = OrdinalRatings.from_ratings(grades, labels=range(5), strata=np.arange(60) < 20)
    difference = report_change(old, new, "brennan_prediger").differences["brennan_prediger"]
    error, _ = degrees_of_freedom.of_samples([by_item[:20] / 60, by_item[20:] / 60])
    of_new = report_change(new, new, "brennan_prediger").new_scores["brennan_prediger"]
    assert difference.standard_error == pytest.approx(math.hypot(error, of_new.standard_error))


def test_the_report_of_a_change_of_ratings_has_no_parts():
    report = report_change(of_items(OLD), of_items(NEW), "krippendorff_alpha")
    text = " ".join(str(report).split())
    assert "By krippendorff_alpha, the new samples are worse" in text
    assert "90 old and 60 new items" in text
    assert "predictions" not in text.lower()
    assert report.worse_than()
    assert [(row["time"], row["against"]) for row in report.to_dict()["values"]] == [
        ("old", None),
        ("new", None),
        ("new", "old"),
    ]
    assert list(report.to_frame()["what"]) == ["value", "value", "difference"]


def test_other_raters_have_the_pvalue_of_the_interval():
    others = OrdinalRatings.from_ratings(NEW.tolist(), labels=range(5), raters=["x", "y", "z"])
    one, other = (
        report_change(of_items(OLD), new, "conger_kappa").differences["conger_kappa"]
        for new in (of_items(NEW), others)
    )
    assert one.low == other.low
    assert one.pvalue != other.pvalue
    assert (other.low > 0 or other.high < 0) == (other.pvalue < 0.05)


def test_ratings_are_not_compared_with_other_evidence():
    confusion = OrdinalConfusion.from_counts(np.eye(5, dtype=int) + 1)
    with pytest.raises(ValueError, match="old and new must hold evidence of one kind"):
        report_change(of_items(OLD), confusion)
    with pytest.raises(ValueError, match="new must hold ratings"):
        report_change(of_items(OLD), confusion, "fleiss_kappa")
