"""Agreement coefficients: scikit-learn, statsmodels, krippendorff, irrCAC, hand calculations."""

from functools import partial

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import cohen_kappa_score

from sklearn_ordinal import OrdinalConfusion, get_metric
from sklearn_ordinal._core.catalogue import METRICS
from sklearn_ordinal.metrics import (
    gwet_ac2_score,
    krippendorff_alpha_score,
    linear_weighted_kappa_score,
    quadratic_weighted_kappa_score,
    scott_pi_score,
    weighted_kappa_score,
)

KAPPAS = {"linear": linear_weighted_kappa_score, "quadratic": quadratic_weighted_kappa_score}
rows = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4), st.sampled_from([0.5, 1.0, 2.0])),
    min_size=1,
    max_size=30,
)


@pytest.mark.parametrize("weights", KAPPAS)
@given(rows)
def test_kappa_equals_scikit_learns_on_the_same_scale(weights, rows):
    y_true, y_pred, sample_weight = np.array(rows).T
    assume(len({*y_true, *y_pred}) > 1)
    expected = cohen_kappa_score(
        y_true, y_pred, labels=range(5), weights=weights, sample_weight=sample_weight
    )
    ours = KAPPAS[weights](y_true, y_pred, sample_weight=sample_weight)
    assert ours == pytest.approx(expected, abs=1e-12)


def test_strings_keep_their_order():
    y_true, y_pred = ["low", "mid", "high", "high"], ["low", "mid", "low", "high"]
    # sum w C = 4; sum w E = (1 (1 + 4) + 1 (2 + 1) + 2 (8 + 1)) / 4 = 6.5.
    expected = 1 - 4 / 6.5
    labels = ["low", "mid", "high"]
    assert quadratic_weighted_kappa_score(y_true, y_pred, labels=labels) == pytest.approx(expected)
    # Pitfall: scikit-learn takes strings in alphabetical order.
    assert cohen_kappa_score(y_true, y_pred, weights="quadratic") == pytest.approx(0.8)


def test_a_class_missing_from_a_fold_keeps_its_place():
    # scikit-learn closes the gap from 1 to 4. Observed and expected disagreement by hand.
    y_true, y_pred = [0, 0, 1, 4, 4], [0, 1, 1, 4, 1]
    observed = 1 + 9
    expected = (2 * (1 * 0 + 3 * 1 + 1 * 16) + 1 * (1 + 0 + 9) + 2 * (16 + 3 * 9 + 0)) / 5
    assert quadratic_weighted_kappa_score(y_true, y_pred) == pytest.approx(1 - observed / expected)


@pytest.mark.parametrize("weights", KAPPAS)
def test_is_undefined_if_y_true_and_y_pred_contain_a_single_class(weights):
    with pytest.warns(
        UndefinedMetricWarning, match=f"{weights} weighted kappa is undefined: y_true"
    ):
        assert np.isnan(KAPPAS[weights]([2, 2], [2, 2]))
    assert KAPPAS[weights]([2, 2], [2, 2], replace_undefined_by=1.0) == 1.0
    assert KAPPAS[weights]([2, 2], [1, 1]) == 0


