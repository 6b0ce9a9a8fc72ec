"""Standard errors with clusters and strata, against the jackknife over clusters."""

import numpy as np
import pytest

from sklearn_ordinal import (
    GroupReport,
    OrdinalConfusion,
    OrdinalReport,
    get_metric,
    report_change,
)
from sklearn_ordinal.inference import delta_interval, multioutput_interval, paired_difference

N_CLUSTERS, N_CLASSES = 80, 4
RNG = np.random.default_rng(11)
CLUSTER = np.repeat(np.arange(N_CLUSTERS), RNG.integers(2, 9, N_CLUSTERS))
N = len(CLUSTER)
# The samples of a cluster are alike, and strata differ in difficulty.
STRATUM = CLUSTER % 3
DIFFICULTY = (RNG.normal(size=N_CLUSTERS) + np.arange(N_CLUSTERS) % 3)[CLUSTER]
WEIGHT = RNG.uniform(0.5, 2, N)
TRUE = RNG.integers(N_CLASSES, size=N)


def graded(noise):
    errors = np.round(RNG.normal(size=N) * noise * np.exp(DIFFICULTY / 4)).astype(int)
    return np.clip(TRUE + errors, 0, N_CLASSES - 1)


FIRST, SECOND = graded(0.6), graded(0.9)
GROUP = RNG.integers(3, size=N)
# Clusters that lie in one group each.
PLACE = CLUSTER % 2
NAMES = ["cem_ord", "accuracy", "quadratic_weighted_kappa", "macro_averaged_mean_absolute_error"]
DESIGNS = {
    "clusters": {"clusters": CLUSTER},
    "strata": {"clusters": CLUSTER, "strata": STRATUM},
}
SAMPLING = {"clusters": np.zeros(N_CLUSTERS, int), "strata": np.arange(N_CLUSTERS) % 3}


def jackknife(value_of, stratum):
    """Return the standard error over clusters of each stratum (Shao and Tu 1995, 6.2).

    If a cluster is left out, the other clusters of its stratum stand for it.
    """
    variance = 0.0
    for h in np.unique(stratum):
        clusters = np.flatnonzero(stratum == h)
        n = len(clusters)
        in_stratum = (stratum == h)[CLUSTER]
        left_out = []
        for k in clusters:
            weight = np.where(in_stratum, WEIGHT * n / (n - 1), WEIGHT)
            left_out.append(value_of(np.where(k == CLUSTER, 0, weight)))
        variance += (n - 1) / n * ((np.array(left_out) - np.mean(left_out)) ** 2).sum()
    return np.sqrt(variance)


def value(name, y_pred, weight):
    counts = OrdinalConfusion.from_predictions(
        TRUE, y_pred, labels=range(N_CLASSES), sample_weight=weight
    )
    return get_metric(name)(counts)


def difference_of(name, by, weight):
    """Return the value of the second group minus the value of the first one."""
    first, second = (value(name, FIRST, np.where(by == k, weight, 0)) for k in (0, 1))
    return second - first


@pytest.fixture(params=DESIGNS)
def design(request):
    return {"sample_weight": WEIGHT, **DESIGNS[request.param]}, SAMPLING[request.param]


@pytest.mark.parametrize("name", NAMES)
def test_values_and_reports_of_one_system(design, name):
    options, stratum = design
    expected = jackknife(lambda weight: value(name, FIRST, weight), stratum)
    interval = delta_interval(TRUE, FIRST, name, **options)
    assert interval.standard_error == pytest.approx(expected, rel=0.03)
    report = OrdinalReport.from_predictions(TRUE, FIRST, metrics=name, intervals=True, **options)
    assert report.intervals[name].standard_error == interval.standard_error


@pytest.mark.parametrize("name", NAMES)
def test_differences_of_two_systems(design, name):
    options, stratum = design
    expected = jackknife(
        lambda weight: value(name, FIRST, weight) - value(name, SECOND, weight), stratum
    )
    difference = paired_difference(TRUE, FIRST, SECOND, name, method="delta", **options)
    assert difference.standard_error == pytest.approx(expected, rel=0.03)


@pytest.mark.parametrize("name", NAMES)
def test_means_of_several_outputs(design, name):
    options, stratum = design
    y_true, y_pred = np.column_stack([TRUE, TRUE]), np.column_stack([FIRST, SECOND])
    expected = jackknife(
        lambda weight: (value(name, FIRST, weight) + value(name, SECOND, weight)) / 2, stratum
    )
    interval = multioutput_interval(y_true, y_pred, name, **options)["mean"]
    assert interval.standard_error == pytest.approx(expected, rel=0.03)


@pytest.mark.parametrize("name", NAMES)
def test_changes_between_samples(design, name):
    options, stratum = design
    old, new = (
        OrdinalConfusion.from_predictions(
            TRUE[k == PLACE],
            FIRST[k == PLACE],
            labels=range(N_CLASSES),
            **{option: column[k == PLACE] for option, column in options.items()},
        )
        for k in (0, 1)
    )
    expected = jackknife(
        lambda weight: difference_of(name, PLACE, weight),
        2 * stratum + np.arange(N_CLUSTERS) % 2,
    )
    change = report_change(old, new, name).differences[name]
    assert change.standard_error == pytest.approx(expected, rel=0.05)


@pytest.mark.parametrize("by", [GROUP, PLACE], ids=["crossed", "nested"])
@pytest.mark.parametrize("name", NAMES[1:])
def test_contrasts_of_groups(design, name, by):
    options, stratum = design
    report = GroupReport.from_predictions(TRUE, FIRST, by=by, metrics=name, **options)
    contrast = report.contrasts(reference="0").contrasts[name]["1"]
    if by is PLACE:
        stratum = 2 * stratum + np.arange(N_CLUSTERS) % 2
    expected = jackknife(
        lambda weight: difference_of(name, by, weight),
        stratum,
    )
    assert contrast.estimate == pytest.approx(difference_of(name, by, WEIGHT))
    assert contrast.standard_error == pytest.approx(expected, rel=0.05)
