"""The sums of squared weights beside the counts, compared with a loop over the samples."""

import copy
import pickle
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_ordinal import OrdinalConfusion, OrdinalForecasts

LABELS = ["low", "mid", "high"]
GROUPS = ["north", "south"]
SAMPLES = st.lists(
    st.tuples(
        st.sampled_from(LABELS),
        st.sampled_from([*LABELS, None]),
        st.sampled_from([0.0, 1 / 3, 1.0]) | st.floats(1e-50, 1e6),
        st.sampled_from(GROUPS),
    ),
    min_size=1,
).filter(lambda samples: any(weight > 1e-6 for _, _, weight, _ in samples))
FACTORS = st.lists(st.floats(0.01, 100), min_size=3, max_size=3)


def columns_of(samples):
    return [list(column) for column in zip(*samples, strict=True)]


def counted(samples, **options):
    true, pred, weight, group = columns_of(samples)
    if options.pop("is_grouped", False):
        options["by"] = group
    return OrdinalConfusion.from_predictions(
        true, pred, labels=LABELS, sample_weight=weight, unanswered="count", **options
    )


def squares_of(samples, factors=(1, 1, 1)):
    """Add up squares as fractions, which are not rounded."""
    squares = [[Fraction(0)] * 4 for _ in LABELS]
    for true, pred, weight, _ in samples:
        j, i = LABELS.index(true), 3 if pred is None else LABELS.index(pred)
        squares[j][i] += (Fraction(factors[j]) * Fraction(weight)) ** 2
    return np.array([[float(square) for square in row] for row in squares])


def check(confusion, expected):
    np.testing.assert_allclose(confusion.squared_weights, expected, rtol=1e-12, atol=1e-300)


@given(SAMPLES)
def test_arrays_have_the_sums_of_their_squared_weights(samples):
    confusion, expected = counted(samples), squares_of(samples)
    check(confusion, expected)
    copies = [replace(confusion), copy.copy(confusion), copy.deepcopy(confusion)]
    for same in (*copies, pickle.loads(pickle.dumps(confusion))):
        assert same == confusion
        check(same, expected)
        assert not same.squared_weights.flags.writeable


@given(SAMPLES)
def test_groups_have_their_own_sums(samples):
    stack = counted(samples, is_grouped=True)
    for group in stack.groups:
        check(stack[group], squares_of([sample for sample in samples if sample[3] == group]))
    check(stack.pooled(), squares_of(samples))
    check(replace(stack), stack.squared_weights)


@given(SAMPLES, st.lists(st.integers(0, 20), max_size=5), st.randoms(use_true_random=False))
def test_batches_have_the_sums_of_their_samples(samples, cuts, random):
    random.shuffle(samples)
    ends = sorted([0, *cuts, len(samples)])
    batches = [samples[start:end] for start, end in pairwise(ends)]
    columns = (columns_of(batch)[:3] if batch else [[], [], []] for batch in batches)
    confusion = OrdinalConfusion.from_batches(columns, labels=LABELS, unanswered="count")
    check(confusion, squares_of(samples))
    true, pred, weight, _ = columns_of(samples)
    whole = OrdinalConfusion.from_batches([(true, pred, weight)], labels=LABELS, unanswered="count")
    assert confusion == whole


@given(SAMPLES)
def test_tables_have_the_sums_of_their_rows(samples):
    frame = pl.DataFrame(samples, schema=["y_true", "y_pred", "weight", "group"], orient="row")
    options = {"labels": LABELS, "sample_weight": "weight", "unanswered": "count"}
    check(OrdinalConfusion.from_table(frame, **options), squares_of(samples))
    stack = OrdinalConfusion.from_table(frame, **options, by="group")
    check(stack, counted(samples, is_grouped=True).squared_weights)
    check(stack.pooled(), squares_of(samples))


def test_batches_of_huge_weights_are_refused_without_a_warning():
    batches = [([0, 1], [0, 1], [1e300, 1.0])]
    with pytest.raises(ValueError, match="must add up to a number from 1e-60 to"):
        OrdinalConfusion.from_batches(batches)


@given(SAMPLES, SAMPLES)
def test_sums_and_stacks_keep_the_sums(first, second):
    confusion, other = counted(first), counted(second)
    check(confusion + other, squares_of([*first, *second]))
    check(sum([confusion, other]), squares_of([*first, *second]))
    stack = OrdinalConfusion.stack([confusion, other])
    check(stack, [squares_of(first), squares_of(second)])
    check(stack.pooled(), squares_of([*first, *second]))
    check(stack + stack, [2 * squares_of(first), 2 * squares_of(second)])


@given(SAMPLES, FACTORS)
def test_factors_of_classes_multiply_the_weights_of_samples(samples, factors):
    weighted = counted(samples).weighted_by_class(factors)
    check(weighted, squares_of(samples, factors))


@given(SAMPLES)
def test_a_given_prevalence_multiplies_the_weights_of_samples(samples):
    confusion = counted(samples)
    sizes = confusion.class_counts
    shares = (sizes > 0) / (sizes > 0).sum()
    factors = shares * sizes.sum() / np.where(sizes > 0, sizes, 1)
    check(confusion.at_prevalence(shares), squares_of(samples, factors))


@given(SAMPLES, SAMPLES, FACTORS)
def test_samples_without_weights_have_the_weight_1(unweighted, weighted, factors):
    with_ones = [(true, pred, 1.0, group) for true, pred, _, group in unweighted]
    true, pred, *_ = columns_of(unweighted)
    confusion = OrdinalConfusion.from_predictions(true, pred, labels=LABELS, unanswered="count")
    assert confusion.squared_weights is None
    check(confusion + counted(weighted), squares_of([*with_ones, *weighted]))
    stack = OrdinalConfusion.stack([confusion, counted(weighted)])
    check(stack, [squares_of(with_ones), squares_of(weighted)])
    check(confusion.weighted_by_class(factors), squares_of(with_ones, factors))


