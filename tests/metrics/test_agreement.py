"""Agreement, against scikit-learn and by hand."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import cohen_kappa_score

from sklearn_ordinal._catalogue import METRICS
from sklearn_ordinal.metrics import linear_weighted_kappa_score, quadratic_weighted_kappa_score

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
    # The trap: without labels, strings are taken in alphabetical order.
    assert cohen_kappa_score(y_true, y_pred, weights="quadratic") == pytest.approx(0.8)


def test_a_class_missing_from_a_fold_keeps_its_place():
    # scikit-learn closes the gap from 1 to 4; E = n c / 5, both by hand.
    y_true, y_pred = [0, 0, 1, 4, 4], [0, 1, 1, 4, 1]
    observed = 1 + 9
    expected = (2 * (1 * 0 + 3 * 1 + 1 * 16) + 1 * (1 + 0 + 9) + 2 * (16 + 3 * 9 + 0)) / 5
    assert quadratic_weighted_kappa_score(y_true, y_pred) == pytest.approx(1 - observed / expected)


@pytest.mark.parametrize("weights", KAPPAS)
def test_is_undefined_if_one_class_only_is_true_and_predicted(weights):
    with pytest.warns(UndefinedMetricWarning, match=f"{weights} weighted kappa is undefined: one"):
        assert np.isnan(KAPPAS[weights]([2, 2], [2, 2]))
    assert KAPPAS[weights]([2, 2], [2, 2], replace_undefined_by=1.0) == 1.0
    assert KAPPAS[weights]([2, 2], [1, 1]) == 0


def test_ten_thousand_million_samples_do_not_overflow():
    counts = np.array([[4, 1], [1, 4]]) * 10**9
    assert METRICS["quadratic_weighted_kappa"].statistic(counts) == pytest.approx(0.6)
