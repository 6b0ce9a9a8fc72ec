"""Accuracies, against scikit-learn and by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, balanced_accuracy_score, f1_score

from sklearn_ordinal import OrdinalConfusion
from sklearn_ordinal._catalogue import METRICS
from sklearn_ordinal.metrics import within_n_accuracy_score

pairs = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=30)


@pytest.mark.filterwarnings("ignore:y_pred contains classes not in y_true")
@pytest.mark.filterwarnings("ignore:A single label was found")
@given(pairs)
def test_statistics_equal_what_scikit_learn_publishes(rows):
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
    # Two of the packages of today close the gap and return 1.
    assert within_n_accuracy_score([0, 0, 1, 4, 4], [0, 1, 1, 4, 1]) == 0.8


@pytest.mark.parametrize("n", [-1, 1.5, "1", None])
def test_n_must_be_a_number_of_classes(n):
    with pytest.raises(ValueError, match="n must be a non-negative integer, got"):
        within_n_accuracy_score([0, 1], [0, 1], n=n)
