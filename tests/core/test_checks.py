"""Checks of weights and options, with consistent error messages."""

import datetime
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_matrix

from sklearn_ordinal import OrdinalConfusion, OrdinalScale, make_ordinal_scorer
from sklearn_ordinal.inference import corrected_t_test, holm_correction
from sklearn_ordinal.metrics import cem_ord_score, multioutput_score


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


@pytest.mark.parametrize("total", [1e-60, 1e60])
def test_the_smallest_and_the_largest_total_weight_are_accepted(total):
    confusion = OrdinalConfusion.from_predictions([0, 1], [0, 0], sample_weight=[total, 0])
    assert confusion.counts.tolist() == [[total]]


@pytest.mark.parametrize("total", [0.9e-60, 1.1e60])
def test_a_total_weight_out_of_range_is_an_error(total):
    with pytest.raises(ValueError, match="must add up to a number from 1e-60 to 1e"):
        OrdinalConfusion.from_predictions([0, 1], [0, 0], sample_weight=[total, 0])


NOT_NUMBERS = {
    "strings": ["1_0", "1"],
    "strings as objects": np.array(["1", "2"], dtype=object),
    "bytes": [b"1", b"2"],
    "dates": np.array(["2020", "2021"], dtype="datetime64[D]"),
    "durations": np.array([1, 2], dtype="timedelta64[s]"),
    "durations as objects": np.array([np.timedelta64(1), 1], dtype=object),
    "durations of polars": pl.Series([datetime.timedelta(1)] * 2),
    "complex numbers": [1 + 2j, 1],
    "rows of different lengths": [[1], [1, 2]],
    "too large": [10**400, 1],
}
TAKE_NUMBERS = {
    "sample_weight": lambda v: cem_ord_score([0, 1], [0, 1], sample_weight=v),
    "class_counts": lambda v: cem_ord_score([0, 1], [0, 1], class_counts=v),
    "counts": lambda v: OrdinalConfusion.from_counts([v, v] if isinstance(v, list) else v),
    "unanswered": lambda v: OrdinalConfusion([0, 1], np.eye(2), unanswered=v),
    "aggregate": lambda v: multioutput_score([[0, 1]], [[0, 1]], "accuracy", aggregate=v),
    "multioutput": lambda v: make_ordinal_scorer("cem_ord", multioutput=v),
    "scores_a": lambda v: corrected_t_test(v, v, n_train=2, n_test=1),
    "pvalues": holm_correction,
}


@pytest.mark.parametrize("values", NOT_NUMBERS.values(), ids=NOT_NUMBERS)
@pytest.mark.parametrize("name", TAKE_NUMBERS)
def test_non_numbers_are_not_converted_to_numbers(name, values):
    with pytest.raises(ValueError, match=f"^{name} must hold numbers"):
        TAKE_NUMBERS[name](values)


@pytest.mark.parametrize("values", [{1, 2}, {1: 1, 2: 1}, {1: 1, 2: 1}.keys()], ids=repr)
@pytest.mark.parametrize("name", TAKE_NUMBERS)
def test_sets_and_dicts_are_not_sequences_of_numbers(name, values):
    with pytest.raises(ValueError, match=f"^{name} must be a sequence, such as a list, got a"):
        TAKE_NUMBERS[name](values)


@pytest.mark.parametrize("values", [{0, 1}, {0: 1, 1: 1}], ids=repr)
@pytest.mark.parametrize("name", ["y_true", "y_pred", "labels"])
def test_sets_and_dicts_are_not_sequences_of_labels(name, values):
    with pytest.raises(ValueError, match=f"{name} must be a sequence, such as a list, got a"):
        cem_ord_score(**{"y_true": [0, 1], "y_pred": [0, 1], name: values})


def test_sparse_arrays_are_an_error_with_the_way_out():
    with pytest.raises(ValueError, match=r"counts must be dense, .*: pass counts.toarray\(\)\.$"):
        OrdinalConfusion.from_counts(csr_matrix(np.eye(3)))


def test_the_error_for_non_numbers_is_one_line():
    class Lines:
        def __repr__(self):
            return "two\nlines"

    with pytest.raises(ValueError, match="counts must hold numbers, got two lines"):
        OrdinalConfusion.from_counts([[Lines(), 1], [1, 1]])


