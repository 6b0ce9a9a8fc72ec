"""The closeness family against its paper and an exact reference implementation."""

from decimal import Decimal, localcontext
from fractions import Fraction
from functools import partial
from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy.stats import entropy
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import accuracy_score, confusion_matrix

from sklearn_ordinal import get_metric
from sklearn_ordinal._core.catalogue import METRICS
from sklearn_ordinal.metrics import (
    cem_int_score,
    cem_nom_score,
    cem_ord_flat_score,
    cem_ord_score,
    closeness_costs,
    proximity_matrix,
)
from sklearn_ordinal.metrics._closeness import cem_ord_by_definition, closeness_losses
from tests import reference

TRUE = [0, 1, 2, 2, 1, 0, 2, 1, 0, 2]
PRED = [0, 2, 2, 2, 1, 0, 1, 1, 0, 2]

grades = st.integers(0, 5)
rows = st.lists(st.tuples(grades, grades), min_size=1, max_size=25)
predictions = rows.map(lambda pairs: tuple(map(list, zip(*pairs, strict=True))))
many = settings(max_examples=100)


def test_proximities_equal_those_of_the_papers_figure_1():
    # Amigo et al. 2020, Figure 1: log2((90 / 2 + 193 + 105) / 402), log2((10 / 2 + 3 + 10) / 376).
    accepts = proximity_matrix([7, 105, 193, 90, 7])
    assert accepts[3, 1] == pytest.approx(0.2290, abs=5e-5)
    assert accepts[3, 1] == pytest.approx(-np.log2(343 / 402))
    assert proximity_matrix([180, 10, 3, 10, 173])[1, 3] == pytest.approx(4.3847, abs=5e-5)


def test_cem_ord_of_a_worked_example():
    assert cem_ord_score(TRUE, PRED) == pytest.approx(0.875672553969, abs=1e-12)
    counts = confusion_matrix(TRUE, PRED)
    assert cem_ord_by_definition(counts) == pytest.approx(0.875672553969, abs=1e-12)
    assert cem_ord_flat_score(TRUE, PRED) == pytest.approx(0.915662650602, abs=1e-12)
    # Predicting the class costs the proximity to it, on average the entropy and one bit.
    proximity = proximity_matrix([3, 3, 4])
    assert np.diagonal(proximity) @ [0.3, 0.3, 0.4] == pytest.approx(2.570950594455, abs=1e-12)
    # Half of the predicted class and all of the true class, not the reverse.
    assert proximity[0, 2] == pytest.approx(0.2345, abs=5e-5)
    assert proximity[2, 0] == pytest.approx(0.3219, abs=5e-5)


@pytest.mark.parametrize("n_classes", range(2, 31))
def test_the_computed_form_of_cem_ord_equals_its_definition(n_classes):
    rng, statistic = np.random.default_rng(n_classes), METRICS["cem_ord"].statistic
    counts = rng.integers(0, 9, (8, n_classes, n_classes))
    counts[1:, rng.random(n_classes) < 0.4] = 0
    counts[2:, :, rng.random(n_classes) < 0.4] = 0
    # At least one sample, which is the only one in the last table.
    counts[:, 0, -1] = 1
    counts[-1, 1:] = counts[-1, :, :-1] = 0
    for table in [*counts, *(counts * 10 ** rng.uniform(-3, 3, counts.shape))]:
        sizes = table.sum(axis=1)
        # Classes that are never true may have no samples in the reference either.
        of_training = rng.uniform(0.1, 9, n_classes) * ((sizes > 0) | (rng.random(n_classes) < 0.5))
        for class_counts in (None, of_training):
            expected = cem_ord_by_definition(table, class_counts)
            assert statistic(table, class_counts=class_counts) == pytest.approx(expected, abs=1e-13)


@many
@given(predictions)
def test_each_measure_equals_the_exact_definition(y):
    y_true, y_pred = y
    exact = reference.cem(y_true, y_pred, reference.ordinal_closeness)
    assert cem_ord_score(y_true, y_pred) == pytest.approx(exact, abs=1e-12)
    exact = reference.cem(y_true, y_pred, reference.ordinal_closeness, log=False)
    assert cem_ord_flat_score(y_true, y_pred) == pytest.approx(exact, abs=1e-12)
    exact = reference.cem(y_true, y_pred, reference.interval_closeness)
    assert cem_int_score(y_true, y_pred) == pytest.approx(exact, abs=1e-12)
    exact = reference.cem(y_true, y_pred, reference.nominal_closeness)
    assert cem_nom_score(y_true, y_pred) == pytest.approx(exact, abs=1e-12)


