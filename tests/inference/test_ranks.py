"""Ranks over data sets, checked against Demsar's worked example and scikit-posthocs."""

import dataclasses
import json
import math
from itertools import combinations, product

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from sklearn_ordinal.inference import compare_ranks

# The ranks of Demsar (2006), Table 6: C4.5 with tuned m and cf on 14 data sets.
DEMSAR_NAMES = ("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")
DEMSAR_RANKS = [
    [4, 3, 2, 1],
    [1, 2, 3, 4],
    [4, 1, 2, 3],
    [4, 1, 3, 2],
    [4, 2, 3, 1],
    [1, 2.5, 4, 2.5],
    [3, 2, 4, 1],
    [2.5, 2.5, 4, 1],
    [4, 3, 2, 1],
    [2.5, 2.5, 2.5, 2.5],
    [4, 2.5, 1, 2.5],
    [3, 2, 4, 1],
    [4, 1, 2, 3],
    [3, 1, 4, 2],
]
DEMSAR_TIES = 2**3 - 2 + 2**3 - 2 + 4**3 - 4 + 2**3 - 2
# rng = np.random.default_rng(0)
# np.round(rng.normal(0, 1, (12, 4)) + [0, 0.8, 1.6, 1.7], 3)
SCORES = [
    [0.126, 0.668, 2.24, 1.805],
    [-0.536, 1.162, 2.904, 2.647],
    [-0.704, -0.465, 0.977, 1.741],
    [-2.325, 0.581, 0.354, 0.968],
    [-0.544, 0.484, 2.012, 2.743],
    [-0.129, 2.166, 0.935, 2.052],
    [0.903, 0.894, 0.857, 0.778],
    [-0.458, 1.02, 0.59, 1.491],
    [-0.159, 1.341, 1.815, 2.055],
    [-0.654, 0.67, 2.384, 3.193],
    [-1.259, 2.314, 2.946, 2.481],
    [0.264, 0.486, 3.058, 3.66],
]
tables = hnp.arrays(
    np.int64, st.tuples(st.integers(2, 8), st.integers(3, 6)), elements=st.integers(0, 5)
)


def demsar(**options):
    return compare_ranks(DEMSAR_RANKS, names=DEMSAR_NAMES, greater_is_better=False, **options)


def test_average_ranks_and_friedman_match_demsar():
    result = demsar()
    np.testing.assert_allclose(result.average_ranks, [3.143, 2.000, 2.893, 1.964], atol=5e-4)
    # The paper's 9.28 is not corrected for ties; SciPy's statistic is.
    n_data_sets, n_systems = np.shape(DEMSAR_RANKS)
    correction = 1 - DEMSAR_TIES / (n_data_sets * n_systems * (n_systems**2 - 1))
    assert result.statistic * correction == pytest.approx(9.28, abs=5e-3)
    assert result.n_data_sets == 14


@pytest.mark.parametrize(("alpha", "q", "printed"), [(0.05, 2.569, 1.25), (0.10, 2.291, 1.12)])
def test_critical_differences_match_demsar(alpha, q, printed):
    result = demsar(alpha=alpha)
    assert result.critical_difference == pytest.approx(printed, abs=5e-3)
    assert result.critical_difference == pytest.approx(q * math.sqrt(20 / 84), abs=5e-4)


def test_groups_match_demsar():
    # "We cannot tell which group C4.5+cf belongs to."
    assert demsar(alpha=0.10).groups == (
        ("C4.5+m+cf", "C4.5+m", "C4.5+cf"),
        ("C4.5+cf", "C4.5"),
    )
    assert demsar().groups == (("C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5"),)


def test_nemenyi_pvalues_match_scikit_posthocs():
    # scikit-posthocs 0.17.1: posthoc_nemenyi_friedman(np.array(SCORES))
    expected = [
        [1.00000000e00, 1.19495037e-01, 8.51396736e-03, 2.30443161e-04],
        [1.19495037e-01, 1.00000000e00, 7.78483369e-01, 2.29103537e-01],
        [8.51396736e-03, 7.78483369e-01, 1.00000000e00, 7.78483369e-01],
        [2.30443161e-04, 2.29103537e-01, 7.78483369e-01, 1.00000000e00],
    ]
    np.testing.assert_allclose(compare_ranks(SCORES).pairwise_pvalues, expected, rtol=1e-5)