NAMES = ["identity", "linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar"]
WEIGHTS = [*NAMES, "matrix"]
COEFFICIENTS = [weighted_kappa_score, scott_pi_score, gwet_ac2_score]
# From irrCAC 0.4.4, which pins an old SciPy: cohen(), scott() and gwet() of
# irrCAC.table.CAC(table, weights, digits=10), in the order of NAMES, then for the matrix. The rows
# and columns of the table are named 1, 2, ..., since ratios depend on the numbers.
MATRICES = {
    3: [[1, 0.9, 0.2], [0.9, 1, 0.5], [0.2, 0.5, 1]],
    4: [[1, 0.8, 0.3, 0], [0.8, 1, 0.6, 0.1], [0.3, 0.6, 1, 0.9], [0, 0.1, 0.9, 1]],
    5: [
        [1, 0.9, 0.4, 0.1, 0],
        [0.9, 1, 0.6, 0.3, 0.2],
        [0.4, 0.6, 1, 0.8, 0.5],
        [0.1, 0.3, 0.8, 1, 0.7],
        [0, 0.2, 0.5, 0.7, 1],
    ],
}
IRRCAC = {
    "balanced": (
        [[12, 3, 1], [4, 15, 5], [0, 6, 9]],
        [
            0.4690040650,
            0.5506535948,
            0.6449530516,
            0.6055327869,
            0.5072131007,
            0.6552059605,
            0.4690040650,
            0.6055327869,
            0.5309454191,
        ],
        [
            0.4690040650,
            0.5506535948,
            0.6449530516,
            0.6055327869,
            0.5072131007,
            0.6552059605,
            0.4690040650,
            0.6055327869,
            0.5309454191,
        ],
        [
            0.4879960804,
            0.6028880866,
            0.7138126774,
            0.6699056873,
            0.5442598349,
            0.7130993796,
            0.4879960804,
            0.6699056873,
            0.6116602784,
        ],
    ),
    "skewed": (
        [[118, 5, 0], [3, 2, 1], [1, 0, 0]],
        [
            0.2976769314,
            0.3177480916,
            0.3464810518,
            0.3336181119,
            0.3066017821,
            0.3581456818,
            0.2976769314,
            0.3336181119,
            0.2454394693,
        ],
        [
            0.2974871656,
            0.3175853018,
            0.3463546703,
            0.3334757530,
            0.3064241682,
            0.3579963043,
            0.2974871656,
            0.3334757530,
            0.2453351762,
        ],
        [
            0.9186215747,
            0.9534442063,
            0.9719259776,
            0.9656817903,
            0.9386863933,
            0.9594399053,
            0.9186215747,
            0.9656817903,
            0.9817852055,
        ],
    ),
    "four classes": (
        [[22, 7, 2, 0], [5, 13, 14, 0], [0, 2, 36, 0], [0, 1, 14, 10]],
        [
            0.5088783023,
            0.6540441597,
            0.7828002298,
            0.7366825111,
            0.5811010278,
            0.7679020465,
            0.6101083032,
            0.7343894616,
            0.7214213701,
        ],
        [
            0.4968274393,
            0.6499392256,
            0.7827863619,
            0.7355609967,
            0.5734411098,
            0.7674504628,
            0.6033318030,
            0.7332852456,
            0.7206183647,
        ],
        [
            0.5321717845,
            0.7165199322,
            0.8495478031,
            0.8069067061,
            0.6282594184,
            0.8176219672,
            0.6384360926,
            0.8081333794,
            0.7765643158,
        ],
    ),
    "five classes": (
        [[3, 1, 0, 0, 2], [2, 8, 4, 1, 0], [0, 5, 20, 6, 1], [0, 1, 3, 9, 2], [1, 0, 0, 2, 4]],
        [
            0.4420446364,
            0.5155475439,
            0.5129498052,
            0.5138255849,
            0.4850463577,
            0.5345339183,
            0.6170094758,
            0.5221500607,
            0.5366734726,
        ],
        [
            0.4407696933,
            0.5144900263,
            0.5120364346,
            0.5128634495,
            0.4838828744,
            0.5340468933,
            0.6160475637,
            0.5212713702,
            0.5359202937,
        ],
        [
            0.4929807823,
            0.6783844428,
            0.7693351425,
            0.7451214656,
            0.5967555508,
            0.7764490359,
            0.6888325254,
            0.7616034847,
            0.6740031310,
        ],
    ),
    "never true": (
        [[5, 1, 2], [0, 0, 0], [1, 0, 7]],
        [
            0.5294117647,
            0.5625000000,
            0.5806451613,
            0.5744680851,
            0.5483052822,
            0.5585303332,
            0.5294117647,
            0.5744680851,
            0.6031746032,
        ],
        [
            0.5241635688,
            0.5581854043,
            0.5768056968,
            0.5704697987,
            0.5436008179,
            0.5536517764,
            0.5241635688,
            0.5704697987,
            0.6005991013,
        ],
        [
            0.6609271523,
            0.6108859294,
            0.5720164609,
            0.5864742623,
            0.6349639024,
            0.5632431544,
            0.6609271523,
            0.5864742623,
            0.6581683521,
        ],
    ),
}


def rows_of(counts):
    """Return the labels of a confusion matrix."""
    true, pred = np.indices(np.shape(counts))
    return np.repeat(true.ravel(), np.ravel(counts)), np.repeat(pred.ravel(), np.ravel(counts))


