"""Counts at other class sizes."""

import numpy as np
import pytest

from sklearn_ordinal import OrdinalConfusion, get_metric
from sklearn_ordinal._core.catalogue import metrics_of
from sklearn_ordinal._core.evidence_kinds import LABELS
from sklearn_ordinal.metrics import cem_ord_score

COUNTS = np.array([[40, 10, 0], [5, 30, 5], [0, 4, 6]])
UNIFORM = [1 / 3, 1 / 3, 1 / 3]


@pytest.mark.parametrize(
    ("shares", "expected"), [(UNIFORM, 0.826274962), ([0.1, 0.3, 0.6], 0.788913494)]
)
def test_closeness_at_other_class_sizes(shares, expected):
    # Worked by hand: each row is divided by its sum and multiplied by its share.
    confusion = OrdinalConfusion.from_counts(COUNTS)
    assert get_metric("cem_ord")(confusion) == pytest.approx(0.832500872, abs=1e-9)
    assert get_metric("cem_ord")(confusion.at_prevalence(shares)) == pytest.approx(
        expected, abs=1e-9
    )


def test_the_samples_of_a_class_are_weighted():
    true, pred = np.nonzero(COUNTS)
    rows = np.repeat(true, COUNTS[true, pred]), np.repeat(pred, COUNTS[true, pred])
    weight = np.array([0.1, 0.3, 0.6])[rows[0]] / COUNTS.sum(axis=1)[rows[0]]
    confusion = OrdinalConfusion.from_counts(COUNTS).at_prevalence([0.1, 0.3, 0.6])
    assert get_metric("cem_ord")(confusion) == pytest.approx(
        cem_ord_score(*rows, sample_weight=weight)
    )
    assert confusion.is_weighted
    np.testing.assert_allclose(confusion.counts.sum(axis=1), [10, 30, 60])


def test_data_sets_with_the_same_rates_have_the_same_values():
    rates = COUNTS / COUNTS.sum(axis=1, keepdims=True)
    stack = np.array([[50, 40, 10], [10, 30, 60]])[..., None] * rates
    confusion = OrdinalConfusion.from_counts(stack).at_prevalence(UNIFORM)
    for metric in metrics_of(LABELS).values():
        first, second = metric(confusion)
        np.testing.assert_allclose(first, second, err_msg=metric.name)


@pytest.mark.parametrize(
    "metric", [m for m in metrics_of(LABELS).values() if m.prevalence_invariant]
)
def test_prevalence_invariant_metrics_do_not_change(metric):
    confusion = OrdinalConfusion.from_counts(COUNTS)
    np.testing.assert_allclose(
        metric(confusion.at_prevalence([0.7, 0.2, 0.1])), metric(confusion), rtol=1e-9
    )


def test_unanswered_samples_belong_to_their_class():
    confusion = OrdinalConfusion.from_counts([[6, 2], [0, 9]], unanswered=[2, 1])
    found = confusion.at_prevalence([0.2, 0.8])
    np.testing.assert_allclose(found.counts, [[2.4, 0.8], [0, 14.4]])
    np.testing.assert_allclose(found.unanswered, [0.8, 1.6])


def test_a_class_without_samples_may_have_no_share():
    confusion = OrdinalConfusion.from_counts([[3, 1, 0], [0, 0, 0], [0, 1, 1]])
    found = confusion.at_prevalence([0.5, 0, 0.5])
    np.testing.assert_allclose(found.counts, [[2.25, 0.75, 0], [0, 0, 0], [0, 1.5, 1.5]])


@pytest.mark.parametrize(
    ("counts", "shares", "message"),
    [
        (COUNTS, [0.5, 0.5], r"shares must have shape \(3,\), .* got \(2,\)"),
        (COUNTS, [0.5, 0.5, 0.5], "shares must add up to 1, got 1.5: divide them by their sum"),
        (COUNTS, [0.5, 0.5, 2e-6], r"shares must add up to 1, got 1 \+ 2e-06: divide"),
        (COUNTS, [1.5, -0.5, 0], "shares must not be negative"),
        (COUNTS, [np.nan, 0.5, 0.5], "shares must be finite"),
        (COUNTS, ["a", "b", "c"], "shares must hold numbers"),
        ([[1, 0], [0, 0]], [0.5, 0.5], r"without samples, .* got 0.5 for 1\."),
        (
            [[[1, 0], [0, 1]], [[1, 0], [0, 0]]],
            [0.5, 0.5],
            r"for 1 in the matrix at \(1,\): if each matrix is a cluster, count .* clusters=",
        ),
    ],
)
def test_bad_shares_are_an_error(counts, shares, message):
    with pytest.raises(ValueError, match=message):
        OrdinalConfusion.from_counts(counts).at_prevalence(shares)


def test_shares_of_float32_are_accepted():
    shares = np.float32([0.6, 0.3, 0.1])
    assert abs(sum(shares.tolist()) - 1) > 1e-8
    expected = OrdinalConfusion.from_counts(COUNTS).at_prevalence([0.6, 0.3, 0.1]).counts
    for values in (shares, shares.tolist()):
        found = OrdinalConfusion.from_counts(COUNTS).at_prevalence(values)
        np.testing.assert_allclose(found.counts, expected, rtol=1e-6)
