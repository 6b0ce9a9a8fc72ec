"""Lists and containers of NumPy, pandas, polars and pyarrow, and their missing values."""

from collections import Counter
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.dummy import DummyClassifier

from sklearn_ordinal import OrdinalConfusion, OrdinalScale
from sklearn_ordinal.metrics import within_n_accuracy_score
from tests.core.examples import EXPECTED, NAMES, PRED, PRED_NAMES, TRUE, TRUE_NAMES, count

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

    def test_follow_explicit_labels(self, as_labels):
        confusion = count(as_labels(TRUE), as_labels(PRED), labels=[2, 1, 0])
        assert confusion.counts.tolist() == np.flip(EXPECTED).tolist()

    def test_mix_with_a_list(self, as_labels):
        assert count(as_labels(TRUE), PRED).counts.tolist() == EXPECTED


@pytest.mark.parametrize("as_labels", STRING_CONTAINERS.values(), ids=STRING_CONTAINERS)
class TestStrings:
    def test_have_no_inherent_order(self, as_labels):
        with pytest.raises(
            ValueError, match=r"y_true has .*(low|b'low').* not known: pass labels="
        ):
            count(as_labels(TRUE_NAMES), as_labels(PRED_NAMES))

    def test_follow_explicit_labels(self, as_labels):
        y_true, y_pred = as_labels(TRUE_NAMES), as_labels(PRED_NAMES)
        is_bytes = getattr(y_true, "dtype", None) is not None and str(y_true.dtype).startswith("|S")
        labels = np.array(NAMES, dtype=bytes) if is_bytes else NAMES
        assert count(y_true, y_pred, labels=labels).counts.tolist() == EXPECTED


@pytest.mark.parametrize("as_labels", ORDERED_CONTAINERS.values(), ids=ORDERED_CONTAINERS)
class TestOrderedDtypes:
    def test_in_y_true_give_the_order(self, as_labels):
        confusion = count(as_labels(TRUE_NAMES), PRED_NAMES)
        assert confusion.labels.tolist() == NAMES
        assert confusion.counts.tolist() == EXPECTED

    def test_in_y_pred_give_the_order_if_y_true_has_none(self, as_labels):
        y_true = np.array(TRUE_NAMES, dtype=object)
        assert count(y_true, as_labels(PRED_NAMES)).counts.tolist() == EXPECTED

    def test_keep_unused_categories(self, as_labels):
        confusion = count(as_labels(["low", "high"]), as_labels(["low", "low"]))
        assert confusion.counts.tolist() == [[1, 0, 0], [0, 0, 0], [1, 0, 0]]

    def test_yield_to_labels(self, as_labels):
        confusion = count(as_labels(TRUE_NAMES), as_labels(PRED_NAMES), labels=NAMES[::-1])
        assert confusion.counts.tolist() == np.flip(EXPECTED).tolist()

    def test_reject_a_prediction_outside_their_categories(self, as_labels):
        with pytest.raises(ValueError, match=r"y_pred has classes that are not in labels: \['top'"):
            count(as_labels(["low", "high"]), ["low", "top"])

    def test_reject_labels_that_lack_a_class_that_occurs(self, as_labels):
        with pytest.raises(
            ValueError, match=r"y_true has classes that are not in labels: \['high'"
        ):
            count(as_labels(TRUE_NAMES), PRED_NAMES, labels=["low", "mid"])


@pytest.mark.parametrize("dtype", [object, "str", "string", pd.ArrowDtype(pa.string()), pl.String])
def test_strings_are_counted_by_any_library_as_by_python(dtype):
    # Many polars strings are not all looked at before they are encoded: "rare" occurs once.
    rng = np.random.default_rng(0)
    names = np.array([*NAMES, "a\0", "rare"], dtype=object)
    columns = names[rng.integers(4, size=(2, 25_000))]
    columns[:, 777] = "rare"
    expected = Counter(zip(*columns, strict=True))
    series = pl.Series if dtype is pl.String else pd.Series
    found = count(*(series(c.tolist(), dtype=dtype) for c in columns), labels=names.tolist())
    assert found.counts.tolist() == [[expected[j, k] for k in names] for j in names]


def test_booleans_are_the_integers_0_and_1():
    for y in (
        [False, True],
        np.array([False, True]),
        pd.Series([False, True], dtype="boolean"),
        pd.Series([False, True], dtype=object),
    ):
        confusion = count(y, [0, 0])
        assert confusion.labels.tolist() == [0, 1]
        assert confusion.counts.tolist() == [[1, 0], [1, 0]]
    assert count(y, y).labels.dtype == bool


@pytest.mark.parametrize("as_labels", [list, pl.Series])
def test_decimals_stay_exact(as_labels):
    tenths = [Decimal("0.1"), Decimal("0.2")]
    y = as_labels(tenths)
    assert count(y, y, labels=tenths).counts.tolist() == [[1, 0], [0, 1]]