@pytest.mark.parametrize("name", ["sample_weight", "class_counts", "unanswered", "aggregate"])
def test_masked_numbers_are_missing(name):
    with pytest.raises(ValueError, match=f"{name} must be finite, got NaN or infinite values"):
        TAKE_NUMBERS[name](np.ma.array([1, 2], mask=[False, True]))


def test_masked_pvalues_are_undefined():
    adjusted = holm_correction(np.ma.array([0.01, 0.5, 0.03], mask=[False, True, False]))
    np.testing.assert_array_equal(adjusted, [0.02, np.nan, 0.03])


@pytest.mark.parametrize(
    "values",
    [
        np.array([1, 2], dtype=object),
        [Decimal(1), Fraction(2)],
        pd.Series([1, 2], index=["a", "b"]),
        pd.array([1, 2], dtype="Int64"),
        pl.Series([1, 2]),
        np.ma.array([1, 2]),
        range(1, 3),
    ],
    ids=lambda values: type(values).__name__,
)
def test_numbers_may_come_in_any_container(values):
    weighted = OrdinalConfusion.from_predictions([0, 1], [0, 1], sample_weight=values)
    assert weighted.counts.tolist() == [[1, 0], [0, 2]]


AMOUNTS = {
    "sample_weight": lambda v: cem_ord_score([0, 1, 2], [0, 1, 2], sample_weight=v),
    "class_counts": lambda v: cem_ord_score([0, 1, 2], [0, 1, 2], class_counts=v),
    "counts": lambda v: OrdinalConfusion.from_counts(np.diag(np.array(v, dtype=float))),
    "unanswered": lambda v: OrdinalConfusion([0, 1, 2], np.eye(3), unanswered=v),
}


@pytest.mark.parametrize("name", AMOUNTS)
def test_weights_and_counts_have_the_same_limits(name):
    for too_far in ([1e308] * 3, [1e-200] * 3, [1e60, 1e60, 1]):
        with pytest.raises(ValueError, match=f"{name} must add up to a number from 1e-60 to 1e"):
            AMOUNTS[name](too_far)
    for bad, reason in (
        ([1, -1, 1], "not be negative, the smallest is -1"),
        ([np.inf] * 3, "be fi"),
    ):
        with pytest.raises(ValueError, match=f"{name} must {reason}"):
            AMOUNTS[name](bad)
    AMOUNTS[name]([0.9e60, 1, 1e-200])


def test_the_constructor_checks_its_arguments_too():
    for counts, message in (
        ([[1, -2], [0, 1]], "counts must not be negative, the smallest is -2"),
        ([[1, np.nan], [0, 1]], "counts must be finite"),
        (np.eye(2) * 1e-200, "counts must add up to a number from 1e-60"),
        (np.full((2, 2), 2**62), r"counts must add up to less than 2\*\*63"),
        ([["1", "2"], ["0", "1"]], "counts must hold numbers, got strings"),
    ):
        with pytest.raises(ValueError, match=message):
            OrdinalConfusion([0, 1], counts)
    with pytest.raises(ValueError, match="is_weighted must be True or False, got 'no'"):
        OrdinalConfusion([0, 1], np.eye(2), "no")
    with pytest.raises(
        ValueError, match="labels must name each class once, but these classes are repeated: 0"
    ):
        OrdinalScale(np.array([0, 0]))
    with pytest.raises(ValueError, match="labels has missing values"):
        OrdinalScale(np.array([np.nan, 1.0]))
    with pytest.raises(ValueError, match="labels must be values such as numbers or strings"):
        OrdinalConfusion([{1}, {2}], np.eye(2))


def test_an_error_raised_by_a_container_is_reported():
    class Broken:
        def __array__(self, dtype=None, copy=None):
            raise self.error

    for error in (ValueError("no disk"), RuntimeError("no disk"), TypeError("no disk")):
        Broken.error = error
        with pytest.raises(ValueError, match="y_pred cannot be read as an array: no disk"):
            cem_ord_score([0, 1], Broken())
        with pytest.raises(ValueError, match="sample_weight must hold numbers: no disk"):
            cem_ord_score([0, 1], [0, 1], sample_weight=Broken())
