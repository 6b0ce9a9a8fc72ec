"""Standard errors and degrees of freedom from moves: NumPy, statsmodels and a jackknife."""

import math

import numpy as np
import pytest
from scipy import stats
from scipy.special import logit

from sklearn_ordinal import GroupReport, OrdinalConfusion, get_metric, report_change
from sklearn_ordinal._core.influence_functions import EntryAmounts
from sklearn_ordinal.inference import _unit_moves, delta_interval, paired_difference
from sklearn_ordinal.inference._unit_moves import Moves
from tests import degrees_of_freedom

RNG = np.random.default_rng(0)
MAE = "ordinal_mean_absolute_error"
N = 90
TRUE = RNG.integers(4, size=N)
PRED = np.clip(TRUE + RNG.choice([-1, 0, 0, 1, 2], size=N), 0, 3)
# Twelve clusters of very different sizes.
CLUSTER = np.minimum(RNG.geometric(0.2, size=N), 12)
WEIGHT = np.exp(RNG.normal(size=N))


def spread(moves, weights=None, starts=None):
    """Return the standard error and the degrees of freedom of units that are all counted."""
    moves = np.asarray(moves, dtype=float)
    weights = np.ones(len(moves)) if weights is None else weights
    starts = None if starts is None else np.array(starts)
    found = _unit_moves.of_units(moves[None], weights, weights > 0, starts).spread()
    return found.standard_error[0], found.degrees_of_freedom[0]


@pytest.mark.parametrize("n_units", [2, 3, 4, 12, 200])
@pytest.mark.parametrize("tail", [0.1, 1.5])
@pytest.mark.parametrize("is_weighted", [False, True])
def test_one_sample_has_the_degrees_of_freedom_of_its_fourth_moment(n_units, tail, is_weighted):
    rng = np.random.default_rng(n_units)
    moves = np.exp(tail * rng.normal(size=n_units))
    weights = np.exp(rng.normal(size=n_units)) if is_weighted else None
    # A single sample has moves that add up to 0.
    moves -= moves.mean()
    found = spread(moves, weights)
    assert found == pytest.approx(degrees_of_freedom.of_samples([moves], [weights]), rel=1e-12)


@pytest.mark.parametrize(
    ("moves", "degrees"),
    [
        ([-1, 1], 1),
        ([-2, 1, 1], 1),
        # Without excess kurtosis, n - 1 less two.
        ([-1, 1] * 20, 37),
        # A single unit makes up the variance: half of n - 1.
        ([39] + [-1] * 39, 19.5),
    ],
)
def test_degrees_of_freedom_are_those_by_hand(moves, degrees):
    assert spread(moves)[1] == pytest.approx(degrees)


def test_independent_samples_are_combined():
    rng, sizes = np.random.default_rng(1), [2, 3, 30, 50]
    moves = [np.exp(rng.normal(size=size)) for size in sizes]
    weights = [np.exp(rng.normal(size=size)) for size in sizes]
    found = spread(np.concatenate(moves), np.concatenate(weights), [0, 2, 5, 35])
    assert found == pytest.approx(degrees_of_freedom.of_samples(moves, weights), rel=1e-12)
    beside = Moves(moves[2][None], *amounts_of(30)).beside(Moves(moves[3][None], *amounts_of(50)))
    error, degrees, _ = beside.spread()
    expected = degrees_of_freedom.of_samples(moves[2:])
    assert (error[0], degrees[0]) == pytest.approx(expected, rel=1e-12)


def amounts_of(n_units):
    """Return units of weight 1, which are all counted."""
    return EntryAmounts(*np.ones((4, n_units))), np.ones(n_units, dtype=bool)


def test_a_sample_of_units_that_move_alike_adds_nothing():
    moves = [np.full(5, 0.3), np.random.default_rng(1).normal(size=20)]
    found = spread(np.concatenate(moves), starts=[0, 5])
    assert found == pytest.approx(degrees_of_freedom.of_samples(moves[1:]), rel=1e-12)
    assert spread(np.zeros(5))[0] == 0