def test_dates_and_durations_have_no_inherent_order():
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


def test_labels_that_numpy_would_convert_stay_unchanged():
    for labels in (["a", b"a"], ["a", "a\0"], [b"a", b"a\0"], [2**63, -1]):
        n = len(labels)
        assert OrdinalScale.from_labels(labels).labels.tolist() == labels
        assert count(labels, labels, labels=labels).counts.tolist() == np.eye(n).tolist()
    with pytest.raises(ValueError, match=r"y_true has classes that are not in labels: \[9223.*7\]"):
        count([2**63 - 1], [-1], labels=[2**63, -1])


def test_integers_of_128_bits_are_integers():
    if not hasattr(pl, "Int128"):
        pytest.skip("this version of polars has no Int128")
    y = pl.Series(TRUE, dtype=pl.Int128)
    assert count(y, PRED).counts.tolist() == EXPECTED
    assert count(y, PRED, labels=pl.Series([0, 1, 2], dtype=pl.Int128)).counts.tolist() == EXPECTED


def dictionary(codes, values, *, ordered=True):
    indices = pa.array(codes, pa.int8())
    return pa.DictionaryArray.from_arrays(indices, pa.array(values), ordered=ordered)


@pytest.mark.parametrize("values", [[1, 0, 2], ["low", "mid", "high"]])
@pytest.mark.parametrize(
    "as_container",
    [
        lambda array: array,
        lambda array: pa.chunked_array([array[:2], array[2:]]),
        lambda array: pd.Series(pd.arrays.ArrowExtensionArray(array)),
        pd.arrays.ArrowExtensionArray,
    ],
    ids=["array", "chunked", "series", "extension"],
)
def test_an_ordered_dictionary_declares_the_order(values, as_container):
    true = as_container(dictionary([0, 1, 2, 2], values))
    pred = as_container(dictionary([0, 2, 2, 1], values))
    confusion = OrdinalConfusion.from_predictions(true, pred)
    assert confusion.labels.tolist() == values
    assert confusion.counts.tolist() == [[1, 0, 0], [0, 0, 1], [0, 1, 1]]


def test_unanswered_samples_of_an_ordered_dictionary_are_counted():
    true = dictionary([0, 1, 2, 2], [1, 0, 2])
    pred = dictionary([0, None, 2, 1], [1, 0, 2])
    confusion = OrdinalConfusion.from_predictions(true, pred, unanswered="count")
    assert confusion.unanswered.tolist() == [0, 1, 0]
    with pytest.raises(ValueError, match="y_pred has missing values"):
        count(true, pred)


def test_a_dictionary_without_an_order_needs_labels():
    y = dictionary([0, 1], [1, 0], ordered=False)
    with pytest.raises(ValueError, match=r"unordered categories \[1, 0\], whose order"):
        count(y, [0, 1])
    assert count(y, [0, 1], labels=[0, 1]).counts.tolist() == [[0, 1], [1, 0]]


@pytest.mark.parametrize("unanswered", ["raise", "count"])
def test_predictions_that_are_no_column_are_an_error(unanswered):
    pairs = pd.MultiIndex.from_tuples([(0, 1), (1, 1)])
    table = pa.table({"a": [0, 1], "b": [1, 1]})
    for y_pred in (np, pairs, table, table.to_pandas()):
        with pytest.raises(ValueError, match="y_pred must be one-dimensional, got"):
            OrdinalConfusion.from_predictions([0, 1], y_pred, unanswered=unanswered)
    with pytest.raises(
        ValueError, match=r"y_pred must hold its values, .* pass y_pred.collect\(\)"
    ):
        OrdinalConfusion.from_predictions(
            [0, 1], pl.LazyFrame({"a": [0, 1]}), unanswered=unanswered
        )


def test_a_multiindex_is_an_error():
    y = pd.MultiIndex.from_arrays([[0, 1], [0, 1]])
    for arguments in ({"y_true": y, "y_pred": [0, 1]}, {"y_true": [0, 1], "y_pred": y}):
        with pytest.raises(ValueError, match="must be one-dimensional, got a MultiIndex"):
            count(**arguments)


@pytest.mark.parametrize("as_container", [np.asarray, pd.DataFrame, pl.DataFrame], ids=str)
@pytest.mark.parametrize("name", ["y_true", "y_pred"])
def test_probabilities_are_not_classes(name, as_container):
    y = as_container(np.array([[0.2, 0.8], [0.5, 0.5]]))
    with pytest.raises(ValueError, match=f"{name} must .* are probabilities or scores: pass"):
        within_n_accuracy_score(**{"y_true": [0, 1], "y_pred": [0, 1], name: y})


def test_an_estimator_in_place_of_labels_is_an_error():
    with pytest.raises(ValueError, match=r"a scorer takes \(estimator, X, y\)"):
        count(DummyClassifier(), [[0], [1]])