@many
@given(predictions)
def test_the_adjusted_measure_corrects_for_the_mean_of_all_pairings(y):
    y_true, y_pred = y
    assume(len({*y_true, *y_pred}) > 1)
    exact = reference.adjusted_cem_ord(y_true, y_pred)
    assert cem_ord_score(y_true, y_pred, adjusted=True) == pytest.approx(exact, abs=1e-9)


@many
@given(predictions)
def test_perfect_predictions_earn_the_entropy_plus_one_bit_per_sample(y):
    sizes = np.bincount(y[0], minlength=6)
    own = np.diagonal(proximity_matrix(sizes))
    earned = (sizes[sizes > 0] * own[sizes > 0]).sum()
    assert earned == pytest.approx(sizes.sum() * (1 + entropy(sizes, base=2)))
    # Each error costs at least one bit.
    bound = 1 - (1 - accuracy_score(*y)) / (1 + entropy(sizes, base=2))
    assert cem_ord_score(*y) <= bound + 1e-12


@many
@given(st.lists(st.integers(0, 4), min_size=2, max_size=6).filter(any))
def test_proximities_equal_the_exact_definition(sizes):
    truth = [grade for grade, size in enumerate(sizes) for _ in range(size)]
    closeness = {
        "ordinal": reference.ordinal_closeness,
        "interval": reference.interval_closeness,
        "nominal": reference.nominal_closeness,
    }
    for scale, share in closeness.items():
        exact = [[float(share(truth, i, j)) for j in range(len(sizes))] for i in range(len(sizes))]
        np.testing.assert_allclose(
            proximity_matrix(sizes, scale=scale, log=False), 1 - np.array(exact)
        )
        with np.errstate(divide="ignore"):
            np.testing.assert_allclose(proximity_matrix(sizes, scale=scale), -np.log2(exact))


def test_proximity_is_not_symmetric_and_counts_half_of_the_predicted_class():
    # P(0 -> 1) = (1/2 + 3) / 4, P(1 -> 0) = (3/2 + 1) / 4
    proximity = proximity_matrix([1, 3], log=False)
    assert proximity.tolist() == [[1 - 0.5 / 4, 1 - 3.5 / 4], [1 - 2.5 / 4, 1 - 1.5 / 4]]


def test_proximity_matrix_takes_a_stack_of_sizes():
    stack = [[1, 2, 3], [5, 0, 1]]
    for scale in ("ordinal", "interval", "nominal"):
        np.testing.assert_array_equal(
            proximity_matrix(stack, scale=scale), [proximity_matrix(s, scale=scale) for s in stack]
        )


@pytest.mark.parametrize(
    ("sizes", "options", "message"),
    [
        ([0, 0], {}, "class_counts must not be zero for every class"),
        ([[1, 1], [0, 0]], {}, "class_counts must not be zero for every class"),
        ([1, -1], {}, "class_counts must not be negative|class_counts must be finite"),
        ([1, np.nan], {}, "class_counts must not be negative|class_counts must be finite"),
        ([], {}, "class_counts must have shape"),
        ([[4], [4], [4]], {}, r"got \(3, 1\), a single class in each row: pass a column as"),
        (pl.DataFrame({"size": [4, 4, 4]}), {}, r"got \(3, 1\), a single class in each row"),
        (3, {}, "class_counts must have shape"),
        (["a"], {}, "class_counts must hold numbers"),
        (
            [1, 1],
            {"scale": "ratio"},
            "scale must be one of .'ordinal', 'interval', 'nominal'., got",
        ),
    ],
)
def test_bad_sizes_are_an_error(sizes, options, message):
    with pytest.raises(ValueError, match=message):
        proximity_matrix(sizes, **options)


def test_one_true_class_scores_1_if_right_and_0_if_not():
    assert cem_ord_score([1, 1, 1], [1, 1, 1]) == 1
    assert cem_ord_score([1, 1], [0, 1]) == 0.5
    assert cem_ord_score([1], [3]) == 0


