"""Losses of margins, against worked rows, plain definitions, scikit-learn and deepordinal."""

import math

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import hinge_loss, log_loss, zero_one_loss

from sklearn_ordinal.metrics import all_threshold_loss, immediate_threshold_loss, margin_loss

DECISION = [-2, -0.5, 0.2, 1, 3]
THRESHOLDS = [-1, 0.5, 2]
Y_TRUE = [0, 1, 1, 3, 2]
LABELS = range(4)
# The loss of each sample by all thresholds, its mean, and the same by the next thresholds.
ROWS = {
    "zero_one": ([0, 0, 0, 1, 1], 0.4, [0, 0, 0, 1, 1], 0.4),
    "hinge": ([0, 0.5, 0.7, 2.5, 2], 1.14, [0, 0.5, 0.7, 2, 2], 1.04),
    "smooth_hinge": (
        [0, 0.125, 0.245, 1.625, 1.5],
        0.699,
        [0, 0.125, 0.245, 1.5, 1.5],
        0.674,
    ),
    "modified_least_squares": (
        [0, 0.25, 0.49, 4.25, 4],
        1.798,
        [0, 0.25, 0.49, 4, 4],
        1.748,
    ),
    "logistic": (
        [0.410301, 0.866228, 0.970615, 1.914267, 1.410301],
        1.114343,
        [0.313262, 0.787339, 0.817638, 1.313262, 1.392151],
        0.924730,
    ),
    "exponential": (
        [0.468280, 1.056495, 1.207311, 3.460148, 2.818682],
        1.802183,
        [0.367879, 0.974410, 1.042012, 2.718282, 2.800367],
        1.580590,
    ),
    "squared": (
        [11.25, 2.5, 1.17, 5.25, 15.25],
        7.084,
        [0, 0.25, 0.53, 4, 6.25],
        2.206,
    ),
}
PENALTIES = pytest.mark.parametrize("penalty", ROWS)
BOTH = pytest.mark.parametrize("loss", [all_threshold_loss, immediate_threshold_loss])


def plain_penalty(name, margin):
    if name == "zero_one":
        return float(margin <= 0)
    if name == "hinge":
        return max(1 - margin, 0)
    if name == "smooth_hinge":
        return 0.5 - margin if margin <= 0 else (1 - margin) ** 2 / 2 if margin < 1 else 0
    if name == "modified_least_squares":
        return (1 - margin) ** 2 if margin < 1 else 0
    if name == "logistic":
        return math.log(1 + math.exp(-margin))
    return math.exp(-margin) if name == "exponential" else (1 - margin) ** 2


@PENALTIES
@pytest.mark.parametrize(
    ("loss", "column"), [(all_threshold_loss, 0), (immediate_threshold_loss, 2)]
)
def test_each_row_and_the_mean_are_the_worked_ones(penalty, loss, column):
    options = {"thresholds": THRESHOLDS, "penalty": penalty, "labels": LABELS}
    rows = [loss([y], [z], **options) for y, z in zip(Y_TRUE, DECISION, strict=True)]
    np.testing.assert_allclose(rows, ROWS[penalty][column], atol=5e-7)
    assert loss(Y_TRUE, DECISION, **options) == pytest.approx(ROWS[penalty][column + 1], abs=5e-7)


@PENALTIES
def test_the_losses_are_sums_of_penalties_over_thresholds(penalty):
    rng = np.random.default_rng(0)
    y_true, decision = rng.integers(6, size=40), rng.normal(scale=3, size=40)
    thresholds, weight = np.sort(rng.normal(size=5)), rng.random(40)
    all_of_them, next_to_it = [], []
    for y, z in zip(y_true, decision, strict=True):
        penalties = [
            plain_penalty(penalty, z - at if k < y else at - z) for k, at in enumerate(thresholds)
        ]
        all_of_them.append(sum(penalties))
        next_to_it.append(sum(p for k, p in enumerate(penalties) if k in (y - 1, y)))
    options = {"thresholds": thresholds, "penalty": penalty, "sample_weight": weight}
    for loss, rows in [(all_threshold_loss, all_of_them), (immediate_threshold_loss, next_to_it)]:
        expected = np.average(rows, weights=weight)
        assert loss(y_true, decision, labels=range(6), **options) == pytest.approx(expected)


@BOTH
@pytest.mark.parametrize("penalty", ["hinge", "smooth_hinge", "modified_least_squares", "logistic"])
def test_deepordinal_has_the_same_losses(loss, penalty):
    torch = pytest.importorskip("torch", reason="several gigabytes, not in the extra test-all")
    theirs = pytest.importorskip("deepordinal.torch").ordinal_loss
    rng = np.random.default_rng(1)
    y_true, decision = rng.integers(5, size=50), rng.normal(scale=3, size=50)
    thresholds = np.sort(rng.normal(size=4))
    expected = theirs(
        *map(torch.tensor, (decision, y_true, thresholds)),
        construction="all" if loss is all_threshold_loss else "immediate",
        penalty=penalty,
    )
    value = loss(y_true, decision, thresholds=thresholds, penalty=penalty, labels=range(5))
    assert value == pytest.approx(expected.item())