def test_wilcoxon_pvalues_match_scikit_posthocs():
    # scikit-posthocs 0.17.1: posthoc_wilcoxon([*np.array(SCORES).T], p_adjust="holm")
    expected = [
        [1.0, 0.00585938, 0.00585938, 0.00585938],
        [0.00585938, 1.0, 0.06835938, 0.00732422],
        [0.00585938, 0.06835938, 1.0, 0.06835938],
        [0.00585938, 0.00732422, 0.06835938, 1.0],
    ]
    result = compare_ranks(SCORES, method="holm-wilcoxon")
    np.testing.assert_allclose(result.pairwise_pvalues, expected, atol=1e-8)
    assert result.critical_difference is None
    assert result.groups == (("3", "2"), ("2", "1"))


def pvalue_of_first_pair(differences):
    # All other pairs get p-values near 0, so Holm multiplies the first, the largest, by one.
    n_data_sets = len(differences)
    far = 1000 + np.arange(n_data_sets) / 7
    scores = np.column_stack([differences, np.zeros(n_data_sets), far])
    return compare_ranks(scores, method="holm-wilcoxon").pairwise_pvalues[0, 1]


@settings(deadline=None, max_examples=30)
@given(st.lists(st.integers(-6, 6), min_size=2, max_size=9).map(np.array))
def test_wilcoxon_with_ties_matches_enumerating_all_signs(differences):
    found = pvalue_of_first_pair(differences)
    kept = differences[differences != 0]
    ranks = stats.rankdata(np.abs(kept))
    middle = ranks.sum() / 2
    off = abs(ranks[kept > 0].sum() - middle)
    signs = np.array(list(product([0, 1], repeat=len(kept)))).reshape(2 ** len(kept), len(kept))
    by_definition = (np.abs(signs @ ranks - middle) >= off - 1e-9).mean()
    far = 2 ** (1 - len(differences))  # the smallest possible p-value
    assert found == pytest.approx(max(by_definition, min(1, 3 * far)))


@pytest.mark.parametrize("n_data_sets", [8, 20, 50])
def test_wilcoxon_without_ties_matches_the_exact_test_of_scipy(n_data_sets):
    differences = np.random.default_rng(n_data_sets).normal(0.2, 1, n_data_sets)
    expected = stats.wilcoxon(differences, method="exact").pvalue
    assert pvalue_of_first_pair(differences) == pytest.approx(expected)


@settings(deadline=None)
@given(tables, st.sampled_from([0.05, 0.3]))
def test_nemenyi_rejects_exactly_the_pairs_beyond_the_critical_difference(scores, alpha):
    result = compare_ranks(scores, alpha=alpha)
    apart = np.abs(result.average_ranks[:, None] - result.average_ranks)
    np.testing.assert_array_equal(
        apart >= result.critical_difference, result.pairwise_pvalues <= alpha
    )


@pytest.mark.parametrize("method", ["nemenyi", "holm-wilcoxon"])
@settings(deadline=None, max_examples=50)
@given(scores=tables)
def test_groups_are_the_maximal_runs_of_systems_that_do_not_differ(method, scores):
    result = compare_ranks(scores, method=method, alpha=0.4)
    order = np.argsort(result.average_ranks, kind="stable")
    runs = [
        order[start:end].tolist()
        for start, end in combinations(range(len(order) + 1), 2)
        if end - start > 1
    ]
    alike = [
        run
        for run in runs
        if all(result.pairwise_pvalues[a, b] > 0.4 for a, b in combinations(run, 2))
    ]
    longest = [run for run in alike if not any(set(run) < set(other) for other in alike)]
    assert result.groups == tuple(tuple(result.names[system] for system in run) for run in longest)


@settings(deadline=None, max_examples=50)
@given(tables)
def test_losses_are_ranked_like_negated_scores(scores):
    losses = compare_ranks(-scores, greater_is_better=False)
    np.testing.assert_array_equal(losses.average_ranks, compare_ranks(scores).average_ranks)


@pytest.mark.parametrize("method", ["nemenyi", "holm-wilcoxon"])
def test_systems_with_equal_scores_do_not_differ(method):
    result = compare_ranks(np.ones((5, 3)), method=method)
    assert (result.statistic, result.pvalue) == (0, 1)
    np.testing.assert_array_equal(result.pairwise_pvalues, np.ones((3, 3)))
    assert result.groups == (("0", "1", "2"),)