def test_a_class_that_is_only_predicted_keeps_its_place():
    # n = (2, 0, 2): P(1 -> 0) = (0/2 + 2) / 4 = 1/2, 1 bit; right: 2 bits.
    assert cem_ord_score([0, 0, 2, 2], [0, 1, 2, 2]) == pytest.approx(7 / 8)


def test_always_predicting_the_majority_scores_high_on_skewed_data_and_0_if_adjusted():
    y_true, y_pred = [0] * 99 + [1], [0] * 100
    assert cem_ord_score(y_true, y_pred) == pytest.approx(0.94, abs=0.005)
    assert cem_ord_score([0, 1], [0, 0]) == pytest.approx(0.60, abs=0.005)
    assert cem_ord_score(y_true, y_pred, adjusted=True) == pytest.approx(0, abs=1e-12)


def test_the_adjusted_measure_is_undefined_for_one_class():
    with pytest.warns(UndefinedMetricWarning, match="adjusted CEM_ORD is undefined: y_true and"):
        assert np.isnan(cem_ord_score([1, 1], [1, 1], adjusted=True))
    assert cem_ord_score([1, 1], [1, 1], adjusted=True, replace_undefined_by=0.5) == 0.5
    assert cem_ord_score([1, 1], [0, 0], adjusted=True) == 0


def test_a_reference_distribution_defines_closeness():
    sizes = [10, 20, 70]
    assert cem_ord_score(TRUE, PRED, class_counts=np.bincount(TRUE)) == cem_ord_score(TRUE, PRED)
    proximity = proximity_matrix(sizes)
    got = sum(proximity[i, j] for j, i in zip(TRUE, PRED, strict=True))
    best = sum(proximity[j, j] for j in TRUE)
    assert cem_ord_score(TRUE, PRED, class_counts=sizes) == pytest.approx(got / best)
    assert cem_ord_score(TRUE, PRED, class_counts=[0.1, 0.2, 0.7]) == pytest.approx(got / best)


@pytest.mark.parametrize(
    ("score", "options"),
    [
        (cem_int_score, {"scale": "interval"}),
        (cem_nom_score, {"scale": "nominal"}),
        (cem_ord_flat_score, {"log": False}),
    ],
)
def test_a_reference_distribution_defines_closeness_on_other_scales(score, options):
    sizes = [10, 20, 70]
    assert score(TRUE, PRED, class_counts=np.bincount(TRUE)) == score(TRUE, PRED)
    proximity = proximity_matrix(sizes, **options)
    got = sum(proximity[i, j] for j, i in zip(TRUE, PRED, strict=True))
    best = sum(proximity[j, j] for j in TRUE)
    assert score(TRUE, PRED, class_counts=sizes) == pytest.approx(got / best)
    with pytest.raises(ValueError, match="class_counts must be positive for each class in y_true"):
        score(TRUE, PRED, class_counts=[1, 0, 2])
    metric = get_metric(partial(score, class_counts=sizes))
    costs = metric.cost_matrix(np.bincount(TRUE))
    lost = sum(costs[j, i] for j, i in zip(TRUE, PRED, strict=True))
    np.testing.assert_allclose(costs, get_metric(score).cost_matrix(sizes))
    worst = np.zeros(len(TRUE), dtype=int)
    more = sum(costs[j, i] for j, i in zip(TRUE, worst, strict=True))
    lower = score(TRUE, PRED, class_counts=sizes) - score(TRUE, worst, class_counts=sizes)
    # The score is a constant less the costs, up to a factor.
    assert (1 - got / best) / lost == pytest.approx(lower / (more - lost))


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ([1, 2], r"class_counts must have shape \(3,\)"),
        (
            [1, 0, 2],
            "class_counts must be positive for each class in y_true, got 0 at pos",
        ),
        ([1, -1, 2], "class_counts must not be negative|class_counts must be finite"),
        ([5e-324, 1, 1], "class_counts must be zero or at least 1e-300 of their sum, got 5e-324"),
        ([1e-300, 1, 1e10], "class_counts must be zero or at least 1e-300 of their sum, got 1e-3"),
    ],
)
def test_a_reference_distribution_that_does_not_fit_is_an_error(sizes, message):
    with pytest.raises(ValueError, match=message):
        cem_ord_score(TRUE, PRED, class_counts=sizes)