@pytest.mark.parametrize("name", IRRCAC)
@pytest.mark.parametrize("weights", WEIGHTS)
def test_weighted_coefficients_equal_irrcacs(name, weights):
    counts, *expected = IRRCAC[name]
    chosen = MATRICES[len(counts)] if weights == "matrix" else weights
    for coefficient, values in zip(COEFFICIENTS, expected, strict=True):
        ours = coefficient(*rows_of(counts), weights=chosen, labels=range(len(counts)))
        assert ours == pytest.approx(values[WEIGHTS.index(weights)], abs=1e-10)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_a_stack_has_the_coefficients_of_its_matrices(weights):
    names = ["balanced", "skewed", "never true"]
    stack = np.array([[IRRCAC[name][0]] for name in names])
    chosen = MATRICES[3] if weights == "matrix" else weights
    for number, coefficient in enumerate(["ordinal_weighted_kappa", "scott_pi", "gwet_ac2"]):
        expected = [[IRRCAC[name][1 + number][WEIGHTS.index(weights)]] for name in names]
        ours = METRICS[coefficient].statistic(stack, weights=chosen)
        assert ours == pytest.approx(np.array(expected), abs=1e-10)


# To three digits, from the tests of irrCAC, which take them from Gwet's R package.
ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]
PUBLISHED = {
    "identity": (0.796, 0.796, 0.849),
    "linear": (0.843, 0.843, 0.900),
    "quadratic": (0.892, 0.892, 0.940),
    "ordinal": (0.872, 0.872, 0.925),
    "radical": (0.819, 0.819, 0.875),
}


@pytest.mark.parametrize(("weights", "expected"), PUBLISHED.items(), ids=PUBLISHED)
def test_gwets_abstractor_example(weights, expected):
    ours = [f(*rows_of(ABSTRACTORS), weights=weights) for f in COEFFICIENTS]
    assert ours == pytest.approx(expected, abs=5e-4)


def test_weighted_kappa_with_named_weights_equals_the_dedicated_function():
    y_true, y_pred = rows_of(IRRCAC["five classes"][0])
    for name, kappa in KAPPAS.items():
        assert weighted_kappa_score(y_true, y_pred, weights=name) == kappa(y_true, y_pred)
    unweighted = weighted_kappa_score(y_true, y_pred, weights="identity")
    assert unweighted == pytest.approx(cohen_kappa_score(y_true, y_pred))


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (None, r"weights must be one of .*'bipolar'\) or a matrix, got None"),
        ("cubic", r"weights must be one of .*'bipolar'\) or a matrix, got 'cubic'"),
        ([1, 0, 1], r"weights must have shape \(3, 3\), a row and a column .* got \(3,\)"),
        (np.eye(4), r"weights must have shape \(3, 3\), a row and a column .* got \(4, 4\)"),
        ([[1, 0], [0]], "weights must hold numbers, got rows of different lengths"),
        ([["1", 0, 0]] * 3, "weights must hold numbers"),
        ([[0, 1, 2], [1, 0, 1], [2, 1, 0]], r"weights of agreement.*1 - weights / weights.max\(\)"),
        (np.eye(3) * np.nan, "weights must be weights of agreement, from 0 to 1 and 1 on the dia"),
        ([[1, 0, -1], [0, 1, 0], [-1, 0, 1]], "weights must be weights of agreement, from 0 to 1"),
        (
            [[1, 0.5, 0], [0.2, 1, 0], [0, 0, 1]],
            r"symmetric, got 0.5 at \[0, 1\] and 0.2 at \[1, 0\]",
        ),
    ],
)
def test_weights_are_a_known_name_or_a_matrix_of_agreement(coefficient, weights, message):
    with pytest.raises(ValueError, match=message) as error:
        coefficient([0, 1, 2], [0, 1, 1], weights=weights)
    assert "\n" not in str(error.value)


def test_full_agreement_between_all_classes_that_occur_is_undefined():
    weights = [[1, 1, 0], [1, 1, 0], [0, 0, 1]]
    for coefficient in (weighted_kappa_score, scott_pi_score):
        with pytest.warns(UndefinedMetricWarning, match="only classes that agree fully"):
            assert np.isnan(coefficient([0, 1], [1, 1], labels=range(3), weights=weights))


def test_a_weight_matrix_may_give_values_below_minus_one():
    # Two classes that both agree with the third and are swapped in a share p = 1 / 4 each:
    # observed disagreement is 2 p, chance disagreement 2 p**2.
    weights = [[1, 1, 0], [1, 1, 1], [0, 1, 1]]
    y_true, y_pred = [0, 2, 1, 1], [2, 0, 1, 1]
    for coefficient in (weighted_kappa_score, scott_pi_score):
        assert coefficient(y_true, y_pred, weights=weights) == pytest.approx(1 - 4)
        metric = get_metric(partial(coefficient, weights=weights))
        assert metric.bounds(3) == (-np.inf, 1.0)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_a_metric_with_a_weight_matrix_claims_no_properties(coefficient):
    counts = IRRCAC["four classes"][0]
    metric = get_metric(partial(coefficient, weights=np.array(MATRICES[4])))
    confusion = OrdinalConfusion.from_counts(counts)
    assert metric(confusion) == coefficient(*rows_of(counts), weights=MATRICES[4])
    assert metric.ordinal_invariant is metric.imbalance_aware is metric.symmetric is None
    assert metric.chance_level == 0
    with pytest.raises(ValueError, match=r"weights must have shape \(3, 3\), .*got \(4, 4\)"):
        metric(OrdinalConfusion.from_counts(np.eye(3)))
    with pytest.raises(ValueError, match="weights must be weights of agreement"):
        get_metric(partial(coefficient, weights=1 - np.array(MATRICES[4])))