def test_a_run_of_integers_has_the_columns_of_its_classes():
    confusion = OrdinalConfusion.from_predictions([0, 2, 3], [0, 3, 3], sample_weight=[0, 5, 2])
    assert confusion.labels.tolist() == [2, 3]
    np.testing.assert_array_equal(confusion.squared_weights, [[0, 25, 0], [0, 4, 0]])


def test_systems_have_the_sums_of_the_same_samples():
    systems = OrdinalConfusion.from_systems(
        [0, 1, 1], {"a": [0, 1, 0], "b": [0, 0, 0]}, sample_weight=[1, 2, 3]
    )
    expected = [[[1, 0, 0], [9, 4, 0]], [[1, 0, 0], [13, 0, 0]]]
    np.testing.assert_array_equal(systems.squared_weights, expected)


def test_sums_of_weights_alone_have_no_squares():
    weighted = OrdinalConfusion.from_predictions([0, 1], [0, 1], sample_weight=[1, 2])
    proba = [[0.5, 0.5], [0.2, 0.8]]
    for confusion in (
        OrdinalConfusion.from_counts([[1.5, 0.0], [0.0, 2.0]]),
        OrdinalConfusion([0, 1], np.eye(2) / 2),
        OrdinalConfusion.from_probabilities([0, 1], proba, sample_weight=[1, 2]),
        OrdinalForecasts.from_probabilities([0, 1], proba, sample_weight=[1, 2]).to_confusion(),
    ):
        assert confusion.squared_weights is None
        assert (confusion + weighted).squared_weights is None
        assert OrdinalConfusion.stack([weighted, confusion]).squared_weights is None
        assert confusion.at_prevalence([0.5, 0.5]).squared_weights is None


def test_equal_sums_of_different_weights_are_different():
    even = OrdinalConfusion.from_predictions([0, 0, 1], [0, 0, 1], sample_weight=[2, 2, 1])
    uneven = OrdinalConfusion.from_predictions([0, 0, 1], [0, 0, 1], sample_weight=[3, 1, 1])
    np.testing.assert_array_equal(even.counts, uneven.counts)
    np.testing.assert_array_equal(even.sample_counts, uneven.sample_counts)
    assert even != uneven


def test_weights_whose_squares_are_too_small_for_floats_are_accepted():
    confusion = OrdinalConfusion.from_predictions([0, 1], [0, 1], sample_weight=[1e-170, 1])
    np.testing.assert_array_equal(confusion.squared_weights, [[0, 0, 0], [0, 1, 0]])
    weights = [1e-160, 1.0]
    confusion = OrdinalConfusion.from_predictions([0, 1], [0, 1], sample_weight=weights)
    weighted = confusion.weighted_by_class([9e59, 1])
    np.testing.assert_allclose(weighted.squared_weights, [[0, 0, 0], [0, 1, 0]], atol=1e-190)


# Two samples of total weight 4 in the first cell, one of weight 2 in the last, one unanswered of
# weight 3: the squares are from 8 to 16, 4 and 9.
NUMBERS = [[2, 0, 0], [0, 1, 1]]
PARTS = {
    "scale": [0, 1],
    "counts": np.diag([4.0, 2.0]),
    "is_weighted": True,
    "unanswered": [0.0, 3.0],
    "sample_counts": NUMBERS,
}


@pytest.mark.parametrize("square", [8, 8.0 * (1 - 1e-12), 11.5, 16])
def test_squares_that_weights_can_have_are_accepted(square):
    confusion = OrdinalConfusion(**PARTS, squared_weights=[[square, 0, 0], [0, 4, 9]])
    assert confusion.squared_weights.dtype == np.float64
    assert confusion.squared_weights[0, 0] == square


@pytest.mark.parametrize(
    ("squares", "message"),
    [
        ([[8, 0], [0, 4]], r"must have shape \(2, 3\), the last column .* got \(2, 2\)"),
        ([[7.9, 0, 0], [0, 4, 9]], r"must be from 8 to 16 in the cell at \(0, 0\), .* got 7.9\."),
        ([[16.1, 0, 0], [0, 4, 9]], r"must be from 8 to 16 in the cell at \(0, 0\), .* got 16.1"),
        ([[8, 1e-200, 0], [0, 4, 9]], r"must be from 0 to 0 in the cell at \(0, 1\), .*1e-200"),
        ([[8, 0, 0], [0, 4, 0]], r"must be from 9 to 9 in the cell at \(1, 2\)"),
        ([[8, -1e-200, 0], [0, 4, 9]], r"must be from 0 to 0 in the cell at \(0, 1\), .*-1e-200"),
        ([[np.nan, 0, 0], [0, 4, 9]], "got nan"),
        ([[np.inf, 0, 0], [0, 4, 9]], "got inf"),
    ],
)
def test_squares_that_no_weights_have_are_refused(squares, message):
    with pytest.raises(ValueError, match=f"squared_weights .*{message}"):
        OrdinalConfusion(**PARTS, squared_weights=squares)


def test_squares_of_counts_without_weights_or_numbers_are_refused():
    squares = np.ones((2, 3))
    with pytest.raises(ValueError, match="squared_weights must be left out if is_weighted is Fal"):
        OrdinalConfusion([0, 1], np.eye(2, dtype=int), squared_weights=squares)
    with pytest.raises(ValueError, match="squared_weights must come with sample_counts"):
        OrdinalConfusion([0, 1], np.eye(2), is_weighted=True, squared_weights=squares)
