"""The order of the classes, and what counts as labels."""

import datetime
import tracemalloc
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest

from sklearn_ordinal import OrdinalConfusion
from sklearn_ordinal._core import encode

NAMES = ["low", "mid", "high"]
TRUE, PRED = [0, 1, 2, 2, 0], [0, 2, 2, 1, 1]
EXPECTED = [[1, 1, 0], [0, 0, 1], [0, 1, 1]]
TRUE_NAMES, PRED_NAMES = [NAMES[i] for i in TRUE], [NAMES[i] for i in PRED]


def count(y_true, y_pred, labels=None):
    return OrdinalConfusion.from_predictions(y_true, y_pred, labels=labels)


INTEGER_CONTAINERS = {
    "list": list,
    "tuple": tuple,
    "list of numpy integers": lambda y: [np.int16(v) for v in y],
    "list of floats": lambda y: [float(v) for v in y],
    **{
        kind: lambda y, kind=kind: np.array(y, dtype=kind)
        for kind in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", ">i4", ">f8")
    },
    "strided": lambda y: np.repeat(y, 2)[::2],
    "object": lambda y: np.array(y, dtype=object),
    "object of floats": lambda y: np.array([float(v) for v in y], dtype=object),
    "Series": pd.Series,
    "Index": pd.Index,
    "nullable Int64": lambda y: pd.Series(y, dtype="Int64"),
    "nullable UInt8": lambda y: pd.Series(y, dtype="UInt8"),
    "nullable Float64": lambda y: pd.Series(y, dtype="Float64"),
    "Arrow integers": lambda y: pd.Series(y, dtype="int64[pyarrow]"),
    "nullable array": lambda y: pd.array(y, dtype="Int64"),
    "object Series": lambda y: pd.Series(y, dtype=object),
    "one-column DataFrame": lambda y: pd.DataFrame({"y": y}),
    "polars Series": pl.Series,
    "polars UInt8": lambda y: pl.Series(y, dtype=pl.UInt8),
    "polars Float64": lambda y: pl.Series(y, dtype=pl.Float64),
    "one-column polars DataFrame": lambda y: pl.DataFrame({"y": y}),
    "masked array without masked values": np.ma.array,
}
STRING_CONTAINERS = {
    "list": list,
    "tuple": tuple,
    "unicode": np.array,
    "bytes": lambda y: np.array(y, dtype=bytes),
    "object": lambda y: np.array(y, dtype=object),
    "Series": pd.Series,
    "object Series": lambda y: pd.Series(y, dtype=object),
    "string dtype": lambda y: pd.Series(y, dtype="string"),
    "Arrow strings": lambda y: pd.Series(y, dtype="string[pyarrow]"),
    "unordered Categorical": pd.Categorical,
    "polars String": pl.Series,
    "polars Categorical": lambda y: pl.Series(y, dtype=pl.Categorical),
}
if hasattr(np.dtypes, "StringDType"):
    STRING_CONTAINERS["StringDType"] = lambda y: np.array(y, dtype=np.dtypes.StringDType())
ORDERED_CONTAINERS = {
    "Categorical": lambda y: pd.Categorical(y, NAMES, ordered=True),
    "categorical Series": lambda y: pd.Series(pd.Categorical(y, NAMES, ordered=True)),
    "CategoricalIndex": lambda y: pd.CategoricalIndex(y, NAMES, ordered=True),
    "categorical frame": lambda y: pd.DataFrame({"y": pd.Categorical(y, NAMES, ordered=True)}),
    "polars Enum": lambda y: pl.Series(y, dtype=pl.Enum(NAMES)),
}