def test_a_reference_distribution_must_include_every_true_class():
    with pytest.raises(
        ValueError, match="position 1 of the scale, where closeness would be infinite"
    ):
        cem_ord_score([0, 1], [0, 0], class_counts=[1, 0])


def test_a_reference_distribution_may_lack_a_class_that_is_only_predicted():
    assert cem_ord_score([0, 2], [1, 2], class_counts=[1, 0, 1]) == pytest.approx(3 / 4)


def test_scores_are_finite_for_very_unequal_weights():
    weight = [1e17, 1.0, 1.0, 1e-3]
    score = cem_ord_score([0, 1, 2, 3], [0, 2, 1, 2], sample_weight=weight)
    assert 0 < score <= 1


@given(predictions, st.data())
def test_a_prediction_one_class_nearer_to_the_truth_improves_cem_ord(y, data):
    y_true, y_pred = y
    wrong = [k for k in range(len(y_true)) if y_true[k] != y_pred[k]]
    assume(wrong)
    k = data.draw(st.sampled_from(wrong))
    nearer = list(y_pred)
    nearer[k] += 1 if y_true[k] > y_pred[k] else -1
    before, after = cem_ord_score(y_true, y_pred), cem_ord_score(y_true, nearer)
    # Neighbouring classes that are never true are equally close to any true class.
    if y_pred[k] in y_true or nearer[k] in y_true:
        assert after > before
    else:
        assert after == pytest.approx(before)


def test_an_error_in_a_smaller_class_costs_more():
    # Class sizes decrease from 0 to 2; one sample of an end class is predicted as 1.
    y_true = [0] * 30 + [1] * 20 + [2] * 10
    errors = []
    for end in (0, 2):
        y_pred = list(y_true)
        y_pred[y_true.index(end)] = 1
        errors.append(1 - cem_ord_score(y_true, y_pred))
    assert all(small < large for small, large in pairwise(errors))


def test_statistics_take_a_stack_of_ten_thousand_matrices():
    counts = np.random.default_rng(0).integers(0, 9, (10_000, 5, 5))
    for name in ("cem_ord", "cem_ord_adjusted", "cem_int", "cem_nom", "cem_ord_flat"):
        values = METRICS[name].statistic(counts)
        assert values.shape == (10_000,)
        assert values[77] == pytest.approx(METRICS[name].statistic(counts[77]))


@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=12))
@example([0.1])
@example([0.05, 0.15])
def test_the_adjusted_measure_of_one_class_is_undefined_for_any_weights(weight):
    # Rounding makes chance, 0.1 * 0.1 / 0.1 of 0.1 samples, not quite 1.
    y, options = [2] * len(weight), {"adjusted": True, "sample_weight": weight}
    options |= {"labels": range(4), "replace_undefined_by": -7.0}
    assert cem_ord_score(y, y, **options) == -7


def test_class_counts_with_an_index_are_rejected():
    sizes = pd.Series([2, 2, 2, 1, 0, 0]).value_counts()
    with pytest.raises(ValueError, match="class_counts must be a plain array in the order of"):
        cem_ord_score(TRUE, PRED, class_counts=sizes)


def test_no_precision_is_lost_for_very_unequal_weights():
    # All predictions are right, so the exact value is 1.
    assert cem_int_score([0, 0, 2], [0, 0, 2], sample_weight=[1, 1, 1e-16]) == 1
    weight = [1e-12, 1e-12, 1, 1e-13]
    adjusted = cem_ord_score([0, 0, 1, 1], [0, 1, 1, 0], sample_weight=weight, adjusted=True)
    counts = [[Fraction(10), Fraction(10)], [Fraction(1), Fraction(10**13)]]
    assert adjusted == pytest.approx(_adjusted_of_two(counts), rel=1e-12)


