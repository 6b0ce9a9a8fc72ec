"""Counts on an ordered scale."""

import dataclasses
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix

from sklearn_ordinal import OrdinalConfusion, OrdinalForecasts, OrdinalScores, get_metric

pairs = st.lists(st.tuples(st.integers(-2, 4), st.integers(-2, 4)), min_size=1, max_size=40)


@pytest.mark.filterwarnings("ignore:A single label was found")
@settings(max_examples=60)
@given(pairs, st.randoms(use_true_random=False))
def test_counts_and_weights_equal_scikit_learns(rows, random):
    y_true, y_pred = np.array(rows).T
    weight = [random.choice([0.5, 1.0, 3.0]) for _ in rows]
    ours = OrdinalConfusion.from_predictions(y_true, y_pred)
    assert ours.labels.tolist() == list(range(np.min(rows), np.max(rows) + 1))
    np.testing.assert_array_equal(ours.counts, confusion_matrix(y_true, y_pred, labels=ours.labels))
    np.testing.assert_allclose(
        OrdinalConfusion.from_predictions(y_true, y_pred, sample_weight=weight).counts,
        confusion_matrix(y_true, y_pred, labels=ours.labels, sample_weight=weight),
    )


def test_many_rows_are_counted_across_chunks():
    rng = np.random.default_rng(0)
    y_true, y_pred = rng.integers(0, 9, (2, 300_001)).astype(np.int8)
    weight = rng.random(300_001)
    confusion = OrdinalConfusion.from_predictions(y_true, y_pred)
    np.testing.assert_array_equal(confusion.counts, confusion_matrix(y_true, y_pred))
    weighted = OrdinalConfusion.from_predictions(y_true, y_pred, sample_weight=weight)
    np.testing.assert_allclose(
        weighted.counts, confusion_matrix(y_true, y_pred, sample_weight=weight), rtol=1e-12
    )


def test_a_class_of_zero_weight_does_not_extend_the_scale():
    confusion = OrdinalConfusion.from_predictions([0, 1, 9], [0, 1, 9], sample_weight=[1, 1, 0])
    assert confusion.labels.tolist() == [0, 1]


def test_counts_are_integers_and_sums_of_weights_are_floats():
    counted = OrdinalConfusion.from_predictions([0, 1], [0, 1])
    weighted = OrdinalConfusion.from_predictions([0, 1], [0, 1], sample_weight=[1, 1])
    assert (counted.counts.dtype, counted.is_weighted) == (np.int64, False)
    assert (weighted.counts.dtype, weighted.is_weighted) == (np.float64, True)


def test_parts_add_up_to_the_whole():
    rng = np.random.default_rng(0)
    y_true, y_pred = rng.integers(0, 4, (2, 60))
    parts = [
        OrdinalConfusion.from_predictions(t, p, labels=range(4))
        for t, p in zip(np.split(y_true, 3), np.split(y_pred, 3), strict=True)
    ]
    whole = confusion_matrix(y_true, y_pred, labels=range(4))
    np.testing.assert_array_equal((parts[0] + parts[1] + parts[2]).counts, whole)
    stack = OrdinalConfusion.stack(parts)
    assert stack.counts.shape == (3, 4, 4)
    np.testing.assert_array_equal(stack.pooled().counts, whole)
    assert stack.pooled().labels.tolist() == [0, 1, 2, 3]


def test_class_counts_are_of_the_true_classes_and_include_the_unanswered():
    counts = [[[3, 1], [0, 2]], [[0, 0], [1, 4]]]
    stack = OrdinalConfusion.from_counts(counts, unanswered=[[0, 5], [1, 0]])
    np.testing.assert_array_equal(stack.class_counts, [[4, 7], [1, 5]])
    y_true = [0, 0, 0, 1, 1, 1, 0, 1]
    confusion = OrdinalConfusion.from_predictions(y_true, [0] * 8)
    np.testing.assert_array_equal(confusion.class_counts, np.bincount(y_true))


def test_an_empty_stack_has_a_scale_but_a_stack_of_empty_matrices_has_none():
    confusion = OrdinalConfusion.from_counts(np.zeros((0, 3, 3)))
    assert confusion.labels.tolist() == [0, 1, 2]
    assert confusion.pooled().counts.tolist() == np.zeros((3, 3)).tolist()
    with pytest.raises(
        ValueError,
        match=r"counts must have shape \(..., n_classes, n_classes\), got \(2, 3, 0, 0\)",
    ):
        OrdinalConfusion.from_counts(np.zeros((2, 3, 0, 0)))