@pytest.mark.parametrize("as_labels", INTEGER_CONTAINERS.values(), ids=INTEGER_CONTAINERS)
class TestIntegers:
    def test_are_ordered_as_numbers(self, as_labels):
        confusion = count(as_labels(TRUE), as_labels(PRED))
        assert confusion.labels.tolist() == [0, 1, 2]
        assert confusion.counts.tolist() == EXPECTED

    def test_follow_labels_that_are_given(self, as_labels):
        confusion = count(as_labels(TRUE), as_labels(PRED), labels=[2, 1, 0])
        assert confusion.counts.tolist() == np.flip(EXPECTED).tolist()

    def test_mix_with_a_list(self, as_labels):
        assert count(as_labels(TRUE), PRED).counts.tolist() == EXPECTED


@pytest.mark.parametrize("as_labels", STRING_CONTAINERS.values(), ids=STRING_CONTAINERS)
class TestStrings:
    def test_have_no_order_of_their_own(self, as_labels):
        with pytest.raises(
            ValueError, match=r"y_true has .*(low|b'low').* not known: pass labels="
        ):
            count(as_labels(TRUE_NAMES), as_labels(PRED_NAMES))

    def test_follow_labels_that_are_given(self, as_labels):
        y_true, y_pred = as_labels(TRUE_NAMES), as_labels(PRED_NAMES)
        is_bytes = getattr(y_true, "dtype", None) is not None and str(y_true.dtype).startswith("|S")
        labels = np.array(NAMES, dtype=bytes) if is_bytes else NAMES
        assert count(y_true, y_pred, labels=labels).counts.tolist() == EXPECTED


@pytest.mark.parametrize("as_labels", ORDERED_CONTAINERS.values(), ids=ORDERED_CONTAINERS)
class TestOrderedDtypes:
    def test_of_the_truth_give_the_order(self, as_labels):
        confusion = count(as_labels(TRUE_NAMES), PRED_NAMES)
        assert confusion.labels.tolist() == NAMES
        assert confusion.counts.tolist() == EXPECTED

    def test_of_the_predictions_give_the_order_if_the_truth_has_none(self, as_labels):
        y_true = np.array(TRUE_NAMES, dtype=object)
        assert count(y_true, as_labels(PRED_NAMES)).counts.tolist() == EXPECTED

    def test_keep_unused_categories(self, as_labels):
        confusion = count(as_labels(["low", "high"]), as_labels(["low", "low"]))
        assert confusion.counts.tolist() == [[1, 0, 0], [0, 0, 0], [1, 0, 0]]

    def test_yield_to_labels(self, as_labels):
        confusion = count(as_labels(TRUE_NAMES), as_labels(PRED_NAMES), labels=NAMES[::-1])
        assert confusion.counts.tolist() == np.flip(EXPECTED).tolist()

    def test_refuse_a_prediction_outside_their_categories(self, as_labels):
        with pytest.raises(ValueError, match=r"y_pred has classes that are not in labels: \['top'"):
            count(as_labels(["low", "high"]), ["low", "top"])

    def test_refuse_labels_that_lack_a_class_that_occurs(self, as_labels):
        with pytest.raises(
            ValueError, match=r"y_true has classes that are not in labels: \['high'"
        ):
            count(as_labels(TRUE_NAMES), PRED_NAMES, labels=["low", "mid"])


def test_labels_may_lack_a_category_that_does_not_occur():
    y = pd.Categorical(["low", "high"], NAMES, ordered=True)
    assert count(y, y, labels=["low", "high"]).counts.tolist() == [[1, 0], [0, 1]]


def test_two_orders_that_disagree_are_an_error():
    y_true = pd.Categorical(["low"], ["low", "high"], ordered=True)
    y_pred = pd.Series(["low"], dtype=pd.CategoricalDtype(["high", "low"], ordered=True))
    with pytest.raises(
        ValueError, match=r"ordered differently, \['low', 'high'\] and \['high', 'low'\]; give"
    ):
        count(y_true, y_pred)


def test_the_same_order_may_come_from_pandas_and_polars():
    y_true = pd.Categorical(TRUE_NAMES, NAMES, ordered=True)
    y_pred = pl.Series(PRED_NAMES, dtype=pl.Enum(NAMES))
    assert count(y_true, y_pred).counts.tolist() == EXPECTED


