"""Intervals of shares from the beta distribution."""

import numpy as np
import pytest
from scipy.stats import beta, binomtest, t

from sklearn_ordinal.prediction_sets._counted_sets import (
    Shares,
    share_intervals,
    smallest_share_interval,
)


def simple(n_covered, n_samples):
    """Return the shares of samples that were drawn one by one and count once."""
    n_covered, n = np.asarray(n_covered, float), np.asarray(n_samples, float)
    with np.errstate(invalid="ignore"):
        share = n_covered / n
    return Shares(share, n, n, n_covered * (1 - share), n, n, is_clustered=False)


@pytest.mark.parametrize(
    ("n_covered", "n_samples"), [(42, 50), (0, 7), (7, 7), (1, 1), (0, 1), (9_000, 10_000)]
)
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_of_simple_samples_they_are_the_exact_intervals_of_scipy(n_covered, n_samples, level):
    (interval,) = share_intervals(simple([n_covered], [n_samples]), level)
    exact = binomtest(n_covered, n_samples).proportion_ci(level, method="exact")
    assert (interval.low, interval.high) == pytest.approx((exact.low, exact.high), abs=1e-9)
    assert interval.estimate == n_covered / n_samples
    assert interval.method == "beta"


def test_a_group_without_samples_has_no_share_and_does_not_count_as_the_smallest():
    shares = simple([3, 0, 5], [5, 0, 9])
    assert np.isnan(
        [share_intervals(shares, 0.95)[1].estimate, share_intervals(shares, 0.95)[1].low]
    ).all()
    with_two = smallest_share_interval(simple([3, 5], [5, 9]), 0.95)
    smallest = smallest_share_interval(shares, 0.95)
    assert (smallest.low, smallest.high) == (with_two.low, with_two.high)
    assert smallest.estimate == 5 / 9


def test_the_smallest_share_has_the_ends_of_sidaks_simultaneous_intervals():
    n_covered, n_samples = [40, 17, 88], [50, 20, 90]
    smallest = smallest_share_interval(simple(n_covered, n_samples), 0.95)
    level = 0.95 ** (1 / 3)
    ends = [
        binomtest(k, n).proportion_ci(level, method="exact")
        for k, n in zip(n_covered, n_samples, strict=True)
    ]
    assert smallest.low == pytest.approx(min(end.low for end in ends), abs=1e-9)
    assert smallest.high == pytest.approx(min(end.high for end in ends), abs=1e-9)
    assert smallest.method == "simultaneous beta"


def test_the_interval_of_the_smallest_share_holds_where_that_of_its_group_does_not():
    """Five classes with the same coverage of 0.9: the smallest of noisy shares is too low."""
    rng = np.random.default_rng(0)
    n_inside, n_inside_alone, n_trials = 0, 0, 300
    for _ in range(n_trials):
        shares = simple(rng.binomial(60, 0.9, 5), [60] * 5)
        smallest = smallest_share_interval(shares, 0.95)
        n_inside += smallest.low <= 0.9 <= smallest.high
        alone = share_intervals(shares, 0.95)[int(shares.share.argmin())]
        n_inside_alone += alone.low <= 0.9 <= alone.high
    assert n_inside / n_trials >= 0.95
    assert n_inside_alone / n_trials < 0.93


def test_clusters_have_the_effective_number_of_korn_and_graubard():
    # Clusters of 4 samples, whose numbers of covered samples are these.
    covered = np.array([4, 4, 3, 4, 0, 4, 2, 4])
    n, m, share = 32, 8, 25 / 32
    deviations = ((covered - 4 * share) ** 2).sum()
    shares = Shares(
        *(np.array([x], float) for x in (share, n, m, deviations, n, 16 * m)), is_clustered=True
    )
    (interval,) = share_intervals(shares, 0.95)
    variance = m / (m - 1) * deviations / n**2
    design_effect = variance / (share * (1 - share) / (n - 1))
    number = n / design_effect * (t.ppf(0.975, n - 1) / t.ppf(0.975, m - 1)) ** 2
    low = beta.ppf(0.025, share * number, number * (1 - share) + 1)
    high = beta.ppf(0.975, share * number + 1, number * (1 - share))
    assert (interval.low, interval.high) == pytest.approx((low, high))
    simple_interval = share_intervals(simple([25], [32]), 0.95)[0]
    assert interval.low < simple_interval.low < simple_interval.high < interval.high


def test_a_single_cluster_says_nothing():
    shares = Shares(*(np.array([x], float) for x in (0.5, 4, 1, 0, 4, 16)), is_clustered=True)
    (interval,) = share_intervals(shares, 0.95)
    assert (interval.low, interval.high) == (0, 1)


def test_if_all_samples_are_covered_a_cluster_counts_as_one_sample():
    shares = Shares(*(np.array([x], float) for x in (1, 40, 10, 0, 40, 160)), is_clustered=True)
    (interval,) = share_intervals(shares, 0.95)
    factor = (t.ppf(0.975, 39) / t.ppf(0.975, 9)) ** 2
    assert interval.low == pytest.approx(beta.ppf(0.025, 10 * factor, 1))
    assert interval.high == 1