def _adjusted_of_two(counts):
    """Compute the adjusted measure of two classes from its definition, with 60 digits."""
    with localcontext() as context:
        context.prec = 60
        n = [sum(row) for row in counts]
        pred = [counts[0][i] + counts[1][i] for i in (0, 1)]
        total = sum(n)

        def lost(true, predicted):
            if true == predicted:
                return Decimal(0)
            share = (n[predicted] / Fraction(2) + n[true]) / (n[true] / Fraction(2))
            return (Decimal(share.numerator) / Decimal(share.denominator)).ln()

        def value(fraction):
            return Decimal(fraction.numerator) / Decimal(fraction.denominator)

        cells = [(j, i) for j in (0, 1) for i in (0, 1)]
        observed = sum(value(counts[j][i]) * lost(j, i) for j, i in cells)
        by_chance = sum(value(n[j] * pred[i] / Fraction(total)) * lost(j, i) for j, i in cells)
        return float(1 - observed / by_chance)


def test_costs_are_the_closeness_lost_in_bits():
    # Shares .3, .3 and .4: expected cost of predicting with probabilities (.5, .3, .2).
    bits = closeness_costs([3, 3, 4]) @ [0.5, 0.3, 0.2]
    assert bits == pytest.approx([0.958496250, 1.139874369, 1.481560906], abs=1e-9)
    # Shares .6, .3 and .1: expected cost of each class if the truth has probabilities (.2, .5, .3).
    expected = np.array([0.2, 0.5, 0.3]) @ closeness_costs([6, 3, 1])
    assert expected == pytest.approx([2.142206, 0.960964, 0.943789], abs=5e-7)
    expected = np.array([0.55, 0.25, 0.2]) @ closeness_costs([7, 2, 1])
    assert expected == pytest.approx([1.354946, 1.055955, 1.122797], abs=5e-7)


def test_costs_do_not_add_up_along_the_scale_but_obey_the_triangle_inequality():
    costs = closeness_costs([1, 1, 1])
    assert costs[0, 1] + costs[1, 2] == pytest.approx(2 * np.log2(3))
    assert costs[0, 2] == pytest.approx(np.log2(5))
    for sizes in np.random.default_rng(0).integers(1, 100, size=(20, 5)):
        costs = closeness_costs(sizes)
        detours = costs[:, :, None] + costs[None]
        assert (costs[:, None] <= detours + 1e-12).all()


@given(st.lists(st.integers(0, 9), min_size=1, max_size=6).filter(any))
def test_costs_are_differences_of_exact_proximities(sizes):
    truth = np.repeat(np.arange(len(sizes)), sizes).tolist()
    costs = closeness_costs(sizes)
    for j in range(len(sizes)):
        own = reference.ordinal_closeness(truth, j, j)
        for i in range(len(sizes)):
            if i == j:
                assert costs[j, i] == 0
            elif not sizes[j]:
                assert costs[j, i] == np.inf
            else:
                expected = np.log2(float(reference.ordinal_closeness(truth, i, j) / own))
                assert costs[j, i] == pytest.approx(expected, abs=1e-12)


@many
@given(predictions)
def test_cem_ord_equals_its_closed_form_in_ridits(y):
    y_true, y_pred = y
    shares = np.bincount(y_true, minlength=6) / len(y_true)
    ridits = np.cumsum(shares) - shares / 2
    steps = np.abs(ridits[y_pred] - ridits[y_true])
    bits = np.log2(1 + 2 * steps / shares[y_true]).mean()
    closed_form = 1 - bits / (1 + entropy(shares, base=2))
    assert cem_ord_score(y_true, y_pred) == pytest.approx(closed_form, abs=1e-12)
    sizes = np.bincount(y_true, minlength=6)
    assert bits == pytest.approx(closeness_costs(sizes)[y_true, y_pred].mean(), abs=1e-12)
    flat = 1 - steps.mean() / (1 - (shares**2).sum() / 2)
    assert cem_ord_flat_score(y_true, y_pred) == pytest.approx(flat, abs=1e-12)