@BOTH
@PENALTIES
def test_shifted_values_need_no_thresholds(loss, penalty):
    shifted = np.subtract.outer(DECISION, THRESHOLDS)
    expected = loss(Y_TRUE, DECISION, thresholds=THRESHOLDS, penalty=penalty)
    assert loss(Y_TRUE, shifted, penalty=penalty) == pytest.approx(expected)


@BOTH
@PENALTIES
def test_two_classes_have_the_loss_of_the_margin(loss, penalty):
    y_true, decision = np.array([0, 0, 1, 1, 1]), np.array([-1, 0.3, 0, 2, -0.2])
    expected = margin_loss(y_true, decision, penalty=penalty)
    assert loss(y_true, decision[:, None], penalty=penalty) == expected
    assert loss(y_true, decision + 2, thresholds=[2], penalty=penalty) == pytest.approx(expected)
    shifted = margin_loss(y_true, decision + 2, thresholds=[2], penalty=penalty)
    assert shifted == pytest.approx(expected)


def test_losses_of_two_classes_are_those_of_scikit_learn():
    rng = np.random.default_rng(2)
    decision, weight = rng.normal(size=30), rng.random(30)
    y_true = rng.integers(2, size=30)
    weighted = {"sample_weight": weight}
    assert margin_loss(y_true, decision, penalty="hinge", **weighted) == pytest.approx(
        hinge_loss(y_true, decision, **weighted)
    )
    assert margin_loss(y_true, decision, **weighted) == pytest.approx(
        log_loss(y_true, 1 / (1 + np.exp(-decision)), **weighted)
    )
    assert margin_loss(y_true, decision, penalty="zero_one", **weighted) == pytest.approx(
        zero_one_loss(y_true, decision > 0, **weighted)
    )


def test_one_class_against_the_rest():
    y_true, decision = np.array(["low", "mid", "high", "mid"]), np.array([-1, 2, 0.5, -3])
    value = margin_loss(y_true == "mid", decision, penalty="hinge")
    assert value == pytest.approx(np.mean([0, 0, 1.5, 4]))
    assert margin_loss([-1, 1], [-1, 0.5], penalty="hinge", labels=[-1, 1]) == 0.25


@pytest.mark.parametrize(
    ("base", "at_zero"), [(None, math.log(2)), (math.e, math.log(2)), (2, 1.0), (4, 0.5)]
)
def test_a_sample_on_the_threshold_costs_the_logarithm_of_two(base, at_zero):
    assert margin_loss([0, 1], [0, 0], base=base) == pytest.approx(at_zero)
    value = all_threshold_loss(Y_TRUE, DECISION, thresholds=THRESHOLDS, base=base)
    natural = all_threshold_loss(Y_TRUE, DECISION, thresholds=THRESHOLDS)
    assert value == pytest.approx(natural * at_zero / math.log(2))


def test_a_value_on_a_threshold_is_wrong_for_both_neighbours():
    options = {"thresholds": [0, 1], "penalty": "zero_one", "labels": [0, 1, 2]}
    losses = [immediate_threshold_loss([y], [0], **options) for y in (0, 1, 2)]
    assert losses == [1, 1, 1]


def test_large_margins_neither_overflow_nor_warn():
    logistic = margin_loss([0, 1], [1e5, -1e5])
    assert logistic == pytest.approx(1e5)
    assert margin_loss([0, 1], [-1e5, 1e5]) == 0
    assert margin_loss([0, 1], [1e5, 1e5], penalty="exponential") == math.inf
    thresholds = [-1e5, 0]
    assert immediate_threshold_loss(
        [2, 1, 0], [1, -1e4, -1e6], thresholds=thresholds, penalty="hinge"
    ) == pytest.approx(0)


@pytest.mark.parametrize("weight", [None, [1e9, 1e9, 1e9, 1e9]])
def test_a_mean_is_finite_even_if_the_sum_of_its_penalties_is_not(weight):
    loss = margin_loss(
        [0, 0, 0, 1], [709, 709, 709, 3], penalty="exponential", sample_weight=weight
    )
    assert loss == pytest.approx(math.exp(709) * 0.75)
    far = [709, 709, 709], [0, 0, 0]
    loss = all_threshold_loss([0, 3], far, penalty="exponential", labels=range(4))
    assert loss == pytest.approx(math.exp(709) * 1.5)
    loss = all_threshold_loss([0], far[:1], penalty="exponential", labels=range(4))
    assert loss == math.inf


