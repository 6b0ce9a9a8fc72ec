"""Association, against scipy and brute force over all pairs of samples."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import kendalltau
from sklearn.exceptions import UndefinedMetricWarning

from sklearn_ordinal._catalogue import METRICS
from sklearn_ordinal.metrics import kendall_tau_score
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
def test_tau_a_is_the_surplus_of_pairs_in_order(rows):
    y_true, y_pred = map(list, zip(*rows, strict=True))
    concordant, discordant, n_pairs = reference.pairs_in_order(y_true, y_pred)
    expected = (concordant - discordant) / n_pairs
    ours = kendall_tau_score(y_true, y_pred, variant="a")
    assert ours == pytest.approx(expected, abs=1e-12)


def test_constant_predictions_have_tau_a_0_and_no_tau_b_or_c():
    assert kendall_tau_score([0, 1, 2], [1, 1, 1], variant="a") == 0
    for variant in "bc":
        with pytest.warns(UndefinedMetricWarning, match=f"tau-{variant} is undefined: y_true or"):
            assert np.isnan(kendall_tau_score([0, 1, 2], [1, 1, 1], variant=variant))
        assert kendall_tau_score([0, 1], [1, 1], variant=variant, replace_undefined_by=0) == 0


def test_one_sample_has_no_tau_a():
    with pytest.warns(UndefinedMetricWarning, match="tau-a is undefined: there is but one sample"):
        assert np.isnan(kendall_tau_score([1], [1], variant="a"))


def test_ten_thousand_million_samples_do_not_overflow():
    counts = np.array([[4, 1], [1, 4]]) * 10**9
    assert METRICS["kendall_tau_b"].statistic(counts) == pytest.approx(0.6)
    assert METRICS["kendall_tau_a"].statistic(counts) == pytest.approx(0.3)
    nearly_constant = np.array([[10**10, 0], [0, 1]])
    assert METRICS["kendall_tau_b"].statistic(nearly_constant) == pytest.approx(1, rel=1e-12)


def test_variant_must_be_known():
    with pytest.raises(ValueError, match="variant must be 'a', 'b' or 'c', got 'd'"):
        kendall_tau_score([0, 1], [0, 1], variant="d")


def test_weights_too_small_to_be_frequencies_have_no_tau_a():
    y, options = [0, 1, 2], {"variant": "a", "replace_undefined_by": -7.0}
    for weight in ([0.34, 0.34, 0.33], [0.5, 0.5, 0.5], [1 / 3] * 3):
        assert kendall_tau_score(y, y, sample_weight=weight, **options) == -7
    # Fractions are fine where they can be: 2 (2.25 + 3 + 3) / (5.5 * 4.5) by hand.
    score = kendall_tau_score(y, y, sample_weight=[1.5, 2, 2], **options)
    assert score == pytest.approx(2 * (1.5 * 2 + 1.5 * 2 + 2 * 2) / (5.5 * 4.5))