def test_a_single_unit_says_nothing_about_its_sample():
    for moves, starts in (([0.0], None), ([0.2, 0.1, -0.3, 0.0], [0, 3])):
        error, degrees = spread(moves, starts=starts)
        assert math.isnan(error)
        assert degrees == 0


def test_cells_of_samples_that_move_alike_equal_rows():
    names = ["accuracy", "cem_ord", "quadratic_weighted_kappa", MAE]
    confusion = OrdinalConfusion.from_predictions(TRUE, PRED, labels=range(4))
    of_cells = delta_interval(confusion, metrics=names)
    of_rows = delta_interval(TRUE, PRED, names, labels=range(4), clusters=np.arange(N))
    for name in names:
        for end in ("low", "high", "standard_error"):
            expected = getattr(of_rows[name], end)
            assert getattr(of_cells[name], end) == pytest.approx(expected, rel=1e-12)


def quantile_of(interval):
    """Return the quantile of t in an interval that is symmetric in log-odds."""
    value = interval.estimate
    return (logit(interval.high) - logit(value)) * value * (1 - value) / interval.standard_error


@pytest.mark.parametrize("cluster", [None, CLUSTER], ids=["rows", "clusters"])
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
@pytest.mark.parametrize(
    "stratum", [None, np.zeros(N, dtype=int), CLUSTER % 2], ids=["none", "one", "two"]
)
def test_the_accuracy_has_the_moves_of_a_mean(cluster, weight, stratum):
    interval = delta_interval(
        TRUE, PRED, "accuracy", sample_weight=weight, clusters=cluster, strata=stratum
    )
    weights = np.ones(N) if weight is None else weight
    _, unit = np.unique(np.arange(N) if cluster is None else cluster, return_inverse=True)
    is_right = (TRUE == PRED) * 1.0
    moved = weights * (is_right - np.average(is_right, weights=weights)) / weights.sum()
    moves, sizes = np.bincount(unit, moved), np.bincount(unit, weights)
    of_unit = np.zeros(len(moves), dtype=int)
    of_unit[unit] = 0 if stratum is None else stratum
    samples = [of_unit == k for k in range(of_unit.max() + 1)]
    error, degrees = degrees_of_freedom.of_samples(
        [moves[sample] for sample in samples],
        [sizes[sample] for sample in samples],
        # Rows without clusters and strata are counted.
        in_counts=weight is not None and cluster is None and stratum is None,
    )
    assert interval.standard_error == pytest.approx(error, rel=1e-12)
    assert quantile_of(interval) == pytest.approx(stats.t.ppf(0.975, degrees), rel=1e-9)


def test_clusters_have_the_standard_error_of_a_robust_regression():
    regression = pytest.importorskip("statsmodels.api")
    errors = np.abs(TRUE - PRED).astype(float)
    fit = regression.OLS(errors, np.ones(N)).fit(cov_type="cluster", cov_kwds={"groups": CLUSTER})
    interval = delta_interval(TRUE, PRED, MAE, clusters=CLUSTER)
    assert interval.standard_error == pytest.approx(fit.bse[0], rel=1e-10)


def test_strata_have_the_standard_error_of_a_stratified_sample():
    """Cochran (1977): for shares W_h = n_h / n, the sum of W_h^2 s_h^2 / n_h."""
    errors = np.abs(TRUE - PRED)
    parity = PRED % 2
    parts = [errors[parity == k] for k in range(2)]
    variance = sum((len(part) / N) ** 2 * part.var(ddof=1) / len(part) for part in parts)
    interval = delta_interval(TRUE, PRED, MAE, strata=parity)
    assert interval.standard_error == pytest.approx(math.sqrt(variance), rel=1e-12)


@pytest.mark.parametrize("name", ["cem_ord", "quadratic_weighted_kappa"])
def test_the_standard_error_of_clusters_is_close_to_the_jackknife(name):
    rng = np.random.default_rng(1)
    true, cluster = rng.integers(4, size=1_200), rng.integers(150, size=1_200)
    pred = np.clip(true + rng.integers(-1, 2, size=1_200), 0, 3)
    values = [
        get_metric(name)(
            OrdinalConfusion.from_predictions(
                true[cluster != k], pred[cluster != k], labels=range(4)
            )
        )
        for k in range(150)
    ]
    expected = math.sqrt(149 * np.var(values))
    interval = delta_interval(true, pred, name, clusters=cluster)
    assert interval.standard_error == pytest.approx(expected, rel=0.05)