def test_ordered_categories_may_be_numbers_or_intervals():
    y = pd.Categorical([30, 10, 20], [10, 20, 30], ordered=True)
    assert count(y, np.array([30, 10, 10])).counts.tolist() == [[1, 0, 0], [1, 0, 0], [0, 0, 1]]
    cut = pd.cut([0.5, 1.5, 2.5], [0, 1, 2, 3])
    assert count(cut, cut).counts.tolist() == np.eye(3).tolist()


def test_a_grade_that_does_not_occur_keeps_its_place():
    confusion = count([1, 5], [1, 3])
    assert confusion.labels.tolist() == [1, 2, 3, 4, 5]
    assert confusion.counts[4, 2] == 1


@pytest.mark.parametrize(
    ("y_true", "y_pred", "lowest", "n_classes"),
    [
        ([-1, 0, 1], [1, 0, -1], -1, 3),
        (np.array([-128, -127], "i1"), np.array([-126, -128], "i1"), -128, 3),
        (np.array([127, 126], "i1"), np.array([126, 126], "i1"), 126, 2),
        (np.array([-3, 4], "i1"), np.array([200, 4], "u1"), -3, 204),
        (np.array([2**64 - 1, 2**64 - 3], "u8"), np.array([2**64 - 2] * 2, "u8"), 2**64 - 3, 3),
        (np.array([2**63 - 1], "i8"), np.array([2**63], "u8"), 2**63 - 1, 2),
        (np.array([-(2**63), -(2**63) + 2]), np.array([-(2**63) + 1] * 2), -(2**63), 3),
        (np.arange(1_000), np.arange(1_000), 0, 1_000),
        (np.arange(2_000, 3_000), np.arange(2_000, 3_000), 2_000, 1_000),
    ],
)
def test_integers_of_every_width_count_exactly(y_true, y_pred, lowest, n_classes):
    confusion = count(y_true, y_pred)
    assert confusion.labels.tolist() == list(range(lowest, lowest + n_classes))
    for true, pred in zip(np.asarray(y_true).tolist(), np.asarray(y_pred).tolist(), strict=True):
        assert confusion.counts[true - lowest, pred - lowest] > 0
    assert confusion.counts.sum() == len(y_true)


def test_booleans_are_the_integers_0_and_1():
    for y in ([False, True], np.array([False, True]), pd.Series([False, True], dtype="boolean")):
        confusion = count(y, [0, 0])
        assert confusion.labels.tolist() == [0, 1]
        assert confusion.counts.tolist() == [[1, 0], [1, 0]]


def test_labels_may_be_numbers_with_gaps_or_fractions():
    assert count([10, 30, 20], [10, 20, 20], labels=[10, 20, 30]).counts[2, 1] == 1
    assert count([0.5, 1.5], [1.5, 1.5], labels=[0.5, 1.5]).counts.tolist() == [[0, 1], [0, 1]]
    assert count([1, 5], [5, 5], labels=[5, 1]).counts.tolist() == [[1, 0], [1, 0]]


@pytest.mark.parametrize("lowest", [-1, 0, 1, 5])
def test_labels_may_be_a_run_of_integers_from_anywhere(lowest):
    y_true, y_pred = np.array(TRUE) + lowest, np.array(PRED) + lowest
    confusion = count(y_true, y_pred, labels=range(lowest, lowest + 3))
    assert confusion.labels.tolist() == [lowest, lowest + 1, lowest + 2]
    assert confusion.counts.tolist() == EXPECTED
    assert count([lowest], [lowest], labels=[lowest]).counts.tolist() == [[1]]


def test_narrow_integers_meet_labels_up_to_their_largest():
    y = np.array([63, 64, 127], dtype=np.int8)
    counts = count(y, y, labels=range(128)).counts
    assert np.flatnonzero(np.diagonal(counts)).tolist() == y.tolist()


