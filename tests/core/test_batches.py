"""Counts of samples that come in batches."""

import math
from collections import defaultdict
from fractions import Fraction
from itertools import pairwise, permutations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_ordinal import OrdinalConfusion

NAMES = ["low", "mid", "high"]


def dealt(rows, cuts):
    """Divide rows into batches at the cuts."""
    ends = sorted({min(cut, len(rows)) for cut in cuts} | {0, len(rows)})
    return [rows[start:end] for start, end in pairwise(ends)]


def columns(rows):
    return tuple(list(column) for column in zip(*rows, strict=True))


grades = st.integers(-3, 5)
weights = st.floats(0, 1e50, allow_subnormal=True)


@given(st.lists(st.tuples(grades, grades), min_size=1), st.lists(st.integers(0, 50)), st.data())
def test_batches_in_any_order_are_counted_as_one(rows, cuts, data):
    batches = data.draw(st.permutations(dealt(rows, cuts)))
    found = OrdinalConfusion.from_batches(columns(batch) for batch in batches)
    expected = OrdinalConfusion.from_predictions(*columns(rows))
    np.testing.assert_array_equal(found.labels, expected.labels)
    np.testing.assert_array_equal(found.counts, expected.counts)
    assert found.counts.dtype == expected.counts.dtype
    assert not found.is_weighted


@given(
    st.lists(st.tuples(grades, st.none() | grades), min_size=1),
    st.lists(st.integers(0, 50)),
    st.data(),
)
def test_unanswered_samples_of_batches_are_counted_as_those_of_one(rows, cuts, data):
    batches = data.draw(st.permutations(dealt(rows, cuts)))
    options = {"unanswered": "count"}
    found = OrdinalConfusion.from_batches((columns(batch) for batch in batches), **options)
    expected = OrdinalConfusion.from_predictions(*columns(rows), **options)
    np.testing.assert_array_equal(found.labels, expected.labels)
    np.testing.assert_array_equal(found.counts, expected.counts)
    np.testing.assert_array_equal(found.unanswered, expected.unanswered)


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), weights), min_size=1),
    st.lists(st.integers(0, 50)),
    st.data(),
)
def test_weights_of_batches_add_up_to_those_of_one_batch(rows, cuts, data):
    rows.append((0, 0, 1.0))
    batches = data.draw(st.permutations(dealt(rows, cuts)))
    found = OrdinalConfusion.from_batches((columns(batch) for batch in batches), labels=[0, 1, 2])
    of_cell = defaultdict(list)
    for true, pred, weight in rows:
        of_cell[true, pred].append(weight)
    expected = [[math.fsum(of_cell[j, i]) for i in range(3)] for j in range(3)]
    np.testing.assert_allclose(found.counts, expected, rtol=1e-12)
    assert found.is_weighted
    squares = [
        [float(sum(Fraction(weight) ** 2 for weight in of_cell[j, i])) for i in range(3)]
        for j in range(3)
    ]
    np.testing.assert_allclose(found.squared_weights[:, :3], squares, rtol=1e-12)


def test_runs_of_integers_grow_with_the_batches():
    confusion = OrdinalConfusion.from_batches([([3], [4]), ([7], [3])])
    assert confusion.labels.tolist() == [3, 4, 5, 6, 7]
    assert confusion.counts.sum() == 2


def test_runs_of_batches_are_of_limited_length():
    with pytest.raises(ValueError, match=r"integers from 0 to 2000, more than 1,000 classes"):
        OrdinalConfusion.from_batches([([0], [1]), ([2000], [1999])])


def test_classes_of_weight_zero_do_not_widen_a_run():
    confusion = OrdinalConfusion.from_batches([([0, 9], [1, 9], [1.0, 0.0]), ([5], [5], [0.0])])
    assert confusion.labels.tolist() == [0, 1]


def test_booleans_stay_booleans():
    confusion = OrdinalConfusion.from_batches([([True], [False]), ([True], [True])])
    assert confusion.labels.tolist() == [False, True]
    assert confusion.labels.dtype == bool


@pytest.mark.parametrize(
    "ordered",
    [
        lambda values: pd.Categorical(values, NAMES, ordered=True),
        lambda values: pl.Series(values, dtype=pl.Enum(NAMES)),
        lambda values: pa.DictionaryArray.from_arrays(
            [NAMES.index(value) for value in values], NAMES, ordered=True
        ),
    ],
)
def test_ordered_dtypes_declare_the_scale(ordered):
    batches = [(ordered(["low"]), ordered(["mid"])), (ordered(["mid"]), ordered(["mid"]))]
    confusion = OrdinalConfusion.from_batches(batches)
    assert confusion.labels.tolist() == NAMES
    assert confusion.counts.tolist() == [[0, 1, 0], [0, 1, 0], [0, 0, 0]]


@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
@pytest.mark.parametrize("other", [pd.Categorical([0, 2], [2, 1, 0], ordered=True), [0, 2]])
def test_ordered_dtypes_of_batches_must_agree(order, other):
    one = pd.Categorical([0, 2], [0, 1, 2], ordered=True)
    batches = [(one, one), (other, other)]
    with pytest.raises(ValueError, match="batches 0 and 1 are ordered differently"):
        OrdinalConfusion.from_batches([batches[k] for k in order])


