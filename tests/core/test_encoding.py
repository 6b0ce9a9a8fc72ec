"""Where the order of the classes comes from, and labels that have none."""

import datetime
import tracemalloc
from functools import partial
from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pytest

from sklearn_ordinal import OrdinalConfusion
from sklearn_ordinal.inference import bootstrap_interval
from sklearn_ordinal.metrics import cem_ord_score, concordance_score
from tests.core.examples import EXPECTED, NAMES, PRED_NAMES, TRUE_NAMES, count


def test_a_class_that_does_not_occur_keeps_its_place():
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


def test_integers_span_at_most_a_thousand_classes():
    for first in (0, 5_000, -700):
        assert len(count([first], [first + 999]).labels) == 1_000
        with pytest.raises(
            ValueError, match=f"hold integers from {first} to {first + 1_000}, more than 1,000"
        ):
            count([first], [first + 1_000])


def test_integers_of_one_column_that_span_more_are_an_error_in_the_singular():
    with pytest.raises(ValueError, match=r"^y_true holds integers from 0 to 5000"):
        concordance_score([0, 5000], [0.1, 0.2])


@pytest.mark.parametrize("code", [-999, 9999, -9999])
def test_a_lone_value_far_from_the_classes_may_mean_that_there_is_no_class(code):
    expected = f"or leave out the samples with {code} if it means that there is no class."
    with pytest.raises(ValueError, match=expected):
        count([1, 2, 5, code, code], [1, 2, 4, 5, 5])
    with pytest.raises(ValueError, match=expected):
        OrdinalConfusion.from_batches([([1, 2, 5], [1, 2, 4]), ([code], [code])])


@pytest.mark.parametrize("values", [range(1, 1_500), [0, 1_000], [0, 500, 1_000]])
def test_values_of_a_long_range_may_all_be_classes(values):
    with pytest.raises(ValueError, match=r"from the lowest to the highest\.$"):
        count([*values], [*values])


def test_an_outlying_integer_is_an_error_and_uses_no_memory():
    tracemalloc.start()
    for stray in (10**9, -(10**9), 10**18, 1e15):
        with pytest.raises(ValueError, match="more than 1,000 classes in a run: pass labels="):
            count([0, 1, stray], [0, 1, 2])
    with pytest.raises(ValueError, match="not in labels"):
        count([0, 1, 10**9], [0, 1, 2], labels=range(3))
    assert count([5, 10**9], [10**9, 5], labels=[5, 10**9]).counts.tolist() == [[0, 1], [1, 0]]
    assert tracemalloc.get_traced_memory()[1] < 5_000_000
    tracemalloc.stop()


def test_conflicting_orders_are_an_error():
    y_true = pd.Categorical(["low"], ["low", "high"], ordered=True)
    y_pred = pd.Series(["low"], dtype=pd.CategoricalDtype(["high", "low"], ordered=True))
    with pytest.raises(
        ValueError, match=r"ordered differently, \['low', 'high'\] and \['high', 'low'\]: give"
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


@pytest.mark.parametrize(
    ("y", "found"),
    [
        (["1", "2"], "string labels"),
        ([1e300, 1.0], "numbers beyond 2"),
        ([1 + 0j], "labels of type complex"),
        ([datetime.date(2020, 1, 1)], "labels of type date"),
        (["a", 1], "string labels"),
        ([2**70], "labels of type int"),
        ([[], 1], "labels of type list"),
    ],
)
def test_labels_without_an_order_raise_a_one_line_error_with_three_ways_out(y, found):
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


@pytest.mark.parametrize("labels", [None, [0, 1]])
def test_continuous_values_are_not_classes(labels):
    with pytest.raises(ValueError, match=r"y_pred must .* such as 0.37, 1.2: pass predicted class"):
        count([0, 1], [0.37, 1.2], labels=labels)
    with pytest.raises(ValueError, match=r"y_true must .* such as 0.1, 0.2, 0.3: .* before y_pred"):
        count([0.1, 0.2, 0.3, 0.4], [0, 1, 0, 1], labels=labels)
    with pytest.raises(ValueError, match="y_pred must contain classes, got continuous values"):
        count(["low", "high"], [0.1, 0.7], labels=["low", "high"])


def test_an_error_lists_at_most_ten_classes():
    ten = [f"c{digit}" for digit in range(10)]
    listed = ", ".join(map(repr, ten))
    with pytest.raises(ValueError, match=rf"y_true has string labels \[{listed}\], whose"):
        count(ten[::-1], ten)
    with pytest.raises(ValueError, match=rf"y_true has string labels \[{listed}, \.\.\.\], whose"):
        count(["d", *ten], ["d", *ten])


def test_the_same_index_in_a_different_order_is_rejected():
    true = pd.Series([0, 1, 2], index=["a", "b", "c"])
    pred = pd.Series([2, 0, 1], index=["c", "a", "b"])
    message = (
        r"y_true and y_pred have the same index in different orders: .*y_pred\.loc\[y_true\.index\]"
    )
    with pytest.raises(ValueError, match=message):
        count(true, pred)
    with pytest.raises(ValueError, match=message):
        OrdinalConfusion.from_predictions(true, pred, unanswered="count")
    assert count(true, pred.loc[true.index]).counts.tolist() == np.eye(3, dtype=int).tolist()


@pytest.mark.parametrize("argument", ["sample_weight", "clusters"])
def test_weights_and_clusters_with_the_index_in_a_different_order_are_rejected(argument):
    true = pd.Series([0, 1, 2], index=["a", "b", "c"])
    given = {argument: pd.Series([3, 1, 2], index=["c", "a", "b"])}
    functions = [partial(bootstrap_interval, metrics="cem_ord", n_resamples=9)]
    functions += [OrdinalConfusion.from_predictions]
    if argument == "sample_weight":
        functions += [cem_ord_score]
    for function, unanswered in product(functions, ("raise", "count")):
        with pytest.raises(ValueError, match=f"y_true and {argument} have the same index in"):
            function(true, [0, 1, 2], unanswered=unanswered, **given)


@pytest.mark.parametrize(
    ("index", "message"),
    [
        (["x", "y", "z"], "3 of 3 rows of y_true, such as 'a', are not in y_pred: .*reindex"),
        (["b", "c", "d"], "1 of 3 rows of y_true, such as 'a', are not in y_pred"),
        ([1, 0, 2], "3 of 3 rows of y_true, such as 'a', are not in y_pred"),
        (["a", "b", "c", "d"], "1 of 4 rows of y_pred, such as 'd', are not in y_true"),
        (["a", "c", "b", "b"], "y_true and y_pred have indexes with repeated values"),
    ],
)
def test_different_indexes_are_rejected(index, message):
    true = pd.Series([0, 1, 2], index=["a", "b", "c"])
    pred = pd.Series([0, 1, 2, 2][: len(index)], index=index)
    with pytest.raises(ValueError, match=message):
        count(true, pred)


@pytest.mark.parametrize("pred", [pd.Series([0, 1, 2]), np.array([0, 1, 2])])
def test_ranges_and_arrays_are_compared_row_by_row(pred):
    true = pd.Series([0, 1, 2], index=["a", "b", "c"])
    assert count(true, pred).counts.tolist() == np.eye(3, dtype=int).tolist()