def test_labels_may_be_any_hashable_objects():
    days = [datetime.date(2020, 1, day) for day in (1, 2, 3)]
    assert count(days, days, labels=days).counts.tolist() == np.eye(3).tolist()


@pytest.mark.parametrize("as_labels", [list, pl.Series])
def test_decimal_fractions_stay_exact(as_labels):
    tenths = [Decimal("0.1"), Decimal("0.2")]
    y = as_labels(tenths)
    assert count(y, y, labels=tenths).counts.tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize("labels", [range(3), (0, 1, 2), pd.Index([0, 1, 2]), pl.Series([0, 1, 2])])
def test_labels_may_come_in_any_sequence(labels):
    assert count(TRUE, PRED, labels=labels).counts.tolist() == EXPECTED


@pytest.mark.parametrize(
    ("y", "found"),
    [
        (["1", "2"], "string labels"),
        ([0.5, 1.0], "fractional labels"),
        ([1e300, 1.0], "fractional labels"),
        ([1 + 0j], "labels of type complex"),
        ([datetime.date(2020, 1, 1)], "labels of type date"),
        (["a", 1], "string labels"),
        ([2**70], "labels of type int"),
        ([[], 1], "labels of type list"),
    ],
)
def test_labels_without_an_order_are_an_error_in_one_line_with_three_ways_out(y, found):
    array = np.empty(len(y), dtype=object)
    array[:] = y
    for labels in (y, array):
        if found.endswith("list") and labels is y:
            continue
        with pytest.raises(ValueError, match=found) as error:
            count(labels, labels)
        message = str(error.value)
        assert "\n" not in message
        for way_out in ("labels=[...]", "ordered pandas Categorical", "polars Enum", "integers"):
            assert way_out in message


def test_continuous_predictions_are_named():
    with pytest.raises(ValueError, match=r"y_pred has continuous predictions.* \[0.37, 1.2\]"):
        count([0, 1], [0.37, 1.2])


def test_classes_outside_labels_are_named():
    with pytest.raises(ValueError, match=r"y_pred has classes that are not in labels: \['huge'\]"):
        count(["low"], ["huge"], labels=NAMES)
    with pytest.raises(ValueError, match=r"y_true has classes that are not in labels: \[-1, 3\]"):
        count([-1, 3], [0, 0], labels=range(3))
    with pytest.raises(ValueError, match=r"y_pred has classes that are not in labels: \[3\]"):
        count([0], [3], labels=range(3))
    with pytest.raises(ValueError, match=r"y_true has classes that are not in labels: \[15\]"):
        count([15], [10], labels=[10, 20])
    with pytest.raises(ValueError, match=r"y_true has classes that are not in labels: \[1\]"):
        count([1], ["low"], labels=NAMES)


def test_a_fraction_is_no_whole_label():
    with pytest.raises(ValueError, match=r"y_true has classes that are not in labels: \[0.5\]"):
        count([0.5, 1.0], [0, 1], labels=[0, 1])


def test_a_stray_number_is_an_error_and_takes_no_memory():
    tracemalloc.start()
    for stray in (10**9, -(10**9), 10**18, 1e15):
        with pytest.raises(ValueError, match="more than 1,000 classes in a run: pass labels="):
            count([0, 1, stray], [0, 1, 2])
    with pytest.raises(ValueError, match="not in labels"):
        count([0, 1, 10**9], [0, 1, 2], labels=range(3))
    assert count([5, 10**9], [10**9, 5], labels=[5, 10**9]).counts.tolist() == [[0, 1], [1, 0]]
    assert tracemalloc.get_traced_memory()[1] < 5_000_000
    tracemalloc.stop()