def test_a_sum_with_weighted_counts_is_weighted():
    counted = OrdinalConfusion.from_predictions([0, 1], [0, 1])
    weighted = OrdinalConfusion.from_predictions([0, 1], [0, 1], sample_weight=[0.5, 1])
    assert (counted + weighted).is_weighted
    assert (counted + weighted).counts.tolist() == [[1.5, 0], [0, 2]]
    assert OrdinalConfusion.stack([counted, weighted]).is_weighted


def test_confusions_with_different_scales_cannot_be_combined():
    small = OrdinalConfusion.from_predictions([0, 1], [0, 1])
    large = OrdinalConfusion.from_predictions([0, 2], [0, 1])
    with pytest.raises(ValueError, match=r"same for both, got \[0, 1\] and \[0, 1, 2\]"):
        small + large
    with pytest.raises(ValueError, match="scale must be the same for both"):
        OrdinalConfusion.stack([small, large])
    with pytest.raises(ValueError, match="counts of one shape"):
        OrdinalConfusion.stack([small, OrdinalConfusion.stack([small])])
    with pytest.raises(ValueError, match="at least one"):
        OrdinalConfusion.stack([])
    with pytest.raises(TypeError):
        small + 1


def test_can_be_summed_but_only_added_to_its_own_type():
    confusion = OrdinalConfusion.from_counts([[3, 1], [0, 2]])
    assert sum([confusion, confusion]).counts.tolist() == [[6, 2], [0, 4]]
    for other in (np.eye(2), 1, 0.0, None):
        for add in (lambda a, b: a + b, lambda a, b: b + a):
            with pytest.raises(TypeError, match="cannot be added: make both an OrdinalConfusion"):
                add(confusion, other)
    with pytest.raises(
        ValueError, match="confusions must be a sequence of OrdinalConfusion, got a set"
    ):
        OrdinalConfusion.stack({confusion})


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint8, np.uint64, object])
def test_counts_of_narrow_integers_do_not_overflow(dtype):
    counts = np.full((2, 2), 1 if dtype is bool else 100).astype(dtype)
    confusion = OrdinalConfusion([0, 1], counts, unanswered=counts[0])
    pooled = OrdinalConfusion.stack([confusion] * 3).pooled()
    assert sum([confusion] * 3).counts.tolist() == (3 * counts.astype(int)).tolist()
    assert pooled.counts.tolist() == (3 * counts.astype(int)).tolist()
    assert pooled.unanswered.tolist() == (3 * counts[0].astype(int)).tolist()
    assert not OrdinalConfusion.from_counts(counts).is_weighted


def test_from_counts_keeps_the_counts_and_labels():
    confusion = OrdinalConfusion.from_counts([[3, 1], [0, 2]], labels=["no", "yes"])
    assert confusion.labels.tolist() == ["no", "yes"]
    assert confusion.counts.dtype == np.int64
    assert OrdinalConfusion.from_counts(np.ones((2, 3, 3))).is_weighted


@pytest.mark.parametrize(
    ("counts", "labels", "message"),
    [
        ([1, 2], None, r"counts must have shape \(..., n_classes, n_classes\), got \(2,\)"),
        ([[1, 2]], None, r"counts must have shape \(..., n_classes, n_classes\), got \(1, 2\)"),
        (np.zeros((0, 0)), None, r"counts must have shape"),
        ([[1, -1], [0, 0]], None, "counts must not be negative, the smallest is -1"),
        ([[1, np.nan], [0, 0]], None, "finite"),
        ([["a", "b"], ["c", "d"]], None, "counts must hold numbers"),
        ([[1, 2], [3]], None, "counts must hold numbers"),
        (np.array([[2**63]], dtype=np.uint64), None, "less than 2"),
        (np.ones((5, 4, 2, 2)), [0, 1, 2], "each of the 2 classes in counts, got 3 labels"),
        (pd.crosstab(["b", "a"], ["b", "a"]), None, "counts must be a plain array in the order"),
        ([[1, 0], [0, 1]], [0, 1, 2], "labels must name each of the 2 classes"),
        ([[1, 0], [0, 1]], [0, 0], "labels must name each class once"),
    ],
)
def test_invalid_counts_are_an_error(counts, labels, message):
    with pytest.raises(ValueError, match=message):
        OrdinalConfusion.from_counts(counts, labels=labels)


def test_counts_may_be_close_to_the_largest_integer():
    for largest in (np.nextafter(2.0**63, 0), 2**63 - 1024):
        assert OrdinalConfusion.from_counts([[largest]]).counts.tolist() == [[largest]]