def test_metrics_with_different_matrices_are_not_equal():
    weights = np.array(MATRICES[5])
    other = weights.copy()
    other[3, 4] = other[4, 3] = 0
    metric, same, different = (
        get_metric(partial(scott_pi_score, weights=matrix))
        for matrix in (weights, weights.tolist(), other)
    )
    # Long options are abbreviated in names.
    assert metric.name == different.name
    assert metric == same
    assert metric != different
    assert len({metric, same, different}) == 2


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_krippendorffs_alpha_of_a_stack_is_that_of_each_matrix(level):
    krippendorff = pytest.importorskip("krippendorff", reason="a second opinion")
    stack = np.random.default_rng(0).integers(0, 9, (2, 3, 4, 4))
    expected = [
        krippendorff.alpha(reliability_data=rows_of(counts), level_of_measurement=level)
        for counts in stack.reshape(6, 4, 4)
    ]
    ours = METRICS["krippendorff_alpha"].statistic(stack, level=level)
    assert ours.shape == (2, 3)
    assert ours.ravel() == pytest.approx(expected)


def test_pycms_example():
    # PyCM's own tests have Scott's pi ("Kappa Unbiased") .34426 and Gwet's AC1 .38931.
    y_true, y_pred = [2, 0, 2, 2, 0, 1, 1, 2, 2, 0, 1, 2], [0, 0, 2, 1, 0, 2, 1, 0, 2, 0, 2, 2]
    ours = scott_pi_score(y_true, y_pred, weights="identity")
    assert ours == pytest.approx(0.34426, abs=5e-6)
    ours = gwet_ac2_score(y_true, y_pred, weights="identity")
    assert ours == pytest.approx(0.38931, abs=5e-6)


@pytest.mark.parametrize("weights", ["identity", "linear", "quadratic"])
@given(rows)
def test_scotts_pi_is_kappa_over_both_orders_of_the_raters(weights, rows):
    y_true, y_pred, sample_weight = np.array(rows).T
    assume(len({*y_true, *y_pred}) > 1)
    expected = cohen_kappa_score(
        [*y_true, *y_pred],
        [*y_pred, *y_true],
        labels=range(5),
        weights=None if weights == "identity" else weights,
        sample_weight=[*sample_weight, *sample_weight],
    )
    ours = scott_pi_score(y_true, y_pred, weights=weights, sample_weight=sample_weight)
    assert ours == pytest.approx(expected, abs=1e-12)


def test_scotts_pi_without_weights_is_fleiss_kappa_of_two_raters():
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater", reason="a second opinion")
    y_true, y_pred = np.random.default_rng(0).integers(0, 4, (2, 60))
    given_by = (y_true[:, None] == np.arange(4)) * 1 + (y_pred[:, None] == np.arange(4))
    ours = scott_pi_score(y_true, y_pred, weights="identity")
    assert ours == pytest.approx(inter_rater.fleiss_kappa(given_by, method="fleiss"))


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
@given(rows)
def test_krippendorffs_alpha_equals_that_of_the_krippendorff_package(level, rows):
    krippendorff = pytest.importorskip("krippendorff", reason="a second opinion")
    y_true, y_pred, _ = np.array(rows).T
    assume(len({*y_true, *y_pred}) > 1)
    expected = krippendorff.alpha(
        reliability_data=[y_true, y_pred],
        value_domain=[0.0, 1.0, 2.0, 3.0, 4.0],
        level_of_measurement=level,
    )
    ours = krippendorff_alpha_score(y_true, y_pred, level=level)
    assert ours == pytest.approx(expected, abs=1e-12)


def test_the_ordinal_alpha_by_hand():
    # The pooled values 0 0 0 1 2 2 have mid-ranks 1.5, 3.5 and 5. One sample of three is 2 away;
    # of the 6 * 5 ordered pairs, 2 * 3 are 2 away, 2 * 6 are 3.5 away and 2 * 2 are 1.5 away.
    y_true, y_pred = [0, 0, 2], [0, 1, 2]
    expected = 1 - (4 / 3) / (2 * (3 * 4 + 6 * 12.25 + 2 * 2.25) / 30)
    assert krippendorff_alpha_score(y_true, y_pred) == pytest.approx(expected)