@pytest.mark.parametrize(
    "y",
    [
        [0, np.nan],
        [0, None],
        ["low", None],
        ["low", np.nan],
        [0, pd.NA],
        np.array([0, np.nan]),
        np.array([0, None], dtype=object),
        np.array(["low", float("nan")], dtype=object),
        np.array(["2020-01-01", "NaT"], dtype="datetime64[D]"),
        pd.Series([0, None]),
        pd.Series([0, None], dtype="Int64"),
        pd.Series(["low", None], dtype="string"),
        pd.Categorical(["low", None], NAMES, ordered=True),
        pl.Series([0, None]),
        pl.Series([0.0, float("nan")]),
        pl.Series(["low", None], dtype=pl.Enum(NAMES)),
        np.ma.array([0, 1], mask=[False, True]),
    ],
    ids=lambda y: f"{type(y).__name__}-{getattr(y, 'dtype', '')}",
)
@pytest.mark.parametrize("labels", [None, NAMES])
def test_missing_values_are_an_error(y, labels):
    good = ["low", "low"] if labels else [0, 0]
    with pytest.raises(ValueError, match="y_true has missing values"):
        count(y, good, labels)
    with pytest.raises(ValueError, match="y_pred has missing values"):
        count(good, y, labels)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([], "y_true must not be empty"),
        (pd.Series([], dtype=int), "y_true must not be empty"),
        (pl.Series([], dtype=pl.Int8), "y_true must not be empty"),
        (np.zeros((3, 1), int), r"y_true must be one-dimensional, got shape \(3, 1\)"),
        ([[0, 1], [1, 0]], r"y_true must be one-dimensional, got shape \(2, 2\)"),
        ([[0], [0, 1]], "y_true must be one-dimensional, got rows of different lengths"),
        (pd.DataFrame({"a": [0], "b": [1]}), r"y_true must be one-dimensional, got a frame of"),
        (pl.DataFrame({"a": [0], "b": [1]}), r"y_true must be one-dimensional, got a frame of"),
        (3, "y_true must be one-dimensional, got a int"),
        ("low", "y_true must be one-dimensional, got a str"),
        (None, "y_true must be one-dimensional, got a NoneType"),
        ({0, 1}, "y_true must be one-dimensional, got a set"),
        ((label for label in [0, 1]), "y_true must be one-dimensional, got a generator"),
        ([0.0, np.inf], "y_true must be finite"),
        ([0, 1, 2], "y_true and y_pred must have the same length, got 3 and 2"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_other_shapes_are_an_error(y, message):
    with pytest.raises(ValueError, match=message):
        count(y, [0, 1])


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([], "labels must not be empty"),
        ([0, 1, 1], "labels must name each class once, repeated: 1"),
        ([0, None], "labels has missing values"),
        ([[0, 1]], "labels must be one-dimensional"),
        ({0, 1}, "labels must be one-dimensional"),
        ("abc", "labels must be one-dimensional"),
        (range(100_000), "labels must name at most 10,000 classes, got 100,000"),
    ],
)
def test_labels_that_are_no_order_are_an_error(labels, message):
    with pytest.raises(ValueError, match=message):
        count([0, 1], [0, 1], labels=labels)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ([1, -1, 1], "sample_weight must not be negative"),
        ([1, np.nan, 1], "sample_weight must be finite"),
        ([1, np.inf, 1], "sample_weight must be finite"),
        ([0, 0, 0], "sample_weight must not be all zero"),
        ([1, 1], r"sample_weight must have shape \(3,\)"),
        ([[1], [1], [1]], r"sample_weight must have shape \(3,\)"),
        (["a", "b", "c"], "sample_weight must hold numbers"),
        (1.0, r"sample_weight must have shape \(3,\)"),
        ([1e308] * 3, "sample_weight must add up to a number from 1e-60 to 1e"),
        ([1e-200] * 3, "sample_weight must add up to a number from 1e-60 to 1e"),
    ],
)
def test_bad_weights_are_an_error(weight, message):
    with pytest.raises(ValueError, match=message):
        OrdinalConfusion.from_predictions([0, 1, 2], [0, 1, 2], sample_weight=weight)