def test_integer_labels_are_signed_if_they_fit():
    run = np.array([2**63 - 2, 2**63 - 1])
    confusion = OrdinalConfusion.from_predictions(run, run)
    assert confusion.labels.dtype == np.int64
    assert confusion.labels.tolist() == run.tolist()


def test_evidence_is_equal_if_its_values_are():
    one, same = (OrdinalConfusion.from_predictions([0, 1], [0, 1]) for _ in range(2))
    others = [
        OrdinalConfusion.from_predictions([0, 1], [1, 1]),
        OrdinalConfusion.from_predictions([0, 1], [0, 1], labels=[1, 0]),
        OrdinalConfusion.from_predictions([0, 1], [0, 1], unanswered="count"),
        OrdinalConfusion.from_predictions([0, 1], [0, 1], sample_weight=[1, 1]),
        np.eye(2),
    ]
    assert one == same
    assert hash(one) == hash(same)
    assert all(one != other for other in others)
    proba = np.eye(2)
    forecasts, same = (OrdinalForecasts.from_probabilities([0, 1], proba) for _ in range(2))
    assert forecasts == same
    assert hash(forecasts) == hash(same)
    assert forecasts != OrdinalForecasts.from_probabilities([0, 1], proba, by=["a", "b"])
    assert forecasts != forecasts.to_scores() != one


def test_evidence_does_not_change_with_the_arrays_that_it_was_made_from():
    counts, y_true, proba, weight = np.eye(2), np.array([0, 1]), np.eye(2), np.ones(2)
    made = [
        OrdinalConfusion([0, 1], counts, is_weighted=True, unanswered=weight),
        OrdinalConfusion.from_counts(counts),
        OrdinalForecasts.from_probabilities(y_true, proba, sample_weight=weight),
        OrdinalForecasts([0, 1], y_true, proba, weight),
        OrdinalScores.from_scores(y_true, proba[:, 0], sample_weight=weight),
        OrdinalScores([0, 1], y_true, proba[:, 0], weight),
    ]
    copies = pickle.loads(pickle.dumps(made))
    for array in (counts, y_true, proba, weight):
        array[:] = 0.25
    assert made == copies


def test_the_constructor_takes_counts_that_fit_the_labels():
    assert not OrdinalConfusion([0, 1], np.eye(2)).is_weighted
    assert repr(OrdinalConfusion(["no", "yes"], [[1, 2], [3, 4]])).startswith("OrdinalConfusion")
    with pytest.raises(ValueError, match="counts must have shape"):
        OrdinalConfusion([0, 1, 2], np.eye(2))
    with pytest.raises(ValueError, match="confusions must contain at least one OrdinalConfusion"):
        OrdinalConfusion.stack([np.eye(2)])


def test_a_stack_of_stacks_has_one_scale_for_its_last_two_axes():
    confusion = OrdinalConfusion.from_counts(np.ones((2, 3, 4, 4)))
    assert confusion.labels.tolist() == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="each of the 2 classes in counts, got 3 labels"):
        OrdinalConfusion.from_counts(np.ones((5, 2, 2)), labels=[0, 1, 2])


def test_a_list_of_strings_may_contain_nan_for_a_missing_prediction():
    confusion = OrdinalConfusion.from_predictions(
        ["low", "low"], ["low", float("nan")], labels=["low", "high"], unanswered="count"
    )
    assert confusion.counts.tolist() == [[1, 0], [0, 0]]
    assert confusion.unanswered.tolist() == [1, 0]


def test_is_frozen_and_copies_its_input():
    counts = np.array([[1, 0], [0, 1]])
    confusion = OrdinalConfusion.from_counts(counts)
    counts[0, 0] = 7
    assert confusion.counts[0, 0] == 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        confusion.counts = counts
    with pytest.raises(ValueError, match="read-only"):
        confusion.counts[0, 0] = 2
    with pytest.raises(ValueError, match="read-only"):
        confusion.labels[0] = 2
    labels = np.array(["no", "yes"])
    confusion = OrdinalConfusion.from_predictions(labels, labels, labels=labels)
    labels[0] = "x"
    assert confusion.labels.tolist() == ["no", "yes"]
    assert not pickle.loads(pickle.dumps(confusion)).counts.flags.writeable


def test_is_an_array_like_of_its_counts():
    confusion = OrdinalConfusion.from_predictions([0, 1], [0, 0])
    assert np.asarray(confusion).tolist() == [[1, 0], [1, 0]]
    assert np.asarray(confusion, dtype=float).dtype == float
    np.array(confusion)[0, 0] = 5
    assert confusion.counts[0, 0] == 1


