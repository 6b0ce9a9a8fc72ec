"""Differences of agreement, on the same and other items: values of parts, errors by jackknife."""

import math

import numpy as np
import pytest
from scipy import stats

from sklearn_ordinal import OrdinalRatings, get_metric
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


def test_equal_ratings_have_no_difference_and_no_test():
    first, _ = pair()
    with pytest.warns(UserWarning, match="the standard error is 0"):
        difference = paired_difference(first, first, "krippendorff_alpha")
    assert difference.estimate == 0
    assert math.isnan(difference.pvalue)


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