@pytest.mark.parametrize(
    "sizes",
    [
        np.array([10**12, 1, 1, 10**12]),
        np.array([10**18, 1, 1, 10**18]),
        np.array([1e18, 1, 1, 1e18]),
        np.array([1, 1e-18, 1e-18, 1]),
        np.array([0.3, 1e-17, 1e-17, 1e17]),
    ],
    ids=str,
)
def test_costs_between_small_classes_are_accurate_next_to_large_classes(sizes):
    assert closeness_costs(sizes)[1, 2] == pytest.approx(np.log2(3), rel=1e-15)
    for weights in (np.diag(sizes), np.diag(sizes.astype(float))):
        # All of class 1 is predicted as class 2, which has the same weight.
        weights[1, [1, 2]] = weights[1, [2, 1]]
        lost = closeness_losses(weights)[1, 2]
        lost_if_unanswered = closeness_losses(np.zeros((4, 4)), sizes)[1, -1]
        bits = 1 - np.log2(float(sizes[1])) + np.log2(float(sizes.sum()))
        assert lost / lost_if_unanswered == pytest.approx(np.log2(3) / bits, rel=1e-12)


def test_the_closed_form_holds_for_a_reference_distribution_and_unanswered_samples():
    sizes = np.array([5.0, 1, 4])
    y_pred = [0, 2, None, 2, 1, None, 1, 1, 0, 2]
    # An unanswered sample costs 1 - log2 f, which is also what a perfect prediction earns.
    perfect = 1 - np.log2(sizes / 10)[TRUE]
    costs = closeness_costs(sizes)
    lost = [perfect[k] if pred is None else costs[TRUE[k], pred] for k, pred in enumerate(y_pred)]
    value = cem_ord_score(TRUE, y_pred, class_counts=sizes, unanswered="count")
    assert value == pytest.approx(1 - sum(lost) / perfect.sum(), abs=1e-12)


def test_a_worked_example_with_fractional_counts():
    # Three items whose true class is uncertain, predicted as 0, 2 and 1.
    y_true, y_pred = [0, 1, 2] * 3, np.repeat([0, 2, 1], 3)
    weight = [0.8, 0.2, 0, 0, 0.5, 0.5, 0.2, 0.2, 0.6]
    own = cem_ord_score(y_true, y_pred, sample_weight=weight)
    assert own == pytest.approx(0.693094388, abs=1e-9)
    fixed = cem_ord_score(y_true, y_pred, sample_weight=weight, class_counts=[3, 3, 4])
    assert fixed == pytest.approx(0.693317290, abs=1e-9)


def test_costs_are_finite_even_if_the_ratio_of_the_sizes_overflows():
    costs = closeness_costs([1e-300, 1e30])
    np.testing.assert_allclose(costs, [[0, 330 * np.log2(10)], [1, 0]])


def test_costs_take_a_stack_of_sizes():
    stack = closeness_costs([[3, 3, 4], [6, 3, 1]])
    assert stack.tolist() == [closeness_costs(s).tolist() for s in ([3, 3, 4], [6, 3, 1])]
    with pytest.raises(ValueError, match="class_counts must not be negative"):
        closeness_costs([1, -1])


@many
@given(predictions, st.lists(st.booleans(), min_size=25, max_size=25))
def test_losses_of_the_cells_sum_to_one_minus_cem_ord(y, is_answered):
    pairs = list(zip(*y, is_answered, strict=False))
    counts, unanswered = np.zeros((6, 6), dtype=int), np.zeros(6, dtype=int)
    for true, pred, has_answer in pairs:
        if has_answer:
            counts[true, pred] += 1
        else:
            unanswered[true] += 1
    losses = closeness_losses(counts, unanswered)
    assert losses.shape == (6, 7)
    y_pred = [pred if has_answer else None for _, pred, has_answer in pairs]
    value = cem_ord_score(y[0], y_pred, unanswered="count")
    assert losses.sum() == pytest.approx(1 - value, abs=1e-12)
    assert closeness_losses(counts + 1).sum() == pytest.approx(
        1 - METRICS["cem_ord"].statistic(counts + 1), abs=1e-12
    )


@pytest.mark.parametrize(("predicted", "expected"), [(0, 0.25), (1, (2 - np.log2(0.75)) / 4)])
def test_a_class_whose_weight_is_negligible_does_not_overflow(predicted, expected):
    # By hand: all of classes 1 and 2, with half of the weight each, are predicted as one class.
    weight = [1e-320, 1, 1]
    score = cem_ord_score([0, 1, 2], [predicted] * 3, sample_weight=weight)
    assert score == pytest.approx(expected, rel=1e-12)
