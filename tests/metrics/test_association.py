"""Association measures against SciPy and brute force over all pairs of samples."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import kendalltau, pearsonr, somersd, spearmanr
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal import OrdinalConfusion, get_metric
from sklearn_ordinal._core.catalogue import METRICS
from sklearn_ordinal.metrics import (
    cosine_similarity_score,
    goodman_kruskal_gamma_score,
    kendall_tau_score,
    pearson_correlation_score,
    reliability_sensitivity,
    somers_d_score,
    spearman_correlation_score,
)
from tests import reference

pairs = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=30)


@given(pairs)
def test_tau_b_and_c_equal_scipys(rows):
    y_true, y_pred = np.array(rows).T
    assume(len(set(y_true)) > 1)
    assume(len(set(y_pred)) > 1)
    for variant in "bc":
        expected = kendalltau(y_true, y_pred, variant=variant).statistic
        ours = kendall_tau_score(y_true, y_pred, variant=variant)
        assert ours == pytest.approx(expected, abs=1e-12)


@given(pairs)
def test_tau_a_is_the_excess_of_concordant_over_discordant_pairs(rows):
    y_true, y_pred = map(list, zip(*rows, strict=True))
    concordant, discordant, n_pairs = reference.pairs_in_order(y_true, y_pred)
    expected = (concordant - discordant) / n_pairs
    ours = kendall_tau_score(y_true, y_pred, variant="a")
    assert ours == pytest.approx(expected, abs=1e-12)


def test_constant_predictions_have_zero_tau_a_and_undefined_tau_b_and_c():
    assert kendall_tau_score([0, 1, 2], [1, 1, 1], variant="a") == 0
    for variant in "bc":
        with pytest.warns(UndefinedMetricWarning, match=f"tau-{variant} is undefined: y_true or"):
            assert np.isnan(kendall_tau_score([0, 1, 2], [1, 1, 1], variant=variant))
        assert kendall_tau_score([0, 1], [1, 1], variant=variant, replace_undefined_by=0) == 0


def test_tau_a_of_one_sample_is_undefined():
    with pytest.warns(UndefinedMetricWarning, match="tau-a is undefined: there is only one sample"):
        assert np.isnan(kendall_tau_score([1], [1], variant="a"))


@given(pairs)
def test_gamma_is_the_excess_of_concordant_pairs_among_untied_pairs(rows):
    y_true, y_pred = map(list, zip(*rows, strict=True))
    concordant, discordant, _ = reference.pairs_in_order(y_true, y_pred)
    assume(concordant + discordant)
    expected = (concordant - discordant) / (concordant + discordant)
    assert goodman_kruskal_gamma_score(y_true, y_pred) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("weight", [[0.2, 0.7, 0.0], [1 / 3, 0.7, 0.3], [0.1, 0.2, 0.3]])
def test_gamma_of_constant_labels_is_undefined_for_any_weights(weight):
    options = {"labels": range(3), "sample_weight": weight, "replace_undefined_by": -7.0}
    for constant in ([0, 0, 0], [1, 1, 1], [2, 2, 2]):
        assert goodman_kruskal_gamma_score([0, 1, 2], constant, **options) == -7
        assert goodman_kruskal_gamma_score(constant, [0, 1, 2], **options) == -7


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # scipy's variance of perfect order
@given(pairs)
def test_somers_d_equals_scipys_in_both_directions(rows):
    y_true, y_pred = np.array(rows).T
    assume(len(set(y_true)) > 1)
    assume(len(set(y_pred)) > 1)
    expected = somersd(y_true, y_pred).statistic
    assert somers_d_score(y_true, y_pred) == pytest.approx(expected, abs=1e-12)
    expected = somersd(y_pred, y_true).statistic
    assert somers_d_score(y_true, y_pred, dependent="y_true") == pytest.approx(expected, abs=1e-12)


@given(pairs)
def test_somers_d_divides_by_the_pairs_untied_in_the_independent_variable(rows):
    y_true, y_pred = map(list, zip(*rows, strict=True))
    assume(len(set(y_true)) > 1 or len(set(y_pred)) > 1)
    concordant, discordant, _ = reference.pairs_in_order(y_true, y_pred)
    # Compared with itself, every pair is concordant unless it is tied.
    untied_true, untied_pred = (reference.pairs_in_order(y, y)[0] for y in (y_true, y_pred))
    means = {"y_pred": untied_true, "y_true": untied_pred, "both": (untied_true + untied_pred) / 2}
    for dependent, untied in means.items():
        if untied:
            expected = (concordant - discordant) / untied
            ours = somers_d_score(y_true, y_pred, dependent=dependent)
            assert ours == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("factor", [1, 0.5])
@pytest.mark.parametrize("order", [1, -1])
def test_criteria_that_share_the_pairs_of_a_stack_equal_scipys(factor, order):
    counts = np.random.default_rng(0).integers(0, 5, (3, 4, 4))
    stack = OrdinalConfusion.from_counts(counts * factor)
    rows = [
        np.repeat(np.indices((4, 4)).reshape(2, -1), matrix.ravel(), axis=1) for matrix in counts
    ]
    expected = {
        "kendall_tau_b": [kendalltau(*pair).statistic for pair in rows],
        "somers_d": [somersd(*pair).statistic for pair in rows],
        "kendall_tau_c": [kendalltau(*pair, variant="c").statistic for pair in rows],
    }
    for name in list(expected)[::order]:
        np.testing.assert_allclose(get_metric(name)(stack), expected[name], rtol=1e-12)


@given(pairs)
def test_spearman_and_pearson_equal_scipys(rows):
    y_true, y_pred = np.array(rows).T
    assume(len(set(y_true)) > 1)
    assume(len(set(y_pred)) > 1)
    expected = spearmanr(y_true, y_pred).statistic
    assert spearman_correlation_score(y_true, y_pred) == pytest.approx(expected, abs=1e-12)
    expected = pearsonr(y_true, y_pred).statistic
    assert pearson_correlation_score(y_true, y_pred) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("metric", [spearman_correlation_score, pearson_correlation_score])
@pytest.mark.parametrize("weight", [[0.05, 0.05], [0.1, 0.1], [1 / 6, 1 / 6], [0.35, 0.35]])
def test_correlation_with_a_constant_is_undefined_for_any_weights(metric, weight):
    # By rounding, the mean of a constant may differ from it: 3 * 0.1 / 0.1 is 3.0000000000000004.
    options = {"labels": range(8), "sample_weight": weight, "replace_undefined_by": -7.0}
    for constant in range(8):
        assert metric([constant, constant], [0, 2], **options) == -7
        assert metric([0, 2], [constant, constant], **options) == -7


def test_strings_are_correlated_in_their_order():
    # Positions 0 2 1 2 and 0 2 2 1, means 5/4: covariance 7/4, variances 11/4. In alphabetical
    # order, high low mid, it would be -5/11.
    y_true, y_pred = ["low", "high", "mid", "high"], ["low", "high", "high", "mid"]
    labels = ["low", "mid", "high"]
    assert pearson_correlation_score(y_true, y_pred, labels=labels) == pytest.approx(7 / 11)


@given(pairs)
def test_cosine_is_of_positions_counted_from_one(rows):
    true, pred = np.array(rows).T + 1
    expected = true @ pred / (np.linalg.norm(true) * np.linalg.norm(pred))
    ours = cosine_similarity_score(true, pred, labels=range(1, 6))
    assert ours == pytest.approx(expected, abs=1e-12)
    # Label values are not positions.
    assert cosine_similarity_score(true * 10, pred * 10, labels=[10, 20, 30, 40, 50]) == (
        pytest.approx(expected, abs=1e-12)
    )


def test_cosine_by_hand_depends_on_the_lowest_class():
    assert cosine_similarity_score([1, 2], [2, 2], labels=[1, 2]) == pytest.approx(6 / 40**0.5)
    assert cosine_similarity_score([1, 2], [2, 2], labels=[0, 1, 2]) == pytest.approx(15 / 234**0.5)


@given(pairs)
def test_reliability_and_sensitivity_are_means_over_samples(rows):
    y_true, y_pred = map(list, zip(*rows, strict=True))
    assume(len(set(y_true)) > 1)
    assume(len(set(y_pred)) > 1)
    ours = reliability_sensitivity(y_true, y_pred)
    reliability = float(reference.reliability(y_true, y_pred))
    sensitivity = float(reference.reliability(y_pred, y_true))
    assert ours.reliability == pytest.approx(reliability, abs=1e-12)
    assert ours.sensitivity == pytest.approx(sensitivity, abs=1e-12)
    either = reliability + sensitivity
    expected = 2 * reliability * sensitivity / either if either else 0
    assert ours.f == pytest.approx(expected, abs=1e-12)


def test_reliability_and_sensitivity_by_hand():
    # Reliability: of the three samples predicted above the first, two are truly above it (2/3).
    # Each of these has only the first below it, rightly so for two (1, 1) but not the fourth (0).
    # Sensitivity: predictions keep the true order of the first against both 1s (1), of each 1
    # against one of the two 0s (1/2, 1/2), and of the fourth against no 1 (0).
    ours = reliability_sensitivity([0, 1, 1, 0], [0, 1, 1, 1])
    assert ours == pytest.approx(((2 / 3 + 2) / 4, 0.5, 4 / 7))


def test_constant_labels_leave_reliability_or_sensitivity_undefined():
    with pytest.warns(UndefinedMetricWarning) as record:
        ours = reliability_sensitivity([0, 1, 2], [1, 1, 1])
    assert [str(warning.message) for warning in record] == [
        "reliability is undefined: y_pred is constant.",
    ]
    assert {warning.filename for warning in record} == {__file__}
    assert np.isnan(ours.reliability)
    # The harmonic mean of 0 and any number is 0.
    assert ours.sensitivity == ours.f == 0
    ours = reliability_sensitivity([1, 1], [0, 1], replace_undefined_by=0.25)
    assert ours == (0, 0.25, 0)
    ours = reliability_sensitivity([1, 1], [0, 0], replace_undefined_by=0.25)
    assert ours == (0.25, 0.25, 0.25)


ORDERS = {
    "kendall_tau_a": kendall_tau_score,
    "kendall_tau_b": kendall_tau_score,
    "kendall_tau_c": kendall_tau_score,
    "goodman_kruskal_gamma": goodman_kruskal_gamma_score,
    "somers_d": somers_d_score,
    "spearman_correlation": spearman_correlation_score,
    "pearson_correlation": pearson_correlation_score,
    "reliability_sensitivity_f": lambda *y, **options: reliability_sensitivity(*y, **options).f,
}


@pytest.mark.parametrize("name", ORDERS)
def test_weights_are_frequencies(name):
    y_true, y_pred, weight = [0, 1, 2, 2, 0], [0, 2, 2, 1, 3], [3, 1, 2, 1, 0]
    repeated = [np.repeat(y, weight).tolist() for y in (y_true, y_pred)]
    concordant, discordant, n_pairs = reference.pairs_in_order(*repeated)
    true, pred = (reference.pairs_in_order(y, y)[0] for y in repeated)
    reliability = reference.reliability(*repeated)
    sensitivity = reference.reliability(*repeated[::-1])
    expected = {
        "kendall_tau_a": (concordant - discordant) / n_pairs,
        "kendall_tau_b": (concordant - discordant) / (true * pred) ** 0.5,
        "kendall_tau_c": 2 * 3 * (concordant - discordant) / (7**2 * (3 - 1)),
        "goodman_kruskal_gamma": (concordant - discordant) / (concordant + discordant),
        "somers_d": (concordant - discordant) / true,
        "spearman_correlation": spearmanr(*repeated).statistic,
        "pearson_correlation": pearsonr(*repeated).statistic,
        "reliability_sensitivity_f": float(
            2 * reliability * sensitivity / (reliability + sensitivity)
        ),
    }
    options = METRICS[name].options
    ours = ORDERS[name](y_true, y_pred, sample_weight=weight, **options)
    assert ours == pytest.approx(expected[name], abs=1e-12)


# Two classes of equal size in y_true and y_pred, with 4 in 5 right; computed by hand.
OF_TEN_BILLION = {
    "kendall_tau_a": 2 * (16 - 1) / 100,
    "kendall_tau_b": 0.6,
    "kendall_tau_c": 0.6,
    "goodman_kruskal_gamma": 15 / 17,
    "somers_d": 0.6,
    "spearman_correlation": 0.6,
    "pearson_correlation": 0.6,
    "cosine_similarity": 24 / 25,
    "reliability_sensitivity_f": 0.8 * 0.8,
}


@pytest.mark.parametrize(("name", "expected"), OF_TEN_BILLION.items())
def test_ten_billion_samples_do_not_overflow(name, expected):
    counts = np.array([[4, 1], [1, 4]]) * 10**9
    assert METRICS[name].statistic(counts) == pytest.approx(expected)


def test_perfect_order_stays_perfect_with_one_sample_in_ten_billion():
    nearly_constant = np.array([[10**10, 0], [0, 1]])
    for name in OF_TEN_BILLION.keys() - {"kendall_tau_a", "kendall_tau_c"}:
        assert METRICS[name].statistic(nearly_constant) == pytest.approx(1, rel=1e-9), name


@pytest.mark.parametrize(
    ("metric", "options", "message"),
    [
        (kendall_tau_score, {"variant": "d"}, "variant must be one of .*'a', 'b', 'c'.* got 'd'"),
        (somers_d_score, {"dependent": "x"}, "dependent must be one of .*'y_pred'.* got 'x'"),
    ],
)
def test_options_must_be_known(metric, options, message):
    with pytest.raises(ValueError, match=message):
        metric([0, 1], [0, 1], **options)


def test_tau_a_is_undefined_for_weights_too_small_to_be_frequencies():
    y, options = [0, 1, 2], {"variant": "a", "replace_undefined_by": -7.0}
    for weight in ([0.34, 0.34, 0.33], [0.5, 0.5, 0.5], [1 / 3] * 3, [1.2, 0.5, 0]):
        assert kendall_tau_score(y, y, sample_weight=weight, **options) == -7
    # Larger fractional weights are fine.
    score = kendall_tau_score(y, y, sample_weight=[1.5, 2, 2], **options)
    assert score == pytest.approx(2 * (1.5 * 2 + 1.5 * 2 + 2 * 2) / (5.5 * 4.5))


@pytest.mark.parametrize("small", [1e-3, 1e-12, 1e-20])
def test_no_pairs_are_lost_for_very_unequal_weights(small):
    # Of the three pairs, (1, 2) is concordant, (1, 3) is tied in y_true and (2, 3) in y_pred.
    y_true, y_pred, weight = [0, 1, 0], [0, 1, 1], [1, small, small]
    tau = kendall_tau_score(y_true, y_pred, sample_weight=weight)
    untied_true, untied_pred = small * (1 + small), 2 * small
    assert tau == pytest.approx(small / np.sqrt(untied_true * untied_pred))
    ours = somers_d_score(y_true, y_pred, sample_weight=weight)
    assert ours == pytest.approx(small / untied_true)
    r, s, f = reliability_sensitivity(y_true, y_pred, sample_weight=weight)
    assert 0 < f <= 1
    assert 0 < min(r, s) <= max(r, s) <= 1