def test_empty_batches_are_skipped():
    empty = np.zeros(0)
    confusion = OrdinalConfusion.from_batches([(empty, empty), ([0, 1], [1, 1]), ([], [])])
    assert confusion.counts.tolist() == [[0, 1], [0, 1]]


def test_batches_of_record_batches():
    table = pa.table({"grade": [0, 1, 2, 2], "predicted": [0, 2, 2, 1]})
    confusion = OrdinalConfusion.from_batches(
        (batch["grade"], batch["predicted"]) for batch in table.to_batches(max_chunksize=3)
    )
    assert confusion.counts.tolist() == [[1, 0, 0], [0, 0, 1], [0, 1, 1]]


def test_batches_of_parquet_files(tmp_path):
    rng = np.random.default_rng(0)
    grade, predicted = rng.integers(5, size=(2, 100))
    frame = pl.DataFrame({"grade": grade, "predicted": predicted, "w": rng.random(100)})
    path = tmp_path / "rows.parquet"
    frame.write_parquet(path)
    batches = [
        tuple(batch[name] for name in ("grade", "predicted", "w"))
        for rows in (pq.ParquetFile(path).iter_batches(batch_size=30), frame.iter_slices(30))
        for batch in rows
    ]
    found = OrdinalConfusion.from_batches(batches)
    expected = OrdinalConfusion.from_batches([tuple(frame.get_columns())] * 2)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_errors_of_a_stream_of_batches_are_not_hidden():
    def stream():
        yield [0], [1]
        raise ConnectionError("the stream has ended")

    with pytest.raises(ConnectionError, match="the stream has ended"):
        OrdinalConfusion.from_batches(stream())


def test_counts_from_anywhere_add_up_in_any_order():
    y_true, y_pred = np.random.default_rng(0).integers(3, size=(2, 90))
    labels = [0, 1, 2]
    frame = pl.DataFrame({"y_true": y_true[60:], "y_pred": y_pred[60:]})
    parts = [
        OrdinalConfusion.from_predictions(y_true[:30], y_pred[:30], labels=labels),
        OrdinalConfusion.from_batches([(y_true[30:60], y_pred[30:60])], labels=labels),
        OrdinalConfusion.from_counts(
            frame.group_by("y_true", "y_pred")
            .len()
            .pivot("y_pred", index="y_true", values="len", sort_columns=True)
            .sort("y_true")
            .select("0", "1", "2")
            .fill_null(0)
            .to_numpy(),
            labels=labels,
        ),
    ]
    expected = OrdinalConfusion.from_predictions(y_true, y_pred)
    for order in permutations(parts):
        np.testing.assert_array_equal(sum(order), expected)


def test_counts_of_another_order_are_not_added():
    one = OrdinalConfusion.from_batches([(["low"], ["high"])], labels=NAMES)
    other = OrdinalConfusion.from_batches([(["low"], ["high"])], labels=NAMES[::-1])
    with pytest.raises(ValueError, match="make both with the same labels="):
        one + other


@pytest.mark.parametrize(
    ("batches", "message"),
    [
        ([], "at least one sample"),
        ([([], [])], "at least one sample"),
        (3, "a sequence of tuples"),
        ("ab", "a sequence of tuples"),
        ({0: ([0], [1])}, "must be a sequence"),
        ([[0, 1, 2, 3]], "got .0, 1, 2, 3. as batch 0"),
        ([([0], [1]), np.eye(2)], "as batch 1"),
        ([([0], [1]), ([0], [1, 2])], "y_true of batch 1 and y_pred of batch 1 .*same length"),
        ([([0], [1]), ([], [1])], "y_true of batch 1 must not be empty"),
        ([([0], [1]), ([0], [None])], "y_pred of batch 1 has missing values"),
        ([([0], [1]), (["a"], ["b"])], "y_true of batch 1 has string labels"),
        ([([0], [1]), ([0], [1], [1.0])], "batch 0 has no weights and batch 1 has weights"),
        ([([0], [1], [1.0]), ([0], [1])], "batch 0 has weights and batch 1 has no weights"),
        (
            [([0, 1, 1], [1, 1, 1], [1.0, -1.0, math.nan])],
            "sample_weight of batch 0 must be finite and not negative, but 2 of 3 weights "
            "are not, such as -1.0",
        ),
        ([([0], [1], [math.inf])], "sample_weight of batch 0 must be finite"),
        ([([0], [1], [1e61])], "sample_weight of all batches must add up to"),
        ([([0], [1], [1.0, 2.0])], r"sample_weight of batch 0 must have shape \(1,\)"),
        ([([0], [1], [0.0])], "all zero"),
        ([([0], [1], [1e308])] * 3, "sample_weight of all batches must add up to"),
    ],
)
def test_bad_batches_are_named(batches, message):
    with pytest.raises(ValueError, match=message):
        OrdinalConfusion.from_batches(batches)


def test_labels_must_cover_all_batches():
    with pytest.raises(ValueError, match=r"y_pred of batch 1 has classes that are not in labels"):
        OrdinalConfusion.from_batches([([0], [1]), ([0], [2])], labels=[0, 1])


def test_weights_of_a_batch_may_be_all_zero_or_very_small():
    batches = [([0], [1], [0.0]), ([0], [1], [1e-70]), ([0], [1], [1.0])]
    assert OrdinalConfusion.from_batches(batches).counts.tolist() == [[0, 1], [0, 0]]