@BOTH
@PENALTIES
def test_weights_count_as_repetition(loss, penalty):
    weight = [2, 0, 3, 1, 1]
    repeated = np.repeat(Y_TRUE, weight), np.repeat(DECISION, weight)
    options = {"thresholds": THRESHOLDS, "penalty": penalty, "labels": LABELS}
    value = loss(Y_TRUE, DECISION, sample_weight=weight, **options)
    assert value == pytest.approx(loss(*repeated, **options))


def test_an_infinite_penalty_of_weight_zero_is_left_out():
    value = margin_loss([0, 1], [0, -1e5], penalty="exponential", sample_weight=[1, 0])
    assert value == 1


@BOTH
@PENALTIES
def test_reversing_the_scale_changes_nothing(loss, penalty):
    expected = loss(Y_TRUE, DECISION, thresholds=THRESHOLDS, penalty=penalty)
    reversed_thresholds = np.negative(THRESHOLDS)[::-1]
    value = loss(
        3 - np.array(Y_TRUE),
        np.negative(DECISION),
        thresholds=reversed_thresholds,
        penalty=penalty,
    )
    assert value == pytest.approx(expected)


def test_containers_and_strings():
    grades = ["low", "mid", "mid", "top", "high"]
    labels = ["low", "mid", "high", "top"]
    expected = all_threshold_loss(Y_TRUE, DECISION, thresholds=THRESHOLDS)
    y_true = pd.Series(pd.Categorical(grades, categories=labels, ordered=True))
    column = np.array(DECISION)[:, None]
    assert all_threshold_loss(grades, DECISION, thresholds=THRESHOLDS, labels=labels) == expected
    assert all_threshold_loss(y_true, column, thresholds=THRESHOLDS) == expected
    shifted = pd.DataFrame(np.subtract.outer(DECISION, THRESHOLDS))
    assert all_threshold_loss(y_true, shifted) == expected


SHIFTED = np.subtract.outer(DECISION, THRESHOLDS)


@BOTH
@pytest.mark.parametrize(
    ("decision", "options", "message"),
    [
        (DECISION, {}, "thresholds must be given if decision has one value per sample"),
        (SHIFTED, {"thresholds": THRESHOLDS}, "decision must have one value per sample"),
        (DECISION, {"thresholds": [0, 2, 1]}, "thresholds must be in ascending order, got"),
        (DECISION, {"thresholds": [0, 1]}, r"thresholds must have shape \(3,\) for the classes"),
        (DECISION, {"thresholds": [0, 1, np.nan]}, "thresholds must be finite"),
        (SHIFTED[:, :2], {}, r"decision must have shape \(5, 3\) for the classes .* got \(5, 2\)"),
        (SHIFTED[:4], {}, "y_true and decision must have the same length, got 5 and 4"),
        (-SHIFTED, {}, r"decision must not increase along a row.*row 0 .*\(5 such rows of 5\)"),
        ([1, 2, np.nan, 1, 1], {"thresholds": THRESHOLDS}, "decision must be finite"),
        (["a"] * 5, {"thresholds": THRESHOLDS}, "decision must hold numbers, got strings"),
        (SHIFTED, {"penalty": "log"}, "penalty must be one of"),
        (SHIFTED, {"base": 1}, "base must be a number greater than 1, got 1"),
        (SHIFTED, {"base": "e"}, "base must be a number greater than 1, got 'e'"),
        (SHIFTED, {"base": 2, "penalty": "hinge"}, "base must be None unless penalty='logistic'"),
        (SHIFTED, {"labels": [0, 1, 2]}, "y_true has classes that are not in labels"),
        (SHIFTED, {"sample_weight": [1, 1, 1, 1, -1]}, "sample_weight must not be negative"),
    ],
)
def test_wrong_input_is_an_error_that_names_the_argument(loss, decision, options, message):
    with pytest.raises(ValueError, match=message):
        loss(Y_TRUE, decision, **options)


def test_decisions_in_another_order_than_the_truth_are_an_error():
    y_true, decision = pd.Series([0, 1], index=["a", "b"]), pd.Series([1, 2], index=["b", "a"])
    with pytest.raises(ValueError, match="same index in different orders"):
        margin_loss(y_true, decision)


def test_a_column_of_decision_values_is_accepted():
    assert margin_loss([0, 1], [[-1], [1]]) == margin_loss([0, 1], [-1, 1])
    with pytest.raises(ValueError, match=r"decision must have one value per sample, .* \(2, 2\)"):
        margin_loss([0, 1], [[0.8, 0.2], [0.3, 0.7]])


@pytest.mark.parametrize("y_true", [[0, 1, 2], [-1, 1, 1], [1, 1, 1]])
def test_a_margin_needs_two_classes(y_true):
    with pytest.raises(ValueError, match=r"y_true must have 2 classes.*pass labels=\[low, high\]"):
        margin_loss(y_true, [0, 1, 2])
