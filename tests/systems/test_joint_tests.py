"""Tests of all pairs in closed form, against plain NumPy, SciPy, statsmodels and the jackknife."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal import GroupReport, OrdinalConfusion, compare_systems, get_metric
from sklearn_ordinal.inference import delta_interval, paired_difference
from tests import degrees_of_freedom

N = 120
RNG = np.random.default_rng(5)
TRUE = RNG.integers(4, size=N)
HARD = RNG.random(N)
CLUSTERS = np.sort(RNG.integers(30, size=N))
WEIGHT = RNG.uniform(0.5, 2, size=N)
BY = np.array(["a", "b", "c"])[RNG.integers(3, size=N)]
SYSTEMS = {
    f"system {k}": np.where(RNG.random(N) < HARD * share, RNG.integers(4, size=N), TRUE)
    for k, share in enumerate((0.4, 0.6, 0.9, 1.3))
}
NAMES = tuple(SYSTEMS)
PAIRS = list(itertools.combinations(range(4), 2))


def value(name, y_pred, times):
    """Return a value if each sample occurs as often as `times` says."""
    return get_metric(name).from_predictions(TRUE, y_pred, sample_weight=times, labels=range(4))


def moves_of(name, y_pred, unit, weight):
    """Return how far each unit moves a value: the slopes by the weights, by differences."""
    step, moves = 1e-4, []
    for one in range(unit.max() + 1):
        ends = [
            value(name, y_pred, weight * (1 + k * step * (unit == one))) for k in (-2, -1, 1, 2)
        ]
        moves.append((8 * (ends[2] - ends[1]) - (ends[3] - ends[0])) / (12 * step))
    return np.array(moves)


def brute_force(values, moves, weights, n_draws=4_000):
    """Return adjusted p-values and half widths by their definition, pair by pair.

    `moves` has shape (n_systems, n_units). The draws are those of the seed 0.
    """
    n_systems, n_units = moves.shape
    z, tests = {}, {}
    for i, j in itertools.combinations(range(n_systems), 2):
        variance, degrees = degrees_of_freedom.of_sample(moves[i] - moves[j], weights)
        t = abs(values[i] - values[j]) / math.sqrt(variance)
        z[i, j] = stats.norm.isf(stats.t.sf(t, degrees))
        tests[i, j] = math.sqrt(variance), degrees
    centred = moves - moves.mean(axis=1, keepdims=True)
    covariance = n_units / (n_units - 1) * centred @ centred.T
    eigenvalues, vectors = np.linalg.eigh(covariance)
    root = vectors @ np.diag(np.sqrt(eigenvalues)) @ vectors.T
    drawn = root @ np.random.default_rng(0).standard_normal((n_systems, n_draws))
    of_pairs = {
        (i, j): np.abs(drawn[i] - drawn[j])
        / math.sqrt(covariance[i, i] + covariance[j, j] - 2 * covariance[i, j])
        for i, j in z
    }
    pvalues, margins, last = {}, {}, 0.0
    left = sorted(z, key=z.get, reverse=True)
    maxima = np.max([of_pairs[pair] for pair in left], axis=0)
    critical = np.sort(maxima)[-int(0.05 * (1 + n_draws))]
    while left:
        largest = np.max([of_pairs[pair] for pair in left], axis=0)
        last = max(last, (1 + np.count_nonzero(largest >= z[left[0]])) / (1 + n_draws))
        pvalues[left.pop(0)] = last
    for pair, (error, degrees) in tests.items():
        margins[pair] = stats.t.isf(stats.norm.sf(critical), degrees) * error
    return pvalues, margins


@pytest.mark.parametrize("name", ["accuracy", "cem_ord", "quadratic_weighted_kappa"])
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
@pytest.mark.parametrize("clusters", [None, CLUSTERS], ids=["samples", "clusters"])
def test_pvalues_and_intervals_are_those_of_their_definition(name, weight, clusters):
    report = compare_systems(
        TRUE, SYSTEMS, metrics=name, labels=range(4), sample_weight=weight, clusters=clusters
    )
    unit = np.arange(N) if clusters is None else np.unique(clusters, return_inverse=True)[1]
    of_samples = np.ones(N) if weight is None else weight
    values = [value(name, y_pred, of_samples) for y_pred in SYSTEMS.values()]
    moves = np.array([moves_of(name, pred, unit, of_samples) for pred in SYSTEMS.values()])
    pvalues, margins = brute_force(values, moves, np.bincount(unit, of_samples))
    for pair in PAIRS:
        # A draw may lie between two roundings of the same z.
        assert report.pvalues[name][pair] == pytest.approx(pvalues[pair], abs=1.1 / 4001)
        assert report.margins[name][pair] == pytest.approx(margins[pair], rel=1e-3)
    assert report.n_resamples is None


def test_the_pvalue_of_two_systems_is_that_of_the_paired_t_test():
    first, second = (SYSTEMS[NAMES[k]] for k in (0, 3))
    for metric, score in (
        ("accuracy", lambda y_pred: (y_pred == TRUE).astype(float)),
        ("ordinal_mean_absolute_error", lambda y_pred: np.abs(y_pred - TRUE).astype(float)),
    ):
        report = compare_systems(TRUE, {"a": first, "b": second}, metrics=metric)
        test = stats.ttest_rel(score(first), score(second))
        _, degrees = degrees_of_freedom.of_means(score(first) - score(second))
        expected = degrees_of_freedom.two_sided(test.statistic, degrees)
        found = report.difference("a", "b")
        assert found.pvalue == pytest.approx(expected, rel=1e-9)
        alone = paired_difference(TRUE, first, second, metric, method="delta")
        for number in ("estimate", "low", "high", "pvalue", "standard_error"):
            assert getattr(found, number) == pytest.approx(getattr(alone, number), rel=1e-9)


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_standard_errors_with_clusters_are_those_of_statsmodels(weight):
    regression = pytest.importorskip("statsmodels.api")
    report = compare_systems(
        TRUE, SYSTEMS, metrics="accuracy", clusters=CLUSTERS, sample_weight=weight
    )
    for i, j in PAIRS:
        moved = (SYSTEMS[NAMES[i]] == TRUE).astype(float) - (SYSTEMS[NAMES[j]] == TRUE)
        fit = regression.WLS(moved, np.ones(N), weights=np.ones(N) if weight is None else weight)
        robust = fit.fit(cov_type="cluster", cov_kwds={"groups": CLUSTERS})
        error = report.standard_errors["accuracy"][i, j]
        assert error == pytest.approx(robust.bse[0], rel=1e-9)


def test_standard_errors_are_close_to_the_jackknife_over_clusters():
    report = compare_systems(TRUE, SYSTEMS, clusters=CLUSTERS, labels=range(4))
    names = np.unique(CLUSTERS)
    left_out = np.array(
        [
            [value("cem_ord", pred, (name != CLUSTERS).astype(float)) for name in names]
            for pred in SYSTEMS.values()
        ]
    )
    n = len(names)
    for i, j in PAIRS:
        jackknife = math.sqrt((n - 1) ** 2 / n * np.var(left_out[i] - left_out[j], ddof=1))
        assert report.standard_errors["cem_ord"][i, j] == pytest.approx(jackknife, rel=0.05)


def assert_same(found, expected):
    assert found.method == expected.method
    for number in ("estimate", "low", "high", "standard_error", "n_left_out"):
        assert getattr(found, number) == pytest.approx(getattr(expected, number), rel=1e-9)


@pytest.mark.parametrize(
    "options",
    [{}, {"sample_weight": WEIGHT}, {"clusters": CLUSTERS}, {"unanswered": "count"}],
    ids=["plain", "weighted", "clusters", "unanswered"],
)
def test_intervals_of_systems_are_those_of_delta_interval(options):
    systems = SYSTEMS
    if "unanswered" in options:
        systems = {
            name: np.where(np.arange(N) % 11 == k, np.nan, pred)
            for k, (name, pred) in enumerate(SYSTEMS.items())
        }
    metrics = ["cem_ord", "accuracy", "quadratic_weighted_kappa"]
    report = compare_systems(TRUE, systems, metrics=metrics, labels=range(4), **options)
    for name, pred in systems.items():
        alone = delta_interval(TRUE, pred, metrics, labels=range(4), **options)
        for metric in metrics:
            assert_same(report.scores[metric][name], alone[metric])


def test_probabilities_and_scores_are_compared_as_labels_are():
    proba = {name: np.eye(4)[pred] * 0.8 + 0.05 for name, pred in SYSTEMS.items()}
    metric = "ranked_probability_score"
    report = compare_systems(TRUE, proba, metrics=metric, clusters=CLUSTERS)
    for i, j in PAIRS:
        pair = (proba[NAMES[i]], proba[NAMES[j]])
        alone = paired_difference(TRUE, *pair, metric, method="delta", clusters=CLUSTERS)
        assert report.standard_errors[metric][i, j] == pytest.approx(alone.standard_error, rel=1e-9)
    for name, of_system in proba.items():
        alone = delta_interval(TRUE, of_system, metric, clusters=CLUSTERS)
        assert_same(report.scores[metric][name], alone)


def test_each_pair_counts_the_samples_that_one_of_its_systems_answers():
    systems = {
        name: np.where(np.arange(N) % 5 < k, np.nan, pred)
        for k, (name, pred) in enumerate(SYSTEMS.items())
    }
    options = {"metrics": "accuracy", "labels": range(4), "unanswered": "count"}
    report = compare_systems(TRUE, systems, **options)
    for i, j in PAIRS:
        pair = systems[NAMES[i]], systems[NAMES[j]]
        alone = paired_difference(TRUE, *pair, method="delta", **options)
        error = report.standard_errors["accuracy"][i, j]
        assert error == pytest.approx(alone.standard_error, rel=1e-9)


def test_identical_systems_do_not_change_the_other_pvalues():
    alone = compare_systems(TRUE, SYSTEMS)
    report = compare_systems(TRUE, {**SYSTEMS, "copy": SYSTEMS[NAMES[0]].copy()})
    assert report.pvalues["cem_ord"][0, 4] == 1
    same = report.difference(NAMES[0], "copy")
    assert (same.low, same.high) == (0, 0)
    # The draws differ, as there is another system.
    np.testing.assert_allclose(
        report.pvalues["cem_ord"][:4, :4], alone.pvalues["cem_ord"], atol=0.03
    )
    assert report.letters["cem_ord"]["copy"] == report.letters["cem_ord"][NAMES[0]]


@pytest.mark.filterwarnings("ignore:There is no interval")
def test_few_discordant_samples_have_the_exact_sign_test_among_other_pairs():
    truth = np.tile([0, 1, 2, 3], 20)
    wrong = (truth + 1) % 4
    best = np.where(np.arange(80) < 10, wrong, truth)
    systems = {"best": best, "five": np.where((np.arange(80) // 5) == 3, wrong, best)}
    report = compare_systems(truth, systems, metrics=["accuracy", "cem_ord"])
    assert report.pvalues["accuracy"][0, 1] == pytest.approx(stats.binomtest(5, 5).pvalue)
    assert report.letters["accuracy"] == {"best": "a", "five": "a"}
    assert report.pvalues["cem_ord"][0, 1] < 0.05
    text = " ".join(str(report).split())
    assert "those of the exact sign test, which counts where it and the interval disagree: " in text
    assert "These systems differ on fewer than 10 samples, so that p is approximate" in text
    assert text.count("best and five.") == 2
    # All samples tell these systems apart.
    systems = {"right": truth, "wrong": wrong, "best": best}
    report = compare_systems(truth, systems, metrics="accuracy")
    pair = report.difference("right", "wrong")
    assert pair.pvalue == 1 / 4001
    assert math.isnan(pair.low)
    text = " ".join(str(report).split())
    assert "the same in all samples, so that there is no interval" in text
    assert report.letters["accuracy"] == {"right": "a", "best": "b", "wrong": "c"}
    few = compare_systems(truth[:8], {"right": truth[:8], "wrong": wrong[:8]}, metrics="accuracy")
    assert few.pvalues["accuracy"][0, 1] == stats.binomtest(8, 8).pvalue


def own_score(y_true, y_pred):
    return np.mean(y_true == y_pred)


def test_only_criteria_without_influences_are_resampled():
    report = compare_systems(TRUE, SYSTEMS, metrics=["cem_ord", own_score], random_state=0)
    assert report.n_resamples == 9_999
    assert report.scores["own"][NAMES[0]].method == "bca"
    assert report.scores["cem_ord"][NAMES[0]].method == "delta"
    closed = compare_systems(TRUE, SYSTEMS)
    np.testing.assert_array_equal(closed.pvalues["cem_ord"], report.pvalues["cem_ord"])
    # The two roads give about the same answers.
    accuracy = compare_systems(TRUE, SYSTEMS, metrics="accuracy")
    np.testing.assert_allclose(
        report.pvalues["own"], accuracy.pvalues["accuracy"], atol=0.03, equal_nan=True
    )


def test_a_value_without_a_derivative_has_no_test_and_a_way_out():
    true, first = [0, 0, 1, 1], [0, 1, 0, 1]
    systems = {"tie": first, "other": [0, 1, 1, 1], "third": [0, 0, 1, 0]}
    with pytest.warns(UndefinedMetricWarning, match=r"no derivative .*n_resamples=9999 needs no"):
        report = compare_systems(true, systems, metrics="purity")
    assert np.isnan(report.pvalues["purity"][0]).all()


def test_hundreds_of_systems_are_compared():
    rng = np.random.default_rng(0)
    true = rng.integers(3, size=60)
    systems = {
        str(k): np.where(rng.random(60) < 0.3 + k / 1000, rng.integers(3, size=60), true)
        for k in range(200)
    }
    report = compare_systems(true, systems)
    assert np.isfinite(report.pvalues["cem_ord"][~np.eye(200, dtype=bool)]).all()


# Means over groups
# -----------------


@pytest.mark.parametrize("name", ["accuracy", "cem_ord", "quadratic_weighted_kappa"])
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_means_of_groups_have_the_moves_of_each_group(name, weight):
    options = {"metrics": name, "labels": range(4), "sample_weight": weight}
    report = compare_systems(TRUE, SYSTEMS, by=BY, overall="mean of groups", **options)
    of_samples = np.ones(N) if weight is None else weight
    values, moves, weights = [], [], []
    for pred in SYSTEMS.values():
        of_groups = [np.where(group == BY, of_samples, 0) for group in "abc"]
        by_group = np.array([value(name, pred, times) for times in of_groups])
        mean, slopes = by_group.mean(), np.ones(3)
        if name == "quadratic_weighted_kappa":
            # Kappas are averaged as Fisher's z.
            mean = np.tanh(np.arctanh(by_group).mean())
            slopes = (1 - mean**2) / (1 - by_group**2)
        values.append(mean)
        moves.append(
            [
                slope * moves_of(name, pred, np.arange(N), times)[group == BY] / 3
                for group, times, slope in zip("abc", of_groups, slopes, strict=True)
            ]
        )
    weights = [of_samples[group == BY] for group in "abc"]
    for k, system in enumerate(SYSTEMS):
        score = report.scores[name][system]
        error, _ = degrees_of_freedom.of_samples(moves[k], weights)
        assert score.estimate == pytest.approx(values[k], rel=1e-9)
        assert score.standard_error == pytest.approx(error, rel=1e-6)
        if name == "accuracy":
            groups = GroupReport.from_predictions(
                TRUE, SYSTEMS[system], by=BY, metrics=name, sample_weight=weight
            )
            mean = groups.mean()[name]
            assert score.estimate == pytest.approx(mean.estimate)
            assert score.standard_error == pytest.approx(mean.standard_error)
    two = {system: SYSTEMS[system] for system in (NAMES[0], NAMES[3])}
    pair = compare_systems(TRUE, two, by=BY, overall="mean of groups", **options)
    moved = [a - b for a, b in zip(moves[0], moves[3], strict=True)]
    error, degrees = degrees_of_freedom.of_samples(moved, weights)
    found = pair.difference(*two)
    assert found.standard_error == pytest.approx(error, rel=1e-6)
    expected = degrees_of_freedom.two_sided((values[0] - values[3]) / error, degrees)
    assert found.pvalue == pytest.approx(expected, rel=1e-5)


def test_means_of_groups_of_the_same_size_are_the_pooled_accuracy():
    by, options = np.arange(N) % 3, {"metrics": "accuracy"}
    mean = compare_systems(TRUE, SYSTEMS, by=by, overall="mean of groups", **options)
    pooled = compare_systems(TRUE, SYSTEMS, by=by, **options)
    for name in SYSTEMS:
        score, expected = (report.scores["accuracy"][name] for report in (mean, pooled))
        assert score.estimate == pytest.approx(expected.estimate)
        assert score.standard_error == pytest.approx(expected.standard_error, rel=0.05)
    assert mean.overall == "mean of groups"
    assert "Overall values are means of the values in the groups" in " ".join(str(mean).split())


def test_groups_that_share_clusters_are_one_sample():
    clusters, by = np.arange(N) // 2, np.arange(N) % 2
    options = {"metrics": "accuracy", "clusters": clusters}
    report = compare_systems(TRUE, SYSTEMS, by=by, overall="mean of groups", **options)
    # With both groups in each cluster, the mean over groups is the mean over samples.
    pooled = compare_systems(TRUE, SYSTEMS, **options)
    np.testing.assert_allclose(
        report.standard_errors["accuracy"], pooled.standard_errors["accuracy"], rtol=1e-9
    )
    np.testing.assert_allclose(report.pvalues["accuracy"], pooled.pvalues["accuracy"], rtol=1e-9)


def test_a_mean_of_groups_is_undefined_if_a_value_is():
    systems = {**SYSTEMS, "constant": np.where(BY == "b", 1, SYSTEMS[NAMES[0]])}
    with pytest.warns(
        UndefinedMetricWarning, match=r"of constant over the groups, .*of constant in b"
    ):
        report = compare_systems(
            TRUE, systems, by=BY, overall="mean of groups", metrics="kendall_tau_b"
        )
    scores = report.scores["kendall_tau_b"]
    assert math.isnan(scores["constant"].estimate)
    assert np.isfinite([scores[name].low for name in SYSTEMS]).all()
    # A single sample does not show how much its group varies.
    by = np.where(np.arange(N) == 7, "single", BY)
    too_few = "fewer than two samples.*of system 0 over the groups"
    with (
        pytest.warns(UndefinedMetricWarning, match="Systems are not compared in single"),
        pytest.warns(UndefinedMetricWarning, match=too_few),
    ):
        report = compare_systems(TRUE, SYSTEMS, by=by, overall="mean of groups", metrics="accuracy")
    score = report.scores["accuracy"][NAMES[0]]
    assert np.isfinite(score.estimate)
    assert math.isnan(score.low)
    assert np.isnan(report.pvalues["accuracy"]).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, r"overall='mean of groups' is computed in closed form: pass by=, the group"),
        ({"by": BY, "n_resamples": 99}, "computed in closed form: leave out n_resamples"),
        ({"by": BY, "metrics": own_score}, "metrics must have influences, which own does not"),
        (
            {"by": BY, "sample_weight": (BY != "c").astype(float)},
            "by must name groups with samples of positive weight .*got 'c' without any",
        ),
        ({"overall": "mean"}, "overall must be one of"),
    ],
)
def test_means_of_groups_that_cannot_be_computed_are_errors(options, message):
    with pytest.raises(ValueError, match=message) as error:
        compare_systems(TRUE, SYSTEMS, **{"overall": "mean of groups"} | options)
    assert "\n" not in str(error.value)


# A margin for a loss that is tolerated
# -------------------------------------


def test_a_margin_is_compared_with_the_simultaneous_interval():
    report = compare_systems(
        TRUE, SYSTEMS, metrics=["accuracy", "ordinal_mean_absolute_error"], margin=0.15
    )
    for name, metric in report.metrics.items():
        for first, second in itertools.permutations(SYSTEMS, 2):
            difference = report.difference(first, second, name)
            loss = (difference.low, difference.high)
            if metric.greater_is_better:
                loss = (-difference.high, -difference.low)
            expected = True if loss[0] > 0.15 else False if loss[1] <= 0.15 else None
            assert difference.worse_than() is expected
            assert report.difference(first, second, name).margin == 0.15
        best, *others = report.best_first(name)
        answers = {other: report.difference(other, best, name).worse_than() for other in others}
        verdict = report.verdicts[name]
        assert f"Compared with {best}, " in verdict
        for answer, words in ((True, "worse by"), (False, "not worse by")):
            named = [other for other, one in answers.items() if one is answer]
            assert (f" {words} more than 0.15" in verdict) == bool(named)
        of_best = {
            row["against"]: row["against_is_worse"]
            for row in report.to_dict()["values"]
            if (row["criterion"], row["system"], row["what"]) == (name, best, "difference")
        }
        assert of_best == answers


def test_without_a_margin_the_pvalue_decides():
    report = compare_systems(TRUE, SYSTEMS, metrics="accuracy")
    for first, second in itertools.permutations(SYSTEMS, 2):
        difference = report.difference(first, second)
        is_shown = difference.pvalue <= 0.05
        assert difference.worse_than() == ((difference.estimate < 0) if is_shown else None)
    assert "Compared with" not in report.verdicts["accuracy"]


@pytest.mark.parametrize("margin", [-0.01, math.nan, math.inf, "wide"])
def test_a_margin_is_a_finite_number_of_at_least_zero(margin):
    calls = (
        lambda: compare_systems(TRUE, SYSTEMS, margin=margin),
        lambda: paired_difference(TRUE, *list(SYSTEMS.values())[:2], margin=margin),
        lambda: paired_difference(TRUE, *list(SYSTEMS.values())[:2], method="delta").worse_than(
            margin=margin
        ),
    )
    for call in calls:
        with pytest.raises(ValueError, match=r"^margin must be a .*got [^\n]*\.$"):
            call()


def test_evidence_at_given_class_shares_is_compared_in_closed_form():
    systems = OrdinalConfusion.from_systems(TRUE, SYSTEMS).at_prevalence([0.1, 0.2, 0.3, 0.4])
    report = compare_systems(systems)
    intervals = delta_interval(systems)
    assert report.scores["cem_ord"][NAMES[1]].low == pytest.approx(intervals[NAMES[1]].low)