def test_pickles():
    confusion = OrdinalConfusion.from_predictions(["a", "b"], ["a", "a"], labels=["a", "b"])
    loaded = pickle.loads(pickle.dumps(confusion))
    assert loaded.labels.tolist() == ["a", "b"]
    assert loaded.counts.tolist() == confusion.counts.tolist()


def test_has_a_readable_repr():
    confusion = OrdinalConfusion.from_predictions(
        ["low", "high"], ["low", "low"], labels=["low", "high"]
    )
    assert repr(confusion).splitlines() == [
        "OrdinalConfusion of 2 samples, rows true, columns predicted",
        "       low  high",
        " low     1     0",
        "high     1     0",
    ]
    assert repr(OrdinalConfusion.stack([confusion] * 3)) == (
        "OrdinalConfusion, stack of 3 over the classes ['low', 'high']"
    )
    weighted = OrdinalConfusion.from_counts([[0.5, 0.0], [0.0, 1.25]])
    assert "1.75 total weight" in repr(weighted)


def test_counts_are_shown_in_full_and_weights_to_six_digits():
    counts = OrdinalConfusion.from_counts([[12_345_678, 0], [0, 1]])
    assert repr(counts).splitlines()[0].startswith("OrdinalConfusion of 12345679 samples, ")
    assert repr(counts).splitlines()[2] == "0  12345678         0"
    weights = OrdinalConfusion.from_counts([[1 / 3, 0], [0, 2 / 3]])
    assert repr(weights).splitlines()[2:] == ["0  0.333333         0", "1         0  0.666667"]


def test_integers_that_would_overflow_are_rejected():
    with pytest.raises(ValueError, match=r"counts must add up to less than 2\*\*63"):
        OrdinalConfusion.from_counts([[2**62, 2**62], [0, 2**62]])
    half = OrdinalConfusion.from_counts([[2**62, 0], [0, 1]])
    with pytest.raises(ValueError, match="sum of the counts must add up to less"):
        half + half
    with pytest.raises(ValueError, match="pooled counts must add up to less"):
        OrdinalConfusion.stack([half, half]).pooled()
    unanswered = OrdinalConfusion.from_counts([[1]], unanswered=[2**62])
    with pytest.raises(ValueError, match="sum of the unanswered must add up to less"):
        unanswered + unanswered
    with pytest.raises(ValueError, match="pooled unanswered must add up to less"):
        OrdinalConfusion.stack([unanswered] * 4).pooled()
    as_floats = OrdinalConfusion.from_counts([[2.0**62, 2.0**62], [0, 2.0**62]])
    assert get_metric("balanced_accuracy")(as_floats) == 0.75


def test_control_characters_of_labels_are_shown_escaped():
    labels = ["a\nb", "a\x1b[31m"]
    text = repr(OrdinalConfusion.from_predictions(labels, labels, labels=labels))
    assert len(text.splitlines()) == 4
    assert r"a\nb" in text
    assert "\x1b" not in text


def test_groups_name_the_matrices_of_a_stack():
    stack = OrdinalConfusion.from_counts([np.eye(2, dtype=int), np.ones((2, 2), dtype=int)])
    grouped = OrdinalConfusion(stack.scale, stack.counts, groups=["ES", "PL"])
    assert grouped.groups == ("ES", "PL")
    assert stack.groups == ()
    assert (grouped + grouped).groups == ("ES", "PL")
    assert grouped.pooled().groups == ()
    assert pickle.loads(pickle.dumps(grouped)).groups == ("ES", "PL")
    assert "['ES', 'PL']" in repr(grouped)


@pytest.mark.parametrize("others", [(), ("PL", "ES")])
def test_stacks_of_other_groups_are_not_added(others):
    counts = np.ones((2, 2, 2), dtype=int)
    grouped = OrdinalConfusion([0, 1], counts, groups=("ES", "PL"))
    with pytest.raises(ValueError, match="groups must be the same in the same order"):
        grouped + OrdinalConfusion([0, 1], counts, groups=others)


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ("ab", "groups must be a sequence of names"),
        ({"a", "b"}, "groups must be a sequence"),
        (["a"], "got 1 names for a stack of shape"),
        (["a", "a"], "groups must name each entry once"),
    ],
)
def test_groups_fit_the_stack(groups, message):
    with pytest.raises(ValueError, match=message):
        OrdinalConfusion([0, 1], np.ones((2, 2, 2), dtype=int), groups=groups)


def test_one_matrix_has_no_groups():
    with pytest.raises(ValueError, match="first axis of a stack"):
        OrdinalConfusion([0, 1], np.ones((2, 2), dtype=int), groups=["a", "b"])
