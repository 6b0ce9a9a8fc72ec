"""Errors in classes, against scikit-learn, imbalanced-learn and by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import mean_absolute_error

from sklearn_ordinal.metrics import macro_averaged_mean_absolute_error, ordinal_mean_absolute_error

pairs = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=30)


@given(pairs)
def test_the_mean_error_of_integers_equals_scikit_learns(rows):
    y_true, y_pred = np.array(rows).T
    expected = mean_absolute_error(y_true, y_pred)
    assert ordinal_mean_absolute_error(y_true, y_pred) == pytest.approx(expected)


@given(pairs)
def test_the_macro_average_is_the_mean_over_true_classes(rows):
    y_true, y_pred = np.array(rows).T
    per_class = [np.abs(y_pred - y_true)[y_true == c].mean() for c in np.unique(y_true)]
    assert macro_averaged_mean_absolute_error(y_true, y_pred) == pytest.approx(np.mean(per_class))


def test_the_macro_average_equals_imbalanced_learns_where_all_classes_occur():
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
    # Truth 0 (errors 0, 1), 1 (0), 4 (0, 3): means 1/2, 0, 3/2. Two packages close the gap
    # from 1 to 4 and return .333 and .5.
    y_true, y_pred = [0, 0, 1, 4, 4], [0, 1, 1, 4, 1]
    assert macro_averaged_mean_absolute_error(y_true, y_pred) == pytest.approx(2 / 3)
    assert ordinal_mean_absolute_error(y_true, y_pred) == pytest.approx(4 / 5)


def test_a_class_that_is_only_predicted_adds_no_term():
    assert macro_averaged_mean_absolute_error([0, 0, 2], [0, 1, 2]) == pytest.approx(0.25)


def test_distance_is_in_positions_not_in_the_numbers_of_the_labels():
    assert ordinal_mean_absolute_error([10, 30], [20, 30], labels=[10, 20, 30]) == 0.5
