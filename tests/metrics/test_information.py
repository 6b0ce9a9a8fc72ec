"""Information measures against scikit-learn, SciPy and hand calculations."""

from collections import Counter
from decimal import Decimal, localcontext
from math import log

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import entropy
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import mutual_info_score, normalized_mutual_info_score

from sklearn_ordinal import OrdinalConfusion
from sklearn_ordinal._core.catalogue import METRICS
from sklearn_ordinal.metrics import inverse_purity_score, mutual_information_score, purity_score

pairs = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=30)


@given(pairs)
def test_mutual_information_in_nats_equals_scikit_learns(rows):
    y_true, y_pred = np.array(rows).T
    ours = mutual_information_score(y_true, y_pred) * log(2)
    assert ours == pytest.approx(mutual_info_score(y_true, y_pred), abs=1e-12)


@given(pairs)
def test_mutual_information_is_the_sum_of_the_entropies_minus_the_joint_entropy(rows):
    def bits(values):
        return entropy(list(Counter(values).values()), base=2)

    y_true, y_pred = zip(*rows, strict=True)
    expected = bits(y_true) + bits(y_pred) - bits(rows)
    ours = mutual_information_score(list(y_true), list(y_pred))
    assert ours == pytest.approx(expected, abs=1e-12)


@given(pairs)
def test_normalised_mutual_information_equals_scikit_learns(rows):
    y_true, y_pred = np.array(rows).T
    assume(len(set(y_true)) > 1 or len(set(y_pred)) > 1)
    ours = mutual_information_score(y_true, y_pred, normalize=True)
    assert ours == pytest.approx(normalized_mutual_info_score(y_true, y_pred), abs=1e-12)


def test_normalised_mutual_information_of_a_stack_equals_scikit_learns_of_each_matrix():
    true, pred = np.random.default_rng(0).integers(0, 4, (2, 2, 3, 50))
    stack = np.array(
        [
            OrdinalConfusion.from_predictions(*y, labels=range(4)).counts
            for y in zip(true.reshape(6, 50), pred.reshape(6, 50), strict=True)
        ]
    ).reshape(2, 3, 4, 4)
    ours = METRICS["mutual_information"].statistic(stack, normalize=True)
    expected = [
        normalized_mutual_info_score(*y)
        for y in zip(true.reshape(6, 50), pred.reshape(6, 50), strict=True)
    ]
    assert ours.shape == (2, 3)
    assert ours.ravel() == pytest.approx(expected)


def test_pycms_example():
    # PyCM's own tests have .52421 bits for this matrix.
    y_true, y_pred = [2, 0, 2, 2, 0, 1, 1, 2, 2, 0, 1, 2], [0, 0, 2, 1, 0, 2, 1, 0, 2, 0, 2, 2]
    assert mutual_information_score(y_true, y_pred) == pytest.approx(0.52421, abs=5e-6)


@pytest.mark.parametrize("pred", [[1, 6], [2, 1], [3, 6], [7, 14]])
def test_mutual_information_of_independent_labels_is_zero_and_never_negative(pred):
    # Rounding alone would make some of these negative.
    for true in ([1, 3, 0], [1, 7, 0], [2, 2, 2], [1, 2, 3]):
        counts = np.pad(np.outer(true, pred), [(0, 0), (0, 1)])
        assert 0 <= METRICS["mutual_information"].statistic(counts) < 1e-12


def test_permuted_classes_have_full_mutual_information():
    assert mutual_information_score([0, 0, 1, 1, 2, 3], [3, 3, 2, 2, 1, 0]) == pytest.approx(
        2 * (1 / 3) * np.log2(3) + 2 * (1 / 6) * np.log2(6)
    )
    assert mutual_information_score([0, 1, 2], [2, 0, 1], normalize=True) == pytest.approx(1)


def test_normalised_information_of_a_single_class_is_undefined():
    # Pitfall: scikit-learn returns 1 here, even though predictions and truth differ.
    assert mutual_information_score([1, 1], [0, 0]) == 0
    with pytest.warns(UndefinedMetricWarning, match="normalised mutual information is undefined"):
        assert np.isnan(mutual_information_score([1, 1], [0, 0], normalize=True))
    ours = mutual_information_score([1, 1], [0, 0], normalize=True, replace_undefined_by=0)
    assert ours == 0
    assert mutual_information_score([0, 1], [1, 1], normalize=True) == 0