def test_alpha_is_undefined_unless_there_is_more_than_one_value():
    # Weights are frequencies: two samples of .3 make 1.2 values, three quarters of them 0. The
    # second sample disagrees: 1/2 observed; 2 * 3/4 * 1/4 by chance, times 1.2 / (1.2 - 1) since
    # pairs are drawn without replacement.
    y, options = ([0, 0], [0, 1]), {"level": "nominal"}
    ours = krippendorff_alpha_score(*y, sample_weight=[0.3, 0.3], **options)
    assert ours == pytest.approx(1 - (1 / 2) / (3 / 8) * 0.2 / 1.2)
    with pytest.warns(UndefinedMetricWarning, match="weights sum to at most half a sample"):
        assert np.isnan(krippendorff_alpha_score(*y, sample_weight=[0.25, 0.25], **options))


def test_gwets_coefficients_by_hand():
    # Pooled 3, 1 and 2 of 6: spread 1/4 + 5/36 + 2/9 = 11/18. Observed agreement is 2/3. Quadratic
    # weights are 3/4 one class away, so it is 11/12, and they sum to 3 + 4 * 3/4 = 6.
    y_true, y_pred = [0, 0, 2], [0, 1, 2]
    by_chance = 11 / 18 / 2
    expected = (2 / 3 - by_chance) / (1 - by_chance)
    assert gwet_ac2_score(y_true, y_pred, weights="identity") == pytest.approx(expected)
    by_chance = 6 * 11 / 18 / 6
    expected = (11 / 12 - by_chance) / (1 - by_chance)
    assert gwet_ac2_score(y_true, y_pred) == pytest.approx(expected)
    # With a fourth class that does not occur, weights are 1, 8/9, 5/9 and 0, and they sum to
    # 4 + 6 * 8/9 + 4 * 5/9 = 104/9.
    by_chance = 104 / 9 * 11 / 18 / 12
    expected = (26 / 27 - by_chance) / (1 - by_chance)
    assert gwet_ac2_score(y_true, y_pred, labels=range(4)) == pytest.approx(expected)


@pytest.mark.parametrize("metric", [scott_pi_score, krippendorff_alpha_score])
def test_scotts_pi_and_krippendorffs_alpha_of_a_single_class_are_undefined(metric):
    # The package krippendorff raises.
    with pytest.warns(UndefinedMetricWarning, match="y_true and y_pred contain a single class"):
        assert np.isnan(metric([2, 2], [2, 2]))
    assert metric([2, 2], [2, 2], replace_undefined_by=1.0) == 1.0


def test_gwets_ac2_of_a_single_class_is_one_unless_the_scale_has_no_other():
    assert gwet_ac2_score([2, 2], [2, 2], labels=[1, 2, 3]) == 1
    with pytest.warns(UndefinedMetricWarning, match="the scale has a single class"):
        assert np.isnan(gwet_ac2_score([2, 2], [2, 2], labels=[2]))


def test_ten_billion_samples_do_not_overflow():
    counts = np.array([[4, 1], [1, 4]]) * 10**9
    for name in ("quadratic_weighted_kappa", "scott_pi", "krippendorff_alpha", "gwet_ac2"):
        assert METRICS[name].statistic(counts) == pytest.approx(0.6), name


@pytest.mark.parametrize(
    ("metric", "options", "message"),
    [
        (krippendorff_alpha_score, {"level": "ratio"}, "level must be one of .*got 'ratio'"),
    ],
)
def test_options_must_be_known(metric, options, message):
    with pytest.raises(ValueError, match=message):
        metric([0, 1], [0, 1], **options)


def test_ac2_may_fall_below_minus_one():
    y_true, y_pred = [0] * 4 + [1] * 2 + [2] * 5, [2] * 4 + [1] * 2 + [0] * 5
    # w = 1 on the diagonal, .75 next to it, 0 in the corners; shares 9/22, 4/22, 9/22.
    observed = 2 / 11
    spread = 2 * (9 / 22) * (13 / 22) + (4 / 22) * (18 / 22)
    expected = (3 + 4 * 0.75) / 6 * spread
    ac2 = (observed - expected) / (1 - expected)
    assert ac2 < -1
    assert gwet_ac2_score(y_true, y_pred) == pytest.approx(ac2)