def slopes_of(name, true, pred, step=1e-3):
    """Return the derivative of a value by the number of samples in the cell of each sample."""
    counts = np.zeros((4, 4))
    np.add.at(counts, (true, pred), 1)
    slopes = np.empty(len(true))
    for k, cell in enumerate(zip(true, pred, strict=True)):
        change = np.zeros((4, 4))
        change[cell] = step
        higher, lower = (
            get_metric(name)(OrdinalConfusion.from_counts(counts + sign * change))
            for sign in (1, -1)
        )
        slopes[k] = (higher - lower) / (2 * step)
    return slopes


@pytest.mark.parametrize("name", ["accuracy", MAE, "quadratic_weighted_kappa"])
@pytest.mark.parametrize("is_clustered", [False, True])
def test_contrasts_of_groups_and_the_change_of_samples_agree(name, is_clustered):
    group = np.repeat(["new", "old"], [50, 40])
    cluster = np.char.add(group, CLUSTER.astype(str)) if is_clustered else None
    groups = GroupReport.from_predictions(
        TRUE, PRED, by=group, metrics=name, clusters=cluster, labels=range(4), n_permutations=0
    )
    contrast = groups.contrasts(reference="old").contrasts[name]["new"]
    sides = [
        OrdinalConfusion.from_predictions(
            TRUE[group == side],
            PRED[group == side],
            labels=range(4),
            clusters=cluster[group == side] if is_clustered else None,
        )
        for side in ("old", "new")
    ]
    change = report_change(*sides, name).differences[name]
    for number in ("estimate", "standard_error", "low", "high", "pvalue"):
        expected = getattr(change, number)
        assert getattr(contrast, number) == pytest.approx(expected, rel=1e-9), number
    # The interval is from the moves of each group, and the test from those at all samples.
    unit = np.unique(cluster, return_inverse=True)[1] if is_clustered else np.arange(N)
    pooled, own, sizes, means = N * slopes_of(name, TRUE, PRED), [], [], []
    at_pooled = []
    for side in ("new", "old"):
        mine = group == side
        numbers = np.unique(unit[mine], return_inverse=True)[1]
        means.append(pooled[mine].mean())
        own.append(np.bincount(numbers, slopes_of(name, TRUE[mine], PRED[mine])))
        at_pooled.append(np.bincount(numbers, (pooled[mine] - means[-1]) / mine.sum()))
        sizes.append(np.bincount(numbers))
    error, degrees = degrees_of_freedom.of_samples(own, sizes)
    assert contrast.standard_error == pytest.approx(error, rel=1e-6)
    margin = stats.t.ppf(0.975, degrees) * error
    assert contrast.high - contrast.estimate == pytest.approx(margin, rel=1e-6)
    error, degrees = degrees_of_freedom.of_samples(at_pooled, sizes)
    pvalue = degrees_of_freedom.two_sided((means[0] - means[1]) / error, degrees)
    assert contrast.pvalue == pytest.approx(pvalue, rel=1e-6)


def test_clusters_in_both_groups_have_the_paired_difference():
    """Each patient has a sample in each group, or one sample of two systems."""
    rng = np.random.default_rng(2)
    true = rng.integers(4, size=40)
    first, second = (np.clip(true + rng.choice([-1, 0, 0], size=40), 0, 3) for _ in range(2))
    paired = paired_difference(true, first, second, "accuracy", method="delta")
    groups = GroupReport.from_predictions(
        np.tile(true, 2),
        np.r_[first, second],
        by=np.repeat(["first", "second"], 40),
        clusters=np.tile(np.arange(40), 2),
        metrics="accuracy",
        n_permutations=0,
    )
    contrast = groups.contrasts(reference="second").contrasts["accuracy"]["first"]
    for number in ("estimate", "standard_error", "low", "high", "pvalue"):
        assert getattr(contrast, number) == pytest.approx(getattr(paired, number)), number