@given(pairs)
def test_purity_counts_the_most_frequent_partner_of_each_class(rows):
    def of_most_frequent(groups, values):
        members = {group: Counter() for group in groups}
        for group, value in zip(groups, values, strict=True):
            members[group][value] += 1
        return sum(max(counter.values()) for counter in members.values()) / len(groups)

    y_true, y_pred = map(list, zip(*rows, strict=True))
    assert purity_score(y_true, y_pred) == pytest.approx(of_most_frequent(y_pred, y_true))
    assert inverse_purity_score(y_true, y_pred) == pytest.approx(of_most_frequent(y_true, y_pred))


def test_purity_and_inverse_purity_by_hand():
    # True classes by prediction: 0 0 1 and 1 2. Predictions by true class: 0 0, 0 1 and 1.
    y_true, y_pred = [0, 0, 1, 1, 2], [0, 0, 0, 1, 1]
    assert purity_score(y_true, y_pred) == pytest.approx((2 + 1) / 5)
    assert inverse_purity_score(y_true, y_pred) == pytest.approx((2 + 1 + 1) / 5)
    weight = [1, 1, 4, 1, 1]
    assert purity_score(y_true, y_pred, sample_weight=weight) == pytest.approx((4 + 1) / 8)
    assert inverse_purity_score(y_true, y_pred, sample_weight=weight) == pytest.approx(7 / 8)


def test_ten_billion_samples_do_not_overflow():
    counts = np.array([[4, 1], [1, 4]]) * 10**9
    expected = 1 + 0.8 * np.log2(0.8) + 0.2 * np.log2(0.2)
    assert METRICS["mutual_information"].statistic(counts) == pytest.approx(expected)
    assert METRICS["purity"].statistic(counts) == pytest.approx(0.8)
    assert METRICS["inverse_purity"].statistic(counts) == pytest.approx(0.8)


def test_tiny_weights_do_not_vanish():
    for smallest in (1e-200, 5e-324):
        weight = [2, smallest]
        assert mutual_information_score([0, 1], [0, 1], sample_weight=weight) == pytest.approx(0)


def exact_information(counts, normalize):
    """Return mutual information in bits, or normalised, computed with 400 digits."""
    with localcontext() as context:
        context.prec = 400
        cells = [[Decimal(float(count)) for count in row] for row in counts]
        true, pred = (
            [sum(row) for row in cells],
            [sum(column) for column in zip(*cells, strict=True)],
        )
        n = sum(true)

        def entropy_of(sizes):
            return -sum(size / n * (size / n).ln() for size in sizes if size)

        nats = (
            entropy_of(true)
            + entropy_of(pred)
            - entropy_of([cell for row in cells for cell in row])
        )
        by = (entropy_of(true) + entropy_of(pred)) / 2 if normalize else Decimal(2).ln()
        return float(nats / by)


@pytest.mark.parametrize("weight", [1e12, 1e15, 1e40, 1e-12])
def test_perfect_predictions_are_normalised_to_one_for_very_unequal_weights(weight):
    options = {"sample_weight": [weight, 1], "normalize": True}
    assert mutual_information_score([0, 1], [0, 1], **options) == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize("normalize", [False, True])
def test_information_is_accurate_for_very_unequal_weights(normalize):
    rng = np.random.default_rng(0)
    counts = 10.0 ** rng.uniform(-15, 0, (6, 3, 3)) * (rng.random((6, 3, 3)) < 0.8)
    counts[:, 0, 0] = 1
    ours = METRICS["mutual_information"].statistic(counts, normalize=normalize)
    expected = [exact_information(matrix, normalize) for matrix in counts]
    assert ours == pytest.approx(expected, rel=1e-13)


def test_information_is_accurate_if_one_class_has_almost_all_the_weight():
    # Nearly all samples are in one class; predictions for the others are often right.
    counts = np.array([[1e12, 1, 0], [1, 5, 2], [0, 3, 7]])
    for normalize in (False, True):
        ours = METRICS["mutual_information"].statistic(counts, normalize=normalize)
        assert ours == pytest.approx(exact_information(counts, normalize), rel=1e-14)


@pytest.mark.parametrize("largest", [10**9, 2**31 - 20, 2**31, 10**15])
def test_information_is_accurate_for_large_and_small_numbers_of_samples(largest):
    counts = np.array([[largest, 1, 0], [1, 5, 2], [0, 3, 7]])
    for normalize in (False, True):
        ours = METRICS["mutual_information"].statistic(counts, normalize=normalize)
        assert ours == pytest.approx(exact_information(counts, normalize), rel=1e-13)