def test_a_system_that_differs_from_all_others_is_in_no_group():
    scores = np.arange(50)[:, None] / 1000 + [0.1, 0.5, 0.9]
    result = compare_ranks(scores)
    assert result.groups == ()
    assert "No significant difference: none" in str(result)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_names_default_to_the_columns_of_a_frame(frame):
    scores = frame({"forest": [0.9, 0.8], "ridge": [0.7, 0.6], "majority": [0.5, 0.4]})
    result = compare_ranks(scores)
    assert result.names == ("forest", "ridge", "majority")
    np.testing.assert_array_equal(result.average_ranks, [1, 2, 3])
    assert compare_ranks(scores, names=["a", "b", "c"]).names == ("a", "b", "c")


def test_average_ranks_have_the_t_interval_of_a_mean_over_data_sets():
    ranks = np.array(DEMSAR_RANKS)
    n_data_sets, n_systems = ranks.shape
    intervals = demsar(alpha=0.10).rank_intervals
    for of_system, (low, high) in zip(ranks.T, intervals, strict=True):
        excess = max(stats.kurtosis(of_system, bias=False), 0)
        degrees = 2 / (excess / n_data_sets + 2 / (n_data_sets - 1)) - 2
        degrees = min(n_data_sets - 1, max(degrees, (n_data_sets - 1) / 2))
        ends = stats.t.interval(0.9, degrees, of_system.mean(), stats.sem(of_system))
        assert (low, high) == pytest.approx(np.clip(ends, 1, n_systems), rel=1e-9)
    # Data sets that are drawn again: half the width of an interval is about 1.8 standard errors.
    rng = np.random.default_rng(0)
    drawn = ranks[rng.integers(n_data_sets, size=(4000, n_data_sets))].mean(axis=1)
    np.testing.assert_allclose(np.diff(intervals)[:, 0] / 2, 1.84 * drawn.std(axis=0), rtol=0.1)


def test_a_rank_that_is_the_same_on_all_data_sets_has_no_interval():
    intervals = compare_ranks([[0.9, 0.2, 0.1], [0.8, 0.1, 0.2]]).rank_intervals
    assert np.isnan(intervals[0]).all()
    # Two data sets tell little: the interval ends at the ranks that there are.
    np.testing.assert_array_equal(intervals[1:], [[1, 3], [1, 3]])


def test_the_dict_holds_the_numbers_by_name():
    result = demsar(alpha=0.10)
    numbers = json.loads(json.dumps(result.to_dict()))
    assert numbers["average_ranks"]["C4.5+m"] == 2
    assert numbers["pairwise_pvalues"]["C4.5"]["C4.5+m"] == result.pairwise_pvalues[0, 1]
    assert numbers["groups"] == [list(group) for group in result.groups]
    fields = {field.name for field in dataclasses.fields(result)} - {"names"}
    assert numbers.keys() == fields | {"groups"}


def test_the_text_lists_the_systems_from_best_to_worst_and_the_tests():
    lines = str(demsar(alpha=0.10)).splitlines()
    start = lines.index("Average ranks over 14 data sets, 1 is best")
    assert [line.split()[:2] for line in lines[start + 2 : start + 6]] == [
        ["C4.5+m+cf", "1.96"],
        ["C4.5+m", "2.00"],
        ["C4.5+cf", "2.89"],
        ["C4.5", "3.14"],
    ]
    text = " ".join(" ".join(lines).split())
    assert text.startswith(
        "Over 14 data sets, C4.5+m+cf has the best average rank, 1.96, and is shown to beat C4.5, "
        "but not C4.5+m and C4.5+cf (Nemenyi's test at level 0.1: average ranks must differ by "
        "1.12). All together, the ranks are shown to differ (Friedman chi-squared 10.2, p = 0.017)."
    )
    assert (
        "No significant difference: C4.5+m+cf, C4.5+m, C4.5+cf "
        "No significant difference: C4.5+cf, C4.5"
    ) in text
    by_pairs = " ".join(str(demsar(method="holm-wilcoxon")).split())
    assert "(Wilcoxon's test, adjusted by Holm, at level 0.05)." in by_pairs


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0.9, 0.9, 0.9], "a, b and c have the best average rank, 2.00. All together, "),
        ([0.9, 0.9, 0.1], "a and b have the best average rank, 1.50, and are shown to beat c (N"),
        ([0.9, 0.5, 0.1], "a has the best average rank, 1.00, and is shown to beat b and c (N"),
    ],
)
def test_the_text_names_all_tied_systems_and_all_that_are_beaten(values, expected):
    result = compare_ranks(np.tile(values, (60, 1)), names=["a", "b", "c"])
    assert result.verdict().startswith(f"Over 60 data sets, {expected}")