def test_times_have_no_order_of_their_own_in_any_unit():
    for unit in ("s", "ns"):
        for kind in ("M8", "m8"):
            y = np.array([0, 1, 2], dtype=f"{kind}[{unit}]")
            with pytest.raises(ValueError, match="whose order is not known"):
                count(y, y)
            assert count(y, y[[0, 2, 2]], labels=y).counts.tolist() == [
                [1, 0, 0],
                [0, 0, 1],
                [0, 0, 1],
            ]


def test_large_signed_and_unsigned_integers_meet_exactly():
    labels = [2**60, 2**60 + 1, 2**60 + 9]
    y = np.array(labels, dtype=np.uint64)
    assert count(y, y[[0, 0, 2]], labels=labels).counts.tolist() == [
        [1, 0, 0],
        [1, 0, 0],
        [0, 0, 1],
    ]


def test_narrow_floats_meet_labels_of_the_same_name():
    y = np.array([0.1, 0.2, 0.3], dtype=np.float32)
    assert count(y, y, labels=[0.1, 0.2, 0.3]).counts.tolist() == np.eye(3).tolist()


def test_an_array_that_cannot_be_read_is_an_error_that_names_it():
    class OnOtherDevice:
        def __array__(self, dtype=None, copy=None):
            raise TypeError("copy it to the host first")

    with pytest.raises(ValueError, match="y_true cannot be read as an array: copy it"):
        count(OnOtherDevice(), [0])


def test_what_was_passed_is_not_changed():
    y = np.array([5, 6, 7])
    y.flags.writeable = False
    encode({"y_true": y, "y_pred": y})
    assert y.tolist() == [5, 6, 7]


def test_a_run_has_at_most_a_thousand_classes():
    for first in (0, 5_000, -700):
        assert len(count([first], [first + 999]).labels) == 1_000
        with pytest.raises(
            ValueError, match=f"hold integers from {first} to {first + 1_000}, more than 1,000"
        ):
            count([first], [first + 1_000])


def test_labels_name_at_most_ten_thousand_classes():
    assert encode({"y_true": [0, 1], "y_pred": [9_999, 1]}, range(10_000)).n_positions == 10_000
    with pytest.raises(ValueError, match="at most 10,000 classes, got 10,001"):
        encode({"y_true": [0, 1], "y_pred": [0, 1]}, range(10_001))


def test_floats_are_integers_as_far_as_they_are_exact():
    largest = 2.0**53 - 1
    assert count([largest], [largest - 1]).labels.tolist() == [2**53 - 2, 2**53 - 1]
    assert count([-largest], [-largest]).labels.tolist() == [-(2**53) + 1]
    for y in ([2.0**53], [-(2.0**53)]):
        with pytest.raises(ValueError, match="y_true has fractional labels"):
            count(y, y)


def test_an_error_lists_ten_classes_and_says_that_there_are_more():
    ten = [f"c{digit}" for digit in range(10)]
    listed = ", ".join(map(repr, ten))
    with pytest.raises(ValueError, match=rf"y_true has string labels \[{listed}\], whose"):
        count(ten[::-1], ten)
    with pytest.raises(ValueError, match=rf"y_true has string labels \[{listed}, \.\.\.\], whose"):
        count(["d", *ten], ["d", *ten])


@pytest.mark.parametrize("total", [1e-60, 1e60])
def test_the_smallest_and_the_largest_total_weight_count(total):
    confusion = OrdinalConfusion.from_predictions([0, 1], [0, 0], sample_weight=[total, 0])
    assert confusion.counts.tolist() == [[total]]


@pytest.mark.parametrize("total", [0.9e-60, 1.1e60])
def test_a_total_weight_beyond_them_is_an_error(total):
    with pytest.raises(ValueError, match="must add up to a number from 1e-60 to 1e"):
        OrdinalConfusion.from_predictions([0, 1], [0, 0], sample_weight=[total, 0])