def test_floats_are_read_as_integers_while_they_are_exact():
    largest = 2.0**53 - 1
    assert count([largest], [largest - 1]).labels.tolist() == [2**53 - 2, 2**53 - 1]
    assert count([-largest], [-largest]).labels.tolist() == [-(2**53) + 1]
    for y in ([2.0**53], [-(2.0**53)]):
        with pytest.raises(ValueError, match="y_true has numbers beyond"):
            count(y, y)


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
        [0, np.datetime64("NaT")],
        [0, np.timedelta64("NaT")],
        [0, Decimal("NaN")],
        [0, Decimal("sNaN")],
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
    "make",
    [
        lambda: [0, np.datetime64("NaT"), 1],
        lambda: [0, Decimal("sNaN"), 1],
        lambda: pa.array(["0", None, "1"], pa.string_view()),
        lambda: np.array(["0", None, "1"], np.dtypes.StringDType(na_object=None)),
        lambda: np.array(["0", np.nan, "1"], np.dtypes.StringDType(na_object=np.nan)),
        lambda: pd.array(["0", None, "1"], dtype="string"),
    ],
)
def test_unanswered_samples_are_counted_however_they_are_marked(make):
    try:
        y = make()
    except AttributeError:  # before NumPy 2 and pyarrow 16
        pytest.skip("the library does not have this type")
    labels = [0, 1] if isinstance(y, list) else ["0", "1"]
    confusion = OrdinalConfusion.from_predictions(
        [labels[0]] * 3, y, labels=labels, unanswered="count"
    )
    assert confusion.counts.tolist() == [[1, 1], [0, 0]]
    assert confusion.unanswered.tolist() == [1, 0]


def test_arrays_without_axes_in_a_list_are_values():
    labels = [np.array("low"), np.array("high")]
    assert count(labels, ["low", "low"], labels).counts.tolist() == [[1, 0], [1, 0]]
    assert count([np.array(0), np.array(1)], [0, 1]).labels.tolist() == [0, 1]
    assert count([np.array("low"), 1], ["low", 1], ["low", 1]).counts.tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([], "y_true must not be empty"),
        (pd.Series([], dtype=int), "y_true must not be empty"),
        (pl.Series([], dtype=pl.Int8), "y_true must not be empty"),
        (np.zeros((3, 2), int), r"y_true must be one-dimensional, got shape \(3, 2\)"),
        ([[0, 1], [1, 0]], r"y_true must be one-dimensional, got shape \(2, 2\)"),
        ([[0], [0, 1]], "y_true must be one-dimensional, got rows of different lengths"),
        (pd.DataFrame({"a": [0], "b": [1]}), r"y_true must be one-dimensional, got a frame of"),
        (pl.DataFrame({"a": [0], "b": [1]}), r"y_true must be one-dimensional, got a frame of"),
        (3, "y_true must be one-dimensional, got a int"),
        ("low", "y_true must be one-dimensional, got a str"),
        (None, "y_true must be one-dimensional, got a NoneType"),
        ({0, 1}, "y_true must be a sequence, such as a list, got a set"),
        ((label for label in [0, 1]), "y_true must be one-dimensional, got a generator"),
        ([0.0, np.inf], "y_true must be finite"),
        ([0, 1, 2], "y_true and y_pred must have the same length, got 3 and 2"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_other_shapes_are_an_error(y, message):
    with pytest.raises(ValueError, match=message):
        within_n_accuracy_score(y, [0, 1])


def test_an_array_that_cannot_be_read_is_an_error_that_names_it():
    class OnOtherDevice:
        def __array__(self, dtype=None, copy=None):
            raise TypeError("copy it to the host first")

    with pytest.raises(ValueError, match="y_true cannot be read as an array: copy it"):
        count(OnOtherDevice(), [0])


def test_the_input_is_not_modified():
    y = np.array([5, 6, 7])
    y.flags.writeable = False
    count(y, y)
    assert y.tolist() == [5, 6, 7]


@pytest.mark.parametrize("dtype", [int, float, object, "U5"])
def test_an_array_of_one_column_is_a_column(dtype):
    column = np.array([[2], [0], [1]]).astype(dtype)
    labels = np.arange(3).astype(dtype)
    assert count(column, column[:, 0], labels=labels).counts.tolist() == np.eye(3).tolist()


@pytest.mark.parametrize("kind", [int, float, bool, pd.DataFrame])
def test_rows_that_are_one_hot_raise_with_the_way_to_classes(kind):
    rows = np.eye(3)[TRUE]
    rows = kind(rows) if kind is pd.DataFrame else rows.astype(kind)
    with pytest.raises(ValueError, match=r"its rows are one-hot: pass classes, such as by argmax"):
        count(TRUE, rows)