def test_the_text_says_if_no_system_is_shown_to_be_beaten():
    result = compare_ranks([[3, 2, 1], [3, 1, 2]], names=["a", "b", "c"])
    assert "and is not shown to beat b and c (Nemenyi's test" in result.verdict()


def test_results_are_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        demsar().alpha = 0.1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scores": np.ones((4, 2))}, r"3 systems .* got 2: .* scipy.stats.wilcoxon"),
        ({"scores": np.ones((1, 3))}, r"2 data sets .* got 1: .* corrected_t_test"),
        ({"scores": [1, 2, 3]}, r"scores must be two-dimensional, got shape \(3,\)"),
        (
            {"scores": [[1, 2, 3], [1, math.nan, 3]], "names": ["a", "b", "c"]},
            "data set 1 has no score for system 'b'",
        ),
        ({"scores": [[1, 2, 3], [1, math.inf, 3]]}, "scores must not be infinite"),
        ({"names": ["a", "b", "c"]}, r"each of the 4 systems once, got \['a', 'b', 'c'\]"),
        ({"names": ["a", "b", "c", "a"]}, "each of the 4 systems once"),
        ({"names": "abcd"}, "names must be a sequence of names, got 'abcd'"),
        ({"names": 5}, "names must be a sequence of names, got 5"),
        ({"names": set("abcd")}, "names must be a sequence of names, got a set"),
        (
            {"names": dict.fromkeys("abcd", 1)},
            "names must be a sequence of names, got a dict",
        ),
        ({"greater_is_better": "no"}, "greater_is_better must be True or False, got 'no'"),
        ({"scores": np.full((4, 3), "1")}, "scores must hold numbers, got strings"),
        (
            {"scores": np.ma.masked_equal(SCORES, SCORES[0][0])},
            "data set 0 has no score for system",
        ),
        ({"method": "tukey"}, "method must be one of"),
        ({"alpha": 0}, "alpha must be a number between 0 and 1, got 0"),
    ],
)
def test_error_messages_name_the_argument(options, message):
    with pytest.raises(ValueError, match=message):
        compare_ranks(**{"scores": SCORES, **options})


def test_scores_that_differ_only_by_rounding_share_a_rank():
    result = compare_ranks([[0.3, 0.1 + 0.2, 0.2]] * 3)
    assert result.average_ranks.tolist() == [1.5, 1.5, 3]


def test_a_huge_loss_does_not_tie_the_losses_of_other_systems_or_data_sets():
    losses = [[1e12, 0.5, 0.6], [0.3, 0.1, 0.2], [0.4, 0.2, 0.3]]
    result = compare_ranks(losses, greater_is_better=False)
    assert result.average_ranks.tolist() == [3, 1, 2]
    scaled = np.array(losses)
    scaled[0] /= 1e10
    for method in ("nemenyi", "holm-wilcoxon"):
        found, expected = (
            compare_ranks(scores, greater_is_better=False, method=method).pairwise_pvalues
            for scores in (losses, scaled)
        )
        np.testing.assert_allclose(found, expected)


@pytest.mark.parametrize("unit", [1, 0.1, 0.7])
def test_equal_differences_of_wilcoxon_are_ties_despite_rounding(unit):
    first, second = np.array([0, 7, 9, 3, 1, 7, 4, 8]), np.array([9, 9, 9, 6, 4, 5, 9, 7])
    differences = (first - second)[first != second]
    ranks = stats.rankdata(np.abs(differences))
    sums = [np.dot(signs, ranks) for signs in product([-1, 1], repeat=len(ranks))]
    expected = np.mean(np.abs(sums) >= abs(np.dot(np.sign(differences), ranks)))
    scores = unit * np.stack([first, second, second], axis=1)
    found = compare_ranks(scores, method="holm-wilcoxon").pairwise_pvalues[0, 1]
    # Holm's correction multiplies the smallest of the three p-values.
    assert found == pytest.approx(min(1, 3 * expected))


def test_the_verdict_says_if_too_few_data_sets_can_show_no_difference():
    scores, names = np.tile([3.0, 2.0, 1.0], (2, 1)), ["a", "b", "c"]
    few, more = (compare_ranks(np.tile(scores, (k, 1)), names=names).verdict() for k in (1, 3))
    assert "by 2.34, and cannot differ by more than 2: add data sets)" in few
    assert "add data sets" not in more
