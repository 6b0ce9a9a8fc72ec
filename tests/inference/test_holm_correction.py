"""Holm's correction, checked against statsmodels and the procedure of the paper."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_ordinal.inference import holm_correction

pvalues = st.lists(st.floats(0, 1), min_size=1, max_size=20)


def test_adjusted_pvalues_match_statsmodels():
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    rng = np.random.default_rng(0)
    for n_tests in range(1, 20):
        raw = np.round(rng.beta(0.3, 3, n_tests), 2)  # some of them equal
        theirs = multitest.multipletests(raw, method="holm")[1]
        np.testing.assert_allclose(holm_correction(raw), theirs, rtol=1e-12)


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=12), st.sampled_from([0.05, 0.1]))
def test_rejections_match_the_step_down_procedure(thousandths, alpha):
    raw = np.array(thousandths) / 1000 + 1e-7  # off the thresholds
    raw = np.minimum(raw, 1)
    rejected = np.zeros(len(raw), dtype=bool)
    for step, test in enumerate(np.argsort(raw, kind="stable")):
        if raw[test] > alpha / (len(raw) - step):
            break
        rejected[test] = True
    np.testing.assert_array_equal(holm_correction(raw) <= alpha, rejected)


@given(pvalues)
def test_adjusting_keeps_the_order_and_never_lowers_a_pvalue(raw):
    adjusted = holm_correction(raw)
    assert (np.diff(adjusted[np.argsort(raw)]) >= 0).all()
    assert (adjusted >= raw).all()
    assert (adjusted <= 1).all()


@given(pvalues, st.integers(1, 3))
def test_undefined_pvalues_do_not_count(raw, n_missing):
    with_gaps = holm_correction([np.nan] * n_missing + raw)
    assert np.isnan(with_gaps[:n_missing]).all()
    np.testing.assert_array_equal(with_gaps[n_missing:], holm_correction(raw))


def test_no_pvalues_give_an_empty_result():
    assert holm_correction([]).shape == (0,)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ([0.1, -0.1], r"pvalues must be in \[0, 1\], got -0.1"),
        ([1.5], r"pvalues must be in \[0, 1\], got 1.5"),
        (0.5, r"pvalues must be one-dimensional, got shape \(\)"),
    ],
)
def test_invalid_pvalues_raise(raw, message):
    with pytest.raises(ValueError, match=message):
        holm_correction(raw)