def test_a_stratum_without_counted_units_adds_nothing_to_covariances():
    totals = np.random.default_rng(0).normal(size=(2, 12))
    weight = np.repeat([1.0, 0, 1], 4)
    moves = _unit_moves.of_units(totals, weight, weight > 0, np.array([0, 4, 8]))
    # A sum of n values has n times their variance.
    expected = 4 * (np.cov(totals[:, :4]) + np.cov(totals[:, 8:]))
    np.testing.assert_allclose(moves.covariance(), expected, rtol=1e-12)


@pytest.mark.parametrize("reference", [None, "a"])
def test_contrasts_of_clusters_in_several_groups_add_up_what_each_cluster_moves(reference):
    rng = np.random.default_rng(3)
    n, names = 240, np.array(list("abcd"))
    # Some clusters lack some of the groups.
    true, cluster, group = (
        rng.integers(4, size=n),
        rng.integers(50, size=n),
        rng.integers(4, size=n),
    )
    pred = np.clip(true + rng.choice([-1, 0, 0], size=n), 0, 3)
    weight = rng.lognormal(0, 0.5, n)
    report = GroupReport.from_predictions(
        true,
        pred,
        by=names[group],
        clusters=cluster,
        sample_weight=weight,
        metrics="accuracy",
        n_permutations=0,
    )

    def share_of(member):
        """Return the share of right predictions, what samples add to it, and their weights."""
        weights = np.where(member, weight, 0)
        share = weights @ (true == pred) / weights.sum()
        return share, weights * ((true == pred) - share) / weights.sum(), weights

    base = share_of(np.ones(n, dtype=bool) if reference is None else group == 0)
    contrasts = report.contrasts(reference=reference).contrasts["accuracy"]
    for name, found in contrasts.items():
        share, moves, weights = share_of(names[group] == name)
        used = np.maximum(weights, base[2])
        sums = [np.bincount(cluster, amount) for amount in (moves - base[1], used)]
        variance, degrees = degrees_of_freedom.of_sample(*(part[sums[1] > 0] for part in sums))
        margin = stats.t.ppf(0.975, degrees) * math.sqrt(variance)
        ratio = (share - base[0]) / math.sqrt(variance)
        assert found.estimate == pytest.approx(share - base[0], rel=1e-9)
        assert found.standard_error == pytest.approx(math.sqrt(variance), rel=1e-9)
        assert found.high - found.estimate == pytest.approx(margin, rel=1e-9)
        assert found.pvalue == pytest.approx(degrees_of_freedom.two_sided(ratio, degrees), rel=1e-9)


def test_a_few_samples_with_most_of_the_weight_have_few_degrees_of_freedom():
    weight = np.where(np.arange(200) < 4, 10_000, 1.0)
    true, pred = np.tile([0, 1], 100), np.tile([0, 1, 1, 1], 50)
    interval = delta_interval(true, pred, "accuracy", sample_weight=weight, strata=np.zeros(200))
    moves = weight * ((true == pred) - interval.estimate)
    _, degrees = degrees_of_freedom.of_sample(moves, weight)
    assert degrees < 3
    assert quantile_of(interval) == pytest.approx(stats.t.ppf(0.975, degrees), rel=1e-9)


@pytest.mark.filterwarnings("ignore:There is no interval")
def test_a_side_without_errors_is_taken_to_vary_as_the_other():
    counts = [[15, 5], [6, 14]], [[8, 0], [0, 7]]
    old, new = map(OrdinalConfusion.from_counts, counts)
    change = report_change(old, new, "accuracy").differences["accuracy"]
    groups = GroupReport.from_confusion(
        OrdinalConfusion.stack([old, new]),
        by=["old", "new"],
        metrics="accuracy",
        n_permutations=0,
    )
    contrast = groups.contrasts(reference="old").contrasts["accuracy"]["new"]
    is_right = np.arange(40) < 29
    error = is_right.std(ddof=1) * math.sqrt(1 / 40 + 1 / 15)
    for found in (change, contrast):
        assert found.standard_error == pytest.approx(error, rel=1e-12)
    for number in ("low", "high", "pvalue"):
        assert getattr(contrast, number) == pytest.approx(getattr(change, number)), number
