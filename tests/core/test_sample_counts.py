"""The number of samples beside their weights."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_ordinal import OrdinalConfusion

LABELS = ["low", "mid", "high"]
SAMPLES = st.lists(
    st.tuples(
        st.sampled_from(LABELS),
        st.sampled_from([*LABELS, None]),
        st.sampled_from([0.0, 1 / 3, 1.0, 100.0]),
    ),
    min_size=1,
).filter(lambda samples: any(weight for *_, weight in samples))


def confusion_of(samples):
    true, pred, weights = zip(*samples, strict=True)
    return OrdinalConfusion.from_predictions(
        list(true), list(pred), labels=LABELS, sample_weight=weights, unanswered="count"
    )


def numbers_of(samples):
    """Count the samples of positive weight one by one."""
    numbers = np.zeros((3, 4), dtype=int)
    for true, pred, weight in samples:
        numbers[LABELS.index(true), 3 if pred is None else LABELS.index(pred)] += weight > 0
    return numbers


@given(SAMPLES, SAMPLES)
def test_every_constructor_and_operation_keeps_the_number_of_samples(first, second):
    numbers = numbers_of(first)
    confusion, other = confusion_of(first), confusion_of(second)
    frame = pd.DataFrame(first, columns=["y_true", "y_pred", "weight"])
    of_table = OrdinalConfusion.from_table(
        frame, labels=LABELS, sample_weight="weight", unanswered="count"
    )
    columns = [list(column) for column in zip(*first, strict=True)]
    of_batches = OrdinalConfusion.from_batches([columns], labels=LABELS, unanswered="count")
    for same in (confusion, of_table, of_batches, pickle.loads(pickle.dumps(confusion))):
        np.testing.assert_array_equal(same.sample_counts, numbers)
        assert same.n_samples == numbers.sum()
    both = numbers + numbers_of(second)
    np.testing.assert_array_equal((confusion + other).sample_counts, both)
    stack = OrdinalConfusion.stack([confusion, other])
    np.testing.assert_array_equal(stack.n_samples, [numbers.sum(), numbers_of(second).sum()])
    np.testing.assert_array_equal(stack.pooled().sample_counts, both)


def test_integers_without_labels_have_the_run_of_the_weighted_classes():
    confusion = OrdinalConfusion.from_predictions([0, 2, 3], [0, 3, 3], sample_weight=[0, 5, 5])
    assert confusion.labels.tolist() == [2, 3]
    np.testing.assert_array_equal(confusion.sample_counts, [[0, 1, 0], [0, 1, 0]])


def test_groups_of_a_table_have_their_own_numbers():
    frame = pd.DataFrame(
        {"y_true": [0, 1, 1], "y_pred": [0, 1, 0], "by": list("aab"), "weight": [100.0, 0.0, 2.0]}
    )
    confusion = OrdinalConfusion.from_table(frame, sample_weight="weight", by="by", labels=[0, 1])
    np.testing.assert_array_equal(confusion.n_samples, [1, 1])


def test_counts_without_weights_are_the_numbers():
    confusion = OrdinalConfusion.from_predictions([0, 1, 1], [0, 1, 0])
    assert confusion.sample_counts is None
    assert confusion.n_samples == 3
    weighted = OrdinalConfusion.from_predictions([0, 1, 1], [0, 1, 0], sample_weight=[2, 2, 2])
    np.testing.assert_array_equal((confusion + weighted).sample_counts, [[2, 0, 0], [2, 2, 0]])


def test_class_sizes_are_weighted_but_samples_of_absent_classes_are_not_counted():
    confusion = OrdinalConfusion.from_predictions([0, 1, 1, 2], [0, 1, 0, 2])
    assert confusion.at_prevalence([0.5, 0.5, 0.0]).n_samples == 3
    assert confusion.at_prevalence([0.4, 0.4, 0.2]).n_samples == 4


def test_the_number_of_samples_in_sums_of_weights_is_not_known():
    confusion = OrdinalConfusion.from_counts([[1.5, 0.0], [0.0, 2.0]])
    weighted = OrdinalConfusion.from_predictions([0, 1], [0, 1], sample_weight=[1, 2])
    assert confusion.n_samples is None
    assert (confusion + weighted).n_samples is None
    assert OrdinalConfusion.stack([confusion, weighted]).n_samples is None


def test_the_repr_shows_the_number_and_the_weight():
    confusion = OrdinalConfusion.from_predictions([0, 1], [0, 1], sample_weight=[100, 100])
    assert "OrdinalConfusion of 2 samples with a total weight of 200, rows" in repr(confusion)
    confusion = OrdinalConfusion.from_predictions(
        [0, 1, 1], [0, 1, None], sample_weight=[100, 100, 7], unanswered="count"
    )
    assert "of 2 samples with a total weight of 200 and 1 unanswered with one of 7," in repr(
        confusion
    )


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ([[1, 0], [0, 1]], r"must hold integers of shape \(2, 3\)"),
        ([[1.0, 0, 0], [0, 1, 0]], r"must hold integers of shape \(2, 3\).* float64"),
        ([[-1, 0, 0], [0, 1, 0]], "must not be negative"),
    ],
)
def test_numbers_that_do_not_fit_are_refused(numbers, message):
    with pytest.raises(ValueError, match=f"sample_counts {message}"):
        OrdinalConfusion([0, 1], np.eye(2), is_weighted=True, sample_counts=numbers)


def test_numbers_beside_numbers_are_refused():
    with pytest.raises(ValueError, match="sample_counts must be left out if is_weighted is False"):
        OrdinalConfusion([0, 1], np.eye(2, dtype=int), sample_counts=np.ones((2, 3), int))
