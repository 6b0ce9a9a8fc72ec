"""Errors in classes against scikit-learn, imbalanced-learn, skordinal and hand calculations."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import mean_absolute_error, mean_squared_error

from sklearn_ordinal._core.catalogue import METRICS
from sklearn_ordinal.metrics import (
    macro_averaged_mean_absolute_error,
    macro_averaged_mean_squared_error,
    maximum_mean_absolute_error,
    ordinal_mean_absolute_error,
    ordinal_mean_squared_error,
)

pairs = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=30)


@given(pairs)
def test_the_mean_error_of_integers_equals_scikit_learns(rows):
    y_true, y_pred = np.array(rows).T
    expected = mean_absolute_error(y_true, y_pred)
    assert ordinal_mean_absolute_error(y_true, y_pred) == pytest.approx(expected)
    expected = mean_squared_error(y_true, y_pred)
    assert ordinal_mean_squared_error(y_true, y_pred) == pytest.approx(expected)


@given(pairs)
def test_the_macro_averages_and_the_maximum_are_over_true_classes(rows):
    y_true, y_pred = np.array(rows).T
    errors = np.abs(y_pred - y_true)
    per_class = [errors[y_true == c].mean() for c in np.unique(y_true)]
    squared = [(errors[y_true == c] ** 2).mean() for c in np.unique(y_true)]
    assert macro_averaged_mean_absolute_error(y_true, y_pred) == pytest.approx(np.mean(per_class))
    assert macro_averaged_mean_squared_error(y_true, y_pred) == pytest.approx(np.mean(squared))
    assert maximum_mean_absolute_error(y_true, y_pred) == pytest.approx(np.max(per_class))


@given(pairs)
def test_the_maximum_and_the_macro_average_equal_skordinals_given_all_labels(rows):
    skordinal = pytest.importorskip("skordinal.metrics", reason="a second opinion")
    y_true, y_pred = np.array(rows).T
    weight = 1.0 + np.arange(len(rows)) % 3
    for sample_weight in (None, weight):
        options = {"labels": list(range(6)), "sample_weight": sample_weight}
        ours = maximum_mean_absolute_error(y_true, y_pred, **options)
        assert ours == pytest.approx(
            skordinal.maximum_mean_absolute_error(y_true, y_pred, **options)
        )
        ours = macro_averaged_mean_absolute_error(y_true, y_pred, **options)
        assert ours == pytest.approx(
            skordinal.average_mean_absolute_error(y_true, y_pred, **options)
        )


def test_the_macro_average_equals_imbalanced_learns_if_all_classes_occur():
    imblearn = pytest.importorskip("imblearn.metrics", reason="a second opinion")
    rng = np.random.default_rng(0)
    y_true, y_pred = rng.integers(0, 5, (2, 200))
    weight = rng.random(200)
    for sample_weight in (None, weight):
        assert macro_averaged_mean_absolute_error(
            y_true, y_pred, sample_weight=sample_weight
        ) == pytest.approx(
            imblearn.macro_averaged_mean_absolute_error(y_true, y_pred, sample_weight=sample_weight)
        )


def test_a_class_missing_from_a_fold_keeps_its_place():
    # True classes 0 (errors 0, 1), 1 (0) and 4 (0, 3): means 1/2, 0 and 3/2. Two packages close
    # the gap from 1 to 4 and return .333 and, for the maximum, .5; skordinal only without labels.
    y_true, y_pred = [0, 0, 1, 4, 4], [0, 1, 1, 4, 1]
    assert macro_averaged_mean_absolute_error(y_true, y_pred) == pytest.approx(2 / 3)
    assert macro_averaged_mean_squared_error(y_true, y_pred) == pytest.approx((0.5 + 0 + 4.5) / 3)
    assert maximum_mean_absolute_error(y_true, y_pred) == pytest.approx(1.5)
    assert ordinal_mean_absolute_error(y_true, y_pred) == pytest.approx(4 / 5)
    assert ordinal_mean_squared_error(y_true, y_pred) == pytest.approx((1 + 9) / 5)


def test_a_class_that_is_only_predicted_adds_no_term():
    assert macro_averaged_mean_absolute_error([0, 0, 2], [0, 1, 2]) == pytest.approx(0.25)
    assert macro_averaged_mean_squared_error([0, 0, 3], [0, 2, 3]) == pytest.approx(1.0)
    assert maximum_mean_absolute_error([0, 0, 2], [0, 1, 2]) == pytest.approx(0.5)


def test_distances_are_between_positions_not_label_values():
    y_true, y_pred, labels = [10, 30], [30, 30], [10, 20, 30]
    assert ordinal_mean_absolute_error(y_true, y_pred, labels=labels) == 1
    assert ordinal_mean_squared_error(y_true, y_pred, labels=labels) == 2
    assert macro_averaged_mean_squared_error(y_true, y_pred, labels=labels) == 2
    assert maximum_mean_absolute_error(y_true, y_pred, labels=labels) == 2


def test_ten_billion_samples_do_not_overflow():
    counts = np.array([[4, 0, 1], [0, 0, 0], [1, 0, 4]]) * 10**9
    assert METRICS["ordinal_mean_squared_error"].statistic(counts) == pytest.approx(0.8)
    assert METRICS["maximum_mean_absolute_error"].statistic(counts) == pytest.approx(0.4)
