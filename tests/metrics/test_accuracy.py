"""Accuracies against scikit-learn, imbalanced-learn, skordinal and hand calculations."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import gmean
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import accuracy_score, balanced_accuracy_score, f1_score, recall_score

from sklearn_ordinal import OrdinalConfusion
from sklearn_ordinal._core.catalogue import METRICS
from sklearn_ordinal.metrics import (
    extreme_sensitivity_score,
    geometric_mean_score,
    minimum_sensitivity_score,
    within_n_accuracy_score,
)

pairs = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=30)


@pytest.mark.filterwarnings("ignore:y_pred contains classes not in y_true")
@pytest.mark.filterwarnings("ignore:A single label was found")
@given(pairs)
def test_statistics_equal_scikit_learns(rows):
    y_true, y_pred = np.array(rows).T
    counts = OrdinalConfusion.from_predictions(y_true, y_pred, labels=range(6)).counts
    published = {
        "accuracy": accuracy_score(y_true, y_pred),
        "balanced_accuracy": balanced_accuracy_score(y_true, y_pred),
        "f1_macro": f1_score(y_true, y_pred, average="macro"),
    }
    for name, value in published.items():
        assert METRICS[name].statistic(counts) == pytest.approx(value)


@given(pairs, st.integers(0, 6))
def test_within_n_is_the_share_at_most_n_classes_away(rows, n):
    y_true, y_pred = np.array(rows).T
    share = np.mean(np.abs(y_true - y_pred) <= n)
    assert within_n_accuracy_score(y_true, y_pred, n=n) == pytest.approx(share)


def test_a_class_missing_from_a_fold_keeps_its_place():
    # Two other packages close the gap from 1 to 4 and return 1.
    assert within_n_accuracy_score([0, 0, 1, 4, 4], [0, 1, 1, 4, 1]) == 0.8


def test_neighbouring_classes_count_as_right_by_default():
    assert within_n_accuracy_score([0, 0, 0, 3], [0, 1, 2, 2]) == 3 / 4


@pytest.mark.parametrize("n", [-1, 1.5, "1", None, True])
def test_n_must_be_a_non_negative_integer(n):
    with pytest.raises(ValueError, match="n must be a non-negative integer, got"):
        within_n_accuracy_score([0, 1], [0, 1], n=n)


@given(pairs)
def test_sensitivities_are_scikit_learns_recalls_of_the_true_classes(rows):
    y_true, y_pred = np.array(rows).T
    recalls = recall_score(y_true, y_pred, labels=np.unique(y_true), average=None)
    assert minimum_sensitivity_score(y_true, y_pred) == pytest.approx(recalls.min())
    assert geometric_mean_score(y_true, y_pred) == pytest.approx(gmean(recalls))


@given(pairs)
def test_sensitivities_equal_skordinals(rows):
    skordinal = pytest.importorskip("skordinal.metrics", reason="a second opinion")
    y_true, y_pred = np.array(rows).T
    for weight in (None, 1.0 + np.arange(len(rows)) % 3):
        expected = skordinal.minimum_sensitivity(y_true, y_pred, sample_weight=weight)
        ours = minimum_sensitivity_score(y_true, y_pred, sample_weight=weight)
        assert ours == pytest.approx(expected)
        expected = skordinal.geometric_mean(y_true, y_pred, sample_weight=weight)
        assert geometric_mean_score(y_true, y_pred, sample_weight=weight) == pytest.approx(expected)


@given(pairs)
def test_the_extreme_sensitivity_equals_skordinals_if_both_end_classes_occur(rows):
    skordinal = pytest.importorskip("skordinal.metrics", reason="a second opinion")
    y_true, y_pred = np.array([*rows, (0, 0), (5, 4), (5, 5)]).T
    weight = 1.0 + np.arange(len(y_true)) % 3
    peers = {"geometric": skordinal.gmsec, "arithmetic": skordinal.mean_extreme_sensitivity}
    for average, peer in peers.items():
        for sample_weight in (None, weight):
            expected = peer(y_true, y_pred, sample_weight=sample_weight)
            ours = extreme_sensitivity_score(
                y_true, y_pred, sample_weight=sample_weight, average=average
            )
            assert ours == pytest.approx(expected)


def test_the_geometric_mean_equals_imbalanced_learns_if_all_classes_occur():
    imblearn = pytest.importorskip("imblearn.metrics", reason="a second opinion")
    rng = np.random.default_rng(0)
    y_true, y_pred = rng.integers(0, 5, (2, 300))
    for weight in (None, rng.random(300)):
        expected = imblearn.geometric_mean_score(y_true, y_pred, sample_weight=weight)
        assert geometric_mean_score(y_true, y_pred, sample_weight=weight) == pytest.approx(expected)


def test_a_class_that_is_only_predicted_has_no_sensitivity():
    # Sensitivities 1/2 and 1. imbalanced-learn counts a class that is never true as 0.
    y_true, y_pred = [0, 0, 2, 2], [0, 1, 2, 2]
    assert geometric_mean_score(y_true, y_pred) == pytest.approx(0.5**0.5)
    assert minimum_sensitivity_score(y_true, y_pred) == 0.5


def test_the_extreme_sensitivity_leaves_out_an_end_class_that_is_missing_from_a_fold():
    # A third of class 0 is right; class 3 does not occur.
    y_true, y_pred = [0, 0, 0, 1, 2], [0, 1, 2, 1, 2]
    for average in ("geometric", "arithmetic"):
        ours = extreme_sensitivity_score(y_true, y_pred, labels=range(4), average=average)
        assert ours == pytest.approx(1 / 3)


def test_end_classes_that_are_missing_from_a_fold_are_not_replaced_by_others():
    # skordinal takes the lowest and the highest true class, here 1 and 3.
    y_true, y_pred, labels = [1, 1, 3, 3], [1, 2, 3, 3], range(5)
    for average in ("geometric", "arithmetic"):
        with pytest.warns(UndefinedMetricWarning, match="no end class of the scale occurs"):
            ours = extreme_sensitivity_score(y_true, y_pred, labels=labels, average=average)
        assert np.isnan(ours)
    assert extreme_sensitivity_score(y_true, y_pred, labels=[1, 2, 3]) == pytest.approx(0.5**0.5)
    ours = extreme_sensitivity_score(y_true, y_pred, labels=[1, 2, 3], average="arithmetic")
    assert ours == 0.75
    ours = extreme_sensitivity_score(y_true, y_pred, labels=labels, replace_undefined_by=0)
    assert ours == 0


def test_a_stack_has_the_mean_of_the_end_sensitivities_of_each_matrix():
    stack = np.array([[[1, 1], [0, 1]], [[1, 0], [3, 1]], [[0, 5], [0, 2]]])
    statistic = METRICS["extreme_sensitivity"].statistic
    assert statistic(stack, average="arithmetic") == pytest.approx([0.75, 0.625, 0.5])
    assert statistic(stack, average="geometric") == pytest.approx([0.5**0.5, 0.5, 0])


def test_an_unknown_average_is_an_error():
    with pytest.raises(ValueError, match=r"average must be one of .*got 'harmonic'"):
        extreme_sensitivity_score([0, 1], [0, 1], average="harmonic")


def test_many_small_sensitivities_do_not_underflow():
    # Each of 500 classes has sensitivity 1/100; the product would be 1e-1000.
    counts = np.eye(500) + np.diag(np.full(499, 99), 1)
    counts[-1, 0] = 99
    assert METRICS["geometric_mean"].statistic(counts) == pytest.approx(0.01)
